"""The words of the effect language, which cannot be names."""

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

TEAM = "team"
"""A variable of this name says to which team each player belongs, in place of the seats."""
