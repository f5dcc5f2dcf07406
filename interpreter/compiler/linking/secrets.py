"""On what hidden things it hangs what comes of a game, as the program knows it."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.compiler.layout import Layout
from interpreter.engine.program import Secrets, StageCode, StageSecrets
from interpreter.language.check.at_once import is_done_unnoticed, shows_by_choice
from interpreter.language.check.learnt import Asking
from interpreter.language.check.leaving import Values
from interpreter.language.model import StageDef


def secrets_of(layout: Layout, values: Values, codes: Iterable[StageCode]) -> Secrets:
    """The hidden things on which each stage and action hangs. values: what is known of values in this game."""
    asking, stages = Asking(layout.model, values), layout.model.stages
    actions = [
        (action, said, stages[code.name])
        for code in codes
        for own, all_said in ((code.actions, stages[code.name].actions), (code.anytime, stages[code.name].anytime))
        for action, said in zip(own, all_said, strict=True)
    ]
    return Secrets(
        stages=tuple(_of_stage(asking, layout, stages[code.name]) for code in codes),
        actions={action: asking.of_others(said, stage) for action, said, stage in actions},
        offers={action: asking.of_offers([said], None if said.anytime else stage) for action, said, stage in actions},
        shows_plainly=asking.shows_plainly(),
        tells=asking.at_any_time(),
    )


def _of_stage(asking: Asking, layout: Layout, stage: StageDef) -> StageSecrets:
    zone = asking.players_by_card_in(stage)
    places = () if zone is None else layout.zones[zone].places
    return StageSecrets(
        asks=asking.of_stage(stage),
        asks_behind_moves=asking.of_moves(stage),
        asks_behind_tricks=asking.of_tricks(stage),
        players_by=asking.of_players(stage),
        players_by_card={place: player for player, place in enumerate(places)},
        handed_in_secret=stage.name in asking.handed_in_secret,
        offers_by=asking.of_offers(stage.actions, stage, stage.hands),
        offers_anytime_by=asking.of_offers(stage.anytime),
        shows_by_choice=shows_by_choice(stage, layout.model.zones),
        is_done_unnoticed=is_done_unnoticed(stage),
    )
