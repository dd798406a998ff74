"""How exact sums and what is made of them are, on numbers chosen to hurt: part of tools/numerics.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import vitrify as vt
from vitrify.runtime.lower.groups.folds import SUM_BLOCK

Array = np.ndarray[Any, np.dtype[Any]]
F = vt.nn.functional


@dataclass(frozen=True)
class Case:
    """A function, its operands, the exact result, and the unit that errors are counted in: eps times `scale`."""

    what: str
    operands: str
    unit: str
    function: Callable[..., Any]
    arrays: tuple[Array, ...]
    exact: Any  # in long double
    scale: Any
    bounds: tuple[float, float]  # eager, compiled

    def errors(self) -> tuple[float, float]:
        """The largest error of eager mode and of a compiled function, in units."""
        tensors = [vt.to_tensor(a) for a in self.arrays]
        eps = float(np.finfo(self.arrays[0].dtype).eps) / 2
        made = self.function(*tensors).numpy(), vt.jit.to_static(self._alone())(*tensors).numpy()
        eager, compiled = (self._error(m) / eps for m in made)
        return eager, compiled

    def _alone(self) -> Callable[..., Any]:
        function = self.function

        def alone(*operands: Any) -> Any:
            return function(*operands)

        return alone

    def _error(self, made: Array) -> float:
        wide = np.asarray(made).astype(np.longdouble)
        with np.errstate(invalid="ignore"):
            error = np.where(wide == self.exact, 0, np.abs(wide - self.exact) / self.scale)
        return float(np.max(error))


def blocks(count: int) -> float:
    """The largest error of a kernel's sum: blocks of SUM_BLOCK by eight lanes or more, then the sums of blocks."""
    return min(count, SUM_BLOCK) / 8 + count / SUM_BLOCK + 20


