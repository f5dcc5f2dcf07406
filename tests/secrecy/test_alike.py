"""Matches that look alike to a player: there bots and hints do alike, whatever is hidden and whatever waits to be run.

Where others hold other cards, or other cards lie unseen, something else may wait. As long as nobody tells the player,
nothing of that shows in what a bot does in the player's place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest
from walks import exchanged
from where import TESTS

import interpreter
from interpreter.api.game import Game, State
from interpreter.api.settled import Enforcement
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple
from interpreter.engine.rule_errors import RuleError
from interpreter.players.monte_carlo import ThinkingBot, advice
from interpreter.players.open_course import knows_course

SHIPPED = sorted((TESTS.parent / "rulesets").glob("*.yaml"))

# ---- matches that look alike --------------------------------------------------------------------------------


def played(game: Game, seed: int, deck: list[str] | None, choices: list[int]) -> State | None:
    """A match in which the moves of such numbers have been made; None if it does not come so far."""
    state = game.start(seed=seed, deck=deck)
    for choice in choices:
        if state.over or not state.actors:
            return None
        player = state.actors[choice % len(state.actors)]
        moves = state.legal_moves(player)
        if not len(moves):
            return None
        try:
            state.play(player, moves[choice // 8 % len(moves)])
        except RuleError:
            return None
    return None if state.over or not state.actors else state


def looks(state: State, player: int) -> object:
    """All that a player may know, and what the player may do."""
    moves = state.legal_moves(player)
    return state.view(player), len(moves), [moves[at].text for at in range(min(len(moves), 30))]


def truth(state: State) -> str:
    """What a match is, whoever may know it."""
    s = state.position
    return str([[as_tuple(kept) for kept in s.z], s.v, [frame.to_json() for frame in s.stack], s.skips, s.runs])


def alike(game: Game, seed: int, choices: list[int], number: int, tries: int = 60) -> Iterator[tuple[State, int]]:
    """A match, and up to so many others that look the same to the player whose turn it is; that player with each.

    The others have been dealt from a pack in which cards have changed places, and some in them have moved otherwise.
    Where what is dealt is shuffled once more, cards have changed places in one pile.
    """
    state = played(game, seed, None, choices)
    first = next((event for event in (state.log or []) if event.kind == "shuffle"), None) if state else None
    if state is None or first is None:
        return
    player = state.actors[0]
    look, found = looks(state, player), {truth(state)}
    yield state, player
    dice = Dice(seed)
    for attempt in range(tries):
        deck, others = list(first.cards), choices[:]
        for _ in range(1 + dice.below(3)):
            one, other = dice.below(len(deck)), dice.below(len(deck))
            deck[one], deck[other] = deck[other], deck[one]
        if others and attempt % 2:
            others[dice.below(len(others))] = dice.below(1 << 16)
        twin = played(game, seed, deck, others)
        if twin is not None and player in twin.actors and truth(twin) not in found and looks(twin, player) == look:
            found.add(truth(twin))
            yield twin, player
            if len(found) > number:
                return
    piles = [kept for kept in state.position.z if isinstance(kept, list) and len(kept) > 1]
    for _ in range(tries if piles and len(found) == 1 else 0):
        pile = piles[dice.below(len(piles))]
        twin = exchanged(state, *(pile[dice.below(len(pile))] for _ in range(2)))
        if truth(twin) not in found and looks(twin, player) == look:
            found.add(truth(twin))
            yield twin, player
            if len(found) > number:
                return


def decided(state: State, player: int, effort: int, seeds: int) -> list[str]:
    return [str(ThinkingBot(seed, effort).choose(state.copy(), player)) for seed in range(seeds)]


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_bots_do_alike_in_matches_that_look_alike(path: Path, enforcement: Enforcement):
    game, dice, compared = interpreter.load(path).game(enforcement=enforcement), Dice(5), 0
    for seed, length in enumerate((0, 3, 9, 17)):
        choices = [dice.below(1 << 16) for _ in range(length)]
        found = [decided(*one, effort=4, seeds=2) for one in alike(game, seed, choices, number=2, tries=12)]
        assert all(one == found[0] for one in found)
        compared += len(found) > 1
    assert compared


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_in_shipped_games_all_can_know_what_waits_to_be_run(path: Path, enforcement: Enforcement):
    game, dice = interpreter.load(path).game(enforcement=enforcement), Dice(6)
    state = game.start(seed=6)
    for _ in range(200):
        if state.over or not state.actors:
            return
        player = state.actors[dice.below(len(state.actors))]
        moves = state.legal_moves(player)
        assert knows_course(state) or len(moves) < 2
        if not len(moves):
            return
        state.play(player, moves[dice.below(len(moves))])


def test_who_hides_a_hand_hides_who_is_out_of_cards_and_has_to_draw_for_it():
    game = interpreter.load("georgia-spoons").game(enforcement="honor")
    asked = {"victim": "P1", "cards": 1}
    state = game.start(seed=1, given={"at": "penalty", "with": asked, "called by": "play", "rest": "deal"})
    assert state.view(0)["phase"] == "penalty" and knows_course(state)
    state.play(2, "hide_hand")
    assert not knows_course(state)
    state.play(2, "show_hand")
    assert not knows_course(state)


# ---- rules that let what waits hang on what is hidden -------------------------------------------------------

RED = "((top of stock).suit = hearts or (top of stock).suit = diamonds)"
HEAD = """\
format: 1
id: bet
name: Bet
players: {min: 2, max: 2}
pack: {standard: 1, only: [A, K, Q]}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {seen by: none}
  shown: {}
  table: {}
  cup: {seen by: none, count seen by: none}
