"""Which games of a ruleset are tried: every number of players, option value and variant, strict and on honour."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from interpreter.api.game import Game, Ruleset
from interpreter.api.options import OptionError
from interpreter.api.settled import Enforcement
from interpreter.base.english import players_told
from interpreter.engine.chance import Dice

MIXED = 40
"""How many random combinations of options are tried beside each value alone."""
FEW = 6
"""A range of so many whole numbers is tried in full, a longer one at its ends and in its middle."""
MOST = 5_000
"""More games than this are not listed: a product of many options is cut there."""
TRIED = 4 * MOST
"""No more games than this are tried out, where the ruleset refuses most of them."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is fixed before a match, as the command line says it."""

    players: int
    enforcement: Enforcement
    options: tuple[tuple[str, Any], ...] = ()
    variants: tuple[str, ...] = ()

    def game(self, ruleset: Ruleset) -> Game:
        """Raises OptionError if the ruleset refuses it."""
        options = {name: list(v) if isinstance(v, tuple) else v for name, v in self.options}
        return ruleset.game(self.players, options, self.variants, self.enforcement)

    @property
    def flags(self) -> str:
        """The flags of the command line that fix this game."""
        found = [f"-p {self.players}"]
        found += [f"-o {shlex.quote(f'{name}={_yaml(value)}')}" for name, value in self.options]
        found += [f"-v {shlex.quote(name)}" for name in self.variants]
        return " ".join([*found, "--honor"] if self.enforcement == "honor" else [*found, "--strict"])

    def __str__(self) -> str:
        found = [players_told(self.players), *(f"{name}={_yaml(value)}" for name, value in self.options)]
        return ", ".join([*found, *self.variants, "on honour" if self.enforcement == "honor" else "strict"])


@dataclass(frozen=True, slots=True)
class Fixed:
    """What the caller has fixed; None and what is not named varies. vary: of the rest, only these; all if None."""

    players: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    enforcement: Enforcement | None = None
    vary: tuple[str, ...] | None = None


def configurations(
    ruleset: Ruleset, fixed: Fixed, seed: int, most: int = MOST, goes_on: Callable[[], bool] = lambda: True
) -> tuple[list[Configuration], list[tuple[str, str]]]:
    """The games to try, the plainest first, and those that the ruleset refuses, with its reasons.

    Without `vary`: each number of players, each value of each option and each variant alone, then mixtures drawn from
    `seed`; all of them strict, and on honour where the ruleset has an honour section. With `vary`: every combination
    of the options and variants named, at every number of players. most: of those to try. goes_on: whether there is time
    to look for more; one is found all the same, if there is any among those that are tried out.
    Raises OptionError if `fixed` names what is not there, or nothing is left to play.
    """
    for name in fixed.vary or ():
        if name not in ruleset.options and name not in ruleset.variants:
            known = ", ".join([*ruleset.options, *ruleset.variants]) or "none"
            raise OptionError(f"there is no option or variant '{name}' to vary; there are: {known}")
    found: list[Configuration] = []
    refused: dict[str, str] = {}
    first: OptionError | None = None
    drawn = _combined(ruleset, fixed) if fixed.vary is not None else _alone(ruleset, fixed, seed)
    for candidate in islice(_once(drawn), TRIED):
        if found and not goes_on():
            break
        try:
            candidate.game(ruleset)
        except OptionError as error:
            first = first or error
            refused[str(candidate)] = str(error)
            continue
        found.append(candidate)
        if len(found) >= min(most, MOST):
            break
    if not found:
        raise first or OptionError("there is nothing to play")
    return found, list(refused.items())


def _once(drawn: Iterator[Configuration]) -> Iterator[Configuration]:
    known: set[Configuration] = set()
    for one in drawn:
        if one not in known:
            known.add(one)
            yield one


def allowed_numbers(ruleset: Ruleset, fixed: Fixed) -> list[int]:
    """How many can play, the default first."""
    if fixed.players is not None:
        return [fixed.players]
    known = ruleset.players
    return sorted(known.counts, key=lambda n: (n != known.default, n))


def allowed_enforcements(ruleset: Ruleset, fixed: Fixed) -> list[Enforcement]:
    """Strict, and on honour where the ruleset says what that means."""
    if fixed.enforcement is not None:
        return [fixed.enforcement]
    return ["strict"] if ruleset.model.honor is None else ["strict", "honor"]


def plain(ruleset: Ruleset, fixed: Fixed) -> Configuration:
    """The game in which nothing varies."""
    enforcement = allowed_enforcements(ruleset, fixed)[0]
    return Configuration(allowed_numbers(ruleset, fixed)[0], enforcement, tuple(fixed.options.items()), fixed.variants)


