# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import list as _list
from builtins import set as _set
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from typing import TypeVar as _TypeVar
from typing import overload as _overload
from vitrify._stub_types import Forwarding as _Forwarding
from vitrify._stub_types import ForwardingCompiled as _ForwardingCompiled
from vitrify._stub_types import P as _P
from vitrify._stub_types import R_co as _R_co
from vitrify.dygraph.hooks import QuietHandle as _QuietHandle
from vitrify.dygraph.nn.layer_access import AccessMethods as _AccessMethods
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as _Tensor

class Layer(_AccessMethods):
    """Base of all layers: subclass it, make parameters and sublayers in `__init__`, compute in `forward`.

    name_scope: the beginning of the names of its parameters (default: the class name); dtype: of new parameters
    (default: the default dtype).

    >>> class Scale(Layer):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = self.create_parameter([1], attr=None)
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> [name for name, _ in Scale().named_parameters()]
    ['factor']"""
    training: _bool
    def __init__(self, name_scope: _str | None = None, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    forward: _Any
    @_overload
    def __call__(self: _Forwarding[_P, _R_co], *inputs: _P.args, **kwargs: _P.kwargs) -> _R_co:
        """Run pre-hooks, `forward` and post-hooks. A tracer may give another form of `forward` (`forward_of`)."""
    @_overload
    def __call__(self: _ForwardingCompiled[_P, _R_co], *inputs: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    def register_forward_pre_hook(self, hook: _Callable[..., _Any], *, prepend: _bool = False, with_kwargs: _bool = False) -> _QuietHandle:
        """Call `hook(layer, inputs)` before forward; what it returns (unless None) replaces the inputs.

        with_kwargs: `hook(layer, inputs, kwargs)` returns None or `(inputs, kwargs)`."""
    def register_forward_post_hook(self, hook: _Callable[..., _Any], *, prepend: _bool = False, with_kwargs: _bool = False, always_call: _bool = False) -> _QuietHandle:
        """Call `hook(layer, inputs, outputs)` after forward; what it returns (unless None) replaces the outputs.

        with_kwargs: `hook(layer, inputs, kwargs, outputs)`. always_call: also, with outputs None, when forward raised."""
    def register_forward_hook(self, hook: _Callable[..., _Any], *, prepend: _bool = False, with_kwargs: _bool = False, always_call: _bool = False) -> _QuietHandle:
        """Call `hook(layer, inputs, outputs)` after forward; what it returns (unless None) replaces the outputs.

        with_kwargs: `hook(layer, inputs, kwargs, outputs)`. always_call: also, with outputs None, when forward raised."""
    def __dir__(self) -> _list[_str]:
        """Default dir() implementation."""
    def create_parameter(self, shape: _Any, attr: _Any = None, dtype: _Any = None, is_bias: _bool = False, default_initializer: _Any = None, device: _Any = None) -> _Parameter | None:
        """A new parameter, which belongs to the layer once it is assigned to an attribute; None for `attr=False`.

        attr: None, a name, an initializer or a ParamAttr. Without an initializer: zeros for a bias, else XavierUniform."""
    def add_parameter(self, name: _str, parameter: _Parameter | None) -> _Parameter | None:
        """Register a parameter under `name`. Errors: KindError, NameTakenError."""
    def add_sublayer(self, name: _str, sublayer: _L) -> _L:
        """Register a layer under `name`, which may have dots. Errors: KindError, NameTakenError."""
    def register_buffer(self, name: _str, tensor: _Tensor | None, persistable: _bool = True) -> None:
        """Register a tensor that isn't trained; `persistable`: it is part of the state_dict.

        Errors: KindError, NameTakenError."""
    def named_parameters(self, prefix: _str = '', include_sublayers: _bool = True, remove_duplicate: _bool = True) -> _Iterator[_tuple[_str, _Parameter]]:
        """Parameters with their dotted names; a shared one once, unless remove_duplicate=False."""
    def named_buffers(self, prefix: _str = '', include_sublayers: _bool = True, remove_duplicate: _bool = True) -> _Iterator[_tuple[_str, _Tensor]]:
        """Buffers with their dotted names; a shared one once, unless remove_duplicate=False."""
    def parameters(self, include_sublayers: _bool = True) -> _list[_Parameter]:
        """All parameters, shared ones once."""
    def buffers(self, include_sublayers: _bool = True) -> _list[_Tensor]:
        """All buffers, shared ones once."""
    def named_children(self) -> _Iterator[_tuple[_str, Layer]]:
        """The direct sublayers with their names, shared ones once."""
    def children(self) -> _Iterator[Layer]:
        """The direct sublayers."""
    def named_sublayers(self, prefix: _str = '', include_self: _bool = False, layers_set: _set[_Any] | None = None, remove_duplicate: _bool = True) -> _Iterator[_tuple[_str, Layer]]:
        """All layers below this one (and itself) with dotted names, each once unless remove_duplicate=False.

        layers_set: those to leave out."""
    def sublayers(self, include_self: _bool = False) -> _list[Layer]:
        """All layers below this one, each once."""
    def train(self: _L, mode: _bool = True) -> _L:
        """Set the training mode of this layer and all below it."""
    def eval(self: _L) -> _L:
        """Set the evaluation mode of this layer and all below it."""
    def apply(self: _L, fn: _Callable[[Layer], None]) -> _L:
        """Call `fn` on every sublayer, then on the layer itself."""
    def clear_gradients(self, set_to_zero: _bool = True) -> None:
        """Make the gradients of all parameters zero, or None."""
    def to(self: _L, device: _Any = None, dtype: _Any = None, blocking: _bool | None = None, non_blocking: _bool | None = None) -> _L:
        """Convert float parameters and buffers to `dtype`, in place.

        Errors: ArgumentError for a device that isn't here; AssertedError for a `blocking` that isn't True or False."""
    def astype(self: _L, dtype: _Any = None) -> _L:
        """Convert parameters and buffers to `dtype`, in place: to floats those of floats, to another kind all."""
    def full_name(self) -> _str:
        """The scope and number that begin the names of its parameters, like `linear_0`."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

_L = _TypeVar("_L", bound=Layer)
