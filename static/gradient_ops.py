"""Gradients as operations of the program, and what optimisers add to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..base import unique_name
from ..base.errors import ArgumentError, KindError
from ..dygraph.modes import GradMode
from ..dygraph.optimizer.rate import fit_rate
from ..dygraph.tensor import Parameter, Tensor
from ..ir.core import Value, is_list
from ..ops.dims import deciding
from ..ops.op import OPS
from .current import current_startup, default_main_program, recording, switch_startup_program
from .op_steps import Updates, in_role
from .variable import Variable

if TYPE_CHECKING:  # a recorder asks this module for gradients
    from .program import Program
    from .recorder import Recorder


def _listed(value: Any, what: str) -> list[Any]:
    if value is None:
        return []
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    for item in items:
        if item is not None and not isinstance(item, Tensor):
            raise KindError(f"{what} must be variables, not a {type(item).__name__}")
    return items


def blocked_values(program: Program, no_grad_set: Any) -> set[Value]:
    """The values of a no_grad_set. Errors: KindError, ArgumentError."""
    if no_grad_set is not None and not isinstance(no_grad_set, (set, frozenset, list, tuple)):
        raise KindError(f"no_grad_set must be a set of variables or names, not a {type(no_grad_set).__name__}")
    found = set()
    for item in no_grad_set or ():
        if not isinstance(item, (str, Tensor)):
            raise KindError(f"no_grad_set must hold variables or names, not a {type(item).__name__}")
    for item in no_grad_set or ():
        variable = program.vars.get(item) if isinstance(item, str) else item
        if variable is None:
            raise ArgumentError(f"no_grad_set names {item}, which the program doesn't have")
        found.add(program.recorder.value_of(variable))
    return found


def _program_of(variables: Iterable[Any]) -> Program:
    for x in variables:
        if isinstance(x, Variable) and isinstance(x._storage.payload, Value):
            return x.recorder.owner  # type: ignore[no-any-return]
    return default_main_program()


def gradients(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Any = None
) -> list[Variable | None]:
    """Variables for the gradients of the sum of `targets` with respect to `inputs`; None where there is no path.

    target_gradients: weights of the targets (None: ones). no_grad_set: variables, or names, that stop gradients.
    Errors: KindError for other objects; ArgumentError for weights that don't fit in number.
    """
    ys, xs, weights = _listed(targets, "targets"), _listed(inputs, "inputs"), _listed(target_gradients, "weights")
    weights = weights or [None] * len(ys)
    if len(weights) != len(ys):
        raise ArgumentError(f"gradients: {len(weights)} target_gradients for {len(ys)} targets")
    program = _program_of(ys)
    recorder = program.recorder
    with recording(program):
        _begin(recorder)
        with in_role(recorder, "backward"), deciding(recorder.decide):
            found = recorder.gradients(ys, xs, weights, blocked_values(program, no_grad_set))
    for x, grad in zip(xs, found, strict=True):
        if grad is not None:
            name_gradient(program, grad, f"{x.name}@GRAD")
    return found


def name_gradient(program: Program, variable: Variable, name: str) -> None:
    """Give a gradient a name that the program hasn't yet."""
    chosen, k = name, 0
    while chosen in program.vars:
        k += 1
        chosen = f"{name}@{k}"
    variable.name = chosen
    value = variable._storage.payload
    value.hint = value.hint or chosen


def _begin(recorder: Recorder) -> None:
    recorder.note_writes()
    if recorder.forward_end is None:
        recorder.forward_end = len(recorder.program.body.operations)


def append_backward(
    loss: Any, parameter_list: Any = None, no_grad_set: Any = None, callbacks: Any = None, checkpoints: Any = None,
    distop_context: Any = None,
) -> Any:  # fmt: skip
    """Add the gradients of `loss` to its program: [(parameter, gradient)].

    Parameters without a path are left out; of those that `parameter_list` names the gradient is None then.

    Also other variables' gradients can be fetched afterwards, as `<name>@GRAD`. parameter_list: variables or names
    (default: all trainable parameters, and other persistable variables whose `stop_gradient` is False). With
    `checkpoints` also a list of them: recomputation is the compiler's choice. A loss of several numbers counts with
    their sum; one of integers or bools gives gradients of integers, as far as operations have them.
    Errors: KindError for a loss that is no variable.
    """
    if not isinstance(loss, Variable):
        raise KindError(f"append_backward needs a Variable as loss, not a {type(loss).__name__}")
    if callbacks is not None and not isinstance(callbacks, (list, tuple)):
        raise KindError(f"callbacks must be a list of functions, not a {type(callbacks).__name__}")
    whole = not loss.dtype.is_differentiable
    program = loss.program
    recorder = program.recorder
    params = parameters_of(program, parameter_list)
    others = [
        v for v in _by_place(recorder)
        if not any(v is p for p in params) and not v.stop_gradient and (whole or v.dtype.is_differentiable)
        and v._storage.payload.block is recorder.program.body
    ]  # fmt: skip
    with recording(program):
        _begin(recorder)
        with in_role(recorder, "backward"), deciding(recorder.decide):
            found = recorder.gradients([loss], [*params, *others], [None], blocked_values(program, no_grad_set))
    pairs = []
    for x, grad in zip([*params, *others], found, strict=True):
        if grad is not None:
            name_gradient(program, grad, f"{x.name}@GRAD")
    kept = [v for v in others if v.persistable] if parameter_list is None else []
    for x, grad in zip([*params, *others], found, strict=True):
        named = parameter_list is not None and any(x is p for p in params)
        if named or (grad is not None and any(x is p for p in (*params, *kept))):
            pairs.append((x, grad))
    return (pairs, list(checkpoints)) if checkpoints is not None else pairs


