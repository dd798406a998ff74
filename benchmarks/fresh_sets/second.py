"""Ten more programs that nothing was tuned for, written after the first ten's losses were mended; the form of first.py."""

import numpy as np

from .first import LIBRARIES as FIRST
from .first import RNG, Torch


class TorchCompiled(Torch):
    """Functions through torch.compile."""

    def call(self, function, *arrays):
        return super().call(self.lib.compile(function), *arrays)


LIBRARIES = {**FIRST, "torch.compile": TorchCompiled}
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def f32(rng, *shape, scale=1.0):
    return (scale * rng.standard_normal(shape)).astype(np.float32)


# ---- 1 a network over clouds of points


@program
def points(library, runner):
    rng, lib = RNG(1), runner.lib
    sizes = (3, 64, 128, 256)
    weights = [a for m, n in zip(sizes, sizes[1:]) for a in (f32(rng, m, n, scale=m**-0.5), f32(rng, n, scale=0.1))]
    clouds = f32(rng, 8, 500, 3)
    if library == "np":
        return None
    relu = lib.nn.relu if library == "jax" else lib.nn.functional.relu if library == "vt" else lib.relu
    most = (lambda x: x.amax(1)) if library.startswith("torch") else (lambda x: x.max(1))

    def features(x, *weights):
        for k in range(0, 6, 2):
            x = relu(x @ weights[k] + weights[k + 1])
        return most(x)

    return runner.call(features, clouds, *weights)


# ---- 2 shortest paths between all nodes


@program
def shortest_paths(library, runner):
    rng, lib = RNG(2), runner.lib
    roads = np.where(rng.random((120, 120)) < 0.1, rng.random((120, 120)), 1e9)
    np.fill_diagonal(roads, 0)
    if library == "jax":
        jnp = lib.numpy

        def paths(d):
            return lib.lax.fori_loop(0, 120, lambda k, d: jnp.minimum(d, d[:, k][:, None] + d[k][None, :]), d)

        return runner.call(paths, roads)
    minimum = lib.minimum

    def paths(d):
        for k in range(120):
            d = minimum(d, d[:, k][:, None] + d[k][None, :])
        return d

    return runner.call(paths, roads)


# ---- 3 a hidden Markov model: the likelihood and its gradient


@program
def markov(library, runner):
    rng, lib = RNG(3), runner.lib
    move, seen = f32(rng, 24, 24), f32(rng, 150, 24)
    if library == "np":
        return None
    if library == "jax":
        lse = lib.scipy.special.logsumexp

        def likelihood(move, seen):
            log = lib.nn.log_softmax(move, -1)
            step = lambda a, s: (lse(a[:, None] + log, 0) + s, None)  # noqa: E731
            return lse(lib.lax.scan(step, seen[0], seen[1:])[0])

        return runner.call(lib.value_and_grad(likelihood), move, seen)
    lse = lib.logsumexp
    softmax = lib.log_softmax if library.startswith("torch") else lib.nn.functional.log_softmax

    def likelihood(move, seen):
        log = softmax(move, -1)
        alpha = seen[0]
        for k in range(1, 150):
            alpha = lse(alpha[:, None] + log, 0) + seen[k]
        return lse(alpha, 0)

    if library == "vt":

        def both(move, seen):
            move.stop_gradient = False
            loss = likelihood(move, seen)
            return loss, lib.grad(loss, move)[0]
    else:

        def both(move, seen):
            move = move.detach().requires_grad_()
            loss = likelihood(move, seen)
            return loss, lib.autograd.grad(loss, move)[0]

    return runner.call(both, move, seen)


# ---- 4 a small U-shaped network


