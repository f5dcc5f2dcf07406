"""One random match, looked at after every move: who can do what, which laws refuse, whether the cards are all there."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from interpreter.analysis.audit.configurations import Configuration
from interpreter.analysis.audit.tally import Played, Tally, Trouble
from interpreter.analysis.offers import maybe_refused, offers_something, possible_of
from interpreter.api.game import Game, State
from interpreter.api.random_play import deal_stage, measures_of
from interpreter.base.diagnostics import Span
from interpreter.engine import legal
from interpreter.engine.available import action_named, may_move, open_actions
from interpreter.engine.chance import Dice, derive
from interpreter.engine.claims import claim_moves
from interpreter.engine.failures import Ruled
from interpreter.engine.frames import is_running
from interpreter.engine.meaning import Offer
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.playing import make
from interpreter.engine.position import Position, Unkept
from interpreter.engine.program import ActionCode, StageCode
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.stuck import stuck

BREACHES = 30
"""On honour, so many of a hundred moves are any that anybody can make, lawful or not, claims included."""
SEEN_OFTEN, SEEN_SELDOM = 60, 20
"""After so many moves of a match somebody looks at the table each time, after that every so many moves."""
CLAIMS = 25
"""Of these, so many of a hundred claim a fault that somebody has committed, where there is one."""
UNRULY = 5
"""In one match on honour of so many all moves are such: nobody need pay what is owed, or wait for anything."""


class Watch:
    """A random match of one game. It is the match that `simulate --games 1 --seed SEED` plays, if it is strict."""

    def __init__(self, game: Game, configuration: Configuration, seed: int, limit: int, tally: Tally) -> None:
        self.game, self.configuration, self.seed, self.limit, self.tally = game, configuration, seed, limit, tally
        own = derive(seed, 0)
        self.dice, self.other = Dice(own + 1), Dice(own + 2)
        self.own = own
        self.made = 0
        self.first: int | None = None
        self.running: list[tuple[object, int, str]] = []
        """The stages that run, outermost first: what tells one run from another, since which decision, its name."""
        self.trace = hashlib.sha256()
        self.breaches = 0
        """Of a hundred moves."""
        if configuration.enforcement == "honor":
            self.breaches = BREACHES if self.other.below(UNRULY) else 100

    def play(self) -> State | None:
        """Play to the end or the limit; None if it could not go on. What was seen is in the tally."""
        state: State | None = None
        try:
            state = self.game.start(seed=self.own, log=False)
            state.position.record_moves = Unkept()
            self._look(state.position)
            while not state.over and self.made < self.limit:
                self._decide(state.position)
                self._look(state.position)
                self._see(state)
        except RuleError as error:
            self._trouble("stuck", _whoever(error.message.partition(" (seed")[0]), str(error))
            state = None
        except _Lost as lost:
            self._trouble("lost", str(lost), str(lost))
            state = None
        if state is not None and not state.over and self.breaches < 100:
            self._cut(state.position)
        over = state is not None and state.over
        winners = tuple(state.winners) if over and state is not None else ()
        self.trace.update(f"{self.made} {winners} {state.scores if over and state else ''}".encode())
        honor = self.configuration.enforcement == "honor"
        self.tally.played.append(Played(self.game.players, honor, self.made, over, winners, self.first))
        return state

    # ---- one decision ---------------------------------------------------------------------------------

    def _decide(self, s: Position) -> None:
        dice = self.dice
        actors = legal.actors(s)
        if not actors:
            stage = s.program.stages[s.stack[-1].stage]
            raise RuleError(f"nobody can do anything in '{stage.name}'", stage.span)
        if len(actors) == 1 and self.first is None:
            self.first = actors[0]
        for player in actors:
            self._learn(s, player)
        player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
        moves = legal.legal_moves(s, player)
        count = len(moves)
        if not count:
            raise stuck(s, player)
        self.trace.update(b"%d %d;" % (player, count))
        if self.breaches and self.other.below(100) < self.breaches and self._break_rules(s):
            self.made += 1
            return
        self._make(s, player, moves[dice.below(count)] if count > 1 else moves[0])
        self.made += 1

    def _break_rules(self, s: Position) -> bool:
        """A move of anybody's that is possible, lawful or not, or a claim of a fault; False if there is none."""
        found = self._right_claim(s) or self._anything(s)
        if found is None:
            return False
        somebody, move = found
        faults = len(s.faults)
        standing, claims = self._standing(s, somebody, move), _claims(s)
        try:
            self._make(s, somebody, move)
        except IllegalMove:
            return False  # open to those who only look on, yet refused: nothing has changed
        if standing and claims is not None:
            fresh = self.tally.claimable if _claims(s) is claims else self.tally.lapsed
            fresh.update(standing)
        if len(s.faults) > faults:
            self.tally.breaches[s.faults[-1].law] += 1
        return True

    def _anything(self, s: Position) -> tuple[int, Move] | None:
        somebody = self.other.below(self.game.players)
        moves: Sequence[Move] = legal.listable_moves(s, somebody)
        if not len(moves):
            return None
        self.trace.update(b"%d!" % len(moves))
        return somebody, moves[self.other.below(len(moves))]

    def _right_claim(self, s: Position) -> tuple[int, Move] | None:
        """Somebody's claim against a player who has committed a fault; None if there is none, or by chance."""
        if not s.faults or self.other.below(100) >= CLAIMS:
            return None
        offender = s.faults[self.other.below(len(s.faults))].offender
        everyone = range(self.game.players)
        claims = [(p, move) for p in everyone for move in claim_moves(s, p) if move.args[:1] == (offender,)]
        return claims[self.other.below(len(claims))] if claims else None

    def _standing(self, s: Position, player: int, move: Move) -> list[tuple[str, ...]]:
        """The laws that a move breaks whose breach stands; of a move that is due."""
        with Ruled(s):
            return self._breaches(s, player, move)

    def _breaches(self, s: Position, player: int, move: Move) -> list[tuple[str, ...]]:
        frame, action = s.stack[-1], action_named(s, move.action)
        stage = s.program.stages[frame.stage]
        if action is None or not action.laws or not (action.anytime or may_move(s, player, frame, stage)):
            return []
        args = Offer(s, player, action).possible(move.args)
        laws = [] if args is None else [action.laws[at] for at in action.broken(s, player, *args)]
        place = s.program.stages[action.stage].name
        stand = all(law.breach == "stands" for law in laws)
        return [(place, action.name, law.name) for law in laws] if stand else []

    def _make(self, s: Position, player: int, move: Move) -> None:
        self.trace.update(move.text.encode())
        action = action_named(s, move.action)
        measures = {} if action is None else measures_of(s, player, action, move, self.dice)
        make(s, player, move, measures=measures)

    # ---- what there is to see -------------------------------------------------------------------------

    def _learn(self, s: Position, player: int) -> None:
        """Which actions a player could choose, and which laws say no to some of their moves."""
        tally, stages = self.tally, s.program.stages
        for action, frame in open_actions(s, player):
            stage = stages[action.stage if action.anytime else frame.stage]
            if action.talk or tally.is_settled(stage, action):
                continue
            with Ruled(s):
                self._learn_action(s, player, stage, action)

    def _learn_action(self, s: Position, player: int, stage: StageCode, action: ActionCode) -> None:
        tally, name = self.tally, (stage.name, action.name)
        possible = possible_of(s, player, action)
        if possible is not None and not offers_something(action, possible):
            return
        tally.possible.add(name)
        lawful = action.legal(s, player)
        if offers_something(action, lawful):
            tally.lawful.add(name)
        if not action.laws:
            return
        if possible is None:  # less is lawful, and no law is called useless because it is not known which refuses what
            for seen in (tally.met, tally.broken):
                seen.update((*name, law.name) for law in action.laws)
            return
        tried = maybe_refused(action, possible, lawful, self.other)
        trick = len(s.plays) if action.is_play else 0
        tally.met.update((*name, law.name) for law in action.laws if law.on != ("follow" if trick == 0 else "lead"))
        for args in tried:
            for law in action.broken(s, player, *args):
                tally.broken.add((*name, action.laws[law].name))

    def _look(self, s: Position) -> None:
        """The cards are all there, each once; and which stages run."""
        seen = count = 0
        for kept in s.z:
            if isinstance(kept, int):
                seen |= kept
                count += kept.bit_count()
            else:
                count += len(kept)
                for card in kept:
                    seen |= 1 << card
        total = len(s.program.cards)
        if count != total or seen != (1 << total) - 1:
            raise _Lost(
                f"{total} cards make the pack, and {count} lie on the table ({seen.bit_count()} different ones)"
            )
        self._follow_stages(s)

    def _see(self, state: State) -> None:
        """What one after the other is shown, often at first and now and then for as long as a match goes on."""
        if self.made < SEEN_OFTEN or not self.made % SEEN_SELDOM:
            state.view(self.made % self.game.players)

    def _follow_stages(self, s: Position) -> None:
        running, stages, tally = self.running, s.program.stages, self.tally
        kept = 0
        for frame, known in zip(s.stack, running, strict=False):
            if known[0] is not frame:
                break
            kept += 1
        if kept == len(running) == len(s.stack):
            return
        for _, _, name in running[kept:]:
            tally.ended.add((name,))
        del running[kept:]
        for frame in s.stack[kept:]:
            name = stages[frame.stage].name
            tally.entered.add((name,))
            running.append((frame, self.made, name))

    def _cut(self, s: Position) -> None:
        """The innermost stage that has been running for more than half of the match is the one that does not end.

        Those in which deal follows deal are not asked: their matches may just be long ones.
        """
        around = _around(s.program.stages, deal_stage(self.game.program))
        for _, since, name in reversed(self.running):
            if self.made - since > self.limit // 2 and name not in around:
                span = next(stage.span for stage in s.program.stages if stage.name == name)
                self._trouble("endless", name, f"'{name}' has been running for {self.made - since} decisions", span)
                return

    def _trouble(self, kind: str, what: str, message: str, span: Span | None = None) -> None:
        assert kind in ("stuck", "lost", "endless")
        found = Trouble(kind, what, message, self.configuration, self.seed, self.made, span)  # type: ignore[arg-type]
        self.tally.troubles.append(found)


def _claims(s: Position) -> object:
    """The stage during which claims are made, as it is going on; None where it is not."""
    code = s.program.honor_code
    return None if code is None else next((f for f in s.stack if f.stage == code.during and is_running(f)), None)


class _Lost(Exception):
    """A card is lost or doubled."""


def _whoever(message: str) -> str:
    """A message without its numbers and players: matches that fail for one reason share it."""
    return re.sub(r"\d+", "#", message)


def _around(stages: Sequence[StageCode], inner: int) -> set[str]:
    """The stages that a stage lies in."""
    found: set[str] = set()
    while True:
        outer = next((s for s in stages if inner in s.children and s.name not in found), None)
        if outer is None:
            return found
        found.add(outer.name)
        inner = outer.index
