"""How the actions of a game are told: each in three persons, with something chosen, for whoever writes the ruleset."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode
from interpreter.words.acts import Acts, Passage
from interpreter.words.filling import filled, of_move
from interpreter.words.narrative import reader_of
from interpreter.words.people import sentence

NAMES = ("Anna", "Ben", "Cleo")
SEVERAL = 2
"""How many cards are chosen where several can be."""


def samples(s: Position) -> Iterator[str]:
    """For each action of each stage: how Anna reads of it who does it, Ben to whom cards go, and Cleo who looks on."""
    acts = Acts(s.program)
    for stage in s.program.stages:
        for action in (*stage.actions, *stage.anytime):
            told = [_told(acts, s, action, viewer) for viewer in range(min(3, s.program.n))]
            yield f"{stage.name}.{action.name}: {' | '.join(told)}"


def _told(acts: Acts, s: Position, action: ActionCode, viewer: int) -> str:
    words = [action.name]
    for param in action.params:
        words.append(_chosen(acts, param, words))
    text = " ".join(filter(None, words))
    reader = reader_of(s, viewer, NAMES)
    chosen = acts.chosen(action.name, text.partition(" ")[2])
    goes = _passage(acts, chosen.cards, chosen.places)
    own = filled(action.tell, of_move(acts, reader, 0, chosen, goes))
    return sentence(acts.sentence(reader, 0, text, goes if chosen.places else None) if own is None else own)


def _chosen(acts: Acts, param: ParamCode, before: list[str]) -> str:
    """Something that can be chosen, as moves write it; another place than was chosen before."""
    program = acts.program
    places = [label.replace(" ", ".") for label in program.places if label.split(" ")[0] == param.zone]
    cards = list(dict.fromkeys(program.cards))
    return {
        "cards": " ".join(cards[: SEVERAL if param.several else 1]),
        "players": f"P{min(2, program.n)}",
        "teams": "T1",
        "suits": program.suits[0] if program.suits else "",
        "ranks": program.ranks[0] if program.ranks else "",
        "number": "3",
        "tokens": "1",
        "choice": param.symbols[0] if param.symbols else "",
        "text": '"..."',
        "zones": next((place for place in places if place not in before), ""),
    }.get(param.form, "")


def _passage(acts: Acts, cards: list[str], places: list[str]) -> Passage:
    """Cards that go between the places that are chosen, or from the first player to the second."""
    owned = {spot.owner: label for label, spot in acts.piles.by_label.items() if spot.owner in (0, 1)}
    named = tuple(cards or acts.program.cards[:1])
    if places:
        labels = [acts.program.places[acts.piles.by_label[place].place] for place in places]
        return Passage(named, len(named), labels[0], labels[1] if len(labels) > 1 else "")
    return Passage(named, len(named), owned.get(0, ""), owned.get(1, ""))
