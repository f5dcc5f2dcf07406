"""Random decisions outside tricks: what `playouts` runs instead of the machine.

A stage of turns in which nothing but lawful moves is open is one loop: what can be done is counted, one way of it is
drawn and carried out, and the turn goes on as the machine would let it. Where the machine has to do more, it is asked,
and the loop goes on if the stage still waits. Elsewhere a single decision is one function. Nothing is logged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from interpreter.compiler import core as c
from interpreter.compiler.algebra import either, in_all, in_any, joined
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.actions import Actions
from interpreter.compiler.lower.cards import as_mask, bits_of_each, cards
from interpreter.compiler.lower.choices import ROW
from interpreter.compiler.lower.facts import asks_machine
from interpreter.compiler.lower.plain_stages import is_plain
from interpreter.compiler.lower.turn_machine import FOLLOWER, FRAME, NEIGHBOURS, TurnMachine
from interpreter.compiler.made import local_name
from interpreter.compiler.taking_part import TakingPart
from interpreter.engine.packets import mask_of
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, CardRow, StageDef
from interpreter.language.tree import replace
from interpreter.language.typed import Typed, walk

MOST_ACTIONS = 60
"""Of a stage whose decisions are written out: Python nests the cases of a choice inside one another."""
_AT, _LOW, _MADE, _LIMIT = c.Name("at"), c.Name("low"), c.Name("made"), c.Name("limit")
DICE, HALVES = c.Name("dice"), c.Name("halves")


@dataclass(frozen=True, slots=True)
class Offer:
    """What an action offers, as it has been written.

    count: how many ways there are. form: how one of them is found: there is nothing to choose, by its number, in a
    list of arguments, in the values of its one parameter, in cards, or in cards as bits. found: the name of these.
    weights: for bits, card -> in how many ways it can be played, and the bits of those with more than one.
    """

    action: ActionDef
    count: Expr
    form: Literal["nothing", "numbered", "list", "values", "cards", "bits"]
    found: c.Name = _AT
    weights: tuple[Expr, int] = (c.NONE, 0)
    chooses: int = 0
    """The bits of the cards whose row has something to choose."""


class Decisions:
    """Writes playout_ of stages of turns, or decide_ of other stages in which somebody decides."""

    def __init__(self, actions: Actions, parts: TakingPart, machine: TurnMachine) -> None:
        self.actions = actions
        self.facts = actions.facts
        self.e = actions.e
        self.transfers = actions.effects.transfers
        self.parts = parts
        self.machine = machine
        self.out = actions.out

    def function_for(self, stage: StageDef) -> str:
        """The function of a stage for random play, if it is plain and several cards are never chosen in it; or ""."""
        within = (*stage.actions, *stage.anytime)
        shapes = [self.facts.shape(action) for action in within]
        asks = stage.kind in ("turn", "ask", "simultaneous", "race") and stage.actions
        if not asks or "cards" in shapes or not is_plain(self.facts, self.parts, stage):
            return ""
        if len(within) > MOST_ACTIONS or any(map(self.facts.is_charged, within)):
            return ""  # written out, their conditions would be counted otherwise
        return f"{'playout' if self._takes_turns(stage) else 'decide'}·{stage.name}"

    def _takes_turns(self, stage: StageDef) -> bool:
        """Whether one function plays a stage from turn to turn, and not only one decision of it."""
        apart = self.e.model.reseats or stage.on_turn or stage.anytime or self.e.bounds.counts(stage)
        return stage.kind == "turn" and not apart

    def stage(self, stage: StageDef) -> None:
        """The function of a stage for random play."""
        name = self.function_for(stage)
        self.out.remark("")
        if self._takes_turns(stage):
            with self.out.function(name, "s", "frame", "dice", "limit"):
                self._turns(stage)
        else:
            with self.out.function(name, "s", "p", "dice"):
                self.out.set(HALVES, c.field("halves", "dice"))
                self._decision(stage, c.NONE)
                self.out.give(c.TRUE)

    # ---- a stage of turns -----------------------------------------------------------------------

    def _turns(self, stage: StageDef) -> None:
        """One decision after the other; between them the turn passes."""
        out, everybody = self.out, self.machine.players(stage) is None
        effects = tuple(e for a in stage.actions for e in (*a.effect, *(e for row in a.rows for e in row.effect)))
        out.set(_MADE, c.ZERO)
        out.set(c.ACTOR, c.CURRENT)
        out.set(HALVES, c.field("halves", "dice"))
        out.set(c.field("mark"), c.Table("GO"))
        around = self.machine.around() if everybody else NEIGHBOURS
        with out.loop(c.Compare("<", _MADE, _LIMIT)):
            self._decision(stage, _MADE)
            out.update(_MADE, "+", c.ONE)
            if asks_machine(effects):
                self._ask_machine(stage, {e.verb for e in walk(effects) if isinstance(e, t.Turn | t.ToPlayer)})
            players = self.machine.gathered(stage)
            stays = not everybody and self._until(stage) is not None  # whoever has moved, if nobody follows
            leave = None if everybody or stays else self.leave
            self.machine.passes_on(c.ACTOR, players, FOLLOWER if stays else c.ACTOR, leave, around)
            self._leave_at(stage)
            self.machine.begins(stage, players if stays else None, self.leave, c.TRUE)
            if stays:
                out.set(c.ACTOR, c.CURRENT)
        out.give(_MADE)

    def _ask_machine(self, stage: StageDef, verbs: set[str]) -> None:
        """What an effect has asked for is done by the machine; who stays decides again at once."""
        out, mark, calls, jump = self.out, c.field("mark"), c.field("calls"), c.field("jump")
        with out.when(c.Or((calls, c.Compare("!=", jump, c.Lit(-1)), mark))):
            if "stay" in verbs and self.machine.players(stage) is None:  # else who stays may take no part any more
                stays = c.Compare("==", mark, c.Table("STAY")), c.Not(calls), c.Compare("==", jump, c.Lit(-1))
                with out.when(c.And(stays)):
                    out.set(mark, c.Table("GO"))
                    out.set(c.ACTOR, c.CURRENT)
                    self._leave_at(stage)
                    out.go_on()
            self.hand_over()
            out.set(c.ACTOR, c.CURRENT)
            out.go_on()

    def hand_over(self) -> None:
        """Let the machine go on behind a move, and come back if the stage still waits."""
        self.goes_on(marked=True)
        waits = c.Compare("!=", c.field("pc", "frame"), c.Table("WAIT"))
        top = c.Compare("is not", c.Item(c.field("stack"), c.Lit(-1)), FRAME)
        with self.out.when(c.Or((waits, c.field("halted"), top))):
            self.out.give(_MADE)

    def goes_on(self, marked: bool) -> None:
        """Let the machine go on behind a move. marked: whether the move can have said how the turn goes on."""
        self.out.set(c.field("pc", "frame"), c.Table("MOVED"))
        self.out.set(c.field("mover", "frame"), c.ACTOR)
        if marked:
            self.out.set(c.field("mark", "frame"), c.field("mark"))
            self.out.set(c.field("mark"), c.Table("GO"))
        self.out.do(c.asked("advance"))

    def leave(self) -> None:
        """Let the machine end the stage."""
        self.out.set(c.field("pc", "frame"), c.Table("LEAVE"))
        self.out.do(c.asked("advance"))
        self.out.give(_MADE)

    def _leave_at(self, stage: StageDef) -> None:
        until = self._until(stage)
        if until is not None and stage.until is not None:
            with self.out.when(until, stage.until.span):
                self.leave()

    def _until(self, stage: StageDef) -> Expr | None:
        """The condition at which a stage ends; None if it ends otherwise."""
        found = c.FALSE if stage.until is None else self.e.of(stage.until)
        return None if found == c.FALSE else found

    # ---- one decision ---------------------------------------------------------------------------

    def _decision(self, stage: StageDef, stuck: Expr) -> None:
        """Draw one of the lawful moves of a stage and carry it out. stuck: what is given back if there is none."""
        out = self.out
        offers = [self._offer(at, action) for at, action in enumerate((*stage.actions, *stage.anytime))]
        offers = [offer for offer in offers if offer.count != c.ZERO]
        if all(isinstance(offer.count, c.Lit) for offer in offers):
            self._settled_decision(stage, offers, stuck)
            return
        ways = [c.Name(f"ways{at}") for at in range(len(offers))]
        for own, offer in zip(ways, offers, strict=True):
            out.set(own, offer.count)
        out.set(_AT, c.add(*ways))
        with out.when(c.Compare(">", _AT, c.ONE)):
            self.draw(_AT, _AT)
        with out.otherwise():
            with out.when(c.Compare("==", _AT, c.ONE)):
                out.set(_AT, c.ZERO)
            with out.otherwise():
                out.give(stuck)
        self._carry_out(stage, offers, list(ways))

    def _settled_decision(self, stage: StageDef, offers: list[Offer], stuck: Expr) -> None:
        """A decision of which it is known beforehand in how many ways it can be made."""
        ways = [offer.count for offer in offers]
        total = sum(count.value for count in ways if isinstance(count, c.Lit))
        if not total:
            self.out.give(stuck)
            return
        if total > 1:
            self.draw(_AT, c.Lit(total))
        self._carry_out(stage, offers, ways)

    def _carry_out(self, stage: StageDef, offers: list[Offer], ways: list[Expr]) -> None:
        """The move that is drawn: of the first action whose ways reach as far; the last needs no test."""
        out = self.out
        block = out.body
        for at, offer in enumerate(offers):
            with self.transfers.quietly(), out.within(block):
                if offer is offers[-1]:
                    self._make(stage, offer, ways[:at])
                    break
                with out.when(c.Compare("<", _AT, c.add(*ways[: at + 1]))):
                    self._make(stage, offer, ways[:at])
            last = block[-1]
            assert isinstance(last, c.When)
            block = last.otherwise

    def _make(self, stage: StageDef, offer: Offer, before: list[Expr]) -> None:
        """Choose one of the ways of an action and carry it out. before: the ways of the actions before it."""
        if before and offer.form != "nothing":
            self.out.update(_AT, "-", c.add(*before))
        if offer.form == "numbered" and self.actions.listing.counts_steps(offer.action):
            self.out.set(c.field("spent"), c.ZERO)  # it goes once more through what it has been through
        self._choose(offer)
        self._measure(offer.action)
        if self.e.bounds.counts(stage):
            self.out.set(c.field("spent"), c.ZERO)  # what it took to find the moves is done with
        self.actions.carry_out(offer.action, stage)
        if offer.action.anytime:
            self.out.give(c.FALSE)

    def draw(self, at: c.Name, ways: Expr) -> None:
        """The number of one of so many ways at random: `Dice.below`, written out."""
        with self.out.when(c.Not(HALVES)):
            self.out.do(c.method(DICE, "draw"))
        self.out.set(at, c.Op(">>", c.Op("*", c.method(HALVES, "pop"), ways), c.Lit(32)))

    def _offer(self, at: int, action: ActionDef) -> Offer:
        """Write what can be chosen of an action."""
        legal, found = c.asked(f"legal·{action.stage}·{action.name}", c.ACTOR), c.Name(f"found{at}")
        shape = self.facts.shape(action)
        if shape == "none":
            return Offer(action, either(self._can_be(action), c.ONE, c.ZERO), "nothing")
        heavy = self.e.bounds.is_heavy(self.e.bounds.offer(action))
        weights = None if heavy else self._weights(action)
        if weights is not None and self._find_bits(action, found):
            return self._weighed(action, found, weights)
        if shape == "args" and self._is_free(action):
            return self._any_value(action, found)
        if shape == "args" and self.actions.listing.counts(action):
            return Offer(action, c.asked(f"count·{action.stage}·{action.name}", c.ACTOR), "numbered")
        if shape == "args":
            self.out.set(found, legal)
            return Offer(action, c.call("len", found), "list", found)
        if self.e.layout.multi:
            self.out.set(found, c.call("by_face", c.Table("FIRST"), legal))
            return Offer(action, c.call("len", found), "cards", found)
        self.out.set(found, legal)
        return Offer(action, c.CountBits(found), "bits", found)

    def _is_free(self, action: ActionDef) -> bool:
        """Whether one parameter is chosen, and each of its values can be: nothing is asked of it alone."""
        if len(action.params) != 1 or action.row is not None or self.actions.listing.counts_steps(action):
            return False
        param, asked = action.params[0], [on for _, on in action.when] + [law.law for law in action.laws]
        plain = param.form in ("number", "players", "suits", "ranks", "choice", "flag") and param.where is None
        return plain and not any(self.facts.needs(on, action) and self.e.of(on) != c.TRUE for on in asked)

    def _any_value(self, action: ActionDef, found: c.Name) -> Offer:
        """Write the values of the one parameter of an action that can be chosen."""
        test = self._can_be(action)
        if test == c.FALSE:
            return Offer(action, c.ZERO, "nothing")
        values = self.actions.listing.domain(action.params[0])
        self.out.set(found, either(test, values, c.NOTHING), action.params[0].span)
        return Offer(action, c.call("len", found), "values", found)

    def _can_be(self, action: ActionDef) -> Expr:
        """What has to hold for an action of which nothing looks at what is chosen."""
        return joined(
            "and", [self.e.of(on) for on in (*(on for _, on in action.when), *(law.law for law in action.laws))]
        )

    def _weights(self, action: ActionDef) -> tuple[int, ...] | None:
        """Card -> in how many ways it can be played, for an action in which a card is chosen, and what its row adds.

        None where that is not settled beforehand.
        """
        if len(action.params) != 1 or any(on for on, _ in action.when) or any(law.on for law in action.laws):
            return None
        param = action.params[0]
        optional = param.optional and not any(_demands(law.law, param.name) for law in action.laws)
        plain = param.form == "cards" and param.count is None and not optional and not self.facts.blind(param)
        own = isinstance(action.row, t.Local) and action.row.name == param.name
        if not plain or not (own or action.row is None):
            return None
        if not action.rows:
            return (1,) * len(self.e.layout.cards)
        if self.facts.ask_rows(action):
            return None
        ways = [self._row_ways(row) for row in action.rows]
        known = [number for number in ways if number is not None]
        return tuple((*known, 1)[at] for at in self.facts.row_table(action)) if len(known) == len(ways) else None

    def _row_ways(self, row: CardRow) -> int | None:
        """In how many ways the parameters of a row can be chosen; None where that may change."""
        found = 1
        for param in row.params:
            settled = param.form in ("players", "suits", "ranks", "choice", "flag")
            if param.where is not None or param.none_if is not None or not settled:
                return None
            match self.actions.listing.domain(replace(param, optional=False)):
                case c.Call("others", (c.EVERYONE, c.ACTOR)):
                    number = self.e.layout.n - 1
                case c.Table(name):
                    number = len(self.e.tables.constants[name])
                case c.Lit(tuple() as words):
                    number = len(words)
                case _:
                    return None
            found *= number + param.optional
        return found

    def _find_bits(self, action: ActionDef, found: c.Name) -> bool:
        """Write the lawful cards of an action as bits, of equal ones the first; False if they are not found so."""
        layout, param = self.e.layout, action.params[0]
        assert param.domain is not None
        among = cards(self.e, param.domain)
        if layout.multi != (among[0] == "list") or list(layout.first_copy) != sorted(layout.first_copy):
            return False  # the order in which they are offered is another one
        laws = (law.law for law in action.laws if not _demands(law.law, param.name))
        conditions = [x for x in (param.where, *(condition for _, condition in action.when), *laws) if x is not None]
        known = bits_of_each(self.e, conditions, param.name)
        if known is None:
            return False
        self.out.set(found, in_all([as_mask(among), *known]), param.span)
        if layout.multi:
            again = (c.Op("&", c.Op("<<", found, c.Lit(n)), c.Lit(mask)) for n, mask in self._further_copies())
            self.out.update(found, "&", c.Inverted(in_any(again)))
        return True

    def _further_copies(self) -> Iterator[tuple[int, int]]:
        """For each n the bits of the cards that are the n-th copy of their face, or a later one; the first is 0."""
        first = self.e.layout.first_copy
        for n in range(1, max(card - face for card, face in enumerate(first)) + 1):
            yield n, mask_of([card for card, face in enumerate(first) if card - face >= n])

    def _weighed(self, action: ActionDef, found: c.Name, weights: tuple[int, ...]) -> Offer:
        """The ways to play each card of a set of bits."""
        several = {w: mask_of([x for x, own in enumerate(weights) if own == w]) for w in sorted(set(weights) - {1})}
        rows = self.facts.row_table(action) if action.rows else ()
        extra = [
            c.Op("*", c.Lit(weight - 1), c.CountBits(c.Op("&", found, c.Lit(mask)))) for weight, mask in several.items()
        ]
        table: Expr = self.e.tables.table(weights, f"{action.name}_ways") if several else c.NONE
        chooses = mask_of([x for x, at in enumerate(rows) if at < len(action.rows) and action.rows[at].params])
        count = c.add(c.CountBits(found), *extra)
        return Offer(action, count, "bits", found, (table, sum(several.values())), chooses)

    # ---- which of the ways ----------------------------------------------------------------------

    def _choose(self, offer: Offer) -> None:
        """Write which of the ways has been drawn: the names that effects and rows know it by."""
        out, found = self.out, offer.found
        names = [c.Name(local_name(param.name)) for param in offer.action.params]
        match offer.form:
            case "numbered" | "list":
                row = (c.Spread(ROW),) if offer.action.rows else ()
                nth = c.asked(f"nth·{offer.action.stage}·{offer.action.name}", c.ACTOR, _AT)
                out.set(c.Tuple((*names, *row)), nth if offer.form == "numbered" else c.Item(found, _AT))
            case "cards" | "values":
                out.set(names[0], c.Item(found, _AT))
            case "bits":
                self._choose_bits(offer, names[0])

    def _choose_bits(self, offer: Offer, card: c.Name) -> None:
        out, found, action = self.out, offer.found, offer.action
        weights, several = offer.weights
        rows = c.asked(f"rows·{action.stage}·{action.name}", c.ACTOR, card)
        if action.rows and (action.measured or not offer.chooses):
            out.set(ROW, c.NOTHING)
        if not several:
            self._nth(found, card)
            self._only_row(offer, rows, card)
            return
        weight = c.Item(weights, card)
        with out.when(c.Op("&", found, c.Lit(several))):
            self._lowest(found, card)
            with out.loop(c.Compare(">=", _AT, weight)):
                out.update(_AT, "-", weight)
                out.update(found, "^", _LOW)
                self._lowest(found, card)
            with out.when(c.holds_bit(c.Lit(offer.chooses), card)):
                out.set(ROW, c.Item(rows, _AT))
        with out.otherwise():
            self._nth(found, card)
            self._only_row(offer, rows, card)

    def _lowest(self, found: Expr, card: Expr) -> None:
        self.out.set(_LOW, c.LowBit(found))
        self.out.set(card, c.BitNumber(_LOW))

    def _only_row(self, offer: Offer, rows: Expr, card: Expr) -> None:
        """What the row of a card adds that can be played in one way: nothing, or what there is to choose."""
        if offer.chooses & ~offer.weights[1]:
            with self.out.when(c.holds_bit(c.Lit(offer.chooses), card)):
                self.out.set(ROW, c.Item(rows, c.ZERO))

    def _measure(self, action: ActionDef) -> None:
        """What the body decides is drawn for whoever plays at random."""
        row = (c.Spread(ROW),) if action.rows else ()
        given = (*(c.Name(local_name(param.name)) for param in action.params), *row)
        for name, low, _ in action.measured:
            bounds = c.asked(f"measure·{name}·{action.stage}·{action.name}", c.ACTOR, *given)
            drawn = c.call("drawn", DICE, c.Lit(name), c.Lit(action.name), c.Spread(bounds))
            self.out.set(c.Name(local_name(name)), drawn, low.span)

    def _nth(self, found: Expr, card: Expr) -> None:
        with self.out.loop(_AT):
            self.out.update(found, "&", c.Op("-", found, c.ONE))
            self.out.update(_AT, "-", c.ONE)
        self.out.set(card, c.BitNumber(c.LowBit(found)))


def _demands(law: Typed, name: str) -> bool:
    """Whether a law says no more than that something is chosen."""
    match law:
        case t.Op("!=", (t.Local(chosen), t.Const(None))):
            return chosen == name
    return False
