"""Options, what is required of them together, and variants, which are bundles of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.base.english import numbers
from interpreter.base.signs import UNSEEN, describe
from interpreter.language import typed as t
from interpreter.language.amounts import MAX_PATCHES, most_patches
from interpreter.language.asked_melds import asked_problem
from interpreter.language.check.entries import child, entries, is_true, text_of, whole
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.names import Names, Scope
from interpreter.language.check.reserved import check_name
from interpreter.language.check.values import Values
from interpreter.language.model import Depends, OptionDef, OptionValue, PlayersDef, Requirement, VariantDef
from interpreter.language.overlay import locate
from interpreter.language.source import MAX_DIGITS, Mapping, Node, Scalar, to_plain
from interpreter.language.tree import replace
from interpreter.language.typed import Type

MAX_LETTERS = 1_000
"""Of a text that is given for an option, as of one that a variable holds."""
MAX_LONG = 200
"""The most items of a list that is given for an option."""


_WITH_ITEM = "has an item that "


class Options:
    """Reads the options of one ruleset, and what stands on them."""

    def __init__(self, root: Mapping, names: Names, expressions: Expressions, values: Values, report: Report) -> None:
        self._root = root
        self._names = names
        self._expressions = expressions
        self._values = values
        self._report = report
        self._asking: list[OptionDef] = []
        """Options that ask for melds, whose kinds are not known yet."""

    def read(self) -> None:
        for name, node, span in entries(self._root.get("options")):
            check_name(name, span, "option", self._names, self._report)
            option = self._option(name, node, span)
            if option is not None:
                self._names.options[name] = option

    def _option(self, name: str, node: Node, span: Span) -> OptionDef | None:
        choices = self._values.choices(child(node, "choices"))
        kind = self._values.type_of(child(node, "type"), choices, span)
        if kind is None:
            kind = t.UNKNOWN
        kind = replace(kind, optional=is_true(child(node, "optional")))
        low, high = child(node, "min"), child(node, "max")
        length = child(node, "length")
        bounds = None if length is None else self._values.range(length)
        number = (None if n is None else self._values.value(n, t.INTEGER) for n in (low, high))
        minimum, maximum = number
        refuse = {k: text_of(v) for k, v, _ in entries(child(node, "refuse"))}
        given = child(node, "default")
        default: OptionValue | Depends = None
        if isinstance(given, Mapping):
            default = self._values.depends(given, kind, lambda n: t.Const(_frozen(n, kind), kind, n.span))  # type: ignore[arg-type]
        elif given is not None:
            default = _frozen(given, kind)
        elif kind.kind == "flag":
            default = False
        else:
            self._report.error(
                "E520", span, f"the option '{name}' has no default", "default: the value when nobody chooses"
            )
            kind = t.UNKNOWN
        each = child(node, "each")
        if each is not None and kind.item is not None and kind.item.kind in ("list", "asked melds"):
            self._report.error("E519", each.span, "such a list is the same for all players", "leave out 'each'")
        option = OptionDef(
            name,
            kind,
            default,
            minimum,
            maximum,
            bounds,
            is_true(child(node, "distinct")),
            refuse,
            text_of(each) == "player",
            text_of(child(node, "doc")),
            (given or node).span,
        )
        if kind.item == t.ASKED_MELDS:
            self._asking.append(option)
        else:
            self._check_default(option)
        return option

    def melds_asked_for(self) -> None:
        """Look at the defaults that ask for melds; done when the kinds of these are known."""
        for option in self._asking:
            self._check_default(option)

    def _check_default(self, option: OptionDef) -> None:
        defaults: list[tuple[OptionValue, Span]]
        if isinstance(option.default, Depends):
            rows = [row for *_, row in option.default.rows] + [option.default.otherwise]
            defaults = [(row.value, row.span) for row in rows if isinstance(row, t.Const)]
        else:
            defaults = [(option.default, option.span)]
        for default, span in defaults:
            problem = option_problem(option, default, self._names)
            if problem:
                self._report.error("E508", span, f"the default of '{option.name}' {problem[0]}", problem[1])

    def requirements(self) -> tuple[Requirement, ...]:
        found = []
        for name, node, span in entries(self._root.get("require")):
            law = child(node, "law")
            if law is not None:
                checked = self._expressions.node(law, Scope(), t.FLAG)
                found.append(Requirement(name, checked, text_of(child(node, "message"), name), span))
        return tuple(found)

    def variants(self, players: PlayersDef) -> dict[str, VariantDef]:
        found = {}
        patched = [span for _, node, span in entries(self._root.get("variants")) if child(node, "patch") is not None]
        if len(patched) > (most := most_patches(self._root)):
            long = " in a ruleset as long as this" if most < MAX_PATCHES else ""
            message = f"{len(patched)} variants have a patch, and {most} {'is' if most == 1 else 'are'} allowed{long}"
            self._report.error("E404", patched[most], message, "what differs much is a ruleset of its own")
        for name, node, span in entries(self._root.get("variants")):
            values: dict[str, OptionValue] = {}
            for option, value, at in entries(child(node, "set")):
                known = self._names.options.get(option)
                if known is None:
                    hint = suggest(option, self._names.options, "options")
                    self._report.error("E520", at, f"no option is called '{option}'", hint)
                    continue
                self._names.used.add(("options", option))
                several = one_each(known, to_plain(value))
                every = tuple(frozen_value(own, known.type) for own in several or (to_plain(value),))
                values[option] = every if several else every[0]
                problem = next(filter(None, (option_problem(known, own, self._names) for own in every)), None)
                if problem:
                    self._report.error("E520", value.span, f"'{option}' {problem[0]}", problem[1])
            count = child(node, "players")
            number = whole(count, 0) if count is not None else None
            if count is not None and number is not None and number not in players.counts:
                message = f"{number} players: the ruleset is for {numbers(players.counts)}"
                self._report.error("E520", count.span, message)
            found[name] = VariantDef(
                name,
                text_of(child(node, "doc")),
                values,
                number,
                self._named(child(node, "ruleset")),
                child(node, "patch") is not None,
                span,
            )
        return found

    def _named(self, ruleset: Node | None) -> str:
        """The path of the ruleset that a variant names; "" if there is none, or it cannot be had."""
        path = locate(ruleset, self._report, "ruleset") if isinstance(ruleset, Scalar) else None
        return "" if path is None else str(path)


def _frozen(node: Node, kind: Type) -> OptionValue:
    """A YAML value as an option's value: texts where words are meant, tuples for lists."""
    return frozen_value(to_plain(node), kind)


