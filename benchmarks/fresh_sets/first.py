"""Ten programs that nothing was tuned for: inputs, and what each library computes, written as its users write it.

`PROGRAMS[name](library)` gives a function without arguments that makes one call; `libraries(name)` who has it.
"""

import os

import numpy as np

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))
RNG = np.random.default_rng


class Vitrify:
    """Tensors of vitrify, compiled functions."""

    def __init__(self):
        import vitrify as vt

        vt.set_num_threads(THREADS)
        self.lib = vt

    def call(self, function, *arrays):
        vt = self.lib
        tensors = [vt.to_tensor(a) if isinstance(a, np.ndarray) else a for a in arrays]
        compiled = vt.to_static(function)
        self.compiled, self.arrays = compiled, tensors
        return lambda: compiled(*tensors), lambda made: [
            m.numpy() for m in (made if isinstance(made, (tuple, list)) else [made])
        ]


class Jax:
    """Arrays of jax, jitted functions."""

    def __init__(self):
        import jax
        import jax.scipy.linalg  # noqa: F401 - programs use it

        jax.config.update("jax_enable_x64", True)
        self.lib = jax

    def call(self, function, *arrays):
        jax = self.lib
        placed = [jax.numpy.asarray(a) if isinstance(a, np.ndarray) else a for a in arrays]
        numbers = tuple(k for k, a in enumerate(arrays) if not isinstance(a, np.ndarray))
        compiled = jax.jit(function, static_argnums=numbers)
        return (lambda: jax.block_until_ready(compiled(*placed))), lambda made: list(
            map(np.asarray, jax.tree.leaves(made))
        )


class Torch:
    """Tensors of torch, eager."""

    def __init__(self):
        import torch

        torch.set_num_threads(THREADS)
        self.lib = torch

    def call(self, function, *arrays):
        torch = self.lib
        tensors = [torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in arrays]
        return (lambda: function(*tensors)), lambda made: [
            m.detach().numpy() for m in (made if isinstance(made, (tuple, list)) else [made])
        ]


class NumPy:
    """Arrays as they are."""

    def __init__(self):
        self.lib = np

    def call(self, function, *arrays):
        return (
            lambda: function(*arrays)
        ), lambda made: list(made) if isinstance(made, (tuple, list)) else [np.asarray(made)]


LIBRARIES = {"vt": Vitrify, "np": NumPy, "torch": Torch, "jax": Jax}
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


# ---- 1 a Kalman filter of a moving point


@program
def kalman(library, runner):
    rng = RNG(1)
    dt = 0.1
    f = np.eye(4)
    f[0, 2] = f[1, 3] = dt
    h, q, r = np.eye(2, 4), 0.01 * np.eye(4), 0.5 * np.eye(2)
    z = np.cumsum(rng.standard_normal((400, 2)), 0)
    arrays = (f, h, q, r, z, np.zeros(4), np.eye(4))
    if library == "jax":
        import jax

        def filtered(f, h, q, r, z, x, p):
            def step(state, seen):
                x, p = state
                x, p = f @ x, f @ p @ f.T + q
                gain = jax.numpy.linalg.solve(h @ p @ h.T + r, h @ p).T
                x = x + gain @ (seen - h @ x)
                return (x, p - gain @ h @ p), x

            return jax.lax.scan(step, (x, p), z)[1]

        return runner.call(filtered, *arrays)
    stack, solve = runner.lib.stack, runner.lib.linalg.solve

    def filtered(f, h, q, r, z, x, p):
        found = []
        for k in range(400):
            x, p = f @ x, f @ p @ f.T + q
            gain = solve(h @ p @ h.T + r, h @ p).T
            x = x + gain @ (z[k] - h @ x)
            p = p - gain @ h @ p
            found.append(x)
        return stack(found)

    return runner.call(filtered, *arrays)


# ---- 2 reaction and diffusion on a torus


@program
def gray_scott(library, runner):
    u, v = np.ones((128, 128), np.float32), np.zeros((128, 128), np.float32)
    u[50:70, 50:70], v[50:70, 50:70] = 0.5, 0.25
    roll = runner.lib.numpy.roll if library == "jax" else runner.lib.roll

    def around(w):
        return roll(w, 1, 0) + roll(w, -1, 0) + roll(w, 1, 1) + roll(w, -1, 1) - 4.0 * w

    def step(u, v):
        reaction = u * v * v
        return u + 0.16 * around(u) - reaction + 0.035 * (1.0 - u), v + 0.08 * around(v) + reaction - 0.1 * v

    if library == "jax":
        import jax

        def simulated(u, v):
            return jax.lax.fori_loop(0, 200, lambda _, s: step(*s), (u, v))

        return runner.call(simulated, u, v)

    def simulated(u, v):
        for _ in range(200):
            u, v = step(u, v)
        return u, v

    return runner.call(simulated, u, v)


# ---- 3 an MLP-Mixer's forward pass


