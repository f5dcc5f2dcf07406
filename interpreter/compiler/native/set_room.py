"""Cards at places of which most are empty, and the melds that lie there: sets of cards that share their room.

Each place says by its number which set lies there; 0 is the empty one, which is never changed. What lies at a place and
the meld that was seen there last are mostly the same cards, and so are one set. A set is free where nothing says its
number.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.compiler.native.meld_plans import KIND

FACE = "i16"
"""How the face of a meld is kept: one more, so that 0 is none."""
MOST_KINDS = (1 << 16 - KIND) - 1
"""For the numbers of so many kinds of meld there is room in a face that is kept so."""
OF_SET = "set"
"""What stands for the type of a number of a set where it is said which type something has."""


class SetRoom(NamedTuple):
    """Where sets of cards lie that share their room.

    sets: the field with these, after which come those with how often the number of each is said, with the face of the
    meld that it is, and with the number of the meld at each place of which the rules ask which lies there.
    size: for how many there is room besides the empty one. word: the type of a set.
    """

    sets: int
    size: int
    word: str


def set_text(room: SetRoom) -> str:
    """LLVM that reads and changes what lies at a place, and the meld there. at: where the number of its set lies."""
    return _looking(room) + _laying(room) + _laying_melds(room)


def _looking(room: SetRoom) -> str:
    """Where the set of a place lies, how often the number of one is said, and its face; and another number is said."""
    return f"""
define internal ptr @set_of(ptr %s, ptr %at) alwaysinline {{
  %number = load i8, ptr %at
  %own = zext i8 %number to i64
  %set = getelementptr %State, ptr %s, i32 0, i32 {room.sets}, i64 %own
  ret ptr %set
}}
define internal ptr @times_of(ptr %s, i64 %own) alwaysinline {{
  %times = getelementptr %State, ptr %s, i32 0, i32 {room.sets + 1}, i64 %own
  ret ptr %times
}}
define internal ptr @face_of(ptr %s, ptr %at) alwaysinline {{
  %number = load i8, ptr %at
  %own = zext i8 %number to i64
  %face = getelementptr %State, ptr %s, i32 0, i32 {room.sets + 2}, i64 %own
  ret ptr %face
}}
define internal void @say_set(ptr %s, ptr %at, i64 %own) {{
  %before = load i8, ptr %at
  %gone = zext i8 %before to i64
  %gone.at = call ptr @times_of(ptr %s, i64 %gone)
  %gone.times = load i8, ptr %gone.at
  %gone.less = sub i8 %gone.times, 1
  store i8 %gone.less, ptr %gone.at
  %come.at = call ptr @times_of(ptr %s, i64 %own)
  %come.times = load i8, ptr %come.at
  %come.more = add i8 %come.times, 1
  store i8 %come.more, ptr %come.at
  %now = trunc i64 %own to i8
  store i8 %now, ptr %at
  ret void
}}"""


def _laying(room: SetRoom) -> str:
    """Other cards lie at a place: in its own set, or in another where it has none alone; false where none is free."""
    return f"""
define internal i1 @lay_set(ptr %s, ptr %at, {room.word} %cards) {{
entry:
  %number = load i8, ptr %at
  %own = zext i8 %number to i64
  %set = call ptr @set_of(ptr %s, ptr %at)
  %there = load {room.word}, ptr %set
  %same = icmp eq {room.word} %there, %cards
  br i1 %same, label %done, label %look
look:
  %none = icmp eq {room.word} %cards, 0
  br i1 %none, label %leave, label %ask
leave:
  call void @say_set(ptr %s, ptr %at, i64 0)
  br label %done
ask:
  %times.at = call ptr @times_of(ptr %s, i64 %own)
  %times = load i8, ptr %times.at
  %alone = icmp eq i8 %times, 1
  %full = icmp ne i64 %own, 0
  %stays = and i1 %alone, %full
  br i1 %stays, label %change, label %seek
change:
  store {room.word} %cards, ptr %set
  br label %done
seek:
  %i = phi i64 [ 1, %ask ], [ %i.next, %on ]
  %more = icmp ule i64 %i, {room.size}
  br i1 %more, label %try, label %no
try:
  %i.at = call ptr @times_of(ptr %s, i64 %i)
  %i.times = load i8, ptr %i.at
  %free = icmp eq i8 %i.times, 0
  br i1 %free, label %take, label %on
on:
  %i.next = add i64 %i, 1
  br label %seek
take:
  call void @say_set(ptr %s, ptr %at, i64 %i)
  %new = call ptr @set_of(ptr %s, ptr %at)
  store {room.word} %cards, ptr %new
  br label %done
no:
  ret i1 false
done:
  ret i1 true
}}"""


def _laying_melds(room: SetRoom) -> str:
    """The meld that is kept of a place is another, or none; false where no set is free. place: as at, of what lies
    there: if that is the cards of the meld they are one set."""
    return f"""
define internal i1 @lay_meld_set(ptr %s, ptr %at, ptr %place, {room.word} %cards, i64 %face) {{
entry:
  %there.at = call ptr @set_of(ptr %s, ptr %place)
  %there = load {room.word}, ptr %there.at
  %same = icmp eq {room.word} %there, %cards
  br i1 %same, label %share, label %apart
share:
  %number = load i8, ptr %place
  %own = zext i8 %number to i64
  call void @say_set(ptr %s, ptr %at, i64 %own)
  br label %tell
apart:
  %fine = call i1 @lay_set(ptr %s, ptr %at, {room.word} %cards)
  br i1 %fine, label %tell, label %no
tell:
  %now = load i8, ptr %at
  %any = icmp ne i8 %now, 0
  br i1 %any, label %keep, label %done
keep:
  %face.at = call ptr @face_of(ptr %s, ptr %at)
  %more = add i64 %face, 1
  %kept = trunc i64 %more to {FACE}
  store {FACE} %kept, ptr %face.at
  br label %done
no:
  ret i1 false
done:
  ret i1 true
}}"""
