"""A match that is played at random, in Python."""

from __future__ import annotations

from typing import Any, NamedTuple

from interpreter.engine import legal
from interpreter.engine.available import action_named
from interpreter.engine.chance import Dice
from interpreter.engine.failures import by_rules, rule_error
from interpreter.engine.frames import BEFORE_NEXT, GO, MOVED, NOBODY, PASSED, Frame
from interpreter.engine.machine import advance, go_on
from interpreter.engine.meaning import Offer
from interpreter.engine.moves import Move, choices_of, nth_choice
from interpreter.engine.packets import bits, by_face, nth_card
from interpreter.engine.playing import make
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, Program, StageCode
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import scores, winners
from interpreter.engine.stuck import stuck


class Deal(NamedTuple):
    """One deal of a match: who dealt it, the decisions made from its beginning to that of the next, the scores then."""

    dealer: int | None
    decisions: int
    scores: tuple[int, ...]


class Match(NamedTuple):
    """One match: how many decisions were made, the scores, who has won, whether it came to its end.

    Of a match in real time also how long it took in milliseconds, and how many moves of each player came too late.
    honour: where bots with manners play, the faults, and the claims that were upheld and turned down. deals: how many
    were begun. dealer: who dealt first, if anybody does. tied: whether players who don't belong together won together.
    by_deal: its deals, where they are asked for. counted: what the ruleset has counted, by column.
    """

    decisions: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    over: bool
    milliseconds: int = 0
    late: tuple[int, ...] = ()
    honour: tuple[int, int, int] = (0, 0, 0)
    deals: int = 0
    dealer: int | None = None
    tied: bool = False
    by_deal: tuple[Deal, ...] = ()
    counted: tuple[int, ...] = ()


class Course:
    """A match that is played to its end, to the end of so many deals, or until nobody goes on with it.

    Where deals are noted it stops at the end of each and before the next; it goes on just as if it had not stopped.
    While `goes_on`, play until the position is over or halted, and add to `made`.
    """

    def __init__(self, s: Position, counted: int, deals: int | None, by_deal: bool) -> None:
        """counted: the stage whose runs are deals."""
        self.made = 0
        self._s, self._counted, self._deals, self._by_deal = s, counted, deals, by_deal
        self._dealer = self._first_dealer = s.dealer
        self._noted: list[Deal] = []
        self._before = 0
        self._begun = self._between = False
        s.counted = [0] * len(s.program.counted) if s.program.counted else None
        if by_deal:
            s.halt_after = (counted, 1)
        else:
            s.halt_after = None if deals is None else (counted, deals)

    def goes_on(self) -> bool:
        """Whether there is more to play: at first, and after each stop at a deal."""
        s = self._s
        if not self._begun:
            self._begun = True
            return True
        if not self._by_deal:
            return False
        if s.over or not s.halted or (not self._between and s.runs[self._counted] == self._deals):
            self._note()
            return False
        if self._between:
            self._note()
        s.halt_after = (self._counted, 1 if self._between else BEFORE_NEXT)
        s.halted, s.spent = False, 0
        try:
            advance(s)
        except Exception as error:
            failure = rule_error(s.program, error)
            raise failure from (None if failure is error else error)
        if self._between:
            self._dealer = s.dealer
        self._between = not self._between
        return True

    def _note(self) -> None:
        self._noted.append(Deal(self._dealer, self.made - self._before, tuple(scores(self._s))))
        self._before = self.made

    def match(self) -> Match:
        """What has come of it."""
        s = self._s
        found = ended(s, self.made, s.runs[self._counted], self._first_dealer)
        return found._replace(by_deal=tuple(self._noted), counted=tuple(s.counted or ()))


def ended(s: Position, made: int, deals: int, dealer: int | None) -> Match:
    """What has come of so many decisions. dealer: who dealt first."""
    if not s.over:
        return Match(made, tuple(scores(s)), (), False, 0, (), (0, 0, 0), deals, dealer)
    who = tuple(winners(s))
    tied = len(who) > 1 and len({s.teams[player] for player in who}) > 1
    return Match(made, tuple(scores(s)), who, True, 0, (), (0, 0, 0), deals, dealer, tied)


def deal_stage(program: Program) -> int:
    """The stage whose runs count as deals."""
    stages = program.stages
    for stage in stages:
        if stage.next_dealer is not None:
            return stage.index
    repeats = [s for s in stages if s.kind == "repeat"]
    return repeats[0].children[0] if repeats else 0


