"""What a trace read in Python and took for granted: names, closure cells, attributes, items of small containers."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

from ..base.location import is_library_file
from ..base.pytree import flatten
from ..dygraph.nn.layer import Layer
from ..dygraph.number import Number, fits
from ..dygraph.optimizer.optimizer import Optimizer
from ..dygraph.tensor import Tensor
from .capture import ATOMS, MISSING
from .guards import look, place_of
from .reach import is_bound, names_in
from .traced import Fact
from .tracer import Tracer

_MOST_ITEMS = 64
_LAYERS_OWN = frozenset(vars(Layer("facts")))  # a scope of its own: users count their layers
_TABLES = ("_parameters", "_buffers", "_sub_layers")
_HOOKS = ("_forward_pre_hooks", "_forward_post_hooks")


def facts_of(tracer: Tracer) -> list[Fact]:
    """The facts of a finished trace, with the values from before it."""
    names: set[str] = {"training"}
    tracer.tables = tables_of((k.owner, k.copy) for k in tracer.objects.kept.values())
    tracer.written = {(id(owner), key) for owner, key, *_ in tracer.objects.changes()}
    found: list[Fact] = []
    for converted in tracer.functions.values():
        original = converted.original
        names.update(names_in(original.__code__))
        if not is_library_file(original.__code__.co_filename):
            found += _function_facts(tracer, original)
    for kept in tracer.objects.kept.values():
        if kept.only is None and not isinstance(kept.owner, types.CellType):
            found += _object_facts(tracer, kept.owner, kept.copy, names)
    found = [_loosened(tracer, fact) for fact in found if id(fact.owner) not in tracer.arguments]
    found += [_read(x, value) for x, value in tracer.reads]
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


def _loosened(tracer: Tracer, fact: Fact) -> Fact:
    """Where the function puts a new tensor without reading the old one's elements, only that it is one is guarded."""
    if type(fact.value) is Number:
        return Fact("call", _kind_at(fact), f"the type of {fact.name}", fact.value.kind)
    if not isinstance(fact.value, Tensor) or id(fact.value._storage) in tracer.lifted:
        return fact
    if place_of(fact) not in tracer.written:
        return fact
    return Fact("call", _type_at(fact), f"the type of {fact.name}", type(fact.value))


def _type_at(fact: Fact) -> Any:
    return lambda: type(look(fact))


def _kind_at(fact: Fact) -> Any:
    def kind() -> Any:
        now = look(fact)
        return type(now) if fits(now) else now

    return kind


def _read(x: Tensor, value: Any) -> Fact:
    if type(x) is Number:
        return Fact(x.origin.kind, x.origin.owner, x.origin.name, value)
    return Fact("call", _elements(x), f"the elements of {x.name}", value)


def _object_facts(tracer: Tracer, owner: Any, copy: Any, names: set[str]) -> Iterator[Fact]:
    if isinstance(owner, Layer):
        yield from _layer_facts(owner, copy, names)
    elif isinstance(owner, dict):
        if len(copy) <= _MOST_ITEMS:
            yield from (Fact("item", owner, k, v) for k, v in copy.items() if _is_guarded(tracer, owner, v))
    elif isinstance(owner, list):
        if len(copy) <= _MOST_ITEMS:
            yield from (Fact("item", owner, k, v) for k, v in enumerate(copy) if _is_guarded(tracer, owner, v))
            yield Fact("call", owner.__len__, "the length of a list", len(copy))
    elif isinstance(copy, dict):
        yield from (Fact("attribute", owner, n, v) for n, v in copy.items() if n in names)


def _layer_facts(layer: Layer, copy: dict[str, Any], names: set[str]) -> Iterator[Fact]:
    own = type(layer).__module__.startswith("vitrify.")
    for name, value in copy.items():
        if (name in names or own) and (
            isinstance(value, (*ATOMS, types.FunctionType, tuple, Number)) and not name.startswith("_")
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


def _is_guarded(tracer: Tracer, owner: Any, value: Any) -> bool:
    """Plain values, and what the program reads or captured; tables of layers and optimisers have their own ways."""
    numbers_count = tracer.tables.get(id(owner))
    if isinstance(value, ATOMS):
        return numbers_count is not False
    if numbers_count is not None:
        return False
    if type(value) is Number:
        return True
    if isinstance(value, Tensor):
        return id(value._storage) in tracer.lifted
    leaves = flatten(value, lambda v: isinstance(v, Tensor))[0]
    return not leaves or any(id(x._storage) in tracer.lifted for x in leaves)


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
        return name in _LAYERS_OWN
    return name.startswith("_") and (isinstance(owner, Optimizer) or type(owner).__module__.startswith("vitrify."))


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
