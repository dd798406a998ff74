"""Sixteen programs of a seventh set, measured before anything was tuned for them; the form of second.py."""

import numpy as np

from .fifth import arrays_of, swap
from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401 - fresh.py reads the libraries here
from .sixth import is_torch
from .third import add_rows, gradients

PROGRAMS = {}
WEIGHTS = {"windows": 1, "dilated": 3}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


# ---- 1 air pressure at 45 places over a year: what most of its changes have in common, float64


@program
def common_changes(library, runner):
    rng, lib = RNG(1), runner.lib
    xp = arrays_of(library, lib)
    season = np.sin(np.arange(367)[:, None] / 58.1 + rng.uniform(0, 6, 45))
    pressure = season + 0.7 * rng.standard_normal((367, 45)) @ rng.standard_normal((45, 45)) / 6.7

    def found(pressure):
        away = pressure - pressure.mean(0)
        spread = xp.sqrt((away * away).mean(0))
        away = away / spread
        values, vectors = xp.linalg.eigh(away.T @ away / 366.0)
        shares = values / values.sum()
        best = vectors[:, 41:]
        scores = away @ best
        return shares[41:], xp.abs(best), ((away - scores @ best.T) ** 2).mean(1)

    return runner.call(found, pressure)


# ---- 2 the volatilities that 1,357 prices imply: Newton's steps until the last one stands still, float64


@program
def implied_volatilities(library, runner):
    rng, lib = RNG(2), runner.lib
    xp = arrays_of(library, lib)
    if library == "np":
        return None
    erf = lib.scipy.special.erf if library == "jax" else lib.erf
    strike, years, true = rng.uniform(80, 130, 1357), rng.uniform(0.3, 2.7, 1357), rng.uniform(0.15, 0.6, 1357)

    def value(volatility, strike, years):
        root = volatility * xp.sqrt(years)
        first = (xp.log(103.7 / strike) + 0.031 * years) / root + 0.5 * root
        cdf = lambda z: 0.5 * (1.0 + erf(z * 0.7071067811865476))  # noqa: E731
        price = 103.7 * cdf(first) - strike * xp.exp(-0.031 * years) * cdf(first - root)
        return price, 103.7 * xp.sqrt(years) * 0.3989422804014327 * xp.exp(-0.5 * first * first)

    def newton(volatility, prices, strike, years):
        price, slope = value(volatility, strike, years)
        following = xp.clip(volatility - (price - prices) / xp.clip(slope, 0.05, 1e6), 0.01, 3.0)
        return following, xp.abs(following - volatility).max()

    def implied(true, strike, years):
        prices = value(true, strike, years)[0]
        guess = true * 0.0 + 0.3
        if library == "jax":
            step = lambda s: newton(s[0], prices, strike, years)  # noqa: E731
            return lib.lax.while_loop(lambda s: s[1] > 1e-9, step, step((guess, 1.0)))[0]
        guess, change = newton(guess, prices, strike, years)
        while change > 1e-9:
            guess, change = newton(guess, prices, strike, years)
        return guess

    return runner.call(implied, true, strike, years)


# ---- 3 a picture made smooth but for its edges, then brightened by a power


@program
def smoothed_picture(library, runner):
    rng, lib = RNG(3), runner.lib
    xp = arrays_of(library, lib)
    picture = np.float32(rng.uniform(0.02, 1, (187, 243)))

    def smoothed(p):
        middle = p[2:-2, 2:-2]
        total, weights = middle * 0.0, middle * 0.0
        for dy in range(5):
            for dx in range(5):
                near = p[dy : dy + 183, dx : dx + 239]
                far = float(np.exp(-((dy - 2) ** 2 + (dx - 2) ** 2) / 4.5))
                w = xp.exp(-((near - middle) ** 2) * 22.0) * far
                total, weights = total + w * near, weights + w
        return (total / weights) ** 0.45

    return runner.call(smoothed, picture)


# ---- 4 cells on a slide: the level between dark and bright, what is brighter, without specks


