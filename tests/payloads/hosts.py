"""Documents in which a payload can be put: valid rulesets, overlays and scenarios that have every place of the schema.

Those of the folder `hosts` are written out. From them others are made: with all actions open at any time, as the patch
of a variant, as an overlay written in a scenario.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.base.diagnostics import Report
from interpreter.language.source import parse_text, to_plain
from payloads.payloads import Payload
from payloads.places import Place, Steps, places, ways
from payloads.writing import Placed

FOLDER = Path(__file__).parent / "hosts"
RULESETS = (
    "turns", "tricks", "overlay", "turns-otherwise", "turns-said", "tricks-otherwise", "tricks-said", "taught",
    "taught-briefly", "melds", "coming", "least",
)  # fmt: skip
SCENARIOS = ("steps", "error", "several")
COMING = "coming"
"""The host of what the schema knows and the checker refuses always."""
_HEAD = ("format", "id", "extends", "needs", "conflicts", "variants")
_RESERVED = ("by", "else", "doc", "words", "when", "exact", "replace", "match")


@dataclass(frozen=True, eq=False)
class Host:
    """A document. kind: "ruleset" or "scenario"."""

    name: str
    kind: str
    document: Any

    @property
    def file(self) -> str:
        return f"{self.name.replace(', ', '-').replace(' ', '-')}.yaml"


@dataclass(frozen=True, eq=False)
class Spot:
    """A place in a document in which it is there. steps: the way to the node; of a key, to the mapping with it."""

    place: Place
    host: Host
    steps: Steps


@cache
def hosts(kind: str) -> tuple[Host, ...]:
    """Those of a kind, simplest first."""
    if kind == "ruleset":
        written = [Host(name, kind, _read(name)) for name in RULESETS]
        turned = [host for host in written if "turns" in host.name or host.name in ("melds", COMING)]
        found = (*written, *map(_anytime, turned))
        return (*found, *(_patched(host) for host in found if host.name != "least"))
    made = [_in_scenario(host) for host in hosts("ruleset") if "patch" not in host.name]
    return (*(Host(name, kind, _read(f"{name}-scenario")) for name in SCENARIOS), *made)


@cache
def spots(kind: str) -> tuple[Spot, ...]:
    """Every place of a schema for which there is a host."""
    return tuple(spot for place in places(kind) if (spot := _spot(kind, place)) is not None)


def missing(kind: str) -> list[Place]:
    """The places for which there is no host."""
    found = {spot.place for spot in spots(kind)}
    return [place for place in places(kind) if place not in found]


def layers(given: Mapping[Spot, Payload]) -> list[dict[Spot, Payload]]:
    """The same in parts, in none of which a payload takes the place of a node in which another one stands."""
    below = Counter(
        spot.steps[:number] for spot in given for number in range(len(spot.steps) + (spot.place.kind != "value"))
    )
    return [
        part
        for wide in (False, True)
        for part in _apart({s: p for s, p in given.items() if (s.place.kind == "value" and s.steps in below) is wide})
    ]


def _apart(given: dict[Spot, Payload]) -> list[dict[Spot, Payload]]:
    """Parts by depth if something lies in something else, else one."""
    if not given:
        return []
    values = {spot.steps for spot in given if spot.place.kind == "value"}
    nested = any(spot.steps[:number] in values for spot in given for number in range(len(spot.steps)))
    if not nested:
        return [given]
    depths = sorted({len(spot.steps) for spot in given})
    return [{spot: one for spot, one in given.items() if len(spot.steps) == depth} for depth in depths]


def filled(host: Host, given: Mapping[Spot, Payload]) -> Any:
    """The document with payloads in some places."""
    document = copy.deepcopy(host.document)
    named: list[tuple[Spot, Payload]] = []
    for spot, payload in given.items():
        if spot.place.kind == "value":
            document = put(document, spot.steps, Placed(payload, spot))
        else:
            named.append((spot, payload))
    words: dict[str, str] = {}
    for spot, payload in sorted(named, key=lambda one: -len(one[0].steps)):  # those inside before those around them
        mapping = _at(document, spot.steps)
        if not isinstance(mapping, dict):  # a payload has taken its place
            continue
        old = _name_in(mapping) if spot.place.kind == "key" else ""
        if old and payload.is_word and (word := re.match(r"[A-Za-z]\w*", old)):
            words[word[0]] = payload.text
        renewed = {Placed(payload, spot) if key == old else key: value for key, value in mapping.items()}
        document = put(document, spot.steps, renewed if old else renewed | {Placed(payload, spot): "x"})
    return _renamed(document, words) if words else document


def put(document: Any, steps: Steps, value: Any) -> Any:
    """The document, changed, with another node at the end of some steps."""
    if not steps:
        return value
    _at(document, steps[:-1])[steps[-1]] = value
    return document


# ---- documents ----------------------------------------------------------------------------------------


def _read(name: str) -> Any:
    report = Report()
    node = parse_text((FOLDER / f"{name}.yaml").read_text("utf-8"), name, report)
    assert node is not None, report.diagnostics
    return to_plain(node)


def _anytime(host: Host) -> Host:
    """All actions of a stage are open at any time, and those that were so are its actions."""
    document = copy.deepcopy(host.document)
    for stage in document["flow"].values():
        if "actions" in stage or "anytime" in stage:
            actions, anytime = stage.get("actions", {"wait_a": {}}), stage.get("anytime", {"wait_a": {}})
            stage |= {"actions": anytime, "anytime": actions}
    return Host(f"{host.name}, at any time", host.kind, document)


def _patched(host: Host) -> Host:
    """A variant of the least ruleset that is all of another, or of the host of turns all of an overlay."""
    base, said = _laid(host)
    document = copy.deepcopy(_read(base))
    patch = {key: value for key, value in said.items() if key not in _HEAD}
    document["variants"] = {"patch_v": {"doc": "All of another.", "patch": patch}}
    return Host(f"{host.name}, as a patch", host.kind, document)


def _in_scenario(host: Host) -> Host:
    """The same as an overlay that is written in a scenario."""
    base, said = _laid(host)
    game = {**said, "extends": f"{base}.yaml", "id": "in-place"}
    document = {"game": game, "name": "some moves are made", "steps": [{"play on": 5}]}
    return Host(f"{host.name}, in a scenario", "scenario", document)


def _laid(host: Host) -> tuple[str, Any]:
    """What a host is laid on, and what it says there."""
    said = copy.deepcopy(host.document)
    if "extends" in said:
        return "turns", said
    if "wait_f" not in said["flow"]:
        said["flow"]["wait_f"] = None
    return "least", said


# ---- places in them -----------------------------------------------------------------------------------


def _spot(kind: str, place: Place) -> Spot | None:
    for host in hosts(kind):
        for steps in ways(host.document, kind, place.path):
            if _fits(host.document, steps, place):
                return Spot(place, host, steps)
    return None


def _fits(document: Any, steps: Steps, place: Place) -> bool:
    node = _at(document, steps)
    return place.kind == "value" or (isinstance(node, dict) and (place.kind == "closed" or bool(_name_in(node))))


def _at(document: Any, steps: Steps) -> Any:
    for step in steps:
        document = document[step]
    return document


def _name_in(mapping: dict[str, Any]) -> str:
    """The key that is changed: one that nobody but the author has chosen, if there is one."""
    own = [key for key in mapping if key not in _RESERVED]
    return next((key for key in own if re.match(r"\w+_[a-z]\b", key)), own[0] if own else "")


def _renamed(document: Any, words: Mapping[str, str]) -> Any:
    """A document in which names are others, wherever they stand."""
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")

    def text(old: Any) -> Any:
        return pattern.sub(lambda hit: words[hit[0]], old) if isinstance(old, str) else old

    def node(old: Any) -> Any:
        if isinstance(old, dict):
            return {text(key): node(value) for key, value in old.items()}
        return [node(value) for value in old] if isinstance(old, list) else text(old)

    return node(document)
