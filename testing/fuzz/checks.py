"""What the kinds of fuzzing share: the error that names a disagreement, comparisons, and what was covered."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...base.flags import flags
from ...ir.core import Block, Program, is_list
from ...ir.interpret import interpret
from ...ir.verifier import verify
from ...ir.walk import clone_program
from ...passes.pipelines import default_pipeline
from ...runtime.vm import team

Array = np.ndarray[Any, Any]
Callbacks = Mapping[str, Callable[..., Any]]


EXACT = {"relative": 0.0, "absolute": 0.0}
REASSOCIATES = (
    "fold_into_beta",
    "memory_order",
    "merge_sums",
    "split_reductions",
)  # passes whose results may differ by rounding


class Disagreement(AssertionError):
    """Two ways of running the same thing gave different results, or one of them failed. `stage` names the way."""

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(f"{stage}: {message}")
        self.stage = stage


@dataclass
class Coverage:
    """How often each op was met with each dtype and in each construct, how often each pass changed something, and for
    which stated reasons functions were refused.
    """

    operations: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # (op, dtype, construct)
    passes: Counter[str] = field(default_factory=Counter)
    constructs: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def add_program(self, program: Program) -> None:
        """Count a program's operations."""
        self._add_block(program.body, "top")

    def _add_block(self, block: Block, construct: str) -> None:
        for operation in block.operations:
            first = next((r for r in operation.results if not is_list(r)), None)
            dtype = "none" if first is None else first.dtype.name
            self.operations[operation.name, dtype, construct] += 1
            for inner in operation.blocks:
                self._add_block(inner, operation.name)

    @property
    def ops(self) -> set[str]:
        """Names of the ops met."""
        return {name for name, _, _ in self.operations}


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Whatever goes wrong inside is a disagreement of this name."""
    try:
        yield
    except Disagreement:
        raise
    except Exception as error:  # broad: any error where another way of running gave a result is a finding
        raise Disagreement(name, f"{type(error).__name__}: {error}") from error


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Compiled programs run on this many threads inside."""
    before = team.get_num_threads()
    team.set_num_threads(count)
    try:
        yield
    finally:
        team.set_num_threads(before)


@contextmanager
def verified() -> Iterator[None]:
    """Every pass's result is verified inside."""
    before = flags.verify
    flags.verify = True
    try:
        yield
    finally:
        flags.verify = before


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the time being."""
    with tempfile.TemporaryDirectory(prefix="vitrify-fuzz-") as folder:
        yield Path(folder)


def same(expected: Any, found: Any, what: str, *, relative: float, absolute: float) -> None:
    """AssertionError unless two arrays agree: dtype, shape, integers exactly, floats within bounds, NaN too."""
    a, b = np.asarray(expected), np.asarray(found)
    assert a.dtype == b.dtype, f"{what} is {b.dtype} instead of {a.dtype}"
    assert a.shape == b.shape, f"{what} has shape {b.shape} instead of {a.shape}"
    if a.dtype.kind not in "fc":
        np.testing.assert_array_equal(b, a, err_msg=what)
        return
    if relative or absolute:
        np.testing.assert_allclose(b, a, rtol=relative, atol=absolute, err_msg=what)
    else:
        np.testing.assert_array_equal(b, a, err_msg=what)


def same_lists(expected: Sequence[Any], found: Sequence[Any], what: str, bounds: Mapping[str, float]) -> None:
    """`same` for each pair."""
    assert len(expected) == len(found), f"{len(found)} {what} instead of {len(expected)}"
    for k, (a, b) in enumerate(zip(expected, found, strict=True)):
        same(a, b, f"{what} {k}", **bounds)


def check_passes(
    program: Program, feeds: Sequence[Array], state: Sequence[Array], coverage: Coverage,
    callbacks: Callbacks | None = None,
) -> None:  # fmt: skip
    """Each pass of the pipeline leaves the values as they are and tells truly whether it changed anything.

    To the bit, but for the passes that reassociate. Where the program raises, it raises the same class after each pass.
    """
    made = clone_program(program)
    expected = _outcome(made, feeds, state, callbacks)
    for item in default_pipeline():
        with stage(f"pass {item.name}"):
            text = str(made)
            changed = item.run(made)
            verify(made)
            assert changed == (str(made) != text), f"says {changed}, but the text says otherwise"
            coverage.passes[item.name] += changed
            found = _outcome(made, feeds, state, callbacks)
            assert type(found) is type(expected), f"{expected!r} became {found!r}"
            if isinstance(expected, list) and isinstance(found, list):
                bound = 1e-4 if item.name in REASSOCIATES else 0.0
                same_lists(expected, found, "result", {"relative": bound, "absolute": bound})
                expected = found


def _outcome(
    program: Program, feeds: Sequence[Array], state: Sequence[Array], callbacks: Callbacks | None
) -> list[Array] | Exception:
    try:
        fetched, after = interpret(program, feeds, state, callbacks)
    except Exception as error:  # broad: a program may raise what its author wrote
        return error
    return [*fetched, *after]
