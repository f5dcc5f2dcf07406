"""Games to test with, and random matches that are looked at after every move."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest import mock

import interpreter
from interpreter import Event, Game, IllegalMove, Move, OptionError, Playouts, Ruleset
from interpreter.api.game import State
from interpreter.api.random_play import deal_stage
from interpreter.compiler import compile_game, gate
from interpreter.engine.chance import Dice, derive
from interpreter.engine.packets import as_tuple
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.catalogue import entries
from interpreter.language.source import to_plain
from interpreter.players.random_bot import measured

SHIPPED = [entry.id for entry in entries()]
ENFORCEMENTS = ("strict", "honor")


@cache
def ruleset(name: str) -> Ruleset:
    """A shipped ruleset, whose games have not been made for anybody else: their trees are read."""
    return interpreter.load(name).compiled_by(compile_game)


# ---- games --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """What is fixed before a match; players None: the first number of players that will do."""

    ruleset: str
    enforcement: str = "strict"
    players: int | None = None
    options: tuple[tuple[str, Any], ...] = ()
    variants: tuple[str, ...] = ()

    def __str__(self) -> str:
        numbers = "" if self.players is None else f"{self.players} players"
        options = ", ".join(f"{k}={v}" for k, v in self.options)
        return " ".join(part for part in (self.ruleset, numbers, options, *self.variants, self.enforcement) if part)

    def game(self) -> Game | None:
        """The game, or None where the options are refused at every number of players; the gate reads its tree too."""
        found = ruleset(self.ruleset)
        options = {k: list(v) if isinstance(v, tuple) else v for k, v in self.options}
        everyone = found.players.counts
        numbers = [self.players] if self.players else [None, *everyone]
        for number in numbers:
            try:
                with mock.patch.object(gate, "ALWAYS_READS_TREES", True):
                    return found.game(number, options, self.variants, self.enforcement)
            except OptionError as error:
                assert str(error)
        return None


def values_of(name: str, option: str) -> list[Any]:
    """Values worth trying: all of a choice, the ends and the middle of a range, lists forwards and backwards."""
    found = ruleset(name).options[option]
    kind = found.type.removeprefix("list of ")
    if found.type == "flag":
        return [False, True]
    if found.type == "integer":
        if found.choices:
            return [int(choice) for choice in found.choices]
        high = found.max if found.max is not None else 100
        low = found.min if found.min is not None else min(0, high - 200)
        return list(range(low, high + 1)) if high - low < 6 else [low, (low + high) // 2, high]
    if not found.type.startswith("list of "):
        return list(found.choices) or [found.default]
    names = list(found.choices) if kind == "choice" else list(ruleset(name).model.ranks)
    if kind == "suit":
        names = [suit.name for suit in ruleset(name).model.suits]
        return [tuple(names), tuple(reversed(names))]
    if kind == "melds":
        phases = [tuple(item) for item in found.default]
        return [tuple(phases), tuple(reversed(phases)), tuple(phases[-3:])]
    if kind == "pairs":
        return [(), ((100, 50), (200, 100)), ((found.min, found.max),)]
    if kind == "text":
        names = ["Oh dear!", "Oy, Vey!", "Great Caesar's Ghost!"]
    if kind == "integer":
        low = found.min if found.min is not None else 1
        return [(low,), tuple(range(low, low + 5)), tuple(range(low + 4, low - 1, -1))]
    lists = [tuple(names), tuple(reversed(names)), tuple(names[-3:]), tuple(names[:5])]
    lists += [(one,) for one in names] if kind == "choice" else []
    return list(dict.fromkeys(lists))


def defaults_of(name: str) -> dict[str, Any]:
    """Option -> the value that it has unless another one is given, as `values_of` has it."""
    return {option: _as_tuple(found.default) for option, found in ruleset(name).options.items()}


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def settings_of(name: str) -> Iterator[Setting]:
    """Each value of each option and each variant alone, and every number of players, each strict and on honour.

    A default is left out: with it, a game is the one for its usual number of players.
    """
    found, defaults = ruleset(name), defaults_of(name)
    for enforcement in ENFORCEMENTS:
        for players in found.players.counts:
            yield Setting(name, enforcement, players)
        for option in found.options:
            for value in values_of(name, option):
                if value != defaults[option]:
                    yield Setting(name, enforcement, None, ((option, value),))
        for variant in found.variants:
            yield Setting(name, enforcement, None, (), (variant,))


REFUSED: dict[tuple[str, str, Any], str] = {
    ("dutch-blitz", "turn_count", 2): "one card is turned or three",
    ("dutch-blitz", "post_sources", ("wood_pile",)): "the blitz pile must be among",
    ("dutch-blitz", "post_sources", ("post_piles",)): "the blitz pile must be among",
    ("pig", "lives", 2): "one life or three",
    ("georgia-spoons", "spoon_object", "fork"): "unsafe",
    ("georgia-spoons", "spoon_object", "knife"): "unsafe",
    ("georgia-spoons", "spoon_object", "grapefruit_spoon"): "unsafe",
    ("georgia-spoons", "spoon_object", "marble"): "rolls away",
    ("georgia-spoons", "spoon_object", "drinking_glass"): "shatters",
    ("georgia-spoons", "spoon_object", "ring"): "gets lost",
    ("georgia-spoons", "spoon_object", "edible"): "replaced",
    ("georgia-spoons", "one_hand", False): "one hand",
    ("georgia-spoons", "sturdy", False): "sturdy",
    ("georgia-spoons", "utensil", True): "unsafe",
    ("georgia-spoons", "sharp_edges", True): "sharp edges",
    ("georgia-spoons", "points", True): "points",
    ("georgia-spoons", "rolls", True): "rolls away",
    ("georgia-spoons", "breakable", True): "shatters",
    ("georgia-spoons", "valuable", True): "gets lost",
    ("georgia-spoons", "edible", True): "replaced",
    ("fruit-salad", "contract_points", (0,)): "5 are needed",
    ("fruit-salad", "domino_points", (-500,)): "3 to 7 are needed",
    ("truco", "stakes", (1,)): "2 to 6 are needed",
}
"""Values that their ruleset refuses at every number of players, with a part of the reason."""


def reason_of(setting: Setting) -> str | None:
    """Why a setting is refused, in a part of the words; None if it is not."""
    found = [REFUSED.get((setting.ruleset, option, value)) for option, value in setting.options]
    return next((reason for reason in found if reason is not None), None)


# ---- who may see what: from the ruleset's own words, not from the code under test -----------------------


@cache
def eyes_of(name: str) -> dict[str, str]:
    """Zone -> what its `seen by` says; unless it does, everyone sees it."""
    zones = to_plain(ruleset(name).node)["zones"]
    return {zone: str((said or {}).get("seen by", "everyone")) for zone, said in zones.items()}


@cache
def topped(name: str) -> set[str]:
    """Zones of which nothing but the top card is seen."""
    zones = to_plain(ruleset(name).node)["zones"]
    return {zone for zone, said in zones.items() if (said or {}).get("shows") == "top"}


def is_open_to(state: State, place: int, viewer: int) -> bool:
    """Whether a player sees the faces at a place."""
    code = state.game.program.zones[state.game.program.place_zone[place]]
    said = eyes_of(state.game.ruleset.id).get(code.name, "everyone")
    owner = code.owners[place - code.base]
    if code.faces_down:
        return False
    if said in ("none", "owner", "everyone"):
        return said == "everyone" or (said == "owner" and owner == viewer)
    return bool(code.seen_by(state.position, owner) >> viewer & 1)


def seen_cards(state: State, viewer: int) -> set[int]:
    """The cards whose faces a player sees now, or has in mind, where the ruleset keeps that."""
    found = set(as_tuple(state.position.up)) | remembered(state, viewer)
    only_top = topped(state.game.ruleset.id)
    for place, kept in enumerate(state.position.z):
        if is_open_to(state, place, viewer):
            zone = state.game.program.zones[state.game.program.place_zone[place]].name
            cards = as_tuple(kept)[-1:] if zone in only_top else as_tuple(kept)
            found |= set(cards) - set(as_tuple(state.position.down))
    return found


@cache
def memories_of(name: str) -> dict[str, str]:
    """Variable -> what its `seen by` says, where it says something."""
    state = to_plain(ruleset(name).node).get("state", {})
    return {
        variable: said["seen by"]
        for variable, said in state.items()
        if said.get("seen by") in ("owner", "everyone", "dealer")
    }


def remembered(state: State, viewer: int) -> set[int]:
    """Cards in variables that a player sees."""
    found = set()
    for name, said in memories_of(state.game.ruleset.id).items():
        code = state.game.program.variables[name]
        if code.kind == "card":
            for at in range(code.size):
                card = state.position.v[code.base + at]
                sees = said == "everyone" or (state.position.dealer if said == "dealer" else code.keys[at][0]) == viewer
                if card is not None and sees:
                    found.add(card)
    return found


TELLING = {"spit-five": {"spit_due"}}
"""Definitions by which a ruleset tells all of cards that are hidden, because the players say so at a table."""


def told_of_hidden(state: State) -> dict[str, Any]:
    """What is told of hidden cards on purpose."""
    return {name: state.value(name) for name in TELLING.get(state.game.ruleset.id, ())}


def names_in(text: str, state: State) -> set[str]:
    """The names of cards that occur in a text, but not of those for which a wild card stands: `JK=8D`."""
    return {word for word in re.findall(r"(?<![=0-9A-Z])[0-9A-Z]+", text) if word in state.game.program.by_name}


# ---- matches ------------------------------------------------------------------------------------------


@dataclass
class Walk:
    """A random match. Every move is checked; what costs more is checked now and then.

    breaches: on honour, how many of a hundred moves are any that are possible for anybody, claims and faults included.
    deck: the order of the first shuffle, where it is not left to chance.
    """

    game: Game
    seed: int
    limit: int = 2_000
    breaches: int = 30
    samples: int = 6
    deck: list[str] | None = None
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.dice = Dice(self.seed + 1)
        self.state = self.game.start(seed=self.seed, deck=self.deck)
        self.seen = self.everything_seen()

    def run(self) -> State:
        state = self.state
        every = max(1, self.limit // self.samples)
        sampled = 0
        self.check_table()
        for number in range(self.limit):
            if state.over:
                break
            if number % every == 0:
                sampled = number + self.dice.below(min(every, 7))
            player, move = self.choose()
            if number == sampled:
                self.check_sample()
            if number < 40 or number % 11 == 0:  # it costs more, the longer the match
                check_text(state, player, move)
            self.play(player, move)
            self.check_table()
        self.check_sample()
        return state

    def choose(self) -> tuple[int, Move]:
        """Somebody who is to act and a lawful move; on honour sometimes anybody and anything."""
        state = self.state
        actors = state.actors
        assert actors, "nobody acts, and the match is not over"
        assert actors == sorted(set(actors)) or state.position.seats
        player = actors[self.dice.below(len(actors))]
        moves = state.legal_moves(player)
        assert len(moves), f"P{player + 1} acts in '{state.phase}' and has no legal move"
        move = moves[self.dice.below(len(moves))]
        self.check_move(player, move)
        if self.game.enforcement == "honor" and self.dice.below(100) < self.breaches:
            somebody = self.dice.below(self.game.players)
            possible = state.possible_moves(somebody)
            if len(possible):
                player, move = somebody, possible[self.dice.below(len(possible))]
                self.check_move(player, move)
        return player, move

    def everything_seen(self) -> list[set[int]]:
        return [seen_cards(self.state, viewer) for viewer in range(self.game.players)]

    def check_move(self, player: int, move: Move) -> None:
        state = self.state
        again = state.parse(player, str(move))
        assert again == move and hash(again) == hash(move) and str(again) == str(move)
        assert move in state.possible_moves(player)

    def play(self, player: int, move: Move) -> None:
        """Make the move; the new lines of every player's log name only cards that player sees before or after."""
        state = self.state
        before = self.seen
        events = state.play(player, move)
        self.seen = self.everything_seen()
        assert events and state.log is not None and state.log[-len(events) :] == events
        taken_back = laid_and_taken_back(state, events)
        for viewer in range(self.game.players):
            said = "\n".join(text for event in events if (text := event.text(viewer)) is not None)
            named = names_in(said, state)
            if named:
                allowed = {state.game.program.cards[c] for c in before[viewer] | self.seen[viewer]}
                allowed |= passed_in_sight(state, events, viewer) | taken_back
                assert named <= allowed, f"P{viewer + 1} reads of {named - allowed}:\n{said}"

    def check_table(self) -> None:
        state, program = self.state, self.game.program
        lying = [card for kept in state.position.z for card in as_tuple(kept)]
        assert sorted(lying) == list(range(len(program.cards))), "a card is lost or doubled"
        assert bool(state.actors) != state.over
        assert len(state.scores) == self.game.players
        assert bool(state.winners) <= state.over

    def check_sample(self) -> None:
        check_moves(self.state)
        check_texts(self.state, self.dice)
        check_views(self.state)
        check_copies(self.state, self.dice)
        check_refusals(self.state, self.dice)


