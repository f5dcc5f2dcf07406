"""Moves as text and back."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from interpreter.run.budget import MOST_LETTERS
from interpreter.run.moves import Move
from interpreter.run.program import ActionCode, ParamCode, Program

if TYPE_CHECKING:
    from interpreter.run.offering import Offering


class IllegalMove(ValueError):
    """A move that is not possible, or that a law refuses; the state is unchanged.

    law: the law's name, or `in_turn`, `over`, `no_such_move`, `not_possible`, `time`. message: why, in words.
    """

    def __init__(self, law: str, message: str) -> None:
        self.law = law
        self.message = message
        super().__init__(f"{law}: {message}")


def value_text(program: Program, param: ParamCode, value: Any) -> str:
    """One argument as text; empty for a flag that is not set."""
    if value is None:
        return "none" if param.otherwise is None else ""
    match param.form:
        case "cards":
            if param.several:
                return " ".join(program.cards[c] for c in value) or "nothing"
            return str(-value) if value < 0 else str(program.cards[value])
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
            return str(program.places[value]).replace(" ", ".")
        case "text":
            return f'"{value}"'
    return str(value)


def params_of(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...]) -> tuple[ParamCode, ...]:
    """The parameters of a move: the action's own, then those of the row of its card."""
    if action.row_params is None or len(args) < len(action.params):
        return action.params
    return (*action.params, *action.row_params(s, player, *args[: len(action.params)]))


def build(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...]) -> Move:
    """The move of an action with these arguments."""
    params = params_of(s, player, action, args)
    words = [action.name, *(value_text(s.program, p, a) for p, a in zip(params, args, strict=True))]
    # where the row of a card depends on the state, arguments are read anew each time
    maker = action if action.steady or action.row_params is None else None
    return Move(action.name, args, " ".join(w for w in words if w), None, maker)


def split_words(text: str) -> tuple[str, str | None]:
    """A move's text without what is said, and what is said (None: nothing)."""
    head, quote, rest = text.partition('"')
    if not quote:
        body = text.strip()
        return (body.removesuffix(" silent").strip(), None) if body.endswith(" silent") else (body, None)
    return head.strip(), spoken(rest)


def spoken(words: str) -> str:
    """Words as they stand in a move: without quotes, which end them there, and without blanks around them."""
    return " ".join(part.strip() for part in words.split('"') if part.strip())


def parse_args(s: Offering, player: int, action: ActionCode, tokens: list[str]) -> tuple[Any, ...]:
    """Arguments from words; IllegalMove says which word does not fit."""
    args: list[Any] = []
    params = list(action.params)
    rows_read = action.row_params is None
    at = 0
    while len(args) < len(params) or not rows_read:
        if len(args) == len(params):
            rows_read = True
            params += action.row_params(s, player, *args)  # type: ignore[misc]
            continue
        param = params[len(args)]
        value, at = _read(s, param, tokens, at, action)
        args.append(value)
    if at < len(tokens):
        if params and params[-1].several:
            raise _no_card(s.program, tokens[at])
        raise IllegalMove("no_such_move", f"'{' '.join(tokens[at:])}' is too much for '{action.name}'")
    return tuple(args)


def hear(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...], words: str) -> tuple[Any, ...]:
    """The arguments as those at the table hear them: of what must be said, the spoken words count, not what is meant.

    Words that name no value leave what is meant, if they are an announcement that is owed besides.
    """
    heard = list(args)
    for at, param in enumerate(params_of(s, player, action, args)):
        if param.otherwise is not None:
            values = (read_value(s.program, param, word) for word in re.findall(r"\w+", words))
            value = next((v for v in values if v is not None), None)
            if value is not None or heard[at] is None or not _is_owed(s, player, action, args, words):
                heard[at] = value
    return tuple(heard)


def _is_owed(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...], words: str) -> bool:
    if action.says is None:
        return False
    said = re.findall(r"\w+", words.lower())
    return any(set(re.findall(r"\w+", owed.lower())) <= set(said) for _, owed, _ in action.says(s, player, *args))


