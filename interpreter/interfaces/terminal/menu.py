"""The moves of a player as a person chooses them: numbered, named, or typed in short."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from interpreter.base.arithmetic import whole
from interpreter.engine.available import action_named
from interpreter.engine.legal import listable_moves
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove, is_measure
from interpreter.interfaces.groups import by_action
from interpreter.interfaces.terminal.spoken_moves import FILLERS, SYMBOLS, SeveralMeant, spoken, words_of
from interpreter.words.drawing import card_order, tops
from interpreter.words.spoken_cards import rank_of, spoken_number, spoken_rank, with_cards

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.program import Program
    from interpreter.words.voice import Voice

LISTED = 30
"""More moves than this of one action are described instead of listed."""
LOOKED_AT = 500
"""Choices of k cards are in lexicographic order, so the first few hundred hold every card that can be chosen."""

_NUMBERS = re.compile(r" [0-9]+(?= |$)")
_NUMBERED = re.compile(r"(?:([a-zA-Z_ ]+) )?#?([0-9]{1,6})\.?")
"""A number as it stands in a list, alone or behind the words that head the list."""
FEW = 3
"""As many actions are named that could be meant instead."""
AGREED = frozenset({"ok", "okay", "y", "yes"})
"""What somebody answers who can do one thing only."""
WORDS = {
    "cards": "CARD", "kinds": "CARD", "players": "PLAYER", "suits": "SUIT", "ranks": "RANK", "number": "NUMBER",
    "tokens": "NUMBER",
    "choice": "WORD", "zones": "PLACE", "teams": "TEAM", "text": '"TEXT"', "meld": "CARDS",
    "melds": "CARDS / CARDS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pattern:
    """Many moves of one action at once: how they are written, and what there is to choose."""

    form: str
    told: str


@dataclass(frozen=True, slots=True)
class Menu:
    """What a player is offered: moves by number (from 1), descriptions of others; on honour claims, and what else can
    be done at any time. groups: all of it by action, claims apart. shown: whether it stands on the screen.
    numbers: where not, but the moves of several do, whose numbers these are, and highest: the last of them. in_full:
    whether nothing is understood but a move as it is written, as an answer to anything else would tell others of it."""

    listed: tuple[Move, ...]
    patterns: tuple[Pattern, ...]
    claims: tuple[str, ...]
    groups: tuple[tuple[str, Sequence[Move]], ...] = ()
    shown: bool = True
    numbers: str = ""
    highest: int = 0
    in_full: bool = False

    @property
    def numbered(self) -> bool:
        """Whether moves are called by their number in the list: not where some are about numbers themselves."""
        moves = (move for _, moves in self.groups for move in islice(moves, LISTED))
        return not self.in_full and not any(_NUMBERS.search(move.text) for move in moves)


NOTHING_OFFERED = Menu((), (), ())


def menu(state: State, player: int) -> Menu:
    """What to offer a player. On honour the laws don't choose, and the words are left to the player."""
    if not state.game.program.honor:
        groups = [(action, moves) for action, moves in by_action(state.legal_moves(player))]
        claims: tuple[str, ...] = ()
    else:
        groups, claims = _on_honour(state, player)
    listed: list[Move] = []
    patterns: list[Pattern] = []
    for action, moves in groups:
        if len(moves) <= LISTED:
            listed += sorted(moves, key=lambda move: _order(move, state.game.program.ranks))
        else:
            patterns.append(_pattern(state, player, action, moves))
    return Menu(tuple(listed), tuple(patterns), claims, tuple(groups))


def _order(move: Move, ranks: Sequence[str]) -> tuple[int, list[tuple[tuple[int, str], int]]]:
    """Plain moves come before those with a word more, such as alone; those about one card are laid out as the hand is,
    and the order of all others stays as it is."""
    words, more = move.text.split(), sum(arg is True for arg in move.args)
    return more, [card_order(words[1], ranks)] if len(words) == 2 + more else []


