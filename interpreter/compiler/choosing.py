"""Random decisions outside tricks, printed: what `playouts` runs instead of the machine.

A stage of turns in which nothing but lawful moves is open is one loop: what can be done is counted, one way of it is
drawn and carried out, and the turn goes on as the machine would let it. Where the machine has to do more, it is asked,
and the loop goes on if the stage still waits. Elsewhere a single decision is one function. Nothing is logged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from interpreter.compiler.actions import ActionCompiler, Printed, asks_machine
from interpreter.compiler.patterns import mask_of
from interpreter.compiler.snippets import combine
from interpreter.compiler.taking_part import TakingPart
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, CardRow, LawDef, StageDef
from interpreter.language.tree import replace
from interpreter.language.typed import Typed, walk


@dataclass(frozen=True, slots=True)
class Offer:
    """What an action offers, as it has been printed.

    count: text for how many ways there are. form: how one of them is found: there is nothing to choose, a list of
    arguments, cards, or cards as bits. found: the name of these. weights: for bits, card -> in how many ways it can be
    played, and the bits of those with more than one.
    """

    action: ActionDef
    count: str
    form: Literal["nothing", "list", "cards", "bits"]
    found: str = ""
    weights: tuple[str, int] = ("", 0)
    chooses: int = 0
    """The bits of the cards whose row has something to choose."""


MOST_ACTIONS = 60
"""Of a stage whose decisions are written out: Python nests the cases of a choice inside one another."""


class Deciding:
    """Prints playout_ of stages of turns, or decide_ of other stages in which somebody decides."""

    def __init__(self, actions: ActionCompiler, parts: TakingPart) -> None:
        self.actions = actions
        self.expressions = actions.expressions
        self.effects = actions.effects
        self.parts = parts
        self.out = actions.out

    def print(self, stage: StageDef, printed: Mapping[tuple[str, str, bool], Printed]) -> None:
        """The function of a stage for random play, unless several cards are chosen in it."""
        shapes = [printed[stage.name, a.name, False].shape for a in stage.actions]
        asks = stage.kind in ("turn", "ask", "simultaneous", "race") and stage.actions and not stage.anytime
        if not asks or "cards" in shapes or self.expressions.layout.honor:
            return
        everybody = self.parts.text(stage.name) in (None, "P") and not self.expressions.model.reseats
        self.out.blank()
        counts = self.expressions.bounds.counts(stage)
        if len(stage.actions) > MOST_ACTIONS or any(map(self.actions.is_charged, stage.actions)):
            return  # written out, their conditions would be counted otherwise
        if stage.kind == "turn" and everybody and not stage.on_turn and not counts:
            with self.out.function(f"playout·{stage.name}", "s, frame, dice, limit"):
                self._turns(stage, shapes)
        else:
            with self.out.function(f"decide·{stage.name}", "s, p, dice"):
                self.out.line("z = s.z; v = s.v; halves = dice.halves")
                self._decision(stage, shapes, "return False")
                self.out.line("return True")

    # ---- a stage of turns -----------------------------------------------------------------------

    def _turns(self, stage: StageDef, shapes: Sequence[str]) -> None:
        """The loop of `_turn_moved` and `_begin_turn`, for a stage in which everybody takes part."""
        out = self.out
        effects = tuple(e for a in stage.actions for e in (*a.effect, *(e for row in a.rows for e in row.effect)))
        verbs = {e.verb for e in walk(effects) if isinstance(e, t.Turn | t.ToPlayer)}
        out.line("z = s.z; v = s.v; made = 0; p = s.current; halves = dice.halves; s.mark = GO")
        with out.block("while made < limit:"):
            self._decision(stage, shapes, "return made")
            out.line("made += 1")
            if asks_machine(effects):
                with out.block("if s.calls or s.jump != -1 or s.mark:"):
                    if "stay" in verbs:
                        self._stay(stage)
                    out.line("frame.pc = MOVED; frame.mover = p; frame.mark = s.mark; s.mark = GO")
                    out.line("advance(s)")
                    with out.block("if frame.pc != WAIT or s.halted or s.stack[-1] is not frame:"):
                        out.line("return made")
                    out.line("p = s.current")
                    out.line("continue")
            self._next_player()
            self._leave_at(stage)
            out.line("frame.step += 1")
            if stage.turns is not None:
                with out.block("if frame.step > frame.pending:"):
                    out.line("frame.pc = LEAVE; advance(s)")
                    out.line("return made")
            if any(variable.lasts == "turn" for variable in self.expressions.model.variables.values()):
                out.line("reset·turn(s)")
        out.line("return made")

    def _stay(self, stage: StageDef) -> None:
        """Who is to stay decides once more in the same turn."""
        with self.out.block("if s.mark == STAY and not s.calls and s.jump == -1:"):
            self.out.line("s.mark = GO; p = s.current")
            self._leave_at(stage)
            self.out.line("continue")

    def _next_player(self) -> None:
        out = self.out
        turn = "LEFT[p] if s.direction == 1 else RIGHT[p]" if self.actions.reverses else "LEFT[p]"
        if not self.actions.skips:
            out.line(f"s.current = p = {turn}")
            return
        with out.block("if s.skips:"):
            out.line("s.current = p = next_player(s, p, P)")
        with out.block("else:"):
            out.line(f"s.current = p = {turn}")

    def _leave_at(self, stage: StageDef) -> None:
        until = "False" if stage.until is None else self.expressions.text(stage.until)
        if until != "False":
            assert stage.until is not None
            with self.out.block(f"if {until}:", stage.until.span):
                self.out.line("frame.pc = LEAVE; advance(s)")
                self.out.line("return made")

    # ---- one decision ---------------------------------------------------------------------------

    def _decision(self, stage: StageDef, shapes: Sequence[str], stuck: str) -> None:
        """Draw one of the lawful moves of a stage and carry it out. stuck: what is done if there is none."""
        out = self.out
        offers = [self._offer(at, a, shape) for at, (a, shape) in enumerate(zip(stage.actions, shapes, strict=True))]
        offers = [offer for offer in offers if offer.count != "0"]
        for at, offer in enumerate(offers):
            out.line(f"ways{at} = {offer.count}")
        out.line(f"at = {' + '.join(f'ways{at}' for at in range(len(offers))) or '0'}")
        with out.block("if at > 1:"):
            with out.block("if not halves:"):
                out.line("dice.draw()")
            out.line("at = halves.pop() * at >> 32")
        with out.block("elif at == 1:"):
            out.line("at = 0")
        with out.block("else:"):
            out.line(stuck)
        quiet, self.effects.quiet = self.effects.quiet, True
        for at, offer in enumerate(offers):
            before = " + ".join(f"ways{n}" for n in range(at))
            with out.block(f"{'if' if at == 0 else 'elif'} at < {before}{' + ' if before else ''}ways{at}:"):
                if before and offer.form != "nothing":
                    out.line(f"at -= {before}" if at == 1 else f"at -= ({before})")
                self._choose(offer)
                self._measure(offer.action)
                if self.expressions.bounds.counts(stage):
                    out.line("s.spent = 0")  # what it took to find the moves is done with
                self.actions.carry_out(offer.action, stage)
        self.effects.quiet = quiet

    def _offer(self, at: int, action: ActionDef, shape: str) -> Offer:
        """Print what can be chosen of an action."""
        name, found = f"{action.stage}·{action.name}", f"found{at}"
        if shape == "none":
            tests = [self.expressions.text(test) for test in (*(c for _, c in action.when), *_tests(action.laws))]
            tests = [test for test in tests if test != "True"]
            count = "0" if "False" in tests else f"(1 if {' and '.join(tests)} else 0)" if tests else "1"
            return Offer(action, count, "nothing")
        bounds = self.expressions.bounds
        weights = None if bounds.is_heavy(bounds.offer(action)) else self._weights(action)
        if weights is not None and self._find_bits(action, found):
            return self._weighed(action, found, weights)
        if shape == "args":
            self.out.line(f"{found} = legal·{name}(s, p)")
            return Offer(action, f"len({found})", "list", found)
        if self.expressions.layout.multi:
            self.out.line(f"{found} = by_face(FIRST, legal·{name}(s, p))")
            return Offer(action, f"len({found})", "cards", found)
        self.out.line(f"{found} = legal·{name}(s, p)")
        return Offer(action, f"{found}.bit_count()", "bits", found)

    def _weights(self, action: ActionDef) -> tuple[int, ...] | None:
        """Card -> in how many ways it can be played, for an action in which a card is chosen, and what its row adds.

        None where that is not settled beforehand.
        """
        if len(action.params) != 1 or any(on for on, _ in action.when) or any(law.on for law in action.laws):
            return None
        param = action.params[0]
        plain = param.form == "cards" and param.count is None and not param.optional and not self.actions.blind(param)
        own = isinstance(action.row, t.Local) and action.row.name == param.name
        if not plain or not (own or action.row is None):
            return None
        if not action.rows:
            return (1,) * len(self.expressions.layout.cards)
        if self.actions.ask_rows(action):
            return None
        ways = [self._row_ways(row) for row in action.rows]
        known = [number for number in ways if number is not None]
        return tuple((*known, 1)[at] for at in self.actions.row_table(action)) if len(known) == len(ways) else None

    def _row_ways(self, row: CardRow) -> int | None:
        """In how many ways the parameters of a row can be chosen; None where that may change."""
        found = 1
        for param in row.params:
            if param.where is not None or param.form not in ("players", "suits", "ranks", "choice", "flag"):
                return None
            domain = self.actions.domain(replace(param, optional=False))
            if domain == "others(P, p)":
                found *= self.expressions.layout.n - 1 + param.optional
            elif domain in self.expressions.constants:
                found *= len(self.expressions.constants[domain]) + param.optional
            elif param.form in ("choice", "flag"):
                found *= len(self.actions.symbols(param) or (False, True)) + param.optional
            else:
                return None
        return found

    def _find_bits(self, action: ActionDef, found: str) -> bool:
        """Print the lawful cards of an action as bits, of equal ones the first; False if they are not found so."""
        expressions, layout, param = self.expressions, self.expressions.layout, action.params[0]
        assert param.domain is not None
        cards = expressions.cards(param.domain)
        if layout.multi != (cards[0] == "list") or list(layout.first_copy) != sorted(layout.first_copy):
            return False  # the order in which they are offered is another one
        conditions = [c for c in (param.where, *(c for _, c in action.when), *_tests(action.laws)) if c is not None]
        bits = [expressions.condition_bits(c, param.name) for c in conditions]
        if None in bits:
            return False
        text = combine([expressions.as_mask(cards), *(b for b in bits if b is not None)], "and")
        self.out.line(f"{found} = {text}", param.span)
        if layout.multi:
            others = [f"{found} << {n} & {mask}" for n, mask in self._further_copies()]
            self.out.line(f"{found} &= ~({' | '.join(others)})")
        return True

    def _further_copies(self) -> Iterator[tuple[int, int]]:
        """For each n the bits of the cards that are the n-th copy of their face, or a later one; the first is 0."""
        first = self.expressions.layout.first_copy
        for n in range(1, max(card - face for card, face in enumerate(first)) + 1):
            yield n, mask_of([card for card, face in enumerate(first) if card - face >= n])

    def _weighed(self, action: ActionDef, found: str, weights: tuple[int, ...]) -> Offer:
        """The ways to play each card of a set of bits."""
        several = {w: mask_of([c for c, own in enumerate(weights) if own == w]) for w in sorted(set(weights) - {1})}
        rows = self.actions.row_table(action) if action.rows else ()
        extra = [f" + {w - 1} * ({found} & {mask}).bit_count()" for w, mask in several.items()]
        table = self.expressions.table(weights) if several else ""
        chooses = mask_of([c for c, at in enumerate(rows) if at < len(action.rows) and action.rows[at].params])
        count = f"{found}.bit_count(){''.join(extra)}"
        return Offer(action, count, "bits", found, (table, sum(several.values())), chooses)

    def _choose(self, offer: Offer) -> None:
        """Print which of the ways has been drawn: the names that effects and rows know it by."""
        out, found, names = self.out, offer.found, [f"x·{p.name}" for p in offer.action.params]
        match offer.form:
            case "list":
                row = "*row" if offer.action.rows else ""
                given = ", ".join([*names, row] if row else names)
                out.line(f"{given}{',' if given.count(',') == 0 else ''} = {found}[at]")
            case "cards":
                out.line(f"{names[0]} = {found}[at]")
            case "bits":
                weights, several = offer.weights
                chosen = f"row = rows·{offer.action.stage}·{offer.action.name}(s, p, {names[0]})"
                if offer.action.rows and (offer.action.measured or not offer.chooses):
                    out.line("row = ()")
                if several:
                    with out.block(f"if {found} & {several}:"):
                        out.line(f"low = {found} & -{found}; {names[0]} = low.bit_length() - 1")
                        with out.block(f"while at >= {weights}[{names[0]}]:"):
                            out.line(f"at -= {weights}[{names[0]}]; {found} ^= low")
                            out.line(f"low = {found} & -{found}; {names[0]} = low.bit_length() - 1")
                        with out.block(f"if {offer.chooses or 0} >> {names[0]} & 1:"):
                            out.line(f"{chosen}[at]")
                    with out.block("else:"):
                        self._nth(found, names[0])
                        self._only_row(offer, chosen)
                else:
                    self._nth(found, names[0])
                    self._only_row(offer, chosen)

    def _only_row(self, offer: Offer, chosen: str) -> None:
        """What the row of a card adds that can be played in one way: nothing, or what there is to choose."""
        (name,) = (p.name for p in offer.action.params)
        several = offer.weights[1]
        if offer.chooses & ~several:
            with self.out.block(f"if {offer.chooses} >> x·{name} & 1:"):
                self.out.line(f"{chosen}[0]")

    def _measure(self, action: ActionDef) -> None:
        """What the body decides is drawn for whoever plays at random."""
        given = "".join(f", x·{p.name}" for p in action.params) + (", *row" if action.rows else "")
        for name, low, _ in action.measured:
            bounds = f"measure·{name}·{action.stage}·{action.name}(s, p{given})"
            self.out.line(f"x·{name} = drawn(dice, {name!a}, {action.name!a}, *{bounds})", low.span)

    def _nth(self, found: str, name: str) -> None:
        with self.out.block("while at:"):
            self.out.line(f"{found} &= {found} - 1; at -= 1")
        self.out.line(f"{name} = ({found} & -{found}).bit_length() - 1")


def _tests(laws: tuple[LawDef, ...]) -> Iterator[Typed]:
    return (law.law for law in laws)
