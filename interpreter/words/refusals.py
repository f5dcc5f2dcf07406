"""Why a move is refused, as a friend at the table would say it: from what the player sees, and what would do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from interpreter.base.signs import shortened
from interpreter.engine.from_words import near_card
from interpreter.engine.legal import legal_moves, listable_moves, waited_for
from interpreter.engine.moves import Move
from interpreter.engine.notation import TOO_MANY, UNKNOWN, IllegalMove
from interpreter.engine.position import Position
from interpreter.engine.refusing import cannot_be_done
from interpreter.engine.rule_errors import RuleError
from interpreter.words.people import Reader, listed, number_word, sentence

FOLLOWING = frozenset({"follow", "follow_suit", "must_follow", "must_follow_suit"})
"""What the law is called by which one plays the suit that was led."""
MOST_NAMED = 6
"""More cards than this are not all named that would do."""
PLAIN = "you hold "
"""How the message of such a law begins that says no more than is said here."""
_CANNOT = re.compile(r"(?:[a-z]\w* (?=-?\d))?(\S+) cannot be chosen(?: now)?")
"""That something cannot be chosen: what it is, after the name of what is chosen if it is a number."""
_NOT_ONE = re.compile(r" is not an? [a-z]+$")
_QUOTED = re.compile(r"(?<!\w)'([^' ]+)((?: [^']*)?)'(?!\w)")


def refused(
    s: Position, reader: Reader, refusal: IllegalMove, view: Mapping[str, Any], in_words: Callable[[Move], str] = str
) -> str:
    """A refusal as a sentence for the player who tried.

    view: what that player sees on the table, before or after. in_words: a move as that player may type it, for an
    example.
    """
    if refusal.about is not None:
        kind, word = refusal.about
        if kind == UNKNOWN:
            return _unknown(s, reader, word, view, in_words)
        if kind == TOO_MANY:
            return _too_many(reader, word, view)
    match refusal.law:
        case "over":
            return "The match is over."
        case "in_turn" if refusal.message.startswith("it is "):
            return turn_of(s, reader)
        case law if law in FOLLOWING and (suit := _led(s, view)):
            besides = "" if refusal.message.startswith(PLAIN) else f"{reader.named(refusal.message)}; "
            return sentence(f"{besides}you must follow {suit}{_instead(s, reader, follows=True)}")
    if (found := _CANNOT.fullmatch(refusal.message)) is not None:
        if found[1] in s.program.by_name and not any(found[1] in _seen(zone) for zone in view["zones"].values()):
            return _too_many(reader, found[1], view)
        return sentence(f"{reader.named(found[1])} cannot be chosen now")
    message = _in_words(s, refusal.message)
    if refusal.law == "not_possible" and _repeats(s, reader.player, refusal.message):
        return sentence(f"you have done that already: {message}")
    if message.startswith("you may "):
        return sentence(f"that is against the rules{_instead(s, reader) or ': ' + reader.named(message)}")
    told = reader.named(message)
    if _NOT_ONE.search(message) and (move := _example(s, reader.player)) is not None:
        told += f": a move is written like “{reader.shown(in_words(move))}”"
    return sentence(told)


def _in_words(s: Position, message: str) -> str:
    """A message with what it quotes as players read it: “take up”."""
    actions = {name for stage in s.program.stages for name in stage.by_name}

    def told(found: re.Match[str]) -> str:
        return f"“{found[1].replace('_', ' ') if found[1] in actions else found[1]}{found[2]}”"

    return _QUOTED.sub(told, message)


def _repeats(s: Position, player: int | None, message: str) -> bool:
    """Whether what is refused altogether is what the player has done last."""
    last = next((text for _, who, text, _ in reversed(s.record_moves) if who == player), "")
    return last != "" and message == cannot_be_done(last.partition(" ")[0])


def turn_of(s: Position, reader: Reader) -> str:
    """Whose turn it is."""
    waiting = waited_for(s)
    if not waiting:
        return "Nobody can move now."
    if len(waiting) == 1:
        return sentence(f"it's {reader.whose(waiting[0])} turn")
    return sentence(f"it's for {reader.everybody_of(waiting)} to move")


def _led(s: Position, view: Mapping[str, Any]) -> str:
    """The suit that has to be followed, where the table shows it; else nothing."""
    plays = view["trick"]
    if not plays or plays[0][1] is None or s.led is None:
        return ""
    return str(s.program.suits[s.led]) if isinstance(s.led, int) else str(s.led)


def _instead(s: Position, reader: Reader, follows: bool = False) -> str:
    """What would do, if it is little: `: play 4♣ or 8♣`. follows: by following suit.

    On honour nobody says what the laws allow, which may look at what the player does not see.
    """
    if reader.player is None or s.program.honor:
        return ""
    moves = _lawful(s, reader.player)
    if not 0 < len(moves) <= MOST_NAMED or len({move.action for move in moves}) > 1:
        return ""
    named = [reader.shown(str(move).partition(" ")[2]) + (_counts_as(s, move) if follows else "") for move in moves]
    return f": {moves[0].action.replace('_', ' ')} {listed(named, 'or')}" if all(named) else ""


def _example(s: Position, player: int | None) -> Move | None:
    """A move as it is written: of those that are offered, which on honour are all that can be made."""
    if player is None:
        return None
    with suppress(RuleError):
        return next(iter(listable_moves(s, player) if s.program.honor else legal_moves(s, player)), None)
    return None


def _lawful(s: Position, player: int) -> Sequence[Move]:
    """What would do; nothing where that cannot be listed."""
    with suppress(RuleError):
        return legal_moves(s, player)
    return ()


def _counts_as(s: Position, move: Move) -> str:
    """Which suit a card follows, if it is of another one; nothing of a card that is called by its position."""
    played = move.args[0] if move.args else None
    if not isinstance(played, int) or played < 0 or not isinstance(s.led, int) or s.program.card_suit[played] == s.led:
        return ""
    return f" (which counts as {s.program.suits[s.led]})"


def _unknown(s: Position, reader: Reader, word: str, view: Mapping[str, Any], in_words: Callable[[Move], str]) -> str:
    """A word that means nothing here; a card of the player's own shows what does."""
    if word.upper() in s.program.by_name and not any(word.upper() in _seen(zone) for zone in view["zones"].values()):
        return sentence(f"you see no {reader.shown(word.upper())}")
    shown = next((card for zone in view["zones"].values() for card in _own(zone, view["player"])), "")
    meant = near_card(s.program, word).removeprefix("; did you mean ").strip("'?")
    near = f" Did you mean {reader.shown(meant)}?" if meant else ""
    ways = [f"a card ({shown})"] if shown else []
    if not word.isdecimal():  # whose number means nothing is not told to type one
        ways.append("a number")
    elif (move := _example(s, reader.player)) is not None:
        ways.append(f"a move such as “{reader.shown(in_words(move))}”")
    instead = f"{', '.join(ways)}{',' if len(ways) > 1 else ''} or ?" if ways else "?"
    return f"I don't know “{shortened(word)}”: type {instead}.{near}"


def _too_many(reader: Reader, word: str, view: Mapping[str, Any]) -> str:
    held = sum(card.upper() == word.upper() for zone in view["zones"].values() for card in _own(zone, view["player"]))
    count = f"only {number_word(held)}" if held else "no"
    return sentence(f"you have {count} {reader.shown(word.upper())}")


def _seen(zone: object) -> list[str]:
    """The cards of a zone that are seen, wherever in it they lie."""
    places = ([zone] if "cards" in zone else [*zone.values()]) if isinstance(zone, dict) else []
    return [card for place in places for card in place["cards"] if card is not None]


def _own(zone: object, player: str) -> list[str]:
    """The cards that lie at a player's place of a zone, as far as they are seen."""
    place = zone.get(player) if isinstance(zone, dict) else None
    return [card for card in place["cards"] if card is not None] if isinstance(place, dict) else []