def _on_honour(state: State, player: int) -> tuple[list[tuple[str, Sequence[Move]]], tuple[str, ...]]:
    """Everything that can be done, once each, whatever is said with it; claims apart."""
    code = state.game.program.honor_code
    claiming = code.claim if code is not None else ""
    found: dict[str, dict[str, Move]] = {}
    claims: list[str] = []
    for move in islice(listable_moves(state.position, player), 20_000):
        if claiming and move.action == claiming:
            claims.append(move.text)
        else:
            found.setdefault(move.action, {}).setdefault(move.text, move.saying(None))
    aside = [name for name in found if (action := action_named(state.position, name)) is not None and action.anytime]
    if len(aside) < len(found):  # what can be done at any time is named, so that the moves one is asked for stand out
        claims += [text for action in aside for text in found.pop(action)]
    return [(action, list(moves.values())) for action, moves in found.items()], tuple(claims)


def _pattern(state: State, player: int, action: str, moves: Sequence[Move]) -> Pattern:
    first, last = moves[0], moves[-1]
    code = action_named(state.position, action)
    forms = () if code is None else tuple(param.form for param in code.params)
    if forms == ("cards",) and len(first.args) == 1 and isinstance(first.args[0], tuple):
        low, high = len(first.args[0]), len(last.args[0])
        cards = {card for move in islice(moves, LOOKED_AT) for card in move.args[0]}
        form = " ".join([action, *["CARD"] * low, *(["..."] if high > low else [])])
        many = str(low) if low == high else f"{low} to {high}"
        return Pattern(form, f"choose {many} of {len(cards)} cards, such as '{first}'")
    return Pattern(form_of(state, action), f"{len(moves)} ways, such as '{first}'")


def form_of(state: State, action: str) -> str:
    """How the moves of an action are written."""
    code = action_named(state.position, action)
    params = code.params if code is not None else ()
    return " ".join([action, *(p.name if p.form == "flag" else WORDS.get(p.form, p.name) for p in params)])


# ---- what was typed -----------------------------------------------------------------------------------


def heard(state: State, player: int, typed: str, offered: Menu, voice: Voice) -> tuple[Move, dict[str, int]]:
    """The move that a person at the table means, with its measures. Raises IllegalMove as `understand` does."""
    body, measures = measures_in(voice.typed(typed, player), state.game.program)
    return state.parse(player, understand(state, player, body, offered, voice)), measures


def understand(state: State, player: int, typed: str, offered: Menu, voice: Voice | None = None) -> str:
    """The move meant by what a person typed: its number, its text, a beginning of it, or just what it is about.

    voice: whoever has put the moves into words for the player, which are understood then, too. Raises IllegalMove if
    it can mean none, or more than one.
    """
    body, quote, words = typed.partition('"')
    body = with_cards(" ".join(body.translate(SYMBOLS).replace(",", " ").split()), state.game.program)
    said = f" {quote}{words}".rstrip() if quote else ""
    if (move := _numbered(state, body, offered)) is not None:
        return f"{move}{said}"
    if body.lower() in AGREED and len(offered.listed) == 1 and not offered.patterns and offered.shown:
        return f"{offered.listed[0]}{said}"
    if not body:
        raise IllegalMove("no_such_move", "write what you do before what you say")
    return f"{_named(state, player, body, offered, voice)}{said}"


