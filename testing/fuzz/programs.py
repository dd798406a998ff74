"""Random IR programs over all op rows, and the many ways to run one that have to agree."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.errors import GradientError, VitrifyError
from ...ir.core import Operation, Program, Value
from ...ir.interpret import interpret
from ...ir.parser import parse_program
from ...ir.printer import print_program
from ...ir.verifier import verify
from ...ir.walk import equal_programs, walk
from ...jit.call.array_lists import CALLBACKS as LISTS
from ...ops.effects import Effect
from ...ops.op import OPS, Op, Sample
from ...ops.types import TensorType
from ...passes.autodiff.differentiate import differentiate
from ...runtime.artifact import Artifact, Method, load_artifact, save_artifact
from ...runtime.compiler import compile_program
from ..gradients import float_arguments, in_double, numeric_slopes, random_direction, with_gradients
from ..ops import flat_arrays, program_rows
from ..programs import MOST_ELEMENTS, Maker
from .callbacks import CALLBACKS, Call, called, same_calls
from .checks import EXACT, Array, Coverage, check_passes, same, same_lists, scratch, stage, threads, verified

BOUNDS = {"relative": 1e-3, "absolute": 1e-3}  # whole programs add up the rounding of single operations
TIGHT = {"relative": 1e-8, "absolute": 1e-9}
OF_BITS = ("bitcast",)  # their types are others in float64
MOST_SAMPLE = 512  # elements of a row's sample that a program may hold


def rich_program(seed: int, size: int = 18) -> tuple[Program, list[Array], list[Array]]:
    """A random program whose operations come from all rows of the op table, with feed and state arrays.

    >>> program, feeds, state = rich_program(3)
    >>> len(feeds) == len(program.feeds)
    True
    """
    maker = RichMaker(seed, 2)
    maker.arguments()
    with maker.builder.active():
        maker.operations(size)
        maker.finish()
    return maker.program, maker.feeds, maker.state


@cache
def _rows() -> list[Op]:
    """The rows whose results depend on their operands alone."""
    return [op for op in program_rows() if op.effect is Effect.PURE and _samples(op.name)]


@cache
def _samples(name: str) -> list[Sample]:
    return [s for s in OPS[name].samples() if all(a.size <= MOST_SAMPLE for a in flat_arrays(s))]


class RichMaker(Maker):
    """A maker of programs that also applies any row to (disguised) samples of it, in any block."""

    def choices(self) -> tuple[list[Callable[[Any], None]], list[int]]:
        steps, weights = super().choices()
        own = [RichMaker.any_row, RichMaker.convolve, RichMaker.call_back, RichMaker.rarely]
        return [*steps, *own], [*weights, 12, 1, 2, 1]

    @cached_property
    def row_choice(self) -> random.Random:
        return random.Random(f"rows {self.program.name}")

    def any_row(self) -> None:
        """One row on one of its samples; what comes out is squashed and joins the other values."""
        op = self.rng.choice(_rows())
        sample = self.rng.choice(_samples(op.name))
        operands: list[Any] = [self.disguised(self.source(a)) for a in flat_arrays(sample)]
        if op.is_variadic:
            fixed = len(op.operands) - 1
            operands = [*operands[:fixed], operands[fixed:]]
        try:
            made = op(*operands, **sample.attrs)
        except VitrifyError:
            return  # some rows want an operand that is a constant
        for result in made if isinstance(made, tuple) else (made,):
            self.squashed(result)

    def finish(self) -> None:
        """Now and then a step of descent on a matrix of its own, then what every program ends with."""
        if self.rng.random() < 0.3:
            kind = TensorType(dt.float32, (4, 5))
            matrix = self.program.add_state("matrix", kind)
            self.state.append(self.arrays.uniform(-1, 1, (4, 5)).astype(np.float32))
            x, g = self.drawn(3, 4), self.drawn(3, 5)
            product = self.call("matmul", x, g, transpose_x=True)
            step = matrix - product * 0.25 if self.rng.random() < 0.5 else product * 0.25 + matrix
            self.builder.update(matrix, step)
        super().finish()

    def outputs(self) -> list[Value]:
        """Mostly everything that nothing else reads, so that little of the program is dead."""
        found = super().outputs()
        if self.rng.random() < 0.25:
            return found
        return found + [v for v in self.pool if not v.uses and v not in found and v not in self.exact]

    def drawn(self, *shape: int) -> Value:
        """A feed of random numbers."""
        return self.source(self.arrays.uniform(-1, 1, shape).astype(np.float32))

    def convolve(self) -> None:
        """A convolution with what usually follows it: numbers per channel, a residual, relu."""
        image = self.call("conv2d", self.drawn(2, 3, 6, 5), self.drawn(4, 3, 3, 3), padding=[[1, 1], [1, 1]])
        for name in self.rng.sample(["multiply", "add", "subtract"], self.rng.randint(0, 2)):
            image = self.call(name, image, self.drawn(4, 1, 1))
        if self.rng.random() < 0.4:
            image = self.call("add", image, self.drawn(2, 4, 6, 5))
        self.squashed(self.call("relu", image) if self.rng.random() < 0.6 else image)

    def call_back(self) -> None:
        """A Python function on a value in scope; half of the time one that counts, too."""
        x = self.float_of_rank(0)
        if x is None:
            return
        if self.rng.random() < 0.5:
            (y,) = self.builder.callback("fuzz.soft", [x], [x.tensor_type], gradient="fuzz.soft.gradient")
            self.add(y, 1.0)
            return
        count = self.pick(lambda v: v.dtype is dt.int64 and v.ndim == 0) or self.call("full", [], 1, "int64")
        kinds = [x.tensor_type, count.tensor_type]
        y, more = self.builder.callback("fuzz.halves", [x, count], kinds, gradient="fuzz.halves.gradient")
        self.add(y, self.bounds[x])
        self.add(more, 8.0)

    def rarely(self) -> None:
        """What only some passes look for: a pick behind a map, a large sum, a sum of products."""
        match self.rng.randrange(3):
            case 0:
                wide = self.call(self.rng.choice(["tanh", "sigmoid", "abs"]), self.drawn(2, 48))
                index = self.builder.constant(self.arrays.integers(0, 48, (2, 1)))
                self.add(self.call("take_along_axis", wide, index, 1), 1.0)
            case 1:
                large = self.call("broadcast_to", self.drawn(512), [400, 512])
                total = self.call(self.rng.choice(["mean", "max", "min"]), self.call("tanh", large), axis=[0, 1])
                self.add(total, 1.0)
            case _:
                pairs = [(self.drawn(2, 3), self.drawn(2, 4)) for _ in range(self.rng.randint(4, 6))]
                products = [self.call("matmul", x, g, transpose_x=True) for x, g in pairs]
                for product in products[1:]:
                    products[0] = self.call("add", products[0], product)
                self.add(self.call("tanh", products[0]), 1.0)

    def source(self, array: Array) -> Value:
        """A sample's array as a feed or a constant."""
        if self.rng.random() < 0.2:
            return self.builder.constant(array)
        self.feeds.append(array)
        return self.program.add_feed(f"s{len(self.feeds)}", TensorType(dt.of_array(array), array.shape))

    def disguised(self, value: Value) -> Value:
        """The same elements by a detour, so that passes and fusion meet the row with something around it."""
        if self.row_choice.random() < 0.5 or value.ndim == 0:
            return value
        match self.row_choice.randrange(4):
            case 0:
                order = self.row_choice.sample(range(value.ndim), value.ndim)
                back = [order.index(k) for k in range(value.ndim)]
                return self.call("transpose", self.call("transpose", value, order), back)
            case 1:
                return self.call("reshape", self.call("reshape", value, [self.elements(value.shape)]), value.shape)
            case 2 if not value.dtype.is_complex:
                return self.call("where", self.call("full", [], True, "bool"), value, value)
            case _:
                twice = self.call("concat", [value, value], 0)
                return self.call("slice", twice, [0] * value.ndim, list(value.shape))

    def squashed(self, result: Value) -> None:
        """Bring a row's result into scope as a tame float, whatever it holds."""
        if not all(isinstance(d, int) for d in result.shape):
            return
        if not 0 < self.elements(result.shape) <= MOST_ELEMENTS:
            return
        if result.dtype.is_complex:
            result = self.call("real", result)
        low = result.dtype in dt.LOW_FLOATS
        if not result.dtype.is_floating or low:
            result = self.call("cast", result, dt.float32)
        finite = self.call("where", self.call("isfinite", result), result, self.call("full", [], 0.5, result.dtype))
        tame = self.call("tanh", finite)
        self.add(self.call("multiply", tame, 0.015625) if low else tame, 1.0)


