"""Rulesets in words: what one says (`explain`, `show`), and how two of them differ (`diff`).

The expressions stay as the author wrote them: the language is meant to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from interpreter.schema import HEADINGS, WORDS
from interpreter.source import Listing, Mapping, Node, Scalar

WIDTH = 100
_EMPTY = ("format", "id", "name", "about", "family", "credits", "notes", "extends", "needs", "conflicts", "players")

# ---- explain ----------------------------------------------------------------------------------------


def explain(node: Mapping, settings: dict[str, object] | None = None) -> str:
    """The whole ruleset as a text to read.

    settings: values of options that were chosen, which are shown beside them.
    """
    lines = _title(node)
    for key, heading in HEADINGS.items():
        part = node.entries.get(key)
        if part is None:
            continue
        lines += ["", heading.upper()]
        if key == "flow" and isinstance(part, Mapping):
            lines += _flow(part)
        elif key == "options" and isinstance(part, Mapping):
            lines += _options(part, settings or {})
        else:
            lines += _block(part, 1)
    notes = node.entries.get("notes")
    if isinstance(notes, Listing):
        lines += ["", "NOTES"]
        for item in notes.items:
            lines += _wrapped(inline(item), "  - ", "    ")
    rest = [key for key in node.entries if key not in HEADINGS and key not in _EMPTY]
    for key in rest:
        lines += ["", key.upper(), *_block(node.entries[key], 1)]
    return "\n".join(lines) + "\n"


def show(node: Mapping, files: tuple[str, ...]) -> str:
    """The head of a ruleset: who it is, for how many, what can be chosen."""
    lines = _title(node)
    for key in ("options", "variants"):
        part = node.entries.get(key)
        if isinstance(part, Mapping) and part.entries:
            lines += ["", HEADINGS[key].upper(), *(_options(part, {}) if key == "options" else _block(part, 1))]
    lines += ["", "FILES", *(f"  {file}" for file in files)]
    return "\n".join(lines) + "\n"


def _title(node: Mapping) -> list[str]:
    name = _text(node, "name") or _text(node, "id")
    lines = [name, "=" * len(name)]
    about = _text(node, "about")
    if about:
        lines += _wrapped(about, "", "")
    identity = [f"{key}: {_text(node, key)}" for key in ("id", "family", "credits") if _text(node, key)]
    lines += ["", *identity] if identity else []
    players = node.entries.get("players")
    if players is not None:
        lines.append(f"players: {_players(players)}")
    return lines


def _players(node: Node) -> str:
    if not isinstance(node, Mapping):
        return inline(node)
    low, high = _text(node, "min"), _text(node, "max")
    told = low if low == high else f"{low} to {high}"
    if "default" in node.entries and low != high:
        told += f", {_text(node, 'default')} unless you say"
    if "best" in node.entries:
        told += f", best with {_text(node, 'best').replace('..', ' to ')}"
    return told


def _options(node: Mapping, settings: dict[str, object]) -> list[str]:
    lines = []
    for name, option in node.entries.items():
        if not isinstance(option, Mapping):
            lines += _entry(name, option, 1)
            continue
        told = f"{name}: {_kind(option)}"
        if "default" in option.entries:
            told += f"; {_depending(option.entries['default'])} unless you say"
        if name in settings:
            told += f"; now {_plain(settings[name])}"
        lines += _wrapped(told, "  ", "      ")
        if _text(option, "doc"):
            lines += _wrapped(_text(option, "doc"), "      ", "      ")
        for key, value in option.entries.items():
            if key not in ("type", "min", "max", "choices", "default", "doc", "optional"):
                lines += _entry(key, value, 3)
    return lines


def _depending(node: Node) -> str:
    """A value, or the values on which it depends: `4: left, right` after `by: players`."""
    if not isinstance(node, Mapping) or "by" not in node.entries:
        return inline(node)
    rows = [f"{inline(value)} for {key}" if key != "else" else f"else {inline(value)}"
            for key, value in node.entries.items() if key != "by"]  # fmt: skip
    return f"by {inline(node.entries['by'])} ({'; '.join(rows)})"


def _kind(option: Mapping) -> str:
    return _range(option) + (" or none" if _text(option, "optional") == "true" else "")


def _range(option: Mapping) -> str:
    kind = _text(option, "type")
    if "choices" in option.entries:
        return f"one of {inline(option.entries['choices'])}"
    low, high = (inline(option.entries[k]) if k in option.entries else "" for k in ("min", "max"))
    if low and high:
        return f"{kind} from {low} to {high}"
    return f"{kind} from {low}" if low else f"{kind} up to {high}" if high else kind


def _plain(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(_plain, value)) if isinstance(value, tuple | list) else str(value)


def _flow(flow: Mapping) -> list[str]:
    """The stages, each below the one it belongs to; those that effects call come last."""
    lines: list[str] = []
    told: set[str] = set()

    def tell(name: str, depth: int) -> None:
        stage = flow.entries.get(name)
        if name in told or stage is None:
            lines.append(f"{'  ' * depth}{name} (see above)" if stage is not None else f"{'  ' * depth}{name}")
            return
        told.add(name)
        lines.extend(_wrapped(f"{name}{_heading(stage)}", "  " * depth, "  " * depth + "    "))
        below: list[str] = []
        if isinstance(stage, Mapping):
            below = [item for key in ("do", "repeat") for item in names_in(stage.entries.get(key))]
            for key, value in stage.entries.items():
                if key not in ("kind", "doc", "do", "repeat"):
                    lines.extend(_entry(WORDS.get(key, key), value, depth + 1))
        for item in below:
            tell(item, depth + 1)

    for first in ["match", *flow.entries]:
        if first in flow.entries and first not in told:
            tell(first, 1)
    return lines


def _heading(stage: Node) -> str:
    if not isinstance(stage, Mapping):
        return f": {inline(stage)}"
    kind = _text(stage, "kind")
    if not kind:
        kind = "again and again" if "repeat" in stage.entries else "in this order" if "do" in stage.entries else ""
    doc = _text(stage, "doc")
    return (f" ({kind})" if kind else "") + (f": {doc}" if doc else "")


def names_in(node: Node | None) -> list[str]:
    """The stages of a `do` or `repeat`."""
    if isinstance(node, Listing):
        return [item.text for item in node.items if isinstance(item, Scalar)]
    return [node.text] if isinstance(node, Scalar) else []


def _block(node: Node, depth: int) -> list[str]:
    if isinstance(node, Mapping):
        return [line for key, value in node.entries.items() for line in _entry(WORDS.get(key, key), value, depth)]
    return _wrapped(inline(node), "  " * depth, "  " * depth)


def _entry(name: str, node: Node, depth: int) -> list[str]:
    """`name: value`, on one line where it fits, else with what is in it below."""
    pad = "  " * depth
    if name == "doc" and isinstance(node, Scalar):
        return _wrapped(inline(node), pad, pad)
    if isinstance(node, Mapping) and _text(node, "doc"):
        return [
            *_wrapped(f"{name}: {_text(node, 'doc')}", pad, f"{pad}    "),
            *_block(_without(node, {"doc"}), depth + 1),
        ]
    if isinstance(node, Scalar) and "\n" in node.text.strip():
        return [f"{pad}{name}:", *(f"{pad}  {line}".rstrip() for line in node.text.strip("\n").split("\n"))]
    whole = f"{pad}{name}: {inline(node)}"
    if len(whole) <= WIDTH:
        return [whole.rstrip(": ")]
    if isinstance(node, Mapping):
        return [f"{pad}{name}:", *_block(node, depth + 1)]
    if isinstance(node, Listing) and any(not isinstance(item, Scalar) for item in node.items):
        return [f"{pad}{name}:", *(f"{pad}  - {inline(item)}" for item in node.items)]
    return _wrapped(inline(node), f"{pad}{name}: ", f"{pad}    ")


def inline(node: Node) -> str:
    """A node on one line."""
    match node:
        case Scalar():
            if node.value is None:
                return "none"
            return "; ".join(line.strip() for line in node.text.strip().split("\n"))
        case Listing():
            return ", ".join(f"({inline(i)})" if isinstance(i, Listing | Mapping) else inline(i) for i in node.items)
        case Mapping():
            return ", ".join(
                f"{key}: ({inline(value)})" if isinstance(value, Listing | Mapping) else f"{key}: {inline(value)}"
                for key, value in node.entries.items()
            )


def _wrapped(text: str, first: str, other: str) -> list[str]:
    filled = fill(text, WIDTH, initial_indent=first, subsequent_indent=other, break_long_words=False)
    return filled.split("\n")


def _text(mapping: Mapping, key: str) -> str:
    node = mapping.entries.get(key)
    return " ".join(node.text.split()) if isinstance(node, Scalar) and node.value is not None else ""


# ---- diff -------------------------------------------------------------------------------------------


def diff(one: Mapping, other: Mapping) -> list[str]:
    """How the second ruleset differs from the first: `+` added, `-` removed, `~` changed; empty if in nothing.

    What only says who the ruleset is (its id, name, and so on) is left out.
    """
    heads = {"format", "id", "name", "extends", "needs", "conflicts"}
    return list(_differences(_without(one, heads), _without(other, heads), ()))


def _without(node: Mapping, keys: set[str]) -> Mapping:
    return Mapping({k: v for k, v in node.entries.items() if k not in keys}, node.keys, node.span)


def _differences(one: Mapping, other: Mapping, path: tuple[str, ...]) -> Iterator[str]:
    for key in [*one.entries, *(k for k in other.entries if k not in one.entries)]:
        before, after = one.entries.get(key), other.entries.get(key)
        place = " / ".join([*path, key])
        if before is None and after is not None:
            yield f"+ {place}: {inline(after)}"
        elif after is None and before is not None:
            yield f"- {place}: {inline(before)}"
        elif isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _differences(before, after, (*path, key))
        elif before is not None and after is not None and inline(before) != inline(after):
            yield f"~ {place}: {inline(before)}"
            yield f"  {' ' * len(place)}> {inline(after)}"