state:
  score: {each: player, type: integer, lasts: match}
  red: {each: player, type: flag, lasts: deal}
  secret: {type: flag, lasts: deal, seen by: none}
  told: {type: flag, lasts: deal}
define:
  is_red(c): c.suit = hearts or c.suit = diamonds
  top_is_red: {value: is_red(top of stock), seen by: everyone}
  go(k): {effect: call pays with n = k}
flow:
  match: {repeat: deal, until: any p in players has score of p >= 20, winners: highest score}
  deal:
    setup: gather all to stock; shuffle stock; deal 2 from stock to hand
    next dealer: left
"""
"""The players bet on the colour of a card that they do not see. Behind this comes one of FLOWS."""
PAYS = {
    "betting": """\
  betting:
    kind: turn
    first: P1
    turns: 1 each
    actions:
      say_red: {effect: set red of actor to true}
      say_black: {effect: set red of actor to false}
""",
    "red_pays": "  red_pays: {effect: for p in players where red of p do add 1 to score of p end}\n",
    "black_pays": "  black_pays: {effect: for p in players where not red of p do add 1 to score of p end}\n",
    "pays": """\
  pays:
    with: {n: {type: integer, min: 0, max: 1}}
    effect: for p in players where red of p = (n = 1) do add 1 to score of p end
""",
}
COUNTS = "call pays with n ="
BEGUN = {
    "which stage waits": f"call betting; if {RED} then call red_pays else call black_pays end",
    "whether one waits": f"call betting; if {RED} then call red_pays end",
    "numbers in each call": f"call betting; if {RED} then {COUNTS} 1 else {COUNTS} 0 end",
    "a name": f"call betting; let y be (if {RED} then 1 else 0); {COUNTS} y",
    "a loop over cards": f"""
call betting
for c in top 1 of stock do
  if is_red(c) then {COUNTS} 1 else {COUNTS} 0 end
end
""",
    "a loop over numbers": f"call betting; for k in 0..1 do if (k = 1) = is_red(top of stock) then {COUNTS} k end end",
    "a loop over one card": f"""
call betting
for c in all c in stock where c is top of stock do {COUNTS} if is_red(c) then 1 else 0 end
""",
    "an effect with a name": f"call betting; go(if {RED} then 1 else 0)",
    "a variable in between": f"call betting; set told to {RED}; {COUNTS} if told then 1 else 0; clear told",
    "what is told in between": f"""
move top of stock to pile; move all from hand of P2 to stock; shuffle stock; call betting
{COUNTS} if top_is_red then 1 else 0
move all from pile to stock
""",
    "what lies open in between": f"""
move 1 from stock to pile; call betting
swap pile, shown
{COUNTS} count c in shown where is_red(c)
swap pile, shown
""",
    "a name for what lies open in between": f"""
move 1 from stock to pile; call betting
swap pile, shown
let k be count c in shown where is_red(c)
{COUNTS} k
swap pile, shown
""",
    "what lies open in every other round": f"""
