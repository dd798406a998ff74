"""Tables, texts, pictures and sequences."""

import numpy as np

from .eighteenth_frame import RNG, Names, f32, program, put, times


# ---- 151 20,000 orders meet all offers with their key: an inner join with repeats, sums by kind
@program
def join(library, runner):
    rng, lib = RNG(341), runner.lib
    n = Names(library, lib)
    xp = n.xp
    orders, offers, keys, kinds = 20000, 8000, 6000, 40
    left, right = rng.integers(0, keys, orders), rng.integers(0, keys, offers)
    amount, price, kind = (
        rng.integers(1, 9, orders),
        np.round(rng.lognormal(2, 1, offers), 2),
        rng.integers(0, kinds, offers),
    )
    total = int((np.bincount(left, minlength=keys) * np.bincount(right, minlength=keys)).sum())

    def run(left, right, amount, price, kind):
        order = n.argsort(right, stable=True)
        key = right[order]
        low = n.search(key, left)
        count = n.search(key, left, right=True) - low
        number = xp.arange(left.shape[0])
        if library == "jax":
            row = xp.repeat(number, count, total_repeat_length=total)
        else:
            row = xp.repeat(number, count) if library == "np" else lib.repeat_interleave(number, count)
        first = xp.cumsum(count, 0) - count
        place = xp.arange(row.shape[0]) - first[row]
        other = order[low[row] + place]
        paid = amount[row] * price[other]
        return n.count(kind[other], kinds, paid), paid.sum(), row.sum()

    return runner.call(run, left, right, amount, price, kind)


# ---- 152 20 sensors, 1,000 moments: medians of 15 moments, how far from them is usual, what isn't
@program
def outliers(library, runner):
    rng, lib = RNG(342), runner.lib
    n = Names(library, lib)
    xp = n.xp
    sensors, moments, window = 20, 1000, 15
    x = np.cumsum(0.1 * rng.standard_normal((sensors, moments)), 1)
    x = x + (rng.random(x.shape) < 0.02) * 3.0
    at = np.arange(moments - window + 1)[:, None] + np.arange(window)

    def windows(x, at):
        if library == "np":
            return np.lib.stride_tricks.sliding_window_view(x, window, 1)
        if library == "jax":
            return x[:, at]
        return lib.unfold(x, 1, window, 1) if library == "vt" else x.unfold(1, window, 1)

    def median(x):
        if library in ("np", "jax"):
            return xp.median(x, -1)
        return x.median(-1) if library == "vt" else x.median(-1)[0]

    def run(x, at):
        pieces = windows(x, at)
        middle = median(pieces)
        usual = median(xp.abs(pieces - middle[..., None]))
        far = xp.abs(x[:, window // 2 : -(window // 2)] - middle) > 4 * 1.4826 * usual
        return middle, usual, n.whole(far).sum(1)

    return runner.call(run, x, at)


# ---- 153 all ends of a text of 4,001 letters in order: ranks that double their reach, int64
@program
def ends(library, runner):
    rng, lib = RNG(343), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size = 4001
    text = np.tile(rng.integers(0, 4, 1000), 5)[:size] + (rng.random(size) < 0.01)

    def step(rank, reach):
        later = n.cat([rank[reach:] + 1, 0 * rank[:reach]], 0)
        key = rank * (size + 2) + later
        order = n.argsort(key)
        ordered = key[order]
        new = xp.cumsum(n.whole(ordered[1:] != ordered[:-1]), 0)
        new = n.cat([0 * new[:1], new], 0)
        return put(library, 0 * rank, order, new)

    def run(text):
        rank, reach = text, 1
        while reach < size:
            rank = step(rank, reach)
            reach *= 2
        return rank, n.argsort(rank)

    return runner.call(run, text)


# ---- 154 strokes made one pixel thin (Zhang and Suen): a picture of 96 x 120, until nothing changes, bools
@program
def strokes(library, runner):
    rng, lib = RNG(344), runner.lib
    n = Names(library, lib)
    xp = n.xp
    high, wide = 96, 120
    y, x = np.meshgrid(np.arange(high), np.arange(wide), indexing="ij")
    picture = np.zeros((high, wide), bool)
    for _ in range(12):
        a, b, c = rng.uniform(10, 86), rng.uniform(10, 110), rng.uniform(0, 3.2)
        along, across = (y - a) * np.sin(c) + (x - b) * np.cos(c), (y - a) * np.cos(c) - (x - b) * np.sin(c)
        picture |= (np.abs(along) < 25) & (np.abs(across) < rng.uniform(1, 4))
    picture[[0, -1]] = False
    picture[:, [0, -1]] = False

    def half(p, first):
        ring = [n.roll(p, (i, j), (0, 1)) for i, j in
                ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))]  # fmt: skip
        count = sum(n.whole(r) for r in ring)
        turns = sum(n.whole(~a & b) for a, b in zip(ring, ring[1:] + ring[:1]))
        top, right, below, left = ring[0], ring[2], ring[4], ring[6]
        if first:
            stays = (top & right & below) | (right & below & left)
        else:
            stays = (top & right & left) | (top & below & left)
        return p & ~((count >= 2) & (count <= 6) & (turns == 1) & ~stays)

    def step(p):
        new = half(half(p, True), False)
        return new, (new != p).any()

    def run(step, p):
        if library == "jax":
            p, _ = lib.lax.while_loop(lambda s: s[1], lambda s: step(s[0]), (p, xp.asarray(True)))
            return p, n.whole(p).sum(1)
        moved = True
        while moved:
            p, moved = step(p)
        return p, n.whole(p).sum(1)

    return runner.stepwise(run, step, picture)


