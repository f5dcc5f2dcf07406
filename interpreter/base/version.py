"""Which version of the program this is."""

from __future__ import annotations


def version() -> str:
    """The version, or words that say that there is none: run from a checkout that is not installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("houserules")
    except PackageNotFoundError:
        return "(not installed)"
