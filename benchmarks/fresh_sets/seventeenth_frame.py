"""Runners and names of the seventeenth set."""

import numpy as np

from .first import RNG, Jax, NumPy, Torch, Vitrify  # noqa: F401

TORCH = ("torch", "torch.compile")


def f32(rng, *shape, scale=1.0):
    return (scale * rng.standard_normal(shape)).astype(np.float32)


class VitrifyG(Vitrify):
    def grad(self, loss, n, *arrays):
        vt = self.lib
        tensors = [vt.to_tensor(a, stop_gradient=k >= n) for k, a in enumerate(arrays)]

        def both(*given):
            value = loss(*given)
            return (value, *vt.grad(value, list(given[:n])))

        compiled = vt.to_static(both)
        self.compiled, self.arrays = compiled, tensors
        return lambda: compiled(*tensors), lambda made: [m.numpy() for m in made]

    def stepwise(self, run, step, *arrays):
        return self.call(lambda *a: run(step, *a), *arrays)


class JaxG(Jax):
    def grad(self, loss, n, *arrays):
        both = self.lib.value_and_grad(loss, argnums=tuple(range(n)))
        return self.call(both, *arrays)

    def stepwise(self, run, step, *arrays):
        return self.call(lambda *a: run(step, *a), *arrays)


class TorchG(Torch):
    def grad(self, loss, n, *arrays):
        torch = self.lib
        tensors = [torch.from_numpy(a).requires_grad_(k < n) for k, a in enumerate(arrays)]
        loss = self.compiled_of(loss)

        def both():
            value = loss(*tensors)
            return (value, *torch.autograd.grad(value, tensors[:n]))

        return both, lambda made: [m.detach().numpy() for m in made]

    def compiled_of(self, function):
        return function

    def stepwise(self, run, step, *arrays):
        step = self.compiled_of(step)
        return Torch.call(self, lambda *a: run(step, *a), *arrays)


class TorchCompiledG(TorchG):
    def compiled_of(self, function):
        return self.lib.compile(function)

    def call(self, function, *arrays):
        return Torch.call(self, self.lib.compile(function), *arrays)


class NumPyG(NumPy):
    def stepwise(self, run, step, *arrays):
        return self.call(lambda *a: run(step, *a), *arrays)


LIBRARIES = {"vt": VitrifyG, "np": NumPyG, "torch": TorchG, "jax": JaxG, "torch.compile": TorchCompiledG}
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


