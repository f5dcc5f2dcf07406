"""A slice of `python -m tests.fuzz`; `.ci/run` asks a thousand changed rulesets, overlays, scenarios and records."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from fuzz import asking, twins
from fuzz.bases import Base, bases
from fuzz.judging import KINDS, Case
from fuzz.making import Maker
from fuzz.mutating import MARK, Mutation, mutate
from fuzz.naming import declared, plain_words, renamed
from fuzz.places import put, spots
from fuzz.running import Tally, try_case, verdicts
from fuzz.secrets import counted_too_much, eyes_of, taken_back_too_openly
from fuzz.watching import Watch
from fuzz.writing import yaml

import interpreter
from interpreter.base.diagnostics import Report
from interpreter.engine.events import ALL, Event
from interpreter.language.source import parse_text, to_plain

CASES = 50
PARTS = 2
SEED = 14
SHARE = 0.1


@pytest.mark.parametrize("part", range(PARTS))
def test_changed_rulesets_are_answered_and_keep_what_is_promised(part: int) -> None:
    size = CASES // PARTS
    tally = Tally()
    for verdict in verdicts(SEED, range(part * size, part * size + size), SHARE, jobs=1):
        tally.add(verdict)
    told = [f"case {tally.first[name].number}, {name}: {tally.first[name].findings[name]}" for name in tally.findings]
    assert not told, f"python -m tests.fuzz --seed {SEED} --first NUMBER --cases 1 --show\n" + "\n".join(told)
    assert tally.cases == size
    assert tally.counted > 0.8 * size and tally.valid > 0.33 * tally.counted and tally.through > 0


# ---- the fuzzer itself --------------------------------------------------------------------------------------------


def test_a_case_is_fixed_by_its_number_and_the_seed(tmp_path) -> None:
    texts = [[_text(seed, number, tmp_path) for number in range(5)] for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]


def _text(seed: int, number: int, folder: Path) -> str:
    return re.sub(r"houserules-fuzz-\w+|case/", "", try_case(seed, number, folder, 0.0).text)


def test_there_are_cases_of_every_kind(tmp_path) -> None:
    assert {Case(0, number, tmp_path).kind for number in range(200)} == set(KINDS)


@pytest.mark.parametrize("base", bases(), ids=lambda base: base.name)
def test_trees_are_written_as_yaml_that_reads_the_same(base: Base) -> None:
    node = parse_text(yaml(base.tree), "x.yaml", Report())
    assert node is not None and to_plain(node) == base.tree


@pytest.mark.parametrize("base", [base for base in bases() if not base.heavy], ids=lambda base: base.name)
def test_names_that_are_changed_everywhere_leave_a_ruleset(base: Base) -> None:
    mutation = Mutation(base, random.Random(3))
    names = {name: f"zz_{name}" for name in twins.renamable(mutation.tree)}
    node = parse_text(yaml(renamed(base.tree, names)), "x.yaml", Report())
    assert [str(one) for one in interpreter.validate(node) if one.severity == "error"] == []  # type: ignore[arg-type]


def test_names_that_differ_are_the_same_in_what_is_told() -> None:
    told = plain_words({"hum": "x_p", "say": "go"})
    assert told("P1 hum say humming") == told("P1 x_p go humming") != told("P1 go x_p humming")


def test_every_place_of_a_ruleset_is_known_to_the_schema() -> None:
    for base in bases():
        kinds = {spot.path: spot.kind for spot in spots(base.tree)}
        assert kinds["flow",] == "flow" and kinds["zones",] == "zones"
        assert all(kinds["flow", name] == "stage" for name in base.tree["flow"])


def test_texts_made_up_are_mostly_right() -> None:
    base = next(base for base in bases() if base.name == "base")
    dice = random.Random(1)
    right = 0
    for _ in range(15):
        tree = put(base.tree, ("flow", "count", "effect"), Maker(base.tree, dice).effect())
        node = parse_text(yaml(tree), "x.yaml", Report())
        right += not any(one.severity == "error" for one in interpreter.validate(node))  # type: ignore[arg-type]
    assert right > 7


def test_changes_are_of_every_kind_and_change_something() -> None:
    changed = 0
    for number in range(25):
        dice = random.Random(number)
        base = dice.choice(bases()[:20])
        changed += mutate(base, dice).tree != base.tree
    assert changed > 20
    assert {"stage", "zone", "variable", "action"} <= set(declared(bases()[0].tree).values())


# ---- what is wrong is noticed ---------------------------------------------------------------------------------------


def _asked(ruleset: str, watch: Watch, honor: bool = False) -> asking.Asking:
    base = next(base for base in bases() if base.name == ruleset)
    node = parse_text(yaml(base.tree), "x.yaml", Report())
    game = interpreter.load(node).game(enforcement="honor" if honor else "strict")  # type: ignore[arg-type]
    return asking.Asking(game, watch, random.Random(1), base.tree)


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    watch = Watch()
    assert _asked("ferry", watch).play(1) is not None
    assert watch.findings == {}


def test_crashes_and_disguised_crashes_are_noticed() -> None:
    watch = Watch()
    with watch.expecting("this", interpreter.RuleError):
        raise TypeError("crash")
    assert list(watch.findings) == ["this: TypeError in nothing of ours"]
    with watch.expecting("that", interpreter.RuleError):
        try:
            raise NameError("crash")
        except NameError as error:
            raise interpreter.RuleError("the rules cannot be carried out") from error
    assert "that: NameError in nothing of ours, told as RuleError" in watch.findings


def test_what_is_wrong_with_printed_code_is_noticed() -> None:
    for text, name in (
        ("def apply·a(s):\n    pass\ndef apply·a(s):\n    pass\n", "printed: a function twice (apply)"),
        (f"def x(a={MARK}()): pass\n", "printed: words of a ruleset as code"),
        ("x = s.__class__\n", "printed: words of a ruleset as code"),
    ):
        watch = Watch(printed=[text])
        watch.check_printed()
        assert list(watch.findings) == [name]
    made = f"def possible·duel·__{MARK}(s, p): return s\n"
    watch = Watch(printed=[f"note(s, '{MARK}() import __class__')\n", made])
    watch.check_printed()
    assert watch.findings == {}


def test_a_lost_card_a_move_that_is_not_its_text_and_a_changed_refusal_are_noticed(monkeypatch) -> None:
    from interpreter.api.game import State

    plain = State.play

    def lose(self: State, player: int, move: Any, **measures: Any) -> Any:
        events = plain(self, player, move, **measures)
        self.position.z = [kept if isinstance(kept, int) else kept[1:] for kept in self.position.z]
        return events

    def other_by_text(self: State, player: int, move: Any, **measures: Any) -> Any:
        if isinstance(move, str):
            self.position.draws += 1
        return plain(self, player, move, **measures)

    def refuse(self: State, player: int, move: Any, **measures: Any) -> Any:
        self.position.draws += 1
        raise interpreter.IllegalMove("law", "no")

    for fault, name in (
        (lose, "a card is lost or doubled"),
        (other_by_text, "a Move is not its text"),
        (refuse, "a refused move changes something"),
    ):
        watch = Watch()
        monkeypatch.setattr(State, "play", fault)
        _asked("ferry", watch).play(1)
        monkeypatch.setattr(State, "play", plain)
        assert name in watch.findings


def test_a_view_that_shows_too_much_is_noticed(monkeypatch) -> None:
    from interpreter.engine.sight import Eyes

    monkeypatch.setattr(Eyes, "at", lambda *_: ALL)
    watch = Watch()
    _asked("ferry", watch).play(1)
    assert "a view tells of hidden cards (zones)" in watch.findings


def test_files_that_are_touched_and_cases_that_hang_are_noticed(tmp_path) -> None:
    """In processes of their own: the watch over files is for good."""
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.apply(_touch_and_hang, (str(tmp_path),))
    assert found == ["a file read", "a file written", "deed: os.system", "hang"]


def _touch_and_hang(folder: str) -> list[str]:
    import os

    from fuzz import watching

    watching.guard()
    watch = Watch()
    try:
        with watching.watched(watch, Path(folder) / "case", 1.0):
            with open("/etc/hostname"):
                pass
            (Path(folder) / "new").write_text("")
            os.system("true")
            while True:
                pass
    except watching.Hang:
        watch.wrong("hang", "")
    return sorted(watch.findings)


def test_a_process_that_dies_is_a_finding(monkeypatch) -> None:
    from fuzz import running

    def die(seed: int, number: int, folder: Path, share: float) -> Any:
        import os

        os._exit(1)

    monkeypatch.setattr(running, "try_case", die)
    found = list(verdicts(0, range(2), 0.0, jobs=1))
    assert [list(verdict.findings) for verdict in found] == [["no answer: its process died"]] * 2


VEIL = Path(__file__).parent / "semantics/cards/rulesets/veil.yaml"


@pytest.mark.parametrize(
    ("words", "viewer", "found"),
    [
        ("store 2C", 1, True), ("store ?", 1, False), ("store 2C", 0, False), ("lay 2C", 1, False),
        ("give 2C P3", 2, False),
    ],
)  # fmt: skip
def test_a_line_taken_back_is_found_that_names_what_would_never_have_been_seen(
    words: str, viewer: int, found: bool
) -> None:
    state = interpreter.load(VEIL).game().start(given={"at": "peeking", "current": "P1", "hand": {"P1": ["2C"]}})
    told = taken_back_too_openly(state, [Event("move", 0, f"{words} (taken back)")], viewer, eyes_of(state))
    assert bool(told) == found


def test_a_line_is_found_about_cards_that_a_player_may_not_count() -> None:
    state = interpreter.load(VEIL).game().start(given={"at": "peeking", "current": "P1", "attic": {"P1": ["2C"]}})
    events = [Event("cards", None, "shown", ("2C",), "attic P1", "", seen=0)]
    assert [bool(counted_too_much(state, state, events, viewer)) for viewer in range(4)] == [False, True, True, True]
