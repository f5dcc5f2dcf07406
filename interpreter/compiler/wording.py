"""Whether every move can be read back from its text, as records do: what is marked in it, and what cannot be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from interpreter.base.arithmetic import whole
from interpreter.base.diagnostics import Report
from interpreter.compiler.layout import Impossible, Layout
from interpreter.compiler.place_labels import place_labels
from interpreter.engine.melds.text import STANDS
from interpreter.engine.notation import NONE, NOTHING, QUOTE, UNSAID
from interpreter.engine.program import place_name
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_blind
from interpreter.language.model import MELDS, ActionDef, ParamDef


def check_wording(layout: Layout, report: Report) -> None:
    """Report choices whose words cannot be told from something else in the text of a move.

    Raises Impossible if an option gives such words.
    """
    wording = _Wording(layout, report)
    for stage in layout.model.stages.values():
        for action in (*stage.actions, *stage.anytime):
            for params in _lists(action):
                for at, param in enumerate(params):
                    if param.form == "choice":
                        wording.check(param, params[:at], _next(params[at + 1 :]))
                    elif param.form == "flag":
                        wording.check_flag(param, _next(params[at + 1 :]))


def is_ended(layout: Layout, param: ParamDef, later: Sequence[ParamDef]) -> bool:
    """Whether it must be shown where several cards end: what follows could be read as one more."""
    several = param.count is not None or param.form in MELDS
    return several and any(_may_be_card(layout, following, param) for following in _next(later))


def words_of(layout: Layout, param: ParamDef) -> tuple[str, ...]:
    """The words of a choice: its own, or those of a list option, each once."""
    if param.domain is not None:
        return tuple(dict.fromkeys(str(word) for word in layout.constant(param.domain) or ()))
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


class _Words:
    """What there is to know of the words of a choice, wherever they are chosen: found once, however often they are."""

    def __init__(self, words: Sequence[str]) -> None:
        self.wrong = {word: found for word in words if (found := _wrong(word)) is not None}
        self.by_first: dict[str, list[str]] = {}
        self.longer: dict[str, dict[str, str]] = {}
        """What follows a word in a longer one -> the words that it follows, each with the first such longer one."""
        known, lengths = set(words), {len(word) for word in words}
        for word in words:
            self.by_first.setdefault(word.split(" ", 1)[0], []).append(word)
            blank = word.find(" ")
            while blank >= 0:
                if blank in lengths and word[:blank] in known:
                    following = word[blank + 1 :].split(" ", 1)[0]
                    self.longer.setdefault(following, {}).setdefault(word[:blank], word)
                blank = word.find(" ", blank + 1)


class _Wording:
    """Looks at the choices of one game."""

    def __init__(self, layout: Layout, report: Report) -> None:
        self._layout = layout
        self._report = report
        self._words: dict[tuple[str, ...], _Words] = {}
        self._beginnings: dict[int, frozenset[str]] = {}
        self._done: set[object] = set()

    def check(self, param: ParamDef, before: Sequence[ParamDef], following: Sequence[ParamDef]) -> None:
        """Report the words that cannot be chosen; an action is looked at again with each of its rows."""
        flags = frozenset(p.name for p in before if p.form == "flag")
        place = (id(param), flags, *map(id, following))
        if place in self._done:
            return
        self._done.add(place)
        words = words_of(self._layout, param)
        found = self._problems(param, words, flags, following)
        for word in words if found else ():
            if word in found:
                why, hint = found[word]
                message = f"'{word}' cannot be chosen for '{param.name}': {why}"
                if _is_given(self._layout, param):
                    raise Impossible(message, param.span, hint)
                self._report.error("E522", param.span, message, hint)

    def check_flag(self, flag: ParamDef, following: Sequence[ParamDef]) -> None:
        """Report a flag whose name is what may be chosen next: of the words of choices it is told at these."""
        place = (id(flag), *map(id, following))
        mixed = next((p for p in following if p.form not in ("choice", "flag") and self._may_begin(p, flag.name)), None)
        if mixed is None or place in self._done:
            return
        self._done.add(place)
        message = f"'{flag.name}' in a move could be this flag, or what is chosen for '{mixed.name}'"
        self._report.error("E522", flag.span, message, "rename the flag")

    def _problems(
        self, param: ParamDef, words: tuple[str, ...], flags: frozenset[str], following: Sequence[ParamDef]
    ) -> dict[str, tuple[str, str]]:
        """What is wrong with words, and what to do."""
        if words not in self._words:
            self._words[words] = _Words(words)
        known = self._words[words]
        found = dict(known.wrong)
        if param.optional and NONE in words:
            found.setdefault(
                NONE, ("in a move, this means that nothing is chosen", "take another word, or leave 'optional' out")
            )
        if param.said and UNSAID in words:
            found.setdefault(UNSAID, ("in a move, this means that nothing is said", "take another word"))
        for flag in flags:
            for word in known.by_first.get(flag, ()):
                found.setdefault(
                    word, (f"in a move, '{flag}' before it means yes", "take another word, or rename the flag")
                )
        for rest, longer in known.longer.items():
            if any(self._may_begin(param, rest) for param in following):
                for word, other in longer.items():
                    why = f"what is chosen next could make it read as '{other}'"
                    found.setdefault(word, (why, "take other words, or let it be chosen last"))
        return found

    def _may_begin(self, following: ParamDef, word: str) -> bool:
        """Whether what is written for a parameter may begin with a word."""
        match following.form:
            case "number" | "tokens":
                return whole(word) is not None
            case "cards" | "kinds" | "meld" | "melds":
                named = _card_in(word).upper() in self._layout.by_name
                return named or word[:1].isdigit() or word == NOTHING
        if id(following) not in self._beginnings:
            self._beginnings[id(following)] = frozenset(_beginnings(self._layout, following))
        return word in self._beginnings[id(following)]


def _wrong(word: str) -> tuple[str, str] | None:
    """Why a word cannot be chosen anywhere, and what to do."""
    plain = " ".join(word.split())
    if not plain:
        return "a move is written in words, and this is none", "give it a word, such as 'nothing_more'"
    if word != plain or not word.isprintable():
        return "between the words of a move there is one blank", f"write '{plain}'" if plain.isprintable() else ""
    if QUOTE in word:
        return "in a move, quotes stand around what is said", "leave the quotes out"
    return None


def _is_given(layout: Layout, param: ParamDef) -> bool:
    """Whether the words of a choice are those that somebody gives an option, and not those of the ruleset."""
    if not isinstance(param.domain, t.OptionRef):
        return False
    return bool(layout.model.options[param.domain.name].default != layout.constant(param.domain))


def _may_be_card(layout: Layout, following: ParamDef, param: ParamDef) -> bool:
    """Whether something that is written for a parameter could be read as a card of another."""
    by_position = is_blind(param, layout.model.zones, layout.model.instances)
    if following.form in ("number", "tokens"):
        return by_position or any(map(whole, layout.by_name))
    if following.form in ("cards", "kinds", *MELDS):
        return True
    words = map(_card_in, _beginnings(layout, following))
    return any(word.upper() in layout.by_name or (by_position and whole(word) is not None) for word in words)


def _card_in(word: str) -> str:
    """What would be the name of a card, without what it stands for and the place where it lies."""
    return word.partition(STANDS)[0].partition("@")[0]


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
            found += map(place_name, place_labels(layout, param.type.zone))
    return found
