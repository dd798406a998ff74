"""PyTorch: eager, the library's fused layers, torch.compile, max-autotune, whole-step functional compile."""
import math
import os

import numpy as np
import workloads as w

torch = None
F = nn = None
MODE = "torch_eager"
COMPILED = ("torch_compile", "torch_max", "torch_func")


def load(name, threads):
    global torch, F, nn, MODE
    import torch as t
    import torch.nn.functional as f
    torch, F, nn, MODE = t, f, t.nn, name
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    if name in COMPILED:
        import torch._dynamo
        torch._dynamo.config.cache_size_limit = 256
    b = dict(B)
    if name == "torch_lib":
        b = {k: v for k, v in LIB.items()}
    elif name == "torch_func":
        b = dict(FUNC)
    elif name == "torch_max":
        # where GEMMs are tuned (about 15 s a shape); the training steps are left out for their tuning time
        b = {k: B[k] for k in ("mlp_b1", "lenet_infer", "enc_fwd", "bert_mini", "tower")}
    return {"version": t.__version__, "build": b, "release": release}


def release():
    if MODE in COMPILED:
        torch._dynamo.reset()


B, LIB, FUNC = {}, {}, {}


def reg(n, d=B):
    def deco(f):
        for k in n.split():
            d[k] = f
        return f
    return deco


def ten(a):
    return torch.from_numpy(np.ascontiguousarray(a).copy())


def lst(o):
    return [x.detach().numpy() for x in (o if isinstance(o, (tuple, list)) else (o,))]


def comp(f, infer=False):
    """compile f the way an expert would: static shapes, freezing for inference of modules"""
    if MODE not in COMPILED:
        return f
    kw = {"dynamic": False}
    if MODE == "torch_max":
        kw["mode"] = "max-autotune-no-cudagraphs"
    if infer:
        import torch._inductor.config as ic
        g = torch.compile(f, **kw)

        def call(*a):
            with ic.patch(freezing=True):
                call.f = g
                return g(*a)
        return call
    return torch.compile(f, **kw)


def infer(f, *args, freeze=False):
    """(run, result) of a function without gradients"""
    g = comp(f, infer=freeze)
    im = torch.no_grad if MODE in COMPILED else torch.inference_mode
    ctx = im()
    ctx.__enter__()  # stays on until the first training case turns it off
    g(*args)  # first call compiles; the frozen graph is then called without the config patch
    call = getattr(g, "f", g)
    ctx.__exit__(None, None, None)

    def run():
        with im():
            return call(*args)
    return run, lst


def simple(n, f, *keys):
    def build(i):
        return infer(f, *[ten(i[k]) for k in keys])
    B[n] = build


simple("dispatch", lambda x: x * 2 + 1, "x")
simple("gelu", lambda x, b, r: r + 0.7 * F.gelu(x + b, approximate="tanh"), "x", "bias", "res")
simple("chain20", lambda x: w.chain20(torch, x), "x")
for _k in ("bs_f32", "bs_f64"):
    simple(_k, lambda s, k, t: w.black_scholes(torch, torch.erf, s, k, t), "s", "k", "t")
simple("softmax", lambda x: torch.softmax(x, -1), "x")
simple("layernorm", lambda x, g, b: F.layer_norm(x, (w.COLS,), g, b), "x", "w", "b")
simple("rowred", lambda x: (x.sum(-1), x.amax(-1), (x * x).sum(-1)), "x")
simple("lse_loss", lambda x, y: (torch.logsumexp(x, -1) - x.gather(1, y[:, None])[:, 0]).mean(), "x", "y")


# ------------------------------------------------------------------- modules
def load_linear(m, wt, b):
    with torch.no_grad():
        m.weight.copy_(torch.from_numpy(wt.T.copy()))
        m.bias.copy_(torch.from_numpy(b))


def make_mlp(dims, p, act=None):
    layers = []
    for n, (i, o) in enumerate(zip(dims, dims[1:]), 1):
        l = nn.Linear(i, o)
        load_linear(l, p[f"fc{n}.w"], p[f"fc{n}.b"])
        layers.append(l)
        if n < len(dims) - 1:
            layers.append(nn.ReLU() if act is None else act)
    return nn.Sequential(*layers)


