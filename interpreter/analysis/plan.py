"""What is simulated: which matches of which game, and who plays them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.players import realtime
from interpreter.players.honor_bot import PERFECT, Manners
from interpreter.players.monte_carlo import Levels

if TYPE_CHECKING:
    from interpreter.api.game import Game


@dataclass(frozen=True, slots=True)
class Players:
    """How those play who are simulated.

    skill: how they choose, one of `monte_carlo.SKILLS`, or one for each: then they change seats from match to match.
    manners: how they play on honour. speeds: how fast each seat is, where they play in real time.
    """

    skill: Levels = "random"
    manners: Manners = PERFECT
    speeds: tuple[realtime.Speed, ...] = ()


RANDOM = Players()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: matches of a game, number i from a seed that is made of `seed` and i.

    deals, limit: after so many deals or decisions a match is cut. by_deal: each deal is noted.
    """

    game: Game
    seed: int
    deals: int | None
    limit: int
    players: Players = RANDOM
    by_deal: bool = False
