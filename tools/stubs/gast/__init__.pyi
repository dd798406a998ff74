"""Types of gast, which ships none: Python's own node types, and what gast has otherwise.

At run time its classes aren't subclasses of Python's of the same name; only the abstract ones (`stmt`, `expr`) are.
"""

import ast
from ast import AST as AST
from ast import Add as Add
from ast import And as And
from ast import AnnAssign as AnnAssign
from ast import Assert as Assert
from ast import Assign as Assign
from ast import AsyncWith as AsyncWith
from ast import Attribute as Attribute
from ast import AugAssign as AugAssign
from ast import BinOp as BinOp
from ast import BoolOp as BoolOp
from ast import Break as Break
from ast import Call as Call
from ast import ClassDef as ClassDef
from ast import Compare as Compare
from ast import Continue as Continue
from ast import Del as Del
from ast import Delete as Delete
from ast import Dict as Dict
from ast import DictComp as DictComp
from ast import Eq as Eq
from ast import Expr as Expr
from ast import For as For
from ast import FormattedValue as FormattedValue
from ast import GeneratorExp as GeneratorExp
from ast import Global as Global
from ast import Gt as Gt
from ast import GtE as GtE
from ast import If as If
from ast import IfExp as IfExp
from ast import Import as Import
from ast import ImportFrom as ImportFrom
from ast import In as In
from ast import Is as Is
from ast import IsNot as IsNot
from ast import JoinedStr as JoinedStr
from ast import List as List
from ast import ListComp as ListComp
from ast import Load as Load
from ast import Lt as Lt
from ast import LtE as LtE
from ast import Match as Match
from ast import MatchAs as MatchAs
from ast import MatchClass as MatchClass
from ast import MatchMapping as MatchMapping
from ast import MatchOr as MatchOr
from ast import MatchSequence as MatchSequence
from ast import MatchSingleton as MatchSingleton
from ast import MatchStar as MatchStar
from ast import MatchValue as MatchValue
from ast import Mod as Mod
from ast import Module as Module
from ast import NodeTransformer as NodeTransformer
from ast import Nonlocal as Nonlocal
from ast import Not as Not
from ast import NotEq as NotEq
from ast import NotIn as NotIn
from ast import Or as Or
from ast import Pass as Pass
from ast import Raise as Raise
from ast import Return as Return
from ast import SetComp as SetComp
from ast import Starred as Starred
from ast import Store as Store
from ast import Subscript as Subscript
from ast import Tuple as Tuple
from ast import UnaryOp as UnaryOp
from ast import While as While
from ast import With as With
from ast import Yield as Yield
from ast import YieldFrom as YieldFrom
from ast import alias as alias
from ast import boolop as boolop
from ast import cmpop as cmpop
from ast import comprehension as comprehension
from ast import copy_location as copy_location
from ast import expr as expr
from ast import expr_context as expr_context
from ast import get_docstring as get_docstring
from ast import iter_child_nodes as iter_child_nodes
from ast import iter_fields as iter_fields
from ast import match_case as match_case
from ast import operator as operator
from ast import pattern as pattern
from ast import stmt as stmt
from ast import unaryop as unaryop
from ast import walk as walk
from ast import withitem as withitem
from collections.abc import Sequence
from typing import Any

def ast_to_gast(node: ast.AST) -> Any: ...
def gast_to_ast(node: ast.AST) -> Any: ...

class Param(ast.expr_context): ...

class Name(ast.Name):
    annotation: ast.expr | None
    type_comment: str | None
    def __init__(
        self, id: str, ctx: ast.expr_context, annotation: ast.expr | None, type_comment: str | None, **attributes: int
    ) -> None: ...

class NamedExpr(ast.NamedExpr):
    target: Name

class Constant(ast.Constant):
    def __init__(self, value: object, kind: str | None, **attributes: int) -> None: ...

class Slice(ast.Slice):
    def __init__(
        self, lower: ast.expr | None, upper: ast.expr | None, step: ast.expr | None, **attributes: int
    ) -> None: ...

class arguments(ast.AST):  # noqa: N801
    args: list[Name]
    posonlyargs: list[Name]
    vararg: Name | None
    kwonlyargs: list[Name]
    kw_defaults: list[ast.expr | None]
    kwarg: Name | None
    defaults: list[ast.expr]
    def __init__(
        self,
        args: Sequence[Name],
        posonlyargs: Sequence[Name],
        vararg: Name | None,
        kwonlyargs: Sequence[Name],
        kw_defaults: Sequence[ast.expr | None],
        kwarg: Name | None,
        defaults: Sequence[ast.expr],
    ) -> None: ...

class FunctionDef(ast.FunctionDef):
    args: arguments  # type: ignore[assignment]

class AsyncFunctionDef(ast.AsyncFunctionDef):
    args: arguments  # type: ignore[assignment]

class Lambda(ast.Lambda):
    args: arguments  # type: ignore[assignment]
    def __init__(self, args: arguments, body: ast.expr, **attributes: int) -> None: ...

class ExceptHandler(ast.ExceptHandler):
    name: Name | None  # type: ignore[assignment]
    def __init__(self, type: ast.expr | None, name: Name | None, body: list[ast.stmt], **attributes: int) -> None: ...

class Try(ast.Try):
    handlers: list[ExceptHandler]  # type: ignore[assignment]

class TryStar(ast.TryStar):
    handlers: list[ExceptHandler]  # type: ignore[assignment]
