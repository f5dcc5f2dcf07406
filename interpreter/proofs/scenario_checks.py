"""The checks of scenarios, `expect` apart: moves, refusals, views, events, saving; and the table in a report.

Every check raises `Mismatch` with what was expected and what was found, at the place in the scenario that says it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from interpreter.api.game import State
from interpreter.api.record import ReplayError, play_again, read
from interpreter.base.diagnostics import Span, suggest
from interpreter.engine.available import open_actions
from interpreter.engine.chance import Dice, derive
from interpreter.engine.events import Event
from interpreter.engine.notation import IllegalMove, named_player
from interpreter.engine.packets import as_tuple
from interpreter.engine.stuck import stuck
from interpreter.language.source import Listing, Node, to_plain
from interpreter.language.source import Mapping as MappingNode
from interpreter.players.random_bot import RandomBot, measured
from interpreter.proofs.assertions import Mismatch, compare, plain_list, shown
from interpreter.proofs.open_view import open_view
from interpreter.words.drawing import position

MOST_MOVES = 20_000
SHOWN = 12
HIDDEN = "hidden"
"""Said of a place that a view does not tell at all."""


# ---- moves --------------------------------------------------------------------------------------------


def moves(state: State, kind: str, node: Node) -> None:
    """`legal` and `possible`: the moves of each player named, all of them, in any order."""
    assert isinstance(node, MappingNode)
    for name, listing in node.entries.items():
        player = _player(state, name, node.keys[name])
        found = state.legal_moves(player) if kind == "legal" else state.possible_moves(player)
        if len(found) > MOST_MOVES:
            raise Mismatch(f"{name} has {len(found)} moves: too many to list", node.keys[name])
        there = {str(move) for move in found}
        wanted = {_canonical(state, player, str(text)) for text in plain_list(listing)}
        if there != wanted:
            missing, besides = sorted(wanted - there), sorted(there - wanted)
            lines = [f"{name} has other {kind} moves than expected"]
            lines += [f"  missing: {listed(missing)}"] if missing else []
            lines += [f"  besides: {listed(besides)}"] if besides else []
            raise Mismatch("\n".join(lines), node.keys[name])


def _canonical(state: State, player: int, text: str) -> str:
    """A move as the engine writes it; as it stands if it means none."""
    try:
        return str(state.parse(player, text))
    except IllegalMove:
        return " ".join(text.split())


def refused(state: State, player: int, move: str, extra: Mapping[str, int], law: str, span: Span) -> None:
    """The move must be refused by that law, and change nothing."""
    before = state.to_json()
    expected = f"expected: '{law}' refuses P{player + 1} {move}"
    try:
        state.play(player, move, **extra)
    except IllegalMove as refusal:
        if refusal.law != law:
            raise Mismatch(f"{expected}\nfound: it is refused by {refusal}", span) from None
        if state.to_json() != before:
            raise Mismatch(f"the refused move '{move}' has changed the position", span) from None
        return
    raise Mismatch(f"{expected}\nfound: the move is made", span)


def place_of_law(state: State, player: int, law: str) -> Span | None:
    """Where the ruleset says a law that has refused a move; None if the machine itself refused it."""
    actions = [] if state.over else [action for action, _ in open_actions(state.position, player, everything=True)]
    return next((found.span for action in actions for found in action.laws if found.name == law), None)


def measures(state: State, player: int, move: str, extra: Mapping[str, int], span: Span) -> None:
    """What is given with a move must be a time or one of its measures; a misspelt one would go unnoticed."""
    try:
        known = ["begin", "end", *measured(state, player, state.parse(player, move))]
    except IllegalMove:  # what it can take is not known; that it is none is told when it is made
        known = ["begin", "end", *(name for name in extra if name not in ("player", "move"))]
    for name in extra:
        if name not in known:
            raise Mismatch(f"'{move}' takes no '{name}' ({suggest(name, known)})", span)


def play_on(state: State, number: int, seed: int) -> None:
    """Random lawful moves: an actor at random, then one of the moves; stops when the match is over."""
    made = len(state.position.record_moves)
    dice, bot = Dice(derive(seed, made)), RandomBot(derive(seed, made + 1))
    for _ in range(number):
        if state.over:
            return
        able = [player for player in state.actors if len(state.legal_moves(player))]
        if not able and state.actors:
            raise stuck(state.position, state.actors[0])
        if not able:
            raise Mismatch(f"nobody has a lawful move in '{state.phase}', and the match is not over")
        player = able[dice.below(len(able))]
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move, **bot.measures(state, player, move))


def saved(state: State) -> State:
    """The state read back from its JSON; its record must lead to an equal one."""
    text = state.to_json()
    again = state.game.restore(text)
    if again.to_json() != text:
        raise Mismatch("the match that was read back from its JSON is another")
    try:
        played = play_again(read(state.record()), state.game)
    except ReplayError as error:
        raise Mismatch(f"the record cannot be replayed: {error}") from None
    if played.to_json() != text:
        raise Mismatch("the match that was replayed from its record is another")
    return again


# ---- view and events ----------------------------------------------------------------------------------


def views(state: State, node: Node) -> None:
    """What players see: cards that are hidden from them or shown to them, and any part of their view."""
    assert isinstance(node, MappingNode)
    for name, seen in node.entries.items():
        view = state.view(_player(state, name, node.keys[name]))
        words = {word.upper() for word in re.findall(r"[A-Za-z0-9_]+", json.dumps(view))}
        assert isinstance(seen, MappingNode)
        for key, wanted in seen.entries.items():
            span = seen.keys[key]
            if key in ("hidden", "shown"):
                _check_seen(state, name, key, wanted, words, span)
            else:
                known = tuple(state.game.program.variables)
                compare(f"{name} sees {key}", *_in_view(view, key, to_plain(wanted), name, span, known), span)


def _check_seen(state: State, viewer: str, key: str, node: Node, words: set[str], span: Span) -> None:
    for card in plain_list(node):
        number = state.game.program.by_name.get(str(card).upper())
        if number is None:
            raise Mismatch(f"there is no card '{card}' in the pack", span)
        face = state.game.program.cards[number]
        if (face.upper() in words) is not (key == "shown"):
            found = "does not see it" if key == "shown" else "can see it in the own view or log"
            raise Mismatch(f"{face} is expected to be {key} to {viewer}, and {viewer} {found}", span)


def _in_view(
    view: Mapping[str, Any], key: str, wanted: Any, viewer: str, span: Span, variables: Sequence[str]
) -> tuple[Any, Any]:
    """The part of a view with that name, at the top or one level below; a number counts a list.

    A variable that the view leaves out is hidden.
    """
    holders = [view, *(part for part in view.values() if isinstance(part, dict))]
    for holder in holders:
        if key in holder:
            return wanted, _counted(wanted, holder[key])
    if key in variables:
        return wanted, HIDDEN
    known = [name for holder in holders for name in holder]
    raise Mismatch(f"the view of {viewer} has no '{key}' ({suggest(key, known)})", span)


def _counted(wanted: Any, found: Any) -> Any:
    """A place of a view as it is asked for: the number of its cards, or their faces, `?` for one that is hidden."""
    if isinstance(found, dict) and "cards" in found and not isinstance(wanted, dict):
        if type(wanted) is int:
            return found.get("count", len(found["cards"]))
        return ["?" if face is None else face for face in found["cards"]]
    if isinstance(wanted, dict) and isinstance(found, dict):
        unseen = {key: HIDDEN for key, value in wanted.items() if value == HIDDEN and key not in found}
        return {key: _counted(wanted.get(key), value) for key, value in found.items()} | unseen
    return len(found) if type(wanted) is int and isinstance(found, list) else found


def events(log: Sequence[Event], start: int, node: Node) -> None:
    """Each text occurs in an event, in this order, since the last such check. `{cards: TEXT}` names the kind too."""
    at = start
    for item in node.items if isinstance(node, Listing) else (node,):
        wanted = to_plain(item)
        found = next((i for i in range(at, len(log)) if _tells(log[i], wanted)), None)
        if found is None:
            told = [str(event).strip() for event in log[at:]]
            since = f"after '{str(log[at - 1]).strip()}'" if at > start else "since the last such check"
            lines = [f"expected an event: {shown(wanted)}", f"found {since}:"] + [f"  {text}" for text in told[:30]]
            raise Mismatch("\n".join(lines) if told else f"{lines[0]}\nfound {since}: nothing", item.span)
        at = found + 1


def _tells(event: Event, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return all(event.head == kind and str(text) in str(event) for kind, text in wanted.items())
    return str(wanted) in str(event)


# ---- words --------------------------------------------------------------------------------------------


def listed(texts: Sequence[str]) -> str:
    """Some texts in a row, not too many."""
    rest = len(texts) - SHOWN
    return ", ".join(islice(texts, SHOWN)) + (f" and {rest} more" if rest > 0 else "") if texts else "nothing"


def table(state: State, seat: int | None) -> str:
    """The table as it is drawn for a player who sits at a seat, or with all cards open."""
    stage = "when the match is over" if state.over else f"in '{state.phase}'"
    seen = "with all cards open" if seat is None else f"as P{seat + 1} sees it"
    try:
        view = open_view(state) if seat is None else state.view(seat)
        lines = list(position(view, state.game.program.ranks, state.position.teams))
    except Exception as error:  # the rules that are asked for what is seen may be those that are broken
        return f"the table {stage} cannot be drawn: {error}"
    aside = len(as_tuple(state.position.z[state.game.program.aside]))
    if aside and seat is None:
        lines.append(f"  aside: {aside} card{'' if aside == 1 else 's'} that nobody plays with")
    return "\n".join([f"the table {stage}, {seen}:", *lines])


def _player(state: State, name: str, span: Span) -> int:
    player = named_player(state.game.program, name)
    if player is None:
        raise Mismatch(f"there is no {name}; the players are P1 to P{state.game.program.n}", span)
    return player
