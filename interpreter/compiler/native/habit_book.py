"""What decisions have brought, kept where machine code and Python both read and write it.

A book is one piece of memory of words of 64 bits: a head; keys of moves that are being compared; the decisions of the
trial that goes on; and a table with open addressing, which is never full. An entry is a key, how often a gain was
learnt, the mean of these (a double) and the stage in which the decision is made. A key is made of the words of a move
by `key_of`, so that equal moves of a stage have equal keys and others, as good as ever, different ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.compiler.native.native_kinds import NONE
from interpreter.compiler.native.open_table import OpenTable, lookup_text, signed
from interpreter.engine.chance import GOLDEN, MASK, mix

FEW = 20
"""Of more moves than these none is remembered."""
FREELY = 5
"""One in so many decisions of a trial is made without regard to what has paid."""
MEMORY = 400
"""A mean follows the gains of this number at least."""
CAPACITY, USED, COMPARED, MADE = range(4)
"""The head: entries that there is room for (a power of two), entries used, keys being compared, decisions made."""
KEYS, MOST_KEYS = 4, 32
DECISIONS, MOST_DECISIONS = KEYS + MOST_KEYS, 160
"""Of each decision who made it, its entry, and whether that is a new one."""
TABLE = DECISIONS + 3 * MOST_DECISIONS
KEY, TIMES, MEAN, STAGE, ENTRY = range(5)
FIRST_CAPACITY = 1 << 11
FULL = 2
"""Of so many entries one at most is used before a trial."""


def key_of(words: Iterable[int | None]) -> int:
    """The key of a move: of the words that it is told by, the stage first."""
    key = 0
    for word in words:
        key = mix((key ^ ((NONE if word is None else word) & MASK)) + GOLDEN & MASK)
    return key or 1


class Book(OpenTable):
    """The memory, as Python reads and writes it. version: another one whenever entries have moved."""

    __slots__ = ("version",)
    head, entry = TABLE, ENTRY

    def __init__(self) -> None:
        self.version = 0
        self.lay_out(FIRST_CAPACITY)

    def add(self, key: int, stage: int, times: int = 0, mean: float = 0.0) -> int:
        """Make an entry of a key that has none; returns where it is."""
        self.make_room(0)
        place = self.place_of(key)
        self.words[place + KEY] = signed(key)
        self.words[place + TIMES], self.words[place + STAGE] = times, stage
        self.means[place + MEAN] = mean
        self.words[USED] += 1
        return place

    def make_room(self, more: int) -> None:
        """See to it that there is room for so many more entries; then others may lie elsewhere."""
        capacity = self.words[CAPACITY]
        if FULL * (self.words[USED] + more) < capacity:
            return
        while FULL * (self.words[USED] + more) >= capacity:
            capacity *= 2
        words, means = self.words, self.means
        self.lay_out(capacity)
        for place in range(TABLE, len(words), ENTRY):
            if words[place]:
                new = self.place_of(words[place] & MASK)
                self.words[new : new + ENTRY] = words[place : place + ENTRY]
                self.means[new + MEAN] = means[place + MEAN]
        self.words[USED] = words[USED]
        self.version += 1

    def times_in(self, stage: int) -> int:
        """How often a gain was learnt of decisions in a stage."""
        words = self.words
        stages, times = words[TABLE + STAGE :: ENTRY].tolist(), words[TABLE + TIMES :: ENTRY].tolist()
        return sum([number for own, number in zip(stages, times, strict=True) if own == stage and number])


def text_for(names: dict[str, int], players: int, gains: int) -> str:
    """LLVM of what machine code does with a book. names: the fields of a match; gains: where in a row these begin."""

    def own(name: str, to: str) -> str:
        return f"  %{to} = getelementptr %State, ptr %s, i32 0, i32 {names[name]}"

    words = {
        "$GOLDEN$": GOLDEN - (1 << 64), "$MEAN$": MEAN, "$TIMES$": TIMES,
        "$STAGE$": STAGE, "$KEYS$": KEYS, "$COMPARED$": COMPARED, "$MADE$": MADE, "$USED$": USED,
        "$DECISIONS$": DECISIONS, "$MOST$": MOST_DECISIONS, "$MEMORY$": MEMORY, "$PLAYERS$": players,
        "$GAINS$": gains, "$TEAMS$": gains + players, "$BOOK$": own("book", "at.book"), "$KEY$": own("key", "at.key"),
        "$FAULT$": own("fault", "at.fault"),
    }  # fmt: skip
    text = lookup_text("entry_of", Book) + _BOOK
    for name, value in words.items():
        text = text.replace(name, str(value))
    return text


_BOOK = """
define internal i64 @noted(i64 %key, i64 %word) alwaysinline {
  %both = xor i64 %key, %word
  %next = add i64 %both, $GOLDEN$
  %found = call i64 @mix(i64 %next)
  ret i64 %found
}
define internal ptr @book_of(ptr %s) alwaysinline {
$BOOK$
  %book = load ptr, ptr %at.book
  ret ptr %book
}
define internal i64 @key_made(ptr %s) alwaysinline {
$KEY$
  %key = load i64, ptr %at.key
  %none = icmp eq i64 %key, 0
  %found = select i1 %none, i64 1, i64 %key
  ret i64 %found
}
define internal i64 @keep_key(ptr %s) {
  %book = call ptr @book_of(ptr %s)
  %key = call i64 @key_made(ptr %s)
  %at.many = getelementptr i64, ptr %book, i64 $COMPARED$
  %many = load i64, ptr %at.many
  %place = add i64 %many, $KEYS$
  %where = getelementptr i64, ptr %book, i64 %place
  store i64 %key, ptr %where
  %more = add i64 %many, 1
  store i64 %more, ptr %at.many
  ret i64 %more
}
define internal i64 @unknown_keys(ptr %s) {
entry:
  %book = call ptr @book_of(ptr %s)
  %at.many = getelementptr i64, ptr %book, i64 $COMPARED$
  %many = load i64, ptr %at.many
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %found = phi i64 [ 0, %entry ], [ %sum, %turn ]
  %more = icmp slt i64 %i, %many
  br i1 %more, label %turn, label %after
turn:
  %place = add i64 %i, $KEYS$
  %where = getelementptr i64, ptr %book, i64 %place
  %key = load i64, ptr %where
  %at = call ptr @entry_of(ptr %book, i64 %key)
  %there = load i64, ptr %at
  %none = icmp eq i64 %there, 0
  %one = zext i1 %none to i64
  %sum = add i64 %found, %one
  %i.next = add i64 %i, 1
  br label %head
after:
  ret i64 %found
}
define internal i64 @nth_unknown(ptr %s, i64 %number) {
entry:
  %book = call ptr @book_of(ptr %s)
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %left = phi i64 [ %number, %entry ], [ %rest, %turn ]
  %place = add i64 %i, $KEYS$
  %where = getelementptr i64, ptr %book, i64 %place
  %key = load i64, ptr %where
  %at = call ptr @entry_of(ptr %book, i64 %key)
  %there = load i64, ptr %at
  %none = icmp eq i64 %there, 0
  %first = icmp eq i64 %left, 0
  %hit = and i1 %none, %first
  br i1 %hit, label %after, label %turn
turn:
  %one = zext i1 %none to i64
  %rest = sub i64 %left, %one
  %i.next = add i64 %i, 1
  br label %head
after:
  ret i64 %i
}
define internal i64 @best_known(ptr %s) {
entry:
  %book = call ptr @book_of(ptr %s)
  %at.many = getelementptr i64, ptr %book, i64 $COMPARED$
  %many = load i64, ptr %at.many
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %best = phi i64 [ 0, %entry ], [ %better, %turn ]
  %most = phi double [ 0.0, %entry ], [ %higher, %turn ]
  %more = icmp slt i64 %i, %many
  br i1 %more, label %turn, label %after
turn:
  %place = add i64 %i, $KEYS$
  %where = getelementptr i64, ptr %book, i64 %place
  %key = load i64, ptr %where
  %at = call ptr @entry_of(ptr %book, i64 %key)
  %at.mean = getelementptr i64, ptr %at, i64 $MEAN$
  %mean = load double, ptr %at.mean
  %above = fcmp ogt double %mean, %most
  %begins = icmp eq i64 %i, 0
  %take = or i1 %above, %begins
  %better = select i1 %take, i64 %i, i64 %best
  %higher = select i1 %take, double %mean, double %most
  %i.next = add i64 %i, 1
  br label %head
after:
  ret i64 %best
}
define internal void @remembered(ptr %s, i64 %player, i64 %stage) {
entry:
  %book = call ptr @book_of(ptr %s)
  %key = call i64 @key_made(ptr %s)
  %at.made = getelementptr i64, ptr %book, i64 $MADE$
  %made = load i64, ptr %at.made
  %room = icmp slt i64 %made, $MOST$
  br i1 %room, label %look, label %stop
stop:
$FAULT$
  store i64 1, ptr %at.fault
  ret void
look:
  %entry.at = call ptr @entry_of(ptr %book, i64 %key)
  %there = load i64, ptr %entry.at
  %none = icmp eq i64 %there, 0
  br i1 %none, label %new, label %note
new:
  store i64 %key, ptr %entry.at
  %at.times = getelementptr i64, ptr %entry.at, i64 $TIMES$
  store i64 0, ptr %at.times
  %at.mean = getelementptr i64, ptr %entry.at, i64 $MEAN$
  store double 0.0, ptr %at.mean
  %at.stage = getelementptr i64, ptr %entry.at, i64 $STAGE$
  store i64 %stage, ptr %at.stage
  %at.used = getelementptr i64, ptr %book, i64 $USED$
  %used = load i64, ptr %at.used
  %used.more = add i64 %used, 1
  store i64 %used.more, ptr %at.used
  br label %note
note:
  %is.new = zext i1 %none to i64
  %far = mul i64 %made, 3
  %place = add i64 %far, $DECISIONS$
  %one = getelementptr i64, ptr %book, i64 %place
  store i64 %player, ptr %one
  %two = getelementptr i64, ptr %one, i64 1
  store ptr %entry.at, ptr %two
  %three = getelementptr i64, ptr %one, i64 2
  store i64 %is.new, ptr %three
  %more = add i64 %made, 1
  store i64 %more, ptr %at.made
  ret void
}
define internal void @forget(ptr %book) {
entry:
  %at.made = getelementptr i64, ptr %book, i64 $MADE$
  %made = load i64, ptr %at.made
  br label %head
head:
  %i = phi i64 [ %made, %entry ], [ %i.less, %gone ], [ %i.less, %turn ]
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %turn, label %after
turn:
  %i.less = sub i64 %i, 1
  %far = mul i64 %i.less, 3
  %place = add i64 %far, $DECISIONS$
  %one = getelementptr i64, ptr %book, i64 %place
  %three = getelementptr i64, ptr %one, i64 2
  %is.new = load i64, ptr %three
  %old = icmp eq i64 %is.new, 0
  br i1 %old, label %head, label %gone
gone:
  %two = getelementptr i64, ptr %one, i64 1
  %where = load ptr, ptr %two
  store i64 0, ptr %where
  %at.used = getelementptr i64, ptr %book, i64 $USED$
  %used = load i64, ptr %at.used
  %used.less = sub i64 %used, 1
  store i64 %used.less, ptr %at.used
  br label %head
after:
  store i64 0, ptr %at.made
  ret void
}
define internal double @ahead(ptr %row, i64 %player) {
entry:
  %gains = getelementptr i64, ptr %row, i64 $GAINS$
  %teams = getelementptr i64, ptr %row, i64 $TEAMS$
  %at.own = getelementptr i64, ptr %gains, i64 %player
  %own = load i64, ptr %at.own
  %at.team = getelementptr i64, ptr %teams, i64 %player
  %team = load i64, ptr %at.team
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %turn ]
  %many = phi i64 [ 0, %entry ], [ %many.next, %turn ]
  %more = icmp slt i64 %i, $PLAYERS$
  br i1 %more, label %turn, label %after
