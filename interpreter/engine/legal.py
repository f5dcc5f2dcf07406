"""Which moves are open to whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations
from typing import Any

from interpreter.engine import naming
from interpreter.engine.available import may_move, open_actions
from interpreter.engine.budget import charge
from interpreter.engine.claims import claim_moves, declining
from interpreter.engine.failures import by_rules, rule_error
from interpreter.engine.moves import Choices, Move, Moves, Offered
from interpreter.engine.notation import NOTHING, build, in_order, written
from interpreter.engine.packets import bits, names_of
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, Program, StageCode
from interpreter.engine.rule_errors import TooMany, TooMuch, too_many
from interpreter.engine.saying import with_all_words, with_words, without_refused
from interpreter.engine.standing import kind_of_phase

MOST_CHOICES = 10**18
"""How many choices of cards there can be that are not listed until somebody looks at them."""
MOST_KEPT = 50_000
"""How many moves all actions of a game keep together, each its share."""
NO_MOVES: tuple[Move, ...] = ()


def actors(s: Position) -> list[int]:
    """The players the match waits for, in seat order; empty exactly when it is over.

    A player is no actor because an action is open to all at any time, so the list betrays nothing; only a race in
    which nobody has a move waits for those who can do something else.
    """
    if s.over:
        return []
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    if stage.kind in ("turn", "trick"):
        return [s.current]
    if stage.kind == "race":
        return _racers(s, stage)
    if s.seats:
        return [p for p in s.seats if frame.pending >> p & 1]
    return list(bits(frame.pending))


@by_rules
def waited_for(s: Position) -> list[int]:
    """The actors, as far as that is no secret: who can move in a race tells of hands, so all taking part are named."""
    if kind_of_phase(s) != "race":
        return actors(s)
    return list(s.program.stages[s.stack[-1].stage].players(s))


@by_rules
def _racers(s: Position, stage: StageCode) -> list[int]:
    """Who can move in a race."""
    actions, players = [a for a in stage.actions if not a.talk], list(stage.players(s))
    if players and any(a.alike and has_move(s, players[0], a) for a in actions):
        return players
    found = [p for p in players if any(has_move(s, p, a) for a in actions)]
    return found or _bystanders(s, stage) or players


def _bystanders(s: Position, stage: StageCode) -> list[int]:
    """Players who can act in a race although it offers them nothing: by what is open at any time."""
    found = []
    for player in range(s.program.n):
        others = [a for a, _ in open_actions(s, player) if a not in stage.actions and not a.talk]
        if any(has_move(s, player, a) for a in others):
            found.append(player)
    return found


def legal_moves(s: Position, player: int) -> Sequence[Move]:
    """The moves of a player that break no law, in a stable order; a snapshot. On honour, with the right words."""
    s.spent = 0
    try:
        if s.over:
            return Moves([])
        stage = s.program.stages[s.stack[-1].stage]
        action = stage.plain_play
        if action is not None and player is s.current:  # `True` is no player, though it equals one
            mask = action.legal(s, player)
            s.offered = (s.tick, player, mask)
            return _card_moves(s, player, action, mask)
        if type(player) is not int or not 0 <= player < s.program.n:
            return Moves([])
        if action is not None:
            return ()
        if stage.only is not None and not s.program.honor:  # one action and nothing open at any time
            waits = may_move(s, player, s.stack[-1], stage)
            found = (moves_of(s, player, stage.only, True) if waits else None) or Moves([])
            s.offered = (s.tick, player, [found])
            return found
        parts = [part for action in _open_by_law(s, player, stage) if (part := moves_of(s, player, action, True))]
        if s.program.honor:
            parts = [with_words(s, player, part) for part in parts]
            if stage.kind == "claims":  # claims themselves are left out, as talk is: nobody makes them at random
                parts.append(declining(s, player))
        else:
            s.offered = (s.tick, player, parts)
        if len(parts) == 1:
            return parts[0]
        if any([type(part) not in (list, tuple) for part in parts]):
            return together(parts)
        return [move for part in parts for move in part]
    except Exception as error:
        failure = rule_error(s.program, error)
        raise failure from (None if failure is error else error)


def together(parts: Sequence[Sequence[Move]]) -> Moves:
    """The moves of several actions. Raises TooMany where all of them are more than those of one may be."""
    most = max(parts, key=len, default=NO_MOVES)
    if len(parts) * len(most) > MOST_CHOICES and sum(map(len, parts)) > MOST_CHOICES:
        maker = most[0].maker
        message = f"there are more than {MOST_CHOICES:,} moves here, and they cannot be listed"
        raise TooMany(message, maker.span if isinstance(maker, ActionCode) else None)
    return Moves(parts)


def listable(parts: Sequence[Sequence[Move]]) -> Moves:
    """The moves of several actions, without those of the largest while all of them are more than can be listed."""
    found = list(parts)
    while found:
        with suppress(TooMany):
            return together(found)
        del found[max(range(len(found)), key=lambda at: len(found[at]))]
    return Moves(())


def _open_by_law(s: Position, player: int, stage: StageCode) -> Sequence[ActionCode]:
    """The actions whose lawful moves are open to a player, in the order of these."""
    if stage.plain and not stage.anytime:
        return stage.within if may_move(s, player, s.stack[-1], stage) else ()
    return [action for action, _ in open_actions(s, player) if not action.talk]


def draw_move(s: Position, player: int, below: Callable[[int], int]) -> Move | None:
    """One of `legal_moves`, whose number is drawn: what `below` makes of how many there are, if there are several.

    None if there are none. What is counted is not listed, and made only if it is drawn.
    """
    s.spent = 0
    stage, honor = s.program.stages[s.stack[-1].stage], s.program.honor
    offers: list[tuple[ActionCode | None, Sequence[Move], int]] = []
    for action in _open_by_law(s, player, stage):
        if action.count is not None and action.listed_alike:
            offers.append((action, NO_MOVES, action.count(s, player)))
            continue
        part = moves_of(s, player, action, True)
        if honor:
            part = with_words(s, player, part)
        offers.append((None, part, len(part)))
    if honor and stage.kind == "claims":
        part = declining(s, player)
        offers.append((None, part, len(part)))
    total = sum([number for _, _, number in offers])
    if not total:
        return None
    at = below(total) if total > 1 else 0
    drawn = 0
    while at >= offers[drawn][2]:
        at -= offers[drawn][2]
        drawn += 1
    counted, part, _ = offers[drawn]
    if counted is None or counted.nth is None:
        return part[at]
    s.spent = 0  # it goes once more through what it has been through
    part = _moves_with(s, player, counted, [counted.nth(s, player, at)], True)
    return (with_words(s, player, part) if honor else part)[0]


@by_rules
def possible_moves(s: Position, player: int) -> Sequence[Move]:
    """What a player can physically do now, laws aside; on honour also out of turn, with wrong or missing words."""
    return together([*(_possible_of(s, player, action) for action in _open_at_all(s, player)), _claiming(s, player)])


@by_rules
def listable_moves(s: Position, player: int) -> Moves:
    """`possible_moves` without those of actions that have more than can be listed."""
    parts: list[Sequence[Move]] = []
    for action in _open_at_all(s, player):
        with suppress(TooMuch):
            parts.append(_possible_of(s, player, action))
    return listable([*parts, _claiming(s, player)])


@by_rules
def possible_actions(s: Position, player: int) -> list[str]:
    """What a player can physically do now, by name; also what has more moves than can be listed, and talk."""
    found = {move.action for move in _claiming(s, player)}
    for action in _open_at_all(s, player):
        try:
            if action.talk or (_possible_of(s, player, action) if s.program.honor else _is_possible(s, player, action)):
                found.add(action.name)
        except TooMuch:
            found.add(action.name)
    return sorted(found)


def _open_at_all(s: Position, player: int) -> list[ActionCode]:
    """The actions that are open to a player; on honour also out of turn."""
    if s.over or not _is_player(s, player):
        return []
    return [action for action, _ in open_actions(s, player, everything=True)]


def _claiming(s: Position, player: int) -> list[Move]:
    return claim_moves(s, player) if s.program.honor and _is_player(s, player) else []


def _is_player(s: Position, player: int) -> bool:
    return type(player) is int and 0 <= player < s.program.n


def _possible_of(s: Position, player: int, action: ActionCode) -> Sequence[Move]:
    """What a player can physically do of an action."""
    found = moves_of(s, player, action, False)
    if not s.program.honor:
        return found
    if kind_of_phase(s) == "race":
        found = without_refused(s, player, found)
    return with_all_words(s, player, found)


def _is_possible(s: Position, player: int, action: ActionCode) -> bool:
    """Whether an action offers a player anything, laws aside."""
    if action.shape == "cards":
        return len(moves_of(s, player, action, False)) > 0
    return bool(action.possible(s, player))


def has_move(s: Position, player: int, action: ActionCode) -> bool:
    """Whether an action offers a player anything that no law forbids."""
    if action.shape == "cards":
        return len(moves_of(s, player, action, True)) > 0
    return bool(action.any(s, player))


def moves_of(s: Position, player: int, action: ActionCode, lawful: bool) -> Sequence[Move]:
    """The moves that an action offers a player: those that break no law, or all that are possible."""
    offered = (action.legal if lawful else action.possible)(s, player)
    if not offered:
        return NO_MOVES
    match action.shape:
        case "card":
            if s.program.multi:
                return [interned(s, player, action, (c,)) for c in _faces(s, offered)]
            return _card_moves(s, player, action, offered)
        case "none":
            return [action.interned.get(()) or interned(s, player, action, ())]
        case "cards":
            mask, low, high = offered
            return _choices(s, player, action, mask, low, high, lawful)
    return _moves_with(s, player, action, offered, lawful)


def listable_of(s: Position, player: int, action: ActionCode, lawful: bool) -> Sequence[Move]:
    """The moves that an action offers a player; none where they are more than can be listed."""
    with suppress(TooMuch):
        return moves_of(s, player, action, lawful)
    return NO_MOVES


def _moves_with(
    s: Position, player: int, action: ActionCode, offered: Sequence[tuple[Any, ...]], lawful: bool
) -> Sequence[Move]:
    """The moves of an action with some arguments that it offers."""
    if action.renamed and not (lawful and action.steady):
        return naming.moves(s, player, action, offered, lawful)
    if action.apart:
        return Offered(offered, partial(interned, s, player, action))
    if action.renamed:  # moves of the same name are one move
        known = action.interned.get
        return list({(m := known(args) or _made(s, player, action, args)).text: m for args in offered}.values())
    if action.row is not None and not action.steady:
        return [build(s, player, action, args) for args in offered]
    known = action.interned.get
    return [known(args) or _made(s, player, action, args) for args in offered]


def _card_moves(s: Position, player: int, action: ActionCode, mask: int) -> Sequence[Move]:
    """The moves of the cards of a set; those of each run of 8 cards are looked up once they are known."""
    known = action.known_moves
    try:  # mostly they are all known, and of one pack
        a, b, c, d, e, f, g, h = mask.to_bytes(8, "little")
        one, two, three, four, five, six, seven, eight = known
        return (*one[a], *two[b], *three[c], *four[d], *five[e], *six[f], *seven[g], *eight[h])  # type: ignore[misc]
    except (TypeError, ValueError, OverflowError):
        pass
    found: tuple[Move, ...] = ()
    for at, part in enumerate(mask.to_bytes(max(8, mask.bit_length() + 7 >> 3), "little")):
        if at >= len(known):
            known.append([(), *[None] * 255])
        moves = known[at][part]
        if moves is None:
            moves = known[at][part] = tuple([interned(s, player, action, (8 * at + card,)) for card in bits(part)])
        found += moves
    return found


def interned(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> Move:
    """The move with these arguments, which is made once."""
    return action.interned.get(args) or _made(s, player, action, args)


def _made(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> Move:
    """The move with arguments of which it is not known yet."""
    named = naming.named_args(s, player, action, args) if action.renamed else args
    move = build(s, player, action, named)
    move.news = [None] * s.program.n
    if (action.steady or action.row is None) and len(action.interned) < action.keeps:
        action.interned[args] = move
    return move


def _faces(s: Position, mask: int) -> Sequence[int]:
    """Cards of a set, equal ones once."""
    return tuple(sorted({s.program.first_copy[c] for c in bits(mask)}))


def chooser(program: Program, action: ActionCode) -> Callable[[tuple[int, ...], int, int], Choices]:
    """What makes the moves that choose several cards, laws aside: (cards, how many at least, at most) -> the moves."""
    names, name, multi = program.cards, action.name, program.multi

    def make(cards: tuple[int, ...]) -> Move:
        if multi:
            cards = in_order(program, cards)
        return Move(name, (cards,), written(name, names_of(names, cards) or (NOTHING,)), None, action)

    return lambda cards, low, high: Choices(cards, low, high, make, action)


def _choices(
    s: Position, player: int, action: ActionCode, mask: int, low: int, high: int, lawful: bool
) -> Sequence[Move]:
    choices = chooser(s.program, action)(bits(mask), low, high)
    tried = s.program.multi or (lawful and action.joint)
    most = action.most if tried or s.program.honor else MOST_CHOICES
    if choices.number > most:
        raise too_many(action.name, most, action.span)
    if not tried:
        return choices
    charge(s, choices.number * action.each)
    found: dict[str, Move] = {}
    for size in choices.sizes:
        for chosen in combinations(choices.cards, size):
            if lawful and action.joint and action.broken(s, player, chosen):
                continue
            move = choices.of(chosen)
            found.setdefault(move.text, move)
    return list(found.values())


def was_offered(s: Position, player: int, move: Move) -> bool:
    """Whether a move is one of those that were offered to the player last, with nothing done since."""
    tick, offered_to, parts = s.offered
    if tick != s.tick or offered_to != player or isinstance(parts, int):
        return False
    maker = move.maker
    for part in parts:
        if type(part) is Offered or type(part) is Choices:
            if part.place_of(move) is not None:
                return True
        elif part and type(part) in (list, tuple) and part[0].maker is maker:
            for offered in part:
                if offered is move:
                    return True
    return False
