"""Conditions in words: clauses, and what is said where they do not hold."""

from __future__ import annotations

import re

from interpreter.language import typed as t
from interpreter.language.typed import Typed
from interpreter.rulebook import grammar as g
from interpreter.rulebook.nouns import OPPOSITE, Nouns
from interpreter.rulebook.pronouns import ITEMS, argument, pronouns

SHORT = 16
"""A condition that is defined with at most so many nodes is spelled out where it is used."""
_COMPARED = {"<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least"}


def clause(speaker: Nouns, node: Typed, negated: bool = False) -> str:
    """A condition as a clause, or its opposite."""
    match node:
        case t.Const(value):
            return "always" if bool(value) != negated else "never"
        case t.Op("not", (inner,)):
            return speaker.clause(inner, not negated)
        case t.Op("and" | "or" as op, args):
            word = op if not negated else {"and": "or", "or": "and"}[op]
            return g.joined([speaker.clause(a, negated) for a in args], word)
        case t.Quant(kind):
            return _quantified(speaker, node, (kind == "all") != negated, negated)
        case t.Instance(key, args):
            return _defined(speaker, key, args, negated)
        case t.If(condition, then, otherwise):
            return _either(speaker, condition, speaker.clause(then, negated), speaker.clause(otherwise, negated))
        case t.VarRef(name, index):
            return _mark(speaker, name, index, negated)
        case t.Let():
            return speaker.naming(node).clause(node.body, negated)
        case t.Op():
            return _test(speaker, node, negated)
        case t.Builtin("honor"):
            return "the match is played strictly" if negated else "the match is played on honour"
        case t.StageArgument(_, name):
            return f"it is {'not ' if negated else ''}{g.plain(name)}"
        case t.Local(name) if name in speaker.holding:
            return speaker.holding[name][negated]
        case t.Local(name):
            return f"“{g.plain(g.bare(name))}” is {'not ' if negated else ''}said"
    return f"{speaker.noun(node)} {'does not hold' if negated else 'holds'}"


def _either(speaker: Nouns, condition: Typed, one: str, other: str) -> str:
    """What holds in two cases: a clause for each, told as one where a case needs no telling."""
    if one == other:
        return one
    if "always" in (one, other):
        first = one == "always"
        return g.joined([speaker.clause(condition, not first), other if first else one], "or")
    if "never" in (one, other):
        first = one == "never"
        return g.joined([speaker.clause(condition, first), other if first else one], "and")
    return f"{one} (if {speaker.clause(condition)}) or {other} (if not)"


def _quantified(speaker: Nouns, node: t.Quant, every: bool, negated: bool) -> str:
    noun, place = speaker.kind_of(node.item, node.domain)
    if not every and (said := _two(speaker, node, f"{noun}s{place}", negated)):
        return said
    where = "" if node.where is None else f" {speaker.relative(node.variable, node.item, node.where)}"
    inside, sign = speaker.inside(node.variable, node.item)
    said = inside.clause(node.body, negated)
    first = f"{'every' if every else 'some'} {noun}{place}{where}"
    if said.count(sign) == 1 and said.startswith((f"{sign} ", f"{sign}'s ")):
        if said[1] == " " or not (place or where):
            return said.replace(sign, first)
    return f"for {first}, {pronouns(said, sign, node.item)}"


def _two(speaker: Nouns, node: t.Quant, things: str, negated: bool) -> str:
    """`any A of X has any B of X has (A != B and ...)`: of two of them, what is said of both; else empty."""
    match node.body:
        case t.Quant(kind, other, _, domain, None, t.Op("and", (t.Op("!=", (t.Local(a), t.Local(b))), *rest))):
            same = kind == node.kind and speaker.noun(domain) == speaker.noun(node.domain)
            if same and node.where is None and not negated:
                if {a, b} == {node.variable, other}:
                    inside = speaker.knowing(**{node.variable: "the first", other: "the second"})
                    return f"of two {things}, {g.listed([inside.clause(r) for r in rest])}"
    return ""


def _defined(speaker: Nouns, key: str, args: tuple[Typed, ...], negated: bool) -> str:
    definition = speaker.model.instances[key]
    body = speaker.folding.fold(definition.body)
    given = args[1:] if definition.uses_actor else args
    phrases = [(argument(name, kind), a) for (name, kind), a in zip(definition.params, given, strict=True)]
    doc = speaker.docs.get(f"define.{definition.name}", "")
    if definition.uses_actor and "the player" in doc and "the player" not in dict(phrases):
        phrases.append(("the player", args[0]))
    said = _stated(speaker, doc, phrases, negated)
    if said:
        return said
    if sum(1 for _ in t.walk(body)) <= SHORT:
        names = [*(["actor"] if definition.uses_actor else []), *(name for name, _ in definition.params)]
        bound = speaker.binding(dict(zip(names, args, strict=True)), within=False)
        return bound.clause(body, negated)
    if definition.uses_actor and speaker.is_you(args[0]):
        args = args[1:]
    about = f" for {g.listed([speaker.noun(a) for a in args])}" if args else ""
    return f"“{g.plain(definition.name)}” {'does not hold' if negated else 'holds'}{about}"


def _stated(speaker: Nouns, doc: str, about: list[tuple[str, Typed]], negated: bool) -> str:
    """What its author says of a yes or no, about those of whom it is asked; empty if it is not said as a clause."""
    said = g.statement(doc)
    for phrase, _ in about:
        if phrase not in said:  # "Whether a side has made its contract" says it of the side in question
            said = re.sub(rf"\b{phrase.replace('the ', 'a ', 1)}\b", phrase, said, count=1)
    if not said or not all(phrase in said for phrase, _ in about):
        return ""
    said = g.denied(said) if negated else said
    for phrase, value in about:
        said = g.filled(said, phrase, speaker.noun(value))
    return said


