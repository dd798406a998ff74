"""Einstein's summation as transposes, reshapes, sums and matmuls: no row of its own, gradients for nothing.

Operands are prepared one by one (diagonals of repeated labels, sums over labels that occur nowhere else), then
contracted in pairs, the cheapest pair first; a pair is one batched matmul.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..base.dtype import FLOATS, LOW_FLOATS
from ..base.errors import ArgumentError, KindError, ShapeError
from .arith import is_value
from .dims import Dim, DimLike, assume_equal, product, same_dim
from .dispatch import current
from .elementwise import cast
from .families import common_dtype
from .indexing import getitem
from .infer import axis_index, show_shape
from .linalg import PRODUCTS, matmul
from .op import OPS, composite

Labels = tuple[str, ...]
PRODUCTS_OF_ALL = (*PRODUCTS, *LOW_FLOATS)  # matmul widens the short ones itself


@dataclass(frozen=True, slots=True)
class _Term:
    """A tensor whose axes have labels."""

    value: Any
    labels: Labels

    def size(self, label: str) -> DimLike:
        size: DimLike = self.value.shape[self.labels.index(label)]
        return size


@composite(method=False)
def einsum(equation: str, *operands: Any) -> Any:
    """Sums of products of elements, named by labels of axes: "ij,jk->ik" is the matrix product.

    A label that isn't in the result is summed over; one that is repeated in an operand takes its diagonal, one that is
    repeated in the result lies on it. "..." stands for leading axes, which broadcast. Without "->" the result has the
    labels that occur once, in alphabetical order, after those of "...". Operands may be one list. Errors:
    ArgumentError, ShapeError name the operand and the label.
    """
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    inputs, listed = _parse(equation, operands)
    output = tuple(dict.fromkeys(listed))
    values = common_dtype(current(), list(operands), allowed=PRODUCTS_OF_ALL, name="einsum") if operands else ()
    terms = [_Term(v, labels) for v, labels in zip(values, inputs, strict=True)]
    sizes = _sizes(equation, terms)
    terms = [_without_ones(_diagonal(t), sizes) for t in terms]
    for label in output:
        if not any(label in t.labels for t in terms):  # all of its sizes are 1
            terms[0] = _Term(OPS["reshape"](terms[0].value, (1, *terms[0].value.shape)), (label, *terms[0].labels))
    while len(terms) > 1:
        i, j = _cheapest(terms, output, sizes)
        rest = [t for k, t in enumerate(terms) if k not in (i, j)]
        wanted = set(output).union(*(t.labels for t in rest))
        terms = [*rest, _contract(_summed(terms[i], wanted | set(terms[j].labels)),
                                  _summed(terms[j], wanted | set(terms[i].labels)), wanted)]  # fmt: skip
    last = _summed(terms[0], set(output))
    made = _on_diagonals(_permuted(last, output).value, output, listed)
    return OPS["assign"](made) if any(made is v for v in operands) else made


# The equation


def _parse(equation: str, operands: Sequence[Any]) -> tuple[list[Labels], Labels]:
    if not isinstance(equation, str):
        raise ArgumentError(f"einsum needs an equation as text, not {type(equation).__name__}")
    left, arrow, right = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    if not operands or len(parts) != len(operands):
        raise ArgumentError(f"einsum {equation!r} has {len(parts)} operands, {len(operands)} were given")
    spread = max((x.ndim - len(p.replace("...", "")) for p, x in zip(parts, operands, strict=True) if "..." in p),
                 default=0)  # fmt: skip
    inputs = [_labels(equation, k, p, x) for k, (p, x) in enumerate(zip(parts, operands, strict=True))]
    leading = tuple(f"...{k}" for k in range(spread - 1, -1, -1))
    if not arrow:
        counts = Counter(name for labels in inputs for name in labels if not name.startswith("..."))
        return inputs, (*leading, *sorted(name for name, n in counts.items() if n == 1))
    names = _expand(right, leading, equation)
    known = {name for labels in inputs for name in labels}
    for name in names:
        if name not in known:
            raise ArgumentError(f"einsum {equation!r}: the result's label {name!r} is in no operand")
    return inputs, names


def _labels(equation: str, k: int, part: str, x: Any) -> Labels:
    named = len(part.replace("...", "", 1))
    count = x.ndim - named
    if count < 0 or (count and "..." not in part):
        raise ShapeError(
            f"einsum {equation!r}: operand {k} has {named} labels and shape {show_shape(x.shape)}",
            remedy="write one label per axis; ... stands for any number of axes",
        )
    return _expand(part, tuple(f"...{j}" for j in range(count - 1, -1, -1)), equation)


def _expand(part: str, leading: Labels, equation: str) -> Labels:
    """The labels of one term; those of "..." are counted from the right, so that they align."""
    before, dots, after = part.partition("...")
    for letter in before + after:
        if not letter.isalpha():
            raise ArgumentError(f"einsum {equation!r}: {letter!r} is no label", remedy='use letters, "..." and "->"')
    return (*before, *(leading if dots else ()), *after)


def _sizes(equation: str, terms: Sequence[_Term]) -> dict[str, DimLike]:
    found: dict[str, DimLike] = {}
    for k, term in enumerate(terms):
        for label, size in zip(term.labels, term.value.shape, strict=True):
            known = found.setdefault(label, size)
            if same_dim(known, 1):
                found[label] = size
            elif not same_dim(size, 1) and assume_equal(known, size) is False:
                raise ShapeError(f"einsum {equation!r}: {label!r} is {known} before and {size} in operand {k}")
    return found


# Single operands


def _diagonal(term: _Term) -> _Term:
    """Repeated labels become one axis, the diagonal."""
    while len(set(term.labels)) < len(term.labels):
        label = next(name for name, n in Counter(term.labels).items() if n > 1)
        i, j = [k for k, name in enumerate(term.labels) if name == label][:2]
        rest = [k for k in range(len(term.labels)) if k not in (i, j)]
        x = OPS["transpose"](term.value, [*rest, i, j])
        n = x.shape[-1]
        labels = (*(term.labels[k] for k in rest), label)
        if isinstance(n, Dim) or n == 0:
            taken = OPS["sum"](x * OPS["eye"](n, None, x.dtype), -1)
        else:
            taken = getitem(OPS["reshape"](x, (*x.shape[:-2], n * n)), (..., slice(None, None, n + 1)))
        term = _Term(taken, labels)
    return term


def _on_diagonals(value: Any, labels: Labels, wanted: Labels) -> Any:
    """The value on the diagonals of axes with equal labels, zeros elsewhere."""
    if wanted == labels:
        return value
    firsts = [wanted.index(label) for label in wanted]  # of equal labels the first has the axis
    sizes = [value.shape[labels.index(label)] for label in wanted]
    value = OPS["reshape"](value, tuple(n if firsts[k] == k else 1 for k, n in enumerate(sizes)))
    for k, first in enumerate(firsts):
        if first != k:
            unit = OPS["eye"](sizes[k], None, "bool")
            shape = [1] * len(wanted)
            shape[first] = shape[k] = sizes[k]
            value = OPS["where"](OPS["reshape"](unit, tuple(shape)), value, OPS["full"]((), 0, value.dtype))
    return value


def _without_ones(term: _Term, sizes: dict[str, DimLike]) -> _Term:
    """An axis of size 1 whose label is larger elsewhere only broadcasts: it goes."""
    shape = term.value.shape
    kept = [k for k, name in enumerate(term.labels) if not same_dim(shape[k], 1) or same_dim(sizes[name], 1)]
    if len(kept) == len(term.labels):
        return term
    return _Term(OPS["reshape"](term.value, [shape[k] for k in kept]), tuple(term.labels[k] for k in kept))


def _summed(term: _Term, wanted: set[str]) -> _Term:
    gone = [k for k, name in enumerate(term.labels) if name not in wanted]
    if not gone:
        return term
    value = OPS["sum"](term.value, gone)
    value = value if value.dtype is term.value.dtype else cast(value, term.value.dtype)
    return _Term(value, tuple(name for name in term.labels if name in wanted))


def _permuted(term: _Term, labels: Labels) -> _Term:
    if term.labels == labels:
        return term
    return _Term(OPS["transpose"](term.value, [term.labels.index(name) for name in labels]), labels)


# Pairs


def _cheapest(terms: Sequence[_Term], output: Labels, sizes: dict[str, DimLike]) -> tuple[int, int]:
    """The pair whose product is least work; the first two where sizes aren't known."""
    if len(terms) == 2 or any(isinstance(d, Dim) for d in sizes.values()):
        return 0, 1
    pairs = [(i, j) for j in range(len(terms)) for i in range(j)]

    def work(pair: tuple[int, int]) -> tuple[int, int]:
        labels = set(terms[pair[0]].labels) | set(terms[pair[1]].labels)
        kept = set(output).union(*(t.labels for k, t in enumerate(terms) if k not in pair))
        made = _volume(labels & kept, sizes)
        return made - sum(_volume(set(terms[k].labels), sizes) for k in pair), _volume(labels, sizes)

    return min(pairs, key=work)


