"""Functions of the user's that a decorator, a library or Python itself calls do in each call what they do eagerly."""

from __future__ import annotations

import contextlib
import copy
import functools
import operator
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

import pytest

import vitrify as vt

TOTAL = 0


class State:
    """What a case changes: each call reads what the one before has written."""

    def __init__(self) -> None:
        self.n = 0
        self.seen: list[Any] = []
        self.table: dict[str, Any] = {}

    def shown(self) -> Any:
        return self.n, _plain(self.seen), _plain(self.table)


Made = Callable[[Any], Any]
CASES: dict[str, Callable[[State], Made]] = {}


def case(make: Callable[[State], Made]) -> Callable[[State], Made]:
    CASES[make.__name__] = make
    return make


def _plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _decorated(decorator: Callable[[Any], Any]) -> Callable[[State], Made]:
    def make(s: State) -> Made:
        count = 0

        @decorator
        def inner(x: Any, scale: float = 2.0) -> Any:
            global TOTAL
            nonlocal count
            count += 1
            TOTAL += 1
            s.n += 1
            s.table["sum"] = s.table.get("sum", vt.zeros([2])) + x
            print("inner", s.n, count)
            if x.sum() > 5:
                return x * scale
            return x * count

        def outer(x: Any) -> Any:
            y = inner(x)
            s.table["total"] = TOTAL - s.n
            return y

        return outer

    return make


CASES["no_grad"] = _decorated(vt.no_grad())
CASES["no_grad_bare"] = _decorated(vt.no_grad)
CASES["enable_grad"] = _decorated(vt.enable_grad())
CASES["set_grad_enabled"] = _decorated(lambda fn: vt.set_grad_enabled(False)(fn))
CASES["auto_cast"] = _decorated(vt.amp.auto_cast(enable=False))
CASES["two_decorators"] = _decorated(lambda fn: vt.no_grad()(vt.enable_grad(fn)))


@case
def methods_without_gradients(s: State) -> Made:
    class Average:
        def __init__(self) -> None:
            self.steps, self.kept = 0, {}  # type: ignore[var-annotated]

        @vt.no_grad()
        def update(self, x: Any) -> None:
            self.steps += 1
            self.kept[0] = self.kept.get(0, x * 0) * 0.5 + x

    average = Average()

    def fn(x: Any) -> Any:
        average.update(x)
        s.n, s.table = average.steps, {"kept": average.kept[0]}
        return x

    return fn


@case
def made_objects(s: State) -> Made:
    class Node:
        count = 0

        def __init__(self, x: Any) -> None:
            Node.count += 1
            self.number = Node.count
            s.seen.append(self.number)
            print("made", x.sum().item())
            if x.sum() > 5:
                x = x * 10
            self.x = x

    return lambda x: Node(x).x * Node(x).number


@case
def made_by_new(s: State) -> Made:
    class Single:
        pool: dict[str, Any] = {}

        def __new__(cls, key: str) -> Any:
            s.n += 1
            if key not in cls.pool:
                cls.pool[key] = super().__new__(cls)
                cls.pool[key].used = 0
            return cls.pool[key]

    def fn(x: Any) -> Any:
        one = Single("a")
        one.used += 1
        return x * one.used

    return fn


@case
def finished_dataclasses(s: State) -> Made:
    @dataclass
    class Pair:
        x: Any

        def __post_init__(self) -> None:
            s.n += 1
            s.table["mean"] = self.x.mean()
            self.y = self.x * s.n

    return lambda x: Pair(x).y


@case
def metaclasses(s: State) -> Made:
    class Meta(type):
        def __call__(cls, *args: Any) -> Any:
            s.n += 1
            return super().__call__(*args)

    class Thing(metaclass=Meta):
        def __init__(self, x: Any) -> None:
            self.x = x

    return lambda x: Thing(x).x * s.n


@case
def properties(s: State) -> Made:
    class Box:
        def __init__(self) -> None:
            self.kept = 0.0

        @property
        def value(self) -> float:
            s.n += 1
            print("got", s.n)
            return self.kept

        @value.setter
        def value(self, value: float) -> None:
            s.n += 10
            self.kept = value

        @functools.cached_property
        def first(self) -> int:
            s.seen.append("first")
            return s.n

    box = Box()

    def fn(x: Any) -> Any:
        box.value += 1
        return x * box.value + box.first

    return fn


@case
def descriptors_and_setattr(s: State) -> Made:
    class Kept:
        def __set_name__(self, owner: Any, name: str) -> None:
            self.name = f"_{name}"

        def __get__(self, owner: Any, kind: Any = None) -> Any:
            s.n += 1
            return getattr(owner, self.name)

        def __set__(self, owner: Any, value: Any) -> None:
            s.n += 10
            setattr(owner, self.name, value)

    class Holder:
        kept = Kept()

        def __setattr__(self, name: str, value: Any) -> None:
            s.seen.append(name)
            super().__setattr__(name, value)

        def __lt__(self, other: Any) -> bool:
            s.n += 100
            return True

        def __add__(self, other: Any) -> Any:
            s.n += 1000
            return self.kept + (other if other.sum() > 5 else -other)

    def fn(x: Any) -> Any:
        holder = Holder()
        holder.kept = x
        sorted([holder, holder])
        return holder + x

    return fn


