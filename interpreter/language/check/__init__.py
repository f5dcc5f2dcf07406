"""The one tree of a ruleset becomes its typed model: names, types, bounds, reach, and all that needs no players."""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence

from interpreter.base.diagnostics import MAX_FINDINGS, Enough, Report, Span
from interpreter.language import typed as t
from interpreter.language.amounts import is_too_much
from interpreter.language.check.analysis import (
    check_faults,
    check_lapsing,
    check_reach,
    check_repeats,
    check_requirements,
    check_used,
    table_clash,
)
from interpreter.language.check.at_once import check_at_once
from interpreter.language.check.chosen_cards import check_chosen
from interpreter.language.check.declarations import Declarations, stage_names
from interpreter.language.check.effects import Effects
from interpreter.language.check.entries import child, entries, listing, text_of
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.flow import Flow
from interpreter.language.check.hiding import turned_down
from interpreter.language.check.leading_back import check_asking, check_circles, check_tables
from interpreter.language.check.length import check_parts
from interpreter.language.check.looks import looks, zones_laid_out
from interpreter.language.check.meld_section import Melds
from interpreter.language.check.names import CODES, Names
from interpreter.language.check.secrecy import check_secrets
from interpreter.language.check.sentences import Sentences
from interpreter.language.check.unused import check_unused
from interpreter.language.model import Model, StageDef, TableDef, ZoneDef
from interpreter.language.source import Mapping

__all__ = ["CODES", "check"]


def check(
    root: Mapping, report: Report, removed: Map[tuple[str, ...], Span] | None = None, files: Sequence[str] = ()
) -> Model | None:
    """The typed model of a resolved, well-shaped ruleset; None if anything is wrong (the report says what).

    removed: what overlays took out, by path, to blame them for what is missing. files: the base and what is laid on it.
    """
    report.most = MAX_FINDINGS
    try:
        return _check(root, report, removed or {}, files)
    except Enough:
        return None
    finally:
        report.most = None


def _check(root: Mapping, report: Report, removed: Map[tuple[str, ...], Span], files: Sequence[str]) -> Model | None:
    if is_too_much(root, report):
        return None
    names = Names()
    expressions = Expressions(names, report, files)
    declared = Declarations(root, names, expressions, report)
    players = declared.players()
    declared.cards.ranks_and_suits()
    declared.options.read()
    declared.table_names()
    declared.zones()
    declared.tokens()
    names.stages = stage_names(root, declared)
    declared.variables()
    declared.definitions()
    melds = Melds(root, names, expressions, declared.values, report)
    melds.declare()
    declared.options.melds_asked_for()
    effects = Effects(expressions)
    flow = Flow(root, names, declared.values, effects)
    flow.tree()
    if flow.too_deep:
        return None
    flow.collect_names()
    tables = declared.tables()
    pack, drawn = declared.cards.pack(), looks(root, names, report)
    declared.zone_details()
    melds.details()
    declared.variable_details()
    requirements = declared.options.requirements()
    variants = declared.options.variants(players)
    stages, automatic = _stages(names, flow, effects)
    honor, how = flow.honor.read(), flow.advices.how(root)
    check_faults(effects, stages, flow, report)
    check_unused(names, effects, report)
    shown, askable = declared.shown()
    counts = declared.counted(askable)
    names.zones = zones_laid_out(root, turned_down([stages, honor], names.zones), report)
    sentences = Sentences(names, expressions.instances, tables, stages, askable, report)
    sentences.check()
    always_shown, shown_as = sentences.on_the_table(root, shown, removed)
    stages = sentences.known_stages()
    _check_pack_zone(names.zones, root, report)
    unread = any(d.code.startswith("E4") for d in report.diagnostics)  # what does not read may do anything
    deals = unread or effects.sets_dealer or any(s.first_dealer is not None for s in stages.values())
    if expressions.needs_dealer and not deals:
        hint = "say 'first dealer: random', or who deals first, on the stage around the deals"
        report.error("E505", expressions.needs_dealer, "nobody is ever the dealer here", hint)
    _check_tables(tables, names, root, report)
    check_tables(tables, expressions.instances, report)
    flow.advices.check(tables, expressions.instances, report)
    check_requirements(requirements, tables, expressions.instances, report)
    if not unread and not any(d.code == "E509" for d in report.diagnostics):
        check_reach(stages, effects, flow, report, root.keys["id"].file)
        check_repeats(stages, effects, flow, report, removed)
    check_circles(stages, automatic, report)
    check_asking(stages, names.melds, expressions.instances, tables, report)
    secret = check_secrets(stages, names, tables, expressions.instances, shown, [stages, honor], report)
    check_at_once(stages, names.zones, names.variables, report)
    teams = root.get("teams")
    size = child(teams, "size")
    team_size = None if size is None else declared.values.value(size, t.INTEGER)
    check_used(root, names, report)
    check_lapsing(stages, flow, honor, expressions.instances, report, root.keys["id"].file)
    if report.failed:
        return None
    model = Model(
        id=text_of(root.get("id")), name=text_of(root.get("name")), about=text_of(root.get("about")),
        notes=tuple(text_of(n) for n in listing(root.get("notes"))), players=players, team_size=team_size,
        team_seated="side by side" if text_of(child(teams, "seated")) == "side by side" else "across",
        options=names.options, requirements=requirements, variants=variants, pack=pack, ranks=names.ranks, looks=drawn,
        orders=names.orders, suits=names.suits, zones=names.zones, tokens=names.tokens, variables=names.variables,
        tables=tables, melds=names.melds, instances=expressions.instances, shown=shown, askable=askable, stages=stages,
        honor=honor, reseats=effects.reseats, how=how, always_shown=always_shown, shown_as=shown_as, counts=counts,
        secret=secret,
    )  # fmt: skip
    check_parts(model, report)
    check_chosen(model, report)
    return None if report.failed else model


