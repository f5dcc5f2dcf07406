"""Doors for those who train players: games as PettingZoo and OpenSpiel know them. Needs the extra `learn`.

`pettingzoo_env.env(game)` is an environment, `open_spiel_game.load(game)` a game. Both are made of a `Table`: a match
in which every decision is a few numbered actions, chosen one after the other behind a mask (`vocabulary`, `composing`),
and which each player sees as a row of numbers (`observing`). Play is strict and in turns: matches on honour, in which
words decide, and races, in which time does, are refused.
"""
