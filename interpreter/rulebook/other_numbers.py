"""What is otherwise where more or fewer play: options that depend on the number of players."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.api.game import Game
from interpreter.api.options import OptionError, choose_options, default_options
from interpreter.base.english import numbers
from interpreter.compiler.constant import Impossible
from interpreter.language.model import Depends, Model


def by_number(game: Game, model: Model, said: Callable[[object], str]) -> dict[str, str]:
    """Option -> what it is with other numbers of players: "7 with 2", empty where it is the same with all.

    said: how a value is written.
    """
    usual = default_options(model, game.players)
    given = {name: value for name, value in game.options.items() if usual.get(name) != value}
    depending = [n for n, option in model.options.items() if isinstance(option.default, Depends) and n not in given]
    depending = [name for name in depending if not isinstance(game.options[name], tuple)]  # a list of lists is no help
    found: dict[str, dict[str, list[int]]] = {name: {} for name in depending}
    for players in model.players.counts if depending else ():
        try:
            chosen = choose_options(model, players, given)
        except (OptionError, Impossible):
            continue  # so many cannot play with what has been chosen
        for name in depending:
            found[name].setdefault(said(chosen[name]), []).append(players)
    told = {}
    for name, values in found.items():
        here = said(game.options[name])
        told[name] = ", ".join(f"{value} with {numbers(who)}" for value, who in values.items() if value != here)
    return told
