"""Twelve programs of a sixth set, measured before anything was tuned for them; the form of second.py."""

import numpy as np

from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401 - fresh.py reads the libraries here
from .third import add_rows, gradients

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def is_torch(library):
    return library.startswith("torch")


def arrays_of(library, lib):
    return lib.numpy if library == "jax" else lib


def fold(library, lib, into, places, values, how):
    """`into` with the least or largest of the values at places."""
    if library == "jax":
        return getattr(into.at[places], how)(values)
    if library == "vt":
        return lib.put_along_axis(into, places, values, 0, reduce="a" + how)
    if library == "np":
        into = into.copy()
        getattr(np, how + "imum").at(into, places, values)
        return into
    return into.scatter_reduce(0, places, values, "a" + how)


# ---- 1 sales by shop: rows that count, sums, means and the largest of each group


@program
def sales(library, runner):
    rng, lib = RNG(1), runner.lib
    amount, shop = f32(rng, 20000), rng.integers(0, 200, 20000)
    zeros = np.zeros(200, np.float32)
    xp = arrays_of(library, lib)

    def table(amount, shop, zeros):
        counts = amount > 0.2
        if library == "jax":
            kept, ones = xp.where(counts, amount, 0.0), xp.where(counts, 1.0, 0.0).astype(np.float32)
        else:
            kept, shop = amount[counts], shop[counts]
            ones = xp.ones_like(kept)
        total = add_rows(library, lib, zeros + 0.0, shop, kept)
        number = add_rows(library, lib, zeros + 0.0, shop, ones)
        most = fold(library, lib, zeros, shop, kept, "max")
        return total, total / xp.where(number > 0, number, 1.0 + zeros), most

    return runner.call(table, amount, shop, zeros)


# ---- 2 a bank of filters of second order along time


@program
def filter_bank(library, runner):
    rng, lib = RNG(2), runner.lib
    sound = f32(rng, 400, 64)
    angle = rng.uniform(0.1, 2.5, 64)
    b, a1, a2 = 0.05 * np.ones(64), -1.8 * np.cos(angle), 0.81 * np.ones(64)
    given = [np.float32(v) for v in (b, a1, a2)]
    if library == "jax":
        jnp = lib.numpy

        def filtered(sound, b, a1, a2):
            def step(state, x):
                s1, s2 = state
                y = b * x + s1
                return (s2 - a1 * y, b * x - a2 * y), y

            none = jnp.zeros(64, np.float32)
            return (lib.lax.scan(step, (none, none), sound)[1] ** 2).mean(0)

        return runner.call(filtered, sound, *given)

    def filtered(sound, b, a1, a2):
        s1, s2, energy = b * 0.0, b * 0.0, b * 0.0
        for t in range(400):
            x = sound[t]
            y = b * x + s1
            s1, s2 = s2 - a1 * y, b * x - a2 * y
            energy = energy + y * y
        return energy / 400.0

    return runner.call(filtered, sound, *given)


# ---- 3 connected parts of a graph: the least label of the neighbours, 12 times


@program
def parts_of_graph(library, runner):
    rng, lib = RNG(3), runner.lib
    ends = rng.integers(0, 2000, (2, 5000))
    labels = np.arange(2000)

    def parts(labels, a, b):
        for _ in range(12):
            labels = fold(library, lib, labels, a, labels[b], "min")
            labels = fold(library, lib, labels, b, labels[a], "min")
            labels = labels[labels]
        return labels

    return runner.call(parts, labels, *ends)


# ---- 4 what a detector found: boxes of 3 anchors, the 100 best, how much they overlap


@program
def detections(library, runner):
    rng, lib = RNG(4), runner.lib
    raw = f32(rng, 3, 25, 26, 26)
    anchors = np.float32([[10, 14], [23, 27], [37, 58]])
    grid = np.float32(np.stack(np.meshgrid(np.arange(26), np.arange(26)), 0))
    xp = arrays_of(library, lib)
    if library == "np":
        return None
    sigmoid = lib.nn.sigmoid if library == "jax" else lib.nn.functional.sigmoid if library == "vt" else lib.sigmoid
    most = (lambda x: x.amax(1)) if is_torch(library) else (lambda x: x.max(1))

    def found(raw, anchors, grid):
        center = (sigmoid(raw[:, :2]) + grid) * 16.0
        size = xp.exp(raw[:, 2:4]) * anchors[:, :, None, None]
        score = sigmoid(raw[:, 4]) * most(sigmoid(raw[:, 5:]))
        boxes = [(center - size * 0.5)[:, k].reshape((-1,)) for k in (0, 1)]
        boxes += [(center + size * 0.5)[:, k].reshape((-1,)) for k in (0, 1)]
        score = score.reshape((-1,))
        best, place = lib.lax.top_k(score, 100) if library == "jax" else lib.topk(score, 100)
        x0, y0, x1, y1 = (b[place] for b in boxes)
        wide = xp.minimum(x1[:, None], x1) - xp.maximum(x0[:, None], x0)
        high = xp.minimum(y1[:, None], y1) - xp.maximum(y0[:, None], y0)
        both = xp.where(wide > 0, wide, 0.0 * wide) * xp.where(high > 0, high, 0.0 * high)
        area = (x1 - x0) * (y1 - y0)
        return best, both / (area[:, None] + area - both)

    return runner.call(found, raw, anchors, grid)


