"""Sounds, pictures and series."""

import numpy as np

from .twentieth_frame import RNG, Names, f32, program, stepped_grad


# ---- how far 12 pairs of series are when time may bend (soft DTW): 40 by 40, along diagonals, gradient of one side, float64
@program
def bent_time(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2071), runner.lib
    n = Names(library, lib)
    xp = n.xp
    pairs, length, wide, soft = 12, 40, 3, 0.5
    x, y = rng.standard_normal((pairs, length, wide)), rng.standard_normal((pairs, length, wide))
    row = np.arange(length)
    at = np.clip(np.arange(2 * length - 1)[:, None] - row, 0, length - 1)
    there = (np.arange(2 * length - 1)[:, None] - row >= 0) & (np.arange(2 * length - 1)[:, None] - row < length)

    def step(one, two, cost, there):
        """The next diagonal from the last one and the one before."""
        far = 0 * one[:, :1] + 1e6
        left, up, both = one, n.cat([far, one[:, :-1]], 1), n.cat([far, two[:, :-1]], 1)
        least = xp.minimum(xp.minimum(left, up), both)
        total = xp.exp((least - left) / soft) + xp.exp((least - up) / soft) + xp.exp((least - both) / soft)
        new = cost + least - soft * xp.log(total)
        return xp.where(there, new, 0 * new + 1e6), one

    def loss(step, x, y, row, at, there):
        cost = ((x[:, :, None] - y[:, None]) ** 2).sum(3)
        cost = n.swap(cost[:, row, at], 1, 0, 2)
        first = xp.where(there[0], cost[0], 0 * cost[0] + 1e6)
        one, two = first, 0 * first + 1e6
        if library == "jax":
            (one, _), _ = lib.lax.scan(lambda s, g: (step(*s, *g), None), (one, two), (cost[1:], there[1:]))
        else:
            for k in range(1, 2 * length - 1):
                one, two = step(one, two, cost[k], there[k])
        return one[:, -1].mean()

    return stepped_grad(library, runner, loss, step, 1, x, y, row, at, there)


