"""Nested structures: Paddle's `utils.map_structure` and its family, over lists, tuples, dicts and namedtuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base import pytree
from ..base.errors import ArgumentError, KindError


def is_sequence(value: Any) -> bool:
    """Whether a value is a list, tuple or dict.

    >>> is_sequence([1]), is_sequence("ab")
    (True, False)
    """
    return isinstance(value, (list, tuple, dict))


def _leaf(value: Any) -> bool:
    return not is_sequence(value)


def flatten(nest: Any) -> list[Any]:
    """The leaves of a nested structure; dicts in the order of their sorted keys.

    >>> flatten({"b": [2, (3,)], "a": 1})
    [1, 2, 3]
    """
    return pytree.flatten(_sorted(nest), _leaf)[0]


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _sorted(value[k]) for k in sorted(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_sorted, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(_sorted, value))
    return value


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any]) -> Any:
    """`flat_sequence` in the form of `structure`, as `flatten` takes it apart.

    Errors: KindError for a flat sequence that isn't one; ArgumentError for a wrong number of leaves.

    >>> pack_sequence_as({"b": [0, (0,)], "a": 0}, [1, 2, 3])
    {'b': [2, (3,)], 'a': 1}
    """
    if not is_sequence(flat_sequence):
        raise KindError(f"pack_sequence_as needs a list of leaves, not a {type(flat_sequence).__name__}")
    if not is_sequence(structure):
        if len(flat_sequence) != 1:
            raise ArgumentError(f"the structure is a single leaf, but there are {len(flat_sequence)} values")
        return flat_sequence[0]
    wanted = len(flatten(structure))
    if wanted != len(flat_sequence):
        raise ArgumentError(f"the structure has {wanted} leaves, but there are {len(flat_sequence)} values")
    return _fill(structure, iter(flat_sequence))


def _fill(structure: Any, leaves: Any) -> Any:
    if isinstance(structure, dict):
        made = {k: _fill(structure[k], leaves) for k in sorted(structure)}
        return type(structure)((k, made[k]) for k in structure)
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*[_fill(v, leaves) for v in structure])
    if isinstance(structure, (list, tuple)):
        return type(structure)([_fill(v, leaves) for v in structure])
    return next(leaves)


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """`func` of the leaves that stand at the same place of all structures, in the form of the first.

    Errors: KindError if `func` can't be called; ArgumentError without a structure; as `assert_same_structure`.

    >>> map_structure(lambda a, b: a + b, [1, {"k": 2}], [10, {"k": 20}])
    [11, {'k': 22}]
    """
    if not callable(func):
        raise KindError(f"map_structure needs a function, not a {type(func).__name__}")
    if not structure:
        raise ArgumentError("map_structure needs at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other)
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in zip(*map(flatten, structure), strict=True)])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Errors: ArgumentError (a ValueError) unless both have the same form; KindError if containers' types differ.

    >>> assert_same_structure([1, (2,)], [3, (4,)])
    """
    if is_sequence(nest1) != is_sequence(nest2):
        raise ArgumentError(f"one side is a leaf, the other isn't: {nest1!r} and {nest2!r}")
    if not is_sequence(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise KindError(f"a {type(nest1).__name__} stands against a {type(nest2).__name__}")
    if len(nest1) != len(nest2) or (isinstance(nest1, dict) and set(nest1) != set(nest2)):
        raise ArgumentError(f"the structures differ: {nest1!r} and {nest2!r}")
    keys = sorted(nest1) if isinstance(nest1, dict) else range(len(nest1))
    for key in keys:
        assert_same_structure(nest1[key], nest2[key], check_types)


def to_sequence(nest: Any) -> Any:
    """A leaf as a list of it; structures as they are.

    >>> to_sequence(1), to_sequence((1,))
    ([1], (1,))
    """
    return nest if is_sequence(nest) else [nest]