def _volume(labels: set[str], sizes: dict[str, DimLike]) -> int:
    made = product(sizes[name] for name in labels)
    assert isinstance(made, int)
    return made


def _contract(a: _Term, b: _Term, wanted: set[str]) -> _Term:
    both = [name for name in a.labels if name in b.labels]
    batch = tuple(name for name in both if name in wanted)
    inner = tuple(name for name in both if name not in wanted)
    of_a = tuple(name for name in a.labels if name not in both)
    of_b = tuple(name for name in b.labels if name not in both)
    labels = (*batch, *of_a, *of_b)
    if not inner:
        left = _shaped(_permuted(a, (*batch, *of_a)), (*batch, *of_a), len(of_b))
        right = _permuted(b, (*batch, *of_b))
        lead = [right.size(name) for name in batch]
        tail = [right.size(name) for name in of_b]
        return _Term(left * OPS["reshape"](right.value, [*lead, *([1] * len(of_a)), *tail]), labels)
    if batch and not of_a and not of_b and a.value.dtype in FLOATS:  # nothing is used twice
        return _summed(_Term(a.value * _permuted(b, a.labels).value, a.labels), wanted)
    shape = [a.size(n) for n in (*batch, *of_a)] + [b.size(n) for n in of_b]
    left, transpose_left = _matrices(a, batch, of_a, inner)
    right_value, transpose_right = _matrices(b, batch, inner, of_b)
    made = matmul(left, right_value, transpose_left, transpose_right)
    return _Term(made if tuple(made.shape) == tuple(shape) else OPS["reshape"](made, shape), labels)


