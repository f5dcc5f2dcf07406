"""What a house rule does: two or more games played from the same seeds, and what differs: `houserules compare`.

Match i of every game begins with the same seed, so what is looked at is the difference in each pair of matches. All
that is said of one comparison holds at once in 95 of 100 of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.analysis.intervals import Mean, Verdict, jointly, mean
from interpreter.analysis.plan import Plan
from interpreter.analysis.simulation import Course, run
from interpreter.api.random_play import Match
from interpreter.base.english import players_told

ENOUGH = 20
"""The fewest pairs of matches of which it is said that a difference is more than chance."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the games that are compared. label: what it is called. value: of the option that is swept, else None."""

    label: str
    plan: Plan
    course: Course
    value: Any = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that each match has. said: how it is told, with {new} and {old}. share: whether it is one in percent."""

    key: str
    said: str
    of: Callable[[Match], float | None]
    share: bool = False
    of_other: Callable[[Match], float | None] | None = None
    """How a match of the other game has it, where that is another way."""

    @property
    def new(self) -> Callable[[Match], float | None]:
        return self.of_other or self.of


@dataclass(frozen=True, slots=True)
class Difference:
    """What a measure comes to on two sides, by the pairs of matches in which both have it."""

    measure: Measure
    one: Side
    other: Side
    old: float
    new: float
    change: Mean
    pairs: int
    verdict: Verdict

    @property
    def sure(self) -> bool:
        """Whether it is more than chance."""
        return self.verdict.sure and self.pairs >= ENOUGH

    def __str__(self) -> str:
        values = {"new": _told(self.measure, self.new), "old": _told(self.measure, self.old)}
        if values["new"] == values["old"] and not self.sure:
            return f"{self.measure.said.format(new=values['new'], old='').partition(' instead')[0]}, as before"
        said = self.measure.said.format(**values)
        if self.pairs < ENOUGH:
            return f"{said}; {self.pairs} pairs of matches are too few to tell whether that is chance"
        return f"{said} ({self._around()})" if self.sure else f"{said}, which may be chance ({self._around()})"

    def _around(self) -> str:
        """Where the difference lies."""
        low, high = self.verdict.low, self.verdict.high
        if self.measure.share:
            return f"{low * 100:+.1f} to {high * 100:+.1f} points"
        return f"{low:+.2f} to {high:+.2f}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sides, of which the first is what the others are compared with, and what differs."""

    sides: tuple[Side, ...]
    differences: tuple[Difference, ...]


def compare(
    plans: Sequence[tuple[str, Plan, Any]],
    games: int,
    workers: int = 1,
    tell: Callable[[int, str], None] = lambda done, label: None,
) -> Comparison:
    """Play so many matches of each plan, with its label and the value of a swept option; the first is the old one.

    tell: hears now and then how many matches of which have been played. Raises RuleError.
    """
    sides: list[Side] = []
    for label, plan, value in plans:

        def hear(done: int, label: str = label) -> None:
            tell(done, label)

        course = run(plan, games, None, hear, workers)
        sides.append(Side(label, plan, course, value))
        if course.stopped:  # whoever stops one has enough of all, but each is to be there
            games = len(course.played)
    return Comparison(tuple(sides), tuple(_differences(sides)))


def _differences(sides: Sequence[Side]) -> Iterator[Difference]:
    old, *others = sides
    found = []
    for other in others:
        for measure in measures(old, other):
            pairs = [
                (first, second)
                for first, second in (
                    (measure.of(a), measure.new(b))
                    for a, b in zip(old.course.played, other.course.played, strict=False)
                )
                if first is not None and second is not None
            ]
            if pairs:
                found.append((measure, other, pairs))
    changes = [mean([second - first for first, second in pairs]) for _, _, pairs in found]
    for (measure, other, pairs), change, verdict in zip(found, changes, jointly(changes), strict=True):
        first, second = (mean(column).value for column in zip(*pairs, strict=True))
        yield Difference(measure, old, other, first, second, change, len(pairs), verdict)


# ---- what is looked at ----------------------------------------------------------------------------------


