"""Results that may be one tensor or two: a saved model has their values, one output for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


class Swapping(nn.Layer):
    """Two values that a loop swaps, with an early way out."""

    def forward(self, x: Any) -> Any:
        a, b = x, x * 0
        i = vt.zeros([], "int64")
        while i < 4:
            a, b = b + 1, a * 0.5
            if b.sum() > 50:
                return a, b
            i += 1
        return a * 2, b


class Keeping(nn.Layer):
    """A state that one path sets to what comes out."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("h", vt.zeros([2]))

    def forward(self, x: Any) -> Any:
        y = x * 2
        if x.sum() > 0:
            self.h = y
        else:
            y = self.h
        return y, x + 1


@pytest.mark.parametrize("kind", [Swapping, Keeping])
def test_one_output_for_each_result(kind: type[nn.Layer], tmp_path: Path) -> None:
    net = kind()
    vt.jit.save(net, tmp_path / "net", input_spec=[vt.static.InputSpec([2], "float32")])
    loaded = vt.jit.load(tmp_path / "net")
    assert len(loaded.artifact.methods["forward"].program.fetches) == 2
    for value in (1.0, 60.0, -3.0):
        x = vt.full([2], value)
        for a, b in zip(kind()(x), vt.jit.load(tmp_path / "net")(x), strict=True):
            assert vt.allclose(a, b)


def test_state_that_one_path_sets_is_kept_from_call_to_call(tmp_path: Path) -> None:
    vt.jit.save(Keeping(), tmp_path / "net", input_spec=[vt.static.InputSpec([2], "float32")])
    net, loaded = Keeping(), vt.jit.load(tmp_path / "net")
    for value in (1.0, -1.0, 3.0, -2.0, -3.0):
        x = vt.full([2], value)
        assert [y.tolist() for y in net(x)] == [y.tolist() for y in loaded(x)]
