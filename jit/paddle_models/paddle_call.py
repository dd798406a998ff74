"""OperatorCall: one operation while it is read: its inputs as values, its attributes, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from ...base.dtype import DType
from ...base.errors import ArgumentError
from ...dygraph.tensor import wrap
from ...ir.core import Value
from ...ops import functions
from ...ops.dims import DimLike
from ...ops.dispatch import using
from ...ops.op import OPS
from ..trace.known_values import known_array, sizes_in
from .paddle_model import ModelStep, dtype_of

op: Any = SimpleNamespace(**functions())  # the public functions over ops, called on values of a program
rows: Any = SimpleNamespace(**OPS)  # the ops themselves, for those that a function hides

Input: TypeAlias = "Value | list[Any] | None"


# Attributes that change no result, and those that change none as long as they have one value. Rows needn't read them.
_IDLE = frozenset((
    "col", "driver", "fix_seed", "force_cpu", "hidden_size", "im2col_step", "in_dtype", "infer_flags", "input_size",
    "interp_method", "is_scalar_condition", "is_sorted", "is_test", "momentum", "name", "num", "numeric_stable_mode",
    "out_d", "out_h", "out_w", "persistable", "place", "place_type", "rcond", "return_counts", "return_index",
    "return_inverse", "seed", "sorted", "stop_gradient", "struct_name", "sub_block", "trainable_statistics",
    "unpooling_type", "use_global_stats",
))  # fmt: skip
_USUAL = {
    "data_format": "NCHW", "data_layout": "NCHW", "include_self": True, "Include_self": True, "exclusive": True,
    "padding_algorithm": "EXPLICIT", "pooling_type": "lp", "lambda": 20.0, "threshold": 20.0,
    "alpha": 1.6732631921768188, "scale": 1.0507010221481323,
}  # fmt: skip
_INSIDE = ("op_", "use_", "with_quant", "mkldnn", "fuse_", "Scale_")  # of Paddle's own passes and kernels


class OperatorCall:
    """What the rows read. `reader` fills the program; inputs are in the order of the row's slots."""

    def __init__(self, reader: Any, step: ModelStep, inputs: list[Input]) -> None:
        self.reader = reader
        self.step = step
        self.inputs = inputs
        self._read: set[str] = set()

    @property
    def tracer(self) -> Any:
        """Who records the program."""
        return self.reader.tracer

    def on_tensors(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """`function` of tensors in place of the values, for functions that take parts of them by index."""
        args = tuple(wrap(v, v.dtype) if isinstance(v, Value) else v for v in args)
        kwargs = {k: wrap(v, v.dtype) if isinstance(v, Value) else v for k, v in kwargs.items()}
        with using(self.tracer):
            made = function(*args, **kwargs)
            if isinstance(made, tuple):
                return tuple(self.tracer.value_of(part) for part in made)
            return self.tracer.value_of(made)

    # ---- inputs

    def get(self, k: int) -> Input:
        """Input `k`: a value, a list of values, or None."""
        return self.inputs[k] if k < len(self.inputs) else None

    def has(self, k: int) -> bool:
        """Whether input `k` is there."""
        return self.get(k) is not None

    def __getitem__(self, k: int) -> Value:
        found = self.get(k)
        if isinstance(found, list):
            found = found[0] if len(found) == 1 else None
        if found is None:
            raise ArgumentError(f"{self.step.kind} has no input {k}")
        return found

    def several(self, k: int) -> list[Value]:
        """Input `k` as a list."""
        found = self.get(k)
        return found if isinstance(found, list) else [self[k]]

    # ---- attributes

    def attribute(self, names: str, default: Any = None) -> Any:
        """The attribute under the first of these names that the operation has."""
        self._read.update(names.split())
        found = next((self.step.attributes[n] for n in names.split() if n in self.step.attributes), None)
        return default if found is None else found

    def without(self, names: str) -> None:
        """Say that these attributes don't matter to this operation as it is."""
        self._read.update(names.split())

    def finish(self) -> None:
        """ArgumentError if an attribute was left unread that may change the result."""
        for name, value in self.step.attributes.items():
            if name in self._read or name in _IDLE or name.startswith(_INSIDE) or not _says_something(value):
                continue
            if value != _USUAL.get(name):
                raise self.refuse(f"{name}={value!r:.60}")

    def required(self, names: str) -> Any:
        """An attribute that must be there."""
        found = self.attribute(names)
        if found is None:
            raise ArgumentError(f"{self.step.kind} lacks the attribute {names.split()[0]!r}")
        return found

    def dtype(self, names: str, default: DType | None = None) -> DType:
        """An attribute that holds an element type; the default where it is absent, or none in particular (-1)."""
        found = self.attribute(names)
        if isinstance(found, DType):
            return found
        if found is None or found == -1:
            if default is None:
                raise ArgumentError(f"{self.step.kind} lacks the attribute {names.split()[0]!r}")
            return default
        return dtype_of(found, self.step.kind)

    def refuse(self, what: str) -> ArgumentError:
        """The error for a form of the operation that isn't supported."""
        return ArgumentError(f"{self.step.kind}: {what} is not supported")

    # ---- what is known of an input or attribute

    def ints(self, k: int | None, names: str) -> list[int] | None:
        """Whole numbers that are input `k`, or else an attribute; None where both are absent."""
        self.without(names)  # an input counts more
        if k is not None and self.has(k):
            sizes = self.sizes(k, names)
            if not all(isinstance(v, int) for v in sizes):
                raise self.refuse(f"`{names.split()[0]}` that only a run knows")
            return [int(str(v)) for v in sizes]
        found = self.attribute(names)
        if found is None:
            return None
        return [int(v) for v in found] if isinstance(found, (list, tuple)) else [int(found)]

    def sizes(self, k: int | None, names: str) -> list[DimLike]:
        """As `ints`, each number as far as it is known; those that only a run knows get names of their own."""
        self.without(names)
        found = None if k is None else self.get(k)
        if found is None:
            return list(self.ints(None, names) or [])
        values = found if isinstance(found, list) else [found]
        return [size for v in values for size in sizes_in(self.tracer, v, self.step.kind)]

    def scalar(self, k: int | None, names: str, default: Any = None) -> Any:
        """One number: input `k` (a value, or a number where it is a constant), else an attribute, else the default."""
        self.without(names)
        if k is not None and self.has(k):
            known = known_array(self[k])
            return op.reshape(self[k], []) if known is None else np.ravel(known)[0].item()
        return self.attribute(names, default)

    def number(self, k: int | None, names: str, default: Any = None) -> Any:
        """As `scalar`, but known."""
        found = self.scalar(k, names, default)
        if isinstance(found, Value):
            raise self.refuse(f"`{names.split()[0]}` that only a run knows")
        if found is None:
            raise ArgumentError(f"{self.step.kind} lacks {names.split()[0]!r}")
        return found


def _says_something(value: Any) -> bool:
    return value not in (None, False, 0, "", [], -1, "AnyLayout")


Reader: TypeAlias = Callable[[OperatorCall], Any]
