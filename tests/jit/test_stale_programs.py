"""What a program was made of is replaced: methods, classes, functions, hooks. The next call does what eager mode does."""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.changes import layer_epoch


def t(*values: float) -> Any:
    return vt.to_tensor(list(values), dtype="float32")


Change = Callable[[], None]
Case = tuple[Callable[[Any], Any], Change]
CASES: dict[str, Callable[[Any], Case]] = {}


def case(make: Callable[[Any], Case]) -> Callable[[Any], Case]:
    """A function with what changes under it; `patch` sets attributes until the test ends."""
    CASES[make.__name__.removeprefix("_").replace("_", " ")] = make
    return make


def five(self: Any, x: Any) -> Any:
    return x * 5


class Plain(nn.Layer):
    def forward(self, x: Any) -> Any:
        return x


def _layer(kind: type | None = None, base: type = nn.Layer) -> Any:
    class Made(base):  # type: ignore[misc,valid-type]
        def forward(self, x: Any) -> Any:
            return x

    return (kind or Made)()


@case
def _forward_of_an_instance(patch: Any) -> Case:
    layer = nn.Linear(2, 2)
    return (lambda x: layer(x)), lambda: setattr(layer, "forward", lambda x: x * 5)


@case
def _what_a_dict_makes_of_missing_keys(patch: Any) -> Case:
    factors: Any = collections.defaultdict(lambda: 2.0)

    def change() -> None:
        factors.clear()
        factors.default_factory = lambda: 7.0

    return (lambda x: x * factors["first"]), change


@case
def _forward_of_a_class_of_the_library(patch: Any) -> Case:
    layer = nn.ReLU()
    return (lambda x: layer(x)), lambda: patch(nn.ReLU, "forward", five)


@case
def _forward_of_a_class(patch: Any) -> Case:
    layer = _layer()
    return (lambda x: layer(x)), lambda: setattr(type(layer), "forward", five)


@case
def _forward_added_to_a_subclass(patch: Any) -> Case:
    class Made(nn.ReLU):
        pass

    layer = Made()
    return (lambda x: layer(x)), lambda: setattr(Made, "forward", five)


@case
def _forward_taken_away(patch: Any) -> Case:
    class Made(nn.ReLU):
        def forward(self, x: Any) -> Any:
            return x * 5

    layer = Made()
    return (lambda x: layer(x)), lambda: delattr(Made, "forward")


@case
def _forward_of_a_mixin(patch: Any) -> Case:
    class Mixin:
        def forward(self, x: Any) -> Any:
            return x

    class Made(Mixin, nn.Layer):
        pass

    layer = Made()
    return (lambda x: layer(x)), lambda: setattr(Mixin, "forward", five)


@case
def _class_of_a_layer(patch: Any) -> Case:
    layer = _layer()

    class Other(nn.Layer):
        def forward(self, x: Any) -> Any:
            return x * 5

    return (lambda x: layer(x)), lambda: setattr(layer, "__class__", Other)


@case
def _class_of_a_layer_of_the_library(patch: Any) -> Case:
    layer = nn.ReLU()
    return (lambda x: layer(x)), lambda: setattr(layer, "__class__", nn.Tanh)


@case
def _call_of_all_layers(patch: Any) -> Case:
    layer = nn.ReLU()
    return (lambda x: layer(x)), lambda: patch(nn.Layer, "__call__", five)


@case
def _call_of_a_layer(patch: Any) -> Case:
    layer = _layer()
    return (lambda x: layer(x)), lambda: setattr(type(layer), "__call__", five)


@case
def _base_forward_by_super(patch: Any) -> Case:
    class Base(nn.Layer):
        def forward(self, x: Any) -> Any:
            return x

    class Made(Base):
        def forward(self, x: Any) -> Any:
            return super().forward(x) + 1

    layer = Made()
    return (lambda x: layer(x)), lambda: setattr(Base, "forward", five)


@case
def _base_forward_of_the_library_by_super(patch: Any) -> Case:
    class Made(nn.ReLU):
        def forward(self, x: Any) -> Any:
            return super().forward(x) + 1

    layer = Made()
    return (lambda x: layer(x)), lambda: patch(nn.ReLU, "forward", five)


@case
def _layer_in_a_table(patch: Any) -> Case:
    outer = nn.Sequential(nn.ReLU())
    other = _layer()
    type(other).forward = five
    return (lambda x: outer(x)), lambda: outer._sub_layers.__setitem__("0", other)


@case
def _hook(patch: Any) -> Case:
    layer = nn.ReLU()
    return (lambda x: layer(x)), lambda: layer.register_forward_post_hook(lambda _, i, y: y * 5)


