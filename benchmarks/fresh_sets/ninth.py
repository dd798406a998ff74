"""Eighteen programs of a ninth set, measured before anything was tuned for them; the form of second.py."""

import numpy as np

from .eighth import functions_of
from .fifth import arrays_of
from .first import RNG
from .second import LIBRARIES, f32  # noqa: F401 - fresh.py reads the libraries here
from .sixth import is_torch
from .third import gradients

PROGRAMS = {}
WEIGHTS = {"edges_of_clouds": 1, "eight_bits": 1}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def joined(library, lib, parts, axis):
    """Arrays one after the other along an axis."""
    if is_torch(library):
        return lib.cat(parts, axis)
    return arrays_of(library, lib).concatenate(parts, axis) if library in ("np", "jax") else lib.concat(parts, axis)


def counted(library, lib, places, weights, size):
    """Sums of the weights at each of so many places."""
    if library == "jax":
        return lib.numpy.bincount(places, weights, length=size)
    if library == "vt":
        return lib.bincount(places, weights, minlength=size)
    return lib.bincount(places, weights, size)


def written(library, into, places, values):
    """`into` with values at places."""
    if library == "jax":
        return into.at[places].set(values)
    into[places] = values
    return into


def cast(library, x, dtype):
    """Elements as another type."""
    if library == "vt":
        return x.astype(dtype)
    if is_torch(library):
        import torch

        return x.to(getattr(torch, dtype))
    return x.astype(dtype)


# ---- 1 organs in a scan: a network that halves and doubles, overlap of areas as the loss, a step with momentum


@program
def organs(library, runner):
    rng, lib = RNG(1), runner.lib
    if library == "np":
        return None
    F = functions_of(library, lib)
    shapes = []
    for i, o in ((1, 12), (12, 24), (24, 48)):
        shapes += [(o, i, 3, 3), (o,), (o,)]
    for i, o in ((48, 24), (24, 12)):
        shapes += [(i, o, 2, 2), (o,), (o, 2 * o, 3, 3), (o,), (o,)]
    shapes += [(4, 12, 1, 1), (4,)]
    weights = [f32(rng, *s, scale=float(np.prod(s[1:])) ** -0.5 if len(s) == 4 else 0.1) for s in shapes]
    speeds = [np.zeros(s, np.float32) for s in shapes]
    scans, kinds = f32(rng, 2, 1, 72, 72), rng.integers(0, 4, (2, 72, 72))
    truth = np.eye(4, dtype=np.float32)[kinds].transpose(0, 3, 1, 2).copy()

    def conv(x, w, stride=1, pad=1):
        if library == "jax":
            return lib.lax.conv_general_dilated(x, w, (stride, stride), [(pad, pad)] * 2)
        return F.conv2d(x, w, None, stride, pad)

    def doubled(x, w, b):
        if library == "jax":
            how = ("NCHW", "OIHW", "NCHW")
            made = lib.lax.conv_transpose(x, w, (2, 2), "VALID", dimension_numbers=how, transpose_kernel=True)
            return made + b[:, None, None]
        return (F.conv2d_transpose if library == "vt" else F.conv_transpose2d)(x, w, b, 2)

    def norm(x, w, b):
        if library == "jax":
            y = x.reshape((x.shape[0], 4, -1))
            y = (y - y.mean(-1, keepdims=True)) * lib.lax.rsqrt(y.var(-1, keepdims=True) + 1e-5)
            y = y.reshape(x.shape) * (1.0 + w)[:, None, None] + b[:, None, None]
        elif library == "vt":
            y = F.group_norm(x, 4, 1e-5, 1.0 + w, b)
        else:
            y = F.group_norm(x, 4, 1.0 + w, b)
        return F.leaky_relu(y, 0.01)

    def loss(weights, x, truth):
        w = iter(weights)
        kept = []
        for stride in (1, 2, 2):
            x = norm(conv(x, next(w), stride), next(w), next(w))
            kept.append(x)
        for other in (kept[1], kept[0]):
            x = joined(library, lib, (doubled(x, next(w), next(w)), other), 1)
            x = norm(conv(x, next(w)), next(w), next(w))
        logits = conv(x, next(w), 1, 0) + next(w)[:, None, None]
        share = F.softmax(logits, 1)
        both = (share * truth).sum((0, 2, 3))
        overlap = (2.0 * both + 1.0) / (share.sum((0, 2, 3)) + truth.sum((0, 2, 3)) + 1.0)
        return 1.0 - overlap.mean() - (truth * F.log_softmax(logits, 1)).sum(1).mean()

    both = gradients(library, lib, loss)
    count = len(shapes)

    def step(x, truth, *given):
        weights, speeds = list(given[:count]), given[count:]
        found, *slopes = both(weights, x, truth)
        slopes = slopes[0] if library == "jax" else slopes
        speeds = [0.9 * v + g + 1e-4 * w for v, g, w in zip(speeds, slopes, weights, strict=True)]
        return found, *(w - 0.01 * v for w, v in zip(weights, speeds, strict=True)), *speeds

    return runner.call(step, scans, truth, *weights, *speeds)


