"""Scenarios: proofs of rules, written in YAML, and their runner.

A scenario fixes a game and a position and takes steps in order: moves, and checks of what the rules make of them.
`load_scenarios` reads a file, `run_scenario` plays one scenario and says what went otherwise than expected, where,
and what the table looked like then. What each check compares is in `scenario_checks` and `expectations`.
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.api.game import Game
from interpreter.api.ruleset import Ruleset, load
from interpreter.api.state import State
from interpreter.base.diagnostics import Diagnostic, Report, RulesetError, Span, render, suggest
from interpreter.base.signs import CUT, QUOTED
from interpreter.engine.chance import ChanceError
from interpreter.engine.notation import IllegalMove, named_player
from interpreter.engine.program import RuleError
from interpreter.language.overlay import Source, files_in, is_path, lies_in, names_ruleset, shipped
from interpreter.language.shape import check_shape
from interpreter.language.source import Listing, Node, Scalar, parse_documents, read_file, to_plain
from interpreter.language.source import Mapping as MappingNode
from interpreter.proofs import scenario_checks as checks
from interpreter.proofs.assertions import Mismatch, expect

CODES: dict[str, str] = {
    "E701": "the game or an overlay of a scenario is not there, or lies where a scenario may not lead",
    "E702": "two scenarios of a file have the same name",
    "E703": "a check of an error that follows no move",
}

_PLAYER = re.compile(r"P([0-9]+)")
_EXTRA = re.compile(r"([A-Za-z_]\w*)=(-?[0-9]+)")
MOST_SAVES = 20
"""In a scenario."""
MOST_DIGITS = 18
"""Of a number beside a move, as everywhere in a file."""
MOST_SEARCHED, MOST_WORDS = 1_000, 12
"""Letters of an error, and words it quotes, that are looked for in the scenario to find its place."""
SETUP_ERRORS = (RulesetError, RuleError, ValueError)  # OptionError and PositionError are ValueErrors
MOVES = ("move", "together")


@dataclass(frozen=True, slots=True)
class Step:
    """One move or check. kind: "move", "together", "legal", "expect", ...; node: what it says."""

    number: int
    kind: str
    node: Node
    span: Span

    @property
    def text(self) -> str:
        """The step on one line, as it is written in flow style."""
        body = _flow(self.node)
        return body if self.kind == "move" else f"{self.kind}: {body}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario of a file. node: all of it, with places."""

    file: str
    node: MappingNode
    name: str
    covers: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def span(self) -> Span:
        return self.node.span

    def head(self, key: str, default: Any = None) -> Any:
        """The plain value of a key such as `players` or `given`."""
        found = self.node.get(key)
        return default if found is None else to_plain(found)

    def source(self) -> tuple[Source, tuple[Source, ...]]:
        """The ruleset it is about, and the overlays that `with` lays on it."""
        game = self.node.entries["game"]
        base: Source = game if isinstance(game, MappingNode) else self.locate(_text(game))
        laid = self.head("with", [])
        return base, tuple(self.locate(str(item)) for item in ([laid] if isinstance(laid, str) else laid))

    def locate(self, name: str) -> Source:
        """A shipped id as it is, a path from the scenario's folder."""
        return Path(os.path.normpath(Path(self.file).parent / name)) if is_path(name) else name


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
        lines = [f"failed: {self.scenario.name}", f"  {failure.span}: {what}"]
        lines += [f"    {line}" for line in failure.message.split("\n")]
        lines += [f"  {line}" for line in failure.table.split("\n") if line]
        return "\n".join(lines)


Load = Callable[[Scenario], Ruleset]
Look = Callable[[State, Step], None]
"""Looks at a match before each step of its scenario."""


# ---- reading ------------------------------------------------------------------------------------------


