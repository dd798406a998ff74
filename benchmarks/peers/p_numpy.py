"""Plain numpy: the natural expression, with in-place temporaries left to numpy."""
import math

import numpy as np
import workloads as w


def load(name, threads):
    return {"version": np.__version__, "build": B}


B = {}


def reg(n):
    def d(f):
        B[n] = f
        return f
    return d


def lst(o):
    return list(o) if isinstance(o, (tuple, list)) else [o]


def simple(n, f, *keys):
    def build(i):
        a = [i[k] for k in keys]
        return (lambda: f(*a)), lst
    B[n] = build


simple("dispatch", lambda x: x * 2 + 1, "x")
simple("gelu", lambda x, b, r: r + np.float32(0.7) * w.gelu_tanh(np, x + b), "x", "bias", "res")
simple("chain20", lambda x: w.chain20(np, x), "x")


def _bs(i):
    from scipy.special import erf
    a = [i[k] for k in "skt"]
    return (lambda: w.black_scholes(np, erf, *a)), lst


B["bs_f32"] = B["bs_f64"] = _bs


def softmax(x):
    e = x - x.max(-1, keepdims=True)
    np.exp(e, out=e)
    e /= e.sum(-1, keepdims=True)
    return e


def layernorm(x, g, b):
    c = x - x.mean(-1, keepdims=True)
    v = np.einsum("...i,...i->...", c, c)[..., None] / x.shape[-1]
    c *= 1.0 / np.sqrt(v + np.float32(1e-5))
    c *= g
    c += b
    return c


simple("softmax", softmax, "x")
simple("layernorm", layernorm, "x", "w", "b")
simple("rowred", lambda x: (x.sum(-1), x.max(-1), np.einsum("ij,ij->i", x, x)), "x")


def lse(x, y):
    m = x.max(-1, keepdims=True)
    return (m[:, 0] + np.log(np.exp(x - m).sum(-1)) - x[np.arange(len(x)), y]).mean()


simple("lse_loss", lse, "x", "y")


def mlp_step(x, y, p, lr=np.float32(0.01), relu=None, drelu=None):
    n = len(x)
    z = x @ p["fc1.w"]
    z += p["fc1.b"]
    h = np.maximum(z, 0) if relu is None else relu(z)
    o = h @ p["fc2.w"]
    o += p["fc2.b"]
    o -= o.max(-1, keepdims=True)
    e = np.exp(o)
    s = e.sum(-1, keepdims=True)
    r = np.arange(n)
    loss = (np.log(s[:, 0]) - o[r, y]).mean()
    e /= s
    e[r, y] -= 1
    e *= np.float32(1 / n)
    dh = e @ p["fc2.w"].T
    dh = dh * (z > 0) if drelu is None else drelu(z, dh)
    p["fc2.w"] -= lr * (h.T @ e)
    p["fc2.b"] -= lr * e.sum(0)
    p["fc1.w"] -= lr * (x.T @ dh)
    p["fc1.b"] -= lr * dh.sum(0)
    return loss


@reg("mlp_train")
def _(i):
    p = {k: v.copy() for k, v in i["p"].items()}
    return (lambda: mlp_step(i["x"], i["y"], p)), (lambda o: [o] + list(p.values()))


@reg("mlp_train_pycb")
def _(i):
    p = {k: v.copy() for k, v in i["p"].items()}
    relu, drelu = (lambda z: np.maximum(z, 0)), (lambda z, g: g * (z > 0))
    return (lambda: mlp_step(i["x"], i["y"], p, relu=relu, drelu=drelu)), (lambda o: [o] + list(p.values()))


@reg("mlp_b1")
def _(i):
    p, x = i["p"], i["x"]

    def run():
        h = np.maximum(x @ p["fc1.w"] + p["fc1.b"], 0)
        h = np.maximum(h @ p["fc2.w"] + p["fc2.b"], 0)
        return h @ p["fc3.w"] + p["fc3.b"]
    return run, lst


def _lstm(i):
    x, p = i["x"], i["p"]
    H = w.LH
    wx, wh, b = p["wx"], p["wh"], p["b"]

    def run():
        T, n = x.shape[:2]
        zx = (x.reshape(T * n, H) @ wx + b).reshape(T, n, 4 * H)
        h, c = np.zeros((n, H), np.float32), np.zeros((n, H), np.float32)
        out = np.empty((T, n, H), np.float32)
        for t in range(T):
            z = zx[t] + h @ wh
            s = 1 / (1 + np.exp(-z))
            c = s[:, H:2 * H] * c + s[:, :H] * np.tanh(z[:, 2 * H:3 * H])
            h = s[:, 3 * H:] * np.tanh(c)
            out[t] = h
        return out
    return run, lst


B["lstm_b1_fwd"] = B["lstm_b32_fwd"] = _lstm


@reg("newton")
def _(i):
    a = i["a"]

    def run():
        x = a
        while (np.abs(x * x - a) / a).max() > w.NEWTON_TOL:
            x = 0.5 * (x + a / x)
        return x
    return run, lst


B["rk45"] = lambda i: ((lambda: w.rk45_ref(i)), lst)
simple("mandelbrot", w.mandel_np, "cr", "ci")
simple("collatz", w.collatz_np, "n")


def _enc(i):
    p, x = i["p"], i["x"]
    from scipy.special import erf

    def run():
        b, s, d = x.shape
        t = x.reshape(b * s, d)
        qkv = (t @ p["qkv.w"] + p["qkv.b"]).reshape(b, s, 3, w.TH, d // w.TH).transpose(2, 0, 3, 1, 4)
        a = softmax((qkv[0] @ qkv[1].swapaxes(-1, -2)) * np.float32(1 / math.sqrt(d // w.TH)))
        o = (a @ qkv[2]).transpose(0, 2, 1, 3).reshape(b * s, d)
        y = layernorm(t + (o @ p["out.w"] + p["out.b"]), p["ln1.g"], p["ln1.b"])
        f = y @ p["ff1.w"] + p["ff1.b"]
        f *= np.float32(0.5) * (1 + erf(f * np.float32(0.70710678)))
        return layernorm(y + (f @ p["ff2.w"] + p["ff2.b"]), p["ln2.g"], p["ln2.b"]).reshape(b, s, d)
    return run, lst


B["enc_fwd"] = _enc


@reg("adam")
def _(i):
    A = w.ADAM
    p = [v.copy() for v in i["p"].values()]
    g = list(i["g"].values())
    m, v = [np.zeros_like(a) for a in p], [np.zeros_like(a) for a in p]
    st = [0]

    def run():
        st[0] += 1
        c1, c2 = 1 - A["b1"] ** st[0], 1 - A["b2"] ** st[0]
        s, q = np.float32(A["lr"] / c1), np.float32(1 / math.sqrt(c2))
        for a, b, c, d in zip(p, g, m, v):
            c *= np.float32(A["b1"])
            c += np.float32(1 - A["b1"]) * b
            d *= np.float32(A["b2"])
            d += np.float32(1 - A["b2"]) * (b * b)
            a -= s * c / (np.sqrt(d) * q + np.float32(A["eps"]))
        return 0.0
    return run, lambda o: [np.asarray(0.0)] + p


@reg("tower")
def _(i):
    p, x = i["p"], i["x"]

    def run():
        h = x
        for n in range(w.TWL):
            t = h @ p[f"w{n}"]
            t += p[f"b{n}"]
            h = h + np.float32(0.1) * (np.tanh(t) / (1 + np.exp(-t)))
        return h
    return run, lst
