"""The products of products_shapes.py in each library, for products.py."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
from products_shapes import PRODUCTS
from sweep_worker import THREADS, serve


def arrays(product):
    """Both operands and the gradient of the result, float32, from a fixed seed."""
    rng = np.random.default_rng(7)
    if product.kind == "conv":
        n, c, h, w, o, kh, kw, stride, padding, groups = product.sizes
        height, width = ((size + 2 * padding - k) // stride + 1 for size, k in ((h, kh), (w, kw)))
        shapes = (n, c, h, w), (o, c // groups, kh, kw), (n, o, height, width)
    else:
        batch, rows, depth, columns = product.sizes
        front, lead = ((batch, rows), (batch,)) if product.kind == "batched" else ((batch * rows,), ())
        shapes = (*front, depth), (*lead, depth, columns), (*front, columns)
    return [rng.standard_normal(shape, np.float32) for shape in shapes]


def _vitrify(product, given, what):
    import vitrify as vt

    vt.set_num_threads(THREADS)
    x, w, g = map(vt.to_tensor, given)
    if product.kind == "conv":
        stride, padding, groups = product.sizes[-3:]

        def forward(x, w):
            return vt.nn.functional.conv2d(x, w, stride=stride, padding=padding, groups=groups)
    else:

        def forward(x, w):
            return vt.matmul(x, w)

    if what == "forward":
        compiled = vt.to_static(forward)
        return lambda: compiled(x, w)

    def left(x, w, g):
        x.stop_gradient = False
        return vt.grad(forward(x, w), [x], g)

    def right(x, w, g):
        w.stop_gradient = False
        return vt.grad(forward(x, w), [w], g)

    step = vt.to_static(left if what == "left" else right)
    return lambda: step(x, w, g)[0]


def _torch(product, given, what):
    import torch

    torch.set_num_threads(THREADS)
    x, w, g = map(torch.from_numpy, given)
    with torch.no_grad():
        if product.kind == "conv":
            stride, padding, groups = product.sizes[-3:]
            if what == "forward":
                return _without_grad(torch, lambda: torch.nn.functional.conv2d(x, w, None, stride, padding, 1, groups))
            wanted = [what == "left", what == "right", False]
            place, sizes = wanted.index(True), ([stride] * 2, [padding] * 2, [1, 1])
            call = torch.ops.aten.convolution_backward
            return _without_grad(torch, lambda: call(g, x, w, None, *sizes, False, [0, 0], groups, wanted)[place])
        if what == "forward":
            return _without_grad(torch, lambda: torch.matmul(x, w))
        if what == "left":
            return _without_grad(torch, lambda: torch.matmul(g, w.mT))
        return _without_grad(torch, lambda: torch.matmul(x.mT, g))


def _without_grad(torch, function):
    def run():
        with torch.no_grad():
            return function()

    return run


def _numpy(product, given, what):
    x, w, g = given
    if product.kind == "conv":
        return None
    if what == "forward":
        return lambda: np.matmul(x, w)
    if what == "left":
        turned = np.swapaxes(w, -1, -2)
        return lambda: np.matmul(g, turned)
    turned = np.swapaxes(x, -1, -2)
    return lambda: np.matmul(turned, g)


def _openvino(product, given, what):
    """Weights are constants, which it may lay out as it likes; float32 throughout."""
    if what != "forward":
        return None
    import openvino as ov
    from openvino import opset8 as ops

    x, w, _ = given
    data = ops.parameter(x.shape, np.float32)
    second = ops.parameter(w.shape, np.float32) if product.kind == "batched" else ops.constant(w)
    if product.kind == "conv":
        o, stride, padding, groups = product.sizes[4], *product.sizes[-3:]
        sizes = [stride] * 2, [padding] * 2, [padding] * 2, [1, 1]
        if groups > 1:
            second = ops.constant(w.reshape(groups, o // groups, *w.shape[1:]))
            made = ops.group_convolution(data, second, *sizes)
        else:
            made = ops.convolution(data, second, *sizes)
    else:
        made = ops.matmul(data, second, False, False)
    inputs = [data, second] if product.kind == "batched" else [data]
    settings = {"INFERENCE_NUM_THREADS": THREADS, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    request = ov.Core().compile_model(ov.Model([made], inputs), "CPU", settings).create_infer_request()
    for k, array in enumerate([x, w][: len(inputs)]):
        request.set_input_tensor(k, ov.Tensor(array, shared_memory=True))
    output = request.get_output_tensor()

    def run():
        request.infer()
        return output.data

    run.given = given  # OpenVINO reads this memory
    return run


_LIBRARIES = {"vt": _vitrify, "np": _numpy, "torch": _torch, "openvino": _openvino}


def _prepare(ask):
    """A call and the digest of its result; None where a library has no such product."""
    product = PRODUCTS[ask["product"]]
    run = _LIBRARIES[ask["library"]](product, arrays(product), ask["what"])
    return run and (run, _digest)


def _digest(made):
    values = np.asarray(made.numpy() if hasattr(made, "numpy") else made)
    return float(np.abs(values).sum(dtype=np.float64))


if __name__ == "__main__":
    serve(_prepare)
