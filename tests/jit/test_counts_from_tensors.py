"""Counts that only a run knows: of the largest elements, and sizes of arrays that NumPy makes; places in arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError

X = [[4.0, 1.0, 3.0], [2.0, 8.0, 6.0]]
COUNTS: dict[str, Callable[[Any, Any], Any]] = {
    "largest": lambda x, n: vt.topk(x, k=int(n)),
    "smallest": lambda x, n: vt.topk(x, int(n[0]), axis=1, largest=False),
    "a tensor": lambda x, n: vt.topk(x, n[0])[0],
    "item": lambda x, n: x.topk(n.item())[1],
    "computed": lambda x, n: vt.topk(x, k=max(int(n) - 1, 1))[0].sum(),
    "along the first axis": lambda x, n: vt.topk(x, min(int(n), 2), axis=0)[0],
    "k-th": lambda x, n: vt.kthvalue(x, int(n)),
    "k-th of a column": lambda x, n: vt.kthvalue(x.t(), n, axis=0, keepdim=True),
    "of what a mask picks": lambda x, n: vt.topk(x[x > 2], int(n)),
}


def shown(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [shown(v) for v in value]
    return type(value).__name__, str(value.dtype), np.asarray(value).tolist()


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    compiled = vt.to_static(COUNTS[name])
    for n in (1, 3, 2, 1):
        args = vt.to_tensor(X), vt.to_tensor([n])
        assert shown(compiled(*args)) == shown(COUNTS[name](*args))


@pytest.mark.parametrize("name", ["largest", "smallest", "k-th"])
@pytest.mark.parametrize("n", [0, 4, -1])
def test_counts_out_of_range(name: str, n: int) -> None:
    compiled = vt.to_static(COUNTS[name])
    compiled(vt.to_tensor(X), vt.to_tensor([2]))
    for call in (COUNTS[name], compiled):
        with pytest.raises(ArgumentError, match="k must be from 1 to 3"):
            call(vt.to_tensor(X), vt.to_tensor([n]))


def test_more_than_a_mask_picks() -> None:
    def fn(x: Any) -> Any:
        return vt.topk(x[x > 0], 2)[0]

    compiled = vt.to_static(fn)
    for call in (fn, compiled):
        assert call(vt.to_tensor([1.0, -1.0, 3.0])).tolist() == [3.0, 1.0]
        with pytest.raises(ArgumentError, match="k must be from 1 to"):
            call(vt.to_tensor([1.0, -1.0, -3.0]))


def test_gradients_of_the_largest() -> None:
    def fn(x: Any, n: Any) -> Any:
        return (vt.topk(x, int(n))[0] ** 2).sum()

    compiled = vt.to_static(fn)
    for n in (1, 2, 3):
        grads = []
        for call in (fn, compiled):
            x = vt.to_tensor(X, stop_gradient=False)
            call(x, vt.to_tensor(n)).backward()
            grads.append(x.grad.tolist())
        assert grads[0] == grads[1]


def expand(d: Any, make: Any) -> Any:
    """The length regulator of FastSpeech."""
    lengths = d.numpy()
    m = make(np.max(np.sum(lengths, -1)), lengths.shape[0])
    k = 0
    for j in range(lengths.shape[0]):
        m[k : k + lengths[j], j] = 1
        k += lengths[j]
    return m


MADE: dict[str, Callable[[Any], Any]] = {
    "zeros": lambda d: expand(d, lambda n, m: np.zeros([n, m])),
    "a tuple of sizes": lambda d: expand(d, lambda n, m: np.zeros((n, m), "float32")),
    "full": lambda d: expand(d, lambda n, m: np.full([n, m], 3.0)),
    "ones": lambda d: np.ones(int(d.sum())) * 2,
    "ones of ints": lambda d: np.ones(int(d.sum()), dtype="int64"),
    "numbers": lambda d: np.arange(int(d.max())),
    "numbers between": lambda d: np.arange(1, d[0].item(), 2),
    "a tensor": lambda d: vt.to_tensor(expand(d, lambda n, m: np.zeros([n, m])), dtype="float32") @ vt.ones([2, 2]),
}


@pytest.mark.parametrize("name", MADE)
def test_arrays_of_a_size_of_the_run(name: str) -> None:
    compiled = vt.to_static(MADE[name])
    for d in ([1, 2], [3, 0], [2, 2], [4, 1]):
        assert shown(compiled(vt.to_tensor(d))) == shown(MADE[name](vt.to_tensor(d)))


PLACES: dict[str, Callable[[Any], Any]] = {
    "argmax": lambda x: x.numpy().argmax(axis=1),
    "argmin": lambda x: x.numpy().argmin(axis=0),
    "of all": lambda x: vt.to_tensor(x.numpy().argmax()),
    "np.argmax": lambda x: np.argmax(x.numpy(), axis=-1),
    "as an index": lambda x: x.numpy()[x.numpy().argmax(axis=1)[0]],
    "compared": lambda x: vt.to_tensor(x.numpy().argmax(axis=1) != 0),
    "of ints": lambda x: x.astype("int64").numpy().argmax(axis=1) + 1,
}


@pytest.mark.parametrize("name", PLACES)
def test_places_in_arrays(name: str) -> None:
    compiled = vt.to_static(PLACES[name])
    for rows in ([[1.0, 2.0], [3.0, 0.0]], [[5.0, 5.0], [float("nan"), 7.0]], [[0.0, 1.0], [2.0, 3.0]]):
        x = vt.to_tensor(rows)
        if name == "of ints":
            x = vt.nan_to_num(x)
        assert shown(compiled(x)) == shown(PLACES[name](x))


ORDERS: dict[str, Callable[[Any], Any]] = {
    "argsort": lambda a: np.argsort(-a),
    "a method": lambda a: a.argsort()[::-1][:3],
    "stable": lambda a: np.argsort(a, kind="stable"),
    "of rows": lambda a: a.reshape(4, -1).argsort(axis=1),
    "of all": lambda a: np.argsort(a.reshape(4, -1), axis=None),
    "joined": lambda a: np.concatenate([a, a[:2]]),
    "stacked": lambda a: np.stack([a[:2], a[2:4]], axis=1),
    "picked": lambda a: a[a.argsort()],
}


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("is_argument", [False, True])
def test_orders_are_numpys(name: str, is_argument: bool) -> None:
    fn = ORDERS[name]
    call = fn if is_argument else lambda x: fn(x.numpy())
    compiled = vt.to_static(call)
    draws = np.random.default_rng(3)
    for size in (4, 16, 400):
        for high in (3, 1000):  # many equal elements, and few
            a = draws.integers(0, high, size).astype("float32")
            x = a if is_argument else vt.to_tensor(a)
            assert shown(compiled(x)) == shown(call(x))


def test_the_decoder_of_a_text_line() -> None:
    def decode(scores: Any) -> Any:
        places = scores.numpy().argmax(axis=1)
        kept = np.ones(len(places), dtype=bool)
        kept[1:] = places[1:] != places[:-1]
        kept &= places != 0
        return vt.to_tensor(places[kept])

    compiled = vt.to_static(decode)
    for line in ([0, 1, 1, 2, 0, 2], [0, 0, 0, 0, 0, 0], [2, 2, 2, 1, 1, 0]):
        scores = vt.one_hot(vt.to_tensor(line), 3)
        assert compiled(scores).tolist() == decode(scores).tolist()