LAID_OPENLY = {("truco", "play"): "covered", ("uno", "play_several"): ""}
"""Actions that lay cards openly although the compiler does not know it: each unless a word is said with it, if any."""


def laid_and_taken_back(state: State, events: list[Event]) -> set[str]:
    """Cards that lie in a hand again, and all have seen them: what the move does is to lay them where all do."""
    found: set[str] = set()
    for event in events:
        if event.kind == "move" and event.words.endswith(" (taken back)"):
            done, *words = event.words.split()
            named = [a for stage in state.game.program.stages for a in stage.within if a.name == done]
            unless = LAID_OPENLY.get((state.game.ruleset.id, done))
            if not any(action.keeps_secrets for action in named) or (unless is not None and unless not in words):
                found |= names_in(event.words, state)
    return found


def passed_in_sight(state: State, events: list[Event], viewer: int) -> set[str]:
    """Cards that went from or to a place which a player sees, or were shown, though they lie elsewhere now."""
    labels = {label: place for place, label in enumerate(state.game.program.places)}
    found: set[str] = set()
    for event in events:
        if event.kind == "cards":
            ends = [labels[end] for end in (event.source, event.target) if end]
            peek = event.words == "shown" and event.seen >> viewer & 1
            if any(is_open_to(state, end, viewer) for end in ends) or event.words == "face up" or peek:
                found |= set(event.cards)
    return found


