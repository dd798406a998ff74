"""Training steps of models made of layers, with Adam."""

import numpy as np

from .nineteenth_frame import RNG, Layers, Names, f32, fit, program


def dense(rng, i, o):
    return [f32(rng, i, o, scale=i**-0.5), np.zeros(o, np.float32)]


def unit(size):
    return [np.ones(size, np.float32), np.zeros(size, np.float32)]


def filters(rng, i, o, *kernel):
    return [f32(rng, o, i, *kernel, scale=(i * np.prod(kernel)) ** -0.5), np.zeros(o, np.float32)]


def upward(rng, i, o, *kernel):
    return [f32(rng, i, o, *kernel, scale=(i * np.prod(kernel) / 2 ** len(kernel)) ** -0.5), np.zeros(o, np.float32)]


# ---- a U-Net that takes the noise out of heartbeats of 256 moments
@program
def heartbeats(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1901), runner.lib
    n = Names(library, lib)
    batch, length = 8, 256
    clean = np.sin(np.linspace(0, 12, length) * rng.uniform(1, 3, (batch, 1, 1))) ** 9
    clean = clean.astype(np.float32)
    noisy = clean + f32(rng, batch, 1, length, scale=0.3)
    parts = {
        "one": filters(rng, 1, 16, 5) + unit(16),
        "down1": filters(rng, 16, 32, 4),
        "two": filters(rng, 32, 32, 5) + unit(32),
        "down2": filters(rng, 32, 48, 4),
        "middle": filters(rng, 48, 48, 5) + unit(48),
        "up2": upward(rng, 48, 32, 4),
        "three": filters(rng, 64, 32, 5) + unit(32),
        "up1": upward(rng, 32, 16, 4),
        "four": filters(rng, 32, 16, 5) + unit(16),
        "out": filters(rng, 16, 1, 1),
    }
    if library == "jax":

        def block(x, w, b, scale, shift):
            x = n.group_norm(n.conv1d(x, w, padding=2, bias=b), 4)
            return n.silu(x * scale[:, None] + shift[:, None])

        def apply(p, x):
            one = block(x, *p["one"])
            two = block(n.conv1d(one, p["down1"][0], 2, 1, bias=p["down1"][1]), *p["two"])
            x = block(n.conv1d(two, p["down2"][0], 2, 1, bias=p["down2"][1]), *p["middle"])
            x = n.conv1d_up(x, p["up2"][0], 2, 1) + p["up2"][1][:, None]
            x = block(n.cat([x, two], 1), *p["three"])
            x = n.conv1d_up(x, p["up1"][0], 2, 1) + p["up1"][1][:, None]
            x = block(n.cat([x, one], 1), *p["four"])
            return n.conv1d(x, p["out"][0], bias=p["out"][1])

        return fit(library, runner, None, lambda p, x, y: ((apply(p, x) - y) ** 2).mean(), 1e-3, parts, noisy, clean)
    L = Layers(library, lib)

    class Block(L.Base):
        def __init__(self, i, o):
            super().__init__()
            self.conv, self.norm = L.Conv1(i, o, 5, padding=2), L.GroupNorm(4, o)

        def forward(self, x):
            return n.silu(self.norm(self.conv(x)))

    class Net(L.Base):
        def __init__(self):
            super().__init__()
            self.one, self.down1 = Block(1, 16), L.Conv1(16, 32, 4, stride=2, padding=1)
            self.two, self.down2 = Block(32, 32), L.Conv1(32, 48, 4, stride=2, padding=1)
            self.middle, self.up2 = Block(48, 48), L.Up1(48, 32, 4, stride=2, padding=1)
            self.three, self.up1 = Block(64, 32), L.Up1(32, 16, 4, stride=2, padding=1)
            self.four, self.out = Block(32, 16), L.Conv1(16, 1, 1)

        def forward(self, x):
            one = self.one(x)
            two = self.two(self.down1(one))
            x = self.middle(self.down2(two))
            x = self.three(n.cat([self.up2(x), two], 1))
            return self.out(self.four(n.cat([self.up1(x), one], 1)))

    return fit(library, runner, Net(), lambda net, x, y: n.F.mse_loss(net(x), y), 1e-3, parts, noisy, clean)


