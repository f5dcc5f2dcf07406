"""Actions that players would read of by a name that is no English, because nothing says how they are told."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.base.diagnostics import Span
from interpreter.language.model import Model
from interpreter.words.verbs import phrase_of


def unspoken(model: Model) -> Iterator[tuple[Span, str]]:
    """Where such actions stand, each once, and what to do about it."""
    nouns = frozenset((*model.tokens, *model.zones))
    seen = set()
    for stage in model.stages.values():
        for action in (*stage.actions, *stage.anytime):
            told = action.tell or action.labels or action.talk or action.is_claim
            if not told and action.name not in seen and phrase_of(action.name, nouns) is None:
                seen.add(action.name)
                words = action.name.replace("_", " ")
                hint = f"players read 'Anna: {words}'; `tell` says it in a sentence, `prompt` what is asked"
                yield action.span, hint
