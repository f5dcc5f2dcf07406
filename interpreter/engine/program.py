"""A compiled game: tables and functions that the machine runs. `compile_game` makes it, nothing changes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field

from interpreter.base.diagnostics import Span
from interpreter.engine.events import Event, Passages, Way
from interpreter.engine.moves import Move
from interpreter.language.templates import Templates

if TYPE_CHECKING:
    from interpreter.engine.honor_code import HonorCode
    from interpreter.engine.melds.meld_code import MeldCode
    from interpreter.engine.situation import Situation

Hook = Callable[["Situation"], Any]
Shape = Literal["none", "card", "cards", "args"]


class ParamCode(Struct, frozen=True, eq=False):
    """A parameter as moves write it. symbols: the words of a choice; prefix: for places, the zone."""

    name: str
    form: str
    symbols: tuple[str, ...] = ()
    zone: str = ""
    several: bool = False
    optional: bool = False
    blind: bool = False
    """Whether the cards may be unseen by who chooses; those are called by their position, 1 for the top."""
    otherwise: Callable[..., Any] | None = None
    """On honour, of a parameter that must be said: (state, player, *arguments before it) -> what holds if it is not."""
    laid: bool = False
    """Whether the cards may be unseen by others, before the move and after."""
    uncounted: tuple[int, ...] = ()
    """Of cards that may be unseen, and of which none may be chosen: the places from which they may come where not
    everybody sees how many lie."""
    eyes: Callable[[Situation, int], int] | None = None
    """Who learns what was chosen; None: everybody."""
    placed: bool = False
    """Whether the cards may lie in several places in which they are called alike; then the place is named too."""
    ended: bool = False
    """Whether something shows where several cards end, because what follows could be read as one more."""
    followed: bool = False
    """Whether it is written that a value was not said, because something else follows."""
    kinds: tuple[str, ...] = ()
    """The kinds of which melds may be."""
    among: Callable[..., int] | None = None
    """Of melds: (state, player, *arguments before it) -> the cards of which they are made, as bits."""
    asked: Callable[..., tuple[str, ...]] | None = None
    """Of melds, where an expression says which are chosen together: (state, player, *arguments before it) -> those."""
    fits: Callable[..., bool] | None = None
    """(state, player, *arguments before it, value) -> whether that can be chosen; where rules ask before they judge."""
    chosen_from: Callable[..., tuple[list[int], int, int]] | None = None
    """Of several cards: (state, player, *arguments before it) -> those that can be chosen, how few and how many."""


class LawCode(Struct, frozen=True, eq=False):
    name: str
    fault: str
    on: str
    """What is judged by the law: "lead", "follow", or "" for every card or any other action."""
    breach: Literal["stands", "taken back"]
    on_breach: Callable[..., None] | None
    says_fault: bool
    """Whether a breach of it in a race is a fault, and not only refused."""
    names_unseen: bool
    """Whether its message may name a card that is chosen unseen."""
    span: Span


class ContestCode(Struct, frozen=True, eq=False):
    """What is contested when several make the move at the same moment, and who wins."""

    over: int | None
    """The number of the parameter that holds the thing; None if the move itself is contested."""
    wins: tuple[str, str] | None
    """A measure, and whether its lowest or highest value wins."""
    ties: Hook | None
    """The player from whom seats are counted when all else is equal."""


class ActionCode(Struct, eq=False):
    """One action of one stage.

    possible, legal: by shape: "none" a bool, "card" the bits of cards, "cards" (bits, low, high), "args" a list of
    argument tuples; possible asks only `when`, legal the laws too. broken: indices of the laws a move breaks.
    message(s, p, law, *args): why a law refuses. says: the words owed, as (name, text, exact).
    """

    index: int
    name: str
    stage: int
    shape: Shape
    params: tuple[ParamCode, ...]
    possible: Callable[..., Any]
    legal: Callable[..., Any]
    any: Callable[..., Any]
    """The lawful arguments, of which it may stop at the first that is found."""
    count: Callable[..., int] | None
    """How many lawful choices of arguments there are; None where they have to be listed for that."""
    nth: Callable[..., tuple[Any, ...]] | None
    """The arguments of a lawful choice by its number in the order of `legal`; None where there is no `count`."""
    offers: Callable[..., bool] | None
    """Whether arguments are among those that are possible, or lawful; None where only the list of them tells."""
    judges: Callable[..., bool] | None
    """What `offers` tells, where of equal cards the one that is meant is looked for and the list may be too long."""
    broken: Callable[..., list[int]]
    apply: Callable[..., None]
    message: Callable[..., str]
    says: Callable[..., list[tuple[str, str, bool]]] | None
    label: Callable[..., str] | None
    laws: tuple[LawCode, ...]
    measured: tuple[tuple[str, Callable[..., tuple[int, int]]], ...]
    contest: ContestCode | None
    hands: int
    """How many hands it takes, where times are given."""
    anytime: bool
    also: tuple[str, ...]
    """Other names of it."""
    talk: bool
    offered: bool
    """Whether it may be among the lawful moves at some time."""
    is_play: bool
    joint: bool
    row: Callable[..., int | None] | None
    """Which of `rows` its card takes: (state, player, *arguments) -> a number or none; None: no row has parameters."""
    rows: tuple[tuple[ParamCode, ...], ...]
    takes_texts: bool
    """Whether any words of the player's own are among what may be chosen."""
    renamed: bool
    """Whether players call the arguments otherwise than the game does: equal cards, unseen cards, what is not said."""
    listed_alike: bool
    """Whether the moves that are listed of it are those that it offers: each has a name of its own."""
    placed: bool
    """Whether some cards are called by the places where they lie too."""
    steady: bool
    """Whether equal arguments are the same move at any time: neither a card's row nor a name depends on the state."""
    apart: bool
    """Whether there may be many lawful arguments that all have names of their own, which take long to make."""
    alike: bool
    """Whether all who take part are offered the same."""
    told: Callable[[Situation, int], int] | None
    """Who is told that a player makes the move; None: everybody."""
    keeps_secrets: bool
    """Whether not everybody learns what was chosen."""
    passes_on: bool
    """Whether all it does is to move the card that was chosen: who saw it go may know which it was."""
    span: Span
    most: int
    """How many moves of it can be listed at once."""
    keeps: int
    """How many of its moves are kept, to be offered again."""
    each: int
    """Steps that are counted for judging one move, besides what is counted where it is carried out."""
    speaking: int
    """Steps that are counted for working out what is said with one move."""
    ways_to_say: int
    """In how many ways that can be said, missing and wrong words among them."""
    tell: Templates = ()
    """How players read of it, where the ruleset says that."""
    row_param: str = ""
    """The parameter by whose card rows tell of it in words of their own."""
    row_tell: Mapping[str, Templates] = field(default_factory=dict)
    """Name of a card -> how players read of a move with it, before what `tell` says."""
    row_names: Mapping[str, str] = field(default_factory=dict)
    """Name of a card -> the row of `cards` that a move with it takes."""
    told_in: str = ""
    """The stage, where another action of this name is told in other words."""
    prompt: Templates = ()
    """How whoever can do it is asked, where the ruleset says that."""
    quiet: bool = False
    """Whether it has to be noticed, and is told only when the deal is over."""
    plain: bool = False
    """Whether a move of it needs nothing but to be judged, told and carried out: its arguments are what they are
    called, nothing is measured, and the turn is its mover's."""
    singly: bool = False
    """Whether a move of it that was offered needs only to be carried out, as all are; of those that are not plain."""
    plainly_told: bool = False
    """Whether the log always tells of the same plain move in the same words, and everybody."""
    interned: dict[Any, Move] = field(default_factory=dict)
    retold: dict[tuple[int, str, int], Event] = field(default_factory=dict)
    """Player, move and bits of those who see all of it -> how the log tells of it."""
    known_moves: list[list[tuple[Move, ...] | None]] = field(default_factory=list)
    """For the shape "card": for each run of 8 cards, by their bits, the moves made so far."""


