# Written by `make stubs`; edits here are lost.

"""Predictors: saved models with handles for inputs and outputs, safe to clone for threads."""

from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
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
