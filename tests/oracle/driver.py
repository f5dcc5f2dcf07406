"""Deals of OpenSpiel's games, played move by move against the same rules in our language.

A module for each game says how the two are laid side by side: which deals are played, which of OpenSpiel's actions a
move of ours is made of, and what both must come to. Where OpenSpiel plays by other rules than our ruleset, an overlay
beside the module says which, and why. At each decision both wait for the same player and offer the same moves.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pyspiel

import interpreter

HERE = Path(__file__).parent
CARD = re.compile(r"\b(?:([CDHS])([2-9TJQKA])|([2-9TJQKA])([CDHS]))\b", re.IGNORECASE)
CHANCE = -1
"""The number of OpenSpiel's player for chance."""


class Difference(AssertionError):
    """The two do not agree."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The same deal on both sides. chance: what OpenSpiel's chance has to bring, in this order."""

    theirs: Any
    ours: interpreter.State
    chance: Iterator[int]


@dataclass(slots=True)
class Played:
    """How much was played. marks: how many deals had something that is worth telling, by its name."""

    deals: int = 0
    decisions: int = 0
    marks: Counter[str] = field(default_factory=Counter)

    def add(self, other: Played) -> None:
        self.deals += other.deals
        self.decisions += other.decisions
        self.marks.update(other.marks)


class Comparison(ABC):
    """A game of OpenSpiel beside ours."""

    overlay: Path
    together: frozenset[str] = frozenset()
    """Stages of ours in which all decide at once; there OpenSpiel asks one after the other."""
    silent: frozenset[int] = frozenset()
    """What OpenSpiel asks for where nothing else can be done, and ours never asks for."""

    def __init__(self, *overlays: Path) -> None:
        self.rules = self.load(overlays)

    def load(self, overlays: tuple[Path, ...]) -> interpreter.Ruleset:
        """Our rules, as OpenSpiel plays by them, with further overlays on top."""
        return interpreter.load(self.overlay, overlays)

    @abstractmethod
    def deals(self, lot: Random) -> Iterator[Deal]:
        """The deals of a match, each begun when the one before has been played."""

    @abstractmethod
    def actions(self, move: str) -> Iterable[tuple[int, ...]]:
        """OpenSpiel's actions that amount to a move of ours, in each order in which they can be made."""

    @abstractmethod
    def result(self, deal: Deal) -> tuple[object, object]:
        """What a deal that is over has come to: theirs, ours."""

    def over(self, deal: Deal) -> bool:
        """Whether OpenSpiel has played the deal to its end."""
        return bool(deal.theirs.is_terminal())

    def table(self, deal: Deal) -> tuple[object, object]:
        """What both sides tell while the deal goes on: theirs, ours."""
        return (), ()

    def choose(self, lot: Random, deal: Deal, actions: Sequence[int]) -> int:
        """One of OpenSpiel's lawful actions."""
        return lot.choice(actions)

    def left_out(self, deal: Deal, player: int) -> frozenset[str]:
        """Names of our actions that OpenSpiel does not offer here by a fault of its own, and never others."""
        return frozenset()

    def marks(self, deal: Deal) -> Iterable[str]:
        """What was special in a deal that is over."""
        return ()


def play_match(game: Comparison, seed: int) -> Played:
    """Play the match of a seed on both sides. Raises Difference at the first decision or deal that is not the same."""
    lot, played = Random(seed), Played()
    for deal in game.deals(lot):
        played.deals += 1
        played.decisions += _play(game, deal, lot, f"seed {seed}, deal {played.deals}")
        played.marks.update(game.marks(deal))
    return played


def _play(game: Comparison, deal: Deal, lot: Random, where: str) -> int:
    decisions, theirs = 0, deal.theirs
    while not game.over(deal):
        legal = theirs.legal_actions()
        if theirs.is_chance_node():
            brought = next(deal.chance)
            if brought not in legal:
                _differ(deal, where, f"theirs cannot bring {brought}")
            theirs.apply_action(brought)
        elif len(legal) == 1 and legal[0] in game.silent:
            theirs.apply_action(legal[0])
        else:
            _agree(game.table(deal), deal, f"{where}, table")
            decisions += _decide(game, deal, lot, where)
    _agree(game.result(deal), deal, f"{where}, result")
    return decisions


def _decide(game: Comparison, deal: Deal, lot: Random, where: str) -> int:
    """One move of ours, and the actions of theirs that it is made of. Returns how many decisions that was."""
    theirs, ours, made = deal.theirs, deal.ours, 0
    player = theirs.current_player()
    if player not in ours.actors or (len(ours.actors) > 1 and ours.phase not in game.together):
        _differ(deal, where, f"theirs waits for P{player + 1}, ours for {[f'P{p + 1}' for p in ours.actors]}")
    without = game.left_out(deal, player)
    moves = [move for move in ours.legal_moves(player) if str(move).partition(" ")[0] not in without]
    ways = [(spelling, move) for move in moves for spelling in game.actions(str(move))]
    while not any(len(spelling) == made for spelling, _ in ways):
        legal = theirs.legal_actions()
        if set(legal) != {spelling[made] for spelling, _ in ways} or theirs.current_player() != player:
            _differ(deal, where, _told(theirs, player, set(legal), {spelling[made] for spelling, _ in ways}))
        action = game.choose(lot, deal, legal)
        theirs.apply_action(action)
        ways = [way for way in ways if way[0][made] == action]
        made += 1
        if theirs.is_terminal():  # it is over before all has been said: what is left makes no difference
            break
    ours.play(player, lot.choice(ways)[1])
    return made


def _told(theirs: Any, player: int, wanted: set[int], found: set[int]) -> str:
    more, fewer = ([theirs.action_to_string(player, a) for a in sorted(s)] for s in (wanted - found, found - wanted))
    return f"only theirs {more}, only ours {fewer}"


def _agree(sides: tuple[object, object], deal: Deal, where: str) -> None:
    if sides[0] != sides[1]:
        _differ(deal, where, f"theirs {sides[0]}, ours {sides[1]}")


def _differ(deal: Deal, where: str, what: str) -> None:
    raise Difference(f"{where}, {deal.ours.phase}: {what}\n{deal.theirs}\nafter {deal.theirs.history_str()}")


def numbers_of(game: str, *chosen: int) -> dict[str, int]:
    """Its numbers of the cards, by how we write them. chosen: what chance decides before the first card is dealt."""
    theirs = pyspiel.load_game(game).new_initial_state()
    for outcome in chosen:
        theirs.apply_action(outcome)
    return {card_of(theirs.action_to_string(CHANCE, action)): action for action, _ in theirs.chance_outcomes()}


def card_of(text: str) -> str:
    """A card as we write it, by a text of theirs that names one."""
    found = CARD.search(text)
    assert found is not None, text
    rank, suit = found[2] or found[3], found[1] or found[4]
    return f"{'10' if rank == 'T' else rank}{suit.upper()}"


def dealt(hands: Sequence[Sequence[str]], first: int, packets: Sequence[int] | None = None) -> list[str]:
    """The order of a pack from which these hands are dealt, one card at a time or in packets, to `first` first."""
    order, given = [], 0
    for size in packets or [1] * len(hands[0]):
        for number in range(len(hands)):
            order += hands[(first + number) % len(hands)][given : given + size]
        given += size
    return order
