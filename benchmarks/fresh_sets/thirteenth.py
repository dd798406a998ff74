"""Eight more programs, as users would write them: physics, sound, statistics, tables, games, graphs, pictures, sequences."""

import numpy as np

from .first import RNG, Torch
from .second import LIBRARIES, f32  # noqa: F401
from .tenth_networks import over
from .third import gradients

PROGRAMS = {}
TORCH = ("torch", "torch.compile")


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def arrays_of(library, lib):
    """The module whose functions are called as NumPy's."""
    return lib.numpy if library == "jax" else lib


# ---- 53 a cloth of springs, 60 steps of Verlet, float64
@program
def cloth(library, runner):
    rng, lib = RNG(153), runner.lib
    n, steps, rest, dt = 40, 60, 0.025, 0.002
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), -1) * rest
    x = np.concatenate([grid, 0.01 * rng.standard_normal((n, n, 1))], -1)
    xp = arrays_of(library, lib)
    cat = (lambda a, axis: xp.cat(a, axis)) if library in TORCH else (lambda a, axis: xp.concatenate(a, axis))
    if library == "vt":
        cat = lambda a, axis: xp.concat(a, axis)
    gravity, fixed = np.array([0.0, 0.0, -9.81]), np.ones((n, n, 1))
    fixed[0, 0] = fixed[0, -1] = 0

    def spring(d):
        size = xp.sqrt((d * d).sum(-1, keepdims=True) if library != "vt" else (d * d).sum(-1, keepdim=True))
        return 400 * (size - rest) * d / size

    def force(x, v, gravity):
        down, right = spring(x[1:] - x[:-1]), spring(x[:, 1:] - x[:, :-1])
        f = gravity - 0.5 * v
        f = f + cat([down, 0 * x[:1]], 0) - cat([0 * x[:1], down], 0)
        return f + cat([right, 0 * x[:, :1]], 1) - cat([0 * x[:, :1], right], 1)

    def step(x, v, gravity, fixed):
        v = fixed * (v + dt * force(x, v, gravity))
        return x + dt * v, v

    def run(x, v, gravity, fixed):
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda _, s: step(*s, gravity, fixed), (x, v))
        for _ in range(steps):
            x, v = step(x, v, gravity, fixed)
        return x, v

    if library == "torch.compile":
        once = lib.compile(step)

        def run(x, v, gravity, fixed):
            for _ in range(steps):
                x, v = once(x, v, gravity, fixed)
            return x, v

        return Torch.call(runner, run, x, 0 * x, gravity, fixed)
    return runner.call(run, x, 0 * x, gravity, fixed)


# ---- 54 a sound in mel bands, their cosine transform and differences in time
@program
def cepstrum(library, runner):
    rng, lib = RNG(154), runner.lib
    sound = f32(rng, 16000)
    width, hop, bands, kept = 400, 160, 40, 13
    window = np.hanning(width).astype(np.float32)
    frames = (np.arange(98)[:, None] * hop + np.arange(width)[None]).astype(np.int64)
    edges = np.linspace(0, 201, bands + 2)
    bins = np.arange(201)[:, None]
    up, down = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    mel = np.maximum(0, np.minimum(up, down)).astype(np.float32)
    turn = np.cos(np.pi / bands * (np.arange(bands)[:, None] + 0.5) * np.arange(kept)).astype(np.float32)
    xp = arrays_of(library, lib)

    def run(sound, frames, window, mel, turn):
        sound = (
            xp.concatenate([sound[:1], sound[1:] - 0.97 * sound[:-1]])
            if library != "vt"
            else xp.concat([sound[:1], sound[1:] - 0.97 * sound[:-1]])
        )
        spectrum = xp.fft.rfft(sound[frames] * window)
        power = xp.real(spectrum) ** 2 + xp.imag(spectrum) ** 2
        c = xp.log(power @ mel + 1e-6) @ turn
        c = (c - c.mean(0)) / (xp.sqrt(((c - c.mean(0)) ** 2).mean(0)) + 1e-5)
        change = (c[2:] - c[:-2]) / 2
        return c, change

    return runner.call(run, sound, frames, window, mel, turn)


