"""What a page draws and is asked: made of what its reader may know, and of nothing else."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from fuzz.secrets import exchanged, eyes_of, is_settled, seen_cards
from walks import SHIPPED

import interpreter
from interpreter.api.game import State
from interpreter.engine.notation import IllegalMove
from interpreter.engine.standing import kind_of_phase, takes_part
from interpreter.engine.view import table
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.page_offers import meant, offers
from interpreter.interfaces.host.placing import MOST_PLACES
from interpreter.interfaces.host.scene import MOST_FACTS, Scenes, scene
from interpreter.interfaces.host.setting import setting_of
from interpreter.words.voice import Voice
from tests.host.applying import changed

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva")
MOVES, PAIRS = 30, 1


def played(name: str, moves: int, seed: int = 1, **settings: Any) -> State:
    """A match after some moves made at random."""
    state = interpreter.load(name).game(**settings).start(seed=seed)
    dice = random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        player = dice.choice(state.actors)
        lawful = state.legal_moves(player)
        state.play(player, lawful[dice.randrange(len(lawful))])
    return state


def drawn(state: State, reader: int | None) -> str:
    return json.dumps(scene(state, Voice(state.position, NAMES), reader))


def asked(state: State, player: int) -> Any:
    return offers(state, Voice(state.position, NAMES), player, setting_of(state.game))


def act(found: Any, name: str) -> Any:
    return next(one for one in found["acts"] if one["name"] == name)


def place(found: Any, name: str) -> Any:
    return next(one for one in found["places"] if one["id"] == name)


@pytest.mark.parametrize("game", ["euchre", "spades"])
def test_tricks_are_counted_while_tricks_are_played_and_not_in_the_next_deal(game: str) -> None:
    state = interpreter.load(game).game().start(seed=1)
    dice, counted = random.Random(1), set()
    while max(state.scores) == 0 or kind_of_phase(state.position) == "trick":
        player = dice.choice(state.actors)
        lawful = state.legal_moves(player)
        state.play(player, lawful[dice.randrange(len(lawful))])
        seats = scene(state, Voice(state.position, NAMES), 0)["seats"]
        if any(fact[0] == "tricks" for seat in seats for fact in seat["facts"]):
            counted.add(kind_of_phase(state.position))
    assert counted == {"trick"}


def _hidden_pairs(state: State, viewer: int) -> list[tuple[int, int]]:
    """Pairs of different cards that a player does not see."""
    seen, cards = seen_cards(state, viewer, eyes_of(state)), state.game.program.cards
    hidden = [card for card in range(len(cards)) if card not in seen]
    half = len(hidden) // 2
    return [(one, two) for one, two in zip(hidden, hidden[half:], strict=False) if cards[one] != cards[two]]


# ---- secrets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_cards_that_a_reader_cannot_know_change_nothing_of_the_scene(name: str) -> None:
    dice = random.Random(7)
    honor = interpreter.load(name).model.honor is not None
    state = played(name, 0, enforcement="honor" if honor else "strict")
    compared = 0
    for _ in range(MOVES):
        if state.over:
            break
        if is_settled(state):
            for viewer in range(state.game.players)[:2]:
                pairs = _hidden_pairs(state, viewer)
                for one, two in dice.sample(pairs, min(PAIRS, len(pairs))):
                    other = exchanged(state, one, two)
                    if table(state.position, viewer) != table(other.position, viewer):
                        continue  # the rules tell it: then a page may, too
                    assert drawn(state, viewer) == drawn(other, viewer)
                    if (told := asked(state, viewer)) is not None and not told["marked"]:
                        assert told == asked(other, viewer)
                    compared += 1
        player = dice.choice(state.actors)
        lawful = state.legal_moves(player)
        state.play(player, lawful[dice.randrange(len(lawful))])
    assert compared > 0


@pytest.mark.parametrize("name", ["hearts", "spit", "uno", "truco", "euchre"])
def test_a_watcher_is_shown_no_face_that_some_player_does_not_see(name: str) -> None:
    state = played(name, 25)
    told = json.loads(drawn(state, None))
    assert told["me"] == ""
    views = [table(state.position, player)["zones"] for player in range(state.game.players)]
    for found in told["places"]:
        zone, _, key = found["id"].partition(".")
        for view in views:
            whole = view[zone] if "cards" in view[zone] else view[zone].get(key.replace(".", " "), {"cards": []})
            assert set(found["cards"]) - {None} <= set(whole["cards"])


def test_nothing_is_offered_by_law_in_a_race() -> None:
    state = played("spit", 10)
    told = asked(state, 0)
    assert told["kind"] == "race" and not told["marked"]
    assert told["prompt"] == asked(played("spit", 11), 1)["prompt"], "what the race is about, whatever can be done"
    assert all("moves" not in one for one in told["acts"])
    assert act(told, "play")["params"][0] == {"name": "source", "form": "zones", "from": ["pile"]}


def test_every_card_in_hand_can_be_named_on_honour() -> None:
    state = played("georgia-spoons", 6, enforcement="honor")
    told = asked(state, state.actors[0])
    assert not told["marked"] and all("moves" not in one for one in told["acts"])
    faults = act(told, "razz")["params"][1]["options"]
    assert faults[0] == ["", "whatever was wrong"]
    assert ["in_turn", "out of turn"] in faults and ["one_card", "one card: “One card!” was not said"] in faults
    assert ["draw_or_play", "draw or play: draw a card if you play none"] in faults


# ---- the table ----------------------------------------------------------------------------------------------


def test_a_reader_sits_in_front_and_the_others_follow_to_the_left() -> None:
    state = played("euchre", 14)
    told = scene(state, Voice(state.position, NAMES), 1)
    assert told["seats"][0]["name"] == "Ben"
    assert sorted(seat["id"] for seat in told["seats"]) == ["P1", "P2", "P3", "P4"]
    assert len({seat["side"] for seat in told["seats"]}) == 2


def test_an_own_hand_is_a_sorted_fan_and_others_are_counted() -> None:
    state = played("hearts", 8)
    told = scene(state, Voice(state.position, NAMES), 0)
    mine, other = place(told, "hand.P1"), place(told, "hand.P2")
    assert (mine["as"], mine["at"]) == ("fan", "mine") and None not in mine["cards"]
    assert set(other["cards"]) == {None} and other["count"] == len(other["cards"])
    suits = [card[-1] for card in mine["cards"]]
    assert suits == sorted(suits, key="CDSH".index)


def test_the_last_trick_is_told_with_who_took_it() -> None:
    state = played("hearts", 8)
    while state.position.trick_number < 2:
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    told = scene(state, Voice(state.position, NAMES), 0)["last"]
    assert len(told["plays"]) == 4 and told["to"] in {who for who, _ in told["plays"]}


@pytest.mark.parametrize("game", ["euchre", "fruit-salad", "hearts", "setback", "spades", "spades-two", "truco"])
def test_the_last_trick_is_past_when_another_deal_has_begun(game: str) -> None:
    state = interpreter.load(game).game().start(seed=1)
    dice, deals = random.Random(1), 0
    told = None
    while not state.over and deals < 3:
        player, heard = dice.choice(state.actors), len(state.log)
        lawful = state.legal_moves(player)
        state.play(player, lawful[dice.randrange(len(lawful))])
        before, told = told, scene(state, Voice(state.position, NAMES), 0)["last"]
        kinds = {event.kind for event in state.log[heard:]}
        begun = bool(kinds & {"deal", "gather"})
        deals += "deal" in kinds
        if "trick" in kinds:
            assert told["plays"], "how it ended can still be shown"
            assert told["past"] == begun
        elif told is not None:
            assert told["past"] == (begun or before is None or before["past"])
    assert deals >= 2


def test_who_sits_out_the_tricks_is_told_at_the_seat() -> None:
    seen = set()
    for seed in range(1, 30):
        state = interpreter.load("euchre").game().start(seed=seed)
        dice = random.Random(seed)
        for _ in range(60):
            player = dice.choice(state.actors)
            lawful = state.legal_moves(player)
            state.play(player, lawful[dice.randrange(len(lawful))])
            out = [seat["id"] for seat in scene(state, Voice(state.position, NAMES), 0)["seats"] if "out" in seat]
            silent = state.view(0)["values"]["silent_partner"]
            if kind_of_phase(state.position) == "trick":
                assert out == ([silent] if silent else [])
                seen.add(bool(silent))
            else:
                assert out == []
            if state.over or seen == {False, True}:
                break
    assert seen == {False, True}


def test_a_button_that_says_of_its_player_what_holds_already_is_marked_in_a_race() -> None:
    state = interpreter.load("spit").game().start(seed=1)
    for _ in range(60):
        player = state.actors[0]
        lawful = {str(move): move for move in state.legal_moves(player)}
        if "decline" in lawful:
            break
        state.play(player, next(iter(lawful.values())))
    other = 1 - player
    assert "done" not in act(asked(state, player), "decline")
    state.play(player, lawful["decline"])
    assert act(asked(state, player), "decline")["done"]
    assert "done" not in act(asked(state, other), "decline")
    assert not any("done" in one for one in asked(state, player)["acts"] if one["name"] != "decline")


def test_a_button_in_whose_way_stands_what_its_player_has_done_is_dim_in_a_race() -> None:
    state = interpreter.load("spit").game().start(seed=1)
    for _ in range(400):
        for player in (0, 1):
            lawful = {str(move): move for move in state.legal_moves(player)}
            if "spit" in lawful and kind_of_phase(state.position) == "race":
                assert "off" not in act(asked(state, player), "spit")
                state.play(player, lawful["spit"])
                if kind_of_phase(state.position) == "race" and act(asked(state, player), "decline").get("done"):
                    assert act(asked(state, player), "spit")["off"] and act(asked(state, player), "decline")["off"]
                    assert "off" not in act(asked(state, 1 - player), "spit")
                    return
            elif lawful:
                state.play(player, lawful.get("decline") or next(iter(lawful.values())))
    raise AssertionError("nobody has called before the other")


def test_what_is_waited_for_is_told_in_the_words_of_the_ruleset_where_nothing_hidden_decides() -> None:
    state = played("yaniv", 0)
    doing = scene(state, Voice(state.position, NAMES), None)["doing"]
    assert doing == "", "of three things one hangs on nothing, but they are too many to be told"
    throw = next(move for move in state.legal_moves(state.actors[0]) if str(move).startswith("throw"))
    state.play(state.actors[0], throw)
    doing = scene(state, Voice(state.position, NAMES), None)["doing"]
    assert doing == "draw a card from the stock or take a card that is open to take"


HIDDEN_CONDITION = """
format: 1
id: hides
name: Hides
about: What can be done hangs on a card, or on a flag that only its owner sees.
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
state: {marked: {type: flag, lasts: match WHO}}
flow:
  match: {setup: deal 3 from stock to hand, do: [turns], winners: all p in everyone}
  turns:
    kind: turn
    first: P1
    turns: 9
    actions:
      mark: {prompt: "mark the table", when: "WHEN", effect: set marked}
      pass: {prompt: pass the turn}
