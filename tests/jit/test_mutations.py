"""Each kind of value that a trace takes for granted: call, change it, call: compiled = eager, and no trace in vain."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Case = tuple[Callable[[Any], Any], list[Callable[[], Any]]]
CASES: dict[str, Callable[[], Case]] = {}


def case(make: Callable[[], Case]) -> Callable[[], Case]:
    CASES[make.__name__] = make
    return make


def _input() -> Any:
    return vt.to_tensor([1.0, -2.0, 3.0])


def _plain(result: Any) -> Any:
    parts = result if isinstance(result, tuple) else (result,)
    return [_Close(p.numpy()) if isinstance(p, vt.Tensor) else p for p in parts]


class _Close:
    """An array that equals others to the last bits, which small products in kernels may differ in."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Close) and np.allclose(self.array, other.array, rtol=1e-5, atol=1e-6, equal_nan=True)

    def __repr__(self) -> str:
        return repr(self.array)

    __hash__ = None  # type: ignore[assignment]


# ---- globals and what they hold

MODE, FLAGS, CONFIG, TUPLE, MEMBERS = "a", [True], {"a": {"b": [1, 2, "x"]}}, (1, 2), {1, 2}
MANY, MANY_ITEMS, ARRAY, TENSOR = list(range(100)), {k: k for k in range(100)}, np.ones(3, np.float32), vt.ones([3])
TENSORS, SETTINGS = [vt.ones([3]), vt.ones([3])], types.ModuleType("settings_of_the_test")
SETTINGS.rate, SETTINGS.mode, SETTINGS.fn = 2, "a", lambda x: x * 2  # type: ignore[attr-defined]


def helper(x: Any) -> Any:
    return x * 2


def put(name: str, value: Any) -> Callable[[], None]:
    return lambda: globals().__setitem__(name, value)


@pytest.fixture(autouse=True)
def _globals_as_they_were() -> Iterator[None]:
    before = dict(globals())
    yield
    globals().update(before)
    for name in [n for n in globals() if n not in before]:
        del globals()[name]


@case
def a_global_text() -> Case:
    return lambda x: x * 2 if MODE == "a" else x * 3, [put("MODE", "b"), put("MODE", "a")]


@case
def an_item_of_a_list() -> Case:
    return lambda x: x * 2 if FLAGS[0] else x * 3, [lambda: FLAGS.__setitem__(0, False)]


@case
def the_length_of_a_list() -> Case:
    return lambda x: x * len(FLAGS), [lambda: FLAGS.append(True), FLAGS.clear]


@case
def nested_containers() -> Case:
    inner: Any = CONFIG["a"]
    return (
        lambda x: x * CONFIG["a"]["b"][0] + len(str(CONFIG["a"]["b"][2])),
        [
            lambda: inner["b"].__setitem__(0, 5),
            lambda: inner["b"].__setitem__(2, "yyy"),
            lambda: inner.__setitem__("b", [7, 8, "z"]),
        ],
    )


@case
def keys_of_a_dict() -> Case:
    return (
        lambda x: (x * 2 if "q" in CONFIG else x, x + len(list(CONFIG)), x * CONFIG.get("z", 3)),
        [lambda: CONFIG.__setitem__("q", {}), lambda: CONFIG.__setitem__("z", 7), lambda: CONFIG.pop("q")],  # type: ignore[arg-type]
    )


@case
def members_of_a_set() -> Case:
    return lambda x: x * 2 if 3 in MEMBERS else x, [lambda: MEMBERS.add(3), lambda: MEMBERS.discard(3)]


@case
def a_tuple() -> Case:
    return lambda x: x * TUPLE[0] + TUPLE[1], [put("TUPLE", (5, 6))]


@case
def large_containers() -> Case:
    return (
        lambda x: x * MANY[70] + MANY_ITEMS[80] + sum(MANY[90:95]),
        [lambda: MANY.__setitem__(70, 3), lambda: MANY_ITEMS.__setitem__(80, 4), lambda: MANY.__setitem__(92, 0)],
    )


