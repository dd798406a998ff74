"""vitrify: eager-style code under vt.to_static, as a Paddle user writes it; a training step is one program."""
import numpy as np
import workloads as w

vt = F = nn = None


def load(name, threads):
    global vt, F, nn
    import vitrify
    vt, nn = vitrify, vitrify.nn
    F = nn.functional
    vt.set_num_threads(threads)
    return {"version": vt.__version__, "build": B}


B = {}


def reg(n):
    def d(f):
        for k in n.split():
            B[k] = f
        return f
    return d


def ten(a):
    return vt.to_tensor(np.ascontiguousarray(a))


def lst(o):
    return [x.numpy() for x in (o if isinstance(o, (tuple, list)) else (o,))]


def infer(f, *args):
    """a compiled function of tensors that need no gradient"""
    g = vt.to_static(f)
    return (lambda: g(*args)), lst


def infer_layer(layer, x):
    """a compiled layer: its parameters would ask for gradients"""
    layer.eval()
    g = vt.to_static(layer)

    def run():
        with vt.no_grad():
            return g(x)
    return run, lst


def simple(n, f, *keys):
    B[n] = lambda i: infer(f, *[ten(i[k]) for k in keys])


# ------------------------------------------------- elementwise and reductions
def dispatch(x):
    return x * 2 + 1


def gelu(x, bias, res):
    return res + 0.7 * F.gelu(x + bias, approximate=True)


def chain20(x):
    a = x * 0.5
    c = vt.log(a + 1.5)
    d = vt.exp(-a)
    e = vt.sqrt(a + 1.5)
    f = vt.where(x > 0.0, c, d)
    h = vt.tanh(f) * e + c
    k = vt.sqrt(vt.abs(h) + 1.0)
    m = vt.log(vt.exp(-k) + 1.0)
    o = vt.tanh(m * h) / (e + d)
    return vt.where(o < 0.1, o, e * m)


def black_scholes(s, k, t):
    sq = 0.3 * vt.sqrt(t)
    d1 = (vt.log(s / k) + (0.02 + 0.5 * 0.09) * t) / sq
    d2 = d1 - sq
    n1 = 0.5 + 0.5 * vt.erf(d1 * 0.7071067811865476)
    n2 = 0.5 + 0.5 * vt.erf(d2 * 0.7071067811865476)
    disc = k * vt.exp(-0.02 * t)
    call = s * n1 - disc * n2
    return call, call - s + disc


def softmax(x):
    return F.softmax(x, -1)


def layernorm(x, weight, bias):
    return F.layer_norm(x, [w.COLS], weight, bias, 1e-5)


def rowred(x):
    return x.sum(-1), x.max(-1), (x * x).sum(-1)


def lse_loss(x, y):
    return F.cross_entropy(x, y)


simple("dispatch", dispatch, "x")
simple("gelu", gelu, "x", "bias", "res")
simple("chain20", chain20, "x")
simple("bs_f32", black_scholes, "s", "k", "t")
simple("bs_f64", black_scholes, "s", "k", "t")
simple("softmax", softmax, "x")
simple("layernorm", layernorm, "x", "w", "b")
simple("rowred", rowred, "x")
simple("lse_loss", lse_loss, "x", "y")


# ------------------------------------------------------------------ networks
def linear(weight, bias):
    layer = nn.Linear(*weight.shape)
    layer.weight.set_value(weight)
    layer.bias.set_value(bias)
    return layer


def make_mlp(n, p, act=None):
    layers = []
    for k in range(1, n + 1):
        layers.append(linear(p[f"fc{k}.w"], p[f"fc{k}.b"]))
        if k < n:
            layers.append(nn.ReLU() if act is None else act)
    return nn.Sequential(*layers)


