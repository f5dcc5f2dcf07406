"""A player who thinks: it tries its moves out in worlds that agree with what it knows, and takes the best.

Information-set Monte Carlo tree search. A move is made in a world, what follows is decided by a tree of what earlier
trials have brought (`compiler.native.search_tree`), then everybody plays the deal to its end at random, and what counts
is how the player stands then against the others. All moves are tried in the same worlds, and half of them drop out,
again and again, so that the good ones are tried most (sequential halving; below that the tree has its bounds). Where
others decide on something but cards for a trick (a bid, say), wholly random play would drown everything, so whatever
has paid in earlier trials is done more often (a move-average sampling technique). Nobody takes turns in a race: its
trials are made without a tree.
Sources: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE Transactions on Computational
Intelligence and AI in Games 4 (2012), for the tree; Ginsberg, "GIB: imperfect information in a computationally
challenging game", JAIR 14 (2001), for worlds; Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed
bandits", ICML 2013, for the halving; Pepels, Cazenave, Winands, Lanctot, "Minimizing simple and cumulative regret in
Monte-Carlo tree search", Computer Games Workshop 2014, for both together; Finnsson, Björnsson, "Simulation-based
approach to general game playing", AAAI 2008, for the averages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.api.random_play import deal_stage
from interpreter.compiler.native.habit_book import FEW, FREELY
from interpreter.compiler.native.search_tree import DEEPEST, WIN, Tree
from interpreter.engine import legal, standing
from interpreter.engine.chance import Dice, derive, shuffle
from interpreter.engine.failures import Ruled, carried_out
from interpreter.engine.frames import BEFORE_NEXT
from interpreter.engine.machine import advance
from interpreter.engine.moves import Choices, Moves
from interpreter.engine.notation import IllegalMove
from interpreter.engine.playing import make
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.view import faces, table
from interpreter.players.collecting import least_alike
from interpreter.players.compiled_trials import CompiledTrials, Course, Replay
from interpreter.players.determinization import Worlds
from interpreter.players.good_faith import lawful_moves
from interpreter.players.habits import Habit, Habits
from interpreter.players.honor_bot import PERFECT, HonourBot, Manners
from interpreter.players.open_course import knows_course
from interpreter.players.random_bot import RandomBot
from interpreter.players.told_moves import how_far, others_moved, own_moves
from interpreter.players.tree_walk import Walk

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.api.native_trials import Trial
    from interpreter.engine.moves import Move

EFFORT = 60
"""Trials for one decision, about."""
MOST_STEPS = 4_000
"""Decisions made in all trials of one decision, about: long games are tried less often."""
RACERS = 6
"""In a race everybody is asked before each decision: of more players than these there are fewer decisions in trials."""
EFFORTS = {"easy": 0, "medium": 8, "hard": EFFORT}
"""Levels of bots, and their trials for one decision; without any they move at random."""
SKILLS = (*EFFORTS, "random", "thinking")
"""The levels, and what easy and hard are called besides."""
LEVELS = {"random": "easy", "thinking": "hard"}
Levels = str | tuple[str, ...]
"""The level of everybody, or that of each: then they change seats from match to match."""
MOST_ROUND = 150
"""Decisions of one trial."""
MANY = FEW
"""With more moves than these not every move is tried: their parts are, and the moves of the best parts."""
FINALISTS = 6
LOOKED_AT = 400
"""More moves than these are sampled kind by kind, and of choices of cards no more looked at, of the best cards."""
MOST_SPENT = 20_000_000
"""Steps of the rules (as they are bounded) that are spent on finding moves in trials; then no more trials are made."""
MOST_GAIN = 2.5
LEARNT = 200
"""Trials that make a player acquainted with what is decided in a stage."""


class Outcome(NamedTuple):
    """How a trial ended for the player: the gain against the others, and 1 or -1 if the match was won or lost."""

    gain: float
    won: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A move and how the trials of it ended."""

    move: Move
    outcomes: tuple[Outcome, ...]

    @property
    def gain(self) -> float | None:
        """The mean of what the trials have brought against the others; None without any that ended."""
        return _mean(outcome.gain for outcome in self.outcomes) if self.outcomes else None


Tables = tuple[Any, ...]
"""What a player sees lie where, and what is known besides."""


def _table(s: Position, player: int) -> Tables:
    seen = table(s, player)
    return str(seen["zones"]), str(seen["values"]), str(seen["tokens"])