@program
def mixer(library, runner):
    rng = RNG(3)
    x = rng.standard_normal((4, 49, 128)).astype(np.float32)
    weights = [
        (0.1 * rng.standard_normal(s)).astype(np.float32)
        for _ in range(4)
        for s in ((49, 64), (64, 49), (128, 256), (256, 128))
    ]
    lib = runner.lib
    if library == "np":
        return None
    if library == "vt":
        gelu, norm = lib.nn.functional.gelu, lambda x: lib.nn.functional.layer_norm(x, 128)
    elif library == "torch":
        gelu, norm = lib.nn.functional.gelu, lambda x: lib.nn.functional.layer_norm(x, (128,))
    else:

        def gelu(x):
            return lib.nn.gelu(x, approximate=False)

        def norm(x):
            return (x - x.mean(-1, keepdims=True)) * lib.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def forward(x, *weights):
        for k in range(0, 16, 4):
            a, b, c, d = weights[k : k + 4]
            y = norm(x).swapaxes(1, 2)
            x = x + (gelu(y @ a) @ b).swapaxes(1, 2)
            x = x + gelu(norm(x) @ c) @ d
        return x.mean(1)

    return runner.call(forward, x, *weights)


# ---- 4 a gated recurrent cell over a sentence


@program
def gated_cell(library, runner):
    rng = RNG(4)
    x = rng.standard_normal((60, 96)).astype(np.float32)
    weights = [(0.1 * rng.standard_normal((96, 96))).astype(np.float32) for _ in range(6)]
    lib = runner.lib
    if library == "np":
        return None
    sigmoid = lib.nn.sigmoid if library == "jax" else lib.sigmoid
    tanh = lib.numpy.tanh if library == "jax" else lib.tanh

    def cell(h, x, wz, uz, wr, ur, wh, uh):
        z, r = sigmoid(x @ wz + h @ uz), sigmoid(x @ wr + h @ ur)
        return (1.0 - z) * h + z * tanh(x @ wh + (r * h) @ uh)

    if library == "jax":

        def read(x, *weights):
            def step(h, x):
                return cell(h, x, *weights), None

            return lib.lax.scan(step, lib.numpy.zeros(96, "float32"), x)[0]

        return runner.call(read, x, *weights)

    def read(x, *weights):
        h = x[0] * 0.0
        for k in range(60):
            h = cell(h, x[k], *weights)
        return h

    return runner.call(read, x, *weights)


# ---- 5 the price of an Asian option


@program
def asian_option(library, runner):
    noise = RNG(5).standard_normal((64, 20000))
    lib = runner.lib.numpy if library == "jax" else runner.lib

    def price(noise):
        paths = 100.0 * lib.exp(lib.cumsum((0.03 - 0.02) / 64 + 0.2 / 8.0 * noise, 0))
        payoff = lib.clip(paths.mean(0) - 100.0, 0.0, None)
        return 0.97 * payoff.mean(), payoff.std() / 20000**0.5

    return runner.call(price, noise)


# ---- 6 clusters of points


@program
def clusters(library, runner):
    rng = RNG(6)
    points = rng.standard_normal((5000, 8)).astype(np.float32)
    lib = runner.lib

    def nearest(points, centres):
        apart = (points * points).sum(1)[:, None] - 2.0 * (points @ centres.T) + (centres * centres).sum(1)
        return apart.argmin(1)

    if library == "jax":
        jnp = lib.numpy

        def fitted(points, centres):
            def step(_, centres):
                label = nearest(points, centres)
                total = lib.ops.segment_sum(points, label, 12)
                count = lib.ops.segment_sum(jnp.ones(5000, "float32"), label, 12)
                return total / jnp.maximum(count, 1.0)[:, None]

            return lib.lax.fori_loop(0, 15, step, centres)

        return runner.call(fitted, points, points[:12].copy())
    if library == "torch":

        def step(points, centres):
            label = nearest(points, centres)
            total = lib.zeros(12, 8).index_add_(0, label, points)
            return total / lib.bincount(label, minlength=12).clamp(min=1)[:, None]
    elif library == "np":

        def step(points, centres):
            label = nearest(points, centres)
            chosen = (label[:, None] == np.arange(12)).astype(np.float32)
            return (chosen.T @ points) / np.maximum(chosen.sum(0), 1.0)[:, None]
    else:

        def step(points, centres):
            label = nearest(points, centres)
            total = lib.index_add(lib.zeros([12, 8]), label, 0, points)
            count = lib.index_add(lib.zeros([12]), label, 0, lib.ones([5000]))
            return total / lib.clip(count, min=1.0)[:, None]

    def fitted(points, centres):
        for _ in range(15):
            centres = step(points, centres)
        return centres

    return runner.call(fitted, points, points[:12].copy())


# ---- 7 ranks of pages, until they stay


