"""Files that are written while the program goes on hold what was there at the call."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError


def test_values_at_the_call_are_written(tmp_path: Path) -> None:
    layer = vt.nn.Linear(2, 3)
    before, path = layer.weight.numpy().copy(), tmp_path / "made" / "layer.pdparams"
    vt.async_save(layer.state_dict(), path)
    with vt.no_grad():
        layer.weight.set_value(vt.zeros([2, 3]))
    vt.async_save(layer.weight, stream := BytesIO(), sync_other_task=True)
    assert vt.load(path)["weight"].tolist() == before.tolist()
    vt.framework.io.clear_async_save_task_queue()
    stream.seek(0)
    assert vt.load(stream).tolist() == [[0.0] * 3] * 2


def test_what_goes_wrong_is_told(tmp_path: Path) -> None:
    with pytest.raises(KindError, match="a tensor or a dict, not a tuple"):
        vt.async_save((1, 2), tmp_path / "numbers")
    with pytest.warns(UserWarning, match="takes no encoding"):
        vt.async_save({"a": 1}, tmp_path, encoding="utf-8")
    with pytest.raises(ArgumentError, match="save needs the path of a file"):
        vt.clear_async_save_task_queue()
    vt.clear_async_save_task_queue()
    vt.enable_static()
    try:
        with pytest.raises(ValueError, match="static mode"):
            vt.async_save({}, tmp_path / "program")
    finally:
        vt.disable_static()
