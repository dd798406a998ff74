"""Which methods of a layer are saved, and what their InputSpecs must cover."""

from __future__ import annotations

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
