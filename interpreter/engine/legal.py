"""Which moves are open to whom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from interpreter.engine import honor as honour
from interpreter.engine import naming
from interpreter.engine.budget import charge
from interpreter.engine.events import Event
from interpreter.engine.machine import Frame, is_running
from interpreter.engine.moves import Choices, Move, Moves
from interpreter.engine.notation import (
    SILENT,
    IllegalMove,
    build,
    check_said,
    check_text,
    hear,
    in_order,
    read_args,
    split_words,
)
from interpreter.engine.program import ActionCode, StageCode, by_rules, rule_error, too_many
from interpreter.engine.table import Table
from interpreter.engine.transfers import bits, mask_of_packet

MOST_CHOICES = 10**18
"""How many choices of cards there can be that are not listed until somebody looks at them."""
MOST_LISTS = 20_000
"""How many lists of moves an action keeps."""
MOST_KEPT = 50_000
"""How many moves all actions of a game keep together, each its share."""


NO_MOVES: tuple[Move, ...] = ()


class Offering(Table):
    """A match that can say what may be done in it."""

    __slots__ = ()

    def may_move(self, player: int, frame: Frame, stage: StageCode) -> bool:
        """Whether the innermost stage waits for this player."""
        if stage.kind in ("turn", "trick"):
            return self.current == player
        if stage.kind == "race":
            return player in stage.players(self)
        return bool(frame.pending >> player & 1)

    def allows(self, player: int, action: ActionCode, args: tuple[Any, ...], lawful: bool) -> bool:
        """Whether the arguments are among those an action offers now."""
        if action.offers is not None:
            return action.offers(self, player, lawful, *args)
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
                if not low <= len(cards) <= high or self._real(cards, mask) is None:
                    return False
                return not (lawful and action.joint) or not action.broken(self, player, cards)
        if args in offered:
            return True
        untold = naming.without_texts(self, player, action, args)
        if untold == args or untold not in action.possible(self, player):
            return False
        return not (lawful and action.broken(self, player, *args))

    def was_offered(self, player: int, move: Move) -> bool:
        """Whether a move is one of those that were offered to the player last, with nothing done since."""
        tick, offered_to, parts = self.offered
        if tick != self.tick or offered_to != player or isinstance(parts, int):
            return False
        maker = move.maker
        for part in parts:
            if part and type(part) in (list, tuple) and part[0].maker is maker:
                for offered in part:
                    if offered is move:
                        return True
        return False

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
        """The action of that name, its first or another, which is open in the stages that run; the innermost wins."""
        if not self.stack:
            return None
        found = self.program.stages[self.stack[-1].stage].by_name.get(name)
        if found is not None:
            return found
        for outer in reversed(self.stack):
            code = self.program.stages[outer.stage]
            if not (code.anytime or code.closed) or not is_running(outer):
                continue
            for action in code.anytime:
                if action.name == name or name in action.also:
                    return action
            if code.closed:
                break
        return None

    def _moves(self, player: int, action: ActionCode, lawful: bool) -> Sequence[Move]:
        offered = (action.legal if lawful else action.possible)(self, player)
        if not offered:
            return NO_MOVES
        match action.shape:
            case "card":
                if self.program.multi:
                    return [self._interned(player, action, (c,)) for c in self._faces(offered)]
                return action.known_lists.get(offered) or self._card_moves(player, action, offered)
            case "none":
                return [action.interned.get(()) or self._interned(player, action, ())]
            case "cards":
                mask, low, high = offered
                return self._choices(player, action, mask, low, high, lawful)
        if action.renamed and not (lawful and action.steady):
            return naming.moves(self, player, action, offered, lawful)
        if action.renamed:  # moves of the same name are one move
            return list({(move := self._interned(player, action, args)).text: move for args in offered}.values())
        if action.row_params is not None and not action.steady:
            return [build(self, player, action, args) for args in offered]
        known = action.interned.get
        return [known(args) or self._interned(player, action, args) for args in offered]

    def _card_moves(self, player: int, action: ActionCode, mask: int) -> Sequence[Move]:
        """The moves of the cards of a set; those of each run of 8 cards are looked up once they are known."""
        found: tuple[Move, ...] = ()
        rest, at = mask, 0
        while rest:
            part = rest & 255
            if part:
                while at >= len(action.known_moves):
                    action.known_moves.append([None] * 256)
                known = action.known_moves[at][part]
                if known is None:
                    cards = (8 * at + card for card in bits(part))
                    known = tuple([self._interned(player, action, (card,)) for card in cards])
                    action.known_moves[at][part] = known
                found += known
            rest >>= 8
            at += 1
        if len(action.known_lists) >= MOST_LISTS:
            action.known_lists.clear()
        action.known_lists[mask] = found
        return found

    def _interned(self, player: int, action: ActionCode, args: tuple[Any, ...]) -> Move:
        move = action.interned.get(args)
        if move is None:
            named = naming.named_args(self, player, action, args) if action.renamed else args
            move = build(self, player, action, named)
            move.news = tuple([Event("move", p, move.text) for p in range(self.program.n)])
            if (action.steady or action.row_params is None) and len(action.interned) < action.keeps:
                action.interned[args] = move
        return move

    def _faces(self, mask: int) -> Sequence[int]:
        """Cards of a set, equal ones once."""
        return tuple(sorted({self.program.first_copy[c] for c in bits(mask)}))

    def _choices(self, player: int, action: ActionCode, mask: int, low: int, high: int, lawful: bool) -> Sequence[Move]:
        names, name = self.program.cards, action.name

        multi, program = self.program.multi, self.program

        def make(cards: tuple[int, ...]) -> Move:
            if multi:
                cards = in_order(program, cards)
            return Move(name, (cards,), f"{name} {' '.join([names[c] for c in cards]) or 'nothing'}", None, action)

        cards = bits(mask)
        choices = Choices(cards, low, high, make)
        tried = self.program.multi or (lawful and action.joint)
        most = action.most if tried or self.program.honor else MOST_CHOICES
        if choices.number > most:
            raise too_many(action.name, most, action.span)
        if not tried:
            return choices
        charge(self, choices.number * action.each)
        found: dict[str, Move] = {}
        for size in range(max(0, low), min(high, len(cards)) + 1):
            for chosen in combinations(cards, size):
                if lawful and action.joint and action.broken(self, player, chosen):
                    continue
                move = make(chosen)
                found.setdefault(move.text, move)
        return list(found.values())

    def _real(self, cards: tuple[int, ...], mask: int) -> tuple[int, ...] | None:
        """The cards of a set that are meant by the faces of a move; None if they are not all there."""
        if not self.program.multi:
            return None if mask_of_packet(cards) & ~mask else cards
        found = []
        for card in cards:
            same = self.program.copies[self.program.first_copy[card]] & mask
            if not same:
                return None
            low = same & -same
            mask ^= low
            found.append(low.bit_length() - 1)
        return tuple(found)

    def _has_move(self, player: int, action: ActionCode, lawful: bool) -> bool:
        """Whether an action offers a player anything."""
        if lawful and action.shape != "cards":
            return bool(action.any(self, player))
        if action.shape == "cards":
            return len(self._moves(player, action, lawful)) > 0
        return bool(action.possible(self, player))

    def _bystanders(self, stage: StageCode) -> list[int]:
        """Players who can act in a race although it offers them nothing: by what is open at any time."""
        found = []
        for player in range(self.program.n):
            others = [a for a, _ in self._open(player) if a not in stage.actions and not a.talk]
            if any(self._has_move(player, a, True) for a in others):
                found.append(player)
        return found

    @property
    def actors(self) -> list[int]:
        """The players the match waits for, in seat order; empty exactly when it is over.

        A player is no actor because an action is open to all at any time, so the list betrays nothing; only a race in
        which nobody has a move waits for those who can do something else.
        """
        if self.over:
            return []
        frame = self.stack[-1]
        stage = self.program.stages[frame.stage]
        if stage.kind in ("turn", "trick"):
            return [self.current]
        if stage.kind == "race":
            return self._racers(stage)
        if self.seats:
            return [p for p in self.seats if frame.pending >> p & 1]
        return list(bits(frame.pending))

    @by_rules
    def _racers(self, stage: StageCode) -> list[int]:
        """Who can move in a race."""
        actions, players = [a for a in stage.actions if not a.talk], list(stage.players(self))
        if players and any(a.alike and self._has_move(players[0], a, True) for a in actions):
            return players
        found = [p for p in players if any(self._has_move(p, a, True) for a in actions)]
        return found or self._bystanders(stage) or players

    def legal_moves(self, player: int) -> Sequence[Move]:
        """The moves of a player that break no law, in a stable order; a snapshot. On honour, with the right words."""
        self.spent = 0
        try:
            if self.over or type(player) is not int or not 0 <= player < self.program.n:
                return Moves([])
            stage = self.program.stages[self.stack[-1].stage]
            if stage.plain_play is not None:
                if player != self.current:
                    return ()
                action = stage.plain_play
                mask = action.legal(self, player)
                self.offered = (self.tick, player, mask)
                return action.known_lists.get(mask) or self._card_moves(player, action, mask)
            if stage.only is not None and not self.program.honor:  # one action and nothing open at any time
                waits = self.may_move(player, self.stack[-1], stage)
                found = self._moves(player, stage.only, True) if waits else Moves([])
                self.offered = (self.tick, player, [found])
                return found
            if stage.plain and not stage.anytime:
                actions = stage.within if self.may_move(player, self.stack[-1], stage) else ()
            else:
                actions = tuple([action for action, _ in self._open(player) if not action.talk])
            parts = [part for action in actions if (part := self._moves(player, action, True))]
            if self.program.honor:
                parts = [honour.with_words(self, player, part) for part in parts]
                if stage.kind == "claims":  # claims themselves are left out, as talk is: nobody makes them at random
                    parts.append(honour.declining(self, player))
            else:
                self.offered = (self.tick, player, parts)
            if len(parts) == 1:
                return parts[0]
            if any([type(part) not in (list, tuple) for part in parts]):
                return Moves(parts)
            return [move for part in parts for move in part]
        except Exception as error:
            failure = rule_error(self.program, error)
            raise failure from (None if failure is error else error)

    @by_rules
    def possible_moves(self, player: int) -> Sequence[Move]:
        """What a player can physically do now, laws aside; on honour also out of turn, with wrong or missing words."""
        if self.over or type(player) is not int or not 0 <= player < self.program.n:
            return Moves([])
        found = self._open(player, everything=True)
        parts: list[Sequence[Move]] = [self._moves(player, action, False) for action, _ in found]
        if self.program.honor and self.phase_kind() == "race":
            parts = [honour.without_refused(self, player, part) for part in parts]
        if self.program.honor:
            parts = [honour.with_all_words(self, player, part) for part in parts]
            parts.append(honour.claim_moves(self, player))
        return Moves(parts)

    def _check_player(self, player: int) -> None:
        if type(player) is not int or not 0 <= player < self.program.n:
            raise IllegalMove("no_such_player", f"there is no player {player}; players are 0 to {self.program.n - 1}")

    def parse(self, player: int, text: str) -> Move:
        """The move that a text means; IllegalMove if it means none."""
        if self.over:
            raise IllegalMove("over", "the match is over")
        self._check_player(player)
        self.spent = 0
        if not isinstance(text, str):
            raise IllegalMove("no_such_move", f"{text!r} is not the text of a move")
        check_text(text)
        tokens, words = split_words(text)
        if not tokens:
            raise IllegalMove("no_such_move", "a move is an action and what it is about, such as 'play 7C'")
        action = self._find(player, tokens[0])
        if action is None or (tokens == [honour.DECLINE] and self.phase_kind() == "claims"):
            check_said(words or "")
            silent = words is None and len(tokens) > 1 and tokens[-1] == SILENT
            return honour.parse_claim(self, player, tokens[:-1] if silent else tokens, words)
        args, words, silent = read_args(self, player, action, text)
        if words is not None:
            check_said(words)
        if action.renamed and (words is not None or silent):
            args = hear(self, player, action, args, words or "")
        if action.placed:
            args = naming.with_places(self, player, action, args)
        return build(self, player, action, args).saying(words)