def _numbered(state: State, body: str, offered: Menu) -> Move | None:
    """The move whose number somebody has typed, alone or behind its action; None if no number of a list is meant.

    A number that no move has may be the rank of the only card that can be played. Raises IllegalMove if it means none.
    """
    found = _NUMBERED.fullmatch(body) if offered.numbered else None
    if found is None:
        return None
    if not offered.shown:
        if int(found[2]) > offered.highest > 0 and found[2] in state.game.program.ranks:
            return None
        raise IllegalMove("no_such_move", offered.numbers or "you were asked nothing that has a number")
    action, number = words_of(found[1] or ""), int(found[2])
    asked = [move for move in offered.listed if not action or words_of(move.action) == action]
    ranked = [move for move in asked if rank_of(move.text, state.game.program) == found[2]]
    meant = offered.listed[number - 1] if 1 <= number <= len(offered.listed) else None
    if action:
        if meant not in asked:
            return ranked[0] if len(ranked) == 1 else None
        if ranked and ranked != [meant]:
            both = " or ".join(move.text.partition(" ")[2] for move in (meant, *ranked) if move is not None)
            raise IllegalMove("no_such_move", f"that can mean {both}: type the card, or the number alone")
        return meant
    if meant is not None or not offered.listed:
        return meant
    if len(ranked) == 1:
        return ranked[0]
    raise IllegalMove("no_such_move", f"there is no move number {number}; {_numbers_told(offered)}")


def _numbers_told(offered: Menu) -> str:
    """Which numbers can be typed."""
    last = len(offered.listed)
    return "only number 1" if last == 1 else f"they go from 1 to {last}"


def _named(state: State, player: int, body: str, offered: Menu, voice: Voice | None) -> str:
    if offered.in_full:
        return body
    first, _, rest = body.partition(" ")
    actions = list(dict.fromkeys([*(m.action for m in offered.listed), *(p.form.split()[0] for p in offered.patterns)]))
    claims = {c.split()[0] for c in offered.claims}
    exact = next((a for a in (first, first.lower()) if action_named(state.position, a) is not None or a in claims), "")
    if exact:
        text = f"{exact} {rest}".strip()
        begun = [a for a in actions if exact not in actions and words_of(a)[: len(words_of(exact))] == words_of(exact)]
        if _parses(state, player, text) and not begun:
            return text
        meant = _in_words(state, player, body, offered, voice) or _in_short(state, player, body, offered)
        return meant or _by_table(state, player, body, offered, voice) or " ".join([exact, *_said(rest or "the")])
    begun = [a for a in [*actions, *claims] if a.startswith(first.lower())] if len(first) > 1 else []
    if len(begun) == 1 and _parses(state, player, f"{begun[0]} {rest}".strip()):
        return f"{begun[0]} {rest}".strip()
    whole = [text for a in actions if (text := _parses(state, player, f"{a} {body}"))]
    lawful = [] if state.game.program.honor else [text for text in whole if _is_legal(state, player, text)]
    if len(lawful) == 1 or len(whole) == 1:
        return (lawful or whole)[0]
    if whole:
        raise SeveralMeant(f"which one: {' or '.join(repr(t) for t in lawful or whole)}?")
    if text := _in_words(state, player, body, offered, voice) or _in_short(state, player, body, offered):
        return text
    known = _known_action(state, body)
    if text := _by_table(state, player, body, offered, voice):
        return text
    if known in actions:
        raise SeveralMeant(f"there are several ways to '{known}': which one?")
    if known:
        can = f", but {' or '.join(repr(action) for action in actions)} is" if 0 < len(actions) <= FEW else ""
        raise IllegalMove("no_such_move", f"'{known}' is nothing that can be done now{can}")
    if len(actions) == 1 and not state.game.program.honor:  # say what is wrong with the card, not with the action
        if [str(move) for move in offered.listed] == actions:
            raise IllegalMove("no_such_move", f"all that you can do now is '{actions[0]}'")
        state.parse(player, f"{actions[0]} {body}")
    return body


def _by_table(state: State, player: int, body: str, offered: Menu, voice: Voice | None) -> str:
    """The move that the words of the table mean; nothing if they mean none. Raises IllegalMove if several.

    Whoever begins with the first word of an action means no other, whatever else is called so at the table.
    """
    typed = words_of(body)
    named = frozenset(name for name in _actions(state) if words_of(name)[:1] == typed[:1])
    return "" if voice is None else spoken(state, player, typed, offered.groups, voice, named)


