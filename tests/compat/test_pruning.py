"""n:m sparsity: masks of arrays, pruned layers and programs, and optimisers that keep the zeros."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, AssertedError, KindError, ShapeError, StateError
from vitrify.incubate import asp

RNG = np.random.default_rng(5)
ALGORITHMS = {"mask_1d": asp.CheckMethod.CHECK_1D, "mask_2d_greedy": asp.CheckMethod.CHECK_2D,
              "mask_2d_best": asp.CheckMethod.CHECK_2D}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_excluded() -> Iterator[None]:
    yield
    asp.reset_excluded_layers()


@pytest.mark.parametrize("algorithm", list(asp.MaskAlgo))
@pytest.mark.parametrize("shape", [(7,), (8, 8), (5, 6), (3, 4, 9), (3, 3, 8, 5), (0, 4)])
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_masks_pass_their_check(algorithm: asp.MaskAlgo, shape: tuple[int, ...], dtype: str) -> None:
    x = RNG.normal(size=shape).astype(dtype) if dtype != "int64" else RNG.integers(-5, 5, shape)
    mask = asp.create_mask(x, algorithm, 2, 4)
    assert (mask.shape, mask.dtype, set(np.unique(mask)) <= {0, 1}) == (shape, x.dtype, True)
    assert asp.check_sparsity(mask, asp.CheckMethod.get_checking_method(algorithm), 2, 4)


def test_the_largest_elements_stay() -> None:
    x = np.array([[1.0, -9.0, 2.0, 8.0], [9.0, 1.0, 7.0, 2.0], [1.0, 8.0, 3.0, 9.0], [7.0, 1.0, 9.0, 2.0]])
    best = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    for get in (asp.get_mask_1d, asp.get_mask_2d_greedy, asp.get_mask_2d_best):
        assert get(x, 2, 4).tolist() == best
    greedy = np.abs(RNG.normal(size=(16, 16)))
    best_sum = (greedy * asp.get_mask_2d_best(greedy, 2, 4)).sum()
    assert best_sum >= (greedy * asp.get_mask_2d_greedy(greedy, 2, 4)).sum()


def test_checks_say_no() -> None:
    full = np.ones((4, 4))
    assert not asp.check_mask_1d(full, 1, 4) and not asp.check_mask_2d(full, 1, 4)
    rows = np.array([[1, 1, 0, 0]] * 4)
    assert asp.check_mask_1d(rows, 2, 4)
    assert asp.check_mask_2d(rows, 2, 4)  # PaddlePaddle 3.3.1 says no only where rows and columns are too full
    assert not asp.check_mask_2d(np.array([[1, 1, 1, 1], *[[1, 0, 0, 0]] * 3]), 2, 4)
    assert asp.check_mask_1d(np.array([1, 0, 0, 1, 1]), 2, 4)
    assert asp.calculate_density(np.array([[0.0, np.nan], [1.0, -0.0]])) == 0.5


def test_wrong_arguments() -> None:
    for call in (
        lambda: asp.create_mask(np.ones((4, 4)), "mask_1d"),
        lambda: asp.check_sparsity(np.ones((4, 4)), asp.MaskAlgo.MASK_1D),
        lambda: asp.CheckMethod.get_checking_method(asp.CheckMethod.CHECK_1D),
        lambda: asp.get_mask_1d(np.ones(4), 2, 4),
    ):
        with pytest.raises(AssertedError):
            call()
    with pytest.raises(ShapeError, match="1 to 4 axes, not 5"):
        asp.create_mask(np.ones((1, 1, 1, 1, 4)))
    with pytest.raises(KindError, match="a layer, its class or a name"):
        asp.add_supported_layer(3)
    with pytest.raises(KindError, match="a layer or a program"):
        asp.prune_model([1])
    with pytest.raises(ArgumentError, match="mask_algo must be one of"):
        asp.prune_model(vt.nn.Linear(4, 4), mask_algo="mask_3d")


class Net(vt.nn.Layer):
    """A filter of 3 inputs, which is too narrow, and two matrices."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.first, self.second = vt.nn.Conv2D(3, 4, 3), vt.nn.Linear(16, 8), vt.nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        return self.second(vt.nn.functional.relu(self.first(self.conv(x).reshape([x.shape[0], -1]))))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_training_keeps_the_zeros(algorithm: str) -> None:
    net = Net()
    optimizer = asp.decorate(vt.optimizer.Adam(0.1, parameters=net.parameters()))
    narrow = net.conv.weight.numpy().copy()
    masks = asp.prune_model(net, mask_algo=algorithm)
    assert np.array_equal(net.conv.weight.numpy(), narrow)
    assert {net.first.weight.name, net.second.weight.name} <= set(masks)
    before = net.first.weight.numpy().copy()
    for _ in range(2):
        net(vt.ones([2, 3, 4, 4])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    after = net.first.weight.numpy()
    assert not np.array_equal(before, after)
    for weight in (net.first.weight, net.second.weight):
        assert asp.check_sparsity(weight.numpy().T, ALGORITHMS[algorithm], 2, 4)
    state = optimizer.state_dict()
    assert np.array_equal(state[f"{net.first.weight.name}.asp_mask"].numpy(), masks[net.first.weight.name])
    optimizer.set_state_dict(state)
    with pytest.raises(StateError, match="no mask of"):
        optimizer.set_state_dict({})


def test_weights_that_are_left_alone_and_weights_of_other_layers() -> None:
    class Rows(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.create_parameter([4, 4])

    net, rows = vt.nn.Linear(4, 4), Rows()
    asp.set_excluded_layers([net.weight.name])
    before = net.weight.numpy().copy()
    asp.prune_model(net, with_mask=False)
    assert np.array_equal(net.weight.numpy(), before)
    asp.reset_excluded_layers()
    asp.prune_model(net, with_mask=False)
    assert asp.calculate_density(net.weight.numpy()) == 0.5
    with pytest.raises(StateError, match="decorate the optimizer"):
        asp.prune_model(vt.nn.Linear(4, 4))
    asp.prune_model(rows, with_mask=False)
    assert asp.calculate_density(rows.weight.numpy()) == 1.0
    asp.add_supported_layer(Rows, lambda w, m, n, algorithm, name: (w * 0, w * 0))
    asp.prune_model(rows, with_mask=False)
    assert asp.calculate_density(rows.weight.numpy()) == 0.0


def test_a_static_program() -> None:
    vt.enable_static()
    try:
        main, startup = vt.static.Program(), vt.static.Program()
        with vt.static.program_guard(main, startup), vt.static.scope_guard(vt.static.Scope()):
            x = vt.static.data("x", [None, 8])
            loss = vt.static.nn.fc(vt.static.nn.fc(x, 8), 1).mean()
            asp.decorate(vt.optimizer.SGD(0.1)).minimize(loss, startup)
            executor = vt.static.Executor()
            executor.run(startup)
            asp.prune_model(main)
            name = next(p.name for p in main.all_parameters() if list(p.shape) == [8, 8])
            before = np.array(vt.static.global_scope().find_var(name).get_tensor())
            executor.run(main, feed={"x": RNG.normal(size=(4, 8)).astype("float32")}, fetch_list=[loss])
            after = np.array(vt.static.global_scope().find_var(name).get_tensor())
    finally:
        vt.disable_static()
    assert np.array_equal(before == 0, after == 0) and not np.array_equal(before, after)
    assert asp.check_sparsity(after.T, n=2, m=4)
