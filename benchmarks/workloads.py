"""The workloads, each defined once: inputs (fixed seed), float64 reference, costs.

A workload's inputs are plain numpy arrays (float32 unless its name says f64).
Weights are kept as (in, out) for `x @ W + b` and OIHW for convolutions, images
as NCHW; a peer converts them to its own natural layout outside the timing.

`ref` returns the list of outputs a peer has to match on its FIRST call.
For training steps that is [loss, new parameters...]; parameters are compared
as updates (new - old), so that a wrong gradient cannot hide behind the weight.
"""

import math
from dataclasses import dataclass

import numpy as np
import tape64 as tp

F32 = np.float32


@dataclass
class Workload:
    name: str
    group: str
    title: str
    make: object  # rng -> dict of arrays / dict "p" of parameters
    ref: object  # inputs -> list of float64 arrays
    tol: float = 2e-4  # relative norm error allowed
    flops: float = 0.0  # useful floating point work (mul+add = 2)
    bytes: float = 0.0  # compulsory memory traffic (inputs once, outputs once)
    bound: str = "latency"  # latency | bandwidth | flops
    train: bool = False  # outputs are [loss, params...]: compare updates


W = {}


def reg(**k):
    w = Workload(**k)
    W[w.name] = w


def inputs_of(name):
    return W[name].make(np.random.default_rng(20261120))


def f64(x):
    if isinstance(x, dict):
        return {k: f64(v) for k, v in x.items()}
    return x.astype(np.float64) if x.dtype == F32 else x


# --------------------------------------------------------------- 1 dispatch
reg(
    name="dispatch",
    group="1",
    title="y = x*2+1 on 8 floats",
    make=lambda r: {"x": r.standard_normal(8).astype(F32)},
    ref=lambda i: [f64(i)["x"] * 2 + 1],
    flops=16,
    bytes=64,
)

# ------------------------------------------------------------ 2 elementwise
ROWS, COLS = 4096, 1024
GC = math.sqrt(2 / math.pi)


def gelu_tanh(xp, u):
    return 0.5 * u * (1.0 + xp.tanh(GC * (u + 0.044715 * u * u * u)))


def _gelu_make(r):
    return {
        "x": r.standard_normal((ROWS, COLS)).astype(F32),
        "bias": r.standard_normal(COLS).astype(F32),
        "res": r.standard_normal((ROWS, COLS)).astype(F32),
    }


def _gelu_ref(i):
    i = f64(i)
    return [i["res"] + 0.7 * gelu_tanh(np, i["x"] + i["bias"])]


reg(
    name="gelu",
    group="2",
    title="res + 0.7*gelu_tanh(x+bias), (4096,1024) f32",
    make=_gelu_make,
    ref=_gelu_ref,
    flops=ROWS * COLS * 30,
    bytes=3 * 4 * ROWS * COLS,
    bound="bandwidth",
)


def chain20(xp, x):
    """24 elementwise operations; works with any array namespace"""
    a = x * 0.5
    c = xp.log(a + 1.5)
    d = xp.exp(-a)
    e = xp.sqrt(a + 1.5)
    f = xp.where(x > 0.0, c, d)
    h = xp.tanh(f) * e + c
    k = xp.sqrt(xp.abs(h) + 1.0)
    m = xp.log(xp.exp(-k) + 1.0)
    o = xp.tanh(m * h) / (e + d)
    return xp.where(o < 0.1, o, e * m)


reg(
    name="chain20",
    group="2",
    title="24-op chain exp/log/sqrt/where/tanh, (4096,1024) f32",
    make=lambda r: {"x": r.uniform(-2, 2, (ROWS, COLS)).astype(F32)},
    ref=lambda i: [chain20(np, f64(i)["x"])],
    tol=3e-3,
    flops=ROWS * COLS * 110,  # tol: the comparison may flip
    bytes=2 * 4 * ROWS * COLS,
    bound="bandwidth",
)

BSN = 1_000_000
RATE, VOL = 0.02, 0.3