def train(net, loss_fn, x, y, lr):
    net.train()
    params = [p for p in net.parameters() if p.trainable]  # peers give no running statistics
    opt = vt.optimizer.SGD(learning_rate=lr, parameters=params)

    @vt.to_static
    def step(x, y):
        loss = loss_fn(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    return (lambda: step(x, y)), lambda o: [o.numpy()] + [q.numpy() for q in params]


@reg("mlp_train")
def _(i):
    return train(make_mlp(2, i["p"]), F.cross_entropy, ten(i["x"]), ten(i["y"]), 0.01)


@reg("mlp_train_pycb")
def _(i):
    class Relu(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(z)
            return vt.clip(z, min=0.0)

        @staticmethod
        def backward(ctx, g):
            z, = ctx.saved_tensor()
            return g * (z > 0).astype(g.dtype)

    class Act(nn.Layer):
        def forward(self, z):
            return Relu.apply(z)

    return train(make_mlp(2, i["p"], Act()), F.cross_entropy, ten(i["x"]), ten(i["y"]), 0.01)


@reg("mlp_b1")
def _(i):
    return infer_layer(make_mlp(3, i["p"]), ten(i["x"]))


def make_lenet(p):
    c1, c2 = nn.Conv2D(1, 6, 5, padding=2), nn.Conv2D(6, 16, 5)
    for c, n in ((c1, "conv1"), (c2, "conv2")):
        c.weight.set_value(p[n + ".w"])
        c.bias.set_value(p[n + ".b"])
    return nn.Sequential(c1, nn.ReLU(), nn.MaxPool2D(2, 2), c2, nn.ReLU(), nn.MaxPool2D(2, 2), nn.Flatten(),
                         linear(p["fc1.w"], p["fc1.b"]), nn.ReLU(), linear(p["fc2.w"], p["fc2.b"]), nn.ReLU(),
                         linear(p["fc3.w"], p["fc3.b"]))


@reg("lenet_infer")
def _(i):
    return infer_layer(make_lenet(i["p"]), ten(i["x"]))


@reg("lenet_train")
def _(i):
    return train(make_lenet(i["p"]), F.cross_entropy, ten(i["x"]), ten(i["y"]), 0.01)


# ------------------------------------------------------------------- ResNet
def make_resnet(kind, i, nclass):
    stem, blocks, c = w.resnet_plan(kind)
    p, q = i["p"], i["q"]

    def conv(n, ci, co, k, s, pad):
        layer = nn.Conv2D(ci, co, k, stride=s, padding=pad, bias_attr=False)
        layer.weight.set_value(p[n + ".w"])
        return layer

    def bn(n, ch):
        layer = nn.BatchNorm2D(ch)
        layer.weight.set_value(p[n + ".g"])
        layer.bias.set_value(p[n + ".b"])
        layer._mean.set_value(q[n + ".m"])
        layer._variance.set_value(q[n + ".v"])
        return layer

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
            return F.relu(y + (self.nd(self.cd(x)) if self.down else x))

    class ResNet(nn.Layer):
        def __init__(self):
            super().__init__()
            self.stem = conv("stem", stem["cin"], stem["cout"], stem["k"], stem["s"], stem["p"])
            self.bn0 = bn("bn0", stem["cout"])
            self.pool = nn.MaxPool2D(3, 2, 1) if stem["pool"] else None
            self.blocks = nn.LayerList([Block(*b) for b in blocks])
            self.fc = linear(p["fc.w"], p["fc.b"])

        def forward(self, x):
            x = F.relu(self.bn0(self.stem(x)))
            if self.pool is not None:
                x = self.pool(x)
            for b in self.blocks:
                x = b(x)
            return self.fc(x.mean([2, 3]))

    return ResNet()


@reg("resnet18_infer")
def _(i):
    return infer_layer(make_resnet(18, i, 1000), ten(i["x"]))


@reg("resnet20_train")
def _(i):
    return train(make_resnet(20, i, 10), F.cross_entropy, ten(i["x"]), ten(i["y"]), 0.01)


# -------------------------------------------------------------- transformers
def make_enc(p, pre=""):
    d, h = w.TD, w.TH

    def norm(n):
        layer = nn.LayerNorm(d)
        layer.weight.set_value(p[pre + n + ".g"])
        layer.bias.set_value(p[pre + n + ".b"])
        return layer

    class Enc(nn.Layer):
        def __init__(self):
            super().__init__()
            for n in ("qkv", "out", "ff1", "ff2"):
                setattr(self, n, linear(p[f"{pre}{n}.w"], p[f"{pre}{n}.b"]))
            self.ln1, self.ln2 = norm("ln1"), norm("ln2")

        def forward(self, x):
            b, s = x.shape[0], x.shape[1]
            q, k, v = self.qkv(x).reshape([b, s, 3, h, d // h]).unbind(2)
            a = F.scaled_dot_product_attention(q, k, v)
            x = self.ln1(x + self.out(a.reshape([b, s, d])))
            return self.ln2(x + self.ff2(F.gelu(self.ff1(x))))

    return Enc()


@reg("enc_fwd")
def _(i):
    return infer_layer(make_enc(i["p"]), ten(i["x"]))


@reg("enc_train")
def _(i):
    return train(make_enc(i["p"]), F.mse_loss, ten(i["x"]), ten(i["y"]), 0.01)


@reg("bert_mini")
def _(i):
    p = i["p"]

    class Bert(nn.Layer):
        def __init__(self):
            super().__init__()
            self.tok, self.pos = nn.Embedding(w.VOCAB, w.TD), nn.Embedding(512, w.TD)
            self.tok.weight.set_value(p["tok"])
            self.pos.weight.set_value(p["pos"])
            self.ln = nn.LayerNorm(w.TD)
            self.ln.weight.set_value(p["eln.g"])
            self.ln.bias.set_value(p["eln.b"])
            self.a, self.b = make_enc(p, "a."), make_enc(p, "b.")
            self.pool = linear(p["pool.w"], p["pool.b"])

        def forward(self, ids):
            x = self.ln(self.tok(ids) + self.pos.weight[: ids.shape[1]])
            x = self.b(self.a(x))
            return x, vt.tanh(self.pool(x[:, 0]))

    return infer_layer(Bert(), ten(i["ids"]))


# --------------------------------------------------------------------- loops
def lstm(x, wx, wh, b):
    h = vt.zeros([x.shape[1], w.LH])
    c = vt.zeros([x.shape[1], w.LH])
    zx = vt.matmul(x, wx) + b
    hs = []
    for t in range(x.shape[0]):
        i, f, g, o = vt.split(zx[t] + vt.matmul(h, wh), 4, axis=1)
        c = F.sigmoid(f) * c + F.sigmoid(i) * vt.tanh(g)
        h = F.sigmoid(o) * vt.tanh(c)
        hs.append(h)
    return vt.stack(hs)


@reg("lstm_b1_fwd lstm_b32_fwd")
def _(i):
    return infer(lstm, ten(i["x"]), *[ten(i["p"][k]) for k in ("wx", "wh", "b")])


@reg("lstm_b1_fb lstm_b32_fb")
def _(i):
    x, params = ten(i["x"]), [ten(i["p"][k]) for k in ("wx", "wh", "b")]
    for q in params:
        q.stop_gradient = False

    @vt.to_static
    def step(x, *params):
        loss = vt.square(lstm(x, *params)).mean()
        return [loss, *vt.grad(loss, list(params))]

    return (lambda: step(x, *params)), lst


def newton(a):
    x = a
    while vt.max(vt.abs(x * x - a) / a) > w.NEWTON_TOL:
        x = 0.5 * (x + a / x)
    return x


simple("newton", newton, "a")


def rk45(y):
    a, b, c, d = w.LV

    def f(y):
        return vt.stack([a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]])

    t, h, n = vt.zeros([], "float64"), vt.full([], w.RK_H0, "float64"), vt.zeros([], "float64")
    while t < w.RK_T1:
        h = vt.minimum(h, w.RK_T1 - t)
        ks = [f(y)]
        for stage in w.DP_A[1:]:
            z = y
            for q, k in zip(stage, ks):
                if q:
                    z = z + (h * q) * k
            ks.append(f(z))
        e = h * sum(q * k for q, k in zip(w.DP_E, ks) if q)
        scale = w.RK_TOL + w.RK_TOL * vt.maximum(vt.abs(y), vt.abs(z))
        err = vt.sqrt(vt.mean((e / scale) ** 2))
        if err <= 1.0:
            t, y = t + h, z
        h = h * vt.clip(0.9 * (err + 1e-12) ** -0.2, 0.2, 5.0)
        n = n + 1.0
    return y, n


simple("rk45", rk45, "y0")


def mandelbrot(cr, ci):
    zr, zi = vt.zeros_like(cr), vt.zeros_like(ci)
    n = vt.zeros_like(cr, dtype="int32")
    active = vt.ones_like(cr, dtype="bool")
    it = 0
    while it < w.MB_IT and vt.any(active):
        r2, i2 = zr * zr, zi * zi
        active = vt.logical_and(active, r2 + i2 <= 4.0)
        zi = vt.where(active, 2.0 * zr * zi + ci, zi)
        zr = vt.where(active, r2 - i2 + cr, zr)
        n = n + active.astype("int32")
        it += 1
    return n


simple("mandelbrot", mandelbrot, "cr", "ci")


def collatz(n):
    c = vt.zeros_like(n)
    while vt.any(n != 1):
        act = n != 1
        n = vt.where(act, vt.where(n % 2 == 0, n // 2, 3 * n + 1), n)
        c = c + act.astype("int64")
    return c


simple("collatz", collatz, "n")


# --------------------------------------------------------- optimiser and memory
@reg("adam")
def _(i):
    a = w.ADAM
    params = [vt.to_tensor(v.copy(), stop_gradient=False) for v in i["p"].values()]
    grads = [ten(g) for g in i["g"].values()]
    opt = vt.optimizer.Adam(a["lr"], a["b1"], a["b2"], a["eps"], parameters=params)
    sum((q * g).sum() for q, g in zip(params, grads)).backward()  # leaves the gradients in place

    @vt.to_static
    def step():
        opt.step()

    return step, lambda o: [np.asarray(0.0)] + [q.numpy() for q in params]


def tower(h, ws, bs):
    for weight, bias in zip(ws, bs):
        t = vt.matmul(h, weight) + bias
        h = h + 0.1 * (vt.tanh(t) * F.sigmoid(t))
    return h


@reg("tower")
def _(i):
    ws, bs = [ten(i["p"][f"w{n}"]) for n in range(w.TWL)], [ten(i["p"][f"b{n}"]) for n in range(w.TWL)]
    return infer(tower, ten(i["x"]), ws, bs)
