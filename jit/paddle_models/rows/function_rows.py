"""Operations that are one function of ours: inputs in its order, attributes under names of its own.

`called(op.diag, "diag", "diag_v2", offset="offset", padding_value="padding_value")`: keyword of the function, then the
attribute's names. An attribute that a program leaves out keeps the function's default.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....base import dtype as dt
from ....ops import pool_nd, signal, vision
from ....ops.dims import product
from ..paddle_call import OperatorCall, Reader, op, rows
from .paddle_row import Entry, entry


def _given(c: OperatorCall, keywords: dict[str, str]) -> dict[str, Any]:
    found = {k: c.attribute(names) for k, names in keywords.items()}
    return {k: v for k, v in found.items() if v is not None}


def called(
    function: Callable[..., Any], new: str, old: str | None = None, inputs: str = "X", outputs: str = "Out",
    **keywords: str,
) -> Entry:  # fmt: skip
    """The entry of a function over all inputs; those that are absent end its arguments."""

    def read(c: OperatorCall) -> Any:
        given = [c[k] for k in range(len(c.inputs)) if c.has(k)]
        return function(*given, **_given(c, keywords))

    return entry(read, new, old, inputs, outputs)


def _paired(function: Callable[..., Any], **keywords: str) -> Reader:
    """A function that has an axis and gives values and places."""

    def read(c: OperatorCall) -> Any:
        values, places = function(c[0], **_given(c, {"axis": "axis", **keywords}))
        return values, op.cast(places, c.dtype("dtype", dt.int64))

    return read


def _axis_of(c: OperatorCall) -> int | None:
    """One axis from a list, which is empty where all elements are meant."""
    axes = c.attribute("axis", [])
    axes = axes if isinstance(axes, (list, tuple)) else [axes]
    return int(axes[0]) if axes else None


def _median(name: str) -> Reader:
    def read(c: OperatorCall) -> Any:
        axes = [int(a) for a in c.attribute("axis", [])]
        axis = None if not axes else axes[0] if len(axes) == 1 else axes
        made = getattr(op, name)(c[0], axis, bool(c.attribute("keepdim", False)), str(c.attribute("mode", "avg")))
        return tuple(made) if isinstance(made, (tuple, list)) else (made,)

    return read


def _rrelu(c: OperatorCall) -> Any:
    """For inference: a leaky rectifier with the mean slope."""
    if not c.attribute("is_test", False):
        raise c.refuse("rrelu while training")
    return op.leaky_relu(c[0], (float(c.attribute("lower", 0.125)) + float(c.attribute("upper", 1 / 3))) / 2)


def _running(name: str) -> Reader:
    def read(c: OperatorCall) -> Any:
        if c.attribute("exclusive", False) or c.attribute("reverse", False):
            raise c.refuse("an exclusive or reverse order")
        x = op.reshape(c[0], [-1]) if c.attribute("flatten", False) else c[0]
        return getattr(op, name)(x, int(c.attribute("dim axis", -1)))

    return read


def _unique(c: OperatorCall) -> Any:
    """(elements, first places, places, counts); those that weren't asked for are left out."""
    asked = [True, True, True]
    made = op.unique(c[0], *asked, axis=_axis_of(c))
    dtype = c.dtype("dtype", dt.int64)
    return made[0], *(op.cast(part, dtype) for part in made[1:])


def _unique_consecutive(c: OperatorCall) -> Any:
    made = op.unique_consecutive(c[0], True, True, axis=_axis_of(c))
    dtype = c.dtype("dtype", dt.int64)
    return made[0], *(op.cast(part, dtype) for part in made[1:])


def _histogram(c: OperatorCall) -> Any:
    return op.histogram(
        c[0], int(c.attribute("bins", 100)), float(c.attribute("min", 0)), float(c.attribute("max", 0)),
        c[1] if c.has(1) else None, bool(c.attribute("density", False)),
    )  # fmt: skip


def _bincount(c: OperatorCall) -> Any:
    least = c.scalar(2, "minlength", 0)
    return c.on_tensors(op.bincount, c[0], c[1] if c.has(1) else None, least)


