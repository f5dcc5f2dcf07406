"""Cards that go somewhere, or are turned, as sentences: what goes the same way is told together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.engine.events import Told
from interpreter.words.acts import Acts, cards_told
from interpreter.words.drawing import by_suit
from interpreter.words.people import Reader, counted, sentence
from interpreter.words.piles import Spot, singular
from interpreter.words.verbs import agreeing

MANY = 16
"""More cards than this are not all named when they are moved; whoever sees them finds them at the table."""
FEW = 4
"""More cards than this are laid out as a hand is, without commas."""


class CardsTold:
    """Tells one reader what becomes of cards. verbose: of those, too, that only lie elsewhere than before."""

    def __init__(self, acts: Acts, reader: Reader, verbose: bool) -> None:
        self.acts, self.reader, self.verbose = acts, reader, verbose

    def lines(self, run: Sequence[Told]) -> Iterator[str]:
        """Cards that go the same way, told together."""
        spots = self.acts.piles.by_label
        groups: list[list[Told]] = []
        for told in run:
            if groups and _way(groups[-1][-1]) == _way(told):
                groups[-1].append(told)
            else:
                groups.append([told])
        for group in groups:
            source, target = spots.get(group[0].source), spots.get(group[0].target)
            if not group[0].target:
                yield from (self._turned(same) for same in self._together(group, at_source=True))
            elif source is None or target is None or (self._is_aside(source, target) and not self.verbose):
                continue
            elif self._keeper(target) is not None and self._keeper(source) != target.owner:
                yield from self._received(group)
            elif target.owner is not None and source.owner == target.owner:
                yield from self._own(group)
            else:
                yield from (self._went(one) for one in _merged(group))

    def _is_aside(self, source: Spot, target: Spot) -> bool:
        """Whether cards stay where they are, open beside it or with the side that has them, or go off the table."""
        off = self._is_off(target) and target.owner in (None, self._keeper(source))
        beside = source.zone.beside == target.zone.name or target.zone.beside == source.zone.name
        if beside and source.zone.always_seen and target.zone.always_seen:
            return True
        return off or source == target or source.team == target.team is not None

    def _is_off(self, spot: Spot) -> bool:
        """Whether the ruleset keeps a place off the table."""
        return self.acts.program.shown_as.get(spot.zone.name) == ""

    def _received(self, run: Sequence[Told]) -> Iterator[str]:
        """Cards that come to players: to everybody as many, or to each in turn."""
        spots, reader = self.acts.piles.by_label, self.reader
        got: dict[int, list[Told]] = {}
        for told in run:
            owner = spots[told.target].owner
            if owner is not None:
                got.setdefault(owner, []).append(told)
        counts = {owner: sum(t.number for t in told) for owner, told in got.items()}
        from_whom = {self._keeper(spots[t.source]) for told in got.values() for t in told}
        if len(got) > 1 and len(set(counts.values())) == 1 and from_whom == {None}:
            yield sentence(f"{self._all(list(got), 'get')} {counted(max(counts.values()), 'card')}")
            return
        around = len(got) > 2 and len(got) == len(from_whom) and None not in from_whom  # all pass on at once
        if around and reader.player is not None and reader.player not in got:
            yield sentence(f"everybody receives {counted(max(counts.values()), 'card')}")
            return
        for owner, theirs in got.items():
            if around and reader.player not in (None, owner):
                continue
            whose = {self._keeper(spots[t.source]) for t in theirs}
            giver = next(iter(whose)) if len(whose) == 1 else None
            cards = self._cards([c for t in theirs for c in t.cards], counts[owner])
            if giver is not None:
                way = f"from {reader.who(giver)}"
            elif spots[theirs[0].source].place == self.acts.program.pack_place or len(whose) > 1:
                way = ""
            else:
                way = f"from {self.acts.piles.called(spots[theirs[0].source], reader)}"
            verb = "receive" if giver is not None else "get"
            yield sentence(f"{reader.does(owner, verb)} {cards} {way}".strip())

    def _keeper(self, spot: Spot) -> int | None:
        """Whose cards they are that lie somewhere: nobody's in the middle, whoever has begun a pile there."""
        return None if self.acts.piles.is_in_the_middle(spot) else spot.owner

    def _all(self, players: Sequence[int], verb: str) -> str:
        """Several people, or everybody, and what they do."""
        if len(players) == self.acts.program.n:
            return f"everybody {agreeing(verb, True)}"
        return f"{self.reader.everybody_of(players)} {verb}"

    def _own(self, run: Sequence[Told]) -> Iterator[str]:
        """Cards of a player that go from one of their places to another."""
        spots = self.acts.piles.by_label
        merged = _merged(run)
        owners = {owner for told in merged if (owner := spots[told.source].owner) is not None}
        counts = {told.number for told in merged}
        into = self.acts.piles.noun(spots[merged[0].target].zone)
        if 1 < len(owners) == len(merged) and len(counts) == 1 and into == "hand":
            number = counts.pop()
            taken = f"{self._all(list(owners), 'take')} up {counted(number, 'card')}"
            yield sentence(taken + self._as_what(spots[merged[0].target], number))
            return
        for same in self._together(merged, at_source=False):
            yield self._own_to(same)

    def _together(self, run: Sequence[Told], at_source: bool) -> Iterator[list[Told]]:
        """Cards of one player that go to, or lie in, places of one zone one after the other."""
        found: list[Told] = []
        for told in run:
            if found:
                one, other = (
                    self.acts.piles.by_label.get(t.source if at_source else t.target) for t in (found[-1], told)
                )
                source = at_source or found[-1].source == told.source
                alike = one is not None and other is not None and (one.owner, one.zone) == (other.owner, other.zone)
                if not source or not alike or one is None or one.owner is None:
                    yield found
                    found = []
            found.append(told)
        if found:
            yield found

    def _own_to(self, run: Sequence[Told]) -> str:
        """Cards of a player that go to one more of their places, or are laid out in several."""
        spots, reader, piles = self.acts.piles.by_label, self.reader, self.acts.piles
        source, target = spots[run[0].source], spots[run[0].target]
        assert source.owner is not None
        count = sum(told.number for told in run)
        in_a_row = len({told.target for told in run}) == count
        cards = self._cards([card for told in run for card in told.cards], count, in_a_row)
        if piles.noun(target.zone) == "hand":
            return sentence(f"{reader.does(source.owner, 'take')} up {cards}{self._as_what(target, count)}")
        named = None if self._is_off(source) else source.owner
        into = piles.called(target, reader, named) if len(run) == 1 else piles.several(target, reader, named)
        return sentence(f"{cards} {'goes' if count == 1 else 'go'}{self._from(source)} to {into}")

    def _as_what(self, target: Spot, count: int) -> str:
        """What cards are in a hand that is no hand at this table."""
        called = self.acts.program.shown_as.get(target.zone.name)
        if not called:
            return ""
        return f" as a {singular(called)}" if count == 1 else f" as {called}"

    def _from(self, source: Spot) -> str:
        """Where cards come from, if the table shows that place."""
        return "" if self._is_off(source) else f" from {self.acts.piles.called(source, self.reader)}"

    def _went(self, told: Told) -> str:
        """Cards that come to nobody."""
        spots, reader = self.acts.piles.by_label, self.reader
        source, target = spots[told.source], spots[told.target]
        cards = self._cards(told.cards, told.number)
        goes = "goes" if told.number == 1 else "go"
        facing = f", {told.words}" if told.words else ""
        if source == target:
            return sentence(f"{cards} {goes} back into {self.acts.piles.called(source, reader)}{facing}")
        if target.team is not None and source.owner is None and source.team is None:
            return sentence(f"{reader.side_does(target.team, 'get')} {cards}{facing}")
        return sentence(f"{cards} {goes}{self._from(source)} to {self.acts.piles.called(target, reader)}{facing}")

    def _turned(self, run: Sequence[Told]) -> str:
        """Cards that stay where they lie, and are turned up or down there."""
        spot, count = self.acts.piles.by_label.get(run[0].source), sum(told.number for told in run)
        where = ""
        if spot is not None:
            piles = self.acts.piles
            where = f" in {piles.called(spot, self.reader) if len(run) == 1 else piles.several(spot, self.reader)}"
        how = {"face up": "turned up", "face down": "turned down"}.get(run[0].words, run[0].words or "shown")
        in_a_row = len({told.source for told in run}) == count
        cards = self._cards([card for told in run for card in told.cards], count, in_a_row)
        return sentence(f"{cards} {'is' if count == 1 else 'are'} {how}{where}")

    def _cards(self, cards: Sequence[str], count: int, in_a_row: bool = False) -> str:
        """Cards as they are known, laid out as a hand; of very many, and of many that are not all known, only how many.

        in_a_row: one of them lies in each of several places, in whose order they are told.
        """
        if not cards or len(cards) > MANY or (len(cards) < count > FEW):
            return counted(count, "card")
        groups = list(cards) if in_a_row else by_suit(cards, self.acts.program.ranks)
        if len(cards) > FEW:
            return self.reader.shown(" ".join(groups))
        return cards_told(self.reader, " ".join(groups).split(" "), count - len(cards))


def _way(told: Told) -> tuple[str, str, str]:
    """Between which zones cards go, and what becomes of them there."""
    return told.source.partition(" ")[0], told.target.partition(" ")[0], told.words


def _merged(run: Sequence[Told]) -> list[Told]:
    """Cards between the same two places as one passage, told as the last of them."""
    found: dict[tuple[str, str], list[Told]] = {}
    for told in run:
        found.setdefault((told.source, told.target), []).append(told)
    return [
        same[-1]._replace(cards=tuple([card for t in same for card in t.cards]), number=sum(t.number for t in same))
        for same in found.values()
    ]
