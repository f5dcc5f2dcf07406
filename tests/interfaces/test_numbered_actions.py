"""Games for learners: numbered words, moves composed of them, and observations that tell no more than may be seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import interpreter
from interpreter.engine.chance import Dice
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.adapters.composing import Composer
from interpreter.interfaces.adapters.table import Table
from interpreter.interfaces.adapters.vocabulary import Vocabulary
from interpreter.players.determinization import Worlds


def composed(composer: Composer) -> Iterator[str]:
    """Every move that can be composed, each once for each way to compose it."""
    for word in composer.words:
        after = composer.copy()
        move = after.choose(word)
        if move is None:
            yield from composed(after)
        else:
            yield str(move)


@pytest.mark.parametrize(
    ("name", "players", "seed"),
    [("hearts", 4, 1), ("phase-10", 3, 2), ("gin-rummy", 2, 3), ("euchre", 4, 4), ("president", 5, 5), ("yaniv", 3, 6),
     ("spades-two", 2, 7), ("skip-bo", 2, 8), ("truco", 4, 9), ("cribbage", 2, 10), ("klondike", 1, 11)],
)  # fmt: skip
def test_every_move_is_composed_in_just_one_way(name: str, players: int, seed: int) -> None:
    game = interpreter.load(name).game(players)
    state, dice, words = game.start(seed, log=False), Dice(seed), Vocabulary(game.program)
    for _ in range(60):
        if state.over:
            break
        player = state.actors[0]
        moves = state.legal_moves(player)
        found = list(composed(Composer(words, moves, game.program.cards)))
        assert sorted(found) == sorted(map(str, moves))
        state.play(player, moves[dice.below(len(moves))])


def made(tmp_path, action: str, dealt: int = 4) -> interpreter.api.game.Game:
    path = tmp_path / "small.yaml"
    path.write_text(
        "format: 1\nid: small\nname: Small\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}\n"
        f"flow:\n  match: {{do: [play], setup: deal {dealt} from stock to hand}}\n"
        f"  play: {{kind: turn, turns: 2, actions: {{{action}}}}}\n"
    )
    return interpreter.load(path).game()


@pytest.mark.parametrize(
    ("action", "ways"),
    [
        ("put: {choose: {cards: {from: hand, count: 0..4}}}", 16),
        ("put: {choose: {cards: {from: hand, count: 2..3}}}", 10),
        ("put: {choose: {cards: {from: hand, count: 1..4}}}, done: {}", 16),
        ("bid: {choose: {n: {number: 95..130}}}", 36),
        ("bid: {choose: {n: {number: -3..12}}}", 16),
    ],
)
def test_cards_are_chosen_one_by_one_and_large_numbers_digit_by_digit(tmp_path, action: str, ways: int) -> None:
    game = made(tmp_path, action)
    state = game.start(1)
    moves = state.legal_moves(0)
    composer = Composer(Vocabulary(game.program), moves, game.program.cards)
    found = list(composed(composer))
    assert len(found) == len(set(found)) == ways == len(moves)
    assert set(found) == set(map(str, moves))
    with pytest.raises(ValueError, match="action 99999 is not among those that are possible"):
        composer.choose(99_999)


@pytest.mark.parametrize("dealt", [0, 1, 3])
def test_where_there_is_no_card_to_choose_none_is_chosen(dealt: int, tmp_path: Path) -> None:
    game = made(tmp_path, "throw: {choose: {cards: {from: hand, count: 0..2}}}, wait: {}", dealt)
    moves = game.start(1).legal_moves(0)
    found = list(composed(Composer(Vocabulary(game.program), moves, game.program.cards)))
    assert sorted(found) == sorted(map(str, moves))
    assert "throw nothing" in found


def test_a_table_is_played_to_its_end_or_to_the_limit() -> None:
    table = Table(interpreter.load("truco").game(2))
    table.start(4)
    while not table.over:
        assert table.returns == [0, 0]
        before = table.copy()
        table.act(table.actions[0])
        assert before.made == table.made - 1
    assert sorted(table.returns) == [-0.5, 0.5] and not table.is_cut and table.actions == []
    with pytest.raises(ValueError, match="the match is over"):
        table.act(0)
    short = Table(interpreter.load("truco").game(2), limit=3)
    short.start(4)
    for _ in range(3):
        short.act(short.actions[0])
    assert short.over and short.is_cut and short.returns == [0, 0] and short.player is None


def test_who_stands_best_after_the_last_deal_has_won() -> None:
    table = Table(interpreter.load("hearts").game(4), deals=1)
    table.start(2)
    while not table.over:
        table.act(table.actions[-1])
    best = min(table.state.scores)  # of which less is better, as `winners` says
    assert [gain > 0 for gain in table.returns] == [score == best for score in table.state.scores]
    assert sum(table.returns) == pytest.approx(0)


@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("gin-rummy", 2), ("president", 4), ("skip-bo", 3)])
def test_an_observation_is_the_same_wherever_hidden_cards_lie(name: str, players: int) -> None:
    game = interpreter.load(name).game(players)
    table, dice = Table(game), Dice(3)
    state = game.start(5)
    differed = 0
    for _ in range(40):
        player = state.actors[0]
        worlds = Worlds(state, player)
        seen = table.layout.observe(state.position, player, player, ())
        assert len(seen) == table.layout.size
        for _ in range(3):
            world = worlds.world(dice)
            differed += world.to_json() != state.to_json()
            assert table.layout.observe(world.position, player, player, ()) == seen
        moves = state.legal_moves(player)
        state.play(player, moves[dice.below(len(moves))])
    assert differed > 60


SECRETS = """\
format: 1
id: secrets
name: Secrets
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true}
  hand: {each: player, seen by: owner}
  purse: {each: player, seen by: owner, count seen by: owner}