"""


@pytest.mark.parametrize(
    ("who", "when", "doing"),
    [
        ("", "not marked", "mark the table or pass the turn"),
        ("", "marked", "pass the turn"),
        (", seen by: none", "not marked", ""),
        ("", "any c in hand has c.suit = hearts", ""),
        ("", "not marked and count of hand > 1", ""),
    ],
)
def test_what_is_waited_for_is_not_told_where_something_hidden_decides(
    tmp_path: Any, who: str, when: str, doing: str
) -> None:
    file = tmp_path / "hides.yaml"
    text = HIDDEN_CONDITION.replace(" WHO", who).replace("WHEN", when)
    file.write_text(text, encoding="utf-8")
    state = interpreter.load(file).game().start(seed=1)
    assert scene(state, Voice(state.position, NAMES), None)["doing"] == doing


def test_of_piles_in_the_middle_it_is_told_of_each_whose_it_is() -> None:
    state = played("spit", 6)
    told = scene(state, Voice(state.position, NAMES), 0)
    assert place(told, "centre.P1")["name"] == "your spit pile"
    assert place(told, "centre.P2")["name"] == "Ben: spit pile"
    assert place(told, "hand.P1")["name"] == "spit cards"


@pytest.mark.parametrize(("game", "zone"), [("skip-bo", "finished"), ("yaniv", "discard")])
def test_what_will_become_another_pile_is_a_pile_of_which_the_top_is_seen(game: str, zone: str) -> None:
    state = interpreter.load(game).game(2).start(seed=3)
    voice, dice = Voice(state.position, [f"Player {seat}" for seat in range(state.game.players)]), random.Random(3)
    for _ in range(600):
        player = state.actors[0]
        moves = state.legal_moves(player)
        state.play(
            player, max(moves, key=lambda move: str(move).count(" ")) if dice.random() < 0.5 else dice.choice(moves)
        )
        found = [one for one in scene(state, voice, 0)["places"] if one["zone"] == zone]
        if found and found[0]["count"] > 2:
            break
    assert found[0]["as"] == "stack" and len(found[0]["cards"]) == 1


def test_of_a_pile_from_both_ends_of_which_may_be_taken_every_card_is_seen() -> None:
    state = interpreter.load("yaniv").game(3).start(seed=3)
    voice = Voice(state.position, NAMES)
    while (found := place(scene(state, voice, 0), "last"))["count"] < 2:
        moves = state.legal_moves(state.actors[0])
        state.play(state.actors[0], max(moves, key=lambda move: str(move).count(" ")))
    assert found["as"] == "row" and len(found["cards"]) == found["count"]


def test_what_nobody_sees_is_drawn_only_where_it_can_be_taken_from() -> None:
    hearts, uno = played("hearts", 21), played("uno", 3)  # in the midst of a trick: none has just been taken
    ids = {found["id"] for found in scene(hearts, Voice(hearts.position), 0)["places"]}
    assert "stock" not in ids and not any(name.startswith("taken") for name in ids)
    assert place(scene(uno, Voice(uno.position), 0), "stock")["cards"] == [None]


@pytest.mark.parametrize("game", ["hearts", "euchre"])  # nobody sees what was taken, or it is bookkeeping
def test_what_nobody_sees_is_drawn_until_the_next_move_where_cards_have_just_been_moved(game: str) -> None:
    state = interpreter.load(game).game().start(seed=1)
    voice, dice, seen = Voice(state.position, NAMES), random.Random(1), 0
    scenes = Scenes(state, voice)
    while not state.over and seen < 9:
        heard, player = len(state.log), dice.choice(state.actors)
        lawful = state.legal_moves(player)
        state.play(player, lawful[dice.randrange(len(lawful))])
        scenes.renew()
        events = state.log[heard:]
        left = {zone: view.get("count") for zone, view in table(state.position, 0)["zones"]["taken"].items()}
        came = {
            event.target.replace(" ", ".")
            for event in events
            if event.kind == "cards" and event.target.startswith("taken") and left[event.target.partition(" ")[2]]
        }
        seen += bool(came)
        for reader in (0, 1, None):
            told = scenes.of(reader)["places"]
            assert {found["id"] for found in told if found["zone"] == "taken"} == came
            assert told == scene(state, voice, reader)["places"]
    assert seen == 9


def test_a_stock_is_tapped_to_draw_from_it() -> None:
    state = played("uno", 0)
    told = scene(state, Voice(state.position), 0)
    assert "draw" in told["game"]["taps"]["stock"]


def test_a_layout_says_otherwise(tmp_path: Any) -> None:
    file = tmp_path / "laid.yaml"
    file.write_text(
        "format: 1\nid: laid\nextends: hearts\n"
        "zones: {hand: {layout: {as: row, order: as lies, name: Mine}}, trick: {layout: {at: away}},"
        " taken: {layout: {at: seat, as: count}}}\n"
        "looks: {hearts: {name: of cups, symbol: cups, colour: orange}, "
        "Q: {name: lady, symbol: crescent}, QS: {back: red}}\n"
    )
    state = interpreter.load(str(file)).game().start(seed=1)
    told = scene(state, Voice(state.position), 0)
    assert place(told, "hand.P1") | {"cards": 0} == {
        "id": "hand.P1", "zone": "hand", "seat": "P1", "at": "mine", "as": "row", "name": "Mine", "count": 13,
        "cards": 0,
    }  # fmt: skip
    looks = told["game"]["cards"]
    assert looks["QH"] == {
        "index": "Q", "letter": "H", "symbol": "cups", "middle": "crescent", "colour": "orange", "back": "blue",
        "name": "lady of cups",
    }  # fmt: skip
    assert (looks["QS"]["back"], looks["2H"]["name"], looks["2C"]["name"]) == ("red", "2 of cups", "2 of clubs")


# ---- what is asked ----------------------------------------------------------------------------------------------


def test_lawful_moves_are_told_in_strict_turns() -> None:
    state = played("hearts", 8)
    player = state.actors[0]
    told = asked(state, player)
    assert told["marked"] and told["due"] and told["prompt"]
    assert [f"play {move}" for move in act(told, "play")["moves"]] == [m.text for m in state.legal_moves(player)]


def test_so_many_cards_are_asked_for_together() -> None:
    state = played("hearts", 0)
    while state.phase != "passing":
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    told = act(asked(state, state.actors[0]), "pass")
    assert (told["cards"]["low"], told["cards"]["high"], len(told["cards"]["of"])) == (3, 3, 13)
    assert "moves" not in told, "there are 286 of them"
    assert "three cards" in told["label"]


def test_whoever_is_not_due_is_asked_nothing() -> None:
    state = played("hearts", 8)
    (due,) = state.actors
    assert all(asked(state, player) is None for player in range(4) if player != due)


def test_a_tap_on_a_pile_is_the_move_where_only_one_goes_there() -> None:
    state = played("spit", 10)
    alone = [
        move
        for move in state.legal_moves(0)
        if sum(other.text.split(" ")[1:2] == move.text.split(" ")[1:2] for other in state.legal_moves(0)) == 1
        and " " in move.text
    ]
    assert alone and all(meant(state, 0, move.text.split(" ")[1]) == move.text for move in alone)
    assert meant(state, 0, "play pile.P1.1 centre.P1") == "play pile.P1.1 centre.P1"
    with pytest.raises(IllegalMove):
        state.play(0, meant(state, 0, "pile.P2.1"))


def test_other_names_of_an_action_are_understood(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(
        "format: 1\nid: named\nname: Named\nplayers: {only: [2], default: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}}\nflow:\n  match: {do: [go]}\n"
        "  go: {kind: turn, turns: 9, actions: {keep: {also: [hold, stand]}, pass: {}}}\n"
    )
    state = interpreter.load(tmp_path / "rules.yaml").game().start(seed=1)
    for name in ("keep", "hold", "stand"):
        assert meant(state, 0, name) == name


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("moves", [9, 30])
def test_every_lawful_move_of_a_strict_turn_can_be_put_together(name: str, moves: int) -> None:
    state = next(before for made in range(moves, 0, -1) if (before := played(name, made)).actors)
    for player in state.actors:
        told = asked(state, player)
        assert told is not None and json.loads(json.dumps(told)) == told
        if not told["marked"]:
            continue
        listed = {f"{one['name']} {text}".strip() for one in told["acts"] for text in one.get("moves", ())}
        open_ = {one["name"] for one in told["acts"] if "moves" not in one}
        for move in list(state.legal_moves(player))[:300]:
            assert move.text in listed or move.action in open_


# ---- what a page says ---------------------------------------------------------------------------------------


def test_what_is_chosen_behind_a_card_is_asked_for_as_the_game_calls_it() -> None:
    hand = {"P1": "W 5R", "P2": "1R 2R", "P3": "3R 4R", "P4": "6R 7R"}
    state = interpreter.load("uno").game(4).start(given={"at": "play", "current": "P1", "hand": hand, "discard": "9G"})
    assert act(asked(state, 0), "play")["asks"] == {"a colour": ["red", "yellow", "green", "blue"]}
    hand = {"P1": "8C 5D", "P2": "2C 3C", "P3": "4C 6C", "P4": "7C 9C"}
    given = {"at": "play", "current": "P1", "hand": hand, "discard": "9S"}
    state = interpreter.load("crazy-eights").game(4).start(given=given)
    assert list(act(asked(state, 0), "play")["asks"]) == ["a suit"]


def test_a_pile_is_named_and_tapped_where_it_stands_for_a_player() -> None:
    state = played("spit", 10)
    param = act(asked(state, 0), "spit_on")["params"][0]
    assert param["options"] == [["P1", "the left spit pile"], ["P2", "the right spit pile"]]
    assert param["piles"] == {"P1": "centre.P1", "P2": "centre.P2"}
    assert param["asks"] == "a pile"


def test_what_a_law_forbids_whatever_happens_is_offered_on_honour_alone() -> None:
    strict = {one["name"] for one in asked(played("spit", 10), 0)["acts"]}
    honour = {one["name"] for one in asked(played("spit", 10, enforcement="honor"), 0)["acts"]}
    assert not strict & {"slap", "take_back"} and honour >= {"slap", "take_back"}


def test_nothing_is_shown_of_what_is_nothing_unless_it_is_always_shown() -> None:
    uno, hearts = played("uno", 6), played("hearts", 8)
    told = scene(uno, Voice(uno.position, NAMES), 0)
    assert not {"cards to draw", "nobody may speak"} & {fact[0] for fact in told["facts"] if fact[1] in ("0", "no", "")}
    told = scene(hearts, Voice(hearts.position, NAMES), 0)
    assert ["hearts broken", "no", True] in told["facts"]


def test_the_way_that_play_goes_is_told_where_it_may_change() -> None:
    for name, way in (("uno", "left"), ("hearts", "")):
        state = played(name, 0)
        assert scene(state, Voice(state.position, NAMES), 0)["direction"] == way


def test_cards_are_drawn_with_a_tap_where_they_are_drawn_from() -> None:
    state = played("yaniv", 0)
    taps = scene(state, Voice(state.position, NAMES), 0)["game"]["taps"]
    assert taps["stock"] == ["draw"] and "thrown" not in taps and "last" not in taps


def test_it_is_told_where_everybody_sits_and_with_whom() -> None:
    state = interpreter.load("euchre").game().start(given={"at": "first_round", "dealer": "P1", "current": "P2"})
    told = scene(state, Voice(state.position, NAMES), 0)
    marks = [told["marks"][seat["id"]] for seat in told["seats"]]
    assert [(mark["where"], mark["with"]) for mark in marks] == [
        ("", ""), ("on your left", "with Dan"), ("across from you", "your partner"), ("on your right", "with Ben"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["hearts", "spades", "gin-rummy", "cribbage", "spit", "uno"])
def test_changes_lead_to_what_is_drawn_anew(name: str) -> None:
    game = interpreter.load(name).game()
    match, readers = HostedMatch(game, NAMES[: game.players]), [*range(game.players), None]
    known: dict[int | None, Any] = {reader: match.welcome(reader).scene for reader in readers}
    dice = random.Random(3)
    for number in range(150):
        if match.state.over:
            break
        seat = dice.choice(match.state.actors)
        move = match.easy_move(seat)
        if move is not None:
            step = match.play(seat, move, None, match.state.position.clock + 10 if match.is_race else None)
            known.update({reader: changed(known[reader], reading.changes) for reader, reading in step.news})
        if number % 7 == 0:
            for reader in readers:
                drawn_anew = scene(match.state, match.voice, reader)
                assert known[reader] == drawn_anew
                assert json.dumps(match.welcome(reader).scene) == json.dumps(drawn_anew), "also in its order"


def test_a_piece_is_taken_with_a_tap() -> None:
    state = played("pig", 0)
    assert scene(state, Voice(state.position, NAMES), 0)["game"]["taps"]["spoon"] == ["take_spoon"]


def test_of_very_many_places_some_hundred_are_drawn_and_how_many_more_there_are_is_told(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_text(LARGE)
    state = interpreter.load(str(file)).game().start(seed=1)
    scenes = Scenes(state, Voice(state.position, NAMES))
    for reader in (0, None):
        found = scenes.of(reader)
        assert len(found["places"]) == MOST_PLACES
        hands = [one["seat"] for one in found["places"] if one["zone"] == "hand"]
        assert hands == ["P1", "P2"], "they are drawn, though they stand behind all others"
        assert found["facts"][-1] == ["places that are not drawn", "1302"]
    state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    scenes.renew()
    shown = scenes.of(None)["places"]
    (laid,) = (one["cards"] for one in shown if one["zone"] == "room" and one["cards"])
    assert len(laid) == 1 and len(shown) == MOST_PLACES, "where cards lie is drawn before what is empty"


def test_of_very_many_values_the_first_hundred_are_shown_and_how_many_more_there_are_is_told(tmp_path: Path) -> None:
    many = ", ".join(f"one{number}: {{type: integer, default: 1, lasts: match}}" for number in range(150))
    file = tmp_path / "large.yaml"
    file.write_text(LARGE.replace("state: {", f"state: {{{many}, "))
    state = interpreter.load(str(file)).game().start(seed=1)
    found = Scenes(state, Voice(state.position, NAMES)).of(0)
    assert len(found["facts"]) == MOST_FACTS + 2  # the values, and the places that are not drawn
    assert ["values that are not shown", "50"] in found["facts"]


LARGE = """\
format: 1
id: large
name: Large
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hall: {each: 1..800, seen by: everyone, capacity: 1, layout: {at: table, as: grid}}
  room: {each: 1..800, seen by: everyone, capacity: 1, layout: {at: table, as: grid}}
  discard: {seen by: everyone}
  hand: {each: player, seen by: owner}