class Names:
    """What the libraries spell differently."""

    def __init__(self, library, lib):
        self.kind = kind = "torch" if library in TORCH else library
        self.lib = lib
        self.xp = lib.numpy if library == "jax" else lib
        self.F = lib.nn.functional if kind in ("torch", "vt") else lib.nn if kind == "jax" else None

    def cat(self, parts, axis=0):
        return self.xp.concatenate(parts, axis) if self.kind in ("np", "jax") else self.xp.concat(parts, axis)

    def whole(self, x):
        return x.long() if self.kind == "torch" else x.astype("int64")

    def double(self, x):
        return x.double() if self.kind == "torch" else x.astype("float64")

    def single(self, x):
        return x.float() if self.kind == "torch" else x.astype("float32")

    def softmax(self, x, axis=-1):
        if self.kind == "np":
            e = np.exp(x - x.max(axis, keepdims=True))
            return e / e.sum(axis, keepdims=True)
        return self.F.softmax(x, axis)

    def logsoftmax(self, x, axis=-1):
        return self.F.log_softmax(x, axis)

    def relu(self, x):
        return np.maximum(x, 0) if self.kind == "np" else self.F.relu(x)

    def sigmoid(self, x):
        return (
            1 / (1 + np.exp(-x))
            if self.kind == "np"
            else self.F.sigmoid(x)
            if self.kind == "vt"
            else self.lib.sigmoid(x)
            if self.kind == "torch"
            else self.F.sigmoid(x)
        )

    def softplus(self, x):
        return self.F.softplus(x)

    def silu(self, x):
        return self.F.silu(x)

    def gelu(self, x):
        return self.F.gelu(x, approximate=False) if self.kind == "jax" else self.F.gelu(x)

    def norm(self, x, axis=-1, eps=1e-5):
        """Layer norm without weights, as its users write it over the last axis."""
        if self.kind in ("vt", "torch"):
            return self.F.layer_norm(x, x.shape[-1:])
        m = x.mean(-1, keepdims=True)
        return (x - m) / self.xp.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + eps)

    def conv2d(self, x, w, stride=1, padding=0, groups=1, bias=None):
        if self.kind == "jax":
            y = self.lib.lax.conv_general_dilated(
                x, w, (stride, stride), [(padding, padding)] * 2, feature_group_count=groups
            )
            return y if bias is None else y + bias[:, None, None]
        return self.F.conv2d(x, w, bias, stride=stride, padding=padding, groups=groups)

    def conv1d(self, x, w, stride=1, padding=0, dilation=1, groups=1, bias=None):
        if self.kind == "jax":
            y = self.lib.lax.conv_general_dilated(
                x, w, (stride,), [(padding, padding)], rhs_dilation=(dilation,), feature_group_count=groups
            )
            return y if bias is None else y + bias[:, None]
        return self.F.conv1d(x, w, bias, stride=stride, padding=padding, dilation=dilation, groups=groups)

    def conv2d_up(self, x, w, stride, padding):
        """Transposed; w [in, out, kh, kw]."""
        if self.kind == "jax":
            k = w.shape[2]
            return self.lib.lax.conv_general_dilated(
                x,
                w[:, :, ::-1, ::-1].transpose(1, 0, 2, 3),
                (1, 1),
                [(k - 1 - padding, k - 1 - padding)] * 2,
                lhs_dilation=(stride, stride),
            )
        return (
            self.F.conv2d_transpose(x, w, stride=stride, padding=padding)
            if self.kind == "vt"
            else self.F.conv_transpose2d(x, w, stride=stride, padding=padding)
        )

    def conv1d_up(self, x, w, stride, padding):
        if self.kind == "jax":
            k = w.shape[2]
            return self.lib.lax.conv_general_dilated(
                x, w[:, :, ::-1].transpose(1, 0, 2), (1,), [(k - 1 - padding, k - 1 - padding)], lhs_dilation=(stride,)
            )
        return (
            self.F.conv1d_transpose(x, w, stride=stride, padding=padding)
            if self.kind == "vt"
            else self.F.conv_transpose1d(x, w, stride=stride, padding=padding)
        )

    def group_norm(self, x, groups):
        if self.kind in ("vt", "torch"):
            return self.F.group_norm(x, groups)
        shape = x.shape
        x = x.reshape(shape[0], groups, -1)
        m = x.mean(-1, keepdims=True)
        return ((x - m) / self.xp.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5)).reshape(shape)

    def pick(self, x, at, axis):
        """take_along_axis."""
        return x.gather(axis, at) if self.kind == "torch" else self.xp.take_along_axis(x, at, axis)

    def add_at(self, x, at, values):
        """x[at] += values, with repeated rows."""
        if self.kind == "np":
            x = x.copy()
            np.add.at(x, at, values)
            return x
        if self.kind == "jax":
            return x.at[at].add(values)
        return x.index_add(0, at, values) if self.kind == "torch" else self.lib.index_add(x, at, 0, values)

    def count(self, x, size, weights=None):
        if self.kind == "jax":
            return self.xp.bincount(x, weights, length=size)
        return self.xp.bincount(x, weights, minlength=size)

    def sort(self, x, axis=-1):
        return x.sort(axis)[0] if self.kind == "torch" else self.xp.sort(x, axis)

    def argsort(self, x, axis=-1, stable=False):
        if self.kind == "np":
            return np.argsort(x, axis, kind="stable" if stable else None)
        if self.kind == "torch":
            return self.lib.argsort(x, dim=axis, stable=stable)
        return self.xp.argsort(x, axis, stable=stable)

    def search(self, edges, x, right=False):
        if self.kind in ("np", "jax"):
            return self.xp.searchsorted(edges, x, side="right" if right else "left")
        return self.xp.searchsorted(edges, x, right=right)

    def roll(self, x, by, axis):
        return self.xp.roll(x, by, axis)

    def cummax(self, x, axis):
        if self.kind == "np":
            return np.maximum.accumulate(x, axis)
        if self.kind == "jax":
            return self.lib.lax.cummax(x, axis)
        return self.xp.cummax(x, axis)[0]

    def cummin(self, x, axis):
        if self.kind == "np":
            return np.minimum.accumulate(x, axis)
        if self.kind == "jax":
            return self.lib.lax.cummin(x, axis)
        return self.xp.cummin(x, axis)[0]

    def zeros(self, shape, dtype="float64"):
        return self.xp.zeros(shape, dtype=getattr(self.xp, dtype) if self.kind != "vt" else dtype)

    def largest(self, x, axis, keep=False):
        return (
            x.amax(axis, keepdim=keep)
            if self.kind == "torch"
            else x.max(axis, keepdim=keep)
            if self.kind == "vt"
            else x.max(axis, keepdims=keep)
        )

    def smallest(self, x, axis, keep=False):
        return (
            x.amin(axis, keepdim=keep)
            if self.kind == "torch"
            else x.min(axis, keepdim=keep)
            if self.kind == "vt"
            else x.min(axis, keepdims=keep)
        )

    def mean(self, x, axis, keep=False):
        return x.mean(axis, keepdims=keep) if self.kind in ("np", "jax") else x.mean(axis, keepdim=keep)

    def sum(self, x, axis, keep=False):
        return x.sum(axis, keepdims=keep) if self.kind in ("np", "jax") else x.sum(axis, keepdim=keep)

    def swap(self, x, *axes):
        return (
            x.permute(*axes)
            if self.kind == "torch"
            else x.transpose(axes)
            if self.kind != "vt"
            else x.transpose(list(axes))
        )
