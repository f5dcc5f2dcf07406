"""Matches played by a Ray cluster: `houserules simulate --ray`. Needs the extra `ray`.

A task gets a text, which says what is played and holds the whole ruleset, and the numbers of its matches. It checks and
compiles the ruleset itself: programs are never sent. Only this version of the program plays it.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir
from dataclasses import asdict
from functools import lru_cache
from tempfile import TemporaryDirectory
from typing import Any

from interpreter.analysis.plan import Plan, Players
from interpreter.analysis.simulation import AHEAD, begun_ahead, played
from interpreter.api.game import load
from interpreter.api.random_play import Match
from interpreter.base.diagnostics import Report
from interpreter.base.version import version
from interpreter.language.source import Mapping, parse_text, to_plain
from interpreter.players.honor_bot import Manners
from interpreter.players.realtime import Speed

PATIENCE = 5
"""Seconds in which a cluster has to answer."""


class OtherVersion(Exception):
    """Another version of the program would have played the matches; the message says which."""


class Cluster:
    """A Ray cluster, on this machine or at an address. `with` disconnects from it."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        """address: of a cluster that runs; None starts one here, with so many processors. Raises ConnectionError."""
        if address is not None:
            _reach(address)
        elif "ray" not in sys.modules:  # it listens to the network, and reads how to judge who asks when it is imported
            os.environ.setdefault("RAY_AUTH_MODE", "token")
        import ray

        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing is told to anybody
        os.environ["RAY_IGNORE_UNHANDLED_ERRORS"] = "1"  # of parts that nobody waits for once one has failed
        here = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
        self._empty = TemporaryDirectory(prefix="houserules-")
        with chdir(self._empty.name):  # Ray's processes look for modules in the folder from which it is started
            ray.init(address=address or "local", log_to_driver=False, logging_level="ERROR", **here)
        self._ray = ray
        self._task = ray.remote(part)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()
        self._empty.cleanup()

    def spread(self, plan: Plan, parts: Iterable[range]) -> Iterator[list[Match]]:
        """The matches of each part, in order. Raises OtherVersion, RuleError, ConnectionError."""
        ray, job = self._ray, written(plan)
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        for coming in begun_ahead(lambda part: self._task.remote(job, part.start, part.stop), parts, most):
            try:
                yield [Match(*fields) for fields in ray.get(coming)]
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except ray.exceptions.RayError as error:
                raise ConnectionError(f"the cluster has stopped playing: {error}") from None


def _reach(address: str) -> None:
    """Whether somebody answers there: Ray itself would ask for minutes. Raises ConnectionError."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal() or int(port) >= 1 << 16:
        raise ConnectionError(f"'{address}' is no address such as 10.0.0.5:6379")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except OSError:
        raise ConnectionError(f"nobody answers at {address}") from None


def written(plan: Plan) -> str:
    """A plan as text, with all that its ruleset says."""
    game, who = plan.game, plan.players
    rules = to_plain(game.ruleset.node)
    assert isinstance(rules, dict)
    rules.pop("variants", None)  # what the chosen ones change has been laid on
    header = game.header()
    return json.dumps(
        {
            "version": version(),
            "rules": json.dumps(rules, ensure_ascii=False),
            "players": game.players,
            "options": header["options"],
            "enforcement": game.enforcement,
            "seed": plan.seed,
            "deals": plan.deals,
            "limit": plan.limit,
            "by_deal": plan.by_deal,
            "skill": who.skill,
            "manners": asdict(who.manners),
            "speeds": [asdict(speed) for speed in who.speeds],
        }
    )


@lru_cache(maxsize=4)
def read(job: str) -> Plan:
    """The plan that a text says, its ruleset checked and compiled. Raises OtherVersion, RulesetError."""
    said = json.loads(job)
    if said["version"] != version():
        raise OtherVersion(f"houserules {said['version']} asks, and houserules {version()} is there to play")
    report = Report()
    node = parse_text(said["rules"], "the ruleset", report)
    report.raise_errors()
    assert isinstance(node, Mapping)
    game = load(node).game(said["players"], said["options"], (), said["enforcement"])
    skill = said["skill"] if isinstance(said["skill"], str) else tuple(said["skill"])
    speeds = tuple(Speed(**speed) for speed in said["speeds"])
    players = Players(skill, Manners(**said["manners"]), speeds)
    return Plan(game, said["seed"], said["deals"], said["limit"], players, said["by_deal"])


def part(job: str, first: int, stop: int) -> list[tuple[Any, ...]]:
    """What a task does: the matches from number `first` on, before `stop`."""
    return [tuple(match) for match in played(read(job), range(first, stop))]
