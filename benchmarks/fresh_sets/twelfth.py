"""Twelve more programs: sensors, finance, fluids, sequences and trees, five with gradients, five whose data decide the way."""

import numpy as np

from .first import RNG, Torch
from .second import LIBRARIES, f32  # noqa: F401
from .tenth_networks import gradients, over

PROGRAMS, WEIGHTS = {}, {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


TORCH = ("torch", "torch.compile")


# ---- 33 how a drone stands: a queue of eight samples of its gyroscope, corrected by gravity where it is to be trusted
@program
def attitude(library, runner):
    rng, lib = RNG(133), runner.lib
    count, dt, kp, ki = 8, 0.005, 1.5, 0.1
    q, bias = np.array([0.9, 0.1, -0.3, 0.3], np.float32), f32(rng, 3, scale=0.01)
    q /= np.linalg.norm(q)
    gyro = f32(rng, count, 3)
    accel = np.array([[0, 0, 9.8]], np.float32) + f32(rng, count, 3, scale=0.4)
    accel[[2, 5]] *= 1.5
    xp = lib.numpy if library == "jax" else lib
    norm = xp.linalg.norm
    cross = lib.linalg.cross if library in TORCH else xp.cross

    def towards(q, bias, accel, size):
        w, x, y, z = q[0], q[1], q[2], q[3]
        down = xp.stack([2 * (x * z - w * y), 2 * (w * x + y * z), w * w - x * x - y * y + z * z])
        error = cross(accel / size, down)
        return kp * error, bias + ki * dt * error

    def turned(q, rate):
        w, x, y, z = q[0], q[1], q[2], q[3]
        a, b, c = rate[0], rate[1], rate[2]
        change = xp.stack([-x * a - y * b - z * c, w * a + y * c - z * b, w * b - x * c + z * a, w * c + x * b - y * a])
        q = q + 0.5 * dt * change
        return q / norm(q)

    def run(q, bias, gyro, accel):
        if library == "jax":

            def one(state, sample):
                (q, bias), (g, a) = state, sample
                size = norm(a)
                pull, bias = lib.lax.cond(
                    xp.abs(size - 9.81) < 1.5,
                    lambda: towards(q, bias, a, size),
                    lambda: (xp.zeros_like(bias), bias),
                )
                return (turned(q, g + bias + pull), bias), None

            return lib.lax.scan(one, (q, bias), (gyro, accel))[0]
        for t in range(count):
            size = norm(accel[t])
            rate = gyro[t]
            if abs(size - 9.81) < 1.5:
                pull, bias = towards(q, bias, accel[t], size)
                rate = rate + pull
            q = turned(q, rate + bias)
        return q, bias

    return runner.call(run, q, bias, gyro, accel)


# ---- 34 implied volatilities by Newton's method until all prices are met, float64
@program
def volatility(library, runner):
    rng, lib = RNG(134), runner.lib
    count, spot, interest = 64, 100.0, 0.02
    strike, years = rng.uniform(80, 120, count), rng.uniform(0.2, 1.5, count)
    xp = lib.numpy if library == "jax" else lib
    if library == "jax":
        cdf = lib.scipy.special.ndtr
    elif library in TORCH:
        cdf = lib.special.ndtr
    elif library == "np":
        from scipy.special import ndtr as cdf
    else:
        cdf = lambda x: 0.5 * (1 + lib.erf(x / 2**0.5))

    def valued(sigma, strike, years, xp=xp, cdf=cdf):
        spread = sigma * xp.sqrt(years)
        d = (xp.log(spot / strike) + (interest + 0.5 * sigma * sigma) * years) / spread
        value = spot * cdf(d) - strike * xp.exp(-interest * years) * cdf(d - spread)
        return value, spot * xp.sqrt(years) * xp.exp(-0.5 * d * d) / (2 * np.pi) ** 0.5

    import math

    price = valued(
        rng.uniform(0.15, 0.5, count), strike, years, np, np.vectorize(lambda x: 0.5 * (1 + math.erf(x / 2**0.5)))
    )[0]

    def run(price, strike, years):
        sigma = xp.full_like(price, 0.3)
        if library == "jax":

            def step(state):
                sigma, _, k = state
                value, vega = valued(sigma, strike, years)
                off = value - price
                return sigma - off / vega, xp.abs(off).max(), k + 1

            return lib.lax.while_loop(lambda s: (s[1] > 1e-9) & (s[2] < 50), step, (sigma, xp.inf, 0))[0]
        for _ in range(50):
            value, vega = valued(sigma, strike, years)
            off = value - price
            sigma = sigma - off / vega
            if abs(off).max() <= 1e-9:
                break
        return sigma

    return runner.call(run, price, strike, years)


# ---- 35 who clicks: a step of follow-the-regularised-leader over hashed features
@program
def clicks(library, runner):
    rng, lib = RNG(135), runner.lib
    places, rows, features = 2048, 16, 12
    alpha, beta, l1, l2 = 0.1, 1.0, 0.2, 0.5
    z, n = f32(rng, places), (f32(rng, places) ** 2)
    at = rng.integers(0, places, (rows, features))
    clicked = (rng.random(rows) < 0.3).astype(np.float32)
    xp = lib.numpy if library == "jax" else lib
    if library == "jax":
        sigmoid = lib.nn.sigmoid
    elif library == "np":
        sigmoid = lambda x: 1 / (1 + np.exp(-x))
    else:
        sigmoid = lib.sigmoid if library in TORCH else lib.nn.functional.sigmoid

    def spread(at, error):
        """The gradient: each row's error at its features."""
        if library == "jax":
            return xp.zeros(places, error.dtype).at[at].add(error[:, None])
        if library == "np":
            return np.bincount(at.ravel(), np.repeat(error, features), places).astype(np.float32)
        if library == "vt":
            return lib.zeros([places]).index_add(at.flatten(), 0, error.repeat_interleave(features))
        return lib.zeros(places).index_add(0, at.flatten(), error.repeat_interleave(features))

    def run(z, n, at, clicked):
        w = xp.where(xp.abs(z) <= l1, 0.0, (xp.sign(z) * l1 - z) / ((beta + xp.sqrt(n)) / alpha + l2))
        p = sigmoid(w[at].sum(1))
        loss = -xp.where(clicked > 0, xp.log(p), xp.log(1 - p)).mean()
        g = spread(at, p - clicked)
        rate = (xp.sqrt(n + g * g) - xp.sqrt(n)) / alpha
        return loss, z + g - rate * w, n + g * g

    return runner.call(run, z, n, at, clicked)


# ---- 36 names in sentences: a conditional random field over sentences of different lengths, gradients
@program
def tagging(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(136), runner.lib
    batch, length, width, kinds = 16, 30, 64, 9
    x, tags = f32(rng, batch, length, width), rng.integers(0, kinds, (batch, length))
    lengths = rng.integers(10, length + 1, batch)
    lengths[0] = length
    mask = np.arange(length) < lengths[:, None]
    weights = [
        f32(rng, width, kinds, scale=0.15),
        f32(rng, kinds),
        f32(rng, kinds, kinds, scale=0.5),
        f32(rng, kinds),
        f32(rng, kinds),
    ]
    xp = lib.numpy if library == "jax" else lib
    if library == "jax":
        pick = lambda e, tags: xp.take_along_axis(e, tags[..., None], -1)[..., 0]
        real = lambda m: m.astype(xp.float32)
        total = lib.nn.logsumexp
    elif library == "vt":
        pick = lambda e, tags: lib.take_along_axis(e, tags.unsqueeze(-1), -1).squeeze(-1)
        real = lambda m: m.astype("float32")
        total = lib.logsumexp
    else:
        pick = lambda e, tags: e.gather(-1, tags.unsqueeze(-1)).squeeze(-1)
        real = lambda m: m.float()
        total = lib.logsumexp

    def loss(weights, x, tags, mask, lengths):
        w, b, moves, first, last = weights
        e = x @ w + b
        m = real(mask)
        ends = tags[xp.arange(batch), lengths - 1]
        score = first[tags[:, 0]] + last[ends] + (pick(e, tags) * m).sum(1)
        score = score + (moves[tags[:, :-1], tags[:, 1:]] * m[:, 1:]).sum(1)

        def one(alpha, e, m):
            return xp.where(m[:, None], total(alpha[:, :, None] + moves, 1) + e, alpha)

        alpha = first + e[:, 0]
        if library == "jax":
            steps = e.transpose(1, 0, 2)[1:], mask.T[1:]
            alpha = lib.lax.scan(lambda a, em: (one(a, *em), None), alpha, steps)[0]
        else:
            for t in range(1, length):
                alpha = one(alpha, e[:, t], mask[:, t])
        return (total(alpha + last, 1) - score).mean()

    return runner.call(over(5, gradients(library, lib, loss)), *weights, x, tags, mask, lengths)


# ---- 37 a filter of a thousand particles, drawn anew where few of them carry the weight, float64
@program
def particles(library, runner):
    rng, lib = RNG(137), runner.lib
    count, steps = 1000, 50
    noise, starts = rng.standard_normal((steps, count)) * 10**0.5, rng.random(steps)
    start, times = rng.standard_normal(count) * 2, np.arange(steps, dtype=np.float64)
    state, seen = 0.5, []
    for t in range(steps):
        state = state / 2 + 25 * state / (1 + state**2) + 8 * np.cos(1.2 * t) + rng.standard_normal() * 10**0.5
        seen.append(state**2 / 20 + rng.standard_normal())
    seen = np.array(seen)
    xp = lib.numpy if library == "jax" else lib
    if library == "np":
        softmax = lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum()
    else:
        softmax = lambda x: (lib.nn if library == "jax" else lib.nn.functional).softmax(x, 0)

    def moved(x, logw, t, noise, y):
        x = x / 2 + 25 * x / (1 + x * x) + 8 * xp.cos(1.2 * t) + noise
        logw = logw - 0.5 * (y - x * x / 20) ** 2
        w = softmax(logw)
        return x, logw, w, (w * x).sum()

    def chosen(x, w, start):
        levels = (xp.arange(count) + start) / count
        at = xp.searchsorted(xp.cumsum(w, 0), levels)
        return x[xp.clip(at, 0, count - 1)]

    def run(x, noise, starts, seen, times):
        logw = xp.zeros_like(x)
        if library == "jax":

            def one(state, now):
                (x, logw), (noise, start, y, t) = state, now
                x, logw, w, mean = moved(x, logw, t, noise, y)
                few = 1 / (w * w).sum() < count / 2
                x, logw = lib.lax.cond(few, lambda: (chosen(x, w, start), xp.zeros_like(logw)), lambda: (x, logw))
                return (x, logw), mean

            (x, logw), means = lib.lax.scan(one, (x, logw), (noise, starts, seen, times))
            return means, x, logw
        means = []
        for t in range(steps):
            x, logw, w, mean = moved(x, logw, times[t], noise[t], seen[t])
            means.append(mean)
            if 1 / (w * w).sum() < count / 2:
                x, logw = chosen(x, w, starts[t]), xp.zeros_like(logw)
        return xp.stack(means), x, logw

    return runner.call(run, start, noise, starts, seen, times)


# ---- 38 a network that solves Burgers' equation: derivatives by its inputs inside the loss, a step of Adam
@program
def physics(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(138), runner.lib
    sizes, nu, rate = (2, 24, 24, 24, 1), 0.01 / np.pi, 1e-3
    inside = np.stack([rng.uniform(-1, 1, 256), rng.uniform(0, 1, 256)], 1).astype(np.float32)
    edge = np.stack([rng.uniform(-1, 1, 64), rng.uniform(0, 1, 64) * (rng.random(64) < 0.5)], 1).astype(np.float32)
    edge[edge[:, 1] > 0, 0] = np.sign(edge[edge[:, 1] > 0, 0])
    goal = -np.sin(np.pi * edge[:, :1]) * (edge[:, 1:] == 0)
    goal = goal.astype(np.float32)
    arrays = []
    for a, b in zip(sizes, sizes[1:]):
        arrays += [f32(rng, a, b, scale=(2 / (a + b)) ** 0.5), f32(rng, b, scale=0.1)]
    if library == "jax":
        jax, jnp = lib, lib.numpy

        def net(params, x):
            for w, b in zip(params[:-2:2], params[1:-2:2]):
                x = jnp.tanh(x @ w + b)
            return x @ params[-2] + params[-1]

        def loss(params, inside, edge, goal):
            u = lambda x, t: net(params, jnp.stack([x, t]))[0]
            dx = jax.grad(u, 0)

            def residual(x, t):
                return jax.grad(u, 1)(x, t) + u(x, t) * dx(x, t) - nu * jax.grad(dx, 0)(x, t)

            r = jax.vmap(residual)(inside[:, 0], inside[:, 1])
            return (r**2).mean() + ((net(params, edge) - goal) ** 2).mean()

        def step(params, m, v, inside, edge, goal):
            value, grads = jax.value_and_grad(loss)(params, inside, edge, goal)
            m = [0.9 * a + 0.1 * g for a, g in zip(m, grads)]
            v = [0.999 * a + 0.001 * g * g for a, g in zip(v, grads)]
            new = [p - rate * (a / (1 - 0.9)) / (jnp.sqrt(b / (1 - 0.999)) + 1e-8) for p, a, b in zip(params, m, v)]
            return value, new, m, v

        def run(*given):
            params, zeros = list(given[:8]), [jnp.zeros_like(p) for p in given[:8]]
            return step(params, zeros, zeros, *given[8:])

        call, read = runner.call(run, *arrays, inside, edge, goal)
        return call, lambda made: read(made)[:9]
    nn = lib.nn
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    net = nn.Sequential(*layers[:-1])
    if library == "vt":
        for p, a in zip(net.parameters(), arrays):
            p.set_value(a)
        optimizer = lib.optimizer.Adam(learning_rate=rate, parameters=net.parameters())
    else:
        with lib.no_grad():
            for p, a in zip(net.parameters(), arrays):
                p.copy_(lib.from_numpy(a.T if a.ndim == 2 else a))
        optimizer = lib.optim.Adam(net.parameters(), lr=rate)
    grad = lib.grad if library == "vt" else lib.autograd.grad

    def residual(inside):
        if library == "torch.compile":  # it has no second derivatives of autograd.grad
            at = lambda x, t: net(lib.stack([x, t]))[0]
            dx = lib.func.grad(at, 0)
            one = lambda x, t: lib.func.grad(at, 1)(x, t) + at(x, t) * dx(x, t) - nu * lib.func.grad(dx, 0)(x, t)
            return lib.vmap(one)(inside[:, 0], inside[:, 1])
        inside = inside.detach()
        if library == "vt":
            inside.stop_gradient = False
        else:
            inside.requires_grad_()
        u = net(inside)
        (first,) = grad(u.sum(), inside, create_graph=True)
        ux, ut = first[:, 0:1], first[:, 1:2]
        (second,) = grad(ux.sum(), inside, create_graph=True)
        return ut + u * ux - nu * second[:, 0:1]

    def loss_of(inside, edge, goal):
        return (residual(inside) ** 2).mean() + ((net(edge) - goal) ** 2).mean()

    if library == "torch.compile":  # the loss; the rest of the step as it is, else compiling takes five minutes
        loss_of = lib.compile(loss_of)

    def step(inside, edge, goal):
        loss = loss_of(inside, edge, goal)
        loss.backward()
        optimizer.step()
        if library == "vt":
            optimizer.clear_grad()
        else:
            optimizer.zero_grad()
        return loss

    call, read = (
        Torch.call(runner, step, inside, edge, goal) if library in TORCH else runner.call(step, inside, edge, goal)
    )
    return call, lambda made: read(made) + [p.detach().numpy() for p in net.parameters()]


# ---- 39 curves through points: natural cubic splines, their values and slopes, float64
@program
def splines(library, runner):
    rng, lib = RNG(139), runner.lib
    knots, curves, points = 200, 8, 4000
    x, y = np.sort(rng.random(knots)) + np.arange(knots) * 0.01, rng.standard_normal((knots, curves))
    at = rng.uniform(x[0], x[-1], points)
    if library == "np":
        from scipy.interpolate import CubicSpline

        def curved(x, y, at):
            curve = CubicSpline(x, y, bc_type="natural")
            return curve(at), curve(at, 1)

        return runner.call(curved, x, y, at)
    xp = lib.numpy if library == "jax" else lib

    def bent(d, off, r):
        """Second derivatives: a tridiagonal system."""
        if library == "jax":
            zero = xp.zeros(1)
            return lib.lax.linalg.tridiagonal_solve(xp.concatenate([zero, off]), d, xp.concatenate([off, zero]), r)
        if library in TORCH:
            return lib.linalg.solve(lib.diag(d) + lib.diag(off, 1) + lib.diag(off, -1), r)
        ds, rs = [d[0]], [r[0]]
        for i in range(1, knots - 2):
            w = off[i - 1] / ds[-1]
            ds.append(d[i] - w * off[i - 1])
            rs.append(r[i] - w * rs[-1])
        made = [rs[-1] / ds[-1]]
        for i in range(knots - 4, -1, -1):
            made.append((rs[i] - off[i] * made[-1]) / ds[i])
        return lib.stack(made[::-1])

    def run(x, y, at):
        h = x[1:] - x[:-1]
        slope = (y[1:] - y[:-1]) / h[:, None]
        m = bent(2 * (h[:-1] + h[1:]), h[1:-1], 6 * (slope[1:] - slope[:-1]))
        edge = xp.zeros_like(y[:1])
        m = (lib.cat if library in TORCH else xp.concatenate)([edge, m, edge])
        i = xp.clip(xp.searchsorted(x, at) - 1, 0, knots - 2)
        t, k = (at - x[i])[:, None], h[i][:, None]
        b = slope[i] - k * (2 * m[i] + m[i + 1]) / 6
        c, d = m[i] / 2, (m[i + 1] - m[i]) / (6 * k)
        return y[i] + t * (b + t * (c + t * d)), b + t * (2 * c + t * 3 * d)

    return runner.call(run, x, y, at)


# ---- 40 the five likeliest sentences of a gated recurrent decoder, until all have ended
@program
def sentences(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(140), runner.lib
    beams, most, words, width, end = 5, 24, 300, 64, 0
    table = f32(rng, words, width)
    w, u, b = f32(rng, width, 3 * width, scale=0.15), f32(rng, width, 3 * width, scale=0.15), f32(rng, 3 * width)
    out, bias = f32(rng, width, words, scale=0.5), f32(rng, words)
    bias[end] += 4
    h = np.repeat(f32(rng, 1, width), beams, 0)
    xp = lib.numpy if library == "jax" else lib
    inner = lib.nn if library == "jax" else lib.nn.functional
    sigmoid = lib.sigmoid if library in TORCH else inner.sigmoid
    best = lib.lax.top_k if library == "jax" else lib.topk

    def cell(word, h, table, w, u, b):
        a, c = table[word] @ w + b, h @ u
        r = sigmoid(a[:, :width] + c[:, :width])
        z = sigmoid(a[:, width : 2 * width] + c[:, width : 2 * width])
        n = xp.tanh(a[:, 2 * width :] + r * c[:, 2 * width :])
        return n + z * (h - n)

    def grown(word, h, scores, ended, stay, weights):
        """One more word: scores, the beam that each comes from, words, states."""
        *inside, out, bias = weights
        h = cell(word, h, *inside)
        logp = inner.log_softmax(h @ out + bias, -1)
        logp = xp.where(ended[:, None], stay, logp)
        scores, at = best((scores[:, None] + logp).reshape((-1,)), beams)
        parent, word = at // words, at % words
        return scores, parent, word, h[parent]

    def run(h, *weights):
        word = xp.arange(words)
        stay = xp.where(word == end, 0.0, -1e9)
        scores = xp.where(xp.arange(beams) == 0, 0.0, -1e9)
        if library == "jax":
            stay, scores = stay.astype(xp.float32), scores.astype(xp.float32)

            def one(state):
                t, word, h, scores, ended, text = state
                scores, parent, word, h = grown(word, h, scores, ended, stay, weights)
                return t + 1, word, h, scores, word == end, text[parent].at[:, t].set(word)

            first = xp.full(beams, 1, xp.int32)
            text = xp.full((beams, most), end, xp.int32)
            state = lib.lax.while_loop(
                lambda s: (s[0] < most) & ~s[4].all(), one, (0, first, h, scores, first == end, text)
            )
            return state[5], state[3]
        word = lib.full((beams,), 1, dtype=lib.int64)
        text = lib.full((beams, most), end, dtype=lib.int64)
        ended = word == end
        for t in range(most):
            scores, parent, word, h = grown(word, h, scores, ended, stay, weights)
            text = text[parent]
            text[:, t] = word
            ended = word == end
            if ended.all():
                break
        return text, scores

    return runner.call(run, h, table, w, u, b, out, bias)


# ---- 41 attention in shifted windows of pictures, with biases of relative places, gradients
@program
def windows(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(141), runner.lib
    batch, side, size, shift, heads, width = 4, 28, 7, 3, 3, 96
    depth, area, per = width // heads, size * size, side // size
    x, goal = f32(rng, batch, side, side, width), f32(rng, batch, side, side, width)
    weights = [
        f32(rng, width, 3 * width, scale=0.1),
        f32(rng, 3 * width, scale=0.1),
        f32(rng, width, width, scale=0.1),
        f32(rng, width, scale=0.1),
        f32(rng, (2 * size - 1) ** 2, heads),
    ]
    rows, columns = np.divmod(np.arange(area), size)
    places = (rows[:, None] - rows + size - 1) * (2 * size - 1) + columns[:, None] - columns + size - 1
    part = np.digitize(np.arange(side), [side - size, side - shift])
    region = (part[:, None] * 3 + part).reshape(per, size, per, size).transpose(0, 2, 1, 3).reshape(-1, area)
    mask = np.where(region[:, :, None] != region[:, None], np.float32(-100), np.float32(0))
    xp = lib.numpy if library == "jax" else lib
    if library in TORCH:
        roll = lambda a, k: lib.roll(a, (k, k), (1, 2))
        turn = lambda a, *axes: a.permute(*axes)
    elif library == "jax":
        roll = lambda a, k: xp.roll(a, (k, k), (1, 2))
        turn = lambda a, *axes: a.transpose(axes)
    else:
        roll = lambda a, k: lib.roll(a, (k, k), (1, 2))
        turn = lambda a, *axes: a.transpose(axes)

    def loss(weights, x, goal, places, mask):
        w, b, v, c, table = weights
        t = roll(x, -shift).reshape((batch, per, size, per, size, width))
        t = turn(t, 0, 1, 3, 2, 4, 5).reshape((-1, area, width))
        t = turn((t @ w + b).reshape((-1, area, 3, heads, depth)), 2, 0, 3, 1, 4)
        q, k, value = t[0] * depth**-0.5, t[1], t[2]
        bias = turn(table[places.reshape((-1,))].reshape((area, area, heads)), 2, 0, 1)
        scores = q @ turn(k, 0, 1, 3, 2) + bias
        scores = scores.reshape((batch, per * per, heads, area, area)) + mask[:, None]
        if library == "jax":
            share = lib.nn.softmax(scores, -1)
        else:
            share = lib.nn.functional.softmax(scores, -1)
        made = share.reshape((-1, heads, area, area)) @ value
        made = turn(made, 0, 2, 1, 3).reshape((-1, area, width)) @ v + c
        made = turn(made.reshape((batch, per, per, size, size, width)), 0, 1, 3, 2, 4, 5)
        made = roll(made.reshape((batch, side, side, width)), shift)
        return ((x + made - goal) ** 2).mean()

    return runner.call(over(5, gradients(library, lib, loss)), *weights, x, goal, places, mask)


# ---- 42 how likely a Gaussian process is: a length per feature, gradients, float64
@program
def likelihood(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(142), runner.lib
    count, features = 400, 6
    x = rng.standard_normal((count, features))
    y = np.sin(x[:, 0]) + 0.3 * x[:, 1] ** 2 + 0.1 * rng.standard_normal(count)
    weights = [rng.standard_normal(features) * 0.2 + 0.5, np.array(0.1), np.array(-1.5)]
    xp = lib.numpy if library == "jax" else lib
    if library == "jax":
        solve = lambda low, y: lib.scipy.linalg.cho_solve((low, True), y)
        eye = xp.eye(count)
    else:
        solve = lambda low, y: lib.cholesky_solve(y[:, None], low)[:, 0]
        eye = lib.eye(count, dtype=lib.float64)

    def loss(weights, x, y):
        lengths, height, noise = weights
        s = x / xp.exp(lengths)
        squares = (s * s).sum(-1)
        far = squares[:, None] + squares - 2 * s @ s.T
        k = xp.exp(2 * height - 0.5 * far) + xp.exp(2 * noise) * eye
        low = xp.linalg.cholesky(k)
        return 0.5 * (y * solve(low, y)).sum() + xp.log(xp.diagonal(low)).sum() + 0.5 * count * np.log(2 * np.pi)

    return runner.call(over(3, gradients(library, lib, loss)), *weights, x, y)


# ---- 43 a shock tube: Euler's equations, reconstructions of fifth order, steps as long as waves allow, float64
@program
def shocks(library, runner):
    rng, lib = RNG(143), runner.lib
    cells, end = 400, 0.2
    dx = 1 / cells
    place = (np.arange(cells) + 0.5) * dx
    density, pressure = np.where(place < 0.5, 1.0, 0.125), np.where(place < 0.5, 1.0, 0.1)
    density = density + 0.01 * rng.random(cells)
    u = np.stack([density, np.zeros(cells), pressure / 0.4])
    xp = lib.numpy if library == "jax" else lib

    def padded(a):
        if library in ("jax", "np"):
            return xp.pad(a, ((0, 0), (3, 3)), mode="edge")
        if library == "vt":
            return lib.nn.functional.pad(a.unsqueeze(0), (3, 3), mode="replicate", data_format="NCL")[0]
        return lib.nn.functional.pad(a, (3, 3), mode="replicate")

    def between(a, b, c, d, e):
        """The value at the edge between c and d."""
        s0 = 13 / 12 * (a - 2 * b + c) ** 2 + (a - 4 * b + 3 * c) ** 2 / 4
        s1 = 13 / 12 * (b - 2 * c + d) ** 2 + (b - d) ** 2 / 4
        s2 = 13 / 12 * (c - 2 * d + e) ** 2 + (3 * c - 4 * d + e) ** 2 / 4
        w0, w1, w2 = 0.1 / (1e-6 + s0) ** 2, 0.6 / (1e-6 + s1) ** 2, 0.3 / (1e-6 + s2) ** 2
        q0, q1, q2 = (2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * d) / 6, (2 * c + 5 * d - e) / 6
        return (w0 * q0 + w1 * q1 + w2 * q2) / (w0 + w1 + w2)

    def primitive(u):
        density, momentum, energy = u
        speed = momentum / density
        pressure = 0.4 * (energy - 0.5 * momentum * speed)
        return speed, pressure, xp.sqrt(1.4 * pressure / density)

    def change(u):
        speed, pressure, sound = primitive(u)
        flux = xp.stack([u[1], u[1] * speed + pressure, (u[2] + pressure) * speed])
        fastest = (xp.abs(speed) + sound).max()
        right, left = padded(0.5 * (flux + fastest * u)), padded(0.5 * (flux - fastest * u))
        at = lambda f, k: f[:, k : k + cells + 1]
        faces = between(at(right, 0), at(right, 1), at(right, 2), at(right, 3), at(right, 4))
        faces = faces + between(at(left, 5), at(left, 4), at(left, 3), at(left, 2), at(left, 1))
        return (faces[:, :-1] - faces[:, 1:]) / dx

    def longest(u):
        speed, _, sound = primitive(u)
        return 0.5 * dx / (xp.abs(speed) + sound).max()

    def step(u, dt):
        one = u + dt * change(u)
        two = 0.75 * u + 0.25 * (one + dt * change(one))
        return u / 3 + 2 / 3 * (two + dt * change(two))

    def run(u):
        if library == "jax":

            def next_one(state):
                u, t = state
                dt = xp.minimum(longest(u), end - t)
                return step(u, dt), t + dt

            return lib.lax.while_loop(lambda s: s[1] < end - 1e-12, next_one, (u, 0.0))[0]
        t = 0.0
        while t < end - 1e-12:
            dt = lib.clamp(far(u), max=end - t) if library == "torch.compile" else min(float(far(u)), end - t)
            u = once(u, dt)
            t += dt
        return u

    if library != "torch.compile":
        once, far = step, longest
        return runner.call(run, u)
    once, far = lib.compile(step), lib.compile(longest)  # one step; the loop stays Python's
    return Torch.call(runner, run, u)


# ---- 44 what a forest of boosted trees says of rows of a table
@program
def boosted(library, runner):
    rng, lib = RNG(144), runner.lib
    trees, depth, rows, columns = 200, 6, 4000, 30
    x = f32(rng, rows, columns)
    feature = rng.integers(0, columns, (trees, 2**depth - 1))
    threshold = f32(rng, trees, 2**depth - 1, scale=0.7)
    leaf = f32(rng, trees, 2**depth, scale=0.1)
    xp = lib.numpy if library == "jax" else lib
    if library in TORCH:
        along = lambda a, i, axis: lib.gather(a, axis, i)
        sigmoid = lib.sigmoid
    else:
        along = lambda a, i, axis: xp.take_along_axis(a, i, axis)
        sigmoid = lib.nn.sigmoid if library == "jax" else lambda x: 1 / (1 + xp.exp(-x))
    if library == "vt":
        sigmoid = lib.nn.functional.sigmoid

    def run(x, feature, threshold, leaf):
        x = x.T
        if library in TORCH:
            node = lib.zeros((trees, rows), dtype=lib.int64)
        else:
            node = xp.zeros((trees, rows), "int64")
        for _ in range(depth):
            value = along(x, along(feature, node, 1), 0)
            node = 2 * node + xp.where(value > along(threshold, node, 1), 2, 1)
        return sigmoid(along(leaf, node - (2**depth - 1), 1).sum(0))

    return runner.call(run, x, feature, threshold, leaf)
