"""Losses of networks with unusual layers, and their gradients; float32."""

import numpy as np

from .twentieth_frame import RNG, TORCH, Names, f32, linear, program


# ---- attention along rows, then along columns: two pictures of 24 x 24 places, four heads, two layers
@program
def crossed_looks(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2011), runner.lib
    n = Names(library, lib)
    batch, size, dim, heads, layers = 2, 24, 64, 4, 2
    weights = []
    for _ in range(layers):
        for _ in range(2):
            weights += [1 + f32(rng, dim, scale=0.1), f32(rng, dim, scale=0.1)]
            weights += linear(rng, dim, 3 * dim) + linear(rng, dim, dim)
        weights += linear(rng, dim, 2 * dim) + linear(rng, 2 * dim, dim)

    def look(x, s, t, a, b, c, d):
        both = (n.affine(x, s, t) @ a + b).reshape((batch * size, size, 3, heads, dim // heads))
        made = n.attention(both[:, :, 0], both[:, :, 1], both[:, :, 2])
        return x + made.reshape(x.shape) @ c + d

    def loss(*given):
        weights, (x, wanted) = given[:-2], given[-2:]
        for k in range(layers):
            w = weights[16 * k : 16 * k + 16]
            x = look(x, *w[:6])
            x = n.swap(look(n.swap(x, 0, 2, 1, 3), *w[6:12]), 0, 2, 1, 3)
            x = x + n.gelu(x @ w[12] + w[13]) @ w[14] + w[15]
        return ((x - wanted) ** 2).mean()

    x, wanted = f32(rng, batch, size, size, dim), f32(rng, batch, size, size, dim)
    return runner.grad(loss, len(weights), *weights, x, wanted)


# ---- a memory that fades per head (retention): within pieces of 32 places all at once, from piece to piece a state
@program
def retained(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2012), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, length, heads, size, piece = 2, 256, 4, 32, 32
    dim, pieces = heads * size, length // piece
    fade = 1 - 2.0 ** (-3 - np.arange(heads))
    apart = np.arange(piece)[:, None] - np.arange(piece)
    inside = np.where(apart >= 0, fade[:, None, None] ** np.maximum(apart, 0), 0).astype(np.float32)
    before = (fade[:, None] ** (np.arange(piece) + 1)).astype(np.float32)[:, :, None]
    after = (fade[:, None] ** (piece - 1 - np.arange(piece))).astype(np.float32)[:, :, None]
    over = (fade**piece).astype(np.float32)[:, None, None]
    weights = [f32(rng, dim, dim, scale=dim**-0.5) for _ in range(5)]

    def step(state, q, k, v, inside, before, after, over):
        read = ((q @ n.swap(k, 0, 1, 3, 2)) * inside) @ v + (q @ state) * before
        return state * over + n.swap(k, 0, 1, 3, 2) @ (v * after), read

    def loss(wq, wk, wv, wg, wo, x, wanted, *shape):
        def split(t):
            return n.swap(t.reshape((batch, pieces, piece, heads, size)), 1, 0, 3, 2, 4)

        q, k, v = split(x @ wq), split(x @ wk) * size**-0.5, split(x @ wv)
        state = xp.zeros((batch, heads, size, size), dtype=x.dtype)
        if library == "jax":
            read = lib.lax.scan(lambda s, given: step(s, *given, *shape), state, (q, k, v))[1]
        else:
            read = []
            for p in range(pieces):
                state, one = step(state, q[p], k[p], v[p], *shape)
                read.append(one)
            read = xp.stack(read)
        read = n.norm(n.swap(read, 1, 0, 3, 2, 4).reshape((batch, length, heads, size)))
        made = (read.reshape((batch, length, dim)) * n.silu(x @ wg)) @ wo
        return ((made - wanted) ** 2).mean()

    x, wanted = f32(rng, batch, length, dim), f32(rng, batch, length, dim)
    return runner.grad(loss, 5, *weights, x, wanted, inside, before, after, over)


# ---- edges that are polynomials (Chebyshev): 256 rows, 16 to 32 to 8 numbers, degree five
@program
def polynomial_edges(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2013), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, sizes, degree = 256, (16, 32, 8), 5
    weights = [
        f32(rng, i, o, degree + 1, scale=(i * (degree + 1)) ** -0.5) for i, o in zip(sizes[:-1], sizes[1:], strict=True)
    ]

    def layer(x, w):
        x = xp.tanh(x)
        kinds = [xp.ones_like(x), x]
        for _ in range(degree - 1):
            kinds.append(2 * x * kinds[-1] - kinds[-2])
        return xp.einsum("bik,iok->bo", xp.stack(kinds, -1), w)

    def loss(a, b, x, label):
        chance = n.logsoftmax(layer(layer(x, a), b))
        return -n.pick(chance, label[:, None], 1).mean()

    return runner.grad(loss, 2, *weights, f32(rng, batch, sizes[0]), rng.integers(0, sizes[-1], batch))


# ---- a picture from its slopes: waves of waves (SIREN) at 900 points, the slope of the network, gradients of that
@program
def slopes_of_waves(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2014), runner.lib
    n = Names(library, lib)
    xp = n.xp
    points, hidden = 900, 64
    weights = []
    for i, o in ((2, hidden), (hidden, hidden), (hidden, hidden), (hidden, 1)):
        bound = 0.5 if i == 2 else (6 / i) ** 0.5 / 30
        weights += [rng.uniform(-bound, bound, (i, o)).astype(np.float32), f32(rng, o, scale=0.05)]
    weights.pop()  # the last shift moves no slope

    def net(x, *weights):
        for k in range(0, 6, 2):
            x = xp.sin(30 * (x @ weights[k] + weights[k + 1]))
        return (x @ weights[6]).sum()

    def loss(*given):
        weights, (x, wanted) = given[:-2], given[-2:]
        if library == "jax":
            slope = lib.grad(net)(x, *weights)
        else:
            x = n.leaf(x)
            take = lib.grad if library == "vt" else lib.autograd.grad
            (slope,) = take(net(x, *weights), [x], create_graph=True)
        return ((slope - wanted) ** 2).sum(1).mean()

    x = rng.uniform(-1, 1, (points, 2)).astype(np.float32)
    return runner.grad(loss, len(weights), *weights, x, f32(rng, points, 2))


# ---- rows bent by splines (a flow of rational quadratic pieces): 256 rows of six numbers, two couplings, likelihood
@program
def bends(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2015), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, half, bins, hidden, wide = 256, 3, 8, 64, 3.0
    each = 3 * bins + 1
    weights = []
    for _ in range(2):
        weights += linear(rng, half, hidden) + linear(rng, hidden, half * each)

    def knots(raw):
        share = 0.001 + (1 - 0.001 * bins) * n.softmax(raw)
        ends = 2 * wide * xp.cumsum(share, -1) - wide
        return n.cat([0 * ends[..., :1] - wide, ends], -1)

    def bend(x, raw):
        """Rational quadratic pieces between knots; the logarithm of the slope."""
        xs, ys = knots(raw[..., :bins]), knots(raw[..., bins : 2 * bins])
        slope = 0.001 + n.softplus(raw[..., 2 * bins :])
        inside = (x > -wide) & (x < wide)
        at = xp.clip(n.whole(xs[..., 1:-1] <= x[..., None]).sum(-1), 0, bins - 1)[..., None]

        def of(t, k):
            return n.pick(t, at + k, -1)[..., 0]

        x0, x1, y0, y1, d0, d1 = of(xs, 0), of(xs, 1), of(ys, 0), of(ys, 1), of(slope, 0), of(slope, 1)
        s, t = (y1 - y0) / (x1 - x0), xp.clip((x - x0) / (x1 - x0), 0, 1)
        u = t * (1 - t)
        below = s + (d1 + d0 - 2 * s) * u
        y = y0 + (y1 - y0) * (s * t * t + d0 * u) / below
        up = xp.log(s * s * (d1 * t * t + 2 * s * u + d0 * (1 - t) * (1 - t))) - 2 * xp.log(below)
        return xp.where(inside, y, x), xp.where(inside, up, 0 * up)

    def loss(*given):
        weights, x = given[:-1], given[-1]
        left, right, total = x[:, :half], x[:, half:], 0.0
        for k in range(2):
            a, b, c, d = weights[4 * k : 4 * k + 4]
            raw = (n.relu(left @ a + b) @ c + d).reshape((batch, half, each))
            new, up = bend(right, raw)
            left, right, total = new, left, total + up.sum(1)
        return (0.5 * (left * left).sum(1) + 0.5 * (right * right).sum(1) - total).mean()

    return runner.grad(loss, len(weights), *weights, f32(rng, batch, 2 * half, scale=1.3))


# ---- does a viewer click: eight tables, bags of three rows each, products of all pairs (DLRM), 128 views
@program
def views_and_clicks(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2016), runner.lib
    n = Names(library, lib)
    batch, tables, rows, bag, dim, dense = 128, 8, 1000, 3, 16, 13
    low, high = np.tril_indices(tables + 1, -1)
    at = (rng.integers(0, rows, (batch, tables, bag)) + rows * np.arange(tables)[:, None]).astype(np.int64)
    pairs = low * (tables + 1) + high
    weights = [f32(rng, tables * rows, dim, scale=0.3), *linear(rng, dense, 64), *linear(rng, 64, dim)]
    weights += linear(rng, dim + len(pairs), 64) + linear(rng, 64, 1)

    def loss(table, a, b, c, d, e, f, g, h, x, at, pairs, clicked):
        x = n.relu(n.relu(x @ a + b) @ c + d)
        if library in TORCH:
            bags = n.F.embedding_bag(at.reshape((-1, bag)), table, mode="sum").reshape((batch, tables, dim))
        else:
            bags = table[at].sum(2)
        every = n.cat([x[:, None], bags], 1)
        products = (every @ n.swap(every, 0, 2, 1)).reshape((batch, -1))[:, pairs]
        score = (n.relu(n.cat([x, products], 1) @ e + f) @ g + h)[:, 0]
        return (n.softplus(score) - clicked * score).mean()

    clicked = rng.integers(0, 2, batch).astype(np.float32)
    return runner.grad(loss, 9, *weights, f32(rng, batch, dense), at, pairs, clicked)


# ---- eight soft experts of eight slots: each slot is a mean of all 64 words, each word a mean of all slots
@program
def soft_slots(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2017), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, words, dim, experts, slots, hidden = 4, 64, 64, 8, 8, 128
    weights = [f32(rng, dim, experts * slots, scale=dim**-0.5), f32(rng, experts, dim, hidden, scale=dim**-0.5)]
    weights += [f32(rng, experts, 1, hidden, scale=0.1), f32(rng, experts, hidden, dim, scale=hidden**-0.5)]

    def loss(gate, up, bias, down, x, wanted):
        score = x @ gate
        given, taken = n.softmax(score, 1), n.softmax(score, 2)
        rows = (n.swap(given, 0, 2, 1) @ x).reshape((batch, experts, slots, dim))
        rows = n.gelu(xp.einsum("besd,edh->besh", rows, up) + bias)
        rows = xp.einsum("besh,ehd->besd", rows, down).reshape((batch, experts * slots, dim))
        return ((x + taken @ rows - wanted) ** 2).mean()

    return runner.grad(loss, 4, *weights, f32(rng, batch, words, dim), f32(rng, batch, words, dim))


# ---- faces by angles: 64 faces, 1,000 people, the right angle is made larger before the softmax (ArcFace)
@program
def angles(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2018), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, features, dim, people, margin, scale = 64, 256, 64, 1000, 0.5, 30.0
    weights = [*linear(rng, features, 128), *linear(rng, 128, dim), f32(rng, people, dim)]

    def unit(x):
        return n.F.normalize(x, axis=1) if library == "vt" else n.F.normalize(x, dim=1)

    def unit_jax(x):
        return x / xp.maximum(xp.linalg.norm(x, axis=1, keepdims=True), 1e-12)

    def loss(a, b, c, d, centres, x, who):
        length = unit_jax if library == "jax" else unit
        cosine = length(n.relu(x @ a + b) @ c + d) @ length(centres).T
        right = n.pick(cosine, who[:, None], 1)
        sine = xp.sqrt(xp.clip(1 - right * right, 1e-6, 1))
        moved = right * np.cos(margin) - sine * np.sin(margin)
        moved = xp.where(right > np.cos(np.pi - margin), moved, right - margin * np.sin(margin))
        here = xp.arange(people) == who[:, None]
        score = scale * xp.where(here, moved, cosine)
        return (n.logsumexp(score, 1) - scale * moved[:, 0]).mean()

    return runner.grad(loss, 5, *weights, f32(rng, batch, features), rng.integers(0, people, batch))


# ---- things in a picture share its places (slot attention): eight pictures of 64 places, six slots, three rounds
@program
def things(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2019), runner.lib
    n = Names(library, lib)
    batch, places, dim, slots = 8, 64, 48, 6

    def unit():
        return [1 + f32(rng, dim, scale=0.1), f32(rng, dim, scale=0.1)]

    weights = unit() + unit() + unit() + [f32(rng, dim, dim, scale=dim**-0.5) for _ in range(3)]
    weights += linear(rng, dim, 3 * dim) + linear(rng, dim, 3 * dim) + linear(rng, dim, 96) + linear(rng, 96, dim)
    weights += linear(rng, dim, dim)

    def loss(*given):
        s, t, u, v, y, z, wq, wk, wv, a, b, c, d, e, f, g, h, o, p, x, slot, wanted = given
        x = n.affine(x, s, t)
        keys, values = x @ wk * dim**-0.5, x @ wv
        for _ in range(3):
            share = n.softmax(keys @ n.swap(n.affine(slot, u, v) @ wq, 0, 2, 1), 2) + 1e-6
            share = share / n.sum(share, 1, True)
            read = n.swap(share, 0, 2, 1) @ values
            one, two = read @ a + b, slot @ c + d
            r, i = (
                n.sigmoid(one[..., :dim] + two[..., :dim]),
                n.sigmoid(one[..., dim : 2 * dim] + two[..., dim : 2 * dim]),
            )
            new = n.xp.tanh(one[..., 2 * dim :] + r * two[..., 2 * dim :])
            slot = (1 - i) * new + i * slot
            slot = slot + n.relu(n.affine(slot, y, z) @ e + f) @ g + h
        made = share @ (slot @ o + p)
        return ((made - wanted) ** 2).mean()

    arrays = [f32(rng, batch, places, dim), f32(rng, batch, slots, dim), f32(rng, batch, places, dim)]
    return runner.grad(loss, len(weights), *weights, *arrays)
