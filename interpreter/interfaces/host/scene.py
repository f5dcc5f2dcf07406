"""What the page of one reader draws, and what it asks: plain JSON data, from that reader's view and words alone.

A scene is the same for two tables that the reader cannot tell apart: it has no numbers of hidden cards, and nothing
of what a law would say of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING, Any

from interpreter.engine.available import may_move, open_actions
from interpreter.engine.events import DEAL, told_last
from interpreter.engine.legal import waited_for
from interpreter.engine.readers import Sights
from interpreter.engine.standing import kind_of_phase, phase, plays_tricks, sitting_out
from interpreter.interfaces.host.open_rules import waits_for
from interpreter.interfaces.host.page_offers import offers
from interpreter.interfaces.host.placing import Placing
from interpreter.interfaces.host.setting import CHOSEN, Phrase, Setting, setting_of, zones_of
from interpreter.words.drawing import NOTHING, Captions, title_of, word_of
from interpreter.words.standings import SCORE

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.events import Event
    from interpreter.engine.program import ActionCode
    from interpreter.engine.readers import Sight
    from interpreter.words.voice import Voice

LOOKED_BACK = 600
"""Events that all are told of, among which the last trick is looked for."""
BEGINS = frozenset({DEAL, "gather"})
"""Kinds of the events by which it is seen that another deal begins; the second where deals are not counted."""
MARKED = ("where", "with")
"""How somebody stands to a reader."""
NO_RESULT: list[str] = []
"""Of a match that goes on."""
MOST_FACTS = 100
"""Values of the deal that are shown; of players a ruleset names those that are."""
MOST_MARKS = 16
"""Ways in which people stand to one another of which it is kept how they are told."""
Standing = tuple[tuple[int, ...], tuple[int, ...], int | None, tuple[int, ...], str, tuple[int, ...]]
"""For whom it waits, who is of which side, who deals, in which order they sit, what kind of stage it is, and who sits
out."""


@dataclass(slots=True)
class _Trick:
    """A trick that is over. plays: whose card, which, and who sees it. past: whether its deal is over, too."""

    taker: str
    plays: list[tuple[str, str | None, int]]
    past: bool


class Scenes:
    """The table of one match as each of its readers may know it.

    What several readers see alike is made once for all of them after each move (`renew`), and what looks as before is
    the same object as before.
    """

    def __init__(self, state: State, voice: Voice) -> None:
        self._state, self._voice, self._setting = state, voice, setting_of(state.game)
        s = state.position
        first, chosen = s.program.always_shown, s.program.chosen
        self._always = [name for name in first if name not in chosen]
        self._captions = Captions(titles=s.program.shown_as, chosen=chosen)
        self._wanted = list(dict.fromkeys([*first, *(name for name, title in s.program.shown_as.items() if title)]))
        self._sights = Sights(s, self._setting.styles, self._wanted if self._always else None)
        self._placing = Placing(s.program, voice, self._setting, self._sights.places)
        self._game = _game(state, self._setting, voice)
        self._chosen: dict[tuple[int, ...], frozenset[str]] = {}
        self._marks: dict[tuple[int | None, tuple[int, ...], tuple[int, ...]], dict[str, dict[str, str]]] = {}
        self._equal: dict[tuple[str, str], dict[str, str]] = {}
        """Marks that are equal are one and the same: many are kept at each table."""
        self._facts: dict[int | None, tuple[Any, list[list[Any]]]] = {}
        self._seats: dict[int, tuple[Sight, list[dict[str, Any]]]] = {}
        """By what is known of values, how each seat is told."""
        self._told: dict[int, tuple[Any, dict[str, Any]]] = {}
        """By seat, how it was told last, and by what it was told so."""
        self._scored = SCORE in s.program.variables
        self._noted: dict[int, tuple[Any, str, int, list[list[str]]]] = {}
        """By seat, what was known of it last: of which values, of which side, with how many tricks, and how it is
        told."""
        self._open: dict[int, list[ActionCode]] = {}
        """By player, which actions are open now."""
        self._passing = frozenset(
            zone.labels[number]
            for zone, number in self._sights.places
            if self._setting.styles[zone.name].drawn == CHOSEN
        )
        """Places that are drawn when cards have just been moved there."""
        self._laid: dict[str, int] = {}
        """Of the places that are drawn only then, those to which the last move has moved cards, each with the readers
        (bits; the highest is for who watches) who have been told of it."""
        self._told_of_moves = 0
        """Readers who have been told of a move: what came before was moved by nobody."""
        self._heard = 0
        self._last: _Trick | None = None
        self._lasts: dict[int, dict[str, Any]] = {}
        """By who reads, how the last trick is told."""
        self._pieces: tuple[Any, list[dict[str, Any]]] = None, []
        self._standing, self._alike = self._stand(), self._told_alike()
        self._look_back()

    def renew(self, fresh: Sequence[Event] | None = None) -> None:
        """The match has moved on. fresh: what the log has said since; None: it is looked up."""
        self._sights.renew()
        self._look_back(fresh)
        self._seats.clear()
        self._open.clear()
        before, self._standing, self._alike = self._standing, self._stand(), self._told_alike()
        if before[1] != self._standing[1]:
            self._placing.forget()
            self._facts.clear()
        if len(self._marks) > MOST_MARKS:
            self._marks.clear()

    def _stand(self) -> Standing:
        s = self._state.position
        out = tuple(sitting_out(s))
        return tuple(waited_for(s)), tuple(s.teams), s.dealer, tuple(s.order()), kind_of_phase(s), out

    def _told_alike(self) -> dict[str, Any]:
        """What all readers are told alike."""
        s, over = self._state.position, self._state.over
        return {
            "kind": "over" if over else kind_of_phase(s),
            "stage": title_of(phase(s)),
            "direction": "" if s.direction > 0 and not self._setting.turns else "left" if s.direction > 0 else "right",
            "doing": waits_for(self._state, self._setting),
            "over": over,
        }

    def of(self, player: int | None) -> dict[str, Any]:
        """The table as one reader may know it. player: whose eyes; None for somebody without a seat.

        game: what stays as it is (name, honour, cards by face with their looks, phrases that can be said). me: "" for
        who watches. kind: of the stage, such as trick or race. doing: what those are to do for whom it waits, "" if
        that is not said. direction: which way play goes, "" where it can only go to the left. seats: in their order
        from the reader on; out: that they take no part in the deal. marks: of each, where it is and with whom.
        facts: what all want to see, [name, value], with True behind what is told even if it is nothing; a value is ""
        where the name says all. places: see `placing`. trick, last: [player, card] of the trick and of the one
        before, with who took it and whether its deal is over. pieces: {id, name, table, held}. result: how it ended,
        in sentences.
        """
        who = 1 << player if player is not None else (1 << self._state.game.players) - 1
        sight, over = self._sights.of(who), self._alike["over"]
        facts, wanted = self._facts_of(player, sight), self._wanted_of(player)
        places, more = self._placing.of(player, sight.places, wanted, self._standing[4] == "race")
        if more:
            facts = [*facts, ["places that are not drawn", str(more)]]
        return {
            "game": self._game,
            "me": "" if player is None else f"P{player + 1}",
            **self._alike,
            "seats": self._seats_of(player, sight),
            "marks": self._marks_of(player),
            "facts": facts,
            "places": places,
            "trick": sight.trick,
            "last": self._last_of(who),
            "pieces": self._pieces_of(sight),
            "result": list(self._voice.result(player)) if over else NO_RESULT,
        }

    def ask(self, player: int) -> dict[str, Any] | None:
        """What is asked of a player now, with what can be answered; None for nothing."""
        state, s = self._state, self._state.position
        if not (s.over or s.program.honor or self._standing[4] == "race"):
            frame = s.stack[-1]
            if not self._open_to(player) and not may_move(s, player, frame, s.program.stages[frame.stage]):
                return None
        return offers(state, self._voice, player, self._setting)

    # ---- people -------------------------------------------------------------------------------------------

    def _seats_of(self, player: int | None, sight: Sight) -> list[dict[str, Any]]:
        known = self._seats.get(id(sight.values))
        if known is None or known[0].scores != sight.scores:
            seats = [self._seat(sight, seat) for seat in range(self._state.game.players)]
            known = self._seats[id(sight.values)] = sight, seats
        order, seats = self._standing[3], known[1]
        at = order.index(player) if player in order else 0
        return [seats[seat] for seat in (*order[at:], *order[:at])]

    def _marks_of(self, player: int | None) -> dict[str, dict[str, str]]:
        _, teams, _, order, *_ = self._standing
        found = self._marks.get((player, teams, order))
        if found is None:
            found = self._marks[player, teams, order] = {
                intern(f"P{seat + 1}"): self._equal.setdefault(mark, dict(zip(MARKED, mark, strict=True)))
                for seat, mark in enumerate(self._voice.seatings(player))
            }
        return found

    def _seat(self, sight: Sight, seat: int) -> dict[str, Any]:
        s, (waiting, teams, dealer, _, _, out) = self._state.position, self._standing
        team, tricks = f"T{teams[seat] + 1}", s.tricks[seat] if s.tricks[seat] and plays_tricks(s) else 0
        noted = self._noted.get(seat)
        if noted is None or noted[0] is not sight.values or noted[1] != team or noted[2] != tricks:
            noted = self._noted[seat] = sight.values, team, tricks, self._notes(sight, seat, team, tricks)
        who, facts, side = intern(f"P{seat + 1}"), noted[3], team if len(set(teams)) < len(teams) else ""
        turn, score = seat in waiting and len(waiting) < s.program.n, sight.scores[seat] if self._scored else None
        key = turn, seat == dealer, score, seat in out, side
        before = self._told.get(seat)
        if before is not None and before[0] == key and before[1]["facts"] is facts:
            return before[1]
        found = {
            "id": who,
            "name": self._voice.name(seat),
            "turn": turn,
            "dealer": seat == dealer,
            "score": score,
            "facts": facts,
        }
        if seat in out:
            found["out"] = True
        if side:
            found["side"] = side
        if before is not None and before[1]["facts"] == facts:
            found["facts"] = before[1]["facts"]
        if before is not None and before[1] == found:
            return before[1]
        self._told[seat] = key, found
        return found

    def _notes(self, sight: Sight, seat: int, team: str, tricks: int) -> list[list[str]]:
        """What is known of somebody, or of their side. tricks: that they have taken, where they are being played."""
        shown = [name for name in self._wanted if name in sight.values and self._captions.shows(name)]
        facts = [
            self._fact(name, value[owner])
            for name, value in ((name, sight.values[name]) for name in shown)
            for owner in (f"P{seat + 1}", team)
            if isinstance(value, dict) and owner in value and name != "score" and self._is_told(name, value[owner])
        ]
        if tricks and not any("trick" in name for name in shown):
            facts.append(["tricks", str(tricks)])
        return facts

    # ---- what is known ------------------------------------------------------------------------------------

    def _is_told(self, name: str, value: Any) -> bool:
        """Whether a value is worth showing: nothing is only where the ruleset wants it shown always."""
        return value is not None if name in self._always else value not in NOTHING

    def _fact(self, name: str, value: Any) -> list[str]:
        """A value with its name, which says all of a flag that is shown only while it holds."""
        return [self._captions.title(name), "" if value is True and name not in self._always else word_of(value)]

    def _facts_of(self, player: int | None, sight: Sight) -> list[list[Any]]:
        """What is known of the deal and belongs to no player: what the ruleset wants shown, or whatever there is."""
        known = self._facts.get(player)
        if known is None or known[0] is not sight.values:
            spoken = self._voice.reader(player).spoken
            found: list[list[Any]] = []
            for name, value in self._known(sight.values):
                title, told = self._fact(name, value)
                found.append([title, spoken(told), *([True] if name in self._always else [])])
            known = self._facts[player] = sight.values, _first_of(found)
        return known[1]

    def _known(self, values: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
        chosen = self._captions.chosen
        for name in dict.fromkeys([*self._wanted, *([] if self._always else values)]):
            value = values.get(name, chosen.get(name))
            if isinstance(value, dict | list) or (isinstance(value, bool) and name not in self._wanted):
                continue
            if self._captions.shows(name) and self._is_told(name, value):
                yield name, value

    def _pieces_of(self, sight: Sight) -> list[dict[str, Any]]:
        if self._pieces[0] is not sight.pieces:
            tokens = self._state.game.program.tokens
            found = [
                {
                    "id": name,
                    "name": tokens[name].named.replace("_", " "),
                    "table": held["table"],
                    "held": {who: count for who, count in held.items() if who != "table"},
                }
                for name, held in sight.pieces.items()
            ]
            self._pieces = sight.pieces, found
        return self._pieces[1]

    def _choosable(self, player: int | None) -> frozenset[str]:
        """The zones from which something can be chosen at such a stage."""
        state, setting = self._state, self._setting
        if player is None or state.over:
            return frozenset()
        actions = self._open_to(player)
        key = tuple(map(id, actions))
        found = self._chosen.get(key)
        if found is None:
            stages = state.game.program.stages
            acts = [setting.acts.get((stages[action.stage].name, action.name)) for action in actions]
            found = self._chosen[key] = frozenset(
                zone for defined in acts if defined is not None for param in defined.params for zone in zones_of(param)
            )
        return found

    def _open_to(self, player: int) -> list[ActionCode]:
        """The actions that are open to somebody now."""
        found = self._open.get(player)
        if found is None:
            found = self._open[player] = [action for action, _ in open_actions(self._state.position, player)]
        return found

    def _wanted_of(self, player: int | None) -> frozenset[str]:
        """Zones from which something can be chosen, and places to which cards have just been moved."""
        chosen = self._choosable(player)
        reader = self._state.game.players if player is None else player
        return chosen.union(label for label, told in self._laid.items() if told >> reader & 1) if self._laid else chosen

    # ---- what was last -----------------------------------------------------------------------------------

    def _look_back(self, fresh: Sequence[Event] | None = None) -> None:
        """Find where the last move has moved cards to, and the trick before the one that is going on, if there may be
        another one or its deal is over."""
        log = self._state.log or []
        if fresh is None or len(log) - len(fresh) != self._heard:
            fresh = log[self._heard :]
        self._look_where_laid(fresh if self._passing else ())
        if not self._heard or any([event.kind == "trick" or event.kind in BEGINS for event in fresh]):
            self._last = _last_trick(self._state, self._setting)
            self._lasts = {}
        self._heard = len(log)

    def _look_where_laid(self, fresh: Iterable[Event]) -> None:
        """Find where the last move has moved cards to: who is told nothing of a move knows of none behind the last."""
        watching = 1 << self._state.game.players
        for event in fresh:
            told = event.told & watching - 1
            told |= watching if told == watching - 1 else 0  # who watches is told what all are
            if event.kind == "move":
                self._told_of_moves |= told
                self._laid = {place: knowing & ~told for place, knowing in self._laid.items() if knowing & ~told}
            elif event.kind == "cards" and event.target in self._passing and told & self._told_of_moves:
                self._laid[event.target] = self._laid.get(event.target, 0) | told & self._told_of_moves

    def _last_of(self, who: int) -> dict[str, Any] | None:
        """The trick before the one that is going on, as these players saw it, and who took it.

        past: that its deal is over; it is only shown to those who have not seen yet how it ended.
        """
        if self._last is None:
            return None
        found = self._lasts.get(who)
        if found is None:
            plays = [[whose, card if eyes & who == who else None] for whose, card, eyes in self._last.plays]
            found = self._lasts[who] = {"plays": plays, "to": self._last.taker, "past": self._last.past}
        return found


def _first_of(facts: list[list[Any]]) -> list[list[Any]]:
    """As many facts as are shown, and how many more there are."""
    more = len(facts) - MOST_FACTS
    return facts if more <= 0 else [*facts[:MOST_FACTS], ["values that are not shown", str(more)]]


def scene(state: State, voice: Voice, player: int | None) -> dict[str, Any]:
    """The table as one reader may know it, once; see `Scenes.of`."""
    return Scenes(state, voice).of(player)


def _game(state: State, setting: Setting, voice: Voice) -> dict[str, Any]:
    game = state.game
    return {
        "name": game.ruleset.name,
        "honour": game.enforcement == "honor",
        "cards": setting.cards,
        "taps": {zone: list(actions) for zone, actions in setting.taps.items()},
        "phrases": [_phrase(phrase, voice) for phrase in setting.phrases],
    }


def _phrase(phrase: Phrase, voice: Voice) -> list[Any]:
    return [
        piece if isinstance(piece, str) else [voice.choice(None, word) for word in piece] for piece in phrase.pieces
    ]


def _last_trick(state: State, setting: Setting) -> _Trick | None:
    """The last trick that is over."""
    zones = {zone for zone, style in setting.styles.items() if style.form == "trick"}
    plays: list[tuple[str, str | None, int]] = []
    taker, past = "", False
    everybody = (1 << state.game.players) - 1
    for event in reversed(told_last(state.log or [], everybody, LOOKED_BACK)[1] if zones else []):
        if event.kind == "trick":
            if taker:
                break
            taker = f"P{(event.player or 0) + 1}"
        elif taker and event.kind == "cards" and event.target in zones:
            card = event.cards[0] if event.cards else None
            plays.append((event.source.partition(" ")[2], card, event.seen & event.told))
        elif event.kind in BEGINS:
            if taker:
                break
            past = True
    return _Trick(taker, plays[::-1], past) if taker else None
