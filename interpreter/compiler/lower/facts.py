"""What is known of the actions of a game before they are lowered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from interpreter.compiler import core as c
from interpreter.compiler.constant import NotConstant, Unanswerable
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.lookups import best_rows
from interpreter.compiler.lower.uses import THE_ACTOR
from interpreter.compiler.wording import words_of
from interpreter.language import typed as t
from interpreter.language.check.hiding import WHEREVER, is_blind, is_public, is_spread
from interpreter.language.check.openness import is_everyone, is_open_variable
from interpreter.language.check.written_out import with_definitions
from interpreter.language.model import MELDS, ActionDef, ParamDef
from interpreter.language.typed import Effect, Typed, walk, walk_of

Shape = Literal["none", "card", "cards", "args"]
"""How the moves of an action are given: nothing to choose, bits, (bits, least, most), or a list of arguments."""


class Facts:
    """Tells of the actions of one game."""

    def __init__(self, expressions: Expressions) -> None:
        self.e = expressions
        model = expressions.model
        whole = walk_of([model.stages, model.honor], t.ToPlayer, t.Turn, t.Assign)
        self.skips = any(isinstance(effect, t.ToPlayer) and effect.verb == "skip" for effect in whole)
        """Whether players may be skipped."""
        self.reverses = any(stage.direction != "left" for stage in model.stages.values()) or any(map(reverses, whole))
        """Whether play may go the other way round."""
        self._row_tables: dict[tuple[str, str], tuple[int, ...]] = {}

    def shape(self, action: ActionDef) -> Shape:
        if action.row is not None:
            return "args"
        if not action.params:
            return "none"
        first = action.params[0]
        plain = not (first.optional or self.may_stay_unsaid(first) or self.blind(first) or self.placed(first))
        if len(action.params) == 1 and first.form == "cards" and plain:
            return "card" if first.count is None else "cards"
        return "args"

    def blind(self, param: ParamDef) -> bool:
        """Whether cards are chosen that the player does not see."""
        return is_blind(param, self.e.model.zones, self.e.model.instances)

    def placed(self, param: ParamDef) -> bool:
        """Whether cards are called by the place where they lie too: in different places they may be called alike."""
        spread = param.form == "cards" and is_spread(param.domain, self.e.model.instances)
        return spread and (self.e.layout.multi or self.blind(param))

    def chooses_only_melds(self, params: Iterable[ParamDef]) -> bool:
        """Whether melds are chosen, and no cards besides."""
        forms = [param.form for param in params]
        return any(form in MELDS for form in forms) and "cards" not in forms

    def says_itself(self, param: ParamDef) -> bool:
        """Whether what is chosen has to be said, and something else holds on honour if it is not."""
        return param.said and param.otherwise is not None

    def may_stay_unsaid(self, param: ParamDef) -> bool:
        """Whether a move may be made without it, so that something else holds than what was chosen."""
        return self.e.layout.honor and self.says_itself(param)

    def is_renamed(self, action: ActionDef) -> bool:
        """Whether players call cards that they see, or do not see, or what they leave unsaid, otherwise than the game
        does."""
        params = [param for _, param, _ in self.params(action)]
        unsaid = any(map(self.may_stay_unsaid, params))
        equal = self.e.layout.multi and any(param.form in ("cards", *MELDS) for param in params)
        return self.shape(action) == "args" and (unsaid or equal or any(map(self.blind, params)))

    def is_listed_alike(self, action: ActionDef) -> bool:
        """Whether the moves that are listed of an action are those that it offers: each has a name of its own."""
        if not self.is_renamed(action):
            return True
        params = [param for _, param, _ in self.params(action)]
        if any(param.form == "text" or self.may_stay_unsaid(param) for param in params):
            return False
        return not self.e.layout.multi or self.is_of_one_face(action)

    def is_of_one_face(self, action: ActionDef) -> bool:
        """Whether one card at most is chosen, by its face alone, and no row of `cards` adds any."""
        cards = [param for param in action.params if param.form == "cards"]
        apart = any(param.count is not None or self.blind(param) or self.placed(param) for param in cards)
        added = any(param.form == "cards" for row in action.rows for param in row.params)
        return len(cards) <= 1 and not (apart or added)

    def laid(self, param: ParamDef, action: ActionDef) -> bool:
        """Whether the cards of a parameter may stay unseen by others: they come from where not all see them,
        and the effect does not simply lay them where all do."""
        zones = self.e.model.zones
        asked = (part for node in (param.domain, param.where) for part in with_definitions(node, self.e.model))
        if param.form not in ("cards", *MELDS) or not any(map(self._hides, asked)):
            return False
        stage = self.e.model.stages[action.stage]
        if action.is_play and is_public(zones[stage.trick_zone]):
            return False
        single = param.form == "cards" and param.count is None
        return not self._lays_openly(action.effect, frozenset({param.name}), single)

    def uncounted(self, param: ParamDef) -> tuple[int, ...]:
        """The places from which the cards of a parameter may come that may be none, where not all see how many lie."""
        if not param.optional and (param.count is None or self._least(param.count[0]) > 0):
            return ()
        zones, found = self.e.model.zones, set[str]()
        for part in with_definitions(param.domain, self.e.model):
            if isinstance(part, t.ZoneRef) and part.name in zones:
                found.add(part.name)
            elif isinstance(part, t.Op) and part.op in WHEREVER:
                found.update(zones)
        hidden = [name for name in zones if name in found and not is_everyone(zones[name].count_seen_by)]
        return tuple(place for name in hidden for place in self.e.layout.zones[name].places)

    def _least(self, low: Typed) -> int:
        """The least that a number is known to be."""
        try:
            return int(self.e.layout.constant(low))
        except (NotConstant, Unanswerable):
            return 0

    def _hides(self, part: object) -> bool:
        """Whether one part of a domain tells of cards that not all see."""
        match part:
            case t.ZoneRef(name) if name in self.e.model.zones:
                return not is_public(self.e.model.zones[name])
            case t.VarRef(name):
                return not is_open_variable(self.e.model.variables[name])
            case t.Op(op):
                return op in WHEREVER
        return False

    def _lays_openly(self, effects: Iterable[Effect], names: frozenset[str], single: bool) -> bool:
        """Whether effects lay what these names stand for where all see it, whatever happens."""
        for effect in effects:
            match effect:
                case t.IfEffect(_, then, otherwise):
                    openly = all(self._lays_openly(branch, names, single) for branch in (then, otherwise))
                case t.RunEffect(_, bound, body):
                    own = {o for o, value in bound if isinstance(value, t.Local) and value.name in names}
                    openly = self._lays_openly(body, names.difference(o for o, _ in bound) | own, single)
                case t.Move(what=t.Local(name) | t.Op("meld cards", (t.Local(name),))) if (
                    name in names and effect.facing != "down"
                ):
                    zone = self.e.model.zones[effect.target.name]
                    openly = is_public(zone) and (not zone.shows_top or (single and not effect.beneath))
                case _:
                    openly = False
            if openly:
                return True
        return False

    def passes_on(self, action: ActionDef) -> bool:
        """Whether all that an action does is to move the one card that is chosen, as it lies."""
        match action.effect, action.params, action.rows:
            case (t.Move(t.Local(card), _, _, _, _, None),), (ParamDef() as param,), () if not action.is_play:
                plain = not (param.seen_by or param.count or param.optional or self.blind(param))
                return card == param.name and plain
        return False

    def symbols(self, param: ParamDef) -> tuple[str, ...]:
        return words_of(self.e.layout, param) if param.form == "choice" else param.type.symbols

    def params(self, action: ActionDef) -> Iterator[tuple[str, ParamDef, tuple[ParamDef, ...]]]:
        """The parameters of an action and of its rows: (where its functions belong, parameter, those before it)."""
        name = f"{action.stage}·{action.name}"
        for at, param in enumerate(action.params):
            yield name, param, action.params[:at]
        for number, row in enumerate(action.rows):
            for at, param in enumerate(row.params):
                yield f"{name}·{number}", param, (*action.params, *row.params[:at])

    def asks_early(self, action: ActionDef) -> bool:
        """Whether anything is asked of what a move says before it is judged: which row speaks for the card, which melds
        belong together, what holds of what is not said. Of a card alone its row is read in a table."""
        asks = any(p.asked is not None or self.may_stay_unsaid(p) for _, p, _ in self.params(action))
        return asks or (any(row.params for row in action.rows) and not isinstance(action.row, t.Local))

    def needs(self, node: Typed, action: ActionDef) -> bool:
        """Whether an expression looks at what is chosen."""
        return any(param.name in self.e.uses(node) for param in action.params)

    def is_alike(self, action: ActionDef) -> bool:
        """Whether what is offered is the same for all."""
        asked = [condition for _, condition in action.when] + [law.law for law in action.laws]
        parts = [part for p in action.params for part in (p.domain, p.where, *(p.bounds or ()), *(p.count or ()))]
        return not action.rows and not any(part and THE_ACTOR in self.e.uses(part) for part in [*asked, *parts])

    def asks_law(self, action: ActionDef) -> bool:
        """Whether there is a law that options have not settled."""
        return any(self.e.of(law.law) != c.TRUE for law in action.laws)

    def ask_rows(self, action: ActionDef) -> bool:
        """Whether a law belongs to the row of the card, or looks at what that adds."""
        if any(law.row >= 0 for law in action.laws):
            return True
        added = {param.name for row in action.rows for param in row.params}
        return any(added & self.e.uses(law.law) for law in action.laws)

    def is_joint(self, action: ActionDef) -> bool:
        """Whether a law looks at all cards together that are chosen."""
        return self.shape(action) == "cards" and any(self.needs(law.law, action) for law in action.laws)

    def is_charged(self, action: ActionDef) -> bool:
        """Whether the functions that find its moves count what is not counted within."""
        return self.e.bounds.light_offer(action) > self.e.bounds.least_charged

    # ---- rows of `cards` ------------------------------------------------------------------------

    def row_table(self, action: ActionDef) -> tuple[int, ...]:
        """Card -> the row that speaks for it; the number of rows where none does."""
        key = action.stage, action.name
        if key not in self._row_tables:
            found = best_rows(self.e, [row.pattern for row in action.rows])
            self._row_tables[key] = tuple(len(action.rows) if at is None else at for at in found)
        return self._row_tables[key]

    def row_number(self, action: ActionDef) -> Expr:
        """Which row speaks for the card."""
        assert action.row is not None
        table, card = self.e.tables.table(self.row_table(action), f"{action.name}_row"), self.e.of(action.row)
        missing = action.row.type.optional or self.e.may_miss(action.row)
        return c.call("of_card", table, card) if missing else c.Item(table, card)


def reverses(node: object) -> bool:
    """Whether an effect may change the direction of play."""
    match node:
        case t.Turn("reverse"):
            return True
        case t.Assign(_, t.Builtin("direction")):
            return True
    return False


def asks_machine(effects: tuple[Effect, ...]) -> bool:
    """Whether effects may ask for a call, an ending or another turn."""
    return any(isinstance(effect, t.Call | t.Finish | t.Turn | t.ToPlayer) for effect in walk(effects))
