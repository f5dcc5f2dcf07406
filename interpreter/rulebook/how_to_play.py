"""How to play: the first layer of the book, for somebody who wants to sit down and begin."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from interpreter.base.english import numbers
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, StageDef
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import END, Block, Item, Section
from interpreter.rulebook.chapters import plain
from interpreter.rulebook.course import Course, phrases
from interpreter.rulebook.grouping import WORDING, Group
from interpreter.rulebook.other_numbers import by_number
from interpreter.rulebook.seats import CARDS, PACK, Drawing, Seat, names
from interpreter.rulebook.speaker import Speaker
from interpreter.rulebook.teller import Teller
from interpreter.rulebook.worked_example import worked_example

if TYPE_CHECKING:
    from interpreter.rulebook.chapters import Author

ASKING = {
    "trick": "A trick", "turn": "A turn", "race": "The race", "simultaneous": "All at once", "ask": "What is asked",
}  # fmt: skip
"""Kinds of stages in which players decide, and the headings of what is told of them."""
ELSEWHERE = (WORDING, "Options", "Variants", "Where cards lie", "What is kept count of")
"""Groups of changes that are no rules by themselves."""
NEVER = "never"
_GOES_ON = re.compile(r"^(?:Then|But|Also),? ")


class HowToPlay:
    """Tells one game. changes: what overlays have changed of it; lost: of which aspects they have made texts untrue."""

    def __init__(self, author: Author, changes: Sequence[Group] = (), lost: Collection[str] = ()) -> None:
        self._author, self._changes, self._lost = author, changes, lost
        self._model, self._speaker, self._course = author.model, author.speaker, author.course
        self._teller = Teller(author.speaker, author.marks)
        true = {part: doc for part, doc in author.speaker.docs.items() if doc}  # else it is told what is done
        self._plainly = Course(Speaker(author.model, true, author.speaker.folding), author.marks)

    def sections(self) -> tuple[Section, ...]:
        """What has to be known, in the order in which it is needed."""
        example = worked_example(self._author.game)
        found = [
            Section("The aim", tuple(self._how("aim") or self._aim())),
            Section("What you need", tuple(self._needs())),
            Section("The deal", tuple(self._how_or("deal", self._deal))),
            Section(self._turns_title(), (*self._how_or("turn", self._turns), *self._may(), *self._must())),
            *([] if example is None else [example]),
            Section("Special cards", (*self._how("special"), *self._cards())),
            Section("Scoring", (*self._how_or("scoring", self._scoring), *self._score_rows())),
            Section(END, tuple(self._how_or("end", self._end))),
            Section("On honour", tuple(self._honor())),
            Section(
                "House rules at this table",
                tuple(_changed(group) for group in self._changes if group.title not in ELSEWHERE),
            ),
        ]
        return tuple(section for section in found if section.blocks)

    def _how(self, aspect: str) -> list[Block]:
        """The texts about one aspect; the first goes on from nothing, though one before it may be untrue now."""
        told = [*self._teller.items(self._model.how.get(aspect, ()))]
        if told:
            told[0] = replace(told[0], text=g.sentence(_GOES_ON.sub("", told[0].text)))
        return [*told]

    def _how_or(self, aspect: str, otherwise: Callable[[], Iterator[Item]]) -> list[Block]:
        """The texts about one aspect; without any, and beside what is left of them, what is told of it by itself."""
        told = self._how(aspect)
        return [*told, *(otherwise() if aspect in self._lost or not told else ())]

    def _clause(self, node: t.Typed) -> str:
        return self._course.clause(node)

    # ---- what is in play --------------------------------------------------------------------------------

    @cached_property
    def _stages(self) -> list[StageDef]:
        """The stages that can be reached with the options chosen, in the order in which they are played."""
        stages, found = self._model.stages, dict[str, StageDef]()

        def reach(name: str) -> None:
            stage = stages[name]
            if name not in found and (stage.when is None or self._clause(stage.when) != NEVER):
                found[name] = stage
                called = (node.stage for node in t.walk(_effects(stage)) if isinstance(node, t.Call))
                for inner in (*stage.children, *called):
                    reach(inner)

        reach("match")
        return list(found.values())

    @cached_property
    def _actions(self) -> list[tuple[StageDef, ActionDef]]:
        """What players can do with the options chosen, each once however many stages have it."""
        found: dict[object, tuple[StageDef, ActionDef]] = {}
        for stage in self._stages:
            for action in (*stage.actions, *stage.anytime):
                if not action.is_claim and all(self._clause(when) != NEVER for _, when in action.when):
                    found.setdefault(action.span, (stage, action))
        return list(found.values())

    # ---- the parts --------------------------------------------------------------------------------------

    def _aim(self) -> Iterator[Item]:
        yield Item(self._teller.shown(self._model.about))

    def _needs(self) -> Iterator[Block]:
        author, model = self._author, self._model
        told = ""
        if len(model.players.counts) > 1:
            told += "" if model.players.best is None else f", best with {numbers(range(*_range(model.players.best)))}"
            told += f"; here {author.game.players} play"
        yield Item(f"{numbers(model.players.counts)}{told}.", "Players")
        others = by_number(author.game, model, plain)
        if elsewhere := [f"{g.plain(name)} {said}" for name, said in others.items() if said]:
            yield Item(f"{'; '.join(elsewhere)}.", "With others than here")
        for block in author.needs():
            if isinstance(block, Item) and block.term in ("Sides", "Cards"):
                yield Item(self._teller.shown(block.text), block.term, mark=block.mark)
        high = [rank for rank in reversed(author.ranks())]
        yield Item(f"{' '.join(high)}.", "Ranks, the highest first", mark=author.marks.changed("ranks"))
        for name, token in model.tokens.items():
            yield Item(token.doc, f"{g.title(author.speaker.token(name))}s")
        if author.game.players > 1:
            yield self._drawing()

    def _drawing(self) -> Drawing:
        """The table as you see it, with the last to your right as dealer: so you are the first to act."""
        game = self._author.game
        called = names(game.players)
        teams = game.program.teams
        seats = []
        for player, name in enumerate(called):
            notes = ["your partner"] if player and teams[player] == teams[0] else []
            if player == game.players - 1 and self._has_dealer:
                notes.append("deals")
            seats.append(Seat(name, ", ".join(notes)))
        shared = [zone for zone in self._model.zones.values() if not zone.dims]
        open_zones = [z for z in shared if isinstance(z.seen_by, t.Builtin) and z.seen_by.name == "everyone"]
        left = any(not isinstance(node, t.Deal) or node.count is not None for node in self._deals)
        middle = ([PACK] if left or not self._deals else []) + ([CARDS] if open_zones else [])
        return Drawing(tuple(seats), tuple(middle))

    @cached_property
    def _has_dealer(self) -> bool:
        return any(stage.next_dealer is not None or stage.first_dealer is not None for stage in self._stages)

    @cached_property
    def _deals(self) -> list[t.Deal]:
        return [node for stage in self._stages for node in t.walk(stage.setup) if isinstance(node, t.Deal)]

    def _deals_in(self, stage: StageDef) -> bool:
        """Whether cards are dealt in what a stage plays again and again."""
        inner = [self._model.stages[name] for name in stage.children]
        return any(isinstance(node, t.Deal) for s in inner for node in t.walk(s.setup)) or any(
            map(self._deals_in, inner)
        )

    def _deal(self) -> Iterator[Item]:
        for stage in self._stages:
            if any(isinstance(node, t.Deal) for node in t.walk([stage.setup, stage.effect])):
                if stage.doc:
                    yield self._doc(stage)
                else:
                    yield from self._plainly.effects(stage.setup)

    def _doc(self, stage: StageDef) -> Item:
        return Item(self._teller.shown(stage.doc), mark=self._author.marks.changed("flow", stage.name))

    def _turns_title(self) -> str:
        kinds = [stage.kind for stage in self._stages]
        return next((title for kind, title in ASKING.items() if kind in kinds), "Play")

    def _turns(self) -> Iterator[Item]:
        for stage in self._stages:
            if stage.kind in ASKING:
                if stage.doc:
                    yield self._doc(stage)
                elif stage.kind == "trick":
                    yield from self._plainly.order(stage)
                if not self._model.how or not stage.doc:  # of which else nobody would know what one does in it
                    for action in stage.actions:
                        if (stage, action) in self._actions:
                            yield from self._done(stage, action)

    def _done(self, stage: StageDef, action: ActionDef) -> Iterator[Item]:
        """What one does, in its author's words, or else step by step where nothing is said of the stage either."""
        if action.doc:
            yield Item(self._teller.shown(action.doc), g.title(action.name))
        elif not stage.doc:
            told = self._plainly.action(action, stage)
            steps = tuple(item for item in told.below if not item.term.startswith("Law "))
            if steps:
                yield Item("", g.title(action.name), steps, told.mark)

    def _may(self) -> Iterator[Item]:
        told = [item for _, action in self._actions for item in self._teller.items(action.rule)]
        if told:
            yield Item("", "You may", tuple(dict.fromkeys(told)))

    def _must(self) -> Iterator[Item]:
        told: list[Item] = []
        for _, action in self._actions:
            inner = Teller(self._speaker.knowing(**phrases(action.params)), self._author.marks)
            told += [item for law in action.laws for item in inner.law(law)]
        if told:
            yield Item("", "What you have to keep to", tuple(dict.fromkeys(told)))

    def _cards(self) -> Iterator[Item]:
        told: dict[str, Item] = {}
        for _, action in self._actions:
            for row in action.rows:
                rules = " ".join(item.text for item in self._teller.items(row.rule))
                text = rules if row.rule else self._speaker.docs.get(f"cards.{row.pattern}", "")
                if text:
                    term = self._teller.shown(g.title(self._speaker.pattern(row.pattern)))
                    mark = self._author.marks.changed("cards", row.pattern)
                    told.setdefault(row.pattern, Item(self._teller.shown(text), term, mark=mark))
        yield from told.values()

    def _scoring(self) -> Iterator[Item]:
        for stage in self._stages:
            adds = any(_is_score(node) for node in t.walk([stage.effect, stage.cleanup, stage.on_trick]))
            if stage.doc and (stage.score_rows or adds):
                yield self._doc(stage)

    def _score_rows(self) -> Iterator[Item]:
        for stage in self._stages:
            told: list[Item] = []
            for row in stage.score_rows:
                mark = row.span.file != self._author.marks.base
                when = self._clause(row.when)
                if when == NEVER:
                    continue
                if row.rule:
                    told += self._teller.items(row.rule)
                else:
                    case = "in any other case" if when == "always" else f"if {when}"
                    points = self._course.noun(row.points)
                    told.append(
                        Item(f"{g.sentence(case).rstrip('.')}: {points} for {self._course.noun(row.whom)}.", mark=mark)
                    )
            if told:
                first = "What holds first counts" if not stage.score_each and len(told) > 1 else "What counts"
                yield Item("", first, tuple(told))

    def _end(self) -> Iterator[Item]:
        for stage in self._stages:
            ends = stage.name == "match" or self._deals_in(stage)  # and not only what goes on within a deal
            if stage.kind == "repeat" and stage.until is not None and stage.doc and ends:
                yield self._doc(stage)
        winners = self._model.stages["match"].winners
        if winners is not None:
            yield Item(g.sentence(f"the match is won by {self._course.noun(winners)}"))

    def _honor(self) -> Iterator[Item]:
        if self._model.honor is None or not self._speaker.folding.honor:
            return
        yield Item(self._speaker.docs.get("honor", ""))
        yield Item(f"Nothing keeps you from a mistake. Whoever notices one says “{g.plain(self._model.honor.claim)}”.")


def _changed(group: Group) -> Item:
    return Item("", group.title, tuple(Item(g.sentence(line)) for line in group.lines), mark=True)


def _range(best: tuple[int, int]) -> tuple[int, int]:
    return best[0], best[1] + 1


def _effects(stage: StageDef) -> list[object]:
    """All effects of a stage, in which others may be called."""
    actions = [(a.effect, [row.effect for row in a.rows]) for a in (*stage.actions, *stage.anytime)]
    return [
        stage.setup,
        stage.cleanup,
        stage.effect,
        stage.on_turn,
        stage.on_card,
        stage.on_trick,
        stage.resolve,
        actions,
    ]


def _is_score(node: object) -> bool:
    return isinstance(node, t.Assign) and isinstance(node.target, t.VarRef) and node.target.name == "score"
