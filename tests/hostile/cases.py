"""Rulesets that were written to hang the program or to eat the memory: by what is tried in each.

A ruleset of one thing stands on one line, so that it can be seen what is not small about it.
"""
# ruff: noqa: E501

from __future__ import annotations

CASES: dict[str, str] = {}
"""What is tried -> the ruleset."""


def ruleset(
    action: str = "{effect: stay}",
    kind: str = "ask",
    extra: str = "",
    flow: str = "",
    *,
    setup: str = "deal 13 from stock to hand",
    zones: str = "",
    state: str = "",
    pack: str = "{standard: 1}",
    players: str = "{min: 2, max: 4, default: 2}",
    actions: str = "",
    match: str = "",
) -> str:
    """A small ruleset with one thing in it that is not small."""
    begin = "" if flow else f"  match:\n    setup: |\n      {setup}\n    do: [go]\n{match}"
    go = f"  go:\n    kind: {kind}\n    actions:\n" + (actions or f"      x: {action}\n")
    return (
        f"format: 1\nid: hostile\nname: Hostile\nplayers: {players}\npack: {pack}\n"
        f"zones:\n  stock: {{pack: true}}\n  hand: {{each: player, seen by: owner}}\n  discard: {{}}\n{zones}"
        f"state:\n  score: {{each: player, type: integer, lasts: match}}\n  tally: {{type: integer, lasts: match}}\n"
        f"  said: {{type: text, lasts: match}}\n{state}{extra}flow:\n{begin or flow}{'' if flow else go}"
    )


def nest(what: str, times: int, inner: str, among: str = "pack") -> str:
    """Loops inside one another: `any c0 in pack has any c1 in pack has ...`."""
    return "".join(f"{what} c{i} in {among} has " for i in range(times)) + inner


def loops(times: int, inner: str, among: str = "pack") -> str:
    """The same of an effect."""
    return "".join(f"for c{i} in {among} do " for i in range(times)) + inner + " end" * times


def add(name: str, text: str) -> None:
    """Keep a case."""
    assert name not in CASES
    CASES[name] = text


def doubling(first: str, step: str, times: int, params: str = "") -> str:
    """Definitions of which each uses the one before twice."""
    lines = "".join(f"  d{i}{params}: {step.format(at=i - 1)}\n" for i in range(1, times + 1))
    return f"define:\n  d0{params}: {first}\n{lines}"


# ---- loops -------------------------------------------------------------------------------------------

add(
    "five loops through the pack in a condition",
    ruleset(f"{{when: {nest('any', 5, 'c0 = c4')}}}"),
)
add(
    "four loops through the pack in an effect",
    ruleset(f"{{effect: {loops(4, 'add 1 to tally')}}}"),
)
add(
    "three loops through the pack that find nothing",
    ruleset(f"{{when: {nest('any', 3, 'c0 != c0')}}}"),
)
add(
    "sixty laws of three loops each",
    ruleset(
        "{choose: {card: {from: hand}}, must: {"
        + ", ".join(
            f"l{i}: not ({nest('any', 3, f'c0 = card and c1 = c2 and c0 != c1 and tally = {i}')})" for i in range(60)
        )
        + "}}"
    ),
)
add(
    "many actions of three loops each",
    ruleset(
        actions="".join(
            f"      x{i}: {{when: not ({nest('any', 3, f'c0 = c1 and c1 = c2 and tally + {i} < 0')})}}\n"
            for i in range(60)
        )
    ),
)
add(
    "many actions of two loops each",
    ruleset(
        actions="".join(
            f"      x{i}: {{when: not ({nest('any', 2, f'c0 = c1 and tally + {i} < 0')})}}\n" for i in range(2_000)
        )
    ),
)
add(
    "a loop through players, suits, ranks and teams",
    ruleset(
        "{when: any p in everyone has any s in suits has any r in ranks has any c in pack has any t in teams has c.rank = r and c.suit = s and score of p < 0}"
    ),
)
add(
    "loops through sets that are chosen",
    ruleset(
        "{choose: {cs: {from: hand, count: 1..13}}, must: {l: all a in cs have all b in cs have all c in cs have all d in cs have a != b or c != d or tally >= 0}}"
    ),
)
add(
    "many loops one after the other in a stage that repeats",
    ruleset(
        flow="  match: {repeat: spin, until: tally < 0}\n  spin:\n    effect: |\n"
        + "".join(f"      {loops(2, 'set tally to 1')}\n" for _ in range(40))
    ),
)
add(
    "a long sum of sums",
    ruleset("{when: sum (sum (sum 1 for c in pack) for b in pack) for a in pack > 5, effect: stay}", kind="race"),
)
add(
    "sorting by what takes long",
    ruleset(
        f'{{effect: "for a in (all b in pack by count c in pack where {nest("any", 1, "c0 = c")}) do add 1 to tally end"}}'
    ),
)
add(
    "sorting again and again",
    ruleset(
        flow='  match: {repeat: spin, until: tally < 0}\n  spin: {effect: "for a in all b in pack by (count c in pack where c.rank = b.rank and c != b) do set tally to tally end"}\n'
    ),
)

# ---- definitions and tables --------------------------------------------------------------------------

