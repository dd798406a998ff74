"""From a list of samples to one batch: fields are stacked, the structure of a sample stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import DataError
from ..base.pytree import map_leaves

Stack = Callable[[list[Any]], Any]


def default_collate(samples: Sequence[Any]) -> Any:
    """Stack samples into Tensors: arrays, Tensors and numbers of shape [...] become [n, ...].

    A tuple or list of fields becomes a list, a dict stays a dict, strings stay a list of strings.
    Dtypes: arrays keep theirs; Python floats become the default dtype, ints int64.
    Errors: DataError if the samples differ in structure or shape, or hold something that can't be stacked.
    """
    return _collate(list(samples), _stack_tensors, "sample")


def numpy_collate(samples: Sequence[Any]) -> Any:
    """The same with NumPy arrays in place of Tensors.

    >>> numpy_collate([(np.zeros(2), 1), (np.ones(2), 0)])
    [array([[0., 0.],
           [1., 1.]]), array([1, 0])]
    """
    return _collate(list(samples), _stack_arrays, "sample")


def collate_by(samples: Sequence[Any], stack: Stack) -> Any:
    """The same with `stack` for the entries of each field: a function of a list.

    >>> collate_by([{"a": 1}, {"a": 2}], sum)
    {'a': 3}
    """
    return _collate(list(samples), stack, "sample")


def as_tensors(batch: Any) -> Any:
    """What a data set or a collate_fn gave by itself: arrays in it become Tensors, tuples lists (unless they have
    names), all else stays.
    """
    from ..dygraph.tensor import Tensor  # reading files and arrays works without eager mode loaded

    if type(batch) in (list, tuple):
        return [as_tensors(part) for part in batch]
    if type(batch) is dict:
        return {key: as_tensors(part) for key, part in batch.items()}
    return map_leaves(lambda x: Tensor(x) if _is_array(x) else x, batch, _is_array)


def _is_array(x: object) -> bool:
    return isinstance(x, np.ndarray)


def _collate(samples: list[Any], stack: Stack, where: str) -> Any:
    first = samples[0]
    if isinstance(first, (str, bytes)):
        return samples
    if isinstance(first, Mapping):
        _same([frozenset(s) if isinstance(s, Mapping) else type(s) for s in samples], where, "keys")
        return {key: _collate([s[key] for s in samples], stack, f"{where}[{key!r}]") for key in first}
    if isinstance(first, (tuple, list)):
        _same([len(s) if isinstance(s, (tuple, list)) else type(s) for s in samples], where, "lengths")
        return [_collate(list(field), stack, f"{where}[{k}]") for k, field in enumerate(zip(*samples, strict=True))]
    if not hasattr(first, "__array__") and not isinstance(first, (bool, int, float, complex)):
        raise DataError(
            f"{where} is a {type(first).__name__}, which can't be stacked into a batch",
            remedy="return arrays, Tensors or numbers from the data set, or pass a collate_fn",
        )
    _same([tuple(getattr(s, "shape", ())) for s in samples], where, "shapes")
    return stack(samples)


def _same(facts: list[Any], where: str, what: str) -> None:
    for number, fact in enumerate(facts):
        if fact != facts[0]:
            raise DataError(
                f"the samples of a batch differ: {where} has {what} {facts[0]} in the first, {fact} in number {number}",
                remedy="make them alike, or pass a collate_fn that pads",
            )


def _stack_arrays(samples: list[Any]) -> Any:
    return np.stack([np.asarray(sample) for sample in samples])


def _stack_tensors(samples: list[Any]) -> Any:
    from ..dygraph.tensor import Tensor  # reading files and arrays works without eager mode loaded

    return Tensor(_stack_arrays(samples) if hasattr(samples[0], "__array__") else samples)
