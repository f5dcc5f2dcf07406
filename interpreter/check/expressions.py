"""Typing of expressions: names get their meaning, symbols their type, definitions their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

from interpreter import syntax as ast
from interpreter import typed as t
from interpreter.check.names import ACTOR, Definition, Names, Scope, added_code
from interpreter.diagnostics import Report, Span, suggest
from interpreter.model import DefineInstance, Dimension
from interpreter.parse import KEYWORDS, MAX_DEPTH, MAX_LEVELS, parse_expr, parse_words
from interpreter.source import Listing, Mapping, Node, Scalar
from interpreter.tree import replace
from interpreter.typed import Type, Typed, children, set_of

if TYPE_CHECKING:
    from collections.abc import Callable

BUILTINS: dict[str, Type] = {
    "current": t.PLAYER,
    "dealer": replace(t.PLAYER, optional=True),
    "leader": replace(t.PLAYER, optional=True),
    "winner": replace(t.PLAYER, optional=True),
    "direction": Type("choice", symbols=("left", "right")),
    "led": replace(t.SUIT, optional=True),
    "best": t.PLAYERS,
    "players": t.PLAYERS,
    "everyone": t.PLAYERS,
    "teams": t.TEAMS,
    "pack": t.CARDS,
    "suits": set_of(t.SUIT),
    "ranks": set_of(t.RANK),
    "trick number": t.INTEGER,
}
RESERVED = frozenset(
    "actor current dealer leader winner direction led best players everyone others teams pack suits ranks none true "
    "false honor offender claimer owner".split()
)
MAX_WEIGHT = 100_000
"""The most parts a definition may have, those of the definitions it uses written out."""
MAX_ROWS = 60
"""The most rows of a value that is given by rows."""
SPARE_INSTANCES = 1_000
"""How many more instances there may be than definitions have parts that ask for some."""
ATTRIBUTES = {"suit": t.SUIT, "rank": t.RANK, "colour": t.COLOUR, "name": t.TEXT}


class Expressions:
    """Checks expressions of one ruleset. Each method reports what is wrong and returns a typed node all the same."""

    def __init__(self, names: Names, report: Report, files: Sequence[str] = ()) -> None:
        """files: the base and what is laid on it, in this order."""
        self.names = names
        self.report = report
        self.files = {file: number for number, file in enumerate(files)}
        self.instances: dict[str, DefineInstance] = {}
        self._open: list[str] = []  # definitions being checked, to find one that uses itself
        self._replaced: set[str] = set()  # definitions that do not fit where another file uses them
        self._weights: dict[str, int] = {}  # parts of a definition and of all it uses, by instance
        self._levels: dict[str, int] = {}  # how deeply it is nested, those that it uses written out
        self._refused = False  # whether something is too much to work out: one message says so
        self.level = 0
        """How deeply what is being checked is nested."""
        self._numbers = count(1)
        self._parsed: dict[int, ast.Expr | None] = {}
        self._uses_actor = False
        self.needs_dealer: Span | None = None
        """Where somebody is first taken to be the dealer."""

    # ---- entry points ---------------------------------------------------------------------------

    def node(self, node: Node, scope: Scope, expected: Type | None = None) -> Typed:
        """Parse and check the text of a scalar."""
        if isinstance(node, Listing):
            return self.rows(node, scope, expected)
        if not isinstance(node, Scalar):
            self.report.error("E502", node.span, "an expression is expected here")
            return self.unknown(node.span)
        if id(node) not in self._parsed:
            self._parsed[id(node)] = parse_expr(_as_text(node), self.report)
        tree = self._parsed[id(node)]
        return self.unknown(node.span) if tree is None else self.check(tree, scope, expected)

    def rows(self, node: Listing, scope: Scope, expected: Type | None) -> Typed:
        """A list of rows [CONDITION, VALUE], `else` last, read as nested ifs."""
        result: Typed | None = None
        if len(node.items) > MAX_ROWS:
            message = f"there are {len(node.items)} rows, and {MAX_ROWS} are allowed"
            self.report.error("E404", node.span, message, "a table with 'by' may have more")
            return self.unknown(node.span)
        for item in reversed(node.items):
            if not isinstance(item, Listing) or len(item.items) != 2:
                self.report.error("E502", item.span, "a row is [CONDITION, VALUE]", "the last row is [else, VALUE]")
                continue
            condition, value = item.items
            checked = self.node(value, scope, expected or (_or_none(result.type) if result is not None else None))
            if isinstance(condition, Scalar) and condition.text == "else":
                if result is not None:
                    self.report.error("E502", condition.span, "'else' is the last row")
                result = checked
                continue
            if result is None:
                self.report.error("E502", item.span, "the last row must be [else, VALUE]")
                result = checked
                continue
            result = self._if(self.node(condition, scope, t.FLAG), checked, result, item.span)
        return result if result is not None else self.unknown(node.span)

    def words(self, node: Scalar, scope: Scope) -> t.Words:
        pieces: list[str | Typed] = []
        for piece in parse_words(_as_text(node), self.report) or ():
            pieces.append(piece if isinstance(piece, str) else self.check(piece, scope))
        return t.Words(tuple(pieces), t.TEXT, node.span)

    def unknown(self, span: Span) -> Typed:
        return t.Const(None, t.UNKNOWN, span)

    def fresh(self, name: str, kind: Type, span: Span, source: t.ZoneRef | None = None) -> t.Local:
        """A local with a name of its own, so that bodies put into one another never clash."""
        return t.Local(f"{name}_{next(self._numbers)}", kind, span, source)

    def _too_much(self, span: Span, message: str, hint: str = "let it use other definitions less often") -> None:
        if not self._refused:
            self.report.error("E404", span, message, hint)
        self._refused = True

    def _too_deep(self, span: Span) -> None:
        message = f"definitions written out, this is nested more than {MAX_LEVELS} levels deep"
        self._too_much(span, message, "let definitions use one another over fewer levels")

    # ---- types ----------------------------------------------------------------------------------

    def fit(self, found: Typed, expected: Type) -> Typed:
        """The expression as a value of the expected type; an error if it is none."""
        if fits(found.type, expected):
            if isinstance(found, t.Builtin) and found.name == "dealer" and not expected.optional:
                self.needs_dealer = self.needs_dealer or found.span
            return found
        if expected.kind == "set" and expected.item is not None:
            if found.type.kind == "none":
                return t.Op("group", (), expected, found.span)
            if fits(found.type, replace(expected.item, optional=True)):
                return t.Op("group", (found,), expected, found.span)
            if found.type.kind == "list" and found.type.item is not None and fits(found.type.item, expected.item):
                return found
        self.report.error("E502", found.span, f"this is {found.type}, but {expected} is needed here")
        return self.unknown(found.span)

    def check(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        if self.level >= MAX_LEVELS:
            self._too_deep(node.span)
            return self.unknown(node.span)
        self.level += 1
        found = self._check(node, scope, expected)
        self.level -= 1
        return found if expected is None else self.fit(found, expected)

    def _check(self, node: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        match node:
            case ast.Number(value, span):
                return self._number(value, span, expected)
            case ast.Text(value, span):
                return self._text(value, span, expected)
            case ast.Name():
                return self._name(node, scope, expected)
            case ast.Apply():
                return self._apply(node, scope, expected)
            case ast.Attribute(of, name, span):
                return self._attribute(self.check(of, scope), name, span)
            case ast.Binary(op, left, right, span):
                sides = (self.check(left, scope, t.INTEGER), self.check(right, scope, t.INTEGER))
                return t.Op(op, sides, t.INTEGER, span)
            case ast.Compare():
                return self._compare(node, scope)
            case ast.Logic(op, items, span):
                return t.Op(op, tuple(self.check(i, scope, t.FLAG) for i in items), t.FLAG, span)
            case ast.Not(item, span):
                return t.Op("not", (self.check(item, scope, t.FLAG),), t.FLAG, span)
            case ast.Member(item, group, span):
                return self._member(item, group, span, scope)
            case ast.Is():
                return self._is(node, scope)
            case ast.Quantifier(kind, variable, domain, where, body, span, name_span):
                through, inner, local = self._loop(variable, domain, scope, name_span)
                chosen = None if where is None else self.check(where, inner, t.FLAG)
                tested = self.check(body, inner, t.FLAG)
                return t.Quant(kind, local.name, local.type, through, chosen, tested, t.FLAG, span)
            case ast.Select():
                return self._select(node, scope)
            case ast.Fold(kind, value, variable, domain, where, span, name_span):
                through, inner, local = self._loop(variable, domain, scope, name_span)
                chosen = None if where is None else self.check(where, inner, t.FLAG)
                amount = None if value is None else self.check(value, inner, t.INTEGER)
                return t.Fold(kind, local.name, local.type, through, chosen, amount, t.INTEGER, span)
            case ast.If(condition, then, otherwise, span):
                first = self.check(then, scope, expected)
                other = self.check(otherwise, scope, expected or _or_none(first.type))
                return self._if(self.check(condition, scope, t.FLAG), first, other, span)
            case ast.Group(items, span):
                return self._group(items, span, scope, expected)

    def _if(self, condition: Typed, then: Typed, otherwise: Typed, span: Span) -> Typed:
        kind = then.type if then.type.kind != "none" else otherwise.type
        optional = (
            then.type.kind == "none" or otherwise.type.kind == "none" or then.type.optional or otherwise.type.optional
        )
        if not fits(otherwise.type, replace(kind, optional=True)):
            self.report.error("E502", otherwise.span, f"this is {otherwise.type}, but the other branch is {then.type}")
        return t.If(condition, then, otherwise, replace(kind, optional=optional), span)

    def _number(self, value: int, span: Span, expected: Type | None) -> Typed:
        if expected is not None and expected.kind == "rank":
            return self._symbol(str(value), span, expected) or self._no_rank(str(value), span)
        if expected is not None and expected.kind == "choice" and str(value) in expected.symbols:
            return t.Const(str(value), expected, span)
        return t.Const(value, t.INTEGER, span)

    def _no_rank(self, text: str, span: Span) -> Typed:
        self.report.error("E501", span, f"there is no rank {text}", f"ranks: {', '.join(self.names.ranks)}")
        return self.unknown(span)

    def _text(self, value: str, span: Span, expected: Type | None) -> Typed:
        if expected is not None and expected.kind not in ("text", "unknown"):
            return self._symbol(value, span, expected) or t.Const(value, t.TEXT, span)
        return t.Const(value, t.TEXT, span)

    def _symbol(self, text: str, span: Span, expected: Type) -> Typed | None:
        """The word as a symbol of the expected type, or None."""
        names = self.names
        match expected.kind:
            case "suit" if text in names.suit_names:
                return t.Const(text, t.SUIT, span)
            case "rank" if text in names.ranks:
                return t.Const(text, t.RANK, span)
            case "colour" if text in names.colours:
                return t.Const(text, t.COLOUR, span)
            case "card" if (card := names.card_name(text)) is not None:
                return t.Const(card, t.CARD, span)
            case "choice" if text in expected.symbols:
                return t.Const(text, expected, span)
            case "player" if _player_number(text, names.max_players) is not None:
                return t.Const(text.upper(), t.PLAYER, span)
            case "set" | "list" if expected.item is not None:
                return self._symbol(text, span, expected.item)
        return None

    def _any_symbol(self, text: str, span: Span) -> Typed | None:
        for kind in (t.SUIT, t.RANK, t.COLOUR, t.CARD, t.PLAYER):
            found = self._symbol(text, span, kind)
            if found is not None:
                return found
        return None

    # ---- names ----------------------------------------------------------------------------------

    def is_known(self, name: str) -> bool:
        """Whether a name means anything at all: declared, built in, a function or a symbol."""
        known = (BUILTINS, RESERVED, FUNCTIONS, _SPECIAL)
        if self.names.what_is(name) is not None or any(name in group for group in known):
            return True
        return self._any_symbol(name, Span("", 0, 0, 0, 0)) is not None

    def _name(self, node: ast.Name, scope: Scope, expected: Type | None) -> Typed:
        text, span = node.text, node.span
        if text in scope.locals:
            local = scope.locals[text]
            return replace(local, span=span)
        symbol = self._symbol(text, span, expected) if expected is not None else None
        declared = self.names.what_is(text)
        if symbol is not None and declared is not None:
            hint = f'write "{text}" in quotes for the word, or rename the {declared}'
            self.report.error("E503", span, f"'{text}' is a word here and also the name of {_a(declared)}", hint)
            return symbol
        if symbol is not None:
            return symbol
        found = self._builtin(text, span, scope) or self._declared(text, span, scope, ())
        if found is not None:
            return found
        if expected is None or expected.kind not in ("choice", "text"):  # of another type: a better message than none
            found = self._any_symbol(text, span)
            if found is not None:
                return found
        if expected is not None and expected.kind == "unknown" and self.report.failed:
            return self.unknown(span)  # what it is compared with is wrong already
        self._no_name(text, span, scope, expected)
        return self.unknown(span)

    def _no_name(self, text: str, span: Span, scope: Scope, expected: Type | None) -> None:
        known = [*scope.locals, *self.names.everything(), *BUILTINS, *self.names.suit_names, "actor", "others", "none"]
        if expected is not None and expected.kind == "choice":
            hint = suggest(text, expected.symbols, "it is one of")
            self.report.error("E501", span, f"'{text}' is none of the words that are possible here", hint)
            return
        if expected is not None and expected.kind == "card":
            meant = self.names.meant_card(text)
            hint = f"did you mean '{meant}'?" if meant else "cards are rank then suit letter: 2C, 10H, QS"
            self.report.error("E501", span, f"no card is called '{text}'", hint)
            return
        known += [r for r in self.names.ranks if not r.isdigit()]
        self.report.error("E501", span, f"nothing is called '{text}' here", suggest(text, known, "names"))

    def actor(self, scope: Scope, span: Span, what: str) -> Typed:
        if scope.actor is None:
            self.report.error("E505", span, f"nobody is acting here, so {what}", "say whose: NAME of PLAYER")
            return self.unknown(span)
        if isinstance(scope.actor, t.Builtin):
            self._uses_actor = True
        return replace(scope.actor, span=span)

    def _builtin(self, text: str, span: Span, scope: Scope) -> Typed | None:
        match text:
            case "true" | "false":
                return t.Const(text == "true", t.FLAG, span)
            case "none":
                return t.Const(None, t.NONE, span)
            case "honor":
                return t.Builtin("honor", t.FLAG, span)
            case "actor":
                return self.actor(scope, span, "'actor' has no meaning")
            case "others":
                actor = self.actor(scope, span, "'others' has no meaning")
                return t.Op("others", (actor,), t.PLAYERS, span)
            case "players":
                return t.Builtin("players", t.PLAYERS, span)
        kind = BUILTINS.get(text)
        return None if kind is None else t.Builtin(text, kind, span)

    def _declared(self, text: str, span: Span, scope: Scope, index: tuple[Typed, ...]) -> Typed | None:
        names = self.names
        if text in names.options:
            names.used.add(("options", text))
            option = names.options[text]
            if option.each_player:
                owner = index[0] if index else self.actor(scope, span, f"'{text}' needs a player")
                return t.Op("option of", (self.fit(owner, t.PLAYER),), option.type, span, text)
            return t.OptionRef(text, option.type, span)
        if text in names.variables:
            names.used.add(("state", text))
            variable = names.variables[text]
            return t.VarRef(text, self.index(variable.dims, index, scope, span, text), variable.type, span)
        if text in names.zones:
            names.used.add(("zones", text))
            return self._zone(text, index, scope, span)
        if text in names.tokens:
            names.used.add(("tokens", text))
            piece = set_of(Type("piece", zone=text))
            holder = self.fit(index[0], t.PLAYER) if index else None
            return t.TokenRef(text, holder, piece, span)
        if text in names.tables:
            return self._table(text, index, span, scope)
        if text in names.definitions:
            return self.define(names.definitions[text], index, scope, span)
        return None

    def _table(self, text: str, index: tuple[Typed, ...], span: Span, scope: Scope) -> Typed:
        self.names.used.add(("values", text))
        _, kind, over_cards = self.names.tables[text]
        if not over_cards:
            return t.TableRef(text, t.Const(None, t.NONE, span), kind, span)
        if len(index) != 1:
            self.report.error("E504", span, f"'{text}' is a table over cards", f"write {text} of CARD")
            return t.Const(0, kind, span)
        return t.TableRef(text, self.fit(index[0], t.CARD), kind, span)

    def index(
        self, dims: Sequence[Dimension], given: tuple[Typed, ...], scope: Scope, span: Span, what: str
    ) -> tuple[Typed, ...]:
        """The full index of a variable: what is given, and the actor where a player or team is left out."""
        if len(given) > len(dims):
            each = "one" if not dims else "fewer"
            self.report.error("E504", span, f"'{what}' is not kept for each of that", f"there is {each} of it")
            return ()
        result = [self._dimension(d, g) for d, g in zip(dims, given, strict=False)]
        for dim in dims[len(given) :]:
            if dim == "player" and not given:
                result.append(self.actor(scope, span, f"'{what}' needs a player"))
            elif dim == "team" and not given:
                actor = self.actor(scope, span, f"'{what}' needs a team")
                result.append(t.Op("team of", (actor,), t.TEAM, span))
            else:
                self.report.error("E504", span, f"'{what}' needs to be told which one", f"write {what} of ...")
                result.append(self.unknown(span))
        return tuple(result)

    def _dimension(self, dim: Dimension, given: Typed) -> Typed:
        if dim == "player":
            return self.fit(given, t.PLAYER)
        if dim == "team":
            if given.type.kind == "player":
                return t.Op("team of", (given,), t.TEAM, given.span)
            return self.fit(given, t.TEAM)
        return self.fit(given, t.SUIT if dim == "suit" else t.INTEGER)

    def _zone(self, text: str, index: tuple[Typed, ...], scope: Scope, span: Span) -> Typed:
        dims = self.names.zones[text].dims
        if not dims:
            if index:
                self.report.error("E504", span, f"there is only one '{text}'")
            return t.ZoneRef(text, (), t.CARDS, span)
        if not index and dims[0] in ("player", "team"):
            owner = self.actor(scope, span, f"'{text}' could be anybody's")
            index = (owner if dims[0] == "player" else t.Op("team of", (owner,), t.TEAM, span),)
        if len(index) > len(dims):
            self.report.error("E504", span, f"'{text}' is not kept for each of that")
            return t.ZoneRef(text, (), t.CARDS, span)
        fitted = tuple(self._dimension(d, i) for d, i in zip(dims, index, strict=False))
        kind = t.CARDS if len(fitted) == len(dims) else set_of(Type("place", zone=text))
        return t.ZoneRef(text, fitted, kind, span)

    def all_places(self, text: str, span: Span) -> t.ZoneRef:
        """Every place of a family, whoever's."""
        self.names.used.add(("zones", text))
        return t.ZoneRef(text, (), set_of(Type("place", zone=text)), span)

    # ---- definitions ----------------------------------------------------------------------------

    def define(self, definition: Definition, args: tuple[Typed, ...], scope: Scope, span: Span) -> Typed:
        """A use of a definition: its body is checked once for each combination of argument types."""
        self.names.used.add(("define", definition.name))
        if definition.is_effect:
            self.report.error("E505", span, f"'{definition.name}' is an effect, not a value")
            return self.unknown(span)
        if len(args) != len(definition.params):
            self._wrong_number(definition, len(args), span)
            return self.unknown(span)
        if definition.name in self._open:
            self.report.error(
                "E506", definition.span, f"'{definition.name}' uses itself", "definitions cannot go in circles"
            )
            return self.unknown(span)
        kinds = tuple(a.type if p is None else p for (_, p), a in zip(definition.params, args, strict=True))
        args = tuple(a if p is None else self.fit(a, p) for (_, p), a in zip(definition.params, args, strict=True))
        key = f"{definition.name}({', '.join(type_key(k) + '?' * k.optional for k in kinds)})"
        if key not in self.instances and len(self._open) >= MAX_DEPTH:
            self._too_much(definition.span, f"definitions use one another over more than {MAX_DEPTH} levels", "")
            return self.unknown(span)
        if key not in self.instances:
            if len(self.instances) > 2 * len(self.names.definitions) + SPARE_INSTANCES:
                message = f"'{definition.name}' is used in too many ways: definitions take values of too many kinds"
                self._too_much(definition.span, message)
                return self.unknown(span)
            self._instantiate(definition, key, kinds, scope)
        instance = self.instances[key]
        actor: tuple[Typed, ...] = ()
        if instance.uses_actor:
            actor = (self.actor(scope, span, f"'{definition.name}' has no meaning"),)
        return t.Instance(key, (*actor, *args), instance.body.type, span)

    def _wrong_number(self, definition: Definition, given: int, span: Span) -> None:
        """A definition is used with too many or too few values; a file that has replaced it is itself to blame."""
        name, wanted = definition.name, ", ".join(p for p, _ in definition.params) or "nothing"
        if self.files.get(definition.span.file, 0) <= self.files.get(span.file, 0):
            self.report.error("E504", span, f"'{name}' takes {wanted}, but is given {given}")
        elif name not in self._replaced:
            self._replaced.add(name)
            used = f"{span.file.rsplit('/', 1)[-1]}, line {span.line},"
            message = f"'{name}' takes {wanted} here, but {used} gives it {given or 'nothing'}"
            hint = f"'{name}({', '.join('abcdefgh'[:given])})'" if given else f"'{name}'"
            self.report.error("E504", definition.span, message, f"what it takes stays: {hint}, with the names that fit")

    def _instantiate(self, definition: Definition, key: str, kinds: tuple[Type, ...], scope: Scope) -> None:
        outer = self._uses_actor
        self._uses_actor = False
        self._open.append(definition.name)
        params = [self.fresh(n, k, definition.span) for (n, _), k in zip(definition.params, kinds, strict=True)]
        bound = {n: p for (n, _), p in zip(definition.params, params, strict=True)}
        inner = Scope(stage=scope.stage, locals=bound, actor=ACTOR)
        body = self.node(definition.node, inner)
        self._open.pop()
        typed_params = tuple((p.name, p.type) for p in params)
        self.instances[key] = DefineInstance(
            key, definition.name, typed_params, body, self._uses_actor, definition.span
        )
        self._uses_actor = outer
        self._weigh(definition, key)

    def _weigh(self, definition: Definition, key: str) -> None:
        """Refuse what is short to write and endless to work out: `b: a + a`, `c: b + b` and so on."""
        parts = list(t.walk(self.instances[key].body))
        used = [self._weights.get(p.key, 0) for p in parts if isinstance(p, t.Instance)]
        weight = self._weights[key] = len(parts) + sum(used)
        if weight > MAX_WEIGHT >= max(used, default=0):
            message = f"'{definition.name}' is too much to work out: written out it has {weight} parts"
            self._too_much(definition.span, message)
        levels = self._levels[key] = self._levels_of(self.instances[key].body)
        deepest = max((self._levels.get(p.key, 0) for p in parts if isinstance(p, t.Instance)), default=0)
        if levels > MAX_LEVELS >= deepest:
            self._too_deep(definition.span)

    def _levels_of(self, node: Typed) -> int:
        own = self._levels.get(node.key, 0) if isinstance(node, t.Instance) else 0
        return 1 + max([own, *(self._levels_of(inner) for inner in children(node))])

    # ---- applications ---------------------------------------------------------------------------

    def _apply(self, node: ast.Apply, scope: Scope, expected: Type | None) -> Typed:
        if node.function in _SPECIAL:
            return _SPECIAL[node.function](self, node, scope)
        if self.names.what_is(node.function) is not None or node.function in scope.locals:
            return self._apply_declared(node, scope)
        signature = FUNCTIONS.get(node.function)
        if signature is None:
            known = [*FUNCTIONS, *_SPECIAL, *self.names.everything()]
            hint = suggest(node.function, known, "names")
            self.report.error("E504", node.name_span, f"there is no '{node.function}' of anything", hint)
            return self.unknown(node.span)
        wanted, result, op = signature
        if len(node.arguments) != len(wanted):
            self.report.error(
                "E504", node.name_span, f"'{node.function}' takes {len(wanted)} values, not {len(node.arguments)}"
            )
            return self.unknown(node.span)
        args = tuple(self.check(a, scope, w) for a, w in zip(node.arguments, wanted, strict=True))
        return t.Op(op, args, result, node.span)

    def _apply_declared(self, node: ast.Apply, scope: Scope) -> Typed:
        name = node.function
        if name in scope.locals:
            self.report.error("E504", node.name_span, f"'{name}' is not kept for each of anything")
            return self.unknown(node.span)
        kinds = [p for _, p in self.names.definitions[name].params] if name in self.names.definitions else []
        over_cards = name in self.names.tables and self.names.tables[name][2]
        args: list[Typed] = []
        for number, argument in enumerate(node.arguments):
            wanted = kinds[number] if number < len(kinds) else (t.CARD if over_cards else None)
            args.append(self.check(argument, scope, wanted))
        found = self._declared(name, node.span, scope, tuple(args))
        return found if found is not None else self.unknown(node.span)

    def _count(self, node: ast.Apply, scope: Scope) -> Typed:
        inner = self.check(node.arguments[0], scope)
        if inner.type.kind not in ("set", "list", "unknown", "place"):
            self.report.error("E502", inner.span, f"this is {inner.type}; 'count of' needs a zone or a set")
        return t.Op("count", (inner,), t.INTEGER, node.span)

    def _random(self, node: ast.Apply, scope: Scope) -> Typed:
        inner = self.check(node.arguments[0], scope)
        if not scope.random:
            self.report.error(
                "E505", node.span, "chance has a place in effects only", "draw in an effect, into a variable"
            )
        item = inner.type.item or t.UNKNOWN
        return t.Op("random", (inner,), item, node.span, scope.stage)

    def _top(self, node: ast.Apply, scope: Scope) -> Typed:
        place = self.cards(node.arguments[0], scope)
        return t.Op(node.function, (place,), replace(t.CARD, optional=True), node.span)

    def cards(self, node: ast.Expr, scope: Scope) -> Typed:
        """A zone or a place, as cards."""
        found = self.check(node, scope)
        if found.type.kind == "place":
            return t.ZoneRef(found.type.zone, (found,), t.CARDS, found.span)
        return self.fit(found, t.CARDS)

    def _next_after(self, node: ast.Apply, scope: Scope) -> Typed:
        who = self.check(node.arguments[0], scope, t.PLAYER)
        among: Typed = t.Builtin("players", t.PLAYERS, node.span)
        if len(node.arguments) > 1:
            among = self.check(node.arguments[1], scope, t.PLAYERS)
        return t.Op("next after", (who, among), t.PLAYER, node.span)

    def _extreme(self, node: ast.Apply, scope: Scope) -> Typed:
        name = node.arguments[0]
        assert isinstance(name, ast.Name)
        if name.text in self.names.variables:
            variable = self.names.variables[name.text]
            if variable.dims in (("player",), ("team",)) and variable.type.kind == "integer":
                self.names.used.add(("state", name.text))
                return t.Op(node.function, (), t.PLAYERS, node.span, name.text)
        known = [n for n, v in self.names.variables.items() if v.dims in (("player",), ("team",))]
        hint = suggest(name.text, known, "such variables")
        self.report.error("E501", name.span, f"'{node.function}' needs a number that each player has", hint)
        return t.Const(None, t.PLAYERS, node.span)

    def _void(self, node: ast.Apply, scope: Scope) -> Typed:
        suit = self.check(node.arguments[0], scope, t.SUIT)
        actor = self.actor(scope, node.span, "'void in' has no meaning")
        return t.Op("void", (suit, actor), t.FLAG, node.span, scope.stage)

    def _number_of(self, node: ast.Apply, scope: Scope) -> Typed:
        name = node.arguments[0]
        if isinstance(name, ast.Name) and name.text in self.names.stages:
            return t.Op("number of", (), t.INTEGER, node.span, name.text)
        hint = suggest(name.text, self.names.stages, "stages") if isinstance(name, ast.Name) else ""
        self.report.error("E509", name.span, "'number of' needs the name of a stage", hint)
        return self.unknown(node.span)

    def _can(self, node: ast.Apply, scope: Scope) -> Typed:
        name, who = (*node.arguments, None, None)[:2]
        if not isinstance(name, ast.Name) or name.text not in self.names.actions:
            hint = suggest(name.text, self.names.actions, "actions") if isinstance(name, ast.Name) else ""
            self.report.error("E509", node.span, "can(ACTION, PLAYER) needs the name of an action", hint)
            return t.Const(False, t.FLAG, node.span)
        player = self.actor(scope, node.span, "say who") if who is None else self.check(who, scope, t.PLAYER)
        stages = self.names.actions[name.text]
        stage = scope.stage if scope.stage in stages else stages[0] if len(stages) == 1 else t.ANYWHERE
        return t.Op("can", (player,), t.FLAG, node.span, f"{stage}.{name.text}")

    def _place_in(self, node: ast.Apply, scope: Scope) -> Typed:
        rank = self.check(node.arguments[0], scope, t.RANK)
        order = ""
        if len(node.arguments) > 1:
            name = node.arguments[1]
            order = name.text if isinstance(name, ast.Name) else ""
            if order not in self.names.orders:
                self.report.error(
                    "E501", name.span, "there is no such order", suggest(order, self.names.orders, "orders")
                )
        return t.Op("place of", (rank,), t.INTEGER, node.span, order)

    def _distance(self, node: ast.Apply, scope: Scope) -> Typed:
        around = (
            len(node.arguments) == 3 and isinstance(node.arguments[2], ast.Name) and node.arguments[2].text == "around"
        )
        if len(node.arguments) not in (2, 3) or (len(node.arguments) == 3 and not around):
            self.report.error(
                "E504", node.name_span, "'distance' takes two ranks, and the word around if the ranks turn the corner"
            )
            return t.Const(0, t.INTEGER, node.span)
        args = tuple(self.check(a, scope, t.RANK) for a in node.arguments[:2])
        return t.Op("distance around" if around else "distance", args, t.INTEGER, node.span)

    def _item(self, node: ast.Apply, scope: Scope) -> Typed:
        if len(node.arguments) != 2:
            self.report.error("E504", node.name_span, f"'{node.function}' takes a number and a list")
            return self.unknown(node.span)
        number = self.check(node.arguments[0], scope, t.INTEGER)
        group = self.check(node.arguments[1], scope)
        if group.type.kind not in ("list", "unknown"):
            self.report.error("E502", group.span, f"this is {group.type}, but a list is needed here")
        return t.Op(node.function, (number, group), group.type.item or t.UNKNOWN, node.span)

    def _owner(self, node: ast.Apply, scope: Scope) -> Typed:
        place = self.check(node.arguments[0], scope)
        if place.type.kind != "place":
            self.report.error("E502", place.span, f"this is {place.type}, but a place is needed here")
        result = t.PLAYER if node.function == "owner" else t.INTEGER
        return t.Op(f"{node.function} of", (place,), result, node.span, place.type.zone)

    def _tricks_of(self, node: ast.Apply, scope: Scope) -> Typed:
        who = self.check(node.arguments[0], scope)
        if who.type.kind == "team":
            return t.Op("team tricks", (who,), t.INTEGER, node.span)
        return t.Op("tricks of", (self.fit(who, t.PLAYER),), t.INTEGER, node.span)

    def _length(self, node: ast.Apply, scope: Scope) -> Typed:
        inner = self.check(node.arguments[0], scope)
        if inner.type.kind not in ("list", "text", "unknown"):
            self.report.error("E502", inner.span, f"this is {inner.type}; 'length of' needs a list or a text")
        return t.Op("count", (inner,), t.INTEGER, node.span)

    # ---- the other forms ------------------------------------------------------------------------

    def _attribute(self, of: Typed, name: str, span: Span) -> Typed:
        if name not in ATTRIBUTES:
            self.report.error("E501", span, f"cards have no '{name}'", suggest(name, ATTRIBUTES, "attributes"))
            return self.unknown(span)
        return t.Op(name, (self.fit(of, t.CARD),), replace(ATTRIBUTES[name], optional=of.type.optional), span)

    def _compare(self, node: ast.Compare, scope: Scope) -> Typed:
        left_first = not self._is_symbol(node.left, scope)
        first, second = (node.left, node.right) if left_first else (node.right, node.left)
        one = self.check(first, scope)
        two = self._check(second, scope, one.type)
        if node.op not in ("=", "!="):
            orderable = ("integer", "unknown", "rank")
            for side in (one, two):
                if side.type.kind not in orderable:
                    self.report.error("E502", side.span, f"this is {side.type}, which has no order")
                    return t.Const(False, t.FLAG, node.span)
        if not comparable(one.type, two.type):
            self.report.error("E502", node.span, f"{one.type} is compared with {two.type}")
            return t.Const(False, t.FLAG, node.span)
        sides = (one, two) if left_first else (two, one)
        return t.Op(node.op, sides, t.FLAG, node.span)

    def _is_symbol(self, node: ast.Expr, scope: Scope) -> bool:
        """Whether a side of a comparison waits for the other to say what it means."""
        match node:
            case ast.Number() | ast.Text():
                return True
            case ast.Name(text, _):
                return not (
                    text in scope.locals or text in BUILTINS or text in RESERVED or self.names.what_is(text) is not None
                )
            case ast.Binary():
                return False
        return False

    def _member(self, item: ast.Expr, group: ast.Expr, span: Span, scope: Scope) -> Typed:
        found = self.check(group, scope)
        if found.type.kind not in ("set", "list", "unknown"):
            self.report.error("E502", found.span, f"this is {found.type}; 'in' needs a zone, a set or a list")
            return t.Const(False, t.FLAG, span)
        member = self.check(item, scope, None if found.type.item is None else replace(found.type.item, optional=True))
        return t.Op("in", (member, found), t.FLAG, span)

    def _is(self, node: ast.Is, scope: Scope) -> Typed:
        if node.what == "empty":
            found = self.check(node.item, scope)
            if found.type.kind == "place":
                found = t.ZoneRef(found.type.zone, (found,), t.CARDS, found.span)
            if found.type.kind not in ("set", "list", "unknown"):
                self.report.error("E502", found.span, f"this is {found.type}; 'is empty' needs a zone or a set")
            return t.Op("is empty", (found,), t.FLAG, node.span)
        if isinstance(node.what, str):
            return t.Op(node.what, (self.check(node.item, scope, t.CARD),), t.FLAG, node.span)
        if (
            node.what.text in self.names.zones
            or node.what.text in self.names.variables
            or node.what.text in scope.locals
        ):
            compare = ast.Compare("=", node.item, node.what, node.span)
            return self._compare(compare, scope)
        if node.what.text.isdigit() and self.check(node.item, scope).type.kind != "card":
            number = ast.Number(int(node.what.text), node.what.span)
            return self._compare(ast.Compare("=", node.item, number, node.span), scope)
        pattern = self.pattern(node.what.text, node.what.span)
        found = self._check(node.item, scope, t.CARD)
        if found.type.kind in ("suit", "rank", "colour"):
            kind, word = found.type.kind, node.what.text
            hint = f"'is' says what a card is: 'card is {word}'; compare a {kind}: '= {word}' or '!= {word}'"
            self.report.error("E502", found.span, f"this is {found.type}, but a card is needed here", hint)
            found = self.unknown(found.span)
        return t.Op("matches", (self.fit(found, t.CARD),), t.FLAG, node.span, pattern or "else")

    def pattern(self, text: str, span: Span) -> str | None:
        """A card pattern in canonical form; an error if no card can match it."""
        names = self.names
        if text == "else" or text in names.suit_names or text in names.colours or text in names.ranks:
            return text
        card = names.card_name(text)
        if card is not None:
            return card
        low, dots, high = text.partition("..")
        if dots and low.strip() in names.ranks and high.strip() in names.ranks:
            return f"{low.strip()}..{high.strip()}"
        known = [*names.suit_names, *names.colours, *names.ranks, *(c.name for c in names.added), "else"]
        meant = names.meant_card(text)
        hint = f"did you mean '{meant}'?" if meant else suggest(text, known, "patterns")
        self.report.error("E515", span, f"no card matches '{text}'", hint)
        return None

    def _loop(self, variable: str, domain: ast.Expr, scope: Scope, span: Span) -> tuple[Typed, Scope, t.Local]:
        group = self.check(domain, scope)
        if group.type.kind not in ("set", "list", "unknown"):
            hint = "quantifiers go through zones, sets and lists"
            self.report.error("E502", group.span, f"this is {group.type}, which cannot be gone through", hint)
            group = self.unknown(group.span)
        if variable in RESERVED or variable in KEYWORDS or self.names.what_is(variable) is not None:
            self.report.error(
                "E518", span, f"'{variable}' already has a meaning", "choose another name for the variable"
            )
        source = group if isinstance(group, t.ZoneRef) and group.type == t.CARDS else None
        local = self.fresh(variable, group.type.item or t.UNKNOWN, span, source)
        return group, scope.bind(variable, local), local

    def _select(self, node: ast.Select, scope: Scope) -> Typed:
        group, inner, local = self._loop(node.variable, node.domain, scope, node.name_span)
        where = None if node.where is None else self.check(node.where, inner, t.FLAG)
        by = None if node.by is None else self.check(node.by, inner, t.INTEGER)
        item = local.type
        result = set_of(item) if node.kind == "all" else replace(item, optional=True)
        return t.Select(node.kind, local.name, item, group, where, by, result, node.span)

    def _group(self, items: Sequence[ast.Expr], span: Span, scope: Scope, expected: Type | None) -> Typed:
        wanted = expected.item if expected is not None else None
        checked: list[Typed] = []
        for item in items:
            checked.append(self.check(item, scope, wanted))
            wanted = wanted or checked[-1].type
        return t.Op("group", tuple(checked), set_of(wanted or t.UNKNOWN), span)


