"""Switches that programs of Paddle set around code: ways of capturing, kept and given back. There is one way here.

Nothing changes with them: functions are captured from their syntax trees and traced, whichever way is chosen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Generic, TypeVar

from ..base.errors import ArgumentError, AssertedError
from ..dygraph.modes import amp_policy
from ..jit.trace.tracer import active

T = TypeVar("T")


class EnvironmentVariable(Generic[T]):
    """An environment variable with a type: `get`, `set` and `delete`.

    Errors: AssertedError for a value of another type.

    >>> steps = IntegerEnvironmentVariable("VITRIFY_DOC_STEPS", 3)
    >>> steps.get(), steps.set(5), steps.get(), steps.delete()
    (3, None, 5, None)
    """

    kind: type[Any] = str

    def __init__(self, name: str, default: T) -> None:
        self._check(default)
        self.name = name
        self.default = default

    def get(self) -> T:
        """The value, or the default where the variable isn't set."""
        text = os.environ.get(self.name)
        return self.default if text is None else self.parse(text)

    def set(self, value: T) -> None:
        """Set the variable for this process and those that it starts."""
        self._check(value)
        os.environ[self.name] = str(int(value)) if isinstance(value, bool) else str(value)

    def delete(self) -> None:
        """Unset the variable."""
        os.environ.pop(self.name, None)

    def parse(self, text: str) -> T:
        """The value that a string in the environment means."""
        made: T = self.kind(text)
        return made

    def _check(self, value: Any) -> None:
        if type(value) is not self.kind:
            raise AssertedError(
                f"{type(self).__name__} holds values of class {self.kind.__name__}, not {type(value).__name__}"
            )


class StringEnvironmentVariable(EnvironmentVariable[str]):
    """An environment variable that is a string."""


class IntegerEnvironmentVariable(EnvironmentVariable[int]):
    """An environment variable that is an int."""

    kind = int


class BooleanEnvironmentVariable(EnvironmentVariable[bool]):
    """An environment variable that is true as `1`, `true`, `yes`, `y` or `on`, in either case.

    >>> BooleanEnvironmentVariable("VITRIFY_DOC_SWITCH", False).parse("True")
    True
    """

    kind = bool

    def parse(self, text: str) -> bool:
        """Whether the string means yes."""
        return text.strip().lower() in ("1", "true", "yes", "y", "on")


@contextmanager
def EnvironmentVariableGuard(variable: EnvironmentVariable[T], value: T) -> Iterator[None]:
    """A block in which an environment variable has this value.

    >>> switch = BooleanEnvironmentVariable("VITRIFY_DOC_SWITCH", False)
    >>> with EnvironmentVariableGuard(switch, True):
    ...     print(switch.get())
    True
    >>> switch.get()
    False
    """
    before = os.environ.get(variable.name)
    variable.set(value)
    try:
        yield
    finally:
        if before is None:
            variable.delete()
        else:
            os.environ[variable.name] = before


ENV_ENABLE_SOT = BooleanEnvironmentVariable("ENABLE_FALL_BACK", True)
ENV_MIN_GRAPH_SIZE = IntegerEnvironmentVariable("MIN_GRAPH_SIZE", 10)
ENV_STRICT_MODE = BooleanEnvironmentVariable("STRICT_MODE", False)


@contextmanager
def sot_mode_guard(value: bool) -> Iterator[None]:
    """A block that chooses how functions are captured in Paddle. There is one way here: nothing changes.

    >>> with sot_mode_guard(False):
    ...     print(ENV_ENABLE_SOT.get())
    False
    """
    with EnvironmentVariableGuard(ENV_ENABLE_SOT, bool(value)):
        yield


@contextmanager
def min_graph_size_guard(value: int) -> Iterator[None]:
    """A block that sets how small Paddle's subgraphs may be. Functions are whole programs here: nothing changes."""
    with EnvironmentVariableGuard(ENV_MIN_GRAPH_SIZE, int(value)):
        yield


@contextmanager
def strict_mode_guard(value: bool) -> Iterator[None]:
    """A block in which Paddle's capture may not fall back. It never falls back unasked here: nothing changes."""
    with EnvironmentVariableGuard(ENV_STRICT_MODE, bool(value)):
        yield


def _guard(variable: EnvironmentVariable[Any], word: str) -> Callable[[Any], AbstractContextManager[None]]:
    """The function that makes a block with a value of this variable, which has no effect here."""

    @contextmanager
    def guard(value: Any) -> Iterator[None]:
        with EnvironmentVariableGuard(variable, variable.kind(value)):
            yield

    guard.__name__ = guard.__qualname__ = word
    guard.__doc__ = f"A block in which Paddle's {variable.name} has a value. Nothing changes here."
    return guard


with_control_flow_guard = _guard(BooleanEnvironmentVariable("SOT_WITH_CONTROL_FLOW", True), "with_control_flow_guard")
allow_dynamic_shape_guard = _guard(
    BooleanEnvironmentVariable("SOT_ALLOW_DYNAMIC_SHAPE", True), "allow_dynamic_shape_guard"
)
faster_guard_guard = _guard(BooleanEnvironmentVariable("SOT_ENABLE_FASTER_GUARD", False), "faster_guard_guard")
guard_tree_guard = _guard(BooleanEnvironmentVariable("SOT_ENABLE_GUARD_TREE", False), "guard_tree_guard")
specialized_dim_numbers_guard = _guard(
    StringEnvironmentVariable("SOT_SPECIALIZED_DIM_NUMBERS", "0"), "specialized_dim_numbers_guard"
)
enable_0_size_fallback_guard = _guard(
    BooleanEnvironmentVariable("SOT_ENABLE_0_SIZE_FALLBACK", True), "enable_0_size_fallback_guard"
)


def set_dynamic_shape(variable: Any, shape_list: Any) -> None:
    """Nothing: sizes need no mark, as programs are made for symbolic sizes.

    Errors: ArgumentError where the list has another number of sizes than the tensor has axes.
    """
    if len(shape_list) != variable.ndim:
        raise ArgumentError(f"set_dynamic_shape: {len(shape_list)} sizes for {variable.ndim} axes")


class OpcodeExecutorCache:
    """Paddle's store of captured bytecode. Functions keep their own programs here, so it is always empty."""

    def clear(self) -> None:
        """Nothing: there is nothing in it."""


class GlobalState:
    """Marks that Paddle's tests put back by hand after an error; nothing here reads them."""

    _in_to_static_mode_ = False


global_var = GlobalState()


def in_to_static_mode() -> bool:
    """Whether a function is being captured.

    >>> in_to_static_mode()
    False
    """
    return active() is not None


def amp_state() -> Any:
    """The policy of mixed precision in force inside `auto_cast`, or None.

    >>> from vitrify.amp import auto_cast
    >>> with auto_cast():
    ...     bool(amp_state())
    True
    >>> bool(amp_state())
    False
    """
    return amp_policy()
