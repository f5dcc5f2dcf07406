"""Parameters: what is chosen in a move, and from what."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.entries import child, entries, is_true, listing, text_of
from interpreter.language.check.equal_cards import names_a_card
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.meld_uses import kinds_in
from interpreter.language.check.names import ACTOR, Names, Scope
from interpreter.language.check.reserved import check_name
from interpreter.language.check.values import Values
from interpreter.language.model import ParamDef
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed

MOST_MELDS = 100
"""So many are chosen together at most."""
_FORMS: dict[str, Type] = {
    "from": t.CARD,
    "kinds": t.CARD,
    "players": t.PLAYER,
    "suits": t.SUIT,
    "ranks": t.RANK,
    "number": t.INTEGER,
    "flag": t.FLAG,
    "choice": Type("choice"),
    "tokens": Type("piece"),
    "zones": Type("place"),
    "teams": t.TEAM,
    "text": t.TEXT,
}


def refuse_again(name: str, span: Span, report: Report) -> None:
    """Report a second thing of one name in a move."""
    report.error("E518", span, f"'{name}' already names something in this move", "choose another name")


class Params:
    """Reads the parameters of actions and of rows of `cards`."""

    def __init__(self, names: Names, expressions: Expressions, values: Values, report: Report) -> None:
        self._names = names
        self._expressions = expressions
        self._values = values
        self._report = report

    def read(self, node: Node | None, scope: Scope, taken: Iterable[str] = ()) -> tuple[list[ParamDef], Scope]:
        """The parameters, and the scope with them. taken: the names of those that the same move has besides."""
        params: list[ParamDef] = []
        others = set(taken)
        for name, spec, span in entries(node):
            check_name(name, span, "parameter", self._names, self._report)
            if name in others:
                refuse_again(name, span, self._report)
            param = self._param(name, spec, span, scope)
            if param is not None:
                itself = param.domain is not None and self._expressions.are_themselves(param.domain)
                itself = itself and param.domain is not None and not names_a_card(param.domain)
                before, scope = scope, scope.bind(name, t.Local(name, param.type, span, param.source, itself))
                where = child(spec, "where")
                if where is not None:
                    condition_scope = scope
                    if param.form == "cards" and param.count is not None:  # each card of several is tested by itself
                        condition_scope = before.bind("card", t.Local("card", t.CARD, span, itself=itself))
                    param = replace(param, where=self._expressions.node(where, condition_scope, t.FLAG))
                otherwise = child(spec, "else")
                if otherwise is not None:
                    param = replace(param, otherwise=self._expressions.node(otherwise, scope, param.type))
                if param.said:
                    self._names.announced.add(name)
                    self._check_said(param)
                seen = child(spec, "seen by")
                if seen is not None:
                    eyes = scope.before_choosing()  # it is asked when others are told, without what was chosen
                    eyes = eyes.bind("owner", ACTOR) if scope.actor is not None else eyes
                    param = replace(param, seen_by=self._values.player_set(seen, eyes))
                params.append(param)
        return params, scope

    def _check_said(self, param: ParamDef) -> None:
        """Say what holds where what must be said is not; nothing that can be chosen, if silence can mean that too."""
        if param.otherwise is None:
            message = f"'{param.name}' is said, so say what holds if it is not"
            self._report.error("E519", param.span, message, "else: VALUE")
        elif param.optional and param.otherwise.type.kind not in ("none", "unknown"):
            message = f"'{param.name}' may be none, so nobody could tell that from what is not said"
            hint = "else: none, or leave 'optional' out"
            self._report.error("E519", param.otherwise.span, message, hint)

    def _param(self, name: str, node: Node, span: Span, scope: Scope) -> ParamDef | None:
        meld = next((key for key in ("meld", "melds") if child(node, key) is not None), "")
        asked = self._asked(node, scope)
        kinds = self._kinds(name, node, meld, asked is not None)
        if meld and not kinds:
            return None
        forms = [k for k, _, _ in entries(node) if k in _FORMS]
        if len(forms) != 1:
            self._report.error("E519", span, f"'{name}' must say what is chosen", "one of " + ", ".join(_FORMS))
            return None
        form = forms[0]
        value = child(node, form)
        assert value is not None
        optional, none_if = self._optional(child(node, "optional"), scope)
        kind, domain, bounds, count, source = _FORMS[form], None, None, None, None
        match form:
            case "from":
                domain = self._card_domain(value, scope)
                source = domain if isinstance(domain, t.ZoneRef) else None
                several = child(node, "count")
                if several is not None:
                    count = self._melds_number(several, scope) if meld else self._values.range_in(several, scope)
                    kind = t.CARDS
                if meld:
                    kind, source = t.MELD if meld == "meld" else t.MELDS, None
            case "kinds":
                domain = self._card_domain(value, scope)
            case "players":
                domain = self._values.player_set(value, scope)
            case "suits" | "ranks" | "teams":
                whole = {"suits": t.set_of(t.SUIT), "ranks": t.set_of(t.RANK), "teams": t.TEAMS}[form]
                domain = (
                    t.Builtin(form, whole, value.span)
                    if text_of(value) == "all"
                    else self._expressions.node(value, scope, whole)
                )
            case "number":
                bounds = self._values.range_in(value, scope)
            case "choice":
                if isinstance(value, Scalar) and value.text in self._names.options:
                    domain = self._word_list(value, scope)
                    kind = domain.type.item or t.UNKNOWN
                elif isinstance(value, Mapping):
                    kind = Type("choice", symbols=self._values.nothing_to_add_to(value))
                else:
                    kind = Type("choice", symbols=tuple(text_of(v) for v in listing(value)))
                    known: set[str] = set()
                    for v in listing(value):
                        if text_of(v) in known:
                            self._report.error("E518", v.span, f"the word '{text_of(v)}' is listed twice")
                        known.add(text_of(v))
            case "tokens":
                domain = self._token(value)
                if domain is None:
                    return None
                kind = domain.type.item or t.UNKNOWN
            case "zones":
                domain = self._places(value, scope)
                kind = domain.type.item or t.UNKNOWN
        return ParamDef(
            name,
            meld or ("cards" if form == "from" else form),
            replace(kind, optional=optional),
            domain,
            bounds,
            count,
            None,
            optional,
            is_true(child(node, "said")),
            None,
            source,
            span,
            None,
            none_if,
            kinds,
            child(node, "equal by") is not None,
            asked,
        )

    def _token(self, value: Node) -> t.TokenRef | None:
        """The pieces of a kind, if there is one of that name."""
        token = text_of(value)
        if token not in self._names.tokens:
            hint = suggest(token, self._names.tokens, "tokens")
            self._report.error("E501", value.span, f"no token is called '{token}'", hint)
            return None
        self._names.used.add(("tokens", token))
        return t.TokenRef(token, None, t.set_of(Type("piece", zone=token)), value.span)

    def _optional(self, node: Node | None, scope: Scope) -> tuple[bool, Typed | None]:
        """Whether a value may be none, and the condition on which, if there is one."""
        if node is None or (isinstance(node, Scalar) and isinstance(node.value, bool)):
            return is_true(node), None
        return True, self._expressions.node(node, scope, t.FLAG)

    def _melds_number(self, node: Node, scope: Scope) -> tuple[Typed, Typed] | None:
        """How many melds are chosen."""
        found = self._values.open_range(node, scope)
        return None if found is None else (found[0], found[1] or t.Const(MOST_MELDS, t.INTEGER, node.span))

    def _asked(self, node: Node, scope: Scope) -> Typed | None:
        """Which melds are chosen together, where 'melds' is no kind but an expression; None where it is kinds."""
        value = child(node, "melds")
        if not isinstance(value, Scalar) or value.text in self._names.melds:
            return None
        plain = value.text.isidentifier() and self._names.what_is(value.text) is None and value.text not in scope.locals
        return None if plain else self._expressions.node(value, scope, t.ASKED_MELDS)

    def _kinds(self, name: str, node: Node, key: str, asked: bool) -> tuple[str, ...]:
        """The kinds of meld that are chosen, if any are; none if that cannot be.

        key: which says them. asked: whether it is an expression, so that they may be any.
        """
        assert isinstance(node, Mapping)
        if not key and "equal by" in node.entries:
            message = f"'{name}' is no meld, so there is no 'equal by'"
            hint = "it is about what 'meld' or 'melds' lists"
            if child(node, "from") is not None:
                hint = "cards of one rank are a meld: {same: rank, size: 1..}, which 'meld' chooses"
            self._report.error("E519", node.keys["equal by"], message, hint)
        if not key:
            return ()
        source = node.entries.get("from")
        if asked:  # an option may name any of them
            found = tuple(self._names.melds)
            self._names.used.update(("melds", kind) for kind in found)
        else:
            found = kinds_in(node.entries[key], self._names, self._report)
        if source is None:
            message = f"'{name}' does not say from which cards a meld is made"
            self._report.error("E519", node.keys[key], message, "from: ZONE")
            return ()
        if "meld" in node.entries and "melds" in node.entries:
            self._report.error("E519", node.keys["melds"], f"'{name}' is one meld or several, not both", "keep one")
            return ()
        counted = "what is asked for says how many" if asked else "'melds' chooses several"
        for other, hint in (("count", counted), ("said", "let the action 'say' what was laid")):
            if other in node.entries and (other == "said" or key == "meld" or asked):
                self._report.error("E519", node.keys[other], f"a meld is not chosen with '{other}'", hint)
                return ()
        return found

    def _word_list(self, node: Scalar, scope: Scope) -> Typed:
        """A list option from which a word is chosen."""
        found = self._expressions.node(node, scope)
        item = found.type.item
        if found.type.kind != "list" or item is None or item.kind not in ("text", "choice"):
            self._report.error(
                "E502",
                found.span,
                f"this is {found.type}, but a list of words is needed here",
                "choice: [one, other], or a list option",
            )
            return self._expressions.unknown(node.span)
        if not isinstance(found, t.OptionRef):  # what is each player's own has been asked of somebody
            message = f"each player has '{node.text}' of their own, but all choose from the same words"
            self._report.error("E502", node.span, message, "an option without 'each: player', or [one, other]")
            return self._expressions.unknown(node.span)
        return found

    def _card_domain(self, node: Node, scope: Scope) -> Typed:
        return self._expressions.fit(self._expressions.node(node, scope), t.CARDS)

    def _places(self, node: Node, scope: Scope) -> Typed:
        name = text_of(node)
        if name in self._names.zones and self._names.zones[name].dims:
            return self._expressions.references.all_places(name, node.span)
        found = self._expressions.node(node, scope)
        if found.type.kind != "set" or found.type.item is None or found.type.item.kind != "place":
            if found.type.kind != "unknown":
                self._report.error(
                    "E502", found.span, f"this is {found.type}, but places are needed here", "name a zone with 'each:'"
                )
        return found