# ---- what must hold at any moment -----------------------------------------------------------------------


def check_moves(state: State) -> None:
    """Moves are unique, in a stable order, hashable and ordered; what is legal is possible."""
    for player in range(state.game.program.n):
        for moves in (state.legal_moves(player), state.possible_moves(player)):
            some = list(moves) if len(moves) <= 300 else [moves[i] for i in range(0, len(moves), len(moves) // 100)]
            texts = [str(move) for move in some]
            assert len(set(texts)) == len(texts) and len(set(some)) == len(some)
            assert sorted(sorted(some), reverse=True) == sorted(some, reverse=True)
            assert all(move in moves for move in some)
            if len(moves) <= 300:
                assert texts == [str(moves[i]) for i in range(len(moves))]
                assert all(moves.index(some[at]) == at for at in range(0, len(some), 1 + len(some) // 3))
            for move in some[:20]:
                assert state.parse(player, str(move)) == move
        legal, possible = state.legal_moves(player), state.possible_moves(player)
        assert list(legal[:40]) == list(state.legal_moves(player)[:40])
        assert all(move in possible for move in legal[:300])
    if state.over:
        assert not any(len(state.possible_moves(player)) for player in range(state.game.program.n))


def check_text(state: State, player: int, move: Move) -> None:
    """A move is its text: played as either it does, tells and records the same, and is refused alike."""
    assert state.parse(player, str(move)) == move
    outcomes = []
    for way in (move, str(move)):
        copy = state.copy()
        told: list[Any]
        try:
            told = list(copy.play(player, way))
        except (IllegalMove, RuleError) as refusal:
            told = [type(refusal), str(refusal)]
        outcomes.append((told, copy.to_json(), copy.position.record_moves[-1:]))
    assert outcomes[0] == outcomes[1], f"'{move}' as a move is not what it is as a text"


def check_texts(state: State, dice: Dice) -> None:
    """Some moves of everybody, lawful and possible ones, are their texts."""
    for player in range(state.game.program.n):
        for moves in (state.legal_moves(player), state.possible_moves(player)):
            for _ in range(min(2, len(moves))):
                check_text(state, player, moves[dice.below(len(moves))])


def check_views(state: State) -> None:
    """Views are plain data, name no card that is hidden, and stay the same when hidden cards change places."""
    order = list(range(len(state.game.program.cards)))
    for viewer in range(state.game.program.n):
        view = state.view(viewer)
        assert json.loads(json.dumps(view)) == view
        seen = seen_cards(state, viewer)
        told = names_in(json.dumps([view["zones"], view["trick"]]), state)
        assert told <= {state.game.program.cards[c] for c in seen}, f"P{viewer + 1} sees {told} in {view['zones']}"
        hidden = [c for c in order if c not in seen and state.game.program.first_copy[c] == c]
        half = len(hidden) // 2
        for one, two in list(zip(hidden[:half], hidden[half:], strict=False))[:: max(1, half // 4)]:
            other = exchanged(state, one, two)
            if told_of_hidden(other) != told_of_hidden(state):
                continue
            assert other.view(viewer) == view, f"P{viewer + 1} notices that two hidden cards have changed places"


def exchanged(state: State, one: int, two: int) -> State:
    """A copy in which two cards have changed places, everything that is known of them included."""
    other = state.copy()
    change = {one: two, two: one}
    bits = (1 << one) | (1 << two)
    for place, kept in enumerate(other.position.z):
        if isinstance(kept, int):
            if (kept & bits).bit_count() == 1:
                other.position.z[place] = kept ^ bits
        else:
            other.position.z[place] = [change.get(card, card) for card in kept]
    for code in other.game.program.variables.values():
        if code.kind == "card":
            for slot in range(code.base, code.base + code.size):
                other.position.v[slot] = change.get(other.position.v[slot], other.position.v[slot])
    return other


def check_copies(state: State, dice: Dice) -> None:
    """A copy and a restored state are equal, go on equally, and leave the original alone."""
    text = state.to_json()
    copy, restored = state.copy(), state.game.restore(text)
    assert copy.to_json() == text and restored.to_json() == text
    for _ in range(4):
        if copy.over:
            break
        player = copy.actors[dice.below(len(copy.actors))]
        moves = copy.legal_moves(player)
        at = dice.below(len(moves))
        assert [str(m) for m in restored.legal_moves(player)[:20]] == [str(m) for m in moves[:20]]
        assert copy.play(player, moves[at]) == restored.play(player, restored.legal_moves(player)[at])
        assert copy.to_json() == restored.to_json()
        assert all(copy.view(p) == restored.view(p) for p in range(copy.game.program.n))
    assert state.to_json() == text, "playing on a copy has changed the original"


def check_refusals(state: State, dice: Dice) -> None:
    """Moves that are refused change nothing: nonsense, anybody's cards, moves of others."""
    cards = list(state.game.program.by_name)
    actions = sorted({a.name for stage in state.game.program.stages for a in (*stage.actions, *stage.anytime)})
    actions += ["claim", "decline", "fly"]
    text = state.to_json()
    for _ in range(12):
        words = [actions[dice.below(len(actions))]]
        words += [
            [cards[dice.below(len(cards))], f"P{1 + dice.below(9)}"][dice.below(5) == 0] for _ in range(dice.below(5))
        ]
        assert_refused_or_played(state, dice.below(state.game.program.n), " ".join(words), text)


def assert_refused_or_played(state: State, player: int, move: str, text: str) -> bool:
    """Try a move on a copy; True if it was refused, and then nothing has changed."""
    copy = state.copy()
    try:
        copy.play(player, move)
    except IllegalMove as refusal:
        assert refusal.law and refusal.message and str(refusal) == f"{refusal.law}: {refusal.message}"
        assert copy.to_json() == text, f"'{move}' was refused and has changed something"
        return True
    return False


def stepwise(game: Game, n: int, seed: int, deals: int | None = None, limit: int = 100_000) -> Playouts:
    """What the docstring of `playouts` says, in its words."""
    decisions, scores, wins, unfinished = [], [], [0] * game.players, 0
    counted = deal_stage(game.program)
    for i in range(n):
        state = game.start(seed=derive(seed, i))
        dice = Dice(derive(seed, i) + 1)
        made = 0
        while not state.over and made < limit and (deals is None or state.position.runs[counted] <= deals):
            actors = state.actors
            player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
            moves = state.legal_moves(player)
            move = moves[dice.below(len(moves))] if len(moves) > 1 else moves[0]
            bounds = measured(state, player, move)
            state.play(player, move, **{name: low + dice.below(high - low + 1) for name, (low, high) in bounds.items()})
            made += 1
        decisions.append(made)
        scores.append(tuple(state.scores))
        unfinished += not state.over
        for player in state.winners:
            wins[player] += 1
    return Playouts(n, unfinished, tuple(decisions), tuple(scores), tuple(wins))
