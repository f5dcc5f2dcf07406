"""Finds the files that come with the interpreter: the grammar, the schemas and the shipped rulesets."""

from __future__ import annotations

from pathlib import Path


def find(relative: str) -> Path:
    """The file or folder `relative` ("schema/ruleset.schema.json", "rulesets").

    An installed wheel carries grammar/, schema/ and rulesets/ inside the package; in a checkout, and in an
    editable install, they lie beside it. Raises FileNotFoundError when it is in neither place.
    """
    package = Path(__file__).resolve().parent.parent
    for base in (package, package.parent):
        if (base / relative).exists():
            return base / relative
    raise FileNotFoundError(f"the installation of houserules is incomplete: '{relative}' is missing from {package}")
