# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import object as _object
from builtins import str as _str
from typing import Any as _Any

class CPUPlace:
    """The CPU, where every tensor lives.

    >>> CPUPlace()
    Place(cpu)"""
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""
    def is_cpu_place(self) -> _bool:
        """True."""
    def is_gpu_place(self) -> _bool:
        """False, as for every other device."""
    def is_cuda_pinned_place(self) -> _bool:
        """False, as for every other device."""
    def is_xpu_place(self) -> _bool:
        """False, as for every other device."""
    def is_custom_place(self) -> _bool:
        """False, as for every other device."""
    def get_device_id(self) -> _int:
        """The number of the CPU: 0."""

class CUDAPinnedPlace(_Absent):
    """Memory pinned for a GPU: making one is an ArgumentError (a ValueError)."""

class _Absent:
    """A place on hardware that isn't supported: naming the class is fine, making one is an error."""
    def __init__(self, *_: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class CUDAPlace(_Absent):
    """A GPU: making one is an ArgumentError (a ValueError)."""

class CustomPlace(_Absent):
    """A device of a plug-in: making one is an ArgumentError (a ValueError)."""

class Device(_str):
    """A device as PyTorch names it: a string with `type` and `index`.

    >>> Device("cpu"), Device("cpu").type, Device("cpu").index
    ('cpu', 'cpu', None)"""
    index: _Any
    @staticmethod
    def __new__(cls, type: _Any = 'cpu', index: _int | None = None) -> Device:
        """Create and return a new object.  See help(type) for accurate signature."""
    @property
    def type(self) -> _str:
        """The kind: "cpu"."""

class XPUPlace(_Absent):
    """An XPU: making one is an ArgumentError (a ValueError)."""
