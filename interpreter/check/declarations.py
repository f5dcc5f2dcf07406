"""Options, players, pack, zones, tokens, variables, tables and definitions: what a ruleset declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from interpreter import typed as t
from interpreter.check.expressions import ASKED, MAX_ROWS, RESERVED, Expressions, fits
from interpreter.check.names import STANDARD_SUITS, Definition, Names, Scope, StageName
from interpreter.diagnostics import Report, Span, suggest
from interpreter.model import (
    AddedCard,
    Choice,
    Depends,
    Dimension,
    OptionDef,
    OptionValue,
    PackDef,
    PlayersDef,
    RefillDef,
    Requirement,
    ShownDefine,
    SuitDef,
    TableDef,
    TableRow,
    TokenDef,
    VarDef,
    VariantDef,
    ZoneDef,
)
from interpreter.parse import KEYWORDS, parse_players, parse_range
from interpreter.source import Listing, Mapping, Node, Scalar, to_plain
from interpreter.tree import replace
from interpreter.typed import Type, Typed

MAX_PLAYERS = 16
MILLION = 1_000_000
MAX_RANKS = 200
MAX_SUITS = 50
STANDARD_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
Said = TypeVar("Said")
SIMPLE_TYPES = {
    "integer": t.INTEGER,
    "flag": t.FLAG,
    "text": t.TEXT,
    "card": t.CARD,
    "rank": t.RANK,
    "suit": t.SUIT,
    "player": t.PLAYER,
    "team": t.TEAM,
    "colour": t.COLOUR,
    "players": t.PLAYERS,
    "number": t.INTEGER,
}


def entries(node: Node | None) -> Iterator[tuple[str, Node, Span]]:
    """The entries of a mapping with the place of each key; nothing for anything else."""
    if isinstance(node, Mapping):
        for name, value in node.entries.items():
            yield name, value, node.keys[name]


def child(node: Node | None, name: str) -> Node | None:
    return node.entries.get(name) if isinstance(node, Mapping) else None


def text_of(node: Node | None, default: str = "") -> str:
    return node.text if isinstance(node, Scalar) else default


def listing(node: Node | None) -> tuple[Node, ...]:
    if node is None:
        return ()
    return node.items if isinstance(node, Listing) else (node,)


def is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True


class Declarations:
    """Reads the declarations of one ruleset into `names`, in an order in which each can use the earlier ones."""

    def __init__(self, root: Mapping, names: Names, expressions: Expressions, report: Report) -> None:
        self.root = root
        self.names = names
        self.expressions = expressions
        self.report = report

    def const(self, value: int | bool | str | None, kind: Type, span: Span) -> Typed:
        return t.Const(value, kind, span)

    # ---- cards and players ----------------------------------------------------------------------

    def players(self) -> PlayersDef:
        node = self.root.entries["players"]
        low, high = (self._int(child(node, k), 1) for k in ("min", "max"))
        default = self._int(child(node, "default"), low)
        ends = [n.span for n in (child(node, "max"), child(node, "min")) if n is not None]
        own = [s for s in ends if s.file == self.root.keys["id"].file]
        if high > MAX_PLAYERS:
            self.report.error("E508", ends[0], f"at most {MAX_PLAYERS} players, not {high}")
            low, high = min(low, MAX_PLAYERS), MAX_PLAYERS
        if low > high:
            message = f"the smallest number of players is {low}, and the largest {high}"
            self.report.error("E508", (own or ends)[0], message, "min is not more than max")
            low, high, default = 1, max(low, high), low
        if not low <= default <= high:
            at = child(node, "default") or node
            self.report.error("E508", at.span, f"the default {default} is not between {low} and {high}")
            default = low
        best = child(node, "best")
        found = re.fullmatch(r"(\d{1,9})(?:\.\.(\d{1,9}))?", text_of(best)) if best is not None else None
        span = self.root.keys["players"]
        self.names.max_players = high
        return PlayersDef(low, high, default, (int(found[1]), int(found[2] or found[1])) if found else None, span)

    def _int(self, node: Node | None, default: int) -> int:
        return node.value if isinstance(node, Scalar) and type(node.value) is int else default

    def ranks_and_suits(self) -> None:
        names = self.names
        ranks = self.root.get("ranks")
        names.ranks = STANDARD_RANKS if ranks is None else tuple(self._ranks(ranks))
        suits = self.root.get("suits")
        if isinstance(suits, Mapping) and len(suits.entries) > MAX_SUITS:
            message = f"there are {len(suits.entries)} suits, and {MAX_SUITS} are allowed"
            self.report.error("E508", self.root.keys["suits"], message)
        elif suits is not None:
            names.suits = (
                tuple(
                    SuitDef(n, text_of(child(v, "letter"), n[:1].upper()), text_of(child(v, "colour"), n))
                    for n, v, _ in entries(suits)
                )
                or STANDARD_SUITS
            )
        for name, order, _ in entries(self.root.get("orders")):
            names.orders[name] = tuple(self._ranks(order))
        names.added = tuple(self._added(n, v, s) for n, v, s in entries(child(self.root.get("pack"), "add")))

    def _ranks(self, node: Node) -> Iterator[str]:
        seen: set[str] = set()
        for item in listing(node):
            text = text_of(item)
            found = re.fullmatch(r"(\d{1,9})\.\.(\d{1,9})", text)
            ends = range(int(found[1]), int(found[2]) + 1) if found else range(1)
            if len(seen) + len(ends) > MAX_RANKS:
                self.report.error("E508", item.span, f"with this there are more than {MAX_RANKS} ranks")
                return
            for rank in map(str, ends) if found else (text,):
                if rank in seen:
                    self.report.error("E518", item.span, f"the rank {rank} is listed twice")
                self._plain_name(rank, item.span, "rank")
                seen.add(rank)
                yield rank

    def _plain_name(self, name: str, span: Span, what: str) -> None:
        """Cards are named in moves, where a blank or quote would end the name."""
        if re.fullmatch(r"[A-Za-z0-9_]+", name) is None:
            hint = "it has letters, digits and _; there may be a comma missing"
            self.report.error("E205", span, f"'{name}' is not a name for a {what}", hint)

    def _added(self, name: str, node: Node, span: Span) -> AddedCard:
        if isinstance(node, Mapping):
            return AddedCard(name, None, None, span)
        return AddedCard(name, self.const(self._int(node, 1), t.INTEGER, node.span), None, span)

    def pack(self) -> PackDef:
        node = self.root.entries["pack"]
        scope = Scope()
        standard = child(node, "standard")
        copies = self.const(1, t.INTEGER, node.span) if standard is None else self.value(standard, t.INTEGER)
        added = []
        for name, value, span in entries(child(node, "add")):
            count, when = child(value, "count"), child(value, "when")
            added.append(
                AddedCard(
                    name,
                    self._number(value if isinstance(value, Scalar) else count, scope),
                    None if when is None else self.expressions.node(when, scope, t.FLAG),
                    span,
                )
            )
        remove = child(node, "remove")
        by = self._remove_by(remove) if isinstance(remove, Mapping) else None
        plain = () if isinstance(remove, Mapping) else self._cards(remove)
        return PackDef(copies, self._only(child(node, "only")), plain, by, tuple(added), self.root.keys["pack"])

    def _number(self, node: Node | None, scope: Scope) -> Typed | None:
        return None if node is None else self.expressions.node(node, scope, t.INTEGER)

    def _cards(self, node: Node | None) -> tuple[Typed, ...]:
        return tuple(self.expressions.node(i, Scope(), t.CARD) for i in listing(node))

    def _remove_by(
        self, node: Mapping
    ) -> tuple[Typed, tuple[tuple[int | str, int | str, tuple[Typed, ...]], ...], tuple[Typed, ...]]:
        by = self.by(node)
        rows = [(*self._key(k, by.type, s), self._cards(v)) for k, v, s in entries(node) if k not in ("by", "else")]
        return by, tuple(rows), self._cards(node.get("else"))

    def _only(self, node: Node | None) -> tuple[str, ...] | Depends | None:
        if node is None:
            return None
        if isinstance(node, Mapping):
            return self.depends(node, t.TEXT, lambda n: t.Const(",".join(self._kept(n)), t.TEXT, n.span))
        return tuple(self._kept(node))

    def _kept(self, node: Node) -> Iterator[str]:
        """Ranks of `7..A` or a list."""
        ranks = self.names.ranks
        for item in listing(node):
            low, _, high = text_of(item).partition("..")
            high = high or low
            if low not in ranks or high not in ranks:
                self.report.error(
                    "E515", item.span, f"no ranks are called '{text_of(item)}'", f"ranks: {', '.join(ranks)}"
                )
                continue
            yield from ranks[ranks.index(low) : ranks.index(high) + 1]

    # ---- values that depend -----------------------------------------------------------------------

    def by(self, node: Mapping, scope: Scope | None = None) -> Typed:
        by = node.entries["by"]
        if text_of(by) == "players":
            return t.Op("count", (t.Builtin("everyone", t.PLAYERS, by.span),), t.INTEGER, by.span)
        return self.expressions.node(by, scope or Scope())

    def _key(self, text: str, kind: Type, span: Span) -> tuple[int | str, int | str]:
        """A row's key as (low, high): numbers, or a word twice."""
        found = re.fullmatch(r"(\d{1,18})(?:\.\.(\d{1,18}))?", text)
        if kind.kind == "integer":
            if found is None:
                self.report.error(
                    "E508", span, f"'{text}' is no number or range", "rows are numbers or ranges such as 3..4, and else"
                )
                return (0, -1)
            return int(found[1]), int(found[2] or found[1])
        if kind.kind == "choice" and text not in kind.symbols:
            self.report.error("E508", span, f"'{text}' is not one of the values", suggest(text, kind.symbols, "values"))
        if kind.kind == "flag" and text not in ("true", "false"):
            self.report.error("E508", span, f"'{text}' is not true or false")
        return text, text

    def value(self, node: Node, kind: Type) -> Typed:
        """An expression, or a value that depends: its rows as nested ifs, the narrowest first."""
        if not isinstance(node, Mapping):
            return self.expressions.node(node, Scope(), kind)
        *rows, (_, result) = self.cases(
            node, lambda row: self.expressions.node(row, Scope(), kind), self.expressions.unknown(node.span)
        )
        for test, row in reversed(rows):
            result = t.If(test, row, result, kind, row.span)
        return result

    def cases(
        self, node: Mapping, read: Callable[[Node], Said], nothing: Said, scope: Scope | None = None
    ) -> list[tuple[Typed, Said]]:
        """The rows of what depends as (condition, row), the narrowest first; the condition of the last always holds.

        nothing: stands for what is missing, after it has been reported.
        """
        by = self.by(node, scope)
        if len(node.entries) > MAX_ROWS:
            message = f"there are {len(node.entries) - 1} rows, and less than {MAX_ROWS} are allowed"
            self.report.error("E404", node.keys["by"], message, "ranges such as 3..4 stand for several")
            return [(t.Const(True, t.FLAG, node.span), nothing)]
        rows = [
            (*self._key(key, by.type, at), read(row), at) for key, row, at in entries(node) if key not in ("by", "else")
        ]
        rows.sort(key=lambda row: _width(row[0], row[1]))
        found = [(_is_between(by, low, high, at), said) for low, high, said, at in rows]
        values = ("true", "false") if by.type.kind == "flag" else by.type.symbols
        always = t.Const(True, t.FLAG, node.span)
        if "else" in node.entries:
            found.append((always, read(node.entries["else"])))
        elif rows and values and set(values) <= {low for low, *_ in rows}:
            found[-1] = (always, found[-1][1])
        else:
            self.report.error("E519", node.keys["by"], "a value that depends needs an 'else' here", "else: VALUE")
            found.append((always, nothing))
        return found

    def settled(self, node: Node, read: Callable[[Node], Said], nothing: Said) -> Said | Choice[Said]:
        """What a key says that is settled before the match: plainly, or by an option or the number of players."""
        if not isinstance(node, Mapping) or "by" not in node.entries:
            return read(node)
        found = self.cases(node, read, nothing)
        if not isinstance(self.by(node), t.OptionRef) and text_of(node.entries["by"]) != "players":
            message = f"this is settled before the match, so it cannot depend on '{text_of(node.entries['by'])}'"
            self.report.error("E505", node.entries["by"].span, message, "by: an option, or players")
        return Choice(tuple(found))

    def depends(self, node: Mapping, kind: Type, read: object = None) -> Depends:
        by = self.by(node)
        rows, otherwise = [], None
        for key, value, span in entries(node):
            if key in ("by", "doc"):
                continue
            found = read(value) if callable(read) else self.expressions.node(value, Scope(), kind)
            if key == "else":
                otherwise = found
            else:
                rows.append((*self._key(key, by.type, span), found))
        return Depends(by, tuple(rows), otherwise, node.span)

    # ---- options ----------------------------------------------------------------------------------

    def options(self) -> None:
        for name, node, span in entries(self.root.get("options")):
            self.check_name(name, span, "option")
            option = self._option(name, node, span)
            if option is not None:
                self.names.options[name] = option

    def _option(self, name: str, node: Node, span: Span) -> OptionDef | None:
        choices = self._choices(child(node, "choices"))
        kind = self.type_of(child(node, "type"), choices, span)
        if kind is None:
            kind = t.UNKNOWN
        kind = replace(kind, optional=is_true(child(node, "optional")))
        low, high = child(node, "min"), child(node, "max")
        length = child(node, "length")
        bounds = None if length is None else self.range(length)
        number = (None if n is None else self.value(n, t.INTEGER) for n in (low, high))
        minimum, maximum = number
        refuse = {k: text_of(v) for k, v, _ in entries(child(node, "refuse"))}
        given = child(node, "default")
        default: OptionValue | Depends = None
        if isinstance(given, Mapping):
            default = self.depends(given, kind, lambda n: t.Const(self._frozen(n, kind), kind, n.span))  # type: ignore[arg-type]
        elif given is not None:
            default = self._frozen(given, kind)
        elif kind.kind == "flag":
            default = False
        else:
            self.report.error(
                "E520", span, f"the option '{name}' has no default", "default: the value when nobody chooses"
            )
            kind = t.UNKNOWN
        option = OptionDef(
            name,
            kind,
            default,
            minimum,
            maximum,
            bounds,
            is_true(child(node, "distinct")),
            refuse,
            text_of(child(node, "each")) == "player",
            text_of(child(node, "doc")),
            (given or node).span,
        )
        self._check_default(option, child(node, "choices"))
        return option

    def _check_default(self, option: OptionDef, choices: Node | None) -> None:
        if not isinstance(option.default, Depends):
            problem = option_problem(option, option.default, self.names)
            if problem:
                self.report.error("E508", option.span, f"the default of '{option.name}' {problem[0]}", problem[1])

    def _choices(self, node: Node | None) -> tuple[str, ...]:
        if isinstance(node, Mapping):
            hint = "list them all, and say in 'require' what must hold"
            self.report.error("E519", node.keys["by"], "choices cannot depend on anything", hint)
            return ()
        for item in listing(node):
            if '"' in text_of(item) or not text_of(item).isprintable():
                hint = "moves name it, and a quote begins what is said"
                self.report.error("E205", item.span, "a choice is words without quotes, on one line", hint)
        if isinstance(node, Scalar):
            words = re.split(r"\s+or\s+|\s*[/|]\s*", node.text.strip())
            if len(words) > 1:
                self.report.error("E508", node.span, "this is a single choice", f"list them: [{', '.join(words)}]")
                return tuple(words)
        return tuple(text_of(c) for c in listing(node))

    def type_of(self, node: Node | None, choices: tuple[str, ...], span: Span) -> Type | None:
        text = text_of(node)
        if text.startswith("list of "):
            inner = self._simple(text.removeprefix("list of "), choices)
            return None if inner is None else Type("list", inner)
        found = self._simple(text, choices)
        if found is None:
            at = span if node is None else node.span
            self.report.error(
                "E508", at, f"there is no type '{text}'", suggest(text, [*SIMPLE_TYPES, "choice"], "types")
            )
        elif text == "choice" and not choices:
            self.report.error("E508", span, "a choice needs its choices", "choices: [one, other]")
            return None
        return found

    def _simple(self, text: str, choices: tuple[str, ...]) -> Type | None:
        if text == "choice":
            return Type("choice", symbols=choices)
        found = SIMPLE_TYPES.get(text)
        return replace(found, symbols=choices) if found is not None and choices else found

    def _frozen(self, node: Node, kind: Type) -> OptionValue:
        """A YAML value as an option's value: texts where words are meant, tuples for lists."""
        return frozen_value(to_plain(node), kind)

    def range(self, node: Node) -> tuple[Typed, Typed] | None:
        """`a..b` as two checked numbers."""
        return self.range_in(node, Scope())

    def range_in(self, node: Node, scope: Scope) -> tuple[Typed, Typed] | None:
        if not isinstance(node, Scalar):
            self.report.error("E502", node.span, "a range such as 1..3 is expected here")
            return None
        found = parse_range(node, self.report)
        if found is None:
            return None
        low = self.expressions.check(found.low, scope, t.INTEGER)
        return low, low if found.high is found.low else self.expressions.check(found.high, scope, t.INTEGER)

    def requirements(self) -> tuple[Requirement, ...]:
        found = []
        for name, node, span in entries(self.root.get("require")):
            law = child(node, "law")
            if law is not None:
                checked = self.expressions.node(law, Scope(), t.FLAG)
                found.append(Requirement(name, checked, text_of(child(node, "message"), name), span))
        return tuple(found)

    def variants(self, players: PlayersDef) -> dict[str, VariantDef]:
        found = {}
        for name, node, span in entries(self.root.get("variants")):
            values: dict[str, OptionValue] = {}
            for option, value, at in entries(child(node, "set")):
                known = self.names.options.get(option)
                if known is None:
                    hint = suggest(option, self.names.options, "options")
                    self.report.error("E520", at, f"no option is called '{option}'", hint)
                    continue
                self.names.used.add(("options", option))
                values[option] = self._frozen(value, known.type)
                problem = option_problem(known, values[option], self.names)
                if problem:
                    self.report.error("E520", value.span, f"'{option}' {problem[0]}", problem[1])
            count = child(node, "players")
            number = self._int(count, 0) if count is not None else None
            if count is not None and number is not None and not players.minimum <= number <= players.maximum:
                self.report.error(
                    "E520", count.span, f"{number} players: the ruleset is for {players.minimum} to {players.maximum}"
                )
            found[name] = VariantDef(
                name,
                text_of(child(node, "doc")),
                values,
                number,
                text_of(child(node, "ruleset")),
                child(node, "patch") is not None,
                span,
            )
        return found

    # ---- zones, tokens, variables ---------------------------------------------------------------

    def check_name(self, name: str, span: Span, what: str) -> None:
        """Declared names must not be words of the language or symbols, nor be declared twice."""
        if name in RESERVED or name in KEYWORDS or (name in ASKED and what not in ("parameter", "option")):
            self.report.error(
                "E518",
                span,
                f"'{name}' is a word of the language and cannot name {'an' if what[0] in 'aeiou' else 'a'} {what}",
            )
        other = self.names.what_is(name)
        if other is not None and other != what:
            self.report.error("E518", span, f"'{name}' already names {'an' if other[0] in 'aeiou' else 'a'} {other}")

    def zones(self) -> None:
        for name, node, span in entries(self.root.get("zones")):
            self.check_name(name, span, "zone")
            nobody = t.Op("group", (), t.PLAYERS, span)
            self.names.zones[name] = ZoneDef(
                name,
                self.dims(child(node, "each")),
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
            seen = self.eyes(child(node, "seen by"), zone.dims, everyone)
            counted = self.eyes(child(node, "count seen by"), zone.dims, everyone)
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
        kept = self.const(0, t.INTEGER, node.span) if keep is None else self.expressions.node(keep, Scope(), t.INTEGER)
        return RefillDef(
            name, kept, is_true(child(node, "shuffle")), self._refill_time(child(node, "on"), node.span), node.span
        )

    def _refill_time(self, node: Node | None, span: Span) -> Typed:
        """When a zone is refilled: one of two words, an option that is one of them, or what an option chooses."""
        need: Typed = t.Const("need", Type("choice", symbols=("need", "empty")), span)
        found = need if node is None else self.settled(node, self._refill_word, need)
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

    def eyes(self, node: Node | None, dims: tuple[Dimension, ...], default: Typed) -> Typed:
        """A set of players who see something; `owner` is whose it is."""
        if node is None:
            return default
        scope = Scope()
        if dims and dims[0] == "player":
            scope = scope.bind("owner", t.Local("owner", t.PLAYER, node.span))
        elif dims and dims[0] == "team":
            members = t.Op("members of", (t.Local("owner", t.TEAM, node.span),), t.PLAYERS, node.span)
            scope = scope.bind("owner", members)
        return self.player_set(node, scope)

    def player_set(self, node: Node, scope: Scope, among: str = "everyone") -> Typed:
        """Who is meant; `p where CONDITION` looks among everyone, or among those who take part."""
        if not isinstance(node, Scalar):
            self.report.error("E502", node.span, "a set of players is expected here")
            return self.expressions.unknown(node.span)
        tree = parse_players(node, self.report, among)
        return self.expressions.unknown(node.span) if tree is None else self.expressions.check(tree, scope, t.PLAYERS)

    def dims(self, node: Node | None) -> tuple[Dimension, ...]:
        found: list[Dimension] = []
        for item in listing(node):
            text = text_of(item)
            if text in ("player", "team", "suit"):
                found.append(text)  # type: ignore[arg-type]
            else:
                bounds = self.range(item)
                if bounds is not None:
                    found.append(bounds)
        return tuple(found)

    def tokens(self) -> None:
        for name, node, span in entries(self.root.get("tokens")):
            self.check_name(name, span, "token")
            named = child(node, "named")
            called = None if named is None else self.expressions.node(named, Scope())
            everyone = t.Builtin("everyone", t.PLAYERS, span)
            seen = self.eyes(child(node, "seen by"), ("player",), everyone)
            self.names.tokens[name] = TokenDef(name, called, seen, text_of(child(node, "doc")), span)

    def variables(self) -> None:
        for name, node, span in entries(self.root.get("state")):
            self.check_name(name, span, "variable")
            choices = self._choices(child(node, "choices"))
            kind = self.type_of(child(node, "type"), choices, span) or t.UNKNOWN
            optional = is_true(child(node, "optional"))
            low, high = child(node, "min"), child(node, "max")
            self.names.variables[name] = VarDef(
                name,
                self.dims(child(node, "each")),
                replace(kind, optional=optional),
                text_of(child(node, "lasts"), "match"),
                self.const(-MILLION, t.INTEGER, span) if low is None else self.value(low, t.INTEGER),
                self.const(MILLION, t.INTEGER, span) if high is None else self.value(high, t.INTEGER),
                None,
                None,
                text_of(child(node, "doc")),
                span,
            )

    def variable_details(self) -> None:
        for name, node, span in entries(self.root.get("state")):
            variable = self.names.variables[name]
            lasts = child(node, "lasts")
            if (
                lasts is not None
                and variable.lasts not in ("turn", "trick")
                and variable.lasts not in self.names.stages
            ):
                hint = suggest(variable.lasts, [*self.names.stages, "turn", "trick"], "stages")
                self.report.error("E509", lasts.span, f"no stage is called '{variable.lasts}'", hint)
            default = child(node, "default")
            given = None if default is None else self.value(default, variable.type)
            if isinstance(given, t.Const) and isinstance(given.value, int) and variable.type.kind == "integer":
                low, high = variable.minimum, variable.maximum
                if isinstance(low, t.Const) and isinstance(high, t.Const):
                    if not int(low.value or 0) <= given.value <= int(high.value or 0):
                        self.report.error(
                            "E508", given.span, f"the default {given.value} is not between {low.value} and {high.value}"
                        )
            seen = child(node, "seen by")
            eyes = None if seen is None else self.eyes(seen, variable.dims, t.Builtin("everyone", t.PLAYERS, span))
            self.names.variables[name] = replace(variable, default=given, seen_by=eyes)

    # ---- tables and definitions -----------------------------------------------------------------

    def table_names(self) -> None:
        """Tables by name, with the type of their values as far as their first rows say."""
        for name, node, span in entries(self.root.get("values")):
            self.check_name(name, span, "table")
            self.names.tables[name] = (node, t.INTEGER, child(node, "by") is None)

    def tables(self) -> dict[str, TableDef]:
        found = {}
        for name, node, span in entries(self.root.get("values")):
            by = self.by(node) if isinstance(node, Mapping) and "by" in node.entries else None
            rows: list[TableRow] = []
            kind: Type | None = None
            for key, value, at in entries(node):
                if key in ("by", "doc"):
                    continue
                checked = self.expressions.node(value, Scope(), kind)
                kind = kind or checked.type
                pattern: str | None = key
                if key != "else":
                    if by is None:
                        pattern = self.expressions.pattern(key, at)
                    else:
                        self._key(key, by.type, at)
                if pattern is not None:
                    rows.append(TableRow(pattern, checked, at))
            found[name] = TableDef(name, by, tuple(rows), kind or t.INTEGER, span)
            self.names.tables[name] = (node, kind or t.INTEGER, by is None)
        return found

    def definitions(self) -> None:
        for key, node, span in entries(self.root.get("define")):
            found = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*", key)
            if found is None:
                self.report.error("E518", span, f"'{key}' is no name for a definition", "write NAME or NAME(a, b)")
                continue
            self.check_name(found[1], span, "definition")
            params = tuple(p for p in (self._param(p, span) for p in (found[2] or "").split(",") if p.strip()) if p)
            is_effect = child(node, "effect") is not None
            value = child(node, "value") if isinstance(node, Mapping) and not is_effect else node
            if value is None:
                self.report.error("E519", span, f"the definition '{found[1]}' has neither value nor effect")
                continue
            self.names.definitions[found[1]] = Definition(
                found[1], params, value, child(node, "seen by"), is_effect, span
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
                    eyes = self.eyes(definition.seen_by, dims, t.Builtin("everyone", t.PLAYERS, definition.span))
                    shown.append(ShownDefine(name, key, each, eyes, definition.span))  # type: ignore[arg-type]
                    self.names.used.add(("define", name))
                break
        return tuple(shown), askable

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
        found = self.expressions.define(definition, args, Scope(actor=actor), definition.span)
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


def _is_between(by: Typed, low: int | str, high: int | str, at: Span) -> Typed:
    """The condition that a row is the one."""
    ends = [t.Const(end == "true" if by.type.kind == "flag" else end, by.type, at) for end in (low, high)]
    if low == high:
        return t.Op("=", (by, ends[0]), t.FLAG, at)
    return t.Op(
        "and", tuple(t.Op(op, (by, end), t.FLAG, at) for op, end in zip((">=", "<="), ends, strict=True)), t.FLAG, at
    )


def _width(low: int | str, high: int | str) -> int:
    """How many values a row is for."""
    return high - low if isinstance(low, int) and isinstance(high, int) else 0


def _is_everyone(node: Typed) -> bool:
    return isinstance(node, t.Builtin) and node.name == "everyone"


def frozen_value(value: object, kind: Type) -> OptionValue:
    """A plain YAML or Python value as an option's value."""
    if kind.optional and value in ("none", None):
        return None
    if kind.kind == "list":
        items = value if isinstance(value, list | tuple) else [value]
        return tuple(frozen_value(i, kind.item or t.TEXT) for i in items)
    if (
        kind.kind in ("choice", "rank", "suit", "card", "text")
        and isinstance(value, int)
        and not isinstance(value, bool)
    ):
        return str(value)
    if isinstance(value, bool | int | str) or value is None:
        return value
    return str(value)


def option_problem(option: OptionDef, value: OptionValue, names: Names) -> tuple[str, str] | None:
    """Why a value cannot be that option's, as (what is wrong, hint); bounds that depend are tested later."""
    if value is None and option.type.optional:
        return None
    text = str(value)
    if text in option.refuse:
        return f"cannot be {text}: {option.refuse[text]}", ""
    if option.type.symbols and option.type.kind not in ("list", "choice") and text not in option.type.symbols:
        return f"cannot be {text}", suggest(text, option.type.symbols, "choices")
    match option.type.kind:
        case "list":
            if not isinstance(value, tuple):
                return "must be a list", ""
            for item in value:
                inner = replace(option, type=option.type.item or t.TEXT, length=None, refuse={})
                problem = option_problem(inner, item, names)  # type: ignore[arg-type]
                if problem:
                    return f"has an item that {problem[0]}", problem[1]
            if option.distinct and len(set(value)) != len(value):
                return "lists something twice", ""
        case "integer":
            if not isinstance(value, int) or isinstance(value, bool):
                if isinstance(value, str) and re.fullmatch(r"-?[0-9]+", text):
                    return f'must be a number, not "{text}"', f"without quotes it is one: {text}"
                return f"must be a number, not {text}", ""
            for bound, wrong in ((option.minimum, "less than"), (option.maximum, "more than")):
                if isinstance(bound, t.Const) and isinstance(bound.value, int):
                    beyond = value < bound.value if bound is option.minimum else value > bound.value
                    if beyond:
                        return f"is {value}, {wrong} {bound.value}", ""
        case "flag" if not isinstance(value, bool):
            return f"must be true or false, not {text}", ""
        case "choice" if text not in option.type.symbols:
            return f"cannot be {text}", suggest(text, option.type.symbols, "choices")
        case "rank" if text not in names.ranks:
            return f"must be a rank, not {text}", suggest(text, names.ranks, "ranks")
        case "suit" if text not in names.suit_names:
            return f"must be a suit, not {text}", suggest(text, names.suit_names, "suits")
        case "card":
            if names.card_name(text) is None:
                return f"must be a card, not {text}", "cards are rank then suit letter: 2C, 10H, QS"
        case "text" if not isinstance(value, str) or not value.strip():
            return "must be a text that is not empty", ""
    return None


def stage_names(root: Mapping, declarations: Declarations) -> dict[str, StageName]:
    """All stages by name, with the arguments they take, before their bodies are read."""
    found = {}
    for name, node, span in entries(root.get("flow")):
        params = []
        for param, kind, at in entries(child(node, "with")):
            text = kind if isinstance(kind, Scalar) else child(kind, "type")
            checked = declarations.type_of(text, (), at) or t.UNKNOWN
            optional = is_true(child(kind, "optional"))
            params.append((param, replace(checked, optional=optional)))
        found[name] = StageName(name, stage_kind(node), node, tuple(params), span)
    return found


def stage_kind(node: Node) -> str:
    for key in ("do", "repeat"):
        if child(node, key) is not None:
            return key
    kind = child(node, "kind")
    if kind is not None:
        return "effect" if text_of(kind) == "score" else text_of(kind)
    return "effect"
