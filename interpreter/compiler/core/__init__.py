"""The core: what a program is made of between the typed model and printed code.

Expressions never change once they are made, and have no effect but for calls and methods, which stand in statements.
Names of rulesets stand in them as made names only (`made.py`). A printer decides nothing: it knows each kind of node,
and how it is written in its language. Whatever is to be found out about code is found out here, on trees.

Every expression has a type (`types.py`), which `type_of` tells and `checking` compares with what is wanted of it.

Sets of cards are kept as bits ("mask": card n is bit n) or as lists (bottom first); `s` is the state, `z` the cards in
each place, `v` the values of variables.
"""

from interpreter.compiler.core.known import *  # noqa: F403
from interpreter.compiler.core.node_kinds import *  # noqa: F403
from interpreter.compiler.core.walking import *  # noqa: F403
