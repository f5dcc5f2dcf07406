"""Rulesets and games: load a file, fix players and options, start matches."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from interpreter.base.diagnostics import Diagnostic, Report, RulesetError, Span, suggest
from interpreter.base.signs import ToldError, describe, unseen_in
from interpreter.compiler import compile_game, print_game, unmet
from interpreter.compiler.constant import Impossible, NotConstant, before_play, chosen_row, constant
from interpreter.compiler.counts import choice_problems, deal_problems
from interpreter.compiler.layout import lay_out
from interpreter.engine.chance import MASK, ChanceError
from interpreter.engine.machine import Frame, settle
from interpreter.engine.program import Program, RuleError, rule_error
from interpreter.engine.state import State, full_moves
from interpreter.language import source
from interpreter.language import typed as t
from interpreter.language.check import check
from interpreter.language.check.names import Names
from interpreter.language.check.options import frozen_value, option_problem
from interpreter.language.model import Depends, Model, OptionDef
from interpreter.language.overlay import Source, apply_patch, is_path, resolve, shipped
from interpreter.language.overlay.blame import blame
from interpreter.language.overlay.files import rest_of
from interpreter.language.overlay.pruning import certain
from interpreter.language.shape import check_shape
from interpreter.language.tree import replace as with_changes
from interpreter.language.typed import Typed

Enforcement = Literal["strict", "honor"]
CHANCE_PLACES = ("shuffle", "first dealer", "draw", "random", "deck")
"""Where chance can be fixed beforehand."""


class OptionError(ToldError):
    """A wrong option, variant or number of players; the message names the nearest right one."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option as a user sees it. default, choices, min and max may be None where they depend on players.

    optional: whether None, written none, is a value.
    """

    type: str
    default: Any
    choices: tuple[str, ...]
    min: int | None
    max: int | None
    doc: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    doc: str


@dataclass(frozen=True, slots=True)
class Players:
    min: int
    max: int
    default: int


@dataclass(frozen=True)
class Ruleset:
    """A ruleset that has been checked. Make a game of it with `game`."""

    model: Model
    node: source.Mapping
    warnings: tuple[Diagnostic, ...] = ()
    files: tuple[str, ...] = ()
    _games: dict[str, Program] = field(default_factory=dict, repr=False, compare=False)
    _varied: dict[str, Ruleset] = field(default_factory=dict, repr=False, compare=False)
    """By the name of a variant, this ruleset with its changes, or the ruleset that the variant is."""
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
        return Players(found.minimum, found.maximum, found.default)

    @cached_property
    def options(self) -> dict[str, Option]:
        return {name: self._option(o) for name, o in self.model.options.items()}

    @cached_property
    def variants(self) -> dict[str, Variant]:
        return {name: Variant(v.doc) for name, v in self.model.variants.items()}

    @cached_property
    def digest(self) -> str:
        """A short hash of everything the resolved ruleset says."""
        text = json.dumps(source.to_plain(self.node), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def sources(self) -> list[str]:
        """Where it is found again: shipped ids and paths, the base first, then what is laid on it."""
        known = {path.resolve(): name for name, path in shipped().items()}
        return [known.get(Path(file).resolve()) or _as_path(file) for file in self.files]

    def compiled_by(self, make: Callable[[Model, int, Mapping[str, Any], bool], Program]) -> Ruleset:
        """The same, with another way to make programs."""
        return replace(self, _games={}, _varied={}, _compile=make)

    def like(self, other: Ruleset) -> Ruleset:
        """The same, with the rulesets that variants of another one are, where these say the same."""
        mine, theirs = self.model.variants, other.model.variants
        shared = {name: found for name, found in other._varied.items() if name in mine and mine[name] == theirs[name]}
        named = {name: found for name, found in shared.items() if mine[name].ruleset}
        return replace(self, _games={}, _varied={**self._varied, **named})

    def _option(self, option: OptionDef) -> Option:
        n = self.model.players.default
        default: Any = None
        with suppress(Impossible):
            default = _default(option, {}, n)
        low, high = (_maybe(b, n) for b in (option.minimum, option.maximum))
        kind = option.type.kind if option.type.item is None else f"list of {option.type.item.kind}"
        symbols = option.type.symbols or (option.type.item.symbols if option.type.item else ())
        default = list(default) if isinstance(default, tuple) else default
        return Option(kind, default, symbols, low, high, option.doc, option.type.optional)

    def game(
        self,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variants: Sequence[str] = (),
        enforcement: Enforcement = "strict",
    ) -> Game:
        """Fix players, options and enforcement.

        Raises OptionError for anything that does not fit, naming the nearest right one; RulesetError if a variant's
        changes do not fit the ruleset.
        """
        if enforcement not in ("strict", "honor"):
            raise OptionError(f"enforcement is strict or honor, not {enforcement}")
        if isinstance(variants, str):
            variants = (variants,)
        if not isinstance(variants, Sequence) or not all(isinstance(name, str) for name in variants):
            raise OptionError(f"variants is a list of names, not {variants!r}")
        if options is not None and not (isinstance(options, Mapping) and all(isinstance(o, str) for o in options)):
            raise OptionError(f"options is a mapping of names to values, not {options!r}")
        base = self._with_variants(variants)
        if base is not self:
            return base._game(players, options or {}, variants, enforcement, self)
        return self._game(players, options or {}, variants, enforcement, self)

    def _with_variants(self, variants: Sequence[str]) -> Ruleset:
        """The ruleset with the patches of variants laid on, or the one that a variant names."""
        found = self
        for name in variants:
            variant = self.model.variants.get(name)
            if variant is None:
                hint = suggest(name, self.model.variants, "variants")
                if (option := name.replace(" ", "_").replace("-", "_")) in self.model.options:
                    hint = f"'{option}' is an option"
                raise OptionError(f"no variant is called '{name}'; {hint}")
            if variant.ruleset:
                if name not in self._varied:
                    self._varied[name] = load(Path(variant.ruleset))
                found = self._varied[name]
            elif variant.has_patch:
                found = found._patched(name)
        return found

    def _patched(self, name: str) -> Ruleset:
        if name not in self._varied:
            report = Report()
            patch = self.node.entries["variants"].entries[name].entries["patch"]  # type: ignore[union-attr]
            merged = apply_patch(self.node, patch, report)  # type: ignore[arg-type]
            report.raise_errors()
            check_shape(merged, report)
            report.raise_errors()
            varied = _checked(merged, report, self.files, shipped=self.model.shipped)
            self._varied[name] = replace(varied, _compile=self._compile)
        return self._varied[name]

    def _game(
        self,
        players: int | None,
        options: Mapping[str, Any],
        variants: Sequence[str],
        enforcement: Enforcement,
        asked: Ruleset,
    ) -> Game:
        model = self.model
        given: dict[str, Any] = {}
        count = players
        for name in variants:
            variant = asked.model.variants[name]
            given.update(variant.set)
            count = variant.players if count is None else count
        given.update(options)
        count = model.players.default if count is None else count
        if type(count) is not int or not model.players.minimum <= count <= model.players.maximum:
            low, high = model.players.minimum, model.players.maximum
            wanted = f"{low} players" if low == high else f"{low} to {high} players"
            raise OptionError(f"players: {self.name} is for {wanted}, not {count!r}")
        with _told_as_options():
            chosen = self.settled(count, given, enforcement == "honor")
        key = json.dumps([count, enforcement, {k: repr(v) for k, v in sorted(chosen.items())}])
        if key not in self._games:
            with _told_as_options():
                program = self._compile(model, count, chosen, enforcement == "honor")
                self._require_late(program)
            self._games[key] = program
        return Game(self, count, chosen, tuple(variants), enforcement, self._games[key])

    def settled(
        self, players: int, given: Mapping[str, Any] = MappingProxyType({}), honor: bool = False
    ) -> dict[str, Any]:
        """The values of all options where some are given.

        Raises OptionError if they do not fit, Impossible if what the ruleset says of them makes no sense.
        """
        chosen = self._options(given, players, honor)
        self._require(chosen, players, honor)
        return chosen

    def _options(self, given: Mapping[str, Any], players: int, honor: bool) -> dict[str, Any]:
        model = self.model
        names = Names(ranks=model.ranks, suits=model.suits, added=model.pack.add, max_players=model.players.maximum)
        for name in given:
            if name not in model.options:
                raise OptionError(f"no option is called '{name}'; {suggest(name, model.options, 'options')}")
        chosen: dict[str, Any] = {}
        for name, option in model.options.items():
            if name in given:
                value = _given(option, given[name], players)
            else:
                value = _default(option, chosen, players, honor, model.ranks)
                value = (value,) * players if option.each_player else value
            each = value if option.each_player else (value,)
            bounds = partial(self._bounds, option, chosen=chosen, players=players, honor=honor)
            problem = next((p for p in (option_problem(option, v, names) or bounds(v) for v in each) if p), None)
            if problem:
                raise OptionError(f"option '{name}' {problem[0]}" + (f"; {problem[1]}" if problem[1] else ""))
            chosen[name] = value
        return chosen

    def _bounds(
        self, option: OptionDef, value: Any, *, chosen: Mapping[str, Any], players: int, honor: bool
    ) -> tuple[str, str] | None:
        def settled(bound: Typed) -> Any:
            return before_play(bound, chosen, players, honor, self.model.ranks)

        if isinstance(value, int) and not isinstance(value, bool):
            for bound, sign in ((option.minimum, -1), (option.maximum, 1)):
                limit = None if bound is None else settled(bound)
                if limit is not None and (value - limit) * sign > 0:
                    return f"is {value}, {'more' if sign > 0 else 'less'} than {limit}", ""
        if isinstance(value, tuple) and option.length is not None:
            low, high = map(settled, option.length)
            if (low is not None and len(value) < low) or (high is not None and len(value) > high):
                wanted = str(low) if low == high else f"{low} to {high}"
                return f"lists {len(value)} values, but {wanted} are needed", ""
        return None

    def _require(self, chosen: Mapping[str, Any], players: int, honor: bool) -> None:
        ranks = self.model.ranks
        for rule in self.model.requirements:
            try:
                holds = constant(rule.law, chosen, players, honor, ranks)
            except NotConstant:
                continue  # it looks at the cards: tested when there are some
            if not holds:
                raise OptionError(rule.message)
        for stage in self.model.stages.values():
            try:
                dealer = stage.first_dealer and str(constant(stage.first_dealer, chosen, players, honor, ranks))
            except NotConstant:
                continue
            if dealer and dealer[0] == "P" and dealer[1:].isdigit() and int(dealer[1:]) > players:
                raise OptionError("the first dealer is not one of the players")

    def _require_late(self, program: Program) -> None:
        for name, law in program.requirements:
            if not law():
                raise OptionError(next(r.message for r in self.model.requirements if r.name == name))


@dataclass(frozen=True)
class Game:
    """A ruleset with players, options and enforcement fixed."""

    ruleset: Ruleset
    players: int
    options: dict[str, Any]
    variants: tuple[str, ...]
    enforcement: Enforcement
    program: Program = field(repr=False)

    def start(
        self,
        seed: int | None = None,
        deck: Sequence[str] | None = None,
        chance: Mapping[str, Any] | None = None,
        given: Mapping[str, Any] | None = None,
        log: bool = True,
    ) -> State:
        """A new match, played up to the first decision.

        seed: any integer; None draws one, which `state.seed` tells and the record keeps. deck: the order of the first
        shuffle, top first. chance: fixed outcomes by place. given: a position to begin with. log: False leaves out
        the log, for playouts.
        Outcomes wait for what they are fixed for: a match may end, or be left, before that happens. `state.chance` has
        those that have not come about yet.
        Raises ValueError if a seed is no integer, or a deck, an outcome or a position does not fit; an outcome that
        cannot come about in a later move stops that move with a RuleError.
        """
        state = self._fresh()
        state.seed = (draw_seed() if seed is None else _whole(seed, "seed")) & MASK
        state.log = [] if log else None
        if chance or deck is not None:
            state.chance = _normal_chance(chance, deck, (*self.program.by_stage, "refill"))
            state.start_chance = dict(chance or {})
            if deck is None and "deck" in state.start_chance:
                state.chance["deck"] = [_cards(state.start_chance["deck"], "deck")]
            if "deck" in state.chance:
                state.start_chance["deck"] = list(state.chance["deck"][0])
        if given is not None:
            from interpreter.engine.position import PositionError, apply_given

            if not isinstance(given, Mapping):
                raise PositionError(f"a position is a mapping, not {given!r}")
            state.given = dict(given)
            apply_given(state, given)
        else:
            state.stack.append(Frame(self.program.by_stage["match"]))
        try:
            settle(state)
        except ChanceError:
            raise
        except Exception as error:
            failure = rule_error(self.program, error)
            raise failure from (None if failure is error else error)
        return state

    def _fresh(self) -> State:
        """A state before anything has happened: the pack in its zone, every variable at its default."""
        program = self.program
        if program.template is None:
            state = State(self, program, 0, False)
            state.z[program.pack_place] = list(range(len(program.cards)))
            for stage in program.stages:
                if stage.reset is not None:
                    stage.reset(state)
            for hook in (program.reset_turn, program.reset_trick):
                if hook is not None:
                    hook(state)
            program.template = state
        fresh = program.template.copy()
        fresh.game = self
        return fresh

    def restore(self, text: str) -> State:
        """A state from `to_json`: its moves are made again, and must lead to just that state.

        Raises ValueError if the text is not a state of this game, or has been altered.
        """
        try:
            data = json.loads(text)
            if sign := unseen_in(data):
                raise ValueError(f"it holds {describe(sign)}")
            if data["game"] != self.header():
                raise ValueError("it was saved in another game")
            logged = data["log"] is not None
            state = self.start(data["seed"], chance=data["start_chance"], given=data["given"], log=logged)
            for tick, player, move, extra in full_moves(data["moves"]):
                state._replay(tick, player, move, extra)
            if json.loads(state.to_json()) != data:
                raise ValueError("its moves do not lead to the position it describes")
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError, RuleError) as error:
            raise ValueError(f"this is not a saved state of this game: {error}") from error
        return state

    def header(self) -> dict[str, Any]:
        """What identifies the game, as plain JSON data."""
        options = {name: _listed(value) for name, value in self.options.items()}
        return {
            "ruleset": self.ruleset.id, "digest": self.ruleset.digest, "players": self.players, "options": options,
            "variants": list(self.variants), "enforcement": self.enforcement,
        }  # fmt: skip

    def playouts(self, n: int, seed: int, deals: int | None = None, limit: int = 100_000) -> Any:
        """Random matches; see `interpreter.api.playouts`. Raises ValueError for numbers that are none or too small."""
        from interpreter.api.playouts import playouts

        _whole(seed, "seed")
        for name, number, least in (("n", n, 0), ("limit", limit, 0), ("deals", 1 if deals is None else deals, 1)):
            _whole(number, name, least)
        return playouts(self, n, seed, deals, limit)


def _listed(value: Any) -> Any:
    """A value as JSON gives it back: a list option that each player has is a list of lists."""
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def draw_seed() -> int:
    """A seed for a match for which nobody has given one."""
    return secrets.randbits(32)


def _as_path(file: str) -> str:
    """A file as a path that no shipped id can be taken for."""
    path = Path(file).as_posix()
    return path if is_path(path) else f"./{path}"


def _whole(value: Any, name: str, least: int | None = None) -> int:
    """An argument that is a whole number. Raises ValueError."""
    if type(value) is not int or (least is not None and value < least):
        bound = "" if least is None else f" of at least {least}"
        raise ValueError(f"{name} is a whole number{bound}, not {value!r}")
    return value


def _normal_chance(
    chance: Mapping[str, Any] | None, deck: Sequence[str] | None, stages: Collection[str]
) -> dict[str, list[Any]]:
    """Fixed outcomes as lists by place: `shuffle deal`, `first dealer`, `draw`, `random`, `deck`."""
    found: dict[str, list[Any]] = {}
    if chance is not None and not isinstance(chance, Mapping):
        raise ChanceError(f"chance is a mapping of places to outcomes, not {chance!r}")
    if deck is not None:
        found["deck"] = [_cards(deck, "deck")]
    for place, value in (chance or {}).items():
        if place not in CHANCE_PLACES:
            raise ChanceError(f"chance: there is no '{place}'; {suggest(str(place), CHANCE_PLACES, 'places')}")
        if place == "shuffle":
            if not isinstance(value, Mapping):
                raise ChanceError("chance: write the order of a shuffle by its stage, {shuffle: {deal: [2C, ...]}}")
            for stage, orders in value.items():
                several = isinstance(orders, list | tuple) and orders and isinstance(orders[0], list | tuple)
                if stage not in stages:
                    raise ChanceError(f"chance: no stage is called '{stage}'; {suggest(str(stage), stages, 'stages')}")
                listed = orders if several else [orders]
                found[f"shuffle {stage}"] = [_cards(order, f"the shuffle of {stage}") for order in listed]
        elif place != "deck":
            found[place] = _cards(value, place)
    return found


def _cards(value: Any, what: str) -> list[str]:
    """Cards or other outcomes, in order. Raises ChanceError."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if not isinstance(value, Sequence):
        raise ChanceError(f"{what}: a list is needed, not {value!r}")
    return [str(v) for v in value]


