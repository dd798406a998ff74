"""Ten more programs: capsules, clouds, queues, weather, tours, sparse fits, scans of bodies, cards, next words, customers."""

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


def joined(library, xp, parts, axis):
    return xp.concatenate(parts, axis) if library in ("np", "jax") else xp.concat(parts, axis)


def whole(library, x):
    """A mask as integers."""
    return x.long() if library in TORCH else x.astype("int64")


def counted(library, xp, x, count, weights=None):
    """How often each number below `count` stands in `x`."""
    if library == "jax":
        return xp.bincount(x, weights, length=count)
    return xp.bincount(x, weights, minlength=count)


# ---- 81 capsules: 144 small ones vote for ten large ones, three rounds of agreement, margin loss and gradients
@program
def capsules(library, runner):
    rng, lib = RNG(181), runner.lib
    batch, small, kinds = 8, 144, 10
    if library == "np":
        return None
    data, labels = f32(rng, batch, small, 12), np.eye(kinds, dtype=np.float32)[rng.integers(0, kinds, batch)]
    weights = [f32(rng, 12, 8, scale=0.3), f32(rng, small, kinds, 8, 16, scale=0.1)]
    xp = arrays_of(library, lib)
    soft = (lambda x, axis: lib.nn.softmax(x, axis)) if library == "jax" else lib.nn.functional.softmax
    kept = {"keepdim": True} if library != "jax" else {"keepdims": True}

    def squash(x):
        square = (x * x).sum(-1, **kept)
        return x * xp.sqrt(square + 1e-8) / (1 + square)

    def loss(weights, data, labels):
        enter, votes = weights
        u = squash(data @ enter)
        votes = xp.einsum("bip,iopq->bioq", u, votes)
        belief = 0 * votes[:, :, :, 0]
        for k in range(3):
            share = soft(belief, 2)
            v = squash((share[:, :, :, None] * votes).sum(1))
            if k < 2:
                belief = belief + (votes * v[:, None]).sum(-1)
        length = xp.sqrt((v * v).sum(-1) + 1e-8)
        present, absent = xp.clip(0.9 - length, 0, 10) ** 2, xp.clip(length - 0.1, 0, 10) ** 2
        return (labels * present + 0.5 * (1 - labels) * absent).sum(1).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda a, b, *data: both([a, b], *data), *weights, data, labels)


# ---- 82 the next picture of the rain radar: a gated cell of convolutions over six pictures, loss and gradients
@program
def nowcast(library, runner):
    rng, lib = RNG(182), runner.lib
    batch, moments, size, hidden = 4, 6, 32, 8
    if library == "np":
        return None
    frames = np.abs(f32(rng, batch, moments + 1, 1, size, size))
    weights = [
        f32(rng, 4 * hidden, 1 + hidden, 3, 3, scale=0.1),
        f32(rng, 4 * hidden, 1, 1, scale=0.1),
        f32(rng, 1, hidden, 1, 1, scale=0.3),
    ]
    xp = arrays_of(library, lib)
    sigmoid = lib.nn.sigmoid if library == "jax" else lib.nn.functional.sigmoid

    def conv(x, w, around):
        if library == "jax":
            return lib.lax.conv(x, w, (1, 1), "SAME")
        return lib.nn.functional.conv2d(x, w, padding=around)

    def loss(weights, frames):
        cell, bias, last = weights
        h = xp.zeros((batch, hidden, size, size))
        h = h if library != "jax" else h.astype("float32")
        c, total = h, 0.0
        for k in range(moments):
            gates = conv(joined(library, xp, [frames[:, k], h], 1), cell, 1) + bias
            i, f = sigmoid(gates[:, :hidden]), sigmoid(gates[:, hidden : 2 * hidden] + 1)
            o, g = sigmoid(gates[:, 2 * hidden : 3 * hidden]), xp.tanh(gates[:, 3 * hidden :])
            c = f * c + i * g
            h = o * xp.tanh(c)
            total = total + ((conv(h, last, 0) - frames[:, k + 1]) ** 2).mean()
        return total / moments

    both = gradients(library, lib, loss)
    return runner.call(lambda a, b, c, frames: both([a, b, c], frames), *weights, frames)


