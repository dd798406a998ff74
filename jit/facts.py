"""What a trace read in Python and took for granted: names, closure cells, attributes, items of small containers."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from ..base.location import is_library_file
from ..dygraph.nn.layer import Layer
from ..dygraph.tensor import Tensor
from .capture import ATOMS, MISSING, is_bound
from .reach import names_in
from .traced import Fact
from .tracer import Tracer

_MOST_ITEMS = 64
_TABLES = ("_parameters", "_buffers", "_sub_layers")
_HOOKS = ("_forward_pre_hooks", "_forward_post_hooks")


def facts_of(tracer: Tracer) -> list[Fact]:
    """The facts of a finished trace, with the values from before it."""
    names: set[str] = {"training"}
    found: list[Fact] = []
    for converted in tracer.functions.values():
        original = converted.original
        names.update(names_in(original.__code__))
        if not is_library_file(original.__code__.co_filename):
            found += _function_facts(tracer, original)
    for kept in tracer.objects.kept.values():
        if kept.only is None and not isinstance(kept.owner, types.CellType):
            found += _object_facts(kept.owner, kept.copy, names)
    found += [Fact("call", _elements(x), f"the elements of {x.name}", value) for x, value in tracer.reads]
    return [*found, *_grad_facts(tracer)]


def _function_facts(tracer: Tracer, fn: types.FunctionType) -> Iterator[Fact]:
    before = tracer.objects.before
    for name in dict.fromkeys(names_in(fn.__code__)):
        value = before(fn.__globals__, name, fn.__globals__.get(name, MISSING))
        if value is not MISSING and not isinstance(value, types.ModuleType):
            yield Fact("item", fn.__globals__, name, value)
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        if is_bound(cell):
            yield Fact("cell", cell, name, before(cell, "cell_contents", cell.cell_contents))


def _object_facts(owner: Any, copy: Any, names: set[str]) -> Iterator[Fact]:
    if isinstance(owner, Layer):
        yield from _layer_facts(owner, copy, names)
    elif isinstance(owner, dict):
        if len(copy) <= _MOST_ITEMS:
            yield from (
                Fact("item", owner, k, v) for k, v in copy.items() if isinstance(v, ATOMS) and isinstance(k, ATOMS)
            )
    elif isinstance(owner, list):
        if len(copy) <= _MOST_ITEMS:
            yield from (Fact("item", owner, k, v) for k, v in enumerate(copy) if isinstance(v, ATOMS))
            yield Fact("call", owner.__len__, "the length of a list", len(copy))
    elif isinstance(copy, dict):
        yield from (Fact("attribute", owner, n, v) for n, v in copy.items() if n in names)


def _layer_facts(layer: Layer, copy: dict[str, Any], names: set[str]) -> Iterator[Fact]:
    own = type(layer).__module__.startswith("vitrify.")
    for name, value in copy.items():
        if (name in names or own) and (
            isinstance(value, (*ATOMS, types.FunctionType, tuple)) and not name.startswith("_")
        ):
            yield Fact("attribute", layer, name, value, layered=True)
    for table in _TABLES:
        entries = copy.get(table) or {}
        yield from (Fact("item", entries, n, v, layered=True) for n, v in dict(entries).items() if _is_object(v))
    for table in _HOOKS:
        hooks = copy.get(table)
        if hooks is not None:
            yield Fact(
                "call", _values(hooks), f"the hooks of {type(layer).__name__}", tuple(hooks.values()), layered=True
            )


def _is_object(value: Any) -> bool:
    return value is None or isinstance(value, (Tensor, Layer))


def _values(table: dict[Any, Any]) -> Any:
    return lambda: tuple(table.values())


def _grad_facts(tracer: Tracer) -> Iterator[Fact]:
    """Whether there were gradients: an optimiser passes over parameters without one."""
    log = tracer.logs[0]
    for entry in tracer.lifted.values():
        x = entry.tensor
        if x.stop_gradient or not (log.grads or x._grad is not None):
            continue
        grad = log.grads[id(x)][1] if id(x) in log.grads else x._grad
        yield Fact("call", _is_none(x), f"whether {x.name}.grad is None", grad is None)


def _is_none(x: Tensor) -> Any:
    return lambda: x._grad is None


def _elements(x: Tensor) -> Any:
    return lambda: x._storage.payload.tolist()
