"""Contests of equal players who are not equally far away, in virtual time."""

from __future__ import annotations

import random

from interpreter.interfaces.host.fair_time import FairTime

Legs = tuple[float, float]
"""Milliseconds to the page and back."""
WAYS: dict[str, tuple[list[Legs], float]] = {
    "20 and 120 ms": ([(10.0, 10.0), (60.0, 60.0)], 0.0),
    "with jitter": ([(10.0, 10.0), (60.0, 60.0)], 3.0),
    "longer there than back": ([(10.0, 10.0), (80.0, 40.0)], 0.0),
    "longer back than there": ([(10.0, 10.0), (40.0, 80.0)], 0.0),
}
"""The ways of two players, and their jitter."""
Lie = tuple[int, int]
"""Milliseconds by which somebody's page delays its answers to measurements, and by which its socket does."""
SPREADS = (60.0, 150.0, 300.0)
"""Of reactions, in milliseconds."""


def contest(dice: random.Random, ways: list[Legs], jitter: float, spread: float, lies: dict[int, Lie]) -> int:
    """Who wins one contest of equal players. lies: of the seats that delay the answers to measurements."""
    fair: FairTime[int] = FairTime()

    def leg(way: float) -> float:
        return way + abs(dice.gauss(0, jitter))

    for seat, (there, back) in enumerate(ways):
        of_page, of_socket = lies.get(seat, (0, 0))
        for _ in range(10):
            way = leg(there) + leg(back)  # both are asked at the same time
            fair.measured(seat, round(way + of_page))
            fair.socket_measured(seat, round(way + of_socket))
        fair.sent(seat, 1, 1_000)
    arrivals = []
    for seat, (there, back) in enumerate(ways):
        reaction = max(150.0, dice.gauss(450, spread))
        arrivals.append((1_000 + leg(there) + reaction + leg(back), seat))
    won = None
    there = range(len(ways))
    for at, seat in sorted(arrivals):
        for _, winner in fair.due(int(at), there):
            won = winner if won is None else won
        fair.arrives(seat, seat, int(at), 1)
    for _, winner in fair.due(10_000, there):
        won = winner if won is None else won
    assert won is not None
    return won


def share_of_first(
    contests: int, ways: list[Legs], jitter: float, spread: float, lies: dict[int, Lie] | None = None
) -> float:
    dice = random.Random(7)
    seats = [ways, ways[::-1]]
    won = 0
    for number in range(contests):
        turned = number % 2
        told = {len(ways) - 1 - seat if turned else seat: lie for seat, lie in (lies or {}).items()}
        winner = contest(dice, seats[turned], jitter, spread, told)
        won += (len(ways) - 1 - winner if turned else winner) == 0
    return won / contests


def contests(number: int) -> list[str]:
    """Play so many of each kind and print who wins; what is not fair."""
    unfair = []
    for name, (ways, jitter) in WAYS.items():
        for spread in SPREADS:
            share = share_of_first(number, ways, jitter, spread)
            told = f"{name}, reactions spread by {spread:.0f} ms: the nearer one wins {share:.1%}"
            print(told, flush=True)
            if abs(share - 0.5) > 0.02:
                unfair.append(told)
    for lie in (50, 100, 130):
        for who, of_socket in (("by a page's script", 0), ("by a program in a browser's place", lie)):
            share = share_of_first(number, [(10.0, 10.0), (10.0, 10.0)], 0.0, 150.0, {0: (lie, of_socket)})
            told = f"answers to measurements delayed by {lie} ms {who}, reactions spread by 150 ms: "
            told += f"that wins {share:.1%}"
            print(told, flush=True)
            if not of_socket and abs(share - 0.5) > 0.02:
                unfair.append(told)
    return unfair
