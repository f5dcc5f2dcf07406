"""How tricks are played, in the core: the machine's functions of a stage of tricks, and the steps they are made of.

`begin·STAGE`, `moved·STAGE`, `ended·STAGE` and `next·STAGE` are what the machine calls when the stage begins, when
somebody has moved, when a trick is complete and when what it led to is done. Random play of all tricks in one loop
(`trick_playouts.py`) is made of the same steps.
"""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.lower.actions import Actions
from interpreter.compiler.lower.facts import asks_machine
from interpreter.compiler.lower.turn_machine import FRAME, MARK, MOVER, OF_MACHINE, RESET, Leave, TurnMachine
from interpreter.compiler.taking_part import TakingPart
from interpreter.language.model import StageDef

LEADER = c.Name("leader")
_NUMBER, _TAKEN = c.field("trick_number"), c.field("tricks")


class TrickMachine:
    """Writes how tricks are played in one game."""

    def __init__(self, actions: Actions, parts: TakingPart) -> None:
        self.e = actions.e
        self.out = actions.out
        self.turns = TurnMachine(actions, parts)

    # ---- the functions --------------------------------------------------------------------------

    def stage(self, stage: StageDef) -> None:
        """Write the functions of a stage of tricks."""
        out, name = self.out, stage.name
        for title, more, write in (
            ("lead", ("leader", "reset=True"), self._lead),
            ("begin", ("leader=None", "reset=True"), self._begin),
            ("next", (), self._next),
            ("ended", (), self._ended),
            ("moved", (), self._moved),
        ):
            out.remark("")
            with out.function(f"{title}·{name}", *OF_MACHINE, *more):
                write(stage)

    def _begin(self, stage: StageDef) -> None:
        """The first trick begins, led by whom the stage says."""
        out = self.out
        with out.when(RESET):
            out.set(_NUMBER, c.ZERO)
            out.set(_TAKEN, c.Repeat(c.ZERO, self.e.layout.n))
        with out.when(c.is_none(LEADER)):
            out.set(LEADER, self.turns.asked("leader", stage) or c.CURRENT)
        with out.when(c.is_none(LEADER)):
            out.do(c.asked("nobody_leads"))
        out.do(self._led(stage, LEADER, RESET))

    def _lead(self, stage: StageDef) -> None:
        """A trick begins."""
        players = self.turns.gathered(stage)
        if players is not None:
            self.turns.seated(LEADER, players, self.turns.leave)
        self.out.set(c.field("pc", "frame"), c.Table("WAIT"))
        self.begins(stage, LEADER, c.List(()), RESET)

    def _next(self, stage: StageDef) -> None:
        """What a trick led to is done: the next one begins, unless the stage ends."""
        self.out.add(c.Lapse(c.TRUE, c.asked("age_by_end", c.Lit("trick"))))
        cards = self.cards_left(stage, self.turns.players(stage))
        self.ends(cards, self.turns.asked("until", stage), self.turns.asked("count", stage), self.turns.leave)
        self.leads_next(LEADER, self.turns.asked("next_leader", stage))
        self.out.do(self._led(stage, LEADER, c.TRUE))

    def _ended(self, stage: StageDef) -> None:
        """A trick is complete: find its winner, do what is to be done, and go on to the next."""
        out, jump = self.out, c.Compare("==", c.field("jump"), c.Table("NOWHERE"))
        out.do(c.asked(f"judge·{stage.name}"))
        self.is_taken(told=True)
        on_trick, follows = self.turns.asked("on_trick", stage), c.asked(f"next·{stage.name}", FRAME, c.Name("stage"))
        if on_trick is None:
            out.do(follows)
            return
        out.set(c.field("pc", "frame"), c.Table("TRICK"))
        out.do(on_trick)
        if asks_machine(stage.on_trick):
            with out.when(c.And((c.Not(c.field("calls")), jump))):
                out.do(follows)
        else:
            out.do(follows)

    def _moved(self, stage: StageDef) -> None:
        """Somebody has moved: the trick is complete, or the next player is due."""
        out, turns = self.out, self.turns
        each = stage.cards_each
        everybody = c.Lit(each * self.e.layout.n)
        turns.takes_mark()
        moved = c.Compare("!=", MOVER, c.Table("NOBODY"))
        turns.grows_older(moved)
        players = turns.gathered(stage)
        laid = c.call("len", c.PLAYS)
        complete: Expr = c.Compare(">=", laid, everybody)
        if players is not None:
            among: Expr = c.call("len", players)
            among = among if each == 1 else c.Op("*", among, c.Lit(each))
            complete = c.And((c.Compare(">=", laid, among), c.asked("is_complete", players)))
        with out.when(complete):
            out.do(c.asked(f"ended·{stage.name}", FRAME, c.Name("stage")))
            out.give(c.NONE)
        self._follows(players)
        until = turns.asked("until", stage)
        if until is not None:
            with out.when(until):
                turns.leave()
        if stage.on_turn or turns.lasts("turn"):
            with out.when(moved):
                turns.starts(stage, ("turn",), c.TRUE)

    def _follows(self, players: Expr | None) -> None:
        """Write whose turn it is: mostly the next one's, else that of the next who is due to play."""
        out, whole = self.out, list[Statement]()
        with out.within(whole):
            self._asks_who_follows(c.Name("follower"), players or c.EVERYONE)
        if players is not None:
            out.body += whole
            return
        goes_round = (
            c.Compare("==", MARK, c.Table("GO")),
            c.Compare("!=", MOVER, c.Table("NOBODY")),
            c.Compare("==", c.DIRECTION, c.ONE),
            *(c.Not(c.field(name)) for name in self.turns.unseats()),
        )
        out.add(c.Follow(c.And(goes_round), [c.Set(c.CURRENT, c.Item(c.Table("LEFT"), MOVER))], whole))

    def _asks_who_follows(self, follower: c.Name, players: Expr) -> None:
        self.out.set(follower, c.asked("next_due", MARK, MOVER, players))
        with self.out.when(c.is_none(follower)):
            self.turns.leave()
        self.out.set(c.CURRENT, follower)

    def _led(self, stage: StageDef, leader: Expr, reset: Expr) -> Expr:
        more = () if reset == c.TRUE else (reset,)
        return c.asked(f"lead·{stage.name}", FRAME, c.Name("stage"), leader, *more)

    # ---- the steps ------------------------------------------------------------------------------

    def is_taken(self, told: bool) -> None:
        """Write down that the winner of a trick, if there is one, has taken one more, and (told) that it is logged."""
        with self.out.when(c.is_there(c.WINNER)):
            self.out.update(c.Item(_TAKEN, c.WINNER), "+", c.ONE)
            if told:
                with self.out.when(c.is_there(c.LOG)):
                    self.out.do(c.asked("tell_trick"))

    def ends(self, cards_left: Expr, until: Expr | None, count: Expr | None, leave: Leave) -> None:
        """Write that the stage is left where it is to end: when it says so, or when nobody can play on.

        cards_left: whether anybody has a card to play. count: how many tricks there are, if that is said.
        """
        tests = [] if until is None else [until]
        if count is not None:
            tests.append(c.Compare(">=", _NUMBER, count))
        with self.out.when(joined("or", [*tests, c.Not(cards_left)])):
            leave()

    def cards_left(self, stage: StageDef, among: Expr | None, soonest: c.Name | None = None) -> Expr:
        """Whether anybody has a card to play. among: who does, None for all. soonest: who is asked first."""
        family = self.e.layout.zones[stage.source_zone]
        if among is None:
            return joined("or", [c.Zone(c.Lit(at)) for at in family.places])
        found = c.Loop("any", "q", among, None, self._held(family.base, c.Name("q")))
        return found if soonest is None else c.Or((self._held(family.base, soonest), found))

    def _held(self, base: int, player: Expr) -> Expr:
        return c.Zone(c.add(c.Lit(base), player))

    def leads_next(self, leader: c.Name, said: Expr | None) -> None:
        """Write down who leads to the next trick: as it is said, else the winner, else who has led before."""
        self.out.set(leader, c.WINNER if said is None else said)
        with self.out.when(c.is_none(leader)):
            self.out.set(leader, c.field("leader"))

    def begins(self, stage: StageDef, leader: Expr, plays: Expr, reset: Expr) -> None:
        """Write that a trick begins. plays: an empty list, in which the plays come to lie."""
        out = self.out
        out.update(_NUMBER, "+", c.ONE)
        out.set(c.PLAYS, plays)
        out.set(c.LED, c.NONE)
        out.set(c.field("leader"), leader)
        out.set(c.CURRENT, leader)
        self.turns.starts(stage, ("trick", "turn"), reset)
