"""Tables of a network: each layer with its output and parameters, and the operations that it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, KindError
from ..base.pytree import flatten
from ..base.table import table
from ..dygraph.modes import no_grad
from ..dygraph.nn.layer import Layer
from ..dygraph.tensor import Tensor
from ..ir.input_spec import InputSpec
from .program_work import count_program, is_loaded


def summary(net: Layer, input_size: Any = None, dtypes: Any = None, input: Any = None) -> dict[str, int]:
    """Print a line per layer (inputs, output with its dtype and size, operations, parameters) and the totals; returns
    `total_params`, `trainable_params`. FLOPs are multiplications with additions, as `flops` counts them.

    input_size: a shape or an InputSpec, or a list of these for several inputs; an open size is 1. dtypes: of the inputs
    (default float32). input: example inputs in place of both; a list is one argument where `forward` takes one. The
    network runs once in eval mode. A loaded model is one line: its program has the layers in it.
    Errors: KindError for anything but a Layer; ArgumentError without input_size and input.

    >>> from ..dygraph.nn import Linear
    >>> facts = summary(Linear(3, 2), (1, 3))  # doctest: +ELLIPSIS
    layer (type)...
    >>> facts
    {'total_params': 8, 'trainable_params': 8}
    """
    rows: list[tuple[str, ...]] = []
    order = {id(layer): name for name, layer in net.named_sublayers(include_self=True)} if _is_layer(net) else {}
    activations = operations = 0

    def note(layer: Layer, inputs: Any, outputs: Any) -> None:
        nonlocal activations, operations
        own = sum(_size(p) for p in layer.parameters(include_sublayers=is_loaded(layer)))
        name = f"{order.get(id(layer), '') or type(net).__name__} ({type(layer).__name__})"
        made, work = _bytes(flatten(outputs, _is_tensor)[0]), _counted(layer, inputs, outputs)
        activations, operations = activations + made, operations + (work or 0)
        output = f"{_shapes(outputs)} {_dtypes(outputs)}"
        shown = "unknown" if work is None else f"{work:,}"
        rows.append((name, _shapes(inputs), output, _memory(made), shown, f"{own:,}"))

    _run(net, _inputs(net, input_size, dtypes, input), note)
    params = net.parameters()
    total = sum(_size(p) for p in params)
    trainable = sum(_size(p) for p in params if not p.stop_gradient)
    print(table(("layer (type)", "input", "output", "size", "FLOPs", "params"), rows, right=(3, 4, 5)))
    print(f"parameters: {total:,} ({_memory(_bytes(params))}), trainable {trainable:,}, frozen {total - trainable:,}")
    print(f"activations: {_memory(activations)}; operations: {operations:,} multiplications with additions")
    return {"total_params": total, "trainable_params": trainable}


def flops(
    net: Layer, input_size: Any, custom_ops: dict[type, Callable[..., int]] | None = None, print_detail: bool = False
) -> int:
    """Multiplications with additions (one each) of a run of `net`, as Paddle counts them; others by `custom_ops`.

    custom_ops: layer class -> `f(layer, inputs, outputs) -> int`. print_detail: also a line per layer. Of a
    loaded model its program's operations count, those that are no products one per element: that may be a bit more.
    Errors: KindError for a loaded model with loops or branches, whose number of runs only a call tells.

    >>> from ..dygraph.nn import Linear
    >>> flops(Linear(3, 2), [1, 3])
    6
    """
    rows: list[tuple[str, ...]] = []
    total = 0

    def note(layer: Layer, inputs: Any, outputs: Any) -> None:
        nonlocal total
        count = next((f for kind, f in (custom_ops or {}).items() if isinstance(layer, kind)), _counted)
        found = count(layer, inputs, outputs)
        if found is None:
            raise KindError(
                f"flops: {layer.full_name()} is loaded, and only a run tells how much the program's loops do",
                remedy="count the network that was saved, or pass custom_ops={type(net): f}",
            )
        number = int(found)
        total += number
        rows.append((layer.full_name(), _shapes(inputs), _shapes(outputs), f"{number:,}"))

    _run(net, _inputs(net, input_size, None, None), note)
    if print_detail:
        print(table(("layer", "input", "output", "flops"), rows))
    return total


def _is_layer(net: Any) -> bool:
    if not isinstance(net, Layer):
        raise KindError(f"this needs a Layer, not a {type(net).__name__}")
    return True


def _inputs(net: Layer, input_size: Any, dtypes: Any, given: Any) -> list[Any]:
    _is_layer(net)
    if given is not None:
        spread = isinstance(given, (list, tuple)) and not (len(given) > 1 and _takes_one(net))
        return list(given) if spread else [given]
    if input_size is None:
        raise ArgumentError("give input_size, or example inputs")
    several = isinstance(input_size, (list, tuple)) and any(isinstance(s, (list, tuple, InputSpec)) for s in input_size)
    given_as: Sequence[Any] = input_size if several else [input_size]
    if dtypes is None:
        dtypes = [s.dtype if isinstance(s, InputSpec) else None for s in given_as]
    shapes = [s.shape if isinstance(s, InputSpec) else s for s in given_as]
    kinds = list(dtypes) if isinstance(dtypes, (list, tuple)) else [dtypes] * len(shapes)
    made = []
    for shape, kind in zip(shapes, kinds, strict=True):
        given_sizes = shape if isinstance(shape, (list, tuple)) else [shape]
        sizes = [1 if d in (None, -1) or isinstance(d, str) else int(d) for d in given_sizes]
        made.append(Tensor(np.ones(sizes, np.dtype(as_dtype(kind or "float32").name))))
    return made


def _takes_one(net: Layer) -> bool:
    """Whether `forward` takes one argument: then several inputs are a list of them."""
    parameters = inspect.signature(net.forward).parameters.values()
    return len(parameters) == 1 and all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)


def _run(net: Layer, inputs: list[Any], note: Callable[[Layer, Any, Any], None]) -> None:
    """Run the network once in eval mode; `note` sees each layer without sublayers, or with parameters of its own."""
    modes = [(layer, layer.training) for layer in net.sublayers(include_self=True)]
    held = {id(inner) for x, _ in modes if is_loaded(x) for inner in x.sublayers()}  # these don't run
    ran = [x for x, _ in modes if id(x) not in held]
    leaves = [x for x in ran if is_loaded(x) or not x.sublayers() or x.parameters(include_sublayers=False)]
    hooks = [layer.register_forward_post_hook(note) for layer in leaves]
    try:
        net.eval()
        with no_grad():
            net(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
        for layer, mode in modes:
            layer.training = mode


def _size(x: Any) -> int:
    return int(np.prod(x.shape, dtype=np.int64))


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def _bytes(tensors: Sequence[Any]) -> int:
    return sum(_size(x) * x.dtype.itemsize for x in tensors if isinstance(x, Tensor))


def _memory(count: float) -> str:
    units = ["B", "KiB", "MiB", "GiB"]
    while count >= 1024 and len(units) > 1:
        count, units = count / 1024, units[1:]
    return f"{count:.0f} B" if units[0] == "B" else f"{count:.1f} {units[0]}"


def _dtypes(value: Any) -> str:
    return ", ".join(dict.fromkeys(x.dtype.name for x in flatten(value, _is_tensor)[0] if isinstance(x, Tensor)))


def _shapes(value: Any) -> str:
    return ", ".join(str(list(x.shape)) for x in flatten(value, _is_tensor)[0])


def _counted(layer: Any, inputs: Any, outputs: Any) -> int | None:
    """Paddle's conventions: a bias is an addition per output element; normalisation two per element in eval mode."""
    kind = type(layer).__name__
    x = flatten(inputs, _is_tensor)[0]
    y = flatten(outputs, _is_tensor)[0]
    if is_loaded(layer):
        return count_program(layer.program(), x)
    if not x or not y:
        return 0
    weight: Any = getattr(layer, "weight", None)
    if kind.startswith("Conv") and weight is not None:
        bias = getattr(layer, "bias", None) is not None
        per_output = _size(weight) // int(weight.shape[0]) if "Transpose" not in kind else _size(weight[0])
        return _size(y[0]) * (per_output + bias)
    if kind == "Linear":
        return _size(y[0]) * int(layer.weight.shape[0])
    if "BatchNorm" in kind:
        return 2 * _size(x[0])
    if "AdaptiveAvgPool" in kind:
        return _size(y[0]) * (_size(x[0]) // max(_size(y[0]), 1) + 1)
    if "AvgPool" in kind or kind in ("ReLU", "ReLU6", "LeakyReLU", "PReLU", "Sigmoid", "Tanh", "ELU", "Softmax"):
        return _size(y[0])
    return 0
