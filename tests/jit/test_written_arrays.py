"""NumPy arrays that a compiled function writes in place: as in plain Python, or refused with the line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt

FOLLOWED = {
    "augmented": "a += 1",
    "an alias": "b = a; b *= 2",
    "an array subtracted": "a -= x.numpy()",
    "reversed": "a -= a[::-1]",
    "division": "a /= 2; a **= 2",
    "sort": "a.sort()",
    "fill": "a.fill(3)",
    "copyto": "np.copyto(a, 5); np.copyto(a[1:], x[:2])",
    "a view": "v = a[1:]; v[0] = 55; a[2] = 7; x = x + v.sum()",
    "a view of a view": "v = a[::-1]; w = v[1:]; w += 1; x = x * w.sum()",
    "a view, and its base": "v = a[1:]; a += 1; v *= 2; x = x + v.sum()",
    "in a branch": "if x.sum() > 0: a += 1",
    "a loop": "for k in range(3): a += k",
    "a while": "while a.sum() < 20: a += 1",
    "a slice": "a[1:] += 1",
    "a copy": "b = a.copy(); b += 1; x = x + b.sum()",
    "a tensor's copy": "t = vt.to_tensor(a); t[0] = 5; x = x + t.sum()",
    "chosen elements": "b = a[[0, 1]]; b[0] = 9; x = x + b.sum()",
}


def _made(body: str, tmp_path: Path) -> Callable[..., Any]:
    file = tmp_path / "written.py"
    lines = [line.strip() for line in body.split("; ")]
    text = "\n".join(["import numpy as np", "import vitrify as vt", "def f(a, x):", *[f"    {x}" for x in lines]])
    file.write_text(text + "\n    return x + vt.to_tensor(a)\n")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    found: Callable[..., Any] = space["f"]
    return found


@pytest.mark.parametrize("name", FOLLOWED)
def test_an_array_argument_is_written_as_in_plain_python(name: str, tmp_path: Path) -> None:
    plain = _made(FOLLOWED[name], tmp_path)
    compiled = vt.to_static(plain)
    ours, theirs = np.array([2.0, 1.0, 4.0]), np.array([2.0, 1.0, 4.0])
    for sign in (1.0, -1.0, 1.0):
        x = vt.to_tensor(np.array([0.0, 0.0, sign]))
        np.testing.assert_array_equal(compiled(ours, x).numpy(), plain(theirs, x).numpy())
        np.testing.assert_array_equal(ours, theirs)


def test_rows_of_an_array_are_written() -> None:
    @vt.to_static
    def f(a: Any, x: Any) -> Any:
        for row in a:
            row += 1
        first, _ = a
        first[0] = 9
        return x + a.sum()

    a = np.zeros((2, 2), np.float32)
    assert f(a, vt.to_tensor([0.0])).tolist() == [12.0]
    assert a.tolist() == [[9.0, 1.0], [1.0, 1.0]]


def test_an_array_in_a_dict_stays_one() -> None:
    @vt.to_static
    def f(d: Any, x: Any) -> Any:
        d["a"] += 1
        return x

    array = np.zeros(2)
    given = {"a": array}
    for _ in range(2):
        f(given, vt.to_tensor([1.0]))
    assert given["a"] is array
    assert array.tolist() == [2.0, 2.0]


def test_a_written_array_that_comes_out_has_its_new_elements() -> None:
    @vt.to_static
    def f(a: Any) -> Any:
        a[0] = 5
        return a

    assert f(np.zeros(2)).tolist() == [5.0, 0.0]


REFUSED = {
    "reshape": "a.reshape(-1)[0] = 42",
    "transpose": "a.T[1] = 6",
    "partition": "a.partition(1)",
    "joined": "b = a if x.sum() > 0 else a[::-1]; b += 1",
    "out": "np.add(a, 1, out=a)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_writes_of_an_array_argument_are_refused(name: str, tmp_path: Path) -> None:
    array = np.array([2.0, 1.0, 4.0])
    with pytest.raises(vt.errors.CaptureError, match=r"written\.py"):
        vt.to_static(_made(REFUSED[name], tmp_path))(array, vt.to_tensor(np.zeros(3)))
    assert array.tolist() == [2.0, 1.0, 4.0]


def test_floats_do_not_go_into_an_array_of_integers(tmp_path: Path) -> None:
    with pytest.raises(vt.errors.CaptureError, match="an array of int64 given float"):
        vt.to_static(_made("a += 0.5", tmp_path))(np.arange(3), vt.to_tensor([0.0]))


def test_an_array_of_a_closure_or_an_attribute_is_not_written() -> None:
    array, owner = np.zeros(3), SimpleNamespace(a=np.zeros(3))

    @vt.to_static
    def closure(x: Any) -> Any:
        nonlocal array
        array += 1
        return x + array.sum()

    @vt.to_static
    def attribute(x: Any) -> Any:
        if x.sum() > 0:
            owner.a[0] -= 2
        return x * owner.a.sum()

    for fn, there in ((closure, array), (attribute, owner.a)):
        with pytest.raises(vt.errors.CaptureError, match="an array that isn't an argument is written") as caught:
            fn(vt.to_tensor([1.0]))
        assert "test_written_arrays.py" in str(caught.value)
        assert not there.any()
        there[0] = 1  # the caller may write it again


def test_an_array_of_the_functions_own_is_written() -> None:
    outside = np.ones(3)

    @vt.to_static
    def f(x: Any) -> Any:
        own = outside.copy()
        own += 1
        own[0] = 7
        return x + own.sum()

    assert f(vt.to_tensor([0.0])).item() == 11.0
    assert outside.tolist() == [1.0, 1.0, 1.0]
