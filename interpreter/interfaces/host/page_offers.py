"""What a player can do now, so that a page can put a move together from taps: plain JSON data.

Where turns are strict, the lawful moves are offered as their texts, whose words are what can be tapped or chosen. In
races and on honour nothing is told that the law decides: only which actions there are at such a stage, and of what
kinds of things their moves consist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from interpreter.engine.available import action_named, may_move, open_actions
from interpreter.engine.claims import claim_moves
from interpreter.engine.failures import Ruled
from interpreter.engine.legal import legal_moves, listable, listable_of, moves_of
from interpreter.engine.moves import Choices, Moves
from interpreter.engine.notation import IllegalMove, card_text, params_of, value_text
from interpreter.engine.program import ActionCode, ParamCode
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.groups import by_action
from interpreter.interfaces.host.open_rules import flag_set, flags_against, is_set
from interpreter.interfaces.host.protocol import LONGEST_MOVE
from interpreter.interfaces.host.setting import Setting, is_own, zones_of
from interpreter.language.model import ActionDef

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.moves import Move
    from interpreter.words.voice import Voice

MOST_LISTED = 400
"""Moves of one action that are sent one by one."""
MOST_LETTERS = 60_000
"""Letters of these: of the most actions that there can be they are still sent in one piece."""
LOOKED_AT = 500
"""Choices of several cards that are looked at: in lexicographic order they hold every card that can be chosen."""
NO_MOVE = "The rules leave you no move: somebody takes one back, or the match stays unfinished."
NOUNS = {"players": "a player", "teams": "a side", "suits": "a suit", "ranks": "a rank", "number": "a number"}
"""What is asked for by the form of a parameter."""
PICKED = ("players", "teams", "suits", "ranks", "number", "choice", "kinds", "tokens")
"""Forms of parameters whose values are offered as buttons, unless they can be tapped."""


def offers(state: State, voice: Voice, player: int, setting: Setting) -> dict[str, Any] | None:
    """What can be done; None for nothing.

    prompt: the question in words; in a race what it is about, "" where the ruleset does not say. due: whether the table
    waits for the player. marked: whether the acts tell what is lawful. acts: see `_listed` and `_described`.
    Raises RuleError where the rules cannot say.
    """
    with Ruled(state.position):
        return None if state.over else _offers(state, voice, player, setting)


def _offers(state: State, voice: Voice, player: int, setting: Setting) -> dict[str, Any] | None:
    s = state.position
    kind = kind_of_phase(s)
    frame = s.stack[-1]
    due = may_move(s, player, frame, s.program.stages[frame.stage])
    if kind == "race" or s.program.honor:
        acts = list(_described(state, voice, player, setting))
        groups = [] if kind == "race" or not due else _possible_groups(state, player)
        marked = False
    elif not due and not open_actions(s, player):
        return None
    else:
        groups = list(_lawful_groups(legal_moves(s, player)))
        acts = [_listed(state, voice, player, name, moves, setting) for name, moves in groups]
        acts += _talk(state, voice, player, setting)
        marked = True
    if not acts and not due:
        return None
    if due and groups and all(len(moves[0].text) > LONGEST_MOVE for _, moves in groups):
        name, letters = groups[0][0], len(groups[0][1][0].text)
        told = f"'{name}' is a move of {letters:,} letters here; at a table it can have {LONGEST_MOVE:,} at most"
        action = action_named(s, name)
        raise RuleError(told, None if action is None else action.span)
    prompt = ""
    if kind == "race":
        prompt = voice.task(player)
    elif due and groups:
        prompt = voice.question(player, groups)
    elif due and all(act.get("says") for act in acts):
        prompt = NO_MOVE
    return {"prompt": prompt, "due": due, "marked": marked, "kind": kind, "acts": acts}


def _lawful_groups(moves: Sequence[Move]) -> Iterator[tuple[str, Sequence[Move]]]:
    """Moves by action; those that choose cards stay a choice, of which nothing is listed."""
    for part in moves.parts if isinstance(moves, Moves) else [moves]:
        if not len(part):
            continue
        if isinstance(part, Choices):
            yield part[0].action, part
        else:
            yield from by_action(part)


def _possible_groups(state: State, player: int) -> list[tuple[str, Sequence[Move]]]:
    s = state.position
    stage = s.program.stages[s.stack[-1].stage]
    return [(action.name, moves) for action in stage.actions if len(moves := listable_of(s, player, action, False))]


# ---- in strict turns ----------------------------------------------------------------------------------


def _listed(
    state: State, voice: Voice, player: int, name: str, moves: Sequence[Move], setting: Setting
) -> dict[str, Any]:
    """An action with its lawful moves.

    name; label: what it is, in words. cards: where several cards are chosen and the law looks at each alone: {low,
    high, of}: how many, and of which. Else moves: their texts without the name; missing where there are too many.
    words: of what stands in them and is no card, how it is called. said: words to choose from that cards are called,
    too. piles: what lies on the table and stands for
    somebody who is chosen. asks: what is chosen after something else, such as `a suit`: its words. typed: that its
    moves have to be typed. quoted: and are just a text.
    """
    found: dict[str, Any] = {"name": name, "label": voice.way(player, name, moves)}
    action = action_named(state.position, name)
    if action is not None and action.takes_texts:
        found |= _typed(action)
    elif isinstance(moves, Choices):
        found["cards"] = _several(state, moves.cards, moves.sizes[0], moves.sizes[-1])
    elif len(moves) <= MOST_LISTED and sum(len(move.text) for move in moves) <= MOST_LETTERS:
        texts = [move.text[len(name) :].strip() for move in moves]
        found["moves"] = texts
        if words := _words(state, voice, player, name, texts):
            found["words"] = words
        if said := _like_cards(state, player, moves[0]):
            found["said"] = said
        if piles := voice.piles_of(name, _people(state)):
            found["piles"] = piles
        if asks := _asked_then(state, player, moves, setting):
            found["asks"] = asks
    elif _is_of_cards(moves):
        cards = {card for move in islice(moves, LOOKED_AT) for card in move.args[0]}
        found["cards"] = _several(state, sorted(cards), len(moves[0].args[0]), len(moves[-1].args[0]))
    else:
        found["typed"] = True
    return found


def _typed(action: ActionCode) -> dict[str, bool]:
    return {"typed": True, **({"quoted": True} if [param.form for param in action.params] == ["text"] else {})}


def _is_of_cards(moves: Sequence[Move]) -> bool:
    """Whether several cards are chosen, and nothing else."""
    for move in (moves[0], moves[-1]):
        if len(move.args) != 1 or not isinstance(move.args[0], tuple):
            return False
        if not all(isinstance(card, int) for card in move.args[0]):
            return False  # melds
    return True


def _several(state: State, cards: Iterable[int], low: int, high: int) -> dict[str, Any]:
    of = dict.fromkeys(card_text(state.game.program, card) for card in cards)
    return {"low": low, "high": high, "of": list(of)}


def _words(state: State, voice: Voice, player: int, action: str, texts: Sequence[str]) -> dict[str, str]:
    """What is called otherwise than in a move's text."""
    faces = state.game.program.by_name
    words = {word for text in texts for word in text.split(" ") if word and '"' not in text}
    called = {word: _called(voice, player, word, action) for word in sorted(words) if word.upper() not in faces}
    return {word: said for word, said in called.items() if said != word}


