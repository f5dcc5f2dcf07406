"""Overlays. Every change by name, and the full printed text of every finding."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from where import TESTS

from interpreter.api.game import load
from interpreter.api.validation import validate
from interpreter.base.diagnostics import Report, RulesetError, Span, render
from interpreter.language import overlay
from interpreter.language.overlay import Resolved, apply_patch, locate, merge, removals, resolve, shipped, shipped_as
from interpreter.language.overlay import files as overlay_files
from interpreter.language.source import Mapping, Node, Scalar, parse_text, to_plain

BASE = """\
format: 1
id: plain
name: Plain
players: {min: 3, max: 5, default: 4}
options:
  target: {type: integer, min: 1, max: 1000, default: 100}
  jokers: {type: flag, default: false}
variants:
  short: {doc: To fifty., set: {target: 50}}
pack: {standard: 1, remove: {by: players, 3: [2D], 5: [2D, 2C]}, add: {joker: 2}}
values:
  points: {hearts: 1, QS: 13, else: 0}
  deal_size: {by: players, 3..4: 7, else: 5}
cards:
  8: {say: "Eight!", effect: skip left of actor}
  K: {say: {name: "King!", price: {words: "Pay!", when: broken}}, effect: again}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner, capacity: 20}
  trick: {seen by: everyone}
  taken: {each: player, seen by: none}
tokens:
  spoon: {doc: To grab.}
state:
  score: {each: player, type: integer, lasts: match}
  broken: {type: flag, lasts: deal}
define:
  fits(card): card.suit = led
  opener: {value: 2C, seen by: everyone}
  strength(card):
    - [card = QS, 20]
    - [else, 1]
require:
  room: {law: target > 1, message: too small}
flow:
  match: {repeat: deal, until: any p in players has score of p >= target}
  deal:
    setup: shuffle stock
    do: [passing, tricks, count]
    next dealer: left
  passing:
    kind: simultaneous
    actions:
      pass:
        choose: {card: {from: hand}}
        label: {actor = dealer: push, else: pass}
        effect: move card to taken
  tricks:
    kind: trick
    lead:
      must:
        closed: {law: broken or card.suit != hearts, message: "hearts are closed"}
    follow:
      must:
        follow_suit: card.suit = led or void in led
        no_points: trick number > 1
  count: {kind: effect, effect: add 1 to score of actor}
  penalty: {kind: effect, effect: add 5 to score of actor}
"""

HEAD = "format: 1\nid: house\nextends: plain\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, beside a library with one shipped ruleset."""
    library = tmp_path / "library" / "rulesets"
    library.mkdir(parents=True)
    (library / "plain.yaml").write_text(BASE)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(overlay_files, "find", lambda relative: tmp_path / "library" / relative)
    return tmp_path


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def parsed(text: str, file: str = "x.yaml") -> Mapping:
    report = Report()
    node = parse_text(dedent(text), file, report)
    assert isinstance(node, Mapping), report.diagnostics
    return node


def printed(report: Report) -> str:
    shown = []
    for found in report.sorted():
        path = Path(found.file)
        shown.append(render(found, path.read_text() if path.is_file() else None))
    return "\n".join(shown)


def house(text: str) -> tuple[Resolved | None, Report]:
    """The overlay `text`, which begins on line 4 of home/house.yaml, laid on the shipped base."""
    write("home/house.yaml", HEAD + dedent(text))
    report = Report()
    return resolve("home/house.yaml", report), report


def changed(text: str) -> dict[str, Any]:
    """The base with the overlay `text`, which has no fault, as plain data."""
    resolved, report = house(text)
    assert printed(report) == ""
    assert resolved is not None
    plain = to_plain(resolved.node)
    assert isinstance(plain, dict)
    return plain


def at(node: Node, *path: str) -> Node:
    for key in path:
        assert isinstance(node, Mapping)
        node = node.entries[key]
    return node


def base() -> dict[str, Any]:
    plain = to_plain(parsed(BASE))
    assert isinstance(plain, dict)
    return plain


# ---- adding, changing and removing by name ----------------------------------------------------


def expect(text: str, path: str, value: object) -> None:
    """The overlay `text` makes `value` of what is at `path` and leaves all else as it was."""
    whole = changed(text)
    *above, last = path.split("/")
    wanted = base() | {"id": "house"}
    inner: Any = wanted
    for key in above:
        inner = inner.setdefault(key, {})
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    assert whole == wanted


ADDED = [
    ("options: {length: {type: integer, default: 3}}", "options/length", {"type": "integer", "default": 3}),
    ("variants: {long: {set: {target: 500}}}", "variants/long", {"set": {"target": 500}}),
    ("values: {points: {JD: -10}}", "values/points", {"hearts": 1, "QS": 13, "else": 0, "JD": -10}),
    ("values: {deal_size: {5: 6}}", "values/deal_size", {"by": "players", "3..4": 7, "else": 5, "5": 6}),
    ("values: {worth: {A: 1, else: 0}}", "values/worth", {"A": 1, "else": 0}),
    ("values: {worth: {red: 1, black: 0}}", "values/worth", {"red": 1, "black": 0}),
    ("cards: {7: {effect: again}}", "cards/7", {"effect": "again"}),
    ("cards: {8: {choose: {to: {players: others}}}}", "cards/8/choose", {"to": {"players": "others"}}),
    ("zones: {widow: {seen by: none}}", "zones/widow", {"seen by": "none"}),
    ("tokens: {chip: {doc: To pay.}}", "tokens/chip", {"doc": "To pay."}),
    ("state: {calls: {type: integer, lasts: deal}}", "state/calls", {"type": "integer", "lasts": "deal"}),
    ("define: {high(card): card.rank = A}", "define/high(card)", "card.rank = A"),
    ("orders: {low: [2, 3]}", "orders/low", [2, 3]),
    ("pack: {add: {big_joker: 1}}", "pack/add", {"joker": 2, "big_joker": 1}),
    ("require: {big: {law: target > 2, message: no}}", "require/big", {"law": "target > 2", "message": "no"}),
    ("flow: {extra: {kind: effect, effect: again}}", "flow/extra", {"kind": "effect", "effect": "again"}),
    ("flow: {passing: {actions: {keep: {}}}}", "flow/passing/actions/keep", {}),
    ("flow: {deal: {anytime: {cough: {talk: true}}}}", "flow/deal/anytime", {"cough": {"talk": True}}),
    ("flow: {tricks: {lead: {must: {low: card = 2C}}}}", "flow/tricks/lead/must/low", "card = 2C"),
    ("flow: {passing: {actions: {pass: {must: {m: broken}}}}}", "flow/passing/actions/pass/must", {"m": "broken"}),
    ('flow: {passing: {actions: {pass: {say: "Mm"}}}}', "flow/passing/actions/pass/say", "Mm"),
    (
        "flow: {passing: {actions: {pass: {choose: {to: {players: others}}}}}}",
        "flow/passing/actions/pass/choose/to",
        {"players": "others"},
    ),
    ("flow: {penalty: {with: {who: player}}}", "flow/penalty/with", {"who": "player"}),
    ("honor: {claim: revoke}", "honor", {"claim": "revoke"}),
    ("teams: {size: 2}", "teams", {"size": 2}),
]


