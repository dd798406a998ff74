"""The networks of compile_networks.py, as functions that are compiled, and their arguments."""

import math

from compile_inputs import CLASSES, GHOSTS, LENGTH, TOKENS, arrays

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn
from vitrify.vision import models


class Block(nn.Layer):
    """A layer of a transformer, its attention written out."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.before, self.behind = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, length, width = x.shape
        parts = self.qkv(self.before(x)).reshape([n, length, 3, self.heads, width // self.heads])
        q, k, v = parts.transpose([2, 0, 3, 1, 4])
        scores = vt.matmul(q, k, transpose_y=True) / math.sqrt(width // self.heads)
        if self.causal:
            scores = scores + vt.triu(vt.full([length, length], -1e9), 1)
        mixed = vt.matmul(F.softmax(scores, -1), v).transpose([0, 2, 1, 3]).reshape([n, length, width])
        x = x + self.out(mixed)
        return x + self.narrow(F.gelu(self.wide(self.behind(x))))


class Images(nn.Layer):
    """A vision transformer, "tiny"."""

    def __init__(self, width=192, heads=3, depth=12):
        super().__init__()
        self.patches = nn.Conv2D(3, width, 16, 16)
        self.first, self.places = self.create_parameter([1, 1, width]), self.create_parameter([1, 197, width])
        self.blocks = nn.LayerList([Block(width, heads, False) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, CLASSES)

    def forward(self, x):
        y = self.patches(x).flatten(2).transpose([0, 2, 1])
        y = vt.concat([self.first.expand([y.shape[0], 1, -1]), y], 1) + self.places
        for block in self.blocks:
            y = block(y)
        return self.head(self.norm(y)[:, 0])


class Text(nn.Layer):
    """A small GPT."""

    def __init__(self, width=256, heads=4, depth=6):
        super().__init__()
        self.tokens, self.places = nn.Embedding(TOKENS, width), nn.Embedding(LENGTH, width)
        self.blocks = nn.LayerList([Block(width, heads, True) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, TOKENS)

    def forward(self, x):
        y = self.tokens(x) + self.places(vt.arange(x.shape[1]))
        for block in self.blocks:
            y = block(y)
        return self.head(self.norm(y))


def normed(source, result, side, stride=1, groups=1, act=True):
    """A convolution, its normalisation and a ReLU."""
    layers = [
        nn.Conv2D(source, result, side, stride, side // 2, groups=groups, bias_attr=False),
        nn.BatchNorm2D(result),
    ]
    return nn.Sequential(*layers, *([nn.ReLU()] if act else []))


class Ghost(nn.Layer):
    """Half of the channels by a 1 x 1 convolution, the others from those by a depthwise one."""

    def __init__(self, source, result, act=True):
        super().__init__()
        half = -(-result // 2)
        self.result = result
        self.one = normed(source, half, 1, act=act)
        self.other = normed(half, half, 3, groups=half, act=act)

    def forward(self, x):
        one = self.one(x)
        return vt.concat([one, self.other(one)], 1)[:, : self.result]


class Squeeze(nn.Layer):
    """Weights of the channels, from their means."""

    def __init__(self, channels):
        super().__init__()
        self.down, self.up = nn.Conv2D(channels, channels // 4, 1), nn.Conv2D(channels // 4, channels, 1)

    def forward(self, x):
        return x * F.hardsigmoid(self.up(F.relu(self.down(F.adaptive_avg_pool2d(x, 1)))))


class GhostBlock(nn.Layer):
    """A bottleneck of GhostNet."""

    def __init__(self, source, middle, result, side, stride, squeezes):
        super().__init__()
        self.wide, self.narrow = Ghost(source, middle), Ghost(middle, result, False)
        self.depth = normed(middle, middle, side, stride, middle, False) if stride > 1 else None
        self.squeeze = Squeeze(middle) if squeezes else None
        self.shortcut = None
        if stride > 1 or source != result:
            self.shortcut = nn.Sequential(
                normed(source, source, side, stride, source, False), normed(source, result, 1, act=False)
            )

    def forward(self, x):
        y = self.wide(x)
        for layer in (self.depth, self.squeeze, self.narrow):
            if layer is not None:
                y = layer(y)
        return y + (x if self.shortcut is None else self.shortcut(x))


class GhostNet(nn.Layer):
    """GhostNet, for 1000 classes. Source: Han and others, GhostNet: More Features from Cheap Operations, 2020."""

    def __init__(self):
        super().__init__()
        blocks, channels = [], 16
        for side, middle, result, squeezes, stride in GHOSTS:
            blocks.append(GhostBlock(channels, middle, result, side, stride, squeezes))
            channels = result
        self.body = nn.Sequential(normed(3, 16, 3, 2), *blocks, normed(channels, 960, 1))
        self.wide, self.head = nn.Conv2D(960, 1280, 1), nn.Linear(1280, CLASSES)

    def forward(self, x):
        y = F.adaptive_avg_pool2d(self.body(x), 1)
        return self.head(F.relu(self.wide(y)).flatten(1))


# ---- functions


def step_of(net):
    """A training step with Adam, and the network."""
    optimizer = vt.optimizer.Adam(1e-3, parameters=net.parameters())

    @vt.to_static
    def step(x, labels):
        out = net(x)
        loss = F.cross_entropy(out.reshape([-1, out.shape[-1]]), labels.reshape([-1]))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step, net


def forward_of(net):
    """The network as it is evaluated, and the network itself."""
    net.eval()
    compiled = vt.to_static(lambda x: net(x))

    def forward(x):
        with vt.no_grad():
            return compiled(x)

    return forward, net


def batch(name, count):
    """A network's arguments for so many images or lines."""
    return [vt.to_tensor(array) for array in arrays(name, count)]


def mlp():
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10))


NETWORKS = {
    "mlp_step": lambda: step_of(mlp()),
    "mobilenet_v3_small": lambda: forward_of(models.mobilenet_v3_small()),
    "mobilenet_v3_small_step": lambda: step_of(models.mobilenet_v3_small()),
    "resnet50": lambda: forward_of(models.resnet50()),
    "densenet121": lambda: forward_of(models.densenet121()),
    "ghostnet_step": lambda: step_of(GhostNet()),
    "vit_tiny_step": lambda: step_of(Images()),
    "gpt_step": lambda: step_of(Text()),
}
