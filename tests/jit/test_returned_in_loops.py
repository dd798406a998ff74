"""`return` of several results, lists of tensors among them, from inside of loops of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

T = vt.to_tensor


def callers_list(rows: Any, limit: Any, log: Any) -> Any:
    for row in rows:
        if row.sum() > limit:
            return row, log
    log.append(limit * 2)
    return None, log


def callers_list_after_another_loop(rows: Any, limit: Any, log: Any) -> Any:
    for row in rows:
        if row.sum() > limit:
            return row, log
    log.append(limit * 2)
    i = 0
    while i < 4 and rows.shape[1] > 3:
        i += 1
    return None, log


def three_results(rows: Any, limit: Any, log: Any) -> Any:
    for row in rows:
        if row.sum() > limit:
            return row, log
    log.append(limit * 2)
    return rows, log, 1


def condition_of_the_argument(rows: Any, limit: Any, log: Any) -> Any:
    for row in rows:
        if limit > 0.5:
            return row, log, rows
    log.append(sum(log))
    return rows, limit


def own_list(rows: Any, limit: Any, log: Any) -> Any:
    seen = []
    for row in rows:
        seen.append(row.sum())
        if row.sum() > limit:
            return row, seen
    return rows[0], seen


def list_that_is_written_before(rows: Any, limit: Any, log: Any) -> Any:
    for k, row in enumerate(rows):
        log[0] = log[0] + row.sum()
        if row.sum() > limit:
            return k, row, log
    return -1, rows[0], log


def a_dict(rows: Any, limit: Any, log: Any) -> Any:
    found = {"count": T(0.0), "last": rows[0]}
    for row in rows:
        found["count"] = found["count"] + 1
        found["last"] = row
        if row.sum() > limit:
            return True, found
    return False, found


def best_and_path(rows: Any, limit: Any, log: Any) -> Any:
    best, path = rows[0, 0] * 0 - 1e9, []
    for row in rows:
        if row.sum() > limit:
            return best, path
        if row.sum() > best:
            best = row.sum()
        path.append(row)
    return best, path


FUNCTIONS = [
    callers_list, callers_list_after_another_loop, three_results, condition_of_the_argument, own_list,
    list_that_is_written_before, a_dict, best_and_path,
]  # fmt: skip


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_results_from_inside_of_a_loop(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 1.0]]
    for limit in (2.0, 100.0, 6.5, 0.25):
        ours, theirs = [T([1.0])[0]], [T([1.0])[0]]
        found, expected = compiled(T(rows), T(limit), ours), fn(T(rows), T(limit), theirs)
        _same(found, expected)
        _same(ours, theirs)
        for a, b in zip(found, expected, strict=True):
            assert (a is ours) is (b is theirs)


def _same(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, (list, tuple)):
        assert type(found) is type(expected)
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            _same(a, b)
    elif isinstance(expected, vt.Tensor):
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)
    else:
        assert found == expected


def test_gradients_of_a_row_that_a_loop_returns_beside_a_list() -> None:
    compiled = vt.to_static(own_list)
    for limit in (2.0, 6.5, 100.0):
        grads = []
        for fn in (compiled, own_list):
            rows = T([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
            row, seen = fn(rows * 2, T(limit), [])
            (row.sum() + sum(seen)).backward()
            grads.append(rows.grad.tolist())
        assert grads[0] == grads[1]


W = T([[1.0, -2.0], [3.0, 4.0], [-5.0, 6.0]])


def picked(x: Any) -> Any:
    found = []
    if x[0] > 0:
        found.append(W[W[:, 0] > 0])
    if x[1] > 0:
        found.append(W[W[:, 1] > 0] * 2)
    return found


def picked_beside(x: Any) -> Any:
    found = [W[:1]]
    if x[0] > 0:
        found.append(W[W[:, 0] > x[0] - 1])
    if x[1] > 0:
        found.append(W[W[:, 1] > x[1] - 1])
    return found, len(found)


@pytest.mark.parametrize("fn", [picked, picked_beside], ids=lambda fn: fn.__name__)
def test_elements_of_sizes_of_the_run_come_out_in_a_list(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0], [4.0, 5.0]):
        _same(compiled(T(values)), fn(T(values)))
