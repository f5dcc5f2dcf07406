"""The words of the effect language, which cannot be names, and what is told of some."""

from __future__ import annotations

KEYWORDS = frozenset(
    "if then else end for in do where by any all first count sum min max has have and or not is empty of to from "
    "beneath face up down at random deal move gather shuffle turn flip show set add subtract clear swap reverse stay "
    "again skip pass out take put back call with finish redeal fault reseat note lowest highest void next after among "
    "across div mod true false none elseif without".split()
)

STATEMENTS = (
    "move deal gather shuffle turn flip show set add subtract clear swap reverse stay again skip pass take put call "
    "finish redeal fault reseat note if for"
).split()
"""The words with which an effect begins."""

EQUALS_HINT = "one '=' compares; 'set X to Y' sets"
MEANS_NOTHING = {
    "none": "that nothing is chosen", "nothing": "that none are chosen", "unsaid": "that nothing is said"
}  # fmt: skip
"""Words that stand in moves for what is not there -> what they mean."""
BETWEEN_PLACES = frozenset(("and", "from", "to"))
"""Words that stand in the log between places, whose names may hold a rank or a suit."""
ASIDE = "aside"
"""The place for the rest that takes no part."""
DECLINE = "decline"
"""What somebody says who is asked and claims nothing."""
NOTHING_HINT = "'nothing' stands alone; where there is something else, leave out what does nothing"
TEAM = "team"
"""A variable of this name says to which team each player belongs, in place of the seats."""


def those_where(group: str) -> str:
    """What to write in place of `players where CONDITION`: each of them needs a name."""
    one = {"teams": "t", "pack": "c"}.get(group, "p")
    return f"each of them needs a name: 'all {one} in {group} where ... of {one} ...'"


COUNT_OF = "count of "
"""Before the name of a zone of which it is only asked how many cards lie there."""
