# Written by `make stubs`; edits here are lost.

"""Predictors: saved models with handles for inputs and outputs, safe to clone for threads."""

from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.inference.config import Config as Config
from vitrify.inference.config import Config as _Config
from vitrify.inference.config import DataType as DataType
from vitrify.inference.config import DataType as _DataType
from vitrify.inference.config import PlaceType as PlaceType
from vitrify.inference.config import PrecisionType as PrecisionType
from vitrify.inference.predictor import Handle as Handle
from vitrify.inference.predictor import Handle as Tensor
from vitrify.inference.predictor import Predictor as Predictor
from vitrify.inference.predictor import Predictor as _Predictor
from vitrify.inference.predictor import PredictorPool as PredictorPool

def create_app(model: _Any, *, window: _float = 0.002, most: _int = 64, name: _str | None = None) -> _Any:
    """An application (ASGI) that serves a saved model: run it with uvicorn, or with `vitrify serve`.

    model: the path that jit.save got, or a Predictor. window: seconds that a request waits for others, with which it
    runs as one batch. most: rows of a batch, and of a request. name: of the model in URLs; by default the file's.
    POST /predict takes {"inputs": {name: nested lists}} and gives {"outputs": {...}}; GET /health, /metrics, /docs and
    /openapi.json; /v2/models/{name}/infer and the health checks of the Open Inference Protocol, which KServe speaks.
    Errors: MissingDependencyError without the extra `serve`; ArgumentError for a missing file."""

def create_predictor(config: _Config) -> _Predictor:
    """Load and compile the model of a Config.

    Errors: ArgumentError for missing files; ArtifactError, ParseError for damaged ones; CallbackError for a model that
    calls Python functions."""

def get_num_bytes_of_data_type(kind: _DataType) -> _int:
    """Bytes per element.

    >>> get_num_bytes_of_data_type(DataType.FLOAT32)
    4"""

def get_trt_compile_version() -> _tuple[_int, _int, _int]:
    """The release of TensorRT that this was built with: (0, 0, 0), none.

    >>> get_trt_compile_version()
    (0, 0, 0)"""

def get_trt_runtime_version() -> _tuple[_int, _int, _int]:
    """The release of TensorRT that this was built with: (0, 0, 0), none.

    >>> get_trt_compile_version()
    (0, 0, 0)"""

def get_version() -> _str:
    """The version of the package."""
