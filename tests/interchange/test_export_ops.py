"""Each op's ONNX form against its NumPy kernel, on the samples of its row; and what is refused is refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import of_array
from vitrify.base.errors import ArgumentError, ShapeError
from vitrify.interchange.control import _RULES
from vitrify.interchange.emit import CONTROL, ROWS, exported
from vitrify.interchange.export import model_of
from vitrify.ir.builder import Builder
from vitrify.ir.core import Program
from vitrify.jit.serialize.save import Captured
from vitrify.ops.dims import Dim
from vitrify.ops.op import OPS, Sample
from vitrify.ops.types import TensorType

pytest.importorskip("onnx")

DRAWN = {"uniform", "normal", "randint", "rng_advance"}  # other numbers than ours, on purpose
KERNELS = sorted(set(exported()) - CONTROL - DRAWN - {"dim_value"})
# What onnxruntime has no kernel for, though ONNX defines it; the model is still checked by onnx.checker.
UNRUN = ("NOT_IMPLEMENTED", "Could not find an implementation")


def program_of(op: Any, sample: Sample, symbolic: bool) -> tuple[Program, list[Any]]:
    """A program of one op; with `symbolic`, the first axis of each operand is a symbol (equal sizes: equal symbols)."""
    program = Program("sample")
    builder = Builder(program.body)
    arrays = [np.asarray(a) for a in sample.args]
    values = []
    for k, array in enumerate(arrays):
        shape: list[Any] = list(array.shape)
        if symbolic and shape and shape[0] > 1:
            shape[0] = Dim.symbol(f"N{shape[0]}")
        values.append(program.add_feed(f"x{k}", TensorType(of_array(array), tuple(shape))))
    with builder.active():
        made = op(*([values] if op.is_variadic else values), **sample.attrs)
    fetched = list(made) if isinstance(made, tuple) else [made]
    builder.return_(fetched)
    program.fetch_names = [f"y{k}" for k in range(len(fetched))]
    return program, arrays


def run(model: Any, arrays: list[Any]) -> list[Any] | None:
    """The outputs by onnxruntime; None where it has no kernel."""
    runtime = pytest.importorskip("onnxruntime")
    runtime.set_default_logger_severity(4)
    try:
        session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        feeds = {i.name: arrays[int(i.name[1:])] for i in session.get_inputs()}
        return session.run(None, feeds)
    except Exception as error:  # broad: onnxruntime's own classes aren't importable by name in every version
        if any(part in str(error) for part in UNRUN):
            return None
        raise


def check(name: str, sample: Sample, symbolic: bool) -> bool:
    """Compare; False where onnxruntime can't run the model."""
    op = OPS[name]
    program, arrays = program_of(op, sample, symbolic)
    names = list(program.fetch_names)
    model = model_of(Captured(program, {}, names), 18 if sample.attrs.get("mode") != "circular" else 19)
    with np.errstate(all="ignore"):
        expected = op.eager(*arrays, **(_prepared(op, arrays, sample)))
    expected = expected if isinstance(expected, tuple) else (expected,)
    found = run(model, arrays)
    if found is None:
        return False
    for mine, theirs in zip(expected, found, strict=True):
        mine = np.asarray(mine)
        assert theirs.shape == mine.shape
        assert theirs.dtype == mine.dtype
        if mine.dtype.kind == "f":
            tolerance = {2: 2e-2, 4: 2e-5, 8: 1e-9}[mine.dtype.itemsize]
            np.testing.assert_allclose(theirs, mine, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(theirs, mine)
    return True


def _prepared(op: Any, arrays: list[Any], sample: Sample) -> dict[str, Any]:
    """The attributes as the recorded operation has them."""
    program, _ = program_of(op, sample, False)
    recorded = next(o for o in program.body.operations if o.op is op)
    return recorded.attrs


def fits(name: str, arrays: list[Any], sample: Sample) -> bool:
    """Whether ONNX says anything about this sample: no complex numbers, and none of the values listed in the guide."""
    if any(a.dtype.kind == "c" or a.dtype.name == "bfloat16" for a in arrays):
        return False
    finite = all(np.isfinite(a).all() for a in arrays if a.dtype.kind == "f")
    if name in ("argmax", "argmin", "atan2", "floor_divide") and not finite:
        return False  # NaN counts as nothing; infinities of both operands give NaN
    if name in ("floor_divide", "remainder"):
        return bool(np.all(arrays[1] != 0))
    if name == "combine_along_axis":
        return sample.attrs.get("reduce") != "mean" and sample.attrs.get("include_self", True)
    return not (name == "avg_pool2d" and sample.attrs.get("divisor"))


def samples_of(name: str) -> list[tuple[Sample, list[Any]]]:
    """Samples that differ in dtype or rank, six at most."""
    found: dict[Any, tuple[Sample, list[Any]]] = {}
    for sample in OPS[name].samples():
        arrays = [np.asarray(a) for a in sample.args]
        if fits(name, arrays, sample):
            found.setdefault((tuple((a.dtype.str, a.ndim) for a in arrays), repr(sample.attrs)), (sample, arrays))
    made = list(found.values())
    return made[:: max(1, len(made) // 6)][:7]


@pytest.mark.parametrize("name", KERNELS)
def test_the_model_of_an_op_computes_what_its_kernel_does(name: str) -> None:
    ran = [check(name, sample, symbolic=False) for sample, _ in samples_of(name)]
    if not any(ran):
        pytest.skip("onnxruntime has no kernel for it")


SIZED = [
    "arange", "broadcast_to", "concat", "flip", "gather", "pad", "reshape", "roll", "slice", "slice_update", "sum",
    "take_along_axis", "transpose", "argsort", "masked_scatter", "nonzero", "select_update", "scatter_add", "cumprod",
    "searchsorted", "running_place", "is_among",
]  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(SIZED) & set(KERNELS) - {"arange", "reshape", "broadcast_to"}))
def test_models_hold_for_sizes_that_only_a_run_knows(name: str) -> None:
    ran = 0
    for sample, _ in samples_of(name)[:3]:
        try:
            ran += check(name, sample, symbolic=True)
        except ShapeError:  # a sample whose sizes have to be known
            continue
    assert ran


def test_every_row_of_the_table_is_an_op() -> None:
    assert set(ROWS) | CONTROL <= set(OPS)
    assert set(_RULES) == set(CONTROL)


def test_an_op_without_a_form_is_refused_by_name() -> None:
    program, _ = program_of(OPS["lgamma"], Sample((np.ones(3),)), False)
    with pytest.raises(ArgumentError, match="ONNX has no form for lgamma"):
        model_of(Captured(program, {}, ["y0"]), 18)


def test_an_op_that_came_later_names_the_opset() -> None:
    program, _ = program_of(OPS["bitwise_and"], Sample((np.ones(3, np.int32), np.ones(3, np.int32))), False)
    with pytest.raises(ArgumentError, match="opset 13 doesn't have") as caught:
        model_of(Captured(program, {}, ["y0"]), 13)
    assert "opset_version=18" in str(caught.value)


@pytest.mark.parametrize("opset", [13, 16, 17, 18, 19, 20, 21, 22])
def test_each_opset_gives_a_model_that_onnx_accepts(opset: int) -> None:
    for name in ("sum", "mean", "max", "pad", "slice", "conv2d", "max_pool2d", "clip", "cumsum", "argmax"):
        sample, _ = samples_of(name)[0]
        program, _ = program_of(OPS[name], sample, False)
        model = model_of(Captured(program, {}, list(program.fetch_names)), opset)
        assert model.opset_import[0].version == opset
