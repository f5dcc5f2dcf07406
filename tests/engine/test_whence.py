"""What was seen stays seen, whichever way a card took to where it came to light."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import SEER

import interpreter
from interpreter.engine.redrawing import DRAWN, LEARNED, LOOKED
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.taking_back import revealed
from interpreter.engine.whence import SOME

VIA = """\
format: 1
id: via
name: Via
players: {{min: 2, max: 2}}
pack: {{standard: {packs}}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  tray: {{seen by: none}}
  open: {{seen by: everyone}}
  own: {{each: player, seen by: owner}}
  kitty: {{seen by: none}}
  heap: {{seen by: none}}
  blind: {{each: player, seen by: none}}
  boxes: {{each: [player, 1..2], seen by: none}}
state:
  secret: {{type: card, optional: true, lasts: match, seen by: none}}
  told: {{each: player, type: card, optional: true, lasts: match, seen by: owner}}
  list: {{each: player, type: cards, lasts: match, seen by: owner}}
flow:
  match:
    first dealer: P1
    setup: |
      shuffle stock; deal 1 from stock to hand; deal 1 from stock to blind; move 1 from stock to kitty
      for p in everyone do for b in boxes of p do move 1 from stock to b end end
      move 9 from stock to heap; set secret to top of heap
    do: [play]
    winners: none
  play:
    kind: turn
    turns: 9
    actions:
      act: {{effect: {effect}}}
      steal: {{choose: {{p: {{players: others}}}}, effect: {stolen}}}
"""


def undone(tmp_path: Path, move: str, effect: str = "stay", stolen: str = "stay", packs: int = 1) -> set[str]:
    """What comes of taking a move back, for several seeds: "" where it is taken back."""
    file = tmp_path / "via.yaml"
    file.write_text(VIA.format(effect=repr(effect), stolen=repr(stolen), packs=packs), "utf-8")
    game = interpreter.load(file).game()
    found = set()
    for seed in range(8):
        state = game.start(seed=seed)
        state.play(0, move)
        try:
            state.undo(seed=seed + 100)
        except ValueError as why:
            found.add(str(why))
        else:
            found.add("")
    return found


@pytest.mark.parametrize(
    "effect",
    [
        "show kitty to actor",
        "move all from kitty to tray; show tray to actor",
        "move all from kitty to tray; move all from tray to open",
        "move all from kitty to tray; move all from tray to own of actor",
        "move all from kitty to tray; move all from tray to own of actor; move all from own of actor to kitty",
        "move all from blind of actor to tray; move all from tray to open",
        "swap kitty, own of actor",
        "swap kitty, tray; show tray to actor",
        "swap kitty, tray; swap tray, own of actor",
    ],
)
def test_who_has_seen_a_card_of_nobody_does_not_take_that_back(tmp_path: Path, effect: str) -> None:
    assert undone(tmp_path, "act", effect) == {LOOKED}


@pytest.mark.parametrize(
    "effect",
    [
        "set told of actor to top of hand of left of actor",
        "for c in hand of left of actor do add c to list of actor end",
        "set told of actor to top of blind of actor",
        "set told of actor to top of kitty",
        "set told of actor to secret",
        'note "{top of blind of actor}"',
        'note "{(top of kitty).rank}"',
        'note "{secret}"',
        "if (top of kitty).suit = hearts then set told of actor to none end",
    ],
)
def test_what_a_variable_or_a_note_told_is_learned(tmp_path: Path, effect: str) -> None:
    assert undone(tmp_path, "act", effect) == {LEARNED}


@pytest.mark.parametrize(
    "stolen",
    [
        "move all from hand of p to tray; show tray to actor",
        "move all from hand of p to tray; move all from tray to open",
        "swap hand of p, own of actor",
        "swap hand of p, tray; show tray to actor",
        "move all from boxes of (p, 1) to tray; show tray to actor",
    ],
)
def test_who_has_seen_a_card_of_somebody_else_does_not_take_that_back(tmp_path: Path, stolen: str) -> None:
    assert undone(tmp_path, "steal P2", stolen=stolen) <= {LEARNED, LOOKED}


def test_a_card_is_not_dealt_anew_because_an_equal_one_was_shuffled(tmp_path: Path) -> None:
    assert undone(tmp_path, "act", "shuffle heap; show kitty to actor", packs=4) == {LOOKED}


def test_a_card_is_not_drawn_anew_where_a_variable_could_speak_of_it_in_secret(tmp_path: Path) -> None:
    assert undone(tmp_path, "act", "move 1 from stock to hand") == {LOOKED}


@pytest.mark.parametrize(
    "effect",
    [
        "move all from heap to stock; shuffle stock; move 1 from stock to hand",
        "move all from kitty to stock; shuffle stock; move 2 from stock to hand",
        "gather all to stock; shuffle stock; deal 1 from stock to hand",
    ],
)
def test_what_is_dealt_anew_is_taken_back(tmp_path: Path, effect: str) -> None:
    assert undone(tmp_path, "act", effect) == {""}


def test_what_was_drawn_behind_a_shuffle_is_taken_back_once_as_any_other_draw(tmp_path: Path) -> None:
    """Else one after the other all cards of the stock would be seen, and so what others hold."""
    file = tmp_path / "via.yaml"
    effect = "shuffle stock; move 1 from stock to hand"
    file.write_text(VIA.format(effect=repr(effect), stolen=repr("stay"), packs=1), "utf-8")
    state = interpreter.load(file).game().start(seed=3)
    state.play(0, "act")
    state.undo(7, 0, [0])
    state.play(0, "act")
    with pytest.raises(ValueError, match=DRAWN):
        state.undo(8, 0, [0])


def test_what_is_seen_behind_a_shuffle_of_some_cards_was_seen(tmp_path: Path) -> None:
    """Also where in the end no more cards lie unseen than were shuffled."""
    file = tmp_path / "via.yaml"
    spread, stolen = "shuffle stock; move all from stock to open; stay", "move all from hand of p to tray; shuffle tray"
    file.write_text(VIA.format(effect=repr(spread), stolen=repr(f"{stolen}; show tray to actor"), packs=1), "utf-8")
    state = interpreter.load(file).game().start(seed=3)
    state.play(0, "act")
    with pytest.raises(ValueError, match=LOOKED):
        state.copy().undo(7, 0, [0])
    state.play(0, "steal P2")
    with pytest.raises(ValueError, match=f"{LOOKED}|{LEARNED}"):
        state.undo(7, 0, [0])


def seen_by(folder: Path, move: str, effect: str = "stay", stolen: str = "stay") -> list[int]:
    """Who has seen cards by a move of the first player."""
    file = folder / "via.yaml"
    file.write_text(VIA.format(effect=repr(effect), stolen=repr(stolen), packs=1), "utf-8")
    state = interpreter.load(file).game().start(seed=3)
    state.play(0, move)
    before = state.to_json()
    found = revealed(state.position, 0)
    assert state.to_json() == before, "it only looks"
    return found


@pytest.mark.parametrize(
    ("effect", "seen"),
    [
        ("stay", []),
        ("move all from kitty to tray", []),
        ("move all from hand of actor to tray", []),
        ("move 1 from stock to hand of actor", [0]),
        ("move all from kitty to tray; move all from tray to hand of left of actor", [1]),
        ("move all from hand of actor to open", [1]),
        ("move all from kitty to open", [0, 1]),
        ("move all from kitty to tray; show tray to actor", [0]),
        ("move all from hand of actor to stock; shuffle stock; move 9 from stock to tray; shuffle tray", []),
    ],
)
def test_who_has_seen_cards_that_lay_unseen_is_told_before_a_move_is_taken_back(
    tmp_path: Path, effect: str, seen: list[int]
) -> None:
    assert seen_by(tmp_path, "act", effect) == seen


def test_who_takes_a_card_of_somebody_else_has_seen_it(tmp_path: Path) -> None:
    assert seen_by(tmp_path, "steal P2", stolen="move all from hand of p to own of actor") == [0]


def seen_where_a_seer_looks(folder: Path, eyes: str, who: str, move: str) -> set[tuple[int, ...]]:
    """Who has seen cards by a move, whoever the seer is."""
    file = folder / "seer.yaml"
    file.write_text(SEER.replace("EYES", eyes).replace("WHO", who), "utf-8")
    game, seers, found = interpreter.load(file).game(), set[int](), set[tuple[int, ...]]()
    for seed in range(12):
        state = game.start(seed=seed)
        seers |= {player for player in range(3) if state.value("seer", player)}
        state.play(0, next(one for one in state.legal_moves(0) if one.text.startswith(move)))
        found.add(tuple(revealed(state.position, 0)))
    assert seers == {0, 1, 2}
    return found


SEERS = "all p in everyone where seer of p"


@pytest.mark.parametrize(
    ("move", "eyes", "seen"),
    [("offer", SEERS, (SOME,)), ("take", SEERS, (SOME,)), ("draw", SEERS, (0, SOME)), ("show", "none", (SOME,))],
)
def test_who_sees_cards_by_something_hidden_is_not_told_by_what_would_be_taken_back(
    tmp_path: Path, move: str, eyes: str, seen: tuple[int, ...]
) -> None:
    assert seen_where_a_seer_looks(tmp_path, eyes, "owner", move) == {seen}


def test_who_sees_cards_by_something_that_all_see_is_told(tmp_path: Path) -> None:
    assert seen_where_a_seer_looks(tmp_path, SEERS, "everyone", "offer") == {(), (1,), (2,)}


@pytest.mark.parametrize(
    ("to", "seen"),
    [
        ("actor", {(0,)}),
        ("left of actor", {(1,)}),
        ("seen_by", {(SOME,)}),
        ("(if seer of P1 then P1 else P2)", {(SOME,)}),
    ],
)
def test_to_whom_cards_are_shown_is_known_where_it_goes_by_seats(
    tmp_path: Path, to: str, seen: set[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else hangs on something hidden. A variable may have been set and set back meanwhile."""
    text = SEER.replace("to all p in everyone where seer of p", f"to {to}")
    text = text.replace("draw: {effect: move", "draw: {effect: if seer of left of actor then stay end; move")
    text = text.replace("state:\n", "state:\n  seen_by: {type: player, default: P1, lasts: match}\n")
    monkeypatch.setitem(globals(), "SEER", text)
    assert seen_where_a_seer_looks(tmp_path, "none", "owner", "show") == seen


def test_it_is_counted_what_was_seen(tmp_path: Path) -> None:
    """Of each card that came from among others it may have been any of these."""
    path = tmp_path / "via.yaml"
    stir = "'shuffle stock; for i in 1..99 do show stock to actor end'"
    path.write_text(VIA.format(effect=stir, stolen="stay", packs=1), "utf-8")
    state = interpreter.load(path).game().start(seed=1)
    state.play(state.actors[0], "act")
    before = state.to_json()
    with pytest.raises(RuleError, match="more than 20,000,000 steps"):
        state.undo(seed=5)
    assert state.to_json() == before


def test_it_is_counted_who_sees_cards_in_each_state_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "slow.yaml"
    slow = "seen by: 'if any i in 1..1900 has i < 0 then everyone else none'}}\n"
    text = VIA.replace("seen by: none}}\n  o", slow + "  o").replace("seen by: none}}\n", slow)
    text = text.format(effect="stay", stolen="stay", packs=1)
    path.write_text(text.replace("turns: 9", "turns: 5000"), "utf-8")
    state = interpreter.load(path).game().start(seed=1)
    for _ in range(490):
        state.play(state.actors[0], "act")
    state.copy().undo(seed=5)
    before = state.to_json()
    with pytest.raises(RuleError, match="more than 20,000,000 steps"):
        state.undo(seed=5, stay=0)
    assert state.to_json() == before


def test_it_is_counted_what_room_the_states_on_the_way_take(tmp_path: Path) -> None:
    path = tmp_path / "wide.yaml"
    wide = "".join(f"  wide{at}: {{{{each: 1..1000}}}}\n" for at in range(40))
    text = VIA.replace("state:\n", wide + "state:\n").format(effect="stay", stolen="stay", packs=1)
    path.write_text(text.replace("turns: 9", "turns: 5000"), "utf-8")
    state = interpreter.load(path).game().start(seed=1)
    for _ in range(60):
        state.play(state.actors[0], "act")
    state.copy().undo(seed=5)
    with pytest.raises(RuleError, match="more than 20,000,000 steps"):
        state.undo(seed=5, stay=0)


QUIETLY = """\
format: 1
id: quietly
name: Quietly
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none, count seen by: none}
  hand: {each: player, seen by: owner, count seen by: owner}
state: {secret: {each: player, type: integer, lasts: match, seen by: owner}}
flow:
  match: {setup: "shuffle stock; deal 5 from stock to hand", do: [main]}
  main:
    kind: simultaneous
    actions:
      take: {effect: move 1 from stock to hand}
      pad: {effect: add 1 to secret}
"""


def test_that_a_card_was_taken_where_nobody_counts_is_not_told_by_who_has_seen_one(tmp_path: Path) -> None:
    (tmp_path / "quietly.yaml").write_text(QUIETLY)
    game, found = interpreter.load(tmp_path / "quietly.yaml").game(), list[list[int]]()
    for move in ("take", "pad"):
        state = game.start(seed=3)
        state.play(0, move)
        found.append(revealed(state.position, 0))
    assert found[0] == found[1] == [SOME]
