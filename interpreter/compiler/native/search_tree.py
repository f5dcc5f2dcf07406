"""The tree of a decision, kept where machine code and Python both read and write it.

Information-set Monte Carlo tree search with one observer. Each trial walks down the tree in a world of its own, so a
node stands for all tables to which the same moves may have led, and of its moves those alone count that are lawful in
that world. Where all of them are known the one with the highest upper confidence bound is made, which grows with how
often the move was lawful there, not with how often the node was passed. The first node that is not in the tree yet is
added to it, and from there on the trial goes on as without a tree. What a move has brought elsewhere in the deal, its
habit, counts as some trials of it.
Sources: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE Transactions on Computational
Intelligence and AI in Games 4 (2012); Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit
problem", Machine Learning 47 (2002), for the bounds; Nijssen, Winands, "Enhancements for multi-player Monte-Carlo tree
search", Computers and Games 2010, for the habits (progressive history).

A tree is one piece of memory of words of 64 bits: a head; of the trial that goes on its decisions, the nodes that could
have been reached by them, and those that are being compared; and a table with open addressing, which is never full. An
entry is a key, how often the node was reached, the mean of what that brought to who moved there (a double) and how
often it could be reached. The key of a node is made of all moves since the one that is tried, and of who made them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Protocol

from interpreter.compiler.native.habit_book import MOST_KEYS, key_of
from interpreter.compiler.native.open_table import OpenTable, signed
from interpreter.engine.chance import GOLDEN, MASK, mix

DEEPEST = 32
"""Decisions of a trial that are made in the tree, at most."""
BOLDNESS = 1.0
"""What a bound grows with, in standard deviations of what trials bring."""
TRUSTED = 1.0
"""For how many trials of a move its habit stands."""
WIN = 3.0
"""What the match is worth, in standard deviations of what trials bring."""
CAPACITY, USED, DEPTH, PATH, CLIMBS, OFFERS, TIMES, SUM, SQUARES, MOST, BOLD, TRUST = range(12)
"""The head: entries that there is room for (a power of two), entries used; of the trial that goes on the decisions
made, the key of the node where it is, whether it is still in the tree, nodes that could have been reached; of all
trials after which the match went on how many there are, and the sums of what they brought to who thinks and of the
squares of that (doubles); and how the tree is searched: DEEPEST, BOLDNESS and TRUSTED (doubles)."""
DECISIONS = 12
OFFERED = DECISIONS + 2 * DEEPEST
NODES = OFFERED + DEEPEST * MOST_KEYS
"""Of each decision who made it, and the key of the node it led to; then of nodes that could have been reached where
their entries are, as who writes them finds them again; then the keys of those that are compared."""
TABLE = NODES + MOST_KEYS
KEY, VISITS, MEAN, CHANCES, ENTRY = range(5)
FIRST_CAPACITY = 1 << 8
FULL = 2
"""Of so many entries one at most is used."""


class Known(Protocol):
    """What is known of a move from elsewhere: how often it was learnt what it brings, and the average."""

    @property
    def times(self) -> int: ...

    @property
    def mean(self) -> float: ...


class Tree(OpenTable):
    """The memory, as Python reads and writes it.

    deepest: decisions of a trial that are made in the tree, at most DEEPEST; 0: there is no tree.
    """

    __slots__ = ()
    head, entry = TABLE, ENTRY

    def __init__(self, deepest: int = DEEPEST) -> None:
        self.lay_out(FIRST_CAPACITY)
        self.words[MOST] = min(deepest, DEEPEST)
        self.means[BOLD], self.means[TRUST] = BOLDNESS, TRUSTED

    @property
    def deepest(self) -> int:
        """How many decisions of a trial are made in it at most."""
        return self.words[MOST]

    @property
    def climbs(self) -> bool:
        """Whether the trial is still in the tree."""
        return self.words[CLIMBS] != 0

    def make_room(self, more: int) -> None:
        """See to it that there is room for so many more nodes; then others may lie elsewhere."""
        capacity = self.words[CAPACITY]
        if FULL * (self.words[USED] + more) < capacity:
            return
        while FULL * (self.words[USED] + more) >= capacity:
            capacity *= 2
        words = self.words
        self.lay_out(capacity)
        self.words[USED:TABLE] = words[USED:TABLE]
        for place in range(TABLE, len(words), ENTRY):
            if words[place]:
                new = self.place_of(words[place] & MASK)
                self.words[new : new + ENTRY] = words[place : place + ENTRY]

    # ---- a trial ----------------------------------------------------------------------------------------

    def begin(self, key: int | None) -> None:
        """A trial begins with a move of a key; without any it is made as without a tree."""
        words = self.words
        words[DEPTH] = words[OFFERS] = 0
        words[CLIMBS] = key is not None and words[MOST] > 0
        words[PATH] = signed(key or 0)

    def leave(self) -> None:
        """The trial leaves the tree."""
        self.words[CLIMBS] = 0

    def follow(self, player: int, key: int) -> None:
        """A player makes the only move there is, of which nothing is learnt."""
        self.words[PATH] = signed(self.reach(player, [key])[0])

    def reach(self, player: int, keys: Sequence[int]) -> list[int]:
        """The keys of the nodes that moves of a player lead to."""
        path = key_of([self.words[PATH], player])
        return [mix((path ^ key) + GOLDEN & MASK) or 1 for key in keys]

    def fresh(self, nodes: Sequence[int], habits: Sequence[Known | None]) -> list[int]:
        """Which of these were never reached by moves of which nothing is known from elsewhere either; it is noted that
        all of them could be reached."""
        words, found = self.words, []
        for at, (node, habit) in enumerate(zip(nodes, habits, strict=True)):
            place = self.place_of(node)
            if words[place]:
                words[OFFERED + words[OFFERS]] = place
                words[OFFERS] += 1
            elif habit is None or not habit.times:
                found.append(at)
        return found

    def best(self, nodes: Sequence[int], habits: Sequence[Known | None]) -> int:
        """Which of these has the highest bound, if none is fresh."""
        words, means = self.words, self.means
        found, most, spread, trust = 0, 0.0, means[BOLD] * self.spread(), means[TRUST]
        for at, (node, habit) in enumerate(zip(nodes, habits, strict=True)):
            place = self.place_of(node)  # where there is no entry all is 0
            weight, mean = float(words[place + VISITS]), means[place + MEAN]
            if habit is not None and habit.times:
                mean = (mean * weight + habit.mean * trust) / (weight + trust)
                weight += trust
            bound = mean + spread * sqrt((words[place + CHANCES] + 1).bit_length() / weight)
            if not at or bound > most:
                found, most = at, bound
        return found

    def take(self, player: int, node: int) -> None:
        """A player makes the move that leads to a node."""
        words = self.words
        place = DECISIONS + 2 * words[DEPTH]
        words[place] = player
        words[place + 1] = words[PATH] = signed(node)
        words[DEPTH] += 1
        if not words[self.place_of(node)] or words[DEPTH] == words[MOST]:
            words[CLIMBS] = 0

    def spread(self) -> float:
        """The standard deviation of what trials have brought to who thinks; 1 where there is none."""
        times = self.words[TIMES]
        if not times:
            return 1.0
        mean = self.means[SUM] / times
        square = self.means[SQUARES] / times - mean * mean
        return sqrt(square) if square > 0.0 else 1.0

    def learn(self, gains: Sequence[float], won: int, thinker: int) -> None:
        """Learn what came of the trial: what each player has gained against the others, and who has won (bits; 0 where
        the match goes on)."""
        words, worth = self.words, WIN * self.spread()
        for at in range(words[OFFERS]):
            words[words[OFFERED + at] + CHANCES] += 1
        self.make_room(1)
        words, means = self.words, self.means
        for at in range(DECISIONS, DECISIONS + 2 * words[DEPTH], 2):
            player, node = words[at], words[at + 1]
            place = self.place_of(node & MASK)
            if not words[place]:
                words[place], words[place + CHANCES] = node, 1
                words[USED] += 1
            words[place + VISITS] += 1
            brought = (worth if won >> player & 1 else -worth) if won else gains[player]
            means[place + MEAN] += (brought - means[place + MEAN]) / words[place + VISITS]
        if not won:
            words[TIMES] += 1
            means[SUM] += gains[thinker]
            means[SQUARES] += gains[thinker] * gains[thinker]