@case
def managers_as_decorators(s: State) -> Made:
    @contextlib.contextmanager
    def timed() -> Iterator[None]:
        s.n += 1
        print("in", s.n)
        yield
        print("out")

    class Counted(contextlib.ContextDecorator):
        def __enter__(self) -> None:
            s.n += 10

        def __exit__(self, *error: object) -> None:
            s.n += 100

    @timed()
    @Counted()
    def inner(x: Any) -> Any:
        s.seen.append(s.n)
        return x * 2 if x.sum() > 5 else x

    return lambda x: inner(x)


@case
def mappings_of_the_standard_library(s: State) -> Made:
    class Table(MutableMapping[str, Any]):
        def __init__(self) -> None:
            self.data: dict[str, Any] = {}

        def __getitem__(self, key: str) -> Any:
            return self.data[key]

        def __setitem__(self, key: str, value: Any) -> None:
            s.seen.append(key)
            self.data[key] = value

        def __delitem__(self, key: str) -> None:
            del self.data[key]

        def __iter__(self) -> Iterator[str]:
            return iter(self.data)

        def __len__(self) -> int:
            return len(self.data)

    table = Table()

    def fn(x: Any) -> Any:
        table.update(total=table.get("total", 0) + 1, last=x)
        s.table = {"data": table.data}
        return x * table["total"]

    return fn


@case
def functions_given_to_this_library(s: State) -> Made:
    def square(x: Any) -> Any:
        s.n += 1
        s.table["last"] = x
        return x * x * s.n

    def fn(x: Any) -> Any:
        mapped = vt.utils.map_structure(square, [x])
        return mapped[0] + vt.autograd.jvp(square, x)[0] + vt.distributed.fleet.utils.recompute(square, x)

    return fn


@case
def hooks_of_copies(s: State) -> Made:
    class Copied:
        def __init__(self) -> None:
            self.k = 1

        def __deepcopy__(self, memo: Any) -> Any:
            s.n += 1
            made = Copied()
            made.k = self.k + s.n
            return made

    one = Copied()
    return lambda x: x * copy.deepcopy(one).k


@case
def functions_left_alone(s: State) -> Made:
    @vt.jit.not_to_static
    def inner(x: Any) -> Any:
        s.n += 1
        _told(s)
        return x * s.n

    @vt.jit.not_to_static
    def telling(x: Any) -> Any:
        print("telling", s.n)
        return x

    return lambda x: telling(inner(x))


def _told(s: State) -> None:
    s.seen.append(s.n)


@case
def kept_results(s: State) -> Made:
    @functools.lru_cache(None)
    def table(size: int) -> Any:
        s.seen.append(size)
        return vt.arange(size).astype("float32")

    def fn(x: Any) -> Any:
        s.n += 1
        return x * s.n + table(len(x))

    return fn


@case
def what_functools_and_operators_call(s: State) -> Made:
    class Things(dict[str, int]):
        def __missing__(self, key: str) -> int:
            s.seen.append(key)
            return len(s.seen)

        def scaled(self, x: Any, k: int) -> Any:
            s.n += 1
            return x * k if x.sum() > 5 else x

        double = functools.partialmethod(scaled, k=2)

        @functools.singledispatchmethod
        def shown(self, value: Any) -> Any:
            s.n += 10
            return value

        @shown.register
        def _(self, value: int) -> Any:
            s.n += 100
            return value * s.n

        def __delattr__(self, name: str) -> None:
            s.seen.append(name)
            super().__delattr__(name)

    things = Things()

    def fn(x: Any) -> Any:
        things.more = 1  # type: ignore[attr-defined]
        del things.more  # type: ignore[attr-defined]
        return things.double(x) * things["a"] + things.shown(2) + operator.methodcaller("scaled", x, 3)(things)

    return fn


@case
def functions_over_layers(s: State) -> Made:
    net = vt.nn.Sequential(vt.nn.Linear(2, 2), vt.nn.ReLU())

    def note(layer: Any) -> None:
        s.seen.append(type(layer).__name__)

    def fn(x: Any) -> Any:
        net.apply(note)
        return x

    return fn


@case
def own_layers(s: State) -> Made:
    class Scaled(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            s.n += 1
            s.seen.append(s.n)
            ctx.k = s.n
            return x * s.n

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            s.n += 10
            return g * ctx.k

    def fn(x: Any) -> Any:
        x = x.detach()
        x.stop_gradient = False
        (Scaled.apply(x) ** 2).sum().backward()
        return x.grad

    return fn


def _run(name: str, compiled: bool, capsys: Any) -> list[Any]:
    global TOTAL
    TOTAL = 0
    state = State()
    fn = CASES[name](state)
    called = vt.to_static(fn) if compiled else fn
    found = []
    for k, numbers in enumerate(([1.0, 2.0], [3.0, 4.0], [-1.0, 0.5], [8.0, 8.0])):
        if k == 2:  # the user changes what the function has left
            state.n, state.seen = 50, [*state.seen]
        y = called(vt.to_tensor(numbers))
        found.append((y.tolist(), state.shown(), capsys.readouterr().out))
    return found


@pytest.mark.parametrize("name", sorted(CASES))
def test_each_call_does_what_eager_code_does(name: str, capsys: Any) -> None:
    assert _run(name, True, capsys) == _run(name, False, capsys)
