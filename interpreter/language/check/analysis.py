"""What can be seen without playing: stages never reached, repeats without end, names never used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Map

from interpreter.base.diagnostics import Report, Span, nearest
from interpreter.language import typed as t
from interpreter.language.check.before_play import WITHOUT_TABLE, known_in_play
from interpreter.language.check.effects import Effects
from interpreter.language.check.flow import Flow
from interpreter.language.check.names import Names
from interpreter.language.model import ActionDef, DefineInstance, HonorDef, Requirement, StageDef, SuitDef, TableDef
from interpreter.language.source import Mapping


def check_reach(stages: dict[str, StageDef], effects: Effects, flow: Flow, report: Report, file: str) -> None:
    """Every stage stands in a list or is called. file: the outermost one."""
    reached: set[str] = set()
    calls: dict[str, list[str]] = {}
    for source, target, _ in effects.calls:
        calls.setdefault(source, []).append(target)
    waiting = ["match"] if "match" in stages else []
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        waiting += stages[name].children
        waiting += [*calls.get(name, ()), *calls.pop("", ())]
    for name, stage in stages.items():
        if name not in reached and reached:
            hint = "put it beside a stage with 'before: STAGE' or 'after: STAGE', "
            hint += "name it in a 'do' or 'repeat', or call it"
            if stage.span.file != file:
                hint = f"an overlay has taken away what led there: take it out too, '{name}: null', or {hint}"
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
        close = nearest(name, sorted(known), 0.8)
        if close and name not in known:
            message = f"no law or announcement is called '{name}'"
            report.error("E509", span, message, f"did you mean '{close}'?")


def check_requirements(
    requirements: Iterable[Requirement],
    tables: dict[str, TableDef],
    instances: dict[str, DefineInstance],
    report: Report,
) -> None:
    """Requirements are tested before there is a table to look at, so nothing that they ask looks at one."""
    for rule in requirements:
        for node, what in known_in_play(rule.law, tables, instances, WITHOUT_TABLE):
            message = f"'{what}' is only known in play, and the requirement '{rule.name}' is tested before"
            hint = "a requirement asks about options, the number of players and the pack; 'when' asks in play"
            if node.span.file != rule.law.span.file:
                hint = f"give the requirement another law, or take it out: 'require: {{{rule.name}: null}}'"
            report.error("E505", node.span, message, hint)


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
        "melds": ("kind of meld", names.melds),
    }
    for collection, (word, declared) in groups.items():
        places = _places(root.get(collection))
        for name in declared:
            if (collection, name) in names.used or name == "score":
                continue
            span = places.get(name)
            if span is not None and span.file == file:
                report.warning("W601", span, f"the {word} '{name}' is never used", "use it, or leave it out")
    rows = root.get("cards")
    if isinstance(rows, Mapping) and ("cards", "") not in names.used:
        for key, span in rows.keys.items():
            if span.file == file:
                hint = "let the action that plays a card take its row: 'row: card'"
                report.warning("W601", span, f"no action looks at the row '{key}' of 'cards'", hint)
                break


def _places(node: object) -> dict[str, Span]:
    """Where the names of a collection are declared; definitions go by their name without parameters."""
    found: dict[str, Span] = {}
    for key, span in node.keys.items() if isinstance(node, Mapping) else ():
        found.setdefault(key, span)
        found.setdefault(key.split("(")[0].strip(), span)
    return found


def table_clash(
    patterns: list[tuple[str, Span]], ranks: tuple[str, ...], suits: tuple[SuitDef, ...], file: str
) -> tuple[Span, str, str, str] | None:
    """Two rows that claim the same card, neither of them more special: (place, row, other row, card).

    They are a rank and a suit, or two of colours and ranges. The place is the later of the two rows, and that of the
    outermost file before one of a ruleset below.
    """
    rows = dict(patterns)
    ranges: dict[str, list[str]] = {rank: [] for rank in ranks}
    for pattern in rows:
        low, _, high = (end.strip() for end in pattern.partition(".."))
        span = ranks[ranks.index(low) : ranks.index(high) + 1] if low in ranks and high in ranks else ()
        for rank in span:
            if len(ranges[rank]) < 2:
                ranges[rank].append(pattern)
    for rank in ranks:
        for suit in suits:
            special = [p for p in (rank, suit.name) if p in rows]
            claims = special or [p for p in (suit.colour, *ranges[rank]) if p in rows]
            if len(claims) > 1 and f"{rank}{suit.letter}" not in rows:
                later = max((rows[c] for c in claims[:2]), key=lambda s: (s.file == file, s.line, s.column))
                return later, claims[0], claims[1], f"{rank}{suit.letter}"
    return None


def check_lapsing(
    stages: dict[str, StageDef], flow: Flow, honor: HonorDef | None, instances: Map[str, DefineInstance],
    report: Report, file: str,
) -> None:  # fmt: skip
    """Warn of laws whose breach ends the stage of the claims at once, by the move or by the last turn of a stage.

    file: the outermost one; only its laws are looked at.
    """
    if honor is None or honor.during not in stages:
        return
    over = set(flow.ancestors(honor.during))
    for stage in stages.values():
        if honor.during not in flow.ancestors(stage.name):
            continue
        for action in stage.actions:
            at_once = any(isinstance(e, t.Finish) and e.stage in over for e in _carried_out(action.effect))
            if not at_once and not (stage.turns is not None and _may_end(stage, action, over, instances)):
                continue
            for law in action.laws:
                own = honor.laws.get(law.name)
                breach = law.breach if own is None or own.breach is None else own.breach
                if breach == "stands" and law.span.file == file:
                    message = f"on honour nobody may have the time to claim a breach of '{law.name}': "
                    message += f"'{action.name}' can end '{honor.during}' at once"
                    hint = "add 'breach: taken back' to the law, so that the move is taken back"
                    report.warning("W605", law.span, message, hint)


def _carried_out(effects: tuple[t.Effect, ...]) -> Iterator[t.Effect]:
    """The effects that are carried out whatever holds."""
    for effect in effects:
        yield from _carried_out(effect.body) if isinstance(effect, t.RunEffect) else (effect,)


def _may_end(stage: StageDef, action: ActionDef, over: set[str], instances: Map[str, DefineInstance]) -> bool:
    """Whether the cleanup of a stage ends one of some others, on a condition which the action leaves as it is."""
    done = list(t.walk([action.effect, [row.effect for row in action.rows]]))
    changing = t.Finish | t.Call | t.Move | t.Deal | t.Gather | t.SwapValues
    if action.is_play or any(isinstance(e, changing) for e in done):
        return False
    sets = {e.target.name for e in done if isinstance(e, t.Assign) and not isinstance(e.target, t.StageArgument)}
    sets |= {e.name for e in done if isinstance(e, t.Clear)}
    for effect in _carried_out(stage.cleanup):
        ends = any(isinstance(e, t.Finish) and e.stage in over for e in t.walk([effect]))
        read: set[str] = set()
        todo = [effect.condition] if isinstance(effect, t.IfEffect) else []
        while todo:
            for node in t.walk(todo.pop()):
                read |= {node.name} if isinstance(node, t.VarRef) else set()
                todo += [instances[node.key].body] if isinstance(node, t.Instance) and node.key in instances else []
        if ends and not read & sets:
            return True
    return False
