"""Simulations and data work of the tenth set."""

import numpy as np

from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401
from .tenth_networks import PROGRAMS, WEIGHTS, gradients, nhwc, over, program  # noqa: F401

# ---- 10 shallow water on a ring of a planet, float64


@program
def shallow(library, runner):
    rng, lib = RNG(110), runner.lib
    n, steps, dt, g, depth, f = 120, 60, 0.1, 9.81, 10.0, 0.05
    gx, gy = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    h = 0.5 * np.exp(-20 * (gx**2 + (gy - 0.2) ** 2)) + 0.01 * rng.standard_normal((n, n))
    u, v = np.zeros((n, n)), np.zeros((n, n))
    xp = lib.numpy if library == "jax" else lib
    if library == "torch" or library == "torch.compile":
        roll = lambda a, k, axis: lib.roll(a, k, axis)
    else:
        roll = lambda a, k, axis: xp.roll(a, k, axis=axis)

    def step(h, u, v):
        vbar = 0.25 * (v + roll(v, 1, 0) + roll(v, -1, 1) + roll(roll(v, 1, 0), -1, 1))
        ubar = 0.25 * (u + roll(u, -1, 0) + roll(u, 1, 1) + roll(roll(u, -1, 0), 1, 1))
        du = f * vbar - g * (h - roll(h, 1, 0)) - u * (roll(u, -1, 0) - roll(u, 1, 0)) / 2
        dv = -f * ubar - g * (h - roll(h, 1, 1)) - v * (roll(v, -1, 1) - roll(v, 1, 1)) / 2
        u, v = u + dt * du, v + dt * dv
        total = depth + h
        flux_x, flux_y = u * (total + roll(total, 1, 0)) / 2, v * (total + roll(total, 1, 1)) / 2
        h = h - dt * (roll(flux_x, -1, 0) - flux_x + roll(flux_y, -1, 1) - flux_y) * 0.1
        return h, u, v

    if library == "jax":
        run = lambda h, u, v: lib.lax.fori_loop(0, steps, lambda _, s: step(*s), (h, u, v))
    else:

        def run(h, u, v):
            for _ in range(steps):
                h, u, v = step(h, u, v)
            return h, u, v

    return runner.call(run, h, u, v)


# ---- 11 a liquid: forces from lists of neighbours


@program
def liquid(library, runner):
    rng, lib = RNG(111), runner.lib
    side, steps, dt, cut = 7, 30, 0.004, 2.0
    n, box = side**3, side * 1.15
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3) * 1.15
    x = (grid + 0.05 * rng.standard_normal((n, 3))).astype(np.float32)
    v = f32(rng, n, 3, scale=0.5)
    apart = x[:, None] - x[None]
    apart -= box * np.round(apart / box)
    near = ((apart**2).sum(-1) < (cut + 0.5) ** 2) & ~np.eye(n, dtype=bool)
    most = near.sum(1).max()
    neighbours = np.tile(np.arange(n)[:, None], (1, most))
    for k in range(n):
        found = np.flatnonzero(near[k])
        neighbours[k, : len(found)] = found
    xp = lib.numpy if library == "jax" else lib

    def force(x, neighbours):
        d = x[:, None] - x[neighbours]
        d = d - box * xp.round(d / box)
        r2 = (d * d).sum(-1)
        inside = (r2 > 0) & (r2 < cut * cut)
        safe = xp.where(inside, r2, xp.ones_like(r2))
        s6 = 1.0 / (safe * safe * safe)
        strength = xp.where(inside, 24.0 * s6 * (2.0 * s6 - 1.0) / safe, xp.zeros_like(r2))
        return (strength[:, :, None] * d).sum(1)

    def one(x, v, a, neighbours):
        v = v + 0.5 * dt * a
        x = x + dt * v
        x = x - box * xp.floor(x / box)
        a = force(x, neighbours)
        return x, v + 0.5 * dt * a, a

    if library == "jax":

        def run(x, v, neighbours):
            x, v, _ = lib.lax.fori_loop(0, steps, lambda _, s: one(*s, neighbours), (x, v, force(x, neighbours)))
            return x, v, (v * v).sum()
    else:

        def run(x, v, neighbours):
            a = force(x, neighbours)
            for _ in range(steps):
                x, v, a = one(x, v, a, neighbours)
            return x, v, (v * v).sum()

    return runner.call(run, x, v, neighbours)


