"""The kernels of special functions, alignments, factors, orders and masks, as text: how many there are, and what each does.

Their values are compared with eager mode's, on one thread and on two, and once more with other numbers.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F

FOLDER = Path(__file__).parent / "kernels"
GENERATOR = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = vt.get_num_threads()
    yield
    vt.set_num_threads(before)


def ctc(scores: vt.Tensor, labels: vt.Tensor, times: vt.Tensor, lengths: vt.Tensor) -> vt.Tensor:
    return F.ctc_loss(scores, labels, times, lengths, reduction="none")


def ctc_gradient(scores: vt.Tensor, labels: vt.Tensor, times: vt.Tensor, lengths: vt.Tensor) -> Any:
    return vt.grad(ctc(scores, labels, times, lengths).sum(), [scores])


def determinant_gradient(x: vt.Tensor) -> Any:
    return vt.grad(vt.linalg.det(x).sum(), [x])


def mean_of_masked(x: vt.Tensor) -> vt.Tensor:
    return x[x > 0.5].mean()


def masked_loss_gradient(x: vt.Tensor, y: vt.Tensor) -> Any:
    mask = y > 0
    return vt.grad(((x[mask] - y[mask]) ** 2).sum(), [x])


def normal(*shape: int) -> np.ndarray:
    return GENERATOR.standard_normal(shape).astype("float32")


POSITIVE = GENERATOR.uniform(0.2, 4.0, (2, 40)).astype("float32")
SEQUENCES = (
    normal(9, 3, 5), GENERATOR.integers(1, 5, (3, 4)).astype("int32"), np.array([9, 8, 9]), np.array([4, 3, 2]),
)  # fmt: skip

# What is computed, from which arrays, by how many kernels.
CASES: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...], int]] = {
    "gammainc": (vt.gammainc, tuple(POSITIVE), 1),
    "gammaincc": (vt.gammaincc, tuple(POSITIVE), 1),
    "ctc_loss": (ctc, SEQUENCES, 4),
    "ctc_loss_gradient": (ctc_gradient, SEQUENCES, 4),
    "qr": (vt.linalg.qr, (normal(4, 6, 5),), 1),
    "lu": (lambda x: list(vt.linalg.lu(x)), (normal(4, 6, 6),), 1),
    "determinant_gradient": (determinant_gradient, (normal(4, 5, 5),), 1),
    "merge_sort": (lambda x: vt.argsort(x, -1), (normal(2, 40),), 1),
    "radix_sort": (lambda x: vt.argsort(x, -1), (normal(2, 2100),), 1),
    "most_frequent": (lambda x: vt.mode(x)[1], (np.floor(normal(3, 70) * 4),), 1),
    "membership": (vt.isin, (np.arange(-4, 40).reshape(4, 11), np.array([3, 5, -2, 38])), 1),
    "sorting_network": (lambda x: [vt.argsort(x, -1), vt.sort(x, -1)], (normal(19, 40),), 2),
    "inverse": (vt.linalg.inv, (normal(2, 40, 40) + 40 * np.eye(40, dtype="float32"),), 1),
    "spectrum": (vt.linalg.eigvalsh, (normal(2, 12, 12),), 1),
    "mean_of_masked": (mean_of_masked, (normal(200),), 1),
    "masked_loss_gradient": (masked_loss_gradient, (normal(200), normal(200)), 1),
}


def texts(function: Any) -> str:
    """All kernels of a compiled function, under their names."""
    return "\n".join(f"# {name}\n{str.__str__(text).strip()}\n" for name, text in function.kernels.items())


@pytest.mark.parametrize("name", CASES)
def test_kernels_of_special_operations(name: str, golden: Callable[[Path, str], None]) -> None:
    function, arrays, count = CASES[name]
    compiled = vt.to_static(function)
    for threads, sign in ((1, 1), (2, 1), (2, -1)):
        vt.set_num_threads(threads)
        changed = [a * np.float32(sign) if a.ndim > 1 and a.dtype == np.float32 else a for a in arrays]
        arguments = [vt.to_tensor(a, stop_gradient=a.dtype != np.float32) for a in changed]
        found, expected = compiled(*arguments), function(*arguments)
        pairs = zip(found, expected, strict=True) if isinstance(expected, list | tuple) else [(found, expected)]
        for value, wanted in pairs:
            np.testing.assert_allclose(value.numpy(), wanted.numpy(), rtol=5e-5, atol=5e-6)
    assert len(compiled.kernels) == count
    golden(FOLDER / f"{name}.txt", texts(compiled))