def _index_add(c: OperatorCall) -> Any:
    return op.index_add(c[0], c[1], int(c.attribute("axis", 0)), c[2])


def _index_put(c: OperatorCall) -> Any:
    return op.index_put(c[0], tuple(c.several(1)), c[2], bool(c.attribute("accumulate", False)))


def _einsum(c: OperatorCall) -> Any:
    return op.einsum(str(c.required("equation")), *c.several(0))


def _repeated(c: OperatorCall) -> Any:
    return op.repeat_interleave(c[0], int(c.required("repeats Repeats")), int(c.attribute("axis dim", 0)))


def _repeated_by(c: OperatorCall) -> Any:
    return op.repeat_interleave(c[0], c[1], int(c.attribute("axis dim", 0)))


def _repeated_old(c: OperatorCall) -> Any:
    return _repeated_by(c) if c.has(1) else _repeated(c)


def _crop(c: OperatorCall) -> Any:
    return op.crop(c[0], c.sizes(1, "shape"), c.sizes(2, "offsets"))


def _empty(c: OperatorCall) -> Any:
    """Zeros: what memory held is nobody's business."""
    shape = c.sizes(0, "shape")
    if product(shape) > 1 << 26:
        raise c.refuse(f"a tensor of {shape}")
    return op.zeros(shape, c.dtype("dtype", dt.float32))


def _close(name: str) -> Reader:
    def read(c: OperatorCall) -> Any:
        bounds = [float(c.number(k, text)) for k, text in ((2, "rtol"), (3, "atol"))]
        return getattr(op, name)(c[0], c[1], *bounds, bool(c.attribute("equal_nan", False)))

    return read


# ---- Fourier transforms


def _transform(name: str) -> Reader:
    def read(c: OperatorCall) -> Any:
        axes = tuple(int(a) % c[0].ndim for a in c.required("axes"))
        attributes: dict[str, Any] = {
            "axes": axes, "norm": str(c.attribute("normalization", "backward")),
            "forward": bool(c.attribute("forward", True)),
        }  # fmt: skip
        x = c[0]
        if name == "fft_c2r":
            size = int(c.attribute("last_dim_size", 0))
            attributes["size"] = size or 2 * (x.shape[axes[-1]] - 1)
        if name == "fft_r2c" and not c.attribute("onesided", True):
            name_, x = "fft_c2c", op.complex(x, op.zeros_like(x))
            return getattr(rows, name_)(x, **attributes)
        return getattr(rows, name)(x, **attributes)

    return read


# ---- images


def _four(values: Any) -> list[int]:
    return [int(v) for v in values]


def _unpool(c: OperatorCall) -> Any:
    size = c.ints(2, "output_size")
    return pool_nd.max_unpool2d(
        c[0], c[1], _four(c.required("ksize")), _four(c.required("strides")), _four(c.attribute("padding paddings", 0)),
        output_size=size or None,
    )  # fmt: skip


def _lp_pool(c: OperatorCall) -> Any:
    if c.attribute("adaptive", False) or c.attribute("global_pooling", False) or any(c.attribute("paddings", [])):
        raise c.refuse("padding, or windows that follow from the size")
    return pool_nd.lp_pool2d(
        c[0], float(c.attribute("norm_type", 2.0)), c.ints(None, "kernel_size"), c.ints(None, "strides"), 0,
        bool(c.attribute("ceil_mode", False)), str(c.attribute("data_format", "NCHW")),
    )  # fmt: skip


def _max_pool_3d(c: OperatorCall) -> Any:
    kernel = c.ints(None, "kernel_size ksize") or []
    if c.attribute("adaptive", False):
        c.without("strides paddings")
        return pool_nd.adaptive_max_pool3d(c[0], kernel, True)
    strides, pads = _four(c.required("strides")), _four(c.attribute("paddings", [0, 0, 0]))
    return op.max_pool3d(c[0], kernel, strides, pads, True, bool(c.attribute("ceil_mode", False)))


