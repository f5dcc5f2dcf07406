"""The codes of what the interpreter says."""

from __future__ import annotations

import importlib
import pkgutil

import interpreter


def every_code() -> dict[str, str]:
    """The codes of all modules of the interpreter, each with what it means."""
    found: dict[str, str] = {}
    for module in pkgutil.walk_packages(interpreter.__path__, "interpreter."):
        if module.name.endswith("__main__"):
            continue
        try:
            codes = getattr(importlib.import_module(module.name), "CODES", {})
        except ModuleNotFoundError as missing:
            if (missing.name or "interpreter").partition(".")[0] == "interpreter":
                raise
            continue  # of an extra that is not installed
        for code, meaning in codes.items():
            assert found.setdefault(code, meaning) == meaning, f"{code} has two meanings"
    return found
