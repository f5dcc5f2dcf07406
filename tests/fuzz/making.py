"""Texts of the effect language made up from the names of a ruleset: mostly of the right type."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fuzz.naming import defined
from fuzz.places import Path, Tree

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("2", "7", "10", "J", "Q", "K", "A")


@dataclass
class Maker:
    """Makes texts for one ruleset. scope: the names that hold at the place, with their types."""

    tree: Tree
    dice: random.Random
    scope: dict[str, str] = field(default_factory=dict)
    acts: bool = False
    """Whether somebody acts there."""
    fresh: int = 0

    # ---- what there is -----------------------------------------------------------------------------------------

    def pick(self, *choices: Any) -> Any:
        return self.dice.choice(choices)

    def named(self, section: str, **wanted: Any) -> list[str]:
        """Names of a section whose mappings have these values; a set: one of them."""
        found = []
        for name, said in (self.tree.get(section) or {}).items():
            values = said if isinstance(said, dict) else {}
            if all(
                values.get(key) in want if isinstance(want, tuple) else values.get(key) == want
                for key, want in wanted.items()
            ):
                found.append(name)
        return found

    def local(self, kind: str) -> list[str]:
        return [name for name, its in self.scope.items() if its == kind]

    def variable(self, kind: str) -> str | None:
        """A variable of a type, with whose it is."""
        names = [
            name
            for name in self.named("state", type=kind)
            if self.tree["state"][name].get("each") in (None, "player", "team")
        ]
        if not names:
            return None
        name = self.dice.choice(names)
        match self.tree["state"][name].get("each"):
            case "player":
                return name if self.acts and self.dice.random() < 0.4 else f"{name} of {self.player(0)}"
            case "team":
                return f"{name} of team of {self.player(0)}"
        return str(name)

    def zone(self) -> str:
        """A place."""
        zones = self.tree.get("zones") or {"stock": {}}
        name = self.dice.choice(list(zones))
        match (zones[name] or {}).get("each"):
            case None:
                return str(name)
            case "player":
                return name if self.acts and self.dice.random() < 0.5 else f"{name} of {self.player(0)}"
            case "team":
                return f"{name} of team of {self.player(0)}"
            case "suit":
                return f"{name} of {self.suit(0)}"
            case str(numbers):
                return f"{name} of {numbers[:1]}"
            case [*dims]:
                parts = [self.player(0) if dim == "player" else dim[:1] for dim in dims]
                return f"{name} of ({', '.join(parts)})"
        return str(name)

    def bound(self, base: str, kind: str, inner: str, deep: int) -> tuple[str, str]:
        """A loop variable, and a text of the type `inner` in which it holds."""
        self.fresh += 1
        name = f"{base}{self.fresh}" if base in self.scope or self.dice.random() < 0.2 else base
        kept = self.scope.get(name)
        self.scope[name] = kind
        made = self.make(inner, deep)
        if kept is None:
            del self.scope[name]
        else:
            self.scope[name] = kept
        return name, made

    # ---- values ------------------------------------------------------------------------------------------------

    def make(self, kind: str, deep: int = 2) -> str:
        """A value of a type."""
        made: str = getattr(self, kind if hasattr(self, kind) else "number")(deep)
        return made

    def number(self, deep: int = 2) -> str:
        d = deep - 1
        options = self.named("options", type="integer")
        easy = [
            lambda: str(self.dice.choice((0, 1, 1, 2, 3, 5, 13, self.dice.randrange(60)))),
            lambda: f"count of {self.zone()}",
            lambda: self.variable("integer") or "1",
            lambda: self.dice.choice(options) if options else "2",
            lambda: f"count of {self.pick('players', 'everyone', 'teams', 'suits', 'ranks', 'pack')}",
            lambda: f"seat of {self.player(0)}",
            lambda: self.dice.choice(self.local("number") or ["4"]),
            lambda: f"place of {self.rank(0)}",
            self._table,
        ]
        if deep <= 0:
            return str(self.dice.choice(easy)())
        hard = [
            lambda: f"({self.number(d)} {self.pick('+', '-', '*', 'div', 'mod')} {self.number(d)})",
            lambda: f"(if {self.condition(d)} then {self.number(d)} else {self.number(d)})",
            lambda: self._count(d),
            lambda: self._fold(d),
            lambda: f"{self.pick('greater', 'lesser')}({self.number(d)}, {self.number(d)})",
            lambda: f"distance({self.rank(d)}, {self.rank(d)}{self.pick('', ', around')})",
            lambda: self._called("number", d),
            lambda: f"- {self.number(0)}",
            lambda: self._item("integer"),
        ]
        return str(self.dice.choice(easy + hard)())

    def _table(self) -> str:
        tables = [name for name, rows in (self.tree.get("values") or {}).items() if "by" not in (rows or {})]
        return f"{self.dice.choice(tables)} of {self.card(0)}" if tables else "3"

    def _count(self, d: int) -> str:
        if self.dice.random() < 0.5:
            name, test = self.bound("c", "card", "condition", d)
            return f"(count {name} in {self.cards(0)} where {test})"
        name, test = self.bound("q", "player", "condition", d)
        return f"(count {name} in {self.players(0)} where {test})"

    def _fold(self, d: int) -> str:
        if self.dice.random() < 0.5:
            name, value = self.bound("c", "card", "number", d)
            return f"({self.pick('sum', 'min', 'max')} {value} for {name} in {self.cards(0)})"
        name, value = self.bound("q", "player", "number", d)
        return f"({self.pick('sum', 'min', 'max')} {value} for {name} in {self.players(0)})"

    def _item(self, kind: str) -> str:
        lists = self.named("options", type=f"list of {kind}")
        if not lists:
            return "1"
        return f"{self.pick('item', 'cycle')}({self.number(0)}, {self.dice.choice(lists)})"

    def _called(self, kind: str, d: int) -> str:
        """A definition, whatever its type; what it is given has the type that its parameter's name tells, or any."""
        found = [key for key, said in (self.tree.get("define") or {}).items() if not _is_effect(said)]
        if not found:
            return self.make(kind, 0)
        name, params = defined(self.dice.choice(found))
        given = [self.make(told_by(param) or self.pick("player", "card", "number", "suit"), 0) for param in params]
        return name if not given else f"{name}({', '.join(given)})"

    def condition(self, deep: int = 2) -> str:
        d = deep - 1
        flags = self.named("options", type="flag")
        easy = [
            lambda: f"{self.number(0)} {self.pick('=', '!=', '<', '<=', '>', '>=')} {self.number(0)}",
            lambda: f"{self.zone()} is {self.pick('', 'not ')}empty",
            lambda: self.variable("flag") or "honor",
            lambda: self.dice.choice(flags) if flags else "direction = left",
            lambda: f"{self.player(0)} {self.pick('=', '!=', 'is', 'is not')} {self.player(0)}",
            lambda: f"{self.suit(0)} {self.pick('=', '!=')} {self.suit(0)}",
            lambda: f"{self.card(0)}.colour = {self.pick('red', 'black')}",
            lambda: f"{self.rank(0)} {self.pick('=', '<', '>=')} {self.rank(0)}",
            self._word,
            lambda: f"{self.rank(0)} in ({self.rank(0)}, {self.rank(0)})",
            lambda: f"{self.suit(0)} in ({self.suit(0)}, {self.suit(0)})",
            lambda: self.dice.choice(self.local("condition") or ["honor"]),
        ]
        if deep <= 0:
            return str(self.dice.choice(easy)())
        hard = [
            lambda: f"({self.condition(d)} {self.pick('and', 'or')} {self.condition(d)})",
            lambda: f"not {self.condition(d)}" if d <= 0 else f"not ({self.condition(d)})",
            lambda: self._quantified(d),
            lambda: f"{self.card(d)} {self.pick('in', 'not in')} {self.cards(d)}",
            lambda: f"{self.player(d)} in {self.players(d)}",
            lambda: f"{self.number(d)} {self.pick('=', '<', '>=')} {self.number(d)}",
            lambda: f"{self.card(d)} is {self.pick('', 'not ')}{self.pick('hearts', 'QS', 'A', 'joker', 'black', 'K')}",
            lambda: f"{self.pick('top of ' + self.zone(), self.card(d))} {self.pick('is none', '!= none', '= none')}",
            lambda: self._called("condition", d),
        ]
        return str(self.dice.choice(easy + hard)())

    def _word(self) -> str:
        """A choice compared with one of its words."""
        found = [
            (name, said.get("choices"))
            for section in ("options", "state")
            for name, said in (self.tree.get(section) or {}).items()
            if isinstance(said, dict) and said.get("type") == "choice" and isinstance(said.get("choices"), list)
            and said.get("each") is None
        ]  # fmt: skip
        if not found:
            return "direction = left"
        name, words = self.dice.choice(found)
        return f'{name} {self.pick("=", "!=")} "{self.dice.choice(words)}"'

    def _quantified(self, d: int) -> str:
        if self.dice.random() < 0.5:
            name, test = self.bound("c", "card", "condition", d)
            return f"({self.pick('any', 'all')} {name} in {self.cards(0)} has {test})"
        name, test = self.bound("q", "player", "condition", d)
        return f"({self.pick('any', 'all')} {name} in {self.players(0)} has {test})"

    def player(self, deep: int = 2) -> str:
        easy = [
            lambda: "actor" if self.acts else "P1",
            lambda: self.dice.choice(self.local("player") or ["P1"]),
            lambda: self.pick("P1", "P2", "current"),
        ]
        if deep <= 0:
            return str(self.dice.choice(easy)())
        d = deep - 1
        hard = [
            lambda: f"{self.pick('left of', 'right of', 'across from', 'next after', 'partner of')} {self.player(d)}",
            lambda: self._first("q", "player", self.players(0), d),
            lambda: self.variable("player") or "P2",
            lambda: f"holder of {self.card(d)}",
        ]
        return str(self.dice.choice(easy + hard)())

    def _first(self, base: str, kind: str, among: str, d: int) -> str:
        name, test = self.bound(base, kind, "condition", d)
        return f"(first {name} in {among} where {test})"

    def players(self, deep: int = 2) -> str:
        easy = ["players", "everyone", *(["others"] if self.acts else [])]
        if deep <= 0:
            return str(self.dice.choice(easy))
        d = deep - 1
        name, test = self.bound("q", "player", "condition", d)
        ranked = self.named("state", type="integer", each="player")
        hard = [
            f"(all {name} in everyone where {test})",
            f"({self.player(d)}, {self.player(d)})",
            f"members of team of {self.player(0)}",
        ]
        hard += [f"{self.pick('lowest', 'highest')} {self.dice.choice(ranked)}"] if ranked else []
        return str(self.dice.choice(easy + hard))

    def card(self, deep: int = 2) -> str:
        easy = [
            lambda: self.dice.choice(self.local("card") or [f"(top of {self.zone()})"]),
            lambda: f"({self.pick('top', 'bottom', 'newest')} of {self.zone()})",
            lambda: self.pick("QS", "2C", "AH"),
        ]
        if deep <= 0:
            return str(self.dice.choice(easy)())
        hard = [
            lambda: self._first("c", "card", self.cards(0), deep - 1),
            lambda: self.variable("card") or "QS",
        ]
        return str(self.dice.choice(easy + hard)())

    def cards(self, deep: int = 2) -> str:
        easy = [lambda: self.zone(), lambda: self.zone(), lambda: self.dice.choice(self.local("cards") or ["pack"])]
        if deep <= 0:
            return str(self.dice.choice(easy)())
        name, test = self.bound("c", "card", "condition", deep - 1)
        return str(self.dice.choice([*easy, lambda: f"(all {name} in {self.cards(0)} where {test})"])())

    def suit(self, deep: int = 2) -> str:
        own = self.tree.get("suits")
        names = list(own) if own else list(SUITS)
        easy = [
            lambda: self.dice.choice(names),
            lambda: f"{self.card(0)}.suit",
            lambda: self.variable("suit") or self.dice.choice(names),
            lambda: self.dice.choice(self.local("suit") or names),
        ]
        return str(self.dice.choice(easy)())

    def rank(self, deep: int = 2) -> str:
        own = [str(rank) for rank in self.tree.get("ranks") or RANKS if ".." not in str(rank)] or ["A"]
        easy = [
            lambda: self.dice.choice(own),
            lambda: f"{self.card(0)}.rank",
            lambda: self.variable("rank") or self.dice.choice(own),
            lambda: self.dice.choice(self.local("rank") or own),
        ]
        return str(self.dice.choice(easy)())

    def words(self, deep: int = 1) -> str:
        return self.pick("so {%s}", "{%s}", "{%s} and {%s}", "it is {%s}!").replace("%s", self.noted())

    def noted(self) -> str:
        kind = self.pick("number", "player", "card", "suit", "rank", "condition")
        if kind == "condition":
            return f"if {self.condition(1)} then 1 else 2"
        return self.make(kind, 1)

    # ---- effects -----------------------------------------------------------------------------------------------

    def effect(self, deep: int = 2) -> str:
        return "; ".join(self.statement(deep) for _ in range(self.dice.choice((1, 1, 2))))

    def statement(self, deep: int = 1) -> str:
        d = deep - 1
        numbers = [lambda: self.variable("integer")]
        laid = self._targets()
        found: list[str | None] = [
            f"{self.pick('add', 'add', 'subtract')} {self.number(1)} to {numbers[0]() or ''}",
            f"set {self.variable('flag') or ''}",
            f"move {self.pick('1', '2', 'all', self.number(1), '1 at random')} from {self.zone()} to {self.zone()}",
            f"move {self.card(1)} to {self.zone()}{self.pick('', '', ' face up', ' face down')}",
            f"move {self.cards(1)} to {self.zone()}",
            f"shuffle {self.zone()}",
            f"turn {self.pick('up', 'down')} {self.card(1)}",
            f"flip {self.zone()}",
            f"show {self.card(1)} to {self.players(1)}",
            f'note "{self.words()}"',
            f'note "{self.words()}"',
            f"if {self.condition(1)} then {self.statement(d) if deep > 0 else 'nothing'} end",
            f"for q in {self.players(0)} do {self._inside('q', 'player', d) if deep > 0 else 'nothing'} end",
            laid,
            self.pick("stay", "again", "reverse", f"skip {self.player(0)}", f"pass turn to {self.player(0)}",
            "finish turn"),
        ]  # fmt: skip
        stages = list(self.tree.get("flow") or {})
        if self.dice.random() < 0.1:
            found.append(f"{self.pick('finish', 'call')} {self.dice.choice(stages)}")
        made = self.dice.choice(found) or "stay"
        if made.startswith("subtract"):
            made = made.replace(" to ", " from ")
        return 'note "hm"' if made.endswith((" to ", " from ", "set ")) else made

    def _inside(self, name: str, kind: str, d: int) -> str:
        kept = self.scope.get(name)
        self.scope[name] = kind
        made = self.statement(d)
        if kept is None:
            del self.scope[name]
        else:
            self.scope[name] = kept
        return made

    def _targets(self) -> str | None:
        kind = self.pick("suit", "rank", "player", "card", "integer")
        target = self.variable(kind)
        if target is None:
            return None
        value = self.make("number" if kind == "integer" else kind, 1)
        if self.dice.random() < 0.3:
            value = f"random of {self._drawn(kind)}"
        return f"{self.pick('set', 'set', 'clear')} {target} to {value}".replace("clear ", "set ")

    def _drawn(self, kind: str) -> str:
        sets = {"suit": "suits", "rank": "ranks", "player": self.players(1), "card": self.cards(0)}
        lists = self.named("options", type="list of integer")
        return sets.get(kind) or (self.dice.choice(lists) if lists else "none")


