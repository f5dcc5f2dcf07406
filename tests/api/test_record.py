"""Records: what is written, how it is read again, and what is said of one that was cut or altered."""

from __future__ import annotations

import errno
import io
import json
import os
from functools import cache
from pathlib import Path

import pytest
from small import GRABS

import interpreter
from interpreter import Game, ReplayError
from interpreter.api import record as records
from interpreter.api.game import State
from interpreter.api.record import CutRecord, read
from interpreter.api.record_file import RecordFile, go_on, load_text
from interpreter.api.record_header import short
from interpreter.players.random_bot import RandomBot


@pytest.fixture
def grabs(tmp_path: Path) -> Path:
    path = tmp_path / "grabs.yaml"
    path.write_text(GRABS)
    return path


@cache
def hearts() -> Game:
    return interpreter.load("hearts").game()


def played(moves: int, seed: int = 7) -> State:
    """A match of Hearts after so many moves."""
    state = hearts().start(seed=seed)
    bot = RandomBot(seed)
    for _ in range(moves):
        player = state.actors[0]
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move)
    return state


def test_a_record_is_a_header_and_a_line_for_each_move():
    lines = [json.loads(line) for line in played(5).record().splitlines()]
    assert lines[0]["houserules"] == 1
    assert lines[0]["game"]["ruleset"] == "hearts"
    assert lines[0]["seed"] == 7
    assert [line["n"] for line in lines[1:]] == [1, 2, 3, 4, 5]
    assert {line["player"] for line in lines[1:5]} == {"P1", "P2", "P3", "P4"}
    assert lines[5]["move"].startswith("play ")


def test_a_replay_gives_the_same_match_byte_for_byte():
    state = played(80)
    again = interpreter.replay(state.record())
    assert again.record() == state.record()
    assert again.to_json() == state.to_json()


def test_a_whole_match_is_replayed_to_its_end():
    game = interpreter.load("hearts").game(options={"target": 20})
    state, bot = game.start(seed=3), RandomBot(3)
    while not state.over:
        player = state.actors[0]
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move)
    again = interpreter.replay(state.record())
    assert again.over
    assert (again.scores, again.winners) == (state.scores, state.winners)


def test_a_record_without_moves_is_a_match_that_begins():
    state = played(0)
    assert interpreter.replay(state.record()).to_json() == state.to_json()


def test_moves_of_one_tick_stay_together_with_their_measures_and_refusals(grabs):
    state = interpreter.load(grabs).game().start(seed=1)
    state.play_together([(0, "grab 1", {"hold": 4, "end": 30}), (1, "grab 1", {"hold": 2, "end": 31})])
    lines = [json.loads(line) for line in state.record().splitlines()[1:]]
    assert [(line["tick"], line["player"], line.get("refused", False)) for line in lines] == [
        (1, "P2", False),
        (1, "P1", True),
    ]
    assert lines[0]["measures"] == {"hold": 2}
    assert (lines[0]["end"], lines[1]["end"]) == (31, 30)
    again = interpreter.replay(state.record())
    assert again.record() == state.record()
    assert [str(event) for event in again.log] == [str(event) for event in state.log]


def test_chance_and_position_that_were_given_come_back(grabs):
    game = interpreter.load("hearts").game()
    deck = ["QS", "2C", "AH"]
    state = game.start(seed=2, deck=deck, chance={"first dealer": "P3"})
    assert json.loads(interpreter.replay(state.record()).to_json()) == json.loads(state.to_json())
    given = {
        "at": "tricks",
        "current": "P1",
        "trick number": 13,
        "hand": {"P1": "2D", "P2": "JD", "P3": "5C", "P4": "6C"},
    }
    state = game.start(given=given)
    state.play(0, "play 2D")
    assert interpreter.replay(state.record()).to_json() == state.to_json()


def test_options_players_and_enforcement_come_back():
    game = interpreter.load("hearts").game(3, {"target": 30}, ("short_game",), "honor")
    state = game.start(seed=5)
    again = interpreter.replay(state.record())
    assert again.game.header() == game.header()


