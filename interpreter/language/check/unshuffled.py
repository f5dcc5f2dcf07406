"""Cards that are taken as they were gathered: in the order of the pack, which tells of those that lie unseen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.base.diagnostics import Report, Span
from interpreter.language import typed as t
from interpreter.language.check.lying import is_hidden, texts
from interpreter.language.model import ZoneDef
from interpreter.language.operations import BY_ORDER
from interpreter.language.typed import Effect


def check_unshuffled(effects: object, zones: Mapping[str, ZoneDef], report: Report) -> None:
    """Warn where cards are taken one after the other from where they have been gathered. effects: what holds all.

    Nothing is said where something is wrong: what was meant to shuffle them may be what does not read.
    """
    if report.failed:
        return
    done: set[tuple[Span, str]] = set()
    for text in texts(effects):
        for span, zone in _taken(text, set()):
            if zone in zones and is_hidden(zones[zone]) and (span, zone) not in done:
                done.add((span, zone))
                message = f"what was gathered to '{zone}' lies in the order of the pack, and is taken in it"
                hint = f"say 'shuffle {zone}' before, or take cards 'at random'"
                report.warning("W613", span, message, hint)


def _taken(text: tuple[Effect, ...], gathered: set[str]) -> Iterator[tuple[Span, str]]:
    """The effects that take cards from where they lie as gathered, and from which zone.

    gathered: the zones that have been gathered to and not shuffled since; it is kept up to date.
    """
    for effect in text:
        match effect:
            case t.Gather(_, target):
                gathered.add(target.name)
            case t.Shuffle(zone):
                gathered.discard(zone.name)
            case t.Deal(_, source) if source.name in gathered:
                gathered.discard(source.name)
                yield effect.span, source.name
            case t.Move(what, False, source) if source is not None and source.name in gathered and _by_place(what):
                gathered.discard(source.name)
                yield effect.span, source.name
            case t.IfEffect(_, then, otherwise):
                other = set(gathered)
                yield from _taken(then, gathered)
                yield from _taken(otherwise, other)
                gathered &= other
            case t.ForEffect(body=body) | t.RunEffect(_, _, body):
                yield from _taken(body, gathered)


def _by_place(what: t.Typed | None) -> bool:
    """Whether a move takes some cards by where they lie. What is moved whole stays as it was gathered."""
    return what is not None and (what.type.kind == "integer" or (isinstance(what, t.Op) and what.op in BY_ORDER))
