"""A case from its number to its findings."""

from __future__ import annotations

import itertools
import json
import random
import re
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import interpreter
from fuzz import texts
from fuzz.asking import Asking, check_soundness
from fuzz.bases import Base, bases, overlays, scenarios, weights
from fuzz.mutating import Mutation, mutate
from fuzz.naming import defined
from fuzz.places import Tree, put, spots
from fuzz.twins import compare, twins
from fuzz.watching import Watch, unwatched, watched
from fuzz.writing import yaml
from interpreter import Game, RuleError, Ruleset, RulesetError
from interpreter.api.random_play import play_randomly
from interpreter.api.record import ReplayError
from interpreter.api.recording import dump, link
from interpreter.base.diagnostics import Report
from interpreter.base.resources import find
from interpreter.compiler import types_of
from interpreter.engine.chance import Dice
from interpreter.language.overlay import resolve
from interpreter.language.source import parse_text, to_plain
from interpreter.proofs.scenario_runner import Shelf, run_scenario
from interpreter.proofs.scenarios import parse_scenarios

KINDS = ("ruleset", "overlay", "record", "scenario", "text")
CHANCES = (70, 12, 8, 6, 4)
SECONDS = 15.0
"""After so many seconds of work a case is given up."""
LANES = 5
"""Of so many cases that are put through everything one is also played as machine code, where that can be made."""
IS_NATIVE = find_spec("llvmlite") is not None
"""Asked for once: to look for it is to read folders."""
BUDGET = 2.0
"""So many seconds of work an answer may take."""


@dataclass
class Verdict:
    """What came of a case. counted: whether it is another than its parent; valid: whether nothing is wrong with it;
    through: whether it was put through everything. findings: by what they are called."""

    number: int
    kind: str
    counted: bool = False
    valid: bool = False
    through: bool = False
    text: str = ""
    findings: dict[str, str] = field(default_factory=dict)


