"""Simulations and solvers, float64 unless said otherwise."""

import numpy as np

from .seventeenth_frame import PROGRAMS, RNG, Names, f32, program  # noqa: F401


# ---- 101 where 64 ships were: a filter forward, a smoother backward, 80 moments of four numbers
@program
def smoother(library, runner):
    rng, lib = RNG(211), runner.lib
    n = Names(library, lib)
    xp = n.xp
    ships, moments, dt = 64, 80, 0.2
    f = np.eye(4)
    f[0, 2] = f[1, 3] = dt
    h, q, r = np.eye(2, 4), 0.02 * np.eye(4), 0.4 * np.eye(2)
    seen = np.cumsum(rng.standard_normal((moments, ships, 2)), 0)
    x0, p0 = np.zeros((ships, 4)), np.broadcast_to(np.eye(4), (ships, 4, 4)).copy()
    p0 = p0 * rng.uniform(0.5, 2, (ships, 1, 1))
    solve = xp.linalg.solve

    def forward(x, p, z, f, h, q, r):
        x, p = x @ f.T, f @ p @ f.T + q
        gain = n.swap(solve(h @ p @ h.T + r, h @ p), 0, 2, 1)
        new = x + (gain @ (z - x @ h.T)[:, :, None])[:, :, 0]
        return new, p - gain @ h @ p, x, p

    def backward(xs, ps, x, p, ahead, pahead, f):
        gain = n.swap(solve(pahead, f @ p), 0, 2, 1)
        new = x + (gain @ (xs - ahead)[:, :, None])[:, :, 0]
        return new, p + gain @ (ps - pahead) @ n.swap(gain, 0, 2, 1)

    def run(steps, x, p, seen, f, h, q, r):
        forward, backward = steps
        if library == "jax":

            def one(s, z):
                made = forward(*s, z, f, h, q, r)
                return made[:2], made

            _, kept = lib.lax.scan(one, (x, p), seen)
            last = (kept[0][-1], kept[1][-1])

            def two(s, g):
                s = backward(*s, *g, f)
                return s, s

            given = (kept[0][:-1], kept[1][:-1], kept[2][1:], kept[3][1:])
            _, (xs, ps) = lib.lax.scan(two, last, given, reverse=True)
            return xs, ps
        kept = []
        for k in range(moments):
            x, p, ahead, pahead = forward(x, p, seen[k], f, h, q, r)
            kept.append((x, p, ahead, pahead))
        xs, ps = kept[-1][:2]
        allx, allp = [], []
        for k in range(moments - 2, -1, -1):
            xs, ps = backward(xs, ps, kept[k][0], kept[k][1], kept[k + 1][2], kept[k + 1][3], f)
            allx.append(xs)
            allp.append(ps)
        return xp.stack(allx), xp.stack(allp)

    if library == "torch.compile":
        forward, backward = lib.compile(forward), lib.compile(backward)
        return super(type(runner), runner).call(lambda *a: run((forward, backward), *a), x0, p0, seen, f, h, q, r)
    return runner.call(lambda *a: run((forward, backward), *a), x0, p0, seen, f, h, q, r)


# ---- 102 smoke from a chimney in a room of 32 x 32 x 32: carried upwind, spread, 20 steps
@program
def plume(library, runner):
    rng, lib = RNG(212), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, steps, dt = 32, 20, 0.05
    c = rng.random((size, size, size))
    wind = [rng.uniform(-1, 1, (size, size, size)) for _ in range(3)]
    source = np.zeros((size, size, size))
    source[:3, 14:18, 14:18] = 1

    def step(c, u, v, w, source):
        change = source
        for axis, speed in ((0, u), (1, v), (2, w)):
            below, above = n.roll(c, 1, axis), n.roll(c, -1, axis)
            change = change - xp.where(speed > 0, speed * (c - below), speed * (above - c))
            change = change + 0.3 * (below + above - 2 * c)
        return c + dt * change

    def run(step, c, u, v, w, source):
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda k, c: step(c, u, v, w, source), c)
        for _ in range(steps):
            c = step(c, u, v, w, source)
        return c

    return runner.stepwise(run, step, c, *wind, source)


