"""Moves as text and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.base.arithmetic import whole
from interpreter.base.signs import UNSEEN, ToldError, describe, visible
from interpreter.engine.budget import MOST_LETTERS
from interpreter.engine.melds.text import meld_text
from interpreter.engine.moves import Move
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode, Program, place_name
from interpreter.engine.rule_errors import RuleError

OF_NO_RULE = frozenset({"in_turn", "over", "no_such_move", "not_possible", "time"})
"""Why a move is refused that no law of the ruleset refuses."""


class IllegalMove(ToldError):
    """A move that is not possible, or that a law refuses; the state is unchanged.

    law: the law's name, or one of OF_NO_RULE. message: why, in words. about: of what was typed, what was not understood
    and in which way, for those who say it in other words: UNKNOWN or TOO_MANY, and the word.
    """

    def __init__(self, law: str, message: str, about: tuple[str, str] | None = None) -> None:
        self.law = law
        self.about = about
        self.message = visible(message)
        super().__init__(f"{law}: {message}")


def value_text(program: Program, param: ParamCode, value: Any) -> str:
    """One argument as text; empty for a flag that is not set."""
    if value is None:
        return NONE if param.otherwise is None else UNSAID if param.followed else ""
    match param.form:
        case "cards":
            if param.several:
                return (" ".join(card_text(program, c) for c in value) or NOTHING) + (f" {END}" if param.ended else "")
            return card_text(program, value)
        case "kinds":
            return card_text(program, value)
        case "players":
            return f"P{value + 1}"
        case "teams":
            return f"T{value + 1}"
        case "suits":
            return str(program.suits[value])
        case "ranks":
            return str(program.ranks[value])
        case "flag":
            return param.name if value else ""
        case "zones":
            return place_text(program, value)
        case "text":
            return f'"{value}"'
        case "meld":
            return meld_text(program, value) + (f" {END}" if param.ended else "")
        case "melds":
            told = f" {END} ".join([meld_text(program, meld) for meld in value])
            return (told or NOTHING) + (f" {END}" * (1 + bool(told)) if param.ended else "")
    return str(value)


UNKNOWN, TOO_MANY = "unknown", "too many"
"""Of a word that was typed: it is no card or action here, or a card that is not there so many times."""
NONE, UNSAID, NOTHING, SILENT = "none", "unsaid", "nothing", "silent"
"""Words of moves: for a value that is none, for one that was not said, for no cards, and for no words."""
SAID_ALONE = ("cards", "players", "zones", "teams", "meld", "melds")
"""What is chosen of these forms tells what it is."""
END = "/"
"""Ends several cards where what follows could be read as one more."""
QUOTE = '"'
"""Begins a token that stood in quotes."""
MOST_TYPED = 100_000
"""Letters of a move: twelve texts, or every card of the largest pack with the place where it lies, are fewer."""
MOST_MADE = MOST_TYPED - MOST_LETTERS - 3
"""Letters of a move without what is said with it."""
_ENDS = str.maketrans("\t\n", "  ")


def called(program: Program, card: int, position: int | None, place: int | None) -> int:
    """A card as moves name it, as a number.

    card: its face, unless it is not seen: then position (from 0, the top) stands for it. place: where it lies, if that
    is named too.
    """
    at = (card if position is None else position) + (0 if place is None else (place + 1) * len(program.cards))
    return at if position is None else -1 - at


def without_place(program: Program, name: int) -> int:
    """A card as moves name it, with its place left out."""
    return name % len(program.cards) if name >= 0 else -1 - (-1 - name) % len(program.cards)


def card_text(program: Program, name: int) -> str:
    """A card as moves name it, as text: `7C`, or `2` for the second from the top; `7C@board` where it lies."""
    place, at = divmod(name if name >= 0 else -1 - name, len(program.cards))
    shown = program.cards[at] if name >= 0 else str(at + 1)
    return f"{shown}@{place_text(program, place - 1)}" if place else shown


def read_card(program: Program, param: ParamCode, word: str) -> int | None:
    """A card as moves name it, from text."""
    shown, at, label = word.partition("@")
    place = None
    if at:
        place = program.place_called(label) if param.placed else None
        if place is None:
            return None
    if param.blind and shown.isdigit() and 0 < (whole(shown) or 0) <= len(program.cards):
        return called(program, 0, int(shown) - 1, place)
    card = program.by_name.get(shown.upper())
    return None if card is None else called(program, card, None, place)


def key_text(program: Program, dim: str, key: int) -> str:
    """An index of a family, as it is written: P1, T1, a suit, a rank, a card, a number."""
    match dim:
        case "player" | "team":
            return f"{dim[0].upper()}{key + 1}"
        case "suit":
            return str(program.suits[key])
        case "rank":
            return str(program.ranks[key])
        case "card":
            return program.cards[key]
    return str(key)


def place_text(program: Program, place: int) -> str:
    """A place as moves name it."""
    return place_name(program.places[place])


def cannot_be_chosen(program: Program, player: int, param: ParamCode, value: Any) -> str:
    """What a player is told of a value that a parameter cannot have."""
    if param.form == "players" and value == player:
        return "you cannot choose yourself"
    shown = value_text(program, param, value)
    return f"{shown if param.form in SAID_ALONE else f'{param.name} {shown}'} cannot be chosen now"


def in_order(program: Program, names: Iterable[int]) -> tuple[int, ...]:
    """Several cards as moves name them, in the order in which they do: those that are seen, then by position."""
    names = tuple(names)
    if len(names) < 2:
        return names
    first, most = program.first_copy, len(program.cards)
    return tuple(sorted(names, key=lambda name: (name < 0, first[name] if 0 <= name < most else abs(name), name)))


def params_of(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> tuple[ParamCode, ...]:
    """The parameters of a move: the action's own, then those of the row of its card."""
    if action.row is None or len(args) < len(action.params):
        return action.params
    return (*action.params, *row_params(s, player, action, args[: len(action.params)]))


