"""The names of PaddlePaddle that a source uses, with their lines: read from the syntax tree, nothing is imported.

Followed are imports, `as` names, and plain assignments (`F = paddle.nn.functional`), each in its scope. Not followed
are methods of values, because their classes are unknown before the program runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ..base.errors import ArgumentError

Scope: TypeAlias = dict[str, "str | None"]  # local name -> what it means in Paddle; None for something else
_CATCHES = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"}
_Functions: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"


@dataclass(frozen=True)
class Use:
    """A name of PaddlePaddle at a line. `optional`: in a `try` that expects it to be missing."""

    name: str
    line: int
    optional: bool = False


def uses_in(text: str, root: str = "paddle") -> list[Use]:
    r"""Every use of a name below `root`, in the order of the lines. SyntaxError where the text isn't Python.

    >>> [use.name for use in uses_in("from paddle import nn\nnn.Linear(2, 3)")]
    ['paddle.nn', 'paddle.nn.Linear']
    """
    reader = _Reader(root)
    reader.scoped(ast.parse(text))
    return sorted(set(reader.found), key=lambda use: (use.line, use.name))


def sources(path: Path) -> Iterator[Path]:
    """The Python files of a folder, or the file itself. Errors: ArgumentError where there is none."""
    if path.is_file():
        yield path
        return
    files = sorted(file for file in path.rglob("*.py") if file.is_file()) if path.is_dir() else []
    if not files:
        raise ArgumentError(f"{path} holds no Python files" if path.exists() else f"there is no {path}")
    yield from files


class _Reader(ast.NodeVisitor):
    """Walks a module with a stack of scopes."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.scopes: list[tuple[Scope, bool]] = []  # names, whether it is the body of a class
        self.found: list[Use] = []
        self.optional = 0

    def scoped(self, node: ast.AST, arguments: tuple[str, ...] = (), of_class: bool = False) -> None:
        """Visit the children of a node in a scope of their own."""
        around = [scope for scope in self.scopes if not scope[1]]
        before, self.scopes = self.scopes, [*around, (dict.fromkeys(arguments), of_class)]
        self.scopes[-1][0].update(_bound(node, self.root, self.meaning))
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.arguments):
                self.visit(child)
        self.scopes = before

    def meaning(self, node: ast.AST) -> str | None:
        """The dotted name that an expression stands for."""
        if isinstance(node, ast.Attribute):
            inner = self.meaning(node.value)
            return inner and f"{inner}.{node.attr}"
        if isinstance(node, ast.Name):
            return next((scope[node.id] for scope, _ in reversed(self.scopes) if node.id in scope), None)
        return None

    def note(self, name: str | None, node: ast.AST) -> None:
        if name is not None and name != self.root:
            self.found.append(Use(name, getattr(node, "lineno", 0), self.optional > 0))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = self.meaning(node)
        self.note(name, node)
        if name is None:
            self.visit(node.value)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.note(self.meaning(node), node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.name.partition(".")[0] == self.root:
                self.note(alias.name, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if not node.level and node.module and node.module.partition(".")[0] == self.root:
            for alias in node.names:
                self.note(node.module if alias.name == "*" else f"{node.module}.{alias.name}", node)

    def visit_Try(self, node: ast.Try) -> None:
        expected = any(_expects_absence(handler) for handler in node.handlers)
        self.optional += expected
        for child in node.body:
            self.visit(child)
        self.optional -= expected
        for rest in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(rest)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for outer in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(outer)
        self.scoped(ast.Module(node.body, []), of_class=True)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node, node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node, node.body)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node, [ast.Expr(node.body)])

    def _function(self, node: _Functions, body: list[ast.stmt]) -> None:
        self.visit(node.args)  # defaults and annotations belong to the scope around
        if not isinstance(node, ast.Lambda):
            for outer in (*node.decorator_list, *([node.returns] if node.returns else [])):
                self.visit(outer)
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        self.scoped(ast.Module(body, []), tuple(argument.arg for argument in every if argument is not None))


def _expects_absence(handler: ast.ExceptHandler) -> bool:
    names = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else _CATCHES
    return bool(names & _CATCHES)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of the scopes inside it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _statements(child)


def _bound(scope: ast.AST, root: str, meaning: object) -> Scope:
    """The names that the statements of a scope bind. An import wins over an assignment (`try: … except: x = None`)."""
    assert callable(meaning)
    imported: Scope = {}
    assigned: Scope = {}
    for node in _statements(scope):
        if isinstance(node, ast.Import):
            imported.update(_of_import(node, root))
        elif isinstance(node, ast.ImportFrom):
            imported.update(_of_import_from(node, root))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned.setdefault(node.id, None)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            assigned.setdefault(node.name, None)
    return assigned | imported | _aliases(scope, root, imported, assigned, meaning)


def _of_import(node: ast.Import, root: str) -> Scope:
    made: Scope = {}
    for alias in node.names:
        first = alias.name.partition(".")[0]
        target = alias.name if alias.asname else first
        made[alias.asname or first] = target if first == root else None
    return made


def _of_import_from(node: ast.ImportFrom, root: str) -> Scope:
    ours = not node.level and (node.module or "").partition(".")[0] == root
    return {a.asname or a.name: f"{node.module}.{a.name}" if ours else None for a in node.names if a.name != "*"}


def _aliases(scope: ast.AST, root: str, imported: Scope, assigned: Scope, meaning: object) -> Scope:
    """Names bound once, to a dotted name: `F = paddle.nn.functional`."""
    assert callable(meaning)
    made: Scope = {}
    stores = [n.id for n in _statements(scope) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    for node in _statements(scope):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            target, parts, value = node.targets[0].id, [], node.value
            while isinstance(value, ast.Attribute):
                parts.append(value.attr)
                value = value.value
            if isinstance(value, ast.Name) and stores.count(target) == 1 and target not in imported:
                own = imported | assigned
                start = own[value.id] if value.id in own else meaning(value)
                if start is not None:
                    made[target] = ".".join([start, *reversed(parts)])
    return made
