"""Tensors without axes and without elements, for every public function that takes one tensor or two."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import VitrifyError
from vitrify.ops import functions

SWITCHES = {"seed", "save", "load", "draw", "summary", "flops", "set_device", "to_dlpack", "from_dlpack"}
RANDOM = {"bernoulli", "poisson", "standard_gamma", "multinomial", "gumbel_softmax", "dropout"}
NAMES = sorted(set(functions()) - SWITCHES - RANDOM)
F = functions()


def tensors(made: Any) -> Iterator[Any]:
    """The tensors of a result."""
    for part in made if isinstance(made, (tuple, list)) else [made]:
        if isinstance(part, vt.Tensor):
            yield part


def accepts(fn: Callable[..., Any], *shapes: tuple[int, ...]) -> bool:
    """Whether the function takes so many float tensors of these shapes, and gives tensors."""
    try:
        return any(True for _ in tensors(fn(*(vt.full(list(s), 0.5) for s in shapes))))
    except (VitrifyError, TypeError, ValueError, AttributeError):  # the table asks, it does not judge
        return False


UNARY = [n for n in NAMES if accepts(F[n], (2, 2))]
BINARY = [n for n in NAMES if accepts(F[n], (2, 2), (2, 2)) and not accepts(F[n], (2, 2))]
NEEDS_AXES = {  # what has no meaning for a single number
    "cholesky", "cond", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "inverse", "lu", "matrix_exp",
    "matrix_rank", "matrix_transpose", "pinv", "qr", "slogdet", "svd", "svdvals", "glu", "fliplr", "flipud", "rot90",
    "trace", "diagonal", "diag", "diag_embed", "tril", "triu", "unbind", "unstack", "vander", "diff", "as_complex",
    "cholesky_inverse", "svd_lowrank", "pca_lowrank", "corrcoef", "cov", "block_diag", "householder_product",
    "lu_unpack", "histogramdd", "combinations", "cartesian_prod", "concat", "cat", "concatenate", "stack", "hstack",
    "vstack", "dstack", "row_stack", "column_stack", "meshgrid", "einsum", "add_n", "atleast_1d", "multi_dot",
    "broadcast_tensors", "nonzero", "argwhere", "permute", "trapezoid", "cumulative_trapezoid",
    "matrix_norm", "lstsq", "pdist", "channel_shuffle", "pixel_shuffle", "maxout", "local_response_norm",
    "shape", "instance_norm", "label_smooth", "normalize", "rms_norm", "where",
}  # fmt: skip
GROW = {"flatten": 1, "ravel": 1, "diagflat": 2, "atleast_2d": 2, "atleast_3d": 3, "cumsum": 1, "cumprod": 1,
        "logcumsumexp": 1, "unique": 1, "unique_consecutive": 1, "histogram": 1, "histogram_bin_edges": 1,
        "repeat_interleave": 1, "masked_select": 1, "outer": 2}  # fmt: skip


def test_the_tables_are_full() -> None:
    assert len(UNARY) > 150
    assert len(BINARY) > 40


@pytest.mark.parametrize("name", [n for n in UNARY if n not in NEEDS_AXES])
def test_a_number_gives_numbers(name: str) -> None:
    x = vt.to_tensor(0.5, stop_gradient=False)
    made = list(tensors(F[name](x)))
    assert made
    assert all(y.ndim == GROW.get(name, 0) for y in made), [y.shape for y in made]
    twin = getattr(np, name, None)
    if isinstance(twin, np.ufunc) and twin.nin == 1 and twin.nout == 1:
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(made[0].numpy(), twin(np.float32(0.5)), rtol=1e-6)
    if made[0].dtype.is_floating and not made[0].stop_gradient:
        made[0].sum().backward()
        assert x.grad is None or x.grad.shape == []


@pytest.mark.parametrize("name", [n for n in BINARY if accepts(F[n], (), ()) and n not in GROW])
def test_two_numbers_give_a_number(name: str) -> None:
    x, y = vt.to_tensor(0.5, stop_gradient=False), vt.to_tensor(0.25, stop_gradient=False)
    row = vt.ones([3], "float32")
    made = F[name](x, y)
    assert made.shape == []
    twin = getattr(np, name, None)
    if isinstance(twin, np.ufunc) and twin.signature is None and name != "ldexp":  # NumPy's ldexp takes integers
        np.testing.assert_allclose(made.numpy(), twin(np.float32(0.5), np.float32(0.25)), rtol=1e-6)
    if made.dtype.is_floating and not made.stop_gradient:
        made.backward()
        assert [t.grad.shape for t in (x, y) if t.grad is not None] in ([[], []], [[]])
    if isinstance(twin, np.ufunc) and twin.signature is None:  # a number beside a row: its gradient is a number again
        x.clear_grad()
        mixed = F[name](x, row)
        assert mixed.shape == [3]
        if mixed.dtype.is_floating and not mixed.stop_gradient:
            mixed.sum().backward()
            assert x.grad.shape == []


REDUCTIONS = {"sum", "prod", "mean", "median", "nanmedian", "cumsum", "all", "any", "nansum", "std", "var"}
WITHOUT_ELEMENTS = {  # these have no answer; a typed error says so
    "amax", "amin", "aminmax", "max", "min", "argmax", "argmin", "mode", "cond", "matrix_rank",
}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in UNARY if not accepts(F[n], (2, 2)) or accepts(F[n], (2, 3))])
def test_no_elements_give_an_answer_or_a_typed_error(name: str) -> None:
    x = vt.zeros([0, 3])
    x.stop_gradient = False
    try:
        made = list(tensors(F[name](x)))
    except VitrifyError:
        assert name in WITHOUT_ELEMENTS or name in NEEDS_AXES
        return
    if not made:  # the parts along an axis without elements: an empty list
        assert name in {"unbind", "unstack", "broadcast_tensors"}
        return
    twin = getattr(np, name, None)
    if isinstance(twin, np.ufunc) and twin.nin == 1 and twin.nout == 1:
        assert made[0].shape == [0, 3]
    elif twin is not None and name in (
        "sum",
        "prod",
        "mean",
        "median",
        "nanmedian",
        "cumsum",
        "all",
        "any",
        "nansum",
        "std",
        "var",
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = twin(np.zeros((0, 3), np.float32))
        np.testing.assert_array_equal(made[0].numpy(), wanted)
    if made[0].dtype.is_floating and not made[0].stop_gradient:
        made[0].sum().backward()
        assert x.grad is None or x.grad.shape == [0, 3]


@pytest.mark.parametrize(
    "name", ["sum", "mean", "max", "prod", "logsumexp", "all", "median", "quantile", "norm", "std"]
)
@pytest.mark.parametrize("axis", [0, -1])
def test_a_number_has_an_imaginary_axis(name: str, axis: int) -> None:
    x = vt.to_tensor(0.5)
    rest = (0.5,) if name == "quantile" else ()
    assert F[name](x, *rest, axis=axis).shape == []
    with pytest.raises(VitrifyError):
        F[name](x, *rest, axis=1)


def test_what_is_known_of_no_elements() -> None:
    none = vt.zeros([0, 3])
    assert float(vt.logsumexp(none)) == -np.inf
    assert vt.logsumexp(none, 0).tolist() == [-np.inf] * 3
    assert vt.logsumexp(none, 1).shape == [0]
    assert np.isnan(float(vt.median(none)))
    assert np.isnan(vt.quantile(none, [0.1, 0.9], axis=0).numpy()).all()
    assert [t.shape for t in vt.mode(vt.zeros([0, 3]), 1)] == [[0], [0]]
    assert vt.unique_consecutive(none, axis=0).shape == [0, 3]
    assert vt.multinomial(none).shape == [0, 1]  # of no rows
    for refused in (lambda: vt.mode(none, 0), lambda: vt.median(none, mode="min"), lambda: vt.multinomial(none.T)):
        with pytest.raises(VitrifyError):
            refused()


@pytest.mark.parametrize("name", ["exp", "tanh", "sum", "mean", "logsumexp", "cumsum", "sort", "softmax", "where"])
@pytest.mark.parametrize("shape", [(), (0, 3)])
def test_compiled_as_eager(name: str, shape: tuple[int, ...]) -> None:
    x = vt.full(list(shape), 0.5, "float64")
    fn = (lambda v: vt.where(v > 0, v, -v)) if name == "where" else F.get(name) or getattr(vt.nn.functional, name)
    eager, compiled = fn(x), vt.jit.to_static(lambda v: fn(v))(x)
    assert compiled.shape == eager.shape
    np.testing.assert_array_equal(compiled.numpy(), eager.numpy())


def test_every_table_entry_names_a_function() -> None:
    known = set(F) | set(dir(vt.linalg)) | set(dir(vt.nn.functional))
    assert sorted((NEEDS_AXES | set(GROW) | WITHOUT_ELEMENTS) - known) == []
    assert inspect.isroutine(F["softmax"])
