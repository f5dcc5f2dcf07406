"""Typing of expressions: names get their meaning, symbols their type, definitions their bodies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from interpreter.base.diagnostics import Enough, Report, Span, suggest
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.definitions import Uses
from interpreter.language.check.functions import ASKED, SPECIAL
from interpreter.language.check.kinds import comparable, fits, or_none
from interpreter.language.check.literals import reckoned
from interpreter.language.check.names import Names, Scope
from interpreter.language.model import Dimension
from interpreter.language.operations import FUNCTIONS
from interpreter.language.parser import KEYWORDS, MAX_LEVELS, parse_expr, parse_words, those_where
from interpreter.language.source import Listing, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed, set_of

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
MAX_LETTERS, LEAST_LETTERS = 30_000, 20
"""Letters of all texts of the effect language in a ruleset together, and what each counts at least."""
MAX_ROWS = 60
"""The most rows of a value that is given by rows."""
ATTRIBUTES = {"suit": t.SUIT, "rank": t.RANK, "colour": t.COLOUR, "name": t.TEXT}


class Expressions:
    """Checks expressions of one ruleset. Each method reports what is wrong and returns a typed node all the same."""

    def __init__(self, names: Names, report: Report, files: Sequence[str] = ()) -> None:
        """files: the base and what is laid on it, in this order."""
        self.names = names
        self.report = report
        self.uses = Uses(self, files)
        self.instances = self.uses.instances
        self.level = 0
        """How deeply what is being checked is nested."""
        self._written_to, self._letters = report, 0
        self._numbers = count(1)
        self._parsed: dict[int, ast.Expr | None] = {}
        self.uses_actor = False
        """Whether what is being checked asks who acts."""
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
            self.reads(node)
            self._parsed[id(node)] = parse_expr(node, self.report)
        tree = self._parsed[id(node)]
        return self.unknown(node.span) if tree is None else self.check(tree, scope, expected)

    def reads(self, node: Scalar) -> None:
        """Count a text that is parsed, and end where they are too much together: that takes long."""
        self._letters += max(LEAST_LETTERS, len(node.text))
        if self._letters > MAX_LETTERS:
            message = f"the texts of the effect language have more than {MAX_LETTERS:,} letters together"
            self._written_to.error("E404", node.span, message, "no game needs as much; look for what is written twice")
            raise Enough

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
            checked = self.node(value, scope, expected or (or_none(result.type) if result is not None else None))
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
        self.reads(node)
        for piece in parse_words(node, self.report) or ():
            pieces.append(piece if isinstance(piece, str) else self.check(piece, scope))
        return t.Words(tuple(pieces), t.TEXT, node.span)

    def unknown(self, span: Span) -> Typed:
        return t.Const(None, t.UNKNOWN, span)

    def fresh(self, name: str, kind: Type, span: Span, source: t.ZoneRef | None = None) -> t.Local:
        """A local with a name of its own, so that bodies put into one another never clash."""
        return t.Local(f"{name}·{next(self._numbers)}", kind, span, source)

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
        hint = ""
        if expected.kind == "flag":
            hint = "compare it with something: what stands on either side of 'and' or 'or' is a whole condition"
            if found.type.kind in ("set", "list"):
                hint = "whether something is among them is asked by 'in', whether there are any by 'is empty'"
        self.report.error("E502", found.span, f"this is {found.type}, but {expected} is needed here", hint)
        return self.unknown(found.span)

    def check(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        if self.level >= MAX_LEVELS:
            self.uses.too_deep(node.span)
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
                return reckoned(t.Op(op, sides, t.INTEGER, span), self.report)
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
                through, inner, local = self.loop(variable, domain, scope, name_span)
                chosen = None if where is None else self.check(where, inner, t.FLAG)
                tested = self.check(body, inner, t.FLAG)
                return t.Quant(kind, local.name, local.type, through, chosen, tested, t.FLAG, span)
            case ast.Select():
                return self._select(node, scope)
            case ast.Fold(kind, value, variable, domain, where, span, name_span):
                through, inner, local = self.loop(variable, domain, scope, name_span)
                chosen = None if where is None else self.check(where, inner, t.FLAG)
                amount = None if value is None else self.check(value, inner, t.INTEGER)
                return t.Fold(kind, local.name, local.type, through, chosen, amount, t.INTEGER, span)
            case ast.If(condition, then, otherwise, span):
                first = self.check(then, scope, expected)
                other = self._other_branch(otherwise, scope, expected or or_none(first.type))
                if expected is None and other.type.kind == "set" and first.type.kind != "set":
                    first = self.fit(first, other.type)
                return self._if(self.check(condition, scope, t.FLAG), first, other, span)
            case ast.Group(items, span):
                return self._group(items, span, scope, expected)

    def _other_branch(self, node: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        """What stands behind `else`: of the type expected, or a set where that is of one thing."""
        self.level += 1
        found = self._check(node, scope, expected) if self.level <= MAX_LEVELS else self.check(node, scope)
        self.level -= 1
        several = found.type.kind == "set" and found.type.item is not None
        if expected is None or (several and found.type.item is not None and fits(found.type.item, expected)):
            return found
        return self.fit(found, expected)

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
            return self.symbol(str(value), span, expected) or self._no_rank(str(value), span)
        if expected is not None and expected.kind == "choice" and str(value) in expected.symbols:
            return t.Const(str(value), expected, span)
        return t.Const(value, t.INTEGER, span)

    def _no_rank(self, text: str, span: Span) -> Typed:
        self.report.error("E501", span, f"there is no rank {text}", f"ranks: {', '.join(self.names.ranks)}")
        return self.unknown(span)

    def _text(self, value: str, span: Span, expected: Type | None) -> Typed:
        if expected is not None and expected.kind not in ("text", "unknown"):
            return self.symbol(value, span, expected) or t.Const(value, t.TEXT, span)
        return t.Const(value, t.TEXT, span)

    def symbol(self, text: str, span: Span, expected: Type) -> t.Const | None:
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
                return self.symbol(text, span, expected.item)
        return None

    def _any_symbol(self, text: str, span: Span) -> Typed | None:
        for kind in (t.SUIT, t.RANK, t.COLOUR, t.CARD, t.PLAYER):
            found = self.symbol(text, span, kind)
            if found is not None:
                return found
        return None

    # ---- names ----------------------------------------------------------------------------------

    def is_known(self, name: str) -> bool:
        """Whether a name means anything at all: declared, built in, a function or a symbol."""
        known = (BUILTINS, RESERVED, FUNCTIONS, SPECIAL)
        if self.names.what_is(name) is not None or any(name in group for group in known):
            return True
        return self._any_symbol(name, Span("", 0, 0, 0, 0)) is not None

    def _name(self, node: ast.Name, scope: Scope, expected: Type | None) -> Typed:
        text, span = node.text, node.span
        if text in scope.locals:
            local = scope.locals[text]
            return replace(local, span=span)
        if self._has_two_meanings(text):
            return self.unknown(span)
        symbol = self.symbol(text, span, expected) if expected is not None else None
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
        words = {"yes": "true", "no": "false"}
        hint = f"did you mean '{words[text]}'?" if text in words else suggest(text, known, "names")
        self.report.error("E501", span, f"nothing is called '{text}' here", hint)

    def actor(self, scope: Scope, span: Span, what: str) -> Typed:
        if scope.actor is None:
            self.report.error("E505", span, f"nobody is acting here, so {what}", "say whose: NAME of PLAYER")
            return self.unknown(span)
        if isinstance(scope.actor, t.Builtin):
            self.uses_actor = True
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
            return self.uses.use(names.definitions[text], index, scope, span)
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

    # ---- applications ---------------------------------------------------------------------------

    def _has_two_meanings(self, name: str) -> bool:
        """Whether a word of the language names something, which has been told: who knows which of them is meant."""
        other = self.names.what_is(name)
        return other is not None and (name in RESERVED or (name in ASKED and other != "option"))

    def _apply(self, node: ast.Apply, scope: Scope, expected: Type | None) -> Typed:
        if self._has_two_meanings(node.function):
            for argument in node.arguments:
                if not isinstance(argument, ast.Name):
                    self.check(argument, scope)
            return self.unknown(node.span)
        if node.function in SPECIAL:
            return SPECIAL[node.function](self, node, scope)
        if self.names.what_is(node.function) is not None or node.function in scope.locals:
            return self._apply_declared(node, scope)
        operation = FUNCTIONS.get(node.function)
        if operation is None:
            known = [*FUNCTIONS, *SPECIAL, *self.names.everything()]
            hint = suggest(node.function, known, "names")
            self.report.error("E504", node.name_span, f"there is no '{node.function}' of anything", hint)
            return self.unknown(node.span)
        wanted = operation.given
        if len(node.arguments) != len(wanted):
            self.report.error(
                "E504", node.name_span, f"'{node.function}' takes {len(wanted)} values, not {len(node.arguments)}"
            )
            return self.unknown(node.span)
        args = tuple(self.check(a, scope, w) for a, w in zip(node.arguments, wanted, strict=True))
        return t.Op(operation.name, args, operation.gives, node.span)

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

    def cards(self, node: ast.Expr, scope: Scope) -> Typed:
        """A zone or a place, as cards."""
        found = self.check(node, scope)
        if found.type.kind == "place":
            return t.ZoneRef(found.type.zone, (found,), t.CARDS, found.span)
        return self.fit(found, t.CARDS)

    # ---- the other forms ------------------------------------------------------------------------

    def _attribute(self, of: Typed, name: str, span: Span) -> Typed:
        if name not in ATTRIBUTES:
            hint = "how many there are is 'count of ZONE'" if name in ("count", "size", "length", "number") else ""
            hint = hint or suggest(name, ATTRIBUTES, "attributes")
            self.report.error("E501", span, f"cards have no '{name}'", hint)
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
                    self.report.error(
                        "E502", side.span, f"this is {side.type}, which has no order", self._how_many(one, two)
                    )
                    return t.Const(False, t.FLAG, node.span)
        if not comparable(one.type, two.type):
            self.report.error("E502", node.span, f"{one.type} is compared with {two.type}", self._how_many(one, two))
            return t.Const(False, t.FLAG, node.span)
        sides = (one, two) if left_first else (two, one)
        return t.Op(node.op, sides, t.FLAG, node.span)

    def _how_many(self, one: Typed, two: Typed) -> str:
        """The hint for a set that is compared with a number."""
        for group, number in ((one, two), (two, one)):
            if group.type.kind in ("set", "list") and number.type.kind == "integer":
                name = group.name if isinstance(group, t.Builtin | t.ZoneRef | t.VarRef | t.OptionRef) else "..."
                if name == "players":
                    return "how many play is 'count of everyone', how many of them take part here 'count of players'"
                return f"how many there are is 'count of {name}'"
        return ""

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
        known: Typed | None = None
        if isinstance(group, ast.Group) and not self._is_symbol(item, scope):  # it says what `10` is among ranks
            known = self.check(item, scope)
        members: Type | None = None
        if known is not None and known.type.kind not in ("none", "unknown"):
            members = set_of(replace(known.type, optional=True))
        found = self._check(group, scope, members)
        if found.type.kind not in ("set", "list", "unknown"):
            hint = ""
            if isinstance(group, ast.Binary) and group.op == "-":
                hint = "whether something lies between two values is asked by 'X >= LOW and X <= HIGH'"
            self.report.error("E502", found.span, f"this is {found.type}; 'in' needs a zone, a set or a list", hint)
            return t.Const(False, t.FLAG, span)
        member = known or self.check(
            item, scope, None if found.type.item is None else replace(found.type.item, optional=True)
        )
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
        word = node.what.text
        found = self._check(node.item, scope, t.CARD)
        named = word in self.names.zones or word in self.names.variables or word in scope.locals or word in BUILTINS
        if named or found.type.kind not in ("card", "unknown"):  # what is no card is compared
            what = ast.Number(int(word), node.what.span) if word.isdigit() else node.what
            return self._compare(ast.Compare("=", node.item, what, node.span), scope)
        pattern = self.pattern(word, node.what.span)
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
        several = [part.strip() for part in re.split(r",|/|\bor\b|\band\b", text)]
        spread = re.fullmatch(r"(\w+)\s*(?:-|to|–)\s*(\w+)", text)
        if spread is not None and {spread[1], spread[2]} <= set(names.ranks):
            hint = f"a range is written '{spread[1]}..{spread[2]}'"
        elif len(several) > 1 and set(several) <= set(known):
            hint = "each has a row of its own: " + ", ".join(f"'{part}: ...'" for part in several)
        self.report.error("E515", span, f"no card matches '{text}'", hint)
        return None

    def loop(self, variable: str, domain: ast.Expr, scope: Scope, span: Span) -> tuple[Typed, Scope, t.Local]:
        group = self.check(domain, scope)
        if group.type.kind not in ("set", "list", "unknown"):
            hint = "quantifiers go through zones, sets and lists"
            self.report.error("E502", group.span, f"this is {group.type}, which cannot be gone through", hint)
            group = self.unknown(group.span)
        if variable in RESERVED or variable in KEYWORDS or self.names.what_is(variable) is not None:
            hint = "choose another name for the variable"
            if isinstance(domain, ast.Name) and domain.span == span:  # `players where CONDITION`
                hint = those_where(variable)
            self.report.error("E518", span, f"'{variable}' already has a meaning", hint)
        source = group if isinstance(group, t.ZoneRef) and group.type == t.CARDS else None
        local = self.fresh(variable, group.type.item or t.UNKNOWN, span, source)
        return group, scope.bind(variable, local), local

    def _select(self, node: ast.Select, scope: Scope) -> Typed:
        group, inner, local = self.loop(node.variable, node.domain, scope, node.name_span)
        where = None if node.where is None else self.check(node.where, inner, t.FLAG)
        by = None if node.by is None else self.check(node.by, inner, t.INTEGER)
        item = local.type
        result = set_of(item) if node.kind == "all" else replace(item, optional=True)
        return t.Select(node.kind, local.name, item, group, where, by, result, node.span)

    def _group(self, items: Sequence[ast.Expr], span: Span, scope: Scope, expected: Type | None) -> Typed:
        wanted = expected.item if expected is not None else None
        checked: dict[int, Typed] = {}
        for at in sorted(
            range(len(items)), key=lambda at: isinstance(items[at], ast.Number)
        ):  # beside `J` 10 is a rank
            checked[at] = self.check(items[at], scope, wanted)
            wanted = wanted or checked[at].type
        return t.Op("group", tuple(checked[at] for at in range(len(items))), set_of(wanted or t.UNKNOWN), span)


def _player_number(text: str, most: int) -> int | None:
    if text[:1] in "Pp" and text[1:].isdigit() and 1 <= int(text[1:]) <= most:
        return int(text[1:]) - 1
    return None


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
