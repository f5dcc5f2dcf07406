"""What has been seen in many watched matches; tallies of several processes are added up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from interpreter.analysis.audit.configurations import Configuration
from interpreter.api.game import Game
from interpreter.base.diagnostics import Span
from interpreter.engine.program import ActionCode, StageCode

Name = tuple[str, ...]
"""Of a stage: its name; of an action: stage, action; of a law: stage, action, law."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A match that could not go on, or that went on for too long."""

    kind: Literal["stuck", "lost", "endless"]
    what: str
    """What happened, the same for every match in which it happened."""
    message: str
    configuration: Configuration
    seed: int
    decisions: int
    span: Span | None = None
    """Where an endless stage stands."""


@dataclass(frozen=True, slots=True)
class Played:
    """One match. honor: on honour. over: it came to its end. first: who was the first to decide alone, or None."""

    players: int
    honor: bool
    decisions: int
    over: bool
    winners: tuple[int, ...]
    first: int | None


@dataclass(slots=True)
class Tally:
    """played: matches in order. stages, actions, laws: all there are, with their places; what of them was seen.

    met: laws that judged a possible move; broken: laws that refused one, or, on honour, let a breach happen. claimable,
    lapsed: how often a breach on honour could be claimed afterwards, or could not, since claims ended with its move.
    games: those that were played.
    """

    played: list[Played] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    stages: dict[Name, Span] = field(default_factory=dict)
    actions: dict[Name, Span] = field(default_factory=dict)
    laws: dict[Name, Span] = field(default_factory=dict)
    entered: set[Name] = field(default_factory=set)
    ended: set[Name] = field(default_factory=set)
    possible: set[Name] = field(default_factory=set)
    lawful: set[Name] = field(default_factory=set)
    met: set[Name] = field(default_factory=set)
    broken: set[Name] = field(default_factory=set)
    breaches: Counter[str] = field(default_factory=Counter)
    claimable: Counter[Name] = field(default_factory=Counter)
    lapsed: Counter[Name] = field(default_factory=Counter)
    games: set[Configuration] = field(default_factory=set)

    def know(self, game: Game) -> None:
        """Everything a game has, seen or not; of its stages those in which somebody decides."""
        for stage in game.program.stages:
            if stage.actions:
                self.stages.setdefault((stage.name,), stage.span)
            for action in (a for a in (*stage.actions, *stage.anytime) if not a.talk):
                name = (stage.name, action.name)
                self.actions.setdefault(name, action.span)
                for law in action.laws:
                    self.laws.setdefault((*name, law.name), law.span)

    def add(self, other: Tally) -> None:
        self.played += other.played
        self.troubles += other.troubles
        for mine, theirs in ((self.stages, other.stages), (self.actions, other.actions), (self.laws, other.laws)):
            for name, span in theirs.items():
                mine.setdefault(name, span)
        self.entered |= other.entered
        self.ended |= other.ended
        self.possible |= other.possible
        self.lawful |= other.lawful
        self.met |= other.met
        self.broken |= other.broken
        self.breaches += other.breaches
        self.claimable += other.claimable
        self.lapsed += other.lapsed
        self.games |= other.games

    def is_settled(self, stage: StageCode, action: ActionCode) -> bool:
        """Whether nothing new can be learnt of an action."""
        name = (stage.name, action.name)
        return name in self.lawful and all((*name, law.name) in self.broken for law in action.laws)