def black_scholes(xp, erf, s, k, t):
    sq = VOL * xp.sqrt(t)
    d1 = (xp.log(s / k) + (RATE + 0.5 * VOL * VOL) * t) / sq
    d2 = d1 - sq
    n1 = 0.5 + 0.5 * erf(d1 * 0.7071067811865476)
    n2 = 0.5 + 0.5 * erf(d2 * 0.7071067811865476)
    disc = k * xp.exp(-RATE * t)
    call = s * n1 - disc * n2
    return call, call - s + disc


def _bs_make(dt):
    return lambda r: {
        "s": r.uniform(10, 50, BSN).astype(dt),
        "k": r.uniform(10, 50, BSN).astype(dt),
        "t": r.uniform(0.5, 2, BSN).astype(dt),
    }


def _bs_ref(i):
    from scipy.special import erf

    i = f64(i)
    return list(black_scholes(np, erf, i["s"], i["k"], i["t"]))


reg(
    name="bs_f32",
    group="2",
    title="Black-Scholes call+put, 1e6 float32",
    make=_bs_make(F32),
    ref=_bs_ref,
    flops=BSN * 100,
    bytes=5 * 4 * BSN,
    bound="bandwidth",
)
reg(
    name="bs_f64",
    group="2",
    title="Black-Scholes call+put, 1e6 float64",
    make=_bs_make(np.float64),
    ref=_bs_ref,
    tol=1e-6,
    flops=BSN * 150,
    bytes=5 * 8 * BSN,
    bound="bandwidth",
)


# ---------------------------------------------------------- 3 row reductions
def _x4(r):
    return r.standard_normal((ROWS, COLS)).astype(F32)


def _softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


reg(
    name="softmax",
    group="3",
    title="row softmax (4096,1024) f32",
    make=lambda r: {"x": _x4(r)},
    ref=lambda i: [_softmax(f64(i)["x"])],
    flops=ROWS * COLS * 15,
    bytes=2 * 4 * ROWS * COLS,
    bound="bandwidth",
)


def _ln_make(r):
    return {"x": _x4(r), "w": r.uniform(0.5, 1.5, COLS).astype(F32), "b": r.standard_normal(COLS).astype(F32)}


def _ln_ref(i):
    i = f64(i)
    x = i["x"]
    mu = x.mean(-1, keepdims=True)
    v = ((x - mu) ** 2).mean(-1, keepdims=True)
    return [(x - mu) / np.sqrt(v + 1e-5) * i["w"] + i["b"]]


reg(
    name="layernorm",
    group="3",
    title="layer norm with affine (4096,1024) f32",
    make=_ln_make,
    ref=_ln_ref,
    flops=ROWS * COLS * 9,
    bytes=2 * 4 * ROWS * COLS,
    bound="bandwidth",
)
reg(
    name="rowred",
    group="3",
    title="row sum, max, sum of squares (4096,1024) f32",
    make=lambda r: {"x": _x4(r)},
    ref=lambda i: [f64(i)["x"].sum(-1), f64(i)["x"].max(-1), (f64(i)["x"] ** 2).sum(-1)],
    flops=ROWS * COLS * 4,
    bytes=4 * ROWS * COLS,
    bound="bandwidth",
)


def _lse_ref(i):
    x = f64(i)["x"]
    m = x.max(-1, keepdims=True)
    lse = m[:, 0] + np.log(np.exp(x - m).sum(-1))
    return [np.asarray((lse - x[np.arange(len(x)), i["y"]]).mean())]


reg(
    name="lse_loss",
    group="3",
    title="mean(logsumexp(x) - x[label]) (4096,1024) f32",
    make=lambda r: {"x": _x4(r), "y": r.integers(0, COLS, ROWS)},
    ref=_lse_ref,
    flops=ROWS * COLS * 13,
    bytes=4 * ROWS * COLS,
    bound="bandwidth",
)


