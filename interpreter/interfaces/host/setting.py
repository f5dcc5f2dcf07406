"""What never changes in a game and is needed to draw it: where its places lie, what is done there, how cards look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.compiler import specialise
from interpreter.compiler.constants import rank_word
from interpreter.interfaces.host.card_looks import Look, looks_of
from interpreter.interfaces.host.fault_words import faults_of
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, Model, ParamDef, StageDef, ZoneDef
from interpreter.language.typed import ZoneRef, walk
from interpreter.words.piles import MIDDLE

if TYPE_CHECKING:
    from interpreter.api.game import Game

KEPT = 64
"""Games of which it is kept."""
MOST_LETTERS = 200_000
"""Of all that can be said in a game, as a page is sent it."""
ALWAYS, FILLED, CHOSEN, AWAY = "always", "filled", "chosen", "away"
"""When a place is drawn: at any time, while cards lie there, while they can be chosen or have just come there, while
they can be chosen."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a zone is drawn. at: "table", "mine", "seat". form: fan, row, stack, count or trick, of each place. group:
    "row" or "grid" of the places that one owner, or nobody, has; "" for a place alone."""

    at: str
    form: str
    group: str
    sorted: bool
    name: str
    beside: str
    drawn: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something that can be said, in pieces: texts, and lists of what can stand there; empty lists for anything."""

    pieces: tuple[str | tuple[str, ...], ...]


@dataclass(slots=True)
class Setting:
    """styles: by zone. acts: (stage, action) -> how it is defined, without those that this game rules out. taps: zone
    -> actions that take cards from it without anything being chosen. cards: looks by face. faults: what can be
    claimed on honour, in words. turns: whether play may go the other way round."""

    model: Model
    styles: dict[str, Style]
    acts: dict[tuple[str, str], ActionDef]
    taps: dict[str, tuple[str, ...]]
    cards: dict[str, Look]
    phrases: tuple[Phrase, ...] = ()
    faults: dict[str, str] = field(default_factory=dict)
    turns: bool = False


_known: dict[int, tuple[object, Setting]] = {}


def setting_of(game: Game) -> Setting:
    """The setting of a game, which is made once."""
    found = _known.get(id(game.program))
    if found is None or found[0] is not game.program:
        if len(_known) >= KEPT:
            _known.clear()
        found = _known[id(game.program)] = game.program, _made(game)
    return found[1]


def _made(game: Game) -> Setting:
    honor = game.enforcement == "honor"
    model = specialise(game.ruleset.model, game.players, game.options, honor).model
    stages = list(model.stages.values())
    acts = {
        (stage.name, action.name): action
        for stage in stages
        for action in (*stage.actions, *stage.anytime)
        if not _is_ruled_out(action, honor)
    }
    named, topped = set(_named(acts.values())), set(_topped(model))
    taps = _taps(acts.values(), model)
    tricks = {stage.trick_zone for stage in stages if stage.kind == "trick" and not _never(stage)}
    titles = game.program.shown_as
    piles = topped | {zone.refill.source for zone in model.zones.values() if zone.refill is not None} - named
    piles -= named & set(_bottomed(model))  # of which more than the top may be chosen
    styles = {
        name: _style(
            zone, titles.get(name) == "", name in tricks, name in named | topped or name in taps, name in piles
        )
        for name, zone in model.zones.items()
    }
    phrases = tuple(_phrases(acts.values(), game)) if honor else ()
    faults = faults_of(game) if honor else {}
    turns = any(
        isinstance(node, t.Turn) and node.verb == "reverse"
        for node in walk([model.stages, model.tables, *acts.values()])
    )
    return Setting(model, styles, acts, taps, looks_of(model, game.program), phrases, faults, turns)


def _never(stage: StageDef) -> bool:
    return isinstance(stage.when, t.Const) and stage.when.value is False