_SPECIAL: dict[str, Callable[[Expressions, ast.Apply, Scope], Typed]] = {
    "count": Expressions._count,
    "random": Expressions._random,
    "top": Expressions._top,
    "bottom": Expressions._top,
    "newest": Expressions._top,
    "next after": Expressions._next_after,
    "lowest": Expressions._extreme,
    "highest": Expressions._extreme,
    "void in": Expressions._void,
    "number": Expressions._number_of,
    "can": Expressions._can,
    "place": Expressions._place_in,
    "distance": Expressions._distance,
    "item": Expressions._item,
    "cycle": Expressions._item,
    "owner": Expressions._owner,
    "index": Expressions._owner,
    "tricks": Expressions._tricks_of,
    "length": Expressions._length,
}

FUNCTIONS: dict[str, tuple[tuple[Type, ...], Type, str]] = {
    "left": ((t.PLAYER,), t.PLAYER, "left of"),
    "right": ((t.PLAYER,), t.PLAYER, "right of"),
    "across from": ((t.PLAYER,), t.PLAYER, "across from"),
    "partner": ((t.PLAYER,), t.PLAYER, "partner of"),
    "team": ((t.PLAYER,), t.TEAM, "team of"),
    "members": ((t.TEAM,), t.PLAYERS, "members of"),
    "seat": ((t.PLAYER,), t.INTEGER, "seat of"),
    "holder": ((t.CARD,), replace(t.PLAYER, optional=True), "holder of"),
    "player": ((t.CARD,), replace(t.PLAYER, optional=True), "player of"),
    "colour": ((t.SUIT,), t.COLOUR, "colour of"),
    "next_in_rank": ((t.RANK, t.RANK), t.FLAG, "next in rank"),
    "greater": ((t.INTEGER, t.INTEGER), t.INTEGER, "greater"),
    "lesser": ((t.INTEGER, t.INTEGER), t.INTEGER, "lesser"),
    "start": ((t.INTEGER, t.TEXT), t.TEXT, "start"),
    "fault_count": ((t.PLAYER,), t.INTEGER, "fault count"),
    "fault_age": ((t.PLAYER,), t.INTEGER, "fault age"),
    "lapsed_count": ((t.PLAYER,), t.INTEGER, "lapsed count"),
}


