"""The networks of compile_functions.py in torch: modules, and torch.compile over a whole step or over the network.

A step has the loss, its gradients and Adam in one compiled function, as PyTorch's tutorial of torch.compile writes it;
torch splits it where gradients begin. Modules are made in the order of vitrify's layers, so that weights can be copied.
"""
import math

import torch
import torch.nn.functional as F
from compile_inputs import CLASSES, DENSE, GHOSTS, LENGTH, MOBILES, RESNET, TOKENS, divisible
from torch import nn


class Block(nn.Module):
    """A layer of a transformer, its attention written out."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.before, self.behind = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, length, width = x.shape
        q, k, v = self.qkv(self.before(x)).view(n, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        if self.causal:
            scores = scores + torch.full((length, length), -1e9).triu(1)
        mixed = (F.softmax(scores, -1) @ v).transpose(1, 2).reshape(n, length, width)
        x = x + self.out(mixed)
        return x + self.narrow(F.gelu(self.wide(self.behind(x))))


class Images(nn.Module):
    """A vision transformer, "tiny"."""

    def __init__(self, width=192, heads=3, depth=12):
        super().__init__()
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(0.02 * torch.randn(1, 197, width))
        self.patches = nn.Conv2d(3, width, 16, 16)
        self.blocks = nn.Sequential(*[Block(width, heads, False) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, CLASSES)

    def forward(self, x):
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.first.expand(y.shape[0], -1, -1), y], 1) + self.places
        return self.head(self.norm(self.blocks(y))[:, 0])


class Text(nn.Module):
    """A small GPT."""

    def __init__(self, width=256, heads=4, depth=6):
        super().__init__()
        self.tokens, self.places = nn.Embedding(TOKENS, width), nn.Embedding(LENGTH, width)
        self.blocks = nn.Sequential(*[Block(width, heads, True) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, TOKENS)

    def forward(self, x):
        y = self.tokens(x) + self.places(torch.arange(x.shape[1]))
        return self.head(self.norm(self.blocks(y)))


def normed(source, result, side, stride=1, groups=1, act=nn.ReLU, **kinds):
    """A convolution, its normalisation and an activation."""
    layers = [nn.Conv2d(source, result, side, stride, side // 2, groups=groups, bias=False)]
    return nn.Sequential(*layers, nn.BatchNorm2d(result, **kinds), *([act()] if act else []))


class Ghost(nn.Module):
    """Half of the channels by a 1 x 1 convolution, the others from those by a depthwise one."""

    def __init__(self, source, result, act=nn.ReLU):
        super().__init__()
        half = -(-result // 2)
        self.result = result
        self.one = normed(source, half, 1, act=act)
        self.other = normed(half, half, 3, groups=half, act=act)

    def forward(self, x):
        one = self.one(x)
        return torch.cat([one, self.other(one)], 1)[:, : self.result]


class Squeeze(nn.Module):
    """Weights of the channels, from their means."""

    def __init__(self, channels, squeezed):
        super().__init__()
        self.down, self.up = nn.Conv2d(channels, squeezed, 1), nn.Conv2d(squeezed, channels, 1)

    def forward(self, x):
        return x * F.hardsigmoid(self.up(F.relu(self.down(F.adaptive_avg_pool2d(x, 1)))))


class GhostBlock(nn.Module):
    """A bottleneck of GhostNet."""

    def __init__(self, source, middle, result, side, stride, squeezes):
        super().__init__()
        self.wide, self.narrow = Ghost(source, middle), Ghost(middle, result, None)
        self.depth = normed(middle, middle, side, stride, middle, None) if stride > 1 else nn.Identity()
        self.squeeze = Squeeze(middle, middle // 4) if squeezes else nn.Identity()
        self.shortcut = nn.Identity()
        if stride > 1 or source != result:
            one, other = normed(source, source, side, stride, source, None), normed(source, result, 1, act=None)
            self.shortcut = nn.Sequential(one, other)

    def forward(self, x):
        return self.narrow(self.squeeze(self.depth(self.wide(x)))) + self.shortcut(x)


class GhostNet(nn.Module):
    """GhostNet, for 1000 classes."""

    def __init__(self):
        super().__init__()
        blocks, channels = [], 16
        for side, middle, result, squeezes, stride in GHOSTS:
            blocks.append(GhostBlock(channels, middle, result, side, stride, squeezes))
            channels = result
        self.body = nn.Sequential(normed(3, 16, 3, 2), *blocks, normed(channels, 960, 1))
        self.wide, self.head = nn.Conv2d(960, 1280, 1), nn.Linear(1280, CLASSES)

    def forward(self, x):
        y = F.adaptive_avg_pool2d(self.body(x), 1)
        return self.head(F.relu(self.wide(y)).flatten(1))


MOBILE_NORM = {"momentum": 0.01, "eps": 0.001}


class MobileBlock(nn.Module):
    """Expand by 1 x 1, convolve per channel, weigh channels, project by 1 x 1; a shortcut where shapes agree."""

    def __init__(self, source, side, middle, result, squeezes, swish, stride):
        super().__init__()
        act = nn.Hardswish if swish else nn.ReLU
        self.adds = stride == 1 and source == result
        layers = [normed(source, middle, 1, act=act, **MOBILE_NORM)] if source != middle else []
        layers.append(normed(middle, middle, side, stride, middle, act, **MOBILE_NORM))
        layers += [Squeeze(middle, divisible(middle // 4))] if squeezes else []
        self.layers = nn.Sequential(*layers, normed(middle, result, 1, act=None, **MOBILE_NORM))

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


def mobile_net():
    """MobileNetV3-small."""
    blocks, channels = [], 16
    for side, middle, result, squeezes, swish, stride in MOBILES:
        blocks.append(MobileBlock(channels, side, middle, result, squeezes, swish, stride))
        channels = result
    return nn.Sequential(
        normed(3, 16, 3, 2, act=nn.Hardswish, **MOBILE_NORM), *blocks,
        normed(channels, 576, 1, act=nn.Hardswish, **MOBILE_NORM), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(576, 1024), nn.Hardswish(), nn.Dropout(0.2), nn.Linear(1024, CLASSES),
    )


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3 and 1 x 1 convolutions and the shortcut around them."""

    def __init__(self, source, width, stride):
        super().__init__()
        last = normed(width, 4 * width, 1, act=None)
        self.layers = nn.Sequential(normed(source, width, 1), normed(width, width, 3, stride), last)
        changes = stride > 1 or source != 4 * width
        self.shortcut = normed(source, 4 * width, 1, stride, act=None) if changes else nn.Identity()

    def forward(self, x):
        return F.relu(self.layers(x) + self.shortcut(x))


