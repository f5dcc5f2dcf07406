"""Files: a ruleset and what it extends are found and read, and overlays are stacked on top."""

from __future__ import annotations

import os
from collections.abc import Mapping as Map
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from interpreter.base.diagnostics import MAX_FINDINGS, Diagnostic, Enough, Report, Span, suggest
from interpreter.base.resources import find
from interpreter.language.amounts import is_too_much
from interpreter.language.overlay import earlier_texts
from interpreter.language.overlay.bound_texts import without_stale_texts
from interpreter.language.overlay.merging import merge_layer
from interpreter.language.overlay.near_names import comparisons
from interpreter.language.overlay.parts import KeyPath, text_of, texts_of, with_entry, without
from interpreter.language.overlay.pruning import Way, pruned
from interpreter.language.overlay.settings import removals, warn_both
from interpreter.language.shape import check_shape
from interpreter.language.source import Mapping, Scalar, parse_text, read_file

MAX_CHAIN = 16
MAX_FILES = 32
"""In one ruleset: what extends one another, with all that is laid on it."""
MAX_TOGETHER = 262_144
"""Letters of overlays that lie on one another, after which nothing more is laid below them."""

MOST_KEPT = 65_536
"""Letters of a file that is not read again if it is asked for again."""

Source = str | Path | Mapping


@dataclass(frozen=True, slots=True)
class Resolved:
    """One ruleset, complete.

    node: the merged ruleset, without `extends`; its id and name are those of the outermost file.
    files: every file in it, base first, as diagnostics name them.
    ids: their ids, base first.
    removed: what overlays took out, by path (`flow, passing`), for a later stage that misses it.
    shipped: whether every file in it came with the program, just as it lies there.
    parts: what stands in each file.
    """

    node: Mapping
    files: tuple[str, ...]
    ids: tuple[str, ...]
    removed: Map[KeyPath, Span]
    shipped: bool
    parts: tuple[Mapping, ...]


@dataclass(frozen=True, slots=True)
class _Layer:
    """One file. `real` tells files apart, whatever path led to them; empty for a ruleset written in place."""

    node: Mapping
    file: str
    real: str
    misshapen: tuple[Diagnostic, ...] = ()
    """What is wrong with the shape of the file."""
    size: int = 0
    """How many letters the file has."""
    shipped: bool = False
    """Whether it came with the program, just as it lies there."""

    @property
    def id(self) -> str:
        return text_of(self.node, "id") or Path(self.file).stem

    @property
    def place(self) -> Span:
        named = self.node.entries.get("id")
        return self.node.span if named is None else named.span


def shipped() -> dict[str, Path]:
    """The rulesets that come with the program: id (the stem of the file's name) to path, in order of id."""
    folder = find("rulesets")
    shown = _shown(folder)
    return {path.stem: path for path in (shown / name for name in sorted(_shipped_names(folder)))}


def _shipped_names(folder: Path) -> set[str]:
    """The files that come with the program, and those that have come with an earlier one and are read as they were."""
    lying = (name for name in os.listdir(folder) if name.endswith(".yaml"))
    return {*lying, *(f"{name}.yaml" for name in earlier_texts.instead())}


def real_path(path: str | Path) -> str:
    """A path with all links followed. One that this system cannot write leads to no file, and stands as it is."""
    try:
        return os.path.realpath(path)
    except UnicodeEncodeError:
        return os.path.abspath(path)


def _is_ours(real: str) -> bool:
    """Whether a path, all links followed, is that of a shipped file."""
    folder = find("rulesets")
    names = _shipped_names(folder)
    if os.path.basename(real) in names and os.path.dirname(real) == real_path(folder):
        return True
    return any(real == real_path(folder / name) for name in names if os.path.islink(folder / name))


def is_path(source: str) -> bool:
    """Whether a text names a file rather than a shipped ruleset."""
    return "/" in source or os.sep in source or source.endswith(".yaml")


def names_ruleset(source: str) -> bool:
    """Whether a text from a file somebody has sent may be followed: an id, or the path of a YAML file; none of another
    machine, which would hear of it (two strokes begin a network share)."""
    if not source.isprintable() or "~" in source or "\\" in source or source.startswith("//"):
        return False
    return not is_path(source) or source.endswith((".yaml", ".yml"))


def lies_in(path: Path, folder: Path) -> bool:
    """Whether a path stays in a folder or below it, links followed."""
    return Path(real_path(path)).is_relative_to(real_path(folder))


