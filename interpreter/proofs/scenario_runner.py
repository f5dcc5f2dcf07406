"""Plays scenarios.

`run_scenario` plays one and says what went otherwise than expected, where, and what the table looked like then. What
each check compares is in `scenario_checks` and `assertions`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.api.game import Game, Ruleset, State, load
from interpreter.base.diagnostics import Diagnostic, Report, RulesetError, Span, render
from interpreter.base.memory import forget_oldest
from interpreter.base.signs import on_one_line
from interpreter.engine.chance import ChanceError
from interpreter.engine.notation import IllegalMove, is_measure, named_player
from interpreter.engine.rule_errors import RuleError
from interpreter.language.overlay import Source
from interpreter.language.source import Listing, Node, read_file
from interpreter.language.source import Mapping as MappingNode
from interpreter.proofs import scenario_checks as checks
from interpreter.proofs.assertions import Mismatch, expect
from interpreter.proofs.scenario_places import blamed_at, fixed_at, fixed_outcome
from interpreter.proofs.scenarios import Scenario, Step, text_of

_PLAYER = re.compile(r"P([0-9]+)")
_EXTRA = re.compile(r"([A-Za-z_]\w*)=(-?[0-9]+)")
MOST_DIGITS = 18
"""Of a number beside a move, as everywhere in a file."""
SETUP_ERRORS = (RulesetError, RuleError, ValueError)  # OptionError and PositionError are ValueErrors
Load = Callable[[Scenario], Ruleset]
Look = Callable[[State, Step], None]
"""Looks at a match before each step of its scenario."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went otherwise than expected. step: None for the set-up. table: drawn as it was then."""

    step: Step | None
    span: Span
    message: str
    table: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a scenario; it has passed when there is no failure."""

    scenario: Scenario
    failure: Failure | None = None

    @property
    def passed(self) -> bool:
        return self.failure is None

    def report(self) -> str:
        """What is printed: one line when it passed, else the place, what was expected and found, and the table."""
        failure = self.failure
        if failure is None:
            return f"passed: {self.scenario.name}"
        what = "the set-up" if failure.step is None else f"step {failure.step.number}, {_short(failure.step.text)}"
        lines = [f"failed: {self.scenario.name}", f"  {on_one_line(str(failure.span))}: {what}"]
        lines += [f"    {line}" for line in failure.message.split("\n")]
        lines += [f"  {line}" for line in failure.table.split("\n") if line]
        return "\n".join(lines)


def ruleset_of(scenario: Scenario) -> Ruleset:
    """The ruleset of a scenario with its overlays. Raises RulesetError."""
    return load(*scenario.source())


MOST_ON_SHELF = 16
"""Scenarios of the same rules stand together, so that these are seldom needed again much later."""


class Shelf:
    """Rulesets of scenarios, the last ones asked for: for a run in which no file changes."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[Source, ...], Ruleset] = {}

    def __call__(self, scenario: Scenario) -> Ruleset:
        """The ruleset of a scenario with its overlays. Raises RulesetError."""
        base, laid = scenario.source()
        if isinstance(base, MappingNode):  # written in the scenario itself
            return ruleset_of(scenario)
        found = self._loaded.pop((base, *laid), None) or ruleset_of(scenario)
        self._loaded[base, *laid] = found
        if len(self._loaded) > MOST_ON_SHELF:
            forget_oldest(self._loaded)
        return found


def game_of(scenario: Scenario, ruleset: Ruleset) -> Game:
    """The game that the head of a scenario fixes. Raises OptionError."""
    variants = scenario.head("variants", [])
    return ruleset.game(
        players=scenario.head("players"),
        options=scenario.head("options", {}),
        variants=(variants,) if isinstance(variants, str) else tuple(variants),
        enforcement=scenario.head("enforcement", "strict"),
    )


def begin(scenario: Scenario, game: Game) -> State:
    """The position in which a scenario begins; the seed is 0 when it names none."""
    deck = scenario.head("deck")
    return game.start(
        seed=scenario.head("seed", 0),
        deck=deck.replace(",", " ").split() if isinstance(deck, str) else deck,
        chance=scenario.head("chance"),
        given=scenario.head("given"),
    )


