"""Where what waits to be run may hang on what not everybody sees, as far as the rules of a game tell.

It is found without regard to the order in which things happen, but for those in one text of effects. Whatever is in
doubt counts as hidden.

A text of effects asks the machine for something: that a stage runs, or ends, that the turn passes otherwise than it
would. If nothing that is asked for anywhere hangs on what is hidden, all can know the course. Else just that is known
which follows from a move that all have seen, and which stage is going on, from which those around it are told. See
Denning and Denning, "Certification of programs for secure information flow", CACM 20 (1977), for conditions around what
is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from interpreter.compiler.specialise import is_impossible, reached
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.check.openness import is_everyone, is_open, open_choices
from interpreter.language.check.written_out import with_definitions
from interpreter.language.model import MELDS, ActionDef, Choice, Model, ParamDef, StageDef
from interpreter.language.operations import BY_CHANCE, NUMBERED, OF_FAULTS, asking
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed, walk

if TYPE_CHECKING:
    from interpreter.engine.program import ActionCode, ParamCode, Program

HEADS = (
    "when", "until", "players", "turns", "first", "leader", "next_leader", "count", "hands", "first_dealer",
    "next_dealer",
)  # fmt: skip
"""What is asked of a stage to find out how it goes on."""
MOST_ROUNDS = 12
"""So often everything is gone through again for what has been found to be hidden; then all of it may be."""
HOOKS = ("setup", "effect", "resolve", "on_turn", "on_trick", "cleanup")
"""The effects of a stage that are nobody's move."""
AMONG_PLAYERS = asking("players") | {"others"}
"""Operations that go by who takes part, as the name `players` does."""
PLAYERS, SEEN = "players", "="
CARDS, COUNT = "cards in ", "count of "
"""Behind these stand zones, of which it is meant which cards lie there, or how many."""
Names = frozenset[str]
"""Names in a text of effects that stand for nothing hidden; PLAYERS among them, if all know who takes part, and behind
SEEN the variables, pieces and zones that all see while the text is carried out."""


CHANGES = (t.Assign, t.SwapValues, t.Clear, t.Piece, t.SetOut)
"""Effects that change variables and the like."""


class Asked(NamedTuple):
    """Something that the machine is asked for. is_open: whether all can know that, and with what."""

    effect: Effect
    is_open: bool


class Text(NamedTuple):
    """Effects after which the machine does what they have asked for, all at once.

    of_move: whether they are carried out when somebody makes a move that all see. is_open: whether all can know what is
    asked for, and with what. calls: the stages that are called, once each.
    """

    stage: str
    asked: Sequence[Asked]
    of_move: bool
    is_open: bool
    calls: Sequence[str]

    @classmethod
    def of(cls, stage: str, asked: Sequence[Asked], of_move: bool = False) -> Text:
        calls = dict.fromkeys(one.effect.stage for one in asked if isinstance(one.effect, t.Call))
        return cls(stage, asked, of_move, all(one.is_open for one in asked), tuple(calls))