def frozen_value(value: object, kind: Type) -> OptionValue:
    """A plain YAML or Python value as an option's value."""
    if kind.optional and value in ("none", None):
        return None
    if kind.kind in ("list", "asked melds"):
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


def one_each(option: OptionDef, value: object) -> Sequence[object] | None:
    """What a plain value gives to the players, in order; None if it holds for all. Of lists one that has lists in it
    is one for each. No item of a list is none, so where all are, those are the lists."""
    if not option.each_player or not isinstance(value, list | tuple):
        return None
    if option.type.kind != "list" or any(isinstance(own, list | tuple) for own in value):
        return value
    return value if option.type.optional and value and all(own in (None, "none") for own in value) else None


def option_problem(option: OptionDef, value: OptionValue, names: Names) -> tuple[str, str] | None:
    """Why a value cannot be that option's, as (what is wrong, hint); bounds that depend are tested later."""
    if value is None and option.type.optional:
        return None
    text = str(value)
    if text in option.refuse:
        return f"cannot be {text}: {option.refuse[text]}", ""
    if isinstance(value, str) and len(value) > MAX_LETTERS:
        return f"has a text of {len(value):,} letters, and the most is {MAX_LETTERS:,}", ""
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:  # of a file the reader says so; others come from Python
        return f"is a number with more than {MAX_DIGITS} digits", ""
    if isinstance(value, str) and ("\n" in value or "\t" in value):  # what is told of it stands on one line
        return "has a text with a line end or a tab", "write it on one line, with blanks"
    if option.type.symbols and option.type.kind not in ("list", "choice") and text not in option.type.symbols:
        return f"cannot be {text}", suggest(text, option.type.symbols, "choices")
    match option.type.kind:
        case "asked melds":
            return asked_problem(value, names.melds)
        case "list":
            if not isinstance(value, tuple):
                return "must be a list", ""
            if len(value) > MAX_LONG:
                return f"lists {len(value):,} values, and {MAX_LONG} are allowed", ""
            inner = replace(option, type=option.type.item or t.TEXT, length=None, refuse={})
            for item in value:
                if option.type.item == t.PAIRS.item and (not isinstance(item, tuple) or len(item) != 2):
                    hint = "each pair has brackets of its own: [[1, 2]]"
                    return "has an item that is no pair of numbers", hint
                problem = option_problem(inner, item, names)  # type: ignore[arg-type]
                if problem:
                    return f"has an item that {problem[0].removeprefix(_WITH_ITEM)}", problem[1]
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
        case "text" if unseen := UNSEEN.search(text):
            return f"holds {describe(unseen[0])}, which is not allowed", ""
        case "text" if not any(sign.isalnum() for sign in str(value)):
            return "must be a text with a word in it: nobody can say signs alone", ""
    return None
