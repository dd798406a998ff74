"""What code asks of tensors from outside besides their elements: sizes, `stop_gradient`, whether there is a `.grad`.

The answers are those of one call: the program is used again where they are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

import numpy as np

from ....base.location import is_library_file
from ....dygraph.storage import is_view
from ....dygraph.tensor import Parameter, Tensor
from ..reachable import is_plain_class, names_in
from ..state.rollback import MISSING
from ..traced import Assumption

_OF_TENSORS = frozenset({
    "_storage", "_dtype", "_node", "_slot", "_stop", "_name", "_grad", "_grad_is_zero", "_hooks", "is_literal",
    "origin", "base", "dynamic_dims",
})  # fmt: skip
_BUILTINS = "jit/converters/stdlib/builtin.py"  # it reads attributes for code that calls `getattr`
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
        self.grads: dict[int, tuple[Tensor, bool, bool]] = {}  # whether `.grad` is None; whether nothing is added to

    def __contains__(self, x: Tensor) -> bool:
        return id(x._storage) in self.sizes or id(x) in self.stops or id(x) in self.grads

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
        shape: Any = None  # not asked for
        if id(x._storage) in self.sizes:
            shape = self.shapes.get(id(x._storage)) if is_view(x._storage) else _shape_outside(x)

        def read(now: Any) -> Any:
            if not isinstance(now, Tensor):
                return type(now)
            absent = grad and now._grad is None and not now._grad_is_zero
            sizes = None if shape is None else now._storage.payload.shape
            return *kind_of_tensor(now), sizes, stop and now._stop, absent

        before = *kind_of_tensor(x), shape, stop and self.stops[id(x)][1]
        return read, (*before, grad and self.grads[id(x)][1])


def _shape_outside(x: Tensor) -> tuple[int, ...] | None:
    payload = x._storage.payload
    return payload.shape if isinstance(payload, np.ndarray) else None


def kind_of_tensor(now: Any) -> Any:
    """The class and dtype of a tensor; the class of what is none."""
    return (type(now), now._dtype) if isinstance(now, Tensor) else type(now)


def _itself(now: Any) -> Any:
    return now


def is_asked_by_user(depth: int = 3) -> bool:
    """Whether the code that reads an attribute of a tensor, so many frames up, is the user's own."""
    frame = sys._getframe(depth)
    if frame.f_code is _TRAINABLE and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename.endswith(_BUILTINS) or not is_library_file(frame.f_code.co_filename)
