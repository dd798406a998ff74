"""More losses with their gradients, and whole steps of training; float32."""

import numpy as np

from .twentieth_frame import RNG, Layers, Names, f32, filters, fit, linear, program, stepped_grad


# ---- two layers that remember by one number per channel (SRU): 16 texts of 80 words
@program
def quick_memory(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2021), runner.lib
    n = Names(library, lib)
    xp = n.xp
    length, batch, dim = 80, 16, 64
    weights = []
    for _ in range(2):
        weights += [f32(rng, dim, 3 * dim, scale=dim**-0.5), f32(rng, 2 * dim, scale=0.1), f32(rng, 2, dim, scale=0.3)]

    def step(c, new, f, r, x, v):
        f = n.sigmoid(f + v[0] * c)
        r = n.sigmoid(r + v[1] * c)
        c = f * c + (1 - f) * new
        return c, r * c + (1 - r) * x

    def layer(step, x, w, b, v):
        made = x @ w
        new, f, r = made[..., :dim], made[..., dim : 2 * dim] + b[:dim], made[..., 2 * dim :] + b[dim:]
        c = 0 * x[0]
        if library == "jax":
            return lib.lax.scan(lambda c, given: step(c, *given, v), c, (new, f, r, x))[1]
        out = []
        for t in range(length):
            c, h = step(c, new[t], f[t], r[t], x[t], v)
            out.append(h)
        return xp.stack(out)

    def loss(step, *given):
        weights, (x, wanted) = given[:-2], given[-2:]
        return xp.abs(layer(step, layer(step, x, *weights[:3]), *weights[3:]) - wanted).mean()

    arrays = [f32(rng, length, batch, dim), f32(rng, length, batch, dim)]
    return stepped_grad(library, runner, loss, step, len(weights), *weights, *arrays)


# ---- attention by how far words are apart (Transformer-XL): 64 words of four texts read these and 64 before
@program
def apart(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2022), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, length, before, heads, size = 4, 64, 64, 4, 24
    dim, whole = heads * size, length + before
    weights = [f32(rng, dim, dim, scale=dim**-0.5), f32(rng, dim, 2 * dim, scale=dim**-0.5)]
    weights += [f32(rng, dim, dim, scale=dim**-0.5), f32(rng, heads, size), f32(rng, heads, size)]
    weights += [f32(rng, dim, dim, scale=dim**-0.5)]
    angle = np.arange(whole - 1, -1, -1.0)[:, None] / 1e4 ** (np.arange(0, dim, 2) / dim)
    place = np.concatenate([np.sin(angle), np.cos(angle)], 1).astype(np.float32)

    def shifted(x):
        """Row i moves i places to the left of the last one."""
        x = n.cat([xp.zeros_like(x[..., :1]), x], -1).reshape((batch, heads, whole + 1, length))
        return x[:, :, 1:].reshape((batch, heads, length, whole))

    def loss(wq, wkv, wr, u, v, wo, x, memory, place, wanted):
        both = n.cat([memory, x], 1)
        q = (x @ wq).reshape((batch, length, heads, size))
        kv = (both @ wkv).reshape((batch, whole, 2, heads, size))
        r = (place @ wr).reshape((whole, heads, size))
        score = xp.einsum("bihd,bjhd->bhij", q + u, kv[:, :, 0])
        score = (score + shifted(xp.einsum("bihd,jhd->bhij", q + v, r))) * size**-0.5
        late = xp.arange(whole) > xp.arange(length)[:, None] + before
        share = n.softmax(xp.where(late, -1e9, score))
        made = xp.einsum("bhij,bjhd->bihd", share, kv[:, :, 1]).reshape((batch, length, dim)) @ wo
        return ((x + made - wanted) ** 2).mean()

    arrays = [f32(rng, batch, length, dim), f32(rng, batch, before, dim), place, f32(rng, batch, length, dim)]
    return runner.grad(loss, 6, *weights, *arrays)


