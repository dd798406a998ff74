"""Ten more programs: stocks, votes, antennas, puzzles, tumbling bodies, random streams, monotone fits, traffic, pictures, a network."""

import numpy as np

from .first import RNG
from .fourteenth import stepwise
from .second import LIBRARIES, f32  # noqa: F401
from .third import gradients
from .thirteenth import TORCH, arrays_of

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def whole(library, x):
    """A mask as integers."""
    if library in TORCH:
        return x.long()
    return x.astype("int64")


def stacked(library, xp, rows, axis=0):
    return xp.stack(rows, axis) if library in TORCH else xp.stack(rows, axis=axis)


def joined(library, xp, parts, axis):
    return xp.concat(parts, axis) if library in ("vt", *TORCH) else xp.concatenate(parts, axis)


# ---- 71 when to order: 400 goods over 365 days, orders that arrive three days later
@program
def warehouse(library, runner):
    rng, lib = RNG(171), runner.lib
    goods, days = 400, 365
    wanted = rng.poisson(rng.uniform(1, 9, goods), (days, goods)).astype(np.float32)
    low, up_to = rng.uniform(15, 40, goods).astype(np.float32), rng.uniform(50, 90, goods).astype(np.float32)
    xp = arrays_of(library, lib)

    def step(stock, first, second, third, wanted, low, up_to):
        stock = stock + first
        sold = xp.minimum(stock, wanted)
        stock = stock - sold
        coming = second + third
        order = xp.where(stock + coming < low, up_to - stock - coming, 0 * stock)
        cost = 0.1 * stock.sum() + 4 * (wanted - sold).sum() + 20 * (order > 0).sum()
        return stock, second, third, order, cost

    def run(step, wanted, low, up_to):
        state = (up_to, 0 * low, 0 * low, 0 * low)
        if library == "jax":

            def one(state, wanted):
                *state, cost = step(*state, wanted, low, up_to)
                return tuple(state), cost

            state, costs = lib.lax.scan(one, state, wanted)
            return state[0], costs
        costs = []
        for day in range(days):
            *state, cost = step(*state, wanted[day], low, up_to)
            costs.append(cost)
        return state[0], xp.stack(costs)

    return stepwise(library, runner, run, step, wanted, low, up_to)


# ---- 72 who is elected: 5,000 ballots with nine candidates in order, the last one leaves until one is left, int64
@program
def ballots(library, runner):
    rng, lib = RNG(172), runner.lib
    voters, names = 5000, 9
    taste = rng.standard_normal((voters, names)) + np.linspace(0, 1, names)
    ranks = np.argsort(np.argsort(-taste, 1), 1)
    xp = arrays_of(library, lib)

    def step(ranks):
        best = ranks.argmin(1)
        votes = xp.stack([(best == k).sum() for k in range(names)])
        inside = ranks[0] < 100
        last = xp.where(inside, votes, 10**6 + 0 * votes).argmin()
        gone = xp.arange(names) == last
        return xp.where(gone, 100 + 0 * ranks, ranks), votes, last

    def run(step, ranks):
        rounds, order = [], []
        for _ in range(names - 1):
            ranks, votes, last = step(ranks)
            rounds.append(votes)
            order.append(last)
        return xp.stack(rounds), xp.stack(order)

    return stepwise(library, runner, run, step, ranks)


# ---- 73 where voices come from: 12 microphones, the quietest of all weights that keep a direction, complex128
@program
def beams(library, runner):
    rng, lib = RNG(173), runner.lib
    microphones, times, angles = 12, 500, 181
    place = np.arange(microphones)[:, None] * 0.5
    look = np.exp(2j * np.pi * place * np.sin(np.radians(np.arange(angles) - 90)))
    sources = rng.standard_normal((3, times)) + 1j * rng.standard_normal((3, times))
    noise = rng.standard_normal((microphones, times)) + 1j * rng.standard_normal((microphones, times))
    seen = look[:, [60, 95, 130]] @ sources + 0.3 * noise
    eye, xp = np.eye(microphones), arrays_of(library, lib)

    def run(seen, look, eye):
        spread = seen @ xp.conj(seen).T / times + 0.01 * eye
        weights = xp.linalg.solve(spread, look)
        power = 1 / xp.real((xp.conj(look) * weights).sum(0))
        level = xp.log10(power)
        peak = (level[1:-1] > level[:-2]) & (level[1:-1] > level[2:])
        return level, peak.sum()

    return runner.call(run, seen, look, eye)


