"""Which operations and values of a program are the host's: those that touch a size which only a run knows, and lists
that such operations touch. `../host.py` runs them.

What kernels do whatever the size is isn't the host's: the VM makes room for it (run_sizes.py). Arrays whose number of
rows only a run knows lie in lists of the VM if a loop or a branch carries them; the VM appends to them, cuts and reads
them itself. Loops and branches that carry anything else of such sizes are run whole by the reference interpreter, as
one step. Everything else stays native, also around such steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.core import Block, Operation, Program, Value, is_list
from ....ir.dynamic_sizes import is_dynamic, mentioned
from ....ir.printer import defined_values
from ....ir.walk import walk, walk_from
from ....ops.sizes import any_issued, runtime_names
from ....passes.autodiff.reverse import inputs_of
from .native_sizes import SizeRange, names_of, native_ranges, tells_its_sizes
from .row_operations import has_open_rows
from .row_values import RowValues


class HostPlacement:
    """Which operations and values of a program are the host's, and why."""

    def __init__(self, program: Program) -> None:
        self.values: set[Value] = set()
        self.operations: dict[Operation, str] = {}  # with the reason, for reports
        self.rows: RowValues | None = None  # what lies in lists of the VM
        self.words: set[str] = set()  # sizes that the VM has to know as numbers
        self.native: dict[Operation, list[SizeRange]] = {}  # of such sizes, but kernels do them for these
        if any_issued() or any(o.name == "function" for o in walk(program.body)):
            self._classify(program)

    def has(self, value: Value) -> bool:
        """Whether a value lives in the table of the call."""
        return value in self.values

    def holds_one(self, operation: Operation) -> bool:
        """Whether an operation, or one inside it, runs on the host, or on a list, which may be too short."""
        return any(o in self.operations or self.is_of_rows(o) for o in walk_from(operation))

    def may_fail(self, operation: Operation) -> bool:
        """Whether an operation, or one inside it, is one of `holds_one`, or needs memory of which only a run knows how
        much.
        """
        return self.holds_one(operation) or any(o in self.native for o in walk_from(operation))

    def is_of_rows(self, operation: Operation) -> bool:
        """Whether an operation becomes steps over lists of the VM."""
        return self.rows is not None and operation in self.rows.operations

    def read_by(self, operation: Operation) -> set[str]:
        """The sizes that a step of the host asks for."""
        inside = walk_from(operation)
        return {name for o in inside for name in (*mentioned(o), *runtime_names([v.type for v in o.operands]))}

    def _classify(self, program: Program) -> None:
        operations = [o for o in walk(program.body) if not o.is_terminator and not _is_in_group(o)]
        open_values = [v for v in defined_values(program.body) if runtime_names(v.type)]
        self.values.update(v for v in open_values if not has_open_rows(v.type))
        self._place_regions(program, [o for o in operations if o.blocks and o.name != "group"])
        own = [o for o in operations if o not in self.operations and not self._is_inside(o)]
        rows = self.rows = RowValues(program, own)
        self._find_native(own, rows)
        placed = {v for o in self.native for v in (*o.operands, *o.results)}
        self.values.update(v for v in open_values if v not in rows.values)
        self.values -= placed
        for operation in own:
            is_vms = operation in rows.operations or operation in self.native
            reason = None if is_vms else self._reason(operation, rows)
            if reason is not None:
                self.operations[operation] = reason
        self.words = rows.words([o for o in self.operations if not self._is_inside(o)])
        self.words |= {name for value in placed for name in runtime_names(value.type)}
        self.words |= {name for operation in self.native for name in names_of(operation)}

    def _find_native(self, operations: Sequence[Operation], rows: RowValues) -> None:
        """What kernels do for any size, of arrays that aren't in lists and have the sizes that their types say.

        Where a run has to see how sizes fit, NumPy may find that one of two arrays is repeated: what it makes then has
        other sizes, and so has everything that is made of it.
        """
        unsure: set[Value] = set()
        for operation in operations:
            touched = [*operation.operands, *operation.results]
            names = names_of(operation)
            if operation in rows.operations or not names:
                continue
            is_sure = unsure.isdisjoint(operation.operands)
            apart = any(v in rows.values or is_list(v) for v in touched)
            fits = native_ranges(operation) if is_sure and not apart and names <= rows.definers.keys() else None
            if fits is not None:
                self.native[operation] = fits
            elif not is_sure or not tells_its_sizes(operation):
                unsure.update(operation.results)

    def _is_inside(self, operation: Operation) -> bool:
        """Whether the host runs a loop, a branch or a function around an operation."""
        holder = operation.holder
        return holder is not None and (holder in self.operations or self._is_inside(holder))

    def _place_regions(self, program: Program, regions: Sequence[Operation]) -> None:
        """Find the loops, branches and functions that the host runs whole, and the lists that they keep there."""
        lists = _Lists(program.body)
        changed = True
        while changed:
            changed = False
            for operation in regions:
                reason = None if operation in self.operations else self._reason_of_region(operation)
                if reason is not None:
                    self.operations[operation] = reason
                    changed = True
                    for value in [v for v in (*inputs_of(operation), *operation.results) if is_list(v)]:
                        self.values.update(lists.group(value))

    def _reason_of_region(self, operation: Operation) -> str | None:
        if operation.name == "function":
            return self._reason_of_function(operation)
        touched = [*operation.operands, *operation.results]
        for block in operation.blocks:
            touched += [*block.args, *block.yields]
        on_host = next((v for v in touched if v in self.values), None)
        return None if on_host is None else f"it carries {on_host.type}"

    def _reason_of_function(self, operation: Operation) -> str | None:
        """A function runs whole: each call has values, and lists, of its own."""
        for inner in walk(operation.blocks[0]):
            if inner in self.operations:
                return self.operations[inner]
            if is_dynamic(inner):
                return "a size in it is known only to the run"
            if any(map(is_list, inner.results)):
                return "each call of the function has lists of its own"
        return None

    def _reason(self, operation: Operation, rows: RowValues) -> str | None:
        """Why an operation that isn't one of the VM runs on the host, if it does."""
        if operation.blocks and operation.name != "group":
            return None
        touched = [*operation.operands, *operation.results]
        on_host = next((v for v in touched if runtime_names(v.type) or v in self.values or v in rows.values), None)
        if operation.name == "group":
            inside = any(is_dynamic(o) for o in walk(operation.blocks[0]))
            return "a size in it is known only to the run" if inside or on_host is not None else None
        if on_host is not None:
            return (
                f"{on_host.type} has a size that only the run knows"
                if not is_list(on_host)
                else "its list is on the host"
            )
        return "a size in it is known only to the run" if is_dynamic(operation) else None