@contextmanager
def _told_as_options() -> Iterator[None]:
    """What options and players make impossible is told to whoever chose them, with the place that says so."""
    try:
        yield
    except Impossible as error:
        raise OptionError(f"{error.span}: {error}" + (f"; {error.hint}" if error.hint else "")) from error
    except OptionError:
        raise
    except ValueError as error:
        raise OptionError(str(error)) from error


def _default(
    option: OptionDef, chosen: Mapping[str, Any], players: int, honor: bool = False, ranks: Sequence[str] = ()
) -> Any:
    """The default of an option. Raises Impossible."""
    if not isinstance(option.default, Depends):
        return option.default
    row = chosen_row(option.default, chosen, players, honor, ranks)
    return row.value if isinstance(row, t.Const) else None


def _given(option: OptionDef, value: Any, players: int) -> Any:
    """A value as it was given; where every player has an own one, one for all or a list of them."""
    if not option.each_player:
        return frozen_value(value, option.type)
    lists = isinstance(value, list | tuple)
    if not lists or (option.type.kind == "list" and not any(isinstance(v, list | tuple) for v in value)):
        return (frozen_value(value, option.type),) * players
    if len(value) != players:
        raise OptionError(f"option '{option.name}' lists {len(value)} values, but there are {players} players")
    return tuple(frozen_value(v, option.type) for v in value)