def resolve(source: Source, report: Report, *, stack: Sequence[Source] = ()) -> Resolved | None:
    """Read a ruleset, all that it extends, and the overlays of `stack`, and merge them in that order.

    source: a shipped id, a path (it has a slash or ends in .yaml), or a ruleset written in place (a mapping, parsed
        and of good shape).
    stack: further overlays, laid on one after the other; one that has `extends` must extend something already there.
    Findings of all files go into `report`; None if there is an error among them.
    """
    found = Report()
    chain = _chain(source, found)
    complete = not found.failed
    laid: list[_Layer] = []
    if len(chain) + len(stack) > MAX_FILES:
        message = f"{len(chain) + len(stack):,} files are laid on one another, more than the {MAX_FILES} allowed"
        report.extend([Diagnostic("error", "E307", message, _named(source), hint="join some of them into one file")])
        return None
    opened: dict[str | Path, _Layer | None] = {}
    for item in stack:
        if not isinstance(item, str | Path):
            layer = _open(item, found)
        elif item in opened:  # it is not read again to be told that it is there already
            layer = opened[item]
        else:
            layer = opened[item] = _open(item, found, under=chain[0].id if chain else "")
        if layer is not None:
            if complete:
                _check_laid(layer, [*chain, *laid], found)
            laid.append(layer)
    resolved = None if found.failed else _merged(chain, laid, found)
    report.extend(found.diagnostics)
    return None if found.failed else resolved


def rest_of(source: Source, stack: Sequence[Source] = ()) -> tuple[Resolved, list[Way]] | None:
    """A ruleset with what is laid on it, less what has no good shape, and the keys that lead to what was left out.

    None if nothing is left.
    """
    ways: list[Way] = []
    if len(stack) > MAX_FILES:
        return None
    layers = [_pruned(layer, ways) for layer in _chain(source, Report())]
    laid = [_open(item, Report(), under=layers[0].id if layers else "") for item in stack]
    more = [_pruned(layer, ways) for layer in laid if layer is not None]
    if not layers or not ways or "extends" in layers[0].node.entries:
        return None
    merged = _merged(layers, more, Report())
    return None if merged is None else (merged, ways)


def _named(source: Source) -> str:
    """A ruleset as findings without a place in it name it."""
    return source.span.file if isinstance(source, Mapping) else str(source)


def _pruned(layer: _Layer, ways: list[Way]) -> _Layer:
    return replace(layer, node=pruned(layer.node, layer.misshapen, ways))


def _merged(chain: list[_Layer], laid: list[_Layer], report: Report) -> Resolved | None:
    """One ruleset of all files; None if so much is wrong that the rest of it is not told."""
    report.most = MAX_FINDINGS
    try:
        return _merge_all(chain, laid, report)
    except Enough:
        return None
    finally:
        report.most = None


def _merge_all(chain: list[_Layer], laid: list[_Layer], report: Report) -> Resolved:
    layers = [*chain, *laid]
    _check_company(layers, report)
    node = without(chain[0].node, ("extends", "needs", "conflicts"))
    removed: dict[KeyPath, Span] = {}
    compared = comparisons()
    for i, layer in enumerate(layers[1:]):
        under = layers[min(i, len(chain) - 1)]  # a ruleset with overlays laid on it is still called by its own id
        node = merge_layer(node, layer.node, under.id, report, removed, compared)
        removed |= removals(layer.node)
        if is_too_much(node, Report()):  # which is told when the whole is checked; nothing more is done with it
            return _resolved(node, layers, removed)
    for i, later in enumerate(laid):
        for earlier in [*_unknown(later, chain), *laid[:i]]:
            warn_both(earlier.node, later.node, report)
    unread = len(layers) == 1 and not layers[0].real  # written in place; of files each was looked at
    if (len(layers) > 1 or unread) and not report.failed:
        whole = Report()
        check_shape(node, whole)  # files that are right alone can be wrong together
        report.extend(_blame_overlay(found, removed) for found in whole.diagnostics)
    if not report.failed:
        node = without_stale_texts(node, {layer.file: layer.node for layer in layers}, removed, report)
    return _resolved(node, layers, removed)


def _resolved(node: Mapping, layers: list[_Layer], removed: Map[KeyPath, Span]) -> Resolved:
    files, ids, parts = zip(*((layer.file, layer.id, layer.node) for layer in layers), strict=True)
    return Resolved(node, files, ids, removed, all(layer.shipped for layer in layers), parts)


def _unknown(layer: _Layer, chain: list[_Layer]) -> list[_Layer]:
    """What of a ruleset with overlays of its own lies above the one that a further overlay was written for."""
    extends = layer.node.entries.get("extends")
    for number, other in enumerate(chain):
        if isinstance(extends, Scalar) and other.id == extends.text:
            return chain[number + 1 :]
    return []


