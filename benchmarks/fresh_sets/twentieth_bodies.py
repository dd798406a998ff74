"""Bodies, cells, prices and states that move; float64."""

import numpy as np

from .twentieth_frame import RNG, Names, program, stepped


# ---- a chain of 64 beads in warm water: springs, all pairs push, noise, 60 steps
@program
def beads(library, runner):
    rng, lib = RNG(2041), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, steps, dt = 64, 60, 2e-3
    where = np.cumsum(0.6 * rng.standard_normal((count, 3)), 0)
    noise = (2 * dt) ** 0.5 * rng.standard_normal((steps, count, 3))
    others = 1 - np.eye(count)

    def step(where, noise, others):
        apart = where[:, None] - where
        square = (apart * apart).sum(2) + (1 - others)
        near = xp.clip(1 / square, 0, 4.0)
        third = near * near * near
        push = xp.where(square < 1.26, 24 * third * (2 * third - 1) * near, 0 * square) * others
        force = (xp.clip(push, -500, 500)[:, :, None] * apart).sum(1)
        link = where[1:] - where[:-1]
        pull = 30 * (1 - 1 / xp.sqrt((link * link).sum(1) + 1e-9))[:, None] * link
        force = force + n.cat([pull, 0 * pull[:1]], 0) - n.cat([0 * pull[:1], pull], 0)
        where = where + dt * force + noise
        return where, xp.sqrt(((where[-1] - where[0]) ** 2).sum())

    def run(step, where, noise, others):
        if library == "jax":
            return lib.lax.scan(lambda w, z: step(w, z, others), where, noise)
        long = []
        for k in range(steps):
            where, one = step(where, noise[k], others)
            long.append(one)
        return where, xp.stack(long)

    return runner.stepwise(run, step, where, noise, others)


# ---- 300 oscillators (van der Pol), each with steps of its own (Bogacki and Shampine) until all are at moment 8
@program
def own_pace(library, runner):
    rng, lib = RNG(2042), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, end = 300, 8.0
    y, stiff = rng.standard_normal((2, count)), rng.uniform(0.5, 6, count)
    t, h = np.zeros(count), np.full(count, 0.01)

    def slope(y, stiff):
        return xp.stack([y[1], stiff * (1 - y[0] * y[0]) * y[1] - y[0]])

    def step(t, h, y, taken, stiff):
        h = xp.minimum(h, end - t)
        a = slope(y, stiff)
        b = slope(y + 0.5 * h * a, stiff)
        c = slope(y + 0.75 * h * b, stiff)
        new = y + h * (2 / 9 * a + 1 / 3 * b + 4 / 9 * c)
        d = slope(new, stiff)
        wrong = h * (-5 / 72 * a + 1 / 12 * b + 1 / 9 * c - 1 / 8 * d) / (1e-5 + 1e-4 * xp.abs(new))
        error = xp.sqrt(0.5 * (wrong * wrong).sum(0))
        good = (error <= 1) & (t < end)
        t, y = xp.where(good, t + h, t), xp.where(good, new, y)
        h = h * xp.clip(0.9 * (error + 1e-10) ** (-1 / 3), 0.2, 5.0)
        return t, xp.clip(h, 1e-6, 1.0), y, taken + n.whole(good)

    def run(step, t, h, y, taken, stiff):
        if library == "jax":

            def going(state):
                return (state[0] < end - 1e-9).any()

            t, h, y, taken = lib.lax.while_loop(going, lambda s: step(*s, stiff), (t, h, y, taken))
            return y, taken
        while (t < end - 1e-9).any():
            t, h, y, taken = step(t, h, y, taken, stiff)
        return y, taken

    return runner.stepwise(run, step, t, h, y, np.zeros(count, np.int64), stiff)


