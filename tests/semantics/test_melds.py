"""Moves that are melds: their text, who learns of them, and that they are played alike in every way of playing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import IllegalMove, OptionError, RuleError, load, replay, validate
from interpreter.api.game import Game, State
from interpreter.engine.chance import Dice, derive
from interpreter.engine.melds.search import Search
from interpreter.engine.melds.text import meld_text, named_meld, read_meld
from interpreter.engine.notation import is_measure
from interpreter.engine.packets import mask_of_packet

MELDS = Path(__file__).parent / "rulesets" / "melds.yaml"
GAMES = [(packs, enforcement) for packs in (1, 2) for enforcement in ("strict", "honor")]


def game(packs: int = 2, enforcement: str = "strict") -> Game:
    return load(MELDS).game(options={"packs": packs}, enforcement=enforcement)  # type: ignore[arg-type]


def holding(cards: str, packs: int = 2, enforcement: str = "strict") -> State:
    given = {"at": "laying", "current": "P1", "hand": {"P1": cards, "P2": "KS KD QS 3D 8H"}, "rest": "stock"}
    return game(packs, enforcement).start(given=given)


def moves(state: State, action: str) -> list[str]:
    return [str(move) for move in state.legal_moves(0) if move.action == action]


def test_a_wild_card_is_told_with_what_it_stands_for() -> None:
    assert moves(holding("5H 6H JK 9C"), "lay") == ["lay JK=4H 5H 6H", "lay 5H 6H JK=7H"]
    assert moves(holding("5H JK 7H 9C"), "lay") == ["lay 5H JK=6H 7H"]
    assert moves(holding("5H 5D JK 9C"), "lay") == ["lay 5D 5H JK=5"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lay JK=7H 6H 5H", "lay 5H 6H JK=7H"),
        ("lay 6h jk=4h 5h", "lay JK=4H 5H 6H"),
        ("lay 5H 6H JK", "lay JK=4H 5H 6H"),
        ("lay 6H 5H 6S 5S", "lay 5H 5S 6H 6S"),
    ],
)
def test_a_meld_is_read_in_any_order(typed: str, meant: str) -> None:
    state = holding("5H 5S 6H 6S JK 9C")
    assert str(state.parse(0, typed)) == meant
    state.play(0, typed)
    assert state.record().count(meant) == 1


@pytest.mark.parametrize("typed", ["lay 5H 6H", "lay 5H 6H 9C", "lay", "lay JK=5S 5H 6H", "lay 5H 5H 5H", "lay P2"])
def test_what_is_no_meld_is_refused_when_it_is_read(typed: str) -> None:
    state = holding("5H 6H JK 9C")
    with pytest.raises(IllegalMove, match="no_such_move"):
        state.play(0, typed)


@pytest.mark.parametrize("typed", ["lay 5H@hand.P1 6H JK", "lay 5H 6H@hand.P1 JK"])
def test_of_a_meld_no_places_are_named_and_a_refusal_says_so(typed: str) -> None:
    with pytest.raises(IllegalMove, match=r"'[56]H@hand.P1' names a place, and the cards of a meld"):
        holding("5H 6H JK 9C").play(0, typed)


def test_a_meld_of_cards_that_lie_elsewhere_is_not_possible() -> None:
    state = holding("5H 6H JK 9C")
    with pytest.raises(IllegalMove, match="not_possible"):
        state.play(0, "lay 5H 6H 7H")


def test_a_law_about_melds_refuses_by_its_name() -> None:
    state = holding("4C 4D 4H 9C")
    with pytest.raises(IllegalMove) as refused:
        state.play(0, "lay 4C 4D 4H")
    assert refused.value.law == "high"


def test_several_melds_have_no_card_in_common_and_are_told_in_one_order() -> None:
    state = holding("5H 6H 7H 7C 7D 9C 10D")
    assert moves(state, "lay_all") == []
    state = holding("5H 6H 7H 7C 7D 7S 10D")
    assert moves(state, "lay_all") == ["lay_all 5H 6H 7H / 7C 7D 7S"]
    state.play(0, "lay_all 7S 7D 7C / 7H 5H 6H")
    assert state.scores[0] == 4 and state.record().count("lay_all 5H 6H 7H / 7C 7D 7S") == 1


def test_melds_that_an_option_asks_for_together_are_offered_and_read_in_any_order() -> None:
    state = holding("5H 5D 5C 5S 8S 8C JK 6H 7H KS")
    offered = moves(state, "reach")
    assert "reach 1 5C 5D 5H / 8C 8S JK=8" in offered
    assert "reach 2 8C 8S JK=8 / 5H 6H 7H 2H" not in offered
    assert not [move for move in offered if move.startswith("reach 1") and len(move.split()) != 9]  # three cards each
    assert str(state.parse(0, "reach 1 jk 8s 8c / 5s 5d 5h")) == "reach 1 5D 5H 5S / 8C 8S JK=8"
    assert str(state.parse(0, "reach 2 JK 5H 6H 7H / 5S 5C 5D")) == "reach 2 JK=4H 5H 6H 7H / 5C 5D 5S"
    state.play(0, "reach 1 8S 8C JK / 5H 5D 5S")  # in the list another one stands for it
    assert state.value("score", 0) == 6


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("reach 1 5C 5D 5H", "not what is asked for: set of 3, set of 3"),
        ("reach 2 5C 5D 5H / 8C 8S JK", "not what is asked for: set of 3, run of 4 or more"),
        ("reach 1 5C 5D 5H 5S / 8C 8S JK", "not what is asked for"),
        ("reach 3 5C 5D 5H / 8C 8S JK", "n 3 cannot be chosen now"),
        ("reach none 5C 5D 5H / 8C 8S JK", "'none' is not a number"),
        ("reach 1 5C 5D 5H / KD KC KH", "not_possible"),
    ],
)
def test_melds_that_are_not_asked_for_are_refused(typed: str, why: str) -> None:
    state = holding("5H 5D 5C 5S 8S 8C JK 6H 7H KS")
    with pytest.raises(IllegalMove) as caught:
        state.play(0, typed)
    assert why in str(caught.value)


def test_an_option_may_ask_for_other_melds_and_not_for_such_as_cannot_be() -> None:
    ruleset = load(MELDS)
    state = ruleset.game(options={"goals": [["run 6"], ["pair 2", "pair 2"]]}).start(
        given={"at": "laying", "current": "P1", "hand": {"P1": "5H 6H 7H 8H 9H 10H 3C 3C"}, "rest": "stock"}
    )
    assert moves(state, "reach") == ["reach 1 5H 6H 7H 8H 9H 10H"]
    assert ruleset.game(options={"goals": [["run 6"]]}).start(seed=1).record().count("run 6") == 1
    with pytest.raises(OptionError, match="'goals' asks for set 2, but 'set' has 3 to 4 cards"):
        ruleset.game(options={"goals": [["set 2"]]})
    with pytest.raises(OptionError, match="asks for 'sett', which is no kind of meld; did you mean 'set'"):
        ruleset.game(options={"goals": [["sett 3"]]})


def test_what_a_wild_card_stands_for_is_no_measure_of_a_move() -> None:
    program = game().program
    assert not is_measure(program, "jk") and is_measure(program, "hold") and is_measure(program, "end")


@pytest.mark.parametrize("name", ["melds", "phase-10"])
def test_a_move_names_of_equal_cards_the_first_as_reading_its_text_does(name: str) -> None:
    ruleset = load(MELDS) if name == "melds" else load(name)
    program, dice, compared = ruleset.game().program, Dice(4), 0
    for _ in range(60):
        state = ruleset.game().start(seed=0)
        wild = [card for card in range(len(program.cards)) if program.card_rank[card] is None][:5]
        hand = mask_of_packet({*wild, *(dice.below(len(program.cards)) for _ in range(9))})
        for kind, code in program.melds.items():
            for meld in code.search.melds(hand, code.wild(state.position))[0][:40]:
                if len(set(meld.stands)) > 1 or meld.stands[0] is None:
                    words = meld_text(program, meld).split()
                    assert named_meld(state.position, meld) == read_meld(state.position, (kind,), words)
                    compared += 1
    assert compared > 500


def test_a_stroke_ends_a_meld_where_a_card_follows() -> None:
    state = holding("5H 5D 9C JK")
    assert moves(state, "change") == ["change 5D 5H / 9C", "change 5D 5H / JK"]
    state.play(0, "change 5H 5D / 9C")
    assert sorted(state.zone("pile")) == ["5D", "5H", "9C"]


def test_melds_that_differ_in_suits_only_stand_once_in_the_list_and_all_can_be_played() -> None:
    state = holding("5C 5D 5H 9C", packs=1)
    assert moves(state, "climb") == ["climb 5C 5D"]
    state.play(0, "climb 5H 5D")
    assert sorted(state.zone("pile")) == ["5D", "5H"] and "climb 5D 5H" in state.record()


def test_of_a_meld_that_is_laid_unseen_others_read_nothing() -> None:
    state = holding("5C 5D 5H 9C")
    state.play(0, "bury 5C 5D 5H")
    told = json.dumps(state.view(1)["log"])
    assert "bury ? ? ?" in told and "5D" not in told
    assert "bury 5C 5D 5H" in json.dumps(state.view(0)["log"])


def test_what_is_left_over_is_shown_to_its_owner() -> None:
    state = holding("5C 5D 5H 9C AS")
    assert state.value("left_over", 0) == 6
    assert state.view(0)["values"]["left_over"] == {"P1": 6}


@pytest.mark.parametrize(("packs", "enforcement"), GAMES)
def test_each_move_that_is_listed_is_read_from_its_text_and_plays_the_same(packs: int, enforcement: str) -> None:
    made = game(packs, enforcement)
    for seed in range(6):
        state, dice = made.start(seed=seed), Dice(seed)
        while not state.over:
            player = state.actors[0]
            offered = state.legal_moves(player)
            assert len({str(move) for move in offered}) == len(offered)
            for move in offered:
                read = state.parse(player, str(move))
                assert read == move and read.args == move.args
            move = offered[dice.below(len(offered))]
            other = state.copy()
            other.play(player, str(move))
            state.play(player, move)
            assert other.to_json() == state.to_json()
        assert replay(state.record()).to_json() == state.to_json()
        assert made.restore(state.to_json()).scores == state.scores


@pytest.mark.parametrize("packs", [1, 2])
def test_bulk_play_makes_the_same_moves(packs: int) -> None:
    made = game(packs)
    found = made.playouts(6, 11)
    for number in range(6):
        seed = derive(11, number)
        state, dice = made.start(seed=seed), Dice(seed + 1)
        while not state.over:
            moves = state.legal_moves(state.actors[0])
            state.play(state.actors[0], moves[dice.below(len(moves))] if len(moves) > 1 else moves[0])
        assert (len(state.position.record_moves), tuple(state.scores)) == (
            found.decisions[number],
            found.scores[number],
        )


PILES = Path(__file__).parent / "rulesets" / "piles.yaml"


def piled(hand: str, pile: str) -> State:
    given = {"at": "laying", "current": "P1", "hand": {"P1": hand, "P2": "9S"}, "pile": {"1": pile}, "rest": "stock"}
    return load(PILES).game().start(given=given)


def meld_of(state: State, viewer: int = 1) -> str | None:
    return state.view(viewer)["zones"]["pile"]["1"].get("meld")


def test_a_meld_that_is_moved_to_a_place_lies_there_for_all_to_see() -> None:
    state = piled("5H 6H JK 9C KC", "")
    assert meld_of(state) is None
    state.play(0, "lay 5H 6H JK=7H pile.1")
    assert meld_of(state) == "5H 6H JK=7H" and state.view(1)["zones"]["pile"]["2"].get("meld") is None
    assert load(PILES).game().restore(state.to_json()).to_json() == state.to_json() == state.copy().to_json()
    assert json.loads(state.to_json())["laid"]


def test_cards_that_are_laid_off_extend_a_meld_at_either_end() -> None:
    state = piled("5H 6H JK 8H 4H 3H 9H KC", "")
    state.play(0, "lay 5H 6H JK=7H pile.1")
    assert moves(state, "hit") == ["hit 4H pile.1", "hit 8H pile.1"]
    state.play(0, "hit 8H pile.1")
    state.play(0, "hit 4H pile.1")
    assert meld_of(state) == "4H 5H 6H JK=7H 8H"
    assert moves(state, "hit") == ["hit 3H pile.1", "hit 9H pile.1"]


def test_a_wild_card_stays_what_it_was_laid_for() -> None:
    state = piled("JK 5H 6H 7H 3H 4H KC", "")
    state.play(0, "lay JK=4H 5H 6H pile.1")
    assert moves(state, "hit") == ["hit 3H pile.1", "hit 7H pile.1"]


def test_a_wild_card_may_be_replaced_by_the_card_for_which_it_stands() -> None:
    state = piled("JK 5H 6H 4H 3H KC", "")
    state.play(0, "lay JK=4H 5H 6H pile.1")
    state.play(0, "free 4H pile.1")
    assert meld_of(state) == "4H 5H 6H" and "JK" in state.zone("hand", 0)


def test_other_cards_that_come_or_go_clear_a_meld() -> None:
    state = piled("9C KC", "5H 6H 7H 8H")
    assert meld_of(state) == "5H 6H 7H 8H"
    state.play(0, "spoil pile.1")
    assert meld_of(state) is None and moves(state, "hit") == []
    state = piled("9C 9D KC", "5H 6H 7H")
    state.play(0, "cover 9D pile.1")
    assert meld_of(state) is None and "laid" not in json.loads(state.to_json())


def test_a_position_may_hold_melds() -> None:
    assert moves(piled("4H 8H 8C", "5H 6H 7H"), "hit") == ["hit 4H pile.1", "hit 8H pile.1"]
    assert moves(piled("8S 7C", "8D 8H 8C"), "hit") == ["hit 8S pile.1"]


def test_melds_on_the_table_are_the_same_in_every_way_of_playing() -> None:
    made = load(PILES).game()
    found = made.playouts(8, 5)
    for number in range(8):
        seed = derive(5, number)
        state, dice = made.start(seed=seed), Dice(seed + 1)
        while not state.over:
            player = state.actors[0]
            offered = state.legal_moves(player)
            move = offered[dice.below(len(offered))] if len(offered) > 1 else offered[0]
            other = state.copy()
            other.play(player, str(move))
            state.play(player, move)
            assert other.to_json() == state.to_json()
        assert (len(state.position.record_moves), tuple(state.scores)) == (
            found.decisions[number],
            found.scores[number],
        )
        assert replay(state.record()).to_json() == state.to_json()


def test_a_meld_goes_to_the_place_that_was_meant_before_it_went() -> None:
    state = piled("5H 6H 7H 9C KC", "")
    state.play(0, "put 5H 6H 7H")
    assert meld_of(state) == "5H 6H 7H"


def test_cards_that_play_makes_wild_may_be_natural_before(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(
        "format: 1\nid: small\nname: Small\nplayers: {min: 2, max: 2}\npack: {standard: 1, add: {joker: 2}}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}\n"
        "state: {turned: {type: rank, lasts: match}}\n"
        "melds: {set: {same: rank, size: 3.., wild: card is joker or card.rank = turned}}\n"
        "flow:\n  match: {setup: deal 7 from stock to hand, do: [lay]}\n"
        "  lay: {kind: ask, actions: {pass: {}, lay: {choose: {m: {meld: set, from: hand}}}}}\n",
        encoding="utf-8",
    )
    assert [str(found) for found in validate(path) if found.severity == "error"] == []


def test_looking_for_a_meld_over_and_over_counts_what_was_tried(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(
        "format: 1\nid: small\nname: Small\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}\n"
        "state: {score: {each: player, type: integer, lasts: match}}\n"
        "melds: {run: {same: suit, consecutive: rank, size: 3.., wild: card is hearts}}\n"
        "flow:\n  match: {setup: deal 13 from stock to hand, do: [go]}\n"
        "  go: {kind: turn, actions: {look: {effect: "
        '"for i in 1..10000 do if hand is run then add 1 to score end end"}}}\n',
        encoding="utf-8",
    )
    hearts_and_clubs = "2H 3H 4H 5H 6H 7H 8H 3C 5C 7C 9C JC KC"
    state = load(path).game().start(given={"at": "go", "hand": {"P1": hearts_and_clubs}, "rest": "stock"})
    with pytest.raises(RuleError, match="steps at once"):
        state.play(0, "look")


def asking(folder: Path, define: str, hand: str) -> State:
    path = folder / "small.yaml"
    path.write_text(
        "format: 1\nid: small\nname: Small\nplayers: {min: 2, max: 2}\npack: {standard: 1, add: {joker: 2}}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, heap: {}}\n"
        "state: {score: {each: player, type: integer, lasts: match}}\n"
        "melds:\n"
        "  set: {same: rank, size: 3.., wild: card is joker}\n"
        "  run: {consecutive: rank, size: 3.., wild: card is joker, wilds: ..1}\n"
        f"define: {{asked: '{define}'}}\n"
        "flow:\n  match: {setup: deal 9 from stock to hand, do: [go]}\n"
        "  go:\n    kind: turn\n    actions:\n"
        "      lay: {choose: {m: {meld: [set, run], from: hand}}, effect: move m to heap}\n"
        "      look: {effect: 'for m in melds of (set, run) from hand do add m.size to score end'}\n"
        "      see: {when: asked >= 0, effect: again}\n",
        encoding="utf-8",
    )
    assert [str(found) for found in validate(path) if found.severity == "error"] == []
    return load(path).game().start(given={"at": "go", "current": "P1", "hand": {"P1": hand}, "rest": "stock"})


@pytest.mark.parametrize(
    ("define", "value"),
    [
        ("count m in melds of (set, run) from hand of P1", 9),
        ("count m in melds of set from hand of P1", 1),
        ("max m.size for m in melds of run from hand of P1", 4),
        ("count m in melds of run from hand of P1 where 5H in m", 7),
        ("count of (all m in melds of run from hand of P1 where m.size = 4)", 2),
        ("place of (first m in melds of run from hand of P1 by 0 - m.size).high", 5),
        ("if any m in melds of set from hand of P1 has m.low = K then 1 else 0", 1),
        ("if any m in melds of set from hand of P2 has m.low = K then 1 else 0", 0),
        ("sum sum 1 for c in m for m in melds of (set, run) from (hand of P1, heap)", 29),
    ],
)
def test_all_melds_that_cards_hold_are_gone_through(tmp_path: Path, define: str, value: int) -> None:
    state = asking(tmp_path, define, "4H 5H 6C KS KD JK")
    assert state.value("asked") == value


def test_the_melds_gone_through_are_those_that_can_be_chosen(tmp_path: Path) -> None:
    state = asking(tmp_path, "count m in melds of (set, run) from hand of P1", "4H 5H 6C KS KD KC JK JK QH")
    assert state.value("asked") == len(moves(state, "lay"))
    cards = [len(str(move).split()) - 1 for move in state.legal_moves(0) if move.action == "lay"]
    state.play(0, "look")
    assert state.scores[0] == sum(cards)


def test_what_is_asked_of_each_meld_is_counted(tmp_path: Path) -> None:
    """Nobody knows beforehand how many melds there are."""
    define = "count m in melds of run from hand of P1 where any n in melds of run from hand of P1 has n.size = 26"
    many = " ".join(f"{rank}{suit}" for rank in range(4, 10) for suit in "CDHS") + " JK"
    with pytest.raises(RuleError, match="steps at once"):
        asking(tmp_path, define, many).value("asked")


def test_a_meld_has_no_more_wild_cards_than_its_kind_allows(tmp_path: Path) -> None:
    state = asking(tmp_path, "1", "4H 5H 8C JK JK")
    runs = [move for move in moves(state, "lay") if "4H 5H" in move]
    assert runs == ["lay JK=3 4H 5H", "lay 4H 5H JK=6"]


def test_words_that_may_be_melds_of_very_many_kinds_in_very_many_ways_are_no_move_and_stop_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = '{wild: "card is hearts", same: suit, consecutive: rank, size: 3.., naturals: 1..}'
    names = [f"k{number}" for number in range(20)]
    (tmp_path / "many.yaml").write_text(
        "format: 1\nid: many\nname: Many\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}\n"
        f"melds: {{{', '.join(f'{name}: {run}' for name in names)}}}\n"
        "flow:\n  match: {setup: move all from stock to hand of P1, do: [go]}\n"
        f"  go:\n    kind: turn\n    first: P1\n    actions:\n"
        f"      lay: {{choose: {{m: {{meld: [{', '.join(names)}], from: hand}}}}}}\n"
    )
    state = load(tmp_path / "many.yaml").game().start(seed=1)
    searched: list[int] = []
    exactly = Search.exactly
    monkeypatch.setattr(Search, "exactly", lambda *args: searched.append(1) or exactly(*args))
    monkeypatch.setattr("interpreter.engine.budget.MOST_SPENT", 1_000)
    with pytest.raises(IllegalMove, match="no_such_move"):
        state.parse(0, "lay 2C 4C 6C 3H 5H 7H QC 9H")
    assert 0 < len(searched) < 20
