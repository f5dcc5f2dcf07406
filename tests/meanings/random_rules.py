"""Random rulesets in which cards lie about, with expressions to be asked of them."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import interpreter
from interpreter.base.diagnostics import RulesetError
from tests.meanings.expression_texts import MEMBER, Texts

SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
KINDS = {
    "number": 8,
    "reckoned": 4,
    "small": 6,
    "flag": 8,
    "cards": 5,
    "card": 3,
    "players": 3,
    "player": 3,
    "suit": 1,
    "rank": 1,
    "numbers": 1,
    "colour": 1,
}
MOST_LETTERS = 320
Rules = dict[str, Any]


@dataclass
class Facts:
    """What expressions may name."""

    cards: list[str]
    players: list[str]
    ranks: list[str]
    suits: list[str] = field(default_factory=lambda: list(SUITS))
    numbers: tuple[str, ...] = ("tally", "three", "less", "kept_number", "large", "great")
    flags: tuple[str, ...] = ("broken", "sure", "kept_flag", "true", "false")
    tables: tuple[str, ...] = ("points", "weight", "height")
    other_tables: tuple[str, ...] = ("prize", "stage_prize")
    lists: tuple[str, ...] = ("history", "listed")

    def pattern(self, draw: random.Random) -> str:
        ranks = [r for r in self.ranks if not r.isdigit()]
        low = draw.randrange(len(self.ranks) - 1)
        span = f"({self.ranks[low]}..{self.ranks[draw.randrange(low + 1, len(self.ranks))]})"
        return draw.choice([*self.cards[:8], *self.suits, "red", "black", *(ranks or ["hearts"]), span, span, "joker"])


def random_rules(draw: random.Random, expressions: int, acts: int = 0) -> Rules:
    """A ruleset with so many definitions `m0`, `m1` and so on, and actions that change how things lie.

    acts: so many further actions, `act0` and so on, keep what they find out in the variables of `FOUND`.
    """
    n = draw.randrange(2, 5)
    packs = draw.choice([1, 1, 2, 3])
    ranks = draw.choice([RANKS, ["7", "8", "9", "10", "J", "Q", "K", "A"], ["9", "10", "J", "A"]])
    cards = [rank + letter for rank in ranks for letter in SUITS.values()]
    draw.shuffle(cards)
    facts = Facts([*cards[:11], draw.choice(["2C", "3D", "JK"]), "JK"], [f"P{p + 1}" for p in range(n)], ranks)
    texts = Texts(draw, facts)
    texts.careful = acts > 0 and draw.random() < 0.8
    seen = ["everyone", "none", "dealer"]
    owned = ["owner", "owner", "everyone", "none"]

    def zone(eyes: list[str], **more: Any) -> dict[str, Any]:
        odd = {} if draw.random() < 0.8 else draw.choice([{"faces": "down"}, {"shows": "top"}])
        return {"seen by": draw.choice(eyes), **odd, **more}

    rules: Rules = {
        "format": 1,
        "id": "meanings",
        "name": "Meanings",
        "players": {"min": n, "max": n},
        "pack": {"standard": packs, "only": ranks, "add": {"joker": draw.randrange(3)}},
        "orders": {"other_order": draw.sample(ranks, len(ranks) - 1)},
        "options": {
            "three": {"type": "integer", "min": 0, "max": 9, "default": 3},
            "less": {"type": "integer", "min": -9, "max": 9, "default": draw.choice([-7, 0, 1])},
            "great": {"type": "integer", "min": 0, "max": 10**17, "default": draw.choice([10**9, 7, 10**16])},
            "sure": {"type": "flag", "default": draw.choice([True, False])},
            "named": {"type": "card", "default": draw.choice(cards)},
            "listed": {"type": "list of integer", "length": "1..4", "default": [4, 2, 4]},
        },
        "zones": {
            "stock": zone(["none", "everyone"], pack=True),
            "hand": zone(owned, each="player"),
            "discard": zone(["everyone"]),
            "pool": zone(seen),
            "pile": zone(owned, each=["player", "1..2"]),
            "heap": zone(["everyone", "none"], each="suit"),
            "row": zone(["everyone"], each="1..3"),
            "laid": zone(["everyone", "none"], each="team"),
        },
        "state": {
            **_state(draw),
            **({name: {**kind, "lasts": "match"} for name, kind in FOUND.items()} if acts else {}),
        },
        "values": _tables(draw, cards, ranks),
        "define": {},
    }
    if acts:  # what is chosen is called by its face
        rules["zones"] |= {"hand": {"each": "player", "seen by": draw.choice(["owner", "everyone"])}, "discard": {}}
    if n == 4 and draw.random() < 0.5:
        rules["teams"] = {"size": 2, "seated": draw.choice(["across", "side by side"])}
    _helpers(rules["define"], texts)
    for at in range(expressions):
        rules["define"][f"m{at}"] = _short(texts, draw.choices(list(KINDS), list(KINDS.values()))[0])
    whose = draw.choice([None, None, "p where count of hand of p > 0", "everyone without P1"])
    setup = _setup(draw, n)
    if acts:
        setup = [one for one in setup if not one.startswith("turn down")]
    rules["flow"] = {
        "match": {"first dealer": draw.choice(["random", "P1"]), "setup": "; ".join(setup), "do": ["go"]},
        "go": {
            "kind": "turn",
            "first": facts.players[-1],
            "actions": {
                **{f"stir{at}": {"effect": "; ".join([*_changes(draw, texts), "again"])} for at in range(4)},
                **{f"act{at}": _action(texts) for at in range(acts)},
            },
            **({} if whose is None else {"players": whose}),
        },
    }
    return rules


def _state(draw: random.Random) -> Rules:
    """What is kept besides how cards lie."""
    return {
        "score": {"each": "player", "type": "integer", "lasts": "match", "min": -99, "max": 99},
        "side": {"each": "team", "type": "integer", "lasts": "match"},
        "lives": {"each": "player", "type": "integer", "optional": True, "lasts": "match", "min": -5, "max": 9},
        "tally": {"type": "integer", "lasts": "match", "min": 0, "max": 20},
        "large": {
            "type": "integer",
            "lasts": "match",
            "min": -(10**17),
            "max": 10**17,
            "default": draw.choice([0, 10**12, 10**17]),
        },
        "kept_number": {
            "type": "integer",
            "lasts": "match",
            "min": 0,
            "max": 12,
            "optional": draw.choice([True, False]),
        },
        "kept_size": {"type": "integer", "lasts": "match", "min": 1, "max": 5, "default": 2},
        "broken": {"type": "flag", "lasts": "match"},
        "kept_flag": {"type": "flag", "lasts": "match"},
        "bid": {"each": ["player", "suit"], "type": "integer", "lasts": "match"},
        "played": {"each": "rank", "type": "integer", "lasts": "match", "min": -9, "max": 9},
        "seen": {"each": "card", "type": "integer", "lasts": "match"},
        "laid_by": {"each": "card", "type": "player", "optional": True, "lasts": "match"},
        "mark": {"type": "card", "optional": True, "lasts": "match"},
        "kept_card": {"type": "card", "optional": True, "lasts": "match"},
        "marks": {"type": "cards", "lasts": "match"},
        "called": {"type": "suit", "optional": True, "lasts": "match"},
        "kept_suit": {"type": "suit", "lasts": "match"},
        "low": {"type": "rank", "lasts": "match"},
        "kept_rank": {"type": "rank", "optional": True, "lasts": "match"},
        "who": {"type": "player", "optional": True, "lasts": "match"},
        "duellists": {"type": "players", "lasts": "match"},
        "history": {"type": "list of integer", "lasts": "match"},
        "mood": {"type": "choice", "choices": ["calm", "wild", "strange"], "lasts": "match"},
    }


CHOICES = {
    "card": ("card", {"from": "hand"}),
    "taken": ("card", {"from": "(hand, discard)"}),
    "whom": ("player", {"players": "others"}),
    "many": ("number", {"number": "0..3"}),
}
"""Parameter -> the kind of its values, and what is chosen from."""
FOUND = {
    "found_number": {"type": "integer", "optional": True, "min": -(10**17), "max": 10**17},
    "found_flag": {"type": "flag"},
    "found_card": {"type": "card", "optional": True},
    "found_cards": {"type": "cards"},
    "found_player": {"type": "player", "optional": True},
    "found_players": {"type": "players"},
    "found_suit": {"type": "suit", "optional": True},
    "found_rank": {"type": "rank", "optional": True},
    "found_sum": {"type": "integer", "min": -(10**17), "max": 10**17},
}


def _action(texts: Texts) -> Rules:
    """An action that finds out something: when it can be done, with what it may be done, and what it keeps."""
    draw, found = texts.draw, Rules()
    texts.acts, texts.scope = True, {}
    if draw.random() < 0.4:
        found["when"] = _short(texts, "flag", 2)
    chosen = draw.choice([None, *CHOICES])
    given: dict[str, list[str]] = {}
    if chosen is not None:
        kind, source = CHOICES[chosen]
        found["choose"], given = {chosen: dict(source)}, {kind: [chosen]}
        found["must"] = {f"law{texts.fresh}": _short(texts, "flag", 3, given)}
    found["effect"] = "; ".join([*(_keeping(texts, given) for _ in range(3)), "again"])
    texts.acts, texts.scope = False, {}
    return found


def _keeping(texts: Texts, given: dict[str, list[str]]) -> str:
    """An effect that keeps something."""
    draw = texts.draw
    kind = draw.choice(list(FOUND)).removeprefix("found_")
    kind = "number" if kind == "sum" else kind
    plain = f"set found_{kind} to {_short(texts, kind, 3, given)}"
    match draw.randrange(5):
        case 0:
            other = f"set found_{kind} to {_short(texts, kind, 2, given)}"
            return f"if {_short(texts, 'flag', 2, given)} then {plain} else {other} end"
        case 1:
            domain = draw.choice(["cards", "players", "numbers"])
            gone_through = _short(texts, domain, 2, given)
            member, letter = MEMBER[domain]
            inner = {**given, member: [*given.get(member, []), f"{letter}_each"]}
            where = f" where {_short(texts, 'flag', 2, inner)}" if draw.random() < 0.5 else ""
            added = _short(texts, "number", 2, inner)
            return f"for {letter}_each in {gone_through}{where} do add {added} to found_sum end"
        case 2:
            named = draw.choice(["number", "card", "cards", "player", "flag"])
            inner = {**given, named: [*given.get(named, []), "kept_so"]}
            again = f"set found_{kind} to {_short(texts, kind, 3, inner)}"
            return f"if true then let kept_so be {_short(texts, named, 2, given)}; {again} end"
    return plain


def _short(texts: Texts, kind: str, depth: int = 0, given: dict[str, list[str]] | None = None) -> str:
    """A text of a kind that is not too long. depth: of operations, 0 for any. given: the names that it may use."""
    while True:
        texts.scope = {name: list(known) for name, known in (given or {}).items()}
        found = texts.of(
            kind, depth or texts.draw.choice([3, 3, 4] if kind in ("reckoned", "small") else [1, 2, 2, 3, 3, 4])
        )
        if len(found) < MOST_LETTERS:
            return found


def _tables(draw: random.Random, cards: list[str], ranks: list[str]) -> Rules:
    tables: Rules = {"points": {draw.choice(cards): 13, "hearts": 1, "else": 0}, "prize": {}}
    faces = [rank for rank in ranks if not rank.isdigit()]
    tables["weight"] = {faces[0]: "kept_number", cards[1]: "tally + 1", "joker": 7, f"{ranks[0]}..{ranks[-2]}": 2}
    tables["height"] = {"hearts": "place of card.rank + 1", cards[0]: 20, "else": "place of card.rank"}
    tables["prize"] = {"by": "tally", "1": 5, "2..4": "count of hand of P1", "0..6": 2, "else": 15}
    tables["odd"] = {cards[2]: "broken", "red": True, faces[-1]: "hearts = called", "else": False}
    tables["ally"] = {cards[3]: "clubs", "hearts": "called", "else": "card.suit"}
    tables["stage_prize"] = {"by": "called", "hearts": "three", "clubs": "less", "else": 1}
    return tables


GIVEN = {
    "card": "card",
    "player": "player",
    "suit": "suit",
    "rank": "rank",
    "n": "number",
    "k": "number",
    "who_else": "player",
    "cs": "cards",
    "c": "card",
    "ps": "players",
}


def _helpers(define: Rules, texts: Texts) -> None:
    draw = texts.draw
    for at in range(10):
        kind = draw.choice(["number", "number", "flag", "flag", "card", "cards", "player", "players"])
        params = draw.sample(list(GIVEN), draw.randrange(3))
        while True:
            texts.scope = {}
            for name in params:
                texts.scope.setdefault(GIVEN[name], []).append(name)
            lets: Rules = {}
            if draw.random() < 0.4:
                inner = draw.choice(["number", "flag", "cards", "card", "player"])
                lets["named_so"] = texts.of(inner, 2)
                texts.scope.setdefault(inner, []).append("named_so")
            body = texts.of(kind, 2)
            if len(body) < MOST_LETTERS:
                break
        head = f"d{at}({', '.join(params)})" if params else f"d{at}"
        define[head] = {"let": lets, "value": body} if lets else body
        texts.helpers.setdefault(kind, []).append((f"d{at}", tuple(GIVEN[name] for name in params)))
    texts.scope = {}


def _setup(draw: random.Random, n: int) -> list[str]:
    found = ["shuffle stock", f"deal {draw.randrange(1, 4)} from stock to hand"]
    for place in (
        "discard",
        "pool",
        "pile of (P1, 1)",
        "pile of (P2, 2)",
        "heap of hearts",
        "row of 1",
        "laid of team of P2",
    ):
        if draw.random() < 0.8:
            found.append(f"move {draw.randrange(4)} from stock to {place}")
    found.append("for p in everyone do set score of p to random of (0..5) end")
    if draw.random() < 0.3:
        found.append("reseat all p in everyone by 0 - score of p")
    return found + _assignments(draw)


def _assignments(draw: random.Random) -> list[str]:
    number = draw.randrange
    every = [
        "set mark to top of discard",
        "set kept_card to bottom of stock",
        "set marks to pool",
        "set marks to discard",
        f"set called to {draw.choice(list(SUITS))}",
        "set kept_suit to random of suits",
        "set low to random of ranks",
        "set kept_rank to random of ranks",
        "set who to random of everyone",
        "set duellists to (P1, P2)",
        f"add {number(9)} to history",
        f"add {number(9)} to history",
        f"set tally to {number(9)}",
        "set broken",
        f"set large to {draw.choice([10**9, 10**17, -3])}",
        f"set lives of P1 to {number(9)}",
        "set lives of P2 to 0",
        "set kept_number to random of (0..12)",
        "set kept_size to random of (1..5)",
        "for c in discard do set laid_by of c to random of everyone end",
        "for c in pool do add 2 to seen of c end",
        f"set bid of (P1, hearts) to {number(9)}",
        f"set mood to {draw.choice(['wild', 'strange'])}",
        "set played of low to 3",
        "set side of team of P1 to 4",
        "clear mark",
        "clear called",
        "clear who",
        "clear kept_rank",
        "reverse",
        "turn up top of stock",
        "turn up top 2 of hand of P1",
        "turn down top of discard",
        "set kept_flag",
    ]
    return draw.sample(every, 12)


def _changes(draw: random.Random, texts: Texts) -> list[str]:
    places = [
        "discard",
        "pool",
        "pile of (P1, 1)",
        "pile of (P2, 1)",
        "heap of hearts",
        "heap of clubs",
        "row of 2",
        "hand of P2",
        "stock",
        "laid of team of P1",
    ]
    moves = [f"move {draw.randrange(1, 4)} from {draw.choice(places)} to {draw.choice(places)}" for _ in range(3)]
    moves += [f"move 1 at random from {draw.choice(places)} to {draw.choice(places)}"]
    moves += draw.sample(
        [f"shuffle {draw.choice(places)}", f"move top of stock to {draw.choice(places)} face up", "reverse"], 1
    )
    kept = [one for one in _assignments(draw) if not one.startswith("turn down")]
    return draw.sample(moves, 3) + draw.sample(kept, 4)


def loaded(rules: Rules, path: Path, told: list[str]) -> interpreter.Ruleset:
    """The ruleset without the definitions that are not allowed, of which it is told why."""
    while True:
        text = json.dumps(rules, indent=1)
        path.write_text(text, encoding="utf-8")
        try:
            found = interpreter.load(path)
            found.game()
            return found
        except RulesetError as error:
            lines = text.splitlines()
            gone = set()
            for fault in error.diagnostics:
                if fault.severity == "error":
                    at = (fault.line or 1) - 1
                    told.append(f"{fault.code} {fault.message} | {lines[at].strip()[:200]}")
                    gone.add(_name_at(lines, at))
            wrong = [(rules["define"], head) for head in rules["define"] if head.partition("(")[0] in gone]
            actions = rules["flow"]["go"]["actions"]
            wrong += [(actions, name) for name in actions if name in gone]
            if not wrong:
                raise
            for where, name in wrong:
                del where[name]


def _name_at(lines: list[str], at: int) -> str:
    """The definition or action whose line it is."""
    while at and not lines[at].startswith('  "') and not lines[at].startswith('    "act'):
        at -= 1
    return lines[at].strip().partition('"')[2].partition('"')[0].partition("(")[0]
