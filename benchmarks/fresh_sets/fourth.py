"""Ten programs of a fourth set, measured before anything was tuned for them; the form of second.py."""

import numpy as np

from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401 - fresh.py reads the libraries here
from .third import add_rows, gradients

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


# ---- 1 one layer of a language model: rotated positions, gated units, causal attention


@program
def language_layer(library, runner):
    rng, lib = RNG(1), runner.lib
    size, heads, words, wide = 128, 4, 64, 256
    each = size // heads
    x = f32(rng, 2, words, size)
    shapes = [(size, 3 * size), (size, size), (size, wide), (size, wide), (wide, size)]
    weights = [f32(rng, *s, scale=s[0] ** -0.5) for s in shapes]
    angle = np.arange(words)[:, None] * 10000.0 ** (-np.arange(each // 2) / (each // 2))
    cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    mask = np.where(np.tri(words, dtype=bool), 0, -1e9).astype(np.float32)
    xp = lib.numpy if library == "jax" else lib
    join = xp.concatenate if library in ("jax", "np") else xp.concat
    swap = (lambda t, *p: t.permute(*p)) if library.startswith("torch") else lambda t, *p: t.transpose(p)

    def norm(t):
        return t / xp.sqrt((t * t).mean(-1)[..., None] + 1e-6)

    def turned(t, cos, sin):
        a, b = t[..., : each // 2], t[..., each // 2 :]
        return join((a * cos - b * sin, a * sin + b * cos), -1)

    def layer(x, cos, sin, mask, qkv, out, gate, up, down):
        t = swap((norm(x) @ qkv).reshape((2, words, 3, heads, each)), 2, 0, 3, 1, 4)
        q, k, v = turned(t[0], cos, sin), turned(t[1], cos, sin), t[2]
        score = q @ swap(k, 0, 1, 3, 2) / each**0.5 + mask
        score = xp.exp(score - (score.amax(-1) if library.startswith("torch") else score.max(-1))[..., None])
        weight = score / score.sum(-1)[..., None]
        x = x + swap(weight @ v, 0, 2, 1, 3).reshape((2, words, size)) @ out
        h = norm(x)
        g = h @ gate
        return x + (g / (1.0 + xp.exp(-g)) * (h @ up)) @ down

    return runner.call(layer, x, cos, sin, mask, *weights)


# ---- 2 a swarm of double pendulums, Runge and Kutta's fourth order, float64


@program
def pendulums(library, runner):
    rng, lib = RNG(2), runner.lib
    start = 0.8 * rng.standard_normal((4, 400))
    xp = lib.numpy if library == "jax" else lib

    def slope(s):
        a, b, u, v = s[0], s[1], s[2], s[3]
        d = a - b
        below = 3.0 - xp.cos(2.0 * d)
        du = (
            -3.0 * 9.81 * xp.sin(a) - 9.81 * xp.sin(a - 2.0 * b) - 2.0 * xp.sin(d) * (v * v + u * u * xp.cos(d))
        ) / below
        dv = 2.0 * xp.sin(d) * (2.0 * u * u + 2.0 * 9.81 * xp.cos(a) + v * v * xp.cos(d)) / below
        return xp.stack([u, v, du, dv])

    def step(s):
        h = 0.01
        k1 = slope(s)
        k2 = slope(s + 0.5 * h * k1)
        k3 = slope(s + 0.5 * h * k2)
        return s + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + slope(s + h * k3))

    if library == "jax":
        return runner.call(lambda s: lib.lax.fori_loop(0, 100, lambda k, s: step(s), s), start)

    def run(s):
        for _ in range(100):
            s = step(s)
        return s

    return runner.call(run, start)


# ---- 3 the likeliest way through a hidden Markov model, and back


@program
def likeliest_way(library, runner):
    rng, lib = RNG(3), runner.lib
    times, states = 120, 32
    move, seen = f32(rng, states, states), f32(rng, times, states)
    if library == "jax":

        def way(move, seen):
            def step(score, s):
                all_ways = score[:, None] + move
                return all_ways.max(0) + s, all_ways.argmax(0)

            score, back = lib.lax.scan(step, seen[0], seen[1:])
            last = score.argmax()
            _, path = lib.lax.scan(lambda at, b: (b[at], b[at]), last, back, reverse=True)
            return score.max(), lib.numpy.append(path, last)

        return runner.call(way, move, seen)

    def way(move, seen):
        score, back = seen[0], []
        for t in range(1, times):
            all_ways = score[:, None] + move
            back.append(all_ways.argmax(0))
            score = (all_ways.amax(0) if library.startswith("torch") else all_ways.max(0)) + seen[t]
        at = score.argmax()
        path = [at]
        for t in range(times - 2, -1, -1):
            at = back[t][at]
            path.append(at)
        return score.max(), lib.stack(path[::-1])

    return runner.call(way, move, seen)


# ---- 4 counts of pairs of words, what one tells of the next, the pairs that stand out


@program
def word_pairs(library, runner):
    rng, lib = RNG(4), runner.lib
    kinds = 120
    words = np.minimum(rng.geometric(0.04, 30000) - 1, kinds - 1).astype(np.int64)
    xp = lib.numpy if library == "jax" else lib

    def made(words):
        pairs = words[:-1] * kinds + words[1:]
        more = {"length": kinds * kinds} if library == "jax" else {"minlength": kinds * kinds}
        counts = xp.bincount(pairs, **more).reshape((kinds, kinds))
        share = counts / 29999.0
        left, right = share.sum(1), share.sum(0)
        surprise = xp.log((share + 1e-9) / (left[:, None] * right[None, :] + 1e-9))
        told = (share * surprise).sum()
        flat = (surprise * xp.sqrt(share)).reshape((-1,))
        if library == "np":
            return told, np.sort(flat)[::-1][:10]
        if library == "jax":
            return told, lib.lax.top_k(flat, 10)[0]
        return told, lib.topk(flat, 10)[0]

    return runner.call(made, words)


# ---- 5 logistic regression by Newton's steps, float64


@program
def newton(library, runner):
    rng, lib = RNG(5), runner.lib
    x = rng.standard_normal((2000, 16))
    y = (x @ rng.standard_normal(16) + rng.standard_normal(2000) > 0).astype(np.float64)
    xp = lib.numpy if library == "jax" else lib
    one = np.eye(16)

    def step(w, x, y, one):
        p = 1.0 / (1.0 + xp.exp(-(x @ w)))
        slope = x.T @ (p - y) + 0.1 * w
        curve = x.T @ (x * (p * (1.0 - p))[:, None]) + 0.1 * one
        return w - xp.linalg.solve(curve, slope)

    if library == "jax":
        run = lambda x, y, one: lib.lax.fori_loop(0, 8, lambda k, w: step(w, x, y, one), x[0] * 0.0)  # noqa: E731
        return runner.call(run, x, y, one)

    def run(x, y, one):
        w = x[0] * 0.0
        for _ in range(8):
            w = step(w, x, y, one)
        return w

    return runner.call(run, x, y, one)


# ---- 6 a network on a graph: mean of the neighbours, loss of the labels, gradients


@program
def graph_labels(library, runner):
    rng, lib = RNG(6), runner.lib
    if library == "np":
        return None
    nodes, edges = 1000, 8000
    x, source, target = f32(rng, nodes, 32), rng.integers(0, nodes, edges), rng.integers(0, nodes, edges)
    label, each = rng.integers(0, 7, nodes), np.arange(nodes)
    sizes = [(32, 64), (32, 64), (64, 7), (64, 7)]
    weights = [f32(rng, *s, scale=s[0] ** -0.5) for s in sizes]
    xp = lib.numpy if library == "jax" else lib
    zeros = (lambda *s: lib.zeros(s, dtype="float32")) if library == "vt" else lambda *s: xp.zeros(s, dtype=xp.float32)
    relu = lib.nn.relu if library == "jax" else lib.nn.functional.relu if library == "vt" else lib.relu

    def loss(w, x, source, target, label, each):
        count = add_rows(library, lib, zeros(nodes, 1), target, x[source][:, :1] * 0.0 + 1.0) + 1.0
        near = lambda h: (add_rows(library, lib, zeros(nodes, h.shape[1]), target, h[source]) + h) / count  # noqa: E731
        h = relu(x @ w[0] + near(x) @ w[1])
        score = h @ w[2] + near(h) @ w[3]
        score = score - (score.amax(-1) if library.startswith("torch") else score.max(-1))[:, None]
        return (xp.log(xp.exp(score).sum(-1)) - score[each, label]).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda *given: both(list(given[5:]), *given[:5]), x, source, target, label, each, *weights)


# ---- 7 how alike two pictures are: means and spreads under a sliding window


@program
def alike(library, runner):
    rng = RNG(7)
    picture = rng.random((192, 256)).astype(np.float32)
    other = np.clip(picture + 0.1 * rng.standard_normal((192, 256)), 0, 1).astype(np.float32)
    bell = np.exp(-((np.arange(11) - 5) ** 2) / 4.5)
    bell = [float(b) for b in bell / bell.sum()]

    def blurred(x):
        x = sum(b * x[k : k + 182] for k, b in enumerate(bell))
        return sum(b * x[:, k : k + 246] for k, b in enumerate(bell))

    def made(a, b):
        ma, mb = blurred(a), blurred(b)
        va, vb, both = blurred(a * a) - ma * ma, blurred(b * b) - mb * mb, blurred(a * b) - ma * mb
        score = (2 * ma * mb + 1e-4) * (2 * both + 9e-4) / ((ma * ma + mb * mb + 1e-4) * (va + vb + 9e-4))
        return score.mean(), score.min()

    return runner.call(made, picture, other)


# ---- 8 a selective state space layer: a scan over time, loss and gradients


@program
def state_space(library, runner):
    rng, lib = RNG(8), runner.lib
    if library == "np":
        return None
    batch, times, wide, deep = 4, 64, 48, 8
    x = f32(rng, batch, times, wide)
    weights = [
        f32(rng, wide, wide, scale=0.1),
        f32(rng, wide, deep, scale=0.15),
        f32(rng, wide, deep, scale=0.15),
        f32(rng, wide, deep),
    ]
    xp = lib.numpy if library == "jax" else lib

    def loss(w, x):
        rate = xp.log(1.0 + xp.exp(x @ w[0] - 2.0))
        enter, leave, decay = x @ w[1], x @ w[2], -xp.exp(0.3 * w[3])

        def step(state, t):
            r = rate[:, t, :, None]
            return xp.exp(r * decay) * state + r * x[:, t, :, None] * enter[:, t, None, :]

        def out(state, t):
            return (state * leave[:, t, None, :]).sum(-1)

        state = x[:, 0, :, None] * enter[:, 0, None, :]
        if library == "jax":

            def body(state, t):
                state = step(state, t)
                return state, out(state, t)

            y = lib.lax.scan(body, state, xp.arange(1, times))[1]
        else:
            made = []
            for t in range(1, times):
                state = step(state, t)
                made.append(out(state, t))
            y = xp.stack(made)
        return (y * y).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda x, *w: both(list(w), x), x, *weights)


