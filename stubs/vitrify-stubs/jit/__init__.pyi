# Written by `make stubs`; edits here are lost.

"""Python functions to programs: conversion, tracing, cache, guards. The public names are `vt.jit`.

What makes and runs programs is loaded when it is first needed, so that `import vitrify` stays quick."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from os import PathLike as _PathLike
from pathlib import Path as _Path
from typing import Any as _Any
from typing import TypeVar as _TypeVar
from typing import overload as _overload
from vitrify._stub_types import LayerT as _LayerT
from vitrify._stub_types import P as _P
from vitrify._stub_types import R_co as _R_co
from vitrify.ir.core import Program as _Program
from vitrify.jit import marker as marker
from vitrify.jit.call.recompiles import InputSpecWarning as InputSpecWarning
from vitrify.jit.call.recompiles import RecompileWarning as RecompileWarning
from vitrify.jit.debug.callbacks import CallbackCheck as _CallbackCheck
from vitrify.jit.debug.replay import Recording as _Recording
from vitrify.jit.debug.replay import Replay as _Replay
from vitrify.jit.debug.results import Verification as _Verification
from vitrify.jit.dy2static.program_translator import ProgramTranslator as ProgramTranslator
from vitrify.jit.function import StaticFunction as StaticFunction
from vitrify.jit.function import StaticFunction as _StaticFunction
from vitrify.jit.inspect.function_views import ConcreteProgram as ConcreteProgram
from vitrify.jit.serialize.load import TranslatedLayer as TranslatedLayer
from vitrify.jit.serialize.load import TranslatedLayer as _TranslatedLayer
from vitrify.runtime.allocations import Allocations as Allocations
from vitrify.runtime.allocations import Allocations as _Allocations

def allocations() -> _Allocations:
    """The counter as it stands. Two calls of a program in its steady state give the same numbers.

    Results below 64 KiB come from NumPy's own allocator, which reuses such memory, and aren't counted.

    >>> allocations() == allocations()
    True"""

def check_callbacks(fn: _Any, *args: _Any, **kwargs: _Any) -> _CallbackCheck:
    """Run a call eagerly and try each PyLayer and py_func in it, close to the values that it gets there.

    Tried: that it gives the same twice, leaves its inputs and incoming gradients alone, gives gradients of the inputs'
    dtype and shape, and the right ones: along a random direction of each input, by finite differences, in float64 where
    it takes that. What the calls write is undone.
    Errors: KindError for what isn't callable.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> check_callbacks(lambda x: x * 2, to_tensor([1.0]))
    <lambda>: 0 callbacks checked, 0 findings"""

def enable_to_static(enable_to_static_bool: _bool) -> None:
    """Switch compiling off (compiled functions then run as they were written) or on again, for the whole process.

    >>> enable_to_static(True)"""

def ignore_module(modules: _Iterable[_Any] | _Any) -> None:
    """Treat all functions of these modules as `not_to_static` does.

    >>> import textwrap
    >>> ignore_module([textwrap])
    >>> is_left_alone(textwrap.dedent)
    True"""

def load(path: _str | _PathLike[_str], callbacks: _Mapping[_str, _Callable[..., _Any]] | None = None, *, structured: _bool = False, **configs: _Any) -> _TranslatedLayer:
    """Load an artifact as a layer: callable, trainable, with its parameters under their names, in evaluation mode.

    As in PaddlePaddle `train()` and `eval()` set `training` and leave the program as it was saved: to train on with
    dropout and with new running statistics, load the parameters (`vt.load(path)`) into the network itself.

    path: what `save` got, or the prefix of an inference program with its parameters: PaddlePaddle's `.pdmodel` or
    `.json` with `.pdiparams`, or what `static.save_inference_model` wrote.
    callbacks: the Python callables that its programs call, by name ("module.Class" or "Class"): PyLayer classes, or
    functions from arrays to arrays.
    structured: results come in the tuples, lists and dicts of the saved function, with what isn't a tensor. Without it
    they are flat, as in PaddlePaddle: one tensor, or a list of tensors in the structure's order, those of a dict by
    its sorted keys. Results whose structure depends on values keep it.
    Errors: ArtifactError for a missing, damaged or foreign file, CallbackError for callbacks that are missing;
    ArgumentError that names the operations of PaddlePaddle's program that can't be read."""

_F = _TypeVar("_F", bound=_Callable[..., _Any])

@_overload
def not_to_static(func: None = None) -> _Callable[[_F], _F]:
    """Call this function as it is while capturing: its tensor ops are recorded, its control flow stays Python's.

    What it writes to objects is written in each call. One that prints, logs, draws or asks the time is captured all the
    same, where it can be, as that would happen while capturing only.

    >>> @not_to_static
    ... def helper(x):
    ...     return x
    >>> is_left_alone(helper)
    True"""
@_overload
def not_to_static(func: _F) -> _F: ...

def record(fn: _Any, *args: _Any, **kwargs: _Any) -> _Recording:
    """Copy what a call would read: arguments, parameters, buffers, random state. Nothing runs but the capture.

    Errors: KindError for what isn't callable; CaptureError for what can't be captured."""

def recording(check_nan: _bool = False) -> _Iterator[_list[_Recording]]:
    """Keep a recording of every call of a compiled function that fails inside the block, in the list that it gives.

    A call that goes well costs nothing more. check_nan: calls that make NaN or infinity fail, as by `detect_anomaly`.

    >>> with recording() as failed:
    ...     pass
    >>> failed
    []"""

def replay(fn: _Any, *args: _Any, line: _int | None = None, turn: _int | None = None, debugger: _bool | _Callable[[_Any, _Replay], _object] = False, **kwargs: _Any) -> _Replay:
    """Run a call again eagerly, up to the operation that makes NaN, infinity or an error, and keep every step.

    fn: a Recording, or a function, compiled or not, with its arguments: a call that failed has changed nothing, so the
    same call can be replayed right after it. Whatever the run writes is undone. line, turn: stop behind the first
    operation of this line, or of this iteration of the innermost loop, instead. debugger: True opens pdb at the user's
    line while its variables are alive; a function is called with the frame and the Replay.
    Errors: KindError for what isn't callable.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> def scaled(x):
    ...     y = x * 2
    ...     return y / 0
    >>> again = replay(scaled, to_tensor([1.0]))
    >>> again.here.op, again.back().op, again.here.made
    ('divide', 'multiply', (array([2.], dtype=float32),))"""

def save(layer: _Any, path: _str | _PathLike[_str], input_spec: _Any = None, **configs: _Any) -> None:
    """Save a layer, a compiled function or a plain function as an artifact.

    A layer, or a method of one, is captured in evaluation mode, as in PaddlePaddle: dropout passes its input on, batch
    norm takes the running statistics. The layer keeps its own modes. What else a function calls has its present mode.
    With a layer its other methods are saved that `to_static` compiled, in the class or later.

    path: a folder to make; a name ending in .vt or .zip makes one file. input_spec: InputSpecs or example tensors; not
    needed when `to_static` got one or the function was called. output_spec (option): the outputs to keep: numbers in
    the structure's order, entries of the function's `outputs`, or results of its last call. An input_spec that names
    only some of the inputs, or input_names_after_prune (names), leaves out the others, which the outputs must not need.
    Without InputSpecs (example tensors, or the last call) the size of the batch is left open, where the function
    doesn't depend on it.
    with_hook (option): whether the forward hooks of the layer itself go into the program (True).
    format (option): "artifact", or "python": a folder with a readable model.py that runs with NumPy alone.
    Errors: TypeError for other objects; ValueError for unknown options, an empty name, or no known inputs."""

def save_inference_model(path: _str | _PathLike[_str], layer_or_program: _Any, input_spec: _Any = None, **configs: _Any) -> None:
    """Save a layer or function for inference (as `save` does), or a Program without state."""

def set_code_level(level: _int = 100, also_to_stdout: _bool = False) -> None:
    """Log the rewritten source of each function that is converted from now on; 0 switches it off.

    Our rewrite is one pass, so every level above 0 shows its result. The logger is `vitrify.jit`.

    >>> set_code_level(0)"""

def set_log(topics: _str = '') -> None:
    """Say what to log from now on: topics with commas between them, "all", or nothing. Lines go to stderr.

    The topics are capture, guards, passes, compile and cache; `VITRIFY_LOG` sets them for a process.
    Errors: ArgumentError for other topics.

    >>> set_log("capture, guards")
    >>> set_log("")"""

def set_recompile_limit(programs: _int | None) -> _int | None:
    """From how many programs of one function on it warns, naming the argument that changed; None: never.

    Returns the limit until now. Errors: KindError for anything but a positive int or None.

    >>> set_recompile_limit(16)
    8
    >>> set_recompile_limit(8)
    16"""

def set_verbosity(level: _int = 0, also_to_stdout: _bool = False) -> None:
    """Log a note for each function that is converted (level 1 and above); 0 switches it off.

    >>> set_verbosity(0)"""

@_overload
def to_static(function: _LayerT, input_spec: _Any=None, build_strategy: _Any=None, backend: _str | None='CINN', *, full_graph: _bool | None=None, property: _bool=False, fallback: _str='error', compile: _str | None=None, memory_limit: _int | _str | None=None, numerics: _str | None=None) -> _LayerT:
    """Compile a function, a method or a layer: at its first call it is captured as one program.

    Forms: `@to_static`, `@to_static(input_spec=[...])`, `to_static(fn)`, `to_static(layer)`: the last replaces
    `layer.forward` and returns the layer. input_spec: InputSpecs nested like the arguments; sizes given as None never
    lead to another program; a call with other shapes or dtypes warns and has a program of its own. full_graph and
    build_strategy are accepted: it is always one whole program.
    fallback="eager": what can't be captured runs uncompiled, with a warning. property=True: the function is left alone.

    compile="background": the first calls run on the interpreter while kernels compile in other processes; "wait": the
    first call waits; None: as the environment variable VITRIFY_COMPILE says ("wait" without it).
    memory_limit: the most bytes (or "64MB") that each of its programs may plan for intermediates; to keep to it, values
    are computed again instead of kept.
    numerics="ieee": kernels in which every element-wise operation is rounded once, as in eager mode; functions such as
    exp keep stated bounds, and sums are added in another order (`fn.deviation(...)` measures what that makes). "fast":
    kernels that may also reorder, contract and approximate arithmetic. "reference": NumPy's functions in eager mode's
    order, equal to it bit for bit. None: as VITRIFY_NUMERICS says ("ieee" without it).
    Kernels are made for this machine's CPU, or for the one that VITRIFY_TARGET names (docs/guide/targets.md).
    Errors: ValueError for an unknown backend or option; TypeError for what isn't callable. Calls raise
    MemoryLimitError, before anything runs, where a program can't keep to memory_limit.

    >>> @to_static
    ... def double(x):
    ...     return x * 2
    >>> double.get_traced_count()
    0"""
@_overload
def to_static(function: _Callable[_P, _R_co], input_spec: _Any=None, build_strategy: _Any=None, backend: _str | None='CINN', *, full_graph: _bool | None=None, property: _bool=False, fallback: _str='error', compile: _str | None=None, memory_limit: _int | _str | None=None, numerics: _str | None=None) -> _StaticFunction[_P, _R_co]: ...
@_overload
def to_static(function: None=None, input_spec: _Any=None, build_strategy: _Any=None, backend: _str | None='CINN', *, full_graph: _bool | None=None, property: _bool=False, fallback: _str='error', compile: _str | None=None, memory_limit: _int | _str | None=None, numerics: _str | None=None) -> _Callable[[_Callable[_P, _R_co]], _StaticFunction[_P, _R_co]]: ...

def verify(fn: _Any, *args: _Any, gradients: _bool = True, tolerance: _float = 0.0001, script: _str | _Path | None = None, **kwargs: _Any) -> _Verification:
    """Run a call every way there is, side by side, and name the first pass, operation, line and element that differ.

    In order: eager; the captured program by the interpreter; the same after each pass; the compiled kernels. gradients:
    check each operation's gradient rule against finite differences, and forward and backward programs as well, where
    an argument or a parameter wants gradients. Nothing that the function writes stays: parameters, buffers, random
    state and Python objects are as before. `PyLayer`s and callbacks run several times.

    fn: a function, a compiled function, a method or a layer. tolerance: in parts of an element's size, for float32; for
    float64 its square. script: where to write a file that reproduces the difference without your code.
    Errors: KindError for what isn't callable; CaptureError for what can't be captured.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> def double(x):
    ...     return x * 2
    >>> bool(verify(double, to_tensor([1.0, 2.0])))
    True"""

def verify_program(program: _Program, arrays: _Sequence[_Any], *, callbacks: _Mapping[_str, _Callable[..., _Any]] | None = None, passes: _Sequence[_Any | _str] | None = None, kernels: _bool = True, gradients: _bool = False, tolerance: _float = 0.0001, script: _str | _Path | None = None, schedule: _Sequence[_str] | None = None) -> _Verification:
    """Compare a program with itself after each pass, and with its compiled form, on these arrays.

    The interpreter over NumPy says what is right. arrays: one for each feed, then one for each state. passes: those to
    run, or their names (None: the usual ones). gradients: compare the gradient rule of each operation with finite
    differences, too. tolerance: in parts of an element's size, for float32; for float64 its square. script: write a
    file there that reproduces the difference. schedule: the names of the passes that the compiled program's steps go
    through, or those to leave out, each with a minus (`-loop_kernels`).
    Errors: VerifyError for a program that isn't valid; GuardError for arrays that don't fit it.

    >>> from vitrify.ir.parser import parse_program
    >>> text = "program @f(%x: f32[2]) -> f32[2] {\\n  %0 = neg %x : f32[2]\\n  return %0\\n}"
    >>> bool(verify_program(parse_program(text), [np.ones(2, "float32")], kernels=False))
    True"""
