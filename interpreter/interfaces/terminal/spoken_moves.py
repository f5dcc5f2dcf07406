"""Moves that are meant by the words of the table: `fourth pile on left pile`, `9C`, `slap left pile`.

What is typed means a move if its words stand, in their order, among those by which the table and the list call it. Of
moves that the rules forbid it is told why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING

from interpreter.engine.legal import listable_moves
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.groups import Groups, by_action
from interpreter.words.drawing import tops
from interpreter.words.people import ORDINALS
from interpreter.words.spoken_cards import spoken_rank

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.words.voice import Voice

SYMBOLS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"})
FILLERS = frozenset({"a", "an", "and", "i", "i'll", "it", "my", "please", "the"})
"""What people say besides."""
_SPOKEN = re.compile(r"[^\s,;:.()→]+")
"""A word as it stands in a question or a list of moves, without the signs around it."""
MOST, MOST_TOGETHER = 400, 4_000
"""Of more moves of one action, or of all of them together, no more are looked at."""
NAMED = 3
"""So many moves that could be meant are named, and so many reasons told."""
JUDGED = 24
"""Of more moves that could be meant it is not asked why they are refused."""
BETWEEN = frozenset("a an and at card cards from i in into it me mine my of on onto own please the their to upon with "
                    "you your".split())  # fmt: skip
"""Words that do not say which move is meant."""


class SeveralMeant(IllegalMove):
    """Words that several moves are called by."""

    def __init__(self, message: str) -> None:
        super().__init__("no_such_move", message)


def spoken(
    state: State, player: int, typed: Sequence[str], groups: Groups, voice: Voice, named: Set[str] = frozenset()
) -> str:
    """The text of the one move that words mean; nothing if they mean none.

    typed: in small letters, suits as letters. groups: what is offered, by action. named: the only actions that can be
    meant; any if there are none. Raises IllegalMove if several moves are meant, or such as the rules forbid: then it
    says why.
    """
    said = [_by_name(word, voice) for word in typed if word not in BETWEEN]
    if not said:
        return ""
    table = tops(state.view(player))
    asked = [group for group in groups if not named or group[0] in named]
    found = {move.text: move for move in _meant(said, player, asked, voice, table)}
    if found:  # who names no action means the first of them, as on the whole screen
        first = next(iter(found.values())).action
        found = _of_named_action(said, found) or {text: move for text, move in found.items() if move.action == first}
    if len(found) > 1:
        ways = [f"“{voice.in_words(player, move, table)}”" for move in islice(found.values(), NAMED)]
        more = " or another" if len(found) > NAMED else ""
        raise SeveralMeant(f"which one: {' or '.join(ways)}{more}?")
    if found:
        return next(iter(found))
    return _forbidden(state, player, said, voice, table, named)


def _by_name(word: str, voice: Voice) -> str:
    """A word as the table has it: people by their names."""
    player = voice.named(word) if word[:1] == "p" and word[1:].isdecimal() else None
    return word if player is None else voice.name(player).lower()


def _forbidden(
    state: State, player: int, said: Sequence[str], voice: Voice, table: Mapping[str, str], named: Set[str]
) -> str:
    """A move that is meant and that the rules forbid. Raises IllegalMove where several are, each for its own reason."""
    try:
        possible = listable_moves(state.position, player)
        groups = [group for group in by_action(possible) if not named or group[0] in named]
    except RuleError:  # they cannot be told
        return ""
    meant = list(islice(_meant(said, player, groups, voice, table), JUDGED))
    of_action = [*_of_named_action(said, {move.text: move for move in meant}).values()]
    own = [move for move in of_action or meant if voice.begins_at_own(player, move)]
    own = [move for move in own if voice.is_among_own(player, move)] or own
    tried = [move for move in own if move.action == own[0].action] or of_action
    if not tried and meant:
        _of_another(player, said, voice, table)
    why: dict[tuple[str, str], list[Move]] = {}
    for move in tried:
        try:
            state.copy().play(player, move)
        except IllegalMove as refusal:
            why.setdefault((refusal.law, refusal.message), []).append(move)
        except RuleError:
            continue
        else:
            return move.text
    if len(why) > 1:
        told = [f"{_where(moves, player, voice)}{message}" for (_, message), moves in islice(why.items(), NAMED)]
        raise IllegalMove(next(iter(why))[0], "; ".join(told))
    return next((moves[0].text for moves in why.values()), "")


def _of_another(player: int, said: Sequence[str], voice: Voice, table: Mapping[str, str]) -> None:
    """Cards that lie before somebody else. Raises IllegalMove where such are named, and says where they lie."""
    for word in said:
        place = next((place for place, card in table.items() if card == word.upper()), None)
        if place is not None:
            raise IllegalMove("no_such_move", f"{word.upper()} lies on {voice.place(player, place.replace('.', ' '))}")


def _meant(said: Sequence[str], player: int, groups: Groups, voice: Voice, table: Mapping[str, str]) -> Iterator[Move]:
    """The moves among whose words all that was said stands, in its order."""
    left = MOST_TOGETHER
    for action, moves in groups:
        heads = [*words_of(action), *words_of(voice.way(player, action, moves))]
        for move in islice(moves, min(MOST, left)):
            left -= 1
            told = ([*heads, *words_of(_told(move, reader, voice, table))] for reader in (player, None))
            if any(_stand_in(said, called) for called in told) and _begins(said, move, voice, table):
                yield move


def _stand_in(said: Sequence[str], called: Sequence[str]) -> bool:
    """Whether words stand in their order among others."""
    left = iter(called)
    return all(any(_is(word, other) for other in left) for word in said)


def _begins(said: Sequence[str], move: Move, voice: Voice, table: Mapping[str, str]) -> bool:
    """Whether the cards that were typed are the first ones that a move is about: what is named is what moves."""
    faces = voice.faces(move, table)
    typed = [(word.upper(), spoken_rank(word)) for word in said]
    cards = [(card, rank) for card, rank in typed if rank or voice.is_card(card)]
    alike = zip(cards, faces, strict=False)
    are_meant = all(face and face in (card, f"{rank}{face[-1:]}") for (card, rank), face in alike)
    return are_meant and len(cards) <= len(faces)


def _is(word: str, called: str) -> bool:
    """Whether a word that was typed stands for one that is shown: a card may be called by its rank."""
    if word == called or word == f"{called}s" or called in (f"{word}s", f"{word}'s"):
        return True
    if called in ORDINALS:
        return word in [f"{ORDINALS.index(called) + 1}{end}" for end in ("st", "nd", "rd", "th")]
    return called[-1:] in "cdhs" and called[:-1] != "" and spoken_rank(word) == called[:-1].upper()


def _of_named_action(said: Sequence[str], found: Mapping[str, Move]) -> dict[str, Move]:
    """Of moves that could be meant those whose action is named at the beginning: in full, else by its first word."""
    names = {text: [word for word in words_of(move.action) if word not in BETWEEN] for text, move in found.items()}
    whole = {text: move for text, move in found.items() if names[text] and [*said[: len(names[text])]] == names[text]}
    return whole or {text: move for text, move in found.items() if names[text][:1] == [*said[:1]]}


def _told(move: Move, player: int | None, voice: Voice, table: Mapping[str, str]) -> str:
    return voice.choice(player, move.text.partition(" ")[2], table, move.action)


def _where(moves: Sequence[Move], player: int, voice: Voice) -> str:
    """To where moves go that are refused for one reason, if they all go to one place."""
    ways = {_told(move, player, voice, {}).rpartition(" → ")[2] for move in moves}
    return f"{ways.pop()}: " if len(ways) == 1 else ""


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared, without those that say nothing."""
    found = _SPOKEN.findall(text.translate(SYMBOLS).replace("_", " "))
    return [word.lower() for word in found if word.lower() not in FILLERS]
