"""The book of a game with overlays beside that of the ruleset under them: every line that is not the same is marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from interpreter.api.game import Game, Ruleset, load
from interpreter.base.diagnostics import RulesetError
from interpreter.language.source import Mapping
from interpreter.rulebook.book import MARKED, Block, Book, Grid, Item, Section, of_some_length
from interpreter.rulebook.chapters import Author
from interpreter.rulebook.differences import differences
from interpreter.rulebook.grouping import grouped
from interpreter.rulebook.how_to_play import HowToPlay

GONE = "no longer: "
Path = tuple[str, ...]


def marked_book(game: Game) -> Book:
    """The rulebook of a game; where overlays have changed it, with marks, and with what they have taken out."""
    author = Author(game)
    told = of_some_length(author.book())
    base = _without_overlays(game)
    if base is None:
        return of_some_length(replace(told, how=HowToPlay(author).sections()))
    plain = _book_below(base, author)
    changes = differences(plain, told)
    known = set(_lines(plain.sections, ()))
    sections = tuple(_section(section, (), known) for section in told.sections)
    gone = [line.removeprefix(GONE) for line in changes if line.startswith(GONE)]
    if gone:
        sections = (*sections, Section("What is no longer so", tuple(Item(line, mark=True) for line in gone)))
    how = HowToPlay(author, grouped(plain, told), _lost(game.ruleset, base.ruleset)).sections()
    return of_some_length(replace(told, sections=sections, how=how, marked=MARKED if told.marked or gone else ""))


def _lost(ruleset: Ruleset, below: Ruleset) -> set[str]:
    """The aspects of `how` of which overlays have made texts untrue, which is not to take them out."""
    had, has = _how(below.node), _how(ruleset.node)
    return {
        aspect for aspect, name in had - has if not {("how", aspect, name), ("how", aspect)} & ruleset.removed.keys()
    }


def _how(root: Mapping) -> set[tuple[str, str]]:
    """Which texts of `how` there are, by aspect and name; one without a name has none."""
    how = root.entries.get("how")
    parts = how.entries.items() if isinstance(how, Mapping) else ()
    return {(part, name) for part, told in parts for name in (told.entries if isinstance(told, Mapping) else ("",))}


def _book_below(base: Game, author: Author) -> Book:
    """The book of the ruleset below, without words of it that overlays have made untrue: no rule is gone by that."""
    below = Author(base)
    for name in below.docs.keys() - {name for name, doc in author.docs.items() if doc}:
        if name in author.docs:
            below.docs[name] = ""
        elif name in below.docs:
            del below.docs[name]
    return of_some_length(below.book())


def _without_overlays(game: Game) -> Game | None:
    """The ruleset under all overlays, played as far as it can in the same way; None if there is none other."""
    files = game.ruleset.files
    if len(files) < 2:
        return None
    try:
        ruleset = load(files[0])
        options = {name: value for name, value in game.options.items() if name in ruleset.model.options}
        for given in (options, {}):
            try:
                return ruleset.game(game.players, given, enforcement=game.enforcement)
            except ValueError:  # a number of players or a value that only the overlays know
                continue
    except RulesetError:
        return None
    return None


def _lines(sections: Iterable[Section], path: Path) -> Iterator[tuple[Path, Path]]:
    """Every line of a book: where it stands, what it says."""
    for section in sections:
        place = (*path, section.title)
        yield place, (section.lead,)
        for block in section.blocks:
            yield from _block_lines(block, place)
        yield from _lines(section.sections, place)


def _block_lines(block: Block, path: Path) -> Iterator[tuple[Path, Path]]:
    if isinstance(block, Grid):
        for row in block.rows:
            yield (*path, block.title), row
    elif isinstance(block, Item):
        yield path, (block.term, block.text)
        for inner in block.below:
            yield from _block_lines(inner, (*path, block.term))


def _section(section: Section, path: Path, known: set[tuple[Path, Path]]) -> Section:
    place = (*path, section.title)
    blocks = tuple(_block(block, place, known) for block in section.blocks)
    inner = tuple(_section(part, place, known) for part in section.sections)
    mark = section.mark or (place, (section.lead,)) not in known
    return replace(section, blocks=blocks, sections=inner, mark=mark)


def _block(block: Block, path: Path, known: set[tuple[Path, Path]]) -> Block:
    match block:
        case Item():
            return _item(block, path, known)
        case Grid():
            return _grid(block, path, known)
    return block


def _grid(grid: Grid, path: Path, known: set[tuple[Path, Path]]) -> Grid:
    fresh = {number for number, row in enumerate(grid.rows) if ((*path, grid.title), row) not in known}
    return replace(grid, marks=grid.marks | fresh)


def _item(item: Item, path: Path, known: set[tuple[Path, Path]]) -> Item:
    below = tuple(_item(inner, (*path, item.term), known) for inner in item.below)
    return replace(item, below=below, mark=item.mark or (path, (item.term, item.text)) not in known)
