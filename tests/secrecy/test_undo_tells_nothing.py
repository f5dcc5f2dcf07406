"""What is answered to taking moves back, and what comes of it, tells nobody of what is hidden: matches that look alike
to a seat are played side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cache
from pathlib import Path

import pytest
from walks import SHIPPED

import interpreter
from interpreter import Game, IllegalMove, RuleError, State
from interpreter.engine.chance import Dice
from interpreter.engine.redrawing import DRAWN, LEARNED, LOOKED

BETS = """\
format: 1
id: bets
name: Bets
players: {min: 2, max: 3, default: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {seen by: none, count seen by: none}
  kitty: {seen by: none}
  trick: {seen by: none}
  pool: {seen by: none}
  slot: {each: player, seen by: none}
  open: {}
state:
  score: {each: player, type: integer, lasts: match, min: -1000}
  say: {each: player, type: integer, lasts: match, min: 0, max: 1}
  armed: {type: flag, lasts: match}
  secret: {type: integer, min: 0, max: 1, lasts: match, seen by: none}
  spoken: {type: card, optional: true, lasts: match}
DEFINE
flow:
  match: {first dealer: P1, repeat: deal, until: "UNTIL", winners: highest score}
  deal:
    setup: |
      gather all to stock; shuffle stock; deal 2 from stock to hand; move 1 from stock to kitty
      deal 1 from stock to slot; move 2 from stock to pool; SETUP
    do: [DO]
    next dealer: left
  betting:
    kind: turn
    first: P1
    turns: TURNS each
    PLAYS
    BEHIND
    actions:
      wait: {}
      say_red: {effect: "set say of actor to 1; ACT"}
      say_black: {effect: "set say of actor to 0; ACT"}
      MORE
"""
RED = "(top of stock).colour = red"
SET = f"if {RED} then set secret to 1 else set secret to 0 end"
PAYS = "for p in players do if {} then add 1 to score of p end end"
COUNT = "betting, count"
STAKE = "  pay: {{with: {{n: {{type: integer, min: 0, max: 1}}}}, effect: {}}}"


def counted(effect: str) -> str:
    return f"  count: {{effect: '{effect}'}}"


HOSTILE: dict[str, dict[str, str]] = {
    "told at once": {"SETUP": SET, "ACT": "if say of actor = secret then add 1 to score of actor end"},
    "told when the next deal has begun": {
        "SETUP": SET, "DO": COUNT, "STAGES": counted(PAYS.format("say of p = secret")),
    },
    "in an amount": {
        "SETUP": SET, "DO": COUNT,
        "STAGES": counted("for p in players do add (if say of p = secret then 1 else 0) to score of p end"),
    },
    "by a definition": {
        "SETUP": SET, "DO": COUNT, "DEFINE": "define: {is_right(p): say of p = secret}",
        "STAGES": counted(PAYS.format("is_right(p)")),
    },
    "when the match ends": {"SETUP": SET, "UNTIL": "secret = 1 and any p in players has say of p = 1"},
    "by a stage that is left out": {
        "SETUP": SET, "DO": COUNT, "STAGES": "  count: {when: secret = 1, effect: add 1 to score of dealer}",
    },
    "by a count": {
        "SETUP": f"if {RED} then move 3 from stock to pile else move 4 from stock to pile end",
        "DO": COUNT, "STAGES": counted(PAYS.format("(count of pile = 3) = (say of p = 1)")),
    },
    "by how often something is done": {
        "SETUP": f"if {RED} then move 3 from stock to pile else move 4 from stock to pile end",
        "DO": COUNT, "STAGES": "  count: {repeat: inner, until: count of pile < 4}\n"
        "  inner: {effect: move 1 from pile to stock; add 1 to score of dealer}",
    },
    "by a guess of somebody else": {
        "SETUP": SET, "TURNS": "3", "ACT": "if say of actor = secret then add 1 to score of actor end",
    },
    "by a call that waits": {
        "DO": "begin", "STAGES": f"  begin: {{effect: 'call betting; if {RED} then call pay end'}}\n"
        f"  pay: {{effect: {PAYS.format('say of p = 1')}}}",
    },
    "by an argument that waits": {
        "DO": "begin", "STAGES": f"  begin: {{effect: 'call via with m = if {RED} then 1 else 0'}}\n"
        "  via: {with: {m: {type: integer, min: 0, max: 1}}, effect: call betting; call pay with n = m}\n"
        + STAKE.format(PAYS.format("say of p = n")),
    },
    "by the card of a loop": {
        "DO": "begin", "STAGES": "  begin: {effect: 'call betting; for c in top 1 of stock do if c.colour = red "
        "then call pay with n = 1 else call pay with n = 0 end end'}\n" + STAKE.format(PAYS.format("say of p = n")),
    },
    "by who is skipped later": {
        "SETUP": SET, "TURNS": "3",
        "MORE": "arm: {effect: 'if secret = 1 then skip left of actor end; stay'}", "PLAYERS": "3",
    },
    "by what is offered": {
        "SETUP": SET, "TURNS": "4", "MORE": "arm: {effect: set armed; stay}\n"
        "      bonus: {when: armed and secret = 1}",
    },
    "by what is told at any time": {
        "SETUP": SET, "TURNS": "4", "MORE": "arm: {effect: set armed; stay}",
        "DEFINE": "define: {hint: {value: if armed then secret else 0, seen by: everyone}}",
    },
    "by who sees a zone": {
        "TURNS": "4", "MORE": "arm: {effect: set armed; stay}\n      disarm: {effect: clear armed; stay}",
        "ZONE": "seen by: if armed then everyone else owner",
    },
    "by a card that a variable speaks of": {
        "TURNS": "4", "SETUP": "set spoken to top of kitty",
        "MORE": "ask: {effect: if spoken.colour = red then add 1 to score of actor end}",
    },
    "by the kitty": {"MORE": "ask: {effect: if (top of kitty).colour = red then add 1 to score of actor end}"},
    "by the kitty at the end": {
        "DO": COUNT, "STAGES": counted("for c in kitty do if c.colour = red then add 1 to score of dealer end end"),
    },
    "by all of the pack": {
        "MORE": "ask: {effect: add (count c in stock where c.suit = hearts) to score of actor}", "TURNS": "3",
    },
    "by cards that were shuffled among few": {
        "TURNS": "3", "MORE": "rob: {effect: 'move all from hand of left of actor to pool; shuffle pool; "
        "show pool to actor'}",
    },
    "by which card was taken from several places": {
        "TURNS": "6", "MORE": "put: {choose: {card: {from: hand}}, effect: move card to slot of left of actor; stay}\n"
        "      take: {effect: 'move 1 at random from (slot of left of actor, pool) to hand; stay'}\n"
        "      lose: {effect: 'move 1 at random from (slot of left of actor, pool) to kitty; stay'}",
    },
    "by one card of several places": {
        "TURNS": "6", "MORE": "put: {choose: {card: {from: hand}}, effect: move card to slot of left of actor; stay}\n"
        "      take: {effect: 'move random of (slot of left of actor, pool) to hand; stay'}\n"
        "      lose: {effect: 'move random of (slot of left of actor, pool) to kitty; stay'}",
    },
    "by cards that went to another place first": {
        "TURNS": "3", "MORE": "ask: {effect: 'move all from hand of left of actor to slot of actor; "
        "if any c in slot has c.colour = red then add 1 to score end'}",
    },
    "by a card that was buried": {
        "TURNS": "5", "MORE": "lay: {choose: {card: {from: hand}}, effect: move card to pool}\n"
        "      draw: {effect: move 1 at random from pool to hand}",
    },
    "by which card was taken from among others": {
        "TURNS": "6", "MORE": "put: {choose: {card: {from: hand}}, effect: move card to slot of left of actor; stay}\n"
        "      take: {effect: move 1 at random from slot of left of actor to hand; stay}",
    },
    "by which of the own cards came back from among others": {
        "TURNS": "5",
        "MORE": "mix: {effect: 'move all from hand to pool; shuffle pool; move 2 from pool to hand; stay'}",
    },
    "by drawing": {"TURNS": "5", "MORE": "draw: {effect: move 1 from stock to hand; stay}\n"
        "      look: {effect: show slot to actor; stay}\n"
        "      put: {choose: {card: {from: hand}}, effect: move card to open}",
    },
    "by a flip and another": {
        "TURNS": "5", "MORE": "turn: {effect: flip kitty; stay}\n"
        "      turn_other: {effect: flip hand of left of actor; stay}",
    },
    "by the row of a card that is chosen unseen": {
        "TURNS": "3", "MORE": "pry: {choose: {c: {from: hand of left of actor}}, row: c}",
        "DEFINE": "cards: {hearts: {effect: add 1 to score of actor}, spades: {effect: add 2 to score of actor}}",
    },
    "by who takes part": {
        "SETUP": SET, "TURNS": "4", "MORE": "arm: {effect: set armed}",
        "PLAYS": "p where not armed or secret = 1 or p = P1",
    },
    "by whose cards let them take part": {
        "TURNS": "4", "MORE": "arm: {effect: set armed}",
        "PLAYS": "p where not armed or p = P1 or any c in hand of p has c.colour = red",
    },
    "by what is asked for the turn that was interrupted": {
        "TURNS": "4", "MORE": "arm: {effect: set armed; call aside}",
        "STAGES": "  aside: {kind: turn, turns: 1, first: P1, actions: {go_on: {}}}",
        "SETUP": SET, "BEHIND": "if armed then add secret to score of P1 end",
    },
    "by a trick that lies face down": {
        "DO": "tricks, betting", "STAGES": "  tricks: {kind: trick, leader: P1, count: 2, "
        "rank: place of card.rank, actions: {play: {}}, on trick: move all from trick to pile}",
    },
    "by what was led face down": {
        "DO": "tricks, betting", "STAGES": "  tricks: {kind: trick, leader: P1, count: 2, "
        "actions: {play: {}}, follow: {must: {suit: {law: card.suit = led or void in led}}}}",
    },
    "by a move that asks only when something is armed": {
        "TURNS": "5", "MORE": "arm: {effect: set armed; stay}\n      other: {effect: 'if armed then add "
        "(count c in hand of left of actor where c.colour = red) to score end'}",
    },
}  # fmt: skip


def hostile(folder: Path, name: str) -> Game:
    said = HOSTILE[name]
    text = BETS.replace(
        "hand: {each: player, seen by: owner}", f"hand: {{each: player, {said.get('ZONE', 'seen by: owner')}}}"
    )
    plain = {"UNTIL": "any p in players has score of p >= 20", "DO": "betting", "TURNS": "1"}
    plain["SETUP"] = plain["ACT"] = "add 0 to score of P1"
    text = text.replace("PLAYS", f"players: {said['PLAYS']}" if "PLAYS" in said else "")
    text = text.replace("BEHIND", f"on turn: {said['BEHIND']}" if "BEHIND" in said else "")
    for key in ("DEFINE", "SETUP", "UNTIL", "DO", "ACT", "TURNS", "MORE"):
        text = text.replace(key, said.get(key, plain.get(key, "")))
    path = folder / "bets.yaml"
    path.write_text("\n".join(filter(str.strip, f"{text}{said.get('STAGES', '')}\n".split("\n"))) + "\n", "utf-8")
    return interpreter.load(path).game(int(said.get("PLAYERS", 2)))


def read_by(state: State, seat: int, since: int = 0) -> Hashable:
    """What a seat may know of a match: its view, what it has heard since an event, and what it is offered."""
    told = [line for event in state.log[since:] if (line := event.text(seat)) is not None]
    offers = sorted(map(str, state.legal_moves(seat))) if seat in state.actors else []
    return repr((state.view(seat), told, offers, state.actors))


def taken_back(state: State, stay: int, seed: int, people: Iterable[int] | None) -> tuple[State, str]:
    other = state.copy()
    try:
        other.undo(seed, stay, people)
    except ValueError as why:
        return other, str(why)
    return other, ""


def played(game: Game, seed: int, deck: list[str] | None, script: list[tuple[int, str]]) -> list[State] | None:
    """The states of a match after each move, or nothing if these moves cannot be made in it."""
    found = [game.start(seed=seed, deck=deck)]
    for player, text in script:
        state = found[-1].copy()
        try:
            state.play(player, text)
        except (IllegalMove, RuleError):
            return None
        found.append(state)
    return found


def written(game: Game, seed: int, deck: list[str] | None, moves: int, dice: Dice) -> list[tuple[int, str]]:
    """Moves at random, for all matches in which they can be made."""
    state, script = game.start(seed=seed, deck=deck), list[tuple[int, str]]()
    while not state.over and len(script) < moves:
        player = state.actors[dice.below(len(state.actors))]
        legal = state.legal_moves(player)
        if not legal:
            break
        script.append((player, str(legal[dice.below(len(legal))])))
        state.play(*script[-1])
    return script


def parts_of(state: State, seat: int) -> dict[str, str]:
    """What a seat sees of a match, each thing by itself, and what it is offered."""
    found: dict[str, str] = {"offers": repr(sorted(map(str, state.legal_moves(seat))) if seat in state.actors else ())}
    todo: list[tuple[str, object]] = [("view", state.view(seat)), ("actors", state.actors)]
    while todo:
        name, part = todo.pop()
        if isinstance(part, dict):
            todo += [(f"{name}.{key}", inner) for key, inner in part.items()]
        else:
            found[name] = repr(part)
    return found


def settled_by(world: State, stay: int, seat: int, redraws: int) -> dict[str, str]:
    """What a seat sees whichever way chance goes on, when moves are taken back and made again."""
    made = [(m[1], m[2]) for m in world.position.record_moves[stay:]]
    settled: dict[str, str] | None = None
    for seed in range(redraws):
        again, refused = taken_back(world, stay, 100 + seed, None)
        assert not refused, "whatever chance would give"
        try:
            for move in made:
                again.play(*move)
        except (IllegalMove, RuleError):
            return {}
        seen = parts_of(again, seat)
        settled = seen if settled is None else {name: part for name, part in settled.items() if seen.get(name) == part}
    return settled or {}


Worlds = list[tuple[list[State], list[Hashable]]]
"""The same moves in matches that differ in what is hidden: the states, and what a seat may know of each."""


def seen_by(worlds: list[list[State]], seat: int) -> Worlds:
    return [(world, [read_by(state, seat) for state in world]) for world in worlds]


def compare(worlds: Worlds, seat: int, back: int, redraws: int) -> tuple[int, list[str]]:
    """How many matches were compared with another that looks alike to a seat, and what tells them apart.

    back: how many moves are taken back.
    """
    stay, wrong, compared = len(worlds[0][0]) - 1 - back, list[str](), 0
    alike: dict[Hashable, Worlds] = defaultdict(list)
    for world, reads in worlds:
        alike[tuple(reads[: stay + 1])].append((world, reads))
    for group in alike.values():
        answers: dict[Hashable, set[tuple[str, Hashable]]] = defaultdict(set)
        settled: dict[str, set[str]] = defaultdict(set)
        for world, reads in group:
            other, why = taken_back(world[-1], stay, 7, None)
            again = "" if why else read_by(other, seat)
            answers[tuple(reads[stay:])].add((why, again))
            if not why and again != reads[stay]:
                wrong.append("it is not as it was")
            if len(group) > 1 and not why:
                for name, part in settled_by(world[-1], stay, seat, redraws).items():
                    settled[name].add(part)
            compared += len(group) > 1
        if any(len(found) > 1 for found in answers.values()):
            wrong.append(f"two answers: {[sorted(each[0] for each in found) for found in answers.values()]}")
        wrong += [f"what is hidden settles {name}: {parts}" for name, parts in settled.items() if len(parts) > 1]
    return compared, wrong


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hidden_is_told_by_no_undo(tmp_path: Path, name: str) -> None:
    game, dice, compared = hostile(tmp_path, name), Dice(len(name)), 0
    for script_of in range(8):
        orders = decks(game, script_of, 15)
        script = written(game, 1, orders[0], 1 + script_of % 4, dice)
        worlds = [found for deck in orders if (found := played(game, 1, deck, script)) is not None]
        for seat in range(game.players):
            seen = seen_by(worlds, seat)
            for back in range(1, len(script) + 1):
                found, wrong = compare(seen, seat, back, 9)
                compared += found
                assert not wrong, f"P{seat + 1} takes back {back} of {script}: {wrong}"
    assert compared


def decks(game: Game, seed: int, number: int) -> list[list[str]]:
    """Orders of what is shuffled first that differ from the first in two cards each: of those that are dealt first, and
    any other."""
    dice, shuffled = Dice(seed + 5), next(e.cards for e in game.start(seed=seed).log if e.kind == "shuffle")
    pack = sorted(shuffled, key=game.program.cards.index)
    for at in range(len(pack) - 1, 0, -1):
        other = dice.below(at + 1)
        pack[at], pack[other] = pack[other], pack[at]
    found = [pack]
    for one in range(number - 1):
        deck, two = pack.copy(), dice.below(len(pack))
        deck[one], deck[two] = deck[two], deck[one]
        found.append(deck)
    return found


@cache
def shipped(name: str) -> Game:
    return interpreter.load(name).game()


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(2))
def test_in_shipped_games_an_answer_tells_nothing_either(name: str, seed: int) -> None:
    game, dice, compared = shipped(name), Dice(seed), 0
    first, *others = decks(game, seed, 10)
    script = written(game, seed, first, 4 + 9 * seed, dice)
    worlds = [found for deck in (first, *others) if (found := _played(game, seed, deck, script)) is not None]
    assert worlds
    for seat in range(game.players):
        seen = seen_by(worlds, seat)
        for back in (1, 2, game.players):
            if back <= len(script):
                found, wrong = compare(seen, seat, back, 0)
                compared += found
                assert not wrong, f"P{seat + 1} takes back {back} of {script}: {wrong}"
    assert compared


def _played(game: Game, seed: int, deck: list[str], script: list[tuple[int, str]]) -> list[State] | None:
    try:
        return played(game, seed, deck, script)
    except ValueError:
        return None


def test_what_is_refused_is_refused_in_three_sentences(tmp_path: Path) -> None:
    refused, dice = set[str](), Dice(3)
    for name in ("told at once", "by drawing", "by a card that was buried"):
        game = hostile(tmp_path, name)
        for seed in range(20):
            state = game.start(seed=seed)
            for player, text in written(game, seed, None, 6, dice):
                try:
                    state.play(player, text)
                except IllegalMove:
                    break
                refused.add(taken_back(state, len(state.position.record_moves) - 1, 2 * seed, [0])[1])
                if not dice.below(3):
                    state, why = taken_back(state, len(state.position.record_moves) - 1, seed, [0])
                    refused.add(why)
    assert refused <= {"", DRAWN, LEARNED, LOOKED} and {"", LEARNED, LOOKED} <= refused
