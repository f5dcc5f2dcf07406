"""Ranks, suits and orders, and the pack that is made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.base.diagnostics import Report, Span
from interpreter.language import typed as t
from interpreter.language.check.entries import child, entries, is_word, listing, text_of, whole
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.names import STANDARD_SUITS, Names, Scope, added_code
from interpreter.language.check.values import Values
from interpreter.language.keywords import BETWEEN_PLACES, MEANS_NOTHING
from interpreter.language.model import AddedCard, Depends, PackDef, SuitDef
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.language.typed import Typed

MAX_RANKS = 200
MAX_SUITS = 50
STANDARD_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class Cards:
    """Reads what cards there are in one ruleset: their names first, the pack when all names are known."""

    def __init__(self, root: Mapping, names: Names, expressions: Expressions, values: Values, report: Report) -> None:
        self._root = root
        self._names = names
        self._expressions = expressions
        self._values = values
        self._report = report

    def ranks_and_suits(self) -> None:
        names = self._names
        ranks = self._root.get("ranks")
        names.ranks = STANDARD_RANKS if ranks is None else tuple(self._ranks(ranks))
        suits = self._root.get("suits")
        if isinstance(suits, Mapping) and len(suits.entries) > MAX_SUITS:
            message = f"there are {len(suits.entries)} suits, and {MAX_SUITS} are allowed"
            self._report.error("E508", self._root.keys["suits"], message)
        elif suits is not None:
            names.suits = tuple(self._suits(suits)) or STANDARD_SUITS
        for name, order, _ in entries(self._root.get("orders")):
            names.orders[name] = tuple(self._ranks(order))
        add = child(self._root.get("pack"), "add")
        rows = [row for key, row, _ in entries(add) if key != "by"] if _depends(add) else [add]
        found = {name: (name, node, span) for row in rows for name, node, span in entries(row)}
        names.added = tuple(self._added(*card) for card in found.values())
        taken: dict[str, str] = {}
        for card in names.added:
            self._once(taken, card.name, (card.name, added_code(card.name)), "cards", card.span)
            self._is_something(card.name, card.span, "card")

    def _suits(self, node: Node) -> Iterator[SuitDef]:
        taken: dict[str, str] = {}
        standard = {suit.name: suit for suit in STANDARD_SUITS}
        for item in () if isinstance(node, Mapping) else listing(node):
            if (name := text_of(item)) not in standard:
                hint = "own suits are a mapping, as in {stars: {letter: T, colour: red}}"
                self._report.error("E501", item.span, f"'{name}' is none of the standard suits", hint)
                continue
            if name in taken:
                self._report.error("E518", item.span, f"the suit '{name}' is listed twice")
            taken[name] = name
            yield standard[name]
        for name, suit, span in entries(node):
            letter, colour = child(suit, "letter"), child(suit, "colour")
            self._is_something(name, span, "suit")
            found = SuitDef(name, text_of(letter, name[:1].upper()), text_of(colour, name))
            if colour is not None and not is_word(found.colour):
                self._report.error("E205", colour.span, "a colour is words without quotes, on one line", "as in red")
            self._once(taken, name, (found.letter,), "cards of the suits", span if letter is None else letter.span)
            yield found

    def _once(self, taken: dict[str, str], name: str, called: Iterable[str], what: str, span: Span) -> None:
        """Nothing is called as something else is in other letters: in moves cards are typed in large or small ones.
        taken: what something is called, in large letters -> its name."""
        for way in dict.fromkeys(word.upper() for word in called):
            if way in taken:
                message = f"the {what} '{taken[way]}' and '{name}' could not be told apart where cards are typed"
                self._report.error("E518", span, message, "large and small letters count as one: call them otherwise")
                return
        taken |= dict.fromkeys((word.upper() for word in called), name)

    def _ranks(self, node: Node) -> Iterator[str]:
        seen, taken = set[str](), dict[str, str]()
        for item in listing(node):
            text = text_of(item)
            found = re.fullmatch(r"(\d{1,9})\.\.(\d{1,9})", text)
            ends = range(int(found[1]), int(found[2]) + 1) if found else range(1)
            if len(seen) + len(ends) > MAX_RANKS:
                self._report.error("E508", item.span, f"with this there are more than {MAX_RANKS} ranks")
                return
            for rank in map(str, ends) if found else (text,):
                if rank in seen:
                    self._report.error("E518", item.span, f"the rank {rank} is listed twice")
                else:
                    self._once(taken, rank, (rank,), "ranks", item.span)
                self._plain_name(rank, item.span, "rank")
                self._is_something(rank, item.span, "rank")
                seen.add(rank)
                yield rank

    def _plain_name(self, name: str, span: Span, what: str) -> None:
        """Cards are named in moves, where a blank or quote would end the name."""
        if re.fullmatch(r"[A-Za-z0-9_]+", name) is None:
            hint = "it has letters, digits and _; there may be a comma missing"
            self._report.error("E205", span, f"'{name}' is not a name for a {what}", hint)

    def _is_something(self, name: str, span: Span, what: str) -> None:
        """Nothing is called as moves say that there is nothing, or as the log tells places apart."""
        if meaning := MEANS_NOTHING.get(name.lower()):
            message = f"a {what} cannot be called '{name}': in a move, this means {meaning}"
            self._report.error("E518", span, message, "call it otherwise")
        if name.lower() in BETWEEN_PLACES:
            message = f"a {what} cannot be called '{name}': where it is told what happens, this stands between places"
            self._report.error("E518", span, message, "call it otherwise")

    def _added(self, name: str, node: Node, span: Span) -> AddedCard:
        if isinstance(node, Mapping):
            return AddedCard(name, None, None, span)
        return AddedCard(name, t.Const(whole(node, 1), t.INTEGER, node.span), None, span)

    def pack(self) -> PackDef:
        node = self._root.entries["pack"]
        scope = Scope()
        standard = child(node, "standard")
        copies = t.Const(1, t.INTEGER, node.span) if standard is None else self._values.value(standard, t.INTEGER)
        add = child(node, "add")
        by_rows = isinstance(add, Mapping) and _depends(add)
        added = list(self._added_by(add)) if isinstance(add, Mapping) and by_rows else []
        for name, value, span in () if by_rows else entries(add):
            count, when = child(value, "count"), child(value, "when")
            if isinstance(value, Scalar) or child(value, "by") is not None:
                count = value
            added.append(
                AddedCard(
                    name,
                    None if count is None else self._values.value(count, t.INTEGER),
                    None if when is None else self._expressions.node(when, scope, t.FLAG),
                    span,
                )
            )
        remove = child(node, "remove")
        by = self._remove_by(remove) if isinstance(remove, Mapping) else None
        plain = () if isinstance(remove, Mapping) else self._cards(remove)
        return PackDef(copies, self._only(child(node, "only")), plain, by, tuple(added), self._root.keys["pack"])

    def _added_by(self, node: Mapping) -> Iterator[AddedCard]:
        """The cards of all rows; of a row in which a card does not stand there are none."""
        missing: Node = node
        cases = self._values.cases(node, lambda row: row, missing)
        for card in self._names.added:
            *rows, (_, last) = cases
            count = self._count_in(last, card.name)
            for test, row in reversed(rows):
                count = t.If(test, self._count_in(row, card.name), count, t.INTEGER, row.span)
            yield AddedCard(card.name, count, None, card.span)

    def _count_in(self, row: Node, name: str) -> Typed:
        value = child(row, name)
        none = t.Const(0, t.INTEGER, row.span)
        return none if value is None else self._expressions.node(value, Scope(), t.INTEGER)

    def _cards(self, node: Node | None) -> tuple[Typed, ...]:
        return tuple(map(self._left_out, listing(node)))

    def _left_out(self, node: Node) -> Typed:
        """A card, all cards of a suit, rank or colour, or of several of them."""
        word = re.fullmatch(r"\w+", text_of(node))
        unknown = word is not None and not word[0].isdigit() and not self._expressions.references.is_known(word[0])
        found = self._expressions.node(node, Scope(), t.CARD if unknown else None)
        if isinstance(found, t.Const) and type(found.value) is int and str(found.value) in self._names.ranks:
            return t.Const(str(found.value), t.RANK, found.span)
        several = found.type.item if found.type.kind in ("set", "list") else None
        one = several or found.type
        return found if one.kind in ("suit", "rank", "colour", "card") else self._expressions.fit(found, t.CARD)

    def _remove_by(
        self, node: Mapping
    ) -> tuple[Typed, tuple[tuple[int | str, int | str, tuple[Typed, ...]], ...], tuple[Typed, ...]]:
        by = self._values.by(node)
        rows = [
            (*self._values.key(k, by.type, s), self._cards(v)) for k, v, s in entries(node) if k not in ("by", "else")
        ]
        return by, tuple(rows), self._cards(node.get("else"))

    def _only(self, node: Node | None) -> tuple[str, ...] | Depends | None:
        if node is None:
            return None
        if isinstance(node, Mapping):
            return self._values.depends(node, t.TEXT, lambda n: t.Const(",".join(self._kept(n)), t.TEXT, n.span))
        return tuple(self._kept(node))

    def _kept(self, node: Node) -> Iterator[str]:
        """Ranks of `7..A` or a list."""
        ranks = self._names.ranks
        for item in listing(node):
            low, _, high = text_of(item).partition("..")
            high = high or low
            if low not in ranks or high not in ranks:
                hint = f"ranks: {', '.join(ranks)}"
                if low in self._names.suit_names or low in self._names.colours:
                    hint = "'only' keeps ranks; which suits there are is said by 'suits'"
                self._report.error("E515", item.span, f"no ranks are called '{text_of(item)}'", hint)
                continue
            yield from ranks[ranks.index(low) : ranks.index(high) + 1]


def _depends(add: Node | None) -> bool:
    """Whether the cards that are added depend on something, and no card is called `by`."""
    by = child(add, "by")
    return isinstance(by, Scalar) and isinstance(by.value, str)