class HiddenCourse:
    """Looks through the rules of one game."""

    def __init__(self, program: Program, model: Model) -> None:
        """model: of the game, settled for its players and options."""
        self._honor = program.honor
        self.model = replace(model, shown=())  # what is told of hidden things is not told of each moment
        live, _ = reached(self.model)
        self._stages = {name: stage for name, stage in self.model.stages.items() if name in live}
        self._codes = {stage.name: stage for stage in program.stages}
        self._inner = {child for stage in self._stages.values() for child in stage.children}
        claimed = {call.stage for call in walk(self.model.honor) if isinstance(call, t.Call)} if self._honor else set()
        anytime = [stage.anytime for stage in self._stages.values()]
        self._anywhere = claimed | {call.stage for call in walk(anytime) if isinstance(call, t.Call)}
        self._leads_to = {
            name: {*stage.children, *(call.stage for call in walk(stage) if isinstance(call, t.Call))}
            for name, stage in self._stages.items()
        }
        """By stage those that stand in it or are called there."""
        self._runs: dict[str, frozenset[str]] = {}
        self._arguments: set[tuple[str, str]] = set()
        """Stages and their arguments that may be hidden."""
        self._tricks_open = all(map(self._is_open_trick, self._tricks()))
        self._narrowed: set[str] = set()
        """Stages in which it may be hidden who takes part."""
        self._unsure: set[str] = set()
        """Variables and pieces that may be given what is hidden, and zones where it may come to lie without a word. All
        see them when somebody has to decide, but not what they are in between."""
        self._unsettled = self._never_settled()
        """Zones of which not even then all see what lies there, or it changes when nothing is said of them."""
        self._unsure |= {CARDS + name for name in self._unsettled}

    def hidden(self) -> set[str]:
        """The stages in which not all know the course."""
        for _ in range(MOST_ROUNDS):  # what is found to be hidden may have a say in more
            before = len(self._arguments), len(self._narrowed), len(self._unsure)
            for stage in self._stages.values():
                if stage.name not in self._narrowed and not self._is_open(stage.players, self._known(stage)):
                    self._narrowed |= self._within(stage.name)
            found = self._looked_through(list(self._texts()))
            if before == (len(self._arguments), len(self._narrowed), len(self._unsure)):
                return found
        return set(self._stages)

    def _looked_through(self, texts: Sequence[Text]) -> set[str]:
        everything, stages = set(self._stages), self._stages.values()
        if any(not self._is_open_trick(stage) and not isinstance(stage.suit, t.Const) for stage in self._tricks()):
            return everything  # which suit was led tells of a card that not all see
        shut = {text.stage for text in texts if not text.is_open}
        shut |= {stage.name for stage in stages if not all(self._is_open_at(stage, head) for head in HEADS)}
        hands = {stage.name: self.model.zones[stage.source_zone] for stage in self._tricks()}
        shut |= {name for name, zone in hands.items() if not is_everyone(zone.count_seen_by)}  # they end tricks
        if not shut:
            return set()
        unsure = ((text.stage, one.effect) for text in texts for one in text.asked if not one.is_open)
        again = {stage for stage, effect in unsure if isinstance(effect, t.Turn)}
        turns = (stage for stage in stages if stage.turns is not None)
        if any(stage.name in again | self._narrowed or not self._is_open_at(stage, "turns") for stage in turns):
            return everything  # how many turns are left
        if self._counts_runs(texts):
            return everything
        sure = self._sure(texts, shut)
        called: set[str] = set()
        ways_in = _ways_in(texts)
        for text in texts:
            if text.is_open and (text.of_move or text.stage in sure):
                continue
            if any(isinstance(one.effect, t.ToPlayer) and one.effect.verb == "skip" for one in text.asked):
                return everything  # who will be passed over nobody is told
            called.update(self._hidden_by(text, ways_in))
        self._arguments |= {(name, argument) for name in called for argument, _ in self._stages[name].params}
        return {inner for name in {*called, *(name for name, _ in self._arguments)} for inner in self._within(name)}

    def _sure(self, texts: Sequence[Text], shut: set[str]) -> set[str]:
        """The stages of which it is known when they begin and end, whatever is hidden elsewhere: they are called by
        moves that all see, or in such stages, and nothing that is hidden has a say in what goes on while they run.

        shut: the stages in which something that is hidden has.
        """
        if any(stage.anytime and stage.name in shut for stage in self._stages.values()):
            return set()
        called = {name for text in texts for name in text.calls} - self._inner
        sure = {name for name in called if not self._within(name) & shut}
        while True:
            inside = {inner for name in sure for inner in self._inside(name)}
            known = [text for text in texts if text.is_open and (text.of_move or text.stage in inside)]
            left = sure.difference(name for text in texts if text not in known for name in text.calls)
            if left == sure:
                return inside
            sure = left

    def _hidden_by(self, text: Text, ways_in: Mapping[str, bool]) -> Iterator[str]:
        """The called stages that may run with what not all know around or in them, because of a text that may have
        asked for something or not. ways_in: see `_ways_in`."""
        if len(text.asked) > 1 or not text.of_move:  # while one of them runs another may wait, or whose turn it was
            yield from text.calls
        for name in text.calls:
            if name in self._inner or not ways_in[name]:
                yield name  # it may have been entered otherwise
            if text.stage in self._within(name):
                yield name  # it may wait for its own end
        kept = (t.ToPlayer, t.Assign, t.SwapValues)  # the stage that was called keeps in mind that the turn was passed
        if any(isinstance(one.effect, kept) and not (text.of_move and one.is_open) for one in text.asked):
            yield from (name for name in ways_in if text.stage in self._within(name))

    def _inside(self, stage: str) -> set[str]:
        """A stage and those that stand in it."""
        found = {stage}
        for child in self._stages[stage].children:
            found |= self._inside(child) if child in self._stages else set()
        return found

    def _within(self, stage: str) -> frozenset[str]:
        """The stages that may run while a stage runs."""
        if stage not in self._runs:
            found: set[str] = set()
            todo = [stage, *self._anywhere]
            while todo:
                name = todo.pop()
                if name in self._leads_to and name not in found:
                    found.add(name)
                    todo += self._leads_to[name]
            self._runs[stage] = frozenset(found)
        return self._runs[stage]

    def _counts_runs(self, texts: Sequence[Text]) -> bool:
        """Whether the rules ask how often something has run of which not all see each run."""
        counted = {part.name for part in walk(self.model) if isinstance(part, t.Op) and part.op == "number of"}
        finished = any(isinstance(one.effect, t.Finish) and not one.is_open for text in texts for one in text.asked)
        return any(stage.name in counted and not self._is_seen(stage, finished) for stage in self._stages.values())

    def _is_seen(self, stage: StageDef, finished: bool) -> bool:
        """Whether all see each run of a stage: it is counted aloud, or asks those who are known.

        finished: whether it may be hidden that something ends before that.
        """
        if stage.next_dealer is not None or not self._is_open_at(stage, "when"):
            return stage.next_dealer is not None
        inner = [self._stages[child] for child in stage.children if child in self._stages]
        if inner:
            sure = inner[:1] if finished or stage.until is not None else inner
            return any(self._is_seen(child, finished) for child in sure)
        return stage.kind in ("ask", "simultaneous") and self._is_open_at(stage, "players")

    def _never_settled(self) -> set[str]:
        """Zones that are shuffled by themselves, and those where what was turned down elsewhere may come to lie."""
        found = {name for name, zone in self.model.zones.items() if zone.refill is not None and zone.refill.shuffle}
        effects = list(walk([list(self.model.stages.values()), self.model.honor]))
        laid = any(isinstance(part, t.Move) and part.facing == "down" for part in effects)
        if laid or any(isinstance(part, t.Face) and part.verb != "turn up" for part in effects):
            swaps = (part for part in effects if isinstance(part, t.SwapValues))
            found |= {side.name for swap in swaps for side in (swap.left, swap.right) if isinstance(side, t.ZoneRef)}
        return found

    # ---- expressions ------------------------------------------------------------------------------------

    def _known(self, stage: StageDef) -> Names:
        """The names that stand for nothing hidden in all of a stage."""
        return frozenset(() if stage.name in self._narrowed else (PLAYERS,))

    def _is_open_at(self, stage: StageDef, head: str) -> bool:
        """Whether all can know what a stage says of its course."""
        if head == "players" and stage.players is not None:
            return stage.name not in self._narrowed
        said = getattr(stage, head)
        return self._is_open(said[0] if isinstance(said, tuple) else said, self._known(stage))

    def _is_open(self, node: Typed | None, names: Names) -> bool:
        """Whether all can know a value, where these names stand for nothing hidden."""
        if node is None:
            return True
        said = _without_sources(node)
        if not is_open(said, self.model, names):
            return False
        parts = list(with_definitions(said, self.model))
        numbered = {id(part.args[0]) for part in parts if isinstance(part, t.Op) and part.op in NUMBERED}
        return not any(self._hides(part, names, id(part) in numbered) for part in parts)

    def _is_unsure(self, name: str, names: Names) -> bool:
        return name in self._unsure and SEEN + name not in names

    def _hides(self, part: object, names: Names, is_number: bool) -> bool:
        """Whether one part of an expression tells what the order of play, chance, a fault, or cards of which nothing
        was said keep from somebody. is_number: whether it is only asked how many they are."""
        match part:
            case t.ZoneRef(name):
                return self._is_unsure((COUNT if is_number else CARDS) + name, names)
            case t.StageArgument(stage, name):
                return (stage, name) in self._arguments
            case t.VarRef(name) | t.TokenRef(name) | t.Op("highest" | "lowest", name=name):
                return self._is_unsure(name, names)
            case t.Builtin("players"):
                return PLAYERS not in names
            case t.Builtin("led" | "best"):
                return not self._tricks_open
            case t.Op("player of"):
                return not self._tricks_open
            case t.Op(op):
                return op in BY_CHANCE or op in OF_FAULTS or (op in AMONG_PLAYERS and PLAYERS not in names)
        return False

    def _tricks(self) -> Iterable[StageDef]:
        return (stage for stage in self._stages.values() if stage.kind == "trick")

    def _is_open_trick(self, stage: StageDef) -> bool:
        zone = self.model.zones[stage.trick_zone]
        return is_public(zone) and not zone.turned_down

    # ---- effects ----------------------------------------------------------------------------------------

    def _texts(self) -> Iterator[Text]:
        for stage in self._stages.values():
            rows = [part for row in stage.score_rows for part in (row.when, row.whom, row.points)]
            if not all(self._is_open(part, self._known(stage)) for part in rows):
                self._unsure.add(stage.score_variable)
            for hook in HOOKS:
                yield Text.of(stage.name, list(self._asked(getattr(stage, hook), self._known(stage))))
            code = self._codes[stage.name]
            for action, of in chain(
                zip(stage.actions, code.actions, strict=True), zip(stage.anytime, code.anytime, strict=True)
            ):
                if not is_impossible(action):
                    yield from self._texts_of(stage, action, of)
        honor = self.model.honor
        if honor is None or not self._honor:
            return
        known = frozenset((*(() if self._narrowed else (PLAYERS,)), "offender", "claimer"))
        own = [fault.penalty or () for fault in honor.laws.values()]
        own += [law.penalty or () for stage in self._stages.values() for one in (*stage.actions, *stage.anytime)
                for law in one.laws]  # fmt: skip
        wrong = honor.wrong_claim
        said = [row for _, row in wrong.rows] if isinstance(wrong, Choice) else [wrong]
        own += [effects for effects in said if not isinstance(effects, str)]
        for effects in (honor.penalty, *own):
            asked = list(self._asked(effects, known))
            yield Text.of("match", asked, of_move=all(one.is_open for one in asked))

    def _texts_of(self, stage: StageDef, action: ActionDef, code: ActionCode) -> Iterator[Text]:
        """What a move asks for, with each row of cards."""
        seen = stage.kind != "simultaneous" and code.told is None
        settled = self._unsure.difference(CARDS + name for name in self._unsettled)
        known = self._known(stage) | {SEEN + name for name in settled}
        if stage.kind == "simultaneous":  # only who makes the move is told where cards go
            said = [part for part in walk([action, stage.on_card]) if isinstance(part, t.ZoneRef | t.Instance)]
            parts = (part for one in said for part in with_definitions(one, self.model))
            self._unsure |= {CARDS + part.name for part in parts if isinstance(part, t.ZoneRef)}
        names = self._chosen(action, action.params, code.params, known) if seen else known
        behind = stage.on_card if action.is_play else ()
        breaches: list[Asked] = []
        for law in action.laws if self._honor else ():  # they are carried out first
            breaches += self._asked(law.on_breach, names, seen and self._is_open(law.law, names))
            for effect in law.on_breach:
                names = names - self._seen_before(effect)
        own = [*breaches, *self._asked((*action.effect, *behind), names, seen)]
        yield Text.of(stage.name, own, of_move=True)
        for effect in action.effect:
            names = names - self._seen_before(effect)
        for row, params in zip(action.rows, code.rows, strict=False):
            inside = self._chosen(action, row.params, params, names) if seen else names
            more = self._asked(row.effect, inside, seen and self._is_open(action.row, names))
            yield Text.of(stage.name, [*own, *more], of_move=True)

    def _chosen(self, action: ActionDef, params: Sequence[ParamDef], codes: Sequence[ParamCode], known: Names) -> Names:
        """The names with the parameters of a move that all learn of: cards that come from where all see them, or go
        there."""
        names = {*known, *open_choices(params)}
        for param, code in zip(params, codes, strict=True):
            if param.form in ("cards", *MELDS) and not code.blind:
                zones = (part for part in walk(param.domain) if isinstance(part, t.ZoneRef))
                is_shown = not code.laid and not all(self._is_open(zone, known) for zone in zones)
                is_shown = is_shown or self._lays_openly(action.effect, {param.name})
                if is_shown or self._is_open(param.domain, frozenset(names)):
                    names.add(param.name)
        return frozenset(names)

    def _lays_openly(self, effects: Iterable[Effect], names: set[str]) -> bool:
        """Whether effects lay the cards for which these names stand where all see them, whatever happens."""
        for effect in effects:
            match effect:
                case t.RunEffect(_, bound, body):
                    own = {name for name, value in bound if isinstance(value, t.Local) and value.name in names}
                    openly = self._lays_openly(body, names.difference(name for name, _ in bound) | own)
                case t.ForEffect(variable, _, t.Local(name), None, _, body):
                    openly = name in names and self._lays_openly(body, {variable})
                case t.Move(t.Local(name), False, _, target) if effect.facing != "down":
                    zone = self.model.zones[target.name]
                    openly = name in names and is_public(zone) and not (zone.shows_top or zone.turned_down)
                case _:
                    openly = False
            if openly:
                return True
        return False

    def _asked(self, effects: Iterable[Effect], names: Names, is_open: bool = True) -> Iterator[Asked]:
        """What effects ask for. is_open: whether all know that they are carried out."""
        for effect in effects:
            again = isinstance(effect, t.ForEffect)
            yield from self._asked_by(effect, names - self._seen_before(effect) if again else names, is_open)
            if isinstance(effect, t.LetEffect):
                known = self._is_open(effect.value, names) and not effect.moves
                names = names | {effect.variable} if known else names - {effect.variable}
            elif not (is_open and isinstance(effect, CHANGES) and self._is_known(effect, names)):
                names = names - self._seen_before(effect)

    def _asked_by(self, effect: Effect, names: Names, is_open: bool) -> Iterator[Asked]:
        match effect:
            case t.IfEffect(condition, then, otherwise):
                inner = is_open and self._is_open(condition, names)
                yield from self._asked(then, names, inner)
                yield from self._asked(otherwise, names, inner)
            case t.ForEffect(variable, _, domain, where, by, body):
                known = self._is_open(domain, names)
                own = names | {variable} if known else names - {variable}
                inner = is_open and known and self._is_open(where, own) and self._is_open(by, own)
                found = list(self._asked(body, own, inner))
                times = Counter(id(one.effect) for one in found)
                yield from (*found, *(one for one in found if times[id(one.effect)] == 1))  # for several
            case t.RunEffect(_, bound, body):
                given = {name for name, value in bound if self._is_open(value, names)}
                yield from self._asked(body, names.difference(name for name, _ in bound) | given, is_open)
            case t.Call(stage, args):
                hidden = {name for name, value in args if not self._is_open(value, names)}
                self._arguments |= {(stage, name) for name in hidden}
                yield Asked(effect, is_open and not hidden)
            case t.Finish() | t.Turn("reverse" | "stay" | "again" | "redeal"):
                yield Asked(effect, is_open)
            case t.ToPlayer(_, who):
                yield Asked(effect, is_open and self._is_open(who, names))
            case t.Gather() | t.Shuffle() | t.SwapValues(t.ZoneRef()):
                self._mix(effect, is_open, names)
            case _ if isinstance(effect, CHANGES):
                yield from self._changed(effect, is_open and self._is_known(effect, names))

    def _is_known(self, effect: Effect, names: Names) -> bool:
        """Whether all can know what an effect changes, and to what."""
        parts = t.children(effect)
        if isinstance(effect, t.Assign) and isinstance(effect.target, t.VarRef):
            parts = [*effect.target.index, *(part for part in parts if part is not effect.target)]
            if effect.verb != "set":
                parts.append(effect.target)
        return all(self._is_open(part, names) for part in parts)

    def _mix(self, effect: t.Gather | t.Shuffle | t.SwapValues, is_open: bool, names: Names) -> None:
        """That cards come to lie in zones and nobody is told which. is_open: whether all know that it is done."""
        zones = _zones_of(effect)
        if zones is None:
            self._unsure |= {kind + name for name in self.model.zones for kind in (CARDS, COUNT) if not is_open}
            zones = [effect.target] if isinstance(effect, t.Gather) else []
        swapped = isinstance(effect, t.SwapValues)
        if not (is_open and swapped and all(self._is_open(zone, names) for zone in zones)):
            self._unsure |= {CARDS + zone.name for zone in zones}
        if not (is_open and all(self._is_counted(zone, names) for zone in zones)):
            self._unsure |= {COUNT + zone.name for zone in zones}

    def _is_counted(self, zone: t.ZoneRef, names: Names) -> bool:
        """Whether all can know how many cards lie in a zone, and in which."""
        counted = is_everyone(self.model.zones[zone.name].count_seen_by)
        is_sure = not self._is_unsure(COUNT + zone.name, names)
        return counted and is_sure and all(self._is_open(part, names) for part in zone.index)

    def _seen_before(self, effect: Effect) -> Names:
        """The names of what an effect may change: who has seen it before need not know it now."""
        found: set[str] = set()
        for part in walk(effect):
            zones = _zones_of(part)
            mixed = self.model.zones if zones is None else {zone.name for zone in zones}
            found.update(_targets(part), *((CARDS + name, COUNT + name) for name in mixed))
        return frozenset(SEEN + name for name in found)

    def _changed(self, effect: Effect, is_open: bool) -> Iterator[Asked]:
        """That variables, pieces or arguments of stages are changed, or who is due."""
        if not is_open:
            self._unsure.update(_targets(effect))
        sides: tuple[Typed, ...] = (effect.target,) if isinstance(effect, t.Assign) else ()
        sides += (effect.left, effect.right) if isinstance(effect, t.SwapValues) else ()
        arguments = {(side.stage, side.name) for side in sides if isinstance(side, t.StageArgument)}
        if not is_open:
            self._arguments |= arguments
        if arguments or any(isinstance(side, t.Builtin) for side in sides):
            yield Asked(effect, is_open)