def test_a_ruleset_with_overlays_is_found_again(grabs, tmp_path):
    overlay = tmp_path / "late.yaml"
    overlay.write_text("format: 1\nid: late\nname: Late\nextends: ./grabs.yaml\nplayers: {default: 4}\n")
    state = interpreter.load(overlay).game().start(seed=1)
    assert state.game.program.n == 4
    assert interpreter.replay(state.record()).to_json() == state.to_json()


# ---- cut and altered --------------------------------------------------------------------------------


def replay_error(text: str) -> str:
    with pytest.raises(ReplayError) as caught:
        interpreter.replay(text)
    return str(caught.value)


def test_a_cut_last_line_says_what_can_be_read():
    text = played(6).record()
    cut = text[:-20]
    assert replay_error(cut) == "line 7: the record is cut in the middle of this line; 5 moves before it can be read"
    with pytest.raises(CutRecord) as caught:
        read(cut)
    assert len(read(caught.value.good).moves) == 5


def test_a_record_cut_between_lines_is_a_shorter_match():
    lines = played(6).record().splitlines(keepends=True)
    assert len(interpreter.replay("".join(lines[:5])).position.record_moves) == 4


def test_the_line_end_of_the_last_line_may_be_missing():
    text = played(6).record()
    assert interpreter.replay(text.rstrip("\n")).record() == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(
            lambda lines: [lines[0].replace('"seed":7', '"seed":8'), *lines[1:]],
            "line 1: the record has been altered: the header is not as it was written",
            id="another seed",
        ),
        pytest.param(
            lambda lines: [*lines[:2], lines[2].replace('"P', '"P1'), *lines[3:]],
            "line 3: the record has been altered: move 2 is not as it was written, or a line before it is missing",
            id="another player",
        ),
        pytest.param(
            lambda lines: [*lines[:2], *lines[3:]],
            "line 3: the record has been altered: move 2 is not as it was written, or a line before it is missing",
            id="a line taken out",
        ),
        pytest.param(
            lambda lines: [*lines[:2], lines[1], *lines[2:]],
            "line 3: the record has been altered: move 2 is not as it was written, or a line before it is missing",
            id="a line doubled",
        ),
        pytest.param(
            lambda lines: [*lines[:2], "P1 play 2C\n", *lines[3:]],
            "line 3: this is no line of a record: 'P1 play 2C'",
            id="a line of something else",
        ),
    ],
)
def test_what_was_altered_is_named_by_its_line(change, message):
    lines = played(6).record().splitlines(keepends=True)
    assert replay_error("".join(change(lines))) == message


def sealed(lines: list[dict[str, object]]) -> str:
    """Lines with a valid chain, as a forger would write them."""
    from interpreter.api.recording import dump, link

    chain, text = "", ""
    for line in lines:
        body = dump({k: v for k, v in line.items() if k != "h"})
        chain = link(chain, body)
        text += f'{body[:-1]},"h":"{chain}"}}\n'
    return text


def altered(number: int, **changes: object) -> str:
    lines = [json.loads(line) for line in played(6).record().splitlines()]
    lines[number] |= changes
    return sealed(lines)


def test_a_forged_record_diverges_at_a_move():
    text = altered(6, move="play AH")
    with pytest.raises(ReplayError) as caught:
        interpreter.replay(text)
    assert caught.value.move == 6
    assert str(caught.value).startswith("line 7: the record diverges at move 6 (tick 6), 'P")
    assert "play AH': " in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tick": 9}, "tick 9 cannot follow tick 5"),
        ({"player": "P9"}, "there is no player 8; players are 0 to 3"),
        ({"refused": True}, "it was refused then and is lawful now"),
        ({"move": ""}, "a move is an action and what it is about"),
    ],
)
def test_other_lies_are_found_out(changes, message):
    assert message in replay_error(altered(6, **changes))


@pytest.mark.parametrize("mark", [{"x": -1}, 1, "yes", False, None])
def test_a_refused_move_is_marked_as_a_match_marks_it(mark):
    assert replay_error(altered(6, refused=mark)) == "line 7: this is no move of a record"


