"""`vision.models._utils`: a model's first layers with the results of some of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from ..base.errors import ArgumentError
from ..dygraph.nn import LayerDict, Linear
from ..ops.op import FUNCTIONS


def divisible(v: float, divisor: int = 8, min_value: int | None = None) -> int:
    """The multiple of `divisor` that is next to `v`, at least `min_value` and no less than nine tenths of `v`.

    >>> divisible(30), divisible(11), divisible(3)
    (32, 16, 8)
    """
    made = max(divisor if min_value is None else min_value, int(v + divisor / 2) // divisor * divisor)
    return made if made >= 0.9 * v else made + divisor


class IntermediateLayerGetter(LayerDict):
    """A model's children in order, up to the last that `return_layers` names; gives their results by the new names.

    A linear layer, and one that begins with it, gets images flattened. Errors: ArgumentError for names of no child.
    """

    def __init__(self, model: Any, return_layers: Mapping[str, str]) -> None:
        children = dict(model.named_children())
        if absent := sorted(set(map(str, return_layers)) - set(children)):
            raise ArgumentError(f"return_layers names {', '.join(absent)}, which the model hasn't")
        last = max((k for k, name in enumerate(children) if name in return_layers), default=-1)
        super().__init__(dict(list(children.items())[: last + 1]))
        self.return_layers = return_layers

    def forward(self, x: Any) -> Any:
        """The results, in order."""
        found = OrderedDict()
        for name, layer in self.items():
            first = next(iter(layer.sublayers()), layer)
            if x.ndim == 4 and (isinstance(layer, Linear) or isinstance(first, Linear)):
                x = FUNCTIONS["flatten"](x, 1)
            x = layer(x)
            if name in self.return_layers:
                found[self.return_layers[name]] = x
        return found
