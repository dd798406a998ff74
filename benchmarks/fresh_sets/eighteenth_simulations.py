"""Simulations and control, float64 unless said otherwise."""

import numpy as np

from .eighteenth_frame import RNG, Names, f32, program, put, times


# ---- 141 900 drops (SPH): lists of neighbours from sorted cells, densities, pressures, five steps
@program
def drops(library, runner):
    rng, lib = RNG(321), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, side, room, steps = 900, 20, 8, 5
    x, v = rng.random((count, 2)) * side * 0.98 + 0.1, 0.1 * rng.standard_normal((count, 2))
    around = np.array([[i, j] for i in (-1, 0, 1) for j in (-1, 0, 1)])
    slot, edges = np.arange(room), np.arange(side * side + 1)

    def step(x, v, around, slot, edges):
        cell = xp.clip(n.whole(xp.floor(x)), 0, side - 1)
        key = cell[:, 0] * side + cell[:, 1]
        order = n.argsort(key, stable=True)
        start = n.search(key[order], edges)
        beside = cell[:, None] + around
        inside = ((beside >= 0) & (beside < side)).all(2)
        beside = xp.clip(beside, 0, side - 1)
        beside = beside[:, :, 0] * side + beside[:, :, 1]
        place = start[beside][:, :, None] + slot
        real = (place < start[beside + 1][:, :, None]) & inside[:, :, None]
        other = order[xp.clip(place, 0, count - 1)].reshape((count, -1))
        real = n.double(real.reshape((count, -1)))
        apart = x[:, None] - x[other]
        square = (apart * apart).sum(2)
        q = xp.clip(1 - square, 0, 1) * real
        density = (q * q * q).sum(1)
        pressure = 2.0 * (density - 1.5)
        r = xp.sqrt(square + 1e-6)
        slope = xp.clip(1 - r, 0, 1) * real
        push = (pressure[:, None] + pressure[other]) / (2 * density[other] + 1e-3) * slope * slope / r
        force = (push[:, :, None] * apart).sum(1)
        drag = ((slope / (density[other] + 1e-3))[:, :, None] * (v[other] - v[:, None])).sum(1)
        v = v + 0.02 * (force / density[:, None] + 0.3 * drag)
        v = v - 0.02 * xp.stack([0 * x[:, 0], 0 * x[:, 0] + 1.0], 1)
        x = x + 0.02 * v
        v = xp.where((x < 0.05) | (x > side - 0.05), -0.5 * v, v)
        return xp.clip(x, 0.05, side - 0.05), v

    def run(step, x, v, around, slot, edges):
        return times(library, lib, steps, lambda k, x, v: step(x, v, around, slot, edges), (x, v))

    return runner.stepwise(run, step, x, v, around, slot, edges)


# ---- 142 a dam breaks in a basin of 65 x 80: shallow water, Rusanov's fluxes, 40 steps, float32
@program
def dam(library, runner):
    lib = runner.lib
    n = Names(library, lib)
    xp = n.xp
    high, wide, steps, rate = 65, 80, 40, 0.1
    y, x = np.meshgrid(np.arange(high), np.arange(wide), indexing="ij")
    h = np.where((y - 30) ** 2 + (x - 35) ** 2 < 150, 2.0, 1.0).astype(np.float32)
    u, v = f32(RNG(322), high, wide, scale=0.01), f32(RNG(1322), high, wide, scale=0.01)

    def flux(h, across, along):
        speed = across / h
        return across, across * speed + 0.5 * h * h, along * speed, xp.abs(speed) + xp.sqrt(h)

    def change(h, across, along, axis):
        f = flux(h, across, along)
        fast = xp.maximum(f[3], n.roll(f[3], -1, axis))
        made = []
        for q, g in zip((h, across, along), f[:3]):
            between = 0.5 * (g + n.roll(g, -1, axis)) - 0.5 * fast * (n.roll(q, -1, axis) - q)
            made.append(between - n.roll(between, 1, axis))
        return made

    def step(h, u, v):
        a, b, c = change(h, u, v, 1)
        d, e, f = change(h, v, u, 0)
        return h - rate * (a + d), u - rate * (b + f), v - rate * (c + e)

    def run(step, h, u, v):
        return times(library, lib, steps, lambda k, h, u, v: step(h, u, v), (h, u, v))

    return runner.stepwise(run, step, h, u, v)


