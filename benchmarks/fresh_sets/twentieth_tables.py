"""Tables, texts and groups: float64 and int64."""

import numpy as np

from .twentieth_frame import RNG, Names, f32, program, stepped


# ---- 40,000 clicks of 900 visitors in order: visits end after half an hour, how long and how many clicks each
@program
def visits_apart(library, runner):
    rng, lib = RNG(2051), runner.lib
    n = Names(library, lib)
    xp = n.xp
    clicks, visitors, most = 40_000, 900, 16_000
    who, when = rng.integers(0, visitors, clicks), rng.integers(0, 60_000, clicks)

    def run(who, when):
        order = n.argsort(who * 1_000_000 + when)
        who, when = who[order], when[order]
        new = (who[1:] != who[:-1]) | (when[1:] - when[:-1] > 1800)
        visit = n.cat([0 * who[:1], xp.cumsum(n.whole(new), 0)])
        size = n.count(visit, most)
        first = n.scatter_least(0 * size + 10**9, visit, when)
        last = n.scatter_most(0 * size - 1, visit, when)
        there = size > 0
        long = xp.where(there, last - first, 0 * first)
        owner = n.scatter_most(0 * size, visit, who)
        per = n.count(xp.where(there, owner, 0 * owner + visitors), visitors + 1)[:visitors]
        return visit[-1] + 1, size, long, per, n.double(long).sum() / n.double(there).sum()

    return runner.call(run, who, when)


# ---- five signs of 40 shares over 1,000 days: fast and slow means that fade, strength, bands of 20 days
@program
def signs_of_shares(library, runner):
    rng, lib = RNG(2052), runner.lib
    n = Names(library, lib)
    xp = n.xp
    days, shares = 1000, 40
    price = 100 * np.exp(np.cumsum(0.01 * rng.standard_normal((days, shares)), 0))

    def step(fast, slow, sign, up, down, price, before):
        fast, slow = fast + 2 / 13 * (price - fast), slow + 2 / 27 * (price - slow)
        sign = sign + 0.2 * (fast - slow - sign)
        moved = price - before
        up = up + (xp.clip(moved, 0, 1e9) - up) / 14
        down = down + (xp.clip(-moved, 0, 1e9) - down) / 14
        return fast, slow, sign, up, down

    def shown(fast, slow, sign, up, down):
        return fast - slow - sign, 100 * up / (up + down + 1e-12)

    def bands(price):
        one = n.cat([0 * price[:1], xp.cumsum(price, 0)], 0)
        two = n.cat([0 * price[:1], xp.cumsum(price * price, 0)], 0)
        mean, square = (one[20:] - one[:-20]) / 20, (two[20:] - two[:-20]) / 20
        return (price[19:] - mean) / xp.sqrt(xp.clip(square - mean * mean, 1e-12, 1e12))

    def run(step, price):
        state = (price[0], price[0], 0 * price[0], 0 * price[0], 0 * price[0])
        if library == "jax":

            def one(state, given):
                state = step(*state, *given)
                return state, shown(*state)

            gap, strength = lib.lax.scan(one, state, (price[1:], price[:-1]))[1]
            return gap, strength, bands(price)
        gap, strength = [], []
        for k in range(1, days):
            state = step(*state, price[k], price[k - 1])
            a, b = shown(*state)
            gap.append(a)
            strength.append(b)
        return xp.stack(gap), xp.stack(strength), bands(price)

    return runner.stepwise(run, step, price)


# ---- 20,000 bookings: how many others each meets, the most at once and when, how long something is taken at all
@program
def bookings(library, runner):
    rng, lib = RNG(2053), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count = 20_000
    start = rng.random(count) * 3000
    end = start + rng.exponential(1.0, count)

    def run(start, end):
        starts, ends = n.sort(start), n.sort(end)
        meets = n.search(starts, end) - n.search(ends, start, True) - 1
        at_once = n.search(starts, starts, True) - n.search(ends, starts, True)
        order = n.argsort(start)
        reach = n.cummax(end[order], 0)
        free = xp.clip(starts[1:] - reach[:-1], 0, 1e9)
        return meets, at_once.argmax(), starts[at_once.argmax()], reach[-1] - starts[0] - free.sum()

    return runner.call(run, start, end)


