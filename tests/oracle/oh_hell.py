"""Oh Hell, as the cookbook writes it from scratch: single deals for three to seven players, of any size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pyspiel

import interpreter

from .driver import HERE, Comparison, Deal, numbers_of

COOKBOOK = HERE.parents[1] / "rulesets" / "README.md"
FILE = re.compile(r"^```yaml (oh-hell\.yaml|hook\.yaml)\n((?:.*\n)*?)```$", re.MULTILINE)

SETTINGS = 8
"""How many settings of the parameters are played: a game is compiled for each."""


class OhHell(Comparison):
    overlay = HERE / "oh-hell-openspiel.yaml"
    numbers = numbers_of("oh_hell(num_tricks_fixed=1)", 1, 0)

    def load(self, overlays: tuple[Path, ...]) -> interpreter.Ruleset:
        """The last files of these names that the cookbook writes, with the overlays on top."""
        with TemporaryDirectory() as folder:
            for name, text in FILE.findall(COOKBOOK.read_text(encoding="utf-8")):
                (Path(folder) / name).write_text(text, encoding="utf-8")
            return interpreter.load(Path(folder) / "hook.yaml", [self.overlay, *overlays])

    def deals(self, lot: Random) -> Iterator[Deal]:
        players = lot.randint(3, 7)
        most = (len(self.numbers) - 1) // players
        chosen = Random(lot.randrange(SETTINGS))
        size, dealer = chosen.randint(1, most), lot.randrange(players)
        parameters = {"points_per_trick": chosen.choice((1, 5)), "off_bid_penalty": chosen.random() < 0.5}
        deck = lot.sample(sorted(self.numbers), players * size + 1)
        yield Deal(
            pyspiel.load_game("oh_hell", parameters | {"players": players}).new_initial_state(),
            self.rules.game(players=players, options=parameters | {"tricks_dealt": size}).start(
                chance={"first dealer": f"P{dealer + 1}", "shuffle": {"deal": deck}}
            ),
            iter([size, dealer] + [self.numbers[card] for card in deck]),
        )

    def actions(self, move: str) -> list[tuple[int, ...]]:
        what, value = move.split()
        return [(len(self.numbers) + int(value) if what == "bid" else self.numbers[value],)]

    def marks(self, deal: Deal) -> list[str]:
        return ["a bid made"] * (max(deal.ours.scores) >= 10)

    def result(self, deal: Deal) -> tuple[object, object]:
        return (deal.theirs.returns(), True), (list(deal.ours.scores), deal.ours.over)
