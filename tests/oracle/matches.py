"""Random matches of OpenSpiel's spades, played move by move against the same rules in our language.

OpenSpiel plays single deals. A match here is up to five of them, the scores carried on, with parameters by lot; it is
over when OpenSpiel says so. Every decision has to offer the same moves, and every deal to be worth the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyspiel

import interpreter

OVERLAY = Path(__file__).parent / "spades-openspiel.yaml"
DEALS = 5
PLAYERS = 4
SIDES = ("T1", "T2")
FIRST_BID = 52
"""Its actions: cards 0 to 51 by suit, then rank; then the bids."""


class Difference(AssertionError):
    """The two do not agree."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a match came to. worth: what each deal was worth to the two sides."""

    decisions: int
    worth: tuple[tuple[int, int], ...]
    over: bool


def text_of(action: int) -> str:
    """One of its actions as we write it: `play 10H`, `bid 3`."""
    if action >= FIRST_BID:
        return f"bid {action - FIRST_BID}"
    return f"play {card_of(action)}"


def card_of(action: int) -> str:
    return f"{'2 3 4 5 6 7 8 9 10 J Q K A'.split()[action % 13]}{'CDHS'[action // 13]}"


@cache
def rules() -> interpreter.Ruleset:
    return interpreter.load(OVERLAY)


def parameters(lot: Random) -> dict[str, int]:
    """Thresholds that a deal can reach, or those that it has unless told."""
    return {
        "win_threshold": lot.choice((500, 60, 100)),
        "mercy_threshold": lot.choice((-350, -60, -100, 0)),
        "win_or_loss_bonus": lot.choice((200, 30, 0)),
    }


def play_match(seed: int) -> Played:
    """Play the match of a seed on both sides. Raises Difference at the first decision or deal that is not the same."""
    lot = Random(seed)
    options = parameters(lot)
    theirs = pyspiel.load_game("spades", options)
    decks = [lot.sample(range(FIRST_BID), FIRST_BID) for _ in range(DEALS)]
    order = [[card_of(card) for card in deck] for deck in decks]
    ours = rules().game(options=options).start(chance={"shuffle": {"deal": order}})
    bold = lot.random() < 0.5  # bids by lot from 0 to 13 are hardly ever made, so half of the matches bid low
    scores, worth, decisions = [0, 0], [], 0
    for number, deck in enumerate(decks, start=1):
        state = theirs.new_initial_state()
        state.set_current_scores(scores)
        for card in deck:
            state.apply_action(card)
        while not state.is_terminal():
            where = f"seed {seed}, deal {number}, after {state.history_str()}"
            action = _choose(state, lot, bold)
            _compare(state, ours, where)
            ours.play(state.current_player(), text_of(action))
            state.apply_action(action)
            decisions += 1
        scores = list(state.get_current_scores())
        worth.append(_compare_worth(state, ours, f"seed {seed}, at the end of deal {number}"))
        if state.is_game_over():
            break
    return Played(decisions, tuple(worth), ours.over)


def _choose(state: Any, lot: Random, bold: bool) -> int:
    actions = state.legal_actions()
    few = actions[:5] if actions[0] >= FIRST_BID and not bold else actions
    return int(lot.choice(few))


def _compare(state: Any, ours: interpreter.State, where: str) -> None:
    """The same player is to move, with the same moves."""
    player = state.current_player()
    if ours.actors != [player]:
        raise Difference(f"{where}: theirs waits for P{player + 1}, ours for {[f'P{p + 1}' for p in ours.actors]}")
    wanted = {text_of(action) for action in state.legal_actions()}
    found = {str(move) for move in ours.legal_moves(player)}
    if wanted != found:
        raise Difference(f"{where}: only theirs {sorted(wanted - found)}, only ours {sorted(found - wanted)}")


def _compare_worth(state: Any, ours: interpreter.State, where: str) -> tuple[int, int]:
    """The deal was worth the same to everybody, leaves the same scores, and ends the match or not."""
    returned = [int(x) for x in state.returns()]
    found = [ours.value("return", player) for player in range(PLAYERS)]
    if returned != found:
        raise Difference(f"{where}: theirs returns {returned}, ours {found}")
    scores = list(state.get_current_scores())
    score = ours.value("score")
    if scores != [score[side] for side in SIDES]:
        raise Difference(f"{where}: their scores are {scores}, ours {score}")
    if state.is_game_over() != ours.over:
        raise Difference(f"{where}: theirs is{'' if state.is_game_over() else ' not'} over, ours is the other")
    return returned[0], returned[1]
