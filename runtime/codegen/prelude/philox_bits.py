"""Philox4x32-10 (Salmon et al., Parallel Random Numbers, 2011), one element at a time. In NumPy: ops/philox.py.

The counter is (block, offset), the key the seed; a block is four words. Element i of
* words, f32 uniforms and f32 normals: word i % 4 of block i // 4; normals pair words (0, 1) and (2, 3);
* f64 uniforms: words 2 (i % 2) and 2 (i % 2) + 1 of block i // 2;
* f64 normals: all words of block i // 2, cosine for even i and sine for odd.
"""

from __future__ import annotations

from .emit import F32, F64, Format, ScalarValue, intrinsic, select
from .exponential import log
from .trigonometry import turns_cos

_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = 0xFFFFFFFF
ROUNDS = 10


def _block(
    seed: ScalarValue, offset: ScalarValue, index: ScalarValue
) -> tuple[ScalarValue, ScalarValue, ScalarValue, ScalarValue]:
    """The four words of a block, each an i64 below 2**32: widening products need no second type then."""
    key0, key1 = seed & _LOW, seed.shift_right_zero(32)
    c0, c1 = index & _LOW, index.shift_right_zero(32)
    c2, c3 = offset & _LOW, offset.shift_right_zero(32)
    for step in range(ROUNDS):
        product0, product1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        round0, round1 = ((k + step * w) & _LOW for k, w in zip((key0, key1), _WEYL, strict=True))
        c0, c2 = product1.shift_right_zero(32) ^ c1 ^ round0, product0.shift_right_zero(32) ^ c3 ^ round1
        c1, c3 = product1 & _LOW, product0 & _LOW
    return c0, c1, c2, c3


def _bit(i: ScalarValue, k: int) -> ScalarValue:
    return ~(i & (1 << k)).equals(0)


def _word(seed: ScalarValue, offset: ScalarValue, i: ScalarValue) -> ScalarValue:
    w0, w1, w2, w3 = _block(seed, offset, i >> 2)
    odd, upper = _bit(i, 0), _bit(i, 1)
    return select(upper, select(odd, w3, w2), select(odd, w1, w0))


def u32(seed: ScalarValue, offset: ScalarValue, i: ScalarValue) -> ScalarValue:
    """Word i, uniform over the 32-bit integers."""
    return _word(seed, offset, i).to_int(32)


def _to_float(count: ScalarValue, form: Format) -> ScalarValue:
    """A float of an i64 below 2**31 (f32: below 2**24), by a conversion that has a vector instruction."""
    return count.to_int(32).int_to_float(form)


def _unit_f64(high: ScalarValue, low: ScalarValue) -> ScalarValue:
    """53 of 64 bits as a float in [0, 1)."""
    return _to_float(high.shift_right_zero(5), F64) * 2.0**-27 + _to_float(low.shift_right_zero(6), F64) * 2.0**-53


def uniform_f32(seed: ScalarValue, offset: ScalarValue, i: ScalarValue) -> ScalarValue:
    """Uniform in [0, 1), 24 bits."""
    return _to_float(_word(seed, offset, i).shift_right_zero(8), F32) * 2.0**-24


def uniform_f64(seed: ScalarValue, offset: ScalarValue, i: ScalarValue) -> ScalarValue:
    """Uniform in [0, 1), 53 bits."""
    w0, w1, w2, w3 = _block(seed, offset, i >> 1)
    odd = _bit(i, 0)
    return _unit_f64(select(odd, w2, w0), select(odd, w3, w1))


def _box_muller(open_unit: ScalarValue, turn: ScalarValue, odd: ScalarValue) -> ScalarValue:
    """sqrt(-2 log u) times the cosine, or the sine, of a turn."""
    return intrinsic("sqrt", log(open_unit) * -2.0) * turns_cos(turn - select(odd, turn.constant(0.25), 0.0))


def normal_f32(seed: ScalarValue, offset: ScalarValue, i: ScalarValue) -> ScalarValue:
    """Standard normal from 31 and 24 bits, |z| < 6.7. Error: 4e-7 relative to 1 + |z|."""
    w0, w1, w2, w3 = _block(seed, offset, i >> 2)
    upper = _bit(i, 1)
    first, second = select(upper, w2, w0), select(upper, w3, w1)
    open_unit = (_to_float(first.shift_right_zero(1), F32) + 0.5) * 2.0**-31
    return _box_muller(open_unit, _to_float(second.shift_right_zero(8), F32) * 2.0**-24, _bit(i, 0))


def normal_f64(seed: ScalarValue, offset: ScalarValue, i: ScalarValue) -> ScalarValue:
    """Standard normal from 53 and 53 bits, |z| < 8.7. Error: 4e-15 relative to 1 + |z|."""
    w0, w1, w2, w3 = _block(seed, offset, i >> 1)
    return _box_muller(_unit_f64(w0, w1) + 2.0**-54, _unit_f64(w2, w3), _bit(i, 0))
