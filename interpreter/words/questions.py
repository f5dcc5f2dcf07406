"""What a player is asked, in one sentence: what can be done, with how many cards, and which way they go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.engine.available import action_named
from interpreter.engine.moves import Move
from interpreter.engine.notation import params_of
from interpreter.engine.position import Position
from interpreter.engine.program import ParamCode
from interpreter.engine.standing import kind_of_phase
from interpreter.words.acts import Acts
from interpreter.words.people import Reader, counted, listed, number_word, sentence

MOST_COUNTED = 4_000
"""Of more moves it is not looked up which numbers they offer."""


def question(acts: Acts, s: Position, reader: Reader, offered: Iterable[tuple[str, Sequence[Move]]]) -> str:
    """What is asked of the reader. offered: the moves of each action, those of the stage that is going on first."""
    ways = [way for action, moves in offered if (way := _way(acts, s, reader, action, moves))]
    if not ways:
        return ""
    leads = kind_of_phase(s) == "trick" and not s.plays
    return sentence(f"{'you lead: ' if leads else ''}{listed(ways, 'or')}")


def _way(acts: Acts, s: Position, reader: Reader, action: str, moves: Sequence[Move]) -> str:
    """One thing that can be done: `pass three cards`, `bid a number from 0 to 13`."""
    code = action_named(s, action)
    if code is None or reader.player is None or not len(moves):
        return ""
    phrase = acts.phrase(action)
    asked = [
        what for at, p in enumerate(params_of(s, reader.player, code, moves[0].args)) if (what := _asked(p, at, moves))
    ]
    if phrase is None:
        return " ".join([action.replace("_", " "), *asked])
    words = [phrase.verb, *([phrase.after] if phrase.after else [])]
    if phrase.noun and not asked:
        words.append(acts.object_of(reader, reader.player, phrase, acts.chosen(action, ""), None))
    return " ".join([*words, *([listed(asked, "and")] if asked else [])])


def _asked(param: ParamCode, at: int, moves: Sequence[Move]) -> str:
    """What has to be chosen: `three cards`, `a suit`; nothing for what may be left out."""
    match param.form:
        case "cards" if param.several:
            low, high = len(moves[0].args[at] or ()), len(moves[-1].args[at] or ())
            if low == high:
                return counted(low, "card")
            return (
                f"{number_word(low)} to {number_word(high)} cards" if low else f"up to {counted(high, 'card', 'one')}"
            )
        case "cards" | "kinds":
            return "a card"
        case "number" | "tokens":
            values = [move.args[at] for move in moves] if len(moves) <= MOST_COUNTED else []
            numbers = sorted({value for value in values if isinstance(value, int)})
            return f"a number from {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else ""
        case "players":
            return "a player"
        case "suits":
            return "a suit"
        case "ranks":
            return "a rank"
        case "teams":
            return "a side"
        case "zones":
            return "a pile"
    return ""


def directions(s: Position, reader: Reader, player: int) -> str:
    """Where somebody sits: `on your left`, `across from you`; nothing where that says little."""
    seats, n = list(s.order()), s.program.n
    if reader.player is None or reader.player == player:
        return ""
    away = (seats.index(player) - seats.index(reader.player)) % n
    if n == 2:
        return ""
    if away == 1:
        return "on your left"
    if away == n - 1:
        return "on your right"
    return "across from you" if 2 * away == n else ""