# ---- 74 200 puzzles of nine by nine: what may stand where as bits, single ones and hidden ones, 12 rounds, int64
@program
def puzzles(library, runner):
    rng, lib = RNG(174), runner.lib
    count, rounds = 200, 12
    base = (np.arange(9)[:, None] * 3 + np.arange(9)[:, None] // 3 + np.arange(9)) % 9
    solved = np.stack([rng.permutation(9)[base] for _ in range(count)])
    given = rng.random((count, 9, 9)) < 0.45
    bits = np.where(given, 1 << solved, 511)
    xp = arrays_of(library, lib)

    def boxes(x):
        x = x.reshape((count, 3, 3, 3, 3))
        x = x.permute(0, 1, 3, 2, 4) if library in TORCH else x.transpose((0, 1, 3, 2, 4))
        return x.reshape((count, 9, 9))

    def flipped(x):
        return x.permute(0, 2, 1) if library in TORCH else x.transpose((0, 2, 1))

    def line(bits):
        single = (bits & (bits - 1)) == 0
        fixed = xp.where(single, bits, 0 * bits)
        used = fixed[:, :, 0]
        once, twice = bits[:, :, 0], 0 * bits[:, :, 0]
        for k in range(1, 9):
            used = used | fixed[:, :, k]
            twice = twice | (once & bits[:, :, k])
            once = once | bits[:, :, k]
        bits = xp.where(single, bits, bits & ~used[:, :, None])
        only = bits & (once & ~twice)[:, :, None]
        return xp.where((only != 0) & ((only & (only - 1)) == 0), only, bits)

    def step(bits):
        bits = line(bits)
        bits = flipped(line(flipped(bits)))
        return boxes(line(boxes(bits)))

    def run(step, bits):
        if library == "jax":
            bits = lib.lax.fori_loop(0, rounds, lambda _, b: step(b), bits)
        else:
            for _ in range(rounds):
                bits = step(bits)
        single = (bits & (bits - 1)) == 0
        return bits, whole(library, single).reshape((count, 81)).sum(1)

    return stepwise(library, runner, run, step, bits)


# ---- 75 1,000 bodies that tumble: quaternions, Euler's equations, 100 steps of the midpoint rule, float64
@program
def tumbling(library, runner):
    rng, lib = RNG(175), runner.lib
    bodies, steps, dt = 1000, 100, 0.01
    inertia = rng.uniform(0.5, 3, (bodies, 3))
    spin = rng.standard_normal((bodies, 3))
    q = rng.standard_normal((bodies, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    xp = arrays_of(library, lib)

    def rates(q, w, inertia):
        a, b, c = inertia[:, 0], inertia[:, 1], inertia[:, 2]
        x, y, z = w[:, 0], w[:, 1], w[:, 2]
        dw = stacked(library, xp, [(b - c) / a * y * z, (c - a) / b * z * x, (a - b) / c * x * y], 1)
        r, i, j, k = q[:, 0], q[:, 1], q[:, 2], q[:, 3]
        parts = [-i * x - j * y - k * z, r * x + j * z - k * y, r * y + k * x - i * z, r * z + i * y - j * x]
        return 0.5 * stacked(library, xp, parts, 1), dw

    def step(q, w, inertia):
        dq, dw = rates(q, w, inertia)
        dq, dw = rates(q + 0.5 * dt * dq, w + 0.5 * dt * dw, inertia)
        q, w = q + dt * dq, w + dt * dw
        return q / xp.sqrt((q * q).sum(1))[:, None], w

    def run(step, q, w, inertia):
        if library == "jax":
            q, w = lib.lax.fori_loop(0, steps, lambda _, s: step(*s, inertia), (q, w))
        else:
            for _ in range(steps):
                q, w = step(q, w, inertia)
        return q, 0.5 * (inertia * w * w).sum(1)

    return stepwise(library, runner, run, step, q, spin, inertia)


# ---- 76 pi by 4,096 streams of xorshift numbers, 120 throws each, int64
@program
def streams(library, runner):
    rng, lib = RNG(176), runner.lib
    count, throws, mask = 4096, 120, (1 << 32) - 1
    state = rng.integers(1, 1 << 32, count)

    def drawn(s):
        s = s ^ ((s << 13) & mask)
        s = s ^ (s >> 17)
        return s ^ ((s << 5) & mask)

    def step(s, hits):
        s = drawn(s)
        x = s * 2.0**-32
        s = drawn(s)
        y = s * 2.0**-32
        return s, hits + whole(library, x * x + y * y < 1)

    def run(step, s):
        hits = 0 * s
        if library == "jax":
            s, hits = lib.lax.fori_loop(0, throws, lambda _, a: step(*a), (s, hits))
        else:
            for _ in range(throws):
                s, hits = step(s, hits)
        return s, 4 * hits.sum() / (count * throws)

    return stepwise(library, runner, run, step, state)


# ---- 77 doses and answers that only rise: the monotone fit by means of all stretches, 16 curves of 150 points, float64
@program
def monotone(library, runner):
    rng, lib = RNG(177), runner.lib
    curves, points = 16, 150
    y = np.log1p(np.arange(points)) + rng.standard_normal((curves, points))
    ends = np.arange(points)
    xp = arrays_of(library, lib)

    def running(x, axis, largest):
        if library == "np":
            return (np.maximum if largest else np.minimum).accumulate(x, axis)
        if library == "jax":
            return (lib.lax.cummax if largest else lib.lax.cummin)(x, axis)
        return (xp.cummax if largest else xp.cummin)(x, axis)[0]

    def run(y, ends):
        sums = joined(library, xp, [0 * y[:, :1], xp.cumsum(y, 1)], 1)
        length = ends[None, :] - ends[:, None] + 1
        means = (sums[:, None, 1:] - sums[:, :-1, None]) / xp.where(length > 0, length, 0 * length + 1)
        means = xp.where(length > 0, means, 0 * means + 1e9)
        flipped = means[:, :, ::-1] if library != "torch" and library != "torch.compile" else means.flip(2)
        least = running(flipped, 2, False)
        least = least[:, :, ::-1] if library != "torch" and library != "torch.compile" else least.flip(2)
        least = xp.where(length > 0, least, 0 * least - 1e9)
        largest = running(least, 1, True)
        fit = (largest * (length == 0 * length + 1)).sum(1)
        return fit, ((y - fit) ** 2).sum(1)

    return runner.call(run, y, ends)


# ---- 78 jams from nothing: 32 ring roads of 300 cars, 200 moments, int64
@program
def traffic(library, runner):
    rng, lib = RNG(178), runner.lib
    roads, cars, length, moments, fastest = 32, 300, 1500, 200, 5
    x = np.sort(np.stack([rng.choice(length, cars, replace=False) for _ in range(roads)]), 1)
    dawdle = (rng.random((moments, roads, cars)) < 0.3).astype(np.int64)
    xp = arrays_of(library, lib)
    ahead = (lambda x: xp.roll(x, -1, 1)) if library in ("jax", "np") else lambda x: lib.roll(x, -1, 1)

    def step(x, v, dawdle):
        gap = (ahead(x) - x + length) % length - 1
        v = xp.clip(v + 1, 0, fastest)
        v = xp.minimum(v, gap)
        v = xp.maximum(v - dawdle, 0 * v)
        return (x + v) % length, v, v.sum()

    def run(step, x, dawdle):
        v = 0 * x
        if library == "jax":

            def one(s, d):
                x, v, moved = step(*s, d)
                return (x, v), moved

            (x, v), flow = lib.lax.scan(one, (x, v), dawdle)
            return x, v, flow
        flow = []
        for k in range(moments):
            x, v, moved = step(x, v, dawdle[k])
            flow.append(moved)
        return x, v, xp.stack(flow)

    return stepwise(library, runner, run, step, x, dawdle)


# ---- 79 a picture as few numbers: blocks of 8 x 8, cosines, steps, in order of pitch, and back
@program
def blocks(library, runner):
    rng, lib = RNG(179), runner.lib
    high, wide = 240, 320
    i, j = np.mgrid[:high, :wide]
    picture = (128 + 60 * np.sin(i / 17) * np.cos(j / 11) + 20 * rng.standard_normal((high, wide))).astype(np.float32)
    k = np.arange(8)
    cosines = (np.cos(np.pi * (2 * k + 1) * k[:, None] / 16) * np.where(k == 0, 0.125**0.5, 0.5)[:, None]).astype(
        np.float32
    )
    steps = (8 + 3 * (k[:, None] + k)).astype(np.float32)
    order = np.lexsort((np.arange(64), (k[:, None] + k).ravel()))
    xp = arrays_of(library, lib)
    swap = (lambda x, a: x.permute(*a)) if library in TORCH else lambda x, a: x.transpose(a)

    def run(picture, cosines, steps, order):
        x = swap((picture - 128).reshape((high // 8, 8, wide // 8, 8)), (0, 2, 1, 3))
        numbers = xp.round(cosines @ x @ cosines.T / steps)
        line = numbers.reshape((high * wide // 64, 64))[:, order]
        last = xp.where(line != 0, xp.arange(64), 0 * xp.arange(64)).max(1)
        last = last.values if library in TORCH else last
        first = line[:, 0]
        change = joined(library, xp, [first[:1], first[1:] - first[:-1]], 0)
        back = swap(cosines.T @ (numbers * steps) @ cosines, (0, 2, 1, 3)).reshape((high, wide)) + 128
        error = ((back - picture) ** 2).mean()
        return last.sum(), xp.abs(change).sum(), 10 * xp.log10(255.0**2 / error)

    return runner.call(run, picture, cosines, steps, order)


# ---- 80 a few learnt rows ask many points: cross attention, gated units, loss and gradients
@program
def latents(library, runner):
    rng, lib = RNG(180), runner.lib
    batch, points, rows, size, kinds = 8, 300, 16, 48, 10
    if library == "np":
        return None
    data, labels = f32(rng, batch, points, 6), rng.integers(0, kinds, batch)
    shapes = (
        (rows, size),
        (6, size),
        (size, size),
        (size, size),
        (size, size),
        (size, 2 * size),
        (size, size),
        (size, kinds),
    )
    weights = [f32(rng, *s, scale=s[0] ** -0.5) for s in shapes]
    xp = arrays_of(library, lib)
    soft = (lambda x: lib.nn.softmax(x, -1)) if library == "jax" else lambda x: lib.nn.functional.softmax(x, -1)

    def norm(x):
        keep = {"keepdims": True} if library == "jax" else {"keepdim": True}
        x = x - x.mean(-1, **keep)
        return x / xp.sqrt((x * x).mean(-1, **keep) + 1e-5)

    def swapped(x):
        if library in TORCH:
            return x.permute(0, 2, 1)
        return x.transpose((0, 2, 1))

    def loss(weights, data, labels):
        start, enter, ask, key, value, gate, leave, last = weights
        x = xp.tanh(data @ enter)
        q, k, v = norm(start) @ ask, norm(x) @ key, norm(x) @ value
        h = start + soft(q @ swapped(k) / size**0.5) @ v
        u = norm(h) @ gate
        h = h + (u[:, :, :size] / (1 + xp.exp(-u[:, :, size:]))) @ leave
        scores = h.mean(1) @ last
        scores = scores - scores.max(-1).values[:, None] if library in TORCH else scores - scores.max(-1)[:, None]
        logs = scores - xp.log(xp.exp(scores).sum(-1))[:, None]
        return -logs[xp.arange(batch), labels].mean()

    both = gradients(library, lib, loss)
    count = len(weights)
    return runner.call(lambda *given: both(list(given[:count]), *given[count:]), *weights, data, labels)
