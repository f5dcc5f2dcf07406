"""The shipped games as a lobby shows them, and what can be chosen of each."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from interpreter.api.game import Ruleset, load
from interpreter.api.options import OptionError
from interpreter.base.diagnostics import RulesetError
from interpreter.interfaces.catalogue import entries

if TYPE_CHECKING:
    from interpreter.api.game import Game


WORDS_A_MINUTE = 200
"""That people read of rules."""


@lru_cache(maxsize=1)
def all_games() -> list[dict[str, Any]]:
    """id, name and numbers of players of each."""
    return [{"id": entry.id, "name": entry.name, "players": list(entry.players)} for entry in entries()]


def form(name: str, variants: Iterable[str] = ()) -> dict[str, Any] | None:
    """What can be chosen of a shipped game with some of its variants; None if there is none, or no such variant.

    It is made once for those variants with which there are other things to choose: however often one is named, or what
    else with them, nothing is done again.
    """
    if not any(game["id"] == name for game in all_games()):
        return None
    other = {variant["name"]: variant["other"] for variant in _form(name, ())["variants"]}
    named = dict.fromkeys(variants)
    if not named.keys() <= other.keys():
        return None
    return _form(name, tuple(variant for variant in named if other[variant]))


@lru_cache(maxsize=256)
def _form(name: str, variants: tuple[str, ...]) -> dict[str, Any]:
    ruleset = load(name)
    own = form_of(ruleset)
    try:
        varied = ruleset.with_variants(variants)
    except (OptionError, RulesetError):  # they do not go together, which is told when the table is opened
        return own
    return {**form_of(varied), **{key: own[key] for key in ("id", "name", "about", "variants")}}


def rules(game: Game) -> str:
    """The rulebook of a game as it is played here, in Markdown."""
    from interpreter.rulebook.comparing import marked_book
    from interpreter.rulebook.writing import markdown

    return markdown(marked_book(game))


def lesson(game: Game) -> dict[str, Any]:
    """How to play a game as it is played here, and no more. text: in Markdown. end: when a match is over, which tells
    how long it is. minutes: in which the text is read, which tells how hard the game is to learn."""
    from interpreter.rulebook.book import END, texts
    from interpreter.rulebook.comparing import marked_book
    from interpreter.rulebook.writing import markdown

    book = marked_book(game)
    text = markdown(book, brief=True)
    ends = tuple(section for section in book.how if section.title == END)
    end = " ".join(found for found in texts(ends) if found != END)
    return {"text": text, "end": end, "minutes": max(1, round(len(text.split()) / WORDS_A_MINUTE))}


def form_of(ruleset: Ruleset) -> dict[str, Any]:
    """What can be chosen of a game: numbers of players, options with their bounds, variants with what each sets.

    other: whether with a variant there are other things to choose. apart: variants that cannot be chosen with it.
    """
    players = ruleset.players
    apart = _apart(ruleset)
    return {
        "id": ruleset.id,
        "name": ruleset.name,
        "about": ruleset.model.about,
        "players": {"counts": list(players.counts), "default": players.default},
        "options": [
            {
                "name": name, "type": option.type, "default": option.default, "choices": list(option.choices),
                "min": option.min, "max": option.max, "doc": option.doc, "optional": option.optional,
            }
            for name, option in ruleset.options.items()
        ],
        "variants": [
            {"name": name, "doc": variant.doc, "set": dict(variant.set), "players": variant.players,
             "other": bool(variant.ruleset or variant.has_patch), "apart": apart[name]}
            for name, variant in ruleset.model.variants.items()
        ],
        "honor": ruleset.model.honor is not None,
    }  # fmt: skip


def _apart(ruleset: Ruleset) -> dict[str, list[str]]:
    """By each variant, with which others it makes no ruleset."""
    variants = ruleset.model.variants
    found: dict[str, list[str]] = {name: [] for name in variants}
    whole = {name for name, variant in variants.items() if variant.ruleset}
    patches = {name for name, variant in variants.items() if variant.has_patch}
    for name, other in combinations(variants, 2):
        if {name, other} & whole or {name, other} <= patches:
            try:
                ruleset.with_variants((name, other))
            except (OptionError, RulesetError):
                found[name].append(other)
                found[other].append(name)
    return found
