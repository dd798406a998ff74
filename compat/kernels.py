"""`_C_ops` and `_legacy_C_ops`: ops called without the checks of their functions, in Paddle's two calling styles."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from ..base.errors import ArgumentError
from ..ops.op import OPS

_root = __name__.partition(".")[0]

# old operator -> (function, names of old attributes -> arguments)
_LEGACY: dict[str, tuple[str, dict[str, str]]] = {
    "matmul_v2": ("matmul", {"trans_x": "transpose_x", "trans_y": "transpose_y"}),
    "matmul": ("matmul", {"transpose_X": "transpose_x", "transpose_Y": "transpose_y"}),
    "elementwise_add": ("add", {}),
    "elementwise_sub": ("subtract", {}),
    "elementwise_mul": ("multiply", {}),
    "elementwise_div": ("divide", {}),
    "elementwise_pow": ("pow", {}),
    "elementwise_max": ("maximum", {}),
    "elementwise_min": ("minimum", {}),
    "reduce_sum": ("sum", {"dim": "axis", "keep_dim": "keepdim"}),
    "reduce_mean": ("mean", {"dim": "axis", "keep_dim": "keepdim"}),
    "reshape2": ("reshape", {}),
    "transpose2": ("transpose", {"axis": "perm"}),
}


# where a kernel's function is, in the order of search: modules of public names, and those for kernels alone
_PLACES = (
    "compat.kernel_functions", "compat.kernel_orders", "compat.kernel_forms", "compat.kernel_places", "",
    "nn.functional", "compat.fake_quantize", "compat.incubate_layers", "vision.ops",
)  # fmt: skip


def _found(name: str) -> Callable[..., Any] | None:
    for path in _PLACES:
        place = import_module(f"{_root}.{path}" if path else _root)
        found = getattr(place, name, None)
        if not callable(found) or isinstance(found, ModuleType):
            continue
        if not path.startswith("compat") or found.__module__ == place.__name__:  # not what such a module imports
            return found  # type: ignore[no-any-return]
    return None


def _function(name: str) -> Callable[..., Any]:
    found = _found(name)
    if found is None:
        raise AttributeError(f"there is no op {name!r}")
    return found


def _names() -> list[str]:
    """The ops that have a public function."""
    return sorted(name for name in OPS if _found(name) is not None)


class Ops:
    """`_C_ops`: ops by name, with positional attributes."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return _function(name)

    def __dir__(self) -> list[str]:
        return _names()


class LegacyOps:
    """`_legacy_C_ops`: tensors, then attributes as `"name", value` pairs. An elementwise op's axis -1 is left out."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        own = name.removesuffix("_")
        target, names = _LEGACY.get(own, (own, {}))
        function = _function(target + name[len(own) :])

        def call(*arguments: Any) -> Any:
            first = next((k for k, a in enumerate(arguments) if isinstance(a, str)), len(arguments))
            pairs = arguments[first:]
            if len(pairs) % 2:
                raise ArgumentError(f"{name}: attributes come as name, value pairs; {pairs[-1]!r} has no value")
            attrs = {names.get(k, k): v for k, v in zip(pairs[::2], pairs[1::2], strict=True)}
            if own.startswith("elementwise_") and attrs.get("axis") == -1:
                del attrs["axis"]
            return function(*[a for a in arguments[:first] if a is not None], **attrs)

        return call

    def __dir__(self) -> list[str]:
        return sorted({*_names(), *_LEGACY})


C_OPS, LEGACY_C_OPS = Ops(), LegacyOps()
