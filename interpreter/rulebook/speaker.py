"""Expressions in words: values as noun phrases, conditions as clauses.

Whoever acts is `you`. What a definition's author has documented is named and told once, in the book's chapter of
terms; a short condition is spelled out where it stands.
"""

from __future__ import annotations

from interpreter.language.typed import Typed
from interpreter.rulebook.clauses import clause
from interpreter.rulebook.nouns import Nouns


class Speaker(Nouns):
    """Says the expressions of a ruleset."""

    def clause(self, node: Typed, negated: bool = False) -> str:
        """A condition as a clause, or its opposite. Raises TooLong."""
        form = "its opposite" if negated else "that it holds"
        return self.once(node, form, lambda node: clause(self, node, negated))
