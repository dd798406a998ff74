"""The program that classifies digits with a ReLU in Python (784-100-10, SGD, batch 256), beside torch's nearest equivalent.

    python benchmarks/static/py_func.py          # milliseconds for a training step, one thread, in turn

torch: two linear layers with an autograd.Function whose forward and backward are the same NumPy functions.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))

from static_mnist_py_func import network, relu, relu_grad

import vitrify as vt
from vitrify import fluid

BATCH = 256


def batches(count: int = 20) -> list[tuple[Any, Any]]:
    """Images and labels as numbers of the right kind; the same for both."""
    rng = np.random.default_rng(0)
    return [
        (rng.uniform(-1, 1, (BATCH, 784)).astype("float32"), rng.integers(0, 10, (BATCH, 1)).astype("int64"))
        for _ in range(count)
    ]


def ours(data: list[tuple[Any, Any]]) -> Callable[[], float]:
    """A pass over the batches."""
    program, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(program, startup):
        image = fluid.data("X", [None, 784], "float32")
        label = fluid.data("label", [None, 1], "int64")
        probabilities = network(image)
        loss = fluid.layers.mean(fluid.layers.cross_entropy(probabilities, label))
        accuracy = fluid.layers.accuracy(probabilities, label)
        fluid.optimizer.SGD(learning_rate=0.01).minimize(loss)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup)

    def run() -> float:
        for x, y in data:
            value, _ = executor.run(program, feed={"X": x, "label": y}, fetch_list=[loss.name, accuracy.name])
        return float(value[0])

    return run


def theirs(data: list[tuple[Any, Any]]) -> Callable[[], float]:
    """The same with torch."""
    import torch

    torch.set_num_threads(1)

    class Relu(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = torch.from_numpy(relu(x.numpy()))
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            (y,) = ctx.saved_tensors
            return torch.from_numpy(relu_grad(y.numpy(), dy.numpy()))

    first, second = torch.nn.Linear(784, 100), torch.nn.Linear(100, 10)
    step = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.01)

    def run() -> float:
        for x, y in data:
            label = torch.from_numpy(y[:, 0])
            scores = second(Relu.apply(first(torch.from_numpy(x))))
            loss = torch.nn.functional.cross_entropy(scores, label)
            (scores.argmax(1) == label).float().mean().item()
            step.zero_grad()
            loss.backward()
            step.step()
            value = loss.item()
        return value

    return run


def main() -> None:
    """Print both medians and their ratio."""
    vt.set_num_threads(1)
    data = batches()
    runs = {"vitrify": ours(data), "torch": theirs(data)}
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(15):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            seconds[name].append((time.perf_counter() - start) / len(data))
    median = {name: float(np.median(sorted(s)[:8])) * 1e3 for name, s in seconds.items()}
    print(f"vitrify {median['vitrify']:.3f} ms, torch {median['torch']:.3f} ms: "
          f"{median['torch'] / median['vitrify']:.2f} times torch's speed")  # fmt: skip


if __name__ == "__main__":
    main()
