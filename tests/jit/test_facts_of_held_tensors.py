"""What code asks of tensors, None and numbers that stand in containers, which the program doesn't compute with."""

from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import vitrify as vt
from vitrify import nn

pytestmark = pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")

KEPT: Any = None  # a global that a function reads and sets


class Pair(NamedTuple):
    held: Any
    other: int


@dataclasses.dataclass
class Box:
    held: Any


class Layer(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.kept: Any = None


class Place:
    """Where a value stands: how it is read and put there, inside a function and outside."""

    def __init__(self, read: Callable[[], Any], put: Callable[[Any], None]) -> None:
        self.read, self.put = read, put


def attribute() -> Place:
    s = SimpleNamespace(kept=None)

    def put(value: Any) -> None:
        s.kept = value

    return Place(lambda: s.kept, put)


def attribute_of_an_attribute() -> Place:
    s = SimpleNamespace(inner=SimpleNamespace(kept=None))

    def put(value: Any) -> None:
        s.inner.kept = value

    return Place(lambda: s.inner.kept, put)


def attribute_of_a_layer() -> Place:
    layer = Layer()

    def put(value: Any) -> None:
        layer.kept = value

    return Place(lambda: layer.kept, put)


def attribute_of_a_class() -> Place:
    class Holder:
        kept: Any = None

    def put(value: Any) -> None:
        Holder.kept = value

    return Place(lambda: Holder.kept, put)


def item_of_a_dict() -> Place:
    d: dict[str, Any] = {"beside": vt.ones([3])}

    def put(value: Any) -> None:
        d["k"] = value

    return Place(lambda: d["k"], put)


def item_of_a_list() -> Place:
    parts: list[Any] = [1, None, 3]

    def put(value: Any) -> None:
        parts[1] = value

    return Place(lambda: parts[1], put)


def last_of_a_deque() -> Place:
    last: Any = collections.deque([None, None], maxlen=2)

    def put(value: Any) -> None:
        last.append(value)

    return Place(lambda: last[-1], put)


def closure_variable() -> Place:
    kept: Any = None

    def put(value: Any) -> None:
        nonlocal kept
        kept = value

    return Place(lambda: kept, put)


def global_variable() -> Place:
    def put(value: Any) -> None:
        global KEPT
        KEPT = value

    return Place(lambda: KEPT, put)


PLACES = [
    attribute, attribute_of_an_attribute, attribute_of_a_layer, attribute_of_a_class, item_of_a_dict, item_of_a_list,
    last_of_a_deque, closure_variable, global_variable,
]  # fmt: skip
WRAPS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "bare": (lambda v: v, lambda w: w),
    "tuple": (lambda v: (v, 1), lambda w: w[0]),
    "list": (lambda v: [v], lambda w: w[0]),
    "dict": (lambda v: {"a": v}, lambda w: w["a"]),
    "dataclass": (Box, lambda w: w.held),
    "named tuple": (lambda v: Pair(v, 2), lambda w: w.held),
    "tuple in a tuple": (lambda v: ((0, v), 1), lambda w: w[0][1]),
    "tuple in a dict": (lambda v: {"a": (1, v)}, lambda w: w["a"][1]),
    "ordered dict": (lambda v: collections.OrderedDict(z=v), lambda w: w["z"]),
    "deque": (lambda v: collections.deque([v]), lambda w: w[0]),
    "object": (lambda v: SimpleNamespace(held=v), lambda w: w.held),
}


def ones(*shape: int, dtype: str = "float32") -> Any:
    return vt.ones([*shape], dtype=dtype)


def wanting() -> Any:
    x = ones(2)
    x.stop_gradient = False
    return x


FACTS: dict[str, tuple[Callable[[Any], Any], Callable[[], list[Any]]]] = {
    "shape": (lambda v: v.shape[0] == 3, lambda: [ones(3), ones(2), ones(3), ones(1), ones(3)]),
    "dtype": (
        lambda v: v.dtype == vt.float32,
        lambda: [ones(2), ones(2, dtype="int64"), ones(2), ones(1, dtype="bool")],
    ),
    "ndim": (lambda v: v.ndim == 1, lambda: [ones(2), ones(2, 1), ones(3), ones(), ones(2)]),
    "size": (lambda v: v.size > 2, lambda: [ones(3), ones(2), ones(4), ones(1), ones(2, 2)]),
    "type": (lambda v: isinstance(v, vt.Tensor), lambda: [ones(2), 3, ones(2), None, "s", ones(2)]),
    "none": (lambda v: v is None, lambda: [None, ones(2), None, 2.5, ones(1)]),
    "number": (lambda v: (v or 0) > 2, lambda: [3, 1, 2.5, 7, None, 1]),
    "bool": (lambda v: v is True, lambda: [True, 1, 1.0, True, False]),
    "stop": (lambda v: v.stop_gradient, lambda: [ones(2), wanting(), ones(2), wanting(), ones(2)]),
}
WRITES = ["none", "none inside", "another inside", "result inside"]


