"""Networks written with functions: gradients, and what trained ones compute."""

import numpy as np

from .nineteenth_frame import RNG, Names, f32, program, stepped, stepped_grad


# ---- eight experts, the best two for each of 256 words: torch and vitrify visit each expert's words, jax all by all
@program
def best_two(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1911), runner.lib
    n = Names(library, lib)
    xp = n.xp
    words, dim, hidden, count = 256, 64, 128, 8
    x, wanted = f32(rng, words, dim), f32(rng, words, dim)
    weights = [
        f32(rng, dim, count, scale=0.3),
        f32(rng, count, dim, hidden, scale=dim**-0.5),
        f32(rng, count, hidden, dim, scale=hidden**-0.5),
    ]

    def loss(gate, up, down, x, wanted):
        weight, chosen = lib.topk(n.softmax(x @ gate, 1), 2, 1)
        weight = weight / n.sum(weight, 1, True)
        made = xp.zeros_like(x)
        for e in range(count):
            word, slot = xp.nonzero(chosen == e, as_tuple=True)
            read = n.gelu(x[word] @ up[e]) @ down[e]
            made = n.add_at(made, word, read * weight[word, slot][:, None])
        return ((made - wanted) ** 2).mean()

    def dense(gate, up, down, x, wanted):
        weight, chosen = lib.lax.top_k(n.softmax(x @ gate, 1), 2)
        weight = weight / weight.sum(1, keepdims=True)
        share = xp.zeros((words, count), x.dtype).at[xp.arange(words)[:, None], chosen].set(weight)
        read = n.gelu(xp.einsum("td,edh->teh", x, up))
        made = xp.einsum("teh,ehd,te->td", read, down, share)
        return ((made - wanted) ** 2).mean()

    return runner.grad(dense if library == "jax" else loss, 3, *weights, x, wanted)


# ---- a spiral learnt as a differential equation: Runge-Kutta through a small network, 24 steps, loss and gradients
@program
def spiral(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1912), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, hidden, steps, dt = 32, 48, 24, 0.05
    start, wanted = f32(rng, batch, 2), f32(rng, steps, batch, 2, scale=0.7)
    weights = [f32(rng, 2, hidden, scale=0.5), f32(rng, hidden, scale=0.1)]
    weights += [f32(rng, hidden, 2, scale=0.2), f32(rng, 2, scale=0.1)]

    def step(y, a, b, c, d):
        def slope(y):
            return xp.tanh((y * y * y) @ a + b) @ c + d

        one = slope(y)
        two = slope(y + dt / 2 * one)
        three = slope(y + dt / 2 * two)
        four = slope(y + dt * three)
        return y + dt / 6 * (one + 2 * two + 2 * three + four)

    def loss(step, a, b, c, d, start, wanted):
        if library == "jax":

            def one(y, _):
                y = step(y, a, b, c, d)
                return y, y

            found = lib.lax.scan(one, start, None, length=steps)[1]
        else:
            y, found = start, []
            for _ in range(steps):
                y = step(y, a, b, c, d)
                found.append(y)
            found = xp.stack(found)
        return xp.abs(found - wanted).mean()

    return stepped_grad(library, runner, loss, step, 4, *weights, start, wanted)


# ---- a net of 500 papers: two layers of attention over 2,500 citations, softmax over each paper's edges; gradients
@program
def citations(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1913), runner.lib
    n = Names(library, lib)
    xp = n.xp
    nodes, edges, features, heads, size, classes = 500, 2500, 48, 4, 16, 7
    source = np.concatenate([rng.integers(0, nodes, edges), np.arange(nodes)])
    target = np.concatenate([rng.integers(0, nodes, edges), np.arange(nodes)])
    order = np.argsort(target, kind="stable")
    source, target = source[order], target[order]
    x, label = f32(rng, nodes, features), rng.integers(0, classes, nodes)
    wide = heads * size
    weights = [f32(rng, features, wide, scale=features**-0.5), f32(rng, heads, size), f32(rng, heads, size)]
    weights += [f32(rng, wide, classes, scale=wide**-0.5), f32(rng, 1, classes), f32(rng, 1, classes)]

    def peaks(e, target):
        """The largest score of each paper's edges."""
        if library == "jax":
            return lib.lax.stop_gradient(lib.ops.segment_max(e, target, nodes, indices_are_sorted=True))
        if library == "vt":
            return lib.geometric.segment_max(e.detach(), target)
        low = e.new_full((nodes, e.shape[1]), -1e9)
        return low.scatter_reduce(0, target[:, None].expand(-1, e.shape[1]), e.detach(), "amax")

    def total(values, target):
        if library == "jax":
            return lib.ops.segment_sum(values, target, nodes, indices_are_sorted=True)
        if library == "vt":
            return lib.geometric.segment_sum(values, target)
        return values.new_zeros((nodes, *values.shape[1:])).index_add(0, target, values)

    def attend(x, w, a, b, source, target):
        h = (x @ w).reshape((nodes, a.shape[0], a.shape[1]))
        e = n.F.leaky_relu((h * a).sum(2)[source] + (h * b).sum(2)[target], 0.2)
        e = xp.exp(e - peaks(e, target)[target])
        share = e / total(e, target)[target]
        return total(h[source] * share[:, :, None], target).reshape((nodes, -1))

    def loss(w, a, b, v, c, d, x, source, target, label):
        h = n.F.elu(attend(x, w, a, b, source, target))
        score = attend(h, v, c, d, source, target)
        if library == "jax":
            return -n.logsoftmax(score)[xp.arange(nodes), label].mean()
        return n.F.cross_entropy(score, label)

    return runner.grad(loss, 6, *weights, x, source, target, label)


