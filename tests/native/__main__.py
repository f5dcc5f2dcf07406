"""Every option value, variant and number of players, played by both lanes: `python -m tests.native [GAME...]`.

Prints each setting that is not played natively, with the reason, and each in which a match differs. It takes half an
hour for all games; `--step 9` tries each ninth setting.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from os import environ
from unittest import mock

from interpreter.api import native_lane
from interpreter.api.game import Game
from interpreter.api.playouts import matches
from interpreter.api.random_play import Match
from tests.native.alike import stepped_alike
from tests.walks import SHIPPED, Setting, settings_of

HOW = ((2, 200), (None, 120))
"""Deals and limit."""


def strict_settings(name: str) -> Iterator[tuple[Setting, Game]]:
    """The settings of a game in which it can be played, in strict play."""
    for setting in settings_of(name):
        if setting.enforcement == "strict":
            game = setting.game()
            if game is not None:
                yield setting, game


def native_or_why(game: Game) -> str:
    """Why a game is not played natively; "" if it is."""
    game.program.native = None  # programs are kept from setting to setting
    with mock.patch.object(native_lane, "kept_in", lambda: None), mock.patch.dict(environ, {native_lane.SWITCH: ""}):
        return native_lane.prepare(game).reason


def differences(game: Game, number: int) -> list[tuple[Match, Match]]:
    """The matches that the lanes play otherwise: in Python, and natively."""
    found = []
    for deals, limit in HOW:
        played = []
        for lane in ("0", "1"):
            with mock.patch.dict(environ, {native_lane.SWITCH: lane}), mock.patch.object(native_lane, "TOO_MANY", 1.0):
                played.append(list(matches(game, number, 11, deals, limit)))
        found += [(one, two) for one, two in zip(*played, strict=True) if one != two]
    return found


def compared(setting: Setting, game: Game, number: int) -> tuple[str, str]:
    """What comes of a setting in one word, and more of it. number: of matches."""
    why = native_or_why(game)
    if why:
        return "python", why
    for python, native in differences(game, number)[:1]:
        return "different", f"\n  {python}\n  {native}"
    try:
        stepped_alike(game, 11, HOW[-1][-1])
    except AssertionError as error:
        return "different", f" step by step: {error}"
    again = native_lane.lane_of(game.program).played[0] - len(HOW) * number
    return ("stopped", f"{again} matches were played again in Python") if again else ("native", "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--matches", type=int, default=6)
    given = parser.parse_args()
    found: Counter[str] = Counter()
    for name in given.games or SHIPPED:
        for setting, game in islice(strict_settings(name), 0, None, given.step):
            word, more = compared(setting, game, given.matches)
            found[word] += 1
            if word != "native":
                print(f"{word}: {setting}: {more[:400]}", flush=True)
    print(", ".join(f"{number} {word}" for word, number in found.most_common()))
    return 1 if found["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
