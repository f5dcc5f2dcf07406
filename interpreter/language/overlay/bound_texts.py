"""Texts that are bound to what they describe: where a file above changes that and not the text, the text is left out.

So a house rule leaves no sentence behind that is not true any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Map

from interpreter.base.diagnostics import Report, Span
from interpreter.language.overlay.parts import is_null, with_entry, without
from interpreter.language.source import Listing, Mapping, Node

OF_ACTION: Map[str, tuple[str, ...]] = {
    "tell": ("choose", "effect", "row"),
    "prompt": ("choose", "effect", "row"),
}
"""The texts of an action, and what each describes."""
OF_STAGE: Map[str, tuple[str, ...]] = {"prompt": ("kind", "actions", "from", "resolve")}
GROUPS = ("actions", "anytime")
SILENT = frozenset({"doc", "tell", "prompt", "quiet", "label", "also", "say"})
"""What of an action may change without what it does."""
COUNTS, COUNTED = "{n ", frozenset({"count", "where"})
"""How a text begins to tell how many cards it is about, and what may change then without it."""


def without_stale_texts(root: Mapping, files: Sequence[str], report: Report) -> Mapping:
    """The ruleset without texts that describe what a later file has changed; each is warned of at its line.

    files: the base and what is laid on it, in order.
    """
    order = {file: at for at, file in enumerate(files)}
    flow = root.entries.get("flow")
    if len(order) < 2 or not isinstance(flow, Mapping):
        return root
    stages = {
        name: _stage(stage, name, order, report) if isinstance(stage, Mapping) else stage
        for name, stage in flow.entries.items()
    }
    return with_entry(root, "flow", Mapping(stages, flow.keys, flow.span), root.keys["flow"])


def _stage(stage: Mapping, name: str, order: dict[str, int], report: Report) -> Mapping:
    for group in GROUPS:
        actions = stage.entries.get(group)
        if isinstance(actions, Mapping):
            kept = {
                action: _kept(node, OF_ACTION, action, order, report) if isinstance(node, Mapping) else node
                for action, node in actions.entries.items()
            }
            stage = with_entry(stage, group, Mapping(kept, actions.keys, actions.span), stage.keys[group])
    return _kept(stage, OF_STAGE, name, order, report)


def _kept(node: Mapping, texts: Map[str, tuple[str, ...]], name: str, order: dict[str, int], report: Report) -> Mapping:
    """A stage or an action without the texts that are older than what they describe."""
    for text, described in texts.items():
        if text not in node.entries or is_null(node.entries[text]):
            continue
        written = order.get(node.entries[text].span.file, 0)
        apart = SILENT | COUNTED if COUNTS in _words(node.entries[text]) else SILENT
        later = [
            span
            for key in described
            if key in node.entries
            for span in (*_own(node, key), *_spans(node.entries[key], apart))
            if order.get(span.file, 0) > written
        ]
        if later:
            at = min(later, key=lambda span: (-order[span.file], span.line, span.column))
            message = f"'{text}' of '{name}' was written for what is changed here, so it is left out"
            report.warning("W309", at, message, f"say '{text}' anew, or '{text}: null' if it needs none")
            node = without(node, (text,))
    return node


def _own(node: Mapping, key: str) -> tuple[Span, ...]:
    """Where a key stands that holds no mapping: one that does is merged, and what is in it tells who has changed it."""
    return () if isinstance(node.entries[key], Mapping) else (node.keys[key],)


def _words(node: Node) -> str:
    """All the words of a text, of what stands for it too."""
    if isinstance(node, Mapping):
        return " ".join(map(_words, node.entries.values()))
    return " ".join(map(_words, node.items)) if isinstance(node, Listing) else node.text


def _spans(node: Node, apart: frozenset[str]) -> Iterator[Span]:
    """Where what a node holds was written, but for some keys."""
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            if key not in apart:
                if not isinstance(value, Mapping):
                    yield node.keys[key]
                yield from _spans(value, apart)
    elif isinstance(node, Listing):
        for item in node.items:
            yield from _spans(item, apart)
    else:
        yield node.span
