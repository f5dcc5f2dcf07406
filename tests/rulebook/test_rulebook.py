"""The rulebook in words: nothing of a ruleset is left out, every node is said, every format is sound."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from where import ROOT

import interpreter
from interpreter.interfaces import cli, terminal
from interpreter.language import typed as t
from interpreter.rulebook import chapters, writing
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import Book, Section, texts
from interpreter.rulebook.chapters import book
from interpreter.rulebook.comparing import marked_book
from interpreter.rulebook.differences import differences
from interpreter.rulebook.effects import lines
from interpreter.rulebook.folding import Folding
from interpreter.rulebook.lengths import TooLong
from interpreter.rulebook.page import html
from interpreter.rulebook.speaker import Speaker
from interpreter.rulebook.terminal import text

SHIPPED = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
OVERLAYS = ROOT / "tests" / "scenarios" / "overlays"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")


@pytest.fixture(scope="module", params=SHIPPED)
def game(request):
    return interpreter.load(request.param).game()


def found_in(sections: tuple[Section, ...], title: str) -> Section:
    return next(s for s in sections if s.title.lower() == title.lower())


TOLD = """
format: 1
id: told
name: Told
players: {min: 2, max: 2}
pack: {standard: 1}
options:
  marks: {type: list of flag, length: 1..3, default: [true, false]}
  open: {type: flag, each: player}
zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, trick: {}}
state: {score: {each: player, type: integer, lasts: match}, way: {type: choice, choices: [_, up], lasts: match}}
values: {_: {hearts: 1, else: 0}}
define: {__: score of P1, near(card): "next_in_rank(card.rank, K)"}
flow:
  match: {setup: deal all from stock to hand, do: [t]}
  t:
    kind: trick
    leader: P1
    follow: {must: {one: "not next_in_rank(card.rank, A)", two: near(card), three: 'LAW'}}
    on trick: add _ of top of trick + __ to score of winner
"""


def test_names_mean_nothing_to_the_program_that_tells_of_them(tmp_path: Path) -> None:
    path = tmp_path / "names.yaml"
    path.write_text(
        """
format: 1
id: names
name: Names
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
cards: {else: {choose: {self: {number: 1..2}, rank: {ranks: all}}, say: "{rank} {self}"}}
state: {score: {each: player, type: integer, lasts: match}}
define: {twice(self): 2 * self}
flow:
  match: {setup: deal 6 from stock to hand, do: [showing]}
  showing:
    kind: turn
    actions:
      show:
        choose: {card: {from: hand}}
        row: card
        effect: for self in players do add twice of 1 to score of self end
      tell: {choose: {self: {number: 1..3}}, effect: add self to score}
