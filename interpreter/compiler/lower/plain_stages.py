"""Which stages are played in the plainest way: what is chosen is what is offered, and nothing happens in between."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.compiler.lower.facts import Facts, asks_machine
from interpreter.compiler.taking_part import TakingPart
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, StageDef

_WAITS = ("turn", "trick", "ask", "simultaneous", "race")


def is_plain(facts: Facts, parts: TakingPart, stage: StageDef) -> bool:
    """Whether a stage waits for moves, each of which has one name, that are its own alone."""
    within = (*stage.actions, *stage.anytime)
    alike = len({action.name for action in within}) < len(within)
    if stage.kind not in _WAITS or alike or any(action.talk or facts.is_joint(action) for action in within):
        return False
    # of several packs as many moves are offered as players tell apart, and those that are played
    named = all(facts.shape(action) != "cards" and facts.is_of_one_face(action) for action in within)
    return (named or not facts.e.layout.multi) and not is_anytime(parts, stage.name, lawful=True, itself=False)


def is_at_once(stage: StageDef, stages: Mapping[str, StageDef]) -> bool:
    """Whether a stage of effects needs no place on the stack; whose runs count as deals, does."""
    counted = any(s.kind == "repeat" and s.children[0] == stage.name for s in stages.values())
    around = stage.players or stage.first_dealer or stage.next_dealer or stage.anytime
    asks = asks_machine(stage.setup + stage.effect + stage.cleanup)
    return stage.kind == "effect" and not (counted or around or asks)


def is_anytime(parts: TakingPart, name: str, lawful: bool = False, itself: bool = True) -> bool:
    """Whether anything may be open at any time while a stage waits: in it, around it, or around a call of it.

    lawful: whether it may be among the lawful moves, which talk never is.
    """

    def counts(stage: StageDef) -> bool:
        return any(not lawful or is_offered(action) for action in stage.anytime)

    around: str | None = name
    while around is not None:
        stage = parts.stages[around]
        if counts(stage) and (itself or around != name):
            return True
        if stage.closed:
            return False
        if around in parts.callers:
            return any(map(counts, parts.stages.values()))
        around = parts.parents.get(around)
    return False


def is_offered(action: ActionDef) -> bool:
    """Whether an action may be among the lawful moves: it is no talk, it can be, and no law is always broken."""
    conditions = [c for on, c in action.when if not on] + [law.law for law in action.laws if not law.on and law.row < 0]
    return not action.talk and not any(isinstance(c, t.Const) and c.value is False for c in conditions)
