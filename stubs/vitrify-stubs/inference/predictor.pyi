# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.inference.config import Config as _Config
from vitrify.inference.config import DataType as _DataType
from vitrify.ir.core import Program as _Program

class Handle:
    """One input or output of a predictor."""
    array: _Any
    def __init__(self, name: _str, kind: _Any, is_input: _bool) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def name(self) -> _str:
        """Its name."""
    def shape(self) -> _list[_int]:
        """The shape of its data; before there is any, the model's, with -1 for open sizes."""
    def type(self) -> _DataType:
        """The kind of its elements."""
    def reshape(self, shape: _Sequence[_int]) -> None:
        """Say which shape the next data have; what `copy_from_cpu` brings decides in the end."""
    def copy_from_cpu(self, data: _Any) -> None:
        """Give an input its data. Errors: StateError for an output; DTypeError, ShapeError for data that don't fit."""
    def share_external_data(self, data: _Any) -> None:
        """Give an input its data. Errors: StateError for an output; DTypeError, ShapeError for data that don't fit."""
    def copy_to_cpu(self) -> _Any:
        """Its data, as an array of its own. Errors: StateError before the first run."""
    def lod(self) -> _list[_Any]:
        """Levels of detail: none."""

class Predictor:
    """A saved model, compiled. `run()` takes the inputs' data and fills the outputs; `clone()` is for a thread."""
    def __init__(self, program: _Program, state: _dict[_str, _Any], executable: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def input_types(self) -> _dict[_str, _Any]:
        """The types of the inputs by name, in order."""
    @property
    def output_types(self) -> _dict[_str, _Any]:
        """The types of the outputs by name, in order."""
    @property
    def program(self) -> _Program:
        """What is run."""
    @property
    def has_state(self) -> _bool:
        """Whether a run changes something that the next one sees."""
    def get_input_names(self) -> _list[_str]:
        """The names of the inputs, in order."""
    def get_output_names(self) -> _list[_str]:
        """The names of the outputs, in order."""
    def get_input_handle(self, name: _str) -> Handle:
        """The handle of an input. Errors: ArgumentError."""
    def get_output_handle(self, name: _str) -> Handle:
        """The handle of an output. Errors: ArgumentError."""
    def get_input_tensor(self, name: _str) -> Handle:
        """The handle of an input. Errors: ArgumentError."""
    def get_output_tensor(self, name: _str) -> Handle:
        """The handle of an output. Errors: ArgumentError."""
    def zero_copy_run(self) -> _Any:
        """Run on what the input handles hold."""
    def get_input_tensor_shape(self) -> _dict[_str, _list[_int]]:
        """Shapes of the inputs by name."""
    def run(self, inputs: _Sequence[_Any] | None = None) -> _Any:
        """Run the model on the handles' data, or on `inputs` in order, whose results are then returned as a list.

        Errors: ArgumentError for too few inputs; StateError for an input without data."""
    def clone(self, stream: _Any = None) -> Predictor:
        """Another predictor over the same weights and kernels, with handles of its own: one per thread."""
    def clear_intermediate_tensor(self) -> None:
        """Nothing to clear: memory is planned once and reused."""
    def try_shrink_memory(self) -> _int:
        """0: nothing to give back."""

class PredictorPool:
    """`size` predictors over one model: `pool.retrive(k)` gives the k-th."""
    def __init__(self, config: _Config, size: _int = 1) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def retrieve(self, index: _int) -> Predictor:
        """The predictor of a number."""
    def retrive(self, index: _int) -> Predictor:
        """The predictor of a number."""