""".lstrip(),
        encoding="utf-8",
    )
    told = text(book(interpreter.load(path).game()))
    assert "twice of the self: 2 times the self" in told and "[the rank chosen] [the number chosen]" in told


def test_ranks_that_follow_are_told(tmp_path):
    path = tmp_path / "told.yaml"
    path.write_text(TOLD.replace("LAW", "true"))
    told = " ".join("\n".join(texts(book(interpreter.load(path).game()).sections)).split())
    assert "the card's rank and ace are not next to each other" in told.lower()
    assert "the winner's score goes up by the _ of the top card of the trick" in told.lower()


@pytest.mark.parametrize(
    "law", ["item(1, marks)", "not cycle(2, marks)", "open of P1", "not open of actor", 'way = "_"']
)
def test_yes_or_no_can_come_from_anywhere(law, tmp_path):
    path = tmp_path / "told.yaml"
    path.write_text(TOLD.replace("LAW", law))
    assert "three" in "\n".join(texts(book(interpreter.load(path).game()).sections))


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
            said = [line.text for line in lines((node,), speaker)]
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
    page = html(marked_book(game))
    ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    tags: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append((tag, dict(attrs)))

    Reader().feed(page)
    assert not {tag for tag, _ in tags} & {"script", "link", "img", "iframe"}
    assert all((attrs.get("href") or "#").startswith("#") for _, attrs in tags)
    assert "url(" not in page and "@import" not in page
    assert 'name="viewport"' in page and "@media print" in page and "prefers-color-scheme: dark" in page
    names = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(names) == len(set(names))
    assert {attrs["href"] for tag, attrs in tags if tag == "a"} == {f"#{name}" for name in names}
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    inside = {
        "ul": {"li"},
        "tr": {"th", "td"},
        "thead": {"tr"},
        "tbody": {"tr"},
        "table": {"caption", "thead", "tbody"},
    }
    for element in root.iter():
        assert {child.tag for child in element} <= inside.get(element.tag, {child.tag for child in element})
        assert element.tag != "p" or len(element) == 0
    for table in root.iter("table"):
        heads = [head.text for head in table.iter("th")]
        for row in table.iterfind("tbody/tr"):
            assert [cell.get("data-head") for cell in row][1:] == heads[1:]  # for phones, where rows are stacked


def test_html_marks_what_has_changed():
    page = html(book(interpreter.load("georgia-spoons", [OVERLAYS / "georgia-spoons" / "skipping-sixes.yaml"]).game()))
    assert '<li class="mark"><b>A 6:' in page
    assert 'class="mark"' not in html(book(interpreter.load("georgia-spoons").game()))


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
    page = html(book(interpreter.load(path).game()))
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


IN_WORDS = {
    "euchre": (
        "Ranks: From low to high: 7, 8, 9, 10, J, Q, K, A.",
        "The order “draw”: From low to high: A, 7, 8, 9, 10, J, Q, K.",
        "Match One game",
        "What is played: “Game”, once.",
        "assist: The dealer's partner accepts. - Only if you are the dealer's partner. - It is called: “I assist”.",
        "You may add “alone”.",
        "It is called: “next” if the colour of the suit chosen is the colour of the offered suit, “cross” otherwise.",
        "Choose, if you like, one of the cards of the pack that are in your hand or are the turn-up.",
        "Who leads first: The player to the left of the dealer. Whoever does not take part is passed over.",
        "It is for the player to the right of the dealer to act.",
    ),
    "spit": (
        "Law “next rank”: The top card of the source fits the top card of the target.",
        "Law “spit due”: A spit is due. Else: “[“others can still play, turn up or move a card” (if you",
        "stuck: The player is stuck if the player has no card to play, the player cannot turn up a card, and",
        "It is forgotten who has called “Spit!”",
        "From now on you have declined.",
        "holds at most 15",
        "The stock piles of that player are dealt face down",
        "“lay out”: The stock piles of the player are dealt face down",
    ),
    "georgia-spoons": (
        "Cards: 104 cards in all: 2 standard packs.",
        "Pieces: spoons",
        "The card can be played if the card is an 8, the card is of the wanted suit, or the card's rank is the rank of",
        "Say: “One card!”, if the number of cards in your hand is 2.",
        "A queen: Play goes the other way round. - Say: “Switchback”. - The direction of play is reversed.",
        "At any time: grab",
        "A fault is forgotten after 2 completed turns of different other players.",
    ),
}


@pytest.mark.parametrize("game", IN_WORDS)
def test_a_game_in_words(game):
    told = said(game)
    for rule in IN_WORDS[game]:
        assert rule in told


def test_a_variant_in_words():
    assert "Ranks: From low to high: 9, 10, J, Q, K, A." in said("euchre", variants=["pack_24"])
    assert "holds at most 10" in said("spit", variants=["chinese_spit"])


def test_what_an_overlay_changes_is_marked():
    told = text(book(interpreter.load("georgia-spoons", [OVERLAYS / "georgia-spoons" / "skipping-sixes.yaml"]).game()))
    assert "◆ marks what has been changed by an overlay." in told
    assert "◆ A 6:" in told and "◆ A king" not in told
    assert "◆" not in text(book(interpreter.load("georgia-spoons").game()))


def test_what_an_option_refuses_is_told_with_the_reason():
    told = said("georgia-spoons")
    assert "or large coin or custom. - Not allowed: fork (unsafe, as is all cutlery but spoons)," in told


def test_a_book_has_no_names_of_the_language(game):
    """Names are words, and whatever is asked or done is said in words of its own."""
    for words in texts(book(game).sections):
        assert "_" not in words
        assert not re.search(r"“[a-z ]+” (?:is not set|is set|does not hold|holds)\b", words), words
        assert not re.search(r"beginning value|\bmodulo\b|\ba that\b", words), words


def test_a_named_effect_that_is_described_is_told_once():
    found = []
    for name in SHIPPED:
        game = interpreter.load(name).game()
        everything = list(texts(book(game).sections))
        docs = chapters._docs(game.ruleset.node)
        for node in t.walk(game.ruleset.model):
            if isinstance(node, t.RunEffect) and (doc := docs.get(f"define.{node.name}")):
                assert everything.count(f"“{g.plain(node.name)}”") == 1 and doc in everything
                found.append(node.name)
    assert found


@pytest.mark.parametrize(
    ("clause", "opposite"),
    [
        ("hearts may be led", "hearts may not be led"),
        ("the player has a card to play", "the player has no card to play"),
        ("the player has to draw again", "the player need not draw again"),
        ("somebody is out of cards", "nobody is out of cards"),
        ("nobody can go on", "somebody can go on"),
        ("there is a card to draw", "there is no card to draw"),
        ("cards flow", "it is not so that cards flow"),
    ],
)
def test_a_clause_is_denied(clause, opposite):
    assert g.denied(clause) == opposite


@pytest.mark.parametrize(
    ("doc", "statement"),
    [
        ("Whether hearts may be led.", "hearts may be led"),
        (
            "Whether the player has drawn freely: without having to, and played no card since.",
            "the player has drawn freely",
        ),
        ("Who has bid nil before looking.", "the player has bid nil before looking"),
        ("Has kept or refused a card.", "the player has kept or refused a card"),
        ("The suit of the turn-up.", ""),
    ],
)
def test_what_a_description_states(doc, statement):
    assert g.statement(doc) == statement


@pytest.mark.parametrize(
    ("text", "owner", "filled"),
    [
        ("the player has no card", "you", "you have no card"),
        ("The player takes the pile", "you", "You take the pile"),
        ("the player is out", "that player", "that player is out"),
        (
            "The player reshuffles, and is the next who turns a card",
            "you",
            "You reshuffle, and are the next who turns a card",
        ),
        ("The player takes the jack and queens", "you", "You take the jack and queens"),
        ("the player's hand is empty", "you", "your hand is empty"),
        ("the partner of the player has still to bid", "you", "your partner has still to bid"),
        ("the partner of the player has still to bid", "the dealer", "the dealer's partner has still to bid"),
    ],
)
def test_a_sentence_is_said_of_somebody(text, owner, filled):
    assert g.filled(text, "the player", owner) == filled


@pytest.mark.parametrize(
    ("name", "settings", "rule"),
    [
        ("setback", {"players": 2}, "Sides: Everybody plays alone."),
        ("setback", {}, "If the suit that the card belongs to is the trump:"),
        ("setback", {}, "A point goes to the side that has taken the jack (“point for”)."),
        ("spit", {}, "for every player whose own pile has not been taken: that player takes the spit pile"
                     " of that other player (“take pile”)."),
        ("spit", {}, "if of two piles of the player, there are cards in the first and the rank of the top card of the"
                     " first is the rank of the top card of the second."),
        ("spit", {}, "Law “touched”: This is never allowed. Whoever tries is told: “what has touched a"),
        ("bicycle-spoons", {}, "spoons is more than 1, one of the offender's spoons goes back to the table."),
        ("bicycle-spoons", {}, "“too many cards”: It costs nothing."),
        ("bicycle-spoons", {}, "“loses”: The player loses the round"),
        ("georgia-spoons", {}, "Grab one. The hold is how far the hand is from the end of the handle"),
        ("georgia-spoons", {"options": {"contest_rule": "first_touch"}}, "the same one, whoever comes first gets it"),
        (
            "georgia-spoons", {"options": {"spoon_object": "stone"}},
            "3 stones are laid out on the table (the number of all players minus 1).",
        ),
        ("pig", {}, "The next player after the player among those who still have a life and who have not left off"),
        ("hearts", {}, "The entry that the number of the deal, counted over and over, comes to in the list of"),
    ],
)  # fmt: skip
def test_a_book_is_plain_english(name, settings, rule):
    assert rule in said(name, **settings)


def test_what_differs_for_single_laws_on_honour_is_told():
    """Also what a law says itself, and also in the book of a strict match."""
    for told in (said("spades"), said("spades", enforcement="honor")):
        chapter = told[told.index("ON HONOUR") : told.index("OPTIONS")]
        for rule in (
            "Penalty for a fault: Unless something else is told of it below: - The offender's side's forfeits go up by",
            "“looks first” and “board”: It costs nothing.",
            "“unseen” and “behind”: The penalty: - From now on the offender has not bid nil before looking.",
            "“in turn”: Its fault is called “out of turn”. The penalty: - It is announced:",
        ):
            assert rule in chapter
    told = said("euchre")
    assert "“deep enough” and “same plan”: The penalty: - The same dealer deals again." in told
    assert "“stays out”: What was done is taken back. The penalty:" in told


def test_how_long_and_by_whom_the_fault_of_a_law_can_be_claimed_is_told(tmp_path):
    path = tmp_path / "late.yaml"
    path.write_text(
        "format: 1\nid: late\nname: Late\nextends: hearts\nflow:\n  tricks:\n    follow:\n      must:\n"
        "        follow_suit: {lapses: {after: 3, ends of: trick}, claimers: left of offender}\n"
    )
    assert (
        "“follow suit”: A fault is forgotten when 3 tricks have ended. It can be claimed by the player to the left of "
        "the offender." in said(str(path))
    )


def test_everything_that_an_overlay_changes_or_takes_out_is_told(tmp_path: Path):
    path = tmp_path / "mild.yaml"
    path.write_text(
        "format: 1\nid: mild\nextends: hearts\n"
        "flow: {tricks: {follow: {must: {no_points_first: null}}}}\n"
        "honor: {penalty: add 5 to score of offender}\n"
    )
    told = text(marked_book(interpreter.load(path).game()))
    assert "◆ marks what has been changed by an overlay." in told
    assert "◆ The offender's score goes up by 5." in told
    gone = told[told.index("WHAT IS NO LONGER SO") :]
    assert "no points first" in gone and "queen stays back" not in gone
    assert "◆" not in text(marked_book(interpreter.load("hearts").game()))


# ---- differences ----------------------------------------------------------------------------------------


def changes(base: str, overlay: str) -> list[str]:
    path = OVERLAYS / base / f"{overlay}.yaml"
    return differences(book(interpreter.load(base).game()), book(interpreter.load(path).game()))


@pytest.mark.parametrize(
    ("base", "overlay", "told"),
    [
        ("georgia-spoons", "skipping-sixes", "new: the power of a 6, The next player after you misses the next turn."),
        (
            "georgia-spoons",
            "quiet-end",
            "no longer: “last claims”: On honour, the last chance to razz before the scoring.",
        ),
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


def reworded(folder: Path, base: str, change: str) -> list[str]:
    path = folder / "mine.yaml"
    path.write_text(f"format: 1\nid: mine\nname: Mine\nextends: {base}\n{change}\n")
    one, other = book(interpreter.load(base).game()), book(interpreter.load(path).game())
    assert not differences(other, other)
    return differences(one, other)


def call_with(effect: str) -> str:
    return f"flow: {{race: {{actions: {{call: {{effect: {effect}}}}}}}}}"


def test_one_step_and_several_are_compared_step_by_step(tmp_path):
    longer = reworded(tmp_path, "dutch-blitz", call_with("set called; add 5 to score"))
    assert longer == ["new: “race”, call, Then, Your score goes up by 5."]
    mine, base = (book(interpreter.load(what).game()) for what in (tmp_path / "mine.yaml", "dutch-blitz"))
    assert differences(mine, base) == ["no longer: “race”, call, Then, Your score goes up by 5."]


def test_one_step_and_several_under_a_condition_are_compared_step_by_step(tmp_path):
    change = "flow: {tricks: {on card: if suit_of(card) = spades then set broken; add 5 to score end}}"
    new = "new: “tricks”, After each card, If the card's suit is spades, Your side's score goes up by 5."
    told = reworded(tmp_path, "spades", change)
    assert new in told
    assert not [c for c in told if "spades may be led" in c]


def test_a_step_that_stays_is_not_told_as_gone():
    one, other = (book(interpreter.load(name).game()) for name in ("spades", "spades-two"))
    told = differences(one, other)
    assert "no longer: “bidding”, bid, Then, All cards of your packet go to your hand." in told
    assert not [c for c in told if "Your bid is now the number chosen" in c]


def test_a_step_that_comes_once_less_is_not_told_as_gone(tmp_path):
    told = reworded(tmp_path, "dutch-blitz", "options: {turn_count: {default: 1}}")
    step = "The next card of the hand goes face up on the wood pile (“turn one”)."
    assert f"“race”, turn, Then: 2 times less: {step}" in told


def test_steps_in_another_order_are_told(tmp_path):
    setup = "shuffle stock; gather all to stock; deal all from stock to packet"
    assert reworded(tmp_path, "spades", f"flow: {{deal: {{setup: {setup}}}}}") == [
        "“deal”, At the beginning: at another point: The stock is shuffled."
    ]


def test_a_value_that_gets_cases_is_compared_with_them(tmp_path):
    cases = "if contract(s) = 10 then 200 else 10 * contract(s)"
    assert reworded(tmp_path, "spades", f"define: {{stake(s): {{value: {cases}}}}}") == [
        "the term stake of the side: 10 times the side's contract, in any other case "
        "(before: 10 times the side's contract)",
        "new: the term stake of the side, 200, if the side's contract is 10.",
    ]


def test_a_text_that_is_gone_is_called_gone_unless_it_was_only_words_for_what_is_below_it(tmp_path):
    told = reworded(tmp_path, "spades", "options: {target: {doc: null}}")
    assert told == ["option target: no longer: The first side with this many points or more wins."]
    one, other = (book(interpreter.load(name).game()) for name in ("spades", "spades-two"))
    assert not [line for line in differences(one, other) if "A number of tricks for the contract" in line]


def test_what_has_another_name_is_another_thing():
    one, other = (book(interpreter.load(name).game()) for name in ("spades", "spades-two"))
    told = differences(one, other)
    assert not [c for c in told if "the chapter “The course of a match”" in c]
    assert [c for c in told if c.startswith("no longer: “answering”")]
    assert [c for c in told if c.startswith("new: “scoring”")]


@pytest.mark.parametrize(
    ("one", "other"), [("hearts", "spades"), ("spades", "hearts"), ("spades", "spades-two"), ("spit-five", "spit")]
)
def test_what_is_off_is_no_news(one, other):
    told = differences(*(book(interpreter.load(name).game()) for name in (one, other)))
    off = re.compile(r"(No limit|This is not played|Nothing has to be said) with the options|this is left out")
    assert not [c for c in told if c.startswith(("new", "no longer")) and off.search(c)]


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(OVERLAYS.glob("*/*.yaml")) if re.search(r"^extends:", p.read_text(), re.MULTILINE)],
    ids=lambda p: p.stem,
)
def test_every_overlay_differs_from_its_base(path):
    ruleset = interpreter.load(path)
    assert differences(book_of_base(ruleset.files[0], ruleset.players.default), book(ruleset.game()))


@cache
def book_of_base(file: str, players: int) -> Book:
    """The rulebook of a ruleset for so many players, or for the usual number if they do not fit."""
    base = interpreter.load(file)
    return book(base.game(players if base.players.min <= players <= base.players.max else None))


def test_games_that_have_nothing_in_common_differ(game):
    other = interpreter.load("pig" if game.ruleset.id != "pig" else "hearts").game()
    assert len(differences(book(game), book(other))) > 10


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a link](javascript:alert(1))", r"\[a link\](javascript:alert(1))"),
        ("![a picture](x)", r"!\[a picture\](x)"),
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("&lt;b>", "&amp;lt;b>"),
        ("Q&A, `code`, snake_case", "Q&A, `code`, snake_case"),
        ("# a heading", r"\# a heading"),
        ("12. and 13. of it", r"12\. and 13. of it"),
        ("- a list", r"\- a list"),
        ("```html", r"\`\`\`html"),
        (r"\[not] a link", r"\\\[not\] a link"),
        ("*loud* __louder__", r"\*loud\* \_\_louder\_\_"),
        ("a line\n\n## and another", "a line ## and another"),
        ("https://a.example/b", r"https\:\//a\.example/b"),
        ("www.a.example, e.g. 3.5", r"www\.a\.example, e.g. 3.5"),
        ("me@a.example, @ home", r"me`@`a\.example, @ home"),
        ("@someone, me @ home", "`@`someone, me @ home"),
        ("a/b#12, # 1, #x", "a/b`#`12, # 1, #x"),
        ("GH-1 and gh-22, high-5", "GH`-`1 and gh`-`22, high-5"),
        ("$`x`$ $y$ 5 $", r"\$`x`\$ \$y\$ 5 \$"),
        (":smile: 10:30 a::b :+1: `:code:`", "`:`smile: 10:30 a::b `:`+1: `:code:`"),
        ("`https://a.example` and ` alone", r"`https://a.example` and \` alone"),
        ('Old {tabindex="0" onfocus="x"}', 'Old &#123;tabindex="0" onfocus="x"}'),
        ('`there`{onclick="alert(3)"}', '`there`&#123;onclick="alert(3)"}'),
        ("`.so secret.txt`{=ms}", "`.so secret.txt`&#123;=ms}"),
        ("`{{ site.x }}` {% include x %} `y`", r"\`&#123;&#123; site.x }}\` &#123;% include x %} `y`"),
        ("`a {b` c//d", r"\`a &#123;b\` c\//d"),
        ("&#123;", "&amp;`#`123;"),
    ],
)
def test_no_text_of_a_ruleset_becomes_markdown(text, told):
    assert writing.plain(text) == told


def test_a_rulebook_holds_no_link_picture_or_html_of_a_ruleset(tmp_path):
    bait = "[x](javascript:alert(1)) ![y](z) <img src=x onerror=alert(1)>"
    name = f"{bait} `x`{{onclick=alert(1)}}"  # a message holds what is worked out in braces
    path = tmp_path / "bait.yaml"
    path.write_text(
        f"format: 1\nid: bait\nname: '{name}'\nabout: '{name}'\nnotes: ['{name}']\nextends: hearts\n"
        f"options: {{target: {{doc: '{bait}'}}}}\n"
        f"flow: {{tricks: {{follow: {{must: {{follow_suit: {{message: '{bait}'}}}}}}}}}}\n"
    )
    told = book(interpreter.load(path).game())
    marked, page = writing.markdown(told), html(told)
    assert marked.count("javascript:") >= 4 and "](" not in marked.replace("\\](", "") and not set("<{") & set(marked)
    assert page.count("javascript:") >= 4 and "<img" not in page and "<a href" not in page.replace('<a href="#', "")


@pytest.mark.parametrize(
    "text",
    [
        "http://a.example/a",
        "https://evil.com?y=1",
        "HTTPS://Evil.Com",
        "ftp://evil.com",
        "(www.x.com)",
        "WWW.evil.com",
        "evil.com",
        "//localhost/x",
        "me@evil.com",
        "mailto:me.too+1@evil.com",
        "it` http://evil.com `",
        "\\http://evil.com",
        "_www.evil.com_ *https://evil.com* ~me@evil.com~",
    ],
)
def test_no_address_becomes_a_link_where_readers_look_for_them(text):
    reader = MarkdownIt("gfm-like")
    assert "<a " in reader.render("see www.evil.com")  # this one looks for them
    shown = reader.render(f"{writing.plain('a lone `')} {writing.plain(text)}")
    assert "<a " not in shown
    assert re.sub("<[^>]*>|[` \n]", "", shown) == re.sub("[` ]", "", f"a lone ` {text}")


SETTLED = """\
format: 1
id: settled
name: Settled
players: {min: 2, max: 4}
options:
  jokers: {type: integer, min: 0, max: 2, default: 0}
  style: {type: choice, choices: [quick, slow], default: quick}
