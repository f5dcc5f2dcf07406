"""The record of a table's last match, made of what is stored and not of the match: it can always be had."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.hosted_match import head_of
from interpreter.interfaces.host.house_rules_text import WrongGame
from interpreter.interfaces.host.in_turn import OneEach
from interpreter.interfaces.host.made_again import record_of
from interpreter.interfaces.host.strange_places import is_strange

if TYPE_CHECKING:
    from interpreter.interfaces.host import table_events as e
    from interpreter.interfaces.host.checker import Checker
    from interpreter.interfaces.host.kept_rules import KeptRules
    from interpreter.interfaces.host.table_state import TableState


MOST_WAITING = 20
"""Who wait for the record of one table; one more is turned away."""


class Records:
    """games, checker: what reads the rules of a match that was begun when the first line of its record was not stored
    yet."""

    def __init__(self, games: KeptRules, checker: Checker) -> None:
        self._games, self._checker = games, checker
        self._each = OneEach(MOST_WAITING)

    async def of(self, table: str, state: TableState, who: str = "") -> str:
        """The last match of a table, with everything that was hidden; one is written at a time for each. who: asks, an
        address. Raises Busy, and WrongGame where the first line is not stored and the rules cannot be read."""
        history, head = state.history, state.head
        async with self._each.turn(table):
            return await asyncio.to_thread(record_of, head or await self._head(state.opened, who), history)

    async def _head(self, opened: e.Opened, who: str) -> dict[str, Any]:
        if not is_strange(opened.game):
            return head_of((await self._games.game(opened.game, opened.digest)).game, 0)
        texts = await self._games.texts(opened.digest)
        try:
            async with self._checker.each["head"].turn(who):
                return await self._checker.ask("head", opened.game, texts, kind=dict[str, Any])  # type: ignore[no-any-return]
        except ChildGone as gone:
            raise WrongGame(f"The rules cannot be read: {gone}") from None
