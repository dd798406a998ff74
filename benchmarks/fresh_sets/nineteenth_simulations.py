"""Simulations, samplers and control loops, float64 unless said otherwise."""

import numpy as np

from .nineteenth_frame import RNG, Names, called, program, stepped, stepped_grad

# Dormand and Prince's method of order 5: the stages, and the difference of orders 5 and 4
STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
WRONG = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


# ---- five stars until moment 2: steps as long as the error allows, taken or refused
@program
def stars(library, runner):
    rng, lib = RNG(1921), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, end = 5, 2.0
    y = np.concatenate([rng.standard_normal((2, count)), 0.4 * rng.standard_normal((2, count))])
    mass = rng.uniform(0.5, 1.5, count)

    def slope(y, mass):
        apart = y[:2, None, :] - y[:2, :, None]
        square = (apart * apart).sum(0) + 0.01
        return n.cat([y[2:], (apart * (mass / (square * xp.sqrt(square)))).sum(2)], 0)

    def trial(y, h, mass):
        """The state h later, and its error beside what is allowed."""
        k = [slope(y, mass)]
        for stage in STAGES:
            new = y + h * sum(a * s for a, s in zip(stage, k) if a)
            k.append(slope(new, mass))
        wrong = h * sum(e * s for e, s in zip(WRONG, k) if e)
        allowed = 1e-7 + 1e-7 * xp.maximum(xp.abs(y), xp.abs(new))
        return new, xp.sqrt(((wrong / allowed) ** 2).mean())

    def run(trial, y, mass):
        t, h, taken, refused = 0.0, 0.01, 0, 0
        while t < end:
            h = min(h, end - t)
            new, error = trial(y, h, mass)
            error = float(error)
            if error <= 1:
                t, y = t + h, new
                taken += 1
            else:
                refused += 1
            h = h * min(5.0, max(0.2, 0.9 * (error + 1e-10) ** -0.2))
        return y, taken, refused

    def run_jax(trial, y, mass):
        def body(state):
            t, h, y, taken, refused = state
            h = xp.minimum(h, end - t)
            new, error = trial(y, h, mass)
            good = error <= 1
            t, y = xp.where(good, t + h, t), xp.where(good, new, y)
            h = h * xp.clip(0.9 * (error + 1e-10) ** -0.2, 0.2, 5.0)
            return t, h, y, taken + good, refused + ~good

        made = lib.lax.while_loop(lambda s: s[0] < end, body, (0.0, 0.01, y, 0, 0))
        return made[2:]

    return stepped(library, runner, run_jax if library == "jax" else run, trial, y, mass)


# ---- 3,000 paths of a price whose variance moves, too: paid if it never fell below a bound, above the mean of the path
@program
def barrier(library, runner):
    rng, lib = RNG(1922), runner.lib
    n = Names(library, lib)
    xp = n.xp
    paths, steps = 3000, 60
    dt = 1 / steps
    z, w = rng.standard_normal((2, steps, paths))
    w = -0.7 * z + np.sqrt(1 - 0.49) * w
    price, variance = np.full(paths, 100.0), np.full(paths, 0.04)

    def step(price, variance, total, low, z, w):
        positive = xp.clip(variance, 0, 10)
        root = xp.sqrt(positive * dt)
        price = price * xp.exp((0.02 - 0.5 * positive) * dt + root * z)
        variance = variance + 2.0 * (0.05 - positive) * dt + 0.4 * root * w
        return price, variance, total + price, xp.minimum(low, price)

    def run(step, price, variance, z, w):
        state = (price, variance, 0 * price, price)
        if library == "jax":
            state, _ = lib.lax.scan(lambda s, given: (step(*s, *given), None), state, (z, w))
        else:
            for k in range(steps):
                state = step(*state, z[k], w[k])
        price, variance, total, low = state
        alive = low > 85.0
        paid = np.exp(-0.02) * xp.where(alive, xp.clip(price - total / steps, 0, 1e9), 0 * price)
        mean = paid.mean()
        return mean, xp.sqrt(((paid - mean) ** 2).mean() / paths), n.double(alive).mean(), variance

    return stepped(library, runner, run, step, price, variance, z, w)


