"""The sentences of a ruleset: whether their slots name what is there, what every reader may know, and agree."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.entries import child, entries, folded, text_of
from interpreter.language.check.hiding import is_public
from interpreter.language.check.names import Names
from interpreter.language.check.openness import OPEN, asks_of_trick, is_everyone, tricks_lie_open
from interpreter.language.check.written_out import with_tables
from interpreter.language.model import ActionDef, DefineInstance, ParamDef, ShownDefine, StageDef, TableDef, ZoneDef
from interpreter.language.source import Listing, Node, Scalar
from interpreter.language.source import Mapping as Branch
from interpreter.language.templates import Slot, Template, Templates
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, walk

_SLOT = re.compile(r"\{([^{}]*)\}")
_VERB = re.compile(r"verb:\s*([A-Za-z-]+)")
_NUMBER = re.compile(r"n ([A-Za-z][A-Za-z ]*)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PLACE = re.compile(r"([A-Za-z_]\w*) of ([A-Za-z_]\w*)")
_THIRD = re.compile(r"[ ]+((?!(?:always|besides|perhaps|sometimes|thus|yes)\b)[a-z]+[^s\W]s)\b")


def read_templates(node: Node | None, report: Report, asked: bool = False) -> Templates:
    """The texts of a key: one, or `{text, else}`, in which `else` is a text or several, each for those before it.

    asked: it is what somebody is asked, before anything is chosen.
    """
    first, *others = [node] if isinstance(node, Scalar) else [child(node, "text"), *_several(child(node, "else"))]
    texts = [text for text in (first, *others) if isinstance(text, Scalar) and text.value is not None]
    return tuple([_read(text, report, asked) for text in texts])


def _several(node: Node | None) -> Sequence[Node]:
    """The items of a list, or a text alone."""
    return node.items if isinstance(node, Listing) else [] if node is None else [node]


def _read(node: Scalar, report: Report, asked: bool) -> Template:
    text = folded(text_of(node).strip())
    pieces: list[str | Slot] = []
    end = 0
    for slot in _SLOT.finditer(text):
        if slot.start() > end:
            pieces.append(text[end : slot.start()])
        pieces.append(_slot(slot[1].strip(), node, report, asked))
        end = slot.end()
    if end < len(text):
        pieces.append(text[end:])
    if any("{" in piece or "}" in piece for piece in pieces if isinstance(piece, str)):
        report.error("E531", node.span, "a brace stands alone here", "a slot is written {actor} or {verb: order}")
    for before, piece in pairwise(pieces):
        bare = _THIRD.match(piece) if isinstance(piece, str) and before == Slot("actor") else None
        if bare is not None:
            base = _base(bare[1])
            message = f"'{bare[1]}' does not agree with '{{actor}}', who may be you"
            report.error("E533", node.span, message, f"write {{actor}} {{verb: {base}}}")
    return Template(tuple(pieces), node.span)


def _slot(text: str, node: Scalar, report: Report, asked: bool) -> Slot:
    """What stands between braces."""
    if text == "actor" or (text in ("cards", "receiver") and not asked):
        return Slot(text)
    if text == "actor's":
        return Slot("owner")
    if found := _VERB.fullmatch(text):
        return Slot("verb", found[1])
    if found := _NUMBER.fullmatch(text):
        return Slot("number", found[1].strip())
    if (found := _PLACE.fullmatch(text)) and not asked:
        return Slot("place", found[2], zone=found[1])
    if not _NAME.fullmatch(text):
        known = ("actor", "actor's", "verb: order", "n cards", "cards", "receiver")
        report.error("E531", node.span, f"'{{{text}}}' is no slot of a sentence", suggest(text, known, "slots"))
        return Slot("actor")
    return Slot("name", text)


def _base(third: str) -> str:
    """A verb in its base form, as far as English is regular: for a hint."""
    if third in ("is", "was"):
        return "be"
    if third == "has":
        return "have"
    if third.endswith("ies"):
        return f"{third[:-3]}y"
    return third[:-2] if third.endswith(("ses", "xes", "ches", "shes", "oes", "zes")) else third[:-1]


# ---- what they name ---------------------------------------------------------------------------------------

_SEAT = re.compile(r"[Pp][0-9]+")
"""What players are called who have no other name."""


class Sentences:
    """Checks the sentences of one ruleset, when all its stages are known.

    askable: definition -> the key of its instance, and of whom it can be asked.
    """

    def __init__(
        self,
        names: Names,
        instances: Mapping[str, DefineInstance],
        tables: Mapping[str, TableDef],
        stages: Mapping[str, StageDef],
        askable: Mapping[str, tuple[str, str]],
        report: Report,
    ) -> None:
        self._names, self._instances, self._askable, self._report = names, instances, askable, report
        self._tables, self._stages = tables, stages

    def check(self) -> None:
        """All sentences of all stages, and whether what is quiet can be noticed."""
        for stage in self._stages.values():
            self._prompt(stage.prompt)
            for action in (*stage.actions, *stage.anytime):
                self._prompt(action.prompt)
                self._tell(action)
                if action.quiet is not None and not self._is_noticed(action):
                    message = f"nobody could notice '{action.name}', for nothing that others see comes of it"
                    hint = "let it set a variable that others see, or leave 'quiet' out"
                    self._report.error("E534", action.quiet, message, hint)

    def on_the_table(
        self, root: Branch, shown: Sequence[ShownDefine], removed: Mapping[tuple[str, ...], Span]
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        """What players see all the time, and what the table calls things."""
        always = tuple(self._always_shown(_several(root.get("always shown")), shown))
        chosen = {name for name in always if name in self._names.options}
        return always, dict(self._shown_as(root.get("shown as"), shown, removed, chosen))

    def _always_shown(self, listed: Sequence[Node], shown: Iterable[ShownDefine]) -> Iterator[str]:
        """What players see all the time: options, variables that all see, and definitions that views show to all."""
        eyes = {define.name: define.seen_by for define in shown}
        for item in listed:
            name = text_of(item)
            if name in self._names.options:
                yield name
                continue
            known = self._names.variables.get(name)
            if known is None and name not in eyes:
                if name in self._names.definitions:
                    hint = f"let all see it: {name}: {{value: ..., seen by: everyone}}"
                    self._report.error("E532", item.span, f"players are not shown '{name}'", hint)
                else:
                    hint = suggest(name, [*self._names.variables, *self._names.options, *eyes], "names")
                    message = f"no variable, definition or option is called '{name}'"
                    self._report.error("E531", item.span, message, hint)
                continue
            if not (is_everyone(eyes[name]) if known is None else self._is_open(name)):
                hint = "leave it out: whoever may see it is shown it anyway"
                self._report.error("E532", item.span, f"not everybody may see '{name}'", hint)
            self._names.used.add(("define" if known is None else "state", name))
            yield name

    def _shown_as(
        self,
        node: Node | None,
        shown: Iterable[ShownDefine],
        removed: Mapping[tuple[str, ...], Span],
        chosen: Collection[str],
    ) -> Iterator[tuple[str, str]]:
        """What the table calls variables, definitions, places and options; what an overlay has taken out needs no name.

        chosen: the options that are shown.
        """
        table = {*self._names.variables, *self._names.zones, *chosen, *(define.name for define in shown)}
        known = {*table, *self._names.options}
        named = {name: text_of(text) for name, text, _ in entries(node) if name in known}
        taken: dict[str, set[str]] = {}
        for name in {*table, *named}:
            taken.setdefault(named.get(name, name.replace("_", " ")).casefold(), set()).add(name)
        for name, text, span in entries(node):
            if name in known:
                words = text_of(text)
                others = taken[words.casefold()] - {name} if words else set()
                if others or _SEAT.fullmatch(words):
                    message = f"'{words}' is what " + (f"'{min(others)}' is called" if others else "a player is called")
                    self._report.error("E518", text.span, message, "call it so that nobody takes it for the other")
                yield name, words
            elif not {(section, name) for section in ("state", "define", "zones", "options")} & {*removed}:
                hint = suggest(name, [*known], "names")
                self._report.error(
                    "E531", span, f"no variable, option, place or definition that is shown is called '{name}'", hint
                )

    def _tell(self, action: ActionDef) -> None:
        """What is told of an action: of its parameters, and those of the rows of cards, which are not always there."""
        own = {param.name: param for param in action.params}
        self._tells(action, action.tell, own, {param.name: param for row in action.rows for param in row.params})
        for row in action.rows if action.row_param else ():
            self._tells(action, row.tell, {**own, **{param.name: param for param in row.params}}, {})

    def _tells(
        self, action: ActionDef, templates: Templates, own: Mapping[str, ParamDef], rows: Mapping[str, ParamDef]
    ) -> None:
        """own: what is always chosen; rows: what is chosen with some cards only."""
        for at, template in enumerate(templates):
            last = at == len(templates) - 1
            if template.has("receiver") and last and not self._has_receiver(action):
                message = f"nobody receives anything by '{action.name}'"
                self._report.error("E531", template.span, message, "leave {receiver} out")
            for name in template.named:
                param = own.get(name) or rows.get(name)
                if param is None:
                    hint = suggest(name, [*own, *rows, "actor", "cards", "receiver"], "slots")
                    self._report.error("E531", template.span, f"'{action.name}' chooses no '{name}'", hint)
                elif last and (why := self._why_unknown(param, name in own)):
                    hint = "give {text: ..., else: ...}, in which 'else' does without it"
                    self._report.error("E532", template.span, f"{why}, so another text is needed", hint)
            for name, zone in template.places.items():
                self._place(template, {**rows, **own}.get(name), zone)

    def _place(self, template: Template, param: ParamDef | None, zone: str) -> None:
        """A player who is chosen is told by a place of a zone of which each player has one."""
        each = {name for name, found in self._names.zones.items() if found.dims == ("player",)}
        if zone not in each:
            message = f"'{zone}' is no zone of which each player has one place"
            self._report.error("E531", template.span, message, suggest(zone, [*each], "zones"))
        elif param is not None and param.form != "players":
            message = f"'{param.name}' is no player, so that no place belongs to it"
            self._report.error("E531", template.span, message, f"write {{{param.name}}}")
        self._names.used.add(("zones", zone))

    def known_stages(self) -> dict[str, StageDef]:
        """The stages, their sentences knowing of each name what it is."""
        return {
            name: replace(
                stage,
                prompt=self._known(stage.prompt),
                actions=tuple(map(self._action, stage.actions)),
                anytime=tuple(map(self._action, stage.anytime)),
            )
            for name, stage in self._stages.items()
        }

    def _action(self, action: ActionDef) -> ActionDef:
        return replace(action, prompt=self._known(action.prompt)) if action.prompt else action

    def _known(self, templates: Templates) -> Templates:
        names = {name for template in templates for name in template.named if self._is_public(name)}
        return tuple([template.opened(names) for template in templates])

    def _why_unknown(self, param: ParamDef, always: bool) -> str:
        """Why a reader may not know what was chosen; nothing if every reader does. Cards are counted instead."""
        if not always:
            return f"'{param.name}' is chosen with some cards only"
        if param.optional:
            return f"'{param.name}' may be none"
        if param.seen_by is not None and param.form != "cards":
            return f"not everybody learns '{param.name}'"
        return ""

    def _has_receiver(self, action: ActionDef) -> bool:
        """Whether somebody is chosen, or cards are moved."""
        effects = [action.effect, [row.effect for row in action.rows]]
        return any(param.form == "players" for param in action.params) or any(
            isinstance(part, t.Move | t.Deal) for part in walk(effects)
        )

    def _prompt(self, templates: Templates) -> None:
        """What is asked: of variables and definitions that whoever is asked may know."""
        for at, template in enumerate(templates):
            for name in template.named:
                if name not in self._names.variables and name not in self._askable:
                    known = [*self._names.variables, *self._askable]
                    message = f"no variable or definition that could be told here is called '{name}'"
                    self._report.error("E531", template.span, message, suggest(name, known, "names"))
                    continue
                self._names.used.add(("state" if name in self._names.variables else "define", name))
                if at == len(templates) - 1 and not self._is_public(name):
                    hint = "give {text: ..., else: ...}, in which 'else' does without it"
                    message = f"not everybody may know '{name}', so another text is needed"
                    self._report.error("E532", template.span, message, hint)

    def _is_public(self, name: str) -> bool:
        """Whether everybody may know a value at any time, as far as a ruleset tells."""
        if name not in self._names.variables and name not in self._askable:
            return False
        if name in self._names.variables:
            return self._is_open(name)
        return self._askable[name][0] not in self._hiding

    @cached_property
    def _hiding(self) -> frozenset[str]:
        """Definitions, by key, that look at something hidden, or use one that does: each is looked through once."""
        users: dict[str, list[str]] = {}
        todo: list[str] = []
        for key, instance in self._instances.items():
            for part in with_tables(instance.body, self._tables):
                if isinstance(part, t.Instance):
                    users.setdefault(part.key, []).append(key)
                elif not self._tells_all(part):
                    todo.append(key)
                    break
        found: set[str] = set()
        while todo:
            key = todo.pop()
            if key not in found:
                found.add(key)
                todo += users.get(key, ())
        return frozenset(found)

    def _tells_all(self, part: object) -> bool:
        """Whether a part of an expression looks at nothing that is hidden from anybody."""
        match part:
            case t.ZoneRef(name):
                return name in self._names.zones and _lies_open(self._names.zones[name])
            case t.VarRef(name):
                return name in self._names.variables and self._is_open(name)
            case t.TokenRef(name, holder):
                return holder is None or (name in self._names.tokens and is_everyone(self._names.tokens[name].seen_by))
            case t.Op("highest" | "lowest", _, _, _, name):
                return name in self._names.variables and self._is_open(name)
            case t.Op(op) if op not in OPEN:
                return False
        return not asks_of_trick(part) or tricks_lie_open(self._stages, self._names.zones)

    def _is_open(self, name: str) -> bool:
        """Whether all see a variable; a card in one, of which nothing is said, is seen by those who see it lie."""
        variable = self._names.variables[name]
        if variable.seen_by is None:
            return variable.type.kind != "card" and (variable.type.item is None or variable.type.item.kind != "card")
        return is_everyone(variable.seen_by)

    def _is_noticed(self, action: ActionDef) -> bool:
        """Whether something comes of an action that others may see: all but what is set in secret."""
        return any(self._is_seen(effect) for effect in _effects(action))

    def _is_seen(self, effect: Effect) -> bool:
        match effect:
            case t.Assign(_, t.VarRef(name)):
                return self._is_open(name)
            case t.Clear(name):
                return name not in self._names.variables or self._is_open(name)
            case t.IfEffect() | t.ForEffect() | t.RunEffect():
                return False  # what is inside is looked at for itself
        return True


def _effects(action: ActionDef) -> Iterator[Effect]:
    for part in walk([action.effect, [row.effect for row in action.rows]]):
        if isinstance(part, t.Effect):
            yield part


def _lies_open(zone: ZoneDef) -> bool:
    """Whether everybody sees all cards of a zone at any time, and how many there are."""
    covered = zone.shows_top or zone.turned_down or zone.faces_down
    return is_public(zone) and not covered and is_everyone(zone.count_seen_by)
