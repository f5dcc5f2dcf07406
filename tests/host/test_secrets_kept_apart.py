"""Secrets in variables where they are easily overlooked: of each card, worked out of one, put by during a call."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Game
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.not_made import Refusal
from interpreter.players.monte_carlo import advice

HEAD = """\
format: 1
id: apart
name: Apart
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {}}
state:
  score: {each: player, type: integer, lasts: match}
  STATE
flow:
  match: {first dealer: P1, repeat: deal, until: any p in players has score of p >= 20, winners: highest score}
  deal: {setup: gather all to stock; shuffle stock; SETUP, do: [t], next dealer: left}
  t:
    kind: turn
    first: P1
    turns: 6 each
    actions:
"""
SUB = """\
  sub:
    kind: turn
    first: P1
    turns: 2
    actions:
      draw: {effect: move 1 from stock to hand}
      red: {effect: set said}
      black: {effect: clear said}
"""
DEAL, DRAW = "deal 5 from stock to hand", "      draw: {effect: move 1 from stock to hand}\n"
KEPT = {
    "a flag of each card": (
        "reserved: {each: card, type: flag, lasts: deal, seen by: none}",
        f"{DEAL}; set reserved of (top of stock)",
        "      give: {effect: move first c in stock where reserved of c to hand of P2}\n" + DRAW,
    ),
    "a suit": (
        "called: {type: suit, optional: true, lasts: deal, seen by: none}",
        f"{DEAL}; set called to (top of stock).suit",
        "      give: {effect: move first c in stock where c.suit = called to hand of P2}\n" + DRAW,
    ),
    "a number": (
        "spoken: {type: integer, lasts: deal, seen by: none}",
        f"{DEAL}; set spoken to place of (top of stock).rank",
        "      give: {effect: move first c in stock where place of c.rank = spoken to hand of P2}\n" + DRAW,
    ),
    "a flag that is still as it was": (
        "dark: {type: flag, lasts: deal, seen by: none}",
        f"{DEAL}; if (top of stock).colour = black then clear dark end",
        "      give: {effect: move first c in stock where (c.colour = red) = dark to hand of P2}\n" + DRAW,
    ),
    "a card put by": (
        "kept: {type: card, optional: true, lasts: turn}\n  said: {type: flag, lasts: deal}",
        DEAL,
        "      go: {effect: set kept to top of stock; call sub; stay}\n"
        "      give: {effect: move kept to hand of left of actor}\n" + SUB,
    ),
}


def game(folder: Path, state: str, setup: str, actions: str) -> Game:
    path = folder / "apart.yaml"
    path.write_text(HEAD.replace("STATE", state).replace("SETUP", setup) + actions, encoding="utf-8")
    return interpreter.load(path).game()


@pytest.mark.parametrize("kept", KEPT)
def test_who_has_seen_a_card_of_which_a_secret_speaks_takes_nothing_back(kept: str, tmp_path: Path) -> None:
    own = game(tmp_path, *KEPT[kept])
    for _ in range(3):
        match = HostedMatch(own, ["Anna", "Ben"])
        match.begun()
        if kept == "a card put by":
            match.play(0, "go", None, None)
        before = len(match.state.position.record_moves)
        match.play(0, "draw", None, None)
        with pytest.raises(Refusal, match="not taken back"):
            match.undo(before, "taken back", [0])


def test_a_variable_of_each_card_that_says_nothing_yet_keeps_no_move_from_being_taken_back(tmp_path: Path) -> None:
    own = game(
        tmp_path,
        "laid: {each: card, type: integer, lasts: deal}",
        DEAL,
        "      lay: {choose: {c: {from: hand}}, effect: move c to open; add 1 to laid of c}\n" + DRAW,
    )
    state = own.start(seed=1)
    before = state.zone("stock")
    state.play(0, "draw")
    state.undo(seed=5)
    assert len(state.zone("stock")) == len(before) and state.zone("stock") != before


def test_what_the_rules_say_of_a_card_holds_when_a_move_is_taken_back(tmp_path: Path) -> None:
    promised = "promised of (top of stock) to left of dealer"
    own = game(
        tmp_path,
        "promised: {each: card, type: player, optional: true, lasts: match, seen by: none}",
        f"{DEAL}; set {promised}",
        "      lay: {choose: {c: {from: hand}}, effect: move c to open}\n"
        f'      pay: {{effect: "move 1 from stock to hand of promised of (top of stock); set {promised}"}}\n',
    )
    for _ in range(12):
        match = HostedMatch(own, ["Anna", "Ben"])
        match.begun()
        for again in (True, False):
            match.play(0, str(match.state.legal_moves(0)[0]), None, None)
            if again:
                match.undo(0, "taken back", [0, 1])
        match.play(1, "pay", None, None)


@pytest.mark.parametrize("kind", ["card", "cards", "flag"])
def test_nobody_is_advised_by_what_was_put_by_unseen(kind: str, tmp_path: Path) -> None:
    red = {"card": "(kept.colour = red)", "cards": "(any c in kept has c.colour = red)", "flag": "kept"}[kind]
    what = "(top of stock).colour = red" if kind == "flag" else "top of stock"
    eyes = ", seen by: none" if kind == "flag" else ""
    own = game(
        tmp_path,
        f"kept: {{type: {kind}, {'optional: true, ' * (kind == 'card')}lasts: turn{eyes}}}\n"
        "  said: {type: flag, lasts: deal}\n  gone: {type: flag, lasts: turn}",
        "shuffle stock",
        f"      go: {{when: not gone, effect: set gone; set kept to {what}; call sub; stay}}\n"
        f"      settle: {{when: gone, effect: if {red} = said then add 5 to score of actor end}}\n"
        + SUB.replace("turns: 2", "turns: 1").replace(DRAW, ""),
    )
    right = 0
    for seed in range(30):
        state = own.start(seed=seed)
        state.play(0, "go")
        best = str(advice(state.copy(), 0)[0].move)
        right += (best == "red") == (state.zone("stock")[0][-1] in "HD")
    assert 5 < right < 25