move 1 from stock to pile; call betting
for k in 0..1 do
  if k = 1 then {COUNTS} count c in shown where is_red(c) end
  swap pile, shown
end
""",
    "what is gathered in the open in between": f"""
move 1 from stock to pile; call betting
gather pile to shown
{COUNTS} count c in shown where is_red(c)
gather shown to pile
""",
    "a hidden variable": f"call betting; set secret to {RED}; if secret then {COUNTS} 1 else {COUNTS} 0 end",
}
"""What a stage asks for when it begins."""


def begun(effect: str) -> str:
    """A stage in which that is done."""
    return f"""\
    do: [begin]
  begin:
    effect: |
{indent(effect.strip(), "      ")}
"""


FLOWS = {
    **{name: begun(effect) for name, effect in BEGUN.items()},
    "an argument that is passed on": f"""\
    do: [begin]
  begin: {{effect: "call via with m = if {RED} then 1 else 0"}}
  via:
    with: {{m: {{type: integer, min: 0, max: 1}}}}
    effect: call betting; call pays with n = m
""",
    "an ending that waits": f"""\
    do: [begin, twice]
    cleanup: for p in players where red of p do add 1 to score of p end
  twice: {{effect: for p in players where not red of p do add 2 to score of p end}}
  begin: {{effect: "call betting; if {RED} then finish deal end"}}
""",
    "an argument that is changed": f"""\
    do: [begin]
  begin: {{effect: call via with m = 0}}
  via:
    with: {{m: {{type: integer, min: 0, max: 1}}}}
    setup: if {RED} then set m to 1 end
    effect: call betting; call pays with n = m
""",
    "what lies open until another stage begins": """\
    do: [begin]
  begin:
    setup: move 1 from stock to pile; swap pile, shown
    effect: call via with m = count c in shown where is_red(c)
  via:
    with: {m: {type: integer, min: 0, max: 1}}
    setup: swap pile, shown
    effect: call betting; call pays with n = m
""",
    "what lies open while a move is made": f"""\
    do: [going]
  going:
    kind: turn
    first: P2
    turns: 1
    actions:
      go:
        effect: |
          move 1 from stock to pile; swap pile, shown; call betting
          {COUNTS} count c in shown where is_red(c)
          swap pile, shown
""",
    "around which stage it is": f"""\
    do: [one, other]
  one: {{when: "{RED}", effect: call betting; call red_pays}}
  other: {{when: "not {RED}", effect: call betting; call black_pays}}
""",
    "an ending before": f"""\
    do: [one, other]
  one: {{do: [first, second]}}
  first: {{effect: "if {RED} then finish one end"}}
  second: {{effect: "call betting; call black_pays; finish deal"}}
  other: {{effect: call betting; call red_pays}}
""",
    "how often something has run": f"""\
    do: [sign, begin]
  sign: {{when: "{RED}", effect: nothing}}
  begin: {{effect: call betting; call pays with n = number of sign}}
""",
    "a card that was laid unseen": """\
    do: [laying]
  laying:
    kind: turn
    first: P2
    turns: 1
    actions:
      lay:
        choose: {card: {from: hand}}
        effect: |
          move card to pile; call betting
          if is_red(card) then call red_pays else call black_pays end
""",
    "what was chosen in secret": """\
    do: [planning]
  planning:
    kind: turn
    first: P2
    turns: 1
    actions:
      plan:
        choose: {k: {number: 0..1, seen by: actor}}
        effect: call betting; call pays with n = k
""",
    "what was chosen at once": """\
    do: [planning]
  planning:
    kind: simultaneous
    actions:
      plan_red: {effect: call betting; call red_pays}
      plan_black: {effect: call betting; call black_pays}
""",
    "a turn that goes on": """\
    do: [laying]
  laying:
    kind: turn
    first: P2
    until: pile is empty and stock is empty
    actions:
      lay:
        when: actor = P2 and count of pile < 2
        choose: {card: {from: hand}}
        effect: |
          move card to pile; call betting
          if is_red(card) then again end
      stop:
        effect: |
          for p in players where red of p = (actor = P2) do add 1 to score of p end
          finish deal
