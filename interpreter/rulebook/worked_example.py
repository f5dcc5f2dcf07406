"""A trick or a turn of a match that was played by chance: the first of those that show most laws at work."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from interpreter.api.game import Game, State
from interpreter.base.signs import ToldError
from interpreter.engine.chance import Dice
from interpreter.engine.legal import listable_moves
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import Item, Section
from interpreter.rulebook.seats import names
from interpreter.words.acts import Acts
from interpreter.words.drawing import tops
from interpreter.words.filling import filled, of_move
from interpreter.words.people import Reader, listed, number_word
from interpreter.words.voice import Voice

SEED = 1
DECISIONS = 160
"""So far into a match an example is looked for."""
ENOUGH = 3
"""With so many laws at work in one trick or turn no other is looked for."""
LOOKED_AT = 60
"""Of more moves than this that somebody could make the rest is not looked at."""
COPIES = 20
"""What a decision takes for each place and variable: it is copied, and seen again and again while it is told."""
SPENT = 10_000_000
"""So many steps the matches may take together; where they take more there is no example."""
SECONDS = 2.0
"""Of the processor that an example may take: what takes few steps is not counted, but asked thousands of times."""
ALLOWED, REFUSED, PLACED = 8, 4, 1
"""So many moves are named, of those that are lawful, of those that one law refuses, and where places are told."""
CHOICES, REASONS = 2, 4
"""So many choices are told with what is refused, each with so many reasons."""
MOVES = 12
"""So many moves are told, or as many as there are players."""
KINDS = ("trick", "turn", "race", "simultaneous", "ask")
"""Of what an example is best."""


@dataclass
class _Part:
    """A trick, or a turn: what was done in it, and for whom which laws refused something."""

    key: tuple[object, ...]
    kind: str
    begin: State
    moves: list[tuple[int, Move]] = field(default_factory=list)
    refusing: dict[int, set[str]] = field(default_factory=dict)

    @property
    def worth(self) -> tuple[int, int]:
        return max(map(len, self.refusing.values()), default=0), -KINDS.index(self.kind)


class _TooLong(Exception):
    """Of rules that take so long there is no example."""


def worked_example(game: Game) -> Section | None:
    """An example of play, told to one of those who play; None where there is none that could be told."""
    if game.enforcement != "strict":
        game = game.ruleset.game(game.players, game.options, enforcement="strict")
    until = time.thread_time() + SECONDS
    try:
        best = _best(game, until)
        return None if best is None else _told(best, until)
    except (RuleError, ToldError, ValueError, _TooLong):  # rules that cannot go on have no example
        return None


def _best(game: Game, until: float) -> _Part | None:
    state, dice, spent = game.start(seed=SEED), Dice(SEED), 0
    size = len(state.position.z) + len(state.position.v)
    best: _Part | None = None
    part: _Part | None = None
    for _ in range(DECISIONS):
        kind = kind_of_phase(state.position)
        if state.over or kind not in KINDS:
            break
        actors = state.actors
        if not actors:  # a race in which nobody can do anything has no good example
            break
        player = actors[0] if kind != "race" else actors[dice.below(len(actors))]
        key = _key(state, player, kind)
        if part is None or part.key != key:
            best = _better(best, part)
            if best is not None and best.worth >= (ENOUGH, 0):
                return best
            part = _Part(key, kind, state.copy())
        refused = {refusal.law for _, refusal in _refusals(state, player, until)}
        part.refusing.setdefault(player, set()).update(refused)
        spent += state.position.spent + size * COPIES
        offered = state.legal_moves(player)
        if not offered:  # rules that leave somebody without a move have no good example
            break
        move = offered[dice.below(len(offered))]
        part.moves.append((player, move))
        state.play(player, move)
        spent += state.position.spent
        if spent > SPENT:
            return None
    return _better(best, part)


def _key(state: State, player: int, kind: str) -> tuple[object, ...]:
    """What tells one trick or turn from another."""
    s = state.position
    if kind == "trick":
        return state.phase, s.trick_number, s.dealer
    return state.phase, player, None if kind == "turn" else len(state.log or ())


def _better(best: _Part | None, part: _Part | None) -> _Part | None:
    if part is None or not part.moves:  # nobody could do anything
        return best
    return part if best is None or part.worth > best.worth else best


def _refusals(state: State, player: int, until: float) -> Iterator[tuple[Move, IllegalMove]]:
    """Moves that a player could make and that a law refuses, each with its refusal. Raises _TooLong."""
    lawful, tried = state.legal_moves(player), state.copy()
    for move in islice(listable_moves(state.position, player), LOOKED_AT):
        if time.thread_time() > until:
            raise _TooLong
        if move not in lawful:
            try:
                tried.play(player, move)
            except IllegalMove as refusal:  # which leaves a match as it was
                yield move, refusal
            else:
                tried = state.copy()


# ---- telling ------------------------------------------------------------------------------------------------


def _told(part: _Part, until: float) -> Section:
    state = part.begin.copy()
    you = max(part.refusing, key=lambda player: (len(part.refusing[player]), -player))
    order = list(state.position.order())
    called = names(len(order))
    people = [called[(order.index(p) - order.index(you)) % len(order)] for p in range(len(order))]
    voice = Voice(state.position, people)
    acts, reader = Acts(state.position.program), voice.reader(you)
    told = [*_table(state, you, reader)]
    done: list[str] = []
    choices = 0
    for player, move in part.moves[: max(MOVES, len(order))]:
        if player == you and choices == CHOICES and part.kind != "trick":
            break
        choice = _choice(state, you, acts, voice, until) if player == you and choices < CHOICES else None
        if choice is not None:
            told += [*([Item(" ".join(done))] if done else ()), choice]
            done = []
            choices += 1
        done += [line.text for line in voice.told(you, state.play(player, move))]
    told.append(Item(" ".join(done)))
    return Section("An example", tuple(item for item in told if item.text))


def _table(state: State, you: int, reader: Reader) -> Iterator[Item]:
    """What you hold, and what lies open for all."""
    s = state.position
    zones = s.program.zones
    view = state.view(you)
    held = [zone.name for zone in zones if list(zone.dims) == ["player"] and not zone.shows_top]
    own = [card for name in held for card in _held(view["zones"][name], you)]
    if own:
        yield Item(f"You hold {listed([reader.shown(card) for card in _sorted(own, s.program.cards)])}.")
    open_cards = []
    for zone in zones:
        place = view["zones"].get(zone.name)
        cards = place.get("cards") if isinstance(place, dict) and not zone.dims else None
        if cards and cards[0] is not None and not view["trick"]:
            open_cards.append(reader.shown(cards[0]))
    if open_cards:
        yield Item(f"{listed(open_cards)} {'lies' if len(open_cards) == 1 else 'lie'} on the table, face up.")
    for name in s.program.always_shown:
        value = view["values"].get(name)
        if isinstance(value, str) and value in s.program.suits:
            yield Item(f"{g.title(name)}: {value}.")


def _held(zone: object, you: int) -> list[str]:
    place = zone.get(f"P{you + 1}") if isinstance(zone, dict) else None
    cards = place.get("cards") if isinstance(place, dict) else None
    return [card for card in cards or () if isinstance(card, str)]


def _sorted(cards: Iterable[str], pack: Sequence[str]) -> list[str]:
    at = {card: number for number, card in enumerate(pack)}
    return sorted(cards, key=lambda card: at.get(card, len(at)))


def _choice(state: State, you: int, acts: Acts, voice: Voice, until: float) -> Item | None:
    """What you may do, and what not, with the reason; None if everything is lawful. Raises _TooLong."""
    refused: dict[str, list[Move]] = {}
    for move, refusal in _refusals(state, you, until):
        refused.setdefault(voice.refusal(you, refusal), []).append(move)
    if not refused:
        return None
    named = partial(_named, acts=acts, voice=voice, you=you, tops=tops(state.view(you)))
    lawful = named(list(islice(state.legal_moves(you), LOOKED_AT)), ALLOWED)
    below = tuple(
        Item(f"You may not {named(moves, REFUSED)}. {_reason(why)}") for why, moves in islice(refused.items(), REASONS)
    )
    turn = "" if kind_of_phase(state.position) in ("race", "simultaneous") else "It is your turn. "
    return Item(f"{turn}You may {lawful}.", below=below)


def _reason(why: str) -> str:
    """A refusal without the cards that would do, which have just been told."""
    head, _, cards = why.partition(": ")
    return f"{head}." if cards and any(sign in cards for sign in "♣♦♥♠") else why


def _named(moves: Sequence[Move], most: int, *, acts: Acts, voice: Voice, you: int, tops: Mapping[str, str]) -> str:
    """Some moves in a row: `play 4♣ or 8♣`, `pass, or bid (2)`. tops: what is seen on top, by place."""
    reader = voice.reader(you)
    by_action: dict[str, list[str]] = {}
    for move in moves:
        action, _, rest = str(move).partition(" ")
        by_action.setdefault(action, []).append(rest)
    told: list[str] = []
    for action, rests in by_action.items():
        shown = list(dict.fromkeys(rests))
        cards_alone = all(rest and acts.chosen(action, rest).cards == rest.split() for rest in shown[:most])
        some = shown[: most if cards_alone else PLACED]
        left = len(shown) - len(some)
        if cards_alone:
            cards = [listed([reader.shown(card) for card in rest.split()]) for rest in some]
            if left:
                cards.append("another" if left == 1 else f"{number_word(left)} others")
            told.append(f"{action.replace('_', ' ')} {listed(cards, 'or')}")
        else:
            said = [_said(action, rest, acts, voice, you, tops) for rest in some]
            more = f" (or {number_word(left)} other such move{'' if left == 1 else 's'})" if left else ""
            told.append(listed([text.removeprefix("you: ").removeprefix("you ") for text in said], "or") + more)
    return ", or ".join(told)


def _said(action: str, rest: str, acts: Acts, voice: Voice, you: int, tops: Mapping[str, str]) -> str:
    """One move as the ruleset tells it, or else by its name; of places with what is seen there."""
    chosen, reader = acts.chosen(action, rest), voice.reader(you)
    if own := filled(acts.tell(action, chosen), of_move(acts, reader, you, chosen, None)):
        return own
    text = f"{action} {rest}".strip()
    return voice.in_words(you, Move(action, (), text), tops) if chosen.places else acts.sentence(reader, you, text)