add(
    "definitions that double a condition",
    ruleset("{when: d30}", extra=doubling("tally = 1", "d{at} or d{at}", 30)),
)
add(
    "definitions that double nineteen times",
    ruleset("{when: d13}", extra=doubling("tally = 1", "d{at} or d{at}", 13)),
)
add(
    "definitions that loop through the pack, each in the next",
    ruleset("{when: d8 of QS}", extra=doubling("any x in pack has x = c", "any x in pack has d{at} of x", 8, "(c)")),
)
add(
    "definitions that double cards",
    ruleset("{when: any c in d40 has c in d39}", extra=doubling("hand of P1", '"(d{at}, d{at})"', 40)),
)
add(
    "a name that two thousand cards have",
    ruleset(
        "{choose: {k: {number: 1..9}}, effect: add count n in 1..1000 where (any m in 1..1100 has count of (hand without (if n = m then mk else mk2)) > k) to score}",
        pack="{standard: 1, add: {phoenix: 1900}}",
        state="  mk: {type: card, lasts: match, optional: true}\n  mk2: {type: card, lasts: match, optional: true}\n",
    ),
)
add(
    "squares of squares",
    ruleset(f"{{when: {'sq of ' * 31}(score + 3) > 5}}", extra="define: {sq(n): n * n}\n"),
)
add(
    "squares of squares of three",
    ruleset(f"{{when: {'sq of ' * 31}3 > score}}", extra="define: {sq(n): n * n}\n"),
)
add(
    "squares of squares in definitions without parameters",
    ruleset("{when: d40 > 5}", extra=doubling("score + 3", "d{at} * d{at}", 40)),
)
add(
    "a product of many variables",
    ruleset("{when: " + " * ".join(["(tally + 900000)"] * 60) + " > 1}"),
)
add(
    "sums of large products",
    ruleset("{when: sum (tally + 999999) * 999999 * 999999 for c in pack > 1}"),
)
add(
    "a sum of large numbers that options do not settle",
    ruleset("{when: tally + 999999999999999999 + 999999999999999999 > 1}"),
)
add(
    "variables as large as can be, added up",
    ruleset(
        "{effect: set big to big + big}",
        kind="race",
        state="  big: {type: integer, max: 999999999999999999, default: 900000000000000000, lasts: match}\n",
    ),
)
add(
    "tables that use tables that use tables",
    ruleset(
        "{when: t12 of QS > 0}",
        extra="values:\n  t0: {hearts: tally, else: 0}\n"
        + "".join(
            f"  t{i}: {{hearts: t{i - 1} of QH + t{i - 1} of 2C, else: t{i - 1} of KH + t{i - 1} of KS}}\n"
            for i in range(1, 13)
        ),
    ),
)
add(
    "a table in each row of which there are loops",
    ruleset(
        "{when: any c in pack has worth of c > 5}",
        extra="values:\n  worth: {"
        + ", ".join(f"{r}: count a in pack where (any b in pack has a = b and tally > {r})" for r in range(2, 11))
        + ", else: 0}\n",
    ),
)
add(
    "a table over numbers in a table over numbers",
    ruleset(
        "{when: t9 > 0}",
        extra="values:\n  t0: {by: tally, 1: 1, else: 2}\n"
        + "".join(f"  t{i}: {{by: t{i - 1}, 1: t{i - 1}, 2: t{i - 1} + 1, else: t{i - 1}}}\n" for i in range(1, 10)),
    ),
)

# ---- moves -------------------------------------------------------------------------------------------

add(
    "twelve numbers to choose",
    ruleset("{choose: {" + ", ".join(f"n{i}: {{number: 1..10}}" for i in range(12)) + "}}"),
)
add(
    "twelve flags to choose",
    ruleset("{choose: {" + ", ".join(f"n{i}: {{flag: true}}" for i in range(12)) + "}}"),
)
add(
    "twelve cards to choose",
    ruleset("{choose: {" + ", ".join(f"n{i}: {{from: hand}}" for i in range(12)) + "}}"),
)
add(
    "a number as large as can be",
    ruleset("{choose: {n: {number: 1..999999999999999999}}}"),
)
add(
    "a number up to a variable",
    ruleset("{choose: {n: {number: 0..tally}}}", setup="set tally to 1000000"),
)
add(
    "a hundred thousand moves of an action, and forty such actions",
    ruleset(actions="".join(f"      x{i}: {{choose: {{n: {{number: 1..45000}}}}}}\n" for i in range(40))),
)
add(
    "a hundred thousand moves among sixteen players",
    ruleset("{choose: {n: {number: 1..40000}}}", players="{min: 16, max: 16}", setup="deal 3 from stock to hand"),
)
add(
    "every set of twenty-six cards",
    ruleset(
        "{choose: {cs: {from: hand, count: 1..26}}}", players="{min: 2, max: 2}", setup="deal 26 from stock to hand"
    ),
)
add(
    "every set of cards of two packs",
    ruleset(
        "{choose: {cs: {from: hand, count: 1..26}}}",
        pack="{standard: 2}",
        players="{min: 2, max: 2}",
        setup="deal 26 from stock to hand",
    ),
)
add(
    "every set of the cards of the pack, twice",
    ruleset("{choose: {a: {from: pack, count: 0..52}, b: {from: pack, count: 0..52}}}"),
)
add(
    "eight announcements",
    ruleset("{choose: {card: {from: hand}}, say: {" + ", ".join(f'w{i}: "{{card}} {i}"' for i in range(8)) + "}}"),
)
add(
    "eight announcements with a thousand numbers",
    ruleset("{choose: {n: {number: 1..1000}}, say: {" + ", ".join(f'w{i}: "{{n}} {i}"' for i in range(8)) + "}}"),
)
add(
    "twelve things to be said",
    ruleset("{choose: {" + ", ".join(f"n{i}: {{suits: all, said: true, else: hearts}}" for i in range(7)) + "}}"),
)
add(
    "two packs, announcements, and every number on honour",
    ruleset('{choose: {card: {from: hand}, n: {number: 1..3000}}, say: "{card}"}', pack="{standard: 2}"),
)
add(
    "rows that choose numbers",
    ruleset(
        "{choose: {card: {from: hand}}, row: card}",
        extra="cards:\n"
        + "".join(f"  {r}: {{choose: {{n: {{number: 1..9000}}}}}}\n" for r in (*range(2, 11), *"JQKA")),
    ),
)
add(
    "a condition on each of a hundred thousand numbers",
    ruleset("{choose: {n: {number: 1..100000, where: any c in pack has count d in pack where d = c and n < 0 > 5}}}"),
)