class Thing:
    """A class of the user's, with much that Python looks up by itself."""

    k = 2.0

    def g(self, x: Any) -> Any:
        return x

    def __call__(self, x: Any) -> Any:
        return x

    def __mul__(self, x: Any) -> Any:
        return x

    def __getitem__(self, key: Any) -> Any:
        return 2.0

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Any:
        return iter([2.0])

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: Any) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, item: Any) -> bool:
        return False

    def __enter__(self) -> Any:
        return 2.0

    def __exit__(self, *_: Any) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return 2.0

    @property
    def size(self) -> float:
        return 2.0

    @staticmethod
    def still(x: Any) -> Any:
        return x

    @classmethod
    def of(cls, x: Any) -> Any:
        return x


def _inside(x: Any, thing: Any) -> Any:
    with thing as k:
        return x * k


USES: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    "g": (lambda x, o: o.g(x), five),
    "__call__": (lambda x, o: o(x), five),
    "__mul__": (lambda x, o: o * x, five),
    "__getitem__": (lambda x, o: x * o[0], lambda self, k: 5.0),
    "__len__": (lambda x, o: x * len(o), lambda self: 5),
    "__iter__": (lambda x, o: sum(k * x for k in o), lambda self: iter([5.0])),
    "__bool__": (lambda x, o: x * 5 if o else x, lambda self: True),
    "__eq__": (lambda x, o: x * 5 if o == 3 else x, lambda self, other: True),
    "__contains__": (lambda x, o: x * 5 if 3 in o else x, lambda self, item: True),
    "__enter__": (_inside, lambda self: 5.0),
    "__getattr__": (lambda x, o: x * o.missing, lambda self, name: 5.0),
    "__getattribute__": (lambda x, o: x * o.k, lambda self, name: 5.0),
    "__init__": (lambda x, o: x * type(o)().k, lambda self: self.__dict__.update(k=5.0)),
    "size": (lambda x, o: x * o.size, property(lambda self: 5.0)),
    "still": (lambda x, o: o.still(x), staticmethod(lambda x: x * 5)),
    "of": (lambda x, o: type(o).of(x), classmethod(lambda cls, x: x * 5)),
}


@pytest.mark.parametrize("name", USES)
def test_a_method_of_a_plain_class_is_replaced(name: str) -> None:
    use, new = USES[name]
    kind = type("Copy", (), {k: v for k, v in vars(Thing).items() if k not in ("__dict__", "__weakref__")})
    thing = kind()

    def fn(x: Any) -> Any:
        return use(x, thing)

    compiled, x = vt.jit.to_static(fn), t(1.0, 2.0)
    for _ in range(2):
        assert compiled(x).tolist() == fn(x).tolist()
    before = fn(x).tolist()
    setattr(kind, name, new)
    expected = fn(x).tolist()
    assert expected != before
    for _ in range(2):
        assert compiled(x).tolist() == expected


@case
def _class_of_an_object(patch: Any) -> Case:
    class A:
        def g(self, x: Any) -> Any:
            return x

    class B:
        def g(self, x: Any) -> Any:
            return x * 5

    thing = A()
    return (lambda x: thing.g(x)), lambda: setattr(thing, "__class__", B)


@case
def _base_method_by_super(patch: Any) -> Case:
    class Base:
        def g(self, x: Any) -> Any:
            return x

    class A(Base):
        def g(self, x: Any) -> Any:
            return super().g(x) + 1

    thing = A()
    return (lambda x: thing.g(x)), lambda: setattr(Base, "g", five)


@case
def _bases_of_a_class(patch: Any) -> Case:
    class One:
        def g(self, x: Any) -> Any:
            return x

    class Two:
        def g(self, x: Any) -> Any:
            return x * 5

    class A(One):
        pass

    thing = A()
    return (lambda x: thing.g(x)), lambda: setattr(A, "__bases__", (Two,))


@case
def _getter_of_a_descriptor(patch: Any) -> Case:
    class Two:
        def __get__(self, owner: Any, kind: Any) -> float:
            return 2.0

    class A:
        k = Two()

    thing = A()
    return (lambda x: x * thing.k), lambda: setattr(Two, "__get__", lambda *_: 5.0)


@case
def _descriptor(patch: Any) -> Case:
    class Number:
        def __init__(self, k: float) -> None:
            self.k = k

        def __get__(self, owner: Any, kind: Any) -> float:
            return self.k

    class A:
        k = Number(2.0)

    thing = A()
    return (lambda x: x * thing.k), lambda: setattr(A, "k", Number(5.0))


@case
def _metaclass(patch: Any) -> Case:
    class Meta(type):
        def __instancecheck__(cls, item: Any) -> bool:
            return False

    class A(metaclass=Meta):
        pass

    return (lambda x: x * 5 if isinstance(3, A) else x), lambda: setattr(Meta, "__instancecheck__", lambda *_: True)


@case
def _attribute_of_an_instance_over_a_method(patch: Any) -> Case:
    thing = Thing()
    return (lambda x: thing.g(x)), lambda: thing.__dict__.update(g=lambda x: x * 5)


