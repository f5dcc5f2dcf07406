"""Payloads in records, saved states, moves, options and positions: what comes from files, sockets and command lines."""

from __future__ import annotations

import copy
import json
import os
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from guarding import Hang, watched

import interpreter
from interpreter.api.random_play import play_randomly
from interpreter.api.recording import dump, link
from interpreter.engine.chance import Dice
from payloads import commands, outputs
from payloads.payloads import Payload
from payloads.places import Steps
from payloads.trying import SECONDS

Input = Callable[[str], Any]
_ANSWERS = (ValueError, KeyError, interpreter.RulesetError, interpreter.RuleError)
"""All other errors are ValueErrors; a KeyError is for the name of a zone or a variable that is not there."""


@cache
def _match(folder: Path, honor: bool = True) -> Any:
    """A match in which everything that a record can hold has been said."""
    ruleset = interpreter.load(folder / "turns.yaml")
    game = ruleset.game(2, {"goal_o": 40}, ("brief_v",), "honor" if honor else "strict")
    chance = {"random": ["hearts"], "shuffle": {"deal_f": ["8H", "9H"]}, "first dealer": ["P1"]}
    state = game.start(seed=5, chance=chance)
    play_randomly(state.position, Dice(6), 25)
    return state


@cache
def _position(folder: Path) -> Any:
    """A match that began in the middle, with times."""
    hands = {"P1": ["8H"], "P2": ["9S"]}
    given = {"at": "laying_f", "current": "P1", "hand": hands, "phrase_s": "Hello", "rest": "stock_z"}
    state = _match(folder).game.start(seed=5, given=given)
    state.play(0, state.legal_moves(0)[0], 10, 20)
    return state


def record_places(folder: Path) -> list[tuple[str, int, Steps, str]]:
    """Every text and key of two records: which record, which line, the way there, "value" or "key"."""
    found: dict[tuple[str, str], tuple[str, int, Steps, str]] = {}
    for name, state in (("match", _match(folder)), ("position", _position(folder))):
        for number, body in enumerate(_bodies(state)):
            for steps, kind in _texts(body, ()):
                shape = ".".join("" if isinstance(step, int) else step for step in steps)
                found.setdefault(("header" if number == 0 else "move", shape + kind), (name, number, steps, kind))
    return list(found.values())


def _bodies(state: Any) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in state.record().splitlines()]
    for line in lines:
        del line["h"]
    return lines


def _texts(node: Any, steps: Steps) -> Iterator[tuple[Steps, str]]:
    if isinstance(node, dict):
        yield steps, "key"
    if not isinstance(node, dict | list):
        yield steps, "value"  # a text in place of a number, too
        return
    for step, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield from _texts(value, (*steps, step))


def _changed(body: Any, steps: Steps, kind: str, text: str) -> Any:
    body = copy.deepcopy(body)
    around = body
    for step in steps[:-1]:
        around = around[step]
    if kind == "value":
        around[steps[-1]] = text
        return body
    mapping = around[steps[-1]] if steps else body
    mapping[text] = 1
    return body


def _sealed(bodies: list[dict[str, Any]]) -> str:
    """A record that nobody can tell from one that was written by the program."""
    chain, lines = "", []
    for body in bodies:
        text = dump(body)
        chain = link(chain, text)
        lines.append(f'{text[:-1]},"h":"{chain}"}}\n')
    return "".join(lines)


def try_records(payload: Payload, folder: Path) -> list[str]:
    """A payload in every place of a record, which is replayed and gone on with."""
    return [line for place in record_places(folder) for line in _try_record(payload, folder, *place)]


def _try_record(payload: Payload, folder: Path, name: str, number: int, steps: Steps, kind: str) -> list[str]:
    bodies = _bodies(_match(folder) if name == "match" else _position(folder))
    bodies[number] = _changed(bodies[number], steps, kind, payload.text)
    path = folder / "records" / "forged.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(_sealed(bodies).encode("utf-8", "surrogatepass"))
    where = f"a record with {ascii(payload.text)[:80]} at {steps} of line {number} ({kind})"
    return [f"{where}: {one}" for one in _guarded(lambda: _told(path, payload.text), folder)]


def _told(path: Path, given: str) -> list[str]:
    wrong = commands.wrong(commands.run(["replay", str(path)]), given)
    return wrong + commands.wrong(commands.run(["play", "--resume", str(path), "--humans", "1"], "1\nquit\n"), given)


FILES = {"a ruleset", "a ruleset to load", "an overlay"}
"""The inputs that are names of files, which are read as they are asked for."""


