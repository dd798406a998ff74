"""The products of products.py: convolutions and GEMMs of models that people run, by family, without duplicates.

A convolution is (batch, channels, height, width, filters, kernel height, kernel width, stride, padding, groups), a GEMM
(batch, rows, depth, columns): [batch, rows, depth] times [depth, columns], or [batch, depth, columns] for attention.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Product:
    """One product: its kind ("conv", "gemm", "batched") and sizes."""

    kind: str
    sizes: tuple

    @property
    def name(self):
        return f"{self.kind} {'x'.join(map(str, self.sizes))}"

    @property
    def family(self):
        """What it has in common with others, for the table."""
        if self.kind != "conv":
            batch, rows, _, _ = self.sizes
            return "gemm, few rows" if self.kind == "gemm" and batch * rows < 16 else self.kind
        _, channels, _, _, _, kh, kw, stride, _, groups = self.sizes
        shape = f"{kh}x{kw}" + (f"/{stride}" if stride > 1 else "")
        if groups == 1:
            return f"conv {'first' if channels <= 4 else shape}"
        return f"conv {'depthwise' if groups == channels else 'grouped'} {shape}"

    @property
    def work(self):
        """Multiplications."""
        if self.kind != "conv":
            batch, rows, depth, columns = self.sizes
            return batch * rows * depth * columns
        n, c, h, w, o, kh, kw, stride, padding, groups = self.sizes
        height, width = ((size + 2 * padding - k) // stride + 1 for size, k in ((h, kh), (w, kw)))
        return n * o * height * width * (c // groups) * kh * kw


_FOUND = {}


def _conv(channels, size, filters, k=3, stride=1, padding=None, groups=1, batch=1):
    """Adds a convolution; gives the height and width of its result. size: a number, or (height, width)."""
    h, w = size if isinstance(size, tuple) else (size, size)
    kh, kw = k if isinstance(k, tuple) else (k, k)
    padding = kh // 2 if padding is None else padding
    made = Product("conv", (batch, channels, h, w, filters, kh, kw, stride, padding, groups))
    _FOUND.setdefault(made.name, made)
    out = tuple((s + 2 * padding - q) // stride + 1 for s, q in ((h, kh), (w, kw)))
    return out if isinstance(size, tuple) else out[0]


def _gemm(rows, depth, columns, batch=1, kind="gemm"):
    made = Product(kind, (batch, rows, depth, columns))
    _FOUND.setdefault(made.name, made)


def _resnet(blocks, bottleneck, batch, size=224, groups=1, width=1):
    size = _conv(3, size, 64, 7, 2, batch=batch) // 2
    channels = 64
    for stage, count in enumerate(blocks):
        inner = 64 << stage
        for block in range(count):
            stride = 2 if stage and not block else 1
            if bottleneck:
                _conv(channels, size, inner * width, 1, batch=batch)
                after = _conv(inner * width, size, inner * width, 3, stride, groups=groups, batch=batch)
                _conv(inner * width, after, inner * 4, 1, batch=batch)
                out = inner * 4
            else:
                after = _conv(channels, size, inner, 3, stride, batch=batch)
                _conv(inner, after, inner, 3, batch=batch)
                out = inner
            if channels != out or stride > 1:
                _conv(channels, size, out, 1, stride, padding=0, batch=batch)
            channels, size = out, after
    _gemm(batch, channels, 1000)


def _vgg(batch):
    channels, size = 3, 224
    for filters, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            _conv(channels, size, filters, batch=batch)
            channels = filters
        size //= 2
    for depth, columns in ((25088, 4096), (4096, 4096), (4096, 1000)):
        _gemm(batch, depth, columns)


def _mobile(stages, first, batch, last):
    """Inverted residual blocks: (kernel, expansion, filters, count, stride)."""
    size = _conv(3, 224, first, 3, 2, batch=batch)
    channels = first
    for k, expansion, filters, count, stride in stages:
        for block in range(count):
            inner = int(channels * expansion)
            if inner != channels:
                _conv(channels, size, inner, 1, batch=batch)
            size = _conv(inner, size, inner, k, stride if not block else 1, groups=inner, batch=batch)
            _conv(inner, size, filters, 1, batch=batch)
            channels = filters
    _conv(channels, size, last, 1, batch=batch)
    _gemm(batch, last, 1000)


def _dense(batch):
    channels, size = 64, 56
    for count in (6, 12, 24, 16):
        for _ in range(count):
            _conv(channels, size, 128, 1, batch=batch)
            _conv(128, size, 32, batch=batch)
            channels += 32
        if count != 16:
            _conv(channels, size, channels // 2, 1, batch=batch)
            channels, size = channels // 2, size // 2


def _unet(batch, size, width):
    channels = 3
    widths = [width << k for k in range(5)]
    for filters in widths:
        _conv(channels, size, filters, batch=batch)
        _conv(filters, size, filters, batch=batch)
        channels, size = filters, size // 2
    size *= 2
    for filters in widths[-2::-1]:
        size *= 2
        _conv(filters * 2, size, filters, batch=batch)
    _conv(width, size, 2, 1, batch=batch)


def _squeeze(batch):
    size = _conv(3, 224, 64, 3, 2, 0, batch=batch) // 2
    for channels, squeeze, shrinks in (
        (64, 16, 0), (128, 16, 1), (128, 32, 0), (256, 32, 1), (256, 48, 0), (384, 48, 0), (384, 64, 0), (512, 64, 0),
    ):  # fmt: skip
        _conv(channels, size, squeeze, 1, batch=batch)
        _conv(squeeze, size, squeeze * 4, 1, batch=batch)
        _conv(squeeze, size, squeeze * 4, 3, batch=batch)
        size //= 1 + shrinks


def _recogniser(batch):
    """Convolutions over lines of text, 32 pixels high."""
    channels, size = 3, (32, 320)
    for filters, shrinks in ((64, 2), (128, 2), (256, 1), (256, 2), (512, 1), (512, 2)):
        size = _conv(channels, size, filters, batch=batch)
        channels, size = filters, (size[0] // shrinks, size[1] // min(shrinks, 2))


def _transformer(tokens, width, heads, batch, inner=4, vocabulary=0):
    rows = tokens * batch
    for depth, columns in ((width, 3 * width), (width, width), (width, inner * width), (inner * width, width)):
        _gemm(rows, depth, columns)
    if vocabulary:
        _gemm(rows, width, vocabulary)
    if tokens > 1:
        _gemm(tokens, width // heads, tokens, batch * heads, "batched")
        _gemm(tokens, tokens, width // heads, batch * heads, "batched")


def _mlp(rows, *widths):
    for depth, columns in zip(widths, widths[1:], strict=False):
        _gemm(rows, depth, columns)


V2 = (
    (3, 1, 16, 1, 1),
    (3, 6, 24, 2, 2),
    (3, 6, 32, 3, 2),
    (3, 6, 64, 4, 2),
    (3, 6, 96, 3, 1),
    (3, 6, 160, 3, 2),
    (3, 6, 320, 1, 1),
)
V3 = (
    (3, 1, 16, 1, 1), (3, 4, 24, 1, 2), (3, 3, 24, 1, 1), (5, 3, 40, 3, 2), (3, 6, 80, 1, 2), (3, 2.5, 80, 1, 1),
    (3, 2.3, 80, 2, 1), (3, 6, 112, 2, 1), (5, 6, 160, 3, 2),
)  # fmt: skip
B0 = (
    (3, 1, 16, 1, 1),
    (3, 6, 24, 2, 2),
    (5, 6, 40, 2, 2),
    (3, 6, 80, 3, 2),
    (5, 6, 112, 3, 1),
    (5, 6, 192, 4, 2),
    (3, 6, 320, 1, 1),
)


def _all():
    for batch in (1, 8):
        _resnet((2, 2, 2, 2), False, batch)
        _resnet((3, 4, 6, 3), True, batch)
        _mobile(V2, 32, batch, 1280)
    _resnet((3, 4, 6, 3), True, 1, groups=32, width=2)
    _resnet((2, 2, 2, 2), False, 4, size=96)
    _vgg(1)
    _mobile(V3, 16, 1, 960)
    _mobile(B0, 32, 1, 1280)
    _dense(1)
    _unet(1, 128, 32)
    _unet(2, 64, 16)
    _squeeze(1)
    _recogniser(1)
    _recogniser(4)
    for channels, size in ((96, 56), (192, 28), (384, 14), (768, 7)):  # wide depthwise filters
        _conv(channels, size, channels, 7, groups=channels)
        _gemm(size * size, channels, 4 * channels)
        _gemm(size * size, 4 * channels, channels)
    for tokens, width, heads, batch in (
        (128, 768, 12, 1), (128, 768, 12, 8), (384, 1024, 16, 1), (197, 768, 12, 1), (197, 192, 3, 4), (64, 256, 4, 16),
        (49, 96, 3, 64), (49, 384, 12, 4), (32, 512, 8, 8), (256, 128, 4, 4),
    ):  # fmt: skip
        _transformer(tokens, width, heads, batch)
    for batch in (1, 4):
        _transformer(1, 768, 12, batch, vocabulary=50257)
        _transformer(1, 2048, 16, batch, vocabulary=32000)
    _transformer(64, 512, 8, 1, vocabulary=8000)
    for batch, width in ((1, 128), (1, 512), (32, 256), (64, 512), (20, 650)):  # gates of recurrent cells
        _gemm(batch, width, 4 * width)
        _gemm(batch, width, 3 * width)
    for batch in (1, 256, 2048):
        _mlp(batch, 13, 512, 256, 64, 16)
        _mlp(batch, 390, 400, 400, 400, 1)
    _mlp(10000, 2, 50, 50, 50, 1)
    _mlp(64, 784, 300, 100, 10)
    _mlp(128, 3072, 1024, 512, 10)


_all()
PRODUCTS = _FOUND
