"""Runners and names of the nineteenth set: those of the seventeenth, layers, optimizers, steps compiled one by one."""

from functools import partial

import numpy as np

from .seventeenth_frame import LIBRARIES, RNG, TORCH, Names, TorchG, f32  # noqa: F401

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def plain(library, made):
    """Results as arrays; counts that stayed Python's are among them."""
    if isinstance(made, (tuple, list)):
        return [a for one in made for a in plain(library, one)]
    if library in TORCH and hasattr(made, "detach"):
        return [made.detach().numpy()]
    if library == "vt" and hasattr(made, "numpy"):
        return [made.numpy()]
    return [np.asarray(made)]


def called(library, runner, function, *arrays):
    """`runner.call`, for functions that give numbers beside tensors."""
    run, _ = runner.call(function, *arrays)
    return run, partial(plain, library)


def stepped(library, runner, function, step, *arrays):
    """`runner.stepwise`, for functions that give numbers beside tensors."""
    run, _ = runner.stepwise(function, step, *arrays)
    return run, partial(plain, library)


def stepped_grad(library, runner, loss, step, n, *arrays):
    """Value and gradients of a loss that is a loop of steps: torch.compile gets the step, the others everything."""
    if library == "torch.compile":
        step = runner.lib.compile(step)
        runner = TorchG()
    return runner.grad(lambda *a: loss(step, *a), n, *arrays)


class Layers:
    """What the two libraries with layers call them."""

    def __init__(self, library, lib):
        nn, vt = lib.nn, library == "vt"
        self.Base, self.List = (nn.Layer, nn.LayerList) if vt else (nn.Module, nn.ModuleList)
        self.Conv1, self.Conv2 = (nn.Conv1D, nn.Conv2D) if vt else (nn.Conv1d, nn.Conv2d)
        self.Up1, self.Up2 = (
            (nn.Conv1DTranspose, nn.Conv2DTranspose) if vt else (nn.ConvTranspose1d, nn.ConvTranspose2d)
        )
        self.Linear, self.Embedding = nn.Linear, nn.Embedding
        self.GroupNorm, self.LayerNorm = nn.GroupNorm, nn.LayerNorm


def load(library, lib, net, parts):
    """Put the arrays of `parts` (a dict of lists, in the order of the layers) into the parameters."""
    arrays = [a for part in parts.values() for a in part]
    if library == "vt":
        for p, a in zip(net.parameters(), arrays, strict=True):
            p.set_value(a)
        return net
    turned = {id(m.weight) for m in net.modules() if isinstance(m, lib.nn.Linear)}
    with lib.no_grad():
        for p, a in zip(net.parameters(), arrays, strict=True):
            p.copy_(lib.from_numpy(a.T if id(p) in turned else a))
    return net


def fit(library, runner, net, loss, rate, parts, *arrays):
    """A training step with Adam; the digest has the losses of three steps. jax gets `parts` instead of a net."""
    make = {"vt": fit_vt, "jax": fit_jax}.get(library, partial(fit_torch, library == "torch.compile"))
    run = make(runner, net, loss, rate, parts, arrays)
    return run, lambda made: [plain(library, m)[0] for m in (made, run(), run())]


def fit_vt(runner, net, loss, rate, parts, arrays):
    vt = runner.lib
    load("vt", vt, net, parts)
    optimizer = vt.optimizer.Adam(learning_rate=rate, parameters=net.parameters())

    @vt.to_static
    def step(*batch):
        value = loss(net, *batch)
        value.backward()
        optimizer.step()
        optimizer.clear_grad()
        return value

    batch = [vt.to_tensor(a) for a in arrays]
    runner.compiled, runner.arrays = step, batch
    return lambda: step(*batch)


def fit_torch(compiled, runner, net, loss, rate, parts, arrays):
    torch = runner.lib
    load("torch", torch, net, parts)
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    batch = [torch.from_numpy(a) for a in arrays]
    forward = torch.compile(loss) if compiled else loss

    def step():
        optimizer.zero_grad()
        value = forward(net, *batch)
        value.backward()
        optimizer.step()
        return value

    return step


def fit_jax(runner, net, loss, rate, parts, arrays):
    jax = runner.lib
    jnp, tree = jax.numpy, jax.tree
    params = tree.map(jnp.asarray, parts)
    state = [(params, tree.map(jnp.zeros_like, params), tree.map(jnp.zeros_like, params), jnp.zeros((), jnp.float32))]
    batch = [jnp.asarray(a) for a in arrays]

    @partial(jax.jit, donate_argnums=0)
    def step(state, *batch):
        params, m, v, t = state
        value, grads = jax.value_and_grad(loss)(params, *batch)
        t = t + 1
        m = tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
        one, two = 1 - 0.9**t, 1 - 0.999**t
        params = tree.map(lambda p, m, v: p - rate * (m / one) / (jnp.sqrt(v / two) + 1e-8), params, m, v)
        return (params, m, v, t), value

    def run():
        state[0], value = step(state[0], *batch)
        return jax.block_until_ready(value)

    return run