class StageCode(Struct, eq=False):
    """One stage: its place in the tree and its hooks, None where the ruleset says nothing."""

    index: int
    name: str
    kind: str
    children: tuple[int, ...]
    following: tuple[int, ...]
    """Step -> the next step at which there is a stage inside that can run, or how many stages there are inside."""
    span: Span
    actions: tuple[ActionCode, ...] = ()
    anytime: tuple[ActionCode, ...] = ()
    closed: bool = False
    has_turns: bool = False
    """Whether there are turns or tricks in it."""
    weight: int = 0
    """What an automatic step of it counts: all that it may take, but for what is counted where it is carried out."""
    answers: str = "all"
    params: tuple[tuple[str, int], ...] = ()
    """(name, slot) of the arguments it is called with."""
    takes: tuple[VariableCode, ...] = ()
    """What the arguments it is called with can be, as variables."""
    when: Hook | None = None
    players: Callable[[Situation], list[int]] = field(default=lambda s: [])
    reset: Hook | None = None
    setup: Hook | None = None
    cleanup: Hook | None = None
    until: Hook | None = None
    effect: Hook | None = None
    sources: tuple[int, ...] = ()
    """For tricks: the places from which the players play."""
    resolve: Hook | None = None
    hands: Callable[[Situation, int], int] | None = None
    """How many hands a player may use at a time, in a race."""
    first_dealer: Hook | None = None
    next_dealer: Hook | None = None
    direction: str = "left"
    by_name: dict[str, ActionCode] = field(default_factory=dict)
    only: ActionCode | None = None
    """The action, where there is one and none is open at any time around it."""
    plain_play: ActionCode | None = None
    """For tricks: the play, where it is the only action and nothing is said, measured or open at any time."""
    plain: bool = False
    """Whether there is nothing to do but what `legal` of `within` offers: strict, no talk, nothing around it."""
    within: tuple[ActionCode, ...] = ()
    """The actions of the stage, and those that are open in it at any time."""
    in_turn: bool = False
    """For tricks: everybody plays once, to the left, and no play asks the machine for anything."""
    playout: Callable[..., int] | None = None
    """For tricks and turns: random play of the whole stage in one loop."""
    prompt: Templates = ()
    """What is asked in it, where the ruleset says that."""
    hooks: tuple[Hook, ...] = ()
    """What is done in a stage of effects, in order."""
    at_once: bool = False
    """Whether it is nothing but its `hooks`: they ask the machine for nothing, and nobody's turn is about it."""
    decide: Callable[..., bool | None] | None = None
    """Makes one lawful move at random, where the stage is plain and nobody chooses several cards: whether it concerns
    the turn, None if there is none."""
    begin: Callable[..., None] = field(default=lambda s, f, c: None)
    after: Callable[..., None] = field(default=lambda s, f, c: None)
    """Somebody has moved."""
    ended: Callable[..., None] = field(default=lambda s, f, c: None)
    """For tricks: one is complete."""
    next: Callable[..., None] = field(default=lambda s, f, c: None)
    """For tricks: what one led to is done."""


