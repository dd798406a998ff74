"""Ten more programs, written without a look at the losses of any benchmark; the form of second.py."""

import numpy as np

from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401 - fresh.py reads the libraries here

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def gradients(library, lib, loss):
    """A function (weights, *data) that gives the loss and its gradients, as each library has it."""
    if library == "jax":
        return lambda *given: lib.value_and_grad(loss)(*given)

    def both(weights, *data):
        if library == "vt":
            for w in weights:
                w.stop_gradient = False
        else:
            weights = [w.detach().requires_grad_() for w in weights]
        made = loss(weights, *data)
        grad = lib.grad if library == "vt" else lib.autograd.grad
        return made, *grad(made, list(weights))

    return both


def add_rows(library, lib, into, places, rows):
    """Rows added to those of `into` at places."""
    if library == "jax":
        return into.at[places].add(rows)
    if library == "vt":
        return lib.index_add(into, places, 0, rows)
    if library == "np":
        np.add.at(into, places, rows)
        return into
    return into.index_add(0, places, rows)


# ---- 1 signals through a matched filter, in the frequency domain


@program
def matched_filter(library, runner):
    rng, lib = RNG(1), runner.lib
    signals, pulse = f32(rng, 48, 1000), f32(rng, 120)
    lib = lib.numpy if library == "jax" else lib

    def found(signals, pulse):
        spectrum = lib.fft.rfft(signals, 1200) * lib.conj(lib.fft.rfft(pulse, 1200))
        matched = lib.fft.irfft(spectrum, 1200)[:, :881]
        strength = lib.abs(matched)
        return strength.argmax(-1), lib.sqrt((matched * matched).mean(-1))

    return runner.call(found, signals, pulse)


# ---- 2 attention along the edges of a graph


@program
def graph_attention(library, runner):
    rng, lib = RNG(2), runner.lib
    nodes, edges, heads, size = 600, 4000, 4, 16
    x, source, target = f32(rng, nodes, 32), rng.integers(0, nodes, edges), rng.integers(0, nodes, edges)
    w = f32(rng, 32, heads * size, scale=0.2)
    a, b = f32(rng, heads, size, scale=0.3), f32(rng, heads, size, scale=0.3)
    xp = lib.numpy if library == "jax" else lib
    zeros = (lambda *s: lib.zeros(s, dtype="float32")) if library == "vt" else lambda *s: xp.zeros(s, dtype=xp.float32)

    def layer(x, source, target, w, a, b):
        h = (x @ w).reshape((nodes, heads, size))
        score = (h * a).sum(-1)[source] + (h * b).sum(-1)[target]
        score = xp.where(score > 0, score, 0.2 * score)
        weight = xp.exp(score - score.max())
        total = add_rows(library, lib, zeros(nodes, heads), target, weight)
        share = weight / total[target]
        return add_rows(library, lib, zeros(nodes, heads, size), target, share[:, :, None] * h[source])

    return runner.call(layer, x, source, target, w, a, b)


# ---- 3 a wave in a box whose walls swallow it


@program
def wave(library, runner):
    rng, lib = RNG(3), runner.lib
    n = 160
    speed = (0.2 + 0.1 * rng.random((n, n))).astype(np.float32)
    away = np.minimum(np.arange(n), np.arange(n)[::-1])
    damp = np.clip(np.minimum(away[:, None], away[None, :]) / 12, 0, 1).astype(np.float32) ** 0.1
    start = np.exp(-((np.arange(n)[:, None] - 70) ** 2 + (np.arange(n)[None, :] - 80) ** 2) / 20).astype(np.float32)
    roll = lib.numpy.roll if library == "jax" else lib.roll

    def neighbours(u):
        if library.startswith("torch"):
            return roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1)
        return roll(u, 1, axis=0) + roll(u, -1, axis=0) + roll(u, 1, axis=1) + roll(u, -1, axis=1)

    def step(u, before, speed, damp):
        return damp * (2 * u - before + speed * (neighbours(u) - 4 * u)), damp * u

    if library == "jax":
        run = lambda u, speed, damp: lib.lax.fori_loop(  # noqa: E731
            0, 100, lambda k, s: step(*s, speed, damp), (u, u)
        )[0]
        return runner.call(run, start, speed, damp)

    def run(u, speed, damp):
        before = u
        for _ in range(100):
            u, before = step(u, before, speed, damp)
        return u

    return runner.call(run, start, speed, damp)


