"""Random numbers: seeds, states, ranges, moments, threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError
from vitrify.dygraph import random_generators as vr
from vitrify.dygraph import storage
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.tensor import Tensor


def test_seeds_repeat() -> None:
    vr.seed(5)
    first = vr.rand([4]).tolist()
    second = vr.rand([4]).tolist()
    vr.seed(5)
    assert vr.rand([4]).tolist() == first
    assert vr.rand([4]).tolist() == second
    assert first != second
    vr.seed(2**64 - 1)
    with pytest.raises(ArgumentError, match="64 bits"):
        vr.seed(2**64)


def test_states_are_saved_and_restored() -> None:
    vr.seed(1)
    vr.randn([3])
    state = vr.get_rng_state()
    first = vr.randn([5]).tolist()
    vr.set_rng_state(state)
    assert vr.randn([5]).tolist() == first


def test_the_state_is_a_tensor_written_in_place() -> None:
    vr.seed(3)
    log: list[Tensor] = []
    storage.on_write = log.append
    try:
        vr.rand([6])
    finally:
        storage.on_write = None
    assert len(log) == 1
    assert log[0] is vr.default_generator.state
    assert vr.default_generator.state.tolist() == [3, 6]


def test_complex_numbers() -> None:
    vr.seed(0)
    u = vr.rand([10_000], "complex64").numpy()
    assert u.dtype == np.complex64
    assert min(u.real.min(), u.imag.min()) >= 0.0
    assert max(u.real.max(), u.imag.max()) < 1.0
    assert abs(np.corrcoef(u.real, u.imag)[0, 1]) < 0.05
    n = vr.randn([10_000], "complex128").numpy()
    assert n.dtype == np.complex128
    assert abs(n.var() - 1) < 0.05
    g = vr.gaussian([10_000], mean=5.0, std=2.0, dtype="complex64").numpy()
    assert abs(g.mean() - (5 + 5j)) < 0.1
    assert abs(g.real.std() - 2**0.5) < 0.05


def test_ranges_and_moments() -> None:
    vr.seed(0)
    u = vr.uniform([10_000], min=2.0, max=3.0).numpy()
    assert u.min() >= 2.0
    assert u.max() < 3.0
    n = vr.normal(1.0, 2.0, [10_000]).numpy()
    assert abs(n.mean() - 1) < 0.1
    assert abs(n.std() - 2) < 0.1
    k = vr.randint(-2, 3, [1000])
    assert set(k.tolist()) == {-2, -1, 0, 1, 2}
    assert vr.randint(4).shape == [1]
    b = vr.bernoulli(to_tensor(np.full(10_000, 0.3, np.float32))).numpy()
    assert abs(b.mean() - 0.3) < 0.03
    assert sorted(vr.randperm(10).tolist()) == list(range(10))
    assert vr.randint_like(u_like := to_tensor([1.0, 2.0]), 5).dtype is u_like.dtype
    e = vr.exponential_(to_tensor(np.zeros(10_000, np.float32)), 2.0).numpy()
    assert abs(e.mean() - 0.5) < 0.05


def test_tensor_parameters_give_the_shape() -> None:
    vr.seed(0)
    mean = to_tensor([0.0, 1000.0])
    drawn = vr.normal(mean, to_tensor([1.0, 1.0])).tolist()
    assert abs(drawn[0]) < 100 < drawn[1]
    assert vr.normal(mean, 1.0, [3, 4]).shape == [2]  # a shape beside them is ignored
    assert vr.normal(0.0, mean, [3, 4]).shape == [2]


def test_a_complex_tensor_may_be_the_mean() -> None:
    vr.seed(0)
    drawn = vr.normal(to_tensor(np.full([20_000], 3 + 2j, np.complex64)), 0.5).numpy()
    assert drawn.dtype == np.complex64
    assert abs(drawn.mean() - (3 + 2j)) < 0.02
    assert abs(drawn.real.std() - 0.5 * 0.5**0.5) < 0.01
    assert abs(drawn.imag.std() - 0.5 * 0.5**0.5) < 0.01


def test_own_seed_is_a_stream_of_its_own() -> None:
    vr.seed(0)
    state = vr.default_generator.state.tolist()
    assert vr.uniform([3], seed=9).tolist() == vr.uniform([3], seed=9).tolist()
    assert vr.default_generator.state.tolist() == state


def test_in_place() -> None:
    x = to_tensor([0.0, 0.0])
    x.uniform_(1.0, 2.0)
    assert all(1 <= v < 2 for v in x.tolist())
    x.normal_()
    x.bernoulli_(1.0)
    assert x.tolist() == [1, 1]


def test_wrong_arguments() -> None:
    with pytest.raises(ArgumentError):
        vr.randint(3, 3)
    with pytest.raises(ArgumentError):
        vr.randperm(0)


def test_threads_never_draw_the_same_numbers() -> None:
    vr.seed(0)
    drawn: list[float] = []

    def work() -> None:
        for _ in range(100):
            drawn.extend(vr.rand([4], "float64").tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(set(drawn)) == 1600


def test_complex_numbers_have_independent_parts_of_half_the_variance() -> None:
    vt.seed(3)
    drawn = [
        (vt.randn([20000], "complex128"), 0, 1), (vt.zeros([20000], "complex64").normal_(1 - 2j, 3), 1 - 2j, 3),
        (vt.normal(2j, 0.5, [20000]), 2j, 0.5), (vt.zeros([20000], "complex64").normal_(), 0, 1),
    ]  # fmt: skip
    for found, mean, std in drawn:
        values = found.numpy()
        assert abs(values.mean() - mean) < 0.05 * std
        for part in (values.real, values.imag):
            assert abs(part.std() - std * 0.5**0.5) < 0.05 * std
        assert abs(np.corrcoef(values.real, values.imag)[0, 1]) < 0.05
    with pytest.raises(TypeError, match="complex mean needs complex numbers, not float32"):
        vt.zeros([2]).normal_(1j)
    twice = vt.to_static(lambda x: vt.randn([3], "complex64") + x)
    vt.seed(5)
    compiled = twice(vt.zeros([3]))
    vt.seed(5)
    np.testing.assert_allclose(compiled, vt.randn([3], "complex64"), rtol=1e-6)


def test_a_generator_may_name_its_device() -> None:
    assert (
        vt.Generator("cpu").initial_seed() == vt.Generator(device="cpu").initial_seed() == vt.Generator().initial_seed()
    )
    with pytest.raises(ValueError, match="there is no device 'gpu'"):
        vt.Generator("gpu")


def test_complex_numbers_with_a_tensor_of_deviations() -> None:
    vr.seed(0)
    drawn = vr.normal(1 + 2j, to_tensor(np.full([20_000], 0.5, np.float32))).numpy()
    assert drawn.dtype == np.complex64
    assert abs(drawn.mean() - (1 + 2j)) < 0.02
    assert abs(drawn.real.std() - 0.5 * 0.5**0.5) < 0.01
    assert abs(drawn.imag.std() - 0.5 * 0.5**0.5) < 0.01
