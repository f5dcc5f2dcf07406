"""Typing of expressions: names get their meaning, symbols their type, definitions their bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.base.diagnostics import Enough, Report, Span, suggest
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check import sets
from interpreter.language.check.asked_for_none import may_be_none, there_if
from interpreter.language.check.comparisons import compare, is_so, member
from interpreter.language.check.definitions import Uses
from interpreter.language.check.entries import MAX_ROWS, folded, items, rows_of
from interpreter.language.check.equal_cards import are_themselves
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.functions import SPECIAL
from interpreter.language.check.kinds import fits, holds_card, or_none
from interpreter.language.check.literals import reckoned
from interpreter.language.check.meld_uses import ASKED_OF_MELDS, PARTS, least, melds_from, part_of
from interpreter.language.check.names import Names, Scope
from interpreter.language.check.references import RESERVED, References
from interpreter.language.check.symbols import as_symbol
from interpreter.language.check.values import Values
from interpreter.language.keywords import KEYWORDS, those_where
from interpreter.language.operations import FUNCTIONS
from interpreter.language.parser import MAX_LEVELS, parse_expr, parse_words
from interpreter.language.source import Listing, Mapping, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed, set_of

MAX_LETTERS, LEAST_LETTERS = 25_000, 20
"""Letters of all texts of the effect language in a ruleset together, and what each counts at least."""
ATTRIBUTES = {"suit": t.SUIT, "rank": t.RANK, "colour": t.COLOUR, "name": t.TEXT}


class Expressions(ExpressionReader):
    """Checks expressions of one ruleset, of every form."""

    def __init__(self, names: Names, report: Report, files: Sequence[str] = ()) -> None:
        """files: the base and what is laid on it, in this order."""
        super().__init__(names, report)
        self.uses = Uses(self, files)
        self.references = References(self, self.uses)
        self.instances = self.uses.instances
        self.level = 0
        """How deeply what is being checked is nested."""
        self._written_to, self._letters = report, 0
        self._gone_through: set[str] = set()  # the locals of quantifiers and loops
        self._parsed: dict[int, tuple[Scalar, ast.Expr | None]] = {}  # with the text, whose number is then no other's
        self.needs_dealer: Span | None = None
        """Where somebody is first taken to be the dealer."""

    # ---- entry points ---------------------------------------------------------------------------

    def node(self, node: Node, scope: Scope, expected: Type | None = None) -> Typed:
        """Parse and check the text of a scalar, or rows."""
        if isinstance(node, Listing | Mapping):
            return self.rows(node, scope, expected)
        if not isinstance(node, Scalar):
            self.report.error("E502", node.span, "an expression is expected here")
            return self.unknown(node.span)
        if id(node) not in self._parsed:
            self.reads(node)
            self._parsed[id(node)] = node, parse_expr(node, self.report)
        tree = self._parsed[id(node)][1]
        scope = self.laid_on(node, scope, lambda below, outer, wanted: self.node(below, outer, wanted))
        return self.unknown(node.span) if tree is None else self.check(tree, scope, expected)

    def laid_on(self, node: Scalar, scope: Scope, read: Callable[[Node, Scope, Type | None], Typed]) -> Scope:
        """The scope of a text, in which `base` is what the text is laid on; that is read as the text is."""
        below, outer = node.below, scope if scope.below is None else replace(scope, below=None)
        if below is None:
            return outer

        def meaning(expected: Type | None) -> Typed:
            self.reads_all(below, node.span)
            if isinstance(below, Mapping) and isinstance(below.entries.get("by"), Scalar):
                return Values(self, self.report).value(below, expected, outer)
            return read(below, outer, expected)

        return replace(outer, below=meaning)

    def reads_all(self, node: Node, at: Span) -> None:
        """Count all texts of a node once more, for they are written out again at a place."""
        if isinstance(node, Scalar):
            self.reads(node, at)
        for inner in items(node) if not isinstance(node, Scalar) else ():
            self.reads_all(inner, at)

    def reads(self, node: Scalar, at: Span | None = None) -> None:
        """Count a text that is parsed, and end where they are too much together: that takes long.

        at: where it is written out, if not where it stands.
        """
        self._letters += max(LEAST_LETTERS, len(node.text))
        if self._letters > MAX_LETTERS:
            message = f"the texts of the effect language have more than {MAX_LETTERS:,} letters together"
            hint = "no game needs as much; look for what is written twice"
            self._written_to.error("E404", at or node.span, message, hint)
            raise Enough

    def rows(self, node: Listing | Mapping, scope: Scope, expected: Type | None) -> Typed:
        """Rows of CONDITION and VALUE, `else` last, read as nested ifs."""
        result: Typed | None = None
        rows, last = list(rows_of(node)), "else: VALUE" if isinstance(node, Mapping) else "[else, VALUE]"
        if len(rows) > MAX_ROWS:
            message = f"there are {len(rows)} rows, and {MAX_ROWS} are allowed"
            self.report.error("E404", node.span, message, "a table with 'by' may have more")
            return self.unknown(node.span)
        outer = self.level
        for number, (condition, value, at) in reversed(list(enumerate(rows))):
            self.level = outer + number
            if condition is None or value is None:
                self.report.error("E502", at, "a row is [CONDITION, VALUE]", f"the last row is {last}")
                continue
            checked = self.node(value, scope, expected or (or_none(result.type) if result is not None else None))
            if isinstance(condition, Scalar) and condition.text == "else":
                if result is not None:
                    self.report.error("E502", condition.span, "'else' is the last row")
                result = checked
                continue
            if result is None:
                self.report.error("E502", at, f"the last row must be {last}")
                result = checked
                continue
            result = self._if(self.node(condition, scope, t.FLAG), checked, result, at)
        self.level = outer
        return result if result is not None else self.unknown(node.span)

    def words(self, node: Scalar, scope: Scope) -> t.Words:
        pieces: list[str | Typed] = []
        self.reads(node)
        parts = list(parse_words(node, self.report) or ())
        if parts and isinstance(parts[-1], str):
            parts[-1] = parts[-1].rstrip("\n")
        for piece in parts:
            pieces.append(folded(piece) if isinstance(piece, str) else self.check(piece, scope))
        return t.Words(tuple(pieces), t.TEXT, node.span)

    def are_themselves(self, node: Typed) -> bool:
        """Whether cards are meant as they lie somewhere, and not as they are called."""
        return holds_card(node.type) and are_themselves(node, self.instances)

    # ---- types ----------------------------------------------------------------------------------

    def fit(self, found: Typed, expected: Type) -> Typed:
        """The expression as a value of the expected type; an error if it is none."""
        if fits(found.type, expected):
            if isinstance(found, t.Builtin) and found.name == "dealer" and not expected.optional:
                self.needs_dealer = self.needs_dealer or found.span
            return found
        if expected.kind == "set" and expected.item is not None:
            if found.type.kind == "place" and expected.item.kind == "card":
                return sets.lying_there(found)
            if found.type.kind == "none":
                return t.Op("group", (), expected, found.span)
            if found.type.kind == "meld" and expected.item.kind == "card":
                return part_of(self, found, "cards", found.span)
            if fits(found.type, replace(expected.item, optional=True)):
                return t.Op("group", (found,), expected, found.span)
            if found.type.kind == "list" and found.type.item is not None and fits(found.type.item, expected.item):
                return found
        if expected.kind == "list" and expected.item is not None:
            if found.type.kind == "none" or fits(found.type, expected.item):
                return t.Op("group", () if found.type.kind == "none" else (found,), set_of(expected.item), found.span)
            if found.type.kind == "set" and found.type.item is not None and fits(found.type.item, expected.item):
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
        found = self.unfitted(node, scope, expected)
        self.level -= 1
        return found if expected is None else self.fit(found, expected)

    def unfitted(self, node: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        """The expression, of whatever type it is; the type that is expected says what its words mean."""
        match node:
            case ast.Number(value, span):
                return self._number(value, span, expected)
            case ast.Text(value, span):
                return self._text(value, span, scope, expected)
            case ast.Name():
                return self.references.meaning(node, scope, expected)
            case ast.Apply():
                return self._apply(node, scope, expected)
            case ast.Attribute(of, name, span):
                owner = self.check(of, scope)
                part = part_of if owner.type.kind == "meld" else Expressions._attribute
                return part(self, owner, name, span)
            case ast.Binary(op, left, right, span):
                sides = (self.check(left, scope, t.INTEGER), self.check(right, scope, t.INTEGER))
                return reckoned(t.Op(op, sides, t.INTEGER, span), self.report)
            case ast.Compare():
                return compare(self, node, scope)
            case ast.Logic(op, items, span):
                return t.Op(op, tuple(self.check(i, scope, t.FLAG) for i in items), t.FLAG, span)
            case ast.Not(item, span):
                return t.Op("not", (self.check(item, scope, t.FLAG),), t.FLAG, span)
            case ast.Member(item, group, span):
                return member(self, item, group, span, scope)
            case ast.Is():
                return is_so(self, node, scope)
            case ast.Quantifier(kind, variable, domain, where, body, span, name_span):
                through, inner, local = self.loop(variable, domain, scope, name_span)
                chosen = None if where is None else self.check(where, inner, t.FLAG)
                tested = self.check(body, inner, t.FLAG)
                return t.Quant(kind, local.name, local.type, through, chosen, tested, t.FLAG, span)
            case ast.Select():
                return self._select(node, scope)
            case ast.Fold("least"):
                return least(self, node, scope)
            case ast.Fold(kind, value, variable, domain, where, span, name_span):
                through, inner, local = self.loop(variable, domain, scope, name_span)
                chosen = None if where is None else self.check(where, inner, t.FLAG)
                amount = None if value is None else self.check(value, inner, t.INTEGER)
                return t.Fold(kind, local.name, local.type, through, chosen, amount, t.INTEGER, span)
            case ast.If(condition, then, otherwise, span):
                first = self._branch(then, scope, expected)
                other = self._branch(otherwise, scope, expected or or_none(first.type))
                if other.type.kind == "set" and first.type.kind != "set":
                    first = self.fit(first, other.type)
                elif first.type.kind == "set" and expected is not None and other.type.kind != "set":
                    other = self.fit(other, first.type)
                return self._if(self.check(condition, scope, t.FLAG), first, other, span)
            case ast.Group(items, span):
                return sets.together(self, items, span, scope, expected)
            case ast.Range():
                return sets.numbers(self, node, scope, expected)
            case ast.Without():
                return sets.without(self, node, scope, expected)
            case ast.Subsets():
                return sets.subsets(self, node, scope)
            case ast.Melds():
                return melds_from(self, node, scope)
            case ast.Some():
                return sets.some(self, node, scope)

    def _branch(self, node: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        """What stands behind `then` or `else`: of the type expected, or a set where that is of one thing."""
        self.level += 1
        found = self.unfitted(node, scope, expected) if self.level <= MAX_LEVELS else self.check(node, scope)
        self.level -= 1
        several = found.type.kind == "set" and found.type.item is not None
        if expected is None or (several and found.type.item is not None and fits(found.type.item, expected)):
            return found
        return self.fit(found, expected)

    def _if(self, condition: Typed, then: Typed, otherwise: Typed, span: Span) -> Typed:
        kind = then.type if then.type.kind != "none" else otherwise.type
        if kind.kind == "set":  # none of them is an empty set
            then, otherwise = (
                self.fit(branch, replace(kind, optional=False)) if branch.type.kind == "none" else branch
                for branch in (then, otherwise)
            )
        if kind.symbols and otherwise.type.symbols:  # one of the words of both
            kind = replace(kind, symbols=tuple(dict.fromkeys((*kind.symbols, *otherwise.type.symbols))))
        first, other = there_if(condition, True), there_if(condition, False)
        optional = may_be_none(then, first) or may_be_none(otherwise, other)
        if not fits(otherwise.type, replace(kind, optional=True)):
            self.report.error("E502", otherwise.span, f"this is {otherwise.type}, but the other branch is {then.type}")
        return t.If(condition, then, otherwise, replace(kind, optional=optional), span)

    def _number(self, value: int, span: Span, expected: Type | None) -> Typed:
        if expected is not None and expected.kind == "rank":
            return as_symbol(str(value), span, expected, self.names) or self._no_rank(str(value), span)
        if expected is not None and expected.kind == "choice" and str(value) in expected.symbols:
            return t.Const(str(value), expected, span)
        return t.Const(value, t.INTEGER, span)

    def _no_rank(self, text: str, span: Span) -> Typed:
        self.report.error("E501", span, f"there is no rank {text}", f"ranks: {', '.join(self.names.ranks)}")
        return self.unknown(span)

    def _text(self, value: str, span: Span, scope: Scope, expected: Type | None) -> Typed:
        """A text, with values put into it; where a word is expected, that word."""
        if expected is not None and expected.kind not in ("text", "unknown"):
            return as_symbol(value, span, expected, self.names) or t.Const(value, t.TEXT, span)
        if "{" in value:
            return self.words(Scalar(value, value, span, "quoted"), scope)
        return t.Const(value, t.TEXT, span)

    # ---- applications ---------------------------------------------------------------------------

    def _apply(self, node: ast.Apply, scope: Scope, expected: Type | None) -> Typed:
        if self.references.has_two_meanings(node.function):
            for argument in node.arguments:
                if not isinstance(argument, ast.Name):
                    self.check(argument, scope)
            return self.unknown(node.span)
        if node.function in SPECIAL:
            return SPECIAL[node.function](self, node, scope)
        if self.names.what_is(node.function) is not None or node.function in scope.locals:
            return self._apply_declared(node, scope)
        operation = FUNCTIONS.get(node.function)
        if self.names.melds and node.function in ASKED_OF_MELDS:
            return ASKED_OF_MELDS[node.function](self, node, scope)
        if operation is None:
            known = [*FUNCTIONS, *SPECIAL, *self.names.everything()]
            hint = suggest(node.function, known, "names")
            if node.function in ("melds", "sets"):
                hint = f"say of which cards they are made: any m in {node.function} of ... from ZONE has ..."
            self.report.error("E504", node.name_span, f"there is no '{node.function}' of anything", hint)
            return self.unknown(node.span)
        wanted, given = operation.given, node.arguments
        if len(wanted) == 1 and wanted[0].kind == "set" and len(given) > 1:  # `f of (1, 2)` is given one set
            given = (ast.Group(given, node.span),)
        if len(given) != len(wanted):
            values = "one value" if len(wanted) == 1 else f"{len(wanted)} values"
            self.report.error("E504", node.name_span, f"'{node.function}' takes {values}, not {len(given)}")
            return self.unknown(node.span)
        args = tuple(self.check(a, scope, w) for a, w in zip(given, wanted, strict=True))
        return t.Op(operation.name, args, operation.gives, node.span)

    def _apply_declared(self, node: ast.Apply, scope: Scope) -> Typed:
        name = node.function
        if name in scope.locals:
            self.report.error("E504", node.name_span, f"'{name}' is not kept for each of anything")
            return self.unknown(node.span)
        kinds: Sequence[Type | None] = self.references.wanted(name)
        if name in self.names.definitions:
            kinds = [p for _, p in self.names.definitions[name].params]
        over_cards = name in self.names.tables and self.names.tables[name][2]
        args: list[Typed] = []
        for number, argument in enumerate(node.arguments):
            wanted = kinds[number] if number < len(kinds) else (t.CARD if over_cards else None)
            args.append(self.check(argument, scope, wanted))
        found = self.references.declared(name, node.span, scope, tuple(args))
        return found if found is not None else self.unknown(node.span)

    # ---- the other forms ------------------------------------------------------------------------

    def _attribute(self, of: Typed, name: str, span: Span) -> Typed:
        if of.type.kind == "unknown" and name in PARTS and name not in ATTRIBUTES:  # it may well be a meld
            return self.unknown(span)
        if name not in ATTRIBUTES:
            hint = "how many there are is 'count of ZONE'" if name in ("count", "size", "length", "number") else ""
            hint = hint or suggest(name, ATTRIBUTES, "attributes")
            self.report.error("E501", span, f"cards have no '{name}'", hint)
            return self.unknown(span)
        return t.Op(name, (self.fit(of, t.CARD),), replace(ATTRIBUTES[name], optional=of.type.optional), span)

    def loop(self, variable: str, domain: ast.Expr, scope: Scope, span: Span) -> tuple[Typed, Scope, t.Local]:
        """What is gone through, the scope inside of the loop, and the local name that stands there for one of it."""
        group = sets.lying_there(self.check(domain, scope))
        if group.type.kind not in ("set", "list", "unknown"):
            hint = "quantifiers go through zones, sets and lists"
            self.report.error("E502", group.span, f"this is {group.type}, which cannot be gone through", hint)
            group = self.unknown(group.span)
        hint = "choose another name for the variable"
        if isinstance(domain, ast.Name) and domain.span == span:  # `players where CONDITION`
            hint = those_where(variable)
        self.free(variable, span, hint)
        outer = scope.locals.get(variable)
        if isinstance(outer, t.Local) and outer.name in self._gone_through:
            message = f"'{variable}' hides the '{variable}' of the quantifier or loop around it"
            self.report.warning("W609", span, message, "close the first one in parentheses, or take another name")
        source = group if isinstance(group, t.ZoneRef) and group.type == t.CARDS else None
        local = self.fresh(variable, group.type.item or t.UNKNOWN, span, source, self.are_themselves(group))
        self._gone_through.add(local.name)
        return group, scope.bind(variable, local), local

    def free(self, variable: str, span: Span, hint: str) -> None:
        """Report a name that cannot stand for one of a set, or for a value."""
        if variable in RESERVED or variable in KEYWORDS or self.names.what_is(variable) is not None:
            self.report.error("E518", span, f"'{variable}' already has a meaning", hint)

    def let(self, variable: str, value: Typed, span: Span, scope: Scope) -> tuple[Scope, t.Local]:
        """The scope in which a name stands for a value, and what it is there."""
        self.free(variable, span, "choose another name for the value")
        local = self.fresh(variable, value.type, span, itself=self.are_themselves(value))
        return scope.bind(variable, local), local

    def _select(self, node: ast.Select, scope: Scope) -> Typed:
        group, inner, local = self.loop(node.variable, node.domain, scope, node.name_span)
        where = None if node.where is None else self.check(node.where, inner, t.FLAG)
        by = None if node.by is None else self.check(node.by, inner, t.INTEGER)
        item = local.type
        result = set_of(item) if node.kind == "all" else replace(item, optional=item.kind != "set")
        return t.Select(node.kind, local.name, item, group, where, by, result, node.span)
