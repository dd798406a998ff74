# Written by `make stubs`; edits here are lost.

"""Static mode: programs built by calls, run by an Executor; the same IR that `to_static` makes."""

from builtins import bool as _bool
from builtins import bytes as _bytes
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from os import PathLike as _PathLike
from typing import Any as _Any
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.dygraph.device import CPUPlace as _CPUPlace
from vitrify.dygraph.nn.initializer import Initializer as _Initializer
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.ir.input_spec import InputSpec as InputSpec
from vitrify.static import nn as nn
from vitrify.static.average import ExponentialMovingAverage as ExponentialMovingAverage
from vitrify.static.executor import BuildStrategy as BuildStrategy
from vitrify.static.executor import CompiledProgram as CompiledProgram
from vitrify.static.executor import ExecutionStrategy as ExecutionStrategy
from vitrify.static.executor import Executor as Executor
from vitrify.static.executor import Executor as _Executor
from vitrify.static.operator_views import Operator as Operator
from vitrify.static.program import Block as Block
from vitrify.static.program import Program as Program
from vitrify.static.program import Program as _Program
from vitrify.static.scope import Scope as Scope
from vitrify.static.scope import Scope as _Scope
from vitrify.static.transpile import InferenceTranspiler as InferenceTranspiler
from vitrify.static.transpile import MemoryTranspiler as MemoryTranspiler
from vitrify.static.transpile import Transpiler as Transpiler
from vitrify.static.variable import AnyVariable as Variable
from vitrify.static.variable import Variable as _Variable
from vitrify.static.weight_norm import WeightNormParamAttr as WeightNormParamAttr

def Assert(cond: _Any, data: _Any = None, summarize: _int = 20, name: _str | None = None) -> None:
    """An error at run time unless `cond` (a bool tensor of one element) holds; the message shows `data`."""

def Print(input: _Any, first_n: _int = -1, message: _str | None = None, summarize: _int = 20, print_tensor_name: _bool = True, print_tensor_type: _bool = True, print_tensor_shape: _bool = True, print_tensor_layout: _bool = True, print_tensor_lod: _bool = True, print_phase: _str = 'both') -> _Any:
    """Print the tensor when the program gets there; returns it. first_n: at most so many times (-1: always).

    Errors: KindError for anything but a tensor."""

def accuracy(input: _Any, label: _Any, k: _int = 1, correct: _Any = None, total: _Any = None) -> _Any:
    """The share of rows of `input` [n, classes] whose label [n, 1] is among the k highest, f32[]."""

def append_backward(loss: _Any, parameter_list: _Any = None, no_grad_set: _Any = None, callbacks: _Any = None, checkpoints: _Any = None, distop_context: _Any = None) -> _Any:
    """Add the gradients of `loss` to its program: [(parameter, gradient)].

    Parameters without a path are left out; of those that `parameter_list` names the gradient is None then.

    Also other variables' gradients can be fetched afterwards, as `<name>@GRAD`. parameter_list: variables or names
    (default: all trainable parameters, and other persistable variables whose `stop_gradient` is False). With
    `checkpoints` also a list of them: recomputation is the compiler's choice. A loss of several numbers counts with
    their sum; one of integers or bools gives gradients of integers, as far as operations have them.
    Errors: KindError for a loss that is no variable."""

def auc(input: _Any, label: _Any, curve: _str = 'ROC', num_thresholds: _int = 4095, topk: _int = 1, slide_steps: _int = 1, ins_tag_weight: _Any = None) -> _tuple[_Any, _Any, _list[_Any]]:
    """The area under the ROC curve: (over all runs, over this one, [positives and negatives of it, and of all runs]).

    Probabilities are put into `num_thresholds` + 1 buckets, whose counts are persistable variables.
    Shapes: input f[n, 2] (column 1: the probability of label 1) or f[n, 1]; label i[n, 1]; areas f64[].
    Errors: ArgumentError for another curve."""

def cpu_places(device_count: _int | None = None) -> _list[_CPUPlace]:
    """`device_count` CPU places (default: one).

    >>> cpu_places(2)
    [Place(cpu), Place(cpu)]"""

def create_global_var(shape: _Sequence[_int], value: _float, dtype: _Any, persistable: _bool = False, force_cpu: _bool = False, name: _str | None = None) -> _Any:
    """A variable of the default main program that keeps its value between runs; it starts as `value`.

    In eager mode it is a tensor of that value."""

def create_parameter(shape: _Sequence[_int], dtype: _Any, name: _str | None = None, attr: _Any = None, is_bias: _bool = False, default_initializer: _Initializer | None = None) -> _Any:
    """A parameter of the default main program; the startup program makes its first value."""

def cuda_places(device_ids: _Any = None) -> _list[_Any]:
    """The GPUs' places: none."""

def data(name: _str, shape: _Sequence[_Any], dtype: _Any = None, lod_level: _int = 0) -> _Variable:
    """A feed of the default main program. Sizes of -1 or None may differ from run to run.

    A name that is declared again is the same variable; until something reads it, it takes the new shape and dtype.

    dtype: default the default dtype. Errors: KindError, ArgumentError for another kind of name or shape, and for a
    name that is in use with another one."""

def default_main_program() -> _Any:
    """The program that ops go to in static mode."""

def default_startup_program() -> _Any:
    """The program that makes parameters."""

def deserialize_persistables(program: _Program, data: _bytes, executor: _Any = None) -> None:
    """Put a program's parameters into the scope. Errors: ArtifactError for damaged data, ArgumentError for missing."""

def deserialize_program(data: _bytes) -> _Program:
    """The program of a text; run without `fetch_list` it hands out all fetches. Errors: ParseError."""

