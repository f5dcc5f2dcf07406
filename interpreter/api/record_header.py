"""The first line of a record: what it may hold, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from interpreter.api.recording import FORMAT

if TYPE_CHECKING:
    from interpreter.api.game import Ruleset

KEYS = ("houserules", "name", "game", "from", "seed", "chance", "given", "people", "table")
KINDS: tuple[tuple[str, str, type, str], ...] = (
    ("game", "players", int, "a number"),
    ("game", "options", dict, "a mapping of names to values"),
    ("game", "variants", list, "a list of names"),
    ("game", "enforcement", str, "a word"),
    ("game", "digest", str, "a text"),
    ("", "chance", dict, "a mapping of places to outcomes"),
    ("", "given", dict, "a mapping"),
    ("", "table", dict, "a mapping"),
)
"""What the first line may hold besides; what is missing is noticed where it is needed."""


def fault_in(body: dict[str, Any]) -> str:
    """What is wrong with the first line of a record, or nothing."""
    from interpreter.language.overlay import MAX_FILES

    if "houserules" not in body:
        return "this is no record of a match: the first line has no 'houserules'"
    if body["houserules"] != FORMAT:
        return f"the record has format {body['houserules']}; this program reads format {FORMAT}"
    for key in body:
        if key not in KEYS:
            return f"the first line has a key that no record has: {short(key)}"
    sources, game = body.get("from"), body.get("game")
    if not sources or not _are_texts(sources) or not isinstance(game, dict) or type(body.get("seed")) is not int:
        return "the first line does not say which game it is"
    if len(sources) > MAX_FILES:
        return f"it names {len(sources):,} files, more than the {MAX_FILES} that make a ruleset"
    for holder, key, kind, means in KINDS:
        found = (game if holder == "game" else body).get(key, kind())
        if type(found) is not kind or (kind is list and not _are_texts(found)):
            return f"'{key}' in the first line is not {means}"
    return ""


def variants_in(game: Mapping[str, Any], ruleset: Ruleset) -> list[str]:
    """The variants with which a ruleset at hand becomes that of a record. game: what the first line says of it.

    The options are complete there, so a variant matters only for what it changes in the ruleset: not where that is just
    the one that was recorded. A variant led there then, and this ruleset may have one of the same name.
    """
    whole = game.get("digest") == ruleset.digest
    known = {name: v for name, v in ruleset.model.variants.items() if not (whole and (v.ruleset or v.has_patch))}
    return [name for name in game.get("variants", ()) if name in known]


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def short(line: str) -> str:
    """The beginning of something that a record holds, in quotes."""
    return repr(line if len(line) <= 60 else f"{line[:57]}...")