def _mark(speaker: Nouns, name: str, index: tuple[Typed, ...], negated: bool) -> str:
    variable = speaker.model.variables[name]
    phrases = [(f"the {ITEMS.get(i.type.kind, 'value')}", i) for i in index]
    said = _stated(speaker, variable.doc, phrases, negated)
    if said:
        return said
    about = f" for {g.listed([speaker.noun(i) for i in index])}" if index else ""
    return f"“{g.plain(name)}” {'is not set' if negated else 'is set'}{about}"


def _test(speaker: Nouns, node: t.Op, negated: bool) -> str:
    op, args = node.op, node.args
    if op in OPPOSITE:
        return _comparison(speaker, OPPOSITE[op] if negated else op, args[0], args[1])
    subject = speaker.noun(args[0]) if args else ""
    match op:
        case "is empty":
            return _empty(speaker, args[0], negated)
        case "in":
            one = args[1]
            where = f"in {speaker.noun(one)}" if isinstance(one, t.ZoneRef) else f"one of {speaker.noun(one)}"
            if isinstance(one, t.Op) and one.op == "group" and one.args:
                where = g.listed([speaker.noun(each) for each in one.args], "or")
            return f"{subject} {g.be(subject, negated)} {where}"
        case "matches":
            return f"{subject} {g.be(subject, negated)} {speaker.pattern(node.name)}"
        case "extends":
            return f"{speaker.noun(args[1])} {'cannot' if negated else 'can'} be laid off on {subject}"
        case "is meld":
            be = "are not" if negated else "are"
            return f"{speaker.within(args[0])} {be} a meld of the kind “{g.plain(node.name)}”"
        case "face up" | "face down":
            return f"{subject} {g.be(subject, negated)} {op}"
        case "void":
            return f"you have {'cards' if negated else 'no card'} of {subject}"
        case "can":
            can = "cannot" if negated else "can"
            return f"{subject} {can} lawfully “{g.plain(node.name.rsplit('.', 1)[-1])}”"
        case "next in rank":
            return f"{subject} and {speaker.noun(args[1])} are {'not ' if negated else ''}next to each other"
    return f"{speaker.noun(node)} {'does not hold' if negated else 'holds'}"


def _empty(speaker: Nouns, what: Typed, negated: bool) -> str:
    match what:
        case t.ZoneRef():
            return f"there {'are' if negated else 'are no'} cards in {speaker.noun(what)}"
        case t.TokenRef():
            return f"{speaker.noun(what)} are {'not ' if negated else ''}gone"
    who = "somebody" if negated else "nobody"
    if doing := speaker.doing(what):
        return f"{who} is {doing}"
    return f"{who if 'player' in str(what.type) else 'something' if negated else 'nothing'} is in {speaker.noun(what)}"


def _comparison(speaker: Nouns, op: str, left: Typed, right: Typed) -> str:
    negated = op == "!="
    if left.type.kind == right.type.kind == "flag" and not isinstance(right, t.Const):
        one, another = speaker.clause(left), speaker.clause(right)
        return f"either {one} or {another}, but not both" if negated else f"{one} just when {another}"
    subject, other = speaker.noun(left), speaker.noun(right)
    if op in _COMPARED:
        return f"{subject} {_COMPARED[op].replace('is', _be(speaker, left), 1)} {other}"
    if right.type.kind == "none" or (isinstance(right, t.Const) and right.value is None):
        thing = subject.removeprefix("the ")
        if len(thing) == 1 or thing.startswith("that "):
            return f"{subject} is {'' if negated else 'not '}there"
        if isinstance(left, t.Local):
            return f"{g.a(thing) if negated else f'no {thing}'} is chosen"
        owned = _owned(speaker, left)
        if owned is not None:
            of, who = owned
            return g.filled(f"the player has {g.a(of) if negated else f'no {of}'}", "the player", who)
        return f"there is {g.a(thing) if negated else f'no {thing}'}"
    if isinstance(left, t.Op) and left.op == "suit":
        holder = speaker.noun(left.args[0])
        suit = f"a {other.removesuffix('s')}" if isinstance(right, t.Const) else f"of {_suit(speaker, right)}"
        return f"{holder} {g.be(holder, negated)} {suit}"
    if isinstance(left, t.Op) and left.op == "rank" and isinstance(right, t.Const):
        holder = speaker.noun(left.args[0])
        return f"{holder} {g.be(holder, negated)} {g.a(other)}"
    if isinstance(right, t.Const) and isinstance(right.value, bool):
        return speaker.clause(left, right.value == negated)
    return f"{subject} {_be(speaker, left, negated)} {other}"


def _owned(speaker: Nouns, node: Typed) -> tuple[str, str] | None:
    """What a player has, and who: ("bid", "you")."""
    match node:
        case t.VarRef(name, (owner,)) if owner.type.kind == "player":
            return speaker.variable(name), speaker.noun(owner)
        case t.Instance(key, (owner,)) if owner.type.kind == "player":
            return g.plain(speaker.model.instances[key].name).removesuffix(" of"), speaker.noun(owner)
    return None


def _be(speaker: Nouns, node: Typed, negated: bool = False) -> str:
    name = node.name if isinstance(node, t.VarRef | t.TableRef) else ""
    if isinstance(node, t.Instance) and not speaker.described(node.key, node.args):
        name = speaker.model.instances[node.key].name
    return ("are" if name.endswith("s") else g.be(speaker.noun(node)).split()[0]) + (" not" if negated else "")


def _suit(speaker: Nouns, node: Typed) -> str:
    found = speaker.noun(node)
    named = isinstance(node, t.VarRef | t.Instance | t.TableRef) and "suit" not in found
    return f"{found} suit" if named else found
