"""Small rulesets at random, in which no face that somebody does not see decides what comes of a move: so of cards that
somebody cannot know one may be exchanged for another, and nothing tells them."""

from __future__ import annotations

import random
from collections.abc import Sequence

ANYBODY = ("none", "everyone", "P1", "dealer", "left of dealer")
OWNERS = (*ANYBODY, "owner", "left of owner", "all p in everyone where p != owner")
RULES = """\
format: 1
id: made-up
name: Made Up
players: {{min: {players}, max: {players}}}
{pack}
zones:
  stock: {{pack: true, seen by: none{refill}}}
  hand: {{each: player, {hand}}}
  pile: {{{pile}}}
  slot: {{each: {slots}, {slot}}}
  bag: {{{bag}}}
  board: {{}}
tokens: {{spoon: {{seen by: {pieces}}}}}
melds: {{alike: {{same: rank, size: 2.., wild: card is 2}}}}
state:
  score: {{each: player, type: integer, lasts: match}}
  counted: {{each: player, type: integer, lasts: match{counted}}}
  kept: {{type: card, optional: true, lasts: match{kept}}}
  marked: {{type: cards, lasts: match{marked}}}
honor: {{claim: claim, during: match, penalty: "{penalty}"}}
flow:
  match:
    first dealer: P1
    setup: "{setup}"
    do: [{begins}]
    winners: everyone
{called}
  main:
    kind: {kind}
    {ends}
    {anytime}
    actions:
      {actions}
"""
ENDS = {
    "turn": "first: P1\n    turns: 40",
    "race": "until: count of everyone > 9",
    "ask": "when: count of everyone > 1",
    "simultaneous": 'resolve: "for p in players do move 1 from hand of p to {} end"',
}
CHOSEN = {
    "card": ("from: hand", "from: hand", "from: hand of left of actor", "from: pile", "from: bag", "from: board",
             "from: '(hand, pile)'", "from: 'SLOT'"),
    "cards": ("from: hand, count: 1..2", "from: hand, count: 0..2", "from: pile, count: 2",
              "from: hand of left of actor, count: 1..2"),
    "who": ("players: others",), "there": ("zones: slot",), "n": ("number: 0..2",), "yes": ("flag: true",),
    "m": ("meld: alike, from: hand",), "s": ("suits: all, said: true, else: hearts",), "w": ("text: true",),
}  # fmt: skip
EFFECTS = {
    "card": ("move card to ZONE FACE", "move card beneath ZONE", "move card to board; show board to everyone",
             "show card to WHO", "turn up card", "turn down card", "add card to marked", "set kept to card"),
    "cards": ("move cards to ZONE FACE", "show cards to WHO", "set marked to cards", "turn down cards"),
    "who": ("move 1 at random from hand of who to hand", "show hand of who to actor", "swap hand, hand of who",
            "pass turn to who", "call aside with rival = who"),
    "there": ("move 1 from there to hand", "move all from there to pile", "show there to actor"),
    "n": ("move n from ZONE to ZONE", "set counted to n"), "yes": ("if yes then move 1 from ZONE to ZONE end",),
    "m": ("move m to ZONE FACE", "show m to WHO"), "s": ("nothing",), "w": ("nothing",),
    "": ("move 1 from ZONE to ZONE FACE", "move 2 from ZONE to ZONE", "move 1 at random from ZONE to ZONE",
         "move 1 at random from SET to ZONE", "move all from ZONE to ZONE", "move TOP of ZONE to ZONE FACE",
         "move random of SET to ZONE", "turn up top of ZONE", "turn down all c in ZONE where c is face up", "flip pile",
         "show SET to WHO", "show top of ZONE to WHO", "shuffle ZONE", "swap ZONE, ZONE", "set kept to TOP of ZONE",
         "let r be random of ZONE; show r to WHO; move r to ZONE", "for c in SET do move c to ZONE end",
         "for p in players do move 1 from hand of p to bag end",
         "if count of ZONE > 2 then move 1 from ZONE to ZONE end",
         "gather pile, bag to stock; shuffle stock", "gather all to stock; shuffle stock", "deal 1 from stock to hand",
         "set counted to count of ZONE", "set marked to SET", "let t be ZONE; move ZONE to ZONE; show t to WHO",
         "move SET to ZONE FACE", "move 1 from SET to ZONE", "take spoon", "put back first x in spoon of actor"),
}  # fmt: skip
LAWS = (
    "high: {law: 'card.rank >= 4 or not any c in hand has c.rank >= 4', message: 'not {card}'}",
    "low: card.rank <= 4 or count of hand < 2",
    "like: {law: 'card.suit = (top of board).suit or board is empty', fault: wrong}",
    "back: {law: 'card.suit != clubs or count of hand < 2', breach: taken back}",
)


