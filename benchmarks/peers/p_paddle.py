"""PaddlePaddle: dygraph, and paddle.jit.to_static(full_graph=True)."""
import warnings

import numpy as np
import workloads as w

warnings.filterwarnings("ignore")
paddle = F = nn = None
MODE = "paddle_dygraph"


def load(name, threads):
    global paddle, F, nn, MODE
    import paddle as p
    import paddle.nn.functional as f
    paddle, F, nn, MODE = p, f, p.nn, name
    paddle.set_device("cpu")
    paddle.base.core.set_num_threads(threads) if hasattr(paddle.base.core, "set_num_threads") else None
    b = dict(B)
    if name == "paddle_static":
        b.pop("adam", None)  # the optimizer runs outside the static graph

    def mem():
        return paddle.base.core.host_memory_stat_peak_value("Allocated", 0)
    return {"version": p.__version__, "build": b, "mem": mem}


B = {}


def reg(n):
    def d(f):
        for k in n.split():
            B[k] = f
        return f
    return d


def ten(a):
    return paddle.to_tensor(np.ascontiguousarray(a))


def lst(o):
    return [x.numpy() for x in (o if isinstance(o, (tuple, list)) else (o,))]


def static(f):
    return paddle.jit.to_static(f, full_graph=True, backend=None) if MODE == "paddle_static" else f


def infer(f, *args):
    g = static(f)

    def run():
        with paddle.no_grad():
            return g(*args)
    return run, lst


def simple(n, f, *keys):
    B[n] = lambda i: infer(f, *[ten(i[k]) for k in keys])


def _dispatch(x):
    return x * 2 + 1


def _gelu(x, b, r):
    return r + 0.7 * F.gelu(x + b, approximate=True)


def _chain(x):
    a = x * 0.5
    c = paddle.log(a + 1.5)
    d = paddle.exp(-a)
    e = paddle.sqrt(a + 1.5)
    f = paddle.where(x > 0.0, c, d)
    h = paddle.tanh(f) * e + c
    k = paddle.sqrt(paddle.abs(h) + 1.0)
    m = paddle.log(paddle.exp(-k) + 1.0)
    o = paddle.tanh(m * h) / (e + d)
    return paddle.where(o < 0.1, o, e * m)


def _bs(s, k, t):
    sq = 0.3 * paddle.sqrt(t)
    d1 = (paddle.log(s / k) + (0.02 + 0.5 * 0.09) * t) / sq
    d2 = d1 - sq
    n1 = 0.5 + 0.5 * paddle.erf(d1 * 0.7071067811865476)
    n2 = 0.5 + 0.5 * paddle.erf(d2 * 0.7071067811865476)
    disc = k * paddle.exp(-0.02 * t)
    call = s * n1 - disc * n2
    return call, call - s + disc


def _softmax(x):
    return F.softmax(x, -1)


def _ln(x, g, b):
    return F.layer_norm(x, [1024], g, b, 1e-5)


def _rowred(x):
    return x.sum(-1), x.max(-1), (x * x).sum(-1)


def _lse(x, y):
    return F.cross_entropy(x, y)


simple("dispatch", _dispatch, "x")
simple("gelu", _gelu, "x", "bias", "res")
simple("chain20", _chain, "x")
simple("bs_f32", _bs, "s", "k", "t")
simple("bs_f64", _bs, "s", "k", "t")
simple("softmax", _softmax, "x")
simple("layernorm", _ln, "x", "w", "b")
simple("rowred", _rowred, "x")
simple("lse_loss", _lse, "x", "y")


def setp(t, a):
    t.set_value(np.ascontiguousarray(a))


def linear(wt, b):
    l = nn.Linear(*wt.shape)
    setp(l.weight, wt)
    setp(l.bias, b)
    return l


def make_mlp(n, p, act=None):
    ls = []
    for k in range(1, n + 1):
        ls.append(linear(p[f"fc{k}.w"], p[f"fc{k}.b"]))
        if k < n:
            ls.append(nn.ReLU() if act is None else act)
    return nn.Sequential(*ls)


