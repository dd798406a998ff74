"""Plans of eager mode (dygraph/plans.py): a planned function is recorded as a program, and differentiated as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...base.errors import GradientError, VitrifyError
from ...dygraph.plans import EagerPlan
from ...dygraph.rule_stubs import RulePlan
from ...dygraph.stubs import KernelList, PlanStep, given_by
from ...dygraph.tape import OpNode
from ...dygraph.tensor import Tensor
from ...ir.builder import new_program
from ...ir.core import Operation, Program, Value
from ...ir.walk import free_values
from ...ops.types import TensorType
from ...passes.algebra.cse import CommonSubexpressions
from ...passes.algebra.dce import DeadCode
from ...passes.algebra.fold import ConstantFolding
from ...passes.autodiff.block_vjps import vjp_block_values
from ...passes.autodiff.reverse import carries_gradient
from ...passes.manager import Pass

_BEFORE_GRADIENTS: tuple[Pass, ...] = (ConstantFolding(), DeadCode())  # parts computed twice have two gradients
_TIDY: tuple[Pass, ...] = (ConstantFolding(), CommonSubexpressions(), DeadCode())


def make(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], tensors: Sequence[Tensor],
    needs: Sequence[bool],
) -> EagerPlan | None:  # fmt: skip
    """The plan of a call with such operands, of which some need gradients; None where the function itself must run."""
    program, builder = new_program(getattr(fn, "__self__", fn).__name__)
    feeds = iter([
        program.add_feed(f"x{k}", TensorType(x._dtype, x._storage.payload.shape)) for k, x in enumerate(tensors)
    ])  # fmt: skip
    try:
        with builder.active():
            given = [_recorded(a, feeds) for a in args]
            named = {k: _recorded(a, feeds) for k, a in kwargs.items()}
            made = fn(*given, **named)
    except VitrifyError:
        return None  # the function itself says what is wrong, in the user's line
    outputs = list(made) if isinstance(made, (list, tuple)) else [made]
    if not all(isinstance(y, Value) and _is_made(y) for y in outputs):
        return None
    builder.return_(outputs)
    kind = type(made) if isinstance(made, (list, tuple)) else None
    for item in _BEFORE_GRADIENTS:
        item.run(program)
    if not _is_flat(program) or not all(_is_made(v) or v.operation is None for v in program.fetches):
        return None
    dtypes = tuple(v.tensor_type.dtype for v in program.fetches)
    wanted = [k for k, need in enumerate(needs) if need]
    seeds = tuple(k for k, v in enumerate(program.fetches) if carries_gradient(v))
    try:
        backward, terms = _gradient(program, wanted, seeds)
    except GradientError:  # of a result that is seldom asked for one: the tape knows which are
        return None
    for item in _TIDY:
        item.run(program)
        item.run(backward)
    if not terms:
        return EagerPlan(_line(program), dtypes, kind)
    if not _is_flat(backward):
        return None
    read = [v for v in free_values(backward.body) if v.operation is None or v.operation.name != "constant"]
    owners = (*terms, *(k for k in wanted if k not in terms))
    after = tuple(v.tensor_type.dtype for v in backward.fetches)
    forward = _line(program, also=read)
    return EagerPlan(forward, dtypes, kind, _line(backward, read), owners, seeds, after)


def make_rule(node: OpNode, operands: Sequence[Any], arrived: Sequence[bool]) -> RulePlan | None:
    """The plan of a gradient rule. operands: the op's operands and results, as tensors or as placeholders, then the
    gradients that arrived. None where the rule itself must run.
    """
    program, builder = new_program(node.op.name)
    feeds = [
        program.add_feed(f"x{k}", TensorType(x.dtype, tuple(x.shape))) for k, x in enumerate(operands)
    ]  # fmt: skip
    count, results = len(node.operands), len(node.specs)
    given = iter(feeds[count + results :])
    grads = tuple(next(given) if there else None for there in arrived)
    try:
        with builder.active():
            made = node.by_rule(grads, tuple(feeds[count : count + results]), tuple(feeds[:count]))
    except VitrifyError:
        return None
    pairs = [(k, g) for k, (g, edge) in enumerate(zip(made, node.edges, strict=True)) if edge is not None]
    pairs = [(k, g) for k, g in pairs if g is not None]
    if not all(isinstance(g, Value) and (_is_made(g) or g in feeds[count + results :]) for _, g in pairs):
        return None
    builder.return_([g for _, g in pairs])
    for item in _TIDY:
        item.run(program)
    if not _is_flat(program) or not all(_is_made(g) or g.operation is None for g in program.fetches):
        return None
    dtypes = [v.tensor_type.dtype for v in program.fetches]
    return RulePlan(_line(program), {k: dtype for (k, _), dtype in zip(pairs, dtypes, strict=True)})


def _gradient(program: Program, wanted: Sequence[int], seeds: Sequence[int]) -> tuple[Program, tuple[int, ...]]:
    """A program from gradients of the fetches `seeds` to terms of those of the feeds `wanted`, and whose they are.

    Each use of a feed gives a term of its own, in the order in which the tape of the function itself would add it: so
    a call has the same bits whether it runs as a plan or not. It refers to values of the forward program: nothing is
    computed twice.
    """
    backward, builder = new_program(f"{program.name}.backward")
    outputs = [program.fetches[k] for k in seeds]
    if not wanted or not outputs:
        return backward, ()
    body, numbers = program.body, {program.body.args[k]: k for k in wanted}
    feeds, uses = list(body.args), dict[Value, Value]()
    for operation in reversed(body.operations):
        for place, value in enumerate(list(operation.operands)):
            if value in numbers:
                use = body.add_arg(value.type)
                operation.set_operand(place, use)
                uses[use] = value
    with builder.active():
        given = [backward.add_feed(f"gradient{k}", v.tensor_type) for k, v in zip(seeds, outputs, strict=True)]
        found = vjp_block_values(builder, outputs, given, list(uses), block=body)
    for use, value in uses.items():
        use.replace_by(value)
    body.set_args(feeds)
    terms = [(numbers[value], uses.get(g, g)) for value, g in zip(uses.values(), found, strict=True) if g is not None]
    builder.return_([g for _, g in terms])
    return backward, tuple(k for k, _ in terms)


def _recorded(value: Any, feeds: Any) -> Any:
    """An argument as the function gets it while it is recorded."""
    if isinstance(value, Tensor):
        return next(feeds)
    if type(value) in (list, tuple):
        return type(value)(_recorded(item, feeds) for item in value)
    if type(value) is slice:
        return slice(*(_recorded(v, feeds) for v in (value.start, value.stop, value.step)))
    return value


def _is_made(value: Value) -> bool:
    """Whether it is computed, not an operand or a constant handed through."""
    return value.operation is not None and value.operation.name != "constant"


def _is_flat(program: Program) -> bool:
    """Whether the program is nothing but kernels over arrays of known sizes."""
    return not program.symbols and all(
        o.is_pure and not o.blocks and (o.is_terminator or all(isinstance(r.type, TensorType) for r in o.results))
        for o in program.body.operations
        if not o.is_terminator
    )


def _line(program: Program, before: Sequence[Value] = (), also: Sequence[Value] = ()) -> KernelList:
    """The program as a list of kernels, from the arrays `before` and its feeds to its fetches, then to `also`."""
    operations = program.body.operations[:-1]
    made = [r for o in operations for r in o.results]
    count = len(before) + len(program.body.args)
    slots = {v: k for k, v in enumerate([*before, *program.body.args, *made])}
    constants: dict[int, Any] = {}
    steps: list[PlanStep] = []
    for operation in operations:
        if operation.name == "constant":
            constants[slots[operation.result]] = operation.attrs["data"].array
            continue
        for value in operation.operands:
            if value not in slots:  # a constant of the forward program
                slots[value] = len(slots)
                constants[slots[value]] = value.operation.attrs["data"].array  # type: ignore[union-attr]
        steps.append(_step(operation, slots))
    types = {slot: v.tensor_type for v, slot in slots.items()}
    return KernelList(count, constants, steps, [slots[v] for v in (*program.fetches, *also)], types)


def _step(operation: Operation, slots: dict[Value, int]) -> PlanStep:
    op, types = operation.op, [v.tensor_type for v in operation.operands]
    places = tuple(slots[v] for v in operation.operands)
    to = tuple(slots[r] for r in operation.results)
    if isinstance(op.infer(*types, **operation.attrs), tuple):
        return PlanStep(partial(op.eager, **operation.attrs), places, to)
    if op.name == "stop_gradient":
        return PlanStep(None, places, to[0])
    kernel = op.kernel(types, dict(operation.attrs))
    return PlanStep(kernel, places, to[0], given_by(kernel, operation.result.tensor_type), op.only_moves)
