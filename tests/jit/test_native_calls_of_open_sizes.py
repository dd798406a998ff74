"""Native calls whose results are as large as the run says: they are taken out of the run's lists without Python."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")


def _compiled(function: Callable[..., Any], *given: Any) -> Any:
    compiled = vt.to_static(function)
    for _ in range(2):
        compiled(*given)
    assert compiled._first.__name__ == "native_call"
    return compiled


def _above(x: vt.Tensor) -> vt.Tensor:
    return x[x > 3] * 2


def test_each_call_has_a_result_of_its_own_size() -> None:
    compiled = _compiled(_above, vt.to_tensor([1, 5, 9]))
    made = [compiled(vt.to_tensor(x)) for x in ([1, 5, 9], [4, 5, 6], [0, 1, 2], [7, 0, 0])]
    assert [m.tolist() for m in made] == [[10, 18], [8, 10, 12], [], [14]]
    assert [(m.dtype, m.stop_gradient, m.ndim) for m in made] == [(vt.int64, True, 1)] * 4
    made[0][0] = 1
    assert compiled(made[1]).tolist() == [16, 20, 24]
    assert made[1].tolist() == [8, 10, 12]


def test_results_of_known_sizes_among_them_and_containers() -> None:
    def several(x: vt.Tensor) -> dict[str, Any]:
        kept, counts = vt.unique(x, return_counts=True)
        return {"kept": kept, "sum": x.sum(), "both": (counts, x + 1), "rows": vt.nonzero(x > 3), "first": float(x[0])}

    x = vt.to_tensor([5, 3, 5, 9])
    compiled = _compiled(several, x)
    for given in (x, vt.to_tensor([2, 2, 2, 2])):
        found, wanted = compiled(given), several(given)
        assert list(found) == list(wanted)
        assert [found["first"], found["sum"].item()] == [wanted["first"], wanted["sum"].item()]
        for one, other in zip((found["kept"], *found["both"], found["rows"]), (wanted["kept"], *wanted["both"], wanted["rows"]), strict=True):  # fmt: skip
            assert (one.tolist(), one.shape) == (other.tolist(), other.shape)


def test_results_of_several_axes_and_types() -> None:
    x = np.random.default_rng(1).standard_normal((50, 3)).astype("float32")
    for dtype in ("float32", "float64", "int32", "bool"):
        given = x.astype(dtype)
        compiled = _compiled(lambda x, m: x[m], vt.to_tensor(given), vt.to_tensor(x[:, 0] > 0))
        for limit in (0.0, 1.0, 9.0):
            found = compiled(vt.to_tensor(given), vt.to_tensor(x[:, 0] > limit)).numpy()
            np.testing.assert_array_equal(found, given[x[:, 0] > limit])
            assert found.dtype == given.dtype


def test_large_results_keep_their_memory() -> None:
    x = np.arange(100_000)
    compiled = _compiled(lambda x, least: x[x >= least], vt.to_tensor(x), vt.to_tensor(0))
    made = {least: compiled(vt.to_tensor(x), vt.to_tensor(least)) for least in (0, 99_990, 10, 100_000, 50_000)}
    for least, found in made.items():
        np.testing.assert_array_equal(found.numpy(), x[least:])


def test_a_run_that_fails_raises_and_the_next_one_is_as_before() -> None:
    x = vt.to_tensor([1, 2, 2])
    compiled = _compiled(lambda x: vt.bincount(x), x)
    for _ in range(3):
        with pytest.raises(ArgumentError):
            compiled(vt.to_tensor([1, -2, 2]))
        assert compiled(x).tolist() == [0, 1, 2]
    assert compiled._first.__name__ == "native_call"


def test_calls_that_happen_while_a_result_is_made() -> None:
    """Garbage that is collected then may call the function again."""
    x, found = vt.to_tensor([9, 1, 9, 4]), []
    compiled = _compiled(lambda x: (vt.unique(x), x[x > 3]), x)

    class Calls:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            found.append([m.tolist() for m in compiled(vt.to_tensor([0, 0, 0, 7]))])

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(30):
            Calls()
            assert [m.tolist() for m in compiled(x)] == [[1, 4, 9], [9, 9, 4]]
    finally:
        gc.set_threshold(*before)
    gc.collect()
    assert found
    assert all(made == [[0, 7], [7]] for made in found)


def test_threads_have_results_of_their_own() -> None:
    compiled = _compiled(_above, vt.arange(5000))
    wrong = []

    def work(least: int) -> None:
        x = vt.arange(least, least + 5000)
        wanted = [2 * k for k in range(max(least, 4), least + 5000)]
        wrong.extend(1 for _ in range(40) if compiled(x).tolist() != wanted)

    threads = [threading.Thread(target=work, args=(least,)) for least in (-3000, 0, -4900)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_nothing_is_kept() -> None:
    x = vt.to_tensor([1, 5, 9])
    compiled = _compiled(lambda x: [x[x > 3], vt.unique(x)], x)
    objects = [x, x._storage.payload, x.dtype, vt.Tensor, np.dtype("int64")]
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(50):
        made = compiled(x)
    del made
    after = [sys.getrefcount(o) for o in objects]
    assert all(abs(a - b) <= 2 for a, b in zip(before, after, strict=True)), (before, after)