# ---- how many claims 5,000 drivers make: Poisson's model by weighted squares until nothing moves, deviance, errors
@program
def claims(library, runner):
    rng, lib = RNG(2054), runner.lib
    n = Names(library, lib)
    xp = n.xp
    rows, columns = 5000, 16
    x = np.concatenate([np.ones((rows, 1)), 0.5 * rng.standard_normal((rows, columns - 1))], 1)
    years = rng.uniform(0.2, 1, rows)
    y = rng.poisson(years * np.exp(x @ (0.3 * rng.standard_normal(columns)))).astype(np.float64)

    def step(beta, x, years, y):
        mean = years * xp.exp(x @ beta)
        square = x.T @ (x * mean[:, None])
        move = xp.linalg.solve(square, x.T @ (y - mean))
        return beta + move, xp.abs(move).max()

    def run(step, x, years, y):
        beta = 0 * x[0]
        if library == "jax":

            def body(state):
                return *step(state[0], x, years, y), state[2] + 1

            beta, _, rounds = lib.lax.while_loop(lambda s: s[1] > 1e-9, body, (beta, 1.0, 0))
        else:
            moved, rounds = 1.0, 0
            while moved > 1e-9:
                beta, moved = step(beta, x, years, y)
                rounds += 1
        mean = years * xp.exp(x @ beta)
        some = xp.where(y > 0, y, 0 * y + 1)
        deviance = 2 * (xp.where(y > 0, y * xp.log(some / mean), 0 * y) - (y - mean)).sum()
        errors = xp.sqrt(xp.linalg.inv(x.T @ (x * mean[:, None])).diagonal())
        return beta, deviance, errors, rounds

    return stepped(library, runner, run, step, x, years, y)


# ---- which of 500 points stand close (DBSCAN): who has six near ones, the least number goes around until none moves
@program
def crowds(library, runner):
    rng, lib = RNG(2055), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count = 500
    where = rng.standard_normal((count, 2)) * 0.25 + rng.integers(0, 5, (count, 2))

    def step(label, joined):
        spread = xp.where(joined, label, 0 * label + count)
        return xp.minimum(label, n.smallest(spread, 1))

    def run(step, where, number):
        square = (where * where).sum(1)
        near = square[:, None] + square - 2 * where @ where.T < 0.04
        core = near.sum(1) >= 6
        joined = near & core & core[:, None]
        label = xp.where(core, number, 0 * number + count)
        if library == "jax":

            def body(state):
                new = step(state[0], joined)
                return new, (new != state[0]).any()

            label = lib.lax.while_loop(lambda s: s[1], body, (label, True))[0]
        else:
            moves = True
            while moves:
                new = step(label, joined)
                moves = (new != label).any()
                label = new
        beside = n.smallest(xp.where(near & core, label, 0 * label + count), 1)
        label = xp.where(core, label, beside)
        return label, n.count(label, count + 1), core.sum()

    return runner.stepwise(run, step, where, np.arange(count))


