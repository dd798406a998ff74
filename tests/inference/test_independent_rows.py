"""Which programs may run for several requests at once: those whose rows have nothing to do with each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.inference.independent_rows import has_independent_rows

F = nn.functional
MATRIX, CUBE, IDS = vt.InputSpec([None, 4]), vt.InputSpec([None, 3, 4]), vt.InputSpec([None, 4], "int64")


class Encoder(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(10, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16)
        self.head = nn.Linear(8, 3)

    def forward(self, ids: Any) -> Any:
        return F.softmax(self.head(self.layer(self.table(ids)).mean(1)))


class Recurrent(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.LSTM(4, 6)

    def forward(self, x: Any) -> Any:
        return self.cells(x)[0][:, -1]


class Pictures(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2D(1, 2, 3, padding=1), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(2))

    def forward(self, x: Any) -> Any:
        return self.body(x.unsqueeze(1)).flatten(1)


APART: dict[str, tuple[Any, Any]] = {
    "a network": (lambda: nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 2)), MATRIX),
    "an encoder": (Encoder, IDS),
    "a recurrent one": (Recurrent, CUBE),
    "pictures": (Pictures, CUBE),
    "sums of a row": (lambda: lambda x: x - x.mean(1, keepdim=True) + x.max(-1, keepdim=True), MATRIX),
    "sorted rows": (lambda: lambda x: vt.concat([vt.sort(x, -1), vt.topk(x, 2)[0], x.cumsum(1)], 1), MATRIX),
    "rows merged and parted": (lambda: lambda x: (x.reshape([-1]) * 2).reshape([-1, 4]), MATRIX),
    "products of matrices": (lambda: lambda x: vt.bmm(x, x.transpose([0, 2, 1])).tril().flip([1]), CUBE),
    "the same beside each": (lambda: lambda x: vt.concat([vt.zeros([x.shape[0], 1]), x], 1), MATRIX),
    "columns picked": (lambda: lambda x: vt.gather(x, vt.to_tensor([2, 0]), axis=1)[:, ::1] + x[:, 1:3], MATRIX),
}
TOGETHER: dict[str, tuple[Any, Any]] = {
    "a mean of all": (lambda x: x - x.mean(0), MATRIX),
    "a softmax over all": (lambda x: F.softmax(x, 0), MATRIX),
    "sorted": (lambda x: vt.sort(x, 0), MATRIX),
    "statistics of a batch": (
        lambda x: F.batch_norm(x, vt.zeros([4]), vt.ones([4]), training=True, momentum=1.0), MATRIX,
    ),
    "running sums": (lambda x: x.cumsum(0), MATRIX),
    "distances": (lambda x: (x @ x.t()).sum(1, keepdim=True), MATRIX),
    "numbers of rows": (lambda x: x + vt.arange(x.shape[0]).unsqueeze(1), MATRIX),
    "turned over": (lambda x: vt.flip(x, [0]), MATRIX),
    "moved on": (lambda x: vt.roll(x, 1, 0), MATRIX),
    "how many": (lambda x: x * x.shape[0], MATRIX),
    "the first of all": (lambda x: x - x[0], MATRIX),
    "a condition on all": (lambda x: x * 2 if x.sum() > 0 else x, MATRIX),
    "parts of all": (lambda x: x / x.norm(), MATRIX),
    "merged with its neighbour": (lambda x: x.reshape([-1]).cumsum().reshape([-1, 4]), MATRIX),
}  # fmt: skip


def _program(model: Any, spec: Any, folder: Path) -> Any:
    vt.jit.save(model, folder / "m.vt", input_spec=[spec])
    return vt.jit.load(folder / "m.vt")


def _row(spec: Any, count: int) -> Any:
    rng, shape = np.random.default_rng(count), [count, *spec.shape[1:]]
    return vt.to_tensor(rng.integers(0, 10, shape) if spec is IDS else rng.normal(size=shape).astype("float32"))


@pytest.mark.parametrize("name", APART)
def test_rows_that_are_apart_are_seen_to_be(name: str, tmp_path: Path) -> None:
    make, spec = APART[name]
    loaded = _program(make(), spec, tmp_path)
    program = loaded.program()
    assert has_independent_rows(program, program.feed_values[0].shape[0])
    a, b = _row(spec, 3), _row(spec, 2)
    parts = np.concatenate([loaded(a).numpy(), loaded(b).numpy()])
    np.testing.assert_allclose(loaded(vt.concat([a, b])).numpy(), parts, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", TOGETHER)
def test_rows_that_meet_are_never_joined(name: str, tmp_path: Path) -> None:
    function, spec = TOGETHER[name]
    program = _program(function, spec, tmp_path).program()
    assert not has_independent_rows(program, program.feed_values[0].shape[0])