def _blame_overlay(found: Diagnostic, removed: Map[KeyPath, Span]) -> Diagnostic:
    """A key that is missing because an overlay took it out is that overlay's fault, and is reported there."""
    spans = [span for path, span in removed.items() if found.message.endswith(f"the key '{path[-1]}'")]
    if found.code != "E202" or len(spans) != 1:
        return found
    at, rest = spans[0], f"{found.file}:{found.line}:{found.column}"
    return replace(
        found,
        file=at.file,
        line=at.line,
        column=at.column,
        length=at.end_column - at.column,
        hint=f"it is removed here, and what is left stands at {rest}",
    )


def _chain(source: Source, report: Report) -> list[_Layer]:
    """The ruleset and what it extends, base first; shorter when something is wrong."""
    layers: list[_Layer] = []
    layer = _open(source, report)
    while layer is not None:
        layers.insert(0, layer)
        extends = layer.node.entries.get("extends")
        if not isinstance(extends, Scalar):
            break
        path = locate(extends, report)
        if path is None or not _goes_on(path, extends, layers, report):
            break
        layer = _read(path, report)
    return layers


def _goes_on(path: Path, extends: Scalar, layers: list[_Layer], report: Report) -> bool:
    real = real_path(path)
    if layers[0].real == real:
        report.error("E302", extends.span, f"'{layers[0].file}' extends itself", "name the ruleset that it changes")
        return False
    if any(layer.real == real for layer in layers):
        way = [layer.file for layer in reversed(layers)]
        start = next(i for i, layer in enumerate(reversed(layers)) if layer.real == real)
        circle = " > ".join([*way[start:], way[start]])
        report.error("E302", extends.span, f"'extends' goes in a circle: {circle}", "one of them must not extend")
        return False
    if sum(layer.size for layer in layers) > MAX_TOGETHER:
        message = f"the files that extend one another are too large together: {MAX_TOGETHER:,} letters are allowed"
        report.error("E302", extends.span, message, "no ruleset needs as much; look for an accident")
        return False
    if len(layers) >= MAX_CHAIN:
        message = f"{len(layers) + 1} files extend one another, more than the {MAX_CHAIN} allowed"
        report.error("E302", extends.span, message, "join some of them into one file")
        return False
    return True


def files_in(folder: Path) -> list[Path]:
    """The YAML files of a folder, by name; none if it cannot be looked into, as when its path is too long or none."""
    try:
        return sorted(folder.glob("*.yaml"))
    except (OSError, UnicodeEncodeError):
        return []


def locate(named: Scalar, report: Report, key: str = "extends") -> Path | None:
    """The file that `extends` names, or another key: a shipped id, else a file in the folder of its own file or below.

    What cannot be had is reported at the name. Nothing else that a ruleset says leads to a file.
    """
    name, file = named.text, named.span.file
    folder, rulesets = Path(file).parent, shipped()
    if not is_path(name) and name in rulesets:
        return rulesets[name]
    if not is_allowed(name, folder):
        hint = "name a file beside this one or in a folder below, or a shipped ruleset"
        report.error("E303", named.span, f"'{key}' may not name '{name}'", hint)
        return None
    path = folder / (name if is_path(name) else f"{name}.yaml")
    if os.path.isfile(path) or _is_ours(real_path(path)):
        return path
    looked = "the current folder" if str(folder) == "." else str(folder)
    purpose = " to extend" if key == "extends" else ""
    if is_path(name):
        files = [p for p in files_in(path.parent) if p != Path(file) and p.is_file()]
        hint = suggest(name, [p.relative_to(folder).as_posix() for p in files], "files there")
        message = f"there is no file '{name}'{purpose}"
        if os.path.lexists(path):
            message = f"'{name}' is not an ordinary file"
        if name.removesuffix(".yaml") in shipped():
            hint = f"for the shipped game write '{name.removesuffix('.yaml')}'"
    else:
        beside = [p.stem for p in files_in(folder) if p != Path(file)]
        hint = suggest(name, [*rulesets, *beside])
        if not hint.startswith("did you mean"):
            hint = suggest(name, rulesets, "shipped rulesets")
        message = f"there is no ruleset '{name}'{purpose}"
        looked = f"the shipped rulesets and {looked}"
    report.error("E301", named.span, message, f"{hint} (looked in {looked})")
    return None


def is_allowed(name: str, folder: Path) -> bool:
    """Whether a ruleset in a folder may name that: a plain relative path that stays there, links followed too."""
    if not name.isprintable() or any(c in name for c in "\\:~") or name.startswith("/"):
        return False
    if ".." in name.split("/"):
        return False
    return lies_in(folder / (name if is_path(name) else f"{name}.yaml"), folder)


def _shown(path: Path) -> Path:
    """A shipped file as messages name it: from the current folder where it lies below that."""
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the current folder has been deleted
        return path
    return path.relative_to(here) if path.is_relative_to(here) else path


