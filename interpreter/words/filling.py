"""Sentences that a ruleset gives, filled in for one reader: nothing is looked up that the reader may not know."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.engine.notation import NONE, QUOTE, UNSAID, named_player
from interpreter.engine.position import Position
from interpreter.engine.view import sees_value, value
from interpreter.language.templates import Slot, Template, Templates
from interpreter.words.acts import Acts, Chosen, Passage
from interpreter.words.arguments import CARDS, HIDDEN
from interpreter.words.people import Reader, counted
from interpreter.words.piles import singular
from interpreter.words.seating import directions
from interpreter.words.verbs import agreeing

Fill = Callable[[Slot], str | None]
"""What a slot becomes; None where the reader does not know it, or there is nothing."""


def filled(templates: Templates, fill: Fill) -> str | None:
    """The first of some texts of which the reader knows everything; None if there is none."""
    for template in templates:
        text = _filled(template, fill)
        if text is not None:
            return text
    return None


def _filled(template: Template, fill: Fill) -> str | None:
    parts: list[str] = []
    for piece in template.pieces:
        part = piece if isinstance(piece, str) else fill(piece)
        if part is None:
            return None
        parts.append(part)
    return "".join(parts)


def of_move(acts: Acts, reader: Reader, player: int, chosen: Chosen, goes: Passage | None) -> Fill:
    """Fills in what is told of a move. goes: what becomes of its cards at once."""
    spots = acts.piles.by_label

    def receiver() -> str | None:
        target = spots.get(goes.target) if goes is not None else None
        if target is not None and target.owner not in (None, player):
            return reader.who(target.owner or 0)
        return reader.who(chosen.players[0]) if chosen.players else None

    def fill(slot: Slot) -> str | None:
        match slot.kind:
            case "actor":
                return reader.who(player)
            case "owner":
                return reader.whose(player)
            case "verb":
                return agreeing(slot.text, not reader.is_you(player))
            case "receiver":
                return receiver()
            case "cards":
                if "cards" in chosen.said and sum(form in CARDS for form, _ in chosen.said.values()) > 1:
                    return named(Slot("name", "cards"))  # what is called so, beside other cards
                return acts.cards(reader, about) if about.count else None
            case "place":
                return place(slot)
            case "number":
                if about.uncounted:
                    return f"some {slot.text}"
                count = about.count if chosen.count else int(chosen.numbers[0]) if chosen.numbers else about.count
                return counted(count, singular(slot.text)) if count else None
        return named(slot)

    def named(slot: Slot) -> str | None:
        form, words = chosen.said.get(slot.text, ("", ()))
        if form in CARDS:
            cards = acts.known(words)
            return acts.cards(reader, cards) if cards.count else None
        if words in ((NONE,), (UNSAID,), (HIDDEN,)):
            return None
        return " ".join([argument(form, word) for word in words]) or None

    def place(slot: Slot) -> str | None:
        """The place of a zone that belongs to whoever was chosen."""
        words = chosen.said.get(slot.text, ("", ()))[1]
        spot = spots.get(f"{slot.zone} {words[0]}") if len(words) == 1 else None
        return None if spot is None else acts.piles.called(spot, reader)

    def argument(form: str, word: str) -> str:
        match form:
            case "players":
                return reader.who(int(word[1:]) - 1)
            case "teams":
                return reader.side(int(word[1:]) - 1)
            case "zones":
                return acts.piles.called(spots[word], reader)
            case "kinds":
                return reader.card(word)
            case "text":
                return word.removeprefix(QUOTE)
        return word.replace("_", " ")

    chosen = chosen.as_gone(goes)
    about = chosen if chosen.count or goes is None else Chosen(list(goes.cards), goes.count - len(goes.cards))
    return fill


def of_question(s: Position, reader: Reader, how_many: Callable[[str], str | None], others: Iterable[int] = ()) -> Fill:
    """Fills in what the reader is asked. how_many: cards that have to be chosen, in words, by what they are called.
    others: who looks at the same screen; what they do not see is not told."""
    assert reader.player is not None
    player = reader.player

    def fill(slot: Slot) -> str | None:
        match slot.kind:
            case "actor":
                return reader.who(player)
            case "owner":
                return reader.whose(player)
            case "verb":
                return agreeing(slot.text, False)
            case "number":
                return how_many(slot.text)
        if not slot.open and not all(_is_seen(s, slot.text, player, viewer) for viewer in (player, *others)):
            return None
        return _said(s, reader, value(s, slot.text, player))

    return fill


def _is_seen(s: Position, name: str, player: int, viewer: int) -> bool:
    """Whether a viewer sees a variable, of those for each player that of `player`, or a definition that views show."""
    if name in s.program.variables:
        code = s.program.variables[name]
        owner = {"player": player, "team": s.teams[player]}.get(code.dims[0] if code.dims else "")
        own = [at for at in range(code.size) if owner is None or code.keys[at][0] == owner]
        return all(sees_value(s, code, at, viewer) for at in own)
    shown = [(each, eyes) for known, each, _, eyes, _ in s.program.shown if known == name]
    return any(
        eyes(s, player if each == "player" else s.teams[player] if each else None) >> viewer & 1 for each, eyes in shown
    )


def _said(s: Position, reader: Reader, found: object) -> str | None:
    """A value as part of a sentence: people with where they sit, cards with symbols."""
    if found is None or isinstance(found, bool | dict):
        return None
    if isinstance(found, list | tuple | set):
        return ", ".join(part for item in found if (part := _said(s, reader, item))) or None
    text = str(found)
    who = named_player(s.program, text) if text[:1] == "P" else None
    if who is not None:
        where = directions(s, reader, who)
        return f"{reader.who(who)}, {where}" if where else reader.who(who)
    return reader.named(text)