ASKED = frozenset((*FUNCTIONS, *_SPECIAL))
"""Words that stand before `of`, so nothing that does so too can be called that."""


def fits(found: Type, expected: Type) -> bool:
    """Whether a value of one type can stand where the other is expected. `none` fits what is optional."""
    if "unknown" in (found.kind, expected.kind):
        return True
    if found.kind == "none":
        return expected.optional
    if found.kind != expected.kind:
        return False
    if found.kind in ("set", "list") and found.item is not None and expected.item is not None:
        return fits(found.item, expected.item)
    if found.kind == "choice":
        return bool(set(found.symbols) & set(expected.symbols)) or not expected.symbols
    if found.kind in ("place", "piece"):
        return found.zone == expected.zone
    return True


def comparable(one: Type, two: Type) -> bool:
    if "none" in (one.kind, two.kind) or "unknown" in (one.kind, two.kind):
        return True
    return fits(one, two) or fits(two, one)


def type_key(kind: Type) -> str:
    """A short name of a type for telling uses of a definition apart."""
    if kind.kind in ("set", "list") and kind.item is not None:
        return f"{kind.kind} of {type_key(kind.item)}"
    if kind.kind == "choice":
        return "/".join(kind.symbols)
    return f"{kind.kind} {kind.zone}".strip()


def _or_none(kind: Type) -> Type | None:
    """What another branch may be beside one of this type: the same, or none."""
    return None if kind.kind == "none" else replace(kind, optional=True)


def _as_text(node: Scalar) -> Scalar:
    return node


def _player_number(text: str, most: int) -> int | None:
    if text[:1] in "Pp" and text[1:].isdigit() and 1 <= int(text[1:]) <= most:
        return int(text[1:]) - 1
    return None


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


__all__ = ["Expressions", "Mapping", "added_code", "comparable", "fits", "type_key"]
