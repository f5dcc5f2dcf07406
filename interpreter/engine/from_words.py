"""What a move is about, from the words of its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product
from math import prod
from typing import Any, TypeVar

from interpreter.base.diagnostics import nearest
from interpreter.base.signs import shortened
from interpreter.engine.budget import MOST_LETTERS, charge
from interpreter.engine.melds.combinations import Meld
from interpreter.engine.melds.meld_code import wilds_are_known
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
    cannot_be_chosen,
    in_order,
    params_of,
    read_card,
    read_value,
    row_params,
    split_texts,
    split_words,
    spoken,
)
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode, Program
from interpreter.engine.refusing import (
    cannot_be_done,
    may_be_offered,
    not_like_that,
    not_offered,
    offered_so,
    tells_why,
)
from interpreter.engine.rule_errors import RuleError, TooMuch

Args = tuple[Any, ...]
Answer = TypeVar("Answer")
NO_ANSWER = (ArithmeticError, LookupError, TypeError, ValueError)
"""What rules fail by that are asked of a move that is not possible at all."""
MOST_WAYS, MOST_ASKED = 2_000, 1_500_000
"""In which the cards that words before mean are taken, to see whether what comes next can be chosen with them; and the
steps that may take for each of the things that are chosen, so that what is offered can be read."""


def read_args(s: Position, player: int, action: ActionCode, text: str) -> tuple[tuple[Any, ...], str | None, bool]:
    """The arguments that the text of a move says, the words spoken with it, and whether it says that none are.

    Raises IllegalMove, which tells which word does not fit.
    """
    tokens, words = split_words(text)
    if words is not None and action.takes_texts:
        tokens = split_texts(text)
        reading = _Reading(s, player, action)
        rest = reading.of(tokens[1:], lambda rest: not rest or rest[0].startswith(QUOTE))
        said = spoken(QUOTE.join(word.removeprefix(QUOTE) for word in rest)) if rest else None
        return tuple(reading.args), said, False
    if words is None and tokens[-1] == SILENT and len(tokens) > 1:  # unless it is what is chosen
        try:
            return _all_args(s, player, action, tokens[1:]), None, False
        except IllegalMove:
            return _all_args(s, player, action, tokens[1:-1]), None, True
    return _all_args(s, player, action, tokens[1:]), words, False


def _all_args(s: Position, player: int, action: ActionCode, tokens: list[str]) -> tuple[Any, ...]:
    """Arguments from words; IllegalMove says which word does not fit."""
    reading = _Reading(s, player, action)
    reading.of(tokens, lambda rest: not rest)
    return tuple(reading.args)


class _Reading:
    """The arguments of a move as its words are read, one after the other.

    What the rules are asked of them on the way (what can be chosen, which row speaks for a card, which melds belong
    together) is asked of words that may be no possible move, and may tell then what nobody may know. So behind the
    first such question a refusal says no more than what is offered does. Where something is offered that begins so, it
    says what is wrong with a word that is none at all; what rules answer of it, only where that is no secret.
    """

    def __init__(self, s: Position, player: int, action: ActionCode) -> None:
        self.args: list[Any] = []
        self._asked = s, player, action
        self._params = list(action.params)
        self._has_asked = False
        self._is_judged = False
        """Whether rules decide if the words that are read just now will do."""

    def of(self, tokens: list[str], may_be_left: Callable[[list[str]], bool]) -> list[str]:
        """The words that are left behind the arguments. Raises IllegalMove, also where these may not be left."""
        s, player, action = self._asked
        try:
            rest = tokens[self._read(tokens) :]
            if not may_be_left(rest):
                raise _too_much(s, player, action, tuple(self.args), rest)
        except (IllegalMove, RuleError) as why:
            if not self._has_asked:
                raise
            refused = not_offered(s, player, action, self._params, self.args)
            if refused is None and (not self._is_judged or isinstance(why, RuleError) or tells_why(s, action)):
                raise
            raise refused or IllegalMove("not_possible", not_like_that(action.name)) from why
        return rest

    def _read(self, tokens: list[str]) -> int:
        """How many of the words say the arguments."""
        s, player, action = self._asked
        args, params = self.args, self._params
        rows_read = action.row is None
        at = 0
        while len(args) < len(params) or not rows_read:
            if len(args) == len(params):
                rows_read = self._is_judged = True
                self._has_asked |= not action.steady
                try:
                    params += row_params(s, player, action, args)
                except NO_ANSWER:
                    raise IllegalMove("not_possible", cannot_be_done(action.name)) from None
                continue
            param = params[len(args)]
            self._is_judged = bool(param.kinds)
            if param.kinds and tokens[at : at + 1] != [NONE]:
                self._look_for_cards(param, tokens, at)
            if param.asked is not None and tokens[at : at + 1] != [NONE]:
                value, at = self._read_asked(param, tokens, at)
            else:
                value, at = _read(s, param, tokens, at, action)
            if value is not None and (param.fits is not None or param.chosen_from is not None):
                self._is_judged = True
                self._check_choice(param, value)
            args.append(value)
        self._is_judged = False
        return at

    def _check_choice(self, param: ParamCode, value: Any) -> None:
        """Refuse a value that a parameter cannot have with what is meant before it. Raises IllegalMove."""
        s, player, _ = self._asked
        cards = _cards_to_ask_of(s.program, param, value)
        meant = self._meant(len(cards))
        if meant is not None and not any(
            self._answers(lambda args: _can_be_chosen(s, player, param, args, cards), meant, len(cards))
        ):
            raise IllegalMove("not_possible", cannot_be_chosen(s.program, player, param, value))

    def _look_for_cards(self, param: ParamCode, tokens: list[str], at: int) -> None:
        """Where it may be hidden which cards are wild, only cards that can be chosen are tried as melds.

        Raises IllegalMove for others.
        """
        s, player, _ = self._asked
        if wilds_are_known(s.program.melds):
            return
        words = list(chain.from_iterable(_groups(s, param, tokens, at)[0]))
        named = Counter(s.program.by_name.get(word.partition(STANDS)[0].upper()) for word in words)
        among = param.among
        assert among is not None, "melds are of some cards"
        there = 0
        for cards in self._answers(lambda args: among(s, player, *args), self._meant() or [self._bare()]):
            there |= cards
        if named - Counter(s.program.first_copy[card] for card in bits(there)):
            raise IllegalMove("not_possible", f"{shortened(' '.join(words))} cannot be chosen now")

    def _read_asked(self, param: ParamCode, tokens: list[str], at: int) -> tuple[Any, int]:
        """The melds that are asked for together."""
        s, player, action = self._asked
        ask = param.asked
        assert ask is not None
        groups, at = _groups(s, param, tokens, at)
        answers = self._answers(lambda args: tuple(ask(s, player, *args)), self._meant() or [self._bare()])
        asked = dict.fromkeys(answers)
        made = (read_asked(s, asked_for, groups) for asked_for in asked)
        found = next((melds for melds in made if melds is not None), None)
        if found is None:
            asked_for = next(iter(asked))
            self._has_asked &= not (tells_why(s, action) and wilds_are_known(s.program.melds))
            what = shortened(f" {END} ".join(map(" ".join, groups)))
            raise IllegalMove("no_such_move", f"'{what}' is not what is asked for: {say_asked(asked_for)}")
        return in_order_of_faces(s.program, found), at

    def _answers(self, ask: Callable[[Args], Answer], meant: Sequence[Args], times: int = 1) -> Iterator[Answer]:
        """What rules answer of each of the arguments that may be meant; of some that are not there may be no answer.

        times: how often they are asked for an answer. Raises IllegalMove where there is none of any.
        """
        self._has_asked, answered = True, False
        s, _, action = self._asked
        for args in meant:
            charge(s, 1 + times * action.each)  # which is too little to be counted where it is asked once
            try:
                answer = ask(args)
            except NO_ANSWER:
                continue
            answered = True
            yield answer
        if not answered:
            raise IllegalMove("not_possible", cannot_be_done(self._asked[2].name))

    def _bare(self) -> Args:
        """The arguments so far, without the places of cards."""
        program = self._asked[0].program
        return tuple([bare(program, param, value) for param, value in zip(self._params, self.args, strict=False)])

    def _meant(self, times: int = 1) -> list[Args] | None:
        """What the arguments so far may be, without the places of cards: which of equal cards is meant, or which lies
        where one is called by that, is found out when the move is judged.

        Where they may be too much, they are what is offered that begins so; None where that cannot be listed, or is not
        for this player to know. times: how often something is asked of each.
        """
        s, player, action = self._asked
        ways = [_ways(s.program, param, value) for param, value in zip(self._params, self._bare(), strict=False)]
        most = min(MOST_WAYS, MOST_ASKED // max(1, times * action.each))
        if 0 < prod(map(len, ways)) <= most:
            return list(product(*ways))
        if not may_be_offered(s, player, action):
            return None
        try:
            offered = offered_so(s, player, action, self._params, self.args)
        except TooMuch:
            return None
        return list(dict.fromkeys(found[: len(self.args)] for found in offered))


def _ways(program: Program, param: ParamCode, value: Any) -> Sequence[Any]:
    """What is meant by an argument, whatever lies where; nothing where several cards are, in too many ways to tell."""
    if param.form != "cards" or value is None:
        return (value,)
    if not param.several:
        return _cards_called(program, value)
    called = [_cards_called(program, one) for one in value]
    if prod(map(len, called)) > MOST_WAYS:
        return ()
    return [way for way in product(*called) if len({*way}) == len(way)]


def _cards_called(program: Program, named: int) -> Sequence[int]:
    """Cards that are called so: of equal ones each, any where one is called by where it lies."""
    if not 0 <= named < len(program.cards):
        return range(len(program.cards))
    return bits(program.copies[program.first_copy[named]]) if program.multi else (named,)


def _too_much(s: Position, player: int, action: ActionCode, args: tuple[Any, ...], rest: Sequence[str]) -> IllegalMove:
    params = params_of(s, player, action, args)
    if params and params[-1].several:
        return _no_card(s.program, rest[0])
    return IllegalMove("no_such_move", f"'{shortened(' '.join(rest))}' is too much for '{action.name}'")


def _cards_to_ask_of(program: Program, param: ParamCode, value: Any) -> Sequence[Any]:
    """What is asked of a value, without places: of a card, each that is called so; of several cards all at once."""
    named = bare(program, param, value)
    if param.several or param.form != "cards" or not program.multi:
        return (named,)
    return bits(program.copies[program.first_copy[named]])


def _can_be_chosen(s: Position, player: int, param: ParamCode, before: Sequence[Any], values: Sequence[Any]) -> bool:
    """Whether a parameter can have one of some values, of which the rules ask something before the move is judged: what
    they ask of another one may take long, or tell what nobody may know. before: the arguments before it."""
    if param.chosen_from is None:
        assert param.fits is not None
        return any(param.fits(s, player, *before, value) for value in values)
    (named,), first = values, s.program.first_copy
    among, least, most = param.chosen_from(s, player, *before)
    left = Counter(first[card] for card in among)
    return least <= len(named) <= most and not Counter(named) - left


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
