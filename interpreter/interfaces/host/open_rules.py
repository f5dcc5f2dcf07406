"""What a page may tell of the rules themselves: only what hangs on things that everybody sees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from interpreter.engine.standing import kind_of_phase
from interpreter.engine.view import sees_value
from interpreter.interfaces.host.setting import Setting
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, Model
from interpreter.words.people import listed
from interpreter.words.verbs import VERBS

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.position import Position
    from interpreter.language.templates import Templates

MOST_TOLD = 2
"""Of more things that somebody could do it is only told that it is their turn."""
_READER = re.compile(r"\byou")


def waits_for(state: State, setting: Setting) -> str:
    """What those are to do for whom the match waits, in the words of the ruleset: `draw a card from the stock`.

    "" where it gives none, or where it hangs on what not everybody sees which of them can be done.
    """
    s = state.position
    if s.over or kind_of_phase(s) == "race":
        return ""
    stage = s.program.stages[s.stack[-1].stage]
    if asked := _told_of_others(stage.prompt):
        return asked
    found: list[str] = []
    for code in stage.actions:
        action = setting.acts.get((stage.name, code.name))
        if action is None or code.talk:
            continue
        for which, when in action.when:
            is_open = None if which else holds(s, when, setting.model)
            if is_open is None:
                return ""
            if not is_open:
                break
        else:
            found.append(_told_of_others(action.prompt))
    return listed(found, "or") if len(found) <= MOST_TOLD and all(found) else ""


def _told_of_others(templates: Templates) -> str:
    """A question as it is told of somebody else; "" if it is not just a verb and what is done with it."""
    text = "".join(piece if isinstance(piece, str) else "{" for piece in templates[0].pieces) if templates else ""
    text = text.partition(":")[0]
    is_plain = text.partition(" ")[0] in VERBS and not any(sign in text for sign in "{,?") and not _READER.search(text)
    return text if is_plain else ""


def holds(s: Position, when: Any, model: Model) -> bool | None:
    """Whether a condition holds; None if it asks for anything but the values of variables that everybody sees."""
    if isinstance(when, t.Op) and when.op == "not":
        found = holds(s, when.args[0], model)
        return None if found is None else not found
    if isinstance(when, t.Op) and when.op in ("and", "or"):
        each = [holds(s, arg, model) for arg in when.args]
        return None if None in each else all(each) if when.op == "and" else any(each)
    if isinstance(when, t.Const):
        return bool(when.value)
    if isinstance(when, t.VarRef) and not when.index and when.type.kind == "flag":
        defined = model.variables[when.name]
        code = s.program.variables[when.name]
        return bool(s.v[code.base]) if defined.seen_by is None else None
    return None


def flag_set(action: ActionDef) -> str:
    """The flag of the actor's own that an action sets, if it does nothing else and nothing is chosen; else ""."""
    match action.effect:
        case [t.Assign(verb="set", target=t.VarRef(name=flag, index=[whose]), value=t.Const(value=True))]:
            is_own = isinstance(whose, t.Builtin) and whose.name == "actor"
            return flag if is_own and not action.params and not action.rows else ""
    return ""


def flags_against(action: ActionDef) -> list[str]:
    """The flags of the actor's own with which an action cannot be done as long as they are set."""
    found: list[str] = []
    for which, when in action.when:
        parts = when.args if isinstance(when, t.Op) and when.op == "and" else (when,)
        for part in () if which else parts:
            match part:
                case t.Op(op="not", args=(t.VarRef(name=flag, index=(t.Builtin(name="actor"),)),)):
                    found.append(flag)
    return found


def is_set(s: Position, flag: str, player: int) -> bool:
    """Whether a flag of a player's own is set, as far as that player sees it."""
    code = s.program.variables[flag]
    own = [at for at in range(code.size) if code.keys[at] == (player,)]
    return any(sees_value(s, code, at, player) and s.v[code.base + at] for at in own)
