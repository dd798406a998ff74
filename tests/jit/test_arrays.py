"""`t.numpy()` in captured code: what NumPy and tensors agree on runs; all else is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.base.pytree import flatten


def chosen_by_mean(x: Any) -> Any:
    if x.mean().numpy() > 1:
        y = x * 2
    else:
        y = x - 1
    return y


def chosen_by_two_elements(x: Any) -> Any:
    a = x.numpy()
    return vt.tanh(x) if a[0, 1] + 1 < a[-1][0] * 2 else vt.exp(x)


def counted(x: Any) -> Any:
    total = vt.zeros([], "int64")
    for k in range(x.astype("int64").numpy()[1, 1]):
        total = total + k
    return total


def walked(x: Any) -> Any:
    total = vt.zeros([3])
    for k, row in enumerate(x.numpy(), 1):
        total = total + row * k
        if total[0] > 3:
            break
    return total


def element(x: Any) -> Any:
    return x * x.numpy()[0, 0].item(), int(x.numpy()[1, 0])


def made_a_tensor_again(x: Any) -> Any:
    y = vt.to_tensor(x.numpy())
    return y.sum() * x


def a_copy(x: Any) -> Any:
    y = x.clone()
    before = y.numpy()
    y.add_(vt.ones([1]))
    return y - before


def in_a_loop(x: Any) -> Any:
    k = 0
    while x.sum().numpy() < 100 and k < 20:
        x = x * 2
        k += 1
    return x, k


def both(x: Any) -> Any:
    mean = x.mean()
    if mean.numpy() > 0 and (x is not None and mean.numpy() != 3):
        x = x + 1
    if not mean.numpy():
        x = x - 1
    return x


def written(x: Any) -> Any:
    a = x.numpy()
    a[0] = 5
    a[1, 0] = 7
    return x + a


def shapes(x: Any) -> Any:
    return x.numpy().shape, x.numpy()[0].shape, len(x.numpy()), x.numpy().copy() + 1


def nested_lists(x: Any) -> Any:
    rows = x.tolist()
    return [max(row) for row in rows], x[0].tolist()[1] * 2, x.sum().tolist()


def numpy_functions(x: Any) -> Any:
    a = x.numpy()
    return np.exp(a) / 2, a.sum() + np.mean(a, axis=1), np.max(x.astype("int64").numpy()) * 3, np.cumsum(a)


def returned(x: Any) -> Any:
    y = x * 2
    return y.numpy(), {"first": x.numpy()[0]}


KEPT = [
    chosen_by_mean, chosen_by_two_elements, counted, walked, element, made_a_tensor_again, a_copy, in_a_loop, both,
    written, shapes, nested_lists, numpy_functions, returned,
]  # fmt: skip
INPUTS = [np.arange(6, dtype="float32").reshape(2, 3) * f for f in (1.0, -1.0, 0.0, 4.0)]


@pytest.mark.parametrize("fn", KEPT, ids=lambda f: f.__name__)
def test_as_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for array in INPUTS:
        want, found = fn(vt.to_tensor(array)), compiled(vt.to_tensor(array))
        want, found = [flatten(v, lambda leaf: isinstance(leaf, vt.Tensor))[0] for v in (want, found)]
        assert [type(v) for v in found] == [type(v) for v in want]
        for a, b in zip(found, want, strict=True):
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-5)
            assert np.asarray(a).dtype == np.asarray(b).dtype
    assert compiled.get_traced_count() == 1


@pytest.mark.parametrize(
    "pick",
    [
        lambda a, i, m: a[:, i],
        lambda a, i, m: a[i[:2] % 2, i[:2]],
        lambda a, i, m: a[..., i - 3],
        lambda a, i, m: a[m],
    ],
)
def test_an_array_picks_from_another(pick: Callable[..., Any]) -> None:
    def fn(x: Any, i: Any, m: Any) -> Any:
        found = pick(x.numpy(), i.numpy(), m.numpy())
        return found, vt.to_tensor(found) + 1

    x = vt.arange(6, dtype="float32").reshape([2, 3])
    i, m = vt.to_tensor([2, 0, 1]), vt.to_tensor([[True, False, True], [False, True, False]])
    for mine, eager in zip(vt.jit.to_static(fn)(x, i, m), fn(x, i, m), strict=True):
        assert type(mine) is type(eager)
        assert mine.dtype == eager.dtype
        assert mine.tolist() == eager.tolist()


def test_no_gradient_flows_through_it() -> None:
    def fn(x: Any) -> Any:
        return (x * x.numpy()).sum()

    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    vt.to_static(fn)(x).backward()
    assert x.grad.tolist() == [1.0, 2.0]


def test_an_attribute_gets_an_array() -> None:
    class Keeper:
        kept: Any = None

        def __call__(self, x: Any) -> Any:
            self.kept = (x + 1).numpy()
            return x

    keeper = Keeper()
    vt.to_static(keeper.__call__)(vt.to_tensor([1.0, 2.0]))
    assert type(keeper.kept) is np.ndarray
    assert keeper.kept.tolist() == [2.0, 3.0]


def test_saved(tmp_path: Path) -> None:
    fn = vt.to_static(returned, input_spec=[vt.static.InputSpec([2, 3], "float32", "x")])
    vt.jit.save(fn, str(tmp_path / "arrays"))
    doubled, rest = vt.jit.load(str(tmp_path / "arrays"), structured=True)(vt.to_tensor(INPUTS[0]))
    assert type(doubled) is np.ndarray
    np.testing.assert_array_equal(doubled, INPUTS[0] * 2)
    np.testing.assert_array_equal(rest["first"], INPUTS[0][0])


REFUSED: dict[str, Callable[[Any], Any]] = {
    "a function of NumPy's": lambda x: x * np.cbrt(x.numpy()),
    "a sum that widens": lambda x: x * x.astype("int32").numpy().sum(),
    "a mean of integers": lambda x: x * x.astype("int64").numpy().mean(),
    "a division of integers": lambda x: x * (x.astype("int32").numpy() / 2),
    "integers and a fraction": lambda x: x * (x.astype("int32").numpy() * 0.5),
    "two kinds": lambda x: x * (x.astype("int32").numpy() + x.numpy()),
}


@pytest.mark.parametrize("fn", REFUSED.values(), ids=REFUSED)
def test_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(CaptureError, match=r"numpy\(\) of a tensor") as caught:
        vt.to_static(fn)(vt.to_tensor([1.0, 2.0]))
    assert "help: " in str(caught.value)
