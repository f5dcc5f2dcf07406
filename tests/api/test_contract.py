"""The public contract, section 7 of the design: every name, and what it does. Add to it, never break it."""

from __future__ import annotations

import doctest
import inspect
import json
from pathlib import Path

import pytest
from walks import SHIPPED

import interpreter
from interpreter import IllegalMove, Move, OptionError, ReplayError, RulesetError
from interpreter.engine.view import PlaceView, View

NAMES = [
    "Diagnostic", "Event", "Game", "IllegalMove", "Move", "Option", "OptionError", "Playouts", "ReplayError",
    "RuleError", "Ruleset", "RulesetError", "State", "Variant", "load", "replay", "validate",
]  # fmt: skip

STATE = [
    "actors", "chance", "copy", "game", "legal_moves", "log", "over", "parse", "phase", "places", "play",
    "play_together", "position", "possible_moves", "record", "scores", "seed", "to_json", "undo", "value", "view",
    "winners", "zone",
]  # fmt: skip
"""All that a state shows. `position` is the door to the functions of the engine, for bots and tools."""


@pytest.fixture(scope="module")
def hearts():
    return interpreter.load("hearts")


@pytest.fixture
def state(hearts):
    return hearts.game().start(seed=7)


def names_of(function) -> list[str]:
    return list(inspect.signature(function).parameters)


# ---- the module ---------------------------------------------------------------------------------------


def test_every_public_name_is_there():
    assert sorted(interpreter.__all__) == NAMES
    for name in NAMES:
        assert getattr(interpreter, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = interpreter.nonsense
    assert interpreter.__version__.count(".") == 2


def test_errors_are_value_errors():
    for error in (IllegalMove, OptionError, ReplayError):
        assert issubclass(error, ValueError)


def test_public_things_say_what_they_are_for():
    for name in NAMES:
        assert inspect.getdoc(getattr(interpreter, name)), name
    for name in STATE:
        assert name in ("game", "position") or inspect.getdoc(getattr(interpreter.State, name)), name


# ---- validate and load --------------------------------------------------------------------------------


def test_validate_gives_a_list_of_diagnostics(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("format: 1\nid: wrong\nname: Wrong\nplayerz: {min: 2, max: 4, default: 2}\n")
    found = interpreter.validate(path)
    assert found and all(isinstance(one, interpreter.Diagnostic) for one in found)
    first = next(one for one in found if one.line == 4)
    assert first.severity == "error" and first.code[0] == "E" and first.code[1:].isdigit()
    assert first.message and isinstance(first.hint, str)
    assert Path(first.file).name == "wrong.yaml"
    assert first.column == 1


@pytest.mark.parametrize("what", ["/nowhere/at/all.yaml", "no_such_id", "", ".", "a\x00b.yaml"])
def test_validate_never_raises(what):
    found = interpreter.validate(what)
    assert found and found[0].severity == "error"
    assert found[0].line is None or found[0].line >= 1


def test_shipped_rulesets_are_valid_by_id_and_by_path():
    assert interpreter.validate("hearts") == []
    path = Path(interpreter.__file__).parent.parent / "rulesets" / "pig.yaml"
    assert interpreter.validate(path) == interpreter.validate(str(path)) == []


def test_load_raises_with_the_diagnostics():
    with pytest.raises(RulesetError) as caught:
        interpreter.load("harts")
    assert caught.value.diagnostics[0].code == "E301"
    assert "harts" in str(caught.value)


def test_a_ruleset_says_what_it_is(hearts):
    assert (hearts.id, hearts.name) == ("hearts", "Hearts")
    assert (hearts.players.min, hearts.players.max, hearts.players.default) == (3, 5, 4)
    target = hearts.options["target"]
    assert (target.type, target.default, target.min, target.max) == ("integer", 100, 1, 1000)
    assert target.doc
    assert hearts.options["moon_scoring"].choices == ("others_plus_26", "self_minus_26", "shooter_chooses")
    assert hearts.variants["short_game"].doc
    assert all(isinstance(name, str) for name in [*hearts.options, *hearts.variants])


# ---- games --------------------------------------------------------------------------------------------


def test_a_game_has_defaults(hearts):
    assert names_of(hearts.game) == ["players", "options", "variants", "enforcement"]
    game = hearts.game()
    assert (game.ruleset, game.players, game.enforcement) == (hearts, 4, "strict")
    assert game.options["target"] == 100 and set(game.options) == set(hearts.options)


def test_a_game_is_made_of_players_options_and_variants(hearts):
    game = hearts.game(players=5, options={"early_stop": True}, variants=("short_game",), enforcement="honor")
    assert (game.players, game.options["early_stop"], game.options["target"]) == (5, True, 50)
    assert hearts.game(variants=["three_handed"]).players == 3
    assert hearts.game(variants=["short_game"], options={"target": 7}).options["target"] == 7
    assert hearts.game(players=4, variants=["three_handed"]).players == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 7}, "players: Hearts is for 3 to 5 players, not 7"),
        ({"players": "4"}, "players: Hearts is for 3 to 5 players, not '4'"),
        ({"players": True}, "players: Hearts is for 3 to 5 players, not True"),
        ({"options": {"targt": 5}}, "no option is called 'targt'; did you mean 'target'?"),
        ({"options": {"target": "x"}}, "option 'target' must be a number, not x"),
        ({"options": {"target": True}}, "option 'target' must be a number, not True"),
        ({"options": {"target": 0}}, "option 'target' is 0, less than 1"),
        ({"options": {"early_stop": "yes"}}, "option 'early_stop' must be true or false, not yes"),
        (
            {"options": {"moon_scoring": "others_plus26"}},
            "option 'moon_scoring' cannot be others_plus26; did you mean 'others_plus_26'?",
        ),
        ({"options": {"first_dealer": "P5"}}, "the first dealer is not one of the players"),
        ({"variants": ["short"]}, "no variant is called 'short'; did you mean 'short_game'?"),
        ({"enforcement": "honour"}, "enforcement is strict or honor, not honour"),
    ],
)
def test_what_is_wrong_is_named_with_the_nearest_right_one(hearts, arguments, message):
    with pytest.raises(OptionError) as caught:
        hearts.game(**arguments)
    assert str(caught.value) == message


