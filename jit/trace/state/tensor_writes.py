"""Writes to tensors while a trace runs: the hooks that tell the tracer of them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....dygraph import storage as cells
from ....dygraph.given_array import GivenArray
from ....dygraph.storage import Storage
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ...converters.regions.extras import first_grad
from ..assumed.asked_tensors import is_asked_by_user
from ..traced import Moved, PlaceWrite, TensorWrite
from ..tracer import Tracer, active
from .taped_memory import lead_to


def _tracing() -> Tracer | None:
    for interpreter in reversed(_stack()):
        if isinstance(interpreter, Tracer):  # `auto_cast` may stand behind it, and counts as a trace
            return interpreter
    return None


def _stack() -> Sequence[Any]:
    from ....ops import dispatch

    return dispatch.stack.get()


def _on_write(x: Tensor) -> None:
    tracer = _tracing()
    if tracer is None:
        return
    if active() is not tracer:
        tracer.logs[0].write_eagerly(x)
        return
    tracer.aliases.write(tracer, x._storage)
    tracer.asked.layouts.meet(x._storage)
    tracer.logs[-1].write(x)
    if isinstance(x._storage.payload, np.ndarray):
        x._storage.payload = tracer.lift(x)


def _on_written(x: Tensor, value: Tensor, old: Any) -> Any:
    tracer = active()
    return value._storage.payload if tracer is None else tracer.untaped.written(tracer, x, value, old)


def _on_alias(x: Tensor, alias: Tensor) -> None:
    tracer = active()
    if tracer is not None:
        tracer.untaped.share(x, alias)
        tracer.logs[-1].aliases[id(alias)] = weakref.ref(alias)


def _on_grad_write(x: Tensor, gradient: Any) -> None:
    tracer = _tracing()
    if tracer is not None and active() is not tracer:  # eager code inside the trace
        tracer.logs[0].write_grad(x)
    elif tracer is not None:
        _change(tracer, x, "grad")
        tracer.renewed.write(tracer, x, gradient)
        tracer.logs[-1].write_grad(x)


def _on_first_grad(x: Tensor, grad: Tensor, alias: Tensor) -> Any:
    tracer = active()
    return alias if tracer is None else first_grad(tracer, x, grad, alias)


def _on_stop(x: Tensor) -> None:
    """Of a tensor from outside the call sets it. A branch or loop can't: the other path keeps it as it was. So it can
    where it puts it back, as what freezes a network for some lines does.
    """
    tracer, value = active(), x._storage.payload
    if tracer is None:
        return
    if not _have_stop(tracer, tracer.aliases.sources(x._storage), not x._stop):
        _change(tracer, x, "stop_gradient")
    found = _found(tracer, x)
    if not isinstance(found, Value) or (found.operation is None and found.block is tracer.program.body):
        if len(tracer.blocks) == 1 or (not isinstance(value, Value) and not tracer.objects.holds(x)):
            tracer.logs[-1].write_stop(x)
            if x._stop:
                _is_wanted(tracer, x)
            return
        if x._node is None and tracer.logs[-1].freeze(x, _stop_in_branch(x)):
            if x._stop:
                _is_wanted(tracer, x)
            return
    elif len(tracer.blocks) == 1 or value.block is tracer.blocks[-1]:
        return
    ours = id(x) not in tracer.asked.given and not tracer.objects.holds(x)
    if x._node is None and not (ours and x._stop and isinstance(value, Value)):
        raise _stop_in_branch(x)
    tracer.logs[-1].write(x)


def _stop_in_branch(x: Tensor) -> CaptureError:
    return CaptureError(
        f"{x.name} gets stop_gradient={not x._stop} in a branch or loop of the program",
        loc=caller_loc(),
        remedy="go on with `x.detach()` there, or set stop_gradient before the branch",
    )


def _is_wanted(tracer: Tracer, x: Tensor) -> None:
    """A tensor from outside is to need a gradient from here on."""
    entry, payload = tracer.lifted.get(id(x._storage)), x._storage.payload
    is_outside = not isinstance(payload, Value) if entry is None else entry.tensor is x
    if not (is_outside or id(x) in tracer.detached.arguments):
        return  # an alias that the function made
    tracer.detached.wanted[id(x)] = x
    used = payload if isinstance(payload, Value) else None if entry is None else entry.value
    if used in tracer.detached.plain:
        tracer.detached.used_before[id(x)] = x


def _change(tracer: Tracer, x: Tensor, attribute: str) -> None:
    """An attribute changes, which `x.detach()` doesn't share: only what itself may be another tensor is refused."""
    if tracer.chosen.known(x) is not None:
        tracer.aliases.change(x._storage, attribute)