def check_program(
    program: Program, feeds: Sequence[Array], state: Sequence[Array], coverage: Coverage | None = None
) -> None:
    """Run a program in every way there is; Disagreement names the first way that differs from the interpreter's.

    The ways: from its text, after each pass, compiled with one and two threads (two calls each), saved and loaded
    (as a file, run natively and not), and differentiated (numerically, as one program, and as two).
    """
    seen = Coverage() if coverage is None else coverage
    seen.add_program(program)
    with stage("verifier"):
        verify(program)
    with stage("interpreter"), called() as calls:
        expected = interpret(program, feeds, state, CALLBACKS)
        second = interpret(program, feeds, expected[1], CALLBACKS)
    with stage("text"):
        again = parse_program(print_program(program))
        assert equal_programs(again, program), "the parsed text is another program"
    check_passes(program, feeds, state, seen, CALLBACKS)
    with verified():
        _check_compiled(program, feeds, state, [expected, second], calls)
        _check_saved(program, feeds, state, expected)
        _check_gradients(program, [*feeds, *state])


def _check_compiled(
    program: Program, feeds: Sequence[Array], state: Sequence[Array], runs: Sequence[Any], calls: Sequence[Call]
) -> None:
    with stage("compile"):
        executable = compile_program(program, callbacks=CALLBACKS)
    for count in (1, 2):
        with stage(f"compiled, {count} threads"), threads(count):
            held, given = [a.copy() for a in state], [a.copy() for a in feeds]
            with called() as found:
                for fetched, after in runs:
                    same_lists(fetched, executable.run(given, held), "result", BOUNDS)
                    same_lists(after, held, "state", BOUNDS)
                    same_lists(feeds, given, "feed", EXACT)
            same_calls(calls, found, BOUNDS)


