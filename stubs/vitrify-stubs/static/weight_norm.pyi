# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.param_attr import ParamAttr as _ParamAttr

class WeightNormParamAttr(_ParamAttr):
    """A ParamAttr whose weight is `g v / |v|`. dim: the axis whose slices have a length each; None: one for all."""
    dim: _int | None
    def __init__(self, dim: _int | None = None, name: _str | None = None, **settings: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
