# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import set as _set
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from typing import TypeVar as _TypeVar
from vitrify.dygraph.nn.layer_state import StateMethods as _StateMethods

class AccessMethods(_StateMethods):
    """The methods of Layer that find a part by its name, or convert all parts."""
    stays_wide: _bool
    moved: _tuple[_str, ...]
    def get_sublayer(self, target: _str) -> _Any:
        """The layer at a dotted name; itself for "". Errors: MissingError (an AttributeError)."""
    def set_sublayer(self, target: _str, layer: _Any, strict: _bool = False) -> None:
        """Put a layer at a dotted name. strict: only where there is one.

        Errors: ArgumentError without a name or without a layer; MissingError where the place holds no layer."""
    def get_parameter(self, target: _str) -> _Any:
        """The parameter at a dotted name. Errors: MissingError (an AttributeError)."""
    def get_buffer(self, target: _str) -> _Any:
        """The buffer at a dotted name. Errors: MissingError (an AttributeError)."""
    def get_submodule(self, target: _str) -> _Any:
        """The layer at a dotted name; itself for "". Errors: MissingError (an AttributeError)."""
    def set_submodule(self, target: _str, module: _Any, strict: _bool = False) -> None:
        """`set_sublayer`, in PyTorch's spelling."""
    def named_modules(self, memo: _set[_Any] | None = None, prefix: _str = '', remove_duplicate: _bool = True) -> _Iterator[_tuple[_str, _Any]]:
        """This layer and all below it with dotted names; `memo` holds those to leave out."""
    def modules(self) -> _Iterator[_Any]:
        """This layer and all below it, each once."""
    def add_module(self, name: _str, module: _Any) -> None:
        """`add_sublayer`, in PyTorch's spelling."""
    def register_module(self, name: _str, module: _Any) -> None:
        """`add_sublayer`, in PyTorch's spelling."""
    def register_parameter(self, name: _str, param: _Any) -> None:
        """`add_parameter`, in PyTorch's spelling."""
    def get_extra_state(self) -> _Any:
        """What a subclass saves beside tensors. Errors: ModeError (a RuntimeError) where it doesn't define this."""
    def requires_grad_(self: _L, requires_grad: _bool = True) -> _L:
        """Say of all parameters whether they are trained, but of running statistics, which never are; the layer."""
    def zero_grad(self, set_to_none: _bool = True) -> None:
        """Take the gradients of all parameters away, or make them zero."""
    def type(self: _L, dst_type: _Any) -> _L:
        """Convert all parameters and buffers, also integers, to a dtype, in place.

        >>> from .linear_layers import Linear
        >>> Linear(2, 3).type("float64").weight.dtype.name
        'float64'"""
    def double(self: _L) -> _L:
        """Convert to float64."""
    def half(self: _L) -> _L:
        """Convert to float16."""
    def float(self: _L, excluded_layers: _Any = None) -> _L:
        """Convert float parameters and buffers to float32, but those of layers of the excluded classes."""
    def float16(self: _L, excluded_layers: _Any = None) -> _L:
        """Warn, and leave the layer as it is: no CPU computes float16. `half` and `astype` convert all the same."""
    def bfloat16(self: _L, excluded_layers: _Any = None) -> _L:
        """Convert float parameters and buffers to bfloat16, but those of excluded classes (default: `BatchNorm`)."""
    def cpu(self: _L) -> _L:
        """The layer, which is on the CPU."""
    def cuda(self: _L, device: _Any = None) -> _L:
        """Errors: ArgumentError: there is no GPU. A CPUPlace is the device that there is."""
    def xpu(self: _L, device: _Any = None) -> _L:
        """Errors: ArgumentError: there is no GPU. A CPUPlace is the device that there is."""

_L = _TypeVar("_L", bound=AccessMethods)