# ------------------------------------------------------------- training refs
def train_ref(forward, lr):
    def ref(i):
        p = {k: tp.T(v) for k, v in i["p"].items()}
        loss = forward({k: v for k, v in i.items() if k != "p"}, p)
        loss.backward()
        return [loss.d] + [v.d - lr * v.g for v in p.values()]

    return ref


def _lin(r, i, o):
    b = 1 / math.sqrt(i)
    return r.uniform(-b, b, (i, o)).astype(F32), r.uniform(-b, b, o).astype(F32)


def lin_params(r, dims, p=None, prefix="fc"):
    p = {} if p is None else p
    for n, (i, o) in enumerate(zip(dims, dims[1:]), 1):
        p[f"{prefix}{n}.w"], p[f"{prefix}{n}.b"] = _lin(r, i, o)
    return p


# --------------------------------------------------------------------- 4 MLP
def _mlp_make(r):
    return {
        "x": r.uniform(0, 1, (256, 784)).astype(F32),
        "y": r.integers(0, 10, 256),
        "p": lin_params(r, (784, 100, 10)),
    }


def _mlp_fwd(i, p):
    h = tp.relu(tp.lift(i["x"]) @ p["fc1.w"] + p["fc1.b"])
    return tp.cross_entropy(h @ p["fc2.w"] + p["fc2.b"], i["y"])


for _n, _t in (
    ("mlp_train", "MLP 784-100-10 b256 SGD step"),
    ("mlp_train_pycb", "same, the ReLU a custom Python callback with its own gradient"),
):
    reg(
        name=_n,
        group="4",
        title=_t,
        make=_mlp_make,
        ref=train_ref(_mlp_fwd, 0.01),
        tol=5e-3,
        train=True,
        flops=2 * 256 * (2 * 784 * 100 + 3 * 1000),
        bytes=4 * (256 * 784 + 2 * 79510),
        bound="flops",
    )


# ------------------------------------------------------- 5 small MLP latency
def _mlp1_make(r):
    return {"x": r.standard_normal((1, 64)).astype(F32), "p": lin_params(r, (64, 64, 64, 10))}


def _mlp1_ref(i):
    p = f64(i["p"])
    h = f64(i)["x"]
    for n in (1, 2, 3):
        h = h @ p[f"fc{n}.w"] + p[f"fc{n}.b"]
        h = np.maximum(h, 0) if n < 3 else h
    return [h]


reg(
    name="mlp_b1",
    group="5",
    title="MLP 64-64-64-10 inference batch 1",
    make=_mlp1_make,
    ref=_mlp1_ref,
    flops=2 * (64 * 64 * 2 + 640),
    bytes=4 * 9000,
)


# ------------------------------------------------------------------- 6 LeNet
def lenet_params(r):
    p = {}

    def conv(n, o, i, k):
        b = 1 / math.sqrt(i * k * k)
        p[n + ".w"] = r.uniform(-b, b, (o, i, k, k)).astype(F32)
        p[n + ".b"] = r.uniform(-b, b, o).astype(F32)

    conv("conv1", 6, 1, 5)
    conv("conv2", 16, 6, 5)
    return lin_params(r, (400, 120, 84, 10), p)


def lenet_fwd(i, p):
    x = tp.lift(i["x"])
    x = tp.maxpool(tp.relu(tp.conv2d(x, p["conv1.w"], 1, 2) + p["conv1.b"].reshape(1, -1, 1, 1)), 2, 2)
    x = tp.maxpool(tp.relu(tp.conv2d(x, p["conv2.w"]) + p["conv2.b"].reshape(1, -1, 1, 1)), 2, 2)
    x = x.reshape(x.shape[0], 400)
    x = tp.relu(x @ p["fc1.w"] + p["fc1.b"])
    x = tp.relu(x @ p["fc2.w"] + p["fc2.b"])
    return x @ p["fc3.w"] + p["fc3.b"]


def _lenet_make(r):
    return {"x": r.standard_normal((64, 1, 28, 28)).astype(F32), "y": r.integers(0, 10, 64), "p": lenet_params(r)}


