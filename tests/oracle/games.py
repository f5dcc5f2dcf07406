"""The games that are compared, by the names that OpenSpiel has for them."""

from __future__ import annotations

from .crazy_eights import CrazyEights
from .cribbage import Cribbage
from .driver import Comparison
from .euchre import Euchre
from .gin_rummy import GinRummy
from .go_fish import GoFish
from .hearts import Hearts
from .oh_hell import OhHell
from .spades import Spades

GAMES: dict[str, type[Comparison]] = {
    "crazy_eights": CrazyEights,
    "cribbage": Cribbage,
    "euchre": Euchre,
    "gin_rummy": GinRummy,
    "go_fish": GoFish,
    "hearts": Hearts,
    "oh_hell": OhHell,
    "spades": Spades,
}