@case
def _function_of_a_module(patch: Any) -> Case:
    module = types.ModuleType("users_module")
    module.g = lambda x: x  # type: ignore[attr-defined]
    return (lambda x: module.g(x)), lambda: setattr(module, "g", lambda x: x * 5)


@case
def _global_function(patch: Any) -> Case:
    def fn(x: Any) -> Any:
        return _one(x)

    return fn, lambda: patch(fn.__globals__, "_one", lambda x: x * 5)


def _one(x: Any) -> Any:
    return x


@case
def _defaults(patch: Any) -> Case:
    def fn(x: Any, k: float = 2.0) -> Any:
        return x * k

    return fn, lambda: setattr(fn, "__defaults__", (5.0,))


@case
def _keyword_defaults(patch: Any) -> Case:
    def fn(x: Any, *, k: float = 2.0) -> Any:
        return x * k

    assert fn.__kwdefaults__ is not None
    return fn, lambda: fn.__kwdefaults__.update(k=5.0)  # type: ignore[union-attr]


@case
def _code(patch: Any) -> Case:
    def fn(x: Any) -> Any:
        return x

    def other(x: Any) -> Any:
        return x * 5

    return fn, lambda: setattr(fn, "__code__", other.__code__)


@case
def _code_of_a_method(patch: Any) -> Case:
    class A:
        def g(self, x: Any) -> Any:
            return x

    thing = A()
    return (lambda x: thing.g(x)), lambda: setattr(A.g, "__code__", five.__code__)


@case
def _cell(patch: Any) -> Case:
    def inner(x: Any) -> Any:
        return x

    def fn(x: Any) -> Any:
        return inner(x)

    def change() -> None:
        nonlocal inner
        inner = lambda x: x * 5  # noqa: E731

    return fn, change


@case
def _what_a_partial_holds(patch: Any) -> Case:
    held = functools.partial(lambda x, k: x * k, k=2.0)
    return (lambda x: held(x)), lambda: held.keywords.update(k=5.0)


@case
def _what_a_decorator_wraps(patch: Any) -> Case:
    def around(fn: Any) -> Any:
        @functools.wraps(fn)
        def inner(x: Any) -> Any:
            return fn(x)

        return inner

    made = around(_one)
    return (lambda x: made(x)), lambda: setattr(made.__closure__[0], "cell_contents", lambda x: x * 5)


@pytest.mark.parametrize("name", CASES)
def test_what_is_replaced_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def patch(owner: Any, key: str, value: Any) -> None:
        (monkeypatch.setitem if isinstance(owner, dict) else monkeypatch.setattr)(owner, key, value)

    fn, change = CASES[name](patch)
    compiled, x = vt.jit.to_static(fn), t(-1.0, 2.0)
    for _ in range(2):
        before = fn(x).tolist()
        np.testing.assert_allclose(compiled(x).numpy(), before, rtol=1e-6)  # kernels' tanh is good to 3 ulp
    change()
    expected = fn(x).tolist()
    assert expected != before
    for _ in range(2):
        np.testing.assert_allclose(compiled(x).numpy(), expected, rtol=1e-6)


def test_guards_of_layers_cost_a_warm_call_one_comparison() -> None:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = nn.Linear(2, 2), nn.ReLU()

        def forward(self, x: Any) -> Any:
            return self.b(self.a(x))

    net = Net()
    net.eval()
    compiled = vt.jit.to_static(lambda x: net(x))
    with vt.no_grad():
        compiled(t(1.0, 2.0))
        entry = compiled._last
        assert entry is not None
        unlayered = [
            f for f in entry.guards.assumptions if not f.layered and f.kind not in ("code", "cell", "call", "item")
        ]
        assert unlayered == []
        compiled(t(1.0, 2.0))
    assert entry.guards.epoch == layer_epoch.value, "they are looked at only when this count has moved"


def test_a_change_of_another_layer_class_makes_no_new_program() -> None:
    layer = nn.ReLU()
    compiled = vt.jit.to_static(lambda x: layer(x))
    compiled(t(1.0))

    class Other(nn.Layer):
        pass

    Other.forward = five  # type: ignore[assignment]
    compiled(t(1.0))
    assert compiled.get_traced_count() == 1


def test_layers_may_be_abstract_and_generic_and_have_a_metaclass() -> None:
    from abc import ABC, abstractmethod
    from typing import Generic, TypeVar

    T = TypeVar("T")

    class Meta(type(nn.Layer)):  # type: ignore[misc]
        pass

    class Base(nn.Layer, ABC, Generic[T]):
        @abstractmethod
        def forward(self, x: Any) -> Any: ...

    class Made(Base[int], metaclass=Meta):
        def forward(self, x: Any) -> Any:
            return x * 2

    with pytest.raises(TypeError, match="abstract"):
        Base()  # type: ignore[abstract]
    assert isinstance(Made(), nn.Layer) and issubclass(Made, nn.Layer) and not isinstance(3, nn.Layer)
    assert vt.jit.to_static(Made())(t(1.0)).tolist() == [2.0]