# ---- 2 a scene learnt from pictures: light along 127 rays, 31 places on each, loss and gradients


@program
def rays(library, runner):
    rng, lib = RNG(2), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    sizes = (36, 64, 64, 4)
    weights = [a for m, n in zip(sizes, sizes[1:]) for a in (f32(rng, m, n, scale=m**-0.5), f32(rng, n, scale=0.1))]
    starts, ways, colours = f32(rng, 127, 3), f32(rng, 127, 3), rng.random((127, 3)).astype(np.float32)
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    far = np.sort(rng.uniform(0.5, 3.0, (127, 32)).astype(np.float32), -1)
    octaves = np.float32([1, 2, 4, 8, 16, 32])

    def loss(weights, starts, ways, far, octaves, colours):
        places = starts[:, None] + far[:, :-1, None] * ways[:, None]
        angles = (places[..., None] * octaves).reshape((127, 31, 18))
        x = joined(library, lib, (xp.sin(angles), xp.cos(angles)), -1)
        x = F.relu(x @ weights[0] + weights[1])
        x = F.relu(x @ weights[2] + weights[3])
        x = x @ weights[4] + weights[5]
        dense, colour = F.softplus(x[..., 0]), F.sigmoid(x[..., 1:])
        stopped = 1.0 - xp.exp(-dense * (far[:, 1:] - far[:, :-1]))
        passed = xp.cumprod(1.0 - stopped + 1e-6, -1)
        passed = joined(library, lib, (xp.ones_like(passed[:, :1]), passed[:, :-1]), -1)
        seen = ((stopped * passed)[..., None] * colour).sum(1)
        return ((seen - colours) ** 2).mean()

    both = gradients(library, lib, loss)
    call = lambda a, b, c, d, e, *w: both(list(w), a, b, c, d, e)  # noqa: E731
    return runner.call(call, starts, ways, far, octaves, colours, *weights)


# ---- 3 neurons that fire: 49 steps of a layer, gradients through the firing


@program
def spikes(library, runner):
    rng, lib = RNG(3), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    weights = [f32(rng, 45, 80, scale=0.4), f32(rng, 80, 80, scale=0.05), f32(rng, 80, 11, scale=0.2)]
    given, kinds = (rng.random((49, 16, 45)) < 0.2).astype(np.float32), rng.integers(0, 11, 16)
    still = np.zeros((16, 80), np.float32)
    out = np.zeros((16, 11), np.float32)
    fixed = lib.lax.stop_gradient if library == "jax" else lambda x: x.detach()

    def turn(v, fired, out, heard, weights):
        v = 0.9 * v * (1.0 - fixed(fired)) + heard + fired @ weights[1]
        soft = F.sigmoid(4.0 * (v - 1.0))
        fired = soft + fixed(cast(library, v > 1.0, "float32") - soft)
        return v, fired, 0.95 * out + fired @ weights[2]

    def loss(weights, given, still, out, kinds):
        heard = given @ weights[0]
        if library == "jax":

            def step(s, h):
                s = turn(*s, h, weights)
                return s, (s[1].mean(), s[2])

            _, (busy, outs) = lib.lax.scan(step, (still, still, out), heard)
            log = F.log_softmax(outs.mean(0), -1)
            return -xp.take_along_axis(log, kinds[:, None], 1).mean() + 0.1 * ((busy - 0.1) ** 2).mean()
        v, fired, busy, outs = still, still, [], []
        for t in range(49):
            v, fired, out = turn(v, fired, out, heard[t], weights)
            busy.append(fired.mean())
            outs.append(out)
        wrong = F.cross_entropy(lib.stack(outs).mean(0), kinds)
        return wrong + 0.1 * ((lib.stack(busy) - 0.1) ** 2).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda a, b, c, d, *w: both(list(w), a, b, c, d), given, still, out, kinds, *weights)


# ---- 4 flow learnt in the frequency domain: two layers of mixed waves, loss and gradients