def _ways_in(texts: Iterable[Text]) -> dict[str, bool]:
    """The stages that are called, and whether only moves that all see call them."""
    found: dict[str, bool] = {}
    for text in texts:
        for name in text.calls:
            found[name] = found.get(name, True) and text.of_move
    return found


def _zones_of(effect: object) -> list[t.ZoneRef] | None:
    """The zones between or in which an effect mixes cards; None: all."""
    match effect:
        case t.Gather(sources, target):
            return None if sources is None else [*sources, target]
        case t.Shuffle(zone):
            return [zone]
        case t.SwapValues(left, right):
            return [side for side in (left, right) if isinstance(side, t.ZoneRef)]
    return []


def _targets(effect: object) -> tuple[str, ...]:
    """The variables and pieces that an effect changes."""
    match effect:
        case t.Assign(_, t.VarRef(name)) | t.Clear(name) | t.Piece(token=name) | t.SetOut(token=name):
            return (name,)
        case t.SwapValues(left, right):
            return tuple(side.name for side in (left, right) if isinstance(side, t.VarRef))
    return ()


def _without_sources(node: Typed) -> Typed:
    """An expression whose names do not say any more where the cards for which they stand have lain."""
    return replace(node, source=None) if isinstance(node, t.Local) else t.rebuilt(node, _without_sources)
