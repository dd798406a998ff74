"""JAX: jax.jit with lax.scan / lax.while_loop, donated training state."""
import math
import os

import numpy as np
import workloads as w

jax = jnp = lax = None


def load(name, threads):
    global jax, jnp, lax
    import jax as j
    import jax.numpy as n
    from jax import lax as l
    jax, jnp, lax = j, n, l
    jax.config.update("jax_enable_x64", True)
    if os.environ.get("BENCH_JAX_CACHE"):
        jax.config.update("jax_compilation_cache_dir", os.environ["BENCH_JAX_CACHE"])
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    jnp.zeros(1).block_until_ready()  # the backend is created here
    return {"version": jax.__version__, "build": B, "release": jax.clear_caches, "mem": lambda: MEM.get("temp")}


B = {}
MEM = {}


def reg(n):
    def d(f):
        for k in n.split():
            B[k] = f
        return f
    return d


def dev(a):
    return jax.tree.map(jnp.asarray, a)


def lst(o):
    return [np.asarray(x) for x in (o if isinstance(o, (tuple, list)) else (o,))]


def infer(f, *args):
    g = jax.jit(f)
    br = jax.block_until_ready
    return (lambda: br(g(*args))), lst


def simple(n, f, *keys):
    B[n] = lambda i: infer(f, *[dev(i[k]) for k in keys])


simple("dispatch", lambda x: x * 2 + 1, "x")
simple("gelu", lambda x, b, r: r + 0.7 * jax.nn.gelu(x + b, approximate=True), "x", "bias", "res")
simple("chain20", lambda x: w.chain20(jnp, x), "x")
for _k in ("bs_f32", "bs_f64"):
    simple(_k, lambda s, k, t: w.black_scholes(jnp, jax.scipy.special.erf, s, k, t), "s", "k", "t")
simple("softmax", lambda x: jax.nn.softmax(x, -1), "x")


def layernorm(x, g, b):
    mu = x.mean(-1, keepdims=True)
    var = jnp.square(x - mu).mean(-1, keepdims=True)
    return (x - mu) * lax.rsqrt(var + 1e-5) * g + b


simple("layernorm", layernorm, "x", "w", "b")
simple("rowred", lambda x: (x.sum(-1), x.max(-1), jnp.square(x).sum(-1)), "x")
simple("lse_loss", lambda x, y: (jax.nn.logsumexp(x, -1) - jnp.take_along_axis(x, y[:, None], 1)[:, 0]).mean(),
       "x", "y")


def ce(logits, y):
    return (jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, y[:, None], 1)[:, 0]).mean()


def train(i, loss_fn, lr, aux=None):
    """state is donated; aux carries running statistics"""
    data = {k: dev(v) for k, v in i.items() if k not in ("p", "q")}
    st = [dev(i["p"]), dev(aux) if aux is not None else None]

    def step(p, q, data):
        if aux is None:
            loss, g = jax.value_and_grad(loss_fn)(p, data)
        else:
            (loss, q), g = jax.value_and_grad(loss_fn, has_aux=True)(p, q, data)
        return loss, jax.tree.map(lambda a, b: a - lr * b, p, g), q
    f = jax.jit(step, donate_argnums=(0, 1))

    def run():
        loss, st[0], st[1] = f(st[0], st[1], data)
        jax.block_until_ready((loss, st[0]))
        return loss
    order = list(i["p"])
    return run, lambda o: [np.asarray(o)] + [np.asarray(st[0][k]) for k in order]


def mlp_loss(p, d, relu=None):
    h = d["x"] @ p["fc1.w"] + p["fc1.b"]
    h = jax.nn.relu(h) if relu is None else relu(h)
    return ce(h @ p["fc2.w"] + p["fc2.b"], d["y"])


B["mlp_train"] = lambda i: train(i, mlp_loss, 0.01)


