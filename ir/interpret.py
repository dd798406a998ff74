"""The reference interpreter: runs any program with NumPy alone, operation by operation. It is the semantics."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base import errors
from ..base.causes import link, raise_linked
from ..base.errors import CallbackError, GuardError, ShapeError, VerifyError, VitrifyError
from ..base.memory import too_large
from ..ops.control import check
from ..ops.dims import Dim, evaluate
from ..ops.exchange import RunningAt
from ..ops.sizes import any_issued, plain_names, runtime_names
from ..ops.types import ListType, TensorType, require_possible
from .calls import callee_of, room_for, too_deep, values_in
from .core import Block, Operation, Program, Value, is_list
from .dynamic_sizes import is_dynamic, learn
from .facts import show_relation
from .walk import map_attrs

Array = np.ndarray[Any, Any]
Callbacks = Mapping[str, Callable[..., Any]]


def interpret(
    program: Program, feeds: Sequence[Array], state: Sequence[Array] = (), callbacks: Callbacks | None = None,
    *, make: Callable[[dict[str, int], Callbacks], Run] | None = None,
) -> tuple[list[Array], list[Array]]:  # fmt: skip
    """Run a program on feed and state arrays; returns the fetches and the state afterwards.

    make: a subclass of Run that looks at operations as they run.
    Errors: GuardError for arrays that don't fit the declared types; the error of a `check` that fails.
    """
    arrays = [np.asarray(a) for a in (*feeds, *state)]
    sizes = bind_sizes(program, arrays)
    run = (make or Run)(sizes, callbacks or {})
    env = run.env
    env.update(zip(program.body.args, arrays, strict=True))
    with np.errstate(all="ignore"):
        fetched = run.block(program.body)
    after = [run.updates.get(v, env[v]) for v in program.state_values]
    return fetched, after


def bind_sizes(program: Program, arrays: Sequence[Array]) -> dict[str, int]:
    """The sizes of a program's symbols, from the arrays given for its arguments."""
    if len(arrays) != len(program.body.args):
        raise GuardError(f"{program.name} takes {len(program.body.args)} arrays (feeds, then state), not {len(arrays)}")
    names = [*program.feeds, *(s.name for s in program.state)]
    sizes: dict[str, int] = {}
    for name, value, array in zip(names, program.body.args, arrays, strict=True):
        _bind_array(name, value.tensor_type, array, sizes)
    for name, value, array in zip(names, program.body.args, arrays, strict=True):
        expected = tuple(evaluate(d, sizes) for d in value.tensor_type.shape)
        if expected != array.shape:
            raise GuardError(f"{name} must be {value.type}, but its shape is {list(array.shape)}")
    check_constraints(program, sizes)
    return sizes


def check_constraints(program: Program, sizes: Mapping[str, int]) -> None:
    """GuardError when sizes break an assumption of the trace."""
    for relation, dim in program.constraints:
        value = evaluate(dim, sizes)
        if (value != 0) if relation == "==" else (value < 0):
            shown = ", ".join(f"{k}={v}" for k, v in sizes.items())
            raise GuardError(f"{program.name} assumes {show_relation(relation, dim)}, which fails for {shown}")


def _bind_array(name: str, kind: TensorType, array: Array, sizes: dict[str, int]) -> None:
    if dt.of_array(array) is not kind.dtype or array.ndim != kind.rank:
        raise GuardError(f"{name} must be {kind}, not {dt.of_array(array).short}{list(array.shape)}")
    for dim, size in zip(kind.shape, array.shape, strict=True):
        if isinstance(dim, Dim) and len(dim.terms) == 1 and dim.terms[0][1] == 1 and len(dim.terms[0][0]) == 1:
            symbol = dim.terms[0][0][0]
            if isinstance(symbol, str) and sizes.setdefault(symbol, size) != size:
                raise GuardError(f"{name} must be {kind}: {symbol} is {sizes[symbol]} and {size} in one call")


@dataclass(slots=True)
class Iteration:
    """A loop that runs, and the number of its iteration, counted from 0."""

    loop: Operation
    number: int = 0

    def __str__(self) -> str:
        return f"iteration {self.number} of the loop at {self.loop.loc.short()}"


class RunFacts:
    """What running an operation asks of it each time, found once: its attributes and types must not change since."""

    def __init__(self, operation: Operation) -> None:
        self.handler = _HANDLERS.get(operation.name)
        self.symbolic = any(_has_dims(v) for k, v in operation.attrs.items() if k != "defines")  # kernels don't ask
        self.told = list(plain_names(r.type for r in operation.results)) if any_issued() else []
        self.checked = [
            (k, r.tensor_type) for k, r in enumerate(operation.results)
            if not is_list(r) and (runtime_names(r.type) or is_dynamic(operation))
        ]  # fmt: skip


def _has_dims(thing: Any) -> bool:
    if isinstance(thing, (tuple, list)):
        return any(map(_has_dims, thing))
    if isinstance(thing, ListType):
        return _has_dims(thing.element)
    return _has_dims(thing.shape) if isinstance(thing, TensorType) else isinstance(thing, (Dim, dict))


