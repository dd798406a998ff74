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
from ..nest import Memory, Nest, pieces_of
from ..registry import generates
from .stack import INDEFINITE, SINGULAR, MatrixStack

BLOCK = 32  # columns that LAPACK takes at once, by which its work arrays are measured
_Generator: TypeAlias = Callable[[Operation], Kernel]
Instead: TypeAlias = Callable[[Nest], tuple[Name, Callable[[Sequence[Expr]], None]]]  # which matrices, and how
UPPER, LOWER, PLAIN, VALUES, VECTORS, TRANSPOSED, SOME, ALL = (ord(letter) for letter in "ULNNVTSA")


def has_lapack(operation: Operation) -> bool:
    """Whether LAPACK may have the matrices of an operation: real ones, in the process that this program is made for."""
    kinds = [v.tensor_type for v in operation.operands if v.dtype is not dt.int32]  # row exchanges go with factors
    real = all(kind.dtype in (dt.float32, dt.float64) for kind in kinds)
    return real and all(size != 0 for kind in kinds for size in kind.shape) and lapack.serves()


class LapackCalls(MatrixStack):
    """A kernel in the making whose matrices LAPACK gets, with areas to work in.

    given: the dtype of the operands. kind: the one in which LAPACK computes, the same unless it says otherwise.
    """

    def __init__(self, operation: Operation, lead: Sequence[DimLike], kind: dt.DType | None = None) -> None:
        self.given = operation.operands[0].dtype
        self.kind = kind or self.given
        super().__init__(operation, lead, self.kind.short)
        self.extent = product(lead)
        self.parts = pieces_of(self.extent)

    @contextmanager
    def each(self, instead: Instead | None = None) -> Iterator[None]:
        """The loop over the matrices; of those that another algorithm is for, LAPACK gets none."""
        begun = instead(self.nest) if instead is not None else None
        with super().each():
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

    def area(self, name: str, size: DimLike, kind: dt.DType | None = None) -> Memory:
        """Memory that this piece of the range has for itself; inside the loop over the range."""
        return self.nest.area(name, size, self.extent, kind or self.kind, parts=self.parts)

    def matrix(self, value: Value, role: str = "in", axes: int = 2) -> Memory:
        """Where the matrix of a stack starts; with one axis, its vector."""
        place = [*self.front(value, axes), *[ZERO] * axes]
        return Memory(self.nest.parameters.pointer(value, role), self.nest.parameters.at(value, place))

    def exchanges(self, value: Value, n: DimLike) -> Memory:
        """Row exchanges that another operation made, as LAPACK trusts them: none is outside of the matrix."""
        given, made, size = self.matrix(value, axes=1), self.area("exchanges", n, dt.int32), self.size(n)
        with self.nest.loop("k", 0, size) as k:
            number = smaller(larger(call("i64", given[k]), 1), size)
            self.nest.store(made[k], call("i32", number))
        return made

    def run(self, routine: str, *arguments: Operand | Memory, kind: dt.DType | None = None) -> Name:
        """The `info` of a routine. kind: of its matrices, where it isn't that of the others."""
        flat: list[Operand] = []
        for one in arguments:
            flat += one if isinstance(one, Memory) else (one,)
        return self.nest.let("info", call(f"lapack_{routine}_{(kind or self.kind).short}", *flat))

    def copy(self, source: Memory, target: Memory, count: DimLike) -> None:
        """As it lies."""
        with self.nest.loop("e", 0, self.size(count)) as e:
            self.nest.store(target[e], source[e])

    def transpose(self, a: Memory, b: Memory, rows: DimLike, columns: DimLike) -> None:
        """A matrix [rows, columns] as [columns, rows]: in square tiles, and what these leave over by elements."""
        nest, side = self.nest, current_target().transpose_side(self.kind.itemsize)
        m, n = self.size(rows), self.size(columns)
        if self.kind is not self.given:
            with nest.loop("j", 0, n) as j, nest.loop("i", 0, m) as i:
                nest.store(b.plus(j * m)[i], call(self._short_of(b.pointer), a.plus(i * n)[j]))
            return
        whole_m, whole_n = nest.let("whole_m", m // side * side), nest.let("whole_n", n // side * side)
        with nest.loop("i", 0, whole_m, side) as i, nest.loop("j", 0, whole_n, side) as j:
            nest.do(f"transpose_{self.short}", side, *a.plus(i * n).plus(j), n, *b.plus(j * m).plus(i), m)
        for first_i, last_i, first_j in ((ZERO, whole_m, whole_n), (whole_m, m, ZERO)):
            with nest.loop("i", first_i, last_i) as i, nest.loop("j", first_j, n) as j:
                nest.store(b.plus(j * m)[i], a.plus(i * n)[j])

    def _short_of(self, pointer: Expr) -> str:
        assert isinstance(pointer, Pointer)
        return self.nest.parameters.slots[pointer.number].element

    def refuse(self, info: Expr) -> None:
        """The operation's error where a routine gave something else than 0."""
        with self.nest.when(differ(info, 0)):
            self.nest.fail()

    def finish(self, work: DimLike, message: str = "", name: str = "") -> Kernel:
        """The finished kernel, for as many pieces as have areas."""
        return replace(super().finish(work, message, name), parts=self.parts)


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
        calls.refuse(calls.run("getrf", size, size, out, step, pivots))
        calls.refuse(calls.run("getri", size, out, step, pivots, work, step * BLOCK))
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
        calls.copy(calls.matrix(x), a, n * n)
        calls.transpose(calls.matrix(y), b, n, count)
        calls.refuse(calls.run("getrf", size, size, a, step, pivots))
        calls.run("getrs", TRANSPOSED, size, sides, a, step, pivots, b, step)
        calls.transpose(b, calls.matrix(operation.result, "out"), count, n)
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
    with calls.each():
        b, size, sides, step = calls.area("sides", n * count), calls.size(n), calls.size(count), calls.leading(n)
        calls.transpose(calls.matrix(y), b, n, count)
        calls.refuse(calls.run("trtrs", *form, size, sides, calls.matrix(x), step, b, step))
        calls.transpose(b, calls.matrix(operation.result, "out"), count, n)
    return calls.finish(n * n * count, SINGULAR)


def determinant_of(
    calls: LapackCalls, a: Memory, pivots: Memory, n: DimLike, kind: dt.DType, short: str
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
    short = calls.short
    with calls.each(instead):
        pivots, a, size = calls.area("pivots", n, dt.int32), calls.area("factors", n * n), calls.size(n)
        calls.copy(calls.matrix(operation.operands[0]), a, n * n)
        calls.run("getrf", size, size, a, calls.leading(n), pivots)
        sign, total = determinant_of(calls, a, pivots, n, calls.kind, short)
        numbers = (sign * call(f"exp_{short}", total),) if len(operation.results) == 1 else (sign, total)
        for result, number in zip(operation.results, numbers, strict=True):
            calls.put(result, [], number)
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
        with nest.loop("i", 0, size) as i, nest.loop("j", *((ZERO, i) if upper else (i + 1, size))) as j:
            nest.store(out.plus(i * size)[j], calls.number(0))
    return calls.finish(n * n * n, INDEFINITE)


def qr_kernel(operation: Operation) -> Kernel:
    """The reflectors of the column-major matrix, R from its upper triangle, and Q where something asks for it."""
    *lead, m, n = operation.operands[0].tensor_type.shape
    q, r = operation.results
    width = q.tensor_type.shape[-1]
    steps = min(m, n) if isinstance(m, int) and isinstance(n, int) else width
    calls = LapackCalls(operation, lead)
    nest, most = calls.nest, n + width
    with calls.each():
        rows, count, reflections, made = (calls.size(d) for d in (m, n, steps, width))
        a, scales, work = calls.area("a", m * most), calls.area("scales", steps), calls.area("work", most * BLOCK)
        step, length = calls.leading(m), calls.leading(most) * BLOCK
        calls.transpose(calls.matrix(operation.operands[0]), a, m, n)
        calls.run("geqrf", rows, count, a, step, scales, work, length)
        with nest.loop("i", 0, made) as i, nest.loop("j", 0, count) as j:
            calls.put(r, [i, j], select(j < i, calls.number(0), a[j * rows + i]))
        if q.uses:
            calls.run("orgqr", rows, made, reflections, a, step, scales, work, length)
            calls.transpose(a, calls.matrix(q, "out"), width, m)
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
    with calls.each():
        a, pivots = calls.area("a", m * n), calls.area("pivots", steps, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a, m, n)
        info = calls.run("getrf", calls.size(m), calls.size(n), a, calls.leading(m), pivots)
        calls.put(failed, [], info)
        with nest.loop("k", 0, calls.size(steps)) as k:
            nest.store(nest.out([*calls.index, k], exchanges), pivots[k])
        calls.transpose(a, calls.matrix(packed, "out"), n, m)
    return calls.finish(m * n * steps)


def eigh_kernel(operation: Operation) -> Kernel:
    """Eigenvalues, and eigenvectors where something asks for them, by divide and conquer."""
    lead, n = square_of(operation)
    values, vectors = operation.results
    calls = LapackCalls(operation, lead, dt.float64 if vectors.uses else None)
    letter = LOWER if operation.attrs["UPLO"] == "L" else UPPER
    job = VECTORS if vectors.uses else VALUES
    length, whole = 1 + (6 + BLOCK) * n + 2 * n * n, 3 + 5 * n
    with calls.each():
        a, w, size = calls.area("a", n * n), calls.area("w", n), calls.size(n)
        work, integers = calls.area("work", length), calls.area("integers", whole, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a, n, n)
        rooms = work, calls.size(length), integers, calls.size(whole)
        calls.refuse(calls.run("syevd", job, letter, size, a, calls.leading(n), w, *rooms))
        with calls.nest.loop("i", 0, size) as i:
            calls.put(values, [i], w[i])
        if job == VECTORS:
            calls.transpose(a, calls.matrix(vectors, "out"), n, n)
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
    with calls.each():
        a, s = calls.area("a", m * n), calls.area("s", k)
        u, vh = (calls.area(name, size if asked else 1) for name, size in (("u", m * across), ("vh", down * n)))
        work, integers = calls.area("work", length), calls.area("integers", 8 * k, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a, m, n)
        factors = u, calls.leading(m), vh, calls.leading(down)
        rooms = work, calls.size(length), integers
        sizes = calls.size(m), calls.size(n)
        calls.refuse(calls.run("gesdd", job, *sizes, a, calls.leading(m), s, *factors, *rooms))
        with nest.loop("i", 0, calls.size(k)) as i:
            calls.put(values, [i], s[i])
        if asked:
            calls.transpose(u, calls.matrix(left, "out"), across, m)
            calls.transpose(vh, calls.matrix(right, "out"), n, down)
    return calls.finish(12 * m * n * k, "SVD did not converge")


def pinv_kernel(operation: Operation) -> Kernel:
    """V diag(1 / s) U* of the singular values above the cutoff, computed in float64."""
    *lead, m, n = operation.operands[0].tensor_type.shape
    most = min(m, n) if isinstance(m, int) and isinstance(n, int) else n  # of the singular values
    calls, rcond = LapackCalls(operation, lead, dt.float64), operation.attrs["rcond"]
    nest, length = calls.nest, 4 * most * most + 7 * most + (1 + BLOCK) * (m + n)
    rows, columns = calls.size(m), calls.size(n)
    with calls.each():
        k = nest.let("k", smaller(rows, columns))
        a, s, line = calls.area("a", m * n), calls.area("s", most + 1), calls.area("line", m)
        u, vh = calls.area("u", m * most), calls.area("vh", most * n)
        work, integers = calls.area("work", length), calls.area("integers", 8 * most, dt.int32)
        calls.transpose(calls.matrix(operation.operands[0]), a, m, n)
        factors = u, calls.leading(m), vh, call("max", k, 1)
        rooms = work, calls.size(length), integers
        calls.refuse(calls.run("gesdd", SOME, rows, columns, a, calls.leading(m), s, *factors, *rooms))
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
                calls.put(operation.result, [c, i], line[i])
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
