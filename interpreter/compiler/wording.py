"""Whether every move can be read back from its text, as records do: what is marked in it, and what cannot be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from interpreter.base.diagnostics import Report
from interpreter.compiler.layout import Impossible, Layout
from interpreter.engine.notation import NONE, QUOTE, UNSAID, whole
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_blind
from interpreter.language.model import ActionDef, ParamDef


def check_wording(layout: Layout, report: Report) -> None:
    """Report choices whose words cannot be told from something else in the text of a move.

    Raises Impossible if an option gives such words.
    """
    for stage in layout.model.stages.values():
        for action in (*stage.actions, *stage.anytime):
            for params in _lists(action):
                for at, param in enumerate(params):
                    if param.form == "choice":
                        _check_choice(layout, param, params[:at], params[at + 1 :], report)


def is_ended(layout: Layout, param: ParamDef, later: Sequence[ParamDef]) -> bool:
    """Whether it must be shown where several cards end: what follows could be read as one more."""
    return param.count is not None and any(_may_be_card(layout, following, param) for following in _next(later))


def words_of(layout: Layout, param: ParamDef) -> tuple[str, ...]:
    """The words of a choice: its own, or those of a list option, each once."""
    if param.domain is not None:
        return tuple(dict.fromkeys(str(word) for word in layout.constant(param.domain)))
    return param.type.symbols


def _lists(action: ActionDef) -> Iterator[tuple[ParamDef, ...]]:
    """The parameters of an action as they follow one another, with those of each row."""
    yield action.params
    for row in action.rows:
        yield *action.params, *row.params


def _next(later: Sequence[ParamDef]) -> list[ParamDef]:
    """The parameters of which one is written next: those that may be left out, and the first that may not."""
    left_out = list(takewhile(lambda param: param.form == "flag", later))
    return [*left_out, *later[len(left_out) : len(left_out) + 1]]


def _check_choice(
    layout: Layout, param: ParamDef, before: Sequence[ParamDef], later: Sequence[ParamDef], report: Report
) -> None:
    words, flags = words_of(layout, param), {p.name for p in before if p.form == "flag"}
    for word in words:
        why, hint = _problem(layout, word, words, param, flags, later)
        if not why:
            continue
        message = f"'{word}' cannot be chosen for '{param.name}': {why}"
        if _is_given(layout, param):
            raise Impossible(message, param.span, hint)
        report.error("E522", param.span, message, hint)


def _is_given(layout: Layout, param: ParamDef) -> bool:
    """Whether the words of a choice are those that somebody gives an option, and not those of the ruleset."""
    if not isinstance(param.domain, t.OptionRef):
        return False
    return bool(layout.model.options[param.domain.name].default != layout.constant(param.domain))


def _problem(
    layout: Layout, word: str, words: Sequence[str], param: ParamDef, flags: set[str], later: Sequence[ParamDef]
) -> tuple[str, str]:
    """What is wrong with a word of a choice, and what to do; two empty texts if nothing is."""
    first, plain = word.split(" ")[0], " ".join(word.split())
    if not plain:
        return "a move is written in words, and this is none", "give it a word, such as 'nothing_more'"
    if word != plain or not word.isprintable():
        return "between the words of a move there is one blank", f"write '{plain}'" if plain.isprintable() else ""
    if QUOTE in word:
        return "in a move, quotes stand around what is said", "leave the quotes out"
    if param.optional and word == NONE:
        return "in a move, this means that nothing is chosen", "take another word, or leave 'optional' out"
    if param.said and word == UNSAID:
        return "in a move, this means that nothing is said", "take another word"
    if first in flags:
        return f"in a move, '{first}' before it means yes", "take another word, or rename the flag"
    for other in words:
        rest = other.removeprefix(f"{word} ")
        if rest != other and any(_may_begin(layout, following, rest.split(" ")[0]) for following in _next(later)):
            return f"what is chosen next could make it read as '{other}'", "take other words, or let it be chosen last"
    return "", ""


def _may_be_card(layout: Layout, following: ParamDef, param: ParamDef) -> bool:
    """Whether something that is written for a parameter could be read as a card of another."""
    if following.form in ("number", "tokens"):
        return is_blind(param, layout.model.zones, layout.model.instances) or any(map(whole, layout.by_name))
    return following.form == "cards" or any(word.upper() in layout.by_name for word in _beginnings(layout, following))


def _may_begin(layout: Layout, following: ParamDef, word: str) -> bool:
    """Whether what is written for a parameter may begin with a word."""
    match following.form:
        case "number" | "tokens":
            return whole(word) is not None
        case "cards":
            return word.partition("@")[0].upper() in layout.by_name or word[:1].isdigit() or word == "nothing"
    return word in _beginnings(layout, following)


def _beginnings(layout: Layout, param: ParamDef) -> list[str]:
    """The words with which what is written for a parameter can begin, but for numbers and cards."""
    model = layout.model
    found = [NONE] * param.optional + [UNSAID] * param.said
    match param.form:
        case "players":
            found += [f"P{player + 1}" for player in range(layout.n)]
        case "teams":
            found += [f"T{team + 1}" for team in range(layout.team_count)]
        case "suits":
            found += [suit.name for suit in model.suits]
        case "ranks":
            found += model.ranks
        case "flag":
            found.append(param.name)
        case "choice":
            found += [word.split(" ")[0] for word in words_of(layout, param)]
        case "zones":
            found.append(param.type.zone)
    return found
