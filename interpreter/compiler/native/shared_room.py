"""Room that lists of cards share: what is done where one of them has none left."""

from __future__ import annotations

from interpreter.compiler.native.flat_state import SharedRoom
from interpreter.compiler.native.native_kinds import LENGTH


def widening(room: SharedRoom) -> str:
    """LLVM that gives one list room for so many members and some more, of what the others do not need; false where
    these leave too little, or the list is none of those that share.

    Each of the others gives as its share of all that is not taken is, so that those keep most that have most to spare.
    Then the members are laid down anew, one list after the other; where a list has what stands before its members, it
    stays.
    """
    return f"""
define internal i1 @widen(ptr %s, ptr %row, i64 %wanted) noinline cold {{
entry:
  %laid = alloca [{room.size} x {room.word}], align 16
  %heads = getelementptr %State, ptr %s, i32 0, i32 {room.heads}
  %members = getelementptr %State, ptr %s, i32 0, i32 {room.heads + 1}
  %row.at = ptrtoint ptr %row to i64
  %heads.at = ptrtoint ptr %heads to i64
  %members.at = ptrtoint ptr %members to i64
  %far = sub i64 %row.at, %heads.at
  %own = udiv i64 %far, 6
  %shares = icmp ult i64 %own, {room.lists}
  br i1 %shares, label %count, label %no
no:
  ret i1 false
count:
  %i = phi i64 [ 0, %entry ], [ %i.next, %count ]
  %spare = phi i64 [ 0, %entry ], [ %spare.now, %count ]
{_entry(room, "i", "i.size", 0)}
{_entry(room, "i", "i.room", 1)}
  %i.long = load {LENGTH}, ptr %i.size
  %i.wide = load {LENGTH}, ptr %i.room
  %i.left = sub {LENGTH} %i.wide, %i.long
  %i.spare = zext {LENGTH} %i.left to i64
  %i.own = icmp eq i64 %i, %own
  %i.gives = select i1 %i.own, i64 0, i64 %i.spare
  %spare.now = add i64 %spare, %i.gives
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, {room.lists}
  br i1 %i.more, label %count, label %ask
ask:
{_entry(room, "own", "own.room", 1)}
  %own.kept = load {LENGTH}, ptr %own.room
  %own.wide = zext {LENGTH} %own.kept to i64
  %need = sub i64 %wanted, %own.wide
  %enough = icmp ule i64 %need, %spare.now
  br i1 %enough, label %take, label %no
take:
  %some = add i64 %wanted, 4
  %much = add i64 %need, %some
  %takes = call i64 @llvm.umin.i64(i64 %much, i64 %spare.now)
  %less = sub i64 %spare.now, 1
  br label %lay
{_laying(room)}"""


def _bytes(room: SharedRoom) -> int:
    """How many bytes a member takes."""
    return int(room.word[1:]) // 8


def _entry(room: SharedRoom, at: str, name: str, number: int) -> str:
    """The line that finds a word of what stands before a list."""
    head = f"{{{LENGTH}, {LENGTH}, {LENGTH}}}"
    return f"  %{name} = getelementptr [{room.lists} x {head}], ptr %heads, i64 0, i64 %{at}, i32 {number}"


def _laying(room: SharedRoom) -> str:
    """The members of all lists are laid down anew, and what stands before them says so."""
    return f"""lay:
  %j = phi i64 [ 0, %take ], [ %j.next, %laid.one ]
  %left = phi i64 [ %takes, %take ], [ %left.now, %laid.one ]
  %begin = phi i64 [ 0, %take ], [ %begin.next, %laid.one ]
{_entry(room, "j", "j.size", 0)}
{_entry(room, "j", "j.room", 1)}
{_entry(room, "j", "j.far", 2)}
  %j.kept = load {LENGTH}, ptr %j.size
  %j.long = zext {LENGTH} %j.kept to i64
  %j.wide = load {LENGTH}, ptr %j.room
  %j.has = zext {LENGTH} %j.wide to i64
  %j.by = load {LENGTH}, ptr %j.far
  %j.from = getelementptr i8, ptr %j.size, {LENGTH} %j.by
  %j.to = getelementptr {room.word}, ptr %laid, i64 %begin
  %j.bytes = mul i64 %j.long, {_bytes(room)}
  call void @llvm.memcpy.p0.p0.i64(ptr %j.to, ptr %j.from, i64 %j.bytes, i1 false)
  %j.spare = sub i64 %j.has, %j.long
  %j.part = mul i64 %j.spare, %takes
  %j.up = add i64 %j.part, %less
  %j.share = udiv i64 %j.up, %spare.now
  %j.most = call i64 @llvm.umin.i64(i64 %j.share, i64 %left)
  %j.own = icmp eq i64 %j, %own
  %j.gives = select i1 %j.own, i64 0, i64 %j.most
  %left.now = sub i64 %left, %j.gives
  %j.gets = select i1 %j.own, i64 %takes, i64 0
  %j.rest = sub i64 %j.has, %j.gives
  %j.now = add i64 %j.rest, %j.gets
  br label %laid.one
laid.one:
  %j.room.now = trunc i64 %j.now to {LENGTH}
  store {LENGTH} %j.room.now, ptr %j.room
  %j.head.at = ptrtoint ptr %j.size to i64
  %begin.bytes = mul i64 %begin, {_bytes(room)}
  %j.lies = add i64 %members.at, %begin.bytes
  %j.away = sub i64 %j.lies, %j.head.at
  %j.away.now = trunc i64 %j.away to {LENGTH}
  store {LENGTH} %j.away.now, ptr %j.far
  %begin.next = add i64 %begin, %j.now
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, {room.lists}
  br i1 %j.more, label %lay, label %put
put:
  call void @llvm.memcpy.p0.p0.i64(ptr %members, ptr %laid, i64 {room.size * _bytes(room)}, i1 false)
  ret i1 true
}}"""
