# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.initializer import Initializer as _Initializer

class ParamAttr:
    """Settings of a parameter: `Linear(3, 4, weight_attr=ParamAttr(learning_rate=0.1, initializer=...))`.

    learning_rate: a factor on the optimiser's; regularizer: instead of the optimiser's weight decay; trainable=False:
    the parameter stays as it is; need_clip=False: gradient clipping leaves it out.

    >>> ParamAttr(name="w").trainable
    True"""
    name: _str | None
    initializer: _Initializer | None
    learning_rate: _float
    regularizer: _Any
    trainable: _bool
    do_model_average: _bool
    need_clip: _bool
    def __init__(self, name: _str | None = None, initializer: _Initializer | None = None, learning_rate: _float = 1.0, regularizer: _Any = None, trainable: _bool = True, do_model_average: _bool = True, need_clip: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
