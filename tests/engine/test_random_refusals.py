"""Whatever an action lets choose: with other hidden values and the same offers, the same is refused in the same words.

The actions are those of `test_random_choices`, whose conditions ask of what one player alone knows, or nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from test_random_choices import ruleset

import interpreter
from interpreter import IllegalMove, RuleError, RulesetError
from interpreter.api.game import State
from interpreter.api.settled import Enforcement

HIDDEN = ("secret of P2 > 1", "low = K", "low = 10 or secret of P2 = 0", "secret of P2 = 3 and low != K")
RANKS = ("9", "10", "J", "Q", "K", "A")
OTHER_WORDS = (
    "0 1 2 3 P1 P2 P3 hearts spades none nothing - / low very high chip hand P9 7 a 9C=10C 1 2 a b c d @hand".split()
)
TEXTS = 60
MOST = 1_000
"""Where more moves are offered, nothing is compared."""


def hidden_otherwise(state: State, random: Random) -> State:
    """The same match with other values of what P1 and P3 do not know."""
    other, variables = state.copy(), state.game.program.variables
    other.position.v[variables["secret"].base + 1] = random.choice((0, 2, 3))
    other.position.v[variables["low"].base] = state.game.program.ranks.index(random.choice(RANKS))
    return other


def offered(state: State, player: int) -> list[str] | None:
    """What a player may do, and could; None of much."""
    both = state.legal_moves(player), state.possible_moves(player)
    return None if len(both[1]) > MOST else [str(move) for moves in both for move in moves]


def answer(state: State, player: int, text: str) -> str:
    """What is said to a move; a match that cannot go on may tell why."""
    try:
        state.copy().play(player, text)
    except IllegalMove as refused:
        return str(refused)
    except RuleError:
        return "?"
    return "made"


def typed(state: State, moves: list[str], random: Random) -> Iterator[str]:
    """Moves that are changed a little, and words that come as they come."""
    cards = state.game.program.cards
    for _ in range(TEXTS):
        words = random.choice(moves).split(" ") if moves and random.random() < 0.7 else ["act"]
        for _ in range(random.randint(1, 2)):
            word = random.choice(cards) if random.random() < 0.6 else random.choice(OTHER_WORDS)
            at = random.randint(1, len(words))
            words[at : at + random.randint(0, 1)] = [word]
        yield " ".join(words[: random.randint(1, len(words))])


def compared(state: State, random: Random) -> int:
    """Returns how many answers were compared."""
    found = 0
    for player in (0, 2):
        other = hidden_otherwise(state, random)
        moves = offered(state, player)
        if moves is None or moves != offered(other, player) or state.view(player) != other.view(player):
            continue
        for text in typed(state, moves, random):
            one, two = answer(state, player, text), answer(other, player, text)
            assert one == two or "?" in (one, two), text
            found += one != "?"
    return found


@pytest.mark.parametrize("part", range(4))
def test_what_is_refused_tells_nothing_that_is_hidden(tmp_path: Path, part: int) -> None:
    path, found = tmp_path / "choices.yaml", 0
    enforcements: tuple[Enforcement, ...] = ("strict", "honor")
    for seed in range(part * 20, part * 20 + 20):
        random = Random(seed)
        path.write_text(ruleset(random, HIDDEN), encoding="utf-8")
        try:
            loaded = interpreter.load(path)
        except RulesetError:
            continue
        for enforcement in enforcements:
            try:
                found += compared(loaded.game(enforcement=enforcement).start(seed=seed), random)
            except RuleError as error:  # more moves than can be listed, or nobody can go on
                assert "cannot be carried out" not in error.message
    assert found > 300
