"""Numbers in tuples, dataclasses and fresh containers that a function or its caller replaces: inputs of one program."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import vitrify as vt

pytestmark = pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")

CONFIG: Any = (0.5, 2)  # a global that the caller replaces
COUNTED: Any = (None, 0)  # one that the function replaces
START = (1, 2)


class Pair(NamedTuple):
    h: Any
    n: Any


@dataclasses.dataclass
class State:
    h: Any
    n: Any

    def stepped(self, x: Any) -> State:
        return State(self.h + x, self.n + 1)


@dataclasses.dataclass(frozen=True)
class Frozen:
    h: Any
    n: Any


@dataclasses.dataclass(slots=True)
class Slotted:
    h: Any
    n: Any


class Object:
    """What a function keeps its state in."""

    def __init__(self, s: Any = None) -> None:
        self.s = s
        self.other: Any = None


def zeros() -> Any:
    return vt.zeros([2])


def shown(value: Any) -> Any:
    """A value with the classes of all that is in it."""
    if isinstance(value, vt.Tensor):
        return str(value.dtype), value.tolist()
    if isinstance(value, (list, tuple, deque)):
        return type(value).__name__, [shown(v) for v in value]
    if isinstance(value, dict):
        return type(value).__name__, [(k, shown(v)) for k, v in value.items()]
    if dataclasses.is_dataclass(value):
        return type(value).__name__, [shown(getattr(value, f.name)) for f in dataclasses.fields(value)]
    return type(value).__name__, repr(value)


def nothing(o: Object, k: int) -> None:
    """The function alone changes the object."""


def calls(fn: Callable[..., Any], o: Object, outside: Callable[[Object, int], None], count: int = 8) -> list[Any]:
    found = []
    for k in range(count):
        outside(o, k)
        result = fn(o, vt.to_tensor([float(k % 3), 1.0]))
        found.append((shown(result), shown(o.s), shown(o.other)))
    return found


def agree(
    fn: Callable[..., Any], make: Callable[[], Any], outside: Callable[[Object, int], None] = nothing,
    most: int | None = None,
) -> Any:  # fmt: skip
    """Eager and compiled calls give the same; most: programs."""
    compiled = vt.to_static(fn)
    assert calls(compiled, Object(make()), outside) == calls(fn, Object(make()), outside)
    assert most is None or compiled.get_traced_count() <= most, compiled.explain()
    return compiled


def a_tuple(o: Any, x: Any) -> Any:
    h, n = o.s
    h = h + x * n
    o.s = (h, n + 1)
    return h


def a_named_tuple(o: Any, x: Any) -> Any:
    o.s = o.s._replace(h=o.s.h + x, n=o.s.n + 1)
    return o.s.h * o.s.n


def a_dataclass(o: Any, x: Any) -> Any:
    o.s = type(o.s)(o.s.h + x * o.s.n, o.s.n + 1)
    return o.s.h


def replaced_in_part(o: Any, x: Any) -> Any:
    o.s = dataclasses.replace(o.s, n=o.s.n + 1)
    return o.s.h + x * o.s.n


def by_a_method(o: Any, x: Any) -> Any:
    o.s = o.s.stepped(x)
    return o.s.h * o.s.n


def a_dict(o: Any, x: Any) -> Any:
    o.s = {"h": o.s["h"] + x * o.s["n"], "n": o.s["n"] + 1}
    return o.s["h"]


def a_list(o: Any, x: Any) -> Any:
    o.s = [o.s[0] + x * o.s[1], o.s[1] + 1]
    return o.s[0]


def an_item(o: Any, x: Any) -> Any:
    mean, n = o.s["a"]
    o.s["a"] = ((mean * n + x) / (n + 1), n + 1)
    return o.s["a"][0] + o.s["b"][1]


def numbers_alone(o: Any, x: Any) -> Any:
    a, b = o.s
    o.s = (a + 1, b * 0.5)
    return x * a + b


def nested(o: Any, x: Any) -> Any:
    (a, b), items, d = o.s
    o.s = ((a + 1, b), [items[0] + 1, (items[1][0], items[1][1] * 2)], {"k": (d["k"][0] + 1, d["k"][1])})
    return x * a + items[0] + items[1][1] + d["k"][0]


def under_a_condition(o: Any, x: Any) -> Any:
    h, n = o.s
    if x.sum() > 1.5:
        o.s = (h + x, n + 1)
    return h * n


def counted_loop(o: Any, x: Any) -> Any:
    h, n = o.s
    for k in range(n):
        h = h + x * k
    o.s = (h, n + 1)
    return h


def compared(o: Any, x: Any) -> Any:
    a, b = o.s
    y = x * 2 if o.s == (3, 0.5) else x
    o.s = (a + 1, b)
    return y if 5 not in o.s else -y


ONE_PROGRAM: list[tuple[Any, Callable[[], Any]]] = [
    (a_tuple, lambda: (zeros(), 0)),
    (a_named_tuple, lambda: Pair(zeros(), 0)),
    (a_dataclass, lambda: State(zeros(), 0)),
    (a_dataclass, lambda: Frozen(zeros(), 0)),
    (a_dataclass, lambda: Slotted(zeros(), 0)),
    (a_dataclass, lambda: State(0.25, 0)),
    (replaced_in_part, lambda: Frozen(zeros(), 0)),
    (by_a_method, lambda: State(zeros(), 0)),
    (a_dict, lambda: {"h": zeros(), "n": 0}),
    (a_list, lambda: [zeros(), 0]),
    (an_item, lambda: {"a": (zeros(), 0), "b": (zeros(), 3)}),
    (numbers_alone, lambda: (1, 0.5)),
    (nested, lambda: ((1, 2), [3, (4, 5.5)], {"k": (6, 7)})),
    (under_a_condition, lambda: (zeros(), 1)),
    (counted_loop, lambda: (zeros(), 0)),
    (compared, lambda: (1, 0.5)),
]  # fmt: skip


@pytest.mark.parametrize(("fn", "make"), ONE_PROGRAM, ids=lambda v: getattr(v, "__name__", ""))
def test_numbers_that_the_function_replaces_make_two_programs(fn: Any, make: Any) -> None:
    agree(fn, make, most=2)


def axis(o: Any, x: Any) -> Any:
    h, n = o.s
    o.s = (h, (n + 1) % 2)
    return vt.stack([x, x * 2]).sum(axis=n)


def shape(o: Any, x: Any) -> Any:
    h, n = o.s
    o.s = (h, n + 1)
    return vt.ones([n + 1, 2]) * x


def key(o: Any, x: Any) -> Any:
    h, n = o.s
    o.s = (h, (n + 1) % 3)
    return x * {0: 1.5, 1: 2.5, 2: 3.5}[n]


def text(o: Any, x: Any) -> Any:
    h, n = o.s
    o.s = (h, n + 1)
    return x, f"{n}", str(o.s[1])


def hashed(o: Any, x: Any) -> Any:
    o.s = (o.s[0], o.s[1] + 1)
    return x * {(1.0, 2): 3.0}.get(o.s, 0.5)


def types_change(o: Any, x: Any) -> Any:
    a, b = o.s
    o.s = (b, a + 1)
    return x * a + b


def flags_change(o: Any, x: Any) -> Any:
    a, b = o.s
    o.s = (not a if b > 2 else a, b + 1)
    return x * b if a else x - b


@pytest.mark.parametrize("fn", [axis, shape, key, text, hashed], ids=lambda fn: fn.__name__)
def test_where_the_number_itself_is_needed_it_is_guarded(fn: Any) -> None:
    agree(fn, lambda: (1.0, 0))


def test_ints_floats_and_bools_stay_what_they_are() -> None:
    agree(types_change, lambda: (1, 2.0), most=4)
    agree(flags_change, lambda: (True, 0), most=4)


def read(o: Any, x: Any) -> Any:
    return x * o.s[0] + o.s[1]


def read_attributes(o: Any, x: Any) -> Any:
    return x * o.s.h + o.s.n


def read_keys(o: Any, x: Any) -> Any:
    return x * o.s["h"] + o.s["n"]


@pytest.mark.parametrize(
    ("fn", "make"),
    [
        (read, lambda a, b: (a, b)),
        (read, lambda a, b: [a, b]),
        (read_attributes, Pair),
        (read_attributes, State),
        (read_attributes, Frozen),
        (read_attributes, Slotted),
        (read_keys, lambda a, b: {"h": a, "n": b}),
    ],
)
def test_what_only_the_caller_replaces(fn: Any, make: Any) -> None:
    def outside(o: Object, k: int) -> None:
        o.s = make(0.1 * k, k + 5)

    agree(fn, lambda: make(0.1, 5), outside, most=2)


def test_the_caller_puts_other_types_and_structures_there() -> None:
    def outside(o: Object, k: int) -> None:
        if k in (2, 3):
            o.s = (vt.full([2], float(k)), 10 * k)
        elif k == 5:
            o.s = (vt.full([2], 1.0), 0.5)
        elif k == 6:
            o.s = (vt.full([2], 1.0, "float64"), True)

    agree(a_tuple, lambda: (zeros(), 0), outside)


def test_globals_and_closure_variables() -> None:
    def run(compiles: bool) -> tuple[list[Any], int]:
        global CONFIG, COUNTED
        CONFIG, COUNTED, kept = (0.5, 2), (zeros(), 0), (1, 2.5)

        def fn(x: Any) -> Any:
            nonlocal kept
            global COUNTED
            kept = (kept[0] + 1, kept[1])
            COUNTED = (COUNTED[0] + x, COUNTED[1] + 1)
            return COUNTED[0] * COUNTED[1] + CONFIG[0] * kept[0] + CONFIG[1]

        used, found = vt.to_static(fn) if compiles else fn, []
        for k in range(6):
            CONFIG = (0.5 * k, k)
            found.append((shown(used(vt.ones([2]) * k)), shown(COUNTED), shown(kept)))
        return found, used.get_traced_count() if compiles else 0

    (theirs, _), (ours, programs) = run(False), run(True)
    assert ours == theirs
    assert programs <= 2


def test_a_layers_attribute_and_a_classs() -> None:
    class Net(vt.nn.Layer):
        scale = (1.0, 2)

        def __init__(self) -> None:
            super().__init__()
            self.w = self.create_parameter([2])
            self.s = (0, 1.0)

        def forward(self, x: Any) -> Any:
            n, rate = self.s
            self.s = (n + 1, rate * 0.5)
            return (x + self.w * 0) * rate * self.scale[0] + n * self.scale[1]

    def run(compiles: bool) -> list[Any]:
        Net.scale = (1.0, 2)
        net, found = Net(), []
        used = vt.to_static(net) if compiles else net
        for k in range(6):
            Net.scale = (0.5 * k, k)
            found.append((shown(used(vt.ones([2]))), shown(net.s)))
        assert not compiles or net.forward.get_traced_count() <= 2
        return found

    assert run(True) == run(False)


def test_a_tuple_that_the_caller_hands_back() -> None:
    def fn(x: Any, s: Any) -> Any:
        return x * s[0] + s[1][1], (s[0] + 1, (s[1][0], s[1][1] * 0.5))

    compiled, ours, theirs = vt.to_static(fn), (1, ("a", 2.0)), (1, ("a", 2.0))
    for k in range(6):
        (a, ours), (b, theirs) = compiled(vt.ones([2]) * k, ours), fn(vt.ones([2]) * k, theirs)
        assert (shown(a), shown(ours)) == (shown(b), shown(theirs))
    assert compiled.get_traced_count() == 2


# ---- which tuple it is


def are_two_places_one(o: Any, x: Any) -> Any:
    return x * (2 if o.s is o.other else 1) * o.s[0]


def is_it_the_global(o: Any, x: Any) -> Any:
    return x * (2 if o.s is START else 1) + o.s[1]


def is_it_the_old_one(o: Any, x: Any) -> Any:
    old, o.s = o.s, (o.s[0] + 1, o.s[1])
    return x * (2 if o.s is old else 1) * (3 if old is o.other else 1) + old[0]


@pytest.mark.parametrize("fn", [are_two_places_one, is_it_the_global, is_it_the_old_one], ids=lambda fn: fn.__name__)
def test_is_between_tuples(fn: Any) -> None:
    def outside(o: Object, k: int) -> None:
        if k in (1, 4):
            o.s = (k, 2)
        elif k in (2, 6):
            o.other = o.s
        elif k == 3:
            o.other = (*o.s,)  # an equal one
        elif k in (5, 7):
            o.s = START if k == 5 else (*START,)

    agree(fn, lambda: START, outside)


def test_one_dataclass_in_two_places() -> None:
    def fn(o: Any, x: Any) -> Any:
        y = x * o.s.h + o.other.n
        return y * 2 if o.s is o.other else y

    def outside(o: Object, k: int) -> None:
        o.s = State(0.5 * k, k)
        o.other = o.s if k % 2 else State(1.0, 1)

    agree(fn, lambda: State(0.5, 0), outside)


def test_a_dataclass_that_the_function_keeps_is_the_very_object() -> None:
    def fn(o: Any, x: Any) -> Any:
        o.other = o.s
        return x * o.s.h

    compiled = vt.to_static(fn)
    o = Object()
    for k in range(4):
        given = o.s = State(0.5 * k, k)
        assert compiled(o, vt.ones([2])).tolist() == [0.5 * k] * 2
        assert o.s is given
        assert o.other is given
        given.h = 7.0
        assert compiled(o, vt.ones([2])).tolist() == [7.0] * 2


def test_a_failing_call_leaves_the_tuple() -> None:
    def fn(o: Any, x: Any) -> Any:
        n, m = o.s
        o.s = (n + 1, m)
        if n == 3:
            raise ValueError("three")
        return x * n

    o, compiled = Object((1, 2)), vt.to_static(fn)
    for _ in range(2):
        compiled(o, vt.ones([1]))
    there = o.s
    with pytest.raises(ValueError, match="three"):
        compiled(o, vt.ones([1]))
    assert o.s is there
    assert o.s == (3, 2)


def test_saving_keeps_the_numbers_of_now(tmp_path: Any) -> None:
    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.s = (1.0, 2)

        def forward(self, x: Any) -> Any:
            return x * self.s[0] + self.s[1]

    net = vt.to_static(Net())
    for k in range(4):
        net.s = (0.5 * k, k)
        net(vt.ones([2]))
    vt.jit.save(net, str(tmp_path / "net"), input_spec=[vt.InputSpec([2])])
    assert vt.jit.load(str(tmp_path / "net"))(vt.ones([2])).tolist() == [4.5, 4.5]