def test_what_is_refused_is_refused_again():
    """Conditions that look at the cards are tested when the game has been compiled; that must not be remembered."""
    found = interpreter.load("hearts")
    for _ in range(3):
        with pytest.raises(OptionError, match="the opening card is not in the pack"):
            found.game(5, {"opening_card": "two_of_clubs"})


def test_start_takes_seed_deck_chance_and_position(hearts):
    game = hearts.game()
    assert names_of(game.start)[:4] == ["seed", "deck", "chance", "given"]
    assert game.start().to_json() == game.start(seed=0).to_json() == game.start(seed=None).to_json()
    assert game.start(seed=1).to_json() != game.start(seed=2).to_json()
    deck = ["QS", "2C", "AH", "5D"]
    state = game.start(deck=deck, chance={"first dealer": "P4"})
    assert [card in state.zone("hand", p) for p, card in enumerate(deck)] == [True] * 4
    again = game.start(chance={"first dealer": "P4", "shuffle": {"deal": deck}})
    assert again.zone("hand", 0) == state.zone("hand", 0)
    given = {
        "at": "tricks",
        "current": "P2",
        "trick number": 13,
        "hand": {"P1": "2D", "P2": "JD", "P3": "5C", "P4": "6C"},
    }
    assert game.start(given=given).actors == [1]


@pytest.mark.parametrize(
    "arguments",
    [
        {"deck": ["XX"]},
        {"deck": ["2C", "2C"]},
        {"chance": {"first dealer": "P9"}},
        {"chance": {"first_dealer": "P1"}},
        {"chance": {"shuffle": ["2C", "3C"]}},
        {"given": {"at": "nowhere"}},
        {"given": {"at": "tricks", "hand": {"P1": "2C 2C"}}},
    ],
    ids=str,
)
def test_a_start_that_cannot_be_is_a_value_error(hearts, arguments):
    with pytest.raises(ValueError, match=r"\w"):
        hearts.game().start(**arguments)


def test_restore_is_the_inverse_of_to_json(hearts, state):
    text = state.to_json()
    assert state.game.restore(text).to_json() == text
    assert json.loads(text)
    for wrong in ("", "x", "[]", "{}", "null", "[" * 100_000, text[:-5], text.replace('"hearts"', '"harts"')):
        with pytest.raises(ValueError, match="not a saved state of this game"):
            state.game.restore(wrong)
    with pytest.raises(ValueError, match="saved in another game"):
        hearts.game(5).restore(text)


