"""What NumPy computes from arrays in captured code: arrays, whose slices are views, and which are written in place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt

FOLLOWED = {
    "a product": "b = a * 2; c = b[1:]; c[0] = 55",
    "a difference, reflected": "b = 2 - a; c = b[1:]; c += 5",
    "a negative": "b = -a; c = b[1:]; c[0] = 5",
    "two arrays": "b = a + a[::-1]; c = b[1:]; c[0] = 5",
    "with a tensor": "b = a + x; c = b[1:]; c[0] = 5",
    "a tensor with it": "b = x - a; c = b[1:]; c[0] = 5",
    "astype of its own dtype": "b = a.astype('float64'); c = b[1:]; c[0] = 5",
    "flatten": "b = a.flatten(); a += 1; b[0] = 4",
    "cumsum": "b = a.cumsum(); c = b[1:]; c[0] = 5",
    "clip": "b = a.clip(0, 3); c = b[1:]; c[0] = 5",
    "a comparison": "b = a > 1; c = b[1:]; c[0] = True; b = b * 1.0",
    "a function of NumPy": "b = np.abs(a); c = b[1:]; c[0] = 5",
    "a function of tensors": "b = vt.abs(vt.to_tensor(a)); c = b[1:]; c[0] = 5",
    "a tensor's elements": "b = x.numpy(); c = b[1:]; c[0] = 5",
    "a tensor's elements under two names": "b = x.numpy(); b += 1; d = b; d += 1",
    "a tensor's elements times an array": "b = x.numpy() * a; c = b[1:]; c[0] = 5",
    "a number under two names": "s = a.sum(); d = s; s += 1; b = a + s * d",
    "sort and fill": "b = a * 2; b.sort(); c = b[1:]; c.fill(7)",
    "reshape": "b = (a * 2).reshape(3, 1); b[0] = 1; b += 1; b = b[:, 0]",
    "reshape, then T": "b = (a * 2).reshape(3, 1).T; b[0, 1] = 1; b = b[0]",
    "reshape that follows its base": "b = a.reshape(3, 1); a += 1; b = b[:, 0]",
    "on one path": "b = a * 2; b = b + 1 if x.sum() > 0 else b; b += 1; c = b[1:]; c[0] = 4",
    "under two names, on one path": "b = a * 2; c = b; b = b + 1 if x.sum() > 0 else b; b += 1; x = x + vt.to_tensor(c)",
    "a view written on one path": "b = a * 2; v = b[1:]; if x.sum() > 0: v += 1; x = x + v.sum()",
    "an argument on one path, written later": "b = a if x.sum() > 0 else a * 2; a += 1",
    "a view on one path, written later": "b = a[1:] if x.sum() > 0 else a[:2]; a += 1; b = b.sum()",
    "carried, and written": "b = a * 2; s = 0; while s < x.sum(): b[0] += 1; b = b + 1; s = s + 1;; b += 1; c = b[1:]; c[0] = 4",
    "made in a loop": "b = a * 2; s = 0; while s < x.sum(): b = b + 1; c = b[1:]; c[0] = 4; s = s + 1;; b = b * 1",
    "a view written in a loop": "b = a * 2; v = b[1:]; while v.sum() < 30: v += 1;; b = b + v.sum()",
    "copied in a loop": "b = a * 2; s = 0; while s < x.sum(): b = b.copy(); b[0] += 1; b = b + 1; s = s + 1",
    "std": "b = a + a.std() + a.var(ddof=1) + x.numpy().std() + np.std(a, axis=0)",
    "integers": "b = a.astype('int64') / 3 + a.astype('int32').mean()",
    "dot": "m = a.reshape(3, 1); b = m.dot(m.T).sum(axis=0) + a.dot(a)",
}


def _made(body: str, tmp_path: Path) -> Callable[..., Any]:
    """`f(a, x)` with these statements. A loop's body ends with `;;`, or where all ends."""
    lines, depth = [], 1
    for part in body.replace(";;", "; END").split("; "):
        if part.startswith("END"):
            depth, part = 1, part.removeprefix("END").strip()
        if not part:
            continue
        lines.append("    " * depth + (part if not part.startswith("while") else part.partition(": ")[0] + ":"))
        if part.startswith("while"):
            depth = 2
            lines.append("    " * depth + part.partition(": ")[2])
    text = "\n".join(["import numpy as np", "import vitrify as vt", "def f(a, x):", *lines])
    file = tmp_path / "computed.py"
    file.write_text(text + "\n    return x + vt.to_tensor(b)\n")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    found: Callable[..., Any] = space["f"]
    return found


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_computed_array_is_as_in_plain_python(name: str, tmp_path: Path) -> None:
    plain = _made(FOLLOWED[name], tmp_path)
    compiled = vt.to_static(plain)
    ours, theirs = np.array([2.0, 1.0, 4.0]), np.array([2.0, 1.0, 4.0])
    for sign in (1.0, -1.0, 1.0):
        x = vt.to_tensor(np.array([0.0, 1.0, 2 * sign]))
        found, expected = compiled(ours, x), plain(theirs, x)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-14)
        np.testing.assert_array_equal(ours, theirs)