def pairs_with_gradients(loss: Any, parameters: Any, no_grad_set: Any) -> list[Any]:
    """`append_backward` for an optimizer: the pairs of those parameters that get a gradient."""
    return [pair for pair in append_backward(loss, parameters, no_grad_set) if pair[1] is not None]


def _by_place(recorder: Recorder) -> list[Any]:
    """The variables that are still held somewhere, in the order of their operations."""
    body = recorder.program.body
    order = {o: k for k, o in enumerate(body.operations)}
    held = [v for v in recorder.held.values() if isinstance(v._storage.payload, Value)]
    return sorted(held, key=lambda v: (order.get(v._storage.payload.operation, -1), v._storage.payload.index))


def parameters_of(program: Program, given: Any) -> list[Any]:
    """The parameters that are meant: those given, by themselves or by name, or all trainable ones."""
    if given is None:
        found = [p for p in program.all_parameters() if p.trainable]
        known = {id(p) for p in found}
        program.recorder.note_writes()
        used = [entry.tensor for entry in program.recorder.lifted.values()]
        return found + [p for p in used if isinstance(p, Parameter) and p.trainable and id(p) not in known]
    if not isinstance(given, (list, tuple, set)):
        raise KindError(f"parameter_list must be a list of parameters or names, not a {type(given).__name__}")
    for p in given:
        if not isinstance(p, (str, Tensor)):
            raise KindError(f"parameter_list must hold parameters or names, not a {type(p).__name__}")
    return [program.vars[p] if isinstance(p, str) else p for p in given]


def minimize(
    optimizer: Any, loss: Any, startup_program: Program | None = None, parameters: Any = None, no_grad_set: Any = None
) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Gradients of `loss` and the optimiser's updates, as operations: (its operations, [(parameter, gradient)])."""
    if not isinstance(loss, Variable):
        raise KindError(f"minimize needs a Variable as loss, not a {type(loss).__name__}")
    program = loss.program
    chosen = parameters if parameters is not None else optimizer._parameter_list or parameters_of(program, None)
    pairs = pairs_with_gradients(loss, chosen, no_grad_set)
    return apply(optimizer, program, pairs, startup_program), pairs


def apply(
    optimizer: Any, program: Program, pairs: Sequence[tuple[Any, Any]], startup: Program | None = None
) -> list[Any]:
    """Add the optimiser's updates with these gradients; its operations."""
    known = {id(p) for p in optimizer._parameter_list}
    new = [p for p, _ in pairs if id(p) not in known]
    if new:
        optimizer._add_group({"params": new})
    recorder = program.recorder
    before = switch_startup_program(startup) if startup is not None else None
    _initialise_rate(optimizer)
    program.register(optimizer._lr_tensor)
    first = len(recorder.program.body.operations)
    there = set(recorder.program.body.operations)
    try:
        with recording(program), in_role(recorder, "optimize"):
            with GradMode(False):
                optimizer._apply_gradients(pairs)
            recorder.note_writes()
            if operations := recorder.program.body.operations[first:]:
                recorder.updates.append(Updates(optimizer, list(pairs), operations, current_startup()))
    finally:
        if before is not None:
            switch_startup_program(before)
    return [view for view in program.global_block().ops if view._operation not in there]


def _initialise_rate(optimizer: Any) -> None:
    """The startup program sets a rate that is a number; a scheduler sets its own, whenever it steps."""
    rate, startup = optimizer._lr_tensor, current_startup()
    if rate.name == "learning_rate":  # no program has it yet
        fit_rate(rate, optimizer._parameter_list)
        rate.name = unique_name.generate("learning_rate")
    if isinstance(optimizer._learning_rate, float) and id(rate._storage) not in startup.recorder.initialised:
        with recording(startup), GradMode(False):
            startup.recorder.initialise(rate, OPS["full"]([], optimizer._learning_rate, rate.dtype))


def gradients_with_optimizer(program: Program, optimizer: Any, inputs: Any = None, outputs: Any = None) -> Any:
    """Updates for the gradients of `outputs` with respect to `inputs`: (operations, pairs).

    inputs: default the trainable parameters. outputs: default what no operation of the program reads.
    """
    program.recorder.note_writes()
    chosen = parameters_of(program, None) if inputs is None else _listed(inputs, "inputs")
    ends = _unread(program.recorder) if outputs is None else outputs
    found = gradients(ends, chosen)
    pairs = [(x, g) for x, g in zip(chosen, found, strict=True) if g is not None]
    return apply(optimizer, program, pairs), pairs


def _unread(recorder: Recorder) -> list[Variable]:
    """What operations of the program compute and none reads."""
    made = [r for o in recorder.program.body.operations for r in o.results]
    return [recorder.variable(r, True) for r in made if not is_list(r) and r.dtype.is_differentiable and not r.uses]