# ---- 143 does water find a way: 12 porous squares of 41 x 41, least numbers spread until none changes, int64
@program
def porous(library, runner):
    rng, lib = RNG(323), runner.lib
    n = Names(library, lib)
    xp = n.xp
    squares, size = 12, 41
    open_ = rng.random((squares, size, size)) < np.linspace(0.5, 0.7, squares)[:, None, None]
    number = np.arange(squares * size * size).reshape(squares, size, size)
    none = squares * size * size

    def pad(x):
        if library in ("np", "jax"):
            return xp.pad(x, ((0, 0), (1, 1), (1, 1)), constant_values=none)
        return n.F.pad(x, (1, 1, 1, 1), value=none) if library != "vt" else n.F.pad(x, (0, 0, 1, 1, 1, 1), value=none)

    def step(label, open_):
        p = pad(label)
        least = xp.minimum(xp.minimum(p[:, :-2, 1:-1], p[:, 2:, 1:-1]), xp.minimum(p[:, 1:-1, :-2], p[:, 1:-1, 2:]))
        new = xp.where(open_, xp.minimum(label, least), label)
        return new, (new != label).any()

    def run(step, open_, number):
        label = xp.where(open_, number, 0 * number + none)
        if library == "jax":
            label, _ = lib.lax.while_loop(lambda s: s[1], lambda s: step(s[0], open_), (label, xp.asarray(True)))
        else:
            moved = True
            while moved:
                label, moved = step(label, open_)
        size_ = n.count(label.reshape(-1), none + 1)[:none].reshape((squares, -1))
        above, below = label[:, 0], label[:, -1]
        through = ((above[:, :, None] == below[:, None]) & (above[:, :, None] < none)).any(2).any(1)
        return label, n.largest(size_, 1), n.whole(through)

    return runner.stepwise(run, step, open_, number)


# ---- 144 who lives beside whom (Schelling): 50 x 50 places, the unhappy move to free ones, 30 rounds, int64
@program
def neighbours(library, runner):
    rng, lib = RNG(324), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, rounds = 50, 30
    town = rng.choice(3, (size, size), p=(0.1, 0.45, 0.45))
    luck = rng.random((rounds, size * size))
    k = np.arange(size * size)

    def step(town, luck, k):
        alike, lived = 0, 0
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i or j:
                    other = n.roll(town, (i, j), (0, 1))
                    alike = alike + n.whole(other == town)
                    lived = lived + n.whole(other > 0)
        flat = town.reshape(-1)
        sad = (flat > 0) & ((10 * alike).reshape(-1) < (5 * lived).reshape(-1))
        free = flat == 0
        leave = n.argsort(xp.where(sad, luck, luck + 2))
        enter = n.argsort(xp.where(free, luck, luck + 2))
        moves = k < xp.minimum(n.whole(sad).sum(), n.whole(free).sum())
        mover, place = flat[leave], flat[enter]
        new = put(library, flat if library == "jax" else flat + 0, enter, xp.where(moves, mover, place))
        new = put(library, new, leave, xp.where(moves, 0 * mover, new[leave]))
        return new.reshape((size, size)), n.whole(sad).sum()

    def run(step, town, luck, k):
        if library == "jax":
            return lib.lax.scan(lambda t, g: step(t, g, k), town, luck)
        sad = []
        for r in range(rounds):
            town, one = step(town, luck[r], k)
            sad.append(one)
        return town, xp.stack(sad)

    return runner.stepwise(run, step, town, luck, k)


# ---- 145 97 ropes of 16 knots: Verlet, then each link in turn drawn to its length, 8 steps
@program
def ropes(library, runner):
    rng, lib = RNG(325), runner.lib
    n = Names(library, lib)
    xp = n.xp
    ropes_, knots, steps, rounds = 97, 16, 8, 3
    x = np.cumsum(rng.uniform(0, 0.2, (ropes_, knots, 3)), 1)
    old = x + 0.01 * rng.standard_normal(x.shape)
    pull = np.array([0, 0, -0.002])

    def link(k, x):
        a, b = x[:, k], x[:, k + 1]
        apart = b - a
        length = xp.sqrt(n.sum(apart * apart, 1, True))
        fix = apart * (0.5 * (length - 0.1) / length)
        x = put(library, x, (slice(None), k), a + fix)
        return put(library, x, (slice(None), k + 1), b - fix)

    def step(x, old, top, pull):
        x, old = 1.99 * x - 0.99 * old + pull, x
        for _ in range(rounds):
            if library == "jax":
                x = lib.lax.fori_loop(0, knots - 1, link, x)
            else:
                for k in range(knots - 1):
                    x = link(k, x)
            x = put(library, x, (slice(None), 0), top)
        return x, old

    def run(step, x, old, pull):
        top = x[:, 0]
        return times(library, lib, steps, lambda k, x, old: step(x, old, top, pull), (x, old))

    return runner.stepwise(run, step, x, old, pull)