# ---- can ---------------------------------------------------------------------------------------------

add(
    "can in can in can",
    ruleset(
        actions="      x0: {when: tally = 0}\n"
        + "".join(
            f'      x{i}: {{when: "any p in everyone has any q in everyone has can(x{i - 1}, p) and can(x{i - 1}, q) and tally > 0"}}\n'
            for i in range(1, 12)
        )
    ),
)
add(
    "can asks about a hundred thousand moves",
    ruleset(
        actions='      x: {choose: {n: {number: 1..90000, where: n < 0}}}\n      y: {when: "all p in everyone have all c in pack have not can(x, p)"}\n'
    ),
)
add(
    "can asks about every set of cards",
    ruleset(
        actions='      x: {choose: {cs: {from: hand, count: 1..13}}, must: {l: count c in cs where c.suit = hearts > 13}}\n      y: {when: "all p in everyone have not can(x, p)"}\n'
    ),
)
add(
    "can asks in a circle",
    ruleset(actions='      x: {when: "can(y, actor)"}\n      y: {when: "can(x, actor)"}\n'),
)

# ---- stages ------------------------------------------------------------------------------------------

add(
    "a stage that repeats for ever",
    ruleset(flow="  match: {repeat: spin, until: tally < 0}\n  spin: {effect: set tally to 1}\n"),
)
add(
    "a stage that repeats stages that repeat",
    ruleset(
        flow="  match: {repeat: s0, until: tally < 0}\n"
        + "".join(f"  s{i}: {{repeat: s{i + 1}, until: number of s{i + 1} > 50}}\n" for i in range(12))
        + "  s12: {effect: set tally to 1}\n"
    ),
)
add(
    "a thousand stages of a loop each, over and over",
    ruleset(
        flow="  match: {repeat: ["
        + ", ".join(f"s{i}" for i in range(1_000))
        + "], until: tally < 0}\n"
        + "".join(f"  s{i}: {{effect: for c in pack do set tally to 1 end}}\n" for i in range(1_000))
    ),
)
add(
    "a deal that is dealt again for ever",
    ruleset(
        flow="  match: {repeat: deal, first dealer: P1, until: tally < 0}\n  deal: {next dealer: left, setup: redeal, effect: set tally to 1}\n"
    ),
)
add(
    "a stage that is finished for ever",
    ruleset(flow="  match: {repeat: spin, until: tally < 0}\n  spin: {effect: finish spin}\n"),
)
add(
    "a turn that is passed when it begins",
    ruleset(kind="turn", actions="      x: {}\n", match="").replace(
        "kind: turn\n", "kind: turn\n    on turn: pass turn to left of current\n"
    ),
)
add(
    "a stage that calls a stage for everybody and every card",
    ruleset('{effect: "for c in pack do for d in pack do call side end end"}') + "  side: {effect: set tally to 1}\n",
)
add(
    "a stage in which nothing can ever run",
    ruleset(flow="  match: {repeat: spin, until: tally < 0}\n  spin: {when: tally > 5, effect: set tally to 1}\n"),
)
add(
    "a claim that calls what calls",
    ruleset("{effect: call a}") + "  a: {effect: call b}\n  b: {effect: call a}\n",
)
add(
    "tricks that nobody can lead",
    ruleset(
        flow="  match: {setup: deal 13 from stock to hand, do: [play]}\n  play: {kind: trick, leader: first p in players where score of p > 5, from: hand, to: discard}\n"
    ),
)
add(
    "three hundred calls that wait",
    ruleset('{effect: "for c in pack do for p in everyone do for s in suits do call go2 end end end; add 1 to tally"}')
    + '  go2: {kind: ask, actions: {y: {effect: "for c in pack do for s in suits do for p in everyone do call go2 end end end"}}}\n',
)
add(
    "a race among sixteen in which everybody's move takes long",
    ruleset(
        f"{{when: not ({nest('any', 3, 'c0 = c1 and c1 = c2 and actor = c0')})}}".replace("actor = c0", "tally < 0"),
        kind="race",
        players="{min: 16, max: 16}",
        setup="deal 3 from stock to hand",
    ),
)
add(
    "an until that takes long in many turns that nobody has",
    ruleset("{effect: nothing}", kind="turn").replace(
        "kind: turn\n", f"kind: turn\n    until: {nest('any', 3, 'c0 = c1 and c1 = c2 and tally < 0')}\n"
    ),
)
add(
    "players that take long",
    ruleset("{effect: nothing}", kind="turn").replace(
        "kind: turn\n", f"kind: turn\n    players: p where not ({nest('any', 2, 'c0 = c1 and score of p < 0')})\n"
    ),
)

# ---- cards -------------------------------------------------------------------------------------------

