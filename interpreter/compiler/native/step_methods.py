"""The methods of a state that is machine code, in LLVM: what is asked in each turn of play step by step.

Moves are told as tuples, where they are one card of some each, which are looked up in `@cards`, or where the same was
told before, which `@known` has; or as choices of several cards of some, which `@makers` make. All others `@reader`
makes. What is unusual the slow methods of the state do, or the plain ones where it has left machine code meanwhile.
"""

METHODS = """
define internal ptr @cards_of(i64 %mask) {
entry:
  %many = call i64 @llvm.ctpop.i64(i64 %mask)
  %cards = call ptr @PyTuple_New(i64 %many)
  %lost = icmp eq ptr %cards, null
  br i1 %lost, label %after, label %head
head:
  %at = phi i64 [ 0, %entry ], [ %next, %turn ]
  %rest = phi i64 [ %mask, %entry ], [ %fewer, %turn ]
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %turn, label %after
turn:
  %card = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %number = call ptr @PyLong_FromLongLong(i64 %card)
  %done = call i32 @PyTuple_SetItem(ptr %cards, i64 %at, ptr %number)
  %next = add i64 %at, 1
  %less = sub i64 %rest, 1
  %fewer = and i64 %rest, %less
  br label %head
after:
  ret ptr %cards
}
define internal ptr @choices(ptr %out, i64 %words) {
  %args = alloca [3 x ptr], align 16
  %whole = icmp eq i64 %words, 5
  br i1 %whole, label %look, label %none
look:
  %at.action = getelementptr i64, ptr %out, i64 1
  %action = load i64, ptr %at.action
  %makers = load ptr, ptr @makers
  %row = call ptr @PyTuple_GetItem(ptr %makers, i64 %action)
  %least = call i64 @PyTuple_Size(ptr %row)
  %are = icmp sgt i64 %least, 0
  br i1 %are, label %begin, label %none
begin:
  %at.mask = getelementptr i64, ptr %out, i64 2
  %mask = load i64, ptr %at.mask
  %cards = call ptr @cards_of(i64 %mask)
  %missing = icmp eq ptr %cards, null
  br i1 %missing, label %failed, label %given
given:
  store ptr %cards, ptr %args
  br label %fill
fill:
  %at = phi i64 [ 1, %given ], [ %next, %fill ]
  %place = add i64 %at, 2
  %at.word = getelementptr i64, ptr %out, i64 %place
  %word = load i64, ptr %at.word
  %number = call ptr @PyLong_FromLongLong(i64 %word)
  %at.arg = getelementptr ptr, ptr %args, i64 %at
  store ptr %number, ptr %at.arg
  %next = add i64 %at, 1
  %more = icmp slt i64 %next, 3
  br i1 %more, label %fill, label %call
call:
  %maker = call ptr @PyTuple_GetItem(ptr %row, i64 0)
  %found = call ptr @PyObject_Vectorcall(ptr %maker, ptr %args, i64 3, ptr null)
  br label %drop
drop:
  %from = phi i64 [ 0, %call ], [ %after, %drop ]
  %at.old = getelementptr ptr, ptr %args, i64 %from
  %old = load ptr, ptr %at.old
  call void @Py_DecRef(ptr %old)
  %after = add i64 %from, 1
  %on = icmp slt i64 %after, 3
  br i1 %on, label %drop, label %made
made:
  %lost = icmp eq ptr %found, null
  br i1 %lost, label %failed, label %done
failed:
  ret ptr inttoptr (i64 -1 to ptr)
done:
  ret ptr %found
none:
  ret ptr null
}
define internal ptr @known_moves(ptr %out, i64 %words) {
entry:
  %short = icmp eq i64 %words, 3
  br i1 %short, label %look, label %list
look:
  %at.action = getelementptr i64, ptr %out, i64 1
  %action = load i64, ptr %at.action
  %cards = load ptr, ptr @cards
  %row = call ptr @PyTuple_GetItem(ptr %cards, i64 %action)
  %least = call i64 @PyTuple_Size(ptr %row)
  %are = icmp sgt i64 %least, 0
  br i1 %are, label %those, label %list
those:
  %at.mask = getelementptr i64, ptr %out, i64 2
  %mask = load i64, ptr %at.mask
  %many = call i64 @llvm.ctpop.i64(i64 %mask)
  %moves = call ptr @PyTuple_New(i64 %many)
  %lost = icmp eq ptr %moves, null
  br i1 %lost, label %after, label %head
head:
  %at = phi i64 [ 0, %those ], [ %next, %turn ]
  %rest = phi i64 [ %mask, %those ], [ %fewer, %turn ]
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %turn, label %after
turn:
  %card = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %move = call ptr @PyTuple_GetItem(ptr %row, i64 %card)
  call void @Py_IncRef(ptr %move)
  %done = call i32 @PyTuple_SetItem(ptr %moves, i64 %at, ptr %move)
  %next = add i64 %at, 1
  %less = sub i64 %rest, 1
  %fewer = and i64 %rest, %less
  br label %head
after:
  ret ptr %moves
list:
  %told = call ptr @bytes_of(ptr %out, i64 %words)
  %missing = icmp eq ptr %told, null
  br i1 %missing, label %none, label %seek
seek:
  %known = load ptr, ptr @known
  %found = call ptr @PyDict_GetItemWithError(ptr %known, ptr %told)
  call void @Py_DecRef(ptr %told)
  %there = icmp ne ptr %found, null
  br i1 %there, label %take, label %none
take:
  call void @Py_IncRef(ptr %found)
  ret ptr %found
none:
  call void @PyErr_Clear()
  ret ptr null
}
define internal ptr @read_moves(ptr %out, i64 %words) {
  %args = alloca [1 x ptr], align 16
  %told = call ptr @bytes_of(ptr %out, i64 %words)
  %missing = icmp eq ptr %told, null
  br i1 %missing, label %none, label %read
read:
  store ptr %told, ptr %args
  %reader = load ptr, ptr @reader
  %found = call ptr @PyObject_Vectorcall(ptr %reader, ptr %args, i64 1, ptr null)
  call void @Py_DecRef(ptr %told)
  ret ptr %found
none:
  ret ptr null
}
define internal ptr @slow(ptr %self, ptr %match, ptr %plain, ptr %slow, ptr %args, i64 %count, ptr %names) {
  %settled = icmp eq ptr %match, null
  %where = select i1 %settled, ptr %plain, ptr %slow
  %name = load ptr, ptr %where
  %method = call ptr @PyObject_GetAttr(ptr %self, ptr %name)
  %lost = icmp eq ptr %method, null
  br i1 %lost, label %none, label %go
go:
  %found = call ptr @PyObject_Vectorcall(ptr %method, ptr %args, i64 %count, ptr %names)
  call void @Py_DecRef(ptr %method)
  ret ptr %found
none:
  ret ptr null
}
define ptr @get_over(ptr %self, ptr %closure) {
  %match = call ptr @match_of(ptr %self)
  %settled = icmp eq ptr %match, null
  br i1 %settled, label %none, label %go
go:
  %s = call ptr @memory_of(ptr %match)
  %at.who = call ptr @at_who(ptr %s)
  %who = load i64, ptr %at.who
  %over = icmp eq i64 %who, 0
  %word = zext i1 %over to i64
  %found = call ptr @PyBool_FromLong(i64 %word)
  ret ptr %found
none:
  ret ptr null
}
define internal ptr @several_actors(ptr %s) {
  %out = alloca [$ROOM$ x i64], align 16
  store i64 0, ptr %out
  %at.out = getelementptr %State, ptr %s, i32 0, i32 $AT_OUT$
  store ptr %out, ptr %at.out
  call void @own_actors(ptr %s)
  %words = call i64 @words_told(ptr %s, ptr %out)
  %some = icmp sgt i64 %words, 1
  br i1 %some, label %begin, label %none
begin:
  %many = sub i64 %words, 2
  %list = call ptr @PyList_New(i64 %many)
  %lost = icmp eq ptr %list, null
  br i1 %lost, label %failed, label %head
head:
  %at = phi i64 [ 0, %begin ], [ %next, %turn ]
  %more = icmp slt i64 %at, %many
  br i1 %more, label %turn, label %after
turn:
  %place = add i64 %at, 2
  %at.word = getelementptr i64, ptr %out, i64 %place
  %word = load i64, ptr %at.word
  %number = call ptr @PyLong_FromLongLong(i64 %word)
  %done = call i32 @PyList_SetItem(ptr %list, i64 %at, ptr %number)
  %next = add i64 %at, 1
  br label %head
after:
  ret ptr %list
failed:
  call void @PyErr_Clear()
  br label %none
none:
  ret ptr null
}
define ptr @get_actors(ptr %self, ptr %closure) {
  %match = call ptr @match_of(ptr %self)
  %settled = icmp eq ptr %match, null
  br i1 %settled, label %none, label %go
none:
  ret ptr null
go:
  %s = call ptr @memory_of(ptr %match)
  %at.who = call ptr @at_who(ptr %s)
  %who = load i64, ptr %at.who
  %one = icmp sgt i64 %who, 0
  br i1 %one, label %alone, label %ask
alone:
  %list = call ptr @PyList_New(i64 1)
  %lost = icmp eq ptr %list, null
  br i1 %lost, label %after, label %fill
fill:
  %player = sub i64 %who, 1
  %number = call ptr @PyLong_FromLongLong(i64 %player)
  %done = call i32 @PyList_SetItem(ptr %list, i64 0, ptr %number)
  br label %after
after:
  ret ptr %list
ask:
  %broken = icmp eq i64 %who, $FAULT$
  %over = icmp eq i64 %who, 0
  %odd = or i1 %broken, %over
  br i1 %odd, label %slow, label %look
look:
  %all = call ptr @several_actors(ptr %s)
  %fine = icmp ne ptr %all, null
  br i1 %fine, label %tell, label %slow
tell:
  ret ptr %all
slow:
  %found = call ptr @slow(ptr %self, ptr %match, ptr @actors, ptr @slow_actors, ptr null, i64 0, ptr null)
  ret ptr %found
}
define ptr @method_legal_moves(ptr %self, ptr %args, i64 %count) {
  %out = alloca [$ROOM$ x i64], align 16
  %match = call ptr @match_of(ptr %self)
  %there = icmp ne ptr %match, null
  %alone = icmp eq i64 %count, 1
  %fit = and i1 %there, %alone
  br i1 %fit, label %read, label %slow
read:
  %arg = load ptr, ptr %args
  %player = call i64 @whole(ptr %arg)
  %known = icmp ult i64 %player, $N$
  br i1 %known, label %go, label %slow
go:
  %s = call ptr @memory_of(ptr %match)
  %at.who = call ptr @at_who(ptr %s)
  %who = load i64, ptr %at.who
  %over = icmp eq i64 %who, 0
  %broken = icmp eq i64 %who, $FAULT$
  %odd = or i1 %over, %broken
  br i1 %odd, label %slow, label %ask
ask:
  %at.moves = call ptr @slot(ptr %match, ptr @place.moves)
  %before = load ptr, ptr %at.moves
  %at.offered = call ptr @at_offered(ptr %s)
  %offered = load i64, ptr %at.offered
  %mine = add i64 %player, 1
  %other = sub i64 0, %mine
  %same = icmp eq i64 %offered, %mine
  %listed = icmp eq i64 %offered, %other
  %again = or i1 %same, %listed
  br i1 %again, label %tell, label %look
tell:
  call void @Py_IncRef(ptr %before)
  ret ptr %before
look:
  %words = call i64 @offers_told(ptr %s, i64 %player, ptr %out)
  %fine = icmp ne i64 %words, 0
  br i1 %fine, label %find, label %slow
find:
  %choices = call ptr @choices(ptr %out, i64 %words)
  %chosen = icmp ne ptr %choices, null
  br i1 %chosen, label %sure, label %seek
sure:
  %failed = icmp eq ptr %choices, inttoptr (i64 -1 to ptr)
  br i1 %failed, label %none, label %keep
seek:
  %tuple = call ptr @known_moves(ptr %out, i64 %words)
  %found = icmp ne ptr %tuple, null
  br i1 %found, label %keep, label %anew
anew:
  %list = call ptr @read_moves(ptr %out, i64 %words)
  %made = icmp ne ptr %list, null
  br i1 %made, label %which, label %none
which:
  %kind = call ptr @PyObject_Type(ptr %list)
  call void @Py_DecRef(ptr %kind)
  %plain = load ptr, ptr @tuple
  %is.plain = icmp eq ptr %kind, %plain
  %its = select i1 %is.plain, i64 %mine, i64 %other
  br label %keep
keep:
  %moves = phi ptr [ %choices, %sure ], [ %tuple, %seek ], [ %list, %which ]
  %whose = phi i64 [ %other, %sure ], [ %mine, %seek ], [ %its, %which ]
  call void @Py_IncRef(ptr %moves)
  store ptr %moves, ptr %at.moves
  store i64 %whose, ptr %at.offered
  call void @Py_DecRef(ptr %before)
  ret ptr %moves
none:
  ret ptr null
slow:
  %got = call ptr @slow(ptr %self, ptr %match, ptr @legal_moves, ptr @slow_legal_moves, ptr %args, i64 %count,
                        ptr null)
  ret ptr %got
}
define ptr @method_play(ptr %self, ptr %args, i64 %count, ptr %names) {
  %match = call ptr @match_of(ptr %self)
  %there = icmp ne ptr %match, null
  %two = icmp eq i64 %count, 2
  %bare = icmp eq ptr %names, null
  %both = and i1 %there, %two
  %fit = and i1 %both, %bare
  br i1 %fit, label %read, label %slow
read:
  %arg = load ptr, ptr %args
  %at.move = getelementptr ptr, ptr %args, i64 1
  %move = load ptr, ptr %at.move
  %player = call i64 @whole(ptr %arg)
  %known = icmp ult i64 %player, $N$
  br i1 %known, label %go, label %slow
go:
  %s = call ptr @memory_of(ptr %match)
  %at.offered = call ptr @at_offered(ptr %s)
  %offered = load i64, ptr %at.offered
  %mine = add i64 %player, 1
  %other = sub i64 0, %mine
  %at.moves = call ptr @slot(ptr %match, ptr @place.moves)
  %moves = load ptr, ptr %at.moves
  %same = icmp eq i64 %offered, %mine
  br i1 %same, label %search, label %ask
ask:
  %listed = icmp eq i64 %offered, %other
  br i1 %listed, label %seek, label %slow
seek:
  %name = load ptr, ptr @place_of
  %method = call ptr @PyObject_GetAttr(ptr %moves, ptr %name)
  %odd = icmp eq ptr %method, null
  br i1 %odd, label %none, label %find
find:
  %answer = call ptr @PyObject_Vectorcall(ptr %method, ptr %at.move, i64 1, ptr null)
  call void @Py_DecRef(ptr %method)
  %wrong = icmp eq ptr %answer, null
  br i1 %wrong, label %none, label %read.place
read.place:
  %place = call i64 @whole(ptr %answer)
  call void @Py_DecRef(ptr %answer)
  %is.there = icmp sge i64 %place, 0
  br i1 %is.there, label %hit, label %slow
search:
  %many = call i64 @PyTuple_Size(ptr %moves)
  br label %head
head:
  %at = phi i64 [ 0, %search ], [ %next, %turn ]
  %more = icmp slt i64 %at, %many
  br i1 %more, label %turn, label %slow
turn:
  %one = call ptr @PyTuple_GetItem(ptr %moves, i64 %at)
  %next = add i64 %at, 1
  %is = icmp eq ptr %one, %move
  br i1 %is, label %hit, label %head
hit:
  %nth = phi i64 [ %at, %turn ], [ %place, %read.place ]
  %history = call ptr @PyTuple_New(i64 3)
  %lost = icmp eq ptr %history, null
  br i1 %lost, label %none, label %list
list:
  %happened = call ptr @PyList_New(i64 0)
  %missing = icmp eq ptr %happened, null
  br i1 %missing, label %drop, label %make
make:
  %who = call i64 @make(ptr %s, i64 %player, i64 %nth)
  %broken = icmp eq i64 %who, $FAULT$
  br i1 %broken, label %undo, label %note
note:
  %at.history = call ptr @slot(ptr %match, ptr @place.history)
  %before = load ptr, ptr %at.history
  call void @Py_IncRef(ptr %arg)
  call void @Py_IncRef(ptr %move)
  %first = call i32 @PyTuple_SetItem(ptr %history, i64 0, ptr %before)
  %second = call i32 @PyTuple_SetItem(ptr %history, i64 1, ptr %arg)
  %third = call i32 @PyTuple_SetItem(ptr %history, i64 2, ptr %move)
  store ptr %history, ptr %at.history
  ret ptr %happened
undo:
  call void @Py_DecRef(ptr %happened)
  call void @Py_DecRef(ptr %history)
  br label %slow
drop:
  call void @Py_DecRef(ptr %history)
  br label %none
none:
  ret ptr null
slow:
  %other.found = call ptr @slow(ptr %self, ptr %match, ptr @play, ptr @slow_play, ptr %args, i64 %count, ptr %names)
  ret ptr %other.found
}"""