@program
def cells_on_a_slide(library, runner):
    rng, lib = RNG(4), runner.lib
    xp = arrays_of(library, lib)
    y, x = np.mgrid[:219, :331]
    bright = 90 + 60 * np.sin(x / 17.3) * np.cos(y / 13.1) + 25 * rng.standard_normal((219, 331))
    slide = np.clip(bright, 0, 255).astype(np.int64)
    levels = np.arange(256).astype(np.float64)
    whole = {"torch": "float", "torch.compile": "float"}

    def counted(flat):
        if library == "jax":
            return xp.bincount(flat, length=256)
        return lib.bincount(flat, minlength=256)

    def cells(slide, levels):
        counts = counted(slide.reshape((-1,)))
        counts = counts.double() if library in whole else counts.astype("float64")
        below = xp.cumsum(counts, 0)
        mass = xp.cumsum(counts * levels, 0)
        n, m = below[-1], mass[-1]
        between = (m * below - n * mass) ** 2 / (below * (n - below) + 1.0)
        level = between.argmax()
        on = slide > level
        thin = on[:-2] & on[1:-1] & on[2:]
        thin = thin[:, :-2] & thin[:, 1:-1] & thin[:, 2:]
        thick = thin[:-2] | thin[1:-1] | thin[2:]
        thick = thick[:, :-2] | thick[:, 1:-1] | thick[:, 2:]
        return level, thick, thick.sum(1)

    return runner.call(cells, slide, levels)


# ---- 5 the pitch of a voice: how each piece differs from itself a little later


@program
def pitch(library, runner):
    rng, lib = RNG(5), runner.lib
    xp = arrays_of(library, lib)
    time = np.arange(613) / 11025.0
    tone = rng.uniform(90, 260, 97)[:, None]
    voice = np.float32(
        np.sin(6.283 * tone * time) + 0.4 * np.sin(12.566 * tone * time) + 0.1 * rng.standard_normal((97, 613))
    )
    lags = np.arange(1, 181).astype(np.float32)

    def pitches(voice, lags):
        start = voice[:, :433]
        kept = []
        for lag in range(1, 181):
            away = start - voice[:, lag : lag + 433]
            kept.append((away * away).sum(1))
        differ = xp.stack(kept, 1)
        scaled = differ * lags / xp.cumsum(differ, 1)
        under = (scaled < 0.15) & (lags > 30)
        lag = xp.where(
            under.any(1), under.argmax(1) if not is_torch(library) else under.int().argmax(1), scaled.argmin(1)
        )
        return 11025.0 / (lag + 1.0), scaled.min(1) if not is_torch(library) else scaled.amin(1)

    return runner.call(pitches, voice, lags)


# ---- 6 a mixture of 5 normal distributions, made likelier until it isn't, float64


@program
def mixture(library, runner):
    rng, lib = RNG(6), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    lse = lib.scipy.special.logsumexp if library == "jax" else lib.logsumexp
    points = rng.standard_normal((1103, 7)) * 0.8 + rng.uniform(-3, 3, (5, 7))[rng.integers(0, 5, 1103)]

    def step(points, shares, means, spreads):
        away = points[:, None] - means
        log = xp.log(shares) - 0.5 * (away * away / spreads + xp.log(6.283185307179586 * spreads)).sum(2)
        each = lse(log, 1)
        parts = xp.exp(log - each[:, None])
        mass = parts.sum(0)
        means = parts.T @ points / mass[:, None]
        spreads = parts.T @ (points * points) / mass[:, None] - means * means + 1e-6
        return mass / 1103.0, means, spreads, each.mean()

    def fitted(points):
        means = points[:5]
        shares, spreads = means[:, 0] * 0.0 + 0.2, means * 0.0 + 1.0
        if library == "jax":
            first = (*step(points, shares, means, spreads), -1e9)
            go = lambda s: s[3] - s[4] > 1e-5  # noqa: E731
            return lib.lax.while_loop(go, lambda s: (*step(points, *s[:3]), s[3]), first)[:4]
        shares, means, spreads, likely = step(points, shares, means, spreads)
        before = likely - 1.0
        while likely - before > 1e-5:
            before = likely
            shares, means, spreads, likely = step(points, shares, means, spreads)
        return shares, means, spreads, likely

    return runner.call(fitted, points)


# ---- 7 who falls ill first: hazards of 731 patients, ten steps against the gradient, float64


@program
def hazards(library, runner):
    rng, lib = RNG(7), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    x, days = rng.standard_normal((731, 13)), rng.exponential(300, 731)
    ill = (rng.random(731) < 0.6).astype(np.float64)
    total = (lambda t: lib.lax.cumlogsumexp(t, 0)) if library == "jax" else lambda t: lib.logcumsumexp(t, 0)

    def loss(w, x, ill):
        risk = x @ w
        return -(ill * (risk - total(risk))).sum() / ill.sum() + 0.01 * (w * w).sum()

    def fit(x, days, ill, w):
        order = xp.argsort(-days, 0) if library != "jax" else xp.argsort(-days)
        x, ill = x[order], ill[order]
        one = gradients(library, lib, lambda ws, x, ill: loss(ws[0], x, ill))
        for _ in range(10):
            if library == "jax":
                made, slope = lib.value_and_grad(loss)(w, x, ill)
            else:
                made, slope = one([w], x, ill)
            w = (w - 0.7 * slope) if library == "jax" else (w - 0.7 * slope).detach()
        return made, w

    return runner.call(fit, x, days, ill, np.zeros(13))


