"""The operations of the language, a row each: the one place that says what is known of them.

The checker reads what they are given and give, and what they tell of hidden things; the compiler what they ask of and
what they take; the rulebook how they are said. What they become is in `compiler/lower/operations`, but for those that a
function of `engine/library` is.
"""

from __future__ import annotations

from typing import Literal

from interpreter.language import typed as t
from interpreter.language.tree import TreeNode, replace
from interpreter.language.typed import Type

SOMEBODY = replace(t.PLAYER, optional=True)
Asks = Literal[
    "values", "teams", "seats", "players", "order", "chance", "open", "course", "variable", "lying", "holders", "hands",
    "faults",
]  # fmt: skip
"""What an operation asks of besides the values that it is given, on which it hangs who may know what it comes to.

values: nothing. teams: how teams are seated, which may change while a match is played; all the rest asks the table at
which that is. seats: how players sit. players: also who takes part, and in which direction. order: in which order cards
lie where they are. chance: it comes to something else each time. open: what everybody sees of a match. course: how
often a stage has begun. variable: what the variable that it names holds. lying: of a card, where it lies, or how, if
everybody can see that. holders: where a card lies that perhaps not everybody sees. hands: what somebody has or could
do. faults: what nobody has claimed yet.
"""
Takes = Literal["", "one", "some", "rest", "ways", "all"]
"""Which of the cards, or other things, that an operation is given it comes to: one of its only value, some of its last
value by a number that stands before it, the rest of its first value, ways to take some of that, or all."""


class Operation(TreeNode, frozen=True):
    """What is known of an operation.

    name: what trees call it. asks: what it asks of besides its values; each has to say it, for what is hidden hangs
    on that. word: how a ruleset writes it before `of` if its values have fixed types: what it is given, and gives; what
    depends on the types of values, or is given a name, is in `check/functions`.
    none: what a value of none does: "passes" makes the whole none, "whom" does, too, where it is asked of somebody or
    of a place; "" leaves it to the operation, as must be what may give none by itself.
    takes: which of the cards that it is given it comes to, where it does not look at what they are.
    place: what it asks of a place: how many ("count") cards lie there, or "which" it is; "" all that lies there.
    looks: over what it looks each time: everybody, every place, all melds that could be made, the moves that somebody
    could make, or the sets that it makes. counts: whether it counts what there is.
    test: whether it is a condition, and no value that may happen to be yes or no.
    lists: whether it goes through all of a list that it is given, which counts as steps; through sets each does.
    answers: whether it has an answer whatever it is given, so that it can be asked although perhaps nobody would have.
    itself: whether a card that lies somewhere is that very one to it, and of equal ones none of the others.
    library: the function of `engine/library` that it is, if that needs nothing but its values: then it is lowered by
    that name, and worked out before play where its values are settled. A rank is a number to it, and a card; of the
    members of a set some may be none (the rank of a joker), whatever their type says.
    says: how a rulebook says it; {'s} is a genitive, {name} what it names.
    """

    name: str
    asks: Asks
    word: str = ""
    given: tuple[Type, ...] = ()
    gives: Type = t.UNKNOWN
    none: Literal["", "passes", "whom"] = ""
    looks: Literal["", "seats", "places", "melds", "moves", "sets"] = ""
    takes: Takes = ""
    place: Literal["", "count", "which"] = ""
    counts: bool = False
    test: bool = False
    lists: bool = False
    answers: bool = False
    itself: bool = False
    library: str = ""
    says: str = ""


