"""A model saved by vitrify 0.2.0.

Python and NumPy are all it needs. `import model` and call `forward`, `encode`;
`python model.py` runs the stored examples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
FOLDER = Path(__file__).resolve().parent
with np.load(FOLDER / "weights.npz") as _file:
    WEIGHTS: dict[str, Array] = dict(_file)  # parameters, buffers and large constants; methods may update them


def as_input(name: str, value: Any, dtype: Any, shape: tuple[int | None, ...]) -> Array:
    """An argument as an array; TypeError or ValueError where it isn't what the model was saved for."""
    array = np.asarray(value)
    if array.dtype != dtype:
        raise TypeError(f"{name} must be {np.dtype(dtype)}, not {array.dtype}")
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape)):
        raise ValueError(f"{name} must have the shape {list(shape)}, not {list(array.shape)}")
    return array


def window_size(size: Any, kernel: int, stride: int, before: int, after: int, dilation: int=1, ceil: bool=False) -> Any:
    """Output size of a sliding window; ShapeError when the window doesn't fit."""
    span = dilation * (kernel - 1) + 1
    room = size + (before + after - span)
    if isinstance(room, int) and room < 0:
        raise ValueError(f"a window of {span} doesn't fit into {size} (padding {before}+{after})")
    if ceil:
        out = (room + (stride - 1)) // stride + 1
        if isinstance(out, int) and isinstance(size, int) and ((out - 1) * stride >= size + before):
            out -= 1
        return out
    return room // stride + 1


def sizes_of(size: Any, kernel: Any, a: dict[str, Any]) -> Any:
    """Height and width of the result."""
    parts = zip(size, kernel, a['stride'], a['padding'], a['dilation'], strict=True)
    rows, columns = tuple((int(d) for d in [window_size(n, k, s, p[0], p[1], d) for n, k, s, p, d in parts]))
    return (rows, columns)