def load_scenarios(path: str | Path, within: Iterable[Path] = ()) -> list[Scenario]:
    """The scenarios of a file: a single one, a list, `{scenarios: [...]}`, or a stream of these.

    within: folders besides its own in which the rulesets may lie that it names.
    Raises RulesetError with everything that is wrong with the file.
    """
    report = Report()
    text = read_file(Path(path), report)
    found = [] if text is None else parse_scenarios(text, str(path), report, within)
    report.raise_errors()
    return found


def scenario_files(paths: Iterable[str | Path]) -> list[Path]:
    """Files as they are named, and the YAML files of folders, by name, without the rulesets that lie among them.

    A ruleset that is named stands for the scenario files beside it that name it, if there are some. Of a folder no file
    is taken, nor read, to which a link out of it leads.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        inside = sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")]) if path.is_dir() else []
        within = [file for file in inside if lies_in(file, path)]
        found += [file for file in within if not _is_ruleset(file)] if path.is_dir() else _beside(path) or [path]
    return list(dict.fromkeys(found))


def _beside(path: Path) -> list[Path]:
    """The scenario files in the folder of a ruleset in which its file's name occurs."""
    if not path.is_file() or not _is_ruleset(path):
        return []
    inside = [file for file in files_in(path.parent) if file != path and lies_in(file, path.parent)]
    others = [file for file in inside if not _is_ruleset(file)]
    return [file for file in others if path.name in (read_file(file, Report()) or "")]


def _is_ruleset(file: Path) -> bool:
    """Whether a file among scenarios is a ruleset or overlay, by its keys at the left margin."""
    text = read_file(file, Report())
    if text is None or re.search(r"^format:", text, re.MULTILINE) is None:
        return False
    return re.search(r"^(- )?(game|scenarios):", text, re.MULTILINE) is None


def parse_scenarios(text: str, file: str, report: Report, within: Iterable[Path] = ()) -> list[Scenario]:
    """The scenarios in a text; findings go into `report`. within: as of `load_scenarios`."""
    found: list[Scenario] = []
    folders = [Path(file).parent, *within]
    for document in parse_documents(text, file, report):
        shape = Report()
        check_shape(document, shape, "scenario")
        report.extend(shape.diagnostics)
        if not shape.failed:
            found += [_scenario(node, file, report, folders) for node in _documents(document)]
    names: dict[str, Span] = {}
    for scenario in found:
        at = scenario.node.entries["name"].span
        if scenario.name in names:
            message = f"a scenario of this name stands in line {names[scenario.name].line} already"
            report.error("E702", at, message, "say in the name what this one proves")
        names.setdefault(scenario.name, at)
    return found


def _documents(node: Node) -> list[MappingNode]:
    if isinstance(node, MappingNode) and "scenarios" in node.entries:
        node = node.entries["scenarios"]
    items = node.items if isinstance(node, Listing) else (node,)
    return [item for item in items if isinstance(item, MappingNode)]


def _scenario(node: MappingNode, file: str, report: Report, folders: Sequence[Path]) -> Scenario:
    covers = to_plain(node.entries["covers"]) if "covers" in node.entries else []
    listed = node.get("steps")
    items = listed.items if isinstance(listed, Listing) else ()
    steps = tuple(_step(number, item) for number, item in enumerate(items, start=1))
    for before, step in zip((None, *steps), steps, strict=False):
        if step.kind == "error" and (before is None or before.kind not in MOVES):
            hint = "an error of the set-up is a key of the scenario, beside 'game'"
            report.error("E703", step.span, "'error' says how the move before it must fail, and there is none", hint)
    saves = [step for step in steps if step.kind == "save"]
    if len(saves) > MOST_SAVES:
        message = f"a scenario has {len(saves):,} steps 'save', and the most is {MOST_SAVES}"
        report.error("E206", saves[MOST_SAVES].span, message, "each plays the match again from its beginning")
    ids = tuple(str(i) for i in covers) if isinstance(covers, list) else (str(covers),)
    scenario = Scenario(file, node, _text(node.entries["name"]), ids, steps)
    _check_sources(scenario, folders, report)
    return scenario