add(
    "cards that are refilled in a circle",
    ruleset("{effect: move all from hand to discard; move 50 from stock to discard}", zones="")
    .replace("stock: {pack: true}", "stock: {pack: true, refill: {from: discard, on: empty}}")
    .replace("discard: {}", "discard: {refill: {from: stock, on: empty}}"),
)
add(
    "cards that are refilled from where they go",
    ruleset("{effect: move 1000000 from stock to discard}").replace(
        "stock: {pack: true}", "stock: {pack: true, refill: {from: discard, shuffle: true}}"
    ),
)
add(
    "two thousand cards drawn at random, over and over",
    ruleset(
        flow="  match: {repeat: spin, until: tally < 0}\n  spin: {effect: move 2000 at random from stock to discard; move 2000 at random from discard to stock}\n",
        pack="{standard: 16, add: {joker: 1000}}",
    ),
)
add(
    "two thousand cards shuffled for each card",
    ruleset("{effect: for c in pack do shuffle stock end}", pack="{standard: 16, add: {joker: 1000}}"),
)
add(
    "gathered for each card and each card",
    ruleset(
        "{effect: for c in pack do for d in pack do gather all to stock end end}", zones="  p: {each: [1..1000]}\n"
    ),
)
add(
    "a thousand places of each of forty zones",
    ruleset("{effect: gather all to stock}", zones="".join(f"  p{i}: {{each: 1..1000}}\n" for i in range(40))),
)
add(
    "two cards put in the order of forty thousand places, again and again",
    ruleset(
        "{effect: 'move all from q to discard; move all from r to discard; move 1 from stock to q; move 1 from stock to r; "
        "for m in 1..10 do for n in 1..3000 do for c in (q, r) do stay end end end'}",
        zones="  q: {seen by: none, capacity: 1}\n  r: {capacity: 1}\n"
        + "".join(f"  p{i}: {{each: 1..1000}}\n" for i in range(40)),
    ),
)
for way in ("gather all to small", "gather stock to small", "swap small, stock", "swap hand, stock; swap hand, small"):
    add(
        f"a zone that holds more than loops through it are counted for: {way}",
        ruleset(
            f"{{effect: '{way}; set tally to count cs in sets of 2.. from small where sum place of c.rank for c in cs = 15'}}",
            zones="  small: {capacity: 8}\n",
            setup="stay",
        ),
    )
add(
    "a pack in a zone that holds less, and loops through it",
    ruleset(
        "{effect: set tally to count cs in sets of 2.. from stock where sum place of c.rank for c in cs = 15}",
        setup="stay",
    ).replace("pack: true", "pack: true, capacity: 8"),
)
add(
    "cards looked for in forty thousand places",
    ruleset(
        "{effect: for c in pack do for d in pack do move c to discard; move c to p0 of 1 end end}",
        zones="".join(f"  p{i}: {{each: 1..1000}}\n" for i in range(40)),
    ),
)
add(
    "one holder after the other",
    ruleset(
        "{when: all c in pack have all d in pack have holder of c != none or holder of d = none or holder of d != none}",
        zones="".join(f"  p{i}: {{each: player}}\n" for i in range(60)),
    ),
)
add(
    "fifty packs of cards, and a hundred thousand events",
    ruleset(
        flow='  match: {repeat: spin, until: tally < 0}\n  spin: {effect: "for c in pack do move c to discard; move c to stock end"}\n',
        pack="{standard: 16}",
    ),
)
add(
    "pieces set out for every card",
    ruleset("{effect: for c in pack do for d in pack do set out 1000 of spoon end end}", extra="tokens: {spoon: {}}\n"),
)
add(
    "pieces that all are taken",
    ruleset(
        "{choose: {w: {tokens: spoon}}, effect: take w}",
        extra="tokens: {spoon: {}}\n",
        setup="set out 1000 of spoon",
        kind="race",
    ),
)

# ---- what is seen and said ---------------------------------------------------------------------------

add(
    "eyes that take long",
    ruleset(zones=f"  shy: {{each: 1..1000, seen by: p where {nest('any', 2, 'c0 = c1 and score of p < 0')}}}\n"),
)
add(
    "eyes that take a while, of very many places",
    ruleset(
        zones="".join(
            f"  shy{i}: {{each: 1..1000, seen by: p where any c in pack has c = QS and score of p < 0}}\n"
            for i in range(30)
        )
    ),
)
add(
    "variables that are seen by those who are looked for",
    ruleset(
        state=f"  dark: {{each: [1..200, suit], type: integer, lasts: match, seen by: p where {nest('any', 2, 'c0 = c1 and score of p < 0')}}}\n"
    ),
)
add(
    "a note of everything, for everything",
    ruleset(
        '{effect: "for c in pack do for d in pack do note \\"{all e in pack where e != c} {all e in pack where e != d}\\" end end"}'
    ),
)
add(
    "a text that is too long for a variable",
    ruleset('{effect: "set said to \\"' + "x" * 15_000 + '\\""}'),
)
add(
    "a note of a long text, many times",
    ruleset(
        '{effect: "for c in pack do for d in pack do note \\"' + "{long}" * 200 + '\\" end end"}',
        extra="define: {long: '\"" + "x" * 15_000 + "\"'}\n",
    ),
)
add(
    "a text of ten thousand letters, said for every card",
    ruleset('{effect: "for c in pack do for d in pack do note \\"' + "x" * 10_000 + '\\" end end"}'),
)
add(
    "a message that takes long",
    ruleset(
        '{must: {l: {law: tally = 1, message: "{count c in pack where ('
        + nest("any", 2, "c0 = c1 and c0 = c")
        + ')}"}}}'
    ),
)
add(
    "a definition that is shown, and takes long",
    ruleset(
        "{effect: stay}",
        extra=f'define:\n  many(p): {{value: "{nest("any", 3, "c0 = c1 and score of p < 0")}", seen by: everyone}}\n',
    ),
)

# ---- melds -------------------------------------------------------------------------------------------

_SUITS = "suits: {" + ", ".join(f"s{i}: {{letter: X{chr(65 + i)}, colour: black}}" for i in range(20)) + "}\n"


