"""`paddle.compat`: functions that give what PyTorch's of the same name give, in its names of arguments."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..base.drawing import drawing
from ..base.dtype import promote
from ..base.errors import ArgumentError, KindError
from ..dygraph import random_generators
from ..dygraph.tensor import Tensor
from ..ops.argument_names import KEYWORDS
from ..ops.infer import axis_index
from ..ops.mistakes import publish
from ..ops.op import FUNCTIONS, OPS

__all__ = ["equal", "max", "median", "min", "nanmedian", "seed", "slogdet", "sort", "split", "unique"]


class MedianRetType(NamedTuple):
    """Medians along an axis, and where they are."""

    values: Any
    indices: Any


class MinMaxRetType(NamedTuple):
    """Extremes along an axis, and where the first of each is."""

    values: Any
    indices: Any


class SortRetType(NamedTuple):
    """Elements in order along an axis, and where they were."""

    values: Any
    indices: Any


class SlogdetResult(NamedTuple):
    """Determinants: signs, and logarithms of absolute values."""

    sign: Any
    logabsdet: Any


def _into(out: Any, made: Any) -> Any:
    """A result, written into what the caller gave for it."""
    return KEYWORDS["out"](lambda args, kwargs: made, (), {}, out)


def equal(input: Any, other: Any) -> bool:
    """Whether two tensors have the same sizes and equal elements, of whatever dtypes.

    >>> equal(Tensor([1, 2]), Tensor([1.0, 2.0])), equal(Tensor([1, 2]), Tensor([1]))
    (True, False)
    """
    kind = promote(input.dtype, other.dtype)
    same = FUNCTIONS["equal_all"](OPS["cast"](input, kind), OPS["cast"](other, kind))
    return bool(same)


def median(input: Any, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:
    """The lower median of all elements; along `dim` the medians and their places.

    >>> median(Tensor([[1.0, 2.0], [4.0, 3.0]]), 1).indices.tolist()
    [0, 1]
    """
    return _into(out, _median("median", input, dim, keepdim))


def nanmedian(input: Any, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:
    """As `median`, of the elements that aren't NaN."""
    return _into(out, _median("nanmedian", input, dim, keepdim))


def _median(name: str, input: Any, dim: int | None, keepdim: bool) -> Any:
    made = FUNCTIONS[name](input, dim, keepdim, "min")
    return made if dim is None else MedianRetType(*made)


def max(input: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    """`max(x)`: the largest of all elements; `max(x, other)`: the larger of two, element by element; `max(x, dim,
    keepdim=False)`: the largest along an axis, and their places.

    >>> max(Tensor([[1, 5], [7, 3]]), 1).indices.tolist(), max(Tensor([1, 5]), Tensor([4, 2])).tolist()
    ([1, 0], [4, 5])
    """
    return _into(out, _extreme("max", "maximum", "argmax", input, args, kwargs))


def min(input: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    """As `max`, of the least."""
    return _into(out, _extreme("min", "minimum", "argmin", input, args, kwargs))


def _extreme(whole: str, both: str, place: str, input: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    known, forms = FUNCTIONS | OPS, f"{whole}(x), {whole}(x, other) or {whole}(x, dim, keepdim=False)"
    if not args and not kwargs:
        return known[whole](input)
    given = dict(zip(("dim", "keepdim"), args, strict=False)) | kwargs
    second = given.pop("dim", None) if "other" not in given else given.pop("other")
    if isinstance(second, Tensor) and not given:
        return known[both](input, second)
    if type(second) is not int or len(args) > 2 or given.keys() - {"keepdim"} or "other" in kwargs:
        raise KindError(f"compat.{whole} doesn't take these arguments", remedy=f"write {forms}")
    if not input.ndim:
        return MinMaxRetType(input, OPS["full"]((), 0, "int64"))
    axis = axis_index(second, input.ndim)
    found = known[place](input, axis, True)
    values = OPS["take_along_axis"](input, found, axis)
    parts = (values, found) if given.get("keepdim") else [FUNCTIONS["squeeze"](p, axis) for p in (values, found)]
    return MinMaxRetType(*parts)


def seed() -> int:
    """Start the random numbers anew from a seed that nobody can foretell; gives the seed."""
    chosen: int = drawing(secrets).randbits(53)
    random_generators.seed(chosen)
    return chosen


def slogdet(x: Any, out: Any = None) -> Any:
    """Signs of determinants and logarithms of their absolute values.

    >>> slogdet(Tensor([[2.0, 0.0], [0.0, -1.0]])).sign.tolist()
    -1.0
    """
    both = FUNCTIONS["slogdet"](x)
    return _into(out, SlogdetResult(both[0], both[1]))


def sort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False, out: Any = None) -> Any:
    """Elements in order along an axis, and the places where they were.

    >>> sort(Tensor([3, 1, 2])).indices.tolist()
    [1, 2, 0]
    """
    places = FUNCTIONS["argsort"](input, dim, descending, stable)
    values = OPS["take_along_axis"](input, places, dim) if input.ndim else input
    return _into(out, SortRetType(values, places))


def split(tensor: Any, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Any, ...]:
    """Parts along an axis: of one size, the last perhaps smaller; or of the sizes that are listed.

    Errors: ArgumentError for a size below 0, or of 0 for all parts.

    >>> [part.tolist() for part in split(Tensor([1, 2, 3]), 2)]
    [[1, 2], [3]]
    """
    sizes = split_size_or_sections
    if isinstance(sizes, int):
        length = tensor.shape[axis_index(dim, tensor.ndim)]
        if sizes <= 0:
            raise ArgumentError(f"split: the size of parts must be above 0, not {sizes}")
        sizes = [sizes] * (length // sizes) + [length % sizes] * (length % sizes > 0 or length == 0)
    if any(isinstance(size, int) and size < 0 for size in sizes):
        raise ArgumentError(f"split: sizes can't be negative: {list(sizes)}")
    return tuple(FUNCTIONS["split"](tensor, list(sizes), dim))


def unique(
    input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements (the slices along `dim`) that differ, in order; with flags also where each went, and how many.

    >>> unique(Tensor([2, 1, 2])).tolist()
    [1, 2]
    """
    return FUNCTIONS["unique"](input, False, return_inverse, return_counts, dim)


publish(__name__)
