"""What PaddlePaddle's layers are and do: facts to test ours against, made where PaddlePaddle is installed.

    python tools/paddle_layers.py tests/dygraph/nn/paddle_layers.jsonl

A line of paddle_layers.txt is a case: how a layer is made and called. For each case a line of JSON says
* state: the keys, shapes and dtypes of its state_dict, in order;
* reads: the attributes that `forward` reads, with their values (found in the source of its methods, by `ast`);
* result: digests of what it returns and of its gradients, with parameters and inputs that both sides compute;
* pokes: each attribute that was read, set to another value after construction, and the digest of the result then.

The part above `main` needs no PaddlePaddle: the test runs it on vitrify.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

CASES = Path(__file__).with_suffix(".txt")
NAMED: dict[str, Any] = {  # the value that an attribute is set to; others follow from the type (`another`)
    "p": 1.0, "dropout": 1.0, "_padding_idx": 1, "_max_norm": 0.5, "_use_global_stats": True, "_act": "relu",
    "_padding_algorithm": "SAME", "_padding_mode": "zeros", "reduction": "sum", "_reduction": "sum",
    "_mode": "replicate", "_approximate": True, "divisor": 3, "_random_u": 0.7, "random_u": 0.7, "axis": 0, "_axis": 0,
    "start_axis": 0, "stop_axis": 1, "align_mode": 1, "_activation_fn": "relu", "_norm_type": 1.0, "shape": [2, 2],
    "_epsilon": 0.0007,
}  # fmt: skip
OPPOSITES = {"NCHW": "NHWC", "NCL": "NLC", "NCDHW": "NDHWC", "RNN_TANH": "RNN_RELU", "nearest": "bilinear"}
OPPOSITES |= {"upscale_in_train": "downscale_in_infer"}
OPPOSITES |= {last: first for first, last in OPPOSITES.items()}
INSIDE = ("_helper", "_op_type", "_use_cudnn", "_dropout_state", "_all_weights", "could_use_cudnn", "_in_place")
INSIDE += ("_fuse_with_relu", "_dtype", "_channel_dim", "name", "_name", "_sub_layers", "_inplace", "inplace")


@dataclass(frozen=True)
class Case:
    """How a layer is made and called; `evaluates`: in evaluation mode, as training draws random numbers."""

    make: str
    call: str
    evaluates: bool

    @property
    def text(self) -> str:
        return f"{'eval ' * self.evaluates}{self.make} <- {self.call}"


def cases() -> Iterator[Case]:
    """The cases of paddle_layers.txt, in order."""
    for line in CASES.read_text().splitlines():
        if line and not line.startswith("#"):
            make, _, call = line.partition(" <- ")
            yield Case(make.removeprefix("eval "), call, make.startswith("eval "))


class Bench:
    """Makes and calls the layers of one library (`paddle`, or vitrify)."""

    def __init__(self, library: Any) -> None:
        self.framework = library
        self.names = vars(library.nn) | {
            "F": library.nn.functional, "x": self.floats, "ints": self.ints, "signs": self.signs, "paddle": library,
            "positive": self.positive, "probabilities": self.probabilities, "mask": self.mask, "at": self.at,
        }  # fmt: skip

    # ---- inputs

    def _tensor(self, array: Any) -> Any:
        return self.framework.to_tensor(array, stop_gradient=array.dtype.kind != "f")

    def floats(self, *shape: int) -> Any:
        return self._tensor(wave(shape, 1.3))

    def positive(self, *shape: int) -> Any:
        return self._tensor(np.abs(wave(shape, 1.3)) + np.float32(0.1))

    def probabilities(self, *shape: int) -> Any:
        return self._tensor((wave(shape, 1.3) * 0.3 + 0.5).astype("float32"))

    def ints(self, below: int, *shape: int) -> Any:
        return self._tensor(np.arange(np.prod(shape, dtype=int), dtype="int64").reshape(shape) * 7 % below)

    def signs(self, *shape: int) -> Any:
        return self._tensor(np.where(wave(shape, 2.1) > 0, np.float32(1), np.float32(-1)))

    def mask(self, *shape: int) -> Any:
        return self._tensor(wave(shape, 2.1) > -0.5)

    def at(self, *values: int) -> Any:
        return self._tensor(np.array(values, "int64"))

    # ---- layers

    def made(self, case: Case) -> Any:
        layer = eval(case.make, dict(self.names))
        for k, (key, item) in enumerate(layer.state_dict().items()):
            value = wave(tuple(item.shape), 0.5, k)
            item.set_value(np.abs(value) + np.float32(0.2) if "variance" in key else value)
        return layer.eval() if case.evaluates else layer

    def outputs(self, layer: Any, case: Case) -> tuple[list[Any], list[Any]]:
        """What a call returns, flattened, and the arguments that have gradients."""
        names = dict(self.names)
        made: list[Any] = []

        def call(*args: Any, **kwargs: Any) -> Any:
            made.extend(a for a in args if hasattr(a, "stop_gradient") and not a.stop_gradient)
            return layer(*args, **kwargs)

        names["call"] = call
        return list(leaves(eval(f"call({case.call})", names))), made

    def result(self, case: Case, layer: Any, *, gradients: bool = False) -> list[Any]:
        """Digests of what the layer returns and writes and, on request, of the gradients of inputs and parameters."""
        found, inputs = self.outputs(layer, case)
        digests = [digest(item.numpy()) for item in found]
        kept = list(layer.state_dict().values())
        digests += [digest(item.numpy()) for item in kept if item.stop_gradient]
        if not gradients or not any(is_float(item) for item in found):
            return digests
        total = sum((item * self._weights(item)).sum() for item in found if is_float(item))
        if total.stop_gradient:
            return digests
        total.backward()
        wanted = [*inputs, *(item for item in kept if not item.stop_gradient)]
        return digests + [None if t.grad is None else digest(t.grad.numpy()) for t in wanted]

    def _weights(self, item: Any) -> Any:
        return self.framework.to_tensor(wave(tuple(item.shape), 1.0, 5).astype(item.numpy().dtype))

    def facts(self, case: Case, reads: list[str]) -> dict[str, Any]:
        """The line of JSON of a case."""
        layer = self.made(case)
        state = [[k, list(v.shape), str(v.dtype).rpartition(".")[2]] for k, v in layer.state_dict().items()]
        values = {name: shown(getattr(layer, name)) for name in reads if hasattr(layer, name)}
        result = self.result(case, layer, gradients=True)
        pokes = [[name, value, apart(self.poked, case, name, value)] for name, value in others(values)]
        return {
            "case": case.text, "state": state, "reads": values, "result": result,
            "pokes": [poke for poke in pokes if poke[2] is not None and is_sound(poke[2])],
        }  # fmt: skip

    def poked(self, case: Case, name: str, value: Any) -> Any:
        """The result after an attribute was set."""
        layer = self.made(case)
        setattr(layer, name, value)
        return self.result(case, layer)


def is_float(item: Any) -> bool:
    """Whether a tensor is of floating-point numbers."""
    return bool(item.numpy().dtype.kind == "f")


def is_sound(result: list[Any]) -> bool:
    """Whether no number is NaN, infinite or about the largest there is, as what was never written may be."""
    return all(item is None or (item[2] < 1e30 and not item[4]) for item in result)


def leaves(value: Any) -> Iterator[Any]:
    """The tensors of a nested result."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif value is not None:
        yield value


