"""Control flow of the old style: what a `with` block builds becomes a block of the program.

The code of a `with` block runs once, so nothing can be traced again: what it gives to variables from outside
(`assign(x, output=y)`, `increment`, in-place writes) is what a branch hands on and what a loop carries.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..base.errors import ArgumentError, CaptureError, KindError, LoopStateError
from ..base.location import Loc, caller_loc
from ..dygraph.tensor import Tensor
from ..ir.core import Block, Value
from ..jit.trace.state.write_log import Log
from ..ops.dispatch import current
from ..ops.op import OPS
from .append import give
from .current import state
from .recorder import Recorder


@dataclass(slots=True)
class _Inner:
    """What a `with` block built, and the variables from outside that it gave other values."""

    block: Block
    written: list[tuple[Tensor, Value, Value]] = field(default_factory=list)  # variable, value before, value after


def _recorder(who: str) -> Recorder:
    recorder = current()
    if not isinstance(recorder, Recorder):
        raise CaptureError(
            f"{who} builds static programs",
            loc=caller_loc(),
            remedy="use if and while, or static.nn.cond and while_loop",
        )
    return recorder


def _condition(value: Any, who: str) -> Tensor:
    if not isinstance(value, Tensor):
        raise KindError(f"{who}: the condition must be a variable, not a {type(value).__name__}")
    if value.dtype.name != "bool":
        raise KindError(f"{who}: the condition must be bool, not {value.dtype.name}")
    if any(d != 1 for d in value._storage.payload.shape):
        raise KindError(f"{who}: the condition must be one bool, not of shape {list(value.shape)}")
    return value


@contextmanager
def _inside(recorder: Recorder) -> Iterator[_Inner]:
    """Record into a block of its own; afterwards the variables from outside are as they were before."""
    recorder.note_writes()
    inner, log = _Inner(Block()), Log()
    recorder.blocks.append(inner.block)
    recorder.logs.append(log)
    try:
        with recorder.builder.inside(inner.block):
            yield inner
    finally:
        recorder.blocks.pop()
        recorder.logs.pop()
        after = {key: cell.payload for key, (cell, *_) in log.storages.items()}
        log.undo()
    for tensor, *_ in log.tensors.values():
        key = id(tensor._storage)
        value = after.pop(key, None)
        before = _value_outside(recorder, tensor)
        if isinstance(value, Value) and before is not None and value is not before:
            inner.written.append((tensor, before, value))


def _value_outside(recorder: Recorder, x: Tensor) -> Value | None:
    """What a variable stands for in the blocks around; None for one that was made in the block that ended."""
    if not isinstance(x._storage.payload, Value):
        return None if getattr(x, "awaits", False) else recorder.lift(x)
    return x._storage.payload if x._storage.payload.block in recorder.blocks else None


def _same_types(written: Sequence[tuple[Tensor, Value, Value]], what: str, loc: Loc) -> None:
    for tensor, before, after in written:
        if before.type != after.type:
            raise LoopStateError(
                f"{tensor.name} has type {before.type} before {what} and {after.type} at its end",
                loc=loc,
                remedy="keep its shape and dtype the same",
            )


def _replace_inside(block: Block, old: Value, new: Value) -> None:
    """Let the operations of a block, and of the blocks in it, use another value."""
    for operation, k in list(old.uses):
        around = operation.parent
        while isinstance(around, Block) and around is not block:
            owner = around.parent
            around = getattr(owner, "parent", None)
        if around is block:
            operation.set_operand(k, new)


class While:
    """A loop whose body is built in `with loop.block():`. The body has to give `cond` a new value.

    cond: one bool, shape [] or [1]. Variables from outside that the body gives other values keep their types.
    Errors: KindError for another condition; ArgumentError for a body that never sets it; LoopStateError.

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> count, end = vt.zeros([1], "int64"), vt.full([1], 3, "int64")
    >>> more = vt.less_than(count, end)
    >>> loop = While(more)
    >>> with loop.block():
    ...     _ = vt.increment(count)
    ...     _ = vt.assign(vt.less_than(count, end), more)
    >>> vt.static.Executor().run(fetch_list=[count])
    [array([3])]
    >>> vt.disable_static()
    """

    def __init__(self, cond: Any, is_test: bool = False, name: str | None = None) -> None:
        self.recorder = _recorder("While")
        self.condition = _condition(cond, "While")

    @contextmanager
    def block(self) -> Iterator[None]:
        """The body."""
        recorder, loc = self.recorder, caller_loc()
        if state.device:
            warnings.warn("The Op(while) is not support to set device.", stacklevel=3)
        with _inside(recorder) as inner:
            yield
        _same_types(inner.written, "the loop", loc)
        place = next((k for k, (x, *_) in enumerate(inner.written) if x._storage is self.condition._storage), None)
        if place is None:
            raise ArgumentError(
                f"While: the body never gives {self.condition.name}, its condition, a new value",
                remedy="end it with assign(less_than(i, n), cond)",
            )
        test = Block()
        args = [inner.block.add_arg(before.type, x.name) for x, before, _ in inner.written]
        for (_, before, _), arg in zip(inner.written, args, strict=True):
            _replace_inside(inner.block, before, arg)
        ends = {before: arg for (_, before, _), arg in zip(inner.written, args, strict=True)}
        builder = recorder.builder
        with builder.inside(inner.block):
            builder.yield_([ends.get(after, after) for *_, after in inner.written])
        for x, before, _ in inner.written:
            test.add_arg(before.type, x.name)
        with builder.inside(test), builder.active():
            flag = test.args[place]
            builder.yield_([OPS["reshape"](flag, ()) if flag.shape else flag])
        made = builder.while_([before for _, before, _ in inner.written], test, inner.block)
        _hand_on(recorder, inner, made)


def _hand_on(recorder: Recorder, inner: _Inner, made: Sequence[Value]) -> None:
    for (x, _, _), value in zip(inner.written, made, strict=True):
        give(x, recorder.variable(value, x.stop_gradient), recorder)


def _branch(recorder: Recorder, flag: Value, inner: _Inner, loc: Loc) -> None:
    """An `if` around what was built: where it isn't run, the variables keep their values."""
    _same_types(inner.written, "the branch", loc)
    other, builder = Block(), recorder.builder
    with builder.inside(inner.block):
        builder.yield_([after for *_, after in inner.written])
    with builder.inside(other):
        builder.yield_([before for _, before, _ in inner.written])
    _hand_on(recorder, inner, builder.if_(flag, inner.block, other))


