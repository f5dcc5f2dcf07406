"""What native code has besides what is read: chance, frames, and the loop over matches.

Chance is that of `engine.chance`, draw by draw.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.native.flat_state import Layout
from interpreter.compiler.native.native_kinds import LENGTH
from interpreter.compiler.native.set_room import set_text
from interpreter.compiler.native.shared_room import widening

Field = Callable[[str, str], str]
"""A field of the match, and the name of a local -> the line that finds out where the field lies."""


def names_of(layout: Layout) -> dict[str, int]:
    """The fields of a match and the words of our own beside it -> where in it they lie."""
    return {name: place.index for name, place in layout.fields.items()} | layout.own


PROBED = "#0"
"""Of functions: a frame of several pages is touched page by page. Where the stack ends the program ends, and nothing is
written behind it."""


def frame_in(room: int, number: str) -> str:
    """The line that finds out the number of a frame among so many, which it surely is."""
    if room & (room - 1):
        return f"call i64 @llvm.umin.i64(i64 {number}, i64 {room - 1})"
    return f"and i64 {number}, {room - 1}"


def text_for(layout: Layout) -> str:
    """LLVM for a layout, whatever is played."""
    names = names_of(layout)
    wide = f"i{layout.bits}"
    masks = sorted({"i64", wide})
    words = sorted({"i8", "i16", "i32", "i64", wide})
    declared = [f"declare {w} @llvm.{f}.{w}({w}{more})" for w in masks for f, more in (
        ("ctpop", ""), ("ctlz", ", i1"), ("cttz", ", i1"))]  # fmt: skip
    declared += [f"declare i64 @llvm.{f}.i64(i64, i64)" for f in ("smin", "smax", "umin")]
    declared += [f"declare {{i64, i1}} @llvm.{f}.with.overflow.i64(i64, i64)" for f in ("sadd", "ssub", "smul")]
    declared += ["declare i64 @llvm.abs.i64(i64, i1)"]
    declared += [f"declare void @llvm.{f}.p0.p0.i64(ptr, ptr, i64, i1)" for f in ("memmove", "memcpy")]

    def field(name: str, to: str) -> str:
        return f"  %{to} = getelementptr %State, ptr %s, i32 0, i32 {names[name]}"

    likely = '!0 = !{!"branch_weights", i32 2000, i32 1}'
    own = [_chance(field), *(_shuffle(word, layout) for word in words), _frames(field, layout)]
    if layout.shared is not None:
        own.append(widening(layout.shared))
    if layout.sets is not None:
        own.append(set_text(layout.sets))
    probed = f'attributes {PROBED} = {{ "probe-stack"="inline-asm" }}'
    return "\n".join([*declared, likely, probed, _MIX, *own, _BLANK])


_MIX = """
define internal i64 @mix(i64 %x) alwaysinline {
  %1 = lshr i64 %x, 30
  %2 = xor i64 %x, %1
  %3 = mul i64 %2, -4658895280553007687
  %4 = lshr i64 %3, 27
  %5 = xor i64 %3, %4
  %6 = mul i64 %5, -7723592293110705685
  %7 = lshr i64 %6, 31
  %8 = xor i64 %6, %7
  ret i64 %8
}
define internal i64 @derive(i64 %seed, i64 %number) {
  %1 = call i64 @mix(i64 %seed)
  %2 = mul i64 %number, -7046029254386353131
  %3 = xor i64 %1, %2
  %4 = call i64 @mix(i64 %3)
  ret i64 %4
}"""


def _chance(field: Field) -> str:
    """Draws of the match, and of the dice of who plays at random: of a draw, the upper half is used first."""
    return "\n".join(
        [
            "define internal i64 @draw(ptr %s) {", field("seed", "a"), field("draws", "b"),
            "  %seed = load i64, ptr %a", "  %draws = load i64, ptr %b", "  %next = add i64 %draws, 1",
            "  store i64 %next, ptr %b", "  %far = mul i64 %next, -7046029254386353131",
            "  %x = add i64 %seed, %far", "  %found = call i64 @mix(i64 %x)", "  ret i64 %found", "}",
            "define internal i64 @below(ptr %s, i64 %n) {", "  %x = call i64 @draw(ptr %s)",
            "  %high = lshr i64 %x, 32", "  %far = mul i64 %high, %n", "  %found = lshr i64 %far, 32",
            "  ret i64 %found", "}",
            "define internal i64 @half(ptr %s) {", "entry:", field("half", "a"), "  %kept = load i64, ptr %a",
            "  %there = icmp sge i64 %kept, 0", "  br i1 %there, label %use, label %draw", "use:",
            "  store i64 -1, ptr %a", "  ret i64 %kept", "draw:", field("dice", "b"), field("drawn", "c"),
            "  %seed = load i64, ptr %b", "  %draws = load i64, ptr %c", "  %next = add i64 %draws, 1",
            "  store i64 %next, ptr %c", "  %far = mul i64 %next, -7046029254386353131",
            "  %x = add i64 %seed, %far", "  %y = call i64 @mix(i64 %x)", "  %low = and i64 %y, 4294967295",
            "  store i64 %low, ptr %a", "  %high = lshr i64 %y, 32", "  ret i64 %high", "}",
        ]
    )  # fmt: skip


def _shuffle(word: str, layout: Layout) -> str:
    """Put a list in memory in any order, from the last place to the first; each draw serves two exchanges."""
    return f"""
