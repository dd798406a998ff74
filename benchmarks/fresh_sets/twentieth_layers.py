"""What networks with unusual layers compute; the weights come after the data. float32."""

import numpy as np

from .twentieth_frame import RNG, WEIGHTS, Names, f32, filters, linear, program

WEIGHTS |= {"involved": 1, "shuffled": 1, "letters_of_words": 1, "heard": 1, "pages_of_memory": 5}


# ---- filters that each place makes for itself (involution): eight pictures of 32 x 32, three layers
@program
def involved(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2001), runner.lib
    n = Names(library, lib)
    batch, size, wide, groups, reach, depth, classes = 8, 32, 32, 4, 3, 3, 10
    taps = reach * reach
    weights = [*filters(rng, 3, wide, 3, 3)]
    for _ in range(depth):
        weights += filters(rng, wide, 8, 1, 1) + filters(rng, 8, groups * taps, 1, 1) + filters(rng, wide, wide, 1, 1)
    weights += linear(rng, wide, classes)

    def involve(x, a, b, c, d):
        made = n.conv2d(n.relu(n.conv2d(x, a, bias=b)), c, bias=d).reshape((batch, groups, 1, taps, size, size))
        if library == "jax":
            padded = n.xp.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
            seen = [padded[:, :, i : i + size, j : j + size] for i in range(reach) for j in range(reach)]
            seen = [s.reshape((batch, groups, -1, size, size)) for s in seen]
            return sum(made[:, :, :, k] * s for k, s in enumerate(seen)).reshape(x.shape)
        if library == "vt":
            seen = n.F.unfold(x, reach, paddings=1)
        else:
            seen = n.F.unfold(x, reach, padding=1)
        seen = seen.reshape((batch, groups, wide // groups, taps, size, size))
        return (made * seen).sum(3).reshape(x.shape)

    def run(x, *weights):
        x = n.relu(n.conv2d(x, weights[0], padding=1, bias=weights[1]))
        for k in range(depth):
            a, b, c, d, e, f = weights[2 + 6 * k : 8 + 6 * k]
            x = x + n.relu(n.conv2d(n.relu(involve(x, a, b, c, d)), e, bias=f))
        return x.mean((2, 3)) @ weights[-2] + weights[-1]

    return runner.call(run, f32(rng, batch, 3, size, size), *weights)


# ---- halves of the channels go through, halves are filtered, then both are mixed (ShuffleNet): one picture, six units
@program
def shuffled(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2002), runner.lib
    n = Names(library, lib)
    weights, plan = [*filters(rng, 3, 24, 3, 3)], []
    wide = 24
    for out, repeat in ((64, 3), (128, 3)):
        half = out // 2
        for k in range(repeat):
            if k == 0:
                weights += filters(rng, wide, wide, 3, 3, groups=wide) + filters(rng, wide, half, 1, 1)
            inside = wide if k == 0 else half
            weights += filters(rng, inside, half, 1, 1) + filters(rng, half, half, 3, 3, groups=half)
            weights += filters(rng, half, half, 1, 1)
            plan.append(k == 0)
        wide = out
    weights += filters(rng, wide, 256, 1, 1) + linear(rng, 256, 100)

    def mixed(x):
        b, c, h, w = x.shape
        return n.swap(x.reshape((b, 2, c // 2, h, w)), 0, 2, 1, 3, 4).reshape((b, c, h, w))

    def run(x, *weights):
        given = iter(weights)

        def conv(x, stride=1, padding=0, deep=False):
            w, b = next(given), next(given)
            return n.conv2d(x, w, stride, padding, x.shape[1] if deep else 1, bias=b)

        x = n.max_pool(n.relu(conv(x, 2, 1)), 3, 2, 1)
        for first in plan:
            if first:
                kept = n.relu(conv(conv(x, 2, 1, True)))
                y = x
            else:
                half = x.shape[1] // 2
                kept, y = x[:, :half], x[:, half:]
            y = n.relu(conv(y))
            y = n.relu(conv(conv(y, 2 if first else 1, 1, True)))
            x = mixed(n.cat([kept, y], 1))
        x = n.relu(conv(x)).mean((2, 3))
        return x @ next(given) + next(given)

    return runner.call(run, f32(rng, 1, 3, 112, 112), *weights)


# ---- 96 words by their letters: filters of one to six letters, their largest, two highways, a smaller vector
@program
def letters_of_words(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2003), runner.lib
    n = Names(library, lib)
    words, longest, letters, dim = 96, 18, 70, 16
    counts = (16, 16, 32, 48, 64, 80)
    whole = sum(counts)
    text = rng.integers(0, letters, (words, longest))
    weights = [f32(rng, letters, dim)]
    for k, count in enumerate(counts):
        weights += filters(rng, dim, count, k + 1)
    for _ in range(2):
        weights += linear(rng, whole, whole) + linear(rng, whole, whole)
    weights += linear(rng, whole, 128)

    def run(text, table, *weights):
        x = n.swap(table[text], 0, 2, 1)
        read = [n.conv1d(x, weights[2 * k], bias=weights[2 * k + 1]) for k in range(len(counts))]
        x = n.relu(n.cat([n.largest(r, 2) for r in read], 1))
        at = 2 * len(counts)
        for _ in range(2):
            a, b, c, d = weights[at : at + 4]
            through = n.sigmoid(x @ a + b)
            x = through * n.relu(x @ c + d) + (1 - through) * x
            at += 4
        return xp_tanh(x @ weights[at] + weights[at + 1])

    xp_tanh = n.xp.tanh
    return runner.call(run, text, *weights)


# ---- what is said: a block that looks around by attention and by filters of 15 moments (Conformer), two times 120
@program
def heard(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2004), runner.lib
    n = Names(library, lib)
    batch, moments, dim, heads, blocks, reach = 2, 120, 96, 4, 2, 15

    def unit():
        return [1 + f32(rng, dim, scale=0.1), f32(rng, dim, scale=0.1)]

    weights = []
    for _ in range(blocks):
        weights += unit() + linear(rng, dim, 4 * dim) + linear(rng, 4 * dim, dim)
        weights += unit() + linear(rng, dim, 3 * dim) + linear(rng, dim, dim)
        weights += unit() + linear(rng, dim, 2 * dim) + filters(rng, dim, dim, reach, groups=dim) + unit()
        weights += linear(rng, dim, dim)
        weights += unit() + linear(rng, dim, 4 * dim) + linear(rng, 4 * dim, dim) + unit()

    def run(x, *weights):
        given = iter(weights)

        def some(count):
            return [next(given) for _ in range(count)]

        def feed(x):
            s, t, a, b, c, d = some(6)
            return x + 0.5 * (n.silu(n.affine(x, s, t) @ a + b) @ c + d)

        for _ in range(blocks):
            x = feed(x)
            s, t, a, b, c, d = some(6)
            both = (n.affine(x, s, t) @ a + b).reshape((batch, moments, 3, heads, dim // heads))
            made = n.attention(both[:, :, 0], both[:, :, 1], both[:, :, 2])
            x = x + made.reshape((batch, moments, dim)) @ c + d
            s, t, a, b, w, v, scale, shift, c, d = some(10)
            y = n.affine(x, s, t) @ a + b
            y = n.swap(y[..., :dim] * n.sigmoid(y[..., dim:]), 0, 2, 1)
            y = n.swap(n.conv1d(y, w, padding=reach // 2, groups=dim, bias=v), 0, 2, 1)
            x = x + n.silu(y * scale + shift) @ c + d
            x = feed(x)
            x = n.affine(x, *some(2))
        return x

    return runner.call(run, f32(rng, batch, moments, dim), *weights)


# ---- the next token of 16 answers: their keys and values lie in pages of 16, four heads share one of them, one layer
@program
def pages_of_memory(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2005), runner.lib
    n = Names(library, lib)
    xp = n.xp
    asked, dim, heads, shared, size, page, pages, most = 16, 256, 8, 2, 32, 16, 192, 12
    keys, values = f32(rng, pages, page, shared, size), f32(rng, pages, page, shared, size)
    table, length = rng.integers(0, pages, (asked, most)), rng.integers(20, most * page, asked)
    weights = [1 + f32(rng, dim, scale=0.1), f32(rng, dim, (heads + 2 * shared) * size, scale=dim**-0.5)]
    weights += [f32(rng, heads * size, dim, scale=dim**-0.5), 1 + f32(rng, dim, scale=0.1)]
    weights += [f32(rng, dim, 2 * 512, scale=dim**-0.5), f32(rng, 512, dim, scale=512**-0.5)]
    weights += [(1e4 ** -(np.arange(size // 2) / (size // 2))).astype(np.float32)]

    def turned(x, angle):
        c, s = xp.cos(angle)[:, None, :], xp.sin(angle)[:, None, :]
        a, b = x[..., : size // 2], x[..., size // 2 :]
        return n.cat([a * c - b * s, b * c + a * s], -1)

    def run(x, keys, values, table, length, before, qkv, out, after, up, down, pace):
        made = (n.rms(x, before) @ qkv).reshape((asked, heads + 2 * shared, size))
        angle = n.single(length)[:, None] * pace
        q = turned(made[:, :heads], angle).reshape((asked, shared, heads // shared, size))
        k, v = turned(made[:, heads : heads + shared], angle), made[:, heads + shared :]
        old = keys[table].reshape((asked, most * page, shared, size))
        kept = values[table].reshape((asked, most * page, shared, size))
        score = xp.einsum("ahgd,athd->ahgt", q, old)
        there = xp.arange(most * page) < length[:, None]
        score = xp.where(there[:, None, None, :], score, -1e9)
        score = n.cat([score, (q * k[:, :, None, :]).sum(-1)[..., None]], -1) * size**-0.5
        share = n.softmax(score)
        read = xp.einsum("ahgt,athd->ahgd", share[..., :-1], kept) + share[..., -1:] * v[:, :, None, :]
        x = x + read.reshape((asked, heads * size)) @ out
        h = n.rms(x, after) @ up
        return x + (n.silu(h[:, :512]) * h[:, 512:]) @ down, k, v

    return runner.call(run, f32(rng, asked, dim), keys, values, table, length, *weights)


# ---- a model with states in place of a memory writes 32 tokens (Mamba): two layers, short filters, the likeliest next
@program
def states_write(library, runner):
    rng, lib = RNG(2006), runner.lib
    n = Names(library, lib)
    xp = n.xp
    layers, dim, inside, states, taps, vocabulary, rank, tokens = 2, 64, 128, 16, 4, 200, 8, 32
    table = f32(rng, vocabulary, dim)
    per = [f32(rng, layers, dim, 2 * inside, scale=dim**-0.5), f32(rng, layers, taps, inside, scale=0.4)]
    per += [f32(rng, layers, inside, rank + 2 * states, scale=inside**-0.5)]
    per += [f32(rng, layers, rank, inside, scale=rank**-0.5), f32(rng, layers, inside) - 3]
    per += [-np.broadcast_to(np.arange(1, states + 1, dtype=np.float32), (layers, inside, states)).copy()]
    per += [1 + f32(rng, layers, inside, scale=0.1), f32(rng, layers, inside, dim, scale=inside**-0.5)]
    seen, kept = np.zeros((layers, taps, inside), np.float32), np.zeros((layers, inside, states), np.float32)

    def silu(x):
        return x / (1 + xp.exp(-x))

    def step(token, seen, kept, table, *per):
        x = table[token]
        new_seen, new_kept = [], []
        for k in range(layers):
            enter, taps_, select, pace, bias, fade, skip, leave = [p[k] for p in per]
            both = (x / xp.sqrt((x * x).mean() + 1e-6)) @ enter
            y, gate = both[:inside], both[inside:]
            window = n.cat([seen[k, 1:], y[None]], 0)
            y = silu((window * taps_).sum(0))
            picked = y @ select
            dt = xp.log1p(xp.exp(picked[:rank] @ pace + bias))
            b, c = picked[rank : rank + states], picked[rank + states :]
            state = xp.exp(dt[:, None] * fade) * kept[k] + (dt * y)[:, None] * b
            x = x + ((state @ c + skip * y) * silu(gate)) @ leave
            new_seen.append(window)
            new_kept.append(state)
        return (x @ table.T).argmax(), xp.stack(new_seen), xp.stack(new_kept)

    def run(step, token, seen, kept, table, *per):
        token = token[0]
        if library == "jax":

            def one(state, _):
                state = step(*state, table, *per)
                return state, state[0]

            (_, seen, kept), written = lib.lax.scan(one, (token, seen, kept), None, length=tokens)
            return written, kept
        written = []
        for _ in range(tokens):
            token, seen, kept = step(token, seen, kept, table, *per)
            written.append(token)
        return xp.stack(written), kept

    return runner.stepwise(run, step, np.array([7]), seen, kept, table, *per)


# ---- a layer that is its own end: 48 rows until nothing moves, each step mixed from the last four (Anderson)
@program
def equilibrium(library, runner):
    rng, lib = RNG(2007), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, dim, kept, most = 48, 96, 4, 40
    weights = [f32(rng, dim, dim, scale=0.7 * dim**-0.5), f32(rng, dim, dim, scale=dim**-0.5), f32(rng, dim)]
    eye, ones = np.eye(kept, dtype=np.float32), np.ones((batch, kept, 1), np.float32)

    def step(points, values, x, w, bias, eye, ones):
        """The oldest point leaves, a mixed one and its value come; how far the value is from its point."""
        apart = values - points
        pairs = xp.einsum("kbd,lbd->bkl", apart, apart)
        pairs = pairs + eye * (1e-4 * n.mean(n.mean(pairs, 2, True), 1, True) + 1e-8)
        share = xp.linalg.solve(pairs, ones)[:, :, 0]
        share = share / n.sum(share, 1, True)
        point = (share.T[:, :, None] * values).sum(0)
        value = xp.tanh(point @ w + x + bias)
        wrong = xp.sqrt(((value - point) ** 2).sum() / (value * value).sum())
        return n.cat([points[1:], point[None]], 0), n.cat([values[1:], value[None]], 0), wrong

    def start(x, w, u, bias):
        x = x @ u
        points, values, point = [], [], 0 * x
        for _ in range(kept):
            points.append(point)
            point = xp.tanh(point @ w + x + bias)
            values.append(point)
        return x, xp.stack(points), xp.stack(values)

    def run(step, x, w, u, bias, eye, ones):
        x, points, values = start(x, w, u, bias)
        wrong, count = 1.0, 0
        if library == "jax":

            def body(state):
                points, values, wrong, count = state
                return *step(points, values, x, w, bias, eye, ones), count + 1

            first = (points, values, xp.float32(1.0), 0)
            made = lib.lax.while_loop(lambda s: (s[2] > 1e-4) & (s[3] < most), body, first)
            return made[1][-1], made[2] < 1e-4
        while wrong > 1e-4 and count < most:
            points, values, wrong = step(points, values, x, w, bias, eye, ones)
            count += 1
        return values[-1], wrong < 1e-4

    return runner.stepwise(run, step, f32(rng, batch, dim), *weights, eye, ones)


# ---- how 64 rows lie likely by an energy: 24 noisy steps down its slope (Langevin)
@program
def downhill(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2008), runner.lib
    n = Names(library, lib)
    batch, dim, hidden, steps, rate = 64, 24, 96, 24, 0.02
    weights = linear(rng, dim, hidden) + linear(rng, hidden, hidden) + linear(rng, hidden, 1)
    x, noise = f32(rng, batch, dim), f32(rng, steps, batch, dim, scale=(2 * rate) ** 0.5)

    def energy(x, a, b, c, d, e, f):
        return (n.silu(n.silu(x @ a + b) @ c + d) @ e + f).sum() + 0.5 * (x * x).sum()

    def step(x, noise, *weights):
        if library == "jax":
            value, slope = lib.value_and_grad(energy)(x, *weights)
            return x - rate * slope + noise, value
        x = n.leaf(x)
        value = energy(x, *weights)
        (slope,) = n.slopes(value, [x])
        return x.detach() - rate * slope + noise, value.detach()

    def run(step, x, noise, *weights):
        if library == "jax":
            return lib.lax.scan(lambda x, noise: step(x, noise, *weights), x, noise)
        values = []
        for k in range(steps):
            x, value = step(x, noise[k], *weights)
            values.append(value)
        return x, n.xp.stack(values)

    return runner.stepwise(run, step, x, noise, *weights)


# ---- forces on 4 x 24 atoms: filters over distances (SchNet), two rounds of messages, the slope of the energy
@program
def forces(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2009), runner.lib
    n = Names(library, lib)
    xp = n.xp
    molecules, atoms, dim, waves, kinds = 4, 24, 64, 32, 6
    where, kind = f32(rng, molecules, atoms, 3, scale=2), rng.integers(0, kinds, (molecules, atoms))
    centres = np.linspace(0, 6, waves, dtype=np.float32)
    weights = [f32(rng, kinds, dim)]
    for _ in range(2):
        weights += linear(rng, waves, dim) + linear(rng, dim, dim) + linear(rng, dim, dim) + linear(rng, dim, dim)
    weights += linear(rng, dim, 32) + linear(rng, 32, 1)

    def soft(x):
        return n.softplus(x) - 0.6931472

    def energy(where, kind, centres, table, *weights):
        apart = where[:, :, None, :] - where[:, None, :, :]
        far = xp.sqrt((apart * apart).sum(-1) + 1e-6)
        basis = xp.exp(-8.0 * (far[..., None] - centres) ** 2)
        near = n.single(far < 5) * (0.5 * (xp.cos(far * 0.6283185) + 1))
        h = table[kind]
        for k in range(2):
            a, b, c, d, e, f, g, i = weights[8 * k : 8 * k + 8]
            filters_ = (soft(basis @ a + b) @ c + d) * near[..., None]
            h = h + soft((filters_ * (h @ e + f)[:, None, :, :]).sum(2)) @ g + i
        return (soft(h @ weights[-4] + weights[-3]) @ weights[-2] + weights[-1]).sum()

    return runner.grad(energy, 1, where, kind, centres, *weights)
