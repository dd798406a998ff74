"""Tables, texts, signals and pictures."""

import numpy as np

from .seventeenth_frame import PROGRAMS, RNG, Names, f32, program  # noqa: F401


# ---- 115 40,000 orders find the price that held when they came, by shop sums and means, the five best goods of each shop
@program
def orders(library, runner):
    rng, lib = RNG(231), runner.lib
    n = Names(library, lib)
    count, goods, shops, changes = 40000, 300, 20, 6000
    good, shop, when = rng.integers(0, goods, count), rng.integers(0, shops, count), rng.integers(0, 10000, count)
    amount = rng.integers(1, 9, count)
    key = np.sort(rng.choice(goods * 10000, changes, replace=False))
    key[:goods] = np.arange(goods) * 10000
    key = np.sort(key)
    price = np.round(rng.lognormal(2, 0.5, changes), 2)

    def run(good, shop, when, amount, key, price):
        at = n.search(key, good * 10000 + when, right=True) - 1
        paid = price[at] * amount
        table = n.count(shop * goods + good, shops * goods, paid).reshape((shops, goods))
        number = n.count(shop, shops)
        if library in ("vt",):
            best, which = lib.topk(table, 5, 1)
        elif library == "np":
            which = np.argsort(-table, 1)[:, :5]
            best = np.take_along_axis(table, which, 1)
        elif library == "jax":
            best, which = lib.lax.top_k(table, 5)
        else:
            best, which = lib.topk(table, 5, 1)
        return table.sum(1) / number, best, which

    return runner.call(run, good, shop, when, amount, key, price)


# ---- 116 what goes with what: cross tables of all pairs of ten columns of 20,000 answers, chi-square and Cramer's V
@program
def answers(library, runner):
    rng, lib = RNG(232), runner.lib
    n = Names(library, lib)
    xp = n.xp
    rows, columns, kinds = 20000, 10, 6
    data = rng.integers(0, kinds, (rows, columns))
    data[:, 3] = np.where(rng.random(rows) < 0.4, data[:, 1], data[:, 3])
    kind = np.arange(kinds)

    def run(data, kind):
        one = n.single(data[:, :, None] == kind).reshape((rows, columns * kinds))
        table = n.double(one.T @ one)
        margin = one.sum(0)
        margin = n.double(margin)
        expected = margin[:, None] * margin / rows
        chi = ((table - expected) ** 2 / expected).reshape((columns, kinds, columns, kinds)).sum((1, 3))
        return chi, xp.sqrt(chi / (rows * (kinds - 1)))

    return runner.call(run, data, kind)


# ---- 117 how far each pixel is from the nearest bright one: columns swept down and up, then rows by parabolas
@program
def distances(library, runner):
    rng, lib = RNG(233), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size = 96
    bright = rng.random((size, size)) < 0.01
    k = np.arange(size)

    def run(bright, k):
        far = xp.where(bright, k[:, None], -1000 + 0 * k[:, None])
        above = k[:, None] - n.cummax(far, 0)
        far = xp.where(bright, k[:, None], 1000 + 0 * k[:, None])
        flip = (lambda x: xp.flip(x, 0)) if library in ("np", "jax") else (lambda x: xp.flip(x, (0,)))
        below = flip(n.cummin(flip(far), 0)) - k[:, None]
        column = xp.minimum(above, below)
        apart = (k[:, None] - k) ** 2
        square = n.smallest((column * column)[:, None, :] + apart, 2)
        return xp.sqrt(n.double(square)), square.max()

    return runner.call(run, bright, k)


