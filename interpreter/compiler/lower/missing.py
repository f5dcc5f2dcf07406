"""Where a value may be none: what is asked of none is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from interpreter.compiler.layout import Layout, may_hold_none
from interpreter.compiler.lower.known_values import given_value
from interpreter.language import typed as t
from interpreter.language.operations import PASS_NONE_ON
from interpreter.language.typed import Typed, walk_of


def is_never_none(kind: t.Type) -> bool:
    """Whether what is asked of none is something all the same: a condition does not hold, a set has no members."""
    return kind.kind in ("set", "list") or (kind.kind == "flag" and not kind.optional)


class Missing:
    """Tells of the expressions of one game whether they may be none.

    evaluate: the value of an expression that depends on nothing, None if it depends on something.
    """

    def __init__(self, layout: Layout, evaluate: Callable[[Typed], Any]) -> None:
        self._layout = layout
        self._model = layout.model
        self._evaluate = evaluate
        self._known: dict[int, tuple[Typed, bool]] = {}
        self._instances: dict[str, bool] = {}
        self._tables: dict[str, bool] = {}
        self._has_dealer = self._is_certain(layout.model.stages["match"].first_dealer)
        """Whether the match begins with somebody being the dealer."""

    @cached_property
    def _named(self) -> dict[str, Typed]:
        """Names of `let` and parameters of named effects -> what they stand for."""
        found: dict[str, Typed] = {}
        parts = [self._model.stages, self._model.instances, self._model.honor]
        for part in walk_of(parts, t.Let, t.LetEffect, t.RunEffect):
            match part:
                case t.Let(name, value) | t.LetEffect(name, value):
                    found[name] = value
                case t.RunEffect(_, bound):
                    found.update(bound)
        return found

    def _is_certain(self, first_dealer: Typed | None) -> bool:
        """Whether who deals first is somebody, whatever is the case then. Of a choice other words than these are no
        players: the rules find out by themselves who deals."""
        if not isinstance(first_dealer, t.Const | t.OptionRef):
            return False
        said = self._layout.known(first_dealer)
        return isinstance(said, str) and (said == "random" or (said[:1] in "Pp" and said[1:].isdigit()))

    def may(self, node: Typed) -> bool:
        """Whether the value may be none although something is done with it."""
        if id(node) not in self._known:
            self._known[id(node)] = node, self._may(node) and self._evaluate(node) is None
        return self._known[id(node)][1]

    def may_be_nobody(self, node: Typed) -> bool:
        """Whether a player may be none, also because nobody is the dealer yet."""
        match node:
            case t.Builtin("dealer"):
                return not self._has_dealer
            case t.Instance(key):
                return self.may_be_nobody(self._model.instances[key].body) or self.may(node)
            case t.If(_, then, otherwise):
                return self.may_be_nobody(then) or self.may_be_nobody(otherwise)
            case t.Let():
                return self.may_be_nobody(node.body)
        return self.may(node)

    def is_card_outside(self, node: Typed) -> bool:
        """Whether it is a card that is not in the pack."""
        match node:
            case t.Const(str() as given) if node.type.kind == "card":
                return given_value(self._layout, given, node.type) is None
            case t.OptionRef(name) if node.type.kind == "card":
                given = self._layout.options[name]
                return given is not None and given_value(self._layout, given, node.type) is None
        return False

    def _of_somebody(self, node: t.Op) -> bool:
        """Whether what is given for an option may be none, of one of the players or because it is asked of nobody."""
        given = [given_value(self._layout, one, node.type) for one in self._layout.options[node.name]]
        return None in given or any(self.may(arg) for arg in node.args)

    def _may(self, node: Typed) -> bool:
        if is_never_none(node.type):
            return False
        match node:
            case t.Const(value):
                return value is None or self.is_card_outside(node)
            case t.OptionRef(name):
                return self._layout.options[name] is None or self.is_card_outside(node)
            case t.Builtin("dealer"):  # where there is none yet, it stops a match that does something with it
                return False
            case t.Op("suit" | "rank" | "colour", (card,)):
                return None in self._layout.card_rank or self.may(card)
            case t.Op("option of"):
                return self._of_somebody(node)
            case t.Op(op, args) if op in PASS_NONE_ON:
                return any(self.may(arg) for arg in args)
            case t.VarRef(_, index):
                return may_hold_none(node.type) or any(self.may(part) for part in index)
            case t.Local(name) if name in self._named:
                return node.type.optional or self.may(self._named[name])
            case t.StageArgument():
                return may_hold_none(node.type)
            case t.TableRef(name, key):
                return node.type.optional or (key.type.kind != "none" and self.may(key)) or self._may_say_none(name)
            case t.Instance(key):
                if key not in self._instances:
                    self._instances[key] = False  # definitions do not go in circles
                    self._instances[key] = self.may(self._model.instances[key].body)
                return self._instances[key] or bool(self.unexpected(node))
            case t.If(_, then, otherwise):
                return self.may(then) or self.may(otherwise)
            case t.Let():
                return self.may(node.body)
        return node.type.optional

    def _may_say_none(self, name: str) -> bool:
        """Whether a row of a table may say none, as the height of a joker."""
        if name not in self._tables:
            self._tables[name] = False  # tables do not go in circles
            self._tables[name] = any(self.may(row.value) for row in self._model.tables[name].rows)
        return self._tables[name]

    def unexpected(self, node: t.Instance) -> list[int]:
        """The arguments of a definition that may be none although it does not expect that."""
        params = self._model.instances[node.key].params
        skipped = len(node.args) - len(params)
        return [
            at + skipped
            for at, ((_, kind), arg) in enumerate(zip(params, node.args[skipped:], strict=True))
            if not kind.optional and kind.kind not in ("set", "none") and self.may(arg)
        ]
