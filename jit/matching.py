"""Whether a call is one for an entry: compared argument by argument, in one closure per way of writing the call.

Calls with tensors alone, given by position, have a function of their own (direct.py).
"""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from ..base.dtype import of_array
from ..base.flags import flags
from ..base.pytree import flatten
from ..dygraph.modes import amp_policy, is_recording
from ..dygraph.number import fits
from ..dygraph.tensor import Tensor
from .cache import FREE, Entry, same_number
from .caller import MISS, feed_of
from .direct import Hot, make_direct
from .guards import same
from .signature import Call, Leaf, is_leaf, same_tensors


def make_hot(
    entry: Entry, call: Call, raw: tuple[tuple[Any, ...], dict[str, Any]], recording: bool,
    numbered: tuple[int, ...] | None = None,
) -> Hot:  # fmt: skip
    """The closure for calls written like `raw`; `call` is the same call in normal form.

    numbered: where each number of the normal form stands among the numbers as written; None for the same order.
    """
    runner, guards = entry.runner, entry.guards
    args, kwargs = raw
    bound_numbers = [(k, v) for k, v in enumerate(entry.numbers) if v is not FREE]
    names = tuple(kwargs)
    matchers = [_matcher(v) for v in (*args, *kwargs.values())]
    order = _order([*args, *kwargs.values()], call.leaves)
    count, dtype, policy = len(args), flags.default_dtype, amp_policy()
    free_of, run, hold, check = runner.free, runner.run, guards.hold, bool(guards)
    same = same_tensors(call.leaves)
    once = any(k is not None for k in same) or bool(entry.trace.grad_writes or entry.trace.tensor_writes)
    once = once and len(same) > 1  # whether it matters which arguments are the same tensor
    if not names and order is None and all(isinstance(m, Leaf) and m.kind is not ndarray for m in matchers):
        return make_direct(runner, guards, matchers, call.shapes, recording, same if once else None)

    def hot(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if len(given) != count or tuple(named) != names:
            return MISS
        leaves: list[Any] = []
        numbers: list[Any] = []
        for x, matcher in zip((*given, *named.values()), matchers, strict=True):
            if not _matches(x, matcher, leaves, numbers):
                return MISS
        if numbered is not None:
            numbers = [numbers[k] for k in numbered]
        for k, value in bound_numbers:
            if numbers[k] is not value and not same_number(numbers[k], value):
                return MISS
        if order is not None:
            leaves = [leaves[k] for k in order]
        feeds = [x if type(x) is ndarray else x._storage.payload for x in leaves]
        free = free_of.get(tuple([a.shape for a in feeds]))
        if free is None or is_recording() is not recording or flags.default_dtype is not dtype:
            return MISS
        if amp_policy() is not policy:
            return MISS
        if check and not hold():
            return MISS
        if once and same_tensors(leaves) != same:
            return MISS
        return run(leaves, [feed_of(a) for a in feeds], free, numbers)

    return hot


def _order(values: list[Any], leaves: list[Any]) -> list[int] | None:
    """Where each leaf of the normal form stands among the leaves as written; None for the same order."""
    written = flatten(values, is_leaf)[0]
    if all(a is b for a, b in zip(written, leaves, strict=True)):
        return None
    places: dict[int, list[int]] = {}
    for k, leaf in enumerate(written):
        places.setdefault(id(leaf), []).append(k)
    return [places[id(leaf)].pop(0) for leaf in leaves]


def _matcher(value: Any) -> Any:
    """What an argument is compared with: a Leaf, a (type, parts) pair, or the value itself."""
    if isinstance(value, ndarray):
        return Leaf(ndarray, of_array(value), value.ndim, True)
    if isinstance(value, Tensor):
        return Leaf(type(value), value._dtype, value.ndim, value.stop_gradient)
    if type(value) in (tuple, list):
        return _Parts(type(value), None, tuple([_matcher(v) for v in value]))
    if fits(value):
        return _Count(type(value))
    if type(value) is dict:
        return _Parts(dict, tuple(value), tuple([_matcher(v) for v in value.values()]))
    return _Constant(value)


class _Parts:
    __slots__ = ("keys", "kind", "parts")

    def __init__(self, kind: type, keys: tuple[Any, ...] | None, parts: tuple[Any, ...]) -> None:
        self.kind, self.keys, self.parts = kind, keys, parts


class _Count:
    __slots__ = ("kind",)

    def __init__(self, kind: type) -> None:
        self.kind = kind


class _Constant:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _matches(value: Any, matcher: Any, leaves: list[Any], numbers: list[Any]) -> bool:
    """Compare an argument with what it should be; its tensors are added to `leaves`, its numbers to `numbers`."""
    kind: Any = type(value)
    if type(matcher) is Leaf:
        if kind is not matcher.kind:
            return False
        leaves.append(value)
        if kind is ndarray:
            return bool(value.dtype == matcher.dtype.numpy)
        return (
            value._dtype is matcher.dtype
            and value._stop is matcher.stop_gradient
            and type(value._storage.payload) is ndarray
        )
    if type(matcher) is _Count:
        if kind is not matcher.kind or not fits(value):
            return False
        numbers.append(value)
        return True
    if type(matcher) is not _Parts:
        return _equal(value, matcher.value)
    if kind is not matcher.kind or len(value) != len(matcher.parts):
        return False
    if matcher.keys is not None and tuple(value) != matcher.keys:
        return False
    items = value if matcher.keys is None else value.values()
    return all(_matches(v, m, leaves, numbers) for v, m in zip(items, matcher.parts, strict=True))


def _equal(value: Any, known: Any) -> bool:
    """Equal in type and bits for numbers; the same object otherwise. A container unlike list and dict never matches."""
    if value is known:
        return not _holds_leaves(value)
    if type(value) is float and type(known) is float:
        return repr(value) == repr(known)
    return isinstance(value, (int, str, bytes)) and same(value, known)


def _holds_leaves(value: Any) -> bool:
    return hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__") or isinstance(value, dict)
