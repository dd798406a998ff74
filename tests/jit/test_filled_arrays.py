"""NumPy arrays that captured code makes, and fills with elements of a run: as in plain Python, on each path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt

FILLED = {
    "an element": "a = np.zeros(3); a[0] = x[1]",
    "an element as a float": "a = np.zeros(3); a[1] = float(x[1]) * 2",
    "to a place of the run": "a = np.ones(3); a[int(x[0])] = 5.0",
    "counted": "a = np.zeros(3, int); a[int(x[0])] += 1; a[int(x[1])] += 1",
    "a matrix": "m = np.zeros((2, 3)); m[0, 1] = x[1]; m[1, int(x[0])] = 2; a = m.sum(axis=0)",
    "a row": "m = np.zeros((2, 2)); m[1][0] = x[1]; m[0] = x[:2]; a = m[0] + m[1]",
    "a view": "m = np.zeros(4); v = m[1:3]; v[0] = x[1]; a = m",
    "a view with several keys": "m = np.zeros((2, 2)); v = m[:, 1]; v[0] = x[1]; a = m[0]",
    "in place": "a = np.ones(3); a += x; a *= 2",
    "fill": "a = np.empty(3); a.fill(x[1])",
    "full": "a = np.full(3, 2.0); a[0] = x[2]",
    "a list's": "a = np.array([1.0, 2.0, 3.0]); a[2] = x[0]",
    "a copy": "b = np.arange(3.0); a = b.copy(); a[0] = x[1]; a = a + b",
    "of arithmetic": "a = np.ones(3) * 2 - 1; a[0] = x[1]",
    "of arithmetic, in place": "a = np.ones(3) / 4; a -= x",
    "integers": "a = np.zeros(3, dtype='int64'); a[0] = x[1] * 1.7",
    "under a condition": "a = np.zeros(3); if x[2] > 0: a[0] = 1.0",
    "in place under a condition": "a = np.zeros(3); if x[2] > 0: a += 1.0",
    "a view under a condition": "a = np.zeros(3); v = a[1:]; if x[2] > 0: v += 1.0",
    "a matrix under a condition": "m = np.zeros((2, 2)); if x[2] > 0: m[0, 1] = 2.0;; a = m[0]",
    "arithmetic's under a condition": "a = np.zeros(3) + 1; if x[2] > 0: a[0] = 7.0",
    "sorted under a condition": "a = np.array([2.0, 1.0, 3.0]); if x[2] > 0: a.sort()",
    "carried by name": "a = np.zeros(3); if x[2] > 0: a[0] = 1.0; a = a * 2",
    "in a loop of the program": "a = np.zeros(3); k = 0; while k < x[1]: a[k] = x[k] + 1; k = k + 1",
    "in a loop over rows": "a = np.zeros(3); for row in x: a[0] += 1.0",
    "in a loop of Python": "a = np.zeros(3); for k in range(3): a[k] = x[k] * k",
    "in a long loop": "a = np.zeros(60); for k in range(60): a[k] = x.sum() * k",
    "made in a branch": "a = np.zeros(3); if x[2] > 0: b = np.ones(3); b[1] = x[1]; a = a + b",
    "of known places": "t = np.zeros(3); for k in range(3): t[k] = k * 2;; a = t + x.numpy()",
    "a made index": "i = np.arange(3); i[0] = 2; a = x.numpy()[i] * 1.0",
    "diagonal": "m = np.eye(2); np.fill_diagonal(m, x[1]); a = m[0]",
    "copied into": "a = np.zeros(3); np.copyto(a, x)",
    "read with several keys": "m = np.arange(6.0).reshape(2, 3); a = np.zeros(3); a[0] = m[0, int(x[0])]",
    "list of it": "m = np.zeros(3); m[0] = x[1]; a = np.array(m.tolist())",
    "a flag": "f = np.zeros(3, bool); f[int(x[0])] = True; a = np.where(f, 1.0, 2.0)",
    "caught": "a = np.zeros(3); try: a[7] = x[1]; except IndexError: a[0] = 9.0",
}


def _made(body: str, tmp_path: Path, result: str) -> Callable[..., Any]:
    """A function with these statements; what follows a `while`, `for`, `if`, `try` or `except` belongs to it to `;;`."""
    lines, depth = [], 1
    for part in body.replace(";;", "; END").split("; "):
        if part.startswith("END"):
            depth, part = 1, part.removeprefix("END").strip()
        head, _, rest = part.partition(": ")
        if part.startswith(("while ", "for ", "if ", "try: ", "except ")):
            lines += ["    " + head + ":", "        " + rest]
            depth = 2
        elif part:
            lines.append("    " * depth + part)
    text = "\n".join(["import numpy as np", "import vitrify as vt", "def f(x):", *lines, f"    return {result}"])
    file = tmp_path / "filled.py"
    file.write_text(text + "\n")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    found: Callable[..., Any] = space["f"]
    return found


@pytest.mark.parametrize("name", FILLED)
def test_an_array_is_filled_as_in_plain_python(name: str, tmp_path: Path) -> None:
    plain = _made(FILLED[name], tmp_path, "a")
    compiled = vt.to_static(plain)
    for x in ([1.0, 2.0, 3.0], [2.0, 1.0, -3.0], [0.0, 2.0, 4.0]):
        given = vt.to_tensor(np.array(x, "float32"))
        expected, found = plain(given), compiled(given)
        assert type(found) is type(expected)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["an element", "in place", "in a loop of Python", "under a condition"])
def test_the_array_has_no_gradient(name: str, tmp_path: Path) -> None:
    plain = _made(FILLED[name], tmp_path, "(x * vt.to_tensor(a)).sum()")
    compiled = vt.to_static(plain)
    for _ in range(2):
        grads = []
        for fn in (plain, compiled):
            x = vt.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
            fn(x).backward()
            grads.append(x.grad.tolist())
        assert grads[0] == pytest.approx(grads[1])


def test_arrays_that_stay_known_are_pythons_own() -> None:
    """Only what is filled is an array of the run: sizes and indices that others give stay known."""

    @vt.to_static
    def f(x: Any) -> Any:
        shape = np.zeros(2, int)
        shape[0], shape[1] = 3, 1
        order = np.arange(3)
        out = np.zeros(3)
        for k, place in enumerate(order):
            out[place] = x[2 - k]
        return x.reshape([int(n) for n in shape]), out

    shaped, out = f(vt.to_tensor([1.0, 2.0, 3.0]))
    assert shaped.shape == [3, 1]
    assert out.tolist() == [3.0, 2.0, 1.0]


def test_a_table_that_a_loop_computes_stays_a_constant() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        table = np.zeros((40, 2))
        for k in range(40):
            table[k, 0] = np.sin(k)
            table[k][1] = np.cos(k)
        return x + vt.to_tensor(table.astype("float32")).sum()

    expected = sum(np.sin(k) + np.cos(k) for k in range(40))
    assert f(vt.to_tensor([1.0])).item() == pytest.approx(1 + expected, rel=1e-5)
    assert "select_update" not in str(f.program)


def test_an_array_in_an_object_is_filled() -> None:
    class Box:
        pass

    def f(x: Any) -> Any:
        box = Box()
        box.values = np.zeros((2, 2))
        box.values[0, 1] = x.sum()
        box.values[1] += x
        return box.values

    x = vt.to_tensor([1.0, 2.0])
    compiled = vt.to_static(f)
    for _ in range(2):
        np.testing.assert_allclose(compiled(x), f(x))


def test_an_array_from_outside_is_still_refused() -> None:
    outside = np.zeros((2, 2))

    @vt.to_static
    def f(x: Any) -> Any:
        outside[0, 1] = x.sum()
        return x

    with pytest.raises(vt.errors.CaptureError, match=r"only a run of the program knows|isn't an argument"):
        f(vt.to_tensor([1.0, 2.0]))
    assert outside.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_write_that_no_program_can_follow_is_refused() -> None:
    def made(n: int) -> Any:
        return np.zeros(n)

    made = vt.jit.not_to_static(made)

    @vt.to_static
    def f(x: Any) -> Any:
        a = made(2)
        if x.sum() > 0:
            a[0] = 1.0
        return x + vt.to_tensor(a)

    with pytest.raises(vt.errors.CaptureError, match="a NumPy array is written under a condition") as caught:
        f(vt.to_tensor([1.0, 2.0]))
    assert "a[0] = 1.0" in str(caught.value)
    assert "help: " in str(caught.value)


def _filled_with(array: Any, x: Any) -> Any:
    array[...] = x
    return array


ARRAYS = {
    "copy": lambda x: np.copy(x) * 2,
    "diag of a matrix": lambda x: np.diag(x),
    "diag of a line": lambda x: np.diag(x[0], 1),
    "diagonal": lambda x: np.diagonal(x),
    "trace": lambda x: np.trace(x),
    "allclose": lambda x: np.allclose(x, x.T),
    "allclose of another": lambda x: np.allclose(x, 1.0, atol=0.5),
    "isclose": lambda x: np.isclose(x, x.T),
    "array_equal": lambda x: np.array_equal(x, x.T),
    "array_equal of other shapes": lambda x: np.array_equal(x, x[0]),
    "iscomplexobj": lambda x: np.iscomplexobj(x),
    "isrealobj": lambda x: np.isrealobj(x),
    "full": lambda x: np.full((2,), x[0, 0]),
    "full of a row": lambda x: np.full((3, 2), x[0]),
    "full with a dtype": lambda x: np.full(2, x[0, 1], dtype="int64"),
    "linspace": lambda x: np.linspace(0, float(x[0, 0]), 3),
    "linspace of tensors": lambda x: np.linspace(x[0, 0], x[0, 1], 5),
    "linspace without its end": lambda x: np.linspace(x[0, 0], 4, 4, endpoint=False),
    "linspace of one": lambda x: np.linspace(x[0, 0], 4, 1),
    "linspace of nothing between": lambda x: np.linspace(x[0, 0], x[0, 0], 3),
    "array": lambda x: np.array([x[0, 0], 1.0]),
    "array of numbers": lambda x: np.array([[float(x[0, 0]), 1], [2, x[1, 1].item()]]),
    "array of rows": lambda x: np.array([x[0], x[1], x[0]]),
    "array with a dtype": lambda x: np.array([x[0, 0], 1.5], dtype="float32"),
    "asarray": lambda x: np.asarray((x[0, 0], x[1, 0])),
    "append": lambda x: np.append(x, 5.0),
    "append along an axis": lambda x: np.append(x, x, axis=1),
    "roll": lambda x: np.roll(x, 1, axis=0),
    "tile": lambda x: np.tile(x, (1, 2)),
    "diff": lambda x: np.diff(x),
    "kron": lambda x: np.kron(x, np.eye(2)),
    "vstack": lambda x: np.vstack([x, np.ones(2)]),
    "hstack": lambda x: np.hstack((x[0], x[1])),
    "column_stack": lambda x: np.column_stack([x[0], x[1]]),
    "norm": lambda x: np.linalg.norm(x),
    "norms of rows": lambda x: np.linalg.norm(x, axis=1),
    "empty_like": lambda x: _filled_with(np.empty_like(x), x),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_functions_that_give_arrays(name: str) -> None:
    fn = ARRAYS[name]
    compiled = vt.to_static(fn)
    for rows in ([[1.0, 2.0], [2.0, 1.0]], [[3.0, 2.5], [2.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]):
        x = vt.to_tensor(rows, stop_gradient=False)
        expected, found = fn(x), compiled(x)
        assert type(found) is type(expected) or isinstance(expected, np.generic)
        if isinstance(expected, np.ndarray):
            assert found.dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)


def test_a_loop_ends_when_all_is_close() -> None:
    def f(x: Any) -> Any:
        old = np.zeros(2)
        steps = 0
        while not np.allclose(old, x, atol=1e-3):
            old = np.copy(x)
            x = x / 2 + 1
            steps += 1
        return x, steps

    compiled = vt.to_static(f)
    for given in ([8.0, 1.0], [2.0, 2.0]):
        x = vt.to_tensor(given)
        (found, steps), (expected, wanted) = compiled(x), f(x)
        assert steps == wanted
        assert found.tolist() == pytest.approx(expected.tolist())


def lower_upper(table: Any) -> Any:
    """The LU decomposition as textbooks write it."""
    rows = table.shape[0]
    lower, upper = np.zeros((rows, rows)), np.zeros((rows, rows))
    for i in range(rows):
        for j in range(i):
            total = sum(lower[i][k] * upper[k][j] for k in range(j))
            if upper[j][j] == 0:
                raise ArithmeticError("no LU decomposition exists")
            lower[i][j] = (table[i][j] - total) / upper[j][j]
        lower[i][i] = 1
        for j in range(i, rows):
            total = sum(lower[i][k] * upper[k][j] for k in range(j))
            upper[i][j] = table[i][j] - total
    return lower, upper


def runge_kutta(y0: Any, end: Any) -> Any:
    """dy/dx = y by four slopes, as textbooks write it."""
    steps = 4
    y = np.zeros((steps + 1,))
    y[0] = y0
    h = end / steps
    for k in range(steps):
        k1 = y[k]
        k2 = y[k] + 0.5 * h * k1
        k3 = y[k] + 0.5 * h * k2
        k4 = y[k] + h * k3
        y[k + 1] = y[k] + (1 / 6) * h * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def test_textbook_programs() -> None:
    table = vt.to_tensor([[2.0, -2.0, 1.0], [0.0, 1.0, 2.0], [5.0, 3.0, 1.0]])
    compiled = vt.to_static(lower_upper)
    for scale in (1.0, 2.0):
        for found, expected in zip(compiled(table * scale), lower_upper(table * scale), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-6)
    with pytest.raises(ArithmeticError, match="no LU"):
        compiled(table * 0.0)
    solved = vt.to_static(runge_kutta)
    for start in (1.0, 3.0):
        given = vt.to_tensor(start), vt.to_tensor(1.0)
        np.testing.assert_allclose(solved(*given), runge_kutta(*given), rtol=1e-6)


TABLE = np.array([1.0, 2.0])


def test_an_array_from_outside_that_some_iterations_take_stays_one() -> None:
    def f(x: Any) -> Any:
        found = None
        for v in x:
            if v > 1:
                found = TABLE
        return x if found is None else x + vt.to_tensor(found).astype("float32")

    compiled = vt.to_static(f)
    for values in ([0.5, 2.0], [0.5, 0.25]):
        x = vt.to_tensor(values)
        assert compiled(x).tolist() == f(x).tolist()
