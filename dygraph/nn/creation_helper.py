"""`Layer._helper`: layers that were written against Paddle's inner helper ask it for dtypes and parameters."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...base.dtype import always, as_dtype
from ...base.errors import ArgumentError
from ...base.flags import get_default_dtype
from ...ops.op import OPS


class CreationHelper:
    """Speaks for one layer. `append_op` computes at once: what it wrote to is a tensor, not a program's variable."""

    def __init__(self, layer: Any) -> None:
        self._layer = layer

    @property
    def name(self) -> str:
        """The layer's full name."""
        return str(self._layer.full_name())

    def get_default_dtype(self) -> str:
        """The dtype of parameters that don't choose one."""
        return get_default_dtype()

    def create_parameter(
        self, attr: Any, shape: Any, dtype: Any = None, is_bias: bool = False, default_initializer: Any = None
    ) -> Any:
        """See `Layer.create_parameter`."""
        return self._layer.create_parameter(shape, attr, dtype, is_bias, default_initializer)

    def create_variable_for_type_inference(self, dtype: Any, stop_gradient: bool = False, shape: Any = None) -> Any:
        """A tensor, empty until `append_op` writes to it; whether it needs a gradient then follows from the inputs."""
        return OPS["full"]([0], 0, as_dtype(dtype))

    def append_op(
        self, type: str, inputs: dict[str, Any] | None = None, outputs: dict[str, Any] | None = None,
        attrs: dict[str, Any] | None = None, **_: Any,
    ) -> None:  # fmt: skip
        """Compute the operator of `_legacy_C_ops`: inputs and results in the order of its slots.

        Errors: ArgumentError where the operator isn't there or gives fewer results than `outputs` asks for.
        """
        operators = import_module(f"{__name__.partition('.')[0]}.compat.kernels")
        function = getattr(operators.LEGACY_C_OPS, type, None)
        if function is None:
            raise ArgumentError(f"append_op: there is no operator {type!r}", remedy="call functions of vt instead")
        pairs = [part for name, value in (attrs or {}).items() for part in (name, value)]
        made = function(*(_single(value) for value in (inputs or {}).values()), *pairs)
        results = list(made) if isinstance(made, (list, tuple)) else [made]
        targets = [x for v in (outputs or {}).values() for x in (v if isinstance(v, (list, tuple)) else [v])]
        if len(results) < len(targets):
            raise ArgumentError(f"append_op: {type} gives {len(results)} of the {len(targets)} results in outputs")
        for target, result in zip(targets, results, strict=False):
            target._update(lambda _, value=result: value, (), {}, reshapes=True, retypes=always)


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value


class HelperOfLayer:
    """The attribute `_helper` of a layer that hasn't set one itself."""

    def __get__(self, layer: Any, owner: type | None = None) -> Any:
        return self if layer is None else CreationHelper(layer)