@pytest.mark.parametrize("line", [0, 6])
def test_a_line_that_is_deeply_nested_is_no_line_of_a_record(line):
    """However deep: also where it can just be read, and not be written again."""
    record = played(6).record().splitlines(keepends=True)
    for depth in (40, *range(900, 1000, 3)):
        text = list(record)
        text[line] = f'{text[line][:-2]},"x":{"[" * depth}{"]" * depth}}}\n'
        assert f"line {line + 1}: this is no line of a record" in replay_error("".join(text))


@pytest.mark.parametrize(("line", "letters"), [(0, records.MAX_HEADER), (6, records.MAX_MOVE)])
def test_a_line_of_a_record_has_some_length(line, letters):
    message = replay_error(altered(line, x="x" * letters))
    assert message == f"line {line + 1}: this line is too long: a record has at most {letters:,} letters there"


def test_a_record_has_no_keys_of_its_own():
    assert replay_error(altered(0, more=[])) == "line 1: the first line has a key that no record has: 'more'"
    assert replay_error(altered(6, more=[])) == "line 7: this is no move of a record"


@pytest.mark.parametrize("text", ["play 2C", "nonsense"])
def test_nobody_who_does_not_play_is_refused_a_move(text):
    message = replay_error(altered(6, player="P9", move=text, refused=True))
    assert "there is no player 8; players are 0 to 3" in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the record is empty"),
        ("\n", "line 1: this is no line of a record: ''"),
        ("hello\n", "line 1: this is no line of a record: 'hello'"),
        ("[1]\n", "line 1: this is no line of a record: '[1]'"),
        ('{"a": 1}\n', "line 1: this is no record of a match: the first line has no 'houserules'"),
        ('{"houseru', "line 1: this is no record of a match, or it was cut in its first line"),
        ("\x00\x00", "line 1: this is no record of a match, or it was cut in its first line"),
    ],
)
def test_what_is_no_record_is_refused(text, message):
    assert replay_error(text) == message


def test_a_record_of_another_format_is_refused():
    assert replay_error(altered(0, houserules=2)) == "line 1: the record has format 2; this program reads format 1"


def test_a_header_that_misses_its_game_is_refused():
    assert replay_error(altered(0, game=None)) == "line 1: the first line does not say which game it is"
    message = "line 1: the header does not say the 'players' of the game"
    assert replay_error(altered(0, game={"ruleset": "hearts"})) == message


@pytest.mark.parametrize("source", ["/etc/passwd", "~/mine.yaml", "sub/notes.txt", "//host/share/mine.yaml"])
def test_a_record_leads_to_rulesets_only(source):
    message = f"line 1: it names a file that is no ruleset: {source!r}"
    assert replay_error(altered(0, **{"from": ["hearts", source]})) == message


def test_a_ruleset_that_is_gone_is_named(grabs):
    text = interpreter.load(grabs).game().start(seed=1).record()
    grabs.unlink()
    assert replay_error(text).startswith("line 1: its ruleset cannot be used: ")


def test_a_record_names_no_more_files_than_make_a_ruleset():
    message = "line 1: it names 60,000 files, more than the 32 that make a ruleset"
    assert replay_error(altered(0, **{"from": ["hearts"] * 60_000})) == message


def test_a_variant_that_a_record_names_often_counts_once():
    with pytest.raises(interpreter.OptionError, match="no variant is called 'a0'"):
        interpreter.load("hearts").game(variants=["a0"] * 5_000)
    with pytest.raises(interpreter.OptionError, match="5,000 variants are more than the 20 that can be used together"):
        interpreter.load("hearts").game(variants=[f"a{number}" for number in range(5_000)])
    state = interpreter.load("hearts").game(variants=["short_game"] * 5_000).start(seed=3)
    assert state.game.variants == ("short_game",)
    lines = [json.loads(line) for line in state.record().splitlines()]
    lines[0]["game"]["variants"] *= 5_000
    assert interpreter.replay(sealed(lines)).to_json() == state.to_json()


SECRET = "password: hunter2\nformat: secret\nid: hunter2\nextends: hunter2\n"