@case
def a_function_replaced() -> Case:
    return lambda x: helper(x), [put("helper", lambda x: x * 7)]


@case
def a_builtin_shadowed() -> Case:
    return lambda x: x * abs(-2), [put("abs", lambda v: 10)]


@case
def an_array() -> Case:
    return (
        lambda x: x * vt.to_tensor(ARRAY),
        [lambda: ARRAY.__setitem__(0, 9), put("ARRAY", np.full(3, 4, np.float32))],
    )


@case
def a_tensor() -> Case:
    return (
        lambda x: x + TENSOR + TENSOR.shape[0],
        [
            put("TENSOR", vt.full([3], 2.0)),
            lambda: TENSOR.set_value(np.full(3, 5, np.float32)),
            put("TENSOR", vt.ones([2, 1])),
        ],
    )


@case
def a_list_of_tensors() -> Case:
    return (
        lambda x: x + TENSORS[0] + TENSORS[-1],
        [lambda: TENSORS.append(vt.full([3], 5.0)), lambda: TENSORS.__setitem__(0, vt.full([3], 9.0)), TENSORS.pop],
    )


@case
def a_module() -> Case:
    return (
        lambda x: SETTINGS.fn(x) * SETTINGS.rate if SETTINGS.mode == "a" else x,
        [
            lambda: setattr(SETTINGS, "rate", 5),
            lambda: setattr(SETTINGS, "fn", lambda x: x - 1),
            lambda: setattr(SETTINGS, "mode", "b"),
        ],
    )


# ---- functions and closures


@case
def defaults_and_code_of_a_function() -> Case:
    def inner(x: Any, a: Any = 2, *, b: Any = 3) -> Any:
        return x * a + b

    def other(x: Any, a: Any = 1, *, b: Any = 1) -> Any:
        return x - a

    changes: list[Callable[[], Any]] = [
        lambda: setattr(inner, "__defaults__", (5,)),
        lambda: setattr(inner, "__kwdefaults__", {"b": 9}),
        lambda: inner.__kwdefaults__.__setitem__("b", 4),  # type: ignore[union-attr]
        lambda: setattr(inner, "__code__", other.__code__),
    ]
    return lambda x: inner(x), changes


@case
def an_attribute_of_a_function() -> Case:
    def fn(x: Any) -> Any:
        return x * fn.factor if fn.word == "a" else x  # type: ignore[attr-defined]

    fn.factor, fn.word = 2, "a"  # type: ignore[attr-defined]
    return fn, [lambda: setattr(fn, "factor", 4), lambda: setattr(fn, "word", "b")]


@case
def closure_variables() -> Case:
    word, table = "a", {"x": [1]}

    def fn(x: Any) -> Any:
        return x * 2 if word == "a" else x * table["x"][0]

    def change(value: str) -> None:
        nonlocal word
        word = value

    return fn, [lambda: change("b"), lambda: table.__setitem__("x", [6]), lambda: table["x"].__setitem__(0, 3)]


@case
def a_partial_and_a_callable() -> Case:
    class Scaled:
        word = "a"

        def __call__(self, x: Any) -> Any:
            return x * 2 if self.word == "a" else x

    scaled = Scaled()
    box = {"p": functools.partial(lambda x, a: x * 2 if a == "a" else x, a="a")}
    return (
        lambda x: box["p"](scaled(x)),
        [
            lambda: setattr(scaled, "word", "b"),
            lambda: box.__setitem__("p", functools.partial(lambda x, a: x - a, a=1)),
        ],
    )


# ---- objects and classes


class Base:
    factor = 2
    table: dict[str, Any] = {"a": 2}

    def apply(self, x: Any) -> Any:
        return x * self.factor + self.table["a"]

    @classmethod
    def shared(cls, x: Any) -> Any:
        return x * cls.table["a"]


def _derived() -> tuple[type, Any]:
    base = type("Inner", (Base,), {"factor": 2, "table": {"a": 2}})
    derived = type("Derived", (base,), {})
    return base, derived()


