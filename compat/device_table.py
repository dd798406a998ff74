"""Paddle's names of devices and of the random state: `paddle.device`, `paddle.cuda`, `paddle.random`."""

from __future__ import annotations

from .named import from_module as _from
from .named import renamed as _renamed

PLACES = _from("dygraph.device", "CPUPlace CUDAPlace CUDAPinnedPlace XPUPlace CustomPlace")
COMPILED_WITH = _from(
    "dygraph.device",
    "is_compiled_with_cuda is_compiled_with_rocm is_compiled_with_xpu is_compiled_with_ipu is_compiled_with_cinn "
    "is_compiled_with_distribute is_compiled_with_custom_device",
)
_OF_GPUS = (
    "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "get_device_properties",
    "get_device_name", "get_device_capability", "reset_max_memory_allocated", "reset_max_memory_reserved",
)  # fmt: skip

_STATE = (
    "get_rng_state set_rng_state manual_seed manual_seed_all is_initialized is_bf16_supported current_device "
    "is_current_stream_capturing device"
)
_ABSENT = (
    _from("compat.older_helpers", "empty_cache")
    | _from("compat.refused", "Stream Event")
    | _renamed("compat.older_helpers", current_stream="no_gpu", stream_guard="no_gpu")
    | _renamed("compat.older_helpers", **dict.fromkeys(_OF_GPUS, "no_gpu"))
)

DEVICES: dict[str, dict[str, str]] = {
    "device": COMPILED_WITH
    | PLACES
    | _from(
        "dygraph.device",
        "set_device get_device get_all_device_type get_available_device get_all_custom_device_type "
        "get_available_custom_device synchronize device_count get_cudnn_version is_available get_default_device "
        "set_default_device",
    )
    | _from("compat.devices", _STATE)
    | {"framework": "base.framework"},
    "device.cuda": _from("dygraph.device", "device_count synchronize") | _ABSENT,
    "cuda": _from("dygraph.device", "device_count synchronize is_available set_device")
    | _from("compat.devices", _STATE)
    | _ABSENT,
    "random": _from("dygraph.random_generators", "seed initial_seed get_rng_state set_rng_state")
    | _renamed("dygraph.random_generators", manual_seed="seed"),
}
