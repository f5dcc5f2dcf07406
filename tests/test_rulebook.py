"""The rulebook in words: nothing of a ruleset is left out, every node is said, every format is sound."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import interpreter
from interpreter import typed as t
from interpreter.rulebook import deeds, writing
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import Section, texts
from interpreter.rulebook.chapters import book
from interpreter.rulebook.differences import differences
from interpreter.rulebook.folding import Folding
from interpreter.rulebook.terminal import text
from interpreter.rulebook.words import Speaker

ROOT = Path(__file__).parent.parent
SHIPPED = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
OVERLAYS = ROOT / "tests" / "scenarios" / "overlays"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")


@pytest.fixture(scope="module", params=SHIPPED)
def game(request):
    return interpreter.load(request.param).game()


def found_in(sections: tuple[Section, ...], title: str) -> Section:
    return next(s for s in sections if s.title.lower() == title.lower())


# ---- nothing is left out ------------------------------------------------------------------------------


def test_every_stage_action_law_and_card_is_told(game):
    model, told = game.ruleset.model, book(game)
    course = found_in(told.sections, "The course of a match")
    everything = "\n".join(texts(told.sections))
    for stage in model.stages.values():
        section = found_in(course.sections, g.plain(stage.name))
        assert section.lead == stage.doc
        said = "\n".join(texts((section,)))
        for action in (*stage.actions, *stage.anytime):
            assert g.plain(action.name) in said
            assert action.doc in said
            for law in action.laws:
                assert f"Law “{g.plain(law.name)}”" in said
            for row in action.rows:
                assert row.pattern == "else" or Speaker(model, {}, folding(game)).pattern(row.pattern)[2:] in everything


def test_every_table_option_variant_place_and_note_is_told(game):
    model, told = game.ruleset.model, book(game)
    everything = "\n".join(texts(told.sections))
    for name, option in model.options.items():
        assert g.plain(name) in everything and option.doc in everything
    for name, variant in model.variants.items():
        assert g.plain(name) in everything and variant.doc in everything
    for requirement in model.requirements:
        assert g.sentence(requirement.message) in everything
    for name, table in model.tables.items():
        rows = next(
            block.rows
            for block in found_in(told.sections, "Tables").blocks
            if block.title.split(":")[0].lower() == g.plain(name)
        )
        assert len(rows) == len(table.rows)
    for name in (*model.zones, *model.variables, *(i.name for i in model.instances.values())):
        assert g.plain(name).removesuffix(" of") in everything
    for note in model.notes:
        assert note in everything
    if model.honor is not None:
        for name in model.honor.laws:
            assert f"“{g.plain(name)}”" in everything


def folding(game, fixed: bool = True) -> Folding:
    return Folding(
        game.options if fixed else {}, game.players, game.enforcement == "honor", game.ruleset.model.instances
    )


def test_every_node_is_said(game):
    """Also those that the options chosen leave out: nothing fails, and nothing of the machinery shows."""
    model = game.ruleset.model
    speaker = Speaker(model, {}, folding(game, fixed=False))
    effects = t.Effect.__args__  # type: ignore[attr-defined]
    for node in t.walk(model):
        if isinstance(node, t.NODES):
            said = [speaker.noun(node)] + (
                [speaker.clause(node), speaker.clause(node, True)] if node.type.kind == "flag" else []
            )
        elif isinstance(node, effects):
            said = [line.text for line in deeds.lines((node,), speaker)]
        else:
            continue
        for words in said:
            assert words and "<" not in words and "Span(" not in words, node
            assert not CONTROL.search(words.replace("\n", " ")), node
            assert not re.search(r"\b[a-z]+_\d+\b", words), node


def test_every_class_of_nodes_is_met_in_shipped_rulesets_or_examples():
    met = {type(n) for name in SHIPPED for n in t.walk(interpreter.load(name).model)}
    assert {t.Move, t.Deal, t.Select, t.Fold, t.Quant, t.RunEffect, t.Words, t.SwapValues, t.Show, t.Face} <= met


# ---- formats ------------------------------------------------------------------------------------------


def test_html_is_well_formed_and_needs_nothing_else(game):
    page = writing.html(book(game))
    ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    tags: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append((tag, dict(attrs)))

    Reader().feed(page)
    assert not {tag for tag, _ in tags} & {"script", "link", "img", "iframe"}
    assert all((attrs.get("href") or "#").startswith("#") for _, attrs in tags)
    assert "url(" not in page and "@import" not in page
    assert 'name="viewport"' in page and "@media print" in page


def test_text_and_markdown_hold_the_same_rules(game):
    told = book(game)
    lines = text(told)
    assert max(map(len, lines.splitlines())) <= 100
    assert "\x1b" not in lines and "\x1b" in text(told, styled=True)
    marked = " ".join(writing.markdown(told).split())
    for note in game.ruleset.model.notes:
        assert " ".join(note.split()) in marked and " ".join(note.split()) in " ".join(lines.split())


def test_a_sign_of_html_in_a_ruleset_is_a_letter(tmp_path):
    path = tmp_path / "odd.yaml"
    path.write_text("format: 1\nid: odd\nname: A <b> & C\nextends: hearts\nabout: Points < 5 <script>\n")
    page = writing.html(book(interpreter.load(path).game()))
    assert "A &lt;b&gt; &amp; C" in page and "<script" not in page


# ---- what is said ---------------------------------------------------------------------------------------


def said(name: str, *flags: str, **settings) -> str:
    return " ".join(text(book(interpreter.load(name, flags).game(**settings))).split())


def test_hearts_in_words():
    told = said("hearts")
    for rule in (
        "Cards: 52 cards in all: one standard pack.",
        "It ends: As soon as some player's score is at least 100.",
        "Who wins: The players with the lowest score.",
        "Choose 3 cards from your hand.",
        "Law “follow suit”: When you do not lead: The card is of the suit led or you have no card of the suit led.",
        "If the card is a heart, from now on hearts may be led.",
        "All cards of the trick go to the winner's taken cards.",
        "the queen of spades 13",
    ):
        assert rule in told
    assert "without the 2 of diamonds" in said("hearts", players=3)
    assert "Choose 4 cards from your hand." in said("hearts", options={"pass_count": 4})


def test_georgia_spoons_in_words():
    told = said("georgia-spoons")
    for rule in (
        "Cards: 104 cards in all: 2 standard packs.",
        "Pieces: spoons",
        "The card can be played if the card is an 8, the card is of the wanted suit, or the card's rank is the rank of",
        "Say: “One card!”, if the number of cards in your hand is 2.",
        "A queen: Play goes the other way round. - Say: “Switchback”. - The direction of play is reversed.",
        "At any time: grab",
        "A fault is forgotten after 2 completed turns of different other players.",
    ):
        assert rule in told


def test_what_an_overlay_changes_is_marked():
    told = text(book(interpreter.load("georgia-spoons", [OVERLAYS / "georgia-spoons" / "skipping-sixes.yaml"]).game()))
    assert "◆ marks what has been changed by an overlay." in told
    assert "◆ A 6:" in told and "◆ A king" not in told
    assert "◆" not in text(book(interpreter.load("georgia-spoons").game()))


# ---- differences ----------------------------------------------------------------------------------------


def changes(base: str, overlay: str) -> list[str]:
    path = OVERLAYS / base / f"{overlay}.yaml"
    return differences(book(interpreter.load(base).game()), book(interpreter.load(path).game()))


@pytest.mark.parametrize(
    ("base", "overlay", "told"),
    [
        ("georgia-spoons", "skipping-sixes", "new: the power of a 6, The next player after you misses the next turn."),
        ("georgia-spoons", "quiet-end", "no longer: “last claims”"),
        ("georgia-spoons", "no-razzing", "no longer: the chapter “On honour”"),
        (
            "spades",
            "five-bags",
            "the term bag limit: How many bags are too many. 5 (before: How many bags are too many. 10)",
        ),
    ],
)
def test_an_overlay_is_told_in_words(base, overlay, told):
    assert told in changes(base, overlay)


def test_a_law_that_is_added_is_told():
    assert [
        c
        for c in changes("spades", "must-trump")
        if c.startswith("new: “tricks”, play, Law “trump”: When you do not lead")
    ]


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(OVERLAYS.glob("*/*.yaml")) if re.search(r"^extends:", p.read_text(), re.MULTILINE)],
    ids=lambda p: p.stem,
)
def test_every_overlay_differs_from_its_base(path):
    ruleset = interpreter.load(path)
    base = interpreter.load(ruleset.files[0])
    players = ruleset.players.default
    fits = base.players.min <= players <= base.players.max
    assert differences(book(base.game(players if fits else None)), book(ruleset.game()))


def test_games_that_have_nothing_in_common_differ(game):
    other = interpreter.load("pig" if game.ruleset.id != "pig" else "hearts").game()
    assert len(differences(book(game), book(other))) > 10
