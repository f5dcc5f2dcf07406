"""The one place where a state leaves for a player: zones, variables and the log, as that player may know them."""

from __future__ import annotations

from typing import Any, Required, TypedDict

from interpreter.engine.events import ALL
from interpreter.engine.failures import by_rules
from interpreter.engine.legal import waited_for
from interpreter.engine.melds.laid import meld_shown
from interpreter.engine.melds.text import meld_text
from interpreter.engine.notation import key_text
from interpreter.engine.packets import as_tuple, bits
from interpreter.engine.position import Position
from interpreter.engine.program import VariableCode, ZoneCode
from interpreter.engine.sight import Eyes, cards_at, eyes_of, lying_at
from interpreter.engine.standing import phase, plays_tricks, scores, winners


class PlaceView(TypedDict, total=False):
    """What lies at a place. count is missing where the player may not know it."""

    count: int
    cards: Required[list[str | None]]
    """Top first, None for a hidden face; of a zone that shows its top, that card alone."""
    meld: str
    """The meld that was laid there, where the rules ask for it."""


Plain = None | bool | int | str | list["Plain"]
"""A value as JSON and text show it."""
Table = TypedDict(
    "Table",
    {
        "player": str,  # whose view it is: P1
        "players": int,
        "phase": str,  # the stage that is going on
        "actors": list[str],
        "current": str,
        "dealer": str | None,
        "direction": str,  # left or right
        "zones": dict[str, Any],  # a PlaceView or none, or label -> PlaceView where each player or the like has one
        "trick": list[list[str | None]],  # player and card, in the order in which they were played
        "trick number": int,
        "tricks": dict[str, int],
        "tokens": dict[str, dict[str, int]],  # name -> how many on the "table" and of each player
        "values": dict[str, Any],  # variables and definitions, as `plain` tells them; by key where there are several
        "clock": int,  # milliseconds
        "busy": dict[str, list[int]],
        "scores": list[int | None],  # None for what the player does not see before the match is over
        "over": bool,
        "winners": list[str],
    },
)
"""What a player may know without the log, which grows with the match.

What is there of a zone or variable depends on the game; whoever knows that need not ask each time which it is.
"""


class View(Table):
    """What a player may know, as JSON keeps it."""

    log: list[str]


def zone(s: Position, name: str, player: int | None) -> list[str]:
    """The cards of a zone, top first; of all its places together if no player is named."""
    found = _zone_code(s, name)
    places = range(found.base, found.base + found.size)
    if player is not None:
        _check_player(s, player)
        places = [p for p in places if _belongs(s, found, p, player)]  # type: ignore[assignment]
    return [s.program.cards[c] for p in places for c in cards_at(s, p)]


def _check_player(s: Position, player: int) -> None:
    if type(player) is not int or not 0 <= player < s.program.n:
        raise ValueError(f"there is no player {player}")


def _zone_code(s: Position, name: str) -> ZoneCode:
    for found in s.program.zones:
        if found.name == name:
            return found
    raise KeyError(f"no zone is called '{name}'")


def _belongs(s: Position, code: ZoneCode, place: int, player: int) -> bool:
    owner = code.owners[place - code.base]
    if owner is None:
        return True
    return (s.teams[player] if code.dims[0] == "team" else player) == owner


@by_rules
def value(s: Position, name: str, player: int | None) -> Any:
    """A variable or definition, as text where it is a card, suit, rank or player."""
    if player is not None:
        _check_player(s, player)
    if not isinstance(name, str):
        raise KeyError(f"no variable or definition is called {name!r}")
    if name in s.program.variables:
        code = s.program.variables[name]
        if code.size == 1 and not code.dims:
            return plain(s, code.kind, s.v[code.base])
        values = {key_of(s, code, at): plain(s, code.kind, s.v[code.base + at]) for at in range(code.size)}
        if player is None:
            return values
        letter = f"T{s.teams[player] + 1}" if code.dims[0] == "team" else f"P{player + 1}"
        own = {k: v for k, v in values.items() if k == letter or k.startswith(letter + " ")}
        return own.get(letter, own)
    if name in s.program.asked:
        each, function, kind = s.program.asked[name]
        if not each:
            return plain(s, kind, function(s))
        owners = range(s.program.n if each == "player" else max(s.program.teams) + 1)
        letter = "P" if each == "player" else "T"
        if player is not None:
            return plain(s, kind, function(s, player if each == "player" else s.teams[player]))
        return {f"{letter}{o + 1}": plain(s, kind, function(s, o)) for o in owners}
    raise KeyError(f"no variable or definition is called '{name}'")