# ---- 118 60,000 days since 1970 as years, months, days, weekdays and weeks; payments by month and weekday, int64
@program
def calendar(library, runner):
    rng, lib = RNG(234), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count = 60000
    day = rng.integers(-20000, 40000, count)
    paid = np.round(rng.lognormal(3, 1, count), 2)

    def run(day, paid):
        z = day + 719468
        era = z // 146097
        doe = z - era * 146097
        yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
        doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
        mp = (5 * doy + 2) // 153
        d = doy - (153 * mp + 2) // 5 + 1
        m = xp.where(mp < 10, mp + 3, mp - 9)
        y = yoe + era * 400 + n.whole(m <= 2)
        weekday = (day + 3) % 7
        leap = ((y % 4 == 0) & (y % 100 != 0)) | (y % 400 == 0)
        table = n.count((m - 1) * 7 + weekday, 84, paid).reshape((12, 7))
        thursday = day - weekday + 3
        week = (thursday - (thursday // 1461 * 1461)) % 365 // 7 + 1
        return y, m, d, week, table, n.whole(leap).sum()

    return runner.call(run, day, paid)


# ---- 119 64 machines over 3,000 hours: hours since the last fault, sums since then, the worst fall from the last peak
@program
def faults(library, runner):
    rng, lib = RNG(235), runner.lib
    n = Names(library, lib)
    xp = n.xp
    machines, hours = 64, 3000
    fault = rng.random((machines, hours)) < 0.01
    output = rng.standard_normal((machines, hours)) + 0.5
    k = np.arange(hours)

    def run(fault, output, k):
        last = n.cummax(xp.where(fault, k, 0 * k), 1)
        since = k - last
        total = xp.cumsum(output, 1)
        base = n.pick(total - output, last, 1)
        made = total - base
        peak = n.cummax(total, 1)
        fall = peak - total
        longest = n.largest(since, 1)
        return since, made, n.largest(fall, 1), fall.argmax(1), longest

    return runner.call(run, fault, output, k)


# ---- 120 50,000 places as one number each (bits of x and y in turn), in this order, Gray's code, bits that differ, int64
@program
def bits(library, runner):
    rng, lib = RNG(236), runner.lib
    n = Names(library, lib)
    count = 30000
    x, y = rng.integers(0, 2**20, count), rng.integers(0, 2**20, count)

    def spread(v):
        v = (v | (v << 16)) & 0x0000FFFF0000FFFF
        v = (v | (v << 8)) & 0x00FF00FF00FF00FF
        v = (v | (v << 4)) & 0x0F0F0F0F0F0F0F0F
        v = (v | (v << 2)) & 0x3333333333333333
        return (v | (v << 1)) & 0x5555555555555555

    def ones(v):
        v = v - ((v >> 1) & 0x5555555555555555)
        v = (v & 0x3333333333333333) + ((v >> 2) & 0x3333333333333333)
        v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0F
        return (v * 0x0101010101010101) >> 56

    def run(x, y):
        key = n.sort(spread(x) | (spread(y) << 1))
        gray = key ^ (key >> 1)
        differ = ones(key[1:] ^ key[:-1])
        return key >> 20, gray >> 20, differ, n.count(differ, 64)

    return runner.call(run, x, y)


# ---- 121 40,000 rows with repeats: which are the same, how often, their sums, the most frequent ones
@program
def repeats(library, runner):
    rng, lib = RNG(237), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, limit = 40000, 4096
    row = rng.integers(0, 15, (count, 3))
    row[:limit] = np.stack(np.unravel_index(np.arange(limit) % 3375, (15, 15, 15)), 1)
    value = rng.random(count)

    def run(row, value):
        key = (row[:, 0] * 31 + row[:, 1]) * 31 + row[:, 2]
        if library == "jax":
            kept, inverse, often = xp.unique(key, return_inverse=True, return_counts=True, size=3375)
        else:
            kept, inverse, often = xp.unique(key, return_inverse=True, return_counts=True)
        size = 3375
        total = n.count(inverse, size, value)
        order = n.sort(-often)[:20]
        return kept, often, total / often, order

    return runner.call(run, row, value)


# ---- 122 deciles of 200 groups of 30,000 numbers: sorted by group and by number, places between neighbours
@program
def deciles(library, runner):
    rng, lib = RNG(238), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, groups = 30000, 200
    group = np.concatenate([np.arange(groups), np.arange(groups), rng.integers(0, groups, count - 2 * groups)])
    value = rng.standard_normal(count)
    share = np.arange(11) / 10

    def run(group, value, share):
        order = n.argsort(value)
        order = order[n.argsort(group[order], stable=True)]
        ordered = value[order]
        size = n.count(group, groups)
        start = xp.cumsum(size, 0) - size
        place = start[:, None] + share * (size - 1)[:, None]
        low = n.whole(xp.floor(place))
        high = xp.clip(low + 1, 0, count - 1)
        part = place - low
        return ordered[low] * (1 - part) + ordered[high] * part

    return runner.call(run, group, value, share)


# ---- 123 a picture through a lens made straight: sixteen neighbours each, cubic weights
@program
def lens(library, runner):
    rng, lib = RNG(239), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size = 128
    picture = rng.random((3, size, size)).astype(np.float32)
    line = ((np.arange(size) - (size - 1) / 2) / (size / 2)).astype(np.float32)

    def cubic(t):
        t = xp.abs(t)
        near = (1.5 * t - 2.5) * t * t + 1
        far = ((-0.5 * t + 2.5) * t - 4) * t + 2
        return xp.where(t < 1, near, xp.where(t < 2, far, 0 * t))

    def run(picture, line):
        r = line[:, None] ** 2 + line**2
        scale = (1 - 0.2 * r + 0.05 * r * r) * (size / 2)
        y, x = line[:, None] * scale + (size - 1) / 2, line * scale + (size - 1) / 2
        low, left = xp.floor(y), xp.floor(x)
        flat = picture.reshape((3, size * size))
        made = 0.0
        for i in range(-1, 3):
            row = xp.clip(n.whole(low) + i, 0, size - 1)
            wy = cubic(y - low - i)
            for j in range(-1, 3):
                column = xp.clip(n.whole(left) + j, 0, size - 1)
                made = made + wy * cubic(x - left - j) * flat[:, row * size + column]
        return made

    return runner.call(run, picture, line)


# ---- 124 where 30,000 calls came from: counts of 96 x 96 cells, smoothed in both directions, levels that hold half of them
@program
def calls(library, runner):
    rng, lib = RNG(240), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, size, reach = 30000, 96, 6
    x, y = rng.standard_normal(count) * 0.8, rng.standard_normal(count)
    edges = np.linspace(-3, 3, size + 1)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / 2.5) ** 2)
    weights = weights / weights.sum()

    def smooth(t, weights):
        made = 0 * t
        edge = xp.zeros((reach, size), dtype=xp.float64)
        padded = n.cat([edge, t, edge], 0)
        for k in range(2 * reach + 1):
            made = made + weights[k] * padded[k : k + size]
        return made

    def run(x, y, edges, weights):
        i, j = n.search(edges, x) - 1, n.search(edges, y) - 1
        inside = (i >= 0) & (i < size) & (j >= 0) & (j < size)
        cell = xp.where(inside, i * size + j, size * size)
        table = n.double(n.count(cell, size * size + 1)[: size * size]).reshape((size, size))
        table = smooth(smooth(table, weights).T, weights).T
        ordered = -n.sort(-table.reshape(-1))
        share = xp.cumsum(ordered, 0) / ordered.sum()
        level = ordered[
            n.search(
                share,
                xp.asarray([0.5, 0.9])
                if library != "vt" and library not in ("torch", "torch.compile")
                else lib.to_tensor([0.5, 0.9], dtype="float64")
                if library == "vt"
                else lib.tensor([0.5, 0.9], dtype=lib.float64),
            )
        ]
        return table, level, n.whole(table >= level[0]).sum()

    return runner.call(run, x, y, edges, weights)