# ---- 103 a plate of 1,152 triangles under load: stiffness of each, 60 steps of conjugate gradients, element by element
@program
def triangles(library, runner):
    rng, lib = RNG(213), runner.lib
    n = Names(library, lib)
    xp = n.xp
    side = 25
    where = np.stack(np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side), indexing="ij"), -1).reshape(-1, 2)
    where = where + 0.005 * rng.standard_normal(where.shape)
    k = np.arange(side * side).reshape(side, side)
    a, b, c, d = (x.reshape(-1) for x in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    corners = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    free = np.ones(side * side)
    free[k[0]] = 0
    material = np.array([[1.0, 0.3, 0], [0.3, 1.0, 0], [0, 0, 0.35]]) / 0.91
    load = rng.standard_normal((side * side, 2)) * 0.01
    degrees = (2 * corners[:, :, None] + np.arange(2)).reshape(-1, 6)
    free2 = np.repeat(free, 2)

    def stiffness(where, corners, material):
        p = where[corners]
        x, y = p[:, :, 0], p[:, :, 1]
        area = 0.5 * ((x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0]))
        b = xp.stack([y[:, 1] - y[:, 2], y[:, 2] - y[:, 0], y[:, 0] - y[:, 1]], 1)
        c = xp.stack([x[:, 2] - x[:, 1], x[:, 0] - x[:, 2], x[:, 1] - x[:, 0]], 1)
        zero = 0 * b
        rows = [xp.stack([b, zero], 2), xp.stack([zero, c], 2), xp.stack([c, b], 2)]
        strain = xp.stack([r.reshape((-1, 6)) for r in rows], 1) / (2 * area[:, None, None])
        return n.swap(strain, 0, 2, 1) @ material @ strain * area[:, None, None]

    def times(elements, degrees, free, x):
        each = (elements @ (x * free)[degrees][:, :, None])[:, :, 0]
        return n.add_at(0 * x, degrees.reshape(-1), each.reshape(-1)) * free

    def step(elements, degrees, free, x, r, p, rr):
        q = times(elements, degrees, free, p)
        alpha = rr / (p @ q)
        x, r = x + alpha * p, r - alpha * q
        new = r @ r
        return x, r, r + new / rr * p, new

    def run(step, where, corners, material, degrees, free, load):
        elements = stiffness(where, corners, material)
        r = load.reshape(-1) * free
        s = (0 * r, r, r, r @ r)
        if library == "jax":
            s = lib.lax.fori_loop(0, 60, lambda k, s: step(elements, degrees, free, *s), s)
        else:
            for _ in range(60):
                s = step(elements, degrees, free, *s)
        return s[0], s[3]

    return runner.stepwise(run, step, where, corners, material, degrees, free2, load)


# ---- 104 200 clocks that hear each other: 20 steps of Runge and Kutta, how much in step they are
@program
def clocks(library, runner):
    rng, lib = RNG(214), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, steps, dt = 200, 20, 0.05
    phase, pace = rng.uniform(0, 6.28, count), rng.standard_normal(count)
    hears = rng.random((count, count)) * 2 / count

    def rate(x, pace, hears):
        return pace + (hears * xp.sin(x - x[:, None])).sum(1)

    def step(x, pace, hears):
        a = rate(x, pace, hears)
        b = rate(x + dt / 2 * a, pace, hears)
        c = rate(x + dt / 2 * b, pace, hears)
        x = x + dt / 6 * (a + 2 * b + 2 * c + rate(x + dt * c, pace, hears))
        return x, xp.sqrt(xp.cos(x).mean() ** 2 + xp.sin(x).mean() ** 2)

    def run(step, x, pace, hears):
        if library == "jax":
            return lib.lax.scan(lambda x, _: step(x, pace, hears), x, None, steps)
        order = []
        for _ in range(steps):
            x, o = step(x, pace, hears)
            order.append(o)
        return x, xp.stack(order)

    return runner.stepwise(run, step, phase, pace, hears)


# ---- 105 eight packets of waves meet walls: half steps in space and in frequency, 60 times 1,024 places, complex128
@program
def packets(library, runner):
    rng, lib = RNG(215), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, size, steps, dt = 8, 1024, 60, 0.02
    x = np.linspace(-20, 20, size, endpoint=False)
    momentum = 2 * np.pi * np.fft.fftfreq(size, 40 / size)
    start = np.exp(-((x + 5) ** 2) + 1j * np.linspace(1, 4, count)[:, None] * x)
    wall = 3.0 * (np.abs(x) < 0.5) * np.ones((count, 1)) + 0.01 * rng.random((count, 1)) * x**2
    turn, move = np.exp(-0.5j * dt * wall), np.exp(-0.5j * dt * momentum**2)

    def step(psi, turn, move):
        return turn * xp.fft.ifft(move * xp.fft.fft(turn * psi))

    def run(step, psi, turn, move, x):
        if library == "jax":
            psi = lib.lax.fori_loop(0, steps, lambda k, p: step(p, turn, move), psi)
        else:
            for _ in range(steps):
                psi = step(psi, turn, move)
        chance = xp.abs(psi) ** 2
        return chance, (chance * x).sum(1)

    return runner.stepwise(run, step, start, turn, move, x)