# ---- a channel of 24 x 72 cells with a post in it: nine streams per cell collide, move on and bounce back, 30 steps
@program
def channel(library, runner):
    rng, lib = RNG(1923), runner.lib
    n = Names(library, lib)
    xp = n.xp
    high, wide, steps = 24, 72, 30
    moves = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]
    back = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
    weight = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)[:, None, None]
    cy, cx = (np.array([m[k] for m in moves], np.float64)[:, None, None] for k in (0, 1))
    rows, columns = np.mgrid[:high, :wide]
    solid = ((rows - 12) ** 2 + (columns - 18) ** 2 < 16) | (rows == 0) | (rows == high - 1)
    f = weight * (1 + 0.01 * rng.standard_normal((9, high, wide)))

    def step(f, solid, weight, cy, cx, back):
        density = f.sum(0)
        v, u = (cy * f).sum(0) / density, (cx * f).sum(0) / density + 1e-3
        along = 3 * (cy * v + cx * u)
        rest = weight * density * (1 + along + 0.5 * along * along - 1.5 * (u * u + v * v))
        after = xp.where(solid, f[back], f + 1.7 * (rest - f))
        return xp.stack([n.roll(after[k], moves[k], (0, 1)) for k in range(9)])

    def run(step, f, solid, weight, cy, cx, back):
        if library == "jax":
            f = lib.lax.fori_loop(0, steps, lambda k, f: step(f, solid, weight, cy, cx, back), f)
        else:
            for _ in range(steps):
                f = step(f, solid, weight, cy, cx, back)
        density = f.sum(0)
        return f, xp.where(solid, 0 * density, (cx * f).sum(0) / density)

    return runner.stepwise(run, step, f, solid, weight, cy, cx, back)


# ---- 48 oscillators that pull each other: 40 steps of Heun, how far from in step, gradients of all pulls and paces
@program
def in_step(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1924), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, steps, dt = 48, 40, 0.05
    pull = rng.uniform(0, 2 / count, (count, count))
    pace, phase = rng.standard_normal(count), rng.uniform(0, 2 * np.pi, count)

    def slope(phase, pull, pace):
        return pace + (pull * xp.sin(phase[None, :] - phase[:, None])).sum(1)

    def step(phase, pull, pace):
        one = slope(phase, pull, pace)
        return phase + dt / 2 * (one + slope(phase + dt * one, pull, pace))

    def apart(phase):
        return 1 - xp.sqrt(xp.cos(phase).mean() ** 2 + xp.sin(phase).mean() ** 2)

    def loss(step, pull, pace, phase):
        if library == "jax":

            def one(state, _):
                phase = step(state[0], pull, pace)
                return (phase, state[1] + apart(phase)), None

            return lib.lax.scan(one, (phase, 0.0), None, length=steps)[0][1] / steps
        total = 0.0
        for _ in range(steps):
            phase = step(phase, pull, pace)
            total = total + apart(phase)
        return total / steps

    return stepped_grad(library, runner, loss, step, 2, pull, pace, phase)


# ---- how nervous a market is: 1,000 particles over 80 days, drawn anew when few of them count
@program
def particles(library, runner):
    rng, lib = RNG(1925), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, days = 1000, 80
    x = rng.standard_normal(count) - 1
    noise, luck = rng.standard_normal((days, count)), rng.random(days)
    seen = rng.standard_normal(days) * np.exp(0.5 * (np.cumsum(0.3 * rng.standard_normal(days)) - 1))
    place = np.arange(count) / count

    def weigh(x, weight, noise, seen):
        x = -1 + 0.95 * (x + 1) + 0.3 * noise
        weight = weight * xp.exp(-0.5 * (x + seen * seen * xp.exp(-x)))
        total = weight.sum()
        weight = weight / total
        return x, weight, (weight * x).sum(), xp.log(total), 1 / (weight * weight).sum()

    def draw(x, weight, luck, place):
        at = n.search(xp.cumsum(weight, 0), place + luck / count)
        return x[xp.clip(at, 0, count - 1)], 0 * weight + 1 / count

    def run(weigh, x, noise, luck, seen, place):
        weight = 0 * x + 1 / count
        means, likely, drawn = [], 0.0, 0
        for day in range(days):
            x, weight, mean, more, useful = weigh(x, weight, noise[day], seen[day])
            means.append(mean)
            likely = likely + more
            if useful < count / 2:
                x, weight = draw(x, weight, luck[day], place)
                drawn += 1
        return xp.stack(means), likely, drawn

    def run_jax(weigh, x, noise, luck, seen, place):
        def day(state, given):
            noise, luck, seen = given
            x, weight, likely, drawn = state
            x, weight, mean, more, useful = weigh(x, weight, noise, seen)
            few = useful < count / 2
            x, weight = lib.lax.cond(few, lambda: draw(x, weight, luck, place), lambda: (x, weight))
            return (x, weight, likely + more, drawn + few), mean

        state, means = lib.lax.scan(day, (x, xp.full(count, 1 / count), 0.0, 0), (noise, luck, seen))
        return means, state[2], state[3]

    return stepped(library, runner, run_jax if library == "jax" else run, weigh, x, noise, luck, seen, place)


