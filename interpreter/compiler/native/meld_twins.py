"""Functions of the engine about melds -> what native code reads in their stead."""

from __future__ import annotations

from typing import Any

from interpreter.compiler.native import laid_melds, meld_outside, meld_search
from interpreter.engine.melds import laid, meld_library

MELDS: dict[Any, Any] = {
    meld_library.melds_in: meld_search.melds_in, meld_library.is_meld: meld_search.is_meld,
    meld_library.least_outside: meld_outside.least_outside, laid.lay_meld: laid_melds.lay_meld,
    laid.meld_at: laid_melds.meld_at, laid.settle_melds: laid_melds.settle_melds,
    laid.meld_extends: laid_melds.meld_extends, laid.replaced_wild: laid_melds.replaced_wild,
}  # fmt: skip
