"""What goes wrong while rules are carried out or asked, told as what the ruleset did wrong, with its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from interpreter.base.arithmetic import BY_ZERO, NoValue
from interpreter.engine.chance import ChanceError
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError

if TYPE_CHECKING:
    from interpreter.engine.position import Position

Asked = TypeVar("Asked", bound="Position")
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def why(error: Exception) -> str:
    """What went wrong in generated code, in the words of rulesets.

    Types are checked and names are known before anybody plays, so something else than a value stands for `none`.
    """
    match error:
        case RuleError():
            return error.message
        case NoValue():
            return error.in_play
        case ZeroDivisionError():
            return BY_ZERO
        case TypeError() | AttributeError() | KeyError(args=(None,)):
            return "a value is none where there must be one"
        case OverflowError():
            return "a number is too large"
        case MemoryError():
            return "there is not memory enough for it"
    return str(error)


def rule_error(program: Program, error: Exception) -> RuleError:
    """A failure of generated code as what the ruleset did wrong, with its place from the traceback."""
    what = "what was fixed cannot come about" if isinstance(error, ChanceError) else "the rules cannot be carried out"
    found = error if isinstance(error, RuleError) else RuleError(f"{what}: {why(error)}")
    trace = error.__traceback__ if found.span is None else None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == program.filename:
            found.span = program.place_line(trace.tb_lineno)
        trace = trace.tb_next
    return found


def by_rules(answer: Callable[Concatenate[Asked, Given], Answer]) -> Callable[Concatenate[Asked, Given], Answer]:
    """A question to a match: where the rules cannot answer it, RuleError says where they fail."""

    @wraps(answer)
    def asked(s: Asked, /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        spent, s.spent = s.spent, 0  # a question may be asked in the middle of a move
        try:
            return answer(s, *args, **kwargs)
        except Exception as error:
            failure = blamed(s, error)
            if failure is None:
                raise
            raise failure from error
        finally:
            s.spent = spent

    return asked


class Ruled:
    """A context in which much is asked of a match, as a bot asks: where the rules cannot answer, RuleError says where.

    What fails where no rule is asked is raised as it is. What it takes is not counted to the match.
    """

    def __init__(self, s: Position) -> None:
        self._s = s
        self._spent = s.spent

    def __enter__(self) -> None:
        self._s.spent = 0

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._s.spent = self._spent
        if isinstance(error, Exception) and (failure := blamed(self._s, error)) is not None:
            raise failure from error


def carried_out(s: Position, step: Callable[..., Answer], *args: Any) -> Answer:
    """What a step of a match comes to. Raises RuleError where it cannot be carried out, and leaves the match there."""
    try:
        return step(*args)
    except Exception as error:
        failure = rule_error(s.program, error)
        raise failure from (None if failure is error else error)


def blamed(s: Position, error: Exception) -> RuleError | None:
    """The failure as one of the rules; None where it is told so already, or the question is wrong and not the rules."""
    failure = rule_error(s.program, error)
    return None if failure is error or failure.span is None else failure
