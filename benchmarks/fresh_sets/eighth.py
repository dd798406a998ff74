"""Eighteen programs of an eighth set, measured before anything was tuned for them; the form of second.py."""

import numpy as np

from .fifth import arrays_of, swap
from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401 - fresh.py reads the libraries here
from .sixth import is_torch
from .third import add_rows, gradients

PROGRAMS = {}
WEIGHTS = {"pictures_of_shops": 1, "forest": 1}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def functions_of(library, lib):
    """Where a library has what networks are made of."""
    return lib.nn if library == "jax" else lib.nn.functional


# ---- 1 sentences by beam search: 24 words, 4 sentences, 8 beams each


@program
def beams(library, runner):
    rng, lib = RNG(1), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    words, size, batch, wide = 1009, 96, 4, 8
    embed, out = f32(rng, words, size), f32(rng, size, words, scale=0.3)
    mix = f32(rng, 2 * size, size, scale=0.1)
    state0 = f32(rng, batch, wide, size)
    score0 = np.float32([[0.0] + [-1e9] * (wide - 1)] * batch)
    ended = np.full(words, -1e9, np.float32)
    ended[1] = 0.0
    joined = (lambda a, b: lib.cat((a, b), -1)) if is_torch(library) else lambda a, b: xp.concatenate((a, b), -1)
    if library == "vt":
        joined = lambda a, b: lib.concat((a, b), -1)  # noqa: E731

    def taken(state, parents):
        if is_torch(library):
            return state.gather(1, parents[:, :, None].expand(-1, -1, size))
        return xp.take_along_axis(state, parents[:, :, None], 1)

    def of_parents(done, parents):
        return done.gather(1, parents) if is_torch(library) else xp.take_along_axis(done, parents, 1)

    def step(state, score, last, done, embed, mix, out, ended):
        state = xp.tanh(joined(state, embed[last]) @ mix)
        log = F.log_softmax(state @ out, -1)
        log = xp.where(done[:, :, None], ended, log)
        total = (score[:, :, None] + log).reshape((batch, wide * words))
        score, best = lib.lax.top_k(total, wide) if library == "jax" else lib.topk(total, wide, -1)
        parents, last = best // words, best % words
        done = of_parents(done, parents) | (last == 1)
        return taken(state, parents), score, last, done, parents

    def search(state, score, embed, mix, out, ended):
        if library == "jax":

            def turn(s, _):
                *s, parents = step(*s, embed, mix, out, ended)
                return tuple(s), (s[2], parents)

            nothing = xp.zeros((batch, wide), "int32")
            start = (state, score, nothing, nothing > 0)
            (_, score, _, _), (said, parents) = lib.lax.scan(turn, start, None, 24)
            return score, said, parents
        last = xp.zeros((batch, wide), dtype=lib.int64)
        done = last > 0
        said, trail = [], []
        for _ in range(24):
            state, score, last, done, parents = step(state, score, last, done, embed, mix, out, ended)
            said.append(last)
            trail.append(parents)
        return score, lib.stack(said), lib.stack(trail)

    return runner.call(search, state0, score0, embed, mix, out, ended)


# ---- 2 how a market's volatility wandered: 1,009 particles through 101 returns, float64


@program
def particles(library, runner):
    rng, lib = RNG(2), runner.lib
    xp = arrays_of(library, lib)
    returns = 0.02 * rng.standard_normal(101)
    noise, offsets = rng.standard_normal((101, 1009)), rng.random(101)
    start, places = -8.0 + rng.standard_normal(1009), np.arange(1009.0)

    def turn(h, seen, noise, offset, places):
        h = -8.0 + 0.95 * (h + 8.0) + 0.3 * noise
        log = -0.5 * (h + seen * seen * xp.exp(-h))
        top = log.max()
        weights = xp.exp(log - top)
        total = weights.sum()
        mean = (weights * h).sum() / total
        reached = xp.cumsum(weights, 0) / total
        chosen = xp.searchsorted(reached, (places + offset) / 1009.0)
        return h[xp.clip(chosen, 0, 1008)], mean, top + xp.log(total / 1009.0)

    def filtered(returns, noise, offsets, h, places):
        if library == "jax":

            def step(state, given):
                h, mean, likely = turn(state[0], *given, places)
                return (h, state[1] + likely), mean

            (_, likely), means = lib.lax.scan(step, (h, 0.0), (returns, noise, offsets))
            return means, likely
        means, likely = [], 0.0
        for t in range(101):
            h, mean, more = turn(h, returns[t], noise[t], offsets[t], places)
            means.append(mean)
            likely = likely + more
        return lib.stack(means), likely

    return runner.call(filtered, returns, noise, offsets, start, places)