def _is_ruled_out(action: ActionDef, honor: bool) -> bool:
    """Whether the options leave no way to do it, or where laws are kept a law forbids it whatever happens."""
    never = [
        *(when for _, when in action.when),
        *(law.law for law in action.laws if law.row < 0 and not (law.on or honor)),
    ]
    return any(isinstance(when, t.Const) and when.value is False for when in never)


def zones_in(node: Any) -> Iterator[str]:
    """The zones that an expression names."""
    for found in walk(node):
        if isinstance(found, ZoneRef):
            yield found.name


def _named(acts: Iterable[ActionDef]) -> Iterator[str]:
    """Zones from which something is chosen, or which are chosen themselves."""
    for action in acts:
        for param in (*action.params, *(param for row in action.rows for param in row.params)):
            yield from zones_of(param)


def zones_of(param: ParamDef) -> list[str]:
    """The zones of which a parameter chooses cards, or one of whose places it chooses."""
    if param.form not in ("cards", "zones", "meld", "melds"):
        return []
    found = [param.source.name] if param.source is not None else []
    return list(dict.fromkeys([*found, *zones_in(param.domain)]))


def is_own(param: ParamDef, model: Model) -> bool:
    """Whether what is chosen lies where the actor has it, or where nobody has anything of their own."""
    refs = [node for node in walk([param.source, param.domain]) if isinstance(node, ZoneRef)]
    return bool(refs) and all(_is_own(ref, model) for ref in refs)


def _topped(model: Model) -> Iterator[str]:
    """Zones of which the rules look at the top card."""
    for node in walk([model.stages, model.instances, model.tables]):
        if isinstance(node, t.Op) and node.op == "top":
            yield from (arg.name for arg in node.args if isinstance(arg, ZoneRef))


def _bottomed(model: Model) -> Iterator[str]:
    """Zones of which the rules look at the bottom card."""
    for node in walk([model.stages, model.instances, model.tables]):
        if isinstance(node, t.Op) and node.op == "bottom":
            yield from (arg.name for arg in node.args if isinstance(arg, ZoneRef))


def _taps(acts: Iterable[ActionDef], model: Model) -> dict[str, tuple[str, ...]]:
    """Zone or kind of pieces -> actions without anything to choose that move cards from it, or take such a piece."""
    found: dict[str, list[str]] = {}
    for action in acts:
        if any(not param.optional and param.form != "flag" for param in action.params):
            continue
        moves = [node for node in walk(action.effect) if isinstance(node, t.Move) and node.source is not None]
        to_own = [node for node in moves if model.zones[node.target.name].dims[:1] == ("player",)]
        for node in walk(action.effect):
            if isinstance(node, t.Piece) and node.verb == "take":
                found.setdefault(node.token, []).append(action.name)
        for node in to_own or moves:  # what the actor gets is meant, not what is put in order besides
            if node.source is not None and _is_single(node.source, model):
                names = found.setdefault(node.source.name, [])
                if action.name not in names:
                    names.append(action.name)
    return {zone: tuple(dict.fromkeys(names)) for zone, names in found.items()}


def _is_single(source: ZoneRef, model: Model) -> bool:
    """Whether that is the one place of its zone, or the one that the actor has."""
    return model.zones[source.name].dims in ((), ("player",)) and _is_own(source, model)


def _is_own(source: ZoneRef, model: Model) -> bool:
    """Whether that is a place of nobody's, or one of the actor's."""
    if model.zones[source.name].dims[:1] != ("player",):
        return True
    whose = source.index[0] if source.index else None
    return isinstance(whose, t.Builtin | t.Local) and "actor" in whose.name


