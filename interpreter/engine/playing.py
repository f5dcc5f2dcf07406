"""Carrying out moves: judged, made, undone where the rules cannot go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from interpreter.base.diagnostics import suggest
from interpreter.engine import honor as honour
from interpreter.engine import naming, redaction
from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.legal import Offering
from interpreter.engine.machine import GO, MOVED, NOBODY, NOWHERE, PASSED, TO_TURN, WAIT, Frame, advance, end_trick
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove, check_said, check_text
from interpreter.engine.program import ActionCode, Hook, RuleError, StageCode, rule_error
from interpreter.engine.table import Table, Unkept

NOTHING: dict[str, int] = {}
"""What is recorded beside a move that has no times or measures; never changed."""
MOST_TIME = 10**12
"""Milliseconds: some thirty years."""
HAS_CHOSEN = "has chosen"
"""All that others learn of a move in a simultaneous stage."""


class Playing(Offering):
    """A match in which moves can be made."""

    __slots__ = ()

    def _play_card(self, player: int, move: Move, frame: Frame, stage: StageCode, action: ActionCode) -> bool:
        """The commonest move by the shortest way: a lawful play to a trick, when nothing else could be done.

        False, with nothing changed, if it is anything else; then the long way finds out what it is.
        """
        if move.maker is not action:
            return False  # not a move of this game's own making: its text must be read
        tick, offered_to, mask = self.offered
        if tick != self.tick or offered_to != player:
            mask = action.legal(self, player)
        if not mask >> move.args[0] & 1 or not move.news:
            return False
        self.tick = tick = self.tick + 1
        if self.log is not None:
            self.log.append(move.news[player])
        try:
            self.mark, self.spent = GO, 0
            action.apply(self, player, move.args[0])
            frame.mover = player
            if stage.in_turn and len(self.plays) < self.program.n:
                self.current = self.program.left[player]
                self.record_moves.append((tick, player, move.text, NOTHING))
                return True
            frame.pc = MOVED
            if stage.in_turn:
                end_trick(self, frame, stage)
                if frame.pc != WAIT or self.calls or self.jump != NOWHERE:
                    advance(self)
            elif self.calls or self.jump != NOWHERE or self.mark != GO:
                frame.mark, self.mark = self.mark, GO
                advance(self)
            else:
                stage.after(self, frame, stage)
                if frame.pc != WAIT or self.calls or self.jump != NOWHERE:
                    advance(self)
        except Exception as error:
            failure = self._undo(error)
            raise failure from (None if failure is error else error)
        self.record_moves.append((tick, player, move.text, NOTHING))
        return True

    def _play_plainly(self, player: int, move: Move, frame: Frame, stage: StageCode, action: ActionCode) -> bool:
        """A lawful move of a kind that needs nothing more, by a short way.

        False, with nothing changed, if it is anything else; then the long way finds out what it is.
        """
        if move.maker is not action or not move.news:
            return False
        args = move.args
        try:
            if not self.was_offered(player, move):
                if not (self.may_move(player, frame, stage) and self.allows(player, action, args, True)):
                    return False
            self.tick += 1
            self.mark, self.spent = GO, 0
            if not action.plainly_told:
                self._apply_and_tell(player, action, args, move)
            else:
                if self.log is not None:
                    self.log.append(move.news[player])
                action.apply(self, player, *args)
            frame.mover, frame.mark, self.mark = player, self.mark, GO
            if stage.kind == "race" and not self.calls and self.jump == NOWHERE and self.stack[-1] is frame:
                if stage.until is None or not stage.until(self):  # mostly the race goes on
                    frame.mark = GO
                    self.record_moves.append((self.tick, player, move.text, NOTHING))
                    return True
            frame.pc = MOVED
            if not self.calls and self.jump == NOWHERE:
                stage.after(self, frame, stage)
            if frame.pc != WAIT or self.calls or self.jump != NOWHERE or self.stack[-1] is not frame:
                advance(self)
        except Exception as error:
            failure = self._undo(error)
            raise failure from (None if failure is error else error)
        self.record_moves.append((self.tick, player, move.text, NOTHING))
        return True

    def _apply_and_tell(self, player: int, action: ActionCode, args: tuple[Any, ...], move: Move) -> None:
        """What a plain move does and says where the same move is not always told in the same words."""
        if self.program.multi:
            args = self._real_cards(player, action, args)
        log = self.log
        secret: redaction.Parts | None = None
        start = 0 if log is None else len(log)
        if action.says is not None or action.label is not None:
            self._log_move(player, action, args, move.text, False)
        elif log is not None:
            log.append(move.news[player])
        if action.keeps_secrets and log is not None:
            secret = redaction.parts_of(self, player, action, args)
        action.apply(self, player, *args)
        if secret is not None and log is not None:
            log[start] = redaction.retold(self, player, action, move.text, secret, log[start:])

    def _by_contest(
        self, moves: list[tuple[int, Move | str, Mapping[str, int]]]
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
            action = self._find(player, str(move).split(" ")[0])
            if action is None or action.contest is None:
                continue
            try:
                parsed = self.parse(player, str(move))
            except IllegalMove:
                continue
            contest, value = action.contest, 0
            if contest.wins is not None:
                measure, wins = contest.wins
                value = measures.get(measure, 0) * (1 if wins == "lowest" else -1)
            thing = None if contest.over is None else parsed.args[contest.over]
            order = (value, arrivals[at], self._seats_from(contest.ties, player), at)
            groups.setdefault((action.name, thing), []).append(order)
        contested = sorted((sorted(g) for g in groups.values() if len(g) > 1), key=lambda g: g[0][-1])
        first = dict.fromkeys(order[-1] for group in contested for order in group)
        rest = sorted((i for i in range(len(moves)) if i not in first), key=lambda i: arrivals[i])
        return [moves[i] for i in (*first, *rest)]

    def _seats_from(self, ties: Hook | None, player: int) -> int:
        """How many seats a player sits after the one from whom they are counted, in the direction of play."""
        begin = None if ties is None else ties(self)
        if begin is None:
            return 0
        order = self.order()
        return (order.index(player) - order.index(begin)) * self.direction % len(order)

    def _play(
        self,
        player: int,
        move: Move | str,
        begin: int | None,
        end: int | None,
        measures: Mapping[str, int],
        tick: int = 0,
    ) -> None:
        if self.over:
            raise IllegalMove("over", "the match is over")
        self._check_player(player)
        if not tick or tick != self.tick:
            self.carried = 0
        self.spent = 0
        if isinstance(move, str):
            move = self.parse(player, move)
        elif not isinstance(move, Move):
            raise IllegalMove("no_such_move", f"{move!r} is neither a move nor the text of one")
        elif move.words is not None:  # whoever asks by Python may let it say anything
            check_said(move.words)
        action = self._find(player, move.action)
        busy: tuple[int, ...] | None = None
        if begin is not None or end is not None:
            self._check_times(begin, end, tick)
            busy = self._hands_after(player, action, begin, end)
        if measures:
            self._check_measures(action, measures)
        self.tick = tick or self.tick + 1
        logged = 0 if self.log is None else len(self.log)
        try:
            if action is None:
                self.spent = self.carried
                honour.claim(self, player, move)
            elif self.program.honor:
                honour.play(self, player, action, move, measures)
            else:
                self._play_strict(player, action, move, measures)
            frame = self.stack[-1]
            if frame.pc == MOVED and not self.calls and self.jump == NOWHERE:
                stage = self.program.stages[frame.stage]
                stage.after(self, frame, stage)
            if frame.pc != WAIT or self.calls or self.jump != NOWHERE or self.stack[-1] is not frame:
                advance(self)
        except IllegalMove:
            self.tick -= not tick
            raise
        except Exception as error:
            failure = self._undo(error)
            raise failure from (None if failure is error else error)
        self.carried = self.spent
        if self.faults:
            honour.prune(self)
        extra = NOTHING
        if measures or begin is not None or end is not None:
            extra = dict(measures)
            if begin is not None:
                extra["begin"] = begin
            if end is not None:
                extra["end"] = end
                if self.before_tick[0] != self.tick:
                    self.before_tick = (self.tick, self.clock)
                self.clock = max(self.clock, end)
            self._log_times(logged, player, extra)
            if busy is not None:
                hands = self.busy or ((),) * self.program.n
                self.busy = (*hands[:player], busy, *hands[player + 1 :])
        self.record_moves.append((self.tick, player, str(move) if move.words is not None else move.text, extra))

    def _play_strict(self, player: int, action: ActionCode, move: Move, measures: Mapping[str, int]) -> None:
        frame = self.stack[-1]
        stage = self.program.stages[frame.stage]
        if action.anytime:
            self.check_part(player, action)
        elif not self.may_move(player, frame, stage):
            raise IllegalMove("in_turn", self._whose_turn(stage))
        args = naming.real_args(self, player, action, move.args) if action.renamed else move.args
        if args is None:
            raise IllegalMove("not_possible", honour.why_impossible(self, player, action, move.args))
        if not self.allows(player, action, args, True):
            self.refuse(player, action, args)
        if self.program.multi:
            args = self._real_cards(player, action, args)
        self.carry_out(player, action, args, measures, frame, move.text)

    def carry_out(
        self,
        player: int,
        action: ActionCode,
        args: tuple[Any, ...],
        measures: Mapping[str, int],
        frame: Frame,
        text: str,
        side: bool = False,
    ) -> None:
        """Run a move's effect and hand over to the machine.

        args: real cards, not faces. side: a move out of turn, which never passes the turn.
        """
        program = self.program
        kind = program.stages[frame.stage].kind
        simultaneous = kind == "simultaneous" and not action.anytime
        extra = self._measures(player, action, args, measures) if action.measured else ()
        secret: redaction.Parts | None = None
        start = 0
        if self.log is not None:
            start = len(self.log)
            self._log_move(player, action, args, text, simultaneous)
            if action.keeps_secrets and not simultaneous:
                secret = redaction.parts_of(self, player, action, args)
        if simultaneous:
            self.hidden = 1 << player
        if self.faults:
            honour.age_by_move(self)
        self.mark, self.spent = GO, self.carried  # what it took to judge the move is done with
        current = self.current
        passed = [f for f in self.stack if f.passed] if side else []
        action.apply(self, player, *args, *extra)
        self.hidden = 0
        if secret is not None and self.log is not None:
            log = self.log
            log[start] = redaction.retold(self, player, action, text, secret, log[start:])
        if side:
            self._keep_turn(current, passed)
        frame.pc = MOVED
        frame.mover = NOBODY if action.anytime or side or (kind == "trick" and not action.is_play) else player
        frame.mark = self.mark
        if self.mark == PASSED and frame.mover == NOBODY:
            frame.mover = player
        if program.honor:
            frame.moved = self.tick
        self.mark = GO

    def told_of_taken_back(
        self, player: int, action: ActionCode, args: tuple[Any, ...], measures: Mapping[str, int], text: str
    ) -> list[Event]:
        """How a move is told that is taken back: each player reads of it what is read if it stands.

        Where that depends on what it does, it is carried out elsewhere.
        """
        plain = not action.keeps_secrets and action.told is None
        found = [Event("move", player, text)]
        if self.log is not None and not (plain and self.phase_kind() != "simultaneous"):
            stood = self.copy()
            stood.log = []
            try:
                stood.carry_out(player, action, args, measures, stood.stack[-1], text)
                found = [event for event in stood.log if event.kind == "move"]
            except Exception:  # it could not stand, so nobody has seen what came of it
                found = [Event("move", player, text, told=1 << player)]
        return [redaction.taken_back(event) for event in found]

    def _keep_turn(self, current: int, passed: Sequence[Frame]) -> None:
        """Undo what a side turn has said of the table's turn."""
        if self.mark == PASSED:
            self.current, self.mark = current, GO
            for frame in self.stack:
                frame.passed = frame in passed
        if self.jump == TO_TURN:
            self.jump = NOWHERE

    def _log_move(self, player: int, action: ActionCode, args: tuple[Any, ...], text: str, hidden: bool) -> None:
        log = self.log
        if log is None:
            return
        told = 1 << player if hidden else ALL if action.told is None else action.told(self, player) | 1 << player
        if hidden:
            log.append(new_event(Event, ("move", player, text, (), "", "", ALL, 1 << player)))
            log.append(new_event(Event, ("move", player, HAS_CHOSEN, (), "", "", ALL, ~(1 << player))))
        else:
            log.append(new_event(Event, ("move", player, text, (), "", "", ALL, told)))
        if action.says is not None and not self.program.honor:
            for _, words, _ in action.says(self, player, *args):
                self.log_event(Event("say", player, f'"{words}"'))
        if action.label is not None:
            label = action.label(self, player, *args)
            if label:
                self.log_event(Event("label", player, label, told=told))

    def _log_times(self, start: int, player: int, extra: Mapping[str, int]) -> None:
        """Tell times and measures below the move they belong to; of a hidden one to its player only."""
        log = self.log
        if log is None:
            return
        for at in range(start, len(log)):
            told = log[at]
            if told.kind == "move" and told.player == player:
                words = " ".join([f"{name}={value}" for name, value in extra.items()])
                log.insert(at + 1, new_event(Event, ("time", player, words, (), "", "", ALL, told.told)))
                break

    def refuse(self, player: int, action: ActionCode, args: tuple[Any, ...]) -> None:
        """Raise the IllegalMove that says which law refuses a move."""
        if self.allows(player, action, args, False):
            for law in action.broken(self, player, *args):
                raise IllegalMove(action.laws[law].name, self._why(player, action, law, args))
        raise IllegalMove("not_possible", honour.why_impossible(self, player, action, args))

    def _why(self, player: int, action: ActionCode, law: int, args: tuple[Any, ...]) -> str:
        message = "" if action.laws[law].names_unseen else action.message(self, player, law, *args)
        if message:
            return message
        lawful = self._moves(player, action, True)
        if 0 < len(lawful) <= 20:
            return "you may " + ", ".join(str(m) for m in lawful)
        return "this is against the rules of the game"

    def _whose_turn(self, stage: StageCode) -> str:
        names = ", ".join(f"P{p + 1}" for p in self.actors)
        return f"it is {names}'s turn" if names else "nobody is asked now"

    def _real_cards(self, player: int, action: ActionCode, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Replace faces by cards that lie where the action takes them from: of a move that is possible now."""
        if action.shape not in ("card", "cards"):
            return args
        offered = action.possible(self, player)
        if action.shape == "card":
            found = self._real((args[0],), offered)
            assert found is not None
            return found
        return (self._real(args[0], offered[0]),)

    def _measures(
        self, player: int, action: ActionCode, args: tuple[Any, ...], given: Mapping[str, int]
    ) -> tuple[int, ...]:
        found = []
        for name, bounds in action.measured:
            low, high = bounds(self, player, *args)
            if low > high:
                raise RuleError(f"'{name}' of the action '{action.name}' goes from {low} to {high}", action.span)
            value = given.get(name, low)
            if type(value) is not int or not low <= value <= high:
                raise IllegalMove("measure", f"{name} is a number from {low} to {high}")
            found.append(value)
        return tuple(found)

    def _check_measures(self, action: ActionCode | None, measures: Mapping[str, int]) -> None:
        """Nothing is measured but what the action says; what it says must not be given, and is then the lowest."""
        known = [] if action is None else [name for name, _ in action.measured]
        for name in measures:
            if name not in known:
                what = "this" if action is None else f"'{action.name}'"
                raise IllegalMove("measure", f"'{name}' is not measured in {what}; {suggest(name, known, 'measures')}")

    def _check_times(self, begin: int | None, end: int | None, tick: int) -> None:
        for time in (begin, end):
            if time is not None and (type(time) is not int or not 0 <= time <= MOST_TIME):
                raise IllegalMove("time", f"a time is a whole number of milliseconds, at most {MOST_TIME:,}")
        if begin is not None and end is not None and end < begin:
            raise IllegalMove("time", "a move cannot end before it begins")
        last = self.before_tick[1] if tick and tick == self.before_tick[0] else self.clock
        if end is not None and end < last:
            raise IllegalMove("time", f"the last move ended at {last}, so this one cannot end at {end}")

    def _hands_after(
        self, player: int, action: ActionCode | None, begin: int | None, end: int | None
    ) -> tuple[int, ...] | None:
        """When the player's hands get free again after a move of a race; None if it takes none of them.

        A move takes the hand that got free last before it begins: so a later one, which may have begun earlier, finds
        a hand whenever there is any. Source: Carlisle, Lloyd, "On the k-coloring of intervals" (1995).
        """
        stage = self.program.stages[self.stack[-1].stage]
        if stage.kind != "race" or action is None or not action.hands:
            return None
        starts = begin if begin is not None else end
        ends = end if end is not None else begin
        assert starts is not None and ends is not None
        hands = self.hands(player)
        known = self.busy[player] if self.busy else ()
        if hands == 1 == action.hands and (not known or known[-1] <= starts):
            return (ends,)
        free = [time for time in known if time <= starts]
        taken = known[len(free) :]
        if len(taken) + action.hands > hands:
            raise IllegalMove("hands", self._why_no_hand(hands, action.hands, taken))
        return tuple(sorted([*free[: max(0, len(free) - action.hands)], *taken, *[ends] * action.hands]))

    def hands(self, player: int) -> int:
        """How many hands a player may use at a time: what the race says that is going on, else one."""
        stage = None if self.over else self.program.stages[self.stack[-1].stage]
        return 1 if stage is None or stage.hands is None else stage.hands(self, player)

    def hands_for(self, player: int, move: Move) -> int:
        """How many hands a move takes; one where hands do not count."""
        action = move.maker if isinstance(move.maker, ActionCode) else self._find(player, move.action)
        return 1 if action is None or self.phase_kind() != "race" else action.hands

    @staticmethod
    def _why_no_hand(hands: int, needed: int, taken: Sequence[int]) -> str:
        if needed > hands:
            return f"it takes {needed} hands, and you may use {hands}"
        until = taken[len(taken) + needed - hands - 1]
        return f"{'your hand is' if hands == 1 else 'your hands are'} busy until {until}"

    def _undo(self, error: Exception) -> RuleError:
        """Put the state back to where it was before the move, by replaying its record."""
        failure = rule_error(self.program, error)
        if not isinstance(self.record_moves, Unkept):
            self._go_back(self.record_moves)
        return failure

    def _go_back(self, moves: Sequence[tuple[int, int, str, dict[str, int]]]) -> None:
        """Become the state to which these moves led."""
        fresh = self.game.start(seed=self.seed, chance=self.start_chance, given=self.given, log=self.log is not None)
        fresh.halt_after, fresh.floor = self.halt_after, self.floor
        for tick, player, text, extra in moves:
            fresh._replay(tick, player, text, extra)
        for name in Table.__slots__:
            setattr(self, name, getattr(fresh, name))

    def _replay(self, tick: int, player: int, text: str, extra: Mapping[str, int]) -> None:
        rest = {k: v for k, v in extra.items() if k not in ("begin", "end", "refused")}
        if "refused" in extra:
            self._check_player(player)
            check_text(text)  # it is told, refused or not
            if self.over and tick != self.tick:
                raise IllegalMove("over", "the match is over")
            try:
                self._play(player, text, extra.get("begin"), extra.get("end"), rest, tick)
            except IllegalMove as refusal:
                self.tick = tick  # as it is counted where moves are made together, refused or not
                self.note(Event("refused", player, f"{text}: {refusal}", told=1 << player))
                self.record_moves.append((tick, player, text, dict(extra)))
            return
        self._play(player, text, extra.get("begin"), extra.get("end"), rest, tick)
