"""The program of a game as a whole."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from interpreter.base.memory import Later
from interpreter.compiler import gate
from interpreter.compiler.constant import KNOWN_BEFORE, ONLY_IN_PLAY, Impossible
from interpreter.compiler.layout import Layout, NotConstant
from interpreter.compiler.linking.answers import (
    asked_definitions,
    places_of,
    score_eyes,
    scores,
    shown_definitions,
    variable_code,
)
from interpreter.compiler.linking.counting import count_codes
from interpreter.compiler.linking.honor_codes import honor_code
from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.linking.meld_codes import meld_codes
from interpreter.compiler.linking.put_off import PutOff, Told
from interpreter.compiler.linking.secrets import secrets_of
from interpreter.compiler.linking.stage_codes import stage_code
from interpreter.compiler.linking.zone_codes import Zoning
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.melds import asked_zones
from interpreter.compiler.lower.stages import Lowering
from interpreter.compiler.lower.uses import THE_STATE
from interpreter.compiler.made import name_of_file
from interpreter.compiler.printed import Printed
from interpreter.compiler.taking_part import ASKED_OF_STACK
from interpreter.engine.library import HELPERS
from interpreter.engine.primitives import primitives
from interpreter.engine.program import Hook, Program, TokenCode
from interpreter.language.keywords import TEAM
from interpreter.language.typed import Typed


def link(lowering: Lowering, printed: Printed, told: Told) -> Program:
    """Run the text of a game, and make a program of its functions. Raises Stopped if the text may not run.

    told: of what is brought later.
    """
    layout, model, expressions = lowering.layout, lowering.model, lowering.e
    zoning = Zoning(layout, lowering.kept, expressions.tables.constants["PASSAGES"])
    filename = name_of_file(model.id)
    of = Linked(lowering, _run(lowering, printed, filename))
    rest = PutOff(of, printed, told)
    counts = count_codes(of)
    stages = tuple(stage_code(of, stage, counts) for stage in of.stages.values())
    secrets = Later(partial(secrets_of, layout, expressions, stages))
    if not model.shipped:  # it may take long, or be too deep
        secrets()
    program = Program(
        name=model.name,
        honor=layout.honor,
        n=layout.n,
        everyone=tuple(range(layout.n)),
        pack_bits=tuple(1 << card for card in range(len(layout.cards))),
        **_cards(lowering),
        **zoning.parts(of.names),
        melds=meld_codes(of),
        meld_places=frozenset(place for name in asked_zones(model) for place in layout.zones[name].places),
        letters=tuple(suit.letter for suit in model.suits),
        faces=lowering.faces,
        teams=layout.teams,
        team_slots=_team_slots(layout),
        left=expressions.tables.constants["LEFT"],
        secrets=secrets,
        reseats=model.reseats,
        always_shown=model.always_shown,
        chosen={name: layout.options[name] for name in model.always_shown if name in model.options},
        shown_as=model.shown_as,
        variables={name: variable_code(of, name) for name in model.variables},
        initial=(None,) * layout.slots,
        turn_slots=_turn_slots(layout),
        resets=_resets(of),
        reset_turn=of.hook("reset·turn"),
        tokens={
            name: TokenCode(
                name if token.named is None else str(layout.before(token.named)), of.names[f"seen_piece·{name}"]
            )
            for name, token in model.tokens.items()
        },
        stages=stages,
        by_stage={stage.name: stage.index for stage in stages},
        honor_code=honor_code(of),
        winners=of.hook("match_winners"),
        scores=scores(of),
        score_eyes=score_eyes(of),
        places_of=places_of(of),
        shown=shown_definitions(of),
        asked=asked_definitions(of),
        printed=printed.text,
        keeps=printed.keeps,
        lines=printed.spans,
        filename=filename,
        requirements=tuple(requirements(expressions)),
        counted=tuple(column for codes in counts.values() for code in codes for column in code.columns),
        faults=tuple((str(fault), fault.span) for fault in expressions.faults),
    )
    return rest.in_program(program)


def _run(lowering: Lowering, printed: Printed, filename: str) -> dict[str, Any]:
    """The functions of the text by name, among all that they may name."""
    text, out = printed.text, lowering.out
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names = {
        **lowering.e.tables.constants,
        **HELPERS,
        **primitives(),
        **dict.fromkeys(ASKED_OF_STACK),  # made from functions of the text, once these are there
    }
    gate.run(text, filename, names, out.functions, out.aliases, not lowering.model.shipped, printed.starts)
    names.update(lowering.parts.functions(names, lowering.everyone))
    return names


def _cards(lowering: Lowering) -> dict[str, Any]:
    """What a program knows of its cards."""
    layout, constants = lowering.layout, lowering.e.tables.constants
    return dict(
        cards=constants["CARDS"], first_copy=constants["FIRST"], by_name=layout.by_name, multi=layout.multi,
        copies={card: same for card, same in constants["COPIES"].items() if card is not None and card >= 0},
        ranks=constants["RANKS"], suits=constants["SUITS"], card_rank=constants["RANK"], card_suit=constants["SUIT"],
    )  # fmt: skip


def _team_slots(layout: Layout) -> tuple[int, int] | None:
    family = layout.variables.get(TEAM)
    return None if family is None else (family.base, family.base + family.size)


def _resets(of: Linked) -> tuple[Hook, ...]:
    """What lets all variables begin: in the order of the ruleset, where some begin as others are."""
    whole = of.hook("reset·all")
    each = (of.hook(f"reset·{lasts}") for lasts in (*of.stages, "turn", "trick"))
    return tuple(hook for hook in each if hook is not None) if whole is None else (whole,)


def _turn_slots(layout: Layout) -> tuple[int, ...]:
    variables = layout.model.variables
    return tuple(
        slot for name in variables if variables[name].lasts == "turn" for slot in layout.variables[name].places
    )


def requirements(expressions: Expressions) -> Iterator[tuple[str, Callable[[], bool]]]:
    """The requirements that ask more than options and players: name, and what tells whether it holds."""
    for rule in expressions.model.requirements:
        try:
            expressions.layout.constant(rule.law)
        except NotConstant:
            yield rule.name, partial(_holds, expressions, rule.law)


def _holds(expressions: Expressions, law: Typed) -> bool:
    """Whether a requirement holds. Raises Impossible."""
    if THE_STATE in expressions.uses(law):  # it asks the table, which is not there
        raise Impossible(ONLY_IN_PLAY, law.span, KNOWN_BEFORE)
    return bool(expressions.tables.value(law))
