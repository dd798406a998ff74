"""fluid.io: inference models and state in folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vitrify import fluid

X = np.random.default_rng(0).standard_normal((5, 3)).astype("float32")


def build() -> tuple[Any, Any, Any]:
    """A trained program: its executor, prediction and loss."""
    x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 1])
    prediction = fluid.layers.fc(fluid.layers.dropout(fluid.layers.fc(x, 4, act="tanh"), 0.5), 1)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(prediction, y))
    fluid.optimizer.Adam(0.01).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    exe.run(feed={"x": X, "y": X[:, :1]}, fetch_list=[loss])
    return exe, prediction, loss


def values() -> dict[str, np.ndarray]:
    scope = fluid.global_scope()
    return {
        v.name: np.array(scope.find_var(v.name).get_tensor()).copy()
        for v in fluid.default_main_program().list_vars()
        if v.persistable and scope.find_var(v.name) is not None
    }


@pytest.mark.parametrize("names", [{}, {"model_filename": "model", "params_filename": "params"}])
def test_an_inference_model_gives_the_same(tmp_path: Path, names: dict[str, str]) -> None:
    exe, prediction, _ = build()
    test = fluid.default_main_program().clone(for_test=True)
    (expected,) = exe.run(test, feed={"x": X, "y": X[:, :1]}, fetch_list=[prediction])
    saved = fluid.io.save_inference_model(tmp_path / "model", ["x"], [prediction], exe, **names)
    assert saved == [prediction.name]
    assert {f.name for f in (tmp_path / "model").iterdir()} == (set(names.values()) or {"__model__", "__params__"})
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = fluid.io.load_inference_model(str(tmp_path / "model"), exe, **names)
        assert feeds == ["x"]
        (found,) = exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_what_an_inference_model_refuses(tmp_path: Path) -> None:
    exe, prediction, loss = build()
    with pytest.raises(ValueError, match="there is no variable z"):
        fluid.io.save_inference_model(tmp_path / "a", ["z"], [prediction], exe)
    with pytest.raises(ValueError, match="need the feed y"):
        fluid.io.save_inference_model(tmp_path / "a", ["x"], [loss], exe)
    assert not (tmp_path / "a").exists()
    with pytest.raises(ValueError, match="there is no file"):
        fluid.io.load_inference_model(str(tmp_path / "nowhere"), exe)


@pytest.mark.parametrize("filename", [None, "all"])
@pytest.mark.parametrize("kind", ["params", "persistables"])
def test_state_comes_back(tmp_path: Path, kind: str, filename: str | None) -> None:
    exe, _, loss = build()
    save, load = getattr(fluid.io, f"save_{kind}"), getattr(fluid.io, f"load_{kind}")
    before = values()
    save(exe, tmp_path, filename=filename)
    exe.run(feed={"x": X, "y": X[:, :1]}, fetch_list=[loss])
    assert any((a != before[name]).any() for name, a in values().items())
    load(exe, tmp_path, filename=filename)
    parameters = {p.name for p in fluid.io.get_program_parameter(fluid.default_main_program())}
    assert len(parameters) == 4
    for name, array in values().items():
        if kind == "persistables" or name in parameters:
            np.testing.assert_array_equal(array, before[name], err_msg=name)
        elif "moment1" in name:
            assert (array != before[name]).any(), name


def test_missing_files_of_state(tmp_path: Path) -> None:
    exe, _, _ = build()
    with pytest.raises(FileNotFoundError, match="there is no file"):
        fluid.io.load_params(exe, tmp_path)
    with pytest.raises(TypeError, match="must be a Program, not a str"):
        fluid.io.load_vars(exe, tmp_path, "program")
    one = fluid.default_main_program().all_parameters()[:1]
    fluid.io.save_vars(exe, tmp_path, vars=one, filename="one")
    with pytest.raises(ValueError, match="has no value of"):
        fluid.io.load_params(exe, tmp_path, filename="one")
