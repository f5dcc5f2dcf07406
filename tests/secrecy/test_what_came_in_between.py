"""Short courses of moves by rules at random, gone through with each card that chance may draw and each that may be
chosen: courses that look alike to a seat get the same answers to taking moves back, and the same word of who has seen
cards."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import Game, IllegalMove, RuleError, State
from interpreter.engine.taking_back import revealed

RULES = """\
format: 1
id: course
name: Course
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  heap: {seen by: HEAP}
  loot: {each: player, seen by: LOOT}
  pile: {seen by: PILE}
  hand: {each: player, seen by: owner}
state:
  score: {each: player, type: integer, lasts: match}
  kept: {type: card, optional: true, lasts: match, seen by: KEPT}
flow:
  match:
    first dealer: P1
    setup: shuffle stock; deal 3 from stock to hand; move 3 from stock to heap
    do: [main]
    winners: everyone
  main:
    kind: turn
    first: P1
    turns: 90
    actions:
      knock: {effect: add 1 to score}
      draw: {effect: move 1 at random from heap to loot}
      top: {effect: move top of heap to loot}
      back: {effect: move all from loot to heap}
      give: {choose: {card: {from: handCHOSEN}}, effect: move card to heap}
      put: {choose: {card: {from: handCHOSEN}}, effect: move card to pile}
      show: {choose: {card: {from: handCHOSEN}}, effect: show card to everyone}
      tell: {choose: {card: {from: handCHOSEN}}, effect: show card to left of actor}
      rob: {effect: move 1 at random from hand of left of actor to pile}
      steal: {effect: move 1 at random from hand of left of actor to loot}
      peek: {effect: show random of heap to actor}
      seek: {effect: show random of heap to everyone}
      mark: {effect: set kept to random of heap}
      look: {effect: show heap to actor}
      mix: {effect: shuffle heap}
      change: {effect: "swap heap, pile"}
"""
EYES = ["none", "everyone", "P3", "P1", "none, shows: top", "everyone, shows: top", "P2, shows: top"]
LOOT, KEPT, CHOSEN = ["owner", "owner", "none", "everyone"], ["everyone", "none"], ["", "actor", "everyone"]
DRAWING, CHOOSING = ["draw", "rob", "steal", "peek", "seek", "mark"], ["give", "put", "show", "tell"]
ACTIONS = [*DRAWING, *CHOOSING, "knock", "top", "back", "look", "mix", "change"]
LIE = {
    "at": "main", "current": "P1", "dealer": "P1", "heap": "KC QC JC", "pile": "5H", "rest": "stock",
    "hand": {"P1": "2C 3C", "P2": "7D JH", "P3": "2S 3S"},
}  # fmt: skip
CARDS = ["KC", "QC", "JC", "5H", "2C", "3C", "7D", "JH", "2S", "3S"]
TOLD, MORE = (2, 71, 162, 311, 2074), 23
"""In these something was told once, and in some more rulesets nothing was."""
PARTS, COURSES = 4, 5
Course = tuple[list[str], list[str]]
"""The moves, and what chance drew."""


def made(game: Game, course: Course) -> State:
    texts, drawn = course
    state = game.start(seed=1, given=LIE, chance={"draw": drawn} if drawn else None)
    for at, text in enumerate(texts):
        state.play(at % 3, text)
    return state


def goes_on(game: Game, course: Course, action: str) -> Iterator[Course]:
    """Each way in which a course may go on by an action."""
    texts, drawn = course
    if action in CHOOSING:
        lawful = made(game, course).legal_moves(len(texts) % 3)
        yield from (([*texts, str(move)], drawn) for move in lawful if str(move).split()[0] == action)
        return
    for more in [[card] for card in CARDS] if action in DRAWING else [[]]:
        other = ([*texts, action], [*drawn, *more])
        try:
            made(game, other)
        except (IllegalMove, RuleError):  # it does not lie there
            continue
        yield other


def answers(state: State, moves: int, people: list[int] | None) -> tuple[Any, ...]:
    """people: who keeps what they have seen, and is answered; None: all."""
    found = []
    for stay in range(max(0, moves - 3), moves):
        other, told = state.copy(), "taken back"
        try:
            other.undo(5, stay, people)
        except ValueError as why:
            told = str(why)
        found.append((stay, told, None if people else tuple(revealed(state.position, stay))))
    return tuple(found)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_answered_hangs_on_nothing_that_somebody_cannot_know(part: int, tmp_path: Path) -> None:
    compared, path = 0, tmp_path / "course.yaml"
    for seed in [*TOLD, *range(1000, 1000 + MORE)][part::PARTS]:
        dice, text = random.Random(seed), RULES
        chosen = dice.choice(CHOSEN)
        for name, eyes in (("HEAP", EYES), ("LOOT", LOOT), ("PILE", EYES), ("KEPT", KEPT)):
            text = text.replace(name, dice.choice(eyes))
        path.write_text(text.replace("CHOSEN", f", seen by: {chosen}" if chosen else ""), encoding="utf-8")
        game = interpreter.load(path).game()
        for _ in range(COURSES):
            actions = [dice.choice(ACTIONS) for _ in range(dice.choice([2, 3, 3, 4]))]
            if sum(action in (*DRAWING, *CHOOSING) for action in actions) > 3:
                continue
            courses: list[Course] = [([], [])]
            for action in actions:
                courses = [other for course in courses for other in goes_on(game, course, action)]
            found: dict[tuple[int, str], dict[object, Course]] = defaultdict(dict)
            for course in courses:
                state = made(game, course)
                told = answers(state, len(actions), None)
                for seat in range(3):
                    alone = answers(state, len(actions), [seat])
                    found[seat, repr(state.view(seat))][told, alone] = course
            for (seat, _), ways in found.items():
                assert len(ways) == 1, f"ruleset {seed}: to P{seat + 1} it looks alike: {ways}"
            compared += len(courses)
    assert compared > 150
