"""On honour nobody is told what laws say of hidden cards: no bot plays by it, and no refusal or question tells it."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import SHIPPED

import interpreter
from interpreter import IllegalMove
from interpreter.api.game import Game, State
from interpreter.engine import legal
from interpreter.interfaces.terminal.menu import SeveralMeant, menu, understand
from interpreter.interfaces.terminal.others import Others
from interpreter.players import good_faith
from interpreter.players.good_faith import lawful_moves
from interpreter.players.monte_carlo import ThinkingBot, advice, new_bot
from interpreter.players.random_bot import RandomBot
from interpreter.words.voice import Voice

RULES = """\
format: 1
id: honest
name: Honest
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  board: {seen by: everyone}
state: {score: {each: player, type: integer, lasts: match}}
honor: {claim: claim, during: match, penalty: add 1 to score of claimer}
flow:
  match:
    setup: shuffle stock; deal 6 from stock to hand
    do: [main]
  main:
    KIND
    actions:
      ACTIONS
"""
STEAL = """steal:
        choose: {card: {from: hand of left of actor}, s: {suits: all}}
        must: {told_right: s = card.suit}
        effect: stay"""
BETS = """red: {choose: {card: {from: hand}}, must: {is_red: (top of stock) is red}, effect: move card to board}
      black: {choose: {card: {from: hand}}, must: {is_black: (top of stock) is black}, effect: move card to board}"""
TOUCH = """lay:
        choose: {card: {from: hand}}
        must:
          no_clubs: card.suit != clubs
          guess: {law: card.colour = (top of stock).colour, fault: wrong_guess}
        effect: move card to board"""
SEEDS = range(20)


def game(folder: Path, actions: str, kind: str = "kind: turn") -> Game:
    path = folder / "honest.yaml"
    path.write_text(RULES.replace("ACTIONS", actions).replace("KIND", kind), encoding="utf-8")
    return interpreter.load(path).game(enforcement="honor")


def is_right(state: State, text: str) -> bool:
    """Whether the suit that is named is that of the card which is stolen."""
    _, position, suit = text.split()
    return state.zone("hand", 1)[int(position) - 1][-1] == suit[0].upper()


@pytest.mark.parametrize("effort", [0, 4])
def test_a_bot_does_not_know_what_a_law_says_of_a_card_that_it_does_not_see(effort: int, tmp_path: Path) -> None:
    rules = game(tmp_path, STEAL)
    right = 0
    for seed in SEEDS:
        state = rules.start(seed=seed)
        bot = ThinkingBot(seed, effort) if effort else RandomBot(seed)
        move = bot.choose(state, 0)
        assert move is not None
        right += is_right(state, str(move))
        state.play(0, move)
    assert 0 < right < len(SEEDS) * 3 // 4


def test_where_no_table_can_be_imagined_anything_is_taken_that_can_be_made_but_no_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(good_faith, "knows_course", lambda state: False)
    moves, are_settled = lawful_moves(game(tmp_path, STEAL).start(seed=1), 0)
    assert not are_settled and len(moves) == 6 * 4 and {move.action for move in moves} == {"steal"}


def test_who_can_list_nothing_else_moves_as_the_laws_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(good_faith, "knows_course", lambda state: False)
    monkeypatch.setattr(good_faith, "listable_moves", lambda s, player: [])
    state = game(tmp_path, STEAL).start(seed=1)
    assert RandomBot(1).choose(state, 0) in state.legal_moves(0)


def test_neither_does_who_gives_advice(tmp_path: Path) -> None:
    rules = game(tmp_path, STEAL)
    found = [(state, advice(state, 0, 0.1)[0].move) for state in (rules.start(seed=seed) for seed in SEEDS)]
    assert not all(is_right(state, str(move)) for state, move in found)


GUESSED = {"spit-five": {"spit"}}
"""What players take for lawful without knowing it: here, that nobody else can go on."""


@pytest.mark.parametrize("name", SHIPPED)
def test_of_shipped_games_a_player_can_tell_what_is_lawful(name: str) -> None:
    state, bot = interpreter.load(name).game(enforcement="honor").start(seed=3), RandomBot(3)
    for _ in range(40):
        if state.over:
            break
        player = state.actors[0]
        moves, _ = lawful_moves(state, player)
        told = [str(move) for move in moves if str(move) not in GUESSED.get(name, ())]
        assert told == [str(move) for move in state.legal_moves(player) if str(move) not in GUESSED.get(name, ())]
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move, **bot.measures(state, player, move))


@pytest.mark.parametrize("typed", ["99", "steal 1 7"])
def test_an_example_of_a_move_is_any_that_can_be_made(typed: str, tmp_path: Path) -> None:
    rules = game(tmp_path, STEAL)
    told = set()
    for seed in SEEDS:
        state = rules.start(seed=seed)
        with pytest.raises(IllegalMove) as refused:
            state.parse(0, typed)
        told.add(Voice(state.position).refusal(0, refused.value).partition("“steal")[2])
    assert len(told) == 1 and "" not in told


def test_which_one_is_asked_of_all_that_can_be_made(tmp_path: Path) -> None:
    rules = game(tmp_path, BETS)
    for seed in range(4):
        state = rules.start(seed=seed)
        with pytest.raises(SeveralMeant, match=r"red .* or 'black "):
            understand(state, 0, state.zone("hand", 0)[0], menu(state, 0))


def test_a_refused_touch_names_what_no_law_refuses(tmp_path: Path) -> None:
    rules = game(tmp_path, TOUCH, "kind: race\n    until: false")
    for seed in SEEDS:
        state = rules.start(seed=seed)
        clubs = [card for card in state.zone("hand", 0) if card.endswith("C")]
        if clubs:
            with pytest.raises(IllegalMove) as refused:
                state.play(0, f"lay {clubs[0]}")
            others = [f"lay {card}" for card in state.zone("hand", 0) if card not in clubs]
            assert set(refused.value.message.removeprefix("you may ").split(", ")) == set(others)
            assert not any(f": lay {card}" in Voice(state.position).refusal(0, refused.value) for card in others)


HIDDEN = """\
format: 1
id: hidden
name: Hidden
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none, count seen by: none}
  box: {seen by: none, count seen by: none}
  hand: {each: player, seen by: owner}
  bag: {each: player, seen by: owner, count seen by: owner}
  heap: {faces: down}
  pile: {}
