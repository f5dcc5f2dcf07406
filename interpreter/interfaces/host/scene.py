"""What the page of one reader draws, and what it asks: plain JSON data, from that reader's view and words alone.

A scene is the same for two tables that the reader cannot tell apart: it has no numbers of hidden cards, and nothing
of what a law would say of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.engine.available import open_actions
from interpreter.engine.events import Event, Told
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.view import Looks, table
from interpreter.interfaces.host.onlooker import common
from interpreter.interfaces.host.page_offers import offers
from interpreter.interfaces.host.placing import places
from interpreter.interfaces.host.setting import Phrase, Setting, setting_of, zones_of
from interpreter.words.drawing import NOTHING, Captions, title_of, word_of

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.words.voice import Voice

LOOKED_BACK = 600
"""Events among which the last trick is looked for."""


@dataclass(slots=True)
class Kept:
    """What has been made for the readers of a match and stays as it is while nothing changes; see `view.Looks`.

    places: by reader and place, of what the place is made, and how it is drawn. games: by reader what never changes.
    tricks: by reader how many events were looked through, and the last trick.
    """

    looks: Looks = field(default_factory=dict)
    places: dict[tuple[int | None, int], tuple[Any, bool, dict[str, Any]]] = field(default_factory=dict)
    games: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    tricks: dict[int | None, tuple[int, dict[str, Any] | None]] = field(default_factory=dict)


def scene(state: State, voice: Voice, player: int | None, kept: Kept | None = None) -> dict[str, Any]:
    """The table as one reader may know it. player: whose eyes; None for somebody without a seat. kept: of this match.

    game: what stays as it is (name, honour, cards by face with their looks, phrases that can be said). me: "" for who
    watches. kind: of the stage, such as trick or race. seats: in their order from the reader on. facts: what all want
    to see, [name, value]. places: see `placing`. trick, last: [player, card] of the trick and of the one before, with
    who took it. pieces: {id, name, table, held}. result: how it ended, in sentences.
    """
    s, setting = state.position, setting_of(state.game)
    kept = kept or Kept()
    view = _common(state, setting, kept) if player is None else _table(state, setting, kept, player)
    if player not in kept.games:
        kept.games[player] = _game(state, setting, voice, player)
    captions = voice.captions(player)
    always = list(s.program.always_shown)
    told = {name: value for name, value in view["values"].items() if name in always and captions.shows(name)}
    return {
        "game": kept.games[player],
        "me": "" if player is None else f"P{player + 1}",
        "kind": kind_of_phase(s) if not state.over else "over",
        "stage": title_of(view["phase"]),
        "direction": view["direction"],
        "seats": [_seat(state, view, captions, told, seat) for seat in _order(state, player)],
        "facts": [
            [captions.title(name), captions.called(word_of(value))] for name, value in _facts(view, told, always)
        ],
        "places": list(places(state, voice, player, view, setting, _choosable(state, setting, player), kept.places)),
        "trick": view["trick"],
        "last": _last_trick_kept(state, setting, player, kept),
        "pieces": [
            {
                "id": name,
                "name": s.program.tokens[name].named.replace("_", " "),
                "table": held["table"],
                "held": {who: count for who, count in held.items() if who != "table"},
            }
            for name, held in view["tokens"].items()
        ],
        "over": state.over,
        "result": list(voice.result(player)) if state.over else [],
    }


def ask(state: State, voice: Voice, player: int) -> dict[str, Any] | None:
    """What is asked of a player now, with what can be answered; None for nothing."""
    return offers(state, voice, player, setting_of(state.game))


def _game(state: State, setting: Setting, voice: Voice, player: int | None) -> dict[str, Any]:
    game = state.game
    return {
        "name": game.ruleset.name,
        "honour": game.enforcement == "honor",
        "cards": setting.cards,
        "taps": {zone: list(actions) for zone, actions in setting.taps.items()},
        "phrases": [_phrase(phrase, voice, player) for phrase in setting.phrases],
    }


def _phrase(phrase: Phrase, voice: Voice, player: int | None) -> list[Any]:
    return [
        piece if isinstance(piece, str) else [voice.choice(None, word) for word in piece] for piece in phrase.pieces
    ]


def _choosable(state: State, setting: Setting, player: int | None) -> set[str]:
    """The zones from which something can be chosen at such a stage."""
    if player is None or state.over:
        return set()
    found = set()
    for action, _ in open_actions(state.position, player):
        stage = state.game.program.stages[action.stage].name
        if (defined := setting.acts.get((stage, action.name))) is not None:
            found |= {zone for param in defined.params for zone in zones_of(param)}
    return found


def _order(state: State, player: int | None) -> list[int]:
    seats = list(state.position.order())
    at = seats.index(player) if player in seats else 0
    return seats[at:] + seats[:at]


def _seat(
    state: State,
    view: Mapping[str, Any],
    captions: Captions,
    told: Mapping[str, Any],
    seat: int,
) -> dict[str, Any]:
    who, team = f"P{seat + 1}", f"T{state.position.teams[seat] + 1}"
    teams = state.position.teams
    facts = [
        [captions.title(name), word_of(value[owner])]
        for name, value in told.items()
        for owner in (who, team)
        if isinstance(value, dict) and owner in value and name != "score"
    ]
    tricks = view["tricks"].get(who, 0)
    if tricks and not any("trick" in name for name in told):
        facts.append(["tricks", str(tricks)])
    found = {
        "id": who,
        "name": captions.names[seat],
        "mark": captions.marks[seat] if captions.marks else "",
        "turn": who in view["actors"] and len(view["actors"]) < view["players"],
        "dealer": who == view["dealer"],
        "score": view["scores"][seat],
        "facts": facts,
    }
    if len(set(teams)) < len(teams):
        found["side"] = team
    return found


def _facts(view: Mapping[str, Any], told: Mapping[str, Any], always: Sequence[str]) -> Iterable[tuple[str, Any]]:
    """What is known of the deal and belongs to no player: what the ruleset wants shown, or whatever there is."""
    for name in always or view["values"]:
        value = view["values"].get(name)
        if isinstance(value, dict | list) or value is None or (isinstance(value, bool) and not always):
            continue
        if name in told or value not in NOTHING:
            yield name, value


def _last_trick_kept(state: State, setting: Setting, player: int | None, kept: Kept) -> dict[str, Any] | None:
    """The last trick, looked for only where one has ended since it was found."""
    log = state.log or []
    looked, found = kept.tricks.get(player, (0, None))
    if not looked or looked > len(log) or any(event.kind in ("trick", "stage") for event in log[looked:]):
        found = _last_trick(state, setting, player)
    kept.tricks[player] = len(log), found
    return found


def _last_trick(state: State, setting: Setting, player: int | None) -> dict[str, Any] | None:
    """The trick before the one that is going on, as the reader saw it, and who took it."""
    zones = {zone for zone, style in setting.styles.items() if style.form == "trick"}
    plays: list[list[Any]] = []
    taker = ""
    for event in reversed((state.log or [])[-LOOKED_BACK:] if zones else ()):
        if event.kind == "trick":
            if taker:
                break
            taker = f"P{(event.player or 0) + 1}"
        elif taker and event.kind == "cards" and event.target in zones:
            read = _read_by_all(state, event) if player is None else event.read_by(player)
            _, _, whose = event.source.partition(" ")
            plays.append([whose, read.cards[0] if read is not None and read.cards else None])
        elif taker and event.kind == "stage":
            break
    return {"plays": plays[::-1], "to": taker} if taker else None


def _read_by_all(state: State, event: Event) -> Told | None:
    reads = {event.read_by(seat) for seat in range(state.game.players)}
    return reads.pop() if len(reads) == 1 else None


def _table(state: State, setting: Setting, kept: Kept, player: int) -> Mapping[str, Any]:
    """What a player may know, as far as it is drawn."""
    s = state.position
    return table(s, player, kept.looks, setting.styles, s.program.always_shown or None)


def _common(state: State, setting: Setting, kept: Kept) -> Mapping[str, Any]:
    """The view of somebody without a seat: what all who have one know alike."""
    views: list[Any] = [{**_table(state, setting, kept, seat), "player": ""} for seat in range(state.game.players)]
    found: dict[str, Any] = common(views)
    found.setdefault("scores", [None] * state.game.players)
    for key in ("values", "zones", "tokens"):
        found.setdefault(key, {})
    return found
