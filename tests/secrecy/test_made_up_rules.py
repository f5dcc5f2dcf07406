"""In rulesets that are made at random (`made_up_rules`) the same match is played twice, once with something else where
somebody cannot know it. That somebody reads the same, is offered, refused and answered the same, and bots do the same.

Either two cards are exchanged that a reader has never read of; or chance draws another card, or somebody else chooses
another, and a reader reads the same of it."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from made_up_rules import rules

import interpreter
from interpreter.api.game import Game, State
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.made_again import History, outcomes_by_place
from interpreter.interfaces.host.not_made import Refusal
from interpreter.players.determinization import Worlds
from interpreter.players.open_course import knows_course
from interpreter.players.random_bot import RandomBot, measured

NAMES = ["Anna", "Ben", "Cleo"]
TELLING = {"W603", "W604", "W608"}
"""What warns that the rules themselves tell something."""
PARTS, RULESETS = 4, 20
MOVES, EXCHANGES, TURNS = 6, 2, 3
"""How long a match is, and how often it is played with other cards, and otherwise."""
Outcomes = list[tuple[str, Any]]


class Told(HostedMatch):
    """A match that draws nothing of its own, and numbers what is asked as another does."""

    def __init__(self, game: Game, chance: dict[str, list[Any]] | None = None) -> None:
        super().__init__(game, NAMES[: game.players], History(chance=copy.deepcopy(chance or {})))
        self._numbers = [0] * game.players
        for reader in (*range(game.players), None):
            self.welcome(reader)

    def _measures(self, seat: int, move: Any) -> dict[str, int]:
        return {name: low for name, (low, _) in measured(self.state, seat, move).items()}

    def goes_on(self, seat: int, move: str, came: Outcomes) -> dict[int | None, Any] | None:
        """Make a move by which chance gives just that; the news by reader, None where that cannot be."""
        waiting: Any = self.state.position.chance
        for place, outcome in came:
            waiting.setdefault(place, []).append(copy.deepcopy(outcome))
            waiting.came.outcomes(place).append(copy.deepcopy(outcome))
        try:
            return dict(self.play(seat, move, None, None).news)
        except (Refusal, interpreter.RuleError):
            return None


class Made(NamedTuple):
    """A move of a match: others that might have been made instead, what chance gave, and what else it might have."""

    seat: int
    move: str
    others: list[str]
    came: Outcomes
    instead: list[list[str]]


class Match(NamedTuple):
    game: Game
    begins: dict[str, list[Any]]
    moves: list[Made]


def matches(part: int, folder: Path) -> Iterator[tuple[Match, random.Random]]:
    """Matches by made-up rules; each tenth ruleset or so tells something itself, or cannot be used."""
    for seed in range(part, RULESETS * PARTS, PARTS):
        path, dice = folder / f"made-up-{seed}.yaml", random.Random(seed)
        path.write_text(rules(seed), encoding="utf-8")
        try:
            ruleset = interpreter.load(path)
        except interpreter.RulesetError:
            continue
        if TELLING.isdisjoint(warning.code for warning in ruleset.warnings):
            match = played(ruleset.game(enforcement=dice.choice(["strict", "honor"])), dice)
            if match is not None:
                yield match, dice


def played(game: Game, dice: random.Random) -> Match | None:
    try:
        match = Told(game)
    except interpreter.RuleError:
        return None
    begins = {place: list(outcomes) for place, outcomes in outcomes_by_place(match.state)}
    match.begun()  # so that what chance has given before the first move is not told with it
    moves: list[Made] = []
    for _ in range(MOVES):
        if match.state.over:
            break
        seat = dice.choice(match.state.actors)
        try:
            lawful = match.state.legal_moves(seat)
        except interpreter.RuleError:
            break
        if not lawful:
            break
        move, *others = (str(lawful[dice.randrange(len(lawful))]) for _ in range(5))
        lying = [[match.game.program.cards[card] for card in as_tuple(kept)] for kept in match.state.position.z]
        try:
            came = list(match.play(seat, move, None, None).made.chance)
        except (Refusal, interpreter.RuleError):
            continue
        alike = [one for one in others if one != move and one.split()[0] == move.split()[0]]
        moves.append(Made(seat, move, alike, came, [_instead(outcome, lying, dice) for _, outcome in came]))
    return Match(game, begins, moves) if moves else None


def _instead(outcome: Any, lying: list[list[str]], dice: random.Random) -> Any:
    """Another order, or the cards that lie where the one that was drawn lay."""
    if isinstance(outcome, str):
        return [card for place in lying if outcome in place for card in place if card != outcome]
    other = list(outcome)
    if len(other) > 1:
        one, two = dice.sample(range(len(other)), 2)
        other[one], other[two] = other[two], other[one]
    return [other]


def exchanged(value: Any, one: str, two: str) -> Any:
    """A text, or texts in lists and mappings, with two cards exchanged."""
    if isinstance(value, str):
        return re.sub(r"\w+", lambda word: {one: two, two: one}.get(word[0], word[0]), value)
    if isinstance(value, dict):
        return {key: exchanged(part, one, two) for key, part in value.items()}
    return [exchanged(part, one, two) for part in value]


def reads_of(state: State, reader: int | None, since: int = 0) -> str:
    """What the engine shows of a match, and tells of what has happened since; who watches is told what all are."""
    seats = range(state.game.players) if reader is None else [reader]
    return repr([(state.view(seat), [event.text(seat) for event in (state.log or [])[since:]]) for seat in seats])


def has_read(match: Told, reader: int | None, cards: tuple[str, str]) -> bool:
    words = [set(re.findall(r"\w+", reads_of(match.state, seat))) for seat in range(match.game.players)]
    return all(seen & {*cards} for seen in (words if reader is None else [words[reader]]))


def learnt(match: Told, reader: int | None, typed: list[str]) -> Iterator[tuple[str, object]]:
    """All that a reader can get to know of how a match stands."""
    yield "what is sent", msgspec.json.encode(match.welcome(reader))
    yield "the scores", match.sheet(reader)
    if reader is None:
        return
    yield "the view", match.state.view(reader)
    for text in typed:
        yield f"what is answered to '{text}'", answered(match, reader, text)
    made = len(match.state.position.record_moves)
    for stay in range(max(0, made - 3), made):
        yield f"what is answered to taking back all but {stay}", taken_back(match.state, reader, stay)
        yield f"who has seen cards behind {stay}", seen_by(match, stay)
    if not match.state.over:
        yield "what a bot does", done_by_bots(match.state.copy(), reader)


def done_by_bots(state: State, seat: int) -> object:
    """What a bot chooses, and at which table it imagines that it sits."""
    try:
        move = RandomBot(5).choose(state, seat)
        world = Worlds(state, seat).world(Dice(5)).position if knows_course(state) else None
    except interpreter.RuleError as error:
        return error.message
    return None if move is None else (str(move), move.words), None if world is None else (world.z, world.v)


def answered(match: Told, seat: int, text: str) -> str:
    try:
        match.state.copy().play(seat, text)
    except interpreter.IllegalMove as refused:
        return match.voice.refusal(seat, refused)
    except interpreter.RuleError:
        return "it cannot be carried out"
    return "it can be done"


def taken_back(state: State, seat: int, stay: int) -> str:
    other = state.copy()
    try:
        other.undo(7, stay, None)
    except (ValueError, interpreter.RuleError) as why:
        return str(why)
    return "" if len(other.position.record_moves) == stay else "it is not"


def seen_by(match: Told, stay: int) -> object:
    try:
        return match.revealed(stay, range(match.game.players))
    except Refusal as refused:
        return str(refused)


def typed_texts(game: Game, dice: random.Random, *cards: str) -> list[str]:
    known = [*cards, *dice.sample(sorted(set(game.program.cards)), 2)]
    things = ["", "1", "1 2", "P2", "none", *known, f"{known[0]} {known[-1]}", f"{known[0]} P2", f"{known[0]}@pile"]
    return [f"{action} {thing}".strip() for action in ("aa", "bb", "cc", "dd") for thing in dice.sample(things, 6)]


def compare(first: Told, second: Told, readers: list[int | None], dice: random.Random, *cards: str) -> str:
    """What tells some readers two matches apart; nothing if nothing does."""
    typed = typed_texts(first.game, dice, *cards)
    for reader in readers:
        for (what, one), (_, other) in zip(learnt(first, reader, typed), learnt(second, reader, typed), strict=True):
            if one != other:
                return f"{what} tells {reader}: {one!r}, {other!r}"
    return ""


@pytest.mark.parametrize("part", range(PARTS))
def test_whichever_cards_lie_where_a_reader_cannot_know_it_nothing_tells(part: int, tmp_path: Path) -> None:
    compared = 0
    for (game, begins, moves), dice in matches(part, tmp_path):
        for _ in range(EXCHANGES):
            cards = tuple(dice.sample(sorted(set(game.program.cards)), 2))
            first, second = Told(game, begins), Told(game, exchanged(begins, *cards))
            readers: list[int | None] = [*range(game.players), None]
            for seat, move, _, came, _ in moves:
                news = first.goes_on(seat, move, came)
                others = second.goes_on(seat, exchanged(move, *cards), list(map(tuple, exchanged(came, *cards))))
                readers = [r for r in readers if not any(has_read(match, r, cards) for match in (first, second))]
                if news is None or others is None or not readers:
                    break  # or else who makes it knows the cards
                where = f"{game.ruleset.files[0]}: {move} by P{seat + 1}, {cards} exchanged"
                for reader in readers:
                    assert msgspec.json.encode(news.get(reader)) == msgspec.json.encode(others.get(reader)), where
                assert not (wrong := compare(first, second, readers, dice, *cards)), f"{where}: {wrong}"
                compared += 1
    assert compared > 100


@pytest.mark.parametrize("part", range(PARTS))
def test_what_chance_or_others_did_unseen_is_told_by_no_answer(part: int, tmp_path: Path) -> None:
    compared = 0
    for (game, begins, moves), dice in matches(part, tmp_path):
        turns = [
            *((at, None, other) for at, made in enumerate(moves) for other in made.others),
            *((at, number, other) for at, made in enumerate(moves) for number, rest in enumerate(made.instead)
              for other in rest[:3]),
        ]  # fmt: skip
        for turn, number, instead in dice.sample(turns, min(TURNS, len(turns))):
            first, second = Told(game, begins), Told(game, begins)
            readers: list[int | None] = [
                r for r in (*range(game.players), None) if number is not None or r != moves[turn].seat
            ]
            for at, (seat, move, _, came, _) in enumerate(moves):
                since = len(first.state.log or ()), len(second.state.log or ())
                other, gave = move, list(came)
                if at == turn and number is None:
                    other = instead
                elif at == turn:
                    gave[number] = (came[number][0], instead)
                news, others = first.goes_on(seat, move, came), second.goes_on(seat, other, gave)
                if news is None or others is None or first.state.actors != second.state.actors:
                    break
                readers = [
                    r for r in readers if reads_of(first.state, r, since[0]) == reads_of(second.state, r, since[1])
                ]
                where = f"{game.ruleset.files[0]}: {moves[turn]}, {instead} instead; {move} by P{seat + 1}"
                for reader in readers if at >= turn else ():
                    assert msgspec.json.encode(news.get(reader)) == msgspec.json.encode(others.get(reader)), where
                if at >= turn:
                    assert not (wrong := compare(first, second, readers, dice)), f"{where}: {wrong}"
                    compared += len(readers)
    assert compared > 50
