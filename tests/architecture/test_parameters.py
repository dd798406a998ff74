"""Functions take few arguments: more than eight are several things, or one that has no class yet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .syntax import nodes

MOST_PARAMETERS = 8
GENERATED = {  # decorators of functions whose parameters are no arguments of a call in this code
    "template": "a pattern of Python's syntax: its parameters are the places to fill in",
}
NATIVE = "runtime/vm/native_source/"  # compiled to machine code: scalars only; BLAS's functions take up to fourteen
REFERENCE = "runtime/kernel/reference_tiles.py"  # the arguments of the functions whose meaning they are
OLDER = "fluid/"  # PaddlePaddle 1's functions, with its parameters
KERNELS = (
    "compat/kernel_functions.py",
    "compat/kernel_forms.py",
    "compat/kernel_places.py",
)  # the arguments of PaddlePaddle's kernels, which are passed by position
MANY = {  # reasons
    "audio/features.py LogMelSpectrogram.__init__": "the parameters of paddle.audio.features",
    "audio/features.py MFCC.__init__": "the parameters of paddle.audio.features",
    "audio/features.py MelSpectrogram.__init__": "the parameters of paddle.audio.features",
    "compat/auto_engine.py Engine.fit": "the parameters of paddle.distributed.fleet.auto.Engine",
    "compat/loss_scaling.py update_loss_scaling": "the parameters of paddle.static.amp.amp_nn",
    "compat/profiler.py Profiler.__init__": "the parameters of paddle.profiler.Profiler",
    "distributed/transpile/group_sharded.py group_sharded_parallel": "the parameters of paddle.distributed.sharding",
    "dygraph/optimizer/lars.py LarsMomentumOptimizer.__init__": "the parameters of paddle.incubate.optimizer",
    "dygraph/optimizer/quasi_newton.py minimize_bfgs": "the parameters of paddle.incubate.optimizer.functional",
    "dygraph/optimizer/quasi_newton.py minimize_lbfgs": "the parameters of paddle.incubate.optimizer.functional",
    "dygraph/sparse/sparse_conv.py subm_conv2d": "the parameters of paddle.sparse.nn.functional",
    "dygraph/sparse/sparse_conv.py subm_conv3d": "the parameters of paddle.sparse.nn.functional",
    "dygraph/sparse/sparse_nn.py _SubmConv.__init__": "the parameters of paddle.sparse.nn.SubmConv3D",
    "ops/families.py elementwise": "the fields of an op definition, by keyword",
    "ops/families.py reduction": "the fields of an op definition, by keyword",
    "jit/custom_ops.py register_op": "the fields of a user's op definition, by keyword",
    "native/building.py build": "what a library has and is called, by keyword",
    "jit/debug/programs.py verify_program": "what is checked and how, by keyword",
    "training/callbacks.py config_callbacks": "the parameters of paddle.hapi.callbacks.config_callbacks",
}


@dataclass(frozen=True)
class Function:
    """A function with more parameters than most, and the class it is a method of."""

    name: str
    owner: str
    parameters: int
    decorators: frozenset[str]
    heirs: frozenset[str]  # classes of the file that have it as their own `__init__`

    @property
    def label(self) -> str:
        """`Owner.name`, or the name of a plain function."""
        return f"{self.owner}.{self.name}" if self.owner else self.name

    def is_paddles(self, names: frozenset[str]) -> bool:
        """Whether PaddlePaddle says what the parameters are: programs written for it pass them."""
        is_public = self.name == "__init__" or not self.name.startswith("_")
        return is_public and not names.isdisjoint({self.owner, *self.heirs} if self.owner else {self.name})


def functions_with_many(text: str) -> Iterator[Function]:
    """The functions of a text with more than MOST_PARAMETERS, without `self`, `*args` and `**kwargs`."""
    classes = [node for node in nodes(text) if isinstance(node, ast.ClassDef)]
    owners = {method: one.name for one in classes for method in one.body}
    for node in nodes(text):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        every = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        count = len(every) - (node in owners and every[:1] in (["self"], ["cls"]))
        if count > MOST_PARAMETERS:
            owner = owners.get(node, "")
            decorators = frozenset(_name(d) for d in node.decorator_list)
            yield Function(node.name, owner, count, decorators, frozenset(_heirs(owner, node.name, classes)))


def _name(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _heirs(owner: str, method: str, classes: list[ast.ClassDef]) -> Iterator[str]:
    """Classes derived from `owner` that don't define the method themselves."""
    for one in classes:
        own = {node.name for node in one.body if isinstance(node, ast.FunctionDef)}
        if owner in {ast.unparse(base) for base in one.bases} and method not in own:
            yield one.name
            yield from _heirs(one.name, method, classes)


def paddle_names(root: Path) -> frozenset[str]:
    """The last parts of PaddlePaddle's public names: `Conv2D`, `stft`, `Model`."""
    lines = (root / "tools" / "paddle_names.tsv").read_text().splitlines()
    return frozenset(line.split("\t")[1].rpartition(".")[2] for line in lines)


def test_functions_take_few_arguments(root: Path, sources: list[Path]) -> None:
    names = paddle_names(root)
    found = {
        f"{path} {one.label}": one.parameters
        for path, file in ((file.relative_to(root).as_posix(), file) for file in sources)
        for one in functions_with_many(file.read_text())
        if not (
            path.startswith((NATIVE, REFERENCE, OLDER, *KERNELS))
            or one.decorators & GENERATED.keys()
            or one.is_paddles(names)
        )
    }
    assert {name: count for name, count in found.items() if name not in MANY} == {}
    assert [name for name in MANY if name not in found] == []


def test_every_kind_of_exception_is_needed(root: Path, sources: list[Path]) -> None:
    found = [(file, one) for file in sources for one in functions_with_many(file.read_text())]
    assert {d for _, one in found for d in one.decorators} >= GENERATED.keys()
    for folder in (NATIVE, REFERENCE, OLDER):
        assert any(file.relative_to(root).as_posix().startswith(folder) for file, _ in found), folder


def test_many_parameters_are_found() -> None:
    nine = ", ".join("abcdefghi")
    assert [one.label for one in functions_with_many(f"def f({nine}): pass")] == ["f"]
    assert [one.label for one in functions_with_many(f"def f(a, *, {nine[3:]}, j): pass")] == ["f"]
    assert not list(functions_with_many(f"def f({nine[3:]}, *args, **kwargs): pass"))
    text = (
        f"class A:\n    def __init__(self, {nine}): pass\nclass B(A): pass\nclass C(A):\n    def __init__(self): pass"
    )
    (one,) = functions_with_many(text)
    assert (one.label, one.heirs) == ("A.__init__", {"B"})
    assert one.is_paddles(frozenset({"B"}))
    assert not one.is_paddles(frozenset({"C", "__init__"}))
    assert not Function("_f", "A", 9, frozenset(), frozenset()).is_paddles(frozenset({"A"}))


def test_paddles_names_are_known(root: Path) -> None:
    assert {"Conv2D", "stft", "Model"} <= paddle_names(root)
