# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from enum import Enum as _Enum
from enum import EnumType as _EnumType
from pathlib import Path as _Path
from typing import Any as _Any

class Config:
    Precision: _EnumType
    def __init__(self, prog_file: _str | None = None, params_file: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def set_model(self, prog_file: _str, params_file: _str | None = None) -> None:
        """Name the model's files."""
    def set_prog_file(self, path: _str) -> None:
        """Name the file with the program."""
    def set_params_file(self, path: _str) -> None:
        """Name the file with the parameters."""
    def model_dir(self) -> _str:
        """The folder or prefix, where no parameter file was named."""
    def prog_file(self) -> _str:
        """The file with the program."""
    def params_file(self) -> _str:
        """The file with the parameters."""
    @property
    def prefix(self) -> _Path:
        """The path without the suffixes of Paddle's files. Errors: ArgumentError without a model."""
    def set_cpu_math_library_num_threads(self, count: _int) -> None:
        """How many threads kernels may use."""
    def cpu_math_library_num_threads(self) -> _int:
        """How many threads kernels may use."""
    def enable_use_gpu(self, *_: _Any, **__: _Any) -> None:
        """A warning: there is no GPU; the model runs on the CPU."""
    def enable_xpu(self, *_: _Any, **__: _Any) -> None:
        """A warning: there is no GPU; the model runs on the CPU."""
    def enable_tensorrt_engine(self, *_: _Any, **__: _Any) -> None:
        """A warning: there is no GPU; the model runs on the CPU."""
    def enable_custom_device(self, *_: _Any, **__: _Any) -> None:
        """A warning: there is no GPU; the model runs on the CPU."""
    def use_gpu(self) -> _bool:
        """False: models run on the CPU."""
    def use_xpu(self) -> _bool:
        """False: models run on the CPU."""
    def tensorrt_engine_enabled(self) -> _bool:
        """False: models run on the CPU."""
    def ir_optim(self) -> _bool:
        """True: programs are always optimised."""
    def summary(self) -> _str:
        """A table of the settings."""

class DataType(_Enum):
    """Kinds of elements."""
    FLOAT64 = 'float64'
    FLOAT32 = 'float32'
    FLOAT16 = 'float16'
    INT64 = 'int64'
    INT32 = 'int32'
    INT8 = 'int8'
    UINT8 = 'uint8'
    BOOL = 'bool'

class PlaceType(_Enum):
    """Kinds of devices."""
    UNK = -1
    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM = 3

class PrecisionType(_Enum):
    """Precisions of Paddle's engine; models run in the precision that they were saved in."""
    Float32 = 0
    Int8 = 1
    Half = 2
    Bfloat16 = 3
