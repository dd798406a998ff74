# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.shown import Sections as _Sections
from vitrify.base.shown import Shown as _Shown
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.export.tensor_source import Source as _Source
from vitrify.ir.core import Program as _Program
from vitrify.jit.inspect.certificate import Certificate as _Certificate
from vitrify.jit.inspect.deviation import Deviations as _Deviations
from vitrify.jit.inspect.program_view import ProgramView as _ProgramView
from vitrify.jit.inspect.stages import KernelTexts as _KernelTexts
from vitrify.jit.inspect.stages import MemoryPlan as _MemoryPlan

class Views:
    """Texts and tables of the program that ran last (or that the input_spec gives)."""
    def concrete_trace(self, input_spec: _Any = None) -> _Any:
        """The trace to show."""
    @property
    def concrete_program(self) -> ConcreteProgram:
        """The program of the last call, or of the input_spec."""
    @property
    def misses(self) -> _list[Miss]:
        """Why each program was made, with old and new values and the lines that read them, and how long it took."""
    def concrete_program_specify_input_spec(self, input_spec: _Any = None, with_hook: _bool = False, is_prim_infer: _bool = False) -> ConcreteProgram:
        """The program for an input_spec (None: the function's own, or that of the last call)."""
    @property
    def program(self) -> _Program:
        """The captured program, before any pass."""
    @property
    def main_program(self) -> _ProgramView:
        """The captured program under Paddle's names."""
    @property
    def inputs(self) -> _list[_Any]:
        """The tensors that go in."""
    @property
    def outputs(self) -> _list[_Any]:
        """The types of what comes out; `jit.save(output_spec=fn.outputs[:1])` saves the first output alone."""
    @property
    def function_spec(self) -> _Any:
        """The parameters of the function."""
    @property
    def code(self) -> _Shown:
        """The rewritten source of the function."""
    def dump(self, stage: _str | None = None, *, backward: _bool = False) -> _Shown:
        """The program's text after a stage, e.g. "captured" or "after fusion"; None: after its last pass.

        From the stage "linearised" on it is the text of the steps that the program becomes, e.g. "after loop_kernels".
        backward: of the program that gives the gradients. Errors: ArgumentError for other stages, or without gradients."""
    def dump_diff(self, stage: _str | None = None, until: _str | None = None, *, backward: _bool = False) -> _Shown:
        """What passes changed: `dump_diff("fusion")` one pass, `dump_diff("captured", "dce")` one stage to another.

        Without names: every pass that changed something, in turn. Lines that differ only by the numbers of values or
        steps count as equal. Errors: ArgumentError as for `dump`, and for a stage of the program beside one of its
        steps."""
    def forward_source(self) -> _Source:
        """The program as Python over tensors: it runs, and can be captured again. `.load()` gives the function.

        The function takes the tensors that go in, then the state (parameters, buffers); it returns what the program
        fetches and writes the state that changes."""
    def backward_source(self, wrt: _Sequence[_str] | None = None) -> _Source:
        """The function with its gradient as Python over tensors: it returns the results and a function `backward`.

        wrt: names of arguments and parameters; by default those with stop_gradient=False, or, if there are none, all
        floats.
        The text runs: `y, backward = fn.backward_source().load()(x, w)`, then `backward(gradient_of_y)`.
        Errors: ArgumentError for other names, and where no result has a gradient.

        >>> import vitrify as vt
        >>> fn = vt.to_static(lambda x: x * x, input_spec=[vt.InputSpec([3])])
        >>> y, backward = fn.backward_source().load()(vt.to_tensor([1.0, 2.0, 3.0]))
        >>> backward(vt.ones([3])).tolist()
        [2.0, 4.0, 6.0]"""
    @property
    def stages(self) -> _list[_str]:
        """The names that `dump` and `dump_diff` take."""
    def explain(self) -> _Sections:
        """A table of all programs: their arguments, why each was made, what it guards, where the time went.

        Of the last program also what runs in NumPy, and which neighbours fusion left apart, by which rule."""
    def cost(self) -> _Any:
        """Operations, bytes before and after fusion, kernel calls, and exact peak memory of one call, before it runs.

        Of the last call's program, or of that of the input_spec. Open sizes and iterations of loops are symbols, which
        `.at(N=64)` fills in; `.time()` estimates seconds.

        >>> import vitrify as vt
        >>> f = vt.to_static(lambda x, w: x @ w, input_spec=[vt.InputSpec([None, 8]), vt.InputSpec([8, 4])])
        >>> f.cost().work, f.cost().at(N=100).work
        (64*N, 6400)"""
    @property
    def unfused(self) -> _list[_Any]:
        """Neighbouring kernels of the last program that fusion left apart: the rule, and what one can do about it."""
    def certificate(self, *, strict: _bool = False) -> _Certificate:
        """What became of each statement."""
    @property
    def kernels(self) -> _KernelTexts:
        """Name and source of each kernel of the last program (with those of its backward, once that ran).

        Each source is a string that also knows its `group`, the `reason` for it, and the user's `lines`."""
    def deviation(self, *args: _Any, **kwargs: _Any) -> _Deviations:
        """How far the program for these arguments is from NumPy when kernels run it: ULP for each result and state.

        Runs both on copies: nothing changes. Random numbers are the same in both."""
    @property
    def memory_plan(self) -> _MemoryPlan:
        """Where each intermediate lies and when; the peak, the sum of all, and the lower bound."""

class ConcreteProgram:
    """One captured program with what goes in and comes out. Two are equal if they are of one capture."""
    main_program: _ProgramView
    inputs: _tuple[_Any, ...]
    outputs: _Any
    parameters: _tuple[_Tensor, ...]
    trace: _Any
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""
    def __init__(self, main_program: _ProgramView, inputs: _tuple[_Any, ...], outputs: _Any, parameters: _tuple[_Tensor, ...], trace: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class Miss:
    """A call that no program was at hand for: the program made then, why, and what that took."""
    number: _int
    reason: _str
    seconds: _float
    def __init__(self, number: _int, reason: _str, seconds: _float) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class ProgramCache(_list[_Any]):
    """The entries of a compiled function, oldest first; without any, the programs that specs gave."""
    def concrete_programs(self) -> _list[ConcreteProgram]:
        """What is shown of each."""
    def last(self) -> _tuple[_int, _tuple[ConcreteProgram, PartialProgram]]:
        """The number of the program that was made last, and what is shown of it.

        Errors: ArgumentError for a function without programs."""

class PartialProgram:
    """A program as the one that a call runs, under Paddle's names: it is the same in training and inference."""
    program: _ProgramView
    @property
    def train_program(self) -> _ProgramView:
        """The program."""
    @property
    def infer_program(self) -> _ProgramView:
        """The program."""
    def __init__(self, program: _ProgramView) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...