@pytest.mark.parametrize(("text", "path", "value"), ADDED, ids=[text for text, _, _ in ADDED])
def test_what_is_new_is_added(text: str, path: str, value: object) -> None:
    expect(text, path, value)


CHANGED = [
    ("name: House", "name", "House"),
    ("about: Ours.", "about", "Ours."),
    ("players: {max: 4}", "players", {"min": 3, "max": 4, "default": 4}),
    ("options: {target: {default: 75}}", "options/target/default", 75),
    ("variants: {short: {set: {jokers: true}}}", "variants/short/set", {"target": 50, "jokers": True}),
    ("values: {points: {QS: 5}}", "values/points/QS", 5),
    ("cards: {8: {effect: again}}", "cards/8/effect", "again"),
    ("zones: {hand: {capacity: 9}}", "zones/hand/capacity", 9),
    ("tokens: {spoon: {doc: To take.}}", "tokens/spoon/doc", "To take."),
    ("state: {score: {min: 0}}", "state/score", {"each": "player", "type": "integer", "lasts": "match", "min": 0}),
    ("define: {fits(card): card.suit = hearts}", "define/fits(card)", "card.suit = hearts"),
    ("pack: {add: {joker: 1}}", "pack/add/joker", 1),
    ("pack: {standard: 2}", "pack/standard", 2),
    ("require: {room: {message: far too small}}", "require/room/message", "far too small"),
    ("flow: {deal: {next dealer: right}}", "flow/deal/next dealer", "right"),
    ("flow: {deal: {do: [tricks, count]}}", "flow/deal/do", ["tricks", "count"]),
    ("flow: {passing: {actions: {pass: {effect: again}}}}", "flow/passing/actions/pass/effect", "again"),
    ("flow: {tricks: {follow: {must: {no_points: broken}}}}", "flow/tricks/follow/must/no_points", "broken"),
]


@pytest.mark.parametrize(("text", "path", "value"), CHANGED, ids=[text for text, _, _ in CHANGED])
def test_what_is_there_is_changed(text: str, path: str, value: object) -> None:
    expect(text, path, value)


REMOVED = [
    ("options: {jokers: null}", "options/jokers"),
    ("options: {target: {max: null}}", "options/target/max"),
    ("variants: {short: null}", "variants/short"),
    ("variants: null", "variants"),
    ("values: {points: {QS: null}}", "values/points/QS"),
    ("values: {points: null}", "values/points"),
    ("cards: {8: null}", "cards/8"),
    ("cards: {8: {say: null}}", "cards/8/say"),
    ("cards: {K: {say: {price: null}}}", "cards/K/say/price"),
    ("zones: {taken: null}", "zones/taken"),
    ("tokens: {spoon: null}", "tokens/spoon"),
    ("state: {broken: null}", "state/broken"),
    ("define: {opener: null}", "define/opener"),
    ("define: {fits(card): null}", "define/fits(card)"),
    ("define: {fits: null}", "define/fits(card)"),
    ("pack: {add: {joker: null}}", "pack/add/joker"),
    ("require: {room: null}", "require/room"),
    ("flow: {penalty: null}", "flow/penalty"),
    ("flow: {passing: {actions: {pass: null}}}", "flow/passing/actions/pass"),
    ("flow: {passing: {actions: {pass: {choose: {card: null}}}}}", "flow/passing/actions/pass/choose/card"),
    ("flow: {tricks: {follow: {must: {no_points: null}}}}", "flow/tricks/follow/must/no_points"),
]


@pytest.mark.parametrize(("text", "path"), REMOVED, ids=[text for text, _ in REMOVED])
def test_null_removes(text: str, path: str) -> None:
    expect(text, path, None)


def test_new_entries_follow_those_of_the_base_in_order() -> None:
    options = changed("options: {a: {type: flag}, target: {default: 5}, b: {type: flag}}")["options"]
    assert list(options) == ["target", "jokers", "a", "b"]


def test_new_labels_go_first_because_the_first_that_holds_counts() -> None:
    label = changed("flow: {passing: {actions: {pass: {label: {broken: shove}}}}}")["flow"]["passing"]["actions"][
        "pass"
    ]
    assert list(label["label"]) == ["broken", "actor = dealer", "else"]


# ---- short forms ------------------------------------------------------------------------------


def test_a_message_joins_a_law_given_as_text() -> None:
    laws = changed("flow: {tricks: {follow: {must: {no_points: {message: not yet}}}}}")["flow"]["tricks"]["follow"]
    assert laws["must"]["no_points"] == {"law": "trick number > 1", "message": "not yet"}


def test_a_law_given_as_text_leaves_the_message_as_it_is() -> None:
    laws = changed("flow: {tricks: {lead: {must: {closed: broken}}}}")["flow"]["tricks"]["lead"]
    assert laws["must"]["closed"] == {"law": "broken", "message": "hearts are closed"}


def test_a_condition_joins_an_announcement_given_as_text() -> None:
    say = changed("cards: {K: {say: {name: {when: broken}, price: Pay up!}}}")["cards"]["K"]["say"]
    assert say == {"name": {"words": "King!", "when": "broken"}, "price": {"words": "Pay up!", "when": "broken"}}


def test_a_condition_joins_a_say_that_is_one_text() -> None:
    assert changed("cards: {8: {say: {when: broken}}}")["cards"]["8"]["say"] == {"words": "Eight!", "when": "broken"}


def test_one_announcement_and_several_replace_each_other() -> None:
    cards = changed('cards: {8: {say: {loud: "Eight!!"}}, K: {say: "King!"}}')["cards"]
    assert cards["8"]["say"] == {"loud": "Eight!!"}
    assert cards["K"]["say"] == "King!"


def test_a_mapping_joins_a_definition_given_as_text_or_list() -> None:
    define = changed("define: {fits(card): {doc: D}, strength(card): {doc: E}}")["define"]
    assert define["fits(card)"] == {"value": "card.suit = led", "doc": "D"}
    assert define["strength(card)"] == {"value": [["card = QS", 20], ["else", 1]], "doc": "E"}


def test_a_text_replaces_only_the_value_of_a_definition() -> None:
    assert changed("define: {opener: 3C}")["define"]["opener"] == {"value": "3C", "seen by": "everyone"}


def test_an_effect_drives_out_the_value_of_a_definition() -> None:
    assert changed("define: {opener: {effect: again}}")["define"]["opener"] == {
        "effect": "again",
        "seen by": "everyone",
    }


def test_a_definition_given_anew_brings_its_parameters() -> None:
    define = changed("define: {fits(c): c.suit = led}")["define"]
    assert list(define) == ["fits(c)", "opener", "strength(card)"]
    assert define["fits(c)"] == "c.suit = led"


def test_a_definition_that_only_gains_a_doc_keeps_its_parameters() -> None:
    assert "fits(card)" in changed("define: {fits: {doc: D}}")["define"]


def test_a_condition_joins_an_added_card_given_as_a_number() -> None:
    assert changed("pack: {add: {joker: {when: jokers}}}")["pack"]["add"]["joker"] == {"count": 2, "when": "jokers"}