# ---- 155 a picture made narrower by its least visible seams: three seams of 90 x 121, float32
@program
def seams(library, runner):
    rng, lib = RNG(345), runner.lib
    n = Names(library, lib)
    xp = n.xp
    high, wide, count = 90, 121, 3
    picture = np.cumsum(np.cumsum(f32(rng, high, wide), 0), 1) / 50 + f32(rng, high, wide, scale=0.2)

    def down(cost, energy):
        edge = 0 * cost[:1] + 1e9
        left, right = n.cat([edge, cost[:-1]], 0), n.cat([cost[1:], edge], 0)
        three = xp.stack([left, cost, right])
        return energy + n.smallest(three, 0), three.argmin(0) - 1

    def one(down, picture):
        v = xp.abs(picture[1:] - picture[:-1])
        h = xp.abs(picture[:, 1:] - picture[:, :-1])
        energy = n.cat([v, 0 * v[:1]], 0) + n.cat([h, 0 * h[:, :1]], 1)
        if library == "jax":
            cost, ways = lib.lax.scan(down, energy[0], energy[1:])
            last = cost.argmin()

            def back(at, way):
                at = at + way[at]
                return at, at

            _, seam = lib.lax.scan(back, last, ways, reverse=True)
            seam = xp.concatenate([seam, last[None]])
        else:
            cost, ways = energy[0], []
            for k in range(1, high):
                cost, way = down(cost, energy[k])
                ways.append(way)
            at = cost.argmin()
            places = [at]
            for way in ways[::-1]:
                at = at + way[at]
                places.append(at)
            seam = xp.stack(places[::-1])
        column = xp.arange(picture.shape[1] - 1)
        kept = column + n.whole(column >= seam[:, None])
        return n.pick(picture, kept, 1), n.smallest(cost, 0)

    def run(down, picture):
        costs = []
        for _ in range(count):
            picture, cost = one(down, picture)
            costs.append(cost)
        return picture, xp.stack(costs)

    return runner.stepwise(run, down, picture)


# ---- 156 500 designs by three goals: which are beaten by none, then by none of the rest, and so on
@program
def fronts(library, runner):
    rng, lib = RNG(346), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count = 500
    goal = rng.random((count, 3))

    def step(rank, level, beats):
        alive = rank < 0
        beaten = (beats & alive[:, None]).any(0)
        return xp.where(alive & ~beaten, level, rank), level + 1

    def run(step, goal):
        a, b = goal[:, None], goal[None]
        beats = (a <= b).all(2) & (a < b).any(2)
        rank = n.whole(0 * goal[:, 0]) - 1
        if library == "jax":
            s = (rank, xp.zeros((), xp.int64))
            return lib.lax.while_loop(lambda s: (s[0] < 0).any(), lambda s: step(*s, beats), s)[0]
        level = 0 * rank[0]
        while (rank < 0).any():
            rank, level = step(rank, level, beats)
        return rank

    return runner.stepwise(run, step, goal)


# ---- 157 are 500 messages of 150 bytes whole: check sums by a table (CRC-32) and by two sums (Adler), int64
@program
def checks(library, runner):
    rng, lib = RNG(347), runner.lib
    messages, length = 500, 150
    text = rng.integers(0, 256, (length, messages))
    table = np.arange(256)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ 0xEDB88320, table >> 1)

    def step(k, crc, a, b, text, table):
        byte = text[k]
        crc = table[(crc ^ byte) & 255] ^ (crc >> 8)
        a = (a + byte) % 65521
        return crc, a, (b + a) % 65521

    def run(step, text, table):
        zero = 0 * text[0]
        s = (zero + 0xFFFFFFFF, zero + 1, zero)
        crc, a, b = times(library, lib, length, lambda k, *s: step(k, *s, text, table), s)
        return crc ^ 0xFFFFFFFF, (b << 16) | a

    if library == "torch.compile":
        return None  # one program per byte
    return runner.stepwise(run, step, text, table)


