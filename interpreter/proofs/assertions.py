"""What scenarios expect of a position: zones, variables, definitions, pieces and words of the table.

Whatever does not hold raises `Mismatch` with what was expected and what was found, at the place that says it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter.api.game import State
from interpreter.base.diagnostics import Span, suggest
from interpreter.engine.arranging import Family, key_of
from interpreter.engine.notation import key_text
from interpreter.engine.packets import as_tuple, bits
from interpreter.engine.pieces import ON_TABLE
from interpreter.engine.program import Program, VariableCode, ZoneCode
from interpreter.engine.view import plain
from interpreter.language.source import Listing, Node, Scalar, to_plain
from interpreter.language.source import Mapping as MappingNode

TABLE_WORDS = (
    "phase", "actors", "current", "dealer", "direction", "scores", "winners", "places", "over", "trick number",
    "leader", "led", "tricks", "faults", "up",
)  # fmt: skip


class Mismatch(Exception):
    """A check failed. span: the place that says what was expected, or None for the whole step."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.message = message
        self.span = span
        super().__init__(message)


def _unlike(what: str, expected: Any, found: Any, span: Span | None) -> Mismatch:
    return Mismatch(f"{what}\n  expected: {shown(expected)}\n  found:    {shown(found)}", span)


def expect(state: State, node: Node) -> None:
    """Zones, variables, definitions, pieces and words of the table, each compared as far as it is said."""
    assert isinstance(node, MappingNode)
    program = state.game.program
    zones = {zone.name: zone for zone in program.zones}
    for name, value in node.entries.items():
        span = node.keys[name]
        if name in zones:
            _expect_zone(state, zones[name], value, span)
        elif name in program.tokens:
            compare(name, to_plain(value), _pieces(state, name, to_plain(value)), span)
        elif name in program.variables:
            _expect_variable(state, program.variables[name], value, span)
        elif name in program.asked:
            found = _unordered(program.asked[name][2], state.value(name))
            wanted = to_plain(value)
            if program.asked[name][0] and not isinstance(wanted, dict):  # one value for all
                wanted = dict.fromkeys(found, wanted)
            compare(name, wanted, found, span)
        else:
            compare(name, to_plain(value), _table_word(state, name, span), span)


def _expect_zone(state: State, zone: ZoneCode, node: Node, span: Span) -> None:
    for place, wanted, what in _spread(state.game.program, zone, node, zone.name, span):
        if isinstance(wanted, MappingNode):
            raise Mismatch(f"{what} is one place; say its cards", span)
        _compare_cards(state.game.program, what, wanted, as_tuple(state.position.z[place]), zone.kept == "list", span)


def _compare_cards(program: Program, what: str, node: Node, kept: Sequence[int], ordered: bool, span: Span) -> None:
    """A number counts the cards; a list or text names them, top first where their order is kept."""
    at = node.span if isinstance(node, Scalar) else span
    value = to_plain(node)
    if type(value) is int:
        if value != len(kept):
            raise _unlike(f"the number of cards in {what}", value, len(kept), at)
        return
    names = value.replace(",", " ").split() if isinstance(value, str) else plain_list(node)
    wanted = []
    for name in names:
        card = program.by_name.get(str(name).upper())
        if card is None:
            raise Mismatch(f"{what}: there is no card '{name}' in the pack", at)
        wanted.append(program.cards[card])
    found = [program.cards[card] for card in in_order(program, kept, ordered)]
    if (wanted != found) if ordered else (Counter(wanted) != Counter(found)):
        if ordered and Counter(wanted) == Counter(found):
            what += ", where the order counts"
        raise _unlike(what, wanted, found, at)


def _expect_variable(state: State, code: VariableCode, node: Node, span: Span) -> None:
    one_each = len(code.dims) == 1 and code.kind.partition(" ")[0] not in ("set", "list")
    if isinstance(node, Listing) and one_each and len(node.items) == code.size:
        for at, item in enumerate(node.items):  # one value for each player
            key = key_text(state.game.program, code.dims[0], code.keys[at][0])
            found = plain(state.position, code.kind, state.position.v[code.base + at])
            compare(f"{code.name} of {key}", to_plain(item), found, span)
        return
    for slot, wanted, what in _spread(state.game.program, code, node, code.name, span):
        found = _unordered(code.kind, plain(state.position, code.kind, state.position.v[slot]))
        compare(what, to_plain(wanted), found, span)


def _unordered(kind: str, value: Any) -> Any:
    """Sets have no order, lists have one."""
    if not kind.startswith("set"):
        return value
    return {key: frozenset(one) for key, one in value.items()} if isinstance(value, dict) else frozenset(value)


def _spread(program: Program, family: Family, node: Node, name: str, span: Span) -> Iterator[tuple[int, Node, str]]:
    """The places or slots that something is expected of; a value that names no key holds for all."""

    def walk(node: Node, keys: tuple[int, ...], what: str) -> Iterator[tuple[int, Node, str]]:
        depth = len(keys)
        if depth < len(family.dims) and isinstance(node, MappingNode):
            for key, inner in node.entries.items():
                index = key_of(program, family.dims[depth], key)
                if index is None:
                    raise Mismatch(f"{what}: there is none of '{key}'", node.keys[key])
                yield from walk(inner, (*keys, index), f"{what} of {key}" if not depth else f"{what}, {key}")
            return
        places = [i for i, k in enumerate(family.keys or ((),)) if k[:depth] == keys]
        if not places:
            raise Mismatch(f"{what}: there is no such place", span)
        for place in places:
            left = zip(family.dims[depth:], family.keys[place][depth:], strict=True)
            rest = ", ".join(key_text(program, dim, key) for dim, key in left)
            yield family.base + place, node, f"{what} of {rest}" if rest else what

    yield from walk(node, (), name)


