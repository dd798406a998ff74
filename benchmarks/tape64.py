"""A very small float64 numpy autograd tape: the correctness oracle of the suite.

Independent of every peer on purpose.  Slow and simple; only used to make the
reference results, once per workload.
"""

import numpy as np


class T:
    __slots__ = ("d", "g", "ps")

    def __init__(self, d, ps=()):
        self.d = np.asarray(d, dtype=np.float64)
        self.g = None
        self.ps = ps  # ((parent, grad -> parent's grad), ...)

    @property
    def shape(self):
        return self.d.shape

    def __add__(a, b):
        return add(a, b)

    __radd__ = __add__

    def __sub__(a, b):
        return add(a, mul(b, -1.0))

    def __rsub__(a, b):
        return add(b, mul(a, -1.0))

    def __mul__(a, b):
        return mul(a, b)

    __rmul__ = __mul__

    def __truediv__(a, b):
        return mul(a, power(b, -1.0))

    def __neg__(a):
        return mul(a, -1.0)

    def __matmul__(a, b):
        return matmul(a, b)

    def __getitem__(a, i):
        return getitem(a, i)

    def reshape(a, *s):
        return reshape(a, s)

    def transpose(a, *p):
        return transpose(a, p)

    def sum(a, axis=None, keepdims=False):
        return sum_(a, axis, keepdims)

    def mean(a, axis=None, keepdims=False):
        s = sum_(a, axis, keepdims)
        return s * (s.d.size / a.d.size)

    def backward(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            n, done = stack.pop()
            if done:
                order.append(n)
                continue
            if id(n) in seen:
                continue
            seen.add(id(n))
            stack.append((n, True))
            for p, _ in n.ps:
                if id(p) not in seen:
                    stack.append((p, False))
        self.g = np.ones_like(self.d)
        for n in reversed(order):
            if n.g is None:
                continue
            for p, fn in n.ps:
                gp = fn(n.g)
                p.g = gp if p.g is None else p.g + gp


def lift(a):
    return a if isinstance(a, T) else T(a)


def _unb(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for i, s in enumerate(shape):
        if s == 1 and g.shape[i] != 1:
            g = g.sum(i, keepdims=True)
    return g


def add(a, b):
    a, b = lift(a), lift(b)
    return T(a.d + b.d, ((a, lambda g: _unb(g, a.shape)), (b, lambda g: _unb(g, b.shape))))


def mul(a, b):
    a, b = lift(a), lift(b)
    return T(a.d * b.d, ((a, lambda g: _unb(g * b.d, a.shape)), (b, lambda g: _unb(g * a.d, b.shape))))


def power(a, k):
    a = lift(a)
    return T(a.d**k, ((a, lambda g: g * k * a.d ** (k - 1)),))


def matmul(a, b):
    a, b = lift(a), lift(b)
    return T(
        a.d @ b.d,
        (
            (a, lambda g: _unb(g @ np.swapaxes(b.d, -1, -2), a.shape)),
            (b, lambda g: _unb(np.swapaxes(a.d, -1, -2) @ g, b.shape)),
        ),
    )


def _un(a, y, dy):
    return T(y, ((a, lambda g: g * dy),))


def tanh(a):
    y = np.tanh(a.d)
    return _un(a, y, 1 - y * y)


def sigmoid(a):
    y = 1 / (1 + np.exp(-a.d))
    return _un(a, y, y * (1 - y))


def exp(a):
    y = np.exp(a.d)
    return _un(a, y, y)


def relu(a):
    return _un(a, np.maximum(a.d, 0), (a.d > 0).astype(np.float64))


def gelu(a):
    from scipy.special import erf

    cdf = 0.5 * (1 + erf(a.d / np.sqrt(2)))
    return _un(a, a.d * cdf, cdf + a.d * np.exp(-(a.d**2) / 2) / np.sqrt(2 * np.pi))


def reshape(a, s):
    return T(a.d.reshape(s), ((a, lambda g: g.reshape(a.shape)),))


def transpose(a, p):
    inv = np.argsort(p)
    return T(a.d.transpose(p), ((a, lambda g: g.transpose(inv)),))


def getitem(a, i):
    def bw(g):
        z = np.zeros_like(a.d)
        z[i] += g
        return z

    return T(a.d[i], ((a, bw),))


def sum_(a, axis=None, keepdims=False):
    def bw(g):
        if axis is not None and not keepdims:
            g = np.expand_dims(g, axis)
        return np.broadcast_to(g, a.shape) * 1.0

    return T(a.d.sum(axis=axis, keepdims=keepdims), ((a, bw),))


def softmax(a):
    e = np.exp(a.d - a.d.max(-1, keepdims=True))
    y = e / e.sum(-1, keepdims=True)
    return T(y, ((a, lambda g: y * (g - (g * y).sum(-1, keepdims=True))),))


def cross_entropy(a, labels):
    """mean softmax cross-entropy of logits a (N, C)"""
    m = a.d.max(-1, keepdims=True)
    lse = m + np.log(np.exp(a.d - m).sum(-1, keepdims=True))
    n = a.shape[0]
    p = np.exp(a.d - lse)

    def bw(g):
        q = p.copy()
        q[np.arange(n), labels] -= 1
        return g * q / n

    return T((lse[:, 0] - a.d[np.arange(n), labels]).mean(), ((a, bw),))


def layernorm(a, w, b, eps=1e-5):
    mu = a.mean(-1, True)
    c = a - mu
    v = (c * c).mean(-1, True)
    return c * power(v + eps, -0.5) * w + b


def batchnorm_train(a, w, b, eps=1e-5):
    mu = a.mean((0, 2, 3), True)
    c = a - mu
    v = (c * c).mean((0, 2, 3), True)
    return c * power(v + eps, -0.5) * w.reshape(1, -1, 1, 1) + b.reshape(1, -1, 1, 1)


def batchnorm_eval(a, w, b, rm, rv, eps=1e-5):
    s = w.d / np.sqrt(rv + eps)
    return a * s.reshape(1, -1, 1, 1) + (b.d - rm * s).reshape(1, -1, 1, 1)


def conv2d(x, w, stride=1, pad=0):
    s = stride
    xp = np.pad(x.d, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    kh, kw = w.shape[2:]
    cols = np.lib.stride_tricks.sliding_window_view(xp, (kh, kw), axis=(2, 3))[:, :, ::s, ::s]
    ho, wo = cols.shape[2:4]
    y = np.tensordot(cols, w.d, axes=([1, 4, 5], [1, 2, 3])).transpose(0, 3, 1, 2)

    def bx(g):
        z = np.zeros_like(xp)
        for i in range(kh):
            for j in range(kw):
                z[:, :, i : i + s * ho : s, j : j + s * wo : s] += np.tensordot(
                    g, w.d[:, :, i, j], axes=([1], [0])
                ).transpose(0, 3, 1, 2)
        return z[:, :, pad : z.shape[2] - pad, pad : z.shape[3] - pad] if pad else z

    def bwt(g):
        return np.tensordot(g, cols, axes=([0, 2, 3], [0, 2, 3]))

    return T(y, ((x, bx), (w, bwt)))


def maxpool(x, k, stride, pad=0):
    xp = np.pad(x.d, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=-np.inf)
    win = np.lib.stride_tricks.sliding_window_view(xp, (k, k), axis=(2, 3))[:, :, ::stride, ::stride]
    n, c, ho, wo = win.shape[:4]
    flat = win.reshape(n, c, ho, wo, k * k)
    arg = flat.argmax(-1)
    y = np.take_along_axis(flat, arg[..., None], -1)[..., 0]

    def bx(g):
        z = np.zeros_like(xp)
        ni, ci, hi, wi = np.meshgrid(*map(np.arange, (n, c, ho, wo)), indexing="ij")
        np.add.at(z, (ni, ci, hi * stride + arg // k, wi * stride + arg % k), g)
        return z[:, :, pad : z.shape[2] - pad, pad : z.shape[3] - pad] if pad else z

    return T(y, ((x, bx),))