@program
def waves_mixed(library, runner):
    rng, lib = RNG(4), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    wide, modes = 14, 9
    weights = [f32(rng, 3, wide), f32(rng, wide, scale=0.1)]
    for _ in range(2):
        weights += [f32(rng, 2, 2, wide, wide, modes, modes, scale=0.07), f32(rng, wide, wide, scale=0.2)]
    weights += [f32(rng, wide, 31, scale=0.2), f32(rng, 31, scale=0.1), f32(rng, 31, scale=0.2)]
    before, after = f32(rng, 3, 48, 48, 3), f32(rng, 3, 48, 48)
    complexed = lib.lax.complex if library == "jax" else lib.complex
    gelu = (lambda x: F.gelu(x, approximate=False)) if library == "jax" else F.gelu

    def mixed(x, w):
        waves = xp.fft.rfft2(x)
        low = xp.einsum("bixy,ioxy->boxy", waves[:, :, :modes, :modes], complexed(w[0, 0], w[0, 1]))
        high = xp.einsum("bixy,ioxy->boxy", waves[:, :, -modes:, :modes], complexed(w[1, 0], w[1, 1]))
        made = written(library, xp.zeros_like(waves), np.s_[:, :, :modes, :modes], low)
        made = written(library, made, np.s_[:, :, -modes:, :modes], high)
        return xp.fft.irfft2(made)

    def loss(weights, before, after):
        w = iter(weights)
        x = before @ next(w) + next(w)
        x = x.permute(0, 3, 1, 2) if is_torch(library) else x.transpose((0, 3, 1, 2))
        for _ in range(2):
            x = gelu(mixed(x, next(w)) + xp.einsum("bixy,io->boxy", x, next(w)))
        x = x.permute(0, 2, 3, 1) if is_torch(library) else x.transpose((0, 2, 3, 1))
        found = gelu(x @ next(w) + next(w)) @ next(w)
        off = ((found - after) ** 2).sum((1, 2))
        return xp.sqrt(off / (after**2).sum((1, 2))).mean()

    both = gradients(library, lib, loss)
    return runner.call(lambda x, y, *w: both(list(w), x, y), before, after, *weights)


# ---- 5 what moves are worth: one step of double Q-learning with Adam, and a slow copy of the network


@program
def moves(library, runner):
    rng, lib = RNG(5), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    sizes = (13, 96, 96, 6)
    shapes = [s for m, n in zip(sizes, sizes[1:]) for s in ((m, n), (n,))]
    weights = [f32(rng, *s, scale=s[0] ** -0.5) for s in shapes]
    slow = [w + f32(rng, *w.shape, scale=0.01) for w in weights]
    moments = [np.zeros(s, np.float32) for s in shapes] + [np.zeros(s, np.float32) + 1e-4 for s in shapes]
    now, then, made = f32(rng, 61, 13), f32(rng, 61, 13), rng.integers(0, 6, 61)
    reward, over = f32(rng, 61), (rng.random(61) < 0.1).astype(np.float32)
    count = len(shapes)

    def worth(x, w):
        x = F.relu(x @ w[0] + w[1])
        x = F.relu(x @ w[2] + w[3])
        return x @ w[4] + w[5]

    def of_rows(x, i):
        if is_torch(library):
            return x.gather(1, i[:, None])[:, 0]
        return xp.take_along_axis(x, i[:, None], 1)[:, 0]

    def loss(weights, now, made, target):
        off = of_rows(worth(now, weights), made) - target
        far = xp.abs(off)
        return xp.where(far < 1.0, 0.5 * off * off, far - 0.5).mean()

    both = gradients(library, lib, loss)

    def step(now, then, made, reward, over, *given):
        weights, slow, first, second = (list(given[k * count : k * count + count]) for k in range(4))
        best = worth(then, weights).argmax(-1)
        target = reward + 0.99 * (1.0 - over) * of_rows(worth(then, slow), best)
        target = target if library == "jax" else target.detach()
        found, *slopes = both(weights, now, made, target)
        slopes = slopes[0] if library == "jax" else slopes
        results = []
        for w, c, m, s, g in zip(weights, slow, first, second, slopes, strict=True):
            m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g * g
            w = w - 3e-4 * m / (xp.sqrt(s) + 1e-8)
            results += [w, 0.995 * c + 0.005 * w, m, s]
        return found, *results

    return runner.call(step, now, then, made, reward, over, *weights, *slow, *moments)


# ---- 6 what a cloud of points shows: nearest neighbours, layers over edges, their largest


@program
def edges_of_clouds(library, runner):
    rng, lib = RNG(6), runner.lib
    if library == "np":
        return None
    F = functions_of(library, lib)
    shapes = [(6, 32), (32,), (64, 48), (48,), (80, 96), (96,), (96, 12), (12,)]
    weights = [f32(rng, *s, scale=s[0] ** -0.5) for s in shapes]
    clouds = f32(rng, 3, 211, 3)

    def neighbours(x):
        squares = (x * x).sum(-1)
        turned = x.transpose(-1, -2) if is_torch(library) else x.transpose((0, 2, 1))
        far = squares[:, :, None] - 2.0 * (x @ turned) + squares[:, None, :]
        if library == "jax":
            return lib.lax.top_k(-far, 12)[1]
        return lib.topk(far, 12, -1, largest=False)[1]

    def most(x, axis):
        return x.amax(axis) if is_torch(library) else x.max(axis)

    def over_edges(x, w, b):
        near = neighbours(x)
        which = arrays_of(library, lib).arange(3)[:, None, None]
        others = x[which, near]
        own = (x[:, :, None] + 0.0 * others) if library == "jax" else x[:, :, None].expand(others.shape)
        both = joined(library, lib, (own, others - own), -1)
        return most(F.leaky_relu(both @ w + b, 0.2), 2)

    def kinds(x, *w):
        first = over_edges(x, w[0], w[1])
        second = over_edges(first, w[2], w[3])
        x = joined(library, lib, (first, second), -1)
        x = most(F.leaky_relu(x @ w[4] + w[5], 0.2), 1)
        return F.log_softmax(x @ w[6] + w[7], -1)

    return runner.call(kinds, clouds, *weights)


