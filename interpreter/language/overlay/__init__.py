"""The trees of a ruleset, of what it extends and of what is laid on top become one, each piece knowing its origin.

Nodes carry their file in their span, so a merged tree needs no book of origins: whatever is found wrong
later, it points at the file that said it.
"""

from __future__ import annotations

from interpreter.language.overlay.earlier_texts import shipped_as
from interpreter.language.overlay.files import (
    MAX_CHAIN,
    MAX_FILES,
    Resolved,
    Source,
    files_in,
    is_allowed,
    is_path,
    lies_in,
    locate,
    names_ruleset,
    real_path,
    resolve,
    shipped,
)
from interpreter.language.overlay.merging import apply_patch, merge
from interpreter.language.overlay.settings import removals

__all__ = [
    "CODES",
    "MAX_CHAIN",
    "MAX_FILES",
    "Resolved",
    "Source",
    "apply_patch",
    "files_in",
    "is_allowed",
    "is_path",
    "lies_in",
    "locate",
    "merge",
    "names_ruleset",
    "real_path",
    "removals",
    "resolve",
    "shipped",
    "shipped_as",
]

CODES: dict[str, str] = {
    "E301": "a ruleset that is extended or asked for is not there",
    "E302": "a ruleset extends itself, in a circle, or over too many files",
    "E303": "'extends', or the 'ruleset' of a variant, names a place that is not allowed",
    "E304": "an overlay removes what is not there",
    "E305": "an overlay changes what is not there",
    "E306": "a stage or row is placed before or after one that is not there",
    "E307": "an overlay does not fit what it is laid on",
    "E308": "a stage or row is placed twice",
    "E309": "removing a stage leaves a list of stages empty",
    "W301": "a new name is nearly one that is there",
    "W302": "two overlays laid on top of a ruleset set the same thing",
    "W309": "a text is left out because what it describes was changed",
}
