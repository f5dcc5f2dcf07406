"""Which of equal cards goes: what is asked of laws, words and measures is asked of the very cards that will go."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Game
from interpreter.analysis.audit import run
from interpreter.api.playouts import matches
from interpreter.players.random_bot import measured

ENFORCEMENTS = ["strict", "honor"]
HEAD = """\
format: 1
id: meant
name: Meant
players: {min: 2, max: 2}
pack: {PACK}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match:
    setup: shuffle stock; deal 10 from stock to hand; move 4 from stock to open
    repeat: play
    until: any p in players has hand of p is empty
    winners: highest score
  play:
    kind: KIND
    UNTIL
    actions:
      a: {ACTION, effect: move card to open; add 1 to score}
honor: {penalty: nothing}
"""
PACKS = {"two": "standard: 2", "few": "standard: 4, only: Q..A"}
OWN = 'must: {own: {law: card in top 5 of hand, message: "only of the top five"}}'
ACTIONS = {
    "a law": ("choose: {card: {from: hand}}", OWN),
    "several things chosen": ("choose: {card: {from: hand}, who: {players: others}}", OWN),
    "several places": ('choose: {card: {from: "(hand, open)"}}', OWN.replace("top 5 of hand", "top 9 of hand")),
    "words": ("choose: {card: {from: hand}}", 'say: {low: {words: "Low!", when: card in top 5 of hand}}'),
    "a measure": ('measured: {hold: "0..(if card in top 5 of hand then 2 else 9)"}', "choose: {card: {from: hand}}"),
}


def game(folder: Path, kind: str, action: str, pack: str, enforcement: str) -> Game:
    until = "until: any p in players has hand of p is empty" if kind == "race" else "turns: 1 each"
    text = HEAD.replace("PACK", PACKS[pack]).replace("KIND", kind).replace("UNTIL", until)
    path = folder / "meant.yaml"
    path.write_text(text.replace("ACTION", ", ".join(ACTIONS[action])), encoding="utf-8")
    return interpreter.load(path).game(enforcement=enforcement)  # type: ignore[arg-type]


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("kind", ["turn", "race"])
@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("action", ACTIONS)
def test_a_lawful_move_is_made_by_name_and_as_offered_and_is_no_fault(
    action: str, pack: str, kind: str, enforcement: str, tmp_path: Path
) -> None:
    if action == "a measure" and kind == "turn":
        kind = "race"  # only there it is measured
    own, made = game(tmp_path, kind, action, pack, enforcement), 0
    for seed in range(6):
        state = own.start(seed=seed)
        player = state.actors[0]
        for move in state.legal_moves(player):
            given = {name: high for name, (_, high) in measured(state, player, move).items()}
            offered, read = state.copy(), state.copy()
            offered.play(player, move, **given)
            read.play(player, str(move), **given)
            assert not offered.position.faults
            assert offered.log == read.log == interpreter.replay(offered.record()).log
            assert offered.position.z == read.position.z
            made += 1
    assert made > 20


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("kind", ["turn", "race"])
@pytest.mark.parametrize("action", ACTIONS)
def test_whole_matches_are_played_and_looked_into(action: str, kind: str, enforcement: str, tmp_path: Path) -> None:
    own = game(tmp_path, "race" if action == "a measure" else kind, action, "few", enforcement)
    assert len(list(matches(own, 5, 1, None, 200))) == 5
    assert not [found for found in run(own.ruleset, 8).found if "fault of houserules" in found.message]


def test_a_refusal_in_a_tick_is_told_the_same_again(tmp_path: Path) -> None:
    law = "score of P1 + score of P2 = 0 or (any q in cards has q in stock)"
    text = HEAD.replace("PACK", PACKS["two"]).replace("KIND", "race").replace("turns: 1 each", "")
    text = text.replace("UNTIL", "until: any p in players has hand of p is empty").replace("move card", "move cards")
    path = tmp_path / "tick.yaml"
    own = f'choose: {{cards: {{from: hand, count: 1..2}}}}, must: {{own: {{law: {law}, message: "too late"}}}}'
    path.write_text(text.replace("ACTION", own), encoding="utf-8")
    told = 0
    for seed in range(12):
        state = interpreter.load(path).game().start(seed=seed)
        first = state.legal_moves(0)[0]
        for move in list(state.legal_moves(1))[:20]:
            after = state.copy()
            after.play_together([(0, first, {}), (1, move, {})])
            assert interpreter.replay(after.record()).log == after.log
            told += any(event.kind == "refused" for event in after.log)
    assert told > 100


LONG = """\
format: 1
id: long
name: Long
players: {min: 2, max: 2}
pack: {standard: 2}
zones: {stock: {pack: true}, open: {}, hand: {each: player}}
state: {score: {each: player, type: integer, lasts: match, max: 3}}
flow:
  match: {setup: shuffle stock; move 3 from stock to open, repeat: play, until: number of play > 9}
  play:
    kind: turn
    turns: 1 each
    actions:
      take:
        choose:
          card: {from: "(stock, open)", where: (count n in 1..700 where n > place of card.rank + count of open) > 5}
        effect: move card to hand; add 1 to score
"""


def test_what_could_be_offered_can_be_read_however_long_it_took_to_find(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text(LONG, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    for _ in range(6):
        state.play(state.actors[0], state.legal_moves(state.actors[0])[3])
    assert interpreter.replay(state.record()).log == state.log
    before = {zone: state.zone(zone) for zone in ("stock", "open")}
    with pytest.raises(interpreter.RuleError, match="would become 4"):
        state.play(state.actors[0], state.legal_moves(state.actors[0])[3])
    assert before == {zone: state.zone(zone) for zone in ("stock", "open")}


def test_a_move_that_nobody_listed_ends_no_match(tmp_path: Path) -> None:
    path = tmp_path / "boast.yaml"
    path.write_text(
        "format: 1\nid: boast\nname: Boast\nplayers: {min: 2, max: 2}\npack: {standard: 8}\n"
        "zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {}}\n"
        "flow:\n  match: {setup: move all c in stock where c.suit = clubs to hand of P1, do: [play]}\n"
        "  play:\n    kind: turn\n    actions:\n"
        "      boast:\n        talk: true\n        choose: {cards: {from: hand, count: 1..13}}\n"
        "        must:\n          one_of_each:\n"
        "            law: any c in cards has (any d in cards has c.rank = d.rank and c != d)\n"
        "            message: no two alike\n"
        "      put: {effect: move 1 from stock to open}\n",
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(seed=1)
    for some in ("2C 3C", "2C 3C 4C 5C 6C", "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"):
        with pytest.raises(interpreter.IllegalMove, match="no two alike"):
            state.play(0, f"boast {some}")
    state.play(0, "put")