# ---- a basket of five shares at twelve moments, 6,000 ways and their mirrors: the mean paid, made sure by the geometric one
@program
def basket(library, runner):
    rng, lib = RNG(2043), runner.lib
    n = Names(library, lib)
    xp = n.xp
    ways, moments, shares, rate = 6000, 12, 5, 0.03
    dt = 1 / moments
    noise = rng.standard_normal((ways, moments, shares))
    alike = 0.4 + 0.6 * np.eye(shares)
    spread, price = rng.uniform(0.15, 0.4, shares), rng.uniform(80, 120, shares)

    def paid(noise, price, spread, root):
        moved = (rate - 0.5 * spread * spread) * dt + spread * dt**0.5 * (noise @ root.T)
        log = xp.log(price) + xp.cumsum(moved, 1)
        plain = xp.clip(n.mean(n.mean(xp.exp(log), 2), 1) - 100, 0, 1e9)
        smooth = xp.clip(xp.exp(n.mean(n.mean(log, 2), 1)) - 100, 0, 1e9)
        return plain, smooth

    def run(noise, price, spread, alike):
        root = xp.linalg.cholesky(alike)
        a, b = paid(noise, price, spread, root), paid(-noise, price, spread, root)
        plain, smooth = np.exp(-rate) * 0.5 * (a[0] + b[0]), np.exp(-rate) * 0.5 * (a[1] + b[1])
        x, y = plain - plain.mean(), smooth - smooth.mean()
        beta = (x * y).mean() / (y * y).mean()
        sure = x - beta * y
        return plain.mean(), smooth.mean(), beta, xp.sqrt((sure * sure).mean() / ways), xp.sqrt((x * x).mean() / ways)

    return runner.call(run, noise, price, spread, alike)


# ---- a switch of two genes in 400 cells: 120 chance events each, every cell with its own clock (Gillespie)
@program
def switches(library, runner):
    rng, lib = RNG(2044), runner.lib
    n = Names(library, lib)
    xp = n.xp
    cells, events = 400, 120
    a, b = rng.integers(0, 10, cells).astype(np.float64), rng.integers(0, 10, cells).astype(np.float64)
    luck = rng.random((events, 2, cells))

    def step(a, b, t, luck):
        pace = xp.stack([20 / (1 + (b / 4) ** 2), a, 20 / (1 + (a / 4) ** 2), b])
        total = pace.sum(0)
        which = (xp.cumsum(pace, 0) < luck[0] * total).sum(0)
        a = a + n.double(which == 0) - n.double(which == 1)
        b = b + n.double(which == 2) - n.double(which == 3)
        return a, b, t - xp.log(1 - luck[1]) / total

    def run(step, a, b, luck):
        t = 0 * a
        if library == "jax":
            (a, b, t), most = lib.lax.scan(lambda s, z: ((s := step(*s, z)), (s[0] > s[1]).sum()), (a, b, t), luck)
            return a, b, t, most
        most = []
        for k in range(events):
            a, b, t = step(a, b, t, luck[k])
            most.append((a > b).sum())
        return a, b, t, xp.stack(most)

    return runner.stepwise(run, step, a, b, luck)


# ---- 24 balls on a table with walls: all pairs that touch and come nearer bounce, 150 moments
@program
def balls(library, runner):
    rng, lib = RNG(2045), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, moments, dt, radius = 24, 150, 0.01, 0.04
    grid = np.stack(np.meshgrid(np.arange(6) + 0.5, np.arange(4) + 0.5), -1).reshape(-1, 2)
    where = grid * np.array([1 / 3, 0.25]) + 0.02 * rng.standard_normal((count, 2))
    speed, mass = rng.standard_normal((count, 2)), rng.uniform(0.5, 2, count)
    wide = np.array([2.0, 1.0])

    def step(where, speed, mass, wide):
        where = where + dt * speed
        out = ((where < radius) & (speed < 0)) | ((where > wide - radius) & (speed > 0))
        speed = xp.where(out, -speed, speed)
        apart, relative = where[:, None] - where, speed[:, None] - speed
        square = (apart * apart).sum(2)
        nearing = (apart * relative).sum(2)
        touch = (square < 4 * radius * radius) & (nearing < 0)
        share = 2 * mass / (mass[:, None] + mass)
        bounce = xp.where(touch, share * nearing / (square + 1e-12), 0 * square)
        speed = speed - (bounce[:, :, None] * apart).sum(1)
        return where, speed, touch.sum() // 2

    def run(step, where, speed, mass, wide):
        if library == "jax":

            def one(state, _):
                where, speed, hits = step(*state, mass, wide)
                return (where, speed), (hits, 0.5 * (mass[:, None] * speed * speed).sum())

            state, kept = lib.lax.scan(one, (where, speed), None, length=moments)
            return *state, *kept
        hits, energy = [], []
        for _ in range(moments):
            where, speed, one = step(where, speed, mass, wide)
            hits.append(one)
            energy.append(0.5 * (mass[:, None] * speed * speed).sum())
        return where, speed, xp.stack(hits), xp.stack(energy)

    return runner.stepwise(run, step, where, speed, mass, wide)


