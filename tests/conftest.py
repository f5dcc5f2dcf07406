"""Settings for all tests: how much hypothesis tries, and always the same where CI is set."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_ALWAYS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
gc.set_threshold(300_000, 20, 20)  # looked through as often as ever, what tests make would take an eighth of the time
settings.register_profile("local", **_ALWAYS)
settings.register_profile("ci", derandomize=True, print_blob=True, **_ALWAYS)
settings.register_profile("thorough", max_examples=1_000, **_ALWAYS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "local"))

# Modules are kept as they were compiled, whatever is set outside: each process that a test starts would compile all of
# the interpreter again, and each worker all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-setting",
        action="store_true",
        help="each option value, variant and number of players strict and on honour, not a share of them by turns",
    )


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: tests of servers and terminals wait for others half of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What needs a browser or PostgreSQL, or takes long, is collected where it is asked for: `python -m pytest
    tests/browser`, or a file of it."""
    asked = [Path(str(argument).partition("::")[0]).absolute() for argument in config.args]
    for apart in (Path(__file__).parent / name for name in ("browser", "postgres", "secrecy")):
        if collection_path.is_relative_to(apart) and not any(path.is_relative_to(apart) for path in asked):
            return True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Tests are never given up once they are collected, so Python need not look through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionfinish() -> None:
    """All that tests have left goes with the process: to look through it twice more would take seconds of each."""
    gc.freeze()


@pytest.fixture(autouse=True)
def seed_of_who_gives_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is started without a seed has seed 0 here, so that a test does the same each time."""
    monkeypatch.setattr("interpreter.engine.start.draw_seed", lambda: 0)


@pytest.fixture(autouse=True)
def matches_of_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is kept unasked is kept where nobody looks for it."""
    monkeypatch.setenv("HOUSERULES_DATA", str(tmp_path_factory.getbasetemp() / "kept"))