def _style(zone: ZoneDef, is_off: bool, is_trick: bool, is_used: bool, is_pile: bool) -> Style:
    """is_used: whether something is chosen there, or the rules look at its top. is_pile: whether the top is all that
    anybody looks at: what lies in a pile that becomes another one lies there spent."""
    layout, dims = zone.layout, zone.dims
    between = zone.name.split("_")[-1] in MIDDLE
    owned, team = dims[:1] == ("player",), dims[:1] == ("team",)
    several = len(dims) > (1 if owned or team else 0)
    everyone = isinstance(zone.seen_by, t.Builtin) and zone.seen_by.name == "everyone"
    nobody = isinstance(zone.seen_by, t.Op) and zone.seen_by.op == "group" and not zone.seen_by.args
    form = _form(everyone, nobody, owned, several, is_pile or zone.shows_top or zone.faces_down)
    if is_trick and not dims and not layout.form:
        form = "trick"
    elif layout.form:
        form = {"grid": "stack"}.get(layout.form, layout.form)
    group = ("row" if owned or layout.form == "row" else "grid") if several or (owned and between) else ""
    if several and layout.form == "row":
        form = "stack"
    drawn = CHOSEN if is_off and layout.at != "away" else _drawn(zone, nobody, everyone, several, is_trick or is_used)
    order = layout.order or ("sorted" if form == "fan" and not several else "as lies")
    at = layout.at if layout.at not in ("", "away") else "mine" if owned and not between else "table"
    return Style(at, form, group, order == "sorted", layout.name, layout.beside, drawn)


def _form(everyone: bool, nobody: bool, owned: bool, several: bool, is_pile: bool) -> str:
    if nobody or is_pile:
        return "stack"
    if not everyone:
        return "fan" if owned else "row"
    return "stack" if several and not owned else "row"


def _drawn(zone: ZoneDef, nobody: bool, everyone: bool, several: bool, is_used: bool) -> str:
    layout = zone.layout
    if layout.at == "away":
        return AWAY
    if layout.at or layout.form:
        return ALWAYS if not nobody else FILLED
    if nobody and not zone.faces_down:
        return FILLED if is_used or zone.refill is not None else CHOSEN
    if several:
        return ALWAYS if is_used else FILLED
    return ALWAYS if is_used and not (everyone and zone.dims and not zone.shows_top) else FILLED


def _phrases(acts: Iterable[ActionDef], game: Game) -> Iterator[Phrase]:
    """All that can be said in a game, in the order of its rules, each once. Where very many texts could stand, as far
    as so many letters go, nothing is said of which."""
    seen, letters = set(), 0
    for action in acts:
        for say in (*action.says, *(say for row in action.rows for say in row.says)):
            found: list[str | tuple[str, ...]] = []
            for piece in say.words.pieces:
                several = () if isinstance(piece, str) or letters > MOST_LETTERS else _sayable(piece, game)
                letters += sum(map(len, several))
                found.append(piece if isinstance(piece, str) else several if letters <= MOST_LETTERS else ())
            pieces = tuple(found)
            if pieces not in seen:
                seen.add(pieces)
                yield Phrase(pieces)


def _sayable(piece: Any, game: Game) -> tuple[str, ...]:
    """What can stand in a place of a phrase, where there are few; else nothing, for anything."""
    program = game.program
    if isinstance(piece, t.Const):
        return (str(piece.value),)
    if isinstance(piece, t.OptionRef):
        value = game.options.get(piece.name)
        return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)
    match piece.type.kind:
        case "rank":
            return tuple(map(rank_word, program.ranks))  # as they are spoken
        case "text":
            return _texts_agreed_on(game)
        case "suit":
            return tuple(map(str, program.suits))
        case "choice":
            return tuple(piece.type.symbols)
        case "player":
            return tuple(f"P{seat + 1}" for seat in range(game.players))
    return ()


def _texts_agreed_on(game: Game) -> tuple[str, ...]:
    """What options say where they are texts."""
    found: dict[str, None] = {}
    for name, option in game.ruleset.model.options.items():
        if "text" in (option.type.kind, option.type.item.kind if option.type.item is not None else ""):
            value = game.options.get(name)
            found |= dict.fromkeys(map(str, value if isinstance(value, list | tuple) else [value]))
    return tuple(found)