tokens: {coin: {seen by: owner}}
melds: {pair: {same: rank, size: 2}}
state:
  score: {each: player, type: integer, lasts: match}
  card_of: {type: card, optional: true, lasts: match}
  worth: {type: integer, min: 0, max: 60, lasts: match, seen by: none}
  spoken: {type: flag, lasts: match}
honor: {claim: claim, during: match, penalty: add 1 to score of claimer}
flow:
  match: {setup: "BEFORE", do: [STAGES], winners: highest score}
  filled: {with: {k: {type: integer, min: 0, max: 60}}, effect: set worth to k}
  begun: {effect: "call filled with k = worth"}
  main:
    KIND
    actions:
      wait: {effect: move 1 from stock to pile}
      act: {ACT}
"""
DEALT = "shuffle stock; deal 4 from stock to hand; move 4 from stock to heap; set out 3 of coin; SECRET"
OFFERED = [
    "when: (top of stock).suit = hearts",
    "choose: {s: {suits: all, where: (top of stock).suit = s}}",
    "choose: {n: {number: 1..place of (top of stock).rank}}",
    "choose: {card: {from: hand of left of actor, where: card.suit = hearts}}, effect: move card to pile",
    "choose: {cards: {from: heap, count: 1..2, where: card.suit = hearts}}, effect: move cards to pile",
    "choose: {card: {from: bag of left of actor}}, effect: move card to pile",
    "choose: {n: {number: 0..count of bag of left of actor}}",
    "choose: {n: {number: 1..9, where: n <= worth}}",
    "choose: {w: {players: all p in players where QS in hand of p}}",
    "choose: {s: {suits: all, where: (top of stock).suit = s, said: true, else: spades}}",
    "choose: {k: {kinds: hand of left of actor}}",
    "choose: {m: {meld: pair, from: hand, where: (top of stock).suit = hearts}}, effect: move m to pile",
    "choose: {t: {tokens: coin, where: count of coin of left of actor < 2}}, effect: take t",
    "choose: {s: {suits: all}}, must: {right: (top of stock).suit = s}",
    "choose: {s: {suits: all}}, must: {right: {law: (top of stock).suit = s, fault: wrong}}",
]


def hidden(folder: Path, act: str, before: str, kind: str = "kind: turn\n    first: P1", stages: str = "main") -> Game:
    path = folder / "hidden.yaml"
    text = (
        HIDDEN if "begun" in stages else HIDDEN.replace(HIDDEN[HIDDEN.index("  filled") : HIDDEN.index("  main:")], "")
    )
    text = text.replace("BEFORE", before).replace("STAGES", stages).replace("KIND", kind).replace("ACT", act)
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path).game(enforcement="honor")


@pytest.mark.parametrize(
    "kind", ["kind: turn\n    first: P1", "kind: simultaneous", "kind: ask", "kind: race\n    until: false"]
)
@pytest.mark.parametrize("offered", OFFERED)
def test_what_a_bot_chooses_can_be_made(offered: str, kind: str, tmp_path: Path) -> None:
    """Whatever it imagines."""
    secret = "set worth to place of (top of stock).rank; move 2 from stock to bag of P2"
    rules, made = hidden(tmp_path, offered, DEALT.replace("SECRET", secret), kind), 0
    for seed in range(6):
        state, bots = rules.start(seed=seed), [new_bot(skill, seed) for skill in ("easy", "medium")]
        for turn in range(8):
            player = state.actors[turn % len(state.actors)] if state.actors else 0
            move = bots[player].choose(state, player)
            if state.over or move is None:
                break
            state.play(player, move, **bots[player].measures(state, player, move))
            made += 1
    assert made > 10


def test_what_can_be_made_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not asked of each move, which may list all of them anew each time."""
    listed = []
    monkeypatch.setattr(good_faith, "can_be_made", None)
    monkeypatch.setattr(good_faith, "listable_moves", lambda *of: listed.append(of) or legal.listable_moves(*of))
    state = game(tmp_path, STEAL).start(seed=1)
    assert len(lawful_moves(state, 0)[0]) > 1 and len(listed) == 1


