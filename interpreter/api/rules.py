"""Rules that have been checked: a file with what is laid on it, its options and variants, and programs of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_
from pathlib import Path
from typing import Any, Self, TypeVar

from interpreter.api.options import Option, OptionError, choose_options, option_as_seen, require_late, told_as_options
from interpreter.base.depth import as_deep_as_anywhere
from interpreter.base.diagnostics import Diagnostic, Report, RulesetError, Span, suggest
from interpreter.base.english import players_told
from interpreter.base.memory import forget_oldest, no_collecting
from interpreter.compiler import compile_game
from interpreter.engine.position import Origin
from interpreter.engine.program import Program
from interpreter.language import source
from interpreter.language.check import check
from interpreter.language.model import Model, VariantDef
from interpreter.language.overlay import Resolved, Source, apply_patch, is_path, removals, resolve, shipped
from interpreter.language.overlay.blame import blame
from interpreter.language.shape import check_shape
from interpreter.language.tree import replace as with_changes

MAX_VARIANTS = 20
"""The most variants in one game."""
MOST_KEPT = 32
"""Shipped rulesets that are not checked again when they are loaded again, and programs of one ruleset."""
MOST_KEPT_OF_OTHERS = 4
"""Other rulesets that are not checked again: who validates a file goes on to play it."""


@dataclass(frozen=True, slots=True)
class Variant:
    doc: str


@dataclass(frozen=True, slots=True)
class Players:
    """How many can play: `counts` are the numbers from `min` to `max` that can, in order."""

    min: int
    max: int
    default: int
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Rules:
    """What a ruleset is, but for the games that are made of it; see `Ruleset`."""

    model: Model
    node: source.Mapping
    warnings: tuple[Diagnostic, ...] = ()
    files: tuple[str, ...] = ()
    _games: dict[str, Program] = field(default_factory=dict, repr=False, compare=False)
    _varied: dict[str, Self] = field(default_factory=dict, repr=False, compare=False)
    """By the name of a variant, this ruleset with its changes."""
    _removed: Mapping[tuple[str, ...], Span] = field(default_factory=dict, repr=False, compare=False)
    """What overlays and patches have taken out, and where."""
    _laid: tuple[Source, ...] = field(default=(), repr=False, compare=False)
    """What was laid on the ruleset when it was loaded; the last of its files."""
    _compile: Callable[[Model, int, Mapping[str, Any], bool], Program] = field(
        default=compile_game, repr=False, compare=False
    )

    @property
    def id(self) -> str:
        return self.model.id

    @property
    def name(self) -> str:
        return self.model.name

    @cached_property
    def players(self) -> Players:
        found = self.model.players
        return Players(found.minimum, found.maximum, found.default, found.counts)

    @cached_property
    def options(self) -> dict[str, Option]:
        return {name: option_as_seen(o, self.model.players.default) for name, o in self.model.options.items()}

    @property
    def removed(self) -> Mapping[tuple[str, ...], Span]:
        """What overlays took out: the keys that led to it, and where they say so."""
        return self._removed

    @cached_property
    def variants(self) -> dict[str, Variant]:
        return {name: Variant(v.doc) for name, v in self.model.variants.items()}

    @cached_property
    def digest(self) -> str:
        """A hash of everything the resolved ruleset says, in its order: by that cards are numbered, and dealt."""
        text = json.dumps(source.to_plain(self.node), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @cached_property
    def origin(self) -> Origin:
        """The ruleset as messages of a match speak of it."""
        return Origin(self.files, self.node, "" if self.model.honor is None else self.model.honor.claim)

    def sources(self, anywhere: bool = False) -> list[str]:
        """Where the ruleset is found again: shipped ids and paths, the base first, then what is laid on it. anywhere:
        whichever folder is the current one then."""
        known = {path.resolve(): name for name, path in shipped().items()}
        return [
            known.get(Path(file).resolve()) or _as_path(str(Path(file).absolute()) if anywhere else file)
            for file in self.files
        ]

    def compiled_by(self, make: Callable[[Model, int, Mapping[str, Any], bool], Program]) -> Self:
        """This ruleset with another way to make programs."""
        return replace(self, _games={}, _varied={}, _compile=make)

    def with_variants(self, variants: Sequence[str]) -> Self:
        """The ruleset with the patches of variants laid on, or the one that a variant names, with what is laid on this
        one. Raises OptionError, also for variants of which one would undo another, and RulesetError where one does not
        fit."""
        chosen: dict[str, VariantDef] = {}
        for name in variants:
            if name not in self.model.variants:
                hint = suggest(name, self.model.variants, "variants")
                if (option := name.replace(" ", "_").replace("-", "_")) in self.model.options:
                    hint = f"'{option}' is an option"
                raise OptionError(f"no variant is called '{name}'; {hint}")
            chosen[name] = self.model.variants[name]
        _check_together(chosen)
        found = self
        for name, variant in chosen.items():
            if variant.ruleset:
                laid = self._laid_on(name)
                found = loaded(type(self), Path(variant.ruleset), laid)  # which may have changed since it was read
            elif variant.has_patch:
                found = found.patched(name)
        whole = next((name for name, variant in chosen.items() if variant.ruleset), "")
        for name, variant in chosen.items() if whole else ():
            if name != whole and not variant.set.keys() <= found.options.keys():
                raise OptionError(f"'{whole}' is a ruleset of its own, in which there is nothing that '{name}' sets")
        return found

    def _laid_on(self, name: str) -> tuple[Source, ...]:
        """What is laid on the file that says which ruleset a variant is; what that file itself changes is this one."""
        where = self.node.entries["variants"].entries[name].entries["ruleset"].span.file  # type: ignore[union-attr]
        return self._laid[max(0, self.files.index(where) + 1 - (len(self.files) - len(self._laid))) :]

    def patched(self, name: str) -> Self:
        """The ruleset with the changes of one of its variants laid on. Raises RulesetError where they do not fit."""
        if name not in self._varied:
            report = Report()
            patch = self.node.entries["variants"].entries[name].entries["patch"]  # type: ignore[union-attr]
            merged = apply_patch(self.node, patch, report, self._removed)  # type: ignore[arg-type]
            report.raise_errors()
            check_shape(merged, report)
            report.raise_errors()
            removed = {**self._removed, **removals(patch)}  # type: ignore[arg-type]
            varied = checked(type(self), merged, report, self.files, removed, self.model.shipped)
            self._varied[name] = replace(varied, _compile=self._compile, _laid=self._laid)
        return self._varied[name]

    def settled(
        self, players: int | None, options: Mapping[str, Any], variants: Sequence[str], honor: bool, asked: Rules
    ) -> tuple[int, dict[str, Any], Program]:
        """How many play, what is chosen for each option, and the program of that.

        asked: the rules of which the variants are, without their changes. Raises OptionError.
        """
        model = self.model
        given: dict[str, Any] = {}
        count = players
        for name in variants:
            variant = asked.model.variants[name]
            given.update(variant.set)
            count = variant.players if count is None else count
        given.update(options)
        count = model.players.default if count is None else count
        if type(count) is not int or count not in model.players.counts:
            raise OptionError(f"players: {self.name} is for {players_told(*model.players.counts)}, not {count!r}")
        with told_as_options():
            chosen = choose_options(model, count, given, honor)
        key = json.dumps([count, honor, {k: repr(v) for k, v in sorted(chosen.items())}])
        program = self._games.get(key)
        if program is None:
            with told_as_options():
                with no_collecting(), as_deep_as_anywhere():
                    program = self._compile(model, count, chosen, honor)
                require_late(model, program)
            self._games[key] = program
            if len(self._games) > MOST_KEPT:
                forget_oldest(self._games)
        return count, chosen, program


Kind = TypeVar("Kind", bound=Rules)


def _check_together(variants: Mapping[str, VariantDef]) -> None:
    """Refuse a variant that is another ruleset beside one that changes this one, or is another as well: one of the two
    would count for nothing. Raises OptionError."""
    other = next((name for name, variant in variants.items() if variant.ruleset), "")
    for name, variant in variants.items() if other else ():
        if name != other and (variant.ruleset or variant.has_patch):
            why = f"'{other}' is a ruleset of its own, and '{name}' changes this one"
            if variant.ruleset:
                why = "each is a ruleset of its own"
            raise OptionError(f"the variants '{other}' and '{name}' cannot be used together: {why}")


def _as_path(file: str) -> str:
    """A file as a path that no shipped id can be taken for."""
    path = Path(file).as_posix()
    return path if is_path(path) else f"./{path}"


def checked(
    kind: type[Kind],
    node: source.Mapping,
    report: Report,
    files: tuple[str, ...],
    removed: Mapping[tuple[str, ...], Span] | None = None,
    shipped: bool = False,
) -> Kind:
    """The ruleset that a tree says. kind: as what it is given. Raises RulesetError."""
    own = Report()
    model = check(node, own, removed, files)
    report.extend(blame(own.diagnostics, node, files, removed or {}) if own.failed else own.diagnostics)
    report.raise_errors()
    assert model is not None
    settled = with_changes(model, shipped=shipped)
    return kind(settled, node, tuple(report.sorted()), files, _removed=removed or {})


@no_collecting()
@as_deep_as_anywhere()
def loaded(kind: type[Kind], path: Source, overlays: Sequence[Source] = ()) -> Kind:
    """The ruleset of a shipped id or path, with overlays laid on top in order. kind: as what it is given.

    Raises RulesetError; its `.diagnostics` are everything that is wrong.
    """
    report = Report()
    stack = (overlays,) if isinstance(overlays, str | Path) or not isinstance(overlays, Sequence) else overlays
    try:
        found = resolve(path, report, stack=stack)
        report.raise_errors()
        assert found is not None
        return of_files(kind, found, report, stack)
    except RecursionError as error:
        raise RulesetError([too_deep(path)]) from error


def of_files(kind: type[Kind], found: Resolved, report: Report, laid: Sequence[Source]) -> Kind:
    """The ruleset that files are; the same one again if it was asked for lately and the files say the same.

    laid: the last of the files, which were laid on the others. What there is to warn of goes into `report`.
    Raises RulesetError.
    """
    kept, most = (_shipped, MOST_KEPT) if found.shipped else (_lately, MOST_KEPT_OF_OTHERS)
    key = str(len(laid)), *found.files
    parts, ruleset = kept.pop(key, ((), None))
    if not isinstance(ruleset, kind) or not all(map(is_, parts, found.parts)):
        ruleset = checked(kind, found.node, report, found.files, found.removed, found.shipped)
        ruleset = replace(ruleset, _laid=tuple(laid))
    else:
        told = set(report.diagnostics)
        report.extend(warning for warning in ruleset.warnings if warning not in told)
    kept[key] = found.parts, ruleset
    if len(kept) > most:
        forget_oldest(kept)
    return ruleset


Kept = dict[tuple[str, ...], tuple[tuple[source.Mapping, ...], Rules]]
_shipped: Kept = {}
_lately: Kept = {}
"""Rulesets that have been checked, by their files, with what stands in these; the last one used comes last."""


def too_deep(path: Source) -> Diagnostic:
    """What is said of a file that nobody can read to its end."""
    where = path.span.file if isinstance(path, source.Mapping) else str(path)
    return Diagnostic("error", "E404", "the file is too deeply nested", where)
