"""Teams that are made during play: who belongs to whom is what a variable says, and begins as the seats are."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import stepwise

import interpreter
from interpreter.api.game import load
from interpreter.api.validation import validate

ACE = """\
format: 1
id: ace
name: A called ace
players: {min: 4, max: 5}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  trick: {seen by: everyone}
  taken: {each: team, seen by: none}
state:
  score: {each: player, type: integer, lasts: match}
  team: {each: player, type: team, lasts: deal}
flow:
  match: {repeat: deal, first dealer: P1, until: number of deal = 3, winners: highest score}
  deal: {setup: "gather all to stock; shuffle stock; deal 6 from stock to hand", do: [tricks, count], next dealer: left}
  tricks:
    kind: trick
    leader: left of dealer
    follow: {must: {follow: card.suit = led or void in led}}
    on card: if card = AS then set team of actor to team of dealer end
    on trick: move all from trick to taken of team of winner
  count:
    kind: score
    score: [{for: team of dealer, points: count of taken of team of dealer}]
"""
SEATED = ACE.replace("max: 5}", "max: 4}\nteams: {size: 2, seated: across}")


@pytest.fixture(params=[ACE, SEATED, SEATED.replace('setup: "', 'setup: "reseat all p in everyone by score of p; ')])
def ruleset(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "ace.yaml").write_text(request.param)
    assert validate(tmp_path / "ace.yaml") == []
    return tmp_path / "ace.yaml"


def test_matches_in_bulk_and_move_by_move_are_the_same(ruleset: Path) -> None:
    game = load(ruleset).game(players=4)
    assert game.playouts(10, seed=5) == stepwise(game, 10, seed=5)


def test_whoever_plays_the_card_is_of_the_dealers_side_until_the_next_deal(ruleset: Path) -> None:
    game = load(ruleset).game(players=4)
    joined = 0
    for seed in range(6):
        state, deal = game.start(seed=seed), 0
        while not state.over:
            if state.position.runs[1] != deal:  # a new deal has begun
                deal, at = state.position.runs[1], state.position
                assert at.teams == at.seated_teams
            dealer, player = state.position.dealer, state.actors[0]
            assert dealer is not None
            move = state.legal_moves(player)[0]
            before, last = state.position.teams[dealer], sum(len(state.zone("hand", p)) for p in range(4)) == 1
            state.play(player, move)
            if str(move) == "play AS" and not last:
                joined += 1
                assert state.position.teams[player] == before == state.position.teams[dealer]
                assert {dealer, player} <= set(state.position.members[before])
                assert state.value("team", player) == f"T{before + 1}"
        assert interpreter.replay(state.record()).scores == state.scores
        assert game.restore(state.to_json()).to_json() == state.to_json()
    assert joined
