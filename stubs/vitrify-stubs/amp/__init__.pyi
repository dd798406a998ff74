# Written by `make stubs`; edits here are lost.

"""Automatic mixed precision: `auto_cast`, `decorate`, `GradScaler`."""

from builtins import bool as _bool
from builtins import set as _set
from builtins import str as _str
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from vitrify.dygraph.grad_scaler import GradScaler as AmpScaler
from vitrify.dygraph.grad_scaler import GradScaler as GradScaler

def amp_guard(enable: _bool = True, custom_white_list: _Any = None, custom_black_list: _Any = None, level: _str = 'O1', dtype: _Any = 'float16', use_promote: _bool = True) -> _Iterator[None]:
    """Inside the block (or decorated function) matrix products and convolutions run in `dtype`; sensitive ops stay in
    float32, the others take the wider dtype of their operands.

    level: "O0" switches it off; "O1" and "O2" choose ops alike, and O2 is used with a model that `decorate` has made
    `dtype`. custom_white_list, custom_black_list: names of further ops to run in `dtype`, or not to.
    Errors: ArgumentError for another level or dtype, and for an op on both lists.

    >>> x = OPS["full"]([2, 2], 1.0, float32)
    >>> with auto_cast():
    ...     (x @ x).dtype, (x + x).dtype
    (vitrify.float16, vitrify.float32)"""

def auto_cast(enable: _bool = True, custom_white_list: _Any = None, custom_black_list: _Any = None, level: _str = 'O1', dtype: _Any = 'float16', use_promote: _bool = True) -> _Iterator[None]:
    """Inside the block (or decorated function) matrix products and convolutions run in `dtype`; sensitive ops stay in
    float32, the others take the wider dtype of their operands.

    level: "O0" switches it off; "O1" and "O2" choose ops alike, and O2 is used with a model that `decorate` has made
    `dtype`. custom_white_list, custom_black_list: names of further ops to run in `dtype`, or not to.
    Errors: ArgumentError for another level or dtype, and for an op on both lists.

    >>> x = OPS["full"]([2, 2], 1.0, float32)
    >>> with auto_cast():
    ...     (x @ x).dtype, (x + x).dtype
    (vitrify.float16, vitrify.float32)"""

def black_list(dtype: _Any = 'float16', level: _str = 'O1') -> _set[_str]:
    """The ops whose results auto_cast keeps in float32."""

def decorate(models: _Any, optimizers: _Any = None, level: _str = 'O1', dtype: _Any = 'float16', master_weight: _bool | None = None, save_dtype: _Any = None, master_grad: _bool = False, excluded_layers: _Any = None) -> _Any:
    """For level "O2": the floating parameters and buffers of models made `dtype`, but for normalisation layers and
    `excluded_layers` (layers or classes). Level "O1" changes nothing. Gives back what it was given.

    master_weight, master_grad, save_dtype: accepted; optimisers compute in float32 and round what they store."""

def get_autocast_cpu_dtype(device_type: _Any = None) -> _str:
    """`get_autocast_dtype("cpu")`."""

def get_autocast_dtype(device_type: _Any = None) -> _str:
    """The dtype that `auto_cast` works in; outside of it, that of its default."""

def get_autocast_gpu_dtype(device_type: _Any = None) -> _str:
    """`get_autocast_dtype("gpu")`: the same, as there is only the CPU."""

def is_autocast_enabled(device_type: _Any = None) -> _bool:
    """Whether `auto_cast` is in force.

    >>> with auto_cast():
    ...     is_autocast_enabled(), get_autocast_dtype()
    (True, 'float16')"""

def is_bfloat16_supported(device: _Any = None) -> _bool:
    """Whether auto_cast and layers take bfloat16: yes; it is stored, and computed in float32."""

def is_float16_supported(device: _Any = None) -> _bool:
    """Whether float16 is computed by the machine itself: no, it is stored, and computed in float32."""

def white_list(dtype: _Any = 'float16', level: _str = 'O1') -> _set[_str]:
    """The ops that auto_cast runs in float16 or bfloat16."""
