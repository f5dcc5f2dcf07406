"""Random play of tricks: what `playouts` runs instead of the machine.

A stage of tricks is one loop. It is the machine's way through the stage, with nothing logged: what choosing among
`legal_`, `apply_` and the steps between would do. What stays the same while tricks are played, or while one trick is,
is looked up beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.lower.actions import Actions
from interpreter.compiler.lower.decisions import HALVES, Decisions
from interpreter.compiler.lower.facts import asks_machine
from interpreter.compiler.lower.table_names import named_after
from interpreter.compiler.lower.trees import rank_in, suit_in
from interpreter.compiler.lower.trick_machine import TrickMachine
from interpreter.compiler.lower.uses import variables_in
from interpreter.compiler.passes.copies import without_copies
from interpreter.compiler.passes.held_once import held_once
from interpreter.compiler.passes.trick_apart import TrickApart
from interpreter.compiler.taking_part import TakingPart, changed_by
from interpreter.language import typed as t
from interpreter.language.model import StageDef
from interpreter.language.typed import walk

TRUMPS = 10_000
"""What a trump is worth more than any other card."""
MOST_BITS = 62
"""Cards of a pack whose bits are looked up in a table."""
_CARD = c.Name("x·card")
_ABOVE = c.Name("above")
"""How many cards lie above the one that is drawn."""
_M, _LOW, _MADE, _WAYS, _LAID = c.Name("m"), c.Name("low"), c.Name("made"), c.Name("ways"), c.Name("laid")
_PLAYS, _AMONG, _EVERYBODY, _LEFT = c.Name("plays"), c.Name("among"), c.Name("everybody"), c.Name("left")
_MOST, _TAKER, _WORTH = c.Name("most"), c.Name("taker"), c.Name("worth")
_BEST = c.If(c.is_none(_TAKER), c.List(()), c.List((_TAKER,)))
_TAKEN_BY = {
    c.is_there(c.WINNER): c.TRUE, c.is_none(c.WINNER): c.FALSE, c.call("required", c.WINNER): _TAKER, c.WINNER: _TAKER,
}  # fmt: skip
"""What is asked of the winner of a trick, where it is sure that there is one."""


class Tricks:
    """Writes playout_ of the stages of tricks that can be played out so."""

    def __init__(self, actions: Actions, decisions: Decisions, parts: TakingPart, machine: TrickMachine) -> None:
        self.actions = actions
        self.decisions = decisions
        self.machine = machine
        self.facts = actions.facts
        self.e = actions.e
        self.effects = actions.effects
        self.parts = parts
        self.out = actions.out
        self._kept: dict[Expr, tuple[c.Name, bool]] = {}
        """What is looked up beforehand -> its name, whether it depends on the suit led."""
        self._sure = False
        """Whether somebody takes every trick."""

    def is_possible(self, stage: StageDef) -> bool:
        """Whether there is nothing but plays, and who takes part is settled."""
        model, layout = self.e.model, self.e.layout
        turn_variables = any(variable.lasts == "turn" for variable in model.variables.values())
        until = None if stage.until is None else self.e.of(stage.until)
        effects = [e for a in stage.actions for e in walk((a.effect, stage.on_card)) if isinstance(e, t.ToPlayer)]
        all_play = self.parts.of(stage.name) in (None, c.EVERYONE) and not model.reseats
        return (
            stage.kind == "trick"
            and not self.e.bounds.counts(stage)
            and len(stage.actions) == 1
            and not layout.multi
            and until in (None, c.FALSE)
            and not stage.on_turn
            and not turn_variables
            and (all_play or self._stay(stage))
            and stage.actions[0].row is None
            and not stage.actions[0].when
            and self.facts.shape(stage.actions[0]) == "card"
            and not any(effect.verb == "pass turn" for effect in effects)
        )

    def _stay(self, stage: StageDef) -> bool:
        """Whether some take part, the same ones as long as there are tricks, and only the winner can lead next."""
        effects = stage.actions[0].effect + stage.on_card + stage.on_trick
        settled = stage.next_leader is None and not asks_machine(effects) and not self.facts.reverses
        return settled and self.parts.stays(stage)

    def stage(self, stage: StageDef) -> None:
        """The function playout_STAGE(s, frame, dice, limit) -> how many decisions were made."""
        out, action = self.out, stage.actions[0]
        among = self.parts.of(stage.name)
        among = None if among == c.EVERYONE else among
        asks = asks_machine(action.effect + stage.on_card)
        alone = not asks and not self.facts.skips and not asks_machine(stage.on_trick)
        out.remark("")
        with out.function(f"playout·{stage.name}", "s", "frame", "dice", "limit"), self._looking_up(stage, alone):
            everybody, turn = self._begin(among)
            worths = self._worths(stage) if alone else None
            before: list[Statement] = []
            block = out.body
            with out.loop(c.Compare("<", _MADE, c.Name("limit"))):
                self.actions.judging.possible_cards(action, action.params[0])
                self.actions.judging.filter_laws(action.laws, action.params[0].name)
                self._draw_card()
                led = self.actions.play_card(action, stage)
                if worths is not None:
                    with out.otherwise() if self._sure else nullcontext():  # whoever leads is the best so far
                        self._compare(worths, c.ACTOR)
                self.effects.block(action.effect)
                self.effects.block(stage.on_card)
                out.update(_MADE, "+", c.ONE)
                self._pass_on(everybody, turn, asks)
                if alone:
                    self._end_trick(stage, among, worths)
                else:
                    self._hand_over()
            with out.within(before):
                self._look_up(led, worths)
            block[-1:-1] = before
            out.give(_MADE)
            if worths is not None:
                trick = c.Zone(c.Lit(self.e.layout.zones[stage.trick_zone].base))
                kept, left = out.fresh("kept"), turn.of if isinstance(turn, c.Item) else c.NONE
                apart = TrickApart(trick, kept, _PLAYS, _LAID, left)
                block[:] = apart.body(without_copies(block))
            held = partial(held_once, held=out.fresh("cards"))
            block[:] = [c.with_blocks(each, held) if isinstance(each, c.While) else each for each in block]

    def _begin(self, among: Expr | None) -> tuple[Expr, Expr]:
        """What is at hand throughout. Returns how many play, and whose turn comes next."""
        out = self.out
        for name, value in (
            (_MADE, c.ZERO), (c.ACTOR, c.CURRENT), (_PLAYS, c.PLAYS), (HALVES, c.field("halves", "dice")),
            (_LAID, c.call("len", _PLAYS)),
        ):  # fmt: skip
            out.set(name, value)
        if among is None:
            return c.Lit(self.e.layout.n), c.Item(self.machine.turns.around(), c.ACTOR)
        out.set(_AMONG, among)
        out.set(_LEFT, c.asked("to_the_left", _AMONG))
        out.set(_EVERYBODY, c.call("len", _AMONG))
        return _EVERYBODY, c.Item(_LEFT, c.ACTOR)

    def _draw_card(self) -> None:
        """One of the cards in `m` at random."""
        out = self.out
        out.set(_WAYS, c.CountBits(_M))
        with out.when(c.Compare(">", _WAYS, c.ONE)):
            out.set(_ABOVE, c.Op("-", _WAYS, c.ONE))
            self.decisions.draw(_WAYS, _WAYS)
            out.update(_ABOVE, "-", _WAYS)
            with out.when(c.Compare("<", _WAYS, _ABOVE)):  # from the end that is nearer
                with out.loop(_WAYS):
                    out.update(_M, "&", c.Op("-", _M, c.ONE))
                    out.update(_WAYS, "-", c.ONE)
                out.set(_LOW, c.LowBit(_M))
                out.set(_CARD, c.BitNumber(_LOW))
            with out.otherwise():
                with out.loop(_ABOVE):
                    out.update(_M, "^", self._bit(c.BitNumber(_M)))
                    out.update(_ABOVE, "-", c.ONE)
                out.set(_CARD, c.BitNumber(_M))
                out.set(_LOW, self._bit(_CARD))
        with out.otherwise():
            with out.when(_WAYS):
                out.set(_LOW, _M)
                out.set(_CARD, c.BitNumber(_M))
            with out.otherwise():
                out.give(_MADE)

    def _bit(self, card: Expr) -> Expr:
        """The bit of a card: looked up, which is faster than to shift it there."""
        bits = tuple(1 << x for x in range(len(self.e.layout.cards)))
        return c.bit(card) if len(bits) > MOST_BITS else c.Item(self.e.tables.table(bits, "bit"), card)

    def _pass_on(self, everybody: Expr, turn: Expr, asks: bool) -> None:
        """The next player follows, unless the trick is complete or the machine has something to do."""
        tests: list[Expr] = [c.Compare("<", _LAID, everybody)]
        if asks:
            tests += [c.Not(c.field("calls")), c.Compare("==", c.field("jump"), c.Lit(-1))]
        if self.facts.skips:
            tests.append(c.Not(c.field("skips")))
        with self.out.when(joined("and", tests)):
            self.out.set(c.ACTOR, turn)
            self.out.set(c.CURRENT, c.ACTOR)
            self.out.go_on()

    def _hand_over(self) -> None:
        """Let the machine go on, and come back if the stage still waits."""
        out = self.out
        self.decisions.hand_over(marked=False)
        out.set(c.ACTOR, c.CURRENT)
        out.set(_PLAYS, c.PLAYS)
        out.set(_LAID, c.call("len", _PLAYS))

    def _end_trick(self, stage: StageDef, among: Expr | None, worths: Expr | None) -> None:
        """What the machine does when a trick is complete, for a stage in which nothing else can happen then."""
        out = self.out
        if worths is None:
            out.do(c.asked(f"judge·{stage.name}"))
        else:
            out.set(c.WINNER, _TAKER)
            out.set(c.field("best"), c.List((_TAKER,)) if self._sure else _BEST)
        machine, said = self.machine, stage.next_leader
        taken: list[Statement] = []
        with out.within(taken):
            machine.is_taken(told=False)
            self.effects.block(stage.on_trick)
            cards = machine.cards_left(stage, None if among is None else _AMONG, c.ACTOR)
            machine.ends(cards, None, None if stage.count is None else self.e.number(stage.count), self.decisions.leave)
            if said is None and worths is not None and self._sure:
                out.set(c.ACTOR, _TAKER)
            else:
                machine.leads_next(c.ACTOR, None if said is None else self.e.of(said))
        if worths is not None and self._sure:
            taken = [c.changed(step, lambda part: c.exchanged(part, _TAKEN_BY)) for step in taken]
        out.body += taken
        out.set(_PLAYS, c.List(()))
        out.set(_LAID, c.ZERO)
        machine.begins(stage, c.ACTOR, _PLAYS, c.TRUE)

    # ---- what is looked up beforehand -----------------------------------------------------------

    @contextmanager
    def _looking_up(self, stage: StageDef, alone: bool) -> Iterator[None]:
        """Write a loop in which what never changes has a name. alone: the machine does nothing in it."""
        changed, swaps = changed_by([stage.actions[0].effect, stage.on_card, stage.on_trick])

        def keep(found: Expr, variables: tuple[str, ...], led: bool = False) -> Expr:
            if swaps or changed & set(variables):
                return found
            if found not in self._kept:
                self._kept[found] = (self.out.fresh("kept"), led)
            return self._kept[found][0]

        transfers, judging = self.effects.transfers, self.actions.judging
        self._kept.clear()
        self.e.keep = keep if alone else None
        judging.plays, self.actions.laid = _PLAYS, _LAID
        transfers.bits[_CARD] = _LOW
        with transfers.quietly():
            yield
        self.e.keep = None
        judging.plays, self.actions.laid = c.PLAYS, None
        transfers.bits.clear()

    def _look_up(self, lead: list[Statement], worths: Expr | None) -> None:
        """Write what has got a name: before the loop, or where a card is led as well."""
        out = self.out
        for found, (name, by_suit) in self._kept.items():
            if not by_suit:
                out.set(name, found)
        led: list[Statement] = [c.Set(name, found) for found, (name, by_suit) in self._kept.items() if by_suit]
        begun: list[Statement] = [] if worths is None else [c.Set(_MOST, c.Lit(-1)), c.Set(_TAKER, c.NONE)]
        best: list[Statement] = [] if worths is None else [*self._is_best(c.Item(worths, _CARD), c.ACTOR)]
        lead += led + (best if self._sure else begun)
        if not led:
            return
        with out.when(_PLAYS):
            out.body += led + begun
            if worths is not None:
                with out.each(("q", "x·card"), _PLAYS):
                    self._compare(worths, c.Name("q"))

    # ---- who takes the trick --------------------------------------------------------------------

    def _compare(self, worths: Expr, player: Expr) -> None:
        self.out.set(_WORTH, c.Item(worths, _CARD))
        with self.out.when(c.Compare(">", _WORTH, _MOST)):
            self.out.body += self._is_best(_WORTH, player)

    def _is_best(self, worth: Expr, player: Expr) -> tuple[Statement, Statement]:
        return c.Set(_MOST, worth), c.Set(_TAKER, player)

    def _worths(self, stage: StageDef) -> Expr | None:
        """What each card is worth in the trick, by the suit led; -1 if it takes nothing.

        None if that cannot be worked out beforehand, or two cards can be worth the same.
        """
        e = self.e
        card = t.Local("card", t.CARD, stage.span)
        suit, rank = suit_in(stage, card), rank_in(stage, card)
        trump = stage.trump_when or stage.trump or t.Const(None, t.NONE, stage.span)
        needs = e.uses(suit) | e.uses(rank) | e.uses(trump)
        variables = variables_in(needs)
        if e.keep is None or len(needs - {"card"}) > len(variables):
            return None
        suits, ranks, trumps = (e.tables.rows(node, "card", variables) for node in (suit, rank, trump))
        if suits is None or ranks is None or trumps is None:
            return None
        rows: dict[Any, dict[Any, tuple[int, ...]]] = {}
        for held in suits:
            flags, also = trumps[held], ()  # card -> whether it is a trump; the suit of trumps
            if stage.trump_when is None:
                also = trumps[held][:1]
                flags = tuple(own is not None and own in also for own in suits[held])
            rows[held] = {led: worths_of(suits[held], ranks[held], flags, (led, *also)) for led in set(suits[held])}
        found = [[worth for worth in row if worth >= 0] for by_led in rows.values() for row in by_led.values()]
        self._sure = all(
            rows[held][led][at] >= 0 for held in rows for at, led in enumerate(suits[held])
        )  # whoever leads takes it, unless somebody else does
        name = e.row(rows, variables, f"{named_after(rank)}_worth")
        steady = not variables or any(name == own for own, _ in self._kept.values())
        if not steady or any(len(set(row)) < len(row) for row in found):
            return None
        return e.keep(c.Item(name, c.LED), variables, True)


def worths_of(
    suits: tuple[Any, ...], ranks: tuple[Any, ...], trumps: tuple[Any, ...], taking: tuple[Any, ...]
) -> tuple[int, ...]:
    """What the cards of a pack are worth in a trick; -1: it takes nothing.

    trumps: card -> whether it is one. taking: the suit led, and that of trumps if they are a suit.
    """
    found = []
    for suit, rank, is_trump in zip(suits, ranks, trumps, strict=True):
        takes = rank is not None and rank >= 0 and (suit in taking or is_trump)
        found.append(-1 if not takes else rank + TRUMPS if is_trump else rank)
    return tuple(found)