def _step(number: int, node: Node) -> Step:
    if isinstance(node, MappingNode):
        ((kind, value),) = node.entries.items()
        return Step(number, kind, value, node.keys[kind])
    return Step(number, "move", node, node.span)


def _check_sources(scenario: Scenario, folders: Sequence[Path], report: Report) -> None:
    """Report a game or overlay that is not there, or in none of the folders that are allowed, at the word for it."""
    laid = scenario.node.get("with")
    for node in (scenario.node.entries["game"], *(laid.items if isinstance(laid, Listing) else (laid,))):
        if not isinstance(node, Scalar):
            continue
        source = scenario.locate(node.text)
        if not names_ruleset(node.text) or node.text.startswith("/") or ":" in node.text:
            hint = "name a shipped ruleset, or a .yaml file by its path from this folder"
            report.error("E701", node.span, f"a scenario may not name '{node.text}'", hint)
        elif isinstance(source, Path) and not any(lies_in(source, folder) for folder in folders):
            hint = "name a file beside this one or below, no link out of there; or test a folder in which both lie"
            report.error("E701", node.span, f"a scenario may not name '{node.text}'", hint)
        elif isinstance(source, Path) and not os.path.isfile(source):
            beside = [p.name for p in files_in(source.parent) if str(p) != scenario.file]
            hint = suggest(source.name, beside, "files there")
            report.error("E701", node.span, f"there is no file '{source}'", hint)
        elif isinstance(source, str) and source not in shipped():
            report.error("E701", node.span, f"no ruleset is called '{source}'", suggest(source, shipped(), "rulesets"))


# ---- running ------------------------------------------------------------------------------------------


def ruleset_of(scenario: Scenario) -> Ruleset:
    """The ruleset of a scenario with its overlays. Raises RulesetError."""
    return load(*scenario.source())


