"""Effects in words: each a line, with what belongs below it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.language import typed as t
from interpreter.language.model import Model
from interpreter.language.typed import Effect, Typed, walk
from interpreter.rulebook import grammar as g
from interpreter.rulebook.pronouns import NTH, argument
from interpreter.rulebook.speaker import Speaker


@dataclass(frozen=True)
class Line:
    """A statement; below: what it consists of. `text` is without capital and full stop."""

    text: str
    below: tuple[Line, ...] = ()


def lines(effects: tuple[Effect, ...], speaker: Speaker) -> tuple[Line, ...]:
    told: list[Line] = []
    for effect in effects:
        told += (found := _told(effect, speaker))
        speaker.counted_in("".join(line.text for line in found))
        if isinstance(effect, t.LetEffect):
            named = "the number of cards that have gone there" if effect.moves else _named_value(effect)
            speaker = speaker.knowing(**{effect.variable: named})
            if effect.value.type.kind == "flag":
                speaker = speaker.told(effect.variable, f"it is {named}", f"it is not {named}")
    return tuple(told)


def _named_value(let: t.LetEffect) -> str:
    return f"“{g.plain(g.bare(let.variable))}”"


def _dealing_begins(model: Model) -> str:
    """Where dealing begins: beside the dealer, in the direction of play; with P1 where nobody is made the dealer."""
    stages = model.stages.values()
    set_to = (node.target for node in walk(model.stages) if isinstance(node, t.Assign))
    made = any(isinstance(target, t.Builtin) and target.name == "dealer" for target in set_to)
    if not made and all(stage.first_dealer is None and stage.next_dealer is None for stage in stages):
        return "with P1"
    return f"at the dealer's {'right' if any(stage.direction == 'right' for stage in stages) else 'left'}"


def _told(effect: Effect, speaker: Speaker) -> tuple[Line, ...]:
    noun = speaker.noun
    match effect:
        case t.Move():
            return (Line(_moved(effect, speaker)),)
        case t.Deal(count, source, family, packets, first=first):
            how = f"in packets of {g.listed([noun(p) for p in packets], 'then')}" if packets else "one at a time"
            what = "all cards" if count is None else _cards(count, speaker)
            be = "is" if what == "1 card" else "are"
            each = "are dealt out" if count is None else f"{be} dealt to everybody"
            into = "" if family == "hand" else f", into the {g.cards_in(family)}"
            begin = _dealing_begins(speaker.model) if first is None else f"with {noun(first)}"
            return (Line(f"{what} {each} from {noun(source)}{into}, {how}, beginning {begin}"),)
        case t.Gather(sources, target):
            what = "all cards are" if sources is None else f"{g.listed([noun(s) for s in sources])} are"
            return (Line(f"{what} gathered into {noun(target)}"),)
        case t.Shuffle(zone):
            return (Line(f"{noun(zone)} is shuffled"),)
        case t.Face(verb, what):
            how = {"turn up": "turned face up", "turn down": "turned face down", "flip": "turned over"}[verb]
            return (Line(f"{noun(what)} {g.be(noun(what))} {how}"),)
        case t.Show(what, to):
            return (Line(f"{noun(to)} may look at {noun(what)}"),)
        case t.Assign():
            return (Line(_assigned(effect, speaker)),)
        case t.Clear(name, index):
            return (Line(_cleared(name, index, speaker)),)
        case t.SwapValues(left, right):
            return (Line(f"{noun(left)} and {noun(right)} are exchanged"),)
        case t.Turn(verb):
            return (Line(_TURNS[verb]),)
        case t.ToPlayer(verb, who):
            told = {"skip": "misses the next turn", "pass turn": "has the turn next", "reseat": ""}[verb]
            return (Line(f"{noun(who)} {told}" if told else f"the players sit down anew: {noun(who)}"),)
        case t.SetOut(count, token):
            said, pieces = noun(speaker.folding.fold(count)), f"{speaker.token(token)}s"
            if said.isdigit():
                why = "" if isinstance(count, t.Const) else f" ({noun(count)})"
                return (Line(f"{said} {pieces} are laid out on the table{why}"),)
            return (Line(f"{pieces} are laid out on the table: {said}"),)
        case t.Piece(verb, what):
            return (
                Line(
                    f"you take {_piece(what, speaker)}"
                    if verb == "take"
                    else f"{noun(what)} {'go' if isinstance(what, t.TokenRef) else 'goes'} back to the table"
                ),
            )
        case t.Call(stage, args):
            told = ", ".join(
                f"{g.plain(name)}{'' if isinstance(value, t.Const) and value.value is True else ': ' + noun(value)}"
                for name, value in args
            )
            return (Line(f"“{g.title(stage)}” follows" + (f" ({told})" if told else "")),)
        case t.Finish(stage):
            return (Line(f"“{g.title(stage)}” is over"),)
        case t.NoteFault(law, offender):
            has = "have" if noun(offender) == "you" else "has"
            return (Line(f"{noun(offender)} {has} committed the fault “{g.plain(law)}”"),)
        case t.Note(words):
            return (Line(f"it is announced: “{speaker.spoken(words)}”"),)
        case t.IfEffect(condition, then, otherwise):
            return tuple(_conditional(condition, then, otherwise, speaker))
        case t.ForEffect():
            return _repeated(effect, speaker)
        case t.LetEffect(_, value):
            if effect.moves:
                return ()
            if value.type.kind == "flag":
                return (Line(f"call it {_named_value(effect)} if {speaker.clause(value)}"),)
            return (Line(f"call {noun(value)} {_named_value(effect)}"),)
        case t.RunEffect(name, bound, body):
            inside = lines(body, speaker.binding(dict(bound)))
            return (Line(_named(name, bound, speaker)),) if inside and f"define.{name}" in speaker.docs else inside


SHORT = 70
"""Of what an effect is given so many letters are told behind its name."""


def _named(name: str, bound: tuple[tuple[str, Typed], ...], speaker: Speaker) -> str:
    """An effect that its author has described, in those words: what it consists of is told with the terms."""
    said = speaker.docs[f"define.{name}"].split(":")[0].rstrip(".")
    if not said:  # its words are not true any more
        return f"“{g.plain(name)}” follows (see “What words mean”)"
    phrases = {argument(local, value.type): speaker.noun(value) for local, value in bound}
    ones = {argument(local, value.type) for local, value in bound if g.bare(local).endswith("s") and _is_one(value)}
    for phrase, owner in {"the player": speaker.known.get("actor", "you"), **phrases}.items():
        filled = g.filled(said, phrase, owner, one=phrase in ones)
        if filled != said:
            phrases.pop(phrase, None)
        said = filled
    unsaid = (phrases.get(argument(local, value.type), "") for local, value in bound if _is_told(value))
    given = [told for told in unsaid if 0 < len(told) <= SHORT]
    return f"{said[0].lower()}{said[1:]} (“{g.plain(name)}”{': ' if given else ''}{', '.join(given)})"


def _is_told(value: Typed) -> bool:
    """Whether a value that an effect is given, of which its description says nothing, is told behind its name."""
    if isinstance(value, t.Const):
        return value.value not in ("", None) and value.type.kind != "flag"
    return value.type.kind in ("integer", "suit", "rank")


def _is_one(value: Typed) -> bool:
    """Whether what stands for several things is a single one."""
    return value.type.kind == "card" or (isinstance(value, t.Op) and value.op == "group" and len(value.args) == 1)


def _cleared(name: str, index: tuple[Typed, ...], speaker: Speaker) -> str:
    """A variable is as at its beginning, in words that fit what it is."""
    variable = speaker.model.variables[name]
    thing = speaker.of(g.described(name, speaker.kind(name)), index)
    if variable.type.kind == "flag":
        said = g.statement(variable.doc)
        default = None if variable.default is None else speaker.folding.fold(variable.default)
        if default is not None and not isinstance(default, t.Const):
            return f"{thing} is as at the beginning"
        is_set = default is not None and bool(default.value)
        if index or not variable.dims:
            return _marked(t.VarRef(name, index, variable.type, variable.span), is_set, speaker)
        if is_set:
            return f"“{g.plain(name)}” is set for everybody again"
        if said.startswith("the player "):
            return f"it is forgotten who {said.removeprefix('the player ')}"
        return f"“{g.plain(name)}” holds for nobody any more"
    if not index and variable.dims:
        thing = (
            f"every {variable.dims[0]}'s {g.described(name, variable.type.kind)}"
            if isinstance(variable.dims[0], str)
            else thing
        )
    if variable.type.optional:
        return f"{thing} is forgotten"
    start = "0" if variable.default is None else speaker.noun(variable.default)
    be = "are" if name.endswith("s") and variable.dims == () else "is"
    return f"{thing} {be} {start} again" if variable.type.kind == "integer" else f"{thing} {be} as at the beginning"


_TURNS = {
    "reverse": "the direction of play is reversed",
    "stay": "the same turn goes on",
    "again": "the same player has another turn",
    "redeal": "the same dealer deals again",
    "take back fault": "the card goes back to where it came from",
}


def _cards(count: Typed, speaker: Speaker) -> str:
    if isinstance(count, t.Const) and isinstance(count.value, int):
        return g.number(count.value, "card")
    said = speaker.noun(count)
    if said.endswith("cards") and not said.startswith("the number of"):
        return said
    return f"as many cards as {said}"


def _piece(what: Typed, speaker: Speaker) -> str:
    return f"one of {speaker.noun(what)}" if isinstance(what, t.TokenRef) else speaker.noun(what)


def _moved(move: t.Move, speaker: Speaker) -> str:
    noun = speaker.noun
    target = f"beneath {noun(move.target)}" if move.beneath else f"to {noun(move.target)}"
    facing = f", face {move.facing}" if move.facing else ""
    if move.what is None:
        source = noun(move.source) if move.source is not None else ""
        what = f"all cards of {source} go"
    elif move.what.type.kind == "integer":
        count = _cards(move.what, speaker)
        where = "" if move.source is None else f" from {noun(move.source)}"
        verb = "goes" if count == "1 card" else "go"
        how = (
            ", drawn unseen,"
            if move.at_random
            else ""
            if move.source is None
            else f" from the top of {noun(move.source)}"
        )
        what = f"{count}{where}{how} {verb}" if move.at_random else f"{count}{how} {verb}"
    else:
        found = noun(move.what)
        what = f"{found} {'goes' if move.what.type.kind in ('card', 'none') else 'go'}"
    return f"{what} {target}{facing}"


def _assigned(effect: t.Assign, speaker: Speaker) -> str:
    target, value = speaker.noun(effect.target), effect.value
    amount = speaker.noun(value)
    if effect.verb != "set" and effect.target.type.kind in ("set", "list"):
        done = "added to" if effect.verb == "add" else "taken out of"
        return f"{amount} {g.be(amount)} {done} {target}"
    match effect.verb, effect.target:
        case "add", _:
            return f"{target} {_go(effect.target)} up by {amount}"
        case "subtract", _:
            return f"{target} {_go(effect.target)} down by {amount}"
        case _, t.Builtin("dealer"):
            return f"{amount} {'become' if amount == 'you' else 'becomes'} the dealer"
        case _, t.Builtin("current"):
            return f"{amount} {'have' if amount == 'you' else 'has'} the turn"
    if isinstance(value, t.Const) and isinstance(value.value, bool) and isinstance(effect.target, t.VarRef):
        return _marked(effect.target, value.value, speaker)
    many = isinstance(effect.target, t.VarRef) and (
        effect.target.name.endswith("s") or target.startswith("the players ") or target.endswith(" cards")
    )
    return f"{target} {'are' if many else 'is'} now {amount}"


def _marked(mark: Typed, is_set: bool, speaker: Speaker) -> str:
    """What is so from now on; of what is past, that it is so, or is no longer so."""
    said = speaker.clause(mark)
    if not re.search(r"\b(was|were)\b", said):
        return f"from now on {said if is_set else speaker.clause(mark, True)}"
    return f"it is {'now' if is_set else 'no longer'} so that {said}"


def _go(target: Typed) -> str:
    return "go" if isinstance(target, t.VarRef) and target.name.endswith("s") else "goes"


def _conditional(
    condition: Typed, then: tuple[Effect, ...], otherwise: tuple[Effect, ...], speaker: Speaker
) -> list[Line]:
    """`if A, B`, in a line of its own if it leads to one thing only."""
    found = []
    for test, effects, word in ((speaker.clause(condition), then, "if"), ("otherwise", otherwise, "")):
        told = lines(effects, speaker)
        if not told:
            continue
        if not word and then and len(otherwise) == 1 and isinstance(otherwise[0], t.IfEffect):  # case by case
            found += [Line(f"otherwise, {told[0].text}", told[0].below), *told[1:]]
            continue
        start = f"if {test}" if word else (test if then else f"if {speaker.clause(condition, True)}")
        if len(told) == 1:
            found.append(Line(f"{start}, {told[0].text}", told[0].below))
        else:
            found.append(Line(f"{start}:", told))
    return found


def _repeated(effect: t.ForEffect, speaker: Speaker) -> tuple[Line, ...]:
    """What is done for each of some; nothing if the options chosen leave nothing of it."""
    noun, place = speaker.kind_of(effect.item, effect.domain)
    where = "" if effect.where is None else " " + speaker.relative(effect.variable, effect.item, effect.where)
    order = "" if effect.by is None else f" ({speaker.order(effect.variable, effect.item, effect.by, 'in order of')})"
    those = [f"that {nth}{noun.removeprefix('other ')}" for nth in NTH]
    that = next((phrase for phrase in those if phrase not in speaker.known.values()), those[-1])
    told = lines(effect.body, speaker.knowing(**{effect.variable: that}))
    first = f"for every {noun}{place}{where}{order}"
    if not told:
        return ()
    return (Line(f"{first}: {told[0].text}", told[0].below) if len(told) == 1 else Line(f"{first}:", told),)