_LENET = 64 * 2 * (28 * 28 * 6 * 25 + 100 * 16 * 150 + 400 * 120 + 120 * 84 + 840)
reg(
    name="lenet_infer",
    group="6",
    title="LeNet-5 b64 inference",
    make=_lenet_make,
    ref=lambda i: [lenet_fwd(i, {k: tp.T(v) for k, v in i["p"].items()}).d],
    flops=_LENET,
    bound="flops",
    bytes=4 * 64 * 784,
)
reg(
    name="lenet_train",
    group="6",
    title="LeNet-5 b64 SGD step",
    make=_lenet_make,
    ref=train_ref(lambda i, p: tp.cross_entropy(lenet_fwd(i, p), i["y"]), 0.01),
    tol=5e-3,
    train=True,
    flops=3 * _LENET - 64 * 2 * 28 * 28 * 6 * 25,
    bound="flops",
    bytes=4 * 64 * 784,
)


# ------------------------------------------------------------------ 7 ResNet
def resnet_plan(kind):
    """[(block name, in, out, stride)], stem description"""
    if kind == 18:
        chans, reps, stem = (64, 128, 256, 512), 2, dict(cin=3, cout=64, k=7, s=2, p=3, pool=True)
    else:
        chans, reps, stem = (16, 32, 64), 3, dict(cin=3, cout=16, k=3, s=1, p=1, pool=False)
    blocks, cin = [], stem["cout"]
    for li, c in enumerate(chans):
        for b in range(reps):
            blocks.append((f"l{li}b{b}", cin, c, 2 if (b == 0 and li > 0) else 1))
            cin = c
    return stem, blocks, cin


def resnet_params(r, kind, nclass):
    """parameters p (trained) and buffers q (running statistics)"""
    p, q = {}, {}

    def conv(n, o, i, k):
        p[n + ".w"] = (r.standard_normal((o, i, k, k)) * math.sqrt(2 / (o * k * k))).astype(F32)

    def bn(n, c):
        p[n + ".g"], p[n + ".b"] = r.uniform(0.5, 1.5, c).astype(F32), (0.1 * r.standard_normal(c)).astype(F32)
        q[n + ".m"], q[n + ".v"] = (0.1 * r.standard_normal(c)).astype(F32), r.uniform(0.5, 1.5, c).astype(F32)

    stem, blocks, c = resnet_plan(kind)
    conv("stem", stem["cout"], 3, stem["k"])
    bn("bn0", stem["cout"])
    for n, i, o, s in blocks:
        conv(n + ".c1", o, i, 3), bn(n + ".n1", o), conv(n + ".c2", o, o, 3), bn(n + ".n2", o)
        if s != 1 or i != o:
            conv(n + ".cd", o, i, 1), bn(n + ".nd", o)
    p["fc.w"], p["fc.b"] = _lin(r, c, nclass)
    return p, q


def resnet_fwd(i, p, kind, train):
    stem, blocks, _ = resnet_plan(kind)
    q = i["q"]

    def bn(x, n):
        if train:
            return tp.batchnorm_train(x, p[n + ".g"], p[n + ".b"])
        return tp.batchnorm_eval(x, p[n + ".g"], p[n + ".b"], f64(q)[n + ".m"], f64(q)[n + ".v"])

    x = tp.relu(bn(tp.conv2d(tp.lift(i["x"]), p["stem.w"], stem["s"], stem["p"]), "bn0"))
    if stem["pool"]:
        x = tp.maxpool(x, 3, 2, 1)
    for n, ci, co, s in blocks:
        y = tp.relu(bn(tp.conv2d(x, p[n + ".c1.w"], s, 1), n + ".n1"))
        y = bn(tp.conv2d(y, p[n + ".c2.w"], 1, 1), n + ".n2")
        d = bn(tp.conv2d(x, p[n + ".cd.w"], s, 0), n + ".nd") if n + ".cd.w" in p else x
        x = tp.relu(y + d)
    return x.mean((2, 3)) @ p["fc.w"] + p["fc.b"]