# ---- 9 a cloud of particles follows a hidden signal, and is drawn anew at each step


@program
def particles(library, runner):
    rng, lib = RNG(9), runner.lib
    count, times = 500, 40
    seen, noise = rng.standard_normal(times), rng.standard_normal((times, count))
    places = (np.arange(count) + 0.5) / count
    xp = lib.numpy if library == "jax" else lib

    def step(x, z, n, places):
        x = 0.5 * x + 25.0 * x / (1.0 + x * x) + n
        weight = xp.exp(-0.5 * (z - x * x / 20.0) ** 2)
        share = xp.cumsum(weight, 0)
        share = share / share[-1]
        at = xp.searchsorted(share, places)
        return x[xp.clip(at, 0, count - 1)]

    if library == "jax":

        def run(seen, noise, places):
            def body(x, given):
                x = step(x, *given, places)
                return x, x.mean()

            return lib.lax.scan(body, noise[0], (seen, noise))[1]

        return runner.call(run, seen, noise, places)

    def run(seen, noise, places):
        x, means = noise[0], []
        for t in range(times):
            x = step(x, seen[t], noise[t], places)
            means.append(x.mean())
        return lib.stack(means)

    return runner.call(run, seen, noise, places)


# ---- 10 boxes that overlap: sorted by score, all but the best of each crowd left out