def melding(melds: str, cards: str, ask: str, pack: str = "{standard: 1}", ranks: str = "2..101") -> str:
    """A player holds very many cards, of which melds are asked for."""
    return ruleset(
        f"{{choose: {ask}, effect: stay}}",
        extra=f"ranks: [{ranks}]\n{_SUITS}{melds}",
        setup=f"move {cards} to hand of P1",
        pack=pack,
    )


add(
    "melds of ninety-seven cards in twenty suits",
    melding("melds: {flush: {same: suit, size: 97}}\n", "all from stock", "{m: {meld: flush, from: hand}}"),
)
add(
    "melds of nearly all the cards of two packs",
    melding(
        "melds: {flush: {same: suit, size: 97}}\n",
        "all c in stock where c.suit = s0",
        "{m: {meld: flush, from: hand}}",
        pack="{standard: 2}",
        ranks="2..51",
    ),
)
add(
    "several melds of nearly all cards",
    melding(
        "melds: {flush: {same: suit, size: 94..}}\n",
        "all c in stock where c.suit = s0",
        "{ms: {melds: flush, from: hand}}",
    ),
)
add(
    "sets of more members than are reckoned with where nothing is known",
    ruleset("{effect: set tally to count q in sets of 1001.. from (1..2000) where tally = 3}"),
)
add(
    "what is left outside of melds of ninety-seven cards",
    ruleset(
        "{when: least 1 for c in hand outside flush > tally, effect: stay}",
        extra=f"ranks: [2..101]\n{_SUITS}melds: {{flush: {{same: suit, size: 97}}}}\n",
        setup="move all from stock to hand of P1",
    ),
)

# ---- what is told, seen and taken back -------------------------------------------------------------------

add(
    "a card that goes to and fro",
    ruleset(
        "{choose: {c: {from: hand}}, effect: "
        f"'for n in 1..3000 do {'; '.join(['move c to discard; move c to hand'] * 5)} end'}}",
        "turn",
    ),
)
add(
    "variables of which each holds all cards",
    ruleset(
        "{effect: for n in 1..200 do set held of n to stock end}",
        "turn",
        pack="{standard: 16, add: {phoenix: 1168}}",
        zones="  row: {each: 1..1000}\n",
        state="  held: {each: 1..200, type: cards, lasts: match}\n",
    )
    .replace("  row: {each: 1..1000}\n", "", 1)
    .replace("zones:\n", "zones:\n  row: {each: 1..1000}\n"),
)
add(
    "a place that is shown again and again",
    ruleset(
        "{effect: shuffle stock; for i in 1..8 do show stock to actor end}",
        "turn",
        extra=f"ranks: [2..101]\n{_SUITS}",
    ).replace("stock: {pack: true}", "stock: {pack: true, seen by: none}"),
)
add(
    "cards that are turned where it takes long who sees them",
    ruleset("{effect: for j in 1..60 do turn down stock end}", pack="{standard: 1, add: {phoenix: 1900}}").replace(
        "stock: {pack: true}",
        'stock: {pack: true, seen by: "if any a in 1..80 has any b in 1..40 has a * b = tally - 1 then none else P1"}',
    ),
)
_SLOW = "if any i in 1..1900 has i + tally = 0 then everyone else {}"
"""Who sees something that nobody would ask so much for."""
add(
    "many moves with cards that are called by their places, where it takes long who sees them",
    ruleset(
        f"{{choose: {{{', '.join(f'a{i}: {{from: row of {i}}}' for i in range(1, 13))}}}, effect: move a1 to stock}}",
        "turn",
        zones=f'  row: {{each: 1..12, seen by: "{_SLOW.format("none")}"}}\n',
        setup="; ".join(f"move {2 + (i < 3)} from stock to row of {i}" for i in range(1, 13)),
    ),
)
add(
    "cards dealt one by one where it takes long who sees them",
    ruleset(
        "{effect: gather all to stock; deal 120 from stock to hand in packets of 1}",
        "turn",
        setup="stay",
        pack="{standard: 16, add: {phoenix: 1100}}",
        players="{only: [16]}",
    )
    .replace("pack: true", f'pack: true, seen by: "{_SLOW.format("none")}"')
    .replace("seen by: owner", f'seen by: "{_SLOW.format("owner")}"'),
)
add(
    "a stock that is refilled card by card, which takes long",
    ruleset(
        "{effect: move all from hand of P1 to heap; move 1900 from well to hand of P1}",
        zones='  well: {refill: {from: heap, keep: "if any i in 1..100 has i + tally < 0 then 0 else if count of heap = 0 then 0 else (count of heap) - 1"}}\n'
        "  heap: {}\n",
        pack="{standard: 1, add: {phoenix: 1900}}",
        setup="move all from stock to hand of P1",
    ),
)
add(
    "a table full of cards, where it takes long who sees them",
    ruleset("{effect: add 1 to tally}", setup="stay", pack="{standard: 16, add: {phoenix: 1100}}").replace(
        "pack: true", f'pack: true, seen by: "{_SLOW.format("everyone")}"'
    ),
)
add(
    "two thousand cards that are turned again and again",
    ruleset(
        "{effect: for j in 1..3 do turn up stock; turn down stock; show stock to P1 end}",
        pack="{standard: 1, add: {phoenix: 1900}}",
    ),
)
add(
    "players by what everybody holds, asked again and again",
    ruleset(players="{only: [16]}", kind="turn", setup="deal 3 from stock to hand").replace(
        "    kind: turn\n",
        "    kind: turn\n    first: P1\n    players: p where (sum place of c.rank for c in hand of p) > 0\n",
    ),
)

