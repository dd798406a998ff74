"""Transforms of a few complex numbers as straight code: the inner part of a pass of a Fourier transform."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from ....ops.kernel_expressions import Expr, call
from ..nest import Nest

Number: TypeAlias = tuple[Expr, Expr]


class Butterfly:
    """Writes numbers as locals of one kernel; names go on where the last one ended, so that each is new."""

    def __init__(self, nest: Nest, short: str, *, inverse: bool) -> None:
        self.nest, self.short, self.inverse = nest, short, inverse
        self._count = 0

    def held(self, value: Expr) -> Expr:
        """A number that is computed once."""
        self._count += 1
        return self.nest.let(f"t{self._count}", value)

    def pair(self, re: Expr, im: Expr) -> Number:
        """A complex number that is computed once."""
        return self.held(re), self.held(im)

    def literal(self, value: float) -> Expr:
        """A constant of the kernel's dtype."""
        return call(self.short, value)

    def times(self, z: Number, w: Number) -> Number:
        """A product; each part in one fused step, if the CPU has it."""
        re = call("fast_multiply_add", z[0] * w[0], -z[1], w[1])
        return self.pair(re, call("fast_multiply_add", z[0] * w[1], z[1], w[0]))

    def _sum(self, a: Number, b: Number) -> Number:
        return self.pair(a[0] + b[0], a[1] + b[1])

    def _difference(self, a: Number, b: Number) -> Number:
        return self.pair(a[0] - b[0], a[1] - b[1])

    def _rotated(self, z: Number, power: int, n: int) -> Number:
        """z times exp(∓2πi power / n)."""
        power = (power if self.inverse else -power) % n
        eighths, rest = divmod(8 * power, n)
        if not rest and eighths % 2 == 0:
            re, im = z
            return ((re, im), (-im, re), (-re, -im), (im, -re))[eighths // 2]
        angle = 2 * math.pi * power / n
        if not rest:
            half = self.literal(math.sqrt(0.5))
            re, im = (z[0] - z[1], z[0] + z[1]) if eighths in (1, 5) else (z[0] + z[1], z[1] - z[0])
            scale = half if eighths in (1, 7) else -half
            return self.pair(re * scale, im * scale)
        return self.times(z, (self.literal(math.cos(angle)), self.literal(math.sin(angle))))

    def transform(self, z: Sequence[Number]) -> list[Number]:
        """The transform of these numbers."""
        n = len(z)
        if n == 1:
            return list(z)
        if n == 2:
            return [self._sum(*z), self._difference(*z)]
        short = 4 if n % 4 == 0 and n > 4 else next(k for k in range(2, n + 1) if n % k == 0)
        return self._prime(z) if short == n else self._composite(z, short)

    def _composite(self, z: Sequence[Number], few: int) -> list[Number]:
        """By columns of `few` numbers, and rows of the others."""
        n, many = len(z), len(z) // few
        columns = [self.transform(z[j::many]) for j in range(many)]
        made: list[Number] = [z[0]] * n
        for k in range(few):
            row = [self._rotated(columns[j][k], j * k, n) for j in range(many)]
            made[k::few] = self.transform(row)
        return made

    def _prime(self, z: Sequence[Number]) -> list[Number]:
        """Sums and differences of numbers that face each other have real factors."""
        n, half = len(z), range(1, len(z) // 2 + 1)
        sums = [self._sum(z[j], z[n - j]) for j in half]
        apart = [self._difference(z[j], z[n - j]) for j in half]
        first = z[0]
        for s in sums:
            first = self._sum(first, s)
        made: list[Number] = [first] * n
        for k in half:
            even, odd = z[0], None
            for j in half:
                angle = 2 * math.pi * (j * k % n) / n
                cosine = self.literal(math.cos(angle))
                sine = self.literal(math.sin(angle) if self.inverse else -math.sin(angle))
                even = self._more(even, cosine, sums[j - 1])
                odd = self._more(odd, sine, apart[j - 1]) if odd else _scaled(sine, apart[j - 1])
            assert odd is not None
            made[k] = self.pair(even[0] - odd[1], even[1] + odd[0])
            made[n - k] = self.pair(even[0] + odd[1], even[1] - odd[0])
        return made

    def _more(self, z: Number, factor: Expr, more: Number) -> Number:
        return self.pair(
            call("fast_multiply_add", z[0], factor, more[0]), call("fast_multiply_add", z[1], factor, more[1])
        )


def _scaled(factor: Expr, z: Number) -> Number:
    return factor * z[0], factor * z[1]
