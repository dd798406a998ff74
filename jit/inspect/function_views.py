"""What a compiled function shows of itself: the half of StaticFunction that nothing runs through."""

from __future__ import annotations

import ast
import inspect
import textwrap
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from ...base.errors import ArgumentError, GuardError, VitrifyError
from ...base.html import folded
from ...base.shown import Listed, Sections, Shown
from ...dygraph.tensor import Tensor
from ...export.tensor_source import Source
from ...ir.core import Program
from ...ops.types import TensorType
from ...runtime.observe.subject import Subject
from ..call.cache import CacheEntry, Family
from ..call.caller import Runner, feed_of, gradient_arguments, make_runner
from ..call.signature import Call, Signature, array_of
from ..function_settings import Settings
from ..serialize.save_specs import OutputType
from ..switches import is_left_alone
from ..trace.traced import InputLeaf, Trace
from .certificate import Certificate
from .deviation import Deviations, deviations
from .program_view import ProgramView
from .stages import KernelTexts, MemoryPlan, dump, dump_diff, kernels, stage_program, stages

if TYPE_CHECKING:  # it loads LLVM, so at run time it comes when it is used
    from ...runtime.observe.cost import Cost


@dataclass(frozen=True, slots=True, eq=False)
class ConcreteProgram:
    """One captured program with what goes in and comes out. Two are equal if they are of one capture."""

    main_program: ProgramView
    inputs: tuple[InputLeaf, ...]
    outputs: Any
    parameters: tuple[Tensor, ...]
    trace: Trace

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConcreteProgram) and other.trace is self.trace

    def __hash__(self) -> int:
        return id(self.trace)


@dataclass(frozen=True, slots=True)
class PartialProgram:
    """A program as the one that a call runs, under Paddle's names: it is the same in training and inference."""

    program: ProgramView

    @property
    def train_program(self) -> ProgramView:
        """The program."""
        return self.program

    @property
    def infer_program(self) -> ProgramView:
        """The program."""
        return self.program

    _train_program, _infer_program = train_program, infer_program  # their names in tests of Paddle 2


class ProgramCache(list[Any]):
    """The entries of a compiled function, oldest first; without any, the programs that specs gave."""

    def concrete_programs(self) -> list[ConcreteProgram]:
        """What is shown of each."""
        return [concrete(entry.trace) for entry in self]

    def last(self) -> tuple[int, tuple[ConcreteProgram, PartialProgram]]:
        """The number of the program that was made last, and what is shown of it.

        Errors: ArgumentError for a function without programs.
        """
        if not self:
            raise ArgumentError("the function has no program yet", remedy="call it once, or give an input_spec")
        shown = concrete(self[-1].trace)
        return len(self), (shown, PartialProgram(shown.main_program))


@dataclass(frozen=True, slots=True)
class Miss:
    """A call that no program was at hand for: the program made then, why, and what that took."""

    number: int
    reason: str
    seconds: float


def concrete(trace: Trace) -> ConcreteProgram:
    """What is shown of a trace."""
    parameters = tuple(s.tensor for s in trace.state if s.role == "parameter")
    return ConcreteProgram(ProgramView(trace.program), trace.inputs.leaves, trace.outputs, parameters, trace)


@dataclass(frozen=True, slots=True, eq=False)
class SpecProgram:
    """A program that nothing has run yet: it was made from InputSpecs."""

    trace: Trace

    @property
    def program(self) -> Program:
        """The captured program."""
        return self.trace.program


def as_written(function: Any, dedent: bool = True) -> str:
    """The source text of a function without its comments.

    Errors: OSError where there is no source.
    """
    text = "".join(inspect.getsourcelines(function)[0])
    return ast.unparse(ast.parse(textwrap.dedent(text))) + "\n" if dedent else text


def _numbers_of(trace: Trace, wrt: Sequence[str] | None) -> list[int]:
    """Numbers of the arguments (feeds, then state) to take gradients of."""
    program = trace.program
    names = [*program.feeds, *(entry.name for entry in program.state)]
    if wrt is not None:
        wrong = [name for name in wrt if name not in names]
        if wrong:
            raise ArgumentError(f"{program.name} has no argument {wrong[0]!r}", remedy="it has " + ", ".join(names))
        return [names.index(name) for name in wrt]
    every = [k for k, v in enumerate(program.body.args) if v.tensor_type.dtype.is_differentiable]
    return gradient_arguments(trace) or every


