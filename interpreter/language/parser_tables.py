"""The tables of the parser: worked out from grammar/effects.lark once, and kept beside it as plain data.

Working them out takes longer than anything else at the start of a command. What is kept is Lark's own form of a
parser, its rows packed; nothing in it is code, and nothing is kept in folders that others may write to. Whoever changes
the grammar says `python -m interpreter.language.parser_tables`; a test fails until that is done.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from interpreter.base.resources import find

if TYPE_CHECKING:
    from lark import Lark

GRAMMAR = "grammar/effects.lark"
KEPT = "grammar/effects.tables.json"
STARTS = ["effect", "expr", "range", "players_where"]

_OPTIONS = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": STARTS,
    "propagate_positions": True,
    "maybe_placeholders": True,
}


def kept() -> dict[str, Any] | None:
    """The kept tables; None where they are those of another grammar: somebody works on it."""
    try:
        tables: dict[str, Any] = msgspec.json.decode(find(KEPT).read_bytes())
    except FileNotFoundError:
        return None
    return tables if tables["grammar"] == _digest(find(GRAMMAR).read_bytes()) else None


def parser() -> Lark:
    """Lark's parser of the effect language: from the kept tables, or from the grammar where they are no good."""
    import lark

    tables = kept()
    if tables is None or tables["lark"] != _form(lark.__version__):
        return _made(find(GRAMMAR).read_bytes())
    return _unpacked(tables)


def worked_out() -> str:
    """The tables as the grammar gives them now, as the text of the file that keeps them."""
    import lark

    grammar = find(GRAMMAR).read_bytes()
    made_of = {"lark": _form(lark.__version__), "grammar": _digest(grammar)}
    packed = {**made_of, **_packed(_made(grammar))}
    rows = {
        key: "[\n" + ",\n".join(_line(item) for item in part) + "\n]" if key in ("memo", "states") else _line(part)
        for key, part in packed.items()
    }
    return "{\n" + ",\n".join(f"{_line(key)}: {row}" for key, row in rows.items()) + "\n}\n"


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _digest(grammar: bytes) -> str:
    return sha256(grammar).hexdigest()


def _form(version: str) -> str:
    """The versions of Lark that have one form of a parser: 1.2.x."""
    return ".".join(version.split(".")[:2])


def _made(grammar: bytes) -> Lark:
    from lark import Lark

    return Lark(grammar.decode("utf-8"), **_OPTIONS)


# ---- packing ----------------------------------------------------------------------------------------
#
# A state is a mapping from tokens to what is done at them: (0, the next state) or (1, {"@": what rule is complete}).
# It is kept as one list: token, state, token, state ... with -1 - rule in place of a state for a rule.


def _packed(made: Lark) -> dict[str, Any]:
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = made.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    tokens = table["tokens"]
    states = {
        state: sorted(
            (tokens[token], argument if action == 0 else -1 - argument["@"])
            for token, (action, argument) in row.items()
        )
        for state, row in table["states"].items()
    }
    order = _walked(states, [table["start_states"][start] for start in STARTS])
    number = {state: n for n, state in enumerate(order)}
    names = sorted(tokens.values())
    return {
        "memo": [memo[n] for n in range(len(memo))],
        "rules": [rule["@"] for rule in data["rules"]],
        "terminals": [terminal["@"] for terminal in data["parser"]["lexer_conf"]["terminals"]],
        "ignore": data["parser"]["lexer_conf"]["ignore"],
        "tokens": names,
        "starts": [number[table["start_states"][start]] for start in STARTS],
        "ends": [number[table["end_states"][start]] for start in STARTS],
        "states": [
            [part for name, to in states[state] for part in (names.index(name), to if to < 0 else number[to])]
            for state in order
        ],
    }


def _walked(states: dict[int, list[tuple[str, int]]], starts: list[int]) -> list[int]:
    """The states in an order that does not depend on Lark's: as one comes to them from the starts."""
    order = list(dict.fromkeys(starts))
    known = set(order)
    for state in order:
        for _, to in states[state]:
            if to >= 0 and to not in known:
                known.add(to)
                order.append(to)
    return order


def _unpacked(kept: dict[str, Any]) -> Lark:
    from lark import Lark

    tokens = kept["tokens"]
    states = {
        n: {token: (0, to) if to >= 0 else (1, {"@": -1 - to}) for token, to in zip(row[::2], row[1::2], strict=True)}
        for n, row in enumerate(kept["states"])
    }
    rules = [{"@": n} for n in kept["rules"]]
    data = {
        "options": dict(_OPTIONS),
        "rules": rules,
        "parser": {
            "lexer_conf": {
                "terminals": [{"@": n} for n in kept["terminals"]],
                "ignore": kept["ignore"],
                "g_regex_flags": 0,
                "use_bytes": False,
                "lexer_type": "contextual",
            },
            "parser_conf": {"rules": rules, "start": STARTS, "parser_type": "lalr"},
            "parser": {
                "tokens": dict(enumerate(tokens)),
                "states": states,
                "start_states": dict(zip(STARTS, kept["starts"], strict=True)),
                "end_states": dict(zip(STARTS, kept["ends"], strict=True)),
            },
        },
    }
    made: Lark = Lark.load({"data": data, "memo": dict(enumerate(kept["memo"]))})  # a mapping is no pickle
    return made


if __name__ == "__main__":
    path: Path = find(GRAMMAR).with_name(Path(KEPT).name)
    path.write_text(worked_out(), encoding="utf-8")
    print(f"{path} is written")