@case
def attributes_of_classes() -> Case:
    base, thing = _derived()
    return (
        lambda x: thing.apply(x) + thing.shared(x),
        [
            lambda: setattr(base, "factor", 5),
            lambda: setattr(type(thing), "factor", 7),
            lambda: setattr(thing, "factor", 8),
            lambda: base.table.__setitem__("a", 4),  # type: ignore[attr-defined]
        ],
    )


@case
def methods_replaced() -> Case:
    base, thing = _derived()
    return (
        lambda x: thing.apply(x),
        [lambda: setattr(base, "apply", lambda self, x: x - 1), lambda: setattr(thing, "apply", lambda x: x - 5)],
    )


@case
def attributes_of_objects() -> Case:
    thing = types.SimpleNamespace(word="a", sub=types.SimpleNamespace(v=[1]))
    return (
        lambda x: x * thing.sub.v[0] if thing.word == "a" else x,
        [
            lambda: thing.sub.v.__setitem__(0, 3),
            lambda: setattr(thing.sub, "v", [9]),
            lambda: setattr(thing, "sub", types.SimpleNamespace(v=[4])),
            lambda: setattr(thing, "word", "b"),
        ],
    )


@case
def attributes_that_may_be_missing() -> Case:
    thing = types.SimpleNamespace()
    return (
        lambda x: (x * 2 if hasattr(thing, "new") else x) * getattr(thing, "rate", 3),
        [lambda: setattr(thing, "new", 1), lambda: setattr(thing, "rate", 5), lambda: delattr(thing, "new")],
    )


@case
def properties_slots_and_descriptors() -> Case:
    class Half:
        def __get__(self, owner: Any, kind: Any) -> Any:
            return owner.whole / 2

    class Thing:
        __slots__ = ("_value", "whole")
        half = Half()

        def __init__(self) -> None:
            self._value, self.whole = 2, 8

        @property
        def value(self) -> Any:
            return self._value * 2

    thing = Thing()
    return (
        lambda x: x * thing.value + thing.half,
        [
            lambda: setattr(thing, "_value", 5),
            lambda: setattr(thing, "whole", 3),
            lambda: setattr(Thing, "value", property(lambda self: 100)),
        ],
    )


@case
def dynamic_attributes() -> Case:
    class Thing:
        def __init__(self) -> None:
            self.store = {"z": 2}

        def __getattr__(self, name: str) -> Any:
            return self.__dict__["store"][name]

    thing = Thing()
    return lambda x: x * thing.z, [lambda: thing.store.__setitem__("z", 6), lambda: setattr(thing, "z", 9)]


@dataclasses.dataclass
class Options:
    rate: int = 1
    word: str = "x"


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@case
def dataclasses_enums_and_deques() -> Case:
    options, box, queue = Options(), {"colour": Colour.RED}, collections.deque([1, 2])
    return (
        lambda x: x * options.rate + len(options.word) + queue[0] * len(queue) if box["colour"] is Colour.RED else x,
        [
            lambda: setattr(options, "rate", 4),
            lambda: setattr(options, "word", "yy"),
            lambda: queue.append(5),
            lambda: queue.__setitem__(0, 7),
            lambda: box.__setitem__("colour", Colour.BLUE),
        ],
    )


# ---- layers and modes


