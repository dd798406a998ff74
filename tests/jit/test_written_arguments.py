"""Lists, dicts and dataclasses among the arguments: what a compiled function writes into them stays in them."""

from __future__ import annotations

import dataclasses
import gc
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError

from .written_arguments_support import check


def t(*values: float, grad: bool = False) -> Any:
    return vt.to_tensor(list(values), dtype="float32", stop_gradient=not grad)


@dataclasses.dataclass
class State:
    h: Any
    seen: list[Any]


class Holder:
    def __init__(self) -> None:
        self.h = t(1.0, 1.0)
        self.seen: list[Any] = []


def test_an_item_of_a_dict_is_written_back() -> None:
    def f(state: Any, x: Any) -> None:
        state["h"] = state["h"] * 0.5 + x

    check(f, ({"h": t(1.0, 1.0)}, t(1.0, 2.0)))


def test_a_cache_grows() -> None:
    def f(cache: Any, x: Any) -> Any:
        cache.append(x * 2)
        return vt.concat(cache).sum(), len(cache)

    check(f, ([], t(1.0, 2.0)), calls=5)


LISTS: dict[str, Callable[[Any, Any], Any]] = {
    "append": lambda xs, x: xs.append(x),
    "extend": lambda xs, x: xs.extend([x, x * 2]),
    "insert": lambda xs, x: xs.insert(1, x),
    "pop": lambda xs, x: xs.pop(),
    "pop first": lambda xs, x: xs.pop(0),
    "remove": lambda xs, x: xs.remove(xs[0]),
    "clear": lambda xs, x: xs.clear(),
    "reverse": lambda xs, x: xs.reverse(),
    "sort": lambda xs, x: xs.sort(key=lambda y: -y.shape[0]),
    "del": lambda xs, x: xs.__delitem__(0),
    "set": lambda xs, x: xs.__setitem__(0, x),
    "slice": lambda xs, x: xs.__setitem__(slice(1, 3), [x]),
    "del slice": lambda xs, x: xs.__delitem__(slice(None, None, 2)),
    "+=": lambda xs, x: xs.__iadd__([x]),
    "*=": lambda xs, x: xs.__imul__(2),
}


@pytest.mark.parametrize("name", LISTS)
def test_each_change_of_a_list_is_written_back(name: str) -> None:
    change = LISTS[name]

    def f(xs: Any, x: Any) -> Any:
        given = change(xs, x)
        return x + 1, given if given is xs else None

    check(f, ([t(5.0), t(7.0, 8.0), t(1.0, 3.0, 4.0), t(2.0)], t(1.0, 2.0)), calls=2)


DICTS: dict[str, Callable[[Any, Any], Any]] = {
    "set": lambda d, x: d.__setitem__("a", x),
    "new": lambda d, x: d.__setitem__("z", x * 2),
    "update": lambda d, x: d.update(b=x, z=x * 2),
    "setdefault": lambda d, x: d.setdefault("q", x),
    "pop": lambda d, x: d.pop("a", None),
    "popitem": lambda d, x: d.popitem(),
    "clear": lambda d, x: d.clear(),
    "del": lambda d, x: d.__delitem__("b") if "b" in d else None,
    "|=": lambda d, x: d.__ior__({"z": x}),
    "to the end": lambda d, x: d.__setitem__("a", d.pop("a")),
    "to the end, other": lambda d, x: (d.pop("b"), d.__setitem__("b", x)),
}


@pytest.mark.parametrize("kind", [dict, OrderedDict])
@pytest.mark.parametrize("name", DICTS)
def test_each_change_of_a_dict_is_written_back_with_its_order(name: str, kind: Any) -> None:
    change = DICTS[name]

    def f(d: Any, x: Any) -> Any:
        change(d, x)
        return x + 1

    check(f, (kind(a=t(5.0), b=t(7.0), c=t(1.0, 3.0)), t(1.0, 2.0)))


@pytest.mark.parametrize("name", DICTS)
def test_changes_of_a_dict_outside_keep_its_order(name: str) -> None:
    change = DICTS[name]
    told = []
    for compile_it in (False, True):
        space = {"a": 1.0, "b": 2.0, "c": 3.0}

        def f(x: Any, space: Any = space) -> Any:
            change(space, x)
            return x + 1

        fn = vt.jit.to_static(f) if compile_it else f
        seen = []
        for _ in range(3):
            fn(t(1.0))
            seen.append([(k, np.asarray(v).tolist()) for k, v in space.items()])
        told.append(seen)
    assert told[0] == told[1]


