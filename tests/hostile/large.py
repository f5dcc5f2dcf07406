"""Rulesets as large as they may be, each in its own way: what is within the limits is validated in two seconds.

`python -m tests.hostile` says how long each takes, and how much memory. Nothing here is refused for its size.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.base.diagnostics import Report
from interpreter.language.amounts import (
    MAX_ACTIONS,
    MAX_ITEMS,
    MAX_LAWS,
    MAX_OF,
    MAX_PARAMETERS,
    MAX_PATCHES,
    MAX_STAGES,
    MAX_WORDS,
    most_patches,
)
from interpreter.language.check.options import MAX_LONG
from interpreter.language.source import Mapping, parse_text

ACTIONS = MAX_ACTIONS - 1
FEW = "{min: 2, max: 4, default: 2}"
MANY = "{min: 1, max: 16, default: 4}"
CARD = "choose: {a: {from: hand}}"


def _head(players: str, pack: str = "{standard: 1}") -> str:
    return (
        f"format: 1\nid: large\nname: Large\nplayers: {players}\npack: {pack}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, discard: {}}\n"
        "state: {score: {each: player, type: integer, lasts: match}, tally: {type: integer, lasts: match}}\n"
        "require: {r: {law: any c in pack has c = QS, message: no}}\n"
    )


def _asked(action: Callable[[int], str], count: int = ACTIONS, more: str = "", pack: str = "") -> Callable[[str], str]:
    """One stage in which much can be done."""

    def made(players: str) -> str:
        actions = "".join(f"      x{i}: {{{action(i)}}}\n" for i in range(count))
        flow = "flow:\n  match: {setup: deal 2 from stock to hand, do: [go]}\n  go:\n    kind: ask\n    actions:\n"
        return _head(players, pack or "{standard: 1}") + more + flow + actions

    return made


def _staged(stage: str) -> Callable[[str], str]:
    """A match of very many stages."""

    def made(players: str) -> str:
        names = [f"s{i}" for i in range(MAX_STAGES - 1)]
        flow = f"flow:\n  match: {{setup: deal 2 from stock to hand, do: [{', '.join(names)}]}}\n"
        return _head(players) + flow + "".join(f"  {name}: {stage}\n" for name in names)

    return made


def _declared(what: str, row: str) -> Callable[[str], str]:
    """Very many of what a key declares."""
    key, most = MAX_OF[what]
    rows = "".join(f"  n{i}: {row}\n" for i in range(most))
    return _asked(lambda i: "", 1, f"{key}:\n{rows}")


def _added(key: str, first: str, row: str, count: int) -> Callable[[str], str]:
    """Very many zones or variables beside those that there are."""

    def made(players: str) -> str:
        rows = "".join(f"n{i}: {row}, " for i in range(count))
        text = _asked(lambda i: "", 1)(players)
        return text.replace(f"{key}: {{{first}", f"{key}: {{{rows}{first}", 1)

    return made


_MOVED = "effect: move a to discard"
_LONG = "define:\n  long: " + " + ".join(f"score of P1 * {i}" for i in range(5)) + "\n"
_TABLES = "".join(f"  v{i}: {{hearts: tally, else: 0}}\n" for i in range(100))
_PRIZES = (
    "values:\n  prize:\n    by: tally\n" + "".join(f"    {i}: tally + {i}\n" for i in range(1_200)) + "    else: 3\n"
)

_WORDS = ", ".join(f"w{i}" for i in range(MAX_WORDS))
_CHAIN = ", ".join(f"w{i}" + " a" * length for i in range(MAX_WORDS // 20) for length in range(20))
"""Words each of which begins others that are longer, up to the longest that there are."""


def _requiring(text: str) -> Callable[[str], str]:
    """Requirements in the place of the one that there is."""

    def made(players: str) -> str:
        head = _asked(lambda i: "", 1, text)(players)
        return head.replace("require: {r: {law: any c in pack has c = QS, message: no}}\n", "", 1)

    return made


def _patched(made: Callable[[str], str], patch: Callable[[int], str]) -> Callable[[str], str]:
    """The same with as many patches as it may have."""

    def patched(players: str) -> str:
        for count in range(MAX_PATCHES, 0, -1):
            text = made(players) + "variants:\n" + "".join(f"  w{i}: {{patch: {patch(i)}}}\n" for i in range(count))
            root = parse_text(text, "large.yaml", Report())
            assert isinstance(root, Mapping)
            if most_patches(root) >= count:
                break
        return text

    return patched


def _lists(kind: str, item: Callable[[int], str], more: str = "") -> str:
    """As many items as may be in lists of options, in as few lists as may be."""
    rows = "".join(
        f"  o{at}: {{type: list of {kind}, {more}default: [{', '.join(map(item, range(MAX_LONG)))}]}}\n"
        for at in range(MAX_ITEMS // MAX_LONG)
    )
    return f"options:\n{rows}"


def _often(text: str, letters: int = 19_000) -> str:
    """A condition that asks the same as often as it can."""
    return " or ".join([text] * (letters // (len(text) + 4)))


def _everything(i: int) -> str:
    return (
        f"choose: {{card: {{from: hand}}, n: {{number: 1..9}}, p: {{players: others}}}}, "
        f"must: {{a{i}: tally > {i}, b{i}: card is QS, c{i}: n > 3}}"
    )


LARGE: dict[str, Callable[[str], str]] = {
    "actions that choose a card": _asked(lambda i: f"{CARD}, {_MOVED}"),
    "actions that choose some cards": _asked(lambda i: f"choose: {{a: {{from: hand, count: 1..3}}}}, {_MOVED}"),
    "actions that choose much": _asked(
        lambda i: "choose: {" + ", ".join(f"p{k}: {{number: 1..1}}" for k in range(12)) + "}", MAX_PARAMETERS // 12
    ),
    "actions that cards and players are chosen for": _asked(
        lambda i: (
            "choose: {a: {from: hand}, whom: {players: others}, n: {number: 1..3}}, effect: move a to hand of whom"
        ),
        MAX_PARAMETERS // 3,
    ),
    "actions with laws": _asked(lambda i: f"{CARD}, must: {{l: a = QS, m: tally > 1}}"),
    "actions with steady laws": _asked(lambda i: f"{CARD}, must: {{l: a.rank > 5 or a.suit = hearts or a = QS}}"),
    "actions with conditions": _asked(lambda i: "choose: {a: {from: hand, where: a = QS}}"),
    "actions with words": _asked(lambda i: "say: {w: Hm, v: Hm}"),
    "actions that ask a definition": _asked(lambda i: f"when: long > {i}", more=_LONG),
    "actions that ask tables": _asked(lambda i: f"when: v{i % 100} of QS > 0", more=f"values:\n{_TABLES}"),
    "messages with parts": _asked(lambda i: "must: {l: {law: tally > 1, message: '{tally} {tally} {tally}'}}"),
    "blocks in blocks": _asked(lambda i: f"effect: {'if tally = 0 then ' * 25} stay {'end ' * 25}", 43),
    "loops": _asked(lambda i: "effect: for p in players do for q in players do add 1 to score of p end end"),
    "laws of a few actions": _asked(
        lambda i: f"{CARD}, must: {{" + ", ".join(f"l{k}: a = QS or tally > {k}" for k in range(50)) + "}",
        MAX_LAWS // 50,
    ),
    "long effects": _asked(lambda i: "effect: " + "; ".join(["add 1 to tally"] * 770), 2),
    "a long table": _asked(lambda i: "effect: set tally to prize", 1, _PRIZES),
    "stages with an effect": _staged("{effect: add 1 to tally}"),
    "stages that ask": _staged(f"{{kind: ask, actions: {{x: {{{CARD}, {_MOVED}}}}}}}"),
    "stages that take turns": _staged(f"{{kind: turn, actions: {{x: {{{CARD}, {_MOVED}}}}}}}"),
    "stages that race": _staged(f"{{kind: race, actions: {{x: {{{CARD}, {_MOVED}}}}}}}"),
    "definitions": _declared("definitions", "score of P1 + tally"),
    "options": _declared("options", "{type: integer, default: {by: players, 2: 1, else: 2}}"),
    "tables": _declared("tables", "{hearts: 1}"),
    "tokens": _declared("tokens", "{}"),
    "variants": _declared("variants", "{players: 2}"),
    "zones": _added("zones", "stock:", "{each: player, seen by: owner}", 197),
    "many places": _added("zones", "stock:", "{each: 1..250}", 190),
    "variables": _added("state", "score:", "{each: player, type: card, lasts: match}", 298),
    "two thousand cards": _asked(lambda i: f"{CARD}, {_MOVED}", 1, pack="{standard: 16, add: {joker: 1100}}"),
    "two thousand cards and as many actions as may be": _asked(
        lambda i: f"choose: {{a: {{from: hand, where: a = 2C}}}}, {_MOVED}", pack="{standard: 1, add: {joker: 1900}}"
    ),
    "two thousand kinds of cards": _asked(
        lambda i: f"{CARD}, must: {{l: a.suit = spades}}",
        pack="{standard: 1, add: {" + ", ".join(f"c{i}: 1" for i in range(780)) + "}}",
    ),
    "two thousand cards in tables": _asked(
        lambda i: f"when: v{i % 100} of QS > 0",
        more="values:\n" + "".join(f"  v{i}: {{hearts: 1, else: 0}}\n" for i in range(100)),
        pack="{standard: 1, add: {joker: 1900}}",
    ),
}
LARGE |= {
    "words to choose from": _asked(lambda i: f"choose: {{w: {{choice: [{_WORDS}]}}, c: {{from: hand}}}}", 1),
    "words to choose from that begin others": _asked(
        lambda i: f"choose: {{w: {{choice: [{_CHAIN}]}}, p: {{players: others}}}}", 1
    ),
    "words of an option, chosen everywhere": _asked(
        lambda i: "choose: {w: {choice: o0}, v: {flag: true}, p: {players: others}}",
        MAX_PARAMETERS // 3,
        more=_lists("text", lambda i: f"a w{i}" if i else "a"),
    ),
    "words of a choice, chosen in every row": _asked(
        lambda i: f"choose: {{card: {{from: hand}}, w: {{choice: [{_WORDS}]}}}}, row: card",
        1,
        "cards: {"
        + ", ".join(
            f"{rank}{suit}: {{choose: {{p: {{players: others}}}}, effect: skip p}}"
            for rank in "23456789JQKA"
            for suit in "CDHS"
        )
        + "}\n",
    ),
    "a long list, asked often": _asked(
        lambda i: f"when: {_often('tally in o0')}", 1, _lists("integer", lambda i: f"{i}")
    ),
    "a long list, asked often before play": _asked(
        lambda i: f"when: {_often('5 in o0')}", 1, _lists("integer", lambda i: f"{1_000 + i}")
    ),
    "a long list of cards, asked often": _asked(
        lambda i: f"{CARD}, must: {{l: {_often('a in o0')}}}", 1, _lists("card", lambda i: ("QS", "2c", "td")[i % 3])
    ),
    "a long list of cards, required often": _requiring(
        _lists("card", lambda i: ("QS", "2c", "td")[i % 3])
        + f"require: {{r: {{law: {_often('KS in o0')} or 1 = 1, message: no}}}}\n",
    ),
    "long lists of numbers, required often": _requiring(
        _lists("integer", lambda i: f"{i}")
        + "require:\n"
        + "".join(f"  r{i}: {{law: 99999 + {i} not in o0, message: no}}\n" for i in range(MAX_OF["requirements"][1])),
    ),
    "a long list for each player": _asked(
        lambda i: "when: 'item(tally, o0 of actor) > 3'", ACTIONS, _lists("integer", lambda i: f"{i}", "each: player, ")
    ),
    "words of options": _asked(
        lambda i: f"when: {_often('o = w999')}",
        1,
        f"options: {{o: {{type: choice, choices: [{_WORDS}], default: w0}}}}\n",
    ),
    "requirements that look at all cards": _requiring(
        "require:\n"
        + "".join(
            f"  r{i}: {{law: count c in pack where c is QS and {i} < 1000 > 0, message: no}}\n"
            for i in range(MAX_OF["requirements"][1])
        )
    ),
    "requirements that look at all players": _requiring(
        "require:\n"
        + "".join(
            f"  r{i}: {{law: (sum (sum 1 for p in everyone) for q in everyone) >= {i - 300}, message: no}}\n"
            for i in range(MAX_OF["requirements"][1])
        )
    ),
    "requirements that look at all ranks": _requiring(
        "require:\n"
        + "".join(
            f"  r{i}: {{law: all r in ranks have all s in ranks have all q in ranks have "
            f"place of r + place of s + place of q > {-i}, message: no}}\n"
            for i in range(35)
        )
    ),
    "laws of one action": _asked(
        lambda i: f"{CARD}, must: {{" + ", ".join(f"l{k}: tally > {k} or a is QS" for k in range(MAX_LAWS)) + "}", 1
    ),
    "labels": _asked(lambda i: "label: {" + ", ".join(f"tally > {i + k}: w{k}" for k in range(30)) + ", else: b}", 40),
    "stages of tricks": _staged(
        "{kind: trick, from: hand, to: discard, leader: left of P1, players: p where score of p > 1, until: tally > 1, "
        "lead: {must: {h: card is QS}}, on trick: move all from discard to hand of winner}"
    ),
    "actions with everything, and patches": _patched(
        _asked(_everything, MAX_PARAMETERS // 3),
        lambda i: f"{{flow: {{go: {{actions: {{x{i}: {{when: tally > {i}}}}}}}}}}}",
    ),
    "laws and patches": _patched(
        _asked(lambda i: f"{CARD}, must: {{" + ", ".join(f"l{k}: tally > {k}" for k in range(MAX_LAWS)) + "}", 1),
        lambda i: f"{{flow: {{go: {{actions: {{x0: {{when: tally > {i}}}}}}}}}}}",
    ),
    "definitions and patches": _patched(
        _asked(
            lambda i: "when: " + " or ".join(f"d{k} of actor" for k in range(480)),
            1,
            "define:\n" + "".join(f"  d{k}(p): score of p > {k}\n" for k in range(480)),
        ),
        lambda i: f"{{flow: {{go: {{actions: {{x0: {{when: d{i} of actor}}}}}}}}}}",
    ),
    "rows of cards and patches": _patched(
        _asked(
            lambda i: "choose: {card: {from: hand}}, row: card",
            8,
            "cards:\n"
            + "".join(
                f'  {rank}{suit}: {{choose: {{p: {{players: others}}}}, say: "hi {{p}}", effect: skip p}}\n'
                for rank in "23456789JQKA"
                for suit in "CDHS"
            ),
        ),
        lambda i: f"{{flow: {{go: {{actions: {{x0: {{when: tally > {i}}}}}}}}}}}",
    ),
    "a long table and patches": _patched(
        _asked(
            lambda i: "when: t > 3",
            1,
            "values:\n  t:\n    by: tally\n" + "".join(f"    {i}: {i}\n" for i in range(1_200)) + "    else: 3\n",
        ),
        lambda i: f"{{flow: {{go: {{actions: {{x0: {{when: tally > {i}}}}}}}}}}}",
    ),
    "lists of words of options": _requiring(
        _lists(
            "choice",
            lambda i: f"w{199 - i}",
            "each: player, choices: [" + ", ".join(f"w{i}" for i in range(200)) + "], ",
        )
    ),
}
"""What makes a large ruleset, by how: for the text of `players`."""


def _laid(*texts: str) -> tuple[str, ...]:
    return tuple(f"format: 1\nid: laid{at}\nname: Laid\n{text}" for at, text in enumerate(texts))


def _chain(name: str, count: int, side: str) -> str:
    """Stages each of which is placed beside the next, the last beside one that is there."""
    beside = [*(f"{name}{i}" for i in range(1, count)), "go"]
    return "flow:\n" + "".join(f"  {name}{i}: {{effect: stay, {side}: {beside[i]}}}\n" for i in range(count))


def _names(count: int) -> list[str]:
    """Long names of the same letters, none nearly like another."""
    letters = "abcdefghij"
    return [
        "".join([*(letters[i % 10 :] + letters[: i % 10]), *(letters[i // 10 :] + letters[: i // 10])] * 3)
        for i in range(count)
    ]


_TABLE = "values:\n  t:\n"
OVERLAID: dict[str, tuple[str, ...]] = {
    "stages placed before one another": _laid(_chain("a", MAX_STAGES - 2, "before")),
    "stages placed after one another, by two": _laid(_chain("a", 59, "after"), _chain("b", 59, "after")),
    "too many stages, by two": _laid(_chain("a", MAX_STAGES, "before"), _chain("b", MAX_STAGES, "before")),
    "rows of a table, by two": _laid(
        *(_TABLE + "".join(f"    {i}: {value}\n" for i in range(1_400)) for value in (1, 2))
    ),
    "other rows of a table, by two": _laid(
        *(_TABLE + "".join(f"    {first + i}: 1\n" for i in range(700)) for first in (0, 10_000))
    ),
    "rows that are not there": _laid(_TABLE + "".join(f"    {i}: null\n" for i in range(10_000))),
    "new names": _laid(
        *("define:\n" + "".join(f"  {name}{at}: 1\n" for name in _names(100)) for at in ("", "x", "y", "z"))
    ),
    "much that it needs": _laid("needs: [" + ", ".join(f"n{i}" for i in range(20_000)) + "]\n"),
}
"""What is laid on a ruleset with a table `t`, by how; some of it is refused."""
UNDER = _asked(lambda i: "when: t > 3", 1, _TABLE + "    by: tally\n    else: 0\n")(FEW)
