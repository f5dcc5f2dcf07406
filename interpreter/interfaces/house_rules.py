"""Begins the files of somebody's own house rules: an overlay and a scenario that proves it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.base.resources import find
from interpreter.base.whole_files import write_whole
from interpreter.language.overlay import is_allowed, is_path, shipped

if TYPE_CHECKING:
    from interpreter.api.game import Ruleset

OVERLAY = """\
# yaml-language-server: $schema={schema}
# House rules: this file says only what is different from {base}. Everything else stays as it is there.
format: 1
id: {id}
name: {name}
extends: {base}

# Take away the signs '# ' before a rule to use it. `houserules explain {base}` tells the rules,
# `houserules show {base}` the names of options and stages, and the file in which all of it is written.
{change}
"""

SCENARIO = """\
# yaml-language-server: $schema={schema}
# Proves the house rules: `houserules test {file}`. The name says the rule, the steps show it.
game: ./{id}.yaml
name: a match of {players} players begins with the stage {phase}
players: {players}
steps:
  - expect: {{phase: {phase}}}
"""


def begin(name: str, base: str, ruleset: Ruleset) -> list[Path]:
    """Write NAME.yaml and NAME-scenario.yaml into the folder of NAME; returns their paths.

    Raises ValueError if the name cannot be used, or a file would be overwritten.
    """
    overlay = Path(name if name.endswith(".yaml") else f"{name}.yaml")
    scenario = overlay.with_name(f"{overlay.stem}-scenario.yaml")
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", overlay.stem):
        raise ValueError(f"'{overlay.stem}' is no name for a ruleset: small letters, digits and '-', such as my-house")
    if overlay.stem in shipped():
        raise ValueError(
            f"'{overlay.stem}' is a shipped game; house rules for it need a name of their own: my-{overlay.stem}"
        )
    for path in (overlay, scenario):
        if path.exists() or path.is_symlink():  # also one that leads nowhere yet
            raise ValueError(f"there is a file '{path}' already; it is left as it is")
    if not overlay.parent.is_dir():
        raise ValueError(f"there is no folder '{overlay.parent}'")
    words = {
        "id": overlay.stem, "name": overlay.stem.replace("-", " ").replace("_", " ").capitalize(),
        "base": _scalar(_extended(base, overlay)), "file": scenario.name, "change": _change(ruleset),
        "players": ruleset.players.default, "phase": ruleset.game().start(seed=0).phase,
    }  # fmt: skip
    write_whole(overlay, OVERLAY.format(schema=_schema("ruleset", overlay), **words))
    try:
        write_whole(scenario, SCENARIO.format(schema=_schema("scenario", scenario), **words))
    except OSError:
        overlay.unlink(missing_ok=True)
        raise
    return [overlay, scenario]


def _extended(base: str, overlay: Path) -> str:
    """How the overlay names what it extends: an id, or a path from its own folder."""
    if not is_path(base):
        return base
    found, folder = Path(base).resolve(), overlay.parent.resolve()
    if not found.is_relative_to(folder):
        raise ValueError(f"'{base}' must lie beside '{overlay}' or in a folder below it")
    named = f"./{found.relative_to(folder).as_posix()}"
    if not is_allowed(named, folder):
        raise ValueError(f"no ruleset can name '{named}'; give the file another name, such as base.yaml")
    return named


def _scalar(text: str) -> str:
    """A text as YAML reads it again."""
    import yaml

    return yaml.safe_dump(text, allow_unicode=True, width=1_000_000).removesuffix("...\n").strip()


def _schema(kind: str, beside: Path) -> str:
    """The schema as an editor finds it: by a relative path inside the checkout it lies in, else by its address.

    A relative path out of a checkout would break where a folder on the way is a link, for editors don't follow it.
    """
    found = find(f"schema/{kind}.schema.json").resolve()
    root, folder = found.parent.parent, beside.parent.resolve()
    if not folder.is_relative_to(root):
        return found.as_uri()
    return "../" * len(folder.relative_to(root).parts) + found.relative_to(root).as_posix()


def _change(ruleset: Ruleset) -> str:
    """One small change that fits this ruleset, not yet in force."""
    for name, option in ruleset.options.items():
        others: list[object] = []
        if option.type == "integer" and type(option.default) is int:
            others = [option.default + 1, option.default - 1]
        elif option.type == "flag":
            others = [not option.default]
        for other in others:
            if _is_accepted(ruleset, name, other):
                told = str(other).lower() if isinstance(other, bool) else other
                why = _line(option.doc or f"it is {option.default}")
                return f"# options: {{{name}: {{default: {told}}}}}   # {why}"
    return f'# about: "{_line(ruleset.name)}, as we play it."'


def _line(text: str) -> str:
    """What somebody else has written, as it can stand behind the sign of a comment."""
    return " ".join(text.split())


def _is_accepted(ruleset: Ruleset, name: str, value: object) -> bool:
    try:
        ruleset.game(options={name: value})
    except ValueError:
        return False
    return True