state: {wish: {each: player, type: integer, lasts: match, min: 0, max: 10, seen by: owner}}
flow:
  match:
    setup: shuffle stock; deal 3 from stock to hand; deal 2 from stock to purse; set wish of P1 to 5
    do: [play]
  play: {kind: turn, first: P1, turns: 1, actions: {wait: {}}}
"""


def test_an_observation_hides_counts_and_values_that_are_hidden(tmp_path) -> None:
    path = tmp_path / "secrets.yaml"
    path.write_text(SECRETS)
    table = Table(interpreter.load(path).game())
    table.start(1)
    rows, segments = [table.observe(player) for player in (0, 1)], table.layout.segments
    purse, wish = segments["zone purse"][0], segments["variable wish"][0]
    for row in rows:
        assert row[purse + 52] == 2 == sum(row[purse : purse + 52])  # the own one
        assert row[purse + 105] == -1 and sum(row[purse + 53 : purse + 105]) == 0
    assert rows[0][wish : wish + 2] == [0.5, 0] and rows[1][wish : wish + 2] == [0, 0]


def test_scores_that_nobody_sees_are_not_asked_for_an_observation(tmp_path: Path) -> None:
    path = tmp_path / "secrets.yaml"
    hidden = "score of p + 6 div (count of purse of p - 2)"
    text = SECRETS.replace("state: {", "state: {score: {each: player, type: integer, lasts: match}, ")
    path.write_text(text.replace("    do: [play]", f"    do: [play]\n    scores: {hidden}"))
    table = Table(interpreter.load(path).game())
    table.start(1)
    assert table.state.view(0)["scores"] == [None, None]
    assert table.observe(0)


def test_a_card_that_is_played_face_down_is_seen_by_who_played_it_alone() -> None:
    table = Table(interpreter.load("truco").game(2))
    begin, length = table.layout.segments["trick"]
    words = table.vocabulary.words

    def trick(player: int) -> float:
        return sum(table.observe(player)[begin : begin + length])

    seen = []
    for seed in range(20):
        table.start(seed)
        while not table.over and len(seen) < 5:
            mover, texts = table.player, [words[action] for action in table.actions]
            covers = "covered" in texts
            before = [trick(player) for player in (0, 1)]
            table.act(table.actions[texts.index("covered") if covers else 0])
            if covers and len(table.state.position.plays) == 1 and mover is not None:
                seen.append(trick(1 - mover) - before[1 - mover])
    assert seen == [0] * 5


def test_an_observation_begins_with_whoever_looks() -> None:
    game = interpreter.load("hearts").game(4)
    table = Table(game)
    table.start(6)
    position, segments = table.state.position, table.layout.segments
    for player in range(4):
        row = table.layout.observe(position, player, 2, ())
        begin, length = segments["zone hand"]
        own = row[begin : begin + 53]
        assert sum(own[:52]) == own[52] == 13 and length == 4 * 53
        assert [own[card] for card in range(52)] == [float(position.z[_hand(game, player)] >> c & 1) for c in range(52)]
        assert sum(row[begin + 53 : begin + 105]) == 0 and row[begin + 105] == 13  # the others' cards are but counted
        begin, length = segments["to move"]
        assert row[begin : begin + length].index(1) == (2 - player) % 4
    assert sum(length for _, length in segments.values()) == table.layout.size


def _hand(game, player: int) -> int:
    zone = next(zone for zone in game.program.zones if zone.name == "hand")
    return zone.base + zone.owners.index(player)


def test_what_is_composed_is_seen_by_nobody_else() -> None:
    table = Table(interpreter.load("hearts").game(4))
    table.start(6)
    before = [table.observe(player) for player in range(4)]
    table.act(table.actions[0])  # pass
    table.act(table.actions[0])  # the first of three cards
    assert table.player == 0 and [table.observe(p) == before[p] for p in range(4)] == [False, True, True, True]


@pytest.mark.parametrize(
    ("name", "enforcement", "told"),
    [
        ("pig", "strict", "Pig is no game of numbered actions: in 'race' everybody acts at once, and time decides"),
        ("hearts", "honor", "Hearts on honour is no game of numbered actions: words decide there; play it strictly"),
    ],
)
def test_races_and_honour_are_refused(name: str, enforcement, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Table(interpreter.load(name).game(enforcement=enforcement))


def test_two_numbers_that_are_spelled_are_two(tmp_path: Path) -> None:
    path = tmp_path / "bids.yaml"
    path.write_text(
        "format: 1\nid: bids\nname: Bids\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}}\nflow:\n  match: {do: [bidding]}\n  bidding: {kind: turn, turns: 4, actions: "
        "{bid: {choose: {n: {number: -12..-1}, m: {number: 101..1101}}}}}\n",
        encoding="utf-8",
    )
    table = Table(interpreter.load(path).game())
    table.start(1)
    moves = table.state.legal_moves(0)
    assert len({table.vocabulary.read(str(move)) for move in moves}) == len(moves) == 12 * 1001


def test_a_match_that_is_copied_stays_where_the_rules_stop_as_the_first_does(tmp_path: Path) -> None:
    """Neither keeps a record by which it could go back: it would be another match."""
    (tmp_path / "dares.yaml").write_text(
        "format: 1\nid: dares\nname: Dares\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true, seen by: none}}\nstate: {risk: {type: integer, lasts: match, max: 1}}\n"
        "flow:\n  match: {do: [daring]}\n"
        "  daring: {kind: turn, first: P1, turns: 90, actions: {dare: {effect: add 1 to risk}, wait: {}}}\n",
        "utf-8",
    )
    table = Table(interpreter.load(tmp_path / "dares.yaml").game())
    wait, dare = map(table.vocabulary.words.index, ("wait", "dare"))
    table.start(1)
    table.act(wait)
    for one in (table.copy(), table):
        one.act(dare)
        with pytest.raises(RuleError, match="'risk' would become 2"):
            one.act(dare)
        assert one.state.value("risk") == 1 and one.player == 0
        one.act(wait)
        assert one.player == 1


def test_a_move_that_fails_by_another_fault_is_not_made_either(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(interpreter.load("crazy-eights").game())
    table.start(1)
    player, offered = table.player, table.actions

    def fails(*_: object) -> None:
        raise TypeError("by a fault of ours")

    with monkeypatch.context() as broken:
        broken.setattr("interpreter.api.game.State.play", fails)
        with pytest.raises(TypeError):
            while True:
                table.act(table.actions[0])
    assert (table.player, table.actions) == (player, offered)
