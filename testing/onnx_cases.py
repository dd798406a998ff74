"""ONNX's own backend node tests run on our reader: what passes, what fails, what is refused and why."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..base.errors import VitrifyError
from ..interchange.load import load
from ..interchange.onnx_package import CARRIERS, onnx_module
from ..interchange.read.node import NotConstantError

BFLOAT16_STEPS = 2.0**-6  # two between neighbouring numbers, relative: finer tolerances ask for one order of rounding
DRAWN = ("bernoulli", "training_dropout")  # cases whose numbers are random: dtype and shape are compared


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case. fixed: inputs that had to be constants, as attributes of older versions are."""

    name: str
    operators: tuple[str, ...]
    status: Literal["passed", "failed", "refused"]
    reason: str = ""
    fixed: tuple[str, ...] = ()


def node_cases() -> list[Any]:
    """The cases of onnx.backend.test for single operators, in memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the makers of the cases divide by zero and overflow on purpose
        found: list[Any] = onnx_module("onnx.backend.test.loader").load_model_tests(kind="node")
    return found


def run_case(case: Any, *, native: bool = False) -> Outcome:
    """Load a case's model, run it on its inputs, compare with its outputs. native: compiled, else interpreted."""
    operators = tuple(sorted({n.op_type for n in case.model.graph.node}))
    fixed: tuple[str, ...] = ()
    try:
        for given, wanted in case.data_sets:
            fixed = _check(case, given, wanted, native)
    except VitrifyError as error:
        return Outcome(case.name, operators, "refused", str(error.message).splitlines()[0], fixed)
    except Exception as error:  # broad: whatever happens, it is this case's outcome
        shown = " ".join(f"{type(error).__name__}: {error}".split())
        return Outcome(case.name, operators, "failed", shown[:200], fixed)
    return Outcome(case.name, operators, "passed", "", fixed)


def _check(case: Any, given: Any, wanted: Any, native: bool) -> tuple[str, ...]:
    names = [i.name for i in case.model.graph.input]
    arrays = dict(zip(names, map(_carried, given), strict=False))
    layer, fixed = _loaded(case.model.SerializeToString(), arrays)
    feeds = [a for name, a in arrays.items() if name not in fixed]
    with np.errstate(all="ignore"):
        found = layer.artifact.run(feeds, native=native)
    drawn = case.name.startswith(tuple(f"test_{d}" for d in DRAWN))
    for mine, theirs in zip(found, _flat(wanted), strict=True):
        kinds = f"{mine.dtype}{mine.shape}, not {theirs.dtype}{theirs.shape}"
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape), kinds
        if not drawn:
            _compare(mine, theirs, max(case.rtol, 1e-7), max(case.atol, 1e-7))
    return fixed


def _compare(mine: Any, theirs: Any, relative: float, absolute: float) -> None:
    """AssertionError where arrays differ; whole numbers and truth values have to be the same."""
    if mine.dtype.kind in "fc" or mine.dtype.name == "bfloat16":
        if mine.dtype.name == "bfloat16":
            relative = max(relative, BFLOAT16_STEPS)
        wide = np.complex128 if mine.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(mine.astype(wide), theirs.astype(wide), rtol=relative, atol=absolute)
    else:
        np.testing.assert_array_equal(mine, theirs)


def _loaded(data: bytes, arrays: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """The model; inputs that turn out to be needed while it is read are given as constants, one after the other."""
    fixed: dict[str, Any] = {}
    while True:
        try:
            return load(data, constants=fixed), tuple(fixed)
        except NotConstantError as error:
            if error.input in fixed or error.input not in arrays:
                raise
            fixed[error.input] = arrays[error.input]


def _array(proto: Any) -> Any:
    if isinstance(proto, np.ndarray):
        return proto
    if proto is None:
        return None
    if isinstance(proto, (list, tuple)):
        return [_array(v) for v in proto]
    return onnx_module("onnx.numpy_helper").to_array(proto) if hasattr(proto, "data_type") else np.asarray(proto)


def _flat(wanted: Any) -> Iterator[Any]:
    """Results one by one: the tensors of sequences, and no empty optionals."""
    for value in wanted:
        if isinstance(value, (list, tuple)):
            yield from _flat(value)
        elif value is not None:
            yield _carried(value)


def _carried(proto: Any) -> Any:
    """A value in the dtype that carries it here, where its own has no counterpart."""
    found = _array(proto)
    carrier = CARRIERS.get(getattr(proto, "data_type", 0))
    return found if carrier is None else found.astype(carrier.numpy)


def run_all(cases: list[Any] | None = None) -> Iterator[Outcome]:
    """Outcomes of all cases, interpreted."""
    for case in node_cases() if cases is None else cases:
        yield run_case(case)
