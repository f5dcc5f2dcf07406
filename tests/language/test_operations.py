"""Every operation has one row, which checker, compiler and rulebook read, and its Python."""

from __future__ import annotations

import ast
import re
from typing import get_args

import pytest
from where import ROOT

import interpreter
from interpreter.base.diagnostics import Span
from interpreter.compiler import constant
from interpreter.compiler.constant import Settled
from interpreter.compiler.core.library_types import LIBRARY
from interpreter.compiler.core.types import Maybe
from interpreter.compiler.lower.operations import OPS
from interpreter.compiler.plain import OF_LIBRARY
from interpreter.engine.library import HELPERS
from interpreter.language import typed as t
from interpreter.language.check.functions import SPECIAL
from interpreter.language.check.hidden_values import ANYONE, ANYTHING, HiddenValues
from interpreter.language.check.hiding import lying_in
from interpreter.language.check.openness import is_open
from interpreter.language.operations import (
    FUNCTIONS,
    OF_WHAT_IT_IS_GIVEN,
    OPERATIONS,
    TAKE_ONE,
    TAKE_SOME,
    Asks,
    Operation,
)
from interpreter.language.typed import Type

NOWHERE = Span("", 1, 1, 1, 1)
HIDDEN = """\
format: 1
id: hidden
name: Hidden
players: {min: 2, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: none}, table: {seen by: none}}
state: {score: {each: player, type: integer, lasts: match, seen by: none}}
flow:
  match: {first dealer: P1, do: [maybe, round], winners: highest score}
  maybe: {when: score of P1 > 3, effect: set score of P1 to 0}
  round: {kind: trick, leader: P1, to: table, actions: {play: {}, boast: {when: score of actor > 0}}}
"""
NAMED = {"lowest": "score", "highest": "score", "can": "round.boast", "number of": "maybe"}
"""What operations name that are about something of the ruleset."""
REFERENCE = (ROOT / "grammar/README.md").read_text(encoding="utf-8")


def test_every_operation_has_its_python() -> None:
    assert OPS.keys() == OPERATIONS.keys()


def test_what_the_library_does_is_there() -> None:
    named = [row.library for row in OPERATIONS.values() if row.library]
    assert named and all(name in HELPERS for name in named)


def test_no_word_has_two_meanings() -> None:
    assert not FUNCTIONS.keys() & SPECIAL.keys()


@pytest.mark.parametrize("operation", FUNCTIONS.values(), ids=lambda operation: operation.word)
def test_what_has_a_word_says_what_it_takes_and_gives(operation: Operation) -> None:
    assert operation.given
    assert operation.gives.kind != "unknown"
    assert operation.test or operation.says.count("{") == len(operation.given)
    behind = r"( of\b|\()" if " " not in operation.word else " [a-zA-Z]"
    assert re.search(rf"\b{operation.word}{behind}", REFERENCE), f"the reference has no `{operation.word} of`"


@pytest.mark.parametrize("row", [row for row in OPERATIONS.values() if row.library], ids=lambda row: row.name)
def test_a_function_of_the_library_says_what_it_goes_through_and_whether_it_may_be_none(row: Operation) -> None:
    assert row.lists or not any(kind.kind in ("set", "list") for kind in row.given), "say 'lists=True'"
    given = LIBRARY[row.library].gives
    assert isinstance(given, Maybe) or callable(given) or not row.gives.optional, "say 'Maybe' in library_types"


