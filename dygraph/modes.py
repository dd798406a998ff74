"""Gradient mode: whether ops are recorded on the tape. One flag per thread (and per asynchronous task)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, TypeVar, overload

from ..base.errors import KindError
from ..ops.dispatch import bottom, current, using

F = TypeVar("F", bound=Callable[..., Any])

_enabled: ContextVar[bool] = ContextVar("grad_enabled", default=True)

_amp: ContextVar[Any] = ContextVar("amp_policy", default=None)
amp_policy = _amp.get  # the policy of mixed precision in force (amp.py), or None

is_recording = _enabled.get  # the hot path's spelling of is_grad_enabled
MODE_VARIABLES = _enabled, _amp  # what compiled functions depend on, for native code
_set, _reset = _enabled.set, _enabled.reset


def is_grad_enabled() -> bool:
    """Whether ops on tensors that need gradients are recorded.

    >>> is_grad_enabled()
    True
    """
    return _enabled.get()


def stop_flag(value: Any) -> Any:
    """What `x.stop_gradient = value` sets: numbers with a point, texts and containers say neither yes nor no."""
    if isinstance(value, (str, bytes, float, list, tuple, dict)):
        raise KindError(f"stop_gradient is True or False, not {value!r}", remedy="give a bool")
    return value


@contextmanager
def with_amp_policy(policy: Any) -> Iterator[None]:
    """Another policy of mixed precision inside the block; None for none."""
    token = _amp.set(policy)
    try:
        yield
    finally:
        _amp.reset(token)


class _Mode:
    """Sets the gradient mode inside a `with` block or a decorated function (or generator); may be nested and reused."""

    mode: bool
    _entered: Any = None  # (the one before it, its token): a stack, for blocks in blocks

    def __enter__(self) -> None:
        self._entered = self._entered, _set(self.mode)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered, token = self._entered
        _reset(token)

    def __call__(self, fn: F) -> F:
        if inspect.isgeneratorfunction(fn):
            return _wrap_generator(fn, self.mode)  # type: ignore[no-any-return]

        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            token = _enabled.set(self.mode)
            try:
                return fn(*args, **kwargs)
            finally:
                _enabled.reset(token)

        return wrapper  # type: ignore[return-value]


class GradMode(_Mode):
    """A gradient mode for blocks and functions."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode


class _NoGrad(_Mode):
    """What `no_grad()` gives: quicker to make, as it takes nothing in."""

    mode = False


def _wrap_generator(fn: Any, mode: bool) -> Any:
    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        generator = fn(*args, **kwargs)

        def run(step: Callable[[Any], Any], given: Any) -> Any:
            with GradMode(mode):
                return step(given)

        try:
            item = run(generator.send, None)
            while True:
                try:
                    sent = yield item
                except BaseException as error:  # broad: whatever is thrown is the function's; close() throws, too
                    item = run(generator.throw, error)
                else:
                    item = run(generator.send, sent)
        except StopIteration as stop:
            return stop.value

    return wrapper


@overload
def no_grad(func: None = None) -> _Mode: ...
@overload
def no_grad(func: F) -> F: ...
def no_grad(func: Any = None) -> Any:
    """Record nothing, inside a `with` block or a decorated function (`@no_grad` or with parentheses).

    >>> with no_grad():
    ...     is_grad_enabled()
    False
    """
    return _NoGrad() if func is None else _NoGrad()(func)


@overload
def enable_grad(func: None = None) -> GradMode: ...
@overload
def enable_grad(func: F) -> F: ...
def enable_grad(func: Any = None) -> Any:
    """Record again inside `no_grad`, as a `with` block or a decorator (with or without parentheses)."""
    return GradMode(True) if func is None else GradMode(True)(func)


class _Assigned(GradMode):
    """A mode that is set at once, and undone when used as a context manager."""

    def __init__(self, mode: bool) -> None:
        super().__init__(mode)
        self._first: Token[bool] | None = _enabled.set(mode)

    def __enter__(self) -> None:
        token, self._first = self._first, None
        self._entered = self._entered, token if token is not None else _enabled.set(self.mode)

    def __call__(self, fn: F) -> F:
        if self._first is not None:
            _enabled.reset(self._first)
            self._first = None
        return super().__call__(fn)


def set_grad_enabled(mode: bool) -> GradMode:
    """Set the mode from here on; as a context manager or decorator only inside it.

    >>> with set_grad_enabled(False):
    ...     is_grad_enabled()
    False
    """
    return _Assigned(bool(mode))


@contextmanager
def mode_put_back() -> Iterator[Callable[[], bool | None]]:
    """The gradient mode is after the block as it was; gives what tells how the block has left it, if otherwise."""
    before = _enabled.get()
    try:
        yield lambda: None if _enabled.get() is before else not before
    finally:
        if _enabled.get() is not before:
            _enabled.set(before)


@contextmanager
def outside_static() -> Iterator[None]:
    """Ops run at once inside, where otherwise they would go to a static program; captured functions aren't affected.

    >>> with outside_static():
    ...     print(is_grad_enabled())
    True
    """
    if not current().is_static:
        yield
        return
    with using(bottom()):
        yield
