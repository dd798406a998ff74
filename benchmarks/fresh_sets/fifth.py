"""Sixteen programs of a fifth set, measured before anything was tuned for them; the form of second.py.

`WEIGHTS[name]`: from which argument on a network's are its weights, which an ONNX file holds as constants.
"""

import numpy as np

from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401 - fresh.py reads the libraries here
from .third import add_rows, gradients

PROGRAMS = {}
WEIGHTS = {"tagger": 1, "mobile": 1, "masked_encoder": 2, "sound_classes": 1, "experts": 1, "diffusion": 6}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def arrays_of(library, lib):
    """Where a library has its functions on arrays."""
    return lib.numpy if library == "jax" else lib


def swap(library):
    """A permutation of axes."""
    return (lambda t, *p: t.permute(*p)) if library.startswith("torch") else lambda t, *p: t.transpose(p)


# ---- 1 words get tags: two layers of LSTM, each in both directions


@program
def tagger(library, runner):
    rng, lib = RNG(1), runner.lib
    if library == "np":
        return None
    batch, words, size, hidden, tags = 4, 40, 48, 64, 12
    x = f32(rng, batch, words, size)
    weights = []
    for wide in (size, 2 * hidden):
        for _ in range(2):
            weights += [f32(rng, 4 * hidden, wide, scale=wide**-0.5), f32(rng, 4 * hidden, hidden, scale=hidden**-0.5)]
            weights += [f32(rng, 4 * hidden, scale=0.1), f32(rng, 4 * hidden, scale=0.1)]
    out = f32(rng, 2 * hidden, tags, scale=0.2)
    if library.startswith("torch"):

        def tag(x, out, *w):
            h = x.new_zeros(4, batch, hidden)
            y, _, _ = lib.lstm(x, (h, h), w, True, 2, 0.0, False, True, True)
            return lib.log_softmax(y @ out, -1)

        return runner.call(tag, x, out, *weights)
    if library == "vt":
        layer = lib.nn.LSTM(size, hidden, num_layers=2, direction="bidirect")
        for parameter, w in zip(layer.parameters(), weights, strict=True):
            parameter.set_value(w)
        out = lib.to_tensor(out)
        return runner.call(lambda x: lib.nn.functional.log_softmax(layer(x)[0] @ out, -1), x)
    jnp, sigmoid = lib.numpy, lib.nn.sigmoid

    def read(x, u, w, b, c, reverse):
        given = x @ u.T + b + c

        def step(state, g):
            h, s = state
            i, f, g, o = jnp.split(g + h @ w.T, 4, -1)
            s = sigmoid(f) * s + sigmoid(i) * jnp.tanh(g)
            h = sigmoid(o) * jnp.tanh(s)
            return (h, s), h

        zero = jnp.zeros((batch, hidden), jnp.float32)
        return lib.lax.scan(step, (zero, zero), given, reverse=reverse)[1]

    def tag(x, out, *w):
        x = x.swapaxes(0, 1)
        for k in (0, 8):
            x = jnp.concatenate([read(x, *w[k : k + 4], False), read(x, *w[k + 4 : k + 8], True)], -1)
        return lib.nn.log_softmax(x.swapaxes(0, 1) @ out, -1)

    return runner.call(tag, x, out, *weights)


# ---- 2 blocks that widen, filter each channel, weigh the channels and narrow again


