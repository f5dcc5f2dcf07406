"""House rules that stack: rows by name, and texts that say `base` for what they are laid on."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from textwrap import dedent

import pytest

from interpreter.api.game import load
from interpreter.api.options import OptionError
from interpreter.api.validation import validate
from interpreter.base.diagnostics import Diagnostic, RulesetError
from interpreter.engine.rule_errors import RuleError

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
  bonus: {value: 5, seen by: everyone}
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
    (tmp_path / "tally.yaml").write_text(BASE.replace("flow:\n", "".join(asked) + "flow:\n"))
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


def test_the_patch_of_a_variant_may_say_base(folder: Path) -> None:
    names, found = laid(folder, "variants: {rich: {patch: {define: {bonus: base + 10}}}}", "define: {bonus: base + 1}")
    assert found == []
    ruleset = load(folder / "tally.yaml", names)
    assert ruleset.game().start(seed=1).value("bonus") == 6
    assert ruleset.game(variants=["rich"]).start(seed=1).value("bonus") == 16


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


# ---- base ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "worth(card): [[card is A, 14], [else, base]]",
        "worth: [[card is A, 14], [else, base]]",
        "worth(card): if card is A then 14 else base",
        "worth(card): base + (if card is A then 13 else 0)",
        "worth(card): (if card is A then 13 else 0) + base * 1",
        "worth(card): {value: {ace: [card is A, base + 13]}}",
        "worth(card): {value: {ace: {when: card is A, value: base + 13}}}",
        "worth(card): {value: {ace: {before: queen, when: card is A, value: 13 + base}}}",
        "worth(card): {value: {else: if card is A then base + 13 else base}}",
    ],
)
def test_base_is_the_definition_as_it_was_below(folder: Path, text: str) -> None:
    names, found = laid(folder, f"define:\n  {text}")
    assert found == []
    assert worth(folder, names) == {"A": 14, "K": 13, "Q": 12, "J": 1}


def test_base_in_a_row_is_the_same_part_of_the_row_below(folder: Path) -> None:
    row = "value: {king: {when: base or card is A, value: base * 2}}"
    names, found = laid(folder, f"define: {{worth(card): {{{row}}}}}")
    assert found == []
    assert worth(folder, names) == {"A": 26, "K": 26, "Q": 12, "J": 1}
    names, found = laid(folder, "flow: {count: {score: {two: {when: base or n = 1, points: base + 5}}}}")
    assert found == []
    assert [scores(folder, names, n) for n in (0, 1, 2)] == [(0, 1), (7, 0), (7, 0)]


def test_base_in_an_effect_is_the_effect_below_with_what_is_known_there(folder: Path) -> None:
    effect = "if k > 2 then base; add 10 to n; base else base end; add k to n"
    names, found = laid(folder, f"flow: {{play: {{actions: {{go: {{effect: {effect}}}}}}}}}")
    assert found == []
    for k, expected in ((1, 2), (3, 6)):
        state = load(folder / "tally.yaml", names).game().start(seed=1)
        state.play(0, f"go {k}")
        assert state.value("n") == expected


@pytest.mark.parametrize(
    ("one", "other", "n", "expected"),
    [
        ("define: {bonus: base + 1}", "define: {bonus: base + 2}", 0, 8),
        ("define: {bonus: base + 1}", "define: {bonus: {value: {never: [n > 9, 0]}}}", 0, 6),
    ],
)
def test_two_texts_that_say_base_both_act_in_both_orders(
    folder: Path, one: str, other: str, n: int, expected: int
) -> None:
    for texts in permutations((one, other)):
        names, found = laid(folder, *texts)
        assert found == []
        assert load(folder / "tally.yaml", names).game().start(seed=1).value("bonus") == expected


def test_two_effects_that_say_base_both_act_in_both_orders(folder: Path) -> None:
    one, other = (f"flow: {{play: {{actions: {{go: {{effect: base; add {n} to score of actor}}}}}}}}" for n in (10, 20))
    for texts in permutations((one, other)):
        names, found = laid(folder, *texts)
        assert found == []
        assert scores(folder, names, 2) == (32, 0)


@pytest.mark.parametrize(
    ("one", "other", "warned"),
    [
        ("define: {bonus: base + 1}", "define: {bonus: 7}", True),
        ("define: {bonus: 7}", "define: {bonus: base + 1}", False),
        ('define: {bonus: {effect: note "a"}}', 'define: {bonus: {effect: note "base"}}', True),
        ("define: {bonus: 7}", 'define: {bonus: "n.base"}', True),
        ("flow: {play: {doc: a, first: P1}}", "flow: {play: {doc: the base, first: P2}}", True),
        ("options: {o: {type: choice, choices: [x, y]}}", "options: {o: {type: choice, choices: [base]}}", True),
        ("flow: {match: {do: [play]}}", "flow: {match: {do: [base]}}", True),
    ],
)
def test_w302_is_silent_exactly_where_the_later_text_says_base(
    folder: Path, one: str, other: str, warned: bool
) -> None:
    from interpreter.base.diagnostics import Report
    from interpreter.language.overlay.settings import warn_both
    from interpreter.language.source import Mapping, parse_text

    report = Report()
    earlier, later = (parse_text(text, "x.yaml", Report()) for text in (one, other))
    assert isinstance(earlier, Mapping) and isinstance(later, Mapping)
    warn_both(earlier, later, report)
    assert bool(report.diagnostics) == warned


def test_what_is_declared_as_base_is_meant_where_there_is_one(folder: Path) -> None:
    text = (folder / "tally.yaml").read_text().replace("flow:\n", "  base: 100\nflow:\n")
    (folder / "tally.yaml").write_text(text)
    names, found = laid(folder, "define: {bonus: base + 1}")
    assert found == []
    assert load(folder / "tally.yaml", names).game().start(seed=1).value("bonus") == 101


def test_base_means_what_it_meant_below_whatever_names_stand_around_it(folder: Path) -> None:
    text = (
        (folder / "tally.yaml")
        .read_text()
        .replace("  bonus: {value: 5,", "  bonus: {value: count p in players where p is P1,")
    )
    (folder / "tally.yaml").write_text(text.replace("effect: set n to k", "effect: for p in players do add 1 to n end"))
    names, found = laid(
        folder,
        """\
        define: {bonus: sum base for p in players}
        flow: {play: {actions: {go: {effect: "for p in players do base end"}}}}
        """,
    )
    assert found == []
    state = load(folder / "tally.yaml", names).game().start(seed=1)
    assert state.value("bonus") == 2
    state.play(0, "go 1")
    assert state.value("n") == 4


def test_the_rulebook_and_diff_tell_what_holds_together(folder: Path) -> None:
    from interpreter.rulebook.book import texts
    from interpreter.rulebook.chapters import book
    from interpreter.rulebook.differences import differences

    names, found = laid(
        folder,
        """\
        define: {bonus: base + 1}
        flow: {count: {score: {two: {points: base + 5}, four: {when: n = 4, for: P2, points: 4}}}}
        """,
    )
    assert found == []
    below, above = load(folder / "tally.yaml").game(), load(folder / "tally.yaml", names).game()
    assert "If the n is 4: 4 for P2.  If the n is 2: 7 for P1." in " ".join(texts(book(above).sections))
    assert differences(book(below), book(above)) == [
        "“count”, Points: If the n is 2: 7 for P1 (before: If the n is 2: 2 for P1)",
        "new: “count”, Points, If the n is 4: 4 for P2.",
        "the term bonus: 6 (before: 5)",
    ]


NOTHING = {
    "define: {fresh: base + 1}\nflow: {play: {first: if fresh > 0 then P1 else P2}}": (3, 17),
    "flow: {play: {on turn: base; add 1 to n}}": (3, 24),
    "flow: {play: {until: base or n > 3}}": (3, 22),
    "flow: {count: {score: {four: {when: n = 4, for: P1, points: base}}}}": (3, 61),
    "flow: {play: {actions: {go: {effect: base; if base then set n to 1 end}}}}": (3, 47),
    "define: {worth: {value: {king: {value: base}}}}\nflow: {play: {players: p where base}}": (4, 32),
}


@pytest.mark.parametrize("text", NOTHING)
def test_base_where_nothing_is_below_is_told_at_its_place(folder: Path, text: str) -> None:
    _, found = laid(folder, text)
    assert [(d.code, d.line, d.column) for d in found if d.severity == "error"] == [("E505", *NOTHING[text])]
    assert found[0].message == "there is nothing below for 'base' to stand for"


def test_base_multiplied_is_refused_before_it_is_worked_out(folder: Path) -> None:
    texts = [f"flow: {{play: {{actions: {{go: {{effect: {'base;' * 30}}}}}}}}}"] * 6
    _, found = laid(folder, *texts)
    assert {d.code for d in found if d.severity == "error"} == {"E404"}
    _, found = laid(folder, *[f"define: {{bonus: {' + '.join(['base'] * 30)}}}"] * 6)
    assert {d.code for d in found if d.severity == "error"} == {"E404"}


def test_base_nested_over_many_files_is_refused(folder: Path) -> None:
    rows = ", ".join(f"[n = {n}, {n}]" for n in range(30))
    files = []
    for number in range(31):
        name = f"o{number}.yaml"
        (folder / name).write_text(f"format: 1\nid: o{number}\ndefine: {{bonus: [{rows}, [else, base]]}}\n")
        files.append(name)
    with pytest.raises(RulesetError) as raised:
        load(folder / "tally.yaml", files)
    assert [d.code for d in raised.value.diagnostics] == ["E404"]


# ---- choices ------------------------------------------------------------------------------------------

CHOICES = """\
options: {way: {type: choice, choices: [low, high], default: low}}
state: {mood: {type: choice, choices: [calm], lasts: match, seen by: everyone}}
define: {plays: {value: way, seen by: everyone}}
flow: {play: {actions: {feel: {choose: {m: {choice: [calm]}}, effect: set mood to m}}}}
"""


def test_two_overlays_that_add_choices_go_together_in_both_orders(folder: Path) -> None:
    (folder / "z.yaml").write_text(f"format: 1\nid: z\nextends: tally.yaml\n{CHOICES}")
    more = [
        f"""\
        options: {{way: {{choices: {{add: [{word}, low]}}}}}}
        state: {{mood: {{choices: {{add: [{word}]}}}}}}
        flow: {{play: {{actions: {{feel: {{choose: {{m: {{choice: {{add: [{word}]}}}}}}}}}}}}}}
        """
        for word in ("wild", "odd")
    ]
    for texts in permutations(more):
        names, found = laid(folder, *texts, base="z.yaml")
        assert found == []
        ruleset = load(folder / "z.yaml", names)
        assert sorted(ruleset.options["way"].choices or ()) == ["high", "low", "odd", "wild"]
        state = ruleset.game(options={"way": "odd"}).start(seed=1)
        state.play(0, "feel wild")
        assert (state.value("mood"), state.value("plays")) == ("wild", "odd")


def test_a_list_of_choices_over_added_ones_is_warned_of(folder: Path) -> None:
    (folder / "z.yaml").write_text(f"format: 1\nid: z\nextends: tally.yaml\n{CHOICES}")
    add, whole = (f"options: {{way: {{choices: {choices}}}}}" for choices in ("{add: [odd]}", "[low, mid]"))
    _, found = laid(folder, add, whole, base="z.yaml")
    assert [(d.code, d.hint) for d in found] == [
        ("W302", "'odd' is lost: say only what is new, 'choices: {add: [...]}'")
    ]
    _, found = laid(folder, whole, add, base="z.yaml")
    assert found == []


@pytest.mark.parametrize("text", [CHOICES.replace("choices: [low, high]", "choices: {add: [low, high]}")])
def test_where_no_list_is_below_nothing_is_added(folder: Path, text: str) -> None:
    _, found = laid(folder, text)
    assert [(d.code, d.message) for d in found] == [("E305", "there is no list below to which 'add' could add")]


# ---- teams that score ---------------------------------------------------------------------------------


@pytest.mark.parametrize("each", ["player", "team"])
@pytest.mark.parametrize(
    ("whom", "expected"),
    [
        ("team of P2", [0, 3, 0, 3]),
        ("teams", [3, 3, 3, 3]),
        ("all s in teams where s != team of P2", [3, 0, 3, 0]),
        ("(team of P1, team of P2)", [3, 3, 3, 3]),
    ],
)
def test_points_go_to_teams_and_so_to_their_members(folder: Path, each: str, whom: str, expected: list[int]) -> None:
    text = BASE.replace("max: 2}", "max: 4}\nteams: {size: 2, seated: across}").replace("each: player", f"each: {each}")
    text = text.replace("when: n >= 3, for: P1", f'when: n >= 3, for: "{whom}"')
    (folder / "teams.yaml").write_text(text)
    state = load(folder / "teams.yaml").game(players=4).start(seed=1)
    state.play(0, "go 3")
    assert list(state.scores) == expected


def test_base_of_a_value_that_depends_is_what_it_is_in_each_case(folder: Path) -> None:
    most_of = "{type: integer, min: 1, max: {by: players, 2: 5, else: 9}, default: 1}"
    (folder / "low.yaml").write_text(
        BASE.replace("id: tally", "id: low")
        .replace("max: 2}", "max: 4}")
        .replace("n: {type: integer, lasts", "n: {type: integer, max: {by: players, 2: 3, else: 4}, lasts")
        .replace("state:", f"options: {{most: {most_of}}}\nstate:")
    )
    names, found = laid(folder, "options: {most: {max: base + 2}}", "state: {n: {max: base + most}}", base="low.yaml")
    assert found == []
    ruleset = load(folder / "low.yaml", names)
    for players, most in ((2, 7), (3, 11)):
        assert ruleset.game(players, options={"most": most}).options["most"] == most
        with pytest.raises(OptionError, match=f"is {most + 1}, more than {most}"):
            ruleset.game(players, options={"most": most + 1})
    state = ruleset.game(2).start(seed=1)
    with pytest.raises(RuleError, match="it goes from -1000000 to 4"):
        state.play(0, "go 5")


def test_base_of_an_effect_that_depends_is_what_is_done_in_each_case(folder: Path) -> None:
    (folder / "low.yaml").write_text(
        BASE.replace("id: tally", "id: low").replace(
            "state:", "options: {fee: {type: choice, choices: [nothing_more, two], default: two}}\nstate:"
        )
        + "honor: {penalty: {by: fee, nothing_more: nothing, two: add 2 to score of offender}}\n"
    )
    law = "{must: {small: k < 3}, choose: {k: {number: 0..5}}}"
    texts = (
        f"flow: {{play: {{turns: 2, actions: {{go: {law}}}}}}}",
        "honor: {penalty: base; add 1 to score of claimer}",
    )
    names, found = laid(folder, *texts, base="low.yaml")
    assert found == []
    for fee, scores in (("two", [2, 1]), ("nothing_more", [0, 1])):
        state = load(folder / "low.yaml", names).game(options={"fee": fee}, enforcement="honor").start(seed=1)
        state.play(0, "go 4")
        state.play(1, "claim P1")
        assert [state.value("score", player) for player in (0, 1)] == scores


@pytest.mark.parametrize(
    ("add", "cards"),
    [
        ("{phoenix: 1}", {"some": 55, "few": 53}),
        ("{joker: 1, phoenix: 3}", {"some": 56, "few": 56}),
        ("{joker: null}", {"some": 52, "few": 52}),
        ("{by: players, 2: {joker: 3}, else: {}}", {"some": 55, "few": 55}),
    ],
)
def test_cards_are_added_to_each_row_where_those_below_depend(folder: Path, add: str, cards: dict[str, int]) -> None:
    below = (
        "pack: {standard: 1, add: {by: w, some: {joker: 2}, few: {}}}\n"
        "options: {w: {type: choice, choices: [some, few], default: some}}"
    )
    (folder / "packs.yaml").write_text(BASE.replace("pack: {standard: 1}", below).replace("id: tally", "id: packs"))
    (folder / "over.yaml").write_text(f"format: 1\nid: over\nextends: packs.yaml\npack: {{add: {add}}}\n")
    assert [str(found) for found in validate(folder / "over.yaml") if found.severity == "error"] == []
    made = {word: load(folder / "over.yaml").game(options={"w": word}) for word in cards}
    assert {word: len(game.program.cards) for word, game in made.items()} == cards