class StageSecrets(Struct, frozen=True, eq=False):
    """On what hidden things it hangs what comes of a stage: names of zones (a word before them if it is only asked how
    many cards lie there) and of what is no zone."""

    asks: frozenset[str]
    """What is done where it begins or ends, and what comes after it."""
    asks_behind_moves: frozenset[str]
    """What is done in it behind each move, and if it goes on."""
    asks_behind_tricks: frozenset[str]
    """For tricks: who takes one, and what is done then."""
    players_by: frozenset[str]
    """Who takes part."""
    players_by_card: dict[int, int]
    """By place of a zone whose it is, if of hidden things it hangs on those alone who takes part, and of each player
    only on whether any of the cards there, or each, is such as it should be."""
    handed_in_secret: bool
    """Whether it may be called with something that not everybody knows."""
    offers_by: frozenset[str]
    """What is offered in it to those who decide."""
    offers_anytime_by: frozenset[str]
    """What is offered in it to anybody at any time."""
    shows_by_choice: bool
    """Whether it may hang on what somebody chooses in secret there what cards are seen by it."""
    is_done_unnoticed: bool
    """Whether something may be done there of which the others are not told that it was done."""


class Secrets(Struct, frozen=True, eq=False):
    """On what hidden things it hangs what comes of a game: who takes a move back is told of none of them."""

    stages: tuple[StageSecrets, ...]
    actions: dict[ActionCode, frozenset[str]]
    """What a move does, of what is hidden from who makes it, so that it tells of that."""
    offers: dict[ActionCode, frozenset[str]]
    """Whether and how an action is offered, and why it is not, of what is hidden from who makes it."""
    shows_plainly: bool
    """Whether all know to whom cards are shown, whenever some are."""
    tells: frozenset[str]
    """What is seen at any time, or waits to be done."""


