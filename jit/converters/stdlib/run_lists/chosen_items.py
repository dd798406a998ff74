"""Items of which a run chooses one by its place, and which can't be one value of a program: layers, functions, texts,
tensors of several shapes.

What follows is traced once per item, as behind an `if` whose paths leave values of different types. Tensors and numbers
of one kind are rows of one tensor instead (lists.py).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from .....base.errors import AxisError
from .....base.pytree import number_kinds
from .....dygraph.nn.container import LayerList, ParameterList, Sequential
from .....dygraph.tensor import Tensor
from .....ir.core import Value
from ....convert import convert
from ....trace.rolling import refuse_subscript
from ....trace.state.dynamic_lists import is_run_time_sized
from ....trace.state.escapes import is_told_by_call
from ....trace.tracer import Tracer
from ..own_methods import own_method
from .list_stacks import parts_of_list, pending

_MOST_ITEMS = 16  # each is a condition of the program
_HOLDING = (LayerList, Sequential, ParameterList)
_PYTHONS: dict[Any, str] = {
    list: "list index out of range",
    tuple: "tuple index out of range",
    str: "string index out of range",
}


class ItemChoice(NamedTuple):
    """The items of which a run chooses one. error: the exception if there is none at the place, with its text."""

    items: list[Any]
    error: tuple[type[Exception], str]

    def chosen(self, runtime: Any, key: Any) -> Any:
        """The item, on a path of its own."""
        function: Any = _item_at
        return convert(function, runtime).function(self.items, list(range(len(self.items))), key, *self.error)


def choice_of(tracer: Tracer, base: Any, key: Any) -> ItemChoice | None:
    """What `base[key]` chooses from where only a run knows the place; None where Python's own subscript is it, or that
    of the rows of a tensor.
    """
    if not isinstance(key, Tensor) or not (key.dtype.is_integer or key.dtype.is_bool):
        return None
    if not isinstance(key._storage.payload, Value):
        return None
    error = _error_of(base)
    if error is None or is_told_by_call(tracer, key) or tracer.counts_known_iterations(key):
        return None
    items = list(base)
    if not 0 < len(items) <= _MOST_ITEMS or (type(base) in (list, tuple) and _are_rows(items)):
        return None
    refuse_subscript(tracer.rolling)
    return ItemChoice(items, error)


def _error_of(base: Any) -> tuple[type[Exception], str] | None:
    """What a subscript behind the end raises; None for an object whose items aren't chosen so."""
    if type(base) in _PYTHONS:
        return IndexError, _PYTHONS[type(base)]
    if isinstance(base, _HOLDING) and own_method(operator.getitem, base) is None:
        return AxisError, f"an index is outside {type(base).__name__} of length {len(base)}"
    return None


def _are_rows(items: Sequence[Any]) -> bool:
    """Whether items are one value of a program together, or have a length of the run's."""
    if is_run_time_sized(items):
        return True
    found = parts_of_list(items)
    if found is None or found[1] is None:
        return False
    return all(pending(found[0], k, number) is not None for k, number in enumerate(number_kinds(found[1])))


def _item_at(items: Any, numbers: Any, place: Any, error: Any, words: str) -> Any:
    place = int(place)
    at = place + len(items) if place < 0 else place
    for number in numbers:
        if at == number:
            return items[number]
    raise error(words)
