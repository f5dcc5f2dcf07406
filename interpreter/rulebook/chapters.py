"""From a game to its book: what is needed, the course of a match, cards, tables, terms, honour, options, notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.base.english import numbers, players_told
from interpreter.language import typed as t
from interpreter.language.model import Depends, Dimension, OptionDef, VarDef, ZoneDef
from interpreter.language.source import Mapping, Scalar
from interpreter.language.typed import Typed
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import MARKED, Block, Book, Grid, Item, Section, of_some_length
from interpreter.rulebook.course import Course
from interpreter.rulebook.folding import Folding
from interpreter.rulebook.honor_rules import Honor
from interpreter.rulebook.marks import Marks
from interpreter.rulebook.melds_told import kind_told
from interpreter.rulebook.nouns import no_noun
from interpreter.rulebook.other_numbers import by_number
from interpreter.rulebook.pronouns import argument
from interpreter.rulebook.speaker import Speaker

if TYPE_CHECKING:
    from interpreter.api.game import Game

WITHOUT = "none"


def book(game: Game) -> Book:
    """The rulebook of a game: with its players and options, and what else could be chosen. Raises TooLong."""
    return of_some_length(Author(game).book())


class Author:
    def __init__(self, game: Game) -> None:
        ruleset = game.ruleset
        self.game, self.model = game, ruleset.model
        self.folding = Folding(game.options, game.players, game.enforcement == "honor", self.model.instances,
                               self.model.tables, self.model.ranks,
                               all(s.players is None for s in self.model.stages.values()))  # fmt: skip
        self.marks = Marks(ruleset.node, ruleset.files[0] if ruleset.files else "")
        self.docs = _docs(ruleset.node)
        self.speaker = Speaker(self.model, self.docs, self.folding)
        self.course = Course(self.speaker, self.marks)

    def book(self) -> Book:
        how = "What the players of a table agree on before play." if self.model.options else ""
        on_honor = [] if self.model.honor is None else Honor(self.model.honor, self.course).blocks()
        chapters = [
            Section("What you need", tuple(self.needs())),
            Section("Where cards lie", tuple(self.zones())),
            Section("Melds", tuple(self.melds())),
            Section("The course of a match", (), sections=self.course.sections()),
            Section("What the cards do", tuple(self.course.cards())),
            Section("Tables", tuple(self.tables())),
            Section("What words mean", tuple(self.terms())),
            Section("What is kept count of", tuple(self.variables())),
            Section("On honour", tuple(on_honor), self.docs.get("honor", "")),
            Section("Options", tuple(self.options()), how),
            Section("Variants", tuple(self.variants())),
            Section("Notes", tuple(Item(note) for note in self.model.notes)),
        ]
        marked = MARKED if self.marks.any() else ""
        honor = ", on honour" if self.folding.honor else ""
        one = self.model.players.minimum == self.model.players.maximum
        told = "" if one else f"; told here for {self.game.players}"
        facts = [f"For {players_told(*self.model.players.counts)}{told}{honor}."]
        kept = tuple(c for c in chapters if c.blocks or c.sections)
        return Book(self.model.name, self.model.about, kept, marked, tuple(facts))

    def noun(self, node: Typed) -> str:
        return self.speaker.noun(self.folding.fold(node))

    # ---- what is needed -------------------------------------------------------------------------------

    def needs(self) -> list[Block]:
        model = self.model
        players = model.players
        best = "" if players.best is None else f", best with {_span(*players.best)}"
        told = "" if players.minimum == players.maximum else f" This book is for {self.game.players}."
        said = f"{numbers(players.counts)}{best}.{told}"
        found: list[Block] = [Item(said, "Players", mark=self.marks.changed("players"))]
        if model.team_size is not None:
            sits = "who sit across from each other" if model.team_seated == "across" else f"who sit {model.team_seated}"
            size = self.noun(model.team_size)
            found.append(Item("Everybody plays alone." if size == "1" else f"{size} players each, {sits}.", "Sides"))
        found.append(Item(self.pack(), "Cards", mark=self.marks.changed("pack")))
        found.append(Item(f"From low to high: {', '.join(self.ranks())}.", "Ranks", mark=self.marks.changed("ranks")))
        for name, order in model.orders.items():
            found.append(
                Item(
                    f"From low to high: {', '.join(self._present(order))}.",
                    f"The order “{g.plain(name)}”",
                    mark=self.marks.changed("orders", name),
                )
            )
        held = set(self.game.program.card_suit)
        suits = [suit for at, suit in enumerate(model.suits) if at in held] or model.suits
        found.append(Item(", ".join(f"{g.plain(s.name)} ({s.letter}, {s.colour})" for s in suits) + ".", "Suits"))
        for name, token in model.tokens.items():
            said = token.doc
            if not (isinstance(token.seen_by, t.Builtin) and token.seen_by.name == "everyone"):
                seen = self.speaker.knowing(owner="whoever holds them").noun(self.folding.fold(token.seen_by))
                said += f" Who has which is seen by {seen} alone, and taking one is not announced."
            found.append(Item(said, f"Pieces: {self.speaker.token(name)}s", mark=self.marks.changed("tokens", name)))
        return found

    def melds(self) -> list[Block]:
        return [
            Item(kind_told(self.speaker, kind), g.plain(name), mark=self.marks.changed("melds", name))
            for name, kind in self.model.melds.items()
        ]

    def ranks(self) -> list[str]:
        """The ranks of which there are cards, from low to high."""
        return self._present(self.model.ranks)

    def _present(self, ranks: tuple[str, ...]) -> list[str]:
        """The ranks of which there are cards; all, if an order is of something else."""
        cards = self.game.program.cards
        held = {card[:-1] for card in cards} | set(cards)
        return [rank for rank in ranks if rank in held] or list(ranks)

    def pack(self) -> str:
        pack, program = self.model.pack, self.game.program
        said = f"{len(program.cards)} cards in all: {self._copies(self.noun(self.folding.fold(pack.copies)))}"
        only = pack.only
        if isinstance(only, Depends):
            row = self.folding.depends(only)
            only = tuple(str(row.value).split(",")) if isinstance(row, t.Const) else None
        if only:
            said += f", of which only the ranks {', '.join(only)} are used"
        removed = [*pack.remove]
        if pack.remove_by is not None:
            by, rows, otherwise = pack.remove_by
            lists = [*(cards for *_, cards in rows), otherwise]
            numbers = [t.Const(number, t.INTEGER, by.span) for number in range(len(lists))]
            chosen = tuple((low, high, number) for (low, high, _), number in zip(rows, numbers, strict=False))
            row = self.folding.depends(Depends(by, chosen, numbers[-1], by.span))
            removed += lists[row.value] if isinstance(row, t.Const) and isinstance(row.value, int) else ()
        names = [name for item in removed for name in self._left_out(item)]
        if names:
            said += f", without {g.listed(names)}"
        for added in pack.add:
            if added.when is not None and self.course.clause(added.when) == "never":
                continue
            count = "1" if added.count is None else self.course.noun(added.count)
            if count == "0":
                continue
            name = g.plain(added.name)
            said += f", and {g.number(int(count), name) if count.isdigit() else f'{count} {name}'}"
        return f"{said}."

    def _left_out(self, item: Typed) -> list[str]:
        """What is taken out of the pack: the queen of spades, all hearts, all 7s."""
        found = self.folding.value(item)
        kind = (item.type.item or item.type).kind
        names = [str(name) for name in (found if isinstance(found, tuple) else (found,)) if name is not None]
        if kind == "card":
            return [g.card(name, self.model.suits) for name in names]
        if kind == "rank":
            return [f"all {g.ranks(name)}" for name in names]
        return [f"all {g.plain(name)}{' cards' if kind == 'colour' else ''}" for name in names]

    def _copies(self, count: str) -> str:
        if {suit.name for suit in self.model.suits} == {"clubs", "diamonds", "hearts", "spades"}:
            return "one standard pack" if count == "1" else f"{count} standard packs"
        return f"one of each rank and suit{'' if count == '1' else f', {count} times over'}"

    def zones(self) -> list[Block]:
        rows, marks = [], set()
        for number, (name, zone) in enumerate(self.model.zones.items()):
            rows.append((g.plain(name), self._whose(zone), self._seen(zone), zone.doc))
            if self.marks.changed("zones", name):
                marks.add(number)
        return [Grid(("Place", "Whose", "Who sees the cards", "What it is"), tuple(rows), marks=frozenset(marks))]

    def _whose(self, zone: ZoneDef) -> str:
        return _dimensions(zone.dims, self.noun) or "the table"

    def _seen(self, zone: ZoneDef) -> str:
        seen = self.speaker.knowing(owner="its owner").noun(self.folding.fold(zone.seen_by))
        seen = {"all players": "everybody", "nothing": "nobody"}.get(seen, seen)
        said = f"{seen}{', the top card only' if zone.shows_top else ''}{', once turned up' if zone.faces_down else ''}"
        if zone.refill is not None:
            said += f"; refilled from the {g.cards_in(zone.refill.source)}"
            keep = self.noun(zone.refill.keep)
            said += f", all but the top {keep}," if keep != "0" else ""
            when = "a card is needed" if self.noun(zone.refill.on) == "need" else "it is empty"
            said += f"{' shuffled,' if zone.refill.shuffle else ''} when {when}"
            if zone.refill.when is not None:
                said += f", if {self.speaker.clause(self.folding.fold(zone.refill.when))}"
        if zone.capacity is not None:
            said += f"; holds at most {self.noun(zone.capacity)}"
        return said

    # ---- tables and terms -------------------------------------------------------------------------------

    def tables(self) -> list[Block]:
        found: list[Block] = []
        for name, table in self.model.tables.items():
            head = "Card" if table.by is None else g.sentence(self.speaker.noun(table.by)).rstrip(".")
            rows, marks = [], set()
            for number, row in enumerate(table.rows):
                key = (
                    self.speaker.pattern(row.pattern)
                    if table.by is None
                    else "any other"
                    if row.pattern == "else"
                    else g.plain(row.pattern).replace("..", " to ")
                )
                rows.append((key, self.noun(row.value)))
                if self.marks.changed("values", name, row.pattern):
                    marks.add(number)
            title = g.plain(name)
            doc = self.docs.get(f"values.{name}", "")
            found.append(
                Grid(
                    (head, title),
                    tuple(rows),
                    f"{title[0].upper()}{title[1:]}" + (f": {doc}" if doc else ""),
                    frozenset(marks),
                )
            )
        return found

    def terms(self) -> list[Block]:
        found: list[Block] = []
        told: dict[str, str] = {}
        for key, instance in self.model.instances.items():  # of several the same is told, whichever is used first
            told[instance.name] = min(key, told.get(instance.name, key), key=lambda k: (k.count("player"), k))
        for key in told.values():
            instance = self.model.instances[key]
            speaker = self.speaker.knowing(**{name: argument(name, kind) for name, kind in instance.params})
            about = (
                ""
                if instance.body.type.kind == "flag" or no_noun(instance.name)
                else f" of {g.listed([argument(name, kind) for name, kind in instance.params])}"
                if instance.params
                else ""
            )
            body = self.folding.fold(instance.body)
            doc = self.docs.get(f"define.{instance.name}", "")
            stated = g.statement(doc) if body.type.kind == "flag" else ""
            rows = _rows(body)
            if len(rows) > 1:
                cases = ((value, "in any other case" if w is None else f"if {speaker.clause(w)}") for w, value in rows)
                below = tuple(Item(g.sentence(_in_case(speaker, value, case))) for value, case in cases)
                text = doc
            elif stated and not isinstance(body, t.Const):
                below, text = (), g.sentence(f"{stated} if {speaker.clause(body)}")
                text += f" {g.sentence(doc.split(':', 1)[1])}" if ":" in doc else ""
            else:
                below, text = (), f"{doc + ' ' if doc else ''}{g.sentence(_said(speaker, body))}"
            found.append(
                Item(
                    text,
                    f"{g.plain(instance.name).removesuffix(' of')}{about}",
                    below,
                    self.marks.changed("define", instance.name),
                )
            )
        return found + self.named_effects()

    def named_effects(self) -> list[Block]:
        """What is done under a name, told once: elsewhere only its author's words for it stand."""
        found: dict[str, Block] = {}
        for node in t.walk(self.model):
            if not isinstance(node, t.RunEffect) or node.name in found or f"define.{node.name}" not in self.docs:
                continue
            known = {local: argument(local, value.type) for local, value in node.bound}
            speaker = self.speaker.knowing(actor="the player", **known)
            below = Course(speaker, self.marks).effects(node.body)
            if not below:
                continue  # the options chosen leave nothing of it
            mark = self.marks.changed("define", node.name)
            found[node.name] = Item(self.docs[f"define.{node.name}"], f"“{g.plain(node.name)}”", below, mark)
        return list(found.values())

    def variables(self) -> list[Block]:
        rows, marks = [], set()
        for number, (name, variable) in enumerate(self.model.variables.items()):
            rows.append((g.plain(name), _dimensions(variable.dims, self.noun), self._lasts(variable), variable.doc))
            if self.marks.changed("state", name):
                marks.add(number)
        return [Grid(("What", "For", "Begins anew", "What it is"), tuple(rows), marks=frozenset(marks))] if rows else []

    def _lasts(self, variable: VarDef) -> str:
        start = "" if variable.default is None else self.noun(variable.default)
        return f"every {g.plain(variable.lasts)}" + (
            f", at {start}" if start not in ("", "0", "no", "none", "nobody", "nothing") else ""
        )

    # ---- choices ------------------------------------------------------------------------------------------

    def options(self, raw: bool = False) -> list[Block]:
        """raw: names and values as they are typed, not in words."""
        found: list[Block] = []
        elsewhere = by_number(self.game, self.model, plain)
        for name, option in self.model.options.items():
            now, usual = _told(self.game.options.get(name)), self._default(option)
            unless = "" if now == usual else f" (unless you say, {usual})" if raw else f" (usually {_worded(usual)})"
            unless = unless or (f" ({elsewhere[name]})" if elsewhere.get(name) else "")
            mark = self.marks.changed("options", name)
            if raw:
                told = f"{now}{unless}; possible: {self._values(option)}. {option.doc}"
                found.append(Item(told.strip(), name, mark=mark))
                continue
            chosen = f"{_worded(now)}{unless}; possible: {_worded(self._values(option))}."
            refused = [f"{g.plain(value)} ({why})" for value, why in option.refuse.items()]
            never = [Item(f"{', '.join(refused)}.", "Not allowed")] if refused else []
            found.append(Item(option.doc, g.plain(name), (Item(chosen, "Here"), *never), mark))
        for rule in self.model.requirements:
            mark = self.marks.changed("require", rule.name)
            found.append(Item(g.sentence(rule.message), f"Refused ({g.plain(rule.name)})", mark=mark))
        return found

    def _values(self, option: OptionDef) -> str:
        return values(option, self.folding)

    def _default(self, option: OptionDef) -> str:
        if isinstance(option.default, Depends):
            row = self.folding.depends(option.default)
            return "depends" if row is None else self.noun(row) if not isinstance(row, t.Const) else plain(row.value)
        return plain(option.default)

    def variants(self, raw: bool = False) -> list[Block]:
        found: list[Block] = []
        for name, variant in self.model.variants.items():
            sets = [f"{option} {plain(value)}" for option, value in variant.set.items()]
            sets = sets if raw else [_setting(option, value) for option, value in variant.set.items()]
            if variant.players is not None:
                sets.insert(0, players_told(variant.players))
            told = variant.doc + (f" ({', '.join(sets)})" if sets else "")
            shown = name if raw else g.plain(name)
            found.append(Item(told, shown, mark=self.marks.changed("variants", name)))
        return found


