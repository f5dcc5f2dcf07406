"""Random play of tricks, printed: what `playouts` runs instead of the machine.

A stage of tricks is one loop. It is the machine's way through the stage, with nothing logged: what choosing among
`legal_`, `apply_` and the steps between would do. What stays the same while tricks are played, or while one trick
is, is looked up beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from interpreter.compiler.actions import ActionCompiler, Printed, asks_machine
from interpreter.compiler.taking_part import TakingPart
from interpreter.language import typed as t
from interpreter.language.model import StageDef
from interpreter.language.typed import walk

TRUMPS = 10_000
"""What a trump is worth more than any other card."""


class PlayingOut:
    """Prints playout_ of the stages of tricks that can be played out so."""

    def __init__(self, actions: ActionCompiler, parts: TakingPart) -> None:
        self.actions = actions
        self.expressions = actions.expressions
        self.effects = actions.effects
        self.parts = parts
        self.out = actions.out
        self.kept: dict[str, tuple[str, bool]] = {}
        """What is looked up beforehand: its text -> its name, whether it depends on the suit led."""

    def is_possible(self, stage: StageDef, printed: Mapping[tuple[str, str, bool], Printed]) -> bool:
        """Whether there is nothing but plays, and who takes part is settled."""
        expressions = self.expressions
        model, layout = expressions.model, expressions.layout
        turn_variables = any(v.lasts == "turn" for v in model.variables.values())
        until = None if stage.until is None else expressions.text(stage.until)
        effects = [e for a in stage.actions for e in walk((a.effect, stage.on_card)) if isinstance(e, t.ToPlayer)]
        return (
            stage.kind == "trick"
            and not expressions.bounds.counts(stage)
            and len(stage.actions) == 1
            and not layout.multi
            and not layout.honor
            and until in (None, "False")
            and not stage.on_turn
            and not turn_variables
            and ((self.parts.text(stage.name) in (None, "P") and not model.reseats) or self._stay(stage))
            and stage.actions[0].row is None
            and not stage.actions[0].when
            and printed[stage.name, stage.actions[0].name, False].shape == "card"
            and not any(e.verb == "pass turn" for e in effects)
        )

    def _stay(self, stage: StageDef) -> bool:
        """Whether some take part, the same ones as long as there are tricks, and only the winner can lead next."""
        effects = stage.actions[0].effect + stage.on_card + stage.on_trick
        return (
            stage.next_leader is None
            and not asks_machine(effects)
            and not self.actions.reverses
            and self.parts.stays(stage)
        )

    def print(self, stage: StageDef) -> None:
        """The function playout_STAGE(s, frame, dice, limit) -> how many decisions were made."""
        out, action = self.out, stage.actions[0]
        among = self.parts.text(stage.name)
        among = None if among == "P" else among
        asks = asks_machine(action.effect + stage.on_card)
        alone = not asks and not self.actions.skips and not asks_machine(stage.on_trick)
        out.blank()
        with out.function(f"playout·{stage.name}", "s, frame, dice, limit"), self._looking_up(stage, alone):
            out.line("z = s.z; v = s.v; made = 0; p = s.current; plays = s.plays; halves = dice.halves")
            out.line("laid = len(plays)")
            everybody, turn = str(self.expressions.layout.n), "LEFT[p]"
            if self.actions.reverses:
                turn = "LEFT[p] if s.direction == 1 else RIGHT[p]"
            if among is not None:
                out.line(f"among = {among}; left = to_the_left(s, among)")
                out.line("everybody = len(among)")
                everybody, turn = "everybody", "left[p]"
            worths = self._worths(stage) if alone else None
            before = len(out.lines)
            with out.block("while made < limit:"):
                self.actions.possible_cards(action, action.params[0])
                self.actions.filter_laws(action.laws, action.params[0].name)
                self._draw_card()
                self.actions.play_card(action, stage)
                lead = len(out.lines)
                if worths is not None:
                    self._compare(worths, "p")
                self.effects.block(action.effect)
                self.effects.block(stage.on_card)
                out.line("made += 1")
                extra = " and not s.calls and s.jump == -1" if asks else ""
                extra += " and not s.skips" if self.actions.skips else ""
                with out.block(f"if laid < {everybody}{extra}:"):
                    out.line(f"s.current = p = {turn}")
                    out.line("continue")
                if alone:
                    self._end_trick(stage, among, worths)
                else:
                    self._hand_over()
            out.line("return made")
            self._look_up(before, lead, worths)

    def _draw_card(self) -> None:
        """One of the cards in `m` at random: `dice.below`, written out."""
        out = self.out
        out.line("ways = m.bit_count()")
        with out.block("if ways > 1:"):
            with out.block("if not halves:"):
                out.line("dice.draw()")
            out.line("ways = halves.pop() * ways >> 32")
            with out.block("while ways:"):
                out.line("m &= m - 1; ways -= 1")
        with out.block("elif not ways:"):
            out.line("return made")
        out.line("low = m & -m; x·card = low.bit_length() - 1")

    def _hand_over(self) -> None:
        """Let the machine go on, and come back if the stage still waits."""
        self.out.line("frame.pc = MOVED; frame.mover = p")
        self.out.line("advance(s)")
        with self.out.block("if frame.pc != WAIT or s.halted or s.stack[-1] is not frame:"):
            self.out.line("return made")
        self.out.line("p = s.current; plays = s.plays; laid = len(plays)")

    def _end_trick(self, stage: StageDef, among: str | None, worths: str | None) -> None:
        """What the machine does when a trick is complete, for a stage in which nothing else can happen then."""
        out = self.out
        if worths is None:
            out.line(f"judge·{stage.name}(s)")
        else:
            out.line("s.winner = taker; s.best = [] if taker is None else [taker]")
        with out.block("if s.winner is not None:"):
            out.line("s.tricks[s.winner] += 1")
        self.effects.block(stage.on_trick)
        family = self.expressions.layout.zones[stage.source_zone]
        left = " or ".join(f"z[{place}]" for place in range(family.base, family.base + family.size))
        if among is not None:
            left = f"z[{family.base} + p] or any(z[{family.base} + q] for q in among)"
        count = "" if stage.count is None else f"s.trick_number >= {self.expressions.number(stage.count)} or "
        with out.block(f"if {count}not ({left}):"):
            out.line("frame.pc = LEAVE; advance(s)")
            out.line("return made")
        leader = "s.winner" if stage.next_leader is None else self.expressions.text(stage.next_leader)
        out.line(f"p = {leader}")
        with out.block("if p is None:"):
            out.line("p = s.leader")
        out.line("s.trick_number += 1; s.plays = plays = []; laid = 0; s.led = None; s.leader = s.current = p")
        if any(v.lasts == "trick" for v in self.expressions.model.variables.values()):
            out.line("reset·trick(s)")

    # ---- what is looked up beforehand -----------------------------------------------------------

    @contextmanager
    def _looking_up(self, stage: StageDef, alone: bool) -> Iterator[None]:
        """Print a loop in which what never changes has a name. alone: the machine does nothing in it."""
        effects = list(walk([stage.actions[0].effect, stage.on_card, stage.on_trick]))
        targets = [e.target for e in effects if isinstance(e, t.Assign)]
        changed = {target.name for target in targets if not isinstance(target, t.StageArgument)}
        changed |= {e.name for e in effects if isinstance(e, t.Clear)}
        swaps = any(isinstance(e, t.SwapValues) for e in effects)

        def keep(text: str, variables: tuple[str, ...], led: bool = False) -> str:
            if swaps or changed & set(variables):
                return text
            if text not in self.kept:
                self.kept[text] = (self.out.fresh("kept"), led)
            return self.kept[text][0]

        self.kept.clear()
        self.expressions.keep = keep if alone else None
        self.actions.plays, self.actions.laid_so_far = "plays", "laid"
        self.effects.quiet = True
        self.effects.bits["x·card"] = "low"
        yield
        self.expressions.keep = None
        self.actions.plays, self.actions.laid_so_far = "s.plays", ""
        self.effects.quiet = False
        self.effects.bits.clear()

    def _look_up(self, before: int, lead: int, worths: str | None) -> None:
        """Print what has got a name: at the head of the loop, or where a card is led."""
        out = self.out
        led = [f"{name} = {text}" for text, (name, by_suit) in self.kept.items() if by_suit]
        if worths is not None:
            led.append("most = -1; taker = None")
        out.insert(lead, led)
        first = len(out.lines)
        for text, (name, by_suit) in self.kept.items():
            if not by_suit:
                out.line(f"{name} = {text}")
        if led:
            with out.block("if plays:"):
                for line in led:
                    out.line(line)
                if worths is not None:
                    with out.block("for q, x·card in plays:"):
                        self._compare(worths, "q")
        out.bring_forward(first, before)

    # ---- who takes the trick --------------------------------------------------------------------

    def _compare(self, worths: str, player: str) -> None:
        self.out.line(f"worth = {worths}[x·card]")
        with self.out.block("if worth > most:"):
            self.out.line(f"most = worth; taker = {player}")

    def _worths(self, stage: StageDef) -> str | None:
        """What each card is worth in the trick, by the suit led, as text; -1 if it takes nothing.

        None if that cannot be worked out beforehand, or two cards can be worth the same.
        """
        expressions, keep = self.expressions, self.expressions.keep
        card = t.Local("card", t.CARD, stage.span)
        suit = stage.suit if stage.suit is not None else t.Op("suit", (card,), t.SUIT, stage.span)
        rank = stage.rank if stage.rank is not None else t.Op("rank", (card,), t.RANK, stage.span)
        trump = stage.trump if stage.trump is not None else t.Const(None, t.NONE, stage.span)
        needs = expressions.uses(suit) | expressions.uses(rank) | expressions.uses(trump)
        variables = tuple(sorted(n.removeprefix("variable ") for n in needs if n.startswith("variable ")))
        if keep is None or needs - {"card"} - {f"variable {name}" for name in variables}:
            return None
        suits, ranks, trumps = (expressions.by_value(node, "card", variables) for node in (suit, rank, trump))
        if suits is None or ranks is None or trumps is None:
            return None
        rows: dict[Any, dict[Any, tuple[int, ...]]] = {}
        for key in suits:
            rows[key] = {led: worths_of(suits[key], ranks[key], trumps[key][0], led) for led in set(suits[key])}
        found = [[worth for worth in row if worth >= 0] for by_led in rows.values() for row in by_led.values()]
        name = expressions.row(rows, variables)
        steady = not variables or any(name == own for own, _ in self.kept.values())
        if not steady or any(len(set(row)) < len(row) for row in found):
            return None
        return keep(f"{name}[s.led]", variables, True)


def worths_of(suits: tuple[Any, ...], ranks: tuple[Any, ...], trump: Any, led: Any) -> tuple[int, ...]:
    """What the cards of a pack are worth in a trick to which a suit was led; -1: it takes nothing."""
    found = []
    for suit, rank in zip(suits, ranks, strict=True):
        takes = rank is not None and rank >= 0 and suit in (led, trump)
        found.append(-1 if not takes else rank + TRUMPS if trump is not None and suit == trump else rank)
    return tuple(found)
