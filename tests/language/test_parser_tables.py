"""The tables of the parser are plain data that comes with the program; what is read by them is what Lark reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from lark import Lark, UnexpectedInput

from interpreter.base.diagnostics import Report, Span
from interpreter.base.resources import find
from interpreter.language import parser, parser_tables, syntax
from interpreter.language.keywords import KEYWORDS
from interpreter.language.source import Scalar
from interpreter.language.tree_builder import TreeBuilder

TEXTS = [
    ("effect", "move 1 from stock to hand of actor; if broken then set score of p to 3 else again end"),
    ("effect", "for p in everyone where score of p > 3 by score of p do deal 2 from stock to hand, one at a time end"),
    ("expr", "any c in hand has c.suit = hearts or trick number > 1 and not (card in trick)"),
    ("expr", "sum points of c for c in taken of p"),
    ("range", "1..count of hand"),
    ("players_where", "p where score of p > 3"),
    ("expr", "card = = QS"),
    ("effect", "move from to"),
    ("expr", "score of"),
]


def outcome(used: Lark, start: str, text: str) -> object:
    """Lark's tree with its places; or where it does not parse, and what could stand there."""
    try:
        tree = used.parse(text, start=start)
    except UnexpectedInput as error:
        expected = next(filter(None, (getattr(error, name, ()) for name in ("accepts", "expected", "allowed"))), ())
        return type(error).__name__, error.pos_in_stream, sorted(expected)
    places = [
        (part.data, part.meta.start_pos, part.meta.end_pos) for part in tree.iter_subtrees() if not part.meta.empty
    ]
    return tree, places


def test_the_tables_are_those_of_the_grammar() -> None:
    kept = find(parser_tables.KEPT).read_text("utf-8")
    if kept != parser_tables.worked_out():
        pytest.fail("the grammar or Lark has changed: `python -m interpreter.language.parser_tables` writes them anew")


@cache
def parsers() -> tuple[Lark, Lark]:
    """The one that is used, and the one that Lark makes of the grammar."""
    grammar = find(parser_tables.GRAMMAR).read_text("utf-8")
    fresh = Lark(grammar, parser="lalr", start=parser_tables.STARTS, propagate_positions=True, maybe_placeholders=True)
    return parser_tables.parser(), fresh


@pytest.mark.parametrize(("start", "text"), TEXTS)
def test_kept_tables_parse_as_the_grammar_does(start: str, text: str) -> None:
    used, fresh = parsers()
    assert outcome(used, start, text) == outcome(fresh, start, text)


TERMINALS = parser_tables.parser().terminals
WORDS = sorted({str(terminal.pattern.value) for terminal in TERMINALS if terminal.pattern.type == "str"})
SOUP = """because beginning with let x be top 2 of sets of 2 from melds of run from card number 1 of trick number sum
has have mod p hand score least elsewhere ofx nothing 7 10H QS "a_b" #x <= != ' { : é .. . up faceup"""
PIECES = st.sampled_from([*WORDS, *KEYWORDS, *SOUP.split(), *SOUP.splitlines(), "card number 1 of", "sets of 2 from"])


def place(begin: int, length: int) -> Span:
    return Span("text", 1, begin + 1, 1, begin + length + 1)


def same_as_lark(start: str, text: str) -> bool:
    """Whether it is read by the tables alone. What is read so is what Lark reads, with the same places."""
    tables = parser._quick()
    assert tables is not None
    found, (_, fresh) = tables.parse(text, start, TreeBuilder(place)), parsers()
    if found is not None:
        assert found[0] == parser._built(fresh.parse(text, start=start), TreeBuilder(place))
    return found is not None


NOTING = """
import json
from interpreter.api.game import load
from interpreter.base.resources import find
from interpreter.language import parser
found, real = set(), parser._read
def noting(source, begin, end, start, report):
    found.add((start, source.text[begin:end]))
    return real(source, begin, end, start, report)
parser._read = noting
for path in find("rulesets").glob("*.yaml"):
    load(path)
print(json.dumps(sorted(found)))
"""