def wave(shape: tuple[int, ...], scale: float, phase: int = 0) -> Any:
    """Numbers without ties that are the same everywhere."""
    k = np.arange(np.prod(shape, dtype=int), dtype="float64")
    return (
        (scale * np.sin(k * 1.7 + phase * 0.9 + 0.3) * (1 + 0.01 * np.cos(k * 0.37))).reshape(shape).astype("float32")
    )


def digest(array: Any) -> list[Any]:
    """dtype, shape, the sum of absolute values and a weighted sum; how many are NaN or infinite."""
    flat = np.asarray(array).astype("float64").ravel()
    fine = flat[np.isfinite(flat)]
    weighted = float(fine @ np.cos(np.arange(fine.size)))
    return [str(array.dtype), list(array.shape), float(f"{np.abs(fine).sum():.7g}"), float(f"{weighted:.7g}"),
            int(flat.size - fine.size)]  # fmt: skip


def agree(first: Any, second: Any, tolerance: float = 1e-4) -> bool:
    """Whether two results (lists of digests) are equal but for rounding."""
    if first is None or second is None or len(first) != len(second):
        return first is second
    return all(_equal_digests(a, b, tolerance) for a, b in zip(first, second, strict=True))


def _equal_digests(a: Any, b: Any, tolerance: float) -> bool:
    if a is None or b is None:
        return a is b
    room = tolerance * (0.05 + max(a[2], b[2]))
    return a[:2] == b[:2] and a[4] == b[4] and abs(a[2] - b[2]) <= room and abs(a[3] - b[3]) <= room


