"""Actions, parameters and laws as the program knows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_
from typing import Any

from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.lower.plain_stages import is_offered
from interpreter.compiler.wording import is_ended
from interpreter.engine.legal import MOST_KEPT
from interpreter.engine.program import ActionCode, ContestCode, LawCode, ParamCode
from interpreter.language import typed as t
from interpreter.language.check.openness import is_everyone
from interpreter.language.model import ActionDef, Breach, ParamDef, StageDef
from interpreter.language.templates import Templates
from interpreter.language.typed import walk


def action_code(of: Linked, index: int, action: ActionDef, stage: StageDef) -> ActionCode:
    """An action of a stage, with its functions."""
    name, facts, bounds = f"{stage.name}·{action.name}", of.facts, of.expressions.bounds
    params = [param for _, param, _ in facts.params(action)]
    blind, placed = any(map(facts.blind, params)), any(map(facts.placed, params))
    shape, rows = facts.shape(action), _rows(of, action, name)
    return ActionCode(
        index=index,
        name=action.name,
        stage=stage.index,
        shape=shape,
        params=tuple(_param_code(of, p, name, action, _later(action, at)) for at, p in enumerate(action.params)),
        **{asked: of.names[f"{asked}·{name}"] for asked in ("possible", "legal", "any", "broken", "apply")},
        **{asked: of.hook(f"{asked}·{name}") for asked in ("count", "nth", "offers", "judges", "says", "label")},
        message=of.names.get(f"message·{name}", _no_message),
        laws=tuple(_law_codes(of, action, name)),
        measured=tuple((measure, of.names[f"measure·{measure}·{name}"]) for measure, _, _ in action.measured),
        contest=_contest_code(of, action, name),
        hands=action.hands,
        anytime=action.anytime,
        also=action.also,
        talk=action.talk,
        offered=is_offered(action),
        is_play=action.is_play,
        joint=facts.is_joint(action),
        row=of.names[f"row·{name}"] if any(rows) else None,
        rows=rows,
        takes_texts=any(param.form == "text" for param in params),
        renamed=facts.is_renamed(action),
        listed_alike=facts.is_listed_alike(action),
        placed=placed,
        steady=not (blind or placed or _row_moves(of, action)),
        apart=_are_apart(of, action, params),
        alike=facts.is_alike(action),
        told=_told(of, action),
        keeps_secrets=any(param.seen_by is not None or facts.laid(param, action) for param in params),
        passes_on=facts.passes_on(action),
        span=action.span,
        most=bounds.limit(action),
        keeps=max(100, MOST_KEPT // max(1, of.action_count)),
        each=bounds.light_move(action),
        speaking=bounds.speaking(action),
        ways_to_say=bounds.ways_to_say(action),
        tell=action.tell,
        row_param=action.row_param,
        row_tell=_row_tell(of, action),
        row_names=_row_names(of, action),
        told_in=stage.name if _is_told_otherwise(of, action) else "",
        prompt=action.prompt,
        quiet=action.quiet is not None,
    )


def _contest_code(of: Linked, action: ActionDef, name: str) -> ContestCode | None:
    if action.contest is None:
        return None
    over, wins = action.contest.over, action.contest.wins
    return ContestCode(
        [param.name for param in action.params].index(over) if over else None,
        None if wins is None else of.layout.settled(wins),
        of.hook(f"ties·{name}"),
    )


def _rows(of: Linked, action: ActionDef, name: str) -> tuple[tuple[ParamCode, ...], ...]:
    """The parameters of each row, and of none."""
    kinds = [
        tuple(_param_code(of, p, f"{name}·{at}", action, [row.params[i:]]) for i, p in enumerate(row.params, 1))
        for at, row in enumerate(action.rows)
    ]
    return (*kinds, ())


def _row_names(of: Linked, action: ActionDef) -> dict[str, str]:
    """Which row each card takes that can be chosen."""
    if not action.row_param or not action.rows:
        return {}
    rows = zip(of.layout.cards, of.facts.row_table(action), strict=True)
    return {card: action.rows[number].pattern for card, number in rows if number < len(action.rows)}


def _row_tell(of: Linked, action: ActionDef) -> dict[str, Templates]:
    """How moves with each card are told, where its row says that."""
    if not action.row_param or not any(row.tell for row in action.rows):
        return {}
    told = [row.tell for row in action.rows] + [()]
    rows = zip(of.layout.cards, of.facts.row_table(action), strict=True)
    return {card: told[number] for card, number in rows if told[number]}


def _is_told_otherwise(of: Linked, action: ActionDef) -> bool:
    """Whether another action of the same name is told in other words."""
    actions = [each for stage in of.model.stages.values() for each in (*stage.actions, *stage.anytime)]
    words = [text.pieces for text in action.tell]
    return any(each.name == action.name and [text.pieces for text in each.tell] != words for each in actions)


def _told(of: Linked, action: ActionDef) -> Callable[[Any, int], int] | None:
    """Who is told of a move: where it takes pieces that not all see, those who see its player's."""
    taken = {e.token for e in walk([action.effect, [row.effect for row in action.rows]]) if isinstance(e, t.Piece)}
    hidden = [n for n, token in of.model.tokens.items() if n in taken and not is_everyone(token.seen_by)]
    eyes = [of.names[f"seen_piece·{name}"] for name in hidden]
    return (lambda s, p: reduce(and_, [seen(s, p) for seen in eyes])) if eyes else None