def test_what_takes_or_gives_ranks_is_worked_out_in_play_where_a_function_of_the_library_does_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before play ranks are names, and "10" comes before "9"."""
    monkeypatch.setitem(OF_LIBRARY, "count", "len")
    settled = Settled({}, 2, ranks=("9", "10"))
    ranks = tuple(t.Const(rank, t.RANK, NOWHERE) for rank in ("9", "10"))
    group = t.Op("group", ranks, Type("set", item=t.RANK), NOWHERE)
    with pytest.raises(constant.NotConstant):
        settled.constant(t.Op("count", (group,), t.INTEGER, NOWHERE))
    with pytest.raises(constant.NotConstant):
        settled.constant(t.Op("count", ranks[:1], t.INTEGER, NOWHERE))
    assert (
        settled.constant(
            t.Op("start", (t.Const(1, t.INTEGER, NOWHERE), t.Const("ab", t.TEXT, NOWHERE)), t.TEXT, NOWHERE)
        )
        == "a"
    )


def test_every_operation_says_what_it_asks_of() -> None:
    """Nothing is taken to be known to everybody because nobody thought of it."""
    with pytest.raises(TypeError, match="asks"):
        Operation("new")  # type: ignore[call-arg]
    assert {row.asks for row in OPERATIONS.values()} == {*get_args(Asks)}


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> interpreter.Ruleset:
    path = tmp_path_factory.mktemp("hidden") / "hidden.yaml"
    path.write_text(HIDDEN, encoding="utf-8")
    return interpreter.load(path)


def asked_of(name: str) -> t.Op:
    """An operation that is given what everybody knows: a number, a player, a card or a team."""
    row = OPERATIONS.get(name)
    values = {"integer": 1, "player": "P1", "card": "QS", "suit": "spades", "rank": "Q", "team": 0, "text": "a"}
    kinds = (row.given if row is not None else ()) or (t.CARD, t.PLAYER)[: 2 if name == "void" else 1]
    args = tuple(t.Const(values.get(kind.kind, ()), kind, NOWHERE) for kind in kinds)
    return t.Op(
        name, () if name in ("lowest", "highest", "number of") else args, t.UNKNOWN, NOWHERE, NAMED.get(name, "")
    )


@pytest.mark.parametrize("name", [*OPERATIONS, "an operation without a row"])
def test_what_asks_of_hidden_things_counts_as_hidden(name: str, hidden: interpreter.Ruleset) -> None:
    """Where everything is hidden, only what asks of nothing but its values tells nothing, if all know these."""
    asked = HiddenValues(hidden.model).asked(asked_of(name), ANYONE)
    assert bool(asked) is (name not in OF_WHAT_IT_IS_GIVEN)
    assert asked == ANYTHING or name in OPERATIONS
    told = OPERATIONS[name].asks in ("course", "lying") if name in OPERATIONS else False
    assert is_open(asked_of(name), hidden.model) is (name in OF_WHAT_IT_IS_GIVEN or (told and name != "player of"))


@pytest.mark.parametrize("name", sorted(TAKE_ONE | TAKE_SOME))
def test_what_is_taken_of_a_place_lies_there(name: str) -> None:
    number = (t.Const(1, t.INTEGER, NOWHERE),) if name in TAKE_SOME else ()
    taken = t.Op(name, (*number, t.ZoneRef("hand", (), t.CARDS, NOWHERE)), t.CARDS, NOWHERE)
    assert lying_in(taken) == {"hand"}


WORDS_ELSEWHERE = {
    "compiler/constant.py: _COMPARED": "what compares by size, that of ranks, too",
    "compiler/constant.py: _OF_MEMBERS": "what is asked of members, of which none has none",
    "compiler/lower/table_names.py: _ATTRIBUTES": "a table is named after them alone",
    "players/open_course.py: LOGIC": "fewer than there are: of them whoever looks ahead makes something",
}
"""What a module says of three or more operations, outside the rows of all, and why it is none of these."""


def lists_of_operations() -> set[str]:
    found = set()
    for path in sorted((ROOT / "interpreter").rglob("*.py")):
        name = path.relative_to(ROOT / "interpreter").as_posix()
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if ast.unparse(target) not in ("_ROWS", "OPS") and any(map(names_operations, ast.walk(node.value))):
                found.add(f"{name}: {ast.unparse(target)}")
    return found


def names_operations(node: ast.AST) -> bool:
    match node:
        case ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.List(elts=parts) if len(parts) > 2:
            return all(isinstance(part, ast.Constant) and part.value in OPERATIONS for part in parts)
    return False


def test_what_is_known_of_operations_stands_in_their_rows() -> None:
    assert lists_of_operations() == WORDS_ELSEWHERE.keys()
