"""All keys of a match, as the help shows them."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.interfaces.fullscreen.bindings import Keys
from interpreter.words.voice import Voice

GENERAL = (
    ("the key of a card", "makes the move, if the card can go to one place only"),
    ("card, then place", "where there are several; the same key twice: the first"),
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
    for found in places.values():
        yield f"{' '.join(key for key, _ in found):<18} {voice.places(player, [label for _, label in found])}"
    yield from _in_runs(cards)
    yield ""
    for key, means in GENERAL:
        yield f"{key:<18} {means}"


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
