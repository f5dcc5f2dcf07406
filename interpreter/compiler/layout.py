"""Numbers for everything: cards, places and slots of a game whose players and options are fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import product
from math import prod
from typing import Any, TypeVar

from interpreter.base.diagnostics import Span
from interpreter.compiler.constant import Impossible, NotConstant, Settled, Unanswerable
from interpreter.language import typed as t
from interpreter.language.check.names import added_code
from interpreter.language.model import Choice, Depends, Dimension, Model, VarDef, ZoneDef
from interpreter.language.typed import Typed

Said = TypeVar("Said")
NAMED_RANKS = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}


MOST_CARDS = 2_000
MOST_COPIES = 16
MOST_PLACES = 1_000
"""In one dimension, and in a family of several."""
MOST_SLOTS = 50_000
"""Places of all zones together, and slots of all variables."""
ROOM = {"list": 25, "text": 5}
"""What a variable counts that may hold much: 1,000 items, 1,000 letters."""


@dataclass(slots=True)
class Family:
    """A zone's places or a variable's slots: numbers base to base + size - 1, in the order of `keys`."""

    base: int
    sizes: tuple[int, ...]
    starts: tuple[int, ...]
    """What the ruleset counts from in each dimension: 0 for persons, teams, suits, ranks and cards."""
    keys: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.keys)

    @property
    def places(self) -> range:
        return range(self.base, self.base + self.size)


@dataclass(slots=True)
class _None:
    """The answer where there is none. why: what makes the exception that says so: one that is raised keeps all that was
    going on where it was raised, and a layout that kept it would be kept by itself."""

    why: Callable[[], Exception]


@dataclass
class Layout:
    """The numbers of one game."""

    model: Model
    n: int
    options: Mapping[str, Any]
    honor: bool
    cards: list[str] = field(default_factory=list)
    card_rank: list[int | None] = field(default_factory=list)
    card_suit: list[int | None] = field(default_factory=list)
    first_copy: list[int] = field(default_factory=list)
    by_name: dict[str, int] = field(default_factory=dict)
    zones: dict[str, Family] = field(default_factory=dict)
    variables: dict[str, Family] = field(default_factory=dict)
    arguments: dict[tuple[str, str], int] = field(default_factory=dict)
    slots: int = 0
    teams: tuple[int, ...] = ()
    _answers: dict[int, tuple[Typed, object]] = field(default_factory=dict, compare=False, repr=False)
    """What always is so, by what was asked: it is asked of everything, and again of what it stands in."""

    @property
    def team_count(self) -> int:
        return max(self.teams) + 1

    @property
    def multi(self) -> bool:
        return any(first != card for card, first in enumerate(self.first_copy))

    @cached_property
    def _settled(self) -> Settled:
        return Settled(self.options, self.n, self.honor, self.model.ranks)

    @cached_property
    def all_take_part(self) -> bool:
        """Whether `players` is everyone, in every stage."""
        return all(stage.players is None for stage in self.model.stages.values())

    def constant(self, node: Typed) -> Any:
        """What something always is in play. Raises NotConstant, and Unanswerable where it has no value."""
        if id(node) not in self._answers:
            found: object
            try:
                found = self._settled.constant(node, self.all_take_part, self.constant)
                if self.cards and node.type.kind == "card" and found is not None and found not in self.by_name:
                    raise NotConstant("a card that is not in the pack, and equal to none")
            except NotConstant as error:
                found = _None(partial(NotConstant, *error.args))
            except Unanswerable as error:
                found = _None(partial(Unanswerable, str(error), error.span, error.hint))
            self._answers[id(node)] = node, found
        answer = self._answers[id(node)][1]
        if isinstance(answer, _None):
            raise answer.why()
        return answer

    def known(self, node: Typed) -> Any:
        """What something always is in play, None also where that is not settled or where it has no value."""
        try:
            return self.constant(node)
        except (NotConstant, Unanswerable):
            return None

    def before(self, node: Typed) -> Any:
        """Something that is needed before play. Raises Impossible."""
        return self._settled.before_play(node)

    def number(self, node: Typed) -> int:
        """A number that is needed before play. Raises Impossible."""
        found = self.before(node)
        if type(found) is not int:
            raise Impossible(f"this is {'none' if found is None else found}, but a number is needed here", node.span)
        return found

    def row(self, depends: Depends) -> Typed | None:
        """The row of a dependent value that holds in this game. Raises Impossible."""
        return self._settled.chosen_row(depends)

    def settled(self, said: Said | Choice[Said]) -> Said:
        """What a key says in this game."""
        if isinstance(said, Choice):
            return next(row for condition, row in said.rows if self.before(condition))
        return said


def lay_out(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Layout:
    """Number the cards, places and slots. Raises Impossible if options make the pack, places or teams impossible."""
    layout = Layout(model, players, options, honor)
    _number_cards(layout)
    _seat_teams(layout)
    _check_numbers(layout)
    place = 0
    for name, zone in model.zones.items():
        layout.zones[name] = _family(layout, zone, place)
        place += layout.zones[name].size
        if place > MOST_SLOTS:
            raise Impossible(f"with this there are {place:,} places, and {MOST_SLOTS:,} at most", zone.span)
    slot = room = 0
    for name, variable in model.variables.items():
        layout.variables[name] = _family(layout, variable, slot)
        slot += layout.variables[name].size
        room += layout.variables[name].size * ROOM.get(variable.type.kind.partition(" ")[0], 1)
        if room > MOST_SLOTS:
            counted = f" (a list counts as {ROOM['list']}, a text as {ROOM['text']})" if room > slot else ""
            message = f"with this there are {room:,} variables, and {MOST_SLOTS:,} at most{counted}"
            raise Impossible(message, variable.span)
    for stage in model.stages.values():
        for param, _ in stage.params:
            layout.arguments[stage.name, param] = slot
            slot += 1
    layout.slots = slot
    return layout


def _check_numbers(layout: Layout) -> None:
    """What is settled before play has a value, as far as options and players settle it."""
    model = layout.model
    for variable in model.variables.values():
        low, high = (_settled_number(layout, bound) for bound in (variable.minimum, variable.maximum))
        if low is not None and high is not None and low > high:
            raise Impossible(f"'{variable.name}' goes from {low} to {high}", variable.span, "min is not more than max")
        if variable.default is not None and variable.type.kind == "integer" and not variable.type.optional:
            default = _settled_number(layout, variable.default)
            ends = [default if end is None else end for end in (low, high)]
            if default is not None and not ends[0] <= default <= ends[1]:  # type: ignore[operator]
                raise Impossible(f"the default {default} is not between {low} and {high}", variable.default.span)
    for zone in model.zones.values():
        if zone.capacity is not None:
            most = _settled_number(layout, zone.capacity)
            pack = len(layout.cards)
            if zone.pack and most is not None and most < pack:
                message = f"'{zone.name}' holds {most} cards at most, and the pack, which lies there first, has {pack}"
                raise Impossible(message, zone.capacity.span, "let it have room for the pack, or say no capacity")
        if zone.refill is not None:
            _settled_number(layout, zone.refill.keep)
    for token in model.tokens.values():
        if token.named is not None and layout.before(token.named) is None:
            raise Impossible("this is none, but a piece needs a name", token.named.span)
    if model.honor is not None and model.honor.charge_each is not None:
        layout.before(model.honor.charge_each)
    for stage in model.stages.values():
        if stage.first_dealer is not None:
            with suppress(NotConstant):
                layout.constant(stage.first_dealer)


def _settled_number(layout: Layout, node: Typed) -> int | None:
    """A number that may depend on the state of play (None), but is not none. Raises Impossible."""
    try:
        layout.constant(node)
    except NotConstant:
        return None
    return layout.number(node)


def may_hold_none(kind: t.Type) -> bool:
    """Whether a variable may hold none: also one that does not say so, where nothing sees to it that it is not set to
    that, as to the suit of no card, or to a card that is not in the pack."""
    return kind.optional or kind.kind in ("card", "suit", "rank", "colour", "team", "choice")


def few_valued(layout: Layout) -> dict[str, tuple[int, tuple[Any, ...]]]:
    """Variables that have one slot and few values: name -> its slot and the values, as they are kept there."""
    found = {}
    for name, variable in layout.model.variables.items():
        kind = variable.type
        values: tuple[Any, ...] = {
            "suit": tuple(range(len(layout.model.suits))), "flag": (False, True), "choice": kind.symbols,
        }.get(kind.kind, ())  # fmt: skip
        if values and not variable.dims:
            found[name] = (layout.variables[name].base, (*values, None) if may_hold_none(kind) else values)
    return found


def _seat_teams(layout: Layout) -> None:
    size = layout.model.team_size
    if size is None:
        layout.teams = tuple(range(layout.n))
        return
    each = layout.number(size)
    if each < 1 or layout.n % each:
        raise Impossible(f"{layout.n} players do not make teams of {each}", size.span)
    count = layout.n // each
    across = layout.model.team_seated == "across"
    layout.teams = tuple(p % count if across else p // each for p in range(layout.n))


def _family(layout: Layout, what: ZoneDef | VarDef, base: int) -> Family:
    axes = [_axis(layout, dim) for dim in what.dims]
    sizes = tuple(map(len, axes))
    if prod(sizes) > MOST_PLACES:
        raise Impossible(f"'{what.name}' has {prod(sizes):,} places, and {MOST_PLACES:,} at most", what.span)
    starts = tuple(0 if dim == "card" else axis[0] for dim, axis in zip(what.dims, axes, strict=True))
    return Family(base, sizes, starts, tuple(product(*axes)))


def _axis(layout: Layout, dim: Dimension) -> Sequence[int]:
    """What there is one of something for, in one dimension: numbers in order; of equal cards the first."""
    match dim:
        case "player":
            return range(layout.n)
        case "team":
            return range(layout.team_count)
        case "suit":
            return range(len(layout.model.suits))
        case "rank":
            return range(len(layout.model.ranks))
        case "card":
            return sorted(set(layout.first_copy))
    low, high = map(layout.number, dim)
    if not 1 <= high - low + 1 <= MOST_PLACES:
        message = f"'each' goes from {low} to {high}, and it has 1 to {MOST_PLACES:,} numbers"
        raise Impossible(message, dim[0].span)
    return range(low, high + 1)


def _number_cards(layout: Layout) -> None:
    model, pack = layout.model, layout.model.pack
    copies = layout.number(pack.copies)
    if not 0 <= copies <= MOST_COPIES:
        hint = "'standard: 1' is one pack of 52 cards" if copies == 52 else ""
        raise Impossible(f"{about(copies)} packs: 0 to {MOST_COPIES} are possible", pack.copies.span, hint)
    kept = frozenset(_kept_ranks(layout))
    if len(kept) * len(model.suits) * copies > MOST_CARDS:
        raise Impossible(_TOO_MANY_CARDS, pack.copies.span)
    gone, whole = _removed(layout)
    for rank_number, rank in enumerate(model.ranks):
        if rank not in kept:
            continue
        for suit_number, suit in enumerate(model.suits):
            name = f"{rank}{suit.letter}"
            all_gone = not whole.isdisjoint((("rank", rank), ("suit", suit.name), ("colour", suit.colour)))
            number = 0 if all_gone else max(0, copies - gone[name.upper()])
            _add(layout, name, number, rank_number, suit_number, pack.span)
    for added in pack.add:
        present = added.when is None or layout.before(added.when)
        number = 0 if not present else 1 if added.count is None else layout.number(added.count)
        if not 0 <= number <= MOST_CARDS - len(layout.cards):
            raise Impossible(_TOO_MANY_CARDS if number > 0 else f"{number} cards are added", added.span)
        _add(layout, added_code(added.name), number, None, None, added.span)
        layout.by_name.setdefault(added.name.upper(), layout.by_name.get(added_code(added.name), -1))
    if not layout.cards:
        raise Impossible("the pack is empty", pack.span)
    if "10" in model.ranks:  # T is read for 10
        for name, card in list(layout.by_name.items()):
            if name.startswith("10"):
                layout.by_name.setdefault("T" + name[2:], card)
    layout.by_name = {name: card for name, card in layout.by_name.items() if card >= 0}


_TOO_MANY_CARDS = f"a pack has {MOST_CARDS:,} cards at most"


def about(number: int) -> str:
    """A number for people; a very large one by its digits."""
    if abs(number) < 10**15:
        return f"{number:,}"
    return f"about 10^{len(str(number)) - 1}" if abs(number) < 10**4000 else "endless"


def _add(layout: Layout, name: str, copies: int, rank: int | None, suit: int | None, span: Span) -> None:
    """Put so many of a card into the pack. Raises Impossible where another card is called so: it is no copy of that."""
    first = layout.by_name.get(name.upper())
    if copies and first is not None and first >= 0:
        hint = "call one of them otherwise, or take it out of the pack; large and small letters count as one"
        raise Impossible(f"there is another card '{layout.cards[first]}' in the pack", span, hint, "E518")
    for _ in range(copies):
        card = len(layout.cards)
        layout.cards.append(name)
        layout.card_rank.append(rank)
        layout.card_suit.append(suit)
        layout.first_copy.append(layout.by_name.setdefault(name.upper(), card))


def _kept_ranks(layout: Layout) -> tuple[str, ...]:
    only = layout.model.pack.only
    if only is None:
        return layout.model.ranks
    if isinstance(only, Depends):
        row = layout.row(only)
        return layout.model.ranks if row is None else tuple(str(layout.before(row)).split(","))
    return only


def _removed(layout: Layout) -> tuple[Counter[str], set[tuple[str, str]]]:
    """Single cards that are taken out, so many of each; and the suits, ranks and colours of which all are, by kind."""
    pack = layout.model.pack
    items = pack.remove
    if pack.remove_by is not None:
        by, rows, otherwise = pack.remove_by
        marked = tuple((low, high, t.Const(at, t.INTEGER, by.span)) for at, (low, high, _) in enumerate(rows))
        row = layout.row(Depends(by, marked, None, by.span))
        items = otherwise if row is None else rows[layout.before(row)][2]
    cards, whole = Counter[str](), set[tuple[str, str]]()
    for item in items:
        found = layout.before(item)
        names = [str(name) for name in (found if isinstance(found, tuple) else (found,))]
        kind = (item.type.item or item.type).kind
        if kind == "card":
            cards.update(names)
        else:
            whole.update((kind, name) for name in names)
    return cards, whole


__all__ = ["Family", "Impossible", "Layout", "NotConstant", "about", "few_valued", "lay_out"]