class Case:
    """One case. share: how many of the valid ones are put through everything."""

    def __init__(self, seed: int, number: int, folder: Path, share: float = 0.25) -> None:
        self.dice = random.Random(f"{seed} {number}")
        self.kind = self.dice.choices(KINDS, CHANCES)[0]
        self.verdict = Verdict(number, self.kind)
        self.folder = folder
        self.deep = self.dice.random() < share
        self.checked = self.dice.random() < 0.1
        self.watch = Watch()
        self.codes: set[str] = set()
        """Those of what validate has last said."""

    def run(self) -> Verdict:
        """Make the case and try it."""
        try:
            with watched(self.watch, self.folder, SECONDS):
                getattr(self, f"_{self.kind}")()
                self.watch.check_printed()
        except BaseException as error:
            if type(error).__name__ != "Hang":
                raise
            self.watch.wrong("hang", f"no answer after {SECONDS:.0f} seconds")
        self.verdict.findings = self.watch.findings
        return self.verdict

    # ---- rulesets -----------------------------------------------------------------------------------------------

    def _ruleset(self) -> None:
        base = self.dice.choices(bases(), weights())[0]
        mutation = mutate(base, self.dice)
        self.verdict.text = yaml(mutation.tree)
        self.verdict.counted = mutation.tree != base.tree
        if self._is_valid(self.verdict.text) and (self.deep or mutation.marked):
            loaded = self._load()
            if loaded is not None:
                self._put_through(loaded, mutation, base)

    def _overlay(self) -> None:
        found = overlays()
        if found and self.dice.random() < 0.3:
            _, tree, extends = self.dice.choice(found)
            under = next(base for base in bases() if base.name == extends)
            mutation = mutate(Base(under.name, tree), self.dice)
            laid, expected = mutation.tree, None
            self.verdict.counted = laid != tree
        else:
            under = self.dice.choices(bases(), weights())[0]
            mutation = mutate(under, self.dice)
            laid = _difference(under.tree, mutation.tree)
            expected = mutation.tree if laid is not None and _is_plain(under.tree, mutation.tree) else None
            if laid and "variants" in laid:
                expected = None  # a patch is replaced whole
            if not isinstance(laid, dict):
                return
            self.verdict.counted = bool(laid)
            laid = {key: value for key, value in laid.items() if key not in ("format", "id", "extends")}
            laid = {"format": 1, "id": "laid", "extends": "base.yaml", **laid}
            self._written("base.yaml", yaml(under.tree))
        self.verdict.text = yaml(laid)
        loaded = self._loaded(self.verdict.text, "laid.yaml")
        if loaded is None:
            return
        merged = to_plain(loaded.node)
        if expected is not None and "W309" not in self.codes:  # else texts that are not true any more are left out
            ours = {key: value for key, value in merged.items() if key != "id"}  # type: ignore[union-attr]
            if ours != {key: value for key, value in expected.items() if key != "id"} and self._is_right(expected):
                self.watch.wrong("an overlay gives another ruleset", str(_difference(expected, merged))[:400])
        whole = Mutation(Base(under.name, merged, under.shipped), self.dice)
        if self.deep or whole.marked:
            self._put_through(loaded, whole, under)

    def _loaded(self, text: str, name: str = "case.yaml") -> Ruleset | None:
        """The ruleset of a text if nothing is wrong with it; whatever validate and load do must be right."""
        return self._load(name) if self._is_valid(text, name) else None

    def _is_valid(self, text: str, name: str = "case.yaml") -> bool:
        """Whether nothing is wrong with a text; whatever validate does must be right."""
        path = self._written(name, text)
        found = None
        with self.watch.expecting("validate"), self.watch.within("validate", BUDGET):
            found = interpreter.validate(path)
        self.watch.check_printed()
        if found is None:
            return False
        for one in found:
            if not one.message or (one.line is not None and one.line < 1):
                self.watch.wrong("a finding without words or place", repr(one))
        self.codes = {one.code for one in found}
        errors = [one for one in found if one.severity == "error"]
        for one in errors:
            if one.code.startswith("E9"):
                self.watch.wrong(f"validate: {one.code}, {said(one.message)}", str(one))
            if one.code == "E404" and "deeply" in one.message and not _is_deep(text):
                self.watch.wrong("validate: E404 for what is not deep", str(one))
        self.verdict.valid = not errors
        return not errors

    def _is_right(self, tree: Any) -> bool:
        """Whether a tree is a ruleset; of two keys that rule each other out an overlay leaves the later one."""
        path = self._written("whole.yaml", yaml(tree))
        return not any(one.severity == "error" for one in interpreter.validate(path))

    def _load(self, name: str = "case.yaml") -> Ruleset | None:
        with self.watch.expecting("load"):
            return interpreter.load(self.folder / name)
        return None

    def _written(self, name: str, text: str) -> Path:
        path = self.folder / name
        with unwatched():
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return path

    def _put_through(self, ruleset: Ruleset, mutation: Mutation, base: Base) -> None:
        """Everything that is asked of a ruleset that is found right."""
        self.verdict.through = True
        tree = mutation.tree
        seed = self.dice.randrange(10**6)
        games: list[Game] = []
        for enforcement in ("strict", "honor"):
            with self.watch.expecting("compile", interpreter.OptionError), self.watch.within("compile", BUDGET):
                games.append(ruleset.game(enforcement=enforcement))  # type: ignore[arg-type]
        for game in games:
            with self.watch.expecting("types"):
                types_of(ruleset.model, game.players, game.options, game.enforcement == "honor")
            asking = Asking(game, self.watch, self.dice, tree)
            asking.play(seed)
            if game.enforcement == "strict":
                asking.check_bulk(seed)
                if seed % LANES == 0 and IS_NATIVE:
                    asking.check_lanes(seed)
                asking.check_books(_parent(base.name))
        parent = _parent(base.name) if base.shipped else None
        if parent is not None:
            Asking(parent, self.watch, self.dice, base.tree, 12, blind=True).play(seed)
        self._other_games(ruleset)
        if games:
            self._twins(games[0], mutation, seed)
            self._chance(games[0], tree, seed)
        self._unused(tree)
        if self.checked:
            check_soundness(ruleset, self.watch)

    def _other_games(self, ruleset: Ruleset) -> None:
        """Every variant and the other numbers of players."""
        for name in list(ruleset.variants)[:6]:
            with self.watch.expecting("variant", interpreter.OptionError, RulesetError):
                try:
                    ruleset.game(variants=[name])
                except RulesetError as error:
                    if any(one.code in ("E301", "E303", "E101", "E104") for one in error.diagnostics):
                        self.watch.wrong("a variant of a valid ruleset is no ruleset", str(error.diagnostics[0]))
                    raise
        for number in {ruleset.players.min, ruleset.players.max} - {ruleset.players.default}:
            with self.watch.expecting("compile", interpreter.OptionError):
                ruleset.game(number)

    def _twins(self, game: Game, mutation: Mutation, seed: int) -> None:
        for twin in twins(mutation, 3):
            report = Report()
            node = parse_text(yaml(twin.tree), _beside_shipped("twin"), report)
            if node is None:
                continue
            with self.watch.expecting(f"twin of {twin.way}", interpreter.OptionError, ValueError):
                found = interpreter.validate(node)  # type: ignore[arg-type]
                self.watch.check_printed()
                errors = [one for one in found if one.severity == "error"]
                if errors:
                    known = ("E518", "E503", "E205", "E404", "E521")
                    # a twin is one file: what an overlay says of what it is laid on has nothing below it there
                    if twin.strict and not any(one.code in known or "'base'" in one.message for one in errors):
                        self.watch.wrong(f"twin: {twin.way} is refused ({errors[0].code})", f"{twin.what}\n{errors[0]}")
                    continue
                other = interpreter.load(node).game()  # type: ignore[arg-type]
                compare(game, other, twin, seed, self.dice, self.watch)

    def _chance(self, game: Game, tree: Tree, seed: int) -> None:
        """Outcomes that a match has told of, fixed for another one, come about there."""
        words = str(tree)
        with self.watch.expecting("chance", RuleError, ValueError):
            one = game.start(seed=seed)
            log = [str(event) for event in one.log or ()]
            drawn = [line.rpartition("drawn ")[2] for line in log if "note: drawn " in line]
            if drawn and words.count("random of") == 1:
                other = game.start(seed=seed + 1, chance={"random": drawn})
                told = [str(event).rpartition("drawn ")[2] for event in other.log or () if "drawn " in str(event)]
                if told != drawn:
                    self.watch.wrong("fixed outcomes do not come about", f"{drawn} were fixed, {told} came")
                nonsense = ["no such thing"] * len(drawn)
                try:
                    game.start(seed=seed + 1, chance={"random": nonsense})
                    self.watch.wrong("fixed nonsense is taken for an outcome", f"{nonsense} for {drawn}")
                except ValueError:
                    pass
            orders = [event.cards for event in one.log or () if event.kind == "shuffle"]
            if len(orders) == 1 and "random" not in words:
                other = game.start(seed=seed + 1, deck=list(orders[0]))
                if [str(event) for event in other.log or ()] != log:
                    self.watch.wrong("a fixed deck gives another match", str(orders[0][:5]))

    def _unused(self, tree: Tree) -> None:
        """A definition that nothing uses can be used: with something of some kind it is right.

        Where one parameter stands twice, nobody has looked whether one thing can be both.
        """
        kinds = ("P1", "QS", "3", "hearts", "none", "A", "stock", "honor", "everyone", "team of P1")
        texts_of = " ".join(
            str(spot.value) for spot in spots(tree) if spot.text and not isinstance(spot.value, dict | list)
        )
        for key, said in list((tree.get("define") or {}).items()):
            name, params = defined(key)
            if not params or len(params) > 2 or len(re.findall(rf"\b{name}\b", texts_of)) or self.dice.random() < 0.3:
                continue
            if any(len(re.findall(rf"\b{param}\b", str(said))) > 1 for param in params):
                continue
            effect = isinstance(said, dict) and "effect" in said
            tried: set[str] = set()
            for given in itertools.islice(itertools.product(kinds, repeat=len(params)), 40):
                call = f"{name}({', '.join(given)})"
                made = call if effect else f'note "{{{call}}}"'
                actions = {"fz_use": {"effect": made}}
                flow = {**tree["flow"], "fz_last": {"kind": "ask", "actions": actions}}
                flow["match"] = {
                    **flow["match"],
                    "setup": f"{flow['match'].get('setup', '')}; call fz_last".lstrip("; ").replace("\n;", ";"),
                }
                report = Report()
                node = parse_text(yaml(put(tree, ("flow",), flow)), _beside_shipped("use"), report)
                if node is None:
                    return
                codes = {one.code for one in interpreter.validate(node) if one.severity == "error"}  # type: ignore[arg-type]
                tried |= codes or {""}
                if not codes or codes - {"E502"}:
                    break
            if tried == {"E502"}:
                self.watch.wrong("a definition that cannot be used is found right", f"{key}: {said}")

    # ---- others -------------------------------------------------------------------------------------------------

    def _record(self) -> None:
        """A match with moves, its record altered and sealed again."""
        base = self.dice.choices(bases(), weights())[0]
        path = self._written("base.yaml", yaml(base.tree))
        ruleset = _kept(base.name)
        state = ruleset.game(enforcement=self.dice.choice(("strict", "honor"))).start(seed=self.dice.randrange(99))
        with self.watch.expecting("record", RuleError, ValueError, ArithmeticError, LookupError):  # raw, in bulk
            play_randomly(state.position, Dice(self.dice.randrange(99)), self.dice.randrange(1, 25))
        lines = [json.loads(line) for line in state.record().splitlines()]
        lines[0]["from"] = [str(path)]
        before = json.dumps(lines)
        for _ in range(self.dice.choice((1, 1, 2, 3))):
            lines = texts.altered_record(lines, self.dice)
        self.verdict.counted = json.dumps(lines) != before
        chain, sealed = "", []
        for line in lines:
            body = {key: value for key, value in line.items() if key != "h"} if isinstance(line, dict) else {"x": line}
            chain = link(chain, dump(body))
            sealed.append(json.dumps({**body, "h": chain}, separators=(",", ":"), ensure_ascii=False))
        text = "\n".join(sealed) + "\n"
        if self.dice.random() < 0.1:
            text = text[: self.dice.randrange(len(text))]
        self.verdict.text = text
        with self.watch.expecting("replay", ReplayError), self.watch.within("replay", BUDGET):
            replayed = interpreter.replay(text)
            self.verdict.valid = True
            again = interpreter.replay(replayed.record())
            if again.to_json() != replayed.to_json():
                self.watch.wrong("a record replays another match", text[-300:])
            saved = replayed.to_json()
            if replayed.game.restore(saved).to_json() != saved:
                self.watch.wrong("a saved state is restored as another", saved[:200])
        self.verdict.through = self.verdict.valid

    def _scenario(self) -> None:
        found = scenarios()
        tree = self.dice.choice(found)
        changed = tree
        for _ in range(self.dice.choice((1, 1, 2, 3))):
            changed = texts.altered(changed, found, self.dice)
        self.verdict.counted = changed != tree
        self.verdict.text = yaml([changed] if self.dice.random() < 0.2 else changed)
        report = Report()
        with self.watch.expecting("scenario", RulesetError), self.watch.within("scenario", 2 * BUDGET):
            parsed = parse_scenarios(self.verdict.text, str(self.folder / "case.yaml"), report)
            self.verdict.valid = bool(parsed) and not report.failed
            for one in parsed if not report.failed else ():
                outcome = run_scenario(one, _shelf())
                told = "" if outcome.failure is None else outcome.report()
                if "broke down" in told:
                    self.watch.wrong(f"scenario: broke down, {texts.last_line(told)}", told[-1500:])
        self.verdict.through = self.verdict.valid

    def _text(self) -> None:
        """Text that need not be a ruleset at all."""
        base = self.dice.choices(bases(), weights())[0]
        text = yaml(base.tree)
        for _ in range(self.dice.choice((1, 2, 4))):
            text = texts.edited(text, self.dice)
        self.verdict.text = text
        self.verdict.counted = text != yaml(base.tree)
        loaded = self._loaded(text)
        if loaded is not None:
            with self.watch.expecting("compile", interpreter.OptionError):
                game = loaded.game()
                tree = to_plain(loaded.node)
                Asking(game, self.watch, self.dice, tree, 8).play(1)
        state = _kept("base").game().start(seed=1)
        for said in (text[:80], texts.edited(str(state.legal_moves(state.actors[0])[0]), self.dice)):
            with self.watch.expecting("play", interpreter.IllegalMove):
                state.play(state.actors[0], said)
        with self.watch.expecting("replay", ReplayError, RulesetError):
            interpreter.replay(text)


