"""A program, and its gradient, as a Python function over tensors: `import vitrify as vt` is all that it needs.

The lines are those of numpy_source/printer.py: one per operation or expression, `if`, `while` and `for` as Python's
own, the user's lines as comments. Here an operation is a call of its row, so that the text runs on tensors and can be
captured again. A gradient is a function inside the function: it reads what forward computed, as closures do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..base.shown import Shown
from ..ir.builder import Builder
from ..ir.core import Operation, Program, Value
from ..ir.walk import clone_program
from ..ops.dims import deciding
from ..ops.effects import Effect
from ..ops.sizes import freshened
from ..passes.algebra.cse import CommonSubexpressions
from ..passes.algebra.dce import DeadCode
from ..passes.algebra.fold import ConstantFolding
from ..passes.algebra.simplify import Simplify
from ..passes.autodiff.block_vjps import vjp_block_values
from ..passes.autodiff.reverse import by_constraints, carries_gradient
from ..passes.autodiff.size_values import fitted
from .numpy_source.helpers import fresh, identifier
from .numpy_source.printer import WIDTH
from .tensor_printer import RESERVED, TensorPrinter

_TIDY = (Simplify(), ConstantFolding(), CommonSubexpressions(), DeadCode())
_CALL_PYTHON = '''def call_python(name, *tensors):
    """Results of the Python function that the program calls by this name, over NumPy arrays."""
    return [vt.to_tensor(made) for made in CALLBACKS[name](*(x.numpy() for x in tensors))]
'''


class Source(Shown):
    """Python source that runs. `load()` executes it and gives its function.

    constants: arrays that are too large for the text, `CONSTANTS[name]` in it. callbacks: the Python functions that the
    program calls, over NumPy arrays, `CALLBACKS[name]`. name: of the function. wrt: what `backward` gives gradients of.
    """

    name: str
    wrt: tuple[str, ...]
    constants: dict[str, np.ndarray[Any, Any]]
    callbacks: dict[str, Callable[..., Any]]

    def load(self) -> Callable[..., Any]:
        """The function that the text defines."""
        space: dict[str, Any] = {"CONSTANTS": self.constants, "CALLBACKS": self.callbacks}
        exec(compile(self, f"<source of {self.name}>", "exec"), space)
        made: Callable[..., Any] = space[self.name]
        return made


@dataclass
class _Parts:
    """A program whose operations from `forward` on are its gradient; the last `gradients` fetches belong to them."""

    program: Program
    forward: int
    fetches: int
    seeds: list[Value] = field(default_factory=list)
    wrt: list[str] = field(default_factory=list)


def program_source(program: Program, callbacks: Mapping[str, Callable[..., Any]] | None = None) -> Source:
    """A program as a function of its feeds and state: it returns the fetches, and writes the state that changes."""
    made = clone_program(program)
    for item in _TIDY:
        item.run(made)
    parts = _Parts(made, len(made.body.operations) - 1, len(made.fetches))
    return _Writing(parts).source(callbacks or {})


def gradient_source(
    program: Program, wrt: Sequence[int], callbacks: Mapping[str, Callable[..., Any]] | None = None
) -> Source:
    """A function that returns the fetches and a function `backward`: gradients of the fetches to those of arguments.

    wrt: numbers of the arguments, feeds then state. Errors: ArgumentError where no argument has a gradient.
    """
    made = clone_program(program)
    for item in _TIDY:
        item.run(made)
    return _Writing(_with_gradient(made, wrt)).source(callbacks or {})


def _with_gradient(program: Program, wrt: Sequence[int]) -> _Parts:
    """Append the gradient to a program, in place."""
    outputs = list(program.fetches)
    names = [*program.feeds, *(entry.name for entry in program.state)]
    arguments = [program.body.args[k] for k in wrt]
    end = program.body.terminator.loc
    program.body.terminator.erase()
    slots = [k for k, v in enumerate(outputs) if carries_gradient(v)]
    builder = Builder(program.body)
    builder.loc = end
    with deciding(by_constraints(program.constraints)), builder.active():
        fed = [program.add_feed(fresh(f"gradient{k}", set(names)), freshened(outputs[k].tensor_type)) for k in slots]
        given = [fitted(value, outputs[k].type) for value, k in zip(fed, slots, strict=True)]
        grads = vjp_block_values(builder, [outputs[k] for k in slots], given, arguments, block=program.body)
    found = [(names[k], g) for k, g in zip(wrt, grads, strict=True) if g is not None]
    if not found:
        raise ArgumentError(
            f"no result of {program.name} has a gradient with respect to any of its arguments",
            remedy="a function that calls backward() itself holds its gradients already: see forward_source()",
        )
    builder.return_([*outputs, *(g for _, g in found)])
    program.fetch_names = []
    _reorder(program)
    for item in _TIDY[1:]:
        item.run(program)
    for (name, _), value in zip(found, program.fetches[len(outputs) :], strict=True):
        if value.operation is not None and len(value.uses) == 1:
            value.hint = f"gradient_{name}"
    early = _needed_first(program, len(outputs), set(fed))
    return _Parts(program, early, len(outputs), fed, [name for name, _ in found])


def _reorder(program: Program) -> None:
    """Updates of state stand behind the gradient's operations, as everywhere; nothing else moves."""
    body = program.body
    updates = [o for o in body.operations if o.op.effect is Effect.STATE]
    rest = [o for o in body.operations if o.op.effect is not Effect.STATE]
    body.operations = [*rest[:-1], *updates, rest[-1]]