def lin_out(m):
    return [m.weight.detach().numpy().T.copy(), m.bias.detach().numpy().copy()]


def train(model, loss_of, lr, params_out):
    """model + loss compiled together; backward and a fused SGD outside, as users write it"""
    opt = torch.optim.SGD(model.parameters(), lr=lr, fused=True)
    f = comp(loss_of)

    def run():
        opt.zero_grad(set_to_none=True)
        loss = f()
        loss.backward()
        opt.step()
        return loss
    return run, lambda o: [o.detach().numpy()] + params_out(model)


def mlp_out(m):
    return sum((lin_out(l) for l in m if isinstance(l, nn.Linear)), [])


@reg("mlp_train")
def _(i):
    x, y = ten(i["x"]), ten(i["y"])
    m = make_mlp((784, 100, 10), i["p"])
    return train(m, lambda: F.cross_entropy(m(x), y), 0.01, mlp_out)


@reg("mlp_train_pycb")
def _(i):
    class CbRelu(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(z)
            return torch.clamp_min(z, 0)

        @staticmethod
        def backward(ctx, g):
            z, = ctx.saved_tensors
            return g * (z > 0)

    class Act(nn.Module):
        def forward(self, z):
            return CbRelu.apply(z)
    x, y = ten(i["x"]), ten(i["y"])
    m = make_mlp((784, 100, 10), i["p"], Act())
    return train(m, lambda: F.cross_entropy(m(x), y), 0.01, mlp_out)


@reg("mlp_b1")
def _(i):
    m = make_mlp((64, 64, 64, 10), i["p"]).eval()
    return infer(m, ten(i["x"]), freeze=True)


def make_lenet(p):
    m = nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                      nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                      nn.Linear(84, 10))
    with torch.no_grad():
        for k, n in ((0, "conv1"), (3, "conv2")):
            m[k].weight.copy_(torch.from_numpy(p[n + ".w"]))
            m[k].bias.copy_(torch.from_numpy(p[n + ".b"]))
    for k, n in ((7, "fc1"), (9, "fc2"), (11, "fc3")):
        load_linear(m[k], p[n + ".w"], p[n + ".b"])
    return m


def lenet_out(m):
    o = []
    for k in (0, 3):
        o += [m[k].weight.detach().numpy().copy(), m[k].bias.detach().numpy().copy()]
    for k in (7, 9, 11):
        o += lin_out(m[k])
    return o


@reg("lenet_infer")
def _(i):
    return infer(make_lenet(i["p"]).eval(), ten(i["x"]), freeze=True)


@reg("lenet_train")
def _(i):
    x, y = ten(i["x"]), ten(i["y"])
    m = make_lenet(i["p"])
    return train(m, lambda: F.cross_entropy(m(x), y), 0.01, lenet_out)


def make_resnet(kind, i, nclass):
    stem, blocks, c = w.resnet_plan(kind)
    p, q = i["p"], i["q"]

    def conv(n, ci, co, k, s, pad):
        l = nn.Conv2d(ci, co, k, s, pad, bias=False)
        with torch.no_grad():
            l.weight.copy_(torch.from_numpy(p[n + ".w"]))
        return l

    def bn(n, c):
        l = nn.BatchNorm2d(c)
        with torch.no_grad():
            l.weight.copy_(torch.from_numpy(p[n + ".g"]))
            l.bias.copy_(torch.from_numpy(p[n + ".b"]))
            l.running_mean.copy_(torch.from_numpy(q[n + ".m"]))
            l.running_var.copy_(torch.from_numpy(q[n + ".v"]))
        return l

    class Block(nn.Module):
        def __init__(self, n, ci, co, s):
            super().__init__()
            self.c1, self.n1 = conv(n + ".c1", ci, co, 3, s, 1), bn(n + ".n1", co)
            self.c2, self.n2 = conv(n + ".c2", co, co, 3, 1, 1), bn(n + ".n2", co)
            self.down = s != 1 or ci != co
            if self.down:
                self.cd, self.nd = conv(n + ".cd", ci, co, 1, s, 0), bn(n + ".nd", co)

        def forward(self, x):
            y = F.relu(self.n1(self.c1(x)), inplace=True)
            y = self.n2(self.c2(y))
            return F.relu(y + (self.nd(self.cd(x)) if self.down else x), inplace=True)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = conv("stem", 3, stem["cout"], stem["k"], stem["s"], stem["p"])
            self.bn0 = bn("bn0", stem["cout"])
            self.blocks = nn.Sequential(*[Block(*b) for b in blocks])
            self.fc = nn.Linear(c, nclass)
            load_linear(self.fc, p["fc.w"], p["fc.b"])

        def forward(self, x):
            x = F.relu(self.bn0(self.stem(x)), inplace=True)
            if stem["pool"]:
                x = F.max_pool2d(x, 3, 2, 1)
            return self.fc(self.blocks(x).mean((2, 3)))
    return Net()


