"""A move from its text."""

from __future__ import annotations

from interpreter.base.signs import shortened
from interpreter.engine import naming
from interpreter.engine.available import action_named, check_player
from interpreter.engine.claims import check_law, is_open
from interpreter.engine.failures import blamed
from interpreter.engine.from_words import read_args
from interpreter.engine.legal import possible_actions
from interpreter.engine.moves import Move
from interpreter.engine.notation import (
    SILENT,
    UNKNOWN,
    IllegalMove,
    build,
    check_said,
    check_text,
    named_player,
    split_words,
)
from interpreter.engine.position import Position
from interpreter.engine.refusing import may_be_offered
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.saying import hear
from interpreter.engine.standing import kind_of_phase
from interpreter.language.keywords import DECLINE


def parse(s: Position, player: int, text: str) -> Move:
    """The move that a text means. Raises IllegalMove if it means none, RuleError where the rules cannot say."""
    try:
        return _parsed(s, player, text)
    except Exception as error:
        if (failure := blamed(s, error)) is None:
            raise
        raise failure from error


def _parsed(s: Position, player: int, text: str) -> Move:
    if s.over:
        raise IllegalMove("over", "the match is over")
    check_player(s, player)
    s.spent = 0
    if not isinstance(text, str):
        raise IllegalMove("no_such_move", f"{text!r} is not the text of a move")
    check_text(text)
    tokens, words = split_words(text)
    if not tokens:
        raise IllegalMove("no_such_move", "a move is an action and what it is about, such as 'play 7C'")
    action = action_named(s, tokens[0])
    if action is None or (tokens == [DECLINE] and kind_of_phase(s) == "claims"):
        check_said(words or "")
        silent = words is None and len(tokens) > 1 and tokens[-1] == SILENT
        return parse_claim(s, player, tokens[:-1] if silent else tokens, words)
    args, words, silent = read_args(s, player, action, text)
    if words is not None:
        check_said(words)
    if action.renamed and (words is not None or silent):
        args = hear(s, player, action, args, words or "")
    if action.placed and may_be_offered(s, player, action):
        args = naming.with_places(s, player, action, args)
    elif words is None and not action.renamed and (known := action.interned.get(args)) is not None:
        return known  # the one that is listed: what is kept of it is kept once
    return build(s, player, action, args).saying(words)


def as_read(s: Position, player: int, move: Move) -> Move:
    """A move as its text is read, which a record keeps. Raises RuleError where that means another one, or none."""
    text = str(move)
    try:
        read = parse(s, player, text)
    except IllegalMove as refusal:
        raise RuleError(f"'{shortened(text)}' could not be read again: {refusal.message}") from refusal
    if read != move:
        raise RuleError(f"'{shortened(text)}' would be read again as '{shortened(str(read))}'")
    return read


def parse_claim(s: Position, player: int, tokens: list[str], words: str | None) -> Move:
    """`claim P2`, `claim P2 revoke`, `decline`; everything else is no move."""
    code = s.program.honor_code
    if s.program.honor and code is not None and is_open(s):
        if tokens[0] == code.claim:
            offender = named_player(s.program, tokens[1]) if len(tokens) > 1 else None
            if offender is None or len(tokens) > 3:
                raise IllegalMove("no_such_move", _no_claim(s, player, tokens))
            law = tokens[2] if len(tokens) == 3 else None
            check_law(s, law)
            return Move(code.claim, (offender, law), " ".join([code.claim, f"P{offender + 1}", *tokens[2:]]), words)
        if tokens == [DECLINE] and kind_of_phase(s) == "claims":
            return Move(DECLINE, (), DECLINE)
    known = possible_actions(s, player)
    lawful = ", lawful or not" if s.program.honor else ""
    hint = f"; possible now{lawful}: {', '.join(known)}" if known else "; nothing can be done now"
    if tokens[0] == s.setup.origin.claim and not s.program.honor:
        hint = ": claims are for honour play, and this is strict"
    why = f"there is no move '{shortened(tokens[0])}' here{hint}"
    raise IllegalMove("no_such_move", why, (UNKNOWN, tokens[0]))


def _no_claim(s: Position, player: int, tokens: list[str]) -> str:
    """What is wrong with a claim that cannot be read."""
    word = tokens[0]
    others = [f"P{p + 1}" for p in range(s.program.n) if p != player]
    if len(tokens) > 3:
        return f"'{shortened(' '.join(tokens[3:]))}' is too much: a claim is a player and perhaps a law"
    if len(tokens) == 1:
        return f"say against whom: '{word} {others[0]}', or '{word} {others[0]} LAW'"
    return f"there is no player '{shortened(tokens[1])}' here; claim against one of {', '.join(others)}"