def _open(source: Source, report: Report, under: str | None = None) -> _Layer | None:
    """The file of an id or path. under: the id that an overlay is laid on, None for a ruleset of its own."""
    if isinstance(source, Mapping):
        return _Layer(source, source.span.file, "")
    if not isinstance(source, str | Path):
        message = f"a ruleset is an id or the path of a file, not {source!r}"
        report.extend([Diagnostic("error", "E301", message, str(source))])
        return None
    if isinstance(source, Path) or is_path(source):
        return _read(Path(source), report, under)
    rulesets = shipped()
    if source in rulesets:
        return _read(rulesets[source], report, under)
    if os.path.isfile(f"{source}.yaml"):
        hint = f"for the file, say '{source}.yaml'"
    else:
        hint = suggest(source, rulesets, "shipped rulesets")
    report.extend([Diagnostic("error", "E301", f"no ruleset is called '{source}'", source, hint=hint)])
    return None


def _read(path: Path, report: Report, under: str | None = None) -> _Layer | None:
    text, is_shipped = _said(path, report)
    if text is None:
        return None
    of = _understood_once if is_shipped else _understood_lately if len(text) <= MOST_KEPT else _understood
    node, misshapen, findings = of(text, str(path), under)
    report.extend(findings)
    return None if node is None else _Layer(node, str(path), real_path(path), misshapen, len(text), is_shipped)


def _said(path: Path, report: Report) -> tuple[str | None, bool]:
    """What a file says, and whether it came with the program, just as it lies there; of a shipped one it may be what an
    earlier version said, which is looked at like anybody's."""
    name = _shipped_id(path)
    earlier = None if name is None else earlier_texts.instead().get(name)
    lies_there = read_file(path, report if earlier is None else Report())
    text = lies_there if earlier is None else earlier
    if name is not None and text is not None:
        text = earlier_texts.noted(name, text)
    return text, name is not None and text == lies_there


def _shipped_id(path: Path) -> str | None:
    """The id of a shipped ruleset, whatever path leads to it; None if it is none."""
    try:
        real = real_path(path)
    except ValueError:  # a NUL in the path
        return None
    return Path(real).stem if _is_ours(real) else None


def _understood(
    text: str, file: str, under: str | None
) -> tuple[Mapping | None, tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """A file as a mapping, if it is one, what is wrong with its shape, and everything that is wrong."""
    report, shape = Report(), Report()
    node = parse_text(text, file, report)
    if not isinstance(node, Mapping):
        if node is not None:
            check_shape(node, report)
        return None, (), tuple(report.diagnostics)
    shaped = node
    if under is not None and "extends" not in node.entries:  # so that its shape is that of an overlay
        shaped = with_entry(node, "extends", Scalar(under, under, node.span, "plain"), node.span)
    check_shape(shaped, shape)
    report.extend(shape.diagnostics)
    is_too_much(node, report)
    return node, tuple(shape.diagnostics), tuple(report.diagnostics)


_understood_once = lru_cache(maxsize=64)(_understood)
"""For shipped files, which are asked for again and again; what is understood of a text never changes."""
_understood_lately = lru_cache(maxsize=8)(_understood)
"""For other files, which are often asked for again at once: to be validated, then to be played."""


# ---- whether overlays go together -------------------------------------------------------------


def _check_laid(layer: _Layer, below: list[_Layer], report: Report) -> None:
    """An overlay that says what it extends is laid only on that."""
    if layer.real and any(layer.real == other.real for other in below):
        message = f"'{layer.id}' is already part of this ruleset"
        report.error("E307", layer.place, message, "lay it on only once")
        return
    extends = layer.node.entries.get("extends")
    if not isinstance(extends, Scalar):
        return
    path = locate(extends, report)
    if path is None or any(other.real == real_path(path) for other in below):
        return
    ids = ", ".join(other.id for other in below)
    message = f"'{layer.id}' extends '{extends.text}' and cannot be laid on {below[-1].id}"
    report.error("E307", extends.span, message, f"it could extend one of: {ids}")


def _check_company(layers: list[_Layer], report: Report) -> None:
    """`needs`: ids of files that lie below. `conflicts`: ids of files that must not be there at all."""
    ids = [layer.id for layer in layers]
    for i, layer in enumerate(layers):
        for item in texts_of(layer.node, "needs"):
            if item.text not in ids[:i]:
                message = f"'{layer.id}' needs '{item.text}', which does not lie below it"
                report.error("E307", item.span, message, f"lay '{item.text}' on before '{layer.id}'")
        for item in texts_of(layer.node, "conflicts"):
            if item.text in ids and item.text != layer.id:
                message = f"'{layer.id}' does not go together with '{item.text}'"
                report.error("E307", item.span, message, "leave one of them out")
