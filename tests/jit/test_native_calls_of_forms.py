"""Native calls of recorded functions given containers and keywords, of one tensor given twice, and named results."""

from __future__ import annotations

import gc
import sys
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import vitrify as vt
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")

Pair = namedtuple("Pair", "first second")


class Checked(NamedTuple):
    """A named tuple with a default."""

    value: Any
    name: str = "none"


def _is_native(compiled: Any) -> bool:
    return bool(compiled._first.__name__ == "native_call")


def _weight() -> vt.Tensor:
    return vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)


FORMS: dict[str, tuple[Callable[..., Any], Callable[[Any, Any], tuple[tuple[Any, ...], dict[str, Any]]]]] = {
    "keywords": (lambda w, x, *, k: w @ x * k, lambda x, y: ((x,), {"k": y})),
    "a dict": (lambda w, d: w @ d["a"] - d["b"], lambda x, y: (({"a": x, "b": y},), {})),
    "a list": (lambda w, xs: w @ xs[0] - xs[1], lambda x, y: (([x, y],), {})),
    "a nested tuple": (lambda w, t: w @ t[0][0] - t[1]["y"], lambda x, y: ((((x,), {"y": y}),), {})),
    "a float": (lambda w, x, k: w @ x * k, lambda x, y: ((x, 3.0), {})),
    "an int": (lambda w, x, k: w @ x * k, lambda x, y: ((x, 3), {})),
    "one tensor twice": (lambda w, x, y: w @ x * y, lambda x, y: ((x, x), {})),
    "keywords in another order": (lambda w, a, b: w @ a - b, lambda x, y: ((), {"b": y, "a": x})),
}


@pytest.mark.parametrize("name", FORMS)
def test_recorded_calls_have_the_gradients_of_eager_mode(name: str) -> None:
    function, form = FORMS[name]
    weight, other = _weight(), _weight()
    compiled = vt.to_static(lambda *args, **kwargs: function(weight, *args, **kwargs))
    for n in range(5):
        grads = []
        for run, w in ((compiled, weight), (lambda *a, **k: function(other, *a, **k), other)):
            x = vt.to_tensor([[1.0 + n, 2.0], [0.5, 1.0]], stop_gradient=False)
            y = vt.to_tensor([[0.1, 0.2], [0.3, 0.4 + n]], stop_gradient=False)
            args, kwargs = form(x, y)
            made = run(*args, **kwargs)
            (made * made).sum().backward()
            grads.append([g if g is None else g.tolist() for g in (made, w.grad, x.grad, y.grad)])
            w.clear_grad()
        assert grads[0] == grads[1]
    assert _is_native(compiled)


def test_recorded_numbers_that_change_belong_to_their_call() -> None:
    weight = _weight()
    compiled = vt.to_static(lambda x, k: weight @ x * k)
    x = vt.ones([2, 2])
    for _ in range(3):
        made = [compiled(x, float(k)) for k in range(5)]
    for k, y in enumerate(made):
        weight.clear_grad()
        y.sum().backward()
        assert weight.grad is not None
        assert weight.grad.tolist() == [[2.0 * k, 2.0 * k]] * 2


SAME: dict[str, Callable[[Any, Any, Any], tuple[Any, ...]]] = {
    "all different": lambda x, y, z: (x, y, z),
    "the first two": lambda x, y, z: (x, x, z),
    "the last two": lambda x, y, z: (x, z, z),
    "the outer ones": lambda x, y, z: (x, y, x),
    "all": lambda x, y, z: (x, x, x),
    "one shares memory": lambda x, y, z: (x, x.detach(), z),
    "two share memory": lambda x, y, z: (x, x.detach(), x.detach()),
    "one and one that shares": lambda x, y, z: (x, x, x.detach()),
}


@pytest.mark.filterwarnings("ignore:written has 8 programs")
@pytest.mark.parametrize("first", SAME)
def test_arguments_that_are_one_tensor(first: str) -> None:
    def written(a: vt.Tensor, b: vt.Tensor, c: vt.Tensor) -> vt.Tensor:
        a.add_(b)
        return a * 100.0 + b * 10.0 + c

    compiled = vt.to_static(written)
    for name in [first, first, *SAME, first, *SAME]:
        results = []
        for run in (compiled, written):
            given = SAME[name](*[vt.full([2], float(k)) for k in (1, 2, 3)])
            results.append([run(*given).tolist(), *(x.tolist() for x in given)])
        assert results[0] == results[1], name


def test_one_tensor_twice_is_native() -> None:
    x, y = vt.ones([2]), vt.full([2], 2.0)
    compiled = vt.to_static(lambda a, b, c: a + b * c)
    for _ in range(3):
        assert compiled(x, x, y).tolist() == [3.0, 3.0]
    assert _is_native(compiled)
    assert compiled(x, y, y).tolist() == [5.0, 5.0]
    assert compiled(x, x, y).tolist() == [3.0, 3.0]


@pytest.mark.usefixtures("others_set_aside")
def test_named_results(monkeypatch: pytest.MonkeyPatch) -> None:
    @vt.to_static
    def run(x: vt.Tensor) -> Any:
        return Pair(x + 1.0, {"in": Checked(x * 2.0), "of": (x,)})

    x = vt.ones([2])
    for _ in range(4):
        made = run(x)
        assert type(made) is Pair
        assert made.first.tolist() == [2.0, 2.0]
        inner = made.second["in"]
        assert (type(inner), inner.name) == (Checked, "none")
        assert inner.value.tolist() == [2.0, 2.0]
        assert made.second["of"][0] is x
    assert _is_native(run)
    before = sys.getrefcount(x)

    def refuse(cls: type, *given: Any) -> Any:
        raise ValueError("refused")

    with monkeypatch.context() as patch:
        patch.setattr(Checked, "__new__", refuse)
        for _ in range(3):
            with pytest.raises(ValueError, match="refused"):
                run(x)
    gc.collect()
    assert sys.getrefcount(x) <= before + 1
    assert run(x).first.tolist() == [2.0, 2.0]
