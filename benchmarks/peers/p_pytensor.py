"""PyTensor, mode NUMBA (Scan for loops; no convolutions)."""
import math

import numpy as np
import workloads as w

pytensor = pt = None


def load(name, threads):
    global pytensor, pt
    import pytensor as p
    import pytensor.tensor as t
    pytensor, pt = p, t
    p.config.mode = "NUMBA"
    p.config.floatX = "float32"
    return {"version": p.__version__, "build": B}


B = {}


def reg(n):
    def d(f):
        for k in n.split():
            B[k] = f
        return f
    return d


def lst(o):
    return [np.asarray(x) for x in (o if isinstance(o, (tuple, list)) else (o,))]


def sym(a, n):
    return pt.tensor(n, dtype=str(a.dtype), shape=a.shape)


def fn(ins, outs, arrays, updates=None):
    f = pytensor.function(ins, outs, updates=updates, mode="NUMBA", trust_input=True)
    return (lambda: f(*arrays)), lst


def simple(n, f, *keys):
    def build(i):
        v = [sym(i[k], k) for k in keys]
        return fn(v, f(*v), [i[k] for k in keys])
    B[n] = build


F = np.float32


class NS:
    """the array namespace for the shared formulas, with where = switch"""
    def __getattr__(self, n):
        return {"where": pt.switch, "maximum": pt.maximum}.get(n) or getattr(pt, n)


ns = NS()
simple("dispatch", lambda x: x * F(2) + F(1), "x")


def _gelu(x, b, r):
    u = x + b
    return r + F(0.7) * (F(0.5) * u * (F(1) + pt.tanh(F(w.GC) * (u + F(0.044715) * u * u * u))))


def _chain(x):
    a = x * F(0.5)
    c, d, e = pt.log(a + F(1.5)), pt.exp(-a), pt.sqrt(a + F(1.5))
    f = pt.switch(x > 0, c, d)
    h = pt.tanh(f) * e + c
    k = pt.sqrt(pt.abs(h) + F(1))
    m = pt.log(pt.exp(-k) + F(1))
    o = pt.tanh(m * h) / (e + d)
    return pt.switch(o < F(0.1), o, e * m)


def _bs(s, k, t):
    T = np.dtype(s.dtype).type
    sq = T(w.VOL) * pt.sqrt(t)
    d1 = (pt.log(s / k) + T(w.RATE + .5 * w.VOL * w.VOL) * t) / sq
    d2 = d1 - sq
    n1, n2 = (T(.5) + T(.5) * pt.erf(d * T(0.7071067811865476)) for d in (d1, d2))
    disc = k * pt.exp(T(-w.RATE) * t)
    call = s * n1 - disc * n2
    return [call, call - s + disc]


simple("gelu", _gelu, "x", "bias", "res")
simple("chain20", _chain, "x")
simple("bs_f32", _bs, "s", "k", "t")
simple("bs_f64", _bs, "s", "k", "t")
simple("softmax", lambda x: pt.special.softmax(x, axis=-1), "x")


def ln(x, g, b):
    mu = x.mean(axis=-1, keepdims=True)
    c = x - mu
    return c / pt.sqrt(pt.sqr(c).mean(axis=-1, keepdims=True) + F(1e-5)) * g + b


simple("layernorm", ln, "x", "w", "b")
simple("rowred", lambda x: [x.sum(axis=-1), x.max(axis=-1), pt.sqr(x).sum(axis=-1)], "x")
simple("lse_loss", lambda x, y: -pt.special.log_softmax(x, axis=-1)[pt.arange(w.ROWS), y].mean(), "x", "y")


@reg("mlp_train")
def _(i):
    p = {k: pytensor.shared(v.copy(), name=k) for k, v in i["p"].items()}
    x, y = sym(i["x"], "x"), sym(i["y"], "y")
    h = pt.maximum(x @ p["fc1.w"] + p["fc1.b"], F(0))
    o = h @ p["fc2.w"] + p["fc2.b"]
    loss = -pt.special.log_softmax(o, axis=-1)[pt.arange(256), y].mean()
    ps = list(p.values())
    gs = pytensor.grad(loss, ps)
    run, _ = fn([x, y], loss, [i["x"], i["y"]], updates=[(q, (q - F(0.01) * g).astype("float32")) for q, g in zip(ps, gs)])
    return run, lambda o: [np.asarray(o)] + [q.get_value() for q in ps]


@reg("mlp_b1")
def _(i):
    p = {k: pytensor.shared(v) for k, v in i["p"].items()}
    x = sym(i["x"], "x")
    h = pt.maximum(x @ p["fc1.w"] + p["fc1.b"], F(0))
    h = pt.maximum(h @ p["fc2.w"] + p["fc2.b"], F(0))
    return fn([x], h @ p["fc3.w"] + p["fc3.b"], [i["x"]])


