"""What of a ruleset its scenarios reach: laws that refused something, actions that were played, rows that decided.

A law counts where it refused a move, or let a breach happen on honour; an action where it was played; a row of `cards`
where its effect was carried out; a row of a table where a scenario fails without it. The first three are seen in the
program while the scenarios run, the last is tried as `mutate` tries it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from interpreter.api.game import Ruleset, State
from interpreter.base.diagnostics import Span
from interpreter.base.signs import on_one_line
from interpreter.compiler.made import is_of_program
from interpreter.engine.available import open_actions
from interpreter.engine.failures import Ruled
from interpreter.engine.notation import named_player
from interpreter.engine.program import ActionCode, Program
from interpreter.engine.rule_errors import RuleError
from interpreter.language.source import Mapping as MappingNode
from interpreter.proofs import mutation
from interpreter.proofs.scenario_runner import Shelf, run_scenario
from interpreter.proofs.scenarios import Scenario, Step, load_scenarios, scenario_files

LOOKED_AT = 300
"""Of the moves that a check calls unlawful, so many are asked which law refuses them."""

KINDS = ("laws", "actions", "card rows", "table rows")
SAID = {
    "laws": "is never seen to refuse anything",
    "actions": "is never played",
    "card rows": "is never carried out",
    "table rows": "can be dropped unnoticed",
}


@dataclass(slots=True)
class Coverage:
    """By file and kind: what there is, and what of it was reached, each thing by its place and with its name."""

    there: dict[str, dict[str, dict[Span, str]]] = field(default_factory=dict)
    reached: dict[str, dict[str, set[Span]]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    """The files of the games themselves, whose gaps are told: what an overlay lies on has scenarios of its own."""

    def know(self, kind: str, span: Span, name: str, reached: bool) -> None:
        self.there.setdefault(span.file, {}).setdefault(kind, {}).setdefault(span, name)
        if reached:
            self.reached.setdefault(span.file, {}).setdefault(kind, set()).add(span)

    def missing(self, file: str) -> Iterator[tuple[str, Span, str]]:
        """Kind, place and name of what was not reached, in order of its place."""
        found = [
            (kind, span, name)
            for kind, things in self.there[file].items()
            for span, name in things.items()
            if span not in self.reached.get(file, {}).get(kind, ())
        ]
        yield from sorted(found, key=lambda item: (item[1].line, item[1].column))

    def text(self) -> str:
        """What is printed: of each file what was reached of how many, and the rest with its places."""
        lines = [f"fails, so it proves nothing: {name}" for name in self.broken]
        for file, kinds in self.there.items():
            counts = [
                f"{len(self.reached.get(file, {}).get(kind, ()))} of {len(kinds[kind])} {kind}"
                for kind in KINDS
                if kind in kinds
            ]
            below = "" if file in self.own else " (it lies below, so the rest is not listed)"
            lines.append(f"{on_one_line(file)}: {', '.join(counts)}{below}")
            if file in self.own:
                lines += [f"  {span}: {name} {SAID[kind]}" for kind, span, name in self.missing(file)]
        if not self.own & self.there.keys():
            lines += [f"{on_one_line(file)}: no laws, actions or rows of its own" for file in sorted(self.own)]
        return "\n".join(lines)


def run(
    paths: Iterable[str | Path],
    within: Sequence[Path] = (),
    tell: Callable[[int, int, str], None] = lambda done, total, of: None,
) -> Coverage:
    """Run the scenarios of some files and see what they reach. Raises RulesetError for a file that cannot be read.

    within: as of `load_scenarios`. tell: hears of how many files of how many the scenarios have been run.
    """
    files = scenario_files(paths)
    coverage, seen, shelf = Coverage(), _Seen(), Shelf()
    rulesets: dict[int, Ruleset] = {}

    def bring(scenario: Scenario) -> Ruleset:
        found = shelf(scenario)
        rulesets[id(found)] = found
        return found

    for number, file in enumerate(files):
        tell(number, len(files), "files")
        for scenario in load_scenarios(file, within):
            with seen.watching():
                outcome = run_scenario(scenario, bring, seen.look)
            if not outcome.passed:
                coverage.broken.append(on_one_line(f"{scenario.file}: {scenario.name}"))
    for ruleset in rulesets.values():
        coverage.own |= set(ruleset.files[-1:])
        _add_card_rows(ruleset, seen, coverage)
    for program in seen.programs.values():
        _add_program(program, seen, coverage)
    for missed, noticed in mutation.table_rows(files, within):
        coverage.know("table rows", missed.span, missed.what.removesuffix(" dropped"), noticed)
    return coverage


@dataclass(slots=True)
class _Seen:
    """lines: of generated code, by file name. returned: of `broken` functions, which laws they have named."""

    lines: set[tuple[str, int]] = field(default_factory=set)
    called: set[CodeType] = field(default_factory=set)
    returned: dict[CodeType, set[int]] = field(default_factory=dict)
    programs: dict[int, Program] = field(default_factory=dict)

    @contextmanager
    def watching(self) -> Iterator[None]:
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(before)

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if not is_of_program(code.co_filename) or code.co_name == "<module>":
            return None
        self.called.add(code)
        return self._inside

    def _inside(self, frame: FrameType, event: str, value: Any) -> Any:
        code = frame.f_code
        if event == "line":
            self.lines.add((code.co_filename, frame.f_lineno))
        elif event == "return" and isinstance(value, list) and code.co_name.startswith("broken·"):
            self.returned.setdefault(code, set()).update(value)
        return self._inside

    def look(self, state: State, step: Step) -> None:
        """Before a step: a list of all lawful moves shows, too, which laws refuse the others."""
        self.programs[id(state.game.program)] = state.game.program
        if step.kind != "legal" or not isinstance(step.node, MappingNode):
            return
        for name in step.node.entries:
            player = named_player(state.game.program, name)
            if player is None:
                continue
            with suppress(RuleError), Ruled(state.position):  # where rules fail the step itself tells it
                for action, _ in open_actions(state.position, player):
                    if action.laws:
                        self._ask(state, player, action)

    def _ask(self, state: State, player: int, action: ActionCode) -> None:
        """Which laws refuse the possible moves of an action: `broken` answers, and is heard."""
        offered = action.possible(state.position, player)
        tried: Iterable[tuple[Any, ...]] = []
        match action.shape:
            case "none":
                tried = [()] if offered else []
            case "card":
                tried = ((card,) for card in range(len(state.game.program.cards)) if offered >> card & 1)
            case "args":
                tried = offered
            case "cards":
                return  # too many to ask; a refusal by name is a better proof
        for args in islice(tried, LOOKED_AT):
            action.broken(state.position, player, *args)


def _add_program(program: Program, seen: _Seen, coverage: Coverage) -> None:
    for stage in program.stages:
        for action in (*stage.actions, *stage.anytime):
            code = _code(action.apply)
            coverage.know("actions", action.span, f"the action '{action.name}' of '{stage.name}'", code in seen.called)
            named = seen.returned.get(_code(action.broken), set())  # type: ignore[arg-type]
            for number, law in enumerate(action.laws):
                coverage.know("laws", law.span, f"the law '{law.name}' of '{action.name}'", number in named)


def _add_card_rows(ruleset: Ruleset, seen: _Seen, coverage: Coverage) -> None:
    rows = ruleset.node.entries.get("cards")
    if not isinstance(rows, MappingNode):
        return
    done = {span for program in seen.programs.values() for span in _carried_out(program, seen)}
    for name, row in rows.entries.items():
        effect = row.entries.get("effect") if isinstance(row, MappingNode) else None
        if effect is not None:
            reached = any(_lies_in(span, effect.span) for span in done)
            coverage.know("card rows", rows.keys[name], f"the row '{name}' of the cards", reached)


def _carried_out(program: Program, seen: _Seen) -> Iterator[Span]:
    for file, line in seen.lines:
        span = program.place_line(line) if file == program.filename else None
        if span is not None:
            yield span


def _lies_in(span: Span, around: Span) -> bool:
    begins = (around.line, around.column) <= (span.line, span.column)
    return span.file == around.file and begins and (span.line, span.column) < (around.end_line, around.end_column)


def _code(function: Any) -> CodeType | None:
    return getattr(function, "__code__", None)
