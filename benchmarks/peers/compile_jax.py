"""The networks of compile_functions.py in jax: functions of pytrees of parameters under jax.jit, images NHWC.

A layer makes its parameters, `init`, and is called with them. Running means and variances are a list beside the
parameters; `Run` has those of a call, and collects the new ones. A step is one function from its state, which it may
overwrite, to the loss and the new state. Layers are made in the order of vitrify's, so that weights can be copied.
"""
import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from compile_inputs import CLASSES, DENSE, GHOSTS, LENGTH, MOBILES, RESNET, TOKENS, divisible
from jax import lax


class Run:
    """What a call has besides parameters: statistics, whether it trains, and a key of random numbers."""

    def __init__(self, stats, trains=False, key=None):
        self.stats, self.trains, self.key = list(stats), trains, key


class Layer:
    """A layer of `parts`, which are layers or functions."""

    parts = ()

    def init(self, stats):
        return [part.init(stats) if isinstance(part, Layer) else () for part in self.parts]


class Sequential(Layer):
    def __init__(self, *parts):
        self.parts = parts

    def __call__(self, p, run, x):
        for part, own in zip(self.parts, p):
            x = part(own, run, x) if isinstance(part, Layer) else part(x)
        return x


class Weights(Layer):
    """Arrays of certain shapes."""

    def __init__(self, *shapes):
        self.shapes = shapes

    def init(self, stats):
        return tuple(np.zeros(shape, np.float32) for shape in self.shapes)


class Linear(Weights):
    def __init__(self, source, result):
        super().__init__((source, result), (result,))

    def __call__(self, p, run, x):
        return x @ p[0] + p[1]


