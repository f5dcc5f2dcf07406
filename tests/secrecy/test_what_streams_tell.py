"""What a stream may tell: cards that its reader cannot know are exchanged, and the stream stays as it is to the letter,
until the rules show one of them. In all shipped games, strict and on honour, for seats and for who watches, whoever
stays and whoever comes back."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from fuzz.secrets import exchanged, eyes_of, is_settled, seen_cards
from walks import SHIPPED

import interpreter
from interpreter.api.game import State
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.kept_sheets import KeptSheets
from interpreter.interfaces.host.made_again import outcomes_by_place
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.scene import Scenes
from interpreter.players.random_bot import measured
from interpreter.words.voice import Voice

NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fanny", "Gus", "Hanna", "Ida", "Jan", "Kai", "Lea", "Max"]
MOVES = 16
"""That are made with two cards exchanged, at most."""
CASES = [
    (name, honor) for name in SHIPPED for honor in (False, True) if not honor or interpreter.load(name).model.honor
]


class Told(HostedMatch):
    """A match that draws nothing of its own, so that two of them differ in what is exchanged alone."""

    told_so_far = 0
    """Events that had happened before the last move."""

    def _measures(self, seat: int, move: Any) -> dict[str, int]:
        return {name: low for name, (low, _) in measured(self.state, seat, move).items()}


def as_it_is(match: HostedMatch, state: State, readers: list[int | None]) -> Told:
    """A match that stands as another one, but for its state, and of which everybody has been told as much."""
    found = Told(match.game, match.names)
    found.state = state
    found.voice = Voice(state.position, found.names)
    found._scenes, found._sheets = Scenes(state, found.voice), KeptSheets(state, found.voice)
    found._numbers, found._keys, found._undone = list(match._numbers), list(match._keys), match._undone
    found._plays = match._plays
    found._stored = {place: len(outcomes) for place, outcomes in outcomes_by_place(state)}
    found._pack()
    for reader in readers:
        found.welcome(reader)
    return found


def unknown(state: State, reader: int | None) -> list[int]:
    """The cards that a reader does not see; who watches sees what everybody does."""
    eyes, everybody = eyes_of(state), range(state.game.players)
    seen = [seen_cards(state, seat, eyes) for seat in (everybody if reader is None else [reader])]
    known = set.intersection(*seen)
    return [card for card in range(len(state.game.program.cards)) if card not in known]


def heard(match: Told, reader: int | None) -> list[str | None]:
    """What the rules tell a reader of the last move."""
    events = (match.state.log or [])[match.told_so_far :]
    if reader is not None:
        return [event.text(reader) for event in events]
    texts = [{event.text(seat) for seat in range(match.game.players)} for event in events]
    return [next(iter(text)) for text in texts if len(text) == 1]


def read(match: HostedMatch, reader: int | None, seat: int, move: str, clock: int) -> tuple[Any, bool]:
    """What a reader gets of a move, and whether chance has come about."""
    try:
        step = match.play(seat, move, None, clock)
    except Refusal as refusal:
        return ("refused", str(refusal) if seat == reader else ""), False
    news = dict(step.news).get(reader)
    return ("news", msgspec.json.encode(news)), bool(step.made.chance)


def compare(first: Told, second: Told, reader: int | None, cards: tuple[int, int], dice: random.Random) -> int:
    """Play on in both alike; how much was compared."""
    program, compared = first.game.program, 0
    names = {program.cards[card] for card in cards}
    assert msgspec.json.encode(first.welcome(reader)) == msgspec.json.encode(second.welcome(reader))
    for _ in range(MOVES):
        if first.state.over:
            break
        seat = dice.choice(first.state.actors)
        lawful = [str(move) for move in first.state.legal_moves(seat)[:60]]
        lawful = [move for move in lawful if not names & {word.split("@")[0] for word in move.split(" ")}]
        if not lawful:
            break
        for match in (first, second):
            match.told_so_far = len(match.state.log or ())
        move, clock = dice.choice(lawful), first.standing.clock + 500
        one, had_chance = read(first, reader, seat, move, clock)
        other, _ = read(second, reader, seat, move, clock)
        if had_chance or one[0] != other[0]:
            break  # the one is shuffled otherwise than the other; or a law looks at what is exchanged
        if not first.is_race and first.state.actors != second.state.actors:
            break  # whose turn it is tells what was drawn
        if heard(first, reader) != heard(second, reader):
            break  # the rules tell of it
        if any(card not in unknown(match.state, reader) for match in (first, second) for card in cards):
            break
        assert one == other, f"{reader} reads of {move} by {seat} with {sorted(names)} exchanged"
        again = [msgspec.json.encode(match.welcome(reader)) for match in (first, second)]
        assert again[0] == again[1], f"{reader} comes back after {move} by {seat} with {sorted(names)} exchanged"
        sheets = [match.sheet(reader) for match in (first, second)]
        assert sheets[0] == sheets[1]
        compared += 1
    return compared


def ask_for(first: Told, second: Told, reader: int, cards: tuple[int, int]) -> int:
    """Name cards that a reader does not see in moves of the reader's: the answers tell nothing of where they lie."""
    ask, compared = first.welcome(reader).ask, 0
    for act in ask["acts"] if ask else ():
        for card in cards:
            text = f"{act['name']} {first.game.program.cards[card]}"
            answers = [refused(match, reader, text) for match in (first, second)]
            assert answers[0] == answers[1], f"{reader} learns by '{text}' where a card lies"
            if not answers[0]:
                return compared
            compared += 1
    return compared


