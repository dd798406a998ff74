"""Systems, inverses, determinants and Cholesky factors of small matrices by elimination.

They compute in float64, operation by operation as `ops/elimination.py` does, so that eager mode finds the same matrices
singular. A kernel for sizes that only a run knows has both: this for small matrices, LAPACK for others.
Algorithms: Golub and Van Loan, Matrix Computations, 2013, 3.1, 3.4, 4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....ir.core import Operation
from ....ops.dims import DimLike
from ....ops.elimination import EXPANDED, MOST_CHOLESKY, MOST_COLUMNS, MOST_ROWS
from ....ops.kernel_expressions import Expr, Name, Operand, all_of, call, differ, equal, invert, select
from ...kernel.kernel_call import Kernel
from ..nest import Memory, Nest
from .lapack_kernels import Instead
from .stack import INDEFINITE, SINGULAR, MatrixStack

_Act = Callable[[Expr, Expr], None]
_WIDE = "f64"


def sizes_of(operation: Operation) -> tuple[DimLike, DimLike]:
    """Rows of the matrices, and columns of the right sides."""
    columns = operation.operands[-1].tensor_type.shape[-1]
    return operation.operands[0].tensor_type.shape[-1], columns


def _most_of(operation: Operation) -> tuple[int, int]:
    """Up to how many rows and columns matrices are small."""
    return (MOST_CHOLESKY, MOST_CHOLESKY) if operation.name == "cholesky" else (MOST_ROWS, MOST_COLUMNS)


def is_small(operation: Operation) -> bool:
    """Whether the matrices are known to be small."""
    pairs = zip(sizes_of(operation), _most_of(operation), strict=True)
    return all(isinstance(size, int) and 0 < size <= most for size, most in pairs)


def _may_be_small(operation: Operation) -> bool:
    pairs = zip(sizes_of(operation), _most_of(operation), strict=True)
    return all(not isinstance(size, int) or 0 < size <= most for size, most in pairs)


class SmallMatrices(MatrixStack):
    """A kernel in the making for matrices in arrays on the stack, and their right sides."""

    def __init__(
        self, operation: Operation, lead: Sequence[DimLike], short: str = "", nest: Nest | None = None
    ) -> None:
        super().__init__(operation, lead, short, nest)
        self.rows, self.columns = sizes_of(operation)
        self.n, self.count = self.nest.dim(self.rows), self.nest.dim(self.columns)

    def room(self, name: str, *sizes: DimLike) -> Name:
        """An array on the stack; of sizes that only a run knows, for the largest of small matrices."""
        most, count = 1, _most_of(self.operation)
        for size in sizes:
            most *= size if isinstance(size, int) else count[size is not self.rows]
        return self.nest.local(name, self.short, most)

    @property
    def work(self) -> DimLike:
        """For each matrix."""
        most = self.columns
        if isinstance(self.rows, int) and isinstance(most, int):
            most = max(self.rows, most)
        return self.rows * self.rows * most


@dataclass(frozen=True)
class Elimination:
    """What elimination computes: prepare makes the arrays and gives the function that writes the statements."""

    prepare: Callable[[SmallMatrices], Callable[[], None]]
    message: str = ""


def eliminated(
    what: Elimination, other: Callable[[Operation, Instead | None], Kernel]
) -> Callable[[Operation], Kernel]:
    """The generator that eliminates small matrices and hands others to LAPACK; a run chooses if it knows the sizes."""

    def generate(operation: Operation) -> Kernel:
        lead = operation.results[0].tensor_type.shape
        lead = lead if what is DETERMINANT else lead[:-2]
        if is_small(operation):
            m = SmallMatrices(operation, lead, _WIDE)
            write = what.prepare(m)
            with m.each():
                write()
            return m.finish(m.work, what.message)
        return other(operation, _instead(what) if _may_be_small(operation) else None)

    return generate


def _instead(what: Elimination) -> Instead:
    def begin(nest: Nest) -> tuple[Name, Callable[[Sequence[Expr]], None]]:
        m = SmallMatrices(nest.operation, (), _WIDE, nest)
        write = what.prepare(m)
        rows, columns = _most_of(nest.operation)

        def at(index: Sequence[Expr]) -> None:
            m.index = index
            write()

        return nest.let("small", all_of(m.n < rows + 1, m.count < columns + 1)), at

    return begin


def exchange_rows(nest: Nest, a: Name | Memory, width: Operand, rows: tuple[Expr, Expr], variable: str = "j") -> None:
    """Exchange two rows of a matrix, which is so wide."""
    first, second = rows
    with nest.loop(variable, 0, width) as j:
        held = nest.let("held", a[first * width + j])
        nest.store(a[first * width + j], a[second * width + j])
        nest.store(a[second * width + j], held)


def largest_below(
    nest: Nest, short: str, a: Name, shape: tuple[Operand, Operand], at: tuple[Expr, str]
) -> tuple[Name, Name]:
    """The size of the largest element of a column from the row of its number on, and the row of the first such one.

    shape: of the matrix. at: the number, and what the row is called.
    """
    (rows, columns), (k, name) = shape, at
    best, place = nest.let("best", call(f"abs_{short}", a[k * columns + k])), nest.let(name, k)
    with nest.loop("i", k + 1, rows) as i:
        size = nest.let("size", call(f"abs_{short}", a[i * columns + k]))
        with nest.when(size > best):
            nest.let(best, size)
            nest.let(place, i)
    return best, place


def _elimination(
    m: SmallMatrices, a: Name, exchange: _Act, clear: _Act, singular: Callable[[], None]
) -> Callable[[], None]:
    """Make `a` upper triangular by rows, the largest of a column first.

    exchange(k, p) swaps rows of what `a` is eliminated with, clear(i, k) takes `factor` times row k from row i of it.
    """
    nest, n = m.nest, m.n
    row = m.room("row", m.rows)

    def write() -> None:
        m.load(a, n, n)
        with nest.loop("k", 0, n) as k:
            best, place = largest_below(nest, m.short, a, (n, n), (k, "p"))
            with nest.when(equal(best, 0)):
                singular()
            with nest.when(differ(place, k)):
                exchange_rows(nest, a, n, (k, place))
                exchange(k, place)
            with nest.loop("j", 0, n) as j:
                nest.store(row[j], a[k * n + j])
            with nest.loop("i", k + 1, n) as i:
                factor = nest.let("factor", a[i * n + k] / row[k])
                with nest.loop("j", k + 1, n) as j:
                    nest.store(a[i * n + j], a[i * n + j] - factor * row[j])
                clear(i, k)

    return write


def _system(m: SmallMatrices) -> Callable[[], None]:
    """Solve for the columns of a right side; those of the identity give the inverse."""
    nest, n, count = m.nest, m.n, m.count
    a, b, pivot = m.room("a", m.rows, m.rows), m.room("b", m.rows, m.columns), m.room("pivot", m.columns)

    def exchange(k: Expr, p: Expr) -> None:
        exchange_rows(nest, b, count, (k, p), "c")

    def clear(i: Expr, k: Expr) -> None:
        with nest.loop("c", 0, count) as c:
            nest.store(b[i * count + c], b[i * count + c] - Name("factor") * b[k * count + c])

    eliminate = _elimination(m, a, exchange, clear, m.nest.fail)

    def write() -> None:
        with nest.loop("i", 0, n) as i, nest.loop("c", 0, count) as c:
            one = select(equal(i, c), m.number(1), m.number(0))
            nest.store(b[i * count + c], one if len(nest.operation.operands) == 1 else m.element(1, i, c))
        eliminate()
        with nest.loop("step", 0, n) as step:
            k = nest.let("k", n - 1 - step)
            with nest.loop("c", 0, count) as c:
                nest.store(pivot[c], b[k * count + c] / a[k * n + k])
                m.put(nest.result, (k, c), pivot[c])
            with nest.loop("i", 0, k) as i:
                factor = nest.let("factor", a[i * n + k])
                with nest.loop("c", 0, count) as c:
                    nest.store(b[i * count + c], b[i * count + c] - factor * pivot[c])

    return write


def _expand(m: SmallMatrices, n: int) -> None:
    """A determinant of at most three rows by its formula, which has no branches: many matrices go through vectors."""
    nest = m.nest
    a = [[nest.let(f"a{i}{j}", m.element(0, i, j)) for j in range(n)] for i in range(n)]

    def minor(i: int, j: int) -> Expr:
        return a[1][i] * a[2][j] - a[1][j] * a[2][i]

    made: Expr = a[0][0]
    if n == 2:
        made = a[0][0] * a[1][1] - a[0][1] * a[1][0]
    elif n == 3:
        made = a[0][0] * minor(1, 2) - a[0][1] * minor(0, 2) + a[0][2] * minor(0, 1)
    m.put(nest.result, (), made)


def _determinant(m: SmallMatrices) -> Callable[[], None]:
    """`det` of a few rows by its formula; `slogdet` and others from the pivots."""
    expands = len(m.nest.operation.results) == 1
    if expands and isinstance(m.rows, int) and m.rows <= EXPANDED:
        rows = m.rows
        return lambda: _expand(m, rows)
    write_pivots = _pivot_product(m)
    if not expands or isinstance(m.rows, int):
        return write_pivots

    def write() -> None:
        for size in range(1, EXPANDED + 1):
            with m.nest.when(equal(m.n, size)):
                _expand(m, size)
        with m.nest.when(m.n > EXPANDED):
            write_pivots()

    return write


def _pivot_product(m: SmallMatrices) -> Callable[[], None]:
    """The sign and the logarithm of the size from the pivots, as NumPy has them: no product overflows."""
    nest, n, short = m.nest, m.n, m.short
    a = m.room("a", m.rows, m.rows)

    def exchange(k: Expr, p: Expr) -> None:
        nest.let("sign", -Name("sign"))

    eliminate = _elimination(m, a, exchange, lambda i, k: None, lambda: None)

    def write() -> None:
        sign, size = nest.let("sign", call(short, 1)), nest.let("total", call(short, 0))
        eliminate()
        with nest.loop("k", 0, n) as k:
            x = nest.let("x", a[k * n + k])
            nest.let(sign, select(x < 0, -sign, select(equal(x, 0), call(short, 0), sign)))
            nest.let(size, size + call(f"log_{short}", call(f"abs_{short}", x)))
        nothing = nest.let("nothing", equal(sign, 0))
        nest.let(size, select(nothing, m.number(-Name("inf")), size))
        results = nest.operation.results
        numbers = (sign * call(f"exp_{short}", size),) if len(results) == 1 else (sign, size)
        for result, number in zip(results, numbers, strict=True):
            m.put(result, (), number)

    return write


def _cholesky(m: SmallMatrices) -> Callable[[], None]:
    nest, n, short, upper = m.nest, m.n, m.short, m.nest.operation.attrs["upper"]
    low, column = m.room("low", m.rows, m.rows), m.room("column", m.rows)

    def write() -> None:
        with nest.loop("i", 0, n) as i, nest.loop("j", 0, i + 1) as j:
            nest.store(low[i * n + j], m.element(0, *((j, i) if upper else (i, j))))
        with nest.loop("k", 0, n) as k:
            rest = nest.let("rest", low[k * n + k])
            with nest.when(invert(rest > 0)):
                m.nest.fail()
            nest.store(column[k], call(f"sqrt_{short}", rest))
            nest.store(low[k * n + k], column[k])
            with nest.loop("i", k + 1, n) as i:
                nest.store(column[i], low[i * n + k] / column[k])
                nest.store(low[i * n + k], column[i])
            with nest.loop("i", k + 1, n) as i:
                factor = nest.let("factor", column[i])
                with nest.loop("j", k + 1, i + 1) as j:
                    nest.store(low[i * n + j], low[i * n + j] - factor * column[j])
        with nest.loop("i", 0, n) as i, nest.loop("j", 0, n) as j:
            row, place = (j, i) if upper else (i, j)
            inside = call("select", place < row + 1, low[row * n + place], call(short, 0))
            m.put(nest.result, (i, j), inside)

    return write


SYSTEM = Elimination(_system, SINGULAR)
DETERMINANT = Elimination(_determinant)
CHOLESKY = Elimination(_cholesky, INDEFINITE)
