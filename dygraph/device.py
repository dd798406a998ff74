"""Places and devices, for programs that name them. There is one device: the CPU."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError


class CPUPlace:
    """The CPU, where every tensor lives.

    >>> CPUPlace()
    Place(cpu)
    """

    def __repr__(self) -> str:
        return "Place(cpu)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CPUPlace) or other == "cpu"

    def __hash__(self) -> int:
        return hash("cpu")

    def is_cpu_place(self) -> bool:
        """True."""
        return True

    def is_gpu_place(self) -> bool:
        """False, as for every other device."""
        return False

    is_cuda_pinned_place = is_xpu_place = is_custom_place = is_gpu_place

    def _type(self) -> int:
        """Paddle's number of the kind of place."""
        return 1

    def _equals(self, other: object) -> bool:
        """Whether the other is the same place."""
        return self == other

    def get_device_id(self) -> int:
        """The number of the CPU: 0."""
        return 0


CPU = CPUPlace()


class Device(str):
    """A device as PyTorch names it: a string with `type` and `index`.

    >>> Device("cpu"), Device("cpu").type, Device("cpu").index
    ('cpu', 'cpu', None)
    """

    __slots__ = ()
    index = None  # type: ignore[assignment]

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> Device:
        as_place(type)
        return super().__new__(cls, "cpu")

    @property
    def type(self) -> str:
        """The kind: "cpu"."""
        return "cpu"


class _Absent:
    """A place on hardware that isn't supported: naming the class is fine, making one is an error."""

    def __init__(self, *_: Any) -> None:
        raise ArgumentError(
            f"{type(self).__name__} can't be used: vitrify runs on the CPU only", remedy="use CPUPlace()"
        )


class CUDAPlace(_Absent):
    """A GPU: making one is an ArgumentError (a ValueError)."""


class CUDAPinnedPlace(_Absent):
    """Memory pinned for a GPU: making one is an ArgumentError (a ValueError)."""


class XPUPlace(_Absent):
    """An XPU: making one is an ArgumentError (a ValueError)."""


class CustomPlace(_Absent):
    """A device of a plug-in: making one is an ArgumentError (a ValueError)."""


def as_place(place: Any) -> CPUPlace:
    """The place meant by None, a CPUPlace or the string "cpu" ("cpu:0"). Errors: ArgumentError for any other.

    >>> as_place("cpu")
    Place(cpu)
    """
    if place is None or isinstance(place, CPUPlace):
        return CPU
    if isinstance(place, str) and place.lower().partition(":")[0] == "cpu":
        return CPU
    raise ArgumentError(f"there is no device {place!r}: vitrify runs on the CPU only", remedy='use "cpu"')


DEVICE = Device()


def set_device(device: Any) -> CPUPlace:
    """Choose the device: "cpu" is the only one. Returns its place. Errors: ArgumentError (a ValueError) for others.

    >>> set_device("cpu")
    Place(cpu)
    """
    return as_place(device)


def get_device(input: Any = None) -> Any:
    """The name of the device: always "cpu". Of a tensor the number of its device, which is -1 for the CPU.

    >>> get_device()
    'cpu'
    """
    return "cpu" if input is None else -1


def get_default_device() -> Device:
    """The device on which tensors are made: the CPU.

    >>> get_default_device()
    'cpu'
    """
    return DEVICE


def set_default_device(device: Any) -> None:
    """Choose the device on which tensors are made. Errors: ArgumentError for any but the CPU."""
    as_place(device)


def is_available(device: Any = None) -> bool:
    """Whether there is an accelerator: no.

    >>> is_available()
    False
    """
    return False


def get_all_device_type() -> list[str]:
    """The kinds of devices there are besides the CPU: none.

    >>> get_all_device_type()
    []
    """
    return []


def get_available_device() -> list[str]:
    """The devices there are besides the CPU: none.

    >>> get_available_device()
    []
    """
    return []


def get_all_custom_device_type() -> list[str]:
    """Kinds of devices from plug-ins: none.

    >>> get_all_custom_device_type()
    []
    """
    return []


def get_available_custom_device() -> list[str]:
    """Devices from plug-ins: none.

    >>> get_available_custom_device()
    []
    """
    return []


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """`device_count` CPU places (default: one).

    >>> cpu_places(2)
    [Place(cpu), Place(cpu)]
    """
    return [CPUPlace() for _ in range(1 if device_count is None else device_count)]


def cuda_places(device_ids: Any = None) -> list[Any]:
    """The GPUs' places: none."""
    return []


def is_compiled_with_cuda() -> bool:
    """Whether there is CUDA: no.

    >>> is_compiled_with_cuda()
    False
    """
    return False


def is_compiled_with_custom_device(device_type: str = "") -> bool:
    """Whether a plug-in brings this kind of device: no."""
    return False


def device_count(device: Any = None) -> int:
    """How many accelerators there are: none.

    >>> device_count()
    0
    """
    return 0


def synchronize(device: Any = None) -> None:
    """Wait until all work is done: it always is, calls return when their results are there."""


def get_cudnn_version() -> None:
    """None: there is no cuDNN."""


def get_cuda_rng_state() -> list[Any]:
    """The states of the generators of GPUs: an empty list."""
    return []


def set_cuda_rng_state(state_list: Any) -> None:
    """Restore what `get_cuda_rng_state` gave. Errors: ArgumentError for any state: there is no GPU.

    >>> set_cuda_rng_state(get_cuda_rng_state())
    """
    if len(state_list):
        raise ArgumentError(f"set_cuda_rng_state: {len(state_list)} states for 0 GPUs", remedy="use set_rng_state")


def is_compiled_with_rocm() -> bool:
    """Whether there is ROCm: no."""
    return False


def is_compiled_with_xpu() -> bool:
    """Whether there are XPUs: no."""
    return False


def is_compiled_with_ipu() -> bool:
    """Whether there are IPUs: no."""
    return False


def is_compiled_with_cinn() -> bool:
    """Whether programs are compiled by CINN: no, by vitrify's own passes."""
    return False


def is_compiled_with_distribute() -> bool:
    """Whether PaddlePaddle's servers and communicators are there: no. Ranks exchange through MPI."""
    return False
