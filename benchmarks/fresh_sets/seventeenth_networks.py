"""Networks."""

import numpy as np

from .seventeenth_frame import PROGRAMS, RNG, Names, f32, program  # noqa: F401


# ---- 91 four sentences written at once: 12 tokens, biases of relative places, keys and values kept in place
@program
def writer(library, runner):
    rng, lib = RNG(201), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, dim, heads, words, layers, past, new = 4, 192, 6, 2000, 3, 52, 12
    size, head = past + new, dim // heads
    table = f32(rng, words, dim, scale=1.0)
    weights = []
    for _ in range(layers):
        weights += [f32(rng, dim, 3 * dim, scale=dim**-0.5), f32(rng, dim, dim, scale=dim**-0.5)]
        weights += [f32(rng, dim, 4 * dim, scale=dim**-0.5), f32(rng, 4 * dim, dim, scale=0.5 * dim**-0.5)]
        weights += [f32(rng, heads, 32)]
    keys = f32(rng, layers, batch, heads, size, head)
    values = f32(rng, layers, batch, heads, size, head)
    first = rng.integers(0, words, batch)
    place = np.arange(size)

    def token(now, table, keys, values, word, place, weights):
        """One more word; the caches change."""
        x = table[word]
        away = xp.clip(now - place, 0, 31)
        for i in range(layers):
            mix, out, up, down, bias = weights[5 * i : 5 * i + 5]
            q, k, v = [(n.norm(x) @ mix)[:, j * dim : (j + 1) * dim].reshape((batch, heads, head)) for j in range(3)]
            if library == "jax":
                keys, values = keys.at[i, :, :, now].set(k), values.at[i, :, :, now].set(v)
            else:
                keys[i, :, :, now], values[i, :, :, now] = k, v
            score = (keys[i] @ q[..., None])[..., 0] * head**-0.5 + bias[:, away]
            score = xp.where(place <= now, score, -1e9)
            read = (n.softmax(score)[:, :, None] @ values[i]).reshape((batch, dim))
            x = x + read @ out
            x = x + n.gelu(n.norm(x) @ up) @ down
        score = n.norm(x) @ table.T
        return keys, values, score.argmax(1), score

    def write(step, table, keys, values, word, place, *weights):
        written, total = [], 0
        if library == "jax":

            def one(state, now):
                keys, values, word = state
                keys, values, word, score = step(now, table, keys, values, word, place, weights)
                return (keys, values, word), (word, n.largest(score, 1))

            _, (written, best) = lib.lax.scan(one, (keys, values, word), past + xp.arange(new))
            return written, best.sum(0)
        keys, values = (keys + 0, values + 0) if library == "vt" else (keys.clone(), values.clone())
        for now in range(past, size):
            keys, values, word, score = step(now, table, keys, values, word, place, weights)
            written.append(word)
            total = total + n.largest(score, 1)
        return xp.stack(written), total

    return runner.stepwise(write, token, table, keys, values, first, place, *weights)


# ---- 92 pictures from noise against a judge: transposed filters, spectral norms, hinge loss and gradients of both
@program
def forger(library, runner):
    rng, lib = RNG(202), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch = 8
    noise, real = f32(rng, batch, 48), f32(rng, batch, 3, 32, 32, scale=0.5)
    made = [
        f32(rng, 48, 64 * 4 * 4, scale=0.15),
        f32(rng, 64, 48, 4, 4, scale=0.05),
        f32(rng, 48, 32, 4, 4, scale=0.05),
        f32(rng, 32, 3, 4, 4, scale=0.05),
    ]
    judge = [
        f32(rng, 32, 3, 4, 4, scale=0.1),
        f32(rng, 48, 32, 4, 4, scale=0.05),
        f32(rng, 64, 48, 4, 4, scale=0.05),
        f32(rng, 64 * 16, 1, scale=0.05),
    ]
    directions = [f32(rng, w.shape[0]) for w in judge]

    def spectral(w, u):
        m = w.reshape((w.shape[0], -1))
        for _ in range(2):
            v = m.T @ u
            v = v / xp.sqrt((v * v).sum() + 1e-12)
            u = m @ v
            u = u / xp.sqrt((u * u).sum() + 1e-12)
        return w / (u * (m @ v)).sum()

    def fake(made, noise):
        x = n.relu(noise @ made[0]).reshape((batch, 64, 4, 4))
        x = n.relu(n.group_norm(n.conv2d_up(x, made[1], 2, 1), 8))
        x = n.relu(n.group_norm(n.conv2d_up(x, made[2], 2, 1), 8))
        return xp.tanh(n.conv2d_up(x, made[3], 2, 1))

    def verdict(judge, x):
        for w in judge[:3]:
            x = n.conv2d(x, w, 2, 1)
            x = xp.where(x > 0, x, 0.2 * x)
        return x.reshape((x.shape[0], -1)) @ judge[3]

    def loss(a, b, c, d, e, f, g, h, noise, real, *directions):
        judge = [spectral(w, u) for w, u in zip((e, f, g, h), directions)]
        forged = fake((a, b, c, d), noise)
        both = verdict(judge, n.cat([real, forged], 0))
        return n.relu(1 - both[:batch]).mean() + n.relu(1 + both[batch:]).mean() - 0.1 * both[batch:].mean()

    return runner.grad(loss, 8, *made, *judge, noise, real, *directions)


