"""The games of tables, with the shipped rulesets as they were when a table was opened, whatever lies there now.

What these said is kept in the database once, under a digest that the table knows. House rules stand in the table's own
events; what they are laid on is kept here.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING

import msgspec

from interpreter.base.diagnostics import Report
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.house_rules_text import NoRoom, WrongGame, game_of, refuse_unkept
from interpreter.interfaces.host.made_once import MadeOnce
from interpreter.interfaces.host.store import Store, Unreachable
from interpreter.language.overlay import shipped, shipped_as
from interpreter.language.source import read_file

if TYPE_CHECKING:
    from interpreter.api.game import Game

NOT_UNDERSTOOD = "This version of the program does not understand the rules with which the table was opened."
Texts = dict[str, str]
"""What shipped rulesets say, by their ids."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the shipped rulesets in a game say. digest: by what that is known."""

    texts: Texts
    digest: str


@dataclass(frozen=True, slots=True)
class Played:
    """A game of shipped rulesets, and what these say."""

    game: Game
    rules: Rules


class KeptRules:
    """Games are made once, and texts read once; of both the ones that were asked for last are at hand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games, self._texts = MadeOnce(), MadeOnce()

    async def game(self, spec: e.GameSpec, digest: str = "") -> Played:
        """A game of shipped rulesets. digest: of what these are to say; "" for what they say now, as it is of tables
        that were opened before any of that was kept. Raises WrongGame."""
        try:
            now: Played = await self._games.get(e.encode(spec), lambda: asyncio.to_thread(_made, spec, {}))
        except WrongGame:
            if not digest:
                raise
        else:
            if digest in ("", now.rules.digest):
                return now
        texts = await self.texts(digest)
        return await self._games.get((e.encode(spec), digest), lambda: asyncio.to_thread(_made, spec, texts))  # type: ignore[no-any-return]

    async def to_open(self, spec: e.GameSpec) -> Played:
        """A game of shipped rulesets for a new table. Raises WrongGame."""
        found = await self.game(spec)
        await asyncio.to_thread(_refuse_unkept, found)
        return found

    async def keep(self, rules: Rules) -> None:
        """Keep what shipped rulesets say. Raises Unreachable."""
        if not self._store.has_text(rules.digest):
            await asyncio.to_thread(self._store.keep_text, rules.digest, json.dumps(rules.texts))

    async def texts(self, digest: str) -> Texts:
        """What was kept under a digest; nothing if nothing was. Raises NoRoom while that cannot be read, and
        WrongGame if it is damaged."""
        if not digest:
            return {}
        try:
            return await self._texts.get(digest, lambda: asyncio.to_thread(self._read, digest))  # type: ignore[no-any-return]
        except Unreachable:
            raise NoRoom("The rules of this table cannot be read just now.") from None

    def _read(self, digest: str) -> Texts:
        found = self._store.text(digest)
        try:
            texts = {} if found is None else msgspec.json.decode(found, type=Texts)
        except (ValueError, TypeError, RecursionError):  # it is damaged
            raise WrongGame(NOT_UNDERSTOOD) from None
        return {name: intern(text) for name, text in texts.items()}


def _made(spec: e.GameSpec, texts: Texts) -> Played:
    assert not spec.overlays, "house rules are read in a process of their own"
    try:
        with shipped_as(texts) as read:
            game = game_of(spec)
    except WrongGame:
        if texts:
            raise WrongGame(NOT_UNDERSTOOD) from None
        raise
    return Played(game, _rules(read))


def _refuse_unkept(played: Played) -> None:
    with shipped_as(played.rules.texts):  # which may say something else by now
        refuse_unkept(played.game)


def rules_now(names: Iterable[str]) -> Rules:
    """What shipped rulesets of some ids say now."""
    files = shipped()
    found = {name: read_file(files[name], Report()) for name in names if name in files}
    return _rules({name: intern(text) for name, text in found.items() if text is not None})


def _rules(texts: Texts) -> Rules:
    return Rules(texts, hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:32])
