"""Syntax tree -> function with the original's globals, closure cells and defaults.

The tree is compiled inside a factory that is never run: it only tells the compiler which names are free. The code
object is then bound to the original's cells by name, and to one more cell that holds the run-time. So the user's
module sees nothing of ours, and both functions share every variable.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterator, Mapping, Sequence
from inspect import CO_OPTIMIZED
from types import CellType, CodeType, FunctionType

import gast

from ...base.location import BLOCK
from .gast_trees import Tree, to_ast
from .template import place

_FUTURE = 0
for _feature in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _feature).compiler_flag


def compile_tree(
    tree: Tree, original: CodeType, own: Sequence[str], generated: set[str]
) -> tuple[CodeType, ast.FunctionDef | ast.Lambda]:
    """The code of the converted function, under the user's file name, and its tree of Python's own nodes.

    own: names of further cells.
    """
    tree.args.defaults = [_bound(value) for value in tree.args.defaults]
    tree.args.kw_defaults = [value and _bound(value) for value in tree.args.kw_defaults]
    made: ast.FunctionDef | ast.Lambda = to_ast(tree)
    module = _factory(made, original, own)
    flags = original.co_flags & _FUTURE
    code = compile(module, original.co_filename, "exec", flags=flags, dont_inherit=True)
    for name in _path(original):
        code = next(inner for inner in _inner(code) if inner.co_name == name)
    return _renamed(code, code.co_name, original.co_qualname, generated), made


def class_of(code: CodeType) -> str | None:
    """The class in whose body a function was defined: its private names are mangled with it."""
    *_, owner, _ = ("", "", *code.co_qualname.split("."))
    return owner if owner.isidentifier() else None


def bind(code: CodeType, original: FunctionType, own: Mapping[str, object]) -> FunctionType:
    """A function of the converted code that shares all but the code with `original`. own: contents of further cells."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells.update({name: CellType(value) for name, value in own.items()})
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)
    made.__kwdefaults__ = original.__kwdefaults__
    made.__qualname__ = original.__qualname__
    made.__module__ = original.__module__
    made.__doc__ = original.__doc__
    made.__annotations__ = original.__annotations__
    made.__dict__.update(original.__dict__)
    return made


def inner_codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those inside it."""
    yield code
    for inner in _inner(code):
        yield from inner_codes(inner)


def is_block(code: CodeType) -> bool:
    """Whether a code object is the body of a construct, not a function of the user's."""
    return code.co_qualname.endswith(BLOCK)


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))


def _path(original: CodeType) -> list[str]:
    owner = class_of(original)
    return ["vt_factory", *([owner] if owner else []), original.co_name]


def _bound(default: gast.expr) -> gast.expr:
    """What stands for a default: the values of the original are bound."""
    return place(gast.Constant(..., None), default)


def _factory(tree: ast.FunctionDef | ast.Lambda, original: CodeType, own: Sequence[str]) -> ast.Module:
    free = list(dict.fromkeys((*original.co_freevars, *own)))
    owner = class_of(original)
    visible = owner or original.co_name
    module = ast.parse(f"def vt_factory({', '.join(free)}): pass")
    factory = module.body[0]
    assert isinstance(factory, ast.FunctionDef)
    inner: ast.stmt = tree if isinstance(tree, ast.FunctionDef) else place(ast.Expr(tree), tree)
    if owner:
        holder = ast.parse(f"class {owner}: pass").body[0]
        assert isinstance(holder, ast.ClassDef)
        holder.body = [inner]
        inner = holder
    # A use of the function's (or class's) own name is one of the global, unless it was in the closure.
    hidden: list[ast.stmt] = (
        [] if visible in free or not visible.isidentifier() else [place(ast.Global([visible]), factory)]
    )
    factory.body = [*hidden, inner]
    return module


def _renamed(code: CodeType, owner: str, known_as: str, generated: set[str]) -> CodeType:
    """Bodies of constructs get the name of the user's function, for tracebacks; functions in them are known as they
    were written. known_as: the qualified name of a function of the user's, or of the one around a body.
    """
    name = owner if code.co_name in generated or code.co_name.startswith("<") else code.co_name
    inside = f"{known_as}.<locals>" if code.co_flags & CO_OPTIMIZED else known_as  # a class's body has no locals
    constants = tuple(
        _renamed(each, name, known_as if each.co_name in generated else f"{inside}.{each.co_name}", generated)
        if isinstance(each, CodeType) else each
        for each in code.co_consts
    )  # fmt: skip
    if code.co_name in generated:
        return code.replace(co_name=owner, co_qualname=f"{owner}.{code.co_name}{BLOCK}", co_consts=constants)
    return code.replace(co_qualname=known_as, co_consts=constants)
