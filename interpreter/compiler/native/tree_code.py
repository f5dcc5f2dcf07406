"""What machine code does with the tree of a decision; see `search_tree` for the tree."""

from __future__ import annotations

from struct import pack, unpack

from interpreter.compiler.native import habit_book, search_tree
from interpreter.compiler.native.open_table import lookup_text


def tree_text(names: dict[str, int], gains: int) -> str:
    """LLVM of what machine code does with a tree. names: the fields of a match; gains: where in a row these begin."""
    words: dict[str, object] = {
        name: getattr(search_tree, name) for name in (
            "VISITS", "MEAN", "CHANCES", "USED", "DEPTH", "PATH", "CLIMBS", "OFFERS", "TIMES", "SUM",
            "SQUARES", "MOST", "BOLD", "TRUST", "DECISIONS", "OFFERED", "NODES",
        )
    }  # fmt: skip
    words |= {"KEYS": habit_book.KEYS, "COMPARED": habit_book.COMPARED, "GAINS": gains, "AT_TREE": names["tree"]}
    words |= {"HABIT_TIMES": habit_book.TIMES, "HABIT_MEAN": habit_book.MEAN, "WIN": _double(search_tree.WIN)}
    text = lookup_text("node_of", search_tree.Tree) + _TREE
    for name, value in words.items():
        text = text.replace(f"${name}$", str(value))
    return text


def _double(value: float) -> str:
    """A number as LLVM reads it, to the bit."""
    return f"0x{unpack('>Q', pack('>d', value))[0]:016X}"


