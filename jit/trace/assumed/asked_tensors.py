"""What code asks of tensors from outside besides their elements: sizes, `stop_gradient`, whether there is a `.grad`.

The answers are those of one call: the program is used again where they are the same.

Elements that the function reads as Python values (`.item()`, `.numpy()`) are guarded, too, as constants of the program.
But where it puts another tensor in the place of theirs, that of the next call is another one: the program has to read
it, as it reads those that are computed. So the function is traced again (`ReadsReplaced`).
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

import numpy as np

from ....base.errors import CaptureError
from ....base.frame_marks import asks_for_caller
from ....base.location import is_library_file
from ....base.pytree import flatten
from ....dygraph.number import Number
from ....dygraph.open_layouts import IN_ORDER, OutsideLayout
from ....dygraph.storage import Storage, held, is_view, root_of
from ....dygraph.tensor import Parameter, Tensor
from ....dygraph.views import SHAPE, form_in_memory, layout_of
from ....ops.dims import Dim, evaluate
from ..reachable import is_plain_class, names_in
from ..state.rollback import MISSING
from ..traced import LAYOUT, Assumption

_OF_TENSORS = frozenset({
    "_storage", "_dtype", "_node", "_slot", "_stop", "_name", "_grad", "_grad_is_zero", "_hooks", "is_literal",
    "origin", "base", "dynamic_dims",
})  # fmt: skip
_TRAINABLE = Parameter.trainable.fget.__code__  # type: ignore[attr-defined]


class AskedTensors:
    """The tensors from outside that a trace was asked about, with the answers from before it."""

    def __init__(self) -> None:
        self.sizes: dict[int, Tensor] = {}  # by the identity of their cells
        self.shapes: dict[int, tuple[Any, ...]] = {}  # of views among these, as reading one again would cut it anew
        self.stops: dict[int, tuple[Tensor, bool]] = {}  # by their own; `stop_gradient`
        self.names: dict[int, tuple[Tensor, dict[str, Any]]] = {}  # `name`, `is_leaf`
        self.given: dict[int, tuple[Tensor, Tensor, str | None]] = {}  # arguments, as the call gave them, their names
        self.facts: dict[int, dict[str, Any]] = {}  # the same of arguments
        self.layouts = AskedLayouts(self.facts)
        self.grads: dict[int, tuple[Tensor, bool, bool]] = {}  # whether `.grad` is None; whether nothing is added to

    def __contains__(self, x: Tensor) -> bool:
        found = id(x._storage) in self.sizes or id(x) in self.stops or id(x) in self.grads
        return found or id(x._storage) in self.layouts.outside

    def grad(self, x: Tensor, log: Mapping[int, tuple[Any, Any, bool]]) -> None:
        """What code reads of a `.grad` depends on the one before the call, which `log` has if it has changed."""
        _, grad, is_zero = log.get(id(x), (x, x._grad, x._grad_is_zero))
        self.grads.setdefault(id(x), (x, grad is None and not is_zero, grad is None))

    def give(self, x: Tensor, example: Tensor) -> None:
        """An argument of the trace gets the attributes of the call's tensor, and its class if that is a user's."""
        self.given[id(x)] = x, example, x._name
        for name in vars(example).keys() - vars(x).keys() - _OF_TENSORS:
            x.__dict__[name] = vars(example)[name]
        if is_plain_class(type(example)):
            x.__class__ = type(example)

    def of_argument(self, x: Tensor, name: str, value: Any) -> Any:
        """Code reads the name of an argument, whether it is a leaf, or how often it was written."""
        _, example, given = self.given[id(x)]
        before: Any
        now: Any
        if name == "name":
            before = example._name if example._name is not None else example.name
            now = before if x._name == given else value
        elif name == "is_leaf":
            before = example._node is None
            now = before and value
        else:
            before = example._storage.version
            now = before + value
        self.facts.setdefault(id(x), {}).setdefault(name, before)
        return now

    def attribute(self, x: Tensor, name: str) -> None:
        """Code asks by name for an attribute that an argument may have of its own."""
        if id(x) in self.given and name not in _OF_TENSORS:
            own = vars(self.given[id(x)][1])
            if name in own or not hasattr(x, name):
                self.facts.setdefault(id(x), {}).setdefault(name, own.get(name, MISSING))

    def facts_of(self, x: Tensor, codes: Iterable[CodeType]) -> tuple[tuple[str, Any], ...]:
        """What the user's code has asked of an argument, and the attributes of its own that the code names."""
        found = dict(self.facts.get(id(x), {}))
        if id(x) in self.given:
            own = vars(self.given[id(x)][1])
            for code in codes:
                named = () if is_library_file(code.co_filename) else set(names_in(code))
                found |= {n: own[n] for n in (own.keys() & named) - _OF_TENSORS}
                found |= {"persistable": x.persistable} if "persistable" in named else {}
        return tuple(found.items())

    def assumptions(self) -> Iterator[Assumption]:
        """That gradients are there or not as they were, and names are."""
        for x, facts in self.names.values():
            yield from (Assumption("attribute", x, name, value) for name, value in facts.items())
        for x, absent, first in self.grads.values():
            yield Assumption("grad", x, f"{x.name}.grad", absent)
            yield Assumption("added", x, f"{x.name}.grad", first)

    def fact(self, x: Tensor, itself: Any) -> tuple[Callable[[Any], Any], Any]:
        """Of a tensor in whose place another one may stand: what is to be so of that one, and what is of `x` itself.

        itself: the tensor, where it has to be the very one.
        """
        if itself is x:
            return _itself, x
        if x not in self:
            return kind_of_tensor, (type(x), x._dtype)
        stop, grad = id(x) in self.stops, id(x) in self.grads
        lies = self.layouts.form(x)
        shape: Any = None  # not asked for
        if id(x._storage) in self.sizes:
            shape = self.shapes.get(id(x._storage)) if is_view(x._storage) else _shape_outside(x)

        def read(now: Any) -> Any:
            if not isinstance(now, Tensor):
                return type(now)
            absent = grad and now._grad is None and not now._grad_is_zero
            sizes = None if shape is None else now._storage.payload.shape
            form = None if lies is None else form_in_memory(now)
            return *kind_of_tensor(now), form, sizes, stop and now._stop, absent

        before = *kind_of_tensor(x), lies, shape, stop and self.stops[id(x)][1]
        return read, (*before, grad and self.grads[id(x)][1])