# ---- 83 four counters, 300 customers, 1,000 days: who waits how long, float64
@program
def counters(library, runner):
    rng, lib = RNG(183), runner.lib
    days, servers, customers = 1000, 4, 300
    gaps, services = rng.exponential(1.0, (customers, days)), rng.exponential(3.7, (customers, days))
    busy = np.zeros((days, servers))
    xp = arrays_of(library, lib)

    def step(busy, gap, service):
        wait = busy[:, 0]
        busy = joined(library, xp, [(wait + service)[:, None], busy[:, 1:]], 1)
        busy = xp.sort(busy, 1)
        busy = (busy[0] if library in TORCH else busy) - gap[:, None]
        return xp.where(busy > 0, busy, 0 * busy), wait.mean(), whole(library, wait > 5).sum()

    def run(step, busy, gaps, services):
        if library == "jax":

            def one(busy, given):
                busy, mean, late = step(busy, *given)
                return busy, (mean, late)

            busy, (means, late) = lib.lax.scan(one, busy, (gaps, services))
            return busy, means, late
        means, lates = [], []
        for k in range(customers):
            busy, mean, late = step(busy, gaps[k], services[k])
            means.append(mean)
            lates.append(late)
        return busy, xp.stack(means), xp.stack(lates)

    return stepwise(library, runner, run, step, busy, gaps, services)