def _alone(ruleset: Ruleset, fixed: Fixed, seed: int) -> Iterator[Configuration]:
    base = plain(ruleset, fixed)
    changed = [replace(base, players=number) for number in allowed_numbers(ruleset, fixed)]
    for name in ruleset.options:
        if name not in fixed.options:
            changed += [_with_option(ruleset, base, fixed, name, value) for value in values_of(ruleset, name)]
    changed += [replace(base, variants=(*fixed.variants, v)) for v in ruleset.variants if v not in fixed.variants]
    for enforcement in allowed_enforcements(ruleset, fixed):
        for one in changed:
            yield replace(one, enforcement=enforcement)
    yield from _mixtures(ruleset, fixed, seed)


def _with_option(ruleset: Ruleset, base: Configuration, fixed: Fixed, name: str, value: Any) -> Configuration:
    """A value alone, at the first number of players that it fits."""
    changed = replace(base, options=(*base.options, (name, value)))
    for number in allowed_numbers(ruleset, fixed):
        one = replace(changed, players=number)
        try:
            one.game(ruleset)
        except OptionError:
            continue
        return one
    return changed


def _mixtures(ruleset: Ruleset, fixed: Fixed, seed: int) -> Iterator[Configuration]:
    free = [name for name in ruleset.options if name not in fixed.options and values_of(ruleset, name)]
    if len(free) + len(ruleset.variants) < 2:
        return
    dice = Dice(seed)
    numbers, enforcements = allowed_numbers(ruleset, fixed), allowed_enforcements(ruleset, fixed)
    for _ in range(MIXED):
        options = dict(fixed.options)
        for name in free:
            if dice.below(3) == 0:
                values = values_of(ruleset, name)
                options[name] = values[dice.below(len(values))]
        others = [
            name
            for name in ruleset.variants
            if name not in fixed.variants and dice.below(2 + len(ruleset.variants)) == 0
        ]
        yield Configuration(
            numbers[dice.below(len(numbers))],
            enforcements[dice.below(len(enforcements))],
            tuple(options.items()),
            (*fixed.variants, *others),
        )


def _combined(ruleset: Ruleset, fixed: Fixed) -> Iterator[Configuration]:
    names = [name for name in fixed.vary or () if name in ruleset.options and name not in fixed.options]
    bundles = [name for name in fixed.vary or () if name in ruleset.variants and name not in fixed.variants]
    names = [name for name in names if values_of(ruleset, name)]  # with none to try, it stays as the ruleset has it
    values = [values_of(ruleset, name) for name in names]
    chosen = product(
        allowed_enforcements(ruleset, fixed), allowed_numbers(ruleset, fixed), *values, *([(), (b,)] for b in bundles)
    )
    for enforcement, number, *rest in chosen:
        options = (*fixed.options.items(), *zip(names, rest[: len(names)], strict=True))
        added = [name for part in rest[len(names) :] for name in part]
        yield Configuration(number, enforcement, options, (*fixed.variants, *added))


def values_of(ruleset: Ruleset, name: str) -> Sequence[Any]:
    """Values worth trying: all of a choice, a short range in full, a long one at its ends, default and middle."""
    option = ruleset.options[name]
    if option.type == "flag":
        return [False, True]
    if option.type == "integer":
        found: list[Any] = [int(choice) for choice in option.choices] or _integers(
            option.min, option.max, option.default
        )
    elif option.type.startswith("list of "):
        names = tuple(option.choices) or (tuple(ruleset.model.ranks) if option.type.endswith("rank") else ())
        found = [] if option.default is None else [_as_tuple(option.default)]
        found += [names, names[::-1], names[-3:]] if names else []
    else:
        found = list(option.choices) or ([] if option.default is None else [option.default])
    if option.optional:
        found.append(None)
    return list(dict.fromkeys(found))


def _as_tuple(value: Any) -> Any:
    return tuple([_as_tuple(item) for item in value]) if isinstance(value, list) else value


def _integers(low: int | None, high: int | None, default: Any) -> list[Any]:
    high = high if high is not None else (default if isinstance(default, int) else 0) + 100
    low = low if low is not None else min(0, high - 200)
    if high - low < FEW:
        return list(range(low, high + 1))
    return [low, (low + high) // 2, high, *([default] if isinstance(default, int) else [])]


def _yaml(value: Any) -> str:
    """A value as `-o` takes it."""
    if value is None:
        return "none"
    if isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_yaml(item) for item in value)}]"
    return str(value) if str(value).replace("_", "").isalnum() and not str(value).isdigit() else json.dumps(str(value))