# ---- a wood of 64 x 64: trees grow, lightning strikes, fire goes to neighbours; a generator per cell, counts per step
@program
def wood(library, runner):
    rng, lib = RNG(1926), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, steps = 64, 40
    cell, seed = rng.choice(3, (size, size), p=[0.4, 0.58, 0.02]), rng.integers(0, 2**31, (size, size))

    def step(cell, seed):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        chance = (seed >> 12) % 10000
        fire = n.whole(cell == 2)
        rows = n.roll(fire, 1, 0) + fire + n.roll(fire, -1, 0)
        near = n.roll(rows, 1, 1) + rows + n.roll(rows, -1, 1)
        burns = (cell == 1) & ((near > 0) | (chance < 5))
        grows = (cell == 0) & (chance < 200)
        return n.whole(grows | ((cell == 1) & ~burns)) + 2 * n.whole(burns), seed

    def counts(cell):
        return xp.stack([n.whole(cell == 1).sum(), n.whole(cell == 2).sum()])

    def run(step, cell, seed):
        if library == "jax":

            def one(state, _):
                state = step(*state)
                return state, counts(state[0])

            (cell, _), kept = lib.lax.scan(one, (cell, seed), None, length=steps)
            return cell, kept
        kept = []
        for _ in range(steps):
            cell, seed = step(cell, seed)
            kept.append(counts(cell))
        return cell, xp.stack(kept)

    return runner.stepwise(run, step, cell, seed)


# ---- a shop with three tills until it closes: who finds the wait too long leaves
@program
def tills(library, runner):
    rng, lib = RNG(1927), runner.lib
    xp = Names(library, lib).xp
    customers, close = 400, 180.0
    gap, needs = rng.exponential(0.5, customers), rng.gamma(2, 0.9, customers)
    patience = rng.exponential(4, customers)
    free = np.zeros(3)

    def run(gap, needs, patience, free):
        free = free + 0.0
        now, waited, longest = 0.0, 0.0, 0.0
        k, left = 0, 0
        while k < customers and now < close:
            now = now + gap[k]
            till = free.argmin()
            wait = max(free[till] - now, 0.0)
            if wait > patience[k]:
                left += 1
            else:
                free[till] = now + wait + needs[k]
                waited = waited + wait
            longest = max(longest, wait)
            k += 1
        return free, waited, longest, k, left

    def run_jax(gap, needs, patience, free):
        def body(state):
            k, now, free, waited, longest, left = state
            now = now + gap[k]
            till = free.argmin()
            wait = xp.maximum(free[till] - now, 0.0)
            leaves = wait > patience[k]
            free = xp.where(leaves, free, free.at[till].set(now + wait + needs[k]))
            waited = waited + xp.where(leaves, 0.0, wait)
            return k + 1, now, free, waited, xp.maximum(longest, wait), left + leaves

        def going(state):
            return (state[0] < customers) & (state[1] < close)

        k, _, free, waited, longest, left = lib.lax.while_loop(going, body, (0, 0.0, free, 0.0, 0.0, 0))
        return free, waited, longest, k, left

    return called(library, runner, run_jax if library == "jax" else run, gap, needs, patience, free)


# ---- a pole on a cart, 16 starts: 25 moments ahead planned by 12 steps along the gradient, float32
@program
def pole(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1928), runner.lib
    xp = Names(library, lib).xp
    starts, horizon, rounds, dt, rate = 16, 25, 12, 0.04, 0.5
    x = (0.3 * rng.standard_normal((starts, 4))).astype(np.float32)
    push = np.zeros((horizon, starts), np.float32)
    worth = np.array([1.0, 0.1, 5.0, 0.1], np.float32)

    def move(x, push):
        p, v, a, w = x[:, 0], x[:, 1], x[:, 2], x[:, 3]
        s, c = xp.sin(a), xp.cos(a)
        force = (push + 0.05 * w * w * s) / 1.1
        turn = (9.8 * s - c * force) / (0.5 * (4 / 3 - 0.1 * c * c / 1.1))
        return xp.stack([p + dt * v, v + dt * (force - 0.05 * turn * c / 1.1), a + dt * w, w + dt * turn], 1)

    def cost(move, push, x, worth):
        if library == "jax":

            def one(x, push):
                x = move(x, push)
                return x, (x * x * worth).sum() + 0.01 * (push * push).sum()

            return lib.lax.scan(one, x, push)[1].sum()
        total = 0.0
        for k in range(horizon):
            x = move(x, push[k])
            total = total + (x * x * worth).sum() + 0.01 * (push[k] * push[k]).sum()
        return total

    def run(move, push, x, worth):
        for _ in range(rounds):
            push = push.detach()
            push.requires_grad = True
            value = cost(move, push, x, worth)
            (slope,) = (lib.grad if library == "vt" else lib.autograd.grad)(value, [push])
            push = xp.clip(push - rate * slope, -8, 8)
        return push, value

    def run_jax(move, push, x, worth):
        def one(state, _):
            value, slope = lib.value_and_grad(lambda push: cost(move, push, x, worth))(state)
            return xp.clip(state - rate * slope, -8, 8), value

        push, values = lib.lax.scan(one, push, None, length=rounds)
        return push, values[-1]

    return runner.stepwise(run_jax if library == "jax" else run, move, push, x, worth)


