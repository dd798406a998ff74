"""Kernels of matrices of cofactors, det(x) · x⁻ᵀ where that exists: gradients of determinants.

Of up to three rows by their formula, of few rows by both pivots, which takes no inverse. Of others from LAPACK's
inverse, or by both pivots where the matrix is nearly singular. Source: Stewart, On the adjugate matrix, 1998.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeAlias, Union

from ....base import dtype as dt
from ....ir.core import Operation
from ....ops.dims import DimLike
from ....ops.elimination import EXPANDED
from ....ops.kernel_expressions import Expr, Name, call, differ, equal, select
from ....ops.solving import WELL_CONDITIONED
from ...kernel.kernel_call import Kernel
from ..groups.axes import whole
from ..nest import Memory, Nest
from ..registry import generates
from .elimination_kernels import exchange_rows
from .factors import fits
from .lapack_kernels import BLOCK, LapackCalls, determinant_of, has_lapack, square_of
from .stack import MatrixStack

_MOST_ROWS = 32  # of a matrix whose cofactors need no LAPACK
# Condition numbers below which the inverse in a dtype is exact enough.
_LIMITS = {"f32": 1e3, "f64": WELL_CONDITIONED}
_MOST_EXPONENT = {"f32": 88.0, "f64": 700.0}  # of a root of the determinant, which is finite then
_Size: TypeAlias = Union[int, Expr]
_Array: TypeAlias = Union[Name, Memory]


@dataclass(frozen=True)
class _Adjugate:
    """With A = Pᵀ L U Qᵀ the adjugate is that of U between orders and L⁻¹, and needs no division by the last pivot.

    a: the matrix, which is overwritten. y: gets the adjugate, its rows and columns in other orders, less two factors:
    the sign of the orders, the kernel's variable `factor`, and the product of the pivots that `take` is given.
    """

    nest: Nest
    short: str
    n: _Size
    a: _Array
    y: _Array
    orders: Sequence[_Array]
    take: Callable[[Name], None]

    def number(self, value: float) -> Expr:
        """A constant."""
        return call(self.short, value)

    def write(self) -> None:
        """The statements."""
        nest, n, a, y = self.nest, self.n, self.a, self.y
        last = n - 1
        with nest.loop("i", 0, n) as i:
            for order in self.orders:
                nest.store(order[i], i)
            with nest.loop("j", 0, n) as j:
                nest.store(y[i * n + j], select(equal(i, j), self.number(1), self.number(0)))
        nest.let("factor", self.number(1))
        with nest.loop("k", 0, last) as k:
            self._bring_largest(k)
            pivot = nest.let("pivot", a[k * n + k])
            self.take(pivot)
            safe = nest.let("safe", select(equal(pivot, 0), self.number(1), pivot))
            with nest.loop("i", k + 1, n) as i:
                below = nest.let("below", a[i * n + k] / safe)
                nest.store(a[i * n + k], below)
                with nest.loop("j", k + 1, n) as j:
                    nest.store(a[i * n + j], a[i * n + j] - below * a[k * n + j])
        self._invert_lower()
        corner = nest.let("corner", a[last * n + last])
        with nest.loop("i", 0, last) as i:
            beside = nest.let("beside", a[i * n + last])
            with nest.loop("j", 0, n) as j:
                nest.store(y[i * n + j], corner * y[i * n + j] - beside * y[last * n + j])
        with nest.loop("step", 0, last) as step:
            k = nest.let("k", last - 1 - step)
            nest.let("safe", select(equal(a[k * n + k], 0), self.number(1), a[k * n + k]))
            with nest.loop("j", 0, n) as j:
                nest.store(y[k * n + j], y[k * n + j] / safe)
            with nest.loop("i", 0, k) as i, nest.loop("j", 0, n) as j:
                nest.store(y[i * n + j], y[i * n + j] - a[i * n + k] * y[k * n + j])

    def _bring_largest(self, k: Expr) -> None:
        """Exchange rows and columns so that the largest element of the rest stands at (k, k)."""
        nest, n, a, short = self.nest, self.n, self.a, self.short
        best, row, column = nest.let("best", self.number(-1)), nest.let("row", k), nest.let("column", k)
        with nest.loop("i", k, n) as i, nest.loop("j", k, n) as j:
            size = nest.let("size", call(f"abs_{short}", a[i * n + j]))
            with nest.when(size > best):
                nest.let(best, size)
                nest.let(row, i)
                nest.let(column, j)
        for order, place in zip(self.orders, (row, column), strict=True):
            with nest.when(differ(place, k)):
                nest.let("factor", -Name("factor"))
                held = nest.let("number", order[k])
                nest.store(order[k], order[place])
                nest.store(order[place], held)
        exchange_rows(nest, a, n, (k, row))
        with nest.loop("i", 0, n) as i:
            held = nest.let("held", a[i * n + k])
            nest.store(a[i * n + k], a[i * n + column])
            nest.store(a[i * n + column], held)

    def _invert_lower(self) -> None:
        """y, the identity, becomes the inverse of the unit lower triangle of `a`."""
        nest, n, a, y = self.nest, self.n, self.a, self.y
        with nest.loop("k", 0, n) as k, nest.loop("i", k + 1, n) as i:
            below = nest.let("below", a[i * n + k])
            with nest.loop("j", 0, n) as j:
                nest.store(y[i * n + j], y[i * n + j] - below * y[k * n + j])


# ---- small matrices


def _expanded(operation: Operation, lead: Sequence[DimLike], n: int) -> Kernel:
    """The formula, without branches, in float64 as eager mode has it."""
    stack = MatrixStack(operation, lead, "f64")
    with stack.each():
        a = [[stack.nest.let(f"a{i}{j}", stack.element(0, i, j)) for j in range(n)] for i in range(n)]
        for i in range(n):
            for j in range(n):
                stack.put(operation.result, [i, j], _expanded_element(a, i, j))
    return stack.finish(n * n * n)


def _expanded_element(a: Sequence[Sequence[Expr]], i: int, j: int) -> Expr:
    """The cofactor of an element; of three rows and columns, taken in a circle, the sign is that of the order."""
    n = len(a)
    if n == 1:
        return call("f64", 1)
    if n == 2:
        return a[1 - i][1 - j] if i == j else -a[1 - i][1 - j]
    (up, down), (left, right) = ([(k + 1) % n, (k + 2) % n] for k in (i, j))
    return a[up][left] * a[down][right] - a[up][right] * a[down][left]


def _by_both_pivots(operation: Operation, lead: Sequence[DimLike], n: int) -> Kernel:
    stack = MatrixStack(operation, lead)
    nest, short = stack.nest, stack.short
    a, y = nest.local("a", short, n * n), nest.local("y", short, n * n)
    orders = [nest.local(name, "i64", n) for name in ("row_order", "column_order")]
    factor = Name("factor")

    def take(pivot: Name) -> None:
        nest.let(factor, factor * pivot)

    with stack.each():
        stack.load(a, n, n)
        _Adjugate(nest, short, n, a, y, orders, take).write()
        with nest.loop("i", 0, n) as i, nest.loop("j", 0, n) as j:
            stack.put(operation.result, [orders[0][i], orders[1][j]], factor * y[j * n + i])
    return stack.finish(n * n * n)


# ---- any matrices


class _ByInverse:
    """One matrix after another: det(x) · x⁻ᵀ in its dtype, else in float64, else the adjugate by both pivots."""

    def __init__(self, operation: Operation) -> None:
        self.x, *self.factors = operation.operands  # with LU factors of the transpose, and their row exchanges, or none
        lead, self.n = square_of(operation)
        self.calls = LapackCalls(operation, lead)
        self.nest = self.calls.nest
        self.size = self.calls.size(self.n)
        self.result = operation.result

    def kernel(self) -> Kernel:
        """The kernel."""
        calls, nest, n = self.calls, self.nest, self.n
        kinds = [calls.given] if calls.given is dt.float64 else [calls.given, dt.float64]
        with calls.each():
            rooms = [calls.area(f"inverse_{kind.short}", n * n, kind) for kind in kinds]
            pivots = calls.area("pivots", n, dt.int32)
            done, norm = nest.let("done", 0), self._largest_row("norm", calls.matrix(self.x), calls.given.short)
            for kind, room in zip(kinds, rooms, strict=True):
                with ExitStack() as opened:
                    if kind is not kinds[0]:
                        opened.enter_context(nest.when(equal(done, 0)))
                    found = self._factorised(room, kind, pivots, known=kind is kinds[0] and bool(self.factors))
                    self._scaled_inverse(room, kind, found, norm, done)
            with nest.when(equal(done, 0)):
                self._adjugate(rooms[-1])
        return calls.finish(2 * n * n * n)

    def _factorised(self, room: Memory, kind: dt.DType, pivots: Memory, *, known: bool) -> Memory:
        """The factors of the transposed matrix, in `room`; gives their row exchanges."""
        calls, size = self.calls, self.size
        if known:
            packed, exchanges = self.factors
            calls.copy(calls.matrix(packed), room, self.n * self.n)
            return calls.exchanges(exchanges, self.n)
        self._copy(room, kind)
        calls.run("getrf", size, size, room, calls.leading(self.n), pivots, kind=kind)
        return pivots

    def _copy(self, room: Memory, kind: dt.DType) -> None:
        """The matrix, in a dtype."""
        source = self.calls.matrix(self.x)
        with self.nest.loop("e", 0, self.calls.size(self.n * self.n)) as e:
            self.nest.store(room[e], source[e] if kind is self.calls.given else call(kind.short, source[e]))

    def _scaled_inverse(self, room: Memory, kind: dt.DType, pivots: Memory, norm: Name, done: Name) -> None:
        """det(x) · x⁻ᵀ from factors in `room`, if the condition number (of the largest sums of rows) allows it."""
        calls, nest, size, short = self.calls, self.nest, self.size, kind.short
        step = calls.leading(self.n)
        work = calls.area(f"work_{short}", self.n * BLOCK, kind)
        sign, total = determinant_of(calls, room, pivots, self.n, kind, "f64")
        info = calls.run("getri", size, room, step, pivots, work, step * BLOCK, kind=kind)
        with nest.when(equal(info, 0)):
            other = self._largest_row(f"norm_{short}", room, short)
            with nest.when(norm * other < _LIMITS[short]):
                root = self._root(total, short)
                with nest.loop("e", 0, calls.size(self.n * self.n)) as e:
                    nest.store(room[e], room[e] * root * (call(short, sign) * root))
                self._put_transposed(room, kind)
                nest.let(done, 1)

    def _put_transposed(self, room: Memory, kind: dt.DType) -> None:
        calls, nest, size = self.calls, self.nest, self.size
        if kind is calls.given:
            calls.transpose(room, calls.matrix(self.result, "out"), self.n, self.n)
            return
        with nest.loop("i", 0, size) as i, nest.loop("j", 0, size) as j:
            calls.put(self.result, [i, j], calls.number(room[j * size + i]))

    def _largest_row(self, name: str, matrix: Memory, short: str) -> Name:
        """The largest sum of sizes of a row's elements, in float64; NaN where there is one."""
        nest, size = self.nest, self.size
        best = nest.let(name, call("f64", 0))
        with nest.loop("i", 0, size) as i:
            total = nest.let(f"sum_{short}", call(short, 0))
            with nest.loop("j", 0, size) as j:
                nest.let(total, call("fast_add", total, call(f"abs_{short}", matrix[i * size + j])))
            nest.let(best, call("maximum_f64", best, call("f64", total)))
        return best

    def _root(self, logarithm: Name, short: str) -> Name:
        """The square root of a product with this logarithm, finite where that isn't: 0 times it is 0."""
        half, most = self.nest.let("half", 0.5 * logarithm), _MOST_EXPONENT[short]
        made = call("exp_f64", select(half > most, call("f64", most), half))
        return self.nest.let(f"root_{short}", made if short == "f64" else call(short, made))

    def _adjugate(self, a: Memory) -> None:
        calls, nest, n = self.calls, self.nest, self.n
        y = calls.area("y", n * n, dt.float64)
        orders = [calls.area(name, n, dt.int64) for name in ("row_order", "column_order")]
        factor, logarithm = Name("factor"), nest.let("logarithm", call("f64", 0))

        def take(pivot: Name) -> None:
            nest.let(factor, select(pivot < 0, -factor, factor))
            nest.let(logarithm, logarithm + call("log_f64", call("abs_f64", pivot)))

        self._copy(a, dt.float64)
        _Adjugate(nest, "f64", self.size, a, y, orders, take).write()
        root = self._root(logarithm, "f64")
        with nest.loop("i", 0, self.size) as i, nest.loop("j", 0, self.size) as j:
            made = y[j * self.size + i] * root * (factor * root)
            made = made if calls.given is dt.float64 else calls.number(made)
            calls.put(self.result, [orders[0][i], orders[1][j]], made)


def _is_small(operation: Operation) -> bool:
    rows: DimLike = operation.operands[0].shape[-1]
    return isinstance(rows, int) and rows <= _MOST_ROWS and fits(operation)


def _cofactor_kernel(operation: Operation) -> Kernel:
    if not _is_small(operation):
        return _ByInverse(operation).kernel()
    lead, n = square_of(operation)
    return (_expanded if whole(n) <= EXPANDED else _by_both_pivots)(operation, lead, whole(n))


def _from_factors(operation: Operation) -> Kernel:
    return _ByInverse(operation).kernel()


generates("matrix.cofactor", when=lambda operation: _is_small(operation) or has_lapack(operation))(_cofactor_kernel)
generates("matrix.factored_cofactor", when=has_lapack)(_from_factors)
