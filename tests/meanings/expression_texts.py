"""Random well-typed expressions as texts, over the rulesets of `random_rules`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.meanings.random_rules import Facts

Maker = Callable[[int], str]
Scope = dict[str, list[str]]
"""Kind of value -> names that stand for one."""


MEMBER = {
    "cards": ("card", "c"), "players": ("player", "p"), "numbers": ("number", "n"), "suits": ("suit", "s"),
    "ranks": ("rank", "r"),
}  # fmt: skip
"""Kind of set -> the kind of its members, and the letter with which names for them begin."""


class Texts:
    """Makes texts of each kind. depth: how many operations may still stand within."""

    def __init__(self, draw: random.Random, facts: Facts) -> None:
        self.draw, self.facts = draw, facts
        self.scope: Scope = {}
        self.helpers: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        """Kind -> definitions that say one, each with the kinds of what they are given."""
        self.fresh = 0
        self.acts = False
        """Whether somebody acts."""
        self.careful = False
        """Whether nothing is asked that may have no value, such as a quotient by 0."""

    # ---- choosing ------------------------------------------------------------------------------

    def one_of(self, *makers: Callable[[], str]) -> str:
        return self.draw.choice(makers)()

    def below(self, n: int) -> int:
        return self.draw.randrange(n)

    @contextmanager
    def naming(self, kind: str, letter: str) -> Iterator[str]:
        """A name that stands for something of a kind, within."""
        self.fresh += 1
        name = f"{letter}{self.fresh}"
        self.scope.setdefault(kind, []).append(name)
        yield name
        self.scope[kind].pop()

    def local(self, kind: str) -> str | None:
        names = self.scope.get(kind)
        return self.draw.choice(names) if names and self.draw.random() < 0.7 else None

    def helper(self, kind: str, d: int) -> str | None:
        known = self.helpers.get(kind)
        if not known or d < 1 or self.draw.random() < 0.85:
            return None
        name, given = self.draw.choice(known)
        if not given:
            return name
        return f"{name}({', '.join(self.of(one, d - 1) for one in given)})"

    def of(self, kind: str, d: int) -> str:
        found: str = getattr(self, kind)(d)
        return found

    def either(self, kind: str, d: int) -> str:
        return f"(if {self.flag(d - 1)} then {self.of(kind, d - 1)} else {self.of(kind, d - 1)})"

    def loop(
        self, d: int, domains: tuple[str, ...] = ("cards", "players", "numbers", "suits", "ranks")
    ) -> tuple[str, str]:
        """A kind and a set of it, to be gone through."""
        kind = self.draw.choice(domains)
        return kind, self.of(kind, d - 1)

    def where(self, d: int, often: float = 0.6) -> str:
        return f" where {self.flag(d - 1)}" if self.draw.random() < often else ""

    # ---- numbers -------------------------------------------------------------------------------

    def number(self, d: int) -> str:
        found = self.local("number") or self.helper("number", d)
        if found:
            return found
        if d <= 0:
            return self.one_of(
                lambda: str(self.below(10)),
                lambda: f"(0 - {self.below(9) + 1})",
                lambda: self.draw.choice(self.facts.numbers),
                lambda: f"score of {self.player(0)}",
                lambda: f"lives of {self.player(0)}",
            )
        e = d - 1
        match self.below(21):
            case 20:
                return f"({self.reckoned(d)})"
            case 0 | 1 | 2:
                return f"({self.number(e)} {self.draw.choice('+-*')} {self.number(e)})"
            case 3 if not self.careful:
                return f"({self.number(e)} {self.draw.choice(['div', 'mod'])} {self.number(e)})"
            case 4:
                return f"({self.number(e)} {self.draw.choice(['div', 'mod'])} greater(1, {self.number(e)}))"
            case 5:
                return f"{self.draw.choice(['greater', 'lesser'])}({self.number(e)}, {self.number(e)})"
            case 6:
                return self.either("number", d)
            case 7:
                return f"count of {self.draw.choice([self.cards, self.players, self.numbers, self.cards])(e)}"
            case 8 | 9:
                kind, domain = self.loop(d)
                with self.naming(*MEMBER[kind]) as x:
                    return f"(count {x} in {domain}{self.where(d, 0.9)})"
            case 10 | 11 | 12:
                kind, domain = self.loop(d)
                with self.naming(*MEMBER[kind]) as x:
                    which = self.draw.choice(["sum", "sum", "min", "max"])
                    return f"({which} {self.number(e)} for {x} in {domain}{self.where(d)})"
            case 13:
                return self.one_of(
                    lambda: f"place of {self.rank(e)}",
                    lambda: f"place({self.rank(e)}, other_order)",
                    lambda: f"distance({self.rank(e)}, {self.rank(e)}{self.draw.choice(['', ', around'])})",
                )
            case 14:
                return self.one_of(
                    lambda: f"{self.draw.choice(self.facts.tables)} of {self.card(e)}",
                    lambda: self.draw.choice(self.facts.other_tables),
                )
            case 15:
                return self.one_of(
                    lambda: f"seat of {self.player(e)}",
                    lambda: f"bid of ({self.player(e)}, {self.suit(e)})",
                    lambda: f"played of {self.rank(e)}",
                    lambda: f"score of {self.player(e)}",
                    lambda: f"lives of {self.player(e)}",
                    lambda: f"side of team of {self.player(e)}",
                    lambda: f"seen of {self.card(e)}",
                )
            case 16:
                which = "cycle" if self.careful else self.draw.choice(["item", "cycle"])
                if self.careful:
                    return f"cycle({self.below(9)}, listed)"
                return f"{which}({self.number(e)}, {self.draw.choice(self.facts.lists)})"
            case 17:
                return f"count of {self.draw.choice(self.facts.lists)}"
            case 18:
                return self.of_places("number", d)
            case 19:
                return self.subsets("number", d)
        return self.number(0)

    def reckoned(self, d: int) -> str:
        """A number that is reckoned from others, with no more brackets than it needs to be right."""
        if d <= 0 or self.below(8) == 0:
            small = [
                str(self.below(9) + 1),
                "tally",
                "kept_number",
                f"score of {self.player(0)}",
                f"played of {self.rank(0)}",
            ]
            return self.number(0) if self.below(3) == 0 else self.draw.choice([*small, "large", "great"])
        one, two = self.reckoned(d - 1), self.reckoned(d - 1 - self.below(2))
        match self.below(6):
            case 0:
                return f"{self.draw.choice(['greater', 'lesser'])}({one}, {two})"
            case 1 if self.careful:
                return f"({one}) {self.draw.choice(['div', 'mod'])} greater(1, {two})"
            case 1 | 2 if not self.careful or self.below(2):
                return f"({one}) {self.draw.choice(['div', 'mod'])} ({two})"
        operator = self.draw.choice("+-***")
        return f"{one} {operator} {two}" if operator == "+" else f"({one}) {operator} ({two})"

    def small(self, d: int) -> str:
        """A number that stays so small, and is so surely there, that it is reckoned without a look at it."""
        if d <= 0:
            return self.draw.choice(["tally", "kept_size", "kept_size", str(self.below(4) + 2), "count of discard"])
        one = f"({self.small(d - 1)})"
        match self.below(7):
            case 0 | 1 | 2:
                return f"{one} * ({self.small(d - 1)})"
            case 3 | 4:
                by = self.draw.choice(["kept_size", str(self.below(4) + 2), f"greater(1, {self.small(d - 1)})"])
                return f"{one} {self.draw.choice(['div', 'mod'])} {by}"
        return f"{one} {self.draw.choice('+-')} ({self.small(d - 1 - self.below(2))})"

    def of_places(self, kind: str, d: int) -> str:
        """What is asked of places of a family."""
        places = f"pile of {self.somebody()}"
        with self.naming("place", "z") as z:
            own = [
                f"count of {z}",
                f"index of {z}",
                f"(if {z} is empty then 1 else 0)",
                f"seat of owner of {z}",
                f"(count c0 in {z} where {self.about('c0', d - 1)})",
            ]
            asked = self.draw.choice(own)
            if kind == "flag":
                test = self.draw.choice(
                    [
                        f"{z} is empty",
                        f"index of {z} > 1",
                        f"{self.card(d - 1)} in {z}",
                        f"owner of {z} = {self.player(d - 1)}",
                    ]
                )
                return f"({self.draw.choice(['any', 'all'])} {z} in {places} has {test})"
            return f"({self.draw.choice(['sum', 'min', 'max'])} {asked} for {z} in {places})"

    def somebody(self) -> str:
        """A player, and never nobody."""
        found = self.draw.choice([*self.facts.players, "current"])
        return found if self.below(2) else f"left of {found}"

    def about(self, card: str, d: int) -> str:
        self.scope.setdefault("card", []).append(card)
        found = self.flag(d)
        self.scope["card"].pop()
        return found

    def subsets(self, kind: str, d: int) -> str:
        size = self.draw.choice(["1", "2", "2", "3", "1..2", "2..3", "2.."])
        cards = f"top {self.below(3) + 2} of {self.lying(0)}"
        with self.naming("cards", "cs") as cs:
            if kind == "flag":
                return (
                    f"({self.draw.choice(['any', 'all'])} {cs} in sets of {size} from ({cards}) has {self.flag(d - 1)})"
                )
            which = self.draw.choice(["count", "sum"])
            if which == "count":
                return f"(count {cs} in sets of {size} from ({cards}) where {self.flag(d - 1)})"
            return f"(sum {self.number(d - 1)} for {cs} in sets of {size} from ({cards}){self.where(d)})"

    # ---- conditions ----------------------------------------------------------------------------

    def flag(self, d: int) -> str:
        found = self.local("flag") or self.helper("flag", d)
        if found:
            return found
        e = d - 1
        if d <= 0:
            return self.one_of(
                lambda: self.draw.choice(self.facts.flags),
                lambda: f"({self.part(self.card(0), 'suit')} = {self.suit(0)})",
                lambda: f"({self.part(self.card(0), 'rank')} = {self.rank(0)})",
                lambda: f"({self.number(0)} > {self.number(0)})",
                lambda: f"({self.card(0)} is {self.facts.pattern(self.draw)})",
                lambda: f"({self.card(0)} in {self.cards(0)})",
            )
        same = self.draw.choice(["=", "!=", "="])
        order = self.draw.choice(["<", "<=", ">", ">=", "=", "!="])
        match self.below(22):
            case 0 | 1:
                return f"({self.flag(e)} {self.draw.choice(['and', 'or'])} {self.flag(e)})"
            case 2:
                return f"(not {self.flag(e)})"
            case 3 | 4:
                return f"({self.number(e)} {order} {self.number(e)})"
            case 5:
                return f"({self.rank(e)} {order} {self.rank(e)})"
            case 6:
                return f"({self.card(e)} {same} {self.card(e)})"
            case 7:
                kind = self.draw.choice(["suit", "rank", "colour"])
                return f"({self.part(self.card(e), kind)} {same} {self.of(kind, e)})"
            case 8:
                return f"({self.player(e)} {same} {self.player(e)})"
            case 9 | 10:
                return f"({self.card(e)} {self.draw.choice(['in', 'in', 'not in'])} {self.cards(e)})"
            case 11:
                kind = self.draw.choice(["player", "number", "suit", "rank"])
                return f"({self.of(kind, e)} {self.draw.choice(['in', 'not in'])} {self.of(kind + 's', e)})"
            case 12:
                kind = self.draw.choice(["cards", "cards", "players", "numbers"])
                return f"({self.of(kind, e)} is {self.draw.choice(['empty', 'not empty'])})"
            case 13:
                return f"({self.card(e)} is {self.draw.choice(['', 'not '])}face {self.draw.choice(['up', 'down'])})"
            case 14:
                return f"({self.card(e)} is {self.draw.choice(['', 'not '])}{self.facts.pattern(self.draw)})"
            case 15:
                kind = self.draw.choice(["card", "suit", "player", "rank", "number"])
                return f"({self.of(kind, e)} {self.draw.choice(['is none', '= none', '!= none', 'is not none'])})"
            case 16 | 17 | 18:
                kind, domain = self.loop(d)
                with self.naming(*MEMBER[kind]) as x:
                    word, have = self.draw.choice([("any", "has"), ("all", "have")])
                    return f"({word} {x} in {domain}{self.where(d, 0.3)} {have} {self.flag(e)})"
            case 19:
                return self.either("flag", d)
            case 20:
                return self.one_of(
                    lambda: f"next_in_rank({self.rank(e)}, {self.rank(e)})",
                    lambda: f"({self.colour(e)} {same} {self.colour(e)})",
                    lambda: f"(mood {same} {self.draw.choice(['calm', 'wild', 'strange'])})",
                    lambda: f"(direction {same} left)",
                    lambda: f"({self.text(e)} {same} {self.text(e)})",
                    lambda: f"odd of {self.card(e)}",
                    lambda: f"({self.flag(e)} {same} {self.flag(e)})",
                )
            case 21:
                return self.of_places("flag", d) if self.below(2) else self.subsets("flag", d)
        return self.flag(0)

    def part(self, card: str, part: str) -> str:
        return f"{card}.{part}" if (card[-1] == ")" and card[0] == "(") or card.isalnum() else f"({card}).{part}"

    def text(self, d: int) -> str:
        return self.one_of(
            lambda: self.part(self.card(d), "name"),
            lambda: f'"{self.draw.choice(self.facts.cards)}"',
            lambda: f"start({self.number(0)}, {self.part(self.card(d), 'name')})",
        )

    # ---- cards, suits, ranks, players ----------------------------------------------------------

    def card(self, d: int) -> str:
        found = self.local("card") or self.helper("card", d)
        if found:
            return found
        if d <= 0:
            return self.one_of(
                lambda: self.draw.choice(self.facts.cards),
                lambda: self.draw.choice(["mark", "kept_card", "named"]),
                lambda: f"({self.draw.choice(['top', 'bottom'])} of {self.lying(0)})",
            )
        e = d - 1
        match self.below(7):
            case 0:
                return f"({self.draw.choice(['top', 'bottom', 'newest'])} of {self.lying(e)})"
            case 1:
                return f"(card number {self.below(4) + 1} of {self.lying(e)})"
            case 2 | 3:
                domain = self.in_order(e)
                with self.naming("card", "c") as x:
                    by = f" by {self.number(e)}" if self.below(2) else ""
                    return f"(first {x} in {domain}{self.where(d, 0.8)}{by})"
            case 4:
                return self.either("card", d)
            case 5:
                test = self.draw.choice([f"c0.suit = {self.suit(0)}", f"c0 is {self.facts.pattern(self.draw)}"])
                by = self.draw.choice(["", " by place of c0.rank", " by 0 - height of c0"])
                return f"(first c0 in pack where {test}{by})"
        return self.card(0)

    def suit(self, d: int) -> str:
        found = self.local("suit")
        if found:
            return found
        if d <= 0:
            return self.draw.choice([*self.facts.suits, "called", "kept_suit"])
        if self.below(4) == 0:
            return self.either("suit", d) if self.below(2) else f"ally of {self.card(d - 1)}"
        return self.part(self.card(d - 1), "suit") if self.below(3) else self.suit(0)

    def rank(self, d: int) -> str:
        found = self.local("rank")
        if found:
            return found
        if d <= 0:
            return self.draw.choice([f"({self.draw.choice(self.facts.cards)}).rank", "low", "kept_rank"])
        if self.below(4) == 0:
            return self.either("rank", d)
        return self.part(self.card(d - 1), "rank") if self.below(3) else self.rank(0)

    def colour(self, d: int) -> str:
        if d <= 0:
            return f"colour of {self.draw.choice(self.facts.suits)}"
        return self.one_of(lambda: self.part(self.card(d - 1), "colour"), lambda: f"colour of {self.suit(d - 1)}")

    def player(self, d: int) -> str:
        found = self.local("player") or self.helper("player", d)
        if found:
            return found
        if d <= 0:
            acting = ["actor"] if self.acts else ["P1"]
            return self.draw.choice([*self.facts.players, "current", "who", *acting])
        e = d - 1
        match self.below(9):
            case 0 | 1:
                return f"{self.draw.choice(['left of', 'right of', 'across from', 'partner of'])} {self.player(e)}"
            case 2:
                among = f" among {self.players(e)}" if self.below(2) else ""
                return f"(next after {self.player(e)}{among})"
            case 3:
                return f"holder of {self.card(e)}"
            case 4:
                return f"laid_by of {self.card(e)}"
            case 5:
                domain = self.players(e)
                with self.naming("player", "p") as x:
                    by = f" by {self.number(e)}" if self.below(2) else ""
                    return f"(first {x} in {domain}{self.where(d, 0.8)}{by})"
            case 6:
                return self.either("player", d)
        return self.player(0)

    # ---- sets ----------------------------------------------------------------------------------

    def lying(self, d: int) -> str:
        """A place."""
        return self.one_of(
            lambda: "discard",
            lambda: "pool",
            lambda: f"(hand of {self.player(0)})",
            lambda: "stock",
            lambda: f"(pile of ({self.player(0)}, {self.below(2) + 1}))",
            lambda: f"(heap of {self.suit(0)})",
            lambda: f"(row of {self.below(3) + 1})",
            lambda: f"(laid of team of {self.player(0)})",
        )

    def in_order(self, d: int) -> str:
        """Cards of which it is clear which comes first."""
        return self.one_of(
            lambda: self.lying(d),
            lambda: self.lying(d),
            lambda: f"({self.lying(d)}, {self.lying(d)})",
        )

    def cards(self, d: int) -> str:
        found = self.local("cards") or self.helper("cards", d)
        if found:
            return found
        if d <= 0:
            return self.one_of(
                lambda: self.lying(0),
                lambda: self.lying(0),
                lambda: "pack",
                lambda: "marks",
                lambda: f"({self.card(0)}, {self.draw.choice(self.facts.cards)})",
            )
        e = d - 1
        match self.below(10):
            case 0 | 1:
                domain = self.cards(e)
                with self.naming("card", "c") as x:
                    by = f" by {self.number(e)}" if self.below(3) == 0 else ""
                    return f"(all {x} in {domain}{self.where(d, 0.9)}{by})"
            case 2 | 3:
                return f"({self.cards(e)} without {self.draw.choice([self.cards, self.card])(e)})"
            case 4:
                return f"({self.cards(e)}, {self.draw.choice([self.cards, self.card])(e)})"
            case 5:
                return f"({self.draw.choice(['top', 'bottom', 'last'])} {self.below(4) + 1} of {self.lying(e)})"
            case 6:
                domain = self.in_order(e)
                with self.naming("card", "c") as x:
                    by = f" by {self.number(e)}" if self.below(2) else ""
                    return f"(first {self.below(4) + 1} {x} in {domain}{self.where(d)}{by})"
            case 7:
                return self.either("cards", d)
        return self.cards(0)

    def players(self, d: int) -> str:
        found = self.local("players") or self.helper("players", d)
        if found:
            return found
        if d <= 0:
            return self.draw.choice(["players", "everyone", "duellists", f"({self.player(0)}, {self.player(0)})"])
        e = d - 1
        match self.below(8):
            case 0 | 1:
                domain = self.players(e)
                with self.naming("player", "p") as x:
                    by = f" by {self.number(e)}" if self.below(3) == 0 else ""
                    return f"(all {x} in {domain}{self.where(d, 0.9)}{by})"
            case 2:
                return f"({self.players(e)} without {self.draw.choice([self.players, self.player])(e)})"
            case 3:
                return f"({self.players(e)}, {self.player(e)})"
            case 4:
                return f"({self.draw.choice(['lowest', 'highest'])} {self.draw.choice(['score', 'side'])})"
            case 5:
                return f"(members of team of {self.player(e)})"
            case 6:
                return self.either("players", d)
        return self.players(0)

    def numbers(self, d: int) -> str:
        found = self.local("numbers")
        if found:
            return found
        return self.one_of(
            lambda: f"({self.number(min(0, d))}, {self.number(d - 1)})",
            lambda: self.draw.choice(self.facts.lists),
            lambda: f"({self.below(4)}..{self.below(4) + 4})",
            lambda: f"(1..{f'lesser(9, {self.number(d - 1)})' if self.careful else self.number(d - 1)})",
            lambda: f"(({self.below(3)}..{self.below(3) + 2}) without {self.number(d - 1)})",
        )

    def suits(self, d: int) -> str:
        return self.one_of(
            lambda: "suits",
            lambda: f"({self.suit(d - 1)}, {self.suit(d - 1)})",
            lambda: f"(suits without {self.suit(d - 1)})",
        )

    def ranks(self, d: int) -> str:
        return self.one_of(
            lambda: "ranks",
            lambda: f"({self.rank(d - 1)}, {self.rank(d - 1)})",
            lambda: f"(ranks without {self.rank(d - 1)})",
        )
