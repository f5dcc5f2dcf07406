"""What a game that is found right is asked: it is played, told, saved and looked at, and must answer as promised."""

from __future__ import annotations

import json
import os
import random
import re
from contextlib import suppress
from typing import Any
from unittest import mock

from fuzz.places import Tree
from fuzz.secrets import (
    counted_too_much,
    exchanged,
    eyes_of,
    hidden_pairs,
    is_settled,
    lying,
    names_in,
    seen_cards,
    taken_back_too_openly,
    told_too_much,
)
from fuzz.watching import Watch, unwatched
from interpreter import Game, IllegalMove, Move, OptionError, RuleError, Ruleset, RulesetError
from interpreter.api import native_lane
from interpreter.api.game import State
from interpreter.api.playouts import matches
from interpreter.api.random_play import deal_stage
from interpreter.api.record import ReplayError, play_again, read
from interpreter.base.signs import ToldError
from interpreter.engine.chance import Dice, derive
from interpreter.engine.notation import OF_NO_RULE
from interpreter.players.random_bot import measured

ANSWERS = (RuleError, OptionError, RulesetError, IllegalMove)
STEPS = 30
MOST_LISTED = 30_000
"""After so many moves were offered a match is not gone on with: each list is answered in time, many are not."""
SECONDS = 2.0
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u2028\u2029]")


