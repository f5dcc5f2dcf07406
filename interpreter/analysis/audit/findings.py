"""What watched matches show of a ruleset: what is wrong, what looks useless, how long it takes, who wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from interpreter.analysis.audit.configurations import Configuration
from interpreter.analysis.audit.pairs import Idle
from interpreter.analysis.audit.tally import Played, Tally, Trouble
from interpreter.analysis.intervals import SURE, interval
from interpreter.api.game import Ruleset
from interpreter.base.diagnostics import Span
from interpreter.base.english import players_told

LISTED = 3
"""Games in which the same thing happened that are named for one finding."""
ENOUGH = 5
"""Wins, and matches that are not won, that chance alone gives a seat in a sample on which a verdict can rest."""
OFTEN = 3
"""How often a breach must have gone by unclaimed before it is told."""


@dataclass(frozen=True, slots=True)
class Finding:
    """severity: an error makes the check fail. kind: one word. count: in how many matches; None: of all together."""

    severity: Literal["error", "warning", "note"]
    kind: str
    message: str
    span: Span | None = None
    count: int | None = None
    command: str = ""

    def __str__(self) -> str:
        lines = [f"{self.severity}: {self.message}"]
        if self.span is not None and str(self.span) not in self.message:
            lines[0] = f"{self.span}: {lines[0]}"
        if self.command:
            lines.append(f"  again: {self.command}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        place = (
            None if self.span is None else {"file": self.span.file, "line": self.span.line, "column": self.span.column}
        )
        return {
            "severity": self.severity, "kind": self.kind, "message": self.message, "place": place,
            "count": self.count, "command": self.command or None,
        }  # fmt: skip


def findings(ruleset: Ruleset, tally: Tally, idle: Sequence[Idle], limit: int, command: str) -> list[Finding]:
    """Everything found, the gravest first."""
    idles = [_idle(ruleset, one) for one in idle]
    found = [*_troubles(tally, limit, command), *_never(tally), *_lapsed(ruleset, tally), *idles]
    order = {"error": 0, "warning": 1, "note": 2}
    return sorted(found, key=lambda finding: order[finding.severity])


# ---- matches that could not go on -----------------------------------------------------------------------


def _troubles(tally: Tally, limit: int, command: str) -> Iterator[Finding]:
    alike: dict[tuple[str, str], list[Trouble]] = {}
    for trouble in tally.troubles:
        alike.setdefault((trouble.kind, trouble.what), []).append(trouble)
    for (kind, what), troubles in alike.items():
        shortest = min(troubles, key=lambda t: t.decisions)
        games = list(dict.fromkeys(str(t.configuration) for t in troubles))
        many = f"in {len(troubles)} match{'' if len(troubles) == 1 else 'es'}, {_listed(games)}"
        again = again_command(command, shortest.configuration, shortest.seed, limit)
        if kind == "endless":
            never = (what,) not in tally.ended
            text = f"the stage '{what}' never ended" if never else f"the stage '{what}' did not end"
            message = f"{text} within {limit} decisions {many}"
            yield Finding("error" if never else "warning", kind, message, shortest.span, len(troubles), again)
        else:
            word = "a card is lost or doubled" if kind == "lost" else "stuck"
            message = f"{word} after {shortest.decisions} decisions, {many}: {shortest.message}"
            yield Finding("error", kind, message, None, len(troubles), again)


def again_command(command: str, configuration: Configuration, seed: int, limit: int) -> str:
    """The command that plays one match again."""
    return f"{command} {configuration.flags} --seed {seed} --limit {limit} --matches 1"


# ---- what never happened --------------------------------------------------------------------------------


def _never(tally: Tally) -> Iterator[Finding]:
    decisions = sum(match.decisions for match in tally.played)
    often = f"in {len(tally.played)} matches ({decisions} decisions)"
    for name, span in tally.stages.items():
        if name not in tally.entered:
            yield Finding("note", "stage", f"the stage '{name[0]}' was never reached {often}", span)
    for name, span in tally.actions.items():
        place = f"'{name[1]}' of '{name[0]}'"
        if name not in tally.possible:
            if (name[0],) in tally.entered:
                yield Finding("warning", "action", f"the action {place} was never possible {often}", span)
        elif name not in tally.lawful:
            yield Finding("warning", "action", f"the action {place} was possible, yet never lawful {often}", span)
    for name, span in tally.laws.items():
        place = f"the law '{name[2]}' of '{name[1]}' in '{name[0]}'"
        if name[:2] not in tally.possible:
            continue  # its action is named already
        if name not in tally.met:
            yield Finding("warning", "law", f"{place} was never asked {often}", span)
        elif name not in tally.broken:
            yield Finding("warning", "law", f"{place} refused nothing {often}: it may be useless", span)


def _lapsed(ruleset: Ruleset, tally: Tally) -> Iterator[Finding]:
    """Laws whose breach ends the stage of the claims: nobody has the time to claim it."""
    honor = ruleset.model.honor
    for name, count in tally.lapsed.items():
        if honor is not None and count >= OFTEN and not tally.claimable[name]:
            place = f"the law '{name[2]}' of '{name[1]}' in '{name[0]}'"
            message = (
                f"on honour nobody can claim a breach of {place}: all {count} of them ended '{honor.during}' at once; "
                "with 'breach: taken back' the move is taken back instead"
            )
            yield Finding("warning", "lapse", message, tally.laws.get(name), count)


def _idle(ruleset: Ruleset, idle: Idle) -> Finding:
    """An option that may be there for nothing; one that only says which games are allowed is meant to be so."""
    option = ruleset.model.options[idle.name]
    values = ", ".join(idle.values[:LISTED]) + (", ..." if len(idle.values) > LISTED else "")
    message = (
        f"the option '{idle.name}' ({values}) made no difference in {idle.pairs} pairs of matches from the same seeds"
    )
    bare = idle.same and not option.refuse and not ruleset.model.requirements
    return Finding("warning" if bare else "note", "option", message, option.span)


# ---- length and seats -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """How often a seat won the matches that ended, among so many players; shared wins count in parts.

    verdicts: how many seats the report looks at. With many, one of them strays far by chance alone.
    """

    seat: str
    players: int
    matches: int
    share: float
    low: float
    high: float
    verdicts: int = 1

    @property
    def fair(self) -> float:
        return 1 / self.players

    @property
    def unfair(self) -> bool:
        """Whether a share is more than chance, as far as the matches can tell."""
        if self.matches * min(self.fair, 1 - self.fair) < ENOUGH:
            return False
        low, high = interval(self.share * self.matches, self.matches, 1 - (1 - SURE) / self.verdicts)
        return not low <= self.fair <= high

    def __str__(self) -> str:
        told = f"{players_told(self.players)}: {self.seat} won {self.share:.1%} of {self.matches} matches that ended"
        verdict = ", which is not chance" if self.unfair else ""
        return f"{told} (95% interval {self.low:.1%} to {self.high:.1%}; {self.fair:.1%} is fair{verdict})"

    def to_json(self) -> dict[str, Any]:
        return {
            "players": self.players, "seat": self.seat, "matches": self.matches, "share": round(self.share, 4),
            "low": round(self.low, 4), "high": round(self.high, 4), "fair": round(self.fair, 4),
        }  # fmt: skip


def shares(played: list[Played]) -> list[Share]:
    """For each number of players: how often P1 won, and how often whoever decided first did."""
    found = []
    for number in sorted({match.players for match in played}):
        ended = [m for m in played if m.players == number and m.over and m.winners]
        seats: list[tuple[str, list[tuple[int, Played]]]] = [("P1", [(0, m) for m in ended])]
        seats.append(("whoever decides first", [(m.first, m) for m in ended if m.first is not None]))
        for seat, matches in seats:
            if matches:
                won = sum((who in m.winners) / len(m.winners) for who, m in matches)
                low, high = interval(won, len(matches))
                found.append(Share(seat, number, len(matches), won / len(matches), low, high))
    return [replace(share, verdicts=len(found)) for share in found]


def _listed(games: list[str]) -> str:
    rest = len(games) - LISTED
    return "; ".join(games[:LISTED]) + (f"; and {rest} more games" if rest > 0 else "")
