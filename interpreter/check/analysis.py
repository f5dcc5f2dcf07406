"""What can be seen without playing: circles, stages never reached, repeats without end, names never used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Map
from difflib import get_close_matches

from interpreter import typed as t
from interpreter.check.effects import Effects
from interpreter.check.flow import Flow
from interpreter.check.names import Names
from interpreter.diagnostics import Report, Span
from interpreter.model import ActionDef, DefineInstance, StageDef
from interpreter.source import Mapping

ASKING = ("turn", "trick", "ask", "simultaneous", "race", "claims")


def check_reach(stages: dict[str, StageDef], effects: Effects, flow: Flow, report: Report) -> None:
    """Every stage stands in a list or is called. Not looked at where a list or call names a stage that is not there."""
    if any(d.code == "E509" for d in report.diagnostics):
        return
    reached: set[str] = set()
    waiting = ["match"] if "match" in stages else []
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        waiting += stages[name].children
        waiting += [target for source, target, _ in effects.calls if source == name or source == ""]
    for name, stage in stages.items():
        if name not in reached and reached:
            hint = "name it in the 'do' or 'repeat' of another stage, or call it"
            report.error("E511", stage.span, f"the stage '{name}' is never reached", hint)


def check_repeats(
    stages: dict[str, StageDef], effects: Effects, flow: Flow, report: Report, removed: Map[tuple[str, ...], Span]
) -> None:
    for name, stage in stages.items():
        ends = stage.until is not None or any(a in effects.finished for a in flow.ancestors(name))
        if stage.kind == "repeat" and not ends:
            hint = f"add 'until: CONDITION', or say 'finish {name}' somewhere"
            at = removed.get(("flow", name, "until"))
            if at is not None:
                hint = f"its end is removed here: give 'until' another condition, or say 'finish {name}' somewhere"
            report.error("E512", at or stage.span, f"the stage '{name}' repeats for ever", hint)


def check_faults(effects: Effects, stages: dict[str, StageDef], flow: Flow, report: Report) -> None:
    """The effect `fault NAME of p` may bring a name of its own, but not one that is nearly another."""
    honor = flow.root.get("honor")
    special = honor.get("laws") if isinstance(honor, Mapping) else None
    known = {*flow.names.laws, *flow.names.announced, *(special.entries if isinstance(special, Mapping) else ())}
    known |= {law.fault for stage in stages.values() for action in stage.actions for law in action.laws}
    for name, span in effects.faults.items():
        close = get_close_matches(name, known, n=1, cutoff=0.8)
        if close and name not in known:
            message = f"no law or announcement is called '{name}'"
            report.error("E509", span, message, f"did you mean '{close[0]}'?")


def check_circles(stages: dict[str, StageDef], automatic: list[tuple[str, str, Span]], report: Report) -> None:
    """Calls that can follow each other without a move in between must not lead back."""
    edges: dict[str, list[tuple[str, Span | None]]] = {name: [] for name in stages}
    for source, target, span in automatic:
        if source in edges and target in stages:
            edges[source].append((target, span))
    for name, stage in stages.items():
        for inner in stage.children:
            edges[name].append((inner, None))
            if asks(inner, stages, set()):
                break
    for name in stages:
        path = _circle(name, edges, [], set())
        if path is not None:
            span = next(s for _, s in path if s is not None)
            way = " -> ".join([path[-1][0], *(n for n, _ in path)])
            report.error(
                "E510", span, f"calls go in a circle without a move in between: {way}", "let a player decide in between"
            )
            return


def asks(name: str, stages: dict[str, StageDef], seen: set[str]) -> bool:
    """Whether going through the stage asks somebody for a move."""
    if name in seen or name not in stages:
        return False
    stage = stages[name]
    if stage.kind in ASKING:
        return True
    return any(asks(c, stages, seen | {name}) for c in stage.children)


def _circle(
    name: str, edges: dict[str, list[tuple[str, Span | None]]], path: list[tuple[str, Span | None]], done: set[str]
) -> list[tuple[str, Span | None]] | None:
    for target, span in edges[name]:
        names = [n for n, _ in path]
        if target in names:
            loop = [*path[names.index(target) + 1 :], (target, span)]
            if any(s is not None for _, s in loop):
                return loop
            continue
        if target in done:
            continue
        found = _circle(target, edges, [*path, (target, span)], done)
        if found is not None:
            return found
    done.add(name)
    return None


def check_can(stages: dict[str, StageDef], instances: dict[str, DefineInstance], report: Report) -> None:
    """Whether an action is possible must not hang on whether it is: uses of `can` do not go in circles."""
    actions = {f"{name}.{a.name}": a for name, stage in stages.items() for a in (*stage.actions, *stage.anytime)}
    edges: dict[str, list[tuple[str, Span | None]]] = {
        key: [(meant, span) for asked, span in _asked(action, instances, set()) for meant in _meant(asked, actions)]
        for key, action in actions.items()
    }
    for key in edges:
        path = _circle(key, edges, [], set())
        if path is not None:
            way = " -> ".join([path[-1][0], *(n for n, _ in path)])
            span = next(s for _, s in path if s is not None)
            report.error(
                "E506", span, f"'can' goes in a circle: {way}", "an action cannot depend on whether it can be done"
            )
            return


def _asked(node: object, instances: dict[str, DefineInstance], seen: set[str]) -> Iterator[tuple[str, Span]]:
    """Actions that `can` asks about in the conditions of an action, in definitions too."""
    parts = node
    if isinstance(node, ActionDef):
        parts = (node.when, node.params, [law.law for law in node.laws], node.row, [row.params for row in node.rows])
    for found in t.walk(parts):
        if isinstance(found, t.Op) and found.op == "can":
            yield found.name, found.span
        elif isinstance(found, t.Instance) and found.key not in seen and found.key in instances:
            seen.add(found.key)
            yield from _asked(instances[found.key].body, instances, seen)


def _meant(key: str, actions: Iterable[str]) -> list[str]:
    stage, _, action = key.partition(".")
    return [a for a in actions if a.partition(".")[2] == action] if stage == t.ANYWHERE else [key]


def check_used(root: Mapping, names: Names, report: Report) -> None:
    """Warnings for what is declared and never used.

    Only for what the outermost file declares, as `id` is always its own: an overlay may well need less than its base.
    Nothing is said while something is wrong: what does not parse uses nothing.
    """
    if report.failed:
        return
    file = root.keys["id"].file
    groups: dict[str, tuple[str, Iterable[str]]] = {
        "options": ("option", names.options),
        "zones": ("zone", names.zones),
        "state": ("variable", names.variables),
        "values": ("table", names.tables),
        "tokens": ("token", names.tokens),
        "define": ("definition", names.definitions),
    }
    for collection, (word, declared) in groups.items():
        node = root.get(collection)
        for name in declared:
            if (collection, name) in names.used or name == "score":
                continue
            span = _place(node, name)
            if span is not None and span.file == file:
                report.warning("W601", span, f"the {word} '{name}' is never used", "use it, or leave it out")


def _place(node: object, name: str) -> Span | None:
    if not isinstance(node, Mapping):
        return None
    for key, span in node.keys.items():
        if key == name or key.split("(")[0].strip() == name:
            return span
    return None


def table_clashes(
    patterns: list[tuple[str, Span]], cards: Iterator[tuple[str, str, str]], file: str
) -> list[tuple[Span, str, str, str]]:
    """Pairs of a rank row and a suit row that claim the same card: (place, row, other row, card).

    The place is the later of the two rows, and that of the outermost file before one of a ruleset below.
    """
    ranks = {p: s for p, s in patterns}
    found = []
    for card, rank, suit in cards:
        if rank in ranks and suit in ranks and card not in ranks:
            later = max(ranks[rank], ranks[suit], key=lambda s: (s.file == file, s.line, s.column))
            found.append((later, rank, suit, card))
    return found
