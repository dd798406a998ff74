"""Hand-written Numba kernels: what a Numba expert writes for the workload today.

`numba` uses the language's math functions (libm calls unless SVML is installed);
`numba_poly` uses own branch-free polynomial exp/log/tanh/erf, so that LLVM's loop
vectoriser can do its work.  Matrix products are np.dot (BLAS of scipy).
"""
import math

import numpy as np
import workloads as w

nb = None
NAME = "numba"


def load(name, threads):
    global nb, NAME
    import numba
    import scipy.linalg.cython_blas  # noqa: F401  - its OpenBLAS counts the cores before OpenMP binds this thread
    nb, NAME = numba, name
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    define(threads)
    b = dict(B)
    if name == "numba_poly":
        b = {k: v for k, v in b.items() if k in ("gelu", "chain20", "bs_f32", "bs_f64", "softmax", "lse_loss",
                                                 "lstm_b1_fwd", "lstm_b32_fwd", "tower", "mlp_train")}
    from numba.core import config
    return {"version": numba.__version__ + (" SVML" if config.USING_SVML else " no SVML"), "build": b}


B = {}


def lst(o):
    return [np.asarray(x) for x in (o if isinstance(o, (tuple, list)) else (o,))]


def define(threads):
    par = threads > 1
    njit, prange = nb.njit, nb.prange
    kw = dict(fastmath=True, error_model="numpy")
    P = dict(kw, parallel=par)
    f32 = np.float32
    i32, u32, i64 = np.int32, np.uint32, np.int64
    inl = dict(kw, inline="always")
    poly = NAME == "numba_poly"
    if poly:
        from peers.fastmath import make
        fm = make(nb)
        fexp, flog, ftanh, ferf = fm["exp"], fm["log"], fm["tanh"], fm["erf"]
        fexp64, flog64, ferf64 = fm["exp64"], fm["log64"], fm["erf64"]
    else:
        fexp = njit(**kw)(lambda x: math.exp(x))
        flog = njit(**kw)(lambda x: math.log(x))
        ftanh = njit(**kw)(lambda x: math.tanh(x))
        ferf = njit(**kw)(lambda x: math.erf(x))
        fexp64, flog64, ferf64 = fexp, flog, ferf
    half, one = f32(0.5), f32(1)

    @njit(**kw)
    def dispatch(x):
        y = np.empty_like(x)
        for i in range(x.size):
            y[i] = x[i] * f32(2) + one
        return y
    B["dispatch"] = lambda i: ((lambda x=i["x"]: dispatch(x)), lst)

    C1, C2, S = f32(w.GC), f32(0.044715), f32(0.7)

    @njit(**P)
    def gelu(x, b, r):
        y = np.empty_like(x)
        for i in prange(x.shape[0]):
            for j in range(x.shape[1]):
                u = x[i, j] + b[j]
                y[i, j] = r[i, j] + S * (half * u * (one + ftanh(C1 * (u + C2 * u * u * u))))
        return y
    B["gelu"] = lambda i: ((lambda a=(i["x"], i["bias"], i["res"]): gelu(*a)), lst)

    @njit(**P)
    def chain(x):
        y = np.empty_like(x)
        for i in prange(x.shape[0]):
            for j in range(x.shape[1]):
                v = x[i, j]
                a = v * half
                a15 = a + f32(1.5)
                c, d, e = flog(a15), fexp(-a), math.sqrt(a15)
                f = c if v > f32(0) else d
                h = ftanh(f) * e + c
                k = math.sqrt(abs(h) + one)
                m = flog(fexp(-k) + one)
                o = ftanh(m * h) / (e + d)
                y[i, j] = o if o < f32(0.1) else e * m
        return y
    B["chain20"] = lambda i: ((lambda x=i["x"]: chain(x)), lst)

    def make_bs(T, exp, log, erf):
        r, v, h, q = T(w.RATE), T(w.VOL), T(0.5), T(0.7071067811865476)
        rv = T(w.RATE + 0.5 * w.VOL * w.VOL)

        @njit(**P)
        def bs(s, k, t):
            call, put = np.empty_like(s), np.empty_like(s)
            for i in prange(s.size):
                sq = v * math.sqrt(t[i])
                d1 = (log(s[i] / k[i]) + rv * t[i]) / sq
                d2 = d1 - sq
                n1, n2 = h + h * erf(d1 * q), h + h * erf(d2 * q)
                disc = k[i] * exp(-r * t[i])
                c = s[i] * n1 - disc * n2
                call[i] = c
                put[i] = c - s[i] + disc
            return call, put
        return bs
    bs32, bs64 = make_bs(np.float32, fexp, flog, ferf), make_bs(np.float64, fexp64, flog64, ferf64)
    B["bs_f32"] = lambda i: ((lambda a=(i["s"], i["k"], i["t"]): bs32(*a)), lst)
    B["bs_f64"] = lambda i: ((lambda a=(i["s"], i["k"], i["t"]): bs64(*a)), lst)

    @njit(**P)
    def softmax(x):
        y = np.empty_like(x)
        n = x.shape[1]
        for i in prange(x.shape[0]):
            m = x[i, 0]
            for j in range(n):
                m = max(m, x[i, j])
            s = f32(0)
            for j in range(n):
                e = fexp(x[i, j] - m)
                y[i, j] = e
                s += e
            s = one / s
            for j in range(n):
                y[i, j] *= s
        return y
    B["softmax"] = lambda i: ((lambda x=i["x"]: softmax(x)), lst)

    @njit(**P)
    def layernorm(x, g, b):
        y = np.empty_like(x)
        n = x.shape[1]
        rn = one / f32(n)
        for i in prange(x.shape[0]):
            s = f32(0)
            for j in range(n):
                s += x[i, j]
            mu = s * rn
            q = f32(0)
            for j in range(n):
                d = x[i, j] - mu
                q += d * d
            r = one / math.sqrt(q * rn + f32(1e-5))
            for j in range(n):
                y[i, j] = (x[i, j] - mu) * r * g[j] + b[j]
        return y
    B["layernorm"] = lambda i: ((lambda a=(i["x"], i["w"], i["b"]): layernorm(*a)), lst)

    @njit(**P)
    def rowred(x):
        n = x.shape[0]
        a, b, c = np.empty(n, f32), np.empty(n, f32), np.empty(n, f32)
        for i in prange(n):
            s, m, q = f32(0), x[i, 0], f32(0)
            for j in range(x.shape[1]):
                v = x[i, j]
                s += v
                m = max(m, v)
                q += v * v
            a[i], b[i], c[i] = s, m, q
        return a, b, c
    B["rowred"] = lambda i: ((lambda x=i["x"]: rowred(x)), lst)

    @njit(**P)
    def lse(x, y):
        t = 0.0
        for i in prange(x.shape[0]):
            m = x[i, 0]
            for j in range(x.shape[1]):
                m = max(m, x[i, j])
            s = f32(0)
            for j in range(x.shape[1]):
                s += fexp(x[i, j] - m)
            t += float(m) + math.log(s) - float(x[i, y[i]])
        return t / x.shape[0]
    B["lse_loss"] = lambda i: ((lambda a=(i["x"], i["y"]): lse(*a)), lst)

    # ------------------------------------------------------------------- MLP
    @njit(**kw)
    def mlp_step(x, y, w1, b1, w2, b2, lr, z, h, o, dh, gw1, gw2):
        n = x.shape[0]
        np.dot(x, w1, z)
        for i in range(n):
            for j in range(b1.size):
                h[i, j] = max(z[i, j] + b1[j], f32(0))
        np.dot(h, w2, o)
        loss = 0.0
        rn = one / f32(n)
        for i in range(n):
            m = f32(-1e30)
            for j in range(10):
                o[i, j] += b2[j]
                m = max(m, o[i, j])
            s = f32(0)
            for j in range(10):
                s += fexp(o[i, j] - m)
            loss += float(m) + math.log(s) - float(o[i, y[i]])
            r = rn / s
            for j in range(10):
                o[i, j] = fexp(o[i, j] - m) * r
            o[i, y[i]] -= rn
        np.dot(o, w2.T, dh)
        for i in range(n):
            for j in range(b1.size):
                if h[i, j] <= f32(0):
                    dh[i, j] = f32(0)
        np.dot(h.T, o, gw2)
        np.dot(x.T, dh, gw1)
        for i in range(n):
            for j in range(10):
                b2[j] -= lr * o[i, j]
            for j in range(b1.size):
                b1[j] -= lr * dh[i, j]
        for i in range(w2.shape[0]):
            for j in range(w2.shape[1]):
                w2[i, j] -= lr * gw2[i, j]
        for i in range(w1.shape[0]):
            for j in range(w1.shape[1]):
                w1[i, j] -= lr * gw1[i, j]
        return loss / n

    def mlp_train(i):
        p = [v.copy() for v in i["p"].values()]
        e = lambda *s: np.empty(s, np.float32)
        bufs = (e(256, 100), e(256, 100), e(256, 10), e(256, 100), e(784, 100), e(100, 10))
        x, y, lr = i["x"], i["y"], np.float32(0.01)
        return (lambda: mlp_step(x, y, *p, lr, *bufs)), lambda o: [np.asarray(o)] + p
    B["mlp_train"] = mlp_train

    @njit(**kw)
    def layer(h, wt, b, relu):
        o = b.copy()
        for k in range(wt.shape[0]):
            v = h[k]
            for j in range(wt.shape[1]):
                o[j] += v * wt[k, j]
        if relu:
            for j in range(o.size):
                o[j] = max(o[j], f32(0))
        return o

    @njit(**kw)
    def mlp1(x, w1, b1, w2, b2, w3, b3):
        return layer(layer(layer(x[0], w1, b1, True), w2, b2, True), w3, b3, False).reshape(1, b3.size)
    B["mlp_b1"] = lambda i: ((lambda a=(i["x"], *i["p"].values()): mlp1(*a)), lst)

    # ------------------------------------------------------------------ LSTM
    @njit(**kw)
    def lstm(x, wx, wh, b, zx, z):
        T, n, H = x.shape
        np.dot(x.reshape(T * n, H), wx, zx)
        h, c = np.zeros((n, H), f32), np.zeros((n, H), f32)
        out = np.empty((T, n, H), f32)
        for t in range(T):
            if n == 1:
                for j in range(4 * H):
                    z[0, j] = zx[t, j] + b[j]
                for k in range(H):
                    v = h[0, k]
                    for j in range(4 * H):
                        z[0, j] += v * wh[k, j]
            else:
                np.dot(h, wh, z)
                for i in range(n):
                    for j in range(4 * H):
                        z[i, j] += zx[t * n + i, j] + b[j]
            for i in range(n):
                for j in range(H):
                    ig = one / (one + fexp(-z[i, j]))
                    fg = one / (one + fexp(-z[i, H + j]))
                    og = one / (one + fexp(-z[i, 3 * H + j]))
                    cc = fg * c[i, j] + ig * ftanh(z[i, 2 * H + j])
                    c[i, j] = cc
                    hh = og * ftanh(cc)
                    h[i, j] = hh
                    out[t, i, j] = hh
        return out

    def lstm_b(i):
        x, p = i["x"], i["p"]
        T, n, H = x.shape
        a = (x, p["wx"], p["wh"], p["b"], np.empty((T * n, 4 * H), f32), np.empty((n, 4 * H), f32))
        return (lambda: lstm(*a)), lst
    B["lstm_b1_fwd"] = B["lstm_b32_fwd"] = lstm_b

    # ---------------------------------------------------------- control flow
    TOL = f32(w.NEWTON_TOL)

    @njit(**kw)
    def newton(a):
        x = a.copy()
        while True:
            e = f32(0)
            for i in range(a.size):
                e = max(e, abs(x[i] * x[i] - a[i]) / a[i])
            if not e > TOL:
                return x
            for i in range(a.size):
                x[i] = half * (x[i] + a[i] / x[i])
    B["newton"] = lambda i: ((lambda a=i["a"]: newton(a)), lst)

    A = np.zeros((7, 7))
    for s, row in enumerate(w.DP_A):
        A[s, :len(row)] = row
    E = np.array(w.DP_E)
    la, lb, lc, ld = w.LV
    RT, T1, H0 = w.RK_TOL, w.RK_T1, w.RK_H0

    @njit(**kw)
    def rk45(y0):
        ks = np.empty((7, 2))
        y, z = y0.copy(), y0.copy()
        t, h, n = 0.0, H0, 0
        while t < T1:
            h = min(h, T1 - t)
            for s in range(7):
                z[0], z[1] = y[0], y[1]
                for j in range(s):
                    q = h * A[s, j]
                    z[0] += q * ks[j, 0]
                    z[1] += q * ks[j, 1]
                ks[s, 0] = la * z[0] - lb * z[0] * z[1]
                ks[s, 1] = -lc * z[1] + ld * z[0] * z[1]
            err = 0.0
            for d in range(2):
                e = 0.0
                for j in range(7):
                    e += E[j] * ks[j, d]
                e = h * e / (RT + RT * max(abs(y[d]), abs(z[d])))
                err += e * e
            err = math.sqrt(err / 2)
            if err <= 1.0:
                t += h
                y[0], y[1] = z[0], z[1]
            h *= min(5.0, max(0.2, 0.9 * (err + 1e-12) ** -0.2))
            n += 1
        return y, float(n)
    B["rk45"] = lambda i: ((lambda y=i["y0"]: rk45(y)), lst)

    IT = w.MB_IT

    @njit(**P)
    def mandel(cr, ci):
        """loop interchange: each point runs to its own end"""
        n = np.zeros(cr.shape, np.int32)
        for i in prange(cr.shape[0]):
            for j in range(cr.shape[1]):
                zr, zi, k, c, d = f32(0), f32(0), 0, cr[i, j], ci[i, j]
                while k < IT:
                    r2, i2 = zr * zr, zi * zi
                    if r2 + i2 > f32(4):
                        break
                    zi = f32(2) * zr * zi + d
                    zr = r2 - i2 + c
                    k += 1
                n[i, j] = k
        return n
    B["mandelbrot"] = lambda i: ((lambda a=(i["cr"], i["ci"]): mandel(*a)), lst)

    @njit(**P)
    def collatz(n0):
        c = np.zeros(n0.shape, np.int64)
        for i in prange(n0.shape[0]):
            for j in range(n0.shape[1]):
                n, k = n0[i, j], 0
                while n != 1:
                    n = n >> 1 if n & 1 == 0 else 3 * n + 1
                    k += 1
                c[i, j] = k
        return c
    B["collatz"] = lambda i: ((lambda n=i["n"]: collatz(n)), lst)

    # ------------------------------------------------------------ Adam, tower
    @njit(**P)
    def adam(p, m, v, g, lr, q, b1, b2, eps):
        for t in prange(len(p)):
            pp, mm, vv, gg = p[t], m[t], v[t], g[t]
            for j in range(pp.size):
                a = b1 * mm[j] + (one - b1) * gg[j]
                b = b2 * vv[j] + (one - b2) * gg[j] * gg[j]
                mm[j] = a
                vv[j] = b
                pp[j] -= lr * a / (math.sqrt(b) * q + eps)

    def adam_b(i):
        """the tensors are views of flat buffers: 60 slices, one kernel"""
        Ad = w.ADAM
        arr = lambda d: np.concatenate([x.ravel() for x in d.values()])
        p, g = arr(i["p"]), arr(i["g"])
        m, v = np.zeros_like(p), np.zeros_like(p)
        cut = 4096
        rs = lambda a: nb.typed.List([a[s:s + cut] for s in range(0, a.size, cut)])
        P_, M_, V_, G_ = rs(p), rs(m), rs(v), rs(g)
        st = [0]
        f = np.float32

        def run():
            st[0] += 1
            c1, c2 = 1 - Ad["b1"] ** st[0], 1 - Ad["b2"] ** st[0]
            adam(P_, M_, V_, G_, f(Ad["lr"] / c1), f(1 / math.sqrt(c2)), f(Ad["b1"]), f(Ad["b2"]), f(Ad["eps"]))

        def result(o):
            out, s = [np.asarray(0.0)], 0
            for x in i["p"].values():
                out.append(p[s:s + x.size].reshape(x.shape))
                s += x.size
            return out
        return run, result
    B["adam"] = adam_b

    @njit(**P)
    def act(h, t, b):
        for i in prange(h.shape[0]):
            for j in range(h.shape[1]):
                u = t[i, j] + b[j]
                h[i, j] += f32(0.1) * (ftanh(u) / (one + fexp(-u)))

    def tower(i):
        p, x = i["p"], i["x"]
        t = np.empty_like(x)

        def run():
            h = x.copy()
            for n in range(w.TWL):
                np.matmul(h, p[f"w{n}"], out=t)
                act(h, t, p[f"b{n}"])
            return h
        return run, lst
    B["tower"] = tower
