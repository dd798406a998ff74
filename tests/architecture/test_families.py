"""Closed families are dispatched in full: a new class of step, operation with blocks or opcode must be met everywhere."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from vitrify.export.numpy_source.printer import FunctionPrinter
from vitrify.export.tensor_printer import TensorPrinter
from vitrify.interchange import control as onnx_control
from vitrify.interchange.emit import CONTROL as ONNX_CONTROL
from vitrify.ir import interpret, verifier
from vitrify.ops.effects import Effect
from vitrify.ops.op import OPS
from vitrify.passes.autodiff import block_vjps as gradients
from vitrify.runtime.schedule import linearise, loop_kernels
from vitrify.runtime.schedule.program_steps import ProgramStep
from vitrify.runtime.vm import virtual_machine
from vitrify.runtime.vm.native_source.layout import Opcode

from .syntax import nodes, parsed

ROOT = Path(__file__).parents[2]
FOLDERS = ("ir", "ops", "passes", "runtime", "viz", "export", "interchange", "jit")
Family = frozenset[type]


def family_of(base: type) -> Family:
    """A class's subclasses at any depth, without those that a dataclass with slots replaces by itself."""
    found: set[type] = set()
    for one in base.__subclasses__():
        found |= {one, *family_of(one)}
    return frozenset(one for one in found if getattr(sys.modules[one.__module__], one.__name__, None) is one)


STEPS = family_of(ProgramStep)


def _class_of(node: ast.expr, module: ModuleType) -> type | None:
    found = module.__dict__.get(node.id) if isinstance(node, ast.Name) else None
    return found if isinstance(found, type) else None


def _met(pattern: ast.pattern, module: ModuleType) -> Iterator[type]:
    """The classes that a pattern of a `case` lets through."""
    match pattern:
        case ast.MatchClass(cls=named):
            if (found := _class_of(named, module)) is not None:
                yield found
        case ast.MatchOr(patterns=several):
            for one in several:
                yield from _met(one, module)
        case ast.MatchAs(pattern=inner) if inner is not None:
            yield from _met(inner, module)


def _has_default(node: ast.Match) -> bool:
    """Whether a last `case _` stands for whatever is left; one that raises doesn't."""
    last = node.cases[-1]
    anything = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
    return anything and not isinstance(last.body[-1], ast.Raise)


def dispatches(module: ModuleType) -> Iterator[tuple[int, set[type], bool]]:
    """Each `match` over steps and each table by classes of steps: its line, what it names, whether subclasses count."""
    for node in nodes(inspect.getsource(module)):
        if isinstance(node, ast.Match) and not _has_default(node):
            named = {one for case in node.cases for one in _met(case.pattern, module)}
            by_class = True
        elif isinstance(node, ast.Dict):
            named = {one for key in node.keys if key is not None and (one := _class_of(key, module)) is not None}
            by_class = False
        else:
            continue
        if len(named & STEPS) > 1:
            yield node.lineno, named, by_class


def unmet(named: set[type], by_class: bool) -> list[str]:
    """The classes of steps that a place doesn't name."""
    return sorted(s.__name__ for s in STEPS if not (issubclass(s, tuple(named)) if by_class else s in named))


def modules() -> list[ModuleType]:
    files = [f for folder in FOLDERS for f in sorted((ROOT / folder).rglob("*.py"))]
    with_steps = [f for f in files if "ProgramStep" in f.read_text() and f.name != "steps.py"]
    names = [".".join(["vitrify", *f.relative_to(ROOT).with_suffix("").parts]) for f in with_steps]
    return [importlib.import_module(n.removesuffix(".__init__")) for n in names]


def test_every_step_is_met_wherever_steps_are_told_apart() -> None:
    seen, wrong = [], []
    for module in modules():
        for line, named, by_class in dispatches(module):
            seen.append(f"{module.__name__}:{line}")
            missing = unmet(named, by_class)
            if missing and not (module is loop_kernels and not set(missing) & _names(loop_kernels._WRITTEN)):
                wrong.append(f"{seen[-1]} doesn't know {', '.join(missing)}")
    assert not wrong, "\n".join(wrong)
    found = {place.rpartition(":")[0].removeprefix("vitrify.") for place in seen}
    assert {
        "runtime.observe.step_work",
        "runtime.vm.binding",
        "runtime.schedule.loop_kernels",
        "viz.page.vm",
    } <= found


def _names(classes: tuple[type, ...]) -> set[str]:
    return {one.__name__ for one in classes}


def test_a_step_that_a_place_forgets_is_named() -> None:
    known = set(STEPS)
    gone = next(s for s in STEPS if s.__name__ == "HoldStep")
    assert unmet(known - {gone}, by_class=True) == unmet(known - {gone}, by_class=False) == ["HoldStep"]


CONTROL = {name: op for name, op in OPS.items() if op.family == "control"}
INNER = {"group", "yield", "return"}  # made by passes, or the end of a block
NO_GRADIENT = {"check", "update", "bind_size", "list_new"}  # nothing flows back through them
TABLES: dict[str, tuple[set[str], set[str]]] = {  # what a table has, what it may leave out
    "ir.interpret": (set(interpret._HANDLERS), {"yield", "return"}),
    "runtime.schedule.linearise": (set(linearise._CONTROL), {*INNER, "bind_size"}),  # a late size is Python's
    "passes.autodiff.block_vjps": (set(gradients._RULES), {"yield", "return"} | NO_GRADIENT),
    "export.numpy_source": (set(FunctionPrinter.writers), {"yield", "return"}),
    "export.tensor_printer": (set(TensorPrinter.writers), {"yield", "return"}),
    "interchange.control": (
        set(onnx_control._RULES) | set(ONNX_CONTROL),
        {*INNER, "callback", "function", "call"},
    ),  # refused by name
}


@pytest.mark.parametrize("table", TABLES)
def test_every_control_operation_is_in_every_table(table: str) -> None:
    known, exempt = TABLES[table]
    own = {name for name, op in CONTROL.items() if op.eager.__name__ == "_no_eager"}  # others are run as any row
    assert own - known == exempt, f"{table} lacks {sorted(own - known)}, and may lack {sorted(exempt)}"


def test_the_verifier_knows_every_operation_with_blocks_and_every_terminator() -> None:
    ends = {name for name, op in CONTROL.items() if op.effect is Effect.TERMINATOR}
    assert set(verifier._BLOCK_RULES) == {"if", "while", "for", "function", "call", "group"} | ends


def test_the_vm_runs_every_opcode() -> None:
    tree = parsed(virtual_machine.source().body)
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "vm")
    compared = [c for n in ast.walk(function) if isinstance(n, ast.Compare) for c in n.comparators]
    names = {ast.unparse(c) for c in compared}
    assert {f"Opcode.{code.name}" for code in Opcode} <= names