# ---- 8 options that may be used early: a tree of 97 steps for 61 strikes, float64


@program
def early_exercise(library, runner):
    lib = runner.lib
    xp = arrays_of(library, lib)
    up = float(np.exp(0.27 * (1.3 / 97) ** 0.5))
    p = float((np.exp(0.04 * 1.3 / 97) - 1 / up) / (up - 1 / up))
    off = float(np.exp(-0.04 * 1.3 / 97))
    strikes, moves = np.linspace(71.0, 133.0, 61), np.arange(98.0)

    def prices(strikes, moves):
        value = xp.clip(strikes[:, None] - 101.3 * up ** (2.0 * moves - 97.0), 0.0, 1e9)
        for n in range(96, -1, -1):
            held = off * (p * value[:, 1:] + (1.0 - p) * value[:, :-1])
            value = xp.maximum(held, strikes[:, None] - 101.3 * up ** (2.0 * moves[: n + 1] - n))
        return value[:, 0]

    return runner.call(prices, strikes, moves)


# ---- 9 cores of a network of friends: who has fewer than k friends leaves, until nobody does


@program
def cores(library, runner):
    rng, lib = RNG(9), runner.lib
    xp = arrays_of(library, lib)
    a, b = np.int64(1777 * rng.random((2, 7013)) ** 1.7)
    everyone, nobody = np.ones(1777, np.int64), np.zeros(1777, np.int64)

    def turn(state, a, b, nobody):
        inside, k, core = state[:3]
        tied = inside[a] * inside[b]
        friends = add_rows(library, lib, add_rows(library, lib, nobody + 0, a, tied), b, tied)
        stay = inside * (friends >= k)
        leave = inside.sum() - stay.sum()
        core = xp.where((inside > 0) & (stay == 0), k - 1, core)
        return stay, xp.where(leave == 0, k + 1, k), core, stay.sum()

    def found(a, b, everyone, nobody):
        k = everyone[0]
        state = turn((everyone, k, nobody), a, b, nobody)
        if library == "jax":
            return lib.lax.while_loop(lambda s: s[3] > 0, lambda s: turn(s, a, b, nobody), state)[2]
        while state[3] > 0:
            state = turn(state, a, b, nobody)
        return state[2]

    return runner.call(found, a, b, everyone, nobody)


# ---- 10 sensors over time through dilated filters: one training step with Adam


@program
def dilated(library, runner):
    rng, lib = RNG(10), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    seen, kind = f32(rng, 6, 19, 157), rng.integers(0, 11, 6)
    shapes = [(38, 19, 3), (38,), (38, 38, 3), (38,), (38, 38, 3), (38,), (38, 38, 3), (38,), (38, 11), (11,)]
    weights = [f32(rng, *s, scale=0.1) for s in shapes]
    moments = [np.zeros(s, np.float32) for s in shapes] + [np.zeros(s, np.float32) + 1e-4 for s in shapes]
    F = lib.nn if library == "jax" else lib.nn.functional

    def filtered(x, w, far):
        if library == "jax":
            return lib.lax.conv_general_dilated(x, w, (1,), [(2 * far, 0)], rhs_dilation=(far,))
        if library == "vt":
            return F.conv1d(F.pad(x, [2 * far, 0], data_format="NCL"), w, dilation=far)
        return F.conv1d(F.pad(x, (2 * far, 0)), w, dilation=far)

    def loss(weights, x, kind):
        for k in range(4):
            w, b = weights[2 * k : 2 * k + 2]
            y = F.silu(filtered(x, w, 2**k) + b[:, None])
            x = y if k == 0 else x + y
        logits = x.mean(2) @ weights[8] + weights[9]
        if library == "jax":
            return -xp.take_along_axis(F.log_softmax(logits, -1), kind[:, None], 1).mean()
        return F.cross_entropy(logits, kind)

    both = gradients(library, lib, loss)

    def step(seen, kind, *given):
        weights, first, second = given[:10], given[10:20], given[20:]
        made = both(list(weights), seen, kind)
        slopes = made[1] if library == "jax" else made[1:]
        after = []
        for w, m, v, g in zip(weights, first, second, slopes, strict=True):
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            after += [w - 0.003 * m / (xp.sqrt(v) + 1e-8), m, v]
        return made[0], *after

    return runner.call(step, seen, kind, *weights, *moments)