@program
def mobile(library, runner):
    rng, lib = RNG(2), runner.lib
    if library == "np":
        return None
    plan = [
        (16, 16, 3, 2, False),
        (72, 24, 3, 2, False),
        (96, 40, 5, 2, True),
        (240, 40, 5, 1, True),
        (120, 48, 5, 1, True),
    ]
    images, weights, wide = f32(rng, 1, 3, 112, 112), [f32(rng, 16, 3, 3, 3, scale=0.2)], 16

    def normed(n):
        return [
            f32(rng, n, scale=0.1),
            0.5 + rng.random(n).astype(np.float32),
            np.ones(n, np.float32),
            f32(rng, n, scale=0.1),
        ]

    weights += normed(16)
    for more, out, k, _, squeeze in plan:
        weights += [f32(rng, more, wide, 1, 1, scale=wide**-0.5), *normed(more)]
        weights += [f32(rng, more, 1, k, k, scale=1 / k), *normed(more)]
        if squeeze:
            few = more // 4
            weights += [f32(rng, few, more, 1, 1, scale=more**-0.5), f32(rng, few, scale=0.1)]
            weights += [f32(rng, more, few, 1, 1, scale=few**-0.5), f32(rng, more, scale=0.1)]
        weights += [f32(rng, out, more, 1, 1, scale=more**-0.5), *normed(out)]
        wide = out
    weights += [f32(rng, wide, 20, scale=0.2)]
    if library == "jax":
        jnp = lib.numpy
        relu, swish = lib.nn.relu, lib.nn.hard_swish
        gate = lib.nn.hard_sigmoid

        def conv(x, w, stride=1, groups=1):
            pad = w.shape[2] // 2
            return lib.lax.conv_general_dilated(x, w, (stride, stride), [(pad, pad)] * 2, feature_group_count=groups)

        def norm(x, mean, var, scale, shift):
            scale = scale / jnp.sqrt(var + 1e-3)
            return x * scale[:, None, None] + (shift - mean * scale)[:, None, None]
    else:
        nn = lib.nn.functional
        relu, swish, gate = nn.relu, nn.hardswish, nn.hardsigmoid
        conv = lambda x, w, stride=1, groups=1: nn.conv2d(x, w, None, stride, w.shape[2] // 2, groups=groups)  # noqa: E731
        more = {"epsilon": 1e-3} if library == "vt" else {"eps": 1e-3}
        norm = lambda x, *n: nn.batch_norm(x, *n, **more)  # noqa: E731

    def net(x, *w):
        w = iter(w)
        take = lambda: [next(w) for _ in range(4)]  # noqa: E731
        x = swish(norm(conv(x, next(w), 2), *take()))
        for more, out, k, stride, squeeze in plan:
            act = swish if squeeze else relu
            y = act(norm(conv(x, next(w)), *take()))
            y = act(norm(conv(y, next(w), stride, more), *take()))
            if squeeze:
                s = relu(conv(y.mean((2, 3))[:, :, None, None], next(w)) + next(w)[:, None, None])
                y = y * gate(conv(s, next(w)) + next(w)[:, None, None])
            y = norm(conv(y, next(w)), *take())
            x = x + y if x.shape == y.shape else y
        return x.mean((2, 3)) @ next(w)

    return runner.call(net, images, *weights)


# ---- 3 one training step of a transformer on patches of images


@program
def patches_step(library, runner):
    rng, lib = RNG(3), runner.lib
    if library == "np":
        return None
    batch, size, heads, wide, deep = 12, 96, 3, 256, 2
    each, count = size // heads, 17
    images, label = f32(rng, batch, 3, 32, 32), rng.integers(0, 10, batch)
    weights = [f32(rng, 192, size, scale=0.07), f32(rng, 1, 1, size, scale=0.1), f32(rng, count, size, scale=0.1)]
    for _ in range(deep):
        weights += [np.ones(size, np.float32), np.zeros(size, np.float32)]
        weights += [f32(rng, size, 3 * size, scale=0.1), f32(rng, size, size, scale=0.1)]
        weights += [np.ones(size, np.float32), np.zeros(size, np.float32)]
        weights += [f32(rng, size, wide, scale=0.1), np.zeros(wide, np.float32)]
        weights += [f32(rng, wide, size, scale=0.06), np.zeros(size, np.float32)]
    weights += [f32(rng, size, 10, scale=0.1)]
    xp, turn = arrays_of(library, lib), swap(library)
    if library == "jax":
        softmax, gelu = lib.nn.softmax, lambda x: lib.nn.gelu(x, approximate=False)

        def norm(x, w, b):
            mean = x.mean(-1, keepdims=True)
            return (x - mean) * lib.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * w + b

        def cross(score, label):
            return -lib.nn.log_softmax(score)[xp.arange(batch), label].mean()

        def attend(q, k, v):
            return softmax(q @ k.transpose(0, 1, 3, 2) * each**-0.5, -1) @ v

        join = lambda a, b: xp.concatenate([xp.broadcast_to(a, (batch, 1, size)), b], 1)  # noqa: E731
    else:
        nn = lib.nn.functional
        gelu, cross = nn.gelu, nn.cross_entropy
        norm = lambda x, w, b: nn.layer_norm(x, [size], w, b)  # noqa: E731
        join = lambda a, b: xp.concat([xp.broadcast_to(a, (batch, 1, size)), b], 1)  # noqa: E731
        if library == "vt":

            def attend(q, k, v):
                return nn.softmax(q @ k.transpose([0, 1, 3, 2]) * each**-0.5, -1) @ v
        else:
            attend = nn.scaled_dot_product_attention

    def loss(w, images, label):
        x = turn(images.reshape((batch, 3, 4, 8, 4, 8)), 0, 2, 4, 1, 3, 5).reshape((batch, 16, 192)) @ w[0]
        x = join(w[1], x) + w[2]
        for k in range(deep):
            a, b, qkv, out, c, d, up, ub, down, db = w[3 + 10 * k : 13 + 10 * k]
            t = turn((norm(x, a, b) @ qkv).reshape((batch, count, 3, heads, each)), 2, 0, 3, 1, 4)
            x = x + turn(attend(t[0], t[1], t[2]), 0, 2, 1, 3).reshape((batch, count, size)) @ out
            x = x + gelu(norm(x, c, d) @ up + ub) @ down + db
        return cross(x[:, 0] @ w[-1], label)

    both = gradients(library, lib, loss)

    def step(images, label, *w):
        made = both(list(w), images, label)
        slopes = made[1] if library == "jax" else made[1:]
        if library.startswith("torch"):
            with lib.no_grad():
                return made[0], *[a - 0.01 * g for a, g in zip(w, slopes)]
        return made[0], *[a - 0.01 * g for a, g in zip(w, slopes)]

    return runner.call(step, images, label, *weights)


# ---- 4 an encoder of sentences of different lengths


@program
def masked_encoder(library, runner):
    rng, lib = RNG(4), runner.lib
    if library == "np":
        return None
    batch, words, size, heads, wide, deep = 3, 56, 144, 4, 432, 2
    each = size // heads
    place, length = rng.integers(0, 900, (batch, words)), np.array([56, 31, 44])
    real = (np.arange(words)[None] < length[:, None]).astype(np.float32)
    weights = [f32(rng, 900, size, scale=0.3), f32(rng, words, size, scale=0.1)]
    for _ in range(deep):
        for m, n in ((size, size),) * 4 + ((size, wide), (wide, size)):
            weights += [f32(rng, m, n, scale=m**-0.5), f32(rng, n, scale=0.05)]
        weights += [np.ones(size, np.float32), np.zeros(size, np.float32)] * 2
    turn = swap(library)
    if library == "jax":
        gelu, softmax = (lambda x: lib.nn.gelu(x, approximate=False)), lib.nn.softmax

        def norm(x, w, b):
            mean = x.mean(-1, keepdims=True)
            return (x - mean) * lib.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-12) * w + b
    else:
        nn = lib.nn.functional
        gelu, softmax = nn.gelu, nn.softmax
        norm = lambda x, w, b: nn.layer_norm(x, [size], w, b, 1e-12)  # noqa: E731

    def apart(t):
        return turn(t.reshape((batch, words, heads, each)), 0, 2, 1, 3)

    def encode(place, real, *w):
        x = w[0][place] + w[1]
        away = ((1.0 - real) * -1e9)[:, None, None, :]
        for k in range(deep):
            wq, bq, wk, bk, wv, bv, wo, bo, up, ub, down, db, a, b, c, d = w[2 + 16 * k : 18 + 16 * k]
            q, key, v = apart(x @ wq + bq), apart(x @ wk + bk), apart(x @ wv + bv)
            if library.startswith("torch"):
                y = nn.scaled_dot_product_attention(q, key, v, attn_mask=away)
            else:
                y = softmax(q @ turn(key, 0, 1, 3, 2) * each**-0.5 + away, -1) @ v
            x = norm(x + turn(y, 0, 2, 1, 3).reshape((batch, words, size)) @ wo + bo, a, b)
            x = norm(x + gelu(x @ up + ub) @ down + db, c, d)
        return (x * real[:, :, None]).sum(1) / real.sum(1)[:, None]

    return runner.call(encode, place, real, *weights)