# ---- 55 a mixture of normal distributions with full covariances, ten steps of EM, float64
@program
def mixture(library, runner):
    rng, lib = RNG(155), runner.lib
    n, d, k, steps = 2000, 6, 5, 10
    x = rng.standard_normal((n, d)) + 3 * rng.standard_normal((k, d))[rng.integers(0, k, n)]
    means, xp = x[:k] + 0.1, arrays_of(library, lib)
    covariance, weights = np.tile(2 * np.eye(d), (k, 1, 1)), np.full(k, 1 / k)
    eye = np.eye(d)
    if library in TORCH:
        lse, einsum = (lambda a: lib.logsumexp(a, 1, keepdim=True)), lib.einsum
    elif library == "jax":
        lse, einsum = (lambda a: lib.scipy.special.logsumexp(a, 1, keepdims=True)), xp.einsum
    elif library == "vt":
        lse, einsum = (lambda a: lib.logsumexp(a, 1, keepdim=True)), xp.einsum
    else:
        lse = lambda a: a.max(1, keepdims=True) + np.log(np.exp(a - a.max(1, keepdims=True)).sum(1, keepdims=True))
        einsum = np.einsum

    def step(x, means, covariance, weights, eye):
        inverse = xp.linalg.inv(covariance)
        apart = x[:, None] - means
        far = einsum("nki,kij,nkj->nk", apart, inverse, apart)
        logs = xp.log(weights) - 0.5 * (far + xp.log(xp.linalg.det(covariance)))
        r = xp.exp(logs - lse(logs))
        counts = r.sum(0)
        means = (r.T @ x) / counts[:, None]
        apart = x[:, None] - means
        covariance = einsum("nk,nki,nkj->kij", r, apart, apart) / counts[:, None, None] + 1e-6 * eye
        return means, covariance, counts / n

    def run(x, means, covariance, weights, eye):
        if library == "jax":
            state = means, covariance, weights
            return lib.lax.fori_loop(0, steps, lambda _, s: step(x, *s, eye), state)
        for _ in range(steps):
            means, covariance, weights = step(x, means, covariance, weights, eye)
        return means, covariance, weights

    return runner.call(run, x, means, covariance, weights, eye)


# ---- 56 a table of ten categories and twenty numbers: embeddings, crossed features, focal loss and gradients
@program
def table(library, runner):
    rng, lib = RNG(156), runner.lib
    rows, kinds, width, numbers = 512, 10, 8, 20
    if library == "np":
        return None
    ids = rng.integers(0, 100, (rows, kinds))
    values, wanted = f32(rng, rows, numbers), (rng.random(rows) < 0.2).astype(np.float32)
    tables = f32(rng, kinds * 100, width, scale=0.1)
    first, b1 = f32(rng, kinds * width + numbers, 96, scale=0.1), f32(rng, 96, scale=0.1)
    second, b2 = f32(rng, 96, 48, scale=0.1), f32(rng, 48, scale=0.1)
    last = f32(rng, 48, scale=0.1)
    places = ids + 100 * np.arange(kinds)
    xp = arrays_of(library, lib)
    cat = xp.concat if library in ("vt", *TORCH) else xp.concatenate
    gelu = lib.nn.gelu if library == "jax" else lib.nn.functional.gelu

    def loss(weights, places, values, wanted):
        tables, first, b1, second, b2, last = weights
        e = tables[places]
        crossed = 0.5 * (e.sum(1) ** 2 - (e**2).sum(1)).sum(1)
        h = cat([e.reshape((rows, kinds * width)), xp.log1p(xp.abs(values)) * xp.sign(values)], 1)
        h = gelu(h @ first + b1)
        h = gelu(h @ second + b2)
        logit = h @ last + crossed
        p = 1 / (1 + xp.exp(-logit))
        right = xp.where(wanted > 0.5, p, 1 - p)
        return -((1 - right) ** 2 * xp.log(right + 1e-7)).mean()

    return runner.call(
        over(6, gradients(library, lib, loss)), tables, first, b1, second, b2, last, places, values, wanted
    )


# ---- 57 tabular games: Q-learning by 256 players on a 12 x 12 field with walls, 100 moves
@program
def maze(library, runner):
    rng, lib = RNG(157), runner.lib
    side, players, moves = 12, 256, 100
    walls = rng.random((side, side)) < 0.2
    walls[-1, -1] = walls[0, 0] = False
    steps = np.array([[-1, 0], [1, 0], [0, -1], [0, 1]])
    following = np.zeros((side * side, 4), np.int64)
    for s in range(side * side):
        for a, (di, dj) in enumerate(steps):
            i, j = s // side + di, s % side + dj
            inside = 0 <= i < side and 0 <= j < side and not walls[i, j]
            following[s, a] = i * side + j if inside else s
    q = f32(rng, players, side * side, 4, scale=0.01)
    chance, choice = rng.random((moves, players)).astype(np.float32), rng.integers(0, 4, (moves, players))
    who, xp = np.arange(players), arrays_of(library, lib)
    goal = side * side - 1

    def move(q, s, chance, choice, following, who):
        best = q[who, s].argmax(-1)
        a = xp.where(chance < 0.2, choice, best)
        after = following[s, a]
        reward = xp.where(after == goal, 1.0, -0.01)
        reward = reward.astype("float32") if library in ("np", "jax") else reward
        after_best = q[who, after].max(-1) if library not in TORCH else q[who, after].amax(-1)
        now = q[who, s, a]
        new = now + 0.5 * (reward + 0.95 * after_best * (after != goal) - now)
        if library == "jax":
            q = q.at[who, s, a].set(new)
        else:
            q[who, s, a] = new
        return q, xp.where(after == goal, 0, after)

    def run(q, chance, choice, following, who):
        s = 0 * who
        if library == "jax":

            def one(state, given):
                return move(*state, *given, following, who), None

            return lib.lax.scan(one, (q, s), (chance, choice))[0][0]
        q = q.clone() if library in ("vt", *TORCH) else q.copy()
        for t in range(moves):
            q, s = move(q, s, chance[t], choice[t], following, who)
        return q

    if library == "torch.compile":
        return None
    return runner.call(run, q, chance, choice, following, who)