def calls(place: Place, wrap: str, fact: str, write: str, convert: Any) -> Iterator[Any]:
    make, take = WRAPS[wrap]
    asked, values = FACTS[fact]
    read, put = place.read, place.put

    def ask(x: Any) -> Any:
        found = x + 100 if asked(take(read())) else x
        if write == "none inside":
            put(make(None))
        elif write == "another inside":
            put(make(2))
        elif write == "result inside":
            put(make(x * 1))
        return found

    fn = convert(ask)
    given = values()
    for value in [*given, *given[1:3]]:
        put(make(value))
        yield fn(vt.ones([1])).item(), str(place.read())


EVERY = list(itertools.product(PLACES, WRAPS, FACTS, WRITES))
SOME = [c for c in EVERY[::29] if c[:2] != (attribute_of_a_layer, "bare")]  # a layer's buffer stays one


@pytest.mark.parametrize(
    ("place", "wrap", "fact", "write"), SOME, ids=lambda v: v if isinstance(v, str) else v.__name__
)
def test_facts_that_a_function_asks_for(place: Any, wrap: str, fact: str, write: str) -> None:
    eager, captured = (list(calls(place(), wrap, fact, write, c)) for c in (lambda f: f, vt.to_static))
    hide = wrap == "object" and write != "none"  # its address is part of how it is shown
    assert [a for a, _ in captured] == [a for a, _ in eager]
    assert hide or [b for _, b in captured] == [b for _, b in eager]


def reset_for_another_size(place: Place, x: Any) -> Any:
    kept = place.read()
    if kept is not None and kept[0].shape[0] != x.shape[0]:
        kept = None
    place.put((x, x * 2) if kept is None else (kept[0] + x, kept[1]))
    return place.read()[0]


@pytest.mark.parametrize("place", PLACES, ids=lambda v: v.__name__)
def test_state_that_starts_again_for_another_size(place: Any) -> None:
    found = []
    for convert in (lambda f: f, vt.to_static):
        at = place()
        at.put(None)
        read, put = at.read, at.put
        step = convert(partial(reset_for_another_size, SimpleNamespace(read=read, put=put)))
        found.append([step(ones(n)).tolist()[0] for n in (2, 2, 2, 3, 3, 3, 4, 4, 2, 2)])
    assert found[0] == found[1] == [1, 2, 3, 1, 2, 3, 1, 2, 1, 2]


@pytest.mark.parametrize("wrap", ["tuple", "list", "dict", "dataclass", "tuple in a dict"])
@pytest.mark.parametrize("place", [item_of_a_dict, item_of_a_list, attribute_of_a_class], ids=lambda v: v.__name__)
def test_a_count_beside_a_tensor(place: Any, wrap: str) -> None:
    make, take = WRAPS[wrap]
    at = place()
    at.put(make((vt.zeros([1]), 0)))
    read, put = at.read, at.put

    @vt.to_static
    def observe(x: Any) -> Any:
        put(make((x.mean(), take(read())[1] + 1)))
        return x

    for k in range(6):
        observe(ones(2) * k)
        mean, count = take(at.read())
        assert (float(mean), count) == (k, k + 1)


def test_other_tensors_of_the_same_kind_need_no_other_program() -> None:
    d: dict[str, Any] = {}
    parts: list[Any] = [None, 2]

    @vt.to_static
    def kinds(x: Any) -> Any:
        return x + 1 if d["k"][0].dtype == vt.float32 and parts[0].ndim == 1 else x

    for k in range(5):
        d["k"], parts[0] = (ones(2) * k, [ones(k + 1)]), ones(3)
        assert kinds(ones(1)).item() == 2.0
    assert len(kinds.program_cache) == 1


def test_a_container_that_is_given_out_or_written_is_that_very_one() -> None:
    d: dict[str, Any] = {}

    @vt.to_static
    def given(x: Any) -> Any:
        d["k"][0].append(x)
        return d["k"][0] if d["k"][1].ndim else None

    for _ in range(4):
        inner: list[Any] = []
        d["k"] = (inner, ones(2))
        assert given(ones(1)) is inner
        assert len(inner) == 1


def test_containers_among_the_arguments_have_no_guards_of_their_own() -> None:
    @vt.to_static
    def f(d: Any) -> Any:
        return d["a"] + d["b"][0]

    f({"a": vt.ones([2]), "b": [vt.ones([2])]})
    (entry,) = f.program_cache
    assert [a.kind for a in entry.trace.assumptions] == ["code"]


def test_a_number_beside_a_tensor_in_an_inner_list_keeps_one_program() -> None:
    held: dict[str, Any] = {"a": [vt.zeros([2]), 0]}

    @vt.to_static
    def f(x: Any) -> Any:
        held["a"][0] = x
        held["a"][1] += 1
        return x * held["a"][1]

    assert [f(vt.ones([1])).item() for _ in range(8)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert f.get_traced_count() == 1
    held["a"] = [vt.zeros([2]), 10]
    assert f(vt.ones([1])).item() == 11
    assert held["a"][1] == 11