# ---- 11 attention within windows of a picture, shifted ones too: two layers of a network


@program
def windows(library, runner):
    rng, lib = RNG(11), runner.lib
    if library == "np":
        return None
    xp, move = arrays_of(library, lib), swap(library)
    F = lib.nn if library == "jax" else lib.nn.functional
    size, heads = 60, 3
    picture = f32(rng, 2, 21, 21, size)
    shapes = [(size, 3 * size), (3 * size,), (heads, 49, 49), (size, size), (size, 4 * size), (4 * size, size)]
    weights = [f32(rng, *s, scale=s[0] ** -0.5 if len(s) == 2 else 0.1) for _ in range(2) for s in shapes]
    exact = {"approximate": False} if library == "jax" else {}

    def norm(t):
        t = t - t.mean(-1)[..., None]
        return t / xp.sqrt((t * t).mean(-1)[..., None] + 1e-5)

    def attend(x, qkv, b, bias, out):
        x = move(x.reshape((2, 3, 7, 3, 7, size)), 0, 1, 3, 2, 4, 5).reshape((18, 49, size))
        t = move((x @ qkv + b).reshape((18, 49, 3, heads, 20)), 2, 0, 3, 1, 4)
        score = F.softmax(t[0] * 0.2236 @ move(t[1], 0, 1, 3, 2) + bias, -1)
        y = move(score @ t[2], 0, 2, 1, 3).reshape((18, 49, size)) @ out
        return move(y.reshape((2, 3, 3, 7, 7, size)), 0, 1, 3, 2, 4, 5).reshape((2, 21, 21, size))

    def features(x, *weights):
        for k in range(2):
            qkv, b, bias, out, up, down = weights[6 * k : 6 * k + 6]
            y = norm(x)
            if k:
                y = xp.roll(y, (-3, -3), (1, 2))
            y = attend(y, qkv, b, bias, out)
            if k:
                y = xp.roll(y, (3, 3), (1, 2))
            x = x + y
            x = x + F.gelu(norm(x) @ up, **exact) @ down
        return norm(x).mean((1, 2))

    return runner.call(features, picture, *weights)


# ---- 12 a small writer: the likeliest letter after each, until the last one of a line


@program
def writer(library, runner):
    rng, lib = RNG(12), runner.lib
    xp = arrays_of(library, lib)
    table, u, w = f32(rng, 83, 45, scale=0.9), f32(rng, 45, 135, scale=0.25), f32(rng, 45, 135, scale=0.25)
    head = f32(rng, 45, 83)
    start = np.zeros(45, np.float32)
    sigmoid = lambda t: 1.0 / (1.0 + xp.exp(-t))  # noqa: E731

    def letter(h, last, table, u, w, head):
        a, b = table[last] @ u, h @ w
        r, z = sigmoid(a[:45] + b[:45]), sigmoid(a[45:90] + b[45:90])
        h = z * h + (1.0 - z) * xp.tanh(a[90:] + r * b[90:])
        logits = h @ head
        return h, logits.argmax(), xp.log(xp.exp(logits - logits.max()).sum())

    def write(start, table, u, w, head):
        weights = table, u, w, head
        h, last, lost = letter(start, 7, *weights)
        if library == "jax":

            def step(s):
                h, last, less = letter(s[0], s[1], *weights)
                return h, last, s[2] + less, s[3] + 1

            state = h, last, lost, 1
            return lib.lax.while_loop(lambda s: (s[1] != 0) & (s[3] < 211), step, state)[:3]
        number = 1
        while last != 0 and number < 211:
            h, last, less = letter(h, last, *weights)
            lost, number = lost + less, number + 1
        return h, last, lost

    return runner.call(write, start, table, u, w, head)


# ---- 13 a cloth hangs from two corners: 60 steps, threads drawn back to their length