# ---- 84 weather on a ring of 40 places, 32 guesses of it, corrected by what is seen of every other place, float64
@program
def weather(library, runner):
    rng, lib = RNG(184), runner.lib
    places, members, cycles, steps, dt = 40, 32, 20, 5, 0.01
    start = 8 + rng.standard_normal((members, places))
    seen = 8 + 3 * rng.standard_normal((cycles, 1, places // 2)) + rng.standard_normal((cycles, members, places // 2))
    noise = np.eye(places // 2)
    xp = arrays_of(library, lib)

    def rate(x):
        return (xp.roll(x, -1, 1) - xp.roll(x, 2, 1)) * xp.roll(x, 1, 1) - x + 8

    def forecast(x):
        a = rate(x)
        b = rate(x + dt / 2 * a)
        c = rate(x + dt / 2 * b)
        return x + dt / 6 * (a + 2 * b + 2 * c + rate(x + dt * c))

    def step(x, seen, noise):
        if library == "jax":
            x = lib.lax.fori_loop(0, steps, lambda _, x: forecast(x), x)
        else:
            for _ in range(steps):
                x = forecast(x)
        away = x - x.mean(0)
        there = away[:, ::2]
        gain = xp.linalg.solve(there.T @ there / (members - 1) + noise, there.T @ away / (members - 1))
        x = x + (seen - x[:, ::2]) @ gain
        return x, x.mean(0), ((x - x.mean(0)) ** 2).mean()

    def run(step, x, seen, noise):
        if library == "jax":

            def one(x, seen):
                x, mean, spread = step(x, seen, noise)
                return x, (mean, spread)

            x, (means, spreads) = lib.lax.scan(one, x, seen)
            return means, spreads
        means, spreads = [], []
        for k in range(cycles):
            x, mean, spread = step(x, seen[k], noise)
            means.append(mean)
            spreads.append(spread)
        return xp.stack(means), xp.stack(spreads)

    return stepwise(library, runner, run, step, start, seen, noise)


# ---- 85 a way through 100 towns: the best of all pairs of roads is swapped until none is shorter, float64
@program
def tour(library, runner):
    rng, lib = RNG(185), runner.lib
    towns = 100
    where = rng.random((towns, 2))
    far = np.sqrt(((where[:, None] - where) ** 2).sum(2))
    way, k = rng.permutation(towns), np.arange(towns)
    xp = arrays_of(library, lib)
    ahead = (lambda x: xp.roll(x, -1)) if library in ("np", "jax") else lambda x: lib.roll(x, -1, 0)

    def step(way, far, k):
        following = ahead(way)
        road = far[way, following]
        change = far[way[:, None], way] + far[following[:, None], following] - road[:, None] - road
        change = xp.where(k[:, None] < k, change, 0 * change).reshape(-1)
        best = change.argmin()
        i, j = best // towns, best % towns
        turned = xp.where((k > i) & (k <= j), i + 1 + j - k, k)
        return way[turned], change[best]

    def run(step, way, far, k):
        way, change = step(way, far, k)
        if library == "jax":
            way, change, swaps = lib.lax.while_loop(
                lambda s: s[1] < -1e-9, lambda s: (*step(s[0], far, k), s[2] + 1), (way, change, 1)
            )
        else:
            swaps = 1
            while change < -1e-9:
                way, change = step(way, far, k)
                swaps = swaps + 1
        return far[way, ahead(way)].sum(), 0 * change + swaps

    return stepwise(library, runner, run, step, way, far, k)


# ---- 86 few of 60 causes explain 300 cases: one weight after the other, 20 times around, float64
@program
def lasso(library, runner):
    rng, lib = RNG(186), runner.lib
    cases, causes, sweeps, penalty = 300, 60, 20, 20.0
    x = rng.standard_normal((cases, causes))
    y = x[:, :6] @ rng.uniform(1, 3, 6) + 0.5 * rng.standard_normal(cases)
    xp = arrays_of(library, lib)

    def step(column, left, weight, square):
        pull = column @ left + weight * square
        new = xp.sign(pull) * xp.clip(xp.abs(pull) - penalty, 0, 1e30) / square
        return left + column * (weight - new), new

    def run(step, x, y):
        squares = (x * x).sum(0)
        w, left = 0 * squares, y
        if library == "jax":

            def one(n, s):
                w, left = s
                j = n % causes
                left, new = step(x[:, j], left, w[j], squares[j])
                return w.at[j].set(new), left

            w, left = lib.lax.fori_loop(0, sweeps * causes, one, (w, left))
        else:
            for _ in range(sweeps):
                for j in range(causes):
                    left, new = step(x[:, j], left, w[j], squares[j])
                    w[j] = new
        return w, (left * left).sum(), whole(library, w != 0).sum()

    return stepwise(library, runner, run, step, x, y)


# ---- 87 a slice of a body from 60 shadows of it: a ramp over their frequencies, then back along the rays
@program
def tomogram(library, runner):
    rng, lib = RNG(187), runner.lib
    angles, detectors, size = 60, 128, 88
    shadows = np.abs(f32(rng, angles, detectors)) + 1
    theta = np.arange(angles) * np.pi / angles
    cosines, sines = np.cos(theta).astype(np.float32), np.sin(theta).astype(np.float32)
    ramp = np.abs(np.fft.rfftfreq(2 * detectors)).astype(np.float32)
    line = (np.arange(size) - (size - 1) / 2).astype(np.float32)
    xp = arrays_of(library, lib)
    along = {"dim": 1} if library in TORCH else {"axis": 1}

    def step(picture, row, c, s, line):
        t = line * c + (line * s)[:, None] + (detectors - 1) / 2
        low = xp.floor(t)
        part, at = t - low, whole(library, low)
        return picture + (1 - part) * row[at] + part * row[at + 1]

    def run(step, shadows, cosines, sines, ramp, line):
        pads = joined(library, xp, [shadows, 0 * shadows], 1)
        rows = xp.fft.irfft(xp.fft.rfft(pads, **along) * ramp, **along)[:, :detectors]
        picture = 0 * (line + line[:, None])
        if library == "jax":
            picture, _ = lib.lax.scan(lambda p, g: (step(p, *g, line), None), picture, (rows, cosines, sines))
        else:
            for k in range(angles):
                picture = step(picture, rows[k], cosines[k], sines[k], line)
        return picture * (np.pi / angles)

    return stepwise(library, runner, run, step, shadows, cosines, sines, ramp, line)


# ---- 88 20,000 hands of seven cards: what they are worth, from nothing to five of a suit in a row, int64
@program
def cards(library, runner):
    rng, lib = RNG(188), runner.lib
    hands = 20000
    dealt = np.argsort(rng.random((hands, 52)), 1)[:, :7].copy()
    rows = np.arange(hands)[:, None]
    xp = arrays_of(library, lib)

    def in_a_row(held):
        """Five in a row in the last axis, the ace below the two as well."""
        held = joined(library, xp, [held[..., 12:], held], held.ndim - 1)
        five = held[..., :10]
        for k in range(1, 5):
            five = five & held[..., k : k + 10]
        return five.any(-1)

    def run(dealt, rows):
        held = xp.zeros((hands, 52), dtype=xp.int64)
        if library == "jax":
            held = held.at[rows, dealt].set(1)
        else:
            held[rows, dealt] = 1
        held = held.reshape((hands, 4, 13))
        ranks, suits = held.sum(1), held.sum(2)
        ordered = xp.sort(ranks, 1)
        ordered = ordered[0] if library in TORCH else ordered
        most, second = ordered[:, -1], ordered[:, -2]
        worth = whole(library, most == 2)
        worth = xp.where((most == 2) & (second == 2), 2, worth)
        worth = xp.where(most == 3, 3, worth)
        worth = xp.where(in_a_row(ranks > 0), 4, worth)
        worth = xp.where((suits > 4).any(1), 5, worth)
        worth = xp.where((most == 3) & (second >= 2), 6, worth)
        worth = xp.where(most == 4, 7, worth)
        worth = xp.where(in_a_row(held > 0).any(1), 8, worth)
        return worth, counted(library, xp, worth, 9)

    return runner.call(run, dealt, rows)


# ---- 89 the next word of 16 texts of 8,000: words used before count less, then the likeliest nine tenths
@program
def next_word(library, runner):
    rng, lib = RNG(189), runner.lib
    texts, words = 16, 8000
    scores = f32(rng, texts, words, scale=2.5)
    used = np.stack([rng.choice(words, 40, replace=False) for _ in range(texts)])
    chance = rng.random((texts, 1)).astype(np.float32)
    xp = arrays_of(library, lib)
    soft = lib.nn.softmax if library == "jax" else lib.nn.functional.softmax if library != "np" else None

    def softmax(x):
        if library == "np":
            x = np.exp(x - x.max(1, keepdims=True))
            return x / x.sum(1, keepdims=True)
        return soft(x, 1)

    def taken(x, at):
        return x.gather(1, at) if library in TORCH else xp.take_along_axis(x, at, 1)

    def put(x, at, values):
        if library == "jax":
            return xp.put_along_axis(x, at, values, 1, inplace=False)
        if library == "np":
            x = x.copy()
            np.put_along_axis(x, at, values, 1)
            return x
        return x.scatter(1, at, values) if library in TORCH else lib.put_along_axis(x, at, values, 1)

    def falling(x):
        if library in TORCH:
            return x.sort(1, descending=True)
        order = xp.argsort(-x, 1) if library == "np" else xp.argsort(x, 1, descending=True)
        return taken(x, order), order

    def run(scores, used, chance):
        before = taken(scores, used)
        scores = put(scores, used, xp.where(before > 0, before / 1.2, before * 1.2))
        likely, order = falling(softmax(scores / 0.8))
        total = xp.cumsum(likely, 1)
        kept = xp.where(total - likely < 0.9, likely, 0 * likely)
        total = xp.cumsum(kept, 1)
        place = whole(library, total < chance * total[:, -1:]).sum(1)[:, None]
        return taken(order, place), xp.log(taken(likely, place)), whole(library, kept > 0).sum(1)

    return runner.call(run, scores, used, chance)


# ---- 90 who came back: 50,000 orders of 3,000 customers by the month of their first one, int64 and float64
@program
def cohorts(library, runner):
    rng, lib = RNG(190), runner.lib
    orders, customers, months = 50000, 3000, 12
    who = np.concatenate([np.arange(customers), rng.integers(0, customers, orders - customers)])
    day, paid = rng.integers(0, 365, orders), np.round(rng.lognormal(3, 1, orders), 2)
    xp = arrays_of(library, lib)

    def earliest(who, month):
        first = xp.full((customers,), 99, dtype=xp.int64)
        if library == "np":
            np.minimum.at(first, who, month)
            return first
        if library == "jax":
            return first.at[who].min(month)
        if library == "vt":
            return lib.put_along_axis(first, who, month, 0, reduce="amin")
        return first.scatter_reduce(0, who, month, "amin")

    def run(who, day, paid):
        month = xp.clip(day // 30, 0, months - 1)
        first = earliest(who, month)
        began = first[who]
        income = counted(library, xp, began * months + month - began, months * months, paid).reshape((months, months))
        came = xp.zeros((customers, months), dtype=xp.float64)
        if library == "jax":
            came = came.at[who, month].set(1)
        else:
            came[who, month] = 1
        of_cohort = first[:, None] == xp.arange(months)
        of_cohort = of_cohort.double() if library in TORCH else of_cohort.astype("float64")
        size = of_cohort.sum(0)
        return income / size[:, None], of_cohort.T @ came / size[:, None], size

    return runner.call(run, who, day, paid)