def _check_saved(program: Program, feeds: Sequence[Array], state: Sequence[Array], expected: Any) -> None:
    names = [entry.name for entry in program.state]
    with scratch() as folder, stage("saved and loaded"):
        weights = dict(zip(names, state, strict=True))
        entries = {entry.name: {"role": entry.kind} for entry in program.state}
        path = save_artifact(Artifact({"forward": Method(program)}, weights, entries), folder / "program.vt")
        loaded = load_artifact(path, CALLBACKS)
        assert equal_programs(loaded.methods["forward"].program, program), "the loaded program is another one"
        for native, bounds in ((True, BOUNDS), (False, EXACT)):
            loaded.weights = {name: a.copy() for name, a in weights.items()}
            same_lists(expected[0], loaded.run(feeds, native=native), "result", bounds)
            same_lists(expected[1], [loaded.weights[n] for n in names], "state", bounds)


def _stays_short(operation: Operation) -> bool:
    """Whether a result is a float32 whatever the operands are: distances of sequences of integers."""
    if not operation.operands or "dtype" in operation.attrs:
        return False
    makes = any(r.type.dtype is dt.float32 for r in operation.results if isinstance(r.type, TensorType))
    return makes and all(v.dtype.is_integer for v in operation.operands)


def _check_gradients(program: Program, arrays: Sequence[Array]) -> None:
    if any(o.name in OF_BITS or _stays_short(o) for o in walk(program.body)):
        return
    double, values = in_double(program, arrays)
    numbers, count = float_arguments(values), len(program.feeds)
    if not any(v.dtype.is_differentiable for v in double.fetches):
        return
    with stage("differentiate"):
        try:
            joint, found = with_gradients(double, numbers)
            pair = differentiate(double, numbers)
        except GradientError:
            return  # a row says that it has no such gradient
        verify(joint)
    with stage("gradients, interpreted"):
        fetched = interpret(joint, values[:count], values[count:], CALLBACKS)[0]
        gradients = fetched[len(program.fetches) :]
    _check_slope(double, values, found, gradients)
    with stage("gradients, compiled"):
        held = [a.copy() for a in values[count:]]
        compiled = compile_program(joint, callbacks=CALLBACKS).run(values[:count], held)
        same_lists(fetched, compiled, "result or gradient", BOUNDS)
    with stage("gradients, forward and backward apart"):
        callbacks = {**CALLBACKS, **LISTS}  # what the backward pass needs of a loop may be lists of arrays
        outputs, _ = interpret(pair.forward, values[:count], values[count:], callbacks)
        saved = [values[r.index] if r.kind == "argument" else outputs[r.index] for r in pair.residuals]
        seeds = [np.ones_like(outputs[k]) for k in pair.seeds]
        seeds += pair.told(True for _ in pair.seeds)
        apart = interpret(pair.backward, [*saved, *seeds], (), callbacks)[0][: len(found)]
        assert list(pair.gradients) == found, f"gradients of {list(pair.gradients)} instead of {found}"
        same_lists(gradients, apart, "gradient", TIGHT)


def _check_slope(program: Program, arrays: Sequence[Array], found: Sequence[int], gradients: Sequence[Array]) -> None:
    """The gradients against differences, along one direction of the tame arguments, where there is no kink."""
    names = [*program.feeds, *(s.name for s in program.state)]
    direction = [
        d if names[k].rstrip("0123456789") != "s" else np.zeros_like(d)
        for k, d in enumerate(random_direction(arrays, 1))
    ]
    with stage("gradients, numeric"), np.errstate(invalid="ignore"):  # a cast of what is no number beside the point
        one, other = numeric_slopes(program, arrays, direction, callbacks=CALLBACKS)
        if not np.isfinite([one, other]).all() or abs(one - other) > 1e-4 * (1 + abs(one)):
            return
        slope = sum(
            float(np.sum(g * direction[k])) for k, g in zip(found, gradients, strict=True) if direction[k].any()
        )
        same(np.float64((one + other) / 2), np.float64(slope), "the slope", relative=1e-3, absolute=1e-3)
