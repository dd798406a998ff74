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


class Functions(nn.Layer):
    """Element by element, along axes, and places."""

    def forward(self, x):
        y, whole = x[:, :3], (x.abs() * 3).cast("int64")
        spread, order = x.var(1), paddle.sort(x, 1)
        return [
            x + F.celu(x) + F.hardshrink(x) + F.softshrink(x) + F.thresholded_relu(x) + paddle.stanh(x),
            paddle.atan2(x, x + 2) + paddle.digamma(x.abs() + 1) + paddle.erfinv(x * 0.2) + paddle.heaviside(x, x),
            paddle.lerp(x, x * 2, 0.3) + paddle.logit(F.sigmoid(x)) + paddle.i0(x) + paddle.i1(x) + x**3,
            paddle.nan_to_num(x / (x - x)), paddle.polygamma(x.abs() + 1, 1), paddle.angle(x),
            spread, x.std(0), x.norm(p=float("inf"), axis=1), paddle.dist(x, x * 2, 3), paddle.renorm(x, 2.0, 0, 1.0),
            paddle.cumprod(x, 1), *paddle.cummax(x, 1), *paddle.cummin(x, 0), paddle.logcumsumexp(x, 1),
            *paddle.kthvalue(x, 2, 1), *paddle.mode(x.round(), 1), paddle.count_nonzero(x > 0, axis=1),
            paddle.masked_select(x, x > 0), *paddle.unique(whole, return_inverse=True, return_counts=True),
            paddle.unique_consecutive(whole), paddle.bincount(whole.flatten()), paddle.histogram(x, 5, -2, 2),
            paddle.searchsorted(order, x), paddle.index_add(x, paddle.to_tensor([0, 1]), 0, paddle.ones([2, 6])),
            paddle.index_sample(x, paddle.to_tensor([[0, 1], [1, 2], [3, 4]])), paddle.diag(x[0], 1),
            paddle.index_put(x, (paddle.to_tensor([0, 1]), paddle.to_tensor([2, 3])), paddle.to_tensor([5.0, 6.0])),
            paddle.diag_embed(y), paddle.diagonal(x, 1), paddle.trace(x), paddle.kron(y, y[:2]), paddle.cross(y, y + x[:, 3:]),
            paddle.einsum("ij,kj->ik", x, x), paddle.repeat_interleave(x, 2, 1), paddle.crop(x, [2, 3], [1, 1]),
            paddle.fft.rfft(x).abs(), paddle.fft.fft(x).real(), paddle.fft.irfft(paddle.fft.rfft(x)),
            paddle.isclose(x, x + 1e-9), paddle.allclose(x, x + 1), paddle.equal_all(x, x), *paddle.split(x, [1, 2, -1], 1),
            paddle.complex(x, y.sum() * x).imag(),
        ]  # fmt: skip


class Matrices(nn.Layer):
    """Linear algebra."""

    def forward(self, x):
        square = x @ x.t() + paddle.eye(4)
        lower = paddle.linalg.cholesky(square)
        return [
            paddle.inverse(square), paddle.linalg.det(x), paddle.linalg.slogdet(x), lower,
            paddle.linalg.solve(square, x), paddle.linalg.qr(square)[1].abs(), paddle.linalg.svd(x)[1],
            paddle.linalg.eigh(square)[0], paddle.linalg.eigvalsh(square), paddle.linalg.pinv(x),
            paddle.linalg.matrix_power(x, 3), paddle.linalg.triangular_solve(lower, x, upper=False),
            paddle.linalg.multi_dot([x, x, x]), paddle.linalg.lstsq(x, x)[0],
            paddle.linalg.cholesky_solve(x, lower), paddle.linalg.lu(x)[0],
        ]  # fmt: skip


class Losses(nn.Layer):
    """Losses as parts of a program, and graphs."""

    def forward(self, x):
        flat, labels = x.reshape([-1, 6]), paddle.to_tensor([0, 1, 2, 3, 4, 5, 0, 1, 2, 3])
        log, share = F.log_softmax(flat), F.softmax(flat * 2)
        ids, rows = paddle.to_tensor([0, 0, 1, 1, 2]), x[0]
        return [
            F.cross_entropy(flat, labels), F.cross_entropy(flat, share, soft_label=True), F.nll_loss(log, labels),
            F.smooth_l1_loss(flat, share), F.kl_div(log, share), F.label_smooth(share),
            F.binary_cross_entropy(share, share), F.binary_cross_entropy_with_logits(flat, share),
            F.sequence_mask(paddle.to_tensor([1, 3]), 5), paddle.incubate.segment_sum(rows, ids),
            paddle.geometric.segment_max(rows, ids), paddle.signal.frame(flat, 3, 1),
            paddle.geometric.send_u_recv(rows, paddle.to_tensor([0, 1, 2]), paddle.to_tensor([1, 2, 0]), "mean"),
        ]  # fmt: skip