class Shelf:
    """Rulesets of scenarios, each loaded once: for a run in which no file changes."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[Source, ...], Ruleset] = {}

    def __call__(self, scenario: Scenario) -> Ruleset:
        """The ruleset of a scenario with its overlays. Raises RulesetError."""
        base, laid = scenario.source()
        if isinstance(base, MappingNode):  # written in the scenario itself
            return ruleset_of(scenario)
        if (base, *laid) not in self._loaded:
            self._loaded[base, *laid] = ruleset_of(scenario)
        return self._loaded[base, *laid]


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
            span = _fixed_at(scenario, error) or _blamed(scenario.node, str(error)) or span
        return Outcome(scenario, Failure(None, span, message))
    except Exception:
        return Outcome(scenario, Failure(None, span, _crash()))
    if wanted:
        message = f"expected: the set-up is refused with '{wanted}'\nfound: the match starts"
        return Outcome(scenario, Failure(None, span, message, checks.table(state, None)))
    return Outcome(scenario, _Runner(scenario, state, look).run())


def _fixed_at(scenario: Scenario, error: Exception) -> Span | None:
    """Where an outcome is written that cannot come about; None if the error is about none."""
    if not isinstance(error, ChanceError) or not error.place:
        return None
    node = _outcome(scenario, error.place, error.left)
    if node is None:
        return None
    return next((place for word in _named_by(str(error)) for place in _written(node, word)), node.span)


def _named_by(message: str) -> list[re.Pattern[str]]:
    """What an error quotes, as patterns that find it where it is written; those it quotes first, as it may be long."""
    quoted = re.findall(r"'([^']+)'", message[:MOST_SEARCHED])[:MOST_WORDS]
    return [_pattern(word) for word in quoted]


def _pattern(word: str) -> re.Pattern[str]:
    """A word by itself; of one that is cut short in the message, what is left of it."""
    if len(word) == QUOTED and word.endswith(CUT):
        return re.compile(rf"(?<!\w){re.escape(word.removesuffix(CUT))}")
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def _outcome(scenario: Scenario, place: str, left: int) -> Node | None:
    """What a scenario fixes for a place of chance, such as "random" or "shuffle deal", with so many after it."""
    key, _, stage = place.partition(" ") if place.startswith("shuffle ") else (place, "", "")
    chance = scenario.node.get("chance")
    found = chance.get(key) if isinstance(chance, MappingNode) else None
    if found is None and key == "deck":
        found = scenario.node.get("deck")
    if stage:
        found = found.get(stage) if isinstance(found, MappingNode) else None
    alone = key in ("shuffle", "deck") and not (isinstance(found, Listing) and _is_nested(found))
    if alone or not isinstance(found, Listing) or left >= len(found.items):
        return found
    return found.items[len(found.items) - 1 - left]


def _is_nested(node: Listing) -> bool:
    return bool(node.items) and isinstance(node.items[0], Listing)


def _blamed(node: MappingNode, message: str) -> Span | None:
    """Where what an error of the set-up names is written, in what the scenario says before its steps."""
    head = [value for key, value in node.entries.items() if key not in ("game", "name", "covers", "steps", "doc")]
    subject = message[:MOST_SEARCHED].split(" ")[0].rstrip(":")
    for word in [*_named_by(message), _pattern(subject)]:
        places = [place for value in head for place in _written(value, word)]
        if places:
            return places[-1]
    return None


def _written(node: Node, word: re.Pattern[str]) -> Iterator[Span]:
    """The places where a word is a key, or stands in a value."""
    match node:
        case MappingNode():
            for key, value in node.entries.items():
                if word.match(key) if len(key) > QUOTED else word.fullmatch(key):
                    yield node.keys[key]
                yield from _written(value, word)
        case Listing():
            for item in node.items:
                yield from _written(item, word)
        case Scalar():
            found = word.search(node.text)
            if found is not None:
                yield node.place(found.start(), len(found[0]))


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
                    self._fails(step, _text(error))
                elif step.kind != "error":
                    self._take(step)
            except Mismatch as mismatch:
                return self._failure(step, mismatch.span or step.span, mismatch.message)
            except RuleError as problem:
                if isinstance(problem.__cause__, ChanceError):
                    span = _fixed_at(self.scenario, problem.__cause__) or step.span
                    return self._failure(step, span, f"what was fixed cannot come about: {problem.__cause__}")
                return self._failure(step, step.span, f"the rules cannot go on: {problem}")
            except Exception:
                return self._failure(step, step.span, _crash())
        return None if any(step.kind == "error" for step in steps) else self._unused()

    def _unused(self) -> Failure | None:
        """What is fixed and has not come about when all steps are taken: the scenario proves less than it seems to."""
        for place, left in self.state.chance.items():
            if left:
                node = _outcome(self.scenario, place, len(left) - 1)
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
            text = _text(step.node)
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
                state.play_together([self._of_tick(item) for item in _items(node)])
            case "legal" | "possible":
                checks.moves(state, step.kind, node)
            case "refused":
                assert isinstance(node, MappingNode)
                for text, law in node.entries.items():
                    player, move, extra = self._split(text, node.keys[text])
                    checks.refused(state, player, move, extra, _text(law), node.keys[text])
            case "expect":
                expect(state, node)
            case "view":
                checks.views(state, node)
            case "events":
                checks.events(state.log or [], self.heard, node)
                self.heard = len(state.log or [])
            case "play on":
                checks.play_on(state, int(_text(node)), state.seed)
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
        return self._split(_text(node), node.span)

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
            words.pop()
            name, value = measured.groups()
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


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _items(node: Node) -> Sequence[Node]:
    return node.items if isinstance(node, Listing) else (node,)


def _flow(node: Node) -> str:
    if isinstance(node, MappingNode):
        return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in node.entries.items()) + "}"
    if isinstance(node, Listing):
        return "[" + ", ".join(map(_flow, node.items)) + "]"
    return node.text


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:97] + "..."