def _have_stop(tracer: Tracer, sources: Sequence[Storage], stop: bool) -> bool:
    """Whether tensors that one may be are known from outside, and all have this `stop_gradient`."""
    known = {id(x._storage): x._stop for x, *_ in tracer.asked.given.values()}
    known |= {id(entry.cell): entry.tensor._stop for entry in tracer.lifted.values()}
    return all(known.get(id(cell)) is stop for cell in sources)


def _found(tracer: Tracer, x: Tensor) -> Any:
    """What the memory of a tensor held before the function wrote to it."""
    key = id(x._storage)
    return next((log.storages[key][1] for log in tracer.logs if key in log.storages), x._storage.payload)


def _on_share(x: Tensor) -> Any:
    """A copy has the gradients of `x`: also where its elements were written since without a record."""
    tracer = active()
    if tracer is None:
        return x._storage.payload
    value = tracer.elements_of(x)
    return value if x._stop or not tracer.untaped else tracer.untaped.value_of(tracer, x, value)


def _on_sizes(x: Tensor) -> None:
    if not isinstance(cells.held(x), np.ndarray):  # most are the program's own
        return
    tracer = active()
    if tracer is not None:
        tracer.asked.sizes[id(x._storage)] = x
        if cells.is_view(x._storage):
            tracer.asked.shapes[id(x._storage)] = tuple(x._storage.payload.shape)


def _on_stop_read(x: Tensor) -> bool:
    tracer = active()
    if tracer is not None and is_outside(tracer, x) and is_asked_by_user() and id(x) not in tracer.asked.stops:
        known = next((log.stops[id(x)][1] for log in tracer.logs if id(x) in log.stops), x._stop)
        tracer.asked.stops[id(x)] = x, known
    return x._stop


def _on_fact_read(x: Tensor, name: str, value: Any) -> Any:
    tracer = active()
    if tracer is None or not is_asked_by_user(4):
        return value
    if id(x) in tracer.asked.given:
        return tracer.asked.of_argument(x, name, value)
    if is_outside(tracer, x):
        log = tracer.logs[0].storages.get(id(x._storage))
        before = log[2] if log is not None and name == "inplace_version" else value
        tracer.asked.names.setdefault(id(x), (x, {}))[1].setdefault(name, before)
    return value


def _on_grad_read(x: Tensor) -> None:
    tracer = active()
    if tracer is None:
        return
    if any(id(x) in log.grads for log in tracer.logs) and not tracer.renewed.read(x):
        return
    if is_outside(tracer, x):
        tracer.asked.grad(x, tracer.logs[0].grads)
    elif x._storage.payload.operation is None:
        tracer.grads_met[id(x)] = x


def _on_hash(x: Tensor) -> None:
    """A container of whatever kind holds tensors by their identity: how many it holds depends on which are one."""
    tracer = active()
    if tracer is not None:
        tracer.identity.ask(x)


def _is_computed(x: Tensor) -> bool:
    """Whether a leaf of the trace is an argument that the caller has computed: a write of it is recorded then."""
    tracer = active()
    if tracer is None or id(x) not in tracer.met_hooks.computed:
        return False
    tracer.asked.of_argument(x, "is_leaf", False)
    tracer.logs[-1].write_place(x)
    lead_to(x, x)
    return True


def _is_open(payload: Any) -> bool:
    tracer = active()
    if tracer is None or not isinstance(payload, Value):
        return True
    if payload.operation is not None and payload.operation.parent is None:
        return False  # of a piece of code that was given up
    return tracer.is_outer(payload)


def _on_layout(cell: Storage) -> Any:
    tracer = active()
    return None if tracer is None else tracer.asked.layouts.of(cell)


