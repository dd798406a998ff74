"""Random numbers that the package draws for a compiled function: anew in each call, as eager mode draws, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import CaptureError
from vitrify.dygraph.nn.initializer import with_seed
from vitrify.nn import initializer as init
from vitrify.vision import transforms

Fn = Callable[[Any], Any]


def _drawn(fn: Fn, calls: int, sign: Callable[[int], int]) -> list[Any]:
    vt.seed(7)
    found: list[Any] = []
    for k in range(calls):
        found += [np.asarray(y.detach()) for y in fn(vt.full([1], float(sign(k))))]
        found.append(vt.rand([2]).numpy())  # the stream is where eager mode leaves it
    return found


def agrees(fn: Fn, calls: int = 3, sign: Callable[[int], int] = lambda k: 1) -> None:
    for mine, eager in zip(_drawn(vt.to_static(fn), calls, sign), _drawn(fn, calls, sign), strict=True):
        np.testing.assert_allclose(mine, eager, rtol=1e-5, atol=1e-6)


class Ours(init.Initializer):
    """One of a user's, which fills what it is given."""

    def __call__(self, param: Any, block: Any = None) -> Any:
        param.set_value(vt.rand(param.shape))
        return param


FILLING = [
    init.XavierNormal(), init.KaimingUniform(), init.TruncatedNormal(), init.Orthogonal(), init.Constant(2.0), Ours(),
]  # fmt: skip


@pytest.mark.parametrize("made", FILLING, ids=lambda i: type(i).__name__)
def test_an_initializer_fills_a_tensor_anew_in_each_call(made: init.Initializer) -> None:
    def fn(x: Any) -> Any:
        w = vt.zeros([3, 4])
        made(w)
        return w + x, vt.rand([2])

    agrees(fn)


def test_an_initializer_draws_in_the_one_program() -> None:
    layer = nn.Linear(3, 4)

    def fn(x: Any) -> Any:
        init.XavierNormal()(layer.weight)
        return layer.weight * x, vt.rand([2])

    compiled = vt.to_static(fn)
    for mine, eager in zip(_drawn(compiled, 3, lambda k: 1), _drawn(fn, 3, lambda k: 1), strict=True):
        np.testing.assert_allclose(mine, eager, rtol=1e-5, atol=1e-6)
    assert compiled.get_traced_count() == 1


def test_an_initializer_with_a_seed_repeats_it() -> None:
    def fn(x: Any) -> Any:
        w = vt.zeros([3])
        with_seed(init.Uniform(), 5)(w)
        return w, vt.rand([1])

    agrees(fn)


def _spectral(x: Any) -> Any:
    return nn.SpectralNorm([4, 4])(vt.arange(16.0).reshape([4, 4])), vt.rand([1])


def _wrapped(x: Any) -> Any:
    return nn.utils.spectral_norm(nn.Linear(3, 3))(vt.ones([1, 3])), vt.rand([1])


def _after_draws(x: Any) -> Any:
    a = vt.rand([1, 3])
    first = nn.Linear(3, 2)
    b = vt.rand([1, 2])
    return first(a), nn.Linear(2, 2)(b), vt.rand([1])


def _after_a_seed(x: Any) -> Any:
    vt.seed(5)
    first = nn.Linear(3, 3)
    return vt.rand([3]), first.weight, nn.Embedding(4, 2, padding_idx=1).weight


def _of_our_own(x: Any) -> Any:
    return nn.Linear(2, 2, weight_attr=vt.ParamAttr(initializer=Ours())).weight, vt.rand([1])


@pytest.mark.parametrize("fn", [_spectral, _wrapped, _after_draws, _after_a_seed, _of_our_own])
def test_a_layer_made_in_the_function_has_new_first_values_in_each_call(fn: Fn) -> None:
    agrees(fn)


def test_a_layer_made_in_a_branch_draws_where_the_branch_is_taken() -> None:
    def fn(x: Any) -> Any:
        y = nn.Linear(3, 2)(vt.ones([1, 3])) if x.sum() > 0 else vt.rand([1, 2])
        return y, vt.rand([1])

    agrees(fn, 4, lambda k: 1 if k % 2 else -1)


