"""Sizes that tensors give (`reshape(x, [n, -1])`, `zeros(shape(y))`): known ones stay sizes, others are told to the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.errors import ShapeError


def x34() -> Any:
    return vt.to_tensor(np.arange(12, dtype="float32").reshape(3, 4) - 4)


def counted(x: Any, n: Any) -> Any:
    total = vt.zeros([])
    for k in range(n):
        total = total + vt.ones([k + 1]).sum() * x.mean()
    return total


def turned(x: Any, n: Any) -> Any:
    k = vt.zeros([], "int64")
    while k < n:
        x = x + vt.reshape(vt.arange(3 * (k + 1)), [3, k + 1]).sum(1, keepdim=True).astype("float32")
        k = k + 1
    return x


LATE: dict[str, Callable[[Any, Any], Any]] = {
    "zeros": lambda x, n: vt.zeros([n]) + x.sum(),
    "full": lambda x, n: vt.full([n, 3], 2.5) * x.mean(),
    "a vector": lambda x, n: vt.ones(vt.stack([n, n + 1])),
    "int()": lambda x, n: vt.ones([int(n), 2]),
    "item()": lambda x, n: vt.ones([n.item(), 2]),
    "one element": lambda x, n: vt.ones([vt.reshape(n, [1]), 2]),
    "reshape": lambda x, n: vt.reshape(x, [n, -1]),
    "reshape by two": lambda x, n: vt.reshape(x, [n, 12 // n]),
    "expand": lambda x, n: vt.expand(x[:1], [n, 4]),
    "tile": lambda x, n: vt.tile(x, [n, 1]),
    "slice": lambda x, n: vt.slice(x, [0, 1], [0, n - 2], [n, 4]),
    "slice from the end": lambda x, n: vt.slice(x, [1], [-n], [9]),
    "strided_slice": lambda x, n: vt.strided_slice(x, [1], [n], [0], [-1]),
    "split": lambda x, n: vt.split(vt.concat([x, x[:1]]), [4 - n, n], axis=0),
    "eye": lambda x, n: vt.eye(n),
    "crop": lambda x, n: vt.crop(x, [n, 2]),
    "linspace": lambda x, n: vt.linspace(0, 1, n),
    "one_hot": lambda x, n: F.one_hot(vt.to_tensor([0, 1]), n),
    "shared": lambda x, n: vt.zeros([n, 2]) + vt.ones([n, 1]),
    "in an if": lambda x, n: vt.zeros([n, 2]) if n > 2 else vt.ones([n, 2]) * x.sum(),
    "bincount": lambda x, n: vt.bincount(vt.stack([n, n * 2, n]), minlength=5),
    "bincount of weights": lambda x, n: vt.bincount(vt.stack([n, n * 2]), x[0, :2]),
    "counted": counted,
    "turned": turned,
}


@pytest.mark.parametrize("fn", LATE.values(), ids=LATE)
def test_as_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for n in (2, 3, 2):
        want, found = fn(x34(), vt.to_tensor(n)), compiled(x34(), vt.to_tensor(n))
        want, found = [list(v) if isinstance(v, (list, tuple)) else [v] for v in (want, found)]
        for a, b in zip(found, want, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-6, atol=1e-6)
            assert a.dtype == b.dtype
    assert compiled.get_traced_count() == 1


KNOWN: dict[str, Callable[[Any], Any]] = {
    "shape()": lambda x: vt.zeros(vt.shape(x)),
    "an element": lambda x: vt.reshape(x, [vt.shape(x)[1], -1]),
    "unpacked": lambda x: vt.reshape(x, [*vt.shape(x)][::-1]),
    "computed": lambda x: vt.reshape(x, [vt.shape(x)[0] * vt.shape(x)[1] // 2, 2]),
    "their product": lambda x: vt.reshape(x, [vt.prod(vt.shape(x))]),
    "concatenated": lambda x: vt.expand(x[:1], vt.concat([vt.full([1], 5, "int64"), vt.shape(x)[1:]])),
    "a slice": lambda x: x[: vt.shape(x)[0] - 1, vt.shape(x)[0] - 1 :],
    "an assignment": lambda x: vt.slice(x, [1], [0], [vt.shape(x)[1] - 1]),
    "numel": lambda x: vt.ones([vt.numel(x)]),
}


@pytest.mark.parametrize("fn", KNOWN.values(), ids=KNOWN)
@pytest.mark.parametrize("dims", [[3, 4], [None, 4]], ids=str)
def test_sizes_made_of_sizes_stay_known(fn: Callable[..., Any], dims: list[int | None]) -> None:
    compiled = vt.to_static(fn, input_spec=[vt.static.InputSpec(dims, "float32", "x")])
    np.testing.assert_array_equal(compiled(x34()).numpy(), fn(x34()).numpy())
    assert "bind_size" not in str(compiled.program)


def test_gradients() -> None:
    def fn(x: Any, n: Any) -> Any:
        rows = vt.reshape(x * x, [n, -1])
        return (rows.sum(0) * vt.expand(rows.sum(0, keepdim=True), [n, rows.shape[1]])).sum()

    compiled = vt.to_static(fn)
    for n in (2, 3):
        grads = []
        for call in (fn, compiled):
            x = x34()
            x.stop_gradient = False
            call(x, vt.to_tensor(n)).backward()
            grads.append(x.grad.numpy())
        np.testing.assert_allclose(grads[1], grads[0], rtol=1e-5)


def test_saved(tmp_path: Path) -> None:
    fn = vt.to_static(LATE["reshape"], input_spec=[vt.static.InputSpec([3, 4]), vt.static.InputSpec([], "int64")])
    vt.jit.save(fn, str(tmp_path / "m"))
    loaded = vt.jit.load(str(tmp_path / "m"))
    for n in (2, 6):
        assert loaded(x34(), vt.to_tensor(n)).shape == [n, 12 // n]


def test_what_does_not_fit_is_an_error_of_the_run() -> None:
    with pytest.raises(ShapeError):
        vt.to_static(lambda x, n: vt.reshape(x, [n, 4]))(x34(), vt.to_tensor(2))
    with pytest.raises(ValueError, match="a size can't be negative"):
        vt.to_static(lambda x, n: vt.zeros([n]))(x34(), vt.to_tensor(-2))


def test_images_in_the_size_of_another() -> None:
    def fn(x: Any, y: Any) -> Any:
        return F.interpolate(x, size=vt.shape(y)[2:])

    x, y = vt.to_tensor(np.arange(6, dtype="float32").reshape(1, 1, 2, 3)), vt.zeros([1, 2, 4, 6])
    np.testing.assert_array_equal(vt.to_static(fn)(x, y).numpy(), fn(x, y).numpy())


def test_a_split_along_an_axis_that_a_tensor_tells() -> None:
    def parts(x: Any, axis: Any) -> Any:
        return [part * (k + 1.0) for k, part in enumerate(vt.split(x, 2, axis=axis))]

    compiled = vt.to_static(parts)
    x = vt.arange(24, dtype="float32").reshape([2, 3, 4])
    x.stop_gradient = False
    for axis in (0, 2, -1, -3, [2]):
        made, expected = compiled(x, vt.to_tensor(axis)), parts(x, vt.to_tensor(axis))
        assert [m.shape for m in made] == [e.shape for e in expected]
        assert all(bool((m == e).all()) for m, e in zip(made, expected, strict=True))
        gradients = [vt.grad(r[1].sum(), [x])[0] for r in (made, expected)]
        assert bool((gradients[0] == gradients[1]).all())
    assert compiled.get_traced_count() <= 2  # an axis in a list is another rank
    for axis in (1, 7, -4):  # 3 elements, and no such axes
        with pytest.raises(ValueError, match="split: the axis"):
            compiled(x, vt.to_tensor(axis))


def test_a_size_of_which_bounds_leave_one_number_is_known() -> None:
    @vt.to_static
    def counted(x: Any, shift: Any) -> Any:
        return vt.bincount((x + shift) % 8 * 4 + x % 4, minlength=32)

    x = vt.to_tensor([3, -5, 70, 11, 0])
    assert counted(x, vt.to_tensor(3)).tolist() == vt.bincount((x + 3) % 8 * 4 + x % 4, minlength=32).tolist()
    assert "bind_size" not in str(counted.program)
    assert "[32]" in str(counted.program)


def test_a_size_that_bounds_leave_open_is_found_by_the_run() -> None:
    @vt.to_static
    def counted(x: Any) -> Any:
        return vt.bincount(x % 9, minlength=8)

    for numbers in ([3, 4], [8, 2]):
        x = vt.to_tensor(numbers)
        assert counted(x).tolist() == vt.bincount(x % 9, minlength=8).tolist()


def test_equal_iterations_whose_sizes_bounds_tell_become_a_loop() -> None:
    @vt.to_static
    def smoothed(x: Any, weights: Any) -> Any:
        for _ in range(40):
            places = x.astype("int64") % 16
            x = x + vt.bincount(places, weights, minlength=16)[places]
        return x

    x, weights = vt.to_tensor(np.arange(33.0)), vt.to_tensor(np.full(33, 0.25))
    np.testing.assert_array_equal(smoothed(x, weights).numpy(), smoothed.dygraph_function(x, weights).numpy())
    assert str(smoothed.program).count("scatter_add") <= 2


@pytest.mark.parametrize("function", [vt.square, vt.tanh, F.softmax, lambda m: (m > 1.5).astype("float32")])
def test_what_a_branch_keeps_of_a_transposed_tensor_for_the_gradient(function: Callable[[Any], Any]) -> None:
    weights = vt.to_tensor([1.0, 2.0, 3.0])

    def chosen(x: Any, n: Any) -> Any:
        y = x.sum()
        if n > 0:
            rows = (weights[: int(n)].unsqueeze(1) * vt.to_tensor([1.0, 0.6])).t()
            y = y + (x.unsqueeze(1) * function(rows)).sum()
        return y

    compiled = vt.to_static(chosen)
    for n in (3, 2, 1, 0):
        found = []
        for way in (chosen, compiled):
            x = vt.to_tensor([1.0, -2.0], stop_gradient=False)
            way(x, vt.to_tensor(n)).backward()
            found.append(x.grad.numpy())
        np.testing.assert_allclose(found[1], found[0], rtol=1e-6)
