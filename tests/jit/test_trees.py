"""Python's trees <-> gast's: nothing is lost, every node has its place, and what isn't known is refused."""

from __future__ import annotations

import ast
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import gast
import pytest

from vitrify.base.errors import CaptureError
from vitrify.jit.analysis import Step
from vitrify.jit.source import gast_trees as trees
from vitrify.jit.source.gast_trees import UnknownNodeError, to_ast, to_gast
from vitrify.jit.source.names import Names
from vitrify.jit.source.reader import read
from vitrify.jit.transformers import transform

POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")
SYNTAX = {
    "parameters": "def f(a, b: int, /, c=1, *rest: str, d, e: float = 2.0, **more) -> None: pass",
    "lambda": "g = lambda a, /, b=1, *c, d=2, **e: (a, b)",
    "slices": "x[0], x[1:2], x[::3], x[1, 2:3, ...], x[*y]",
    "handlers": "try:\n    a\nexcept (B, C) as caught:\n    d\nexcept E:\n    f\nexcept:\n    g\nelse:\n    h\nfinally:\n    i",
    "groups": "try:\n    a\nexcept* B as caught:\n    c\nexcept* D:\n    e",
    "match": (
        "match a:\n    case {'k': 1, **rest}: b\n    case C(1, x=[y, *z]) if d: e\n    case None | -1 as f: g\n    case _: h"
    ),
    "f-strings": "f'a{b!r:>{c}}d{{e}}' f\"{f'{g}'}\" + rf'''{\nh\n}'''",
    "strings": "u'kind', b'bytes', 'a' 'b', 1j, ..., True",
    "comprehensions": "[a async for b in c if d if e for f in g], {h: i for h, i in j}, {*k}, (l for l in m)",
    "classes": "@a.b\nclass C(D, metaclass=E, **F):\n    x: int = 1\n    y: str\n    async def g(self): await h",
    "statements": "with a as b, c: pass\nfor d in e: break\nelse: pass\ndel f, g[0]\nassert h, i\nraise J from K\nglobal l\nx += (y := 1)",
    "imports": "import a.b as c, d\nfrom ..e import f as g\nfrom . import *",
    "generators": "def f():\n    x = yield 1\n    yield from y\n    return *a, b\nasync def g():\n    async with h as i: pass",
    "chains": "a < b <= c is not d not in e and not f or -g @ h // ~i if j else k",
    "positions in bytes": "é = 'ü' + f(\n  'ö', ß)",
}
NEWER = {
    "type parameters": ((3, 12), "def f[T: int, *Ts, **P](x: T) -> T: pass\nclass C[T]: pass\ntype A[T] = list[T]"),
    "nested f-strings": ((3, 12), "f'{x['a']!r:{y['b']}}' f'{\n    z  # a comment\n}'"),
    "defaults of type parameters": (
        (3, 13),
        "def f[T = int, *Ts = *tuple[int], **P = [int]](): pass\ntype A[T = str] = T",
    ),
    "template strings": ((3, 14), "t'a{b!r:>{c}}d' + t'{e}'"),
    "handlers without parentheses": ((3, 14), "try:\n    a\nexcept B, C:\n    d"),
}
SOURCES = sorted((Path(__file__).parents[2] / "jit").rglob("*.py"))
ALL = SYNTAX | {
    name: text for name, (version, text) in NEWER.items() if sys.version_info >= version
}  # fmt: skip


def _places(tree: ast.AST) -> list[tuple[object, ...]]:
    return [
        (type(n).__name__, *(getattr(n, p, None) for p in POSITION))
        for n in ast.walk(tree)
        if "lineno" in n._attributes
    ]


def _written(tree: ast.AST) -> str:
    return ast.dump(tree, include_attributes=True)


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_lost_on_the_way_there_and_back(name: str) -> None:
    tree = ast.parse(ALL[name])
    assert _written(to_ast(to_gast(tree))) == _written(tree)


@pytest.mark.parametrize("name", ALL)
def test_every_node_of_gasts_has_a_place_with_its_end(name: str) -> None:
    tree = to_gast(ast.parse(ALL[name]))
    found = _places(tree)
    assert found and not [place for place in found if None in place]
    assert all(type(node).__module__ == gast.Name.__module__ for node in gast.walk(tree))