def resnet_flops(kind, hw):
    stem, blocks, c = resnet_plan(kind)
    hw //= stem["s"]
    f = stem["cout"] * 3 * stem["k"] ** 2 * hw * hw
    hw //= 2 if stem["pool"] else 1
    for n, i, o, s in blocks:
        hw //= s
        f += hw * hw * (9 * i * o + 9 * o * o + (i * o if s != 1 or i != o else 0))
    return 2 * f


def _r18_make(r):
    p, q = resnet_params(r, 18, 1000)
    return {"x": r.standard_normal((1, 3, 224, 224)).astype(F32), "p": p, "q": q}


def _r20_make(r):
    p, q = resnet_params(r, 20, 10)
    return {"x": r.standard_normal((32, 3, 32, 32)).astype(F32), "y": r.integers(0, 10, 32), "p": p, "q": q}


reg(
    name="resnet18_infer",
    group="7",
    title="ResNet-18 224x224 b1 inference",
    make=_r18_make,
    ref=lambda i: [resnet_fwd(i, {k: tp.T(v) for k, v in i["p"].items()}, 18, False).d],
    flops=resnet_flops(18, 224),
    bytes=4 * 11.7e6,
    bound="flops",
    tol=1e-3,
)
reg(
    name="resnet20_train",
    group="7",
    title="ResNet-20 CIFAR b32 SGD step",
    make=_r20_make,
    ref=train_ref(lambda i, p: tp.cross_entropy(resnet_fwd(i, p, 20, True), i["y"]), 0.01),
    tol=2e-2,
    train=True,
    flops=3 * 32 * resnet_flops(20, 32),
    bytes=4 * 32 * 3072,
    bound="flops",
)

# -------------------------------------------------------------------- 8 LSTM
LT, LH = 128, 64


def _lstm_make(b):
    def make(r):
        k = 1 / math.sqrt(LH)
        return {
            "x": r.standard_normal((LT, b, LH)).astype(F32),
            "p": {
                "wx": r.uniform(-k, k, (LH, 4 * LH)).astype(F32),
                "wh": r.uniform(-k, k, (LH, 4 * LH)).astype(F32),
                "b": r.uniform(-k, k, 4 * LH).astype(F32),
            },
        }

    return make


def lstm_fwd(i, p):
    """gate order i f g o; returns the list of T hidden states"""
    x = i["x"].astype(np.float64)
    h = c = tp.T(np.zeros((x.shape[1], LH)))
    hs = []
    for t in range(LT):
        z = tp.lift(x[t]) @ p["wx"] + h @ p["wh"] + p["b"]
        ig, fg = tp.sigmoid(z[:, :LH]), tp.sigmoid(z[:, LH : 2 * LH])
        gg, og = tp.tanh(z[:, 2 * LH : 3 * LH]), tp.sigmoid(z[:, 3 * LH :])
        c = fg * c + ig * gg
        h = og * tp.tanh(c)
        hs.append(h)
    return hs


def _lstm_ref_f(i):
    return [np.stack([h.d for h in lstm_fwd(i, {k: tp.T(v) for k, v in i["p"].items()})])]


def _lstm_ref_fb(i):
    """loss = mean(h^2) over all steps; outputs loss and gradients"""
    p = {k: tp.T(v) for k, v in i["p"].items()}
    s = None
    for h in lstm_fwd(i, p):
        q = (h * h).sum()
        s = q if s is None else s + q
    loss = s * (1.0 / i["x"].size)
    loss.backward()
    return [loss.d] + [p[k].g for k in ("wx", "wh", "b")]


for _b in (1, 32):
    _fl = LT * _b * 2 * 2 * LH * 4 * LH
    reg(
        name=f"lstm_b{_b}_fwd",
        group="8",
        title=f"LSTM T=128 h=64 b{_b} forward (Python loop)",
        make=_lstm_make(_b),
        ref=_lstm_ref_f,
        flops=_fl,
        bytes=4 * 2 * LT * _b * LH,
        bound="flops",
    )
    reg(
        name=f"lstm_b{_b}_fb",
        group="8",
        title=f"LSTM T=128 h=64 b{_b} forward+backward",
        make=_lstm_make(_b),
        ref=_lstm_ref_fb,
        flops=2.5 * _fl,
        bytes=4 * 2 * LT * _b * LH,
        bound="flops",
        tol=2e-3,
    )


