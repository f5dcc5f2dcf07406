"""Options: what can be chosen of a ruleset, and whether a choice fits. Raises OptionError where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from interpreter.base.arithmetic import whole
from interpreter.base.diagnostics import suggest
from interpreter.base.signs import ToldError
from interpreter.compiler.constant import Impossible, NotConstant, Settled
from interpreter.engine.program import Program
from interpreter.language import typed as t
from interpreter.language.check.names import Names
from interpreter.language.check.options import frozen_value, one_each, option_problem
from interpreter.language.model import Depends, Model, OptionDef, Requirement


class OptionError(ToldError):
    """A wrong option, variant or number of players; the message names the nearest right one.

    about: the places in the ruleset that settle it, as paths of keys.
    """

    about: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """An option as a user sees it. default, choices, min and max may be None where they depend on players.

    optional: whether None, written none, is a value.
    """

    type: str
    default: Any
    choices: tuple[str, ...]
    min: int | None
    max: int | None
    doc: str
    optional: bool = False


def option_as_seen(option: OptionDef, n: int) -> Option:
    """An option as a user sees it, for so many players."""
    default: Any = None
    with suppress(Impossible):
        default = _default(option, Settled({}, n))
    low, high = (_maybe(b, n) for b in (option.minimum, option.maximum))
    item = option.type.item
    kind = option.type.kind if item is None else f"list of {_OF_LISTS.get(item.kind, item.kind)}"
    symbols = option.type.symbols or (item.symbols if item else ())
    return Option(kind, _as_list(default), symbols, low, high, option.doc, option.type.optional)


_OF_LISTS = {"list": "pairs", "asked melds": "melds"}
"""What a list holds each of whose items is written as a list itself."""


def _as_list(value: Any) -> Any:
    return [_as_list(item) for item in value] if isinstance(value, tuple) else value


def choose_options(
    model: Model, players: int, given: Mapping[str, Any] = MappingProxyType({}), honor: bool = False
) -> dict[str, Any]:
    """The values of all options where some are given.

    Raises OptionError if they do not fit, Impossible if what the ruleset says of them makes no sense.
    """
    chosen = _chosen(model, given, players, honor)
    _require(model, chosen, players, honor)
    return chosen


def default_options(model: Model, players: int) -> dict[str, Any]:
    """The values of all options where none is given, though the ruleset may ask for others with so many players."""
    return _chosen(model, {}, players, honor=False)


def _chosen(model: Model, given: Mapping[str, Any], players: int, honor: bool) -> dict[str, Any]:
    names = Names(
        ranks=model.ranks, suits=model.suits, added=model.pack.add, max_players=model.players.maximum, melds=model.melds
    )  # fmt: skip
    for name in given:
        if name not in model.options:
            raise OptionError(f"no option is called '{name}'; {suggest(name, model.options, 'options')}")
    chosen: dict[str, Any] = {}
    settled = Settled(chosen, players, honor, model.ranks)  # it grows
    for name, option in model.options.items():
        if name in given:
            value = _given(option, given[name], players)
        else:
            value = _default(option, settled)
            value = (value,) * players if option.each_player else value
        each = value if option.each_player else (value,)
        bounds = partial(_outside, option, settled)
        problem = next((p for p in (option_problem(option, v, names) or bounds(v) for v in each) if p), None)
        if problem:
            raise _about(f"option '{name}' {problem[0]}" + (f"; {problem[1]}" if problem[1] else ""), ("options", name))
        chosen[name] = value
    return chosen


def _outside(option: OptionDef, settled: Settled, value: Any) -> tuple[str, str] | None:
    """What is wrong with a value by the bounds of its option, and a hint."""
    for number in _numbers(value):
        for bound, sign in ((option.minimum, -1), (option.maximum, 1)):
            limit = None if bound is None or not isinstance(number, int) else settled.before_play(bound)
            if limit is not None and (number - limit) * sign > 0:
                said = "has an item that is" if isinstance(value, tuple) else "is"
                return f"{said} {number}, {'more' if sign > 0 else 'less'} than {limit}", ""
    if isinstance(value, tuple) and option.length is not None:
        low, high = map(settled.before_play, option.length)
        if (low is not None and len(value) < low) or (high is not None and len(value) > high):
            wanted = str(low) if low == high else f"{low} to {high}"
            return f"lists {len(value)} values, but {wanted} are needed", ""
    return None


def _numbers(value: Any) -> Iterator[Any]:
    """What a value holds: itself, or the items of a list and of the pairs in one."""
    if not isinstance(value, tuple):
        yield value
        return
    for item in value:
        yield from _numbers(item)


def _require(model: Model, chosen: Mapping[str, Any], players: int, honor: bool) -> None:
    """Ask what requirements ask of options and players. Raises OptionError."""
    settled = Settled(chosen, players, honor, model.ranks)
    for rule in model.requirements:
        try:
            holds = settled.constant(rule.law)
        except NotConstant:
            continue  # it looks at the cards: tested when there are some
        if not holds:
            raise unmet_requirement(rule)
    for stage in model.stages.values():
        try:
            dealer = stage.first_dealer and str(settled.constant(stage.first_dealer))
        except NotConstant:
            continue
        if dealer and dealer[0] == "P" and (whole(dealer[1:]) or 0) > players:
            raise OptionError("the first dealer is not one of the players")


def _about(message: str, *about: tuple[str, ...]) -> OptionError:
    error = OptionError(message)
    error.about = about
    return error


def unmet_requirement(rule: Requirement) -> OptionError:
    """What is said where a requirement is not met: it is about the options that it names."""
    named = dict.fromkeys(node.name for node in t.walk(rule.law) if isinstance(node, t.OptionRef))
    return _about(rule.message, *(("options", name) for name in named), ("require", rule.name))


def require_late(model: Model, program: Program) -> None:
    """Ask what a requirement asks of the cards. Raises OptionError."""
    for name, law in program.requirements:
        if not law():
            raise unmet_requirement(next(r for r in model.requirements if r.name == name))


@contextmanager
def told_as_options() -> Iterator[None]:
    """What options and players make impossible is told to whoever chose them, with the place that says so."""
    try:
        yield
    except Impossible as error:
        raise OptionError(f"{error.span}: {error}" + (f"; {error.hint}" if error.hint else "")) from error
    except OptionError:
        raise
    except ValueError as error:
        raise OptionError(str(error)) from error


def _default(option: OptionDef, settled: Settled) -> Any:
    """The default of an option. Raises Impossible."""
    if not isinstance(option.default, Depends):
        return option.default
    row = settled.chosen_row(option.default)
    return row.value if isinstance(row, t.Const) else None


def _given(option: OptionDef, value: Any, players: int) -> Any:
    """A value as it was given; where every player has an own one, one for all or a list of them."""
    if not option.each_player:
        return frozen_value(value, option.type)
    several = one_each(option, value)
    if several is None:
        return (frozen_value(value, option.type),) * players
    if len(several) != players:
        raise OptionError(f"option '{option.name}' lists {len(several)} values, but there are {players} players")
    return tuple(frozen_value(v, option.type) for v in several)


def _maybe(bound: Any, players: int) -> int | None:
    try:
        found = None if bound is None else Settled({}, players).before_play(bound)
    except Impossible:
        return None
    return None if found is None else int(found)
