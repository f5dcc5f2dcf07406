"""A document with payloads, tried: what refuses them is to say so well, and what takes them is to do no harm."""

from __future__ import annotations

import shutil
import traceback
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from guarding import Hang, scratch, watched

import interpreter
from interpreter.base.diagnostics import Diagnostic
from interpreter.language.source import Mapping
from interpreter.proofs.scenarios import load_scenarios
from payloads import commands, outputs
from payloads.hosts import FOLDER, Host, Spot, filled, hosts, layers
from payloads.payloads import CANARY, Payload
from payloads.writing import written

SECONDS = 20.0
"""After so long a sheet is given up."""
Given = dict[Spot, Payload]
_searched: set[Spot] = set()
"""Places in which a payload has caused an error somewhere else."""
_CLEAN = "turns.yaml"
_NEW = ["new", "x", "--extends", "nothing"]
_CHANCES = ("--forgets", "0.3", "--notices", "0.8", "--bluffs", "0.2")
_SHORT = ("--games", "1", "--limit", "40", "--seed", "1")


@cache
def prepare(folder: Path) -> Path:
    """A folder for the documents of a process, beside a file that nobody may read; everything is tried once."""
    commands.remember_texts()
    inside = folder / "rulesets"
    inside.mkdir()
    for host in hosts("ruleset"):
        (inside / host.file).write_text(written(host.document)[0], "utf-8")
    shutil.copy(FOLDER / "steps-scenario.yaml", inside)
    (folder / "secret.yaml").write_text(f"format: 1\nid: secret\nname: {CANARY}\n{CANARY}\n", "utf-8")
    (inside / "links").mkdir()
    (inside / "links" / "link.yaml").symlink_to(folder / "secret.yaml")
    (inside / "bad.yaml").write_text("format: 1\nid: [\n", "utf-8")
    unread = "format: 1\nid: x\nname: X\nextends: hearts\ndefine: {a: '1 = = 2', b: '&'}\n"
    (inside / "unread.yaml").write_text(unread, "utf-8")
    for _ in range(2):  # the first time things are imported, and caches are filled
        problems = [line for file in ("turns.yaml", "steps-scenario.yaml") for line in put_through(inside / file)]
        bad = [["validate", str(inside / name)] for name in ("bad.yaml", "unread.yaml")]
        for arguments in (*bad, ["play", "--help"], ["play"], ["show", "x"], _NEW):
            commands.run(arguments)
    assert not problems, "\n".join(problems)[:5_000]
    return inside


def tried(host: Host, given: Given, folder: Path) -> tuple[list[str], Given]:
    """What is wrong with the answers to a document with payloads in some places, and those that it takes."""
    wrong: list[str] = []
    taken: Given = {}
    for layer in layers({spot: payload for spot, payload in given.items() if not payload.raw}):
        taken |= _tried_together(host, _not_refused_alone(host, layer, folder, wrong), folder, wrong)
    for spot, payload in given.items():
        if payload.raw:  # it may break the whole file
            taken |= _tried_together(host, {spot: payload}, folder, wrong)
    return wrong, taken


def _not_refused_alone(host: Host, given: Given, folder: Path, wrong: list[str]) -> Given:
    """Those that are left when the places that cost a search before have been tried by themselves."""
    return {
        spot: payload
        for spot, payload in given.items()
        if spot not in _searched or not _errors(_validated(host, {spot: payload}, folder, wrong)[0])
    }


def _errors(found: list[Diagnostic] | None) -> set[int | None]:
    """The lines of errors; of what broke, one that is none."""
    return {None} if found is None else {d.line for d in found if d.severity == "error"}


def _tried_together(host: Host, given: Given, folder: Path, wrong: list[str]) -> Given:
    """Places where a payload is refused give it up, until nothing is refused; with the others everything is done."""
    standing, alone = dict(given), Given()
    while standing:
        found, lines = _validated(host, standing, folder, wrong)
        in_games = not _errors(found)
        if in_games:
            found, lines = _validated(host, standing, folder, wrong, in_games)
        if found is None:
            return {}
        errors = _errors(found)
        if not errors:
            wrong += put_through(_file(host, folder), "\n".join(payload.text for payload in standing.values()))
            break
        refused = [spot for spot in standing if lines.get(spot) in errors]
        if not refused and len(standing) > 1:
            refused = [_culprit(host, standing, folder, wrong, in_games)]
            alone[refused[0]] = standing[refused[0]]
        for spot in refused or list(standing):
            del standing[spot]
    for spot, payload in alone.items():
        standing |= _tried_together(host, {spot: payload}, folder, wrong)
    return standing


def _culprit(host: Host, standing: Given, folder: Path, wrong: list[str], in_games: bool) -> Spot:
    """Whose payload causes an error somewhere else: with all before it there is none, with it there is one."""
    spots = sorted(standing, key=lambda spot: (spot.place.kind != "value", not spot.place.free))
    low, high = 0, len(spots)
    while low + 1 < high:
        middle = (low + high) // 2
        found, lines = _validated(host, {spot: standing[spot] for spot in spots[:middle]}, folder, wrong, in_games)
        errors = _errors(found)
        if errors and not errors & set(lines.values()):
            high = middle
        else:
            low = middle
    _searched.add(spots[high - 1])
    return spots[high - 1]


def _file(host: Host, folder: Path) -> Path:
    return folder / ("ruleset.yaml" if host.kind == "ruleset" else "scenario.yaml")