def test_keys_move_to_the_end_of_an_ordered_dict() -> None:
    def f(d: Any, x: Any) -> Any:
        d.move_to_end("a")
        return x + 1

    check(f, (OrderedDict(a=t(1.0), b=t(2.0)), t(1.0)))


def test_a_defaultdict_makes_its_items() -> None:
    def f(d: Any, x: Any) -> Any:
        d["z"].append(x)
        return len(d["z"])

    check(f, (defaultdict(list), t(1.0)))


@pytest.mark.parametrize("size", [None, 2])
def test_a_deque_is_written_back(size: int | None) -> None:
    def f(d: Any, x: Any) -> Any:
        d.append(x * 2)
        d.popleft()
        return x + 1

    check(f, (deque([t(1.0), t(2.0)], maxlen=size), t(1.0)))


def test_a_set_is_written_back() -> None:
    def f(s: Any, x: Any) -> Any:
        s.add(len(s))
        s.discard("a")
        return x * len(s)

    check(f, ({"a"}, t(1.0)))


def test_an_array_is_written_back() -> None:
    array = np.zeros(2, np.float32)

    @vt.jit.to_static
    def f(a: Any, x: Any) -> Any:
        a[0] = 5.0
        return x * a[0]

    for _ in range(2):
        array[:] = 0
        assert f(array, t(1.0)).tolist() == [5.0]
        assert array.tolist() == [5.0, 0.0]


def test_containers_in_containers_are_written_back() -> None:
    def f(d: Any, pair: Any, x: Any) -> Any:
        d["rows"][0]["b"] = x
        d["count"] += 1
        pair[0].append(x)
        pair[1].seen.insert(0, x * 2)
        pair[1].h = pair[1].h + x
        return x * d["count"]

    check(f, ({"rows": [{}], "count": 0}, ([], State(t(0.0), [t(9.0)])), t(1.0)))


def test_objects_are_written_back() -> None:
    def f(o: Any, x: Any) -> Any:
        o.h = o.h + x
        o.seen.append(x)
        return o

    check(f, (Holder(), t(1.0, 2.0)))


@pytest.mark.filterwarnings("ignore::vitrify.jit.RecompileWarning")
def test_one_list_given_twice_is_one_list() -> None:
    def f(a: Any, b: Any, x: Any) -> Any:
        a.append(x)
        return len(b), a is b

    compiled = vt.jit.to_static(f)
    one: list[Any] = []
    for a, b in ((one, one), (one, one), ([], []), (one, one), (one, [])):
        check(f, (a, b, t(1.0)), calls=2, compiled=compiled)


def test_a_list_reached_by_two_roads_is_one_list() -> None:
    def f(d: Any, xs: Any, x: Any) -> Any:
        d["xs"].append(x)
        xs.append(x * 2)
        return len(d["xs"])

    xs: list[Any] = []
    check(f, ({"xs": xs}, xs, t(1.0)))
    check(f, ({"xs": []}, xs, t(1.0)))


def test_a_list_that_is_also_a_global_is_one_list() -> None:
    told = []
    for compile_it in (False, True):
        outside: list[Any] = []

        def f(xs: Any, x: Any, outside: Any = outside) -> Any:
            xs.append(x)
            outside.append(x * 2)
            return len(outside)

        fn = vt.jit.to_static(f) if compile_it else f
        x = t(1.0)
        told.append([fn([], x), fn(outside, x), fn(outside, x), fn([], x), [v.tolist() for v in outside]])
    assert told[0] == told[1]


def test_a_list_that_is_also_an_attribute_is_one_list() -> None:
    told = []
    for compile_it in (False, True):
        holder = Holder()

        def f(holder: Any, xs: Any, x: Any) -> Any:
            xs.append(x)
            return vt.concat(holder.seen).sum() if holder.seen else x.sum()

        fn = vt.jit.to_static(f) if compile_it else f
        x = t(1.0)
        seen = [fn(holder, [], x), fn(holder, holder.seen, x), fn(holder, holder.seen, x), fn(holder, [], x)]
        told.append([[float(v) for v in seen], len(holder.seen)])
    assert told[0] == told[1]