# ---- 5 the second derivative of a network's loss along a direction


@program
def curvature(library, runner):
    rng, lib = RNG(5), runner.lib
    if library == "np":
        return None
    x, y = f32(rng, 200, 24), f32(rng, 200, 1)
    sizes = [(24, 48), (48, 48), (48, 1)]
    weights = [f32(rng, m, n, scale=m**-0.5) for m, n in sizes]
    ways = [f32(rng, m, n, scale=0.1) for m, n in sizes]
    xp = arrays_of(library, lib)

    def loss(w, x, y):
        away = xp.tanh(xp.tanh(x @ w[0]) @ w[1]) @ w[2] - y
        return (away * away).mean()

    if library == "jax":

        def curve(x, y, *given):
            w, v = list(given[:3]), list(given[3:])
            return lib.jvp(lambda w: lib.grad(loss)(w, x, y), (w,), (v,))[1]

        return runner.call(curve, x, y, *weights, *ways)

    def curve(x, y, *given):
        w, v = list(given[:3]), given[3:]
        if library == "vt":
            for one in w:
                one.stop_gradient = False
        else:
            w = [one.detach().requires_grad_() for one in w]
        grad = lib.grad if library == "vt" else lib.autograd.grad
        slopes = grad(loss(w, x, y), w, create_graph=True)
        return tuple(grad(sum((s * d).sum() for s, d in zip(slopes, v)), w))

    return runner.call(curve, x, y, *weights, *ways)


