"""Calls whose arguments don't fit the signature: an error that shows the signature and the argument that was meant."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from .errors import KindError
from .suggest import hint


def misfit(
    name: str, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], skip: int = 0
) -> KindError | None:
    """The error for arguments that the signature of `fn` doesn't take; None if it takes them."""
    signature = inspect.signature(fn)
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        told = str(error)
    else:
        return None
    own = list(signature.parameters.values())[skip:]
    shown = f"{name}({', '.join(_parameter(p) for p in own if p.name != 'name')})"
    names = [p.name for p in own if p.kind not in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    takes_any = any(p.kind is p.VAR_KEYWORD for p in own)
    unknown = [key for key in kwargs if key not in names]
    if unknown and not takes_any:
        used = {n for n, _ in zip(names, args[skip:], strict=False)} | set(kwargs)
        return no_argument(name, unknown[0], [n for n in names if n not in used], shown)
    absent = re.fullmatch("missing a required argument: '(.*)'", told)
    return KindError(f"{name}(): {told}: {shown}", remedy=f"give {absent[1]}" if absent else None)


def no_argument(name: str, key: str, names: list[str], shown: str) -> KindError:
    """The error for a keyword argument that a function hasn't; names: those that it could be meant for."""
    return KindError(f"{name}() has no argument {key!r}: {shown}", remedy=hint(key, names))


def numbers_of(fn: Callable[..., Any]) -> tuple[tuple[int, str], ...]:
    """The places and names of the parameters that are annotated as floats."""
    names = {n for n, kind in getattr(fn, "__annotations__", {}).items() if kind in ("float", "float | None")}
    if not names - {"return"}:  # most functions: reading signatures takes a while when the package is imported
        return ()
    return tuple([(k, name) for k, name in enumerate(inspect.signature(fn).parameters) if name in names])


def refuse_texts(
    name: str, numbers: tuple[tuple[int, str], ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:  # fmt: skip
    """KindError for a text where a number is meant. NumPy would read some, and Python repeats them."""
    for k, parameter in numbers:
        given = args[k] if k < len(args) else kwargs.get(parameter)
        if isinstance(given, str):
            raise not_a_number(name, parameter, given)


def not_a_number(name: str, parameter: str, given: str) -> KindError:
    """The error for a text in the place of a number."""
    return KindError(f"{name}: {parameter} must be a number, not {given!r}", remedy="convert it with float()")


def _parameter(parameter: inspect.Parameter) -> str:
    bare = parameter.replace(annotation=inspect.Parameter.empty)
    return str(bare).replace(" = ", "=")
