"""Kernels that hand matrices to LAPACK, one after another: inverses, systems, determinants, factors, spectra.

LAPACK's matrices are column-major. A row-major matrix is its own transpose there, which does as well for inverses,
determinants and Cholesky factors; elsewhere it is copied in square tiles, so that signs and pivots are those of NumPy,
which copies too. NumPy computes all of this in float64. Vectors of eigh and svd are, here too: their signs follow from
rounding. Source: Anderson et al., LAPACK Users' Guide, 1999.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ....base import dtype as dt
from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import (
    ZERO,
    Expr,
    Name,
    Operand,
    Pointer,
    call,
    differ,
    equal,
    invert,
    larger,
    select,
    smaller,
)
from ...kernel.kernel_call import Kernel
from ...vm import lapack
from ..element import broadcast_index
from ..nest import Nest, pieces_of
from ..registry import generates

SINGULAR = "Singular matrix"
INDEFINITE = "Matrix is not positive definite"
HELP = "\n  help: check the input for singular matrices and NaN"
BLOCK = 32  # columns that LAPACK takes at once, by which its work arrays are measured
_Generator: TypeAlias = Callable[[Operation], Kernel]
Instead: TypeAlias = Callable[[Nest], tuple[Name, Callable[[Sequence[Expr]], None]]]  # which matrices, and how
UPPER, LOWER, PLAIN, VALUES, VECTORS, TRANSPOSED, SOME, ALL = (ord(letter) for letter in "ULNNVTSA")


def has_lapack(operation: Operation) -> bool:
    """Whether LAPACK may have the matrices of an operation: real ones, in the process that this program is made for."""
    kinds = [v.tensor_type for v in operation.operands if v.dtype is not dt.int32]  # row exchanges go with factors
    real = all(kind.dtype in (dt.float32, dt.float64) for kind in kinds)
    return real and all(size != 0 for kind in kinds for size in kind.shape) and lapack.serves()


class Area:
    """An array of each piece of the range, and the element at which this piece's starts."""

    def __init__(self, pointer: Expr, start: Expr) -> None:
        self.pointer, self.start = pointer, start

    def __getitem__(self, place: Operand) -> Expr:
        return self.pointer[self.start + place]

    @property
    def given(self) -> tuple[Expr, Expr]:
        """The two arguments that a routine takes for it."""
        return self.pointer, self.start


