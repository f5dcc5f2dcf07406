"""A ruleset at a glance: for how many, what can be chosen, its stages as a tree, what overlays there are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from interpreter.base.diagnostics import Report
from interpreter.base.english import numbers
from interpreter.language.overlay import files_in
from interpreter.language.source import read_file
from interpreter.rulebook.chapters import Author

if TYPE_CHECKING:
    from interpreter.api.game import Ruleset
    from interpreter.rulebook.book import Block

WIDTH = 100
_NOT_LOOKED_IN = 200
"""In a folder with more files than that, nobody looks for overlays."""


def overview(ruleset: Ruleset) -> str:
    model = ruleset.model
    told = Author(ruleset.game())
    players = model.players
    some = numbers(players.counts)
    lines = [model.name, "=" * len(model.name), *wrap(model.about, WIDTH), "", f"id: {model.id}"]
    best = f", best with {players.best[0]}" if players.best else ""
    usual = "" if players.minimum == players.maximum else f", {players.default} unless you say"
    lines.append(f"players: {some}{usual}{best}")
    for title, blocks in (("OPTIONS", told.options(raw=True)), ("VARIANTS", told.variants(raw=True))):
        if blocks:
            lines += ["", title, *_items(blocks)]
    lines += ["", "STAGES", *_tree(ruleset, "match", "", "  ", set())]
    called = [name for name, stage in model.stages.items() if stage.params]
    if called:
        lines.append(f"  called when needed: {', '.join(called)}")
    overlays = list(overlays_of(ruleset))
    if overlays:
        lines += ["", "OVERLAYS", *(f"  {name}: {about}".rstrip(": ") for name, about in overlays)]
    lines += ["", "FILES", *(f"  {file}" for file in ruleset.files)]
    return "\n".join(lines) + "\n"


def _items(blocks: list[Block]) -> Iterator[str]:
    for block in blocks:
        term, text = getattr(block, "term", ""), getattr(block, "text", "")
        yield from wrap(f"{term}: {text}", WIDTH, initial_indent="  ", subsequent_indent="      ")


def _tree(ruleset: Ruleset, name: str, first: str, other: str, told: set[str]) -> Iterator[str]:
    """The stages as a tree; first, other: what stands before the stage, and before what is below it."""
    stage = ruleset.model.stages[name]
    told.add(name)
    kind = {"do": "", "effect": "", "repeat": "again and again"}.get(stage.kind, stage.kind)
    yield f"{first or other}{name}{f' ({kind})' if kind else ''}"  # as an overlay has to write it
    for number, child in enumerate(stage.children, 1):
        last = number == len(stage.children)
        yield from _tree(
            ruleset, child, f"{other}{'└─ ' if last else '├─ '}", f"{other}{'   ' if last else '│  '}", told
        )


def overlays_of(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Files in the current folder, and beside the ruleset, that extend it: (path, what they are about)."""
    seen = set()
    for folder in (Path(), *(Path(file).parent for file in ruleset.files)):
        files, inside = files_in(folder), os.path.realpath(folder)
        for path in files if len(files) <= _NOT_LOOKED_IN else []:
            real = os.path.realpath(path)
            if real in seen or str(path) in ruleset.files or os.path.dirname(real) != inside:
                continue  # a link may not lead out: the folder can come from a stranger
            seen.add(real)
            head = (read_file(path, Report()) or "")[:4000]  # what is no text of a ruleset's size is passed over
            base = re.search(r"^extends: *(\S+)", head, re.MULTILINE)
            if base and base[1].strip("\"'").removesuffix(".yaml").removeprefix("./") == ruleset.id:
                about = re.search(r"^about: *(.+)$", head, re.MULTILINE)
                yield str(path), about[1].strip("\"' ") if about else ""