class Images(nn.Layer):
    """Windows, pools and regions of images."""

    def __init__(self):
        super().__init__()
        self.norm = nn.SpectralNorm([4, 8])

    def forward(self, x):
        regions, counts = paddle.to_tensor([[0.0, 0, 4, 4], [1, 1, 6, 6]]), paddle.to_tensor([1, 1], dtype="int32")
        anchors, sizes = [10, 13, 16, 30], paddle.to_tensor([[64, 60], [32, 70]], dtype="int32")
        boxes = x[:, :, :, :4].abs().reshape([2, 32, 4]).cumsum(-1)
        moved = paddle.concat([x, x, x, x, x[:, :2]], 1)[:, :, :6, :6]
        return [
            F.unfold(x, 3, 1, 1), F.fold(F.unfold(x, 2, 2), [8, 8], 2, 2), F.pixel_unshuffle(x, 2),
            F.temporal_shift(x, 2, 0.25), F.maxout(x, 2), self.norm(x[0, :, :, 0]),
            F.max_unpool2d(*F.max_pool2d(x, 2, return_mask=True), kernel_size=2),
            paddle.vision.ops.roi_align(x, regions, counts, 3), paddle.vision.ops.roi_pool(x, regions, counts, 3),
            *paddle.vision.ops.yolo_box(paddle.tile(x, [1, 4, 1, 1])[:, :14], sizes, anchors, 2, 0.01, 8),
            *paddle.vision.ops.prior_box(x, paddle.ones([2, 3, 32, 32]), [2.0], [4.0], [1.0, 2.0]),
            paddle.vision.ops.deform_conv2d(x, moved, paddle.ones([3, 4, 3, 3])),
            paddle.vision.ops.box_coder(boxes[0], [0.1, 0.1, 0.2, 0.2], boxes[1]),
            *crowds(boxes, F.softmax(x.transpose([0, 2, 3, 1]).reshape([2, 64, 4])[:, :32]).transpose([0, 2, 1])),
        ]  # fmt: skip


def crowds(boxes, scores):
    """The operation that detectors end with, which has no function of its own."""
    settings = {
        "score_threshold": 0.2, "nms_top_k": 20, "keep_top_k": 15, "nms_threshold": 0.4, "normalized": True,
        "nms_eta": 1.0, "background_label": 0,
    }  # fmt: skip
    if paddle.in_dynamic_mode() or FORM == "new":
        return paddle._C_ops.multiclass_nms3(boxes, scores, None, *settings.values())
    helper = paddle.base.layer_helper.LayerHelper("multiclass_nms3")
    made = [helper.create_variable_for_type_inference(kind) for kind in ("float32", "int32", "int32")]
    outputs = {"Out": made[0], "Index": made[1], "NmsRoisNum": made[2]}
    helper.append_op(
        type="multiclass_nms3", inputs={"BBoxes": boxes, "Scores": scores}, attrs=settings, outputs=outputs
    )
    return made


class Reader(nn.Layer):
    """A convolution over lines and a recurrent network, as models that read text have."""

    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTM(4, 3, num_layers=2, direction="bidirect"), nn.GRU(6, 2)

    def forward(self, x):
        y, (h, _) = self.lstm(x)
        z, last = self.gru(y)
        return z, last, h


class Lengths(nn.Layer):
    """Recurrent networks over sequences that end at different times."""

    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTM(4, 3, num_layers=2, direction="bidirect"), nn.GRU(6, 2)

    def forward(self, x):
        lengths = paddle.to_tensor([5, 2])
        y, (h, c) = self.lstm(x, None, lengths)
        z, last = self.gru(y, None, lengths)
        return z, last, h, c


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


LARGE = ("functions", "images", "lengths", "losses", "matrices")


def without_places(file):
    """Most of a program's bytes say where each operation was called."""
    paddle.enable_static()
    program = paddle.static.deserialize_program(file.read_bytes())
    paddle.disable_static()
    for block in program.blocks:
        for step in block.ops:
            step._remove_attr("op_callstack")
    file.write_bytes(program.desc.serialize_to_string())


def main():
    paddle.seed(3)
    draw = np.random.RandomState(0)
    cases = {
        "lenet": (LeNet(), [None, 1, 12, 12], draw.randn(2, 1, 12, 12).astype("float32")),
        "mobile": (Mobile(), [None, 3, 8, 8], draw.randn(2, 3, 8, 8).astype("float32")),
        "encoder": (Encoder(), [None, None], draw.randint(0, 11, (2, 5))),
        "reader": (Reader(), [None, None, 4], draw.randn(2, 5, 4).astype("float32")),
        "steps": (Steps(), [None, 3], draw.randn(2, 3).astype("float32")),
        "functions": (Functions(), [3, 6], draw.randn(3, 6).astype("float32")),
        "images": (Images(), [2, 4, 8, 8], draw.randn(2, 4, 8, 8).astype("float32")),
        "lengths": (Lengths(), [2, None, 4], draw.randn(2, 5, 4).astype("float32")),
        "losses": (Losses(), [2, 5, 6], draw.randn(2, 5, 6).astype("float32")),
        "matrices": (Matrices(), [4, 4], draw.randn(4, 4).astype("float32")),
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
        if FORM == "old" and name in LARGE:
            without_places(Path(f"old_{name}.pdmodel"))
        made = net(paddle.to_tensor(x))
        made = made if isinstance(made, (tuple, list)) else [made]
        np.savez(f"{name}.npz", x=x, **{f"y{k}": y.numpy() for k, y in enumerate(made)})


main()
