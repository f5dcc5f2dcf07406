"""Carrying out moves: judged, made, undone where the rules cannot go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

from interpreter.engine import honor as honour
from interpreter.engine import redaction
from interpreter.engine.available import action_named, check_player, may_move
from interpreter.engine.carrying import carry_out, check_measures, log_move, measured_args, recordable
from interpreter.engine.events import Event
from interpreter.engine.failures import by_rules, rule_error
from interpreter.engine.faults import prune
from interpreter.engine.frames import GO, MOVED, NOWHERE, Frame
from interpreter.engine.legal import was_offered
from interpreter.engine.machine import go_on
from interpreter.engine.meaning import Offer
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove, check_said, check_text
from interpreter.engine.outcomes import Drawing, Outside
from interpreter.engine.parsing import parse
from interpreter.engine.position import FIELDS, Position, Redrawn, Unkept
from interpreter.engine.program import ActionCode, Hook, StageCode
from interpreter.engine.redrawing import (
    Heard,
    redraw,
)
from interpreter.engine.refusing import check_open, refusal
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.situation import RecordedMove
from interpreter.engine.start import start
from interpreter.engine.timing import check_times, hands_after, log_times

NOTHING: dict[str, int] = {}
"""What is recorded beside a move that has no times or measures; never changed."""


def play(
    s: Position,
    player: int,
    move: Move | str,
    begin: int | None = None,
    end: int | None = None,
    measures: Mapping[str, int] = NOTHING,
) -> list[Event]:
    """Make a move; returns what happened.

    player: 0 to n-1. begin, end: whole milliseconds. measures: what the body decides, by name.
    Raises IllegalMove (the state is unchanged), or RuleError where the ruleset cannot go on (likewise).
    """
    log = s.log
    start = 0 if log is None else len(log)
    if type(move) is Move and not measures and begin is None and end is None and s.stack:
        frame = s.stack[-1]
        stage = s.program.stages[frame.stage]
        action = stage.plain_play
        if action is None:
            if type(player) is int and 0 <= player < s.program.n and _play_shortly(s, player, move, frame, stage):
                return [] if log is None else log[start:]
        elif player is s.current and move.maker is action:  # `True` is no player, though it equals one
            # the commonest move by the shortest way: a lawful play to a trick, when nothing else could be done
            try:
                (card,), news = move.args, move.news
                tick, offered_to, mask = s.offered
                if tick != s.tick or offered_to != player:
                    tick, mask = s.tick, action.legal(s, player)
                if mask >> card & 1 and news:
                    s.tick = tick = tick + 1
                    if log is not None:
                        log.append(news[player] or move.told(player, action.told_in))
                    s.mark = GO
                    s.spent = 0
                    action.apply(s, player, card)
                    frame.mover = player
                    if stage.in_turn and len(s.plays) < s.program.n:
                        s.current = s.program.left[player] if s.direction > 0 else (player - 1) % s.program.n
                    else:
                        _end_play(s, frame, stage)
                    if log is not None and len(log) >= s.logged[1]:
                        s.weigh()
                    s.record_moves.append((tick, player, move.text, NOTHING))
                    return [] if log is None else log[start:]
            except Exception as error:
                failure = _failed(s, error)
                raise failure from (None if failure is error else error)
    make(s, player, _own(s, move), begin, end, _known(measures))
    return [] if s.log is None else s.log[start:]


def _end_play(s: Position, frame: Frame, stage: StageCode) -> None:
    """What follows a card that was played to a trick by the shortest way, unless the next player is due at once."""
    frame.pc = MOVED
    if stage.in_turn:
        stage.ended(s, frame, stage)
    else:
        frame.mark, s.mark = s.mark, GO
    go_on(s, frame)


def play_together(s: Position, moves: Iterable[tuple[int, Move | str, Mapping[str, int]]]) -> list[Event]:
    """Make several moves in one tick: contests are settled first, the rest follows in order.

    A move that is no longer lawful comes back as an event `refused` with its law; the others stand.
    Raises IllegalMove when the match is over, or for what is no move of this game at all, and RuleError where the
    ruleset cannot go on: then none is made.
    """
    start = 0 if s.log is None else len(s.log)
    given = _ticked(s, moves)
    if not given:
        return []
    if s.over:
        raise IllegalMove("over", "the match is over")
    ordered = _by_contest(s, given)
    s.tick += 1
    s.carried = 0
    tick, before = s.tick, len(s.record_moves)
    for player, move, measures in ordered:
        rest = {k: v for k, v in measures.items() if k not in ("begin", "end")}
        try:
            try:
                make(s, player, _own(s, move), measures.get("begin"), measures.get("end"), rest, tick)
            except IllegalMove as refusal:
                s.note(Event("refused", player, f"{move}: {refusal}", told=1 << player))
                s.weigh()
                s.record_moves.append((tick, player, str(move), {"refused": 1, **measures}))
        except RuleError:  # those of the tick that were made before go with it
            if not s.held:
                _go_back(s, s.record_moves[:before], s.setup.redrawn)
            raise
    return [] if s.log is None else s.log[start:]


def _own(s: Position, move: Move | str) -> Move | str:
    """The move, or its text if this game has not made it: its arguments may be anything."""
    if not isinstance(move, Move):
        return move
    action = None if s.over else action_named(s, move.action)
    return move if action is not None and move.maker is action else str(move)


def _known(measures: Mapping[str, int]) -> Mapping[str, int]:
    for name, value in measures.items():
        if type(name) is not str:
            raise IllegalMove("measure", "a measure is given by its name")
        if type(value) is not int and not (value is None and name in ("begin", "end")):
            raise IllegalMove("measure", f"{name} is a whole number")
    return measures


def _ticked(
    s: Position, moves: Iterable[tuple[int, Move | str, Mapping[str, int]]]
) -> list[tuple[int, Any, Mapping[str, int]]]:
    """The moves of one tick, as triples. What could not be told and recorded where it is refused raises IllegalMove."""
    found: list[tuple[int, Any, Mapping[str, int]]] = []
    for item in moves if isinstance(moves, Iterable) else [moves]:
        if not isinstance(item, Sequence) or len(item) != 3 or not isinstance(item[2], Mapping):
            raise IllegalMove("no_such_move", f"{item!r} is not (player, move, measures)")
        player, move, measures = item
        check_player(s, player)
        if not isinstance(move, Move | str):
            raise IllegalMove("no_such_move", f"{move!r} is neither a move nor the text of one")
        check_text(str(move))
        found.append((player, move, recordable(_known(measures))))
    return found


def _play_shortly(s: Position, player: int, move: Move, frame: Frame, stage: StageCode) -> bool:
    """A move by the short way of its kind. False, with nothing changed, if there is none, or it takes the long way."""
    action = stage.by_name.get(move.action)
    if action is None or move.maker is not action:  # if the game has not made it, its text must be read
        return False
    if action.plain:
        return _play_plainly(s, player, move, frame, stage, action)
    return action.singly and _play_offered(s, player, move, frame, stage, action)


def _play_plainly(s: Position, player: int, move: Move, frame: Frame, stage: StageCode, action: ActionCode) -> bool:
    """A lawful move of a kind that needs nothing more, by a short way.

    False, with nothing changed, if it is anything else; then the long way finds out what it is.
    """
    if not move.news:
        return False
    args = move.args
    try:
        if not was_offered(s, player, move):
            if not (may_move(s, player, frame, stage) and Offer(s, player, action).lawful(args) is not None):
                return False
        s.tick += 1
        s.mark, s.spent = GO, 0
        if not action.plainly_told:
            _apply_and_tell(s, player, action, args, move)
        else:
            if s.log is not None:
                s.log.append(move.news[player] or move.told(player, action.told_in))
            action.apply(s, player, *args)
        frame.mover, frame.mark, s.mark = player, s.mark, GO
        if stage.kind == "race" and not s.calls and s.jump == NOWHERE and s.stack[-1] is frame:
            if stage.until is None or not stage.until(s):  # mostly the race goes on
                frame.mark = GO
                if s.log is not None and len(s.log) >= s.logged[1]:
                    s.weigh()
                s.record_moves.append((s.tick, player, move.text, NOTHING))
                return True
        frame.pc = MOVED
        go_on(s, frame)
        if s.log is not None and len(s.log) >= s.logged[1]:
            s.weigh()
    except Exception as error:
        failure = _failed(s, error)
        raise failure from (None if failure is error else error)
    s.record_moves.append((s.tick, player, move.text, NOTHING))
    return True


def _play_offered(s: Position, player: int, move: Move, frame: Frame, stage: StageCode, action: ActionCode) -> bool:
    """A move that was offered just now, told as moves of its kind are.

    False, with nothing changed, if it is anything else; then the long way finds out what it is.
    """
    if not was_offered(s, player, move):
        return False
    try:
        s.tick += 1
        s.carried = 0
        carry_out(s, player, action, move.args, (), frame, move.text)
        go_on(s, frame)
        s.weigh()
    except Exception as error:
        failure = _failed(s, error)
        raise failure from (None if failure is error else error)
    s.carried = s.spent
    if s.faults:
        prune(s)
    s.record_moves.append((s.tick, player, move.text, NOTHING))
    return True


def _apply_and_tell(s: Position, player: int, action: ActionCode, args: tuple[Any, ...], move: Move) -> None:
    """What a plain move does and says where the same move is not always told in the same words."""
    if s.program.multi:
        args = Offer(s, player, action).lawful(args) or args
    log = s.log
    secret: redaction.Parts | None = None
    start = 0 if log is None else len(log)
    if action.says is not None or action.label is not None:
        log_move(s, player, action, args, move.text, False)
    elif log is not None:
        log.append(move.news[player] or move.told(player, action.told_in))
    if action.keeps_secrets and log is not None:
        secret = redaction.parts_of(s, player, action, args)
    action.apply(s, player, *args)
    if secret is not None and log is not None:
        log[start] = redaction.retold(s, player, action, move.text, secret, log[start:])


@by_rules
def _by_contest(
    s: Position, moves: list[tuple[int, Move | str, Mapping[str, int]]]
) -> list[tuple[int, Move | str, Mapping[str, int]]]:
    """The moves of a tick in the order in which they are made.

    What is contested comes first: among those who reach for one thing the lowest (or highest) measure, then the
    earlier end, then the order of the seats if the ruleset says from whom, then the order given. The rest follows
    as it arrives.
    """
    groups: dict[tuple[str, Any], list[tuple[int, float, int, int]]] = {}
    arrivals = []
    for at, (player, move, measures) in enumerate(moves):
        end = measures.get("end")
        arrivals.append(inf if end is None else end)
        action = action_named(s, str(move).split(" ")[0])
        if action is None or action.contest is None:
            continue
        try:
            parsed = parse(s, player, str(move))
        except IllegalMove:
            continue
        contest, value = action.contest, 0
        if contest.wins is not None:
            measure, wins = contest.wins
            if (args := Offer(s, player, action).possible(parsed.args)) is not None:  # else it has no measure
                least, _ = dict(action.measured)[measure](s, player, *args)
                value = measures.get(measure, least) * (1 if wins == "lowest" else -1)
        thing = None if contest.over is None else parsed.args[contest.over]
        order = (value, arrivals[at], _seats_from(s, contest.ties, player), at)
        groups.setdefault((action.name, thing), []).append(order)
    contested = sorted((sorted(g) for g in groups.values() if len(g) > 1), key=lambda g: g[0][-1])
    first = dict.fromkeys(order[-1] for group in contested for order in group)
    rest = sorted((i for i in range(len(moves)) if i not in first), key=lambda i: arrivals[i])
    return [moves[i] for i in (*first, *rest)]


def _seats_from(s: Position, ties: Hook | None, player: int) -> int:
    """How many seats a player sits after the one from whom they are counted, in the direction of play."""
    begin = None if ties is None else ties(s)
    if begin is None:
        return 0
    order = s.order()
    return (order.index(player) - order.index(begin)) * s.direction % len(order)


def make(
    s: Position,
    player: int,
    move: Move | str,
    begin: int | None = None,
    end: int | None = None,
    measures: Mapping[str, int] = NOTHING,
    tick: int = 0,
) -> None:
    """Judge a move and make it. tick: of which it is one of several; 0 gives it one of its own.

    A `Move` is taken as this game made it. Raises what `play` raises.
    """
    if s.over:
        raise IllegalMove("over", "the match is over")
    check_player(s, player)
    if not tick or tick != s.tick:
        s.carried = 0
    s.spent = 0
    if isinstance(move, str):
        move = parse(s, player, move)
        s.spent = 0  # reading is a question of its own, as for those who read it before they make it
    elif not isinstance(move, Move):
        raise IllegalMove("no_such_move", f"{move!r} is neither a move nor the text of one")
    elif move.words is not None:  # whoever asks by Python may let it say anything
        check_said(move.words)
    action = action_named(s, move.action)
    busy: tuple[int, ...] | None = None
    if begin is not None or end is not None:
        check_times(s, begin, end, tick)
        busy = hands_after(s, player, action, begin, end)
    if measures:
        check_measures(action, measures)
    s.tick = tick or s.tick + 1
    logged = 0 if s.log is None else len(s.log)
    try:
        if action is None:
            s.spent = s.carried
            honour.claim(s, player, move)
        elif s.program.honor:
            honour.play(s, player, action, move, measures)
        else:
            _play_strict(s, player, action, move, measures)
        go_on(s, s.stack[-1])
        s.weigh()
    except IllegalMove:
        s.tick -= not tick
        raise
    except Exception as error:
        failure = _failed(s, error)
        raise failure from (None if failure is error else error)
    s.carried = s.spent
    if s.faults:
        prune(s)
    extra = NOTHING
    if measures or begin is not None or end is not None:
        extra = dict(measures)
        if begin is not None:
            extra["begin"] = begin
        if end is not None:
            extra["end"] = end
            if s.before_tick[0] != s.tick:
                s.before_tick = (s.tick, s.clock)
            s.clock = max(s.clock, end)
        log_times(s, logged, player, extra)
        if busy is not None:
            hands = s.busy or ((),) * s.program.n
            s.busy = (*hands[:player], busy, *hands[player + 1 :])
    s.record_moves.append((s.tick, player, str(move) if move.words is not None else move.text, extra))


def _play_strict(s: Position, player: int, action: ActionCode, move: Move, measures: Mapping[str, int]) -> None:
    frame = s.stack[-1]
    check_open(s, player, action)
    args = Offer(s, player, action).lawful(move.args)
    if args is None:
        raise refusal(s, player, action, move.args)
    extra = measured_args(s, player, action, args, measures) if action.measured else ()
    carry_out(s, player, action, args, extra, frame, move.text)


def make_recorded(s: Position, tick: int, player: int, text: str, extra: Mapping[str, int]) -> None:
    """Make a move again as the record has it, refused or not. Raises what `play` raises."""
    rest = {k: v for k, v in extra.items() if k not in ("begin", "end", "refused")}
    if "refused" in extra:
        check_player(s, player)
        check_text(text)  # it is told, refused or not
        if s.over and tick != s.tick:
            raise IllegalMove("over", "the match is over")
        try:
            make(s, player, text, extra.get("begin"), extra.get("end"), rest, tick)
        except IllegalMove as refusal:
            s.tick = tick  # as it is counted where moves are made together, refused or not
            s.note(Event("refused", player, f"{text}: {refusal}", told=1 << player))
            s.weigh()
            s.record_moves.append((tick, player, text, dict(extra)))
        return
    make(s, player, text, extra.get("begin"), extra.get("end"), rest, tick)


def _failed(s: Position, error: Exception) -> RuleError:
    """Put the state back to where it was before the move, by replaying its record, unless somebody else does."""
    failure = rule_error(s.program, error)
    if not s.held and not isinstance(s.record_moves, Unkept):
        _go_back(s, s.record_moves, s.setup.redrawn)
    return failure


def make_again(s: Position, moves: Sequence[RecordedMove], redrawn: Sequence[Redrawn]) -> None:
    """Make the moves of a match again, with chance drawn anew where it was. Raises what `play` raises."""
    for _ in made_again(s, moves, redrawn):
        pass


def made_again(s: Position, moves: Sequence[RecordedMove], redrawn: Sequence[Redrawn]) -> Iterator[None]:
    """Make the moves of a match again, one at each step: between two a clock can be read. Raises what `play` raises."""
    seeds, heard = dict(redrawn), Heard()
    for number, (tick, player, text, extra) in enumerate(moves):
        if number in seeds:
            redraw(s, seeds[number], heard)
        make_recorded(s, tick, player, text, extra)
        yield
    if len(moves) in seeds:
        redraw(s, seeds[len(moves)], heard)


def _go_back(s: Position, moves: Sequence[RecordedMove], redrawn: Sequence[Redrawn]) -> None:
    """Become the state to which these moves led."""
    become(s, state_before(s, moves, redrawn))


def state_before(s: Position, moves: Sequence[RecordedMove], redrawn: Sequence[Redrawn]) -> Position:
    """The state to which these moves led."""
    setup = s.setup._replace(redrawn=(), shown_at=None, tried=(0, 0))
    if isinstance(setup.chance, Outside) and not isinstance(s.chance, Drawing):
        setup = setup._replace(chance=dict(setup.chance))  # a copy draws nothing for the match that it is of
    fresh = start(s.program, setup, s.log is not None)
    fresh.halt_after, fresh.floor = s.halt_after, s.floor
    make_again(fresh, moves, redrawn)
    return fresh


def become(s: Position, other: Position) -> None:
    """Make a state be as another is, which is not used any more."""
    for name in FIELDS:
        setattr(s, name, getattr(other, name))