def key_of(s: Position, code: VariableCode, at: int) -> str:
    """Whose a value of a family is, in text: `P1`, `T2`, `P1 clubs`."""
    return " ".join(key_text(s.program, dim, key) for dim, key in zip(code.dims, code.keys[at], strict=True))


def plain(s: Position, kind: str, found: Any) -> Plain:
    """A value as JSON and text show it. kind: of a group, "set of card" where its items are known."""
    if found is None:
        return None
    group, _, item = kind.partition(" of ")
    if item:
        items = bits(found) if type(found) is int else sorted(found) if group == "set" else found
        return [plain(s, item, x) for x in items]
    shown: Plain = found
    match kind:
        case "card":
            shown = s.program.cards[found] if found >= 0 else None
        case "suit":
            shown = s.program.suits[found]
        case "rank":
            shown = s.program.ranks[found]
        case "player":
            shown = f"P{found + 1}"
        case "team":
            shown = f"T{found + 1}"
        case "set" | "list":
            shown = _plain_set(s, found)
        case "meld":
            shown = meld_text(s.program, found)
    return shown


def _plain_set(s: Position, found: Any) -> list[Plain]:
    """Sets of players are written P1..; sets of cards come as bits or numbers, told apart by the caller's type."""
    if type(found) is int:
        return [s.program.cards[c] for c in bits(found)]
    return [f"P{x + 1}" if type(x) is int and x < s.program.n else x for x in found]


@by_rules
def view(s: Position, player: int) -> View:
    """Everything a player may know. Hidden faces are None; hidden counts leave the place out."""
    found = _table(s, player)
    return {**found, "log": [text for text in (e.text(player) for e in s.log or ()) if text is not None]}


def _table(s: Position, player: int) -> Table:
    """The view of a player without the log."""
    program = s.program
    _check_player(s, player)
    return {
        "player": f"P{player + 1}",
        "players": program.n,
        "phase": phase(s),
        "actors": [f"P{p + 1}" for p in waited_for(s)],
        "current": f"P{s.current + 1}",
        "dealer": None if s.dealer is None else f"P{s.dealer + 1}",
        "direction": "left" if s.direction > 0 else "right",
        "zones": {z.name: _zone_view(s, z, player) for z in program.zones if z.base != program.aside},
        "trick": _trick_view(s, player),
        "trick number": s.trick_number,
        "tricks": {f"P{p + 1}": count for p, count in enumerate(s.tricks)},
        "tokens": {name: _token_view(s, name, player) for name in program.tokens},
        "values": _values(s, player),
        "clock": s.clock,
        "busy": {f"P{p + 1}": list(until) for p, until in enumerate(s.busy) if until and until[-1] > s.clock},
        "scores": scores_seen(s, player),
        "over": s.over,
        "winners": [f"P{p + 1}" for p in winners(s)],
    }


table = by_rules(_table)


def _trick_view(s: Position, player: int) -> list[list[str | None]]:
    """Who has played what in the trick that is going on."""
    if not plays_tricks(s):
        return []
    eyes = Eyes(s)
    seen = ((p, c if eyes.at(c, lying_at(s, c)) >> player & 1 else None) for p, c in s.plays)
    return [[f"P{p + 1}", None if c is None else s.program.cards[c]] for p, c in seen]


def _zone_view(s: Position, code: ZoneCode, player: int) -> PlaceView | dict[str, PlaceView] | None:
    """A place; families by their labels. None if nothing is known of a place that is alone."""
    found: dict[str, PlaceView] = {}
    for at in range(code.size):
        place = code.base + at
        label = code.labels[at].partition(" ")[2]
        shown = _place_view(s, code, place, player)
        if shown is not None:
            found[label] = shown
    return found.get("") if not code.dims else found


def _faces(s: Position, place: int, viewer: int) -> list[int | None]:
    """The cards at a place in the order in which they are kept; None for each that the player does not see."""
    code = s.program.zones[s.program.place_zone[place]]
    cards, eyes = as_tuple(s.z[place]), Eyes(s)
    if code.shows_top:
        hidden: list[int | None] = [None] * (len(cards) - 1)
        return [*hidden, *(c if eyes.at(c, place) >> viewer & 1 else None for c in cards[-1:])]
    return [c if eyes.at(c, place) >> viewer & 1 else None for c in cards]