# ---- 93 molecules: three kinds of bonds carry messages, a gated unit keeps them, a gate reads them out; gradients
@program
def molecules(library, runner):
    rng, lib = RNG(203), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    graphs, atoms, bonds, dim = 32, 640, 1400, 48
    kind = rng.integers(0, 9, atoms)
    graph = np.sort(rng.integers(0, graphs, atoms))
    source, target, bond = rng.integers(0, atoms, bonds), rng.integers(0, atoms, bonds), rng.integers(0, 3, bonds)
    wanted = f32(rng, graphs)
    weights = [
        f32(rng, 9, dim),
        f32(rng, 3, dim, dim, scale=dim**-0.5),
        f32(rng, dim, 3 * dim, scale=dim**-0.5),
        f32(rng, dim, 3 * dim, scale=dim**-0.5),
        f32(rng, dim, dim, scale=dim**-0.5),
        f32(rng, dim, 1, scale=dim**-0.5),
    ]

    def loss(table, relations, enter, keep, gate, out, kind, graph, source, target, bond, wanted):
        h = table[kind]
        for _ in range(3):
            sent = xp.stack([h @ relations[r] for r in range(3)])[bond, source]
            m = n.add_at(n.zeros((atoms, dim), "float32"), target, sent)
            a, b = m @ enter, h @ keep
            r = n.sigmoid(a[:, :dim] + b[:, :dim])
            z = n.sigmoid(a[:, dim : 2 * dim] + b[:, dim : 2 * dim])
            new = xp.tanh(a[:, 2 * dim :] + r * b[:, 2 * dim :])
            h = (1 - z) * new + z * h
        read = n.sigmoid(h @ gate) * xp.tanh(h)
        whole = n.add_at(n.zeros((graphs, dim), "float32"), graph, read)
        return (((whole @ out)[:, 0] - wanted) ** 2).mean()

    return runner.grad(loss, 6, *weights, kind, graph, source, target, bond, wanted)


# ---- 94 eight experts with room for 40 words each: places by running counts, words that don't fit left out; gradients
@program
def experts(library, runner):
    rng, lib = RNG(204), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    words, dim, count, room, wide = 256, 96, 8, 40, 192
    x = f32(rng, words, dim)
    number = np.arange(count)
    weights = [
        f32(rng, dim, count, scale=0.2),
        f32(rng, count, dim, wide, scale=dim**-0.5),
        f32(rng, count, wide, dim, scale=wide**-0.5),
    ]

    def loss(router, up, down, x, number):
        chance = n.softmax(x @ router, 1)
        chosen = chance.argmax(1)
        gate = n.largest(chance, 1)
        one = n.whole(chosen[:, None] == number)
        place = ((xp.cumsum(one, 0) - 1) * one).sum(1)
        fits = place < room
        slot = xp.where(fits, chosen * room + place, count * room)
        buffer = n.add_at(n.zeros((count * room + 1, dim), "float32"), slot, x)
        inside = buffer[: count * room].reshape((count, room, dim))
        outside = (n.relu(inside @ up) @ down).reshape((count * room, dim))
        outside = n.cat([outside, outside[:1] * 0], 0)
        y = x + gate[:, None] * outside[slot]
        balance = count * (n.single(one).mean(0) * chance.mean(0)).sum()
        return (y * y).mean() + 0.01 * balance

    return runner.grad(loss, 3, *weights, x, number)


