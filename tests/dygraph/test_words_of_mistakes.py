"""What errors say of common mistakes: the function, the value, and a class that PaddlePaddle's users catch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import errors

X = vt.ones([2, 3])


class Misspelt(vt.nn.Layer):
    def foward(self, x: Any) -> Any:
        return x


def ctc(logits: Any, lengths: list[int], sizes: list[int]) -> Any:
    return F.ctc_loss(logits, vt.to_tensor([[1, 2]], "int32"), vt.to_tensor(lengths), vt.to_tensor(sizes))


CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: F.embedding(vt.to_tensor([3]), X), errors.AxisError, "^index 3 is outside an axis of 2 elements"),
    (lambda: vt.scatter(X, vt.to_tensor([5]), vt.ones([1, 3])), errors.AxisError, "^index 5 is outside an axis of 2"),
    (lambda: vt.to_tensor([1, 2**64]), errors.ArgumentError, "18446744073709551616 doesn't fit into int64"),
    (lambda: vt.to_tensor([[2**70], [1]]), errors.ArgumentError, "1180591620717411303424 doesn't fit into int64"),
    (lambda: vt.to_tensor([1, None]), errors.DTypeError, "a list of int and NoneType can't become a tensor"),
    (lambda: X.tile(-1), errors.ArgumentError, "tile: repeat_times can't be negative"),
    (lambda: ctc(vt.rand([5, 1, 4]), [8], [2]), errors.AxisError, "the length of an input is 8, but there are 5"),
    (lambda: ctc(vt.rand([5, 1, 4]), [5], [3]), errors.AxisError, "the length of a label is 3, but there are 2"),
    (lambda: vt.seed("x"), errors.KindError, "a seed is an integer, not 'x'"),
    (lambda: Misspelt()(X), NotImplementedError, "did you mean 'foward'"),
]


@pytest.mark.parametrize(("call", "kind", "words"), CASES, ids=[words for *_, words in CASES])
def test_a_mistake_is_named(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_a_hook_has_to_be_a_function() -> None:
    x = vt.ones([2])
    x.stop_gradient = False
    with pytest.raises(errors.KindError, match="register_hook needs a function, not 'x'"):
        x.register_hook("x")  # type: ignore[arg-type]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(errors.ArtifactError, match="is a folder"):
        vt.load(tmp_path)
    with pytest.raises(errors.ArtifactError, match="no such file"):
        vt.load(tmp_path / "weights")


def length(x: Any) -> Any:
    try:
        return len(x)
    except AssertionError:
        return -1


def rows(x: Any) -> Any:
    try:
        return [row * 2 for row in x]
    except TypeError:
        return []


@pytest.mark.parametrize("fn", [length, rows])
def test_a_tensor_without_axes_has_neither_length_nor_rows(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    assert compiled(vt.ones([])) == fn(vt.ones([]))
    with pytest.raises(errors.NoSequenceError, match="rank 0"):
        vt.to_static(lambda x: len(x) if fn is length else [*x])(vt.ones([]))