# ---- 125 50,000 places in a table of steam: uneven rows and columns, between four entries, slopes too
@program
def steam(library, runner):
    rng, lib = RNG(241), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, rows, columns = 50000, 60, 80
    p, t = np.cumsum(rng.uniform(0.5, 2, rows)), np.cumsum(rng.uniform(0.5, 2, columns))
    table = np.log1p(p)[:, None] * np.sqrt(t) + 0.1 * rng.random((rows, columns))
    a, b = rng.uniform(-1, p[-1] + 1, count), rng.uniform(-1, t[-1] + 1, count)

    def run(p, t, table, a, b):
        i = xp.clip(n.search(p, a) - 1, 0, rows - 2)
        j = xp.clip(n.search(t, b) - 1, 0, columns - 2)
        u, v = (a - p[i]) / (p[i + 1] - p[i]), (b - t[j]) / (t[j + 1] - t[j])
        low = table[i, j] * (1 - v) + table[i, j + 1] * v
        high = table[i + 1, j] * (1 - v) + table[i + 1, j + 1] * v
        return low + (high - low) * u, (high - low) / (p[i + 1] - p[i])

    return runner.call(run, p, t, table, a, b)


# ---- 126 40 shares over 1,500 days: beta, correlation and spread in windows of 60 days, the highest of 20 days
@program
def betas(library, runner):
    rng, lib = RNG(242), runner.lib
    n = Names(library, lib)
    xp = n.xp
    shares, days, window = 40, 1500, 60
    market = 0.01 * rng.standard_normal(days)
    gain = market * rng.uniform(0.5, 1.5, (shares, 1)) + 0.01 * rng.standard_normal((shares, days))

    def windows(x, size):
        total = xp.cumsum(x, -1)
        total = n.cat([0 * total[..., :1], total], total.ndim - 1)
        return (total[..., size:] - total[..., :-size]) / size

    def run(gain, market):
        x, y = windows(market, window), windows(gain, window)
        xx, yy, xy = windows(market * market, window), windows(gain * gain, window), windows(gain * market, window)
        varx, vary = xx - x * x, xp.clip(yy - y * y, 1e-12, 1.0)
        cov = xy - x * y
        price = xp.exp(xp.cumsum(gain, 1))
        if library == "np":
            high = np.lib.stride_tricks.sliding_window_view(price, 20, 1).max(-1)
        elif library == "jax":
            high = lib.lax.reduce_window(price, -np.inf, lib.lax.max, (1, 20), (1, 1), "VALID")
        elif library == "vt":
            high = lib.unfold(price, 1, 20, 1).max(-1)
        else:
            high = price.unfold(1, 20, 1).amax(-1)
        return cov / varx, cov / xp.sqrt(varx * vary), xp.sqrt(vary * 252), price[:, 19:] / high - 1

    return runner.call(run, gain, market)