# ------------------------------------------------- 9 data-dependent control flow
NEWTON_TOL = 1e-5


def _newton_ref(i):
    return [np.sqrt(f64(i)["a"])]


reg(
    name="newton",
    group="9",
    title="Newton sqrt of 16 f32 until max rel. error < 1e-5",
    make=lambda r: {"a": np.geomspace(1.0, 1e4, 16).astype(F32)},
    ref=_newton_ref,
    flops=16 * 14 * 6,
    bytes=128,
)

# Dormand-Prince 5(4)
DP_A = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
DP_E = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
RK_TOL, RK_T1, RK_H0 = 1e-6, 20.0, 0.01
LV = (1.5, 1.0, 3.0, 1.0)  # Lotka-Volterra a b c d


def rk45_ref(i):
    a, b, c, d = LV

    def f(y):
        return np.array([a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]])

    y, t, h, n = i["y0"].copy(), 0.0, RK_H0, 0
    while t < RK_T1:
        h = min(h, RK_T1 - t)
        ks = [f(y)]
        for s in range(1, 7):
            z = y.copy()
            for w, k in zip(DP_A[s], ks):
                z = z + (h * w) * k
            ks.append(f(z))
        e = h * sum(w * k for w, k in zip(DP_E, ks))
        err = np.sqrt(np.mean((e / (RK_TOL + RK_TOL * np.maximum(np.abs(y), np.abs(z)))) ** 2))
        if err <= 1.0:
            t, y = t + h, z
        h = h * min(5.0, max(0.2, 0.9 * (err + 1e-12) ** -0.2))
        n += 1
    return [y, np.asarray(float(n))]


reg(
    name="rk45",
    group="9",
    title="adaptive RK45 (Dormand-Prince), Lotka-Volterra to t=20, f64, tol 1e-6",
    make=lambda r: {"y0": np.array([1.0, 1.0])},
    ref=rk45_ref,
    tol=1e-4,
    flops=300 * 7 * 30,
)

MB_N, MB_IT = 256, 200


def _mb_make(r):
    x = np.linspace(-2.2, 0.8, MB_N).astype(F32)
    y = np.linspace(-1.5, 1.5, MB_N).astype(F32)
    return {
        "cr": np.broadcast_to(x[None, :], (MB_N, MB_N)).copy(),
        "ci": np.broadcast_to(y[:, None], (MB_N, MB_N)).copy(),
    }


def mandel_np(cr, ci):
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    n = np.zeros(cr.shape, np.int32)
    active = np.ones(cr.shape, bool)
    it = 0
    while it < MB_IT and active.any():
        r2, i2 = zr * zr, zi * zi
        active = active & (r2 + i2 <= 4.0)
        zi = np.where(active, 2.0 * zr * zi + ci, zi)
        zr = np.where(active, r2 - i2 + cr, zr)
        n = n + active
        it += 1
    return n


reg(
    name="mandelbrot",
    group="9",
    title="Mandelbrot 256x256 f32, while it<200 and any(active)",
    make=_mb_make,
    ref=lambda i: [mandel_np(i["cr"], i["ci"]).astype(np.float64)],
    tol=3e-2,
    flops=MB_N * MB_N * 60 * 9,
    bound="latency",
)