def _filters(weight: Any, groups: int) -> Any:
    return weight.reshape(groups, weight.shape[0] // groups, -1 if weight.size else 0)


BLOCK = 1048576


def _blocks(n: int, columns: int) -> Any:
    """Images in blocks whose columns, `columns` elements for each image, are at most BLOCK (or one image's)."""
    step = max(BLOCK // max(columns, 1), 1)
    return (slice(start, min(start + step, n)) for start in range(0, n, step))


def _padded(x: Any, a: dict[str, Any]) -> Any:
    (top, bottom), (left, right) = a['padding']
    if not (top or bottom or left or right):
        return x
    n, c, h, w = x.shape
    out: Any = np.zeros((n, c, h + top + bottom, w + left + right), x.dtype)
    out[:, :, top:top + h, left:left + w] = x
    return out


def _columns(x: Any, kernel: Any, out: Any, a: dict[str, Any]) -> Any:
    """[n, groups, channels / groups * kh * kw, oh * ow]; with stride 1 the rows are as wide as the padded image."""
    (kh, kw), (sh, sw), (dh, dw), (oh, ow) = (kernel, a['stride'], a['dilation'], out)
    flat = a['stride'] == (1, 1) and bool(x.size) and (x.dtype.kind == 'f')
    x = _padded(x, a)
    n, c, _, width = x.shape
    if kh == kw == 1 and (flat or sh == sw == 1):
        return x.reshape(n, a['groups'], c // a['groups'], oh * ow)
    if flat:
        length, lines = ((oh - 1) * width + ow, x.reshape(n, c, -1))
        columns: Any = np.empty((n, c, kh * kw, oh * width), x.dtype)
        columns[..., length:] = 0
        for k in range(kh * kw):
            start = k // kw * dh * width + k % kw * dw
            columns[:, :, k, :length] = lines[:, :, start:start + length]
    else:
        columns = np.empty((n, c, kh * kw, oh, ow), x.dtype)
        for k in range(kh * kw):
            i, j = (k // kw * dh, k % kw * dw)
            columns[:, :, k] = x[:, :, i:i + oh * sh:sh, j:j + ow * sw:sw]
    return columns.reshape(n, a['groups'], c // a['groups'] * kh * kw, -1)


def conv2d(x: Any, weight: Any, **a: Any) -> Any:
    """Images [n, c, h, w] with filters [out, c / groups, kh, kw]."""
    kernel, (n, c), out = (weight.shape[2:], x.shape[:2], weight.shape[0])
    oh, ow = sizes_of(x.shape[2:], kernel, a)
    filters = _filters(weight, a['groups'])
    made: Any = np.empty((n, out, oh, ow), np.float32)
    for block in _blocks(n, c * kernel[0] * kernel[1] * oh * x.shape[3]):
        wide = np.matmul(filters, _columns(x[block], kernel, (oh, ow), a))
        made[block] = wide.reshape(wide.shape[0], out, oh, wide.shape[3] // oh if oh else ow)[..., :ow]
    return made


def sum_(x: Any, *, axis: tuple[int, ...], keepdim: bool) -> Any:
    made, kind = (np.add.reduce(x, axis=axis, keepdims=keepdim, dtype=np.float32), {np.dtype(np.float32): np.dtype(np.float32)}.get(np.float32))
    if kind is None:
        kind = {np.dtype(np.float32): np.dtype(np.float32)}[np.dtype(np.float32)] = np.dtype(np.float32)
    return made if type(made) is np.ndarray and made.dtype == kind else np.asarray(made).astype(kind, copy=False)


def _mean(x: Any, axis: tuple[int, ...], keepdims: Any) -> Any:
    count = math.prod([x.shape[k] for k in axis])
    return np.divide(np.add.reduce(x, axis=axis, keepdims=keepdims), x.dtype.type(count))


def mean(x: Any, *, axis: tuple[int, ...], keepdim: bool) -> Any:
    made, kind = (_mean(x, axis=axis, keepdims=keepdim), {}.get(np.float32))
    if kind is None:
        kind = {}[np.dtype(np.float32)] = np.dtype(np.float32)
    return made if type(made) is np.ndarray and made.dtype == kind else np.asarray(made).astype(kind, copy=False)


@np.errstate(all="ignore")
def forward(image: Array, steps: Array) -> Any:
    """image: f32[N, 1, 4, 4], steps: i64[] -> f32[N, 5], f32[]."""
    image = as_input('image', image, np.float32, (None, 1, 4, 4))
    steps = as_input('steps', steps, np.int64, ())
    N = image.shape[0]
    calls = WEIGHTS['calls']
    convolution_weight = WEIGHTS['convolution.weight']
    convolution_bias = WEIGHTS['convolution.bias']
    normal_variance = WEIGHTS['normal._variance']
    normal_weight = WEIGHTS['normal.weight']
    normal_mean = WEIGHTS['normal._mean']
    normal_bias = WEIGHTS['normal.bias']
    dense_weight = WEIGHTS['dense.weight']
    dense_bias = WEIGHTS['dense.bias']
    # make.py:42: self.calls.add_(vt.ones([], "int64"))
    add_1 = calls + np.int64(1)
    # make.py:43: h = F.relu(self.normal(self.convolution(image)))
    conv2d_1 = conv2d(image, convolution_weight, stride=(1, 1), padding=((1, 1), (1, 1)), dilation=(1, 1), groups=1)
    rsqrt_1 = np.float32(1) / np.sqrt(normal_variance + np.float32(1e-05))
    subtract_1 = conv2d_1 + convolution_bias.reshape((1, 3, 1, 1)) - normal_mean.reshape((1, 3, 1, 1))
    multiply_1 = subtract_1 * (rsqrt_1 * normal_weight).reshape((1, 3, 1, 1))
    relu_1 = np.maximum(multiply_1 + normal_bias.reshape((1, 3, 1, 1)), np.float32(0))
    # make.py:44: h = self.dense(h.flatten(1))
    add_2 = np.matmul(relu_1.reshape((N, 48)), dense_weight) + dense_bias
    # make.py:46: while turn < steps:
    less_than_1 = np.int64(0) < steps
    carried, h, turn = less_than_1, add_2, np.int64(0)
    while carried:
        # make.py:47: h = vt.tanh(h) * 1.5
        multiply_2 = np.tanh(h) * np.float32(1.5)
        # make.py:48: turn = turn + 1
        add_3 = turn + np.int64(1)
        # make.py:46: while turn < steps:
        carried, h, turn = add_3 < steps, multiply_2, add_3
    # make.py:49: if h.sum() > 0:
    greater_than_1 = sum_(h, axis=(0, 1), keepdim=False) > np.float32(0.0)
    if greater_than_1:
        # make.py:50: h = h - h.mean()
        chosen = h - mean(h, axis=(0, 1), keepdim=False)
    else:
        # make.py:52: h = h * 2.0
        chosen = h * np.float32(2.0)
    # make.py:53: return {"logits": h, "sum": h.sum()}
    sum_1 = sum_(chosen, axis=(0, 1), keepdim=False)
    # make.py:42: self.calls.add_(vt.ones([], "int64"))
    WEIGHTS['calls'] = np.array(add_1)
    return {'logits': np.array(chosen), 'sum': np.array(sum_1)}


@np.errstate(all="ignore")
def encode(image: Array) -> Any:
    """image: f32[N, 1, 4, 4] -> f32[N, 3, 4, 4], i64[N]."""
    image = as_input('image', image, np.float32, (None, 1, 4, 4))
    N = image.shape[0]
    convolution_weight = WEIGHTS['convolution.weight']
    convolution_bias = WEIGHTS['convolution.bias']
    # make.py:58: h = self.convolution(image) * scale
    conv2d_1 = conv2d(image, convolution_weight, stride=(1, 1), padding=((1, 1), (1, 1)), dilation=(1, 1), groups=1)
    multiply_1 = (conv2d_1 + convolution_bias.reshape((1, 3, 1, 1))) * np.float32(2.0)
    # make.py:59: return h, h.flatten(1).argmax(axis=-1)
    argmax_1 = np.argmax(multiply_1.reshape((N, 48)), axis=1, keepdims=False).astype(np.int64, copy=False)
    return (np.array(multiply_1), np.array(argmax_1))


def compare(method: str, made: Any, stored: dict[str, Array]) -> None:
    """AssertionError where results differ from the stored ones by more than rounding."""
    found = list(leaves(made))
    expected = [stored[f"{method}.out.{k}"] for k in range(len(found))]
    for k, (a, b) in enumerate(zip(found, expected)):
        close = np.asarray(a).shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)
        assert close, f"{method}: result {k} isn't the stored one"


def leaves(value: Any) -> Iterator[Any]:
    """The arrays and numbers in nested results."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from leaves(part)
    elif isinstance(value, (np.ndarray, np.generic, int, float, complex)):
        yield value


def self_test() -> None:
    """Run the stored examples."""
    with np.load(FOLDER / "selftest.npz") as file:
        stored = dict(file)
    kept = dict(WEIGHTS)
    compare('forward', forward(stored['forward.in.0'], stored['forward.in.1']), stored)
    WEIGHTS.update(kept)
    compare('encode', encode(stored['encode.in.0']), stored)
    WEIGHTS.update(kept)


if __name__ == "__main__":
    self_test()
    print("ok")
