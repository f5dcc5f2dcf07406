"""Values in words, as noun phrases. Whoever acts is `you`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Self, TypeGuard, TypeVar

from interpreter.compiler.constant import NotConstant
from interpreter.language import typed as t
from interpreter.language.model import Model
from interpreter.language.operations import OPERATIONS, TESTS
from interpreter.language.typed import Typed
from interpreter.rulebook import grammar as g
from interpreter.rulebook.folding import Folding
from interpreter.rulebook.lengths import check_length
from interpreter.rulebook.pronouns import ITEMS, argument, pronouns, sign_within

_Voice = TypeVar("_Voice")
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
"""Comparisons -> what holds where one does not."""
_SIGNS = {"+": "plus", "-": "minus", "*": "times", "div": "divided (rounded down) by"}
_BUILTIN = {
    "actor": "you", "current": "the player on turn", "dealer": "the dealer", "players": "the players",
    "everyone": "all players", "teams": "the sides", "pack": "the pack", "suits": "the suits", "ranks": "the ranks",
    "led": "the suit led", "leader": "the leader", "winner": "the winner", "best": "the players of the highest cards",
    "direction": "the direction of play", "trick number": "the number of the trick", "honor": "play on honour",
    "others": "the others", "offender": "the offender", "claimer": "the claimer",
}  # fmt: skip
_NO_NOUN = {"as", "by", "for", "from", "in", "on", "to", "with"}
"""What is named with one of these at an end is called by its description instead: `side_with`, `left_in`."""


class _Found(Generic[_Voice]):
    """What speakers of one book have found already. voices: by the names they know; letters: of all they have said."""

    def __init__(self) -> None:
        self.voices: dict[tuple[tuple[str, object], ...], _Voice] = {}
        self.letters = 0


@dataclass(frozen=True)
class Nouns(ABC):
    """Says the values of a ruleset; where a condition stands in one, it is said as whoever says those does.

    known: phrases for the local names; holding: for yes or no, a clause and its opposite.
    """

    model: Model
    docs: Mapping[str, str]
    folding: Folding
    known: Mapping[str, str] = field(default_factory=dict)
    holding: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    _found: _Found[Self] = field(repr=False, compare=False, default_factory=_Found)
    _said: dict[tuple[int, str], tuple[Typed, str]] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Phrases that are found already, by what is said and its form: a sentence may need one in several forms, each of
    which may need all forms of what stands inside it."""

    def _knowing(self, known: Mapping[str, str], holding: Mapping[str, tuple[str, str]]) -> Self:
        """Who knows these names: one for all who know the same, so that nothing is found twice."""
        key = (*sorted(known.items()), *sorted(holding.items()))
        if key not in self._found.voices:
            self._found.voices[key] = replace(self, known=known, holding=holding)
        return self._found.voices[key]

    def knowing(self, /, **phrases: str) -> Self:
        return self._knowing({**self.known, **phrases}, self.holding)

    def told(self, name: str, clause: str, opposite: str) -> Self:
        """A speaker who says so whether what is called so holds."""
        return self._knowing(self.known, {**self.holding, name: (clause, opposite)})

    def binding(self, bound: Mapping[str, Typed], within: bool = True) -> Self:
        """A speaker for what uses these names, who says what they stand for. within: others are known, too."""
        known = {name: self.noun(value) for name, value in bound.items()}
        flags = [(name, value) for name, value in bound.items() if value.type.kind == "flag"]
        holding = {name: (self.clause(value), self.clause(value, True)) for name, value in flags}
        before = (self.known, self.holding) if within else ({}, {})
        return self._knowing({**before[0], **known}, {**before[1], **holding})

    @abstractmethod
    def clause(self, node: Typed, negated: bool = False) -> str:
        """A condition as a clause, or its opposite. Raises TooLong."""

    # ---- values -------------------------------------------------------------------------------------

    def noun(self, node: Typed) -> str:
        """A value as a noun phrase."""
        return self.once(node, "value", self._noun)

    def once(self, node: Typed, form: str, said: Callable[[Typed], str]) -> str:
        """What is said of an expression, found when it is first asked for. Raises TooLong."""
        key = id(node), form
        if key not in self._said:
            self._said[key] = node, said(node)
            self.counted_in(self._said[key][1])
        return self._said[key][1]

    def counted_in(self, text: str) -> None:
        """Count the letters of what is said. Raises TooLong."""
        self._found.letters += len(text)
        check_length(self._found.letters, self.model.name, in_all=True)

    def _noun(self, node: Typed) -> str:
        match node:
            case t.Const(value):
                return self._constant(value, node.type)
            case t.Local(name):
                return self.known.get(name, f"the {g.plain(g.bare(name))}")
            case t.StageArgument(_, name):
                return f"the {g.plain(name)}"
            case t.Builtin(name):
                return self.known.get(name) or _BUILTIN.get(name, f"the {g.plain(name)}")
            case t.OptionRef(name):
                return self._option(name)
            case t.VarRef(name, index):
                doing = self.doing(node)
                return f"the players {doing}" if doing else self.of(self.variable(name), index)
            case t.ZoneRef(name, index):
                if len(index) == 1 and index[0].type.kind == "place":
                    return self.noun(index[0])
                return self.of(g.cards_in(name), index)
            case t.TokenRef(name, holder):
                things = f"{self.token(name)}s"
                return f"the {things} on the table" if holder is None else self.of(things, (holder,))
            case t.TableRef(name, key):
                by = self.model.tables[name].by
                return self.of(g.plain(name), (key,) if by is None else ())
            case t.Instance(key, args):
                instance = self.model.instances[key]
                if described := self.described(key, args):
                    return described
                if instance.uses_actor and self.is_you(args[0]):
                    args = args[1:]
                if node.type.kind == "player" and len(args) == 1 and args[0].type.kind == "integer":
                    if g.described(instance.name, "player") != g.plain(instance.name):
                        return f"the player {g.plain(instance.name)} {self.noun(args[0])}"
                names = [name for name, _ in instance.params][-len(args) :] if args else []
                marks = [(g.plain(g.bare(name)), a.value) for name, a in zip(names, args, strict=False) if _is_mark(a)]
                said = self.of(g.plain(instance.name).removesuffix(" of"), tuple(a for a in args if not _is_mark(a)))
                return said + "".join(f" (“{name}”)" for name, is_set in marks if is_set)
            case t.Op():
                return self._operation(node)
            case t.Select(kind, _, item, domain, where, by):
                return self._selected(kind, node.variable, item, domain, where, by)
            case t.Fold("least", variable, item, domain, where, value) if value is not None:
                noun, place = self.kind_of(item, domain)
                test = "" if where is None else f" {self.relative(variable, item, where, many=True)}"
                kinds = g.listed([f"“{g.plain(kind)}”" for kind in node.outside], "or")
                measure = self.measure(variable, item, value)
                return f"the least sum, over the {noun}s{place}{test} that are in no meld ({kinds}), of {measure}"
            case t.Fold(kind, _, item, domain, where, value):
                return self._folded(kind, node.variable, item, domain, where, value)
            case t.If(condition, then, otherwise):
                return f"{self.noun(then)} (if {self.clause(condition)}; else {self.noun(otherwise)})"
            case t.Let():
                return self.naming(node).noun(node.body)
            case t.Words():
                return f"“{self.spoken(node)}”"
            case t.Quant():
                return f"whether {self.clause(node)}"

    def is_you(self, node: Typed) -> bool:
        """Whether a value is who reads."""
        return isinstance(node, t.Local | t.Builtin) and self.noun(node) == "you"

    def naming(self, let: t.Let) -> Self:
        """A speaker for the body of a `let`, who says there what the name stands for."""
        return self.binding({let.variable: let.value})

    def of(self, thing: str, owners: tuple[Typed, ...]) -> str:
        if not owners:
            return f"the {thing}"
        first, *rest = owners
        found = g.owned(self.noun(first), thing)
        return f"{found} for {g.listed([self.noun(r) for r in rest])}" if rest else found

    def described(self, key: str, args: tuple[Typed, ...]) -> str:
        """A definition whose name is no noun, in its author's words; empty if it is one, or they do not say whose."""
        definition = self.model.instances[key]
        said = re.split(r"[,.:;]", self.docs.get(f"define.{definition.name}", ""))[0]
        if not no_noun(definition.name) or not said.startswith(("The ", "Those ")):
            return ""
        given = args[1:] if definition.uses_actor else args
        about = [(argument(name, kind), a) for (name, kind), a in zip(definition.params, given, strict=True)]
        said = said[0].lower() + said[1:]
        for phrase, _ in about:
            said = re.sub(rf"\b{phrase.replace('the ', 'a ', 1)}\b", phrase, said, count=1)
        if not all(phrase in said for phrase, _ in about):
            return ""
        for phrase, value in about:
            said = g.filled(said, phrase, self.noun(value))
        return said

    def _constant(self, value: object, kind: t.Type) -> str:
        match value:
            case None:
                return "nobody" if kind.kind in ("player", "team") else "none"
            case bool():
                return "yes" if value else "no"
            case int():
                return str(value)
        if kind.kind == "rank":
            return g.rank(str(value))
        if kind.kind == "card":
            return g.card(str(value), self.model.suits)
        if isinstance(value, tuple):  # a pair, or melds that are asked for
            return " and ".join(map(str, value))
        if kind.kind == "text":
            return f"“{value}”" if value else "nothing"
        return g.plain(str(value))

    def _option(self, name: str) -> str:
        value = self.folding.options.get(name)
        if isinstance(value, tuple) and value:
            kind = self.model.options[name].type.item or t.TEXT
            return f"the list of {g.plain(name)} ({', '.join(self._constant(item, kind) for item in value)})"
        return f"the option {g.plain(name)}"

    def token(self, name: str) -> str:
        named = self.model.tokens[name].named
        try:
            return g.plain(name if named is None else str(self.folding.value(named)))
        except NotConstant:
            return g.plain(name)

    def variable(self, name: str) -> str:
        """What a variable is called, as a noun."""
        doc = self.model.variables[name].doc
        kind = self.kind(name)
        return f"{g.plain(name)} mark" if kind == "flag" and doc else g.described(name, kind)

    def kind(self, name: str) -> str:
        """Of which kind the values of a variable are; of a set of cards `cards`."""
        kind = self.model.variables[name].type
        return "cards" if kind.item is not None and kind.item.kind == "card" else kind.kind

    def spoken(self, words: t.Words) -> str:
        """A text to be spoken; what is put into it stands in brackets."""
        said = (p if isinstance(p, str) else self._filled_in(self.folding.fold(p)) for p in words.pieces)
        return re.sub(r"\s", " ", "".join(said)).replace("the [the ", "the [")

    def _filled_in(self, piece: Typed) -> str:
        if isinstance(piece, t.Const) and not isinstance(piece.value, bool) and piece.value is not None:
            return str(piece.value)
        return f"[{self.noun(piece)}]"

    def _operation(self, node: t.Op) -> str:
        op = node.op
        if op in TESTS or op in OPPOSITE:
            return f"whether {self.clause(node)}"
        if op == "count":
            return self.counted(node.args[0])
        args = [self.noun(a) for a in node.args]
        if op in _SIGNS:
            left, right = (f"({s})" if isinstance(a, t.Op) and a.op in _SIGNS and op not in "+-" else s
                           for s, a in zip(args, node.args, strict=True))  # fmt: skip
            return f"minus {right}" if left == "0" and op == "-" else f"{left} {_SIGNS[op]} {right}"
        if op == "place of" and node.name:
            return f"the height of {args[0]} in the order “{g.plain(node.name)}”"
        form = OPERATIONS[op].says.replace("{name}", g.plain(node.name))
        if form and not args:
            return form
        if form and len(args) == 1:
            if form.startswith("{'s} "):
                return g.owned(args[0], form.removeprefix("{'s} "))
            if args[0] == "you" and op in ("left of", "right of"):
                return f"the player to your {op.removesuffix(' of')}"
            return form.replace("{'s}", g.owned(args[0], "").strip()).replace("{}", args[0])
        if form and len(args) == 2:
            return form.format(*args)
        match op:
            case "group":
                return g.listed(args) if args else "nobody" if "player" in str(node.type) else "nothing"
            case "union":
                return g.listed(args)
            case "numbers":
                return f"the {'ranks' if node.args[0].type.kind == 'rank' else 'numbers'} from {args[0]} to {args[1]}"
            case "first" | "top cards" | "bottom cards":
                return self._some(op.removesuffix(" cards"), node.args[0], node.args[1])
            case "drawn":
                return f"{g.number(int(args[0]), 'card') if args[0].isdigit() else args[0]} of {args[1]}, drawn unseen,"
            case "next after":
                among = "" if args[1] == "the players" else f" among {args[1]}"
                return f"the next player after {args[0]}{among}"
            case "melds":
                return f"the melds{self._of_kinds(node)}"
        return f"the {op} {g.listed(args)}".strip()

    def _so_many(self, sizes: Sequence[Typed]) -> str:
        least, *most = map(self.noun, sizes)
        return f"{least} or more" if not most else least if most == [least] else f"{least} to {most[0]}"

    def _of_kinds(self, melds: t.Op) -> str:
        """Of which melds are made of some cards: ` of the kind “run” from your hand`."""
        kinds = g.listed([f"“{g.plain(kind)}”" for kind in melds.name.split()], "or")
        return f" of the kind {kinds} from {self.noun(melds.args[0])}"

    def _some(self, which: str, number: Typed, group: Typed) -> str:
        """`the top 3 cards of the stock`, `the first 2 of the cards that ...`."""
        item = ITEMS.get((group.type.item or group.type).kind, "value")
        if isinstance(number, t.Const) and isinstance(number.value, int):
            return f"the {which} {g.number(number.value, item)} of {self.noun(group)}"
        return f"the {which} {item}s of {self.noun(group)}, as many as {self.noun(number)}"

    def counted(self, what: Typed) -> str:
        match what:
            case t.ZoneRef():
                return f"the number of cards in {self.noun(what)}"
            case _ if what.type.kind == "place":
                return f"the number of cards in {self.noun(what)}"
            case t.Builtin("pack"):
                return "the number of cards in the pack"
            case t.Local() if what.type.kind == "set" and what.type.item is not None:
                return f"the number of {ITEMS.get(what.type.item.kind, 'value')}s in {self.noun(what)}"
            case t.VarRef(_, (_, *_)) if what.type.item is not None:
                item = what.type.item.kind
                return (
                    f"the number of {'number' if item == 'integer' else ITEMS.get(item, 'value')}s in {self.noun(what)}"
                )
            case t.TokenRef(name, holder):
                things = f"number of {self.token(name)}s"
                return f"the {things} on the table" if holder is None else self.of(things, (holder,))
        return f"the number of {self.noun(what).removeprefix('the ')}"

    # ---- loops --------------------------------------------------------------------------------------

    def kind_of(self, item: t.Type, domain: Typed) -> tuple[str, str]:
        """One of what a loop goes through, and where: ("card", " of your hand")."""
        word = ITEMS.get(item.kind, "value")
        match domain:
            case t.Builtin("players" | "everyone" | "suits" | "ranks" | "teams"):
                return word, ""
            case t.Op("others"):
                return f"other {word}", ""
            case t.Select("all", _, _, inner, where, _) if where is not None:
                noun, place = self.kind_of(item, inner)
                return noun, place + " " + self.relative(domain.variable, item, where)
            case t.ZoneRef(name, (owner,)) if item.kind == "place":
                return g.plain(name), f" of {self.noun(owner)}"
            case t.TokenRef(name, holder):
                return self.token(name), " on the table" if holder is None else f" of {self.noun(holder)}"
            case t.Op("numbers", (low, high)):
                return "rank" if low.type.kind == "rank" else "number", f" from {self.noun(low)} to {self.noun(high)}"
            case t.Op("subsets", (inner, *sizes)):
                things = ITEMS.get((item.item or item).kind, "value")
                return "set", f" of {self._so_many(sizes)} {things}s out of {self.noun(inner)}"
            case t.Op("melds"):
                return word, self._of_kinds(domain)
            case t.Op("without", (inner, left_out)):
                noun, place = self.kind_of(item, inner)
                return noun, f"{place} (without {self.noun(left_out)})"
            case t.Instance() | t.Op("group" | "union" | "first" | "top cards" | "bottom cards") | t.OptionRef():
                return word, f" among {self.noun(domain)}"
        doing = self.doing(domain)
        return word, f" {doing}" if doing else f" of {self.noun(domain)}"

    def doing(self, node: Typed) -> str:
        """What the players of a variable do, if it is named so: `drawing`."""
        listed = isinstance(node, t.VarRef) and not node.index and node.type.item is not None
        if isinstance(node, t.VarRef) and listed and node.name.endswith("ing"):
            return g.plain(node.name)
        return ""

    def inside(self, variable: str, item: t.Type) -> tuple[Self, str]:
        """A speaker for the inside of a loop, and the sign that stands there for what the loop is at."""
        sign = sign_within(self.known.values(), item)
        return self.knowing(**{variable: sign}), sign

    def relative(self, variable: str, item: t.Type, condition: Typed, many: bool = False) -> str:
        """`that is a heart`, `whose score is at least 100`."""
        inside, sign = self.inside(variable, item)
        said = inside.clause(condition)
        if said.startswith(f"{sign}'s "):
            said = f"whose {said[4:]}"
        elif said.startswith(f"{sign} "):
            rest = re.sub(rf" (and|or) {sign} (?=is|has|was)", r" \1 ", said[2:])
            if many:
                rest = re.sub(r"^is\b|(?<= and )is\b|(?<= or )is\b", "are", rest)
                rest = re.sub(r"^has\b|(?<= and )has\b|(?<= or )has\b", "have", rest)
            said = f"that {rest}"
        else:
            said = f"for {'whom' if item.kind == 'player' else 'which'} {said}"
        return pronouns(said, sign, item)

    def _selected(
        self, kind: str, variable: str, item: t.Type, domain: Typed, where: Typed | None, by: Typed | None
    ) -> str:
        if kind == "first" and where is None and by is None and isinstance(domain, t.TokenRef):
            return f"one of {self.noun(domain)}"  # they are all alike
        noun, place = self.kind_of(item, domain)
        if kind == "all" and where is not None and place.startswith(" among those who "):
            which = re.sub(r"^that\b", "who", self.relative(variable, item, where, many=True))
            return f"{place.removeprefix(' among ')} and {which}"
        found = ("the first " if kind == "first" else "the ") + (noun if kind == "first" else f"{noun}s") + place
        if where is not None:
            found += f" {self.relative(variable, item, where, many=kind != 'first')}"
        if by is not None:
            found += f" ({self.order(variable, item, by)})"
        return found

    def order(self, variable: str, item: t.Type, by: Typed, word: str = "ordered by") -> str:
        """In which order a loop goes: from somebody on around the table, or by a measure."""
        if (begin := begins(variable, by, self.folding.players)) is not None:
            who, left = begin
            return f"in order from {g.owned(self.noun(who), 'left')}" if left else f"in order from {self.noun(who)}"
        return f"{word} {self.measure(variable, item, by)}, {'the ' if word == 'ordered by' else ''}smallest first"

    def measure(self, variable: str, item: t.Type, value: Typed) -> str:
        inside, sign = self.inside(variable, item)
        return pronouns(inside.noun(value), sign, item)

    def _folded(
        self, kind: str, variable: str, item: t.Type, domain: Typed, where: Typed | None, value: Typed | None
    ) -> str:
        noun, place = self.kind_of(item, domain)
        test = "" if where is None else f" {self.relative(variable, item, where, many=True)}"
        if kind == "count" or value is None:
            return f"the number of {noun}s{place}{test}"
        measure = self.measure(variable, item, value)
        start = {"sum": "the sum, over all", "min": "the least, over all", "max": "the most, over all"}[kind]
        return f"{start} {noun}s{place}{test}, of {measure}"

    # ---- what clauses say ---------------------------------------------------------------------------

    def within(self, group: Typed) -> str:
        return f"the cards in {self.noun(group)}" if isinstance(group, t.ZoneRef) else self.noun(group)

    def pattern(self, pattern: str) -> str:
        """What a pattern of cards is called."""
        if pattern in self.model.ranks:
            return g.a(g.rank(pattern))
        if pattern in {s.name for s in self.model.suits}:
            return g.a(g.plain(pattern.removesuffix("s")))
        if ".." in pattern:
            low, high = pattern.split("..")
            return f"from {g.rank(low)} to {g.rank(high)}"
        named = g.card(pattern, self.model.suits)
        return "any other card" if pattern == "else" else named if named != pattern else g.a(pattern)