def test_playouts(hearts):
    game = hearts.game()
    assert names_of(game.playouts) == ["n", "seed", "deals", "limit"]
    found = game.playouts(3, seed=1, deals=1)
    assert isinstance(found, interpreter.Playouts)
    assert (found.games, found.unfinished) == (3, 3)
    assert len(found.decisions) == len(found.scores) == 3 and len(found.wins) == 4
    assert all(len(scores) == 4 for scores in found.scores)


# ---- states -------------------------------------------------------------------------------------------


def test_a_state_shows_what_the_contract_names_and_nothing_else(state):
    assert [name for name in dir(state) if not name.startswith("_")] == STATE


def test_a_state_says_what_is_going_on(state):
    assert (state.actors, state.phase, state.over) == ([0, 1, 2, 3], "passing", False)
    assert (state.scores, state.winners, state.places) == ([0, 0, 0, 0], [], [])
    assert all(isinstance(event, interpreter.Event) for event in state.log)
    for name in ("actors", "phase", "scores", "winners", "places"):
        assert isinstance(getattr(type(state), name), property)
        with pytest.raises(AttributeError):
            setattr(state, name, None)


def test_moves_are_sequences(state):
    legal = state.legal_moves(0)
    assert len(legal) == 286 and isinstance(legal[0], Move) and legal[0] in legal
    assert legal.index(legal[7]) == 7
    assert sum(1 for _ in legal) == 286
    assert legal[-1] == legal[285]
    assert list(state.possible_moves(0)) == list(legal)
    assert len(state.legal_moves(9)) == len(state.possible_moves(-1)) == 0


def test_a_move_by_text_or_by_itself(hearts, state):
    move = state.legal_moves(0)[3]
    other = state.copy()
    events = state.play(0, move)
    assert events == other.play(0, str(move))
    assert state.to_json() == other.to_json()
    assert str(events[0]) == f"P1 {move}"
    assert state.parse(1, str(state.legal_moves(1)[0])) == state.legal_moves(1)[0]


def test_a_refused_move_names_its_law(state):
    before = state.to_json()
    state.play(1, state.legal_moves(1)[0])
    after = state.to_json()
    for player, move, law in (
        (1, "pass 2C 3C 4C", "in_turn"), (0, "fly", "no_such_move"), (0, "pass 2C", "not_possible"),
        (4, "pass 2C 3C 4C", "no_such_player"), (0, 5, "no_such_move"), (0, None, "no_such_move"),
    ):  # fmt: skip
        with pytest.raises(IllegalMove) as caught:
            state.play(player, move)
        assert caught.value.law == law
        assert str(caught.value) == f"{law}: {caught.value.message}"
    assert state.to_json() == after != before


@pytest.mark.parametrize("times", [{"begin": 5, "end": 3}, {"end": -1}, {"begin": "now"}, {"end": 1.5}])
def test_times_are_whole_milliseconds_in_order(state, times):
    before = state.to_json()
    with pytest.raises(IllegalMove) as caught:
        state.play(0, state.legal_moves(0)[0], **times)
    assert caught.value.law == "time"
    assert state.to_json() == before


def test_time_does_not_run_backwards(state):
    state.play(0, state.legal_moves(0)[0], begin=10, end=40)
    with pytest.raises(IllegalMove, match="the last move ended at 40"):
        state.play(1, state.legal_moves(1)[0], end=39)
    state.play(1, state.legal_moves(1)[0], end=40)


def test_several_moves_in_one_tick(state):
    moves = [(player, state.legal_moves(player)[0], {}) for player in range(3)]
    events = state.play_together([*moves, (3, "pass 2C", {"end": 12})])
    refused = [event for event in events if event.kind == "refused"]
    assert len(refused) == 1 and refused[0].player == 3 and "not_possible" in refused[0].words
    assert state.actors == [3]
    lines = [json.loads(line) for line in state.record().splitlines()[1:]]
    assert [line["tick"] for line in lines] == [1, 1, 1, 1]


BESIDES = [
    {"refused": 0},
    {"refused": 5},
    {"\ud800": 3},
    {"\u202e": 3},
    {"x" * 300_000: 3},
    {3: 3},
    {"begin": 10**5_000},
]


@pytest.mark.parametrize("measures", [*BESIDES, {"end": -(10**13)}, {f"m{n}": 1 for n in range(10_000)}])
def test_what_no_record_could_hold_is_given_with_no_move_of_a_tick(state, measures):
    before = state.to_json()
    with pytest.raises(IllegalMove) as caught:
        state.play_together([(0, state.legal_moves(0)[0], {}), (3, "pass 2C", measures)])
    assert caught.value.law == "measure" and len(str(caught.value)) < 200
    assert state.to_json() == before


