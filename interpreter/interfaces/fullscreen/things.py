"""What a player can point at: places, cards in a hand, players, pieces, and what is done without any of them.

A move is then a way: the things to point at, in the order in which its text names them. What is left to say when all
of them are named (a suit, a number) is asked afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from interpreter.engine.available import action_named
from interpreter.engine.legal import listable_moves
from interpreter.engine.notation import params_of, without_place
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.groups import by_action
from interpreter.players.good_faith import lawful_moves
from interpreter.words.acts import told_by_place
from interpreter.words.drawing import card_order

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.moves import Move
    from interpreter.engine.program import ActionCode

Thing = tuple[str, ...]
"""("place", label), ("slot", label, number), ("player", "P2"), ("piece", "1") or ("action", name)."""
MOST, MOST_WAYS = 400, 2_000
"""More moves than this of one action are not gone through, nor more ways to point at what they name."""


def places(view: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Everything that has cards in a view: the zone's name, the place's label, and what the view says of it."""
    for name, zone in view["zones"].items():
        if not isinstance(zone, Mapping):
            continue
        if "cards" in zone:
            yield name, name, zone
            continue
        for key, place in zone.items():
            yield name, f"{name} {key}".strip(), place


def owner(label: str) -> str | None:
    """Whose a place is, as `P2`; None if it belongs to nobody, or to a team."""
    words = label.split(" ")
    return words[1] if len(words) > 1 and words[1][:1] == "P" and words[1][1:].isdecimal() else None


class Spots:
    """Where the cards lie that a player sees.

    Of a pile the top card counts. The cards of a fan are chosen one by one, so each has a slot, which it keeps as long
    as it stays: only then is its key always the same. fans: names of the zones that are fans.
    """

    def __init__(self, fans: Iterable[str], ranks: Sequence[str]) -> None:
        self.fans = set(fans)
        self.sorts = False
        """Whether cards that come to others are laid out with them: where nobody is in a hurry to find their keys."""
        self._ranks = ranks
        self._slots: dict[str, list[str | None]] = {}
        self._where: dict[str, list[Thing]] = {}
        self._view: Mapping[str, Any] = {"player": "", "zones": {}}

    def look(self, view: Mapping[str, Any]) -> None:
        """Take in what lies where now."""
        self._view = view
        self._where = {}
        for zone, label, place in places(view):
            cards = [card for card in place["cards"] if card is not None]
            if zone in self.fans:
                self._deal_out(label, cards)
                for number, held in enumerate(self._slots[label]):
                    if held is not None:
                        self._where.setdefault(held, []).append(("slot", label, str(number)))
            elif cards and place["cards"][0] is not None:
                self._where.setdefault(cards[0], []).append(("place", label))

    def slots(self, label: str) -> list[str | None]:
        """The cards of a fan, each in its slot; None for a free one."""
        return self._slots.get(label, [])

    def of(self, card: str) -> list[Thing]:
        """What to point at for a card: of equal ones at those that are the player's own, if there are any."""
        if card not in self._where:
            for zone, _, place in places(self._view):
                if card in place["cards"]:
                    self.fans.add(zone)
            self.look(self._view)
        found = self._where.get(card, [])
        return [thing for thing in found if owner(thing[1]) == self._view["player"]] or found

    def card(self, thing: Thing) -> str | None:
        """The card at a slot."""
        held = self.slots(thing[1]) if thing[0] == "slot" else []
        return held[int(thing[2])] if thing[0] == "slot" and int(thing[2]) < len(held) else None

    def top(self, thing: Thing) -> str | None:
        """The card that is pointed at: at a slot, or on top of a place; None where none is seen."""
        if thing[0] == "place":
            return next((place["cards"][0] for _, label, place in places(self._view) if label == thing[1]), None)
        return self.card(thing)

    def _deal_out(self, label: str, cards: Sequence[str]) -> None:
        """Lay out cards: those that stay keep slots, new ones fill what is free; if most are, all begin anew."""
        slots = self._slots.get(label, [])
        new = list(cards)
        kept: list[str | None] = []
        for held in slots:
            stays = held in new
            kept.append(held if stays else None)
            if stays and held is not None:
                new.remove(held)
        if 2 * len(new) > len(cards) or (new and self.sorts):
            kept, new = [], list(cards)
        for card in sorted(new, key=lambda c: card_order(c, self._ranks)):
            if None in kept:
                kept[kept.index(None)] = card
            else:
                kept.append(card)
        while kept and kept[-1] is None:
            kept.pop()
        self._slots[label] = kept