class Run:
    """One run: values, sizes, and the state updates seen so far. The VM runs single operations by it, too.

    facts: of operations that ran before, by runs of the same operations.
    """

    def __init__(
        self, sizes: dict[str, int], callbacks: Callbacks, facts: dict[Operation, RunFacts] | None = None
    ) -> None:
        self.facts = {} if facts is None else facts
        self.env: dict[Value, Any] = {}
        self.sizes = sizes
        self.callbacks = callbacks
        self.updates: dict[Value, Array] = {}
        self.iterations: list[Iteration] = []  # of the loops around the operation that runs, outermost first
        self.depth = 0  # of the calls that run, one within the other
        self.own: dict[Operation, list[Value]] = {}  # the values that a function's block makes
        self.learns_sizes = any_issued()  # whether there may be sizes that values tell as they arise

    def block(self, block: Block, args: Sequence[Any] = ()) -> list[Any]:
        self.env.update(zip(block.args, args, strict=False))
        if self.learns_sizes and args:
            learn([v.type for v in block.args], args, self.sizes)
        for operation in block.operations[:-1]:
            self.operation(operation)
        return [self.env[v] for v in block.terminator.operands]

    def operation(self, operation: Operation) -> None:
        facts = self.facts.get(operation) or self.facts_of(operation)
        env = self.env
        operands = [env[v] for v in operation.operands]
        if facts.handler is not None:
            results = facts.handler(self, operation, operands)
        else:
            results = self.evaluate(operation, operands)
        env.update(zip(operation.results, results, strict=True))
        if self.learns_sizes:
            for k, axis, name in facts.told:
                self.sizes[name] = results[k].shape[axis]
            for k, kind in facts.checked:
                self.check_size(operation, kind, results[k])

    def facts_of(self, operation: Operation) -> RunFacts:
        """The facts of an operation."""
        known = self.facts.get(operation)
        if known is None:
            known = self.facts[operation] = RunFacts(operation)
        return known

    def check_size(self, operation: Operation, kind: TensorType, array: Array) -> None:
        """ShapeError where a result doesn't have the size that its operation took for granted."""
        expected = tuple([evaluate(d, self.sizes) for d in kind.shape])
        if expected != array.shape:
            raise ShapeError(
                f"{operation.name}: sizes that only a run knows don't fit: {list(array.shape)} where "
                f"{kind} is {list(expected)}",
                loc=operation.loc,
            )

    def evaluate(self, operation: Operation, operands: list[Any]) -> Sequence[Any]:
        try:
            symbolic = (self.facts.get(operation) or self.facts_of(operation)).symbolic
            attrs = map_attrs(operation.attrs, self.sizes) if symbolic else operation.attrs
        except ZeroDivisionError:
            raise ShapeError(
                f"{operation.name}: a size that only a run knows is 0, and another one is divided by it",
                loc=operation.loc,
            ) from None
        try:
            with RunningAt(operation.loc):
                out = operation.op.eager(*operands, **attrs)
        except VitrifyError as error:
            raise error.at(operation.loc) from None
        except ValueError as error:
            self.require_possible(operation)
            if not (self.learns_sizes and is_dynamic(operation)):
                raise
            shapes = " and ".join(str(list(x.shape)) for x in operands)
            raise ShapeError(f"{operation.name}: shapes {shapes} don't fit: {error}", loc=operation.loc) from None
        except MemoryError:
            raise self.too_large(operation) from None
        several = isinstance(out, tuple)
        return tuple(np.asarray(o) for o in out) if several else (np.asarray(out),)

    def kinds(self, operation: Operation) -> list[TensorType]:
        """The types of its results, with sizes as far as they are known by now."""
        kinds = [r.tensor_type for r in operation.results]
        return [TensorType(k.dtype, tuple(evaluate(d, self.sizes) for d in k.shape)) for k in kinds]

    def require_possible(self, operation: Operation) -> None:
        """Errors: those of results that no array could be."""
        try:
            for kind in self.kinds(operation):
                require_possible(operation.name, kind)
        except VitrifyError as error:
            raise error.at(operation.loc) from None

    def too_large(self, operation: Operation) -> VitrifyError:
        """The error of an operation for whose results there is no memory."""
        kinds = self.kinds(operation)
        sizes = [k.size * k.dtype.itemsize for k in kinds]
        shown = f"{operation.name} makes {', '.join(map(str, kinds))}: it"
        return too_large(shown, sum(s for s in sizes if isinstance(s, int))).at(operation.loc)


