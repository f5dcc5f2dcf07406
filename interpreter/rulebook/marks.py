"""What overlays have changed: whatever in the ruleset's text comes from another file than the base's."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.source import Listing, Mapping, Node


@dataclass(frozen=True)
class Marks:
    root: Mapping
    base: str
    """The file of the ruleset that everything else is laid on."""

    def find(self, *path: str) -> Node | None:
        node: Node | None = self.root
        for key in path:
            if not isinstance(node, Mapping):
                return None
            named = [name for name in node.entries if name.split("(")[0] == key]
            node = node.entries[named[0]] if named else None
        return node

    def changed(self, *path: str) -> bool:
        """Whether anything there is of an overlay."""
        node = self.find(*path)
        return node is not None and self._strange(node)

    def any(self) -> bool:
        return any(
            self._strange(v)
            for k, v in self.root.entries.items()
            if k not in ("id", "name", "about", "notes", "extends", "format")
        )

    def _strange(self, node: Node) -> bool:
        if isinstance(node, Mapping):
            keys = any(span.file != self.base for span in node.keys.values())
            return keys or any(self._strange(inner) for inner in node.entries.values())
        if isinstance(node, Listing):
            return any(self._strange(inner) for inner in node.items)
        return node.span.file != self.base
