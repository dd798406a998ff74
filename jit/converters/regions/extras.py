"""What a construct's code writes besides its variables: tensors in place, `.grad`s, and items of Python objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from ....base.location import caller_loc
from ....base.pytree import mapping_like
from ....dygraph import storage as cells
from ....dygraph.backward import filled_like
from ....dygraph.modes import is_recording
from ....dygraph.storage import Sharing, Storage
from ....dygraph.tensor import Tensor, wrap
from ....dygraph.view_writes import renew
from ....ops.op import OPS
from ...trace.assumed.hidden_attributes import refuse_slot
from ...trace.gradients.freed_graphs import Group
from ...trace.state.containers import WHOLE, decision_in
from ...trace.state.rollback import CLASS, MISSING, contents, describe, put
from ...trace.state.taped_memory import lead_to, refuse_names
from ...trace.state.write_log import Log
from ...trace.tracer import Tracer
from .decisions import Decision, decide_on
from .markers import Maybe, Poison, Undefined


class Extra:
    """Something besides variables that a construct's code wrote."""

    name: str
    before: Any

    def take(self) -> Any:
        """Its value now."""
        raise NotImplementedError

    def put(self, value: Any) -> None:
        """Give it a value, as a write of the surrounding code."""
        raise NotImplementedError

    def unite(self, others: Sequence[tuple[Extra, Any]]) -> None:
        """Other paths, or another iteration, wrote it too, and left these values: for what they tell of it."""


class Cell(Extra):
    """A tensor written in place."""

    def __init__(self, tracer: Tracer, log: Log, cell: Storage) -> None:
        self.tracer = tracer
        self.cell = cell
        writers = [entry for entry in log.tensors.values() if entry[0]._storage is cell]
        self.tensor = writers[-1][0]
        self.recorded = False
        before: tuple[Any, int, bool] = (None, 0, True)
        for x, node, slot, stop in writers:
            if (x._node, x._slot, x.stop_gradient) != (node, slot, stop) and not log.is_new(x):
                self._move(x)
                before = node, slot, stop
        # whether others than aliases that it has made are in the graph: they stay where they are
        self.is_placed = any(not log.is_new(y) for y in tracer.untaped.placed(self.tensor))
        name = self.tensor._name
        self.name = f"the tensor {name}" if name else "a tensor written in place"
        now, cell.payload = cell.payload, log.storages[id(cell)][1]
        self.before = self._view(*before)
        cell.payload = now

    def _move(self, x: Tensor) -> None:
        """The code gives `x` another place in the graph."""
        if self.recorded and self.tensor is not x:
            refuse_names(x, self.tensor)
        self.tensor, self.recorded = x, True

    def _view(self, node: Any, slot: int, stop: bool) -> Tensor:
        value = self.tracer.elements_of(self.tensor)
        view = wrap(value, value.dtype)
        view._node, view._slot, view._stop = node, slot, stop
        if node is None and not stop:  # an argument that the caller has computed
            lead_to(view, self.tensor)
        if self.is_placed:
            self.tracer.untaped.stand_for_names(view)
        return view

    def take(self) -> Tensor:
        if self.recorded:
            return self._view(self.tensor._node, self.tensor._slot, self.tensor.stop_gradient)
        return self._view(None, 0, True)

    def unite(self, others: Sequence[tuple[Extra, Any]]) -> None:
        """Recorded by one is recorded: where the others wrote, it has the place in the graph that it had before."""
        cells = [(cell, value) for cell, value in others if isinstance(cell, Cell)]
        self.is_placed = self.is_placed or any(cell.is_placed for cell, _ in cells)
        by = next((cell for cell, _ in cells if cell.recorded), None)
        if by is None:
            return
        for cell, _ in cells:
            if cell.recorded:
                by._move(cell.tensor)
        for cell, value in cells:
            if not cell.recorded:
                value._node, value._slot, value._stop = by.before._node, by.before._slot, by.before._stop
        if not self.recorded:
            self.before = by.before
        self._move(by.tensor)

    def put(self, value: Any) -> None:
        self.tracer.logs[-1].write(self.tensor)
        self.cell.payload = self.tracer.elements_of(value)
        if self.is_placed and not self.recorded:
            self.tracer.reached.add(self.cell.payload)
        self.cell.version += 1
        if type(self.cell.shared) is Sharing:
            self.cell.shared.leave_stale()
        if self.recorded:
            self.tensor._node, self.tensor._slot, self.tensor.stop_gradient = (
                value._node,
                value._slot,
                value.stop_gradient,
            )
            renew(self.tensor)


class ConditionalGrad(Poison):
    """A `.grad` that is there on some paths only. To add to it needs no decision; to look at it makes paths diverge."""

    def __init__(self, tracer: Tracer, tensor: Tensor, maybe: Maybe, decision: Decision | None) -> None:
        super().__init__(maybe.name, f"{maybe.name} is there on some paths only", caller_loc(), decision)
        self.tracer = tracer
        self.tensor = tensor
        self.maybe = maybe

    def __add__(self, grad: Tensor) -> Any:
        known = self.maybe.value
        added: Any = known + grad if isinstance(known, Tensor) else grad.snapshot()
        if not isinstance(known, Tensor) and not is_recording():
            added._node, added.stop_gradient = None, True
        flag = self.tracer.partial.flag(grad)
        if flag is None:
            return added
        return _conditional(self.tracer, self.tensor, Maybe(self.name, added, OPS["logical_or"](self.maybe.flag, flag)))

    @property
    def __conditional__(self) -> tuple[Any, Callable[[Callable[[], None]], None]]:
        """For an optimiser: the gradient, zeros where there is none, and what runs code only where there is one."""
        value = self.maybe.value if isinstance(self.maybe.value, Tensor) else filled_like(self.tensor, 0)
        flag = self.tracer.flag(self.maybe.flag)
        return value, lambda update: self.tracer.run_where(flag, update)

    def __cleared__(self) -> ConditionalGrad:
        """A zero where there was one."""
        return ConditionalGrad(self.tracer, self.tensor, Maybe(self.name, 0.0, self.maybe.flag), self.decision)