# ---- what 32 diaries of 60 days hide: five states, 12 words, forward and backward, all chances anew (Baum and Welch)
@program
def hidden_states(library, runner):
    rng, lib = RNG(2056), runner.lib
    n = Names(library, lib)
    xp = n.xp
    diaries, days, states, words = 32, 60, 5, 12
    told = rng.integers(0, words, (days, diaries))
    move, speak = rng.dirichlet(np.ones(states), states), rng.dirichlet(np.ones(words), states)
    first = rng.dirichlet(np.ones(states))

    def forward(a, move, seen):
        a = (a @ move) * seen
        total = n.sum(a, 1, True)
        return a / total, total

    def backward(b, move, seen, total):
        return ((b * seen) @ move.T) / total

    def run(told, move, speak, first):
        seen = speak.T[told]
        a = first * seen[0]
        total = n.sum(a, 1, True)
        a = a / total
        if library == "jax":

            def one(a, s):
                a, total = forward(a, move, s)
                return a, (a, total)

            _, (later, totals) = lib.lax.scan(one, a, seen[1:])
            alpha, totals = n.cat([a[None], later]), n.cat([total[None], totals])
            last = xp.ones_like(a)
            earlier = lib.lax.scan(
                lambda b, g: ((b := backward(b, move, *g)), b), last, (seen[1:], totals[1:]), reverse=True
            )[1]
            beta = n.cat([earlier, last[None]])
        else:
            alpha, totals = [a], [total]
            for k in range(1, days):
                a, total = forward(a, move, seen[k])
                alpha.append(a)
                totals.append(total)
            beta = [xp.ones_like(a)]
            for k in range(days - 1, 0, -1):
                beta.append(backward(beta[-1], move, seen[k], totals[k]))
            alpha, totals, beta = xp.stack(alpha), xp.stack(totals), xp.stack(beta[::-1])
        gamma = alpha * beta
        gamma = gamma / n.sum(gamma, 2, True)
        pairs = xp.einsum("tdi,tdj->ij", alpha[:-1], seen[1:] * beta[1:] / totals[1:]) * move
        said = n.add_at(0 * speak.T, told.reshape(-1), gamma.reshape((-1, states))).T
        return pairs / n.sum(pairs, 1, True), said / n.sum(said, 1, True), n.mean(gamma[0], 0), xp.log(totals).sum()

    return runner.call(run, told, move, speak, first)


# ---- parts of 240 pictures (non-negative factors): 12 parts of 200 pixels, 40 rounds, float32
@program
def parts_of_pictures(library, runner):
    rng, lib = RNG(2057), runner.lib
    n = Names(library, lib)
    xp = n.xp
    pictures, pixels, parts, rounds = 240, 200, 12, 40
    x = np.abs(f32(rng, pictures, parts) @ f32(rng, parts, pixels))
    w, h = rng.random((pictures, parts)).astype(np.float32), rng.random((parts, pixels)).astype(np.float32)

    def step(w, h, x):
        h = h * (w.T @ x) / (w.T @ w @ h + 1e-9)
        return w * (x @ h.T) / (w @ (h @ h.T) + 1e-9), h

    def run(step, w, h, x):
        if library == "jax":
            w, h = lib.lax.fori_loop(0, rounds, lambda k, s: step(*s, x), (w, h))
        else:
            for _ in range(rounds):
                w, h = step(w, h, x)
        return w, h, xp.sqrt(((x - w @ h) ** 2).mean())

    return runner.stepwise(run, step, w, h, x)


# ---- how long 4,000 patients of three groups stay well: shares by Kaplan and Meier, are the groups alike (log-rank)
@program
def well(library, runner):
    rng, lib = RNG(2058), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, groups, days = 4000, 3, 365
    day, ill = rng.integers(1, days, count), rng.integers(0, 2, count)
    group = rng.integers(0, groups, count)

    def run(day, ill, group):
        at = group * days + day
        seen = n.double(n.count(at, groups * days)).reshape((groups, days))
        fell = n.count(at, groups * days, n.double(ill)).reshape((groups, days))
        risk = n.sum(seen, 1, True) - xp.cumsum(seen, 1) + seen
        some = xp.clip(risk, 1, 1e9)
        stays = xp.cumprod(1 - fell / some, 1)
        unsure = stays * xp.sqrt(xp.cumsum(fell / (some * xp.clip(risk - fell, 1, 1e9)), 1))
        all_risk, all_fell = risk.sum(0), fell.sum(0)
        share = risk / xp.clip(all_risk, 1, 1e9)
        apart = (fell - share * all_fell).sum(1)[:-1]
        factor = all_fell * (all_risk - all_fell) / xp.clip(all_risk - 1, 1, 1e9)
        spread = (xp.einsum("at,bt->ab", share * -factor, share))[:-1, :-1]
        both = (share * factor).sum(1)[:-1]
        spread = spread + xp.diag(both)
        medians = (stays > 0.5).sum(1)
        return stays, unsure, medians, apart @ xp.linalg.solve(spread, apart)

    return runner.call(run, day, ill, group)