# ---- 500 ants on 64 x 64 places smell what others left at three places ahead, turn, walk and leave more, 40 steps
@program
def ants(library, runner):
    rng, lib = RNG(2046), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, size, steps = 500, 64, 40
    where, angle = rng.random((2, count)) * size, rng.uniform(0, 2 * np.pi, count)
    luck = rng.random((steps, count)) - 0.5

    def place(where):
        at = n.whole(xp.floor(where)) % size
        return at[0] * size + at[1]

    def step(where, angle, scent, luck):
        flat = scent.reshape(-1)
        smells = []
        for by in (-0.6, 0.0, 0.6):
            ahead = where + 4.0 * xp.stack([xp.sin(angle + by), xp.cos(angle + by)])
            smells.append(flat[place(ahead)])
        left, straight, right = smells
        best = (straight >= left) & (straight >= right)
        turn = xp.where(best, 0.2 * luck, xp.where(left > right, -0.6 + 0.1 * luck, 0.6 + 0.1 * luck))
        angle = angle + turn
        where = (where + xp.stack([xp.sin(angle), xp.cos(angle)])) % size
        scent = n.add_at(flat, place(where), 0 * angle + 1).reshape((size, size))
        rows = n.roll(scent, 1, 0) + scent + n.roll(scent, -1, 0)
        scent = (n.roll(rows, 1, 1) + rows + n.roll(rows, -1, 1)) * (0.92 / 9)
        return where, angle, scent

    def run(step, where, angle, scent, luck):
        if library == "jax":
            return lib.lax.scan(lambda s, z: (step(*s, z), None), (where, angle, scent), luck)[0]
        for k in range(steps):
            where, angle, scent = step(where, angle, scent, luck[k])
        return where, angle, scent

    return runner.stepwise(run, step, where, angle, np.zeros((size, size)), luck)


# ---- 200 nerve cells (Hodgkin and Huxley) that excite each other, 120 moments
@program
def nerves(library, runner):
    rng, lib = RNG(2047), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, moments, dt = 200, 120, 0.02
    volt, gates = -65 + 5 * rng.standard_normal(count), np.tile([[0.05], [0.6], [0.32], [0.0]], (1, count))
    joined = rng.random((count, count)) * (rng.random((count, count)) < 0.1) * 0.3
    given = rng.uniform(5, 15, count)

    def slow(x):
        """x / (exp(x) - 1), 1 at 0."""
        small = xp.abs(x) < 1e-6
        return xp.where(small, 1 - 0.5 * x, x / (xp.exp(xp.where(small, 0 * x + 1, x)) - 1))

    def step(volt, gates, joined, given):
        m, h, k, s = gates[0], gates[1], gates[2], gates[3]
        current = 120 * m * m * m * h * (volt - 50) + 36 * k * k * k * k * (volt + 77) + 0.3 * (volt + 54.4)
        current = current + (joined @ s) * volt
        am, bm = slow(-(volt + 40) / 10), 4 * xp.exp(-(volt + 65) / 18)
        ah, bh = 0.07 * xp.exp(-(volt + 65) / 20), 1 / (1 + xp.exp(-(volt + 35) / 10))
        ak, bk = 0.1 * slow(-(volt + 55) / 10), 0.125 * xp.exp(-(volt + 65) / 80)
        fired = 1 / (1 + xp.exp(-(volt + 20) / 4))
        new = xp.stack(
            [
                m + dt * (am * (1 - m) - bm * m),
                h + dt * (ah * (1 - h) - bh * h),
                k + dt * (ak * (1 - k) - bk * k),
                s + dt * (2 * fired * (1 - s) - 0.2 * s),
            ]
        )
        return volt + dt * (given - current), new

    def run(step, volt, gates, joined, given):
        if library == "jax":

            def one(state, _):
                state = step(*state, joined, given)
                return state, state[0].max()

            (volt, gates), high = lib.lax.scan(one, (volt, gates), None, length=moments)
            return volt, gates, high
        high = []
        for _ in range(moments):
            volt, gates = step(volt, gates, joined, given)
            high.append(volt.max())
        return volt, gates, xp.stack(high)

    return runner.stepwise(run, step, volt, gates, joined, given)