@reg("mlp_train_pycb")
def _(i):
    sd = jax.ShapeDtypeStruct

    @jax.custom_vjp
    def relu(z):
        return jax.pure_callback(lambda v: np.maximum(v, 0), sd(z.shape, z.dtype), z)

    def fwd(z):
        return relu(z), z

    def bwd(z, g):
        return (jax.pure_callback(lambda v, g: np.asarray(g) * (np.asarray(v) > 0), sd(z.shape, z.dtype), z, g),)
    relu.defvjp(fwd, bwd)
    return train(i, lambda p, d: mlp_loss(p, d, relu), 0.01)


@reg("mlp_b1")
def _(i):
    def f(x, p):
        h = jax.nn.relu(x @ p["fc1.w"] + p["fc1.b"])
        h = jax.nn.relu(h @ p["fc2.w"] + p["fc2.b"])
        return h @ p["fc3.w"] + p["fc3.b"]
    return infer(f, dev(i["x"]), dev(i["p"]))


# --------------------------------------------------------------- convolutions
NHWC = os.environ.get("BENCH_JAX_NHWC", "1") == "1"


def conv(x, wt, s=1, p=0):
    """wt OIHW in memory of the state; layout of the images NHWC (faster in XLA's CPU backend)"""
    if NHWC:
        return lax.conv_general_dilated(x, wt.transpose(2, 3, 1, 0), (s, s), ((p, p), (p, p)),
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return lax.conv_general_dilated(x, wt, (s, s), ((p, p), (p, p)), dimension_numbers=("NCHW", "OIHW", "NCHW"))


def ch(v):
    return v if NHWC else v[:, None, None]


def pool(x, k, s, p=0):
    if NHWC:
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, k, k, 1), (1, s, s, 1), ((0, 0), (p, p), (p, p), (0, 0)))
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, k, k), (1, 1, s, s), ((0, 0), (0, 0), (p, p), (p, p)))


def img(i):
    x = i["x"].transpose(0, 2, 3, 1) if NHWC else i["x"]
    return {**i, "x": np.ascontiguousarray(x)}


def lenet(p, x):
    x = pool(jax.nn.relu(conv(x, p["conv1.w"], 1, 2) + ch(p["conv1.b"])), 2, 2)
    x = pool(jax.nn.relu(conv(x, p["conv2.w"]) + ch(p["conv2.b"])), 2, 2)
    if NHWC:
        x = x.transpose(0, 3, 1, 2)
    x = x.reshape(x.shape[0], 400)
    x = jax.nn.relu(x @ p["fc1.w"] + p["fc1.b"])
    x = jax.nn.relu(x @ p["fc2.w"] + p["fc2.b"])
    return x @ p["fc3.w"] + p["fc3.b"]


B["lenet_infer"] = lambda i: infer(lambda p, x: lenet(p, x), dev(i["p"]), dev(img(i)["x"]))
B["lenet_train"] = lambda i: train(img(i), lambda p, d: ce(lenet(p, d["x"]), d["y"]), 0.01)


def resnet(p, q, x, kind, training):
    stem, blocks, _ = w.resnet_plan(kind)
    ax = (0, 1, 2) if NHWC else (0, 2, 3)
    nq = {}

    def bn(x, n):
        if training:
            m = x.mean(ax)
            v = jnp.square(x - ch(m)).mean(ax)
            nq[n + ".m"] = 0.9 * q[n + ".m"] + 0.1 * m
            nq[n + ".v"] = 0.9 * q[n + ".v"] + 0.1 * v
        else:
            m, v = q[n + ".m"], q[n + ".v"]
        s = p[n + ".g"] * lax.rsqrt(v + 1e-5)
        return x * ch(s) + ch(p[n + ".b"] - m * s)
    x = jax.nn.relu(bn(conv(x, p["stem.w"], stem["s"], stem["p"]), "bn0"))
    if stem["pool"]:
        x = pool(x, 3, 2, 1)
    for n, ci, co, s in blocks:
        y = jax.nn.relu(bn(conv(x, p[n + ".c1.w"], s, 1), n + ".n1"))
        y = bn(conv(y, p[n + ".c2.w"], 1, 1), n + ".n2")
        d = bn(conv(x, p[n + ".cd.w"], s, 0), n + ".nd") if n + ".cd.w" in p else x
        x = jax.nn.relu(y + d)
    return x.mean((1, 2) if NHWC else (2, 3)) @ p["fc.w"] + p["fc.b"], nq