# ---- 146 when to use an option, by regression (Longstaff and Schwartz): 3,001 ways, 30 days backward
@program
def early(library, runner):
    rng, lib = RNG(326), runner.lib
    n = Names(library, lib)
    xp = n.xp
    ways, days, strike, fade = 3001, 30, 1.1, 0.998
    noise = rng.standard_normal((days, ways))

    def step(paid, price):
        now = xp.clip(strike - price, 0, 9)
        inside = n.double(now > 0)
        basis = xp.stack([1 + 0 * price, price, price * price, price * price * price], 1) * inside[:, None]
        later = fade * paid
        normal, right = basis.T @ basis, basis.T @ (later * inside)
        normal = normal + 1e-9 * xp.diagonal(normal).sum() * xp.eye(4, dtype=xp.float64)
        weight = xp.linalg.solve(normal, right[:, None])[:, 0]
        return xp.where((now > basis @ weight) & (now > 0), now, later)

    def run(step, noise):
        price = xp.exp(xp.cumsum(0.03 * noise - 0.0004, 0))
        paid = xp.clip(strike - price[-1], 0, 9)
        if library == "jax":
            paid, _ = lib.lax.scan(lambda p, s: (step(p, s), None), paid, price[:-1], reverse=True)
        else:
            for k in range(days - 2, -1, -1):
                paid = step(paid, price[k])
        return paid.mean(), paid.std() if library in ("np", "jax") else ((paid - paid.mean()) ** 2).mean() ** 0.5

    return runner.stepwise(run, step, noise)


# ---- 147 3,000 rays through 32 x 32 x 32 cubes, from wall to wall, until each hits or leaves
@program
def cubes(library, runner):
    rng, lib = RNG(327), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, rays = 32, 3000
    full = (rng.random((size, size, size)) < 0.02).reshape(-1)
    origin = np.concatenate([rng.random((rays, 2)) * size, np.full((rays, 1), 0.01)], 1)
    way = np.concatenate([0.5 * rng.standard_normal((rays, 2)), np.ones((rays, 1))], 1)
    way[np.abs(way) < 1e-3] = 1e-3
    axis = np.arange(3)

    def step(cell, ahead, far, active, full, sign, delta, axis):
        which = ahead.argmin(1)
        one = which[:, None] == axis
        far = xp.where(active, n.smallest(ahead, 1), far)
        go = one & active[:, None]
        cell, ahead = xp.where(go, cell + sign, cell), xp.where(go, ahead + delta, ahead)
        inside = ((cell >= 0) & (cell < size)).all(1)
        at = xp.clip(cell, 0, size - 1)
        hit = full[(at[:, 0] * size + at[:, 1]) * size + at[:, 2]]
        return cell, ahead, far, active & inside & ~hit

    def run(step, full, origin, way, axis):
        cell = n.whole(xp.floor(origin))
        sign = n.whole(xp.sign(way))
        delta = xp.abs(1 / way)
        ahead = (xp.where(way > 0, cell + 1 - origin, origin - cell)) * delta
        active = axis[0] == 0 * cell[:, 0]
        s = (cell, ahead, 0 * origin[:, 0], active)
        if library == "jax":
            s = lib.lax.while_loop(lambda s: s[3].any(), lambda s: step(*s, full, sign, delta, axis), s)
        else:
            while s[3].any():
                s = step(*s, full, sign, delta, axis)
        return s[0], s[2]

    return runner.stepwise(run, step, full, origin, way, axis)


# ---- 148 300 birds keep apart, fly alike, stay together: all pairs, 15 moments, float32
@program
def birds(library, runner):
    rng, lib = RNG(328), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, moments, size = 301, 15, 30.0
    x, v = (rng.random((count, 2)) * size).astype(np.float32), f32(rng, count, 2)

    def step(x, v):
        apart = x[None] - x[:, None]
        apart = apart - size * xp.round(apart / size)
        square = (apart * apart).sum(2)
        near = n.single((square < 9) & (square > 0))
        close = n.single((square < 1) & (square > 0))
        number = n.sum(near, 1, True) + 1e-6
        alike = near @ v / number - v
        together = (near[:, :, None] * apart).sum(1) / number
        away = -(close[:, :, None] * apart / (square + 1e-3)[:, :, None]).sum(1)
        v = v + 0.05 * alike + 0.02 * together + 0.1 * away
        speed = xp.sqrt(n.sum(v * v, 1, True)) + 1e-6
        v = v / speed * xp.clip(speed, 0.3, 1.5)
        return (x + 0.2 * v) % size, v

    def run(step, x, v):
        return times(library, lib, moments, lambda k, x, v: step(x, v), (x, v))

    return runner.stepwise(run, step, x, v)