class LapackCalls:
    """A kernel in the making: a loop over the matrices of a stack, with areas to work in.

    kind: in which LAPACK computes; that of the operands, unless it says otherwise.
    """

    def __init__(self, operation: Operation, lead: Sequence[DimLike], kind: dt.DType | None = None) -> None:
        self.operation = operation
        self.nest = Nest(operation)
        self.given = operation.operands[0].dtype
        self.kind = kind or self.given
        self.short = self.kind.short
        self.extent = product(lead)
        self.lead = lead
        self.index: Sequence[Expr] = []
        self.parts = pieces_of(self.extent)

    @contextmanager
    def each(self, instead: Instead | None = None) -> Iterator[None]:
        """The loop over the matrices; of those that another algorithm is for, LAPACK gets none."""
        begun = instead(self.nest) if instead is not None else None
        with self.nest.rows(self.lead) as self.index:
            if begun is None:
                yield
                return
            chosen, write = begun
            with self.nest.when(chosen):
                write(self.index)
            with self.nest.when(invert(chosen)):
                yield

    def size(self, value: DimLike) -> Expr:
        """A size as an expression."""
        return self.nest.dim(value)

    def leading(self, value: DimLike) -> Expr:
        """A size as LAPACK takes the distance of columns: at least 1."""
        return self.size(value) if isinstance(value, int) else call("max", self.size(value), 1)

    def area(self, name: str, size: DimLike, kind: dt.DType | None = None) -> Area:
        """Memory that this piece of the range has for itself; inside the loop over the range."""
        return Area(*self.nest.area(name, size, self.extent, kind or self.kind, parts=self.parts))

    def matrix(self, value: Value, role: str = "in") -> tuple[Expr, Expr]:
        """Where the matrix of a stack, which may be broadcast, starts."""
        return self._start(value, role, 2)

    def vector(self, value: Value, role: str = "in") -> tuple[Expr, Expr]:
        """Where the vector of a stack, which may be broadcast, starts."""
        return self._start(value, role, 1)

    def exchanges(self, value: Value, n: DimLike) -> Area:
        """Row exchanges that another operation made, as LAPACK trusts them: none is outside of the matrix."""
        given, made, size = Area(*self.vector(value)), self.area("exchanges", n, dt.int32), self.size(n)
        with self.nest.loop("k", 0, size) as k:
            number = smaller(larger(call("i64", given[k]), 1), size)
            self.nest.store(made[k], call("i32", number))
        return made

    def _start(self, value: Value, role: str, axes: int) -> tuple[Expr, Expr]:
        kind = value.tensor_type
        front = broadcast_index(replace(kind, shape=kind.shape[:-axes]), list(self.index))
        return self.nest.parameters.pointer(value, role), self.nest.parameters.at(value, [*front, *[ZERO] * axes])

    def element(self, result: Value, *index: Operand) -> Expr:
        """An element of a result, to be stored."""
        return self.nest.out([*self.index, *index], result)

    def run(self, routine: str, *arguments: Operand | tuple[Expr, Expr], kind: dt.DType | None = None) -> Name:
        """The `info` of a routine. kind: of its matrices, where it isn't that of the others."""
        flat: list[Operand] = []
        for one in arguments:
            flat += one if isinstance(one, tuple) else (one,)
        return self.nest.let("info", call(f"lapack_{routine}_{(kind or self.kind).short}", *flat))

    def copy(self, source: tuple[Expr, Expr], target: tuple[Expr, Expr], count: DimLike) -> None:
        """As it lies."""
        (a, a_at), (b, b_at) = source, target
        with self.nest.loop("e", 0, self.size(count)) as e:
            self.nest.store(b[b_at + e], a[a_at + e])

    def transpose(self, source: tuple[Expr, Expr], target: tuple[Expr, Expr], rows: DimLike, columns: DimLike) -> None:
        """A matrix [rows, columns] as [columns, rows]: in square tiles, and what these leave over by elements."""
        nest, side = self.nest, current_target().transpose_side(self.kind.itemsize)
        (a, a_at), (b, b_at) = source, target
        m, n = self.size(rows), self.size(columns)
        if self.kind is not self.given:
            with nest.loop("j", 0, n) as j, nest.loop("i", 0, m) as i:
                nest.store(b[b_at + j * m + i], call(self._short_of(b), a[a_at + i * n + j]))
            return
        whole_m, whole_n = nest.let("whole_m", m // side * side), nest.let("whole_n", n // side * side)
        with nest.loop("i", 0, whole_m, side) as i, nest.loop("j", 0, whole_n, side) as j:
            nest.do(f"transpose_{self.short}", side, a, a_at + i * n + j, n, b, b_at + j * m + i, m)
        for first_i, last_i, first_j in ((ZERO, whole_m, whole_n), (whole_m, m, ZERO)):
            with nest.loop("i", first_i, last_i) as i, nest.loop("j", first_j, n) as j:
                nest.store(b[b_at + j * m + i], a[a_at + i * n + j])

    def _short_of(self, pointer: Expr) -> str:
        assert isinstance(pointer, Pointer)
        return self.nest.parameters.slots[pointer.number].element

    def refuse(self, info: Expr) -> None:
        """The operation's error where a routine gave something else than 0."""
        with self.nest.when(differ(info, 0)):
            self.nest.store(self.nest.parameters.status()[0], call("u8", 0))

    def finish(self, work: DimLike, message: str = "", name: str = "") -> Kernel:
        """The finished kernel, with the error that `refuse` stands for. name: of what failed, if not the operation."""
        made = replace(self.nest.finish(self.extent, product(self.lead) * work), parts=self.parts)
        failed = name or self.operation.name
        return replace(made, failure=("ArgumentError", f"{failed}: {message}{HELP}")) if message else made


def square_of(operation: Operation) -> tuple[Sequence[DimLike], DimLike]:
    """The leading axes and the order of the first operand's matrices."""
    *lead, _, n = operation.operands[0].tensor_type.shape
    return lead, n


def inverse_kernel(operation: Operation, instead: Instead | None = None) -> Kernel:
    """The factors in the result's place, then the inverse."""
    lead, n = square_of(operation)
    calls = LapackCalls(operation, lead)
    with calls.each(instead):
        pivots, work = calls.area("pivots", n, dt.int32), calls.area("work", n * BLOCK)
        out, size = calls.matrix(operation.result, "out"), calls.size(n)
        calls.copy(calls.matrix(operation.operands[0]), out, n * n)
        step = calls.leading(n)
        calls.refuse(calls.run("getrf", size, size, out, step, pivots.given))
        calls.refuse(calls.run("getri", size, out, step, pivots.given, work.given, step * BLOCK))
    return calls.finish(2 * n * n * n, SINGULAR)


def system_kernel(operation: Operation, instead: Instead | None = None) -> Kernel:
    """The transposed matrix's factors; right sides are columns, and so are solutions."""
    x, y = operation.operands
    *lead, n, count = operation.result.tensor_type.shape
    calls = LapackCalls(operation, lead)
    with calls.each(instead):
        pivots = calls.area("pivots", n, dt.int32)
        a, b = calls.area("factors", n * n), calls.area("sides", n * count)
        size, sides, step = calls.size(n), calls.size(count), calls.leading(n)
        calls.copy(calls.matrix(x), a.given, n * n)
        calls.transpose(calls.matrix(y), b.given, n, count)
        calls.refuse(calls.run("getrf", size, size, a.given, step, pivots.given))
        calls.run("getrs", TRANSPOSED, size, sides, a.given, step, pivots.given, b.given, step)
        calls.transpose(b.given, calls.matrix(operation.result, "out"), count, n)
    return calls.finish(n * n * (n + 2 * count), SINGULAR)


def triangle_kernel(operation: Operation) -> Kernel:
    """By substitution. A row-major triangle is the other one, transposed; right sides and solutions are columns."""
    x, y = operation.operands
    *lead, n, count = operation.result.tensor_type.shape
    attrs, calls = operation.attrs, LapackCalls(operation, lead)
    form = (
        LOWER if attrs["upper"] else UPPER,
        PLAIN if attrs["transpose"] else TRANSPOSED,
        UPPER if attrs["unitriangular"] else PLAIN,
    )
    with calls.nest.rows(lead) as calls.index:
        b, size, sides, step = calls.area("sides", n * count), calls.size(n), calls.size(count), calls.leading(n)
        calls.transpose(calls.matrix(y), b.given, n, count)
        calls.refuse(calls.run("trtrs", *form, size, sides, calls.matrix(x), step, b.given, step))
        calls.transpose(b.given, calls.matrix(operation.result, "out"), count, n)
    return calls.finish(n * n * count, SINGULAR)


def determinant_of(
    calls: LapackCalls, a: Area, pivots: Area, n: DimLike, kind: dt.DType, short: str
) -> tuple[Name, Name]:
    """The sign and the logarithm of the size from factors, as NumPy has them: no product overflows.

    kind: the factors' dtype; short: that of the two numbers.
    """
    nest = calls.nest
    sign, total = nest.let("parity", call(short, 1)), nest.let("logarithm", call(short, 0))
    with nest.loop("k", 0, calls.size(n)) as k:
        element = a[k * calls.size(n) + k]
        x = nest.let("diagonal", element if kind.short == short else call(short, element))
        nest.let(sign, select(differ(call("i64", pivots[k]), k + 1), -sign, sign))
        nest.let(sign, select(x < 0, -sign, select(equal(x, 0), call(short, 0), sign)))
        nest.let(total, total + call(f"log_{short}", call(f"abs_{short}", x)))
    nest.let(total, select(equal(sign, 0), call(short, -Name("inf")), total))
    return sign, total


def determinant_kernel(operation: Operation, instead: Instead | None = None) -> Kernel:
    """From the pivots: `det`, and the two results of `slogdet`."""
    lead, n = square_of(operation)
    calls = LapackCalls(operation, lead)
    nest, short = calls.nest, calls.short
    with calls.each(instead):
        pivots, a, size = calls.area("pivots", n, dt.int32), calls.area("factors", n * n), calls.size(n)
        calls.copy(calls.matrix(operation.operands[0]), a.given, n * n)
        calls.run("getrf", size, size, a.given, calls.leading(n), pivots.given)
        sign, total = determinant_of(calls, a, pivots, n, calls.kind, short)
        if len(operation.results) == 1:
            nest.store(calls.element(operation.result), sign * call(f"exp_{short}", total))
        else:
            nest.store(calls.element(operation.results[0]), sign)
            nest.store(calls.element(operation.results[1]), total)
    return calls.finish(n * n * n)


def cholesky_kernel(operation: Operation, instead: Instead | None = None) -> Kernel:
    """In the result's place; the other triangle is cleared. A row-major lower triangle is a column-major upper one."""
    lead, n = square_of(operation)
    calls, upper = LapackCalls(operation, lead), operation.attrs["upper"]
    nest = calls.nest
    with calls.each(instead):
        out, size = calls.matrix(operation.result, "out"), calls.size(n)
        calls.copy(calls.matrix(operation.operands[0]), out, n * n)
        calls.refuse(calls.run("potrf", LOWER if upper else UPPER, size, out, calls.leading(n)))
        pointer, start = out
        with nest.loop("i", 0, size) as i, nest.loop("j", *((ZERO, i) if upper else (i + 1, size))) as j:
            nest.store(pointer[start + i * size + j], call(calls.short, 0))
    return calls.finish(n * n * n, INDEFINITE)


def qr_kernel(operation: Operation) -> Kernel:
    """The reflectors of the column-major matrix, R from its upper triangle, and Q where something asks for it."""
    *lead, m, n = operation.operands[0].tensor_type.shape
    q, r = operation.results
    width = q.tensor_type.shape[-1]
    steps = min(m, n) if isinstance(m, int) and isinstance(n, int) else width
    calls = LapackCalls(operation, lead)
    nest, most = calls.nest, n + width
    with nest.rows(lead) as calls.index:
        rows, count, reflections, made = (calls.size(d) for d in (m, n, steps, width))
        a, scales, work = calls.area("a", m * most), calls.area("scales", steps), calls.area("work", most * BLOCK)
        step, length = calls.leading(m), calls.leading(most) * BLOCK
        calls.transpose(calls.matrix(operation.operands[0]), a.given, m, n)
        calls.run("geqrf", rows, count, a.given, step, scales.given, work.given, length)
        with nest.loop("i", 0, made) as i, nest.loop("j", 0, count) as j:
            nest.store(calls.element(r, i, j), select(j < i, call(calls.short, 0), a[j * rows + i]))
        if q.uses:
            calls.run("orgqr", rows, made, reflections, a.given, step, scales.given, work.given, length)
            calls.transpose(a.given, calls.matrix(q, "out"), width, m)
    return calls.finish((4 if q.uses else 2) * m * n * steps)


def has_qr(operation: Operation) -> bool:
    """Whether LAPACK factorises: of a complete Q the number of reflections must be known."""
    known = all(isinstance(size, int) for size in operation.operands[0].shape[-2:])
    return has_lapack(operation) and (known or not operation.attrs["complete"])


def lu_kernel(operation: Operation) -> Kernel:
    """Of the column-major matrix, so that rows are exchanged."""
    *lead, m, n = operation.operands[0].tensor_type.shape
    packed, exchanges, failed = operation.results
    steps = exchanges.tensor_type.shape[-1]
    calls = LapackCalls(operation, lead)
    nest = calls.nest
    with nest.rows(lead) as calls.index:
        a, pivots = calls.area("a", m * n), calls.area("pivots", steps, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a.given, m, n)
        info = calls.run("getrf", calls.size(m), calls.size(n), a.given, calls.leading(m), pivots.given)
        nest.store(calls.element(failed), call("i32", info))
        with nest.loop("k", 0, calls.size(steps)) as k:
            nest.store(calls.element(exchanges, k), pivots[k])
        calls.transpose(a.given, calls.matrix(packed, "out"), n, m)
    return calls.finish(m * n * steps)


def eigh_kernel(operation: Operation) -> Kernel:
    """Eigenvalues, and eigenvectors where something asks for them, by divide and conquer."""
    lead, n = square_of(operation)
    values, vectors = operation.results
    calls = LapackCalls(operation, lead, dt.float64 if vectors.uses else None)
    letter = LOWER if operation.attrs["UPLO"] == "L" else UPPER
    job = VECTORS if vectors.uses else VALUES
    length, whole = 1 + (6 + BLOCK) * n + 2 * n * n, 3 + 5 * n
    with calls.nest.rows(lead) as calls.index:
        a, w, size = calls.area("a", n * n), calls.area("w", n), calls.size(n)
        work, integers = calls.area("work", length), calls.area("integers", whole, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a.given, n, n)
        rooms = work.given, calls.size(length), integers.given, calls.size(whole)
        calls.refuse(calls.run("syevd", job, letter, size, a.given, calls.leading(n), w.given, *rooms))
        with calls.nest.loop("i", 0, size) as i:
            calls.nest.store(calls.element(values, i), call(values.dtype.short, w[i]))
        if job == VECTORS:
            calls.transpose(a.given, calls.matrix(vectors, "out"), n, n)
    return calls.finish(9 * n * n * n, "Eigenvalues did not converge")


def svd_kernel(operation: Operation) -> Kernel:
    """Singular values, and vectors where something asks for them, by divide and conquer."""
    *lead, m, n = operation.operands[0].tensor_type.shape
    left, values, right = operation.results
    k, across, down = values.tensor_type.shape[-1], left.tensor_type.shape[-1], right.tensor_type.shape[-2]
    asked = bool(left.uses or right.uses)
    calls = LapackCalls(operation, lead, dt.float64 if asked else None)
    nest = calls.nest
    job = VALUES if not asked else ALL if operation.attrs["full_matrices"] else SOME
    length = 4 * k * k + 7 * k + (1 + BLOCK) * (m + n)
    with nest.rows(lead) as calls.index:
        a, s = calls.area("a", m * n), calls.area("s", k)
        u, vh = (calls.area(name, size if asked else 1) for name, size in (("u", m * across), ("vh", down * n)))
        work, integers = calls.area("work", length), calls.area("integers", 8 * k, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a.given, m, n)
        factors = u.given, calls.leading(m), vh.given, calls.leading(down)
        rooms = work.given, calls.size(length), integers.given
        sizes = calls.size(m), calls.size(n)
        calls.refuse(calls.run("gesdd", job, *sizes, a.given, calls.leading(m), s.given, *factors, *rooms))
        with nest.loop("i", 0, calls.size(k)) as i:
            nest.store(calls.element(values, i), call(values.dtype.short, s[i]))
        if asked:
            calls.transpose(u.given, calls.matrix(left, "out"), across, m)
            calls.transpose(vh.given, calls.matrix(right, "out"), n, down)
    return calls.finish(12 * m * n * k, "SVD did not converge")


def pinv_kernel(operation: Operation) -> Kernel:
    """V diag(1 / s) U* of the singular values above the cutoff, computed in float64."""
    *lead, m, n = operation.operands[0].tensor_type.shape
    most = min(m, n) if isinstance(m, int) and isinstance(n, int) else n  # of the singular values
    calls, rcond = LapackCalls(operation, lead, dt.float64), operation.attrs["rcond"]
    nest, length = calls.nest, 4 * most * most + 7 * most + (1 + BLOCK) * (m + n)
    rows, columns = calls.size(m), calls.size(n)
    with nest.rows(lead) as calls.index:
        k = nest.let("k", smaller(rows, columns))
        a, s, line = calls.area("a", m * n), calls.area("s", most + 1), calls.area("line", m)
        u, vh = calls.area("u", m * most), calls.area("vh", most * n)
        work, integers = calls.area("work", length), calls.area("integers", 8 * most, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a.given, m, n)
        factors = u.given, calls.leading(m), vh.given, call("max", k, 1)
        rooms = work.given, calls.size(length), integers.given
        calls.refuse(calls.run("gesdd", SOME, rows, columns, a.given, calls.leading(m), s.given, *factors, *rooms))
        epsilon = float(np.finfo(calls.given.numpy).eps)
        share: Operand = call("f64", larger(rows, columns)) * epsilon if rcond is None else rcond
        cutoff = nest.let("cutoff", s[ZERO] * share)
        with nest.loop("c", 0, columns) as c:
            with nest.loop("i", 0, rows) as i:
                nest.store(line[i], 0.0)
            with nest.loop("j", 0, k) as j:
                factor = nest.let("factor", vh[c * k + j] / select(s[j] > cutoff, s[j], math.inf))
                with nest.loop("i", 0, rows) as i:
                    nest.store(line[i], line[i] + factor * u[j * rows + i])
            with nest.loop("i", 0, rows) as i:
                nest.store(calls.element(operation.result, c, i), call(calls.given.short, line[i]))
    return calls.finish(12 * m * n * most, "SVD did not converge")


def _has_pinv(operation: Operation) -> bool:
    return has_lapack(operation) and not operation.attrs["hermitian"]  # then NumPy takes eigenvalues


def either(small: Callable[[Operation], bool], first: _Generator, other: _Generator) -> _Generator:
    """The generator that unrolls small matrices, and hands others to LAPACK."""
    return lambda operation: (first if small(operation) else other)(operation)


def any_size(small: Callable[[Operation], bool]) -> Callable[[Operation], bool]:
    """For which operations `either` is: for all others NumPy is."""
    return lambda operation: small(operation) or has_lapack(operation)


generates("matrix.eigh", when=has_lapack)(eigh_kernel)
generates("matrix.svd", when=has_lapack)(svd_kernel)
generates("matrix.pinv", when=_has_pinv)(pinv_kernel)