class ConditionalBlock:
    """A branch built in `with branch.block():`, which runs if all `inputs` (bool variables of one element) hold.

    Errors: KindError for other inputs; LoopStateError for a variable that the branch gives another type.
    """

    def __init__(self, inputs: Sequence[Any], is_scalar_condition: bool = False, name: str | None = None) -> None:
        if not isinstance(inputs, (list, tuple)):
            raise KindError(f"ConditionalBlock: inputs must be a list of variables, not a {type(inputs).__name__}")
        self.recorder = _recorder("ConditionalBlock")
        self.inputs = [_condition(x, "ConditionalBlock") for x in inputs]

    @contextmanager
    def block(self) -> Iterator[None]:
        """What runs."""
        recorder, loc = self.recorder, caller_loc()
        flags = [recorder.flag(x) for x in self.inputs]
        flag = flags[0]
        with recorder.builder.active():
            for other in flags[1:]:
                flag = OPS["logical_and"](flag, other)
        with _inside(recorder) as inner:
            yield
        _branch(recorder, flag, inner, loc)


class Switch:
    """The first case whose condition holds, or the default: `with switch.case(cond):`, `with switch.default():`.

    What a case gives to variables from outside stays. Errors: KindError for a condition that isn't one bool;
    ArgumentError for a default without a case before it; LoopStateError for a variable that a case gives another type.
    """

    def __init__(self, name: str | None = None) -> None:
        self.recorder = _recorder("Switch")
        self.is_open = False
        self.none: Tensor | None = None  # whether no case so far has run

    def __enter__(self) -> Switch:
        self.is_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False

    @contextmanager
    def case(self, condition: Any) -> Iterator[None]:
        """A case."""
        recorder, loc = self._begun("case"), caller_loc()
        holds = OPS["reshape"](_condition(condition, "Switch.case"), ())
        flag = holds if self.none is None else OPS["logical_and"](self.none, holds)
        missed = OPS["logical_not"](holds)
        self.none = missed if self.none is None else OPS["logical_and"](self.none, missed)
        with _inside(recorder) as inner:
            yield
        _branch(recorder, recorder.value_of(flag), inner, loc)

    @contextmanager
    def default(self) -> Iterator[None]:
        """What runs if no case does."""
        recorder, loc = self._begun("default"), caller_loc()
        if self.none is None:
            raise ArgumentError("Switch: there is no case before the default")
        with _inside(recorder) as inner:
            yield
        _branch(recorder, recorder.value_of(self.none), inner, loc)

    def _begun(self, what: str) -> Recorder:
        if not self.is_open:
            raise ArgumentError(f"Switch.{what} outside of `with` of the Switch", remedy="with Switch() as switch: ...")
        return self.recorder
