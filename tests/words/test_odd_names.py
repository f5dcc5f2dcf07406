"""Whatever a ruleset calls its stages, words and pieces, sentences come of it, and say it as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import State
from interpreter.words.acts import Acts
from interpreter.words.narrative import Narrative, reader_of
from interpreter.words.questions import question
from interpreter.words.score_sheet import score_sheet
from interpreter.words.standings import marks

ODD = """\
format: 1
id: odd
name: Odd
players: {min: 2, max: 3, default: 2}
pack: {standard: 1}
options: {thing: {type: text, default: spoon}}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {seen by: everyone}
tokens: {spoon: {named: thing}}
state: {score: {each: player, type: integer, lasts: match}}
cards:
  2..6: {choose: {n: {number: 1..3}, q: {choice: [loud, P0, P2, T99, ², LONG]}}}
  7..K: {choose: {cs: {from: hand, count: 1..2}}}
flow:
  match: {first dealer: random, repeat: DEAL, until: number of DEAL > 1, winners: highest score}
  DEAL:
    setup: gather all to stock; shuffle stock; deal 5 from stock to hand; set out 1 of spoon
    do: [turns]
    next dealer: left
  turns:
    kind: turn
    turns: 3 each
    actions:
      shed: {choose: {card: {from: hand}}, row: card, effect: move card to discard}
      bid: {choose: {how: {choice: [loud, P0, P2, T99, ², LONG]}}}
""".replace("LONG", "T" + "9" * 49)


def game(folder: Path, deal: str = "deal", text: str = ODD) -> interpreter.Game:
    path = folder / "odd.yaml"
    path.write_text(text.replace("DEAL", deal))
    return interpreter.load(path).game()


def told(state: State, since: int = 0) -> str:
    found = Narrative(Acts(state.game.program), reader_of(state.position, 0, ("Anna", "Ben"))).lines(state.log[since:])
    return " | ".join(line.text for line in found)


@pytest.mark.parametrize("name", ["move", "cards", "trick", "say", "score", "pieces", "claim", "over", "time"])
def test_a_deal_may_be_called_as_anything_that_happens(tmp_path: Path, name: str) -> None:
    assert told(game(tmp_path, name).start(seed=1)).startswith("Deal 1")


@pytest.mark.parametrize("word", ["P0", "P2", "T99", "²", "T" + "9" * 49])
def test_a_word_to_choose_is_told_as_it_stands(tmp_path: Path, word: str) -> None:
    state = game(tmp_path).start(seed=1)
    since = len(state.log)
    state.play(state.actors[0], f"bid {word}")
    assert word in told(state, since)


def test_what_the_rows_of_cards_ask_for_is_not_asked_of_every_card(tmp_path: Path) -> None:
    state = game(tmp_path).start(seed=1)
    moves = state.legal_moves(state.actors[0])
    shed = [move for move in moves if move.action == "shed"]
    assert len({len(move.args) for move in shed}) > 1
    reader = reader_of(state.position, state.actors[0])
    asked = question(Acts(state.game.program), state.position, reader, [("shed", shed)])
    assert asked.startswith("Shed a card")


RACE = """\
format: 1
id: matching
name: Matching
players: {min: 3, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, discard: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [dealing, race], winners: highest score}
  dealing: {effect: shuffle stock; deal 1 from stock to hand; move 1 from stock to discard}
  race:
    kind: race
    actions:
      match_it: {choose: {c: {from: hand}}, must: {fits: c.suit = (top of discard).suit}, effect: move c to discard}
    until: any p in players has hand of p is empty
"""


def test_the_table_does_not_tell_who_could_move_in_a_race(tmp_path: Path) -> None:
    made = game(tmp_path, text=RACE)
    states = [state for state in (made.start(seed=seed) for seed in range(20)) if 0 < len(state.actors) < 3]
    assert states
    for state in states:
        assert not any("to play" in mark for mark in marks(state.position, reader_of(state.position, 0)))


COVERED = """\
format: 1
id: covered
name: Covered
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {seen by: everyone, shows: top}
  dark: {seen by: none}
  open: {seen by: everyone}
state: {score: {each: player, type: integer, lasts: match}}
define:
  asked: WHAT
flow:
  match: {do: [dealing, turns], winners: highest score}
  dealing: {effect: move 3 from stock to pile; move 3 from stock to dark; move 1 from stock to openMORE}
  turns: {kind: turn, turns: 2, prompt: "{asked}", actions: {go: {when: hand is empty}, wait: {effect: add 1 to score}}}
"""


@pytest.mark.parametrize(
    ("what", "more", "known"),
    [
        ("count of open", "", True),
        ("min place of c.rank for c in pile", "", False),
        ("count of dark", "", False),
        ("if can(go, P2) then 1 else 0", "", False),
        ("count c in open where c is red", "", True),
        ("count c in open where c is red", "; move 1 from stock to open face down", False),
    ],
)
def test_a_question_tells_only_what_everybody_sees(tmp_path: Path, what: str, more: str, known: bool) -> None:
    path = tmp_path / "covered.yaml"
    path.write_text(COVERED.replace("WHAT", what).replace("MORE", more))
    assert {d.code for d in interpreter.validate(path) if d.severity == "error"} == (set() if known else {"E532"})


def test_texts_of_a_ruleset_that_are_told_stand_on_one_line(tmp_path: Path) -> None:
    """However its file breaks them: no line of what is told is one of an author's own making."""
    path = tmp_path / "lines.yaml"
    path.write_text(
        "format: 1\nid: lines\nname: Lines\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true, seen by: none}}\nflow:\n  match: {do: [calling]}\n"
        "  calling:\n    kind: turn\n    turns: 4\n    actions:\n      call:\n"
        "        tell: |\n          {actor} {verb: call}\n          out loud\n"
        "        say: |\n          one\n          two\n",
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(seed=1)
    events = state.play(0, "call")
    reader = reader_of(state.position, 1, ("Anna", "Ben"))
    lines = [line.text for line in Narrative(Acts(state.game.program), reader).lines(events)]
    assert lines and not any("\n" in text for text in [*lines, *map(str, events)])
    assert "Anna calls out loud: “one two”" in lines[0]


@pytest.mark.parametrize("name", ["move", "cards", "trick", "say", "score", "note", "gather", "over", "round"])
def test_a_deal_is_a_deal_by_whatever_name(tmp_path: Path, name: str) -> None:
    """In the log and on the score sheet: only its text stands in the ruleset's word."""
    text = ODD.replace("effect: move card to discard", "effect: move card to discard; add 1 to score of actor")
    plain, odd = (game(tmp_path, called, text).start(seed=1) for called in ("deal", name))
    for state in (plain, odd):
        for _ in range(9):
            player = state.actors[0]
            state.play(player, next(move for move in state.legal_moves(player) if move.action == "shed"))
    assert [event.kind for event in odd.log or ()] == [event.kind for event in plain.log or ()]
    assert [event.text() for event in odd.log or () if event.kind == "deal"] == [
        f"{name}: 1, dealt by P2",
        f"{name}: 2, dealt by P1",
    ]
    sheets = [[*score_sheet(state.log or (), reader_of(state.position, 0))] for state in (plain, odd)]
    assert sheets[0] == sheets[1] and any(line.startswith("2") for line in sheets[0])
