"""The product of payloads and places in sheets: each is a document with a payload in every place that it stands for.

On sheet n the place of number i has payload n + i. So each payload stands once in each place when all sheets are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from payloads.hosts import Host, hosts, spots
from payloads.payloads import PAYLOADS, Payload
from payloads.records import inputs, record_places, try_inputs, try_records
from payloads.trying import Given, tried

SHEETS = len(PAYLOADS)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a sheet. taken: how many of its payloads stand in a valid document; tried: of how many."""

    number: int
    host: str
    tried: int
    taken: int
    wrong: tuple[str, ...]


def given(number: int, host: Host) -> Given:
    """The payloads of a sheet in a document."""
    mine = [spot for spot in spots(host.kind) if spot.host is host]
    return {spot: payload(number + i) for i, spot in enumerate(mine)}


def payload(number: int) -> Payload:
    """Neighbours are of different kinds."""
    return PAYLOADS[number * 101 % len(PAYLOADS)]


def sheet(number: int, folder: Path, share: int = 0, shares: int = 1) -> Iterator[Result]:
    """All documents of a sheet, tried, or each so many-th. folder: a prepared one."""
    for place, host in enumerate((*hosts("ruleset"), *hosts("scenario"))):
        if place % shares == share:
            wanted = given(number, host)
            wrong, taken = tried(host, wanted, folder)
            yield Result(number, host.name, len(wanted), len(taken), tuple(dict.fromkeys(wrong)))
    if share == 0:
        wrong = [*try_records(payload(number), folder), *try_inputs(payload(number), folder)]
        many = len(record_places(folder)) + len(inputs(folder))
        yield Result(number, "records and inputs", many, 0, tuple(dict.fromkeys(wrong)))
