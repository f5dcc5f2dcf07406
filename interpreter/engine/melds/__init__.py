"""Melds: kinds of combination, found by search over ranks and suits, never by trying subsets of a hand."""