B["resnet18_infer"] = lambda i: infer(lambda p, q, x: resnet(p, q, x, 18, False)[0], dev(i["p"]), dev(i["q"]),
                                      dev(img(i)["x"]))


@reg("resnet20_train")
def _(i):
    def loss(p, q, d):
        o, nq = resnet(p, q, d["x"], 20, True)
        return ce(o, d["y"]), nq
    return train(img(i), loss, 0.01, aux=i["q"])


# ---------------------------------------------------------------------- LSTM
UNROLL = int(os.environ.get("BENCH_JAX_UNROLL", "1"))


def lstm(x, p):
    n = x.shape[1]
    zx = x @ p["wx"] + p["b"]

    def cell(s, z):
        h, c = s
        z = z + h @ p["wh"]
        i, f, g, o = jnp.split(z, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    z = jnp.zeros((n, w.LH), jnp.float32)
    return lax.scan(cell, (z, z), zx, unroll=UNROLL)[1]


B["lstm_b1_fwd"] = B["lstm_b32_fwd"] = lambda i: infer(lstm, dev(i["x"]), dev(i["p"]))


@reg("lstm_b1_fb lstm_b32_fb")
def _(i):
    f = jax.jit(jax.value_and_grad(lambda p, x: jnp.square(lstm(x, p)).mean()))
    x, p = dev(i["x"]), dev(i["p"])
    return (lambda: jax.block_until_ready(f(p, x))), (
        lambda o: [np.asarray(o[0])] + [np.asarray(o[1][k]) for k in ("wx", "wh", "b")])


# -------------------------------------------------------------- control flow
@reg("newton")
def _(i):
    def f(a):
        return lax.while_loop(lambda x: jnp.max(jnp.abs(x * x - a) / a) > w.NEWTON_TOL,
                              lambda x: 0.5 * (x + a / x), a)
    return infer(f, dev(i["a"]))


@reg("rk45")
def _(i):
    a, b, c, d = w.LV

    def f(y):
        return jnp.stack((a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]))

    def body(s):
        y, t, h, n = s
        h = jnp.minimum(h, w.RK_T1 - t)
        ks = [f(y)]
        for st in range(1, 7):
            z = y
            for q, k in zip(w.DP_A[st], ks):
                if q:
                    z = z + (h * q) * k
            ks.append(f(z))
        e = h * sum(q * k for q, k in zip(w.DP_E, ks) if q)
        err = jnp.sqrt(jnp.mean((e / (w.RK_TOL + w.RK_TOL * jnp.maximum(jnp.abs(y), jnp.abs(z)))) ** 2))
        ok = err <= 1.0
        fac = jnp.clip(0.9 * (err + 1e-12) ** -0.2, 0.2, 5.0)
        return jnp.where(ok, z, y), jnp.where(ok, t + h, t), h * fac, n + 1.0

    def solve(y0):
        y, t, h, n = lax.while_loop(lambda s: s[1] < w.RK_T1, body, (y0, 0.0, w.RK_H0, 0.0))
        return y, n
    return infer(solve, dev(i["y0"]))


@reg("mandelbrot")
def _(i):
    def f(cr, ci):
        def body(s):
            zr, zi, n, active, it = s
            r2, i2 = zr * zr, zi * zi
            active = active & (r2 + i2 <= 4.0)
            return (jnp.where(active, r2 - i2 + cr, zr), jnp.where(active, 2.0 * zr * zi + ci, zi), n + active,
                    active, it + 1)
        s = (jnp.zeros_like(cr), jnp.zeros_like(cr), jnp.zeros(cr.shape, jnp.int32), jnp.ones(cr.shape, bool), 0)
        return lax.while_loop(lambda s: (s[4] < w.MB_IT) & s[3].any(), body, s)[2]
    return infer(f, dev(i["cr"]), dev(i["ci"]))


