"""Matches played by Ray on this machine: the same, from the text of the ruleset. Needs the extra `ray`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import interpreter
from interpreter.analysis import ray_tasks, simulation
from interpreter.analysis.plan import Plan, Players
from interpreter.analysis.ray_tasks import Cluster, OtherVersion
from interpreter.analysis.simulation import run
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.cli import run as command
from interpreter.players.honor_bot import Manners
from interpreter.players.realtime import Speed


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(workers=2) as found:
        yield found


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """One match is played here and the rest in parts of three."""
    monkeypatch.setattr(simulation, "ALONE", 0)
    monkeypatch.setattr(simulation, "MOST_IN_PART", 3)


def test_ray_plays_the_same_matches(cluster: Cluster) -> None:
    hearts, spoons = interpreter.load("hearts"), interpreter.load("georgia-spoons")
    plans = (
        Plan(hearts.game(options={"target": 30}), 5, None, 10_000, by_deal=True),
        Plan(hearts.game(), 5, 1, 10_000, Players(("medium", "random", "random", "random"))),
        Plan(spoons.game(enforcement="honor"), 1, 1, 60, Players(manners=Manners(forgets=0.3, notices=1))),
        Plan(spoons.game(), 1, 1, 60, Players(speeds=(Speed(300),) * 4)),
        Plan(interpreter.load("spit").game(), 2, 1, 100),
    )
    for plan in plans:
        assert run(plan, 8, spread=cluster.spread).played == run(plan, 8).played


def test_a_house_rule_and_its_variant_go_along_as_text(cluster: Cluster, tmp_path: Path) -> None:
    rule = tmp_path / "rule.yaml"
    rule.write_text(
        "format: 1\nid: rule\nname: Rule\nextends: hearts\noptions: {target: {default: 20}}\n"
        "variants: {dear: {doc: The jack of diamonds., patch: {values: {points: {JD: -10}}}}}\n"
    )
    plan = Plan(interpreter.load(rule).game(variants=["dear"]), 5, None, 10_000)
    here = run(plan, 8).played
    rule.unlink()
    assert run(plan, 8, spread=cluster.spread).played == here


def test_another_version_does_not_play(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(interpreter.load("hearts").game(), 5, 1, 10_000)
    monkeypatch.setattr(ray_tasks, "version", lambda: "99.1")
    with pytest.raises(OtherVersion, match=r"houserules 99\.1 asks, and houserules [\d.]+ is there to play"):
        run(plan, 8, spread=cluster.spread)


def test_an_error_of_the_rules_comes_back_as_what_it_is(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "endless.yaml"
    path.write_text(
        "format: 1\nid: endless\nname: Endless\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, hand: {each: player}}\nstate: {n: {type: integer, lasts: match, max: 3}}\n"
        "flow:\n  match: {do: [play], setup: shuffle stock; move 1 from stock to hand of P1}\n"
        "  play: {kind: turn, first: P1, turns: 1, actions: {more: {when: true, effect: "
        "'if any c in hand has c.suit = spades then add 9 to n end'}}}\n"
    )
    plan = Plan(interpreter.load(path).game(), 0, None, 100)
    with pytest.raises(RuleError):
        run(plan, 60)
    seeds = (seed for seed in range(50) if not _first_fails(path, seed))
    with pytest.raises(RuleError) as found:
        run(Plan(plan.game, next(seeds), None, 100), 60, spread=cluster.spread)
    assert found.value.span is not None


def _first_fails(path: Path, seed: int) -> bool:
    try:
        run(Plan(interpreter.load(path).game(), seed, None, 100), 1)
    except RuleError:
        return True
    return False


@pytest.mark.parametrize(
    ("address", "told"),
    [("127.0.0.1:9", "--ray: nobody answers at 127.0.0.1:9"), ("nowhere", "--ray: 'nowhere' is no address such as")],
)
def test_where_nobody_answers_it_is_told(address: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["simulate", "hearts", "--games", "2", "--ray-address", address]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("said", ["", "disabled"])
def test_a_cluster_of_ones_own_asks_for_a_token_unless_that_is_refused(tmp_path: Path, said: str) -> None:
    """Ray reads how to judge who asks when it is imported: another one says here what it was told then."""
    (tmp_path / "ray.py").write_text(
        "import os\nMODE = os.environ.get('RAY_AUTH_MODE')\ndef init(**said): print(MODE)\ndef remote(task): pass\n"
    )
    script = "from interpreter.analysis.ray_tasks import Cluster; Cluster()"
    environment = {name: value for name, value in os.environ.items() if name != "RAY_AUTH_MODE"}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    if said:
        environment["RAY_AUTH_MODE"] = said
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"{said or 'token'}\n", "")


def test_ray_is_started_in_an_empty_folder(tmp_path: Path) -> None:
    """Its processes look for modules there first, and where it is asked for may lie what strangers have made."""
    (tmp_path / "ray.py").write_text(
        "import os\ndef init(**said): print(os.getcwd(), os.listdir())\ndef remote(task): pass\n"
        "def shutdown(): print(os.getcwd())\n"
    )
    script = "from interpreter.analysis.ray_tasks import Cluster\nwith Cluster(): pass"
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True,
        text=True, timeout=60, check=True,
    )  # fmt: skip
    first, last = done.stdout.splitlines()
    assert first.endswith(" []") and not Path(first.removesuffix(" []")).exists()
    assert Path(last).samefile(tmp_path)
