"""Everything that can be said of a file before anybody plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from interpreter.api.game import Ruleset
from interpreter.api.options import choose_options, unmet_requirement
from interpreter.api.rules import of_files, too_deep
from interpreter.base.depth import as_deep_as_anywhere
from interpreter.base.diagnostics import Diagnostic, Report, RulesetError, Span
from interpreter.base.english import players_told
from interpreter.base.memory import no_collecting
from interpreter.compiler import faults_of, unmet
from interpreter.compiler.constant import Impossible, NotConstant, Settled
from interpreter.compiler.counts import choice_problems, deal_problems
from interpreter.compiler.layout import lay_out
from interpreter.language.check import check
from interpreter.language.model import Model
from interpreter.language.overlay import Source, resolve
from interpreter.language.overlay.blame import changed_in
from interpreter.language.overlay.files import rest_of
from interpreter.language.overlay.pruning import certain


@no_collecting()
@as_deep_as_anywhere()
def validate(path: Source, overlays: Sequence[Source] = ()) -> list[Diagnostic]:
    """Everything that can be said of a file with overlays laid on it in order, errors and warnings.

    Never raises for a bad file.
    """
    report = Report()
    try:
        found = resolve(path, report, stack=overlays)
        if found is None or report.failed:
            report.extend(_in_the_rest(path, overlays, report))
            return report.sorted()
        ruleset = of_files(Ruleset, found, report, overlays)
    except RulesetError:
        return report.sorted()
    except RecursionError:
        return [too_deep(path)]
    report.extend(_in_variants(ruleset))
    if report.failed:
        return report.sorted()
    return [*report.sorted(), *_try_games(ruleset)]


def _in_variants(ruleset: Ruleset) -> list[Diagnostic]:
    """What is wrong with the ruleset as the patches of its variants change it, each by itself."""
    report = Report()
    for name, variant in ruleset.model.variants.items():
        if variant.has_patch and not variant.ruleset:
            try:
                ruleset.patched(name)
            except RulesetError as error:
                report.extend(d for d in error.diagnostics if d.severity == "error")
    return report.sorted()


def _in_the_rest(path: Source, overlays: Sequence[Source], report: Report) -> list[Diagnostic]:
    """Where keys or types are wrong, what else is certainly wrong."""
    if any(d.severity == "error" and not d.code.startswith("E2") for d in report.diagnostics):
        return []
    found, own = rest_of(path, overlays), Report()
    if found is None:
        return []
    rest, ways = found
    with suppress(Exception):  # what is left may lack anything; what is wrong with its shape has been told
        check(rest.node, own, rest.removed, rest.files)
    files = set(rest.files[-1 - len(overlays) :])
    return [d for d in certain(own.diagnostics, ways) if d.file in files]


def _try_games(ruleset: Ruleset) -> list[Diagnostic]:
    """Look at the default game for every number of players: packs too small and other things only numbers show.

    It is made for the usual number; on honour, and for the least and the greatest, it is only looked at. For the others
    it is asked whether it can be played.
    """
    report = Report()
    players = ruleset.model.players
    refused: dict[int, ValueError] = {}
    counts = players.counts
    looks_at_cards: bool | None = None
    faults: dict[Span, str] = {}
    for count in dict.fromkeys((players.default, players.minimum, players.maximum, *counts)):
        try:
            options = choose_options(ruleset.model, count)
            if looks_at_cards is None:
                looks_at_cards = _looks_at_cards(ruleset.model, options, count)
            faults = _stops(ruleset, count, options, looks_at_cards) | faults
            layout = lay_out(ruleset.model, count, options, False)
            deal_problems(layout, report)
            if count == players.default:
                choice_problems(layout, report)
        except ValueError as error:  # the options do not fit, or nothing can be made of them
            refused[count] = error.__cause__ if isinstance(error.__cause__, Impossible) else error
        except RulesetError as error:
            report.extend(error.diagnostics)
    if report.failed:
        return report.sorted()
    if len(refused) == len(counts):
        return _no_game(ruleset, refused)
    for span, message in faults.items():
        report.warning("W606", span, message, "let the options decide whether it comes to that, with 'if' or 'when'")
    alike: dict[tuple[Span, str], list[int]] = {}
    for count, problem in sorted(refused.items()):
        place = problem.span if isinstance(problem, Impossible) else _cause(ruleset, problem) or players.span
        alike.setdefault((place, str(problem)), []).append(count)
    for (place, why), some in alike.items():
        report.warning("W602", place, f"with {players_told(*some)} the default options do not fit: {why}")
    report.extend(_variants_ruled_out(ruleset))
    return report.sorted()


def _cause(ruleset: Ruleset, problem: ValueError) -> Span | None:
    """Where an overlay has changed what options or players do not fit any more; None where it is the base that does."""
    return changed_in(ruleset.node, (*getattr(problem, "about", ()), ("players",)), ruleset.files)


def _variants_ruled_out(ruleset: Ruleset) -> list[Diagnostic]:
    """The variants of a base that fit no number of players any more, for what an overlay changes."""
    report, model = Report(), ruleset.model
    for name, variant in model.variants.items() if len(ruleset.files) > 1 else ():
        refused: ValueError | None = None
        for count in (variant.players,) if variant.players else model.players.counts:
            try:
                choose_options(model, count, variant.set)
                break
            except ValueError as error:
                refused = error
        else:
            place = _cause(ruleset, refused) if refused is not None and not variant.ruleset else None
            if place is not None:
                hint = f"let the variant set what goes with it, or take it out: 'variants: {{{name}: null}}'"
                report.warning("W612", place, f"the variant '{name}' does not fit any more: {refused}", hint)
    return report.sorted()


def _stops(ruleset: Ruleset, count: int, options: Mapping[str, Any], looks_at_cards: bool) -> dict[Span, str]:
    """Where a match with so many players would stop, and what is said of it. Raises OptionError, RulesetError."""
    model, players = ruleset.model, ruleset.model.players
    if count == players.default:
        strictly = {span: why for why, span in ruleset.game(count).program.faults}
        options = choose_options(model, count, honor=True)
        _require_met(model, count, options, looks_at_cards, honor=True)
        on_honor = {fault.span: f"on honour {fault}" for fault in faults_of(model, count, options, True)}
        found = on_honor | strictly
    else:
        _require_met(model, count, options, looks_at_cards, honor=False)
        looked_into = count in (players.minimum, players.maximum)
        faults = faults_of(model, count, options, False) if looked_into else []
        found = {fault.span: f"with {players_told(count)} {fault}" for fault in faults}
    return {span: f"{why}, where the match stops" for span, why in found.items()}


def _require_met(model: Model, players: int, options: Mapping[str, Any], looks_at_cards: bool, honor: bool) -> None:
    """Ask what requirements ask of the cards. Raises OptionError."""
    if looks_at_cards and (name := unmet(model, players, options, honor, again=not honor)):
        raise unmet_requirement(next(r for r in model.requirements if r.name == name))


def _looks_at_cards(model: Model, options: Mapping[str, Any], players: int) -> bool:
    """Whether a requirement asks more than options and players."""
    try:
        for rule in model.requirements:
            Settled(options, players, ranks=model.ranks).constant(rule.law)
    except NotConstant:
        return True
    return False


def _no_game(ruleset: Ruleset, refused: Mapping[int, ValueError]) -> list[Diagnostic]:
    """Why no number of players can play."""
    report = Report()
    for count, error in refused.items():
        if isinstance(error, Impossible):
            report.error(error.code, error.span, str(error), error.hint)
        elif not report.failed:
            message = f"the default options fit no number of players; with {count}: {error}"
            hint = "change a default, or what must hold in 'require'"
            report.error("E520", _cause(ruleset, error) or ruleset.model.players.span, message, hint)
            break
    return report.sorted()