class Conv(Weights):
    def __init__(self, source, result, side, stride=1, groups=1, bias=True, padding=None):
        super().__init__((side, side, source // groups, result), *([(result,)] if bias else []))
        edge = side // 2 if padding is None else padding
        self.call = partial(
            lax.conv_general_dilated, window_strides=(stride, stride), padding=((edge, edge), (edge, edge)),
            dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups,
        )

    def __call__(self, p, run, x):
        y = self.call(x, p[0])
        return y + p[1] if len(p) > 1 else y


class BatchNorm(Weights):
    def __init__(self, channels, momentum=0.9, eps=1e-5):
        super().__init__((channels,), (channels,))
        self.channels, self.momentum, self.eps = channels, momentum, eps

    def init(self, stats):
        self.place = len(stats)
        stats.append((np.zeros(self.channels, np.float32), np.ones(self.channels, np.float32)))
        return super().init(stats)

    def __call__(self, p, run, x):
        mean, variance = run.stats[self.place]
        if run.trains:
            kept, seen = (mean, variance), (x.mean((0, 1, 2)), x.var((0, 1, 2)))
            run.stats[self.place] = [self.momentum * a + (1 - self.momentum) * b for a, b in zip(kept, seen)]
            mean, variance = seen
        return (x - mean) * (lax.rsqrt(variance + self.eps) * p[0]) + p[1]


class LayerNorm(Weights):
    def __init__(self, width):
        super().__init__((width,), (width,))

    def __call__(self, p, run, x):
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(variance + 1e-5) * p[0] + p[1]


class Dropout(Layer):
    def __init__(self, share):
        self.share = share

    def __call__(self, p, run, x):
        if not run.trains:
            return x
        return jnp.where(jax.random.bernoulli(run.key, 1 - self.share, x.shape), x / (1 - self.share), 0)


def mean_of_images(x):
    return x.mean((1, 2))


def pool(x, start, function, side, edge):
    edges = ((0, 0), (edge, edge), (edge, edge), (0, 0))
    return lax.reduce_window(x, start, function, (1, side, side, 1), (1, 2, 2, 1), edges)


def max_pool(x):
    return pool(x, -jnp.inf, lax.max, 3, 1)


def average_pool(x):
    return pool(x, 0.0, lax.add, 2, 0) / 4


# ---- networks


class Block(Layer):
    """A layer of a transformer, its attention written out."""

    def __init__(self, width, heads, causal):
        self.heads, self.causal = heads, causal
        self.parts = (
            LayerNorm(width), LayerNorm(width), Linear(width, 3 * width), Linear(width, width),
            Linear(width, 4 * width), Linear(4 * width, width),
        )

    def __call__(self, p, run, x):
        before, behind, qkv, out, wide, narrow = (partial(part, own, run) for part, own in zip(self.parts, p))
        n, length, width = x.shape
        q, k, v = qkv(before(x)).reshape(n, length, 3, self.heads, width // self.heads).transpose(2, 0, 3, 1, 4)
        scores = q @ k.swapaxes(-2, -1) / math.sqrt(width // self.heads)
        if self.causal:
            scores = scores + jnp.triu(jnp.full((length, length), -1e9), 1)
        mixed = (jax.nn.softmax(scores, -1) @ v).transpose(0, 2, 1, 3).reshape(n, length, width)
        x = x + out(mixed)
        return x + narrow(jax.nn.gelu(wide(behind(x)), approximate=False))


class Images(Layer):
    """A vision transformer, "tiny"."""

    def __init__(self, width=192, heads=3, depth=12):
        blocks = [Block(width, heads, False) for _ in range(depth)]
        self.parts = (
            Weights((1, 1, width), (1, 197, width)), Conv(3, width, 16, 16, padding=0), Sequential(*blocks),
            LayerNorm(width), Linear(width, CLASSES),
        )

    def __call__(self, p, run, x):
        (first, places), *others = p
        patches, blocks, norm, head = (partial(part, own, run) for part, own in zip(self.parts[1:], others))
        y = patches(x)
        n, _, _, width = y.shape
        y = jnp.concatenate([jnp.broadcast_to(first, (n, 1, width)), y.reshape(n, -1, width)], 1) + places
        return head(norm(blocks(y))[:, 0])


class Text(Layer):
    """A small GPT."""

    def __init__(self, width=256, heads=4, depth=6):
        blocks = [Block(width, heads, True) for _ in range(depth)]
        self.parts = (
            Weights((TOKENS, width), (LENGTH, width)), Sequential(*blocks), LayerNorm(width), Linear(width, TOKENS)
        )

    def __call__(self, p, run, x):
        (tokens, places), *others = p
        blocks, norm, head = (partial(part, own, run) for part, own in zip(self.parts[1:], others))
        return head(norm(blocks(tokens[x] + places[jnp.arange(x.shape[1])])))


def normed(source, result, side, stride=1, groups=1, act=jax.nn.relu, **kinds):
    """A convolution, its normalisation and an activation."""
    layers = [Conv(source, result, side, stride, groups, False), BatchNorm(result, **kinds)]
    return Sequential(*layers, *([act] if act else []))


class Ghost(Layer):
    """Half of the channels by a 1 x 1 convolution, the others from those by a depthwise one."""

    def __init__(self, source, result, act=jax.nn.relu):
        half = -(-result // 2)
        self.result = result
        self.parts = normed(source, half, 1, act=act), normed(half, half, 3, groups=half, act=act)

    def __call__(self, p, run, x):
        one = self.parts[0](p[0], run, x)
        return jnp.concatenate([one, self.parts[1](p[1], run, one)], -1)[..., : self.result]


class Squeeze(Layer):
    """Weights of the channels, from their means."""

    def __init__(self, channels, squeezed):
        self.parts = Conv(channels, squeezed, 1), Conv(squeezed, channels, 1)

    def __call__(self, p, run, x):
        down, up = (partial(part, own, run) for part, own in zip(self.parts, p))
        return x * jax.nn.hard_sigmoid(up(jax.nn.relu(down(x.mean((1, 2), keepdims=True)))))


class Sum(Layer):
    """Layers and the shortcut around them, then a function."""

    def __init__(self, layers, shortcut=None, act=lambda x: x):
        self.parts, self.act = (layers, shortcut or Sequential()), act

    def __call__(self, p, run, x):
        return self.act(self.parts[0](p[0], run, x) + self.parts[1](p[1], run, x))


class GhostBlock(Layer):
    """A bottleneck of GhostNet."""

    def __init__(self, source, middle, result, side, stride, squeezes):
        depth = [normed(middle, middle, side, stride, middle, None)] if stride > 1 else []
        squeeze = [Squeeze(middle, middle // 4)] if squeezes else []
        shortcut = []
        if stride > 1 or source != result:
            shortcut = [normed(source, source, side, stride, source, None), normed(source, result, 1, act=None)]
        between, around = Sequential(*depth, *squeeze), Sequential(*shortcut)
        self.parts = Ghost(source, middle), Ghost(middle, result, None), between, around

    def __call__(self, p, run, x):
        wide, narrow, between, shortcut = (partial(part, own, run) for part, own in zip(self.parts, p))
        return narrow(between(wide(x))) + shortcut(x)


def ghost_net():
    """GhostNet, for 1000 classes."""
    blocks, channels = [], 16
    for side, middle, result, squeezes, stride in GHOSTS:
        blocks.append(GhostBlock(channels, middle, result, side, stride, squeezes))
        channels = result
    return Sequential(
        normed(3, 16, 3, 2), *blocks, normed(channels, 960, 1), lambda x: x.mean((1, 2), keepdims=True),
        Conv(960, 1280, 1), jax.nn.relu, lambda x: x.reshape(x.shape[0], -1), Linear(1280, CLASSES),
    )


def mobile_net():
    """MobileNetV3-small."""
    unit = partial(normed, momentum=0.99, eps=0.001)
    blocks, source = [], 16
    for side, middle, result, squeezes, swish, stride in MOBILES:
        act = jax.nn.hard_swish if swish else jax.nn.relu
        layers = [unit(source, middle, 1, act=act)] if source != middle else []
        layers.append(unit(middle, middle, side, stride, middle, act))
        layers += [Squeeze(middle, divisible(middle // 4))] if squeezes else []
        block = Sequential(*layers, unit(middle, result, 1, act=None))
        blocks.append(Sum(block) if stride == 1 and source == result else block)
        source = result
    return Sequential(
        unit(3, 16, 3, 2, act=jax.nn.hard_swish), *blocks, unit(source, 576, 1, act=jax.nn.hard_swish), mean_of_images,
        Linear(576, 1024), jax.nn.hard_swish, Dropout(0.2), Linear(1024, CLASSES),
    )


def res_net():
    """ResNet-50."""
    blocks, source = [], 64
    for stage, count in enumerate(RESNET):
        for k in range(count):
            width, stride = 64 << stage, 2 if stage and not k else 1
            last = normed(width, 4 * width, 1, act=None)
            layers = Sequential(normed(source, width, 1), normed(width, width, 3, stride), last)
            shortcut = None if k else normed(source, 4 * width, 1, stride, act=None)
            blocks.append(Sum(layers, shortcut, jax.nn.relu))
            source = 4 * width
    return Sequential(normed(3, 64, 7, 2), max_pool, *blocks, mean_of_images, Linear(source, CLASSES))


def norm_then(source, result, side):
    """Normalisation, a ReLU and a convolution."""
    return Sequential(BatchNorm(source), jax.nn.relu, Conv(source, result, side, bias=False))


class Dense(Layer):
    """Adds 32 channels, computed from all channels so far."""

    def __init__(self, source):
        self.parts = (Sequential(norm_then(source, 128, 1), norm_then(128, 32, 3)),)

    def __call__(self, p, run, x):
        return jnp.concatenate([x, self.parts[0](p[0], run, x)], -1)


def dense_net():
    """DenseNet-121."""
    layers, channels = [normed(3, 64, 7, 2), max_pool], 64
    for stage, count in enumerate(DENSE):
        for _ in range(count):
            layers.append(Dense(channels))
            channels += 32
        if stage < len(DENSE) - 1:
            layers += [norm_then(channels, channels // 2, 1), average_pool]
            channels //= 2
    return Sequential(*layers, BatchNorm(channels), jax.nn.relu, mean_of_images, Linear(channels, CLASSES))


def mlp():
    return Sequential(Linear(784, 256), jax.nn.relu, Linear(256, 128), jax.nn.relu, Linear(128, 10))


# ---- functions


def step_of(net, params, stats):
    """A training step with Adam."""

    def loss_of(params, stats, key, x, labels):
        run = Run(stats, True, key)
        out = net(params, run, x)
        out = out.reshape(-1, out.shape[-1])
        picked = jnp.take_along_axis(out, labels.reshape(-1, 1), 1)[:, 0]
        return (jax.nn.logsumexp(out, -1) - picked).mean(), run.stats

    @partial(jax.jit, donate_argnums=0)
    def step(state, x, labels):
        params, stats, first, second, count, key = state
        key, used = jax.random.split(key)
        (loss, stats), grads = jax.value_and_grad(loss_of, has_aux=True)(params, stats, used, x, labels)
        count = count + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)
        rate, scale = 1e-3 / (1 - 0.9**count), 1 / (1 - 0.999**count)
        params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v * scale) + 1e-8), params, first, second)
        return loss, (params, stats, first, second, count, key)

    zeros = [jax.tree.map(np.zeros_like, params) for _ in range(2)]
    state = jax.device_put((params, stats, *zeros, np.float32(0), jax.random.key(0)))

    def call(*arguments):
        nonlocal state
        loss, state = jax.block_until_ready(step(state, *arguments))
        return float(loss)

    return call


def forward_of(net, params, stats):
    """The network as it is evaluated."""
    forward = jax.jit(lambda params, stats, x: net(params, Run(stats), x))
    params, stats = jax.device_put((params, stats))
    return lambda x: np.asarray(forward(params, stats, x))


NETWORKS = {
    "mlp_step": (mlp, step_of), "mobilenet_v3_small": (mobile_net, forward_of),
    "mobilenet_v3_small_step": (mobile_net, step_of), "resnet50": (res_net, forward_of),
    "densenet121": (dense_net, forward_of), "ghostnet_step": (ghost_net, step_of), "vit_tiny_step": (Images, step_of),
    "gpt_step": (Text, step_of),
}


def arguments(arrays):
    """Images as NHWC; integers of 32 bits, jax's own."""
    return [
        jnp.asarray(a.transpose(0, 2, 3, 1) if a.ndim == 4 else a.astype(np.int32) if a.dtype.kind == "i" else a)
        for a in arrays
    ]


def made(name, weights):
    """A network's function, which returns its result once it is there, and what makes its arguments of arrays."""
    make, compiled = NETWORKS[name]
    net, stats = make(), []
    leaves, form = jax.tree.flatten(net.init(stats))
    values = [w.transpose(2, 3, 1, 0) if w.ndim == 4 else w for w in weights]
    assert [leaf.shape for leaf in leaves] == [value.shape for value in values]
    return compiled(net, jax.tree.unflatten(form, values), stats), arguments
