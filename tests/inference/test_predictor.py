"""Predictors over models of both kinds: handles, threads, errors."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import inference, static

X = np.random.default_rng(0).random((5, 4)).astype(np.float32)


class Net(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.linear = vt.nn.Linear(4, 3)

    def forward(self, x: Any) -> Any:
        if x.sum() > 0:
            return vt.tanh(self.linear(x))
        return self.linear(x) * 0.0


@pytest.fixture
def saved(tmp_path: Path) -> tuple[str, Any]:
    net = Net()
    net.eval()
    path = str(tmp_path / "net")
    vt.jit.save(net, path, [static.InputSpec([None, 4], "float32", "x")])
    return path, net(vt.to_tensor(X)).numpy()


def test_a_model_through_handles(saved: tuple[str, Any]) -> None:
    path, expected = saved
    config = inference.Config(path + ".pdmodel", path + ".pdiparams")
    config.enable_memory_optim()
    config.switch_ir_optim(True)
    predictor = inference.create_predictor(config)
    (name,) = predictor.get_input_names()
    handle = predictor.get_input_handle(name)
    assert (handle.shape(), handle.type()) == ([-1, 4], inference.DataType.FLOAT32)
    handle.reshape([5, 4])
    handle.copy_from_cpu(X)
    assert predictor.run() is True
    output = predictor.get_output_handle(predictor.get_output_names()[0])
    np.testing.assert_allclose(output.copy_to_cpu(), expected, rtol=1e-5)
    assert output.shape() == [5, 3]
    (found,) = predictor.run([X[:2]])
    np.testing.assert_allclose(found, expected[:2], rtol=1e-5)
    (tensor,) = predictor.run([vt.to_tensor(-X)])
    assert (tensor.numpy() == 0).all()


def test_a_model_of_static_mode(tmp_path: Path) -> None:
    prefix = str(tmp_path / "m")
    vt.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()), static.scope_guard(static.Scope()):
            x = static.data("x", [None, 4])
            y = static.nn.fc(x, 2)
            exe = static.Executor()
            exe.run(static.default_startup_program())
            static.save_inference_model(prefix, [x], [y], exe)
            (expected,) = exe.run(feed={"x": X}, fetch_list=[y])
    finally:
        vt.disable_static()
    predictor = inference.create_predictor(inference.Config(prefix))
    assert predictor.get_input_names() == ["x"]
    np.testing.assert_allclose(predictor.run([X])[0], expected, rtol=1e-6)


def test_clones_run_in_threads(saved: tuple[str, Any]) -> None:
    path, expected = saved
    pool = inference.PredictorPool(inference.Config(path), 4)
    wrong: list[int] = []

    def work(k: int) -> None:
        predictor = pool.retrive(k)
        for _ in range(50):
            if not np.allclose(predictor.run([X[k:]])[0], expected[k:], rtol=1e-5):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_bad_input(saved: tuple[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no model at"):
        inference.create_predictor(inference.Config(str(tmp_path / "nothing")))
    with pytest.raises(ValueError, match="names no model"):
        inference.create_predictor(inference.Config())
    predictor = inference.create_predictor(inference.Config(saved[0]))
    (name,) = predictor.get_input_names()
    handle = predictor.get_input_handle(name)
    with pytest.raises(vt.errors.StateError, match="no data"):
        predictor.run()
    with pytest.raises(TypeError, match="float64"):
        handle.copy_from_cpu(X.astype(np.float64))
    with pytest.raises(ValueError, match=r"\[-1, 4\]"):
        handle.copy_from_cpu(X[:, :3])
    with pytest.raises(ValueError, match="no input 'y'"):
        predictor.get_input_handle("y")
    with pytest.raises(ValueError, match="1 inputs, 2"):
        predictor.run([X, X])
    output = predictor.get_output_handle(predictor.get_output_names()[0])
    with pytest.raises(vt.errors.StateError, match="output"):
        output.copy_from_cpu(X)
    with pytest.raises(vt.errors.StateError, match="no data yet"):
        output.copy_to_cpu()


def test_settings() -> None:
    config = inference.Config("a", "b")
    with pytest.warns(UserWarning, match="no GPU"):
        config.enable_use_gpu(100, 0)
    assert (config.prog_file(), config.params_file(), config.use_gpu()) == ("a", "b", False)
    assert "device" in config.summary()
    with pytest.raises(AttributeError, match="nonsense"):
        config.nonsense()


def test_what_a_handle_was_given_is_its_own(saved: tuple[str, Any]) -> None:
    path, expected = saved
    predictor = inference.create_predictor(inference.Config(path + ".pdmodel", path + ".pdiparams"))
    (name,) = predictor.get_input_names()
    buffer = X.copy()
    predictor.get_input_handle(name).copy_from_cpu(buffer)
    buffer[:] = -1.0
    predictor.run()
    handle = predictor.get_output_handle(predictor.get_output_names()[0])
    taken = handle.copy_to_cpu()
    np.testing.assert_allclose(taken, expected, rtol=1e-5)
    taken[:] = 0.0
    np.testing.assert_allclose(handle.copy_to_cpu(), expected, rtol=1e-5)
