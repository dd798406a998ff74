"""The arguments of a call of a loaded program: taken apart as they were nested when it was saved, and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, DTypeError, ShapeError
from ...base.pytree import flatten, unflatten
from ...ops.infer import show_shape
from ..call.signature import array_of
from ..trace.state.containers import is_leaf
from ..trace.traced import InputLeaf, Trace, TraceInputs
from .json_values import Anything


def given_leaves(method: str, inputs: TraceInputs, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The tensors of a call in the program's order. Where it takes nested ones, they may come one by one, too.

    Constants that the program was saved with may be left out behind the tensors.

    Errors: ArgumentError that names the argument which is missing, unknown or built otherwise.
    """
    places, named = unflatten(inputs.tree, iter(inputs.leaves))
    nested = any(not isinstance(wanted, InputLeaf) for wanted in places)
    if nested and not kwargs and len(args) == len(inputs.leaves) and all(map(is_leaf, args)):
        places, named = list(inputs.leaves), {}
    given, others = list(args), dict(kwargs)
    for wanted in places[len(given) :]:
        if isinstance(wanted, InputLeaf) and wanted.name in others:
            given.append(others.pop(wanted.name))
        elif not _holds_tensors(wanted):
            given.append(wanted)  # a constant of the program, left out
        else:
            break
    unknown = [name for name in others if name not in named]
    missing = [name for name in named if name not in others]
    shown = ", ".join(f"{leaf.name}: {leaf.type}" for leaf in inputs.leaves)
    if unknown:
        raise ArgumentError(
            f"{method} has no argument {unknown[0]!r}; it takes {shown}",
            remedy="an argument that wasn't a tensor when the program was saved is part of the program",
        )
    if len(given) != len(places) or missing:
        count = len(places) + len(named)
        many = f"{count} argument{'' if count == 1 else 's'}"
        raise ArgumentError(
            f"{method} takes {many} ({shown}), not {len(args) + len(kwargs)}",
            remedy="give the arguments nested as they were when it was saved, or these tensors one by one"
            if nested and shown
            else None,
        )
    leaves: list[Any] = []
    for k, (value, wanted) in enumerate(zip(given, places, strict=True)):
        _match(value, wanted, f"argument {k}", leaves)
    for name, wanted in named.items():
        _match(others[name], wanted, name, leaves)
    return leaves


def _holds_tensors(wanted: Any) -> bool:
    return bool(flatten(wanted, lambda x: isinstance(x, InputLeaf))[0])


def _match(value: Any, wanted: Any, name: str, leaves: list[Any]) -> None:
    """Collect the tensors of a part of an argument; ArgumentError where it isn't built as the saved one."""
    if isinstance(wanted, InputLeaf):
        if not is_leaf(value):
            if not isinstance(value, (int, float, bool, list)):
                raise ArgumentError(f"{wanted.name} must be a tensor {wanted.type}, not {type(value).__name__}")
            value = np.asarray(value, wanted.type.dtype.numpy)
        leaves.append(value)
    elif isinstance(wanted, (dict, SimpleNamespace)):
        _match_names(value, wanted, name, leaves)
    elif isinstance(wanted, (list, tuple)):
        if isinstance(value, tuple) is not isinstance(wanted, tuple) or not isinstance(value, (list, tuple)):
            raise _built_otherwise(name, value, f"a {'tuple' if isinstance(wanted, tuple) else 'list'}")
        if len(value) != len(wanted):
            raise ArgumentError(f"{name} had {len(wanted)} items when the program was saved, not {len(value)}")
        for k, (item, part) in enumerate(zip(value, wanted, strict=True)):
            _match(item, part, f"{name}[{k}]", leaves)
    elif not _is_same(value, wanted):
        raise ArgumentError(f"{name} was {wanted!r} when the program was saved, so it can't be {value!r}")


def _match_names(value: Any, wanted: Any, name: str, leaves: list[Any]) -> None:
    """The items of a dict by their keys, or the attributes of an object of any class by their names."""
    is_dict = isinstance(wanted, dict)
    parts = wanted if is_dict else vars(wanted)
    if is_dict and not isinstance(value, Mapping):
        raise _built_otherwise(name, value, "a dict")
    for key, part in parts.items():
        if is_dict:
            found = key in value
        else:
            found = hasattr(value, key)
        if not found:
            what = f"an item {key!r}" if is_dict else f"an attribute {key!r}"
            raise ArgumentError(f"{name} had {what} when the program was saved; what is given has none")
        item, inner = (value[key], f"{name}[{key!r}]") if is_dict else (getattr(value, key), f"{name}.{key}")
        _match(item, part, inner, leaves)
    further = [key for key in value if key not in parts] if is_dict else []
    if further:
        raise ArgumentError(f"{name} had no item {further[0]!r} when the program was saved")


def _is_same(value: Any, wanted: Any) -> bool:
    """Whether a part that isn't a tensor is the one that the program was made for."""
    if isinstance(wanted, Anything):
        return True
    if isinstance(wanted, np.ndarray):
        return isinstance(value, np.ndarray) and np.array_equal(value, wanted, equal_nan=value.dtype.kind in "fc")
    return type(value) is type(wanted) and bool(value == wanted or value != value)


def _built_otherwise(name: str, value: Any, kind: str) -> ArgumentError:
    return ArgumentError(f"{name} was {kind} when the program was saved, so it can't be a {type(value).__name__}")


def check_leaves(given: Sequence[Any], leaves: Sequence[InputLeaf]) -> None:
    """DTypeError or ShapeError for tensors that don't have the types of the program."""
    sizes: dict[str, int] = {}
    for x, leaf in zip(given, leaves, strict=True):
        _check_leaf(x, leaf, sizes)


def _check_leaf(x: Any, leaf: InputLeaf, sizes: dict[str, int]) -> None:
    array = array_of(x)
    if array.dtype != leaf.type.dtype.numpy:
        raise DTypeError(f"{leaf.name} must be {leaf.type}, not {array.dtype}{show_shape(array.shape)}")
    fits = array.ndim == leaf.type.rank
    for dim, size in zip(leaf.type.shape, array.shape, strict=False):
        fits = fits and (dim == size if isinstance(dim, int) else sizes.setdefault(str(dim), size) == size)
    if not fits:
        known = ", ".join(f"{k} = {v}" for k, v in sizes.items())
        where = f" (with {known})" if known else ""
        remedy = None if array.ndim == leaf.type.rank else f"give a tensor of {leaf.type.rank} axes, not {array.ndim}"
        raise ShapeError(
            f"{leaf.name} must be {leaf.type}{where}, its shape is {show_shape(array.shape)}",
            remedy=remedy or "give a tensor of that shape; letters stand for any size",
        )


def check_state(trace: Trace) -> None:
    """DTypeError or ShapeError for a parameter or buffer that no longer has the type of the program."""
    for entry, value in zip(trace.state, trace.program.state_values, strict=True):
        wanted, now = value.tensor_type, entry.tensor
        if now.dtype is not wanted.dtype or list(now.shape) != list(wanted.shape):
            raise (DTypeError if now.dtype is not wanted.dtype else ShapeError)(
                f"{entry.name} is {now.dtype.name}{show_shape(tuple(now.shape))} now, "
                f"but the program was saved for {wanted}",
                remedy="a loaded program has the dtypes and shapes of its file: convert the network, and save it again",
            )