@pytest.mark.parametrize("measures", [{"begin": None, "end": None}, {"begin": 9, "end": 3}, {"end": -1}])
def test_times_of_a_move_that_was_refused_are_read_again(state, measures):
    state.play_together([(0, state.legal_moves(0)[0], {"end": None}), (3, "pass 2C", measures)])
    assert interpreter.replay(state.record()).to_json() == state.to_json()
    assert state.game.restore(state.to_json()).to_json() == state.to_json()


def test_the_longest_move_that_may_be_refused_is_read_again(state):
    measures = {f"m{number:04}": 10**12 for number in range(2_000)}
    (refused,) = state.play_together([(0, '"' * 100_000, measures)])
    assert refused.kind == "refused"
    assert interpreter.replay(state.record()).to_json() == state.to_json()


def test_zones_and_values_are_plain(state):
    assert len(state.zone("hand")) == 52 and len(state.zone("hand", 2)) == 13
    assert state.zone("trick") == []
    assert all(isinstance(card, str) for card in state.zone("hand", 0))
    assert state.value("score") == {"P1": 0, "P2": 0, "P3": 0, "P4": 0}
    assert (state.value("score", 1), state.value("broken"), state.value("points_taken", 3)) == (0, False, 0)
    assert state.value("opener") in ("P1", "P2", "P3", "P4")
    for look in (state.zone, state.value):
        with pytest.raises(KeyError, match="nonsense"):
            look("nonsense")


def test_a_view_is_what_one_player_knows(state):
    view = state.view(2)
    assert json.loads(json.dumps(view)) == view
    assert view["player"] == "P3" and view["actors"] == ["P1", "P2", "P3", "P4"] and view["phase"] == "passing"
    assert view["zones"]["hand"]["P3"]["cards"] == sorted(state.zone("hand", 2), key=state.game.program.cards.index)
    assert view["zones"]["hand"]["P1"] == {"count": 13, "cards": [None] * 13}
    assert any("stock -> hand P3" in line for line in view["log"])
    assert not any(card in line for line in view["log"] for card in state.zone("hand", 0) if "P1" in line)
    for nobody in (-1, 4):
        with pytest.raises(ValueError, match="there is no player"):
            state.view(nobody)


def test_a_record_is_text_that_replays(state):
    state.play(0, state.legal_moves(0)[0])
    text = state.record()
    assert [json.loads(line)["h"] for line in text.splitlines()]
    assert interpreter.replay(text).to_json() == state.to_json()
    with pytest.raises(ReplayError) as caught:
        interpreter.replay(text.replace('"move":"pass', '"move":"puss'))
    assert caught.value.move == 1


# ---- moves --------------------------------------------------------------------------------------------


def test_moves_are_values(state):
    one, other = state.legal_moves(0)[:2]
    assert one == state.legal_moves(0)[0] and one != other and len({one, other, state.legal_moves(0)[1]}) == 2
    assert one < other and sorted([other, one]) == [one, other]
    assert str(one).startswith("pass ") and state.parse(0, str(one)) == one
    with pytest.raises(TypeError):
        _ = one < "pass"


def test_input_takes_lower_case_and_t_for_ten(hearts):
    given = {
        "at": "tricks",
        "current": "P1",
        "trick number": 13,
        "hand": {"P1": "10H", "P2": "JD", "P3": "5C", "P4": "6C"},
    }
    for text in ("play 10H", "play 10h", "play TH", "play th"):
        state = hearts.game().start(given=given)
        assert str(state.parse(0, text)) == "play 10H"


# ---- nonsense -----------------------------------------------------------------------------------------

NOBODY = [-1, 4, 10**30, None, 1.0, True, "P1", [], float("nan")]


@pytest.mark.parametrize("nobody", NOBODY)
def test_who_is_no_player_is_refused(state, nobody):
    before, move = state.to_json(), state.legal_moves(0)[0]
    for call in (
        lambda: state.play(nobody, move),
        lambda: state.parse(nobody, str(move)),
        lambda: state.play_together([(nobody, move, {})]),
    ):
        with pytest.raises(IllegalMove) as caught:
            call()
        assert caught.value.law == "no_such_player"
    if nobody is not None:
        for read in (lambda: state.zone("hand", nobody), lambda: state.value("score", nobody)):
            with pytest.raises(ValueError, match="there is no player"):
                read()
    assert len(state.legal_moves(nobody)) == len(state.possible_moves(nobody)) == 0
    assert state.to_json() == before


