"""What NumPy gives for elements, in captured code: printed as NumPy prints it, and weak beside tensors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _lines(fn: Callable[..., Any], args: tuple[Any, ...], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    for _ in range(2):
        fn(*args)
    return capsys.readouterr().out


PRINTED: dict[str, Callable[[Any, Any], Any]] = {
    "an array": lambda x, a: print(x.numpy()),
    "a loss": lambda x, a: print("loss", x.mean().numpy()),
    "format": lambda x, a: print(f"loss is {x.mean().numpy()}", "{} {:.3f}".format(x.numpy(), x.sum().numpy())),  # noqa: UP032
    "an f-string": lambda x, a: print(f"{x.numpy()} {x.mean().numpy():.4f} {x.numpy()!r} {x.numpy()!s}"),
    "percent": lambda x, a: print("%.3f %s %r" % (x.mean().numpy(), x.numpy(), x.numpy())),  # noqa: UP031
    "a list": lambda x, a: print([x.numpy()], {"k": x.mean().numpy()}),
    "bools": lambda x, a: print((x > 1).numpy(), (x > 1).all().numpy()),
    "integers": lambda x, a: print(x.astype("int64").numpy(), x.argmax().numpy()),
    "an element": lambda x, a: print(x.numpy()[0], x.mean().numpy().item(), f"{x.numpy()[1]:.2f}"),
    "a reduction": lambda x, a: print(x.numpy().mean(), x.numpy().sum() * 2, [x.numpy().max()]),
    "detached": lambda x, a: print(x.detach().numpy(), x.cpu().numpy()),
    "str": lambda x, a: print(str(x.numpy()), repr(x.numpy())),
    "an argument": lambda x, a: print(a, a[0], [a[0]], a.mean(), f"{a[1]:.1f} {a}"),
    "beside a tensor": lambda x, a: print(x.tolist(), x.numpy(), x.mean().item()),
    "asarray": lambda x, a: print(np.asarray(x), np.array(x, dtype="float64"), np.array(a)),
    "under a condition": lambda x, a: print(x.numpy()) if x.sum() > 0 else print(a),
    "in a loop": lambda x, a: [print(k, row.numpy()) for k, row in enumerate(x)],
}


@pytest.mark.parametrize("name", PRINTED)
def test_arrays_and_scalars_are_printed_as_numpy_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    fn = PRINTED[name]
    for values in ([1.0, 2.5], [-1.0, 0.25], [1.0, 2.0, 3.0]):
        x, a = vt.to_tensor(values, stop_gradient=False), np.array([1.5, 2.0])
        assert _lines(vt.jit.to_static(fn), (x, a), capsys) == _lines(fn, (x, a), capsys)


def test_messages_and_log_records_hold_arrays(caplog: pytest.LogCaptureFixture) -> None:
    def fn(x: Any) -> Any:
        logging.getLogger("vt").warning("loss %s %.2f", x.numpy(), x.mean().numpy())
        if x.sum() > 2:
            raise ValueError(f"too large: {x.numpy()}")
        return x

    told = []
    for run in (fn, vt.jit.to_static(fn)):
        run(vt.ones([1]))
        with pytest.raises(ValueError, match="too large") as e:
            run(vt.full([2], 2.0))
        told.append((str(e.value).splitlines()[0], [r.getMessage() for r in caplog.records]))
        caplog.clear()
    assert told[0] == told[1]


def test_a_saved_print_of_an_array_prints_an_array(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    class Net(vt.nn.Layer):
        def forward(self, x: Any) -> Any:
            print("mean", x.mean().numpy(), f"{x.numpy()} {x.numpy()[0]:.2f}")
            return x

    net = Net()
    vt.jit.save(net, str(tmp_path / "net"), input_spec=[vt.static.InputSpec([2], "float32")])
    expected = _lines(net, (vt.to_tensor([1.0, 2.0]),), capsys)
    assert _lines(vt.jit.load(str(tmp_path / "net")), (vt.to_tensor([1.0, 2.0]),), capsys) == expected


def _horner(x: Any, a: Any) -> Any:
    r = vt.zeros_like(x)
    for c in a:
        r = r * x + c
    return r


def _enumerated(x: Any, a: Any) -> Any:
    for k, c in enumerate(reversed(a)):
        x = x * c + k
    return x


def _summed(x: Any, a: Any) -> Any:
    total = 0.0
    for c in a:
        total = total + c
    return x * total


def _chosen(x: Any, a: Any) -> Any:
    c = a[0] if x.sum() > 0 else a[1]
    return x * c


WEAK: dict[str, Callable[[Any, Any], Any]] = {
    "an item": lambda x, a: x * a[0],
    "reflected": lambda x, a: a[0] - x,
    "from the end": lambda x, a: x + a[-1],
    "a reduction": lambda x, a: x / a.std(),
    "sum and mean": lambda x, a: (x - a.mean()) / a.sum(),
    "numpy's": lambda x, a: (x - np.mean(a)) / np.max(a),
    "a loop": _horner,
    "a loop backwards": _enumerated,
    "a comprehension": lambda x, a: sum(x * c for c in a),
    "carried by a loop": _summed,
    "chosen by a tensor": _chosen,
    "zip": lambda x, a: sum(row * c for row, c in zip(x, a, strict=False)),
    "list": lambda x, a: x * sum(list(a)),
    "tolist": lambda x, a: x * a.tolist()[0] + float(a[0]),
    "computed": lambda x, a: x * (a[0] * 2 + a[1]),
    "two of them": lambda x, a: x * (a[0] / a[1]),
    "a power": lambda x, a: x ** a[0],
    "where": lambda x, a: vt.where(x > 0, x, a[0]),
    "an item by two indices": lambda x, a: x * a.reshape(2, 1)[0, 0],
    "compared": lambda x, a: x * (x > a[0]).astype("float32"),
    "in place": lambda x, a: x.clone().add_(x * a[0]),
    "set": lambda x, a: vt.concat([x, x * a[1]]),
    "of a run": lambda x, a: x * x.astype("float64").numpy()[0] / x.astype("float64").numpy().sum(),
}


@pytest.mark.parametrize("name", WEAK)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("kind", ["float64", "int64", "float32"])
def test_an_element_of_an_array_leaves_a_tensor_its_dtype(name: str, dtype: str, kind: str) -> None:
    fn = WEAK[name]
    if dtype == "int32" and name in ("where", "in place", "a power", "of a run"):
        return
    x, a = vt.to_tensor([1.0, 2.0]).astype(dtype), np.array([2.0, 3.0]).astype(kind)
    compiled = vt.jit.to_static(fn)
    for _ in range(2):
        expected, found = fn(x, a), compiled(x, a)
        assert found.dtype is expected.dtype
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)


def test_an_array_stays_strong() -> None:
    fn = lambda x, a: (x * a, x + np.asarray(a), x.numpy() * a[0])  # noqa: E731
    x, a = vt.ones([2]), np.array([2.0, 3.0])
    for found, expected in zip(vt.jit.to_static(fn)(x, a)[:2], fn(x, a)[:2], strict=True):
        assert found.dtype is expected.dtype is vt.float64


def test_asarray_of_an_argument_is_that_array() -> None:
    def fn(a: Any) -> None:
        np.asarray(a)[0] = 5.0
        np.array(a)[1] = 7.0
        np.asarray(a, dtype="float64")[2] = 9.0

    found = []
    for run in (fn, vt.jit.to_static(fn)):
        a = np.zeros(3)
        run(a)
        found.append(a.tolist())
    assert found[0] == found[1] == [5.0, 0.0, 9.0]