# ---- 4 a variational autoencoder: the loss of a batch and its gradients


@program
def autoencoder(library, runner):
    rng, lib = RNG(4), runner.lib
    if library == "np":
        return None
    x, noise = rng.random((64, 784)).astype(np.float32), f32(rng, 64, 16)
    sizes = [(784, 200), (200, 16), (200, 16), (16, 200), (200, 784)]
    weights = [f32(rng, m, n, scale=m**-0.5) for m, n in sizes]
    xp = lib.numpy if library == "jax" else lib
    sigmoid = lib.nn.sigmoid if library == "jax" else lib.nn.functional.sigmoid if library == "vt" else lib.sigmoid

    def loss(w, x, noise):
        h = xp.tanh(x @ w[0])
        mean, spread = h @ w[1], h @ w[2]
        z = mean + noise * xp.exp(0.5 * spread)
        y = sigmoid(xp.tanh(z @ w[3]) @ w[4])
        fit = -(x * xp.log(y + 1e-6) + (1 - x) * xp.log(1 - y + 1e-6)).sum(-1)
        kl = -0.5 * (1 + spread - mean * mean - xp.exp(spread)).sum(-1)
        return (fit + kl).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda x, noise, *w: both(list(w), x, noise), x, noise, *weights)


# ---- 5 a flow of coupled layers: likelihood of points and its gradients


@program
def coupling_flow(library, runner):
    rng, lib = RNG(5), runner.lib
    if library == "np":
        return None
    x = f32(rng, 256, 8)
    weights = [f32(rng, m, n, scale=0.3) for _ in range(6) for m, n in ((4, 32), (32, 8))]
    xp = lib.numpy if library == "jax" else lib
    join = (lambda a, b: xp.concatenate([a, b], 1)) if library == "jax" else lambda a, b: xp.concat([a, b], 1)

    def loss(w, x):
        total = 0.0
        for k in range(6):
            a, b = (x[:, :4], x[:, 4:]) if k % 2 else (x[:, 4:], x[:, :4])
            made = xp.tanh(a @ w[2 * k]) @ w[2 * k + 1]
            scale = xp.tanh(made[:, :4])
            x = join(a, b * xp.exp(scale) + made[:, 4:])
            total = total + scale.sum(-1)
        return (0.5 * (x * x).sum(-1) - total).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda x, *w: both(list(w), x), x, *weights)


# ---- 6 a picture with its brightness made even


@program
def equalise(library, runner):
    rng, lib = RNG(6), runner.lib
    picture = np.clip(rng.normal(100, 30, (240, 320)), 0, 255).astype(np.int64)
    xp = lib.numpy if library == "jax" else lib

    def made(picture):
        flat = picture.reshape((-1,))
        if library == "jax":
            counts = xp.bincount(flat, length=256)
        else:
            counts = xp.bincount(flat, minlength=256)
        share = xp.cumsum(counts, 0) / flat.shape[0]
        levels = xp.floor(share * 255.0)
        return levels[picture]

    return runner.call(made, picture)


# ---- 7 transport of mass at least cost, smoothed


@program
def transport(library, runner):
    rng, lib = RNG(7), runner.lib
    points, others = rng.standard_normal((150, 3)), rng.standard_normal((180, 3))
    cost = ((points[:, None] - others[None]) ** 2).sum(-1)
    if library == "np":

        def lse(x, axis):
            most = x.max(axis, keepdims=True)
            return np.log(np.exp(x - most).sum(axis)) + most.squeeze(axis)
    else:
        lse = lib.scipy.special.logsumexp if library == "jax" else lib.logsumexp

    def step(f, g, cost):
        f = -0.1 * lse((g[None, :] - cost) / 0.1 - np.log(180.0), 1)
        return f, -0.1 * lse((f[:, None] - cost) / 0.1 - np.log(150.0), 0)

    if library == "jax":
        run = lambda cost: lib.lax.fori_loop(  # noqa: E731
            0, 40, lambda k, s: step(*s, cost), (cost[:, 0] * 0.0, cost[0] * 0.0)
        )
        return runner.call(run, cost)

    def run(cost):
        f, g = cost[:, 0] * 0.0, cost[0] * 0.0
        for _ in range(40):
            f, g = step(f, g, cost)
        return f, g

    return runner.call(run, cost)


# ---- 8 flow past a step, on a lattice


