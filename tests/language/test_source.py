"""What YAML is read as, where everything stands, and what is refused in which words."""

from __future__ import annotations

import os
import time
from pathlib import Path
from textwrap import dedent

import pytest
import yaml

from interpreter.base.diagnostics import Report, Span, render
from interpreter.language import source
from interpreter.language.source import (
    CODES,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    Listing,
    Mapping,
    Node,
    Scalar,
    parse_documents,
    parse_text,
    read_file,
    to_plain,
)
from interpreter.language.source import building as source_building


@pytest.fixture(params=["c", "python"])
def either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML comes with libyaml or without it, and its two parsers differ in their words and marks."""
    loader = yaml.Loader if request.param == "python" else getattr(yaml, "CLoader", yaml.Loader)
    monkeypatch.setattr(source_building, "_LOADER", loader)


def read(text: str | bytes) -> Node:
    report = Report()
    node = parse_text(text, "t.yaml", report)
    assert node is not None, [str(found) for found in report.diagnostics]
    assert not report.diagnostics
    return node


def read_mapping(text: str | bytes) -> Mapping:
    node = read(text)
    assert isinstance(node, Mapping)
    return node


def scalar(text: str | bytes, *path: str | int) -> Scalar:
    """Return the scalar at a path of keys and indices."""
    node: Node | None = read(text)
    for step in path:
        if isinstance(step, int):
            assert isinstance(node, Listing)
            node = node.items[step]
        else:
            assert isinstance(node, Mapping)
            node = node.get(step)
    assert isinstance(node, Scalar)
    return node


def printed(text: str | bytes) -> str:
    """Return all findings as `houserules validate` prints them; the file must be refused."""
    report = Report()
    assert parse_text(text, "t.yaml", report) is None
    assert report.failed
    shown = text if isinstance(text, str) else None
    return "\n".join(render(found, shown) for found in report.sorted())


def where(span: Span) -> str:
    return f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"


# ---------------------------------------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("+7", 7),
        ("007", 7),
        ("0.5", 0.5),
        (".5", 0.5),
        ("2.", 2.0),
        ("1e3", 1000.0),
        ("999999999999999999", 999999999999999999),
        ("true", True),
        ("FALSE", False),
        ("True", True),
        ("null", None),
        ("~", None),
        ("", None),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("2026-01-01", "2026-01-01"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("0o17", "0o17"),
        ("0xFF", "0xFF"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("-", [None]),
        ("10C", "10C"),
        ("QS", "QS"),
        ("tRUE", "tRUE"),
        ("١٢", "١٢"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("''", ""),
        ("'it''s'", "it's"),
        ('"a\\n\\u00e9\\"b"', 'a\né"b'),
        ("<<", "<<"),
        ("a # comment", "a"),
        ("a #", "a"),
        ("a#b", "a#b"),
    ],
)
@pytest.mark.usefixtures("either_parser")
def test_scalars_of_the_core_schema(written: str, value: object) -> None:
    node = read(f"- {written}\n")
    assert isinstance(node, Listing)
    plain = to_plain(node.items[0])
    assert plain == value
    assert type(plain) is type(value)


@pytest.mark.usefixtures("either_parser")
def test_every_key_is_text() -> None:
    text = "{10: a, 1.0: b, true: c, null: d, ~: e, no: f, '<<': g, 99999999999999999999: h}"
    assert to_plain(read(text)) == {
        "10": "a", "1.0": "b", "true": "c", "null": "d", "~": "e", "no": "f", "<<": "g", "99999999999999999999": "h",
    }  # fmt: skip


@pytest.mark.usefixtures("either_parser")
def test_keys_keep_their_order() -> None:
    assert list(read_mapping("b: 1\na: 2\nc: 3\n").entries) == ["b", "a", "c"]


@pytest.mark.usefixtures("either_parser")
def test_collections_and_blocks() -> None:
    text = dedent("""\
        # a comment
        list:
        - a
        - [b, {c: d}]
        empty: {}
        none:
        effect: |
          one

          # not a comment: two
        kept: |+
          three

        stripped: |-
          four
        """)
    assert to_plain(read(text)) == {
        "list": ["a", ["b", {"c": "d"}]],
        "empty": {},
        "none": None,
        "effect": "one\n\n# not a comment: two\n",
        "kept": "three\n\n",
        "stripped": "four",
    }


@pytest.mark.usefixtures("either_parser")
def test_the_top_may_be_anything() -> None:
    assert to_plain(read("- a\n- b\n")) == ["a", "b"]
    assert to_plain(read("--- 3\n")) == 3
    assert to_plain(read("null\n")) is None


@pytest.mark.usefixtures("either_parser")
def test_aliases_stand_for_what_they_name() -> None:
    text = "a: &half [QS, 13]\nb: *half\nc: &word spades\nd: [*word, *word]\n"
    assert to_plain(read(text)) == {"a": ["QS", 13], "b": ["QS", 13], "c": "spades", "d": ["spades", "spades"]}


@pytest.mark.usefixtures("either_parser")
def test_a_stream_of_documents() -> None:
    report = Report()
    nodes = parse_documents("# first\na: &x 1\n---\nb: &x 2\nc: *x\n...\n---\n[d]\n", "t.yaml", report)
    assert [to_plain(node) for node in nodes] == [{"a": 1}, {"b": 2, "c": 2}, ["d"]]
    assert not report.diagnostics


def test_findings_of_other_files_stay_and_do_not_matter() -> None:
    report = Report()
    parse_text("", "empty.yaml", report)
    assert to_plain(parse_text("a: 1", "good.yaml", report) or Listing((), Span("", 1, 1, 1, 1))) == {"a": 1}
    assert [str(found) for found in report.diagnostics] == ["empty.yaml:1:1: error E112: the file is empty"]


# ------------------------------------------------------------------------------------------------- positions


@pytest.mark.usefixtures("either_parser")
def test_spans() -> None:
    text = dedent("""\
        name: Hearts   # the game
        quoted: "two words"
        zones:
          hand: {each: player}
          piles:
          - one

        nothing:
        last: x
        """)
    top = read_mapping(text)
    assert {key: where(span) for key, span in top.keys.items()} == {
        "name": "1:1-1:5",
        "quoted": "2:1-2:7",
        "zones": "3:1-3:6",
        "nothing": "8:1-8:8",
        "last": "9:1-9:5",
    }
    assert {key: where(node.span) for key, node in top.entries.items()} == {
        "name": "1:7-1:13",
        "quoted": "2:9-2:20",
        "zones": "4:3-6:8",  # to its last value, not to the next key
        "nothing": "8:9-8:9",
        "last": "9:7-9:8",
    }
    zones = top.get("zones")
    assert isinstance(zones, Mapping)
    assert where(zones.entries["hand"].span) == "4:9-4:23"
    assert zones.get("nowhere") is None


@pytest.mark.parametrize("prefix", ["", "\ufeff"], ids=["no mark", "byte order mark"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("form", ["str", "bytes"])
@pytest.mark.usefixtures("either_parser")
def test_columns_count_characters(prefix: str, ending: str, form: str) -> None:
    lines = ["# über", "é🂡: [日本, x]", "b: |", "   ö one", "   two", "c: '🂱 d'", ""]
    written = prefix + ending.join(lines)
    text = written if form == "str" else written.encode()
    assert where(scalar(text, "é🂡", 1).span) == "2:10-2:11"
    assert where(scalar(text, "b").place(2, 3)) == "4:6-4:9"
    assert where(scalar(text, "b").place(6, 3)) == "5:4-5:7"
    assert scalar(text, "b").value == "ö one\ntwo\n"
    assert where(scalar(text, "c").place(2)) == "6:7-6:8"


@pytest.mark.parametrize(
    ("text", "offset", "length", "place"),
    [
        pytest.param("a: move all", 5, 3, "1:9-1:12", id="plain"),
        pytest.param("a: move all", 8, 1, "1:12-1:12", id="at the end of plain text"),
        pytest.param("a: move all", 99, 9, "1:12-1:12", id="beyond the end"),
        pytest.param("a: 'move all'", 5, 3, "1:10-1:13", id="quoted"),
        pytest.param('a: "move all"', 8, 1, "1:13-1:13", id="at the closing quote"),
        pytest.param('a: "mo\\u0076e all"', 5, 3, "1:4-1:19", id="with an escape: the whole"),
        pytest.param("a: 'it''s'", 0, 1, "1:4-1:11", id="with a doubled quote: the whole"),
        pytest.param("a: &x move all", 5, 3, "1:12-1:15", id="behind an anchor"),
        pytest.param("a: &x # why\n  move all", 5, 3, "2:8-2:11", id="an anchor on its own line"),
        pytest.param("a: |\n  one\n    two\n\n  three\n", 0, 3, "2:3-2:6", id="first line of a block"),
        pytest.param("a: |\n  one\n    two\n\n  three\n", 6, 3, "3:5-3:8", id="deeper line of a block"),
        pytest.param("a: |\n  one\n    two\n\n  three\n", 11, 5, "5:3-5:8", id="after an empty line"),
        pytest.param("a: |\n  one\n    two\n\n  three\n", 1, 7, "2:4-3:7", id="over two lines"),
        pytest.param("a: |\n  one\n  two\n\n\nb: 1\n", 8, 1, "3:6-3:6", id="the end of a block is in its last line"),
        pytest.param("a: | # why\n\n\n  one\n", 2, 3, "4:3-4:6", id="empty lines first"),
        pytest.param("a: |+\n  one\n\n", 99, 1, "2:6-2:6", id="empty lines kept"),
        pytest.param("a: |2\n   one\n", 1, 3, "2:4-2:7", id="indentation given"),
        pytest.param("a:\n    - |\n     one\n", 0, 3, "3:6-3:9", id="in a list"),
    ],
)
@pytest.mark.usefixtures("either_parser")
def test_places_in_texts(text: str, offset: int, length: int, place: str) -> None:
    top = read_mapping(text)
    node = top.entries["a"]
    if isinstance(node, Listing):
        node = node.items[0]
    assert isinstance(node, Scalar)
    assert where(node.place(offset, length)) == place


@pytest.mark.usefixtures("either_parser")
def test_spans_of_blocks() -> None:
    top = read_mapping("a: |\n  one\n  two\n\nb: |\nc: d\n")
    assert where(top.entries["a"].span) == "1:4-3:6"
    assert where(top.entries["b"].span) == "5:4-5:5"
    assert [scalar("a: |\n  one\n", "a").style, scalar("a: 'b'", "a").style, scalar("a: b", "a").style] == [
        "block", "quoted", "plain",
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------- bad input

FLOW = "inside { } and [ ] text with commas, braces or brackets needs quotes"

BAD: list[tuple[str, str, str]] = [
    # characters
    ("NUL", "a: b\nc: d\0e", """\
        t.yaml:2:5: error E102: the character U+0000 (NUL) is not allowed
            2 | c: d\ufffde
              |     ^
              hint: save the file as UTF-8"""),
    ("control character", "a: \x1b[31m", """\
        t.yaml:1:4: error E102: the character U+001B (control character) is not allowed
            1 | a: \ufffd[31m
              |    ^
              hint: remove it"""),
    ("lone surrogate", "a: é\ud800", """\
        t.yaml:1:5: error E102: the character U+D800 (lone surrogate) is not allowed
            1 | a: é\ufffd
              |     ^
              hint: remove it"""),
    ("a line break of Unicode", "a: b\u2028c: d", """\
        t.yaml:1:5: error E102: the character U+2028 (line separator) is not allowed
            1 | a: b\ufffdc: d
              |     ^
              hint: remove it"""),
    ("a late byte order mark", "a: \ufeffb", """\
        t.yaml:1:4: error E102: the character U+FEFF (byte order mark) is not allowed
            1 | a: \ufffdb
              |    ^
              hint: remove it"""),
    ("NUL as an escape", 'a: "x\\0"', """\
        t.yaml:1:4: error E102: the character U+0000 (NUL) is not allowed, not even as an escape
            1 | a: "x\\0"
              |    ^^^^^"""),
    # tabs
    ("tab before a key", "a:\n\tb: 1", """\
        t.yaml:2:1: error E104: a tab is used for indentation
            2 |  b: 1
              | ^
              hint: use spaces"""),
    ("tab after spaces", "a:\n  \tb: 1", """\
        t.yaml:2:3: error E104: a tab is used for indentation
            2 |    b: 1
              |   ^
              hint: use spaces"""),
    ("tab in a block", "a: |\n  b\n\tc", """\
        t.yaml:3:1: error E104: a tab is used for indentation
            3 |  c
              | ^
              hint: use spaces"""),
    ("tab at the top", "\ta: 1", """\
        t.yaml:1:1: error E104: a tab is used for indentation
            1 |  a: 1
              | ^
              hint: use spaces"""),
    # documents
    ("nothing", "", """\
        t.yaml:1:1: error E112: the file is empty
            1 |\x20
              | ^"""),
    ("only comments", "# hello\n", """\
        t.yaml:1:1: error E112: the file holds nothing but comments
            1 | # hello
              | ^"""),
    ("an empty document", "# hello\n---\n", """\
        t.yaml:2:1: error E112: this document is empty
            2 | ---
              | ^^^"""),
    ("two documents", "a: 1\n---\nb: 2\n---\nc: 3", """\
        t.yaml:2:1: error E105: a second document starts here, and the file may hold only one
            2 | ---
              | ^^^"""),
    ("a directive", "%YAML 1.2\n---\na: 1", """\
        t.yaml:1:1: error E104: a line cannot start with '%'
            1 | %YAML 1.2
              | ^
              hint: remove it: no directive is needed"""),
    # keys
    ("duplicate keys", "a: 1\nb: 2\n'a': 3\nb: 4", """\
        t.yaml:3:1: error E106: the key 'a' stands here a second time; the first is in line 1, column 1
            3 | 'a': 3
              | ^^^
        t.yaml:4:1: error E106: the key 'b' stands here a second time; the first is in line 2, column 1
            4 | b: 4
              | ^"""),
    ("10 and '10' are one key", "{10: a, '10': b}", """\
        t.yaml:1:9: error E106: the key '10' stands here a second time; the first is in line 1, column 2
            1 | {10: a, '10': b}
              |         ^^^^"""),
    ("list as key", "[a]: b", """\
        t.yaml:1:1: error E107: a key must be text, and this is a list or a mapping
            1 | [a]: b
              | ^
              hint: if it is text, put it in quotes"""),
    ("mapping as key", "a: {{b: 1}: c}", """\
        t.yaml:1:5: error E107: a key must be text, and this is a list or a mapping
            1 | a: {{b: 1}: c}
              |     ^
              hint: if it is text, put it in quotes"""),
    ("alias as key", "a: &x 1\n*x : 2", """\
        t.yaml:2:1: error E107: a key must be text, and this is an alias
            2 | *x : 2
              | ^^
              hint: if it is text, put it in quotes"""),
    ("block as key", "? |\n  a\n: b", """\
        t.yaml:1:3: error E107: a key must be text on one line
            1 | ? |
              |   ^"""),
    ("no key", ": x", """\
        t.yaml:1:1: error E107: there is no key before this ':'
            1 | : x
              | ^
              hint: if it is text, put it in quotes"""),
    ("no key in braces", "a: {: x}", """\
        t.yaml:1:5: error E107: there is no key before this ':'
            1 | a: {: x}
              |     ^
              hint: if it is text, put it in quotes"""),
    # tags, merge keys, anchors
    ("tag", "a: !!python/object:os.system x", """\
        t.yaml:1:4: error E108: tags ('!...') are not used
            1 | a: !!python/object:os.system x
              |    ^^^^^^^^^^^^^^^^^^^^^^^^^
              hint: if it is text, put it in quotes: text cannot start with '!'"""),
    ("tag on a mapping", "a: !x {b: c}", """\
        t.yaml:1:4: error E108: tags ('!...') are not used
            1 | a: !x {b: c}
              |    ^^
              hint: if it is text, put it in quotes: text cannot start with '!'"""),
    ("half a tag", "a: !e!x y", """\
        t.yaml:1:4: error E108: tags ('!...') are not used
            1 | a: !e!x y
              |    ^
              hint: if it is text, put it in quotes: text cannot start with '!'"""),
    ("merge key", "a: &x {b: 1}\nc:\n  <<: *x", """\
        t.yaml:3:3: error E108: merge keys ('<<') are not used
            3 |   <<: *x
              |   ^^
              hint: write the keys out"""),
    ("unknown alias", "a: *b", """\
        t.yaml:1:4: error E108: nothing above is marked '&b'
            1 | a: *b
              |    ^^
              hint: if it is text, put it in quotes: text cannot start with '*'"""),
    ("alias inside itself", "a: &x [1, *x]", """\
        t.yaml:1:11: error E108: '*x' stands inside the part it names
            1 | a: &x [1, *x]
              |           ^^"""),
    ("anchor twice", "a: &x 1\nb: &x 2", """\
        t.yaml:2:4: error E108: the anchor '&x' is already used in line 1
            2 | b: &x 2
              |    ^^"""),
    ("text that starts with a star", "a: * b", """\
        t.yaml:1:4: error E104: text cannot start with '*'
            1 | a: * b
              |    ^
              hint: put it in quotes"""),
    # styles of text
    ("folded", "a: >\n  b\n  c\n", """\
        t.yaml:1:4: error E109: folded blocks ('>') are not used: a mistake in one could not be shown in its place
            1 | a: >
              |    ^
              hint: use '|', which keeps the lines as they are"""),
    ("plain over two lines", "a: b\n  c\nd: e", """\
        t.yaml:1:4: error E109: this text runs over several lines
            1 | a: b
              |    ^
              hint: keep it on one line, or start a block with '|'"""),
    ("quoted over two lines", 'a: "b\n  c"\nd: e', """\
        t.yaml:1:4: error E109: this quoted text runs over several lines
            1 | a: "b
              |    ^
              hint: close the quote, or keep it on one line, or start a block with '|'"""),
    ("text behind a block's sign", "a: | b\n  c", """\
        t.yaml:1:6: error E104: 'b' cannot stand here: the text of a block starts on the next line
            1 | a: | b
              |      ^
              hint: if the text itself starts with '|', put it in quotes"""),
    # numbers
    ("400 digits", "a: " + "9" * 400, f"""\
        t.yaml:1:4: error E110: a number may have at most 18 digits
            1 | a: {"9" * 157}
              |    {"^" * 157}
              hint: if it is a name, put it in quotes"""),
    ("19 digits", "a: 1234567890123456789", """\
        t.yaml:1:4: error E110: a number may have at most 18 digits
            1 | a: 1234567890123456789
              |    ^^^^^^^^^^^^^^^^^^^
              hint: if it is a name, put it in quotes"""),
    ("a huge exponent", "a: 1e999", """\
        t.yaml:1:4: error E110: a number may have at most 18 digits
            1 | a: 1e999
              |    ^^^^^
              hint: if it is a name, put it in quotes"""),
    # expressions cut at a comma
    ("call in braces", "{law: f(a, b), message: x}", f"""\
        t.yaml:1:12: error E111: the expression was cut at a comma
            1 | {{law: f(a, b), message: x}}
              |            ^^
              hint: {FLOW}"""),
    ("call with three arguments", "{law: f(a, a, a), message: x}", f"""\
        t.yaml:1:12: error E111: the expression was cut at a comma
            1 | {{law: f(a, a, a), message: x}}
              |            ^
              hint: {FLOW}"""),
    ("the rest has a value", "{law: f(a, b): x}", f"""\
        t.yaml:1:12: error E111: the expression was cut at a comma
            1 | {{law: f(a, b): x}}
              |            ^^
              hint: {FLOW}"""),
    ("call in a list", "a: [f(a, b, c), d]", f"""\
        t.yaml:1:10: error E111: the expression was cut at a comma
            1 | a: [f(a, b, c), d]
              |          ^
              hint: {FLOW}"""),
    ("brackets in a call", "{law: f(a, [b]), x: y}", f"""\
        t.yaml:1:12: error E111: the expression was cut at a comma
            1 | {{law: f(a, [b]), x: y}}
              |            ^
              hint: {FLOW}"""),
    ("a word without a colon", "{say: hello, world}", f"""\
        t.yaml:1:14: error E104: there is no ': ' after 'world'
            1 | {{say: hello, world}}
              |              ^^^^^
              hint: {FLOW}"""),
    ("a colon without a space in braces", "{min:3, max: 5}", """\
        t.yaml:1:2: error E104: there is no ': ' after 'min:3'
            1 | {min:3, max: 5}
              |  ^^^^^
              hint: put a space after the ':'"""),
    # brackets
    ("text with braces", "a: {when: any {x} y}", f"""\
        t.yaml:1:15: error E104: a ',' or the '}}' for line 1 should stand here
            1 | a: {{when: any {{x}} y}}
              |               ^
              hint: {FLOW}"""),
    ("bracket never closed", "a: [1, 2", """\
        t.yaml:1:4: error E104: this '[' is never closed
            1 | a: [1, 2
              |    ^"""),
    ("bracket never closed, more keys", "a: {b: 1\nc: 2\nd: 3", """\
        t.yaml:1:4: error E104: this '{' is never closed
            1 | a: {b: 1
              |    ^"""),
    ("inner bracket never closed", "a: [1, [2\n", """\
        t.yaml:1:8: error E104: this '[' is never closed
            1 | a: [1, [2
              |        ^"""),
    ("no comma between lines", "a: {\n  b: 1\n  c: 2\n}", """\
        t.yaml:3:3: error E104: there is no ',' before this line, or the '{' of line 1 is not closed
            3 |   c: 2
              |   ^"""),
    ("the wrong bracket", "a: [1, 2}", f"""\
        t.yaml:1:9: error E104: '}}' cannot close the '[' of line 1
            1 | a: [1, 2}}
              |         ^
              hint: {FLOW}"""),
    ("a bracket too many", "a: {b: c}}", """\
        t.yaml:1:10: error E104: this '}' closes nothing
            1 | a: {b: c}}
              |          ^"""),
    ("a comma too many", "a: [1,, 2]", f"""\
        t.yaml:1:7: error E104: there is nothing before this ','
            1 | a: [1,, 2]
              |       ^
              hint: {FLOW}"""),
    ("text after a bracket", "a: [b] of c", """\
        t.yaml:1:8: error E104: the value ended before this
            1 | a: [b] of c
              |        ^
              hint: put quotes around the whole text"""),
    # quotes and signs
    ("quote never closed", 'a: "b\nc: d', """\
        t.yaml:1:4: error E104: this quote is never closed
            1 | a: "b
              |    ^"""),
    ("quote closed by the next one", 'a: "b\nc: "d"', """\
        t.yaml:1:4: error E104: this quote is not closed on its line
            1 | a: "b
              |    ^^
              hint: keep it on one line, or start a block with '|'"""),
    ("apostrophe", "a: 'it's'", """\
        t.yaml:1:8: error E104: the value ended before this
            1 | a: 'it's'
              |        ^
              hint: write an apostrophe inside single quotes twice"""),
    ("text after a quote", 'a: "b" of c', """\
        t.yaml:1:8: error E104: the value ended before this
            1 | a: "b" of c
              |        ^
              hint: put quotes around the whole text"""),
    ("unknown escape", 'a: "\\d+"', """\
        t.yaml:1:5: error E104: '\\d' is not an escape
            1 | a: "\\d+"
              |     ^^
              hint: write \\\\ for a backslash, or use single quotes, where it stands for itself"""),
    ("percent", "a: %b", """\
        t.yaml:1:4: error E104: text cannot start with '%'
            1 | a: %b
              |    ^
              hint: put it in quotes"""),
    ("at", "a: @b", """\
        t.yaml:1:4: error E104: text cannot start with '@'
            1 | a: @b
              |    ^
              hint: put it in quotes"""),
    ("backtick", "a: `b`", """\
        t.yaml:1:4: error E104: text cannot start with '`'
            1 | a: `b`
              |    ^
              hint: put it in quotes"""),
    ("closing bracket", "a: ]", """\
        t.yaml:1:4: error E104: text cannot start with ']'
            1 | a: ]
              |    ^
              hint: put it in quotes"""),
    ("list on the line of its key", "a: - b", """\
        t.yaml:1:4: error E104: '- ' cannot stand here
            1 | a: - b
              |    ^
              hint: if it is text, put it in quotes; else start a new line with '- '"""),
    # lines
    ("two colons", "a: b: c", """\
        t.yaml:1:5: error E104: a ': ' here starts a second value on the line
            1 | a: b: c
              |     ^
              hint: quote the text, or put it on its own line"""),
    ("two colons in braces", "{a: b: c}", """\
        t.yaml:1:6: error E104: a ': ' here starts a second value on the line
            1 | {a: b: c}
              |      ^
              hint: quote the text, or put it on its own line"""),
    ("no colon", "a: 1\nb\nc: 2", """\
        t.yaml:2:1: error E104: there is no ': ' in this line
            2 | b
              | ^
              hint: a key is followed by ': ' and its value"""),
    ("no space after the colon", "a: 1\nb:2\nc: 3", """\
        t.yaml:2:1: error E104: there is no ': ' in this line
            2 | b:2
              | ^^^
              hint: put a space after the ':'"""),
    ("no space after the first colon", "a:1\nb: 2", """\
        t.yaml:1:1: error E104: there is no ': ' in this line
            1 | a:1
              | ^^^
              hint: put a space after the ':'"""),
    ("indented below a value", "a: b\n  cd: e", """\
        t.yaml:2:3: error E104: this line is indented as part of the text above, so it cannot hold a key
            2 |   cd: e
              |   ^^
              hint: keys of one level start in the same column"""),
    ("between two levels", "a:\n    b: 1\n  c: 2", """\
        t.yaml:3:3: error E104: this line does not line up with the lines above
            3 |   c: 2
              |   ^^^^
              hint: keys of one level start in the same column"""),
    ("key of an item", "- a: b\n c: d", """\
        t.yaml:2:2: error E104: this line does not line up with the lines above
            2 |  c: d
              |  ^^^^
              hint: items start with '- ' in column 1, and the further keys of an item below its first"""),
    ("a long key", "k" * 1100 + ": a", f"""\
        t.yaml:1:1: error E104: a key may have at most 1024 characters
            1 | {"k" * 160}
              | ^"""),
    # more than one
    ("all findings up to the syntax error", "a: !x 1\na: >\n  b\nc: [\n", """\
        t.yaml:1:4: error E108: tags ('!...') are not used
            1 | a: !x 1
              |    ^^
              hint: if it is text, put it in quotes: text cannot start with '!'
        t.yaml:2:4: error E109: folded blocks ('>') are not used: a mistake in one could not be shown in its place
            2 | a: >
              |    ^
              hint: use '|', which keeps the lines as they are
        t.yaml:4:4: error E104: this '[' is never closed
            4 | c: [
              |    ^"""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [pytest.param(text, out, id=name) for name, text, out in BAD])
@pytest.mark.usefixtures("either_parser")
def test_bad_input(text: str, expected: str) -> None:
    assert printed(text) == "\n".join(line.removeprefix(" " * 8) for line in expected.split("\n"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(
            "a: é\nb: ö".encode("latin-1"),
            "t.yaml:1:4: error E102: the file is not UTF-8: it holds the byte 0xE9\n      hint: save the file as UTF-8",
            id="latin-1",
        ),
        pytest.param(
            "a: é\nbc: x".encode() + b"\xed\xa0\x80",
            "t.yaml:2:6: error E102: the file is not UTF-8: it holds the byte 0xED\n      hint: save the file as UTF-8",
            id="lone surrogate",
        ),
        pytest.param(
            "a: b".encode("utf-16"),
            "t.yaml:1:1: error E102: the file is not UTF-8: it holds the byte 0xFF\n      hint: save the file as UTF-8",
            id="UTF-16",
        ),
        pytest.param(
            b"a" * (MAX_BYTES + 1),
            "t.yaml: error E103: the file is too large: 262,145 bytes, and 262,144 are allowed",
            id="too large",
        ),
    ],
)
def test_bad_bytes(data: bytes, expected: str) -> None:
    assert printed(data) == expected


def test_what_only_libyaml_refuses() -> None:
    if yaml.__with_libyaml__:
        assert printed('a: "\\ud800"').startswith("t.yaml:1:5: error E104: '\\ud800' is not a character\n")
        assert printed("{a:[1]}").startswith("t.yaml:1:3: error E104: there is no space after this ':'\n")


@pytest.mark.usefixtures("either_parser")
def test_an_escape_beyond_unicode_is_refused() -> None:
    assert " error E104: " in printed('a: "\\UFFFFFFFF"')


def test_an_empty_document_among_others() -> None:
    report = Report()
    assert parse_documents("a: 1\n---\n---\nb: 2\n", "t.yaml", report) == []
    assert [str(found) for found in report.diagnostics] == ["t.yaml:2:1: error E112: this document is empty"]


def test_messages_stay_short() -> None:
    long = "k" * 500
    assert printed(f"{long}: 1\n{long}: 2").split("\n")[0] == (
        f"t.yaml:2:1: error E106: the key '{'k' * 40}...' stands here a second time; the first is in line 1, column 1"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{law: (a) and (b), message: x}", id="balanced"),
        pytest.param("{law: 'f(a, b)', message: 'c, d)'}", id="quoted"),
        pytest.param("{law: f(a, message: x}", id="no end in sight: the parser of expressions will say it"),
        pytest.param("{doc: b) and more, message: x}", id="no start either"),
        pytest.param("[f(a, c]", id="list without an end"),
        pytest.param("{gone: , other: ~, last: }", id="no value, but a colon"),
        pytest.param('{"json":1, "like": [2]}', id="JSON"),
        pytest.param("law: f(a, b), c", id="outside of braces"),
    ],
)
@pytest.mark.usefixtures("either_parser")
def test_no_false_alarm(text: str) -> None:
    read(text)


# ---------------------------------------------------------------------------------------------------- limits


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.usefixtures("either_parser")
def test_depth_is_limited() -> None:
    read(nested(MAX_DEPTH))
    assert printed(nested(MAX_DEPTH + 1)) == dedent(f"""\
        t.yaml:1:61: error E103: this is nested more than 60 levels deep
            1 | {nested(MAX_DEPTH + 1)}
              | {" " * MAX_DEPTH}^""")


def test_aliases_do_not_get_around_the_depth() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 100))
    assert printed(text).startswith("t.yaml:60:12: error E103: this is nested more than 60 levels deep\n")


def test_alias_bombs_are_counted_in_full() -> None:
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    text += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
    message = f"the file has more than {MAX_NODES:,} values, aliases counted in full"
    assert printed(text).split("\n")[0] == f"t.yaml:5:20: error E103: {message}"


@pytest.mark.parametrize("part", ["{}", "[{}, b]", "{{{}: b}}", "{{a: {}}}"])
def test_letters_that_aliases_repeat_are_counted(part: str) -> None:
    first, report = f"a: &a {part.format('x' * 1000)}\n", Report()
    assert parse_text(f"{first}b: [{', '.join(['*a'] * 261)}]\n", "t.yaml", report) is not None
    last = 262 if part == "{}" else 261  # so many are fine; with a key or another item each has one letter more
    message = f"the aliases of the file repeat more than {MAX_BYTES:,} letters"
    found = printed(f"{first}b: [{', '.join(['*a'] * 300)}]\n").split("\n")[0]
    assert found == f"t.yaml:2:{5 + 4 * last}: error E103: {message}"


def test_findings_are_limited() -> None:
    report = Report()
    parse_text("a: 1\n" * 10_000, "t.yaml", report)
    assert len(report.diagnostics) == source.MAX_FINDINGS


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 200_000, id="brackets"),
        pytest.param("{a: " * 60_000, id="braces"),
        pytest.param("[{" * 100_000, id="both"),
        pytest.param("- " * 100_000, id="lists"),
        pytest.param("? " * 100_000, id="keys"),
        pytest.param("a:\n" + "".join(" " * n + "a:\n" for n in range(1, 1300)), id="indented mappings"),
        pytest.param("[" * 59 + "a," * 100_000, id="many values deep inside"),
        pytest.param("- a\n" * 60_000, id="many values"),
        pytest.param("---\n" * 60_000, id="many documents"),
        pytest.param("{a, " * 10 + "b, " * 80_000, id="many keys"),
        pytest.param("[" + "f(a," * 45_000 + "]", id="many open brackets"),
        pytest.param("".join(f"%TAG !a{n}! tag:x\n" for n in range(12_000)), id="many directives"),
        pytest.param("a: " + "9" * 250_000, id="a long number"),
        pytest.param("k" * 250_000 + ": a", id="a long key"),
        pytest.param("a: *" + "k" * 250_000, id="a long alias"),
        pytest.param("a: 'x\n  b: 'x\n" * 18_000, id="many quotes"),
        pytest.param("\r" * 250_000 + "@", id="many lines"),
    ],
)
@pytest.mark.parametrize("form", ["str", "bytes"])
def test_hostile_input_is_answered_quickly(text: str, form: str) -> None:
    report = Report()
    start = time.process_time()
    parse_documents(text if form == "str" else text.encode(), "t.yaml", report)
    assert time.process_time() - start < 20  # it takes well under a second; without the guards, minutes
    assert report.failed
    assert all(found.code in CODES for found in report.diagnostics)
    assert all(len(str(found)) < 200 for found in report.diagnostics)


# ----------------------------------------------------------------------------------------------------- files


def refused(path: Path) -> list[str]:
    report = Report()
    assert read_file(path, report) is None
    return [str(found) for found in report.diagnostics]


def test_reading_a_file(tmp_path: Path) -> None:
    path = tmp_path / "good.yaml"
    path.write_bytes("\ufeffa: é\r\nb: 1\r\n".encode())
    report = Report()
    assert read_file(path, report) == "a: é\r\nb: 1\r\n"
    assert not report.diagnostics


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "missing.yaml"
    assert refused(missing) == [f"{missing}: error E101: cannot read the file: there is no such file"]
    assert refused(tmp_path) == [f"{tmp_path}: error E101: cannot read the file: it is a directory"]
    assert refused(Path("a\0b")) == ["a\ufffdb: error E101: cannot read the file: embedded null byte"]
    long = tmp_path / ("x" * 300)
    assert refused(long) == [f"{long}: error E101: cannot read the file: file name too long"]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refused(pipe) == [f"{pipe}: error E101: cannot read the file: it is not an ordinary file"]

    def deny(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", deny)  # a real one would not stop root, as whom CI may run
    secret = tmp_path / "secret.yaml"
    secret.touch()
    assert refused(secret) == [f"{secret}: error E101: cannot read the file: no permission"]


def test_a_large_file_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(10_000_000)
    monkeypatch.setattr(Path, "read_bytes", lambda self: pytest.fail("read"))
    assert refused(path) == [f"{path}: error E103: the file is too large: 10,000,000 bytes, and 262,144 are allowed"]


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_bytes(b"name: Durchgang\nby: M\xfcller\n")
    assert refused(path) == [f"{path}:2:6: error E102: the file is not UTF-8: it holds the byte 0xFC"]


# ------------------------------------------------------------------------------------------------- the table


def test_every_code_is_used_and_listed() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(source.__file__).parent.glob("*.py"))
    used = {word for word in CODES if text.count(f'"{word}"') > 1}
    assert used == set(CODES)
