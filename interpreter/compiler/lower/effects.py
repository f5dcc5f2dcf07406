"""Typed effects as statements of the core."""

from __future__ import annotations

from typing import assert_never

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.card_moves import Transfers
from interpreter.compiler.lower.combined import in_turn
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.indexing import place
from interpreter.compiler.lower.spoken import words
from interpreter.compiler.lower.trees import is_cards, may_be_none_of
from interpreter.compiler.lower.variables import Variables
from interpreter.compiler.made import local_name
from interpreter.compiler.writer import Writer
from interpreter.language import typed as t
from interpreter.language.check.lying import gone_through
from interpreter.language.keywords import TEAM
from interpreter.language.typed import Effect, Typed

OF_TRICKS = {"turn": -3, "trick": -2}
"""What `finish` ends besides stages, as the machine knows it."""


class Effects:
    """Lowers effects of one game into a writer."""

    def __init__(self, expressions: Expressions, out: Writer, faces: bool, guarded: frozenset[str]) -> None:
        self.e = expressions
        self.out = out
        self.transfers = Transfers(expressions, out, faces, guarded)
        self.variables = Variables(expressions, out)
        self.turns_faces = False
        """Whether an effect turns cards up or down."""
        self.gathered = False
        """Whether all cards lie in one place when the effect is carried out that is being lowered."""

    def block(self, effects: tuple[Effect, ...]) -> None:
        at = 0
        while at < len(effects):
            self.gathered = _is_gathered(effects[:at])
            match effects[at : at + 3]:
                case t.Gather(None, home), t.Shuffle(zone, stage), t.Deal() as deal if self._anew(home, zone, deal):
                    self._deal(deal, stage)
                    at += 3
                case _:
                    self.effect(effects[at])
                    at += 1

    def effect(self, node: Effect) -> None:
        out, e = self.out, self.e
        match node:
            case t.Move():
                self.turns_faces |= node.facing is not None
                self.transfers.move(node)
            case t.Deal():
                self._deal(node)
            case t.Gather(sources, target, span):
                self.transfers.gather(sources, target, span)
            case t.Shuffle(zone, stage, span):
                out.do(c.asked("shuffle_place", place(e, zone), c.Lit(stage)), span)
            case t.Face(verb, what, span):
                self._face(verb, what, span)
            case t.Show(what, to, span):
                out.do(c.asked("show", self.transfers.packet(what), e.group(to)), span)
            case t.Assign():
                self.variables.assign(node)
            case t.Clear():
                self.variables.clear(node)
            case t.SwapValues():
                self.variables.swap(node)
            case t.Turn(verb, _, span):
                self._turn(verb, span)
            case t.ToPlayer(verb, who, span):
                self._to_player(verb, who, span)
            case t.SetOut(count, token, span):
                out.do(c.asked("set_out", c.Lit(token), e.number(count)), span)
            case t.Piece():
                self._piece(node)
            case t.Call(stage, args, span):
                self._call(stage, args, span)
            case t.Finish(stage, span):
                number = e.model.stages[stage].index if stage in e.model.stages else OF_TRICKS[stage]
                out.set(c.field("jump"), c.Lit(number), span, f"finish {stage}")
            case t.NoteFault(law, offender, _, span):
                with e.forgetting_faults(not e.layout.honor):  # nobody asks who it was
                    out.add(c.Fault(law, e.of(offender), span))
            case t.Note(said, span):
                with out.when(c.is_there(c.LOG), span):
                    self._note("note", words(e, said, spoken=False), span)
            case t.IfEffect(condition, then, otherwise, span):
                self._if(condition, then, otherwise, span)
            case t.ForEffect():
                self._for(node)
            case t.LetEffect(variable, value, span):
                self._name(variable, self._as_it_is(value), span)
            case t.RunEffect(name, bound, body, span):
                for local, value in bound:
                    self._name(local, e.of(value), span, name)
                self.block(body)
            case _:
                assert_never(node)

    def _name(self, variable: str, value: Expr, span: Span, told: str = "") -> None:
        """A name for a value, in the effects that follow; what is always none is that wherever it is named."""
        if value == c.NONE:
            self.e.none_named.add(variable)
        else:
            self.out.set(c.Name(local_name(variable)), value, span, told)

    def _as_it_is(self, value: Typed) -> Expr:
        """A value that stays what it is now, whatever is done to the cards of which it consists."""
        if may_be_none_of(value):
            return self.variables.members_or_none(value)
        if is_cards(value):
            return self.transfers.packet(value)
        several = value.type.kind == "set"
        return c.call("tuple", self.e.group(value)) if several else self.e.of(value)

    def _note(self, kind: str, told: Expr, span: Span) -> None:
        self.out.do(c.method(c.STATE, "note", c.call("Event", c.Lit(kind), c.NONE, told)), span)

    # ---- cards ----------------------------------------------------------------------------------

    def _anew(self, home: t.ZoneRef, shuffled: t.ZoneRef, node: t.Deal) -> bool:
        """Whether all cards are gathered in the place that is shuffled and dealt from, nothing else is to be done, and
        how they are dealt is settled beforehand."""
        how = [self.e.of(number) for number in (node.count, *(node.packets or ())) if number is not None]
        if node.first is not None or not all(isinstance(number, c.Lit) for number in how):
            return False
        places = {found for zone in (home, shuffled, node.source) if isinstance(found := place(self.e, zone), c.Lit)}
        plain = self.e.kept[home.name] == "list" and self.e.kept[node.family] == "mask"
        return len(places) == 1 and plain and not {home.name, node.family} & self.transfers.guarded

    def _deal(self, node: t.Deal, stage: str | None = None) -> None:
        """stage: where all cards are gathered and shuffled before they are dealt."""
        e = self.e
        count = c.NONE if node.count is None else e.number(node.count)
        packets: Expr = c.NONE if node.packets is None else c.List(tuple(map(e.number, node.packets)))
        base = c.Lit(e.layout.zones[node.family].base)
        players = e.of(t.Builtin("players", t.PLAYERS, node.span))
        source, how = place(e, node.source), (count, base, players, packets)
        if stage is not None:
            self.out.do(c.asked("deal_afresh", self.transfers.elsewhere(source), source, c.Lit(stage), *how), node.span)
            return
        first = () if node.first is None else (e.of(node.first),)
        self.out.do(c.asked("deal", count, source, base, players, packets, *first), node.span)

    def _face(self, verb: str, what: Typed, span: Span) -> None:
        self.turns_faces = True
        if verb == "flip":
            assert isinstance(what, t.ZoneRef)
            self.out.do(c.asked("flip", place(self.e, what)), span)
            return
        facing, lying = c.Lit(verb.removeprefix("turn ")), self.transfers.place_of_end(what)
        if lying is None:
            self.out.do(c.asked("turn", self.transfers.packet(what), facing), span)
        else:
            self.out.do(c.asked("turn_at", self.e.of(what), lying, facing), span)

    # ---- turns, pieces, stages ------------------------------------------------------------------

    def _turn(self, verb: str, span: Span) -> None:
        out, stages = self.out, self.e.model.stages
        match verb:
            case "reverse":
                out.set(c.DIRECTION, c.Negative(c.DIRECTION), span)
                with out.when(c.is_there(c.LOG)):
                    to = c.If(c.Compare(">", c.DIRECTION, c.ZERO), c.Lit("left"), c.Lit("right"))
                    self._note("direction", to, span)
            case "stay" | "again":
                out.set(c.field("mark"), c.Table(verb.upper()), span)
            case "redeal":
                deals = [stage for stage in stages.values() if stage.next_dealer is not None]
                number = deals[0].index if deals else stages["match"].index
                out.set(c.field("redealing"), c.TRUE, span)
                out.set(c.field("jump"), c.Lit(number), span, "redeal")
            case "take back fault":
                out.add(c.TakeBack(span))

    def _to_player(self, verb: str, who: Typed, span: Span) -> None:
        e, out = self.e, self.out
        if verb == "skip":
            out.update(c.field("skips"), "|", c.bit(e.of(who)), span)
        elif verb == "pass turn":
            found = e.of_caller(e.stage)
            # the players of the turn that is passed, not of the stage called in it
            with e.narrowed_to(e.narrowed if found is None else lambda _: found):
                out.do(c.asked("pass_turn", e.of(who)), span)
        else:
            out.set(c.field("seats"), c.call("seated", e.group(who), c.STATE), span)
            if TEAM in e.model.variables:
                self.variables.reset(TEAM, span)

    def _piece(self, node: t.Piece) -> None:
        """A piece is taken or put back, or several are put back. What is done with no piece is not done."""
        e, out, what = self.e, self.out, node.what
        if isinstance(what, t.TokenRef) and what.holder is None:
            self._move_piece(node, None)
        elif what.type.kind == "set" or not e.may_miss(what):
            self._move_piece(node, e.of(what))
        else:
            piece = out.fresh("found")
            out.set(piece, e.of(what), node.span)
            with out.when(c.is_there(piece), node.span):
                self._move_piece(node, piece)

    def _move_piece(self, node: t.Piece, found: Expr | None) -> None:
        """found: which pieces; None for all of their kind, of which one is taken."""
        out, token = self.out, c.Lit(node.token)
        if node.verb == "put back":
            if found is None:
                last = c.add(c.call("len", c.Item(c.field("tokens"), token)), c.ONE)
                found = c.call("range", c.ONE, last)
            elif node.what.type.kind != "set":
                found = c.Tuple((found,))
            out.do(c.asked("put_back", token, found), node.span)
            return
        assert node.by is not None
        one = () if found is None else (found,)
        out.do(c.asked("take_piece", token, self.e.of(node.by), *one), node.span)

    def _call(self, stage: str, args: tuple[tuple[str, Typed], ...], span: Span) -> None:
        given, called = dict(args), self.e.model.stages[stage]
        values = [self._argument(stage, n, kind, given[n]) if n in given else c.NONE for n, kind in called.params]
        call = c.Tuple((c.Lit(called.index), c.Tuple(tuple(values))))
        self.out.add(c.Do(c.method(c.field("calls"), "append", call), span, f"call {stage}"))

    def _argument(self, stage: str, name: str, kind: t.Type, value: Typed) -> Expr:
        """What a stage is called with; a number is tested where it may be out of its bounds."""
        e, found = self.e, self.e.of(value)
        if kind.kind != "integer" or found == c.NONE:
            return found
        least, most = e.model.stages[stage].bounds[name]
        if not kind.optional and e.ranges.is_within(value, least, most):
            return found
        number = self.out.fresh("number")
        self.out.set(number, found, value.span)
        self.variables.check(name, number, (least, most), value.span, True, value)
        return number

    # ---- conditions and loops -------------------------------------------------------------------

    def _if(self, condition: Typed, then: tuple[Effect, ...], otherwise: tuple[Effect, ...], span: Span) -> None:
        test = self.e.of(condition)
        if isinstance(test, c.Lit):
            self.block(then if test.value else otherwise)
            return
        with self.variables.decided_by(condition):
            with self.out.when(test, span):
                self.block(then)
            if otherwise:
                with self.out.otherwise():
                    self.block(otherwise)

    def _for(self, node: t.ForEffect) -> None:
        e, own = self.e, local_name(node.variable)
        where = None if node.where is None else e.of(node.where)
        inner = (node.where, node.by, *node.body)
        members = e.group(node.domain)
        if not self.gathered:
            members = in_turn(e, node.domain, gone_through(node), node.by is not None)
        domain = e.counted(members, node.domain, e.bounds.carried((node,)), inner)
        items: Expr = c.Loop("list", own, domain, where, c.Name(own))
        if where is None and isinstance(domain, c.Table | c.Slot):
            items = domain  # it stays as it is, whatever is done to each of them
        if node.by is not None:
            items = c.Ordered("all", own, domain, where, e.of(node.by))
        decided = self.variables.decided_by(node.domain, node.where, each=node.variable)
        with decided, self.out.each(own, items, node.span):
            self.block(node.body)


def _is_gathered(before: tuple[Effect, ...]) -> bool:
    """Whether all cards lie in one place after effects."""
    last = next((effect for effect in reversed(before) if not isinstance(effect, t.Shuffle)), None)
    return isinstance(last, t.Gather) and last.sources is None
