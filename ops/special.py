"""Functions NumPy lacks, over arrays. erf: the rational approximations of fdlibm's s_erf.c (Sun Microsystems, 1993)."""

from __future__ import annotations

from typing import Any

import numpy as np

Coefficients = tuple[float, ...]

_SMALL_P = (
    1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02,
    -5.77027029648944159157e-03, -2.37630166566501626084e-05,
)  # fmt: skip
_SMALL_Q = (
    1.0, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03,
    1.32494738004321644526e-04, -3.96022827877536812320e-06,
)  # fmt: skip
_MIDDLE_P = (
    -2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
    -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03,
)  # fmt: skip
_MIDDLE_Q = (
    1.0, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02,
    1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02,
)  # fmt: skip
_LARGE_P = (
    -9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e01, -6.23753324503260060396e01,
    -1.62396669462573470355e02, -1.84605092906711035994e02, -8.12874355063065934246e01, -9.81432934416914548592e00,
)  # fmt: skip
_LARGE_Q = (
    1.0, 1.96512716674392571292e01, 1.37657754143519042600e02, 4.34565877475229228821e02, 6.45387271733267880336e02,
    4.29008140027567833386e02, 1.08635005541779435134e02, 6.57024977031928170135e00, -6.04244152148580987438e-02,
)  # fmt: skip
_TAIL_P = (
    -9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e01, -1.60636384855821916062e02,
    -6.37566443368389627722e02, -1.02509513161107724954e03, -4.83519191608651397019e02,
)  # fmt: skip
_TAIL_Q = (
    1.0, 3.03380607434824582924e01, 3.25792512996573918826e02, 1.53672958608443695994e03, 3.19985821950859553908e03,
    2.55305040643316442583e03, 4.74528541206955367215e02, -2.24409524465858183362e01,
)  # fmt: skip
_AT_ONE = 8.45062911510467529297e-01  # erf(1), rounded to float32: the middle piece adds to it


def erf(x: Any) -> Any:
    """The error function of every element; within 1 ulp in float64, computed in float64 for every dtype.

    >>> float(erf(np.float64(0.0))), float(erf(np.array(np.inf)))
    (0.0, 1.0)
    """
    x = np.asarray(x)
    wide = x.astype(np.float64)
    size = np.abs(wide)
    out = np.where(np.isnan(wide), wide, np.sign(wide))  # beyond 6 the result is 1
    for low, high, piece in _PIECES:
        inside = (size >= low) & (size < high)
        if inside.any():
            out[inside] = piece(wide[inside]) if low == 0.0 else np.sign(wide[inside]) * piece(size[inside])
    return out.astype(x.dtype)


def _ratio(s: Any, p: Coefficients, q: Coefficients) -> Any:
    return _polynomial(s, p) / _polynomial(s, q)


def _polynomial(s: Any, coefficients: Coefficients) -> Any:
    total = np.full_like(s, coefficients[-1])
    for c in coefficients[-2::-1]:
        total = total * s + c
    return total


def _small(x: Any) -> Any:
    return x + x * _ratio(x * x, _SMALL_P, _SMALL_Q)


def _middle(x: Any) -> Any:
    return _AT_ONE + _ratio(x - 1.0, _MIDDLE_P, _MIDDLE_Q)


def _tail(p: Coefficients, q: Coefficients) -> Any:
    def piece(x: Any) -> Any:
        high = x.astype(np.float32).astype(np.float64)  # x² in two parts: exp loses no digits
        correction = np.exp((high - x) * (high + x) + _ratio(1.0 / (x * x), p, q))
        return 1.0 - np.exp(-high * high - 0.5625) * correction / x

    return piece


_PIECES = (
    (0.0, 0.84375, _small),
    (0.84375, 1.25, _middle),
    (1.25, 1.0 / 0.35, _tail(_LARGE_P, _LARGE_Q)),
    (1.0 / 0.35, 6.0, _tail(_TAIL_P, _TAIL_Q)),
)
