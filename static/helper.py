"""LayerHelper: what Paddle's layer functions use to add operators and parameters to the program being built."""

from __future__ import annotations

from typing import Any

from ..base import unique_name
from ..base.errors import KindError
from ..dygraph.nn.param_attr import as_attr
from ..dygraph.tensor import Tensor
from ..ops.op import FUNCTIONS, OPS
from .current import default_main_program, default_startup_program


class LayerHelper:
    """Adds operators of one layer to the default main program, and its parameters with them.

    layer_type: the beginning of the names; `name`, `act`, `param_attr`, `bias_attr` and the inputs by keyword.
    """

    def __init__(self, layer_type: str, **settings: Any) -> None:
        self.layer_type, self.kwargs = layer_type, settings
        self.name = settings.get("name") or unique_name.generate(layer_type)

    @property
    def main_program(self) -> Any:
        """The program that operators go to."""
        return default_main_program()

    @property
    def startup_program(self) -> Any:
        """The program that makes the first values of parameters."""
        return default_startup_program()

    @property
    def param_attr(self) -> Any:
        """The attribute of the layer's weights."""
        return as_attr(self.kwargs.get("param_attr"))

    @property
    def bias_attr(self) -> Any:
        """The attribute of the layer's bias; False: there is none."""
        return as_attr(self.kwargs.get("bias_attr"))

    def create_variable_for_type_inference(self, dtype: Any, stop_gradient: bool = False, shape: Any = None) -> Any:
        """A variable that an operator will give its shape and value."""
        return self.create_variable(dtype=dtype, shape=shape, stop_gradient=stop_gradient)

    def create_variable(self, *, name: str | None = None, **settings: Any) -> Any:
        """A variable of the current block: see `Block.create_var`."""
        return self.main_program.current_block().create_var(
            name=name or unique_name.generate(f"{self.name}.tmp"), **settings
        )

    def create_parameter(
        self, attr: Any, shape: Any, dtype: Any = None, is_bias: bool = False, default_initializer: Any = None,
        stop_gradient: bool = False,
    ) -> Any:  # fmt: skip
        """A parameter; None for attr=False."""
        from .creation import create_parameter

        if attr is False:
            return None
        chosen = as_attr(attr)
        name = getattr(chosen, "name", None) or unique_name.generate(f"{self.name}.{'b' if is_bias else 'w'}")
        made = create_parameter(shape, dtype or "float32", name, chosen, is_bias, default_initializer)
        made.stop_gradient = stop_gradient or made.stop_gradient
        return made

    def append_op(self, *args: Any, **settings: Any) -> Any:
        """Add an operator to the current block: see `Block.append_op`."""
        return self.main_program.current_block().append_op(*args, **settings)

    def append_activation(self, variable: Tensor) -> Any:
        """The activation `act` (its name, or a dict with `type`) of a variable; without one the variable itself."""
        chosen = self.kwargs.get("act")
        if chosen is None:
            return variable
        kind, settings = (chosen, {}) if isinstance(chosen, str) else (chosen["type"], dict(chosen))
        settings.pop("type", None)
        function = FUNCTIONS.get(kind) or OPS.get(kind)
        if function is None:
            raise KindError(f"{self.layer_type}: act must name an activation, not {kind!r}")
        return function(variable, **settings)

    def input_dtype(self, input_param_name: str = "input") -> Any:
        """The dtype that all inputs share. Errors: KindError."""
        given = self.kwargs.get(input_param_name)
        inputs: list[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
        kinds = {x.dtype for x in inputs}
        if len(kinds) != 1:
            raise KindError(f"{self.layer_type}: the inputs have the dtypes {sorted(k.name for k in kinds)}")
        return kinds.pop()
