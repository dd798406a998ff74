"""Networks: training steps and inference, float32."""

import numpy as np

from .eighteenth_frame import RNG, Names, f32, program, put


# ---- 129 a layer whose memory fades per channel (RWKV's time mixing): 48 steps, loss and gradients
@program
def fading(library, runner):
    rng, lib = RNG(301), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, length, dim = 8, 48, 65
    x, hope = f32(rng, length, batch, dim), f32(rng, length, batch, dim)
    weights = [f32(rng, dim, dim, scale=dim**-0.5) for _ in range(4)] + [f32(rng, dim, scale=0.3), f32(rng, dim)]

    def loss(key, value, gate, out, decay, bonus, x, hope):
        shifted = n.cat([0 * x[:1], x[:-1]], 0)
        mixed = 0.6 * x + 0.4 * shifted
        k, v, r = mixed @ key, mixed @ value, n.sigmoid(mixed @ gate)
        w = xp.exp(decay)

        def step(state, k, v):
            a, b, p = state
            q = xp.maximum(p, bonus + k)
            e, f = xp.exp(p - q), xp.exp(bonus + k - q)
            y = (e * a + f * v) / (e * b + f)
            q = xp.maximum(p - w, k)
            e, f = xp.exp(p - w - q), xp.exp(k - q)
            return (e * a + f * v, e * b + f, q), y

        zero = 0 * k[0]
        state = (zero, zero, zero - 1e30)
        if library == "jax":
            _, y = lib.lax.scan(lambda s, g: step(s, *g), state, (k, v))
        else:
            made = []
            for t in range(length):
                state, one = step(state, k[t], v[t])
                made.append(one)
            y = xp.stack(made)
        return (((r * y) @ out - hope) ** 2).mean()

    return runner.grad(loss, 6, *weights, x, hope)


# ---- 130 letters without their times: all ways through 50 moments (CTC written out), loss and gradients
@program
def letters(library, runner):
    rng, lib = RNG(302), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, length, dim, kinds, words = 12, 50, 40, 31, 9
    x = f32(rng, length, batch, dim)
    label = rng.integers(1, kinds, (batch, words))
    extended = np.zeros((batch, 2 * words + 1), np.int64)
    extended[:, 1::2] = label
    skip = np.zeros(extended.shape, bool)
    skip[:, 2:] = (extended[:, 2:] != 0) & (extended[:, 2:] != extended[:, :-2])
    row = np.arange(batch)[:, None]
    first = np.where(np.arange(2 * words + 1) < 2, 0, -1e5).astype(np.float32)
    weights = [f32(rng, dim, kinds, scale=0.2), f32(rng, kinds, scale=0.1)]

    def logsum(x):
        return lib.nn.logsumexp(x, 0) if library == "jax" else lib.logsumexp(x, 0)

    def loss(w, b, x, extended, skip, row, first):
        score = n.logsoftmax(x @ w + b, -1)[:, row, extended]
        alpha = score[0] + first
        low = 0 * alpha[:, :1] - 1e5

        def step(alpha, score):
            two = n.cat([low, alpha[:, :-1]], 1)
            three = n.cat([low, low, alpha[:, :-2]], 1)
            three = xp.where(skip, three, 0 * three - 1e5)
            return logsum(xp.stack([alpha, two, three])) + score

        if library == "jax":
            alpha, _ = lib.lax.scan(lambda a, s: (step(a, s), None), alpha, score[1:])
        else:
            for t in range(1, length):
                alpha = step(alpha, score[t])
        return -logsum(n.swap(alpha[:, -2:], 1, 0)).mean()

    return runner.grad(loss, 2, *weights, x, extended, skip, row, first)


