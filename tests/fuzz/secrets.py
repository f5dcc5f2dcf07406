"""What a seat must not learn: which cards it sees, and the same table with cards exchanged that it does not see."""

from __future__ import annotations

import re
from typing import Any

from interpreter.api.game import State
from interpreter.engine.failures import by_rules
from interpreter.engine.packets import as_tuple
from interpreter.engine.position import Position
from interpreter.engine.view import is_counted
from interpreter.language.typed import Move

Eyes = tuple[int, ...]
"""For each place, the bits of the players who see faces there."""

TAKEN_BACK = " (taken back)"


def eyes_of(state: State) -> Eyes:
    """By place: who sees the cards that lie there, single ones that are turned apart. Raises RuleError."""
    return _eyes(state.position)


@by_rules
def _eyes(s: Position) -> Eyes:
    zones = [(code, owner) for code in s.program.zones for owner in code.owners]
    return (*(0 if code.faces_down else code.seen_by(s, owner) for code, owner in zones), 0)


def lying(state: State) -> dict[int, int]:
    """Card -> its place."""
    return {card: place for place, kept in enumerate(state.position.z) for card in as_tuple(kept)}


def seen_cards(state: State, viewer: int, eyes: Eyes) -> set[int]:
    """The cards whose faces a player sees, or is told of by a variable."""
    up, down = set(as_tuple(state.position.up)), set(as_tuple(state.position.down))
    found = set(up)
    for place, kept in enumerate(state.position.z):
        if place < len(eyes) and eyes[place] >> viewer & 1:
            top = state.game.program.tops[place]
            cards = as_tuple(kept)[-1:] if top and not isinstance(kept, int) else as_tuple(kept)
            found |= set(cards) - down
    for code in state.game.program.variables.values():
        if code.kind == "card":
            for at in range(code.size):
                owner = code.keys[at][0] if code.dims and code.dims[0] in ("player", "team") else None
                if code.seen_by is not None and code.seen_by(state.position, owner) >> viewer & 1:
                    card = state.position.v[code.base + at]
                    found |= set() if card is None else {card}
    return found


def is_settled(state: State) -> bool:
    """Whether cards are named nowhere but where they lie and in variables."""
    s = state.position
    return not (s.plays or s.faults or any(frame.args for frame in s.stack) or s.hidden)


def hidden_pairs(state: State, viewer: int, eyes: Eyes) -> list[tuple[int, int]]:
    """Pairs of cards that a player does not see, which lie in different places or at different heights."""
    seen = seen_cards(state, viewer, eyes)
    single = state.game.program.copies
    hidden = [
        card
        for card in range(len(state.game.program.cards))
        if card not in seen and single[state.game.program.first_copy[card]].bit_count() == 1
    ]
    half = len(hidden) // 2
    return list(zip(hidden[:half], hidden[half:], strict=False))


def exchanged(state: State, one: int, two: int) -> State:
    """A copy in which two cards have changed places, everything that is known of them included."""
    other = state.copy()
    change = {one: two, two: one}
    bits = (1 << one) | (1 << two)
    for place, kept in enumerate(other.position.z):
        if isinstance(kept, int):
            if (kept & bits).bit_count() == 1:
                other.position.z[place] = kept ^ bits
        else:
            other.position.z[place] = [change.get(card, card) for card in kept]
    for name in ("up", "down"):
        kept = getattr(other.position, name)
        if isinstance(kept, int) and (kept & bits).bit_count() == 1:
            setattr(other.position, name, kept ^ bits)
    for code in other.game.program.variables.values():
        if code.kind == "card":
            for slot in range(code.base, code.base + code.size):
                other.position.v[slot] = change.get(other.position.v[slot], other.position.v[slot])
    return other


def names_in(text: str, state: State) -> set[str]:
    """The names of cards that occur in a text."""
    return {word for word in re.findall(r"\w+", text) if word in state.game.program.by_name}


def told_too_much(before: State, after: State, events: list[Any], viewer: int, eyes: tuple[Eyes, Eyes]) -> str:
    """The line that names a card to a player who saw neither the place that it left nor the one where it lies."""
    was, now = lying(before), lying(after)
    seen = seen_cards(before, viewer, eyes[0]) | seen_cards(after, viewer, eyes[1])
    program = after.game.program
    seen_names = {program.cards[card] for card in seen}
    labels = {label: place for place, label in enumerate(program.places)}
    secret = {
        program.cards[card]
        for card in now
        if program.cards[card] not in seen_names and was.get(card) != now[card]
    }  # fmt: skip
    lines = []
    for event in events:
        text = event.text(viewer)
        if event.kind == "cards":
            ends = [labels[end] for end in (event.source, event.target) if end in labels]
            open_end = any(end >= len(eyes[0]) or (eyes[0][end] | eyes[1][end]) >> viewer & 1 for end in ends)
            shown = event.words == "shown" and event.seen >> viewer & 1
            if open_end or event.words == "face up" or shown:
                secret -= set(event.cards)
        elif event.kind == "flip":  # what was turned up so may lie face down again by now
            secret -= {program.cards[card] for card, place in was.items() if place == labels.get(event.words)}
        if event.kind in ("move", "cards") and text is not None and not text.endswith(TAKEN_BACK):
            lines.append(text)
        elif event.kind in ("note", "say"):
            secret -= names_in(event.words, after)
    for line in lines:
        named = names_in(line, after) & secret
        if named:
            return f"P{viewer + 1} reads '{line}'"
    return ""


def taken_back_too_openly(after: State, events: list[Any], viewer: int, eyes: Eyes) -> str:
    """The line of a move that was taken back that names a card to a player who does not see it, nor would have."""
    hidden = {after.game.program.cards[card] for card in lying(after)}
    hidden -= {after.game.program.cards[card] for card in seen_cards(after, viewer, eyes)}
    for event in events:
        text = event.text(viewer)
        if event.kind == "move" and event.player != viewer and text is not None and text.endswith(TAKEN_BACK):
            if names_in(text, after) & hidden and not may_open(after, event.words.split(" ")[0], viewer, eyes):
                return f"P{viewer + 1} reads '{text}'"
    return ""


def may_open(state: State, action: str, viewer: int, eyes: Eyes) -> bool:
    """Whether what an action does may lay cards where a player sees them, or is more than to lay cards somewhere."""
    for stage in state.game.ruleset.model.stages.values():
        for found in (*stage.actions, *stage.anytime):
            if found.name != action:
                continue
            plain = all(isinstance(effect, Move) and not effect.facing for effect in found.effect)
            if found.rows or stage.kind == "trick" or not plain:
                return True
            for code in state.game.program.zones:
                if code.name in {effect.target.name for effect in found.effect}:
                    if any(eyes[place] >> viewer & 1 for place in range(code.base, code.base + code.size)):
                        return True
    return False


def counted_too_much(before: State, after: State, events: list[Any], viewer: int) -> str:
    """The line about cards that a player reads who neither sees them nor may know how many lie there."""
    labels = {label: place for place, label in enumerate(after.game.program.places)}
    for event in events:
        text = event.text(viewer)
        if event.kind == "cards" and text is not None and not event.seen >> viewer & 1:
            ends = [labels[end] for end in (event.source, event.target) if end in labels]
            if not any(is_counted(state.position, end, viewer) for state in (before, after) for end in ends):
                return f"P{viewer + 1} reads '{text}'"
    return ""
