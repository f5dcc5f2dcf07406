"""A few deals of each of OpenSpiel's games, replayed; `python -m tests.oracle` replays hundreds."""

from __future__ import annotations

from pathlib import Path

import pytest

from .driver import Difference, Played, play_match
from .games import GAMES
from .gin_rummy import DRAW, KNOCK, TAKE, GinRummy


def play(name: str, deals: int, *overlays: Path) -> Played:
    game, played = GAMES[name](*overlays), Played()
    for seed in range(deals):
        if played.deals < deals:
            played.add(play_match(game, seed))
    return played


@pytest.mark.parametrize("name", GAMES)
def test_deals_go_as_in_openspiel(name: str) -> None:
    played = play(name, 12)
    assert played.deals >= 12 and played.decisions >= 100


CHANGES = {
    "crazy_eights": {
        "points of the rank": "values: {points: {A: 1, else: place of card.rank}}",
        "an eight must match": "options: {eight_any_time: {default: false}}",
        "the first card does nothing": "flow: {play: {first: left of dealer}}",
        "who can play does not pass": "flow: {play: {actions: {pass: {must: {play_on: 'not can(play, actor)'}}}}}",
        "everybody passes once": "flow: {play: {until: someone_out or passes = count of players or plays = max_turns}}",
        "shuffled when wanted": "zones: {stock: {refill: {on: need}}}",
    },
    "cribbage": {
        "flushes of five": "define: {'flush(cs, box)': {value: {four: null}}}",
        "over at 121": "define: {'peg(p, n, why)': {effect: add n to score of p; if won then finish match end}}",
        "the last card is nothing": "flow: {counting: {cleanup: for c in row do move c to laid of played_by of c end}}",
        "no nobs": "define: {nobs(cs): {value: 0}}",
    },
    "euchre": {
        "no left bower": "define: {is_left_bower(card): {value: false}}",
        "the dealer may pass": "flow: {second_round: {actions: {pass: {when: null}}}}",
        "a lone defender for two": "flow: {tally: {score: {euchred: {points: 2}}}}",
        "three for three tricks": "flow: {tally: {score: {made: {points: 3}}}}",
    },
    "gin_rummy": {
        "the card taken is kept": "flow: {drawing: {actions: {throw: {must: {another: card != taken}}}}}",
        "one card is left": "define: {at_wall: not drawn and count of stock <= 1}",
        "a knock is a point dearer": "define: {lead: deadwood(other) - deadwood(knocker) + 1}",
        "nothing is laid off": "flow: {laying_off: {actions: {lay_off: {when: false}}}}",
        "melds lie by themselves": "define: {deadwood(p): 'least pips of c for c in hand of p outside (set, run)'}",
    },
    "go_fish": {
        "the turn passes": "flow: {asking: {actions: {ask: {effect: base; pass turn to next after actor}}}}",
        "nobody asks for the last deuce": "flow: {asking: {actions: {ask: {must: {no: wanted != 2}}}}}",
    },
    "hearts": {
        "revokes are lawful": "flow: {tricks: {follow: {must: {follow_suit: null}}}}",
        "any lead": "flow: {tricks: {lead: {must: {hearts_closed: null}}}}",
        "the two leads": "flow: {tricks: {lead: {must: {opening: trick number > 1 or card = opening_lead}}}}",
        "nothing for no tricks": "define: {due(p): {value: {nothing_taken: null}}}",
        "the jack is nothing": "values: {points: {JD: 0}}",
    },
    "oh_hell": {
        "any bid": "flow: {bidding: {actions: {bid: {must: {hook: null}}}}}",
        "no fines": "define: {due(p): {value: {fined: null}}}",
        "no trumps": "flow: {tricks: {trump: null}}",
    },
    "spades": {
        "over thirteen": "flow: {bidding: {actions: {bid: {choose: {n: {number: 0..hand_size}}}}}}",
        "broken": "flow: {tricks: {lead: {must: {unbroken: {law: 'broken or card.suit != spades'}}}}}",
        "revokes are lawful": "flow: {tricks: {follow: {must: {follow_suit: null}}}}",
        "a failed nil does not help": "options: {failed_nil_tricks: {default: bags_only}}",
        "bags cost nothing": "define: {bag_limit: 10, penalty(side): 0}",
        "tricks are worth more": "define: {stake(side): 11 * contract(side)}",
    },
}
"""Rules of ours that are not OpenSpiel's: mostly what an overlay says of it is left out again."""


@pytest.mark.parametrize(
    ("name", "change"),
    [pytest.param(name, text, id=f"{name}: {what}") for name, texts in CHANGES.items() for what, text in texts.items()],
)
def test_a_difference_in_the_rules_shows(name: str, change: str, tmp_path: Path) -> None:
    path = tmp_path / "change.yaml"
    path.write_text(f"format: 1\nid: change\n{change}\n", encoding="utf-8")
    with pytest.raises(Difference):
        play(name, 100, path)


def test_a_knock_that_openspiel_overlooks_is_left_out_and_no_other() -> None:
    """Without 7H five points are left over, but it lays out all eleven first then finds no such card."""
    game = GinRummy()
    hand = "5S 6S 7S KS 5C KC 5D 6D 7D KH".split()
    rest = [card for card in sorted(game.numbers) if card not in (*hand, "7H")]
    deck = [*hand, *rest[:10], "7H", *rest[10:]]
    for limit, left_out in ((5, {"knock", "end_knock"}), (6, set())):
        deal = game.deal(deck, limit, {})
        while deal.theirs.is_chance_node():
            deal.theirs.apply_action(next(deal.chance))
        assert game.left_out(deal, 0) == set()
        deal.theirs.apply_action(TAKE)
        deal.ours.play(0, "take")
        assert game.left_out(deal, 0) == left_out
        assert any(move.action == "knock" for move in deal.ours.legal_moves(0))
        assert (KNOCK in deal.theirs.legal_actions()) is not bool(left_out) and DRAW not in deal.theirs.legal_actions()
