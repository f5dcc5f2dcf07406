"""What a typed expression means, worked out from `grammar/README.md` and not from the compiler: plain and slow.

Cards are numbers, of which equal ones have different ones; players and teams numbers from 0; suits, ranks, colours and
words are their names; a place is (zone, index). Sets and lists are lists, in the order in which they are gone through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from interpreter.api.game import State
from interpreter.language import typed as t
from interpreter.language.model import Model
from interpreter.language.typed import Typed

LARGEST = 10**18
MOST_NUMBERS = 10_000
OUTSIDE = "outside"
"""A card that is named and is not in the pack."""
NAMES = {"joker": "JK", "big_joker": "JB", "little_joker": "JL"}
RECKONED = ("+", "-", "*", "div", "mod", "greater", "lesser")
Locals = dict[str, Any]


class Failure(Exception):
    """Something that has no value: the match stops there."""


class Unclear(Exception):
    """Something of which the reference does not say what it comes to."""


class Table:
    """What lies and stands where in a match, of which expressions ask. lenient: whether of `and` and `or` what settles
    them may be asked first, and no name of `let` that nobody asks."""

    def __init__(self, state: State, lenient: bool = False) -> None:
        self.model: Model = state.game.ruleset.model
        self.state, self.s, self.lenient = state, state.position, lenient
        self.n = state.game.players
        self.names = self.s.program.cards
        self.suits = [suit.name for suit in self.model.suits]
        self.letters = {suit.letter: suit for suit in self.model.suits}
        self.everyone = list(self.s.seats or range(self.n))
        self.actor: int | None = None
        self.players = sorted(self.everyone)
        self.hidden = {
            name
            for name, zone in self.model.zones.items()
            if not (isinstance(zone.seen_by, t.Builtin) and zone.seen_by.name == "everyone")
            or zone.faces_down or zone.shows_top or zone.turned_down
        }  # fmt: skip
        self.places = [
            ((code.name, tuple(code.keys[at])), code.base + at)
            for code in self.s.program.zones
            if code.name in self.model.zones
            for at in range(code.size)
        ]
        self.number = dict(self.places)

    # ---- cards ---------------------------------------------------------------------------------

    def suit(self, card: int) -> Any:
        name = self.names[card]
        return self.letters[name[-1]].name if name[:-1] in self.model.ranks and name[-1] in self.letters else None

    def rank(self, card: int) -> Any:
        return self.names[card][:-1] if self.suit(card) is not None else None

    def colour(self, card: int) -> Any:
        return self.letters[self.names[card][-1]].colour if self.suit(card) is not None else None

    def named(self, name: str) -> int:
        name = NAMES.get(name, name)
        return self.names.index(name) if name in self.names else OUTSIDE

    def same_face(self, one: int, two: int) -> bool:
        return OUTSIDE not in (one, two) and self.names[one] == self.names[two]

    def lying(self, place: tuple[str, tuple[int, ...]]) -> list[int]:
        """The cards at a place, the bottom first."""
        kept = self.s.z[self.number[place]]
        return [c for c in range(len(self.names)) if kept >> c & 1] if isinstance(kept, int) else list(kept)

    def where(self, card: int) -> tuple[int, int]:
        """The number of the place where a card lies, and at which height."""
        for place, at in self.places:
            if card in self.lying(place):
                return at, self.lying(place).index(card)
        raise AssertionError(card)

    def matches(self, card: int, pattern: str) -> int:
        """How closely a pattern is about a card: 4 the card, 3 rank or suit, 2 colour or range, 1 else, 0 not."""
        rank, ranks = self.rank(card), self.model.ranks
        low, dots, high = pattern.partition("..")
        if self.names[card] in (pattern, NAMES.get(pattern)):
            return 4
        if rank is not None and pattern in (rank, self.suit(card)):
            return 3
        if rank is not None and (
            pattern == self.colour(card) or (dots and ranks.index(low) <= ranks.index(rank) <= ranks.index(high))
        ):
            return 2
        return int(pattern == "else")

    # ---- expressions ---------------------------------------------------------------------------

    def all_players(self) -> None:
        """Who takes part: what the match and the stage that is going on say, one within the other."""
        self.players = sorted(self.everyone)
        for frame in self.s.stack:
            stage = self.model.stages[self.s.program.stages[frame.stage].name]
            if stage.players is not None:
                self.players = sorted(self.of(stage.players, {}))

    def of(self, node: Typed, names: Locals) -> Any:
        match node:
            case t.Const(value):
                return self._const(value, node.type.kind)
            case t.Local(name):
                found = names[name]
                return found() if callable(found) else found
            case t.Builtin(name):
                return self._builtin(name)
            case t.OptionRef(name):
                return self._given(self.state.game.options[name], node.type)
            case t.VarRef(name, index):
                return self._variable(name, [self.of(part, names) for part in index], node.type)
            case t.ZoneRef():
                return self._zone(node, names)
            case t.TableRef(name, key):
                return self._table(name, None if key.type.kind == "none" else self.of(key, names))
            case t.Instance(key, args):
                return self._definition(key, args, names)
            case t.If(condition, then, otherwise):
                return self.of(then if self.of(condition, names) else otherwise, names)
            case t.Let(variable, value, body):
                given = self._later(value, names) if self.lenient else self.of(value, names)
                return self.of(body, {**names, variable: given})
            case t.Quant(kind, name, _, _, where, body):
                for member in self._those(node.domain, name, where, names):
                    if bool(self.of(body, {**names, name: member})) is (kind == "any"):
                        return kind == "any"
                return kind == "all"
            case t.Select():
                return self._select(node, names)
            case t.Fold(kind, name, _, _, where, value):
                members = list(self._those(node.domain, name, where, names))
                if value is None:
                    return len(members)
                worth = [self.of(value, {**names, name: member}) for member in members]
                worth = [one for one in worth if one is not None]
                return (
                    0
                    if not worth
                    else within(sum(worth))
                    if kind == "sum"
                    else min(worth)
                    if kind == "min"
                    else max(worth)
                )
            case t.Op("and" | "or", args):
                return self._joined(node.op == "or", args, names)
            case t.Op():
                return self._operation(node, names)
        raise NotImplementedError(type(node).__name__)

    def _const(self, value: Any, kind: str) -> Any:
        if value is None:
            return None
        return self.named(value) if kind == "card" else int(value[1:]) - 1 if kind == "player" else value

    def _given(self, value: Any, kind: t.Type) -> Any:
        if isinstance(value, tuple | list):
            assert kind.item is not None
            return [self._const(one, kind.item.kind) for one in value]
        return self._const(value, kind.kind)

    def _builtin(self, name: str) -> Any:
        s = self.s
        found: dict[str, Callable[[], Any]] = {
            "actor": lambda: self.actor, "current": lambda: s.current, "dealer": lambda: s.dealer,
            "players": lambda: self.players, "everyone": lambda: sorted(self.everyone),
            "direction": lambda: "left" if s.direction > 0 else "right", "teams": lambda: sorted(set(s.teams)),
            "pack": lambda: list(range(len(self.names))), "suits": lambda: self.suits,
            "ranks": lambda: list(self.model.ranks), "honor": lambda: False,
        }  # fmt: skip
        return found[name]()

    def _variable(self, name: str, index: list[Any], kind: t.Type) -> Any:
        if None in index or OUTSIDE in index:
            return nothing(kind)
        code = self.s.program.variables[name]
        key = tuple(self._index(dim, part) for dim, part in zip(self.model.variables[name].dims, index, strict=True))
        if key not in code.keys:
            raise Failure("there is no such variable")
        return self._kept(self.s.v[code.base + code.keys.index(key)], kind)

    def _index(self, dim: Any, part: Any) -> int:
        if dim == "suit" and part is not None:
            return self.suits.index(part)
        if dim == "rank" and part is not None:
            return self.model.ranks.index(part)
        found: int = self.named(self.names[part]) if dim == "card" else part
        return found

    def _kept(self, value: Any, kind: t.Type) -> Any:
        """What a variable holds, as it is meant here."""
        if value is None:
            return None
        if kind.kind == "set" and isinstance(value, int):
            return [at for at in range(len(self.names)) if value >> at & 1]
        if kind.kind in ("set", "list"):
            return list(value)
        return self.suits[value] if kind.kind == "suit" else self.model.ranks[value] if kind.kind == "rank" else value

    def _zone(self, node: t.ZoneRef, names: Locals) -> Any:
        index = [self.of(part, names) for part in node.index]
        if None in index and len(index) == len(self.model.zones[node.name].dims):
            return []
        dims = self.model.zones[node.name].dims
        if index and node.index[0].type.kind == "place":
            return self.lying(index[0])
        key = tuple(self._index(dim, part) for dim, part in zip(dims, index, strict=False))
        if len(key) < len(dims) and None in key:
            raise Unclear
        there = [place for place, _ in self.places if place[0] == node.name and place[1][: len(key)] == key]
        if not there:
            raise Failure("there is no such place")
        return self.lying(there[0]) if len(key) == len(dims) else there

    def _table(self, name: str, card: Any) -> Any:
        table = self.model.tables[name]
        otherwise = 0 if table.type.kind == "integer" else None
        if table.by is None:
            if card is None or card == OUTSIDE:
                return nothing(table.type)
            rows = sorted((-self.matches(card, row.pattern), at) for at, row in enumerate(table.rows))
            if not rows or rows[0][0] == 0:
                return otherwise
            return self.of(table.rows[rows[0][1]].value, {table.card: card})
        key = self.of(table.by, {})
        best: list[tuple[int, int]] = []
        for at, row in enumerate(table.rows):
            match row.ends:
                case None:
                    best.append((LARGEST, at))
                case (int(low), int(high)):
                    best += [(high - low, at)] if key is not None and low <= key <= high else []
                case (word, _):
                    best += [(0, at)] if self._is_word(key, str(word), table.by.type.kind) else []
        return otherwise if not best else self.of(table.rows[min(best)[1]].value, {})

    def _is_word(self, key: Any, word: str, kind: str) -> bool:
        if kind == "flag":
            return bool(key) is (word == "true")
        found = self._const(word, kind)
        return self.same_face(key, found) if kind == "card" and key is not None else bool(found == key)

    def _definition(self, key: str, args: tuple[Typed, ...], names: Locals) -> Any:
        instance = self.model.instances[key]
        given: list[Any] = []
        for arg in args[len(args) - len(instance.params) :]:
            given.append(self._later(arg, names) if self.lenient else self.of(arg, names))
        for (_, kind), value in zip(instance.params, given, strict=True):
            if not kind.optional and kind.kind != "none" and self._is_none(value):
                return nothing(instance.body.type)
        return self.of(instance.body, dict(zip([name for name, _ in instance.params], given, strict=True)))

    def _later(self, node: Typed, names: Locals) -> Callable[[], Any]:
        return lambda: self.of(node, names)

    def _is_none(self, value: Any) -> bool:
        """Whether a definition is given none; in the lenient reading what fails may not be asked."""
        try:
            return (value() if callable(value) else value) in (None, OUTSIDE)
        except Failure:
            return False

    def _those(self, domain: Typed, name: str, where: Typed | None, names: Locals) -> Iterable[Any]:
        for member in list(self.of(domain, names)):
            if where is None or self.of(where, {**names, name: member}):
                yield member

    def _joined(self, settles: bool, args: Iterable[Typed], names: Locals) -> bool:
        failure: Failure | None = None
        for arg in args:
            try:
                if bool(self.of(arg, names)) is settles:
                    return settles
            except Failure as error:
                if not self.lenient:
                    raise
                failure = error
        if failure is not None:
            raise failure
        return not settles

    # ---- sets in an order ----------------------------------------------------------------------

    def _select(self, node: t.Select, names: Locals) -> Any:
        members = list(self._those(node.domain, node.variable, node.where, names))
        if node.kind == "first" or node.by is not None:
            members = self.in_turn(node.domain, members, node.where, node.by)
        if node.by is not None:
            in_order = self._ordered_by(node.by, node.variable, members, names)
            if in_order != self._ordered_by(
                node.by, node.variable, list(self._those(node.domain, node.variable, node.where, names)), names
            ):
                raise Unclear  # of equal ones in several places
            members = in_order
        if node.kind == "all":
            return members
        return members[0] if members else [] if node.item.kind == "set" else None

    def _ordered_by(self, by: Typed, name: str, members: list[Any], names: Locals) -> list[Any]:
        """Members in the order of a number, none first; equal ones as they come."""
        numbers = {at: self.of(by, {**names, name: one}) for at, one in enumerate(members)}
        order = sorted(numbers, key=lambda at: -LARGEST * 2 if numbers[at] is None else numbers[at])
        return [members[at] for at in order]

    def in_turn(self, domain: Typed, members: list[Any], *asked: Typed | None) -> list[Any]:
        """Cards that may lie in several places, not all of which everybody sees, come place by place."""
        if domain.type.item != t.CARD or self._has_order(domain):
            return members
        if any(isinstance(part, t.Builtin) and part.name == "pack" for part in self._parts(domain)):
            asks = [*self._parts(domain), *(part for one in asked if one is not None for part in self._parts(one))]
            by_place = self.hidden and any(map(_asks_where, asks))
            return sorted(members, key=self.where) if by_place else members
        zones = [part for part in t.walk(domain) if isinstance(part, t.ZoneRef) and part.type == t.CARDS]
        apart = len({(zone.name, repr(zone.index)) for zone in zones}) > 1
        if apart and any(zone.name in self.hidden for zone in zones):
            return sorted(members, key=lambda card: self.where(card)[0])
        return members

    def _has_order(self, node: Typed) -> bool:
        """Whether the rules say in which order cards come."""
        match node:
            case t.Select("all"):
                return node.by is not None or self._has_order(node.domain)
            case t.Op("first" | "top cards" | "bottom cards", (_, group)) | t.Op("without", (group, _)):
                return self._has_order(group)
            case t.Op("union", args):
                return any(map(self._has_order, args))
            case t.If(_, then, otherwise):
                return self._has_order(then) or self._has_order(otherwise)
            case t.Instance(key):
                return self._has_order(self.model.instances[key].body)
            case t.Let():
                return self._has_order(node.body)
        return False

    def _parts(self, node: Typed) -> Iterable[Typed]:
        """The parts of an expression, those of the definitions that it uses among them."""
        for part in t.walk(node):
            yield part
            if isinstance(part, t.Instance):
                yield from self._parts(self.model.instances[part.key].body)

    # ---- operations ----------------------------------------------------------------------------

    def _operation(self, node: t.Op, names: Locals) -> Any:
        op = node.op
        try:
            args = [self.of(arg, names) for arg in node.args]
        except Failure as error:
            if self.lenient and op in ("<", "<=", ">", ">="):  # which may be settled by what numbers can be at all
                raise Unclear from error
            if self.lenient and op in RECKONED and self._is_any_none(node, names):
                return None
            raise
        kinds = [arg.type.kind for arg in node.args]
        match op:
            case "=" | "!=" if "none" in kinds:
                return (args[0] in (None, OUTSIDE) and args[1] in (None, OUTSIDE)) is (op == "=")
            case "=" | "!=":
                if (
                    OUTSIDE in args
                    and kinds[args.index(OUTSIDE) - 1] == "card"
                    and (None in args or args[0] == args[1])
                ):
                    raise Unclear
                same = args[0] == args[1]
                if kinds == ["card", "card"] and None not in args:
                    same = self.same_face(*args)
                return same is (op == "=")
            case "<" | "<=" | ">" | ">=":
                return self._ordered(op, args, kinds)
            case "not":
                return not args[0]
            case "in":
                return args[0] is not None and args[0] in self._as_meant(node, args[1])
            case "without":
                left_out = self._as_meant(node, args[1])
                return [member for member in args[0] if member not in left_out]
            case "group" | "union":
                return self._together(node, args)
            case "is empty":
                return not args[0]
            case "count":
                if kinds[0] == "place":
                    return 0 if args[0] is None else len(self.lying(args[0]))
                return len(args[0])
            case "numbers":
                return self._numbers(args, kinds[0])
            case "subsets":
                low, high = (*args[1:], len(args[0]))[:2]
                sizes = [] if None in args else range(max(0, low), min(high, len(args[0])) + 1)
                return [list(some) for size in sizes for some in combinations(args[0], size)]
            case "top" | "newest" | "bottom":
                members = self.in_turn(node.args[0], args[0])
                return None if not members else members[0 if op == "bottom" else -1]
            case "top cards" | "bottom cards" | "first" | "card number":
                return self._some(op, args[0], self.in_turn(node.args[1], args[1]))
            case "matches":
                return args[0] not in (None, OUTSIDE) and self.matches(args[0], node.name) > 0
            case "face up" | "face down":
                return args[0] not in (None, OUTSIDE) and self._is_up(args[0]) is (op == "face up")
            case "distance" | "distance around" | "next in rank" if None in args:
                return False if op == "next in rank" else None
            case "item" | "cycle" if None in args:
                raise Unclear
            case "item" | "cycle":
                return self._listed(op, *args)
            case "holder of":
                return self._holder(node, args[0])
            case "lowest" | "highest":
                return self._extreme(op, node.name)
            case "owner of" | "index of" if args[0] is not None:
                return args[0][1][0] if op == "owner of" else args[0][1][-1]
        if None in args or (OUTSIDE in args and kinds[0] == "card"):
            return nothing(node.type)  # what is asked of none is none
        return self._asked(node, *args)

    def _is_any_none(self, node: t.Op, names: Locals) -> bool:
        return any(self._is_none(self._later(arg, names)) for arg in node.args)

    def _ordered(self, op: str, args: list[Any], kinds: list[str]) -> bool:
        if None in args:
            return False
        one, two = (self.model.ranks.index(a) if kind == "rank" else a for a, kind in zip(args, kinds, strict=True))
        return bool({"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[op])

    def _as_meant(self, node: t.Op, group: list[Any]) -> list[Any]:
        """What `in` and `without` look for: equal cards, too, where one side is only named."""
        if node.args[1].type.item != t.CARD:
            return group
        lie = [self.lies(arg) for arg in node.args]
        equal = [card for card in range(len(self.names)) if any(self.same_face(card, one) for one in group)]
        if None in lie and False not in lie and sorted(group) != equal:
            raise Unclear
        return group if all(lie) else equal

    def lies(self, node: Typed) -> bool | None:
        """Whether cards are found somewhere, and not written or kept by name; None where it depends."""
        match node:
            case t.Local():
                return node.itself
            case t.Const() | t.VarRef() | t.OptionRef() | t.TableRef():
                return False
            case t.Select():
                return self.lies(node.domain)
            case t.Let():
                return self.lies(node.body)
            case t.If(_, then, otherwise):
                either = self.lies(then), self.lies(otherwise)
                return either[0] if either[0] is either[1] else None
            case t.Instance(key):
                return self.lies(self.model.instances[key].body)
            case t.Op(_, args):
                of_cards = [
                    self.lies(arg) for arg in args if t.CARD in (t.replace(arg.type, optional=False), arg.type.item)
                ]
                return False if False in of_cards else None if None in of_cards else True
        return True

    def _together(self, node: t.Op, args: list[Any]) -> list[Any]:
        found: list[Any] = []
        for arg, of in zip(args, node.args, strict=True):
            for one in arg if of.type.kind in ("set", "list") and node.type.item != of.type else [arg]:
                if one not in (None, OUTSIDE) or (one == OUTSIDE and node.type.item != t.CARD):
                    found += [one] if node.op == "group" or one not in found else []
        return found

    def _numbers(self, ends: list[Any], kind: str) -> list[Any]:
        if None in ends:
            return []
        if kind == "rank":
            low, high = map(self.model.ranks.index, ends)
            return list(self.model.ranks[low : high + 1])
        if ends[1] - ends[0] >= MOST_NUMBERS:
            raise Failure("too many numbers")
        return list(range(ends[0], ends[1] + 1))

    def _some(self, op: str, number: Any, members: list[Any]) -> Any:
        if op == "card number":
            return members[-number] if number is not None and 1 <= number <= len(members) else None
        if number is None or number <= 0:
            return []
        return members[-number:] if op == "top cards" else members[:number]

    def _is_up(self, card: int) -> bool:
        lies = next(place for place, _ in self.places if card in self.lying(place))
        zone = self.model.zones[lies[0]]
        if self.s.up >> card & 1:
            return True
        if zone.shows_top and card != self.lying(lies)[-1]:
            return False
        seen = isinstance(zone.seen_by, t.Builtin) and zone.seen_by.name == "everyone"
        return seen and not zone.faces_down and not self.s.down >> card & 1

    def _listed(self, op: str, number: Any, items: list[Any]) -> Any:
        if number is None or items is None or not items or (op == "item" and not 1 <= number <= len(items)):
            raise Failure("the list has no such item")
        return items[(number - 1) % len(items)]

    def _holder(self, node: t.Op, card: Any) -> Any:
        """That very card's, where it is found somewhere; else of any that is called so."""
        own = [place for place, _ in self.places if self.model.zones[place[0]].dims == ("player",)]
        held = [(place[1][0], c) for place in own for c in self.lying(place)]
        itself = min([player for player, c in held if c == card], default=None)
        named = min([player for player, c in held if card is not None and self.same_face(card, c)], default=None)
        lies = self.lies(node.args[0])
        if lies is None and itself != named:
            raise Unclear
        return itself if lies else named

    def _extreme(self, op: str, name: str) -> list[int]:
        of_team = self.model.variables[name].dims == ("team",)
        kind = self.model.variables[name].type
        worth = {p: self._variable(name, [self.s.teams[p] if of_team else p], kind) for p in self.players}
        best = (min if op == "lowest" else max)(worth.values(), default=None)
        return [p for p in worth if worth[p] == best]

    def _asked(self, node: t.Op, one: Any, two: Any = None) -> Any:
        """What is asked of something that is there."""
        ranks, seats = self.model.ranks, self.everyone
        match node.op:
            case "+" | "-" | "*":
                return within({"+": one + two, "-": one - two, "*": one * two}[node.op])
            case "div" | "mod":
                if two == 0:
                    raise Failure("this divides by 0")
                return within(one // two if node.op == "div" else one % two)
            case "greater" | "lesser":
                return max(one, two) if node.op == "greater" else min(one, two)
            case "suit" | "rank" | "colour":
                return {"suit": self.suit, "rank": self.rank, "colour": self.colour}[node.op](one)
            case "name":
                return self.names[one]
            case "colour of":
                return next(suit.colour for suit in self.model.suits if suit.name == one)
            case "place of":
                order = self.model.orders[node.name] if node.name else ranks
                return order.index(one) + 1 if one in order else 0
            case "distance" | "distance around" | "next in rank":
                apart = abs(ranks.index(one) - ranks.index(two))
                apart = apart if node.op == "distance" else min(apart, len(ranks) - apart)
                return apart == 1 if node.op == "next in rank" else apart
            case "left of" | "right of" | "across from":
                step = {"left of": 1, "right of": -1, "across from": len(seats) // 2}[node.op]
                return seats[(seats.index(one) + step) % len(seats)]
            case "next after":
                after = [
                    seats[(seats.index(one) + at * self.s.direction) % len(seats)] for at in range(1, len(seats) + 1)
                ]
                return next((p for p in after if p in two), one)
            case "seat of":
                return seats.index(one) + 1
            case "team of":
                return self.s.teams[one]
            case "members of":
                return [p for p in range(self.n) if self.s.teams[p] == one]
            case "partner of":
                own = [p for p in range(self.n) if self.s.teams[p] == self.s.teams[one]]
                return own[(own.index(one) + 1) % len(own)]
            case "others":
                return [p for p in sorted(self.everyone) if p != one]
            case "start":
                return two[: max(0, one)]
        raise NotImplementedError(node.op)


def nothing(kind: t.Type) -> Any:
    """What is asked of none: none; but a condition is a yes or no, and none as a set has no members."""
    return [] if kind.kind in ("set", "list") else False if kind.kind == "flag" and not kind.optional else None


def within(number: int) -> int:
    if abs(number) > LARGEST:
        raise Failure("this number grows beyond 10^18")
    return number


def _asks_where(part: Typed) -> bool:
    """Whether it is asked where cards lie, or what was kept of them, and not only what they are."""
    match part:
        case t.ZoneRef():
            return True
        case t.VarRef():
            return t.CARD in (t.replace(part.type, optional=False), part.type.item)
        case t.Local():
            return part.type.kind in ("set", "place")
        case t.Op(op):
            return op in ("holder of", "player of", "face up", "face down")
    return False