def res_net():
    """ResNet-50."""
    blocks, channels = [], 64
    for stage, count in enumerate(RESNET):
        for k in range(count):
            blocks.append(Bottleneck(channels, 64 << stage, 2 if stage and not k else 1))
            channels = 4 * (64 << stage)
    return nn.Sequential(
        normed(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1), *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(channels, CLASSES),
    )


def norm_then(source, result, side):
    """Normalisation, a ReLU and a convolution."""
    conv = nn.Conv2d(source, result, side, padding=side // 2, bias=False)
    return nn.Sequential(nn.BatchNorm2d(source), nn.ReLU(), conv)


class Dense(nn.Module):
    """Adds 32 channels, computed from all channels so far."""

    def __init__(self, source):
        super().__init__()
        self.layers = nn.Sequential(norm_then(source, 128, 1), norm_then(128, 32, 3))

    def forward(self, x):
        return torch.cat([x, self.layers(x)], 1)


def dense_net():
    """DenseNet-121."""
    layers, channels = [normed(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1)], 64
    for stage, count in enumerate(DENSE):
        for _ in range(count):
            layers.append(Dense(channels))
            channels += 32
        if stage < len(DENSE) - 1:
            layers += [norm_then(channels, channels // 2, 1), nn.AvgPool2d(2, 2)]
            channels //= 2
    layers += [nn.BatchNorm2d(channels), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return nn.Sequential(*layers, nn.Linear(channels, CLASSES))


def mlp():
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10))


# ---- functions


def step_of(net):
    """A training step with Adam."""
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)

    @torch.compile
    def step(x, labels):
        out = net(x)
        loss = F.cross_entropy(out.reshape(-1, out.shape[-1]), labels.reshape(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return lambda *arguments: step(*arguments).item()


def forward_of(net):
    """The network as it is evaluated."""
    compiled = torch.compile(net.eval())

    def forward(x):
        with torch.no_grad():
            return compiled(x).numpy()

    return forward


NETWORKS = {
    "mlp_step": (mlp, step_of), "mobilenet_v3_small": (mobile_net, forward_of),
    "mobilenet_v3_small_step": (mobile_net, step_of), "resnet50": (res_net, forward_of),
    "densenet121": (dense_net, forward_of), "ghostnet_step": (GhostNet, step_of), "vit_tiny_step": (Images, step_of),
    "gpt_step": (Text, step_of),
}


def made(name, weights):
    """A network's function, which returns its result once it is there, and what makes its arguments of arrays."""
    make, compiled = NETWORKS[name]
    net = make()
    parameters = [(module, p) for module in net.modules() for p in module.parameters(recurse=False)]
    with torch.no_grad():
        for (module, parameter), weight in zip(parameters, weights, strict=True):
            value = torch.from_numpy(weight)
            value = value.T if isinstance(module, nn.Linear) and value.ndim == 2 else value
            assert parameter.shape == value.shape, (type(module), parameter.shape, value.shape)
            parameter.copy_(value)
    return compiled(net), lambda arrays: [torch.from_numpy(array) for array in arrays]
