"""Which mode a fluid program is in, and eager mode under its old names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import fluid


def test_feeds_and_constants_start_static_mode() -> None:
    assert fluid.in_dygraph_mode()
    two = fluid.layers.fill_constant([1], "float32", 2.0)
    assert not fluid.in_dygraph_mode()
    (found,) = fluid.Executor(fluid.CPUPlace()).run(fetch_list=[two + 1.0])
    np.testing.assert_array_equal(found, [3.0])


def test_eager_mode_on_request() -> None:
    fluid.enable_imperative()
    assert fluid.layers.fill_constant([1], "float32", 2.0).numpy() == [2.0]
    with pytest.raises(RuntimeError, match="eager mode was asked for"):
        fluid.data("x", [1])
    fluid.disable_imperative()
    assert not fluid.in_dygraph_mode()
    with fluid.dygraph.guard(fluid.CPUPlace()):
        assert fluid.dygraph.enabled()
        assert fluid.layers.ones([2], "float32").numpy().tolist() == [1.0, 1.0]
    assert not fluid.in_dygraph_mode()


def test_guards_give_the_mode_back() -> None:
    with pytest.raises(KeyError), fluid.dygraph.guard():
        raise KeyError
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        assert not fluid.in_dygraph_mode()
        assert fluid.data("x", [None, 2]).shape == [-1, 2]
    assert fluid.in_dygraph_mode()
    with pytest.raises(TypeError, match="program_guard needs a Program"), fluid.program_guard("main"):
        pass
    assert fluid.in_dygraph_mode()


def test_constants_inside_captured_functions_stay_there() -> None:
    @vt.jit.to_static
    def function(x: Any) -> Any:
        return x + fluid.layers.fill_constant([2], "float32", 3.0)

    assert function(vt.ones([2])).tolist() == [4.0, 4.0]
    assert fluid.in_dygraph_mode()


class Net(fluid.dygraph.Layer):
    """A network in the old style."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = fluid.dygraph.Conv2D(1, 2, 3, padding=1, act="relu")
        self.pool = fluid.dygraph.Pool2D(2, "avg", pool_stride=2)
        self.fc = fluid.dygraph.Linear(32, 3, act="softmax")

    def forward(self, x: Any) -> Any:
        x = self.pool(self.conv(x))
        return self.fc(fluid.layers.reshape(x, [-1, 32]))


def test_layers_of_eager_mode_and_their_states(tmp_path: Path) -> None:
    images = np.random.default_rng(0).standard_normal((2, 1, 8, 8)).astype("float32")
    with fluid.dygraph.guard():
        net, twin = Net(), Net()
        x = fluid.dygraph.to_variable(images)
        y = net(x)
        np.testing.assert_allclose(y.numpy().sum(1), 1, rtol=1e-6)
        compiled = fluid.dygraph.declarative(net.forward)
        np.testing.assert_allclose(compiled(x).numpy(), y.numpy(), rtol=1e-5)
        optimizer = fluid.optimizer.Adam(0.1, parameter_list=net.parameters())
        fluid.layers.mean(y[:, 0]).backward()
        optimizer.minimize(y)
        fluid.dygraph.save_dygraph(net.state_dict(), str(tmp_path / "net"))
        fluid.dygraph.save_dygraph(optimizer.state_dict(), str(tmp_path / "net"))
        state, of_optimizer = fluid.dygraph.load_dygraph(str(tmp_path / "net"))
        twin.set_dict(state)
        np.testing.assert_array_equal(twin(x).numpy(), net(x).numpy())
        assert any("moment1" in key for key in of_optimizer)
        assert fluid.dygraph.load_dygraph(str(tmp_path / "nothing")) == (None, None)
        table = fluid.dygraph.Embedding([4, 2])
        assert table(fluid.dygraph.to_variable(np.array([1, 3]))).shape == [2, 2]


def test_translator() -> None:
    translator = fluid.ProgramTranslator()
    assert translator is fluid.ProgramTranslator.get_instance()
    assert translator.get_output(lambda x: x * 2, vt.ones([1])).tolist() == [2.0]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (fluid.initializer.Constant(2.0), "Constant"),
        (fluid.initializer.Xavier(), "XavierUniform"),
        (fluid.initializer.XavierInitializer(uniform=False), "XavierNormal"),
        (fluid.initializer.MSRA(uniform=False), "KaimingNormal"),
        (fluid.initializer.Uniform(-0.5, 0.5, seed=3), "Uniform"),
        (fluid.initializer.Normal(loc=1.0, scale=0.0), "Normal"),
        (fluid.initializer.TruncatedNormal(1.0, 0.5, 7), "TruncatedNormal"),
    ],
)
def test_initialisers(make: Any, expected: str) -> None:
    assert type(make).__name__ == expected
    weight = vt.create_parameter([64, 64], "float32", default_initializer=make).numpy()
    if expected in ("Constant", "Normal"):
        np.testing.assert_array_equal(weight, 2.0 if expected == "Constant" else 1.0)
    else:
        assert weight.std() > 0


def test_further_names() -> None:
    assert fluid.core.VarDesc.VarType.FP32 is vt.float32
    with fluid.unique_name.guard():
        assert fluid.unique_name.generate("a") == "a_0"
    assert fluid.framework.Program is fluid.Program
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = fluid.no_such_name