class _Lists:
    """List values that are one list at different times: what one operation makes of another."""

    def __init__(self, body: Block) -> None:
        self.parent: dict[Value, Value] = {}
        for operation in walk(body):
            if operation.name in ("for", "while"):
                skip = int(operation.name == "for")
                for k, result in enumerate(operation.results):
                    if is_list(result):
                        block = operation.blocks[-1]
                        self._join(operation.operands[k + skip], block.args[k + skip], block.yields[k], result)
                        if operation.name == "while":
                            self._join(operation.blocks[0].args[k], result)
            elif operation.name == "if":
                for k, result in enumerate(operation.results):
                    if is_list(result):
                        self._join(result, *(block.yields[k] for block in operation.blocks))
            elif operation.results and is_list(operation.results[0]):
                self._join(operation.results[0], *filter(is_list, operation.operands))

    def group(self, value: Value) -> list[Value]:
        """All values that are the same list as this one."""
        root = self._root(value)
        return [value, *(v for v in self.parent if self._root(v) is root)]

    def _join(self, first: Value, *others: Value) -> None:
        for other in others:
            self.parent[self._root(other)] = self._root(first)
        self.parent.setdefault(first, first)

    def _root(self, value: Value) -> Value:
        while self.parent.setdefault(value, value) is not value:
            value = self.parent[value]
        return value


def _is_in_group(operation: Operation) -> bool:
    return operation.holder is not None and operation.holder.name == "group"