# ---- 106 48 pairs of proteins side by side: the best local match with gaps that open and go on, along diagonals
@program
def proteins(library, runner):
    rng, lib = RNG(216), runner.lib
    n = Names(library, lib)
    xp = n.xp
    pairs, long, other = 48, 60, 50
    a, b = rng.integers(0, 20, (pairs, long)), rng.integers(0, 20, (pairs, other))
    score = rng.integers(-4, 3, (20, 20)) + 7 * np.eye(20, dtype=np.int64)
    rows = np.arange(long)

    def step(k, one, two, gap, down, best, a, b, score, rows):
        """Diagonal k: places (i, k - i)."""
        j = k - rows
        inside = (j >= 0) & (j < other)
        match = score[a, b[:, xp.clip(j, 0, other - 1)]]
        edge = 0 * one[:, :1]
        above = n.cat([edge, one[:, :-1]], 1)
        corner = n.cat([edge, two[:, :-1]], 1)
        gap = xp.maximum(one - 6, gap - 1)
        down = xp.maximum(above - 6, n.cat([edge - 99, down[:, :-1]], 1) - 1)
        new = xp.clip(xp.maximum(xp.maximum(corner + match, gap), down), 0, 10**6)
        new = xp.where(inside, new, 0 * new)
        return new, one, gap, down, xp.maximum(best, n.largest(new, 1))

    def run(step, a, b, score, rows):
        zero = 0 * a
        s = (zero, zero, zero - 99, zero - 99, zero[:, 0])
        if library == "jax":
            s = lib.lax.fori_loop(0, long + other - 1, lambda k, s: step(k, *s, a, b, score, rows), s)
            return s[4], s[0]
        for k in range(long + other - 1):
            s = step(k if library != "torch.compile" else lib.tensor(k), *s, a, b, score, rows)
        return s[4], s[0]

    return runner.stepwise(run, step, a, b, score, rows)


# ---- 107 64 chains at eight heats on a bent valley, 200 proposals, neighbours in heat that change places
@program
def heats(library, runner):
    rng, lib = RNG(217), runner.lib
    n = Names(library, lib)
    xp = n.xp
    chains, heats, dims, steps = 64, 8, 4, 200
    cold = 0.6 ** np.arange(heats)
    x = rng.standard_normal((chains, heats, dims))
    moves = 0.4 * rng.standard_normal((steps, chains, heats, dims)) / np.sqrt(cold)[:, None]
    u, v = np.log(rng.random((steps, chains, heats))), np.log(rng.random((steps, chains, heats)))
    odd = np.arange(heats)
    partner = np.stack([odd ^ 1, np.clip(((odd + 1) ^ 1) - 1, 0, heats - 1)])
    first = np.stack([odd & ~1, np.minimum(odd, partner[1])])

    def energy(x):
        return (100 * (x[..., 1:] - x[..., :-1] ** 2) ** 2 / 20 + (1 - x[..., :-1]) ** 2).sum(-1)

    def step(x, e, move, u, v, partner, first, cold):
        new = x + move
        enew = energy(new)
        taken = u < cold * (e - enew)
        x, e = xp.where(taken[..., None], new, x), xp.where(taken, enew, e)
        swap = v[:, first] < (cold - cold[partner]) * (e - e[:, partner])
        return xp.where(swap[..., None], x[:, partner], x), xp.where(swap, e[:, partner], e)

    def run(step, x, moves, u, v, partner, first, cold):
        e = energy(x)
        if library == "jax":

            def one(s, g):
                k, move, u, v = g
                x, e = step(*s, move, u, v, partner[k % 2], first[k % 2], cold)
                return (x, e), (x[:, 0].mean(0), e[:, 0].mean())

            _, made = lib.lax.scan(one, (x, e), (xp.arange(steps), moves, u, v))
            return made
        means, energies = [], []
        for k in range(steps):
            x, e = step(x, e, moves[k], u[k], v[k], partner[k % 2], first[k % 2], cold)
            means.append(x[:, 0].mean(0))
            energies.append(e[:, 0].mean())
        return xp.stack(means), xp.stack(energies)

    return runner.stepwise(run, step, x, moves, u, v, partner, first, cold)