# ---- small pictures as 7 x 7 entries of a code book of 64, the gradient past the choice
@program
def codebook(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1902), runner.lib
    n = Names(library, lib)
    batch, codes, dim = 8, 64, 16
    pictures = rng.random((batch, 1, 28, 28)).astype(np.float32)
    parts = {
        "in1": filters(rng, 1, 16, 4, 4),
        "in2": filters(rng, 16, 32, 4, 4),
        "in3": filters(rng, 32, dim, 1, 1),
        "codes": [f32(rng, codes, dim, scale=0.5)],
        "out1": upward(rng, dim, 32, 4, 4),
        "out2": upward(rng, 32, 1, 4, 4),
    }

    def nearest(flat, table):
        far = (flat * flat).sum(1)[:, None] - 2 * flat @ table.T + (table * table).sum(1)
        return far.argmin(1)

    if library == "jax":
        stop = lib.lax.stop_gradient

        def loss(p, x):
            z = n.relu(n.conv2d(x, p["in1"][0], 2, 1, bias=p["in1"][1]))
            z = n.relu(n.conv2d(z, p["in2"][0], 2, 1, bias=p["in2"][1]))
            z = n.conv2d(z, p["in3"][0], bias=p["in3"][1]).transpose(0, 2, 3, 1)
            flat = z.reshape((-1, dim))
            q = p["codes"][0][nearest(flat, p["codes"][0])].reshape(z.shape)
            terms = ((q - stop(z)) ** 2).mean() + 0.25 * ((z - stop(q)) ** 2).mean()
            y = (z + stop(q - z)).transpose(0, 3, 1, 2)
            y = n.relu(n.conv2d_up(y, p["out1"][0], 2, 1) + p["out1"][1][:, None, None])
            y = n.conv2d_up(y, p["out2"][0], 2, 1) + p["out2"][1][:, None, None]
            return ((y - x) ** 2).mean() + terms

        return fit(library, runner, None, loss, 1e-3, parts, pictures)
    L = Layers(library, lib)

    class Net(L.Base):
        def __init__(self):
            super().__init__()
            self.in1, self.in2 = L.Conv2(1, 16, 4, stride=2, padding=1), L.Conv2(16, 32, 4, stride=2, padding=1)
            self.in3, self.codes = L.Conv2(32, dim, 1), L.Embedding(codes, dim)
            self.out1, self.out2 = L.Up2(dim, 32, 4, stride=2, padding=1), L.Up2(32, 1, 4, stride=2, padding=1)

        def forward(self, x):
            z = n.swap(self.in3(n.relu(self.in2(n.relu(self.in1(x))))), 0, 2, 3, 1)
            q = self.codes(nearest(z.reshape((-1, dim)), self.codes.weight)).reshape(z.shape)
            terms = n.F.mse_loss(q, z.detach()) + 0.25 * n.F.mse_loss(z, q.detach())
            y = n.swap(z + (q - z).detach(), 0, 3, 1, 2)
            return self.out2(n.relu(self.out1(y))), terms

    def loss(net, x):
        y, terms = net(x)
        return n.F.mse_loss(y, x) + terms

    return fit(library, runner, Net(), loss, 1e-3, parts, pictures)


# ---- faces: 64 faces of 12 people, the farthest of the same and the nearest of the others must lie a margin apart
@program
def faces(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1903), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, people, features, dim = 64, 12, 128, 48
    who = rng.integers(0, people, batch)
    faces = f32(rng, people, features)[who] + f32(rng, batch, features, scale=0.8)
    parts = {"one": dense(rng, features, 128), "norm": unit(128)}
    parts |= {"two": dense(rng, 128, 96), "out": dense(rng, 96, dim)}

    def hard(x, who):
        away = xp.sqrt(xp.clip(2 - 2 * x @ x.T, 1e-6, 4.0))
        same = who[:, None] == who
        near = n.largest(xp.where(same, away, 0 * away), 1)
        other = n.smallest(xp.where(same, 0 * away + 9, away), 1)
        return n.relu(near - other + 0.3).mean()

    if library == "jax":

        def loss(p, x, who):
            x = x @ p["one"][0] + p["one"][1]
            x = n.relu(n.norm(x) * p["norm"][0] + p["norm"][1])
            x = n.relu(x @ p["two"][0] + p["two"][1])
            x = x @ p["out"][0] + p["out"][1]
            return hard(x / xp.linalg.norm(x, axis=1, keepdims=True), who)

        return fit(library, runner, None, loss, 1e-3, parts, faces, who)
    L = Layers(library, lib)

    class Net(L.Base):
        def __init__(self):
            super().__init__()
            self.one, self.norm = L.Linear(features, 128), L.LayerNorm(128)
            self.two, self.out = L.Linear(128, 96), L.Linear(96, dim)

        def forward(self, x):
            x = n.relu(self.norm(self.one(x)))
            return n.F.normalize(self.out(n.relu(self.two(x))))

    return fit(library, runner, Net(), lambda net, x, who: hard(net(x), who), 1e-3, parts, faces, who)


