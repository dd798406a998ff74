"""Ten more programs, as users would write them: radar, bandits, graphs, boosting, deblurring, swarms, eigenvalues, tokens, shops, fits."""

import numpy as np

from .first import RNG, Torch
from .second import LIBRARIES, f32  # noqa: F401
from .thirteenth import TORCH, arrays_of

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def stepwise(library, runner, run, step, *arrays):
    """`run(step, *arrays)`, compiled whole; torch.compile has the step alone, as loops take it minutes."""
    if library == "torch.compile":
        once = runner.lib.compile(step)
        return Torch.call(runner, lambda *given: run(once, *given), *arrays)
    return runner.call(lambda *given: run(step, *given), *arrays)


# ---- 61 what a radar sees: distances and speeds from 64 chirps, echoes that stand out of their surroundings
@program
def radar(library, runner):
    rng, lib = RNG(161), runner.lib
    chirps, samples, near, guard = 64, 300, 12, 3
    when, pulse = np.arange(samples) / samples, np.arange(chirps)[:, None]
    echoes = sum(a * np.cos(2 * np.pi * (d * when + v * pulse)) for a, d, v in ((1, 31, 0.1), (0.4, 77.3, 0.33)))
    seen = (echoes + rng.standard_normal((chirps, samples))).astype(np.float32)
    window = np.hamming(samples).astype(np.float32)
    xp = arrays_of(library, lib)
    cat = xp.concat if library in ("vt", *TORCH) else xp.concatenate
    along = {"dim": 0} if library in TORCH else {"axis": 0}

    def run(seen, window):
        spectrum = xp.fft.fft(xp.fft.rfft(seen * window), **along)
        power = xp.real(spectrum) ** 2 + xp.imag(spectrum) ** 2
        far = power.shape[1]
        sums = xp.cumsum(cat([0 * power[:, :1], power], 1), 1)
        wide = sums[:, 2 * near + 1 :] - sums[:, : far - 2 * near]
        inner = sums[:, near + guard + 1 : far + guard - near + 1] - sums[:, near - guard : far - near - guard]
        noise = (wide - inner) / (2 * (near - guard))
        middle = power[:, near : far - near]
        found = middle > 9 * noise
        return xp.log10(power + 1e-6), found, found.sum(0)

    return runner.call(run, seen, window)


# ---- 62 which of ten machines pays: 512 players, upper bounds of confidence, 200 rounds
@program
def bandits(library, runner):
    rng, lib = RNG(162), runner.lib
    players, arms, rounds = 512, 10, 200
    chances = rng.uniform(0.1, 0.7, (players, arms)).astype(np.float32)
    luck = rng.random((rounds, players)).astype(np.float32)
    who, xp = np.arange(players), arrays_of(library, lib)
    ones = np.ones((players, arms), np.float32)
    turns = np.log(np.arange(rounds) + 10.0).astype(np.float32)

    def step(counts, sums, turn, luck, chances, who):
        bound = sums / counts + xp.sqrt(2 * turn / counts)
        arm = bound.argmax(-1)
        won = luck < chances[who, arm]
        won = won.to(lib.float32) if library in TORCH else won.astype("float32")
        if library == "jax":
            return counts.at[who, arm].add(1), sums.at[who, arm].add(won), won
        counts[who, arm] = counts[who, arm] + 1
        sums[who, arm] = sums[who, arm] + won
        return counts, sums, won

    def run(step, chances, luck, ones, turns, who):
        if library == "jax":

            def one(state, given):
                counts, sums, won = step(*state, *given, chances, who)
                return (counts, sums), won.mean()

            (counts, sums), means = lib.lax.scan(one, (ones, ones * 0.5), (turns, luck))
            return counts, sums, means
        counts = ones.clone() if library in ("vt", *TORCH) else ones.copy()
        sums, means = ones * 0.5, []
        for t in range(rounds):
            counts, sums, won = step(counts, sums, turns[t], luck[t], chances, who)
            means.append(won.mean())
        return counts, sums, xp.stack(means)

    return stepwise(library, runner, run, step, chances, luck, ones, turns, who)


