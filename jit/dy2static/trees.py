"""Helpers of Paddle's source translation that programs import, over ours: trees as functions, operators as text."""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ...base.errors import KindError
from ...ops.op import OPS

_root = __name__.partition(".")[0]
_SYMBOLS: dict[str, str] = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not",
    "In": "in", "NotIn": "not in",
}  # fmt: skip
_MEANINGS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


def cmpop_node_to_str(node: ast.AST) -> str:
    """The text of a comparison operator's node. Errors: KeyError for another node.

    >>> cmpop_node_to_str(ast.LtE())
    '<='
    """
    return _SYMBOLS[type(node).__name__]


def convert_shape_compare(left: Any, *rest: Any) -> Any:
    """A chain of comparisons: operators as text and operands in turn; it ends at the first that fails.

    >>> convert_shape_compare(1, "<", 2, "<=", 3)
    True
    """
    made: Any = True
    for sign, right in zip(rest[::2], rest[1::2], strict=True):
        found = _MEANINGS[sign](left, right)
        if isinstance(found, bool) and not found:
            return False
        made = found if made is True else OPS["logical_and"](made, found)
        left = right
    return made


def index_in_list(items: Sequence[Any], item: Any) -> int:
    """Where the first such item stands, -1 for none.

    >>> index_in_list([3, 5], 5), index_in_list([3, 5], 4)
    (1, -1)
    """
    return next((k for k, x in enumerate(items) if x == item), -1)


def is_paddle_func(function: Any) -> bool:
    """Whether a function (or class, method or module) belongs to this package.

    >>> is_paddle_func(len)
    False
    """
    module = inspect.getmodule(getattr(function, "func", function))
    return module is not None and (module.__name__ == _root or module.__name__.startswith(f"{_root}."))


def is_dygraph_api(node: ast.Call) -> bool:
    """Whether a call in a syntax tree names a function of eager mode (`paddle.base.dygraph...`), by its text.

    >>> is_dygraph_api(ast.parse("paddle.base.dygraph.to_variable(x)").body[0].value)
    True
    """
    if not isinstance(node, ast.Call):
        raise KindError(f"is_dygraph_api takes the node of a call, not a {type(node).__name__}")
    parts = ast.unparse(node.func).split(".")
    return parts[0] in ("paddle", "base", "fluid", _root) and "dygraph" in parts


def ast_to_func(ast_root: ast.AST, dyfunc: Callable[..., Any], delete_on_exit: bool = True) -> tuple[Any, str]:
    """The function that a tree of one function definition defines, among the globals and closure variables of
    `dyfunc`, and the name of its file.

    >>> def twice(x): return 2 * x
    >>> tree = ast.parse("def twice(x): return 3 * x")
    >>> ast_to_func(tree, twice)[0](2)
    6
    """
    around = inspect.getclosurevars(dyfunc).nonlocals
    tree = ast_root if isinstance(ast_root, ast.Module) else ast.Module([ast_root], [])  # type: ignore[list-item]
    definition = next((n for n in tree.body if isinstance(n, ast.FunctionDef)), None)
    if definition is None:
        raise KindError("ast_to_func takes the tree of a function definition")
    file = f"<{dyfunc.__name__}>"
    space = dict(dyfunc.__globals__) | dict(around)
    exec(compile(ast.fix_missing_locations(tree), file, "exec"), space)
    return space[definition.name], file


class NameVisitor:
    """Paddle's analysis of the variables of loops. Ours has another form: this name can be imported, not used."""

    def __init__(self, root_node: Any) -> None:
        raise NotImplementedError(
            "NameVisitor isn't part of this library: see to_static(fn).code for what a loop's variables became"
        )