# ---- 60,000 keys in little room: counts by four hashes of 2,048 cells, how many different ones (HyperLogLog), int64
@program
def little_room(library, runner):
    rng, lib = RNG(2059), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, width, registers = 60_000, 2048, 1024
    keys = (rng.zipf(1.3, count) % 50_000).astype(np.int64)
    factors, adds = rng.integers(1, 2**30, 4), rng.integers(0, 2**30, 4)

    def hashed(keys, factor, add):
        x = (keys * factor + add) % 2147483647
        x = (n.xor(x, x >> 15) * 73244475) % 2147483647
        return n.xor(x, x >> 13)

    def run(keys, factors, adds):
        least = None
        for k in range(4):
            cell = hashed(keys, factors[k], adds[k]) % width
            found = n.count(cell, width)[cell]
            least = found if least is None else xp.minimum(least, found)
        mixed = hashed(keys, factors[0], adds[1])
        rest = n.double((mixed >> 10) + 1)
        zeros = 21 - n.whole(xp.floor(xp.log2(rest + 0.5)))
        most = n.scatter_most(xp.zeros_like(mixed[:registers]), mixed % registers, zeros)
        raw = 0.7213 / (1 + 1.079 / registers) * registers**2 / (2.0 ** -n.double(most)).sum()
        empty = n.double(most == 0).sum()
        small = registers * xp.log(registers / xp.clip(empty, 1, 1e9))
        return least, xp.where((raw < 2.5 * registers) & (empty > 0), small, raw), most

    return runner.call(run, keys, factors, adds)


# ---- which of five widths and smoothness fit 320 points best: all left out one by one by the eigenvalues of a kernel
@program
def left_out(library, runner):
    rng, lib = RNG(2060), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, columns = 320, 4
    x = rng.standard_normal((count, columns))
    y = np.sin(x.sum(1)) + 0.1 * rng.standard_normal(count)
    smooth = np.logspace(-3, 1, 9)

    def run(x, y, smooth):
        square = (x * x).sum(1)
        far = xp.clip(square[:, None] + square - 2 * x @ x.T, 0, 1e9)
        values, vectors = xp.linalg.eigh(xp.exp(-far / 8))
        share = 1 / (values + smooth[:, None])
        inside = vectors.T @ y
        weights = (share * inside) @ vectors.T
        diagonal = share @ (vectors * vectors).T
        wrong = ((weights / diagonal) ** 2).mean(1)
        best = wrong.argmin()
        return wrong, best, weights[best]

    return runner.call(run, x, y, smooth)


# ---- 64 investors, 30 shares: 60 steps along the slope, each put back to weights from 0 that add to 1 (by sorting)
@program
def weights_of_one(library, runner):
    rng, lib = RNG(2061), runner.lib
    n = Names(library, lib)
    xp = n.xp
    investors, shares, steps = 64, 30, 60
    returns = 0.01 * rng.standard_normal((250, shares))
    mean, spread = returns.mean(0) * 20, np.cov(returns.T) * 250
    brave, first = rng.uniform(0.02, 2, (investors, 1)), np.full((investors, shares), 1 / shares)
    number = np.arange(1.0, shares + 1)

    def step(w, mean, spread, brave, number):
        v = w - 0.8 * (w @ spread - brave * mean)
        u = -n.sort(-v, 1)
        total = xp.cumsum(u, 1) - 1
        kept = n.double(u - total / number > 0).sum(1)
        level = n.pick(total, n.whole(kept)[:, None] - 1, 1) / kept[:, None]
        return xp.clip(v - level, 0, 1)

    def run(step, w, mean, spread, brave, number):
        if library == "jax":
            w = lib.lax.fori_loop(0, steps, lambda k, w: step(w, mean, spread, brave, number), w)
        else:
            for _ in range(steps):
                w = step(w, mean, spread, brave, number)
        return w, w @ mean, xp.sqrt((w @ spread * w).sum(1)), n.double(w > 1e-9).sum(1)

    return runner.stepwise(run, step, first, mean, spread, brave, number)