# ---- 158 a map of 9 x 11 cells arranges itself around 400 samples, one after another (Kohonen), float32
@program
def arranged(library, runner):
    rng, lib = RNG(348), runner.lib
    n = Names(library, lib)
    xp = n.xp
    high, wide, dim, samples = 9, 11, 12, 400
    x, cells = f32(rng, samples, dim), f32(rng, high * wide, dim)
    place = np.stack(np.meshgrid(np.arange(high), np.arange(wide), indexing="ij"), -1).reshape(-1, 2).astype(np.float32)
    rate = (0.5 * np.exp(-np.arange(samples) / 200)).astype(np.float32)
    reach = (4.0 * np.exp(-np.arange(samples) / 150)).astype(np.float32)

    def step(cells, x, rate, reach, place):
        best = ((cells - x) ** 2).sum(1).argmin(0)
        far = ((place - place[best]) ** 2).sum(1)
        pull = rate * xp.exp(-far / (2 * reach * reach))
        return cells + pull[:, None] * (x - cells), best

    def run(step, cells, x, rate, reach, place):
        if library == "jax":
            return lib.lax.scan(lambda c, g: step(c, *g, place), cells, (x, rate, reach))
        hits = []
        for k in range(samples):
            cells, best = step(cells, x[k], rate[k], reach[k], place)
            hits.append(best)
        return cells, xp.stack(hits)

    return runner.stepwise(run, step, cells, x, rate, reach, place)


# ---- 159 how long 150 letters' codes are (Huffman): the two rarest become one, until one is left, int64
@program
def codes(library, runner):
    rng, lib = RNG(349), runner.lib
    letters = 150
    often = np.floor(rng.lognormal(5, 1.5, letters)).astype(np.int64) + 1
    huge = 2**60
    weight = np.concatenate([often, np.full(letters - 1, huge)])

    def merge(k, weight, parent):
        a = weight.argmin(0)
        one = weight[a] + 0
        weight = put(library, weight, a, huge)
        b = weight.argmin(0)
        both = one + weight[b]
        weight = put(library, weight, b, huge)
        parent = put(library, parent, a, letters + k)
        parent = put(library, parent, b, letters + k)
        return put(library, weight, letters + k, both), parent

    def deeper(k, depth, parent):
        at = 2 * letters - 3 - k
        return put(library, depth, at, depth[parent[at]] + 1), parent

    def run(weight):
        weight, parent = weight + 0, 0 * weight
        often = weight[:letters] + 0
        _, parent = times(library, lib, letters - 1, merge, (weight, parent))
        depth, _ = times(library, lib, 2 * letters - 2, deeper, (0 * parent, parent))
        return depth[:letters], (depth[:letters] * often).sum()

    if library == "torch.compile":
        return None  # 450 scalars one by one
    return runner.call(run, weight)


# ---- 160 how sure a mean and a median are: 400 draws of 1,001 numbers, percentiles of both
@program
def drawn(library, runner):
    rng, lib = RNG(350), runner.lib
    n = Names(library, lib)
    xp = n.xp
    draws, size = 400, 1001
    x, at = rng.lognormal(0, 1, size), rng.integers(0, size, (draws, size))
    share = np.array([0.025, 0.5, 0.975])

    def run(x, at, share):
        drawn = x[at]
        mean = drawn.mean(1)
        middle = n.sort(drawn, 1)[:, size // 2]
        return xp.quantile(mean, share if library != "vt" else [0.025, 0.5, 0.975]), n.sort(middle)[10:391:190]

    return runner.call(run, x, at, share)


# ---- 161 eight queens: boards that grow row by row, only those without threats go on, int64
@program
def queens(library, runner):
    lib = runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, room = 8, 1024
    column = np.arange(size)

    def safe(columns, left, right, column):
        bit = 1 << column
        return ((columns[:, None] | left[:, None] | right[:, None]) & bit) == 0

    def run(column):
        zero = 0 * column[:1]
        columns, left, right, real = zero, zero, zero, zero == 0
        counts = []
        for _ in range(size):
            fits = safe(columns, left, right, column)
            if library == "jax":
                row, place = xp.nonzero(fits & real[:, None], size=room, fill_value=0)
                real = xp.arange(room) < (fits & real[:, None]).sum()
                counts.append(real.sum())
            else:
                row, place = xp.nonzero(fits) if library == "np" else lib.where(fits)
                row, place = row.reshape(-1), place.reshape(-1)
                counts.append(row.shape[0])
            bit = 1 << place
            columns, left, right = columns[row] | bit, (left[row] | bit) << 1, (right[row] | bit) >> 1
        return xp.stack(counts) if library == "jax" else columns.sum() * 0 + counts[-1]

    if library == "jax":
        return runner.call(lambda c: run(c)[-1], column)
    return runner.call(run, column)
