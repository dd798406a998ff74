"""`Layer._helper`: layers that were written against Paddle's inner helper ask it for dtypes and parameters."""

from __future__ import annotations

from typing import Any

from ...base.flags import get_default_dtype


class CreationHelper:
    """Speaks for one layer. Operators are functions here: there is no `append_op`."""

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


class HelperOfLayer:
    """The attribute `_helper` of a layer that hasn't set one itself."""

    def __get__(self, layer: Any, owner: type | None = None) -> Any:
        return self if layer is None else CreationHelper(layer)
