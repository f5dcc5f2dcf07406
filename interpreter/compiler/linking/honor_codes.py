"""The honour section as the program knows it."""

from __future__ import annotations

from typing import Any

from interpreter.compiler.linking.linked import Linked
from interpreter.engine.honor_code import FaultCode, HonorCode, Lapse
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, CardRow, HonorDef, LapseDef
from interpreter.language.typed import walk


def honor_code(of: Linked) -> HonorCode | None:
    """What claims and faults come to, where there is play on honour."""
    honor = of.model.honor
    if honor is None or not of.layout.honor:
        return None
    settled = of.layout.settled
    wrong: Any = "fault" if settled(honor.wrong_claim) == "fault" else of.hook("honor_wrong") or "nothing"
    return HonorCode(
        claim=honor.claim,
        during=of.stages[honor.during].index,
        claimers=of.hook("honor_claimers"),
        lapse=_lapse(of, "honor_lapse", settled(honor.lapses)),
        penalty=of.hook("honor_penalty") or _no_penalty,
        wrong_claim=wrong,
        charge_each=honor.charge_each is not None and bool(of.layout.before(honor.charge_each)),
        in_turn_breach="" if "in_turn" not in honor.laws else settled(honor.laws["in_turn"].breach) or "",
        faults={
            name: FaultCode(
                _lapse(of, f"fault_lapse·{at}", lapses),
                of.hook(f"fault_penalty·{at}"),
                of.hook(f"fault_claimers·{at}"),
            )
            for at, (name, lapses, _, _) in enumerate(of.lowering.honor.terms(honor))
        },
        names=_names(honor),
        claimable=_claimable(of, honor),
    )


def _names(honor: HonorDef) -> dict[str, str]:
    return {own.name: own.fault for own in honor.laws.values()}


def _lapse(of: Linked, name: str, lapse: LapseDef | None) -> Lapse | None:
    found = of.hook(name)
    return None if lapse is None or found is None else (found, lapse.how, lapse.of, of.hook(f"{name}·pauses"))


def _claimable(of: Linked, honor: HonorDef) -> tuple[str, ...]:
    """What faults can be called: laws, what is announced or must be said, what the rules find fault with."""
    names = _names(honor)
    found = [names.get("in_turn", "in_turn")]
    for stage in of.stages.values():
        for action in (*stage.actions, *stage.anytime):
            found += [names.get(law.name, law.fault) for law in action.laws]
            parts: tuple[ActionDef | CardRow, ...] = (action, *action.rows)
            for part in parts:
                spoken = [said.name for said in part.says]
                spoken += [param.name for param in part.params if of.facts.says_itself(param)]
                found += [names.get(name, name) for name in spoken]
    found += [e.law for e in walk([of.model.stages, honor]) if isinstance(e, t.NoteFault)]
    found += [f"wrong_{honor.claim}"] if of.layout.settled(honor.wrong_claim) == "fault" else []
    return tuple(dict.fromkeys(found))


def _no_penalty(s: Any, offender: int, claimer: int) -> None:
    return None