define internal void @shuffle.{word}(ptr %s, ptr %row) {{
entry:
  %size = load {LENGTH}, ptr %row
  %many = zext {LENGTH} %size to i64
  %last = sub i64 %many, 1
{_members(layout, word, "%row")}
  br label %head
head:
  %at = phi i64 [ %last, %entry ], [ %less, %turn ]
  %kept = phi i64 [ -1, %entry ], [ %rest, %turn ]
  %more = icmp sgt i64 %at, 0
  br i1 %more, label %inside, label %after
inside:
  %there = icmp sge i64 %kept, 0
  br i1 %there, label %turn, label %draw
draw:
  %x = call i64 @draw(ptr %s)
  %high = lshr i64 %x, 32
  %low = and i64 %x, 4294967295
  br label %turn
turn:
  %half = phi i64 [ %kept, %inside ], [ %high, %draw ]
  %rest = phi i64 [ -1, %inside ], [ %low, %draw ]
  %ways = add i64 %at, 1
  %far = mul i64 %half, %ways
  %other = lshr i64 %far, 32
  %a = getelementptr {word}, ptr %members, i64 %at
  %b = getelementptr {word}, ptr %members, i64 %other
  %one = load {word}, ptr %a
  %two = load {word}, ptr %b
  store {word} %two, ptr %a
  store {word} %one, ptr %b
  %less = sub i64 %at, 1
  br label %head
after:
  ret void
}}"""


def _members(layout: Layout, word: str, row: str) -> str:
    """The lines that find out where the members of a list lie."""
    if layout.shared is None:
        return f"  %members = getelementptr {{{layout.head}, [0 x {word}]}}, ptr {row}, i64 0, i32 2, i64 0"
    return f"""  %far.at = getelementptr {LENGTH}, ptr {row}, i32 2
  %far.by = load {LENGTH}, ptr %far.at
  %members = getelementptr i8, ptr {row}, {LENGTH} %far.by"""


def _frames(field: Field, layout: Layout) -> str:
    """A frame that is not on the stack: the next after the one that was made last."""
    room = layout.room_for_frames
    return "\n".join(
        [
            "define internal i64 @new_frame(ptr %s, ptr %stack) {", "entry:", field("frame", "own"),
            "  %last = load i64, ptr %own",
            _members(layout, "i8", "%stack"),
            f"""  %size = load {LENGTH}, ptr %stack
  %many = zext {LENGTH} %size to i64
  br label %head
head:
  %at = phi i64 [ 0, %entry ], [ %next, %turn ]
  %used = phi i64 [ 0, %entry ], [ %more, %turn ]
  %on = icmp slt i64 %at, %many
  br i1 %on, label %turn, label %after
turn:
  %where = getelementptr i8, ptr %members, i64 %at
  %kept = load i8, ptr %where
  %frame = zext i8 %kept to i64
  %bit = shl i64 1, %frame
  %more = or i64 %used, %bit
  %next = add i64 %at, 1
  br label %head
after:
  %room = xor i64 %used, {(1 << room) - 1}
  %beyond = shl i64 -2, %last
  %above = and i64 %room, %beyond
  %none = icmp eq i64 %above, 0
  %free = select i1 %none, i64 %room, i64 %above
  %first = call i64 @llvm.cttz.i64(i64 %free, i1 false)
  %found = {frame_in(room, '%first')}
  store i64 %found, ptr %own
  ret i64 %found
}}""",
        ]
    )  # fmt: skip


_BLANK = """
@blank = internal global %State zeroinitializer
define void @prepare() {
  call void @fresh(ptr @blank)
  ret void
}"""
"""A match before anything has happened, laid down once."""


def matches(layout: Layout, entry: str) -> str:
    """The loop over matches. Each has a row of results, which begins with 0 where it was played to its end.

    entry: the function that plays a match: (match, number of the counted stage, deals, limit).
    """
    names = names_of(layout)

    def put(name: str, value: str, kind: str = "i64") -> str:
        return (f"  %to.{name} = getelementptr %State, ptr %s, i32 0, i32 {names[name]}\n"
                f"  store {kind} {value}, ptr %to.{name}")  # fmt: skip

    return "\n".join(
        [
            "define i64 @play(i64 %n, i64 %first, i64 %series, i64 %counted, i64 %deals, i64 %limit, ptr %out,",
            "                 i64 %words, ptr %stop) {",
            "entry:", "  %s = alloca %State, align 64", "  br label %head", "head:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %turn ]", "  %more = icmp slt i64 %i, %n",
            "  br i1 %more, label %look, label %after", "look:", "  %told = load volatile i64, ptr %stop",
            "  %go = icmp eq i64 %told, 0", "  br i1 %go, label %turn, label %after", "turn:",
            "  %end = getelementptr %State, ptr null, i32 1", "  %size = ptrtoint ptr %end to i64",
            "  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr @blank, i64 %size, i1 false)",
            "  %number = add i64 %first, %i", "  %own = call i64 @derive(i64 %series, i64 %number)",
            "  %dice = add i64 %own, 1", "  %far = mul i64 %i, %words",
            "  %row = getelementptr i64, ptr %out, i64 %far",
            put("seed", "%own"), put("dice", "%dice"), put("half", "-1"), put("out", "%row", "ptr"),
            f"  call void @{entry}(ptr %s, i64 %counted, i64 %deals, i64 %limit)",
            f"  %from = getelementptr %State, ptr %s, i32 0, i32 {names['fault']}", "  %fault = load i64, ptr %from",
            "  store i64 %fault, ptr %row", "  %next = add i64 %i, 1", "  br label %head", "after:",
            "  ret i64 %i", "}",
        ]
    )  # fmt: skip