# ---- 63 which nodes of a graph look alike: colours refined by the neighbours' colours, int64
@program
def refinement(library, runner):
    rng, lib = RNG(163), runner.lib
    nodes, edges, rounds = 2000, 6000, 4
    a, b = rng.integers(0, nodes, edges), rng.integers(0, nodes, edges)
    a, b = np.concatenate([a, b]), np.concatenate([b, a])
    colours = np.zeros(nodes, np.int64)
    xp = arrays_of(library, lib)

    def mixed(x):
        x = (x * 1103515245 + 12345) % 2147483648
        return (x * (x // 65536 + 1)) % 2147483647

    def step(colours, a, b):
        sent = mixed(colours + 7)[a]
        if library == "jax":
            total = xp.zeros_like(colours).at[b].add(sent)
        elif library == "vt":
            total = lib.zeros_like(colours).index_add(b, 0, sent)
        elif library in TORCH:
            total = lib.zeros_like(colours).index_add(0, b, sent)
        else:
            total = np.zeros_like(colours)
            np.add.at(total, b, sent)
        return mixed(colours * 31 + mixed(total))

    def run(colours, a, b):
        sizes = []
        for _ in range(rounds):
            hashed = step(colours, a, b)
            more = {"size": nodes} if library == "jax" else {}
            _, colours = xp.unique(hashed, return_inverse=True, **more)
            sizes.append(colours.max() + 1)
        return colours, xp.stack(sizes)

    return runner.call(run, colours, a, b)


# ---- 64 boosted stumps: 25 rounds over 1,500 rows of 12 columns with 15 thresholds each, float64
@program
def stumps(library, runner):
    rng, lib = RNG(164), runner.lib
    rows, columns, cuts, rounds = 1500, 12, 15, 25
    x = rng.standard_normal((rows, columns))
    y = np.sign(x[:, 0] + 0.5 * x[:, 3] * x[:, 5] + 0.3 * rng.standard_normal(rows))
    places = np.quantile(x, np.arange(1, cuts + 1) / (cuts + 1), axis=0).T.copy()
    xp = arrays_of(library, lib)

    def step(w, score, says, y):
        wrong = (w[:, None] * (says != y[:, None])).sum(0)
        off = xp.abs(wrong - 0.5)
        best = off.argmax()
        error = wrong[best]
        alpha = 0.5 * xp.log((1 - error) / error)
        score = score + alpha * says[:, best]
        w = w * xp.exp(-alpha * y * says[:, best])
        return w / w.sum(), score, best

    def run(step, x, y, places):
        says = xp.where(x[:, :, None] > places, 1.0, -1.0)
        says = says.to(x.dtype) if library in TORCH else says.astype("float64")
        says = says.reshape((rows, columns * cuts))
        w, score = 0 * y + 1 / rows, 0 * y
        if library == "jax":
            body = lambda _, s: step(*s[:2], says, y)[:2]
            w, score = lib.lax.fori_loop(0, rounds, body, (w, score))
        else:
            for _ in range(rounds):
                w, score, _ = step(w, score, says, y)
        return score, (xp.sign(score) == y).sum()

    return stepwise(library, runner, run, step, x, y, places)


# ---- 65 pictures made sharp again: 15 steps of Richardson and Lucy with a blur of 9 x 9
@program
def deblur(library, runner):
    rng, lib = RNG(165), runner.lib
    if library == "np":
        return None
    size, steps = 9, 15
    i, j = np.mgrid[:96, :128]
    picture = (0.7 * ((i - 48) ** 2 + (j - 64) ** 2 < 900) + 0.2 * (i > 60) + 0.05)[None, None].repeat(3, 0)
    seen = (picture + 0.01 * rng.random(picture.shape)).astype(np.float32)
    k = np.exp(-((np.arange(size) - 4) ** 2) / 5)
    blur = (k[:, None] * k * (1 + 0.1 * rng.random((size, size))))[None, None].astype(np.float32)
    blur /= blur.sum()
    back = blur[:, :, ::-1, ::-1].copy()
    if library == "jax":
        conv = lambda x, f: lib.lax.conv(x, f, (1, 1), "SAME")
    else:
        conv = lambda x, f: lib.nn.functional.conv2d(x, f, padding=4)

    def step(u, seen, blur, back):
        return u * conv(seen / (conv(u, blur) + 1e-6), back)

    def run(step, seen, blur, back):
        u = 0 * seen + 0.5
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda _, u: step(u, seen, blur, back), u)
        for _ in range(steps):
            u = step(u, seen, blur, back)
        return u

    return stepwise(library, runner, run, step, seen, blur, back)


# ---- 66 a swarm looks for the lowest place: 200 particles in 12 dimensions, 100 moves
@program
def swarm(library, runner):
    rng, lib = RNG(166), runner.lib
    particles, size, moves = 200, 12, 100
    x, v = rng.uniform(-5, 5, (particles, size)).astype(np.float32), f32(rng, particles, size, scale=0.1)
    chance = rng.random((moves, 2, particles, size)).astype(np.float32)
    xp = arrays_of(library, lib)

    def height(x):
        return (x * x - 10 * xp.cos(2 * np.pi * x)).sum(-1) + 10 * size

    def step(x, v, own, low, chance):
        leader = own[low.argmin()]
        v = 0.72 * v + 1.49 * chance[0] * (own - x) + 1.49 * chance[1] * (leader - x)
        x = xp.clip(x + v, -5.12, 5.12)
        now = height(x)
        better = now < low
        return x, v, xp.where(better[:, None], x, own), xp.where(better, now, low)

    def run(step, x, v, chance):
        state = (x, v, x, height(x))
        if library == "jax":
            state = lib.lax.scan(lambda s, c: (step(*s, c), None), state, chance)[0]
        else:
            for k in range(moves):
                state = step(*state, chance[k])
        return state[3].min(), state[2].mean(0)

    made = stepwise(library, runner, run, step, x, v, chance)
    return made[0], lambda result: [np.minimum(np.asarray(made[1](result)[0]), 200.0)]  # the way is chaotic


# ---- 67 the ends of a sparse matrix' spectrum: 30 steps of Lanczos on rows of five numbers, float64
@program
def lanczos(library, runner):
    rng, lib = RNG(167), runner.lib
    high, wide, steps = 60, 50, 30
    n = high * wide
    i, j = np.divmod(np.arange(n), wide)
    right, down = rng.uniform(0.5, 1.5, (high, wide)), rng.uniform(0.5, 1.5, (high, wide))
    places, values = np.zeros((n, 5), np.int64), np.zeros((n, 5))
    for k, (di, dj) in enumerate(((0, 1), (0, -1), (1, 0), (-1, 0))):
        inside = (i + di >= 0) & (i + di < high) & (j + dj >= 0) & (j + dj < wide)
        places[:, k] = np.where(inside, (i + di) * wide + j + dj, np.arange(n))
        weight = (right, down)[k // 2][np.minimum(i, (i + di) % high), np.minimum(j, (j + dj) % wide)]
        values[:, k] = -np.where(inside, weight, 0)
    places[:, 4], values[:, 4] = np.arange(n), -values[:, :4].sum(1) + 0.1
    start = rng.standard_normal(n)
    start /= np.linalg.norm(start)
    xp = arrays_of(library, lib)

    def step(k, basis, places, values):
        w = (values * basis[k][places]).sum(1)
        alpha = (w * basis[k]).sum()
        w = w - basis.T @ (basis @ w)
        w = w - basis.T @ (basis @ w)
        beta = xp.sqrt((w * w).sum())
        return w / beta, alpha, beta

    def run(step, start, places, values):
        if library == "jax":

            def one(basis, k):
                w, alpha, beta = step(k, basis, places, values)
                return basis.at[k + 1].set(w), (alpha, beta)

            basis = xp.zeros((steps + 1, n)).at[0].set(start)
            _, (alphas, betas) = lib.lax.scan(one, basis, xp.arange(steps))
        else:
            basis = xp.zeros((steps + 1, n), dtype=start.dtype)
            basis[0] = start
            alphas, betas = [], []
            for k in range(steps):
                w, alpha, beta = step(k, basis, places, values)
                basis[k + 1] = w
                alphas.append(alpha)
                betas.append(beta)
            alphas, betas = xp.stack(alphas), xp.stack(betas)
        small = xp.diag(alphas) + xp.diag(betas[:-1], 1) + xp.diag(betas[:-1], -1)
        return xp.linalg.eigvalsh(small)

    return stepwise(library, runner, run, step, start, places, values)


# ---- 68 pieces of words: the most frequent pair becomes a token, 20 times, int64
@program
def merges(library, runner):
    rng, lib = RNG(168), runner.lib
    letters, count, length = 40, 20, 3000
    kinds = letters + count
    text = np.minimum(rng.geometric(0.12, length) - 1, letters - 1)
    xp = arrays_of(library, lib)

    def fixed(tokens):
        """For jax, whose arrays keep their sizes: what is left, and how much of it counts."""
        at = xp.arange(length)

        def one(state, new):
            tokens, left = state
            after = xp.roll(tokens, -1)
            inside = at + 1 < left
            counts = xp.bincount(xp.where(inside, tokens * kinds + after, kinds * kinds), length=kinds * kinds + 1)
            best = counts[:-1].argmax()
            pair = inside & (tokens == best // kinds) & (after == best % kinds)
            last = lib.lax.cummax(xp.where(pair, -1, at))
            pair = pair & ((at - last) % 2 == 1)
            keep = ~xp.roll(pair, 1) & (at < left)
            tokens = xp.where(pair, new, tokens)
            to = xp.where(keep, xp.cumsum(keep) - 1, length)
            return (xp.zeros_like(tokens).at[to].set(tokens, mode="drop"), keep.sum()), best

        (tokens, left), found = lib.lax.scan(one, (tokens, length), letters + xp.arange(count))
        return found, left, tokens.sum()

    def run(tokens):
        found = []
        for k in range(count):
            counts = xp.bincount(tokens[:-1] * kinds + tokens[1:], minlength=kinds * kinds)
            best = counts.argmax()
            pair = (tokens[:-1] == best // kinds) & (tokens[1:] == best % kinds)
            at = xp.arange(pair.shape[0])
            last = xp.where(pair, -1, at)
            if library == "np":
                last = np.maximum.accumulate(last)
            else:
                last = xp.cummax(last, 0)[0]
            pair = pair & ((at - last) % 2 == 1)
            ends = xp.zeros_like(pair[:1])
            cat = np.concatenate if library == "np" else xp.concat
            tokens = xp.where(cat([pair, ends]), letters + k, tokens)
            tokens = tokens[~cat([ends, pair])]
            found.append(best)
        return (
            xp.stack(found),
            xp.asarray(tokens.shape[0]) if library == "np" else xp.ones_like(tokens).sum(),
            tokens.sum(),
        )

    return runner.call(fixed if library == "jax" else run, text)


# ---- 69 what else a customer may like: a shallow autoencoder in closed form, the 20 best that are not yet bought
@program
def shop(library, runner):
    rng, lib = RNG(169), runner.lib
    customers, things, kept = 1500, 300, 20
    taste = f32(rng, customers, 6) @ f32(rng, 6, things)
    bought = (taste + 2 * rng.standard_normal(taste.shape) > 4.5).astype(np.float32)
    eye, xp = np.eye(things, dtype=np.float32), arrays_of(library, lib)

    def run(bought, eye):
        inverse = xp.linalg.inv(bought.T @ bought + 150 * eye)
        weights = -inverse / xp.diag(inverse) * (1 - eye)
        scores = xp.where(bought > 0, -1e9, bought @ weights)
        if library == "np":
            order = np.argsort(-scores, 1)[:, :kept]
            best = np.take_along_axis(scores, order, 1)
        elif library == "jax":
            best, order = lib.lax.top_k(scores, kept)
        else:
            best, order = lib.topk(scores, kept)
        return best, order, (weights > 0.01).sum(1)

    made = runner.call(run, bought, eye)
    return made[0], lambda result: [made[1](result)[0]]  # of equal scores any may come first


# ---- 70 a curve through answers of yes and no: 15 steps of L-BFGS with a line search, float64
@program
def quasi_newton(library, runner):
    rng, lib = RNG(170), runner.lib
    rows, size, kept, steps = 800, 30, 6, 15
    x = rng.standard_normal((rows, size)) * rng.uniform(0.2, 3, size)
    y = (x @ rng.standard_normal(size) + rng.standard_normal(rows) > 0).astype(np.float64)
    xp = arrays_of(library, lib)

    def loss(w, x, y):
        z = x @ w
        return (xp.log1p(xp.exp(-xp.abs(z))) + xp.where(z > 0, z, 0 * z) - y * z).mean() + 0.005 * (w * w).sum()

    def slope(w, x, y):
        return x.T @ (1 / (1 + xp.exp(-(x @ w))) - y) / rows + 0.01 * w

    def direction(g, moves, changes):
        q, rates = g, []
        for s, c in zip(moves[::-1], changes[::-1], strict=True):
            a = (s * q).sum() / (s * c).sum()
            q = q - a * c
            rates.append(a)
        if moves:
            q = q * (moves[-1] * changes[-1]).sum() / (changes[-1] * changes[-1]).sum()
        for s, c, a in zip(moves, changes, rates[::-1], strict=True):
            q = q + s * (a - (c * q).sum() / (s * c).sum())
        return -q

    def search(w, d, g, x, y):
        base, along = loss(w, x, y), (g * d).sum()
        if library == "jax":
            far = lambda t: loss(w + t * d, x, y) > base + 1e-4 * t * along
            return lib.lax.while_loop(far, lambda t: t / 2, 1.0)
        t = 1.0
        while loss(w + t * d, x, y) > base + 1e-4 * t * along:
            t = t / 2
        return t

    def run(x, y):
        w = 0 * x[0]
        g, moves, changes = slope(w, x, y), [], []
        for _ in range(steps):
            d = direction(g, moves, changes)
            t = search(w, d, g, x, y)
            new = w + t * d
            after = slope(new, x, y)
            moves.append(new - w)
            changes.append(after - g)
            if len(moves) > kept:
                moves.pop(0)
                changes.pop(0)
            w, g = new, after
        return w, loss(w, x, y)

    return runner.call(run, x, y)
