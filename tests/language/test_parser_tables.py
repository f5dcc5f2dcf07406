"""The tables of the parser are plain data that comes with the program, and always those of the grammar."""

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

from interpreter.base.resources import find
from interpreter.language import parser_tables
from interpreter.language.keywords import KEYWORDS

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


def outcome(parser: Lark, start: str, text: str) -> object:
    """The tree with its places; or where it does not parse, and what could stand there."""
    try:
        tree = parser.parse(text, start=start)
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


WORDS = sorted({str(terminal.pattern.value) for terminal in parsers()[1].terminals if terminal.pattern.type == "str"})
SOUP = """because beginning with let x be top 2 of sets of 2 from melds of run from card number 1 of trick number sum
has have mod p hand score least elsewhere ofx nothing 7 10H QS "a_b" #x <= != ' { : é .. . up faceup"""
PIECES = st.sampled_from([*WORDS, *KEYWORDS, *SOUP.split(), *SOUP.splitlines(), "card number 1 of", "sets of 2 from"])


@settings(max_examples=300)
@given(
    st.sampled_from(parser_tables.STARTS),
    st.one_of(st.sampled_from([text for _, text in TEXTS]), st.just("")),
    st.lists(st.tuples(PIECES, st.sampled_from([" ", " ", " ", "", "\n"])), max_size=9),
    st.floats(0, 1),
)
def test_words_are_cut_out_as_lark_cuts_them_out(
    start: str, text: str, pieces: list[tuple[str, str]], share: float
) -> None:
    at = int(share * len(text))
    text = text[:at] + "".join(piece + space for piece, space in pieces) + text[at:]
    used, fresh = parsers()
    assert outcome(used, start, text) == outcome(fresh, start, text)


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
    assert json.loads(find(parser_tables.KEPT).read_text("utf-8"))["made of"].startswith("lark ")