def _in_words(state: State, player: int, body: str, offered: Menu, voice: Voice | None) -> str:
    """The move that is shown in these words, or whose action is asked for in them; nothing if several are, or none."""
    if voice is None:
        return ""
    typed = _said(body)
    words = words_of(" ".join(typed))
    shown = {}
    for move in offered.listed:
        told = words_of(voice.choice(player, move.text.partition(" ")[2], action=move.action))
        if words and words in (told, [*words_of(move.action), *told]):
            shown[move.text] = move
    if len(shown) == 1:
        return next(iter(shown))
    found: dict[int, set[str]] = {}
    for action, moves in [*offered.groups, *((claim.split()[0], ()) for claim in offered.claims)]:
        name = words_of(action)
        for phrase in (*(name[at:] for at in range(len(name))), words_of(voice.way(player, action, moves))):
            size = _alike([word.lower() for word in typed], phrase)
            text = _parses(state, player, " ".join([action, *typed[size:]])) if size else ""
            if text:
                found.setdefault(size, set()).add(text)
    longest = found[max(found)] if found else set()
    return longest.pop() if len(longest) == 1 else ""


def _actions(state: State) -> set[str]:
    """The actions of this game, open now or not."""
    return {action.name for stage in state.game.program.stages for action in (*stage.actions, *stage.anytime)}


def _known_action(state: State, body: str) -> str:
    """The action of this game, open now or not, with whose words a text begins; nothing if there is none."""
    typed = words_of(body)
    begun = [name for name in sorted(_actions(state)) if typed[: len(words_of(name))] == words_of(name)]
    return max(begun, key=len, default="")


def _in_short(state: State, player: int, body: str, offered: Menu) -> str:
    """The one move that is meant without words that say nothing, by a rank alone, or by what lies on top of its places.

    Nothing if none is, or several are.
    """
    words = _said(body)
    actions = {move.action for move in offered.listed} | {pattern.form.split()[0] for pattern in offered.patterns}
    if words and words[0].lower() in actions:
        actions = {words[0].lower()}
        words = words[1:]
    asked = [move.text for move in offered.listed if move.action in actions]
    said = [spoken_number(word) for word in words]
    found = {text for action in sorted(actions) if (text := _parses(state, player, " ".join([action, *said])))}
    if not found and len(words) == 1 and (rank := spoken_rank(words[0])):
        found = {text for text in asked if rank_of(text, state.game.program) == rank}
    if not found and words and all(word.upper() in state.game.program.by_name for word in words):
        faces = tops(state.view(player))
        meant = [word.upper() for word in words]
        lie = {text: [faces.get(place, "") for place in text.split(" ")[1:]] for text in asked}
        found = {text for text, cards in lie.items() if cards[: len(meant)] == meant}
    return found.pop() if len(found) == 1 else ""


def _said(body: str) -> list[str]:
    """The words that say something. Behind all others `a` is no article: it is an ace."""
    *before, last = body.split() or ["the"]
    kept = [last] if last in ("a", "A") or last.lower() not in FILLERS else []
    return [word for word in before if word.lower() not in FILLERS] + kept


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words at the beginning are the same."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _parses(state: State, player: int, text: str) -> str:
    try:
        return str(state.parse(player, text))
    except IllegalMove:
        return ""


def _is_legal(state: State, player: int, text: str) -> bool:
    return state.parse(player, text) in state.legal_moves(player)


def measures_in(typed: str, program: Program) -> tuple[str, dict[str, int]]:
    """`grab 2 hold=1` as the move and its measures; of `JK=5` a wild card keeps what it stands for."""
    body, quote, words = typed.partition('"')
    found, rest = {}, []
    for word in body.split(" "):
        name, sign, value = word.partition("=")
        named = name.isidentifier() and name not in ("begin", "end") and is_measure(program, name)
        number = whole(value)
        if sign and named and number is not None and number >= 0:
            found[name] = number
        else:
            rest.append(word)
    return f"{' '.join(rest)}{quote}{words}", found
