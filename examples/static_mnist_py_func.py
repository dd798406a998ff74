"""Digits by a program built by hand: two layers with a ReLU written in NumPy between them, 784-100-10, SGD.

    python examples/static_mnist_py_func.py --data FOLDER     # MNIST from its IDX files (or VITRIFY_DATA=FOLDER)
    python examples/static_mnist_py_func.py                   # scikit-learn's small digits, without any file

Each layer function appends operations to the main program, and what makes its parameters to the startup program. The
executor compiles the main program at its first run; only the ReLU goes back to Python.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import vitrify as vt
from vitrify import fluid

Reader = Callable[[], Iterator[Any]]


def relu(x: Any) -> Any:
    """The forward function: what the program gives it reads as an array."""
    return np.maximum(x, 0.0)


def relu_grad(y: Any, dy: Any) -> Any:
    """The gradient for x from the result and the gradient of the result."""
    return np.array(dy) * (np.array(y) > 0)


def network(x: Any) -> Any:
    """Probabilities of the ten digits."""
    hidden = fluid.layers.fc(x, size=100)
    block = fluid.default_main_program().current_block()
    output = block.create_var(name="relu", dtype=hidden.dtype, shape=hidden.shape)
    fluid.layers.py_func(relu, hidden, output, relu_grad, skip_vars_in_backward_input=hidden)
    return fluid.layers.fc(output, size=10, act="softmax")


def readers(folder: str | None) -> tuple[Reader, Reader, int]:
    """Readers of (pixels, label) for training and testing, and the number of pixels."""
    if folder is not None:
        from vitrify.data import mnist_reader

        return mnist_reader.train(folder), mnist_reader.test(folder), 784

    def digits(mode: str) -> Reader:
        data = vt.io.Digits(mode)
        return lambda: ((image.ravel() * 2 - 1, int(label)) for image, label in data)

    return digits("train"), digits("test"), 64


def arrays(batch: list[Any]) -> dict[str, Any]:
    """The feeds of a batch of samples."""
    images, labels = zip(*batch, strict=True)
    return {"X": np.array(images, "float32"), "label": np.array(labels, "int64")[:, None]}


def main() -> float:
    """Train and test; the share of test digits that are told right at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("VITRIFY_DATA"), help="folder with the MNIST IDX files")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, help="default 256, and 16 for the small digits")
    parser.add_argument("--rate", type=float, help="default 0.01, and 0.1 for the small digits")
    options = parser.parse_args()
    is_small = options.data is None
    size = options.batch or (16 if is_small else 256)
    rate = options.rate or (0.1 if is_small else 0.01)
    train, test, pixels = readers(options.data)

    program, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(program, startup):
        image = fluid.data("X", [None, pixels], "float32")
        label = fluid.data("label", [None, 1], "int64")
        probabilities = network(image)
        loss = fluid.layers.mean(fluid.layers.cross_entropy(probabilities, label))
        accuracy = fluid.layers.accuracy(probabilities, label)
        test_program = program.clone(for_test=True)  # before there are gradients and updates
        fluid.optimizer.SGD(learning_rate=rate).minimize(loss)

    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup)
    share = 0.0
    for epoch in range(options.epochs):
        start = time.perf_counter()
        for batch in vt.batch(train, size)():
            (value,) = executor.run(program, feed=arrays(batch), fetch_list=[loss])
        seconds = time.perf_counter() - start
        right = [
            executor.run(test_program, feed=arrays(batch), fetch_list=[accuracy])[0][0] * len(batch)
            for batch in vt.batch(test, size)()
        ]
        share = sum(right) / sum(1 for _ in test())
        print(f"epoch {epoch + 1}: last loss {value[0]:.4f}, test accuracy {share:.4f}, {seconds:.2f} s")
    return share


if __name__ == "__main__":
    main()