def _is_effect(said: Any) -> bool:
    return isinstance(said, dict) and "effect" in said


_TOLD = {"card": "card", "c": "card", "p": "player", "player": "player", "suit": "suit", "rank": "rank", "n": "number"}


def told_by(name: str) -> str | None:
    """The type of what has a name that tells it."""
    return _TOLD.get(name)


# ---- what holds at a place --------------------------------------------------------------------------------------

_FORMS = {
    "from": "card", "players": "player", "suits": "suit", "ranks": "rank", "number": "number", "choice": "word",
    "flag": "condition", "teams": "team", "zones": "zone", "tokens": "token", "text": "text",
}  # fmt: skip


def scope_at(tree: Tree, path: Path) -> tuple[dict[str, str], bool]:
    """The names that hold at a path with their types, and whether somebody acts there."""
    scope: dict[str, str] = {}
    acts = False
    at: Any = tree
    for number, step in enumerate(path):
        at = at[step] if isinstance(at, list) or step in at else {}
        if step in ("actions", "anytime", "lead", "follow", "cards"):
            acts = True
        if path[number - 1 : number] in (("lead",), ("follow",)) or step in ("lead", "follow", "on card"):
            scope["card"] = "card"
        if isinstance(at, dict):
            for key in ("choose",):
                for name, said in (at.get(key) or {}).items() if isinstance(at.get(key), dict) else ():
                    scope[name] = _form(said)
            for name, said in (at.get("with") or {}).items() if isinstance(at.get("with"), dict) else ():
                kind = said.get("type") if isinstance(said, dict) else said
                scope[name] = "number" if kind == "integer" else str(kind)
        if step in ("penalty", "on breach", "wrong claim"):
            scope |= {"offender": "player"}
    if path[:1] == ("define",) and len(path) > 1:
        scope |= {param: told_by(param) or "?" for param in defined(str(path[1]))[1]}
        if "?" in scope.values():
            scope = {name: kind if kind != "?" else "player" for name, kind in scope.items()}
    return scope, acts


def _form(said: Any) -> str:
    if not isinstance(said, Mapping):
        return "word"
    form = next((kind for key, kind in _FORMS.items() if key in said), "word")
    return "cards" if form == "card" and "count" in said else form


_WANTED = {
    "when": "condition", "until": "condition", "law": "condition", "where": "condition", "exact": "condition",
    "charge each": "condition", "pauses": "condition", "count": "number", "points": "number", "keep": "number",
    "capacity": "number", "hands": "number", "rank": "number", "scores": "number", "places": "number",
    "after": "number",
    "first": "player", "leader": "player", "next leader": "player", "next dealer": "player", "first dealer": "player",
    "for": "players", "seen by": "players", "count seen by": "players", "claimers": "players", "players": "players",
    "winners": "players", "from": "cards", "suit": "suit", "trump": "suit", "ties": "player", "row": "card",
}  # fmt: skip


def wanted_at(path: Path, kind: str) -> str:
    """The type of a value at a path, as far as its key tells."""
    key = str(path[-1]) if path else ""
    if kind in ("condition", "law"):
        return "condition"
    if kind == "people":
        return "players"
    return _WANTED.get(key, "number")