class AskedLayouts:
    """How the elements of tensors from outside lie in memory, where it makes a difference.

    In eager mode a reshaped tensor is a view, unless its elements have to be moved for that. In a trace the arguments
    have the strides that they have in this call, so it goes as it does there. A program that only reads is one for all
    strides. Those of the call become a guard where what depends on them is written or comes out, and where code asks.
    """

    def __init__(self, facts: dict[int, dict[str, Any]]) -> None:
        self._facts = facts  # takes in those of arguments
        self._arguments: dict[int, tuple[Tensor, Storage, Any]] = {}  # by their cells, with their forms
        self._given: dict[int, OutsideLayout] = {}
        self._used: list[tuple[Tensor, Storage, weakref.ref[Storage]]] = []
        self._shown: list[Storage] = []
        self.outside: dict[int, tuple[Tensor, Any]] = {}  # by their cells: other tensors that are asked for

    def give(self, x: Tensor, example: Tensor, sizes: Mapping[str, int]) -> None:
        """An argument of the trace lies as the call's tensor does. sizes: those of the open ones in the call."""
        form = form_in_memory(example)
        self._arguments[id(x._storage)] = x, x._storage, form
        if form is IN_ORDER or form is None:
            return
        array, _ = layout_of(example)
        order = form if not any(isinstance(part, tuple) for part in form) else None

        def number(size: Dim) -> int | None:
            found = evaluate(size, sizes) if size.symbols() <= sizes.keys() else None
            return found if isinstance(found, int) else None

        self._given[id(x._storage)] = OutsideLayout(array, order, number)

    def of(self, cell: Storage) -> OutsideLayout | None:
        """How the elements of an argument lie, where they aren't in their order."""
        return self._given.get(id(cell))

    def use(self, tracer: Any, x: Tensor, made: Tensor | None) -> None:
        """`made` is a view of `x`, or not, as the elements of `x` lie. None: code asks how they do."""
        found = self._outside(tracer, x)
        if found is None:
            return
        if made is None or len(tracer.blocks) > 1:  # behind a block it is another tensor that stands for it
            self._ask(found)
        else:
            self._used.append((found, root_of(x._storage), weakref.ref(made._storage)))

    def meet(self, cell: Storage, *, comes_out: bool = False) -> None:
        """A tensor is written, or comes out. An argument that comes out in another form alone is made a view in each
        call in which it can be (dygraph/views.py: relate), so that nothing is asked.
        """
        if not self._used:
            return
        root, known = root_of(cell), self._used
        self._used = []
        for use in known:
            found, behind, ref = use
            made = ref()
            if made is not None and (root is behind or root is root_of(made)):
                if comes_out and made is cell and self._is_reshaped(made, behind):
                    self._used.append(use)
                else:
                    self._ask(found)
            elif made is not None:
                self._used.append(use)

    def _is_reshaped(self, cell: Storage, behind: Storage) -> bool:
        """Whether a tensor that comes out is an argument in another form, and the first that shows its memory."""
        if behind in self._shown or id(behind) in self._given or not is_view(cell):
            return False
        self._shown.append(behind)
        return cell.shared.kind is SHAPE and cell.shared.cell is behind

    def form(self, x: Tensor) -> Any:
        """How a tensor lay before the trace, that is no argument and is asked for; else None."""
        return self.outside.get(id(x._storage), (x, None))[1]

    def _outside(self, tracer: Any, x: Tensor) -> Tensor | None:
        """The first tensor from outside among `x` and those behind it."""
        while True:
            cell = id(x._storage)
            if cell in self._arguments or cell in tracer.lifted or isinstance(held(x), np.ndarray):
                return x
            if not is_view(x._storage):
                return None
            x = x._storage.shared.base

    def _ask(self, x: Tensor) -> None:
        if id(x._storage) in self._arguments:
            argument, _, form = self._arguments[id(x._storage)]
            self._facts.setdefault(id(argument), {}).setdefault(LAYOUT, form)
        else:
            self.outside.setdefault(id(x._storage), (x, form_in_memory(x)))