# ---- 12 a net of springs: stiffness that fits, gradients through the loop, float64


@program
def net(library, runner):
    rng, lib = RNG(112), runner.lib
    side, steps, dt = 14, 80, 0.02
    n = side * side
    ids = np.arange(n).reshape(side, side)
    pairs = np.concatenate(
        [np.stack([ids[:-1].ravel(), ids[1:].ravel()], 1), np.stack([ids[:, :-1].ravel(), ids[:, 1:].ravel()], 1)]
    )
    a, b = pairs.T.copy()
    x0 = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), -1).reshape(
        n, 2
    ) + 0.1 * rng.standard_normal((n, 2))
    goal = x0 + 0.2 * rng.standard_normal((n, 2))
    stiff = 20 + rng.random(len(a))
    xp = lib.numpy if library == "jax" else lib

    def forces(x, stiff, a, b):
        d = x[b] - x[a]
        length = xp.sqrt((d * d).sum(-1))
        pull = (stiff * (length - 1.0) / length)[:, None] * d
        if library == "jax":
            return xp.zeros_like(x).at[a].add(pull).at[b].add(-pull)
        if library == "vt":
            return lib.index_add(lib.index_add(lib.zeros_like(x), a, 0, pull), b, 0, -pull)
        return lib.zeros_like(x).index_add(0, a, pull).index_add(0, b, -pull)

    def loss(w, x, goal, a, b):
        stiff, v = w[0], xp.zeros_like(x)
        if library == "jax":

            def one(state, _):
                x, v = state
                v = 0.99 * v + dt * forces(x, stiff, a, b)
                return (x + dt * v, v), None

            (x, v), _ = lib.lax.scan(one, (x, v), None, length=steps)
        else:
            for _ in range(steps):
                v = 0.99 * v + dt * forces(x, stiff, a, b)
                x = x + dt * v
        return ((x - goal) ** 2).mean()

    return runner.call(over(1, gradients(library, lib, loss)), stiff, x0, goal, a, b)


# ---- 13 smoke: advection back along the flow, pressure by Jacobi's iterations


@program
def smoke(library, runner):
    lib = runner.lib
    n, steps, rounds, dt = 72, 6, 20, 0.5
    gx, gy = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    s = np.exp(-((gx - 15) ** 2 + (gy - 36) ** 2) / 60).astype(np.float32)
    u, v = (2 * np.sin(gy / 9)).astype(np.float32), (2 * np.cos(gx / 7)).astype(np.float32)
    cx, cy = gx.astype(np.float32), gy.astype(np.float32)
    xp = lib.numpy if library == "jax" else lib
    if library in ("torch", "torch.compile"):
        roll, whole = lib.roll, lambda a: a.long()
        clip = lib.clamp
    else:
        roll = lambda a, k, axis: xp.roll(a, k, axis=axis)
        whole, clip = lambda a: a.astype("int64"), xp.clip

    def advect(q, u, v, cx, cy):
        x, y = clip(cx - dt * u, 0.0, n - 1.001), clip(cy - dt * v, 0.0, n - 1.001)
        i, j = whole(xp.floor(x)), whole(xp.floor(y))
        fx, fy = x - i, y - j
        top = q[i, j] * (1 - fy) + q[i, j + 1] * fy
        low = q[i + 1, j] * (1 - fy) + q[i + 1, j + 1] * fy
        return top * (1 - fx) + low * fx

    def around(p):
        return roll(p, 1, 0) + roll(p, -1, 0) + roll(p, 1, 1) + roll(p, -1, 1)

    def one(s, u, v, cx, cy):
        v = v + dt * 0.3 * s
        u, v, s = advect(u, u, v, cx, cy), advect(v, u, v, cx, cy), advect(s, u, v, cx, cy)
        div = 0.5 * (roll(u, -1, 0) - roll(u, 1, 0) + roll(v, -1, 1) - roll(v, 1, 1))
        if library == "jax":
            p = lib.lax.fori_loop(0, rounds, lambda _, p: (around(p) - div) * 0.25, xp.zeros_like(div))
        else:
            p = xp.zeros_like(div)
            for _ in range(rounds):
                p = (around(p) - div) * 0.25
        return s, u - 0.5 * (roll(p, -1, 0) - roll(p, 1, 0)), v - 0.5 * (roll(p, -1, 1) - roll(p, 1, 1))

    if library == "jax":
        run = lambda s, u, v, cx, cy: lib.lax.fori_loop(0, steps, lambda _, c: one(*c, cx, cy), (s, u, v))
    else:

        def run(s, u, v, cx, cy):
            for _ in range(steps):
                s, u, v = one(s, u, v, cx, cy)
            return s, u, v

    return runner.call(run, s, u, v, cx, cy)


