"""House rules that stack: rows by name, and texts that say `base` for what they are laid on."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from textwrap import dedent

import pytest

from interpreter.api.ruleset import load
from interpreter.api.validation import validate
from interpreter.base.diagnostics import Diagnostic, RulesetError

BASE = """\
format: 1
id: tally
name: Tally
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, pot: {seen by: none}}
state: {score: {each: player, type: integer, lasts: match}, n: {type: integer, lasts: match, seen by: everyone}}
define:
  worth(card):
    value:
      king: [card is K, 13]
      queen: [card is Q, 12]
      else: 1
  plain(card): if card is A then 11 else 2
  listed(card): [[card is J, 10], [else, 0]]
  bonus: 5
flow:
  match: {do: [play, count], winners: highest score}
  play: {kind: turn, first: P1, turns: 1, actions: {go: {choose: {k: {number: 0..5}}, effect: set n to k}}}
  count:
    kind: score
    score:
      two: {when: n = 2, for: P1, points: 2}
      three: {when: n >= 3, for: P1, points: 3}
      none: {else: true, for: P2, points: 1}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    asked = [
        f"  {name}_of_{card}: {{value: {name}({card}S), seen by: everyone}}\n"
        for name in ("worth", "plain", "listed")
        for card in "AKQJ"
    ]
    (tmp_path / "tally.yaml").write_text(BASE.replace("  bonus: 5\n", "  bonus: 5\n" + "".join(asked)))
    return tmp_path


def laid(folder: Path, *texts: str, base: str = "tally.yaml") -> tuple[list[str], list[Diagnostic]]:
    """Paths of overlays with these texts, and what is found wrong with them together."""
    names = [f"{letter}.yaml" for letter in "abcdef"[: len(texts)]]
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(f"format: 1\nid: {name[0]}\n{dedent(text)}\n")
    try:
        return names, list(load(folder / base, names).warnings)
    except RulesetError as error:
        return names, error.diagnostics


def worth(folder: Path, names: list[str], name: str = "worth") -> dict[str, object]:
    state = load(folder / "tally.yaml", names).game().start(seed=1)
    return {card: state.value(f"{name}_of_{card}") for card in "AKQJ"}


def scores(folder: Path, names: list[str], n: int) -> tuple[int, ...]:
    state = load(folder / "tally.yaml", names).game().start(seed=1)
    state.play(0, f"go {n}")
    return tuple(state.scores)


def test_rows_by_name_are_read_as_those_of_a_list(folder: Path) -> None:
    assert [d for d in validate(folder / "tally.yaml") if d.severity == "error"] == []
    assert worth(folder, []) == {"A": 1, "K": 13, "Q": 12, "J": 1}
    assert [scores(folder, [], n) for n in (0, 2, 3)] == [(0, 1), (2, 0), (3, 0)]


def test_one_row_is_changed_and_the_others_stay(folder: Path) -> None:
    names, found = laid(
        folder, "define: {worth: {value: {king: {value: 20}}}}\nflow: {count: {score: {two: {points: 9}}}}"
    )
    assert found == []
    assert worth(folder, names) == {"A": 1, "K": 20, "Q": 12, "J": 1}
    assert [scores(folder, names, n) for n in (0, 2, 3)] == [(0, 1), (9, 0), (3, 0)]


def test_a_row_is_taken_out_by_its_name(folder: Path) -> None:
    names, found = laid(folder, "define: {worth: {value: {king: null}}}\nflow: {count: {score: {two: null}}}")
    assert found == []
    assert worth(folder, names)["K"] == 1
    assert scores(folder, names, 2) == (0, 1)


def test_a_new_row_comes_before_those_of_the_base(folder: Path) -> None:
    row = "flow: {count: {score: {four: {when: n >= 2, for: P2, points: 4}}}}"
    names, found = laid(folder, row + "\ndefine: {worth: {value: {black: [card.colour = black, 3]}}}")
    assert found == []
    assert scores(folder, names, 2) == (0, 4)
    assert worth(folder, names) == {"A": 3, "K": 3, "Q": 3, "J": 3}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("before: king", {"A": 3, "K": 3, "Q": 3, "J": 3}),
        ("after: king", {"A": 3, "K": 13, "Q": 3, "J": 3}),
        ("before: queen", {"A": 3, "K": 13, "Q": 3, "J": 3}),
        ("before: else", {"A": 3, "K": 13, "Q": 12, "J": 3}),
        ("after: queen", {"A": 3, "K": 13, "Q": 12, "J": 3}),
    ],
)
def test_a_new_row_stands_where_it_says(folder: Path, place: str, expected: dict[str, int]) -> None:
    names, found = laid(
        folder, f"define: {{worth: {{value: {{black: {{{place}, when: card.colour = black, value: 3}}}}}}}}"
    )
    assert found == []
    assert worth(folder, names) == expected


def test_several_rows_after_one_keep_their_order(folder: Path) -> None:
    rows = "first: {after: two, when: n = 1, for: P2, points: 1}, more: {after: two, when: n < 2, for: P2, points: 7}"
    names, found = laid(folder, f"flow: {{count: {{score: {{{rows}}}}}}}")
    assert found == []
    assert [scores(folder, names, n) for n in (0, 1)] == [(0, 7), (0, 1)]


def test_a_row_of_the_base_is_moved(folder: Path) -> None:
    names, found = laid(folder, "flow: {count: {score: {two: {when: n >= 2, after: three}}}}")
    assert found == []
    assert scores(folder, names, 3) == (3, 0)