state: {score: {each: player, type: integer, lasts: match}, tally: {type: integer, lasts: match, max: 100000}}
flow:
  match: {setup: deal 2 from stock to hand, repeat: [go], until: tally > 10000}
  go:
    kind: turn
    actions:
      put: {choose: {card: {from: hand}}, effect: move card to room of 800}
"""


LEFT_OUT = """\
format: 1
id: out
name: Out
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
state: {lost: {each: player, type: flag, lasts: match}}
flow:
  match: {do: [deal], winners: everyone, setup: shuffle stock}
  deal: {players: "p where WHO", do: [main]}
  main: {kind: turn, first: P1, turns: 9, actions: {draw: {effect: move 1 from stock to hand; set lost}, wait: {}}}
"""


@pytest.mark.parametrize(
    ("who", "left_out"), [("not any c in hand of p has c is Q", []), ("not lost of p", ["P1"])], ids=["hidden", "open"]
)
def test_who_is_left_out_by_hidden_cards_is_drawn_for_nobody(who: str, left_out: list[str], tmp_path: Path) -> None:
    """They are passed over when their turn would come; until then nobody else knows."""
    path = tmp_path / "out.yaml"
    path.write_text(LEFT_OUT.replace("WHO", who), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1, given={"at": "main", "current": "P1", "stock": "QS 2C 3C"})
    state.play(0, "draw")
    for reader in (None, 0, 1, 2):
        shown = scene(state, Voice(state.position, NAMES), reader)
        assert [seat["id"] for seat in shown["seats"] if seat.get("out")] == left_out


def test_nor_is_it_told_to_themselves(tmp_path: Path) -> None:
    path = tmp_path / "out.yaml"
    for who, takes in (("not any c in hand of p has c is Q", True), ("not lost of p", False)):
        path.write_text(LEFT_OUT.replace("WHO", who), encoding="utf-8")
        state = interpreter.load(path).game().start(seed=1, given={"at": "main", "current": "P1", "stock": "QS 2C 3C"})
        state.play(0, "draw")
        assert takes_part(state.position, 0) == takes and takes_part(state.position, 1)
