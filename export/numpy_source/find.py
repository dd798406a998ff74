"""The source of functions as trees, and the names under which a file that knows NumPy alone finds things."""

from __future__ import annotations

import ast
import builtins
import functools
import sys
import types
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ...base.errors import ArgumentError, VitrifyError

Source: TypeAlias = ast.FunctionDef | ast.Lambda
STANDARD = ("math", "itertools", "functools", "operator")
PACKAGE = __name__.partition(".")[0]


def source_of(fn: types.FunctionType) -> Source:
    """The definition of a function, from its file. ArgumentError where there is none."""
    code = fn.__code__
    found = [node for node in _definitions(code.co_filename) if _fits(node, fn)]
    same = found if len(found) < 2 else [node for node in found if _compiles_to(node, code)]
    if not same:
        raise ArgumentError(f"the source of {fn.__qualname__} isn't there", remedy="define it in a file")
    return same[0]


def _fits(node: Source, fn: types.FunctionType) -> bool:
    lines = [node.lineno]
    if isinstance(node, ast.FunctionDef):
        lines += [d.lineno for d in node.decorator_list]
    named = isinstance(node, ast.Lambda) if fn.__name__ == "<lambda>" else getattr(node, "name", "") == fn.__name__
    return named and fn.__code__.co_firstlineno in lines


def _compiles_to(node: Source, code: types.CodeType) -> bool:
    if not isinstance(node, ast.Lambda):
        return True
    made = eval(compile(ast.fix_missing_locations(ast.Expression(node)), "", "eval"), {}).__code__
    free = set(code.co_freevars)
    same_names = set(made.co_names) - free == set(code.co_names) - free and made.co_varnames == code.co_varnames
    return same_names and made.co_consts == code.co_consts and node.col_offset <= _first_column(code)


def _first_column(code: types.CodeType) -> int:
    columns = [start for line, _, start, _ in code.co_positions() if line == code.co_firstlineno and start]
    return min(columns, default=0)


@functools.cache
def _tree(file: str) -> ast.Module:
    try:
        return ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


@functools.cache
def _definitions(file: str) -> tuple[Source, ...]:
    return tuple(n for n in ast.walk(_tree(file)) if isinstance(n, (ast.FunctionDef, ast.Lambda)))


def assignment_of(fn: types.FunctionType, name: str) -> ast.expr | None:
    """What the module of a function assigns to a name, where it does so once."""
    found = [
        s.value
        for s in _tree(fn.__code__.co_filename).body
        if (isinstance(s, ast.Assign) and [ast.unparse(t) for t in s.targets] == [name])
        or (isinstance(s, ast.AnnAssign) and ast.unparse(s.target) == name)
    ]
    return found[0] if len(found) == 1 else None


def is_ours(value: Any) -> bool:
    """Whether a value is a Python function of this package."""
    return isinstance(value, types.FunctionType) and value.__module__.partition(".")[0] == PACKAGE


def peeled(value: Any) -> Any:
    """A function without the wrappers of this package around it (they only say errors in its terms)."""
    while path_of(value) is None and isinstance(value, types.FunctionType) and hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value


def names_of(fn: types.FunctionType) -> dict[str, Any]:
    """What the free names in a function mean: closure before globals before builtins."""
    found = {**vars(builtins), **fn.__globals__}
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return found


def path_of(value: Any) -> str | None:
    """How generated code spells a function, class or module of NumPy or Python; None for everything else.

    >>> path_of(np.tanh), path_of(np.linalg.inv), path_of(len), path_of(VitrifyError)
    ('np.tanh', 'np.linalg.inv', 'len', 'Exception')
    """
    if value is np:
        return "np"
    if isinstance(value, types.ModuleType):
        return value.__name__ if value.__name__ in STANDARD else None
    if isinstance(value, type) and issubclass(value, VitrifyError):
        return next(c.__name__ for c in value.__mro__ if c.__module__ == "builtins")
    name = getattr(value, "__name__", None)
    if not isinstance(name, str):
        return None
    if vars(builtins).get(name) is value:
        return name
    for place in ("numpy", "numpy.linalg", "numpy.fft", "numpy.lib.stride_tricks"):
        if getattr(sys.modules.get(place), name, None) is value:
            return f"np{place.removeprefix('numpy')}.{name}"
    module = getattr(value, "__module__", "")
    return f"{module}.{name}" if module in STANDARD and getattr(sys.modules[module], name, None) is value else None