def _maybe(bound: Any, players: int) -> int | None:
    try:
        found = None if bound is None else before_play(bound, {}, players)
    except Impossible:
        return None
    return None if found is None else int(found)


def _checked(
    node: source.Mapping,
    report: Report,
    files: tuple[str, ...],
    removed: Mapping[tuple[str, ...], Span] | None = None,
    shipped: bool = False,
) -> Ruleset:
    own = Report()
    model = check(node, own, removed, files)
    report.extend(blame(own.diagnostics, node, files, removed or {}) if own.failed else own.diagnostics)
    report.raise_errors()
    assert model is not None
    return Ruleset(with_changes(model, shipped=shipped), node, tuple(report.sorted()), files)


def load(path: Source, overlays: Sequence[Source] = ()) -> Ruleset:
    """Load a ruleset by shipped id or path, with overlays laid on top in order.

    Raises RulesetError; its `.diagnostics` are everything that is wrong.
    """
    report = Report()
    stack = (overlays,) if isinstance(overlays, str | Path) or not isinstance(overlays, Sequence) else overlays
    try:
        found = resolve(path, report, stack=stack)
        report.raise_errors()
        assert found is not None
        return _checked(found.node, report, found.files, found.removed, found.shipped)
    except RecursionError as error:
        raise RulesetError([_too_deep(path)]) from error


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
        ruleset = _checked(found.node, report, found.files, found.removed, found.shipped)
    except RulesetError:
        return report.sorted()
    except RecursionError:
        return [_too_deep(path)]
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
                ruleset._patched(name)
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