_ONE, _NUMBERS = (t.PLAYER,), (t.INTEGER, t.INTEGER)
_SEATED = ("seats", "teams", "players")
_ROWS = (
    # reckoning, comparing and joining
    *(Operation(name, "values", none="passes") for name in ("+", "-", "*", "div")),
    Operation("mod", "values", none="passes", says="the remainder of {} divided by {}"),
    *(Operation(name, "values", answers=True) for name in ("=", "!=", "<", "<=", ">", ">=")),
    *(Operation(name, "values", test=True, answers=True) for name in ("and", "or", "not")),
    Operation("is empty", "values", place="count", test=True, answers=True),
    Operation("matches", "values", test=True),
    Operation("in", "values", test=True, lists=True, itself=True),
    Operation("greater", "values", "greater", _NUMBERS, t.INTEGER, "passes", says="the greater of {} and {}"),
    Operation("lesser", "values", "lesser", _NUMBERS, t.INTEGER, "passes", says="the lesser of {} and {}"),
    # players and teams
    Operation("left of", "seats", "left", _ONE, t.PLAYER, "whom", says="the player to the left of {}"),
    Operation("right of", "seats", "right", _ONE, t.PLAYER, "whom", says="the player to the right of {}"),
    Operation("across from", "seats", "across from", _ONE, t.PLAYER, "whom", "seats", says="the player across from {}"),
    Operation("next after", "players", gives=t.PLAYER, none="whom", looks="seats"),
    Operation("seat of", "seats", "seat", _ONE, t.INTEGER, "whom", "seats", counts=True, says="{'s} seat number"),
    Operation("partner of", "teams", "partner", _ONE, t.PLAYER, "whom", says="{'s} partner"),
    Operation("team of", "teams", "team", _ONE, t.TEAM, "whom", says="{'s} side"),
    Operation("members of", "teams", "members", (t.TEAM,), t.PLAYERS, "whom", says="the members of {}"),
    Operation("others", "values", says="the others"),
    Operation("lowest", "variable", looks="seats", says="the players with the lowest {name}"),
    Operation("highest", "variable", looks="seats", says="the players with the highest {name}"),
    Operation("option of", "values", none="whom", says="{'s} {name}"),
    Operation("can", "hands", none="whom", looks="moves", test=True),
    # cards, suits and ranks
    Operation("suit", "values", answers=True, says="{'s} suit"),
    Operation("rank", "values", answers=True, says="{'s} rank"),
    Operation("colour", "values", answers=True, says="{'s} colour"),
    Operation("name", "values", none="passes", says="{'s} name"),
    Operation("colour of", "values", "colour", (t.SUIT,), t.COLOUR, "whom", says="the colour of {}"),
    Operation("holder of", "holders", "holder", (t.CARD,), SOMEBODY, "", "places", itself=True,
              says="the player who holds {}"),
    Operation("player of", "lying", "player", (t.CARD,), SOMEBODY, "", "seats", says="the player who played {}"),
    Operation("face up", "lying", looks="places", test=True),
    Operation("face down", "lying", looks="places", test=True),
    Operation("place of", "values", none="passes", counts=True, says="the height of {}"),
    Operation("distance", "values", none="passes", counts=True, says="the distance from {} to {}"),
    Operation("distance around", "values", none="passes", counts=True,
              says="the distance (around the corner) from {} to {}"),
    Operation("next in rank", "values", "next_in_rank", (t.RANK, t.RANK), t.FLAG, test=True),
    # melds
    Operation("is meld", "open", looks="melds", test=True),
    Operation("melds", "open", looks="melds"),
    Operation("meld of", "open", looks="melds", says="the meld in {}"),
    Operation("extends", "open", looks="melds", test=True),
    Operation("replaced", "open", looks="melds", says="the wild card of {} that stands for {}"),
    Operation("meld kind", "values", says="{'s} kind"),
    Operation("meld size", "values", counts=True, says="{'s} number of cards"),
    Operation("meld low", "values", says="{'s} lowest rank"),
    Operation("meld high", "values", says="{'s} highest rank"),
    Operation("meld suit", "values", says="{'s} suit"),
    Operation("meld cards", "values", says="the cards of {}"),
    # zones, sets and lists
    Operation("top", "order", takes="one", answers=True, says="the top card of {}"),
    Operation("bottom", "order", takes="one", answers=True, says="the bottom card of {}"),
    Operation("newest", "order", takes="one", says="the newest card of {}"),
    Operation("owner of", "values", none="whom", place="which", says="the owner of {}"),
    Operation("index of", "values", none="whom", place="which", counts=True, says="the number of {}"),
    Operation("count", "values", place="count", counts=True, answers=True),
    Operation("group", "values", takes="all"),
    Operation("union", "values", takes="all", lists=True),
    Operation("without", "values", takes="rest", lists=True, itself=True, says="{} without {}"),
    Operation("numbers", "values", library="numbers"),
    Operation("top cards", "order", takes="some"),
    Operation("bottom cards", "order", takes="some"),
    Operation("first", "values", takes="some"),
    Operation("drawn", "chance", takes="some"),
    Operation("subsets", "values", looks="sets", takes="ways"),
    Operation("card number", "order", takes="some", says="card {} from the top of {}"),
    Operation("item", "values", says="the entry for {} in {}"),
    Operation("cycle", "values", says="the entry that {}, counted over and over, comes to in {}"),
    Operation("random", "chance", takes="one", says="one of {}, by chance"),
    Operation("start", "values", "start", (t.INTEGER, t.TEXT), t.TEXT, "passes", library="start",
              says="the first {} letters of {}"),
    # tricks, stages and faults
    Operation("void", "hands", test=True),
    Operation("tricks of", "open", none="whom", counts=True, says="{'s} number of tricks"),
    Operation("team tricks", "open", none="whom", counts=True, says="{'s} number of tricks"),
    Operation("number of", "course", counts=True, answers=True, says="the number of the {name}"),
    Operation("fault count", "faults", "fault_count", _ONE, t.INTEGER, "whom", counts=True,
              says="{'s} number of faults that can be claimed"),
    Operation("fault age", "faults", "fault_age", _ONE, t.INTEGER, "whom", counts=True,
              says="the age of {'s} newest fault"),
    Operation("lapsed count", "faults", "lapsed_count", _ONE, t.INTEGER, "whom", counts=True,
              says="{'s} number of faults that are forgotten"),
)  # fmt: skip