add(
    "three hundred thousand calls of a stage that is going on",
    ruleset("{effect: for a in 1..1500 do for b in 1..200 do call go end end}"),
)
add(
    "forty thousand places that wait for a card, and a card that comes again and again",
    ruleset(
        "{effect: for a in 1..400 do move 1 from stock to heap; move 1 from heap to stock end}",
        zones="  heap: {}\n"
        + "".join(f"  well{i}: {{each: 1..1000, refill: {{from: heap, keep: 5, on: empty}}}}\n" for i in range(45)),
    ),
)
add(
    "who holds each of two thousand cards, asked again and again",
    ruleset(
        "{effect: for a in 1..700 do set tally to count c in pack where holder of c = P1 end}",
        setup="move all from stock to pile of P2",
        zones="  pile: {each: player}\n",
        pack="{standard: 1, add: {phoenix: 1900}}",
        actions="      x: {effect: for a in 1..700 do set tally to count c in pack where holder of c = P1 end}\n"
        "      y: {effect: move top of pile of P1 to stock}\n",
    ),
)
add(
    "a deal of two thousand cards in packets, again and again",
    ruleset(
        "{effect: 'for i in 1..1900 do gather all to stock; deal 120 from stock to hand in packets of 2 end'}",
        setup="stay",
        pack="{standard: 16, add: {phoenix: 1100}}",
        players="{only: [16]}",
    ),
)
add(
    "claims for which it takes a while to say who may claim, between moves",
    ruleset(
        "{effect: call loop}",
        "turn",
        setup="deal 2 from stock to hand",
        players="{only: [16]}",
        extra='honor: {claim: razz, during: match, penalty: add 1 to score of offender, claimers: "if (any i in 1..250 has tally + i < 0) then everyone else none"}\n',
    )
    + "  loop: {repeat: cl, until: number of cl > 4900}\n  cl: {kind: claims}\n",
)
add(
    "faults of which it takes a while to say whether they lapse",
    ruleset(
        "{effect: for i in 1..64 do fault zeal of actor end; call loop}",
        "turn",
        extra="honor: {claim: razz, during: match, penalty: add 1 to score of offender, "
        'lapses: {after: 100000, ends of: spin, pauses: "not (any i in 1..250 has tally + i < 0)"}}\n',
    )
    + "  loop: {repeat: spin, until: number of spin > 4900}\n  spin: {effect: stay}\n",
)

# ---- what is worked out without being written there --------------------------------------------------

HEAVY = "(sum (x + tally) for x in 1..{}) != 7"
"""A condition that takes four steps for each number."""
AGAIN = "{{effect: for a in 1..{} do for b in 1..1000 do {} end end}}"
"""An effect, again and again."""
add(
    "no card of a suit, where it takes long to say which suit a card has",
    ruleset(
        flow="  match: {setup: move all from stock to hand of P1, do: [go, tricks]}\n  go:\n    kind: ask\n    actions:\n      x: "
        + AGAIN.format(300, "if void in hearts then set tally to 1 else set tally to 0 end")
        + f"\n  tricks:\n    kind: trick\n    leader: P1\n    suit: if {HEAVY.format(20)} then card.suit else hearts\n"
        "    on trick: move all from trick to taken of winner\n",
        zones="  trick: {}\n  taken: {each: player, seen by: none}\n",
    ),
)
add(
    "who takes part, asked again and again",
    ruleset(
        AGAIN.format(20, "if count of players > 1 then set tally to 1 else set tally to 0 end"),
        players="{only: [2]}",
    ).replace("    kind: ask\n", f"    kind: ask\n    players: p where {HEAVY.format(110)}\n"),
)
add(
    "thirty stages inside one another, of which each asks twice who takes part around it",
    ruleset(
        "{effect: stay}",
        flow="  match: {do: [s1]}\n"
        + "".join(
            f"  s{at}: {{do: [{f's{at + 1}' if at < 30 else 'go'}], players: p where count of players > 0}}\n"
            for at in range(1, 31)
        )
        + "  go: {kind: turn, turns: 4, players: p where count of players > 0, actions: {x: {effect: stay}}}\n",
    ),
)
add(
    "a variable that is cleared again and again, whose default takes a while",
    ruleset(
        AGAIN.format(4, "clear late"),
        state=f'  late: {{type: integer, lasts: match, default: "if {HEAVY.format(1500)} then 1 else 2"}}\n',
    ),
)
add(
    "variables that begin again in each round of a stage, whose defaults take a while",
    ruleset("{effect: call loop}", "turn")
    .replace("flow:\n", "flow:\n  spin: {effect: stay}\n  loop: {repeat: spin, until: number of spin > 4900}\n")
    .replace(
        "state:\n",
        f'state:\n  late: {{type: integer, lasts: spin, default: "if {HEAVY.format(4000)} then 1 else 2"}}\n',
    ),
)
add(
    "a number that is set again and again, whose most takes a while",
    ruleset(
        AGAIN.format(5, "add 1 to late"),
        state=f'  late: {{type: integer, lasts: match, max: "if {HEAVY.format(1500)} then 900000 else 8"}}\n',
    ),
)
add(
    "melds looked for again and again, where it takes a while to say which cards are wild",
    ruleset(
        AGAIN.format(30, "if hand is pair then set tally to 1 else set tally to 0 end"),
        setup="deal 2 from stock to hand",
        extra=f'melds: {{pair: {{same: rank, size: 2, wild: "{HEAVY.format(90)} and card is 2"}}}}\n',
    ),
)
add(
    "three ranges up to a number that begins below its least",
    ruleset(
        '{effect: "set tally to sum (sum (sum (a + b + c) mod 7 for c in 1..(9000 - 2000 * late)) mod 7 '
        'for b in 1..(9000 - 2000 * late)) mod 7 for a in 1..(9000 - 2000 * late)"}',
        state="  few: {type: integer, lasts: match, min: 0, max: 10}\n  late: {type: integer, lasts: match, min: few + 5, max: 50}\n",
    ),
)
add(
    "three ranges up to the number of a place below 0",
    ruleset(
        '{choose: {heap: {zones: pile}}, effect: "set tally to sum (sum (sum (a + b + c) mod 7 for c in 1..(0 - 3000 * index of heap)) '
        'mod 7 for b in 1..(0 - 3000 * index of heap)) mod 7 for a in 1..(0 - 3000 * index of heap)"}',
        zones="  pile: {each: -3..3}\n",
    ),
)

