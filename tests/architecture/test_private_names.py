"""A name with a leading underscore belongs to its module, as an attribute to its folder: what others use is public."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from .syntax import every_node, parsed

FOREIGN = {  # other projects' private names, and why there is no other way
    "_extobj_contextvar": "numpy.errstate, which would be paid at each op, sets this variable",
    "_make_extobj": "the value of that variable",
    "_make_subtarget": "numba: how a kernel is compiled for the LLVM target that this library names",
    "_create_empty_module": "numba: a module for the intermediate code of a kernel",
    "_get_module_for_linking": "numba: the code of a function that a kernel calls",
    "_owned": "llvmlite: an engine that lives as long as the process must not be freed at its end",
    "_ARRAY_API": "numpy: the table of its C interface, as extension modules take it",
    "_NoValue": "numpy: the default of arguments of array functions",
    "_getframe": "CPython: the frame that calls, without the source lines that `inspect` would read",
    "_data": "os.environ: all variables as bytes, to see whether one has changed",
    "_fields": "ast and named tuples: a documented name",
    "_lru_cache_wrapper": "functools: the class of cached functions",
    "_GeneratorContextManager": "contextlib: the class of decorated generators",
    "_parse_exception_table": "dis: which instructions an `except` covers",
}
OF_USERS = {  # shared between folders, but private to users of the objects: their public names are the documented ones
    "_storage": "Tensor: where its elements are (docs/design/joints.md)",
    "_dtype": "Tensor: its dtype, without the property's call",
    "_grad": "Tensor: its gradient, which `.grad` wraps",
    "_grad_is_zero": "Tensor: its gradient is a zero that nobody has read",
    "_slot": "Tensor: which result of its node it is",
    "_copied": "Tensor: its elements as numbers, where `numpy()` may give users the bits of bfloat16",
    "_write": "Tensor: new elements, by the library",
    "_sub_layers": "Layer: PaddlePaddle's name",
    "_forward_pre_hooks": "Layer: PaddlePaddle's name",
    "_forward_post_hooks": "Layer: PaddlePaddle's name",
    "_mean": "BatchNorm: PaddlePaddle's name of the buffer",
    "_variance": "BatchNorm: PaddlePaddle's name of the buffer",
    "_learning_rate": "Optimizer: PaddlePaddle's name",
    "_parameter_list": "Optimizer: PaddlePaddle's name",
    "_lr_tensor": "Optimizer: the rate that programs read",
    "_add_group": "Optimizer: parameters that minimize() names",
    "_apply_gradients": "Optimizer: the updates alone",
    "_constant_outputs": "PyLayerContext: what mark_not_differentiable was called with",
    "_inplace_free": "PyLayerContext: what mark_not_inplace was called with",
    "_method": "a loaded layer, whose other names are those of the saved one",
    "_last": "a compiled function: the program of its last call",
    "_input_spec": "a compiled function: PaddlePaddle's name",
    "_stage_program": "a compiled function: the program after one pass, for pictures",
}


def is_private(name: str) -> bool:
    """Whether a name begins with one underscore."""
    return name.startswith("_") and not name.startswith("__") and name != "_"


def private_imports(tree: ast.AST) -> Iterator[str]:
    """The private names that a module imports from another."""
    for node in every_node(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names if is_private(alias.name))


def private_reads(tree: ast.AST) -> Iterator[str]:
    """The private attributes that a module asks of objects other than `self`, `cls` and `super()`."""
    for node in every_node(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            owner = node.value.func if isinstance(node.value, ast.Call) else node.value
            if not (isinstance(owner, ast.Name) and owner.id in ("self", "cls", "super")):
                yield node.attr


def private_definitions(tree: ast.AST) -> Iterator[str]:
    """The private names that a module defines: functions, classes, variables, fields, slots and attributes of `self`."""
    for node in every_node(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names = [node.id]
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names = [node.attr] if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") else []
        elif (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__slots__"
        ):
            names = [c.value for c in ast.walk(node.value) if isinstance(c, ast.Constant) and isinstance(c.value, str)]
        else:
            continue
        yield from filter(is_private, names)


def trees_of(root: Path, sources: list[Path]) -> dict[str, ast.AST]:
    """The syntax tree of each file, by its path."""
    return {file.relative_to(root).as_posix(): parsed(file.read_text()) for file in sources}


def strange_reads(trees: dict[str, ast.AST]) -> dict[str, list[str]]:
    """For each file, the private attributes it asks for that no module of its folder defines."""
    own: defaultdict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        own[path.partition("/")[0]].update(private_definitions(tree))
    reads = {path: sorted({*private_reads(tree)} - own[path.partition("/")[0]]) for path, tree in trees.items()}
    return {path: names for path, names in reads.items() if names}


def test_private_names_stay_in_their_modules(root: Path, sources: list[Path]) -> None:
    known = FOREIGN.keys()
    found = [(path, name) for path, tree in trees_of(root, sources).items() for name in private_imports(tree)]
    assert [one for one in found if one[1] not in known] == []


def test_private_attributes_stay_in_their_folders(root: Path, sources: list[Path]) -> None:
    known = FOREIGN.keys() | OF_USERS.keys()
    found = strange_reads(trees_of(root, sources))
    assert {path: rest for path, names in found.items() if (rest := [n for n in names if n not in known])} == {}


def test_every_exception_is_needed(root: Path, sources: list[Path]) -> None:
    trees = trees_of(root, sources)
    used = {name for names in strange_reads(trees).values() for name in names}
    used |= {name for tree in trees.values() for name in private_imports(tree)}
    assert sorted((FOREIGN.keys() | OF_USERS.keys()) - used) == []


def test_private_names_are_found() -> None:
    text = (
        "from .a import _b, c, __version__\nclass D:\n    def f(self, x):\n        self._own = x._other + super()._mine"
    )
    tree = parsed(text)
    assert list(private_imports(tree)) == ["_b"]
    assert list(private_reads(tree)) == ["_other"]
    assert list(private_definitions(tree)) == ["_own"]
    trees: dict[str, ast.AST] = {"a/x.py": tree, "a/y.py": parsed("z._own"), "b/z.py": parsed("z._own")}
    assert strange_reads(trees) == {"a/x.py": ["_other"], "b/z.py": ["_own"]}