@pytest.mark.parametrize("stage", ["passing", "tricks"])
@pytest.mark.parametrize("args", [(), (-1,), (99,), (None,), ("2C",), (1.5,), ([0, 1, 2],), ((-1, -2, -3),), None])
def test_the_text_of_a_move_decides_and_not_forged_arguments(state, stage, args):
    while state.phase != stage:
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    player = state.actors[0]
    move, other = state.legal_moves(player)[0], state.copy()
    state.play(player, move)
    other.play(player, Move(move.action, args, str(move)))
    assert other.to_json() == state.to_json()
    before = other.to_json()
    with pytest.raises(IllegalMove):
        other.play(other.actors[0], Move(move.action, args, "nonsense"))
    assert other.to_json() == before


def test_nonsense_played_together_changes_nothing(state):
    before, move = state.to_json(), state.legal_moves(0)[0]
    for moves in ([(0, move, {}), (9, move, {})], [(0, None, {})], [(0, move, {"end": "now"})]):
        with pytest.raises(IllegalMove):
            state.play_together(moves)
    with pytest.raises(IllegalMove) as caught:
        state.play(0, move, haste=float("nan"))
    assert caught.value.law == "measure"
    assert state.play_together([]) == []
    assert state.to_json() == before


def test_what_cannot_be_read_is_no_state_and_no_record(hearts, state):
    state.play(0, state.legal_moves(0)[0])
    data = json.loads(state.to_json())
    for player in (10**25, -3):
        moves = [[1, player, "play 2C", {"refused": 1}]]
        with pytest.raises(ValueError, match="this is not a saved state"):
            hearts.game().restore(json.dumps(data | {"moves": moves}))
    with pytest.raises(ReplayError):
        interpreter.replay("[" * 100_000)


def test_words_of_an_announcement_can_be_written_back(tmp_path):
    path = tmp_path / "spoken.yaml"
    path.write_text(
        "format: 1\nid: spoken\nname: Spoken\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}}\nflow:\n  match: {do: [go]}\n"
        "  go: {kind: turn, turns: 2 each, actions: {act: "
        "{say: {one: {words: '\xa0 the \"best\" of', exact: true}, two: '\"all\"'}}}}\n",
        encoding="utf-8",
    )
    state = interpreter.load(path).game(enforcement="honor").start()
    move = state.legal_moves(0)[0]
    assert str(move) == 'act "the best of all"' and state.parse(0, str(move)) == move
    for said in state.possible_moves(0):
        assert state.parse(0, str(said)) == said
    state.play(0, move)
    assert interpreter.replay(state.record()).to_json() == state.to_json()


def test_the_first_page_of_help_is_true() -> None:
    failed, tried = doctest.testmod(interpreter)
    assert tried > 8 and failed == 0


@pytest.mark.parametrize("name", SHIPPED)
def test_a_view_has_the_keys_that_its_type_names(name: str) -> None:
    state = interpreter.load(name).game().start(seed=1)
    dims = {zone.name: zone.dims for zone in state.game.program.zones}
    for _ in range(20):
        for player in range(state.game.players):
            view = state.view(player)
            assert view.keys() == View.__annotations__.keys()
            for zone, found in view["zones"].items():
                places = found.values() if dims[zone] else [] if found is None else [found]
                assert all(place.keys() <= PlaceView.__annotations__.keys() for place in places)
                assert all("cards" in place for place in places)
        if state.over:
            break
        actor = state.actors[0]
        state.play(actor, state.legal_moves(actor)[0])


def test_two_variants_may_take_out_the_same(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text(
        "format: 1\nid: house\nextends: pig\ndefine: {idle: 1 < 2}\nvariants:\n"
        "  plain: {doc: Nothing idle., patch: {define: {idle: null}}}\n"
        "  bare: {doc: Neither here., patch: {define: {idle: null}, about: Go.}}\n",
        encoding="utf-8",
    )
    assert [d for d in interpreter.validate(path) if d.severity == "error"] == []
    ruleset = interpreter.load(path)
    for variants in (["plain", "bare"], ["bare", "plain"]):
        assert ruleset.game(variants=variants).ruleset.name == "Pig"
