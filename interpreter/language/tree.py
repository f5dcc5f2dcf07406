"""What the trees are made of between a text and a program: nodes that never change once they are made.

Structs of msgspec rather than data classes: there are a hundred kinds of nodes, and making that many data classes
would take as long as checking a ruleset.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

__all__ = ["TreeNode", "field", "fields", "replace"]


class TreeNode(Struct, frozen=True, gc=False):
    """One node: of a syntax tree, of the typed tree, or of the model of a ruleset."""


def fields(node: TreeNode | type[TreeNode]) -> tuple[str, ...]:
    """The names of a node's fields, in order."""
    return node.__struct_fields__