_TREE = """
declare double @llvm.sqrt.f64(double)
define internal ptr @tree_of(ptr %s) alwaysinline {
  %at.tree = getelementptr %State, ptr %s, i32 0, i32 $AT_TREE$
  %tree = load ptr, ptr %at.tree
  ret ptr %tree
}
define internal i64 @node_at(ptr %tree, i64 %i) alwaysinline {
  %place = add i64 %i, $NODES$
  %where = getelementptr i64, ptr %tree, i64 %place
  %node = load i64, ptr %where
  ret i64 %node
}
define internal ptr @entry_at(ptr %tree, i64 %i) {
  %node = call i64 @node_at(ptr %tree, i64 %i)
  %at = call ptr @node_of(ptr %tree, i64 %node)
  %there = load i64, ptr %at
  %none = icmp eq i64 %there, 0
  %found = select i1 %none, ptr null, ptr %at
  ret ptr %found
}
define internal void @tree_begin(ptr %tree, i64 %key) {
  %at.depth = getelementptr i64, ptr %tree, i64 $DEPTH$
  store i64 0, ptr %at.depth
  %at.offers = getelementptr i64, ptr %tree, i64 $OFFERS$
  store i64 0, ptr %at.offers
  %at.path = getelementptr i64, ptr %tree, i64 $PATH$
  store i64 %key, ptr %at.path
  %at.most = getelementptr i64, ptr %tree, i64 $MOST$
  %most = load i64, ptr %at.most
  %any = icmp sgt i64 %most, 0
  %climbs = zext i1 %any to i64
  %at.climbs = getelementptr i64, ptr %tree, i64 $CLIMBS$
  store i64 %climbs, ptr %at.climbs
  ret void
}
define internal i64 @tree_climbs(ptr %s) alwaysinline {
  %tree = call ptr @tree_of(ptr %s)
  %at.climbs = getelementptr i64, ptr %tree, i64 $CLIMBS$
  %climbs = load i64, ptr %at.climbs
  ret i64 %climbs
}
define internal void @tree_leave(ptr %s) alwaysinline {
  %tree = call ptr @tree_of(ptr %s)
  %at.climbs = getelementptr i64, ptr %tree, i64 $CLIMBS$
  store i64 0, ptr %at.climbs
  ret void
}
define internal void @tree_reach(ptr %s, i64 %player) {
entry:
  %tree = call ptr @tree_of(ptr %s)
  %book = call ptr @book_of(ptr %s)
  %at.path = getelementptr i64, ptr %tree, i64 $PATH$
  %path = load i64, ptr %at.path
  %one = call i64 @noted(i64 0, i64 %path)
  %two = call i64 @noted(i64 %one, i64 %player)
  %at.many = getelementptr i64, ptr %book, i64 $COMPARED$
  %many = load i64, ptr %at.many
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %more = icmp slt i64 %i, %many
  br i1 %more, label %turn, label %after
turn:
  %place = add i64 %i, $KEYS$
  %where = getelementptr i64, ptr %book, i64 %place
  %key = load i64, ptr %where
  %mixed = call i64 @noted(i64 %two, i64 %key)
  %none = icmp eq i64 %mixed, 0
  %node = select i1 %none, i64 1, i64 %mixed
  %node.place = add i64 %i, $NODES$
  %at.node = getelementptr i64, ptr %tree, i64 %node.place
  store i64 %node, ptr %at.node
  %i.next = add i64 %i, 1
  br label %head
after:
  ret void
}
define internal void @tree_follow(ptr %s) {
  %tree = call ptr @tree_of(ptr %s)
  %node = call i64 @node_at(ptr %tree, i64 0)
  %at.path = getelementptr i64, ptr %tree, i64 $PATH$
  store i64 %node, ptr %at.path
  ret void
}
define internal i1 @is_fresh(ptr %tree, ptr %book, i64 %i) alwaysinline {
entry:
  %at = call ptr @entry_at(ptr %tree, i64 %i)
  %none = icmp eq ptr %at, null
  br i1 %none, label %ask, label %old
ask:
  %key.place = add i64 %i, $KEYS$
  %at.key = getelementptr i64, ptr %book, i64 %key.place
  %key = load i64, ptr %at.key
  %times = call i64 @habit_times(ptr %book, i64 %key)
  %unknown = icmp eq i64 %times, 0
  ret i1 %unknown
old:
  ret i1 false
}
define internal i64 @habit_times(ptr %book, i64 %key) {
entry:
  %at = call ptr @entry_of(ptr %book, i64 %key)
  %there = load i64, ptr %at
  %none = icmp eq i64 %there, 0
  br i1 %none, label %no, label %yes
no:
  ret i64 0
yes:
  %at.times = getelementptr i64, ptr %at, i64 $HABIT_TIMES$
  %times = load i64, ptr %at.times
  ret i64 %times
}
define internal i64 @tree_fresh(ptr %s) {
entry:
  %tree = call ptr @tree_of(ptr %s)
  %book = call ptr @book_of(ptr %s)
  %at.many = getelementptr i64, ptr %book, i64 $COMPARED$
  %many = load i64, ptr %at.many
  %at.offers = getelementptr i64, ptr %tree, i64 $OFFERS$
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %on ]
  %found = phi i64 [ 0, %entry ], [ %sum, %on ]
  %more = icmp slt i64 %i, %many
  br i1 %more, label %turn, label %after
turn:
  %at = call ptr @entry_at(ptr %tree, i64 %i)
  %none = icmp eq ptr %at, null
  br i1 %none, label %on, label %old
old:
  %offers = load i64, ptr %at.offers
  %offered = add i64 %offers, $OFFERED$
  %to = getelementptr i64, ptr %tree, i64 %offered
  %address = ptrtoint ptr %at to i64
  store i64 %address, ptr %to
  %offers.more = add i64 %offers, 1
  store i64 %offers.more, ptr %at.offers
  br label %on
on:
  %fresh = call i1 @is_fresh(ptr %tree, ptr %book, i64 %i)
  %one = zext i1 %fresh to i64
  %sum = add i64 %found, %one
  %i.next = add i64 %i, 1
  br label %head
after:
  ret i64 %found
}
define internal i64 @tree_nth(ptr %s, i64 %number) {
entry:
  %tree = call ptr @tree_of(ptr %s)
  %book = call ptr @book_of(ptr %s)
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %left = phi i64 [ %number, %entry ], [ %rest, %turn ]
  %fresh = call i1 @is_fresh(ptr %tree, ptr %book, i64 %i)
  %first = icmp eq i64 %left, 0
  %hit = and i1 %fresh, %first
  br i1 %hit, label %after, label %turn
turn:
  %one = zext i1 %fresh to i64
  %rest = sub i64 %left, %one
  %i.next = add i64 %i, 1
  br label %head
after:
  ret i64 %i
}
define internal double @tree_spread(ptr %tree) {
entry:
  %at.times = getelementptr i64, ptr %tree, i64 $TIMES$
  %times = load i64, ptr %at.times
  %none = icmp eq i64 %times, 0
  br i1 %none, label %no, label %some
some:
  %of.times = sitofp i64 %times to double
  %at.sum = getelementptr i64, ptr %tree, i64 $SUM$
  %sum = load double, ptr %at.sum
  %mean = fdiv double %sum, %of.times
  %at.squares = getelementptr i64, ptr %tree, i64 $SQUARES$
  %squares = load double, ptr %at.squares
  %square.mean = fdiv double %squares, %of.times
  %mean.square = fmul double %mean, %mean
  %square = fsub double %square.mean, %mean.square
  %is.spread = fcmp ogt double %square, 0.0
  br i1 %is.spread, label %found, label %no
found:
  %root = call double @llvm.sqrt.f64(double %square)
  ret double %root
no:
  ret double 1.0
}
define internal i64 @tree_best(ptr %s) {
entry:
  %tree = call ptr @tree_of(ptr %s)
  %book = call ptr @book_of(ptr %s)
  %at.many = getelementptr i64, ptr %book, i64 $COMPARED$
  %many = load i64, ptr %at.many
  %deviation = call double @tree_spread(ptr %tree)
  %at.bold = getelementptr i64, ptr %tree, i64 $BOLD$
  %bold = load double, ptr %at.bold
  %spread = fmul double %bold, %deviation
  %at.trust = getelementptr i64, ptr %tree, i64 $TRUST$
  %trust = load double, ptr %at.trust
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %bounded ]
  %best = phi i64 [ 0, %entry ], [ %better, %bounded ]
  %most = phi double [ 0.0, %entry ], [ %higher, %bounded ]
  %more = icmp slt i64 %i, %many
  br i1 %more, label %turn, label %after
turn:
  %at = call ptr @entry_at(ptr %tree, i64 %i)
  %none = icmp eq ptr %at, null
  br i1 %none, label %known, label %reached
reached:
  %at.visits = getelementptr i64, ptr %at, i64 $VISITS$
  %own.visits = load i64, ptr %at.visits
  %of.visits = sitofp i64 %own.visits to double
  %at.mean = getelementptr i64, ptr %at, i64 $MEAN$
  %own.mean = load double, ptr %at.mean
  %at.chances = getelementptr i64, ptr %at, i64 $CHANCES$
  %own.chances = load i64, ptr %at.chances
  br label %known
known:
  %visits = phi double [ 0.0, %turn ], [ %of.visits, %reached ]
  %mean = phi double [ 0.0, %turn ], [ %own.mean, %reached ]
  %chances = phi i64 [ 0, %turn ], [ %own.chances, %reached ]
  %key.place = add i64 %i, $KEYS$
  %at.key = getelementptr i64, ptr %book, i64 %key.place
  %key = load i64, ptr %at.key
  %times = call i64 @habit_times(ptr %book, i64 %key)
  %unknown = icmp eq i64 %times, 0
  br i1 %unknown, label %bounded.before, label %habit
habit:
  %at.habit = call ptr @entry_of(ptr %book, i64 %key)
  %at.habit.mean = getelementptr i64, ptr %at.habit, i64 $HABIT_MEAN$
  %habit.mean = load double, ptr %at.habit.mean
  %own.sum = fmul double %mean, %visits
  %habit.sum = fmul double %habit.mean, %trust
  %sum = fadd double %own.sum, %habit.sum
  %all = fadd double %visits, %trust
  %mean.both = fdiv double %sum, %all
  br label %bounded.before
bounded.before:
  %weight = phi double [ %visits, %known ], [ %all, %habit ]
  %middle = phi double [ %mean, %known ], [ %mean.both, %habit ]
  %now = add i64 %chances, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %now, i1 false)
  %length = sub i64 64, %zeros
  %of.length = sitofp i64 %length to double
  %ratio = fdiv double %of.length, %weight
  %root = call double @llvm.sqrt.f64(double %ratio)
  %wide = fmul double %spread, %root
  %bound = fadd double %middle, %wide
  br label %bounded
bounded:
  %above = fcmp ogt double %bound, %most
  %begins = icmp eq i64 %i, 0
  %take = or i1 %above, %begins
  %better = select i1 %take, i64 %i, i64 %best
  %higher = select i1 %take, double %bound, double %most
  %i.next = add i64 %i, 1
  br label %head
after:
  ret i64 %best
}
define internal void @tree_take(ptr %s, i64 %player, i64 %at) {
  %tree = call ptr @tree_of(ptr %s)
  %node = call i64 @node_at(ptr %tree, i64 %at)
  %known.at = call ptr @entry_at(ptr %tree, i64 %at)
  %at.path = getelementptr i64, ptr %tree, i64 $PATH$
  store i64 %node, ptr %at.path
  %at.depth = getelementptr i64, ptr %tree, i64 $DEPTH$
  %depth = load i64, ptr %at.depth
  %far = mul i64 %depth, 2
  %first = add i64 %far, $DECISIONS$
  %at.player = getelementptr i64, ptr %tree, i64 %first
  store i64 %player, ptr %at.player
  %at.node = getelementptr i64, ptr %at.player, i64 1
  store i64 %node, ptr %at.node
  %deeper = add i64 %depth, 1
  store i64 %deeper, ptr %at.depth
  %at.most = getelementptr i64, ptr %tree, i64 $MOST$
  %most = load i64, ptr %at.most
  %is.deepest = icmp eq i64 %deeper, %most
  %is.new = icmp eq ptr %known.at, null
  %ends = or i1 %is.deepest, %is.new
  %goes = xor i1 %ends, true
  %climbs = zext i1 %goes to i64
  %at.climbs = getelementptr i64, ptr %tree, i64 $CLIMBS$
  store i64 %climbs, ptr %at.climbs
  ret void
}
define internal void @tree_learn(ptr %tree, ptr %row, i64 %player, i64 %won) {
entry:
  %spread = call double @tree_spread(ptr %tree)
  %worth = fmul double $WIN$, %spread
  %loss = fneg double %worth
  %is.won = icmp ne i64 %won, 0
  %at.offers = getelementptr i64, ptr %tree, i64 $OFFERS$
  %offers = load i64, ptr %at.offers
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %more = icmp slt i64 %i, %offers
  br i1 %more, label %turn, label %back
turn:
  %offered = add i64 %i, $OFFERED$
  %at.offered = getelementptr i64, ptr %tree, i64 %offered
  %address = load i64, ptr %at.offered
  %entry.at = inttoptr i64 %address to ptr
  %at.chances = getelementptr i64, ptr %entry.at, i64 $CHANCES$
  %chances = load i64, ptr %at.chances
  %chances.more = add i64 %chances, 1
  store i64 %chances.more, ptr %at.chances
  %i.next = add i64 %i, 1
  br label %head
back:
  %at.depth = getelementptr i64, ptr %tree, i64 $DEPTH$
  %depth = load i64, ptr %at.depth
  br label %climb
climb:
  %j = phi i64 [ 0, %back ], [ %j.next, %learnt ]
  %j.more = icmp slt i64 %j, %depth
  br i1 %j.more, label %node, label %own
node:
  %far = mul i64 %j, 2
  %first = add i64 %far, $DECISIONS$
  %at.who = getelementptr i64, ptr %tree, i64 %first
  %who = load i64, ptr %at.who
  %at.key = getelementptr i64, ptr %at.who, i64 1
  %key = load i64, ptr %at.key
  %at = call ptr @node_of(ptr %tree, i64 %key)
  %there = load i64, ptr %at
  %none = icmp eq i64 %there, 0
  br i1 %none, label %new, label %known
new:
  store i64 %key, ptr %at
  %new.visits = getelementptr i64, ptr %at, i64 $VISITS$
  store i64 0, ptr %new.visits
  %new.mean = getelementptr i64, ptr %at, i64 $MEAN$
  store double 0.0, ptr %new.mean
  %new.chances = getelementptr i64, ptr %at, i64 $CHANCES$
  store i64 1, ptr %new.chances
  %at.used = getelementptr i64, ptr %tree, i64 $USED$
  %used = load i64, ptr %at.used
  %used.more = add i64 %used, 1
  store i64 %used.more, ptr %at.used
  br label %known
known:
  %at.visits = getelementptr i64, ptr %at, i64 $VISITS$
  %visits = load i64, ptr %at.visits
  %visits.more = add i64 %visits, 1
  store i64 %visits.more, ptr %at.visits
  %gain = call double @ahead(ptr %row, i64 %who)
  %bit = lshr i64 %won, %who
  %low = and i64 %bit, 1
  %has.won = icmp ne i64 %low, 0
  %end = select i1 %has.won, double %worth, double %loss
  %brought = select i1 %is.won, double %end, double %gain
  %at.mean = getelementptr i64, ptr %at, i64 $MEAN$
  %mean = load double, ptr %at.mean
  %off = fsub double %brought, %mean
  %of.visits = sitofp i64 %visits.more to double
  %step = fdiv double %off, %of.visits
  %mean.now = fadd double %mean, %step
  store double %mean.now, ptr %at.mean
  br label %learnt
learnt:
  %j.next = add i64 %j, 1
  br label %climb
own:
  br i1 %is.won, label %after, label %add
add:
  %at.times = getelementptr i64, ptr %tree, i64 $TIMES$
  %times = load i64, ptr %at.times
  %times.more = add i64 %times, 1
  store i64 %times.more, ptr %at.times
  %own.gain = call double @ahead(ptr %row, i64 %player)
  %at.sum = getelementptr i64, ptr %tree, i64 $SUM$
  %sum = load double, ptr %at.sum
  %sum.now = fadd double %sum, %own.gain
  store double %sum.now, ptr %at.sum
  %square = fmul double %own.gain, %own.gain
  %at.squares = getelementptr i64, ptr %tree, i64 $SQUARES$
  %squares = load double, ptr %at.squares
  %squares.now = fadd double %squares, %square
  store double %squares.now, ptr %at.squares
  br label %after
after:
  ret void
}"""
"""In LLVM; what stands between $ is put in. Entries don't move while machine code runs: Python makes room before."""
