"""Whatever an action lets choose, one thing hanging on another: what is offered is read from its text, and does alike.

Each case is an action of its own, made at random: cards that are seen or called by where they lie, several of them,
numbers, players, suits that may be left unsaid, melds that are asked for, with a row and conditions on what was chosen
before.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import interpreter
from interpreter import Game, RuleError, RulesetError, State
from interpreter.api.settled import Enforcement

RULES = """\
format: 1
id: choices
name: Choices
players: {min: 3, max: 3}
pack: {standard: PACKS, only: 9..A}
options: {goals: {type: list of melds, default: [[pair 2], [pair 2, run 3]]}}
melds:
  pair: {same: rank, size: 2..3}
  run: {consecutive: rank, size: 3..}
  odd: {same: rank, size: 2..3, wild: card.rank = low}
tokens: {chip: {doc: Chips.}}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  heap: {each: player, seen by: owner, faces: FACES}
  board: {}
  side: {}
  shy: {seen by: none}
state:
  score: {each: player, type: integer, lasts: match}
  secret: {each: player, type: integer, lasts: match, seen by: owner}
  low: {type: rank, lasts: match, seen by: none}
cards:
  black: {choose: {suit: {suits: all}}}
  A: {choose: {victim: {players: others}, much: {number: 1..2}}}
  K: {}
honor: {claim: razz, penalty: subtract 1 from score of offender}
flow:
  match:
    setup: |
      shuffle stock; set out 3 of chip; set low to (top of stock).rank
      deal 3 from stock to hand
      for p in players do move 2 from stock to heap of p end
      move 3 from stock to board; move 2 from stock to side; move 3 from stock to shy
    do: [main]
  main:
    KIND
    actions:
      act: {choose: {CHOOSE}, ROW SAY effect: "add 1 to score; EFFECT"}
      wait: {}