# ---- heat through 64 rods of 96 pieces: four steps, each a tridiagonal system solved down and up
@program
def rods(library, runner):
    rng, lib = RNG(1929), runner.lib
    n = Names(library, lib)
    xp = n.xp
    pieces, count, steps = 96, 64, 4
    heat, flow = rng.random((pieces, count)), rng.uniform(0.2, 2, (pieces + 1, count))

    def eliminate(a, b, c, d, over, right):
        pivot = b - a * over
        return c / pivot, (d - a * right) / pivot

    def solve(eliminate, a, b, c, d):
        over, right, x = xp.zeros_like(b), xp.zeros_like(b), xp.zeros_like(b)
        over[0], right[0] = c[0] / b[0], d[0] / b[0]
        for i in range(1, pieces):
            over[i], right[i] = eliminate(a[i], b[i], c[i], d[i], over[i - 1], right[i - 1])
        x[pieces - 1] = right[pieces - 1]
        for i in range(pieces - 2, -1, -1):
            x[i] = right[i] - over[i] * x[i + 1]
        return x

    def solve_jax(_, a, b, c, d):
        a, c = a.at[0].set(0), c.at[-1].set(0)
        return lib.lax.linalg.tridiagonal_solve(a.T, b.T, c.T, d.T[:, :, None])[:, :, 0].T

    def step(solve, eliminate, heat, lower, upper):
        below, above = n.cat([0 * heat[:1], heat[:-1]], 0), n.cat([heat[1:], 0 * heat[:1]], 0)
        given = (1 - lower - upper) * heat + lower * below + upper * above
        return solve(eliminate, -lower, 1 + lower + upper, -upper, given)

    def run(eliminate, heat, flow):
        lower, upper = flow[:-1], flow[1:]
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda k, h: step(solve_jax, None, h, lower, upper), heat)
        for _ in range(steps):
            heat = step(solve, eliminate, heat, lower, upper)
        return heat

    return runner.stepwise(run, eliminate, heat, flow)


# ---- 32 walkers look for the weights of a logistic model: 120 steps of Metropolis, means, squares, share of moves
@program
def walkers(library, runner):
    rng, lib = RNG(1930), runner.lib
    n = Names(library, lib)
    xp = n.xp
    chains, steps, rows, columns = 32, 120, 100, 4
    x = rng.standard_normal((rows, columns))
    y = (rng.random(rows) < 1 / (1 + np.exp(-x @ np.array([1.0, -1, 0.5, 0])))).astype(np.float64)
    start = rng.standard_normal((chains, columns))
    jumps, luck = 0.35 * rng.standard_normal((steps, chains, columns)), np.log(rng.random((steps, chains)))

    def likely(at, x, y):
        score = at @ x.T
        if library in ("np", "jax"):
            high = xp.logaddexp(score, 0.0)
        else:
            high = n.softplus(score)
        return (y * score - high).sum(1) - 0.5 * (at * at).sum(1)

    def step(at, now, jump, luck, x, y):
        new = at + jump
        then = likely(new, x, y)
        moves = luck < then - now
        return xp.where(moves[:, None], new, at), xp.where(moves, then, now), n.double(moves).mean()

    def run(step, start, jumps, luck, x, y):
        if library == "jax":

            def one(state, given):
                at, now, moved = step(*state, *given, x, y)
                return (at, now), (at, moved)

            _, (kept, moved) = lib.lax.scan(one, (start, likely(start, x, y)), (jumps, luck))
        else:
            at, now, kept, moved = start, likely(start, x, y), [], []
            for k in range(steps):
                at, now, share = step(at, now, jumps[k], luck[k], x, y)
                kept.append(at)
                moved.append(share)
            kept, moved = xp.stack(kept), xp.stack(moved)
        late = kept[steps // 3 :]
        return late.mean((0, 1)), (late * late).mean((0, 1)), moved.mean(), kept[-1]

    return stepped(library, runner, run, step, start, jumps, luck, x, y)