def _shaped(term: _Term, labels: Labels, ones: int) -> Any:
    shape = [term.size(name) for name in labels]
    return OPS["reshape"](term.value, [*shape, *([1] * ones)]) if ones else term.value


def _matrices(term: _Term, batch: Labels, rows: Labels, columns: Labels) -> tuple[Any, bool]:
    """The term as [batch, rows, columns], or transposed where it lies so in memory already."""
    transposed = term.labels == (*batch, *columns, *rows) and bool(rows) and bool(columns)
    ordered = term if transposed else _permuted(term, (*batch, *rows, *columns))
    first, second = (columns, rows) if transposed else (rows, columns)
    parts = [ordered.size(n) for n in batch]
    parts = [product(parts)] if len(parts) > 1 else parts
    shape = [*parts, product(ordered.size(n) for n in first), product(ordered.size(n) for n in second)]
    value = ordered.value
    return (value if tuple(value.shape) == tuple(shape) else OPS["reshape"](value, shape)), transposed


# Relatives


@composite()
def tensordot(x: Any, y: Any, axes: Any = 2, name: str | None = None) -> Any:
    """Sums of products over pairs of axes; the result has the other axes of x, then those of y.

    axes: a number n (the last n of x with the first n of y), a list (the same axes of both), or a pair of lists. Where
    one of a pair has size 1, the other is summed.
    """
    of_x, of_y = _paired_axes(axes, x, y)
    if len(of_x) != len(of_y):
        raise ArgumentError(f"tensordot: {len(of_x)} axes of x against {len(of_y)} of y")
    for i, j in zip(of_x, of_y, strict=True):
        if assume_equal(x.shape[i], y.shape[j]) is False:
            if same_dim(x.shape[i], 1):
                y = _along(y, j)
                continue
            if same_dim(y.shape[j], 1):
                x = _along(x, i)
                continue
            raise ShapeError(f"tensordot: x {show_shape(x.shape)} and y {show_shape(y.shape)} differ on axes {i}, {j}")
    left: list[str] = [f"x{k}" for k in range(x.ndim)]
    right: list[str] = [f"y{k}" for k in range(y.ndim)]
    for i, j in zip(of_x, of_y, strict=True):
        right[j] = left[i]
    x, y = common_dtype(current(), [x, y], allowed=PRODUCTS_OF_ALL, name="tensordot")
    output = tuple(n for n in (*left, *right) if (n in left) != (n in right))
    made = _contract(_Term(x, tuple(left)), _Term(y, tuple(right)), set(output))
    return _permuted(made, output).value