def _like_cards(state: State, player: int, move: Move) -> list[str]:
    """Words to choose from, in a move and those like it, that are what cards are called."""
    action = action_named(state.position, move.action)
    params = () if action is None else params_of(state.position, player, action, move.args)
    return [word for param in params for word in param.symbols if word.upper() in state.game.program.by_name]


def _called(voice: Voice, player: int, word: str, action: str = "") -> str:
    return voice.choice(player, word, action=action).replace("_", " ")


def _people(state: State) -> list[str]:
    return [f"P{seat + 1}" for seat in range(state.game.players)]


def _asked_then(state: State, player: int, moves: Sequence[Move], setting: Setting) -> dict[str, list[str]]:
    """What is chosen behind the first thing of a move: by how it is called, its words."""
    program, found = state.game.program, dict[str, dict[str, None]]()
    for move in [move for move in moves if len(move.args) > 1]:
        action = action_named(state.position, move.action)
        params = () if action is None else params_of(state.position, player, action, move.args)
        for param, value in list(zip(params, move.args, strict=False))[1:]:
            if value is not None and (noun := _noun(setting, param)):
                found.setdefault(noun, {})[value_text(program, param, value)] = None
    return {noun: list(words) for noun, words in found.items()}


def _noun(setting: Setting, param: ParamCode) -> str:
    """What somebody has to choose for a parameter; nothing for what is seen on the table, and for a word."""
    if param.form == "suits" and all(suit.name == suit.colour for suit in setting.model.suits):
        return "a colour"
    return NOUNS.get(param.form, "")