def _stages(names: Names, flow: Flow, effects: Effects) -> tuple[dict[str, StageDef], list[tuple[str, str, Span]]]:
    """The stages by name, and the calls of stages that are made before anybody is asked: whence, whither and where."""
    stages = {}
    automatic: list[tuple[str, str, Span]] = []
    for index, name in enumerate(names.stages):
        before = len(effects.calls)
        stages[name] = flow.stage(name, index)
        if stages[name].kind not in ("turn", "trick", "ask", "simultaneous", "race", "claims"):
            automatic += effects.calls[before:]
    for name in names.stages:  # the setup of an asking stage runs before anybody is asked
        node = child(names.stages[name].node, "setup")
        if node is not None and stages[name].kind in ("turn", "trick", "ask", "simultaneous", "race"):
            before = len(effects.calls)
            effects.node(node, flow.scope(name))
            automatic += effects.calls[before:]
            del effects.calls[before:]
    return stages, automatic


def _check_pack_zone(zones: dict[str, ZoneDef], root: Mapping, report: Report) -> None:
    starts = [z for z in zones.values() if z.pack]
    if len(starts) != 1:
        at = starts[1].span if starts else root.keys["zones"]
        what = "more than one zone is" if starts else "no zone is"
        report.error("E516", at, f"{what} marked as the place where the pack begins", "one zone has 'pack: true'")
    elif starts[0].dims:
        report.error("E516", starts[0].span, "the pack begins in a single zone, not in one for each")


def _check_tables(tables: dict[str, TableDef], names: Names, root: Mapping, report: Report) -> None:
    """No card may be claimed by two rows of a table, or of `cards`, of which neither is more special."""
    patterns = [[(r.pattern, r.span) for r in table.rows] for table in tables.values() if table.by is None]
    patterns.append([(names.card_name(key) or key, span) for key, _, span in entries(root.get("cards"))])
    for rows in patterns:
        clash = table_clash(rows, names.ranks, names.suits, root.keys["id"].file)
        if clash is not None:
            span, one, other, card = clash
            message = f"the rows '{one}' and '{other}' both claim {card}"
            report.error("E514", span, message, f"add a row for {card}, or say it by cards")