# ---- 5 prices of options where the variance wanders, 40 steps of 10,000 paths


@program
def wandering_variance(library, runner):
    rng, lib = RNG(5), runner.lib
    noise = f32(rng, 2, 40, 10000)
    xp = arrays_of(library, lib)
    zero = np.zeros(10000, np.float32)

    def step(s, v, a, b):
        up = xp.maximum(v, v * 0.0)
        root = xp.sqrt(up * 0.025)
        s = s - 0.5 * up * 0.025 + root * a
        return s, v + 1.5 * (0.04 - up) * 0.025 + 0.3 * root * (-0.7 * a + 0.714 * b)

    def price(s):
        gain = xp.exp(s) * 100.0 - 95.0
        return xp.maximum(gain, gain * 0.0).mean()

    if library == "jax":

        def value(noise, zero):
            run = lib.lax.fori_loop(0, 40, lambda t, c: step(*c, noise[0, t], noise[1, t]), (zero, zero + 0.04))
            return price(run[0])
    else:

        def value(noise, zero):
            s, v = zero, zero + 0.04
            for t in range(40):
                s, v = step(s, v, noise[0, t], noise[1, t])
            return price(s)

    return runner.call(value, noise, zero)


# ---- 6 the best load of a sack: 40 things, 2,000 units


@program
def sack(library, runner):
    rng, lib = RNG(6), runner.lib
    weights, values = [int(w) for w in rng.integers(5, 90, 40)], rng.uniform(1, 9, 40)
    xp = arrays_of(library, lib)
    join = lib.concat if library in ("vt", "torch", "torch.compile") else xp.concatenate

    def best(empty, values):
        for k, w in enumerate(weights):
            with_it = empty[: 2000 - w] + values[k]
            empty = join([empty[:w], xp.maximum(empty[w:], with_it)])
        return empty

    return runner.call(best, np.zeros(2000), values)


# ---- 7 poles on carts: 100 steps of 256, begun anew where they fall


@program
def poles(library, runner):
    rng, lib = RNG(7), runner.lib
    xp = arrays_of(library, lib)
    start, policy = f32(rng, 4, 256, scale=0.05), f32(rng, 4)

    def step(s, start, policy, reward):
        x, u, a, w = s[0], s[1], s[2], s[3]
        force = xp.where(
            policy[0] * x + policy[1] * u + policy[2] * a + policy[3] * w > 0, 10.0 + 0.0 * x, 0.0 * x - 10.0
        )
        sin, cos = xp.sin(a), xp.cos(a)
        push = (force + 0.05 * w * w * sin) / 1.1
        turn = (9.8 * sin - cos * push) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / 1.1))
        move = push - 0.05 * turn * cos / 1.1
        s = xp.stack([x + 0.02 * u, u + 0.02 * move, a + 0.02 * w, w + 0.02 * turn])
        fell = (xp.abs(s[0]) > 2.4) | (xp.abs(s[2]) > 0.209)
        return xp.where(fell, start, s), reward + xp.where(fell, 0.0 * x, 1.0 + 0.0 * x)

    if library == "jax":

        def play(start, policy):
            run = lib.lax.fori_loop(0, 100, lambda t, c: step(c[0], start, policy, c[1]), (start, start[0] * 0.0))
            return run[0], run[1]
    else:

        def play(start, policy):
            s, reward = start, start[0] * 0.0
            for _ in range(100):
                s, reward = step(s, start, policy, reward)
            return s, reward

    return runner.call(play, start, policy)


# ---- 8 edges of a picture: blur, slopes, thin lines


@program
def thin_edges(library, runner):
    rng, lib = RNG(8), runner.lib
    xp = arrays_of(library, lib)
    picture = np.float32(rng.uniform(0, 1, (256, 256)))

    def edges(p):
        for _ in range(2):
            p = (p[:-2] + 2.0 * p[1:-1] + p[2:]) * 0.25
            p = (p[:, :-2] + 2.0 * p[:, 1:-1] + p[:, 2:]) * 0.25
        right = p[:, 2:] - p[:, :-2]
        right = right[:-2] + 2.0 * right[1:-1] + right[2:]
        down = p[2:] - p[:-2]
        down = down[:, :-2] + 2.0 * down[:, 1:-1] + down[:, 2:]
        size = xp.sqrt(right * right + down * down)
        flat = xp.abs(right[1:-1, 1:-1]) > xp.abs(down[1:-1, 1:-1])
        m = size[1:-1, 1:-1]
        across = xp.maximum(size[1:-1, :-2], size[1:-1, 2:])
        along = xp.maximum(size[:-2, 1:-1], size[2:, 1:-1])
        thin = m >= xp.where(flat, across, along)
        return xp.where(thin & (m > 0.1), m, m * 0.0)

    return runner.call(edges, picture)


