"""Typed effects as Python text, one effect a line or block."""

from __future__ import annotations

from typing import assert_never

from interpreter.base.diagnostics import Span
from interpreter.compiler.expressions import ExpressionCompiler
from interpreter.compiler.made import remark
from interpreter.compiler.order import feeding_zones
from interpreter.compiler.snippets import is_simple
from interpreter.compiler.walking import is_cards
from interpreter.compiler.writer import CodeWriter
from interpreter.engine.budget import MOST_LETTERS
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.typed import Effect, Typed


class EffectCompiler:
    """Prints effects of one game into a writer."""

    def __init__(self, expressions: ExpressionCompiler, out: CodeWriter, faces: bool, guarded: frozenset[str]) -> None:
        self.expressions = expressions
        self.out = out
        self.faces = faces
        self.bits: dict[str, str] = {}
        """Text of a card -> text of its bit, where that is at hand."""
        self.quiet = False
        """Whether moves of single cards leave out their log."""
        self.turns_faces = False
        """Whether a printed effect turns cards up or down."""
        self.guarded = guarded
        """Zones whose places are refilled, or refill others, or have a capacity: moves there take the long way."""
        self.feeding = feeding_zones(expressions.layout)

    def block(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.effect(effect)

    def effect(self, node: Effect) -> None:
        out, text = self.out, self.expressions.text
        match node:
            case t.Move():
                self._move(node)
            case t.Deal():
                self._deal(node)
            case t.Gather(sources, target, span):
                self._gather(sources, self._place(target), span)
            case t.Shuffle(zone, stage, span):
                out.line(f"shuffle_place(s, {self._place(zone)}, {stage!a})", span)
            case t.Face(verb, what, span):
                self._face(verb, what, span)
            case t.Show(what, to, span):
                out.line(f"show(s, {self._card_tuple(what)}, {self.expressions.group(to)})", span)
            case t.Assign():
                self._assign(node)
            case t.Clear():
                self._clear(node)
            case t.SwapValues():
                self._swap(node)
            case t.Turn(verb, _, span):
                self._turn(verb, span)
            case t.ToPlayer(verb, who, span):
                self._to_player(verb, who, span)
            case t.SetOut(count, token, span):
                out.line(f"set_out(s, {token!a}, {self.expressions.number(count)})", span)
            case t.Piece():
                self._piece(node)
            case t.Call(stage, args, span):
                self._call(stage, args, span)
            case t.Finish(stage, span):
                special = {"turn": -3, "trick": -2} if stage not in self.expressions.model.stages else {}
                number = special.get(stage) or self.expressions.model.stages[stage].index
                out.line(f"s.jump = {number}{remark(f'finish {stage}')}", span)
            case t.NoteFault(law, offender, _, span):
                if self.expressions.layout.honor:
                    out.line(f"note_fault(s, {law!a}, {text(offender)})", span)
            case t.Note(words, span):
                with out.block("if s.log is not None:"):
                    out.line(f"s.note(Event('note', None, {self.expressions.words(words, spoken=False)}))", span)
            case t.IfEffect(condition, then, otherwise, span):
                self._if(condition, then, otherwise, span)
            case t.ForEffect():
                self._for(node)
            case t.RunEffect(name, bound, body, span):
                for local, value in bound:
                    out.line(f"x·{local} = {text(value)}{remark(name)}", span)
                self.block(body)
            case _:
                assert_never(node)

    # ---- cards ----------------------------------------------------------------------------------

    def _place(self, zone: t.ZoneRef) -> str:
        return self.expressions.place(zone)

    def _places(self, zone: t.ZoneRef) -> str:
        return f"[{self._place(zone)}]" if zone.type == t.CARDS else self.expressions.places(zone)

    def _card_tuple(self, what: Typed) -> str:
        if is_cards(what):
            return f"as_tuple({self.expressions.cards(what)[1]})"
        return f"present(({self.expressions.text(what)},))"

    def _is_quick(self, *zones: t.ZoneRef) -> bool:
        """Whether cards can go between zones as bits, without looking at limits or refills."""
        kept = self.expressions.kept
        return all(kept[z.name] == "mask" for z in zones) and not self._is_guarded(*zones)

    def _is_guarded(self, *zones: t.ZoneRef) -> bool:
        return any(z.name in self.guarded for z in zones)

    def _settle_faces(self, moved: str, target: t.ZoneRef, span: Span) -> None:
        """What `settle_faces` does with cards that are neither laid face up nor face down."""
        if not self.faces:
            return
        if is_public(self.expressions.model.zones[target.name]):
            self.out.line(f"if s.up: s.up &= ~{moved}", span)
        self.out.line(f"if s.down: s.down &= ~{moved}", span)

    def _how(self, node: t.Move) -> str:
        if not node.beneath and node.facing is None:
            return ""
        return f", {node.beneath}, {node.facing!a}"

    def _move(self, node: t.Move) -> None:
        out, span = self.out, node.span
        self.turns_faces |= node.facing is not None
        target = self._place(node.target)
        source = None if node.source is None else self._place(node.source)
        if node.what is None:
            assert node.source is not None and source is not None
            if self._is_quick(node.source, node.target) and node.facing is None:
                self._quick_all(node.source, node.target, span)
            else:
                out.line(f"move_all(s, {source}, {target}{self._how(node)})", span)
            return
        kind = node.what.type.kind
        if kind == "integer":
            if self.expressions.text(node.what) == "1" and not node.at_random and self._goes_on_top(node):
                out.line(f"move_one(s, {source}, {target})", span)
                return
            verb = "move_random" if node.at_random else "move_top"
            out.line(f"{verb}(s, {self.expressions.number(node.what)}, {source}, {target}{self._how(node)})", span)
            return
        if kind == "card":
            self._move_card(node, source, target)
            return
        if (
            kind == "set"
            and node.source is not None
            and node.facing is None
            and self._is_quick(node.source, node.target)
        ):
            self._quick_set(node.what, node.source, node.target, span)
            return
        cards = self._card_tuple(node.what)
        if source is None:
            out.line(f"move_found(s, {cards}, {target}, {node.beneath}, {node.facing!a})", span)
        else:
            out.line(f"move_cards(s, {cards}, {source}, {target}{self._how(node)})", span)

    def _move_card(self, node: t.Move, source: str | None, target: str) -> None:
        """Move a card, which may be none."""
        assert node.what is not None
        out, span, card, how = self.out, node.span, self.expressions.text(node.what), self._how(node)
        there = isinstance(node.what, t.Local) and not node.what.type.optional
        if node.source is None or source is None:
            out.line(f"move_wherever(s, {card}, {target}{how})", span)
        elif self._is_top(node, source):
            self._move_top(node, source, target)
        elif self._is_guarded(node.source, node.target):
            out.line(f"move_guarded(s, {card}, {source}, {target}{how})", span)
        elif there and node.facing is None and self._is_quick(node.source, node.target):
            self._quick_card(card, node.source, node.target, span)
        elif there and self.quiet and self._is_bare(node):
            self._bare_card(card, source, target, span)
        else:
            out.line(f"move_card(s, {card}, {source}, {target}{how})", span)

    def _is_top(self, node: t.Move, source: str) -> bool:
        """Whether the top card of an ordered place goes on top of another."""
        assert node.source is not None and node.what is not None
        ordered = all(self.expressions.kept[zone.name] == "list" for zone in (node.source, node.target))
        top = isinstance(node.what, t.Op) and node.what.op == "top" and self._place_of_end(node.what) == source
        return ordered and top and not node.beneath

    def _move_top(self, node: t.Move, source: str, target: str) -> None:
        assert node.source is not None
        out, span = self.out, node.span
        if not (is_simple(source) and is_simple(target)):
            at, to = out.fresh("at"), out.fresh("to")
            out.line(f"{at} = {source}; {to} = {target}", span)
            source, target = at, to
        facing = "" if node.facing is None else f", {node.facing!a}"
        with out.block(f"if z[{source}]:", span):
            out.line(f"move_one(s, {source}, {target}{facing})", span)
            capacity = self.expressions.model.zones[node.target.name].capacity
            if capacity is not None:
                limit = self.expressions.text(capacity)
                full = f"if len(z[{target}]) > {limit}: " if limit.isdigit() else ""
                out.line(f"{full}keep_limit(s, {target})", span)
            if node.target.name in self.feeding:
                out.line(f"refill_emptied(s, {source}, {target})", span)
            elif self.expressions.model.zones[node.source.name].refill is not None:
                out.line(f"refill_if_empty(s, {source})", span)

    def _quick_all(self, source: t.ZoneRef, target: t.ZoneRef, span: Span) -> None:
        out = self.out
        moved, at, to = out.fresh("moved"), out.fresh("at"), out.fresh("to")
        out.line(f"{at} = {self._place(source)}; {to} = {self._place(target)}; {moved} = z[{at}]", span)
        self._log(f"bits({moved})", at, to, source, target, span)
        out.line(f"z[{at}] = 0; z[{to}] |= {moved}", span)
        self._settle_faces(moved, target, span)

    def _quick_set(self, what: Typed, source: t.ZoneRef, target: t.ZoneRef, span: Span) -> None:
        out = self.out
        moved, at, to = out.fresh("moved"), out.fresh("at"), out.fresh("to")
        cards = self.expressions.as_mask(self.expressions.cards(what))
        out.line(f"{at} = {self._place(source)}; {to} = {self._place(target)}; {moved} = {cards}", span)
        self._log(f"bits({moved})", at, to, source, target, span)
        out.line(f"z[{at}] &= ~{moved}; z[{to}] |= {moved}", span)
        self._settle_faces(moved, target, span)

    def _quick_card(self, card: str, source: t.ZoneRef, target: t.ZoneRef, span: Span) -> None:
        out = self.out
        at, to = out.fresh("at"), out.fresh("to")
        out.line(f"{at} = {self._place(source)}; {to} = {self._place(target)}", span)
        self._log(f"({card},)", at, to, source, target, span)
        if card in self.bits:
            out.line(f"z[{at}] ^= {self.bits[card]}; z[{to}] |= {self.bits[card]}", span)
        else:
            out.line(f"z[{at}] &= ~(1 << {card}); z[{to}] |= 1 << {card}", span)
        self._settle_faces(self.bits.get(card, f"(1 << {card})"), target, span)

    def _is_bare(self, node: t.Move) -> bool:
        """Whether a card goes on top of others, in their order, and nothing else has to be looked at."""
        return self._goes_on_top(node) and not self.faces

    def _goes_on_top(self, node: t.Move) -> bool:
        """Whether a card goes from the top of an ordered place to the top of another, without limits and refills."""
        assert node.source is not None
        ordered = all(self.expressions.kept[zone.name] == "list" for zone in (node.source, node.target))
        return ordered and not (node.beneath or node.facing or self._is_guarded(node.source, node.target))

    def _bare_card(self, card: str, source: str, target: str, span: Span) -> None:
        kept = self.out.fresh("kept")
        self.out.line(f"{kept} = z[{source}]", span)
        with self.out.block(f"if {card} in {kept}:", span):
            self.out.line(f"{kept}.remove({card})", span)
        self.out.line(f"z[{target}].append({card})", span)

    def _log(self, cards: str, at: str, to: str, source: t.ZoneRef, target: t.ZoneRef, span: Span) -> None:
        """Log a move of cards; where everybody sees them before or after, nobody need ask who does."""
        if self.quiet:
            return
        zones = self.expressions.model.zones
        stage = self.expressions.model.stages.get(self.expressions.stage)
        public = is_public(zones[target.name]) or (not self.faces and is_public(zones[source.name]))
        hidden = stage is None or stage.kind == "simultaneous"
        with self.out.block(
            "if s.log is not None:" if not cards.startswith("bits") else f"if s.log is not None and {cards[5:-1]}:"
        ):
            if public and not hidden:
                if cards.startswith("bits"):
                    names = f"tuple([CARDS[c] for c in {cards}])"
                    fields = f"'cards', None, '', {names}, PLACES[{at}], PLACES[{to}], -1, -1"
                    self.out.line(f"s.log.append(new_event(Event, ({fields})))", span)
                else:
                    self.out.line(f"s.log.append(PASSAGES[{at}, {to}, {cards[1:-2]}, -1])", span)
            else:
                self.out.line(f"log_cards(s, {cards}, {at}, {to})", span)

    def _gather(self, sources: tuple[t.ZoneRef, ...] | None, target: str, span: Span) -> None:
        if sources is None and target.isdigit():
            layout = self.expressions.layout
            others = set(range(sum(f.size for f in layout.zones.values()) + 1)) - {int(target)}  # what is aside too
            self.out.line(f"gather(s, {self.expressions.table(tuple(sorted(others)))}, {target})", span)
            return
        where = "range(len(z))" if sources is None else " + ".join(f"list({self._places(z)})" for z in sources)
        self.out.line(f"gather(s, [k for k in {where} if k != {target}], {target})", span)

    def _deal(self, node: t.Deal) -> None:
        expressions = self.expressions
        count = "None" if node.count is None else expressions.number(node.count)
        packets = "None" if node.packets is None else f"[{', '.join(expressions.number(p) for p in node.packets)}]"
        base = expressions.layout.zones[node.family].base
        players = expressions.text(t.Builtin("players", t.PLAYERS, node.span))
        self.out.line(f"deal(s, {count}, {self._place(node.source)}, {base}, {players}, {packets})", node.span)

    def _face(self, verb: str, what: Typed, span: Span) -> None:
        self.turns_faces = True
        if verb == "flip":
            assert isinstance(what, t.ZoneRef)
            self.out.line(f"flip(s, {self._place(what)})", span)
            return
        facing, place = verb.removeprefix("turn "), self._place_of_end(what)
        if place is None:
            self.out.line(f"turn(s, {self._card_tuple(what)}, {facing!a})", span)
        else:
            self.out.line(f"turn_at(s, {self.expressions.text(what)}, {place}, {facing!a})", span)

    def _place_of_end(self, card: Typed) -> str | None:
        """Where a card lies that is the top or bottom one of a place."""
        match card:
            case t.Op("top" | "bottom", (t.ZoneRef() as zone,)) if zone.type == t.CARDS:
                return self._place(zone)
            case t.Op("top" | "bottom", (place,)) if place.type.kind == "place":
                return self.expressions.text(place)
        return None

    # ---- variables ------------------------------------------------------------------------------

    def _target(self, target: t.VarRef | t.StageArgument) -> str:
        if isinstance(target, t.VarRef):  # not what is asked of it, which may be none, but where it lies
            return f"v[{self.expressions.slot(target)}]"
        return self.expressions.raw(target)

    def _assign(self, node: t.Assign) -> None:
        target = node.target
        needed = target.type.kind == "integer" and not (node.verb == "set" and target.type.optional)
        value = self.expressions.number(node.value) if needed else self.expressions.text(node.value)
        if isinstance(target, t.Builtin):
            self._set_table(target.name, value, node.span)
            return
        if target.type.kind == "set":
            value = f"tuple({self.expressions.group(node.value)})"
        place = self._target(target)
        if node.verb != "set":
            value = f"{place} {'+' if node.verb == 'add' else '-'} {value}"
        if target.type.kind == "text" and self.expressions.bounds.letters(node.value) > MOST_LETTERS:
            value = f"brief({value})"
        if target.type.kind != "integer":
            self.out.line(f"{place} = {value}{remark(target.name)}", node.span)
            return
        low, high = self._bounds(target)
        number = self.out.fresh("number")
        slot = self.out.fresh("slot")
        self.out.line(f"{slot} = {place.removeprefix('v[').removesuffix(']')}{remark(target.name)}", node.span)
        value = value.replace(place, f"v[{slot}]", 1) if node.verb != "set" else value
        self.out.line(f"{number} = {value}", node.span)
        check = f"if not {low} <= {number} <= {high}:"
        if target.type.optional:
            check = f"if {number} is not None and not {low} <= {number} <= {high}:"
        with self.out.block(check):
            self.out.line(f"out_of_bounds({target.name!a}, {number}, {low}, {high})", node.span)
        if target.name == "score" and isinstance(target, t.VarRef):
            self._log_score(target, slot, number, node.span)
        self.out.line(f"v[{slot}] = {number}", node.span)

    def _log_score(self, target: t.VarRef, slot: str, number: str, span: Span) -> None:
        dims = self.expressions.model.variables[target.name].dims
        letter = {"player": "P", "team": "T"}.get(str(dims[0])) if len(dims) == 1 else None
        if letter is None:
            return
        base = self.expressions.layout.variables[target.name].base
        with self.out.block(f"if s.log is not None and {number} != v[{slot}]:"):
            told = f"{letter!a} + str({slot} - {base - 1}) + ' ' + str({number}) + ':'"
            self.out.line(f"s.tell_score({told}, {number} - v[{slot}])", span)

    def _bounds(self, target: t.VarRef | t.StageArgument) -> tuple[str, str]:
        if isinstance(target, t.StageArgument):
            low, high = self.expressions.model.stages[target.stage].bounds[target.name]
        else:
            variable = self.expressions.model.variables[target.name]
            low, high = variable.minimum, variable.maximum
        return self.expressions.text(low), self.expressions.text(high)

    def _set_table(self, name: str, value: str, span: Span) -> None:
        if name == "direction":
            self.out.line(f"s.direction = 1 if {value} == 'left' else -1", span)
        else:
            self.out.line(f"s.{name} = or_keep({value}, s.{name})", span)

    def _clear(self, node: t.Clear) -> None:
        family = self.expressions.layout.variables[node.name]
        default = default_text(self.expressions, node.name)
        if node.index:
            slot = self.expressions.offset(node.index, family.sizes, family.starts, family.base)
            self.out.line(f"v[{slot}] = {default}  # {node.name}", node.span)
        else:
            slots, values = f"{family.base}:{family.base + family.size}", f"[{default}] * {family.size}"
            if family.size == 1:
                slots, values = str(family.base), default
            self.out.line(f"v[{slots}] = {values}  # {node.name}", node.span)

    def _swap(self, node: t.SwapValues) -> None:
        if isinstance(node.left, t.ZoneRef) and isinstance(node.right, t.ZoneRef):
            self.out.line(f"swap_places(s, {self._place(node.left)}, {self._place(node.right)})", node.span)
            return
        assert not isinstance(node.left, t.ZoneRef) and not isinstance(node.right, t.ZoneRef)
        one, two = self._target(node.left), self._target(node.right)
        for target, value in ((node.left, two), (node.right, one)):
            if target.type.kind == "integer" and self._bounds(node.left) != self._bounds(node.right):
                low, high = self._bounds(target)
                with self.out.block(f"if {value} is not None and not {low} <= {value} <= {high}:", node.span):
                    self.out.line(f"out_of_bounds({target.name!a}, {value}, {low}, {high})", node.span)
        self.out.line(f"{one}, {two} = {two}, {one}", node.span)

    # ---- turns, pieces, stages ------------------------------------------------------------------

    def _turn(self, verb: str, span: Span) -> None:
        match verb:
            case "reverse":
                self.out.line("s.direction = -s.direction", span)
                with self.out.block("if s.log is not None:"):
                    self.out.line("s.note(Event('direction', None, 'left' if s.direction > 0 else 'right'))", span)
            case "stay":
                self.out.line("s.mark = STAY", span)
            case "again":
                self.out.line("s.mark = AGAIN", span)
            case "redeal":
                deals = [st for st in self.expressions.model.stages.values() if st.next_dealer is not None]
                number = deals[0].index if deals else self.expressions.model.stages["match"].index
                self.out.line(f"s.redealing = True; s.jump = {number}  # redeal", span)
            case "take back fault":
                if self.expressions.layout.honor:
                    self.out.line("take_back(s, s.faults[0])", span)

    def _to_player(self, verb: str, who: Typed, span: Span) -> None:
        expressions = self.expressions
        if verb == "skip":
            self.out.line(f"s.skips |= 1 << {expressions.text(who)}", span)
        elif verb == "pass turn":
            narrowed, found = expressions.narrowed, expressions.of_caller(expressions.stage)
            if found is not None:  # the players of the turn that is passed, not of the stage called in it
                expressions.narrowed = lambda _: found
            self.out.line(f"pass_turn(s, {expressions.text(who)})", span)
            expressions.narrowed = narrowed
        else:
            self.out.line(f"s.seats = seated({self.expressions.group(who)}, s)", span)

    def _piece(self, node: t.Piece) -> None:
        if node.verb == "put back":
            if isinstance(node.what, t.TokenRef) and node.what.holder is None:
                self.out.line(f"put_back(s, {node.token!a}, range(1, len(s.tokens[{node.token!a}]) + 1))", node.span)
            else:
                text = self.expressions.text(node.what)
                which = text if node.what.type.kind == "set" else f"({text},)"
                self.out.line(f"put_back(s, {node.token!a}, {which})", node.span)
        elif isinstance(node.what, t.TokenRef):
            self.out.line(f"take_piece(s, {node.token!a}, p)", node.span)
        else:
            self.out.line(f"take_piece(s, {node.token!a}, p, {self.expressions.text(node.what)})", node.span)

    def _call(self, stage: str, args: tuple[tuple[str, Typed], ...], span: Span) -> None:
        given = dict(args)
        params = self.expressions.model.stages[stage].params
        values = [self._argument(stage, n, kind, given[n]) if n in given else "None" for n, kind in params]
        inner = "".join(f"{v}, " for v in values).rstrip()
        number = self.expressions.model.stages[stage].index
        self.out.line(f"s.calls.append(({number}, ({inner})))  # call {stage}", span)

    def _argument(self, stage: str, name: str, kind: t.Type, value: Typed) -> str:
        """What a stage is called with; a number is tested where it may be out of its bounds."""
        text = self.expressions.text(value)
        if kind.kind != "integer" or text == "None":
            return text
        least, most = self.expressions.model.stages[stage].bounds[name]
        (low, high), ranges = self.expressions.ranges.of(value), self.expressions.ranges
        if not kind.optional and ranges.of(least)[1] <= low and high <= ranges.of(most)[0]:
            return text
        number = self.out.fresh("number")
        self.out.line(f"{number} = {text}", value.span)
        bounds = f"{self.expressions.text(least)} <= {number} <= {self.expressions.text(most)}"
        with self.out.block(f"if {number} is not None and not {bounds}:", value.span):
            low_text, high_text = self.expressions.text(least), self.expressions.text(most)
            self.out.line(f"out_of_bounds({name!a}, {number}, {low_text}, {high_text})", value.span)
        return number

    def _if(self, condition: Typed, then: tuple[Effect, ...], otherwise: tuple[Effect, ...], span: Span) -> None:
        test = self.expressions.text(condition)
        if test in ("True", "False"):
            self.block(then if test == "True" else otherwise)
            return
        with self.out.block(f"if {test}:", span):
            self.block(then)
        if otherwise:
            with self.out.block("else:"):
                self.block(otherwise)

    def _for(self, node: t.ForEffect) -> None:
        variable = f"x·{node.variable}"
        where = "" if node.where is None else f" if {self.expressions.text(node.where)}"
        domain = self.expressions.group(node.domain)
        bounds = self.expressions.bounds
        domain = self.expressions.counted(domain, bounds.carried((node,)), (node.where, node.by, *node.body))
        items = f"[{variable} for {variable} in {domain}{where}]"
        if node.by is not None:
            items = f"sorted({items}, key=lambda {variable}: {self.expressions.text(node.by)})"
        with self.out.block(f"for {variable} in {items}:", node.span):
            self.block(node.body)


def default_text(expressions: ExpressionCompiler, name: str) -> str:
    """The value a variable has when its lifetime begins."""
    variable = expressions.model.variables[name]
    if variable.default is not None:
        return expressions.text(variable.default)
    if variable.type.optional:
        return "None"
    kind = variable.type.kind
    if kind == "integer":
        low, high = (expressions.text(b) for b in (variable.minimum, variable.maximum))
        low, high = (b if b.lstrip("-").isdigit() else "0" for b in (low, high))
        return str(min(max(0, int(low)), int(high)))
    return {"flag": "False", "text": "''", "player": "0", "team": "0", "suit": "0", "rank": "0", "set": "()"}.get(
        kind, ascii(variable.type.symbols[0]) if variable.type.symbols else "None"
    )
