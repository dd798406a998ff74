"""Function -> syntax tree of gast's nodes with true positions, parsed from the file the function came from.

Only the function's own lines are parsed (a whole file for lambdas, cached); blank lines in front and an `if 1:`
around keep line and column numbers what they are in the file.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import re
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType

from ...base.errors import CaptureError
from ...base.location import Loc
from .gast_trees import Tree, UnknownNodeError, to_gast

LAMBDA = "<lambda>"
_SUSPENDABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def read(fn: FunctionType, *, generators: bool = False) -> Tree:
    """The syntax tree of a plain Python function or lambda, or of a generator function where `generators` says so.

    Errors: CaptureError where there is no source, the source has changed, or `fn` is a generator or coroutine.
    """
    code = fn.__code__
    if code.co_flags & _SUSPENDABLE and not (generators and code.co_flags & inspect.CO_GENERATOR):
        raise _suspendable(code)
    lines = _lines(fn)
    tree = _lambda(code, lines) if code.co_name == LAMBDA else _definition(code, lines)
    try:
        made: Tree = to_gast(tree)
    except UnknownNodeError as error:
        raise _unknown(code, error) from error
    return made


_REMEDY = "put the function in a file and import it, or mark it with vt.jit.not_to_static to run it as it is"
_REMEDIES = {  # where Python keeps no text of what it runs
    "<string>": f"{_REMEDY}. `python -c` keeps no source: save the code as step.py and run `python step.py`. Before "
    "exec of a text of your own: linecache.cache[name] = (len(text), None, text.splitlines(True), name), then "
    "exec(compile(text, name, 'exec'))",
    "<stdin>": f"{_REMEDY}. The prompt of Python 3.11 and 3.12 keeps no source: save the code as step.py and run "
    "`python -i step.py`, or use IPython, a notebook, or the prompt of Python 3.13",
}


def _lines(fn: FunctionType) -> list[str]:
    code = fn.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, fn.__globals__)
    if len(lines) < code.co_firstlineno:
        raise _unavailable(code)
    return lines


def _unavailable(code: CodeType) -> CaptureError:
    return CaptureError(
        f"the source of `{code.co_name}` isn't available (it was made in {code.co_filename})",
        remedy=_REMEDIES.get(code.co_filename, _REMEDY),
    )


def _unknown(code: CodeType, error: UnknownNodeError) -> CaptureError:
    node = error.node
    line, column = getattr(node, "lineno", code.co_firstlineno), getattr(node, "col_offset", 0)
    return CaptureError(
        f"`{code.co_name}` can't be captured: it uses the syntax `{error}`, which the installed gast doesn't know",
        loc=Loc(code.co_filename, line, column),
        remedy="install a newer gast, or write it in another way",
    )


def _suspendable(code: CodeType) -> CaptureError:
    is_generator = bool(code.co_flags & inspect.CO_GENERATOR)
    kind, word = ("generator", "yield") if is_generator else ("coroutine", "async")
    place = Loc(code.co_filename, code.co_firstlineno)
    return CaptureError(
        f"`{code.co_name}` can't be captured: it is a {kind} (it uses `{word}`)",
        loc=place,
        remedy="return a list, or capture the function that is called for each item"
        if is_generator
        else "capture the plain functions that the coroutine calls",
    )


# definitions


def _definition(code: CodeType, lines: Sequence[str]) -> ast.FunctionDef:
    first = code.co_firstlineno - 1
    for block in _candidates(code.co_name, lines, first):
        try:
            found = _parse(block, first)
        except SyntaxError:
            continue
        if isinstance(found, ast.FunctionDef) and found.name == code.co_name and _same_parameters(found, code):
            return found
    if code.co_filename in _REMEDIES:  # Python 3.13 keeps the text of `python -c`, which has run other code since
        raise _unavailable(code)
    raise CaptureError(
        f"the source of `{code.co_name}` isn't at the place it was compiled from",
        loc=Loc(code.co_filename, code.co_firstlineno),
        remedy="the file has changed since it was imported: reload it",
    )


def _candidates(name: str, lines: Sequence[str], first: int) -> Iterator[Sequence[str]]:
    """The function's lines, first by indentation (fast), then by tokens (right for dedented strings too)."""
    yield from _by_indentation(name, lines, first)
    try:
        yield inspect.getblock(lines[first:])
    except (SyntaxError, IndentationError):
        return


def _by_indentation(name: str, lines: Sequence[str], first: int) -> Iterator[list[str]]:
    head = re.compile(rf"\s*def\s+{re.escape(name)}\b")
    start = next((number for number in range(first, len(lines)) if head.match(lines[number])), None)
    if start is None:
        return
    indent = _indent(lines[start])
    end = start + 1
    while end < len(lines) and not _ends_block(lines[end], indent):
        end += 1
    yield list(lines[first:end])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _ends_block(line: str, indent: int) -> bool:
    text = line.lstrip()
    return bool(text) and not text.startswith(("#", ")", "]", "}")) and _indent(line) <= indent


def _parse(block: Sequence[str], first: int) -> ast.stmt:
    text = "".join(block)
    if _indent(block[0]):
        module = ast.parse("\n" * (first - 1) + "if 1:\n" + text)
        (outer,) = module.body
        assert isinstance(outer, ast.If)
        return outer.body[0]
    return ast.parse("\n" * first + text).body[0]


def _same_parameters(node: ast.FunctionDef, code: CodeType) -> bool:
    args = node.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    compiled = code.co_varnames[: len(names)]
    return len(names) == code.co_argcount + code.co_kwonlyargcount and all(
        there.endswith(here)
        for here, there in zip(names, compiled, strict=True)  # private names are mangled
    )


# lambdas


def _lambda(code: CodeType, lines: Sequence[str]) -> ast.Lambda:
    found = _lambdas("".join(lines)).get(code.co_firstlineno, [])
    if len(found) > 1:
        found = _around(found, code)
    if len(found) == 1:
        return found[0]
    raise CaptureError(
        f"{'no' if not found else 'more than one'} lambda in line {code.co_firstlineno} fits the function",
        loc=Loc(code.co_filename, code.co_firstlineno),
        remedy="write it as a `def`, or put each lambda on a line of its own",
    )


@functools.lru_cache(maxsize=32)
def _lambdas(text: str) -> dict[int, list[ast.Lambda]]:
    """The lambdas of a file by line. Whoever gets them copies them: the next one of the file is to find them as is."""
    try:
        module = ast.parse(text)
    except SyntaxError:  # a notebook's cell magics
        return {}
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


Span = tuple[tuple[int, int], tuple[int, int]]


def _around(nodes: Sequence[ast.Lambda], code: CodeType) -> list[ast.Lambda]:
    """The lambdas whose bodies hold the code, without those around them; Python drops parts of a body (`if 0`)."""
    span = _code_span(code)
    if span is None:
        return []
    holding = [node for node in nodes if _holds(_body_span(node), span)]
    return [n for n in holding if not any(m is not n and _holds(_body_span(n), _body_span(m)) for m in holding)]


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _body_span(node: ast.Lambda) -> Span:
    body = node.body
    return (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)


def _code_span(code: CodeType) -> Span | None:
    """The range of all instructions: that of the lambda's body."""
    starts, ends = [], []
    for line, end_line, column, end_column in code.co_positions():
        if line is not None and end_line is not None and column is not None and end_column is not None:
            if (line, column) != (end_line, end_column):  # RESUME has no extent
                starts.append((line, column))
                ends.append((end_line, end_column))
    return (min(starts), max(ends)) if starts else None
