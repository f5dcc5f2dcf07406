"""Changes of a ruleset's tree: most of them leave it a ruleset, and another one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from fuzz.bases import Base, bases, program_words
from fuzz.making import Maker, scope_at, wanted_at
from fuzz.naming import MEANT, declared, defined, in_text, names_of, renamable, renamed
from fuzz.places import Path, Spot, Tree, at, keys_of, put, spots, with_key, without, words_of
from interpreter.language.keywords import KEYWORDS

MARK = "zqmark"
"""A word in every payload that must never be a word of a program."""
PAYLOADS = (
    f"{MARK}(a=1): pass\ndef y", f"x(a={MARK}()): pass\ndef y", f"x\n{MARK}()\ny", f"'+{MARK}()+'", f'"+{MARK}()+"',
    f"'''{MARK}'''", f"{{{MARK}}}", f"{{{MARK}.__class__}}", f"\\'; {MARK}(); \\'", f"x); {MARK}(", f"]{MARK}[",
    f"#{MARK}", f"%s{MARK}%n", f"\x1b[2J{MARK}", f"\u202e{MARK}", f"{MARK}\u200b", f"<script>{MARK}()</script>",
    f"[{MARK}](javascript:alert(1))", f"__import__('os').{MARK}", f"{MARK}\r\nx", f"\\N{{BULLET}}{MARK}", "", " ",
    "  a  b ",
    f"x·{MARK}", f"{MARK}\u2028x", f"f(a, b={MARK}())", f"\\\n{MARK}", "silent", "none", "nothing", "a b", "a  b", '"',
)  # fmt: skip
PATHS = (
    "/etc/passwd", "../outside.yaml", "./../outside.yaml", "/etc/hostname.yaml", "missing.yaml",
    "sub/../../outside.yaml",
    "~/x.yaml", "file:///etc/passwd", "hearts.yaml/../../outside.yaml", "C:\\x.yaml",
)  # fmt: skip
PREFIXES = (
    "x", "p", "s", "c", "apply", "legal", "possible", "define", "can", "when", "until", "effect", "first", "turns",
    "on_turn", "row", "law", "broken", "any", "offers", "message", "says", "eyes", "seen", "seen_piece", "piece",
    "place",
    "zone", "count", "penalty_of", "lapse_of", "first_dealer", "dealer", "leader", "judge", "told", "else", "breach",
    "measure", "ties", "capacity", "refill", "table", "order", "shown", "value", "fault", "label", "settle", "item",
)  # fmt: skip


class Mutation:
    """One mutant in the making."""

    def __init__(self, base: Base, dice: random.Random) -> None:
        self.base = base
        self.tree: Tree = base.tree
        self.dice = dice
        self.marked = False
        """Whether a payload may stand somewhere."""

    def spots(self, test: Callable[[Spot], bool]) -> list[Spot]:
        return [spot for spot in spots(self.tree) if test(spot)]

    def maker(self, path: Path) -> Maker:
        scope, acts = scope_at(self.tree, path)
        return Maker(self.tree, self.dice, scope, acts)

    def any_spot(self, test: Callable[[Spot], bool], by_kind: bool = False) -> Spot | None:
        """A place that passes a test; by_kind: any kind as often as another, however many places are of it."""
        found = self.spots(test)
        if by_kind and found:
            kind = self.dice.choice(sorted({spot.kind for spot in found}))
            found = [spot for spot in found if spot.kind == kind]
        return self.dice.choice(found) if found else None


def mutate(base: Base, dice: random.Random) -> Mutation:
    """A mutant of a base: one change, or a few."""
    mutation = Mutation(base, dice)
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4))):
        for _try in range(6):
            before = mutation.tree
            try:
                dice.choices(CHANGES, WEIGHTS)[0](mutation)
            except (KeyError, IndexError, TypeError, AttributeError, ValueError):
                mutation.tree = before
            if mutation.tree is not before and mutation.tree != before:
                break
    return mutation


# ---- texts ------------------------------------------------------------------------------------------------------


def another_text(m: Mutation) -> None:
    """A text of the effect language made anew."""
    spot = m.any_spot(lambda s: s.text in ("expr", "effect", "players") and isinstance(s.value, str | int | bool))
    if spot is None:
        return
    maker = m.maker(spot.path)
    made = maker.effect() if spot.text == "effect" else maker.make(wanted_at(spot.path, spot.kind))
    m.tree = put(m.tree, spot.path, made)


def more_of_a_text(m: Mutation) -> None:
    """A condition joined to a condition, a statement after an effect, something done with a number."""
    spot = m.any_spot(lambda s: s.text in ("expr", "effect") and isinstance(s.value, str) and s.value != "random")
    if spot is None:
        return
    maker = m.maker(spot.path)
    if spot.text == "effect":
        made = m.dice.choice((f"{spot.value}; {maker.effect()}", f"{maker.effect()}; {spot.value}"))
        made = made.replace("\n; ", "; ")
    elif wanted_at(spot.path, spot.kind) == "condition":
        made = m.dice.choice(
            (f"({spot.value}) and {maker.condition(1)}", f"({spot.value}) or {maker.condition(1)}",
             f"not ({spot.value})", f"{maker.condition(0)} and ({spot.value})", f"not (not ({spot.value}))")
        )  # fmt: skip
    elif wanted_at(spot.path, spot.kind) == "player":
        made = f"{m.dice.choice(('left of', 'right of', 'next after'))} ({spot.value})"
    else:
        made = m.dice.choice((f"if {maker.condition(1)} then {spot.value} else {spot.value}", f"({spot.value})"))
    m.tree = put(m.tree, spot.path, made)


def new_effect(m: Mutation) -> None:
    """A stage or action that does something it did not do."""
    spot = m.any_spot(lambda s: s.kind in ("action", "stage") and isinstance(s.value, dict))
    if spot is None:
        return
    if spot.kind == "action":
        key = m.dice.choice(("effect", "effect", "when"))
    else:
        key = m.dice.choice(("setup", "cleanup", "until", "when", "on turn", "effect", "on card", "on trick"))
        kinds = {
            "on turn": ("turn", "trick"),
            "on card": ("trick",),
            "on trick": ("trick",),
            "effect": ("effect", None),
        }
        if key in kinds and spot.value.get("kind") not in kinds[key]:
            key = "setup"
    maker = m.maker((*spot.path, key))
    made = maker.condition() if key in ("when", "until") else maker.effect()
    if key in spot.value and key not in ("when", "until"):
        made = f"{spot.value[key]}; {made}".replace("\n; ", "; ")
    m.tree = with_key(m.tree, spot.path, key, made)


def token_swapped(m: Mutation) -> None:
    """One word of a text for another of its sort: a name, an operator, a number."""
    spot = m.any_spot(lambda s: s.text in ("expr", "effect", "players", "range") and isinstance(s.value, str))
    if spot is None:
        return
    found = list(re.finditer(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|<=|>=|!=|[=<>+*-]', spot.value))
    token = m.dice.choice(found)
    known = declared(m.tree)
    word = token[0]
    if word in known:
        others = [name for name, sort in known.items() if sort == known[word] and name != word]
        scope, _ = scope_at(m.tree, spot.path)
        others += [name for name in scope if name != word]
        other = m.dice.choice(others)
    else:
        group = next((group for group in _SWAPS if word in group), None)
        if group is not None:
            other = m.dice.choice([one for one in group if one != word])
        elif word.isdigit():
            other = _other_number(m.dice, int(word[:18]))
        else:
            return
    m.tree = put(m.tree, spot.path, f"{spot.value[: token.start()]}{other}{spot.value[token.end() :]}")


_SWAPS = (
    ("and", "or"), ("=", "!=", "<", "<=", ">", ">="), ("+", "-", "*", "div", "mod"), ("any", "all"),
    ("sum", "min", "max", "count"), ("top", "bottom", "newest"), ("left", "right"), ("lowest", "highest"),
    ("actor", "current", "dealer", "leader", "P1"), ("players", "everyone", "others"), ("stay", "again", "reverse"),
    ("clubs", "diamonds", "hearts", "spades"), ("add", "subtract"), ("to", "from"), ("item", "cycle"),
    ("greater", "lesser"), ("suit", "rank", "colour", "name"), ("up", "down"), ("J", "Q", "K", "A"), ("true", "false"),
)  # fmt: skip


def _other_number(dice: random.Random, number: int) -> str:
    near = (0, 1, 2, number + 1, max(0, number - 1), number * 10, 52, 999_999, 10**9, 10**17)
    return str(dice.choices(near, (6, 6, 4, 8, 6, 3, 2, 1, 1, 1))[0])


# ---- values and keys --------------------------------------------------------------------------------------------


def another_number(m: Mutation) -> None:
    spot = m.any_spot(lambda s: type(s.value) is int and s.path != ("format",))
    if spot is not None:
        m.tree = put(m.tree, spot.path, int(_other_number(m.dice, spot.value)) * m.dice.choice((1, 1, 1, 1, -1)))


def another_word(m: Mutation) -> None:
    """Where one of a few words is allowed, another of them."""
    spot = m.any_spot(
        lambda s: isinstance(s.value, dict) and any(words_of(s.kind, key) for key in keys_of(s.kind)), by_kind=True
    )
    if spot is None:
        return
    keys = [key for key in keys_of(spot.kind) if words_of(spot.kind, key)]
    key = m.dice.choice(keys)
    m.tree = with_key(m.tree, spot.path, key, m.dice.choice(words_of(spot.kind, key)))


@cache
def _library(kind: str, key: str) -> tuple[tuple[str, Path, Tree], ...]:
    """What stands at a key of mappings of a kind in all bases, with the name of the base."""
    found = []
    for base in bases():
        for spot in spots(base.tree):
            if spot.kind == kind and isinstance(spot.value, dict) and key in spot.value:
                found.append((base.name, (*spot.path, key), spot.value[key]))
    return tuple(found)


def key_moved(m: Mutation) -> None:
    """A key with its value from a mapping of the same kind, in this ruleset or another, its names made to fit."""
    spot = m.any_spot(
        lambda s: isinstance(s.value, dict) and s.kind not in ("file", "") and bool(keys_of(s.kind)),
        by_kind=m.dice.random() < 0.5,
    )
    if spot is None:
        return
    key = m.dice.choice(keys_of(spot.kind))
    library = _library(spot.kind, key)
    if not library or (spot.kind == "table" and key == "by"):
        return
    name, _, value = m.dice.choice(library)
    source = next(base for base in bases() if base.name == name)
    m.tree = with_key(m.tree, spot.path, key, _fitted(m, value, source))


def entry_moved(m: Mutation) -> None:
    """A named thing of another ruleset: a zone, variable, definition, action, stage, law, parameter, row."""
    spot = m.any_spot(lambda s: isinstance(s.value, dict) and (s.named or s.kind in ("define", "cards", "honor")))
    if spot is None:
        return
    section = spot.kind
    found = [
        (base, key, value)
        for base in bases()
        for other in _named_spots(base.name)
        if other.kind == section and isinstance(other.value, dict)
        for key, value in other.value.items()
    ]
    source, key, value = m.dice.choice(found)
    if section == "flow":  # a stage needs a place
        lists = m.spots(lambda s: s.path[-1:] in (("do",), ("repeat",)) and isinstance(s.value, list))
        where = m.dice.choice(lists)
        at_ = m.dice.randrange(len(where.value) + 1)
        if key in m.tree["flow"]:
            key = f"{key}_two"
        value = {name: inner for name, inner in value.items() if name not in ("do", "repeat", "with")}
        m.tree = put(m.tree, where.path, [*where.value[:at_], key, *where.value[at_:]])
    m.tree = with_key(m.tree, spot.path, key, _fitted(m, value, source))


@cache
def _named_spots(name: str) -> tuple[Spot, ...]:
    base = next(base for base in bases() if base.name == name)
    return tuple(
        s for s in spots(base.tree) if isinstance(s.value, dict) and (s.named or s.kind in ("define", "cards", "honor"))
    )


def _fitted(m: Mutation, value: Tree, source: Base) -> Tree:
    """What another ruleset says, with names of this one in place of those that only the other has."""
    here, there = declared(m.tree), declared(source.tree)
    names = {}
    for name, sort in there.items():
        if here.get(name) != sort and sort in ("zone", "variable", "stage", "token", "table", "option", "definition"):
            known = _alike(m.tree, source.tree, name, sort, [other for other, its in here.items() if its == sort])
            if known:
                names[name] = m.dice.choice(known)
    return _replaced(value, names) if names else value


def _alike(tree: Tree, other: Tree, name: str, sort: str, found: list[str]) -> list[str]:
    """Of names, those that are declared like one of another ruleset."""
    section = {"zone": "zones", "variable": "state", "option": "options"}.get(sort)
    if section is None:
        return found
    said = (other.get(section) or {}).get(name) or {}
    own = tree.get(section) or {}
    alike = [
        one
        for one in found
        if (own.get(one) or {}).get("each") == said.get("each") and (own.get(one) or {}).get("type") == said.get("type")
    ]
    return alike or found


def _replaced(value: Tree, names: dict[str, str]) -> Tree:
    if isinstance(value, dict):
        return {key: _replaced(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, names) for inner in value]
    return in_text(value, names) if isinstance(value, str) else value


def dropped(m: Mutation) -> None:
    spot = m.any_spot(lambda s: len(s.path) > 1)
    if spot is not None:
        m.tree = without(m.tree, spot.path)


def doubled(m: Mutation) -> None:
    """A named thing once more under another name, or an item of a list once more."""
    spot = m.any_spot(lambda s: (s.named or isinstance(s.value, list)) and bool(s.value) and len(s.path) > 0)
    if spot is None:
        return
    if isinstance(spot.value, list):
        m.tree = put(m.tree, spot.path, [*spot.value, *spot.value[: m.dice.choice((1, 2, 20))]])
        return
    key = m.dice.choice(list(spot.value))
    for number in range(m.dice.choice((1, 1, 2, 30))):
        m.tree = with_key(m.tree, spot.path, f"{key}_{number}", spot.value[key])


# ---- names ------------------------------------------------------------------------------------------------------


def nasty_names(m: Mutation) -> dict[str, str]:
    """Some names of a ruleset, each with another that could be mistaken for something inside the machine."""
    known = renamable(m.tree)
    sorts = declared(m.tree)
    names: dict[str, str] = {}
    pool = program_words(m.base.name)
    pieces = ["go", "x", "fast", "go_fast", "fast_x", "p", "p_1", "x_p", "x_p_1"]
    for old in m.dice.sample(known, min(len(known), m.dice.choice((1, 1, 2, 2, 4, 8)))):
        word = m.dice.choice(known)
        new = m.dice.choice(
            (
                f"{m.dice.choice(PREFIXES)}_{word}", f"{old}_{word}", f"{word}_{old}", m.dice.choice(pieces),
                f"x_{m.dice.choice(_locals(m.tree))}_{m.dice.randrange(5)}",
                f"{m.dice.choice(PREFIXES)}_{m.dice.randrange(9)}",
                m.dice.choice(pool) if pool else f"{old}_", f"_{old}", f"{old}__{word}",
                f"{word}_{m.dice.randrange(9)}",
            )
        )  # fmt: skip
        if sorts.get(old) == "word" and m.dice.random() < 0.2:
            new = m.dice.choice(("silent", "P1", "T1", "nothing", "Q", "a1", "none_", "x_p_1", "p"))
        free = new not in sorts and new not in names.values() and new not in MEANT and new not in KEYWORDS
        if free and new.isascii():
            names[old] = new
    return names


def _locals(tree: Tree) -> list[str]:
    """The names of loop variables and parameters."""
    found = set(re.findall(r"\b(?:any|all|first|count|for) (\w+) in\b", str(tree)))
    found |= set(names_of(tree, "parameter", "argument")) | {"p", "card"}
    return sorted(found)


def collision(m: Mutation) -> dict[str, str]:
    """Names of two things with parts, so that both parts of one, joined, read like both parts of the other."""
    stages = [name for name, said in m.tree["flow"].items() if isinstance(said, dict) and said.get("actions")]
    free = set(renamable(m.tree))
    stages = [name for name in stages if name in free]
    one, two = m.dice.sample(stages, 2)
    first, second = (
        m.dice.choice([name for name in m.tree["flow"][stage]["actions"] if name in free]) for stage in (one, two)
    )
    names = {one: "go", first: "fast_x", two: "go_fast", second: "x"}
    taken = set(declared(m.tree)) - names.keys()
    return {} if first == second or taken & set(names.values()) else names


def other_names(m: Mutation) -> None:
    names = collision(m) if m.dice.random() < 0.1 else nasty_names(m)
    m.tree = renamed(m.tree, names)


def name_for_name(m: Mutation) -> None:
    """One name in the place of another of the same ruleset, so that two things share it, or one is two."""
    known = renamable(m.tree)
    old, new = m.dice.sample(known, 2)
    m.tree = renamed(m.tree, {old: new})


def payload(m: Mutation) -> None:
    """Something hostile where a text, a name or a word stands."""
    m.marked = True
    hostile = m.dice.choice(PAYLOADS)
    if m.dice.random() < 0.25:
        spot = m.any_spot(lambda s: isinstance(s.value, dict) and bool(s.value) and len(s.path) > 0)
        if spot is not None:
            key = m.dice.choice(list(spot.value))
            new = hostile if m.dice.random() < 0.5 else f"{key}{hostile}"
            kept = {(new if name == key else name): value for name, value in spot.value.items()}
            m.tree = put(m.tree, spot.path, kept)
        return
    spot = m.any_spot(lambda s: isinstance(s.value, str) and s.path not in (("id",), ("extends",)))
    if spot is not None:
        new = hostile if m.dice.random() < 0.6 else m.dice.choice((f"{spot.value}{hostile}", f"{hostile}{spot.value}"))
        m.tree = put(m.tree, spot.path, new)


def hostile_key(m: Mutation) -> None:
    """A key that a mapping can have and has not, with something hostile in it: of texts that are seldom written."""
    m.marked = True
    spot = m.any_spot(lambda s: isinstance(s.value, dict | str) and s.kind in _TEXT_KEYS, by_kind=True)
    if spot is None:
        return
    value = spot.value if isinstance(spot.value, dict) else {_SHORT[spot.kind]: spot.value}
    key = m.dice.choice(_TEXT_KEYS[spot.kind])
    if key == "fault" and m.dice.random() < 0.7:  # of a fault with terms of its own more is printed
        value = {**value, "penalty": "nothing"}
    m.tree = put(m.tree, spot.path, {**value, key: m.dice.choice(PAYLOADS)})


_SHORT = {"law": "law", "announcement": "words", "definition": "value"}
_TEXT_KEYS = {
    "law": ("fault", "message"), "announcement": ("words", "doc"), "definition": ("doc",), "action": ("label", "doc",
    "also", "say"),
    "option": ("doc",), "zone": ("doc",), "token": ("doc", "named"), "stage": ("doc",), "honor": ("claim", "doc"),
    "variant": ("doc",), "honor_law": ("fault",), "variable": ("doc",), "table": ("doc",), "card_row": ("say", "doc"),
    "suit": ("letter", "colour"),
}  # fmt: skip


# ---- more of it -------------------------------------------------------------------------------------------------


def new_definition(m: Mutation) -> None:
    """A definition with parameters; sometimes of what makes no sense, sometimes used."""
    name = f"fz_{m.dice.randrange(100)}"
    params = m.dice.choice((("s",), ("n",), ("card",), ("q",), ("a", "b"), ("x",), ()))
    kind = m.dice.choice(("number", "condition"))
    scope = {param: {"n": "number", "card": "card", "s": "suit"}.get(param, "player") for param in params}
    made = Maker(m.tree, m.dice, scope).make(kind)
    if params and m.dice.random() < 0.5:
        test = f"{params[0]} = none" if m.dice.random() < 0.6 else f"{params[0]} is none"
        made = f"if {test} then {m.dice.randrange(5)} else {m.dice.randrange(5, 9)}"
        kind = "number"
    if params and m.dice.random() < 0.2:
        made = m.dice.choice((f"{params[0]}.suit + 1", f"count of {params[0]} + left of {params[0]}",
        f"{params[0]} and {params[0]} > 2",
                              f"place of {params[0]} = left of {params[0]}", f"{made} + {params[0]}",
                              f"({made}) = {params[0]}"))  # fmt: skip
    key = f"{name}({', '.join(params)})" if params else name
    m.tree = put(m.tree, ("define",), {**(m.tree.get("define") or {}), key: made})
    if m.dice.random() < 0.25:
        return
    spot = m.any_spot(lambda s: s.text == "effect" and isinstance(s.value, str))
    if spot is None:
        return
    maker = m.maker(spot.path)
    given = ["none" if m.dice.random() < 0.4 else maker.make(scope[param], 0) for param in params]
    called = f"{name}({', '.join(given)})" if params else name
    told = f"if {called} then 1 else 0" if kind == "condition" else called
    m.tree = put(m.tree, spot.path, f'{spot.value}; note "told {{{told}}}"'.replace("\n;", ";"))


def given_nothing(m: Mutation) -> None:
    """A definition of one parameter that is given `none`."""
    names = [defined(key)[0] for key in m.tree.get("define") or {} if len(defined(key)[1]) == 1]
    sought = re.compile(rf"\b({'|'.join(names)})(?:\([^(),]+\)| of \w+)") if names else None
    spot = m.any_spot(lambda s: bool(sought and s.text and isinstance(s.value, str) and sought.search(s.value)))
    if spot is not None and sought is not None:
        found = m.dice.choice(list(sought.finditer(spot.value)))
        m.tree = put(m.tree, spot.path, f"{spot.value[: found.start()]}{found[1]}(none){spot.value[found.end() :]}")


def nested(m: Mutation) -> None:
    """A number worked out of itself over and over, or a condition."""
    spot = m.any_spot(lambda s: s.kind == "condition" and isinstance(s.value, str))
    if spot is None:
        return
    maker, times = m.maker(spot.path), m.dice.choice((2, 5, 12, 31))
    if m.dice.random() < 0.5:
        body = m.dice.choice(
            ("b", "not b", "b and not b", "b or b", "if b then b else not b", "any q in everyone has b")
        )
        m.tree = put(m.tree, ("define",), {**(m.tree.get("define") or {}), "fz_such(b)": body})
        m.tree = put(m.tree, spot.path, "fz_such(" * times + str(spot.value) + ")" * times)
        return
    number = maker.number(0)
    body = m.dice.choice(("n * n", "n * n", "n + n", "n * 10", "n * n + 1", "n - n * n"))
    m.tree = put(m.tree, ("define",), {**(m.tree.get("define") or {}), "fz_more(n)": body})
    made = "fz_more of " * times + f"({number})"
    m.tree = put(m.tree, spot.path, f"({spot.value}) {m.dice.choice(('or', 'and'))} {made} > 5")


def requirement(m: Mutation) -> None:
    maker = Maker(m.tree, m.dice)
    law = f"({maker.condition(1)}) or {m.dice.choice(('true', 'count of everyone > 0', 'honor'))}"
    law = maker.condition(1) if m.dice.random() < 0.5 else law
    m.tree = put(m.tree, ("require",), {**(m.tree.get("require") or {}), "fz_need": {"law": law, "message": "no"}})


def constant_fault(m: Mutation) -> None:
    """A number that cannot be worked out, where a constant may stand."""
    spot = m.any_spot(lambda s: s.text in ("expr", "range", "turns") and isinstance(s.value, str | int))
    if spot is None:
        return
    lists = m.maker(()).named("options", type="list of integer") or ["(1, 2)"]
    bad = m.dice.choice(
        ("5 div 0", "5 mod 0", f"item(9, {lists[0]})", f"cycle(1, {lists[0]})", "7 div (1 - 1)", "-3 mod 2", "-7 div 2",
         "start(3, \"ab\")", "length of \"\"", "place of A", "count of (all q in everyone where false)")
    )  # fmt: skip
    bad = f"{bad} > 1" if wanted_at(spot.path, spot.kind) == "condition" else bad
    m.tree = put(m.tree, spot.path, bad)


def variant(m: Mutation) -> None:
    said: Any = {"ruleset": m.dice.choice(PATHS)}
    if m.dice.random() < 0.3:
        spot = m.any_spot(lambda s: len(s.path) == 3 and s.path[0] in ("flow", "zones", "state", "options"))
        if spot is not None:
            said = {"patch": {spot.path[0]: {spot.path[1]: {spot.path[2]: spot.value}}}}
    m.tree = put(m.tree, ("variants",), {**(m.tree.get("variants") or {}), "fz_other": said})


def several_cards(m: Mutation) -> None:
    """Of a choice of one card, a choice of several; or one from where the cards are not seen, or from everywhere."""
    spot = m.any_spot(lambda s: s.kind == "param" and isinstance(s.value, dict) and "from" in s.value)
    if spot is None:
        return
    maker = m.maker(spot.path)
    match m.dice.randrange(4):
        case 0:
            m.tree = with_key(m.tree, spot.path, "count", m.dice.choice((2, "1..2", "0..1", "1..3", 1)))
        case 1:
            m.tree = with_key(m.tree, spot.path, "from", maker.zone())
        case 2:
            other = f"all c in pack where c in {maker.zone()}" + m.dice.choice(("", f" or c in {maker.zone()}"))
            m.tree = with_key(m.tree, spot.path, "from", other)
        case _:
            packs = m.dice.choice((2, 3))
            m.tree = put(m.tree, ("pack",), {**m.tree["pack"], "standard": packs})


def params_mixed(m: Mutation) -> None:
    """The parameters of an action in another order, or one more."""
    spot = m.any_spot(lambda s: s.kind == "choose" and isinstance(s.value, dict))
    if spot is None or m.dice.random() < 0.4:
        spot = m.any_spot(lambda s: s.kind == "action" and isinstance(s.value, dict))
        if spot is None:
            return
        chosen = spot.value.get("choose") or {}
        path: Path = (*spot.path, "choose")
    else:
        chosen, path = spot.value, spot.path
    maker = m.maker(path)
    more = m.dice.choice(
        ({"text": True}, {"choice": ["a", "a b", "silent"]}, {"choice": ["none", "loud"], "optional": True},
        {"flag": True},
         {"suits": "all", "optional": True}, {"players": "others"}, {"number": "1..3"}, {"from": maker.zone(),
         "count": "1..2"},
         {"from": maker.zone()}, {"ranks": "all"}, {"from": maker.zone(), "optional": True}, {"choice": ["2C", "P1",
         "1"]})
    )  # fmt: skip
    items = [*chosen.items(), (f"fz_{m.dice.choice('abc')}", more)]
    if m.dice.random() < 0.5:
        m.dice.shuffle(items)
    m.tree = put(m.tree, path, dict(items))


def hidden(m: Mutation) -> None:
    """A zone of which others see less or more, or otherwise."""
    name = m.dice.choice(list(m.tree["zones"]))
    said = dict(m.tree["zones"][name] or {})
    match m.dice.randrange(5):
        case 0:
            said["faces"] = m.dice.choice(("down", "down", "up"))
        case 1:
            said["shows"] = m.dice.choice(("top", "all"))
        case 2:
            said["count seen by"] = m.dice.choice(("none", "everyone", "P1", "owner" if said.get("each") else "none"))
        case _:
            others = "all p in everyone where p != owner"
            own = ("owner", "none", others, "left of owner", "members of team of owner")
            said["seen by"] = m.dice.choice(
                own if said.get("each") == "player" else ("none", "everyone", "P1", "current", "P2")
            )
    m.tree = put(m.tree, ("zones", name), said)


def refilled(m: Mutation) -> None:
    zones = [name for name, said in m.tree["zones"].items() if not (said or {}).get("each")]
    one, two = m.dice.sample(zones, 2)
    said = {"from": two, "keep": m.dice.choice((0, 1)), "shuffle": m.dice.choice((True, False)),
            "on": m.dice.choice(("empty", "empty", "need"))}  # fmt: skip
    m.tree = with_key(m.tree, ("zones", one), "refill", said)


def fewer_players(m: Mutation) -> None:
    """A stage for some of the players only, that ends by how many there are."""
    spot = m.any_spot(lambda s: s.kind == "stage" and isinstance(s.value, dict))
    if spot is None:
        return
    maker = m.maker(spot.path)
    test = maker.bound("p", "player", "condition", 1)[1]
    numbers = maker.named("state", type="integer", each="player")
    if numbers and m.dice.random() < 0.6:
        test = f"{m.dice.choice(numbers)} of p < {m.dice.randrange(1, 4)}"
    if not spot.value.get("players") or m.dice.random() < 0.3:
        m.tree = with_key(m.tree, spot.path, "players", f"p where {test}")
    until = f"count of players {m.dice.choice(('<', '<=', '='))} {m.dice.randrange(0, 4)}"
    if spot.value.get("until") and m.dice.random() < 0.5:
        until = f"({spot.value['until']}) or {until}"
    m.tree = with_key(m.tree, spot.path, "until", until)


def drawn(m: Mutation) -> None:
    """Something set by chance, and told."""
    spot = m.any_spot(lambda s: s.text == "effect" and isinstance(s.value, str))
    if spot is None:
        return
    kind, among = m.dice.choice(
        (("integer", "fz_numbers"), ("suit", "suits"), ("rank", "ranks"), ("player", "everyone"), ("team", "teams"),
        ("card", "pack"))
    )  # fmt: skip
    m.tree = put(m.tree, ("state",), {**(m.tree.get("state") or {}), "fz_drawn": {"type": kind, "lasts": "match"}})
    if kind == "integer":
        numbers = {"type": "list of integer", "length": "1..6", "default": [3, 5, 8, 13]}
        m.tree = put(m.tree, ("options",), {**(m.tree.get("options") or {}), "fz_numbers": numbers})
    if m.dice.random() < 0.6:
        spot = Spot(("flow", "match", "setup"), "effect", "effect", False, m.tree["flow"]["match"].get("setup", ""))
    made = f'set fz_drawn to random of {among}; note "drawn {{fz_drawn}}"'
    m.tree = put(m.tree, spot.path, f"{spot.value}; {made}".lstrip("; ").replace("\n;", ";"))


CHANGES: tuple[Callable[[Mutation], object], ...] = (
    another_text, more_of_a_text, new_effect, token_swapped, another_number, another_word, key_moved, entry_moved,
    dropped,
    doubled, other_names, name_for_name, payload, hostile_key, new_definition, nested, requirement, constant_fault,
    variant,
    several_cards, params_mixed, refilled, fewer_players, drawn, hidden, given_nothing,
)  # fmt: skip
WEIGHTS = (10, 12, 12, 10, 4, 6, 10, 5, 3, 3, 9, 1, 5, 4, 7, 2, 2, 3, 1, 6, 4, 2, 5, 3, 6, 2)
__all__ = ["CHANGES", "MARK", "Mutation", "at", "collision", "defined", "mutate", "nasty_names"]
