"""Sentences that a ruleset gives for what its players do and are asked: texts with slots that agree by themselves.

A slot stands in braces. `{actor}` is who does it (`you`, a name), `{actor's}` whose something is, `{verb: order}` a
verb that agrees with the actor (you order, Anna orders), `{n cards}` how many cards it is about (`three cards`),
`{cards}` the cards as far as the reader sees them, `{receiver}` to whom they go; any other slot is a name.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.base.diagnostics import Span
from interpreter.language.tree import TreeNode

PUBLIC = "public"


class Slot(TreeNode, frozen=True):
    """kind: "actor", "owner", "verb", "number", "cards", "receiver" or "name". text: the verb, the noun or the name.

    form: of a parameter, what is chosen (cards, players, suits ...); at: which one it is of those of that form, and
    many: how many of them there can be. Of a variable or definition, PUBLIC if everybody may know it.
    """

    kind: str
    text: str = ""
    form: str = ""
    at: int = 0
    many: int = 0


class Template(TreeNode, frozen=True):
    """One text: pieces as they are, and slots. named: the slots that are names."""

    pieces: tuple[str | Slot, ...]
    span: Span

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(piece.text for piece in self.pieces if isinstance(piece, Slot) and piece.kind == "name")

    def formed(self, forms: Mapping[str, tuple[str, int, int]]) -> Template:
        """With the form of each slot that is a name, as far as it is known: name -> form, at, many."""
        pieces = [
            Slot(piece.kind, piece.text, *forms[piece.text])
            if isinstance(piece, Slot) and piece.text in forms
            else piece
            for piece in self.pieces
        ]
        return Template(tuple(pieces), self.span)

    def has(self, kind: str) -> bool:
        return any(isinstance(piece, Slot) and piece.kind == kind for piece in self.pieces)


Templates = tuple[Template, ...]
"""A text, then what stands for each that the reader may not know all of."""
