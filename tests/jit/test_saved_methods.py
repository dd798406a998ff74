"""Which methods of a layer are saved, and what their InputSpecs must cover."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.static import InputSpec

SPEC = [InputSpec([None, 3])]


class Coder(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.core = nn.Linear(3, 3)

    def forward(self, x: Any) -> Any:
        return self.core(x)

    def twice(self, x: Any, offset: Any) -> Any:
        return self.core(self.core(x)) + offset


def test_methods_compiled_in_the_instance_are_saved_too(tmp_path: Path) -> None:
    coder, x = vt.to_static(Coder()), vt.randn([2, 3])
    coder.twice = vt.to_static(coder.twice)
    coder.helper = vt.to_static(lambda x: x + 1.0)  # no method of the layer
    expected = coder(x), coder.twice(x, x)
    vt.jit.save(coder, tmp_path / "c")
    loaded = vt.jit.load(tmp_path / "c")
    np.testing.assert_allclose(loaded(x).numpy(), expected[0].numpy(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(loaded.twice(x, x).numpy(), expected[1].numpy(), rtol=1e-5, atol=1e-6)
    assert not hasattr(loaded, "helper")
    with pytest.raises(ValueError, match="several compiled methods"):
        vt.jit.save(coder, tmp_path / "c", SPEC)


def test_a_missing_spec_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs a tensor or an InputSpec for `offset`"):
        vt.jit.save(Coder().twice, tmp_path / "c", SPEC)


class Machine(vt.nn.Layer):
    """State that methods replace without reading it."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("h", vt.zeros([2]))
        self.last = vt.zeros([2])

    @vt.to_static(input_spec=[vt.InputSpec([2])])
    def forward(self, x: Any) -> Any:
        self.h = self.h + x
        return self.h * 1

    @vt.to_static(input_spec=[])
    def reset(self) -> Any:
        self.h = vt.zeros([2])
        return self.h * 1

    @vt.to_static(input_spec=[vt.InputSpec([2])])
    def put(self, v: Any) -> Any:
        self.h = self.last = v
        return v * 1

    @vt.to_static(input_spec=[vt.InputSpec([2])])
    def put_if(self, v: Any) -> Any:
        if v.sum() > 3:
            self.h = v * 2
        return v * 1

    @vt.to_static(input_spec=[])
    def swap(self) -> Any:
        self.h, self.last = self.last, self.h
        return self.last * 1


def test_state_that_a_method_replaces_without_reading_it_is_kept(tmp_path: Path) -> None:
    net = Machine()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vt.jit.save(net, tmp_path / "m.vt")
    loaded = vt.jit.load(tmp_path / "m.vt")
    one, small = vt.full([2], 5.0), vt.ones([2])
    for method, args in [
        ("forward", [one]), ("reset", []), ("forward", [one]), ("put", [small]), ("forward", [one]), ("swap", []),
        ("forward", [one]), ("put_if", [small]), ("forward", [one]), ("put_if", [one]), ("forward", [small]), ("swap", []),
        ("forward", [one]),
    ]:  # fmt: skip
        assert getattr(loaded, method)(*args).tolist() == getattr(net, method)(*args).tolist(), method
    vt.jit.save(loaded, tmp_path / "again.vt")
    again = vt.jit.load(tmp_path / "again.vt")
    assert again.reset().tolist() == [0.0, 0.0]
    assert again(one).tolist() == [5.0, 5.0]
