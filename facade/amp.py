"""Automatic mixed precision: `auto_cast`, `decorate`, `GradScaler`."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.dygraph.amp import (
    amp_guard,
    auto_cast,
    black_list,
    decorate,
    get_autocast_cpu_dtype,
    get_autocast_dtype,
    get_autocast_gpu_dtype,
    is_autocast_enabled,
    is_bfloat16_supported,
    is_float16_supported,
    white_list,
)
from vitrify.dygraph.grad_scaler import AmpScaler, GradScaler

__all__ = [
    "AmpScaler", "GradScaler", "amp_guard", "auto_cast", "black_list", "decorate", "get_autocast_cpu_dtype",
    "get_autocast_dtype", "get_autocast_gpu_dtype", "is_autocast_enabled", "is_bfloat16_supported",
    "is_float16_supported", "white_list",
]  # fmt: skip

_tell_unknown_names(__name__)
