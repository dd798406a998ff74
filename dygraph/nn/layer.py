"""Layer: a function with parameters, buffers and sublayers under dotted names.

Any change of any layer's attributes moves `layer_epoch`, so that a compiled function sees with one comparison that
nothing it read has changed. Writing into a parameter's data is no such change.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ...base import unique_name
from ...base.changes import CountedTable, LayerType, layer_epoch
from ...base.dtype import DType, as_dtype
from ...base.errors import AssertedError, KindError, MemberError, MissingError, NameTakenError, StateError
from ...base.flags import flags
from ...base.suggest import hint, public_attributes
from ...ops.dispatch import bottoms, interpreters
from ...ops.mistakes import MISTAKES, of_creation, of_forward
from ..device import as_place
from ..hooks import QuietHandle, register
from ..tensor import Parameter, Tensor
from .creation_helper import HelperOfLayer
from .layer_access import AccessMethods
from .layer_hooks import LayerHook, call_with_hooks
from .layer_state import convert
from .param_attr import make_parameter

__all__ = ["Layer", "layer_epoch"]

L = TypeVar("L", bound="Layer")
_TABLES = ("_parameters", "_sub_layers", "_buffers")


class Layer(AccessMethods, metaclass=LayerType):
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
    ['factor']
    """

    training: bool
    _parameters: dict[str, Parameter | None]
    _sub_layers: dict[str, Layer | None]
    _buffers: dict[str, Tensor | None]
    _transient: set[str]
    _dtype: DType
    _helper = HelperOfLayer()

    def __init__(self, name_scope: str | None = None, dtype: Any = None) -> None:
        scope = name_scope or re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self).__name__).lower()
        put = self.__dict__.__setitem__
        put("training", True)
        put("_full_name", unique_name.generate(scope))
        put("_dtype", flags.default_dtype if dtype is None else as_dtype(dtype))
        for table in _TABLES:
            put(table, CountedTable())
        put("_transient", set())
        put("_forward_pre_hooks", CountedTable())
        put("_forward_post_hooks", CountedTable())
        put("_state_dict_hooks", {})

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        of_creation(cls)

    # ---- calling

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes; each subclass defines it."""
        names = [name for name in dir(type(self)) if name not in dir(Layer)]
        close = hint("forward", names)
        raise NotImplementedError(f"{type(self).__name__} has no forward()" + (f": {close}" if close else ""))

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run pre-hooks, `forward` and post-hooks. A tracer may give another form of `forward` (`forward_of`)."""
        try:
            capturing = interpreters()
            asked = capturing[-1] if capturing else bottoms[0]
            forward: Any = asked.forward_of(self) if asked.wraps_layers else self.forward
            if self._forward_pre_hooks or self._forward_post_hooks:
                return call_with_hooks(self, forward, inputs, kwargs)
            return forward(*inputs, **kwargs) if kwargs else forward(*inputs)
        except MISTAKES as error:
            told = of_forward(error, self, inputs, kwargs)
            if told is None:
                raise
        raise told from None

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> QuietHandle:
        """Call `hook(layer, inputs)` before forward; what it returns (unless None) replaces the inputs.

        with_kwargs: `hook(layer, inputs, kwargs)` returns None or `(inputs, kwargs)`.
        """
        return register(self._forward_pre_hooks, LayerHook(hook, with_kwargs), QuietHandle, prepend=prepend)

    def register_forward_post_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> QuietHandle:
        """Call `hook(layer, inputs, outputs)` after forward; what it returns (unless None) replaces the outputs.

        with_kwargs: `hook(layer, inputs, kwargs, outputs)`. always_call: also, with outputs None, when forward raised.
        """
        found = LayerHook(hook, with_kwargs, always_call)
        return register(self._forward_post_hooks, found, QuietHandle, prepend=prepend)

    register_forward_hook = register_forward_post_hook

    # ---- attributes

    def __setattr__(self, name: str, value: Any) -> None:
        if "_parameters" not in self.__dict__:
            if isinstance(value, (Tensor, Layer)):
                raise StateError(
                    f"{type(self).__name__}.{name} is set before the layer is ready",
                    remedy="call super().__init__() first",
                )
            object.__setattr__(self, name, value)
            return
        layer_epoch.value += 1
        kind = getattr(type(self), name, None)
        if isinstance(kind, property):
            object.__setattr__(self, name, value)
        elif isinstance(value, Parameter):
            self._place("_parameters", name, value)
        elif isinstance(value, Layer):
            self._place("_sub_layers", name, value)
        elif name in self._parameters or name in self._sub_layers:
            self._clear(name, value)
        elif name in self._buffers or (isinstance(value, Tensor) and not value.weak):
            self._set_buffer(name, value)
        else:
            _warn_of_hidden(self, name, value)
            object.__setattr__(self, name, value)

    def _place(self, table: str, name: str, value: Any) -> None:
        """Put a parameter, sublayer or buffer under `name`, in place of whatever else had it."""
        self.__dict__.pop(name, None)
        for other in _TABLES:
            if other != table:
                self.__dict__[other].pop(name, None)
        if table != "_buffers":
            self._transient.discard(name)
        self.__dict__[table][name] = value

    def _clear(self, name: str, value: Any) -> None:
        kind, table = ("Parameter", self._parameters) if name in self._parameters else ("Layer", self._sub_layers)
        if value is not None:
            raise KindError(
                f"{type(self).__name__}.{name} holds a {kind}; it can't become {_kind(value)}",
                remedy=f"assign a {kind} or None, or delete the attribute first"
                + (", or write into it with set_value()" if kind == "Parameter" else ""),
            )
        table[name] = None

    def _set_buffer(self, name: str, value: Any) -> None:
        if value is not None and not isinstance(value, Tensor):
            raise KindError(
                f"{type(self).__name__}.{name} holds a buffer; it can't become {_kind(value)}",
                remedy="assign a Tensor or None, or delete the attribute first",
            )
        if name not in self._buffers:
            self._transient.add(name)
        self._place("_buffers", name, value)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in _TABLES:
            found = own.get(table)
            if found is not None and name in found:
                return found[name]
        if "_parameters" not in own and name in (*_TABLES, "training", "_forward_pre_hooks", "_dtype", "_transient"):
            raise MissingError(f"{type(self).__name__} isn't ready", remedy="call super().__init__() first")
        error = MissingError.unplaced(
            f"{type(self).__name__!r} layer has no attribute {name!r}", lambda: hint(name, public_attributes(self))
        )
        error.name, error.owner = name, self
        raise error

    def __delattr__(self, name: str) -> None:
        layer_epoch.value += 1
        for table in _TABLES:
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                self._transient.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [n for table in _TABLES for n in self.__dict__.get(table, ())]
        return sorted({*super().__dir__(), *names})

    # ---- parameters, sublayers, buffers

    def create_parameter(
        self, shape: Any, attr: Any = None, dtype: Any = None, is_bias: bool = False, default_initializer: Any = None,
        device: Any = None,
    ) -> Parameter | None:  # fmt: skip
        """A new parameter, which belongs to the layer once it is assigned to an attribute; None for `attr=False`.

        attr: None, a name, an initializer or a ParamAttr. Without an initializer: zeros for a bias, else XavierUniform.
        """
        key = f"{self._full_name}.{'b' if is_bias else 'w'}"
        return make_parameter(shape, attr, dtype or self._dtype, is_bias, default_initializer, key)

    def add_parameter(self, name: str, parameter: Parameter | None) -> Parameter | None:
        """Register a parameter under `name`. Errors: KindError, NameTakenError."""
        self._check_name("parameter", name, self._parameters)
        if parameter is not None and not isinstance(parameter, Parameter):
            raise MemberError(f"add_parameter({name!r}) needs a Parameter or None, got {_kind(parameter)}")
        layer_epoch.value += 1
        self._parameters[name] = parameter
        return parameter

    def add_sublayer(self, name: str, sublayer: L) -> L:
        """Register a layer under `name`, which may have dots. Errors: KindError, NameTakenError."""
        self._check_name("sublayer", name, self._sub_layers)
        if sublayer is not None and not isinstance(sublayer, Layer):
            raise MemberError(f"add_sublayer({name!r}) needs a Layer, got {_kind(sublayer)}")
        layer_epoch.value += 1
        self._sub_layers[name] = sublayer
        return sublayer

    def register_buffer(self, name: str, tensor: Tensor | None, persistable: bool = True) -> None:
        """Register a tensor that isn't trained; `persistable`: it is part of the state_dict.

        Errors: KindError, NameTakenError.
        """
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and (not isinstance(tensor, Tensor) or isinstance(tensor, Parameter)):
            raise KindError(f"register_buffer({name!r}) needs a Tensor or None, got {_kind(tensor)}")
        layer_epoch.value += 1
        if tensor is not None:
            tensor.persistable = persistable
        (self._transient.discard if persistable else self._transient.add)(name)
        self._buffers[name] = tensor

    def _check_name(self, what: str, name: Any, own: dict[str, Any]) -> None:
        if "_parameters" not in self.__dict__:
            raise StateError(f"{type(self).__name__} isn't ready", remedy="call super().__init__() first")
        if not isinstance(name, str):
            raise KindError(f"the name of a {what} must be a string, not {_kind(name)}")
        if not name or ("." in name and what != "sublayer"):
            raise NameTakenError(f"{name!r} can't be the name of a {what}: it must not be empty or contain '.'")
        if name not in own and hasattr(self, name):
            raise NameTakenError(f"{type(self).__name__} already has an attribute {name!r}")

    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Parameters with their dotted names; a shared one once, unless remove_duplicate=False."""
        return self._named("_parameters", prefix, include_sublayers, remove_duplicate)

    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Buffers with their dotted names; a shared one once, unless remove_duplicate=False."""
        return self._named("_buffers", prefix, include_sublayers, remove_duplicate)

    def _named(self, table: str, prefix: str, include_sublayers: bool, once: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        if include_sublayers:
            owners: Any = self._named_layers(prefix, None if not once else set())
        else:
            owners = [(prefix, self)]
        for path, layer in owners:
            for name, item in list(layer.__dict__[table].items()):
                if item is None or (once and id(item) in seen):
                    continue
                seen.add(id(item))
                yield (f"{path}.{name}" if path else name), item

    def _named_layers(self, prefix: str, seen: set[int] | None) -> Iterator[tuple[str, Layer]]:
        if seen is not None:
            if id(self) in seen:
                return
            seen.add(id(self))
        yield prefix, self
        for name, layer in list(self._sub_layers.items()):
            if layer is not None:
                yield from layer._named_layers(f"{prefix}.{name}" if prefix else name, seen)

    def parameters(self, include_sublayers: bool = True) -> list[Parameter]:
        """All parameters, shared ones once."""
        return [p for _, p in self.named_parameters(include_sublayers=include_sublayers)]

    def buffers(self, include_sublayers: bool = True) -> list[Tensor]:
        """All buffers, shared ones once."""
        return [b for _, b in self.named_buffers(include_sublayers=include_sublayers)]

    def named_children(self) -> Iterator[tuple[str, Layer]]:
        """The direct sublayers with their names, shared ones once."""
        seen: set[int] = set()
        for name, layer in list(self._sub_layers.items()):
            if layer is not None and id(layer) not in seen:
                seen.add(id(layer))
                yield name, layer

    def children(self) -> Iterator[Layer]:
        """The direct sublayers."""
        return (layer for _, layer in self.named_children())

    def named_sublayers(
        self, prefix: str = "", include_self: bool = False, layers_set: set[Any] | None = None,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Layer]]:  # fmt: skip
        """All layers below this one (and itself) with dotted names, each once unless remove_duplicate=False.

        layers_set: those to leave out.
        """
        known = {id(layer) for layer in layers_set or ()}
        for name, layer in self._named_layers(prefix, set(known) if remove_duplicate else None):
            if layer is not self or include_self:
                if layers_set is not None:
                    layers_set.add(layer)
                yield name, layer

    def sublayers(self, include_self: bool = False) -> list[Layer]:
        """All layers below this one, each once."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    # ---- modes and conversions

    def train(self: L, mode: bool = True) -> L:
        """Set the training mode of this layer and all below it."""
        for layer in self.sublayers(include_self=True):
            if layer.training != mode:
                layer.training = mode
        return self

    def eval(self: L) -> L:
        """Set the evaluation mode of this layer and all below it."""
        return self.train(False)

    def apply(self: L, fn: Callable[[Layer], None]) -> L:
        """Call `fn` on every sublayer, then on the layer itself."""
        for layer in self.children():
            layer.apply(fn)
        fn(self)
        return self

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Make the gradients of all parameters zero, or None."""
        for param in self.parameters():
            if not param.stop_gradient:
                param.clear_gradient(set_to_zero)

    def to(
        self: L, device: Any = None, dtype: Any = None, blocking: bool | None = None, non_blocking: bool | None = None
    ) -> L:
        """Convert float parameters and buffers to `dtype`, in place.

        Errors: ArgumentError for a device that isn't here; AssertedError for a `blocking` that isn't True or False.
        """
        as_place(device)
        if not isinstance(blocking, bool | None):
            raise AssertedError(f"to: blocking is True or False, not {blocking!r}")
        return self if dtype is None else self.astype(dtype)

    def astype(self: L, dtype: Any = None) -> L:
        """Convert parameters and buffers to `dtype`, in place: to floats those of floats, to another kind all."""
        kind = as_dtype(dtype)
        for layer in self.sublayers(include_self=True):
            layer._dtype = kind
        for tensor in (*self.parameters(), *self.buffers()):
            convert(tensor, kind, floats_only=kind.is_floating)
        return self

    # ---- texts

    def full_name(self) -> str:
        """The scope and number that begin the names of its parameters, like `linear_0`."""
        return str(self._full_name)

    def extra_repr(self) -> str:
        """What `repr` shows of this layer's own settings."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr()
        lines = [f"({name}): {layer!r}".replace("\n", "\n  ") for name, layer in self._sub_layers.items()]
        if not lines:
            return f"{type(self).__name__}({own})"
        return "\n  ".join([f"{type(self).__name__}({own}", *lines]) + "\n)"


def _kind(value: object) -> str:
    return f"a {type(value).__name__}" if value is not None else "None"


def _warn_of_hidden(layer: Layer, name: str, value: Any) -> None:
    """Warn when parameters or layers hide in a plain list or dict: they wouldn't be found, trained or saved."""
    if not isinstance(value, (list, tuple, dict)) or name in layer.__dict__:
        return
    items = value.values() if isinstance(value, dict) else value
    for kind, what, use in ((Parameter, "parameters", "ParameterList"), (Layer, "layers", "LayerList")):
        if any(isinstance(item, kind) for item in items):
            use = "LayerDict" if isinstance(value, dict) and kind is Layer else use
            warnings.warn(
                f"{type(layer).__name__}.{name} is a plain {type(value).__name__} of {what}: they aren't registered,"
                f" so they won't be trained or saved; use nn.{use}",
                UserWarning,
                stacklevel=3,
            )
