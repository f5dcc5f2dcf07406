"""Writes the transcripts of this folder anew: `python -m tests.playthroughs.regenerate`, from the top of the checkout.

With names of files, only those. Read what has changed before you commit it: each line is a claim about the rules.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from transcript import FOLDER, Header, Next, tell

from interpreter.api.game import State
from interpreter.engine.chance import Dice

MATCHES: dict[str, tuple[Header, int, int]] = {
    "fruit-strict": (
        Header("Fruit Salad for four, a king, the salad and the domino.", "fruit-salad", 4, "strict", (),
               {"contracts": ["no_king", "salad", "domino"], "stop_when_settled": True, "pass_cards": 3}, 2), 0, 400,
    ),
    "fruit-honor": (
        Header("Fruit Salad for five on honour; all kings cost something.", "fruit-salad", 5, "honor", (),
               {"contracts": ["no_hearts", "no_king"], "king_rule": "all_kings"}, 3), 10, 90,
    ),
    "cribbage-strict": (
        Header("Cribbage to 61 points.", "cribbage", 2, "strict", (), {"target_score": 61}, 2), 0, 200,
    ),
    "cribbage-honor": (
        Header("Cribbage on honour; some count wrong, and some notice.", "cribbage", 2, "honor", (), {}, 3), 12, 60,
    ),
    "hearts-strict": (
        Header("Hearts for four, to twenty points.", "hearts", 4, "strict", (), {"target": 20}, 4), 0, 400,
    ),
    "hearts-honor": (
        Header("Hearts on honour: some play what they must not, some notice.", "hearts", 4, "honor", (),
               {"target": 20, "wrong_claim_penalty": "points_5"}, 2), 12, 300,
    ),
    "hearts-three": (
        Header("Hearts for three; the dealer is cut for, and tricks may be looked at.", "hearts", 3, "strict",
               ("three_handed",), {"target": 20, "first_dealer": "low_cut", "review_tricks": "last_only"}, 1), 0, 300,
    ),
    "hearts-five": (
        Header("Hearts for five to thirty points, a shared win not allowed.", "hearts", 5, "strict", ("five_handed",),
               {"target": 30, "tie_for_lowest": "another_hand", "moon_scoring": "shooter_chooses"}, 6), 0, 400,
    ),
    "euchre-strict": (Header("Euchre, from the draw to five points.", "euchre", 4, "strict", (), {}, 3), 0, 400),
    "euchre-honor": (
        Header("Euchre on honour with 24 cards and a joker; some do what they must not.", "euchre", 4, "honor",
               ("pack_24", "with_joker"), {"wrong_claim_penalty": "opponents_2", "deal_plan": "dealer_choice"}, 2),
        12, 200,
    ),
    "georgia-strict": (
        Header("Georgia Spoons for three with one pack, to a hundred points.", "georgia-spoons", 3, "strict", (),
               {"packs": 1, "target_score": 100}, 4), 0, 300,
    ),
    "georgia-honor": (
        Header("Georgia Spoons for four on honour, with slips and razzes.", "georgia-spoons", 4, "honor", (),
               {"phrase": ["Bummer!", "Oy, Vey!"], "unlawful_play": "taken_back"}, 4), 15, 120,
    ),
    "pig-strict": (Header("Spoons for three.", "pig", 3, "strict", (), {}, 9), 0, 300),
    "pig-honor": (
        Header("Spoons for three on honour, with false starts.", "pig", 3, "honor", (),
               {"false_signal": "loses"}, 3), 10, 300,
    ),
    "pig-tongue": (
        Header("Tongue for four with three lives, passing goes on.", "pig", 4, "strict", ("tongue",),
               {"lives": 3, "keep_passing": True, "removed_set": "chosen"}, 5), 0, 400,
    ),
    "bicycle-strict": (
        Header("Spoons as Bicycle has it, for three; who goes without a spoon is out.", "bicycle-spoons", 3, "strict",
               (), {"loss_mode": "elimination", "must_take": True}, 3), 0, 420,
    ),
    "bicycle-honor": (
        Header("Spoons as Bicycle has it, for four on honour; some take a spoon too soon.", "bicycle-spoons", 4,
               "honor", (), {"pacing": "lockstep", "false_take_penalty": "letter"}, 2), 10, 160,
    ),
    "blitz-strict": (
        Header("Dutch Blitz for two, until somebody has a point.", "dutch-blitz", 2, "strict", (),
               {"target_score": 1, "turn_count": 1}, 2), 0, 300,
    ),
    "blitz-honor": (
        Header("Dutch Blitz for three on honour.", "dutch-blitz", 3, "honor", (), {"post_sources": ["blitz_pile"]}, 3),
        10, 90,
    ),
    "spit-strict": (
        Header("Spit with large stocks, until somebody owns no card.", "spit", 2, "strict", (),
               {"stock_piles": [6, 7, 7], "spit_when": "stuck"}, 11), 0, 300,
    ),
    "spit-honor": (
        Header("Spit on honour; the last five stock cards may be picked up.", "spit", 2, "honor",
               ("concealed_finish",), {}, 3), 8, 150,
    ),
    "spit-many": (
        Header("Spit for four with two packs.", "spit", 4, "strict", ("many_players",), {}, 4), 0, 150,
    ),
    "spit-five-strict": (
        Header("Spit with five cards in hand, to a single point.", "spit-five", 2, "strict", (),
               {"target_score": 1}, 1), 0, 400,
    ),
    "spit-five-honor": (
        Header("Spit with five cards in hand, on honour.", "spit-five", 2, "honor", (),
               {"draw_when": "only_without_play"}, 2), 8, 100,
    ),
    "spades-strict": (
        Header("Spades; who falls below zero has lost, and the deal is cut for.", "spades", 4, "strict", (),
               {"floor": -1, "first_dealer": "high_cut", "min_contract": 4}, 7), 0, 200,
    ),
    "spades-honor": (
        Header("Spades on honour to the first side below zero; some do what they must not.", "spades", 4, "honor", (),
               {"floor": -1, "claim_window": "next_trick_end", "wrong_claim_penalty": "points_10",
                "review_tricks": "none"}, 3), 12, 250,
    ),
    "president-strict": (
        Header("President for four, to a single point.", "president", 4, "strict", (), {"target_score": 1}, 2), 0, 300,
    ),
    "president-honor": (
        Header("President as in Japan, for five on honour.", "president", 5, "honor", ("daifugo",), {}, 3), 8, 150,
    ),
    "setback-strict": (
        Header("Setback for four, to seven points.", "setback", 4, "strict", (), {"target_score": 7}, 7), 0, 400,
    ),
    "setback-honor": (
        Header("Setback for three on honour, with a joker, a second jack and drawing.", "setback", 3, "honor",
               ("joker_pitch", "off_jack"), {"discard_and_draw": True, "poor_hand_redraw": True}, 2), 12, 120,
    ),
    "truco-strict": (
        Header("Truco as in São Paulo, for four.", "truco", 4, "strict", (), {}, 4),
        0, 300,
    ),
    "truco-honor": (
        Header("Truco as in Minas Gerais on honour, for six, cards shown after a drawn first trick.", "truco", 6,
               "honor", ("mineiro",), {"show_after_draw": True, "raise_in_last_hand": "loses_game"}, 2), 10, 160,
    ),
    "gin-strict": (
        Header("Gin Rummy to a single point.", "gin-rummy", 2, "strict", (), {"target": 1}, 0), 0, 170,
    ),
    "gin-honor": (
        Header("Gin Rummy on honour with a limit turned up; some do what they must not.", "gin-rummy",
               2, "honor", (), {"oklahoma": True, "target": 1}, 4), 12, 120,
    ),
    "yaniv-strict": (
        Header("Yaniv for two to a hundred points, with cards slapped down.", "yaniv", 2, "strict", (),
               {"elimination_over": 100, "call_limit": 10, "slap_down": True}, 4), 0, 700,
    ),
    "yaniv-honor": (
        Header("Yaniv for four on honour with jokers in sets; some call with too much.", "yaniv", 4, "honor", (),
               {"joker_in_sets": True, "exact_relief": [[100, 50]]}, 3), 12, 100,
    ),
    "klondike-strict": (
        Header("Klondike as in a casino.", "klondike", 1, "strict", ("casino",), {}, 1), 0, 100,
    ),
    "klondike-honor": (
        Header("Klondike on honour, one card at a time, any card to an empty column.", "klondike", 1, "honor",
               ("one_by_one",), {"spaces": "any_card"}, 3), 20, 100,
    ),
    "phase-strict": (
        Header("Phase 10 for two with two phases.", "phase-10", 2, "strict", (),
               {"phases": [["set 3..", "set 2.."], ["run 4.."]]}, 2), 0, 400,
    ),
    "phase-honor": (
        Header("Phase 10 for three on honour with phases in any order.", "phase-10", 3, "honor", ("any_order",),
               {"wild_needs_natural": "no", "must_discard_last": True}, 3), 12, 90,
    ),
    "spades-two-strict": (
        Header("Spades for two to a single point; the first draw is cut for.", "spades-two", 2, "strict", (),
               {"target": 1, "first_player": "high_cut", "early_stop": True}, 2), 0, 400,
    ),
    "spades-two-honor": (
        Header("Spades for two on honour; who falls to minus 100 has lost.", "spades-two", 2, "honor", (),
               {"floor": -100, "double_nil_deadline": "before_choice"}, 1), 12, 300,
    ),
    "uno-strict": (
        Header("Uno for three, a single deal in the spicy form.", "uno", 3, "strict", ("spicy",),
               {"target_score": 0}, 5), 0, 400,
    ),
    "uno-honor": (
        Header("Uno for four on honour, with zeros and sevens that move hands; some do what they must not.", "uno", 4,
               "honor", ("seven_zero",), {"play_doubles": True, "finish_on_action": False}, 2), 12, 110,
    ),
    "skip-bo-strict": (
        Header("Skip-Bo for three with stocks of five cards.", "skip-bo", 3, "strict", (), {"stock_size": 5}, 3),
        0, 400,
    ),
    "skip-bo-honor": (
        Header("Skip-Bo for two sides on honour; some do what they must not.", "skip-bo", 4, "honor", ("partnership",),
               {"stock_size": 10}, 2), 12, 120,
    ),
    "crazy-eights-strict": (
        Header("Crazy Eights for three, a single deal.", "crazy-eights", 3, "strict", (), {"target_score": 0}, 3),
        0, 400,
    ),
    "crazy-eights-honor": (
        Header("Crazy Eights for two on honour with queens, aces and twos that act; the last card is called.",
               "crazy-eights", 2, "honor", ("action_cards", "one_draw"), {"last_card_call": True}, 2), 12, 90,
    ),
}  # fmt: skip
"""File -> the header, how many of a hundred moves are any that are possible, and after how many moves it stops."""


def at_random(seed: int, breaches: int, most: int) -> Next:
    """Random play; on honour now and then somebody does whatever comes to mind."""
    dice = Dice(seed)

    def choose(state: State) -> tuple[int, str] | None:
        if len(state.position.record_moves) >= most:
            return None
        actors = state.actors
        player = actors[dice.below(len(actors))]
        moves = state.legal_moves(player)
        if dice.below(100) < breaches:
            player = dice.below(state.game.program.n)
            moves = state.possible_moves(player) if len(state.possible_moves(player)) else moves
        if not len(moves):
            player = actors[0]
            moves = state.legal_moves(player)
        move = moves[dice.below(len(moves))]
        if move not in state.possible_moves(player):
            return choose(state)
        return player, str(move)

    return choose


def collecting(seed: int, breaches: int, most: int) -> Next:
    """Keeps what it has most of and passes on the rest; acts as soon as it may."""
    dice = Dice(seed)

    def choose(state: State) -> tuple[int, str] | None:
        if len(state.position.record_moves) >= most:
            return None
        for player in range(state.game.program.n):
            acting = [move for move in state.legal_moves(player) if move.action.startswith(("take", "touch", "show"))]
            if acting and dice.below(3):
                return player, str(acting[0])
        player = state.actors[dice.below(len(state.actors))]
        ranks = [card[:-1] for card in state.zone("hand", player)]
        moves = [move for move in state.legal_moves(player) if move.action != "stop_passing"]
        rarest = min(moves, key=lambda move: (ranks.count(move.text.split()[-1][:-1]), dice.below(8)))
        return player, str(rarest)

    return choose


def shedding(seed: int, breaches: int, most: int) -> Next:
    """Plays a card whenever one fits; on honour now and then forgets to speak, and the others notice."""
    dice = Dice(seed)

    def choose(state: State) -> tuple[int, str] | None:
        if len(state.position.record_moves) >= most:
            return None
        slipped = sorted({fault.offender for fault in state.position.faults if not fault.paid_at})
        if slipped and dice.below(3):
            return (slipped[0] + 1) % state.game.program.n, f"razz P{slipped[0] + 1}"
        player = state.actors[dice.below(len(state.actors))]
        moves = state.legal_moves(player)
        cards = [move for move in moves if move.action in ("play", "answer", "add_card")] or moves
        move = cards[dice.below(len(cards))]
        return player, move.text if dice.below(100) < breaches else str(move)

    return choose


def racing(seed: int, breaches: int, most: int) -> Next:
    """Plays a card whenever one fits, else turns one up, and speaks only when nothing else is left."""
    dice = Dice(seed)
    haste = ("play", "play_held", "turn_over", "refill", "draw", "spit", "spit_on", "shift", "slap", "take")

    def choose(state: State) -> tuple[int, str] | None:
        if len(state.position.record_moves) >= most:
            return None
        player = state.actors[dice.below(len(state.actors))]
        moves = list(state.legal_moves(player))
        if dice.below(100) < breaches and len(state.possible_moves(player)):
            moves = list(state.possible_moves(player))
        else:
            known = [move for move in moves if move.action in haste]
            first = min((haste.index(move.action) for move in known), default=None)
            moves = moves if first is None else [move for move in known if move.action == haste[first]]
        return player, str(moves[dice.below(len(moves))])

    return choose


PLAYERS = {
    **dict.fromkeys(("spit-strict", "spit-honor", "spit-many", "spit-five-strict", "spit-five-honor"), racing),
    "pig-tongue": collecting, "bicycle-strict": collecting, "georgia-strict": shedding, "georgia-honor": shedding,
    "uno-strict": shedding,
}  # fmt: skip
"""Who plays, where it is not anybody at random."""


def main(names: list[str]) -> None:
    for name in names or MATCHES:
        header, breaches, most = MATCHES[name.removesuffix(".txt")]
        player = PLAYERS.get(name.removesuffix(".txt"), at_random)
        text = tell(header, player(header.seed, breaches, most))
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
        print(f"{name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main(sys.argv[1:])