# ---- 7 a network in 8 bits: sums in 32, scaled by whole numbers and shifts


@program
def eight_bits(library, runner):
    rng, lib = RNG(7), runner.lib
    xp = arrays_of(library, lib)
    sizes = (200, 320, 240, 16)
    weights = []
    for m, n in zip(sizes, sizes[1:]):
        weights += [rng.integers(-127, 128, (m, n)).astype(np.int8), rng.integers(-2000, 2000, n).astype(np.int32)]
        weights += [rng.integers(1 << 15, 1 << 16, n)]
    signals = f32(rng, 64, 200)

    def product(x, w):
        if library == "jax":
            return lib.lax.dot(x, w, preferred_element_type="int32")
        if is_torch(library):
            return lib._int_mm(x, w)
        return x.astype("int32") @ w.astype("int32")

    def kinds(x, *weights):
        x = cast(library, xp.clip(xp.round(x / 0.025), -127, 127), "int8")
        for k in range(0, 9, 3):
            w, b, scale = weights[k : k + 3]
            sums = cast(library, product(x, w) + b, "int64")
            x = (sums * scale + (1 << 25)) >> 26
            if k < 6:
                x = cast(library, xp.clip(x, 0, 127), "int8")
        return x, x.argmax(-1)

    return runner.call(kinds, signals, *weights)


# ---- 8 how a loaded plate bends: grids of five sizes in turn until the rest is small, float64


@program
def grids(library, runner):
    rng, lib = RNG(8), runner.lib
    xp = arrays_of(library, lib)
    load = rng.standard_normal((127, 127))

    def framed(u):
        if library in ("np", "jax"):
            return xp.pad(u, 1)
        return lib.nn.functional.pad(u, [1, 1, 1, 1])

    def rest(u, f, h):
        e = framed(u)
        return f - (4.0 * u - e[:-2, 1:-1] - e[2:, 1:-1] - e[1:-1, :-2] - e[1:-1, 2:]) / (h * h)

    def finer(c):
        n = 2 * c.shape[0] + 1
        e = framed(c)
        u = xp.zeros((n, n), dtype=c.dtype)
        u = written(library, u, np.s_[1::2, 1::2], c)
        u = written(library, u, np.s_[0::2, 1::2], 0.5 * (e[:-1, 1:-1] + e[1:, 1:-1]))
        u = written(library, u, np.s_[1::2, 0::2], 0.5 * (e[1:-1, :-1] + e[1:-1, 1:]))
        return written(library, u, np.s_[0::2, 0::2], 0.25 * (e[:-1, :-1] + e[:-1, 1:] + e[1:, :-1] + e[1:, 1:]))

    def coarser(r):
        rows = 0.25 * r[0:-2:2] + 0.5 * r[1:-1:2] + 0.25 * r[2::2]
        return 0.25 * rows[:, 0:-2:2] + 0.5 * rows[:, 1:-1:2] + 0.25 * rows[:, 2::2]

    def cycle(u, f, h):
        for _ in range(2):
            u = u + 0.2 * h * h * rest(u, f, h)
        if u.shape[0] > 7:
            below = coarser(rest(u, f, h))
            u = u + finer(cycle(0.0 * below, below, 2.0 * h))
        for _ in range(2):
            u = u + 0.2 * h * h * rest(u, f, h)
        return u

    def solved(load):
        h = 1.0 / 128
        enough = 1e-8 * xp.sqrt((load * load).sum())
        size = lambda u: xp.sqrt((rest(u, load, h) ** 2).sum())  # noqa: E731
        u = 0.0 * load
        if library == "jax":
            return lib.lax.while_loop(lambda u: size(u) > enough, lambda u: cycle(u, load, h), u)
        while size(u) > enough:
            u = cycle(u, load, h)
        return u

    return runner.call(solved, load)


# ---- 9 two beams of charges: 9,001 particles, a field from their density, 40 steps, float64


