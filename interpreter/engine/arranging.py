"""Positions set up for scenarios: any zone, variable or fact of the table, and the stage the match is in.

`arrange` is called on a fresh position, before anything has run; `advance` goes on from there. The stages around
the one named are on the stack as if they had been entered, their setup skipped and their variables at their
initial values, unless the position says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from reprlib import Repr
from typing import Any, NoReturn

from interpreter.base.arithmetic import LARGEST
from interpreter.base.diagnostics import suggest
from interpreter.base.signs import QUOTED, ToldError, shortened
from interpreter.engine.budget import MOST_LETTERS
from interpreter.engine.chance import ChanceError
from interpreter.engine.failures import rule_error
from interpreter.engine.frames import LEAVE, MOVED, NOBODY, RUN, Frame
from interpreter.engine.machine import begin_given, choose_dealer
from interpreter.engine.melds.laid import recognise_melds
from interpreter.engine.members import MOST_ITEMS
from interpreter.engine.notation import named_player, read_value
from interpreter.engine.packets import as_tuple, mask_of
from interpreter.engine.pieces import MOST_PIECES, ON_TABLE
from interpreter.engine.position import Position
from interpreter.engine.program import ParamCode, Program, StageCode, VariableCode, ZoneCode
from interpreter.engine.rule_errors import RuleError
from interpreter.language.keywords import ASIDE

TABLE_WORDS = (
    "at", "with", "current", "direction", "dealer", "trick number", "called by", "caller", "rest", "tricks", "number",
    "seats", "up",
)  # fmt: skip
CONTAINERS = ("do", "repeat", "effect")
_FORMS = {
    "card": "cards", "suit": "suits", "rank": "ranks", "player": "players", "team": "teams", "choice": "choice",
    "piece": "number",
}  # fmt: skip
_SORTS = {
    "integer": "a number", "flag": "true or false", "text": "a text", "card": "a card of the pack", "suit": "a suit",
    "rank": "a rank", "player": "a player such as P1", "team": "a team such as T1", "set": "a list of players",
    "piece": "a number", "set of card": "a list of cards", "list of integer": "a list of numbers",
}  # fmt: skip
_SEVERAL = {"set of card": "cards", "list of integer": "number"}
Family = ZoneCode | VariableCode
MOST_TOLD = 6
"""Places in which a card is said to lie that is named too often."""
_QUOTING = Repr()
_QUOTING.maxlist = _QUOTING.maxdict = _QUOTING.maxtuple = QUOTED  # each is a letter at least


class PositionError(ToldError):
    """A position that cannot be: it breaks a capacity, a type or the card count, or names what is not there."""


def arrange(state: Position, given: Mapping[str, Any]) -> None:
    """Set a fresh position up as `given` says and enter its stage; it is useless after an error.

    at: the stage (default: the outermost); with, called by, caller: of a called stage, its arguments, the stage
        that called it and the player whose move that was (default: the one on turn).
    current, direction, dealer, seats, trick number, tricks: the table; `number: {deal: 3}` counts runs of stages.
    A zone: its cards, top first, as a list or a text; of several, `{P1: ..., P2: ...}`. A variable: its value; of
        several, one for all or by key. Tokens: `{table: 2, P1: 1}`, or lists of the pieces' numbers.
    up: cards that lie face up. rest: where cards lie that are named nowhere: a zone, below what is named there, or
        `deal`: one at a time, from the dealer's left, to those whose hands are not named; else in `aside`.
    Raises PositionError, and RuleError where what is asked or done when the stage begins cannot be done.
    """
    try:
        _Arranging(state, given).apply()
    except (PositionError, ChanceError):
        raise
    except Exception as error:
        failure = rule_error(state.program, error)
        if failure is error or failure.span is None:  # no rule was asked: the fault is not the ruleset's
            raise
        raise failure from error


class _Arranging:
    def __init__(self, state: Position, given: Mapping[str, Any]) -> None:
        self.state = state
        self.program: Program = state.program
        self.given = given
        self.zones = {zone.name: zone for zone in state.program.zones}
        self.current = self._person_at("current")
        self.parents = {child: stage.index for stage in state.program.stages for child in stage.children}

    def _check_kinds(self) -> None:
        """Facts that are mappings by player, stage or name, and nothing else."""
        for key, wanted in (("tricks", "{P1: 2, P2: 0}"), ("number", "{deal: 3}"), ("with", "{ARGUMENT: value}")):
            if key in self.given and not self._is_declared(key) and not isinstance(self.given[key], Mapping):
                _refuse(f"{key}: '{_told(self.given[key])}' is not a mapping", f"write {key}: {wanted}")
        if "number" in self.given and not self._is_declared("number"):
            for name in self.given["number"]:
                self._stage(str(name), "number")

    def _is_declared(self, name: str) -> bool:
        """Whether the ruleset itself has something of that name."""
        return name in self.zones or name in self.program.variables

    def apply(self) -> None:
        self._check_kinds()
        stage = self._stage(str(self.given.get("at", "match")), "at")
        chain, caller = self._chain(stage)
        self._table(stage)
        for entered in chain:
            self._reset(entered)
        self._contents()
        recognise_melds(self.state)
        for outer, inner in zip(chain, [*chain[1:], None], strict=True):
            frame = Frame(outer.index, RUN)
            if inner is not None:
                frame.step = outer.children.index(inner.index) + 1 if inner.index in outer.children else 0
            self.state.stack.append(frame)
        frame = self.state.stack[-1]
        if caller is not None:
            self._put_on_caller(stage, frame, caller)
        if stage.kind not in CONTAINERS:
            self._begin(stage, frame)

    def _begin(self, stage: StageCode, frame: Frame) -> None:
        """Begin the stage that is entered. Raises RuleError where that or its first turn cannot be begun."""
        try:
            begin_given(self.state, frame, stage, self.current)
        except ChanceError:
            raise
        except Exception as error:
            failure = rule_error(self.program, error)
            turn = " and its first turn begins" if stage.has_turns else ""
            message = f"when '{stage.name}' is entered{turn}: {failure.message}"
            raise RuleError(message, failure.span or stage.span) from error

    # ---- stages ---------------------------------------------------------------------------------

    def _stage(self, name: str, key: str) -> StageCode:
        index = self.program.by_stage.get(name)
        if index is None:
            _refuse(f"{key}: no stage is called '{_told(name)}'", suggest(name, self.program.by_stage, "stages"))
        return self.program.stages[index]

    def _chain(self, stage: StageCode) -> tuple[list[StageCode], StageCode | None]:
        """The stages that are running, outermost first, and the one that called the last, if any."""
        caller = None
        chain = [stage]
        if "called by" in self.given:
            caller = self._stage(str(self.given["called by"]), "called by")
            chain.insert(0, caller)
        while chain[0].index in self.parents:
            chain.insert(0, self.program.stages[self.parents[chain[0].index]])
        if chain[0].name != "match":
            what = f"'{chain[0].name}' is in no list of stages: it is called"
            _refuse(f"at: {what}", "say which stage has called it, 'called by: STAGE'")
        return chain, caller

    def _reset(self, stage: StageCode) -> None:
        s = self.state
        s.runs[stage.index] = 1
        numbers = self.given.get("number", {})
        if isinstance(numbers, dict) and stage.name in numbers:
            s.runs[stage.index] = self._whole(numbers[stage.name], f"number of {stage.name}")
        if stage.reset is not None:
            stage.reset(s)
        if stage.first_dealer is not None and "dealer" not in self.given:
            choose_dealer(s, stage)
        if stage.next_dealer is not None and "direction" not in self.given and stage.direction != "kept":
            s.direction = 1 if stage.direction == "left" else -1

    def _put_on_caller(self, stage: StageCode, frame: Frame, caller: StageCode) -> None:
        """The called stage knows what to bring back; the one below it waits where its move left it."""
        s = self.state
        mover = self._person_at("caller")
        mover = s.current if mover is None else mover
        below = s.stack[-2]
        if caller.kind in ("do", "repeat", "effect"):
            below.pc = LEAVE if caller.kind == "effect" else RUN
        else:
            below.pc, below.step, below.mover = MOVED, int(caller.kind == "turn"), mover
            below.pending = mask_of(caller.players(s))
        if caller.kind == "trick":
            s.leader, s.trick_number, below.mover = mover, s.trick_number + 1, NOBODY
        frame.saved = (mover, tuple(s.v[slot] for slot in self.program.turn_slots) if stage.has_turns else ())
        frame.args = self._arguments(stage)

    def _arguments(self, stage: StageCode) -> tuple[Any, ...]:
        given = self.given.get("with", {})
        names = [name for name, _ in stage.params]
        for name in given:
            if name not in names:
                _refuse(f"with: '{stage.name}' takes no '{_told(name)}'", suggest(name, names, "arguments"))
        for code in stage.takes:
            if code.name not in given and not code.optional:
                _refuse(f"with: '{stage.name}' is called with {_told(code.name)}", f"say it: {{{code.name}: ...}}")
            value = variable_value(self.program, code, given.get(code.name), f"with: {code.name}")
            self.state.v[code.base] = value
        return tuple(self.state.v[code.base] for code in stage.takes)

    # ---- the table ------------------------------------------------------------------------------

    def _table(self, stage: StageCode) -> None:
        s = self.state
        if self.current is not None:
            s.current = self.current
        dealer = self._person_at("dealer")
        if dealer is not None:
            s.dealer = dealer
        if "direction" in self.given:
            if self.given["direction"] not in ("left", "right"):
                _refuse(f"direction: '{_told(self.given['direction'])}' is neither left nor right")
            s.direction = 1 if self.given["direction"] == "left" else -1
        if "seats" in self.given:
            if not isinstance(self.given["seats"], list | tuple):
                _refuse("seats: list every player, such as [P2, P1, P3]")
            seats = tuple(self._person(p, "seats") for p in self.given["seats"])
            if sorted(seats) != list(range(self.program.n)):
                _refuse("seats: every player sits once at the table")
            if not self.program.reseats:
                _refuse("seats: nobody changes places in this game")
            s.seats = seats
        if "tricks" in self.given and "tricks" not in self.program.variables and "tricks" not in self.zones:
            for player, number in self.given["tricks"].items():
                s.tricks[self._person(player, "tricks")] = self._whole(number, f"tricks of {player}")
            s.trick_number = sum(s.tricks)
        if "trick number" in self.given:
            begins = stage.kind == "trick"  # a trick is counted when it begins
            s.trick_number = self._whole(self.given["trick number"], "trick number") - begins

    def _person_at(self, key: str) -> int | None:
        return self._person(self.given[key], key) if key in self.given else None

    def _person(self, name: Any, where: str) -> int:
        player = named_player(self.program, str(name))
        if player is None:
            _refuse(f"{where}: '{_told(name)}' is no player of this match; they are P1 to P{self.program.n}")
        return player

    def _whole(self, value: Any, where: str) -> int:
        if type(value) is not int or value < 0:
            _refuse(f"{where}: '{_told(value)}' is not a whole number")
        if value >= LARGEST:
            _refuse(f"{where}: '{_told(value)}' is a number with more than 18 digits")
        return value

    # ---- cards, pieces and variables ------------------------------------------------------------

    def _contents(self) -> None:
        named: dict[int, Any] = {}
        for name, value in self.given.items():
            if name in self.zones:
                named |= {place: (cards, where) for place, cards, where in self._spread(self.zones[name], name, value)}
            elif name in self.program.variables:
                code = self.program.variables[name]
                for slot, one, where in self._spread(code, name, value):
                    self.state.v[slot] = variable_value(self.program, code, one, where)
            elif name in self.program.tokens:
                self._pieces(name, value)
            elif name not in TABLE_WORDS:
                known = [*self.zones, *self.program.variables, *self.program.tokens, *TABLE_WORDS]
                told = _told(name)
                _refuse(f"{told}: no zone, variable or piece is called '{told}'", suggest(str(name), known))
        self._lay({place: self._cards(cards, where) for place, (cards, where) in named.items()})

    def _spread(self, family: Family, name: str, value: Any) -> Iterator[tuple[int, Any, str]]:
        """The places or slots that a value is for: (place, its own value, what to call it)."""
        found: dict[int, tuple[Any, str]] = {}

        def walk(value: Any, keys: tuple[int, ...], where: str) -> None:
            depth = len(keys)
            if depth < len(family.dims) and isinstance(value, dict):
                for key, inner in value.items():
                    walk(inner, (*keys, self._key(family.dims[depth], key, where)), f"{where} {key}")
                return
            if depth < len(family.dims) and isinstance(family, ZoneCode):
                _refuse(f"{where}: there are several of them", "say the cards of each: {P1: [...]}")
            places = [i for i, k in enumerate(family.keys or ((),)) if k[:depth] == keys]
            if not places:
                _refuse(f"{where}: there is no such place")
            found.update({family.base + i: (value, where) for i in places})

        walk(value, (), name)
        for place, (one, where) in found.items():
            yield place, one, where

    def _key(self, dim: str, key: Any, where: str) -> int:
        found = key_of(self.program, dim, str(key))
        if found is None:
            _refuse(f"{where}: '{_told(key)}' is not one of them", f"there is one for each {dim}")
        return found

    def _cards(self, given: Any, where: str) -> list[int]:
        """Faces of cards, top first, as the lowest number of each."""
        if given in (0, None):
            return []
        if isinstance(given, str):
            given = given.replace(",", " ").split()
        if not isinstance(given, list):
            _refuse(f"{where}: '{_told(given)}' is not a list of cards")
        return [self._face(card, where) for card in given]

    def _face(self, name: Any, where: str) -> int:
        card = self.program.by_name.get(str(name).upper())
        if card is None:
            hint = suggest(str(name).upper(), self.program.by_name)
            _refuse(f"{where}: there is no card '{_told(name)}' in the pack", hint)
        return card

    def _lay(self, wanted: dict[int, list[int]]) -> None:
        """Put every card where it was named, and the others where the rest lies.

        Of equal cards the first lies at the first place of the table: a position that is restored may name its zones in
        another order, and is the same.
        """
        s, program = self.state, self.program
        left = dict(program.copies)
        places: dict[int, list[int]] = {}
        for place in sorted(wanted):
            places[place] = []
            for face in wanted[place]:
                same = left[face]
                if not same:
                    self._blame_count(face, wanted)
                lowest = same & -same
                left[face] ^= lowest
                places[place].append(lowest.bit_length() - 1)
        rest = [card for card in range(len(program.cards)) if left[program.first_copy[card]] >> card & 1]
        self._lay_rest(rest, places)
        for place in range(len(s.z)):
            cards = places.get(place, [])
            is_set = program.zones[program.place_zone[place]].kept == "mask"
            s.z[place] = mask_of(cards) if is_set else cards[::-1]
        self._check_capacities()
        if "up" in self.given and "up" not in self.zones and "up" not in program.variables:
            self._turn_up(self._cards(self.given["up"], "up"))

    def _blame_count(self, face: int, wanted: dict[int, list[int]]) -> NoReturn:
        lies = [self.program.places[place] for place, faces in wanted.items() for f in faces if f == face]
        there = self.program.copies[face].bit_count()
        times = "only one" if there == 1 else f"only {there}"
        places = ", ".join([*lies[:MOST_TOLD], "..."] if len(lies) > MOST_TOLD else lies)
        _refuse(f"{self.program.cards[face]} is named {len(lies)} times ({places}), and the pack has {times}")

    def _lay_rest(self, rest: list[int], places: dict[int, list[int]]) -> None:
        where = self.given.get("rest", ASIDE)
        if not isinstance(where, str):
            _refuse(f"rest: name a zone, 'deal' or 'aside', not {_told(where)}")
        if where == "deal":
            self._deal_rest(rest, places)
            return
        zone = self.zones.get(where)
        place = self.program.aside if where == ASIDE else None if zone is None else zone.base
        if place is None:
            hint = suggest(where, [*self.zones, "deal", ASIDE], "zones")
            _refuse(f"rest: no zone is called '{_told(where)}'", hint)
        if zone is not None and zone.dims:
            _refuse(f"rest: there are several zones '{where}'", "name a single one, or 'deal'")
        places[place] = [*places.get(place, []), *rest]

    def _deal_rest(self, rest: list[int], places: dict[int, list[int]]) -> None:
        """Deal to the players whose hands are not named; the hands are the zone that some have, else `hand`."""
        hands = [z for z in self.program.zones if z.dims == ("player",)]
        if not hands:
            _refuse("rest: there are no hands to deal to")
        started = [z for z in hands if any(z.base + i in places for i in range(z.size))]
        hand = next((z for z in hands if z.name == "hand"), (started or hands)[0])
        order = [p for p in self.state.from_left_of_dealer() if hand.base + p not in places]
        if not order and rest:
            _refuse(f"rest: every {hand.name} is named, and {len(rest)} cards are left")
        for number, player in enumerate(order):
            places[hand.base + player] = rest[number :: len(order)]

    def _check_capacities(self) -> None:
        for place, limit in self.program.capacities.items():
            count, most = len(as_tuple(self.state.z[place])), limit(self.state)
            if count > most:
                _refuse(f"{self.program.places[place]} holds {count} cards, and at most {most} may lie there")

    def _turn_up(self, faces: list[int]) -> None:
        if faces and not self.program.faces:
            _refuse("up: by these rules no card is ever turned up")
        for face in faces:
            same = self.program.copies[face] & ~self.state.up
            if not same:
                _refuse(f"up: {self.program.cards[face]} is named more often than the pack has it")
            self.state.up |= same & -same

    def _pieces(self, name: str, given: Any) -> None:
        """Pieces by holder: how many, or their numbers; numbers left out are given to the table, then by player."""
        if not isinstance(given, dict):
            given = {"table": given}
        owners = {holder: ON_TABLE if holder == "table" else self._person(holder, name) for holder in given}
        listed: set[int] = set()
        total = named = 0
        for holder, held in given.items():
            if isinstance(held, list):
                listed.update(self._piece(number, f"{name} {_told(holder)}") for number in held)
                named += len(held)
            total += len(held) if isinstance(held, list) else self._whole(held, f"{name} {_told(holder)}")
        if total > MOST_PIECES:
            _refuse(f"{name}: these are {total:,} pieces, and there are {MOST_PIECES:,} at most")
        if len(listed) < named or max(listed, default=0) > total:
            _refuse(f"{name}: the pieces are numbered 1 to {total}, each once")
        free = iter([n for n in range(1, total + 1) if n not in listed])
        holders = [ON_TABLE] * total
        for holder in sorted(owners, key=owners.__getitem__):
            held = given[holder]
            for number in held if isinstance(held, list) else islice(free, held):
                holders[number - 1] = owners[holder]
        self.state.tokens[name] = holders

    def _piece(self, number: Any, where: str) -> int:
        if type(number) is not int or number < 1:
            _refuse(f"{where}: '{_told(number)}' is not the number of a piece, 1 and up")
        return number


def key_of(program: Program, dim: str, text: str) -> int | None:
    """An index of a family as it is written (P1, T1, a suit, a rank, a card, a number), or None."""
    form = {
        "player": "players", "team": "teams", "suit": "suits", "rank": "ranks", "card": "cards",
    }.get(dim, "number")  # fmt: skip
    found: int | None = read_value(program, ParamCode("", form), text)
    return found


def variable_value(program: Program, code: VariableCode, given: Any, where: str) -> Any:
    """A value as the state keeps it. Raises PositionError when it is of another type or leaves its bounds."""
    if given is None or given == "none":
        if not code.optional:
            _refuse(f"{where} cannot be none")
        return None
    kind = code.kind
    if kind == "integer" and type(given) is int:
        if not code.low <= given <= code.high:
            _refuse(f"{where} is {given}, and it goes from {code.low} to {code.high}")
        return given
    if kind == "text" and isinstance(given, str) and len(given) > MOST_LETTERS:
        _refuse(f"{where} is a text of {len(given):,} letters, and it holds {MOST_LETTERS:,} at most")
    if (kind == "flag" and isinstance(given, bool)) or (kind == "text" and isinstance(given, str)):
        return given
    if kind == "set" and isinstance(given, (list, str)):
        names = given.split() if isinstance(given, str) else [str(name) for name in given]
        people = [read_value(program, ParamCode("", "players"), name) for name in names]
        if None not in people:
            return tuple(sorted(set(people)))
    if kind in _SEVERAL and isinstance(given, (list, str, int)) and not isinstance(given, bool):
        words = given if isinstance(given, list) else str(given).replace(",", " ").split()
        if len(words) > MOST_ITEMS and kind.startswith("list"):
            _refuse(f"{where} is a list of {len(words):,} items, and it holds {MOST_ITEMS:,} at most")
        found_all = [read_value(program, ParamCode("", _SEVERAL[kind]), str(word)) for word in words]
        if None not in found_all:
            return tuple(found_all if kind.startswith("list") else dict.fromkeys(found_all))
    if kind in _FORMS and not isinstance(given, (bool, list, dict)):
        found = read_value(program, ParamCode(code.name, _FORMS[kind], code.symbols), str(given))
        if found is not None:
            return found
    wanted = f"one of {', '.join(code.symbols)}" if kind == "choice" else _SORTS.get(kind, kind)
    told = ", ".join(map(str, given)) if isinstance(given, list) else given
    _refuse(f"{where}: '{_told(told)}' is not {wanted}")


def _told(value: Any) -> str:
    """A value as a message quotes it: what a stranger wrote may be of any length, and nested as deep as it likes."""
    return shortened(value if isinstance(value, str) else _QUOTING.repr(value))


def _refuse(message: str, hint: str = "") -> NoReturn:
    raise PositionError(f"{message} ({hint})" if hint else message)