@pytest.mark.parametrize("text", [SECRET, "hunter2", "hunter2: [", GRABS.replace("until: count", "until: hunter2")])
def test_a_record_tells_nothing_of_the_text_of_a_file_that_it_leads_to(tmp_path, text):
    """Only where it is wrong, on one line: whoever has sent the record has named the file, which need not be theirs."""
    path = tmp_path / "other.yaml"
    path.write_text(text)
    for sources in ([str(path)], ["hearts", str(path)]):
        message = replay_error(altered(0, **{"from": sources}))
        assert message.startswith(f"line 1: its ruleset cannot be used: {path}:")
        assert message.endswith(": 'houserules validate' says what is wrong there")
        assert "hunter2" not in message and "password" not in message and "\n" not in message


def test_a_record_leads_through_no_link_to_a_file_that_is_no_ruleset(tmp_path):
    (tmp_path / "secret").write_text(GRABS)
    (tmp_path / "link.yaml").symlink_to("secret")
    source = str(tmp_path / "link.yaml")
    message = f"line 1: it names a file that is no ruleset: {short(source)}"
    assert replay_error(altered(0, **{"from": [source]})) == message
    with pytest.raises(ReplayError, match="could never go on"):
        RecordFile(tmp_path / "match.jsonl", interpreter.load(Path(source)).game().start(seed=1))
    assert not (tmp_path / "match.jsonl").exists()


def test_a_match_goes_on_with_rulesets_in_other_folders(tmp_path, monkeypatch):
    """From where it was begun: by a path up or down, a whole one, or a link to a ruleset."""
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    (tmp_path / "there" / "grabs.yaml").write_text(GRABS)
    (tmp_path / "here" / "mine.yaml").symlink_to("../there/grabs.yaml")
    (tmp_path / "here" / "four.yaml").write_text("format: 1\nid: four\nplayers: {default: 4}\n")
    monkeypatch.chdir(tmp_path / "here")
    for number, source in enumerate(("../there/grabs.yaml", str(tmp_path / "there" / "grabs.yaml"), "./mine.yaml")):
        state = interpreter.load(source, ["./four.yaml"]).game().start(seed=1)
        path = Path(f"{number}.jsonl")
        RecordFile(path, state).close()
        assert go_on(path, keep=False).state.to_json() == state.to_json()


def test_a_ruleset_that_has_changed_is_blamed_where_the_record_diverges(grabs):
    state = interpreter.load(grabs).game().start(seed=1)
    state.play(0, "grab 1", hold=3)
    text = state.record()
    grabs.write_text(GRABS.replace("hold: 0..9", "hold: 5..9"))
    message = replay_error(text)
    assert message.startswith("line 2: the record diverges at move 1 (tick 1), 'P1 grab 1': ")
    assert message.endswith("; the ruleset has changed since the record was made")


# ---- files ------------------------------------------------------------------------------------------


def test_each_move_is_in_the_file_as_soon_as_it_is_kept(tmp_path):
    path = tmp_path / "match.jsonl"
    state = played(0)
    kept = RecordFile(path, state)
    assert len(path.read_text().splitlines()) == 1
    bot = RandomBot(1)
    for number in range(1, 7):
        player = state.actors[0]
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move)
        kept.keep()
        assert len(path.read_text().splitlines()) == number + 1
    kept.close()
    assert path.read_text() == state.record()


def test_a_file_is_never_overwritten(tmp_path):
    path = tmp_path / "match.jsonl"
    path.write_text("something")
    with pytest.raises(FileExistsError):
        RecordFile(path, played(0))
    assert path.read_text() == "something"


@pytest.mark.parametrize("cut", [1, 7, 30])
def test_a_match_goes_on_from_a_file_that_was_cut(tmp_path, cut):
    path = tmp_path / "match.jsonl"
    whole = played(9)
    path.write_text(whole.record()[:-cut])
    resumed = go_on(path)
    state, kept = resumed.state, resumed.kept
    assert kept is not None
    if cut > 1:  # with one sign less only the line end is missing
        said = resumed.told[0]
        assert said.startswith("line 10: the record is cut in the middle of this line; 8 moves before it can be read")
        assert said.endswith("; the match goes on from there")
        assert len(state.position.record_moves) == 8
    player = state.actors[0]
    state.play(player, state.legal_moves(player)[0])
    kept.keep()
    kept.close()
    assert path.read_text() == state.record()
    assert interpreter.replay(path.read_text()).to_json() == state.to_json()


