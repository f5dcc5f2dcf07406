"""What a check has found, as people and as programs read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter.analysis.audit.findings import shares
from interpreter.analysis.audit.tally import Played
from interpreter.analysis.figures import percentile

if TYPE_CHECKING:
    from interpreter.analysis.audit import Findings


def told(report: Findings, limit: int) -> str:
    """The report in lines."""
    return "\n".join(_lines(report, limit))


def _lines(report: Findings, limit: int) -> Iterator[str]:
    tally, played = report.tally, report.tally.played
    if report.stopped:
        yield report.stopped
    decisions = sum(match.decisions for match in played)
    games = len(tally.games)
    yield (
        f"{report.ruleset.id}: {len(played)} matches of {games} game{'' if games == 1 else 's'}, "
        f"{decisions} decisions in {report.seconds:.1f} s"
    )
    for honor in (False, True):
        group = [match for match in played if match.honor == honor]
        if group:
            yield _course("on honour" if honor else "strict", group, limit)
    if not any(trouble.kind == "lost" for trouble in tally.troubles):
        yield "  cards: each in exactly one place after every decision"
    if tally.breaches:
        counted = ", ".join(f"{name} {count}" for name, count in tally.breaches.most_common())
        yield f"  breaches on honour that left a fault: {counted}"
    if report.refused:
        yield f"  games the ruleset refuses, which were not played: {len(report.refused)}"
    lengths = shares(played)
    if lengths:
        yield "seats"
        yield from (f"  {share}" for share in lengths)
    yield ""
    yield from (str(finding) for finding in report.found)
    errors, warnings = (sum(f.severity == kind for f in report.found) for kind in ("error", "warning"))
    yield f"{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}"


def _course(name: str, group: list[Played], limit: int) -> str:
    ended = [match for match in group if match.over]
    cut = sum(not match.over and match.decisions >= limit for match in group)
    failed = len(group) - len(ended) - cut
    found = [f"{len(group)} matches, {len(ended)} ended by themselves"]
    length = length_of(ended)
    if length:
        found.append(
            f"decisions of those: {length['min']} to {length['max']}, half of them up to {length['median']}, "
            f"95 in 100 up to {length['p95']}"
        )
    if cut:
        found.append(f"{cut} were cut after {limit} decisions")
    if failed:
        found.append(f"{failed} could not go on")
    return f"  {name}: " + "; ".join(found)


def length_of(ended: list[Played]) -> dict[str, int]:
    lengths = sorted(match.decisions for match in ended)
    if not lengths:
        return {}
    return {
        "min": lengths[0], "median": percentile(lengths, 50), "p95": percentile(lengths, 95), "max": lengths[-1],
    }  # fmt: skip


def figures(report: Findings, seed: int, limit: int) -> dict[str, Any]:
    """The report as plain data."""
    tally, played = report.tally, report.tally.played
    return {
        "game": report.ruleset.id,
        "seed": seed,
        "limit": limit,
        "games": [str(one) for one in report.games],
        "refused": [{"game": game, "reason": reason} for game, reason in report.refused],
        "matches": len(played),
        "ended": sum(match.over for match in played),
        "decisions": sum(match.decisions for match in played),
        "seconds": round(report.seconds, 3),
        "stopped": report.stopped or None,
        "length": length_of([match for match in played if match.over]) or None,
        "breaches": dict(tally.breaches),
        "seats": [share.to_json() for share in shares(played)],
        "findings": [finding.to_json() for finding in report.found],
        "well": report.well,
    }