def test_places_are_those_of_the_source() -> None:
    text = "def f(first: int, *rest):\n    try:\n        x[1:2] = first\n    except E as caught:\n        pass"
    tree = to_gast(ast.parse(text)).body[0]
    lines = text.splitlines()
    shown = {
        name: lines[node.lineno - 1][node.col_offset : node.end_col_offset]
        for name, node in {
            "first": tree.args.args[0], "rest": tree.args.vararg, "type": tree.args.args[0].annotation,
            "slice": tree.body[0].body[0].targets[0].slice, "handler": tree.body[0].handlers[0].type,
        }.items()
    }  # fmt: skip
    assert shown == {"first": "first: int", "rest": "rest", "type": "int", "slice": "1:2", "handler": "E"}
    caught = tree.body[0].handlers[0].name
    assert (caught.id, caught.lineno, caught.col_offset, caught.end_lineno, caught.end_col_offset) == (
        "caught",
        4,
        4,
        4,
        4,
    )


@pytest.mark.parametrize("name", ALL)
def test_the_trees_are_those_that_gast_makes(name: str) -> None:
    tree = ast.parse(ALL[name])
    assert gast.dump(to_gast(tree)) == gast.dump(gast.ast_to_gast(tree))
    assert ast.dump(to_ast(to_gast(tree))) == ast.dump(gast.gast_to_ast(gast.ast_to_gast(tree)))


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.stem)
def test_our_own_files_come_back_whole(file: Path) -> None:
    tree = ast.parse(file.read_text())
    assert _written(to_ast(to_gast(tree))) == _written(tree)


def test_converted_functions_are_gasts_nodes_in_place() -> None:
    text = """
        def f(x, n):
            for i in range(n):
                if x[i] and n:
                    continue
                x[i] += [k for k in x if k][0]
            try:
                return lambda a, *b: a if b else f"{n!r}"
            except E as caught:
                del caught
    """
    tree = to_gast(ast.parse(textwrap.dedent(text)).body[0])
    transform(tree, Names({"f", "x", "n", "i", "k", "a", "b", "E", "caught", "range"}), rt="vt_rt", file="f.py")
    assert not [node for node in gast.walk(tree) if type(node).__module__ != gast.Name.__module__]
    assert not [place for place in _places(tree) if None in place]
    assert not [place for place in _places(to_ast(tree)) if None in place]


class Later(ast.stmt):
    """A statement of a Python to come."""


def test_a_class_of_ours_is_what_it_derives_from() -> None:
    (step,) = to_gast(ast.parse("if a:\n    b")).body
    made = to_ast(Step(step.test, step.body, []))
    assert ast.unparse(made) == "if a:\n    b"


def test_a_node_that_one_side_does_not_know_is_refused() -> None:
    with pytest.raises(UnknownNodeError, match=r"^Later$"):
        to_gast(ast.Module([Later()], []))
    with pytest.raises(UnknownNodeError, match=r"^Print$"):
        to_ast(gast.Module([gast.Print(None, [], True)], []))


def test_a_field_that_one_side_does_not_know_is_refused_where_it_says_something() -> None:
    lazily = type("Import", (ast.stmt,), {"_fields": ("names", "is_lazy")})
    assert isinstance(to_gast(lazily(names=[], is_lazy=0)), gast.Import)
    with pytest.raises(UnknownNodeError, match=r"^Import\.is_lazy$"):
        to_gast(lazily(names=[], is_lazy=1))


def uses_a_set(x):
    return {x}


def test_the_reader_names_the_line_of_syntax_that_gast_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    older = SimpleNamespace(**{name: kind for name, kind in vars(gast).items() if name != "Set"})
    rules = {ast.arg: trees._parameter_to_gast, ast.ExceptHandler: trees._handler_to_gast}
    monkeypatch.setattr(trees, "_TO_GAST", trees._Translator(older, rules))
    with pytest.raises(CaptureError, match=r"uses the syntax `Set`, which the installed gast doesn't know") as caught:
        read(uses_a_set)
    assert caught.value.loc is not None and caught.value.loc.line == uses_a_set.__code__.co_firstlineno + 1
    assert "install a newer gast" in str(caught.value)


def test_only_the_source_folder_knows_pythons_own_trees() -> None:
    wrong = [
        str(file)
        for file in SOURCES
        if file.parent.name in ("analysis", "transformers")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Import) and any(alias.name == "ast" for alias in node.names)
    ]
    assert not wrong
