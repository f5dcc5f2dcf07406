"""The names of the package are known before any of its modules is read, for whoever completes them at a prompt."""

from __future__ import annotations

import subprocess
import sys

import interpreter

ASKED = """
import interpreter, sys
print(*dir(interpreter))
print(*(name for name in sys.modules if name.startswith("interpreter.")))
"""


def test_public_names_are_listed_before_they_are_used() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, timeout=60)
    listed, read = done.stdout.splitlines()
    assert {*interpreter.__all__, "__version__"} <= {*listed.split()}
    assert not read