# ---- 131 answers judged within their group (GRPO): ratios, clipped, divergence from a reference, gradients
@program
def groups(library, runner):
    rng, lib = RNG(303), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    asked, each, length, kinds, dim = 6, 8, 24, 201, 48
    rows = asked * each
    token = rng.integers(0, kinds, (rows, length + 1))
    mask = (np.arange(length) < rng.integers(5, length + 1, (rows, 1))).astype(np.float32)
    reward = f32(rng, asked, each)
    old = np.log(rng.uniform(0.001, 0.01, (rows, length))).astype(np.float32)
    reference = old + f32(rng, rows, length, scale=0.1)
    weights = [f32(rng, kinds, dim), f32(rng, dim, dim, scale=0.15), f32(rng, dim, kinds, scale=0.05)]

    def loss(table, mix, out, token, mask, reward, old, reference):
        h = xp.tanh(table[token[:, :-1]] @ mix)
        score = n.logsoftmax(h @ out, -1)
        chosen = n.pick(score, token[:, 1:, None], 2)[:, :, 0]
        gain = reward - n.mean(reward, 1, True)
        gain = (gain / xp.sqrt(n.mean(gain * gain, 1, True) + 1e-4)).reshape((rows, 1))
        ratio = xp.exp(chosen - old)
        best = xp.minimum(ratio * gain, xp.clip(ratio, 0.8, 1.2) * gain)
        far = reference - chosen
        kl = xp.exp(far) - far - 1
        return -(((best - 0.04 * kl) * mask).sum(1) / mask.sum(1)).mean()

    return runner.grad(loss, 3, *weights, token, mask, reward, old, reference)


