"""Attributes that an object has from its class, or by code of its class, until a path of the function sets them."""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn

Run = Callable[[Any], Any]
FORMS: list[Callable[[Run], Any]] = []


def form(fn: Callable[[Run], Any]) -> Callable[[Run], Any]:
    FORMS.append(fn)
    return fn


def calls(g: Any, values: Any, state: Callable[[], Any] = lambda: None) -> Any:
    return [(float(g(vt.to_tensor(v))), state()) for v in values]


def own(x: Any) -> dict[str, float]:
    return {k: float(v) for k, v in vars(x).items()}


@form
def default(run: Run) -> Any:
    class Settings:
        scale = 1.0

    c = Settings()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.scale = 2.0
        return x * c.scale

    found = []
    for v, now in ((1.0, 1.0), (1.0, 10.0), (3.0, 10.0), (1.0, 5.0)):
        Settings.scale = now
        found.append((float(f(vt.to_tensor(v))), own(c), c.scale))
    return found


@form
def tensor(run: Run) -> Any:
    class Settings:
        k: Any = vt.to_tensor(5.0)

    c = Settings()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.k = c.k + x
        return x * c.k

    found = calls(f, (1.0, 2.0, 1.0, 2.0), lambda: own(c))
    Settings.k = vt.to_tensor(7.0)
    del c.k
    return found + calls(f, (1.0, 2.0, 1.0, 2.0), lambda: own(c))


@form
def deleted(run: Run) -> Any:
    class Settings:
        scale = 1.0

    c = Settings()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            del c.scale
        return x * c.scale

    found = []
    for value in (3.0, 4.0):
        c.scale = value
        found += calls(f, (1.0, 2.0), lambda: own(c))
    return found


@form
def the_same_value(run: Run) -> Any:
    class Settings:
        scale = 1.0

    c = Settings()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.scale = c.scale
        return x * c.scale

    return calls(f, (1.0, 2.0, 1.0), lambda: own(c))


@form
def of_a_class(run: Run) -> Any:
    class Base:
        n = 1

    class Derived(Base):
        pass

    @run
    def f(x: Any) -> Any:
        if x > 1:
            Derived.n = 2
        return x * Derived.n

    found = []
    for v, n in ((1.0, 1), (1.0, 3), (2.0, 3), (1.0, 4)):
        Base.n = n
        found.append((float(f(vt.to_tensor(v))), "n" in vars(Derived), Derived.n))
    return found


@form
def of_a_module(run: Run) -> Any:
    @run
    def f(x: Any) -> Any:
        if x > 1:
            settings.q = 3.0
        return x * settings.q

    vars(settings).pop("q", None)
    return calls(f, (1.0, 1.0, 2.0, 1.0), lambda: "q" in vars(settings))


def _defaults(name: str) -> float:
    if name.startswith("__"):
        raise AttributeError(name)
    return 5.0


settings: Any = types.ModuleType("settings_of_mine")
vars(settings)["__getattr__"] = _defaults


@form
def made_up(run: Run) -> Any:
    class Stats:
        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return 0.0

    w = Stats()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            w.best = x
        return w.best + 0.0 * x

    return calls(f, (1.0, 1.0, 2.0, 1.0), lambda: own(w))


@form
def in_slots(run: Run) -> Any:
    class Stats:
        __slots__ = ("__dict__", "n")

        def __getattr__(self, name: str) -> Any:
            if name == "n":
                return 7.0
            raise AttributeError(name)

    c: Any = Stats()
    member: Any = vars(Stats)["n"]

    def held() -> Any:
        try:
            return member.__get__(c)
        except AttributeError:
            return None

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.n = 2.0
        return x * c.n

    return calls(f, (1.0, 1.0, 2.0, 1.0), held)


@form
def setter(run: Run) -> Any:
    seen = []

    class Told:
        n: Any = 1.0

        def __setattr__(self, name: str, value: Any) -> None:
            seen.append(name)
            object.__setattr__(self, name, value)

    c = Told()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.n = x
        return x * c.n

    return calls(f, (1.0, 1.0, 2.0, 1.0, 3.0), lambda: (list(seen), own(c)))


