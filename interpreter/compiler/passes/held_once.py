"""What lies in a place is looked at once before something is taken out of it."""

from __future__ import annotations

from functools import partial

from interpreter.compiler import core as c
from interpreter.compiler.core import Statement

_ASKED_OF_DICE = c.method(c.Name("dice"), "draw")


def held_once(body: list[Statement], held: c.Name) -> list[Statement]:
    """A block that begins by looking at a place, and in which some of it is taken away (`^=`) before anything else is
    done, if it is not left at once: until then the cards there have a name."""
    for at, statement in enumerate(body):
        match statement:
            case c.Update(c.Zone() as place, "^", taken):
                if not _is_settled(place, body[:at]):
                    return body
                put = partial(c.exchanged, known={place: held})
                asked = [c.changed(each, put) if _only_looks(each) else each for each in body[:at]]
                return [c.Set(held, place), *asked, c.Set(place, c.Op("^", held, taken)), *body[at + 1 :]]
        if not _only_looks(statement, left=True):
            return body
    return body


def _is_settled(place: c.Zone, before: list[Statement]) -> bool:
    """Whether it is the same place throughout."""
    changed = c.set_in(before)
    return not any(isinstance(node, c.Name) and changed[node.name] for node in c.walk(place))


def _only_looks(statement: Statement, left: bool = False) -> bool:
    """Whether a statement changes nothing but locals and dice. left: or leaves the function, whatever it does then."""
    match statement:
        case c.Set(c.Name()) | c.Update(c.Name()) | c.Return():
            return True
        case c.Do(value):
            return value == _ASKED_OF_DICE
        case c.When(_, then, otherwise):
            return _block_only_looks(then, left) and _block_only_looks(otherwise, left)
        case c.While(_, body):
            return _block_only_looks(body, left)
    return False


def _block_only_looks(body: list[Statement], left: bool) -> bool:
    if left and body and isinstance(body[-1], c.Return):
        return True
    return all(_only_looks(statement, left) for statement in body)
