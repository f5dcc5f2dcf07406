"""Messages of pages that mean no good."""

from __future__ import annotations

import json
import random
from typing import Any

WORDS = (
    "play 2C", "play", "pass 2C 3C 4C", "undo", "bot", "rematch", "P1", "-1", "", "  ", '"', '""', '"a', "\\", "None",
    "play 2C 2C 2C", "play ٣C", "play " + "2C " * 500, "hearts.play", "__class__", "%s", "{0}", "\u202e",
)  # fmt: skip
VALUES: tuple[Any, ...] = (*WORDS, 0, 1, -1, 3, 99, 2**53, 2**70, 1.5, True, None, [], {}, [[[]]], {"a": 1})
KINDS = ("move", "chat", "propose", "vote", "pause", "name", "leave", "order", "hint", "sheet", "pong", "hello", "x")
FIELDS = {
    "move": ("id", "move", "ask", "words", "seen"), "chat": ("text",), "propose": ("what", "seat"),
    "vote": ("yes", "n"), "pause": ("on",), "name": ("name",), "order": ("what", "seat", "level"), "pong": ("t",),
}  # fmt: skip
RIGHT = {
    "id": ("a", "b"), "what": ("start", "bot", "mute", "lock", "pass", "chat", "undo", "rematch", "fair"),
    "yes": (True, False), "on": (True, False), "level": ("easy", "free", "off", "hard"), "seat": (0, 1, 2, 3, 9, 50),
}  # fmt: skip


def fuzzed(dice: random.Random) -> bytes:
    """A message that is nearly right, or not at all."""
    kind = dice.choice(KINDS)
    message: dict[str, Any] = {"type": kind}
    for field in FIELDS.get(kind, ("a",)):
        if dice.random() < 0.9:
            message[field] = dice.choice(RIGHT.get(field, VALUES) if dice.random() < 0.8 else VALUES)
    text = json.dumps(message)
    if dice.random() < 0.1:
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice('{}[]",:\x00x') + text[at + 1 :]
    return text.encode("utf-8", "replace")