def train(m, loss_fn, x, y, lr, order=None):
    class WithLoss(nn.Layer):
        def __init__(self):
            super().__init__()
            self.m = m

        def forward(self, x, y):
            return loss_fn(self.m(x), y)
    net = WithLoss()
    net.train()
    ps = list(m.parameters())
    opt = paddle.optimizer.SGD(learning_rate=lr, parameters=ps)
    f = static(net)

    def run():
        loss = f(x, y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss
    outs = order(m) if order else ps
    return run, lambda o: [o.numpy()] + [q.numpy() for q in outs]


def ce(o, y):
    return F.cross_entropy(o, y)


@reg("mlp_train")
def _(i):
    return train(make_mlp(2, i["p"]), ce, ten(i["x"]), ten(i["y"]), 0.01)


@reg("mlp_train_pycb")
def _(i):
    class Cb(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(z)
            return paddle.clip(z, min=0.0)

        @staticmethod
        def backward(ctx, g):
            z, = ctx.saved_tensor()
            return g * (z > 0).astype(g.dtype)

    class Act(nn.Layer):
        def forward(self, z):
            return Cb.apply(z)
    return train(make_mlp(2, i["p"], Act()), ce, ten(i["x"]), ten(i["y"]), 0.01)


@reg("mlp_b1")
def _(i):
    m = make_mlp(3, i["p"])
    m.eval()
    return infer(m, ten(i["x"]))


def make_lenet(p):
    c1, c2 = nn.Conv2D(1, 6, 5, padding=2), nn.Conv2D(6, 16, 5)
    for c, n in ((c1, "conv1"), (c2, "conv2")):
        setp(c.weight, p[n + ".w"])
        setp(c.bias, p[n + ".b"])
    return nn.Sequential(c1, nn.ReLU(), nn.MaxPool2D(2, 2), c2, nn.ReLU(), nn.MaxPool2D(2, 2), nn.Flatten(),
                         linear(p["fc1.w"], p["fc1.b"]), nn.ReLU(), linear(p["fc2.w"], p["fc2.b"]), nn.ReLU(),
                         linear(p["fc3.w"], p["fc3.b"]))


@reg("lenet_infer")
def _(i):
    m = make_lenet(i["p"])
    m.eval()
    return infer(m, ten(i["x"]))


@reg("lenet_train")
def _(i):
    return train(make_lenet(i["p"]), ce, ten(i["x"]), ten(i["y"]), 0.01)


def make_resnet(kind, i, nclass):
    stem, blocks, c = w.resnet_plan(kind)
    p, q = i["p"], i["q"]

    def conv(n, ci, co, k, s, pad):
        l = nn.Conv2D(ci, co, k, s, pad, bias_attr=False)
        setp(l.weight, p[n + ".w"])
        return l

    def bn(n, c):
        l = nn.BatchNorm2D(c, momentum=0.9, epsilon=1e-5)
        setp(l.weight, p[n + ".g"]), setp(l.bias, p[n + ".b"])
        setp(l._mean, q[n + ".m"]), setp(l._variance, q[n + ".v"])
        return l

    class Block(nn.Layer):
        def __init__(self, n, ci, co, s):
            super().__init__()
            self.c1, self.n1 = conv(n + ".c1", ci, co, 3, s, 1), bn(n + ".n1", co)
            self.c2, self.n2 = conv(n + ".c2", co, co, 3, 1, 1), bn(n + ".n2", co)
            self.down = s != 1 or ci != co
            if self.down:
                self.cd, self.nd = conv(n + ".cd", ci, co, 1, s, 0), bn(n + ".nd", co)

        def forward(self, x):
            y = F.relu(self.n1(self.c1(x)))
            y = self.n2(self.c2(y))
            if self.down:
                x = self.nd(self.cd(x))
            return F.relu(y + x)

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.stem = conv("stem", 3, stem["cout"], stem["k"], stem["s"], stem["p"])
            self.bn0 = bn("bn0", stem["cout"])
            self.pool = nn.MaxPool2D(3, 2, 1) if stem["pool"] else nn.Identity()
            self.blocks = nn.Sequential(*[Block(*b) for b in blocks])
            self.fc = linear(p["fc.w"], p["fc.b"])

        def forward(self, x):
            x = self.pool(F.relu(self.bn0(self.stem(x))))
            return self.fc(self.blocks(x).mean([2, 3]))
    return Net()


def resnet_out(m):
    def cb(c, n):
        return [c.weight, n.weight, n.bias]
    o = cb(m.stem, m.bn0)
    for b in m.blocks:
        o += cb(b.c1, b.n1) + cb(b.c2, b.n2)
        if b.down:
            o += cb(b.cd, b.nd)
    return o + [m.fc.weight, m.fc.bias]


@reg("resnet18_infer")
def _(i):
    m = make_resnet(18, i, 1000)
    m.eval()
    return infer(m, ten(i["x"]))


@reg("resnet20_train")
def _(i):
    return train(make_resnet(20, i, 10), ce, ten(i["x"]), ten(i["y"]), 0.01, resnet_out)


def lstm_loop(x, wx, wh, b):
    n = x.shape[1]
    h = paddle.zeros([n, 64])
    c = paddle.zeros([n, 64])
    zx = paddle.matmul(x, wx) + b
    hs = []
    zs = paddle.unbind(zx, 0)
    for t in range(128):
        z = zs[t] + paddle.matmul(h, wh)
        i, f, g, o = paddle.split(z, 4, axis=1)
        c = F.sigmoid(f) * c + F.sigmoid(i) * paddle.tanh(g)
        h = F.sigmoid(o) * paddle.tanh(c)
        hs.append(h)
    return paddle.stack(hs)


@reg("lstm_b1_fwd lstm_b32_fwd")
def _(i):
    return infer(lstm_loop, ten(i["x"]), *[ten(v) for v in i["p"].values()])


def lstm_loss(x, wx, wh, b):
    return paddle.square(lstm_loop(x, wx, wh, b)).mean()


@reg("lstm_b1_fb lstm_b32_fb")
def _(i):
    x = ten(i["x"])
    p = [ten(v) for v in i["p"].values()]
    for q in p:
        q.stop_gradient = False
    f = static(lstm_loss)

    def run():
        for q in p:
            q.clear_gradient(False)
        loss = f(x, *p)
        loss.backward()
        return loss
    return run, lambda o: [o.numpy()] + [q.grad.numpy() for q in p]


def newton(a):
    x = a
    while paddle.max(paddle.abs(x * x - a) / a) > 1e-5:
        x = 0.5 * (x + a / x)
    return x


simple("newton", newton, "a")


def lv(y):
    a, b, c, d = w.LV
    u, v = y[0], y[1]
    return paddle.stack([a * u - b * u * v, d * u * v - c * v])


def rk_step(y, h):
    ks = [lv(y)]
    z = y
    for s in range(1, 7):
        z = y
        for q, k in zip(w.DP_A[s], ks):
            if q:
                z = z + (h * q) * k
        ks.append(lv(z))
    e = h * sum(q * k for q, k in zip(w.DP_E, ks) if q)
    err = paddle.sqrt(paddle.mean((e / (1e-6 + 1e-6 * paddle.maximum(paddle.abs(y), paddle.abs(z)))) ** 2))
    return z, err, paddle.clip(0.9 * (err + 1e-12) ** -0.2, 0.2, 5.0)


def rk45_static(y0):
    y = y0
    t = paddle.zeros([], "float64")
    h = paddle.full([], 0.01, "float64")
    n = paddle.zeros([], "float64")
    while t < 20.0:
        h = paddle.minimum(h, 20.0 - t)
        z, err, fac = rk_step(y, h)
        if err <= 1.0:
            t = t + h
            y = z
        h = h * fac
        n = n + 1.0
    return y, n


@reg("rk45")
def _(i):
    # the stages stay in a helper that conversion leaves alone: its Python loops are constant
    if MODE == "paddle_static":
        paddle.jit.not_to_static(rk_step)
        paddle.jit.not_to_static(lv)
    return infer(rk45_static, ten(i["y0"]))


def mandel(cr, ci):
    zr = paddle.zeros_like(cr)
    zi = paddle.zeros_like(ci)
    n = paddle.zeros_like(cr, dtype="int32")
    active = paddle.ones_like(cr, dtype="bool")
    it = paddle.zeros([], "int32")
    while paddle.logical_and(it < 200, paddle.any(active)):
        r2 = zr * zr
        i2 = zi * zi
        active = paddle.logical_and(active, r2 + i2 <= 4.0)
        zi = paddle.where(active, 2.0 * zr * zi + ci, zi)
        zr = paddle.where(active, r2 - i2 + cr, zr)
        n = n + active.astype("int32")
        it = it + 1
    return n


simple("mandelbrot", mandel, "cr", "ci")


def collatz(n):
    c = paddle.zeros_like(n)
    while paddle.any(n != 1):
        act = n != 1
        n = paddle.where(act, paddle.where(n % 2 == 0, n // 2, 3 * n + 1), n)
        c = c + act.astype("int64")
    return c


simple("collatz", collatz, "n")


def make_enc(p, pre=""):
    class EncBlock(nn.Layer):
        def __init__(self):
            super().__init__()
            for n in ("qkv", "out", "ff1", "ff2"):
                setattr(self, n, linear(p[f"{pre}{n}.w"], p[f"{pre}{n}.b"]))
            self.ln1, self.ln2 = nn.LayerNorm(w.TD), nn.LayerNorm(w.TD)
            for n in ("ln1", "ln2"):
                setp(getattr(self, n).weight, p[f"{pre}{n}.g"])
                setp(getattr(self, n).bias, p[f"{pre}{n}.b"])

        def forward(self, x):
            b, s, d = x.shape
            qkv = self.qkv(x).reshape([b, s, 3, 4, 64]).transpose([2, 0, 3, 1, 4])
            a = F.softmax(paddle.matmul(qkv[0], qkv[1], transpose_y=True) * 0.125, -1)
            o = paddle.matmul(a, qkv[2]).transpose([0, 2, 1, 3]).reshape([b, s, d])
            x = self.ln1(x + self.out(o))
            return self.ln2(x + self.ff2(F.gelu(self.ff1(x))))
    return EncBlock()


def enc_out(m):
    o = []
    for n in ("qkv", "out", "ff1", "ff2", "ln1", "ln2"):
        o += [getattr(m, n).weight, getattr(m, n).bias]
    return o


@reg("enc_fwd")
def _(i):
    m = make_enc(i["p"])
    m.eval()
    return infer(m, ten(i["x"]))


@reg("enc_train")
def _(i):
    return train(make_enc(i["p"]), lambda o, y: F.mse_loss(o, y), ten(i["x"]), ten(i["y"]), 0.01, enc_out)


@reg("bert_mini")
def _(i):
    p = i["p"]

    class Bert(nn.Layer):
        def __init__(self):
            super().__init__()
            self.tok, self.pos = nn.Embedding(w.VOCAB, w.TD), nn.Embedding(512, w.TD)
            self.ln = nn.LayerNorm(w.TD)
            setp(self.tok.weight, p["tok"]), setp(self.pos.weight, p["pos"])
            setp(self.ln.weight, p["eln.g"]), setp(self.ln.bias, p["eln.b"])
            self.a, self.b = make_enc(p, "a."), make_enc(p, "b.")
            self.pool = linear(p["pool.w"], p["pool.b"])

        def forward(self, ids):
            x = self.ln(self.tok(ids) + self.pos.weight[:ids.shape[1]])
            x = self.b(self.a(x))
            return x, paddle.tanh(self.pool(x[:, 0]))
    m = Bert()
    m.eval()
    return infer(m, ten(i["ids"]))


@reg("adam")
def _(i):
    A = w.ADAM
    ps = [paddle.create_parameter(list(v.shape), "float32") for v in i["p"].values()]
    for q, v, g in zip(ps, i["p"].values(), i["g"].values()):
        setp(q, v)
    opt = paddle.optimizer.Adam(A["lr"], A["b1"], A["b2"], A["eps"], parameters=ps, use_multi_tensor=False)
    gs = [ten(g) for g in i["g"].values()]
    sum((q * g).sum() for q, g in zip(ps, gs)).backward()  # leaves the gradients in place
    return opt.step, lambda o: [np.asarray(0.0)] + [q.numpy() for q in ps]


def tower(h, ws, bs):
    for k in range(32):
        t = paddle.matmul(h, ws[k]) + bs[k]
        h = h + 0.1 * (paddle.tanh(t) * F.sigmoid(t))
    return h


@reg("tower")
def _(i):
    ws, bs = [ten(i["p"][f"w{n}"]) for n in range(w.TWL)], [ten(i["p"][f"b{n}"]) for n in range(w.TWL)]
    return infer(tower, ten(i["x"]), ws, bs)
