"""The kernels of softmax, layer norm, cross entropy and Adam, as text: how many there are, and what each does.

Their values are compared with eager mode's, on one thread and on two.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F

FOLDER = Path(__file__).parent / "kernels"
GENERATOR = np.random.default_rng(7)
ROWS, COLUMNS = 48, 80


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = vt.get_num_threads()
    yield
    vt.set_num_threads(before)


def softmax(x: vt.Tensor) -> vt.Tensor:
    return F.softmax(x, -1)


def log_softmax(x: vt.Tensor) -> vt.Tensor:
    return F.log_softmax(x, -1)


def log_sum_exp(x: vt.Tensor) -> vt.Tensor:
    return vt.logsumexp(x, -1)


def layer_norm(x: vt.Tensor, weight: vt.Tensor, bias: vt.Tensor) -> vt.Tensor:
    return F.layer_norm(x, [COLUMNS], weight, bias)


def cross_entropy(x: vt.Tensor, labels: vt.Tensor) -> vt.Tensor:
    return F.cross_entropy(x, labels)


def softmax_gradient(x: vt.Tensor, weight: vt.Tensor) -> Any:
    return vt.grad((F.softmax(x, -1) * weight).sum(), [x])


def log_softmax_gradient(x: vt.Tensor, weight: vt.Tensor) -> Any:
    return vt.grad((F.log_softmax(x, -1) * weight).sum(), [x])


def layer_norm_gradient(x: vt.Tensor, weight: vt.Tensor) -> Any:
    return vt.grad((F.layer_norm(x, [COLUMNS]) * weight).sum(), [x])


def cross_entropy_gradient(x: vt.Tensor, labels: vt.Tensor) -> Any:
    return vt.grad(F.cross_entropy(x, labels), [x])


X = GENERATOR.standard_normal((ROWS, COLUMNS)).astype("float32")
WEIGHT, BIAS = GENERATOR.standard_normal((2, COLUMNS)).astype("float32")
LABELS = GENERATOR.integers(0, COLUMNS, ROWS)

# What is computed, from which arrays, by how many kernels. A mean over rows is a kernel of its own; so is what is
# known per row alone (which labels count), where it is needed before the rows are swept.
CASES: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...], int]] = {
    "softmax": (softmax, (X,), 1),
    "softmax_gradient": (softmax_gradient, (X, WEIGHT), 1),
    "log_softmax": (log_softmax, (X,), 1),
    "log_softmax_gradient": (log_softmax_gradient, (X, WEIGHT), 1),
    "log_sum_exp": (log_sum_exp, (X,), 1),
    "layer_norm": (layer_norm, (X, WEIGHT, BIAS), 1),
    "layer_norm_gradient": (layer_norm_gradient, (X, WEIGHT), 1),
    "cross_entropy": (cross_entropy, (X, LABELS), 2),
    "cross_entropy_gradient": (cross_entropy_gradient, (X, LABELS), 2),
}


def texts(function: Any) -> str:
    """All kernels of a compiled function, under their names."""
    return "\n".join(f"# {name}\n{str.__str__(text).strip()}\n" for name, text in function.kernels.items())


@pytest.mark.parametrize("name", CASES)
def test_rows_are_one_kernel(name: str, golden: Callable[[Path, str], None]) -> None:
    function, arrays, count = CASES[name]
    arguments = [vt.to_tensor(a, stop_gradient=a.dtype != np.float32) for a in arrays]
    expected = function(*arguments)
    compiled = vt.to_static(function)
    for threads in (1, 2):
        vt.set_num_threads(threads)
        found = compiled(*arguments)
        pairs = zip(found, expected, strict=True) if isinstance(expected, list) else [(found, expected)]
        for value, wanted in pairs:
            np.testing.assert_allclose(value.numpy(), wanted.numpy(), rtol=2e-5, atol=2e-6)
    assert len(compiled.kernels) == count
    golden(FOLDER / f"{name}.txt", texts(compiled))


def test_adam_updates_all_equal_parameters_by_one_kernel(golden: Callable[[Path, str], None]) -> None:
    def parameters() -> list[vt.Tensor]:
        made = [vt.to_tensor(np.full((6, 8), k + 1.0, "float32"), stop_gradient=False) for k in range(3)]
        vt.add_n([(p * p).sum() for p in made]).backward()
        return made

    eager, compiled = parameters(), parameters()
    by_hand, optimiser = (vt.optimizer.Adam(0.1, parameters=p) for p in (eager, compiled))
    step = vt.to_static(lambda: optimiser.step())
    for _ in range(3):
        by_hand.step()
        step()
    for value, wanted in zip(compiled, eager, strict=True):
        np.testing.assert_allclose(value.numpy(), wanted.numpy(), rtol=1e-5)
    calls = [(text.calls, text.tables) for text in step.kernels.values()]
    assert calls == [(3, 1)] * 3, "one call updates all parameters, two make the numbers of this step for each"
    golden(FOLDER / "adam.txt", texts(step))