def _later(action: ActionDef, at: int) -> list[tuple[ParamDef, ...]]:
    """The parameters that may follow one of an action: its own, then those of any row."""
    own = action.params[at + 1 :]
    return [own, *((*own, *row.params) for row in action.rows)]


def _param_code(
    of: Linked, param: ParamDef, where: str, action: ActionDef, later: Sequence[Sequence[ParamDef]]
) -> ParamCode:
    return ParamCode(
        name=param.name,
        form=param.form,
        symbols=of.facts.symbols(param),
        zone=param.type.zone,
        several=param.form == "cards" and param.count is not None,
        optional=param.optional,
        blind=of.facts.blind(param),
        otherwise=of.hook(f"else·{where}·{param.name}"),
        laid=of.facts.laid(param, action),
        uncounted=of.facts.uncounted(param) if of.facts.laid(param, action) else (),
        eyes=of.hook(f"told·{where}·{param.name}"),
        placed=of.facts.placed(param),
        ended=any(is_ended(of.layout, param, following) for following in later),
        followed=any(later) or param.form == "text",
        kinds=param.kinds,
        among=of.hook(f"among·{where}·{param.name}"),
        asked=of.hook(f"asked·{where}·{param.name}"),
        fits=of.hook(f"fits·{where}·{param.name}"),
        chosen_from=of.hook(f"from·{where}·{param.name}"),
    )


def _are_apart(of: Linked, action: ActionDef, params: list[ParamDef]) -> bool:
    """Whether melds that are asked for together are chosen, each way of which is listed once, and nothing else that has
    several names."""
    asked = [param for param in params if param.asked is not None]
    plain = all(param in asked or param.form in ("number", "suits", "ranks", "choice", "flag") for param in params)
    joined = any(of.model.melds[kind].parts for param in asked for kind in param.kinds)
    return bool(asked) and plain and not (joined or action.rows or of.layout.honor)


def _row_moves(of: Linked, action: ActionDef) -> bool:
    """Whether the state decides for which card the row is looked up."""
    own = {param.name for param in action.params}
    return action.row is not None and not of.expressions.uses(action.row) <= own


def _law_codes(of: Linked, action: ActionDef, name: str) -> list[LawCode]:
    differs = {} if of.model.honor is None else of.model.honor.laws
    unseen = {param.name for _, param, _ in of.facts.params(action) if of.facts.blind(param)}
    found = []
    for at, law in enumerate(action.laws):
        own = differs.get(law.name)
        breach: Breach = of.layout.settled(law.breach if own is None else own.breach or law.breach)
        found.append(
            LawCode(
                name=law.name,
                fault=law.fault if own is None else own.fault,
                on=law.on,
                breach=breach,
                on_breach=of.hook(f"breach·{at}·{name}"),
                says_fault=law.says_fault or own is not None,
                names_unseen=law.message is not None and bool(unseen & of.expressions.uses(law.message)),
                span=law.span,
            )
        )
    return found


def _no_message(s: Any, p: int, law: int, *args: Any) -> str:
    return ""
