"""How a stage can be played: what the machine need not look at in it, because it cannot be."""

from __future__ import annotations

from interpreter.compiler.core import EVERYONE
from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.lower.facts import asks_machine
from interpreter.compiler.lower.plain_stages import is_anytime, is_at_once, is_plain
from interpreter.engine.program import ActionCode, StageCode
from interpreter.language.model import StageDef


def tell_ways(of: Linked, found: StageDef, stage: StageCode) -> None:
    """Tell a stage how it and its actions can be played; on honour the machine looks at everything."""
    stage.by_name = {name: action for action in stage.actions for name in (action.name, *action.also)}
    stage.within = (*stage.actions, *stage.anytime)
    stage.hooks = tuple(hook for hook in (stage.reset, stage.setup, stage.effect, stage.cleanup) if hook is not None)
    for action in stage.actions:
        action.plainly_told = not (_is_spoken(action) or action.keeps_secrets or of.layout.multi)
    if len(stage.actions) == 1 and not stage.actions[0].talk and not is_anytime(of.parts, stage.name, lawful=True):
        stage.only = stage.actions[0]
    if not of.layout.honor:
        _tell_strict_ways(of, found, stage)


def _tell_strict_ways(of: Linked, found: StageDef, stage: StageCode) -> None:
    stage.at_once = is_at_once(found, of.stages)
    stage.plain_play = _plain_play(of, stage)
    stage.in_turn = _plays_in_turn(of, found, stage)
    stage.plain = is_plain(of.facts, of.parts, found)
    for action in stage.actions:
        action.plain = _is_plainly_played(action, stage)
        action.singly = not (action.plain or action.renamed or action.measured or of.layout.multi or action.anytime)
    stage.decide = of.hook(f"decide·{stage.name}")
    if stage.kind not in ("turn", "trick") and stage.only is None:
        stage.playout = None


def _is_spoken(action: ActionCode) -> bool:
    return action.says is not None or action.label is not None


def _plays_in_turn(of: Linked, found: StageDef, stage: StageCode) -> bool:
    if stage.playout is None or of.facts.reverses or of.facts.skips or of.model.reseats:
        return False
    if of.parts.of(stage.name) not in (None, EVERYONE):  # who does not take part is passed over
        return False
    return not asks_machine(found.actions[0].effect + found.on_card)


def _plain_play(of: Linked, stage: StageCode) -> ActionCode | None:
    if stage.kind != "trick" or len(stage.actions) != 1 or of.layout.multi:
        return None
    action = stage.actions[0]
    apart = _is_spoken(action) or action.measured or action.keeps_secrets or action.told
    return None if action.shape != "card" or apart or is_anytime(of.parts, stage.name) else action


def _is_plainly_played(action: ActionCode, stage: StageCode) -> bool:
    turn = stage.kind in ("turn", "race", "ask") or (stage.kind == "trick" and action.is_play)
    apart = action.renamed or action.measured or action.told or action.shape == "cards"
    return turn and not apart
