"""Calls of loaded programs take the short path too: whatever is unlike the call before is seen."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.static import InputSpec


@pytest.fixture
def layer() -> Any:
    net = vt.nn.Linear(3, 2)
    net.weight.set_value(np.arange(6, dtype="float32").reshape(3, 2))
    net.bias.set_value(np.array([1.0, -1.0], "float32"))
    return net


@pytest.fixture
def loaded(layer: Any, tmp_path: Path) -> Any:
    vt.jit.save(layer, str(tmp_path / "net"), input_spec=[InputSpec([None, 3], "float32")])
    made = vt.jit.load(str(tmp_path / "net"))
    with vt.no_grad():
        for _ in range(3):
            made(vt.ones([1, 3]))
    return made


def test_other_sizes_and_values(loaded: Any, layer: Any) -> None:
    with vt.no_grad():
        for rows in (1, 4, 1, 2):
            x = vt.rand([rows, 3])
            np.testing.assert_allclose(loaded(x).numpy(), layer(x).numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ([vt.ones([1, 3], "float64")], "must be f32"),
        ([vt.ones([1, 4])], "its shape is"),
        ([vt.ones([3])], "its shape is"),
        ([vt.ones([1, 3]), vt.ones([1, 3])], "takes 1 argument"),
        ([], "takes 1 argument"),
        ([None], "must be a tensor"),
    ],
)
def test_what_does_not_fit_is_refused_as_at_the_first_call(loaded: Any, given: list[Any], error: str) -> None:
    for _ in range(2):
        with pytest.raises((TypeError, ValueError), match=error):
            loaded(*given)
    assert loaded(vt.ones([1, 3])).shape == [1, 2]


def test_arrays_keywords_and_numbers_still_go(loaded: Any) -> None:
    wanted = loaded(vt.ones([1, 3])).tolist()
    assert loaded(np.ones((1, 3), "float32")).tolist() == wanted
    assert loaded([[1.0, 1.0, 1.0]]).tolist() == wanted
    assert loaded(vt.ones([1, 3])).tolist() == wanted


def test_gradients_are_recorded_again_outside_no_grad(loaded: Any) -> None:
    x = vt.ones([1, 3])
    loaded(x).sum().backward()
    np.testing.assert_array_equal(loaded.weight.grad.numpy(), np.ones((3, 2)))
    x.stop_gradient = False
    loaded(x).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [[1.0, 5.0, 9.0]])
    with vt.no_grad():
        assert loaded(x).stop_gradient


def test_integers_need_no_gradient(tmp_path: Path) -> None:
    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.l = vt.nn.Linear(2, 2)

        def forward(self, x: Any) -> Any:
            return self.l(x), (x > 0).astype("int64").sum()

    vt.jit.save(Net(), str(tmp_path / "net"), input_spec=[InputSpec([None, 2], "float32")])
    made = vt.jit.load(str(tmp_path / "net"))
    for _ in range(3):
        assert [y.stop_gradient for y in made(vt.ones([3, 2]))] == [False, True]


def test_frozen_and_rewritten_weights_are_seen(loaded: Any) -> None:
    x = vt.ones([1, 3])
    for _ in range(2):
        loaded(x).sum().backward()
    loaded.weight.stop_gradient = True
    loaded.bias.stop_gradient = True
    assert loaded(x).stop_gradient
    loaded.weight.stop_gradient = False
    assert not loaded(x).stop_gradient
    with vt.no_grad():
        loaded.weight.set_value(vt.zeros([3, 2]))
        assert loaded(x).tolist() == [[1.0, -1.0]]


def test_inside_another_compiled_function_it_becomes_part_of_it(loaded: Any, layer: Any) -> None:
    outer = vt.to_static(lambda x: loaded(x) * 2.0)
    x = vt.rand([2, 3])
    with vt.no_grad():
        for _ in range(3):
            np.testing.assert_allclose(outer(x).numpy(), 2.0 * layer(x).numpy(), rtol=1e-6)


def test_several_threads_at_once(loaded: Any) -> None:
    def call(number: int) -> bool:
        with vt.no_grad():
            x = vt.full([number % 3 + 1, 3], float(number))
            return all(np.array_equal(loaded(x).numpy()[0], [6.0 * number + 1, 9.0 * number - 1]) for _ in range(20))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(call, range(12)))


def test_layers_whose_names_have_dots(tmp_path: Path) -> None:
    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            for name in ("blocks.0.", ".stem", "a.b"):
                self.add_sublayer(name, vt.nn.Linear(3, 3))

        def forward(self, x: Any) -> Any:
            for layer in self.children():
                x = layer(x)
            return x

    net, x = Net(), vt.ones([2, 3])
    vt.jit.save(net, str(tmp_path / "net"), input_spec=[vt.InputSpec([2, 3])])
    loaded = vt.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(x).numpy(), net(x).numpy(), rtol=1e-6)
    assert sorted(loaded.state_dict()) == sorted(net.state_dict())


def test_hooks_of_a_loaded_layer_that_a_compiled_function_calls(loaded: Any) -> None:
    fn = vt.jit.to_static(lambda x: loaded(x) * 2)
    x = vt.ones([1, 3])
    plain = fn(x).tolist()
    handle = loaded.register_forward_post_hook(lambda layer, inputs, outputs: outputs * 0 + 7)
    assert fn(x).tolist() == [[14.0, 14.0]]
    handle.remove()
    assert fn(x).tolist() == plain


class Detaching(vt.nn.Layer):
    """Two results that gradients don't go through beside two that they do."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = vt.nn.Linear(3, 3)

    def forward(self, x: vt.Tensor) -> Any:
        h = self.inner(x)
        with vt.no_grad():
            scale = h * 2.0
        return h.detach(), h * x.detach(), h.detach() * x, scale, h.argmax(axis=-1).astype("float32")