def _table_but_for_places(s: Position, player: int) -> Tables:
    """A table in which it makes no difference in which of several places of its owner something lies."""
    looks = [faces(s, place, player) for place in range(len(s.z))]
    looks = [look if type(kept) is list else sorted(look, key=str) for look, kept in zip(looks, s.z, strict=True)]
    lying = [
        sorted(str(looks[zone.base + at]) for at, other in enumerate(zone.owners) if other == owner)
        for zone in s.program.zones
        for owner in dict.fromkeys(zone.owners)
    ]
    return str(lying), *_table(s, player)[1:]


class ThinkingBot(RandomBot):
    """Takes the move that turns out best in trials. It looks at nothing that its player may not see.

    The same seed, the same views in the same order and the same `effort` give the same moves, unless the time was up.
    effort: about how many trials a decision gets. seconds: of thinking at most; None for as long as the trials take.
    """

    def __init__(self, seed: int, effort: int = EFFORT, seconds: float | None = None) -> None:
        super().__init__(seed)
        self._effort, self._seconds = effort, seconds
        self._habits = Habits()
        self._been: dict[Tables, None] = {}
        """The tables of a race that it has left by moves of its own since anybody else has moved."""
        self._read = 0
        """How much had happened then."""

    def choose(self, state: State, player: int) -> Move | None:
        moves, are_settled = lawful_moves(state, player)
        with Ruled(state.position):
            moves = least_alike(state, moves)
            if len(moves) < 2:
                return next(iter(moves), None)
            best = self._thought(state, player, moves, are_settled)
            if kind_of_phase(state.position) == "race":
                return self._onward(state, player, moves, best, are_settled)
            return best

    def _thought(self, state: State, player: int, moves: Sequence[Move], are_settled: bool) -> Move:
        if not knows_course(state):  # there is no telling in which worlds a move would have to be tried
            return moves[self._dice.below(len(moves))]
        return Thought(state, player, moves, self._dice, self._habits, self._effort, self._seconds, are_settled).best()

    def _onward(self, state: State, player: int, moves: Sequence[Move], best: Move, are_settled: bool) -> Move:
        """The best move that changes more than the place of something and does not bring the table back to where the
        bot has left it; else one that does not bring it back to just that table, if there is one: in a race nobody
        waits for it, so it could move its cards to and fro for ever."""
        if not knows_course(state):
            return best
        self._been = {} if others_moved(state, player, self._read) else self._been
        self._read = how_far(state)
        looks = (_table_but_for_places, _table)
        self._been.update((look(state.position, player), None) for look in looks)
        while len(self._been) > len(looks) * MANY:
            del self._been[next(iter(self._been))]
        world = Worlds(state, player).world(Dice(0))  # the bot sees ahead no more than it knows
        for look in looks:
            found, left = best, list(moves)
            while left:
                if not self._leads_back(world, player, found, look):
                    return found
                left.remove(found)
                if left:
                    found = self._thought(state, player, left, are_settled) if len(left) > 1 else left[0]
        return best

    def _leads_back(self, world: State, player: int, move: Move, look: Callable[[Position, int], Tables]) -> bool:
        after = world.copy()
        try:
            after.play(player, move)
        except (IllegalMove, RuleError):
            return False
        return look(after.position, player) in self._been