def _conditional(tracer: Tracer, tensor: Tensor, maybe: Maybe) -> Any:
    """What `.grad` is: decided where the code around is traced once per path, else conditional."""
    decision = decide_on(tracer, tracer.flag(maybe.flag))
    if decision.side is None:
        return ConditionalGrad(tracer, tensor, maybe, decision)
    return None if decision.side else maybe.value


def first_grad(tracer: Tracer, tensor: Tensor, grad: Tensor, alias: Tensor) -> Any:
    """The `.grad` of a tensor that had none, or what `grad()` gives for it: conditional, if only some runs have it."""
    flag = tracer.partial.flag(grad)
    if flag is None:
        return alias
    tracer.grads_met[id(tensor)] = tensor
    return _conditional(tracer, tensor, Maybe(f"the gradient of {tensor.name}", alias, flag))


def decided_gradient(tracer: Tracer, tensor: Tensor, grad: Tensor) -> Any:
    """A gradient, or None on the path that hasn't it: what follows is traced once per path."""
    flag = tracer.partial.flag(grad)
    if flag is None:
        return grad
    decision = decide_on(tracer, tracer.flag(flag))
    if decision.side is None:
        decision.split(f"the gradient of {tensor.name} is there on some paths only", caller_loc())
    tracer.partial.resolve(grad)
    return None if decision.side else grad


class Grad(Extra):
    """A tensor's `.grad`: a tensor, 0.0 for zeros that nobody has read, or undefined; `Maybe` where paths differ."""

    def __init__(self, tracer: Tracer, log: Log, tensor: Tensor) -> None:
        self.tracer = tracer
        self.tensor = tensor
        self.name = f"the gradient of {tensor.name}"
        _, grad, is_zero = log.grads[id(tensor)]
        self.before = self._shown(grad, is_zero)
        tracer.grads_met[id(tensor)] = tensor

    def _shown(self, grad: Any, is_zero: bool) -> Any:
        if isinstance(grad, ConditionalGrad):
            return grad.maybe
        if is_zero:
            return 0.0
        return Undefined(self.name) if grad is None else grad

    def take(self) -> Any:
        return self._shown(self.tensor._grad, self.tensor._grad_is_zero)

    def put(self, value: Any) -> None:
        if isinstance(value, Maybe):
            value = self._decided(value)
        self.tracer.logs[-1].write_grad(self.tensor)
        is_zero = isinstance(value, float)
        cells.counters.touched += 1
        self.tensor._grad_is_zero = is_zero
        self.tensor._grad = None if is_zero or type(value) is Undefined else value

    def _decided(self, value: Maybe) -> Any:
        if not isinstance(value.flag, Tensor):
            return value.value if value.flag else Undefined(self.name)
        found = _conditional(self.tracer, self.tensor, value)
        return Undefined(self.name) if found is None else found


class Freed(Extra):
    """Whether a backward pass has freed steps of the tape that are there from before."""

    def __init__(self, tracer: Tracer, log: Log, group: Group) -> None:
        self.tracer = tracer
        self.group = group
        self.name = tracer.freed.name(group)
        self.before = log.freed[group][1]

    def take(self) -> Any:
        return self.tracer.freed.flags[self.group]

    def put(self, value: Any) -> None:
        self.tracer.logs[-1].free(self.tracer.freed, self.group)
        self.tracer.freed.flags[self.group] = value


class Item(Extra):
    """An item or attribute of a Python object."""

    def __init__(self, owner: Any, key: Any, before: Any) -> None:
        refuse_slot(owner, key)
        self.owner = owner
        self.key = key
        self.name = describe(owner, key)
        self.marks = isinstance(before, Undefined)  # a variable that converted code marks as unbound
        self.before = Undefined(self.name) if before is MISSING else before
        if key is WHOLE and isinstance(owner, set):
            self.before = frozenset(before)
        elif key is WHOLE and isinstance(owner, dict):
            self.before = mapping_like(owner, before.items())
        elif key is WHOLE and getattr(owner, "maxlen", None) is not None:
            self.before = tuple(before)

    def take(self) -> Any:
        decided = decision_in(self.owner)
        if decided is not None:
            return decided.value
        if self.key is CLASS:
            return type(self.owner)
        if isinstance(self.owner, set):
            return frozenset(self.owner)
        if self.key is WHOLE and isinstance(self.owner, dict):
            return mapping_like(self.owner, self.owner.items())
        if self.key is WHOLE:  # a deque that forgets can't become a list of run-time length
            return list(self.owner) if getattr(self.owner, "maxlen", None) is None else tuple(self.owner)
        if isinstance(self.owner, (list, deque)):
            return self.owner[self.key]
        return contents(self.owner).get(self.key, Undefined(self.name))

    def put(self, value: Any) -> None:
        if self.key is WHOLE and isinstance(value, dict):
            value = {k: v for k, v in value.items() if v is not MISSING and type(v) is not Undefined}
        put(self.owner, self.key, MISSING if type(value) is Undefined and not self.marks else value)
