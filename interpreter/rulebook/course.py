"""The chapter of the course of a match: every stage with its actions, laws and endings."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language import typed as t
from interpreter.language.model import ActionDef, CardRow, ContestDef, LawDef, ParamDef, SayDef, StageDef
from interpreter.language.typed import Effect, Typed
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import Item, Section, items
from interpreter.rulebook.effects import lines
from interpreter.rulebook.marks import Marks
from interpreter.rulebook.melds_told import choice_told
from interpreter.rulebook.speaker import Speaker

_KINDS = {
    "turn": "The players have turns, one after another.",
    "trick": "Tricks are played.",
    "ask": "Everyone who takes part acts once, in any order.",
    "simultaneous": "Everyone chooses at the same time, unseen by the others.",
    "race": "Everybody may act at any moment; who is quicker comes first.",
    "claims": "Time for claims, if the match is played on honour.",
}
_PLAYS = {"": "", "lead": "When you lead: ", "follow": "When you do not lead: "}


@dataclass(frozen=True)
class Course:
    speaker: Speaker
    marks: Marks

    def sections(self) -> tuple[Section, ...]:
        """The stages in the order in which they are played; those that are called come after the rest."""
        stages, told, found = self.speaker.model.stages, set[str](), list[Section]()

        def tell(name: str) -> None:
            if name not in told:
                told.add(name)
                found.append(self.stage(stages[name]))
                for child in stages[name].children:
                    tell(child)

        for name in ("match", *stages):
            tell(name)
        return tuple(found)

    def clause(self, node: Typed) -> str:
        return self.speaker.clause(self.speaker.folding.fold(node))

    def noun(self, node: Typed) -> str:
        return self.speaker.noun(self.speaker.folding.fold(node))

    def effects(self, effects: tuple[Effect, ...]) -> tuple[Item, ...]:
        return items(lines(self.speaker.folding.effects(effects), self.speaker))

    # ---- stages -------------------------------------------------------------------------------------

    def stage(self, stage: StageDef) -> Section:
        rules: list[Item] = []
        alone = _one(stage.players) if stage.kind == "ask" else None
        if alone is not None:
            rules.append(Item(f"It is for {self.noun(alone)} to act."))
        elif stage.kind in _KINDS:
            rules.append(Item(_KINDS[stage.kind] if stage.answers == "all" else "The first to answer settles it."))
        if stage.params:
            told = g.listed(
                [f"{'whether it is' if kind.kind == 'flag' else 'the'} {g.plain(name)}" for name, kind in stage.params]
            )
            rules.append(Item(f"Played when a rule calls for it, which says {told}."))
        if stage.when is not None:
            said = self.clause(stage.when)
            never = "With the options chosen, this is left out."
            if said != "always":
                rules.append(Item(never if said == "never" else f"Only if {said}.", "When"))
        if stage.players is not None and alone is None:
            rules.append(Item(f"Only {self.noun(stage.players)}.", "Who takes part"))
        rules += self.order(stage)
        rules += self._group("At the beginning", stage.setup)
        rules += self._group("", stage.effect)
        rules += self._group("When a turn begins", stage.on_turn)
        rules += [self.action(a, stage) for a in stage.actions]
        rules += [self.action(a, stage, anytime=True) for a in stage.anytime]
        rules += self._group("After each card", stage.on_card)
        rules += self._group("After each trick", stage.on_trick)
        rules += self._group("When all have chosen", stage.resolve)
        rules += self._scores(stage)
        if stage.until is not None and self.clause(stage.until) != "never":
            said = self.clause(stage.until)
            if said != "always" or stage.kind != "repeat":
                rules.append(Item("Once only." if said == "always" else f"As soon as {said}.", "It ends"))
        rules += self._group("At the end", stage.cleanup)
        rules += self._result(stage)
        mark = self.marks.changed("flow", stage.name)
        return Section(g.title(stage.name), tuple(rules), stage.doc, mark)

    def _group(self, term: str, effects: tuple[Effect, ...]) -> list[Item]:
        told = self.effects(effects)
        if term and len(told) == 1 and not told[0].below:
            return [Item(told[0].text, term)]
        return [Item("", term, told)] if told and term else list(told)

    def order(self, stage: StageDef) -> list[Item]:
        """In which order a stage is played, who begins, and how a trick goes."""
        noun, found = self.noun, []
        names = [f"“{g.title(name)}”" for name in stage.children]
        if names:
            once = stage.kind == "repeat" and stage.until is not None and self.clause(stage.until) == "always"
            again = "once" if once else "again and again" if stage.kind == "repeat" else "in this order"
            found.append(Item(f"{g.listed(names)}, {again}." if len(names) > 1 or stage.kind == "repeat"
                              else f"{names[0]}.", "What is played"))  # fmt: skip
        if stage.first_dealer is not None:
            first = noun(stage.first_dealer)
            found.append(Item("The first dealer is drawn by lot." if "random" in first or "chance" in first
                              else f"{g.sentence(first)}", "Who deals first"))  # fmt: skip
        if stage.next_dealer is not None:
            found.append(Item(f"The next deal is for {noun(stage.next_dealer)}.", "Who deals next"))
        if stage.direction == "right" and stage.next_dealer is not None:
            found.append(Item("Play goes to the right.", "Direction"))
        for term, node in (
            ("Who begins", stage.first),
            ("Who leads first", stage.leader),
            ("Who leads next", stage.next_leader),
        ):
            if node is not None:
                passed = stage.kind == "trick" and stage.players is not None and node.type.kind == "player"
                over = " Whoever does not take part is passed over." if passed else ""
                found.append(Item(g.sentence(noun(node)) + over, term))
        if stage.kind == "turn" and stage.first is None:
            found.append(Item("The player who is next in turn.", "Who begins"))
        if stage.turns is not None:
            count, each = stage.turns
            told = g.number(int(noun(count)), "turn") if noun(count).isdigit() else f"{noun(count)} turns"
            found.append(Item(f"{told}{' for everyone' if each else ' in all'}.", "How long"))
        if stage.hands is not None:
            found.append(Item(f"{noun(stage.hands)}; a hand is busy from the beginning of a move to its end.", "Hands"))
        if stage.kind == "trick":
            found += self._trick(stage)
        return found

    def _trick(self, stage: StageDef) -> list[Item]:
        speaker = self.speaker.knowing(card="a card")
        fold = self.speaker.folding.fold
        count = "Until the hands are empty." if stage.count is None else f"{self.noun(stage.count)} tricks."
        found = [Item(count, "How many")]
        alike = stage.suit is not None and isinstance(fold(stage.suit), t.Const)  # then every card follows any other
        best = "the highest card" if alike else "the highest card of the suit led"
        if stage.trump is not None:
            trump = self.noun(stage.trump)
            best = f"the highest trump{'' if trump == 'the trump' else f' ({trump})'}, or else {best},"
        if stage.trump_when is not None:
            best = f"the highest trump, or else {best},"
            which = Course(self.speaker.knowing(card="it"), self.marks).clause(stage.trump_when)
            found.append(Item(f"A card is a trump if {which}. Trumps are a suit of their own.", "Trumps"))
        played = "one card" if stage.cards_each == 1 else f"{g.number(stage.cards_each, 'card')} at once"
        found.append(Item(f"Everyone plays {played}; {best} takes the trick.", "The trick"))
        if stage.next_leader is None:
            found.append(Item("Whoever takes a trick leads to the next.", "Who leads next"))
        for term, node in (("What suit a card counts as", stage.suit), ("What a card ranks by", stage.rank)):
            if node is not None and not (alike and node is stage.suit):
                see = " (see “What words mean”)" if isinstance(fold(node), t.Instance) else ""
                found.append(Item(g.sentence(f"{speaker.noun(fold(node))}{see}"), term))
        return found

    def _scores(self, stage: StageDef) -> list[Item]:
        rows = []
        for row in stage.score_rows:
            said = self.clause(row.when)
            rows.append(
                ("in any other case" if said == "always" else f"if {said}", self.noun(row.whom), self.noun(row.points))
            )
        if not rows:
            return []
        which = "Every line that holds counts." if stage.score_each else "The first line that holds counts."
        below = tuple(Item(f"{g.sentence(when).rstrip('.')}: {points} for {whom}.") for when, whom, points in rows)
        return [Item(which, "Points", below)]

    def _result(self, stage: StageDef) -> list[Item]:
        found = []
        if stage.winners is not None:
            found.append(Item(g.sentence(self.noun(stage.winners)), "Who wins"))
        speaker = self.speaker.knowing(p="each player")
        for term, node in (("Final score", stage.scores), ("Placed by (least first)", stage.places)):
            if node is not None and stage.name == "match":
                found.append(Item(g.sentence(speaker.noun(speaker.folding.fold(node))), term))
        return found

    # ---- actions ------------------------------------------------------------------------------------

    def action(self, action: ActionDef, stage: StageDef, anytime: bool = False) -> Item:
        inner = Course(self.speaker.knowing(**phrases(action.params)), self.marks)
        below: list[Item] = []
        for on, when in action.when:
            said = inner.clause(when)
            if said != "always":
                only = "This is not played with the options chosen" if said == "never" else f"Only if {said}"
                below.append(Item(f"{_PLAYS[on]}{only}."))
        below += inner.labels(action)
        below += [inner.param(p) for p in action.params]
        below += [inner.law(law, action) for law in action.laws if law.row < 0]
        below += [inner.say(say) for say in action.says]
        below += inner._group("Then", action.effect)
        if action.row is not None:
            below.append(Item(f"Then the card has its power: see “What the cards do” ({inner.noun(action.row)})."))
        alike = {name for name, low, high in action.measured if inner.noun(low) == inner.noun(high)}
        for name, low, high in action.measured:
            if name in alike:
                continue  # there is nothing to measure
            below.append(Item(f"The table measures the {g.plain(name)}, from {inner.noun(low)} to {inner.noun(high)}."))
        if action.contest is not None:
            below.append(inner.contest(action.contest, alike))
        term = f"{'At any time: ' if anytime else ''}{g.plain(action.name)}"
        changed = self.marks.changed("flow", stage.name, "actions", action.name)
        return Item(action.doc, term, tuple(below), changed, described=True)

    def labels(self, action: ActionDef) -> list[Item]:
        """What the move is called when it is made, where that is not simply its name."""
        told, called = [], [(self.clause(when), words) for when, words in action.labels]
        for when, words in called:
            if when != "never" and words != g.plain(action.name):
                told.append(f"“{words}”" + ("" if len(called) == 1 and when == "always" else
                                            " otherwise" if when == "always" else f" if {when}"))  # fmt: skip
        return [Item(f"{', '.join(told)}.", "It is called")] if told else []

    def contest(self, contest: ContestDef, alike: set[str]) -> Item:
        """alike: the measures that are the same for all."""
        wanted = "want the same one" if contest.over else "do this at the same moment"
        wins = None if contest.wins is None else self.speaker.folding.choice(contest.wins)
        first = "whoever comes first" if wins is None or wins[0] in alike else f"the {wins[1]} {g.plain(wins[0])}"
        ties = "" if contest.ties is None else f"; where all is equal, seats count from {self.noun(contest.ties)}"
        return Item(f"If several {wanted}, {first} gets it{ties}.")

    def param(self, param: ParamDef) -> Item:
        inner = self.speaker.knowing(
            **{"card": "each card"} if param.form == "cards" and param.count else {param.name: "it", "card": "the card"}
        )
        name = g.plain(param.name)
        if param.form == "flag":
            return Item(f"You may add “{name}”.")
        said = f"Choose{self._if_you_like(param)} {self._choice(param, name)}"
        if param.where is not None and (clause := inner.clause(inner.folding.fold(param.where))) != "always":
            said += f", such that {clause}"
        if param.otherwise is not None:
            said += f"; if it is left unsaid, {self.noun(param.otherwise)} holds"
        return Item(f"{said}.")

    def _if_you_like(self, param: ParamDef) -> str:
        clause = "always" if param.none_if is None else self.clause(self.speaker.folding.fold(param.none_if))
        if not param.optional or clause == "never":
            return ""
        return ", if you like," if clause == "always" else f" (or nothing, if {clause})"

    def _choice(self, param: ParamDef, name: str) -> str:
        match param.form:
            case "cards" if param.domain is not None:
                where = self.speaker.within(self.speaker.folding.fold(param.domain))
                where = where.removeprefix("the cards in ") if where.startswith("the cards in") else where
                if param.count is None and where.startswith("the cards"):
                    return f"one of {where}" + (f" ({name})" if name != "card" else "")
                if param.count is None:
                    return f"a card from {where} ({name})" if name != "card" else f"a card from {where}"
                low, high = (self.noun(n) for n in param.count)
                if low == high:
                    return (
                        g.number(int(low), "card") + f" from {where}"
                        if low.isdigit()
                        else f"as many cards as {low} from {where}"
                    )
                if low.isdigit() and high.isdigit():
                    return f"{low} to {high} cards from {where}"
                return f"at least {low} and at most {high} of the cards from {where}"
            case "number" if param.bounds is not None:
                low, high = (self.noun(n) for n in param.bounds)
                called = "" if len(name) == 1 else f" ({name})"
                return f"a number{called} from {low} to {high}"
            case "meld" | "melds":
                return choice_told(self.speaker, param)
            case "text":
                return f"any words ({name})"
            case "choice":
                words = (
                    self.noun(param.domain)
                    if param.domain is not None
                    else g.listed([g.plain(s) for s in param.type.symbols], "or")
                )
                return f"“{name}”: {words}"
        if param.form == "zones" and isinstance(param.domain, t.ZoneRef):
            zone, index = g.plain(param.domain.name), param.domain.index
            shared = "player" not in self.speaker.model.zones[param.domain.name].dims
            whose = f"one of the {zone} piles" if shared else f"anybody's {zone}"
            numbered = len(self.speaker.model.zones[param.domain.name].dims) > 1
            own = self.noun(index[0]) if index else ""
            mine = f"one of {g.owned(own, g.many(zone))}" if numbered else g.owned(own, zone)
            return f"{mine if index else whose} ({name})"
        if param.form == "tokens" and param.domain is not None:
            return f"one of {self.noun(param.domain)}"
        if param.form == "kinds" and param.domain is not None:
            return f"the name of any card in {self.noun(param.domain)} ({name})"
        kind = {
            "players": "a player",
            "suits": "a suit",
            "ranks": "a rank",
            "tokens": "a piece",
            "zones": "a pile",
            "teams": "a side",
        }
        found = kind.get(param.form, "one")
        among = "" if param.domain is None else f" among {self.noun(param.domain)}"
        return f"{found}{among}" + ("" if found.endswith(name) else f" ({name})")

    def law(self, law: LawDef, action: ActionDef | None = None) -> Item:
        said = self.clause(law.law)
        rule = {"always": "no limit with the options chosen", "never": "this is never allowed"}.get(said, said)
        spoken = "" if law.message is None or said == "always" else f"“{self.speaker.spoken(law.message)}”"
        message = f" {'Whoever tries is told' if said == 'never' else 'Else'}: {spoken}." if spoken else ""
        below = [*self._group("Who breaks it", law.on_breach)]
        if law.penalty is not None and self.speaker.folding.honor:
            below += self._group("Penalty, if it is claimed", law.penalty)
        return Item(f"{_PLAYS[law.on]}{g.sentence(rule)}{message}", f"Law “{g.plain(law.name)}”", tuple(below))

    def say(self, say: SayDef) -> Item:
        when = "" if say.when is None else self.clause(say.when)
        if when == "never":
            return Item(f"Nothing has to be said with the options chosen (“{self.speaker.spoken(say.words)}”).", "Say")
        only = f", if {when}" if when not in ("", "always") else ""
        return Item(f"{_PLAYS[say.on]}“{self.speaker.spoken(say.words)}”{only}.", "Say")

    # ---- cards --------------------------------------------------------------------------------------

    def cards(self) -> list[Item]:
        """What each card does, told once though several actions take the same rows."""
        found: dict[str, Item] = {}
        actions = [a for s in self.speaker.model.stages.values() for a in (*s.actions, *s.anytime)]
        for action in sorted(
            actions, key=lambda a: not isinstance(a.row, t.Local)
        ):  # of a card played, if there is one
            for number, row in enumerate(action.rows):
                laws = [law for law in action.laws if law.row == number]
                found.setdefault(row.pattern, self._row(row, laws))
        return list(found.values())

    def _row(self, row: CardRow, laws: list[LawDef]) -> Item:
        speaker = self.speaker.knowing(rank="the rank of the card").knowing(**phrases(row.params))
        inner = Course(speaker, self.marks)
        below = [inner.param(p) for p in row.params]
        below += [inner.law(law) for law in laws] + [inner.say(s) for s in row.says]
        below += inner.effects(row.effect)
        doc = self.speaker.docs.get(f"cards.{row.pattern}", "")
        term = self.speaker.pattern(row.pattern)
        changed = self.marks.changed("cards", row.pattern)
        return Item(doc, term[0].upper() + term[1:], tuple(below), changed, described=True)


def _one(players: Typed | None) -> Typed | None:
    """Who alone takes part, if it is one player."""
    match players:
        case t.Op("group", (one,)):
            return one
    return players if players is not None and players.type.kind == "player" else None


_NO_NAMES = frozenset(("from", "into", "onto", "to", "with"))
"""What is chosen under one of these is called by what it is."""


def phrases(params: tuple[ParamDef, ...]) -> dict[str, str]:
    """What the parameters of an action are called in what follows."""
    words = {"players": "the player chosen", "suits": "the suit chosen", "ranks": "the rank chosen",
             "tokens": "the piece chosen",
             "zones": "the pile chosen", "teams": "the side chosen", "number": "the number chosen",
             "meld": "the meld chosen", "melds": "the melds chosen"}  # fmt: skip
    forms = [p.form for p in params]
    found = {p.name: words[p.form] for p in params if p.form in words and forms.count(p.form) == 1}
    found |= {p.name: f"{words[p.form]} ({p.name})" for p in params if p.form in words and p.name in _NO_NAMES}
    several = [p for p in params if p.form == "cards" and p.count is not None]
    return found | {p.name: f"the {g.many(g.plain(p.name))}" for p in several if len(p.name) > 1}