def _along(x: Any, axis: int) -> Any:
    """The sum along an axis, which stays, in x's dtype."""
    made = OPS["sum"](x, [axis], True)
    return made if made.dtype is x.dtype else OPS["cast"](made, x.dtype)


def _paired_axes(axes: Any, x: Any, y: Any) -> tuple[list[int], list[int]]:
    axes = axes.tolist() if hasattr(axes, "tolist") else axes
    if not isinstance(axes, (int, list, tuple)):
        raise ArgumentError(f"tensordot: axes must be an int, a list or a pair of lists, not {axes!r}")
    if isinstance(axes, int):
        if not 0 <= axes <= min(x.ndim, y.ndim):
            raise ArgumentError(f"tensordot: {axes} axes of tensors with {x.ndim} and {y.ndim}")
        return list(range(x.ndim - axes, x.ndim)), list(range(axes))
    lists = [a.tolist() if hasattr(a, "tolist") else a for a in axes]
    if not any(isinstance(a, (list, tuple)) for a in lists):
        lists = [lists, lists]
    lists = [list(a) if isinstance(a, (list, tuple)) else [a] for a in lists]
    of_x = lists[0]
    of_y = lists[1] if len(lists) > 1 else lists[0]
    count = max(len(of_x), len(of_y))  # the shorter list goes on as the longer one
    of_x, of_y = of_x + of_y[len(of_x) : count], of_y + of_x[len(of_y) : count]
    return [axis_index(a, x.ndim) for a in of_x], [axis_index(a, y.ndim) for a in of_y]


@composite()
def multi_dot(x: Sequence[Any], name: str | None = None) -> Any:
    """The product of several matrices in the order of least work; the first and the last may be vectors."""
    if len(x) < 2:
        raise ArgumentError(f"multi_dot needs at least 2 matrices, got {len(x)}")
    for k, m in enumerate(x):
        if not is_value(m):
            raise KindError(f"multi_dot takes a list of matrices; operand {k} is {m!r:.60}")
        if m.ndim != 2 and not (m.ndim == 1 and k in (0, len(x) - 1)):
            raise ShapeError(f"multi_dot: operand {k} has shape {show_shape(m.shape)}; it must be a matrix")
    first = OPS["reshape"](x[0], (1, -1)) if x[0].ndim == 1 else x[0]
    last = OPS["reshape"](x[-1], (-1, 1)) if x[-1].ndim == 1 else x[-1]
    made = _chain([first, *x[1:-1], last])
    shape = ([] if x[0].ndim == 1 else [made.shape[0]]) + ([] if x[-1].ndim == 1 else [made.shape[1]])
    return made if len(shape) == 2 else OPS["reshape"](made, shape)


def _chain(matrices: list[Any]) -> Any:
    """Split where the two halves and their product cost least, by the classic table over all spans."""
    dims = [matrices[0].shape[0], *(m.shape[1] for m in matrices)]
    if any(isinstance(d, Dim) for d in dims):
        made = matrices[0]
        for m in matrices[1:]:
            made = matmul(made, m)
        return made
    cost: dict[tuple[int, int], tuple[int, int]] = {(k, k + 1): (0, k) for k in range(len(matrices))}
    for length in range(2, len(matrices) + 1):
        for i in range(len(matrices) - length + 1):
            j = i + length
            cost[i, j] = min((cost[i, s][0] + cost[s, j][0] + dims[i] * dims[s] * dims[j], s) for s in range(i + 1, j))

    def build(i: int, j: int) -> Any:
        if j == i + 1:
            return matrices[i]
        split = cost[i, j][1]
        return matmul(build(i, split), build(split, j))

    return build(0, len(matrices))


@composite()
def vecdot(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """The inner products of vectors along one axis, x conjugated; other axes broadcast."""
    return OPS["sum"]((OPS["conj"](x) if x.dtype.is_complex else x) * y, axis)


@composite()
def matrix_transpose(x: Any, name: str | None = None) -> Any:
    """The last two axes exchanged."""
    if x.ndim < 2:
        raise ShapeError(f"matrix_transpose needs at least two axes, got {show_shape(x.shape)}")
    return OPS["transpose"](x, [*range(x.ndim - 2), x.ndim - 1, x.ndim - 2])