def _on_layout_used(x: Tensor, made: Tensor | None) -> None:
    tracer = active()
    if tracer is not None:
        tracer.asked.layouts.use(tracer, x, made)


def _on_renewed(x: Tensor) -> None:
    tracer = active()
    if tracer is not None:
        tracer.logs[-1].write_place(x)


def _on_cut(cell: Storage) -> None:
    tracer = active()
    if tracer is not None:
        tracer.aliases.cut.append(weakref.ref(cell))


def is_outside(tracer: Tracer, x: Tensor) -> bool:
    """Whether the function finds a tensor, other than among its arguments."""
    return isinstance(cells.held(x), np.ndarray) or id(x._storage) in tracer.lifted


def written_arguments(ending: Any, begun: Mapping[int, Any]) -> list[TensorWrite]:
    """Arguments written in place. begun: what their cells held before, by identity."""
    found, waiting = [], dict(begun)
    for number in sorted(ending.feeds.values()):
        if number in ending.inputs.pinned:
            continue  # a state tensor: the program updates it
        x = ending.tensors[number]
        # None: another name of memory that is looked at already
        value, before, moved = ending.tracer.value_of(x), waiting.pop(id(x._storage), None), _moved(ending, x)
        if (before is not None and value is not before) or moved is not Moved.NO:
            found.append(TensorWrite(number, _fetch(ending, x), isinstance(x, GivenArray), moved))
    return found


def moved_outside(ending: Any, updated: Container[int]) -> list[PlaceWrite]:
    """Tensors from outside that recorded writes gave another place in the graph. updated: cells of state."""
    written = [x for x, *_ in ending.tracer.logs[0].tensors.values() if id(x._storage) in updated]
    moved = [(x, _moved(ending, x)) for x in written if id(x) in ending.known or id(x) in ending.feeds]
    return [PlaceWrite(x, _fetch(ending, x), way) for x, way in moved if way is not Moved.NO]


def _moved(ending: Any, x: Tensor) -> Moved:
    before = ending.tracer.logs[0].tensors.get(id(x))
    if before is None or (x._node, x._slot) == before[1:3] or isinstance(x, GivenArray):
        return Moved.NO
    return Moved.OUT if x._stop or x._node is None or x._node.released else Moved.IN


def _fetch(ending: Any, x: Tensor) -> int:
    """The number of the fetch with the elements of a tensor, and with its gradient."""
    value = ending.tracer.value_of(x)
    number: int = ending.fetch(value if x._stop else ending.tracer.untaped.value_of(ending.tracer, x, value))
    return number


_hooks_lock = threading.Lock()
_hooks_users = 0


@contextmanager
def hooks() -> Iterator[None]:
    """Watch writes to tensors while any trace runs; threads without a trace are not affected."""
    global _hooks_users
    with _hooks_lock:
        _hooks_users += 1
        cells.on_write, cells.on_grad_write, cells.on_share = _on_write, _on_grad_write, _on_share
        cells.on_written, cells.on_stop, cells.on_alias = _on_written, _on_stop, _on_alias
        cells.on_first_grad, cells.on_sizes = _on_first_grad, _on_sizes
        cells.on_hash, cells.on_stop_read, cells.on_grad_read = _on_hash, _on_stop_read, _on_grad_read
        cells.on_fact_read, cells.is_open, cells.on_renewed, cells.on_cut = (
            _on_fact_read,
            _is_open,
            _on_renewed,
            _on_cut,
        )
        cells.on_layout, cells.on_layout_used, cells.is_computed = _on_layout, _on_layout_used, _is_computed
    try:
        yield
    finally:
        with _hooks_lock:
            _hooks_users -= 1
            if not _hooks_users:
                cells.on_write = cells.on_grad_write = cells.on_share = cells.on_first_grad = None
                cells.on_hash = None
                cells.on_written = cells.on_alias = cells.on_stop = cells.on_sizes = cells.on_stop_read = (
                    cells.on_grad_read
                ) = None
                cells.on_fact_read = cells.is_open = cells.on_renewed = cells.on_cut = None
                cells.on_layout = cells.on_layout_used = cells.is_computed = None