def _talk(state: State, voice: Voice, player: int, setting: Setting) -> list[dict[str, Any]]:
    """What is only said, and never counted among the moves."""
    stages = state.game.program.stages
    talk = [action for action, _ in open_actions(state.position, player) if action.talk]
    found = [action for action in talk if (stages[action.stage].name, action.name) in setting.acts]
    return [{"name": action.name, "label": voice.way(player, action.name, ()), "says": True} for action in found]


# ---- in races and on honour ------------------------------------------------------------------------------


def _described(state: State, voice: Voice, player: int, setting: Setting) -> Iterator[dict[str, Any]]:
    """The actions of the stage that is going on and those open at any time, whether or not they can be done now.

    name, label; params: {name, form, and of cards and places `from`: the zones, and whether they are one's `own`; low,
    high: how many; options: [word, how it is called] of what is chosen otherwise; asks: what that is; piles: which of
    them lie on the table; optional}. rows: by card what is
    chosen besides with it. claim: that it is a claim. aside: that it can be done at any time. done: that it only says
    of the player what holds already. off: that something the player has done, and knows of, is in its way.
    """
    s = state.position
    stage = s.program.stages[s.stack[-1].stage]
    for action, _ in open_actions(s, player, everything=True):
        defined = setting.acts.get((s.program.stages[action.stage].name, action.name))
        if defined is None:
            continue
        params = [_param(state, voice, player, action, at, defined, setting) for at in range(len(action.params))]
        found: dict[str, Any] = {
            "name": action.name,
            "label": voice.way(player, action.name, ()),
            "params": params,
        }
        if (flag := flag_set(defined)) and is_set(s, flag, player):
            found["done"] = True
        if any(is_set(s, flag, player) for flag in flags_against(defined)):
            found["off"] = True
        if action.talk:
            found["says"] = True
        elif action.takes_texts or any(param.kinds for param in action.params):
            found |= _typed(action)
        if action.stage != stage.index or action.anytime:
            found["aside"] = True
        if defined.rows and (rows := _rows(state, voice, player, action, setting)):
            found["rows"] = rows
        yield found
    if s.program.honor:
        yield from _claims(state, voice, player, setting)


def _param(
    state: State, voice: Voice, player: int, action: ActionCode, at: int, defined: ActionDef, setting: Setting
) -> dict[str, Any]:
    code = action.params[at]
    param = next((one for one in defined.params if one.name == code.name), None)
    found: dict[str, Any] = {"name": code.name.replace("_", " "), "form": code.form}
    if param is not None and (zones := zones_of(param)):
        found["from"] = zones
        if is_own(param, state.game.ruleset.model):
            found["own"] = True
    if code.several:
        low, high = param.count if param is not None and param.count is not None else (None, None)
        found["low"], found["high"] = _number(low, 1), _number(high, 60)
    if code.optional or code.form == "flag":
        found["optional"] = True
    if code.form == "flag":
        found["options"] = [[code.name, found["name"]]]
    if code.form in PICKED:
        piles = voice.piles_of(action.name, _people(state)) if code.form == "players" else {}
        words = list(piles) or _options(state, player, action, at)  # one's own pile may be meant, too
        found["options"] = [[word, _called(voice, player, word, action.name)] for word in words]
        if piles:
            found["piles"], found["asks"] = piles, "a pile"
        elif noun := _noun(setting, code):
            found["asks"] = noun
    return found


def _number(node: Any, otherwise: int) -> int:
    value = getattr(node, "value", None)
    return value if isinstance(value, int) else otherwise


def _options(state: State, player: int, action: ActionCode, at: int) -> list[str]:
    """The words among which a value is chosen, whatever the law says of them."""
    s, code = state.position, action.params[at]
    program = s.program
    match code.form:
        case "players":
            return [f"P{seat + 1}" for seat in s.order() if seat != player] or [f"P{player + 1}"]
        case "teams":
            return [f"T{team + 1}" for team in sorted(set(program.teams))]
        case "suits":
            return [str(suit) for suit in program.suits]
        case "ranks":
            return [str(rank) for rank in program.ranks]
        case "choice":
            return list(code.symbols)
        case "kinds":
            return list(dict.fromkeys(program.cards))
    return _values(state, player, action, at, code)


def _values(state: State, player: int, action: ActionCode, at: int, code: ParamCode) -> list[str]:
    """Numbers and pieces, as they can be chosen now."""
    try:
        moves = moves_of(state.position, player, action, False)
    except RuleError:
        return []
    values = {move.args[at] for move in islice(moves, 2_000) if at < len(move.args) and move.args[at] is not None}
    return [value_text(state.game.program, code, value) for value in sorted(values)]