# ---- 14 two pictures blended on a pyramid


@program
def pyramid(library, runner):
    rng, lib = RNG(114), runner.lib
    n = 208
    a, b = rng.random((1, 3, n, n)).astype(np.float32), rng.random((1, 3, n, n)).astype(np.float32)
    mask = np.zeros((1, 1, n, n), np.float32)
    mask[..., : n // 2] = 1
    row = np.array([1, 4, 6, 4, 1], np.float32) / 16
    kernel = np.outer(row, row).astype(np.float32)[None, None]
    if library == "jax":
        jax, jnp = lib, lib.numpy

        def blur(x, kernel):
            c = x.shape[-1]
            x = jnp.pad(x, ((0, 0), (2, 2), (2, 2), (0, 0)), mode="reflect")
            return jax.lax.conv_general_dilated(
                x,
                jnp.tile(kernel, (1, 1, 1, c)),
                (1, 1),
                "VALID",
                feature_group_count=c,
                dimension_numbers=("NHWC", "HWIO", "NHWC"),
            )

        down = lambda x, kernel: blur(x, kernel)[:, ::2, ::2]
        up = lambda x: jax.image.resize(x, (1, 2 * x.shape[1], 2 * x.shape[2], x.shape[3]), "bilinear")
        turn, kernel = nhwc, kernel.transpose(2, 3, 1, 0).copy()
    else:
        F = lib.nn.functional

        def blur(x, kernel):
            c = x.shape[1]
            x = F.pad(x, (2, 2, 2, 2), mode="reflect")
            filters = kernel.expand((c, 1, 5, 5)) if library == "vt" else kernel.expand(c, 1, 5, 5)
            return F.conv2d(x, filters, groups=c)

        down = lambda x, kernel: blur(x, kernel)[:, :, ::2, ::2]
        up = lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
        turn = lambda x: x

    def run(a, b, mask, kernel):
        first, second, masks = [a], [b], [mask]
        for _ in range(4):
            first.append(down(first[-1], kernel))
            second.append(down(second[-1], kernel))
            masks.append(down(masks[-1], kernel))
        made = first[-1] * masks[-1] + second[-1] * (1 - masks[-1])
        for k in (3, 2, 1, 0):
            fine = (first[k] - up(first[k + 1])) * masks[k] + (second[k] - up(second[k + 1])) * (1 - masks[k])
            made = up(made) + fine
        return made.clip(0, 1)

    return runner.call(run, turn(a), turn(b), turn(mask), kernel)


# ---- 15 words without a dictionary: hashed pieces, means of embeddings


@program
def subwords(library, runner):
    rng, lib = RNG(115), runner.lib
    words, length, buckets, dim = 1500, 14, 16001, 32
    sizes = rng.integers(4, length + 1, words)
    letters = np.where(np.arange(length) < sizes[:, None], rng.integers(97, 123, (words, length)), 0)
    table, topics = f32(rng, buckets, dim), f32(rng, 40, dim)
    xp = lib.numpy if library == "jax" else lib
    if library == "jax":
        cat, real = lambda a: xp.concatenate(a, 1), lambda a: a.astype(xp.float32)
    elif library == "vt":
        cat, real = lambda a: lib.concat(a, 1), lambda a: a.astype("float32")
    else:
        cat, real = lambda a: lib.cat(a, 1), lambda a: a.float()

    def run(letters, table, topics):
        places, used = [], []
        for n in (3, 4, 5):
            code = xp.zeros_like(letters[:, : length - n + 1])
            for k in range(n):
                code = (code * 257 + letters[:, k : length - n + 1 + k]) % buckets
            places.append(code)
            used.append(letters[:, n - 1 :] > 0)
        places, used = cat(places), real(cat(used))
        vectors = (table[places] * used[:, :, None]).sum(1) / used.sum(1)[:, None]
        unit = vectors / xp.sqrt((vectors * vectors).sum(1)[:, None])
        scores = unit @ (topics / xp.sqrt((topics * topics).sum(1)[:, None])).T
        return scores.argmax(1), scores.max(1) if library not in ("torch", "torch.compile") else scores.amax(1)

    return runner.call(run, letters, table, topics)


# ---- 16 sensors: running means and deviations, outliers left out


@program
def sensors(library, runner):
    rng, lib = RNG(116), runner.lib
    steps, count, rate = 700, 48, 0.03
    x = (np.cumsum(0.1 * rng.standard_normal((steps, count)), 0) + rng.standard_normal((steps, count))).astype(
        np.float32
    )
    x += 8 * (rng.random((steps, count)) < 0.01).astype(np.float32)
    xp = lib.numpy if library == "jax" else lib

    def one(mean, var, now):
        score = (now - mean) / xp.sqrt(var + 1e-6)
        odd = xp.abs(score) > 4.0
        diff = now - mean
        mean = xp.where(odd, mean, mean + rate * diff)
        var = xp.where(odd, var, (1 - rate) * (var + rate * diff * diff))
        return mean, var, score, odd

    if library == "jax":

        def run(x):
            def step(state, now):
                mean, var, score, odd = one(*state, now)
                return (mean, var), (score, odd)

            (mean, var), (scores, odd) = lib.lax.scan(step, (x[0], xp.ones_like(x[0])), x)
            return mean, var, scores, odd.sum(0)
    else:

        def run(x):
            mean, var, scores, odds = x[0], xp.ones_like(x[0]), [], []
            for t in range(x.shape[0]):
                mean, var, score, odd = one(mean, var, x[t])
                scores.append(score)
                odds.append(odd)
            odds = xp.stack(odds)
            return mean, var, xp.stack(scores), odds.sum(0) if library != "vt" else odds.astype("int64").sum(0)

    return runner.call(run, x)


# ---- 17 the nearest neighbours vote


@program
def neighbours(library, runner):
    rng, lib = RNG(117), runner.lib
    known, asked, dim, k, kinds = 3000, 250, 20, 13, 9
    x, labels, q = f32(rng, known, dim), rng.integers(0, kinds, known), f32(rng, asked, dim)
    xp = lib.numpy if library == "jax" else lib

    def run(x, labels, q):
        d = (q * q).sum(1)[:, None] - 2 * (q @ x.T) + (x * x).sum(1)[None]
        if library == "jax":
            near, at = lib.lax.top_k(-d, k)
            near = -near
        else:
            near, at = lib.topk(d, k, largest=False)
        weight = 1 / (xp.sqrt(xp.clip(near, 0, None) if library == "jax" else near.clip(0)) + 1e-3)
        if library == "jax":
            hot = lib.nn.one_hot(labels[at], kinds)
        elif library == "vt":
            hot = lib.nn.functional.one_hot(labels[at], kinds)
        else:
            hot = lib.nn.functional.one_hot(labels[at], kinds).float()
        votes = (weight[:, :, None] * hot).sum(1)
        return votes.argmax(1), votes / votes.sum(1)[:, None]

    return runner.call(run, x, labels, q)


# ---- 18 topics of texts: non-negative factors, multiplicative updates


@program
def topics(library, runner):
    rng, lib = RNG(118), runner.lib
    texts, words, rank, rounds = 260, 190, 14, 30
    v = rng.poisson(0.6, (texts, words)).astype(np.float32)
    w, h = (0.1 + rng.random((texts, rank))).astype(np.float32), (0.1 + rng.random((rank, words))).astype(np.float32)

    def one(v, w, h):
        h = h * (w.T @ (v / (w @ h + 1e-6))) / (w.sum(0)[:, None] + 1e-6)
        w = w * ((v / (w @ h + 1e-6)) @ h.T) / (h.sum(1)[None] + 1e-6)
        return w, h

    if library == "jax":

        def run(v, w, h):
            w, h = lib.lax.fori_loop(0, rounds, lambda _, s: one(v, *s), (w, h))
            return w, h, ((v - w @ h) ** 2).mean()
    else:

        def run(v, w, h):
            for _ in range(rounds):
                w, h = one(v, w, h)
            return w, h, ((v - w @ h) ** 2).mean()

    return runner.call(run, v, w, h)


# ---- 19 molecules that react, one reaction at a time


@program
def reactions(library, runner):
    rng, lib = RNG(119), runner.lib
    runs, most, end = 700, 120, 1.0
    draws = rng.random((most, 2, runs)).astype(np.float32)
    prey = np.full(runs, 20, np.float32)
    hunters = np.full(runs, 10, np.float32)
    xp = lib.numpy if library == "jax" else lib

    def one(k, time, prey, hunters, draws):
        born, eaten, dead = 1.0 * prey, 0.05 * prey * hunters, 0.8 * hunters
        total = born + eaten + dead
        wait = -xp.log(draws[k, 0] + 1e-12) / (total + 1e-12)
        which = draws[k, 1] * total
        active = (time + wait < end) & (total > 0)
        first, second = which < born, which < born + eaten
        prey = xp.where(active, xp.where(first, prey + 1, xp.where(second, prey - 1, prey)), prey)
        hunters = xp.where(active, xp.where(first, hunters, xp.where(second, hunters + 1, hunters - 1)), hunters)
        return xp.where(active, time + wait, end + xp.zeros_like(time)), prey, hunters

    if library == "jax":

        def run(prey, hunters, draws):
            def step(s):
                return (s[0] + 1, *one(*s, draws))

            def going(s):
                return (s[0] < most) & (s[1] < end).any()

            k, time, prey, hunters = lib.lax.while_loop(going, step, (0, xp.zeros_like(prey), prey, hunters))
            return prey, hunters, prey.mean(), hunters.mean()
    else:

        def run(prey, hunters, draws):
            k, time = 0, xp.zeros_like(prey)
            while k < most and (time < end).any():
                time, prey, hunters = one(k, time, prey, hunters, draws)
                k += 1
            return prey, hunters, prey.mean(), hunters.mean()

    return runner.call(run, prey, hunters, draws)


# ---- 20 visits: sessions by gaps in time, sums of sessions


@program
def visits(library, runner):
    rng, lib = RNG(120), runner.lib
    events, users = 12000, 400
    user, when = rng.integers(0, users, events), rng.integers(0, 86400, events)
    spent = rng.random(events)
    xp = lib.numpy if library == "jax" else lib

    def run(user, when, spent):
        order = xp.argsort(user * 100000 + when)
        user, when, spent = user[order], when[order], spent[order]
        gap = (user[1:] != user[:-1]) | (when[1:] - when[:-1] > 1800)
        if library == "jax":
            start = xp.concatenate([xp.ones(1, bool), gap]).astype(xp.int64)
            session = xp.cumsum(start) - 1
            sums = lib.ops.segment_sum(spent, session, events, indices_are_sorted=True)
            counts = lib.ops.segment_sum(xp.ones_like(spent), session, events, indices_are_sorted=True)
            total = lib.ops.segment_sum(sums[session] / counts[session], user, users)
        elif library == "vt":
            start = lib.concat([lib.ones([1], dtype="int64"), gap.astype("int64")])
            session = lib.cumsum(start, 0) - 1
            zero = lib.zeros([events], dtype="float64")
            sums = lib.index_add(zero, session, 0, spent)
            counts = lib.index_add(zero, session, 0, lib.ones_like(spent))
            total = lib.index_add(lib.zeros([users], dtype="float64"), user, 0, sums[session] / counts[session])
        else:
            start = lib.cat([lib.ones(1, dtype=lib.int64), gap.long()])
            session = lib.cumsum(start, 0) - 1
            zero = lib.zeros(events, dtype=lib.float64)
            sums = zero.index_add(0, session, spent)
            counts = zero.index_add(0, session, lib.ones_like(spent))
            total = lib.zeros(users, dtype=lib.float64).index_add(0, user, sums[session] / counts[session])
        return sums, total, start.sum()

    return runner.call(run, user, when, spent)
