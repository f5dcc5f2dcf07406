"""Numbers that not everybody sees are in nothing that everybody is told: errors, scores, and the log."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import RuleError
from interpreter.api.game import State

RULES = """
format: 1
id: secret
name: Secret
players: {min: 2, max: 2}
pack: {standard: 1}
options: {ladder: {type: list of integer, default: [1, 2, 3]}}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {each: 1..3, seen by: everyone}
state:
  score: {each: player, type: integer, lasts: match, max: 9}
  secret: {type: integer, lasts: match, default: HELD, seen by: none}
  shown: {type: integer, lasts: match, default: 10}
define:
  twice(n): n + secret
flow:
  match: {first dealer: random, repeat: deal, until: number of deal > 1, winners: lowest score}
  deal: {setup: gather all to stock, do: [work]}
  work:
    kind: turn
    turns: 1 each
    actions: {go: EFFECT, owe: {effect: call fine with cost = 1}}
  fine:
    kind: ask
    with: {cost: {type: integer, min: 1, max: 9}}
    players: current
    actions: {pay: {}}
"""


def match_of(folder: Path, effect: str, held: int = 17) -> State:
    path = folder / "secret.yaml"
    path.write_text(RULES.lstrip().replace("HELD", str(held)).replace("EFFECT", effect))
    return interpreter.load(path).game().start(seed=1)


def why(folder: Path, effect: str, held: int) -> str:
    """Why the rules stop at the move."""
    state = match_of(folder, effect, held)
    with pytest.raises(RuleError) as stopped:
        state.play(state.actors[0], "go")
    return stopped.value.message


@pytest.mark.parametrize(
    "effect",
    [
        pytest.param("add item(secret, ladder) to shown", id="an item of a list"),
        pytest.param("for n in 1..(secret * 10007) do add 1 to shown end", id="a range"),
        pytest.param("call fine with cost = secret", id="an argument"),
        pytest.param("add secret to score", id="a variable that all see"),
        pytest.param("set score to twice(10)", id="a definition"),
        pytest.param("let n be secret; add n to score", id="what was set aside"),
        pytest.param("move 1 from stock to pile of secret", id="the number of a place"),
        pytest.param("swap score, secret", id="exchanged"),
    ],
)
def test_why_the_rules_stop_says_no_number_that_is_hidden(tmp_path: Path, effect: str) -> None:
    told = {why(tmp_path, f"{{effect: {effect!r}}}", held) for held in (17, 23)}
    assert len(told) == 1 and "none" not in told.pop()


def test_a_measure_without_a_value_says_no_number(tmp_path: Path) -> None:
    told = {why(tmp_path, "{measured: {hold: secret..2}}", held) for held in (17, 23)}
    assert told == {"the least 'hold' of the action 'go' is above its most"}


def test_why_the_rules_stop_says_numbers_that_all_see(tmp_path: Path) -> None:
    found = why(tmp_path, "{effect: add shown to score}", 17)
    assert found.endswith("'score' would become 10, but it goes from -1000000 to 9")


SCORED = """
format: 1
id: scored
name: Scored
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
tokens: {chip: {seen by: owner}}
values:
  richness: {hearts: held(P2), else: 3}
  by_hands: {by: held(P2), 1: 4, else: 5}
  flat: {hearts: 2, else: 3}
state:
  score: {each: player, type: integer, lasts: match, seen by: EYES}
  dark: {each: player, type: integer, lasts: match, seen by: owner}
define:
  held(p): sum place of c.rank for c in hand of p
  size(p): count of hand of p
flow:
  match: {first dealer: random, repeat: deal, until: number of deal > 2, winners: highest scoreSCORES}
  deal:
    setup: gather all to stock; shuffle stock; deal 5 from stock to hand
    do: [work]
    next dealer: left
  work:
    kind: turn
    turns: 1 each
    actions: {go: {effect: add 7 to score}}
"""


def scored(folder: Path, eyes: str = "everyone", scores: str = "") -> State:
    """A match in which one of two players has scored."""
    path = folder / "scored.yaml"
    text = SCORED.lstrip().replace("EYES", eyes)
    path.write_text(text.replace("SCORES", f", scores: {scores}" if scores else ""))
    state = interpreter.load(path).game().start(seed=1)
    state.play(state.actors[0], "go")
    return state


def scores_told(state: State, viewer: int) -> list[str]:
    return [line for line in state.view(viewer)["log"] if line.startswith("score:")]


def played_out(state: State) -> State:
    while not state.over:
        state.play(state.actors[0], "go")
    return state


@pytest.mark.parametrize(("eyes", "seeing"), [("none", ()), ("owner", (0,)), ("others", (1,)), ("everyone", (0, 1))])
def test_a_score_is_told_to_those_who_see_it(tmp_path: Path, eyes: str, seeing: tuple[int, ...]) -> None:
    state = scored(tmp_path, eyes if eyes != "others" else "everyone without owner")
    mover = 1 - state.actors[0]
    for viewer, of_mover in ((mover, 0), (1 - mover, 1)):
        view = state.view(viewer)
        assert view["scores"][mover] == (7 if of_mover in seeing else None)
        assert len(scores_told(state, viewer)) == (of_mover in seeing)
    assert state.scores[mover] == 7


@pytest.mark.parametrize(
    ("scores", "is_told"),
    [
        pytest.param("held(p)", False, id="hidden cards"),
        pytest.param("count c in hand of p where c.suit = hearts", False, id="those that are looked for"),
        pytest.param("20 - size(p)", True, id="how many cards all may count"),
        pytest.param("score of p * 2", True, id="what all see"),
        pytest.param("richness of QH", False, id="a row of a table that looks at a hand"),
        pytest.param("by_hands", False, id="a table whose row a hand decides"),
        pytest.param("flat of QH", True, id="a table of what all see"),
        pytest.param("count of chip of p", False, id="hidden pieces"),
        pytest.param("if p in highest dark then 1 else 0", False, id="who has most of what is hidden"),
        pytest.param("9 - fault_count of p", False, id="faults that nobody has claimed yet"),
    ],
)
def test_scores_reckoned_of_hidden_things_are_told_when_the_match_is_over(
    tmp_path: Path, scores: str, is_told: bool
) -> None:
    state = scored(tmp_path, scores=scores)
    assert state.view(0)["scores"] == (state.scores if is_told else [None, None])
    played_out(state)
    assert state.view(0)["scores"] == state.view(1)["scores"] == state.scores


def test_scores_reckoned_of_a_hidden_score_are_hidden(tmp_path: Path) -> None:
    assert scored(tmp_path, "none", "100 - score of p").view(0)["scores"] == [None, None]


def test_hidden_scores_are_told_when_the_match_is_over(tmp_path: Path) -> None:
    state = played_out(scored(tmp_path, "none"))
    assert state.view(0)["scores"] == [21, 21]


@pytest.mark.parametrize("name", ["euchre", "spit", "pig", "truco", "bicycle-spoons", "hearts"])
def test_scores_of_what_lies_open_are_seen_at_any_time(name: str) -> None:
    state = interpreter.load(name).game().start(seed=1)
    assert state.view(0)["scores"] == state.scores
