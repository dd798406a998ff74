"""What a predictor is made from: the model's files, threads, and switches of Paddle's engine."""

from __future__ import annotations

import enum
import warnings
from pathlib import Path
from typing import Any

from ..base.dtype import bool_, float16, float32, float64, int8, int32, int64, uint8
from ..base.errors import ArgumentError
from ..base.table import table


class PrecisionType(enum.Enum):
    """Precisions of Paddle's engine; models run in the precision that they were saved in."""

    Float32 = 0
    Int8 = 1
    Half = 2
    Bfloat16 = 3


class PlaceType(enum.Enum):
    """Kinds of devices."""

    UNK = -1
    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM = 3


class DataType(enum.Enum):
    """Kinds of elements."""

    FLOAT64 = float64.name
    FLOAT32 = float32.name
    FLOAT16 = float16.name
    INT64 = int64.name
    INT32 = int32.name
    INT8 = int8.name
    UINT8 = uint8.name
    BOOL = bool_.name


MODEL_SUFFIXES = (".pdmodel", ".json")
_SWITCHES = (
    "enable_memory_optim", "disable_gpu", "enable_mkldnn", "disable_mkldnn", "enable_onednn", "disable_onednn",
    "switch_ir_optim", "switch_ir_debug", "disable_glog_info", "switch_use_feed_fetch_ops",
    "switch_specify_input_names",
    "enable_mkldnn_bfloat16", "enable_mkldnn_int8", "disable_mkldnn_fc_passes", "disable_onednn_fc_passes",
    "set_mkldnn_cache_capacity", "set_optim_cache_dir", "delete_pass",
    "enable_new_executor", "enable_new_ir", "enable_profile", "enable_low_precision_io", "set_optimization_level",
    "enable_save_optim_model", "use_optimized_model",
)  # fmt: skip


class Config:
    """Config(folder or prefix), or Config(program file, parameter file), of jit.save or static.save_inference_model.

    Switches of Paddle's engine (`enable_mkldnn`, `switch_ir_optim`, ...) are accepted and kept, without effect.

    >>> config = Config("net.pdmodel", "net.pdiparams")
    >>> config.set_cpu_math_library_num_threads(2)
    >>> config.cpu_math_library_num_threads(), config.use_gpu()
    (2, False)
    """

    Precision = PrecisionType  # where older programs look for it

    def __init__(self, prog_file: str | None = None, params_file: str | None = None) -> None:
        self._model, self._params = prog_file, params_file
        self._threads: int | None = None
        self._settings: dict[str, Any] = {}

    def set_model(self, prog_file: str, params_file: str | None = None) -> None:
        """Name the model's files."""
        self._model, self._params = prog_file, params_file

    def set_prog_file(self, path: str) -> None:
        """Name the file with the program."""
        self._model = path

    def set_params_file(self, path: str) -> None:
        """Name the file with the parameters."""
        self._params = path

    def model_dir(self) -> str:
        """The folder or prefix, where no parameter file was named."""
        return "" if self._params else self._model or ""

    def prog_file(self) -> str:
        """The file with the program."""
        return self._model or ""

    def params_file(self) -> str:
        """The file with the parameters."""
        return self._params or ""

    @property
    def prefix(self) -> Path:
        """The path without the suffixes of Paddle's files. Errors: ArgumentError without a model."""
        if not self._model:
            raise ArgumentError("the Config names no model", remedy="Config(path), or config.set_model(...)")
        text = str(self._model)
        for suffix in MODEL_SUFFIXES:
            text = text.removesuffix(suffix)
        return Path(text)

    def set_cpu_math_library_num_threads(self, count: int) -> None:
        """How many threads kernels may use."""
        self._threads = count

    def cpu_math_library_num_threads(self) -> int:
        """How many threads kernels may use."""
        return self._threads or 1

    def enable_use_gpu(self, *_: Any, **__: Any) -> None:
        """A warning: there is no GPU; the model runs on the CPU."""
        warnings.warn("there is no GPU: the model runs on the CPU", stacklevel=2)

    enable_xpu = enable_tensorrt_engine = enable_custom_device = enable_use_gpu

    def use_gpu(self) -> bool:
        """False: models run on the CPU."""
        return False

    use_xpu = tensorrt_engine_enabled = use_gpu

    def ir_optim(self) -> bool:
        """True: programs are always optimised."""
        return True

    def __getattr__(self, name: str) -> Any:
        if name not in _SWITCHES:
            raise AttributeError(f"Config has no {name!r}")

        def keep(*values: Any) -> None:
            self._settings[name] = values[0] if values else True

        return keep

    def summary(self) -> str:
        """A table of the settings."""
        rows = [("model", self._model), ("params", self._params), ("threads", self._threads or 1), ("device", "cpu")]
        return table(("setting", "value"), [*rows, *self._settings.items()])
