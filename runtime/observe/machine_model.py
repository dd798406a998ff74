"""What this machine can do at most: bytes and operations per second, measured once and kept beside the kernels.

The figures are of the runtime itself (its kernels, its matmuls, its threads): a step that reaches them can't be made
faster without another machine. They serve the profile (achieved against the limit) and the estimate of times.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ...base.dtype import float32
from ...base.target import current_target
from ...ir.builder import new_program
from ...ir.parser import parse_program
from ...ops.op import FUNCTIONS, OPS
from ...ops.types import TensorType
from .. import cache_files
from ..compiler import compile_program
from ..vm.team import get_num_threads
from .step_work import GEMM, facts_of

FORMAT = 3
_SIZES = (1 << 15, 1 << 18, 1 << 21, 1 << 24, 1 << 26)  # working sets in bytes, from a first cache to memory
_COST = OPS["exp"].lowering.cost  # type: ignore[union-attr]
_CHECKED = (
    ("softmax", [(512, 1024)]), ("gelu", [(256, 1024)]), ("matmul", [(384, 256), (256, 384)]), ("sum", [(1024, 1024)]),
    ("add", [(1 << 20,), (1 << 20,)]), ("tanh", [(1 << 16,)]), ("transpose", [(1024, 1024)]),
)  # fmt: skip
_CHAIN = 32  # multiplications and additions per element of the kernel that measures arithmetic


@dataclass(frozen=True)
class MachineModel:
    """Rates per second and seconds. bandwidth: (bytes of a working set, bytes per second), by growing sets."""

    bandwidth: tuple[tuple[int, float], ...]
    arithmetic: dict[str, float]  # "f32", "f64" -> simple operations in fused kernels
    functions: dict[str, float]  # operations in exp and its like, as their rows count them
    products: dict[str, float]  # operations in matmuls
    call: float  # seconds of a call of a compiled program that does nothing
    threads: int
    error: float = 0.0  # by which share it was off on programs of several kinds, in the middle of them

    def bytes_per_second(self, moved: float) -> float:
        """The bandwidth of a working set, between measured ones on the scale of logarithms."""
        points = self.bandwidth
        if moved <= points[0][0]:
            return points[0][1]
        for (a, low), (b, high) in pairwise(points):
            if moved <= b:
                part = math.log(moved / a) / math.log(b / a)
                return float(low ** (1 - part) * high**part)
        return points[-1][1]

    def seconds(self, kind: str, work: float, moved: float, functions: float = 0.0, dtype: str = "f32") -> float:
        """The least time of a step: that of its arithmetic or of its memory traffic, whichever is longer."""
        rates = self.products if kind == GEMM else self.arithmetic
        computing = (work - functions) / rates[dtype] + functions / self.functions[dtype]
        return max(computing, moved / self.bytes_per_second(moved) if moved else 0.0)


def machine_model() -> MachineModel:
    """The model for the threads in use: from memory, from disk, or measured (about a second, once per machine)."""
    return _model(get_num_threads(), str(_path(get_num_threads())))


@cache
def _model(threads: int, path: str) -> MachineModel:
    found = _read(Path(path))
    if found is None:
        found = measure()
        cache_files.write(Path(path).name, json.dumps(asdict(found)).encode())  # else the next process measures again
    return found


def _path(threads: int) -> Path:
    facts = f"{FORMAT} {current_target().key} {threads}"
    return cache_files.directory() / f"machine-{hashlib.sha256(facts.encode()).hexdigest()[:16]}.json"


def _read(path: Path) -> MachineModel | None:
    """What a file says; None for one that is missing or of another form."""
    content = cache_files.read(path.name)
    try:
        facts = json.loads(content or b"")
        bandwidth = tuple((int(size), float(rate)) for size, rate in facts["bandwidth"])
        rates = [{k: float(facts[name][k]) for k in ("f32", "f64")} for name in ("arithmetic", "functions", "products")]
        arithmetic, functions, products = rates
        call, threads, error = float(facts["call"]), int(facts["threads"]), float(facts["error"])
        made = MachineModel(bandwidth, arithmetic, functions, products, call, threads, error)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    positive = [rate for _, rate in bandwidth] + [rate for table in rates for rate in table.values()]
    return made if len(bandwidth) == len(_SIZES) and min(positive) > 0 else None


def measure() -> MachineModel:
    """Measure this machine now."""
    call = _seconds(_compiled("nothing", "f32", ["add %x, %x"]), [np.ones(1, np.float32)])
    move = _compiled("move", "f32", ["add %x, %x"])
    arrays = [np.ones(size // 8, np.float32) for size in _SIZES]
    bandwidth = [(size, size / max(_seconds(move, [x]) - call, 1e-7)) for size, x in zip(_SIZES, arrays, strict=True)]
    arithmetic, functions, products = {}, {}, {}
    chain = [f"{'multiply' if k % 2 else 'add'} %{k - 1 if k else 'x'}, %x" for k in range(_CHAIN)]
    for short, dtype in (("f32", np.float32), ("f64", np.float64)):
        count = (1 << 20) if get_num_threads() > 1 else (1 << 13)
        arithmetic[short] = count * _CHAIN / _seconds(_compiled("chain", short, chain), [np.full(count, 0.5, dtype)])
        exponential = _compiled("function", short, ["exp %x"])
        functions[short] = count * _COST / _seconds(exponential, [np.full(count, 0.5, dtype)])
        side = 512
        kind = f"{short}[{side}, {side}]"
        line = f"%0 = matmul %x, %y {{transpose_x = false, transpose_y = false}} : {kind}"
        text = f"program @product(%x: {kind}, %y: {kind}) -> {kind} {{\n  {line}\n  return %0\n}}"
        matrix = np.full((side, side), 0.5, dtype)
        products[short] = 2 * side**3 / _seconds(compile_program(parse_program(text)), [matrix, matrix])
    made = MachineModel(tuple(bandwidth), arithmetic, functions, products, call, get_num_threads())
    return replace(made, error=_error(made))


def _error(model: MachineModel) -> float:
    """How far the model is off, as a share of the time measured: the middle one of several programs."""
    found = []
    for name, sizes in _CHECKED:
        program, builder = new_program(name)
        feeds = [program.add_feed(f"x{k}", TensorType(float32, size)) for k, size in enumerate(sizes)]
        with builder.active():
            builder.return_([FUNCTIONS.get(name, OPS.get(name))(*feeds)])  # type: ignore[misc]
        executable = compile_program(program)
        predicted = model.call
        for facts in map(facts_of, executable.steps.steps):
            if isinstance(facts.work, int) and isinstance(facts.bytes, int):
                costly = facts.functions if isinstance(facts.functions, int) else 0
                predicted += model.seconds(facts.kind, facts.work, facts.bytes, costly)
        measured = _seconds(executable, [np.full(size, 0.5, np.float32) for size in sizes])
        found.append(abs(predicted - measured) / measured)
    return float(np.median(found))


def _compiled(name: str, short: str, lines: list[str]) -> Any:
    body = "\n".join(f"  %{k} = {line} : {short}[N]" for k, line in enumerate(lines))
    text = f"program @{name}(%x: {short}[N]) -> {short}[N] {{\n{body}\n  return %{len(lines) - 1}\n}}"
    return compile_program(parse_program(text))


def _seconds(executable: Any, arrays: list[Any], budget: float = 0.06) -> float:
    """The shortest of many calls."""
    bound = executable.bind(arrays)
    return shortest(lambda: bound.call(arrays, ()), budget)


def shortest(call: Callable[[], object], budget: float) -> float:
    """The shortest time of a call, of as many as the budget has room for (five at least)."""
    best, begun, count = math.inf, time.perf_counter(), 0
    while count < 5 or time.perf_counter() - begun < budget:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
        count += 1
    return best