def inputs(folder: Path) -> dict[str, Input]:
    """What takes a text from outside, by name."""
    state = _match(folder)
    game, ruleset = state.game, state.game.ruleset
    saved = json.loads(state.to_json())
    player = state.actors[0]
    card = str(state.zone("hand", player)[0])
    found: dict[str, Input] = {
        "a move": lambda text: state.copy().play(player, text),
        "a move read": lambda text: state.parse(player, text),
        "what is said": lambda text: state.copy().play(player, f'lay_a {card} "{text}"'),
        "a claim": lambda text: state.copy().play(1 - player, f"razz_n P{player + 1} {text}"),
        "a claim against": lambda text: state.copy().play(1 - player, f"razz_n {text}"),
        "an argument": lambda text: state.copy().play(player, f"lay_a {text}"),
        "a measure": lambda text: state.copy().play(player, "tell_a 7 0", **{text: 1}),
        "a name of an option": lambda text: ruleset.game(options={text: 1}),
        "a value in a list": lambda text: ruleset.game(options={"list_o": [text]}).playouts(1, 1, limit=10),
        "a variant": lambda text: ruleset.game(variants=(text,)),
        "the enforcement": lambda text: ruleset.game(enforcement=text),
        "a deck": lambda text: game.start(deck=[text]),
        "a place of chance": lambda text: game.start(chance={text: ["8H"]}),
        "an outcome of chance": lambda text: game.start(chance={"random": [text], "draw": [text]}),
        "a shuffle": lambda text: game.start(chance={"shuffle": {text: [text]}}),
        "the stage of a position": lambda text: game.start(given={"at": text}),
        "a name in a position": lambda text: game.start(given={"at": "laying_f", text: text}),
        "a card in a position": lambda text: game.start(given={"at": "laying_f", "hand": {"P1": [text]}}),
        "a text in a position": lambda text: game.start(given={"at": "laying_f", "phrase_s": text}).view(0),
        "a player in a position": lambda text: game.start(given={"at": "laying_f", "hand": {text: ["8H"]}}),
        "a saved state": lambda text: game.restore(text),
        "a record": lambda text: interpreter.replay(text),
        "a zone": lambda text: state.zone(text),
        "a variable": lambda text: state.value(text),
        "a ruleset": lambda text: interpreter.validate(text),
        "a ruleset to load": lambda text: interpreter.load(text),
        "an overlay": lambda text: interpreter.validate(folder / "turns.yaml", [text]),
    }
    for option in ruleset.options:
        found[f"the option {option}"] = _option(ruleset, option)
    for key in saved:
        found[f"{key} of a saved state"] = _restored(game, saved, key)
    return found


def _option(ruleset: Any, option: str) -> Input:
    return lambda text: ruleset.game(options={option: text}).playouts(1, 1, limit=20)


def _restored(game: Any, saved: dict[str, Any], key: str) -> Input:
    return lambda text: game.restore(json.dumps({**saved, key: text}))


def try_inputs(payload: Payload, folder: Path) -> list[str]:
    """A payload as whatever comes from outside, from Python and on the command line."""
    return [*_from_python(payload, folder), *_from_command_line(payload, folder)]


def _from_python(payload: Payload, folder: Path) -> list[str]:
    wrong = []
    for name, take in inputs(folder).items():
        named = payload.text if name in FILES else ""
        told = _guarded(lambda take=take: _answered(take, payload.text), folder, named)  # type: ignore[misc]
        wrong += [f"{ascii(payload.text)[:80]} as {name}: {one}" for one in told]
    return wrong


def _from_command_line(payload: Payload, folder: Path) -> list[str]:
    wrong = []
    file, text = str(folder / "turns.yaml"), payload.text.replace("\0", "").encode("utf-8", "replace").decode()
    for arguments in (
        ["compile", file, "-o", f"cry_o={text}"], ["compile", file, "-o", f"{text}=1"], ["show", file, "-v", text],
        ["explain", file, "-v", text], ["simulate", file, "--games", "1", "--limit", "9", "-o", f"list_o=[{text}]"],
        ["validate", text], ["show", text], ["show", file, "--with", text], ["replay", text], ["test", text or "x"],
        ["diff", file, text], ["new", text, "--extends", "nothing"],
    ):  # fmt: skip
        named = text if text in arguments and "-v" not in arguments else ""
        told = _guarded(lambda arguments=arguments: commands.wrong(commands.run(arguments), text), folder, named)  # type: ignore[misc]
        wrong += [f"{' '.join(arguments)[:200]!a}: {one}" for one in told]
    return wrong


def _answered(take: Input, text: str) -> list[str]:
    """What is wrong with the answer: it is a result, or an error in words."""
    try:
        answer = take(text)
    except _ANSWERS as error:
        if isinstance(error, UnicodeError | json.JSONDecodeError):
            return [f"{type(error).__name__}: {error}"]
        return []
    return outputs.wrong_text(json.dumps(answer, default=lambda _: ""), text)


def _guarded(deed: Callable[[], list[str]], folder: Path, named: str = "") -> list[str]:
    """What is wrong with a deed, which touches nothing but what it may. named: a file that the user names."""
    readable = (folder, Path(named)) if os.path.isabs(named) else (folder,)
    try:
        with watched(SECONDS, readable, (folder / "records",)) as noted:
            wrong = deed()
        return wrong + noted
    except Hang:
        return [f"no answer after {SECONDS:.0f} seconds"]
    except Exception:
        return [traceback.format_exc()]
