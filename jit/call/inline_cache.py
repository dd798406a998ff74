"""Whether a call is one for an entry: compared argument by argument, in one closure per way of writing the call.

Calls with tensors alone, given by position, have a function of their own (call_stubs.py).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from numpy import memmap, ndarray

from ...base.dtype import of_array
from ...base.flags import flags
from ...base.pytree import attributes_of, factory_of, flatten, is_named_tuple, mapping_attributes
from ...dygraph.modes import amp_policy, is_recording
from ...dygraph.number import fits
from ...dygraph.tensor import Tensor
from ...runtime.vm.calls.call_words import Given
from ...runtime.vm.calls.native_call import ArgumentPart, NativeCall, mapping, sequence
from ..trace.assumed.hidden_attributes import attributes_beside
from ..trace.state.containers import Arguments, is_container, is_leaf, parts_of, same_objects
from .cache import FREE, CacheEntry, same_number
from .call_stubs import CachedCall, make_call_stub, make_native, tensor_part
from .caller import MISS, feed_of
from .guards import same
from .signature import Call, Leaf, same_tensors


def make_cached_call(
    entry: CacheEntry, call: Call, raw: tuple[tuple[Any, ...], dict[str, Any]], recording: bool,
    numbered: tuple[int, ...] | None = None,
) -> CachedCall:  # fmt: skip
    """The closure for calls written like `raw`; `call` is the same call in normal form.

    numbered: where each number of the normal form stands among the numbers as written; None for the same order.
    """
    runner, guards, (args, kwargs) = entry.runner, entry.guards, raw
    bound_numbers = [(k, v) for k, v in enumerate(entry.numbers) if v is not FREE]
    names, count = tuple(kwargs), len(args)
    matchers = [_matcher(v, {id(w.owner) for w in entry.trace.attribute_writes}) for v in (*args, *kwargs.values())]
    order = _order([*args, *kwargs.values()], call.leaves)
    nested = _container_order(matchers, [*args, *kwargs.values()], around := call.leaves.containers)
    one = same_objects(around) if len(around) > 1 else None
    wanted = entry.trace.around
    dtype, policy = flags.default_dtype, amp_policy()
    free_of, run, hold, check = runner.free, runner.run, guards.hold, bool(guards)
    same = same_tensors(call.leaves)
    once = _matters(same, entry)
    if not names and order is None and all(isinstance(m, Leaf) and m.kind is not ndarray for m in matchers):
        return make_call_stub(runner, guards, matchers, call.shapes, recording, same if once else None)

    def cached(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if len(given) != count or tuple(named) != names:
            return MISS
        leaves = Arguments()
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
            leaves = Arguments([leaves[k] for k in order], leaves.containers)
        if nested is not None:
            leaves.containers = [leaves.containers[k] for k in nested]
        feeds = [x if isinstance(x, ndarray) else x._storage.payload for x in leaves]
        free = free_of.get(tuple([a.shape for a in feeds]))
        if free is None or is_recording() is not recording or flags.default_dtype is not dtype:
            return MISS
        if amp_policy() is not policy:
            return MISS
        if check and not hold():
            return MISS
        if once and same_tensors(leaves) != same:
            return MISS
        if one is not None and same_objects(leaves.containers) != one:
            return MISS
        if wanted and not wanted.take(leaves.containers):
            return MISS
        return run(leaves, [feed_of(a) for a in feeds], free, numbers)

    if not (wanted or one):
        native = _native(entry, call, matchers, names, order, numbered, same if once else None)
        cached.native = native  # type: ignore[attr-defined]
    return cached


def _matters(same: Sequence[int | None], entry: CacheEntry) -> bool:
    """Whether it matters which arguments are the same tensor: some are, or some are written, or code asks."""
    matters = bool(entry.trace.grad_writes or entry.trace.tensor_writes or entry.trace.identity.matters)
    return len(same) > 1 and (matters or any(k is not None for k in same))


def _native(
    entry: CacheEntry, call: Call, matchers: list[Any], names: tuple[str, ...], order: list[int] | None,
    numbered: tuple[int, ...] | None, same: list[int | None] | None,
) -> NativeCall | None:  # fmt: skip
    """Native code for calls whose arguments are given like these; None where there can't be any."""
    leaf_places = range(len(call.leaves)) if order is None else [order.index(k) for k in range(len(order))]
    number_places = range(len(call.numbers)) if numbered is None else [numbered.index(k) for k in range(len(numbered))]
    places, numbers, leaves = iter(leaf_places), iter(number_places), dict[int, ArgumentPart]()
    free = [k for k, value in enumerate(entry.numbers) if value is FREE]

    def part(matcher: Any) -> ArgumentPart | None:
        if type(matcher) is Leaf:
            place = next(places)
            made = leaves[place] = tensor_part(matcher, call.shapes[place], place, entry.runner)
            return made
        if type(matcher) is _Count:
            place = next(numbers)
            kind = Given.FLOAT if matcher.kind is float else Given.INT
            known = entry.numbers[place]
            return (
                ArgumentPart(kind, matcher.kind, number=free.index(place)) if known is FREE else _constant_part(known)
            )
        if type(matcher) is _Constant:
            return _constant_part(matcher.value)
        parts = parts_like(matcher.parts)
        if parts is None or matcher.names or matcher.factory is not None:
            return None
        if matcher.kind is dict:
            return mapping(matcher.keys, parts)
        kinds = {tuple: Given.SEQUENCE, list: Given.LIST}
        return ArgumentPart(kinds[matcher.kind], matcher.kind, parts=tuple(parts)) if matcher.kind in kinds else None

    def parts_like(inner: Sequence[Any]) -> list[ArgumentPart] | None:
        found = [part(m) for m in inner]
        known = [p for p in found if p is not None]
        return known if len(known) == len(found) else None

    parts = parts_like(matchers)
    if parts is None:
        return None
    count = len(parts) - len(names)
    given = sequence(parts[:count]), mapping(names, parts[count:])
    in_order = [leaves[k] for k in range(len(leaves))]
    return make_native(entry.runner, entry.guards, given, in_order, call.shapes, free=free, same=same)