def lstm_graph(x, p, n):
    H = w.LH
    zx = x @ p["wx"] + p["b"]

    def cell(z, h, c, wh):
        z = z + h @ wh
        s = pt.sigmoid
        c = s(z[:, H:2 * H]) * c + s(z[:, :H]) * pt.tanh(z[:, 2 * H:3 * H])
        return s(z[:, 3 * H:]) * pt.tanh(c), c
    z0 = pt.zeros((n, H), dtype="float32")
    r = pytensor.scan(cell, sequences=[zx], outputs_info=[z0, z0], non_sequences=[p["wh"]], return_updates=False)
    return r[0]


@reg("lstm_b1_fwd lstm_b32_fwd")
def _(i):
    p = {k: pytensor.shared(v) for k, v in i["p"].items()}
    x = sym(i["x"], "x")
    return fn([x], lstm_graph(x, p, i["x"].shape[1]), [i["x"]])


@reg("lstm_b32_fb")  # half a minute to compile: one batch size only
def _(i):
    p = {k: pytensor.shared(v) for k, v in i["p"].items()}
    x = sym(i["x"], "x")
    loss = pt.sqr(lstm_graph(x, p, i["x"].shape[1])).mean()
    return fn([x], [loss] + pytensor.grad(loss, [p[k] for k in ("wx", "wh", "b")]), [i["x"]])


@reg("newton")
def _(i):
    from pytensor.scan.utils import until
    a = sym(i["a"], "a")

    def body(x, a):
        y = F(0.5) * (x + a / x)
        return y, until(pt.max(pt.abs(y * y - a) / a) <= F(w.NEWTON_TOL))
    r = pytensor.scan(body, outputs_info=[a], non_sequences=[a], n_steps=64, return_updates=False)
    return fn([a], r[-1], [i["a"]])


@reg("mandelbrot")
def _(i):
    from pytensor.scan.utils import until
    cr, ci = sym(i["cr"], "cr"), sym(i["ci"], "ci")

    def body(zr, zi, n, act, cr, ci):
        r2, i2 = zr * zr, zi * zi
        act = pt.and_(act, r2 + i2 <= F(4))
        return (pt.switch(act, r2 - i2 + cr, zr), pt.switch(act, F(2) * zr * zi + ci, zi), n + act.astype("int32"),
                act), until(pt.invert(act.any()))
    z = pt.zeros_like(cr)
    r = pytensor.scan(body, outputs_info=[z, z, pt.zeros_like(cr, dtype="int32"), pt.ones_like(cr, dtype="bool")],
                      non_sequences=[cr, ci], n_steps=w.MB_IT, return_updates=False)
    return fn([cr, ci], r[2][-1], [i["cr"], i["ci"]])


@reg("enc_fwd")
def _(i):
    p = {k: pytensor.shared(v) for k, v in i["p"].items()}
    x = sym(i["x"], "x")
    b, s, d = i["x"].shape
    qkv = (x @ p["qkv.w"] + p["qkv.b"]).reshape((b, s, 3, w.TH, d // w.TH)).transpose(2, 0, 3, 1, 4)
    a = pt.special.softmax((qkv[0] @ qkv[1].transpose(0, 1, 3, 2)) * F(1 / math.sqrt(d // w.TH)), axis=-1)
    o = (a @ qkv[2]).transpose(0, 2, 1, 3).reshape((b, s, d))
    y = ln(x + (o @ p["out.w"] + p["out.b"]), p["ln1.g"], p["ln1.b"])
    f = y @ p["ff1.w"] + p["ff1.b"]
    f = F(0.5) * f * (F(1) + pt.erf(f * F(0.70710678)))
    return fn([x], ln(y + (f @ p["ff2.w"] + p["ff2.b"]), p["ln2.g"], p["ln2.b"]), [i["x"]])


@reg("adam")
def _(i):
    A = w.ADAM
    p = [pytensor.shared(v.copy()) for v in i["p"].values()]
    g = [pytensor.shared(v) for v in i["g"].values()]
    m, v = ([pytensor.shared(np.zeros_like(a)) for a in i["p"].values()] for _ in range(2))
    n = pytensor.shared(F(0))
    n1 = n + F(1)
    c1, c2 = F(1) - F(A["b1"]) ** n1, F(1) - F(A["b2"]) ** n1
    up = [(n, n1)]
    for a, b, c, d in zip(p, g, m, v):
        c1n = F(A["b1"]) * c + F(1 - A["b1"]) * b
        dn = F(A["b2"]) * d + F(1 - A["b2"]) * b * b
        up += [(c, c1n), (d, dn), (a, a - F(A["lr"]) * (c1n / c1) / (pt.sqrt(dn / c2) + F(A["eps"])))]
    run, _ = fn([], [], [], updates=up)
    return run, lambda o: [np.asarray(0.0)] + [q.get_value() for q in p]