# ---- 58 labels that spread over a graph until few change, float64
@program
def spreading(library, runner):
    rng, lib = RNG(158), runner.lib
    nodes, edges, kinds, rounds = 3000, 20000, 7, 15
    a, b = rng.integers(0, nodes, edges), rng.integers(0, nodes, edges)
    known = rng.random(nodes) < 0.05
    labels = np.eye(kinds)[rng.integers(0, kinds, nodes)] * known[:, None]
    degree = np.maximum(np.bincount(b, minlength=nodes), 1).astype(np.float64)
    xp = arrays_of(library, lib)

    def step(y, a, b, labels, known, degree):
        message = y[a] / degree[a][:, None]
        if library == "jax":
            total = xp.zeros_like(y).at[b].add(message)
        elif library == "vt":
            total = lib.zeros_like(y).index_add(b, 0, message)
        elif library in TORCH:
            total = lib.zeros_like(y).index_add(0, b, message)
        else:
            total = np.zeros_like(y)
            np.add.at(total, b, message)
        y = 0.8 * total + 0.2 * labels
        size = y.sum(1)[:, None]
        return xp.where(known, labels, y / (size + 1e-12))

    def run(y, a, b, known, degree):
        labels = y
        if library == "jax":
            y = lib.lax.fori_loop(0, rounds, lambda _, y: step(y, a, b, labels, known, degree), y)
        else:
            for _ in range(rounds):
                y = step(y, a, b, labels, known, degree)
        return y, y.argmax(1)

    return runner.call(run, labels, a, b, known[:, None], degree)


# ---- 59 a picture without its noise that keeps edges: a bilateral filter of 7 x 7, then Otsu's threshold
@program
def bilateral(library, runner):
    rng, lib = RNG(159), runner.lib
    h, w, r = 120, 160, 3
    i, j = np.mgrid[:h, :w]
    picture = (0.6 * ((i - 60) ** 2 + (j - 80) ** 2 < 1600) + 0.1 * rng.standard_normal((h, w)) + 0.2).clip(0, 1)
    picture = picture.astype(np.float32)
    levels, xp = np.arange(64, dtype=np.float32) / 64, arrays_of(library, lib)

    def run(x, levels):
        if library in TORCH:
            p = lib.nn.functional.pad(x[None, None], (r, r, r, r), mode="reflect")[0, 0]
        elif library == "vt":
            p = lib.nn.functional.pad(x.unsqueeze(0).unsqueeze(0), [r, r, r, r], mode="reflect").squeeze(0).squeeze(0)
        else:
            p = xp.pad(x, r, mode="reflect")
        total, weight = 0 * x, 0 * x
        for di in range(2 * r + 1):
            for dj in range(2 * r + 1):
                y = p[di : di + h, dj : dj + w]
                k = xp.exp(-((y - x) ** 2) * 12.5 - ((di - r) ** 2 + (dj - r) ** 2) / 8)
                total, weight = total + k * y, weight + k
        smooth = total / weight
        flat = smooth.reshape((-1,))
        below = flat[:, None] <= levels
        below = below.float() if library in TORCH else below.astype("float32")
        count = below.mean(0)
        mean = (below * flat[:, None]).mean(0)
        whole = flat.mean()
        between = (whole * count - mean) ** 2 / (count * (1 - count) + 1e-6)
        best = between.argmax()
        return smooth, (smooth > levels[best])

    return runner.call(run, picture, levels)


# ---- 60 a sequence through dilated causal convolutions with gates, loss and gradients
@program
def causal(library, runner):
    rng, lib = RNG(160), runner.lib
    if library == "np":
        return None
    batch, channels, length, layers = 4, 32, 256, 5
    x, wanted = f32(rng, batch, channels, length), f32(rng, batch, channels, length)
    filters = [f32(rng, 2 * channels, channels, 2, scale=0.12) for _ in range(layers)]
    mixes = [f32(rng, channels, channels, scale=0.15) for _ in range(layers)]
    xp = arrays_of(library, lib)
    sigmoid = lib.nn.sigmoid if library == "jax" else lib.nn.functional.sigmoid if library == "vt" else lib.sigmoid

    def along(h, f, k):
        d = 2**k
        if library == "jax":
            return lib.lax.conv_general_dilated(h, f, (1,), [(d, 0)], rhs_dilation=(d,))
        if library == "vt":
            return lib.nn.functional.conv1d(lib.nn.functional.pad(h, [d, 0], data_format="NCL"), f, dilation=d)
        return lib.nn.functional.conv1d(lib.nn.functional.pad(h, (d, 0)), f, dilation=d)

    def loss(weights, x, wanted):
        h, out = x, 0 * x
        for k in range(layers):
            both = along(h, weights[k], k)
            made = xp.tanh(both[:, :channels]) * sigmoid(both[:, channels:])
            made = weights[layers + k] @ made
            out, h = out + made, h + made
        return ((out - wanted) ** 2).mean()

    return runner.call(over(2 * layers, gradients(library, lib, loss)), *filters, *mixes, x, wanted)