def resnet_out(m):
    def cb(c, n):
        return [c.weight.detach().numpy().copy(), n.weight.detach().numpy().copy(), n.bias.detach().numpy().copy()]
    o = cb(m.stem, m.bn0)
    for b in m.blocks:
        o += cb(b.c1, b.n1) + cb(b.c2, b.n2)
        if b.down:
            o += cb(b.cd, b.nd)
    return o + lin_out(m.fc)


CL = os.environ.get("BENCH_TORCH_CHANNELS_LAST", "1") == "1"


def fmt(m, x):
    if CL:
        return m.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)
    return m, x


@reg("resnet18_infer")
def _(i):
    m, x = fmt(make_resnet(18, i, 1000).eval(), ten(i["x"]))
    return infer(m, x, freeze=True)


@reg("resnet20_train")
def _(i):
    m, x = fmt(make_resnet(20, i, 10).train(), ten(i["x"]))
    y = ten(i["y"])
    return train(m, lambda: F.cross_entropy(m(x), y), 0.01, resnet_out)


# ---------------------------------------------------------------------- LSTM
def lstm_loop(x, wx, wh, b):
    n = x.shape[1]
    h = x.new_zeros(n, w.LH)
    c = x.new_zeros(n, w.LH)
    zx = x @ wx + b  # the input projection of all steps at once, as an expert writes it
    hs = []
    for zt in zx.unbind(0):  # not zx[t]: its gradient would fill a whole zero tensor a step
        z = torch.addmm(zt, h, wh)
        i, f, g, o = z.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        hs.append(h)
    return torch.stack(hs)


@reg("lstm_b1_fwd lstm_b32_fwd")
def _(i):
    return infer(lstm_loop, ten(i["x"]), *[ten(v) for v in i["p"].values()])


@reg("lstm_b1_fb lstm_b32_fb")
def _(i):
    x = ten(i["x"])
    p = [ten(v).requires_grad_() for v in i["p"].values()]
    f = comp(lambda x, *p: lstm_loop(x, *p).square().mean())

    def run():
        for q in p:
            q.grad = None
        loss = f(x, *p)
        loss.backward()
        return loss
    return run, lambda o: [o.detach().numpy()] + [q.grad.numpy() for q in p]


def lib_lstm(i):
    m = nn.LSTM(w.LH, w.LH)
    with torch.no_grad():
        m.weight_ih_l0.copy_(torch.from_numpy(i["p"]["wx"].T.copy()))
        m.weight_hh_l0.copy_(torch.from_numpy(i["p"]["wh"].T.copy()))
        m.bias_ih_l0.copy_(torch.from_numpy(i["p"]["b"]))
        m.bias_hh_l0.zero_()
    return m


@reg("lstm_b1_fwd lstm_b32_fwd", LIB)
def _(i):
    m = lib_lstm(i)
    return infer(lambda x: m(x)[0], ten(i["x"]))


