"""What a scenario is about: the ruleset at the bottom of what it plays, and what is laid on that.

So the ruleset can be changed, and the scenario played on it all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.base.diagnostics import Report
from interpreter.language.overlay import MAX_CHAIN, Source, is_path, locate, shipped
from interpreter.language.source import Mapping as MappingNode
from interpreter.language.source import Scalar, parse_text, read_file
from interpreter.proofs.scenarios import Scenario


@dataclass(frozen=True, slots=True)
class Subject:
    """A scenario with the ruleset at the bottom of what it plays, and the overlays laid on that."""

    scenario: Scenario
    base: str
    laid: tuple[MappingNode, ...]


class Subjects:
    """Finds the subjects of scenarios. Each file is read once, and what is laid on a ruleset is one node ever after."""

    def __init__(self) -> None:
        self._nodes: dict[Source, MappingNode | None] = {}
        self._freed: dict[int, MappingNode] = {}

    def find(self, scenario: Scenario) -> Subject | None:
        """None if files cannot be read; the scenario fails then anyway."""
        source, laid = scenario.source()
        layers: list[MappingNode | None] = []
        bottom = self._read(source)
        while bottom is not None and isinstance(extends := bottom.entries.get("extends"), Scalar):
            layers.insert(0, bottom)
            below = _extended(extends)
            if below is None or len(layers) > MAX_CHAIN:
                return None
            source, bottom = below, self._read(below)
        layers += map(self._read, laid)
        found = tuple(self._free(node) for node in layers if node is not None)
        return None if bottom is None or len(found) < len(layers) else Subject(scenario, str(source), found)

    def overlay(self, scenario: Scenario) -> Subject | None:
        """The subject of a scenario that plays an overlay in a file of its own: that is what it proves; else None."""
        source, laid = scenario.source()
        node = self._read(source)
        if not isinstance(source, Path) or node is None or "extends" not in node.entries:
            return None
        layers = [self._read(one) for one in laid]
        found = tuple(self._free(one) for one in layers if one is not None)
        return Subject(scenario, str(source), found) if len(found) == len(layers) else None

    def _read(self, source: Source) -> MappingNode | None:
        if isinstance(source, MappingNode):
            return source
        if source not in self._nodes:
            path = Path(source) if isinstance(source, Path) else shipped().get(str(source), Path(str(source)))
            report = Report()
            text = read_file(path, report)
            node = None if text is None else parse_text(text, str(path), report)
            self._nodes[source] = node if isinstance(node, MappingNode) and not report.failed else None
        return self._nodes[source]

    def _free(self, overlay: MappingNode) -> MappingNode:
        """An overlay without `extends`: it is laid on a ruleset that has no file."""
        if id(overlay) not in self._freed:
            entries = {key: value for key, value in overlay.entries.items() if key not in ("extends", "needs")}
            self._freed[id(overlay)] = MappingNode(entries, {key: overlay.keys[key] for key in entries}, overlay.span)
        return self._freed[id(overlay)]


def _extended(extends: Scalar) -> Source | None:
    """What `extends` names: a shipped ruleset or a file beside the overlay; None if that cannot be had."""
    name = extends.text
    return name if not is_path(name) and name in shipped() else locate(extends, Report())