def _spectral_norm(c: OperatorCall) -> Any:
    """weight over its largest singular value, after some power iterations from u and v."""
    weight, u, v = c[0], c[1], c[2]
    axis, eps = int(c.attribute("dim", 0)), float(c.attribute("eps", 1e-12))
    order = [axis, *(k for k in range(weight.ndim) if k != axis)]
    flat = op.reshape(op.transpose(weight, order), [weight.shape[axis], -1])
    for _ in range(int(c.attribute("power_iters", 1))):
        v = op.mv(op.transpose(flat, [1, 0]), u)
        v = v / (op.norm(v) + eps)
        u = op.mv(flat, v)
        u = u / (op.norm(u) + eps)
    return weight / op.dot(u, op.mv(flat, v))


# ---- losses: one number per element or row; a program reduces them itself


def _softmax_loss(c: OperatorCall) -> Any:
    """(softmax, loss), the loss with its axis kept."""
    x, label, axis = c[0], c[1], int(c.attribute("axis", -1))
    if not c.attribute("use_softmax", True):
        raise c.refuse("a loss of probabilities")
    soft = bool(c.attribute("soft_label", False))
    loss = op.softmax_with_cross_entropy(x, label, soft, int(c.attribute("ignore_index", -100)), axis=axis)
    return op.softmax(x, axis), loss


def _huber(c: OperatorCall) -> Any:
    """(loss, difference)."""
    delta, gap = float(c.attribute("delta", 1.0)), c[1] - c[0]
    size = op.abs(gap)
    return op.where(size <= delta, 0.5 * gap * gap, delta * (size - 0.5 * delta)), gap


def _kl(c: OperatorCall) -> Any:
    return op.kl_div(c[0], c[1], str(c.attribute("reduction", "mean")), bool(c.attribute("log_target", False)))


def _sigmoid_loss(c: OperatorCall) -> Any:
    if c.attribute("normalize", False):
        raise c.refuse("a loss over the number of labels")
    x, label = c[0], c[1]
    weight = c[2] if c.has(2) else None
    loss = op.binary_cross_entropy_with_logits(x, label, reduction="none", pos_weight=weight)
    ignored = int(c.attribute("ignore_index", -100))
    return op.where(op.equal(label, float(ignored)), op.zeros_like(loss), loss)


def _nll(c: OperatorCall) -> Any:
    return op.nll_loss(
        c[0], c[1], c[2] if c.has(2) else None, int(c.attribute("ignore_index", -100)),
        str(c.attribute("reduction", "mean")),
    )  # fmt: skip


def _smooth(c: OperatorCall) -> Any:
    return op.label_smooth(c[0], c[1] if c.has(1) else None, float(c.attribute("epsilon", 0.0)))


def _sequence_mask(c: OperatorCall) -> Any:
    longest = c.scalar(1, "max_len maxlen", -1)
    if isinstance(longest, int) and longest < 0:
        raise c.refuse("a length that only a run knows")
    return vision.sequence_mask(c[0], longest, c.dtype("out_dtype", dt.int64))


def _bilinear(c: OperatorCall) -> Any:
    return vision.bilinear(c[0], c[1], c[2], c[3] if c.has(3) else None)


# ---- linear algebra


def _svd(c: OperatorCall) -> Any:
    return tuple(op.svd(c[0], bool(c.attribute("full_matrices", False))))


def _qr(c: OperatorCall) -> Any:
    mode = str(c.attribute("mode", "reduced"))
    if mode == "r":
        return None, op.qr(c[0], "r")
    return tuple(op.qr(c[0], mode))


def _lu(c: OperatorCall) -> Any:
    return tuple(op.lu(c[0], bool(c.attribute("pivot pivots", True)), True))


def _lstsq(c: OperatorCall) -> Any:
    return tuple(op.lstsq(c[0], c[1]))


def _rank(c: OperatorCall) -> Any:
    if not c.attribute("use_default_tol", True):
        raise c.refuse("a tolerance of the program's own")
    rank = op.matrix_rank(c[0], hermitian=bool(c.attribute("hermitian", False)))
    return op.cast(rank, dt.int64 if c.reader.model.form == "new" else dt.int32)