@program
def unet(library, runner):
    rng, lib = RNG(4), runner.lib
    plan = [(3, 16), (16, 32), (32, 64), (96, 32), (48, 16), (16, 2)]
    weights = [a for m, n in plan for a in (f32(rng, n, m, 3, 3, scale=(9 * m) ** -0.5), f32(rng, n, scale=0.1))]
    images = f32(rng, 2, 3, 64, 64)
    if library == "np":
        return None
    if library == "jax":
        jnp, nn = lib.numpy, lib.nn

        def conv(x, w, b):
            y = lib.lax.conv_general_dilated(x, w, (1, 1), "SAME")
            return y + b[None, :, None, None]

        def pool(x):
            return lib.lax.reduce_window(x, -jnp.inf, lib.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

        def up(x):
            return jnp.repeat(jnp.repeat(x, 2, 2), 2, 3)

        def join(a, b):
            return jnp.concatenate([a, b], 1)

        act = nn.silu
    else:
        nn = lib.nn.functional

        def conv(x, w, b):
            return nn.conv2d(x, w, b, padding=1)

        def pool(x):
            return nn.max_pool2d(x, 2)

        def up(x):
            return nn.interpolate(x, scale_factor=2, mode="nearest")

        def join(a, b):
            return lib.concat([a, b], 1)

        act = nn.silu

    def net(x, *w):
        a = act(conv(x, w[0], w[1]))
        b = act(conv(pool(a), w[2], w[3]))
        c = act(conv(pool(b), w[4], w[5]))
        d = act(conv(join(up(c), b), w[6], w[7]))
        e = act(conv(join(up(d), a), w[8], w[9]))
        return conv(e, w[10], w[11])

    return runner.call(net, images, *weights)


# ---- 5 heat in a plate, by conjugate gradients


@program
def plate(library, runner):
    rng, lib = RNG(5), runner.lib
    source = rng.standard_normal((96, 96))
    if library == "jax":
        jnp = lib.numpy
        pad = lambda x: jnp.pad(x, 1)  # noqa: E731
    elif library == "np":
        pad = lambda x: np.pad(x, 1)  # noqa: E731
    else:
        pad = lambda x: lib.nn.functional.pad(x, [1, 1, 1, 1])  # noqa: E731
        if library == "vt":
            pad = lambda x: lib.nn.functional.pad(x[None, None], [1, 1, 1, 1])[0, 0]  # noqa: E731

    def apply(x):
        p = pad(x)
        return 4.01 * x - p[:-2, 1:-1] - p[2:, 1:-1] - p[1:-1, :-2] - p[1:-1, 2:]

    def step(x, r, p, rr):
        q = apply(p)
        alpha = rr / (p * q).sum()
        x, r = x + alpha * p, r - alpha * q
        new = (r * r).sum()
        return x, r, r + (new / rr) * p, new

    if library == "jax":

        def solved(b):
            go = lambda s: s[3] > 1e-8  # noqa: E731
            return lib.lax.while_loop(go, lambda s: step(*s), (b * 0.0, b, b, (b * b).sum()))[0]

        return runner.call(solved, source)

    def solved(b):
        x, r, p, rr = b * 0.0, b, b, (b * b).sum()
        while rr > 1e-8:
            x, r, p, rr = step(x, r, p, rr)
        return x

    return runner.call(solved, source)


# ---- 6 pictures and their texts: a contrastive loss and its gradients


@program
def contrast(library, runner):
    rng, lib = RNG(6), runner.lib
    data = [f32(rng, 64, 200), f32(rng, 64, 120)]
    weights = [f32(rng, 200, 128, scale=0.07), f32(rng, 128, 64, scale=0.09), f32(rng, 120, 64, scale=0.09)]
    if library == "np":
        return None
    if library == "jax":
        jnp = lib.numpy

        def unit(x):
            return x / jnp.linalg.norm(x, axis=-1, keepdims=True)

        def loss(weights, a, b):
            x = unit(lib.nn.gelu(a @ weights[0], approximate=False) @ weights[1])
            y = unit(b @ weights[2])
            s = 10.0 * x @ y.T
            return -(jnp.diagonal(lib.nn.log_softmax(s, 1)).mean() + jnp.diagonal(lib.nn.log_softmax(s, 0)).mean()) / 2

        def both(a, b, *weights):
            return lib.value_and_grad(loss)(weights, a, b)

        return runner.call(both, *data, *weights)
    nn = lib.nn.functional
    gelu = nn.gelu
    normal = (
        (lambda x: nn.normalize(x, dim=-1)) if library.startswith("torch") else (lambda x: nn.normalize(x, axis=-1))
    )

    def loss(weights, a, b):
        x = normal(gelu(a @ weights[0]) @ weights[1])
        y = normal(b @ weights[2])
        s = 10.0 * x @ y.T
        labels = lib.arange(64)
        return (nn.cross_entropy(s, labels) + nn.cross_entropy(s.T, labels)) / 2

    if library == "vt":

        def both(a, b, *weights):
            for w in weights:
                w.stop_gradient = False
            made = loss(weights, a, b)
            return made, *lib.grad(made, list(weights))
    else:

        def both(a, b, *weights):
            weights = [w.detach().requires_grad_() for w in weights]
            made = loss(weights, a, b)
            return made, *lib.autograd.grad(made, weights)

    return runner.call(both, *data, *weights)


# ---- 7 log spectrogram of a sound


@program
def spectrogram(library, runner):
    rng, lib = RNG(7), runner.lib
    sound = f32(rng, 16000)
    window = np.hanning(400).astype(np.float32)
    bank = np.abs(f32(rng, 201, 40))
    places = np.arange(98)[:, None] * 160 + np.arange(400)[None, :]
    if library == "jax":
        fft, log = lib.numpy.fft.rfft, lib.numpy.log
    else:
        fft, log = lib.fft.rfft, lib.log
    size = abs if library != "vt" else lib.abs

    def made(sound, window, bank, places):
        spectrum = size(fft(sound[places] * window)) ** 2
        return log(spectrum @ bank + 1e-6)

    return runner.call(made, sound, window, bank, places)


# ---- 8 advantages of episodes and the loss of a policy, with gradients


@program
def policy(library, runner):
    rng, lib = RNG(8), runner.lib
    reward, value = f32(rng, 96, 16), f32(rng, 97, 16)
    done = (rng.random((96, 16)) < 0.05).astype(np.float32)
    states, taken = f32(rng, 96, 16, 10), rng.integers(0, 4, (96, 16))
    weights = [f32(rng, 10, 32, scale=0.3), f32(rng, 32, 4, scale=0.2)]
    if library == "np":
        return None
    if library == "jax":
        jnp = lib.numpy

        def advantages(reward, value, done):
            def step(a, row):
                r, v, w, d = row
                a = r + 0.99 * w * (1 - d) - v + 0.95 * 0.99 * (1 - d) * a
                return a, a

            return lib.lax.scan(step, jnp.zeros(16, "float32"), (reward, value[:-1], value[1:], done), reverse=True)[1]

        def loss(weights, a, states, taken):
            log = lib.nn.log_softmax(jnp.tanh(states @ weights[0]) @ weights[1], -1)
            chosen = jnp.take_along_axis(log, taken[..., None], -1)[..., 0]
            ratio = jnp.exp(chosen + 1.386)
            return -jnp.minimum(ratio * a, jnp.clip(ratio, 0.8, 1.2) * a).mean()

        def both(reward, value, done, states, taken, *weights):
            a = advantages(reward, value, done)
            return lib.value_and_grad(loss)(weights, (a - a.mean()) / a.std(), states, taken)

        return runner.call(both, reward, value, done, states, taken, *weights)
    torch = library.startswith("torch")

    def advantages(reward, value, done):
        a = value[0] * 0.0
        found = []
        for k in range(95, -1, -1):
            a = reward[k] + 0.99 * value[k + 1] * (1 - done[k]) - value[k] + 0.95 * 0.99 * (1 - done[k]) * a
            found.append(a)
        found.reverse()
        return lib.stack(found)

    softmax = lib.log_softmax if torch else lib.nn.functional.log_softmax
    take = (lambda x, i: x.gather(-1, i)) if torch else (lambda x, i: lib.take_along_axis(x, i, -1))

    def loss(weights, a, states, taken):
        log = softmax(lib.tanh(states @ weights[0]) @ weights[1], -1)
        chosen = take(log, taken.unsqueeze(-1))[..., 0]
        ratio = lib.exp(chosen + 1.386)
        return -lib.minimum(ratio * a, lib.clip(ratio, 0.8, 1.2) * a).mean()

    def both(reward, value, done, states, taken, *weights):
        a = advantages(reward, value, done)
        a = (a - a.mean()) / a.std(unbiased=False)
        if torch:
            weights = [w.detach().requires_grad_() for w in weights]
        else:
            for w in weights:
                w.stop_gradient = False
        made = loss(weights, a, states, taken)
        return made, *(lib.autograd.grad(made, weights) if torch else lib.grad(made, list(weights)))

    return runner.call(both, reward, value, done, states, taken, *weights)


# ---- 9 magnets on a lattice, black squares and white ones in turn


@program
def magnets(library, runner):
    rng, lib = RNG(9), runner.lib
    spins = np.where(rng.random((96, 96)) < 0.5, 1.0, -1.0).astype(np.float32)
    chance = rng.random((60, 96, 96)).astype(np.float32)
    black = np.add.outer(np.arange(96), np.arange(96)) % 2 == 0
    ns = lib.numpy if library == "jax" else lib
    roll, where, exp = ns.roll, ns.where, ns.exp

    def half(s, u, squares):
        around = roll(s, 1, 0) + roll(s, -1, 0) + roll(s, 1, 1) + roll(s, -1, 1)
        return where(squares & (u < exp(-0.88 * s * around)), -s, s)

    if library == "jax":

        def cooled(s, chance, black):
            def step(s, u):
                s = half(half(s, u[0], black), u[1], ~black)
                return s, s.mean()

            return lib.lax.scan(step, s, chance.reshape(30, 2, 96, 96))

        return runner.call(cooled, spins, chance, black)

    def cooled(s, chance, black):
        found = []
        for k in range(30):
            s = half(half(s, chance[2 * k], black), chance[2 * k + 1], ~black)
            found.append(s.mean())
        return s, ns.stack(found)

    return runner.call(cooled, spins, chance, black)


# ---- 10 a fit of hares and foxes: Runge-Kutta steps with gradients, float64


@program
def hares(library, runner):
    rng, lib = RNG(10), runner.lib
    seen = 1.0 + 0.3 * rng.standard_normal((120, 2))
    start, rates = np.array([1.0, 0.8]), np.array([1.1, 0.4, 0.4, 0.1])
    if library == "np":
        return None
    ns = lib.numpy if library == "jax" else lib

    def slope(y, r):
        return ns.stack([r[0] * y[0] - r[1] * y[0] * y[1], r[3] * y[0] * y[1] - r[2] * y[1]])

    def move(y, r, h=0.05):
        a = slope(y, r)
        b = slope(y + h / 2 * a, r)
        c = slope(y + h / 2 * b, r)
        return y + h / 6 * (a + 2 * b + 2 * c + slope(y + h * c, r))

    if library == "jax":

        def loss(r, y, seen):
            def step(carry, row):
                y, total = carry
                y = move(y, r)
                return (y, total + ((y - row) ** 2).sum()), None

            return lib.lax.scan(step, (y, 0.0), seen)[0][1]

        return runner.call(lib.value_and_grad(loss), rates, start, seen)

    def loss(r, y, seen):
        total = 0.0
        for k in range(120):
            y = move(y, r)
            total = total + ((y - seen[k]) ** 2).sum()
        return total

    if library == "vt":

        def both(r, y, seen):
            r.stop_gradient = False
            made = loss(r, y, seen)
            return made, lib.grad(made, r)[0]
    else:

        def both(r, y, seen):
            r = r.detach().requires_grad_()
            made = loss(r, y, seen)
            return made, lib.autograd.grad(made, r)[0]

    return runner.call(both, rates, start, seen)