""",
    "who is passed over": f"""\
    do: [begin, betting, round]
  begin: {{effect: "if {RED} then skip P2 end"}}
  round:
    kind: turn
    first: next after P1
    turns: 1
    actions: {{win: {{effect: "for p in players where red of p = (actor = P1) do add 1 to score of p end"}}}}
""",
    "how many turns are left": f"""\
    do: [round]
  round:
    kind: turn
    first: P1
    turns: if {RED} then 1 else 2
    actions:
      say_red: {{when: actor = P1, effect: set red of P1 to true; add 1 to score of P1}}
      say_black: {{when: actor = P1, effect: set red of P1 to false}}
      check: {{when: actor = P2, effect: "if red of P1 then subtract 2 from score of P1 else add 2 to score of P1 end"}}
""",
    "a race": f"""\
    do: [racing]
  racing:
    kind: race
    until: any p in players has score of p >= 3
    actions:
      say_red: {{effect: "if {RED} then add 1 to score of actor end"}}
      say_black: {{effect: "if not {RED} then add 1 to score of actor end"}}
""",
    "whose turn it was": f"""\
    do: [begin, ask, round]
  begin: {{effect: "set current to if {RED} then P1 else P2"}}
  ask: {{effect: call betting}}
  round:
    kind: turn
    turns: 1
    actions: {{win: {{effect: "for p in players where red of p = (actor = P1) do add 1 to score of p end"}}}}
""",
    "who deals in between": f"""\
    do: [begin]
  begin:
    effect: |
      set dealer to if {RED} then P1 else P2
      call betting; call pays with n = if dealer = P1 then 1 else 0
      set dealer to P1
""",
    "a stage that is left out": f"""\
    do: [begin]
  begin: {{effect: call via with m = 0}}
  via:
    with: {{m: {{type: integer, min: 0, max: 1}}}}
    do: [sign, go_on]
  sign: {{when: "{RED}", effect: set m to 1}}
  go_on: {{effect: call betting; call pays with n = m}}
""",
    "a call that asks nobody": f"""\
    do: [going]
  going:
    kind: turn
    first: P2
    turns: 1
    actions: {{go: {{effect: "if {RED} then call mark end"}}}}
    cleanup: call betting; call pays with n = if told then 1 else 0; clear told
  mark: {{effect: set told to true}}
""",
    "who is passed over by a call": f"""\
    do: [going, betting, round]
  going:
    kind: turn
    first: P2
    turns: 1
    actions: {{go: {{effect: "if {RED} then call mark end"}}}}
  mark: {{effect: skip P2}}
  round:
    kind: turn
    first: next after P1
    turns: 1
    actions: {{win: {{effect: "for p in players where red of p = (actor = P1) do add 1 to score of p end"}}}}
""",
    "a turn that was passed": f"""\
    do: [round]
  round:
    kind: turn
    first: P1
    turns: 2
    actions:
      go: {{when: actor = P1, effect: call via}}
      check: {{when: actor = P2, effect: "if red of P1 then add 2 to score of P1 end"}}
      miss: {{when: actor = P1, effect: "if red of P1 then subtract 2 from score of P1 end"}}
  via: {{setup: "if {RED} then pass turn to P2 end", do: [betting]}}
""",
}
"""By what waits and what it hangs on."""


def bet(folder: Path, flow: str) -> Game:
    """A game of betting; of the stages in PAYS it has those that it needs."""
    asked = flow + (PAYS["pays"] if "go(" in flow else "")
    words = set(re.findall(r"[a-z_]+", asked))
    lines = HEAD.splitlines(keepends=True)
    head = "".join(line for line in lines if "go(k)" not in line or "go(" in flow)
    if "top_is_red" not in flow:  # which tells all what lies on top of the stock
        head = "".join(line for line in head.splitlines(keepends=True) if "top_is_red" not in line)
    spare = {zone: f"  {zone}: {{" for zone in ("shown", "table", "cup")}  # no zone more than is asked for
    unused = tuple(line for zone, line in spare.items() if zone not in words)
    head = "".join(line for line in head.splitlines(keepends=True) if not line.startswith(unused))
    needed = "".join(text for name, text in PAYS.items() if name in words)
    (folder / "bet.yaml").write_text(head + flow + needed)
    return interpreter.load(folder / "bet.yaml").game()


@pytest.mark.parametrize("flow", FLOWS.values(), ids=list(FLOWS))
def test_nobody_knows_by_what_waits_which_card_lies_unseen(tmp_path: Path, flow: str):
    game, compared = bet(tmp_path, flow), 0
    for choices in ([], [1], [9]):
        found = [one for one in alike(game, 1, choices, number=6) if one[1] == 0]
        if len(found) < 2 or len(found[0][0].legal_moves(0)) < 2:
            continue
        compared += 1
        bots = [decided(*one, effort=60, seeds=3) for one in found]
        hints = [[(str(rated.move), rated.gain) for rated in advice(*one)] for one in found]
        assert all(one == bots[0] for one in bots) and all(one == hints[0] for one in hints)
    assert compared


IN_DOUBT = {
    "shuffled in the open": begun(f"""