ENTRIES: list[Entry] = [
    # element by element
    *(called(getattr(op, name), name) for name in ("digamma", "erfinv", "lgamma", "conj", "real", "imag", "angle")),
    *(called(getattr(op, name), name, None, "x", "out") for name in ("i0", "i0e", "i1", "i1e")),
    called(op.atan2, "atan2", None, "X1 X2"),
    called(op.bitwise_left_shift, "bitwise_left_shift", None, "x y", "out", is_arithmetic="is_arithmetic"),
    called(op.bitwise_right_shift, "bitwise_right_shift", None, "x y", "out", is_arithmetic="is_arithmetic"),
    called(op.celu, "celu", alpha="alpha"),
    called(op.complex, "complex", None, "X Y"),
    called(op.copysign, "copysign", None, "x y", "out"),
    called(op.hardshrink, "hardshrink", "hard_shrink", threshold="threshold"),
    called(op.heaviside, "heaviside", "elementwise_heaviside", "X Y"),
    called(op.lerp, "lerp", None, "X Y Weight"),
    called(op.logit, "logit", eps="eps"),
    called(op.maxout, "maxout", groups="groups", axis="axis"),
    called(op.polygamma, "polygamma", None, "x", "out", n="n"),
    called(op.softshrink, "softshrink", threshold="threshold lambda"),
    called(op.stanh, "stanh", scale_a="scale_a", scale_b="scale_b"),
    called(op.thresholded_relu, "thresholded_relu", threshold="threshold", value="value"),
    # along axes
    called(op.dist, "dist", None, "X Y", p="p"),
    called(op.renorm, "renorm", p="p", axis="axis", max_norm="max_norm"),
    entry(_median("median"), "median", None, "X", "Out MedianIndex"),
    entry(_median("nanmedian"), "nanmedian", None, "X", "Out MedianIndex"),
    entry(_paired(op.cummax), "cummax", None, "x", "out indices"),
    entry(_paired(op.cummin), "cummin", None, "x", "out indices"),
    entry(_paired(op.kthvalue, k="k", keepdim="keepdim"), "kthvalue", None, "X", "Out Indices"),
    entry(_paired(op.mode, keepdim="keepdim"), "mode", None, "X", "Out Indices"),
    entry(_rrelu, "rrelu", None, "X", "Out Noise"),
    entry(_running("cumprod"), "cumprod"),
    entry(_running("logcumsumexp"), "logcumsumexp"),
    # places and pieces
    called(op.cross, "cross", None, "X Y", axis="axis dim"),
    called(op.diag, "diag", "diag_v2", offset="offset", padding_value="padding_value"),
    called(op.diag_embed, "diag_embed", None, "Input", offset="offset", dim1="dim1", dim2="dim2"),
    called(op.diagonal, "diagonal", None, "Input", offset="offset", axis1="axis1", axis2="axis2"),
    called(op.equal_all, "equal_all", None, "X Y"),
    called(op.index_sample, "index_sample", None, "X Index"),
    called(op.kron, "kron", None, "X Y"),
    called(op.masked_fill, "masked_fill", None, "x mask value", "out"),
    called(op.masked_select, "masked_select", None, "X Mask", "Y"),
    called(op.searchsorted, "searchsorted", None, "SortedSequence Values", out_int32="out_int32", right="right"),
    called(op.trace, "trace", None, "Input", offset="offset", axis1="axis1", axis2="axis2"),
    called(signal.frame, "frame", None, frame_length="frame_length", hop_length="hop_length", axis="axis"),
    called(signal.overlap_add, "overlap_add", None, hop_length="hop_length", axis="axis"),
    entry(_bincount, "bincount", None, "X Weights"),
    entry(_close("allclose"), "allclose", None, "Input Other Rtol Atol"),
    entry(_close("isclose"), "isclose", None, "Input Other Rtol Atol"),
    entry(_crop, "crop", "crop_tensor", "X Shape|ShapeTensor* Offsets|OffsetsTensor*"),
    entry(_einsum, "einsum", None, "Operands*"),
    entry(_empty, "empty", None, "ShapeTensor|ShapeTensorList*"),
    entry(_histogram, "histogram", None, "X Weight"),
    entry(_index_add, "index_add", None, "X Index AddValue"),
    entry(_index_put, "index_put", None, "x indices* value", "out"),
    entry(_repeated, "repeat_interleave", ""),
    entry(_repeated_by, "repeat_interleave_with_tensor_index", ""),
    entry(_repeated_old, "", "repeat_interleave", "X RepeatsTensor"),
    entry(_sequence_mask, "sequence_mask", None, "X MaxLenTensor", "Y"),
    entry(_transform("fft_c2c"), "fft_c2c"),
    entry(_transform("fft_c2r"), "fft_c2r"),
    entry(_transform("fft_r2c"), "fft_r2c"),
    entry(_unique, "unique", None, "X", "Out Indices Index Counts"),
    entry(_unique_consecutive, "unique_consecutive", None, "X", "Out Index Counts"),
    # images
    called(vision.fold, "fold", None, "X", "Y", output_sizes="output_sizes", kernel_sizes="kernel_sizes",
           strides="strides", paddings="paddings", dilations="dilations"),
    called(vision.pixel_unshuffle, "pixel_unshuffle", downscale_factor="downscale_factor", data_format="data_format"),
    called(vision.temporal_shift, "temporal_shift", seg_num="seg_num", shift_ratio="shift_ratio",
           data_format="data_format"),
    called(vision.unfold, "unfold", None, "X", "Y", kernel_sizes="kernel_sizes", strides="strides",
           paddings="paddings", dilations="dilations"),
    entry(_lp_pool, "lp_pool2d", None, "x", "out"),
    entry(_max_pool_3d, "max_pool3d_with_index", None, "X", "Out Mask"),
    entry(_spectral_norm, "spectral_norm", None, "Weight U V"),
    entry(_unpool, "unpool", None, "X Indices"),
    # losses
    entry(lambda c: op.binary_cross_entropy(c[0], c[1], reduction="none"), "bce_loss", None, "X Label"),
    entry(_bilinear, "bilinear", "bilinear_tensor_product", "X Y Weight Bias"),
    entry(_huber, "huber_loss", None, "X Y", "Out Residual"),
    entry(_kl, "kldiv_loss", None, "X Target", "Loss"),
    entry(_nll, "nll_loss", None, "X Label Weight"),
    entry(_sigmoid_loss, "sigmoid_cross_entropy_with_logits", None, "X Label pos_weight"),
    entry(_smooth, "label_smooth", None, "X PriorDist"),
    entry(_softmax_loss, "cross_entropy_with_softmax", "softmax_with_cross_entropy", "Logits Label", "Softmax Loss"),
    # linear algebra
    called(op.cholesky, "cholesky", upper="upper"),
    called(op.cholesky_solve, "cholesky_solve", None, "X Y", upper="upper"),
    called(op.det, "det", "determinant", "Input"),
    called(op.inv, "inverse", None, "Input", "Output"),
    called(op.matrix_power, "matrix_power", n="n"),
    called(op.slogdet, "slogdet", "slogdeterminant", "Input"),
    called(op.solve, "solve", None, "X Y"),
    called(op.triangular_solve, "triangular_solve", None, "X Y", upper="upper", transpose="transpose",
           unitriangular="unitriangular"),
    entry(lambda c: (op.eigvalsh(c[0], str(c.attribute("uplo UPLO", "L"))),), "eigvalsh", None, "X", "Eigenvalues"),
    entry(lambda c: tuple(op.eigh(c[0], str(c.attribute("UPLO", "L")))), "eigh", None, "X", "Eigenvalues Eigenvectors"),
    entry(lambda c: op.multi_dot(c.several(0)), "multi_dot", None, "X*"),
    entry(_lstsq, "lstsq", None, "X Y", "Solution Residuals Rank SingularValues"),
    entry(_lu, "lu", None, "X", "Out Pivots Infos"),
    entry(_qr, "qr", None, "X", "Q R"),
    entry(_rank, "matrix_rank"),
    entry(_svd, "svd", None, "X", "U S VH"),
]  # fmt: skip
