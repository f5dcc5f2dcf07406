"""Who sees what, scores, winners, limits, and definitions that can be asked for, as functions of the core."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.bounds.limits import EVENT
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.function_writer import Functions
from interpreter.engine.events import ALL
from interpreter.language import typed as t
from interpreter.language.model import Dimension, RefillDef
from interpreter.language.typed import Typed

_OWNER = c.Name("x·owner")


class Views:
    """Writes what players may know."""

    def __init__(self, functions: Functions, e: Expressions) -> None:
        self._functions = functions
        self._e = e
        self._out = functions.out
        self._model = e.model

    def write(self) -> None:
        """What is asked of places and of what moves there counts itself, as there may be very many events."""
        for name, zone in self._model.zones.items():
            self._eyes(f"seen·{name}", zone.seen_by, *zone.dims)
            self._eyes(f"counted·{name}", zone.count_seen_by, *zone.dims)
        for name, token in self._model.tokens.items():
            self._eyes(f"seen_piece·{name}", token.seen_by)
        for name, variable in self._model.variables.items():
            if variable.seen_by is not None:
                self._eyes(f"eyes·{name}", variable.seen_by, *variable.dims)
        self._match()
        for zone in self._model.zones.values():
            self._functions.value(f"capacity·{zone.name}", zone.capacity, little=EVENT)
            if zone.refill is not None:
                self._functions.value(f"keep·{zone.name}", _kept_behind(zone.refill), little=EVENT)
        for shown in self._model.shown:
            self._eyes(f"eyes_define·{shown.name}", shown.seen_by, shown.each)
        for key, _ in self._model.askable.values():
            self._e.function_of(key)

    def _match(self) -> None:
        match = self._model.stages["match"]
        self._e.stage = "match"
        self._functions.value("match_winners", match.winners, group=True)
        with self._out.declaring({"p": t.PLAYER}):
            self._functions.value("match_scores", match.scores, "x·p")
            self._functions.value("match_places", match.places, "x·p")
        self._e.stage = ""

    def _eyes(self, name: str, node: Typed, *dims: Dimension | str) -> None:
        """A function of the owner: who sees something, as bits. dims: of what it is told."""
        out, owner = self._out, t.TEAM if dims[:1] == ("team",) else t.PLAYER
        with out.declaring({"owner": owner}), out.function(name, "s", "x·owner"):
            if isinstance(node, t.Builtin) and node.name == "everyone":
                self._out.give(c.Lit(ALL))
            else:
                self._functions.begin((node,), little=EVENT)
                self._out.give(self._bits(node), node.span)

    def _bits(self, node: Typed) -> Expr:
        """A set of players as bits; nobody and the owner alone, the commonest, at once."""
        match node:
            case t.Op("group", ()):
                return c.ZERO
            case t.Op("group", (t.Local("owner"),)):
                return c.bit(_OWNER)
        return c.call("mask_of", self._e.group(node))


def _kept_behind(refill: RefillDef) -> Typed:
    """How many cards stay where others are taken from: all of them, where none may be taken."""
    if refill.when is None:
        return refill.keep
    everything = t.Op("count", (t.ZoneRef(refill.source, (), t.CARDS, refill.span),), t.INTEGER, refill.span)
    return t.If(refill.when, refill.keep, everything, t.INTEGER, refill.span)
