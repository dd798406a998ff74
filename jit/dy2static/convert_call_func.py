"""A call as converted code makes it, under Paddle's name."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..code_logs import logger as translator_logger
from ..switches import MARK as CONVERSION_OPTIONS
from ..switches import ConversionOptions, is_left_alone
from ..switches import given_modules as BUILTIN_LIKELY_MODULES


def convert_call(func: Callable[..., Any]) -> Callable[..., Any]:
    """The function in its converted form, for a call while capturing; what isn't rewritten comes back as it is.

    >>> convert_call(len) is len
    True
    """
    from ..convert import convert, is_converted  # loads the rewriting half
    from ..converters.call import is_foreign
    from ..runtime import RUNTIME

    bound = isinstance(func, types.MethodType)
    plain = func.__func__ if isinstance(func, types.MethodType) else func
    if not isinstance(plain, types.FunctionType) or is_left_alone(plain) or is_converted(plain) or is_foreign(plain):
        return func
    made = convert(plain, RUNTIME).function
    return types.MethodType(made, func.__self__) if bound else made  # type: ignore[attr-defined]


__all__ = ["BUILTIN_LIKELY_MODULES", "CONVERSION_OPTIONS", "ConversionOptions", "convert_call", "translator_logger"]
