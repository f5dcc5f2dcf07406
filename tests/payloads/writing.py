"""Documents as YAML, each value on a line of its own, with payloads in quotes or as they are."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from payloads.payloads import Payload

_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


@dataclass(frozen=True)
class Placed:
    """A payload in a document, and whose it is."""

    payload: Payload
    by: Hashable


def written(document: Any) -> tuple[str, dict[Any, int]]:
    """A document as the text of a file, and the line of each payload by whose it is."""
    writer = _Writer()
    text = writer.node(document, 0) + "\n"
    return text, writer.lines


def quoted(text: str) -> str:
    """A text in double quotes, with whatever an editor would not show written as an escape."""
    return '"' + "".join(map(_sign, text)) + '"'


def _sign(sign: str) -> str:
    if sign in _SHORT:
        return _SHORT[sign]
    if sign.isprintable():
        return sign
    number = ord(sign)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


class _Writer:
    def __init__(self) -> None:
        self.lines: dict[Any, int] = {}
        self._line = 1

    def node(self, node: Any, depth: int) -> str:
        match node:
            case dict():
                return self._around("{}", [(key, value) for key, value in node.items()], depth)
            case list():
                return self._around("[]", [(None, value) for value in node], depth)
            case Placed():
                self.lines[node.by] = self._line
                return self._payload(node.payload)
            case str():
                return quoted(node)
            case bool() | None:
                return {True: "true", False: "false", None: "null"}[node]
            case _:
                return str(node)

    def _around(self, signs: str, entries: list[tuple[Any, Any]], depth: int) -> str:
        if not entries:
            return signs
        lines = []
        for key, value in entries:
            self._line += 1
            name = "" if key is None else f"{self._key(key)}: "
            lines.append("  " * (depth + 1) + name + self.node(value, depth + 1))
        self._line += 1
        return signs[0] + "\n" + ",\n".join(lines) + "\n" + "  " * depth + signs[1]

    def _key(self, key: Any) -> str:
        if isinstance(key, Placed):
            self.lines[key.by] = self._line
            return self._payload(key.payload)
        return key if re.fullmatch(r"[a-z]\w*", key) and key not in ("null", "true", "false") else quoted(key)

    def _payload(self, payload: Payload) -> str:
        if not payload.raw:
            return quoted(payload.text)
        self._line += payload.text.count("\n")
        return payload.text
