"""No ruleset may hang the program or eat the memory: what is too much is told with its place, at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from interpreter import Diagnostic, Game, OptionError, RuleError, RulesetError, State, load, validate
from interpreter.language import amounts
from interpreter.language.check import definitions, length

HEAD = """\
format: 1
id: large
name: Large
players: {min: 2, max: 4, default: 2}
pack: {standard: 1}
zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, discard: {}}
state: {score: {each: player, type: integer, lasts: match}, tally: {type: integer, lasts: match}}
"""


@pytest.fixture(autouse=True)
def quickly() -> Iterator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < 20


def asking(action: str, extra: str = "", setup: str = "deal 13 from stock to hand", kind: str = "ask") -> str:
    flow = f"flow:\n  match: {{setup: {setup}, do: [go]}}\n  go:\n    kind: {kind}\n    actions:\n      x: {action}\n"
    return HEAD + extra + flow


def written(folder: Path, text: str) -> Path:
    path = folder / "large.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def errors(folder: Path, text: str) -> list[Diagnostic]:
    found = [d for d in validate(written(folder, text)) if d.severity == "error"]
    assert all(d.line is not None and d.column is not None for d in found)
    return found


def game(folder: Path, text: str, **how: object) -> Game:
    assert errors(folder, text) == []
    return load(folder / "large.yaml").game(**how)  # type: ignore[arg-type]


def moves_of(state: State, player: int = 0) -> int:
    return len(state.legal_moves(player))


# ---- moves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        ("a: {number: 1..1000}, b: {number: 1..1000}, c: {number: 1..1000}", "1,000 x 1,000 x 1,000 = 1,000,000,000"),
        ("a: {number: 1..1000000}", "1,000,000"),
        ("a: {number: 0..499}, b: {suits: all}, c: {ranks: all}, d: {choice: [p, q, r, s]}", "500 x 4 x 13 x 4"),
    ],
)
def test_moves_that_are_always_too_many(tmp_path: Path, choose: str, message: str) -> None:
    (found,) = errors(tmp_path, asking(f"{{choose: {{{choose}}}}}"))
    assert (found.code, found.line, found.column) == ("E521", 13, 7)
    assert message in found.message and found.hint


def test_as_many_moves_as_are_allowed(tmp_path: Path) -> None:
    state = game(tmp_path, asking("{choose: {a: {number: 1..50}, b: {number: 1..1000}}}")).start()
    assert moves_of(state) == 50_000


@pytest.mark.parametrize(
    "choose",
    [
        "a: {from: hand, count: 1..42}, b: {from: hand, count: 1..42}",
        "a: {from: hand, count: 6}, b: {from: hand, count: 6}",
        "a: {number: 1..tally}",
        "a: {number: 1..tally}, b: {number: 1..2}, c: {from: hand, where: c = QS}",
        "a: {from: hand, count: 1..2}, b: {players: others}, c: {number: 1..tally}",
    ],
)
def test_moves_that_are_too_many_at_the_table(tmp_path: Path, choose: str) -> None:
    text = asking(f"{{choose: {{{choose}}}}}", setup="deal 13 from stock to hand; set tally to 900000")
    state = game(tmp_path, text).start()
    before = state.to_json()
    for ask in (state.legal_moves, state.possible_moves):
        with pytest.raises(RuleError, match="the action 'x' has more than 50,000 moves here") as stopped:
            ask(0)
        assert str(stopped.value.span).endswith("large.yaml:13:7")
    assert state.to_json() == before


def test_several_cards_alone_are_counted_and_not_listed(tmp_path: Path) -> None:
    text = asking("{choose: {a: {from: hand, count: 1..26}}}", setup="deal 26 from stock to hand")
    state = load(written(tmp_path, text)).game(2).start()
    moves = state.legal_moves(0)
    assert len(moves) == 2**26 - 1
    state.play(0, moves[len(moves) // 2])


def test_on_honour_they_are_listed_so_there_may_not_be_so_many(tmp_path: Path) -> None:
    text = asking("{choose: {a: {from: hand, count: 1..26}}, say: Hm}", setup="deal 26 from stock to hand")
    state = load(written(tmp_path, text)).game(2, enforcement="honor").start()
    with pytest.raises(RuleError, match="the action 'x' has more than"):
        state.legal_moves(0)


def test_a_law_over_several_cards_limits_how_many_can_be_tried(tmp_path: Path) -> None:
    law = "all c in a have all d in pack have all e in pack have c = d or d != e"
    text = asking(f"{{choose: {{a: {{from: hand, count: 1..13}}}}, must: {{l: {law}}}}}")
    state = game(tmp_path, text).start()
    with pytest.raises(RuleError, match="the action 'x' has more than"):
        state.legal_moves(0)


def test_a_condition_on_several_cards_holds_beside_other_parameters(tmp_path: Path) -> None:
    choose = "cs: {from: hand, count: 2, where: card.suit = hearts}, whom: {players: others}"
    text = asking(f"{{choose: {{{choose}}}}}")
    state = game(tmp_path, text).start(given={"at": "go", "hand": {"P1": "2H 3H 4S 5S", "P2": "6C"}})
    assert [str(m) for m in state.legal_moves(0)] == ["x 2H 3H P2"]


def test_ordinary_actions_are_not_counted(tmp_path: Path) -> None:
    text = asking("{choose: {a: {from: hand, count: 1..2}, whom: {players: others}}}")
    assert "tried" not in game(tmp_path, text).program.text
    for shipped in ("hearts", "pig"):
        assert "tried" not in load(shipped).game().program.text


def test_options_can_make_it_too_much(tmp_path: Path) -> None:
    text = asking("{choose: {a: {number: 1..most}}}", "options: {most: {type: integer, default: 5, max: 1000000}}\n")
    assert moves_of(game(tmp_path, text).start()) == 5
    with pytest.raises(RulesetError) as refused:
        load(tmp_path / "large.yaml").game(options={"most": 1_000_000})
    assert [d.code for d in refused.value.diagnostics] == ["E521"]


def test_more_parameters_and_words_than_a_move_can_have(tmp_path: Path) -> None:
    many = ", ".join(f"p{i}: {{number: 1..1}}" for i in range(13))
    assert [d.code for d in errors(tmp_path, asking(f"{{choose: {{{many}}}}}"))] == ["E521"]
    words = ", ".join(f"w{i}: Hm" for i in range(9))
    assert [d.code for d in errors(tmp_path, asking(f"{{say: {{{words}}}}}"))] == ["E521"]


# ---- steps -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [3, 4])
def test_loops_multiply(tmp_path: Path, times: int) -> None:
    effect = " ".join(f"for c{i} in pack do" for i in range(times)) + " set tally to 1" + " end" * times
    found = errors(tmp_path, asking(f'{{effect: "{effect}"}}'))
    assert [d.code for d in found] == ([] if times == 3 else ["E521"])


def test_a_capacity_bounds_a_loop(tmp_path: Path) -> None:
    condition = "any a in hand has any b in hand has any c in hand has any d in hand has any e in hand has a = e"
    text = asking(f"{{when: {condition}}}", setup="deal 5 from stock to hand")
    assert [d.code for d in errors(tmp_path, text)] == ["E521"]
    assert errors(tmp_path, text.replace("seen by: owner", "seen by: owner, capacity: 12")) == []


def test_steps_of_definitions_count(tmp_path: Path) -> None:
    define = "define:\n  d0(c): any x in pack has x = c\n" + "".join(
        f"  d{i}(c): any x in pack has d{i - 1} of x\n" for i in range(1, 9)
    )
    found = errors(tmp_path, asking("{when: d8 of QS}", define))
    assert {d.code for d in found} == {"E521"}


def test_tables_do_not_go_in_circles(tmp_path: Path) -> None:
    values = "values:\n  one: {hearts: two of QS, else: 0}\n  two: {hearts: one of QS, else: 0}\n"
    (found,) = errors(tmp_path, asking("{when: one of QS > 0}", values))
    assert (found.code, found.message) == ("E506", "the table 'two' uses itself")


def test_constant_tables_over_tables_are_worked_out_once(tmp_path: Path) -> None:
    values = "values:\n  t0: {hearts: 1, else: 0}\n" + "".join(
        f"  t{i}: {{hearts: t{i - 1} of QH, else: t{i - 1} of KH}}\n" for i in range(1, 12)
    )
    assert moves_of(game(tmp_path, asking("{when: t11 of QS = 1}", values)).start()) == 1


def test_long_effects_again_and_again_without_a_decision(tmp_path: Path) -> None:
    loop = "for a in pack do for b in pack do add 1 to tally; subtract 1 from tally end end"
    text = HEAD + f"flow:\n  match: {{repeat: spin, until: tally < 0}}\n  spin: {{effect: {loop}}}\n"
    with pytest.raises(RuleError, match="this takes more than 20,000,000 steps at once") as stopped:
        load(written(tmp_path, text)).game().start()
    assert stopped.value.span is not None and stopped.value.span.line == 10


def test_too_much_to_work_out_beforehand(tmp_path: Path) -> None:
    condition = "any a in pack has any b in pack has any c in pack has a = b and b = c and c != a"
    laws = ", ".join(f'l{i}: "card != QS or not ({condition}) or {i} = 0"' for i in range(60))
    found = errors(tmp_path, asking(f"{{choose: {{card: {{from: hand}}}}, must: {{{laws}}}}}"))
    assert {d.code for d in found} == {"E521"}


def test_definitions_for_too_many_kinds_of_values(tmp_path: Path) -> None:
    define = "define:\n"
    for k in range(1, 40):
        names = ", ".join(f"a{i}" for i in range(k))
        define += f"  f{k}({names}): f{k + 1}({names}, 1) and f{k + 1}({names}, hearts)\n"
    define += f"  f40({', '.join(f'a{i}' for i in range(40))}): true\n"
    found = errors(tmp_path, asking("{when: f1 of QS}", define))
    assert "E404" in {d.code for d in found}


# ---- cards, places, pieces ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("standard: 1", "standard: 1000", "E508"),
        ("standard: 1", "standard: 1, add: {joker: 999999999}", "E508"),
        ("discard: {}", "discard: {each: 1..999999999}", "E508"),
        ("discard: {}", "discard: {each: [1..1000, 1..1000, 1..1000]}", "E508"),
        ("pack: {standard: 1}", "pack: {standard: 1}\nranks: [1..1000]", "E508"),
        ("pack: {standard: 1}", "pack: {standard: 1}\nrequire: {r: {law: 1 > 2, message: never}}", "E520"),
    ],
)
def test_what_no_number_of_players_can_play_with(tmp_path: Path, old: str, new: str, code: str) -> None:
    (found,) = errors(tmp_path, asking("{effect: stay}").replace(old, new))
    assert found.code == code


def test_what_some_numbers_of_players_cannot_play_with_is_a_warning(tmp_path: Path) -> None:
    text = asking("{effect: stay}").replace("standard: 1", "standard: {by: players, 4: 1000, else: 1}")
    assert [(d.severity, d.code) for d in validate(written(tmp_path, text)) if d.code != "W601"] == [
        ("warning", "W602")
    ]
    with pytest.raises(OptionError, match="1,000 packs"):
        load(tmp_path / "large.yaml").game(4)


def test_pieces_without_end(tmp_path: Path) -> None:
    state = game(tmp_path, asking("{effect: set out 1000000 of spoon}", "tokens: {spoon: {}}\n")).start()
    with pytest.raises(RuleError, match="too many pieces are set out: there are 1,000 at most"):
        state.play(0, "x")


def test_a_place_that_is_refilled_from_where_its_cards_go(tmp_path: Path) -> None:
    text = asking("{effect: move 1000000 from stock to discard}").replace(
        "stock: {pack: true}", "stock: {pack: true, refill: {from: discard}}"
    )
    state = game(tmp_path, text).start()
    assert any("999948 cards in stock" in str(event) for event in state.play(0, "x"))


# ---- nesting, and large files ------------------------------------------------------------------------


def test_stages_in_stages(tmp_path: Path) -> None:
    chain = "".join(f"  s{i}: {{do: [s{i + 1}]}}\n" for i in range(100)) + "  s100: {kind: ask, actions: {x: {}}}\n"
    (found,) = errors(tmp_path, HEAD + "flow:\n  match: {do: [s0]}\n" + chain)
    assert (found.code, found.message) == ("E404", "stages are nested more than 40 levels deep")


@pytest.mark.parametrize("what", ["blocks", "loops"])
def test_blocks_in_blocks(tmp_path: Path, what: str) -> None:
    block = "if tally = 0 then" if what == "blocks" else "for q in players do"
    define = f"define:\n  many: {{effect: {' '.join([block] * 7)} stay {'end ' * 7}}}\n"
    inner = "".join(f"  m{i}: {{effect: {' '.join([block] * 7)} m{i - 1} {'end ' * 7}}}\n" for i in range(1, 12))
    found = errors(tmp_path, asking("{effect: m11}", define.replace("many", "m0") + inner))
    assert [d.message for d in found][:1] == [
        f"{what} are nested more than {60 if what == 'blocks' else 12} levels deep"
    ]


def test_a_value_of_too_many_rows(tmp_path: Path) -> None:
    rows = "".join(f'    - ["tally = {i}", {i}]\n' for i in range(200)) + "    - [else, 0]\n"
    (found,) = errors(tmp_path, asking("{when: many > 0}", f"define:\n  many:\n{rows}"))
    assert (found.code, found.message) == ("E404", "there are 201 rows, and 60 are allowed")


def test_a_table_of_many_rows(tmp_path: Path) -> None:
    rows = "".join(f"    {i}: tally + {i}\n" for i in range(500))
    text = asking(
        "{effect: set score of P1 to prize}", f"values:\n  prize:\n    by: tally\n    7..9: 5\n{rows}    else: 3\n"
    )
    state = game(tmp_path, text.replace("to hand,", "to hand; set tally to 8,")).start()
    state.play(0, "x")
    assert state.value("score", 0) == 16


@pytest.mark.parametrize(
    ("collection", "row"),
    [
        ("options", "  o{}: {{type: integer, default: 1}}\n"),
        ("define", "  d{}: {}\n"),
        ("define", "  d{}(p): score of p + {}\n"),
        ("define", "  d{}: {{effect: stay}}\n"),
        ("values", "  v{}: {{hearts: 1}}\n"),
        ("tokens", "  t{}: {{}}\n"),
    ],
)
def test_a_large_file_takes_its_time_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, collection: str, row: str
) -> None:
    monkeypatch.setattr(amounts, "MAX_OF", {})  # what grows with the square shows only beyond what is allowed

    def seconds(count: int) -> float:
        path = written(tmp_path, asking("{}", f"{collection}:\n" + "".join(row.format(i, i) for i in range(count))))
        before = time.process_time()
        assert not [d for d in validate(path) if d.severity == "error"]
        return time.process_time() - before

    seconds(10)
    small, large = (min(seconds(count) for _ in range(2)) for count in (150, 600))  # others use the machine, too
    assert large < 8 * small + 0.5  # in proportion it is 4, and 16 if it grows with the square


def test_an_overlay_may_be_as_large_as_a_ruleset(tmp_path: Path) -> None:
    written(tmp_path, asking("{}"))
    notes = "".join(f"  - {'told ' * 390}\n" for _ in range(130))
    for name, extends in (("first", "large.yaml"), ("second", "first.yaml")):
        text = f"format: 1\nid: {name}\nextends: {extends}\nabout: much\nnotes:\n{notes}"
        assert 250_000 < len(text) < 262_144
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    assert validate(tmp_path / "first.yaml") == []
    assert validate(tmp_path / "second.yaml")[0].message.startswith("the files that extend one another are too large")


def test_a_hundred_mistakes_are_enough(tmp_path: Path) -> None:
    define = "define:\n" + "".join(f"  d{i}: nothing{i}\n" for i in range(400))
    assert len(errors(tmp_path, asking("{}", define))) == 100


def many(row: str, count: int) -> str:
    return "".join(row.format(i) for i in range(count))


@pytest.mark.parametrize(
    ("what", "most", "row"),
    [
        ("definitions", 500, "  d{0}: {0}\n"),
        ("options", 200, "  o{}: {{type: integer, default: 1}}\n"),
        ("tables", 100, "  v{}: {{hearts: 1}}\n"),
        ("tokens", 100, "  t{}: {{}}\n"),
        ("variants", 200, "  a{}: {{}}\n"),
        ("requirements", 100, "  r{}: {{law: 1 < 2, message: never}}\n"),
    ],
)
def test_no_more_is_declared_than_can_be_looked_at_in_time(tmp_path: Path, what: str, most: int, row: str) -> None:
    key = amounts.MAX_OF[what][0]
    (found,) = errors(tmp_path, asking("{}", f"{key}:\n" + many(row, most + 1)))
    assert (found.code, found.message) == ("E404", f"there are {most + 1} {what}, and {most} are allowed")
    assert errors(tmp_path, asking("{}", f"{key}:\n" + many(row, most))) == []


def test_no_more_stages_than_can_be_looked_at_in_time(tmp_path: Path) -> None:
    def stages(count: int) -> str:
        names = [f"w{i}" for i in range(count)]
        text = asking("{}").replace("do: [go]", f"do: [go, {', '.join(names)}]")
        return text + "".join(f"  {name}: {{effect: add 1 to tally}}\n" for name in names)

    assert errors(tmp_path, stages(118)) == []
    (found,) = errors(tmp_path, stages(119))
    assert (found.code, found.message) == ("E404", "there are 121 stages, and 120 are allowed")


@pytest.mark.parametrize(
    ("what", "most", "there", "row"),
    [
        ("variables", 300, "tally:", "w{}: {{type: integer, lasts: match}}, "),
        ("zones", 200, "hand:", "w{}: {{}}, "),
        ("actions", 150, "      x:", "      w{}: {{}}\n"),
    ],
)
def test_no_more_places_and_moves_than_can_be_looked_at_in_time(
    tmp_path: Path, what: str, most: int, there: str, row: str
) -> None:
    text = asking("{}")
    assert there in text
    (found,) = errors(tmp_path, text.replace(there, many(row, most) + there, 1))
    assert found.code == "E404" and f"{what}, and {most} are allowed" in found.message
    assert errors(tmp_path, text.replace(there, many(row, most - 5) + there, 1)) == []


WORDS = ", ".join(f"w{i}" for i in range(600))
ITEMS = ", ".join(map(str, range(167)))


@pytest.mark.parametrize(
    ("rows", "choose"),
    [
        (f"options: {{o: {{type: choice, choices: [{WORDS}], default: w0}}}}\n", "{choice: [{}]}"),
        (f"options: {{o: {{type: list of choice, choices: [{WORDS}], default: [w0]}}}}\n", "{choice: [{}]}"),
    ],
)
def test_no_more_words_are_to_choose_from_than_can_be_looked_at_in_time(tmp_path: Path, rows: str, choose: str) -> None:
    def found(count: int) -> list[Diagnostic]:
        words = ", ".join(f"v{i}" for i in range(count))
        return errors(tmp_path, asking(f"{{choose: {{w: {choose.replace('{}', words)}}}}}", rows))

    assert found(400) == []
    (refused,) = found(401)
    assert (refused.code, refused.line) == ("E404", 14)
    assert refused.message == "there are 1,001 words to choose from, and 1,000 are allowed"


@pytest.mark.parametrize("where", ["state", "with", "row"])
def test_words_are_counted_wherever_they_are_listed(tmp_path: Path, where: str) -> None:
    words = ", ".join(f"v{i}" for i in range(1_001))
    kind = f"{{type: choice, choices: [{words}]}}"
    text = {
        "state": asking("{}").replace("match}}\n", f"match}}, mood: {kind[:-1]}, lasts: match}}}}\n"),
        "with": asking("{}") + f"  side: {{kind: ask, with: {{mood: {kind}}}, actions: {{y: {{}}}}}}\n",
        "row": asking("{}", f"cards: {{QS: {{choose: {{w: {{choice: [{words}]}}}}}}}}\n"),
    }[where]
    (refused,) = errors(tmp_path, text)
    assert (refused.code, refused.message) == ("E404", "there are 1,001 words to choose from, and 1,000 are allowed")


def test_no_more_items_are_listed_by_options_than_can_be_looked_at_in_time(tmp_path: Path) -> None:
    def found(last: str) -> list[Diagnostic]:
        rows = "".join(f"  o{i}: {{type: list of integer, default: [{ITEMS}]}}\n" for i in range(4))
        by = f"{{by: players, 2: [{ITEMS}], else: [{last}]}}"
        more = f"  o4: {{type: list of integer, default: {by}}}\nvariants: {{a: {{set: {{o0: [1, 2]}}}}}}\n"
        return errors(tmp_path, asking("{}", f"options:\n{rows}{more}"))

    assert found(", ".join(map(str, range(163)))) == []
    (refused,) = found(", ".join(map(str, range(164))))
    assert (refused.code, refused.line) == ("E404", 14)
    assert refused.message == "there are 1,001 items in lists of options, and 1,000 are allowed"


def test_a_list_has_two_hundred_items(tmp_path: Path) -> None:
    def text(count: int) -> str:
        items = ", ".join(map(str, range(count)))
        return asking("{}", f"options: {{o: {{type: list of integer, default: [{items}]}}}}\n")

    assert errors(tmp_path, text(200)) == []
    (refused,) = errors(tmp_path, text(201))
    assert (refused.code, refused.line) == ("E508", 8)
    assert refused.message == "the default of 'o' lists 201 values, and 200 are allowed"
    ruleset = load(written(tmp_path, text(3)))
    ruleset.game(options={"o": list(range(200))})
    with pytest.raises(OptionError, match="option 'o' lists 201 values, and 200 are allowed"):
        ruleset.game(options={"o": list(range(201))})


def test_words_that_begin_others_are_found_however_many_there_are(tmp_path: Path) -> None:
    words = ", ".join(f"a w{i}" for i in range(900))
    choose = f"{{choose: {{w: {{choice: [{words}, a]}}, v: {{choice: [w899, w3]}}}}}}"
    (found,) = errors(tmp_path, asking(choose))
    assert (found.code, found.line) == ("E522", 13)
    assert found.message == "'a' cannot be chosen for 'w': what is chosen next could make it read as 'a w3'"


def test_a_list_option_is_written_down_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.compiler.lower import lowering

    known: list[object] = []
    real = lowering.given_value
    monkeypatch.setattr(
        lowering, "given_value", lambda layout, value, kind: (known.append(value), real(layout, value, kind))[1]
    )
    kind = "type: list of integer"
    options = f"options: {{o: {{{kind}, default: [1, 2]}}, p: {{{kind}, default: [3], each: player}}}}\n"
    asked = " or ".join(["tally in o or tally in p of actor"] * 50)
    game(tmp_path, asking(f"{{when: {asked}}}", options), players=2)
    assert known.count((1, 2)) == 3 and known.count((3,)) == 2 + 2 + 4  # for two, on honour, for four


@pytest.mark.parametrize(
    ("what", "key", "of_one"), [("parameters", "choose", 10), ("laws", "must", 40), ("measures", "measured", 40)]
)
def test_no_more_is_chosen_and_asked_than_can_be_looked_at_in_time(
    tmp_path: Path, what: str, key: str, of_one: int
) -> None:
    each = {"choose": "p{}: {{{{number: 1..1}}}}", "must": "l{}: tally > 1", "measured": "h{}: 0..9"}[key]
    row = f"      w{{}}: {{{{{key}: {{{{" + ", ".join(each.format(i) for i in range(of_one)) + "}}}}\n"
    count = 400 // of_one
    assert errors(tmp_path, asking("{}") + many(row, count)) == []
    (found,) = errors(tmp_path, asking("{}") + many(row, count + 1))
    assert found.message == f"there are {(count + 1) * of_one} {what} of actions, and 400 are allowed"


def test_a_long_ruleset_has_fewer_patches(tmp_path: Path) -> None:
    def text(patches: int, words: int) -> str:
        rows = "".join(f"  a{i}: {{patch: {{name: Another}}}}\n" for i in range(patches))
        notes = ", ".join(["word " * 200] * (words // 200) + ["word"])
        return asking("{}", f"notes: [{notes}]\nvariants:\n{rows}")

    assert errors(tmp_path, text(20, 10)) == []
    (found,) = errors(tmp_path, text(21, 10))
    assert (found.code, found.line) == ("E404", 30)
    assert found.message == "21 variants have a patch, and 20 are allowed"
    (found,) = errors(tmp_path, text(20, 1_600))
    assert (found.code, found.line) == ("E404", 10 + 10)
    assert found.message == "20 variants have a patch, and 10 are allowed in a ruleset as long as this"
    assert errors(tmp_path, text(1, 20_000)) == []


def test_a_text_is_parsed_once_however_many_patches_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.language import parser

    parsed: list[str] = []
    real = parser._read
    monkeypatch.setattr(parser, "_read", lambda source, *rest: (parsed.append(source.text), real(source, *rest))[1])
    patches = "".join(f"  a{i}: {{patch: {{flow: {{go: {{until: tally > {i}}}}}}}}}\n" for i in range(5))
    assert errors(tmp_path, asking("{when: tally < 17}", f"variants:\n{patches}")) == []
    assert parsed.count("tally < 17") == 1


def test_a_long_definition_is_not_used_everywhere(tmp_path: Path) -> None:
    define = "define:\n  long: " + " + ".join(f"{i} * tally" for i in range(50)) + "\n"
    assert errors(tmp_path, asking("{}", define) + many("      w{}: {{when: long > 3}}\n", 20)) == []
    (found,) = errors(tmp_path, asking("{}", define) + many("      w{}: {{when: long > 3}}\n", 100))
    assert found.code == "E404" and "written out" in found.message


def test_effects_written_out_are_not_too_many(tmp_path: Path) -> None:
    define = "define:\n  long: {effect: " + "; ".join(["add 1 to tally"] * 50) + "}\n"
    more = "".join(f"      y{i}: {{effect: long}}\n" for i in range(100))
    assert [d.code for d in errors(tmp_path, asking("{effect: long}", define) + more)] == ["E404"]


def test_requirements_on_cards_are_asked_without_a_program_for_each_number_of_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter import compiler as compiling

    printed: list[int] = []
    real = compiling._lowered

    def lowered(layout: Any, *rest: Any, **more: Any) -> Any:
        printed.append(layout.n)
        return real(layout, *rest, **more)

    monkeypatch.setattr(compiling, "_lowered", lowered)
    require = "require: {r: {law: any c in pack has c = QS, message: no}}\n"
    text = asking("{}", require, "deal 1 from stock to hand").replace("max: 4", "max: 13")
    assert errors(tmp_path, text) == []
    assert printed == [2, 2, 13]


def test_definitions_upon_definitions_are_written_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(length, "MAX_PARTS", 10_000_000)  # so many would be refused before
    monkeypatch.setattr(definitions, "MAX_WEIGHT", 25_000)
    define = "define:\n  d0: tally + 1\n" + "".join(f"  d{i}: d{i - 1} + d{i - 1}\n" for i in range(1, 13))
    more = "".join(f"      y{i}: {{when: d12 > {i}}}\n" for i in range(100))
    assert errors(tmp_path, asking("{when: d12 > 0}", define) + more) == []


# ---- files that lie on one another -------------------------------------------------------------------

LAID = "format: 1\nid: laid{}\nname: Laid\n"


def laid(folder: Path, *texts: str, base: str = "") -> list[Diagnostic]:
    """What is said of overlays that lie on a base, in order."""
    written(folder, asking("{}", base))
    paths = []
    for at, text in enumerate(texts):
        paths.append(folder / f"laid{at}.yaml")
        paths[-1].write_text(LAID.format(at) + text, encoding="utf-8")
    return validate(folder / "large.yaml", paths)


def names(count: int) -> list[str]:
    """Names that are like one another, but not very."""
    letters = [*"abcdefghij"]
    found = []
    for i in range(count):
        first, second = letters[i % 10 :] + letters[: i % 10], letters[i // 10 :] + letters[: i // 10]
        found.append("".join([*first, *second]))
    return found


def test_an_overlay_is_counted_before_its_stages_are_placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.language.overlay import merging

    arranged: list[int] = []
    real = merging.arrange
    monkeypatch.setattr(merging, "arrange", lambda *rest: (arranged.append(len(rest[2])), real(*rest))[1])

    def stages(count: int, name: str = "w") -> str:
        rows = (f"  {name}{i}: {{effect: stay, before: {name}{i + 1}}}\n" for i in range(count - 1))
        return f"flow:\n{''.join(rows)}  {name}{count - 1}: {{effect: stay, before: go}}\n"

    assert [d for d in laid(tmp_path, stages(118)) if d.severity == "error"] == []
    assert arranged == [118]
    (found,) = laid(tmp_path, stages(121))
    assert (found.code, found.file, found.line) == ("E404", str(tmp_path / "laid0.yaml"), 4)
    assert found.message == "there are 121 stages, and 120 are allowed"
    for more in ([], [stages(100, "u")]):  # nothing is laid on what is too much already
        errors = [d for d in laid(tmp_path, stages(90), stages(100, "v"), *more) if d.severity == "error"]
        assert {d.code for d in errors} == {"E404"}
        assert any("192 stages, and 120 are allowed" in d.message for d in errors)
    assert arranged == [118, 90, 100, 90, 100]


def test_what_two_overlays_set_is_found_without_comparing_all(tmp_path: Path) -> None:
    from interpreter.base.diagnostics import Report
    from interpreter.language.overlay.settings import warn_both
    from interpreter.language.source import Mapping, parse_text

    def lines(count: int) -> int:
        overlays = []
        for word in "ab":
            rows = "".join(f"    {word}{i}: 1\n" for i in range(count))
            overlays.append(parse_text(f"values:\n  t{word}:\n{rows}", f"{word}.yaml", Report()))
        one, two = overlays
        assert isinstance(one, Mapping) and isinstance(two, Mapping)
        counted = 0

        def trace(frame: FrameType, event: str, _: object) -> object:
            nonlocal counted
            counted += event == "line" and frame.f_code.co_filename.endswith("settings.py")
            return trace

        sys.settrace(trace)
        try:
            warn_both(one, two, Report())
        finally:
            sys.settrace(None)
        return counted

    assert lines(200) < 3 * lines(100)


def test_of_much_that_two_overlays_set_the_first_hundred_are_told(tmp_path: Path) -> None:
    one, two = ("values:\n  t:\n" + "".join(f"    {i}: {value}\n" for i in range(150)) for value in (1, 2))
    found = laid(tmp_path, one, two, base="values: {t: {by: tally, else: 0}}\n")
    assert [d.code for d in found].count("W302") == 100


def test_a_hundred_mistakes_in_merging_are_enough(tmp_path: Path) -> None:
    gone = "values:\n  t:\n" + "".join(f"    {i}: null\n" for i in range(150))
    found = laid(tmp_path, gone, base="values: {t: {by: tally, 200: 1, else: 0}}\n")
    assert [d.code for d in found] == ["E304"] * 100


def test_not_all_new_names_are_compared_with_those_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter.language.overlay import near_names

    compared: list[int] = []
    real = near_names.SequenceMatcher
    monkeypatch.setattr(near_names, "SequenceMatcher", lambda *rest: (compared.append(1), real(*rest))[1])
    there, new = names(100), [name.upper() for name in names(100)]
    base = "define:\n" + "".join(f"  {name}: 1\n" for name in there)
    over = "define:\n" + "".join(f"  {name}: 1\n" for name in new)
    assert [d for d in laid(tmp_path, over, base=base) if d.severity == "error"] == []
    assert len(compared) == near_names.MOST_PAIRS
    near = next(d for d in laid(tmp_path, f"define: {{{there[7]}s: 1}}\n", base=base) if d.code == "W301")
    assert near.line == 4


# ---- nothing half done -------------------------------------------------------------------------------


def test_a_tick_that_the_rules_cannot_finish_leaves_nothing(tmp_path: Path) -> None:
    text = (
        asking("{effect: add 1 to tally}", kind="race")
        .replace("tally: {", "tally: {max: 3, ")
        .replace("    kind: race\n", "    kind: race\n    until: tally > 900\n")
    )
    state = game(tmp_path, text).start()
    state.play(0, "x")
    state.play_together([(1, "x", {})])
    before = state.to_json()
    with pytest.raises(RuleError, match="'tally' would become 4"):
        state.play_together([(0, "x", {}), (1, "x", {})])
    assert state.to_json() == before
    state.play(1, "x")
    assert state.value("tally") == 3


@pytest.mark.parametrize("kind", ["ask", "turn", "race"])
@pytest.mark.parametrize("measured", ["", "measured: {hold: 0..2}, "])
def test_bulk_play_that_the_rules_cannot_finish(tmp_path: Path, kind: str, measured: str) -> None:
    text = asking(f"{{{measured}choose: {{n: {{number: 1..2}}}}, effect: add 1 to tally; stay}}", kind=kind)
    found = game(tmp_path, text.replace("tally: {", "tally: {max: 30, "))
    state = found.start(seed=5)
    for _ in range(3):
        state.play(state.actors[0], "x 1", **({"hold": 1} if measured else {}))
    before = state.to_json()
    for _ in range(2):
        with pytest.raises(RuleError, match="'tally' would become 31, but it goes from -1000000 to 30") as stopped:
            found.playouts(3, seed=1)
        assert stopped.value.span is not None
    assert state.to_json() == before
    assert found.start(seed=5).value("tally") == 0


def test_what_a_law_cannot_answer_is_told_with_its_place(tmp_path: Path) -> None:
    options = "options: {words: {type: list of choice, choices: [a, b], default: [a]}}\n"
    state = game(tmp_path, asking('{must: {l: "item(tally, words) = a"}}', options)).start()
    before = state.to_json()
    with pytest.raises(RuleError, match="the list has no such item") as stopped:
        state.legal_moves(0)
    assert stopped.value.span is not None
    with pytest.raises(RuleError, match="the list has no such item"):
        state.play(0, "x")
    assert state.to_json() == before


def test_a_measure_that_cannot_be(tmp_path: Path) -> None:
    state = game(tmp_path, asking("{measured: {hold: 5..2}}")).start()
    with pytest.raises(RuleError, match="the least 'hold' of the action 'x' is above its most"):
        state.play(0, "x")


def test_requirements_take_less_where_they_are_asked_again_for_each_number_of_players(tmp_path: Path) -> None:
    law = "all r in ranks have all s in ranks have all q in ranks have place of r + place of s + place of q > 0"
    laws = "".join(f"  r{i}: {{law: {law}, message: no}}\n" for i in range(60))
    for players, codes in (("{min: 2, max: 2}", set()), ("{min: 2, max: 16}", {"E521"})):
        path = tmp_path / "required.yaml"
        path.write_text(
            f"format: 1\nid: required\nname: Required\nplayers: {players}\npack: {{standard: 1}}\n"
            f"zones: {{stock: {{pack: true}}, hand: {{each: player}}}}\nrequire:\n{laws}"
            "flow: {match: {setup: deal 1 from stock to hand, do: [go]}, go: {kind: ask, actions: {x: {}}}}\n"
        )
        assert {d.code for d in validate(path) if d.severity == "error"} == codes


def test_a_text_that_doubles_under_one_name_after_the_other_is_too_long(tmp_path: Path) -> None:
    doubled = "".join(f'let a{n + 1} be "{{a{n}}}{{a{n}}}"; ' for n in range(30))
    text = asking("{effect: 'let a0 be \"" + "a" * 40 + '"; ' + doubled + 'note "{a30}"\'}')
    state = game(tmp_path, text).start()
    with pytest.raises(RuleError, match="this text is too long"):
        state.play(0, "x")


def test_texts_that_never_change_double_no_longer_than_those_of_play(tmp_path: Path) -> None:
    named = "".join(f", a{n + 1}: '\"{f'{{a{n}}}' * 8}\"'" for n in range(9))
    define = f"define: {{long: {{let: {{a0: '\"x\"'{named}}}, value: length of a9}}}}\n"
    found = validate(written(tmp_path, asking("{when: long > 3}", define)))
    assert [d.code for d in found if "this text is too long" in d.message or d.severity == "error"] == ["W606"]


SUMS = "define:\n  upto(n): sum (sum j for j in 1..n) for i in 1..n\n"


@pytest.mark.parametrize(("number", "well"), [("13", True), ("number of go + 12", False), ("tally", False)])
def test_a_range_that_ends_at_what_a_definition_is_given_is_as_long_as_that(
    tmp_path: Path, number: str, well: bool
) -> None:
    text = asking(f"{{effect: add upto({number}) to tally}}", SUMS, kind="turn")
    assert [found.code for found in errors(tmp_path, text)] == ([] if well else ["E521"])


def test_a_range_that_ends_at_what_is_chosen_is_as_long_as_that(tmp_path: Path) -> None:
    law = "must: {a: upto(n) + upto(n - 1) < 10000}"
    small = game(tmp_path, asking(f"{{choose: {{n: {{number: 1..13}}, m: {{number: 1..n}}}}, {law}}}", SUMS))
    assert moves_of(small.start()) == 13 * 14 // 2
    large = asking(f"{{choose: {{n: {{number: 1..1000}}, m: {{number: 1..n}}}}, {law}}}", SUMS)
    assert [found.code for found in errors(tmp_path, large)] == ["E521"]


def test_what_is_given_other_numbers_elsewhere_is_counted_in_play(tmp_path: Path) -> None:
    """A definition is printed once: that it is short where it is given 13 says nothing of it given 10,000."""
    extra = "define:\n  upto(n): sum j for j in 1..n\n"
    text = asking(
        "{when: upto(13) > 0, choose: {a: {number: 1..30}}, effect: for i in 1..900 do set tally to upto(tally) end}",
        extra,
        kind="turn",
    ).replace("tally: {type: integer", "tally: {type: integer, default: 9999")
    state = game(tmp_path, text).start()
    with pytest.raises(RuleError):
        state.play(0, "x 1")
