"""A ruleset said in another way, which must play the same match: definitions written out, names changed, and so on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fuzz.making import scope_at, told_by
from fuzz.mutating import Mutation, collision, nasty_names
from fuzz.naming import defined, in_text, plain_words, renamable, renamed
from fuzz.places import Path, Spot, Tree, put, spots
from fuzz.watching import Watch
from interpreter import Game, IllegalMove, RuleError
from interpreter.api.game import State
from interpreter.base.diagnostics import Report, Span
from interpreter.language import syntax as ast
from interpreter.language.parser import parse_effect, parse_expr
from interpreter.language.source import Scalar
from interpreter.language.tree import TreeNode, fields


@dataclass(frozen=True)
class Twin:
    """The same rules in other words. told: what two logs have in common. strict: whether it must be valid, too."""

    way: str
    tree: Tree
    told: Callable[[str], str]
    strict: bool = False
    what: str = ""


def _as_it_is(text: str) -> str:
    return text


# ---- the syntax of texts ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """A text of the effect language: all of a value, or what stands in braces in words that are told."""

    spot: Spot
    kind: str
    start: int
    text: str

    def nodes(self) -> Iterator[Any]:
        source = Scalar(self.text, self.text, Span("text", 0, 0, 0, 0), "block", 0)
        return _nodes((parse_effect if self.kind == "effect" else parse_expr)(source, Report()))

    def cut(self, node: Any) -> str:
        """What a node was written as."""
        start, end = self._ends(node)
        return self.text[start:end]

    def with_other(self, node: Any, other: str) -> str:
        """The whole value with other words in place of a node."""
        start, end = self._ends(node)
        whole = str(self.spot.value)
        return f"{whole[: self.start + start]}{other}{whole[self.start + end :]}"

    def _ends(self, node: Any) -> tuple[int, int]:
        span = node.span
        return self._offset(span.line, span.column), self._offset(span.end_line, span.end_column)

    def _offset(self, line: int, column: int) -> int:
        """Where in the text a place is that was counted as in a block."""
        at = 0
        for _ in range(line - 1):
            at = self.text.index("\n", at) + 1
        return at + column - 1


def _nodes(tree: object) -> Iterator[Any]:
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, tuple):
            waiting += node
        elif isinstance(node, TreeNode):
            yield node
            waiting += [getattr(node, name) for name in fields(node)]


def _texts(tree: Tree) -> list[Piece]:
    """The expressions and effects."""
    return [
        Piece(spot, "effect" if spot.text == "effect" else "expr", 0, spot.value)
        for spot in spots(tree)
        if spot.text in ("expr", "effect") and isinstance(spot.value, str) and spot.value != "random"
        and spot.path[-1:] not in (("by",), ("on",), ("choice",), ("wins",), ("over",))
    ]  # fmt: skip


def _pieces(tree: Tree) -> list[Piece]:
    """The expressions and effects, and the expressions in what is told."""
    told = [
        Piece(spot, "expr", found.start(1), found[1])
        for spot in spots(tree)
        if spot.text in ("words", "effect") and isinstance(spot.value, str)
        for found in re.finditer(r"\{([^{}]*)\}", spot.value)
    ]
    return [*_texts(tree), *told]


def _values(tree: Tree) -> dict[str, tuple[str, tuple[str, ...], str]]:
    """Definitions of values by name: key, parameters and text."""
    found = {}
    for key, said in (tree.get("define") or {}).items():
        text = said.get("value") if isinstance(said, dict) else said
        if isinstance(text, str):
            name, params = defined(key)
            found[name] = (key, params, text)
    return found


# ---- ways to say the same ---------------------------------------------------------------------------------------


def other_names(m: Mutation) -> Twin | None:
    names = {}
    if m.dice.random() < 0.08:
        try:
            names = collision(m)
        except (IndexError, ValueError):
            names = {}
    names = names or nasty_names(m)
    if not names:
        return None
    return Twin("names", renamed(m.tree, names), plain_words(names), True, str(names))


NEVER_NONE = {"card", "player", "suit", "rank", "team", "colour", "name"}
"""Parameters that have a type by their name: what is given none there is none, whatever it asks of it."""


def written_out(m: Mutation) -> Twin | None:
    """A definition in place of its name."""
    known = _values(m.tree)
    choices = []
    for piece in _pieces(m.tree):
        if not any(name in piece.text for name in known):
            continue
        for node in piece.nodes():
            if isinstance(node, ast.Apply) and node.function in known:
                choices.append((piece, node, node.function, node.arguments))
            elif (
                isinstance(node, ast.Name)
                and node.text in known
                and node.text not in scope_at(m.tree, piece.spot.path)[0]
            ):
                choices.append((piece, node, node.text, ()))
    if not choices:
        return None
    piece, node, name, arguments = m.dice.choice(choices)
    _, params, body = known[name]
    if len(params) != len(arguments) or set(params) & NEVER_NONE:
        return None
    given = [piece.cut(argument) for argument in arguments]
    bound = set(re.findall(r"\b(?:any|all|first|count|for) (\w+) in\b", body))
    if bound & (set(re.findall(r"\w+", " ".join(given))) | set(params)):
        return None
    body = in_text(body, {param: f"({one})" for param, one in zip(params, given, strict=True)})
    text = piece.with_other(node, f"({body})")
    return Twin("a definition written out", put(m.tree, piece.spot.path, text), _as_it_is, False, text)


def by_variable(m: Mutation) -> Twin | None:
    """A literal that is given to a definition, in a variable that always holds it."""
    known = _values(m.tree)
    choices = [
        (piece, argument, param)
        for piece in _pieces(m.tree)
        if any(name in piece.text for name in known)
        for node in piece.nodes()
        if isinstance(node, ast.Apply) and node.function in known
        for argument, param in zip(node.arguments, known[node.function][1], strict=False)
        if _variable_for(piece.cut(argument)) and piece.cut(argument) != "none"  # which is said by its kind
    ]
    if not choices:
        return None
    piece, node, param = m.dice.choice(choices)
    text = piece.cut(node)
    kinds = _variable_for(text)
    told = told_by({"s": "suit", "q": "player"}.get(param, param))
    said = next((one for one in kinds if one["type"] == told), m.dice.choice(kinds))
    tree = put(m.tree, piece.spot.path, piece.with_other(node, "fz_given"))
    tree = put(tree, ("state",), {**(tree.get("state") or {}), "fz_given": {**said, "lasts": "match"}})
    return Twin("a variable for a literal that is given", tree, _as_it_is, False, f"{text} in {piece.text}")


def _variable_for(text: str) -> list[dict[str, Any]]:
    if text == "none":
        return [{"type": kind, "optional": True} for kind in ("suit", "card", "player", "rank")]
    if text.isdigit() and len(text) < 6:
        return [{"type": "integer", "min": int(text), "max": int(text), "default": int(text)}]
    if text in ("clubs", "diamonds", "hearts", "spades"):
        return [{"type": "suit", "default": text}]
    return []


def number_in_variable(m: Mutation) -> Twin | None:
    """A number in a variable that always holds it: what was worked out beforehand is worked out in play."""
    choices = [
        (piece, node)
        for piece in _pieces(m.tree)
        if piece.spot.kind == "condition" or piece.spot.text in ("effect", "words")
        for node in piece.nodes()
        if isinstance(node, ast.Number)
        and node.value < 100_000
        and piece.cut(node) == str(node.value)  # `-x` is `0 - x`, and nobody has written that 0
    ]
    if not choices:
        return None
    piece, node = m.dice.choice(choices)
    tree = put(m.tree, piece.spot.path, piece.with_other(node, "fz_number"))
    said = {"type": "integer", "min": node.value, "max": node.value, "default": node.value, "lasts": "match"}
    tree = put(tree, ("state",), {**(tree.get("state") or {}), "fz_number": said})
    return Twin("a number in a variable", tree, _as_it_is, False, f"{node.value} in {piece.text}")


def under_a_name(m: Mutation) -> Twin | None:
    """A condition or an effect as a definition."""
    choices = [
        (piece.spot, piece.kind)
        for piece in _texts(m.tree)
        if piece.spot.kind in ("condition", "effect", "law") and piece.spot.path[0] == "flow"
    ]
    if not choices:
        return None
    spot, kind = m.dice.choice(choices)
    if spot.path[-1] in ("label", "message"):
        return None
    scope, _ = scope_at(m.tree, spot.path)
    if spot.path[-1] == "where":
        scope["card"] = "card"
    words = set(re.findall(r"\w+", spot.value))
    params = [name for name in scope if name in words]
    key = f"fz_same({', '.join(params)})" if params else "fz_same"
    said: Any = {"effect": spot.value} if kind == "effect" else f"({spot.value})"
    tree = put(m.tree, ("define",), {**(m.tree.get("define") or {}), key: said})
    return Twin("a definition for a text", put(tree, spot.path, key), _as_it_is, False, f"{spot.path}: {spot.value}")


def twice_denied(m: Mutation) -> Twin | None:
    """A condition denied twice, or joined with itself."""
    spots_of = [piece.spot for piece in _texts(m.tree)]
    choices = [spot for spot in spots_of if spot.kind in ("condition", "law") and spot.path[-1] != "on"]
    if not choices:
        return None
    spot = m.dice.choice(choices)
    c = spot.value
    made = m.dice.choice((f"not (not ({c}))", f"({c}) and ({c})", f"({c}) or ({c})", f"({c}) and 1 = 1"))
    return Twin("a condition denied twice", put(m.tree, spot.path, made), _as_it_is, True, made)


def groups_reversed(m: Mutation) -> Twin | None:
    """What stands in a set, in another order."""
    choices = [
        (piece, node.group)
        for piece in _pieces(m.tree)
        if " in (" in piece.text
        for node in piece.nodes()
        if isinstance(node, ast.Member) and isinstance(node.group, ast.Group)
    ]
    if not choices:
        return None
    piece, node = m.dice.choice(choices)
    text = piece.with_other(node, f"({', '.join([piece.cut(item) for item in node.items][::-1])})")
    return Twin("a set in another order", put(m.tree, piece.spot.path, text), _as_it_is, True, text)


def option_as_value(m: Mutation) -> Twin | None:
    """The value of an option in place of its name."""
    literals = {}
    for name, said in (m.tree.get("options") or {}).items():
        value = said.get("default") if isinstance(said, dict) else None
        kind = said.get("type") if isinstance(said, dict) else None
        if said.get("each") or said.get("optional"):
            continue
        if kind == "integer" and isinstance(value, int) and 0 <= value < 10**6:
            literals[name] = str(value)
        elif kind == "flag" and isinstance(value, bool | None):
            literals[name] = "(1 = 1)" if value else "(1 = 0)"
        elif kind == "choice" and isinstance(value, str) and value != "none":  # which a text never is
            literals[name] = f'"{value}"'
    used = [name for name in literals if any(re.search(rf"\b{name}\b", piece.text) for piece in _texts(m.tree))]
    if not used:
        return None
    name = m.dice.choice(used)
    tree = m.tree
    for spot in (piece.spot for piece in _texts(m.tree)):
        if spot.kind in ("condition", "effect", "law"):
            tree = put(tree, spot.path, in_text(spot.value, {name: literals[name]}))
    return Twin("the value of an option", tree, _as_it_is, False, f"{name}: {literals[name]}")


def own_players(m: Mutation) -> Twin | None:
    """In the `until` of a stage, `players` are those of the stage: written out."""
    flow = m.tree.get("flow") or {}
    above = {child: name for name, said in flow.items() if isinstance(said, dict) for child in _children(said)}
    choices = []
    for name, said in flow.items():
        if (
            not isinstance(said, dict)
            or not isinstance(said.get("players"), str)
            or not isinstance(said.get("until"), str)
        ):
            continue
        around, at = [], above.get(name)
        while at is not None and at not in around:
            around.append(at)
            at = above.get(at)
        if name != "match" and "match" not in around:
            continue
        if any(isinstance(flow.get(one), dict) and flow[one].get("players") for one in around):
            continue
        if re.search(r"\bplayers\b", said["until"]) and not re.search(r"\b(players|next)\b", said["players"]):
            choices.append((name, said))
    if not choices:
        return None
    name, said = m.dice.choice(choices)
    short = re.fullmatch(r"(\w+) where (.*)", said["players"], re.DOTALL)
    those = (
        f"(all {short[1]} in everyone where {short[2]})"
        if short
        else f"(all q in everyone where q in ({said['players']}))"
    )
    until = in_text(said["until"], {"players": those})
    return Twin(
        "until, its own players written out", put(m.tree, ("flow", name, "until"), until), _as_it_is, False, until
    )


def _children(said: Tree) -> list[str]:
    found = said.get("do") or said.get("repeat") or []
    return [found] if isinstance(found, str) else [str(one) for one in found]


WAYS: tuple[Callable[[Mutation], Twin | None], ...] = (
    other_names, written_out, by_variable, number_in_variable, under_a_name, twice_denied, groups_reversed,
    option_as_value,
    own_players,
)  # fmt: skip
CHANCES = (8, 4, 4, 4, 4, 2, 2, 2, 3)


def twins(m: Mutation, number: int) -> Iterator[Twin]:
    """Some ways to say the same; every way that seldom applies is tried."""
    seldom = (own_players, by_variable, groups_reversed)
    ways = [*seldom, *m.dice.choices(WAYS, CHANCES, k=number)]
    for way in dict.fromkeys(ways):
        try:
            twin = way(m)
        except (KeyError, IndexError, ValueError, TypeError, AttributeError):
            continue
        if twin is not None and twin.tree != m.tree:
            yield twin


def actors_of(state: State) -> list[int] | None:
    """Who can act; None where the rules cannot say."""
    try:
        return state.actors
    except RuleError:
        return None


# ---- two matches ------------------------------------------------------------------------------------------------


def compare(one: Game, other: Game, twin: Twin, seed: int, dice: random.Random, watch: Watch, steps: int = 15) -> None:
    """Play both; whatever happens must be the same but for the names."""
    told = twin.told
    states: list[State] = []
    errors: list[str] = []
    for game in (one, other):
        try:
            states.append(game.start(seed=seed))
        except (RuleError, ValueError) as error:
            errors.append(str(error))
    if errors:
        if len(errors) == 1:
            watch.wrong(f"twin: {twin.way} (start)", f"{twin.what}\nonly one can begin: {errors[0]}")
        return
    first, second = states
    seen = 0
    for _ in range(steps):
        logs = [[told(str(event)) for event in (state.log or ())[seen:]] for state in states]
        if logs[0] != logs[1]:
            at = next((at for at, (x, y) in enumerate(zip(*logs, strict=False)) if x != y), -1)
            watch.wrong(
                f"twin: {twin.way} (log)",
                f"{twin.what}\n{logs[0][at]!r} or {logs[1][at]!r}" if logs[0] and logs[1] else twin.what,
            )
            return
        seen = len(first.log or ())
        actors = [actors_of(state) for state in states]
        if first.over != second.over or actors[0] != actors[1] or told(first.phase) != told(second.phase):
            watch.wrong(
                f"twin: {twin.way} (stage)",
                f"{twin.what}\n{first.phase} {actors[0]} or {second.phase} {actors[1]}",
            )
            return
        if first.over or not actors[0]:
            return
        player = dice.choice(first.actors)
        lists = []
        for state in states:
            try:
                lists.append({told(str(move)): move for move in list(state.legal_moves(player)[:200])})
            except (RuleError, ValueError) as error:
                lists.append({"error": str(error)})
        if lists[0].keys() != lists[1].keys():
            differ = sorted(set(lists[0]) ^ set(lists[1]))[:6]
            watch.wrong(f"twin: {twin.way} (moves)", f"{twin.what}\nonly one has: {differ}")
            return
        if not lists[0] or "error" in lists[0]:
            return
        chosen = dice.choice(list(lists[0]))
        ends = []
        for state, moves in zip(states, lists, strict=True):
            try:
                state.play(player, moves[chosen])
                ends.append("")
            except (RuleError, IllegalMove) as error:
                ends.append(f"{type(error).__name__} {error}")
        if bool(ends[0]) != bool(ends[1]):
            watch.wrong(f"twin: {twin.way} (play)", f"{twin.what}\n'{chosen}' fails only in one: {ends}")
            return
        if ends[0]:
            return


__all__ = ["Path", "Twin", "compare", "renamable", "twins"]