def _too_deep(path: Source) -> Diagnostic:
    where = path.span.file if isinstance(path, source.Mapping) else str(path)
    return Diagnostic("error", "E404", "the file is too deeply nested", where)


def _try_games(ruleset: Ruleset) -> list[Diagnostic]:
    """Look at the default game for every number of players: packs too small and other things only numbers show.

    It is made for the usual number, strictly and on honour, and printed for the least and the greatest. For the others
    it is only asked whether it can be played.
    """
    report = Report()
    players = ruleset.model.players
    refused: dict[int, ValueError] = {}
    counts = range(players.minimum, players.maximum + 1)
    looks_at_cards: bool | None = None
    faults: dict[Span, str] = {}
    for count in dict.fromkeys((players.default, players.minimum, players.maximum, *counts)):
        try:
            options = ruleset.settled(count)
            if looks_at_cards is None:
                looks_at_cards = _looks_at_cards(ruleset.model, options, count)
            if count == players.default:
                program = ruleset.game(count).program
                faults.update({span: f"{why}, where the match stops" for why, span in program.faults})
                on_honor = ruleset.game(count, enforcement="honor").program.faults
                faults = {span: f"on honour {why}, where the match stops" for why, span in on_honor} | faults
            elif looks_at_cards and (name := unmet(ruleset.model, count, options, False)):
                raise OptionError(next(r.message for r in ruleset.model.requirements if r.name == name))
            elif count in (players.minimum, players.maximum):
                found = print_game(ruleset.model, count, options, False).expressions.faults
                faults.update({f.span: f"with {count} players {f}, where the match stops" for f in found} | faults)
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
    for count, problem in sorted(refused.items()):
        message = f"with {count} players the default options do not fit: {problem}"
        report.warning("W602", problem.span if isinstance(problem, Impossible) else players.span, message)
    return report.sorted()


def _looks_at_cards(model: Model, options: Mapping[str, Any], players: int) -> bool:
    """Whether a requirement asks more than options and players."""
    try:
        for rule in model.requirements:
            constant(rule.law, options, players, ranks=model.ranks)
    except NotConstant:
        return True
    return False


def _no_game(ruleset: Ruleset, refused: Mapping[int, ValueError]) -> list[Diagnostic]:
    """Why no number of players can play."""
    report = Report()
    for count, error in refused.items():
        if isinstance(error, Impossible):
            report.error("E508", error.span, str(error), error.hint)
        elif not report.failed:
            message = f"the default options fit no number of players; with {count}: {error}"
            hint = "change a default, or what must hold in 'require'"
            report.error("E520", ruleset.model.players.span, message, hint)
            break
    return report.sorted()