# ---- 95 a machine with a memory of 32 rows: reads and writes by likeness, 24 inputs, loss and gradients
@program
def memory(library, runner):
    rng, lib = RNG(205), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, steps, rows, dim, inner, wide = 16, 24, 32, 20, 8, 64
    data, wanted = f32(rng, steps, batch, inner), np.sign(f32(rng, steps, batch, inner)) * 0.5 + 0.5
    start = f32(rng, rows, dim, scale=0.1)
    weights = [
        f32(rng, inner + dim, wide, scale=0.2),
        f32(rng, wide, wide, scale=0.12),
        f32(rng, wide, 4 * dim + 4, scale=0.12),
        f32(rng, wide + dim, inner, scale=0.12),
    ]

    def address(memory, key, strength):
        alike = (memory @ key[:, :, None])[:, :, 0]
        lengths = xp.sqrt((memory * memory).sum(2) + 1e-6) * xp.sqrt((key * key).sum(1) + 1e-6)[:, None]
        return n.softmax(n.softplus(strength) * alike / lengths, 1)

    def loss(enter, keep, heads, out, start, data, wanted):
        memory = start[None] + xp.zeros((batch, 1, 1), dtype=xp.float32)
        h, read = n.zeros((batch, wide), "float32"), n.zeros((batch, dim), "float32")

        def step(state, seen, hope):
            memory, h, read = state
            h = xp.tanh(n.cat([seen, read], 1) @ enter + h @ keep)
            p = h @ heads
            focus = address(memory, xp.tanh(p[:, :dim]), p[:, 4 * dim : 4 * dim + 1])
            erase, add = n.sigmoid(p[:, dim : 2 * dim]), xp.tanh(p[:, 2 * dim : 3 * dim])
            memory = memory * (1 - focus[:, :, None] * erase[:, None]) + focus[:, :, None] * add[:, None]
            focus = address(memory, xp.tanh(p[:, 3 * dim : 4 * dim]), p[:, 4 * dim + 1 : 4 * dim + 2])
            read = (focus[:, None] @ memory)[:, 0]
            y = n.cat([h, read], 1) @ out
            return (memory, h, read), (n.softplus(y) - hope * y).mean()

        if library == "jax":
            _, losses = lib.lax.scan(lambda s, g: step(s, *g), (memory, h, read), (data, wanted))
            return losses.mean()
        state, total = (memory, h, read), 0.0
        for k in range(steps):
            state, one = step(state, data[k], wanted[k])
            total = total + one
        return total / steps

    return runner.grad(loss, 4, *weights, start, data, wanted)


# ---- 96 a voice as few codes: strided filters, the nearest of 128 codes, back to a voice; straight-through gradients
@program
def codec(library, runner):
    rng, lib = RNG(206), runner.lib
    n = Names(library, lib)
    if library == "np":
        return None
    batch, length, dim, codes = 4, 2048, 32, 128
    sound = f32(rng, batch, 1, length)
    weights = [
        f32(rng, 24, 1, 8, scale=0.3),
        f32(rng, 48, 24, 8, scale=0.07),
        f32(rng, dim, 48, 8, scale=0.05),
        f32(rng, codes, dim),
        f32(rng, dim, 48, 8, scale=0.05),
        f32(rng, 48, 24, 8, scale=0.05),
        f32(rng, 24, 1, 8, scale=0.07),
    ]

    def frozen(x):
        return lib.lax.stop_gradient(x) if library == "jax" else x.detach()

    def elu(x):
        return n.F.elu(x)

    def loss(a, b, c, book, d, e, f, sound):
        x = elu(n.group_norm(n.conv1d(sound, a, 4, 2), 4))
        x = elu(n.group_norm(n.conv1d(x, b, 4, 2), 4))
        x = n.conv1d(x, c, 4, 2)
        z = n.swap(x, 0, 2, 1)
        far = (z * z).sum(2)[..., None] - 2 * z @ book.T + (book * book).sum(1)
        code = far.argmin(2)
        q = book[code]
        kept = ((q - frozen(z)) ** 2).mean() + 0.25 * ((frozen(q) - z) ** 2).mean()
        q = z + frozen(q - z)
        y = n.swap(q, 0, 2, 1)
        y = elu(n.conv1d_up(y, d, 4, 2))
        y = elu(n.conv1d_up(y, e, 4, 2))
        y = n.conv1d_up(y, f, 4, 2)
        return ((y - sound[:, :, : y.shape[2]]) ** 2).mean() + kept

    return runner.grad(loss, 7, *weights, sound)


