"""What layers have beside their tables: parts by dotted names, other spellings of registering, dtypes and devices."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

from ...base.dtype import DType, as_dtype, bfloat16, float16, float32, float64
from ...base.errors import ArgumentError, KindError, MissingError, ModeError
from ..device import CPUPlace
from ..tensor import Parameter, Tensor
from .layer_state import StateMethods, convert

L = TypeVar("L", bound="AccessMethods")


class AccessMethods(StateMethods):
    """The methods of Layer that find a part by its name, or convert all parts."""

    stays_wide: ClassVar[bool] = False  # whether float16() and bfloat16() pass over layers of just this class
    moved: ClassVar[
        tuple[str, ...]
    ] = ()  # parameters that `forward` writes and nothing trains; each rank has them whole
    _dtype: DType
    _buffers: dict[str, Tensor | None]

    # ---- parts by name

    def get_sublayer(self, target: str) -> Any:
        """The layer at a dotted name; itself for "". Errors: MissingError (an AttributeError)."""
        found: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise MissingError(f"{type(found).__name__} has no attribute {name!r}")
            found = getattr(found, name)
            if not isinstance(found, AccessMethods):
                raise MissingError(f"{name!r} of {target!r} is a {type(found).__name__}, not a layer")
        return found

    def set_sublayer(self, target: str, layer: Any, strict: bool = False) -> None:
        """Put a layer at a dotted name. strict: only where there is one.

        Errors: ArgumentError without a name or without a layer; MissingError where the place holds no layer.
        """
        if not target:
            raise ArgumentError("set_sublayer needs the name of a place, not ''")
        if not isinstance(layer, AccessMethods):
            raise ArgumentError(f"set_sublayer needs a layer, not a {type(layer).__name__}")
        path, _, name = target.rpartition(".")
        parent = self.get_sublayer(path)
        if strict or hasattr(parent, name):
            parent.get_sublayer(name)
        setattr(parent, name, layer)

    def get_parameter(self, target: str) -> Any:
        """The parameter at a dotted name. Errors: MissingError (an AttributeError)."""
        found = self._item(target)
        if not isinstance(found, (Parameter, Tensor)):
            raise MissingError(f"{target!r} is a {type(found).__name__}, not a parameter")
        return found

    def get_buffer(self, target: str) -> Any:
        """The buffer at a dotted name. Errors: MissingError (an AttributeError)."""
        path, _, name = target.rpartition(".")
        found = self._item(target)
        if name not in self.get_sublayer(path)._buffers:
            raise MissingError(f"{target!r} is a {type(found).__name__}, not a buffer")
        return found

    def _item(self, target: str) -> Any:
        path, _, name = target.rpartition(".")
        owner = self.get_sublayer(path)
        if not hasattr(owner, name):
            raise MissingError(f"{type(owner).__name__} has no attribute {name!r}")
        return getattr(owner, name)

    get_submodule = get_sublayer

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """`set_sublayer`, in PyTorch's spelling."""
        self.set_sublayer(target, module, strict)

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """This layer and all below it with dotted names; `memo` holds those to leave out."""
        return self.named_sublayers(prefix, True, memo, remove_duplicate)

    def modules(self) -> Iterator[Any]:
        """This layer and all below it, each once."""
        return (layer for _, layer in self.named_modules())

    def add_module(self, name: str, module: Any) -> None:
        """`add_sublayer`, in PyTorch's spelling."""
        self.add_sublayer(name, module)

    register_module = add_module

    def register_parameter(self, name: str, param: Any) -> None:
        """`add_parameter`, in PyTorch's spelling."""
        self.add_parameter(name, param)

    def get_extra_state(self) -> Any:
        """What a subclass saves beside tensors. Errors: ModeError (a RuntimeError) where it doesn't define this."""
        raise ModeError(f"{type(self).__name__} has no get_extra_state()")

    # ---- gradients

    def requires_grad_(self: L, requires_grad: bool = True) -> L:
        """Say of all parameters whether they are trained, but of running statistics, which never are; the layer."""
        for layer in self.modules():
            for name, param in layer.named_parameters(include_sublayers=False):
                if name not in layer.moved:
                    param.stop_gradient = not requires_grad
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Take the gradients of all parameters away, or make them zero."""
        for param in self.parameters():
            if param.grad is not None:
                param.clear_gradient(not set_to_none)

    # ---- dtypes and devices

    def type(self: L, dst_type: Any) -> L:
        """Convert all parameters and buffers, also integers, to a dtype, in place.

        >>> from .linear_layers import Linear
        >>> Linear(2, 3).type("float64").weight.dtype.name
        'float64'
        """
        kind = as_dtype(dst_type)
        for layer in self.modules():
            layer._dtype = kind
        for tensor in (*self.parameters(), *self.buffers()):
            convert(tensor, kind, floats_only=False)
        return self

    def double(self: L) -> L:
        """Convert to float64."""
        return self.type(float64)

    def half(self: L) -> L:
        """Convert to float16."""
        return self.type(float16)

    def float(self: L, excluded_layers: Any = None) -> L:
        """Convert float parameters and buffers to float32, but those of layers of the excluded classes."""
        return self._converted(float32, () if excluded_layers is None else _classes(excluded_layers))

    def float16(self: L, excluded_layers: Any = None) -> L:
        """Warn, and leave the layer as it is: no CPU computes float16. `half` and `astype` convert all the same."""
        warnings.warn("float16 isn't computed by this machine; the layer keeps its dtype", UserWarning, stacklevel=2)
        return self

    def bfloat16(self: L, excluded_layers: Any = None) -> L:
        """Convert float parameters and buffers to bfloat16, but those of excluded classes (default: `BatchNorm`)."""
        return self._converted(bfloat16, None if excluded_layers is None else _classes(excluded_layers))

    def _converted(self: L, kind: DType, excluded: Sequence[Any] | None) -> L:
        for layer in self.modules():
            wide = vars(type(layer)).get("stays_wide", False) if excluded is None else type(layer) in excluded
            if not wide:
                layer._dtype = kind
                for tensor in (*layer.parameters(include_sublayers=False), *layer.buffers(include_sublayers=False)):
                    convert(tensor, kind)
        return self

    def cpu(self: L) -> L:
        """The layer, which is on the CPU."""
        return self

    def cuda(self: L, device: Any = None) -> L:
        """Errors: ArgumentError: there is no GPU. A CPUPlace is the device that there is."""
        if isinstance(device, CPUPlace):
            return self
        raise ArgumentError("a layer can't be moved to a GPU: vitrify runs on the CPU only", remedy="leave .cuda() out")

    xpu = cuda


def _classes(given: Any) -> Sequence[Any]:
    if isinstance(given, type):
        return (given,)
    if isinstance(given, (list, tuple)):
        return given
    raise KindError(f"excluded_layers must be a class of layers or a list of them, not a {type(given).__name__}")