# ---- a picture that grows (neural cells): four of 28 x 28 with 16 channels, 12 moments, only living places
@program
def growing(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2023), runner.lib
    n = Names(library, lib)
    batch, channels, size, steps, hidden = 4, 16, 28, 12, 64
    one, slope = np.outer([0, 1, 0], [0, 1, 0]), np.outer([1, 2, 1], [-1, 0, 1]) / 8
    seen = np.tile(np.stack([one, slope, slope.T])[:, None], (channels, 1, 1, 1)).astype(np.float32)
    weights = [f32(rng, hidden, 3 * channels, 1, 1, scale=0.15), f32(rng, hidden, scale=0.1)]
    weights += [f32(rng, channels, hidden, 1, 1, scale=0.03)]
    x = np.zeros((batch, channels, size, size), np.float32)
    x[:, 3:, size // 2, size // 2] = 1
    wakes = (rng.random((steps, batch, 1, size, size)) < 0.5).astype(np.float32)

    def living(x):
        return n.max_pool(x[:, 3:4], 3, 1, 1) > 0.1

    def step(x, wakes, seen, a, b, c):
        before = living(x)
        h = n.relu(n.conv2d(n.conv2d(x, seen, padding=1, groups=channels), a, bias=b))
        x = x + n.conv2d(h, c) * wakes
        return x * n.single(before & living(x))

    def loss(step, a, b, c, x, wakes, seen, wanted):
        if library == "jax":
            x = lib.lax.scan(lambda x, w: (step(x, w, seen, a, b, c), None), x, wakes)[0]
        else:
            for k in range(steps):
                x = step(x, wakes[k], seen, a, b, c)
        return ((x[:, :4] - wanted) ** 2).mean()

    wanted = rng.random((batch, 4, size, size)).astype(np.float32)
    return stepped_grad(library, runner, loss, step, 3, *weights, x, wakes, seen, wanted)


# ---- returns as shares of 51 atoms (C51): 64 moves, the wanted shares fall between atoms
@program
def shares_of_returns(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2024), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, seen, hidden, actions, atoms = 64, 32, 96, 6, 51
    low, high = -10.0, 10.0
    width = (high - low) / (atoms - 1)
    weights = linear(rng, seen, hidden) + linear(rng, hidden, hidden) + linear(rng, hidden, actions * atoms)
    slow = [w + f32(rng, *w.shape, scale=0.02) for w in weights]
    support = np.linspace(low, high, atoms).astype(np.float32)

    def net(x, a, b, c, d, e, f):
        return (n.relu(n.relu(x @ a + b) @ c + d) @ e + f).reshape((batch, actions, atoms))

    def loss(*given):
        weights, slow, (x, action, reward, after, ended, support, row) = given[:6], given[6:12], given[12:]
        share = n.softmax(net(after, *slow))
        best = (share * support).sum(2).argmax(1)
        share = share[row, best]
        moved = xp.clip(reward[:, None] + 0.99 * (1 - ended)[:, None] * support, low, high)
        place = (moved - low) / width
        floor = xp.floor(place)
        up = place - floor
        at = n.whole(floor) + row[:, None] * atoms
        beside = at + n.whole(xp.clip(atoms - 1 - floor, 0, 1))
        goal = xp.zeros_like(share).reshape(-1)
        goal = n.add_at(goal, at.reshape(-1), (share * (1 - up)).reshape(-1))
        goal = n.add_at(goal, beside.reshape(-1), (share * up).reshape(-1)).reshape((batch, atoms))
        chance = n.logsoftmax(net(x, *weights)[row, action])
        return -(goal * chance).sum(1).mean()

    arrays = [f32(rng, batch, seen), rng.integers(0, actions, batch), f32(rng, batch), f32(rng, batch, seen)]
    arrays += [(rng.random(batch) < 0.1).astype(np.float32), support, np.arange(batch)]
    return runner.grad(loss, 6, *weights, *slow, *arrays)


# ---- 24 soft trees of depth five: each level asks a mix of 20 columns, 32 leaves by products of chances, 256 rows
@program
def soft_trees(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2025), runner.lib
    n = Names(library, lib)
    batch, columns, trees, depth = 256, 20, 24, 5
    weights = [f32(rng, columns, trees * depth), f32(rng, trees, depth), f32(rng, trees, 2**depth)]

    def loss(choice, bound, leaves, x, y):
        asked = (x @ n.softmax(choice, 0)).reshape((batch, trees, depth))
        right = n.sigmoid(4 * (asked - bound))
        chance = n.xp.ones_like(right[..., :1])
        for k in range(depth):
            r = right[..., k : k + 1]
            chance = n.cat([chance * (1 - r), chance * r], -1)
        score = (chance * leaves).sum((1, 2))
        return (n.softplus(score) - y * score).mean()

    y = rng.integers(0, 2, batch).astype(np.float32)
    return runner.grad(loss, 3, *weights, f32(rng, batch, columns), y)


# ---- vectors of words by their neighbours: eight groups of 64 pairs with five wrong words each, rows moved in place
@program
def neighbours_of_words(library, runner):
    rng, lib = RNG(2026), runner.lib
    n = Names(library, lib)
    xp = n.xp
    words, dim, groups, pairs, wrong, rate = 3000, 48, 8, 64, 5, 0.05
    into, out = f32(rng, words, dim, scale=0.2), f32(rng, words, dim, scale=0.2)
    centre = rng.integers(0, words, (groups, pairs))
    around = rng.integers(0, words, (groups, pairs, 1 + wrong))
    label = np.zeros(1 + wrong, np.float32)
    label[0] = 1

    def moves(into, out, centre, around, label):
        x, y = into[centre], out[around]
        score = (y * x[:, None]).sum(2)
        wrongness = (1 / (1 + xp.exp(-score)) - label) * -rate
        return (wrongness[:, :, None] * y).sum(1), wrongness[:, :, None] * x[:, None], (score * label).mean()

    def run(moves, into, out, centre, around, label):
        if library == "jax":

            def one(state, given):
                into, out = state
                a, b, mean = moves(into, out, *given, label)
                return (into.at[given[0]].add(a), out.at[given[1]].add(b)), mean

            return lib.lax.scan(one, (into, out), (centre, around))
        means = []
        if library in ("np", "torch", "torch.compile"):
            into, out = (into.copy(), out.copy()) if library == "np" else (into.clone(), out.clone())
        for k in range(groups):
            a, b, mean = moves(into, out, centre[k], around[k], label)
            places = around[k].reshape(-1)
            if library == "np":
                np.add.at(into, centre[k], a)
                np.add.at(out, places, b.reshape((-1, dim)))
            elif library == "vt":
                into = lib.index_add(into, centre[k], 0, a)
                out = lib.index_add(out, places, 0, b.reshape((-1, dim)))
            else:
                into.index_add_(0, centre[k], a)
                out.index_add_(0, places, b.reshape((-1, dim)))
            means.append(mean)
        return into, out, xp.stack(means)

    return runner.stepwise(run, moves, into, out, centre, around, label)


# ---- pictures against a queue of 1,024 others (MoCo): loss, slopes, weights moved, slow weights follow, the queue goes on
@program
def queue_of_pictures(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2027), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, features, hidden, dim, queued = 64, 128, 128, 48, 1024
    fast = linear(rng, features, hidden) + linear(rng, hidden, dim)
    slow = [w + 0.01 * f32(rng, *w.shape) for w in fast]
    queue = f32(rng, queued, dim)
    queue /= np.linalg.norm(queue, axis=1, keepdims=True)

    def view(x, a, b, c, d):
        x = n.relu(x @ a + b) @ c + d
        return x / xp.sqrt((x * x).sum(1) + 1e-12)[:, None]

    def loss(weights, keys, queue, x):
        q = view(x, *weights)
        score = n.cat([(q * keys).sum(1)[:, None], q @ queue.T], 1) / 0.2
        return (n.logsumexp(score, 1) - score[:, 0]).mean()

    def run(one, two, queue, *weights):
        fast, slow = list(weights[:4]), weights[4:]
        slow = [0.99 * s + 0.01 * f for s, f in zip(slow, fast, strict=True)]
        keys = view(two, *slow)
        if library == "jax":
            value, slopes = lib.value_and_grad(loss)(fast, keys, queue, one)
        else:
            fast, keys = [n.leaf(w) for w in fast], keys.detach()
            value = loss(fast, keys, queue, one)
            slopes = n.slopes(value, fast)
            fast, value = [w.detach() for w in fast], value.detach()
        fast = [w - 0.1 * s for w, s in zip(fast, slopes, strict=True)]
        return (value, n.cat([keys, queue[:-batch]], 0), *fast, *slow)

    x = f32(rng, batch, features)
    return runner.call(run, x, x + f32(rng, batch, features, scale=0.3), queue, *fast, *slow)


# ---- small pictures through 16 numbers and back (VAE): noise given, divergence, a step with Adam
@program
def through_noise(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2028), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, code = 32, 16
    pictures = (rng.random((batch, 1, 28, 28)) < 0.3).astype(np.float32)
    noise = f32(rng, batch, code)

    def up(i, o):
        return [f32(rng, i, o, 4, 4, scale=(i * 4) ** -0.5), f32(rng, o, scale=0.1)]

    parts = {"in1": filters(rng, 1, 16, 4, 4), "in2": filters(rng, 16, 32, 4, 4)}
    parts |= {"code": linear(rng, 32 * 49, 2 * code), "back": linear(rng, code, 32 * 49)}
    parts |= {"out1": up(32, 16), "out2": up(16, 1)}

    def judged(score, x, mean, log):
        picture = (n.softplus(score) - x * score).sum((1, 2, 3))
        return (picture + 0.5 * (mean * mean + xp.exp(log) - 1 - log).sum(1)).mean()

    if library == "jax":

        def loss(p, x, noise):
            h = n.relu(n.conv2d(x, p["in1"][0], 2, 1, bias=p["in1"][1]))
            h = n.relu(n.conv2d(h, p["in2"][0], 2, 1, bias=p["in2"][1])).reshape((batch, -1))
            h = h @ p["code"][0] + p["code"][1]
            mean, log = h[:, :code], h[:, code:]
            y = n.relu((mean + xp.exp(0.5 * log) * noise) @ p["back"][0] + p["back"][1]).reshape((batch, 32, 7, 7))
            y = n.relu(n.conv2d_up(y, p["out1"][0], 2, 1) + p["out1"][1][:, None, None])
            return judged(n.conv2d_up(y, p["out2"][0], 2, 1) + p["out2"][1][:, None, None], x, mean, log)

        return fit(library, runner, None, loss, 1e-3, parts, pictures, noise)
    L = Layers(library, lib)

    class Net(L.Base):
        def __init__(self):
            super().__init__()
            self.in1, self.in2 = L.Conv2(1, 16, 4, stride=2, padding=1), L.Conv2(16, 32, 4, stride=2, padding=1)
            self.code, self.back = L.Linear(32 * 49, 2 * code), L.Linear(code, 32 * 49)
            self.out1, self.out2 = L.Up2(32, 16, 4, stride=2, padding=1), L.Up2(16, 1, 4, stride=2, padding=1)

        def forward(self, x, noise):
            h = self.code(n.relu(self.in2(n.relu(self.in1(x)))).reshape((batch, -1)))
            mean, log = h[:, :code], h[:, code:]
            y = n.relu(self.back(mean + xp.exp(0.5 * log) * noise)).reshape((batch, 32, 7, 7))
            return self.out2(n.relu(self.out1(y))), mean, log

    def loss(net, x, noise):
        score, mean, log = net(x, noise)
        return judged(score, x, mean, log)

    return fit(library, runner, Net(), loss, 1e-3, parts, pictures, noise)


# ---- from noise to points along straight ways (flow matching): 256 points, moments as waves, a step with Adam
@program
def straight_ways(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2029), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, waves, hidden = 256, 16, 128
    pace = (2 * np.pi * np.exp(np.linspace(0, 4, waves))).astype(np.float32)
    points, noise, moment = f32(rng, batch, 2), f32(rng, batch, 2), rng.random((batch, 1)).astype(np.float32)
    parts = {"one": linear(rng, 2 + 2 * waves, hidden), "two": linear(rng, hidden, hidden)}
    parts |= {"three": linear(rng, hidden, hidden), "out": linear(rng, hidden, 2)}

    def given(points, noise, moment, pace):
        between = (1 - moment) * noise + moment * points
        return n.cat([between, xp.sin(moment * pace), xp.cos(moment * pace)], 1)

    if library == "jax":

        def loss(p, points, noise, moment, pace):
            x = given(points, noise, moment, pace)
            for name in ("one", "two", "three"):
                x = n.silu(x @ p[name][0] + p[name][1])
            return ((x @ p["out"][0] + p["out"][1] - (points - noise)) ** 2).mean()

        return fit(library, runner, None, loss, 1e-3, parts, points, noise, moment, pace)
    L = Layers(library, lib)

    class Net(L.Base):
        def __init__(self):
            super().__init__()
            self.one, self.two = L.Linear(2 + 2 * waves, hidden), L.Linear(hidden, hidden)
            self.three, self.out = L.Linear(hidden, hidden), L.Linear(hidden, 2)

        def forward(self, x):
            return self.out(n.silu(self.three(n.silu(self.two(n.silu(self.one(x)))))))

    def loss(net, points, noise, moment, pace):
        return ((net(given(points, noise, moment, pace)) - (points - noise)) ** 2).mean()

    return fit(library, runner, Net(), loss, 1e-3, parts, points, noise, moment, pace)