def row_params(s: Position, player: int, action: ActionCode, args: Sequence[Any]) -> Sequence[ParamCode]:
    """The parameters of the row of a card, which may be named with the place where it lies."""
    if action.placed:
        args = [bare(s.program, p, a) for p, a in zip(action.params, args, strict=True)]
    assert action.row is not None
    return action.rows[-1 if (number := action.row(s, player, *args)) is None else number]


def bare(program: Program, param: ParamCode, value: Any) -> Any:
    """What is chosen, without the places of cards."""
    if param.form != "cards" or value is None:
        return value
    if param.several:
        named = (without_place(program, name) for name in value)
        return in_order(program, (program.first_copy[name] if name >= 0 else name for name in named))
    return without_place(program, value)


def build(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> Move:
    """The move of an action with these arguments."""
    params = params_of(s, player, action, args)
    words = [value_text(s.program, p, a) for p, a in zip(params, args, strict=True)]
    text = written(action.name, filter(None, words))
    # where the row of a card depends on the state, arguments are read anew each time
    maker = action if action.steady or action.row is None else None
    return Move(action.name, args, text, None, maker)


def written(action: str, words: Iterable[str]) -> str:
    """The text of a move of these words. Raises RuleError if it could not be read again because it is too long."""
    text = " ".join((action, *words))
    if len(text) > MOST_MADE:
        raise RuleError(f"'{action}' is a move of {len(text):,} letters here; it can have {MOST_MADE:,} at most")
    return text


def check_text(text: str) -> None:
    """Refuse the text of a move that is too long, or holds what nobody sees or what would begin a line of the log."""
    if len(text) > MOST_TYPED:
        raise IllegalMove("no_such_move", f"a move has at most {MOST_TYPED:,} letters")
    if unseen := UNSEEN.search(text):  # what is said is heard by everybody, and kept
        raise IllegalMove("no_such_move", f"a move cannot hold {describe(unseen[0])}")
    _check_line(text.partition(QUOTE)[2].strip())


def check_said(words: str) -> None:
    """Refuse spoken words that are too long for a text that a player gives, or cannot be told on one line."""
    if len(words) > MOST_LETTERS:
        raise IllegalMove("no_such_move", f"what is said has at most {MOST_LETTERS:,} letters")
    if unseen := UNSEEN.search(words):
        raise IllegalMove("no_such_move", f"a move cannot hold {describe(unseen[0])}")
    _check_line(words)


def _check_line(words: str) -> None:
    if "\n" in words or "\t" in words:
        raise IllegalMove("no_such_move", "what is said or written in a move stands on one line, without tabs")


def split_words(text: str) -> tuple[list[str], str | None]:
    """A move's text as words, without what is said, and what is said (None: nothing)."""
    head, quote, rest = text.partition(QUOTE)
    return head.split(), spoken(rest) if quote else None


def is_measure(program: Program, name: str) -> bool:
    """Whether `NAME=5` behind a move means a measure or a time, and not a wild card with what it stands for."""
    if name.upper() not in program.by_name:
        return True
    actions = (action for stage in program.stages for action in (*stage.actions, *stage.anytime))
    return any(name == measured for action in actions for measured, _ in action.measured)


def split_texts(text: str) -> list[str]:
    """A move's text as words, each text in quotes as one that begins with a quote."""
    parts = text.split(QUOTE)
    return [word for at, part in enumerate(parts) for word in ([QUOTE + part.strip()] if at % 2 else part.split())]


def spoken(words: str) -> str:
    """Words as they stand in a move: without quotes, which end them there, on one line, and without blanks around."""
    return " ".join(part.strip() for part in words.translate(_ENDS).split('"') if part.strip())


def numbered(letter: str, word: str, most: int) -> int | None:
    """`P3` as 2, where there are at least three; else None."""
    number = whole(word[1:]) if word[:1].upper() == letter else None
    return number - 1 if number is not None and 1 <= number <= most else None


def named_player(program: Program, text: str) -> int | None:
    """A player such as P3, from 0; None if nobody who plays is called so."""
    return numbered("P", text, program.n)


def read_value(program: Program, param: ParamCode, word: str) -> Any:
    """A word as the value of a parameter, or None."""
    match param.form:
        case "cards":
            return read_card(program, param, word)
        case "kinds":
            return program.by_name.get(word.upper())
        case "players":
            return numbered("P", word, program.n)
        case "teams":
            return numbered("T", word, max(program.teams) + 1)
        case "suits":
            return _named(program.suits, word, word.lower())
        case "ranks":
            return _named(program.ranks, word, word.upper())
        case "number" | "tokens":
            return whole(word)
        case "choice":
            return word if word in param.symbols else None
        case "zones":
            return program.place_called(word)
        case "text":
            return word.removeprefix(QUOTE)
    return None


def _named(names: Sequence[str], *words: str) -> int | None:
    """The number of the first of some words that is a name."""
    return next((names.index(word) for word in words if word in names), None)
