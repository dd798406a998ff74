"""How Paddle's tests look at an error of a converted function: its data, with the user's lines, hang on the error."""

from __future__ import annotations

from typing import Any

from ...base.errors import CaptureError
from ..tracebacks import ERROR_DATA, ErrorData, attach_error_data

Dy2StKeyError = KeyError
Dygraph2StaticException = CaptureError
DISABLE_ERROR_ENV_NAME = "TRANSLATOR_DISABLE_NEW_ERROR"
DEFAULT_DISABLE_NEW_ERROR = 0
SIMPLIFY_ERROR_ENV_NAME = "TRANSLATOR_SIMPLIFY_NEW_ERROR"
DEFAULT_SIMPLIFY_NEW_ERROR = 1

__all__ = [
    "DEFAULT_DISABLE_NEW_ERROR",
    "DEFAULT_SIMPLIFY_NEW_ERROR",
    "DISABLE_ERROR_ENV_NAME",
    "ERROR_DATA",
    "SIMPLIFY_ERROR_ENV_NAME",
    "Dy2StKeyError",
    "Dygraph2StaticException",
    "ErrorData",
    "attach_error_data",
    "message_of",
]


def message_of(error: BaseException) -> Any:
    """The message with the user's lines of an error that a converted function raised; its own text for others.

    >>> message_of(ValueError("x"))
    'x'
    """
    data = getattr(error, ERROR_DATA, None)
    return str(error) if data is None else data.create_message()