def _if_set(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["h"] = x * 2
    else:
        d["h"] = x * 3


def _if_new(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["new"] = x * 2
    return x + 1


def _if_append(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["xs"].append(x)
    return x + 1


def _if_order(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["h"] = d.pop("h") + 1
    else:
        d["xs"] = []
    return x + 1


def _if_returned(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["h"] = x
        return d
    return d["xs"]


def _while_append(d: Any, x: Any) -> Any:
    while x.sum() < 10 and x.sum() > -10:
        d["xs"].append(x)
        x = x * 2
    return x


def _while_set(d: Any, x: Any) -> Any:
    while x.sum() < 10 and x.sum() > -10:
        d["h"] = d["h"] + x
        x = x * 2
    return x


def _for_set(d: Any, x: Any) -> Any:
    for _ in range(3):
        d["h"] = d["h"] + x
        d["count"] = d.get("count", 0) + 1
    return d["h"]


def _if_deep(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        if x.max() > 1:
            d["xs"].append(x)
        d["h"] = d["h"] * 2
    return len(d)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(
    "fn",
    [_if_set, _if_new, _if_append, _if_order, _if_returned, _while_append, _while_set, _for_set, _if_deep],
    ids=lambda fn: fn.__name__,
)
def test_writes_on_paths_and_in_loops_are_written_back(fn: Any, sign: float) -> None:
    check(fn, ({"h": t(1.0, 1.0), "xs": [], "z": t(1.0)}, t(sign, 2 * sign)), tensors=False)


def test_the_same_containers_come_out() -> None:
    def f(d: Any, x: Any) -> Any:
        d["mine"] = [x]
        return d, [d["xs"], x], d["mine"], (d["mine"],)

    check(f, ({"a": t(1.0), "xs": []}, t(2.0)))


def test_containers_from_outside_come_out_as_themselves() -> None:
    outside = [t(1.0)]
    fn = vt.jit.to_static(lambda x: (outside, x * 2))
    for _ in range(3):
        assert fn(t(1.0))[0] is outside


def test_a_new_list_in_two_places_is_one_list() -> None:
    def f(d: Any, x: Any) -> Any:
        made = [x * 2]
        d["a"], d["b"] = made, {"inner": made}
        return made

    d: dict[str, Any] = {}
    fn = vt.jit.to_static(f)
    for _ in range(3):
        made = fn(d, t(1.0))
        assert d["a"] is made and d["b"]["inner"] is made


def test_elements_that_are_not_touched_stay_the_objects_they_are() -> None:
    fn = vt.jit.to_static(lambda xs, x: xs.append(x))
    first, thing, x = t(1.0), object(), t(2.0)
    xs = [first, thing, "text"]
    fn(xs, x)
    fn(xs, x)
    assert xs[0] is first and xs[1] is thing and xs[3] is x and xs[4] is x


def test_gradients_flow_to_what_was_put_in() -> None:
    fn = vt.jit.to_static(lambda d, x: d.__setitem__("h", x * 3))
    for _ in range(3):
        d: dict[str, Any] = {}
        x = t(1.0, 2.0, grad=True)
        fn(d, x)
        d["h"].sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]


def test_gradients_flow_to_what_an_attribute_was_given() -> None:
    holder = Holder()

    @vt.jit.to_static
    def fn(x: Any) -> None:
        holder.h = x * 3

    for _ in range(2):
        x = t(1.0, 2.0, grad=True)
        fn(x)
        holder.h.sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]


def test_gradients_flow_through_a_recurrent_state() -> None:
    def run(step: Any) -> Any:
        w, state = t(0.5, 0.25, grad=True), {"h": t(1.0, 1.0)}
        for k in range(4):
            step(state, w, t(float(k), 1.0))
        state["h"].sum().backward()
        return w.grad.tolist()

    def step(state: Any, w: Any, x: Any) -> None:
        state["h"] = vt.tanh(state["h"] * w + x)

    np.testing.assert_allclose(run(vt.jit.to_static(step)), run(step), rtol=1e-4)  # 1 - tanh² near tanh = 1


def test_nothing_changes_when_the_call_fails() -> None:
    def f(d: Any, xs: Any, x: Any) -> Any:
        d["a"] = d.pop("a") * 2
        xs.append(x)
        if x.sum() > 0:
            raise ValueError("no")
        return x

    fn = vt.jit.to_static(f)
    a = t(1.0)
    for sign in (1.0, -1.0, 1.0):
        d, xs = {"a": a, "b": a}, [a]
        if sign > 0:
            with pytest.raises(ValueError, match="no"):
                fn(d, xs, t(sign))
            assert list(d) == ["a", "b"] and d["a"] is a and xs == [a]
        else:
            fn(d, xs, t(sign))
            assert list(d) == ["b", "a"] and d["a"].tolist() == [2.0] and len(xs) == 2


def test_keywords_defaults_and_rest_arguments_are_written_back() -> None:
    def f(x: Any, *rest: Any, log: Any, kept: Any = [], **more: Any) -> Any:  # noqa: B006
        rest[0].append(x)
        log.append(x)
        kept.append(x)
        more["d"]["x"] = x
        return len(kept)

    fn = vt.jit.to_static(f)
    a: list[Any] = []
    b: list[Any] = []
    d: dict[str, Any] = {}
    x = t(1.0)
    assert [fn(x, a, log=b, d=d), fn(x, a, d=d, log=b), fn(x, a, log=b, d=d)] == [1, 2, 3]
    assert len(a) == len(b) == 3 and d["x"] is x


def test_keywords_in_another_order_reach_their_own_lists() -> None:
    def f(x: Any, first: Any, second: Any) -> Any:
        first.append(x)
        second["x"] = x * 2
        return x + 1

    fn = vt.jit.to_static(f)
    for _ in range(3):
        a: list[Any] = []
        b: dict[str, Any] = {}
        fn(second=b, x=t(1.0), first=a)
        assert len(a) == 1 and b["x"].tolist() == [2.0]


def test_an_argument_that_holds_itself_is_refused() -> None:
    d: dict[str, Any] = {}
    d["d"] = d
    with pytest.raises(ArgumentError, match="holds itself"):
        vt.jit.to_static(lambda d, x: x * 2)(d, t(1.0))


def test_functions_that_write_no_container_keep_the_short_path() -> None:
    fn = vt.jit.to_static(lambda x: x * 2)
    fn(t(1.0))
    fn(t(1.0))
    (cached,) = fn._recent
    assert cached.__code__.co_filename.endswith("call_stubs.py:call")


@pytest.mark.usefixtures("others_set_aside")
def test_containers_of_a_call_are_not_kept() -> None:
    class Names(dict[str, Any]):
        pass

    fn = vt.jit.to_static(lambda d, x: d.__setitem__("h", x * 2))
    d = Names()
    fn(d, t(1.0))
    gone = weakref.ref(d)
    del d
    gc.collect()
    assert gone() is None


def test_a_model_with_a_cache_of_keys_decodes_as_in_eager_mode() -> None:
    class Attention(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.q, self.k, self.v = (vt.nn.Linear(4, 4) for _ in range(3))

        def forward(self, x: Any, cache: Any) -> Any:
            cache["k"] = vt.concat([cache["k"], self.k(x)], axis=1)
            cache["v"] = vt.concat([cache["v"], self.v(x)], axis=1)
            scores = vt.nn.functional.softmax(self.q(x) @ cache["k"].transpose([0, 2, 1]), axis=-1)
            return scores @ cache["v"]

    vt.seed(1)
    model = Attention()
    compiled = vt.jit.to_static(lambda x, cache: model(x, cache))
    with vt.no_grad():
        ours, theirs = ({n: vt.zeros([1, 0, 4]) for n in "kv"} for _ in range(2))
        for k in range(8):
            x = vt.full([1, 1, 4], 0.25 * k)
            np.testing.assert_allclose(compiled(x, ours).numpy(), model(x, theirs).numpy(), rtol=1e-5, atol=1e-6)
    assert ours["k"].shape == [1, 8, 4]
    assert compiled.get_traced_count() <= 3


def test_a_growing_list_warns_once_and_keeps_a_bounded_number_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitrify.jit.function.MOST_FAMILIES", 20)
    fn = vt.jit.to_static(lambda cache, x: (cache.append(x), x + len(cache))[1])
    cache: list[Any] = []

    def grow() -> None:
        for k in range(30):
            assert fn(cache, t(1.0)).item() == k + 2

    with pytest.warns(UserWarning, match="a list that grows gets a program for each length") as caught:
        grow()
    assert len(caught) == 1 and len(cache) == 30
    assert len(fn._families) == 20
