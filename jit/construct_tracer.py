"""The tracer that whole functions are recorded by: the plain one (tracer.py), with loops, branches and PyLayers.

Converters speak to the plain tracer; what it needs of them is joined here, above both.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..base import errors
from ..base.dtype import int64
from ..base.frame_marks import raises_for_caller
from ..base.pytree import map_leaves
from ..dygraph.number import Number, number_over
from ..dygraph.tensor import wrap
from ..ir.core import Operation, Value
from ..ops.dims import Dim
from ..ops.op import Op
from .converters.for_loop import repeated
from .converters.handlers import is_caught
from .converters.raising import of_run
from .converters.regions.branches import run_branches
from .converters.regions.decisions import decide
from .converters.regions.extras import decided_gradient
from .converters.regions.markers import Poison
from .trace.gradients.pylayer_tape import refuse_state_in_blocks
from .trace.gradients.traced_pylayer import trace_layer
from .trace.state.traced_numbers import as_python
from .trace.tracer import Tracer


class ConstructTracer(Tracer):
    """Records one program, constructs of Python included."""

    is_sure = False  # whether the operations that are recorded now can't fail

    def repeat(self, count: Any, step: Callable[[Any, Any], Any], state: Any) -> Any:
        """`state = step(k, state)` for k below `count`, a number that only a run knows, as a loop of the program."""
        return repeated(self, count, step, state)

    def run_where(self, flag: Value, update: Callable[[], None]) -> None:
        """Record `update()` so that a run does it only where `flag` holds."""
        run_branches(self, flag, update, _nothing, functions=(_nothing,))

    @raises_for_caller
    def check(self, good: Value, message: str, error: str) -> None:
        """The run ends with the error of that name unless a flag holds; a handler around gets it."""
        kind = getattr(builtins, error, None) or getattr(errors, error)
        if not is_caught(self, kind):
            super().check(good, message, error)
        elif _goes_wrong(self, good, 1, error):
            raise of_run(kind(message)) if issubclass(kind, errors.VitrifyError) else kind(message)

    def _number(self, x: Any) -> Any:
        """A size or value of one integer, as a number of the run; texts as they are."""
        if isinstance(x, Dim):
            x = self.constant(x, int64)._storage.payload
        return number_over(wrap(x, x.dtype)) if isinstance(x, Value) else x

    @raises_for_caller
    def may_raise(self, bad: Callable[[], Any], message: str, kind: type[Exception]) -> bool:
        """An error that a later operation raises otherwise, where a handler around gets it; whether one does."""
        if self.is_sure or not is_caught(self, kind):
            return False
        if _goes_wrong(self, self.flag(bad()), 0, kind.__name__):
            raise kind(message)
        return True

    @contextmanager
    def surely(self, is_sure: bool = True) -> Iterator[None]:
        """Operations don't fail here: what makes them fail has been asked."""
        before, self.is_sure = self.is_sure, self.is_sure or is_sure
        try:
            yield
        finally:
            self.is_sure = before

    def hands_over(self, error: type[BaseException]) -> bool:
        """Whether a handler around gets such an error of an operation."""
        return not self.is_sure and is_caught(self, error)

    @raises_for_caller
    def may_fail(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> None:
        """The errors that data make the operation raise, where a handler around gets them."""
        for number, failure in enumerate(op.failures):
            if self.is_sure or (failure.of_sizes and not any(map(_is_open, args))):
                continue
            if not is_caught(self, failure.error, 3):
                continue
            values = [self.value_of(x) for x in args]
            with self.builder.active():
                flag = failure.happens(*values, **attrs)
            if flag is not None and _goes_wrong(self, flag, 0, (op.name, number)):
                with self.builder.active():
                    words = failure.words(*values, **attrs)
                shown = "".join([str(self._number(w)) for w in words])
                raise of_run(failure.error(shown, remedy=failure.remedy(*values, **attrs)))

    def decided(self, value: Any) -> Any:
        """A value that Python code looks at: paths diverge here if it is one or another."""
        return value.fail() if isinstance(value, Poison) else value

    def decided_gradient(self, tensor: Any, grad: Any) -> Any:
        """A gradient for Python code that looks at it: where only some runs have it, paths diverge here."""
        return decided_gradient(self, tensor, grad)

    def py_layer(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A PyLayer becomes a callback (see traced_pylayer.py)."""
        return trace_layer(self, cls, *map_leaves(as_python, (args, kwargs), lambda v: type(v) is Number))

    def before_backward(self, operations: Sequence[Operation]) -> None:
        """A backward pass through branches or loops with PyLayers."""
        refuse_state_in_blocks(self, operations)


def _goes_wrong(tracer: Tracer, flag: Value, side: int, about: Any) -> bool:
    """Whether this is the path on which a flag says that something fails; what follows is traced once per outcome."""
    decision = decide(tracer, flag, about)
    if decision.side is None:
        decision.split()
    return decision.side == side


def _is_open(x: Any) -> bool:
    """Whether a size of a tensor isn't known now."""
    return not all(type(d) is int for d in x._storage.payload.shape)


def _nothing() -> None:
    pass