@reg("collatz")
def _(i):
    def f(n):
        def body(s):
            n, c = s
            act = n != 1
            return jnp.where(act, jnp.where(n % 2 == 0, n // 2, 3 * n + 1), n), c + act
        return lax.while_loop(lambda s: (s[0] != 1).any(), body, (n, jnp.zeros_like(n)))[1]
    return infer(f, dev(i["n"]))


# --------------------------------------------------------------- transformer
def enc(x, p, pre=""):
    b, s, d = x.shape
    q, k, v = jnp.moveaxis((x @ p[pre + "qkv.w"] + p[pre + "qkv.b"]).reshape(b, s, 3, w.TH, d // w.TH), 2, 0)
    a = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) * (1 / math.sqrt(d // w.TH)), -1)
    o = jnp.einsum("bhqk,bkhd->bqhd", a, v).reshape(b, s, d)
    x = layernorm(x + (o @ p[pre + "out.w"] + p[pre + "out.b"]), p[pre + "ln1.g"], p[pre + "ln1.b"])
    f = jax.nn.gelu(x @ p[pre + "ff1.w"] + p[pre + "ff1.b"], approximate=False) @ p[pre + "ff2.w"] + p[pre + "ff2.b"]
    return layernorm(x + f, p[pre + "ln2.g"], p[pre + "ln2.b"])


B["enc_fwd"] = lambda i: infer(lambda p, x: enc(x, p), dev(i["p"]), dev(i["x"]))
B["enc_train"] = lambda i: train(i, lambda p, d: jnp.square(enc(d["x"], p) - d["y"]).mean(), 0.01)


@reg("bert_mini")
def _(i):
    def f(p, ids):
        x = layernorm(p["tok"][ids] + p["pos"][:ids.shape[1]], p["eln.g"], p["eln.b"])
        x = enc(enc(x, p, "a."), p, "b.")
        return x, jnp.tanh(x[:, 0] @ p["pool.w"] + p["pool.b"])
    return infer(f, dev(i["p"]), dev(i["ids"]))


@reg("adam")
def _(i):
    A = w.ADAM
    st = [dev(i["p"]), jax.tree.map(lambda a: jnp.zeros(a.shape, jnp.float32), i["p"]),
          jax.tree.map(lambda a: jnp.zeros(a.shape, jnp.float32), i["p"]), jnp.zeros((), jnp.float32)]
    g = dev(i["g"])

    def step(p, m, v, n, g):
        n = n + 1
        c1, c2 = 1 - A["b1"] ** n, 1 - A["b2"] ** n
        m = jax.tree.map(lambda m, g: A["b1"] * m + (1 - A["b1"]) * g, m, g)
        v = jax.tree.map(lambda v, g: A["b2"] * v + (1 - A["b2"]) * g * g, v, g)
        p = jax.tree.map(lambda p, m, v: p - A["lr"] * (m / c1) / (jnp.sqrt(v / c2) + A["eps"]), p, m, v)
        return p, m, v, n
    f = jax.jit(step, donate_argnums=(0, 1, 2, 3))

    def run():
        st[:] = f(*st, g)
        jax.block_until_ready(st[0])
    return run, lambda o: [np.asarray(0.0)] + [np.asarray(st[0][k]) for k in i["p"]]


@reg("tower")
def _(i):
    def f(h, p):
        for n in range(w.TWL):
            t = h @ p[f"w{n}"] + p[f"b{n}"]
            h = h + 0.1 * (jnp.tanh(t) * jax.nn.sigmoid(t))
        return h
    x, p = dev(i["x"]), dev(i["p"])
    if os.environ.get("BENCH_MEM"):
        MEM["temp"] = jax.jit(f).lower(x, p).compile().memory_analysis().temp_size_in_bytes
    return infer(f, x, p)