OPERATIONS = {row.name: row for row in _ROWS}
assert len(OPERATIONS) == len(_ROWS), "an operation has two rows"
assert all(row.gives != t.UNKNOWN for row in _ROWS if row.asks in _SEATED), "whoever is found by a seat is somebody"
assert not any(row.none == "passes" and row.gives.optional for row in _ROWS), "what may give none does not pass it on"

FUNCTIONS = {row.word: row for row in _ROWS if row.word}
"""What is written before `of` and takes values of fixed types, by the word."""


def asking(*what: Asks) -> frozenset[str]:
    """The operations that ask of one of these."""
    return frozenset(row.name for row in _ROWS if row.asks in what)


def taking(*which: Takes) -> frozenset[str]:
    """The operations that take so much of what they are given."""
    return frozenset(row.name for row in _ROWS if row.takes in which)


ASK_TEAMS = asking("teams")
ASK_TABLE = frozenset(OPERATIONS) - asking("values", "teams")
BY_CHANCE = asking("chance")
BY_ORDER = asking("order")
"""What takes cards by the order in which they lie."""
OF_CARD = asking("lying")
"""What asks of a card only where or how it lies."""
OF_FAULTS = asking("faults")
OF_SEATS = frozenset(row.name for row in _ROWS if row.asks in ("seats", "teams") and row.gives in (t.PLAYER, t.TEAM))
"""Players and teams that are found by how they sit."""
OF_WHAT_IT_IS_GIVEN = asking("values", "teams", "seats", "players", "order", "chance", "open")
"""What hangs on nothing that may be hidden but the values that it is given, and so is known to those who know these."""
NEIGHBOURS = frozenset(row.name for row in _ROWS if row.asks in _SEATED and row.gives == t.PLAYER)
"""What gives another player than the one that it is given."""

TAKE_ONE, TAKE_SOME, TAKE_ALL = taking("one"), taking("some"), taking("all")
TAKE_OF_FIRST = taking("rest", "ways")
NUMBERED = frozenset(row.name for row in _ROWS if row.place == "count")
"""What asks of a place no more than how many cards lie there."""
OF_PLACE = frozenset(row.name for row in _ROWS if row.place == "which")
"""What asks of a place which it is, and not what lies there."""

TELL_EQUAL_CARDS = frozenset(row.name for row in _ROWS if row.itself)

OF_SOMEBODY = frozenset(row.name for row in _ROWS if row.none == "whom")
PASS_NONE_ON = OF_SOMEBODY | {row.name for row in _ROWS if row.none == "passes"}
COUNTS = frozenset(row.name for row in _ROWS if row.counts)
TESTS = frozenset(row.name for row in _ROWS if row.test)
ANSWER = frozenset(row.name for row in _ROWS if row.answers)
