"""Runners and names of the twentieth set: those of the nineteenth, and a few more names."""

from .nineteenth_frame import LIBRARIES, RNG, TORCH, Layers, f32, fit, stepped, stepped_grad  # noqa: F401
from .nineteenth_frame import Names as Before

PROGRAMS = {}
WEIGHTS = {}  # from which input on the inputs of an ONNX file are constants


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def linear(rng, i, o):
    return [f32(rng, i, o, scale=i**-0.5), f32(rng, o, scale=0.1)]


def filters(rng, i, o, *kernel, groups=1):
    count = i // groups
    for size in kernel:
        count *= size
    return [f32(rng, o, i // groups, *kernel, scale=count**-0.5), f32(rng, o, scale=0.1)]


class Names(Before):
    """What the libraries spell differently."""

    def affine(self, x, scale, shift):
        """Layer norm with weights."""
        if self.kind in ("vt", "torch"):
            return self.F.layer_norm(x, x.shape[-1:], scale, shift)
        return self.norm(x) * scale + shift

    def rms(self, x, scale):
        if self.kind in ("vt", "torch"):
            return self.F.rms_norm(x, x.shape[-1:], scale)
        return x * self.lib.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale

    def attention(self, q, k, v):
        """Of [batch, places, heads, size]."""
        if self.kind == "jax":
            return self.lib.nn.dot_product_attention(q, k, v)
        if self.kind == "vt":
            return self.F.scaled_dot_product_attention(q, k, v)
        q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        return self.F.scaled_dot_product_attention(q, k, v).transpose(1, 2)

    def max_pool(self, x, size, stride=None, padding=0):
        stride = stride or size
        if self.kind == "jax":
            pads = [(0, 0), (0, 0), (padding, padding), (padding, padding)]
            low = -self.xp.inf
            return self.lib.lax.reduce_window(
                x, low, self.lib.lax.max, (1, 1, size, size), (1, 1, stride, stride), pads
            )
        return self.F.max_pool2d(x, size, stride, padding)

    def logsumexp(self, x, axis, keep=False):
        if self.kind == "jax":
            return self.lib.nn.logsumexp(x, axis, keepdims=keep)
        return self.lib.logsumexp(x, axis, keep)

    def clamp_low(self, x, low):
        return x.clamp(min=low) if self.kind == "torch" else self.xp.clip(x, low, None)

    def leaf(self, x):
        """The same numbers, of which a gradient is asked for."""
        x = x.detach()
        x.requires_grad = True
        return x

    def slopes(self, value, tensors):
        return (self.lib.grad if self.kind == "vt" else self.lib.autograd.grad)(value, tensors)

    def xor(self, x, y):
        return x ^ y

    def scatter_least(self, x, at, values):
        """x[at] = min(x[at], values), with repeated places."""
        if self.kind == "np":
            x = x.copy()
            self.lib.minimum.at(x, at, values)
            return x
        if self.kind == "jax":
            return x.at[at].min(values)
        return self.lib.scatter_reduce(x, 0, at, values, "amin")

    def scatter_most(self, x, at, values):
        if self.kind == "np":
            x = x.copy()
            self.lib.maximum.at(x, at, values)
            return x
        if self.kind == "jax":
            return x.at[at].max(values)
        return self.lib.scatter_reduce(x, 0, at, values, "amax")