def run_scenario(scenario: Scenario, load: Load = ruleset_of, look: Look | None = None) -> Outcome:
    """Play a scenario. load: where its ruleset comes from; `mutate` brings altered ones. look: sees each step."""
    wanted = scenario.head("error")
    span = scenario.node.keys["error" if wanted else "game"]
    try:
        state = begin(scenario, game_of(scenario, load(scenario)))
    except SETUP_ERRORS as error:
        if wanted and str(wanted) in (text := _error_text(error)):
            return Outcome(scenario)
        message = f"the set-up is refused:\n{_rendered(error)}"
        if wanted:
            message = f"expected an error that says '{wanted}'\nfound: {text}"
        else:
            span = fixed_at(scenario, error) or blamed_at(scenario.node, str(error)) or span
        return Outcome(scenario, Failure(None, span, message))
    except Exception:
        return Outcome(scenario, Failure(None, span, _crash()))
    if wanted:
        message = f"expected: the set-up is refused with '{wanted}'\nfound: the match starts"
        return Outcome(scenario, Failure(None, span, message, checks.table(state, None)))
    return Outcome(scenario, _Runner(scenario, state, look).run())


class _Runner:
    def __init__(self, scenario: Scenario, state: State, look: Look | None = None) -> None:
        self.scenario = scenario
        self.look = look
        self.state = state
        self.heard = 0
        """Events before this one have been checked."""

    def run(self) -> Failure | None:
        steps = self.scenario.steps
        for step, following in zip(steps, (*steps[1:], None), strict=True):
            try:
                if self.look is not None:
                    self.look(self.state, step)
                error = following.node if following is not None and following.kind == "error" else None
                if error is not None:
                    self._fails(step, text_of(error))
                elif step.kind != "error":
                    self._take(step)
            except Mismatch as mismatch:
                return self._failure(step, mismatch.span or step.span, mismatch.message)
            except RuleError as problem:
                if isinstance(problem.__cause__, ChanceError):
                    span = fixed_at(self.scenario, problem.__cause__) or step.span
                    return self._failure(step, span, f"what was fixed cannot come about: {problem.__cause__}")
                return self._failure(step, step.span, f"the rules cannot go on: {problem}")
            except Exception:
                return self._failure(step, step.span, _crash())
        return None if any(step.kind == "error" for step in steps) else self._unused()

    def _unused(self) -> Failure | None:
        """What is fixed and has not come about when all steps are taken: the scenario proves less than it seems to."""
        for place, left in self.state.chance.items():
            if left:
                node = fixed_outcome(self.scenario, place, len(left) - 1)
                what = f"'{left[0]}'" if isinstance(left[0], str) else "an order of cards"
                more = f", nor what comes after it ({len(left) - 1})" if left[1:] else ""
                message = f"{place}: {what} is fixed and has not come about when the scenario ends{more}"
                return Failure(None, self.scenario.span if node is None else node.span, message)
        return None

    def _failure(self, step: Step, span: Span, message: str) -> Failure:
        return Failure(step, span, message, checks.table(self.state, self._seat(step, span)))

    def _seat(self, step: Step, span: Span) -> int | None:
        """Whose step it is that fails; None where it is nobody's, as what is expected of the whole table."""
        if step.kind == "move":
            text = text_of(step.node)
        elif step.kind in ("legal", "possible", "refused", "view") and isinstance(step.node, MappingNode):
            keys = [key for key in step.node.entries if step.node.keys[key] == span] or list(step.node.entries)
            text = keys[0] if len({key.split()[0] for key in keys}) == 1 else ""
        else:
            return None
        return named_player(self.state.game.program, text.split()[0]) if text else None

    def _take(self, step: Step) -> None:
        state, node = self.state, step.node
        match step.kind:
            case "move":
                self._move(step)
            case "together":
                self._together([self._of_tick(item) for item in _items(node)])
            case "legal" | "possible":
                checks.moves(state, step.kind, node)
            case "refused":
                assert isinstance(node, MappingNode)
                for text, law in node.entries.items():
                    player, move, extra = self._split(text, node.keys[text])
                    checks.refused(state, player, move, extra, text_of(law), node.keys[text])
            case "expect":
                expect(state, node)
            case "view":
                checks.views(state, node)
            case "events":
                checks.events(state.log or [], self.heard, node)
                self.heard = len(state.log or [])
            case "play on":
                checks.play_on(state, int(text_of(node)), state.seed)
            case "save":
                self.state = checks.saved(state)

    def _move(self, step: Step) -> None:
        player, move, extra = self._parsed(step.node)
        try:
            self.state.play(player, move, **extra)
        except IllegalMove as refusal:
            allowed = checks.listed([str(m) for m in self.state.legal_moves(player)])
            law = checks.place_of_law(self.state, player, refusal.law)
            stands = "" if law is None else f"\nthe law stands at {law}"
            message = (
                f"expected: the move is made\nfound: it is refused: {refusal}{stands}\nP{player + 1} may: {allowed}"
            )
            raise Mismatch(message) from None

    def _together(self, moves: Sequence[tuple[int, str, dict[str, int]]]) -> None:
        try:
            self.state.play_together(moves)
        except IllegalMove as refusal:
            raise Mismatch(f"expected: the moves are made together\nfound: they are refused: {refusal}") from None

    def _fails(self, step: Step, wanted: str) -> None:
        """The step must stop with an error that says `wanted`, and leave the position as it was."""
        before = self.state.to_json()
        try:
            self._take(step)
        except RuleError as error:
            if wanted not in str(error):
                raise Mismatch(f"expected an error that says '{wanted}'\nfound: {error}") from None
            if self.state.to_json() != before:
                raise Mismatch("the position is not what it was before the error") from None
            return
        raise Mismatch(f"expected an error that says '{wanted}'\nfound: the move is made")

    def _parsed(self, node: Node) -> tuple[int, str, dict[str, int]]:
        return self._split(text_of(node), node.span)

    def _of_tick(self, node: Node) -> tuple[int, str, dict[str, int]]:
        """A move that may come too late, but must be one that there is."""
        player, move, extra = self._parsed(node)
        try:
            self.state.parse(player, move)
        except IllegalMove as refusal:
            if refusal.law == "no_such_move":
                raise Mismatch(f"P{player + 1} has no such move: {refusal.message}", node.span) from None
        return player, move, extra

    def _split(self, text: str, span: Span) -> tuple[int, str, dict[str, int]]:
        """`P3 grab 2 hold=1 begin=0` as player, move, and times with measures."""
        words = list(re.finditer(r"\S+", text))
        named = _PLAYER.fullmatch(words[0][0]) if len(words) > 1 else None
        if named is None:
            raise Mismatch(f"'{_short(text)}' is not a move such as 'P1 play 2C'", span)
        most = self.state.game.program.n
        if len(named[1]) > MOST_DIGITS or not 1 <= int(named[1]) <= most:
            raise Mismatch(f"there is no {_short(named[0])}; the players are P1 to P{most}", span)
        player = int(named[1]) - 1
        extra: dict[str, int] = {}
        while len(words) > 2 and (measured := _EXTRA.fullmatch(words[-1][0])) is not None:
            name, value = measured.groups()
            if not is_measure(self.state.game.program, name):
                break
            words.pop()
            if len(value.removeprefix("-")) > MOST_DIGITS:
                raise Mismatch(f"{_short(name)} is a number with more than {MOST_DIGITS} digits", span)
            extra.setdefault(name, int(value))  # the last that is said counts
        extra = dict(reversed(extra.items()))
        move = text[words[1].start() : words[-1].end()]
        if extra:
            checks.measures(self.state, player, move, extra, span)
        return player, move, extra


# ---- words --------------------------------------------------------------------------------------------


def _error_text(error: Exception) -> str:
    """All that an error says, hints included."""
    if isinstance(error, RulesetError):
        return "\n".join(f"{d.message} {d.hint}".strip() for d in error.diagnostics)
    return str(error)


def _rendered(error: Exception) -> str:
    if not isinstance(error, RulesetError):
        return str(error)
    texts: dict[str, str | None] = {}
    return "\n".join(_with_source(d, texts) for d in error.diagnostics[:20])


def _with_source(found: Diagnostic, texts: dict[str, str | None]) -> str:
    if found.file not in texts:
        texts[found.file] = read_file(Path(found.file), Report())
    return render(found, texts[found.file])


def _crash() -> str:
    what = "the interpreter broke down; this is a fault of houserules, please report it"
    return f"{what}\n{traceback.format_exc().strip()}"


def _items(node: Node) -> Sequence[Node]:
    return node.items if isinstance(node, Listing) else (node,)


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:97] + "..."
