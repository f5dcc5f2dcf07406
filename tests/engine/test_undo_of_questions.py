"""A move whose consequence hangs on hidden things is not taken back, in whatever words its rule asks for them."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest

import interpreter
from interpreter import Game, IllegalMove
from interpreter.engine.redrawing import LEARNED

SOUGHT = "2C, 3C, 4C, 5C, 6C, 7C, 8C, 9C, 10C, JC, QC, KC, AC"
ASKED = {
    # cards called by their faces
    "how many are there with hidden ones": "add 4 - count of (QS, KS, QH, kitty) to score of actor",
    "with those of a hand": f"add 99 - count of ({SOUGHT}, hand of P2) to score of actor",
    "with those of a hand, added up": f"add 40 - (sum 1 for c in ({SOUGHT}, hand of P2)) to score of actor",
    "with those of a place, by suit": "add count of ((all c in pack where c.suit = hearts), kitty) to score",
    "they go from wherever they lie": f"move ({SOUGHT}) to box",
    "one of them goes": "move QS to box",
    "they go one by one": "for c in all c in pack where c.suit = hearts do move c to box end",
    "some of them go": "move 3 from all c in pack where c.suit = hearts to box; add moved to score of actor",
    "they are turned": "for c in all c in pack where c.suit = hearts do turn down c end",
    "who holds one": "if holder of QS = P2 then add 1 to score of actor end",
    "who holds the one that is spoken of": "if holder of mark = P2 then add 1 to score of actor end",
    "one among those of a place": "if first c in pack where c in kitty = QS then add 1 to score end",
    # what a variable holds that nobody sees
    "which card is spoken of": "if mark = top of pool then add 1 to score of actor end",
    "whether there is one": "if kept is none then add 1 to score of actor end",
    "whether there is one, behind another name": "set mark to kept; if mark is none then add 1 to score of actor end",
    "how many there are": "add count of several to score of actor",
    "each of them": "for c in several do add 1 to score of actor end",
    "it goes": "move kept to box",
    "it goes under another name": "let x be kept; move x to box",
    "it is shown to somebody": "show kept to all p in everyone where p = P2",
    "it is turned": "turn down kept",
    "how it lies": "if kept is face up then add 1 to score of actor end",
    "who holds it": "if holder of kept = actor then add 1 to score of actor end",
    "how many there are with it": "add count of (kept, pool) to score of actor",
    "how many there are without it": "add count of (pool without kept) to score of actor",
    "how many have gone": "move several to pile; add moved to score of actor",
    # how many lie where it is not seen
    "several places go": "move (pile, kitty) to box",
    "each card there": "for c in pile do add 1 to score of actor end",
    "the top four": "move top 4 of pile to box",
    "the last four": "move last 4 of pile to box",
    "they are dealt": "deal 2 from pile to hand",
    "they are gathered": "gather pile to stock",
    # faces by way of places
    "the rank of any": "add place of (random of hand of P2).rank to score of actor",
    "which is the newest": "if newest of hand of P2 = top of hand of P2 then add 1 to score of actor end",
    "who could do something": "if can(bonus, actor) then add 1 to score of actor end",
    "what another is told": "set diary of P2 to place of (top of hand of P3).rank",
    "told by chance": "set diary of (random of everyone) to place of (top of hand of (random of everyone)).rank",
}  # fmt: skip
RULES = """\
format: 1
id: questions
name: Questions
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: HANDS}
  kitty: {seen by: none}
  mine: {seen by: P1}
  pool: {seen by: none}
  box: {seen by: none}
  pile: {seen by: none, count seen by: none}
  pit: {seen by: none, count seen by: none}
  open: {}
state:
  score: {each: player, type: integer, lasts: match}
  mark: {type: card, optional: true, lasts: match}
  kept: {type: card, optional: true, lasts: match, seen by: none}
  several: {type: cards, lasts: match, seen by: none}
  diary: {each: player, type: integer, lasts: match, seen by: owner}
  secret: {type: integer, lasts: match, seen by: none}
  armed: {type: flag, lasts: match}
flow:
  match: {first dealer: P1, do: [deal], winners: highest score}
  deal:
    setup: |
      gather all to stock; shuffle stock; deal 5 from stock to hand; move 1 from stock to kitty
      move 2 from stock to pool; move 1 from stock to mine; move 7 from stock to pit; move 3 from pit to pile
      if (top of hand of P2).colour = red then
        set secret to 1; set mark to top of pool; set kept to top of pool; add top of pool to several
        move 1 from pit to pile
      end
    do: [play, other, last]
    next dealer: left
  last: {kind: trick, leader: P1, count: 1, to: open, actions: {play: {}}}
  other: {kind: turn, turns: 1, first: P1, actions: {bonus: {when: secret = 1}}}
  play:
    kind: turn
    first: P1
    turns: 20 each
    actions:
      wait: {}