class Net(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.lin, self.drop, self.mode, self.opt = vt.nn.Linear(3, 3), vt.nn.Dropout(0.0), "a", None
        self.several = vt.nn.LayerList([vt.nn.Linear(3, 3)])
        self.register_buffer("offset", vt.ones([3]))

    def forward(self, x: Any) -> Any:
        y = self.lin(x.reshape([1, 3]))
        if self.training:
            y = y + 1
        if self.mode == "b":
            y = y * 2
        for layer in self.several:
            y = layer(y)
        return self.drop(y) + self.offset + (self.opt or 0.0)


@case
def modes_and_attributes_of_layers() -> Case:
    net = Net()
    return (
        lambda x: net(x),
        [
            net.eval,
            net.train,
            net.drop.eval,
            lambda: setattr(net, "mode", "b"),
            lambda: setattr(net, "opt", 2.0),
            lambda: setattr(net, "opt", None),
        ],
    )


@case
def parts_of_layers() -> Case:
    net = Net()
    return (
        lambda x: net(x),
        [
            lambda: net.several.append(vt.nn.Linear(3, 3)),
            lambda: setattr(net, "lin", vt.nn.Linear(3, 3, bias_attr=False)),
            lambda: setattr(net.lin, "weight", net.lin.create_parameter([3, 3])),
            lambda: setattr(net, "offset", vt.full([3], 4.0)),
            lambda: setattr(net, "offset", vt.full([1], 4.0)),
            lambda: setattr(net.lin.weight, "stop_gradient", True),
            lambda: setattr(net, "forward", lambda x: x * 0 + 9),
        ],
    )


@case
def hooks_before_and_after() -> Case:
    net, held = Net(), list[Any]()
    return (
        lambda x: net(x),
        [
            lambda: held.append(net.register_forward_post_hook(lambda layer, given, out: out * 2)),
            lambda: held.append(net.lin.register_forward_post_hook(lambda layer, given, out: out * 3)),
            lambda: held[0].remove(),
            lambda: held[1].remove(),
            lambda: held.append(net.lin.register_forward_pre_hook(lambda layer, given: (given[0] + 1,))),
        ],
    )


@case
def the_default_dtype() -> Case:
    return (
        lambda x: vt.to_tensor(1.5) + vt.zeros([2]),
        [lambda: vt.set_default_dtype("float64"), lambda: vt.set_default_dtype("float32")],
    )


@pytest.mark.filterwarnings("ignore::vitrify.jit.RecompileWarning")
@pytest.mark.parametrize("name", CASES)
def test_a_change_is_seen(name: str) -> None:
    fn, changes = CASES[name]()
    compiled = vt.to_static(fn)
    for number, change in enumerate([lambda: None, *changes]):
        change()
        assert _plain(compiled(_input())) == _plain(fn(_input())), f"after change {number}\n{compiled.explain()}"
        count = compiled.get_traced_count()
        compiled(_input())
        assert compiled.get_traced_count() == count, f"traced in vain after change {number}\n{compiled.explain()}"


def test_gradient_mode_is_seen() -> None:
    fn = vt.to_static(lambda x: x * 2 if vt.is_grad_enabled() else x * 3)
    assert fn(_input()).tolist()[0] == 2.0
    with vt.no_grad():
        assert fn(_input()).tolist()[0] == 3.0


def test_counters_of_functions_and_slots() -> None:
    class Slotted:
        __slots__ = ("n",)

        def __init__(self) -> None:
            self.n = 0

    def made() -> tuple[Any, Any]:
        thing = Slotted()

        def fn(x: Any) -> Any:
            fn.calls += 1  # type: ignore[attr-defined]
            thing.n += 2
            return x * fn.calls  # type: ignore[attr-defined]

        fn.calls = 0  # type: ignore[attr-defined]
        return fn, thing

    (ours, slotted), (eager, other) = made(), made()
    compiled = vt.to_static(ours)
    for _ in range(4):
        assert compiled(_input()).tolist() == eager(_input()).tolist()
    assert (ours.calls, slotted.n) == (eager.calls, other.n) == (4, 8)
    assert compiled.get_traced_count() == 1


def test_explain_names_values_and_lines() -> None:
    fn = vt.to_static(lambda x: x * 2 if MODE == "a" else x * 3)
    fn(_input())
    put("MODE", "b")()
    fn(_input())
    text = fn.explain()
    assert "global MODE was 'a', now 'b'" in text
    assert "read at test_mutations.py:" in text
    miss = fn.misses[-1]
    assert (miss.number, miss.seconds > 0, "MODE" in miss.reason) == (2, True, True)