# ---- 6 the next of many words: loss, and gradients of states and words


@program
def many_words(library, runner):
    rng, lib = RNG(6), runner.lib
    if library == "np":
        return None
    h, table, bias = f32(rng, 96, 64), f32(rng, 12000, 64, scale=0.1), f32(rng, 12000, scale=0.1)
    label = rng.integers(0, 12000, 96)
    if library == "jax":
        cross = lambda s, label: -lib.nn.log_softmax(s)[lib.numpy.arange(96), label].mean()  # noqa: E731
    else:
        cross = lib.nn.functional.cross_entropy

    def loss(w, label):
        h, table, bias = w
        return cross(h @ table.T + bias, label)

    both = gradients(library, lib, loss)
    return runner.call(lambda label, *w: both(list(w), label), label, h, table, bias)


# ---- 7 stars that attract each other, float64, what the first speeds change at the end


@program
def stars(library, runner):
    rng, lib = RNG(7), runner.lib
    if library == "np":
        return None
    count = 48
    place, speed = rng.standard_normal((count, 3)), 0.3 * rng.standard_normal((count, 3))
    mass = 0.5 + rng.random(count)

    def pull(x, mass):
        d = x[None, :, :] - x[:, None, :]
        r = (d * d).sum(-1) + 0.01
        return (d * (mass[None, :] * r**-1.5)[:, :, None]).sum(1)

    def step(x, v, mass):
        v = v + 0.005 * pull(x, mass)
        x = x + 0.01 * v
        return x, v + 0.005 * pull(x, mass)

    def loss(w, x, mass):
        v = w[0]
        if library == "jax":
            x, v = lib.lax.fori_loop(0, 15, lambda k, s: step(*s, mass), (x, v))
        else:
            for _ in range(15):
                x, v = step(x, v, mass)
        return (mass * (v * v).sum(-1)).sum() + (x * x).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda x, mass, v: both([v], x, mass), place, mass, speed)


# ---- 8 a mixture of experts, two of eight for each word


@program
def experts(library, runner):
    rng, lib = RNG(8), runner.lib
    if library == "np":
        return None
    words, size, wide, count = 160, 64, 128, 8
    x, gate = f32(rng, words, size), f32(rng, size, count, scale=0.2)
    up, down = f32(rng, count, size, wide, scale=0.1), f32(rng, count, wide, size, scale=0.1)
    softmax = lib.nn.softmax if library == "jax" else lib.nn.functional.softmax
    silu = lib.nn.silu if library == "jax" else lib.nn.functional.silu

    def mixed(x, gate, up, down):
        score = x @ gate
        best, which = lib.lax.top_k(score, 2) if library == "jax" else lib.topk(score, 2)
        share = softmax(best, -1)
        if library == "jax":
            hot = lib.nn.one_hot(which, count)
        else:
            hot = lib.nn.functional.one_hot(which, count).to(lib.float32)
        weight = (share[:, :, None] * hot).sum(1)
        y = silu(x @ up) @ down
        return (swap(library)(weight, 1, 0)[:, :, None] * y).sum(0)

    return runner.call(mixed, x, gate, up, down)