# ---- an MLP-mixer: 49 patches, three blocks that mix places and channels in turn, smoothed labels
@program
def mixer(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1904), runner.lib
    n = Names(library, lib)
    batch, dim, places, depth, classes = 16, 64, 49, 3, 10
    pictures, label = f32(rng, batch, 1, 28, 28), rng.integers(0, classes, batch)
    parts = {"patch": filters(rng, 1, dim, 4, 4)}
    for k in range(depth):
        parts[f"norm1{k}"], parts[f"place{k}"] = unit(dim), dense(rng, places, 32) + dense(rng, 32, places)
        parts[f"norm2{k}"], parts[f"channel{k}"] = unit(dim), dense(rng, dim, 128) + dense(rng, 128, dim)
    parts["norm"], parts["out"] = unit(dim), dense(rng, dim, classes)
    if library == "jax":

        def mlp(x, a, b, c, d):
            return n.gelu(x @ a + b) @ c + d

        def norm(x, scale, shift):
            return n.norm(x) * scale + shift

        def loss(p, x, label):
            x = n.conv2d(x, p["patch"][0], 4, bias=p["patch"][1]).reshape((batch, dim, places)).swapaxes(1, 2)
            for k in range(depth):
                x = x + mlp(norm(x, *p[f"norm1{k}"]).swapaxes(1, 2), *p[f"place{k}"]).swapaxes(1, 2)
                x = x + mlp(norm(x, *p[f"norm2{k}"]), *p[f"channel{k}"])
            score = norm(x, *p["norm"]).mean(1) @ p["out"][0] + p["out"][1]
            wanted = 0.9 * lib.nn.one_hot(label, classes, dtype=score.dtype) + 0.1 / classes
            return -(wanted * n.logsoftmax(score)).sum(1).mean()

        return fit(library, runner, None, loss, 1e-3, parts, pictures, label)
    L = Layers(library, lib)

    class Mlp(L.Base):
        def __init__(self, size, hidden):
            super().__init__()
            self.one, self.two = L.Linear(size, hidden), L.Linear(hidden, size)

        def forward(self, x):
            return self.two(n.gelu(self.one(x)))

    class Block(L.Base):
        def __init__(self):
            super().__init__()
            self.norm1, self.place = L.LayerNorm(dim), Mlp(places, 32)
            self.norm2, self.channel = L.LayerNorm(dim), Mlp(dim, 128)

        def forward(self, x):
            x = x + n.swap(self.place(n.swap(self.norm1(x), 0, 2, 1)), 0, 2, 1)
            return x + self.channel(self.norm2(x))

    class Net(L.Base):
        def __init__(self):
            super().__init__()
            self.patch, self.blocks = L.Conv2(1, dim, 4, stride=4), L.List([Block() for _ in range(depth)])
            self.norm, self.out = L.LayerNorm(dim), L.Linear(dim, classes)

        def forward(self, x):
            x = n.swap(self.patch(x).flatten(2), 0, 2, 1)
            for block in self.blocks:
                x = block(x)
            return self.out(self.norm(x).mean(1))

    def loss(net, x, label):
        return n.F.cross_entropy(net(x), label, label_smoothing=0.1)

    return fit(library, runner, Net(), loss, 1e-3, parts, pictures, label)