# ---- 97 two views of each picture that should agree and not repeat themselves: correlations of features, a momentum step
@program
def pairs(library, runner):
    rng, lib = RNG(207), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, size, wide, out = 96, 256, 192, 128
    one = f32(rng, batch, size)
    two = one + f32(rng, batch, size, scale=0.3)
    weights = [f32(rng, size, wide, scale=0.06), f32(rng, wide, wide, scale=0.07), f32(rng, wide, out, scale=0.07)]
    speeds = [f32(rng, *w.shape, scale=0.01) for w in weights]
    eye = np.eye(out, dtype=np.float32)

    def even(x):
        x = x - x.mean(0)
        return x / xp.sqrt((x * x).mean(0) + 1e-5)

    def features(x, a, b, c):
        x = n.relu(even(x @ a))
        x = n.relu(even(x @ b))
        return even(x @ c)

    def loss(a, b, c, one, two, eye):
        cross = features(one, a, b, c).T @ features(two, a, b, c) / batch
        same = ((cross * eye).sum(1) - 1) ** 2
        return same.sum() + 0.005 * ((cross * (1 - eye)) ** 2).sum()

    def step(a, b, c, u, v, w, one, two, eye):
        if library == "jax":
            value, grads = lib.value_and_grad(loss, argnums=(0, 1, 2))(a, b, c, one, two, eye)
        else:
            if library == "vt":
                for x in (a, b, c):
                    x.stop_gradient = False
                value = loss(a, b, c, one, two, eye)
                grads = lib.grad(value, [a, b, c])
            else:
                a, b, c = [x.detach().requires_grad_() for x in (a, b, c)]
                value = loss(a, b, c, one, two, eye)
                grads = lib.autograd.grad(value, [a, b, c])
        speeds = [0.9 * s + g + 1e-4 * x for s, g, x in zip((u, v, w), grads, (a, b, c))]
        return (value, *speeds, *[x - 0.1 * s for x, s in zip((a, b, c), speeds)])

    return runner.call(step, *weights, *speeds, one, two, eye)


