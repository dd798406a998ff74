"""Predictors: saved models with handles for inputs and outputs, safe to clone for threads."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from .config import Config, DataType, PlaceType, PrecisionType
from .predictor import (
    Handle,
    Predictor,
    PredictorPool,
    create_predictor,
    get_num_bytes_of_data_type,
    get_trt_compile_version,
    get_trt_runtime_version,
    get_version,
)
from .serving import create_app

Tensor = Handle

__all__ = [
    "Config",
    "DataType",
    "Handle",
    "PlaceType",
    "PrecisionType",
    "Predictor",
    "PredictorPool",
    "Tensor",
    "create_app",
    "create_predictor",
    "get_num_bytes_of_data_type",
    "get_trt_compile_version",
    "get_trt_runtime_version",
    "get_version",
]

_tell_unknown_names(__name__)