add(
    "a mistake behind ranges that are spoken of very often",
    ruleset("{effect: 'note \"" + "in.." * 4_800 + "\"; * 2'}"),
)

# ---- what takes long to look through, and not to play -------------------------------------------------

add(
    "forty names of which each stands for either of the one before, and what cards are marked by them",
    ruleset(
        actions="      x: {effect: 'let n0 be top of discard; "
        + "".join(f"let n{i + 1} be if lie then n{i} else n{i}; " for i in range(40))
        + "add n40 to marked'}\n      y: {choose: {card: {from: marked}}, effect: move card to discard}\n",
        state="  lie: {type: flag, lasts: match}\n  marked: {type: cards, lasts: match, seen by: P1}\n",
    ),
)
add(
    "sets inside one another by where their cards lie, and a chain of zones that are moved whole",
    ruleset(
        actions="".join(
            "      x{}: {{effect: 'move {}some{} to box'}}\n".format(
                at, "".join(f"(all c{depth} in few where c{depth} in " for depth in range(11)), ")" * 11
            )
            for at in range(40)
        ),
        setup="".join(f"move all from a{i} to a{i + 1}; " for i in range(99)) + "shuffle a99; shuffle box",
        zones="  few: {seen by: none, capacity: 1}\n  some: {seen by: none, capacity: 1}\n  box: {seen by: none}\n"
        + "".join(f"  a{i}: {{seen by: none, capacity: 1}}\n" for i in range(100)),
    ),
)
add(
    "moves inside loops from the end of a long chain of refills",
    ruleset(
        "{effect: '"
        + "".join(f"for i{depth} in 1..1 do " for depth in range(11))
        + "; ".join(["if tally = 1 then move 1 from r0 to r1 end"] * 400)
        + " end" * 11
        + "; for c in hand do move c to discard end'}",
        zones="".join(f"  r{i}: {{seen by: none, refill: {{from: r{i + 1}}}}}\n" for i in range(189)) + "  r189: {}\n",
    ),
)

add(
    "cards chosen from sets of sets of sets",
    ruleset(
        flow="  match: {first dealer: P1, do: [deal]}\n  deal:\n    setup: shuffle stock; deal 5 from stock to hand; move 1 "
        "from stock to few; shuffle box\n    do: [go]\n    next dealer: left\n  go:\n    kind: turn\n    turns: 5 each\n    "
        "actions:\n      lay: {choose: {card: {from: hand}}, effect: move card to discard}\n      x: {choose: {card: {from: '"
        + "".join(f"(all c{depth} in " for depth in range(14))
        + "few"
        + "".join(f" where c{depth}.suit = hearts)" for depth in reversed(range(14)))
        + "'}}, effect: move card to box}\n",
        zones="  few: {seen by: none, capacity: 1}\n  box: {seen by: none}\n",
    ).replace("stock: {pack: true}", "stock: {pack: true, seen by: none}"),
)
add(
    "a definition that is given what it gives, thirty times over",
    ruleset(
        f"{{effect: 'move {'same(' * 30}top of hand{')' * 30} to box'}}",
        "turn",
        extra="define:\n  same(c): if tally = 1 then c else top of discard\n",
        zones="  box: {seen by: none}\n",
    ).replace("stock: {pack: true}", "stock: {pack: true, seen by: none}"),
)

add(
    "a condition that is given itself, forty times over",
    ruleset(
        "{when: '" + "same(" * 40 + "tally = 1" + ")" * 40 + "', effect: stay}",
        "turn",
        extra="define:\n  same(it): it\n",
    ),
)
add(
    "a condition that says twice what it is given, thirty times over",
    ruleset(
        "{when: '" + "twice(" * 30 + "tally = 1" + ")" * 30 + "', effect: stay}",
        "turn",
        extra="define:\n  twice(it): it and not it\n",
    ),
)
add(
    "twelve actions of nearly 10^18 moves each",
    ruleset(
        actions="".join(
            f"      x{at}: {{choose: {{cards: {{from: hand, count: 31}}}}, effect: move cards to discard}}\n"
            for at in range(12)
        ),
        kind="turn",
        setup="deal 63 from stock to hand",
        players="{min: 2, max: 2}",
        extra="ranks: [1..40]\n",
    ),
)
add(
    "cards chosen from a place that a table names",
    ruleset(
        actions="      x: {choose: {card: {from: pile of worth(top of discard)}}, effect: move card to discard}\n",
        zones="  pile: {each: 1..2, seen by: everyone}\n",
        extra="values:\n  worth: {hearts: 2, else: 1}\n",
    ),
)

