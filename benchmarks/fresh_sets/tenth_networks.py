"""Networks of the tenth set: inputs, and what each library computes, written as its users write it."""

import math

import numpy as np

from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401
from .third import gradients

PROGRAMS = {}
WEIGHTS = {}  # programs of which the inputs from this place on are weights: they get an ONNX file


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def inference(first):
    def named(function):
        WEIGHTS[function.__name__] = first
        return program(function)

    return named


def nhwc(x):
    return np.ascontiguousarray(x.transpose(0, 2, 3, 1))


def hwio(w):
    return np.ascontiguousarray(w.transpose(2, 3, 1, 0))


def over(count, function):
    """A function of `count` weights and then data as a function of single arguments."""
    return lambda *given: function(given[:count], *given[count:])


# ---- 1 a decoder: transposed convolutions, group norm


@inference(1)
def decoder(library, runner):
    rng, lib = RNG(101), runner.lib
    z = f32(rng, 4, 64)
    sizes = (128, 64, 32, 16)
    w0, b0 = f32(rng, 64, 128 * 64, scale=0.1), f32(rng, 128 * 64, scale=0.1)
    ups = [f32(rng, a, b, 4, 4, scale=1 / math.sqrt(4 * a)) for a, b in zip(sizes, sizes[1:])]
    scales, shifts = [1 + f32(rng, b, scale=0.1) for b in sizes[1:]], [f32(rng, b, scale=0.1) for b in sizes[1:]]
    last = f32(rng, 3, 16, 3, 3, scale=0.1)
    if library == "jax":
        jax = lib

        def group_norm(x, scale, shift):
            n, h, w, c = x.shape
            g = x.reshape(n, h, w, 8, c // 8)
            mean, var = g.mean((1, 2, 4), keepdims=True), g.var((1, 2, 4), keepdims=True)
            return ((g - mean) * jax.lax.rsqrt(var + 1e-5)).reshape(n, h, w, c) * scale + shift

        def run(z, w0, b0, *rest):
            x = (z @ w0 + b0).reshape(4, 128, 8, 8).transpose(0, 2, 3, 1)
            for up, scale, shift in zip(rest[:3], rest[3:6], rest[6:9]):
                x = jax.lax.conv_transpose(x, up, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
                x = jax.nn.silu(group_norm(x, scale, shift))
            x = jax.lax.conv_general_dilated(x, rest[9], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            return jax.nn.sigmoid(x)

        flipped = [np.ascontiguousarray(u.transpose(2, 3, 0, 1)[::-1, ::-1]) for u in ups]
        return runner.call(run, z, w0, b0, *flipped, *scales, *shifts, hwio(last))
    F = lib.nn.functional
    norm = (
        (lambda x, a, b: F.group_norm(x, 8, weight=a, bias=b))
        if library != "vt"
        else (lambda x, a, b: F.group_norm(x, 8, epsilon=1e-5, weight=a, bias=b))
    )

    def run(z, w0, b0, *rest):
        x = (z @ w0 + b0).reshape((4, 128, 8, 8))
        for up, scale, shift in zip(rest[:3], rest[3:6], rest[6:9]):
            x = F.silu(
                norm(
                    F.conv_transpose2d(x, up, stride=2, padding=1)
                    if library != "vt"
                    else F.conv2d_transpose(x, up, stride=2, padding=1),
                    scale,
                    shift,
                )
            )
        return F.sigmoid(F.conv2d(x, rest[9], padding=1))

    return runner.call(run, z, w0, b0, *ups, *scales, *shifts, last)


# ---- 2 translation: a GRU reads, a GRU cell writes and attends, loss and gradients


@program
def translation(library, runner):
    rng, lib = RNG(102), runner.lib
    words, width, hidden, batch, source, target = 900, 48, 80, 12, 21, 17
    read, write = rng.integers(0, words, (batch, source)), rng.integers(0, words, (batch, target + 1))

    def gru(inputs):
        return [
            f32(rng, 3 * hidden, inputs, scale=0.1),
            f32(rng, 3 * hidden, hidden, scale=0.1),
            f32(rng, 3 * hidden, scale=0.1),
            f32(rng, 3 * hidden, scale=0.1),
        ]

    weights = [
        f32(rng, words, width),
        *gru(width),
        f32(rng, words, width),
        *gru(width + hidden),
        f32(rng, words, 2 * hidden, scale=0.1),
        f32(rng, words, scale=0.1),
    ]
    if library == "jax":
        jax, jnp = lib, lib.numpy

        def cell(x, h, wi, wh, bi, bh):
            i, g = x @ wi.T + bi, h @ wh.T + bh
            (ir, iz, ic), (gr, gz, gc) = jnp.split(i, 3, -1), jnp.split(g, 3, -1)
            r, z = jax.nn.sigmoid(ir + gr), jax.nn.sigmoid(iz + gz)
            c = jnp.tanh(ic + r * gc)
            return z * h + (1 - z) * c

        def loss(weights, read, write):
            e1, *reader, e2, wi, wh, bi, bh, wo, bo = weights
            h0 = jnp.zeros((batch, hidden), jnp.float32)

            def one(h, x):
                h = cell(x, h, *reader)
                return h, h

            h, states = jax.lax.scan(one, h0, e1[read].swapaxes(0, 1))
            states = states.swapaxes(0, 1)

            def two(h, x):
                share = jax.nn.softmax(jnp.einsum("bh,bsh->bs", h, states), -1)
                context = jnp.einsum("bs,bsh->bh", share, states)
                h = cell(jnp.concatenate([x, context], -1), h, wi, wh, bi, bh)
                return h, jnp.concatenate([h, context], -1)

            _, outs = jax.lax.scan(two, h, e2[write[:, :-1]].swapaxes(0, 1))
            logits = outs.swapaxes(0, 1) @ wo.T + bo
            chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), write[:, 1:, None], -1)
            return -chosen.mean()

        return runner.call(lambda read, write, *w: jax.value_and_grad(loss)(w, read, write), read, write, *weights)
    nn, F = lib.nn, lib.nn.functional

    class Translator(nn.Module if library != "vt" else nn.Layer):
        def __init__(self):
            super().__init__()
            self.known, self.said = nn.Embedding(words, width), nn.Embedding(words, width)
            self.reader = nn.GRU(width, hidden, batch_first=True) if library != "vt" else nn.GRU(width, hidden)
            self.writer = nn.GRUCell(width + hidden, hidden)
            self.out = nn.Linear(2 * hidden, words)

        def forward(self, read, write):
            states, h = self.reader(self.known(read))
            h, said, outs = h[0], self.said(write), []
            for t in range(said.shape[1]):
                share = F.softmax((states @ h.unsqueeze(-1)).squeeze(-1), -1)
                context = (share.unsqueeze(1) @ states).squeeze(1)
                h = (
                    self.writer(lib.cat([said[:, t], context], -1), h)
                    if library != "vt"
                    else self.writer(lib.concat([said[:, t], context], -1), h)[0]
                )
                outs.append(lib.cat([h, context], -1) if library != "vt" else lib.concat([h, context], -1))
            return self.out(lib.stack(outs, 1))

    model = Translator()
    reader = [getattr(model.reader, n + "_l0") for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
    writer = [getattr(model.writer, n) for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
    places = [model.known.weight, *reader, model.said.weight, *writer, model.out.weight, model.out.bias]
    for place, value in zip(places, weights):
        if library == "vt":
            place.set_value(value.T if place is model.out.weight else value)
        else:
            place.data.copy_(lib.from_numpy(value))

    def step(read, write):
        logits = model(read, write[:, :-1])
        goal = write[:, 1:].reshape((-1,))
        loss = F.cross_entropy(logits.reshape((-1, words)), goal)
        grad = lib.grad if library == "vt" else lib.autograd.grad
        return loss, *grad(loss, places)

    return runner.call(step, read, write)


# ---- 3 a transformer over sets


@inference(1)
def sets(library, runner):
    rng, lib = RNG(103), runner.lib
    batch, count, given, dim, heads, points = 8, 180, 12, 64, 4, 16
    x = f32(rng, batch, count, given)

    def block(a, b):
        return [
            f32(rng, a, dim, scale=a**-0.5),
            f32(rng, b, dim, scale=b**-0.5),
            f32(rng, b, dim, scale=b**-0.5),
            f32(rng, dim, dim, scale=0.12),
            1 + f32(rng, dim, scale=0.1),
            f32(rng, dim, scale=0.1),
            f32(rng, dim, dim, scale=0.12),
            f32(rng, dim, scale=0.1),
            1 + f32(rng, dim, scale=0.1),
            f32(rng, dim, scale=0.1),
        ]

    weights = [
        f32(rng, 1, points, dim),
        *block(dim, given),
        *block(given, dim),
        f32(rng, 1, points, dim),
        *block(dim, dim),
        *block(dim, dim),
        f32(rng, 1, 1, dim),
        *block(dim, dim),
        f32(rng, dim, 10, scale=0.1),
    ]
    if library == "jax":
        relu = lib.nn.relu
        attend = lib.nn.dot_product_attention
        matrix = lib.numpy.broadcast_to

        def norm(x, a, b):
            mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
            return (x - mean) * lib.lax.rsqrt(var + 1e-5) * a + b
    elif library == "vt":
        F = lib.nn.functional
        relu, attend, matrix = F.relu, F.scaled_dot_product_attention, lib.expand
        norm = lambda x, a, b: F.layer_norm(x, (dim,), a, b, 1e-5)
    else:
        F = lib.nn.functional
        relu, matrix = F.relu, lambda x, s: x.expand(s)
        norm = lambda x, a, b: F.layer_norm(x, (dim,), a, b, 1e-5)
        attend = lambda q, k, v: F.scaled_dot_product_attention(
            q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        ).transpose(1, 2)

    def mab(x, y, wq, wk, wv, wo, a1, b1, w1, c1, a2, b2):
        q, k, v = x @ wq, y @ wk, y @ wv
        split = lambda t: t.reshape((batch, -1, heads, dim // heads))
        h = q + attend(split(q), split(k), split(v)).reshape((batch, -1, dim)) @ wo
        h = norm(h, a1, b1)
        return norm(h + relu(h @ w1 + c1), a2, b2)

    def isab(x, points_, weights):
        return mab(x, mab(matrix(points_, (batch, points, dim)), x, *weights[:10]), *weights[10:])

    def run(x, *w):
        x = isab(x, w[0], w[1:21])
        x = isab(x, w[21], w[22:42])
        return mab(matrix(w[42], (batch, 1, dim)), x, *w[43:53])[:, 0] @ w[53]

    return runner.call(run, x, *weights)


# ---- 4 speech: convolutions and the CTC loss, gradients


@program
def speech(library, runner):
    rng, lib = RNG(104), runner.lib
    batch, frames, bands, letters, length = 6, 120, 40, 29, 11
    x = f32(rng, batch, bands, frames)
    labels = rng.integers(1, letters, (batch, length)).astype(np.int32)
    inputs = np.array([60, 60, 57, 55, 60, 51], np.int64)
    counts = np.array([11, 9, 11, 7, 10, 11], np.int64)
    weights = [
        f32(rng, 64, bands, 5, scale=0.07),
        f32(rng, 64, scale=0.1),
        f32(rng, 64, 64, 5, scale=0.06),
        f32(rng, 64, scale=0.1),
        f32(rng, 64, letters, scale=0.2),
        f32(rng, letters, scale=0.1),
    ]
    if library == "jax":
        jax, jnp = lib, lib.numpy

        def ctc(logp, labels, inputs, counts):  # (batch, time, letters); as optax does it
            extended = jnp.zeros((batch, 2 * length + 1), jnp.int32).at[:, 1::2].set(labels)
            allowed = jnp.pad(extended[:, 2:] != extended[:, :-2], ((0, 0), (2, 0))) & (extended != 0)
            at = jnp.take_along_axis(
                logp, jnp.broadcast_to(extended[:, None], (batch, logp.shape[1], 2 * length + 1)), 2
            )
            start = jnp.full((batch, 2 * length + 1), -1e30).at[:, :2].set(at[:, 0, :2])

            def one(alpha, given):
                now, t = given
                before = jnp.pad(alpha[:, :-1], ((0, 0), (1, 0)), constant_values=-1e30)
                skip = jnp.where(allowed, jnp.pad(alpha[:, :-2], ((0, 0), (2, 0)), constant_values=-1e30), -1e30)
                made = jnp.logaddexp(jnp.logaddexp(alpha, before), skip) + now
                return jnp.where((t < inputs)[:, None], made, alpha), None

            alpha, _ = jax.lax.scan(one, start, (at[:, 1:].swapaxes(0, 1), jnp.arange(1, logp.shape[1])))
            ends = jnp.take_along_axis(alpha, jnp.stack([2 * counts, 2 * counts - 1], 1), 1)
            return -jnp.logaddexp(ends[:, 0], ends[:, 1])

        def loss(weights, x, labels, inputs, counts):
            w1, b1, w2, b2, w3, b3 = weights
            dims = ("NWC", "WIO", "NWC")
            h = jax.nn.relu(jax.lax.conv_general_dilated(x, w1, (2,), [(2, 2)], dimension_numbers=dims) + b1)
            h = jax.nn.relu(jax.lax.conv_general_dilated(h, w2, (1,), [(2, 2)], dimension_numbers=dims) + b2)
            return (ctc(jax.nn.log_softmax(h @ w3 + b3), labels, inputs, counts) / counts).mean()

        w = [weights[0].transpose(2, 1, 0).copy(), weights[1], weights[2].transpose(2, 1, 0).copy(), *weights[3:]]
        return runner.call(
            lambda x, n, i, c, *w: jax.value_and_grad(loss)(w, x, n, i, c),
            x.transpose(0, 2, 1).copy(),
            labels,
            inputs,
            counts,
            *w,
        )
    F = lib.nn.functional

    def loss(weights, x, labels, inputs, counts):
        w1, b1, w2, b2, w3, b3 = weights
        h = F.relu(F.conv1d(x, w1, b1, stride=2, padding=2))
        h = F.relu(F.conv1d(h, w2, b2, padding=2))
        if library == "vt":
            logits = h.transpose((2, 0, 1)) @ w3 + b3
            return F.ctc_loss(logits, labels, inputs, counts)
        logits = h.permute(2, 0, 1) @ w3 + b3
        return F.ctc_loss(F.log_softmax(logits, -1), labels, inputs, counts)

    return runner.call(over(6, gradients(library, lib, loss)), *weights, x, labels, inputs, counts)


# ---- 5 a voice: gated causal convolutions


@inference(1)
def voice(library, runner):
    rng, lib = RNG(105), runner.lib
    batch, width, skip, steps = 2, 32, 64, 900
    x = f32(rng, batch, width, steps)
    dilations = [1, 2, 4, 8, 16, 32] * 2
    weights = []
    for _ in dilations:
        weights += [
            f32(rng, 2 * width, width, 2, scale=0.15),
            f32(rng, 2 * width, scale=0.1),
            f32(rng, width, width, 1, scale=0.15),
            f32(rng, skip, width, 1, scale=0.15),
        ]
    weights += [
        f32(rng, skip, skip, 1, scale=0.15),
        f32(rng, skip, scale=0.1),
        f32(rng, skip, skip, 1, scale=0.15),
        f32(rng, skip, scale=0.1),
    ]
    if library == "jax":
        jax, jnp = lib, lib.numpy
        conv = lambda x, w, pad=0, d=1: jax.lax.conv_general_dilated(
            x, w, (1,), [(pad, 0)], rhs_dilation=(d,), dimension_numbers=("NWC", "WIO", "NWC")
        )

        def run(x, *w):
            total = 0.0
            for k, d in enumerate(dilations):
                wi, bi, wr, ws = w[4 * k : 4 * k + 4]
                h = conv(x, wi, d, d) + bi
                h = jnp.tanh(h[..., :width]) * jax.nn.sigmoid(h[..., width:])
                total = total + conv(h, ws)
                x = x + conv(h, wr)
            w1, b1, w2, b2 = w[-4:]
            return conv(jax.nn.relu(conv(jax.nn.relu(total), w1) + b1), w2) + b2

        turned = [w.transpose(2, 1, 0).copy() if w.ndim == 3 else w for w in weights]
        call, read = runner.call(run, x.transpose(0, 2, 1).copy(), *turned)
        return call, read
    F = lib.nn.functional

    def run(x, *w):
        total = 0.0
        for k, d in enumerate(dilations):
            wi, bi, wr, ws = w[4 * k : 4 * k + 4]
            padded = F.pad(x, (d, 0)) if library != "vt" else F.pad(x, (d, 0), data_format="NCL")
            h = F.conv1d(padded, wi, bi, dilation=d)
            h = lib.tanh(h[:, :width]) * F.sigmoid(h[:, width:])
            total = total + F.conv1d(h, ws)
            x = x + F.conv1d(h, wr)
        w1, b1, w2, b2 = w[-4:]
        return F.conv1d(F.relu(F.conv1d(F.relu(total), w1, b1)), w2, b2)

    return runner.call(run, x, *weights)


# ---- 6 words heard: depthwise filters over a spectrogram, batch norm


@inference(1)
def keywords(library, runner):
    rng, lib = RNG(106), runner.lib
    x = f32(rng, 8, 1, 49, 40)
    width = 64

    def norm():
        return [
            1 + f32(rng, width, scale=0.1),
            f32(rng, width, scale=0.1),
            f32(rng, width, scale=0.1),
            (1 + 0.2 * rng.random(width)).astype(np.float32),
        ]

    weights = [f32(rng, width, 1, 10, 4, scale=0.15), *norm()]
    for _ in range(4):
        weights += [f32(rng, width, 1, 3, 3, scale=0.3), *norm(), f32(rng, width, width, 1, 1, scale=0.15), *norm()]
    weights += [f32(rng, width, 12, scale=0.2), f32(rng, 12)]
    if library == "jax":
        jax = lib
        conv = lambda x, w, stride, pad, groups=1: jax.lax.conv_general_dilated(
            x, w, stride, pad, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups
        )
        norm_ = lambda x, a, b, m, v: jax.nn.relu((x - m) * (jax.lax.rsqrt(v + 1e-5) * a) + b)

        def run(x, *w):
            h = norm_(conv(x, w[0], (2, 2), ((4, 5), (1, 1))), *w[1:5])
            for k in range(4):
                u = w[5 + 10 * k : 15 + 10 * k]
                h = norm_(conv(h, u[0], (1, 1), "SAME", width), *u[1:5])
                h = norm_(conv(h, u[5], (1, 1), "SAME"), *u[6:10])
            return jax.nn.softmax(h.mean((1, 2)) @ w[-2] + w[-1])

        return runner.call(run, nhwc(x), *[hwio(w) if w.ndim == 4 else w for w in weights])
    F = lib.nn.functional
    if library == "vt":
        norm_ = lambda x, a, b, m, v: F.relu(F.batch_norm(x, m, v, a, b, training=False, epsilon=1e-5))
        pad = lambda x: F.pad(x, (1, 1, 4, 5), data_format="NCHW")
    else:
        norm_ = lambda x, a, b, m, v: F.relu(F.batch_norm(x, m, v, a, b, training=False, eps=1e-5))
        pad = lambda x: F.pad(x, (1, 1, 4, 5))

    def run(x, *w):
        h = norm_(F.conv2d(pad(x), w[0], stride=2), *w[1:5])
        for k in range(4):
            u = w[5 + 10 * k : 15 + 10 * k]
            h = norm_(F.conv2d(h, u[0], padding=1, groups=width), *u[1:5])
            h = norm_(F.conv2d(h, u[5]), *u[6:10])
        h = F.adaptive_avg_pool2d(h, 1).flatten(1)
        return F.softmax(h @ w[-2] + w[-1], -1)

    return runner.call(run, x, *weights)


# ---- 7 a language model: rotary positions, RMS norm, gated units, shared keys; loss and gradients


@program
def rotary(library, runner):
    rng, lib = RNG(107), runner.lib
    words, dim, heads, shared, batch, length, inner = 600, 128, 4, 2, 3, 72, 352
    size = dim // heads
    tokens = rng.integers(0, words, (batch, length + 1))
    weights = [f32(rng, words, dim, scale=0.5)]
    for _ in range(2):
        weights += [
            1 + f32(rng, dim, scale=0.1),
            f32(rng, dim, dim, scale=0.08),
            f32(rng, dim, shared * size, scale=0.08),
            f32(rng, dim, shared * size, scale=0.08),
            f32(rng, dim, dim, scale=0.08),
            1 + f32(rng, dim, scale=0.1),
            f32(rng, dim, inner, scale=0.08),
            f32(rng, dim, inner, scale=0.08),
            f32(rng, inner, dim, scale=0.05),
        ]
    weights += [1 + f32(rng, dim, scale=0.1), f32(rng, dim, words, scale=0.08)]
    angle = np.arange(length)[:, None] * 10000.0 ** (-np.arange(0, size, 2) / size)
    cos, sin = (np.concatenate([f(angle)] * 2, -1).astype(np.float32)[:, None] for f in (np.cos, np.sin))
    if library == "jax":
        jnp, silu = lib.numpy, lib.nn.silu
        rsqrt, join = lib.lax.rsqrt, jnp.concatenate
        attend = lambda q, k, v: lib.nn.dot_product_attention(q, k, v, is_causal=True)
        repeat = lambda x: jnp.repeat(x, heads // shared, axis=2)
        mean = lambda x: x.mean(-1, keepdims=True)
    else:
        F = lib.nn.functional
        silu, rsqrt = F.silu, lib.rsqrt
        if library == "vt":
            join = lib.concat
            attend = lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)
            repeat = lambda x: lib.repeat_interleave(x, heads // shared, axis=2)
            mean = lambda x: x.mean(-1, keepdim=True)
        else:
            join = lib.cat
            attend = lambda q, k, v: F.scaled_dot_product_attention(
                q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True
            ).transpose(1, 2)
            repeat = lambda x: x.repeat_interleave(heads // shared, dim=2)
            mean = lambda x: x.mean(-1, keepdim=True)

    def norm(x, scale):
        return x * rsqrt(mean(x * x) + 1e-6) * scale

    def turn(x, cos, sin):
        return x * cos + join([-x[..., size // 2 :], x[..., : size // 2]], -1) * sin

    def loss(w, tokens, cos, sin):
        x = w[0][tokens[:, :-1]]
        for k in range(2):
            n1, wq, wk, wv, wo, n2, wg, wu, wd = w[1 + 9 * k : 10 + 9 * k]
            h = norm(x, n1)
            q = turn((h @ wq).reshape((batch, length, heads, size)), cos, sin)
            keys = turn((h @ wk).reshape((batch, length, shared, size)), cos, sin)
            v = (h @ wv).reshape((batch, length, shared, size))
            x = x + attend(q, repeat(keys), repeat(v)).reshape((batch, length, dim)) @ wo
            h = norm(x, n2)
            x = x + (silu(h @ wg) * (h @ wu)) @ wd
        logits = norm(x, w[-2]) @ w[-1]
        if library == "jax":
            return -jnp.take_along_axis(lib.nn.log_softmax(logits), tokens[:, 1:, None], -1).mean()
        return F.cross_entropy(logits.reshape((-1, words)), tokens[:, 1:].reshape((-1,)))

    return runner.call(over(len(weights), gradients(library, lib, loss)), *weights, tokens, cos, sin)


# ---- 8 clicks: crossed features, embeddings, a step with Adagrad


@program
def clicks(library, runner):
    rng, lib = RNG(108), runner.lib
    batch, fields, rows, dim, dense = 400, 22, 15000, 12, 11
    width = fields * dim + dense
    places = rng.integers(0, rows, (batch, fields))
    x, clicked = f32(rng, batch, dense), (rng.random((batch, 1)) < 0.3).astype(np.float32)
    weights = [f32(rng, rows, dim, scale=0.1)]
    for _ in range(2):
        weights += [f32(rng, width, width, scale=0.03), f32(rng, width, scale=0.03)]
    weights += [
        f32(rng, width, 128, scale=0.05),
        f32(rng, 128, scale=0.03),
        f32(rng, 128, 64, scale=0.08),
        f32(rng, 64, scale=0.03),
        f32(rng, width + 64, 1, scale=0.05),
    ]
    if library == "jax":
        jax, jnp = lib, lib.numpy

        def loss(w, places, x, clicked):
            first = jnp.concatenate([w[0][places].reshape(batch, -1), x], -1)
            crossed = first
            for k in (1, 3):
                crossed = first * (crossed @ w[k] + w[k + 1]) + crossed
            deep = jax.nn.relu(jax.nn.relu(first @ w[5] + w[6]) @ w[7] + w[8])
            z = jnp.concatenate([crossed, deep], -1) @ w[9]
            return (jnp.maximum(z, 0) - z * clicked + jnp.log1p(jnp.exp(-jnp.abs(z)))).mean()

        def step(w, sums, places, x, clicked):
            made, grads = jax.value_and_grad(loss)(w, places, x, clicked)
            sums = [s + g * g for s, g in zip(sums, grads)]
            return made, [a - 0.01 * g / (jnp.sqrt(s) + 1e-6) for a, g, s in zip(w, grads, sums)], sums

        compiled = jax.jit(step, donate_argnums=(0, 1))
        held = [list(map(jnp.asarray, weights)), [jnp.zeros_like(w) for w in weights]]
        data = [jnp.asarray(a) for a in (places, x, clicked)]

        def call():
            made, held[0], held[1] = jax.block_until_ready(compiled(*held, *data))
            return made, held[0]

        return call, lambda r: [np.asarray(a) for a in (r[0], *r[1])]
    nn, F = lib.nn, lib.nn.functional
    if library == "vt":
        params = [lib.create_parameter(list(w.shape), "float32") for w in weights]
        for p, w in zip(params, weights):
            p.set_value(w)
        optimizer = lib.optimizer.Adagrad(0.01, epsilon=1e-6, parameters=params)
        join, clear = lib.concat, optimizer.clear_grad
    else:
        params = [nn.Parameter(lib.from_numpy(w)) for w in weights]
        optimizer = lib.optim.Adagrad(params, 0.01, eps=1e-6)
        join, clear = lib.cat, optimizer.zero_grad

    def step(places, x, clicked):
        w = params
        first = join([F.embedding(places, w[0]).flatten(1), x], -1)
        crossed = first
        for k in (1, 3):
            crossed = first * (crossed @ w[k] + w[k + 1]) + crossed
        deep = F.relu(F.relu(first @ w[5] + w[6]) @ w[7] + w[8])
        loss = F.binary_cross_entropy_with_logits(join([crossed, deep], -1) @ w[9], clicked)
        loss.backward()
        optimizer.step()
        clear()
        return loss

    call, _ = runner.call(step, places, x, clicked)
    return call, lambda r: [r.detach().numpy(), *[p.detach().numpy() for p in params]]


# ---- 9 a picture in another's style: Gram matrices, gradient of the picture


@program
def style(library, runner):
    rng, lib = RNG(109), runner.lib
    x, content, painted = f32(rng, 1, 3, 72, 72), f32(rng, 1, 3, 72, 72), f32(rng, 1, 3, 72, 72)
    shapes = [(32, 3), (32, 32), (64, 32), (64, 64)]
    filters = [f32(rng, b, a, 3, 3, scale=(2 / (9 * a)) ** 0.5) for b, a in shapes]
    if library == "jax":
        jax, jnp = lib, lib.numpy

        def features(x, filters):
            found = []
            for k, w in enumerate(filters):
                if k == 2:
                    x = jax.lax.reduce_window(x, 0.0, jax.lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
                x = jax.nn.relu(
                    jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
                )
                found.append(x)
            return found

        def gram(f):
            f = f.reshape(-1, f.shape[-1])
            return f.T @ f / f.size

        def loss(x, content, painted, filters):
            mine, theirs, kept = features(x, filters), features(painted, filters), features(content, filters)
            total = ((mine[-1] - kept[-1]) ** 2).mean()
            for a, b in zip(mine, theirs):
                total = total + 10.0 * ((gram(a) - gram(b)) ** 2).sum()
            smooth = jnp.abs(x[:, 1:] - x[:, :-1]).mean() + jnp.abs(x[:, :, 1:] - x[:, :, :-1]).mean()
            return total + 0.1 * smooth

        return runner.call(
            lambda x, c, p, *f: jax.value_and_grad(loss)(x, c, p, f),
            nhwc(x),
            nhwc(content),
            nhwc(painted),
            *map(hwio, filters),
        )
    F = lib.nn.functional

    def features(x, filters):
        found = []
        for k, w in enumerate(filters):
            if k == 2:
                x = F.avg_pool2d(x, 2)
            x = F.relu(F.conv2d(x, w, padding=1))
            found.append(x)
        return found

    def gram(f):
        f = f.reshape((f.shape[1], -1))
        return f @ f.T / (f.shape[0] * f.shape[1])

    def loss(x, content, painted, filters):
        mine, theirs, kept = features(x, filters), features(painted, filters), features(content, filters)
        total = ((mine[-1] - kept[-1]) ** 2).mean()
        for a, b in zip(mine, theirs):
            total = total + 10.0 * ((gram(a) - gram(b)) ** 2).sum()
        smooth = (x[:, :, 1:] - x[:, :, :-1]).abs().mean() + (x[:, :, :, 1:] - x[:, :, :, :-1]).abs().mean()
        return total + 0.1 * smooth

    def step(x, content, painted, *filters):
        if library == "vt":
            x.stop_gradient = False
            made = loss(x, content, painted, filters)
            return made, lib.grad(made, x)[0]
        x = x.detach().requires_grad_()
        made = loss(x, content, painted, filters)
        return made, lib.autograd.grad(made, x)[0]

    return runner.call(step, x, content, painted, *filters)