def _rows(
    state: State, voice: Voice, player: int, action: ActionCode, setting: Setting
) -> dict[str, list[dict[str, Any]]]:
    """By card that the player holds: what is chosen with it besides."""
    found: dict[str, list[dict[str, Any]]] = {}
    s = state.position
    if action.row is None:
        return found
    for move in islice(listable_of(s, player, action, False), MOST_LISTED):
        card = move.text[len(action.name) :].strip().split(" ")[0]
        if card in found or len(move.args) <= len(action.params):
            continue
        extra = params_of(s, player, action, move.args)[len(action.params) :]
        found[card] = [_extra(state, voice, player, param, setting) for param in extra]
    return {card: params for card, params in found.items() if params}


def _extra(state: State, voice: Voice, player: int, param: ParamCode, setting: Setting) -> dict[str, Any]:
    program = state.game.program
    told: dict[str, Any] = {"name": param.name.replace("_", " "), "form": param.form}
    words = {
        "players": [f"P{seat + 1}" for seat in state.position.order() if seat != player],
        "suits": [str(suit) for suit in program.suits],
        "ranks": [str(rank) for rank in program.ranks],
        "choice": list(param.symbols),
    }.get(param.form)
    if words is not None:
        told["options"] = [[word, _called(voice, player, word)] for word in words]
    if param.optional or param.otherwise is not None:
        told["optional"] = True
    if noun := _noun(setting, param):
        told["asks"] = noun
    return told


def _claims(state: State, voice: Voice, player: int, setting: Setting) -> Iterator[dict[str, Any]]:
    """A claim points at somebody and a law of the whole list."""
    s = state.position
    code, claims = s.program.honor_code, claim_moves(s, player)
    if code is None or not claims:
        return
    whom = [f"P{move.args[0] + 1}" for move in claims if move.action == code.claim]
    laws = [["", "whatever was wrong"], *([law, setting.faults[law]] for law in code.claimable)]
    yield {
        "name": code.claim, "label": code.claim.replace("_", " "), "claim": True, "aside": True,
        "params": [
            {"name": "player", "form": "players", "options": [[who, _called(voice, player, who)] for who in whom]},
            {"name": "law", "form": "choice", "options": laws, "optional": True},
        ],
    }  # fmt: skip
    for move in claims:
        if move.action != code.claim:
            yield {"name": move.action, "label": move.action.replace("_", " "), "params": [], "aside": True}


# ---- what was pointed at -----------------------------------------------------------------------------------


def meant(state: State, player: int, text: str) -> str:
    """The move that a page means which has sent only what was tapped: `pile.P1.4`, or `pile.P1.4 centre.P2`.

    In a strict race the first tap makes the move where just one lawful one begins so; what is tapped in vain is told by
    the law. A text that begins with an action stays as it is.
    """
    words = text.split(" ")
    s = state.position
    known = open_actions(s, player, everything=True)
    if any(words[0] in (action.name, *action.also) for action, _ in known) or not s.stack or s.program.honor:
        return text
    for lawful in (True, False):
        moves = islice(_open_moves(state, player, lawful), 4_000)
        found = [move for move in moves if _begins(move.text.split(" ")[1:], words)]
        whole = [move for move in found if len(move.text.split(" ")) == len(words) + 1]
        for some in (whole, found) if lawful else ():
            if len({move.text for move in some}) == 1:
                return some[0].text
        if lawful and _goes_apart(found, len(words)):
            raise IllegalMove("no_such_move", "say where it goes")
        if found:
            return found[0].text
    raise IllegalMove("not_possible", "nothing can be done with that now")


def _open_moves(state: State, player: int, lawful: bool) -> Moves:
    """What a player can do in strict play, without what cannot be listed."""
    s = state.position
    with Ruled(s):
        found = [action for action, _ in open_actions(s, player) if not (lawful and action.talk)]
        return listable([listable_of(s, player, action, lawful) for action in found])


def _goes_apart(found: Sequence[Move], tapped: int) -> bool:
    """Whether moves that begin alike go to several places."""
    return len({tuple(move.text.split(" ")[tapped + 1 :]) for move in found}) > 1


def _begins(words: Sequence[str], tapped: Sequence[str]) -> bool:
    return list(words[: len(tapped)]) == list(tapped) or (len(tapped) == len(words) and sorted(words) == sorted(tapped))