def test_two_overlays_that_add_different_rows_go_together_in_both_orders(folder: Path) -> None:
    rows = (("ace", "A", 14, 4), ("jack", "J", 11, 5))
    value = "define: {{worth: {{value: {{{0}: [card is {1}, {2}]}}}}}}"
    score = "flow: {{count: {{score: {{{0}: {{when: n = {3}, for: P2, points: {3}}}}}}}}}"
    for texts in permutations(f"{value}\n{score}".format(*row) for row in rows):
        names, found = laid(folder, *texts)
        assert found == []
        assert worth(folder, names) == {"A": 14, "K": 13, "Q": 12, "J": 11}
        assert [scores(folder, names, n) for n in (4, 5)] == [(0, 4), (0, 5)]


@pytest.mark.parametrize(("name", "below"), [("plain", {"K": 2, "Q": 2}), ("listed", {"K": 0, "Q": 0})])
def test_rows_are_laid_on_what_has_none_by_name(folder: Path, name: str, below: dict[str, int]) -> None:
    old = worth(folder, [], name)
    for texts in permutations(
        (f"define: {{{name}: {{value: {{{r}: [card is {c}, 50]}}}}}}" for r, c in (("a", "K"), ("b", "Q")))
    ):
        names, found = laid(folder, *texts)
        assert found == []
        assert worth(folder, names, name) == {**old, "K": 50, "Q": 50}


def test_scoring_rows_are_laid_on_a_list(folder: Path) -> None:
    listed = BASE.replace("two: {when", "- {when").replace("three: {when", "- {when").replace("none: {else", "- {else")
    (folder / "tally.yaml").write_text(listed)
    one, other = (f"flow: {{count: {{score: {{r{n}: {{when: n = {n}, for: P2, points: {n}}}}}}}}}" for n in (3, 4))
    for texts in permutations((one, other)):
        names, found = laid(folder, *texts)
        assert found == []
        assert [scores(folder, names, n) for n in (2, 3, 4)] == [(2, 0), (0, 3), (0, 4)]


def test_a_list_over_rows_by_name_is_taken_whole(folder: Path) -> None:
    names, found = laid(folder, "define: {worth(c): [[c is A, 99], [else, 0]]}")
    assert found == []
    assert worth(folder, names) == {"A": 99, "K": 0, "Q": 0, "J": 0}


def test_rows_of_a_variant_join_those_of_the_ruleset(folder: Path) -> None:
    names, found = laid(folder, "variants: {aces: {patch: {define: {worth: {value: {ace: [card is A, 14]}}}}}}")
    assert found == []
    state = load(folder / "tally.yaml", names).game(variants=["aces"]).start(seed=1)
    assert [state.value(f"worth_of_{card}") for card in "AKQJ"] == [14, 13, 12, 1]


WRONG = {
    "define: {worth: {value: {ace: {before: kink, when: card is A, value: 14}}}}": (
        "a.yaml:3:40: error E306: no row is called 'kink' in worth of tally",
        "did you mean 'king' (tally.yaml:11:7)?",
    ),
    "define: {worth: {value: {ace: {before: ace, when: card is A, value: 14}}}}": (
        "a.yaml:3:40: error E306: row 'ace' cannot come before itself",
        "",
    ),
    "define: {worth: {value: {ace: {after: else, when: card is A, value: 14}}}}": (
        "a.yaml:3:39: error E306: after 'else' row 'ace' would never count",
        "say which row it comes before: before: else",
    ),
    "define: {worth: {value: {ace: {before: king, after: queen, when: card is A, value: 14}}}}": (
        "a.yaml:3:53: error E308: row 'ace' has both 'before' and 'after'",
        "keep one of them",
    ),
    "define: {listed: {value: {ace: {before: jack, when: card is A, value: 14}}}}": (
        "a.yaml:3:41: error E306: no row is called 'jack' in listed of tally",
        "rows: else",
    ),
    "flow: {count: {score: {fuor: {points: 4, before: three}}}}": (
        "a.yaml:3:24: error E305: no row is called 'fuor' in score of count of tally",
        "rows: none, three, two (a new row needs 'for')",
    ),
    "define: {worth: {value: {kign: {value: 14}}}}": (
        "a.yaml:3:26: error E305: no row is called 'kign' in worth of tally",
        "did you mean 'king' (tally.yaml:11:7)? (a new row needs 'when')",
    ),
    "flow: {count: {score: {tow: {when: n = 1}}}}": (
        "a.yaml:3:24: error E305: no row is called 'tow' in score of count of tally",
        "did you mean 'two' (tally.yaml:35:7)? (a new row needs 'for')",
    ),
    "define: {worth: {value: {ace: null}}}": (
        "a.yaml:3:26: error E304: no row is called 'ace' in worth of tally, so it cannot be removed",
        "rows: else, king, queen",
    ),
    "define: {worth: {value: {else: null}}}": (
        "a.yaml:3:32: error E203: 'else' cannot be null",
        "else: the value where no row holds",
    ),
    "flow: {extra: {kind: score, before: count, score: {a: {for: P1, points: 1, before: b}}}}": (
        "a.yaml:3:84: error E306: no row is called 'b' in score of extra of tally",
        "there are no other rows",
    ),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_row_is_told_at_its_place(folder: Path, text: str) -> None:
    _, found = laid(folder, text)
    message, hint = WRONG[text]
    told = [(str(d).partition("\n")[0], (d.hint or "").replace(f"{folder}/", "")) for d in found]
    assert told == [(message, hint)]