def shipped_texts() -> list[tuple[str, str]]:
    """Every text of the language in the shipped rulesets, and the rule by which it is read; where none is known yet."""
    told = subprocess.run([sys.executable, "-c", NOTING], capture_output=True, text=True, check=True).stdout
    return [(start, text) for start, text in json.loads(told)]


def test_every_text_of_the_shipped_rulesets_is_read_by_the_tables_alone() -> None:
    texts = shipped_texts()
    assert len(texts) > 1_000
    assert [text for start, text in texts if not same_as_lark(start, text)] == []


def test_lark_is_not_even_there_as_long_as_nothing_is_wrong() -> None:
    program = (
        "import sys, interpreter; from interpreter.language import parser\n"
        "interpreter.load('hearts').game(); print('lark' in sys.modules, parser._quick() is None)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "False False\n"


def test_what_the_tables_alone_do_not_read_lark_may_still_read() -> None:
    """Where no name can stand, `fromgiver` is `from giver`."""
    text, report = "across fromgiver", Report()
    assert not same_as_lark("expr", text)
    found = parser.parse_expr(Scalar(text, text, Span("text", 1, 1, 1, len(text) + 1), "plain"), report)
    assert isinstance(found, syntax.Apply)
    assert (found.function, [type(inner) for inner in found.arguments]) == ("across from", [syntax.Name])
    assert not report.diagnostics


@settings(max_examples=300)
@given(
    st.sampled_from(parser_tables.STARTS),
    st.one_of(st.sampled_from([text for _, text in TEXTS]), st.just("")),
    st.lists(st.tuples(PIECES, st.sampled_from([" ", " ", " ", "", "\n"])), max_size=9),
    st.floats(0, 1),
)
def test_what_is_read_by_the_tables_is_what_lark_reads(
    start: str, text: str, pieces: list[tuple[str, str]], share: float
) -> None:
    at = int(share * len(text))
    text = text[:at] + "".join(piece + space for piece, space in pieces) + text[at:]
    used, fresh = parsers()
    assert outcome(used, start, text) == outcome(fresh, start, text)
    same_as_lark(start, text)


def test_tables_of_another_grammar_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "grammar"
    folder.mkdir()
    changed = find(parser_tables.GRAMMAR).read_text("utf-8").replace('"reverse" ', '"turnaround" ')
    (folder / "effects.lark").write_text(changed, "utf-8")
    (folder / "effects.tables.json").write_bytes(find(parser_tables.KEPT).read_bytes())
    monkeypatch.setattr(parser_tables, "find", lambda relative: tmp_path / relative)
    assert parser_tables.parser().parse("turnaround", start="effect").children[0].data == "reverse"
    (folder / "effects.tables.json").unlink()
    assert parser_tables.parser().parse("turnaround", start="effect").children[0].data == "reverse"


def test_no_file_of_the_user_is_unpickled_or_written(tmp_path: Path) -> None:
    """Whatever lies in the user's folders, and whether they can be written or not."""
    home = tmp_path / "home"
    home.mkdir()
    program = (
        "import sys; seen = []\n"
        "sys.addaudithook(lambda event, args: seen.append(event) if 'pickle' in event else None)\n"
        "import interpreter; interpreter.load('hearts').game().start(seed=1); print(seen)"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    for place in (home, tmp_path / "file" / "that is none"):
        told = subprocess.run(
            [sys.executable, "-c", program],
            env={**kept, "HOME": str(place), "XDG_CACHE_HOME": str(place)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout == "[]\n"
    assert not list(home.rglob("*"))


def test_the_tables_are_kept_as_data_that_runs_no_code() -> None:
    assert set(json.loads(find(parser_tables.KEPT).read_text("utf-8"))) >= {"lark", "grammar", "states"}
