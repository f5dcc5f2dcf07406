"""How the table may be, as far as one player knows: what is out of sight is dealt again.

A world agrees with everything the player sees, with what the player remembers (`card_memory`) and with how many
cards lie where. It never depends on the cards that are hidden: two tables that look alike to a player give that
player the same worlds, where all can know what is running and what waits to be run, which a world takes over
(`open_course`). What chance will bring is drawn anew as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from interpreter.api.game import State
from interpreter.api.native_worlds import Place, Unknown
from interpreter.engine.chance import Dice
from interpreter.engine.packets import bits, mask_of
from interpreter.engine.position import Position, Setup
from interpreter.engine.program import Program, VariableCode
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.sight import all_lying_at, watchers, zone_at
from interpreter.engine.situation import NO_OFFER
from interpreter.engine.start import fresh
from interpreter.engine.view import definitions, faces, is_counted, sees_value
from interpreter.language.check.openness import tricks_lie_open
from interpreter.players.blindfold import OutOfSight, needs_no_look
from interpreter.players.card_memory import recall

TRIES = 6
"""Worlds that are made for one in which the definitions that the player sees have the values that they have."""
WIDEST = 1000
"""Of a hidden number, the most values among which one is drawn; else it keeps the value it begins with."""


class Worlds:
    """The worlds of one player at one moment.

    known: cards by place, out of sight, that the player knows to be there; unless given, those that the player
    remembers.
    """

    def __init__(self, state: State, player: int, known: Mapping[int, Counter[int]] | None = None) -> None:
        s = state.position
        self._game = state.game
        self._player = player
        self._told = definitions(s, player)
        self.base = _bare(s)
        if not tricks_lie_open(state.game.ruleset.model.stages, state.game.ruleset.model.zones):
            self.base.best = [] if s.winner is None else [s.winner]  # who else had as high a card nobody is told
        self._program = s.program
        self._begun = fresh(s.program).v
        first = s.program.first_copy
        self.base.laid = {place: meld for place, meld in s.laid.items() if None not in faces(s, place, player)}
        self._open = frozenset(place for place in range(len(s.z)) if not is_counted(s, place, player))
        looks = [self._look(s, place, player) for place in range(len(s.z))]
        self._seen = [[None if card is None else first[card] for card in look] for look in looks]
        self._dark = [place for place in sorted(self._open) if self._may_hide(s, place, player)] or sorted(self._open)
        self._kept, self._rest = self._unseen(recall(state, player) if known is None else known)
        self._hidden = [
            (code, at) for code in s.program.variables.values() for at in range(code.size)
            if not sees_value(s, code, at, player)
        ]  # fmt: skip
        self._holders = self._may_hold(s)
        self._secret = {code.base + at for code, at in self._hidden}
        self._turns = [self._hidden_turns(s, player, frame) for frame in s.stack]
        lies = all_lying_at(s, range(len(s.program.cards)))
        self._cards = self._card_variables(s, looks, lies)
        self._at = self._positions(s, looks, lies)
        self._played = Counter(
            lies[card] for _, card in s.plays if lies[card] in self._open and card not in looks[lies[card]]
        )
        """How many cards were played that lie where nobody has told how many do: there are as many at least."""

    def world(self, dice: Dice) -> State:
        """One world, to be played in: nothing is logged or recorded there.

        What definitions tell of hidden cards is heeded as far as it can soon be met by chance.
        """
        for _ in range(TRIES):
            found = self._guess(dice)
            if not self._told or self._agrees(found):
                break
        return State(self._game, found)

    def unknown(self) -> Unknown | None:
        """What is dealt again, as machine code deals it; None where more than cards and numbers has to be guessed."""
        if self._holders or self._program.multi or any(self._turns) or not self._tells_nothing():
            return None
        if not self._program.room.keys().isdisjoint(self._dark):  # it is dealt there without a look at what has room
            return None
        if any(card not in self._seen[place] for card, (place, _) in self._at.items()):
            return None
        drawn: dict[int, tuple[tuple[int, int] | None, bool]] = {}
        for code, at in self._hidden:
            span = _span(self._program, code)
            if code.kind != "card" and span is None:
                return None
            drawn[code.base + at] = span, _may_be_none(code)
        if list(drawn) != sorted(drawn):
            return None
        places = [
            Place(look, place in self._open, self._kept.get(place)) for place, look in enumerate(self._seen)
        ]  # fmt: skip
        return Unknown(places, self._rest, self._dark, drawn)

    def _tells_nothing(self) -> bool:
        """Whether the definitions that the player sees are the same in all worlds."""
        unseen = {place for place, look in enumerate(self._seen) if None in look} | self._open
        hidden = OutOfSight(unseen, self._secret)
        return not self._told or needs_no_look(self.base, hidden, lambda s: definitions(s, self._player))

    def _agrees(self, world: Position) -> bool:
        try:
            return definitions(world, self._player) == self._told
        except RuleError:
            return False

    def _guess(self, dice: Dice) -> Position:
        s = self.base.copy()
        s.seed = dice.below(1 << 32)
        s.setup = Setup(s.seed, origin=s.setup.origin)
        dealt = self._dealt(dice)
        s.z = [mask_of(cards) if type(kept) is int else cards for kept, cards in zip(s.z, dealt, strict=True)]
        dark = [card for place, cards in enumerate(dealt) for card in self._out_of_sight(place, cards)]
        for code, at in self._hidden:
            s.v[code.base + at] = self._any_value(code, at, dark, dice)
        for frame, hidden in zip(s.stack, self._turns, strict=True):
            if hidden and frame.saved is not None:
                values = list(frame.saved[1])
                for number, (code, at) in hidden.items():
                    values[number] = self._any_value(code, at, dark, dice)
                frame.saved = frame.saved[0], tuple(values)
        for name, (pieces, players) in self._holders.items():
            for piece in pieces:
                s.tokens[name][piece] = players[dice.below(len(players))]
        self._rename(s, dealt)
        return s

    def _any_value(self, code: VariableCode, at: int, dark: list[int], dice: Dice) -> Any:
        """Any value that a hidden variable may have; a card is any of those in the `dark`."""
        if _may_be_none(code) and dice.below(2):
            return None
        if code.kind == "card" and dark:
            return dark[dice.below(len(dark))]
        if code.kind == "choice":
            return code.symbols[dice.below(len(code.symbols))]
        span = _span(self._program, code)
        if span is None:
            return self._begun[code.base + at]
        found = span[0] + dice.below(span[1])
        return bool(found) if code.kind == "flag" else found

    def _hidden_turns(self, s: Position, player: int, frame: Any) -> dict[int, tuple[VariableCode, int]]:
        """The turn variables of a stage that waits for one it has called, by their number there: those that the player
        did not see as they were at the call."""
        if frame.saved is None or not frame.saved[1]:
            return {}
        then = s.copy()
        then.current = frame.saved[0]
        for slot, value in zip(self._program.turn_slots, frame.saved[1], strict=True):
            then.v[slot] = value
        numbers = {slot: number for number, slot in enumerate(self._program.turn_slots)}
        return {
            numbers[code.base + at]: (code, at)
            for code in self._program.variables.values() for at in range(code.size)
            if code.base + at in numbers and not sees_value(then, code, at, player)
        }  # fmt: skip

    def _may_hold(self, s: Position) -> dict[str, tuple[list[int], list[int]]]:
        """The pieces that the player does not see, by their kind, and those who may hold them."""
        found = {}
        for name, holders in s.tokens.items():
            eyes = s.program.tokens[name].eyes
            unseen = [p for p in range(s.program.n) if p != self._player and not eyes(s, p) >> self._player & 1]
            pieces = [at for at, holder in enumerate(holders) if holder in unseen]
            if pieces:
                found[name] = pieces, unseen
        return found

    def _look(self, s: Position, place: int, player: int) -> list[int | None]:
        """What the player sees of a place: cards in their order, or by their faces; None for one that is hidden."""
        look = faces(s, place, player)
        if type(s.z[place]) is int:
            seen = sorted((c for c in look if c is not None), key=lambda c: (self._program.first_copy[c], c))
            look = [*seen, *[None] * look.count(None)]
        return look if place not in self._open else [card for card in look if card is not None]

    def _may_hide(self, s: Position, place: int, player: int) -> bool:
        """Whether more cards can lie at a place than the player sees there."""
        if not watchers(s, place) >> player & 1:
            return True
        return zone_at(s, place).shows_top and bool(self._seen[place])

    def _unseen(self, known: Mapping[int, Counter[int]]) -> tuple[dict[int, list[int]], list[int]]:
        """Cards out of sight: by place those that the player knows to be there, and all others in a fixed order."""
        left = Counter(self._program.first_copy)
        left.subtract(face for look in self._seen for face in look if face is not None)
        kept: dict[int, list[int]] = {}
        for place, cards in sorted(known.items()):
            out_of_sight = cards - Counter(face for face in self._seen[place] if face is not None)
            room = self._seen[place].count(None) if place not in self._open else len(self._program.cards)
            kept[place] = [face for face in sorted(out_of_sight.elements()) if left[face] > 0][:room]
            left.subtract(kept[place])
        counted = sum(look.count(None) for place, look in enumerate(self._seen) if place not in self._open)
        if sum(len(faces) for place, faces in kept.items() if place not in self._open) + left.total() < counted:
            for place in kept.keys() & self._open:  # some have left it without a word, and may be any of those
                left.update(kept.pop(place))
        return kept, sorted((+left).elements())

    def _dealt(self, dice: Dice) -> list[list[int]]:
        """The cards of every place, those out of sight dealt again."""
        rest = self._rest[:]
        _shuffle(rest, dice)
        looks: list[list[int | None]] = []
        fill: list[list[int]] = []
        for place, look in enumerate(self._seen):
            cards = self._kept.get(place, [])[:]
            wanted = look.count(None) if place not in self._open else self._played[place]
            if (more := wanted - len(cards)) > 0:
                cards += rest[len(rest) - more :]
                del rest[len(rest) - more :]
            looks.append(look)
            fill.append(cards)
        self._deal_in_the_dark(rest, fill, dice)
        for place, cards in enumerate(fill):
            if place in self._kept:
                _shuffle(cards, dice)
            if place in self._open:
                looks[place] = [*[None] * len(cards), *looks[place]]
        return self._numbered(looks, fill)

    def _deal_in_the_dark(self, rest: list[int], fill: list[list[int]], dice: Dice) -> None:
        """Lay cards in places of which nobody has told how many lie there: no more than there is room for."""
        room = {place: self._program.room[place] for place in self._dark if place in self._program.room}
        left = {place: most - len(self._seen[place]) - len(fill[place]) for place, most in room.items()}
        dark = [place for place in self._dark if left.get(place, 1) > 0] or self._dark
        for face in rest:
            place = dark[dice.below(len(dark))]
            fill[place].append(face)
            if place in left:
                left[place] -= 1
                if not left[place]:
                    dark = [other for other in dark if other != place] or self._dark

    def _numbered(self, looks: list[list[int | None]], fill: list[list[int]]) -> list[list[int]]:
        if not self._program.multi:
            sources = map(iter, fill)
            pairs = zip(looks, sources, strict=True)
            return [[next(source) if face is None else face for face in look] for look, source in pairs]
        copies = {face: iter(bits(mask)) for face, mask in self._program.copies.items()}
        seen = [[None if face is None else next(copies[face]) for face in look] for look in looks]
        hidden = [iter([next(copies[face]) for face in cards]) for cards in fill]
        return [[next(new) if c is None else c for c in look] for look, new in zip(seen, hidden, strict=True)]

    # ---- what else speaks of cards --------------------------------------------------------------------

    def _positions(
        self, s: Position, looks: list[list[int | None]], lies: Mapping[int, int]
    ) -> dict[int, tuple[int, int]]:
        """Where cards lie of which not only their place speaks: place and position, from the end.

        Without an order a hidden card has no position; then it is any of those.
        """
        found: dict[int, tuple[int, int]] = {}
        taken: Counter[int] = Counter()
        for card in dict.fromkeys(card for card in self._spoken_of(s) if card is not None):
            place = lies[card]
            kept, look = s.z[place], looks[place]
            if card in look:
                found[card] = place, look.index(card) - len(look)
            elif place in self._open or type(kept) is int:
                taken[place] += 1
                found[card] = place, -taken[place] - (len(look) if place in self._open else 0)
            else:
                found[card] = place, kept.index(card) - len(kept)
        return found

    def _spoken_of(self, s: Position) -> Iterator[int | None]:
        yield from (card for _, card in s.plays)
        yield from (fault.card for fault in s.faults)
        yield from (s.v[slot] for slot in self._cards)
        for frame, hidden in zip(s.stack, self._turns, strict=True):
            yield from (frame.args[at] for at in self._card_args(frame.stage) if frame.args is not None)
            if frame.saved is not None and frame.saved[1]:
                yield from (frame.saved[1][at] for at in self._card_turns() if at not in hidden)
        yield from bits(s.up | s.down)  # last, because their order is that of the cards themselves

    def _rename(self, s: Position, dealt: list[list[int]]) -> None:
        """Let everything that speaks of a card speak of the one that lies in its position now."""
        if not self._at:
            return

        def new(card: int | None) -> int | None:
            if card is None or card not in self._at:
                return card
            place, position = self._at[card]
            return dealt[place][position] if -position <= len(dealt[place]) else None

        s.plays = [(player, self._rest[0] if (other := new(card)) is None else other) for player, card in s.plays]
        s.up, s.down = mask_of(map(new, bits(s.up))), mask_of(map(new, bits(s.down)))
        for fault in s.faults:
            fault.card = new(fault.card)
        for slot in self._cards:
            s.v[slot] = new(s.v[slot])
        for frame, hidden in zip(s.stack, self._turns, strict=True):
            chosen = self._card_args(frame.stage)
            if frame.args is not None and chosen:
                frame.args = tuple(new(value) if at in chosen else value for at, value in enumerate(frame.args))
            if frame.saved is not None and frame.saved[1]:
                turns = set(self._card_turns()) - hidden.keys()
                values = [new(value) if at in turns else value for at, value in enumerate(frame.saved[1])]
                frame.saved = frame.saved[0], tuple(values)

    def _out_of_sight(self, place: int, cards: list[int]) -> list[int]:
        """Of the cards that lie at a place in a world, those that the player does not see."""
        look = self._seen[place]
        if place in self._open:
            return cards[: len(cards) - len(look)]
        return [card for card, face in zip(cards, look, strict=True) if face is None]

    def _card_variables(self, s: Position, looks: list[list[int | None]], lies: Mapping[int, int]) -> list[int]:
        """Slots with a card that the player sees. Others are hidden, or known although the card is out of sight."""
        found = []
        for code in self._program.variables.values():
            for slot in range(code.base, code.base + code.size) if code.kind == "card" else ():
                card = s.v[slot]
                if card is None or slot in self._secret:
                    continue
                if card in looks[lies[card]]:
                    found.append(slot)
                else:
                    self.base.v[slot] = self._program.first_copy[card]
        for frame in s.stack:
            params = self._program.stages[frame.stage].params
            found += (params[at][1] for at in self._card_args(frame.stage))
        return found

    def _card_args(self, stage: int) -> list[int]:
        model = self._game.ruleset.model.stages[self._program.stages[stage].name]
        return [at for at, (_, kind) in enumerate(model.params) if kind.kind == "card"]

    def _card_turns(self) -> list[int]:
        cards = {
            slot for code in self._program.variables.values() if code.kind == "card"
            for slot in range(code.base, code.base + code.size)
        }  # fmt: skip
        return [at for at, slot in enumerate(self._program.turn_slots) if slot in cards]


def out_of_sight(s: Position, player: int, secret: Collection[str], knows_course: bool) -> OutOfSight:
    """All that a player cannot know of a position. secret: the variables of which, where they are hidden, nobody else
    can keep count. Raises RuleError."""
    places: set[int] = set()
    partly: dict[int, list[int]] = {}
    uncounted: list[int] = []
    for place, kept in enumerate(s.z):
        look = faces(s, place, player)
        counted = is_counted(s, place, player)
        if type(kept) is int and (None in look or not counted):
            places.add(place)
        elif None in look or not counted:
            partly[place] = [at for at, face in enumerate(look) if face is None]
            if not counted:
                uncounted.append(place)
    slots = {
        code.base + at
        for code in s.program.variables.values() if code.name in secret
        for at in range(code.size) if not sees_value(s, code, at, player)
    }  # fmt: skip
    tokens = [
        name for name, held in s.tokens.items()
        if any(p >= 0 and p != player and not s.program.tokens[name].eyes(s, p) >> player & 1 for p in held)
    ]  # fmt: skip
    return OutOfSight(places, slots, partly, uncounted, tokens, faults=True, course=not knows_course)


def _bare(s: Position) -> Position:
    """The table without its past, which is of no use to who plays on, and without what was fixed for its future.

    Of breaches those are left that have been claimed; whether there are others nobody is told.
    """
    bare = s.copy()
    bare.faults = [fault for fault in bare.faults if fault.paid_at]
    bare.lapsed = [0] * s.program.n
    bare.log = None
    bare.record_moves = []
    bare.chance = {}
    bare.draws = 0
    bare.offered = NO_OFFER
    return bare


def _shuffle(cards: list[int], dice: Dice) -> None:
    for last in range(len(cards) - 1, 0, -1):
        at = dice.below(last + 1)
        cards[last], cards[at] = cards[at], cards[last]


def _may_be_none(code: VariableCode) -> bool:
    """Whether a hidden variable may hold nothing; that a card is none would be seen, unless the ruleset says who sees
    it."""
    return code.optional and (code.kind != "card" or code.seen_by is not None)


def _span(program: Program, code: VariableCode) -> tuple[int, int] | None:
    """Among which numbers a hidden variable's value is drawn: the least, and how many."""
    match code.kind:
        case "flag":
            return 0, 2
        case "player":
            return 0, program.n
        case "team":
            return 0, max(program.teams) + 1
        case "suit":
            return 0, len(program.suits)
        case "rank":
            return 0, len(program.ranks)
        case "integer" if code.high - code.low < WIDEST:
            return code.low, code.high - code.low + 1
    return None