def _pieces(state: State, name: str, wanted: Any) -> dict[str, Any]:
    """Who holds how many pieces, or which, as it is asked."""
    holders = state.position.tokens[name]
    asked = wanted if isinstance(wanted, dict) else {"table": wanted}
    found: dict[str, Any] = {}
    for holder in ("table", *(f"P{p + 1}" for p in range(state.game.program.n))):
        who = ON_TABLE if holder == "table" else int(holder[1:]) - 1
        numbers = [i + 1 for i, h in enumerate(holders) if h == who]
        found[holder] = numbers if isinstance(asked.get(holder), list) else len(numbers)
    return found if isinstance(wanted, dict) else found["table"]


def _table_word(state: State, name: str, span: Span) -> Any:
    program = state.game.program
    people = [f"P{p + 1}" for p in range(program.n)]
    match name:
        case "phase" | "over":
            return getattr(state, name)
        case "actors" | "winners":
            return {people[p] for p in getattr(state, name)}
        case "current" | "dealer" | "leader":
            player = getattr(state.position, name)
            return None if player is None else people[player]
        case "direction":
            return "left" if state.position.direction == 1 else "right"
        case "scores" | "places":
            return dict(zip(people, getattr(state, name), strict=False))
        case "tricks":
            return dict(zip(people, state.position.tricks, strict=False))
        case "trick number":
            return state.position.trick_number
        case "led":
            return plain(state.position, "suit", state.position.led)
        case "faults":
            return [{"law": f.law, "player": people[f.offender]} for f in state.position.faults if not f.paid_at]
        case "up":
            return {program.cards[card] for card in bits(state.position.up)}
    stage = name.removeprefix("number of ")
    if stage != name and stage in program.by_stage:
        return state.position.runs[program.by_stage[stage]]
    known = [*TABLE_WORDS, *(z.name for z in program.zones), *program.variables, *program.tokens, *program.asked]
    raise Mismatch(f"there is nothing called '{name}' to expect something of ({suggest(name, known)})", span)


def compare(what: str, wanted: Any, found: Any, span: Span) -> None:
    """Mappings need say only a part, sets have no order, one value may stand for a list of one."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if str(key) not in found:
                raise Mismatch(f"{what}: there is none of '{key}' ({_known(str(key), found)})", span)
            compare(f"{what} of {key}", value, found[str(key)], span)
        return
    if isinstance(wanted, list) and isinstance(found, dict):  # scores and the like, one for each player
        found = list(found.values())
    if what == "faults" and isinstance(wanted, dict):
        by_player = {key: [f["law"] for f in found if f["player"] == key] for key in wanted}
        compare("faults ", {k: v if isinstance(v, list) else [v] for k, v in wanted.items()}, by_player, span)
        return
    if not _equal(wanted, found):
        raise _unlike(what, wanted, found, span)


def _known(key: str, found: Mapping[str, Any]) -> str:
    """A hint for a key that is not there; where it is the first of two, as `T1` is in `T1 11`, all that begin so."""
    longer = [name for name in found if name.startswith(f"{key} ")]
    return suggest("", longer) if longer else suggest(key, found)


def _equal(wanted: Any, found: Any) -> bool:
    if isinstance(found, (set, frozenset)):
        items = wanted if isinstance(wanted, list) else [] if wanted in (None, "none", 0) else [wanted]
        return {_word(item) for item in items} == {_word(item) for item in found}
    if isinstance(found, (list, tuple)):
        items = wanted if isinstance(wanted, list) else [wanted]
        return len(items) == len(found) and all(map(_equal, items, found))
    if isinstance(found, dict):
        return isinstance(wanted, dict) and all(k in found and _equal(v, found[k]) for k, v in wanted.items())
    if type(wanted) is int and isinstance(found, str):  # a rank such as 8
        wanted = str(wanted)
    same: bool = _word(wanted) == _word(found)
    return same


def _word(value: Any) -> Any:
    """Numbers and conditions as they are, words without regard to case."""
    if value is None:
        return "none"
    return value if isinstance(value, (bool, int)) else str(value).strip().lower()


# ---- words --------------------------------------------------------------------------------------------


def shown(value: Any) -> str:
    """A value in the look of a scenario."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (set, frozenset)):
        value = sorted(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(shown, value)) + "]" if value else "nothing"
    return str(value)


def in_order(program: Program, kept: Sequence[int], ordered: bool) -> Sequence[int]:
    """Top first where the order counts, else by suit."""
    if ordered:
        return kept[::-1]
    return sorted(kept, key=lambda card: (program.card_suit[card] or 0, program.card_rank[card] or 0))


def plain_list(node: Node) -> list[Any]:
    value = to_plain(node)
    return value if isinstance(value, list) else str(value).replace(",", " ").split()
