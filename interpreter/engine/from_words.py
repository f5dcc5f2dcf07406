"""What a move is about, from the words of its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from interpreter.base.diagnostics import nearest
from interpreter.base.signs import shortened
from interpreter.engine.budget import MOST_LETTERS
from interpreter.engine.melds.combinations import Meld
from interpreter.engine.melds.text import STANDS, in_order_of_faces, read_asked, read_meld, say_asked
from interpreter.engine.notation import (
    END,
    NONE,
    NOTHING,
    QUOTE,
    SILENT,
    TOO_MANY,
    UNKNOWN,
    UNSAID,
    IllegalMove,
    bare,
    in_order,
    params_of,
    read_card,
    read_value,
    row_params,
    split_texts,
    split_words,
    spoken,
    value_text,
)
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode, Program

SAID_ALONE = ("cards", "players", "zones", "teams", "meld", "melds")
"""What is chosen of these forms tells what it is."""


def read_args(s: Position, player: int, action: ActionCode, text: str) -> tuple[tuple[Any, ...], str | None, bool]:
    """The arguments that the text of a move says, the words spoken with it, and whether it says that none are.

    Raises IllegalMove, which tells which word does not fit.
    """
    tokens, words = split_words(text)
    if words is not None and action.takes_texts:
        tokens = split_texts(text)
        args, at = _parse(s, player, action, tokens[1:])
        rest = tokens[1 + at :]
        if rest and not rest[0].startswith(QUOTE):
            raise _too_much(s, player, action, args, rest)
        return args, spoken(QUOTE.join(word.removeprefix(QUOTE) for word in rest)) if rest else None, False
    if words is None and tokens[-1] == SILENT and len(tokens) > 1:  # unless it is what is chosen
        try:
            return parse_args(s, player, action, tokens[1:]), None, False
        except IllegalMove:
            return parse_args(s, player, action, tokens[1:-1]), None, True
    return parse_args(s, player, action, tokens[1:]), words, False


def parse_args(s: Position, player: int, action: ActionCode, tokens: list[str]) -> tuple[Any, ...]:
    """Arguments from words; IllegalMove says which word does not fit."""
    args, at = _parse(s, player, action, tokens)
    if at < len(tokens):
        raise _too_much(s, player, action, args, tokens[at:])
    return args


def _too_much(s: Position, player: int, action: ActionCode, args: tuple[Any, ...], rest: Sequence[str]) -> IllegalMove:
    params = params_of(s, player, action, args)
    if params and params[-1].several:
        return _no_card(s.program, rest[0])
    return IllegalMove("no_such_move", f"'{shortened(' '.join(rest))}' is too much for '{action.name}'")


def _parse(s: Position, player: int, action: ActionCode, tokens: list[str]) -> tuple[tuple[Any, ...], int]:
    """Arguments from words, and how many of the words these are."""
    args: list[Any] = []
    params = list(action.params)
    rows_read = action.row is None
    at = 0
    while len(args) < len(params) or not rows_read:
        if len(args) == len(params):
            rows_read = True
            with _asked_early(f"'{action.name}' is not possible so"):
                params += row_params(s, player, action, args)
            continue
        param = params[len(args)]
        if param.asked is not None and tokens[at : at + 1] != [NONE]:
            value, at = _read_asked(s, player, param, _bare(s.program, params, args), tokens, at)
        else:
            value, at = _read(s, param, tokens, at, action)
        if value is not None and (param.fits is not None or param.chosen_from is not None):
            with _asked_early(f"'{action.name}' is not possible so"):
                fits = _can_be_chosen(s, player, param, _bare(s.program, params, args), value)
            if not fits:
                raise IllegalMove("not_possible", cannot_be_chosen(s.program, player, param, value))
        args.append(value)
    return tuple(args), at


def _bare(program: Program, params: Sequence[ParamCode], args: Sequence[Any]) -> list[Any]:
    """The first arguments, without the places of cards."""
    return [bare(program, param, value) for param, value in zip(params, args, strict=False)]


@contextmanager
def _asked_early(otherwise: str) -> Iterator[None]:
    """What rules are asked of a move that may not be possible at all, in which case there may be no answer. otherwise:
    why it is refused then."""
    try:
        yield
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise IllegalMove("not_possible", otherwise) from None


def cannot_be_chosen(program: Program, player: int, param: ParamCode, value: Any) -> str:
    """What a player is told of a value that a parameter cannot have."""
    if param.form == "players" and value == player:
        return "you cannot choose yourself"
    shown = value_text(program, param, value)
    return f"{shown if param.form in SAID_ALONE else f'{param.name} {shown}'} cannot be chosen now"


def _can_be_chosen(s: Position, player: int, param: ParamCode, before: Sequence[Any], value: Any) -> bool:
    """Whether a parameter can have a value, of which the rules ask something before the move is judged: what they ask
    of another one may take long, or tell what nobody may know. before: the arguments before it, without places."""
    named, first = bare(s.program, param, value), s.program.first_copy
    if param.chosen_from is not None:
        among, least, most = param.chosen_from(s, player, *before)
        left = Counter(first[card] for card in among)
        return least <= len(named) <= most and not Counter(named) - left
    assert param.fits is not None
    if param.form != "cards" or not s.program.multi:
        return param.fits(s, player, *before, named)
    return any(param.fits(s, player, *before, card) for card in bits(s.program.copies[first[named]]))


def _read(s: Position, param: ParamCode, tokens: list[str], at: int, action: ActionCode) -> tuple[Any, int]:
    word = tokens[at] if at < len(tokens) else ""
    if param.otherwise is not None and word == UNSAID:
        return None, at + 1
    if param.form == "flag":
        return (True, at + 1) if word == param.name else (False, at)
    if param.optional and word in (NONE, ""):
        return None, at + (word == NONE)
    if param.form == "choice":  # its words may be several
        longest = max((len(symbol.split()) for symbol in param.symbols), default=0)
        for size in range(min(longest, len(tokens) - at), 1, -1):
            if " ".join(tokens[at : at + size]) in param.symbols:
                return " ".join(tokens[at : at + size]), at + size
    if param.otherwise is not None and read_value(s.program, param, word) is None and word != NOTHING:
        return None, at  # not said
    if param.several:
        return _read_cards(s, param, tokens, at)
    if param.kinds:
        return _read_melds(s, param, tokens, at)
    if not word:
        raise IllegalMove("no_such_move", f"'{action.name}' needs {_needs(param)}")
    if param.form == "text" and len(word.removeprefix(QUOTE)) > MOST_LETTERS:
        raise IllegalMove("no_such_move", f"a text has at most {MOST_LETTERS:,} letters")
    value = read_value(s.program, param, word)
    if value is None and any(word == other.name for stage in s.program.stages for other in stage.actions):
        raise IllegalMove("no_such_move", f"'{word}' is nothing that can be done now")
    if value is None:
        why = f"'{shortened(word)}' is not {_needs(param)}{_near(s.program, param, word)}"
        raise IllegalMove("no_such_move", why, (UNKNOWN, word) if param.form == "cards" else None)
    return value, at + 1


def _read_cards(s: Position, param: ParamCode, tokens: list[str], at: int) -> tuple[tuple[int, ...], int]:
    found: list[int] = []
    unseen = set[int]()
    copies = dict[int, int]()  # face -> bits of the equal cards that are not named yet
    if at < len(tokens) and tokens[at] == NOTHING:
        return (), at + 1 + (tokens[at + 1 : at + 2] == [END] and param.ended)
    while at < len(tokens):
        card = read_card(s.program, param, tokens[at])
        if card is None:
            break
        if card in unseen:
            raise IllegalMove("no_such_move", f"'{shortened(tokens[at])}' is one card, and it is named twice")
        if card < 0 or card >= len(s.program.cards):
            if card < 0:
                unseen.add(card)
            found.append(card)
            at += 1
            continue
        same = copies.get(card, s.program.copies[card])
        if not same:
            raise IllegalMove("no_such_move", f"there are not so many {tokens[at]}", (TOO_MANY, tokens[at]))
        copies[card] = same & (same - 1)
        found.append((same & -same).bit_length() - 1)
        at += 1
    if not found and at < len(tokens):
        raise _no_card(s.program, tokens[at])
    return in_order(s.program, found), at + (tokens[at : at + 1] == [END] and param.ended)


def _read_melds(s: Position, param: ParamCode, tokens: list[str], at: int) -> tuple[Any, int]:
    """A meld, or several; where what follows could be read as one more, a stroke ends them."""
    if param.form == "melds" and tokens[at : at + 1] == [NOTHING]:
        return (), at + 1 + (tokens[at + 1 : at + 2] == [END] and param.ended)
    groups, at = _groups(s, param, tokens, at)
    found: list[Meld] = []
    for words in groups:
        meld = read_meld(s, param.kinds, words) if words else None
        if meld is None:
            what = f"'{shortened(' '.join(words))}' is" if words else "this needs"
            raise IllegalMove("no_such_move", f"{what} no meld of the kind {' or '.join(param.kinds)}")
        found.append(meld)
    return (found[0] if param.form == "meld" else in_order_of_faces(s.program, found)), at


def _read_asked(
    s: Position, player: int, param: ParamCode, before: Sequence[Any], tokens: list[str], at: int
) -> tuple[Any, int]:
    """The melds that are asked for together. before: the arguments before them, without places."""
    assert param.asked is not None
    groups, at = _groups(s, param, tokens, at)
    with _asked_early("nothing that could be laid is asked for then"):
        asked_for = param.asked(s, player, *before)
    found = read_asked(s, asked_for, groups)
    if found is None:
        what = shortened(f" {END} ".join(map(" ".join, groups)))
        raise IllegalMove("no_such_move", f"'{what}' is not what is asked for: {say_asked(asked_for)}")
    return in_order_of_faces(s.program, found), at


def _groups(s: Position, param: ParamCode, tokens: list[str], at: int) -> tuple[list[list[str]], int]:
    """The words of each meld, which strokes part, of a single one up to the first; and where what follows begins."""
    found: list[list[str]] = []
    while True:
        begin = at
        while at < len(tokens) and read_card(s.program, param, tokens[at].partition(STANDS)[0]) is not None:
            at += 1
        found.append(tokens[begin:at])
        if not param.ended and tokens[at : at + 1] and tokens[at].partition("@")[0].upper() in s.program.by_name:
            why = f"'{shortened(tokens[at])}' names a place, and the cards of a meld are named without"
            raise IllegalMove("no_such_move", why)
        if not found[-1] and at < len(tokens) and len(found) == 1:
            raise _no_card(s.program, tokens[at])
        stroke = tokens[at : at + 1] == [END]
        if param.form == "meld":
            return found, at + (stroke and param.ended)
        at += stroke
        ended = stroke and tokens[at : at + 1] == [END] and param.ended
        if ended or not stroke:
            return found, at + ended


def _needs(param: ParamCode) -> str:
    names = {
        "cards": "a card such as 10H", "kinds": "a card such as 10H", "players": "a player such as P2",
        "suits": "a suit", "ranks": "a rank",
        "number": "a number", "tokens": "a number", "choice": f"one of {', '.join(param.symbols)}", "zones": "a place",
        "teams": "a team such as T1", "text": "a text", "meld": "a meld", "melds": "melds",
    }  # fmt: skip
    return names[param.form]


def _no_card(program: Program, word: str) -> IllegalMove:
    why = f"'{shortened(word)}' is not a card such as 10H{near_card(program, word)}"
    return IllegalMove("no_such_move", why, (UNKNOWN, word))


def near_card(program: Program, word: str) -> str:
    """A hint at the card that is meant when somebody writes the suit before the rank."""
    turned = f"{word[1:]}{word[:1]}".upper()
    return f"; did you mean '{turned}'?" if turned in program.by_name else ""


def _near(program: Program, param: ParamCode, word: str) -> str:
    if param.form in ("cards", "kinds"):
        return near_card(program, word)
    known = {"suits": program.suits, "choice": param.symbols}.get(param.form, ())
    close = nearest(word, known)
    return f"; did you mean '{close}'?" if close else ""