# ---- WaveNet: 1,024 moments of two sounds, eight gated layers of growing reach, the loss of the next of 64 levels
@program
def sound(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1914), runner.lib
    n = Names(library, lib)
    xp = n.xp
    batch, length, width, skip, levels, depth = 2, 1024, 32, 48, 64, 8
    heard = rng.integers(0, levels, (batch, length + 1))
    table = f32(rng, levels, width, scale=0.5)
    weights = []
    for _ in range(depth):
        weights += [f32(rng, 2 * width, width, 2, scale=(2 * width) ** -0.5), f32(rng, 2 * width, scale=0.1)]
        weights += [f32(rng, width, width, 1, scale=width**-0.5), f32(rng, skip, width, 1, scale=width**-0.5)]
    weights += [f32(rng, skip, skip, 1, scale=skip**-0.5), f32(rng, levels, skip, 1, scale=skip**-0.5)]

    def causal(x, w, b, reach):
        if library == "jax":
            made = lib.lax.conv_general_dilated(x, w, (1,), [(reach, 0)], rhs_dilation=(reach,))
            return made + b[:, None]
        x = n.F.pad(x, [reach, 0], data_format="NCL") if library == "vt" else n.F.pad(x, (reach, 0))
        return n.F.conv1d(x, w, b, dilation=reach)

    def run(table, heard, *weights):
        x = n.swap(table[heard[:, :-1]], 0, 2, 1)
        read = 0.0
        for k in range(depth):
            filters, bias, keep, out = weights[4 * k : 4 * k + 4]
            both = causal(x, filters, bias, 2**k)
            h = xp.tanh(both[:, :width]) * n.sigmoid(both[:, width:])
            x = x + n.conv1d(h, keep)
            read = read + n.conv1d(h, out)
        score = n.conv1d(n.relu(n.conv1d(n.relu(read), weights[-2])), weights[-1])
        chance = n.logsoftmax(score, 1)
        return -n.pick(chance, heard[:, 1:][:, None, :], 1).mean(), score[:, :, -1]

    return runner.call(run, table, heard, *weights)