# ---- 3 what a patient's 37 hours foretell: a GRU in both directions, loss and gradients


@program
def bedside(library, runner):
    rng, lib = RNG(3), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    batch, hours, size, hidden = 8, 37, 21, 48
    x, found = f32(rng, batch, hours, size), f32(rng, batch)
    weights = []
    for _ in range(2):
        weights += [f32(rng, 3 * hidden, size, scale=0.2), f32(rng, 3 * hidden, hidden, scale=0.14)]
        weights += [f32(rng, 3 * hidden, scale=0.1), f32(rng, 3 * hidden, scale=0.1)]
    weights += [f32(rng, 2 * hidden, scale=0.1)]
    if library == "vt":
        layer = lib.nn.GRU(size, hidden, direction="bidirect")
        for parameter, w in zip(layer.parameters(), weights, strict=False):
            parameter.set_value(w)
        out = lib.to_tensor(weights[-1], stop_gradient=False)

        def both(x, found):
            y, _ = layer(x)
            loss = ((y.mean(1) @ out - found) ** 2).mean()
            return loss, *lib.grad(loss, [*layer.parameters(), out])

        return runner.call(both, x, found)

    def along(x, wi, wh, bi, bh, backwards):
        def step(h, given):
            r, z, n = xp.split(given, 3, -1)
            hr, hz, hn = xp.split(h @ wh.T + bh, 3, -1)
            r, z = lib.nn.sigmoid(r + hr), lib.nn.sigmoid(z + hz)
            n = xp.tanh(n + r * hn)
            h = (1.0 - z) * n + z * h
            return h, h

        given = (x @ wi.T + bi).transpose(1, 0, 2)
        return lib.lax.scan(step, xp.zeros((batch, hidden), x.dtype), given, reverse=backwards)[1]

    def loss(weights, x, found):
        if library == "jax":
            y = xp.concatenate((along(x, *weights[:4], False), along(x, *weights[4:8], True)), -1).mean(0)
        else:
            y = lib.gru(x, x.new_zeros(2, batch, hidden), weights[:8], True, 1, 0.0, True, True, True)[0].mean(1)
        return ((y @ weights[8] - found) ** 2).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda x, found, *weights: both(list(weights), x, found), x, found, *weights)


# ---- 4 where to aim: 23 bodies over 60 steps, and how the end depends on the first velocities, float64


@program
def orbits(library, runner):
    rng, lib = RNG(4), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    place, speed = rng.standard_normal((23, 3)), 0.3 * rng.standard_normal((23, 3))
    mass = rng.uniform(0.01, 0.1, 23)

    def pull(p, mass):
        d = p[None, :, :] - p[:, None, :]
        near = (d * d).sum(-1) + 0.01
        return ((mass / (near * xp.sqrt(near)))[:, :, None] * d).sum(1)

    def turn(p, v, mass):
        v = v + 0.01 * pull(p, mass)
        p = p + 0.02 * v
        return p, v + 0.01 * pull(p, mass)

    def loss(weights, p, mass):
        v = weights[0]
        if library == "jax":
            p, v = lib.lax.fori_loop(0, 60, lambda _, s: turn(*s, mass), (p, v))
        else:
            for _ in range(60):
                p, v = turn(p, v, mass)
        return ((p[0] - p[1]) ** 2).sum() + 0.1 * (v[0] * v[0]).sum()

    both = gradients(library, lib, loss)
    return runner.call(lambda v, p, mass: both([v], p, mass), speed, place, mass)


# ---- 5 blocks that widen, filter each channel and narrow again: loss and gradients