def _if(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    return run.block(operation.blocks[0 if bool(operands[0]) else 1])


def _while(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    condition, body = operation.blocks
    iteration = Iteration(operation)
    run.iterations.append(iteration)
    while bool(run.block(condition, operands)[0]):
        operands = run.block(body, operands)
        iteration.number += 1
    run.iterations.pop()  # a run that fails keeps them: they say where
    return operands


def _for(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    count, *carried = operands
    iteration = Iteration(operation)
    run.iterations.append(iteration)
    for number in range(int(count.item())):
        iteration.number = number
        carried = run.block(operation.blocks[0], [np.asarray(number, np.int64), *carried])
    run.iterations.pop()
    return carried


def _function(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    depth = run.depth
    with room_for(operation):
        results = run.block(operation.blocks[0], operands)
    run.depth = depth
    return results


def _call(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    function = callee_of(operation)
    assert function is not None
    run.depth += 1
    if run.depth > function.attrs["limit"]:
        raise too_deep(function.attrs["name"], function.attrs["limit"]).at(operation.loc)
    own = run.own.get(function)
    if own is None:
        own = run.own[function] = values_in(function.blocks[0])
    env = run.env
    kept = [(value, env[value]) for value in own if value in env]  # of the call that goes on afterwards
    sizes = dict(run.sizes) if run.learns_sizes else None
    results = run.block(function.blocks[0], operands)
    env.update(kept)
    if sizes is not None:
        run.sizes.update(sizes)
    run.depth -= 1
    return results


def _update(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    run.updates[operation.operands[0]] = operands[1]
    return ()


def _bind_size(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    (name,) = operation.attrs["defines"]
    run.sizes[str(name)] = int(operands[0])
    return (operands[0],)


def _callback(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    callee = operation.attrs["callee"]
    if callee not in run.callbacks:
        raise CallbackError(f"the program calls {callee!r}, which isn't registered", loc=operation.loc)
    results = run.callbacks[callee](*(o.copy() for o in operands))  # theirs to change
    return check_callback_results(callee, results, map_attrs(operation.attrs["outputs"], run.sizes), operation)


def check_callback_results(
    callee: str, results: Any, declared: Sequence[TensorType], operation: Operation | None = None
) -> list[Array]:
    """Results of a Python callback as arrays; CallbackError when number, dtype or shape differ from the declaration."""
    loc = operation.loc if operation is not None else None
    nothing = results is None and not declared
    given = list(results) if isinstance(results, (tuple, list)) else ([] if nothing else [results])
    hidden = int(operation is not None and operation.attrs["form"] != "array")  # a PyLayer's handle, which nobody wrote
    if len(given) != len(declared):
        raise CallbackError(
            f"{callee} returned {len(given) - hidden} results, the program expects {len(declared) - hidden}",
            loc=loc,
            remedy="return as many arrays or tensors as when the function was captured",
        )
    out = []
    for k, (result, kind) in enumerate(zip(given, declared, strict=True)):
        which = f"result {k}" if len(given) - hidden > 1 else "its result"
        array = np.ascontiguousarray(result).reshape(np.shape(result))
        if array.dtype.kind not in "biufc":
            raise CallbackError(
                f"{callee} returned {type(result).__name__} as {which}, the program expects {kind}",
                loc=loc,
                remedy="return numbers, arrays or tensors",
            )
        if dt.of_array(array) is not kind.dtype or tuple(array.shape) != tuple(kind.shape):
            found = f"{dt.of_array(array).short}{list(array.shape)}"
            raise CallbackError(f"{callee} returned {found} as {which}, the program expects {kind}", loc=loc,
                                remedy="return the same dtype and shape as when the function was captured")  # fmt: skip
        out.append(array)
    return out


def error_of_check(operation: Operation, error: str, message: str) -> BaseException:
    """The exception of a failed `check`, with those that it came from."""
    attrs = operation.attrs if operation.op is check else {}
    causes, links = attrs.get("causes", ()), attrs.get("links", ())
    made = [_named(error, message), *(_named(*words) for words in causes)]
    return link(made, links) if len(links) == len(made) else made[0]


def _named(error: str, message: str) -> BaseException:
    """An exception of a built-in class or one of ours by name, else AssertionError."""
    kind = getattr(builtins, error, None) or getattr(errors, error, AssertionError)
    if isinstance(kind, type) and issubclass(kind, VitrifyError):
        words, _, remedy = message.partition("\n  help: ")
        return kind(words, remedy=remedy or None)
    args = (message,) if message else ()
    return kind(*args) if isinstance(kind, type) and issubclass(kind, Exception) else AssertionError(*args)


def _check(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    if not bool(np.all(operands[0])):
        raise_linked(error_of_check(operation, operation.attrs["error"], operation.attrs["message"]))
    return ()


def _list_new(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    return ((),)


def _list_push(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    return ((*operands[0], operands[1]),)


def _list_pop(run: Run, operation: Operation, operands: list[Any]) -> Sequence[Any]:
    if not operands[0]:
        raise VerifyError("list_pop takes from a list that is empty", loc=operation.loc)
    return operands[0][:-1], operands[0][-1]


_HANDLERS: dict[str, Callable[[Run, Operation, list[Any]], Sequence[Any]]] = {
    "if": _if, "while": _while, "for": _for, "update": _update, "callback": _callback, "check": _check,
    "group": lambda run, operation, operands: run.block(operation.blocks[0], operands),
    "function": _function, "call": _call, "bind_size": _bind_size,
    "list_new": _list_new, "list_push": _list_push, "list_pop": _list_pop,
}  # fmt: skip
