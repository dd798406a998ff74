"""More simulations and solvers of the seventeenth set, float64 unless said otherwise."""

import numpy as np

from .seventeenth_frame import PROGRAMS, RNG, Names, f32, program  # noqa: F401


# ---- 108 4,000 charges in a square: spread to four corners, a field by frequencies, back to them, five steps
@program
def plasma(library, runner):
    rng, lib = RNG(218), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, size, steps, dt = 4000, 64, 5, 0.1
    where, speed = rng.random((count, 2)) * size, rng.standard_normal((count, 2))
    kx, ky = 2 * np.pi * np.fft.fftfreq(size)[:, None], 2 * np.pi * np.fft.rfftfreq(size)
    square = kx**2 + ky**2
    square[0, 0] = 1
    inverse = 1 / square
    inverse[0, 0] = 0
    kx, ky = kx + 0 * ky, 0 * kx + ky

    def step(where, speed, kx, ky, inverse):
        low = xp.floor(where)
        part = where - low
        i = n.whole(low) % size
        j = (i + 1) % size
        x, y = part[:, 0], part[:, 1]
        cells = [i[:, 0] * size + i[:, 1], j[:, 0] * size + i[:, 1], i[:, 0] * size + j[:, 1], j[:, 0] * size + j[:, 1]]
        shares = [(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y]
        density = n.count(n.cat(cells), size * size, n.cat(shares)).reshape((size, size)) * (size * size / count) - 1
        phi = xp.fft.rfft2(density) * inverse
        ex = xp.fft.irfft2(-1j * kx * phi).reshape(-1)
        ey = xp.fft.irfft2(-1j * ky * phi).reshape(-1)
        pull = xp.stack([sum(w * e[c] for c, w in zip(cells, shares)) for e in (ex, ey)], 1)
        speed = speed - dt * pull
        return (where + dt * speed) % size, speed, (ex * ex + ey * ey).sum()

    def run(step, where, speed, kx, ky, inverse):
        if library == "jax":

            def one(s, _):
                where, speed, e = step(*s, kx, ky, inverse)
                return (where, speed), e

            (where, speed), es = lib.lax.scan(one, (where, speed), None, steps)
            return where, speed, es
        es = []
        for _ in range(steps):
            where, speed, e = step(where, speed, kx, ky, inverse)
            es.append(e)
        return where, speed, xp.stack(es)

    return runner.stepwise(run, step, where, speed, kx, ky, inverse)


# ---- 109 150 whirls carry each other 12 steps: where they end, and how that depends on their strengths
@program
def whirls(library, runner):
    rng, lib = RNG(219), runner.lib
    Names(library, lib)
    if library == "np":
        return None
    count, steps, dt = 150, 12, 0.02
    strength, x, y = rng.standard_normal(count), rng.standard_normal(count), rng.standard_normal(count)

    def rate(strength, x, y):
        dx, dy = x[:, None] - x, y[:, None] - y
        k = strength / (dx * dx + dy * dy + 0.05) / 6.2831853
        return -(k * dy).sum(1), (k * dx).sum(1)

    def loss(strength, x, y):
        def step(x, y):
            a, b = rate(strength, x, y)
            c, d = rate(strength, x + dt / 2 * a, y + dt / 2 * b)
            return x + dt * c, y + dt * d

        if library == "jax":
            (x, y), _ = lib.lax.scan(lambda s, _: (step(*s), None), (x, y), None, steps)
        else:
            for _ in range(steps):
                x, y = step(x, y)
        return (x * x + 2 * y * y).mean()

    return runner.grad(loss, 3, strength, x, y)


# ---- 110 300 stiff reactions: 40 implicit steps, three of Newton's in each, systems of three numbers
@program
def reactions(library, runner):
    rng, lib = RNG(220), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, steps = 300, 40
    y = np.stack([np.ones(count), np.zeros(count), np.zeros(count)], 1)
    speed = 0.04 * rng.uniform(0.5, 2, count)
    eye = np.eye(3)

    def step(y, dt, speed, eye):
        new = y
        for _ in range(3):
            a, b, c = new[:, 0], new[:, 1], new[:, 2]
            da = -speed * a + 1e4 * b * c
            dc = 3e7 * b * b
            rest = new - y - dt * xp.stack([da, -da - dc, dc], 1)
            zero = 0 * a
            one = xp.stack([-speed, 1e4 * c, 1e4 * b], 1)
            three = xp.stack([zero, 6e7 * b, zero], 1)
            slope = eye - dt * xp.stack([one, -one - three, three], 1)
            new = new - xp.linalg.solve(slope, rest[:, :, None])[:, :, 0]
        return new, 1.25 * dt

    def run(step, y, dt, speed, eye):
        if library == "jax":
            (y, dt), made = lib.lax.scan(lambda s, _: ((s := step(*s, speed, eye)), s[0].mean(0)), (y, dt), None, steps)
            return y, made
        made = []
        for _ in range(steps):
            y, dt = step(y, dt, speed, eye)
            made.append(y.mean(0))
        return y, xp.stack(made)

    return runner.stepwise(run, step, y, np.array(1e-4), speed, eye)


# ---- 111 whirling air in a square of 64 x 64: by frequencies, two slopes a step, ten steps
@program
def turbulence(library, runner):
    rng, lib = RNG(221), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, steps, dt = 64, 10, 0.02
    start = rng.standard_normal((size, size))
    kx, ky = size * np.fft.fftfreq(size)[:, None], size * np.fft.rfftfreq(size)
    square = kx**2 + ky**2
    inverse = np.where(square > 0, 1 / np.where(square > 0, square, 1), 0)
    keep = ((np.abs(kx) < size / 3) & (np.abs(ky) < size / 3)).astype(np.float64)
    kx, ky = kx + 0 * ky, 0 * kx + ky

    def rate(w, kx, ky, inverse, square, keep):
        phi = w * inverse
        u, v = xp.fft.irfft2(1j * ky * phi), xp.fft.irfft2(-1j * kx * phi)
        wx, wy = xp.fft.irfft2(1j * kx * w), xp.fft.irfft2(1j * ky * w)
        return -keep * xp.fft.rfft2(u * wx + v * wy) - 0.002 * square * w

    def step(w, *given):
        middle = w + dt / 2 * rate(w, *given)
        return w + dt * rate(middle, *given)

    def run(step, start, *given):
        w = xp.fft.rfft2(start) * given[4]
        if library == "jax":
            w = lib.lax.fori_loop(0, steps, lambda k, w: step(w, *given), w)
        else:
            for _ in range(steps):
                w = step(w, *given)
        return xp.fft.irfft2(w)

    return runner.stepwise(run, step, start, kx, ky, inverse, square, keep)


# ---- 112 heaps of sand of 64 x 64 slide until all are flat enough, int64
@program
def sand(library, runner):
    rng, lib = RNG(222), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size = 64
    heaps = rng.integers(0, 6, (size, size))

    def step(x):
        slides = n.whole(x > 3)
        row, column = 0 * slides[:1], 0 * slides[:, :1]
        x = x - 4 * slides
        x = x + n.cat([slides[1:], row], 0) + n.cat([row, slides[:-1]], 0)
        x = x + n.cat([slides[:, 1:], column], 1) + n.cat([column, slides[:, :-1]], 1)
        return x, slides.sum()

    def run(step, x):
        if library == "jax":
            x, _, moved, rounds = lib.lax.while_loop(
                lambda s: s[1] > 0,
                lambda s: ((m := step(s[0]))[0], m[1], s[2] + m[1], s[3] + 1),
                (x, xp.int64(1), xp.int64(0), 0),
            )
            return x, moved, rounds
        x, slides = step(x)
        moved, rounds = slides, 1
        while slides > 0:
            x, slides = step(x)
            moved = moved + slides
            rounds = rounds + 1
        return x, moved, 0 * moved + rounds

    return runner.stepwise(run, step, heaps)


# ---- 113 how to steer 16 machines of eight numbers: 60 gains backward, 60 states forward, cost and its gradient
@program
def pilots(library, runner):
    rng, lib = RNG(223), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, size, levers, steps = 16, 8, 3, 60
    a = 0.9 * np.eye(size) + 0.08 * rng.standard_normal((batch, size, size))
    b = 0.3 * rng.standard_normal((batch, size, levers))
    x = rng.standard_normal((batch, size, 1))
    q, r = np.eye(size), 0.1 * np.eye(levers)

    def loss(a, b, x, q, r):
        turned, across = n.swap(b, 0, 2, 1), n.swap(a, 0, 2, 1)
        p = q + 0 * a

        def back(p):
            gain = xp.linalg.solve(r + turned @ p @ b, turned @ p @ a)
            return q + across @ p @ (a - b @ gain), gain

        def ahead(x, gain):
            u = gain @ x
            return a @ x - b @ u, (x * (q @ x)).sum() + (u * (r @ u)).sum()

        if library == "jax":
            _, gains = lib.lax.scan(lambda p, _: back(p), p, None, steps)
            _, costs = lib.lax.scan(ahead, x, gains[::-1])
            return costs.sum()
        gains, cost = [], 0.0
        for _ in range(steps):
            p, gain = back(p)
            gains.append(gain)
        for k in range(steps):
            x, one = ahead(x, gains[steps - 1 - k])
            cost = cost + one
        return cost

    return runner.grad(loss, 3, a, b, x, q, r)


# ---- 114 a wire and a plate: implicit in rows, then in columns, tridiagonal sweeps, gradient of what flows in
@program
def plate(library, runner):
    rng, lib = RNG(224), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    size, steps, k = 48, 4, 0.4
    source, start = rng.random((size, size)), rng.random((size, size))
    upper, pivot = np.zeros(size), np.zeros(size)
    for j in range(size):
        pivot[j] = 1 / (1 + 2 * k + k * (upper[j - 1] if j else 0))
        upper[j] = -k * pivot[j]

    def loss(source, start, upper, pivot):
        def solve(d):
            """Thomas' sweeps along the first axis."""
            if library == "jax":

                def down(last, g):
                    row, m = g
                    new = (row + k * last) * m
                    return new, new

                _, rows = lib.lax.scan(down, 0 * d[0], (d, pivot))

                def up(last, g):
                    row, c = g
                    new = row - c * last
                    return new, new

                return lib.lax.scan(up, 0 * d[0], (rows, upper), reverse=True)[1]
            rows, last = [], 0 * d[0]
            for j in range(size):
                last = (d[j] + k * last) * pivot[j]
                rows.append(last)
            last, found = 0 * d[0], []
            for j in range(size):
                last = rows[size - 1 - j] - upper[size - 1 - j] * last
                found.append(last)
            return xp.flip(xp.stack(found), (0,))

        def across(x):
            edge = 0 * x[:, :1]
            return x + k * (n.cat([x[:, 1:], edge], 1) + n.cat([edge, x[:, :-1]], 1) - 2 * x)

        x = start
        for _ in range(steps):
            x = solve(across(x) + 0.1 * source)
            x = solve(across(x.T) + 0.1 * source.T).T
        return (x * x).mean()

    return runner.grad(loss, 2, source, start, upper, pivot)