# ---- 127 a secret text of 6,000 letters: how long its key is, which key fits the language best, for lengths 1 to 12
@program
def cipher(library, runner):
    rng, lib = RNG(243), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, longest = 6000, 12
    common = rng.dirichlet(np.ones(26))
    text = (rng.choice(26, size, p=common) + rng.integers(0, 26, 7)[np.arange(size) % 7]) % 26
    place = np.arange(size)
    turned = np.stack([np.roll(common, k) for k in range(26)])

    def run(text, place, turned):
        scores, keys = [], []
        for length in range(1, longest + 1):
            table = n.double(n.count(place % length * 26 + text, 26 * length)).reshape((length, 26))
            total = n.sum(table, 1, True)
            scores.append(((table * (table - 1)).sum(1) / (total[:, 0] * (total[:, 0] - 1))).mean())
            share = table / total
            chi = ((share[:, None] - turned) ** 2 / (turned + 1e-3)).sum(2)
            keys.append(chi.argmin(1))
        scores = xp.stack(scores)
        return scores, scores.argmax(0), n.cat(keys)

    return runner.call(run, text, place, turned)


# ---- 128 24 channels of a brain for 1,024 moments: a band, its envelope, how much phases agree, complex128
@program
def brain(library, runner):
    rng, lib = RNG(244), runner.lib
    n = Names(library, lib)
    xp = n.xp
    channels, moments = 24, 1024
    signal = np.cumsum(rng.standard_normal((channels, moments)), 1) * 0.1 + rng.standard_normal((channels, moments))
    f = np.fft.fftfreq(moments, 1 / 250)
    band = 2.0 * np.exp(-(((f - 10) / 2) ** 2)) * (f > 0)

    def run(signal, band):
        analytic = xp.fft.ifft(xp.fft.fft(signal) * band)
        envelope = xp.abs(analytic)
        phase = analytic / envelope
        locking = xp.abs(phase @ xp.conj(phase).T) / moments
        z = envelope - n.mean(envelope, 1, True)
        cov = z @ z.T / moments
        spread = xp.sqrt((z * z).mean(1))
        return envelope, locking, cov / spread[:, None] / spread

    return runner.call(run, signal, band)
