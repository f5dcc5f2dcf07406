"""What names in expressions refer to: local names, what is built in, and what the ruleset declares."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.base.diagnostics import Span, suggest
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.definitions import Uses
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.functions import ASKED, SPECIAL
from interpreter.language.check.names import Scope
from interpreter.language.check.symbols import as_any_symbol, as_symbol
from interpreter.language.keywords import TEAM
from interpreter.language.model import Dimension
from interpreter.language.operations import FUNCTIONS
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
BASE = "base"
"""In an overlay, what a text is laid on; a declaration of that name comes first."""
NOTHING_BELOW = (
    "there is nothing below for 'base' to stand for",
    "'base' is the text of the same place in the ruleset that an overlay changes",
)
RESERVED = frozenset(
    "actor current dealer leader winner direction led best players everyone others teams pack suits ranks none true "
    "false honor offender claimer owner".split()
)


DIMENSIONS = {"suit": t.SUIT, "rank": t.RANK, "card": t.CARD}
"""What variables and zones are kept for besides players, teams and numbers."""


class References:
    """The names of one ruleset as its expressions use them."""

    def __init__(self, expressions: ExpressionReader, uses: Uses) -> None:
        self._expressions = expressions
        self._uses = uses

    def is_known(self, name: str) -> bool:
        """Whether a name means anything at all: declared, built in, a function or a symbol."""
        known = (BUILTINS, RESERVED, FUNCTIONS, SPECIAL)
        if self._expressions.names.what_is(name) is not None or any(name in group for group in known):
            return True
        return as_any_symbol(name, Span("", 0, 0, 0, 0), self._expressions.names) is not None

    def has_two_meanings(self, name: str) -> bool:
        """Whether a word of the language names something, which has been told: who knows which of them is meant."""
        other = self._expressions.names.what_is(name)
        if other is None or (name, other) == (TEAM, "variable"):
            return False
        return name in RESERVED or (name in ASKED and other != "option")

    def meaning(self, node: ast.Name, scope: Scope, expected: Type | None) -> Typed:
        """What a name stands for where a value of a type is expected; an error if it stands for nothing."""
        text, span = node.text, node.span
        if text in scope.locals:
            local = scope.locals[text]
            return replace(local, span=span)
        if self.has_two_meanings(text):
            return self._expressions.unknown(span)
        symbol = as_symbol(text, span, expected, self._expressions.names) if expected is not None else None
        declared = self._expressions.names.what_is(text)
        if symbol is not None and declared is not None:
            hint = f'write "{text}" in quotes for the word, or rename the {declared}'
            self._expressions.report.error(
                "E503", span, f"'{text}' is a word here and also the name of {_a(declared)}", hint
            )
            return symbol
        if symbol is not None:
            return symbol
        found = self._builtin(text, span, scope) or self.declared(text, span, scope, ())
        if found is not None:
            return found
        if text == BASE:
            return self._below(span, scope, expected)
        if expected is None or expected.kind not in ("choice", "text"):  # of another type: a better message than none
            found = as_any_symbol(text, span, self._expressions.names) or self._word(text, span, expected)
            if found is not None:
                return found
        if expected is not None and expected.kind == "unknown" and self._expressions.report.failed:
            return self._expressions.unknown(span)  # what it is compared with is wrong already
        self._no_name(text, span, scope, expected)
        return self._expressions.unknown(span)

    def _below(self, span: Span, scope: Scope, expected: Type | None) -> Typed:
        """What the text is laid on in which `base` stands, in brackets."""
        if scope.below is not None:
            return scope.below(expected)
        self._expressions.report.error("E505", span, *NOTHING_BELOW)
        return self._expressions.unknown(span)

    def _word(self, text: str, span: Span, expected: Type | None) -> Typed | None:
        """A word of a choice where nothing says what kind of value is meant."""
        together = self._expressions.names.words().get(text, ()) if expected is None else ()
        return t.Const(text, Type("choice", symbols=together), span) if together else None

    def _no_name(self, text: str, span: Span, scope: Scope, expected: Type | None) -> None:
        names = self._expressions.names
        if text == "moved":
            hint = "in an effect, behind a 'move', it is the number of cards that have gone"
            self._expressions.report.error("E505", span, "'moved' is not known here", hint)
            return
        known = [*scope.locals, *names.everything(), *BUILTINS, *names.suit_names, "actor", "others", "none"]
        if expected is not None and expected.kind == "choice":
            hint = suggest(text, expected.symbols, "it is one of")
            self._expressions.report.error("E501", span, f"'{text}' is none of the words that are possible here", hint)
            return
        if expected is not None and expected.kind == "card":
            meant = self._expressions.names.meant_card(text)
            hint = f"did you mean '{meant}'?" if meant else "cards are rank then suit letter: 2C, 10H, QS"
            self._expressions.report.error("E501", span, f"no card is called '{text}'", hint)
            return
        known += [r for r in self._expressions.names.ranks if not r.isdigit()]
        words = {"yes": "true", "no": "false"}
        hint = f"did you mean '{words[text]}'?" if text in words else suggest(text, known, "names")
        self._expressions.report.error("E501", span, f"nothing is called '{text}' here", hint)

    def _builtin(self, text: str, span: Span, scope: Scope) -> Typed | None:
        match text:
            case "true" | "false":
                return t.Const(text == "true", t.FLAG, span)
            case "none":
                return t.Const(None, t.NONE, span)
            case "honor":
                return t.Builtin("honor", t.FLAG, span)
            case "actor":
                return self._expressions.actor(scope, span, "'actor' has no meaning")
            case "others":
                actor = self._expressions.actor(scope, span, "'others' has no meaning")
                return t.Op("others", (actor,), t.PLAYERS, span)
            case "players":
                return t.Builtin("players", t.PLAYERS, span)
        kind = BUILTINS.get(text)
        return None if kind is None else t.Builtin(text, kind, span)

    def declared(self, text: str, span: Span, scope: Scope, index: tuple[Typed, ...]) -> Typed | None:
        """What the ruleset has declared by this name, for whom or what the index says; None if it is nothing."""
        names = self._expressions.names
        if text in names.options:
            names.used.add(("options", text))
            option = names.options[text]
            if option.each_player:
                owner = index[0] if index else self._expressions.actor(scope, span, f"'{text}' needs a player")
                return t.Op("option of", (self._expressions.fit(owner, t.PLAYER),), option.type, span, text)
            return t.OptionRef(text, option.type, span)
        if text in names.variables:
            names.used.add(("state", text))
            variable = names.variables[text]
            return t.VarRef(text, self.index(variable.dims, index, scope, span, text), variable.type, span)
        if text in names.zones:
            names.used.add(("zones", text))
            return self.zone(text, index, scope, span)
        if text in names.tokens:
            names.used.add(("tokens", text))
            piece = set_of(Type("piece", zone=text))
            holder = self._expressions.fit(index[0], t.PLAYER) if index else None
            return t.TokenRef(text, holder, piece, span)
        if text in names.tables:
            return self._table(text, index, span, scope)
        if text in names.definitions:
            return self._uses.use(names.definitions[text], index, scope, span)
        return None

    def _table(self, text: str, index: tuple[Typed, ...], span: Span, scope: Scope) -> Typed:
        self._expressions.names.used.add(("values", text))
        _, kind, over_cards = self._expressions.names.tables[text]
        if not over_cards:
            return t.TableRef(text, t.Const(None, t.NONE, span), kind, span)
        if len(index) != 1:
            self._expressions.report.error("E504", span, f"'{text}' is a table over cards", f"write {text} of CARD")
            return t.Const(0, kind, span)
        return t.TableRef(text, self._expressions.fit(index[0], t.CARD), kind, span)

    def index(
        self, dims: Sequence[Dimension], given: tuple[Typed, ...], scope: Scope, span: Span, what: str
    ) -> tuple[Typed, ...]:
        """The full index of a variable: what is given, and the actor where a player or team is left out."""
        if len(given) > len(dims):
            each = "one" if not dims else "fewer"
            self._expressions.report.error(
                "E504", span, f"'{what}' is not kept for each of that", f"there is {each} of it"
            )
            return ()
        result = [self._dimension(d, g) for d, g in zip(dims, given, strict=False)]
        for dim in dims[len(given) :]:
            if dim == "player" and not given:
                result.append(self._expressions.actor(scope, span, f"'{what}' needs a player"))
            elif dim == "team" and not given:
                actor = self._expressions.actor(scope, span, f"'{what}' needs a team")
                result.append(t.Op("team of", (actor,), t.TEAM, span))
            else:
                self._expressions.report.error(
                    "E504", span, f"'{what}' needs to be told which one", f"write {what} of ..."
                )
                result.append(self._expressions.unknown(span))
        return tuple(result)

    def _dimension(self, dim: Dimension, given: Typed) -> Typed:
        if dim == "player":
            return self._expressions.fit(given, t.PLAYER)
        if dim == "team":
            if given.type.kind == "player":
                return t.Op("team of", (given,), t.TEAM, given.span)
            return self._expressions.fit(given, t.TEAM)
        return self._expressions.fit(given, DIMENSIONS.get(dim, t.INTEGER) if isinstance(dim, str) else t.INTEGER)

    def wanted(self, name: str) -> tuple[Type | None, ...]:
        """What a variable or zone is kept for, as far as a word or number could mean something else."""
        names = self._expressions.names
        dims = names.variables[name].dims if name in names.variables else ()
        dims = names.zones[name].dims if name in names.zones else dims
        return tuple(DIMENSIONS.get(dim) if isinstance(dim, str) else None for dim in dims)

    def zone(self, text: str, index: tuple[Typed, ...], scope: Scope, span: Span) -> Typed:
        """A zone, or one of its places: the actor's where the index says nothing of a player or team."""
        dims = self._expressions.names.zones[text].dims
        if not dims:
            if index:
                self._expressions.report.error("E504", span, f"there is only one '{text}'")
            return t.ZoneRef(text, (), t.CARDS, span)
        if not index and dims[0] in ("player", "team"):
            owner = self._expressions.actor(scope, span, f"'{text}' could be anybody's")
            index = (owner if dims[0] == "player" else t.Op("team of", (owner,), t.TEAM, span),)
        if len(index) > len(dims):
            self._expressions.report.error("E504", span, f"'{text}' is not kept for each of that")
            return t.ZoneRef(text, (), t.CARDS, span)
        fitted = tuple(self._dimension(d, i) for d, i in zip(dims, index, strict=False))
        kind = t.CARDS if len(fitted) == len(dims) else set_of(Type("place", zone=text))
        return t.ZoneRef(text, fitted, kind, span)

    def all_places(self, text: str, span: Span) -> t.ZoneRef:
        """Every place of a family, whoever's."""
        self._expressions.names.used.add(("zones", text))
        return t.ZoneRef(text, (), set_of(Type("place", zone=text)), span)


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
