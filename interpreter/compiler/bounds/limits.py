"""What is allowed, and what is counted for what takes longer than it looks."""

from interpreter.engine.budget import MOST_SPENT

MOST_STEPS = MOST_SPENT
"""What one effect or condition may take, in steps of the smallest kind."""
MOST_MOVES = 50_000
"""How many moves an action may offer at once."""
LIST_STEPS = 30_000_000
"""What a list of moves may take if every loop in it is as long as it can be, which it never is."""
MOST_SAID = 20_000
"""What may be taken by who sees something, and by what is said: it is asked wherever something happens."""
MOST_LIGHT, LEAST_LIGHT = 1_000_000, MOST_SAID
"""Steps that are not worth counting, in a game of few actions, and in one of very many."""
MOST_PARAMS = 12
MOST_WORDS = 8
"""How many announcements a move may owe: on honour each is said, missing or wrong."""
SUBSET = 50
"""Steps that are counted for a set that is made of members of another, besides what is asked of it."""
MADE = 300
"""Steps that are counted for a move that is listed, and its text, where there can be many."""
FEW_LETTERS, WORD = 500, 10
"""Letters of a move up to which that is enough; and steps that each word counts where a move has more."""
FEW_MOVES = 1_000
SEARCHED = 500
"""Steps of a usual search for melds; one that takes longer counts itself."""
EVENT = 50
"""Steps that are counted for something that is written into the log: it needs memory, too."""
FEW_CARDS = 400
"""Among so many one is found as quickly as anything else is done."""
FED = 5
"""Steps that are counted for a place that is looked at because it may be refilled now."""
UNCOUNTED = 1_000
"""Members of a set that nothing else is known of."""
