"""Calls of saved programs: constants may be left out behind the tensors; the state of a one-file artifact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import errors, nn


class Batched(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, batch: Any, extra: Any = None, flag: bool = True) -> Any:
        return self.layer(batch["x"] + batch["pair"][0]) * (1 if flag else 2)


def test_constants_behind_nested_tensors_may_be_left_out(tmp_path: Path) -> None:
    net, spec = Batched(), vt.InputSpec([None, 3])
    batch = {"x": vt.ones([2, 3]), "pair": [vt.ones([2, 3]), vt.ones([1])]}
    vt.jit.save(net, tmp_path / "net", [{"x": spec, "pair": [spec, vt.InputSpec([1])]}, None, False])
    loaded = vt.jit.load(tmp_path / "net")
    expected = net(batch, None, False).tolist()
    for args in ((batch,), (batch, None), (batch, None, False), (batch["x"], *batch["pair"])):
        assert loaded(*args).tolist() == expected
    with pytest.raises(errors.ArgumentError, match="argument 2 was False"):
        loaded(batch, None, True)
    with pytest.raises(errors.ArgumentError, match=r"takes 3 arguments .*, not 4") as found:
        loaded(batch, None, False, 1)
    assert "nested as they were" in str(found.value)


def scaled(x: Any, k: int, y: Any, mode: str = "a") -> Any:
    return x * k + y if mode == "a" else x


def test_constants_between_tensors_that_are_named(tmp_path: Path) -> None:
    spec = vt.InputSpec([None])
    vt.jit.save(scaled, tmp_path / "fn", [spec, 2, spec, "a"])
    loaded, x, y = vt.jit.load(tmp_path / "fn"), vt.ones([2]), vt.to_tensor([1.0, 3.0])
    for found in (loaded(x, y=y), loaded(x, 2, y), loaded(x, 2, y, "a"), loaded(x, 2, y=y)):
        assert found.tolist() == [3.0, 5.0]
    with pytest.raises(errors.ArgumentError, match="takes 4 arguments"):
        loaded(x, 2)


@pytest.mark.parametrize("name", ["net", "net.vt"])
def test_the_state_of_what_was_saved(tmp_path: Path, name: str) -> None:
    net = nn.Linear(3, 2)
    vt.jit.save(net, tmp_path / name, [vt.InputSpec([None, 3])])
    state = vt.load(tmp_path / name)
    assert {key: value.tolist() for key, value in state.items()} == {
        key: value.tolist() for key, value in net.state_dict().items()
    }