def collatz_np(n):
    c = np.zeros_like(n)
    while (n != 1).any():
        act = n != 1
        n = np.where(act, np.where(n % 2 == 0, n // 2, 3 * n + 1), n)
        c = c + act
    return c


reg(
    name="collatz",
    group="9",
    title="Collatz step counts of 1..65536, int64, while any(n!=1)",
    make=lambda r: {"n": np.arange(1, 65537, dtype=np.int64).reshape(256, 256)},
    ref=lambda i: [collatz_np(i["n"]).astype(np.float64)],
    tol=0.0,
    flops=7.1e6 * 5,
)

# ------------------------------------------------------------- 10 transformer
TD, TH, TS, TB, TF = 256, 4, 128, 8, 1024


def enc_params(r, p, pre):
    for n, (i, o) in {"qkv": (TD, 3 * TD), "out": (TD, TD), "ff1": (TD, TF), "ff2": (TF, TD)}.items():
        p[f"{pre}{n}.w"], p[f"{pre}{n}.b"] = _lin(r, i, o)
    for n in ("ln1", "ln2"):
        p[f"{pre}{n}.g"] = r.uniform(0.5, 1.5, TD).astype(F32)
        p[f"{pre}{n}.b"] = (0.1 * r.standard_normal(TD)).astype(F32)
    return p


def enc_block(x, p, pre):
    """post-norm encoder layer (BERT), exact gelu"""
    b, s, d = x.shape
    qkv = (x @ p[pre + "qkv.w"] + p[pre + "qkv.b"]).reshape(b, s, 3, TH, d // TH).transpose(2, 0, 3, 1, 4)
    q, k, v = qkv[0], qkv[1], qkv[2]
    a = tp.softmax((q @ k.transpose(0, 1, 3, 2)) * (1 / math.sqrt(d // TH)))
    o = (a @ v).transpose(0, 2, 1, 3).reshape(b, s, d)
    x = tp.layernorm(x + (o @ p[pre + "out.w"] + p[pre + "out.b"]), p[pre + "ln1.g"], p[pre + "ln1.b"])
    f = tp.gelu(x @ p[pre + "ff1.w"] + p[pre + "ff1.b"]) @ p[pre + "ff2.w"] + p[pre + "ff2.b"]
    return tp.layernorm(x + f, p[pre + "ln2.g"], p[pre + "ln2.b"])


def _enc_make(r):
    return {
        "x": r.standard_normal((TB, TS, TD)).astype(F32),
        "y": r.standard_normal((TB, TS, TD)).astype(F32),
        "p": enc_params(r, {}, ""),
    }


def _enc_flops(b, s):
    return 2 * b * s * (4 * TD * TD + 2 * TD * TF) + 2 * 2 * b * s * s * TD


def _enc_loss(i, p):
    d = enc_block(tp.lift(i["x"]), p, "") - tp.lift(i["y"])
    return (d * d).mean()


reg(
    name="enc_fwd",
    group="10",
    title="encoder block d256 h4 s128 b8 forward",
    make=_enc_make,
    ref=lambda i: [enc_block(tp.lift(i["x"]), {k: tp.T(v) for k, v in i["p"].items()}, "").d],
    flops=_enc_flops(TB, TS),
    bytes=4 * (2 * TB * TS * TD + 0.79e6),
    bound="flops",
)
reg(
    name="enc_train",
    group="10",
    title="encoder block SGD step (MSE)",
    make=_enc_make,
    ref=train_ref(_enc_loss, 0.01),
    tol=2e-2,
    train=True,
    flops=3 * _enc_flops(TB, TS),
    bytes=4 * (2 * TB * TS * TD + 2 * 0.79e6),
    bound="flops",
)

VOCAB, BS_ = 30522, 64


def _bert_make(r):
    p = {
        "tok": (0.02 * r.standard_normal((VOCAB, TD))).astype(F32),
        "pos": (0.02 * r.standard_normal((512, TD))).astype(F32),
        "eln.g": r.uniform(0.5, 1.5, TD).astype(F32),
        "eln.b": (0.1 * r.standard_normal(TD)).astype(F32),
    }
    enc_params(r, p, "a."), enc_params(r, p, "b.")
    p["pool.w"], p["pool.b"] = _lin(r, TD, TD)
    return {"ids": r.integers(0, VOCAB, (1, BS_)), "p": p}


def _bert_ref(i):
    p = {k: tp.T(v) for k, v in i["p"].items()}
    x = tp.T(p["tok"].d[i["ids"]] + p["pos"].d[:BS_])
    x = tp.layernorm(x, p["eln.g"], p["eln.b"])
    x = enc_block(enc_block(x, p, "a."), p, "b.")
    return [x.d, np.tanh(x.d[:, 0] @ p["pool.w"].d + p["pool.b"].d)]


reg(
    name="bert_mini",
    group="10",
    title="2-layer BERT-mini d256 h4 b1 s64 inference",
    make=_bert_make,
    ref=_bert_ref,
    flops=2 * _enc_flops(1, BS_),
    bytes=4 * (2 * 0.79e6 + 3 * BS_ * TD),
    bound="flops",
)

# -------------------------------------------------------------------- 11 Adam
ADAM = dict(lr=1e-3, b1=0.9, b2=0.999, eps=1e-8)
ADAM_SHAPES = [s for _ in range(20) for s in ((244, 244), (256,), (256,))]


def _adam_make(r):
    return {
        "p": {f"p{k}": r.standard_normal(s).astype(F32) for k, s in enumerate(ADAM_SHAPES)},
        "g": {f"p{k}": (0.1 * r.standard_normal(s)).astype(F32) for k, s in enumerate(ADAM_SHAPES)},
    }


def _adam_ref(i):
    out = [np.asarray(0.0)]
    for k, v in i["p"].items():
        g = f64(i["g"][k])
        # first step: mhat = g, vhat = g*g
        out.append(f64(v) - ADAM["lr"] * g / (np.abs(g) + ADAM["eps"]))
    return out


_AN = sum(int(np.prod(s)) for s in ADAM_SHAPES)
reg(
    name="adam",
    group="11",
    title="Adam update of 60 tensors, 1.2M f32",
    make=_adam_make,
    ref=_adam_ref,
    train=True,
    tol=5e-3,
    flops=_AN * 14,
    bytes=_AN * 4 * 7,
    bound="bandwidth",
)

# ------------------------------------------------------------ 12 memory tower
TWN, TWD, TWL = 4096, 256, 32


def _tower_make(r):
    return {
        "x": r.standard_normal((TWN, TWD)).astype(F32),
        "p": {
            f"{k}{n}": v
            for n in range(TWL)
            for k, v in zip(
                ("w", "b"),
                ((r.standard_normal((TWD, TWD)) / 16).astype(F32), (0.1 * r.standard_normal(TWD)).astype(F32)),
            )
        },
    }


def _tower_ref(i):
    p, h = f64(i["p"]), f64(i)["x"]
    for n in range(TWL):
        t = h @ p[f"w{n}"] + p[f"b{n}"]
        h = h + 0.1 * (np.tanh(t) / (1 + np.exp(-t)))
    return [h]


reg(
    name="tower",
    group="12",
    title="32 x [h += 0.1*tanh(t)*sigmoid(t), t = h@W+b], h (4096,256) f32",
    make=_tower_make,
    ref=_tower_ref,
    flops=TWL * 2 * TWN * TWD * TWD,
    bound="flops",
    bytes=4 * (2 * TWN * TWD + TWL * TWD * TWD),
)
TOWER_INTERMEDIATES = TWL * 6 * 4 * TWN * TWD  # t, tanh, sigmoid, product, scaled, h

ALL = list(W)


# ------------------------------------------------------------------- checking
def flat_old(i):
    return [None] + list(i["p"].values())


def check(name, outs, ref, inputs):
    """largest relative norm error over the outputs"""
    w = W[name]
    worst = 0.0
    old = flat_old(inputs) if w.train else [None] * len(ref)
    if len(outs) != len(ref):
        raise ValueError(f"{len(outs)} outputs, expected {len(ref)}")
    for o, r, b in zip(outs, ref, old):
        o = np.asarray(o, dtype=np.float64).reshape(r.shape)
        if b is not None:
            o, r = o - b, r - b
        if not np.isfinite(o).all():
            return float("inf")
        n = np.linalg.norm(r)
        worst = max(worst, float(np.linalg.norm(o - r) / (n if n > 1e-12 else 1.0)))
    return worst