def test_only_one_goes_on_with_a_record(tmp_path):
    """And whoever comes second has changed nothing; when the first has left, the match goes on."""
    path = tmp_path / "match.jsonl"
    state = played(3)
    kept = RecordFile(path, state)  # the match that is recorded for the first time holds it, too
    before = path.read_text()
    with pytest.raises(BlockingIOError) as caught:
        go_on(path)
    assert "only one can go on with its record" in str(caught.value)
    assert go_on(path, keep=False).state.to_json() == state.to_json()  # to read it, or go on elsewhere, is free
    kept.close()
    first = go_on(path)
    with pytest.raises(BlockingIOError):
        go_on(path)
    assert path.read_text() == before
    assert first.kept is not None
    first.kept.close()
    second = go_on(path)
    assert second.kept is not None
    second.kept.close()


def test_a_record_that_cannot_go_on_is_left_as_it_is(tmp_path, grabs):
    path = tmp_path / "match.jsonl"
    path.write_text(interpreter.load(grabs).game().start(seed=1).record() + '{"n":1,"ti')
    before = path.read_text()
    grabs.unlink()
    with pytest.raises(ReplayError):
        go_on(path)
    assert path.read_text() == before


@pytest.mark.parametrize("name", ["rules.txt", "my~rules.yaml", "my\\rules.yaml", "a\nb.yaml", "a\u202eb.yaml"])
def test_a_record_that_could_never_go_on_is_refused_when_it_begins(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(GRABS)
    state = interpreter.load(Path(name)).game().start(seed=1)
    with pytest.raises(ReplayError, match="could never go on"):
        RecordFile(Path("match.jsonl"), state)
    assert not Path("match.jsonl").exists()


def test_a_match_whose_first_line_could_not_be_read_again_is_refused_when_it_begins(tmp_path, monkeypatch):
    """The writer has the bounds of the reader."""
    game = interpreter.load("hearts").game()
    assert records.unkept(game) == ""
    monkeypatch.setattr(records, "MAX_HEADER", 200)
    message = "a record of this match could never be read again: line 1: this line is too long"
    assert records.unkept(game).startswith(message)
    with pytest.raises(records.Unrecorded, match=message):
        RecordFile(tmp_path / "match.jsonl", game.start(seed=1))
    assert not (tmp_path / "match.jsonl").exists()


def test_a_match_with_a_variant_that_is_a_ruleset_can_be_read_though_that_has_a_variant_of_the_same_name(tmp_path):
    (tmp_path / "one.yaml").write_text(
        "format: 1\nid: one\nextends: hearts\nvariants: {short: {doc: As in the other., ruleset: ./other.yaml}}\n"
    )
    (tmp_path / "other.yaml").write_text(
        "format: 1\nid: other\nextends: hearts\nvariants:\n"
        "  short: {doc: Two cards., patch: {options: {pass_count: {default: 2, max: 2}}}}\n"
    )
    game = interpreter.load(tmp_path / "one.yaml").game(variants=["short"])
    assert records.unkept(game) == ""
    text = game.start(seed=1).record()
    assert interpreter.replay(text).game.header()["digest"] == game.header()["digest"]
    assert records.game_in(read(text), interpreter.load(tmp_path / "one.yaml")).ruleset.id == "other"
    patched = interpreter.load(tmp_path / "other.yaml").game(variants=["short"])
    assert interpreter.replay(patched.start(seed=1).record()).game.header() == patched.header()


def test_a_match_whose_ruleset_is_not_what_it_was_when_it_was_loaded_is_not_recorded(tmp_path):
    path = tmp_path / "ours.yaml"
    path.write_text(GRABS)
    state = interpreter.load(path).game().start(seed=1)
    path.write_text(GRABS.replace("id: grabs", "id: grabs\nabout: Otherwise."))
    with pytest.raises(records.Unrecorded, match="line 1: what its ruleset says has changed since it was loaded"):
        RecordFile(tmp_path / "match.jsonl", state)
    path.write_text("format: 1\n")
    with pytest.raises(records.Unrecorded, match="could never be read again: line 1: its ruleset cannot be used"):
        RecordFile(tmp_path / "match.jsonl", state)
    assert not (tmp_path / "match.jsonl").exists()


@pytest.mark.parametrize("given", [{"hand": "2D " * 400_000}, json.loads('{"hand":' * 40 + "0" + "}" * 40)])
def test_a_position_that_could_not_be_read_again_is_not_recorded(tmp_path, given):
    state = played(0)
    state.position.setup = state.position.setup._replace(given=given)
    with pytest.raises(records.Unrecorded, match="could never be read again: line 1: "):
        RecordFile(tmp_path / "match.jsonl", state)
    assert not (tmp_path / "match.jsonl").exists()


@pytest.mark.parametrize(
    ("bound", "more", "why"),
    [("MAX_MOVE", -900, "the last move is too long for a record"), ("MAX_BYTES", 10, "the record is full")],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path, monkeypatch, bound, more, why):
    """The match ends there, and what was recorded before can go on."""
    path = tmp_path / "match.jsonl"
    before = played(3).record()
    path.write_text(before)
    kept = go_on(path).kept
    assert kept is not None
    state = kept._writer._state
    state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    with monkeypatch.context() as patched:
        patched.setattr(records, bound, len(before.encode()) + more)
        with pytest.raises(records.Unrecorded, match=why):
            kept.keep()
    kept.close()
    assert go_on(path, keep=False).state.record() == path.read_text() == before


def test_a_position_has_no_number_that_no_file_could_have():
    game = interpreter.load("hearts").game()
    given = {"at": "tricks", "current": "P1", "hand": {"P1": "2D", "P2": "JD", "P3": "5C", "P4": "6C"}}
    assert game.start(given=given | {"trick number": 10**18 - 1}).position.trick_number == 10**18 - 1
    for wrong in ({"trick number": 10**18}, {"tricks": {"P1": 10**30}}, {"number": {"deal": 10**18}}):
        with pytest.raises(ValueError, match="is a number with more than 18 digits"):
            game.start(given=given | wrong)


def test_a_match_in_which_the_largest_numbers_are_chosen_is_replayed(tmp_path):
    path = tmp_path / "large.yaml"
    path.write_text(
        "format: 1\nid: large\nname: Large\nplayers: {min: 1, max: 1, default: 1}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}\n"
        "flow:\n  match: {setup: deal 5 from stock to hand, do: [go]}\n  go:\n    kind: turn\n"
        "    actions:\n      bid:\n        choose: {n: {number: 2 * 499999999999999999..2 * 500000000000000000}}\n"
        "        effect: finish match\n"
    )
    state = interpreter.load(path).game().start(seed=1)
    largest = state.legal_moves(0)[-1]
    assert largest.text == f"bid {10**18}"
    state.play(0, state.parse(0, largest.text))
    assert state.over and interpreter.replay(state.record()).record() == state.record()
    with pytest.raises(interpreter.IllegalMove, match="is not a number"):
        interpreter.load(path).game().start(seed=1).parse(0, f"bid {10**18 + 1}")


def test_a_state_is_restored_from_just_what_was_saved():
    """True is no 1, nor is 1.0."""
    state = played(3)
    data = json.loads(state.to_json())
    for wrong in ({"houserules": True}, {"seed": 7.0}, {"over": 0}):
        with pytest.raises(ValueError, match="this is not a saved state of this game"):
            state.game.restore(json.dumps(data | wrong))
    assert state.game.restore(json.dumps(data, indent=1)).to_json() == state.to_json()


@pytest.mark.parametrize("name", ["grabs.yml", "hearts.yaml", "hearts.yml", "a b.yaml"])
def test_a_record_leads_back_to_a_file_in_the_current_folder(tmp_path, monkeypatch, name):
    """Whatever its name, it is not taken for a shipped game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(GRABS)
    state = interpreter.load(Path(name)).game().start(seed=1)
    RecordFile(Path("match.jsonl"), state).close()
    again = go_on(Path("match.jsonl"), keep=False)
    assert again.state.game.ruleset.id == "grabs" and again.state.to_json() == state.to_json()


@pytest.mark.parametrize("name", ["fsync", "write", "truncate", "read"])
def test_what_goes_wrong_with_an_open_file_is_told_with_its_name(tmp_path, monkeypatch, name):
    """The system names a file where it is opened, and not what is written to it when the disk is full."""
    path, opened = tmp_path / "match.jsonl", Path.open
    path.write_text(played(3).record().rstrip("\n"))

    class Full(io.FileIO):
        """A file of a disk that is full, or broken."""

    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(*(os, name) if name == "fsync" else (Full, name), fails, raising=False)
    monkeypatch.setattr(Path, "open", lambda file, mode: Full(file, mode) if "+" in mode else opened(file, mode))
    with pytest.raises(OSError, match=f"No space left on device: '{path}'"):
        go_on(path)


def test_a_record_is_an_ordinary_file_of_some_size(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "MAX_BYTES", 1000)
    path = tmp_path / "match.jsonl"
    path.write_text(played(30).record())
    for read_it in (go_on, load_text):
        with pytest.raises(ReplayError, match="too large"):
            read_it(path)
        with pytest.raises(ReplayError, match="not an ordinary file"):
            read_it(Path("/dev/null"))


@pytest.mark.parametrize("line", [0, 2])
def test_bytes_that_are_no_text_are_refused_and_the_file_stays(tmp_path, line):
    lines = [json.loads(text) for text in played(4).record().splitlines()]
    lines[line]["name" if line == 0 else "move"] = "\ufffd" * 20
    forged = sealed(lines).encode().replace("\ufffd".encode(), b"\xff")
    path = tmp_path / "match.jsonl"
    path.write_bytes(forged)
    for read_it in (go_on, load_text):
        with pytest.raises(ReplayError, match=f"^line {line + 1}: the record has been altered: this line has bytes"):
            read_it(path)
    assert path.read_bytes() == forged


def test_a_record_cut_in_the_middle_of_a_letter_goes_on_before_that_line(tmp_path):
    path = tmp_path / "match.jsonl"
    whole = played(4).record()
    path.write_bytes(whole.encode() + '{"n":5,"move":"♠'.encode()[:-1])
    resumed = go_on(path)
    assert resumed.kept is not None and "cut in the middle of this line; 4 moves" in resumed.told[0]
    resumed.kept.close()
    assert path.read_text() == whole


def test_who_only_looks_whether_a_match_is_played_turns_nobody_away(tmp_path: Path) -> None:
    import threading
    import time

    from interpreter.api import record_file

    path = tmp_path / "match.jsonl"
    path.write_text("kept")
    looker, player = path.open("rb"), path.open("rb")
    record_file._hold(looker, path, looks=True)
    assert not record_file.is_held(path), "others may look, too"
    threading.Timer(record_file.MOMENT * 1.5, looker.close).start()
    begun = time.monotonic()
    record_file._hold(player, path)
    assert time.monotonic() - begun < 1
    assert record_file.is_held(path)
    with pytest.raises(BlockingIOError, match="another place"):
        record_file._hold(path.open("rb"), path)
    player.close()
    assert not record_file.is_held(path)


UNSEEN = """\
format: 1
id: unseen
name: Unseen
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: "SEEN"}
state: {score: {each: player, type: integer, lasts: match}, tally: {type: integer, lasts: match}}
flow:
  match: {setup: "shuffle stock; deal 3 from stock to hand", do: [going]}
  going: {kind: turn, first: P1, turns: 3 each, actions: {up: {effect: add 1 to tally}}}
"""


def test_where_cards_cannot_be_drawn_anew_the_line_is_told(tmp_path):
    seen = "if tally = 0 then first p in players where 1 = 2 else first p in players where 9 * tally * BIG > 50"
    (tmp_path / "unseen.yaml").write_text(UNSEEN.replace("SEEN", seen.replace("BIG", "9" * 18)))
    state = interpreter.load(tmp_path / "unseen.yaml").game().start(seed=1)
    state.play(0, "up")
    lines = [json.loads(line) for line in state.record().splitlines()]
    with pytest.raises(ReplayError, match=r"^line 2: behind move 1 the cards cannot be drawn anew: .*grows beyond"):
        interpreter.replay(sealed([*lines, {"n": 2, "seed": 5}]))