# ---- what is taken whole ----------------------------------------------------------------------


def test_a_value_that_depends_is_replaced_whole() -> None:
    assert changed("pack: {remove: {by: players, 3: [3C]}}")["pack"]["remove"] == {"by": "players", "3": ["3C"]}


def test_a_table_under_another_by_is_replaced_whole() -> None:
    assert changed("values: {deal_size: {by: target, else: 6}}")["values"]["deal_size"] == {"by": "target", "else": 6}


def test_a_table_under_the_same_by_is_joined() -> None:
    table = changed("values: {deal_size: {by: players, else: 6}}")["values"]["deal_size"]
    assert table == {"by": "players", "3..4": 7, "else": 6}


def test_replace_takes_the_mapping_whole() -> None:
    whole = changed("values: {points: {replace: true, QS: 1, else: 0}}\nflow: {penalty: {replace: true, kind: claims}}")
    assert whole["values"]["points"] == {"QS": 1, "else": 0}
    assert whole["flow"]["penalty"] == {"kind": "claims"}


def test_replace_takes_all_rows_of_cards() -> None:
    assert changed("cards: {replace: true, 2: {say: Two}}")["cards"] == {"2": {"say": "Two"}}


def test_another_source_drives_out_that_of_a_parameter() -> None:
    action = changed("flow: {passing: {actions: {pass: {choose: {card: {suits: all}}}}}}")["flow"]["passing"]["actions"]
    assert action["pass"]["choose"] == {"card": {"suits": "all"}}


def test_do_drives_out_repeat() -> None:
    match = changed("flow: {match: {do: [deal], until: null}}")["flow"]["match"]
    assert match == {"do": ["deal"]}


def test_the_patch_of_a_variant_is_replaced_whole_and_keeps_its_nulls() -> None:
    write("home/mid.yaml", "format: 1\nid: mid\nextends: plain\nvariants: {v: {patch: {cards: {8: null}}}}\n")
    write("home/top.yaml", "format: 1\nid: top\nextends: mid.yaml\nvariants: {v: {patch: {cards: {K: null}}}}\n")
    report = Report()
    resolved = resolve("home/top.yaml", report)
    assert printed(report) == "" and resolved is not None
    assert to_plain(at(resolved.node, "variants", "v", "patch")) == {"cards": {"K": None}}


# ---- origins ----------------------------------------------------------------------------------


def test_every_piece_keeps_its_place() -> None:
    resolved, _ = house("options: {target: {default: 75}}\n")
    assert resolved is not None
    target = at(resolved.node, "options", "target")
    assert isinstance(target, Mapping)
    assert str(at(target, "default").span) == "home/house.yaml:4:29"
    assert str(target.keys["default"]) == "home/house.yaml:4:20"
    assert str(at(target, "max").span) == "library/rulesets/plain.yaml:6:40"


def test_the_result_names_its_files_and_what_was_removed() -> None:
    resolved, _ = house("flow: {penalty: null}\ndefine: {fits: null}\n")
    assert resolved is not None
    assert resolved.files == ("library/rulesets/plain.yaml", "home/house.yaml")
    assert resolved.ids == ("plain", "house")
    assert {path: str(span) for path, span in resolved.removed.items()} == {
        ("flow", "penalty"): "home/house.yaml:4:8",
        ("define", "fits"): "home/house.yaml:5:10",
    }
    assert "extends" not in resolved.node.entries
    assert to_plain(at(resolved.node, "id")) == "house"


@pytest.mark.parametrize(
    ("below", "above", "found"),
    [
        ("{meld: set, from: hand}", "{from: stock}", {"meld": "set", "from": "stock"}),
        ("{meld: set, from: hand}", "{meld: run}", {"meld": "run", "from": "hand"}),
        ("{melds: set, from: hand}", "{meld: run}", {"meld": "run", "from": "hand"}),
        ("{meld: set, from: hand}", "{players: others}", {"players": "others"}),
        ("{from: hand, count: 2}", "{from: stock}", {"from": "stock", "count": "2"}),
    ],
)
def test_where_melds_come_from_is_changed_without_what_they_are(below: str, above: str, found: dict[str, str]) -> None:
    text = "flow: {lay: {actions: {put: {choose: {m: %s}}}}}"
    base, over = (parse_text(text % node, "x.yaml", Report()) for node in (below, above))
    assert isinstance(base, Mapping) and isinstance(over, Mapping)
    merged: Any = to_plain(merge(base, over, Report()))
    changed = merged["flow"]["lay"]["actions"]["put"]["choose"]["m"]
    assert {key: str(value) for key, value in changed.items()} == found


def test_merging_alters_neither_side() -> None:
    below, over = (
        parsed(BASE),
        parsed("flow: {count: {before: passing}, penalty: null}\noptions: {target: {default: 5}}"),
    )
    before = to_plain(below), to_plain(over)
    merge(below, over, Report())
    assert (to_plain(below), to_plain(over)) == before


def test_a_patch_changes_as_an_overlay_does() -> None:
    patch = parsed("players: {min: 2}\ncards: {8: null}\nflow: {extra: {kind: claims, before: count}}")
    report = Report()
    patched = to_plain(apply_patch(parsed(BASE), patch, report))
    assert isinstance(patched, dict) and report.diagnostics == []
    assert patched["players"]["min"] == 2
    assert list(patched["cards"]) == ["K"]
    assert patched["flow"]["deal"]["do"] == ["passing", "tricks", "extra", "count"]
    assert patched["id"] == "plain"


def test_removals_lists_every_null_with_its_place() -> None:
    found = removals(parsed("cards: {8: null}\nzones: {hand: {capacity: null}}"))
    assert {path: str(span) for path, span in found.items()} == {
        ("cards", "8"): "x.yaml:1:9",
        ("zones", "hand", "capacity"): "x.yaml:2:16",
    }


# ---- stages in their lists --------------------------------------------------------------------


def lists(text: str) -> dict[str, Any]:
    flow = changed(text)["flow"]
    return {name: stage.get("do", stage.get("repeat")) for name, stage in flow.items() if {"do", "repeat"} & set(stage)}


LISTS = [
    ("extra: {kind: claims, before: count}", "deal", ["passing", "tricks", "extra", "count"]),
    ("extra: {kind: claims, after: count}", "deal", ["passing", "tricks", "count", "extra"]),
    ("extra: {kind: claims, before: deal}", "match", ["extra", "deal"]),
    ("penalty: {after: tricks}", "deal", ["passing", "tricks", "penalty", "count"]),
    ("count: {before: passing}", "deal", ["count", "passing", "tricks"]),
    ("passing: null", "deal", ["tricks", "count"]),
    ("passing: null, extra: {kind: claims, before: tricks}", "deal", ["extra", "tricks", "count"]),
    ("a: {kind: claims, after: count}, b: {kind: claims, after: count}", "deal", "passing tricks count a b".split()),
    ("a: {kind: claims, before: count}, b: {kind: claims, before: count}", "deal", "passing tricks a b count".split()),
    ("a: {kind: claims, after: b}, b: {kind: claims, after: passing}", "deal", "passing b a tricks count".split()),
    ("deal: {do: [tricks, count]}, a: {kind: claims, before: count}", "deal", ["tricks", "a", "count"]),
]


