"""What a page does with the changes that it is sent."""

from __future__ import annotations

from typing import Any

from interpreter.interfaces.host.changes import Change


def changed(old: Any, found: list[Change]) -> Any:
    """The data with the changes made; `old` stays as it is."""
    for path, *value in found:
        old = _with(old, path, value)
    return old


def _with(old: Any, path: list[Any], value: list[Any]) -> Any:
    if not path and len(value) == 1:
        return value[0]
    if not path:
        at, number, entries = value
        return [*old[:at], *entries, *old[at + number :]]
    new = old.copy()
    key, *rest = path
    if not rest and not value:
        del new[key]
    else:
        new[key] = _with(old.get(key) if type(old) is dict else old[key], rest, value)
    return new