TO_AND_FRO = """\
format: 1
id: hostile
name: Hostile
players: {min: 2, max: 4, default: 2}
pack: {standard: 1, add: {phoenix: 1900}}
zones:
  stock: {pack: true, seen by: none}
  heap: {seen by: none}
state:
  tally: {type: integer, lasts: match}
flow:
  match:
    setup: SETUP
    do: [go]
  go:
    kind: ask
    actions:
      x: {effect: 'for i in 1..TIMES do EFFECT; move all from heap to stock end'}
"""
"""Many cards that go to and fro very often."""


def to_and_fro(times: int, effect: str, setup: str = "") -> str:
    """Such a ruleset."""
    setup = f"shuffle stock; {setup}" if setup else "shuffle stock"
    return TO_AND_FRO.replace("TIMES", str(times)).replace("SETUP", setup).replace("EFFECT", effect)


add(
    "a pile whose cards face up and down by turns goes to and fro",
    to_and_fro(700, "move all from stock to heap", "for i in 1..970 do turn up card number (2*i) of stock end"),
)
add(
    "cards drawn from a very long pile again and again",
    to_and_fro(100, "move 1900 at random from all c in stock where c.suit != hearts to heap"),
)
add("the cards of two piles go to one again and again", to_and_fro(100, "move (stock, heap) to heap"))

LONG_MOVES = {
    "forty thousand moves of more than a thousand words": "{number: 1..40_000}",
    "moves of more than a thousand words, as many as a variable says": "{number: 1..tally + 900}",
}
for _name, _number in LONG_MOVES.items():
    add(
        _name,
        ruleset(
            actions="      pass: {}\n      x: {choose: {"
            + "".join(f"c{at}: {{from: hand, count: 100}}, " for at in range(11))
            + f"n: {_number.replace('_', '')}}}, effect: stay}}\n",
            kind="turn",
            setup="deal 100 from stock to hand",
            players="{only: [2], default: 2}",
            pack="{standard: 1}",
            extra=f"ranks: [{', '.join(f'r{at}{chr(120) * 44}' for at in range(50))}]\n",
        ),
    )

LONG = "(sum (sum i + j + tally for j in 1..60) for i in 1..1500)"
"""Something that takes 100,000 steps, which alone is not worth counting."""
add(
    "a row of cards that takes long to find, for each of many moves",
    ruleset(
        f'{{choose: {{n: {{number: 1..40000}}}}, row: "if {LONG} > n then top of stock else bottom of stock"}}',
        extra="cards: {A: {effect: add 1 to tally}, else: {effect: add 2 to tally}}\n",
    ),
)
add(
    "what holds if nothing is said takes long, for each of many moves",
    ruleset(
        f'{{choose: {{n: {{number: 1..8000}}, m: {{number: 1..2, said: true, else: "if {LONG} > 5 then 1 else 2"}}}}}}',
        extra="honor: {claim: razz, during: match}\n",
    ),
)
add(
    "goals that take long to find, for each of many moves",
    ruleset(
        f"{{choose: {{n: {{number: 1..9000}}, m: {{melds: 'if {LONG} > n then item(1, goals) else item(2, goals)', from: all c in stock where c is A}}}}}}",
        extra="options: {goals: {type: list of melds, default: [[set 3], [set 4]]}}\nmelds: {set: {same: rank, size: 3..}}\n",
    ),
)
add(
    "lapses that take long to find out",
    ruleset(
        "{must: {l: tally = 5}, effect: stay}",
        kind="turn",
        extra=f"honor: {{claim: razz, during: match, lapses: {{after: 'if {LONG} > 5 then 1 else 2', turns by: different others}}}}\n",
    ),
)
add(
    "eight announcements of very many words, and four values to be heard in them",
    ruleset(
        "{choose: {"
        + "".join(f"s{at}: {{choice: [z{at}], said: true, else: z{at}}}, " for at in range(4))
        + "}, say: {"
        + "".join(f"w{at}: {'a ' * 60}, " for at in range(8))
        + "}}",
        extra="honor: {claim: razz, during: match}\n",
    ),
)
add(
    "a move of more than a thousand words, which is told to everybody",
    ruleset(
        actions="      x: {choose: {"
        + "".join(f"c{at}: {{from: heap, count: 100}}, " for at in range(11))
        + "}, effect: stay}\n",
        kind="turn",
        zones="  heap: {seen by: everyone}\n",
        setup="move 100 from stock to heap",
        pack="{standard: 2}",
    ),
)

# ---- honour ------------------------------------------------------------------------------------------

add(
    "a penalty that takes long",
    ruleset(extra=f'honor: {{claim: razz, during: match, penalty: "{loops(4, "add 1 to score of offender")}"}}\n'),
)
add(
    "claimers that are looked for",
    ruleset(
        extra=f"honor: {{claim: razz, during: match, claimers: p where {nest('any', 3, 'c0 = c1 and score of p < 0')}}}\n"
    ),
)
add(
    "claimers that are looked for once for each of a hundred laws",
    ruleset(
        f"{{must: {{{', '.join(f'l{at}: true' for at in range(100))}}}, effect: stay}}",
        players="{min: 16, max: 16, default: 16}",
        extra="honor: {claim: razz, during: match, claimers: p where (sum i for i in 1..500) > 5}\n",
    ),
)
add(
    "a breach that breaks again",
    ruleset(
        '{must: {l: {law: tally = 5, on breach: "for c in pack do for d in pack do fault l of actor end end"}}}',
        extra="honor: {claim: razz, during: match, penalty: add 1 to score of offender}\n",
    ),
)
add(
    "scores and places that take long",
    ruleset(match="").replace(
        "do: [go]\n",
        f"do: [go]\n    scores: count a in pack where {nest('any', 2, 'c0 = c1 and score of p < 0')}\n    places: count a in pack where {nest('any', 2, 'c0 = c1 and score of p < 0')}\n",
    ),
)
