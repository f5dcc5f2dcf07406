"""Words that mean several moves, or one of several people: whoever typed them is asked, and answers with the rest."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """person: who is asked which move is meant; None where it is asked whose the move is. typed: what they meant by."""

    person: int | None
    typed: str

    def answered_by(self, speaker: int | None, typed: str) -> tuple[int, str] | None:
        """Who means what, if the next line is an answer. speaker: who is named in it, if anybody is."""
        if self.person is None:
            return None if speaker is None or typed else (speaker, self.typed)
        return (self.person, f"{self.typed} {typed}") if typed and speaker in (None, self.person) else None