class ZoneCode(Struct, frozen=True, eq=False):
    """One family of places. kept: "mask" (bits of cards, no order) or "list" (bottom first, top last)."""

    name: str
    base: int
    size: int
    owners: tuple[int | None, ...]
    """By place of the family: the person whose it is, or None."""
    labels: tuple[str, ...]
    kept: Literal["mask", "list"]
    seen_by: Callable[[Situation, Any], int]
    count_seen_by: Callable[[Situation, Any], int]
    always_seen: bool
    faces_down: bool
    shows_top: bool
    keys: tuple[tuple[int, ...], ...] = ()
    """By place: its index in each dimension, as the ruleset counts."""
    dims: tuple[str, ...] = ()
    beside: str = ""
    """The zone beside which it lies on the table."""


class TokenCode(Struct, frozen=True, eq=False):
    """One kind of pieces. named: what one of them is called; eyes: who sees that a player holds some."""

    named: str
    eyes: Callable[[Situation, int], int]


class VariableCode(Struct, frozen=True, eq=False):
    """One family of variables: slots `base` to `base + size - 1` of the state."""

    name: str
    base: int
    size: int
    kind: str
    symbols: tuple[str, ...]
    dims: tuple[str, ...]
    keys: tuple[tuple[int, ...], ...]
    low: int
    high: int
    seen_by: Callable[[Situation, Any], int] | None
    optional: bool
    begins: Any = None
    """What each says in the beginning, where that is settled before play."""


def place_name(label: str) -> str:
    """What moves call a place that has this label."""
    return label.replace(" ", ".")