class _Maker:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._two = self._happens(0.5)
        self.hand = "seen by: owner" if self._happens(0.8) else self.zone(OWNERS)

    def one(self, things: Sequence[str]) -> str:
        return self._random.choice(things)

    def _happens(self, chance: float) -> bool:
        return self._random.random() < chance

    def zone(self, people: Sequence[str]) -> str:
        eyes = self.one(people)
        said = f"seen by: {eyes}{', shows: top' if self._happens(0.25) else ''}"
        if eyes != "everyone" and self._happens(0.25):
            said += f", count seen by: {self.one(people)}"
        return said + (", faces: down" if self._happens(0.15) else "")

    def _place(self) -> str:
        return self.one(["hand", "hand of left of actor", "pile", "pile", "board", "stock", "bag", self._slot()])

    def _slot(self, owner: str = "") -> str:
        owner = owner or self.one(["actor", "left of actor"])
        return f"slot of ({owner}, {self.one(['1', '2'])})" if self._two else f"slot of {owner}"

    def _cards(self) -> str:
        some = self.one(["ZONE", "ZONE", "(ZONE, ZONE)", "top 2 of ZONE", "last 1 of ZONE", "marked"])
        return self._filled(some)

    def _filled(self, text: str) -> str:
        while True:
            for word, make in (
                ("SET", self._cards), ("ZONE", self._place), ("SLOT", self._slot),
                ("WHO", lambda: self.one(["actor", "left of actor", "everyone", "others", "P1", "dealer"])),
                ("FACE", lambda: self.one(["", "", "face up", "face down"])),
                ("TOP", lambda: self.one(["top", "bottom", "newest"])),
            ):  # fmt: skip
                if word in text:
                    text = text.replace(word, make(), 1)
                    break
            else:
                return text

    def action(self, name: str, kind: str) -> str:
        names = self._random.sample([*CHOSEN], self._random.choice([0, 1, 1, 1, 2]))
        if "m" in names and self.hand != "seen by: owner":
            names = ["card"]
        own = False
        params = []
        for param in names:
            said = self._filled(self.one(CHOSEN[param]))
            own |= said == "from: hand" and self.hand == "seen by: owner"
            if "said" not in said and "text" not in said and self._happens(0.25):
                said += f", seen by: {self.one(['actor', 'none', 'everyone', 'left of actor'])}"
            params.append(f"{param}: {{{said}}}")
        parts = [f"choose: {{{', '.join(params)}}}"] if params else []
        effects = [
            self._filled(self.one(EFFECTS[self.one([*names, "", ""])])) for _ in range(self._random.randint(1, 3))
        ]
        effects = [effect for effect in effects if effect != "nothing"] or ["add 0 to score"]
        if kind == "turn" and self._happens(0.4):
            effects.append("stay")
        parts.append(f'effect: "{"; ".join(effects)}"')
        if self._happens(0.2):
            parts.append(f'when: "count of {self._place()} > 0"')
        if "card" in names and own and self._happens(0.5):
            parts.append(f"must: {{{self.one(LAWS)}}}")
        if self._happens(0.15) and {"card", "cards"} & {*names}:
            parts.append('tell: {text: "{actor} {verb: slip} {n cards}", else: "{actor} {verb: shrug}"}')
        return f"{name}: {{{', '.join(parts)}}}"

    def rules(self) -> str:
        kind = self.one(["turn", "turn", "turn", "turn", "ask", "simultaneous", "race"])
        actions = [self.action(name, kind) for name in ("aa", "bb", "cc")]
        anytime = f"anytime: {{{self.action('dd', '')}}}" if self._happens(0.3) else ""
        called, again = "".join([*actions, anytime]), kind in ("ask", "simultaneous")
        setup = (
            "set out 3 of spoon; shuffle stock; deal 4 from stock to hand; move 2 from stock to pile; "
            f"move 2 from stock to bag; for p in players do move 1 from stock to {self._slot('p')} end"
        )
        return RULES.format(
            players=self.one(["2", "3", "3"]),
            pack=self.one(["pack: {standard: 1}", "pack: {standard: 1}\nranks: [2, 3, 4, 5, 6, 7]"]),
            refill=self.one(["", "", ", refill: {from: pile, keep: 1}", ", refill: {from: bag, on: empty}"]),
            hand=self.hand, pile=self.zone(ANYBODY), slots="[player, 1..2]" if self._two else "player",
            slot=self.zone(OWNERS), bag=self.zone(("none",)), pieces=self.one(["owner", "none", "everyone"]),
            counted=self.one(["", ", seen by: owner", ", seen by: none"]), kept=self.one(["", ", seen by: none"]),
            marked=self.one(["", ", seen by: none", ", seen by: P1"]),
            penalty=self.one(["move 1 from stock to hand of offender", "take back fault", "nothing"]),
            setup=setup, begins="around" if again else "main",
            called=f"{AROUND if again else ''}{ASIDE if 'call aside' in called else ''}", kind=kind,
            ends=ENDS[kind].format(self.one(["bag", "pile", "board"])), anytime=anytime,
            actions="\n      ".join(actions),
        )  # fmt: skip


AROUND = "  around: {repeat: main, until: number of main > 30}\n"
ASIDE = """\
  aside: {with: {rival: player}, kind: ask, players: rival, actions: {ee: {}, ff: {effect: move 1 from hand to bag}}}
"""


def rules(seed: int) -> str:
    """The text of a ruleset; some are refused, where an action can do nothing that anybody could notice, say."""
    return _Maker(seed).rules()
