"""Settings that code of this package reads while it is captured: of optimisers, their clips, distributions, parameters.

Their attributes stand under names that the user's code doesn't mention, so all of them are guarded.
"""

from __future__ import annotations

import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ....base.location import Loc
from ....dygraph import storage as cells
from ....dygraph.nn.layer import Layer
from ....dygraph.number import Number
from ....dygraph.optimizer.clip import ClipGradBase
from ....dygraph.optimizer.lr import LRScheduler
from ....dygraph.optimizer.optimizer import Optimizer
from ....dygraph.tensor import Parameter, Tensor
from ..reachable import is_bound, is_plain_class, names_in, raw_attributes
from ..traced import Assumption
from ..tracer import Tracer
from .hidden_attributes import is_opaque_class
from .layer_assumptions import LAYERS_OWN, is_of_library
from .questions import Question

LISTS_OF_SYS = ("argv", "path", "orig_argv")
_TRANSPARENT = frozenset({"collections", "configparser", "weakref", "_weakrefset", "argparse", "types", "string"})
_COUNTING = ("vitrify.training.model", "vitrify.training.callback", "vitrify.training.progress")
_SETTINGS = frozenset({"optimize_attr", "regularizer", "need_clip"})  # of parameters, which optimisers read
_TENSORS_OWN = frozenset({"is_literal", "origin", "base"})


def is_read_elsewhere(owner: Any) -> bool:
    """Whether code that isn't captured reads an object's attributes: the methods of its class.

    Of schedulers it is told which are read (traced_rates.py). Models and callbacks count what each step does.
    """
    kind: Any = type(owner)
    return _holds_settings(kind) and not isinstance(owner, LRScheduler)


@functools.lru_cache(maxsize=4096)
def _holds_settings(kind: Any) -> bool:
    if kind.__module__ in _TRANSPARENT:
        return True
    return is_of_library(kind) and not any(base.__module__.startswith(_COUNTING) for base in kind.__mro__)


def names_read_by_bases(owner: Any) -> frozenset[str]:
    """The attributes of an object that methods read which its class has from the standard library (`UserList`)."""
    kind: Any = type(owner)
    return _names_in_bases(kind)


@functools.lru_cache(maxsize=4096)
def _names_in_bases(kind: Any) -> frozenset[str]:
    found: set[str] = set()
    for base in kind.__mro__:
        if base.__module__ in _TRANSPARENT:
            for fn in vars(base).values():
                found.update(names_in(fn.__code__) if isinstance(fn, types.FunctionType) else ())
    return frozenset(found)


def parts_read_elsewhere(layer: Layer, copy: dict[str, Any]) -> list[Any]:
    """What objects of its own a layer of this package holds; lists are looked at as a whole (layer_assumptions.py)."""
    if not is_of_library(type(layer)):
        return []
    return [v for n, v in copy.items() if n not in LAYERS_OWN and not isinstance(v, (list, tuple))]


def updates_parameters(objects: Iterable[Any]) -> bool:
    """Whether the settings of parameters count: there are optimisers, or clips of gradients."""
    return any(isinstance(x, (Optimizer, ClipGradBase)) for x in objects)


def is_found_outside(tracer: Tracer, x: Tensor) -> bool:
    """Whether a tensor is none that the function made."""
    is_outside = isinstance(cells.held(x), np.ndarray) or id(x._storage) in tracer.lifted
    return type(x) is not Number and is_outside


def tensor_assumptions(tracer: Tracer, x: Tensor, names: set[str], updates: bool) -> Iterator[Assumption]:
    """A tensor's attributes beside its numbers: those that the code names, and a parameter's settings."""
    if not is_found_outside(tracer, x):
        return
    own = vars(x)
    for name in sorted(own.keys() & (names | _SETTINGS if updates else names)):
        if name not in _TENSORS_OWN:
            counted = name in _SETTINGS and isinstance(x, Parameter)
            yield Assumption("attribute", x, name, own[name], layered=counted)


