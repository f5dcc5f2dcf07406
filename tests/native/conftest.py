"""Nobody needs the extras to run the tests: without being asked for by name these are not collected."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file alone unless this folder, or something in it, was named."""
    named = (Path(argument.partition("::")[0]).absolute() for argument in config.args)
    return None if any(path.is_relative_to(HERE) for path in named) else True
