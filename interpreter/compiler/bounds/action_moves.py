"""The moves of an action: how many there can be, and the steps that judging and carrying them out takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.base.arithmetic import LARGEST
from interpreter.base.diagnostics import Span
from interpreter.compiler.bounds.effect_steps import EffectSteps
from interpreter.compiler.bounds.expression_steps import around_of
from interpreter.compiler.bounds.limits import (
    EVENT,
    FEW_LETTERS,
    FEW_MOVES,
    LIST_STEPS,
    MADE,
    MOST_MOVES,
    MOST_WORDS,
    WORD,
)
from interpreter.compiler.layout import Layout
from interpreter.engine.budget import AUTOMATIC, MOST_SPENT
from interpreter.language import typed as t
from interpreter.language.asked_melds import MOST_CARDS
from interpreter.language.model import MELDS, ActionDef, ParamDef, StageDef
from interpreter.language.typed import children, walk


class Bounds(EffectSteps):
    """What the rules of one game take at most."""

    def __init__(self, layout: Layout) -> None:
        self._actions: dict[str, int] = {}  # zones, which are looked at first, may ask for moves
        self._counted: dict[str, bool] = {}
        super().__init__(layout)
        actions = [action for stage in self.model.stages.values() for action in (*stage.actions, *stage.anytime)]
        many = layout.n * sum(map(self.light_offer, actions)) > MOST_SPENT
        self.least_charged = 0 if many else self.least_heavy
        """What it takes to judge the moves of an action is counted if it is more, or if there are very many."""

    def forget_all(self) -> None:
        super().forget_all()
        self._actions.clear()

    # ---- actions --------------------------------------------------------------------------------

    def _all_ways(self, action: ActionDef) -> int:
        """The most ways to choose the parameters of an action and of a row."""
        return self.most_ways(action.params) * max((self.most_ways(row.params) for row in action.rows), default=1)

    def offer(self, action: ActionDef) -> int:
        """The most steps that finding out the lawful moves of an action takes."""
        return min(self._all_ways(action), self.limit(action)) * self.each_move(action)

    def light_move(self, action: ActionDef) -> int:
        """What judging one move takes, but for what counts itself."""
        with self._adding_up(lightly=True):
            return self.each_move(action)

    def light_offer(self, action: ActionDef) -> int:
        """What finding out the moves of an action takes, but for what counts itself."""
        return self.light_move(action) if self.is_heavy(self.offer(action)) else self.offer(action)

    def listing(self, action: ActionDef) -> int:
        """What each move counts that is found: nothing where there are few in any case, and none is long."""
        long = self._long(action)
        return MADE + 10 * self.layout.n + long if long or self._all_ways(action) > FEW_MOVES else 0

    def _long(self, action: ActionDef) -> int:
        """What a move counts of very many letters: they need memory, too, unless cards alone are chosen, whose ways are
        not listed."""
        if len(action.params) == 1 and action.params[0].form == "cards" and not action.rows:
            return 0
        own = sum(map(self._words, action.params))
        words = own + max((sum(map(self._words, row.params)) for row in action.rows), default=0)
        letters = 1 + max(map(len, self.layout.cards), default=0)
        return words * (WORD + letters // 5) if words * letters > FEW_LETTERS else 0

    def _words(self, param: ParamDef) -> int:
        """In how many words it is said at most what is chosen."""
        if param.form in MELDS:
            return min(MOST_CARDS, self._chosen(param))
        return self._several(param)

    def _several(self, param: ParamDef) -> int:
        """How many are chosen at most."""
        if param.count is None:
            return 1
        high, most = self._most(param.count[1]), self._chosen(param)
        return most if high is None else max(0, min(most, high))

    def limit(self, action: ActionDef) -> int:
        """How many moves of an action can be listed at once: fewer, where it takes long to see whether one is lawful.

        On honour each of them can be made with and without its words.
        """
        said = sum(p.said for params in (action.params, *(r.params for r in action.rows)) for p in params)
        ways: int = self.ways_to_say(action) * 2**said if self.layout.honor else 1
        most: int = min(MOST_MOVES, LIST_STEPS // self.each_move(action))
        return max(1, most // ways)

    def ways_to_say(self, action: ActionDef) -> int:
        """In how many ways what is owed can be said: right, wrong, or not at all."""
        words = len(action.says) + max((len(row.says) for row in action.rows), default=0)
        found: int = 3 ** min(words, MOST_WORDS)
        return found

    def speaking(self, action: ActionDef) -> int:
        """The most steps that it takes to work out what is said with a move."""
        self.bind(action.params)
        says = (*action.says, *(say for row in action.rows for say in row.says))
        return EVENT + self.all(part for say in says for part in (say.words, say.when, say.exact))

    def each_move(self, action: ActionDef) -> int:
        """The most steps that one move takes until it is known whether it is lawful."""
        key = f"{action.stage}.{action.name}.{action.anytime}.{self._lightly}"
        if key not in self._actions:
            known = dict(self._locals), dict(self._limits)
            with self.rules_of(action.stage):
                self._actions[key] = self._each_move(action)
            if known != (self._locals, self._limits):
                self._locals, self._limits = known
                self._known.clear()
        return self._actions[key]

    def _each_move(self, action: ActionDef) -> int:
        self.bind(action.params)
        params = (*action.params, *(param for row in action.rows for param in row.params))
        parts = [part for param in params for part in children(param)]  # whatever is asked of what is chosen
        parts += [condition for _, condition in action.when] + [law.law for law in action.laws if law.row < 0]
        found = 1 + self.all(parts) + self.steps(action.row) + self._long(action)
        for law in action.laws:
            if law.row >= 0:
                self.bind(action.rows[law.row].params)
                found += self.steps(law.law)
        return found + (self.speaking(action) if self.layout.honor else 0)

    def bind(self, params: Sequence[ParamDef]) -> None:
        """From here on, what is chosen for parameters is as large as it can be."""
        for param in params:
            self._knows(param.name, self._several(param))
            limit = None if param.bounds is None else self._most(param.bounds[1])
            most = LARGEST if limit is None else limit
            if self._limits.get(param.name, LARGEST) != most:
                self._limits[param.name] = most
                self._known.clear()

    def is_joint(self, action: ActionDef) -> bool:
        """Whether a law looks at what is chosen, so that every choice has to be tried."""
        names = {p.name for p in action.params}
        return any(isinstance(node, t.Local) and node.name in names for law in action.laws for node in walk(law.law))

    # ---- stages ---------------------------------------------------------------------------------

    def counts(self, stage: StageDef) -> bool:
        """Whether anything is counted of what is done in a stage while it waits for moves."""
        if stage.name not in self._counted:
            with self.rules_of(stage.name):
                hooks = any(steps > AUTOMATIC for steps, _ in self.hooks(stage))
            guarded = any(steps > EVENT for steps in self.guarded.values())
            self._counted[stage.name] = (
                bool(self.model.melds)
                or hooks
                or guarded
                or any(
                    self.is_heavy(self.offer(a)) or self.listing(a) or self._is_heavily_done(a, stage)
                    for a in stage.actions
                )
            )
        return self._counted[stage.name]

    def _is_heavily_done(self, action: ActionDef, stage: StageDef) -> bool:
        self.bind(action.params)
        return self.is_heavy(self.done(action, stage) + max((self.carried(r.effect) for r in action.rows), default=0))

    def done(self, action: ActionDef, stage: StageDef) -> int:
        """The most steps that carrying out a move takes, but for what the row of a card adds."""
        return self.carried(action.effect) + (self.carried(stage.on_card) if action.is_play else 0)

    def hooks(self, stage: StageDef) -> Iterator[tuple[int, Span]]:
        """What the machine does of itself in a stage: the steps of each condition and effect."""
        contests = (a.contest.ties for a in (*stage.actions, *stage.anytime) if a.contest is not None)
        if stage.players is not None:
            with self.rules_of(around_of(stage.name)):
                asked = self.steps(stage.players)
            yield asked, stage.players.span
        for node in (
            stage.when, stage.until, stage.first, stage.leader, stage.next_leader, stage.count,
            stage.first_dealer, stage.next_dealer, stage.trump, stage.winners, stage.hands, *contests,
        ):  # fmt: skip
            if node is not None:
                yield self.steps(node), node.span
        turns = stage.turns and stage.turns[0]
        for node in (stage.suit, stage.rank, stage.trump_when, stage.places, stage.scores, turns):
            if node is not None:
                yield self.layout.n * self.steps(node), node.span
        for effects in (stage.setup, stage.cleanup, stage.effect, stage.on_turn, stage.on_trick, stage.resolve):
            if effects:
                yield self.carried(effects), effects[0].span
        for row in stage.score_rows:
            each = EVENT + self.steps(row.points) + self.steps(row.because)
            yield self.steps(row.when) + self.steps(row.whom) + self.layout.n * each, row.span

    def weight(self, stage: StageDef) -> int:
        """What an automatic step of a stage counts, besides what its functions count themselves."""
        inside = [self.weight(self.model.stages[child]) for child in stage.children]
        if stage.kind == "do":  # what is inside may all be run in one step
            return AUTOMATIC + sum(inside)
        return AUTOMATIC + max(inside) if stage.kind == "repeat" else AUTOMATIC
