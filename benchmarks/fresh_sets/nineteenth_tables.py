"""Tables: groups, bins, ranks, graphs, neighbours."""

import numpy as np

from .nineteenth_frame import RNG, TORCH, Names, f32, program


# ---- 60,000 sales of 800 shops: counts, means, spreads, extremes, skewness, sales too far from their shop's mean
@program
def shops(library, runner):
    rng, lib = RNG(1941), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, groups = 60000, 800
    shop = np.concatenate([np.arange(groups), rng.integers(0, groups, count - groups)])
    paid = np.round(rng.lognormal(3, 0.7, count), 2)

    def extremes(shop, paid):
        if library == "jax":
            return lib.ops.segment_min(paid, shop, groups), lib.ops.segment_max(paid, shop, groups)
        if library == "np":
            low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
            np.minimum.at(low, shop, paid)
            np.maximum.at(high, shop, paid)
            return low, high
        zero = n.zeros((groups,))
        low = xp.scatter_reduce(zero, 0, shop, paid, "amin", include_self=False)
        return low, xp.scatter_reduce(zero, 0, shop, paid, "amax", include_self=False)

    def run(shop, paid):
        number, total = n.count(shop, groups), n.count(shop, groups, paid)
        mean = total / number
        away = paid - mean[shop]
        spread = xp.sqrt(n.count(shop, groups, away * away) / (number - 1))
        low, high = extremes(shop, paid)
        score = away / spread[shop]
        return number, mean, spread, low, high, n.whole(score > 3).sum(), n.count(shop, groups, score**3) / number

    return runner.call(run, shop, paid)


# ---- 12 measures of 4,000 loans in ten bins of equal size each: good and bad loans in them, weights of evidence
@program
def loans(library, runner):
    rng, lib = RNG(1942), runner.lib
    n = Names(library, lib)
    xp = n.xp
    measures, rows, bins = 12, 4000, 10
    x = rng.standard_normal((measures, rows)) * rng.uniform(0.5, 3, (measures, 1))
    bad = (rng.random(rows) < 1 / (1 + np.exp(1.5 - 0.5 * x[0] - 0.2 * x[3]))).astype(np.float64)
    share, row = np.arange(1, bins) / bins, np.arange(measures)[:, None]

    def bin_of(edges, x):
        if library == "np":
            return np.stack([np.searchsorted(e, values) for e, values in zip(edges, x)])
        if library == "jax":
            return lib.vmap(xp.searchsorted)(edges, x)
        return xp.searchsorted(edges, x)

    def run(x, bad, share, row):
        if library == "vt":
            edges = lib.quantile(x, [k / bins for k in range(1, bins)], axis=1).T
        elif library in TORCH:
            edges = lib.quantile(x, share, dim=1).T.contiguous()
        else:
            edges = xp.quantile(x, share, axis=1).T
        key = (row * bins + bin_of(edges, x)).reshape(-1)
        number = n.double(n.count(key, measures * bins)).reshape((measures, bins))
        each = n.count(key, measures * bins, (bad + 0 * x).reshape(-1)).reshape((measures, bins))
        good = (number - each + 0.5) / (rows - bad.sum())
        each = (each + 0.5) / bad.sum()
        evidence = xp.log(good / each)
        return evidence, ((good - each) * evidence).sum(1), evidence.reshape(-1)[key].reshape((measures, rows)).sum(0)

    return runner.call(run, x, bad, share, row)


# ---- 300 leaves beside 1,500 known ones: distances, the seven nearest, votes by nearness, how many are right, float32
@program
def leaves_of_trees(library, runner):
    rng, lib = RNG(1943), runner.lib
    n = Names(library, lib)
    xp = n.xp
    known, asked, features, kinds, k = 1500, 300, 16, 8, 7
    middle = f32(rng, kinds, features)
    kind, truth = rng.integers(0, kinds, known), rng.integers(0, kinds, asked)
    x, q = middle[kind] + f32(rng, known, features), middle[truth] + f32(rng, asked, features)
    number = np.arange(kinds)

    def nearest(q, x):
        if library == "vt" or library in TORCH:
            return lib.topk(lib.cdist(q, x), k, 1, largest=False)
        square = (q * q).sum(1)[:, None] - 2 * q @ x.T + (x * x).sum(1)
        if library == "jax":
            far, at = lib.lax.top_k(-square, k)
            return xp.sqrt(xp.maximum(-far, 0)), at
        at = np.argpartition(square, k, 1)[:, :k]
        return np.sqrt(np.maximum(np.take_along_axis(square, at, 1), 0)), at

    def run(x, kind, q, truth, number):
        far, at = nearest(q, x)
        votes = xp.where(kind[at][:, :, None] == number, (1 / (far + 0.1))[:, :, None], xp.zeros_like(far)[:, :, None])
        votes = votes.sum(1)
        chosen = votes.argmax(1)
        return chosen, votes, n.whole(chosen == truth).sum()

    return runner.call(run, x, kind, q, truth, number)