def play_randomly(s: Position, dice: Dice, limit: int) -> int:
    """Play on at random; returns the number of decisions made."""
    made = 0
    stages = s.program.stages
    while not s.over and made < limit and not s.halted:
        frame = s.stack[-1]
        stage = stages[frame.stage]
        if stage.playout is not None:
            played = stage.playout(s, frame, dice, limit - made)
            if played <= 0:
                raise stuck(s, s.current if played == 0 else -1 - played)
            made += played
            continue
        if stage.kind == "turn":
            player = s.current
        else:
            actors = legal.actors(s)
            if not actors:
                raise RuleError(f"nobody can do anything in '{stage.name}'", stage.span)
            player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
        if stage.plain:
            _decide(s, player, frame, stage, dice)
        else:
            make_any(s, player, dice)
        made += 1
    return made


def _decide(s: Position, player: int, frame: Frame, stage: StageCode, dice: Dice) -> None:
    """Make one lawful move of a player at random, without making moves of what can be chosen."""
    s.mark, s.spent = GO, 0
    mover = player
    if stage.decide is not None:
        concerned = stage.decide(s, player, dice)
        if concerned is None:
            raise stuck(s, player)
        if not concerned:
            mover = NOBODY
    elif not choose_any(s, player, frame, stage, dice):
        mover = NOBODY
    frame.pc, frame.mover = MOVED, mover
    frame.mark, s.mark = s.mark, GO
    if frame.mark == PASSED and frame.mover == NOBODY:
        frame.mover = player
    go_on(s, frame)


def choose_any(s: Position, player: int, frame: Frame, stage: StageCode, dice: Dice) -> bool:
    """Make one of the lawful moves of any shape; returns whether it concerns the turn."""
    offers: list[tuple[ActionCode, Any, int]] = []
    total = 0
    for action in stage.within:
        if action.count is not None:
            number = action.count(s, player)
            if number:
                offers.append((action, None, number))
                total += number
            continue
        offered = action.legal(s, player)
        if s.program.multi and action.shape == "card":
            offered = by_face(s.program.first_copy, offered)
        number = _ways(action, offered)
        if number:
            offers.append((action, offered, number))
            total += number
    if not total:
        raise stuck(s, player)
    at = dice.below(total) if total > 1 else 0
    chosen = 0
    while at >= offers[chosen][2]:
        at -= offers[chosen][2]
        chosen += 1
    action, offered, _ = offers[chosen]
    s.spent = 0  # what is counted is gone through once more
    args: tuple[Any, ...]
    match action.shape:
        case "args":
            args = offered[at] if action.nth is None else action.nth(s, player, at)
        case "card":
            args = (nth_card(offered, at) if type(offered) is int else offered[at],)
        case "none":
            args = ()
        case "cards":
            args = (nth_choice(bits(offered[0]), offered[1], offered[2], at),)
    if action.measured:
        args = (*args, *random_measures(s, player, action, args, dice).values())
    s.spent = 0  # what it took to find the moves is done with
    action.apply(s, player, *args)
    return not (action.anytime or (stage.kind == "trick" and not action.is_play))


def _ways(action: ActionCode, offered: Any) -> int:
    """How many choices there are among what an action offers."""
    match action.shape:
        case "args":
            return len(offered)
        case "card":
            return offered.bit_count() if type(offered) is int else len(offered)
        case "none":
            return 1 if offered else 0
        case "cards":
            return choices_of(offered[0].bit_count(), offered[1], offered[2])[1]


def make_any(s: Position, player: int, dice: Dice) -> None:
    """Make one of the lawful moves as players do, judged and told."""
    move = legal.draw_move(s, player, dice.below)
    if move is None:
        raise stuck(s, player)
    action = action_named(s, move.action)
    measures = {} if action is None else measures_of(s, player, action, move, dice)
    make(s, player, move, measures=measures)


@by_rules
def measures_of(s: Position, player: int, action: ActionCode, move: Move, dice: Dice) -> dict[str, int]:
    """What the body decides of a move, drawn for whoever plays at random: for the cards that it means."""
    if not action.measured:
        return {}
    args = Offer(s, player, action).possible(move.args)
    return {} if args is None else random_measures(s, player, action, args, dice)


@by_rules
def random_measures(s: Position, player: int, action: ActionCode, args: tuple[Any, ...], dice: Dice) -> dict[str, int]:
    """What the body decides is drawn for whoever plays at random."""
    found: dict[str, int] = {}
    for name, bounds in action.measured:
        low, high = bounds(s, player, *args)
        if low > high:
            raise RuleError(f"the least '{name}' of the action '{action.name}' is above its most", action.span)
        found[name] = low + dice.below(high - low + 1)
    return found