# ---- Perceiver: 32 latent rows read 400 inputs, then themselves three times, four heads, batch of four
@program
def latents(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1915), runner.lib
    n = Names(library, lib)
    batch, inputs, channels, rows, dim, heads, depth = 4, 400, 40, 32, 96, 4, 3
    x, latent = f32(rng, batch, inputs, channels), f32(rng, rows, dim)

    def linear(i, o):
        return [f32(rng, i, o, scale=i**-0.5), f32(rng, o, scale=0.1)]

    def scales(size):
        return [1 + f32(rng, size, scale=0.1), f32(rng, size, scale=0.1)]

    weights = [*scales(channels), *scales(dim), *linear(dim, dim), *linear(channels, 2 * dim), *linear(dim, dim)]
    weights += [*scales(dim), *linear(dim, 2 * dim), *linear(2 * dim, dim)]
    for _ in range(depth):
        weights += [*scales(dim), *linear(dim, 3 * dim), *linear(dim, dim)]
        weights += [*scales(dim), *linear(dim, 2 * dim), *linear(2 * dim, dim)]

    def norm(x, scale, shift):
        if library == "jax":
            return n.norm(x) * scale + shift
        return n.F.layer_norm(x, x.shape[-1:], scale, shift)

    def look(q, k, v):
        q, k, v = [t.reshape((batch, -1, heads, dim // heads)) for t in (q, k, v)]
        if library == "jax":
            made = lib.nn.dot_product_attention(q, k, v)
        elif library == "vt":
            made = n.F.scaled_dot_product_attention(q, k, v)
        else:
            q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
            made = n.F.scaled_dot_product_attention(q, k, v).transpose(1, 2)
        return made.reshape((batch, -1, dim))

    def run(x, latent, *weights):
        given = iter(weights)

        def some(count):
            return [next(given) for _ in range(count)]

        x = norm(x, *some(2))
        s, t, a, b, c, d, o, p = some(8)
        h = n.xp.broadcast_to(latent, (batch, rows, dim))
        h = h + look(norm(h, s, t) @ a + b, *halves(x @ c + d)) @ o + p
        for k in range(depth + 1):
            if k:
                s, t, a, b, o, p = some(6)
                both = norm(h, s, t) @ a + b
                h = h + look(both[..., :dim], *halves(both[..., dim:])) @ o + p
            s, t, a, b, c, d = some(6)
            h = h + n.gelu(norm(h, s, t) @ a + b) @ c + d
        return h, h.mean(1)

    def halves(both):
        return both[..., :dim], both[..., dim : 2 * dim]

    return runner.call(run, x, latent, *weights)


# ---- a network that writes networks: 16 tasks' codes become the weights of 16 small ones, 64 points each; gradients
@program
def writer_of_nets(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1916), runner.lib
    n = Names(library, lib)
    xp = n.xp
    tasks, code, hidden, inside, points = 16, 8, 64, 24, 64
    size = 2 * inside + inside + inside * inside + inside + inside + 1
    x, y = f32(rng, tasks, points, 2), f32(rng, tasks, points)
    weights = [f32(rng, tasks, code), f32(rng, code, hidden, scale=code**-0.5), f32(rng, hidden, scale=0.1)]
    weights += [f32(rng, hidden, size, scale=0.3 * hidden**-0.5), f32(rng, size, scale=0.1)]

    def small(made, x):
        """The written network at the points of its task (or of all tasks, with a leading axis)."""
        lead, at = made.shape[:-1], 0
        parts = []
        for shape in ((2, inside), (1, inside), (inside, inside), (1, inside), (inside, 1), (1, 1)):
            parts.append(made[..., at : at + shape[0] * shape[1]].reshape((*lead, *shape)))
            at += shape[0] * shape[1]
        a, b, c, d, e, f = parts
        return (xp.tanh(xp.tanh(x @ a + b) @ c + d) @ e + f)[..., 0]

    def loss(codes, a, b, c, d, x, y):
        made = n.relu(codes @ a + b) @ c + d
        found = lib.vmap(small)(made, x) if library == "jax" else small(made, x)
        return ((found - y) ** 2).mean()

    return runner.grad(loss, 5, *weights, x, y)


# ---- 200 points from noise in 20 steps without chance, guided by their class: two readings per step
@program
def from_noise(library, runner):
    rng, lib = RNG(1917), runner.lib
    n = Names(library, lib)
    xp = n.xp
    points, hidden, classes, steps, guide = 200, 96, 5, 20, 1.5
    x, label = f32(rng, points, 2), rng.integers(0, classes, points)
    none = np.full(points, classes)
    kept = np.cos(np.linspace(0.05, 1.5, steps + 1))[::-1].astype(np.float32) ** 2
    kept = kept.copy()
    weights = [f32(rng, 2, hidden, scale=0.7), f32(rng, steps, hidden, scale=0.3), f32(rng, classes + 1, hidden)]
    weights += [f32(rng, hidden, hidden, scale=hidden**-0.5) for _ in range(2)]
    weights += [f32(rng, hidden, 2, scale=hidden**-0.5)]

    def silu(x):
        return x * n.sigmoid(x) if library == "np" else n.silu(x)

    def step(x, both, time, now, then, enter, table, a, b, out):
        h = silu(n.cat([x, x], 0) @ enter + time + table[both])
        h = h + silu(h @ a)
        h = h + silu(h @ b)
        noise = h @ out
        noise = (1 + guide) * noise[:points] - guide * noise[points:]
        start = xp.clip((x - xp.sqrt(1 - now) * noise) / xp.sqrt(now), -4, 4)
        return xp.sqrt(then) * start + xp.sqrt(1 - then) * noise

    def run(step, x, label, none, kept, enter, times, table, a, b, out):
        both = n.cat([label, none], 0)
        if library == "jax":

            def one(x, s):
                return step(x, both, *s, enter, table, a, b, out), None

            return lib.lax.scan(one, x, (times, kept[:-1], kept[1:]))[0]
        for k in range(steps):
            x = step(x, both, times[k], kept[k], kept[k + 1], enter, table, a, b, out)
        return x

    return stepped(library, runner, run, step, x, label, none, kept, *weights)