class Thought:
    """One decision being thought over."""

    def __init__(
        self,
        state: State,
        player: int,
        moves: Sequence[Move],
        dice: Dice,
        habits: Habits | Mapping[tuple[int, object], Habit],
        effort: int,
        seconds: float | None = None,
        are_settled: bool = True,
        deepest: int = DEEPEST,
    ) -> None:
        self._end = None if seconds is None else monotonic() + seconds
        self.state = state
        self.worlds = Worlds(state, player)
        self.player = player
        self.moves = moves
        self.dice = dice
        self.habits = habits if isinstance(habits, Habits) else Habits(habits)
        self.effort = effort
        self.steps = 0
        self.spent = 0
        racing = state.game.program.stages[state.position.stack[-1].stage].kind == "race"
        self.most = MOST_STEPS * RACERS // max(RACERS, state.game.players) if racing else MOST_STEPS
        self.deal = deal_stage(state.game.program)
        inside = any(frame.stage == self.deal for frame in state.position.stack)
        self.deals = state.position.runs[self.deal] + (not inside)
        course = Course(self.deal, self.deals, MOST_ROUND)
        self.walk = Walk(state.game.program, self.habits, Tree(deepest))
        self.compiled = None
        if seconds is None and are_settled:
            self.compiled = CompiledTrials(
                state, player, self.worlds, moves, course, self.habits, self._left, self.walk.tree
            )
        """Where people wait for a move, or strangers have written the rules, there are seconds: nothing is compiled."""

    def best(self) -> Move:
        return self.ranking()[0].move

    def ranking(self) -> list[Rated]:
        """The moves that stayed to the last, the best first, then those that dropped out, the last one first."""
        begun = perf_counter()
        self._warm_up()
        moves = self.moves if len(self.moves) <= MANY else self._promising()
        field = list(range(len(moves)))
        shuffle(self.dice, field)  # of moves that turn out alike not always the first is taken
        rounds, dropped = max(1, (len(field) - 1).bit_length()), list[int]()
        tried: dict[int, list[Outcome]] = {at: [] for at in field}
        while len(field) > 1 and not self._is_spent():
            self._try_in_worlds(max(1, self.effort // (rounds * len(field))), moves, field, tried)
            values = self._values(tried)
            best = sorted(field, key=lambda at: -values[at])
            field, dropped = best[: (len(field) + 1) // 2], [*best[(len(field) + 1) // 2 :], *dropped]
        if self.compiled:
            self.compiled.took(begun)
        return [Rated(moves[at], tuple(tried[at])) for at in (*field, *dropped)]

    def _is_spent(self, part: int = 1) -> bool:
        """Whether all that may be spent on a decision is spent, or such a part of it, or the time is up."""
        return self.steps >= self.most // part or self.spent >= MOST_SPENT // part or self._is_late()

    def _is_late(self) -> bool:
        return self._end is not None and monotonic() > self._end

    def _warm_up(self) -> None:
        """Before the first decision of a kind: find out by trials what pays, for others will decide so as well."""
        at = self.state.position.stack[-1].stage
        if self.state.game.program.stages[at].kind == "trick" or len(self.moves) > MANY:
            return
        known = self.habits.times_in(at)
        for _ in range(self.effort if known < LEARNT else 0):
            self._try_one(self.moves, picks=True)
            if self._is_spent():
                break
        self.steps = 0

    def _try_in_worlds(
        self, number: int, moves: Sequence[Move], field: Sequence[int], tried: dict[int, list[Outcome]]
    ) -> None:
        """Try moves in so many worlds, as machine code as far as that can be."""
        compiled = self.compiled
        for trials, replay in compiled.of(number, [moves[at] for at in field], self.dice) if compiled else ():
            number -= 1
            for at, trial in zip(field, trials, strict=True):
                if self.spent >= MOST_SPENT or self._is_late():
                    break
                outcome = self._outcome(trial) if trial else self._try_again(moves[at], replay)
                if outcome is not None:
                    tried[at].append(outcome)
        for _ in range(number):
            self._try_all(moves, field, tried)

    def _try_one(self, moves: Sequence[Move], picks: bool = False) -> Outcome | None:
        """Try the only one of the moves in a world of its own, or one that is picked there as in trials."""
        for trials, replay in self.compiled.of(1, moves, self.dice, picks) if self.compiled else ():
            for trial in trials:
                if trial:
                    return self._outcome(trial)
                world, luck = replay.world()
                break
            break
        else:
            world, luck = self.worlds.world(self.dice), self.dice.below(1 << 32)
        dice = Dice(luck)
        return self._try(world, self._pick(world.position, moves, dice) if picks else moves[0], dice)

    def _left(self) -> int:
        """How many steps may still be spent on finding moves."""
        return MOST_SPENT - self.spent

    def _outcome(self, trial: Trial) -> Outcome | None:
        self.steps += trial.made
        self.spent += trial.spent
        if trial.failed:
            return None
        won = 0 if not trial.over or not trial.won else 1 if trial.won >> self.player & 1 else -1
        return Outcome(_ahead(trial.teams, self.player, trial.gains), won)

    def _try_again(self, move: Move, replay: Replay) -> Outcome | None:
        world, luck = replay.world()
        return self._try(world, move, Dice(luck))

    def _try_all(self, moves: Sequence[Move], field: Sequence[int], tried: dict[int, list[Outcome]]) -> None:
        """Try moves in one world, with the same luck for all of them."""
        world = self.worlds.world(self.dice)
        luck = self.dice.below(1 << 32)
        for at in field:
            if self.spent >= MOST_SPENT or self._is_late():
                return
            outcome = self._try(world, moves[at], Dice(luck))
            if outcome is not None:
                tried[at].append(outcome)

    def _promising(self) -> Sequence[Move]:
        """Some of very many moves: those whose parts (such as the cards that are chosen) did best in trials."""
        kinds = [self.moves] if len(self.moves) <= LOOKED_AT else _kinds(self.moves)
        tried: dict[Any, list[Outcome]] = {}
        for _ in range(self.effort):
            at = self.dice.below(len(kinds)) if len(kinds) > 1 else 0
            move = kinds[at][self.dice.below(len(kinds[at]))]
            outcome = self._try_one([move])
            if outcome is not None:
                for part in [*_parts(move), *_kind(at, kinds)]:
                    tried.setdefault(part, []).append(outcome)
            if self._is_spent(2):
                break
        values = self._values(tried)
        worth = [
            (_mean(values.get(part, 0.0) for part in [*_parts(move), *_kind(at, kinds)]), move)
            for at, kind in enumerate(kinds)
            for move in _best_made(kind, values)
        ]
        return [move for _, move in sorted(worth, key=lambda pair: -pair[0])[:FINALISTS]]

    def _values(self, tried: dict[Any, list[Outcome]]) -> dict[Any, float]:
        """What each thing that was tried is worth, in standard deviations of all the gains; -inf if none succeeded."""
        gains = [outcome.gain for outcomes in tried.values() for outcome in outcomes if not outcome.won]
        middle = _mean(gains)
        spread = _mean((gain - middle) ** 2 for gain in gains) ** 0.5 or 1.0

        def worth(outcome: Outcome) -> float:
            gain = (outcome.gain - middle) / spread
            return WIN * outcome.won if outcome.won else max(-MOST_GAIN, min(MOST_GAIN, gain))

        return {at: _mean(map(worth, found)) if found else float("-inf") for at, found in tried.items()}

    # ---- one trial --------------------------------------------------------------------------------------

    def _try(self, world: State, move: Move, dice: Dice) -> Outcome | None:
        """Make a move in a world and play on to the end of the deal; None if that cannot be there, or not in time."""
        s = world.position.copy()
        made: list[tuple[int, Habit]] = []
        try:
            before = standing.standings(s)
            self.walk.begin(s, move)
            self._make(s, self.player, move, len(self.moves), made)
            self._play_on(s, dice, made)
            if self._is_late():
                return None
            gains = [after - first for after, first in zip(standing.standings(s), before, strict=True)]
            winners = standing.winners(s)
        except (IllegalMove, RuleError):
            return None
        ahead = [_ahead(s.teams, player, gains) for player in range(len(gains))]
        if not s.over:
            for player, habit in made:
                habit.learn(ahead[player])
        self.walk.tree.learn(ahead, sum(1 << player for player in winners), self.player)
        won = 0 if not winners else 1 if self.player in winners else -1
        return Outcome(ahead[self.player], won)

    def _play_on(self, s: Position, dice: Dice, made: list[tuple[int, Habit]]) -> None:
        """Play to the end of the deal, and let the match end if it does."""
        s.halt_after = (self.deal, self.deals)
        stages, last = s.program.stages, self.steps + MOST_ROUND
        while not s.over and not s.halted and self.steps < last and not self._is_late():
            frame = s.stack[-1]
            stage = stages[frame.stage]
            if stage.kind == "trick" and stage.playout is not None and not self.walk.tree.climbs:
                found = carried_out(s, stage.playout, s, frame, dice, last - self.steps)
                if not found:
                    return
                self.steps += found
                continue
            actors = legal.actors(s)
            if not actors:
                return
            player = actors[dice.below(len(actors))]
            moves = legal.legal_moves(s, player)
            self.spent += s.spent
            if not len(moves):
                return
            move = self.walk.move(s, player, moves, dice) or self._pick(s, moves, dice)
            self._make(s, player, move, len(moves), made)
        if s.halted:  # what comes after the deal may count, but not the cards of the next one
            s.halted, s.halt_after = False, (self.deal, BEFORE_NEXT)
            carried_out(s, advance, s)

    def _make(self, s: Position, player: int, move: Move, count: int, made: list[tuple[int, Habit]]) -> None:
        """Make one of so many moves; of few ones it is kept in mind who has made them."""
        at = s.stack[-1].stage
        if count <= MANY and s.program.stages[at].kind != "trick":
            made.append((player, self.habits.of(s.program, at, move)))
        self.steps += 1
        make(s, player, move)

    def _pick(self, s: Position, moves: Sequence[Move], dice: Dice) -> Move:
        """One of the moves: mostly what has paid best, where there are few and it is no trick."""
        count, at = len(moves), s.stack[-1].stage
        if 1 < count <= MANY and s.program.stages[at].kind != "trick" and dice.below(FREELY):
            found = [self.habits.known(s.program, at, move) for move in moves]
            fresh = [move for move, habit in zip(moves, found, strict=True) if habit is None]
            if not fresh:
                return max(zip(moves, found, strict=True), key=lambda pair: pair[1].mean if pair[1] else 0.0)[0]
            moves, count = fresh, len(fresh)
        return moves[dice.below(count)]


def new_bot(skill: str, seed: int, manners: Manners = PERFECT, seconds: float | None = None) -> RandomBot:
    """A bot of one of SKILLS, with the manners it has on honour. seconds: that it thinks about a move at most."""
    effort = EFFORTS[LEVELS.get(skill, skill)]
    bot = ThinkingBot(seed, effort, seconds) if effort else RandomBot(seed)
    return HonourBot(bot, manners, derive(seed, 1)) if manners else bot


def levels_at(levels: Levels, players: int, number: int) -> tuple[str, ...]:
    """Who sits where in a match: of several levels each moves one seat on with each match."""
    if isinstance(levels, str):
        return (levels,) * players
    return tuple(levels[(player - number) % players] for player in range(players))


def _kinds(moves: Sequence[Move]) -> list[Sequence[Move]]:
    """Moves parted by action and by how much is chosen, so that none is lost among very many of another kind."""
    if isinstance(moves, Choices):
        return list(moves.kinds())
    if isinstance(moves, Moves):
        return [kind for part in moves.parts for kind in _kinds(part)]
    found: dict[Any, list[Move]] = {}
    for move in moves:
        sizes = [len(chosen) if isinstance(chosen, tuple) else 0 for chosen in move.args]
        found.setdefault((move.action, *sizes), []).append(move)
    return list(found.values())


def _kind(at: int, kinds: Sequence[object]) -> list[Any]:
    """What moves of a kind have in common, where there are several kinds."""
    return [("kind", at)] if len(kinds) > 1 else []


def _best_made(kind: Sequence[Move], values: Mapping[Any, float]) -> Sequence[Move]:
    """Moves of a kind that are worth a look: of choices of cards, which are not listed, those among the best cards."""
    if not isinstance(kind, Choices):
        return kind
    return kind.among(sorted(kind.cards, key=lambda card: -values.get((0, card), 0.0)), LOOKED_AT)


def advice(state: State, player: int, seconds: float = 1.8) -> list[Rated]:
    """The moves of a player, the best first, as a hard bot finds them; the same ones for the same position."""
    moves, are_settled = lawful_moves(state, player)
    with Ruled(state.position):
        moves = least_alike(state, moves)
        dice = Dice(derive(state.seed, own_moves(state, player)))
        if not len(moves):
            return []
        if not knows_course(state):
            any_one = moves[dice.below(len(moves))]
            return [Rated(move, ()) for move in (any_one, *(one for one in islice(moves, MANY) if one != any_one))]
        return Thought(state, player, moves, dice, {}, EFFORT, seconds, are_settled).ranking()


def _parts(move: Move) -> list[Any]:
    """What a move is made of: its action, each thing that is chosen, each card of several."""
    found: list[Any] = [move.action]
    for at, chosen in enumerate(move.args):
        found += [(at, one) for one in chosen] if isinstance(chosen, tuple) else [(at, chosen)]
    return found


def _ahead(teams: Sequence[int], player: int, gains: Sequence[float]) -> float:
    """What a player has gained against those of the other teams."""
    own = teams[player]
    others = [gain for gain, team in zip(gains, teams, strict=True) if team != own]
    return gains[player] - (sum(others) / len(others) if others else 0.0)


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return sum(found) / len(found) if found else 0.0