def tables_of(objects: Iterable[tuple[Any, Any]]) -> dict[int, bool]:
    """Identities of the dicts and lists of layers and this package's objects; whether numbers in them are guarded."""
    found: dict[int, bool] = {}
    for owner, copy in objects:
        if not isinstance(copy, dict) or isinstance(owner, dict):
            continue
        is_layer = isinstance(owner, Layer)
        stack = [v for k, v in copy.items() if _is_private(owner, k)]
        while stack:
            value = stack.pop()
            if isinstance(value, (dict, list)) and id(value) not in found:
                found[id(value)] = not is_layer
                stack.extend(value.values() if isinstance(value, dict) else value)
    return found


def _is_private(owner: Any, name: str) -> bool:
    if isinstance(owner, Layer):
        return name in LAYERS_OWN
    return name.startswith("_") and (isinstance(owner, Optimizer) or type(owner).__module__.startswith("vitrify."))


def list_of_sys(name: str) -> tuple[Any, ...]:
    """What a list of `sys` holds."""
    return tuple(getattr(sys, name))


def items_of(array: Any) -> tuple[Any, ...]:
    """The elements of an array of objects."""
    return tuple(array.ravel().tolist())


def held_by(fn: functools.partial[Any]) -> tuple[Any, ...]:
    """What a partial holds: its keywords as the dict that they are, which `__setstate__` replaces."""
    return (fn.func, *fn.args, fn.keywords)


def parts_of_function(fn: Any, names: set[str]) -> Iterator[Assumption]:
    """What code that takes a function apart sees: its defaults, what its closure variables hold."""
    if "__defaults__" in names or "__code__" in names:
        yield Assumption("code", fn, fn.__qualname__, (fn.__code__, fn.__defaults__, fn.__kwdefaults__))
    if "cell_contents" in names:
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
            if is_bound(cell):
                yield Assumption("cell", cell, name, cell.cell_contents)


def shows_names(owner: Any) -> bool:
    """Whether code can ask an object for the names of its attributes as it asks the user's own."""
    kind = type(owner)
    return is_plain_class(kind) or is_opaque_class(kind) or isinstance(owner, types.SimpleNamespace)


def read_behind(tracer: Tracer, reference: weakref.ref[Any], follows: Callable[[str], bool]) -> list[Any]:
    """What a weak reference is to, if code may read an attribute of it: guards of others would keep it alive."""
    value = reference()
    kept = tracer.objects.kept.get(id(value))
    if kept is None or not is_plain_class(type(value)):
        return [value]
    held = kept.copy if isinstance(kept.copy, dict) else ()
    if any(map(follows, (*held, *raw_attributes(type(value))))):
        return [value]
    del tracer.objects.kept[id(value)]  # so would its copy
    return []


# ---- single values that a trace looked at


def read(x: Any, value: Any) -> Assumption:
    """That a number, an answer or the elements of a tensor are what they were."""
    if isinstance(x, Question):
        return Assumption("call", x, x.name, value)
    if type(x) is Number and x.origin is not None:
        return Assumption(x.origin.kind, x.origin.owner, x.origin.name, value)
    return Assumption("call", _elements(x), f"the elements of {x.name}", value)


def grad_assumptions(tracer: Tracer) -> Iterator[Assumption]:
    """Whether there were gradients: an optimiser passes over parameters without one."""
    log = tracer.logs[0]
    for entry in tracer.lifted.values():
        x = entry.tensor
        if x.stop_gradient or not (log.grads or x._grad is not None) or x in tracer.renewed:
            continue
        _, grad, is_zero = log.grads.get(id(x), (x, x._grad, x._grad_is_zero))
        if id(x) in tracer.grads_met:
            yield Assumption("grad", x, f"{x.name}.grad", grad is None and not is_zero)
        yield Assumption("added", x, f"{x.name}.grad", grad is None)


def never_again(what: str, loc: Loc) -> Assumption:
    """A function that makes a parameter is captured in each call: it has the first values of that call."""
    return Assumption("call", lambda: "of another call", f"{what} ({loc.short()})", "of one call")


def _elements(x: Tensor) -> Any:
    return lambda: x._storage.payload.tolist()