def _constant_part(value: Any) -> ArgumentPart:
    """What native code compares a value with that a program is for: Python's numbers and strings by their value."""
    if type(value) is float:
        return ArgumentPart(Given.BITS, float, value)
    return ArgumentPart(Given.EQUAL if type(value) in (int, str, bytes) else Given.SAME, type(value), value)


def _order(values: list[Any], leaves: list[Any]) -> list[int] | None:
    """Where each leaf of the normal form stands among the leaves as written; None for the same order."""
    written = flatten(values, is_leaf)[0]
    if all(a is b for a, b in zip(written, leaves, strict=True)):
        return None
    places: dict[int, list[int]] = {}
    for k, leaf in enumerate(written):
        places.setdefault(id(leaf), []).append(k)
    return [places[id(leaf)].pop(0) for leaf in leaves]


def _container_order(matchers: list[Any], values: list[Any], around: list[Any]) -> list[int] | None:
    """Where each container of the normal form stands among those as written; None for the same order."""
    written = Arguments()
    for value, matcher in zip(values, matchers, strict=True):
        if not _matches(value, matcher, written, []):
            return None  # never taken
    if all(a is b for a, b in zip(written.containers, around, strict=True)):
        return None
    places: dict[int, list[int]] = {}
    for k, x in enumerate(written.containers):
        places.setdefault(id(x), []).append(k)
    return [places[id(x)].pop(0) for x in around]


def _matcher(value: Any, written: Container[int]) -> Any:
    """What an argument is compared with: a Leaf, a (type, parts) pair, or the value itself.

    written: identities of what the program writes into: attributes of a user's string, say.
    """
    if isinstance(value, ndarray):
        return Leaf(ndarray, of_array(value), value.ndim, True)
    if isinstance(value, Tensor):
        return Leaf(type(value), value._dtype, value.ndim, value.stop_gradient)
    if fits(value):
        return _Count(type(value))
    if type(value) is tuple or is_named_tuple(value) or is_container(value):
        keys = tuple(value) if isinstance(value, dict) else None
        names = _names_of(value)
        parts = tuple([_matcher(v, written) for v in parts_of(value)])
        return _Parts(type(value), keys, parts, names, factory_of(value))
    is_plain = isinstance(value, (float, int, str, bytes))
    return _Constant(value, is_very=not is_plain or any(id(own) in written for own in attributes_beside(value)))


def _names_of(value: Any) -> tuple[Any, ...]:
    """What a container is said to have beside items: a dataclass's attributes, those of a dict of a user's class."""
    if isinstance(value, dict):
        own, same = mapping_attributes(value, is_leaf)
        return (*own, *same)
    return () if isinstance(value, (tuple, list)) else attributes_of(value)


class _Parts:
    __slots__ = ("factory", "keys", "kind", "names", "parts")

    def __init__(
        self, kind: type, keys: tuple[Any, ...] | None, parts: tuple[Any, ...], names: tuple[str, ...], factory: Any
    ) -> None:
        self.kind, self.keys, self.parts = kind, keys, parts
        self.names, self.factory = names, factory  # a dataclass's fields, a defaultdict's factory


class _Count:
    __slots__ = ("kind",)

    def __init__(self, kind: type) -> None:
        self.kind = kind


class _Constant:
    __slots__ = ("is_very", "value")

    def __init__(self, value: Any, *, is_very: bool) -> None:
        self.value = value
        self.is_very = is_very  # equal ones aren't taken for it


def _matches(value: Any, matcher: Any, leaves: Arguments, numbers: list[Any]) -> bool:
    """Compare an argument with what it should be; its tensors and containers are added to `leaves`, its numbers to
    `numbers`.
    """
    kind: Any = type(value)
    if type(matcher) is Leaf:
        if kind is not matcher.kind and not (kind is memmap and matcher.kind is ndarray):
            return False
        leaves.append(value)
        if matcher.kind is ndarray:
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
        return value is matcher.value or (not matcher.is_very and _equal(value, matcher.value))
    if kind is not matcher.kind:
        return False
    if (matcher.names or type(value) not in (tuple, list, dict)) and _names_of(value) != matcher.names:
        return False
    if matcher.names and matcher.keys is None:
        items: Any = [getattr(value, name) for name in matcher.names]
    elif matcher.keys is None and len(value) != len(matcher.parts):
        return False
    elif matcher.keys is None:
        items = value
    elif not _same_keys(value, matcher.keys) or factory_of(value) is not matcher.factory:
        return False
    else:
        items = parts_of(value)
    if not isinstance(value, tuple):
        leaves.containers.append(value)
    return all(_matches(v, m, leaves, numbers) for v, m in zip(items, matcher.parts, strict=True))


_SURE = frozenset({int, bool, str, bytes})  # keys of other kinds are compared by the longer path


def _same_keys(value: dict[Any, Any], known: tuple[Any, ...]) -> bool:
    """Whether a dict has these keys in this order; 1, 1.0 and True are three keys."""
    if len(value) != len(known):
        return False
    pairs = zip(value, known, strict=True)
    return all(a is b or (type(a) is type(b) and type(a) in _SURE and a == b) for a, b in pairs)


def _equal(value: Any, known: Any) -> bool:
    """Equal in type, bits and attributes."""
    if type(value) is float and type(known) is float:
        return repr(value) == repr(known)
    return isinstance(value, (int, str, bytes)) and same(value, known)