@program
def page_rank(library, runner):
    links = (RNG(7).uniform(size=(300, 300)) < 0.05).astype(np.float64) + 1e-6
    links = links / links.sum(0)
    if library == "jax":
        lax, jnp = runner.lib.lax, runner.lib.numpy

        def ranked(links):
            def step(state):
                rank = state[0]
                following = 0.85 * (links @ rank) + 0.15 / 300
                return following, jnp.abs(following - rank).sum()

            return lax.while_loop(lambda s: s[1] > 1e-10, step, (jnp.full(300, 1 / 300), 1.0))[0]

        return runner.call(ranked, links)

    def ranked(links):
        rank = links[0] * 0.0 + 1 / 300
        change = (rank * 0.0).sum() + 1.0
        while change > 1e-10:
            following = 0.85 * (links @ rank) + 0.15 / 300
            change = abs(following - rank).sum()
            rank = following
        return rank

    return runner.call(ranked, links)


# ---- 8 the likelihood of a Gaussian process, and its gradient


@program
def gaussian_process(library, runner):
    rng = RNG(8)
    x, y = np.sort(rng.uniform(-3, 3, 48)), rng.standard_normal(48)
    theta = np.array([0.1, -0.3, -1.0])
    lib = runner.lib
    if library == "np":
        return None
    nn = lib.numpy if library == "jax" else lib

    def loss(theta, x, y):
        size = nn.exp(theta)
        apart = (x[:, None] - x[None, :]) / size[0]
        cover = size[1] * nn.exp(-0.5 * apart * apart) + size[2] * eye
        low = nn.linalg.cholesky(cover)
        if library == "jax":
            half = lib.scipy.linalg.solve_triangular(low, y[:, None], lower=True)
        elif library == "torch":
            half = lib.linalg.solve_triangular(low, y[:, None], upper=False)
        else:
            half = lib.linalg.triangular_solve(low, y[:, None], upper=False)
        return 0.5 * (half * half).sum() + nn.log((low * eye).sum(1)).sum()

    if library == "jax":
        eye = nn.eye(48)
        return runner.call(lib.value_and_grad(loss), theta, x, y)
    eye = lib.eye(48, dtype=lib.float64)
    if library == "torch":

        def both(theta, x, y):
            theta = theta.requires_grad_()
            value = loss(theta, x, y)
            return value, lib.autograd.grad(value, theta)[0]
    else:

        def both(theta, x, y):
            theta.stop_gradient = False
            value = loss(theta, x, y)
            return value, lib.grad(value, [theta])[0]

    return runner.call(both, theta, x, y)


# ---- 9 factors of ratings: a step of descent with embeddings


@program
def ratings(library, runner):
    rng = RNG(9)
    users, items = ((0.1 * rng.standard_normal((5000, 16))).astype(np.float32) for _ in range(2))
    who, what = rng.integers(0, 5000, 1024), rng.integers(0, 5000, 1024)
    stars = rng.uniform(1, 5, 1024).astype(np.float32)
    if library == "np":
        return None

    def loss(users, items, who, what, stars):
        miss = (users[who] * items[what]).sum(-1) - stars
        return (miss * miss).mean()

    lib = runner.lib
    if library == "jax":

        def step(users, items, *rest):
            du, di = lib.grad(loss, (0, 1))(users, items, *rest)
            return users - 0.1 * du, items - 0.1 * di
    elif library == "torch":

        def step(users, items, *rest):
            users, items = users.detach().requires_grad_(), items.detach().requires_grad_()
            du, di = lib.autograd.grad(loss(users, items, *rest), [users, items])
            return users - 0.1 * du, items - 0.1 * di
    else:

        def step(users, items, who, what, stars):
            users.stop_gradient = False
            items.stop_gradient = False
            du, di = lib.grad(loss(users, items, who, what, stars), [users, items])
            return users - 0.1 * du, items - 0.1 * di

    return runner.call(step, users, items, who, what, stars)


# ---- 10 features of price series


@program
def series(library, runner):
    prices = np.exp(np.cumsum(0.01 * RNG(10).standard_normal((200, 1000)), 1))
    lib = runner.lib.numpy if library == "jax" else runner.lib
    lax = runner.lib.lax if library == "jax" else None

    def highest(x):
        if library == "jax":
            return lax.cummax(x, 1)
        return np.maximum.accumulate(x, 1) if library == "np" else lib.cummax(x, 1)[0]

    def features(prices):
        returns = prices[:, 1:] / prices[:, :-1] - 1.0
        total = lib.cumsum(returns, 1)
        window = (total[:, 20:] - total[:, :-20]) / 20.0
        ordered = lib.sort(returns, 1)
        ordered = ordered[0] if library == "torch" else ordered
        fall = (prices / highest(prices) - 1.0).min(1)
        fall = fall[0] if library == "torch" else fall
        return ordered[:, 50], window.std(1), fall, returns.argmax(1)

    return runner.call(features, prices)