# ---- 9 a small transformer reads letters: loss and gradients


@program
def letter_model(library, runner):
    rng, lib = RNG(9), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    size, words, batch, heads = 64, 32, 8, 4
    letters = rng.integers(0, 50, (batch, words + 1))
    mask = np.where(np.tri(words, dtype=bool), 0, -1e9).astype(np.float32)
    shapes = [(50, size), (size, 3 * size), (size, size), (size, 4 * size), (4 * size, size), (size, 50)]
    weights = [f32(rng, *s, scale=size**-0.5) for s in shapes]
    F = lib.nn if library == "jax" else lib.nn.functional
    swap = (lambda t, *p: t.permute(*p)) if is_torch(library) else lambda t, *p: t.transpose(p)

    def norm(t):
        t = t - t.mean(-1)[..., None]
        return t / xp.sqrt((t * t).mean(-1)[..., None] + 1e-5)

    def loss(weights, letters, mask):
        table, qkv, out, up, down, head = weights
        x = table[letters[:, :-1]]
        t = swap((norm(x) @ qkv).reshape((batch, words, 3, heads, size // heads)), 2, 0, 3, 1, 4)
        score = t[0] @ swap(t[1], 0, 1, 3, 2) * 0.25 + mask
        seen = F.softmax(score, -1) @ t[2]
        x = x + swap(seen, 0, 2, 1, 3).reshape((batch, words, size)) @ out
        x = x + F.gelu(norm(x) @ up) @ down
        logits = (norm(x) @ head).reshape((-1, 50))
        target = letters[:, 1:].reshape((-1,))
        if library == "jax":
            return -xp.take_along_axis(F.log_softmax(logits, -1), target[:, None], 1).mean()
        return F.cross_entropy(logits, target)

    both = gradients(library, lib, loss)
    return runner.call(lambda letters, mask, *w: both(list(w), letters, mask), letters, mask, *weights)


# ---- 10 who likes what: towers over embeddings, loss and gradients


@program
def likes(library, runner):
    rng, lib = RNG(10), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    who, what, past = rng.integers(0, 2000, 256), rng.integers(0, 3000, 256), rng.integers(0, 3000, (256, 20))
    liked = np.float32(rng.random(256) < 0.5)
    shapes = [(2000, 32), (3000, 32), (64, 32), (32, 32)]
    weights = [f32(rng, *s, scale=0.2) for s in shapes]
    relu = lib.nn.relu if library == "jax" else lib.nn.functional.relu

    def loss(weights, who, what, past, liked):
        people, things, first, second = weights
        join = lib.concat if library != "jax" else xp.concatenate
        left = join([people[who], things[past].mean(1)], 1)
        score = ((relu(left @ first) @ second) * things[what]).sum(1)
        return (xp.maximum(score, score * 0.0) - score * liked + xp.log1p(xp.exp(-xp.abs(score)))).mean()

    both = gradients(library, lib, loss)
    given = who, what, past, liked
    return runner.call(lambda who, what, past, liked, *w: both(list(w), who, what, past, liked), *given, *weights)


# ---- 11 pictures rotated by an angle, between pixels


@program
def turned_pictures(library, runner):
    rng, lib = RNG(11), runner.lib
    xp = arrays_of(library, lib)
    pictures, angle = np.float32(rng.random((8, 64, 64, 3))), np.float32(rng.uniform(-0.5, 0.5, 8))
    y, x = np.float32(np.mgrid[:64, :64]) - 31.5
    number = np.arange(8)[:, None, None]
    whole = (lambda t: t.long()) if is_torch(library) else lambda t: t.astype("int64")

    def turned(pictures, angle, y, x, number):
        cos, sin = xp.cos(angle)[:, None, None], xp.sin(angle)[:, None, None]
        u, v = xp.clip(cos * x - sin * y + 31.5, 0.0, 62.99), xp.clip(sin * x + cos * y + 31.5, 0.0, 62.99)
        left, top = xp.floor(u), xp.floor(v)
        a, b = (u - left)[..., None], (v - top)[..., None]
        left, top = whole(left), whole(top)
        above = pictures[number, top, left] * (1.0 - a) + pictures[number, top, left + 1] * a
        below = pictures[number, top + 1, left] * (1.0 - a) + pictures[number, top + 1, left + 1] * a
        return above * (1.0 - b) + below * b

    return runner.call(turned, pictures, angle, y, x, number)


# ---- 12 columns made robust: medians, deviations from them, correlations, float64


@program
def robust_columns(library, runner):
    rng, lib = RNG(12), runner.lib
    xp = arrays_of(library, lib)
    data = rng.standard_t(3, (2001, 16))
    middle = (lambda t: t.median(0)[0]) if is_torch(library) else lambda t: xp.median(t, 0)

    def scaled(data):
        away = data - middle(data)
        z = xp.clip(away / (1.4826 * middle(xp.abs(away))), -4.0, 4.0)
        z = z - z.mean(0)
        both = z.T @ z
        size = xp.sqrt((z * z).sum(0))
        return both / (size[:, None] * size)

    return runner.call(scaled, data)
