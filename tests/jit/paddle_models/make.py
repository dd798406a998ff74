"""Write the models of this folder and what they compute: as .pdmodel with PaddlePaddle 2.6.2, as .json with 3.3.1.

Use, in an environment of PaddlePaddle's: python make.py old (2.6.2), python make.py new (3.3.1). Further arguments
name some of the models. 3.3.1 can't record matmul into the older form.
"""

import os
import sys
from pathlib import Path

FORM = sys.argv[1]
os.environ["FLAGS_enable_pir_api"] = str(int(FORM == "new"))  # noqa: SIM112 - PaddlePaddle's name

import numpy as np  # noqa: E402
import paddle  # noqa: E402
import paddle.nn.functional as F  # noqa: E402
from paddle import nn  # noqa: E402


class LeNet(nn.Layer):
    """Convolutions, pools and linear layers."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2D(1, 2, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2))
        self.second = nn.Sequential(nn.Conv2D(2, 3, 3), nn.ReLU(), nn.MaxPool2D(2, 2))
        self.linear = nn.Sequential(nn.Linear(12, 6), nn.Linear(6, 4))

    def forward(self, x):
        return self.linear(paddle.flatten(self.second(self.first(x)), 1))


class Mobile(nn.Layer):
    """Depthwise convolutions, batch normalisation, hard activations, resizing."""

    def __init__(self):
        super().__init__()
        self.stem, self.norm = nn.Conv2D(3, 4, 3, 2, 1, bias_attr=False), nn.BatchNorm2D(4)
        self.depth, self.norm2 = nn.Conv2D(4, 4, 3, 1, 1, groups=4, bias_attr=False), nn.BatchNorm2D(4)
        self.point, self.norm3 = nn.Conv2D(4, 4, 1, bias_attr=False), nn.BatchNorm2D(4)
        self.pool, self.drop, self.linear = nn.AdaptiveAvgPool2D(1), nn.Dropout(0.2), nn.Linear(4, 5)

    def forward(self, x):
        x = F.relu6(self.norm(self.stem(x)))
        y = F.hardswish(self.norm2(self.depth(x)))
        x = x + self.norm3(self.point(y)) * F.hardsigmoid(x)
        x = F.interpolate(x, scale_factor=2, mode="nearest")
        x = F.interpolate(x, size=[6, 6], mode="bilinear")
        return F.softmax(self.linear(self.drop(paddle.flatten(self.pool(x), 1))))


class Encoder(nn.Layer):
    """A transformer's encoder on any number of words, with a causal mask made at run time; two results."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(11, 8)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1), 1)
        self.linear = nn.Linear(8, 3)

    def forward(self, x):
        place = paddle.arange(paddle.shape(x)[1])
        mask = (place.unsqueeze(0) > place.unsqueeze(1)).cast("float32") * -1e4
        x = self.encoder(self.words(x), mask.unsqueeze([0, 1])).mean(1)
        return self.linear(x), x.argmax(-1)


class Pieces(nn.Layer):
    """Ops on shapes, indices and pieces."""

    def forward(self, x):
        a, b = paddle.split(x, 2, axis=1)
        c = paddle.concat([a * b, a - b, paddle.maximum(a, b)], axis=-1)
        d = paddle.stack([c[:, 0], c[:, -1, ::-1]], axis=1).transpose([0, 2, 1]).squeeze(-1)
        e = paddle.where(d > 0.2, d, d * paddle.full_like(d, 0.5)).cast("float64")
        f = paddle.gather(e, paddle.to_tensor([1, 0]), axis=1)
        top, places = paddle.topk(f.reshape([f.shape[0], -1]), 2)
        return (
            F.pad(x, [1, 0], value=2.0, data_format="NCL"),
            top,
            places,
            paddle.clip(x, -0.5, 0.5).sum([0, 1]),
            (x**2).max(-1),
        )


class Reader(nn.Layer):
    """A convolution over lines and a recurrent network, as models that read text have."""

    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTM(4, 3, num_layers=2, direction="bidirect"), nn.GRU(6, 2)

    def forward(self, x):
        y, (h, _) = self.lstm(x)
        z, last = self.gru(y)
        return z, last, h


class Steps(nn.Layer):
    """A loop that ends by its values, and a branch."""

    def forward(self, x):
        count = paddle.full([1], 0, "int64")
        total = paddle.zeros([3])

        def going(count, total):
            return count < 4

        def step(count, total):
            return count + 1, total + x.sum(0) * count.cast("float32")

        count, total = paddle.static.nn.while_loop(going, step, [count, total])
        return paddle.static.nn.cond(total.sum() > 0, lambda: total * 2, lambda: total - 1), count


def main():
    paddle.seed(3)
    draw = np.random.RandomState(0)
    cases = {
        "lenet": (LeNet(), [None, 1, 12, 12], draw.randn(2, 1, 12, 12).astype("float32")),
        "mobile": (Mobile(), [None, 3, 8, 8], draw.randn(2, 3, 8, 8).astype("float32")),
        "encoder": (Encoder(), [None, None], draw.randint(0, 11, (2, 5))),
        "reader": (Reader(), [None, None, 4], draw.randn(2, 5, 4).astype("float32")),
        "steps": (Steps(), [None, 3], draw.randn(2, 3).astype("float32")),
        "pieces": (Pieces(), [None, 4, 3], draw.randn(2, 4, 3).astype("float32")),
    }
    chosen = sys.argv[2:] or list(cases)
    for name, (net, shape, x) in cases.items():
        if name not in chosen:
            continue
        for layer in net.sublayers():
            if isinstance(layer, nn.BatchNorm2D):
                layer._mean.set_value(draw.rand(*layer._mean.shape).astype("float32"))
        net.eval()
        paddle.jit.save(net, f"{FORM}_{name}", input_spec=[paddle.static.InputSpec(shape, str(x.dtype), "x")])
        Path(f"{FORM}_{name}.pdiparams.info").unlink(missing_ok=True)
        made = net(paddle.to_tensor(x))
        made = made if isinstance(made, (tuple, list)) else [made]
        np.savez(f"{name}.npz", x=x, **{f"y{k}": y.numpy() for k, y in enumerate(made)})


main()
