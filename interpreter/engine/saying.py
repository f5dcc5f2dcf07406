"""On honour: what is said with a move, what is heard of it, and what is owed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.engine.available import action_named
from interpreter.engine.budget import MOST_LETTERS, charge
from interpreter.engine.meaning import Offer
from interpreter.engine.moves import Move
from interpreter.engine.notation import build, in_order, params_of, read_value, spoken, value_text
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode, Program
from interpreter.engine.rule_errors import RuleError, TooMuch

HEARD = 5
"""Steps that each letter counts in which a value is looked for."""


def _charge(s: Position, steps: int, action: ActionCode) -> None:
    """Count what it takes to say, or to hear, what belongs to an action, where no printed code tells the place."""
    try:
        charge(s, steps)
    except TooMuch as error:
        raise TooMuch(error.message, action.span) from None


def words_in(text: str) -> list[str]:
    """A spoken text as words: case and punctuation apart."""
    return re.findall(r"\w+", text.lower())


def judge_words(s: Position, player: int, action: ActionCode, move: Move, args: tuple[Any, ...]) -> list[str]:
    """Names of the parameters that were not said, and of the announcements that are missing or wrong."""
    params = params_of(s, player, action, move.args)
    unsaid = [p.name for p, value in zip(params, move.args, strict=True) if value is None and p.otherwise is not None]
    if action.says is None:
        return unsaid
    said = words_in(move.words or "")
    owed = action.says(s, player, *args)
    return unsaid + [name for name, words, exact in owed if not _is_said(words, exact, said, move.words)]


def said_by_itself(s: Position, player: int, action: ActionCode, move: Move) -> str:
    """What a move says that was made without words: the values of what must be said."""
    pairs = zip(params_of(s, player, action, move.args), move.args, strict=True)
    said = [(p, value) for p, value in pairs if p.otherwise is not None and value is not None]
    return " ".join(value_text(s.program, p, value) for p, value in said)


def _is_said(owed: str, exact: bool, said: list[str], literal: str | None) -> bool:
    if exact:
        return spoken(owed) in (literal or "")
    wanted = words_in(owed)
    return any(said[i : i + len(wanted)] == wanted for i in range(len(said) - len(wanted) + 1))


def with_words(s: Position, player: int, moves: Sequence[Move]) -> Sequence[Move]:
    """Moves of one action, each with the words that it owes."""
    if not len(moves):
        return moves
    action = action_named(s, moves[0].action)
    if action is None or action.says is None:
        return moves
    _charge(s, len(moves) * action.speaking, action)
    found, offer = [], Offer(s, player, action)
    for move in moves:
        owed = _owed(s, player, action, offer, move)
        found.append(_heard(s, player, action, offer, move.saying(_announced(owed))) if owed else move)
    return list(dict.fromkeys(found))


def with_all_words(s: Position, player: int, moves: Sequence[Move]) -> Sequence[Move]:
    """Each move with every combination of said, missing and wrong words."""
    if not len(moves):
        return moves
    action = action_named(s, moves[0].action)
    if action is None or action.says is None:
        return moves
    _charge(s, len(moves) * action.speaking * action.ways_to_say, action)
    offer = Offer(s, player, action)
    return list(dict.fromkeys(variant for move in moves for variant in _ways_to_say(s, player, action, offer, move)))


def _ways_to_say(s: Position, player: int, action: ActionCode, offer: Offer, move: Move) -> Iterator[Move]:
    owed = _owed(s, player, action, offer, move)
    ways: list[list[str]] = [[]]
    for words in owed:
        ways = [[*way, said] for way in ways for said in (words, "", "?")]
    for way in ways:
        heard = _heard(s, player, action, offer, move.saying(_announced(way)))
        if heard.args == move.args or offer.possible(heard.args) is not None:  # unsaid, it may be nothing of the game
            yield heard


def _owed(s: Position, player: int, action: ActionCode, offer: Offer, move: Move) -> list[str]:
    """The words that are owed with a move; none with what the game does not offer."""
    args = offer.possible(move.args)
    return [] if action.says is None or args is None else [words for _, words, _ in action.says(s, player, *args)]


def _heard(s: Position, player: int, action: ActionCode, offer: Offer, move: Move) -> Move:
    """A move as those at the table hear it, as its text is read: what must be said is what the words say."""
    args = move.args if move.words is None else hear(s, player, action, move.args, move.words, offer)
    return move if args == move.args else build(s, player, action, args).saying(move.words)


def _announced(owed: Sequence[str]) -> str | None:
    """Several announcements as one player says them. Raises RuleError if the rules ask for more than can be said."""
    said = spoken('"'.join(owed))
    if len(said) > MOST_LETTERS:
        raise RuleError(f"what is to be said has {len(said):,} letters, and a player says {MOST_LETTERS:,} at most")
    return said or None


def refused_touch(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> int | None:
    """The law that refuses a touch in a race, for there a breach is a fault only if the law says so."""
    if s.program.stages[action.stage].kind != "race" or action.anytime:
        return None
    return next((law for law in action.broken(s, player, *args) if not action.laws[law].says_fault), None)


def without_refused(s: Position, player: int, moves: Sequence[Move]) -> Sequence[Move]:
    """Moves in a race that no law refuses."""
    action = action_named(s, moves[0].action) if len(moves) else None
    if action is None or not action.laws:
        return moves
    _charge(s, len(moves) * action.each, action)
    offer = Offer(s, player, action)
    real = ((move, offer.possible(move.args)) for move in moves)
    return [move for move, args in real if args is not None and refused_touch(s, player, action, args) is None]


def hear(
    s: Position, player: int, action: ActionCode, args: tuple[Any, ...], words: str, offer: Offer | None = None
) -> tuple[Any, ...]:
    """The arguments as those at the table hear them: of what must be said, the spoken words count, not what is meant.

    Words that name no value leave what is meant, if they are an announcement that is owed besides. offer: of the
    action, where it has been found already.
    """
    heard = list(args)
    for at, param in enumerate(params_of(s, player, action, args)):
        if param.otherwise is not None:
            _charge(s, HEARD * len(words), action)
            value = _named_in(s.program, param, words)
            if value is not None or heard[at] is None or not _is_owed(s, player, action, offer, args, words):
                heard[at] = value
    return tuple(heard)


def _named_in(program: Program, param: ParamCode, words: str) -> Any:
    """The value that spoken words name: the first, or of several cards all; None if they name none."""
    if param.form == "text":
        return words or None
    values = [v for word in re.findall(r"\w+", words) if (v := read_value(program, param, word)) is not None]
    if param.several:
        return in_order(program, values) or None
    return values[0] if values else None


def _is_owed(
    s: Position, player: int, action: ActionCode, offer: Offer | None, args: tuple[Any, ...], words: str
) -> bool:
    """Whether words are an announcement that is owed with a move. args: as the player calls them."""
    real = None if action.says is None else (offer or Offer(s, player, action)).possible(args)
    if action.says is None or real is None:
        return False
    said = re.findall(r"\w+", words.lower())
    return any(set(re.findall(r"\w+", owed.lower())) <= set(said) for _, owed, _ in action.says(s, player, *real))
