"""The programs whose dumps are kept: those of examples/, and one function for each thing a program can hold.

Each is captured from an input_spec: nothing is compiled, and nothing depends on the machine.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import vitrify as vt
from vitrify import fluid, nn
from vitrify.ir.core import Program
from vitrify.static.build import finished

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name: str) -> Any:
    """A module of examples/."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(EXAMPLES))


class Square(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g * 2 * x


Square.__module__ = "examples"  # its name in dumps, however the tests are run


def branch_in_loop(x: Any, n: Any) -> Any:
    i, s = vt.zeros([], "int64"), x
    while i < n:
        if s.sum() > 0:
            s = vt.sin(s) * x
        else:
            s = vt.cos(s) + x
        i += 1
    return s.mean()


def growing_list(x: Any, n: Any) -> Any:
    out = []
    for _ in range(n):
        x = vt.tanh(x) * 1.5
        out.append(x.sum(axis=0))
    return vt.stack(out)


def early_return(x: Any, n: Any) -> Any:
    for i in range(n):
        x = x * 1.1
        if x.sum() > 100:
            return x - i
    return x


def positive_part(x: Any) -> Any:
    y = x[x > 0]
    return (y * y).sum() / y.shape[0]


def softmax_rows(x: Any) -> Any:
    return nn.functional.softmax(x * 0.5, axis=-1).max(axis=1)


def calls_python(x: Any) -> Any:
    return Square.apply(vt.exp(x)).sum()


def lstm_loop() -> Any:
    cell = nn.LSTMCell(4, 5)

    def run(x: Any) -> Any:
        state, total = cell.get_initial_states(x[:, 0]), vt.zeros([])
        for t in range(x.shape[1]):
            y, state = cell(x[:, t], state)
            total = total + y.sum()
        return total

    return run


def lenet_step() -> Any:
    net = vt.vision.models.LeNet()
    optimizer = vt.optimizer.Adam(0.1, parameters=net.parameters())

    def step(images: Any, labels: Any) -> Any:
        loss = nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def digits_step() -> Any:
    digits = example("digits")
    net = digits.DigitNet(8)
    rate = vt.optimizer.lr.CosineAnnealingDecay(0.01, 10)
    return digits.make_step(net, vt.optimizer.AdamW(rate, parameters=net.parameters()))


def static_network() -> Program:
    listing = example("static_mnist_py_func")
    program = fluid.Program()
    with vt.utils.unique_name.guard(), fluid.program_guard(program, fluid.Program()):
        image, label = fluid.data("X", [None, 64], "float32"), fluid.data("label", [None, 1], "int64")
        loss = fluid.layers.mean(fluid.layers.cross_entropy(listing.network(image), label))
        fluid.optimizer.SGD(learning_rate=0.01).minimize(loss)
    recorded = program.recorder.program.body.operations
    return finished(program, [r for o in recorded for r in o.results if not r.uses], clean=False).program


def spec(*shape: Any, dtype: str = "float32", gradient: bool = True) -> Any:
    return vt.InputSpec(list(shape), dtype, stop_gradient=not gradient)


COUNT = spec(dtype="int64", gradient=False)
CAPTURED: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "branch_in_loop": (lambda: branch_in_loop, [spec(3, 4), COUNT]),
    "growing_list": (lambda: growing_list, [spec(3, 4), COUNT]),
    "early_return": (lambda: early_return, [spec(3, 4), COUNT]),
    "positive_part": (lambda: positive_part, [spec(3, 4)]),
    "softmax_rows": (lambda: softmax_rows, [spec(None, 4)]),
    "calls_python": (lambda: calls_python, [spec(3)]),
    "lstm_loop": (lstm_loop, [spec(2, None, 4)]),
    "lenet_step": (lenet_step, [spec(4, 1, 28, 28, gradient=False), spec(4, dtype="int64", gradient=False)]),
    "digits_step": (digits_step, [spec(None, 1, 8, 8, gradient=False), spec(None, dtype="int64", gradient=False)]),
    "halve": (lambda: example("onnx_roundtrip").halve, [spec(None, 4), spec()]),
}


def captured(name: str) -> Any:
    """The compiled function of an example, made from its input_spec, with the names that it has in a fresh process."""
    make, specs = CAPTURED[name]
    vt.seed(0)
    with vt.utils.unique_name.guard():
        fn = vt.to_static(make(), input_spec=specs)
        assert fn.program is not None
    return fn