@program
def beams_of_charges(library, runner):
    rng, lib = RNG(9), runner.lib
    xp = arrays_of(library, lib)
    many, cells, long = 9001, 128, 12.0
    place = rng.random(many) * long
    speed = np.where(rng.random(many) < 0.5, 1.0, -1.0) + 0.05 * rng.standard_normal(many)
    number = 2 * np.pi * np.arange(cells // 2 + 1) / long
    inverse = np.concatenate(([0.0], 1.0 / number[1:]))

    def turn(x, v, inverse):
        at = x * (cells / long)
        left = xp.floor(at)
        part = at - left
        left = cast(library, left, "int64") % cells
        right = (left + 1) % cells
        dense = counted(library, lib, left, 1.0 - part, cells) + counted(library, lib, right, part, cells)
        charge = 1.0 - dense * (cells / many)
        field = xp.fft.irfft(-1j * xp.fft.rfft(charge) * inverse)
        v = v - 0.05 * (field[left] * (1.0 - part) + field[right] * part)
        return (x + 0.05 * v) % long, v, 0.5 * (field * field).sum()

    def run(x, v, inverse):
        if library == "jax":

            def step(s, _):
                *s, energy = turn(*s, inverse)
                return tuple(s), energy

            (x, v), energies = lib.lax.scan(step, (x, v), None, 40)
            return energies, (v * v).sum()
        energies = []
        for _ in range(40):
            x, v, energy = turn(x, v, inverse)
            energies.append(energy)
        return xp.stack(energies), (v * v).sum()

    return runner.call(run, place, speed, inverse)


# ---- 10 an illness in a town: 3,001 people who walk, 50 days, int64


@program
def illness(library, runner):
    rng, lib = RNG(10), runner.lib
    xp = arrays_of(library, lib)
    people, days, side = 3001, 50, 40
    row, column = rng.integers(0, side, people), rng.integers(0, side, people)
    state = np.where(rng.random(people) < 0.01, 9, 0)
    walks, luck = rng.integers(0, 5, (days, people)), rng.random((days, people))
    down, across = np.array([0, 1, -1, 0, 0]), np.array([0, 0, 0, 1, -1])

    def day(row, column, state, walk, luck, down, across):
        row, column = (row + down[walk]) % side, (column + across[walk]) % side
        cell = row * side + column
        ill = state > 0
        near = counted(library, lib, cell, cast(library, ill, "float64"), side * side)[cell]
        caught = (state == 0) & (luck > 0.8**near)
        state = xp.where(caught, 9 + 0 * state, xp.where(ill, xp.where(state == 1, -60 + 0 * state, state - 1), state))
        state = xp.where(state < 0, state + 1, state)
        return row, column, state, ill.sum()

    def run(row, column, state, walks, luck, down, across):
        if library == "jax":

            def step(s, given):
                *s, ill = day(*s, *given, down, across)
                return tuple(s), ill

            (_, _, state), ills = lib.lax.scan(step, (row, column, state), (walks, luck))
            return ills, state
        ills = []
        for t in range(days):
            row, column, state, ill = day(row, column, state, walks[t], luck[t], down, across)
            ills.append(ill)
        return xp.stack(ills), state

    return runner.call(run, row, column, state, walks, luck, down, across)


# ---- 11 a picture of balls and a ring on a floor: rays walk until all have arrived


@program
def balls_and_ring(library, runner):
    lib = runner.lib
    xp = arrays_of(library, lib)
    high, wide = 72, 96
    y, x = np.mgrid[1 : -1 : high * 1j, -1.3 : 1.3 : wide * 1j].astype(np.float32)
    light = np.float32([0.5, 0.7, -0.5])

    def least(a, b):
        return xp.minimum(a, b)

    def distance(x, y, z):
        ball = xp.sqrt((x - 0.6) ** 2 + y * y + (z - 3.0) ** 2) - 0.5
        small = xp.sqrt((x + 0.2) ** 2 + (y + 0.3) ** 2 + (z - 2.2) ** 2) - 0.2
        around = xp.sqrt((x + 0.7) ** 2 + (z - 3.2) ** 2) - 0.5
        ring = xp.sqrt(around * around + (y + 0.1) ** 2) - 0.15
        return least(least(ball, small), least(ring, y + 0.6))

    def further(x, y, z, t):
        d = distance(x * t, y * t, z * t)
        return t + xp.where((d > 1e-3) & (t < 12.0), d, 0.0 * d), ((d > 1e-3) & (t < 12.0)).any()

    def picture(x, y, light):
        size = xp.sqrt(x * x + y * y + 2.25)
        x, y, z = x / size, y / size, 1.5 / size
        t = 0.0 * x + 0.1
        if library == "jax":
            t = lib.lax.while_loop(lambda s: s[1], lambda s: further(x, y, z, s[0]), (t, True))[0]
        else:
            going = True
            while going:
                t, going = further(x, y, z, t)
        a, b, c = x * t, y * t, z * t
        slope = [
            distance(a + i, b + j, c + k) - distance(a - i, b - j, c - k)
            for i, j, k in ((1e-2, 0, 0), (0, 1e-2, 0), (0, 0, 1e-2))
        ]
        length = xp.sqrt(slope[0] ** 2 + slope[1] ** 2 + slope[2] ** 2) + 1e-9
        shine = (slope[0] * light[0] + slope[1] * light[1] + slope[2] * light[2]) / length
        return xp.where(t < 12.0, 0.1 + 0.9 * xp.clip(shine, 0.0, 1.0), 0.0 * t)

    return runner.call(picture, x, y, light)


# ---- 12 an oscillator with steps as long as the error allows, and what its end depends on, float64


TABLEAU = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
ERRORS = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


@program
def careful_steps(library, runner):
    lib = runner.lib
    if library == "np":
        return None
    xp = arrays_of(library, lib)
    fixed = lib.lax.stop_gradient if library == "jax" else lambda x: x.detach()
    start = np.array([2.0, 0.0, 0.3])

    def slope(y):
        return xp.stack((y[1], y[2] * (1.0 - y[0] * y[0]) * y[1] - y[0], 0.0 * y[2]))

    def turn(t, h, y):
        k = [slope(y)]
        for row in TABLEAU:
            k.append(slope(y + h * sum(a * s for a, s in zip(row, k, strict=True) if a)))
            new = y + h * sum(a * s for a, s in zip(row, k, strict=False) if a)
        off = h * sum(a * s for a, s in zip(ERRORS, k, strict=True) if a)
        scale = 1e-9 + 1e-7 * xp.maximum(xp.abs(y), xp.abs(new))
        error = fixed(xp.sqrt(((off / scale) ** 2).mean()))
        good = error <= 1.0
        y = xp.where(good, new, y)
        t = xp.where(good, t + h, t)
        return t, h * xp.clip(0.9 * error**-0.2, 0.2, 5.0), y

    def ended(y):
        t, h = 0.0 * fixed(y[0]), 0.0 * fixed(y[0]) + 0.01
        if library == "jax":
            further = lambda s: turn(s[0], xp.minimum(s[1], 10.0 - s[0]), s[2])  # noqa: E731
            y = lib.lax.while_loop(lambda s: s[0] < 10.0, further, (t, h, y))[2]
            return (y * y)[:2].sum()
        while t < 10.0:
            t, h, y = turn(t, lib.minimum(h, 10.0 - t), y)
        return (y * y)[:2].sum()

    if library == "jax":  # loops whose end data decide have forward gradients alone

        def both(y):
            return ended(y), lib.jacfwd(ended)(y)

    else:
        both = lambda y: gradients(library, lib, lambda w: ended(w[0]))([y])  # noqa: E731
    return runner.call(both, start)


# ---- 13 how sure weights are: a chain of 25 proposals, each 9 steps along the slope of the likelihood, float64


@program
def sure_weights(library, runner):
    rng, lib = RNG(13), runner.lib
    if library == "np":
        return None
    xp, F = arrays_of(library, lib), functions_of(library, lib)
    x = rng.standard_normal((503, 9))
    y = np.where(rng.random(503) < 1 / (1 + np.exp(-x @ rng.standard_normal(9))), 1.0, -1.0)
    pushes, luck, start = rng.standard_normal((25, 9)), np.log(rng.random(25)), np.zeros(9)

    def unlikely(w, x, y):
        return F.softplus(-y * (x @ w)).sum() + 0.5 * (w * w).sum()

    both = gradients(library, lib, lambda w, x, y: unlikely(w[0], x, y))
    if library == "jax":
        both = lambda w, x, y: lib.value_and_grad(unlikely)(w[0], x, y)  # noqa: E731

    def propose(w, cost, g, push, luck, x, y):
        at, p, new, slope = w, push, cost, g
        for _ in range(9):
            p = p - 0.025 * slope
            at = at + 0.05 * p
            new, slope = both([at], x, y)
            p = p - 0.025 * slope
        taken = luck < cost + 0.5 * (push * push).sum() - new - 0.5 * (p * p).sum()
        return xp.where(taken, at, w), xp.where(taken, new, cost), xp.where(taken, slope, g), taken

    def chain(x, y, w, pushes, luck):
        cost, g = both([w], x, y)
        if library == "jax":

            def step(s, given):
                *s, taken = propose(*s, *given, x, y)
                return tuple(s), (s[0], taken)

            _, (trail, taken) = lib.lax.scan(step, (w, cost, g), (pushes, luck))
            return trail, taken.sum()
        w, cost, g = w.detach(), cost.detach(), g.detach()
        trail, taken = [], []
        for k in range(25):
            w, cost, g, kept = (t.detach() for t in propose(w, cost, g, pushes[k], luck[k], x, y))
            trail.append(w)
            taken.append(kept)
        return lib.stack(trail), lib.stack(taken).sum()

    return runner.call(chain, x, y, start, pushes, luck)


# ---- 14 peaks in 251 spectra: four numbers each, damped steps that are kept where they help, float64


@program
def peaks(library, runner):
    rng, lib = RNG(14), runner.lib
    xp = arrays_of(library, lib)
    t = np.linspace(-3, 3, 61)
    true = np.stack([rng.uniform(lo, hi, 251) for lo, hi in ((1, 3), (-0.5, 0.5), (0.5, 1), (-0.2, 0.2))], 1)
    seen = true[:, :1] * np.exp(-(((t - true[:, 1:2]) / true[:, 2:3]) ** 2)) + true[:, 3:]
    seen = seen + 0.05 * rng.standard_normal(seen.shape)
    start = np.tile(np.array([2.0, 0.0, 0.7, 0.0]), (251, 1))
    unit = np.eye(4)

    def rest(p, t, seen):
        far = (t - p[:, 1:2]) / p[:, 2:3]
        bell = xp.exp(-far * far)
        return seen - p[:, :1] * bell - p[:, 3:], far, bell

    def turn(p, damp, cost, t, seen, unit):
        r, far, bell = rest(p, t, seen)
        steep = 2.0 * p[:, :1] * bell * far / p[:, 2:3]
        slopes = xp.stack((bell, steep, steep * far, xp.ones_like(bell)), -1)
        turned = slopes.transpose(1, 2) if is_torch(library) else slopes.transpose((0, 2, 1))
        square = turned @ slopes
        square = square + damp[:, None, None] * square * unit
        step = xp.linalg.solve(square, turned @ r[:, :, None])[:, :, 0]
        new = (rest(p + step, t, seen)[0] ** 2).sum(1)
        better = new < cost
        p = xp.where(better[:, None], p + step, p)
        return p, xp.where(better, 0.3 * damp, 4.0 * damp), xp.where(better, new, cost)

    def fitted(t, seen, p, unit):
        cost = (rest(p, t, seen)[0] ** 2).sum(1)
        damp = 0.0 * cost + 1.0
        if library == "jax":
            p, damp, cost = lib.lax.fori_loop(0, 12, lambda _, s: turn(*s, t, seen, unit), (p, damp, cost))
            return p, cost
        for _ in range(12):
            p, damp, cost = turn(p, damp, cost, t, seen, unit)
        return p, cost

    return runner.call(fitted, t, seen, start, unit)


# ---- 15 a tree for 4,001 rows of 11 columns in 32 classes each: four levels of histograms, sums, best splits


@program
def grown_tree(library, runner):
    rng, lib = RNG(15), runner.lib
    xp = arrays_of(library, lib)
    rows, columns, classes = 4001, 11, 32
    table = rng.integers(0, classes, (rows, columns))
    slope = np.tanh(0.2 * (table[:, 3] - 16) + 0.1 * table[:, 5]) + 0.3 * rng.standard_normal(rows)
    weight = rng.uniform(0.1, 0.3, rows)
    starts = np.arange(columns) * classes

    def flat(x):
        return x.reshape((-1,))

    def spread(x):
        return xp.broadcast_to(x[:, None], (rows, columns))

    def of_rows(x, i):
        if is_torch(library):
            return x.gather(1, i[:, None])[:, 0]
        return xp.take_along_axis(x, i[:, None], 1)[:, 0]

    def grown(table, slope, weight, starts):
        node = 0 * table[:, 0]
        splits = []
        for level in range(4):
            nodes = 2**level
            size = nodes * columns * classes
            place = flat((node * (columns * classes))[:, None] + starts + table)
            g = counted(library, lib, place, flat(spread(slope)), size).reshape((nodes, columns, classes))
            h = counted(library, lib, place, flat(spread(weight)), size).reshape((nodes, columns, classes))
            gl, hl = xp.cumsum(g, -1), xp.cumsum(h, -1)
            gt, ht = gl[:, :, -1:], hl[:, :, -1:]
            gain = gl * gl / (hl + 1.0) + (gt - gl) ** 2 / (ht - hl + 1.0) - gt * gt / (ht + 1.0)
            best = gain.reshape((nodes, -1)).argmax(-1)
            splits.append(best)
            column, limit = best // classes, best % classes
            node = 2 * node + cast(library, of_rows(table, column[node]) > limit[node], "int64")
        leaf = -counted(library, lib, node, slope, 16) / (counted(library, lib, node, weight, 16) + 1.0)
        return joined(library, lib, splits, 0), leaf, leaf[node]

    return runner.call(grown, table, slope, weight, starts)


# ---- 16 how good 211 lists of found pages are: gains among the first ten, precision, the first hit


@program
def found_pages(library, runner):
    rng, lib = RNG(16), runner.lib
    xp = arrays_of(library, lib)
    score, worth = f32(rng, 211, 97), rng.choice(5, (211, 97), p=[0.8, 0.1, 0.05, 0.03, 0.02])
    discount = (1 / np.log2(np.arange(2, 99))).astype(np.float32)
    ranks = np.arange(1, 98).astype(np.float32)

    def downwards(x):
        if library in ("np", "jax"):
            return xp.argsort(-x, -1)
        return lib.argsort(x, -1, descending=True)

    def sorted_down(x):
        if library in ("np", "jax"):
            return -xp.sort(-x, -1)
        made = lib.sort(x, -1, descending=True)
        return made[0] if is_torch(library) else made

    def taken(x, i):
        return x.gather(1, i) if is_torch(library) else xp.take_along_axis(x, i, 1)

    def judged(score, worth, discount, ranks):
        gains = 2.0 ** cast(library, worth, "float32") - 1.0
        ordered = taken(gains, downwards(score))
        best = sorted_down(gains)
        got = (ordered[:, :10] * discount[:10]).sum(1)
        most = (best[:, :10] * discount[:10]).sum(1)
        ndcg = xp.where(most > 0, got / xp.clip(most, 1e-9, 1e9), 0.0 * most)
        hits = cast(library, ordered > 0, "float32")
        so_far = xp.cumsum(hits, 1)
        precision = (hits * so_far / ranks).sum(1) / xp.clip(hits.sum(1), 1.0, 1e9)
        first = cast(library, hits.argmax(1) + 1, "float32")
        hit = cast(library, so_far[:, -1] > 0, "float32")
        return ndcg, precision, ndcg.mean(), precision.mean(), (hit / first).mean()

    return runner.call(judged, score, worth, discount, ranks)


# ---- 17 what trades cost: the last offer before each, means by share and minute, gaps filled, float64


@program
def costs_of_trades(library, runner):
    rng, lib = RNG(17), runner.lib
    xp = arrays_of(library, lib)
    trades, offers, shares, minutes = 15013, 7001, 23, 97
    traded, offered = np.sort(rng.integers(0, 10**7, trades)), np.sort(rng.integers(0, 10**7, offers))
    share, amount = rng.integers(0, shares, trades), rng.uniform(1, 500, trades)
    middle = 100 + np.cumsum(0.01 * rng.standard_normal(offers))
    paid = 100 + 0.1 * rng.standard_normal(trades)
    order = np.arange(minutes)

    def last(x):
        if library == "np":
            return np.maximum.accumulate(x, 1)
        return lib.lax.cummax(x, 1) if library == "jax" else lib.cummax(x, 1)[0]

    def taken(x, i):
        return x.gather(1, i) if is_torch(library) else xp.take_along_axis(x, i, 1)

    def judged(traded, share, amount, paid, offered, middle, order):
        before = xp.clip(xp.searchsorted(offered, traded, right=True) - 1 if library in ("vt", *LIBRARIES_OF_TORCH)
                         else xp.searchsorted(offered, traded, side="right") - 1, 0, offers - 1)  # fmt: skip
        fair = middle[before]
        cost = (paid - fair) / fair * 1e4
        cell = share * minutes + traded * minutes // 10**7
        size = shares * minutes
        volume = counted(library, lib, cell, amount, size).reshape((shares, minutes))
        value = counted(library, lib, cell, amount * paid, size).reshape((shares, minutes))
        known = xp.where(volume > 0, order + 0 * cast(library, volume, "int64"), 0 * cast(library, volume, "int64"))
        price = taken(value / xp.clip(volume, 1e-9, 1e12), last(known))
        change = price[:, 1:] / xp.clip(price[:, :-1], 1e-3, 1e6) - 1.0
        costs = counted(library, lib, share, cost * amount, shares) / counted(library, lib, share, amount, shares)
        return costs, price, (change * change).sum(1)

    return runner.call(judged, traded, share, amount, paid, offered, middle, order)


LIBRARIES_OF_TORCH = ("torch", "torch.compile")


# ---- 18 the cheapest mixture: a linear program of 57 amounts under 23 rules, from within, until the gap is small


@program
def cheapest_mixture(library, runner):
    rng, lib = RNG(18), runner.lib
    xp = arrays_of(library, lib)
    a = rng.random((23, 57))
    b = a @ rng.uniform(0.5, 1.5, 57)
    c = rng.uniform(1.0, 2.0, 57)

    def turn(x, y, s, a, b, c):
        turned = a.T
        gap = 0.2 * (x * s).sum() / 57.0
        rp, rd = b - a @ x, c - turned @ y - s
        ratio = x / s
        right = rp + a @ (ratio * rd - gap / s + x)
        dy = xp.linalg.solve((a * ratio) @ turned, right[:, None])[:, 0]
        ds = rd - turned @ dy
        dx = gap / s - x - ratio * ds
        far = lambda v, d: xp.clip(0.95 / xp.clip((-d / v).max(), 1e-9, 1e9), 0.0, 1.0)  # noqa: E731
        one, two = far(x, dx), far(s, ds)
        return x + one * dx, y + two * dy, s + two * ds

    def solved(a, b, c):
        x, y, s = 0.0 * c + 1.0, 0.0 * b, 0.0 * c + 1.0
        if library == "jax":
            going = lambda v: (v[0] * v[2]).sum() > 1e-9  # noqa: E731
            x, y, s = lib.lax.while_loop(going, lambda v: turn(*v, a, b, c), (x, y, s))
            return x, y, (c * x).sum()
        while (x * s).sum() > 1e-9:
            x, y, s = turn(x, y, s, a, b, c)
        return x, y, (c * x).sum()

    return runner.call(solved, a, b, c)