move 4 from stock to shown; shuffle shown; call betting
{COUNTS} if is_red(top of shown) then 1 else 0
shuffle shown
"""),
    "as many as lay in secret": begun(f"""
move all c in top 1 of stock where is_red(c) to cup; call betting
swap cup, shown
{COUNTS} count of shown
swap cup, shown
"""),
    "turned down before": begun(f"""
move 1 from stock to pile; turn down pile; swap pile, shown; call betting
{COUNTS} count c in shown where is_red(c)
"""),
    "laid at once": f"""\
    do: [planning]
  planning:
    kind: simultaneous
    actions:
      plan: {{choose: {{card: {{from: hand}}}}, effect: move card to shown}}
    resolve: |
      call betting; {COUNTS} if any c in shown has is_red(c) then 1 else 0
      gather shown to pile
""",
}
"""What lies where all see it, but may not have been seen when it was asked for."""
IN_THE_OPEN = {
    "laid there": f"move 1 from stock to shown; call betting; {COUNTS} count c in shown where is_red(c)",
    "swapped as all see": f"""
move 1 from stock to shown; swap shown, table; call betting
{COUNTS} count c in table where is_red(c)
""",
    "as many as lay elsewhere": f"""
move 1 from stock to pile; swap pile, shown; call betting
{COUNTS} count of shown
""",
}


def at_betting(game: Game) -> State:
    state = game.start(seed=1)
    while state.view(0)["phase"] != "betting":
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    return state


@pytest.mark.parametrize("flow", IN_DOUBT.values(), ids=list(IN_DOUBT))
def test_nobody_goes_by_what_lies_where_all_see_it_unless_all_have_seen_it(tmp_path: Path, flow: str):
    assert not knows_course(at_betting(bet(tmp_path, flow)))


@pytest.mark.parametrize("effect", IN_THE_OPEN.values(), ids=list(IN_THE_OPEN))
def test_all_go_by_what_lies_where_they_have_seen_it(tmp_path: Path, effect: str):
    assert knows_course(at_betting(bet(tmp_path, begun(effect))))


BLIND = """\
format: 1
id: blind
name: Blind
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  trick: {seen by: none}
  taken: {each: player, seen by: none}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {first dealer: random, repeat: deal, until: any p in players has score of p >= 20, winners: highest score}
  deal:
    setup: gather all to stock; shuffle stock; deal 2 from stock to hand
    do: [tricks]
    next dealer: left
  tricks:
    kind: trick
    leader: left of dealer
    count: 1
    on trick: |
      move all from trick to taken of winner
      add 5 to score of winner
"""


def test_nobody_knows_the_suit_of_a_card_that_is_led_unseen(tmp_path: Path):
    (tmp_path / "blind.yaml").write_text(BLIND)
    game = interpreter.load(tmp_path / "blind.yaml").game()
    hands = {"P1": ["5H", "5S"], "P2": ["AH", "AS"]}
    given = {"at": "tricks", "current": "P1", "dealer": "P2", "hand": hands, "rest": "stock"}
    states = [game.start(seed=1, given=given) for _ in hands["P1"]]
    for state, card in zip(states, hands["P1"], strict=True):
        state.play(0, f"play {card}")
    assert looks(states[0], 1) == looks(states[1], 1)
    assert decided(states[0], 1, effort=60, seeds=6) == decided(states[1], 1, effort=60, seeds=6)
    assert [rated.move for rated in advice(states[0], 1)] == [rated.move for rated in advice(states[1], 1)]