def cases(kind: type, count: int = 10**6) -> Iterator[Case]:
    """All of them for one type; the sums are of `count` numbers."""
    rng = np.random.default_rng(1)
    offset = 1e4 if kind is np.float32 else 1e8
    yield from _sums(kind, count, rng)
    x = (offset + rng.standard_normal(count // 10)).astype(kind)
    wide = x.astype(np.longdouble)
    variance = ((wide - wide.mean()) ** 2).sum() / (x.size - 1)
    around = f"{x.size} normal numbers around {offset:.0e}"
    yield Case("mean", around, "the mean", vt.mean, (x,), wide.mean(), offset, (20, blocks(x.size)))
    yield Case("var", around, "the variance", vt.var, (x,), variance, variance, (50, blocks(x.size)))
    yield Case("std", around, "the deviation", vt.std, (x,), np.sqrt(variance), np.sqrt(variance), (50, blocks(x.size)))
    rows = (offset + rng.standard_normal((64, 1000))).astype(kind)
    wide = rows.astype(np.longdouble)
    centred = wide - wide.mean(1, keepdims=True)
    exact = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
    yield Case(
        "layer_norm",
        f"64 rows of 1000 around {offset:.0e}",
        "the offset",
        _layer_norm,
        (rows,),
        exact,
        offset,
        (20, 20),
    )
    a, b = (rng.standard_normal(s).astype(kind) for s in ((8, 4096), (4096, 8)))
    scale = np.abs(a).astype(np.longdouble) @ np.abs(b)
    exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
    yield Case(
        "matmul", "[8, 4096] by [4096, 8], normal", "Σ of the products' sizes", vt.matmul, (a, b), exact, scale, (8, 8)
    )
    yield from _exponentials(kind, rng)


def _layer_norm(x: Any) -> Any:
    return F.layer_norm(x, [1000])


def _sums(kind: type, count: int, rng: np.random.Generator) -> Iterator[Case]:
    inputs = {
        f"{count} times 0.1": np.full(count, 0.1),
        f"{count} numbers up to 1e8 of both signs": rng.uniform(-1e8, 1e8, count),
        f"{count} numbers from 2⁻⁶⁰ to 2⁶⁰": np.exp2(rng.uniform(-60, 60, count)),
    }
    for text, array in inputs.items():
        x = array.astype(kind)
        exact, scale = math.fsum(x.tolist()), math.fsum(np.abs(x).tolist())
        yield Case("sum", text, "Σ of the sizes", vt.sum, (x,), exact, scale, (20, blocks(count)))
        steps = np.cumsum(x.astype(np.longdouble))
        sizes = np.cumsum(np.abs(x).astype(np.longdouble))
        yield Case("cumsum", text, "Σ of the sizes so far", vt.cumsum, (x,), steps, sizes, (count, count))


def _exponentials(kind: type, rng: np.random.Generator) -> Iterator[Case]:
    deep = 20 - math.log(float(np.finfo(kind).tiny))
    far = np.array([[0, 1000, -1000, 999], [1e4, 1e4 + 1, 1e4 - 1, 1e4], [-np.inf, 0, 1, -np.inf]], kind)
    many = rng.normal(0, 30, (64, 1000)).astype(kind)
    for text, x in (("rows at ±1000, around 1e4, with -inf", far), ("64 rows of 1000, normal times 30", many)):
        wide = x.astype(np.longdouble)
        top = wide.max(1, keepdims=True)
        weights = np.exp(wide - top)
        whole = weights.sum(1, keepdims=True)
        tiny = np.maximum(weights / whole, np.finfo(kind).tiny)
        yield Case("softmax", text, "each element", _softmax, (x,), weights / whole, tiny, (deep, deep))
        logs = wide - top - np.log(whole)
        size = np.maximum(np.abs(np.where(np.isinf(logs), 1, logs)), np.abs(top))
        yield Case("log_softmax", text, "the largest operand", _log_softmax, (x,), logs, np.maximum(size, 1), (8, 8))
        total = (top + np.log(whole))[:, 0]
        yield Case("logsumexp", text, "the result", _logsumexp, (x,), total, np.maximum(np.abs(total), 1), (8, 8))


def _softmax(x: Any) -> Any:
    return F.softmax(x, axis=-1)


def _log_softmax(x: Any) -> Any:
    return F.log_softmax(x, axis=-1)


def _logsumexp(x: Any) -> Any:
    return vt.logsumexp(x, axis=-1)


def edges() -> list[tuple[str, str, list[str], list[str]]]:
    """(what, operands, results of eager mode, of a compiled function) where something overflows or isn't finite."""
    top, inf = float(np.finfo(np.float32).max), math.inf
    rows: list[tuple[str, Callable[..., Any], str, list[float]]] = [
        ("softmax", _softmax, "[max, -max, 0, max]", [top, -top, 0, top]),
        ("softmax", _softmax, "[-inf, -inf]", [-inf, -inf]),
        ("softmax", _softmax, "[inf, 0]", [inf, 0]),
        ("log_softmax", _log_softmax, "[max, -max, max]", [top, -top, top]),
        ("logsumexp", _logsumexp, "[max, -max]", [top, -top]),
        ("logsumexp", _logsumexp, "[-inf, -inf]", [-inf, -inf]),
        ("logsumexp", _logsumexp, "[inf, 0]", [inf, 0]),
        ("mean", vt.mean, "[max, max]", [top, top]),
        ("norm", vt.norm, "[3e30, 4e30]", [3e30, 4e30]),
        ("norm", vt.norm, "[3e-30, 4e-30]", [3e-30, 4e-30]),
        ("var", vt.var, "[max, -max]", [top, -top]),
    ]
    found = []
    for what, function, text, row in rows:
        x = vt.to_tensor(np.array(row, np.float32))
        case = Case(what, text, "", function, (), 0, 1, (0, 0))
        with np.errstate(all="ignore"):
            both = [np.atleast_1d(made(x).numpy()) for made in (function, vt.jit.to_static(case._alone()))]
        eager, compiled = ([f"{v:.6g}" for v in values] for values in both)
        found.append((what, text, eager, compiled))
    return found
