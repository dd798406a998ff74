"""`to_static` in all its forms, and the switches around it."""

from __future__ import annotations

import functools
import inspect
import types
import warnings
from collections.abc import Callable
from typing import Any

from ..base.errors import ArgumentError, KindError
from ..base.suggest import one_of
from .function_settings import Settings, checked_settings
from .switches import checked_choice, enable_to_static, ignore_module, not_to_static

BACKENDS = (None, "CINN", "numba", "native")


def to_static(
    function: Any = None,
    input_spec: Any = None,
    build_strategy: Any = None,
    backend: str | None = "CINN",
    *,
    full_graph: bool | None = None,
    property: bool = False,
    fallback: str = "error",
    compile: str | None = None,
    memory_limit: int | str | None = None,
    numerics: str | None = None,
    **kwargs: Any,
) -> Any:
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
    0
    """
    checked_choice(backend, BACKENDS, "backend")
    if build_strategy and type(build_strategy).__name__ != "BuildStrategy":
        raise KindError(f"build_strategy must be a static.BuildStrategy, not a {type(build_strategy).__name__}")
    settings = checked_settings(fallback, compile, memory_limit, numerics)
    if kwargs:
        option = next(iter(kwargs))
        known = [n for n in inspect.signature(to_static).parameters if n not in ("function", "kwargs")]
        raise ArgumentError(f"to_static has no option {option!r}", remedy=one_of(option, known))

    def decorate(target: Any) -> Any:
        return target if property else _compile(target, input_spec, settings)

    return decorate if function is None else decorate(function)


def _compile(target: Any, input_spec: Any, settings: Settings) -> Any:
    from .function import StaticFunction  # what makes programs is loaded when something is compiled

    if isinstance(target, StaticFunction):
        warnings.warn(f"{target.function_spec.name} is compiled already; it is compiled anew", stacklevel=4)
        return _compile(target.dygraph_function, input_spec, settings)
    if isinstance(target, (staticmethod, classmethod)):
        return type(target)(_compile(target.__func__, input_spec, settings))
    if is_layer(target):
        return _compile_layer(target, input_spec, settings)
    if type(target) in (types.FunctionType, types.MethodType):  # an op only looks like one
        return StaticFunction(target, input_spec, settings)
    if isinstance(target, type) or not callable(target):
        shown = f"the class {target.__name__}" if isinstance(target, type) else type(target).__name__
        raise KindError(
            f"to_static takes a function, a method or a layer, not {shown}",
            remedy="decorate its `forward`, or compile an instance of it"
            if isinstance(target, type)
            else "give the function that makes it, uncalled",
        )
    if isinstance(target, functools.partial):
        return StaticFunction(target, input_spec, settings)
    inner = getattr(target, "__wrapped__", None)
    if isinstance(inner, types.FunctionType) and not isinstance(type(target).__call__, types.FunctionType):
        return StaticFunction(inner, input_spec, settings)
    return StaticFunction(_call_of(target), input_spec, settings)


def _call_of(target: Any) -> Callable[..., Any]:
    """The function behind a callable object."""
    call = getattr(type(target), "__call__", None)  # noqa: B004 - the function itself is wanted
    if isinstance(call, types.FunctionType):
        return types.MethodType(call, target)
    raise KindError(f"to_static can't see inside {type(target).__name__}: it isn't written in Python")


def _compile_layer(layer: Any, input_spec: Any, settings: Settings) -> Any:
    from .function import StaticFunction

    current = layer.forward
    if isinstance(current, StaticFunction):
        warnings.warn(f"{type(layer).__name__}.forward is compiled already; it is compiled anew", stacklevel=5)
        current = current.dygraph_function
    function = getattr(current, "__func__", current)
    bound = isinstance(current, types.MethodType)
    made = StaticFunction(function, input_spec, settings, layer if bound else None)
    layer.__dict__["forward"] = made
    return layer


def is_layer(target: Any) -> bool:
    """Whether an object is an nn.Layer."""
    from ..dygraph.nn.layer import Layer

    return isinstance(target, Layer)


__all__ = ["enable_to_static", "ignore_module", "not_to_static", "to_static"]