# ---- 149 where 40 planes turn: nine points through ranges and bearings (UKF), 50 moments
@program
def planes(library, runner):
    rng, lib = RNG(329), runner.lib
    n = Names(library, lib)
    xp = n.xp
    planes_, moments, dim, dt = 40, 50, 4, 0.5
    seen = np.stack([10 + rng.standard_normal((moments, planes_)), 0.1 * rng.standard_normal((moments, planes_))], 2)
    x, p = np.tile([9.0, 1.0, 0.1, 0.2], (planes_, 1)), np.tile(np.eye(dim), (planes_, 1, 1))
    q, r = 0.02 * np.eye(dim), np.diag([0.5, 0.01])
    weight = np.full(2 * dim + 1, 1 / 6)
    weight[0] = -1 / 3
    root = 3**0.5

    def points(x, p):
        away = n.swap(xp.linalg.cholesky(p), 0, 2, 1) * root
        return n.cat([x[:, None], x[:, None] + away, x[:, None] - away], 1)

    def moves(s):
        return xp.stack([s[..., 0] + dt * s[..., 2], s[..., 1] + dt * s[..., 3], s[..., 2], 0.99 * s[..., 3]], -1)

    def sees(s):
        angle = lib.atan2 if n.kind in ("vt", "torch") else xp.arctan2
        return xp.stack([xp.sqrt(s[..., 0] ** 2 + s[..., 1] ** 2), angle(s[..., 1], s[..., 0])], -1)

    def spread(a, b, weight):
        return n.swap(a * weight[:, None], 0, 2, 1) @ b

    def step(x, p, z, q, r, weight):
        s = moves(points(x, p))
        x = (s * weight[:, None]).sum(1)
        p = spread(s - x[:, None], s - x[:, None], weight) + q
        s = points(x, p)
        y = sees(s)
        mean = (y * weight[:, None]).sum(1)
        e, f = s - x[:, None], y - mean[:, None]
        cross, own = spread(e, f, weight), spread(f, f, weight) + r
        gain = n.swap(xp.linalg.solve(own, n.swap(cross, 0, 2, 1)), 0, 2, 1)
        x = x + (gain @ (z - mean)[:, :, None])[:, :, 0]
        p = p - gain @ own @ n.swap(gain, 0, 2, 1)
        return x, 0.5 * (p + n.swap(p, 0, 2, 1))

    def run(step, x, p, seen, q, r, weight):
        if library == "jax":

            def one(s, z):
                s = step(*s, z, q, r, weight)
                return s, s[0]

            (x, p), xs = lib.lax.scan(one, (x, p), seen)
            return xs, p
        xs = []
        for k in range(moments):
            x, p = step(x, p, seen[k], q, r, weight)
            xs.append(x)
        return xp.stack(xs), p

    return runner.stepwise(run, step, x, p, seen, q, r, weight)


# ---- 150 32 machines look twelve steps ahead (MPC): 15 fast gradient steps within bounds, 20 times
@program
def ahead(library, runner):
    rng, lib = RNG(330), runner.lib
    n = Names(library, lib)
    xp = n.xp
    machines, horizon, inner, moments = 32, 12, 15, 20
    a, b = np.array([[1.0, 0.1, 0], [0, 1, 0.1], [0, -0.2, 0.9]]), np.array([[0.0], [0.02], [0.1]])
    powers = [np.eye(3)]
    for _ in range(horizon):
        powers.append(a @ powers[-1])
    f = np.concatenate(powers[1:])
    g = np.zeros((3 * horizon, horizon))
    for i in range(horizon):
        for j in range(i + 1):
            g[3 * i : 3 * i + 3, j] = (powers[i - j] @ b)[:, 0]
    h, c = g.T @ g + 0.01 * np.eye(horizon), f.T @ g
    rate = 1 / np.linalg.eigvalsh(h)[-1]
    x, noise = rng.standard_normal((machines, 3)), 0.02 * rng.standard_normal((moments, machines, 3))

    def step(x, u, noise, a, b, h, c):
        linear = x @ c
        u = n.cat([u[:, 1:], u[:, -1:]], 1)
        y, t = u, 1.0
        for _ in range(inner):
            new = xp.clip(y - rate * (y @ h + linear), -1, 1)
            ahead_ = (1 + (1 + 4 * t * t) ** 0.5) / 2
            y, u, t = new + (t - 1) / ahead_ * (new - u), new, ahead_
        return x @ a.T + u[:, :1] @ b.T + noise, u

    def run(step, x, noise, a, b, h, c):
        u = xp.zeros((machines, horizon), dtype=xp.float64)
        if library == "jax":

            def one(s, e):
                s = step(*s, e, a, b, h, c)
                return s, (s[0], s[1][:, 0])

            return lib.lax.scan(one, (x, u), noise)[1]
        xs, us = [], []
        for k in range(moments):
            x, u = step(x, u, noise[k], a, b, h, c)
            xs.append(x)
            us.append(u[:, 0])
        return xp.stack(xs), xp.stack(us)

    return runner.stepwise(run, step, x, noise, a, b, h, c)
