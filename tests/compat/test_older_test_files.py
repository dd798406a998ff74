"""What PaddlePaddle's own test files of older programs showed: kernels' results, loaders, warnings, refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn, static
from vitrify.incubate.optimizer import RecomputeOptimizer

F = nn.functional


@pytest.fixture
def static_mode() -> Any:
    vt.enable_static()
    with static.program_guard(static.Program(), static.Program()):
        yield
    vt.disable_static()


def test_the_kernel_of_einsum_gives_what_it_keeps_too() -> None:
    x = vt.ones([2, 3])
    found, *kept = vt._C_ops.einsum([x, x], "ij,ij->i")
    assert found.tolist() == [3.0, 3.0] and kept == [[], []]


def test_angles_at_zero_have_no_slope() -> None:
    x = vt.to_tensor(np.array([0j, complex(-0.0, 0.0), 3 + 4j]), stop_gradient=False)
    angles = vt.angle(x)
    angles.sum().backward()
    np.testing.assert_allclose(angles.numpy(), [0.0, np.pi, np.angle(3 + 4j)])
    np.testing.assert_allclose(x.grad.numpy(), [0, 0, (-4 + 3j) / 25])


def test_cosine_embedding_loss_of_single_vectors() -> None:
    a, b = vt.to_tensor([1.0, 2.0]), vt.to_tensor([2.0, 1.0])
    assert float(F.cosine_embedding_loss(a, b, vt.to_tensor([1]))) == pytest.approx(0.2)
    assert float(F.cosine_embedding_loss(a, b, vt.to_tensor(-1), margin=0.5)) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: nn.CosineEmbeddingLoss(margin=2), ValueError, "from -1 to 1"),
        (lambda: F.cosine_embedding_loss(*[vt.ones([2, 3], "int64")] * 2, vt.ones([2])), ValueError, "needs floats"),
        (lambda: F.cosine_embedding_loss(*[vt.ones([2, 3])] * 2, vt.ones([2], "int16")), ValueError, "and int16"),
        (lambda: vt.bincount(vt.ones([3])), TypeError, "needs integers"),
        (lambda: vt.frac(vt.ones([3], "int16")), TypeError, "not int16"),
        (lambda: F.conv2d_transpose(vt.ones([1, 3, 4, 4]), vt.ones([3, 2, 3, 3]), groups=2), ValueError, "2 groups"),
        (lambda: F.conv3d_transpose(vt.ones([1, 3, 4, 4, 4]), vt.ones([3, 2, 1, 1, 1]), groups=2), ValueError, "2 gr"),
        (lambda: nn.initializer.KaimingUniform(0).values([2], vt.float32), ZeroDivisionError, "division"),
        (lambda: iter(vt.base.reader.DataLoaderBase()), NotImplementedError, "no __iter__"),
        (lambda: next(vt.base.reader.DataLoaderBase()), NotImplementedError, "no __next__"),
        (lambda: vt.dataset.common.download("https://example.org/a.tgz", "none", ""), FileNotFoundError, "nothing is"),
        (lambda: RecomputeOptimizer(None).load({}), NotImplementedError, "not supported"),
        (lambda: RecomputeOptimizer(None)._set_checkpoints(3), TypeError, "must be a list"),
    ],
)
def test_refusals(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.usefixtures("static_mode")
def test_a_loop_warns_of_a_device() -> None:
    count, end = vt.zeros([1], "int64"), vt.full([1], 3, "int64")
    more = vt.less_than(count, end)
    loop = static.nn.control_flow.While(more)

    def build() -> None:
        with static.device_guard("cpu"), loop.block():
            vt.increment(count)
            vt.assign(vt.less_than(count, end), more)

    with pytest.warns(UserWarning, match="not support to set device"):
        build()
    assert static.Executor().run(fetch_list=[count])[0].tolist() == [3]


@pytest.mark.usefixtures("static_mode")
def test_saving_counts_of_an_auc_warns(tmp_path: Path) -> None:
    x, y = static.data("x", [None, 2]), static.data("y", [None, 1], "int64")
    chances = static.nn.fc(x, 2, activation="softmax")
    static.auc(chances, y)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    with pytest.warns(UserWarning, match="set auc states to 0"):
        static.save_inference_model(str(tmp_path / "m"), [x], [chances], exe)


@pytest.mark.usefixtures("static_mode")
def test_checkpoints_of_a_recomputing_optimizer_change_nothing() -> None:
    x = static.data("x", [2, 3])
    hidden = static.nn.fc(x, 3)
    loss = vt.mean(static.nn.fc(hidden, 1))
    optimizer = RecomputeOptimizer(vt.optimizer.SGD(0.5))
    optimizer._set_checkpoints([hidden.name])
    optimizer.minimize(loss)
    exe, feed = static.Executor(), {"x": np.ones((2, 3), "float32")}
    exe.run(static.default_startup_program())
    losses = [float(exe.run(feed=feed, fetch_list=[loss])[0]) for _ in range(2)]
    assert losses[1] < losses[0]


@pytest.mark.usefixtures("static_mode")
def test_a_run_finds_out_whether_a_tensor_is_empty() -> None:
    empty = vt.is_empty(static.data("x", [-1, 2]))
    for rows in (0, 3, 0):
        (found,) = static.Executor().run(feed={"x": np.ones((rows, 2), "float32")}, fetch_list=[empty])
        assert bool(found) is (rows == 0)
    with pytest.raises(TypeError, match="x must be a tensor"):
        vt.is_empty(np.ones(3))


@pytest.mark.parametrize(
    "clip",
    [nn.ClipGradByValue(1.0), nn.ClipGradByNorm(1.0), nn.ClipGradByGlobalNorm(1.0)],
    ids=lambda c: type(c).__name__,
)
def test_clipping_leaves_out_parameters_without_a_gradient(clip: Any) -> None:
    x, g = vt.ones([2]), vt.to_tensor([3.0, 4.0])
    assert clip([(x, None)]) == []
    ((_, found),) = clip([(x, None), (x, g)])
    assert float(found.abs().max()) <= 1.0


@pytest.mark.usefixtures("static_mode")
def test_a_part_of_a_program_without_results_or_without_a_gradient() -> None:
    x = static.data("x", [2])
    assert static.nn.static_pylayer(lambda v: None, [x]) is None
    x.stop_gradient = False
    with pytest.raises(ValueError, match="expected to be True, when"):
        static.nn.static_pylayer(lambda v: v * 2.0, [x])