class Asking:
    """One game and what is asked of it. blind: whether its rules are known to tell nothing of what is hidden."""

    def __init__(
        self, game: Game, watch: Watch, dice: random.Random, tree: Tree, steps: int = STEPS, blind: bool = False
    ) -> None:
        self.game = game
        self.watch = watch
        self.dice = dice
        self.tree = tree
        self.steps = steps
        self.listed = 0
        self.blind = blind
        self.late = [
            (name, said["refill"]["from"], said["refill"].get("keep", 0))
            for name, said in tree.get("zones", {}).items()
            if isinstance(said, dict) and isinstance(said.get("refill"), dict) and said["refill"].get("on") == "empty"
            and not said.get("each") and isinstance(said["refill"].get("keep", 0), int)
        ]  # fmt: skip
        self.held: set[str] = set()
        """Of the zones that are refilled when empty, those in which there were cards."""

    # ---- a match ------------------------------------------------------------------------------------------------

    def play(self, seed: int) -> State | None:
        """A match step by step; None where the rules do not let it begin."""
        state = None
        with self.watch.expecting("start", *ANSWERS), self.watch.within("start", SECONDS):
            state = self.game.start(seed=seed)
        if state is None:
            return None
        for number in range(self.steps):
            if state.over or self.listed > MOST_LISTED or not self.step(state, number):
                break
        with self.watch.expecting("looking", *ANSWERS):
            self.look(state)
        self.again(state)
        return state

    def step(self, state: State, number: int) -> bool:
        """One move and all that can be asked about it; whether the match can go on."""
        chosen = None
        with self.watch.expecting("legal moves", *ANSWERS), self.watch.within("legal moves", SECONDS):
            chosen = self.choose(state)
        if chosen is None:
            return False
        player, move = chosen
        before, other = state.copy(), state.copy()
        measures = measured(state, player, move)
        bodies = {name: low for name, (low, _) in measures.items()}
        outcomes: list[Any] = []
        for own, made in ((state, move), (other, str(move))):
            with self.watch.expecting("play", IllegalMove, RuleError), self.watch.within("play", SECONDS):
                try:
                    outcomes.append(own.play(player, made, **bodies))
                except (IllegalMove, RuleError) as error:
                    outcomes.append(f"{type(error).__name__}: {error}")
                    if own.to_json() != before.to_json():
                        self.watch.wrong("a refused move changes something", f"P{player + 1} {move}: {error}")
                    raise
        if len(outcomes) < 2:
            return False
        if not _alike(outcomes[0], outcomes[1]) or (state.to_json() != other.to_json()):
            told = f"P{player + 1} {move}: as a Move {_short(outcomes[0])}, as its text {_short(outcomes[1])}"
            self.watch.wrong("a Move is not its text", told)
            return False
        if isinstance(outcomes[0], str):
            if outcomes[0].startswith("IllegalMove"):
                self.watch.wrong("a lawful move is refused", f"P{player + 1} {move}: {outcomes[0]}")
            return False
        if any(event.kind == "gather" for event in outcomes[0]):  # what is gathered is not laid out anew
            self.held.clear()
        self.check_table(state)
        with self.watch.expecting("secrets", *ANSWERS):
            self.check_log(before, state, outcomes[0])
            if number % 4 == 0:
                self.check_exchange(state)
        if number % 3 == 0:
            self.check_typed(state)
        if number % 7 == 3:
            with self.watch.expecting("looking", *ANSWERS):
                self.look(state)
        return True

    def choose(self, state: State) -> tuple[int, Move] | None:
        """A player and a move that is lawful, on honour sometimes one that is only possible."""
        actors = state.actors
        if not actors:
            return None
        players = list(actors)
        self.dice.shuffle(players)
        for player in players:
            legal = state.legal_moves(player)
            self.listed += len(legal)
            if not len(legal):
                continue
            move = legal[self.dice.randrange(len(legal))]
            self.check_move(state, player, move)
            if self.game.enforcement == "honor" and self.dice.random() < 0.3:
                anybody = self.dice.randrange(self.game.players)
                possible = state.possible_moves(anybody)
                if len(possible):
                    other = possible[self.dice.randrange(len(possible))]
                    self.check_read(state, anybody, other)
                    return anybody, other
            return player, move
        return None

    def typed(self, state: State, player: int, *cards: int) -> list[str]:
        """What somebody might type: moves that are possible, with another word somewhere, some of these cards too."""
        with self.watch.expecting("possible moves", *ANSWERS):
            possible = state.possible_moves(player)
            names, found = state.game.program.cards, []
            for _ in range(3 if len(possible) else 0):
                words = str(possible[self.dice.randrange(len(possible))]).split()
                strange = ["0", "9999", "123456789012", "P1", "P9", "none", '"well"', *self.dice.choices(names, k=3)]
                strange += [names[card] for card in cards] * 3
                at = self.dice.randrange(1, len(words) + 1)
                found.append(" ".join([*words[:at], self.dice.choice(strange), *words[at + 1 :]]))
            return found
        return []

    def check_typed(self, state: State) -> None:
        """Whatever is typed is answered in time, and what is refused changes nothing."""
        player = self.dice.randrange(self.game.players)
        for text in self.typed(state, player):
            table = state.copy()
            with self.watch.expecting("typed", IllegalMove, RuleError), self.watch.within("typed", SECONDS):
                try:
                    table.play(player, text)
                except (IllegalMove, RuleError):
                    if table.to_json() != state.to_json():
                        self.watch.wrong("a refused move changes something", f"P{player + 1} {text}")
                    raise

    def check_read(self, state: State, player: int, move: Move) -> None:
        try:
            again = state.parse(player, str(move))
        except IllegalMove as error:
            self.watch.wrong("the text of a move cannot be read", f"P{player + 1} '{move}': {error}")
            return
        if (
            again != move
            or str(again) != str(move)
            or hash(again) != hash(move)
            or self.faces(again) != self.faces(move)
        ):
            told = f"P{player + 1} '{move}' {move.args} is read as '{again}' {again.args}"
            self.watch.wrong("the text of a move is read as another", told)

    def faces(self, move: Move) -> list[Any]:
        """The arguments of a move, equal cards taken for one another."""
        first = dict(enumerate(self.game.program.first_copy))
        params = getattr(move.maker, "params", ())
        cards = {at for at, param in enumerate(params) if param.form == "cards"}
        found: list[Any] = []
        for at, value in enumerate(move.args):
            if at not in cards:
                found.append(value)
            elif isinstance(value, tuple):
                found.append([first.get(card, card) for card in value])
            else:
                found.append(first.get(value, value))
        return found

    def check_move(self, state: State, player: int, move: Move) -> None:
        self.check_read(state, player, move)
        legal = state.legal_moves(player)
        if move not in legal or move not in state.possible_moves(player):
            self.watch.wrong("a lawful move is not in its own list", f"P{player + 1} {move}")
        some = [legal[at] for at in range(min(len(legal), 40))]
        texts = [str(one) for one in some]
        if len(set(texts)) < len(texts) or len(set(some)) < len(some):
            self.watch.wrong("two moves have one text", f"P{player + 1} {sorted(texts)}")
        for one in some[:: max(1, len(some) // 4)]:
            self.check_read(state, player, one)
        self.check_offers(state, player, some)
        self.check_copies(state, player)

    def check_offers(self, state: State, player: int, moves: list[Move]) -> None:
        """Moves name no card that their player does not see, where cards are chosen from where they lie."""
        eyes = eyes_of(state)
        seen = {state.game.program.cards[card] for card in seen_cards(state, player, eyes)}
        where = lying(state)
        for move in moves:
            action = move.maker
            params = getattr(action, "params", ())
            for param, value in zip(params, move.args, strict=False):
                if param.form != "cards" or value is None or not self.is_place(move.action, param.name):
                    continue
                for card in value if isinstance(value, tuple) else (value,):
                    if card >= 0 and state.game.program.cards[card] not in seen and where.get(card, 0) < len(eyes):
                        name = state.game.program.cards[card]
                        if name in names_in(str(move), state):
                            self.watch.wrong(
                                "a move names a card that its player does not see", f"P{player + 1} {move}"
                            )

    def check_copies(self, state: State, player: int) -> None:
        """Equal cards that lie in two places, and can be chosen from both, are two choices."""
        program = state.game.program
        if not program.multi or state.over or not state.position.stack:
            return
        where = lying(state)
        texts = [str(move) for move in list(state.legal_moves(player)[:300])]
        for action in program.stages[state.position.stack[-1].stage].actions:
            if action.shape != "card":
                continue
            mask = action.legal(state.position, player)
            places: dict[int, set[int]] = {}
            for card in range(len(program.cards)):
                if isinstance(mask, int) and mask >> card & 1:
                    places.setdefault(program.first_copy[card], set()).add(where[card])
            for face, found in places.items():
                name = program.cards[face]
                if len(found) > 1 and sum(text.startswith(f"{action.name} {name}") for text in texts) == 1:
                    told = (
                        f"P{player + 1} {action.name} {name}: in {[program.places[place] for place in sorted(found)]}"
                    )
                    self.watch.wrong("equal cards in two places are one choice", told)

    def is_place(self, action: str, param: str) -> bool:
        """Whether a parameter is chosen from a zone."""
        for stage in self.tree.get("flow", {}).values():
            for key in ("actions", "anytime"):
                said = ((stage or {}).get(key) or {}).get(action)
                chosen = ((said or {}).get("choose") or {}).get(param)
                if chosen is not None:
                    return str(chosen.get("from", "pack")).split(" ")[0] in self.tree.get("zones", {})
        return False

    def is_open(self, action: str) -> bool:
        """Whether what an action chooses are cards from zones: others are named by whoever chooses them."""
        said = [
            ((stage or {}).get(key) or {}).get(action)
            for stage in self.tree["flow"].values()
            for key in ("actions", "anytime")
        ]
        chosen = [
            name for one in said for name, param in ((one or {}).get("choose") or {}).items() if "from" in (param or {})
        ]
        return all(self.is_place(action, name) for name in chosen)

    def check_table(self, state: State) -> None:
        cards = sorted(lying(state))
        number = sum(kept.bit_count() if isinstance(kept, int) else len(kept) for kept in state.position.z)
        if cards != list(range(len(state.game.program.cards))) or number != len(cards):
            self.watch.wrong("a card is lost or doubled", f"{number} cards lie in places")
        for zone, source, keep in self.late:
            if state.zone(zone):
                self.held.add(zone)
            elif zone in self.held and not state.over and len(state.zone(source)) > keep:
                told = f"'{zone}' is empty, and {len(state.zone(source))} cards lie in '{source}'"
                self.watch.wrong("a zone that is refilled when empty stays empty", told)

    def check_log(self, before: State, after: State, events: list[Any]) -> None:
        eyes = eyes_of(before), eyes_of(after)
        named = [event.words.split(" ")[0] for event in events if event.kind == "move"]
        for viewer in range(self.game.players):
            counted = counted_too_much(before, after, events, viewer)
            if counted:
                self.watch.wrong("the log tells of a hidden count", counted)
            if not all(self.is_open(name) for name in named):
                continue
            told = taken_back_too_openly(after, events, viewer, eyes[1])
            if not told and self.game.enforcement == "strict":
                told = told_too_much(before, after, events, viewer, eyes)
            if told:
                self.watch.wrong("the log tells of a hidden card", told)

    def check_exchange(self, state: State) -> None:
        """Where two cards that a player does not see change places, that player's view stays as it is."""
        if not is_settled(state):
            return
        eyes = eyes_of(state)
        for viewer in range(self.game.players):
            pairs = hidden_pairs(state, viewer, eyes)
            if not pairs:
                continue
            one, two = self.dice.choice(pairs)
            other = exchanged(state, one, two)
            if eyes_of(other) != eyes:
                continue  # who sees a place goes by its cards
            mine, theirs = state.view(viewer), other.view(viewer)
            if self.blind:
                self.check_blindness(state, other, viewer, one, two)
            self.check_refusals(state, other, viewer, one, two)
            for part in ("zones", "trick", "log"):
                if mine.get(part) != theirs.get(part):
                    names = f"{state.game.program.cards[one]} and {state.game.program.cards[two]}"
                    self.watch.wrong(
                        f"a view tells of hidden cards ({part})", f"P{viewer + 1} notices that {names} changed places"
                    )

    def check_refusals(self, state: State, other: State, viewer: int, one: int, two: int) -> None:
        """Which moves are possible, and why others are not, tells of nothing hidden."""
        if viewer not in state.actors or viewer not in other.actors:
            return
        for text in self.typed(state, viewer, one, two):
            said = []
            for table in (state.copy(), other.copy()):
                try:
                    table.play(viewer, text)
                    said.append("")
                except IllegalMove as error:
                    said.append(str(error) if error.law in OF_NO_RULE else "")
                except RuleError:
                    said.append("")
            if said[0] != said[1]:
                self.watch.wrong("a refusal tells of hidden cards", f"P{viewer + 1} {text}: {said}")

    def check_blindness(self, state: State, other: State, viewer: int, one: int, two: int) -> None:
        """Where the rules look at nothing hidden, variables, lawful moves and refusals do not tell of it either."""
        names = {state.game.program.cards[one], state.game.program.cards[two]}
        if names & set(re.findall(r"\w+", str(self.tree))):
            return  # a card that the rules name matters wherever it lies
        told = {name for name, *_ in state.game.program.shown}
        mine, theirs = ({k: v for k, v in s.view(viewer)["values"].items() if k not in told} for s in (state, other))
        if mine != theirs:
            self.watch.wrong("a variable tells of hidden cards", f"P{viewer + 1}: {sorted(names)}")
        if viewer in state.actors and viewer in other.actors:
            lists = [[str(move) for move in list(s.legal_moves(viewer)[:100])] for s in (state, other)]
            if lists[0] != lists[1]:
                self.watch.wrong("lawful moves tell of hidden cards", f"P{viewer + 1}: {sorted(names)}")
        for text in ("play QS", "pass", f"play {state.game.program.cards[one]}", f"claim P{viewer + 1}"):
            said = []
            for table in (state.copy(), other.copy()):
                try:
                    table.play(viewer, text)
                    said.append("")
                except (IllegalMove, RuleError) as error:
                    said.append(str(error))
            if said[0] != said[1]:
                self.watch.wrong("a refusal tells of hidden cards", f"P{viewer + 1} {text}: {said}")

    def look(self, state: State) -> None:
        """Everything that can be asked of a state, which changes nothing."""
        text = state.to_json()
        for player in range(self.game.players):
            view = state.view(player)
            if json.loads(json.dumps(view)) != view:
                self.watch.wrong("a view is not plain data", str(view)[:200])
        _ = state.actors, state.phase, state.over, state.scores, state.winners, state.places
        for zone in state.game.program.zones:
            state.zone(zone.name)
        for name in state.game.program.variables:
            state.value(name)
        if state.to_json() != text or state.copy().to_json() != text:
            self.watch.wrong("looking changes something", text[:200])

    def again(self, state: State) -> None:
        """A record replays its match, a saved state is restored, a copy equals its original."""
        text, log = state.to_json(), [str(event) for event in state.log or ()]
        with self.watch.expecting("restore"):
            try:
                restored = self.game.restore(text)
                if restored.to_json() != text or [str(event) for event in restored.log or ()] != log:
                    self.watch.wrong("a saved state is restored as another", text[:200])
            except ValueError as error:
                self.watch.wrong(f"a saved state cannot be restored: {_kind(error)}", str(error))
        with self.watch.expecting("replay"):
            try:
                replayed = play_again(read(state.record()), self.game)
                if replayed.to_json() != text or [str(event) for event in replayed.log or ()] != log:
                    self.watch.wrong("a record replays another match", state.record()[-300:])
            except ReplayError as error:
                self.watch.wrong(f"a record cannot be replayed: {_kind(error)}", str(error))
        with self.watch.expecting("copy"):
            if state.copy().to_json() != text:
                self.watch.wrong("a copy is another", text[:200])

    # ---- more ---------------------------------------------------------------------------------------------------

    def check_bulk(self, seed: int) -> None:
        """Random play in bulk is the same as random play step by step."""
        limit = 25
        results: list[Any] = []
        for way in (self._stepwise, lambda: self.game.playouts(1, seed, limit=limit)):
            with self.watch.expecting("playouts", *ANSWERS), self.watch.within("playouts", SECONDS):
                try:
                    results.append(way(seed, limit) if way == self._stepwise else way())
                except RuleError as error:
                    results.append(error.message[:40])
                    raise
        if len(results) == 2 and not isinstance(results[1], str) and not isinstance(results[0], str):
            played = results[1]
            if results[0] != (played.decisions[0], played.scores[0], played.unfinished):
                told = f"step by step {results[0]}, in bulk {played}"
                self.watch.wrong("play in bulk is other play", told)
        elif len(results) == 2 and isinstance(results[0], str) != isinstance(results[1], str):
            self.watch.wrong("play in bulk fails otherwise", f"step by step {results[0]}, in bulk {results[1]}")

    def check_lanes(self, seed: int) -> None:
        """Machine code plays the matches that Python plays; where there can be none, Python says it."""
        with self.watch.expecting("lanes", *ANSWERS):
            played = []
            for lane in ("0", "1"):
                switch = mock.patch.dict(os.environ, {native_lane.SWITCH: lane})
                kept = mock.patch.object(native_lane, "kept_in", lambda: None)
                with unwatched(), switch, kept, suppress(native_lane.NativeError):  # LLVM is called as any C is
                    played.append(list(matches(self.game, 4, seed, 2, 60)))
            if len(played) == 2 and played[0] != played[1]:
                self.watch.wrong("machine code plays other matches", f"in Python {played[0]}, natively {played[1]}")

    def _stepwise(self, seed: int, limit: int) -> tuple[int, tuple[int, ...], int]:
        deal_stage(self.game.program)
        own = derive(seed, 0)
        state, dice, made = self.game.start(seed=own), Dice(own + 1), 0
        while not state.over and made < limit:
            actors = state.actors
            if not actors:
                raise RuleError("nobody acts")
            player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
            moves = state.legal_moves(player)
            if not len(moves):
                raise RuleError("nothing is lawful")
            move = moves[dice.below(len(moves))] if len(moves) > 1 else moves[0]
            bounds = measured(state, player, move)
            state.play(player, move, **{name: low + dice.below(high - low + 1) for name, (low, high) in bounds.items()})
            made += 1
        return made, tuple(state.scores), int(not state.over)

    def check_books(self, parent: Game | None) -> None:
        """The rulebook in three forms, and what differs from the parent's."""
        from interpreter.rulebook import page as pages
        from interpreter.rulebook import writing
        from interpreter.rulebook.chapters import book
        from interpreter.rulebook.comparing import marked_book
        from interpreter.rulebook.differences import differences
        from interpreter.rulebook.overview import overview
        from interpreter.rulebook.terminal import text

        told: list[str] = []
        with self.watch.expecting("explain", ToldError), self.watch.within("explain", 2 * SECONDS):
            marked = marked_book(self.game)
            told += [text(marked, styled=False), writing.markdown(marked)]
            page = pages.html(marked)
            if re.search(r"<script[^>]*>zq|<[^<>]*=[\s\"']*javascript:", page):
                self.watch.wrong("active HTML", "a payload is a script in the HTML of the rulebook")
            if re.search(r"(?<!\\)\]\(javascript:|<script", told[1]):
                self.watch.wrong("active Markdown", "a payload is a link or a script in the Markdown of the rulebook")
        with self.watch.expecting("show"), unwatched():  # it looks for overlays in the folder where one is
            told.append(overview(self.game.ruleset))
        if parent is not None:
            with self.watch.expecting("diff", ToldError), self.watch.within("diff", 2 * SECONDS):
                told += differences(book(parent), book(self.game))
                if differences(book(self.game), book(self.game)):
                    self.watch.wrong("a game differs from itself", self.game.ruleset.id)
        for one in told:
            found = CONTROL.search(one.replace("\r\n", "\n"))
            if found is not None:
                self.watch.wrong(
                    "a sign that controls the terminal", repr(one[max(0, found.start() - 40) : found.end() + 10])
                )


def check_soundness(ruleset: Ruleset, watch: Watch) -> None:
    from interpreter.analysis import audit

    with watch.expecting("check", *ANSWERS), watch.within("check", 10.0):
        found = audit.run(ruleset, 6, limit=60)
        for one in found.found:
            if "broke down" in str(one):
                watch.wrong("check: the interpreter broke down", str(one))


def _alike(one: Any, other: Any) -> bool:
    return bool(one == other)


def _short(outcome: Any) -> str:
    told = outcome if isinstance(outcome, str) else "; ".join(str(event).strip() for event in outcome)
    return told[:300]


def _kind(error: BaseException) -> str:
    """What went wrong, without names and numbers."""
    said = re.sub(r"'[^']*'|\d+", "…", str(error))
    return said.split(": ")[-1][:60] if "diverges" in said or "saved state" in said else said[:60]