"""
KINDS = (
    "kind: turn\n    first: P1\n    turns: 3 each", "kind: ask\n    players: players",
    "kind: simultaneous\n    resolve: stay", "kind: race\n    until: count of stock = 0",
    "kind: ask\n    players: P2",
    "kind: race\n    players: all p in everyone where p is P2\n    until: count of stock = 0",
)  # fmt: skip
SOURCES = (
    "hand", "hand of left of actor", '"(hand of left of actor, hand of right of actor)"', "board", '"(board, side)"',
    "heap", '"(hand, board)"', '"(heap of left of actor, board)"', "shy", '"(shy, side)"', "heap of left of actor",
    "all c in hand where c.colour = black", "all c in pack where c.rank = K", '"(hand, hand of left of actor)"',
)  # fmt: skip
ASKED = {
    "card": (
        "NAME in board", "NAME in hand of left of actor", "NAME.rank = K", "NAME.colour = red",
        "holder of NAME = actor",
    ),
    "cards": (
        "count of NAME > 1", "any z in NAME has z in board", "all z in NAME has z in hand",
        "count z in NAME where z in hand of left of actor = 1",
    ),
    "number": ("NAME > 1",),
    "player": ("count of hand of NAME > 2", "NAME = left of actor"),
}  # fmt: skip
"""What may be asked of something that was chosen before, by what it is."""
CHOSEN = {
    "card": ("from: FROM", 'from: FROM, where: "IF"', "from: FROM, optional: true"),
    "cards": ("from: FROM, count: 1..2", "from: FROM, count: 2", 'from: FROM, count: "0..(if IF then 1 else 2)"'),
    "number": ('number: "0..(if IF then 1 else 3)"',),
    "player": ('players: others, where: "IF"', 'players: players, where: "IF", optional: true'),
    "suit": ('suits: all, where: "IF"', 'suits: all, where: "IF", said: true, else: spades'),
    "word": ('choice: [low, very high, high], where: "IF"', "flag: true", "tokens: chip", 'zones: hand, where: "IF"'),
    "meld": (
        "meld: pair, from: hand", 'melds: [pair, run], from: hand, count: 1..2',
        'melds: "item(if IF then 1 else 2, goals)", from: "(hand, board)"', "meld: odd, from: OWN",
        "melds: [odd, run], from: OWN, count: 1..2",
    ),
}  # fmt: skip


def ruleset(random: Random, besides: Sequence[str] = ()) -> str:
    """A ruleset whose action has one to four parameters. besides: what may be asked besides of what was chosen."""
    chosen: list[tuple[str, str]] = []
    said = []
    for name in "abcd"[: random.randint(1, 4)]:
        asked = [one.replace("NAME", before) for before, kind in chosen for one in ASKED.get(kind, ())]
        asked += besides
        kind = random.choice([*CHOSEN, "card", "cards"])
        own = [f"hand without {before}" for before, kind in chosen if kind in ("card", "cards")]
        text = random.choice(CHOSEN[kind]).replace("FROM", random.choice(SOURCES))
        text = text.replace("OWN", random.choice(own or ["hand"]))
        said.append(f"{name}: {{{text.replace('IF', random.choice(asked or ['true']))}}}")
        chosen.append((name, kind))
    cards = [name for name, kind in chosen if kind == "card"]
    moved = [name for name, kind in chosen if kind in ("card", "cards")]
    row = f"row: {random.choice([*cards, 'top of board'])}, " if random.random() < 0.5 else ""
    effect = f"move {random.choice(moved)} to side" if moved and random.random() < 0.5 else "stay"
    asked = [one.replace("NAME", before) for before, kind in chosen for one in ASKED.get(kind, ())]
    ways = [f'say: {{w: {{words: mine, when: "{random.choice(asked)}"}}}}, '] if asked else []
    say = random.choice([*ways, *(f'say: "{{{name}.rank}}", ' for name in cards), ""])
    text = RULES.replace("CHOOSE", ", ".join(said)).replace("ROW ", row).replace("SAY ", say).replace("EFFECT", effect)
    text = text.replace("PACKS", random.choice("12")).replace("FACES", random.choice(["up", "down"]))
    return text.replace("KIND", random.choice(KINDS))


def look(state: State, random: Random) -> int:
    """What each player is offered is read from its text and does alike. Returns how many moves were looked at."""
    looked = 0
    for player in range(3):
        moves = state.legal_moves(player) if state.game.enforcement == "strict" else state.possible_moves(player)
        for move in random.sample(range(len(moves)), min(4, len(moves))):
            text = str(moves[move])
            assert state.parse(player, text) == moves[move], text
            by_text, by_move = state.copy(), state.copy()
            by_text.play(player, text)
            by_move.play(player, moves[move])
            assert by_text.to_json() == by_move.to_json(), text
            looked += 1
    return looked


def walk(game: Game, random: Random) -> int:
    """Look at three positions of a match. Returns how many moves were looked at."""
    state, looked = game.start(seed=random.randrange(100)), 0
    for _ in range(3):
        looked += look(state, random)
        if not state.actors:
            break
        player = random.choice(state.actors)
        moves = state.legal_moves(player)
        state.play(player, moves[random.randrange(len(moves))])
    return looked


@pytest.mark.parametrize("part", range(8))
def test_what_is_offered_is_read_from_its_text_and_does_alike(tmp_path: Path, part: int) -> None:
    path, looked = tmp_path / "choices.yaml", 0
    enforcements: tuple[Enforcement, ...] = ("strict", "honor")
    for seed in range(part * 12, part * 12 + 12):
        random = Random(seed)
        path.write_text(ruleset(random), encoding="utf-8")
        try:
            loaded = interpreter.load(path)
        except RulesetError as error:
            assert {found.code for found in error.diagnostics if found.severity == "error"} == {"E505"}, error
            continue  # it would tell of what is hidden
        for enforcement in enforcements:
            try:
                looked += walk(loaded.game(enforcement=enforcement), random)
            except RuleError as error:  # more moves than can be listed, or nobody can go on
                assert "cannot be carried out" not in error.message
    assert looked > 50


WRONG_ONCE = (
    ('c: {from: "(hand, board)"}, suit: {suits: all, said: true, else: hearts}', 'say: "{c.rank}", '),
    (
        'cs: {from: "(hand, board)", count: 2}, n: {number: 0..2, where: n = count c in cs where c in board}, '
        "suit: {suits: all, said: true, else: hearts}",
        "",
    ),
    ('c: {from: "(hand of left of actor, board)"}, suit: {suits: all, said: true, else: spades}', 'say: "{c.rank}", '),
)


@pytest.mark.parametrize("packs", "12")
@pytest.mark.parametrize(("choose", "say"), WRONG_ONCE)
def test_what_was_read_wrong_once_is_read(tmp_path: Path, choose: str, say: str, packs: str) -> None:
    text = RULES.replace("CHOOSE", choose).replace("ROW ", "").replace("SAY ", say).replace("EFFECT", "stay")
    path = tmp_path / "choices.yaml"
    path.write_text(text.replace("PACKS", packs).replace("FACES", "up").replace("KIND", KINDS[0]), encoding="utf-8")
    game, random = interpreter.load(path).game(enforcement="honor"), Random(1)
    assert sum(walk(game, random) for _ in range(3)) > 60