def _told(value: object) -> str:
    """What has been chosen; of each player's choice once, if all have chosen the same."""
    same = isinstance(value, tuple) and len(value) > 1 and len(set(map(str, value))) == 1
    return plain(value[0] if same and isinstance(value, tuple) and isinstance(value[0], str) else value)


def _worded(text: str) -> str:
    """Values of options as words."""
    words = {"true": "yes", "false": "no", "true or false": "yes or no"}
    return words.get(text, text.replace("_", " "))


def _setting(option: str, value: object) -> str:
    """What a variant sets, in words: `joker`, `no joker`, `target: 7`."""
    name = g.plain(option)
    return f"{'' if value else 'no '}{name}" if isinstance(value, bool) else f"{name}: {_worded(plain(value))}"


def values(option: OptionDef, folding: Folding) -> str:
    """What an option can be."""
    kind = option.type
    item = kind.item if kind.item is not None else kind
    if item.symbols:
        allowed = [symbol for symbol in map(str, item.symbols) if symbol not in option.refuse]
        found = " or ".join(allowed) if kind.item is None else f"a list of {', '.join(allowed)}"
    elif kind.kind == "flag":
        found = "true or false"
    elif option.minimum is not None or option.maximum is not None:
        low, high = (_bound(b, folding) for b in (option.minimum, option.maximum))
        found = f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
        numbers = "pairs of numbers" if kind == t.PAIRS else "numbers"
        found = found if kind.item is None else f"a list of {numbers}, each {found}"
    elif item == t.ASKED_MELDS:
        found = "a list of melds that go together, such as [set 3, run 4..]"
    else:
        found = f"a list of {item.kind}s" if kind.item is not None else str(kind)
    return f"{found} or none" if kind.optional and "none" not in found else found


