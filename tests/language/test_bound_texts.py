"""Texts that say what a part is fall with what they describe, and with nothing else; each is told at its change."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.base.diagnostics import Diagnostic
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.rulebook.book import texts
from interpreter.rulebook.comparing import marked_book

RULES = """\
format: 1
id: base
name: Base
players: {min: 2, max: 4}
options:
  size: {type: integer, choices: [3, 4], default: 3, doc: Three cards or four.}
pack: {standard: 1}
values: {price: {hearts: 2, else: 0, doc: A heart costs two.}}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner, doc: "What is held, and seen by nobody else."}
  heap: {seen by: everyone, doc: The cards that were shed.}
state:
  score: {each: player, type: integer, lasts: match}
  sheds: {type: integer, lasts: deal, doc: "How often somebody shed a card, at most four times."}
define:
  dear(card): {value: price of card > 1, doc: Whether the card is dear.}
  due(card): {value: 2 * price of card, doc: "Twice the price, to be paid at once."}
  bow: {effect: add 1 to sheds, doc: Everybody bows.}
flow:
  match: {repeat: deal, until: number of deal = 3, winners: highest score}
  deal:
    doc: Three cards each. The deal passes to the left.
    setup: gather all to stock; shuffle stock; deal size from stock to hand
    do: [shed, count]
    next dealer: left
  shed:
    kind: turn
    doc: Everybody sheds one card.
    actions:
      shed:
        doc: "A card is laid on the heap, face up, and paid."
        choose: {card: {from: hand}}
        must: {not_last: {law: count of hand > 1, rule: Keep your last card., message: keep it}}
        effect: move card to heap; add due(card) to score of actor; bow
    until: all p in players have count of hand of p = 1
  count: {effect: for p in players do add sum price of c for c in hand of p to score of p end}