# ---- 98 a picture four times as large: residual blocks that weigh their channels, pixels from channels
@program
def upscale(library, runner):
    rng, lib = RNG(208), runner.lib
    n = Names(library, lib)
    if library == "np":
        return None
    dim, blocks, size = 32, 4, 40
    picture = f32(rng, 1, 3, size, size)
    weights = [f32(rng, dim, 3, 3, 3, scale=0.2), f32(rng, dim, scale=0.1)]
    for _ in range(blocks):
        weights += [f32(rng, dim, dim, 3, 3, scale=0.06), f32(rng, dim, scale=0.1)]
        weights += [f32(rng, dim, dim, 3, 3, scale=0.06), f32(rng, dim, scale=0.1)]
        weights += [f32(rng, dim, 8, scale=0.2), f32(rng, 8, dim, scale=0.2)]
    weights += [f32(rng, 4 * dim, dim, 3, 3, scale=0.06), f32(rng, 4 * dim, dim, 3, 3, scale=0.06)]
    weights += [f32(rng, 3, dim, 3, 3, scale=0.06)]

    def shuffle(x):
        if library != "jax":
            return n.F.pixel_shuffle(x, 2)
        b, c, h, w = x.shape
        return x.reshape(b, c // 4, 2, 2, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(b, c // 4, 2 * h, 2 * w)

    def run(picture, *w):
        x = first = n.conv2d(picture, w[0], 1, 1, bias=w[1])
        for k in range(blocks):
            a, b, c, d, e, f = w[2 + 6 * k : 8 + 6 * k]
            y = n.conv2d(n.relu(n.conv2d(x, a, 1, 1, bias=b)), c, 1, 1, bias=d)
            weigh = n.sigmoid(n.relu(y.mean((2, 3)) @ e) @ f)
            x = x + y * weigh[:, :, None, None]
        x = x + first
        x = shuffle(n.conv2d(x, w[-3], 1, 1))
        x = shuffle(n.conv2d(x, w[-2], 1, 1))
        return n.conv2d(x, w[-1], 1, 1)

    return runner.call(run, picture, *weights)


# ---- 99 what a viewer plays next: 40 plays before, sampled others as contrast, gradients of 20,000 rows and two blocks
@program
def viewer(library, runner):
    rng, lib = RNG(209), runner.lib
    n = Names(library, lib)
    if library == "np":
        return None
    batch, length, items, dim, layers = 16, 40, 5000, 48, 2
    seen, played = rng.integers(0, items, (batch, length)), rng.integers(0, items, (batch, length))
    other = rng.integers(0, items, (batch, length, 4))
    hidden = np.triu(np.full((length, length), -1e9, np.float32), 1)
    weights = [f32(rng, items, dim, scale=0.3), f32(rng, length, dim, scale=0.3)]
    for _ in range(layers):
        weights += [f32(rng, dim, 3 * dim, scale=dim**-0.5), f32(rng, dim, dim, scale=dim**-0.5)]
        weights += [f32(rng, dim, dim, scale=dim**-0.5), f32(rng, dim, dim, scale=dim**-0.5)]

    def loss(table, places, a, b, c, d, e, f, g, h, seen, played, other, hidden):
        x = table[seen] * dim**0.5 + places
        for mix, out, up, down in ((a, b, c, d), (e, f, g, h)):
            q, k, v = [(n.norm(x) @ mix)[..., j * dim : (j + 1) * dim] for j in range(3)]
            x = x + n.softmax(q @ n.swap(k, 0, 2, 1) * dim**-0.5 + hidden) @ v @ out
            x = x + n.relu(n.norm(x) @ up) @ down
        x = n.norm(x)
        good = (x * table[played]).sum(2)
        bad = (x[:, :, None] * table[other]).sum(3)
        return (n.softplus(-good) + n.softplus(bad).mean(2)).mean()

    return runner.grad(loss, 10, *weights, seen, played, other, hidden)


# ---- 100 how likely rows are, each number given those before it: masked layers, four flows, a step of Adam
@program
def masked_flow(library, runner):
    rng, lib = RNG(210), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, dim, wide, flows = 128, 16, 96, 4
    data = f32(rng, batch, dim)
    degree = rng.integers(1, dim, wide)
    first = (degree >= np.arange(1, dim + 1)[:, None]).astype(np.float32)
    second = (np.tile(np.arange(1, dim + 1), 2) > degree[:, None]).astype(np.float32)
    weights = []
    for _ in range(flows):
        weights += [f32(rng, dim, wide, scale=0.2), f32(rng, wide, scale=0.1), f32(rng, wide, 2 * dim, scale=0.05)]
    means = [f32(rng, *w.shape, scale=1e-3) for w in weights]
    squares = [np.abs(f32(rng, *w.shape, scale=1e-4)) for w in weights]
    count = len(weights)

    def loss(weights, x, first, second):
        total = 0.0
        for k in range(flows):
            a, b, c = weights[3 * k : 3 * k + 3]
            h = xp.tanh(x @ (a * first) + b) @ (c * second)
            shift, scale = h[:, :dim], xp.tanh(h[:, dim:])
            x = (x - shift) * xp.exp(-scale)
            x = xp.flip(x, (1,)) if library != "jax" else xp.flip(x, 1)
            total = total - scale.sum(1)
        return (0.5 * (x * x).sum(1) - total).mean()

    def step(*given):
        weights, means, squares = given[:count], given[count : 2 * count], given[2 * count : 3 * count]
        rest = given[3 * count :]
        if library == "jax":
            value, grads = lib.value_and_grad(loss)(weights, *rest)
        else:
            if library == "vt":
                for w in weights:
                    w.stop_gradient = False
                value = loss(weights, *rest)
                grads = lib.grad(value, list(weights))
            else:
                weights = [w.detach().requires_grad_() for w in weights]
                value = loss(weights, *rest)
                grads = lib.autograd.grad(value, weights)
        means = [0.9 * m + 0.1 * g for m, g in zip(means, grads)]
        squares = [0.999 * s + 0.001 * g * g for s, g in zip(squares, grads)]
        new = [w - 1e-3 * m / 0.1 / (xp.sqrt(s / 0.001) + 1e-8) for w, m, s in zip(weights, means, squares)]
        return (value, *means, *squares, *new)

    return runner.call(step, *weights, *means, *squares, data, first, second)
