"""Play on honour as functions of the core: claims, penalties, lapses."""

from __future__ import annotations

from typing import Any

from interpreter.compiler.bounds.limits import EVENT
from interpreter.compiler.lower.effects import Effects
from interpreter.compiler.lower.function_writer import Functions
from interpreter.language import typed as t
from interpreter.language.model import HonorDef, LapseDef, WrongClaim
from interpreter.language.typed import Effect, Typed

Terms = tuple[str, LapseDef | None, tuple[Effect, ...] | None, Typed | None]
"""(name of a fault, when it lapses, its penalty, who may claim it)."""


class Honor:
    """Writes what differs on honour."""

    def __init__(self, functions: Functions, effects: Effects) -> None:
        self._functions = functions
        self._out = functions.out
        self._effects = effects
        self._layout = effects.e.layout
        self._model = effects.e.model

    def write(self) -> None:
        honor = self._model.honor
        if honor is not None and self._layout.honor:
            with self._out.declaring({"offender": t.PLAYER, "claimer": t.PLAYER}):
                self._section(honor)

    def _section(self, honor: HonorDef) -> None:
        both = ("x·offender", "x·claimer")
        self._functions.function("honor_penalty", honor.penalty, *both)
        wrong: WrongClaim = self._layout.settled(honor.wrong_claim)
        if not isinstance(wrong, str):
            self._functions.function("honor_wrong", wrong, *both)
        self._functions.value("honor_claimers", honor.claimers, "x·offender", group=True, little=EVENT)
        self._lapse("honor_lapse", self._layout.settled(honor.lapses))
        for at, (name, lapses, penalty, claimers) in enumerate(self.terms(honor)):
            self._out.remark(name)
            self._lapse(f"fault_lapse·{at}", lapses)
            if penalty is not None:
                with self._out.function(f"fault_penalty·{at}", "s", *both):
                    self._functions.begin(penalty)
                    self._effects.block(penalty)
            self._functions.value(f"fault_claimers·{at}", claimers, "x·offender", group=True, little=EVENT)

    def terms(self, honor: HonorDef) -> list[Terms]:
        """What differs for the faults of one name: by the honour section, else by the first law that says it.

        Functions for them go by the numbers in this list: the name of a fault may be any text.
        """
        found: dict[str, list[Any]] = {}
        for own in honor.laws.values():
            found[own.fault] = [self._layout.settled(own.lapses), own.penalty, own.claimers]
        actions = [action for stage in self._model.stages.values() for action in (*stage.actions, *stage.anytime)]
        for law in [law for action in actions for law in action.laws]:
            differs = honor.laws.get(law.name)
            terms = found.setdefault(law.fault if differs is None else differs.fault, [None, None, None])
            for at, said in enumerate((self._layout.settled(law.lapses), law.penalty, law.claimers)):
                terms[at] = said if terms[at] is None else terms[at]
        return [(name, *terms) for name, terms in found.items() if any(term is not None for term in terms)]

    def _lapse(self, name: str, lapse: LapseDef | None) -> None:
        if lapse is not None:
            self._functions.value(name, lapse.after, little=EVENT)
            self._functions.value(f"{name}·pauses", lapse.pauses, "x·offender", little=EVENT)
