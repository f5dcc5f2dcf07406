"""A table where an action has more moves than can be listed: what somebody sends is answered, and the match goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from house import House, Person, run

RULES = """\
format: 1
id: many
name: Many
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {}
flow:
  match: {setup: shuffle stock; deal 16 from stock to hand, do: [go]}
  go:
    KIND
    actions:
      draw: {effect: move 1 from stock to hand}
      lay: {choose: {cards: {from: hand, count: 1..8}, to_whom: {players: others}}LAW, effect: move cards to discard}
      shed: {choose: {card: {from: hand}}, effect: move card to discard}
honor: {penalty: nothing}
"""
KINDS = {"turn": "kind: turn\n    turns: 40", "race": "kind: race\n    until: stock is empty"}
SMALL = ", must: {small: {law: count of hand < 5, message: only with a small hand}}"


def rules(kind: str, law: str = SMALL) -> str:
    return RULES.replace("KIND", KINDS[kind]).replace("LAW", law)


def held(person: Person, seat: int) -> list[str]:
    assert person.scene is not None
    (own,) = [place for place in person.scene["places"] if place["zone"] == "hand" and place["seat"] == f"P{seat}"]
    return [card for card in own["cards"] if isinstance(card, str)]


async def asked(people: list[Person]) -> tuple[Person, str]:
    """Who may move, and how the other is called in a move."""
    for person in people:
        await person.settled()
    person = next(person for person in people if person.ask is not None and person.ask["due"])
    return person, f"P{2 - people.index(person)}"


@pytest.mark.parametrize("honor", (False, True))
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_sent_in_vain_is_refused(tmp_path: Path, kind: str, honor: bool) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2, "", overlays=[rules(kind)], honor=honor)
        person, _ = await asked(people)
        own = f"P{people.index(person) + 1}"
        for text in ("foo", "99", "7C 8C", "hand.P2", f"lay 2C {own}", "lay"):
            answer = await person.move(text)
            assert answer["type"] == "refused", (text, answer)
        assert person.table["state"] == "playing"
        assert (await person.move("draw"))["type"] == "done"

    run(scene, tmp_path)


@pytest.mark.parametrize(
    ("kind", "honor", "law"),
    [
        ("turn", False, SMALL),
        ("turn", True, SMALL),
        ("turn", True, ""),  # strictly, all that is lawful there is listed
        ("race", False, SMALL),
        ("race", False, ""),
        ("race", True, SMALL),
        ("race", True, ""),
    ],
)
def test_what_a_page_sends_for_it_is_answered(tmp_path: Path, kind: str, honor: bool, law: str) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2, "", overlays=[rules(kind, law)], honor=honor)
        person, other = await asked(people)
        assert person.ask is not None
        assert honor or kind == "turn" or "lay" in [act["name"] for act in person.ask["acts"]]
        card = held(person, people.index(person) + 1)[0]
        answer = await person.move(f"lay {card} {other}")
        stands = not law or (honor and kind == "turn")
        assert answer["type"] == ("done" if stands else "refused"), answer
        assert stands or "nly with a small hand" in answer["text"]
        person, _ = await asked(people)
        assert (await person.move("draw"))["type"] == "done"
        assert person.table["state"] == "playing"

    run(scene, tmp_path)