def test_a_layer_that_is_made_once_after_a_draw() -> None:
    class Lazy(nn.Layer):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.fc: Any = None

        def forward(self, x: Any) -> Any:
            noise = vt.rand([1, 2])
            if self.fc is None:
                self.fc = nn.Linear(2, 2)
            return self.fc(noise + x), self.fc.weight

    made = Lazy(), Lazy()
    mine = _drawn(vt.to_static(made[0]), 3, lambda k: 1)
    for a, b in zip(mine, _drawn(made[1], 3, lambda k: 1), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_a_layer_made_after_draws_that_only_a_run_counts_is_refused() -> None:
    def fn(x: Any) -> Any:
        y = vt.rand([1, 2]) if x.sum() > 0 else vt.zeros([1, 2])
        return nn.Linear(2, 2)(y)

    with pytest.raises(CaptureError, match=r"(?s)only a run knows.*nn\.Linear\(2, 2\)\(y\).*help: make the layer"):
        vt.to_static(fn)(vt.ones([1]))


# ---- what is refused


class Numbers(vt.io.Dataset):  # type: ignore[misc]
    def __getitem__(self, index: int) -> Any:
        return np.float32(index)

    def __len__(self) -> int:
        return 4


DATA = Numbers()
RANDOM: dict[str, Callable[[Any], Any]] = {
    "flip": transforms.RandomHorizontalFlip(),
    "crop": transforms.RandomCrop(2),
    "resized crop": transforms.RandomResizedCrop(2),
    "rotation": transforms.RandomRotation(10),
    "affine": transforms.RandomAffine(10),
    "perspective": transforms.RandomPerspective(),
    "erasing": transforms.RandomErasing(0.9),
    "brightness": transforms.BrightnessTransform(0.4),
    "jitter": transforms.ColorJitter(0.4, 0.4),
    "a chain": transforms.Compose([transforms.RandomVerticalFlip()]),
    "loader": lambda x: list(vt.io.DataLoader(DATA, shuffle=True, batch_size=2)),
    "workers": lambda x: list(vt.io.DataLoader(DATA, num_workers=1)),
    "sampler": lambda x: list(vt.io.RandomSampler(DATA)),
    "weighted": lambda x: list(vt.io.WeightedRandomSampler([0.1, 0.9], 4)),
    "a generator": lambda x: list(vt.io.RandomSampler(DATA, generator=3)),
    "batches": lambda x: list(vt.io.BatchSampler(DATA, shuffle=True, batch_size=2)),
    "epochs": lambda x: list(vt.io.DistributedBatchSampler(DATA, 2, shuffle=True)),
    "reader": lambda x: list(vt.reader.shuffle(lambda: iter(range(3)), 2)()),
    "read ahead": lambda x: list(vt.reader.buffered(lambda: iter(range(3)), 2)()),
}


@pytest.mark.parametrize("name", RANDOM)
def test_what_would_draw_while_capturing_is_refused(name: str) -> None:
    draw, state = RANDOM[name], np.random.get_state()[2]  # type: ignore[index]

    @vt.to_static
    def fn(x: Any) -> Any:
        return draw(x)

    with pytest.raises(
        CaptureError, match=r"(?s)would draw once.*test_draws\.py:\d+.*help: draw with vitrify.*outside"
    ):
        fn(vt.ones([3, 4, 4]))
    assert np.random.get_state()[2] == state  # type: ignore[index]


def test_a_walk_without_random_numbers_is_captured() -> None:
    fn = vt.to_static(lambda x: vt.concat([b for b, *_ in vt.io.DataLoader(vt.io.TensorDataset([np.arange(4.0)]))]) + x)
    assert fn(vt.ones([1])).tolist() == [1, 2, 3, 4]


def test_a_transform_in_a_pylayer_draws_in_each_call() -> None:
    class Crop(vt.autograd.PyLayer):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return transforms.RandomCrop(2)(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    fn = vt.to_static(lambda x: Crop.apply(x))
    image = vt.arange(48.0).reshape([3, 4, 4])
    assert len({str(fn(image).tolist()) for _ in range(20)}) > 1