@program
def lattice(library, runner):
    rng, lib = RNG(8), runner.lib
    ways = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    parts = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
    f = np.stack([p * (1 + 0.05 * rng.random((60, 120))) for p in parts]).astype(np.float32)
    xp = lib.numpy if library == "jax" else lib

    def moved(x, way):
        if library.startswith("torch"):
            return xp.roll(x, way, (0, 1))
        return xp.roll(x, way, axis=(0, 1))

    def step(f):
        f = [moved(f[k], way) for k, way in enumerate(ways)]
        rho = sum(f[1:], f[0])
        ux = sum(w[0] * f[k] for k, w in enumerate(ways) if w[0]) / rho
        uy = sum(w[1] * f[k] for k, w in enumerate(ways) if w[1]) / rho
        square = 1.5 * (ux * ux + uy * uy)
        out = []
        for k, (p, (x, y)) in enumerate(zip(parts, ways)):
            along = 3.0 * (x * ux + y * uy)
            out.append(f[k] + 0.8 * (p * rho * (1.0 + along + 0.5 * along * along - square) - f[k]))
        return xp.stack(out)

    if library == "jax":
        return runner.call(lambda f: lib.lax.fori_loop(0, 30, lambda k, f: step(f), f), f)

    def run(f):
        for _ in range(30):
            f = step(f)
        return f

    return runner.call(run, f)


# ---- 9 a network of wide depthwise filters


@program
def wide_filters(library, runner):
    rng, lib = RNG(9), runner.lib
    if library == "np":
        return None
    c, images = 48, f32(rng, 2, 3, 64, 64)
    weights = [f32(rng, c, 3, 2, 2, scale=0.3)]
    for _ in range(3):
        weights += [f32(rng, c, 1, 7, 7, scale=0.1), np.ones(c, np.float32), np.zeros(c, np.float32)]
        weights += [f32(rng, c, 4 * c, scale=c**-0.5), f32(rng, 4 * c, c, scale=0.05)]
    weights.append(f32(rng, c, 10))
    if library == "jax":
        xp, gelu = lib.numpy, lambda x: lib.nn.gelu(x, approximate=False)
        conv = lambda x, w, stride, pad, groups: lib.lax.conv_general_dilated(  # noqa: E731
            x, w, (stride, stride), [(pad, pad)] * 2, feature_group_count=groups
        )

        def norm(x, w, b):
            mean = x.mean(-1, keepdims=True)
            return (x - mean) / xp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * w + b
    else:
        nn = lib.nn.functional
        gelu = nn.gelu
        conv = lambda x, w, stride, pad, groups: nn.conv2d(x, w, None, stride, pad, groups=groups)  # noqa: E731
        norm = lambda x, w, b: nn.layer_norm(x, [c], w, b)  # noqa: E731
    turned = (lambda x, *p: x.permute(*p)) if library.startswith("torch") else lambda x, *p: x.transpose(p)

    def net(x, *w):
        x = conv(x, w[0], 2, 0, 1)
        for k in range(1, 16, 5):
            y = norm(turned(conv(x, w[k], 1, 3, c), 0, 2, 3, 1), w[k + 1], w[k + 2])
            x = x + turned(gelu(y @ w[k + 3]) @ w[k + 4], 0, 3, 1, 2)
        return x.mean((2, 3)) @ w[16]

    return runner.call(net, images, *weights)


# ---- 10 a table: scores within groups, ranks, and clipped outliers


@program
def groups(library, runner):
    rng, lib = RNG(10), runner.lib
    rows, count = 20000, 50
    value, group = rng.standard_normal((rows, 4)), rng.integers(0, count, rows)
    xp = lib.numpy if library == "jax" else lib
    zeros = (lambda *s: lib.zeros(s, dtype="float64")) if library == "vt" else lambda *s: xp.zeros(s, dtype=xp.float64)

    def made(value, group):
        ones = value[:, :1] * 0.0 + 1.0
        size = add_rows(library, lib, zeros(count, 1), group, ones)
        mean = add_rows(library, lib, zeros(count, 4), group, value) / size
        away = value - mean[group]
        spread = xp.sqrt(add_rows(library, lib, zeros(count, 4), group, away * away) / size)
        score = away / spread[group]
        if library.startswith("torch"):
            order = score[:, 0].argsort().argsort()
            return score.clamp(-2.0, 2.0), order
        clipped = xp.clip(score, -2.0, 2.0)
        return clipped, xp.argsort(xp.argsort(score[:, 0]))

    return runner.call(made, value, group)
