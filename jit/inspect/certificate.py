"""The certificate of a compiled function: what became of each statement of the functions that the trace reached.

*in program*: operations of the program carry it out. *evaluated at trace*: Python carried it out while capturing; the
values that it read are guarded. *opaque*: the program calls back into Python there. The function is traced once more
with a line tracer, to know which statements ran; each operation's place ties it to its statement.
"""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal

import gast

from ...base.errors import CaptureError
from ...base.html import grid
from ...base.location import Loc, is_library_file
from ...base.notebook import cell_of
from ...base.table import table
from ...ir.core import Operation, Program
from ...ir.printer import print_program
from ...ir.walk import walk
from ..call.guards import describe
from ..source.reader import read
from ..trace.reachable import is_bound
from ..trace.state.rollback import ATOMS
from ..trace.traced import Assumption, Trace

Verdict = Literal["in program", "evaluated at trace", "opaque"]
Place = tuple[str, int]
_SILENT = (gast.Global, gast.Nonlocal, gast.Pass)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: where it stands, what became of it, by which operations, and which guarded values it read."""

    function: str
    loc: Loc
    text: str
    verdict: Verdict
    operations: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    reached: bool = True

    @property
    def detail(self) -> str:
        """Operations and guarded values in words."""
        if not self.reached:
            return "not taken"
        counted = [f"{n} × {c}" if c > 1 else n for n, c in _counts(self.operations)]
        return "; ".join([*([", ".join(counted)] if counted else []), *self.values])


@dataclass(frozen=True)
class Certificate:
    """All statements of all functions reached. `hash` is the same wherever the same capture is made.

    unplaced: operations that no statement accounts for (none, unless code without source took part).
    """

    name: str
    statements: tuple[Statement, ...]
    unplaced: tuple[str, ...]
    program: str

    @property
    def hash(self) -> str:
        """A digest of statements, verdicts, guarded values and the program, for use in CI."""
        rows = [(s.function, s.text, s.verdict, s.operations, s.values, s.reached) for s in self.statements]
        return hashlib.sha256(repr((rows, self.program)).encode()).hexdigest()[:16]

    @property
    def is_strict(self) -> bool:
        """Whether no statement is opaque and every operation has its statement."""
        return not self.unplaced and all(s.verdict != "opaque" for s in self.statements)

    def check(self) -> Certificate:
        """The certificate itself. Errors: CaptureError where it isn't strict, naming the first opaque statement."""
        for s in self.statements:
            if s.verdict == "opaque":
                raise CaptureError(
                    f"`{s.text}` runs in Python, as a callback of the program",
                    loc=s.loc,
                    remedy="write it with tensor operations, or accept it: certificate() without strict=True",
                )
        if self.unplaced:
            raise CaptureError(
                f"{len(self.unplaced)} operations stand in code without source: {', '.join(self.unplaced[:5])}",
                remedy="put that code in a file",
            )
        return self

    def __str__(self) -> str:
        verdicts = [s.verdict for s in self.statements]
        counts = ", ".join(f"{verdicts.count(v)} {v}" for v in ("in program", "evaluated at trace", "opaque"))
        lines = [f"{self.name}: {len(verdicts)} statements: {counts}; hash {self.hash}"]
        for function in dict.fromkeys(s.function for s in self.statements):
            own = [s for s in self.statements if s.function == function]
            rows = [[s.loc.line, _cut(s.text, 48), s.verdict, _cut(s.detail, 72)] for s in own]
            lines += [
                f"{function} ({_shown_file(own[0].loc.file)})",
                table(["line", "statement", "verdict", "by"], rows, right=[0]),
            ]
        if self.unplaced:
            lines.append("in code without source: " + ", ".join(self.unplaced))
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [(s.function, s.loc.line, s.text, s.verdict, s.detail) for s in self.statements]
        return f"<p>{escape(str(self).partition(chr(10))[0])}</p>" + grid(
            ["function", "line", "statement", "verdict", "by"], rows
        )


def _shown_file(file: str) -> str:
    """A file below the current folder by its path from there; a notebook's cell by its number."""
    if cell_of(file):
        return f"cell {cell_of(file)}"
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


@contextmanager
def lines_run() -> Iterator[set[Place]]:
    """The user's lines that run inside the block, in this thread."""
    seen: set[Place] = set()

    def line(frame: types.FrameType, event: str, _: Any) -> Any:
        seen.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def enter(frame: types.FrameType, event: str, _: Any) -> Any:
        if is_library_file(frame.f_code.co_filename):
            return None
        return line(frame, event, None)

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield seen
    finally:
        sys.settrace(before)


def certify(name: str, trace: Trace, run: set[Place]) -> Certificate:
    """The certificate of a trace, in the course of which the lines `run` ran."""
    operations = _by_place(trace.program)
    statements: list[Statement] = []
    placed: set[Place] = set()
    for fn in trace.functions:
        if is_library_file(fn.__code__.co_filename):
            continue
        for node in _statements(fn):
            lines = {(fn.__code__.co_filename, k) for k in _lines_of(node)}
            placed |= lines
            own = [o for place in sorted(lines) for o in operations.get(place, ())]
            statements.append(_judged(fn, node, own, trace.assumptions, bool(lines & run) or bool(own)))
    rest = [o.name for place, found in operations.items() if place not in placed for o in found if o.name != "constant"]
    return Certificate(name, tuple(statements), tuple(rest), print_program(trace.program))