@program
def crowds(library, runner):
    rng, lib = RNG(10), runner.lib
    count = 250
    corner, size = rng.random((count, 2)) * 80, 5 + 20 * rng.random((count, 2))
    boxes, score = np.concatenate([corner, corner + size], 1).astype(np.float32), rng.random(count).astype(np.float32)
    place = np.arange(count)
    xp = lib.numpy if library == "jax" else lib

    def overlaps(b):
        low = xp.maximum(b[:, None, :2], b[None, :, :2])
        high = xp.minimum(b[:, None, 2:], b[None, :, 2:])
        side = xp.clip(high - low, 0.0, 1e9)
        both, area = side[..., 0] * side[..., 1], (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
        return both / (area[:, None] + area[None, :] - both)

    if library == "jax":

        def kept(boxes, score, place):
            b = boxes[xp.argsort(-score)]
            close = overlaps(b) > 0.4

            def body(k, keep):
                return keep & ~(close[k] & (place > k) & keep[k])

            return lib.lax.fori_loop(0, count, body, score > -1.0).astype("int64")

        return runner.call(kept, boxes, score, place)

    def kept(boxes, score, place):
        b = boxes[xp.argsort(-score)]
        close = overlaps(b) > 0.4
        keep = score > -1.0
        for k in range(count):
            keep = keep & ~(close[k] & (place > k) & keep[k])
        return keep.astype("int64") if library in ("np", "vt") else keep.long()

    return runner.call(kept, boxes, score, place)