@program
def bottlenecks(library, runner):
    rng, lib = RNG(5), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    blocks = ((16, 96, 24, 3, 2), (24, 144, 24, 5, 1), (24, 144, 40, 3, 2))
    shapes = [(16, 3, 3, 3), (16,), (16,)]
    for i, e, o, k, _ in blocks:
        shapes += [(e, i, 1, 1), (e,), (e,), (e, 1, k, k), (e,), (e,), (e, e // 24), (e // 24,), (e // 24, e), (e,)]
        shapes += [(o, e, 1, 1), (o,), (o,)]
    shapes += [(40, 11), (11,)]
    weights = [f32(rng, *s, scale=float(np.prod(s[1:])) ** -0.5 if len(s) > 1 else 0.1) for s in shapes]
    pictures, kinds = f32(rng, 4, 3, 56, 56), rng.integers(0, 11, 4)
    running = {}
    if library != "jax":
        made = lib.zeros, lib.ones
        running = {n: (made[0]([n]), made[1]([n])) for n in (16, 24, 40, 96, 144)}

    def conv(x, w, stride=1, groups=1):
        pad = w.shape[2] // 2
        if library == "jax":
            pads = [(pad, pad), (pad, pad)]
            return lib.lax.conv_general_dilated(x, w, (stride, stride), pads, feature_group_count=groups)
        return F.conv2d(x, w, None, stride, pad, 1, groups)

    def norm(x, w, b):
        if library == "jax":
            mean, var = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
            return (x - mean) * lib.lax.rsqrt(var + 1e-5) * (1.0 + w)[:, None, None] + b[:, None, None]
        return F.batch_norm(x, *running[x.shape[1]], 1.0 + w, b, True)

    def loss(weights, x, kinds):
        w = iter(weights)
        take = lambda n: [next(w) for _ in range(n)]  # noqa: E731
        x = F.silu(norm(conv(x, next(w), 2), *take(2)))
        for i, e, o, _, stride in blocks:
            y = F.silu(norm(conv(x, next(w)), *take(2)))
            y = F.silu(norm(conv(y, next(w), stride, e), *take(2)))
            first, bias, second, more = take(4)
            gate = F.sigmoid(F.silu(y.mean((2, 3)) @ first + bias) @ second + more)
            y = norm(conv(y * gate[:, :, None, None], next(w)), *take(2))
            x = x + y if i == o and stride == 1 else y
        logits = x.mean((2, 3)) @ next(w) + next(w)
        if library == "jax":
            return -xp.take_along_axis(F.log_softmax(logits, -1), kinds[:, None], 1).mean()
        return F.cross_entropy(logits, kinds)

    both = gradients(library, lib, loss)
    return runner.call(lambda x, kinds, *w: both(list(w), x, kinds), pictures, kinds, *weights)


# ---- 6 hidden words of padded sentences: an encoder of two layers, one step with AdamW


@program
def hidden_words(library, runner):
    rng, lib = RNG(6), runner.lib
    if library == "np":
        return None
    xp, F, turned = arrays_of(library, lib), functions_of(library, lib), swap(library)
    batch, long, size, heads, words = 6, 43, 96, 6, 1511
    shapes = [(words, size), (long, size)]
    for _ in range(2):
        shapes += [(size, 3 * size), (3 * size,), (size, size), (size,), (size,), (size,)]
        shapes += [(size, 4 * size), (4 * size,), (4 * size, size), (size,), (size,), (size,)]
    weights = [f32(rng, *s, scale=0.08) for s in shapes]
    moments = [np.zeros(s, np.float32) for s in shapes] + [np.zeros(s, np.float32) + 1e-4 for s in shapes]
    text = rng.integers(0, words, (batch, long))
    there = np.arange(long) < rng.integers(20, long + 1, (batch, 1))
    hidden = np.sort(rng.choice(batch * long, 39, False))
    truth = rng.integers(0, words, 39)
    count = len(shapes)

    def norm(x, w, b):
        if library == "jax":
            mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
            return (x - mean) * lib.lax.rsqrt(var + 1e-5) * (1.0 + w) + b
        return F.layer_norm(x, [size], 1.0 + w, b)

    def attended(q, k, v, there):
        if library == "jax":
            score = xp.einsum("bqhd,bkhd->bhqk", q, k) / (size // heads) ** 0.5
            share = F.softmax(xp.where(there[:, None, None, :], score, -1e9), -1)
            return xp.einsum("bhqk,bkhd->bqhd", share, v)
        if library == "vt":
            return F.scaled_dot_product_attention(q, k, v, there[:, None, None, :])
        q, k, v = (turned(t, 0, 2, 1, 3) for t in (q, k, v))
        return turned(F.scaled_dot_product_attention(q, k, v, there[:, None, None, :]), 0, 2, 1, 3)

    def loss(weights, text, there, hidden, truth):
        x = weights[0][text] + weights[1]
        for n in range(2):
            wi, bi, wo, bo, n1, c1, w1, b1, w2, b2, n2, c2 = weights[2 + 12 * n : 14 + 12 * n]
            qkv = (x @ wi + bi).reshape((batch, long, 3, heads, size // heads))
            y = attended(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2], there).reshape((batch, long, size))
            x = norm(x + y @ wo + bo, n1, c1)
            x = norm(x + F.gelu(x @ w1 + b1) @ w2 + b2, n2, c2)
        logits = x.reshape((-1, size))[hidden] @ weights[0].T
        if library == "jax":
            return -xp.take_along_axis(F.log_softmax(logits, -1), truth[:, None], 1).mean()
        return F.cross_entropy(logits, truth)

    both = gradients(library, lib, loss)

    def step(text, there, hidden, truth, *given):
        weights, first, second = (list(given[k * count : k * count + count]) for k in range(3))
        found, *slopes = both(weights, text, there, hidden, truth)
        slopes = slopes[0] if library == "jax" else slopes
        made = []
        for w, m, s, g in zip(weights, first, second, slopes, strict=True):
            m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g * g
            made += [w - 1e-3 * (m / (xp.sqrt(s) + 1e-8) + 0.01 * w), m, s]
        return found, *made

    return runner.call(step, text, there, hidden, truth, *weights, *moments)


# ---- 7 a picture of a shop: wide filters of single channels, norms over channels


@program
def pictures_of_shops(library, runner):
    rng, lib = RNG(7), runner.lib
    if library == "np":
        return None
    F, turned = functions_of(library, lib), swap(library)
    stages = ((40, 3), (80, 2))
    shapes = [(40, 3, 4, 4), (40,)]
    for wide, many in stages:
        for _ in range(many):
            shapes += [(wide, 1, 7, 7), (wide,), (wide,), (wide,), (wide, 4 * wide), (4 * wide,), (4 * wide, wide)]
            shapes += [(wide,), (wide,)]
        if wide == 40:
            shapes += [(40,), (40,), (80, 40, 2, 2), (80,)]
    shapes += [(80,), (80,), (80, 51), (51,)]
    weights = [f32(rng, *s, scale=float(np.prod(s[1:])) ** -0.5 if len(s) == 4 else 0.1) for s in shapes]
    picture = f32(rng, 1, 3, 112, 112)

    def conv(x, w, b, stride, pad=0, groups=1):
        if library == "jax":
            pads = [(pad, pad), (pad, pad)]
            made = lib.lax.conv_general_dilated(x, w, (stride, stride), pads, feature_group_count=groups)
            return made + b[:, None, None]
        return F.conv2d(x, w, b, stride, pad, 1, groups)

    def norm(x, w, b):
        if library == "jax":
            mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
            return (x - mean) * lib.lax.rsqrt(var + 1e-6) * w + b
        return F.layer_norm(x, [x.shape[-1]], w, b, 1e-6)

    def seen(x, *weights):
        w = iter(weights)
        take = lambda n: [next(w) for _ in range(n)]  # noqa: E731
        x = conv(x, *take(2), 4)
        for wide, many in stages:
            for _ in range(many):
                y = turned(conv(x, *take(2), 1, 3, wide), 0, 2, 3, 1)
                y = norm(y, *take(2))
                w1, b1, w2, b2, much = take(5)
                y = (F.gelu(y @ w1 + b1) @ w2 + b2) * much
                x = x + turned(y, 0, 3, 1, 2)
            if wide == 40:
                x = turned(norm(turned(x, 0, 2, 3, 1), *take(2)), 0, 3, 1, 2)
                x = conv(x, *take(2), 2)
        return norm(x.mean((2, 3)), *take(2)) @ next(w) + next(w)

    return runner.call(seen, picture, *weights)


# ---- 8 which molecules dissolve: sums over bonds, means over molecules, a step against the gradient


@program
def molecules(library, runner):
    rng, lib = RNG(8), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    atoms, bonds, many, size = 1203, 2801, 61, 48
    x = f32(rng, atoms, 29)
    a, b = rng.integers(0, atoms, (2, bonds))
    a, b = np.concatenate((a, b)), np.concatenate((b, a))
    whose, dissolves = np.sort(rng.integers(0, many, atoms)), f32(rng, many)
    shapes = [(29, size), (size,), (size, size), (size,), (size, size), (size,), (size,)]
    weights = [f32(rng, *s, scale=0.12) for s in shapes]

    def loss(weights, x, a, b, whose, dissolves):
        w0, b0, w1, b1, w2, b2, out = weights
        x = F.relu(x @ w0 + b0)
        for w, bias in ((w1, b1), (w2, b2)):
            x = F.relu(add_rows(library, lib, x, b, x[a]) @ w + bias)
        sums = add_rows(library, lib, xp.zeros((many, size), dtype=x.dtype), whose, x)
        counts = add_rows(library, lib, xp.zeros((many,), dtype=x.dtype), whose, xp.ones((atoms,), dtype=x.dtype))
        return (((sums / counts[:, None]) @ out - dissolves) ** 2).mean()

    both = gradients(library, lib, loss)

    def step(x, a, b, whose, dissolves, *weights):
        weights = list(weights)
        found, *slopes = both(weights, x, a, b, whose, dissolves)
        slopes = slopes[0] if library == "jax" else slopes
        return found, *[w - 0.05 * g for w, g in zip(weights, slopes, strict=True)]

    return runner.call(step, x, a, b, whose, dissolves, *weights)


# ---- 9 a noisy picture: medians of neighbours, slopes, the steep places made thick


@program
def steep_places(library, runner):
    rng, lib = RNG(9), runner.lib
    xp, F = arrays_of(library, lib), None if library == "np" else functions_of(library, lib)
    picture = np.float32(rng.uniform(0, 1, (211, 283)))

    def median(parts):
        together = lib.stack(parts) if library != "jax" else xp.stack(parts)
        if is_torch(library):
            return lib.median(together, 0).values
        return lib.median(together, 0) if library == "vt" else xp.median(together, 0)

    def thick(on):
        if library == "np":
            windows = np.lib.stride_tricks.sliding_window_view(on, (5, 5))
            return windows.max((2, 3))
        if library == "jax":
            return lib.lax.reduce_window(on, np.float32(0), lib.lax.max, (5, 5), (1, 1), "valid")
        return F.max_pool2d(on[None, None], 5, 1)[0, 0]

    def found(p):
        p = median([p[y : y + 209, x : x + 281] for y in range(3) for x in range(3)])
        across = p[:, 2:] - p[:, :-2]
        across = across[:-2] + 2.0 * across[1:-1] + across[2:]
        down = p[2:] - p[:-2]
        down = down[:, :-2] + 2.0 * down[:, 1:-1] + down[:, 2:]
        steep = xp.sqrt(across * across + down * down)
        on = xp.where(steep > steep.mean() + steep.std(), steep, 0.0 * steep)
        return thick(on)

    return runner.call(found, picture)


# ---- 10 a voice without its hiss: pieces, spectra, what each pitch never falls below, pieces again


@program
def without_hiss(library, runner):
    rng, lib = RNG(10), runner.lib
    xp = arrays_of(library, lib)
    voice = f32(rng, 12000)
    places = (100 * np.arange(117)[:, None] + np.arange(400)).astype(np.int64)
    window = np.float32(np.hanning(401)[:-1])

    def cleaned(voice, places, window):
        spectra = xp.fft.rfft(voice[places] * window, None, -1)
        power = xp.abs(spectra)
        floor = power.min(0) if library not in ("torch", "torch.compile") else power.amin(0)
        gain = xp.clip(1.0 - 2.0 * floor / (power + 1e-6), 0.1, 1.0)
        pieces = xp.fft.irfft(spectra * gain, 400, -1) * window
        flat = places.reshape((-1,))
        total = add_rows(
            library,
            lib,
            0.0 * voice,
            flat,
            pieces.reshape((-1,)).astype("float32") if library in ("np", "jax", "vt") else pieces.reshape((-1,)),
        )
        return total / 1.5, gain.mean(0)

    return runner.call(cleaned, voice, places, window)


# ---- 11 how many letters differ: edit distances of 61 pairs of words, row by row


@program
def edits(library, runner):
    rng, lib = RNG(11), runner.lib
    xp = arrays_of(library, lib)
    first, second = rng.integers(0, 7, (61, 31)), rng.integers(0, 7, (61, 29))
    steps = np.arange(30)
    whole = xp.int64

    def least(x):
        if library == "np":
            return np.minimum.accumulate(x, 1)
        if library == "jax":
            return lib.lax.cummin(x, 1)
        return lib.cummin(x, 1)[0]

    join = lib.cat if is_torch(library) else lib.concat if library == "vt" else xp.concatenate

    def turn(row, letter, second, steps):
        differ = letter[:, None] != second
        differ = differ.to(whole) if is_torch(library) else differ.astype(whole)
        near = xp.minimum(row[:, 1:] + 1, row[:, :-1] + differ)
        return least(join((row[:, :1] + 1, near), 1) - steps) + steps

    def distances(first, second, steps):
        row = 0 * first[:, :1] + steps
        if library == "jax":
            return lib.lax.scan(lambda r, a: (turn(r, a, second, steps), None), row, first.T)[0][:, -1]
        for k in range(31):
            row = turn(row, first[:, k], second, steps)
        return row[:, -1]

    return runner.call(distances, first, second, steps)


# ---- 12 sales with seasons: 19 series of 144 months smoothed, errors and their gradients, float64


@program
def seasons(library, runner):
    rng, lib = RNG(12), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    months = np.arange(144)[:, None]
    sales = 50 + 0.2 * months + 9 * np.sin(months / 1.91) + rng.standard_normal((144, 19))
    raw = rng.standard_normal((3, 19)) - 1.0

    def turn(level, trend, season, sold, rate):
        wrong = sold - (level + trend + season)
        higher = rate[0] * (sold - season) + (1.0 - rate[0]) * (level + trend)
        trend = rate[1] * (higher - level) + (1.0 - rate[1]) * trend
        return higher, trend, rate[2] * (sold - higher) + (1.0 - rate[2]) * season, (wrong * wrong).sum()

    def loss(weights, sales):
        rate = F.sigmoid(weights[0])
        level = sales[:12].mean(0)
        trend = (sales[12:24].mean(0) - level) / 12.0
        if library == "jax":

            def step(state, sold):
                level, trend, season = state
                level, trend, new, wrong = turn(level, trend, season[0], sold, rate)
                return (level, trend, xp.concatenate((season[1:], new[None]))), wrong

            return lib.lax.scan(step, (level, trend, sales[:12] - level), sales[12:])[1].sum() / 132.0
        season = [sales[k] - level for k in range(12)]
        total = 0.0
        for t in range(12, 144):
            level, trend, season[t % 12], wrong = turn(level, trend, season[t % 12], sales[t], rate)
            total = total + wrong
        return total / 132.0

    both = gradients(library, lib, loss)
    return runner.call(lambda raw, sales: both([raw], sales), raw, sales)


# ---- 13 a wave that breaks: a network whose derivatives keep a law, loss and gradients


@program
def breaking_wave(library, runner):
    rng, lib = RNG(13), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    shapes = [(2, 32), (32,), (32, 32), (32,), (32, 32), (32,), (32, 1), (1,)]
    weights = [f32(rng, *s, scale=s[0] ** -0.5 if len(s) > 1 else 0.1) for s in shapes]
    inside, start = np.float32(rng.uniform(-1, 1, (503, 2))), np.float32(rng.uniform(-1, 1, (101, 2)))
    start[:, 1] = 0.0

    def net(w, given):
        for k in (0, 2, 4):
            given = xp.tanh(given @ w[k] + w[k + 1])
        return given @ w[6] + w[7]

    def loss(w, inside, start):
        if library == "jax":
            u = lambda at: net(w, at)[0]  # noqa: E731
            slope = lib.vmap(lib.grad(u))(inside)
            bent = lib.vmap(
                lambda at: lib.jvp(lambda x: lib.grad(u)(x)[0], (at,), (xp.array([1.0, 0.0], at.dtype),))[1]
            )
            value, second = net(w, inside)[:, 0], bent(inside)
        else:
            if library == "vt":
                inside.stop_gradient = False
            else:
                inside = inside.detach().requires_grad_()
            grad = lib.grad if library == "vt" else lib.autograd.grad
            value = net(w, inside)[:, 0]
            slope = grad(value.sum(), [inside], create_graph=True)[0]
            second = grad(slope[:, 0].sum(), [inside], create_graph=True)[0][:, 0]
        law = slope[:, 1] + value * slope[:, 0] - 0.003 * second
        first = net(w, start)[:, 0] + xp.sin(3.14159 * start[:, 0])
        return (law * law).mean() + (first * first).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda inside, start, *w: both(list(w), inside, start), inside, start, *weights)


# ---- 14 a model writes 48 words: two layers that remember keys and values


@program
def writes(library, runner):
    rng, lib = RNG(14), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    batch, size, heads, words, long = 3, 64, 4, 499, 48
    each = size // heads
    shapes = [(words, size), (long, size)] + 2 * [(size, 3 * size), (size, size), (size, 4 * size), (4 * size, size)]
    weights = [f32(rng, *s, scale=0.12) for s in shapes]
    first, places = rng.integers(0, words, batch), np.arange(long)

    def norm(x):
        if library == "jax":
            return (x - x.mean(-1, keepdims=True)) * lib.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        return F.layer_norm(x, [size])

    def layer(x, keys, values, t, places, wi, wo, w1, w2):
        qkv = (norm(x) @ wi).reshape((batch, 3, heads, each))
        q, k, v = qkv[:, 0], qkv[:, 1], qkv[:, 2]
        if library == "jax":
            keys, values = keys.at[t].set(k), values.at[t].set(v)
        else:
            keys[t], values[t] = k, v
        if is_torch(library):
            score = lib.einsum("bhd,tbhd->bht", q, keys[: t + 1]) / each**0.5
            y = lib.einsum("bht,tbhd->bhd", F.softmax(score, -1), values[: t + 1])
        else:
            score = xp.einsum("bhd,tbhd->bht", q, keys) / each**0.5
            y = xp.einsum(
                "bht,tbhd->bhd", F.softmax(xp.where(places <= t, score, xp.full_like(score, -1e9)), -1), values
            )
        x = x + y.reshape((batch, size)) @ wo
        return x + F.gelu(norm(x) @ w1) @ w2, keys, values

    def word(last, kept, t, places, weights):
        x = weights[0][last] + weights[1][t]
        made = []
        for n in range(2):
            x, *more = layer(x, kept[2 * n], kept[2 * n + 1], t, places, *weights[2 + 4 * n : 6 + 4 * n])
            made += more
        return (norm(x) @ weights[0].T).argmax(-1), made

    def write(last, places, *weights):
        kept = [xp.zeros((long, batch, heads, each), dtype=weights[0].dtype) for _ in range(4)]
        if library == "jax":

            def step(state, t):
                last, kept = word(*state, t, places, weights)
                return (last, kept), last

            return lib.lax.scan(step, (last, kept), places)[1]
        said = []
        for t in range(long):
            last, kept = word(last, kept, t, places, weights)
            said.append(last)
        return lib.stack(said)

    return runner.call(write, first, places, *weights)


# ---- 15 whose loan fails: 101 trees of depth 6 for 2,003 rows


@program
def forest(library, runner):
    rng = RNG(15)
    rows = f32(rng, 2003, 17)
    column, limit, leaf = rng.integers(0, 17, (101, 63)), f32(rng, 101, 63), f32(rng, 101, 64)
    trees, numbers = np.arange(101), np.arange(2003)[:, None]

    def judged(rows, column, limit, leaf, trees, numbers):
        node = 0 * (numbers + trees)
        for _ in range(6):
            over = rows[numbers, column[trees, node]] > limit[trees, node]
            node = 2 * node + 1 + (over.long() if is_torch(library) else over.astype(node.dtype))
        return leaf[trees, node - 63].mean(1)

    return runner.call(judged, rows, column, limit, leaf, trees, numbers)


# ---- 16 texts that resemble each other: runs of three letters hashed, counted and weighed


@program
def resembling_texts(library, runner):
    rng, lib = RNG(16), runner.lib
    xp = arrays_of(library, lib)
    texts = np.int64(97 + 25 * rng.random((23, 871)) ** 2)
    numbers = np.arange(23)[:, None]

    def counted(flat):
        if library == "jax":
            return xp.bincount(flat, length=23 * 1021)
        return lib.bincount(flat, minlength=23 * 1021)

    def compared(texts, numbers):
        h = (texts[:, :-2] * 31 + texts[:, 1:-1]) * 31 + texts[:, 2:]
        h = (h * 2654435761) & 0xFFFFFFFF
        h = ((h ^ (h >> 15)) * 40503) & 0xFFFFFFFF
        bucket = (h ^ (h >> 13)) % 1021
        counts = counted((numbers * 1021 + bucket).reshape((-1,))).reshape((23, 1021))
        counts = counts.float() if is_torch(library) else counts.astype("float32")
        there = counts > 0
        there = there.float() if is_torch(library) else there.astype("float32")
        weight = xp.log1p(counts) * xp.log(24.0 / (1.0 + there.sum(0)))
        weight = weight / xp.sqrt((weight * weight).sum(1))[:, None]
        return weight @ weight.T

    return runner.call(compared, texts, numbers)


# ---- 17 heat in a plate of odd shape: conjugate gradients on a sparse matrix until they are near, float64


@program
def sparse_plate(library, runner):
    rng, lib = RNG(17), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    many = 1801
    a = np.arange(many)
    pairs = {(int(i), int(j)) for k in (1, 37) for i, j in zip(a, a[k:], strict=False) if rng.random() < 0.93}
    pairs = np.array(sorted(pairs | {(j, i) for i, j in pairs} | {(int(i), int(i)) for i in a}))
    row, column = pairs[:, 0].copy(), pairs[:, 1].copy()
    degree = np.bincount(row, minlength=many) - 1
    value = np.where(row == column, degree[row] + 0.05, -1.0)
    right, starts = rng.standard_normal(many), np.concatenate(([0], np.cumsum(degree + 1)))

    def product(x, row, column, value):
        return add_rows(library, lib, xp.zeros((many,), dtype=value.dtype), row, value * x[column])

    def turn(x, r, p, size, times):
        q = times(p)
        step = size / (p * q).sum()
        x, r = x + step * p, r - step * q
        new = (r * r).sum()
        return x, r, r + (new / size) * p, new

    def solved(right, row, column, value, starts):
        if is_torch(library):
            matrix = lib.sparse_csr_tensor(starts, column, value, (many, many))
            times = lambda x: matrix @ x  # noqa: E731
        else:
            times = lambda x: product(x, row, column, value)  # noqa: E731
        x, r, p, size = 0.0 * right, right, right, (right * right).sum()
        if library == "jax":
            near = lambda s: s[3] > 1e-16  # noqa: E731
            return lib.lax.while_loop(near, lambda s: turn(*s, times), (x, r, p, size))[0]
        while size > 1e-16:
            x, r, p, size = turn(x, r, p, size, times)
        return x

    return runner.call(solved, right, row, column, value, starts)


# ---- 18 a rule for buying: windows over 2,003 days of 31 prices, gains and the worst fall, float64


@program
def buying_rule(library, runner):
    rng, lib = RNG(18), runner.lib
    xp = arrays_of(library, lib)
    prices = 100 * np.exp(np.cumsum(0.01 * rng.standard_normal((2003, 31)), 0))

    def highest(x):
        if library == "np":
            return np.maximum.accumulate(x, 0)
        return lib.lax.cummax(x, 0) if library == "jax" else lib.cummax(x, 0)[0]

    def judged(prices):
        logs = xp.log(prices)
        change = logs[1:] - logs[:-1]
        sums, squares = xp.cumsum(logs, 0), xp.cumsum(logs * logs, 0)
        mean = (sums[20:] - sums[:-20]) / 20.0
        spread = xp.sqrt(xp.clip((squares[20:] - squares[:-20]) / 20.0 - mean * mean, 1e-12, 1e12))
        far = (logs[20:] - mean) / spread
        held = xp.where(far < -1.0, xp.ones_like(far), xp.where(far > 1.0, -xp.ones_like(far), 0.0 * far))
        gain = held[:-1] * change[20:] - 0.0002 * xp.abs(held[1:] - held[:-1])
        wealth = xp.cumsum(gain, 0)
        fall = highest(wealth) - wealth
        worst = fall.amax(0) if is_torch(library) else fall.max(0)
        return wealth[-1], worst, gain.mean(0) / gain.std(0) * 15.87

    return runner.call(judged, prices)