def _needed_first(program: Program, fetches: int, seeds: set[Value]) -> int:
    """Put what doesn't depend on the seeds first; how many operations that are."""
    seeded: set[Operation] = set()
    for operation in program.body.operations[:-1]:
        read = [*operation.operands, *(v for b in operation.blocks for o in _inner(b.operations) for v in o.operands)]
        if any(v in seeds or v.operation in seeded for v in read):
            seeded.add(operation)
    body = program.body
    early = [o for o in body.operations[:-1] if o not in seeded]
    body.operations = [*early, *(o for o in body.operations[:-1] if o in seeded), body.terminator]
    return len(early)


def _inner(operations: Iterable[Operation]) -> Iterable[Operation]:
    for operation in operations:
        yield operation
        for block in operation.blocks:
            yield from _inner(block.operations)


class _Writing:
    """One function as text."""

    def __init__(self, parts: _Parts) -> None:
        self.parts = parts
        self.program = parts.program
        self.printer = TensorPrinter(parts.program)
        if parts.wrt:
            self.printer.early = set(parts.program.body.operations[: parts.forward])
        self.calls = any(o.name == "callback" for o in _inner(self.program.body.operations))

    def source(self, callbacks: Mapping[str, Callable[..., Any]]) -> Source:
        """The module: imports, helpers, the function."""
        name = fresh(identifier(self.program.name.rpartition(".")[2]), RESERVED)
        body = self.function(name)
        text = "\n".join(body)
        head = ["import vitrify as vt"]
        if "rows." in text:
            head.append("from vitrify.ops import rows")
        if self.calls or self.printer.constants:
            head += ["", "# CONSTANTS: name -> array; CALLBACKS: name -> Python function. Source.load() fills them in."]
        if self.calls:
            head += ["", "", _CALL_PYTHON.rstrip()]
        made = Source("\n".join([*head, "", "", *body]) + "\n", "python")
        made.name, made.constants, made.wrt = name, self.printer.constants, tuple(self.parts.wrt)
        needed = {o.attrs["callee"] for o in _inner(self.program.body.operations) if o.name == "callback"}
        made.callbacks = {n: f for n, f in callbacks.items() if n in needed}
        return made

    def function(self, name: str) -> list[str]:
        """The function's lines."""
        printer, program, parts = self.printer, self.program, self.parts
        feeds = [v for v in program.feed_values if v not in parts.seeds]
        names = [n for n, v in zip(program.feeds, program.feed_values, strict=True) if v not in parts.seeds]
        states = [entry.name for entry in program.state]
        arguments = [*feeds, *program.state_values]
        given = [printer.name(v, n) for v, n in zip(arguments, [*names, *states], strict=True)]
        types = [f"{n}: {v.type}" for n, v in zip(given, arguments, strict=True)]
        results = ", ".join(str(v.type) for v in program.fetches[: parts.fetches])
        self.keep_old_state(given[len(feeds) :])
        printer.bind_sizes(arguments)
        operations = program.body.operations
        self.write(operations[: parts.forward])
        if parts.wrt:
            self.backward(operations[parts.forward : -1])
        self.update()
        fetched = [printer.text(v) for v in program.fetches[: parts.fetches]]
        shown = _tuple(fetched)
        if parts.wrt:
            shown = f"{shown if len(fetched) == 1 else f'({shown})'}, backward"
        printer.write(f"return {shown}")
        more = " and the function of its gradients" if parts.wrt else ""
        head = _wrapped(f"def {name}(", given, "):", "    ")
        doc = _wrapped('    """(', types, f") -> {results or 'nothing'}{more}.", "    ")
        doc = [doc[0] + '"""'] if len(doc) == 1 else [*doc, '    """']
        return [*head, *doc, *printer.lines]

    def keep_old_state(self, names: list[str]) -> None:
        """Names for state that the function writes at its end: what is read is a copy of before."""
        printer = self.printer
        written = {o.operands[0] for o in self.program.body.operations if o.op.effect is Effect.STATE}
        self.targets = dict(zip(self.program.state_values, names, strict=True))
        for value, name in self.targets.items():
            if value in written and len(value.uses) > 1:
                before = printer.name(value, f"{name}_before")
                printer.write(f"{before} = {name}.clone()")

    def write(self, operations: Iterable[Operation]) -> None:
        """Operations in order; updates wait for the end."""
        for operation in operations:
            if operation.op.effect is Effect.STATE:
                continue
            if not self.printer.deferred(operation):
                self.printer.operation(operation)

    def backward(self, operations: Sequence[Operation]) -> None:
        """The inner function."""
        printer, parts = self.printer, self.parts
        many = len(parts.seeds) > 1
        names = [printer.name(v, f"gradient_{k}" if many else "gradient") for k, v in enumerate(parts.seeds)]
        printer.write("")
        printer.write(f"def backward({', '.join(names)}):")
        with printer.indented():
            for line in _wrapped('"""Gradients of the results to gradients of ', parts.wrt, '."""', ""):
                printer.write(line)
            printer.outer = set(printer.told) - {
                n for o in _inner(operations) if o.name == "bind_size" for n in o.attrs["defines"]
            }
            self.write(operations)
            found = self.program.fetches[parts.fetches :]
            printer.write(f"return {_tuple([printer.text(v) for v in found])}")
        printer.write("")

    def update(self) -> None:
        """Write the state that changes, all at the end."""
        updates = [o for o in self.program.body.operations if o.op.effect is Effect.STATE]
        if not updates:
            return
        self.printer.write("with vt.no_grad():")
        with self.printer.indented():
            for operation in updates:
                target, value = operation.operands
                self.printer.write(f"vt.assign({self.printer.text(value)}, {self.targets[target]})")


def _wrapped(start: str, parts: Sequence[str], end: str, indent: str) -> list[str]:
    """`start a, b, c end` on as many lines as it takes."""
    lines = [start]
    for k, part in enumerate(parts):
        piece = part + ("," if k + 1 < len(parts) else end)
        space = "" if lines[-1] == start or not lines[-1].strip() else " "
        if len(lines[-1]) + len(piece) + 1 > WIDTH and lines[-1].strip():
            lines.append(f"{indent}    {piece}" if indent else piece)
        else:
            lines[-1] += space + piece
    return lines if parts else [start + end]


def _tuple(texts: Sequence[str]) -> str:
    return ", ".join(texts) or "()"
