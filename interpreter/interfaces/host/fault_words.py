"""What can be claimed on honour, in words: a law by what it asks for, not only by its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.base.signs import ToldError
from interpreter.language.model import ActionDef, CardRow
from interpreter.rulebook.chapters import Author
from interpreter.rulebook.teller import Teller

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.language.model import LawDef

OUT_OF_TURN = "in_turn"


def faults_of(game: Game) -> dict[str, str]:
    """By the name of what can be claimed: `revoke: play a card of the suit that was led if you have one`."""
    code = game.program.honor_code
    if code is None:
        return {}
    told = dict(_told(game))
    return {name: f"{_plain(name)}: {told[name]}" if name in told else _plain(name) for name in code.claimable}


def _plain(name: str) -> str:
    return "out of turn" if name == OUT_OF_TURN else name.replace("_", " ")


def _told(game: Game) -> Iterator[tuple[str, str]]:
    """What laws ask for and what has to be said; of several that are called alike what the first says is told last."""
    author = Author(game)
    teller = Teller(author.speaker, author.marks)
    actions = [action for stage in author.model.stages.values() for action in (*stage.actions, *stage.anytime)]
    for action in reversed(actions):
        parts: tuple[ActionDef | CardRow, ...] = (action, *action.rows)
        said = {(say.name, author.speaker.spoken(say.words)) for part in parts for say in part.says}
        for name, words in sorted(said):
            if "[" not in words and sum(other == name for other, _ in said) == 1:
                yield name, f"“{words}” was not said"
        for law in reversed(action.laws):
            for text in _asked(teller, law):
                yield law.name, text
                yield law.fault, text


def _asked(teller: Teller, law: LawDef) -> Iterator[str]:
    """What a law asks for, if a learner is told so; nothing where that cannot be put into words."""
    try:
        for item in teller.law(law):
            text = item.text.removesuffix(".")
            yield text[:1].lower() + text[1:]
            return
    except ToldError:
        return