def _by_place(program: Program) -> dict[Place, list[Operation]]:
    found: dict[Place, list[Operation]] = {}
    for operation in walk(program.body):
        if operation.name not in ("yield", "return"):
            found.setdefault((operation.loc.file, operation.loc.line), []).append(operation)
    return found


def _statements(fn: types.FunctionType) -> Iterator[gast.stmt | gast.expr]:
    """A function's statements in the order in which they stand; for a lambda its expression."""
    try:
        tree = read(fn, generators=True)
    except CaptureError:  # code without source: its operations are counted as unplaced
        return
    if isinstance(tree, gast.Lambda):
        yield tree.body
        return
    stack: list[gast.AST] = list(reversed(tree.body))
    while stack:
        node = stack.pop()
        if isinstance(node, gast.stmt) and not isinstance(node, _SILENT) and not _is_text(node):
            yield node
        if not isinstance(node, gast.expr):
            stack += [n for n in reversed(list(gast.iter_child_nodes(node))) if not isinstance(n, gast.expr)]


def _is_text(node: gast.stmt) -> bool:
    return isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant) and isinstance(node.value.value, str)


def _lines_of(node: gast.stmt | gast.expr) -> range:
    """A simple statement's lines; of a compound one those of its head."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    last = node.end_lineno or node.lineno
    if isinstance(node, gast.stmt) and isinstance(body, list) and body:
        first = body[0].pattern if isinstance(body[0], gast.match_case) else body[0]
        last = max(node.lineno, min(last, first.lineno - 1))
    return range(node.lineno, last + 1)


def _parts_of(node: gast.stmt | gast.expr) -> Iterator[gast.AST]:
    """The expressions of a statement, without the statements inside it."""
    if isinstance(node, gast.expr):
        yield from gast.walk(node)
        return
    for child in gast.iter_child_nodes(node):
        if isinstance(child, (gast.expr, gast.withitem)):
            yield from gast.walk(child)


def _judged(
    fn: types.FunctionType,
    node: gast.stmt | gast.expr,
    own: list[Operation],
    assumptions: Iterable[Assumption],
    reached: bool,
) -> Statement:
    opaque = [o for o in own if o.name == "callback"]
    verdict: Verdict = "opaque" if opaque else "in program" if own else "evaluated at trace"
    names = [f"callback {o.attrs['callee']}" if o.name == "callback" else o.name for o in own if o.name != "constant"]
    loc = Loc(fn.__code__.co_filename, node.lineno, node.col_offset)
    values = tuple(_values(fn, node, assumptions)) if reached else ()
    return Statement(fn.__qualname__, loc, loc.text(), verdict, tuple(names), values, reached)


def _values(fn: types.FunctionType, node: gast.stmt | gast.expr, assumptions: Iterable[Assumption]) -> list[str]:
    """The guarded values that a statement reads, in words."""
    parts = list(_parts_of(node))
    outer = {*fn.__code__.co_names, *fn.__code__.co_freevars}
    names = {p.id for p in parts if isinstance(p, gast.Name) and p.id in outer}
    attributes = {p.attr for p in parts if isinstance(p, gast.Attribute)}
    keys = [p.value for p in parts if isinstance(p, gast.Constant) and isinstance(p.value, str)]
    items = [p for p in parts if isinstance(p, gast.Subscript) and isinstance(p.slice, gast.Constant)]
    places = {(id(_object_at(fn, p.value)), p.slice.value) for p in items if isinstance(p.slice, gast.Constant)}
    cells = {id(c) for c in fn.__closure__ or ()}
    found = []
    for assumed in assumptions:
        name = assumed.name
        if assumed.kind == "call" and str(name).startswith("the type of "):
            plain = str(name).removeprefix("the type of ")
            if plain in names | attributes or plain in keys:
                found.append(f"{plain} is filled in at each call")
        elif not isinstance(assumed.value, ATOMS):
            continue
        elif (
            (assumed.kind == "cell" and id(assumed.owner) in cells and name in names)
            or (assumed.kind == "attribute" and name in attributes)
            or (assumed.kind == "item" and assumed.owner is fn.__globals__ and name in names)
            or (assumed.kind == "item" and name in keys and type(assumed.owner) is dict)
            or (assumed.kind == "item" and type(assumed.owner) is list and (id(assumed.owner), name) in places)
        ):
            found.append(f"{describe(assumed)} = {assumed.value!r}")
    return list(dict.fromkeys(found))


def _object_at(fn: types.FunctionType, node: gast.expr) -> Any:
    """What globals, closure variables and constant subscripts of these lead to; None for anything else."""
    if isinstance(node, gast.Name):
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
            if name == node.id and is_bound(cell):
                return cell.cell_contents
        return fn.__globals__.get(node.id)
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant):
        owner = _object_at(fn, node.value)
        try:
            return owner[node.slice.value] if type(owner) in (dict, list, tuple) else None
        except (KeyError, IndexError, TypeError):
            return None
    return None


def _counts(names: Iterable[str]) -> list[tuple[str, int]]:
    listed = list(names)
    return [(n, listed.count(n)) for n in dict.fromkeys(listed)]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
