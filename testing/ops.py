"""An op row put through the compiler: all its samples as one program, and the comparison of what comes out.

One program per row keeps the tests fast: its kernels are compiled together, and `warm_kernels` shares them among
processes before any test asks for one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import VitrifyError
from ..ir.builder import Builder, new_program
from ..ir.core import Program, Value
from ..ir.walk import clone_program
from ..ops.dims import Dim, deciding
from ..ops.op import OPS, Op, Sample
from ..ops.types import TensorType
from ..passes.manager import Pass, PassManager
from ..passes.pipelines import default_pipeline
from ..runtime import cache_files, kernel_cache
from ..runtime.kernel_cache import KernelSource
from ..runtime.schedule.linearise import linearise
from ..runtime.schedule.program_steps import KernelStep

Array = np.ndarray[Any, Any]
DATA_DEPENDENT = frozenset(
    {"masked_select", "nonzero"}
)  # only the values tell the size of the result: no program has them
FIXED_SIZES: dict[str, dict[int, tuple[int, ...]]] = {  # operand -> axes whose size a row must know
    "attention": dict.fromkeys(range(4), (1, 2, 3)),
    "attention_grad": dict.fromkeys((0, 1, 2, 3, 4, 6), (1, 2, 3)),
    "conv2d": {1: (2, 3)},
    "conv2d_input_grad": {1: (2, 3)},
    "gather_nd": {1: (-1,)},
    "scatter_nd_add": {1: (-1,)},
    "scatter_nd_update": {1: (-1,)},
    "winograd_filters": {0: (0, 1, 2, 3)},
    **{
        name: dict.fromkeys((0, 1), (-2, -1))  # of small matrices: else NumPy computes them
        for name in ("cholesky", "cofactor", "det", "inv", "lu", "qr", "slogdet", "solve", "triangular_solve")
    },
    "argsort": {0: (0, 1)},
    "mode_place": {0: (0, 1)},
    "uniform": {0: (0,)},
    "normal": {0: (0,)},
    "randint": {0: (0,)},
    "rng_advance": {0: (0,)},
    "draw_poisson": {0: (0,)},
    "draw_binomial": {0: (0,)},
    "draw_gamma": {0: (0,)},
}


def program_rows() -> list[Op]:
    """The rows that a program can hold and that can be evaluated by themselves: all but control flow, exchanges between
    ranks and two others.
    """
    return [op for op in OPS.values() if op.family not in ("control", "collective") and op.name not in DATA_DEPENDENT]


def flat_arrays(sample: Sample) -> list[Array]:
    """The operands of a sample as contiguous arrays, those of a variadic row one by one."""
    found: list[Any] = []
    for arg in sample.args:
        found += list(arg) if isinstance(arg, (list, tuple)) else [arg]
    return [np.array(a, order="C") for a in found]


@dataclass(slots=True)
class RowProgram:
    """A row's samples as one program. `samples` names the sample behind each fetch; `refused` those that don't fit."""

    program: Program
    feeds: list[Array] = field(default_factory=list)
    samples: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)


def row_program(op: Op, *, symbolic: bool = False) -> RowProgram:
    """All samples of a row in one program; with `symbolic`, sizes above 1 become symbols, equal ones the same.

    Questions about sizes are decided by the sample, as a tracer does, and become constraints of the program.

    >>> print(row_program(OPS["logical_not"], symbolic=True).program.feed_values[0].type)
    bool[N3, N4]
    """
    program, builder = new_program(op.name)
    made = RowProgram(program)
    fetches: list[Value] = []
    for number, sample in enumerate(op.samples()):
        arrays = flat_arrays(sample)
        sizes = {f"N{d}": d for a in arrays for d in a.shape if d > 1}
        operands = []
        for k, array in enumerate(arrays):
            fixed = {axis % array.ndim for axis in FIXED_SIZES.get(op.name, {}).get(k, ())}
            shape = [
                Dim.symbol(f"N{d}") if symbolic and d > 1 and j not in fixed else d for j, d in enumerate(array.shape)
            ]
            operands.append(program.add_feed(f"s{number}_{k}", TensorType(dt.of_array(array), tuple(shape))))
        made.feeds += arrays
        try:
            results = _call(op, operands, sample.attrs, builder, _Decider(program, sizes))
        except VitrifyError:
            if not symbolic:
                raise
            made.refused.append(number)
            continue
        fetches += results
        made.samples += [number] * len(results)
    builder.return_(fetches)
    return made


@dataclass(slots=True)
class _Decider:
    """Answers questions about sizes from the sizes at hand and writes the answers into the program."""

    program: Program
    sizes: dict[str, int]

    def __call__(self, relation: str, difference: Dim) -> bool:
        value = difference.evaluate(self.sizes)
        assert isinstance(value, int)
        holds = value == 0 if relation == "==" else value >= 0
        guarded = difference if holds else difference - 1 if value > 0 else -difference - 1
        assert isinstance(guarded, Dim)
        self.program.constraints.append((relation if holds else ">=", guarded))
        return holds


def _call(op: Op, operands: Sequence[Value], attrs: dict[str, Any], builder: Builder, decider: _Decider) -> list[Value]:
    """Call a row under a builder as a user does; the last operands of a variadic row go in a list."""
    values: list[Any] = list(operands)
    if op.is_variadic:
        fixed = len(op.operands) - 1
        values = [*values[:fixed], values[fixed:]]
    with builder.active(), deciding(decider):
        out = op(*values, **attrs)
    return list(out) if isinstance(out, tuple) else [out]


def assert_close(found: Any, expected: Any, what: str = "", *, f32: float = 2e-5, f64: float = 1e-11) -> None:
    """AssertionError unless dtype and shape are equal, integers too, and floats within a relative and absolute bound.

    Special values are equal where they stand; a float32 may be off by 1e-6, a float64 by 1e-12 in absolute terms.
    """
    assert found.dtype == expected.dtype, f"{what}: {found.dtype} instead of {expected.dtype}"
    assert found.shape == expected.shape, f"{what}: {found.shape} instead of {expected.shape}"
    if found.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, expected, err_msg=what)
        return
    is_double = found.dtype in (np.float64, np.complex128)
    np.testing.assert_allclose(
        found, expected, rtol=f64 if is_double else f32, atol=f64 / 10 if is_double else f32 / 20, err_msg=what
    )


def kernel_sources(program: Program, passes: Sequence[Pass] | None = None) -> list[KernelSource]:
    """The kernels that compiling a program asks for, without compiling them."""
    made = clone_program(program)
    PassManager(default_pipeline() if passes is None else passes).run(made)
    return [s.kernel.source for s in linearise(made).steps if isinstance(s, KernelStep)]


def warm_kernels(sources: Iterable[KernelSource]) -> None:
    """Compile, in as many processes as there are processors, what the kernel cache on disk lacks."""
    missing = [s for s in dict.fromkeys(sources) if not cache_files.has(f"{kernel_cache.key(s)}.o")]
    count = min(os.cpu_count() or 1, 8, len(missing) // 16)
    if count < 2:
        return  # not worth a process
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        list(pool.map(kernel_cache.addresses, [missing[k : k + 16] for k in range(0, len(missing), 16)]))