pack: {standard: 1, add: {joker: {count: jokers}}}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state:
  score: {each: player, type: integer, lasts: match}
  broken: {type: flag, lasts: match, doc: Whether hearts may be led.}
  robbed: {type: player, optional: true, lasts: match}
define:
  idle: if broken then style = slow else style = slow
flow:
  match: {do: [turns], winners: highest score}
  turns:
    kind: turn
    turns: 1 each
    actions:
      never: {when: if broken then style = slow else style = slow, effect: stay}
      spelled: {when: idle and count of stock > 0, effect: stay}
      case: {when: if broken then style = quick else count of stock > 3, effect: stay}
      only: {when: if broken then count of stock > 3 else style = slow, effect: stay}
      rob: {effect: set robbed to left of actor}
"""


@pytest.mark.parametrize(
    ("jokers", "line"),
    [
        (0, "52 cards in all: one standard pack."),
        (1, "53 cards in all: one standard pack, and 1 joker."),
        (2, "54 cards in all: one standard pack, and 2 jokers."),
    ],
)
def test_what_is_not_in_the_pack_is_not_told(tmp_path, jokers, line):
    path = tmp_path / "settled.yaml"
    path.write_text(SETTLED)
    told = book(interpreter.load(path).game(options={"jokers": jokers}))
    assert line in list(texts(told.sections))


def test_cases_that_options_settle_are_told_as_what_is_left_of_them(tmp_path):
    path = tmp_path / "settled.yaml"
    path.write_text(SETTLED)
    lines = " ".join(text(book(interpreter.load(path).game())).split())
    assert "never (if" not in lines and "(if not)" not in lines and "Only if never" not in lines
    assert lines.count("This is not played with the options chosen.") == 2
    assert "Only if hearts may be led or the number of cards in the stock is more than 3." in lines
    assert "Only if hearts may be led and the number of cards in the stock is more than 3." in lines


def test_who_is_named_by_what_was_done_to_them_is_called_a_player(tmp_path):
    path = tmp_path / "settled.yaml"
    path.write_text(SETTLED)
    lines = " ".join(text(book(interpreter.load(path).game())).split())
    assert "The robbed player is now the player to your left." in lines


def test_a_definition_that_nothing_changes_is_told_in_the_same_words(tmp_path):
    """Though an overlay uses it first, and for a player rather than a side: no difference is told of it."""
    path = tmp_path / "house.yaml"
    path.write_text(
        "format: 1\nid: house\nextends: setback\n"
        "define: {a_first(p): {doc: A first use., value: game_of of p}}\n"
        "state: {used: {each: player, type: integer, lasts: match}}\n"
        "flow: {deal: {cleanup: for p in everyone do set used of p to a_first of p end}}\n"
    )
    found = differences(book(interpreter.load("setback").game()), book(interpreter.load(path).game()))
    assert found and not [line for line in found if "game of" in line and "first" not in line]


def test_how_many_take_part_is_not_settled_where_stages_narrow_them():
    thin = interpreter.load(ROOT / "tests" / "semantics" / "rulesets" / "thin.yaml").game()
    course = found_in(book(thin).sections, "The course of a match")
    walking = "\n".join(texts((found_in(course.sections, "Walking"),)))
    assert "setup [the number of players] [the here]" in walking


def two_of(folder: Path, one: list[str], other: list[str]) -> list[str]:
    """How two rulesets differ of which one action has these effects."""
    books = []
    for name, effects in (("one", one), ("other", other)):
        path = folder / f"{name}.yaml"
        path.write_text(
            f"format: 1\nid: {name}\nname: It\nextends: dutch-blitz\n{call_with(repr('; '.join(effects)))}\n"
        )
        books.append(book(interpreter.load(path).game()))
    return differences(*books)


def test_many_steps_are_compared_with_those_that_stand_near(tmp_path, monkeypatch):
    """Each with a dozen at most, so that it takes as long as there are steps; and each finds what it was."""
    asked = []
    ratio = SequenceMatcher.ratio
    monkeypatch.setattr(SequenceMatcher, "ratio", lambda self: (asked.append(1), ratio(self))[1])
    steps = 300
    told = two_of(
        tmp_path, [f"set score to {n}" for n in range(steps)], [f"set score to {n + 400}" for n in range(steps)]
    )
    found = [line for line in told if line.startswith("“race”, call, Then: ")]
    assert len(found) == steps and all("(before: " in line for line in found)
    assert steps <= len(asked) <= 12 * steps


def test_many_steps_in_another_order_are_told_once_each(tmp_path):
    steps = [f"set score to {n}" for n in range(300)]
    assert two_of(tmp_path, steps, steps) == []
    told = two_of(tmp_path, steps, [*steps[1:200], steps[0], *steps[200:], "set score to 900"])
    assert [line.partition(": ")[2] for line in told if "score" in line] == [
        "at another point: Your score is now 0.",
        "“race”, call, Then, Your score is now 900.",
    ]


def test_long_rules_are_compared_word_by_word(tmp_path, monkeypatch):
    lengths = []
    ratio = SequenceMatcher.ratio

    def measured(self):
        lengths.append(len(self.a) * len(self.b))
        return ratio(self)

    monkeypatch.setattr(SequenceMatcher, "ratio", measured)
    many = " and ".join(["score > 3"] * 100)
    one, other = ([f"if {many} then add {n + more} to score end" for n in (1, 2)] for more in (0, 5))
    told = two_of(tmp_path, one, other)
    assert len([line for line in told if "(before: " in line and len(line) > 1000]) == 2
    assert lengths and max(lengths) <= 300 * 300


# ---- bounds ---------------------------------------------------------------------------------------------


def faults_of(folder: Path, text: str) -> list[str]:
    path = folder / "mine.yaml"
    path.write_text(f"format: 1\nid: mine\nname: Mine\nextends: hearts\n{text}\n")
    return [str(found) for found in interpreter.validate(path)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("about: {}", "5:8"),
        ("notes: [short, {}]", "5:16"),
        ("state: {{broken: {{doc: {}}}}}", "5:23"),
        ("flow: {{tricks: {{doc: {}}}}}", "5:22"),
    ],
)
def test_a_text_for_the_rulebook_has_two_thousand_letters(tmp_path, text, place):
    assert not faults_of(tmp_path, text.format("w" * 2000))
    (told,) = faults_of(tmp_path, text.format("w" * 2001))
    assert f"mine.yaml:{place}: error E206: " in told
    assert told.endswith(" has 2,001 letters, and the most is 2,000")


def test_a_text_that_is_given_for_an_option_has_a_thousand_letters(tmp_path):
    option = "options: {{called: {{type: text, default: {}}}}}"
    assert not [told for told in faults_of(tmp_path, option.format("w" * 1000)) if "error" in told]
    told = "\n".join(faults_of(tmp_path, option.format("w" * 1001)))
    assert "error E206: 'default' has 1,001 letters, and the most is 1,000" in told
    faults_of(tmp_path, option.format("short"))
    ruleset = interpreter.load(tmp_path / "mine.yaml")
    with pytest.raises(interpreter.OptionError, match="has a text of 1,001 letters"):
        ruleset.game(options={"called": "w" * 1001})


@pytest.mark.parametrize("told", ["is " * 600, "A♠ " * 100])
def test_a_rulebook_that_nobody_would_read_is_not_told(tmp_path, monkeypatch, capsys, told):
    """What is documented is said wherever it is used, so a file of a few lines could fill a shelf. Cards are drawn."""
    words = " or ".join(["stuck"] * 700)
    path = tmp_path / "mine.yaml"
    flag = f"stuck: {{type: flag, lasts: match, doc: Whether the player {told}}}"
    law = f"flow: {{tricks: {{follow: {{must: {{odd: {words}}}}}}}}}"
    path.write_text(f"format: 1\nid: mine\nname: Mine\nextends: hearts\nstate: {{{flag}}}\n{law}\n")
    with pytest.raises(TooLong, match="the rulebook of 'Mine' has more than 1,000,000 letters, so it is not told"):
        book(interpreter.load(path).game())
    for command in (["explain", str(path)], ["explain", str(path), "--format", "html"], ["diff", "hearts", str(path)]):
        assert cli.run(command) == 1
        assert "has more than 1,000,000 letters, so it is not told: " in capsys.readouterr().err
    assert cli.run(["show", str(path)]) == 0
    assert terminal.rules_told(interpreter.load(path).game()).startswith("the rulebook of 'Mine' has more than")
