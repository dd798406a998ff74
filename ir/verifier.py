"""Every invariant of a program, one message each. `verify` runs after every pass in tests and before an artifact runs.

Order: the tree and its use lists, then a walk in program order with the values in scope (dominance, counts, types,
blocks), then what concerns the whole program (state, symbols, lists).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.errors import VerifyError, VitrifyError
from ..base.location import Loc
from ..ops import LIBRARY
from ..ops.attribute_kinds import beyond, kind_of
from ..ops.create import ArrayData
from ..ops.dims import Dim, deciding
from ..ops.effects import Effect
from ..ops.op import Op
from ..ops.sizes import is_plain, is_runtime_name, runtime_names, size_names
from ..ops.types import ListType, TensorType, ValueType, require_possible
from .calls import callee_of
from .core import Block, Operation, Program, Value
from .dynamic_sizes import defined, told_by
from .facts import SizeFacts, bound_symbols
from .linear_lists import check_lists
from .literals import is_symbol_name
from .printer import print_operation, value_names


def verify(program: Program) -> None:
    """Raise a VerifyError naming the first operation that breaks a rule of the IR."""
    _Verifier(program).run()


class _Verifier:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.facts = SizeFacts(program.constraints)
        self.scope: set[Value] = set()
        self.operations: set[Operation] = set()
        self.depth = 0

    def run(self) -> None:
        self.check_tree(self.program.body, self.program)
        self.check_uses(self.program.body)
        self.check_signature()
        self.check_block(self.program.body, "return")
        self.check_fetches()
        self.check_updates()
        check_lists(self.program, self.fail)

    def fail(self, message: str, operation: Operation | None = None) -> NoReturn:
        """Raise, showing the operation as it stands in the text."""
        where = f"in @{self.program.name}: {message}"
        loc: Loc | None = None
        if operation is not None:
            where += f"\n  in  {_shown(self.program, operation)}"
            loc = operation.loc
        raise VerifyError(where, loc=loc)

    # -- tree and use lists

    def check_tree(self, block: Block, parent: Operation | Program) -> None:
        """Parents, producers and positions agree with where things stand; nothing stands twice."""
        owner = parent if isinstance(parent, Operation) else None
        if block.parent is not parent:
            self.fail("a block names another parent than the one that holds it", owner)
        self.check_places(block.args, block, owner)
        for operation in block.operations:
            if operation in self.operations:
                self.fail("the operation stands in the program twice", operation)
            self.operations.add(operation)
            if operation.parent is not block:
                self.fail("the operation names another block than the one that holds it", operation)
            self.check_places(operation.results, operation, operation)
            for inner in operation.blocks:
                self.check_tree(inner, operation)

    def check_places(self, values: list[Value], producer: Operation | Block, operation: Operation | None) -> None:
        for k, value in enumerate(values):
            if value.producer is not producer or value.index != k:
                self.fail(f"value {k} names another producer or position than its own", operation)

    def check_uses(self, block: Block) -> None:
        """Use lists say exactly what operand lists say."""
        self.check_users(block.args, None)
        for operation in block.operations:
            for k, value in enumerate(operation.operands):
                if (operation, k) not in value.uses:
                    self.fail(f"the use list of operand {k} lacks this use", operation)
            self.check_users(operation.results, operation)
            for inner in operation.blocks:
                self.check_uses(inner)

    def check_users(self, values: list[Value], operation: Operation | None) -> None:
        for value in values:
            for user, k in value.uses:
                if user not in self.operations:
                    self.fail(f"a use list names `{user.name}`, which isn't in the program", operation)
                if k >= len(user.operands) or user.operands[k] is not value:
                    self.fail(f"a use list names operand {k}, which is another value", user)

    # -- feeds, state, symbols

    def check_signature(self) -> None:
        program = self.program
        args, names = program.body.args, [*program.feeds, *(entry.name for entry in program.state)]
        if len(args) != len(names):
            feeds = f"{len(program.feeds)} feeds and {len(program.state)} state entries"
            self.fail(f"the body has {len(args)} arguments for {feeds}")
        for group, what in ((program.feeds, "feed"), ([e.name for e in program.state], "state entry")):
            twice = [name for name, count in Counter(group).items() if count > 1]
            if twice:
                self.fail(f"two {'feeds' if what == 'feed' else 'state entries'} are called {twice[0]!r}")
        for name, value in zip(names, args, strict=True):
            if not isinstance(value.type, TensorType):
                self.fail(f"{name!r} is a {value.type}; feeds and state are tensors")
        self.symbols = bound_symbols(v.type for v in args)
        for value in args:
            self.check_type(value.type, None)
        for relation, dim in program.constraints:
            if relation not in ("==", ">="):
                self.fail(f"the constraint `{dim} {relation} 0` is neither == nor >=")
            self.check_symbols(dim.symbols() if isinstance(dim, Dim) else (), f"the constraint `{dim}`", None)

    def check_type(self, kind: ValueType, operation: Operation | None) -> None:
        """A type's sizes are non-negative and can be computed from the arguments' sizes."""
        tensor = kind.element if isinstance(kind, ListType) else kind
        if not isinstance(tensor, TensorType):
            self.fail(f"{kind!r} is no type", operation)
        for dim in tensor.shape:
            if not isinstance(dim, (int, Dim)) or isinstance(dim, bool) or (isinstance(dim, int) and dim < 0):
                self.fail(f"{dim!r} is no size, in the type {kind}", operation)
        try:
            require_possible("a value", tensor)
        except VitrifyError as error:
            self.fail(error.message, operation)
        names = size_names(kind)
        if isinstance(kind, ListType):
            names -= runtime_names(kind)  # elements of such sizes differ: each is told as it is taken out
        self.check_symbols(names, f"the type {kind}", operation)

    def check_symbols(self, names: Iterable[str], what: str, operation: Operation | None) -> None:
        for name in sorted(names):
            if not is_symbol_name(name):
                self.fail(f"a size can't be called {name!r}, in {what}", operation)
            if name not in self.symbols:
                by = "no operation before it defines" if is_runtime_name(name) else "no argument has an axis of"
                self.fail(f"{what} has the size {name}, but {by} that size", operation)

    # -- operations in order

    def check_block(self, block: Block, end: str) -> None:
        """`block` with what it reads in scope; its own values leave the scope at its end."""
        owner = block.parent if isinstance(block.parent, Operation) else None
        if not block.operations or block.operations[-1].name != end:
            last = f"ends in `{block.operations[-1].name}`" if block.operations else "is empty"
            self.fail(f"a block must end in `{end}`, but it {last}", owner)
        made, known = set(block.args), self.symbols
        self.scope |= made
        if owner is not None:
            self.symbols = known | told_by(block.args).keys()
        for value in block.args:
            self.check_type(value.type, owner)
        for operation in block.operations:
            if operation.is_terminator and operation is not block.operations[-1]:
                self.fail("a terminator stands before the end of its block", operation)
            self.check_operation(operation)
            made.update(operation.results)
            self.scope.update(operation.results)
        self.scope -= made
        self.symbols = known

    def check_operation(self, operation: Operation) -> None:
        for k, value in enumerate(operation.operands):
            if value not in self.scope:
                self.fail(f"operand {k} isn't made before it, in its block or a block around it", operation)
        self.check_count(operation)
        outside = self.symbols
        new = self.new_symbols(operation)
        self.symbols = outside | new
        for name, attr in operation.attrs.items():
            if operation.name != "list_new":  # what a list's elements are like is told as they are taken out
                self.check_attr(name, attr, operation)
        unknown = operation.attrs.keys() - operation.op.attrs.keys()
        if unknown:
            self.fail(f"`{operation.name}` has no attribute {min(unknown)!r}", operation)
        if operation.name in LIBRARY:
            self.check_kinds(operation)
        for result in operation.results:
            self.check_type(result.type, operation)
        if operation.is_terminator and operation.results:
            self.fail("a terminator has no results", operation)
        signature = _BLOCK_RULES.get(operation.name)
        if signature is not None:
            self.symbols = outside
            signature(self, operation)
            self.symbols = outside | new
        elif operation.blocks:
            self.fail(f"`{operation.name}` takes no blocks", operation)
        else:
            self.check_results(operation)

    def new_symbols(self, operation: Operation) -> set[str]:
        """The run-time sizes that an operation defines; a name is defined once where it can be seen."""
        again = runtime_names(operation.attrs.get("defines", ())) & self.symbols
        if again and operation.name != "bind_size":
            self.fail(f"the size {min(again)} is defined before", operation)
        return defined(operation)

    def check_count(self, operation: Operation) -> None:
        given, names = len(operation.operands), operation.op.operands
        least = len(names) - operation.op.is_variadic
        if given < least or (given > least and not operation.op.is_variadic):
            wanted = f"at least {least}" if operation.op.is_variadic else str(least)
            self.fail(f"`{operation.name}` takes {wanted} operands ({', '.join(names)}), not {given}", operation)

    def check_attr(self, name: str, value: Any, operation: Operation) -> None:
        """Attributes are plain immutable data; their symbolic sizes are known."""
        if isinstance(value, tuple):
            for item in value:
                self.check_attr(name, item, operation)
        elif isinstance(value, (TensorType, ListType)):
            self.check_type(value, operation)
        elif isinstance(value, Dim):
            self.check_symbols(value.symbols(), f"the attribute {name}", operation)
        elif value is not None and not isinstance(value, _PLAIN):
            self.fail(f"the attribute {name} is a {type(value).__name__}, which isn't plain data", operation)

    def check_kinds(self, operation: Operation) -> None:
        """Attributes hold what calls put there: kernels are written from them."""
        dtypes = [r.dtype for r in operation.results if isinstance(r.type, TensorType)]
        for name, value in operation.attrs.items():
            kind = kind_of(operation.op, name)
            if not kind.holds(value):
                self.fail(
                    f"the attribute {name} of `{operation.name}` must be {kind.words}, not {value!r:.60}", operation
                )
            if dtypes and beyond(operation.op, name, value, dtypes[0]):
                self.fail(
                    f"the attribute {name} of `{operation.name}` is no {dtypes[0].name}: {value!r:.60}", operation
                )

    def check_results(self, operation: Operation) -> None:
        """The result types are the ones the row infers from operands and attributes."""
        self.check_axes(operation)
        found = tuple(r.type for r in operation.results)
        inferred = self.infer(operation, unknown=True)
        if self.facts.same_types(found, inferred) or self.facts.same_types(found, self.infer(operation, unknown=False)):
            return
        self.fail(f"`{operation.name}` makes {_types(inferred)} here, but is said to make {_types(found)}", operation)

    def check_axes(self, operation: Operation) -> None:
        """The attributes `axis` and `axes` of the library's rows count axes of the first operand from 0."""
        axis = operation.attrs.get("axis", operation.attrs.get("axes"))
        if axis is None or not operation.operands or not _is_of_the_library(operation.op):
            return
        kind = operation.operands[0].type
        for k in axis if isinstance(axis, tuple) else (axis,):
            if not isinstance(k, int) or isinstance(kind, ListType) or not 0 <= k < kind.rank:
                self.fail(f"`{operation.name}` has the axis {k}, but its first operand is {kind}", operation)

    def infer(self, operation: Operation, unknown: bool) -> tuple[ValueType, ...]:
        """Ask the row; questions about sizes that the facts leave open are answered as the trace may have done."""

        def decide(relation: str, dim: Dim) -> bool:
            known = self.facts.decide(relation, dim)
            return unknown if known is None else known

        kinds = [v.type for v in operation.operands]
        try:
            with deciding(decide):
                out = operation.op.infer(*kinds, **operation.attrs)
        except VitrifyError as error:
            self.fail(f"`{operation.name}` doesn't take these operands: {error.message}", operation)
        except Exception as error:  # broad: a row may trip over attributes that only damaged programs have
            self.fail(f"`{operation.name}` doesn't take these attributes: {error!r}", operation)
        return out if isinstance(out, tuple) else (out,)

    # -- rows with blocks

    def check_if(self, operation: Operation) -> None:
        self.require_blocks(operation, 2)
        self.require_flag(operation.operands[0].type, "the condition", operation)
        results = [r.type for r in operation.results]
        for k, block in enumerate(operation.blocks):
            self.require_types(f"the arguments of block {k}", [v.type for v in block.args], [], operation)
            self.check_block(block, "yield")
            yields = [v.type for v in block.yields]
            self.require_types(f"the yield of block {k}", yields, results, operation, new="wanted")

    def check_while(self, operation: Operation) -> None:
        self.require_blocks(operation, 2)
        condition, body = operation.blocks
        carried = [v.type for v in operation.operands]
        self.require_types("the results", [r.type for r in operation.results], carried, operation, new="found")
        arguments = [v.type for v in condition.args]
        self.require_types("the arguments of the condition", arguments, carried, operation, new="found")
        self.check_block(condition, "yield")
        if len(condition.yields) != 1:
            self.fail(f"the condition yields {len(condition.yields)} values instead of one bool", operation)
        self.require_flag(condition.yields[0].type, "the condition", operation)
        self.check_carried(operation, body, carried)

    def check_for(self, operation: Operation) -> None:
        self.require_blocks(operation, 1)
        count, *rest = (v.type for v in operation.operands)
        if not isinstance(count, TensorType) or not count.dtype.is_integer or count.size != 1:
            self.fail(f"the count must be one integer, not {count}", operation)
        self.require_types("the results", [r.type for r in operation.results], rest, operation, new="found")
        self.check_carried(operation, operation.blocks[0], [TensorType(dt.int64, ()), *rest], skip=1)

    def check_group(self, operation: Operation) -> None:
        self.require_blocks(operation, 1)
        (block,) = operation.blocks
        operands = [v.type for v in operation.operands]
        self.require_types("the block's arguments", [v.type for v in block.args], operands, operation)
        self.check_block(block, "yield")
        self.require_types("the yield", [v.type for v in block.yields], [r.type for r in operation.results], operation)
        impure = [inner for inner in block.operations[:-1] if not inner.is_pure]
        if impure:
            self.fail("a group holds pure operations only", impure[0])

    def check_function(self, operation: Operation) -> None:
        self.require_blocks(operation, 1)
        name, limit = operation.attrs.get("name"), operation.attrs.get("limit")
        if not isinstance(name, str) or not name:
            self.fail("a function needs a name", operation)
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
            self.fail(f"the limit of a function's depth must be a positive int, not {limit!r}", operation)
        (block,) = operation.blocks
        operands = [v.type for v in operation.operands]
        if not all(isinstance(v.type, TensorType) for v in (*operation.operands, *operation.results)):
            self.fail("a function takes and gives tensors only", operation)
        self.require_types("the block's arguments", [v.type for v in block.args], operands, operation)
        self.check_block(block, "yield")
        self.require_types("the yield", [v.type for v in block.yields], [r.type for r in operation.results], operation)

    def check_call(self, operation: Operation) -> None:
        """A call fits the function that it names: the nearest one around it of that name."""
        self.require_blocks(operation, 0)
        self.check_results(operation)
        function = callee_of(operation)
        if function is None:
            self.fail(f"no function {operation.attrs['callee']!r} is around the call", operation)
        arguments = [v.type for v in function.blocks[0].args]
        self.require_types("the arguments of the call", [v.type for v in operation.operands], arguments, operation)
        results = [r.type for r in function.results]
        self.require_types("the results of the call", [r.type for r in operation.results], results, operation)

    def check_carried(self, operation: Operation, body: Block, carried: list[ValueType], skip: int = 0) -> None:
        arguments = [v.type for v in body.args]
        self.require_types("the arguments of the body", arguments, carried, operation, new="found")
        self.check_block(body, "yield")
        yields = [v.type for v in body.yields]
        self.require_types("the yield of the body", yields, arguments[skip:], operation, new="wanted")

    def check_terminator(self, operation: Operation) -> None:
        """Its operands are checked where the block's owner is known; here: no blocks."""
        self.require_blocks(operation, 0)

    def require_blocks(self, operation: Operation, count: int) -> None:
        if len(operation.blocks) != count:
            self.fail(f"`{operation.name}` has {count} blocks, not {len(operation.blocks)}", operation)

    def require_flag(self, kind: ValueType, what: str, operation: Operation) -> None:
        if not isinstance(kind, TensorType) or not kind.dtype.is_bool or kind.size != 1:
            self.fail(f"{what} must be one bool, not {kind}", operation)

    def require_types(
        self, what: str, found: list[ValueType], wanted: list[ValueType], operation: Operation, *, new: str = ""
    ) -> None:
        """The types are the same; those on the side `new` ("found" or "wanted") may define sizes by themselves."""
        if self.facts.same_types(found, wanted):
            return
        given, taker = (wanted, found) if new == "found" else (found, wanted)
        if not new or len(found) != len(wanted) or not all(map(self.fits, given, taker)):
            self.fail(f"{what} must be {_types(wanted)}, not {_types(found)}", operation)

    def fits(self, given: ValueType, taker: ValueType) -> bool:
        """Whether a value fits where each iteration or path has its own size: a run-time size, not known outside."""
        if isinstance(given, ListType) or isinstance(taker, ListType):
            return self.facts.same_type(given, taker)
        same = given.dtype is taker.dtype and given.rank == taker.rank
        return same and all(
            self.facts.same_dim(x, y) or (is_plain(y) and str(y) not in self.symbols)
            for x, y in zip(given.shape, taker.shape, strict=True)
        )

    # -- the whole program

    def check_fetches(self) -> None:
        names, fetches = self.program.fetch_names, self.program.fetches
        if names and len(names) != len(fetches):
            self.fail(f"{len(names)} fetches are named, but {len(fetches)} values are returned")
        for value in fetches:
            if not isinstance(value.type, TensorType):
                self.fail(f"the program returns a {value.type}; fetches are tensors", self.program.body.terminator)

    def check_updates(self) -> None:
        """State is written in the body only, each entry at most once, by a value of its type."""
        entries, seen = set(self.program.state_values), set()
        for operation in self.operations:
            if operation.op.effect is not Effect.STATE:
                continue
            target, *values = operation.operands
            if operation.parent is not self.program.body:
                self.fail("state is updated inside a block; carry the value out and update it in the body", operation)
            if target not in entries:
                self.fail("the value to update is no state entry", operation)
            if target in seen:
                self.fail("a state entry is updated twice", operation)
            seen.add(target)
            for value in values:
                self.require_types("the new value", [value.type], [target.type], operation)


_BLOCK_RULES: dict[str, Callable[[_Verifier, Operation], None]] = {
    "if": _Verifier.check_if,
    "while": _Verifier.check_while,
    "for": _Verifier.check_for,
    "group": _Verifier.check_group,
    "function": _Verifier.check_function,
    "call": _Verifier.check_call,
    "yield": _Verifier.check_terminator,
    "return": _Verifier.check_terminator,
}
_PLAIN = (bool, int, float, complex, str, DType, ArrayData, np.number, np.bool_)


def _is_of_the_library(op: Op) -> bool:
    return getattr(op.infer, "__module__", "").startswith(__name__.partition(".")[0] + ".")


def _types(kinds: Iterable[ValueType]) -> str:
    return f"({', '.join(map(str, kinds))})"


def _shown(program: Program, operation: Operation) -> str:
    """The operation's line; its name alone where the program is too broken to print."""
    try:
        return print_operation(program, operation)
    except Exception:  # broad: this is a message about a broken program
        names = value_names(Program(program.name, program.body))
        return f"{operation.name} {', '.join(names.get(v, '%?') for v in operation.operands)}"
