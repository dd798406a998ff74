"""Branch-free polynomial exp, log, tanh, erf for Numba (relative error about 1e-7 in float32,
1e-10 to 1e-15 in float64): LLVM vectorises loops that call them, unlike loops that call libm."""
import math

import numpy as np


def make(nb):
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def bitcast(src, dst):
        @intrinsic
        def f(typingctx, x):
            def codegen(context, builder, sig, args):
                return builder.bitcast(args[0], context.get_value_type(sig.return_type))
            return dst(src), codegen
        return f
    f2i, i2f = bitcast(types.float32, types.int32), bitcast(types.int32, types.float32)
    d2l, l2d = bitcast(types.float64, types.int64), bitcast(types.int64, types.float64)
    kw = dict(fastmath={"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}, error_model="numpy", inline="never")
    kr = dict(kw, fastmath={"contract", "nsz"})  # no reassociation where rounding is a trick
    njit = nb.njit
    f, i = np.float32, np.int32
    MAGIC = f(12582912.0)  # 1.5*2^23
    L2E, LN2H, LN2L = f(1.44269504), f(0.693359375), f(-2.12194440e-4)
    LO, HI = f(-87.0), f(88.0)
    e5, e4, e3, e2, e1, e0 = f(1.9875691500e-4), f(1.3981999507e-3), f(8.3334519073e-3), f(4.1665795894e-2), \
        f(1.6666665459e-1), f(0.5)
    one = f(1)

    @njit(**kr)
    def exp(x):
        x = min(max(x, LO), HI)
        k = (x * L2E + MAGIC) - MAGIC
        r = x - k * LN2H - k * LN2L
        p = ((((e5 * r + e4) * r + e3) * r + e2) * r + e1) * r + e0
        p = p * r * r + r + one
        return p * i2f(i((i(k) + i(127)) << i(23)))

    l8, l7, l6, l5, l4, l3, l2, l1, l0 = map(f, (
        7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
        2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1))
    half, SQ = f(0.5), i(0x3f3504f3)

    @njit(**kr)
    def log(x):
        b = i(f2i(x) - SQ)
        e = f(b >> i(23))
        m = i2f(i((b & i(0x7fffff)) + SQ)) - one
        z = m * m
        y = ((((((((l8 * m + l7) * m + l6) * m + l5) * m + l4) * m + l3) * m + l2) * m + l1) * m + l0) * m * z
        return y + e * LN2L - half * z + m + e * LN2H

    two, tmax = f(2), f(9.0)

    @njit(**kr)
    def tanh(x):
        # rational minimax of degree 13/6 (Eigen, XLA), clamped
        x = min(max(x, f(-7.99881172180175781)), f(7.99881172180175781))
        z = x * x
        p = f(-2.76076847742355e-16)
        p = p * z + f(2.00018790482477e-13)
        p = p * z + f(-8.60467152213735e-11)
        p = p * z + f(5.12229709037114e-08)
        p = p * z + f(1.48572235717979e-05)
        p = p * z + f(6.37261928875436e-04)
        p = p * z + f(4.89352455891786e-03)
        q = f(1.19825839466702e-06)
        q = q * z + f(1.18534705686654e-04)
        q = q * z + f(2.26843463243900e-03)
        q = q * z + f(4.89352518554385e-03)
        return x * p / q

    @njit(**kr)
    def erf(x):
        # Abramowitz-Stegun 7.1.26 is too coarse; rational of Eigen/XLA, clamped at 4
        x = min(max(x, f(-4.0)), f(4.0))
        z = x * x
        p = f(-2.72614225801306e-10)
        p = p * z + f(2.77068142495902e-08)
        p = p * z + f(-2.10102402082508e-06)
        p = p * z + f(-5.69250639462346e-05)
        p = p * z + f(-7.34990630326855e-04)
        p = p * z + f(-2.95459980854025e-03)
        p = p * z + f(-1.60960333262415e-02)
        q = f(-1.45660718464996e-05)
        q = q * z + f(-2.13374055278905e-04)
        q = q * z + f(-1.68282697438203e-03)
        q = q * z + f(-7.37332916720468e-03)
        q = q * z + f(-1.42647390514189e-02)
        return x * p / q

    DM, DL2E, DH, DLO = 6755399441055744.0, 1.4426950408889634, 6.93145751953125e-1, 1.42860682030941723212e-6

    @njit(**kr)
    def exp64(x):
        x = min(max(x, -700.0), 700.0)
        t = x * DL2E + DM
        k = t - DM
        r = x - k * DH - k * DLO
        z = r * r
        p = ((1.26177193074810590878e-4 * z + 3.02994407707441961300e-2) * z + 9.99999999999999999910e-1) * r
        q = ((3.00198505138664455042e-6 * z + 2.52448340349684104192e-3) * z + 2.27265548208155028766e-1) * z + 2.0
        # bits of t hold k in the low mantissa
        return (1.0 + 2.0 * p / (q - p)) * l2d((d2l(t) + 1023) << 52)

    DSQ = 0x3fe6a09e667f3bcd

    @njit(**kr)
    def log64(x):
        b = d2l(x) - DSQ
        e = float(b >> 52)
        m = l2d((b & 0xfffffffffffff) + DSQ)
        s = (m - 1.0) / (m + 1.0)
        z = s * s
        p = (((((((2 / 17 * z + 2 / 15) * z + 2 / 13) * z + 2 / 11) * z + 2 / 9) * z + 2 / 7) * z + 2 / 5) * z + 2 / 3) * z
        return e * 0.6931471805599453 + s * p + 2.0 * s

    @njit(**kr)
    def erf64(x):
        # Numerical Recipes erfc Chebyshev fit, fractional error 1.2e-7
        a = abs(x)
        t = 1.0 / (1.0 + 0.5 * a)
        y = t * exp64(-a * a - 1.26551223 + t * (1.00002368 + t * (0.37409196 + t * (0.09678418 + t * (
            -0.18628806 + t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277)))))))))
        return math.copysign(1.0 - y, x)

    return dict(exp=exp, log=log, tanh=tanh, erf=erf, exp64=exp64, log64=log64, erf64=erf64)
