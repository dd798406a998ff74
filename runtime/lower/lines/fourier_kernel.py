"""Kernels of Fourier transforms along an axis: one family, for complex lines, and for real ones in both directions.

The first pass reads the operands and the last one writes the results; between them the numbers stand in two pairs of
arrays on the stack. Lines that lie side by side in memory, and short ones, are taken as vectors, a block of them at a
time. A real line of even length is transformed as half as many complex numbers, and unpacked afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import DimLike, product
from ....ops.fft_plan import is_packed, passes
from ....ops.kernel_expressions import ZERO, Expr, Literal, Name, call
from ...kernel.kernel_call import Kernel
from ..nest import Nest, size_of
from ..registry import generates
from .butterflies import Butterfly, Number
from .lanes import AxisLines

_SHORT = 32  # lines up to here are taken many at a time, though their elements lie one behind another
_ROOM = 8192  # elements of a block of lines, each of which stands on the stack twice
_VECTOR = 64  # bytes
_Read: TypeAlias = Callable[[Expr], Number]
_Write: TypeAlias = Callable[[Expr, Number], None]


class _Fourier:
    """One transform in the making."""

    def __init__(self, operation: Operation) -> None:
        attrs = operation.attrs
        self.nest, self.form = Nest(operation), operation.name.removeprefix("fft_lines_")
        self.size: int = attrs["size"]
        self.inverse = attrs["inverse"]
        self.packed = is_packed(self.form, self.size)
        self.count: int = self.size // 2 if self.packed else self.size  # of complex numbers
        self.kind = operation.operands[0].tensor_type
        self.short = self.kind.dtype.short
        self.butterfly = Butterfly(self.nest, self.short, inverse=self.inverse)
        shape = self.kind.shape
        axis = attrs["axis"] % len(shape)
        vector = _VECTOR // self.kind.dtype.itemsize
        abreast, width = vector if self.count <= _SHORT else 1, self._width(vector, product(shape[axis + 1 :]))
        self.lines = AxisLines(self.nest, shape, axis, abreast=abreast, width=width, fixed=True)
        self.lanes = self.lines.lanes
        self.factors = self.nest.parameters.pointer(operation.operands[-1])
        self.arrays: list[tuple[Name, Name]] = []

    def _width(self, vector: int, inner: DimLike) -> int:
        """How many of the lines that lie side by side are taken at once."""
        both = 2 * 2 * 2 * vector * self.count * self.kind.dtype.itemsize  # arrays of two parts with two vectors each
        wide = 2 * vector if both <= current_target().caches.first else vector
        most: int = max(1, min(wide, _ROOM // self.count))
        return min(most, max(1, inner)) if isinstance(inner, int) else most

    # -- lines and elements ------------------------------------------------------------------------

    def _given(self, place: Expr) -> Number:
        """An element of the operands."""
        length = self.size // 2 + 1 if self.form == "whole" else self.size
        at = self.lines.at(place, Literal(length))
        one = self.nest.parameters.pointer(self.nest.operation.operands[0])[at]
        if self.form == "half":
            return one, call(self.short, 0)
        return one, self.nest.parameters.pointer(self.nest.operation.operands[1])[at]

    def _store(self, place: Expr, z: Number) -> None:
        """Change an element of the results; both parts, or the real one."""
        scale = call(self.short, self.nest.operation.attrs["scale"])
        one = self.nest.operation.attrs["scale"] == 1.0
        length = self.size // 2 + 1 if self.form == "half" else self.size
        at = self.lines.at(place, Literal(length))
        for result, part in zip(self.nest.operation.results, z, strict=False):
            pointer = self.nest.parameters.pointer(result, "out")
            self.nest.store(pointer[at], part if one else part * scale)

    # -- passes ------------------------------------------------------------------------------------

    def each(self, *, inside: bool = False) -> AbstractContextManager[object]:
        """The loop over the lines of a block. inside: over all that the arrays have room for."""
        return self.nest.loop("c", 0, self.lanes) if inside and self.lanes > 1 else self.lines.each()

    def _kept(self, k: int) -> tuple[_Read, _Write]:
        """How to read and write the numbers in a pair of arrays, of the line `c`."""
        if not self.arrays:
            for name in "ab":
                size = self.count * self.lanes
                re, im = (self.nest.local(name + part, self.short, size) for part in ("re", "im"))
                self.arrays.append((re, im))
        re, im = self.arrays[k]

        def at(place: Expr) -> Expr:
            return place if self.lanes == 1 else place * self.lanes + Name("c")

        def write(place: Expr, z: Number) -> None:
            self.nest.store(re[at(place)], z[0])
            self.nest.store(im[at(place)], z[1])

        return lambda place: (re[at(place)], im[at(place)]), write

    def passes(self, read: _Read, write: _Write) -> None:
        """All passes, the first one with `read` and the last one with `write`."""
        plan, start = list(passes(self.count)), 0
        for number, (radix, m, stride) in enumerate(plan):
            given = read if number == 0 else self._kept((number + 1) % 2)[0]
            take = write if number == len(plan) - 1 else self._kept(number % 2)[1]
            outside = number in (0, len(plan) - 1)
            self._pass((radix, m, stride), start, given, take, outside=outside)
            start += 2 * (radix - 1) * m if m > 1 else 0

    def _pass(
        self, plan: tuple[int, int, int], start: int, read: _Read, write: _Write, *, outside: bool
    ) -> None:  # fmt: skip
        radix, m, stride = plan
        with self._loop("p", m) as p:
            twiddles = self._twiddles(radix, m, start, p) if stride > 1 or self.lanes > 1 else None
            with self._loop("q", stride) as q, self.each(inside=not outside):
                if twiddles is None:
                    twiddles = self._twiddles(radix, m, start, p)
                z = [self.butterfly.pair(*read(_plus(q, p + m * j, stride))) for j in range(radix)]
                made = self.butterfly.transform(z)
                for k, one in enumerate(made):
                    rotated = self.butterfly.times(one, twiddles[k - 1]) if k and m > 1 else one
                    write(_plus(q, p * radix + k, stride), rotated)

    @contextmanager
    def _loop(self, name: str, size: int) -> Iterator[Expr]:
        if size == 1:
            yield ZERO
        else:
            with self.nest.loop(name, 0, size) as variable:
                yield variable

    def _twiddles(self, radix: int, m: int, start: int, p: Expr) -> list[Number]:
        """The roots of unity by which element p of each of the radix - 1 last results is multiplied."""
        if m == 1:
            return []
        ahead, width = start, (radix - 1) * m
        return [
            self.butterfly.pair(self.factors[p + (ahead + k * m)], self.factors[p + (ahead + width + k * m)])
            for k in range(radix - 1)
        ]

    # -- forms -------------------------------------------------------------------------------------

    def kernel(self) -> Kernel:
        """The finished kernel."""
        with self.lines.lines():
            if self.packed:
                (self._packed_half if self.form == "half" else self._packed_whole)()
            elif self.form == "half":
                self._kept_passes(self._given)
                with self._loop("k", self.size // 2 + 1) as k, self.each():
                    self._store(k, self._last()(k))
            elif self.form == "whole":
                self._unfolded()
            else:
                self.passes(self._given, self._store)
        return self.nest.finish(self.lines.extent, size_of(self.nest.result) * 20)

    def _kept_passes(self, read: _Read) -> None:
        """All passes, the last one into an array."""
        self.passes(read, self._kept((len(list(passes(self.count))) - 1) % 2)[1])

    def _last(self) -> _Read:
        return self._kept((len(list(passes(self.count))) - 1) % 2)[0]

    def _unfolded(self) -> None:
        """A spectrum of odd length: the other half is the conjugate of the first, backwards."""
        _, write = self._kept(1)
        with self.each():
            write(ZERO, (self._given(ZERO)[0], call(self.short, 0)))
        with self.nest.loop("k", 1, self.size // 2 + 1) as k, self.each():
            re, im = self.butterfly.pair(*self._given(k))
            write(k, (re, im))
            write(self.size - k, (re, -im))
        self.passes(self._kept(1)[0], self._store)

    def _root(self, k: Expr) -> Number:
        """exp(∓2πi k / size), the last part of the table."""
        start = sum(2 * (radix - 1) * m for radix, m, _ in passes(self.count) if m > 1)
        return self.factors[k + start], self.factors[k + (start + self.count + 1)]

    def _packed_half(self) -> None:
        """Even elements as real parts, odd ones as imaginary parts; then their transforms are told apart."""
        self._kept_passes(lambda place: (self._given(place * 2)[0], self._given(place * 2 + 1)[0]))
        read, count, b = self._last(), self.count, self.butterfly
        zero, half = call(self.short, 0), call(self.short, 0.5)
        with self.each():
            re, im = b.pair(*read(ZERO))
            self._store(ZERO, (re + im, zero))
            self._store(Literal(count), (re - im, zero))
        if count == 1:
            return
        with self.nest.loop("k", 1, count) as k, self.each():
            z, y = b.pair(*read(k)), b.pair(*read(count - k))
            even = b.pair((z[0] + y[0]) * half, (z[1] - y[1]) * half)
            odd = b.pair((z[1] + y[1]) * half, (y[0] - z[0]) * half)
            rotated = b.times(odd, self._root(k))
            self._store(k, (even[0] + rotated[0], even[1] + rotated[1]))

    def _packed_whole(self) -> None:
        """The way back: transforms of even and of odd elements, as one of complex numbers."""
        count, b = self.count, self.butterfly
        _, write = self._kept(1)
        with self.each():
            first, last = b.held(self._given(ZERO)[0]), b.held(self._given(Literal(count))[0])
            write(ZERO, (first + last, first - last))
        if count > 1:
            with self.nest.loop("k", 1, count) as k, self.each():
                z, y = b.pair(*self._given(k)), b.pair(*self._given(count - k))
                rotated = b.times(b.pair(z[0] - y[0], z[1] + y[1]), self._root(k))
                write(k, (z[0] + y[0] - rotated[1], z[1] - y[1] + rotated[0]))

        def store(place: Expr, z: Number) -> None:
            self._store(place * 2, (z[0],))  # type: ignore[arg-type]
            self._store(place * 2 + 1, (z[1],))  # type: ignore[arg-type]

        self.passes(self._kept(1)[0], store)


def _plus(q: Expr, p: Expr, stride: int) -> Expr:
    """q + stride p."""
    if stride == 1:
        return p
    return p * stride + q


@generates("lines.fft")
def _fourier(operation: Operation) -> Kernel:
    return _Fourier(operation).kernel()