def _read(s: Offering, param: ParamCode, tokens: list[str], at: int, action: ActionCode) -> tuple[Any, int]:
    word = tokens[at] if at < len(tokens) else ""
    if param.form == "flag":
        return (True, at + 1) if word == param.name else (False, at)
    if param.several:
        return _read_cards(s, tokens, at)
    if param.otherwise is not None and read_value(s.program, param, word) is None:
        return None, at  # not said
    if param.optional and word in ("none", ""):
        return None, at + (word == "none")
    if not word:
        raise IllegalMove("no_such_move", f"'{action.name}' needs {_needs(param)}")
    if param.form == "choice":  # its words may be several
        for size in range(len(tokens) - at, 1, -1):
            if " ".join(tokens[at : at + size]) in param.symbols:
                return " ".join(tokens[at : at + size]), at + size
    if param.form == "text" and len(word) > MOST_LETTERS:
        raise IllegalMove("no_such_move", f"a text has at most {MOST_LETTERS:,} letters")
    value = read_value(s.program, param, word)
    if value is None and any(word == other.name for stage in s.program.stages for other in stage.actions):
        raise IllegalMove("no_such_move", f"'{word}' is nothing that can be done now")
    if value is None:
        raise IllegalMove("no_such_move", f"'{word}' is not {_needs(param)}{_near(s.program, param, word)}")
    return value, at + 1


def _read_cards(s: Offering, tokens: list[str], at: int) -> tuple[tuple[int, ...], int]:
    found: list[int] = []
    if at < len(tokens) and tokens[at] == "nothing":
        return (), at + 1
    while at < len(tokens):
        card = s.program.by_name.get(tokens[at].upper())
        if card is None:
            break
        copies = [c for c in found if s.program.first_copy[c] == card]
        same = s.program.copies[card]
        for _ in copies:
            same &= same - 1
        if not same:
            raise IllegalMove("no_such_move", f"there are not so many {tokens[at]}")
        found.append((same & -same).bit_length() - 1)
        at += 1
    if not found and at < len(tokens):
        raise _no_card(s.program, tokens[at])
    return tuple(sorted(found)), at


def whole(word: str) -> int | None:
    """A word as a number, or None; only plain digits count, and not too many."""
    return int(word) if re.fullmatch(r"-?[0-9]{1,11}", word) else None


def numbered(letter: str, word: str, most: int) -> int | None:
    """`P3` as 2, where there are at least three; else None."""
    number = whole(word[1:]) if word[:1].upper() == letter else None
    return number - 1 if number is not None and 1 <= number <= most else None


def read_value(program: Program, param: ParamCode, word: str) -> Any:
    """A word as the value of a parameter, or None."""
    match param.form:
        case "cards":
            if param.blind and word.isdigit() and 0 < (whole(word) or 0) <= len(program.cards):
                return -int(word)
            return program.by_name.get(word.upper())
        case "players":
            return numbered("P", word, program.n)
        case "teams":
            return numbered("T", word, max(program.teams) + 1)
        case "suits":
            return program.suits.index(word.lower()) if word.lower() in program.suits else None
        case "ranks":
            return program.ranks.index(word.upper()) if word.upper() in program.ranks else None
        case "number" | "tokens":
            return whole(word)
        case "choice":
            return word if word in param.symbols else None
        case "zones":
            labels = [p.replace(" ", ".") for p in program.places]
            return labels.index(word) if word in labels else None
        case "text":
            return word.strip('"')
    return None


def _needs(param: ParamCode) -> str:
    names = {
        "cards": "a card such as 10H", "players": "a player such as P2", "suits": "a suit", "ranks": "a rank",
        "number": "a number", "tokens": "a number", "choice": f"one of {', '.join(param.symbols)}", "zones": "a place",
        "teams": "a team such as T1", "text": "a text",
    }  # fmt: skip
    return names[param.form]


def _no_card(program: Program, word: str) -> IllegalMove:
    return IllegalMove("no_such_move", f"'{word}' is not a card such as 10H{near_card(program, word)}")


def near_card(program: Program, word: str) -> str:
    """A hint at the card that is meant when somebody writes the suit before the rank."""
    turned = f"{word[1:]}{word[:1]}".upper()
    return f"; did you mean '{turned}'?" if turned in program.by_name else ""


def _near(program: Program, param: ParamCode, word: str) -> str:
    if param.form == "cards":
        return near_card(program, word)
    known = {"suits": program.suits, "choice": param.symbols}.get(param.form, ())
    close = get_close_matches(word, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
