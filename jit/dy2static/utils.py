"""Helpers under Paddle's names: the source of a function, trees as text, the class of capture errors."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from ...base.errors import CaptureError
from ..inspect.function_views import as_written
from ..serialize.save_specs import same_setting
from .trees import ast_to_func, index_in_list, is_dygraph_api, is_paddle_func

Dygraph2StaticException = CaptureError


def func_to_source_code(function: Callable[..., Any], dedent: bool = True) -> str:
    """The source text of a function (or method) without comments, and without the indentation of its place.

    Errors: TypeError for what isn't a function; OSError where there is no source.

    >>> func_to_source_code(ast_to_source_code).partition("(")[0]
    'def ast_to_source_code'
    """
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise TypeError(f"a function or method has source text, not {type(function).__name__}")
    return as_written(function, dedent)


def ast_to_source_code(tree: ast.AST) -> str:
    r"""A syntax tree as text, with a newline at the end.

    >>> ast_to_source_code(ast.parse("x=1"))
    'x = 1\n'
    """
    return ast.unparse(tree) + "\n"


def unwrap(function: Any) -> Any:
    """The innermost function behind decorators that keep `__wrapped__`.

    >>> unwrap(len) is len
    True
    """
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


_compatible_non_tensor_spec = same_setting  # PaddlePaddle's name, which code imports


__all__ = [
    "Dygraph2StaticException", "ast_to_func", "ast_to_source_code", "func_to_source_code", "index_in_list",
    "is_dygraph_api", "is_paddle_func", "same_setting", "unwrap",
]  # fmt: skip