def _validated(
    host: Host, given: Given, folder: Path, wrong: list[str], in_games: bool = False
) -> tuple[list[Diagnostic] | None, dict[Spot, int]]:
    """What is found in a document, None if it breaks something, and the lines of its payloads.

    in_games: in the games of its variants, and not in itself.
    """
    text, lines = written(filled(host, given))
    path = _file(host, folder)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    found: list[Diagnostic] | None = None
    before = len(wrong)
    try:
        with watched(SECONDS, (folder,)) as noted:
            found = _in_games(path, host.kind) if in_games else _findings(path, host.kind)
            told = cli_rendered(found)
        wrong += noted
        wrong += outputs.wrong_text(told, text)
    except Hang:
        wrong.append(f"no answer after {SECONDS:.0f} seconds")
    except Exception:
        wrong.append(traceback.format_exc())
    wrong[before:] = [f"validate: {line}" for line in wrong[before:]]
    return found, lines


def cli_rendered(found: list[Diagnostic]) -> str:
    from interpreter.interfaces.cli import rendered

    return rendered(found)


def _findings(path: Path, kind: str) -> list[Diagnostic]:
    """The errors of a file, or of the rulesets in its scenarios."""
    if kind == "ruleset":
        return interpreter.validate(path)
    try:
        for scenario in load_scenarios(path):
            if isinstance(scenario.source()[0], Mapping):
                interpreter.load(*scenario.source())
        return []
    except interpreter.RulesetError as error:
        return error.diagnostics


def _in_games(path: Path, kind: str) -> list[Diagnostic]:
    """The errors of the games that the variants of a ruleset make."""
    if kind == "scenario":
        return []
    try:
        loaded = interpreter.load(path)
        for name in loaded.variants:
            with suppress(interpreter.OptionError):
                loaded.game(variants=(name,))
        return []
    except interpreter.RulesetError as error:
        return error.diagnostics


def problems() -> dict[str, set[str]]:
    """The codes of the errors in documents without payloads, by the names of those that have any."""
    folder = prepare(scratch())
    found = {}
    for host in (*hosts("ruleset"), *hosts("scenario")):
        wrong: list[str] = []
        diagnostics, _ = _validated(host, {}, folder, wrong)
        codes = {d.code for d in diagnostics or () if d.severity == "error"} | set(wrong)
        if codes:
            found[host.name] = codes
    return found


def put_through(path: Path, given: str = "") -> list[str]:
    """What is wrong with what every command makes of a file that has no errors."""
    wrong: list[str] = []
    shutil.rmtree(path.parent / "records", ignore_errors=True)
    (path.parent / "records").mkdir()
    try:
        with watched(SECONDS, (path.parent,), (path.parent / "records",)) as noted:
            if "scenario" in path.name:
                wrong += _told(["test", "--verbose", str(path)], given)
            else:
                wrong += _ruleset(path, given)
        wrong += noted
    except Hang:
        wrong.append(f"no answer after {SECONDS:.0f} seconds")
    except Exception:
        wrong.append(traceback.format_exc())
    return wrong


def _told(arguments: list[str], given: str, typed: str = "", colours: bool = False) -> list[str]:
    """What is wrong with the answer to a command."""
    answer = commands.run(arguments, typed, colours)
    wrong = commands.wrong(answer, given, colours)
    if not wrong and ": error E" in answer.err and "-v" not in arguments:
        wrong.append(f"an error that validate did not find: {answer.err[:600]}")
    if arguments[0] == "compile" and answer.code == 0:
        wrong += outputs.wrong_program(answer.out)
    if "html" in arguments:
        wrong += outputs.wrong_html(answer.out)
    if "markdown" in arguments:
        wrong += outputs.wrong_markdown(answer.out)
    return [f"{' '.join(arguments[:1] + arguments[2:])}: {line}" for line in wrong]


def _ruleset(path: Path, given: str) -> list[str]:
    """Everything with a ruleset, and the rulebook and a match of each variant."""
    variants = _variants(str(path))
    runs = [*_variant(str(path), variants)] if "patch_v" in variants and len(variants) == 1 else _whole(path, variants)
    wrong = [line for arguments in runs for line in _told(arguments, given)]
    records = path.parent / "records"
    if (records / "honor.jsonl").exists():
        wrong += _told(["replay", str(records / "honor.jsonl")], given, colours=True)
    typed = "\n".join(["1", "rules", *[line for line in given.split("\n") if line][:60], "1", "2", "?", "quit"])
    wrong += _told(["play", str(path), "--seed", "3"], given, typed)
    scenario = records / "made-scenario.yaml"
    steps = "[play on: 5, save: true, play on: 5]"
    scenario.write_text(f"game: ../{path.name}\nname: it goes on\nsteps: {steps}\n", "utf-8")
    return wrong + _told(["test", str(scenario)], given)


def _whole(path: Path, variants: list[str]) -> Iterator[list[str]]:
    file, clean, records = str(path), str(path.parent / _CLEAN), path.parent / "records"
    yield from (["show", file], ["compile", file], ["compile", file, "--honor"])
    yield from (["explain", file, *rest] for rest in ([], ["--format", "markdown"], ["--format", "html", "--honor"]))
    yield from (["diff", clean, file], ["diff", file, clean, "--honor"])
    yield from (["simulate", file, *_SHORT], ["simulate", file, "--honor", *_CHANCES, *_SHORT])
    bots = ["--bots", "all", "--seed", "2", "--record"]
    yield from (["play", file, *bots, str(records / "strict.jsonl")], ["replay", str(records / "strict.jsonl")])
    yield ["play", file, "--honor", *_CHANCES, *bots, str(records / "honor.jsonl")]
    yield from _variant(file, variants)


def _variant(file: str, variants: list[str]) -> Iterator[list[str]]:
    for name in variants:
        yield ["explain", file, "-v", name, "--format", "markdown"]
        yield ["simulate", file, "-v", name, *_SHORT]


def _variants(file: str) -> list[str]:
    from interpreter.api.game import load

    return list(load(file).variants)
