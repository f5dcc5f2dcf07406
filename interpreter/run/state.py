"""One match being played: the public object, and what generated code and the machine keep in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Any

from interpreter.run import honor as honour
from interpreter.run import naming, telling
from interpreter.run.cards import bits
from interpreter.run.chance import ChanceError
from interpreter.run.events import ALL, Event, new_event
from interpreter.run.machine import (
    AGAIN,
    GO,
    MOVED,
    NOBODY,
    NOWHERE,
    PASSED,
    STAY,
    TO_TURN,
    WAIT,
    Frame,
    bits_of,
    is_running,
    settle,
)  # fmt: skip
from interpreter.run.moves import Choices, Move, Moves
from interpreter.run.program import ActionCode, Program, RuleError, StageCode
from interpreter.run.text import IllegalMove, build, hear, numbered, params_of, parse_args, split_words

if TYPE_CHECKING:
    from interpreter.game import Game

__all__ = ["AGAIN", "PASSED", "STAY", "IllegalMove", "State"]

JSON_VERSION = 1
NO_OFFER = (-1, -1, 0)
"""Tick, player and cards of the plays offered last: a play that follows at once need not be judged again."""
NOTHING: dict[str, int] = {}
"""What is recorded beside a move that has no times or measures; never changed."""


class State:
    """A match in progress. Made by `Game.start` or `Game.restore`; changed only by `play` and `play_together`."""

    __slots__ = (
        "best", "calls", "chance", "clock", "current", "dealer", "direction", "down", "draws", "faults", "game", "given", "halt_after", "halted",
        "hidden", "jump", "leader", "led", "log", "mark", "offered", "over", "plays", "program", "record_moves",
        "redealing", "runs", "seats", "seed", "skips", "stack", "start_chance", "tick", "tokens", "trick_number", "tricks",
        "up", "v", "winner", "z",
    )  # fmt: skip

    def __init__(self, game: Game, program: Program, seed: int, keep_log: bool = True) -> None:
        self.game = game
        self.program = program
        self.seed = seed
        self.draws = 0
        self.z: list[Any] = [0 if z.kept == "mask" else [] for z in program.zones for _ in range(z.size)]
        self.v: list[Any] = list(program.initial)
        self.up = 0
        self.down = 0
        self.tokens: dict[str, list[int]] = {name: [] for name in program.tokens}
        self.current = 0
        self.dealer: int | None = None
        self.direction = 1
        self.seats: tuple[int, ...] = ()
        self.stack: list[Frame] = []
        self.runs = [0] * len(program.stages)
        self.calls: list[tuple[int, tuple[Any, ...]]] = []
        self.jump = NOWHERE
        self.mark = GO
        self.skips = 0
        self.redealing = False
        self.hidden = 0
        self.plays: list[tuple[int, int]] = []
        self.led: int | None = None
        self.leader: int | None = None
        self.winner: int | None = None
        self.best: list[int] = []
        self.trick_number = 0
        self.tricks = [0] * program.n
        self.faults: list[honour.Fault] = []
        self.over = False
        self.clock = 0
        self.tick = 0
        self.log: list[Event] | None = [] if keep_log else None
        self.record_moves: list[tuple[int, int, str, dict[str, int]]] = []
        self.chance: dict[str, list[Any]] = {}
        self.start_chance: dict[str, Any] = {}
        self.given: dict[str, Any] | None = None
        self.halt_after: tuple[int, int] | None = None
        """For playouts: stop when this stage has ended so often."""
        self.halted = False
        self.offered = NO_OFFER

    # ---- what the match is like -------------------------------------------------------------------

    @property
    def actors(self) -> list[int]:
        """The players the match waits for, in seat order; empty exactly when it is over.

        A player is no actor because an action is open to all at any time, so the list betrays nothing.
        """
        if self.over:
            return []
        frame = self.stack[-1]
        stage = self.program.stages[frame.stage]
        if stage.kind in ("turn", "trick"):
            return [self.current]
        if stage.kind == "race":
            actions = [a for a in stage.actions if not a.talk]
            return [p for p in stage.players(self) if any(len(self._moves(p, a, True)) for a in actions)]
        if self.seats:
            return [p for p in self.seats if frame.pending >> p & 1]
        return list(bits(frame.pending))

    @property
    def phase(self) -> str:
        """The name of the stage that is going on, innermost; "over" when the match is over."""
        return "over" if self.over else self.program.stages[self.stack[-1].stage].name

    def phase_kind(self) -> str:
        """The kind of the innermost stage; "" when the match is over."""
        return "" if self.over else self.program.stages[self.stack[-1].stage].kind

    @property
    def scores(self) -> list[int]:
        """One number per player; a team's at each of its members."""
        return self.program.scores(self)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each player, from 0: it goes with the seat, and without teams with the person."""
        teams = self.program.teams
        if not self.seats or len(set(teams)) == len(teams):
            return teams
        return tuple(teams[self.seats.index(p)] for p in range(len(teams)))

    @property
    def winners(self) -> list[int]:
        """The players who have won; empty until the match is over."""
        if not self.over or self.program.winners is None:
            return []
        return list(self.program.winners(self))

    @property
    def places(self) -> list[int]:
        """The place of each player, 1 for the best; equal ones share it. Empty until the match is over."""
        if not self.over:
            return []
        if self.program.places_of is not None:
            keys = self.program.places_of(self)
        else:
            won = self.winners
            keys = [0 if p in won else 1 for p in range(self.program.n)]
        return [1 + sum(other < key for other in keys) for key in keys]

    # ---- moves ------------------------------------------------------------------------------------

    def legal_moves(self, player: int) -> Sequence[Move]:
        """The moves of a player that break no law, in a stable order; a snapshot. On honour, with the right words."""
        if self.over or not 0 <= player < self.program.n:
            return Moves([])
        stage = self.program.stages[self.stack[-1].stage]
        if stage.plain_play is not None:
            if player != self.current:
                return ()
            mask = stage.plain_play.legal(self, player)
            self.offered = (self.tick, player, mask)
            return self._card_moves(player, stage.plain_play, mask)
        if stage.only is not None and not self.program.honor:  # one action and nothing open at any time
            return self._moves(player, stage.only, True) if self.may_move(player, self.stack[-1], stage) else Moves([])
        parts = [self._moves(player, action, True) for action, _ in self._open(player) if not action.talk]
        if self.program.honor:
            parts = [honour.with_words(self, player, part) for part in parts]
            if stage.kind == "claims":  # claims themselves are left out, as talk is: nobody makes them at random
                parts.append(honour.declining(self, player))
        return parts[0] if len(parts) == 1 else Moves(parts)

    def possible_moves(self, player: int) -> Sequence[Move]:
        """What a player can physically do now, laws aside; on honour also out of turn, with wrong or missing words."""
        if self.over or not 0 <= player < self.program.n:
            return Moves([])
        found = self._open(player, everything=True)
        parts: list[Sequence[Move]] = [self._moves(player, action, False) for action, _ in found]
        if self.program.honor and self.phase_kind() == "race":
            parts = [honour.without_refused(self, player, part) for part in parts]
        if self.program.honor:
            parts = [honour.with_all_words(self, player, part) for part in parts]
            parts.append(honour.claim_moves(self, player))
        return Moves(parts)

    def parse(self, player: int, text: str) -> Move:
        """The move that a text means; IllegalMove if it means none."""
        if self.over:
            raise IllegalMove("over", "the match is over")
        body, words = split_words(text)
        tokens = body.split()
        if not tokens:
            raise IllegalMove("no_such_move", "a move is an action and what it is about, such as 'play 7C'")
        action = self._find(player, tokens[0])
        if action is None:
            return honour.parse_claim(self, player, tokens, words)
        args = parse_args(self, player, action, tokens[1:])
        if words is not None and action.renamed:
            args = hear(self, player, action, args, words)
        return build(self, player, action, args).saying(words)

    def play(self, player: int, move: Move | str, begin: int | None = None, end: int | None = None, **measures: int) -> list[Event]:
        """Make a move; returns what happened.

        player: 0 to n-1. begin, end: whole milliseconds. measures: what the body decides, by name.
        Raises IllegalMove (the state is unchanged), or RuleError where the ruleset cannot go on (likewise).
        """
        log = self.log
        start = 0 if log is None else len(log)
        if self.stack and not measures and begin is None and end is None:
            frame = self.stack[-1]
            stage = self.program.stages[frame.stage]
            if stage.plain_play is not None and player == self.current and type(move) is Move:
                if self._play_card(player, move, frame, stage, stage.plain_play):
                    return [] if log is None else log[start:]
        self._play(player, move, begin, end, measures)
        return [] if self.log is None else self.log[start:]

    def _play_card(self, player: int, move: Move, frame: Frame, stage: StageCode, action: ActionCode) -> bool:
        """The commonest move by the shortest way: a lawful play to a trick, when nothing else could be done.

        False, with nothing changed, if it is anything else; then the long way finds out what it is.
        """
        tick, offered_to, mask = self.offered
        if tick != self.tick or offered_to != player:
            mask = action.legal(self, player)
        if move.action != action.name or not mask >> move.args[0] & 1:
            return False
        self.tick += 1
        self.offered = NO_OFFER
        if self.log is not None:
            self.log.append(new_event(Event, ("move", player, move.text, (), "", "", ALL, ALL)))
        try:
            self.mark = GO
            action.apply(self, player, move.args[0])
            frame.pc = MOVED
            frame.mover = player
            if self.calls or self.jump != NOWHERE or self.mark != GO:
                frame.mark, self.mark = self.mark, GO
                settle(self)
            else:
                stage.after(self, frame, stage)
                if frame.pc != WAIT or self.calls or self.jump != NOWHERE:
                    settle(self)
        except Exception as error:
            failure = self._undo(error)
            raise failure from (None if failure is error else error)
        self.record_moves.append((self.tick, player, move.text, NOTHING))
        return True

    def play_together(self, moves: Iterable[tuple[int, Move | str, Mapping[str, int]]]) -> list[Event]:
        """Make several moves in one tick: contests are settled first, the rest follows in order.

        A move that is no longer lawful comes back as an event `refused` with its law; the others stand.
        """
        start = 0 if self.log is None else len(self.log)
        self.tick += 1
        tick = self.tick
        for player, move, measures in self._by_contest(list(moves)):
            rest = {k: v for k, v in measures.items() if k not in ("begin", "end")}
            try:
                self._play(player, move, measures.get("begin"), measures.get("end"), rest, tick)
            except IllegalMove as refusal:
                self.note(Event("refused", player, f"{move}: {refusal}", told=1 << player))
                self.record_moves.append((tick, player, str(move), {"refused": 1, **measures}))
        return [] if self.log is None else self.log[start:]

    def _by_contest(
        self, moves: list[tuple[int, Move | str, Mapping[str, int]]]
    ) -> list[tuple[int, Move | str, Mapping[str, int]]]:
        """The moves with the winners of contests first: lowest (or highest) measure, then time, then the order given."""
        groups: dict[tuple[str, Any], list[tuple[int, float, int]]] = {}
        for at, (player, move, measures) in enumerate(moves):
            action = self._find(player, str(move).split(" ")[0])
            if action is None or action.contest is None:
                continue
            try:
                parsed = self.parse(player, str(move))
            except IllegalMove:
                continue
            number, measure, wins = action.contest
            value, arrival = measures.get(measure, 0), measures.get("end", inf)
            order = (value if wins == "lowest" else -value, arrival, at)
            groups.setdefault((action.name, parsed.args[number]), []).append(order)
        first = [min(g)[-1] for g in groups.values() if len(g) > 1]
        return [moves[i] for i in sorted(first)] + [m for i, m in enumerate(moves) if i not in first]

    def _play(
        self, player: int, move: Move | str, begin: int | None, end: int | None, measures: Mapping[str, int], tick: int = 0
    ) -> None:
        if self.over:
            raise IllegalMove("over", "the match is over")
        if type(player) is not int or not 0 <= player < self.program.n:
            raise IllegalMove("no_such_player", f"there is no player {player}; players are 0 to {self.program.n - 1}")
        if isinstance(move, str):
            move = self.parse(player, move)
        elif not isinstance(move, Move):
            raise IllegalMove("no_such_move", f"{move!r} is neither a move nor the text of one")
        if begin is not None or end is not None:
            self._check_times(begin, end)
        action = self._find(player, move.action)
        self.tick = tick or self.tick + 1
        try:
            if action is None:
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
                settle(self)
        except IllegalMove:
            self.tick -= not tick
            raise
        except Exception as error:
            failure = self._undo(error)
            raise failure from (None if failure is error else error)
        if self.faults:
            honour.prune(self)
        extra = NOTHING
        if measures or begin is not None or end is not None:
            extra = {**measures, **({} if begin is None else {"begin": begin}), **({} if end is None else {"end": end})}
            self.clock = self.clock if end is None else end
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
        """Run a move's effect and hand over to the machine. side: a move out of turn, which never passes the turn."""
        program = self.program
        kind = program.stages[frame.stage].kind
        simultaneous = kind == "simultaneous" and not action.anytime
        if program.multi:
            args = self._real_cards(player, action, args)
        extra = self._measures(player, action, args, measures) if action.measured else ()
        secret: list[tuple[int, ...]] | None = None
        start = 0
        if self.log is not None:
            start = len(self.log)
            self._log_move(player, action, args, text, simultaneous)
            secret = telling.eyes_of(self, player, action, args) if action.keeps_secrets and not simultaneous else None
        if simultaneous:
            self.hidden = 1 << player
        self.mark = GO
        current = self.current
        passed = [f for f in self.stack if f.passed] if side else []
        action.apply(self, player, *args, *extra)
        self.hidden = 0
        if secret is not None and self.log is not None:
            self.log[start : start + 1] = telling.versions(self, player, action, args, text, secret)
        if side:
            self._keep_turn(current, passed)
        frame.pc = MOVED
        frame.mover = NOBODY if action.anytime or side or (kind == "trick" and not action.is_play) else player
        frame.mark = self.mark
        if self.mark == PASSED and frame.mover == NOBODY:
            frame.mover = player
        self.mark = GO

    def _keep_turn(self, current: int, passed: Sequence[Frame]) -> None:
        """Undo what a side turn has said of the table's turn."""
        if self.mark == PASSED:
            self.current, self.mark = current, GO
            for frame in self.stack:
                frame.passed = frame in passed
        if self.jump == TO_TURN:
            self.jump = NOWHERE

    def _log_move(self, player: int, action: ActionCode, args: tuple[Any, ...], text: str, hidden: bool) -> None:
        if hidden:
            self.log_event(Event("move", player, text, told=1 << player))
            self.log_event(Event("move", player, "has chosen", told=ALL & ~(1 << player)))
        elif self.log is not None:
            self.log.append(new_event(Event, ("move", player, text, (), "", "", ALL, ALL)))
        if action.says is not None and not self.program.honor:
            for _, words, _ in action.says(self, player, *args):
                self.log_event(Event("say", player, f'"{words}"'))
        if action.label is not None:
            label = action.label(self, player, *args)
            if label:
                self.log_event(Event("label", player, label))

    def may_move(self, player: int, frame: Frame, stage: StageCode) -> bool:
        """Whether the innermost stage waits for this player."""
        if stage.kind in ("turn", "trick"):
            return self.current == player
        if stage.kind == "race":
            return player in stage.players(self)
        return bool(frame.pending >> player & 1)

    def allows(self, player: int, action: ActionCode, args: tuple[Any, ...], lawful: bool) -> bool:
        """Whether the arguments are among those an action offers now."""
        offered = (action.legal if lawful else action.possible)(self, player)
        match action.shape:
            case "none":
                return bool(offered)
            case "card":
                found = offered & self.program.copies[args[0]] if self.program.multi else offered >> args[0] & 1
                return bool(found)
            case "cards":
                mask, low, high = offered
                cards = args[0]
                if not low <= len(cards) <= high or any(not mask >> c & 1 for c in self._real(cards, mask)):
                    return False
                return not (lawful and action.joint) or not action.broken(self, player, cards)
        return args in offered

    def refuse(self, player: int, action: ActionCode, args: tuple[Any, ...]) -> None:
        """Raise the IllegalMove that says which law refuses a move."""
        if self.allows(player, action, args, False):
            for law in action.broken(self, player, *args):
                raise IllegalMove(action.laws[law].name, self._why(player, action, law, args))
        raise IllegalMove("not_possible", honour.why_impossible(self, player, action, args))

    def _why(self, player: int, action: ActionCode, law: int, args: tuple[Any, ...]) -> str:
        message = action.message(self, player, law, *args)
        if message:
            return message
        lawful = self._moves(player, action, True)
        if 0 < len(lawful) <= 20:
            return "you may " + ", ".join(str(m) for m in lawful)
        return "this is against the rules of the game"

    def _whose_turn(self, stage: StageCode) -> str:
        names = ", ".join(f"P{p + 1}" for p in self.actors)
        return f"it is {names}'s turn" if names else "nobody is asked now"

    # ---- helpers of moves ---------------------------------------------------------------------------

    def _open(self, player: int, everything: bool = False) -> list[tuple[ActionCode, Frame]]:
        """Actions open to a player: of the innermost stage if it waits for them, and those open at any time."""
        frame = self.stack[-1]
        stage = self.program.stages[frame.stage]
        found: list[tuple[ActionCode, Frame]] = []
        out_of_turn = everything and self.program.honor and stage.kind in ("turn", "trick")
        if self.may_move(player, frame, stage) or out_of_turn:
            found += [(a, frame) for a in stage.actions]
        names = {a.name for a in stage.actions}
        for outer in reversed(self.stack):
            code = self.program.stages[outer.stage]
            if not (code.anytime or code.closed) or not is_running(outer):
                continue
            for action in code.anytime:
                if action.name not in names:
                    names.add(action.name)
                    if player in code.players(self):
                        found.append((action, outer))
            if code.closed:
                break
        return found

    def check_part(self, player: int, action: ActionCode) -> None:
        """An anytime action is open to those who take part in its stage."""
        if player not in self.program.stages[action.stage].players(self):
            raise IllegalMove("not_possible", f"you take no part in '{self.program.stages[action.stage].name}'")

    def _find(self, player: int, name: str) -> ActionCode | None:
        """The action of that name which is open in the stages that are running; the innermost wins."""
        found = self.program.stages[self.stack[-1].stage].by_name.get(name)
        if found is not None:
            return found
        for outer in reversed(self.stack):
            code = self.program.stages[outer.stage]
            if not (code.anytime or code.closed) or not is_running(outer):
                continue
            for action in code.anytime:
                if action.name == name:
                    return action
            if code.closed:
                break
        return None

    def _moves(self, player: int, action: ActionCode, lawful: bool) -> Sequence[Move]:
        offered = (action.legal if lawful else action.possible)(self, player)
        match action.shape:
            case "card":
                if self.program.multi:
                    return [self._interned(player, action, (c,)) for c in self._faces(offered)]
                return self._card_moves(player, action, offered)
            case "none":
                return [self._interned(player, action, ())] if offered else []
            case "cards":
                mask, low, high = offered
                return self._choices(player, action, mask, low, high, lawful)
        if action.renamed:
            return naming.moves(self, player, action, offered, lawful)
        if action.row_params is not None:
            return [build(self, player, action, args) for args in offered]
        return [self._interned(player, action, args) for args in offered]

    def _card_moves(self, player: int, action: ActionCode, mask: int) -> Sequence[Move]:
        """The moves of the cards of a set; those of each run of 8 cards are looked up once they are known."""
        found: tuple[Move, ...] = ()
        at = 0
        while mask:
            part = mask & 255
            if part:
                while at >= len(action.known_moves):
                    action.known_moves.append([None] * 256)
                known = action.known_moves[at][part]
                if known is None:
                    cards = (8 * at + card for card in bits(part))
                    known = tuple([self._interned(player, action, (card,)) for card in cards])
                    action.known_moves[at][part] = known
                found += known
            mask >>= 8
            at += 1
        return found

    def _interned(self, player: int, action: ActionCode, args: tuple[Any, ...]) -> Move:
        move = action.interned.get(args)
        if move is None:
            move = build(self, player, action, args)
            if action.row_params is None:
                action.interned[args] = move
        return move

    def _faces(self, mask: int) -> Sequence[int]:
        """Cards of a set, equal ones once."""
        return tuple(sorted({self.program.first_copy[c] for c in bits(mask)}))

    def _choices(self, player: int, action: ActionCode, mask: int, low: int, high: int, lawful: bool) -> Sequence[Move]:
        names, name = self.program.cards, action.name

        def make(cards: tuple[int, ...]) -> Move:
            return Move(name, (cards,), f"{name} {' '.join([names[c] for c in cards]) or 'nothing'}")

        cards = bits(mask)
        if not self.program.multi and not (lawful and action.joint):
            return Choices(cards, low, high, make)
        found: dict[str, Move] = {}
        for size in range(max(0, low), min(high, len(cards)) + 1):
            for chosen in combinations(cards, size):
                if lawful and action.joint and action.broken(self, player, chosen):
                    continue
                move = make(chosen)
                found.setdefault(move.text, move)
        return list(found.values())

    def _real(self, cards: tuple[int, ...], mask: int) -> list[int]:
        """The cards of a set that are meant by the faces of a move."""
        if not self.program.multi:
            return list(cards)
        found = []
        for card in cards:
            same = self.program.copies[self.program.first_copy[card]] & mask
            if not same:
                return [self.program.first_copy[card] if not mask >> card & 1 else -1, 10_000]
            low = same & -same
            mask ^= low
            found.append(low.bit_length() - 1)
        return found

    def _real_cards(self, player: int, action: ActionCode, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Replace faces by cards that lie where the action takes them from."""
        if not any(p.form == "cards" for p in action.params):
            return args
        offered = action.possible(self, player)
        if action.shape == "card":
            return tuple(self._real((args[0],), offered))
        if action.shape == "cards":
            return (tuple(self._real(args[0], offered[0])),)
        return args

    def _measures(self, player: int, action: ActionCode, args: tuple[Any, ...], given: Mapping[str, int]) -> tuple[int, ...]:
        found = []
        for name, bounds in action.measured:
            low, high = bounds(self, player, *args)
            value = given.get(name, low)
            if type(value) is not int or not low <= value <= high:
                raise IllegalMove("measure", f"{name} is a number from {low} to {high}")
            found.append(value)
        return tuple(found)

    def _check_times(self, begin: int | None, end: int | None) -> None:
        if any(time is not None and (type(time) is not int or time < 0) for time in (begin, end)):
            raise IllegalMove("time", "a time is a whole number of milliseconds")
        if begin is not None and end is not None and end < begin:
            raise IllegalMove("time", "a move cannot end before it begins")
        if end is not None and end < self.clock:
            raise IllegalMove("time", f"the last move ended at {self.clock}, so this one cannot end at {end}")

    def _undo(self, error: Exception) -> RuleError:
        """Put the state back to where it was before the move, by replaying its record."""
        failure = error if isinstance(error, RuleError) else RuleError(f"the rules cannot be carried out: {error}")
        if failure.span is None:
            failure.span = span_of(self.program, error)
        fresh = self.game.start(seed=self.seed, chance=self.start_chance, given=self.given, log=self.log is not None)
        fresh.halt_after = self.halt_after
        for tick, player, text, extra in self.record_moves:
            fresh._replay(tick, player, text, extra)
        for name in State.__slots__:
            setattr(self, name, getattr(fresh, name))
        return failure

    def _replay(self, tick: int, player: int, text: str, extra: Mapping[str, int]) -> None:
        rest = {k: v for k, v in extra.items() if k not in ("begin", "end", "refused")}
        if extra.get("refused"):
            try:
                self._play(player, text, extra.get("begin"), extra.get("end"), rest, tick)
            except IllegalMove as refusal:
                self.note(Event("refused", player, f"{text}: {refusal}", told=1 << player))
                self.record_moves.append((tick, player, text, dict(extra)))
            return
        self._play(player, text, extra.get("begin"), extra.get("end"), rest, tick)

    # ---- looking ------------------------------------------------------------------------------------

    def zone(self, name: str, player: int | None = None) -> list[str]:
        """The cards in a zone, top first; of a player where each has one. KeyError if there is no such zone."""
        from interpreter.run import view

        return view.zone(self, name, player)

    def value(self, name: str, player: int | None = None) -> Any:
        """A variable or definition by name, of a player where each has one. KeyError if there is none."""
        from interpreter.run import view

        return view.value(self, name, player)

    def view(self, player: int) -> dict[str, Any]:
        """What a player may know, as plain JSON data, with that player's log."""
        from interpreter.run import view

        return view.view(self, player)

    def copy(self) -> State:
        """An equal state that shares nothing that changes."""
        new = State.__new__(State)
        new.game, new.program, new.seed, new.draws = self.game, self.program, self.seed, self.draws
        new.z = [kept if type(kept) is int else kept[:] for kept in self.z]
        new.v = self.v[:]
        new.up, new.down = self.up, self.down
        new.tokens = {k: h[:] for k, h in self.tokens.items()} if self.tokens else {}
        new.current, new.dealer, new.direction, new.seats = self.current, self.dealer, self.direction, self.seats
        new.stack = [f.copy() for f in self.stack]
        new.runs = self.runs[:]
        new.calls, new.jump, new.mark, new.skips = self.calls[:], self.jump, self.mark, self.skips
        new.redealing, new.hidden = self.redealing, self.hidden
        new.plays, new.led, new.leader, new.winner = self.plays[:], self.led, self.leader, self.winner
        new.best, new.trick_number, new.tricks = self.best[:], self.trick_number, self.tricks[:]
        new.faults = [f.copy() for f in self.faults] if self.faults else []
        new.over, new.clock, new.tick = self.over, self.clock, self.tick
        new.log = None if self.log is None else self.log[:]
        new.record_moves = self.record_moves[:]
        new.chance = {k: c[:] for k, c in self.chance.items()} if self.chance else {}
        new.start_chance, new.given = self.start_chance, self.given
        new.halt_after, new.halted, new.offered = self.halt_after, self.halted, self.offered
        return new

    def to_json(self) -> str:
        """The whole state as text, for `Game.restore`."""
        data = {
            "houserules": JSON_VERSION, "game": self.game.header(), "seed": self.seed, "draws": self.draws,
            "z": self.z, "v": [list(x) if isinstance(x, tuple) else x for x in self.v],
            "up": self.up, "down": self.down, "tokens": self.tokens,
            "table": [self.current, self.dealer, self.direction, list(self.seats), self.skips, self.redealing],
            "stack": [f.to_json() for f in self.stack], "runs": self.runs,
            "trick": [self.plays, self.led, self.leader, self.winner, self.best, self.trick_number, self.tricks],
            "faults": [f.to_json() for f in self.faults], "over": self.over, "clock": [self.clock, self.tick],
            "chance": self.chance, "start_chance": self.start_chance, "given": self.given,
            "moves": self.record_moves, "log": None if self.log is None else [list(e) for e in self.log],
        }  # fmt: skip
        return json.dumps(data, separators=(",", ":"))

    def load(self, data: Mapping[str, Any]) -> None:
        """Take over the contents of `to_json`; raises KeyError, TypeError, ValueError or IndexError if they are not."""
        self.seed, self.draws = int(data["seed"]), int(data["draws"])
        self.up, self.down = int(data["up"]), int(data["down"])
        if len(data["z"]) != len(self.z) or len(data["v"]) != len(self.v):
            raise ValueError("it belongs to another ruleset")
        self.z, self.v = list(data["z"]), [tuple(x) if isinstance(x, list) else x for x in data["v"]]
        self.tokens = {k: list(h) for k, h in data["tokens"].items()}
        self.current, self.dealer, self.direction, seats, self.skips, self.redealing = data["table"]
        self.seats = tuple(seats)
        self.stack = [Frame.from_json(f) for f in data["stack"]]
        self.runs = list(data["runs"])
        plays, self.led, self.leader, self.winner, self.best, self.trick_number, self.tricks = data["trick"]
        self.plays = [(p, c) for p, c in plays]
        self.faults = [honour.Fault.from_json(f) for f in data["faults"]]
        self.over = bool(data["over"])
        self.clock, self.tick = data["clock"]
        self.chance, self.start_chance, self.given = data["chance"], data["start_chance"], data["given"]
        self.record_moves = [(m[0], m[1], m[2], m[3]) for m in data["moves"]]
        self.log = None if data["log"] is None else [Event(e[0], e[1], e[2], tuple(e[3]), *e[4:]) for e in data["log"]]

    def record(self) -> str:
        """The match as JSON lines: a header, then each move with its tick, times and measures."""
        from interpreter.record import write

        return write(self)

    # ---- for generated code, the machine, and drivers -------------------------------------------------

    def log_event(self, event: Event) -> None:
        if self.log is not None:
            if self.hidden and event.kind != "cards":
                event = event._replace(told=event.told & self.hidden)
            self.log.append(event)

    note = log_event

    def order(self) -> tuple[int, ...]:
        """Persons in seat order."""
        return self.seats or tuple(range(self.program.n))

    def from_left_of_dealer(self) -> list[int]:
        """Everybody in the direction of play, the dealer's neighbour first; without a dealer from P1."""
        order = list(self.order())
        if self.dealer is None:
            return order
        at = order.index(self.dealer)
        return [order[(at + step * self.direction) % len(order)] for step in range(1, len(order) + 1)]

    def person(self, text: str) -> int | None:
        return numbered("P", text, self.program.n)

    def take_chance(self, place: str) -> Any:
        """The next outcome that was fixed for a place, or None."""
        given = self.chance.get(place)
        return given.pop(0) if given else None

    def take_shuffle(self, stage: str) -> list[str] | None:
        found: list[str] | None = self.take_chance(f"shuffle {stage}")
        return found if found is not None else self.take_chance("deck")

    def stacked(self, names: Sequence[str], kept: Sequence[int], stage: str) -> list[int]:
        """Cards in the order given (top first), the others below in the order of their numbers."""
        left = sorted(kept)
        top = []
        for name in names:
            card = self.card_among(name, left)
            left.remove(card)
            top.append(card)
        return left[::-1] + top[::-1]

    def card_among(self, name: str, cards: Sequence[int]) -> int:
        wanted = self.program.by_name.get(name.upper())
        for card in cards:
            if wanted is not None and self.program.first_copy[card] == wanted:
                return card
        raise ChanceError(f"{name} is not among the cards that can come here")

    def age_by_turn(self, player: int) -> None:
        honour.age_by_turn(self, player)

    def age_by_end(self, stage: str) -> None:
        honour.age_by_end(self, stage)

    def claimants(self) -> int:
        return bits_of(honour.claimants(self))

    def tell_score(self, player_or_team: str, amount: int) -> None:
        if self.log is not None:
            self.note(Event("score", None, f"{player_or_team} {amount:+d}"))


def span_of(program: Program, error: BaseException) -> Any:
    """The place in the ruleset where generated code failed, from the traceback."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == program.filename:
            found = program.place_line(trace.tb_lineno)
        trace = trace.tb_next
    return found
