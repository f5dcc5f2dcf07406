"""Sentences that a ruleset gives for what its players do and are asked: texts with slots that agree by themselves.

A slot stands in braces. `{actor}` is who does it (`you`, a name), `{actor's}` whose something is, `{verb: order}` a
verb that agrees with the actor (you order, Anna orders), `{n cards}` how many cards it is about (`three cards`),
`{cards}` the cards as far as the reader sees them, `{receiver}` to whom they go, `{pile of whose}` the place of a zone
that belongs to a player who is chosen, as the table calls it; any other slot is a name.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.base.diagnostics import Span
from interpreter.language.tree import TreeNode


class Slot(TreeNode, frozen=True):
    """kind: "actor", "owner", "verb", "number", "cards", "receiver", "place" or "name". text: the verb, the noun or the
    name; of a place that of the player who is chosen.

    open: of a variable or definition, whether everybody may know it. zone: of a place, that of which it is one.
    """

    kind: str
    text: str = ""
    open: bool = False
    zone: str = ""


class Template(TreeNode, frozen=True):
    """One text: pieces as they are, and slots. named: the names that its slots use. places: those of players of whom
    a place is told, each with its zone."""

    pieces: tuple[str | Slot, ...]
    span: Span

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(piece.text for piece in self.pieces if isinstance(piece, Slot) and piece.kind in ("name", "place"))

    @property
    def places(self) -> dict[str, str]:
        return {piece.text: piece.zone for piece in self.pieces if isinstance(piece, Slot) and piece.kind == "place"}

    def opened(self, names: Collection[str]) -> Template:
        """With it marked of each slot that is one of these names that everybody may know it."""
        pieces = [
            Slot(piece.kind, piece.text, open=True) if isinstance(piece, Slot) and piece.text in names else piece
            for piece in self.pieces
        ]
        return Template(tuple(pieces), self.span)

    def has(self, kind: str) -> bool:
        return any(isinstance(piece, Slot) and piece.kind == kind for piece in self.pieces)


Templates = tuple[Template, ...]
"""A text, then what stands for each that the reader may not know all of."""
