"""What a player is asked, in one sentence: what can be done, with how many cards, and which way they go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.engine.available import action_named
from interpreter.engine.moves import Move
from interpreter.engine.notation import params_of
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode
from interpreter.words.acts import Acts
from interpreter.words.filling import filled, of_question
from interpreter.words.people import Reader, counted, listed, number_word, plural, sentence
from interpreter.words.piles import singular

_PLAIN_WAY = re.compile(r"([a-z ]+?) (an? [a-z ]+)")
"""A verb and a thing."""
FEW_KINDS = 3
"""Of more kinds of meld it is not told which they are."""
MOST_COUNTED = 4_000
"""Of more moves it is not looked up which numbers they offer."""


def question(acts: Acts, s: Position, reader: Reader, offered: Iterable[tuple[str, Sequence[Move]]]) -> str:
    """What is asked of the reader. offered: the moves of each action, those of the stage that is going on first."""
    groups = [(action, moves) for action, moves in offered if len(moves)]
    if reader.player is None or not groups or s.over:
        return ""
    stage = s.program.stages[s.stack[-1].stage]
    own = [(code, moves) for name, moves in groups if (code := action_named(s, name)) is not None]
    fill = of_question(s, reader, lambda noun: _how_many(s, reader.player or 0, own, noun))
    if any(code.stage == stage.index for code, _ in own) and (asked := filled(stage.prompt, fill)):
        return sentence(asked)
    ways = [way for code, moves in own if (way := _way(acts, s, reader, code, moves))]
    leads = stage.kind == "trick" and not s.plays
    return sentence(f"{'you lead: ' if leads else ''}{_merged(ways)}") if ways else ""


def task(s: Position, reader: Reader, others: Iterable[int] = ()) -> str:
    """What the stage that is going on asks of everybody, in the words of the ruleset; nothing if it has none.

    others: who looks at the same screen.
    """
    if reader.player is None or s.over or not s.stack:
        return ""
    asked = filled(s.program.stages[s.stack[-1].stage].prompt, of_question(s, reader, lambda noun: None, others))
    return sentence(asked) if asked else ""


def _merged(ways: Sequence[str]) -> str:
    """What can be done, `play a card` and `play a set` as one: `play a card or a set, or pass`."""
    found: list[tuple[str, list[str]]] = []
    for way in ways:
        plain = _PLAIN_WAY.fullmatch(way)
        things = plain[2].split(" or ") if plain else []
        if plain and found and found[-1][0] == plain[1]:
            found[-1][1].extend(things)
        else:
            found.append((plain[1] if plain else way, things))
    told = [f"{verb} {listed(things, 'or')}".rstrip() for verb, things in found]
    if len(told) == 1 or all(len(things) <= 1 for _, things in found):
        return listed(told, "or")
    return f"{', '.join(told[:-1])}, or {told[-1]}"


def offered(acts: Acts, s: Position, reader: Reader, action: str, moves: Sequence[Move]) -> str:
    """One thing that can be done, in a clause. moves: of the action; without any nothing is told of what they offer."""
    code = action_named(s, action)
    if code is not None and len(moves):
        return _way(acts, s, reader, code, moves)
    fill = of_question(s, reader, lambda noun: None)
    if code is not None and (prompt := filled(code.prompt, fill)) is not None:
        return prompt
    phrase = acts.phrase(action)
    if phrase is None:
        return action.replace("_", " ")
    thing = acts.object_of(reader, reader.player or 0, phrase, acts.chosen(action, ""), None) if phrase.noun else ""
    return " ".join(filter(None, (phrase.verb, phrase.after, thing)))


def _how_many(s: Position, player: int, own: Sequence[tuple[ActionCode, Sequence[Move]]], noun: str) -> str | None:
    """How many cards have to be chosen, for the first action that takes several or one."""
    for code, moves in own:
        for at, param in enumerate(_params(s, player, code, moves)):
            if param.form == "cards":
                return (_asked(param, at, moves) or "").replace("card", singular(noun))
    return None


def _params(s: Position, player: int, code: ActionCode, moves: Sequence[Move]) -> Sequence[ParamCode]:
    """What is chosen in each of some moves: what the row of a card asks for besides is only there with that card."""
    return params_of(s, player, code, moves[0].args)[: len(code.params)]


def _way(acts: Acts, s: Position, reader: Reader, code: ActionCode, moves: Sequence[Move]) -> str:
    """One thing that can be done: `pass three cards`, `bid a number from 0 to 13`."""
    assert reader.player is not None
    fill = of_question(s, reader, lambda noun: _how_many(s, reader.player or 0, [(code, moves)], noun))
    if (prompt := filled(code.prompt, fill)) is not None:
        return prompt
    phrase, params = acts.phrase(code.name), _params(s, reader.player, code, moves)
    asked = [what for at, param in enumerate(params) if (what := _asked(param, at, moves))]
    if phrase is None:
        return " ".join([code.name.replace("_", " "), *asked])
    words = [phrase.verb, *([phrase.after] if phrase.after else [])]
    if phrase.noun and not asked:
        words.append(acts.object_of(reader, reader.player, phrase, acts.chosen(code.name, ""), None))
    return " ".join([*words, *([listed(asked, "and")] if asked else [])])


def _asked(param: ParamCode, at: int, moves: Sequence[Move]) -> str:
    """What has to be chosen: `three cards`, `a suit`; nothing for what may be left out."""
    if param.optional and param.form != "cards":
        return ""
    few = 0 < len(param.kinds) <= FEW_KINDS
    kinds = [kind.replace("_", " ") for kind in param.kinds]
    match param.form:
        case "cards" if param.several:
            low, high = len(moves[0].args[at] or ()), len(moves[-1].args[at] or ())
            if low == high:
                return counted(low, "card")
            return (
                f"{number_word(low)} to {number_word(high)} cards" if low else f"up to {counted(high, 'card', 'one')}"
            )
        case "cards" | "kinds":
            return "a card"
        case "meld":
            return listed([counted(1, kind) for kind in kinds], "or") if few else "a combination"
        case "melds":
            return listed([plural(kind) for kind in kinds], "or") if few else "combinations"
        case "number" | "tokens":
            values = [move.args[at] for move in moves] if len(moves) <= MOST_COUNTED else []
            numbers = sorted({value for value in values if isinstance(value, int)})
            return f"a number from {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else ""
        case "players":
            return "a player"
        case "suits":
            return "a suit"
        case "ranks":
            return "a rank"
        case "teams":
            return "a side"
        case "zones":
            return "a pile"
    return ""