# ---- three ideas of how a plane flies (IMM): each a Kalman filter of four numbers, mixed by their chances, 80 moments
@program
def three_ideas(library, runner):
    rng, lib = RNG(2048), runner.lib
    n = Names(library, lib)
    xp = n.xp
    ideas, moments, dt = 3, 80, 0.5
    moves = []
    for turn in (0.0, 0.15, -0.15):
        w = turn if turn else 1e-9
        s, c = np.sin(w * dt), np.cos(w * dt)
        moves.append([[1, 0, s / w, -(1 - c) / w], [0, 1, (1 - c) / w, s / w], [0, 0, c, -s], [0, 0, s, c]])
    move, change = np.array(moves), 0.9 * np.eye(3) + 0.05 * (1 - np.eye(3))
    see, noise, unsure = np.eye(2, 4), 0.05 * np.eye(4), 0.4 * np.eye(2)
    seen = np.cumsum(rng.standard_normal((moments, 2)), 0)

    def step(x, p, chance, seen, move, change, see, noise, unsure):
        to = change.T @ chance
        mix = change * chance[:, None] / to
        x0 = mix.T @ x
        apart = x[:, None] - x0
        p0 = xp.einsum("ij,ijab->jab", mix, p[:, None] + apart[..., :, None] * apart[..., None, :])
        x = (move @ x0[..., None])[..., 0]
        p = move @ p0 @ n.swap(move, 0, 2, 1) + noise
        wrong = seen - x @ see.T
        s = see @ p @ see.T + unsure
        gain = p @ see.T @ xp.linalg.inv(s)
        x = x + (gain @ wrong[..., None])[..., 0]
        p = p - gain @ see @ p
        det = s[:, 0, 0] * s[:, 1, 1] - s[:, 0, 1] * s[:, 1, 0]
        far = (wrong * xp.linalg.solve(s, wrong[..., None])[..., 0]).sum(1)
        chance = to * xp.exp(-0.5 * far) / xp.sqrt(det)
        return x, p, chance / chance.sum()

    def run(step, x, p, chance, seen, *fixed):
        if library == "jax":

            def one(state, z):
                state = step(*state, z, *fixed)
                return state, (state[2] @ state[0], state[2])

            return lib.lax.scan(one, (x, p, chance), seen)[1]
        means, chances = [], []
        for k in range(moments):
            x, p, chance = step(x, p, chance, seen[k], *fixed)
            means.append(chance @ x)
            chances.append(chance)
        return xp.stack(means), xp.stack(chances)

    p = np.tile(np.eye(4), (ideas, 1, 1))
    first = (np.zeros((ideas, 4)), p, np.full(ideas, 1 / 3), seen, move, change, see, noise, unsure)
    return runner.stepwise(run, step, *first)


# ---- ways between 1,500 towns by 9,000 roads: lengths fall along all roads at once until none does (Bellman and Ford)
@program
def roads(library, runner):
    rng, lib = RNG(2049), runner.lib
    n = Names(library, lib)
    towns, count = 1500, 9000
    near = rng.integers(0, towns, count)
    to = (near + rng.integers(-40, 41, count)) % towns
    long = rng.uniform(1, 10, count)
    far = np.full(towns, np.inf)
    far[0] = 0

    def step(far, near, to, long):
        return n.scatter_least(far, to, far[near] + long)

    def run(step, far, near, to, long):
        if library == "jax":

            def body(state):
                far = step(state[0], near, to, long)
                return far, (far < state[0]).any(), state[2] + 1

            made = lib.lax.while_loop(lambda s: s[1], body, (far, True, 0))
            return made[0], made[2]
        moved, rounds = True, 0
        while moved:
            new = step(far, near, to, long)
            moved = (new < far).any()
            far = new
            rounds += 1
        return far, rounds

    far[far == np.inf] = 1e9
    return stepped(library, runner, run, step, far, near, to, long)
