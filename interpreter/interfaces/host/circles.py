"""What is kept only by itself, in circles, and when it is looked for. In steady play there is none, but each move
replaces so much that Python would look through all of it several times a second, and hold up everybody meanwhile."""

import gc

MANY = 500_000
"""Things more than before, after which all are looked through, whoever waits."""


def look_seldom() -> None:
    """From now on nothing is looked for unless `end` is called."""
    gc.collect()
    gc.freeze()
    gc.disable()


def may_be_many() -> bool:
    """Whether so much has come since that it has to be looked for."""
    return gc.get_count()[0] >= MANY


def end() -> None:
    """Look through all that has come since the server began, and give up what is in circles."""
    gc.collect()
