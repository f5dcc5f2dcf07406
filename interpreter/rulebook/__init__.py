"""The rulebook of a game in plain words: its text is worked out from the typed model, so it cannot be out of date."""