def test_who_has_no_lawful_move_where_all_choose_at_once_thinks_of_none(tmp_path: Path) -> None:
    path = tmp_path / "shouts.yaml"
    text = SHOUTS.replace("{wait: {}}", "{wait: {when: score of actor > 0}}").replace(
        "must: {red", "when: false, must: {red"
    )
    path.write_text(text, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    assert ThinkingBot(1, 4).choose(state, 0) is None and advice(state, 0, 0.1) == []


KEPT = {
    "a card": ("set card_of to top of stock", "card_of.suit = s"),
    "a number": ("set worth to place of (top of stock).rank", "worth > 6 or s = spades"),
    "an argument": ("set worth to place of (top of stock).rank", "worth > 6 or s = spades"),
    "how many were moved": (
        "move all c in top 3 of stock where c.suit = hearts to box; set worth to moved", "worth > 0 or s = spades",
    ),
    "a count": (
        "for c in top 3 of stock do if c.suit = hearts then move c to box end end; set worth to count of box",
        "worth > 0 or s = spades",
    ),
    "what a card says": (
        "set card_of to top of stock; set worth to place of card_of.rank", "worth > 6 or s = spades",
    ),
}  # fmt: skip


@pytest.mark.parametrize("skill", ["easy", "medium"])
@pytest.mark.parametrize("name", KEPT)
def test_whatever_way_a_secret_has_come_a_bot_does_not_know_it(name: str, skill: str, tmp_path: Path) -> None:
    """In tables that look alike it does alike."""
    kept, law = KEPT[name]
    act = f"choose: {{s: {{suits: all}}}}, must: {{right: {law}}}, effect: stay"
    rules = hidden(
        tmp_path, act, DEALT.replace("SECRET", kept), stages="begun, main" if name == "an argument" else "main"
    )
    looks: dict[str, set[tuple[str, ...]]] = {}
    lawful: dict[str, set[str]] = {}
    pack = list(rules.program.cards)
    dealt, rest = pack[:8], pack[8:]
    for top in range(0, len(rest), 5):
        state = rules.start(seed=1, chance={"deck": dealt + rest[top:] + rest[:top]})
        chosen = tuple(str(new_bot(skill, seed).choose(state.copy(), 0)) for seed in range(3))
        look = repr((state.view(0), list(map(str, state.possible_moves(0)))))
        looks.setdefault(look, set()).add(chosen)
        lawful.setdefault(look, set()).add(str([str(move) for move in state.legal_moves(0)]))
    assert all(len(found) == 1 for found in looks.values())
    assert any(len(found) > 1 for found in lawful.values())


def test_a_bot_says_no_more_than_it_knows(tmp_path: Path) -> None:
    act = 'say: {high: {words: "High!", when: place of (top of stock).rank > 6}}, effect: stay'
    rules, said = hidden(tmp_path, act, DEALT.replace("; SECRET", "")), set()
    for seed in range(40):
        state = rules.start(seed=seed)
        move = RandomBot(1).choose(state, 0)
        assert move is not None
        said.add((rules.program.cards.index(state.zone("stock")[0]) // 4 > 5, move.words))
    assert len({high for high, words in said if words and "High" in words}) != 1


SHOUTS = """\
format: 1
id: shouts
name: Shouts
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, pile: {}}
state: {score: {each: player, type: integer, lasts: match}}
honor: {claim: claim, during: match, penalty: add 1 to score of claimer}
flow:
  match: {setup: shuffle stock, do: [main], winners: highest score}
  main:
    kind: simultaneous
    anytime: {shout: {must: {red: (top of stock) is red}, effect: add 1 to score}}
    actions: {wait: {}}
"""


def test_what_is_open_at_any_time_is_done_by_what_a_bot_can_tell(tmp_path: Path) -> None:
    path = tmp_path / "shouts.yaml"
    path.write_text(SHOUTS, encoding="utf-8")
    rules = interpreter.load(path).game(enforcement="honor")
    found = set()
    for seed in range(20):
        state = rules.start(seed=seed)
        state.play(1, "wait")
        others = Others(state, {1: RandomBot(1)}, (0,), lambda *_: [])
        found.add((len(state.legal_moves(1)) > 0, tuple(others._bystanders())))
    assert len(found) == 2 and len({who for _, who in found}) == 1
