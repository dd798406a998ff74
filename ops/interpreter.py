"""What carries out ops, and all that ops and dygraph may ask of it. Eager mode is one interpreter, a tracer another.

Each hook is a method with an inert default, so an interpreter overrides only what it does otherwise. A default that
returns NotImplemented tells the caller to do the work itself, eagerly. Tests: tests/ops/test_interpreter.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import FunctionType
from typing import Any

from ..base.dtype import DType
from ..base.frame_marks import asks_for_caller


class Interpreter(ABC):
    """Carries out ops: eagerly on arrays, by recording them into a program, or by matching them as a pattern."""

    inner: Interpreter | None = None  # the one that this one hands ops on to
    is_trace: bool = False  # whether values are those of a program, static ones included
    partial: Any = None  # a tracer's: gradients that only some runs have (jit/trace/gradients/partial_gradients.py)
    wraps_layers: bool = False  # whether the `forward` of layers is another one than their own (`forward_of`)
    widens: bool = False  # whether operands take the widest dtype among them, whatever axes they have
    is_static: bool = False  # whether a static program is built: nothing runs, persistent values are in scopes

    @abstractmethod
    def apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Run or record one op on normalised operands and attributes; a value, or a tuple for several results."""

    @abstractmethod
    def constant(self, data: Any, dtype: DType | None) -> Any:
        """A value holding `data` (number, NumPy array, symbolic Dim, nested list or a value, which is returned)."""

    # ---- calls

    def again(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A whole call of an op as the user wrote it, where one like it was seen before."""
        return NotImplemented

    def planned(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A whole call of a function over rows, where one like it was seen before: all its kernels at once."""
        return NotImplemented

    def rule_of(self, node: Any, grads: tuple[Any, ...]) -> Any:
        """The gradients that the rule of a step of the tape gives, where one like it was seen before."""
        return NotImplemented

    def call(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of the user's: a tracer captures it."""
        return fn(*args, **kwargs)

    def forward_of(self, layer: Any) -> Callable[..., Any]:
        """The `forward` that a layer's call runs: a tracer's is converted."""
        return layer.forward  # type: ignore[no-any-return]

    def py_layer(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Apply a PyLayer: in a trace, one callback of the program."""
        return NotImplemented

    def one_line(self, run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of the library that calls none of the user's: one line makes all of its operations."""
        return run(*args, **kwargs)

    def by_rule(self, node: Any, grads: tuple[Any, ...], ys: Any, operands: tuple[Any, ...]) -> Any:
        """The gradients that the row's rule of a step of the tape gives (`OpNode.by_rule`)."""
        return self.one_line(node.by_rule, grads, ys, operands)

    def in_modes(self, call: Callable[[bool], Any]) -> Any:
        """`call(True)`, for training; a static program also keeps what `call(False)`, for testing, does."""
        return call(True)

    def rolls(self, times: int) -> bool:
        """Whether a recurrent layer over so many steps becomes a loop of the program."""
        return False

    def repeat(self, count: Any, step: Callable[[Any, Any], Any], state: Any) -> Any:
        """`state = step(k, state)` for k below `count`, as a loop of the program. Asked where `rolls` said so."""
        return NotImplemented

    def ask(self, fn: Callable[[], Any]) -> Any:
        """What `fn` says of the surroundings: a trace takes it for granted, and asks again before each run."""
        return fn()

    # ---- values

    def value_of(self, tensor: Any) -> Any:
        """The program's value that a tensor stands for."""
        return NotImplemented

    def concretize(self, tensor: Any, kind: str) -> Any:
        """A traced tensor's elements for Python; kind: the method that asks, such as "item"."""
        return NotImplemented

    def string_of(self, tensor: Any, spec: str) -> Any:
        """A tensor in a formatted text."""
        return NotImplemented

    def named(self, made: Any, name: str) -> Any:
        """What an op made, after the user gave it a name: static programs keep it."""
        return made

    def made_by(self, made: Any, function: str) -> None:
        """A function made this of several ops: in a static program its variable's name begins with the function's."""
        return

    def rounds_result(self, op: Any) -> bool:
        """Whether the result of an op on short floats, computed in float32, is rounded again."""
        return True

    def require(self, condition: Any, message: str, error: str) -> None:
        """The run ends with the error of that name unless the condition holds. Asked only of a trace."""
        raise NotImplementedError("only a trace checks conditions later")

    def reads_labels(self, picked: Any, loss: str) -> None:
        """`picked` was read at places that are labels of a loss: what a run says of one outside of the classes."""
        return

    def watch_gradient(self, tensor: Any, table: Any) -> None:
        """A tensor gets a hook on its gradient, in `table`."""
        return

    def changes_hooks(self, table: Any) -> None:
        """A hook on a gradient is about to be taken out of `table`."""
        return

    def gradient_arrives(self, target: Any, is_added: bool) -> None:
        """A gradient comes to a leaf, or to a step of the tape, where hooks may wait. Told to a trace only.

        is_added: `backward()` adds it to `.grad`; not, where `grad()` asks for it.
        """
        return

    def walked(self, steps: Sequence[Any], frees: bool) -> None:
        """A pass backward has gone through these steps of the tape: each with its gradients, and whether they arrived.

        Told to a trace only, whose steps keep what they hold. frees: the pass frees them.
        """
        return

    def decided(self, value: Any) -> Any:
        """A value that is looked at: where a tracer holds one or another, it follows one path."""
        return value

    def decided_gradient(self, tensor: Any, grad: Any) -> Any:
        """A gradient for Python code that looks at it: None where a tracer follows a path without it."""
        return grad

    # ---- sizes

    def sized(self, tensor: Any) -> Any:
        """A tensor with one element as a size of a static program."""
        return NotImplemented

    def width_inside(self, start: Any, stop: Any, size: Any) -> int | None:
        """How many elements a slice between two numbers of a run has, where it is known to be inside an axis."""
        return None

    def size_of(self, tensor: Any) -> Any:
        """An integer value with one element as a size of the program."""
        return NotImplemented

    def known_size(self, tensor: Any) -> Any:
        """The size that a tensor is known to stand for; None for others."""
        return None

    def may_be_negative(self, size: Any) -> bool:
        """Whether a size of a program is a number that only a run knows, and that may be below 0."""
        return False

    def known(self, tensor: Any) -> Any:
        """The array that a tensor of a program is known to hold; None where only a run knows it."""
        return None

    def told_by_sizes(self, tensor: Any) -> Any:
        """The array that a small tensor holds in this call, guarded, as sizes of arguments tell it; None for others."""
        return None

    def size_now(self, size: Any) -> Any:
        """The number that a symbolic size is while a function is traced, which the program then guards."""
        return NotImplemented

    def hashes_size(self, size: Any) -> Any:
        """Errors: CaptureError where code that is captured makes a symbolic size a key, which no number would find."""
        return NotImplemented

    def number_of(self, size: Any) -> Any:
        """A symbolic size as a number of the program."""
        return self.constant(size, None)

    def made_parameter(self, parameter: Any) -> None:
        """Code that runs has made a parameter, with first values of its own."""
        return

    def drawn_apart(self, state: Any) -> Any:
        """Eager mode draws during the trace: the array that a generator's state holds then. Told to a trace only."""
        return state

    # ---- optimisers

    def is_conditional(self) -> bool:
        """Whether only some runs do what is recorded now: the code of a branch or loop of a program."""
        return False

    def update_alike(
        self, facts: Callable[[], Any], update: Callable[[], None], given: Sequence[Any],
        kept: Callable[[bool], list[Any]],
    ) -> None:  # fmt: skip
        """`update()`, which changes a parameter by a rule that was perhaps traced for another one.

        given: what the rule reads, the parameter first. kept: the tensors of the optimiser that it reads and writes,
        made if need be where it is given True; None for those that there aren't. Two updates whose facts are equal
        differ in nothing but these tensors.
        """
        update()

    # ---- learning rates

    def step_scheduler(self, scheduler: Any, rates: Sequence[Any], given: Any, named: Any) -> bool:
        """Leave a step of a learning-rate scheduler to the program's runs; whether that is done."""
        return False

    def set_rate(self, optimizer: Any, value: Any) -> bool:
        """Leave a change of an optimiser's rate to the program's runs; whether that is done."""
        return False

    def note_number(self, x: Any, array: Any) -> None:
        """Eager code inside a trace has taken a Python number of the call as it is: a tracer guards it."""
        return

    def rate_of(self, read: Callable[[], float]) -> Any:
        """The learning rate that `read` finds when the program gets here."""
        return NotImplemented

    def rate_function(self, get_lr: Callable[[], float]) -> Callable[[], float]:
        """A scheduler's `get_lr`, or a function that leaves it to the program's runs."""
        return get_lr

    def read_scheduler(self, scheduler: Any, name: str, value: Any, *, late: bool = False) -> Any:
        """An attribute of a scheduler that is `value` now; late: code reads it that no guard looks at."""
        return value

    # ---- static programs

    def aside(self) -> AbstractContextManager[None]:
        """State without this program's writes, while another program is recorded."""
        return nullcontext()

    def write_out(self, target: Any, made: Any) -> Any:
        """Put a result into a tensor that the caller gave for it, and give that. Asked of the bottom interpreter."""
        raise NotImplementedError("only eager mode has tensors to write to")

    def assigned(self, made: Any, stop_gradient: bool) -> Any:
        """A new tensor; in a static program, a variable with its elements."""
        return made

    def give(self, target: Any, value: Any) -> bool:
        """Let a variable have another value from here on; whether that is done."""
        return False

    def set_value(self, tensor: Any, value: Any) -> bool:
        """Put a persistable variable's value into the scope; whether that is done."""
        return False

    def make_parameter(
        self, shape: Any, dtype: DType, values: Callable[[], Any], settings: dict[str, Any], described: Any = None
    ) -> Any:
        """A parameter that the startup program fills by `values`."""
        return NotImplemented

    def make_accumulator(self, name: str, start: Any) -> Any:
        """A state of an optimiser that the startup program fills with the array `start`."""
        return NotImplemented

    def append_backward(self, loss: Any, parameters: Any, no_grad_set: Any) -> Any:
        """`optimizer.backward` in a static program."""
        return NotImplemented

    def apply_gradients(self, optimizer: Any, pairs: Any) -> Any:
        """`optimizer.apply_gradients` in a static program."""
        return NotImplemented

    def trained_parameters(self, given: Any) -> list[Any]:
        """The parameters of a static program that are meant: those given, or all trainable ones."""
        return []

    def minimize(self, optimizer: Any, loss: Any, startup: Any, parameters: Any, no_grad_set: Any) -> Any:
        """`optimizer.minimize` in a static program."""
        return NotImplemented

    def gradients_of(self, ys: Any, xs: Any, weights: Any, blocked: Any) -> Any:
        """`grad` in a static program: there is no tape."""
        return NotImplemented


class Delegate(Interpreter):
    """Hands everything on to `inner`; a subclass overrides what it changes."""

    inner: Interpreter

    def __init__(self, inner: Interpreter) -> None:
        self.inner = inner

    def apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        return self.inner.apply(op, args, attrs)

    def constant(self, data: Any, dtype: DType | None) -> Any:
        return self.inner.constant(data, dtype)


@asks_for_caller
def _method(name: str) -> Callable[..., Any]:
    def handed_on(self: Delegate, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.inner, name)(*args, **kwargs)

    handed_on.__name__, handed_on.__doc__ = name, getattr(Interpreter, name).__doc__
    return handed_on


def _fact(name: str) -> property:
    return property(lambda self: getattr(self.inner, name))


HOOKS = [name for name, hook in vars(Interpreter).items() if isinstance(hook, FunctionType)]
FACTS = [*(name for name, fact in vars(Interpreter).items() if isinstance(fact, bool)), "partial"]

for _name in HOOKS:
    if _name not in vars(Delegate):
        setattr(Delegate, _name, _method(_name))
for _name in FACTS:
    setattr(Delegate, _name, _fact(_name))
