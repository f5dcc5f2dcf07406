"""The chapter on honour: how faults are claimed, what they cost, and for which laws that differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.language.model import Breach, Choice, FaultDef, HonorDef, LapseDef, LawDef
from interpreter.language.typed import Effect, Typed
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import Block, Item
from interpreter.rulebook.course import Course


@dataclass(frozen=True)
class Terms:
    """What differs for one law; None where the general rule holds."""

    fault: str
    breach: Breach | Choice[Breach] | None = None
    lapses: LapseDef | Choice[LapseDef] | None = None
    penalty: tuple[Effect, ...] | None = None
    claimers: Typed | None = None


@dataclass(frozen=True)
class Honor:
    honor: HonorDef
    course: Course

    def blocks(self) -> list[Block]:
        honor, course = self.honor, self.course
        told = "Played on honour, rules can be broken. Whoever notices says so: the claim is called "
        told += f"“{g.plain(honor.claim or 'claim')}” and is open during the {g.plain(honor.during)}."
        found: list[Block] = [Item(told, "Claims")]
        if honor.claimers is not None:
            found.append(Item(g.sentence(course.noun(honor.claimers)), "Who may claim"))
        if honor.lapses is not None:
            found.append(Item(self._lapse(course.speaker.folding.choice(honor.lapses)), "How long"))
        singles = self._singles()
        penalty = course.effects(honor.penalty)
        unless = "unless something else is told of it below" if singles else ""
        said = f"{g.sentence(unless).rstrip('.')}:" if penalty and unless else ""
        none = f"None{', ' if unless else ''}{unless}."
        found.append(Item(said if penalty else none, "Penalty for a fault", penalty))
        wrong = course.speaker.folding.choice(honor.wrong_claim)
        if isinstance(wrong, tuple):
            costs = course.effects(wrong)
            found.append(Item("" if costs else "Costs nothing.", "A wrong claim", costs))
        else:
            found.append(Item("It is a fault itself, which can be claimed.", "A wrong claim"))
        if honor.charge_each is not None and course.clause(honor.charge_each) != "never":
            found.append(Item("The penalty is due to each of those who claim.", "Several claims"))
        return found + singles

    # ---- single laws ------------------------------------------------------------------------------------

    def _singles(self) -> list[Block]:
        """The laws for which something differs; those for which the same does are told together."""
        alike: dict[tuple[str, tuple[Item, ...], bool], list[str]] = {}
        for name, terms in self._terms().items():
            text, below = self._told(name, terms)
            if text or below:
                mark = self.course.marks.changed("honor", "laws", name) or self._changed(name)
                alike.setdefault((text, below, mark), []).append(f"“{g.plain(name)}”")
        return [Item(text, g.listed(names), below, mark) for (text, below, mark), names in alike.items()]

    def _terms(self) -> dict[str, Terms]:
        """By the chapter itself, else by the law; a fault that laws share costs whatever the first of them says."""
        laws = {law.name: law for _, law in self._laws()}
        found = {law.name: Terms(law.fault, None if law.breach == "stands" else law.breach) for law in laws.values()}
        for name, own in self.honor.laws.items():
            breach = own.breach or (found[name].breach if name in found else None)
            found[name] = Terms(own.fault, breach, own.lapses, own.penalty, own.claimers)
        shared: dict[str, Terms] = {}
        sources: list[FaultDef | LawDef] = [*self.honor.laws.values(), *(law for _, law in self._laws())]
        for source in sources:
            fault = found[source.name].fault
            so_far = shared.get(fault, Terms(fault))
            shared[fault] = replace(
                so_far,
                lapses=source.lapses if so_far.lapses is None else so_far.lapses,
                penalty=source.penalty if so_far.penalty is None else so_far.penalty,
                claimers=source.claimers if so_far.claimers is None else so_far.claimers,
            )
        return {name: replace(shared[terms.fault], breach=terms.breach) for name, terms in found.items()}

    def _laws(self) -> Iterator[tuple[tuple[str, ...], LawDef]]:
        """The laws of all actions, and where they stand."""
        for stage in self.course.speaker.model.stages.values():
            for part, actions in (("actions", stage.actions), ("anytime", stage.anytime)):
                for action in actions:
                    for law in action.laws:
                        yield ("flow", stage.name, part, action.name, "must", law.name), law

    def _changed(self, name: str) -> bool:
        return any(law.name == name and self.course.marks.changed(*path) for path, law in self._laws())

    def _told(self, name: str, terms: Terms) -> tuple[str, tuple[Item, ...]]:
        """What differs for a law, if anything does that is told here."""
        choice = self.course.speaker.folding.choice
        said, below = [], tuple[Item, ...]()
        if name in self.honor.laws and terms.fault != name:
            said.append(f"Its fault is called “{g.plain(terms.fault)}”.")
        if terms.breach is not None:
            said.append(f"What was done {'is taken back' if choice(terms.breach) == 'taken back' else 'stands'}.")
        if terms.lapses is not None:
            said.append(self._lapse(choice(terms.lapses)))
        if terms.claimers is not None:
            said.append(f"It can be claimed by {self.course.noun(terms.claimers)}.")
        if terms.penalty is not None:
            below = self.course.effects(terms.penalty)
            said.append("The penalty:" if below else "It costs nothing.")
        return " ".join(said), below

    def _lapse(self, lapse: LapseDef) -> str:
        course = self.course
        after = course.noun(lapse.after)
        what = {"different others": "completed turn"}.get(lapse.of, g.plain(lapse.of))
        pauses = "" if lapse.pauses is None else f"; the count waits while {course.clause(lapse.pauses)}"
        count = g.number(int(after), what) if after.isdigit() else f"{after} {what}s"
        if lapse.how == "turns":
            return f"A fault is forgotten after {count} of different other players{pauses}."
        when = f"at the end of the {what}" if after == "1" else f"when {count} have ended"
        return f"A fault is forgotten {when}{pauses}."