def shown(value: Any) -> Any:
    """A value as JSON has it; tensors, layers and functions by their kind."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if hasattr(value, "state_dict"):
        return "<layer>"
    if hasattr(value, "stop_gradient"):
        return f"<tensor {list(value.shape)}>"
    return "<function>" if callable(value) else f"<{type(value).__name__}>"


def others(values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Attributes with another value each than they have."""
    for name, value in values.items():
        if name not in INSIDE and (new := another(name, value)) is not None:
            yield name, new[0]


def another(name: str, value: Any) -> tuple[Any] | None:
    """A one-tuple of the other value; None if there is none."""
    if isinstance(value, str) and value.startswith("<"):
        return (None,) if name == "bias" else None
    if isinstance(value, str) and value in OPPOSITES:
        return (OPPOSITES[value],)
    if name in NAMED and NAMED[name] != value:
        return (NAMED[name],)
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1,)
    if isinstance(value, float):
        return (value * 0.5 + 0.3,)
    if isinstance(value, list) and value and all(item is None or isinstance(item, int) for item in value):
        return ([2 if item is None else item + 1 for item in value],)
    return None


def reads_of(kind: type, base: type) -> list[str]:
    """The attributes of `self` that `forward` and the methods that it calls read, from their sources."""
    seen: set[str] = set()
    found: set[str] = set()
    waiting = ["forward"]
    while waiting:
        method = waiting.pop()
        if method in seen:
            continue
        seen.add(method)
        for name in _names_of_self(_function(kind, base, method)):
            is_method = any(name in vars(owner) for owner in kind.__mro__)
            (waiting.append if is_method else found.add)(name)
    return sorted(found)


def _function(kind: type, base: type, name: str) -> Any:
    for owner in kind.__mro__:
        if name in vars(owner) and owner not in (base, object):
            found = vars(owner)[name]
            found = found.fget if isinstance(found, property) else found
            return getattr(found, "__func__", found)
    return None


def _names_of_self(function: Any) -> Iterator[str]:
    if inspect.isfunction(function):
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
                yield node.attr


def apart(function: Any, *args: Any) -> Any:
    """The result of a function in a process of its own; None where it raises or crashes."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, json.dumps(function(*args)).encode())
        except Exception as error:
            print(f"{args}: {type(error).__name__}: {str(error)[-200:]}", file=sys.stderr)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def main() -> None:
    """Write the facts of PaddlePaddle's layers."""
    import paddle

    bench = Bench(paddle)
    with Path(sys.argv[1]).open("w") as file:  # not on the standard output, where PaddlePaddle prints
        for case in cases():
            reads = reads_of(type(bench.made(case)), paddle.nn.Layer)
            if (found := apart(bench.facts, case, reads)) is not None:
                file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