class Program(Struct, eq=False):
    """A game compiled for its players, options and enforcement."""

    name: str
    honor: bool
    n: int
    cards: tuple[str, ...]
    """Card number -> name; equal cards share one."""
    first_copy: tuple[int, ...]
    """Card number -> the lowest number of an equal card."""
    copies: dict[int, int]
    """First copy -> bits of all its copies."""
    by_name: dict[str, int]
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    card_rank: tuple[int | None, ...]
    card_suit: tuple[int | None, ...]
    teams: tuple[int, ...]
    letters: tuple[str, ...]
    """Suit -> the letter by which its cards are called."""
    melds: dict[str, MeldCode]
    meld_places: frozenset[int]
    """Places of which the rules ask which meld lies there."""
    places: tuple[str, ...]
    """Place -> its label in text."""
    place_zone: tuple[int, ...]
    public: tuple[bool, ...]
    """By place: whether everybody sees the faces of cards there."""
    watched: tuple[int | None, ...]
    """By place: who sees the faces of cards there, as bits of players, turned-up ones apart; None where it changes."""
    passages: Passages
    turned: dict[str, Passages]
    """"up", "down" -> how the log tells of a card that is laid or turned so."""
    between: dict[tuple[int, int], Way]
    """(From, to) -> how the log tells that a card goes there as it lies, but for those of which another is on top."""
    tops: tuple[bool, ...]
    """By place: whether only the top card is seen."""
    zones: tuple[ZoneCode, ...]
    pack_place: int
    aside: int
    variables: dict[str, VariableCode]
    initial: tuple[Any, ...]
    turn_slots: tuple[int, ...]
    resets: tuple[Hook, ...]
    reset_turn: Hook | None
    tokens: dict[str, TokenCode]
    stages: tuple[StageCode, ...]
    by_stage: dict[str, int]
    honor_code: HonorCode | None
    winners: Hook | None
    scores: Callable[[Situation], list[int]]
    score_eyes: Callable[[Situation, int], int] | None
    """Who sees the score of a player before the match is over, as bits; None: everybody."""
    places_of: Callable[[Situation], list[int]] | None
    shown: tuple[tuple[str, str, Callable[..., Any], Callable[..., int], str], ...]
    asked: dict[str, tuple[str, Callable[..., Any], str]]
    secrets: Callable[[], Secrets]
    """Found out when it is first asked, if nobody needs to wait for that: most matches end before."""
    reseats: bool
    team_slots: tuple[int, int] | None
    """From where to where the variables lie that say who is in which team; None where the seats decide."""
    left: tuple[int, ...]
    printed: str
    """The text, without what is not there yet."""
    keeps: frozenset[str]
    """The kinds of statements of the compiler's core, by their names, that only play on honour keeps."""
    lines: dict[int, Span]
    filename: str
    multi: bool
    faces: bool
    """Whether cards are turned up or down, or lie face down."""
    shows_tops: bool
    hides_counts: bool
    refills: dict[int, tuple[int, Hook, bool, str]]
    feeds: dict[int, tuple[int, ...]]
    """Place -> the places that are refilled from it as soon as they are empty."""
    capacities: dict[int, Hook]
    room: Mapping[int, int] = field(default_factory=dict)
    open_limits: frozenset[int] = frozenset()
    """Place -> the most cards that ever lie there, if that never changes; the places whose limit everybody may know."""
    always_shown: tuple[str, ...] = ()
    """Variables, definitions and options that players see at any time, in order."""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """What was chosen for the options among them."""
    everyone: tuple[int, ...] = ()
    pack_bits: tuple[int, ...] = ()
    """Card number -> its bit."""
    shown_as: Mapping[str, str] = field(default_factory=dict)
    """What the table calls variables, definitions and places; nothing for what it does not show."""
    template: Situation | None = None
    """A position before anything has happened, to be copied."""
    native: object | None = None
    """Its lane in bulk play, once it was asked for."""
    requirements: tuple[tuple[str, Callable[[], bool]], ...] = ()
    """Conditions across options that look at the cards."""
    counted: tuple[str, ...] = ()
    """The columns of what simulations count."""
    faults: tuple[tuple[str, Span], ...] = ()
    """What has no value and stops the match where it is reached: why, and the place."""
    rest: Callable[[], None] = field(default=lambda: None)
    """Brings what is not there yet: what plays a game out at random, which most matches never ask for."""
    by_place: Mapping[str, int] = field(default_factory=dict)
    """What moves call a place -> its number; empty until that is first asked."""

    def __deepcopy__(self, _: Any) -> Program:
        return self  # matches never change it, and of its machine code there is no other copy

    def place_called(self, word: str) -> int | None:
        """The place that moves call so; None if none is called so."""
        if not self.by_place:  # there can be very many, and most matches never ask
            named = [(place_name(label), place) for place, label in enumerate(self.places)]
            self.by_place = dict(reversed(named))
        return self.by_place.get(word)

    @property
    def text(self) -> str:
        """The text of all functions, from whose lines to places in the ruleset `lines` leads."""
        self.rest()
        return self.printed

    def place_line(self, line: int) -> Span | None:
        """The place in the ruleset from which a line of the generated text came."""
        return next((self.lines[at] for at in range(line, 0, -1) if at in self.lines), None)
