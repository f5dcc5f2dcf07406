"""Random play of tricks: what `playouts` runs instead of the machine.

A stage of tricks is one loop, in which somebody leads and the others follow. It is the machine's way through the stage,
with nothing logged: what choosing among `legal_`, `apply_` and the steps between would do. What stays the same while
tricks are played, or while one trick is, is looked up beforehand. A card of a trick that has begun already, or is not
to be played to its end, is played by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.lower.actions import Actions
from interpreter.compiler.lower.decisions import HALVES, Decisions
from interpreter.compiler.lower.facts import asks_machine, reverses
from interpreter.compiler.lower.table_names import named_after
from interpreter.compiler.lower.trick_machine import TrickMachine
from interpreter.compiler.lower.uses import variables_in
from interpreter.compiler.passes.copies import without_copies
from interpreter.compiler.passes.held_once import held_once
from interpreter.compiler.passes.trick_apart import TrickApart
from interpreter.compiler.taking_part import TakingPart, changed_by
from interpreter.compiler.trick_suits import rank_in, suit_in
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
_M, _LOW, _MADE, _LIMIT, _WAYS = c.Name("m"), c.Name("low"), c.Name("made"), c.Name("limit"), c.Name("ways")
_PLAYS, _AMONG, _EVERYBODY = c.Name("plays"), c.Name("among"), c.Name("everybody")
_AROUND, _REST = c.Name("around"), c.Name("rest")
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
        """Whether there is nothing but plays, none of them asks the machine, and who takes part is settled."""
        model, layout = self.e.model, self.e.layout
        turn_variables = any(variable.lasts == "turn" for variable in model.variables.values())
        until = None if stage.until is None else self.e.of(stage.until)
        all_play = self.parts.of(stage.name) in (None, c.EVERYONE) and not model.reseats
        return (
            stage.kind == "trick"
            and not self.e.bounds.counts(stage)
            and len(stage.actions) == 1
            and not layout.multi
            and until in (None, c.FALSE)
            and not stage.on_turn
            and not turn_variables
            and not (self.facts.skips or self._asks(stage.actions[0].effect + stage.on_card))
            and (all_play or self._stay(stage))
            and stage.actions[0].row is None
            and not stage.actions[0].when
            and self.facts.shape(stage.actions[0]) == "card"
        )

    def _asks(self, effects: tuple[t.Effect, ...]) -> bool:
        """Whether what a play does may change who plays next, or ask the machine for something."""
        return asks_machine(effects) or any(map(reverses, walk(effects)))

    def _stay(self, stage: StageDef) -> bool:
        """Whether some take part, the same ones as long as there are tricks, and only the winner can lead next."""
        effects = stage.actions[0].effect + stage.on_card + stage.on_trick
        settled = stage.next_leader is None and not asks_machine(effects) and not self.facts.reverses
        return settled and self.parts.stays(stage)

    def function_for(self, stage: StageDef) -> str:
        """The function of a stage in which this is possible."""
        return f"playout·{stage.name}"

    def stage(self, stage: StageDef) -> None:
        """The function playout_STAGE(s, frame, dice, limit) -> how many decisions were made."""
        out, among = self.out, self.parts.of(stage.name)
        among = None if among == c.EVERYONE else among
        alone = not asks_machine(stage.on_trick)
        out.remark("")
        with out.function(self.function_for(stage), "s", "frame", "dice", "limit"), self._looking_up(stage):
            everybody, rest = self._begin(among)
            with out.when(c.Or((_PLAYS, c.Compare("<", _LIMIT, everybody)))):
                self._one_play(stage)
            worths = self._worths(stage) if alone else None
            follow: list[Statement] = []
            with out.within(follow):
                self._play(stage, worths, leads=False)
            block = out.body
            with out.loop(c.Compare("<=", c.add(_MADE, everybody), _LIMIT)):
                self._play(stage, worths, leads=True)
                out.set(_REST, rest)
                with out.each("p", _REST):
                    out.body += follow
                out.update(_MADE, "+", everybody)
                if alone:
                    self._end_trick(stage, among, worths)
                else:
                    self._hand_over(_MADE)
            block[-1:-1] = self._looked_up(by_suit=False)
            out.give(_MADE)
            if alone:
                trick = c.Zone(c.Lit(self.e.layout.zones[stage.trick_zone].base))
                apart = TrickApart(trick, out.fresh("kept"), _PLAYS, _REST)
                block[:] = apart.body(without_copies(block))
            block[:] = _held_once(block, out.fresh("cards"))

    def _begin(self, among: Expr | None) -> tuple[Expr, Expr]:
        """What is at hand throughout. Returns how many play, and who plays after whoever leads, in turn."""
        out = self.out
        for name, value in (
            (_MADE, c.ZERO), (c.ACTOR, c.CURRENT), (_PLAYS, c.PLAYS), (HALVES, c.field("halves", "dice")),
        ):  # fmt: skip
            out.set(name, value)
        if among is None:
            return c.Lit(self.e.layout.n), c.Item(self._around(), c.ACTOR)
        out.set(_AMONG, among)
        out.set(_AROUND, c.asked("followers", _AMONG))
        out.set(_EVERYBODY, c.call("len", _AMONG))
        return _EVERYBODY, c.Item(_AROUND, c.ACTOR)

    def _around(self) -> Expr:
        """Leader -> who follows, where all play; found once, unless the direction may change."""
        n = self.e.layout.n
        left, right = (
            self.e.tables.table(tuple(tuple((p + way * at) % n for at in range(1, n)) for p in range(n)), telling)
            for way, telling in ((1, "followers"), (-1, "followers_right"))
        )
        around = c.If(c.Compare("==", c.DIRECTION, c.ONE), left, right)
        if self.facts.reverses:
            return around
        self.out.set(_AROUND, around)
        return _AROUND

    def _one_play(self, stage: StageDef) -> None:
        """One card is played, and the machine goes on: in a trick that has begun, or cannot be played to its end."""
        name = f"{stage.name}·{stage.actions[0].name}"
        self.out.set(_M, c.asked(f"legal·{name}", c.ACTOR))
        self._draw_card(c.ZERO)
        self.out.do(c.asked(f"apply·{name}", c.ACTOR, _CARD))
        self._hand_over(c.ONE)

    def _play(self, stage: StageDef, worths: Expr | None, leads: bool) -> None:
        """A card is played. leads: whether it is the first one; it is written last: what to look up is known then."""
        out, action, judging = self.out, stage.actions[0], self.actions.judging
        judging.plays = c.Lit(not leads)
        if not leads:
            out.set(c.CURRENT, c.ACTOR)
        judging.possible_cards(action, action.params[0])
        judging.filter_laws(action.laws, action.params[0].name)
        self._draw_card(_MADE if leads else c.Op("+", _MADE, c.call("len", _PLAYS)))
        self.actions.play_card(action, stage, _PLAYS, leads)
        if leads:
            out.body += self._looked_up(by_suit=True)
        if worths is not None and leads and self._sure:  # whoever leads is the best so far
            out.body += self._is_best(c.Item(worths, _CARD))
        elif worths is not None:
            if leads:
                out.body += [c.Set(_MOST, c.Lit(-1)), c.Set(_TAKER, c.NONE)]
            out.set(_WORTH, c.Item(worths, _CARD))
            with out.when(c.Compare(">", _WORTH, _MOST)):
                out.body += self._is_best(_WORTH)
        self.effects.block(action.effect)
        self.effects.block(stage.on_card)
        judging.plays = c.PLAYS

    def _draw_card(self, stuck: Expr) -> None:
        """One of the cards in `m` at random. stuck: what is given back if there is none."""
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
                out.give(stuck)

    def _bit(self, card: Expr) -> Expr:
        """The bit of a card: looked up, which is faster than to shift it there."""
        bits = tuple(1 << x for x in range(len(self.e.layout.cards)))
        return c.bit(card) if len(bits) > MOST_BITS else c.Item(self.e.tables.table(bits, "bit"), card)

    def _hand_over(self, made: Expr) -> None:
        """Let the machine go on behind a play."""
        self.decisions.goes_on(marked=False)
        self.out.give(made)

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
        machine.begins(stage, c.ACTOR, _PLAYS, c.TRUE)

    # ---- what is looked up beforehand -----------------------------------------------------------

    @contextmanager
    def _looking_up(self, stage: StageDef) -> Iterator[None]:
        """Write a loop in which what never changes has a name."""
        changed, swaps = changed_by([stage.actions[0].effect, stage.on_card, stage.on_trick])

        def keep(found: Expr, variables: tuple[str, ...], led: bool = False) -> Expr:
            if swaps or changed & set(variables):
                return found
            if found not in self._kept:
                self._kept[found] = (self.out.fresh("kept"), led)
            return self._kept[found][0]

        transfers = self.effects.transfers
        self._kept.clear()
        self.e.keep = keep
        transfers.bits[_CARD] = _LOW
        with transfers.quietly():
            yield
        self.e.keep = None
        transfers.bits.clear()

    def _looked_up(self, by_suit: bool) -> list[Statement]:
        """What gives what is looked up its name: where a card is led, or (by_suit is False) before the loop."""
        return [c.Set(name, found) for found, (name, own) in self._kept.items() if own == by_suit]

    # ---- who takes the trick --------------------------------------------------------------------

    def _is_best(self, worth: Expr) -> tuple[Statement, Statement]:
        return c.Set(_MOST, worth), c.Set(_TAKER, c.ACTOR)

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


def _held_once(body: list[Statement], held: c.Name) -> list[Statement]:
    """A block in which each loop looks once at the hand from which a card is played."""
    inside = partial(_held_once, held=held)
    body = [c.with_blocks(each, inside) if isinstance(each, c.While | c.Each) else each for each in body]
    return held_once(body, held)