def measures(old: Side, other: Side) -> list[Measure]:
    """What two games are compared by: those things that both have."""
    n = old.plan.game.players
    new = other.course.played
    played = [*old.course.played, *new]
    found = [
        Measure("decisions", "a match takes {new} decisions instead of {old}", _decisions),
        Measure("unfinished", "{new} of the matches are cut before their end instead of {old}", _cut, True),
        Measure("ties", "several win together in {new} of the matches instead of {old}", _tied, True),
        Measure("scores", "players score {new} on average instead of {old}", _score),
        Measure("margin", "the highest score and the lowest are {new} apart instead of {old}", _margin),
    ]
    if any(match.deals > 1 for match in played):
        found.insert(0, Measure("deals", "matches last {new} deals instead of {old}", _deals))
    if n == other.plan.game.players:
        dealt = all(match.dealer is not None for match in played)
        for seat in range(n):
            who = from_dealer(seat, n) if dealt else f"P{seat + 1}"
            said = f"{who} wins {{new}} of the matches instead of {{old}}"
            found.append(Measure(f"wins {seat}", said, _Wins(seat, dealt, n), True))
    there = other.plan.game.program.counted
    for at, column in enumerate(old.plan.game.program.counted):
        if column in there:
            said = f"{column} comes to {{new}} a match instead of {{old}}"
            found.append(Measure(f"counted {column}", said, _Counted(at), False, _Counted(there.index(column))))
    return [measure for measure in found if any(map(measure.of, old.course.played)) or any(map(measure.new, new))]


def from_dealer(seat: int, players: int) -> str:
    """Somebody by how many seats to the left of the first dealer they sit."""
    if seat == 0:
        return "whoever deals first"
    if seat == 1:
        return "the first dealer's left"
    return "the first dealer's right" if seat == players - 1 else f"the seat {seat} to the first dealer's left"


@dataclass(frozen=True, slots=True)
class _Wins:
    """Whether a seat has won, counted from the first dealer or not; None of a match that was cut."""

    seat: int
    dealt: bool
    players: int

    def __call__(self, match: Match) -> float | None:
        first = match.dealer or 0 if self.dealt else 0
        return float((first + self.seat) % self.players in match.winners) if match.over else None


@dataclass(frozen=True, slots=True)
class _Counted:
    """What the ruleset has counted, by the number of its column."""

    at: int

    def __call__(self, match: Match) -> float | None:
        return match.counted[self.at] if match.over else None


def _deals(match: Match) -> float | None:
    return match.deals if match.over else None


def _decisions(match: Match) -> float | None:
    return match.decisions if match.over else None


def _cut(match: Match) -> float:
    return float(not match.over)


def _tied(match: Match) -> float | None:
    return float(match.tied) if match.over else None


def _score(match: Match) -> float:
    return sum(match.scores) / len(match.scores)


def _margin(match: Match) -> float:
    return max(match.scores) - min(match.scores)


# ---- as people and programs read it ---------------------------------------------------------------------


def told(comparison: Comparison, level: str) -> str:
    """A plain sentence for each difference, the sure ones first."""
    old, *others = comparison.sides
    lines = []
    for other in others:
        own = [found for found in comparison.differences if found.other is other]
        number = min(len(side.course.played) for side in (old, other))
        who = players_told(other.plan.game.players)
        lines.append(f"{other.label} instead of {old.label}: {who}, {number} matches of each, {level} bots")
        lines += [f"  {found}" for found in sorted(own, key=lambda found: not found.sure)]
        lines.append("")
    lines.append(
        "In parentheses stands where a difference lies; in 95 of 100 comparisons all of them are right at once."
    )
    stopped = [side.course.stopped for side in comparison.sides if side.course.stopped]
    return "\n".join([*stopped, *lines])


def _told(measure: Measure, value: float) -> str:
    if measure.share:
        return f"{value:.1%}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 1 else f"{value:.2f}"


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The sides, and of each difference what the measure comes to, the change and where that lies jointly."""
    return {
        "sides": [
            {"label": side.label, "game": side.plan.game.header(), "games": len(side.course.played)}
            for side in comparison.sides
        ],
        "seed": comparison.sides[0].plan.seed,
        "differences": [
            {
                "of": found.other.label,
                "measure": found.measure.key,
                "old": round(found.old, 4),
                "new": round(found.new, 4),
                "change": round(found.change.value, 4),
                "interval": None
                if found.change.error is None
                else [round(found.verdict.low, 4), round(found.verdict.high, 4)],
                "pairs": found.pairs,
                "sure": found.sure,
                "said": str(found),
            }
            for found in comparison.differences
        ],
    }