@program
def cloth(library, runner):
    lib = runner.lib
    xp = arrays_of(library, lib)
    y, x = np.mgrid[:29, :37]
    first = np.float32(np.stack([x * 0.1, y * 0.0, y * 0.1], -1))
    free = np.ones((29, 37, 1), np.float32)
    free[0, 0] = free[0, -1] = 0
    pull = np.float32([0.0, 0.03, -0.098])
    join = lib.concat if library in ("vt", "torch", "torch.compile") else xp.concatenate

    def drawn(p, axis):
        a, b = (p[1:], p[:-1]) if axis == 0 else (p[:, 1:], p[:, :-1])
        apart = a - b
        long = xp.sqrt((apart * apart).sum(-1))[..., None]
        back = apart * (0.25 * (long - 0.1) / long)
        none = back[:1] * 0.0 if axis == 0 else back[:, :1] * 0.0
        return join([back, none], axis) - join([none, back], axis)

    def step(p, before, free, pull):
        moved = p + (0.99 * (p - before) + pull * 0.01) * free
        for _ in range(3):
            moved = moved + (drawn(moved, 0) + drawn(moved, 1)) * free
        return moved, p

    def hang(first, free, pull):
        if library == "jax":
            return lib.lax.fori_loop(0, 60, lambda t, s: step(*s, free, pull), (first, first))[0]
        p, before = first, first
        for _ in range(60):
            p, before = step(p, before, free, pull)
        return p

    return runner.call(hang, first, free, pull)


# ---- 14 which texts are nearly the same: least hashes of their words, int64


@program
def alike_texts(library, runner):
    rng, lib = RNG(14), runner.lib
    xp = arrays_of(library, lib)
    words, a, b = rng.integers(0, 2**30, (301, 47)), rng.integers(1, 2**30, 71), rng.integers(0, 2**30, 71)
    words[150:] = np.where(rng.random((151, 47)) < 0.8, words[:151], words[150:])
    least = (lambda t: t.amin(1)) if is_torch(library) else lambda t: t.min(1)

    def alike(words, a, b):
        signs = least((words[:, :, None] * a + b) % 2147483647)
        same = (signs[:, None] == signs[None]).sum(2)
        far = same - 1000 * (xp.arange(301)[:, None] >= xp.arange(301))
        return same.sum(1), far.argmax(1)

    return runner.call(alike, words, a, b)


# ---- 15 how a market's unrest lasts: 1,259 days, likelihood and its gradient, float64


@program
def unrest(library, runner):
    rng, lib = RNG(15), runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    gains = rng.standard_normal(1259) * np.exp(0.4 * np.sin(np.arange(1259) / 77.0))
    weights = np.array([-2.3, -2.1, 1.9])

    def parts(w):
        return xp.exp(w[0]), 1.0 / (1.0 + xp.exp(-w[1])), 1.0 / (1.0 + xp.exp(-w[2]))

    if library == "jax":

        def loss(w, gains):
            base, news, lasts = parts(w)

            def step(v, g):
                return base + news * g * g + lasts * v, xp.log(v) + g * g / v

            return lib.lax.scan(step, (gains * gains).mean(), gains)[1].mean()

        return runner.call(lib.value_and_grad(loss), weights, gains)

    def loss(ws, gains):
        base, news, lasts = parts(ws[0])
        v = (gains * gains).mean()
        total = v * 0.0
        for t in range(1259):
            g = gains[t]
            total = total + xp.log(v) + g * g / v
            v = base + news * g * g + lasts * v
        return total / 1259.0

    both = gradients(library, lib, loss)
    return runner.call(lambda w, gains: both([w], gains), weights, gains)


# ---- 16 heights between 137 measured ones: a thin plate bent through them, float64


@program
def thin_plate(library, runner):
    rng, lib = RNG(16), runner.lib
    xp = arrays_of(library, lib)
    places, heights = rng.uniform(0, 10, (137, 2)), rng.standard_normal(137)
    grid = np.stack(np.meshgrid(np.linspace(0, 10, 41), np.linspace(0, 10, 53)), -1).reshape(-1, 2)
    ones, none = np.ones((137, 1)), np.zeros((3, 3))
    join = lib.concat if library in ("vt", "torch", "torch.compile") else xp.concatenate

    def bent(p, q):
        away = p[:, None] - q
        square = (away * away).sum(2)
        return 0.5 * square * xp.log(square + 1e-12)

    def surface(places, heights, grid, ones, none):
        plane = join([ones, places], 1)
        matrix = join([join([bent(places, places), plane], 1), join([plane.T, none], 1)], 0)
        right = join([heights, none[0]], 0)
        w = xp.linalg.solve(matrix, right)
        return bent(grid, places) @ w[:137] + w[137] + grid @ w[138:]

    return runner.call(surface, places, heights, grid, ones, none)