def refused(match: Told, seat: int, move: str) -> str:
    """Why a move is not made; nothing if it is."""
    try:
        match.play(seat, move, None, match.standing.clock + 500)
    except Refusal as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize(("name", "honor"), CASES, ids=[f"{name}-{'honour' if h else 'strict'}" for name, h in CASES])
def test_cards_that_a_reader_cannot_know_change_no_letter_of_a_stream(name: str, honor: bool) -> None:
    game = interpreter.load(name).game(enforcement="honor" if honor else "strict")
    dice, compared = random.Random(3), 0
    match = Told(game, NAMES[: game.players])
    match.begun()
    readers: list[int | None] = [0, game.players - 1, None]
    for made in range(40):
        if match.state.over:
            break
        if made % 5 == 0 and is_settled(match.state):
            for reader in readers:
                hidden = unknown(match.state, reader)
                one, two = dice.sample(hidden, 2) if len(hidden) > 1 else (0, 0)
                if game.program.cards[one] == game.program.cards[two]:
                    continue
                states = match.state.copy(), exchanged(match.state, one, two)
                first, second = (as_it_is(match, state.copy(), readers) for state in states)
                compared += compare(first, second, reader, (one, two), dice)
                if reader is not None:
                    first, second = (as_it_is(match, state, readers) for state in states)
                    compared += ask_for(first, second, reader, (one, two))
        seat = dice.choice(match.state.actors)
        lawful = match.state.legal_moves(seat)
        match.play(seat, str(lawful[dice.randrange(len(lawful))]), None, match.standing.clock + 500)
    assert compared > 0


@pytest.mark.parametrize("name", ["spit", "spit-five"])
def test_nobody_is_asked_anew_in_a_race_when_it_changes_who_can_move(name: str) -> None:
    dice, changed = random.Random(1), 0
    game = interpreter.load(name).game()
    for _ in range(4):
        match = HostedMatch(game, NAMES[: game.players])
        for seat in range(game.players):
            match.welcome(seat)
        for _ in range(60):
            before, was_race, numbers = list(match.state.actors), match.is_race, list(match._numbers)
            seat = dice.choice(before)
            lawful = match.state.legal_moves(seat)
            step = match.play(seat, str(lawful[dice.randrange(len(lawful))]), None, match.standing.clock + 500)
            if step.standing.over:
                break
            if was_race and match.is_race:
                others = [other for other in range(game.players) if other != seat]
                changed += any((other in before) != (other in match.state.actors) for other in others)
                assert [match._numbers[other] for other in others] == [numbers[other] for other in others]
    assert changed > 0