@form
def setter_into_a_table(run: Run) -> Any:
    class Table:
        def __init__(self) -> None:
            object.__setattr__(self, "table", {})

        def __setattr__(self, name: str, value: Any) -> None:
            self.table[name] = value  # type: ignore[attr-defined]

        def __getattr__(self, name: str) -> Any:
            if name in self.__dict__["table"]:
                return self.__dict__["table"][name]
            raise AttributeError(name)

    c: Any = Table()
    c.n = 1.0

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.n = x
        return x * c.n

    return calls(f, (1.0, 1.0, 2.0, 1.0, 3.0), lambda: {k: float(v) for k, v in c.table.items()})


class AttrDict(dict):  # type: ignore[type-arg]
    """A dict whose items are attributes."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__  # type: ignore[assignment]
    __delattr__ = dict.__delitem__  # type: ignore[assignment]


@form
def items_as_attributes(run: Run) -> Any:
    c: Any = AttrDict(w=1.0)

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.best = x
        if x > 2:
            del c.w
        return x * (c.best if "best" in c else 7.0)

    return calls(f, (0.0, 1.0, 2.0, 0.0, 3.0), lambda: {k: float(v) for k, v in c.items()})


@form
def items_as_attributes_in_a_loop(run: Run) -> Any:
    c: Any = AttrDict(n=0)

    @run
    def f(x: Any) -> Any:
        for v in x:
            if v > 0:
                c.n += 1
                c.best = v
        return x.sum() * c.n

    rows = ([-1.0, -1.0, -1.0], [-1.0, 2.0, 3.0], [-1.0, 2.0, -3.0])
    return calls(f, rows, lambda: {k: float(v) for k, v in c.items()})


class Gain(nn.Layer):
    gain = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", vt.to_tensor(0.0))

    def forward(self, x: Any) -> Any:
        if x > 1:
            self.gain = 2.0
            self.b = self.b + x
        return x * self.gain + self.b


class GainWithSetter(Gain):
    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)


@form
def layer(run: Run) -> Any:
    m = Gain()
    return calls(run(m), (1.0, 1.0, 2.0, 1.0, 3.0), lambda: ("gain" in vars(m), float(m.b)))


@form
def layer_with_a_setter(run: Run) -> Any:
    m = GainWithSetter()
    return calls(run(m), (1.0, 1.0, 2.0, 1.0, 3.0), lambda: ("gain" in vars(m), float(m.b)))


@form
def rows(run: Run) -> Any:
    class Count:
        n = 0

    c = Count()

    @run
    def f(x: Any) -> Any:
        for v in x:
            if v > 0:
                c.n += 1
        return x.sum() * c.n

    return calls(f, ([-1.0, -1.0, -1.0], [-1.0, 2.0, 3.0], [-1.0, 2.0, 3.0]), lambda: own(c))


@form
def loop(run: Run) -> Any:
    class Count:
        n: Any = 0.0

    c = Count()

    @run
    def f(x: Any) -> Any:
        while x > 0:
            x = x - 1
            c.n = c.n + x
        return x + c.n

    return calls(f, (-1.0, 0.0, 5.0, 1.0, 6.0), lambda: own(c))


@form
def loop_with_a_condition(run: Run) -> Any:
    class Count:
        n: Any = 0.0

    c = Count()

    @run
    def f(x: Any) -> Any:
        while x > 0:
            x = x - 1
            if x > 2:
                c.n = c.n + x
        return x + c.n

    return calls(f, (1.0, 2.0, 5.0, 1.0, 6.0), lambda: own(c))


@form
def function(run: Run) -> Any:
    class Unit:
        act = staticmethod(lambda x: x * 3)

    c: Any = Unit()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.act = lambda x: x * 7
        return c.act(x)

    return calls(f, (1.0, 1.0, 2.0, 1.0), lambda: sorted(vars(c)))


@form
def dataclass(run: Run) -> Any:
    @dataclasses.dataclass
    class Settings:
        n: float = 1.0
        extra = 2.0

    @run
    def f(x: Any, c: Any) -> Any:
        if x > 1:
            c.n = 3.0
            c.extra = 4.0
        return x * c.n * c.extra

    c, d = Settings(), Settings()
    calls_of = ((1.0, c), (1.0, d), (2.0, c), (1.0, d), (1.0, c))
    return [(float(f(vt.to_tensor(v), x)), own(c), own(d)) for v, x in calls_of]


@form
def argument(run: Run) -> Any:
    class Settings:
        n = 1.0

    @run
    def f(x: Any, c: Any) -> Any:
        if x > 1:
            c.n = 3.0
        return x * c.n

    c, d = Settings(), Settings()
    calls_of = ((1.0, c), (1.0, d), (2.0, c), (1.0, d), (1.0, c))
    return [(float(f(vt.to_tensor(v), x)), own(c), own(d)) for v, x in calls_of]


@form
def asked_for(run: Run) -> Any:
    class Settings:
        n = 1.0

    c = Settings()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.n = 3.0
        return (x * 2 if "n" in vars(c) else x) + (1 if "n" in c.__dict__ else 0)

    return calls(f, (1.0, 1.0, 2.0, 1.0), lambda: own(c))


@form
def new_object(run: Run) -> Any:
    class Settings:
        n: Any = 1.0

    @run
    def f(x: Any) -> Any:
        c = Settings()
        if x > 1:
            c.n = x
        return c

    return [own(f(vt.to_tensor(v))) for v in (1.0, 2.0, 1.0)]


@form
def two(run: Run) -> Any:
    class Settings:
        a: Any = 1.0
        b = 2.0

    c = Settings()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.a = x
        if x > 2:
            c.b = 5.0
        else:
            c.a = c.b
        return x * c.a + c.b

    return calls(f, (0.0, 1.0, 2.0, 3.0, 1.0, 0.0), lambda: own(c))


@form
def property_with_a_setter(run: Run) -> Any:
    class Settings:
        _n: Any = 1.0

        @property
        def n(self) -> Any:
            return self._n

        @n.setter
        def n(self, value: Any) -> None:
            self._n = value

    c = Settings()

    @run
    def f(x: Any) -> Any:
        if x > 1:
            c.n = x
        return x * c.n

    return calls(f, (0.0, 1.0, 2.0, 0.0, 3.0), lambda: own(c))


def lazy(run: Run, forget: Callable[[Any], Any], *, had: bool) -> Any:
    seen = []

    class Square:
        def __init__(self) -> None:
            self.k = vt.to_tensor(2.0)

        @functools.cached_property
        def sq(self) -> Any:
            seen.append("computed")
            return self.k * self.k

    w = Square()
    if had:
        _ = w.sq

    @run
    def f(x: Any) -> Any:
        if x > 1:
            return w.sq * x
        w.k = w.k + 1
        forget(w)
        return x

    values = (2.0, 0.0, 3.0, 0.0, 2.0) if had else (2.0, 0.0, 3.0, 2.0)
    return calls(f, values, lambda: ("sq" in vars(w), float(w.k), len(seen)))


def _popped(w: Any) -> None:
    w.__dict__.pop("sq", None)


def _deleted(w: Any) -> None:
    del w.sq


@form
def forgotten(run: Run) -> Any:
    return lazy(run, _popped, had=False)


@form
def forgotten_by_del(run: Run) -> Any:
    return lazy(run, _deleted, had=True)


@form
def not_computed_by_looking(run: Run) -> Any:
    """A check before a call doesn't compute an attribute again that other code has forgotten."""
    seen = []

    class Square:
        k = 3.0

        @functools.cached_property
        def sq(self) -> float:
            seen.append(self.k)
            return self.k * self.k

    w = Square()
    _ = w.sq

    @run
    def f(x: Any, wanted: bool) -> Any:
        return x * w.sq if wanted else x

    found = []
    for wanted, keep in ((True, True), (False, True), (False, False), (False, False), (True, True)):
        if not keep:
            w.__dict__.pop("sq", None)
        found.append((float(f(vt.to_tensor(2.0), wanted)), list(seen), "sq" in vars(w)))
    return found


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_a_path_that_sets_nothing_leaves_it_to_the_class(form: Callable[[Run], Any]) -> None:
    assert form(vt.to_static) == form(lambda f: f)
