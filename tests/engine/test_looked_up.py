"""What is looked for among very many places, or in a deep one, is looked up once for all, or counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import IllegalMove, RuleError, State
from interpreter.engine import naming, outcomes, sight
from interpreter.engine.notation import place_text
from interpreter.engine.outcomes import Outside

PLACES = 900
RULES = """\
format: 1
id: many
name: Many
players: {only: [2]}
pack: {standard: 2}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  row: {each: 1..3}
  box: {each: 1..PLACES}
flow:
  match: {setup: deal 5 from stock to hand, do: [go]}
  go:
    kind: turn
    first: P1
    turns: 30
    actions:
      take: {choose: {cards: {from: "(hand of left of actor, top 3 of stock)", count: 1..2}}, effect: stay}
      name: {choose: {place: {zones: row, said: true, else: first r in row where index of r = 2}}, effect: stay}
      keep: {choose: {cards: {from: hand, count: 1..5}}, effect: stay}
      mix: {effect: shuffle stock; shuffle stock}
      draw: {effect: move MANY at random from stock to hand}
"""


class Table(list[Any]):
    """What lies at all places; it is counted how often all were gone through."""

    looks = 0

    def __iter__(self) -> Any:
        self.looks += 1
        return super().__iter__()


class Places(tuple[str, ...]):
    """The labels of all places; it is counted how many were read."""

    read = 0

    def __getitem__(self, at: Any) -> Any:
        self.read += 1
        return super().__getitem__(at)

    def __iter__(self) -> Any:
        self.read += len(self)
        return super().__iter__()

    def index(self, *given: Any) -> int:
        self.read += len(self)
        return super().index(*given)


def started(folder: Path, many: int = 1, places: int = PLACES, honor: bool = False, **more: Any) -> State:
    path = folder / "many.yaml"
    path.write_text(RULES.replace("PLACES", str(places)).replace("MANY", str(many)), encoding="utf-8")
    return interpreter.load(path).game(enforcement="honor" if honor else "strict").start(seed=1, **more)


def counted(state: State) -> Places:
    places = state.game.program.places = Places(state.game.program.places)
    return places


def test_the_names_of_places_are_made_once_for_all_words_of_a_move(tmp_path: Path) -> None:
    state = started(tmp_path)
    places = counted(state)
    for named in (50, 60):
        with pytest.raises(IllegalMove, match="not_possible"):
            state.play(0, f"take {' '.join(f'{at % 20 + 1}@box.{at + 1}' for at in range(named))}")
    with pytest.raises(IllegalMove, match="is not a card such as 10H"):
        state.play(0, "take 1@nowhere")
    assert places.read < 2 * PLACES


def test_a_place_that_is_heard_is_looked_up_for_each_word(tmp_path: Path) -> None:
    state = started(tmp_path, honor=True)
    places = counted(state)
    state.play(0, f'name row.1 "{"a " * 100}"')
    assert places.read < 2 * PLACES


def test_each_place_is_called_by_its_own_name(tmp_path: Path) -> None:
    program = started(tmp_path, places=12).game.program
    names = [place_text(program, place) for place in range(len(program.places))]
    assert [program.place_called(name) for name in names] == list(range(len(names)))
    assert program.place_called("hand.P3") is program.place_called("hand P1") is program.place_called("") is None


def looked_at(monkeypatch: pytest.MonkeyPatch, *modules: Any) -> list[int]:
    """The places of which it is asked from now on what lies there, and in which order."""
    asked, real = list[int](), sight.cards_at
    for module in modules:
        monkeypatch.setattr(module, "cards_at", lambda s, place: asked.append(place) or real(s, place))
    return asked


@pytest.mark.parametrize("where", ["@stock", "#1", "@stock#1"])
def test_a_fixed_order_looks_once_at_the_place_that_is_shuffled(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks = "2 3 4 5 6 7 8 9".split()
    order = [f"{rank}{suit}{where}" for suit in "CD" for rank in ranks]
    state = started(tmp_path, chance={"shuffle": {"go": [order, order[::-1]]}})
    asked = looked_at(monkeypatch, outcomes)
    state.play(0, "mix")
    assert asked == [0, 0]
    assert [card + where for card in state.zone("stock")[:16]] == order[::-1]


@pytest.mark.parametrize(
    "fixed", ["2C#3", "2C#0", "2C@hand.P1", "2C@hand.P1#1", "2C@nowhere", "1C#1", "9C 9C 9C@stock"]
)
def test_a_fixed_order_names_only_what_lies_there(fixed: str, tmp_path: Path) -> None:
    state = started(tmp_path, chance={"shuffle": {"go": [fixed.split()] * 2}})
    with pytest.raises(RuleError, match=f"'{fixed.split()[-1]}' is not among the cards that can come"):
        state.play(0, "mix")


def test_of_equal_cards_a_fixed_order_tells_the_lowest_or_one_by_its_number_from_the_top(tmp_path: Path) -> None:
    sevens = ["7C", "7C"]
    state = started(tmp_path, chance={"shuffle": {"go": [sevens, sevens, sevens, ["7C#2", "7C#1"]]}})
    twice = [card for card, name in enumerate(state.game.program.cards) if name == "7C"]
    found = []
    for player in (0, 1):
        state.play(player, "mix")
        found.append(state.position.z[0][:-3:-1])
    assert found == [twice, twice[::-1]]


def test_a_fixed_draw_counts_what_it_takes_to_look_for_equal_cards_like_the_draw_itself(tmp_path: Path) -> None:
    state = started(tmp_path, many=20, chance=Outside())
    state.play(0, "draw")
    spent = state.position.spent
    assert spent > outcomes.PLACE * PLACES
    again = interpreter.replay(state.record())
    assert again.log == state.log
    again = started(tmp_path, many=20, chance=state.position.setup.chance)
    again.play(0, "draw")
    assert again.position.spent == spent


def test_in_a_pile_it_is_looked_once_where_each_card_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = started(tmp_path)
    asked = looked_at(monkeypatch, naming, sight)
    texts = [str(move) for move in state.legal_moves(0) if move.action == "take"]
    assert len(texts) == 8 + 8 * 7 // 2 and "take 1@hand.P2 5@hand.P2" in texts
    assert len(asked) == 2, "the hand and the stock, whatever is listed"


def test_what_others_read_of_many_cards_looks_through_all_places_once_for_them_all(tmp_path: Path) -> None:
    looks = []
    for chosen in (2, 5):
        state = started(tmp_path)
        state.position.z = table = Table(state.position.z)
        events = state.play(0, f"keep {' '.join(state.zone('hand', 0)[:chosen])}")
        assert events[0].text(1) == f"P1 keep{' ?' * chosen}"
        looks.append(table.looks)
    assert looks[0] == looks[1]


def test_who_has_seen_cards_that_came_from_somewhere_is_asked_with_one_table_of_all_places(tmp_path: Path) -> None:
    read = []
    for many in (2, 20):
        state = started(tmp_path, many=many)
        state.play(0, "draw")
        places = counted(state)
        with pytest.raises(ValueError, match="stays seen"):
            state.undo(seed=2)
        read.append(places.read)
    assert read[0] == read[1] > 0