def device_guard(device: _str | None = None) -> _Iterator[None]:
    """Ops called inside belong to `device`, which is the CPU; a number, `cpu:1`, is a stage of `PipelineOptimizer`.

    Errors: ArgumentError for another name than Paddle's."""

def disable_static(place: _Any = None) -> None:
    """Eager mode: ops run at once."""

def enable_static() -> None:
    """Static mode: ops build the default main program.

    >>> enable_static(); in_dynamic_mode()
    False
    >>> disable_static(); in_dynamic_mode()
    True"""

def global_scope() -> _Scope:
    """The scope in force."""

def gradients(targets: _Any, inputs: _Any, target_gradients: _Any = None, no_grad_set: _Any = None) -> _list[_Variable | None]:
    """Variables for the gradients of the sum of `targets` with respect to `inputs`; None where there is no path.

    target_gradients: weights of the targets (None: ones). no_grad_set: variables, or names, that stop gradients.
    Errors: KindError for other objects; ArgumentError for weights that don't fit in number."""

def gradients_with_optimizer(program: _Any, optimizer: _Any, inputs: _Any = None, outputs: _Any = None) -> _Any:
    """Updates for the gradients of `outputs` with respect to `inputs`: (operations, pairs).

    inputs: default the trainable parameters. outputs: default what no operation of the program reads."""

def in_dynamic_mode() -> _bool:
    """Whether ops run at once."""

def load(program: _Program, model_path: _str, executor: _Any = None, var_list: _Any = None) -> None:
    """Read what `save` wrote into the scope. Errors: ArtifactError for missing or damaged files."""

def load_from_file(path: _str | _PathLike[_str]) -> _bytes:
    """A file's bytes."""

def load_inference_model(path_prefix: _str | None, executor: _Executor, *, model_filename: _Any = None, params_filename: _Any = None, **options: _Any) -> _list[_Any]:
    """[program, feed names, fetch targets] of what `save_inference_model` wrote, or of the `forward` in what `jit.save`
    wrote; files of PaddlePaddle (`.pdmodel` or `.json`, with `.pdiparams`) are read, too.

    Errors: ArgumentError (a ValueError) for missing files, and for operations that can't be read, all by name;
    ArtifactError or ParseError for damaged files."""

def load_program_state(model_path: _str, var_list: _Any = None) -> _dict[_str, _Any]:
    """What `save` wrote, as arrays by name."""

def memory_optimize(program: _Any, *_: _Any, **__: _Any) -> None:
    """`MemoryTranspiler().transpile(program)`; further arguments of Paddle's old function have no effect."""

def name_scope(prefix: _str | None = None) -> _Iterator[None]:
    """A name for a part of the program: its operations' attribute `op_namescope`. Errors: KindError."""

def normalize_program(program: _Program, feed_vars: _Any, fetch_vars: _Any, **_: _Any) -> _Program:
    """The program as in testing, ready to be serialised with these feeds and fetches. Errors: KindError."""

def program_guard(main_program: _Any, startup_program: _Any = None) -> _Iterator[None]:
    """Ops called inside go to `main_program`, initialisers to `startup_program` (default: as before).

    Errors: KindError for other objects."""

def py_func(func: _Callable[..., _Any], x: _Any, out: _Any, backward_func: _Callable[..., _Any] | None = None, skip_vars_in_backward_input: _Any = None, **unknown: _Any) -> _Any:
    """`func(*x)` in Python whenever the program gets there; its results are the values of `out`.

    x: variables, or None. out: variables made by `block.create_var(name, dtype, shape)`, or None for a function that is
    called for what it does. backward_func(*x, *out, *gradients of out) returns a gradient, or None, for each x;
    without it no gradient flows. skip_vars_in_backward_input: members of x and out that it doesn't get.
    Errors: KindError, ArgumentError for other kinds; CallbackError for results that don't fit."""

def save(program: _Program, model_path: _str, protocol: _int = 4, **_: _Any) -> None:
    """`model_path.pdparams` with the parameters and `model_path.pdopt` with all other state.

    protocol: PaddlePaddle's number of a pickle format, 2 to 4; the files here are of one format. Errors: ArgumentError."""

def save_inference_model(path_prefix: _str, feed_vars: _Any, fetch_vars: _Any, executor: _Executor, *, program: _Program | None = None, clip_extra: _bool = True, legacy_format: _bool = False, **_: _Any) -> None:
    """`path_prefix.pdmodel` (the program's text) and `path_prefix.pdiparams` (its parameters), from feeds to fetches.

    Errors: ArgumentError (a ValueError) for what are no variables, an empty name, a folder's name, or feeds that are
    missing; KindError for another executor."""

def save_to_file(path: _str | _PathLike[_str], content: _bytes) -> None:
    """Write bytes to a file, whole or not at all. Errors: ArgumentError (a ValueError) for anything but bytes."""

def scope_guard(scope: _Scope) -> _Iterator[None]:
    """Another scope in force inside the block. Errors: KindError."""

def serialize_persistables(feed_vars: _Any, fetch_vars: _Any, executor: _Any = None, **kwargs: _Any) -> _bytes:
    """The parameters of that program, as a safetensors file."""

def serialize_program(feed_vars: _Any, fetch_vars: _Any, **kwargs: _Any) -> _bytes:
    """The text of the program from these feeds to these fetches, as in testing."""

def set_program_state(program: _Program, state_dict: _dict[_str, _Any]) -> None:
    """Set persistable variables by name."""

def setitem(x: _TensorLike, key: _TensorLike, value: _TensorLike) -> _Tensor:
    """x with the elements `x[key]` replaced by `value`, which broadcasts and takes x's dtype."""

def switch_main_program(program: _Any) -> _Any:
    """Make another program the default one; returns the one before."""

def switch_startup_program(program: _Any) -> _Any:
    """Make another startup program the default one; returns the one before."""