@dataclass(frozen=True, slots=True)
class Way:
    """A move, and what to point at for it."""

    things: tuple[Thing, ...]
    move: Move


@dataclass(frozen=True, slots=True)
class Open:
    """What is open to a player. lawful, possible: ways, in the order of the ruleset; on honour what a player can take
    for lawful.

    several: names of actions for which cards are chosen together. wordy: names of those with too many moves to list.
    listed: how many moves were listed to find that out.
    """

    lawful: tuple[Way, ...]
    possible: tuple[Way, ...]
    several: tuple[str, ...]
    wordy: tuple[str, ...]
    listed: int = 0

    @property
    def actions(self) -> list[str]:
        """Actions for which nothing needs to be pointed at."""
        return list(dict.fromkeys(way.things[0][1] for way in self.possible if way.things[0][0] == "action"))


NOTHING = Open((), (), (), ())


def opened(state: State, player: int, spots: Spots) -> Open:
    """What is open to a player now. `spots` must have looked at the player's view."""
    several: list[str] = []
    wordy: list[str] = []
    found: list[tuple[Way, ...]] = []
    lawful, _ = lawful_moves(state, player)
    try:
        possible: Sequence[Move] = listable_moves(state.position, player)
    except RuleError:  # they cannot be told; then nothing more is said of what is refused
        possible = lawful
    for moves in (lawful, possible):
        ways: list[Way] = []
        for action, group in by_action(moves):
            together = _chosen_together(state, player, group[-1])
            if together:
                several.append(action)
            elif together is not None or len(group) > MOST:
                wordy.append(action)
            else:
                of_action = [way for move in group for way in islice(_ways(state, player, move, spots), MOST_WAYS + 1)]
                if len(of_action) > MOST_WAYS:  # of very many equal cards in many places
                    wordy.append(action)
                else:
                    ways += of_action
        found.append(tuple(ways))
    listed = len(lawful) + len(possible)
    return Open(found[0], found[1], tuple(dict.fromkeys(several)), tuple(dict.fromkeys(wordy)), listed)


def _chosen_together(state: State, player: int, move: Move) -> Sequence[int] | None:
    """The cards that are chosen together for a move; none where they cannot be pointed at, None where none are."""
    action = action_named(state.position, move.action)
    params = () if action is None else params_of(state.position, player, action, move.args)
    several = [(param.form, value) for param, value in zip(params, move.args, strict=False) if isinstance(value, tuple)]
    if not several:
        return None
    found: list[int] = []
    for form, value in several:
        if form != "cards":  # a meld, whose cards may be moves alone, too, or a text
            return ()
        found += value
    return found if all(card >= 0 for card in found) else ()  # there is no pointing at cards that are not seen


def pointed_first(action: ActionCode) -> str:
    """The zone of which a place is pointed at first for an action; "" where it is no place, or not always of the same
    zone."""
    first = next(iter(action.params), None)
    if first is None:
        return ""
    return first.zone if first.form == "zones" else told_by_place(action).get(first.name, "")


def _ways(state: State, player: int, move: Move, spots: Spots) -> Iterator[Way]:
    """The ways of one move: several where equal cards lie at several places."""
    action = action_named(state.position, move.action)
    pointed: list[list[Thing]] = []
    params = () if action is None else params_of(state.position, player, action, move.args)
    program = state.game.program
    by_place = {} if action is None else told_by_place(action)
    for param, value in zip(params, move.args, strict=False):
        if value is None:
            continue
        match param.form:
            case "zones":
                pointed.append([("place", program.places[value])])
            case "players" if f"{by_place.get(param.name)} P{value + 1}" in program.places:
                pointed.append([("place", f"{by_place[param.name]} P{value + 1}")])
            case "players":
                pointed.append([("player", f"P{value + 1}")])
            case "tokens":
                pointed.append([("piece", str(value))])
            case "cards" if value >= 0:
                pointed.append(spots.of(program.cards[without_place(program, value)]))
    pointed = [things for things in pointed if things]
    if all(things[0][0] == "piece" for things in pointed):  # any of the pieces will do, in a hurry
        yield Way((("action", move.action),), move)
    if pointed:
        for things in product(*pointed):
            yield Way(things, move)
