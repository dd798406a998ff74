"""The operations of ops_cases.py in each library, for ops.py."""

import functools
import linecache
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
from ops_cases import CASES
from sweep_worker import THREADS, serve


def _function(text, count, names):
    """The function of an expression, whose source can be read."""
    file = f"<{text}>"
    source = f"def function({', '.join('xyz'[:count])}):\n    return {text}\n"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), names)
    return names["function"]


def _vitrify(case, arrays, backward):
    import vitrify as vt

    vt.set_num_threads(THREADS)
    function = _function(case.text("vt"), len(arrays), {"vt": vt, "L": vt})
    tensors = [vt.to_tensor(a) for a in arrays]
    if not backward:
        compiled = vt.to_static(function)
        return (lambda: compiled(*tensors)), lambda made: made.numpy()

    def gradients(g, *inputs):
        wanted = [t for t in inputs if t.dtype.is_floating]
        for t in wanted:
            t.stop_gradient = False
        return vt.grad(function(*inputs), wanted, g)

    seed = vt.to_tensor(_seed(function(*tensors).numpy()))
    compiled = vt.to_static(gradients)
    return (lambda: compiled(seed, *tensors)), lambda made: made[0].numpy()


def _numpy(case, arrays, backward):
    if backward:
        return None
    function = _function(case.text("np"), len(arrays), {"np": np, "L": np})
    return (lambda: function(*arrays)), np.asarray


def _torch(case, arrays, backward):
    import torch

    torch.set_num_threads(THREADS)
    function = _function(case.text("torch"), len(arrays), {"torch": torch, "L": torch})
    tensors = [torch.from_numpy(a) for a in arrays]
    if not backward:

        def forward():
            with torch.no_grad():
                return function(*tensors)

        return forward, lambda made: made.numpy()
    wanted = [t.requires_grad_() for t in tensors if t.is_floating_point()]
    seed = torch.from_numpy(_seed(function(*tensors).detach().numpy()))
    return (lambda: torch.autograd.grad(function(*tensors), wanted, seed)), lambda made: made[0].numpy()


def _jax(case, arrays, backward):
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import jax.scipy.special

    names = {"jax": jax, "jnp": jnp, "L": jnp}
    function = _function(case.text("jax"), len(arrays), names)
    tensors = [jnp.asarray(a) for a in arrays]
    compiled = jax.jit(function)
    if not backward:
        return (lambda: compiled(*tensors).block_until_ready()), np.asarray
    floats = [k for k, t in enumerate(tensors) if jnp.issubdtype(t.dtype, jnp.floating)]

    def gradients(seed, *inputs):
        def of(*wanted):
            given = list(inputs)
            for k, value in zip(floats, wanted, strict=True):
                given[k] = value
            return function(*given)

        return jax.vjp(of, *[inputs[k] for k in floats])[1](seed)

    seed, step = jnp.asarray(_seed(compiled(*tensors))), jax.jit(gradients)
    return (lambda: jax.block_until_ready(step(seed, *tensors))), lambda made: np.asarray(made[0])


_LIBRARIES = {"vt": _vitrify, "np": _numpy, "torch": _torch, "jax": _jax}


def _seed(like):
    """What a gradient starts from: not all equal, or gradients of normalised results are 0 and only rounding is compared."""
    like = np.asarray(like)
    return (1.5 + np.cos(np.arange(like.size))).reshape(like.shape).astype(like.dtype)


def _digest(made):
    values = np.asarray(made, np.float64)
    return float(np.abs(np.nan_to_num(values)).sum())


@functools.lru_cache(1)
def _arrays(case, size, dtype):
    """The inputs, made once for all libraries of a process: none writes to them."""
    return CASES[case].arrays(size, dtype)


def _prepare(ask):
    """A call and the digest of its result; None where a library has no such operation."""
    case = CASES[ask["case"]]
    if case.text(ask["library"]) is None:
        return None
    made = _LIBRARIES[ask["library"]](case, _arrays(case.name, ask["size"], ask["dtype"]), ask["backward"])
    return made and (made[0], lambda result: _digest(made[1](result)))


if __name__ == "__main__":
    serve(_prepare)