def _shape_outside(x: Tensor) -> tuple[int, ...] | None:
    payload = x._storage.payload
    return payload.shape if isinstance(payload, np.ndarray) else None


def kind_of_tensor(now: Any) -> Any:
    """The class and dtype of a tensor; the class of what is none."""
    return (type(now), now._dtype) if isinstance(now, Tensor) else type(now)


def _itself(now: Any) -> Any:
    return now


def is_asked_by_user(depth: int = 3) -> bool:
    """Whether the code that reads an attribute of a tensor, so many frames up, is the user's own, or a call of it."""
    frame = sys._getframe(depth)
    if frame.f_code is _TRAINABLE and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code in asks_for_caller or not is_library_file(frame.f_code.co_filename)


class ReadsReplaced(CaptureError):
    """A trace has taken elements of such tensors for constants. cells: their identities."""

    def __init__(self, cells: frozenset[int], names: str) -> None:
        super().__init__(f"{names} is read as a Python value and replaced")
        self.cells = cells


def require_none(tracer: Any) -> None:
    """Errors: ReadsReplaced where a trace that has ended has taken elements for constants that aren't."""
    read = {id(x._storage): x.name for x, _ in tracer.reads if isinstance(x, Tensor) and type(x) is not Number}
    if not read:
        return
    found: set[int] = set()
    for _, _, before, after in tracer.objects.changes():
        found |= _cells(before) - _cells(after)  # what a list was given beside them leaves them where they are
    found |= _cells([grad for x, grad, _ in tracer.logs[0].grads.values() if x._grad is not grad])
    found &= read.keys()
    if found:
        raise ReadsReplaced(frozenset(found), ", ".join(read[cell] for cell in found))


def _cells(value: Any) -> set[int]:
    return {id(x._storage) for x in flatten(value, lambda v: isinstance(v, Tensor))[0] if isinstance(x, Tensor)}