ACTIONS
"""


@cache
def game_of(folder: Path, actions: str, hands: str = "owner", changed: tuple[tuple[str, str], ...] = ()) -> Game:
    """changed: what is written in the rules, and what stands there instead."""
    path, rules = folder / "questions.yaml", RULES
    for old, new in changed:
        assert old in rules
        rules = rules.replace(old, new)
    path.write_text(rules.replace("ACTIONS", actions).replace("HANDS", hands), encoding="utf-8")
    return interpreter.load(path).game()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("questions")


@pytest.mark.parametrize("asked", ASKED)
def test_what_was_asked_in_other_words_is_not_asked_twice(folder: Path, asked: str) -> None:
    lines = (f"      ask_{at}: {{effect: '{effect}'}}" for at, effect in enumerate(ASKED.values()))
    state = game_of(folder, "\n".join(lines)).start(seed=1)
    state.play(0, f"ask_{list(ASKED).index(asked)}")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


def test_nor_is_what_an_own_hand_tells_that_only_others_see(folder: Path) -> None:
    asks = "      ask: {effect: if void in hearts then add 1 to score of actor end}"
    state = game_of(folder, asks, "all p in everyone where p != owner").start(seed=1)
    state.play(0, "ask")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


def test_nor_is_a_move_behind_which_the_reason_of_a_refusal_told_of_a_card(folder: Path) -> None:
    arm, told = "      arm: {effect: set armed; stay}", "it is {top of hand of P2}"
    never = f"      never: {{when: armed, must: {{no: {{law: '1 = 2', message: '{told}'}}}}}}"
    state = game_of(folder, f"{arm}\n{never}").start(seed=1)
    state.play(0, "arm")
    with pytest.raises(IllegalMove, match="it is"):
        state.play(0, "never")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


def test_nor_is_a_move_behind_which_somebody_was_offered_something_for_a_card_that_another_sees(folder: Path) -> None:
    arm = "      arm: {effect: set armed}"
    bonus = "      bonus: {when: armed and actor != P1 and (top of mine).colour = red}"
    state = game_of(folder, f"{arm}\n{bonus}").start(seed=1)
    state.play(0, "arm")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0)


def test_nor_is_a_choice_of_which_somebody_learned_for_what_is_hidden(folder: Path) -> None:
    eyes = "if secret = 1 then everyone else owner"
    pick = f"      pick: {{choose: {{n: {{number: 1..3, seen by: {eyes}}}}}, effect: stay}}"
    state = game_of(folder, pick).start(seed=1)
    state.play(0, "pick 2")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [1])


PLAY = "  play:\n    kind: turn\n"


def test_nor_is_a_move_behind_which_a_hidden_number_of_cards_decides_if_a_stage_goes_on(folder: Path) -> None:
    goes_on = (PLAY, f"{PLAY}    until: armed and count of pile = 5\n")
    state = game_of(folder, "      arm: {effect: set armed; stay}", changed=(goes_on,)).start(seed=1)
    state.play(0, "arm")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


def test_nor_is_a_trick_behind_which_what_is_hidden_decides_how_many_follow(folder: Path) -> None:
    tricks = ("[play, other, last]", "[last, play, other]"), ("count: 1,", "count: 1 + secret,")
    state = game_of(folder, "", changed=tricks).start(seed=1)
    for player in range(3):
        state.play(player, state.legal_moves(player)[0])
        with pytest.raises(ValueError, match=LEARNED) if player == 2 else nullcontext():
            state.copy().undo(5, player, [player])


RED = "(top of hand of P2).colour = red"
BEGINS = ("[play, other, last]", "[begin, other, last]")
WITH = "    with: {n: {type: integer, min: 0, max: 9}, m: {type: integer, min: 0, max: 9}}\n"
SET = {
    "it is set under a condition": f"if {RED} then set n to 1 else set n to 0 end",
    "it is added to in a loop": "for c in hand of P2 where c.colour = red do add 1 to n end",
    "it is exchanged for another": f"if {RED} then swap n, m end",
    "it is exchanged for what a variable holds": "swap n, secret",
}


@pytest.mark.parametrize("done", [*SET.values(), ""], ids=[*SET, "so many cards have gone"])
def test_nor_is_what_an_argument_of_a_stage_tells(folder: Path, done: str) -> None:
    """It was decided before, and shows when it is asked for."""
    given = "0" if done else "moved"
    call = f"move all from pile to pit; call play with n = {given}, m = 1"
    begin = ("  last:", f"  begin: {{effect: '{call}'}}\n  last:")
    stage = (PLAY, f"{PLAY}{WITH}    setup: {done or 'add 0 to n'}\n")
    asks = "      ask: {effect: add n to score of actor}"
    state = game_of(folder, asks, changed=(BEGINS, begin, stage)).start(seed=1)
    state.play(0, "ask")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


@pytest.mark.parametrize("waits", ["again", "stay", "finish play", "redeal", "pass turn to P3", "skip P2"])
def test_nor_is_a_move_behind_which_shows_what_waited_for_the_end_of_a_stage(folder: Path, waits: str) -> None:
    """Or that nothing did."""
    aside = ("  last:", "  aside: {kind: turn, turns: 1, first: P1, actions: {go_on: {}}}\n  last:")
    ask = f"      ask: {{effect: if not {RED} then {waits} end; call aside}}"
    state = game_of(folder, ask, changed=(aside,)).start(seed=1)
    state.play(0, "ask")
    state.play(0, "go_on")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 1, [0])


STAGES = {
    "one that nothing is done in": ("quiet", "  quiet: {when: secret = 1, effect: set secret to 1}\n"),
    "one that is repeated": (
        "inner",
        "  quiet: {repeat: inner, until: number of inner > secret}\n  inner: {effect: set secret to secret}\n",
    ),
}


@pytest.mark.parametrize("which", STAGES)
def test_nor_is_what_the_number_of_a_stage_tells_that_ran_unseen(folder: Path, which: str) -> None:
    name, stages = STAGES[which]
    flow = ("[play, other, last]", "[quiet, play, other, last]"), ("  last:", f"{stages}  last:")
    asks = f"      ask: {{effect: add number of {name} to score of actor}}"
    state = game_of(folder, asks, changed=flow).start(seed=1)
    state.play(0, "ask")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


OWN_RED = "add (count c in hand of actor where c.colour = red) to score of actor"
OPEN_RED = "add (count c in open where c.colour = red) to score of actor"
MIXED = {
    "hands are exchanged": f"swap hand of actor, hand of P2; {OWN_RED}; swap hand of actor, hand of P2",
    "a hand for what lies open": f"swap hand of P2, open; {OPEN_RED}; swap hand of P2, open",
    "under a condition": f"if score of actor = 0 then swap hand of P2, open end; {OPEN_RED}; swap hand of P2, open",
    "in a loop": f"for p in everyone where p = P2 do swap hand of p, open; {OPEN_RED}; swap hand of p, open end",
    "by a name that was given before": f"let p be open; swap hand of P2, open; {OPEN_RED}; swap hand of P2, open",
    "a hand is gathered": "gather hand of P2 to slot; add (count c in slot of actor where c.colour = red) to score of "
    "actor; gather slot of actor to hand of P2",
    "it is gathered where all see it": f"gather hand of P2 to open; {OPEN_RED}; gather open to hand of P2",
    "it is gathered where nothing lay": "gather hand of P2 to spare; add (count c in spare where c.colour = red) to "
    "score of actor",
    "the second card of a pile": f"move 1 from heap to box; if {RED.replace('hand of P2', 'heap')} then add 1 to score "
    "of actor end; move top of box to heap",
    "by its top card": f"move top of heap to box; if {RED.replace('hand of P2', 'heap')} then add 1 to score "
    "of actor end; move top of box to heap",
}  # fmt: skip


@pytest.mark.parametrize("done", MIXED)
def test_nor_is_what_lay_somewhere_only_for_one_effect(folder: Path, done: str) -> None:
    zones = "  slot: {each: player, seen by: owner}\n  spare: {seen by: none}\n  heap: {shows: top}\n"
    changed = ("  open: {}\n", f"  open: {{}}\n{zones}"), ("move 1 from stock to mine", "move 3 from stock to heap")
    lines = (f"      do_{at}: {{effect: '{effect}; stay'}}" for at, effect in enumerate(MIXED.values()))
    state = game_of(folder, "\n".join(lines), changed=changed).start(seed=1)
    state.play(0, f"do_{list(MIXED).index(done)}")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


def test_what_an_own_hand_tells_before_it_is_exchanged_is_taken_back(folder: Path) -> None:
    asks = f"      ask: {{effect: '{OWN_RED}; swap kitty, pool; stay'}}"
    state = game_of(folder, asks).start(seed=1)
    state.play(0, "ask")
    state.undo(5, 0, [0])


FAILING = {
    "a number leaves its bounds": "add 1 to limit; stay",
    "below": "subtract 1 from limit; stay",
    "a number of somebody else": "add 1 to most of P2; stay",
    "it is set to a hidden one": "set limit to secret; stay",
    "without bounds, but far off": "add 1 to far; stay",
    "by way of another": "add 1 to farther; stay",
    "there is no number": "add 1 to maybe; stay",
    "there may be nothing to be set": "set far to place of (top of pile).rank; stay",
    "it is divided by a number": "set far to 10 div secret; stay",
    "for a name": "let n be 10 mod secret; stay",
    "what it comes to is too large": "let n be secret * 1000000 * 1000000 * 1000000; stay",
    "in what effects are given": "nothing_with(10 div secret); stay",
    "it belongs to nobody": "let n be number_of of (holder of top of pile); stay",
    "a place is full to which is dealt": "deal 1 from stock to slot; stay",
    "a place is full": "move top of stock to slot of P2; stay",
}


@pytest.mark.parametrize("done", FAILING)
def test_nor_is_a_move_that_the_rules_might_not_have_carried_out_for_what_is_hidden(folder: Path, done: str) -> None:
    """Where they cannot, everybody hears of it, and so where they can."""
    state = (
        "  limit: {type: integer, lasts: match, seen by: none, min: -1, max: 1}\n"
        "  most: {each: player, type: integer, lasts: match, seen by: owner, max: 1}\n"
        "  far: {type: integer, lasts: match, seen by: none}\n"
        "  farther: {type: integer, lasts: match, seen by: none}\n"
        "  maybe: {type: integer, optional: true, default: 0, lasts: match, seen by: none}\n"
    )
    slot = "  slot: {each: player, seen by: none, count seen by: none, capacity: 1}\n"
    setup = "set farther to far; if (top of hand of P2).colour = black then set far to 1000000; set farther to far end"
    state += "  number_of: {each: player, type: integer, default: 0, lasts: match}\n"
    state += "define: {nothing_with(n): {effect: add 0 to score}}\n"
    changed = ("flow:\n", f"{state}flow:\n"), ("  open: {}\n", f"  open: {{}}\n{slot}")
    lines = (f"      do_{at}: {{effect: '{effect}'}}" for at, effect in enumerate(FAILING.values()))
    settled = (*changed, ("    do: [play, other, last]", f"      {setup}\n    do: [play, other, last]"))
    match = game_of(folder, "\n".join(lines), changed=settled).start(seed=1)
    match.play(0, f"do_{list(FAILING).index(done)}")
    with pytest.raises(ValueError, match=LEARNED):
        match.undo(5, 0, [0])


@pytest.mark.parametrize("done", ["add 1 to secret", "set kept to none", "let n be secret; set secret to n"])
def test_what_the_rules_surely_can_do_in_secret_is_taken_back(folder: Path, done: str) -> None:
    state = game_of(folder, f"      do: {{effect: '{done}; stay'}}").start(seed=1)
    state.play(0, "do")
    state.undo(5, 0, [0])


AMONG = {
    "those who take part are counted": "add count of players to score of actor",
    "each of them gets something": "for p in players do add 1 to score of p end",
    "the next of them": "add 1 to score of next after actor",
    "cards are dealt to them": "deal 1 from pool to slot",
    "by a definition": "add those to score of actor",
    "in a stage that is called": "call paying",
}


@pytest.mark.parametrize("done", AMONG)
def test_nor_is_a_move_that_goes_by_who_takes_part_for_what_is_hidden(folder: Path, done: str) -> None:
    """If only for that move."""
    slot = "  slot: {each: player, seen by: none}\n"
    paying = "  paying: {effect: for p in players do add 1 to score of p end}\n"
    changed = (
        ("  open: {}\n", f"  open: {{}}\n{slot}"),
        ("flow:\n", "define: {those: count of players}\nflow:\n"),
        (PLAY, f"{PLAY}    players: p where not armed or p != P2 or {RED}\n"),
        ("  last:", f"{paying}  last:"),
    )
    lines = (
        f"      do_{at}: {{effect: set armed; {text}; clear armed; stay}}" for at, text in enumerate(AMONG.values())
    )
    state = game_of(folder, "\n".join(lines), changed=changed).start(seed=1)
    state.play(0, f"do_{list(AMONG).index(done)}")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(5, 0, [0])


def test_who_takes_part_elsewhere_is_not_asked(folder: Path) -> None:
    """Of a stage behind which another is in which it is asked."""
    changed = (("  last: {kind: trick,", f"  last: {{kind: trick, players: p where p != P2 or {RED},"),)
    state = game_of(folder, "      do: {effect: add count of players to score of actor; stay}", changed=changed)
    begun = state.start(seed=1)
    begun.play(0, "do")
    begun.undo(5, 0, [0])