REFUSED = {
    "a view of an array with another name": "h = a * 2; b = h.reshape(3, 1); b[0] = 1",
    "carried, written, and under another name": "b = a * 2; d = b; s = 0; while s < x.sum(): b[0] += 1; b = b + 1; s = s + 1;; b = b + d",
    "written after a loop": "b = a; s = 0; while s < x.sum(): b = b[::-1]; s = s + 1;; b[0] = 5",
    "read after a write": "b = a * 2; s = 0; while s < x.sum(): b = a; s = s + 1;; a += 1",
    "chosen": "b = a if x.sum() > 0 else a[::-1]; b += 1",
    "spread": "b = a.std(ddof=2)",
    "dot": "b = np.ones(1) + a.reshape(1, 1, 3).dot(a)",
    "nonzero": "b = a.nonzero()",
}
_WORDS = {
    "read after a write": "written in place since",
    "carried, written, and under another name": "in place",
    "spread": "another ddof",
    "dot": "more than two axes",
    "nonzero": r"nonzero\(\) of an array",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_program_cannot_follow_is_refused(name: str, tmp_path: Path) -> None:
    array = np.array([2.0, 1.0, 4.0])
    with pytest.raises(vt.errors.CaptureError, match=_WORDS.get(name, "is written in place")) as caught:
        vt.to_static(_made(REFUSED[name], tmp_path))(array, vt.to_tensor(np.ones(3)))
    assert "computed.py" in str(caught.value)
    assert array.tolist() == [2.0, 1.0, 4.0]


def copied_in_a_loop(a: Any, x: Any) -> Any:
    b, n = a, 0
    while n < x[1]:
        a = b.copy()
        n += 1
    a += 1
    return a, b


def copied_on_one_path(a: Any, x: Any) -> Any:
    b = a
    if x[1] > 0:
        a = np.copy(b)
    a += 1
    return a, b


def test_a_copy_that_one_path_makes_is_another_array() -> None:
    compiled = vt.to_static(copied_on_one_path)
    for second in (2.0, -1.0, 3.0):
        x = vt.to_tensor([1.0, second])
        ours, theirs = np.arange(3.0), np.arange(3.0)
        found, expected = compiled(ours, x), copied_on_one_path(theirs, x)
        for one, other in zip((*found, ours), (*expected, theirs), strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_copy_that_some_iterations_make_is_not_written_for_the_array_from_before() -> None:
    array = np.arange(3.0)
    with pytest.raises(vt.errors.CaptureError, match="another tensor still in use"):
        vt.to_static(copied_in_a_loop)(array, vt.to_tensor([1.0, 2.0]))
    assert array.tolist() == [0.0, 1.0, 2.0]