# ---- 132 a frozen block learns by thin matrices of rank four (LoRA): attention, AdamW of the thin ones
@program
def thin(library, runner):
    rng, lib = RNG(304), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, length, dim, heads, rank = 4, 49, 96, 4, 4
    x, hope = f32(rng, batch, length, dim), f32(rng, batch, length, dim)
    frozen = [f32(rng, dim, dim, scale=dim**-0.5) for _ in range(4)]
    adapters = [f32(rng, dim, rank, scale=0.1), f32(rng, rank, dim, scale=0.1)] * 2
    means = [0 * a for a in adapters]
    squares = [0 * a + 1e-6 for a in adapters]
    hidden = np.triu(np.full((length, length), -np.inf, np.float32), 1)

    def split(x):
        return n.swap(x.reshape((batch, length, heads, dim // heads)), 0, 2, 1, 3)

    def loss(adapters, q, k, v, o, x, hope, hidden):
        a, b, c, d = adapters
        y = n.norm(x)
        queries, keys = split(y @ q + 2.0 * ((y @ a) @ b)), split(y @ k)
        values = split(y @ v + 2.0 * ((y @ c) @ d))
        weight = n.softmax(queries @ n.swap(keys, 0, 1, 3, 2) * (dim // heads) ** -0.5 + hidden)
        y = n.swap(weight @ values, 0, 2, 1, 3).reshape((batch, length, dim))
        return ((x + y @ o - hope) ** 2).mean()

    def step(*given):
        adapters, means, squares, rest = list(given[:4]), given[4:8], given[8:12], given[12:]
        if library == "jax":
            value, grads = lib.value_and_grad(loss)(adapters, *rest)
        elif library == "vt":
            for w in adapters:
                w.stop_gradient = False
            value = loss(adapters, *rest)
            grads = lib.grad(value, adapters)
        else:
            adapters = [w.detach().requires_grad_() for w in adapters]
            value = loss(adapters, *rest)
            grads = lib.autograd.grad(value, adapters)
        means = [0.9 * m + 0.1 * g for m, g in zip(means, grads)]
        squares = [0.999 * s + 0.001 * g * g for s, g in zip(squares, grads)]
        new = [w * 0.999 - 1e-3 * m / (xp.sqrt(s) + 1e-8) for w, m, s in zip(adapters, means, squares)]
        return (value, *means, *squares, *new)

    return runner.call(step, *adapters, *means, *squares, *frozen, x, hope, hidden)


# ---- 133 edges that are splines (KAN): cubic bases on a grid, two layers, loss and gradients
@program
def splines(library, runner):
    rng, lib = RNG(305), runner.lib
    n = Names(library, lib)
    if library == "np":
        return None
    batch, enter, wide, cells, order = 129, 8, 17, 6, 3
    x, hope = np.tanh(f32(rng, batch, enter)), f32(rng, batch, 1)
    knots = (np.arange(-order, cells + order + 1) * (2 / cells) - 1).astype(np.float32)
    weights = [
        f32(rng, enter * (cells + order), wide, scale=0.1),
        f32(rng, enter, wide, scale=0.3),
        f32(rng, wide * (cells + order), 1, scale=0.1),
        f32(rng, wide, 1, scale=0.3),
    ]

    def basis(x, knots):
        x = x[:, :, None]
        b = n.single((x >= knots[:-1]) & (x < knots[1:]))
        for k in range(1, order + 1):
            left = (x - knots[: -(k + 1)]) / (knots[k:-1] - knots[: -(k + 1)]) * b[:, :, :-1]
            right = (knots[k + 1 :] - x) / (knots[k + 1 :] - knots[1:-k]) * b[:, :, 1:]
            b = left + right
        return b.reshape((batch, -1))

    def loss(a, b, c, d, x, knots, hope):
        h = basis(x, knots) @ a + n.silu(x) @ b
        h = n.xp.tanh(h)
        y = basis(h, knots) @ c + n.silu(h) @ d
        return ((y - hope) ** 2).mean()

    return runner.grad(loss, 4, *weights, x, knots, hope)


# ---- 134 half-forgotten patterns come back (a modern Hopfield net): until nothing moves any more
@program
def recall(library, runner):
    rng, lib = RNG(306), runner.lib
    n = Names(library, lib)
    xp = n.xp
    kept, asked, dim = 255, 33, 100
    pattern = np.sign(f32(rng, kept, dim))
    x = pattern[:asked] * (rng.random((asked, dim)) < 0.6)
    x = x.astype(np.float32)

    def step(x, pattern):
        new = n.softmax(0.25 * x @ pattern.T) @ pattern
        return new, n.largest(xp.abs(new - x).reshape(-1), 0)

    def run(step, x, pattern):
        if library == "jax":
            x, _ = lib.lax.while_loop(lambda s: s[1] > 1e-4, lambda s: step(s[0], pattern), (x, xp.float32(1)))
        else:
            x, moved = step(x, pattern)
            while moved > 1e-4:
                x, moved = step(x, pattern)
        return x, (x @ pattern.T).argmax(1)

    return runner.stepwise(run, step, x, pattern)


# ---- 135 attention that looks at four learnt places a head (deformable): between pixels, loss and gradients
@program
def looks(library, runner):
    rng, lib = RNG(307), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    high, wide, dim, heads, points, asked = 20, 27, 64, 4, 4, 150
    each = dim // heads
    image, query, hope = f32(rng, high * wide, dim), f32(rng, asked, dim), f32(rng, asked, dim)
    where = rng.random((asked, 1, 1, 2)).astype(np.float32)
    head = np.arange(heads)[:, None]
    weights = [
        f32(rng, dim, dim, scale=dim**-0.5),
        f32(rng, dim, heads * points * 2, scale=0.01),
        f32(rng, dim, heads * points, scale=0.1),
        f32(rng, dim, dim, scale=dim**-0.5),
    ]

    def loss(value, move, weigh, out, image, query, where, head, hope):
        v = (image @ value).reshape((high * wide, heads, each))
        place = where + (query @ move).reshape((asked, heads, points, 2))
        weight = n.softmax((query @ weigh).reshape((asked, heads, points)))
        y, x = place[..., 0] * high - 0.5, place[..., 1] * wide - 0.5
        low, left = xp.floor(y), xp.floor(x)
        fy, fx = y - low, x - left
        low, left = n.whole(low), n.whole(left)
        total = 0.0
        for i in (0, 1):
            for j in (0, 1):
                a, b = low + i, left + j
                inside = n.single((a >= 0) & (a < high) & (b >= 0) & (b < wide))
                at = xp.clip(a, 0, high - 1) * wide + xp.clip(b, 0, wide - 1)
                share = (fy if i else 1 - fy) * (fx if j else 1 - fx) * inside * weight
                total = total + (share[..., None] * v[at, head]).sum(2)
        return ((total.reshape((asked, dim)) @ out - hope) ** 2).mean()

    return runner.grad(loss, 4, *weights, image, query, where, head, hope)


# ---- 136 organs in a body scan of 12 x 20 x 18: filters in three directions, instance norms, pools, gradients
@program
def volume(library, runner):
    rng, lib = RNG(308), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    x, hope = f32(rng, 2, 1, 12, 20, 18), rng.integers(0, 3, 2)
    weights = [f32(rng, 8, 1, 3, 3, 3, scale=0.2), f32(rng, 16, 8, 3, 3, 3, scale=0.07)]
    weights += [f32(rng, 24, 16, 3, 3, 3, scale=0.05), f32(rng, 24, 3, scale=0.2)]

    def conv(x, w):
        if library == "jax":
            names = ("NCDHW", "OIDHW", "NCDHW")
            return lib.lax.conv_general_dilated(x, w, (1, 1, 1), [(1, 1)] * 3, dimension_numbers=names)
        return n.F.conv3d(x, w, padding=1)

    def pool(x):
        if library == "jax":
            size = (1, 1, 2, 2, 2)
            return lib.lax.reduce_window(x, -np.inf, lib.lax.max, size, size, "VALID")
        return n.F.max_pool3d(x, 2)

    def loss(a, b, c, d, x, hope):
        for w in (a, b, c):
            x = conv(x, w)
            if library != "jax":
                x = n.F.instance_norm(x)
            else:
                m = x.mean((2, 3, 4), keepdims=True)
                x = (x - m) / xp.sqrt(((x - m) ** 2).mean((2, 3, 4), keepdims=True) + 1e-5)
            x = n.relu(x)
            if w is not c:
                x = pool(x)
        score = n.logsoftmax(x.mean((2, 3, 4)) @ d, -1)
        return -n.pick(score, hope[:, None], 1).mean()

    return runner.grad(loss, 4, *weights, x, hope)


# ---- 137 a network that learns to learn (MAML): a step on each of five curves, gradients through that step
@program
def learner(library, runner):
    rng, lib = RNG(309), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    tasks, shots, wide = 5, 11, 40
    x, z = rng.uniform(-5, 5, (2, tasks, shots, 1)).astype(np.float32)
    size, shift = rng.uniform(1, 3, (2, tasks, 1, 1)).astype(np.float32)
    y, w = size * np.sin(x + shift), size * np.sin(z + shift)
    weights = [f32(rng, 1, wide), f32(rng, wide), f32(rng, wide, wide, scale=0.15), f32(rng, wide)]
    weights += [f32(rng, wide, 1, scale=0.15)]

    def error(a, b, c, d, e, x, y):
        return ((xp.tanh(xp.tanh(x @ a + b) @ c + d) @ e - y) ** 2).mean()

    def one(weights, x, y, z, w):
        if library == "jax":
            grads = lib.grad(lambda p: error(*p, x, y))(weights)
        elif library == "vt":
            grads = lib.grad(error(*weights, x, y), list(weights), create_graph=True)
        else:
            grads = lib.autograd.grad(error(*weights, x, y), weights, create_graph=True)
        return error(*[p - 0.05 * g for p, g in zip(weights, grads)], z, w)

    def loss(a, b, c, d, e, x, y, z, w):
        weights = (a, b, c, d, e)
        if library == "jax":
            return lib.vmap(one, (None, 0, 0, 0, 0))(weights, x, y, z, w).mean()
        return sum(one(weights, x[k], y[k], z[k], w[k]) for k in range(tasks)) / tasks

    if library == "torch.compile":
        return None  # second derivatives aren't compiled
    return runner.grad(loss, 5, *weights, x, y, z, w)


# ---- 138 weights that move along orthogonal matrices (Muon): five products' iterations, a step of a network
@program
def orthogonal(library, runner):
    rng, lib = RNG(310), runner.lib
    n = Names(library, lib)
    xp = n.xp
    if library == "np":
        return None
    batch, sizes = 100, (130, 192, 96, 40)
    x, hope = f32(rng, batch, sizes[0]), f32(rng, batch, sizes[-1])
    weights = [f32(rng, a, b, scale=a**-0.5) for a, b in zip(sizes, sizes[1:])]
    speeds = [f32(rng, *w.shape, scale=0.01) for w in weights]

    def loss(a, b, c, x, hope):
        return ((n.relu(n.relu(x @ a) @ b) @ c - hope) ** 2).mean()

    def straight(g):
        tall = g.shape[0] > g.shape[1]
        x = g.T if tall else g
        x = x / (xp.sqrt((x * x).sum()) + 1e-7)
        for _ in range(5):
            a = x @ x.T
            x = 3.4445 * x + (-4.775 * a + 2.0315 * (a @ a)) @ x
        return x.T if tall else x

    def step(a, b, c, u, v, w, x, hope):
        old = [a, b, c]
        if library == "jax":
            value, grads = lib.value_and_grad(loss, argnums=(0, 1, 2))(a, b, c, x, hope)
        elif library == "vt":
            for p in old:
                p.stop_gradient = False
            value = loss(*old, x, hope)
            grads = lib.grad(value, old)
        else:
            old = [p.detach().requires_grad_() for p in old]
            value = loss(*old, x, hope)
            grads = lib.autograd.grad(value, old)
        speeds = [0.95 * s + g for s, g in zip((u, v, w), grads)]
        return (value, *speeds, *[p - 0.02 * straight(g + 0.95 * s) for p, g, s in zip(old, grads, speeds)])

    return runner.call(step, *weights, *speeds, x, hope)


# ---- 139 24 more words from a cache kept in 8 bits: four heads, scales by place, rounded and clipped
@program
def cache(library, runner):
    rng, lib = RNG(311), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, heads, each, length, before = 3, 4, 24, 64, 40
    dim = heads * each
    x = f32(rng, batch, dim)
    keys, values = rng.integers(-127, 128, (2, batch, heads, length, each)).astype(np.int8)
    kscale, vscale = rng.uniform(0.005, 0.02, (2, batch, heads, length)).astype(np.float32)
    weights = [f32(rng, dim, 3 * dim, scale=dim**-0.5), f32(rng, dim, dim, scale=dim**-0.5)]
    place = np.arange(length)

    def small(x):
        scale = n.largest(xp.abs(x), -1, True) / 127
        q = xp.clip(xp.round(x / scale), -127, 127)
        return (q.to(lib.int8) if n.kind == "torch" else q.astype("int8")), scale[..., 0]

    def layer(x, t, keys, values, kscale, vscale, mix, out, place):
        q, k, v = [(x @ mix)[:, j * dim : (j + 1) * dim].reshape((batch, heads, each)) for j in range(3)]
        at = (slice(None), slice(None), t)
        k8, ks = small(k)
        v8, vs = small(v)
        keys, kscale = put(library, keys, at, k8), put(library, kscale, at, ks)
        values, vscale = put(library, values, at, v8), put(library, vscale, at, vs)
        score = (n.single(keys) @ q[..., None])[..., 0] * kscale * each**-0.5
        weight = n.softmax(xp.where(place <= t, score, 0 * score - 1e9))
        y = ((weight * vscale)[:, :, None] @ n.single(values))[:, :, 0].reshape((batch, dim))
        x = x + y @ out
        return x / xp.sqrt(n.mean(x * x, 1, True) + 1e-6), keys, values, kscale, vscale

    def run(layer, x, keys, values, kscale, vscale, mix, out, place):
        s = (x, keys, values, kscale, vscale)
        if library == "jax":

            def one(s, t):
                s = layer(s[0], t, *s[1:], mix, out, place)
                return s, s[0]

            return lib.lax.scan(one, s, xp.arange(before, length))[1]
        s = (x, *[a.copy() if library == "np" else a.clone() for a in s[1:]])
        made = []
        for t in range(before, length):
            s = layer(s[0], t, *s[1:], mix, out, place)
            made.append(s[0])
        return xp.stack(made)

    return runner.stepwise(run, layer, x, keys, values, kscale, vscale, *weights, place)


# ---- 140 clouds of 500 points: 60 of them far apart, the 12 nearest to each, layers over these, their largest
@program
def centres(library, runner):
    rng, lib = RNG(312), runner.lib
    n = Names(library, lib)
    xp = n.xp
    clouds, points, chosen, near = 4, 500, 60, 12
    cloud = f32(rng, clouds, points, 3)
    row = np.arange(clouds)
    weights = [f32(rng, 3, 32, scale=0.5), f32(rng, 32, 64, scale=0.2)]

    def step(far, last, cloud, row):
        far = xp.minimum(far, ((cloud - cloud[row, last][:, None]) ** 2).sum(2))
        return far, far.argmax(1)

    def run(step, cloud, row, a, b):
        far, last = 0 * cloud[:, :, 0] + 1e10, 0 * row
        if library == "jax":
            _, at = lib.lax.scan(lambda s, _: (step(*s, cloud, row), s[1]), (far, last), None, chosen)
        else:
            at = []
            for _ in range(chosen):
                at.append(last)
                far, last = step(far, last, cloud, row)
            at = xp.stack(at)
        centre = cloud[row[:, None], at.T]
        square = ((centre[:, :, None] - cloud[:, None]) ** 2).sum(3)
        if library == "np":
            neighbour = np.argpartition(square, near, 2)[:, :, :near]
        elif library == "jax":
            neighbour = lib.lax.top_k(-square, near)[1]
        else:
            neighbour = lib.topk(square, near, 2, largest=False)[1]
        group = cloud[row[:, None, None], neighbour] - centre[:, :, None]
        return n.largest(n.relu(n.relu(group @ a) @ b), 2)

    return runner.stepwise(run, step, cloud, row, *weights)