def _is_mark(node: Typed) -> TypeGuard[t.Const]:
    return isinstance(node, t.Const) and isinstance(node.value, bool)


def begins(variable: str, by: Typed, players: int) -> tuple[Typed, bool] | None:
    """With whom an order of players by their seats begins, `(seat of p + 3 - seat of q) mod 4`, or at whose left."""
    if not (isinstance(by, t.Op) and by.op == "mod" and by.args[1] in (t.Const(players, t.INTEGER, by.args[1].span),)):
        return None
    offset, plus, minus = 0, list[Typed](), list[Typed]()
    todo = [(by.args[0], 1)]
    while todo:
        match todo.pop():
            case t.Const(int(value)), sign:
                offset += sign * value
            case t.Op("+" | "-" as op, (left, right)), sign:
                todo += [(left, sign), (right, sign if op == "+" else -sign)]
            case t.Op("seat of", (who,)), sign:
                (plus if sign > 0 else minus).append(who)
            case _:
                return None
    if len(plus) != 1 or len(minus) != 1 or not (isinstance(plus[0], t.Local) and plus[0].name == variable):
        return None
    return (minus[0], offset % players == players - 1) if offset % players in (0, players - 1) else None


def no_noun(name: str) -> bool:
    """Whether the name of a definition cannot be said as if it were a thing."""
    words = g.plain(name).split()
    return bool({words[0], words[-1]} & _NO_NOUN)