@pytest.mark.parametrize("is_captured", [False, True])
def test_gradients_end_where_the_code_ended_them(tmp_path: Path, is_captured: bool) -> None:
    net = Detaching()
    vt.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([None, 3], "float32")])
    loaded = vt.jit.load(str(tmp_path / "net"))

    def loss(model: Any, x: vt.Tensor) -> tuple[vt.Tensor, list[bool]]:
        results = model(x)
        return sum(r.sum() for r in results), [r.stop_gradient for r in results]

    def tried(model: Any) -> list[Any]:
        x = vt.to_tensor([[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]], stop_gradient=False)
        call = vt.to_static(loss) if is_captured else loss
        total, stops = call(model, x)
        total.backward()
        return [stops, x.grad.tolist(), *(p.grad.tolist() for p in model.parameters())]

    expected = tried(net)
    assert expected[0] == [True, False, False, True, True]
    for found, wanted in zip(tried(loaded), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_a_detached_result_is_saved_again_as_one(tmp_path: Path) -> None:
    vt.jit.save(Detaching(), str(tmp_path / "net"), input_spec=[InputSpec([None, 3], "float32")])
    vt.jit.save(vt.jit.load(str(tmp_path / "net")), str(tmp_path / "again"))
    again = vt.jit.load(str(tmp_path / "again"))
    assert [r.stop_gradient for r in again(vt.ones([1, 3]))] == [True, False, True, True, True]


class Counting(vt.nn.Layer):
    """Buffers that the forward replaces, and sets."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", vt.zeros([1], "int64"))
        self.register_buffer("last", vt.zeros([2]))
        self.inner = vt.nn.Linear(2, 2)

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        self.calls += 1
        y: vt.Tensor = self.inner(x) * self.calls + self.last
        self.last.set_value(x)
        return y


def test_buffers_are_kept_when_a_loaded_model_is_saved_again(tmp_path: Path) -> None:
    vt.jit.save(Counting(), str(tmp_path / "once"), [InputSpec([2])])
    once = vt.jit.load(str(tmp_path / "once"))
    vt.jit.save(once, str(tmp_path / "twice"))
    twice = vt.jit.load(str(tmp_path / "twice"))
    assert list(twice.state_dict()) == list(once.state_dict()) == ["calls", "last", "inner.weight", "inner.bias"]


def test_a_loaded_model_is_copied_with_its_state(tmp_path: Path) -> None:
    vt.jit.save(Counting(), str(tmp_path / "net"), [InputSpec([2])])
    loaded, x = vt.jit.load(str(tmp_path / "net")), vt.ones([2])
    loaded(x)
    loaded.inner.weight.stop_gradient = True
    made = copy.deepcopy(loaded)
    assert made.inner.weight.stop_gradient and made.inner.weight is not loaded.inner.weight
    assert made(x).tolist() == loaded(x).tolist()
    made.inner.weight.set_value(vt.zeros([2, 2]))
    made.inner.bias.set_value(vt.zeros([2]))
    assert made(x).tolist() == [1.0, 1.0] and made.calls.tolist() == [3] and loaded.calls.tolist() == [2]
    loaded.inner.bias.clear_gradient()
    made(x).sum().backward()
    assert made.inner.bias.grad.tolist() == [4.0, 4.0] and loaded.inner.bias.grad is None


def test_a_loaded_model_runs_as_it_is_under_amp(loaded: Any) -> None:
    x = vt.ones([3, 3])
    wanted = loaded(x).numpy()
    for _ in range(2):
        with vt.amp.auto_cast(dtype="bfloat16"):
            found = loaded(x)
            loss = found.sum()
        np.testing.assert_array_equal(found.numpy(), wanted)
        loss.backward()
    assert loaded.weight.grad is not None


def test_decoding_that_stops_early_is_saved_with_an_open_batch(tmp_path: Path) -> None:
    def decode(x: vt.Tensor) -> vt.Tensor:
        found = []
        for k in range(4):
            best = (x[:, -1] * (k + 1)).argmax(-1, keepdim=True)
            found.append(best)
            if (best == 3).all():
                break
        return vt.concat(found, 1)

    vt.jit.save(decode, str(tmp_path / "decode"), [InputSpec([None, None, 4])])
    again = vt.jit.load(str(tmp_path / "decode"))
    for batch, stop in ((2, False), (1, True), (3, True)):
        x = vt.rand([batch, 3, 4])
        if stop:
            x[:, :, 3] = 2.0
        assert again(x).tolist() == decode(x).tolist()
