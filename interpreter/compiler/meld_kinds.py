"""Kinds of combination in one game: how large they are, and whether its pack can make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.base.diagnostics import Report, Span
from interpreter.compiler import core as c
from interpreter.compiler.constant import Impossible
from interpreter.compiler.core import Expr
from interpreter.compiler.layout import Layout
from interpreter.engine.melds.combinations import MeldKind
from interpreter.language import typed as t
from interpreter.language.asked_melds import MOST_CARDS, asked
from interpreter.language.model import MeldDef
from interpreter.language.typed import Typed


def kinds_of(layout: Layout) -> list[MeldKind]:
    """The kinds of a game. Raises Impossible where a size is no number, or none of these is asked for."""
    found = [_kind(layout, kind) for kind in layout.model.melds.values()]
    _refuse_asked(layout, found)
    return found


def _refuse_asked(layout: Layout, kinds: list[MeldKind]) -> None:
    """Raise Impossible where an option asks for melds of other sizes than there are of their kind."""
    sizes = {kind.name: (kind.low, kind.high) for kind in kinds}
    for option in layout.model.options.values():
        if option.type.item == t.ASKED_MELDS:
            for text in (text for item in layout.options[option.name] or () for text in item):
                one = asked(text)
                assert one is not None, "options are looked at"
                low, high = sizes[one.kind]
                if one.high < low or one.low > high:
                    size = f"{low}" if low == high else f"{low} to {high}" if high < MOST_CARDS else f"{low} or more"
                    message = f"'{option.name}' asks for {text}, but '{one.kind}' has {size} cards"
                    raise Impossible(message, option.span, "ask for as many as it can have")


def _kind(layout: Layout, kind: MeldDef) -> MeldKind:
    most = len(layout.cards)
    naturals = _range(layout, kind.naturals, most) if kind.naturals else (1, most)
    wilds = _range(layout, kind.wilds, most) if kind.wilds else (0, most)
    parts = tuple(_shape(layout, part, naturals, (0, most)) for part in kind.parts)
    if not parts:
        return _shape(layout, kind, naturals, wilds)
    sizes = sum(part.low for part in parts), sum(part.high for part in parts)
    return MeldKind(kind.name, *sizes, wilds=wilds, parts=parts)


def _shape(layout: Layout, kind: MeldDef, naturals: tuple[int, int], wilds: tuple[int, int]) -> MeldKind:
    assert kind.size is not None
    ranks = layout.model.ranks
    orders = (layout.model.orders[name] if name else ranks for name in kind.orders)
    return MeldKind(
        kind.name,
        *_range(layout, kind.size, min(MOST_CARDS, len(layout.cards))),
        kind.same,
        tuple(tuple(ranks.index(rank) for rank in order if rank in ranks) for order in orders),
        1 if kind.each is None else layout.number(kind.each),
        kind.wrap,
        naturals,
        wilds,
    )


def _range(layout: Layout, bounds: tuple[Typed, Typed | None], most: int) -> tuple[int, int]:
    low, high = bounds
    found = layout.number(low)
    return found, max(found, most) if high is None else layout.number(high)


def wild_among(kind: MeldDef) -> t.Select | None:
    """The cards that may stand for others in melds of a kind; None where none may."""
    if kind.wild is None:
        return None
    pack = t.Builtin("pack", t.CARDS, kind.span)
    return t.Select("all", "card", t.CARD, pack, kind.wild, None, t.CARDS, kind.span)


# ---- what cannot be -------------------------------------------------------------------------------------


def check_melds(layout: Layout, wild: dict[str, Expr], report: Report) -> None:
    """Report kinds that no cards of the pack can make. wild: by kind, the cards that stand for others, as bits.

    Raises Impossible where a size is no number.
    """
    for kind, made in zip(layout.model.melds.values(), kinds_of(layout), strict=True):
        _Check(layout, kind, wild[kind.name], report).kind(made)


class _Check:
    """Looks at one kind."""

    def __init__(self, layout: Layout, kind: MeldDef, wild: Expr, report: Report) -> None:
        self._layout = layout
        self._kind = kind
        self._report = report
        every = (1 << len(layout.cards)) - 1
        known = wild.value if isinstance(wild, c.Lit) else every if wild == c.PACK else None
        self._wild = every if known is None else known
        """The cards that may be wild, as far as that is known."""
        self._surely_wild = 0 if known is None or kind.wild is None else known
        self._all_wild = known == every
        self._most_wild = len(layout.cards)
        """How many of its cards may be wild."""

    def kind(self, made: MeldKind) -> None:
        kind = self._kind
        if self._all_wild and kind.wild is not None:
            hint = "say which cards are wild, such as 'card is joker'"
            self._error(kind.wild.span, f"every card of the pack is wild in '{kind.name}'", hint)
            return
        first = made.parts[0] if made.parts else made
        if kind.naturals is not None and not self._is_range(kind.naturals, first.naturals, "naturals"):
            return
        if kind.wilds is not None and not self._wilds(kind.wilds, made, first.naturals):
            return
        self._most_wild = made.wilds[1]
        shapes = list(zip(kind.parts, made.parts, strict=True)) or [(kind, made)]
        if all([self._shape(*shape) for shape in shapes]):
            self._overlap(shapes)

    def _error(self, span: Span, message: str, hint: str = "") -> None:
        self._report.error("E508", span, message, hint)

    def _is_range(self, bounds: tuple[Typed, Typed | None], found: tuple[int, int], what: str) -> bool:
        low, high = found
        end = bounds[1] or bounds[0]
        if low > high:
            self._error(bounds[0].span, f"'{what}' goes from {low} down to {high}", f"{what}: {high}..{low}")
        elif low < (least := 0 if what == "wilds" or (what == "naturals" and not self._kind.parts) else 1):
            self._error(bounds[0].span, f"'{what}' is at least {least}, not {low}")
        elif high > MOST_CARDS and bounds[1] is not None:
            self._error(end.span, f"a meld has at most {MOST_CARDS} cards, not {high}")
        else:
            return True
        return False

    def _wilds(self, bounds: tuple[Typed, Typed | None], made: MeldKind, naturals: tuple[int, int]) -> bool:
        """Whether so many of its cards can be wild. naturals: how many of it, or of each part, are not."""
        if not self._is_range(bounds, made.wilds, "wilds"):
            return False
        (fewest, most), (few, many) = (number * max(1, len(made.parts)) for number in naturals), made.wilds
        if few + fewest > made.high:
            message = f"it has at most {made.high} cards, {fewest} of them not wild, so not {few} wild ones"
        elif many + most < made.low:
            rest = made.low - most
            message = f"it has at least {made.low} cards, at most {most} of them not wild, so {rest} or more are wild"
        else:
            return True
        self._error(bounds[0].span, message)
        return False

    def _shape(self, kind: MeldDef, made: MeldKind) -> bool:
        """Whether a kind, or a part of one, can be."""
        assert kind.size is not None
        if not self._is_range(kind.size, (made.low, made.high), "size"):
            return False
        span = kind.size[0].span
        if kind.each is not None and not 1 <= made.each <= MOST_CARDS:
            self._error(kind.each.span, f"'each' is from 1 to {MOST_CARDS}, not {made.each}")
        elif made.high // made.each * made.each < made.low:
            size = f"{made.low}" if made.low == made.high else f"{made.low} to {made.high}"
            self._error(span, f"with {made.each} cards of each rank it cannot have {size}", f"size: {2 * made.each}..")
        elif (most := self._most(made)) < made.low:
            what = {"rank": "of one rank", "suit": "of one suit"}.get(made.same, "that follow one another")
            what = "of one suit that follow one another" if made.orders and made.same else what
            message = f"no cards of the pack make '{kind.name}': it has at most {most} {what}"
            self._error(span, message if most else message.partition(":")[0], "ask for fewer cards, or more packs")
        elif made.naturals[0] > made.high:
            assert self._kind.naturals is not None
            message = f"it has at most {made.high} cards, so not {made.naturals[0]} that are not wild"
            self._error(self._kind.naturals[0].span, message)
        else:
            return True
        return False

    def _most(self, made: MeldKind) -> int:
        """The most cards that such a meld can have, counted generously where cards are wild."""
        layout, spare = self._layout, min(self._wild.bit_count(), self._most_wild)
        natural = [card for card in range(len(layout.cards)) if not self._surely_wild >> card & 1]
        faces = [(layout.card_suit[card], layout.card_rank[card]) for card in natural]
        if not made.orders:
            held = Counter(rank if made.same == "rank" else suit for suit, rank in faces if rank is not None)
            return max(held.values(), default=-spare) + spare
        lanes = Counter((suit if made.same else None, rank) for suit, rank in faces if rank is not None)
        stretches = (
            _stretches([lanes[lane, rank] for rank in order], made, spare)
            for lane in {lane for lane, _ in lanes}
            for order in made.orders
        )
        return max((found for stretch in stretches for found in stretch), default=0)

    def _overlap(self, shapes: list[tuple[MeldDef, MeldKind]]) -> None:
        """Parts that are made alike have the same sizes, or sizes apart: else it is open which of them is which."""
        for at, (kind, made) in enumerate(shapes):
            for _, other in shapes[:at]:
                alike = (made.same, made.orders, made.each) == (other.same, other.orders, other.each)
                if alike and made != other and made.low <= other.high and other.low <= made.high:
                    assert kind.size is not None
                    message = f"this part of '{self._kind.name}' and one before it can be of the same size"
                    self._error(kind.size[0].span, message, "give them the same sizes, or sizes apart")
                    return


def _stretches(held: list[int], made: MeldKind, spare: int) -> Iterator[int]:
    """How many cards can follow one another, from each rank of an order on. held: by place in the order, how many."""
    around = held * 2 if made.wrap else held
    for start in range(len(held)):
        left = spare
        found = 0
        for number in around[start : start + len(held)]:
            left -= max(0, made.each - number)
            if left < 0:
                break
            found += made.each
        yield found
