"""Running statistics are parameters that nothing trains, as PaddlePaddle's: loops over parameters() reach them."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn


def network() -> Any:
    vt.seed(3)
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1D(4), nn.Linear(4, 2))


def batch(seed: int = 0) -> Any:
    return vt.to_tensor(np.random.default_rng(seed).normal(size=(6, 3)).astype("float32"))


def numbers(net: Any) -> list[np.ndarray]:
    return [p.numpy().copy() for p in net.parameters()]


@pytest.mark.parametrize("kind", [nn.BatchNorm, nn.BatchNorm1D, nn.BatchNorm2D, nn.BatchNorm3D, nn.SyncBatchNorm])
def test_batch_norms_list_their_statistics(kind: Any) -> None:
    layer = kind(3)
    assert [n for n, _ in layer.named_parameters()] == ["weight", "bias", "_mean", "_variance"]
    assert [p.stop_gradient for p in layer.parameters()] == [False, False, True, True]
    assert [p.trainable for p in layer.parameters()] == [True, True, False, False]
    assert list(layer.state_dict()) == ["weight", "bias", "_mean", "_variance"] and layer.buffers() == []
    assert layer._variance.name == f"{layer.full_name()}.w_2"


def test_names_that_are_given() -> None:
    layer = nn.BatchNorm(3, moving_mean_name="m", moving_variance_name="v")
    assert (layer._mean.name, layer._variance.name) == ("m", "v")
    named = nn.BatchNorm1D(3, name="first")
    assert (named._mean.name, named._variance.name) == ("first_mean", "first_variance")
    assert [n for n, _ in nn.SpectralNorm([2, 3]).named_parameters()] == ["weight_u", "weight_v"]


@pytest.mark.parametrize("captured", [False, True])
def test_a_target_network_follows_the_statistics(captured: bool) -> None:
    net = network()
    target = copy.deepcopy(net)
    optimizer: Any = vt.optimizer.SGD(0.01, parameters=net.parameters(), weight_decay=0.5)
    assert len(optimizer._parameter_list) == 8

    def step(x: Any) -> Any:
        loss = (net(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        with vt.no_grad():
            for theirs, own in zip(target.parameters(), net.parameters(), strict=True):
                theirs.set_value(theirs * 0.5 + own * 0.5)
        return loss

    run = vt.jit.to_static(step) if captured else step
    for k in range(3):
        before, theirs = numbers(net), numbers(target)
        run(batch(k))
        after = numbers(net)
        rows = batch(k).numpy() @ before[0] + before[1]
        np.testing.assert_allclose(after[4], before[4] * 0.9 + rows.mean(0) * 0.1, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(after[5], before[5] * 0.9 + rows.var(0) * 0.1, rtol=1e-4, atol=1e-6)
        for old, own, new in zip(theirs, after, numbers(target), strict=True):
            np.testing.assert_allclose(new, old * 0.5 + own * 0.5, rtol=1e-5, atol=1e-6)
    assert not any("w_1" in key or "w_2" in key for key in optimizer.state_dict())


@pytest.mark.parametrize("captured", [False, True])
def test_no_gradient_flows_to_statistics_that_someone_unfroze(captured: bool) -> None:
    net = network()
    for p in net.parameters():
        p.stop_gradient = False
    forward = vt.jit.to_static(net.forward) if captured else net
    for mode in (net.train, net.eval):
        mode()
        before = net[1]._mean.numpy().copy()
        forward(batch()).sum().backward()
        assert [p.grad is None for p in net.parameters()] == [False] * 4 + [True] * 2 + [False] * 2
        assert (net[1]._mean.numpy() != before).any() == net.training


def test_an_optimisers_state_of_before() -> None:
    first, second = network(), network()
    made = [vt.optimizer.Adam(0.1, parameters=net.parameters()) for net in (first, second)]
    first(batch()).sum().backward()
    made[0].step()
    state = made[0].state_dict()
    state["parameter_names"] = [p.name for p in first.parameters() if not p.stop_gradient]
    made[1].set_state_dict(state)
    np.testing.assert_array_equal(
        made[1].state_dict()[f"{second[2].weight.name}_moment1_0"].numpy(),
        state[f"{first[2].weight.name}_moment1_0"].numpy(),
    )


def test_averages_leave_the_statistics_alone() -> None:
    net = network()
    average = vt.incubate.ModelAverage(0.5, parameters=net.parameters(), min_average_window=1, max_average_window=4)
    net(batch()).sum().backward()
    average.step()
    kept = net[1]._variance.numpy().copy()
    with average.apply():
        np.testing.assert_array_equal(net[1]._variance.numpy(), kept)


def test_loaded_layers_list_them(tmp_path: Path) -> None:
    net = network()
    vt.jit.save(net, tmp_path / "net.vt", [vt.static.InputSpec([None, 3], "float32")])
    loaded = vt.jit.load(tmp_path / "net.vt")
    assert {n: p.stop_gradient for n, p in loaded.named_parameters()} == {
        n: p.stop_gradient for n, p in net.named_parameters()
    }


def test_onnx_brings_them_back_untrained(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    net = network()
    vt.onnx.export(net, str(tmp_path / "net.onnx"), [vt.static.InputSpec([None, 3], "float32")])
    loaded = vt.onnx.load(str(tmp_path / "net.onnx"))
    assert {n for n, p in loaded.named_parameters() if p.stop_gradient} == {"1._mean", "1._variance"}


def test_static_programs_have_them_as_parameters() -> None:
    vt.enable_static()
    try:
        main, startup = vt.static.Program(), vt.static.Program()
        with vt.static.program_guard(main, startup):
            x = vt.static.data("x", [4, 2, 3, 3], "float32")
            y = nn.BatchNorm2D(2)(vt.static.nn.batch_norm(x))
            _, pairs = vt.optimizer.SGD(0.1).minimize(y.sum())
        assert [p.trainable for p in main.all_parameters()] == [True, True, False, False] * 2
        assert len(pairs) == 4
        executor = vt.static.Executor()
        executor.run(startup)
        values = np.random.default_rng(0).normal(size=(4, 2, 3, 3)).astype("float32")
        executor.run(main, feed={"x": values})
        mean = main.all_parameters()[6]  # the layer was made first
        found = vt.static.global_scope().find_var(mean.name).get_tensor()
        np.testing.assert_allclose(np.asarray(found), values.mean((0, 2, 3)) * 0.1, rtol=1e-4, atol=1e-6)
    finally:
        vt.disable_static()