# ---- how big the grains of a picture are: what goes and comes again under squares of 3 to 13 (openings), float32
@program
def grains(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2072), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, widths = 128, (3, 5, 7, 9, 11, 13)
    picture = rng.random((1, 1, size // 4, size // 4)).repeat(4, 2).repeat(4, 3).astype(np.float32)
    picture = picture + 0.2 * f32(rng, 1, 1, size, size)

    def run(picture):
        sums, before = [picture.mean()], picture
        for w in widths:
            thin = -n.max_pool(-picture, w, 1, w // 2)
            before = n.max_pool(thin, w, 1, w // 2)
            sums.append(before.mean())
        sums = xp.stack(sums)
        return (sums[:-1] - sums[1:]) / sums[0], picture - before

    return runner.call(run, picture)


# ---- how eight pairs of pictures of 96 x 96 are shifted: angles of frequencies, the peak between pixels, float64
@program
def shifted_pictures(library, runner):
    rng, lib = RNG(2073), runner.lib
    n = Names(library, lib)
    xp = n.xp
    pairs, size = 8, 96
    one = rng.random((pairs, size, size))
    two = np.stack([np.roll(p, (k + 2, 3 * k), (0, 1)) for k, p in enumerate(one)]) + 0.1 * rng.random(one.shape)
    window = np.outer(np.hanning(size), np.hanning(size))

    def between(a, b, c):
        return 0.5 * (a - c) / (a - 2 * b + c)

    def run(one, two, window):
        a, b = xp.fft.rfft2(one * window), xp.fft.rfft2(two * window)
        cross = b * a.conj()
        alike = xp.fft.irfft2(cross / (xp.abs(cross) + 1e-9)).reshape((pairs, -1))
        peak = alike.argmax(1)
        y, x = peak // size, peak % size

        def at(dy, dx):
            return n.pick(alike, ((y + dy) % size * size + (x + dx) % size)[:, None], 1)[:, 0]

        middle = at(0, 0)
        fine_y = n.double(y) + between(at(-1, 0), middle, at(1, 0))
        fine_x = n.double(x) + between(at(0, -1), middle, at(0, 1))
        half = size / 2
        return (fine_y + half) % size - half, (fine_x + half) % size - half, middle

    return runner.call(run, one, two, window)


# ---- 64 rows of 512 numbers sorted by a network of comparisons (bitonic): 45 rounds, float32
@program
def comparisons(library, runner):
    rng, lib = RNG(2074), runner.lib
    n = Names(library, lib)
    xp = n.xp
    rows, count = 64, 512
    levels = 9
    x = f32(rng, rows, count)

    def run(x):
        for level in range(1, levels + 1):
            for part in range(level - 1, -1, -1):
                reach = 1 << part
                pair = x.reshape((rows, -1, 2, reach))
                low, high = xp.minimum(pair[:, :, 0], pair[:, :, 1]), xp.maximum(pair[:, :, 0], pair[:, :, 1])
                groups = 1 << (level - part - 1)
                low = low.reshape((rows, -1, groups, reach))
                high = high.reshape((rows, -1, groups, reach))
                if level < levels:
                    low, high = low.reshape((rows, -1, 2, groups, reach)), high.reshape((rows, -1, 2, groups, reach))
                    up = xp.stack([low[:, :, 0], high[:, :, 0]], 3)
                    down = xp.stack([high[:, :, 1], low[:, :, 1]], 3)
                    x = xp.stack([up, down], 2).reshape((rows, count))
                else:
                    x = xp.stack([low, high], 3).reshape((rows, count))
        return x

    return runner.call(run, x)


# ---- prints of a text of 30,000 letters: rolling hashes of 8 letters, the least of each 16, which ones are kept, int64
@program
def prints_of_texts(library, runner):
    rng, lib = RNG(2075), runner.lib
    n = Names(library, lib)
    xp = n.xp
    length, run_of, window, prime = 30_000, 8, 16, 1_000_003
    text = rng.integers(97, 123, length)
    text[20_000:24_000] = text[3_000:7_000]

    def run(text):
        value = 0 * text[run_of - 1 :]
        for k in range(run_of):
            value = (value * 257 + text[k : length - run_of + 1 + k]) % prime
        mixed = (value * 2654435761) % 4294967296
        least = mixed[: -window + 1]
        for k in range(1, window):
            least = xp.minimum(least, mixed[k : k + len(least)])
        kept = n.whole(least[1:] != least[:-1]).sum() + 1
        ordered = n.sort(least)
        different = n.whole(ordered[1:] != ordered[:-1]).sum() + 1
        part = n.count(least % 1024, 1024)
        return least, kept, different, part

    return runner.call(run, text)


# ---- a picture of 72 x 96 in 48 pieces alike in colour and near (SLIC): each pixel asks nine centres, five rounds
@program
def pieces(library, runner):
    rng, lib = RNG(2076), runner.lib
    n = Names(library, lib)
    xp = n.xp
    high, wide, rounds = 72, 96, 5
    rows, columns = 6, 8
    colour = rng.random((rows, columns, 3)).repeat(12, 0).repeat(12, 1) + 0.1 * rng.standard_normal((high, wide, 3))
    y, x = np.mgrid[:high, :wide].astype(np.float64)
    pixels = np.concatenate([colour.reshape(-1, 3), 0.03 * np.stack([y, x], -1).reshape(-1, 2)], 1)
    cell_y, cell_x = (y // 12).astype(np.int64), (x // 12).astype(np.int64)
    asks = [
        np.clip(cell_y + i, 0, rows - 1) * columns + np.clip(cell_x + j, 0, columns - 1)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    ]
    asks = np.stack(asks, -1).reshape(-1, 9)
    first = pixels.reshape(rows, 12, columns, 12, 5).mean((1, 3)).reshape(-1, 5)

    def step(centres, pixels, asks):
        far = ((pixels[:, None] - centres[asks]) ** 2).sum(2)
        label = n.pick(asks, far.argmin(1)[:, None], 1)[:, 0]
        total = n.add_at(0 * centres, label, pixels)
        count = n.count(label, rows * columns)
        return total / xp.clip(n.double(count), 1, 1e9)[:, None], label

    def run(step, centres, pixels, asks):
        if library == "jax":
            return lib.lax.scan(lambda s, _: (step(s[0], pixels, asks), None), (centres, asks[:, 4]), None, rounds)[0]
        for _ in range(rounds):
            centres, label = step(centres, pixels, asks)
        return centres, label

    return runner.stepwise(run, step, first, pixels, asks)


# ---- lines among 1,500 points: votes for 120 angles and 200 distances, hills of votes, the ten best (Hough), float64
@program
def lines(library, runner):
    rng, lib = RNG(2077), runner.lib
    n = Names(library, lib)
    xp = n.xp
    points, angles, bins = 1500, 120, 200
    x, y = rng.random((2, points)) * 100
    y[:300], y[300:600] = 0.5 * x[:300] + 10, 90 - x[300:600]
    angle = np.arange(angles) * np.pi / angles

    def best(votes):
        if library == "np":
            at = np.argsort(-votes, kind="stable")[:10]
            return votes[at], at
        return lib.lax.top_k(votes, 10) if library == "jax" else lib.topk(votes, 10)

    def run(x, y, angle, number):
        far = x[:, None] * xp.cos(angle) + y[:, None] * xp.sin(angle)
        at = xp.clip(n.whole(xp.floor((far + 142) * (bins / 284))), 0, bins - 1)
        votes = n.count((number * bins + at).reshape(-1), angles * bins).reshape((angles, bins))
        highest = votes
        for by, axis in ((1, 0), (-1, 0), (1, 1), (-1, 1)):
            highest = xp.maximum(highest, n.roll(votes, by, axis))
        hills = xp.where(votes == highest, votes, 0 * votes)
        found, place = best(hills.reshape(-1))
        return found, angle[place[:2] // bins].sum(), votes

    return runner.call(run, x, y, angle, np.arange(angles))


# ---- what 12 pictures of 64 x 64 look like: slopes by angle in cells of 8 x 8, blocks of four made even (HOG), float32
@program
def slopes_by_angle(library, runner):
    rng, lib = RNG(2078), runner.lib
    n = Names(library, lib)
    xp = n.xp
    pictures, size, cell, bins = 12, 64, 8, 9
    cells = size // cell
    picture = rng.random((pictures, size, size)).astype(np.float32)
    kinds = np.arange(bins, dtype=np.float32)

    def run(picture, kinds):
        side, row = picture[:, :, :1], picture[:, :1]
        dx = n.cat([picture[:, :, 1:], picture[:, :, -1:]], 2) - n.cat([side, picture[:, :, :-1]], 2)
        dy = n.cat([picture[:, 1:], picture[:, -1:]], 1) - n.cat([row, picture[:, :-1]], 1)
        strong = xp.sqrt(dx * dx + dy * dy)
        angle = xp.atan2(dy, dx) * (bins / np.pi) % bins
        apart = xp.abs(angle[..., None] - kinds)
        share = xp.clip(1 - xp.minimum(apart, bins - apart), 0, 1) * strong[..., None]
        each = share.reshape((pictures, cells, cell, cells, cell, bins)).sum((2, 4))
        blocks = n.cat([each[:, :-1, :-1], each[:, 1:, :-1], each[:, :-1, 1:], each[:, 1:, 1:]], 3)
        blocks = blocks / xp.sqrt(n.sum(blocks * blocks, 3, True) + 1e-6)
        blocks = xp.clip(blocks, 0, 0.2)
        blocks = blocks / xp.sqrt(n.sum(blocks * blocks, 3, True) + 1e-6)
        return blocks.reshape((pictures, -1))

    return runner.call(run, picture, kinds)


# ---- a voice in 120 pieces of 240 moments as twelve numbers each (Levinson and Durbin), what is left over, float64
@program
def voice_numbers(library, runner):
    rng, lib = RNG(2079), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, long, order = 120, 240, 12
    sound = np.cumsum(rng.standard_normal((count, long)), 1) * 0.1 + rng.standard_normal((count, long))
    window = np.hamming(long)

    def run(sound, window):
        x = sound * window
        r = [(x[:, : long - k] * x[:, k:]).sum(1) for k in range(order + 1)]
        error, a = r[0] + 1e-9, []
        mirrors = []
        for k in range(order):
            top = r[k + 1]
            for j in range(k):
                top = top - a[j] * r[k - j]
            mirror = top / error
            a = [a[j] - mirror * a[k - 1 - j] for j in range(k)] + [mirror]
            error = error * (1 - mirror * mirror)
            mirrors.append(mirror)
        rest = x[:, order:]
        for k in range(order):
            rest = rest - a[k][:, None] * x[:, order - 1 - k : long - 1 - k]
        return xp.stack(a, 1), xp.stack(mirrors, 1), xp.log(error), (rest * rest).mean(1)

    return runner.call(run, sound, window)


# ---- a sound in four bits a moment (ADPCM): 2,000 moments of eight channels, steps that grow and shrink, int64
@program
def four_bits(library, runner):
    rng, lib = RNG(2080), runner.lib
    n = Names(library, lib)
    xp = n.xp
    moments, channels = 2000, 8
    sound = np.clip(8000 * np.sin(np.cumsum(0.1 * rng.standard_normal((moments, channels)), 0)), -32768, 32767)
    sound = sound.astype(np.int64)
    table = np.minimum(32767, np.floor(7 * 1.1 ** np.arange(89))).astype(np.int64)
    moves = np.array([-1, -1, -1, -1, 2, 4, 6, 8])

    def step(guess, index, x, table, moves):
        size = table[index]
        apart = x - guess
        code = xp.clip(xp.abs(apart) * 4 // size, 0, 7)
        change = size * (2 * code + 1) // 8
        guess = xp.clip(guess + xp.where(apart < 0, -change, change), -32768, 32767)
        return guess, xp.clip(index + moves[code], 0, 88), xp.where(apart < 0, code + 8, code)

    def run(step, sound, table, moves):
        guess, index = 0 * sound[0], 0 * sound[0]
        if library == "jax":

            def one(state, x):
                guess, index, code = step(*state, x, table, moves)
                return (guess, index), (code, guess)

            return lib.lax.scan(one, (guess, index), sound)[1]
        codes, guesses = [], []
        for k in range(moments):
            guess, index, code = step(guess, index, sound[k], table, moves)
            codes.append(code)
            guesses.append(guess)
        return xp.stack(codes), xp.stack(guesses)

    return runner.stepwise(run, step, sound, table, moves)


# ---- how far two clouds of 600 points are, seen from 48 sides (sliced): sorted shadows, gradient of one cloud, float32
@program
def seen_from_sides(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2081), runner.lib
    n = Names(library, lib)
    points, dim, sides = 600, 16, 48
    side = f32(rng, dim, sides)
    side /= np.linalg.norm(side, axis=0)

    def loss(x, y, side):
        a, b = n.sort(x @ side, 0), n.sort(y @ side, 0)
        return ((a - b) ** 2).mean()

    return runner.grad(loss, 1, f32(rng, points, dim), f32(rng, points, dim) * 1.5, side)


# ---- smooth curves through 300 series of 80 points: a tridiagonal system each, read at 500 places, float64
@program
def smooth_curves(library, runner):
    rng, lib = RNG(2082), runner.lib
    n = Names(library, lib)
    xp = n.xp
    knots, series, places = 80, 300, 500
    x = np.cumsum(rng.uniform(0.5, 1.5, knots))
    y, at = rng.standard_normal((knots, series)), np.sort(rng.uniform(x[0], x[-1], places))

    def bends(h, slope, zero):
        """Second derivatives, 0 at the ends."""
        if library == "jax":
            low = xp.concatenate([xp.zeros(1), h[1:-1]])
            high = xp.concatenate([h[1:-1], xp.zeros(1)])
            inside = lib.lax.linalg.tridiagonal_solve(low, 2 * (h[1:] + h[:-1]), high, 6 * (slope[1:] - slope[:-1]))
            return n.cat([zero[None], inside, zero[None]])
        if library != "vt":  # a full matrix is faster than single rows there
            square = xp.diag(2 * (h[1:] + h[:-1])) + xp.diag(h[1:-1], -1) + xp.diag(h[1:-1], 1)
            inside = xp.linalg.solve(square, 6 * (slope[1:] - slope[:-1]))
            return n.cat([zero[None], inside, zero[None]])
        right = 6 * (slope[1:] - slope[:-1])
        pivot, over, reached = 2 * (h[0] + h[1]), [], []
        value = right[0] / pivot
        reached.append(value)
        for k in range(1, knots - 2):
            over.append(h[k] / pivot)
            pivot = 2 * (h[k] + h[k + 1]) - h[k] * over[-1]
            value = (right[k] - h[k] * value) / pivot
            reached.append(value)
        found = [zero, reached[-1]]
        for k in range(knots - 4, -1, -1):
            found.append(reached[k] - over[k] * found[-1])
        found.append(zero)
        return xp.stack(found[::-1])

    def run(x, y, at):
        h = x[1:] - x[:-1]
        m = bends(h, (y[1:] - y[:-1]) / h[:, None], 0 * y[0])
        k = xp.clip(n.search(x, at) - 1, 0, knots - 2)
        wide, b = h[k][:, None], ((at - x[k]) / h[k])[:, None]
        a = 1 - b
        return a * y[k] + b * y[k + 1] + ((a**3 - a) * m[k] + (b**3 - b) * m[k + 1]) * (wide * wide / 6)

    return runner.call(run, x, y, at)