@pytest.mark.parametrize(("text", "stage", "wanted"), LISTS, ids=[text for text, _, _ in LISTS])
def test_stages_are_put_into_their_lists(text: str, stage: str, wanted: list[str]) -> None:
    expected = {"match": "deal", "deal": ["passing", "tricks", "count"]} | {stage: wanted}
    assert lists(f"flow: {{{text}}}") == expected


def test_a_stage_goes_into_every_list_that_has_its_anchor() -> None:
    text = "flow: {match: {repeat: [deal, count]}, extra: {kind: claims, after: count}}"
    assert lists(text) == {"match": ["deal", "count", "extra"], "deal": ["passing", "tricks", "count", "extra"]}


def test_a_stage_in_its_list_points_at_the_line_that_placed_it() -> None:
    resolved, _ = house("flow: {extra: {kind: claims, before: count}}\n")
    assert resolved is not None
    listing = at(resolved.node, "flow", "deal", "do")
    assert str(listing.items[2].span) == "home/house.yaml:4:38"  # type: ignore[union-attr]
    assert "before" not in at(resolved.node, "flow", "extra").entries  # type: ignore[union-attr]


# ---- what is refused --------------------------------------------------------------------------

REFUSED = {
    "E304 an option, with the nearest name and its place": (
        "options: {tarket: null}",
        """\
        home/house.yaml:4:11: error E304: no option is called 'tarket' in plain, so it cannot be removed
            4 | options: {tarket: null}
              |           ^^^^^^
              hint: did you mean 'target' (library/rulesets/plain.yaml:6:3)?
        """,
    ),
    "E304 a law that is elsewhere": (
        "flow: {tricks: {follow: {must: {closed: null}}}}",
        """\
        home/house.yaml:4:33: error E304: no law is called 'closed' in follow of tricks of plain, so it cannot be \
removed
            4 | flow: {tricks: {follow: {must: {closed: null}}}}
              |                                 ^^^^^^
              hint: 'closed' is in lead of tricks of plain (library/rulesets/plain.yaml:52:9)
        """,
    ),
    "E304 a row": (
        "values: {points: {JD: null}}",
        """\
        home/house.yaml:4:19: error E304: there is no row 'JD' in points of plain, so it cannot be removed
            4 | values: {points: {JD: null}}
              |                   ^^
              hint: rows: QS, else, hearts
        """,
    ),
    "E304 a key that is not set": (
        "zones: {trick: {capacity: null}}",
        """\
        home/house.yaml:4:17: error E304: 'capacity' is not set in trick of plain, so it cannot be removed
            4 | zones: {trick: {capacity: null}}
              |                 ^^^^^^^^
              hint: keys that are set: seen by
        """,
    ),
    "E304 where the whole collection is missing": (
        "orders: {low: null}",
        """\
        home/house.yaml:4:10: error E304: no order is called 'low' in plain, so it cannot be removed
            4 | orders: {low: null}
              |          ^^^
              hint: there are no orders
        """,
    ),
    "E304 inside something new": (
        "zones: {widow: {seen by: none, capacity: null}}",
        """\
        home/house.yaml:4:32: error E304: 'capacity' is not set in widow of plain, so it cannot be removed
            4 | zones: {widow: {seen by: none, capacity: null}}
              |                                ^^^^^^^^
              hint: leave it out: what holds it is given as a whole here
        """,
    ),
    "E305 an option": (
        "options: {targt: {default: 75}}",
        """\
        home/house.yaml:4:11: error E305: no option is called 'targt' in plain
            4 | options: {targt: {default: 75}}
              |           ^^^^^
              hint: did you mean 'target' (library/rulesets/plain.yaml:6:3)? (a new option needs 'type')
        """,
    ),
    "E305 a zone": (
        "zones: {hnd: {capacity: 9}}",
        """\
        home/house.yaml:4:9: error E305: no zone is called 'hnd' in plain
            4 | zones: {hnd: {capacity: 9}}
              |         ^^^
              hint: did you mean 'hand' (library/rulesets/plain.yaml:19:3)? (a new zone needs 'each', 'seen by' or \
'pack')
        """,
    ),
    "E305 a variable": (
        "state: {scores: {min: 0}}",
        """\
        home/house.yaml:4:9: error E305: no variable is called 'scores' in plain
            4 | state: {scores: {min: 0}}
              |         ^^^^^^
              hint: did you mean 'score' (library/rulesets/plain.yaml:25:3)? (a new variable needs 'type')
        """,
    ),
    "E305 a table": (
        "values: {pionts: {JD: -10}}",
        """\
        home/house.yaml:4:10: error E305: no table is called 'pionts' in plain
            4 | values: {pionts: {JD: -10}}
              |          ^^^^^^
              hint: did you mean 'points' (library/rulesets/plain.yaml:12:3)? (a new table needs 'else' or 'by')
        """,
    ),
    "E305 a stage": (
        "flow: {trick: {setup: shuffle stock}}",
        """\
        home/house.yaml:4:8: error E305: no stage is called 'trick' in plain
            4 | flow: {trick: {setup: shuffle stock}}
              |        ^^^^^
              hint: did you mean 'tricks' (library/rulesets/plain.yaml:48:3)? (a new stage needs 'kind', 'do', \
'repeat', \
'effect' or 'score')
        """,
    ),
    "E305 an action": (
        "flow: {passing: {actions: {draw: {when: broken}}}}",
        """\
        home/house.yaml:4:28: error E305: no action is called 'draw' in passing of plain
            4 | flow: {passing: {actions: {draw: {when: broken}}}}
              |                            ^^^^
              hint: actions: pass (a new action needs 'effect', 'choose', 'row', 'say', 'label', 'measured', ...)
        """,
    ),
    "E305 a law": (
        "flow: {tricks: {follow: {must: {folow_suit: {message: follow!}}}}}",
        """\
        home/house.yaml:4:33: error E305: no law is called 'folow_suit' in follow of tricks of plain
            4 | flow: {tricks: {follow: {must: {folow_suit: {message: follow!}}}}}
              |                                 ^^^^^^^^^^
              hint: did you mean 'follow_suit' (library/rulesets/plain.yaml:55:9)? (a new law needs 'law')
        """,
    ),
    "E305 an announcement": (
        "cards: {K: {say: {prize: {when: broken}}}}",
        """\
        home/house.yaml:4:19: error E305: no announcement is called 'prize' in K of cards of plain
            4 | cards: {K: {say: {prize: {when: broken}}}}
              |                   ^^^^^
              hint: did you mean 'price' (library/rulesets/plain.yaml:16:28)? (a new announcement needs 'words')
        """,
    ),
    "E305 a parameter": (
        "flow: {passing: {actions: {pass: {choose: {crad: {count: 3}}}}}}",
        """\
        home/house.yaml:4:44: error E305: no parameter is called 'crad' in pass of passing of plain
            4 | flow: {passing: {actions: {pass: {choose: {crad: {count: 3}}}}}}
              |                                            ^^^^
              hint: did you mean 'card' (library/rulesets/plain.yaml:45:18)? (a new parameter needs 'from', \
'players', \
'suits', 'ranks', 'number', 'flag', ...)
        """,
    ),
    "E305 a definition": (
        "define: {fit(card): {doc: D}}",
        """\
        home/house.yaml:4:10: error E305: no definition is called 'fit' in plain
            4 | define: {fit(card): {doc: D}}
              |          ^^^^^^^^^
              hint: did you mean 'fits' (library/rulesets/plain.yaml:28:3)? (a new definition needs 'value' or 'effect')
        """,
    ),
    "E305 a requirement": (
        "require: {rom: {message: no}}",
        """\
        home/house.yaml:4:11: error E305: no requirement is called 'rom' in plain
            4 | require: {rom: {message: no}}
              |           ^^^
              hint: did you mean 'room' (library/rulesets/plain.yaml:34:3)? (a new requirement needs 'law')
        """,
    ),
    "E305 a variant": (
        "variants: {shrt: {doc: Quick.}}",
        """\
        home/house.yaml:4:12: error E305: no variant is called 'shrt' in plain
            4 | variants: {shrt: {doc: Quick.}}
              |            ^^^^
              hint: did you mean 'short' (library/rulesets/plain.yaml:9:3)? (a new variant needs 'set', 'patch', \
'ruleset' \
or 'players')
        """,
    ),
    "E305 replacing what is not there": (
        "flow: {trick: {replace: true, kind: trick}}",
        """\
        home/house.yaml:4:8: error E305: no stage is called 'trick' in plain
            4 | flow: {trick: {replace: true, kind: trick}}
              |        ^^^^^
              hint: did you mean 'tricks' (library/rulesets/plain.yaml:48:3)?
        """,
    ),
    "E306 an anchor that is nowhere": (
        "flow: {extra: {kind: claims, before: cuont}}",
        """\
        home/house.yaml:4:38: error E306: no stage is called 'cuont' in a 'do' or 'repeat' of plain
            4 | flow: {extra: {kind: claims, before: cuont}}
              |                                      ^^^^^
              hint: did you mean 'count' (library/rulesets/plain.yaml:39:27)?
        """,
    ),
    "E306 an anchor that is in no list": (
        "flow: {extra: {kind: claims, after: penalty}}",
        """\
        home/house.yaml:4:37: error E306: stage 'penalty' is in no 'do' or 'repeat' of plain, so no stage can come \
after it
            4 | flow: {extra: {kind: claims, after: penalty}}
              |                                     ^^^^^^^
              hint: name a stage that is in a list, or give the list anew
        """,
    ),
    "E306 an anchor that this overlay removes": (
        "flow: {extra: {kind: claims, after: passing}, passing: null}",
        """\
        home/house.yaml:4:37: error E306: no stage is called 'passing' in a 'do' or 'repeat' of plain
            4 | flow: {extra: {kind: claims, after: passing}, passing: null}
              |                                     ^^^^^^^
              hint: it is removed at home/house.yaml:4:47
        """,
    ),
    "E306 before itself": (
        "flow: {count: {before: count}}",
        """\
        home/house.yaml:4:24: error E306: stage 'count' cannot come before itself
            4 | flow: {count: {before: count}}
              |                        ^^^^^
        """,
    ),
    "E308 by its place and in a list": (
        "flow: {deal: {do: [tricks, extra]}, extra: {kind: claims, before: tricks}}",
        """\
        home/house.yaml:4:67: error E308: stage 'extra' is placed twice: here, and in 'do' of deal \
(home/house.yaml:4:28)
            4 | flow: {deal: {do: [tricks, extra]}, extra: {kind: claims, before: tricks}}
              |                                                                   ^^^^^^
              hint: leave out 'before'
        """,
    ),
    "E308 before and after": (
        "flow: {extra: {kind: claims, before: count, after: tricks}}",
        """\
        home/house.yaml:4:52: error E308: stage 'extra' has both 'before' and 'after'
            4 | flow: {extra: {kind: claims, before: count, after: tricks}}
              |                                                    ^^^^^^
              hint: keep one of them
        """,
    ),
    "E309 nothing left to repeat": (
        "flow: {deal: null}",
        """\
        home/house.yaml:4:8: error E309: without 'deal' nothing is left in 'repeat' of match \
(library/rulesets/plain.yaml:36:19)
            4 | flow: {deal: null}
              |        ^^^^
              hint: remove 'match' too, or give it another 'repeat'
        """,
    ),
    "W301 nearly a zone": (
        "zones: {takens: {seen by: none}}",
        """\
        home/house.yaml:4:9: warning W301: the new zone 'takens' is called almost like 'taken' \
(library/rulesets/plain.yaml:21:3)
            4 | zones: {takens: {seen by: none}}
              |         ^^^^^^
              hint: to change 'taken', use its name
        """,
    ),
    "W301 nearly a law": (
        "flow: {tricks: {follow: {must: {no_point: broken}}}}",
        """\
        home/house.yaml:4:33: warning W301: the new law 'no_point' is called almost like 'no_points' \
(library/rulesets/plain.yaml:56:9)
            4 | flow: {tricks: {follow: {must: {no_point: broken}}}}
              |                                 ^^^^^^^^
              hint: to change 'no_points', use its name
        """,
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_findings_are_printed_in_full(case: str) -> None:
    text, wanted = REFUSED[case]
    resolved, report = house(text + "\n")
    assert printed(report) + "\n" == dedent(wanted)
    assert (resolved is None) == case.startswith("E")


QUIET = ["zones: {taken: null, takens: {seen by: none}}", "values: {points_2: {else: 0}, points_3: {else: 0}}"]


@pytest.mark.parametrize("text", QUIET, ids=["renamed", "numbered"])
def test_no_warning_where_likeness_is_meant(text: str) -> None:
    assert printed(house(text)[1]) == ""


def test_all_faults_of_an_overlay_are_found_at_once() -> None:
    _, report = house("options: {targt: {default: 1}}\nzones: {x: null}\nflow: {y: {kind: claims, before: z}}\n")
    assert [d.code for d in report.sorted()] == ["E305", "E304", "E306"]


def test_a_key_that_is_missing_after_merging_is_blamed_on_the_line_that_took_it_out() -> None:
    resolved, report = house("players: {max: null}\n")
    assert resolved is None
    assert printed(report) + "\n" == dedent("""\
        home/house.yaml:4:11: error E202: the number of players needs the key 'max'
            4 | players: {max: null}
              |           ^^^
              hint: it is removed here, and what is left stands at library/rulesets/plain.yaml:4:1
        """)


def test_the_merged_ruleset_has_its_shape_checked() -> None:
    resolved, report = house("zones: null\n")
    assert resolved is None
    assert [d.code for d in report.diagnostics] == ["E202"]


# ---- files ------------------------------------------------------------------------------------


def refused(source: str, *stack: str) -> str:
    report = Report()
    assert resolve(source, report, stack=stack) is None
    return printed(report) + "\n"


def test_a_shipped_ruleset_is_found_by_its_id() -> None:
    report = Report()
    resolved = resolve("plain", report)
    assert resolved is not None and report.diagnostics == []
    assert resolved.files == ("library/rulesets/plain.yaml",)
    assert to_plain(resolved.node) == base()
    assert list(shipped()) == ["plain"]


def test_a_file_is_a_shipped_one_whatever_path_and_whatever_link_leads_to_it(folder: Path) -> None:
    write("home/linked.yaml", BASE.replace("id: plain", "id: linked"))
    write("home/other.yaml", BASE.replace("id: plain", "id: other"))
    Path("library/rulesets/linked.yaml").symlink_to(Path("home/linked.yaml").absolute())
    Path("home/way").symlink_to(Path("library/rulesets").absolute())
    asked = ("plain", "linked", "home/linked.yaml", "home/way/plain.yaml", "home/../library/rulesets/plain.yaml")
    found = [resolve(source, Report()) for source in (*asked, "home/other.yaml")]
    assert [one and one.shipped for one in found] == [*[True] * len(asked), False]


def test_a_shipped_ruleset_is_read_as_it_was_with_an_earlier_version(folder: Path) -> None:
    """Whatever leads to it: an id, `extends` of a file, or the `ruleset` of a variant, and also one that is gone."""
    write("home/top.yaml", "format: 1\nid: top\nextends: plain\noptions: {target: {default: 70}}\n")
    write("library/rulesets/other.yaml", BASE.replace("id: plain", "id: other"))
    with shipped_as({}) as texts:
        before = [resolve(source, Report()) for source in ("other", "home/top.yaml")]
    assert set(texts) == {"plain", "other"} and texts["plain"] == BASE
    write("library/rulesets/plain.yaml", BASE.replace("effect: add 5", "effect: add 6"))
    Path("library/rulesets/other.yaml").unlink()
    now = resolve("home/top.yaml", Report())
    with shipped_as(texts) as read:
        again = [resolve(source, Report()) for source in ("other", "home/top.yaml")]
        assert list(shipped()) == ["other", "plain"]
        place = Span("library/rulesets/plain.yaml", 1, 1, 1, 1)
        found = locate(Scalar("other.yaml", "other.yaml", place, "plain"), Report(), "ruleset")
    assert found is not None and read == texts
    assert list(shipped()) == ["plain"]
    assert [to_plain(one.node) for one in again if one] == [to_plain(one.node) for one in before if one]
    assert [one.files for one in again if one] == [one.files for one in before if one]
    assert now is not None and again[1] is not None and to_plain(now.node) != to_plain(again[1].node)


def test_what_an_earlier_version_has_brought_is_looked_at_like_the_file_of_anybody() -> None:
    with shipped_as({"plain": BASE}):
        same = resolve("plain", Report())
    with shipped_as({"plain": f"{BASE}\n"}):
        other = resolve("plain", Report())
    assert same is not None and same.shipped
    assert other is not None and not other.shipped


def test_a_chain_of_files_is_merged_base_first() -> None:
    write("home/low/mid.yaml", HEAD.replace("house", "mid") + "options: {target: {default: 60, max: 80}}\n")
    write("home/top.yaml", "format: 1\nid: top\nextends: low/mid.yaml\noptions: {target: {default: 70}}\n")
    report = Report()
    resolved = resolve(Path("home/top.yaml"), report)
    assert resolved is not None and report.diagnostics == []
    assert resolved.ids == ("plain", "mid", "top")
    assert to_plain(at(resolved.node, "options", "target")) == {"type": "integer", "min": 1, "max": 80, "default": 70}


def test_a_bare_name_is_a_shipped_ruleset_else_a_file_beside() -> None:
    write("home/mid.yaml", HEAD.replace("house", "mid"))
    write("home/plain.yaml", "format: 1\nid: mine\nextends: plain\n")
    write("home/top.yaml", "format: 1\nid: top\nextends: mid\n")
    for path, files in [
        ("home/top.yaml", ("library/rulesets/plain.yaml", "home/mid.yaml", "home/top.yaml")),
        ("home/plain.yaml", ("library/rulesets/plain.yaml", "home/plain.yaml")),
    ]:
        resolved = resolve(path, Report())
        assert resolved is not None and resolved.files == files


def test_an_overlay_written_in_place_finds_files_from_the_file_it_stands_in() -> None:
    write("home/mid.yaml", HEAD.replace("house", "mid") + "options: {target: {default: 60}}\n")
    report = Report()
    resolved = resolve(parsed("extends: mid.yaml\nname: Here", "home/scenario.yaml"), report)
    assert resolved is not None and report.diagnostics == []
    assert resolved.files == ("library/rulesets/plain.yaml", "home/mid.yaml", "home/scenario.yaml")


def test_e301_an_id_that_is_not_shipped() -> None:
    assert refused("plane") == dedent("""\
        plane: error E301: no ruleset is called 'plane'
              hint: did you mean 'plain'?
        """)


def test_e301_an_id_where_a_file_was_meant() -> None:
    write("mine.yaml", HEAD)
    assert refused("mine") == dedent("""\
        mine: error E301: no ruleset is called 'mine'
              hint: for the file, say 'mine.yaml'
        """)


def test_e301_extends_an_id_that_is_nowhere() -> None:
    write("home/house.yaml", "format: 1\nid: house\nextends: plane\n")
    assert refused("home/house.yaml") == dedent("""\
        home/house.yaml:3:10: error E301: there is no ruleset 'plane' to extend
            3 | extends: plane
              |          ^^^^^
              hint: did you mean 'plain'? (looked in the shipped rulesets and home)
        """)


def test_e301_extends_a_file_that_is_not_there() -> None:
    write("house.yaml", "format: 1\nid: house\nextends: bass.yaml\n")
    write("base.yaml", HEAD)
    assert refused("house.yaml") == dedent("""\
        house.yaml:3:10: error E301: there is no file 'bass.yaml' to extend
            3 | extends: bass.yaml
              |          ^^^^^^^^^
              hint: did you mean 'base.yaml'? (looked in the current folder)
        """)


def test_e302_extends_itself() -> None:
    write("home/house.yaml", "format: 1\nid: house\nextends: house.yaml\n")
    assert refused("home/house.yaml") == dedent("""\
        home/house.yaml:3:10: error E302: 'home/house.yaml' extends itself
            3 | extends: house.yaml
              |          ^^^^^^^^^^
              hint: name the ruleset that it changes
        """)


def test_e302_extends_in_a_circle() -> None:
    for name, other in [("top", "a"), ("a", "b"), ("b", "a")]:
        write(f"{name}.yaml", f"format: 1\nid: {name}\nextends: {other}.yaml\n")
    assert refused("top.yaml") == dedent("""\
        b.yaml:3:10: error E302: 'extends' goes in a circle: a.yaml > b.yaml > a.yaml
            3 | extends: a.yaml
              |          ^^^^^^
              hint: one of them must not extend
        """)


@pytest.mark.parametrize(("length", "fits"), [(16, True), (17, False)])
def test_e302_too_long_a_chain(length: int, fits: bool) -> None:
    for i in range(1, length):  # the base is one more
        write(f"r{i}.yaml", f"format: 1\nid: r{i}\nextends: {f'r{i + 1}.yaml' if i + 1 < length else 'plain'}\n")
    if fits:
        assert resolve("r1.yaml", Report()) is not None
    else:
        assert refused("r1.yaml") == dedent("""\
            r16.yaml:3:10: error E302: 17 files extend one another, more than the 16 allowed
                3 | extends: plain
                  |          ^^^^^
                  hint: join some of them into one file
            """)


@pytest.mark.parametrize(
    "name", ["../base.yaml", "/etc/base.yaml", "low/../../base.yaml", "c:base.yaml", "..", "~/b.yaml"]
)
def test_e303_extends_a_place_outside(name: str) -> None:
    write("base.yaml", BASE)
    write("home/house.yaml", f"format: 1\nid: house\nextends: {name}\n")
    assert refused("home/house.yaml") == (
        f"home/house.yaml:3:10: error E303: 'extends' may not name '{name}'\n"
        f"    3 | extends: {name}\n"
        f"      |          {'^' * len(name)}\n"
        "      hint: name a file beside this one or in a folder below, or a shipped ruleset\n"
    )


def test_e303_a_link_that_leads_outside() -> None:
    write("base.yaml", BASE)
    Path("home/link.yaml").symlink_to("../base.yaml")
    write("home/house.yaml", "format: 1\nid: house\nextends: link.yaml\n")
    assert "error E303: 'extends' may not name 'link.yaml'" in refused("home/house.yaml")


def test_e303_a_variant_is_confined_to_the_folder_of_the_file_that_names_it() -> None:
    """Whatever file it is merged into: an overlay elsewhere names what lies beside itself."""
    sound = (TESTS / "mistakes" / "base.yaml").read_text()
    write("outside.yaml", sound)
    Path("home/link.yaml").symlink_to("../outside.yaml")
    write("home/below/other.yaml", sound)
    write("home/sound.yaml", sound)
    head = "format: 1\nid: house\nextends: sound.yaml\n"
    for named, said in (
        ("link.yaml", "error E303: 'ruleset' may not name 'link.yaml'"),
        ("../outside.yaml", "error E303: 'ruleset' may not name '../outside.yaml'"),
        ("below/gone.yaml", "error E301: there is no file 'below/gone.yaml'"),
    ):
        write("home/house.yaml", f"{head}variants: {{v: {{ruleset: {named}}}}}\n")
        found = "\n".join(str(d) for d in validate("home/house.yaml"))
        assert f"home/house.yaml:4:25: {said}" in found
        with pytest.raises(RulesetError):
            load("home/house.yaml")
    write("home/house.yaml", f"{head}variants: {{v: {{ruleset: below/other.yaml}}}}\n")
    write("top.yaml", "format: 1\nid: top\nextends: home/house.yaml\nvariants: {v: {doc: Elsewhere.}}\n")
    assert not [d for d in validate("top.yaml") if d.severity == "error"]
    assert load("top.yaml").game(variants=["v"]).ruleset.files == ("home/below/other.yaml",)


def test_e301_what_is_no_file_is_neither_read_nor_suggested() -> None:
    Path("home").mkdir(exist_ok=True)
    os.mkfifo("home/pipe.yaml")
    Path("home/loop.yaml").symlink_to("loop.yaml")
    for named in ("pipe.yaml", "loop.yaml"):
        write("home/house.yaml", f"format: 1\nid: house\nname: House\nextends: {named}\n")
        assert refused("home/house.yaml").startswith(f"home/house.yaml:4:10: error E301: '{named}' is not an ordinary")
        assert "did you mean" not in refused("home/house.yaml")


LONG = ["a" * 300 + "/x.yaml", "a/" * 2100 + "x.yaml", "a" * 300]


@pytest.mark.parametrize("name", LONG)
def test_e301_a_path_that_is_too_long_leads_to_no_file(name: str) -> None:
    sound = (TESTS / "mistakes" / "base.yaml").read_text()
    write("home/sound.yaml", sound)
    for text, place in (
        (f"extends: {name}\n", "3:10"),
        (f"extends: sound.yaml\nvariants: {{v: {{ruleset: {name}}}}}\n", "4:25"),
    ):
        write("home/house.yaml", f"format: 1\nid: house\n{text}")
        found = [str(d) for d in validate("home/house.yaml")]
        assert any(told.startswith(f"home/house.yaml:{place}: error E301: there is no ") for told in found)
        with pytest.raises(RulesetError):
            load("home/house.yaml")


def test_faults_of_all_files_are_reported_together() -> None:
    write("mid.yaml", "format: 1\nid: mid\nextends: plain\nzoness: {}\n")
    write("top.yaml", "format: 1\nid: top\nextends: mid.yaml\noptionss: {}\n")
    write("more.yaml", "format: 1\nid: more\nflows: {}\n")
    report = Report()
    assert resolve("top.yaml", report, stack=["more.yaml"]) is None
    assert [(d.file, d.code) for d in report.sorted()] == [
        ("mid.yaml", "E201"),
        ("more.yaml", "E201"),
        ("top.yaml", "E201"),
    ]


def test_an_overlay_that_is_no_mapping_is_a_fault_of_shape() -> None:
    write("house.yaml", "- a\n")
    report = Report()
    assert resolve("house.yaml", report) is None
    assert [d.code for d in report.diagnostics] == ["E207"]


# ---- overlays laid on top ---------------------------------------------------------------------


def laid(*texts: str) -> tuple[Resolved | None, Report]:
    """The base with overlays a.yaml, b.yaml ... on it; each text begins on line 3."""
    names = [f"{letter}.yaml" for letter in "abcdef"[: len(texts)]]
    for name, text in zip(names, texts, strict=True):
        write(name, f"format: 1\nid: {name[0]}\n{text}\n")
    report = Report()
    return resolve("plain", report, stack=names), report


def test_overlays_are_laid_on_in_order() -> None:
    resolved, report = laid("options: {target: {default: 60}}", "extends: plain\ncards: {8: null}", "extends: b.yaml")
    assert resolved is not None and printed(report) == ""
    assert resolved.ids == ("plain", "a", "b", "c")
    assert to_plain(at(resolved.node, "options", "target", "default")) == 60
    assert to_plain(at(resolved.node, "id")) == "c"


def test_an_overlay_may_extend_what_the_ruleset_extends() -> None:
    write("home/house.yaml", HEAD)
    write("a.yaml", "format: 1\nid: a\nextends: plain\n")
    resolved = resolve("home/house.yaml", Report(), stack=["a.yaml"])
    assert resolved is not None and resolved.ids == ("plain", "house", "a")


LAID = {
    "E307 extends something else": (
        ("extends: other.yaml",),
        """\
        a.yaml:3:10: error E307: 'a' extends 'other.yaml' and cannot be laid on plain
            3 | extends: other.yaml
              |          ^^^^^^^^^^
              hint: it could extend one of: plain
        """,
    ),
    "E307 needs another": (
        ("needs: [b]", ""),
        """\
        a.yaml:3:9: error E307: 'a' needs 'b', which does not lie below it
            3 | needs: [b]
              |         ^
              hint: lay 'b' on before 'a'
        """,
    ),
    "E307 conflicts": (
        ("", "conflicts: [x, a]"),
        """\
        b.yaml:3:16: error E307: 'b' does not go together with 'a'
            3 | conflicts: [x, a]
              |                ^
              hint: leave one of them out
        """,
    ),
    "removed by both": (("cards: {8: null}", "cards: {8: null}"), "\n"),
    "W302 before and after": (
        (
            "flow: {toast: {kind: ask, actions: {drink: {}}, before: count}}",
            "flow: {toast: {after: count}}",
        ),
        """\
        b.yaml:3:16: warning W302: after of toast is set here and at a.yaml:3:49; this overlay is laid on later, so it \
wins
            3 | flow: {toast: {after: count}}
              |                ^^^^^
              hint: leave one of them out, or change the order of the overlays
        """,
    ),
    "W302 placed, then the list anew": (
        ("flow: {passing: {after: tricks}}", "flow: {deal: {do: [passing, tricks, count]}}"),
        """\
        b.yaml:3:15: warning W302: where 'passing' stands is set here and at a.yaml:3:18; this overlay is laid on \
later, so it wins
            3 | flow: {deal: {do: [passing, tricks, count]}}
              |               ^^
              hint: leave one of them out, or change the order of the overlays
        """,
    ),
    "W302 the list anew, then placed": (
        ("flow: {deal: {do: [passing, tricks, count]}}", "flow: {passing: {after: tricks}}"),
        """\
        b.yaml:3:18: warning W302: where 'passing' stands is set here and at a.yaml:3:15; this overlay is laid on \
later, so it wins
            3 | flow: {passing: {after: tricks}}
              |                  ^^^^^
              hint: leave one of them out, or change the order of the overlays
        """,
    ),
    "W302 rows, then another table": (
        ("values: {points: {JD: -10}}", "values: {points: {by: players, 3: 1, else: 2}}"),
        """\
        b.yaml:3:19: warning W302: by of points is set here and at a.yaml:3:19; this overlay is laid on later, so it \
wins
            3 | values: {points: {by: players, 3: 1, else: 2}}
              |                   ^^
              hint: leave one of them out, or change the order of the overlays
        """,
    ),
    "W309 what a sentence describes": (
        (
            'flow: {toast: {kind: ask, actions: {drink: {tell: "{actor} {verb: drink}"}}, before: count}}',
            "flow: {toast: {actions: {drink: {choose: {n: {number: 1..2}}}}}}",
        ),
        """\
        b.yaml:3:47: warning W309: 'tell' of 'drink' (“{actor} {verb: drink}”) was written for what is changed \
here, so it is left out
            3 | flow: {toast: {actions: {drink: {choose: {n: {number: 1..2}}}}}}
              |                                               ^^^^^^
              hint: say 'tell' anew, or 'tell: null' if it needs none
        """,
    ),
    "E306 in a list, but removed": (
        ("flow: {passing: null}", "flow: {deal: {do: [passing, tricks, count]}}"),
        """\
        b.yaml:3:20: error E306: no stage is called 'passing' in plain any more
            3 | flow: {deal: {do: [passing, tricks, count]}}
              |                    ^^^^^^^
              hint: it is removed at a.yaml:3:8
        """,
    ),
    "E305 removed already": (
        ("options: {target: null}", "options: {target: {default: 9}}"),
        """\
        b.yaml:3:11: error E305: no option is called 'target' in plain
            3 | options: {target: {default: 9}}
              |           ^^^^^^
              hint: it is removed at a.yaml:3:11
        """,
    ),
    "W302 the same value": (
        ("values: {points: {JD: -10, QS: 1}}", "values: {points: {JD: -5, QS: 1}}"),
        """\
        b.yaml:3:19: warning W302: JD of points is set here and at a.yaml:3:19; this overlay is laid on later, so it \
wins
            3 | values: {points: {JD: -5, QS: 1}}
              |                   ^^
              hint: leave one of them out, or say 'base' here for what the other says
        """,
    ),
    "W302 a law, short and long": (
        (
            "flow: {tricks: {follow: {must: {no_points: broken}}}}",
            "flow: {tricks: {follow: {must: {no_points: {law: not broken, message: no}}}}}",
        ),
        """\
        b.yaml:3:45: warning W302: law of no_points of follow of tricks is set here and at a.yaml:3:33; this overlay \
is \
laid on later, so it wins
            3 | flow: {tricks: {follow: {must: {no_points: {law: not broken, message: no}}}}}
              |                                             ^^^
              hint: leave one of them out, or say 'base' here for what the other says
        """,
    ),
    "W302 changed, then removed": (
        ("zones: {hand: {capacity: 9}}", "zones: {hand: null}"),
        """\
        b.yaml:3:9: warning W302: hand is set here and at a.yaml:3:16; this overlay is laid on later, so it wins
            3 | zones: {hand: null}
              |         ^^^^
              hint: leave one of them out, or change the order of the overlays
        """,
    ),
}


@pytest.mark.parametrize("case", LAID)
def test_findings_between_overlays_are_printed_in_full(case: str) -> None:
    texts, wanted = LAID[case]
    write("other.yaml", BASE.replace("plain", "other"))
    resolved, report = laid(*texts)
    assert printed(report) + "\n" == dedent(wanted)
    assert (resolved is None) == case.startswith("E")


def test_an_overlay_that_is_laid_on_often_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.yaml", "format: 1\nid: a\ncards: {8: {effect: again}}\n")
    opened: list[str] = []
    read = overlay_files.read_file
    monkeypatch.setattr(overlay_files, "read_file", lambda path, report: opened.append(str(path)) or read(path, report))
    assert "'a' is already part of this ruleset" in refused("plain", *["a.yaml"] * 31)
    assert opened.count("a.yaml") == 1


def test_a_ruleset_is_made_of_thirty_two_files_at_most() -> None:
    names = [f"a{number}.yaml" for number in range(32)]
    for name in names:
        write(name, f"format: 1\nid: {name.removesuffix('.yaml')}\n")
    resolved = resolve("plain", Report(), stack=names[1:])
    assert resolved is not None and len(resolved.files) == 32
    told = refused("plain", *names)
    assert "plain: error E307: 33 files are laid on one another, more than the 32 allowed" in told
    assert "join some of them into one file" in told


def test_e307_laid_on_twice() -> None:
    write("a.yaml", "format: 1\nid: a\ncards: {8: {effect: again}}\n")
    assert refused("plain", "a.yaml", "a.yaml") == dedent("""\
        a.yaml:2:5: error E307: 'a' is already part of this ruleset
            2 | id: a
              |     ^
              hint: lay it on only once
        """)


def test_every_code_has_a_meaning_and_a_printed_test() -> None:
    source = Path(__file__).read_text()
    assert all(f"{'error' if code[0] == 'E' else 'warning'} {code}: " in source for code in overlay.CODES)


def test_a_null_is_told_from_the_word() -> None:
    node = parsed("a: null\nb: 'null'")
    assert [isinstance(n, Scalar) and n.value is None for n in node.entries.values()] == [True, False]