@reg("lstm_b1_fb lstm_b32_fb", LIB)
def _(i):
    m, x = lib_lstm(i), ten(i["x"])

    def run():
        m.zero_grad(set_to_none=True)
        loss = m(x)[0].square().mean()
        loss.backward()
        return loss
    return run, lambda o: [o.detach().numpy(), m.weight_ih_l0.grad.numpy().T, m.weight_hh_l0.grad.numpy().T,
                           m.bias_ih_l0.grad.numpy()]


# -------------------------------------------------------------- control flow
@reg("newton")
def _(i):
    a = ten(i["a"])

    def newton(a):
        x = a
        while ((x * x - a).abs() / a).amax() > w.NEWTON_TOL:
            x = 0.5 * (x + a / x)
        return x

    step = comp(lambda x, a: (lambda y: (y, ((y * y - a).abs() / a).amax()))(0.5 * (x + a / x)))

    def newton_c(a):  # dynamo breaks at the data-dependent while: the expert compiles the step
        x, e = step(a, a)
        while e > w.NEWTON_TOL:
            x, e = step(x, a)
        return x
    f = newton_c if MODE in COMPILED else newton

    def run():
        with torch.no_grad():
            return f(a)
    return run, lst


def rk_step_t(y, h):
    a, b, c, d = w.LV

    def f(y):
        u, v = y[0], y[1]
        return torch.stack((a * u - b * u * v, -c * v + d * u * v))
    ks = [f(y)]
    for s in range(1, 7):
        z = y
        for q, k in zip(w.DP_A[s], ks):
            if q:
                z = z + (h * q) * k
        ks.append(f(z))
    e = h * sum(q * k for q, k in zip(w.DP_E, ks) if q)
    err = torch.sqrt(torch.mean((e / (w.RK_TOL + w.RK_TOL * torch.maximum(y.abs(), z.abs()))) ** 2))
    fac = torch.clamp(0.9 * (err + 1e-12) ** -0.2, 0.2, 5.0)
    return z, err, fac


@reg("rk45")
def _(i):
    y0 = ten(i["y0"])
    step = comp(rk_step_t)

    def run():
        with torch.no_grad():
            y, t, h, n = y0, torch.zeros((), dtype=torch.float64), torch.full((), w.RK_H0, dtype=torch.float64), 0
            while t < w.RK_T1:
                h = torch.minimum(h, w.RK_T1 - t)
                z, err, fac = step(y, h)
                if err <= 1.0:
                    t, y = t + h, z
                h = h * fac
                n += 1
            return y, torch.tensor(float(n))
    return run, lst


def mb_step(zr, zi, n, active, cr, ci):
    r2, i2 = zr * zr, zi * zi
    active = active & (r2 + i2 <= 4.0)
    zi = torch.where(active, 2.0 * zr * zi + ci, zi)
    zr = torch.where(active, r2 - i2 + cr, zr)
    return zr, zi, n + active, active, active.any()


@reg("mandelbrot")
def _(i):
    cr, ci = ten(i["cr"]), ten(i["ci"])
    step = comp(mb_step)

    def run():
        with torch.no_grad():
            zr, zi = torch.zeros_like(cr), torch.zeros_like(ci)
            n, act = torch.zeros_like(cr, dtype=torch.int32), torch.ones_like(cr, dtype=torch.bool)
            it, more = 0, True
            while it < w.MB_IT and more:
                zr, zi, n, act, more = step(zr, zi, n, act, cr, ci)
                it += 1
            return n
    return run, lst


