"""The operations of the language, a row each: the one place that says what is known of them.

The checker reads what they are given and give, the compiler what they ask of and what they take, the rulebook how they
are said. What they become is in `compiler/lower/operations`, but for those that a function of `engine/library` is.
"""

from __future__ import annotations

from typing import Literal

from interpreter.language import typed as t
from interpreter.language.tree import TreeNode, replace
from interpreter.language.typed import Type

SOMEBODY = replace(t.PLAYER, optional=True)


class Operation(TreeNode, frozen=True):
    """What is known of an operation.

    name: what trees call it. word: how a ruleset writes it before `of` if its values have fixed types: what it is
    given, and gives; what depends on the types of values, or is given a name, is in `check/functions`.
    asks: whether it asks the table at which a match is being played, or how teams are seated, which may change there.
    none: what a value of none does: "passes" makes the whole none, "whom" does, too, where it is asked of somebody or
    of a place; "" leaves it to the operation, as must be what may give none by itself.
    looks: whether it looks everybody over, or every place, each time. counts: whether it counts what there is.
    test: whether it is a condition, and no value that may happen to be yes or no.
    lists: whether it goes through all of a list that it is given; through sets each does.
    library: the function of `engine/library` that it is, if that needs nothing but its values: then it is lowered by
    that name, and worked out before play where its values are settled. A rank is a number to it, and a card; of the
    members of a set some may be none (the rank of a joker), whatever their type says.
    says: how a rulebook says it; {'s} is a genitive.
    """

    name: str
    word: str = ""
    given: tuple[Type, ...] = ()
    gives: Type = t.UNKNOWN
    asks: Literal["", "table", "teams"] = ""
    none: Literal["", "passes", "whom"] = ""
    looks: Literal["", "seats", "places"] = ""
    counts: bool = False
    test: bool = False
    lists: bool = False
    library: str = ""
    says: str = ""