# ---- which of 3,000 pages are read most: chances pass along 20,000 links until they rest; the ten highest
@program
def pages(library, runner):
    rng, lib = RNG(1944), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count, links = 3000, 20000
    source = np.sort(rng.integers(0, count - 50, links))
    target = np.minimum((rng.pareto(1.0, links) * 40).astype(np.int64), count - 1)
    out = np.bincount(source, minlength=count)
    ends = (out == 0).astype(np.float64)
    share = 1 / np.maximum(out, 1)[source]
    chance = np.full(count, 1 / count)

    def step(chance, source, target, share, ends):
        sent = chance[source] * share
        if library == "np":
            got = np.bincount(target, sent, count)
        elif library == "jax":
            got = lib.ops.segment_sum(sent, target, count)
        else:
            got = n.add_at(xp.zeros_like(chance), target, sent)
        return 0.85 * (got + (chance * ends).sum() / count) + 0.15 / count

    def highest(chance):
        if library == "np":
            at = np.argsort(-chance)[:10]
            return chance[at], at
        return lib.lax.top_k(chance, 10) if library == "jax" else lib.topk(chance, 10)

    def run(step, chance, source, target, share, ends):
        given = (source, target, share, ends)
        if library == "jax":

            def body(state):
                new = step(state[0], *given)
                return new, xp.abs(new - state[0]).sum()

            chance, _ = lib.lax.while_loop(lambda s: s[1] > 1e-9, body, (chance, 1.0))
        else:
            change = 1.0
            while change > 1e-9:
                new = step(chance, *given)
                change = xp.abs(new - chance).sum()
                chance = new
        best, at = highest(chance)
        return chance, best, at

    return runner.stepwise(run, step, chance, source, target, share, ends)


# ---- 300 questions with 64 answers each in a model's order: gains by rank, first hits, precision, area under the curve
@program
def answers_ranked(library, runner):
    rng, lib = RNG(1945), runner.lib
    n = Names(library, lib)
    xp = n.xp
    questions, answers, top = 300, 64, 10
    worth = rng.choice(4, (questions, answers), p=[0.8, 0.1, 0.06, 0.04])
    worth[:, 0] = 1
    score = worth + 1.5 * rng.standard_normal((questions, answers))
    rank = np.arange(1, answers + 1).astype(np.float64)

    def run(worth, score, rank):
        ordered = n.pick(worth, n.argsort(-score, 1), 1)
        discount = 1 / xp.log2(rank + 1)
        gain = ((2.0**ordered - 1) * discount)[:, :top].sum(1)
        best = ((2.0 ** -n.sort(-worth, 1) - 1) * discount)[:, :top].sum(1)
        hit = n.double(ordered > 0)
        hits = xp.cumsum(hit, 1)
        number = hits[:, -1]
        precision = (hits / rank * hit).sum(1) / number
        first = 1 / (hit.argmax(1) + 1)
        area = ((1 - hit) * hits).sum(1) / (number * (answers - number))
        return gain / best, first, precision, area, (gain / best).mean(), precision.mean()

    return runner.call(run, worth, score, rank)


# ---- how many letters 96 pairs of words of 40 letters differ by: a row of the table at a time
@program
def misspelt(library, runner):
    rng, lib = RNG(1946), runner.lib
    n = Names(library, lib)
    xp = n.xp
    pairs, length = 96, 40
    one = rng.integers(0, 12, (pairs, length))
    two = np.where(rng.random((pairs, length)) < 0.2, rng.integers(0, 12, (pairs, length)), np.roll(one, 2, 1))
    place = np.arange(length + 1)

    def step(row, letter, two, place):
        """The next row of the table: replaced or removed, then added letters from the left."""
        best = xp.minimum(row[:, 1:] + 1, row[:, :-1] + n.whole(two != letter[:, None]))
        best = n.cat([row[:, :1] + 1, best], 1)
        return n.cummin(best - place, 1) + place

    def run(step, one, two, place):
        row = 0 * one[:, :1] + place
        if library == "jax":
            row, _ = lib.lax.scan(lambda row, letter: (step(row, letter, two, place), None), row, one.T)
        else:
            for k in range(length):
                row = step(row, one[:, k], two, place)
        return row[:, -1], n.double(row[:, -1]).mean()

    return runner.stepwise(run, step, one, two, place)
