"""All keys of a match, as the help shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from interpreter.interfaces.fullscreen.bindings import Keys, beginning
from interpreter.interfaces.fullscreen.things import Way
from interpreter.words.voice import Voice

GENERAL = (
    ("the key of a card", "makes the move, if the card can go to one place only"),
    ("card, then place", "where there are several; the same key twice: the first"),
    ("a number on a pile", "tells how many cards lie there"),
    ("Backspace", "drops a choice that has been begun"),
    (":", "opens a line for a move in words"),
    ("Esc", "stops the time and covers the table, and goes on again"),
    ("Tab", "shows the scores by deal"),
    ("?, then r", "shows this, then the rules"),
    ("Ctrl+Q", "leaves the match, if you say so again"),
)


def guide(keys: Keys, player: int, voice: Voice) -> Iterator[str]:
    """The keys of the game, then those of the program."""
    me = f"P{player + 1}"
    actions: list[tuple[str, str]] = []
    places: dict[str, list[tuple[str, str]]] = {}
    cards: list[tuple[str, str]] = []
    for key, things in keys.all():
        if things[0][0] == "place":
            places.setdefault(things[0][1].split(" ")[0], []).append((key, things[0][1]))
            continue
        names = [_named(thing, me) for thing in things]
        (actions if things[0][0] == "action" else cards).append((key, " or ".join(names)))
    for key, named in actions:
        yield f"{key:<18} {named}"
    for zone, found in places.items():
        called = voice.places(player, [label for _, label in found])
        done = ", ".join(name.replace("_", " ") for name in keys.begins(zone))
        yield f"{' '.join(key for key, _ in found):<18} {called}{f': {done}' if done else ''}"
    yield from _in_runs(cards)
    yield ""
    for key, means in GENERAL:
        yield f"{key:<18} {means}"


def pointing(keys: Keys, stage: str, lawful: Iterable[Way]) -> Iterator[tuple[str, str]]:
    """What the keys of places are for in a stage: what came up in it, or can be done now, wherever that is."""
    known, now = keys.begun(stage), beginning(lawful)
    for zone, places in groupby(keys.places(), key=lambda place: place[0]):
        names = dict.fromkeys((*known.get(zone, ()), *now.get(zone, ())))
        if names:
            found = [key for _, label in places if (key := keys.known(("place", label)))]
            yield " ".join(found), ", ".join(names).replace("_", " ")


def _named(thing: tuple[str, ...], me: str) -> str:
    words = [word for word in thing[1].replace("_", " ").split(" ") if word != me]
    match thing[0]:
        case "slot":
            return f"card of {' '.join(words)}"
        case "player" | "piece":
            return " ".join([thing[0], *words])
    return " ".join(words)


def _in_runs(cards: list[tuple[str, str]]) -> Iterator[str]:
    """Keys of places of the same zone on one line."""
    zones: dict[str, list[str]] = {}
    for key, named in cards:
        zone = named if named.startswith("card of") else named.split(" ")[0]
        zones.setdefault(zone, []).append(key)
    for zone, found in zones.items():
        yield f"{' '.join(found):<18} {zone}"