_ONE, _NUMBERS = (t.PLAYER,), (t.INTEGER, t.INTEGER)
_ROWS = (
    # reckoning, comparing and joining
    *(Operation(name, none="passes") for name in ("+", "-", "*", "div", "mod")),
    *(Operation(name) for name in ("=", "!=", "<", "<=", ">", ">=")),
    *(Operation(name, test=True) for name in ("and", "or", "not", "is empty", "matches")),
    Operation("in", test=True, lists=True),
    Operation("greater", "greater", _NUMBERS, t.INTEGER, none="passes", says="the greater of {} and {}"),
    Operation("lesser", "lesser", _NUMBERS, t.INTEGER, none="passes", says="the lesser of {} and {}"),
    # players and teams
    Operation("left of", "left", _ONE, t.PLAYER, "table", "whom", says="the player to the left of {}"),
    Operation("right of", "right", _ONE, t.PLAYER, "table", "whom", says="the player to the right of {}"),
    Operation("across from", "across from", _ONE, t.PLAYER, "table", "whom", "seats", says="the player across from {}"),
    Operation("next after", asks="table", none="whom", looks="seats"),
    Operation("seat of", "seat", _ONE, t.INTEGER, "table", "whom", "seats", counts=True, says="{'s} seat number"),
    Operation("partner of", "partner", _ONE, t.PLAYER, "teams", "whom", says="{'s} partner"),
    Operation("team of", "team", _ONE, t.TEAM, "teams", "whom", says="{'s} side"),
    Operation("members of", "members", (t.TEAM,), t.PLAYERS, "teams", "whom", says="the members of {}"),
    Operation("others", says="the others"),
    Operation("lowest", asks="table", looks="seats"),
    Operation("highest", asks="table", looks="seats"),
    Operation("option of", none="whom", says="{'s} {name}"),
    Operation("can", asks="table", none="whom", test=True),
    # cards, suits and ranks
    Operation("suit", says="{'s} suit"),
    Operation("rank", says="{'s} rank"),
    Operation("colour", says="{'s} colour"),
    Operation("name", none="passes", says="{'s} name"),
    Operation("colour of", "colour", (t.SUIT,), t.COLOUR, none="whom", says="the colour of {}"),
    Operation("holder of", "holder", (t.CARD,), SOMEBODY, "table", "", "places", says="the player who holds {}"),
    Operation("player of", "player", (t.CARD,), SOMEBODY, "table", "", "seats", says="the player who played {}"),
    Operation("face up", asks="table", looks="places", test=True),
    Operation("face down", asks="table", looks="places", test=True),
    Operation("place of", none="passes", counts=True, says="the height of {}"),
    Operation("distance", counts=True, says="the distance from {} to {}"),
    Operation("distance around", counts=True, says="the distance (around the corner) from {} to {}"),
    Operation("next in rank", "next_in_rank", (t.RANK, t.RANK), t.FLAG, test=True),
    # melds
    Operation("is meld", asks="table", test=True),
    Operation("melds", asks="table"),
    Operation("meld of", asks="table", says="the meld in {}"),
    Operation("extends", asks="table", test=True),
    Operation("replaced", asks="table", says="the wild card of {} that stands for {}"),
    Operation("meld kind", says="{'s} kind"),
    Operation("meld size", counts=True, says="{'s} number of cards"),
    Operation("meld low", says="{'s} lowest rank"),
    Operation("meld high", says="{'s} highest rank"),
    Operation("meld suit", says="{'s} suit"),
    Operation("meld cards", says="the cards of {}"),
    # zones, sets and lists
    Operation("top", asks="table", says="the top card of {}"),
    Operation("bottom", asks="table", says="the bottom card of {}"),
    Operation("newest", asks="table", says="the newest card of {}"),
    Operation("owner of", none="whom", says="the owner of {}"),
    Operation("index of", none="whom", counts=True, says="the number of {}"),
    Operation("count", counts=True),
    Operation("group"),
    Operation("union", lists=True),
    Operation("without", lists=True, says="{} without {}"),
    Operation("numbers", library="numbers"),
    Operation("top cards", asks="table"),
    Operation("bottom cards", asks="table"),
    Operation("first"),
    Operation("drawn", asks="table"),
    Operation("subsets"),
    Operation("card number", asks="table", says="card {} from the top of {}"),
    Operation("item", says="the entry for {} in {}"),
    Operation("cycle", says="the entry that {}, counted over and over, comes to in {}"),
    Operation("random", asks="table", says="one of {}, by chance"),
    Operation("start", "start", (t.INTEGER, t.TEXT), t.TEXT, library="start", says="the first {} letters of {}"),
    # tricks, stages and faults
    Operation("void", asks="table", test=True),
    Operation("tricks of", asks="table", none="whom", counts=True, says="{'s} number of tricks"),
    Operation("team tricks", asks="table", none="whom", counts=True, says="{'s} number of tricks"),
    Operation("number of", asks="table", counts=True),
    Operation("fault count", "fault_count", _ONE, t.INTEGER, "table", "whom", counts=True,
              says="{'s} number of faults that can be claimed"),
    Operation("fault age", "fault_age", _ONE, t.INTEGER, "table", "whom", counts=True,
              says="the age of {'s} newest fault"),
    Operation("lapsed count", "lapsed_count", _ONE, t.INTEGER, "table", "whom", counts=True,
              says="{'s} number of faults that are forgotten"),
)  # fmt: skip

OPERATIONS = {row.name: row for row in _ROWS}
assert len(OPERATIONS) == len(_ROWS), "an operation has two rows"
assert not any(row.none == "passes" and row.gives.optional for row in _ROWS), "what may give none does not pass it on"

FUNCTIONS = {row.word: row for row in _ROWS if row.word}
"""What is written before `of` and takes values of fixed types, by the word."""
ASK_TABLE = frozenset(row.name for row in _ROWS if row.asks == "table")
ASK_TEAMS = frozenset(row.name for row in _ROWS if row.asks == "teams")
OF_SOMEBODY = frozenset(row.name for row in _ROWS if row.none == "whom")
PASS_NONE_ON = OF_SOMEBODY | {row.name for row in _ROWS if row.none == "passes"}
COUNTS = frozenset(row.name for row in _ROWS if row.counts)
TESTS = frozenset(row.name for row in _ROWS if row.test)
