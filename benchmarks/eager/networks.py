"""Eager networks against torch's: convolution, pooling, batch norm and whole training steps of LeNet and an MLP.

Run with one thread and nothing else on the machine: `python benchmarks/eager/networks.py`. Prints microseconds and the
ratio to torch, best of many repeats taken in turn, so that a slow spell of the machine meets both.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import vitrify as vt
from vitrify import nn
from vitrify.nn import functional as F

torch.set_num_threads(1)
T = torch.nn.functional
RNG = np.random.default_rng(0)


def array(*shape: int) -> Any:
    return RNG.normal(size=shape).astype("float32")


def both(ours: Callable[[], Any], theirs: Callable[[], Any], seconds: float = 1.5) -> tuple[float, float]:
    """The best times of both, taken in turn."""
    ours()
    theirs()
    best = [float("inf"), float("inf")]
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        for k, fn in enumerate((ours, theirs)):
            start = time.thread_time()
            fn()
            best[k] = min(best[k], time.thread_time() - start)
    return best[0], best[1]


def layer(function: Callable[..., Any], reference: Callable[..., Any], *arrays: Any, backward: bool) -> Any:
    xs = [vt.to_tensor(a, stop_gradient=not backward) for a in arrays]
    ts = [torch.tensor(a, requires_grad=backward) for a in arrays]

    def ours() -> None:
        y = function(*xs)
        if backward:
            y.sum().backward()
            for x in xs:
                x.clear_grad(False)

    def theirs() -> None:
        y = reference(*ts)
        if backward:
            y.sum().backward()
            for t in ts:
                t.grad = None

    return ours, theirs


def lenet(module: Any, flat: Any) -> list[Any]:
    conv, pool = module.Conv2D if flat else module.Conv2d, module.MaxPool2D if flat else module.MaxPool2d
    return [conv(1, 6, 3, 1, 1), module.ReLU(), pool(2, 2), conv(6, 16, 5, 1, 0), module.ReLU(), pool(2, 2),
            module.Flatten(), module.Linear(400, 120), module.Linear(120, 84), module.Linear(84, 10)]  # fmt: skip


def mlp(module: Any, _: Any) -> list[Any]:
    return [module.Linear(784, 256), module.ReLU(), module.Linear(256, 128), module.ReLU(), module.Linear(128, 10)]


def training(make: Callable[[Any, Any], list[Any]], shape: tuple[int, ...]) -> Any:
    x, y = array(*shape), RNG.integers(0, 10, shape[0])
    net, ref = nn.Sequential(*make(nn, True)), torch.nn.Sequential(*make(torch.nn, False))
    opt, other = vt.optimizer.Adam(1e-3, parameters=net.parameters()), torch.optim.Adam(ref.parameters(), 1e-3)
    xv, yv, xt, yt = vt.to_tensor(x), vt.to_tensor(y), torch.tensor(x), torch.tensor(y)

    def ours() -> None:
        F.cross_entropy(net(xv), yv).backward()
        opt.step()
        opt.clear_grad()

    def theirs() -> None:
        T.cross_entropy(ref(xt), yt).backward()
        other.step()
        other.zero_grad()

    return ours, theirs


def cases() -> dict[str, Any]:
    made: dict[str, Any] = {}
    for backward in (False, True):
        what = " with gradients" if backward else ""
        for n, c, out, size, k, s, p in ((32, 1, 6, 28, 3, 1, 1), (8, 64, 64, 28, 3, 1, 1), (8, 32, 64, 28, 3, 2, 1),
                                         (8, 64, 128, 14, 1, 1, 0), (1, 3, 64, 112, 7, 2, 3)):  # fmt: skip
            made[f"conv2d {n}x{c}x{size}x{size} to {out}, {k}x{k}/{s}{what}"] = layer(
                lambda x, w, b, s=s, p=p: F.conv2d(x, w, b, s, p), lambda x, w, b, s=s, p=p: T.conv2d(x, w, b, s, p),
                array(n, c, size, size), array(out, c, k, k), array(out), backward=backward,
            )  # fmt: skip
        image = array(8, 32, 28, 28)
        made[f"depthwise conv2d{what}"] = layer(
            lambda x, w: F.conv2d(x, w, None, 1, 1, 1, 32), lambda x, w: T.conv2d(x, w, None, 1, 1, 1, 32), image,
            array(32, 1, 3, 3), backward=backward,
        )  # fmt: skip
        made[f"max_pool2d 2{what}"] = layer(
            lambda x: F.max_pool2d(x, 2), lambda x: T.max_pool2d(x, 2), image, backward=backward
        )
        made[f"max_pool2d 3/2{what}"] = layer(
            lambda x: F.max_pool2d(x, 3, 2, 1), lambda x: T.max_pool2d(x, 3, 2, 1), image, backward=backward
        )
        made[f"avg_pool2d 2{what}"] = layer(
            lambda x: F.avg_pool2d(x, 2), lambda x: T.avg_pool2d(x, 2), image, backward=backward
        )
        mean, var = array(32), abs(array(32)) + 1
        stats = [vt.to_tensor(mean), vt.to_tensor(var)], [torch.tensor(mean), torch.tensor(var)]
        made[f"batch_norm{what}"] = layer(
            lambda x, w, b: F.batch_norm(x, *stats[0], w, b, True), lambda x, w, b: T.batch_norm(x, *stats[1], w, b, True),
            image, array(32), array(32), backward=backward,
        )  # fmt: skip
        made[f"layer_norm{what}"] = layer(
            lambda x, w, b: F.layer_norm(x, 256, w, b), lambda x, w, b: T.layer_norm(x, (256,), w, b),
            array(128, 256), array(256), array(256), backward=backward,
        )  # fmt: skip
    made["LeNet training step, 32 images"] = training(lenet, (32, 1, 28, 28))
    made["LeNet training step, 256 images"] = training(lenet, (256, 1, 28, 28))
    made["MLP training step, 64 rows"] = training(mlp, (64, 784))
    return made


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else ""
    for name, (ours, theirs) in cases().items():
        if chosen in name:
            mine, other = both(ours, theirs)
            print(f"{name:58} {mine * 1e6:10.0f} us {other * 1e6:10.0f} us   {mine / other:6.2f}", flush=True)
