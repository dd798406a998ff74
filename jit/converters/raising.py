"""`raise` under a tensor's test: the path ends in a failing check of the program, and what it would leave isn't needed.

The exception is made when the function is captured, so its message can't hold the values of tensors.
"""

from __future__ import annotations

import builtins
import dis
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NoReturn

from ...base.dtype import bool_
from ...base.errors import CaptureError
from ...base.location import Loc, is_entry, is_library_file
from ...base.pytree import flatten, unflatten
from ...dygraph.tensor import Tensor
from ...ops.control import callback, check
from ...ops.types import TensorType
from ..tracer import Tracer
from .text import holds_tensors, without_values
from .values import FILL, Build, Maybe, Merge, Undefined

_RAISE = dis.opmap["RAISE_VARARGS"]


class Raised:
    """What a path returns that ends in a `raise`."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def or_raised(tracer: Tracer, code: Callable[[], Any]) -> Callable[[], Any]:
    """`code` with a final `raise` of the user's turned into a check; it then returns a `Raised`."""

    def run() -> Any:
        try:
            return code()
        except Exception as error:  # broad: any class that the user's code raises
            loc = raised_at(error)
            if loc is None:
                raise
            _refuse_handlers(error, loc)
            _fail(tracer, error, loc)
            return Raised(error)

    return run


def raised_at(error: BaseException) -> Loc | None:
    """The line of the user's `raise` statement that an exception comes from; None for errors of any other origin."""
    trace, called = error.__traceback__, False
    while trace is not None and trace.tb_next is not None:
        called |= trace.tb_frame.f_code.co_filename.endswith("jit/pylayer.py")
        trace = trace.tb_next
    if trace is None or called:  # a PyLayer runs opaque: what it raises isn't part of the program
        return None
    code = trace.tb_frame.f_code
    if is_library_file(code.co_filename) or code.co_code[trace.tb_lasti] != _RAISE:
        return None
    return Loc(code.co_filename, trace.tb_lineno)


def _refuse_handlers(error: Exception, loc: Loc) -> None:
    """CaptureError where an `except` around the `if` would see the exception: it comes when the program runs."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_entry(frame.f_code):
        if not is_library_file(frame.f_code.co_filename) and _catches(frame.f_code, frame.f_lasti):
            raise CaptureError(
                f"a {type(error).__name__} raised under a tensor's test can't be caught in captured code",
                loc=loc,
                remedy="move the `try` around the call of the compiled function, or use `if` instead of `except`",
            ) from error
        frame = frame.f_back


def _catches(code: CodeType, at: int) -> bool:
    """Whether an `except` clause covers the instruction at an offset; `with` and `finally` don't count."""
    targets = [e.target for e in dis._parse_exception_table(code) if e.start <= at < e.end]  # type: ignore[attr-defined]
    for target in targets:
        names = []
        for instruction in dis.get_instructions(code):
            if instruction.offset >= target and instruction.opname != "CACHE":
                names.append(instruction.opname)
                if "JUMP" in instruction.opname or instruction.opname in ("RERAISE", "CHECK_EXC_MATCH"):
                    break
        if "CHECK_EXC_MATCH" in names or names[:2] == ["PUSH_EXC_INFO", "POP_TOP"]:
            return True
    return False


def _fail(tracer: Tracer, error: Exception, loc: Loc) -> None:
    """Record that the program raises this exception here."""
    kind, args = type(error), error.args
    if any(holds_tensors(a) for a in args):
        args = error.args = tuple(without_values(tracer, a) if holds_tensors(a) else a for a in args)
    if getattr(builtins, kind.__name__, None) is kind and (not args or (len(args) == 1 and isinstance(args[0], str))):
        never = tracer.builder.constant(False, bool_)
        attrs = {"message": args[0] if args else "", "error": kind.__name__}
        tracer.builder.emit(check, [never], attrs, [], loc=loc)
        return
    error.with_traceback(None)
    error.__context__ = None

    def again(*_: Any) -> NoReturn:
        raise error.with_traceback(None)

    name = tracer.callback_name(f"raise {kind.__name__}")
    tracer.callbacks[name] = again
    attrs = {"callee": name, "outputs": (), "gradient": None, "form": "array"}
    tracer.builder.emit(callback, [], attrs, [], loc=loc)


def alone(merge: Merge, name: str, value: Any, side: int) -> Build:
    """The value after an `if` one of whose paths raises: that of the other path, `side`."""
    if isinstance(value, Maybe):
        inner, flag = alone(merge, name, value.value, side), alone(merge, name, value.flag, side)
        return lambda r: Maybe(value.name, inner(r), flag(r))
    leaves, tree = flatten(value, lambda v: isinstance(v, (Tensor, Undefined)))
    if not any(isinstance(x, Maybe) or _is_inner(merge.tracer, x) for x in leaves):
        return lambda _: value
    builds: list[Build] = []
    for x in leaves:
        if isinstance(x, Maybe):
            builds.append(alone(merge, name, x, side))
        elif _is_inner(merge.tracer, x):
            sides = (FILL, x) if side else (x, FILL)
            builds.append(merge._add(sides, TensorType(x.dtype, tuple(x.shape)), not x.stop_gradient))
        else:
            builds.append(_constant(x))
    return lambda r: unflatten(tree, iter([b(r) for b in builds]))


def _is_inner(tracer: Tracer, x: Any) -> bool:
    return isinstance(x, Tensor) and not tracer.is_outer(x._storage.payload)


def _constant(value: Any) -> Build:
    return lambda _: value
