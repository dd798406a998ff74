"""Twelve more programs: games, statistics, physics and signals, beside torch and jax alone."""

import numpy as np

from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401
from .tenth_networks import gradients, over

PROGRAMS, WEIGHTS = {}, {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


TORCH = ("torch", "torch.compile")


# ---- 21 a game of life, int32
@program
def life(library, runner):
    rng, lib = RNG(121), runner.lib
    n, steps = 150, 60
    board = (rng.random((n, n)) < 0.35).astype(np.int32)
    xp = lib.numpy if library == "jax" else lib
    roll = (lambda a, k, x: lib.roll(a, k, x)) if library in TORCH else lambda a, k, x: xp.roll(a, k, axis=x)
    integer = (lambda a: a.int()) if library in TORCH else lambda a: a.astype("int32")

    def one(b):
        total = sum(roll(roll(b, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        return integer((total == 3) | ((b == 1) & (total == 2)))

    if library == "jax":
        run = lambda b: lib.lax.fori_loop(0, steps, lambda _, b: one(b), b)
    else:

        def run(b):
            for _ in range(steps):
                b = one(b)
            return b

    return runner.call(run, board)


# ---- 22 a picture without salt and pepper: medians of 3 x 3
@program
def medians(library, runner):
    rng, lib = RNG(122), runner.lib
    x = rng.random((2, 180, 180)).astype(np.float32)
    xp = lib.numpy if library == "jax" else lib

    def run(x):
        if library == "jax":
            p = xp.pad(x, ((0, 0), (1, 1), (1, 1)), mode="edge")
        elif library == "vt":
            p = lib.nn.functional.pad(x.unsqueeze(1), (1, 1, 1, 1), mode="replicate")[:, 0]
        else:
            p = lib.nn.functional.pad(x.unsqueeze(1), (1, 1, 1, 1), mode="replicate")[:, 0]
        around = xp.stack([p[:, i : i + 180, j : j + 180] for i in range(3) for j in range(3)], -1)
        middle = xp.sort(around, -1) if library != "torch" and library != "torch.compile" else xp.sort(around, -1)[0]
        middle = middle[..., 4]
        odd = xp.abs(x - middle) > 0.3
        return xp.where(odd, middle, x)

    return runner.call(run, x)


# ---- 23 a transducer's joint network, loss of given ways, gradients
@program
def joint(library, runner):
    rng, lib = RNG(123), runner.lib
    batch, times, letters, width, kinds = 4, 40, 12, 64, 40
    heard, said = f32(rng, batch, times, width), f32(rng, batch, letters, width)
    weights = [
        f32(rng, width, width, scale=0.12),
        f32(rng, width, width, scale=0.12),
        f32(rng, width, kinds, scale=0.2),
        f32(rng, kinds),
    ]
    wanted = rng.integers(1, kinds, (batch, letters))
    xp = lib.numpy if library == "jax" else lib

    def loss(w, heard, said, wanted):
        a, b, c, d = w
        h = xp.tanh((heard @ a)[:, :, None] + (said @ b)[:, None])
        z = h @ c + d
        logp = lib.nn.log_softmax(z, -1) if library == "jax" else lib.nn.functional.log_softmax(z, -1)
        blank = logp[..., 0]
        if library == "jax":
            at = xp.take_along_axis(logp, xp.broadcast_to(wanted[:, None, :, None], (batch, times, letters, 1)), -1)[
                ..., 0
            ]
        elif library == "vt":
            at = lib.take_along_axis(logp, lib.expand(wanted[:, None, :, None], (batch, times, letters, 1)), -1)[..., 0]
        else:
            at = lib.gather(logp, -1, wanted[:, None, :, None].expand(batch, times, letters, 1))[..., 0]
        return -(xp.logaddexp(blank, at)).mean()

    return runner.call(over(4, gradients(library, lib, loss)), *weights, heard, said, wanted)


# ---- 24 pictures turned straight: a grid between pixels, gradients of the turn
@program
def straight(library, runner):
    rng, lib = RNG(124), runner.lib
    n = 40
    x, goal = f32(rng, 6, 3, n, n), f32(rng, 6, 3, n, n)
    theta = np.array([[1, 0, 0], [0, 1, 0]], np.float32)[None] + f32(rng, 6, 2, 3, scale=0.1)
    if library == "jax":
        jnp = lib.numpy

        def loss(theta, x, goal):
            line = (2 * jnp.arange(n) + 1) / n - 1
            gy, gx = jnp.meshgrid(line, line, indexing="ij")
            base = jnp.stack([gx, gy, jnp.ones_like(gx)], -1).astype(jnp.float32)
            grid = jnp.einsum("hwk,bck->bhwc", base, theta)
            px, py = ((grid[..., 0] + 1) * n - 1) / 2, ((grid[..., 1] + 1) * n - 1) / 2
            i, j = jnp.floor(py), jnp.floor(px)
            fy, fx = py - i, px - j
            b = jnp.arange(6)[:, None, None]

            def pick(i, j):
                inside = (i >= 0) & (i < n) & (j >= 0) & (j < n)
                got = x[b, :, jnp.clip(i, 0, n - 1).astype(int), jnp.clip(j, 0, n - 1).astype(int)]
                return jnp.where(inside[..., None], got, 0)

            made = (
                pick(i, j) * ((1 - fy) * (1 - fx))[..., None]
                + pick(i, j + 1) * ((1 - fy) * fx)[..., None]
                + pick(i + 1, j) * (fy * (1 - fx))[..., None]
                + pick(i + 1, j + 1) * (fy * fx)[..., None]
            )
            return ((made - goal.transpose(0, 2, 3, 1)) ** 2).mean()

        return runner.call(lambda t, x, g: lib.value_and_grad(loss)(t, x, g), theta, x, goal)
    F = lib.nn.functional

    def loss(w, x, goal):
        grid = F.affine_grid(w[0], [6, 3, n, n], align_corners=False)
        return ((F.grid_sample(x, grid, align_corners=False) - goal) ** 2).mean()

    return runner.call(over(1, gradients(library, lib, loss)), theta, x, goal)


# ---- 25 attention in linear time, causal, gradients
@program
def linear(library, runner):
    rng, lib = RNG(125), runner.lib
    batch, length, heads, size, dim = 2, 96, 4, 16, 64
    x, goal = f32(rng, batch, length, dim), f32(rng, batch, length, dim)
    weights = [f32(rng, dim, dim, scale=0.12) for _ in range(4)]
    xp = lib.numpy if library == "jax" else lib

    def feature(x):
        return xp.where(
            x > 0,
            x + 1,
            xp.exp(xp.clip(x, -30, 0) if library != "torch" and library != "torch.compile" else x.clamp(-30, 0)),
        )

    def loss(w, x, goal):
        split = lambda t: t.reshape((batch, length, heads, size))
        q, k, v = feature(split(x @ w[0])), feature(split(x @ w[1])), split(x @ w[2])
        state = xp.cumsum(k[..., :, None] * v[..., None, :], 1)
        norm = (q * xp.cumsum(k, 1)).sum(-1)
        made = (q[..., :, None] * state).sum(-2) / norm[..., None]
        return ((made.reshape((batch, length, dim)) @ w[3] - goal) ** 2).mean()

    return runner.call(over(4, gradients(library, lib, loss)), *weights, x, goal)


# ---- 26 neighbours' largest features on a graph, a training step
@program
def largest(library, runner):
    rng, lib = RNG(126), runner.lib
    nodes, edges, dim, kinds = 500, 3000, 32, 6
    x, labels = f32(rng, nodes, dim), rng.integers(0, kinds, nodes)
    source, target = (
        rng.integers(0, nodes, edges),
        np.sort(np.concatenate([np.arange(nodes), rng.integers(0, nodes, edges - nodes)])),
    )
    weights = [
        f32(rng, dim, dim, scale=0.2),
        f32(rng, dim),
        f32(rng, 2 * dim, dim, scale=0.15),
        f32(rng, 2 * dim, kinds, scale=0.15),
    ]
    xp = lib.numpy if library == "jax" else lib

    def most(rows, target):
        if library == "jax":
            return lib.ops.segment_max(rows, target, nodes, indices_are_sorted=True)
        if library == "vt":
            return lib.geometric.segment_max(rows, target)
        return lib.zeros((nodes, rows.shape[1])).scatter_reduce(
            0, target[:, None].expand(-1, rows.shape[1]), rows, "amax", include_self=False
        )

    def loss(w, x, source, target, labels):
        relu = lib.nn.relu if library == "jax" else lib.nn.functional.relu
        join = (
            (lambda a: xp.concatenate(a, -1))
            if library == "jax"
            else (lambda a: lib.concat(a, -1))
            if library == "vt"
            else lambda a: lib.cat(a, -1)
        )
        h = x
        for last in (False, True):
            near = most(relu(h @ w[0] + w[1])[source], target)
            h = join([h, near]) @ (w[3] if last else w[2])
            h = h if last else relu(h)
        if library == "jax":
            return -xp.take_along_axis(lib.nn.log_softmax(h), labels[:, None], -1).mean()
        return lib.nn.functional.cross_entropy(h, labels)

    return runner.call(over(4, gradients(library, lib, loss)), *weights, x, source, target, labels)


# ---- 27 ratings by alternating least squares, float64
@program
def alternating(library, runner):
    rng, lib = RNG(127), runner.lib
    users, items, rank, rounds = 120, 90, 8, 4
    seen = (rng.random((users, items)) < 0.3).astype(np.float64)
    ratings = seen * rng.normal(3, 1, (users, items))
    u, v = rng.standard_normal((users, rank)), rng.standard_normal((items, rank))
    eye = np.eye(rank)
    xp = lib.numpy if library == "jax" else lib

    def half(seen, ratings, v, eye):
        left = (seen @ (v[:, :, None] * v[:, None, :]).reshape((v.shape[0], rank * rank))).reshape(
            (-1, rank, rank)
        ) + 0.1 * eye
        return xp.linalg.solve(left, (ratings @ v)[:, :, None])[:, :, 0]

    def run(seen, ratings, u, v, eye):
        for _ in range(rounds):
            u = half(seen, ratings, v, eye)
            v = half(seen.T, ratings.T, u, eye)
        return ((seen * (u @ v.T - ratings)) ** 2).sum(), u, v

    return runner.call(run, seen, ratings, u, v, eye)


# ---- 28 qubits: layers of rotations and controlled phases, complex64
@program
def qubits(library, runner):
    rng, lib = RNG(128), runner.lib
    count, layers = 9, 4
    angles = rng.random((layers, count)).astype(np.float32) * 3
    xp = lib.numpy if library == "jax" else lib

    def run(angles):
        c, s = xp.cos(angles / 2), xp.sin(angles / 2)
        if library == "jax":
            state = xp.zeros(2**count, xp.complex64).at[0].set(1)
        elif library == "vt":
            state = lib.complex(lib.concat([lib.ones([1]), lib.zeros([2**count - 1])]), lib.zeros([2**count]))
        else:
            state = lib.cat([lib.ones(1), lib.zeros(2**count - 1)]).to(lib.complex64)
        for layer in range(layers):
            for q in range(count):
                t = state.reshape((2**q, 2, -1))
                a, b = t[:, 0], t[:, 1]
                state = xp.stack([c[layer, q] * a - 1j * s[layer, q] * b, c[layer, q] * b - 1j * s[layer, q] * a], 1)
            for q in range(count - 1):
                t = state.reshape((2**q, 2, 2, -1))
                flipped = xp.stack([t[:, 1, 0], -t[:, 1, 1]], 1)
                state = xp.stack([t[:, 0], flipped], 1)
        state = state.reshape((-1,))
        p = xp.abs(state) ** 2
        return p.reshape((2, -1)).sum(1), (p * p).sum()

    return runner.call(run, angles)


# ---- 29 a map of points by their likeness, gradient steps
@program
def likeness(library, runner):
    rng, lib = RNG(129), runner.lib
    n, steps = 200, 20
    p = rng.random((n, n)) ** 6
    p = (p + p.T) / (2 * p.sum())
    p, y = p.astype(np.float32), f32(rng, n, 2, scale=0.1)
    xp = lib.numpy if library == "jax" else lib

    def one(y, move, p):
        d = y[:, None] - y[None]
        near = 1 / (1 + (d * d).sum(-1))
        near = near - xp.eye(n) if library != "jax" else near - xp.eye(n, dtype=near.dtype)
        q = near / near.sum()
        grad = 4 * (((p - q) * near)[:, :, None] * d).sum(1)
        move = 0.8 * move - 20.0 * grad
        y = y + move
        return y - (y.mean(0, keepdims=True) if library == "jax" else y.mean(0, keepdim=True)), move

    def run(y, p):
        move = xp.zeros_like(y)
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda _, s: one(*s, p), (y, move))
        for _ in range(steps):
            y, move = one(y, move, p)
        return y, move

    return runner.call(run, y, p)


# ---- 30 an echo of a signal: a random network's states, a ridge regression, float64
@program
def echo(library, runner):
    rng, lib = RNG(130), runner.lib
    steps, size, washed = 300, 120, 50
    signal = np.sin(np.arange(steps + 1) * 0.2) * np.cos(np.arange(steps + 1) * 0.031)
    w = rng.standard_normal((size, size)) * 0.9 / size**0.5
    given = rng.standard_normal(size)
    xp = lib.numpy if library == "jax" else lib

    def run(signal, w, given):
        h = xp.zeros_like(given)
        if library == "jax":

            def one(h, now):
                h = 0.7 * h + 0.3 * xp.tanh(w @ h + given * now)
                return h, h

            _, states = lib.lax.scan(one, h, signal[:-1])
        else:
            states = []
            for t in range(steps):
                h = 0.7 * h + 0.3 * xp.tanh(w @ h + given * signal[t])
                states.append(h)
            states = xp.stack(states)
        s, goal = states[washed:], signal[washed + 1 :]
        eye = (
            xp.eye(size, dtype="float64")
            if library != "torch" and library != "torch.compile"
            else xp.eye(size, dtype=xp.float64)
        )
        out = xp.linalg.solve(s.T @ s + 1e-3 * eye, (s.T @ goal)[:, None])[:, 0]
        return s @ out, ((s @ out - goal) ** 2).mean()

    return runner.call(run, signal, w, given)


# ---- 31 what moves between two pictures: gradients, windows, iterations
@program
def motion(library, runner):
    rng, lib = RNG(131), runner.lib
    n, rounds = 110, 40
    a = rng.random((n + 8, n + 8))
    for _ in range(3):
        a = (a + np.roll(a, 1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 0) + np.roll(a, -1, 1)) / 5
    first, second = a[4 : n + 4, 4 : n + 4].astype(np.float32), a[5 : n + 5, 3 : n + 3].astype(np.float32)
    xp = lib.numpy if library == "jax" else lib

    def pad(x):
        if library == "jax":
            return xp.pad(x, 1, mode="edge")
        return lib.nn.functional.pad(x[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]

    def mean(x):
        p = pad(x)
        return (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 6 + (
            p[:-2, :-2] + p[:-2, 2:] + p[2:, :-2] + p[2:, 2:]
        ) / 12

    def run(a, b):
        middle = pad((a + b) / 2)
        gy, gx, gt = (middle[2:, 1:-1] - middle[:-2, 1:-1]) / 2, (middle[1:-1, 2:] - middle[1:-1, :-2]) / 2, b - a
        below = 0.001 + gx * gx + gy * gy

        def one(u, v):
            mu, mv = mean(u), mean(v)
            part = (gx * mu + gy * mv + gt) / below
            return mu - gx * part, mv - gy * part

        u, v = xp.zeros_like(a), xp.zeros_like(a)
        if library == "jax":
            return lib.lax.fori_loop(0, rounds, lambda _, s: one(*s), (u, v))
        for _ in range(rounds):
            u, v = one(u, v)
        return u, v

    return runner.call(run, first, second)


# ---- 32 hills: noise of several scales from a table of directions
@program
def hills(library, runner):
    rng, lib = RNG(132), runner.lib
    n = 160
    order = np.concatenate([rng.permutation(256)] * 2)
    directions = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], 1).astype(np.float32)
    gx, gy = np.meshgrid(np.linspace(0, 4, n, endpoint=False), np.linspace(0, 4, n, endpoint=False), indexing="ij")
    gx, gy = gx.astype(np.float32), gy.astype(np.float32)
    xp = lib.numpy if library == "jax" else lib
    whole = (lambda a: a.long()) if library in TORCH else lambda a: a.astype("int64")

    def noise(x, y, order, directions):
        i, j = xp.floor(x), xp.floor(y)
        fx, fy = x - i, y - j
        i, j = whole(i) % 256, whole(j) % 256

        def corner(di, dj):
            at = order[order[(i + di) % 256] + (j + dj) % 256] % 16
            return directions[at, 0] * (fx - di) + directions[at, 1] * (fy - dj)

        sx, sy = fx * fx * fx * (fx * (fx * 6 - 15) + 10), fy * fy * fy * (fy * (fy * 6 - 15) + 10)
        low = corner(0, 0) + sx * (corner(1, 0) - corner(0, 0))
        high = corner(0, 1) + sx * (corner(1, 1) - corner(0, 1))
        return low + sy * (high - low)

    def run(x, y, order, directions):
        total = xp.zeros_like(x)
        for k in range(4):
            total = total + noise(x * 2**k, y * 2**k, order, directions) / 2**k
        return total, (total - total.min()) / (total.max() - total.min())

    return runner.call(run, gx, gy, order, directions)
