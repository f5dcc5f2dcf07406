"""Moves of cards as statements of the core: quickly where they lie as bits and nobody else has a say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.cards import as_mask, cards
from interpreter.compiler.lower.combined import comes_by_face, where_it_lies
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.indexing import place, places
from interpreter.compiler.lower.melds import asked_zones
from interpreter.compiler.lower.trees import is_cards
from interpreter.compiler.made import local_name
from interpreter.compiler.order import feeding_zones
from interpreter.compiler.writer import Writer
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.check.lying import is_hidden
from interpreter.language.typed import Typed


class Transfers:
    """Lowers moves of cards of one game into a writer.

    faces: whether cards lie face down until they are turned up. guarded: zones whose places are refilled, or refill
    others, or have a capacity: moves there take the long way.
    """

    def __init__(self, expressions: Expressions, out: Writer, faces: bool, guarded: frozenset[str]) -> None:
        self.e = expressions
        self.out = out
        self.faces = faces
        self.guarded = guarded
        self.feeding = feeding_zones(expressions.layout)
        self.bits: dict[Expr, Expr] = {}
        """A card -> its bit, where that is at hand."""
        self.meld_zones = asked_zones(expressions.model)
        self.quiet = False
        """Whether moves of single cards leave out their log."""

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """What is written meanwhile leaves out the log of single cards."""
        before, self.quiet = self.quiet, True
        yield
        self.quiet = before

    def packet(self, what: Typed) -> Expr:
        """A card or several as a packet."""
        if is_cards(what):
            return c.call("as_tuple", cards(self.e, what)[1])
        return c.call("present", c.Tuple((self.e.of(what),)))

    def _carried(self, node: t.Move, what: Typed) -> Expr:
        """What goes, as a packet: in the order in which it lies where the pile to which it goes keeps that unseen."""
        packet, e = self.packet(what), self.e
        target = node.target.name
        if not is_cards(what) or e.kept[target] != "list" or not is_hidden(e.model.zones[target]):
            return packet
        return c.call("as_tuple", where_it_lies(e, "as_they_lie", packet)) if comes_by_face(e, what, what) else packet

    def place_of_end(self, card: Typed) -> Expr | None:
        """Where a card lies that is the top or bottom one of a place."""
        match card:
            case t.Op("top" | "bottom", (t.ZoneRef() as zone,)) if zone.type == t.CARDS:
                return place(self.e, zone)
            case t.Op("top" | "bottom", (found,)) if found.type.kind == "place":
                return self.e.of(found)
        return None

    def _is_quick(self, *zones: t.ZoneRef) -> bool:
        """Whether cards can go between zones as bits, without looking at limits or refills."""
        return all(self.e.kept[zone.name] == "mask" for zone in zones) and not self._is_guarded(*zones)

    def _is_guarded(self, *zones: t.ZoneRef) -> bool:
        return any(zone.name in self.guarded for zone in zones)

    def _are_ordered(self, *zones: t.ZoneRef) -> bool:
        return all(self.e.kept[zone.name] == "list" for zone in zones)

    # ---- moves ----------------------------------------------------------------------------------

    def move(self, node: t.Move) -> None:
        """Cards go; where the rules ask which meld lies at a place, a meld that is moved there lies there."""
        match node.what:
            case t.Op("meld cards", (meld,)) if node.target.name in self.meld_zones:
                self._lay(node, meld)
            case _:
                self._move(node)

    def _lay(self, node: t.Move, meld: Typed) -> None:
        """A meld goes. What it is and where it goes is worked out before that changes it."""
        out = self.out
        found, to = out.fresh("found"), out.fresh("to")
        out.set(found, self.e.of(meld), node.span)
        out.set(to, place(self.e, node.target), node.span)
        moved = c.asked("move_found", c.call("cards_of_meld", found), to, c.Lit(node.beneath), c.Lit(node.facing))
        if node.counted:
            out.set(c.Name(local_name(node.counted)), moved, node.span)
        else:
            out.do(moved, node.span)
        out.do(c.asked("lay_meld", found, to), node.span)

    def _move(self, node: t.Move) -> None:
        out, what = self.out, node.what
        target = place(self.e, node.target)
        source = None if node.source is None else place(self.e, node.source)
        if node.counted:
            how = c.Lit(node.beneath), c.Lit(node.facing)
            out.set(c.Name(local_name(node.counted)), self._called(node, source, target, how), node.span)
            return
        kind = None if what is None else what.type.kind
        quick = node.source is not None and node.facing is None and self._is_quick(node.source, node.target)
        if what is not None and kind == "card":
            self._move_card(node, what, source, target)
        elif source is not None and what is not None and kind == "integer" and self._is_one_on_top(node, what):
            out.do(c.asked("move_one", source, target), node.span)
        elif node.source is not None and kind in (None, "set") and quick:
            self._quick(what, node.source, node.target, node.span)
        else:
            out.do(self._called(node, source, target, _how(node)), node.span)

    def _called(self, node: t.Move, source: Expr | None, target: Expr, how: tuple[Expr, ...]) -> Expr:
        """A move as a call, which gives the number of cards that go. how: whether beneath, and which face is up."""
        what, moved = node.what, tuple[Expr, ...]()
        if what is None:
            verb = "move_all"
        elif what.type.kind == "integer":
            verb, moved = "move_random" if node.at_random else "move_top", (self.e.number(what),)
        elif what.type.kind == "card":
            verb, moved = "move_wherever" if source is None else "move_guarded", (self.e.of(what),)
        else:
            verb, moved = "move_found" if source is None else "move_cards", (self._carried(node, what),)
            if source is None:
                how = c.Lit(node.beneath), c.Lit(node.facing)
        return c.asked(verb, *moved, *(() if source is None else (source,)), target, *how)

    def _move_card(self, node: t.Move, what: Typed, source: Expr | None, target: Expr) -> None:
        """A card, which may be none."""
        out, span, card, how = self.out, node.span, self.e.of(what), _how(node)
        there = isinstance(what, t.Local) and not what.type.optional
        if node.source is None or source is None:
            out.do(c.asked("move_wherever", card, target, *how), span)
        elif self._is_top(node, what, source):
            self._move_top(node, source, target)
        elif self._is_guarded(node.source, node.target):
            out.do(c.asked("move_guarded", card, source, target, *how), span)
        elif there and node.facing is None and self._is_quick(node.source, node.target):
            self._quick_card(card, node.source, node.target, span)
        elif there and self.quiet and self._goes_on_top(node) and not self.faces:
            self._bare_card(card, source, target, span)
        else:
            out.do(c.asked("move_card", card, source, target, *how), span)

    def _is_top(self, node: t.Move, what: Typed, source: Expr) -> bool:
        """Whether the top card of an ordered place goes on top of another."""
        assert node.source is not None
        top = isinstance(what, t.Op) and what.op == "top" and self.place_of_end(what) == source
        return top and self._are_ordered(node.source, node.target) and not node.beneath

    def _is_one_on_top(self, node: t.Move, number: Typed) -> bool:
        """Whether one card goes, and from top to top."""
        return self.e.of(number) == c.ONE and not node.at_random and self._goes_on_top(node)

    def _goes_on_top(self, node: t.Move) -> bool:
        """Whether a card goes from the top of an ordered place to the top of another, without limits and refills."""
        assert node.source is not None
        plain = not (node.beneath or node.facing or self._is_guarded(node.source, node.target))
        return plain and self._are_ordered(node.source, node.target)

    def _move_top(self, node: t.Move, source: Expr, target: Expr) -> None:
        assert node.source is not None
        out, span, zones = self.out, node.span, self.e.model.zones
        if not (c.is_at_hand(source) and c.is_at_hand(target)):
            at, to = out.fresh("at"), out.fresh("to")
            out.set(at, source, span)
            out.set(to, target, span)
            source, target = at, to
        with out.when(c.Zone(source), span):
            facing = () if node.facing is None else (c.Lit(node.facing),)
            out.do(c.asked("move_one", source, target, *facing), span)
            capacity = zones[node.target.name].capacity
            if capacity is not None:
                self._keep_limit(self.e.of(capacity), target, span)
            if node.target.name in self.feeding:
                out.do(c.asked("refill_emptied", source, target), span)
            elif zones[node.source.name].refill is not None:
                out.do(c.asked("refill_if_empty", source), span)

    def _keep_limit(self, limit: Expr, target: Expr, span: Span) -> None:
        sure = isinstance(limit, c.Lit) and type(limit.value) is int
        over = c.Compare(">", c.call("len", c.Zone(target)), limit)
        with self.out.when(over, span) if sure else nullcontext():
            self.out.do(c.asked("keep_limit", target), span)

    # ---- as bits --------------------------------------------------------------------------------

    def _quick(self, what: Typed | None, source: t.ZoneRef, target: t.ZoneRef, span: Span) -> None:
        """Several cards, or all (None)."""
        out = self.out
        moved, at, to = out.fresh("moved"), out.fresh("at"), out.fresh("to")
        of = c.Zone(at) if what is None else as_mask(cards(self.e, what))
        out.set(at, place(self.e, source), span)
        out.set(to, place(self.e, target), span)
        out.set(moved, of, span)
        self._log(moved, False, at, to, source, target, span)
        if what is None:
            out.set(c.Zone(at), c.ZERO, span)
        else:
            out.update(c.Zone(at), "&", c.Inverted(moved), span)
        out.update(c.Zone(to), "|", moved, span)
        self._face_as_laid(moved, target, span)

    def _quick_card(self, card: Expr, source: t.ZoneRef, target: t.ZoneRef, span: Span) -> None:
        out = self.out
        at, to = out.fresh("at"), out.fresh("to")
        out.set(at, place(self.e, source), span)
        out.set(to, place(self.e, target), span)
        self._log(card, True, at, to, source, target, span)
        bit = self.bits.get(card) or c.bit(card)
        if card in self.bits:
            out.update(c.Zone(at), "^", bit, span)
        else:
            out.update(c.Zone(at), "&", c.Inverted(bit), span)
        out.update(c.Zone(to), "|", bit, span)
        self._face_as_laid(bit, target, span)

    def _bare_card(self, card: Expr, source: Expr, target: Expr, span: Span) -> None:
        kept = self.out.fresh("kept")
        self.out.set(kept, c.Zone(source), span)
        with self.out.when(c.Compare("in", card, kept), span):
            self.out.do(c.method(kept, "remove", card), span)
        self.out.do(c.method(c.Zone(target), "append", card), span)

    def _face_as_laid(self, moved: Expr, target: t.ZoneRef, span: Span) -> None:
        """Cards that are neither laid face up nor face down lie as those of their place do."""
        if not self.faces:
            return
        turned = ["up", "down"] if is_public(self.e.model.zones[target.name]) else ["down"]
        for name in turned:
            with self.out.when(c.field(name), span):
                self.out.update(c.field(name), "&", c.Inverted(moved), span)

    def _log(
        self, moved: Expr, one: bool, at: Expr, to: Expr, source: t.ZoneRef, target: t.ZoneRef, span: Span
    ) -> None:
        """Log a move of cards, given as bits, or of one; where everybody sees them, nobody need ask who does."""
        if self.quiet:
            return
        zones, stages = self.e.model.zones, self.e.model.stages
        public = is_public(zones[target.name]) or (not self.faces and is_public(zones[source.name]))
        hidden = self.e.stage not in stages or stages[self.e.stage].kind == "simultaneous"
        logged = c.is_there(c.LOG)
        with self.out.when(logged if one else c.And((logged, moved))):
            if not public or hidden:
                packet = c.Tuple((moved,)) if one else c.call("bits", moved)
                self.out.do(c.asked("log_cards", packet, at, to), span)
            elif one:
                passage = c.Item(c.Table("PASSAGES"), c.Tuple((at, to, moved, c.Lit(-1))))
                self.out.do(c.method(c.LOG, "append", passage), span)
            else:
                self.out.do(c.asked("log_openly", moved, at, to), span)

    # ---- home -----------------------------------------------------------------------------------

    def gather(self, sources: tuple[t.ZoneRef, ...] | None, target: t.ZoneRef, span: Span) -> None:
        home = place(self.e, target)
        if sources is None and isinstance(home, c.Lit):
            self.out.do(c.asked("gather", self.elsewhere(home), home), span)
            return
        where: Expr = c.call("range", c.call("len", c.Name("z")))
        if sources is not None:
            where = c.add(*(c.call("list", self._places(zone)) for zone in sources))
        k = c.Name("k")
        self.out.do(c.asked("gather", c.Loop("list", "k", where, c.Compare("!=", k, home), k), home), span)

    def elsewhere(self, home: Expr) -> Expr:
        """All places but one, which is written out; what is aside is among them."""
        layout = self.e.layout
        others = [at for at in range(sum(f.size for f in layout.zones.values()) + 1) if c.Lit(at) != home]
        return self.e.tables.table(tuple(others), "everywhere")

    def _places(self, zone: t.ZoneRef) -> Expr:
        return c.List((place(self.e, zone),)) if zone.type == t.CARDS else places(self.e, zone)


def _how(node: t.Move) -> tuple[Expr, ...]:
    if not node.beneath and node.facing is None:
        return ()
    return c.Lit(node.beneath), c.Lit(node.facing)