# ---- 9 sums of words' vectors, a score, gradients of both


@program
def bags(library, runner):
    rng, lib = RNG(9), runner.lib
    if library == "np":
        return None
    words, kinds, count, size = 6000, 3000, 500, 24
    table, w = f32(rng, kinds, size, scale=0.3), f32(rng, size, scale=0.3)
    word = np.minimum(rng.geometric(0.002, words) - 1, kinds - 1)
    bag, label = np.sort(rng.integers(0, count, words)), rng.integers(0, 2, count).astype(np.float32)
    xp = arrays_of(library, lib)
    zeros = (lambda *s: lib.zeros(s, dtype="float32")) if library == "vt" else lambda *s: xp.zeros(s, dtype=xp.float32)

    def loss(given, word, bag, label):
        table, w = given
        score = add_rows(library, lib, zeros(count, size), bag, table[word]) @ w
        return (xp.log(1.0 + xp.exp(-xp.abs(score))) + xp.maximum(score, zeros(1)) - score * label).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda word, bag, label, *w: both(list(w), word, bag, label), word, bag, label, table, w)


# ---- 10 pictures cut out, some mirrored, made brighter, normalised and made smaller


@program
def pictures(library, runner):
    rng, lib = RNG(10), runner.lib
    count, size, cut = 16, 80, 64
    images = rng.integers(0, 256, (count, 3, size, size)).astype(np.uint8)
    top, left = rng.integers(0, size - cut, count), rng.integers(0, size - cut, count)
    mirror, light = rng.random(count) < 0.5, (0.7 + 0.6 * rng.random(count)).astype(np.float32)
    mean = np.array([120.0, 110.0, 100.0], np.float32)[:, None, None]
    each, along = np.arange(count)[:, None, None], np.arange(cut)
    channel = np.arange(3)[None, :, None, None]
    xp = arrays_of(library, lib)
    flip = (lambda x: lib.flip(x, [-1])) if library == "vt" or library.startswith("torch") else lambda x: xp.flip(x, -1)

    def made(images, top, left, mirror, light, mean, each, along, channel):
        rows, columns = top[:, None, None] + along[None, :, None], left[:, None, None] + along[None, None, :]
        x = images[each[:, None], channel, rows[:, None], columns[:, None]]
        x = x.astype("float32") if not library.startswith("torch") else x.float()
        x = xp.where(mirror[:, None, None, None], flip(x), x)
        x = xp.clip(x * light[:, None, None, None], 0.0, 255.0)
        x = (x - mean) / 58.0
        return x.reshape((count, 3, cut // 2, 2, cut // 2, 2)).mean((3, 5))

    return runner.call(made, images, top, left, mirror, light, mean, each, along, channel)


# ---- 11 heat in rods, implicit steps, each a sweep down and a sweep up


@program
def rods(library, runner):
    rng, lib = RNG(11), runner.lib
    count, size, times = 128, 60, 12
    heat, flow = rng.random((size, count)), 0.3 + rng.random(count)
    xp = arrays_of(library, lib)
    if library == "jax":

        def cooled(heat, flow):
            side, middle = -flow, 1.0 + 2.0 * flow

            def down(carry, d):
                c, e = carry
                below = middle - side * c
                c, e = side / below, (d - side * e) / below
                return (c, e), (c, e)

            def up(x, row):
                x = row[1] - row[0] * x
                return x, x

            def step(_, heat):
                zero = xp.zeros_like(flow)
                _, rows = lib.lax.scan(down, (zero, zero), heat)
                return lib.lax.scan(up, zero, rows, reverse=True)[1]

            return lib.lax.fori_loop(0, times, step, heat)

        return runner.call(cooled, heat, flow)

    def cooled(heat, flow):
        side, middle = -flow, 1.0 + 2.0 * flow
        for _ in range(times):
            c = e = flow * 0.0
            upper, right = [], []
            for k in range(size):
                below = middle - side * c
                c, e = side / below, (heat[k] - side * e) / below
                upper.append(c)
                right.append(e)
            x, rows = flow * 0.0, []
            for k in range(size - 1, -1, -1):
                x = right[k] - upper[k] * x
                rows.append(x)
            heat = xp.stack(rows[::-1])
        return heat

    return runner.call(cooled, heat, flow)


# ---- 12 a smooth line through points: weighted lines fitted to the nearest ones, float64


@program
def smoothed(library, runner):
    rng, lib = RNG(12), runner.lib
    count, near = 300, 60
    x = np.sort(rng.random(count)) * 10
    y = np.sin(x) + 0.3 * rng.standard_normal(count)
    xp = arrays_of(library, lib)

    def made(x, y):
        d = xp.abs(x[:, None] - x[None, :])
        if library.startswith("torch"):
            far = xp.sort(d, -1)[0][:, near : near + 1]
        else:
            far = xp.sort(d, -1)[:, near : near + 1]
        w = xp.clip(1.0 - (d / far) ** 3, 0.0, 1.0) ** 3
        total = w.sum(1)
        mx, my = (w * x).sum(1) / total, (w * y).sum(1) / total
        a = x[None, :] - mx[:, None]
        slope = (w * a * y[None, :]).sum(1) / (w * a * a).sum(1)
        return my + slope * (x - mx)

    return runner.call(made, x, y)


# ---- 13 how many letters differ, for many pairs of words


@program
def letters(library, runner):
    rng, lib = RNG(13), runner.lib
    pairs, m, n = 96, 24, 28
    a, b = rng.integers(0, 6, (m, pairs)), rng.integers(0, 6, (n, pairs))
    xp = arrays_of(library, lib)
    first = np.arange(n + 1)[:, None] + np.zeros((1, pairs), np.int64)
    if library == "jax":

        def distance(a, b, first):
            def row(carry, letter):
                before, k = carry

                def cell(left, given):
                    up, corner, other = given
                    now = xp.minimum(xp.minimum(up, left) + 1, corner + (letter != other))
                    return now, now

                start = xp.zeros(pairs, xp.int64) + k
                _, rest = lib.lax.scan(cell, start, (before[1:], before[:-1], b))
                return (xp.concatenate([start[None], rest]), k + 1), None

            return lib.lax.scan(row, (first, 1), a)[0][0][-1]

        return runner.call(distance, a, b, first)

    def distance(a, b, first):
        before = [first[j] for j in range(n + 1)]
        for i in range(m):
            now = [before[0] * 0 + (i + 1)]
            for j in range(n):
                differs = (a[i] != b[j]).to(lib.int64) if library != "np" else a[i] != b[j]
                now.append(xp.minimum(xp.minimum(before[j + 1], now[j]) + 1, before[j] + differs))
            before = now
        return before[-1]

    return runner.call(distance, a, b, first)


# ---- 14 prices of options, float64, and how they move with what they depend on


@program
def greeks(library, runner):
    rng, lib = RNG(14), runner.lib
    if library == "np":
        return None
    count = 12000
    spot, strike = 80 + 40 * rng.random(count), 80 + 40 * rng.random(count)
    time, rate, move = 0.1 + 2 * rng.random(count), 0.01 + 0.04 * rng.random(count), 0.1 + 0.3 * rng.random(count)
    xp = arrays_of(library, lib)
    erf = lib.scipy.special.erf if library == "jax" else lib.erf

    def normal(x):
        return 0.5 * (1.0 + erf(x * 0.7071067811865476))

    def total(w, strike):
        spot, time, rate, move = w
        root = move * xp.sqrt(time)
        d = (xp.log(spot / strike) + (rate + 0.5 * move * move) * time) / root
        return (spot * normal(d) - strike * xp.exp(-rate * time) * normal(d - root)).sum()

    both = gradients(library, lib, total)
    return runner.call(lambda strike, *w: both(list(w), strike), strike, spot, time, rate, move)


# ---- 15 kinds of sounds: filters along time


@program
def sound_classes(library, runner):
    rng, lib = RNG(15), runner.lib
    if library == "np":
        return None
    sounds, weights = f32(rng, 4, 1, 4000), []
    plan = [(1, 32, 25, 4), (32, 48, 9, 2), (48, 64, 5, 2), (64, 64, 3, 1), (64, 96, 3, 2)]
    for m, n, k, _ in plan:
        weights += [f32(rng, n, m, k, scale=(m * k) ** -0.5), f32(rng, n, scale=0.1)]
    weights.append(f32(rng, 96, 15, scale=0.1))
    if library == "jax":
        relu = lib.nn.relu

        def conv(x, w, b, stride):
            pad = w.shape[2] // 2
            return lib.lax.conv_general_dilated(x, w, (stride,), [(pad, pad)]) + b[:, None]
    else:
        nn = lib.nn.functional
        relu = nn.relu
        conv = lambda x, w, b, stride: nn.conv1d(x, w, b, stride, w.shape[2] // 2)  # noqa: E731

    def net(x, *w):
        for k, (_, _, _, stride) in enumerate(plan):
            x = relu(conv(x, w[2 * k], w[2 * k + 1], stride))
        return x.mean(-1) @ w[-1]

    return runner.call(net, sounds, *weights)


# ---- 16 noise becomes an image in a few steps: a small network that knows the time


@program
def diffusion(library, runner):
    rng, lib = RNG(16), runner.lib
    if library == "np":
        return None
    images, weights = f32(rng, 2, 4, 16, 16), [f32(rng, 32, 64, scale=0.2), f32(rng, 64, 64, scale=0.1)]
    plan = [(4, 32), (32, 64), (64, 64), (96, 32), (32, 4)]
    for m, n in plan:
        weights += [f32(rng, n, m, 3, 3, scale=(9 * m) ** -0.5), f32(rng, n, scale=0.1)]
    weights += [f32(rng, 64, n, scale=0.1) for _, n in plan[:4]]
    share = np.cos(np.linspace(1.45, 0.05, 6)) ** 2
    waves = [
        np.concatenate([np.sin(t * 10.0 ** -np.linspace(0, 3, 16)), np.cos(t * 10.0 ** -np.linspace(0, 3, 16))])[None]
        for t in np.linspace(999, 100, 5)
    ]
    waves = [w.astype(np.float32) for w in waves]
    if library == "jax":
        jnp, silu = lib.numpy, lib.nn.silu

        def conv(x, w, b, stride=1):
            return lib.lax.conv_general_dilated(x, w, (stride, stride), [(1, 1), (1, 1)]) + b[:, None, None]

        def norm(x):
            y = x.reshape((2, 8, -1))
            mean = y.mean(-1, keepdims=True)
            y = (y - mean) * lib.lax.rsqrt(((y - mean) ** 2).mean(-1, keepdims=True) + 1e-5)
            return y.reshape(x.shape)

        up = lambda x: jnp.repeat(jnp.repeat(x, 2, 2), 2, 3)  # noqa: E731
        join = lambda a, b: jnp.concatenate([a, b], 1)  # noqa: E731
    else:
        nn = lib.nn.functional
        silu = nn.silu
        conv = lambda x, w, b, stride=1: nn.conv2d(x, w, b, stride, 1)  # noqa: E731
        norm = lambda x: nn.group_norm(x, 8)  # noqa: E731
        up = lambda x: nn.interpolate(x, scale_factor=2, mode="nearest")  # noqa: E731
        join = lambda a, b: lib.concat([a, b], 1)  # noqa: E731

    def noise(x, wave, w):
        t = silu(silu(wave @ w[0]) @ w[1])
        told = [(t @ w[12 + k])[:, :, None, None] for k in range(4)]
        a = silu(norm(conv(x, w[2], w[3])) + told[0])
        b = silu(norm(conv(a, w[4], w[5], 2)) + told[1])
        b = b + silu(norm(conv(b, w[6], w[7])) + told[2])
        return conv(silu(norm(conv(join(up(b), a), w[8], w[9])) + told[3]), w[10], w[11])

    def drawn(x, *given):
        w, waves = given[5:], given[:5]
        for k in range(5):
            now, then = float(share[k]), float(share[k + 1])
            e = noise(x, waves[k], w)
            clean = (x - (1.0 - now) ** 0.5 * e) / now**0.5
            x = then**0.5 * clean + (1.0 - then) ** 0.5 * e
        return x

    return runner.call(drawn, images, *waves, *weights)