def cz_step(n, c):
    act = n != 1
    n = torch.where(act, torch.where(n % 2 == 0, n // 2, 3 * n + 1), n)
    return n, c + act, (n != 1).any()


@reg("collatz")
def _(i):
    n0 = ten(i["n"])
    step = comp(cz_step)

    def run():
        with torch.no_grad():
            n, c, more = n0, torch.zeros_like(n0), True
            while more:
                n, c, more = step(n, c)
            return c
    return run, lst


# --------------------------------------------------------------- transformer
def make_enc(p, pre=""):
    class EncBlock(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(w.TD, 3 * w.TD), nn.Linear(w.TD, w.TD)
            self.ff1, self.ff2 = nn.Linear(w.TD, w.TF), nn.Linear(w.TF, w.TD)
            self.ln1, self.ln2 = nn.LayerNorm(w.TD), nn.LayerNorm(w.TD)
            for n in ("qkv", "out", "ff1", "ff2"):
                load_linear(getattr(self, n), p[f"{pre}{n}.w"], p[f"{pre}{n}.b"])
            with torch.no_grad():
                for n in ("ln1", "ln2"):
                    getattr(self, n).weight.copy_(torch.from_numpy(p[f"{pre}{n}.g"]))
                    getattr(self, n).bias.copy_(torch.from_numpy(p[f"{pre}{n}.b"]))

        def forward(self, x):
            b, s, d = x.shape
            q, k, v = self.qkv(x).view(b, s, 3, w.TH, d // w.TH).permute(2, 0, 3, 1, 4).unbind(0)
            o = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, s, d)
            x = self.ln1(x + self.out(o))
            return self.ln2(x + self.ff2(F.gelu(self.ff1(x))))
    return EncBlock()


def enc_out(m):
    o = []
    for n in ("qkv", "out", "ff1", "ff2"):
        o += lin_out(getattr(m, n))
    for n in ("ln1", "ln2"):
        o += [getattr(m, n).weight.detach().numpy().copy(), getattr(m, n).bias.detach().numpy().copy()]
    return o


@reg("enc_fwd")
def _(i):
    return infer(make_enc(i["p"]).eval(), ten(i["x"]), freeze=True)


@reg("enc_train")
def _(i):
    x, y = ten(i["x"]), ten(i["y"])
    m = make_enc(i["p"])
    return train(m, lambda: F.mse_loss(m(x), y), 0.01, enc_out)


@reg("enc_fwd", LIB)
def _(i):
    """nn.TransformerEncoderLayer: its inference fast path"""
    p = i["p"]
    m = nn.TransformerEncoderLayer(w.TD, w.TH, w.TF, 0.0, activation=F.gelu, batch_first=True).eval()
    with torch.no_grad():
        m.self_attn.in_proj_weight.copy_(torch.from_numpy(p["qkv.w"].T.copy()))
        m.self_attn.in_proj_bias.copy_(torch.from_numpy(p["qkv.b"]))
        for l, n in ((m.norm1, "ln1"), (m.norm2, "ln2")):
            l.weight.copy_(torch.from_numpy(p[n + ".g"]))
            l.bias.copy_(torch.from_numpy(p[n + ".b"]))
    load_linear(m.self_attn.out_proj, p["out.w"], p["out.b"])
    load_linear(m.linear1, p["ff1.w"], p["ff1.b"])
    load_linear(m.linear2, p["ff2.w"], p["ff2.b"])
    return infer(m, ten(i["x"]))


@reg("bert_mini")
def _(i):
    p = i["p"]

    class Bert(nn.Module):
        def __init__(self):
            super().__init__()
            self.tok, self.pos = nn.Embedding(w.VOCAB, w.TD), nn.Embedding(512, w.TD)
            self.ln = nn.LayerNorm(w.TD)
            self.a, self.b = make_enc(p, "a."), make_enc(p, "b.")
            self.pool = nn.Linear(w.TD, w.TD)
            load_linear(self.pool, p["pool.w"], p["pool.b"])
            with torch.no_grad():
                self.tok.weight.copy_(torch.from_numpy(p["tok"]))
                self.pos.weight.copy_(torch.from_numpy(p["pos"]))
                self.ln.weight.copy_(torch.from_numpy(p["eln.g"]))
                self.ln.bias.copy_(torch.from_numpy(p["eln.b"]))

        def forward(self, ids):
            x = self.ln(self.tok(ids) + self.pos.weight[:ids.shape[1]])
            x = self.b(self.a(x))
            return x, torch.tanh(self.pool(x[:, 0]))
    return infer(Bert().eval(), ten(i["ids"]), freeze=True)


# ---------------------------------------------------------------------- Adam
@reg("adam")
def _(i):
    p = [ten(v).requires_grad_() for v in i["p"].values()]
    for q, g in zip(p, i["g"].values()):
        q.grad = ten(g)
    kw = dict(lr=w.ADAM["lr"], betas=(w.ADAM["b1"], w.ADAM["b2"]), eps=w.ADAM["eps"])
    if MODE in COMPILED:  # the optimizer's loop traced into the graph
        opt = torch.optim.Adam(p, foreach=True, **kw)
        run = torch.compile(lambda: opt.step(), dynamic=False)
    else:
        opt = torch.optim.Adam(p, fused=True, **kw)
        run = opt.step
    return run, lambda o: [np.asarray(0.0)] + [q.detach().numpy() for q in p]


@reg("adam", LIB)
def _(i):  # foreach, for comparison
    p = [ten(v).requires_grad_() for v in i["p"].values()]
    for q, g in zip(p, i["g"].values()):
        q.grad = ten(g)
    opt = torch.optim.Adam(p, foreach=True, lr=w.ADAM["lr"], betas=(w.ADAM["b1"], w.ADAM["b2"]), eps=w.ADAM["eps"])
    return opt.step, lambda o: [np.asarray(0.0)] + [q.detach().numpy() for q in p]


# --------------------------------------------------------------------- tower
@reg("tower")
def _(i):
    ws, bs = [ten(i["p"][f"w{n}"]) for n in range(w.TWL)], [ten(i["p"][f"b{n}"]) for n in range(w.TWL)]

    def f(h):
        for a, b in zip(ws, bs):
            t = torch.addmm(b, h, a)
            h = h + 0.1 * (torch.tanh(t) * torch.sigmoid(t))
        return h
    return infer(f, ten(i["x"]))


# ---------------------------------------- whole training step, functional style
def func_step(i, loss_fn, lr, wt=()):
    """params in a list updated in place inside one compiled graph"""
    p = {k: ten(v) for k, v in i["p"].items()}
    data = [ten(i[k]) for k in ("x", "y") if k in i]

    def step(p, *data):
        g, loss = torch.func.grad_and_value(loss_fn)(p, *data)
        for k in p:
            p[k].sub_(lr * g[k])
        return loss
    f = comp(step)

    def run():
        with torch.no_grad():
            return f(p, *data)
    return run, lambda o: [o.detach().numpy()] + [v.numpy() for v in p.values()]


@reg("mlp_train", FUNC)
def _(i):
    def loss(p, x, y):
        h = torch.relu(x @ p["fc1.w"] + p["fc1.b"])
        return F.cross_entropy(h @ p["fc2.w"] + p["fc2.b"], y)
    return func_step(i, loss, 0.01)


@reg("lenet_train", FUNC)
def _(i):
    def loss(p, x, y):
        x = F.max_pool2d(F.relu(F.conv2d(x, p["conv1.w"], p["conv1.b"], padding=2)), 2)
        x = F.max_pool2d(F.relu(F.conv2d(x, p["conv2.w"], p["conv2.b"])), 2)
        x = x.flatten(1)
        x = F.relu(x @ p["fc1.w"] + p["fc1.b"])
        x = F.relu(x @ p["fc2.w"] + p["fc2.b"])
        return F.cross_entropy(x @ p["fc3.w"] + p["fc3.b"], y)
    return func_step(i, loss, 0.01)


@reg("enc_train", FUNC)
def _(i):
    def loss(p, x, y):
        b, s, d = x.shape
        q, k, v = (x @ p["qkv.w"] + p["qkv.b"]).view(b, s, 3, w.TH, d // w.TH).permute(2, 0, 3, 1, 4).unbind(0)
        o = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, s, d)
        x = F.layer_norm(x + (o @ p["out.w"] + p["out.b"]), (d,), p["ln1.g"], p["ln1.b"])
        f = F.gelu(x @ p["ff1.w"] + p["ff1.b"]) @ p["ff2.w"] + p["ff2.b"]
        return F.mse_loss(F.layer_norm(x + f, (d,), p["ln2.g"], p["ln2.b"]), y)
    return func_step(i, loss, 0.01)
