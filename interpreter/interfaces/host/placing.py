"""The places of a table for one reader: which are drawn, where, and what of their cards the reader may see."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from interpreter.engine.notation import place_text
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.host.setting import ALWAYS, CHOSEN, FILLED, NEVER, Setting, Style
from interpreter.words.drawing import card_order, title_of

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.words.voice import Voice

MOST_DRAWN = 60
"""Cards of a place that are drawn one by one."""


def places(
    state: State,
    voice: Voice,
    player: int | None,
    view: Mapping[str, Any],
    setting: Setting,
    chosen: Collection[str],
    kept: dict[tuple[int | None, int], tuple[Any, bool, dict[str, Any]]],
) -> Iterator[dict[str, Any]]:
    """Each place that is drawn, in the order of the ruleset. chosen: zones from which the reader can choose now. kept:
    how places were drawn before; one that looks the same is drawn the same.

    id: as moves name it. seat: whose it is (P1, T1), "" for nobody. at, as, group, beside: see `setting.Style`. cards:
    top first, null where the face is hidden; of a stack the top alone. count: missing where it is not known.
    """
    program, races = state.game.program, kind_of_phase(state.position) == "race"
    for zone in program.zones:
        style = setting.styles.get(zone.name)
        if style is None:
            continue
        seen = view["zones"].get(zone.name)
        for at, label in enumerate(zone.labels):
            key = label.partition(" ")[2]
            place = (seen if not zone.dims else (seen or {}).get(key)) or {"cards": []}
            if not _is_drawn(style, place, zone.name in chosen):
                continue
            before = kept.get((player, zone.base + at))
            if before is not None and before[0] is place and before[1] == races:
                yield before[2]
                continue
            found = {
                "id": place_text(program, zone.base + at),
                "zone": zone.name,
                "seat": _seat(zone.dims, key),
                "at": style.at,
                "as": style.form,
                "name": style.name or (voice.place(player, label) if zone.dims else title_of(label)),
                **_cards(place, style, races, program.ranks),
            }
            if style.group:
                found["group"] = style.group
            if style.beside:
                found["beside"] = style.beside
            if "meld" in place:
                found["meld"] = place["meld"]
            if "team" not in zone.dims:  # who is of a side may change
                kept[player, zone.base + at] = place, races, found
            yield found


def _seat(dims: tuple[str, ...], key: str) -> str:
    return key.split(" ")[0] if dims[:1] in (("player",), ("team",)) else ""


def _is_drawn(style: Style, place: Mapping[str, Any], can_choose: bool) -> bool:
    has_cards = bool(place["cards"]) or place.get("count", 0) > 0
    match style.drawn:
        case drawn if drawn == ALWAYS:
            return True
        case drawn if drawn == FILLED:
            return has_cards
        case drawn if drawn in (CHOSEN, NEVER):
            return has_cards and can_choose
    return True


def _cards(place: Mapping[str, Any], style: Style, races: bool, ranks: tuple[str, ...]) -> dict[str, Any]:
    cards: list[str | None] = place["cards"]
    found: dict[str, Any] = {"count": place["count"]} if "count" in place else {}
    if style.form in ("stack", "count"):
        return {"cards": cards[:1] if style.form == "stack" else [], **found}
    if style.sorted and not races and None not in cards:
        cards = sorted(cards, key=lambda card: card_order(card or "", ranks))
    return {"cards": cards[:MOST_DRAWN], **found}
