"""Players, zones, tokens, variables, tables and definitions: what a ruleset declares."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.entries import child, entries, is_true, listing, text_of, whole
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.kinds import fits
from interpreter.language.check.names import Definition, Names, Scope, StageName
from interpreter.language.check.options import Options
from interpreter.language.check.pack import Cards
from interpreter.language.check.reserved import check_name
from interpreter.language.check.symbols import card_pattern
from interpreter.language.check.values import SIMPLE_TYPES, Values
from interpreter.language.keywords import TEAM
from interpreter.language.model import (
    Choice,
    Dimension,
    PlayersDef,
    RefillDef,
    ShownDefine,
    TableDef,
    TableRow,
    TokenDef,
    VarDef,
    ZoneDef,
)
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed

MILLION = 1_000_000
_OF_TYPE = {"min": "integer", "max": "integer", "choices": "choice"}
"""Of which type something is that has a key."""


def _counts(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


class Declarations:
    """Reads the declarations of one ruleset into `names`, in an order in which each can use the earlier ones."""

    def __init__(self, root: Mapping, names: Names, expressions: Expressions, report: Report) -> None:
        self.root = root
        self.names = names
        self.expressions = expressions
        self.report = report
        self.values = Values(expressions, report)
        self.cards = Cards(root, names, expressions, self.values, report)
        self.options = Options(root, names, expressions, self.values, report)

    # ---- players --------------------------------------------------------------------------------

    def players(self) -> PlayersDef:
        node = self.root.entries["players"]
        only = self._only(node)
        low, high = (whole(child(node, key), of(only or (1,))) for key, of in (("min", min), ("max", max)))
        only = tuple(count for count in only if low <= count <= high)
        if only:
            low, high = min(only), max(only)
        default = whole(child(node, "default"), low)
        ends = [n.span for n in (child(node, "max"), child(node, "min")) if n is not None]
        own = [s for s in ends if s.file == self.root.keys["id"].file]
        if low > high:
            message = f"the smallest number of players is {low}, and the largest {high}"
            self.report.error("E508", (own or ends)[0], message, "min is not more than max")
            low, high, default = 1, max(low, high), low
        if not low <= default <= high or (only and default not in only):
            at = child(node, "default") or node
            wanted = f"one of {', '.join(map(str, only))}" if only else f"between {low} and {high}"
            self.report.error("E508", at.span, f"the default {default} is not {wanted}")
            default = low
        best = child(node, "best")
        found = re.fullmatch(r"(\d{1,9})(?:\.\.(\d{1,9}))?", text_of(best)) if best is not None else None
        span = self.root.keys["players"]
        self.names.max_players = high
        best_of = (int(found[1]), int(found[2] or found[1])) if found else None
        if best is not None and best_of is not None and not low <= best_of[0] <= best_of[1] <= high:
            if best.span.file in {span.file for span in ends}:  # and not where an overlay allows fewer or more
                message = f"it is best with {_counts(*best_of)}, and played by {_counts(low, high)}"
                self.report.warning("W611", best.span, message, "best lies between min and max")
            best_of = max(low, best_of[0]), min(high, best_of[1])
            best_of = best_of if best_of[0] <= best_of[1] else None
        players = PlayersDef(low, high, default, best_of, span, only)
        self.names.player_counts = tuple(players.counts)
        return players

    def _only(self, node: Node) -> tuple[int, ...]:
        """The numbers of players to which a game is limited, in order; none if it is for all between two."""
        only = child(node, "only")
        counts = tuple(sorted({whole(item, 1) for item in listing(only)}))
        low, high = whole(child(node, "min"), 1), whole(child(node, "max"), 16)
        if counts and low <= high and not any(low <= count <= high for count in counts):
            assert only is not None
            self.report.error("E508", only.span, f"none of these is between {low} and {high}")
            return ()
        return counts

    # ---- zones, tokens, variables ---------------------------------------------------------------

    def zones(self) -> None:
        for name, node, span in entries(self.root.get("zones")):
            check_name(name, span, "zone", self.names, self.report)
            nobody = t.Op("group", (), t.PLAYERS, span)
            self.names.zones[name] = ZoneDef(
                name,
                self.dims(child(node, "each"), places=True),
                is_true(child(node, "pack")),
                nobody,
                nobody,
                text_of(child(node, "faces")) == "down",
                text_of(child(node, "shows")) == "top",
                None,
                None,
                text_of(child(node, "doc")),
                span,
            )

    def zone_details(self) -> None:
        """What zones say in expressions; read when all names are known."""
        for name, node, span in entries(self.root.get("zones")):
            zone = self.names.zones[name]
            everyone = t.Builtin("everyone", t.PLAYERS, span)
            seen = self.values.eyes(child(node, "seen by"), zone.dims, everyone)
            counted = self.values.eyes(child(node, "count seen by"), zone.dims, everyone)
            capacity = child(node, "capacity")
            if _is_everyone(seen) and not _is_everyone(counted) and not zone.shows_top:
                hint = "add 'shows: top', or say in 'seen by' who sees the cards"
                at = child(node, "count seen by") or node
                self.report.error("E519", at.span, "who sees all the cards can count them", hint)
            self.names.zones[name] = replace(
                zone,
                seen_by=seen,
                count_seen_by=counted,
                capacity=None if capacity is None else self.expressions.node(capacity, Scope(), t.INTEGER),
                refill=self._refill(child(node, "refill")),
            )
        self._refill_circles()

    def _refill_circles(self) -> None:
        """Zones that would refill one another, each as soon as it is empty, for ever."""
        feeds = {
            name: zone.refill.source for name, zone in self.names.zones.items()
            if zone.refill is not None and _may_empty_another(zone.refill)
        }  # fmt: skip
        done: set[str] = set()
        for name in feeds:
            way = [name]
            while way[-1] in feeds and feeds[way[-1]] not in (*way, *done):
                way.append(feeds[way[-1]])
            if feeds.get(way[-1]) == name:
                refill = self.names.zones[name].refill
                assert refill is not None
                circle = " from ".join([*way, name])
                hint = "let one of them 'keep' a card, or be refilled 'on: need'"
                self.report.error("E506", refill.span, f"zones are refilled in a circle: {circle}", hint)
                done.update(way)

    def _refill(self, node: Node | None) -> RefillDef | None:
        source = child(node, "from")
        if node is None or source is None:
            return None
        name = text_of(source)
        if name not in self.names.zones or self.names.zones[name].dims:
            hint = suggest(name, [n for n, z in self.names.zones.items() if not z.dims], "single zones")
            self.report.error("E501", source.span, f"no single zone is called '{name}'", hint)
            return None
        self.names.used.add(("zones", name))
        keep = child(node, "keep")
        kept = t.Const(0, t.INTEGER, node.span) if keep is None else self.expressions.node(keep, Scope(), t.INTEGER)
        when = child(node, "when")
        held = None if when is None else self.expressions.node(when, Scope(), t.FLAG)
        time = self._refill_time(child(node, "on"), node.span)
        return RefillDef(name, kept, is_true(child(node, "shuffle")), time, node.span, held)

    def _refill_time(self, node: Node | None, span: Span) -> Typed:
        """When a zone is refilled: one of two words, an option that is one of them, or what an option chooses."""
        need: Typed = t.Const("need", Type("choice", symbols=("need", "empty")), span)
        found = need if node is None else self.values.settled(node, self._refill_word, need)
        if not isinstance(found, Choice):
            return found
        *rows, (_, time) = found.rows
        for condition, word in reversed(rows):
            time = t.If(condition, word, time, need.type, span)
        return time

    def _refill_word(self, node: Node) -> Typed:
        kind = Type("choice", symbols=("need", "empty"))
        if text_of(node) in kind.symbols:
            return t.Const(text_of(node), kind, node.span)
        found = self.expressions.node(node, Scope())
        if not isinstance(found, t.OptionRef) or not set(found.type.symbols) <= set(kind.symbols):
            hint = "need, empty, or an option of kind choice with these words"
            self.report.error("E502", node.span, f"'{text_of(node)}' does not say when cards come", hint)
        return found

    def dims(self, node: Node | None, places: bool = False) -> tuple[Dimension, ...]:
        """What there is one of something for. places: whether cards can lie there."""
        found: list[Dimension] = []
        for item in listing(node):
            text = text_of(item)
            if text in ("player", "team", "suit", "rank") or (text == "card" and not places):
                found.append(text)  # type: ignore[arg-type]
            elif text == "card":
                hint = "a variable may have 'each: card'"
                self.report.error("E519", item.span, "there is no zone for each card", hint)
            else:
                bounds = self.values.range(item)
                if bounds is not None:
                    found.append(bounds)
        return tuple(found)

    def tokens(self) -> None:
        for name, node, span in entries(self.root.get("tokens")):
            check_name(name, span, "token", self.names, self.report)
            named = child(node, "named")
            called = None if named is None else self._piece_name(named)
            everyone = t.Builtin("everyone", t.PLAYERS, span)
            seen = self.values.eyes(child(node, "seen by"), ("player",), everyone)
            self.names.tokens[name] = TokenDef(name, called, seen, text_of(child(node, "doc")), span)

    def _piece_name(self, node: Node) -> Typed:
        """What options call a piece."""
        found = self.expressions.node(node, Scope())
        if found.type.kind not in ("text", "choice", "unknown"):
            hint = "'named' takes an option of type text or choice"
            self.report.error("E502", found.span, f"this is {found.type}, and no word to call a piece by", hint)
        return found

    def variables(self) -> None:
        for name, node, span in entries(self.root.get("state")):
            check_name(name, span, "variable", self.names, self.report)
            choices = self.values.choices(child(node, "choices"))
            kind = self.values.type_of(child(node, "type"), choices, span) or t.UNKNOWN
            self.check_keys(node, kind)
            optional = is_true(child(node, "optional"))
            low, high = child(node, "min"), child(node, "max")
            self.names.variables[name] = VarDef(
                name,
                self.dims(child(node, "each")),
                replace(kind, optional=optional),
                text_of(child(node, "lasts"), "match"),
                t.Const(-MILLION, t.INTEGER, span) if low is None else self.values.value(low, t.INTEGER),
                t.Const(MILLION, t.INTEGER, span) if high is None else self.values.value(high, t.INTEGER),
                None,
                None,
                text_of(child(node, "doc")),
                span,
            )

    def check_keys(self, node: Node, kind: Type) -> None:
        """Only numbers have bounds, and only choices choices."""
        keys = node.keys if isinstance(node, Mapping) and kind != t.UNKNOWN else {}
        for key, of in _OF_TYPE.items():
            if key in keys and kind.kind != of:
                what = "one of some words" if kind.kind == "choice" else kind
                hint = f"leave '{key}' out, or say 'type: {of}'"
                self.report.error("E519", keys[key], f"'{key}' is for type {of}, and this is {what}", hint)

    def _check_team(self, node: Node, span: Span) -> None:
        """A variable `team` says where each player belongs: all of them, and all see it."""
        variable = self.names.variables[TEAM]
        strange = [key for key in ("seen by", "default", "optional") if child(node, key) is not None]
        if strange or variable.dims != ("player",) or variable.type.kind != "team":
            hint = "team: {each: player, type: team, lasts: deal}; where all see it, it begins as the seats are"
            self.report.error("E519", span, "'team' can only say to which team each player belongs", hint)

    def variable_details(self) -> None:
        for name, node, span in entries(self.root.get("state")):
            variable = self.names.variables[name]
            if name == TEAM:
                self._check_team(node, span)
            lasts = child(node, "lasts")
            if (
                lasts is not None
                and variable.lasts not in ("turn", "trick")
                and variable.lasts not in self.names.stages
            ):
                hint = suggest(variable.lasts, [*self.names.stages, "turn", "trick"], "stages")
                self.report.error("E509", lasts.span, f"no stage is called '{variable.lasts}'", hint)
            default = child(node, "default")
            given = None if default is None else self.values.value(default, variable.type)
            if isinstance(given, t.Const) and isinstance(given.value, int) and variable.type.kind == "integer":
                low, high = variable.minimum, variable.maximum
                if isinstance(low, t.Const) and isinstance(high, t.Const):
                    if not int(low.value or 0) <= given.value <= int(high.value or 0):
                        self.report.error(
                            "E508", given.span, f"the default {given.value} is not between {low.value} and {high.value}"
                        )
            seen = child(node, "seen by")
            eyes = (
                None if seen is None else self.values.eyes(seen, variable.dims, t.Builtin("everyone", t.PLAYERS, span))
            )
            self.names.variables[name] = replace(variable, default=given, seen_by=eyes)

    # ---- tables and definitions -----------------------------------------------------------------

    def table_names(self) -> None:
        """Tables by name, with the type of their values as far as their first rows say."""
        for name, node, span in entries(self.root.get("values")):
            check_name(name, span, "table", self.names, self.report)
            self.names.tables[name] = (node, t.INTEGER, child(node, "by") is None)

    def tables(self) -> dict[str, TableDef]:
        found = {}
        for name, node, span in entries(self.root.get("values")):
            by = self.values.by(node) if isinstance(node, Mapping) and "by" in node.entries else None
            rows: list[TableRow] = []
            kind: Type | None = None
            card = self.expressions.fresh("card", t.CARD, span)
            scope = Scope() if by is not None else Scope().bind("card", card)
            for key, value, at in entries(node):
                if key in ("by", "doc"):
                    continue
                checked = self.expressions.node(value, scope, kind)
                kind = kind or checked.type
                pattern: str | None = key
                ends = None
                if key != "else":
                    if by is None:
                        pattern = card_pattern(key, at, self.names, self.expressions.report)
                    else:
                        ends = self.values.key(key, by.type, at)
                if pattern is not None:
                    rows.append(TableRow(pattern, checked, at, ends))
            found[name] = TableDef(name, by, tuple(rows), kind or t.INTEGER, span, card.name)
            self.names.tables[name] = (node, kind or t.INTEGER, by is None)
        return found

    def definitions(self) -> None:
        for key, node, span in entries(self.root.get("define")):
            found = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*", key)
            if found is None:
                self.report.error("E518", span, f"'{key}' is no name for a definition", "write NAME or NAME(a, b)")
                continue
            check_name(found[1], span, "definition", self.names, self.report)
            params = tuple(p for p in (self._param(p, span) for p in (found[2] or "").split(",") if p.strip()) if p)
            is_effect = child(node, "effect") is not None
            value = child(node, "value") if isinstance(node, Mapping) and not is_effect else node
            if value is None:
                self.report.error("E519", span, f"the definition '{found[1]}' has neither value nor effect")
                continue
            lets = child(node, "let")
            if lets is not None and is_effect:
                hint = "in an effect a value is named by 'let NAME be VALUE'"
                self.report.error("E519", lets.span, "'let' stands beside a 'value'", hint)
                lets = None
            counted = child(node, "count")
            if counted is not None and is_effect:
                self.report.error("E519", counted.span, "'count' stands beside a 'value'", "an effect comes to nothing")
                counted = None
            self.names.definitions[found[1]] = Definition(
                found[1], params, value, child(node, "seen by"), is_effect, span, tuple(entries(lets)), counted
            )

    def _param(self, text: str, span: Span) -> tuple[str, Type | None] | None:
        words = text.split()
        if len(words) == 2 and words[0] in SIMPLE_TYPES:
            return words[1], SIMPLE_TYPES[words[0]]
        if len(words) != 1 or not re.fullmatch(r"[A-Za-z_]\w*", words[0]):
            self.report.error("E518", span, f"'{text.strip()}' is no parameter", "write a name, or TYPE NAME")
            return None
        return words[0], SIMPLE_TYPES.get(words[0])

    def shown(self) -> tuple[tuple[ShownDefine, ...], dict[str, tuple[str, str]]]:
        """Definitions that views show, and those that can be asked for by name: (key, owner's kind)."""
        shown: list[ShownDefine] = []
        askable: dict[str, tuple[str, str]] = {}
        for name, definition in self.names.definitions.items():
            if definition.is_effect or len(definition.params) > 1:
                continue
            for each, kind in (("", None), ("player", t.PLAYER), ("team", t.TEAM)):
                if (kind is None) != (not definition.params):
                    continue
                if (
                    kind is not None
                    and definition.params[0][1] is not None
                    and not fits(kind, definition.params[0][1] or kind)
                ):
                    continue
                key = self._try(definition, kind)
                if key is None:
                    continue
                askable.setdefault(name, (key, each))
                if definition.seen_by is not None:
                    dims: tuple[Dimension, ...] = (
                        ("player",) if each == "player" else ("team",) if each == "team" else ()
                    )
                    eyes = self.values.eyes(definition.seen_by, dims, t.Builtin("everyone", t.PLAYERS, definition.span))
                    shown.append(ShownDefine(name, key, each, eyes, definition.span))  # type: ignore[arg-type]
                    self.names.used.add(("define", name))
                break
        return tuple(shown), askable

    def counted(self, askable: MappingOf[str, tuple[str, str]]) -> dict[str, str]:
        """Definitions that simulations count, each with the stage at whose end they do."""
        found: dict[str, str] = {}
        for name, definition in self.names.definitions.items():
            node = definition.counted
            if node is None:
                continue
            self.names.used.add(("define", name))
            stage = text_of(node)
            if stage not in self.names.stages:
                hint = suggest(stage, self.names.stages, "stages")
                self.report.error("E509", node.span, f"no stage is called '{stage}'", hint)
            elif name in askable:
                key, each = askable[name]
                kind = self.expressions.instances[key].body.type
                if kind.kind in ("flag", "integer") or (kind.kind == "player" and not each):
                    found[name] = stage
                elif kind.kind != "unknown":
                    hint = "count a flag, a number or, without a parameter, a player"
                    self.report.error("E502", node.span, f"'{name}' cannot be counted: it is {kind}", hint)
            elif not self._is_wrong(definition.node.span):
                hint = "count one without parameters, or with a player or a team alone"
                self.report.error("E519", node.span, f"'{name}' cannot be asked for at the end of a stage", hint)
        return found

    def _is_wrong(self, where: Span) -> bool:
        """Whether an error has been found in some lines."""
        errors = (found for found in self.report.diagnostics if found.severity == "error" and found.file == where.file)
        return any(where.line <= (error.line or 0) <= where.end_line for error in errors)

    def _try(self, definition: Definition, kind: Type | None) -> str | None:
        """The instance for asking from outside, if the definition makes sense for that type and without an actor.

        A definition without parameters that does not check is wrong whatever it is used for.
        """
        outer = self.expressions.report
        trial = outer if kind is None else Report()
        self.expressions.report = trial
        used, self.names.used = self.names.used, set()
        known = len(self.expressions.instances)
        args = () if kind is None else (t.Local("asked", kind, definition.span),)
        actor = t.Local("asked_actor", t.PLAYER, definition.span)
        found = self.expressions.uses.use(definition, args, Scope(actor=actor), definition.span)
        self.expressions.report = outer
        if definition.seen_by is not None:  # what is only tried out uses nothing; what views show does
            used |= self.names.used
        self.names.used = used
        if trial is not outer and trial.failed:
            while len(self.expressions.instances) > known:  # those that it uses are wrong too
                self.expressions.instances.popitem()
            return None
        if not isinstance(found, t.Instance):
            return None
        return None if self.expressions.instances[found.key].uses_actor else found.key


def _is_everyone(node: Typed) -> bool:
    return isinstance(node, t.Builtin) and node.name == "everyone"


def stage_names(root: Mapping, declarations: Declarations) -> dict[str, StageName]:
    """All stages by name, with the arguments they take, before their bodies are read."""
    found = {}
    for name, node, span in entries(root.get("flow")):
        params = []
        bounds: dict[str, tuple[Typed, Typed]] = {}
        for param, kind, at in entries(child(node, "with")):
            text = kind if isinstance(kind, Scalar) else child(kind, "type")
            choices = declarations.values.choices(child(kind, "choices"))
            checked = declarations.values.type_of(text, choices, at) or t.UNKNOWN
            declarations.check_keys(kind, checked)
            optional = is_true(child(kind, "optional"))
            params.append((param, replace(checked, optional=optional)))
            low, high = (
                t.Const(least, t.INTEGER, at) if said is None else declarations.values.value(said, t.INTEGER)
                for said, least in ((child(kind, "min"), -MILLION), (child(kind, "max"), MILLION))
            )
            bounds[param] = low, high
        found[name] = StageName(name, stage_kind(node), node, tuple(params), bounds, span)
    return found


def stage_kind(node: Node) -> str:
    for key in ("do", "repeat"):
        if child(node, key) is not None:
            return key
    kind = child(node, "kind")
    if kind is not None:
        return "effect" if text_of(kind) == "score" else text_of(kind)
    return "effect"


def _may_empty_another(refill: RefillDef) -> bool:
    """Whether a refill comes as soon as its zone is empty, and may leave nothing where it comes from."""
    waits = isinstance(refill.on, t.Const) and refill.on.value == "need"
    keeps = isinstance(refill.keep, t.Const) and isinstance(refill.keep.value, int) and refill.keep.value > 0
    return not waits and not keeps