class Views:
    """Texts and tables of the program that ran last (or that the input_spec gives)."""

    _last: CacheEntry | None
    _families: dict[Any, Family]
    _gave_up: str | None
    _function: Any
    _signature: Signature
    _settings: Settings

    @abstractmethod
    def concrete_trace(self, input_spec: Any = None) -> Trace:
        """The trace to show."""

    @abstractmethod
    def _entry(self, call: Call) -> CacheEntry:
        """The entry that runs a call; made where there is none."""

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The program of the last call, or of the input_spec."""
        return concrete(self.concrete_trace())

    @abstractmethod
    def _entries(self) -> list[CacheEntry]:
        """All entries, oldest first."""

    def _repr_html_(self) -> str:
        """What a notebook shows: what it is, and folded the explanation, programs, kernels and the memory plan."""
        if self._last is None:
            return f"<p>{escape(repr(self))}: not called yet</p>"
        parts = [
            ("programs", self.explain()._repr_html_(), True), ("captured program", self.program._repr_html_(), False),
            ("after the passes", self.dump()._repr_html_(), False),
        ]  # fmt: skip
        for name in ("kernels", "memory_plan"):
            try:
                parts.append((name.replace("_", " "), getattr(self, name)._repr_html_(), False))
            except VitrifyError:  # sizes that only a run knows; NumPy runs the program
                pass
        return f"<p>{escape(repr(self))}</p>" + "".join(folded(title, inner, open=o) for title, inner, o in parts)

    @property
    def misses(self) -> list[Miss]:
        """Why each program was made, with old and new values and the lines that read them, and how long it took."""
        rows = [Miss(e.number, e.reason, e.seconds) for e in self._entries()]
        return Listed(rows, ("number", "reason", "seconds"))

    def concrete_program_specify_input_spec(
        self, input_spec: Any = None, with_hook: bool = False, is_prim_infer: bool = False
    ) -> ConcreteProgram:
        """The program for an input_spec (None: the function's own, or that of the last call)."""
        return concrete(self.concrete_trace(input_spec))

    @property
    def program(self) -> Program:
        """The captured program, before any pass."""
        return self.concrete_trace().program

    @property
    def main_program(self) -> ProgramView:
        """The captured program under Paddle's names."""
        return ProgramView(self.program)

    @property
    def inputs(self) -> list[InputLeaf]:
        """The tensors that go in."""
        return list(self.concrete_trace().inputs.leaves)

    @property
    def outputs(self) -> list[Any]:
        """The types of what comes out; `jit.save(output_spec=fn.outputs[:1])` saves the first output alone."""
        return [
            OutputType(v.type, k) if isinstance(v.type, TensorType) else v.type
            for k, v in enumerate(self.program.fetches)
        ]

    @property
    def function_spec(self) -> Signature:
        """The parameters of the function."""
        return self._signature

    @property
    def code(self) -> Shown:
        """The rewritten source of the function."""
        from ..convert import convert  # loads the rewriting half

        original = getattr(self._function, "func", self._function)  # of a functools.partial
        if is_left_alone(original):
            return Shown(as_written(original), "python")
        return Shown(convert(original, None).code, "python")

    def dump(self, stage: str | None = None, *, backward: bool = False) -> Shown:
        """The program's text after a stage, e.g. "captured" or "after fusion"; None: after its last pass.

        From the stage "linearised" on it is the text of the steps that the program becomes, e.g. "after loop_kernels".
        backward: of the program that gives the gradients. Errors: ArgumentError for other stages, or without gradients.
        """
        return dump(self._shown_program(backward), stage)

    def dump_diff(self, stage: str | None = None, until: str | None = None, *, backward: bool = False) -> Shown:
        """What passes changed: `dump_diff("fusion")` one pass, `dump_diff("captured", "dce")` one stage to another.

        Without names: every pass that changed something, in turn. Lines that differ only by the numbers of values or
        steps count as equal. Errors: ArgumentError as for `dump`, and for a stage of the program beside one of its
        steps.
        """
        return dump_diff(self._shown_program(backward), stage, until)

    def forward_source(self) -> Source:
        """The program as Python over tensors: it runs, and can be captured again. `.load()` gives the function.

        The function takes the tensors that go in, then the state (parameters, buffers); it returns what the program
        fetches and writes the state that changes.
        """
        from ...export.tensor_source import program_source  # loads the gradients' passes

        trace = self.concrete_trace()
        return program_source(trace.program, trace.callbacks)

    def backward_source(self, wrt: Sequence[str] | None = None) -> Source:
        """The function with its gradient as Python over tensors: it returns the results and a function `backward`.

        wrt: names of arguments and parameters; by default those with stop_gradient=False, or, if there are none, all
        floats.
        The text runs: `y, backward = fn.backward_source().load()(x, w)`, then `backward(gradient_of_y)`.
        Errors: ArgumentError for other names, and where no result has a gradient.

        >>> import vitrify as vt
        >>> fn = vt.to_static(lambda x: x * x, input_spec=[vt.InputSpec([3])])
        >>> y, backward = fn.backward_source().load()(vt.to_tensor([1.0, 2.0, 3.0]))
        >>> backward(vt.ones([3])).tolist()
        [2.0, 4.0, 6.0]
        """
        from ...export.tensor_source import gradient_source  # loads the gradients' passes

        trace = self.concrete_trace()
        return gradient_source(trace.program, _numbers_of(trace, wrt), trace.callbacks)

    @property
    def stages(self) -> list[str]:
        """The names that `dump` and `dump_diff` take."""
        return [name for name, _ in stages(self.program)]

    def explain(self) -> Sections:
        """A table of all programs: their arguments, why each was made, what it guards, where the time went.

        Of the last program also what runs in NumPy, and which neighbours fusion left apart, by which rule.
        """
        from .explain import explained  # loads the passes

        return explained(self._signature.name, list(self._families.values()), self._last, self._gave_up)

    def cost(self) -> Cost:
        """Operations, bytes before and after fusion, kernel calls, and exact peak memory of one call, before it runs.

        Of the last call's program, or of that of the input_spec. Open sizes and iterations of loops are symbols, which
        `.at(N=64)` fills in; `.time()` estimates seconds.

        >>> import vitrify as vt
        >>> f = vt.to_static(lambda x, w: x @ w, input_spec=[vt.InputSpec([None, 8]), vt.InputSpec([8, 4])])
        >>> f.cost().work, f.cost().at(N=100).work
        (64*N, 6400)
        """
        from .budget import cost  # loads the compiler

        return cost(self.concrete_trace(), None if self._last is None else self._last.runner)

    @property
    def unfused(self) -> list[Any]:
        """Neighbouring kernels of the last program that fusion left apart: the rule, and what one can do about it."""
        from ...passes.fusion.unfused import unfused  # loads all passes

        columns = ("producer", "consumer", "loc", "rule", "detail", "why", "edit")
        return Listed(unfused(self._shown_program(False)), columns)

    def _stage_program(self, stage: str) -> Program:
        """What `vt.draw` shows of a stage."""
        return stage_program(self._shown_program(False), stage)

    def _shown_program(self, backward: bool) -> Program:
        if not backward:
            return self.program if self._last is None else self._last.runner.executable_source
        pair = self._last.runner.pair if self._last is not None else None
        if pair is None:
            raise ArgumentError(
                f"{self._signature.name} has no backward program",
                remedy="call it with an argument or parameter whose stop_gradient is False",
            )
        made: Program = pair.made.backward
        return made

    def _as_subject(self) -> Subject:
        """What `vt.report` shows."""
        from .function_subject import subject_of  # loads the rewriting half

        functions = self.concrete_trace().functions
        return subject_of(self._signature.name, functions, self._runner(), self._entries(), self.certificate)

    @abstractmethod
    def certificate(self, *, strict: bool = False) -> Certificate:
        """What became of each statement."""

    def _runner(self) -> Runner:
        if self._last is not None:
            return self._last.runner
        return make_runner(self.concrete_trace(), self._settings.options())

    @property
    def kernels(self) -> KernelTexts:
        """Name and source of each kernel of the last program (with those of its backward, once that ran).

        Each source is a string that also knows its `group`, the `reason` for it, and the user's `lines`.
        """
        runner = self._runner()
        more = [runner.pair._backward] if runner.pair is not None and runner.pair._backward is not None else []
        return kernels([runner.executable, *more])

    def deviation(self, *args: Any, **kwargs: Any) -> Deviations:
        """How far the program for these arguments is from NumPy when kernels run it: ULP for each result and state.

        Runs both on copies: nothing changes. Random numbers are the same in both.
        """
        call = self._signature.call(args, kwargs)
        entry = self._entry(call)
        feeds = [feed_of(array_of(x)) for x in call.leaves]
        return deviations(entry.trace, feeds, entry.runner.state.arrays(call.numbers, call.leaves) or ())

    @property
    def memory_plan(self) -> MemoryPlan:
        """Where each intermediate lies and when; the peak, the sum of all, and the lower bound."""
        runner = self._runner()
        for free in runner.free.values():
            if free:
                return MemoryPlan(free[0].binding, runner.executable_source)
        if runner.executable.steps.symbols:
            raise GuardError(
                "the memory plan depends on sizes that no call has given yet", remedy="call the function once"
            )
        return MemoryPlan(runner.executable._make(()).binding, runner.executable_source)