turn:
  %at.gain = getelementptr i64, ptr %gains, i64 %i
  %gain = load i64, ptr %at.gain
  %at.other = getelementptr i64, ptr %teams, i64 %i
  %other = load i64, ptr %at.other
  %against = icmp ne i64 %other, %team
  %counted = select i1 %against, i64 %gain, i64 0
  %one = zext i1 %against to i64
  %sum.next = add i64 %sum, %counted
  %many.next = add i64 %many, %one
  %i.next = add i64 %i, 1
  br label %head
after:
  %of.own = sitofp i64 %own to double
  %alone = icmp eq i64 %many, 0
  br i1 %alone, label %give, label %compare
give:
  ret double %of.own
compare:
  %of.all = sitofp i64 %sum to double
  %of.many = sitofp i64 %many to double
  %mean = fdiv double %of.all, %of.many
  %found = fsub double %of.own, %mean
  ret double %found
}
define internal void @learn(ptr %book, ptr %row) {
entry:
  %at.made = getelementptr i64, ptr %book, i64 $MADE$
  %made = load i64, ptr %at.made
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %more = icmp slt i64 %i, %made
  br i1 %more, label %turn, label %after
turn:
  %far = mul i64 %i, 3
  %place = add i64 %far, $DECISIONS$
  %one = getelementptr i64, ptr %book, i64 %place
  %player = load i64, ptr %one
  %two = getelementptr i64, ptr %one, i64 1
  %where = load ptr, ptr %two
  %at.times = getelementptr i64, ptr %where, i64 $TIMES$
  %times = load i64, ptr %at.times
  %once.more = add i64 %times, 1
  %now = call i64 @llvm.smin.i64(i64 %once.more, i64 $MEMORY$)
  store i64 %now, ptr %at.times
  %gain = call double @ahead(ptr %row, i64 %player)
  %at.mean = getelementptr i64, ptr %where, i64 $MEAN$
  %mean = load double, ptr %at.mean
  %off = fsub double %gain, %mean
  %of.times = sitofp i64 %now to double
  %step = fdiv double %off, %of.times
  %new = fadd double %mean, %step
  store double %new, ptr %at.mean
  %i.next = add i64 %i, 1
  br label %head
after:
  store i64 0, ptr %at.made
  ret void
}"""
"""In LLVM; what stands between $ is put in. Entries don't move while machine code runs: a trial begins only where
there is room for all of its decisions."""