def _bound(node: Typed | None, folding: Folding) -> str:
    if node is None:
        return ""
    known = folding.fold(node)
    return plain(known.value) if isinstance(known, t.Const) else "what depends on other options"


def plain(value: object) -> str:
    """The value of an option as it is written."""
    if value is None:
        return WITHOUT
    if value == ():
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, tuple | list):
        return str(value)
    return ", ".join(f"[{plain(item)}]" if isinstance(item, tuple | list) else plain(item) for item in value)


def _docs(root: Mapping) -> dict[str, str]:
    """What authors have written about definitions, tables and cards, by `part.name`."""
    found = {}
    for part in ("define", "values", "cards"):
        entries = root.entries.get(part)
        for name, node in entries.entries.items() if isinstance(entries, Mapping) else ():
            doc = node.entries.get("doc") if isinstance(node, Mapping) else None
            if isinstance(doc, Scalar):
                found[f"{part}.{name.split('(')[0]}"] = doc.text.strip()
    honor = root.entries.get("honor")
    doc = honor.entries.get("doc") if isinstance(honor, Mapping) else None
    if isinstance(doc, Scalar):
        found["honor"] = doc.text.strip()
    return found


def _rows(body: Typed) -> list[tuple[Typed | None, Typed]]:
    """A value by cases, as cases; the last holds else."""
    found: list[tuple[Typed | None, Typed]] = []
    while isinstance(body, t.If):
        found.append((body.condition, body.then))
        body = body.otherwise
    return [*found, (None, body)]


def _said(speaker: Speaker, body: Typed) -> str:
    if body.type.kind != "flag":
        return speaker.noun(body)
    if isinstance(body, t.Const):
        return "always so with the options chosen" if body.value else "never so with the options chosen"
    return f"it holds if {speaker.clause(body)}"


def _in_case(speaker: Speaker, body: Typed, case: str) -> str:
    """What holds or is so in one case, which comes first where a condition would follow another."""
    said = _said(speaker, body)
    return f"{case}, {said}" if body.type.kind == "flag" and " if " in said else f"{said}, {case}"


def _dimensions(dims: tuple[Dimension, ...], noun: Callable[[Typed], str]) -> str:
    """What there is one of for each: `each player, numbered 1 to 4`."""
    found = []
    for dim in dims:
        match dim:
            case str():
                found.append(f"each {'side' if dim == 'team' else dim}")
            case (low, high):
                found.append(f"numbered {noun(low)} to {noun(high)}")
    return ", ".join(found)


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