faces = by_rules(_faces)


def _is_counted(s: Position, place: int, viewer: int) -> bool:
    """Whether a player knows how many cards lie at a place."""
    code = s.program.zones[s.program.place_zone[place]]
    return bool(code.count_seen_by(s, code.owners[place - code.base]) >> viewer & 1)


is_counted = by_rules(_is_counted)


def _place_view(s: Position, code: ZoneCode, place: int, player: int) -> PlaceView | None:
    found = _faces(s, place, player)
    names = s.program.cards
    if code.kept == "mask":  # without an order, hidden cards must not betray themselves by their position
        found = sorted(c for c in found if c is not None) + [None] * found.count(None)
    else:
        found = found[::-1]
    shown = [None if c is None else names[c] for c in (found[:1] if code.shows_top else found)]
    if not _is_counted(s, place, player):  # a meld would tell that there is nothing beneath
        seen: list[str | None] = [c for c in shown if c is not None]
        return {"cards": seen} if seen else None
    if None not in found and (meld := meld_shown(s, place)) is not None:
        return {"count": len(found), "cards": shown, "meld": meld_text(s.program, meld)}
    return {"count": len(found), "cards": shown}


def scores_seen(s: Position, viewer: int) -> list[int | None]:
    """The scores, those left out that the viewer does not see while the match goes on."""
    eyes = s.program.score_eyes
    if eyes is None or s.over:
        return [*scores(s)]
    seen = [eyes(s, player) >> viewer & 1 for player in range(s.program.n)]
    found = scores(s) if any(seen) else seen
    return [score if is_seen else None for score, is_seen in zip(found, seen, strict=True)]


def _token_view(s: Position, name: str, viewer: int) -> dict[str, int]:
    """How many pieces lie on the table, and how many each player holds, as far as the viewer sees that."""
    holders, eyes = s.tokens[name], s.program.tokens[name].eyes
    held = {"table": holders.count(-1)}
    for player in range(s.program.n):
        if player in holders and (player == viewer or eyes(s, player) >> viewer & 1):
            held[f"P{player + 1}"] = holders.count(player)
    return held


def _values(s: Position, player: int) -> dict[str, Plain | dict[str, Plain]]:
    """Variables and definitions as far as the player may see them."""
    found: dict[str, Plain | dict[str, Plain]] = {}
    for name, code in s.program.variables.items():
        shown = {
            key_of(s, code, at): plain(s, code.kind, s.v[code.base + at])
            for at in range(code.size)
            if _sees_value(s, code, at, player)
        }
        if shown:
            found[name] = shown.get("") if not code.dims else shown
    return found | _definitions(s, player)


def _definitions(s: Position, player: int) -> dict[str, Plain | dict[str, Plain]]:
    """The values of definitions that the player may see; what they are made of need not be seen."""
    found: dict[str, Plain | dict[str, Plain]] = {}
    for name, each, function, eyes, kind in s.program.shown:
        if not each:
            if eyes(s, None) >> player & 1:
                found[name] = plain(s, kind, function(s))
            continue
        owners = range(s.program.n if each == "player" else max(s.program.teams) + 1)
        letter = "P" if each == "player" else "T"
        found[name] = {f"{letter}{o + 1}": plain(s, kind, function(s, o)) for o in owners if eyes(s, o) >> player & 1}
    return found


definitions = by_rules(_definitions)


def _sees_value(s: Position, code: VariableCode, at: int, player: int) -> bool:
    """Whether a player sees the value of a variable, of a family the one at an index."""
    return bool(value_eyes(s, code, at) >> player & 1)


sees_value = by_rules(_sees_value)


def value_eyes(s: Position, code: VariableCode, at: int) -> int:
    """Who sees the value of a variable, of a family the one at an index, as bits of players."""
    if code.seen_by is not None:
        return code.seen_by(s, code.keys[at][0] if code.dims and code.dims[0] in ("player", "team") else None)
    held = s.v[code.base + at]
    if code.kind == "card" and held is not None and held >= 0:
        return eyes_of(s, (held,))
    return eyes_of(s, held) if code.kind == "set of card" and held else ALL
