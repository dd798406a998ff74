"""Learning rates in a captured function: a scheduler's `step()`, `get_lr()`, reads of its numbers and an optimiser's
`set_lr()` are calls back into Python, at their place in it.

A function that steps none reads their numbers as those of other objects: guarded. In one that steps any, each read is
the program's, also before the step: it may stand in a loop. The first such step after a read starts the capture anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ....base.dtype import float64
from ....base.errors import CaptureError, KindError
from ....base.location import caller_loc
from ....base.pytree import flatten, unflatten
from ....dygraph.eager import from_array
from ....dygraph.modes import GradMode
from ....dygraph.number import Number, dtype_of_number, fits, number_over
from ....dygraph.optimizer.lr import LRScheduler
from ....dygraph.optimizer.rate import write_rate
from ....dygraph.tensor import Tensor, wrap
from ....ops.dispatch import bottom, using
from ....ops.op import OPS
from ....ops.types import TensorType
from ....runtime.vm.undoing import if_it_fails
from ..state.rollback import MISSING


@dataclass(slots=True)
class SchedulerReads:
    """How a trace reads the numbers of schedulers. late: by runs. guarded: some were read as they are."""

    late: bool = False
    guarded: bool = False
    missed: bool = False  # a step came after such a read


class TracedRates:
    """What a tracer does with learning rates."""

    def step_scheduler(self, scheduler: Any, rates: Sequence[Tensor], given: Any, named: Any) -> bool:
        """A learning-rate scheduler moves on."""
        step_scheduler(self, scheduler, rates, given, named)
        return True

    def set_rate(self, optimizer: Any, value: Any) -> bool:
        """An optimiser gets another rate."""
        set_rate(self, optimizer, value)
        return True

    def rate_of(self, read: Callable[[], float]) -> Any:
        """The learning rate that `read` finds when the program gets here."""
        return rate_of(self, read)

    def rate_function(self, get_lr: Callable[[], float]) -> Callable[[], float]:
        """A scheduler's `get_lr` as the program's runs call it."""
        return partial(rate_of, self, get_lr)

    def read_scheduler(self, scheduler: Any, name: str, value: Any, *, late: bool = False) -> Any:
        """An attribute of a scheduler: guarded, or read by the runs if they step one."""
        return read_scheduler(self, scheduler, name, value, late=late)


def step_scheduler(tracer: Any, scheduler: Any, rates: Sequence[Tensor], given: Any, named: Any) -> None:
    """Record a step of a learning-rate scheduler; the tensors in its arguments are those of the run.

    rates: the learning-rate tensors that the program writes. Those of other optimisers follow in Python.
    """
    reads: SchedulerReads = tracer.scheduler_reads
    if reads.guarded:
        reads.missed = True
        raise CaptureError("a scheduler is read and then stepped", loc=caller_loc())  # the next attempt reads late
    reads.late = True
    _refuse_writes(tracer, scheduler)
    leaves, tree = flatten((given, named), lambda v: isinstance(v, Tensor))
    kinds = [x.kind if isinstance(x, Number) else None for x in leaves]

    def step(*arrays: Any) -> list[Any]:
        with using(bottom()), GradMode(False):
            run = [from_array(np.array(a)) if k is None else k(a) for k, a in zip(kinds, arrays, strict=True)]
            args, kwargs = unflatten(tree, iter(run))
            if_it_fails(scheduler, _way_back)
            kept = scheduler._tensors
            scheduler._tensors = [r for r in kept if not any(r() is rate for rate in rates)]
            try:
                scheduler.step(*args, **kwargs)
            finally:
                scheduler._tensors = kept
            return [np.asarray(scheduler.last_lr, np.float64)]

    _write_rates(tracer, f"{type(scheduler).__name__}.step", step, leaves, rates)


def set_rate(tracer: Any, optimizer: Any, value: Any) -> None:
    """Record that an optimiser's rate is another one from here on: a float, or a number of the program.

    The program writes the tensor of the rate; the attribute is set by Python, as a later `get_lr()` may read it.
    """
    is_number = type(value) is Number

    def change(*arrays: Any) -> list[Any]:
        if_it_fails(optimizer, _former_rate)
        optimizer._learning_rate = rate = float(arrays[0]) if is_number else value
        return [np.asarray(rate, np.float64)]

    given = [value] if is_number else []
    _write_rates(tracer, f"{type(optimizer).__name__}.set_lr", change, given, [optimizer._lr_tensor])


def _former_rate(optimizer: Any) -> Callable[[], None]:
    return partial(setattr, optimizer, "_learning_rate", optimizer._learning_rate)


def _write_rates(
    tracer: Any, stem: str, call: Callable[..., list[Any]], given: Sequence[Any], rates: Sequence[Tensor]
) -> None:
    """Record a call of Python that gives a rate, and that the tensors of rates hold it."""
    name = tracer.callback_name(stem)
    tracer.callbacks[name] = call
    (rate,) = tracer.builder.callback(name, [tracer.value_of(x) for x in given], [TensorType(float64, ())])
    with GradMode(False):
        for tensor in rates:
            made = wrap(rate, float64)
            tensor._write(made if tensor.dtype is float64 else OPS["cast"](made, tensor.dtype))


def _way_back(scheduler: LRScheduler) -> Callable[[], None]:
    """What makes a scheduler, and those that it steps in turn, be as they are now."""
    found = [scheduler]
    for one in found:  # grows
        parts = [p for v in vars(one).values() for p in (v if isinstance(v, (list, tuple)) else (v,))]
        found += [p for p in parts if isinstance(p, LRScheduler) and not any(p is q for q in found)]
    before = [(one, {k: list(v) if type(v) is list else v for k, v in vars(one).items()}) for one in found]

    def undo() -> None:
        with using(bottom()), GradMode(False):
            for one, attributes in before:
                vars(one).clear()
                vars(one).update(attributes)
            for tensor in [r() for r in before[0][1]["_tensors"]]:
                if tensor is not None:
                    write_rate(tensor, scheduler.last_lr)

    return undo


def rate_of(tracer: Any, read: Callable[[], float]) -> Any:
    """A number of the program: what `read` gives when a run gets here."""
    return _number_of(tracer, "get_lr", lambda: float(read()), float)


def read_scheduler(tracer: Any, scheduler: Any, name: str, value: Any, *, late: bool) -> Any:
    """A number among the attributes of a scheduler: as it is, or a number of the program."""
    reads: SchedulerReads = tracer.scheduler_reads
    is_number = type(value) is Number
    if is_number and value.origin is None:
        return value  # of the program already
    kind = value.kind if is_number else type(value)
    if not (is_number or kind is bool or fits(value)) or _is_written(tracer, scheduler, name, value):
        return value
    if not (late or reads.late):
        reads.guarded = True
        return value

    def read() -> Any:
        now = object.__getattribute__(scheduler, name)
        if type(now) is not kind:
            raise KindError(
                f"{type(scheduler).__name__}.{name} was of type {kind.__name__} while a function that reads it was "
                f"captured, and is of type {type(now).__name__} in this call",
                remedy="give it numbers of one type, or read it outside of the captured function",
            )
        return now

    return _number_of(tracer, f"{type(scheduler).__name__}.{name}", read, kind)


def _number_of(tracer: Any, stem: str, read: Callable[[], Any], kind: type) -> Any:
    def call() -> list[Any]:
        with using(bottom()):
            return [np.asarray(read(), dtype.numpy)]

    dtype = dtype_of_number(kind)
    name = tracer.callback_name(stem)
    tracer.callbacks[name] = call
    (value,) = tracer.builder.callback(name, [], [TensorType(dtype, ())])
    return number_over(wrap(value, dtype))


def _is_written(tracer: Any, scheduler: Any, name: str, value: Any) -> bool:
    """Whether the captured function has set it: then it is what was set."""
    before = tracer.objects.before(scheduler, name, value)
    return before is not value and before is not MISSING


def _refuse_writes(tracer: Any, scheduler: Any) -> None:
    """Errors: CaptureError where the function has set what the step would read: attributes are set after the call."""
    for name, value in vars(scheduler).items():
        if isinstance(value, (int, float, Tensor)) and _is_written(tracer, scheduler, name, value):
            raise CaptureError(
                f"`{name}` of a {type(scheduler).__name__} is set inside a captured function, before its step()",
                loc=caller_loc(),
                remedy="set it outside, before the call; or give the step as an argument: step(epoch)",
            )