"""


def over(folder: Path, change: str) -> tuple[Mapping, list[Diagnostic]]:
    """What a base becomes with an overlay, and what is said of it, less what is not used."""
    (folder / "base.yaml").write_text(RULES, encoding="utf-8")
    (folder / "over.yaml").write_text(f"format: 1\nid: over\nextends: base.yaml\n{change}\n", encoding="utf-8")
    ruleset = interpreter.load(folder / "over.yaml")
    return ruleset.node, [found for found in ruleset.warnings if found.code == "W309"]


def lost(folder: Path, change: str) -> list[str]:
    """Of which parts the `doc` is left out."""
    before, _ = over(folder, "name: Over")
    node, _ = over(folder, change)
    return sorted({*_documented(before)} - {*_documented(node)})


def _documented(node: Node, way: str = "") -> list[str]:
    if not isinstance(node, Mapping):
        return []
    doc = node.entries.get("doc")
    own = [way] if isinstance(doc, Scalar) and doc.text else []
    return own + [found for key, n in node.entries.items() for found in _documented(n, f"{way}.{key}".strip("."))]


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        pytest.param("flow: {deal: {next dealer: right}}", ["flow.deal"], id="a stage of which a key changes"),
        pytest.param("options: {size: {choices: null, min: 1, max: 5}}", [], id="an option with other bounds"),
        pytest.param("options: {size: {default: 4}}", [], id="an option with another default"),
        pytest.param("values: {price: {QS: 9}}", [], id="a table that gets a row"),
        pytest.param("values: {price: {hearts: 9}}", ["values.price"], id="a table of which a row changes"),
        pytest.param("zones: {hand: {seen by: everyone}}", ["zones.hand"], id="a zone that others see"),
        pytest.param("zones: {heap: {seen by: none}}", [], id="a name of a zone that limits nothing"),
        pytest.param("state: {sheds: {min: 0}}", [], id="a variable with a bound"),
        pytest.param(
            "define: {dear(card): price of card > 2, due(card): price of card}",
            ["define.due(card)", "flow.shed", "flow.shed.actions.shed"],
            id="definitions: a question stays, what is told of one that is used falls",
        ),
        pytest.param(
            "define: {bow: {effect: add 2 to sheds}}",
            ["define.bow", "flow.shed", "flow.shed.actions.shed"],
            id="an effect, and what calls it",
        ),
        pytest.param(
            "flow: {shed: {actions: {shed: {must: {cheap: price of card = 0}}}}}", [], id="a law more"
        ),
        pytest.param(
            "flow: {shed: {actions: {shed: {must: {not_last: null}}}}}", [], id="a law less"
        ),
        pytest.param(
            "flow: {shed: {actions: {rest: {effect: bow}}}}", [], id="an action more"
        ),
        pytest.param(
            "flow: {shed: {doc: All shed., actions: {shed: {effect: move card to heap, doc: A card is shed.}}}}",
            [],
            id="said anew",
        ),
    ],
)  # fmt: skip
def test_a_doc_falls_with_what_stands_beside_it_and_with_what_that_uses(
    change: str, gone: list[str], tmp_path: Path
) -> None:
    assert lost(tmp_path, change) == gone


def test_no_doc_that_is_not_true_any_more_is_printed(tmp_path: Path) -> None:
    over(tmp_path, "flow: {deal: {setup: gather all to stock; deal 5 from stock to hand}}")
    book = marked_book(interpreter.load(tmp_path / "over.yaml").game())
    assert not [text for text in texts((*book.how, *book.sections)) if "Three cards each" in text]


def test_a_text_is_told_at_the_change_that_loses_it_and_once(tmp_path: Path) -> None:
    change = (
        "flow:\n  shed:\n    actions:\n      shed:\n        choose: {card: {where: price of card = 0}}\n"
        "        must: {not_last: count of hand > 3}\n  deal: {next dealer: right}"
    )
    _, told = over(tmp_path, change)
    assert [(found.line, found.message.split(" written")[0]) for found in told] == [
        (8, "'doc' of 'shed' in 'shed' (“A card is laid on the heap, face up …”) and "
            "'doc' of 'shed' (“Everybody sheds one card.”) were"),
        (9, "'rule' of 'not_last' in 'shed' (“Keep your last card.”) was"),
        (10, "'doc' of 'deal' (“Three cards each. The deal passes to …”) was"),
    ]  # fmt: skip


def test_one_text_at_several_places_is_told_once_with_all_of_them(tmp_path: Path) -> None:
    found = [x.message for x in _skip_bo(tmp_path) if "next_number" in x.message]
    assert len(found) == 1
    assert found[0].startswith("'rule' of 'next_number' in 'play_stock', 'play_discard' and 'play_hand' (“")
    assert found[0].count("next_number") == 1


def _skip_bo(folder: Path) -> list[Diagnostic]:
    path = folder / "mine.yaml"
    path.write_text('format: 1\nid: mine\nextends: skip-bo\ndefine: {"goes(card, x)": card is W}\n', encoding="utf-8")
    return interpreter.validate(path)


def test_very_many_texts_are_counted(tmp_path: Path) -> None:
    texts = "".join(f"    t{n}: {{text: All {n} of them., of: define.bow}}\n" for n in range(20))
    (tmp_path / "base.yaml").write_text(f"{RULES}how:\n  special:\n{texts}", encoding="utf-8")
    (tmp_path / "over.yaml").write_text(
        "format: 1\nid: over\nextends: base.yaml\ndefine: {bow: {effect: add 3 to sheds}}\n", encoding="utf-8"
    )
    found = [x for x in interpreter.validate(tmp_path / "over.yaml") if x.code == "W309"]
    assert len(found) == 1 and "12 more texts were written" in found[0].message


@pytest.mark.parametrize(
    ("base", "change", "stays", "falls"),
    [
        ("spades", "define: {stake(side): {value: 20 * contract(side)}}", "scoring.bags", "scoring.made"),
        ("pig", "flow: {match: {setup: base; set direction to right}}", "end.two", "turn.beat"),
        ("president", "define: {be_rid(h): {effect: set finished of actor to worst_left}}", "turn.out", "special.last"),
        ("uno", "options: {target_score: {choices: {add: [400]}}}", "end.target", ""),
        ("yaniv", "flow: {count_up: {effect: base; set starter to dealer}}", "aim.little", "deal.first"),
        ("spit", "zones: {hand: {seen by: owner}}", "deal.share", "deal.stock"),
        ("klondike", "zones: {column: {each: 1..8}, buried: {each: 1..8}}", "aim.home", "deal.columns"),
        ("hearts", "flow: {tricks: {lead: {must: {opening: null}}}}", "special.queen", ""),
    ],
)
def test_a_text_of_a_shipped_game_falls_only_with_a_fact_that_it_tells(
    base: str, change: str, stays: str, falls: str, tmp_path: Path
) -> None:
    key, rest = change.split(": {", 1)
    rest = rest[:-1] if key == "define" else rest
    text = f"define:\n  {rest}\n" if key == "define" else f"{change}\n"
    (tmp_path / "mine.yaml").write_text(f"format: 1\nid: mine\nextends: {base}\n{text}", encoding="utf-8")
    how = interpreter.load(tmp_path / "mine.yaml").node.entries["how"]
    assert isinstance(how, Mapping)
    there = {
        f"{part}.{name}" for part, texts in how.entries.items() if isinstance(texts, Mapping) for name in texts.entries
    }
    assert stays in there
    assert falls not in there