def _beside_shipped(name: str) -> str:
    """A file that is not there, in the folder of those that its variants name."""
    return str(find("rulesets") / f"{name}.yaml")


@cache
def _shelf() -> Shelf:
    return Shelf()


@cache
def _kept(name: str) -> Ruleset:
    base = next(base for base in bases() if base.name == name)
    report = Report()
    resolved = parse_text(yaml(base.tree), _beside_shipped(name), report)
    return interpreter.load(resolved)  # type: ignore[arg-type]


@cache
def _parent(name: str) -> Game | None:
    try:
        return _kept(name).game()
    except (ValueError, StopIteration):
        return None


def _difference(one: Tree, other: Tree) -> Any:
    """The overlay that makes another tree of one: what differs, null for what is gone; None if nothing differs."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None if one == other and type(one) is type(other) else other
    found: dict[str, Any] = {}
    for key, value in other.items():
        if key not in one:
            found[key] = value
        elif value != one[key] or type(value) is not type(one[key]):
            found[key] = _difference(one[key], value)
    found |= {key: None for key in one if key not in other}
    return found or None


def _is_plain(one: Tree, other: Tree) -> bool:
    """Whether what differs is the same sort of thing in both, so that an overlay can say it without short forms."""
    if isinstance(one, dict) and isinstance(other, dict):
        if {"by", "text"} & (one.keys() | other.keys()):  # a sentence is replaced whole
            return one == other
        return set(one) <= set(other) and all(_is_plain(one[key], other[key]) for key in one)
    return isinstance(one, dict) == isinstance(other, dict)


def said(message: str) -> str:
    """A message without names and numbers."""
    return re.sub(r"'[^']*'|\d+", "…", message)[:60]


def _is_deep(text: str) -> bool:
    """Whether a text may rightly be called too long or too deeply nested."""
    inside = max((line.count("(") + line.count(" of ") for line in text.split("\n")), default=0)
    return inside > 25 or len(text) > 100_000 or any(text.count(f"{word} ") > 480 for word in ("if", "not", "for"))


__all__ = ["KINDS", "Case", "Verdict", "resolve"]
