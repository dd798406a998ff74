"""What linearisation asks of single operations: kernels, steps of matmuls, whether they can fail or write memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.errors import KernelError
from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...ops.dims import DimLike, product
from ...ops.effects import Effect
from ...ops.lowering import Custom, Host, Point, Reduce, Scalar
from ...passes.fusion.contractions import takes_epilogue
from ...passes.fusion.custom_gemm import custom_gemm_of, few_rows_of
from ...passes.fusion.fusion_facts import alias_offset, is_free, is_native, own_generator
from ...passes.loops.loop_indices import index_range_of
from .. import lower as _generators  # noqa: F401 - registers the custom generators
from ..kernel.kernel_call import Kernel
from ..lower.contraction.matmul_kernel import many_rows_kernel
from ..lower.groups.fused import group_kernel
from ..lower.groups.partial_folds import ColumnFold
from ..lower.registry import generator, has_generator
from .program_steps import Buffer, CustomGemmStep, GemmStep, KernelStep, ProgramStep

# Operations that find a float among others again, by its value.
_RECOGNISERS = frozenset({"max", "min", "equal", "not_equal"})


def needs_exact(program: Program) -> bool:
    """Whether a value computed twice must be the same twice: the gradient of `max` looks for equal elements."""
    return any(o.name in _RECOGNISERS and o.operands[0].tensor_type.dtype.is_floating for o in walk(program.body))


def kernel_of(operation: Operation) -> Kernel:
    """The kernel of a group, a fusible operation, or one with a generator of its own."""
    lowering = operation.op.lowering
    name = operation.name
    if name == "group":
        body = operation.blocks[0]
        inner = body.operations[:-1]
        kernel = group_kernel(
            _group_name(inner), inner, body.yields, operation.attrs["domain"], operation.attrs["axes"]
        )
        return _outside(kernel, operation)
    if isinstance(lowering, Custom):
        return generator(lowering.name)(operation)
    if own := own_generator(operation):
        return generator(own)(operation)
    if isinstance(lowering, Reduce):
        domain = operation.operands[0].tensor_type.shape
        return group_kernel(name, [operation], operation.results, domain, operation.attrs["axis"])
    if isinstance(lowering, (Scalar, Point)) or takes_epilogue(operation) or is_free(operation):
        return group_kernel(name, [operation], operation.results, operation.result.tensor_type.shape, None)
    raise KernelError(f"{name} has no lowering", loc=operation.loc)


def kernels_of_parts(operation: Operation) -> tuple[Kernel, Kernel] | None:
    """Two kernels, where an operation folds so many rows that threads should share them: see partial_folds.py."""
    if operation.name == "group":
        (body,) = operation.blocks
        inner, axes = body.operations[:-1], operation.attrs["axes"]
        if axes is None:
            return None
        made = ColumnFold(_group_name(inner), inner, body.yields, operation.attrs["domain"], axes).kernels()
        return made and (_outside(made[0], operation), _outside(made[1], operation))
    if not isinstance(operation.op.lowering, Reduce) or own_generator(operation):
        return None
    domain = operation.operands[0].tensor_type.shape
    return ColumnFold(operation.name, [operation], operation.results, domain, operation.attrs["axis"]).kernels()


def list_starts(value: Value) -> list[Value]:
    """Where a list value has grown from: results of `list_new`, and arguments of blocks."""
    operation = value.operation
    if operation is None or operation.name == "list_new":
        return [value]
    if operation.name == "if":
        return [start for block in operation.blocks for start in list_starts(block.yields[value.index])]
    if operation.name in ("for", "while"):
        return list_starts(operation.operands[value.index + (operation.name == "for")])
    return list_starts(operation.operands[0])


def rows_of(concat: Operation) -> DimLike:
    """How many rows the pieces of a concat alternate in; 1: they simply follow each other in memory."""
    return product(concat.result.tensor_type.shape[: concat.attrs["axis"]])


def makes_memory(operation: Operation) -> bool:
    """Whether the operation writes its result itself, so that it can be told where to."""
    if operation.name in ("while", "for", "function", "call", "constant") or is_free(operation):
        return False
    return operation.name != "list_pop" and alias_offset(operation) is None


def is_compiled(operation: Operation) -> bool:
    """Whether there is native code for the operation; else the VM makes a host call, for NumPy."""
    lowering = operation.op.lowering
    if isinstance(lowering, Host) or not is_native(operation):
        return False
    return not isinstance(lowering, Custom) or has_generator(lowering.name, operation)


def is_filled(loop: Operation, array: Value) -> bool:
    """Whether the iterations of a `for` replace all rows of a carried array, one each, and read none."""
    if loop.name != "for":
        return False
    made = loop.blocks[0].yields[array.index - 1]
    if len(array.uses) != 1 or len(made.uses) != 1:  # who reads the array with a new row reads the old ones, too
        return False
    group = made.operation
    if group is not None and group.name == "group" and next(iter(array.uses))[0] is group:
        made = group.blocks[0].yields[made.index]
        array = group.blocks[0].args[group.operands.index(array)]
    change = made.operation
    if change is None or change.name != "select_update" or list(array.uses) != [(change, 0)] or len(made.uses) != 1:
        return False
    place = index_range_of(change.operands[2])
    size = array.tensor_type.shape[change.attrs["axis"]]
    return place is not None and place.loop is loop and place.goes_through(size)


def may_fail(operation: Operation) -> bool:
    """Whether running the operation may raise: callbacks, checks, Python kernels, run-time indices.

    And loops and functions, where a signal's handler may.
    """
    if operation.name in ("for", "while", "function"):
        return True
    if operation.op.effect in (Effect.CALLBACK, Effect.COLLECTIVE) or (
        isinstance(operation.op.lowering, Host) and not operation.blocks and operation.name != "update"
    ):
        return operation.name not in ("yield", "return", "list_new", "list_push", "list_pop")
    if isinstance(operation.op.lowering, Custom) and operation.op.lowering.may_fail:
        return True
    inside = any(may_fail(o) for block in operation.blocks for o in block.operations)
    indexed = isinstance(operation.op.lowering, (Point, Custom)) and any(v.dtype.is_integer for v in operation.operands)
    return inside or indexed


def _group_name(operations: Sequence[Operation]) -> str:
    names = list(dict.fromkeys(o.name for o in operations if not is_free(o)))
    return "_".join(names[:4])


def _outside(kernel: Kernel, group: Operation) -> Kernel:
    """The kernel with the group's operands and results in place of its block's arguments and yields."""
    body = group.blocks[0]
    outer = dict(zip(body.args, group.operands, strict=True)) | dict(zip(body.yields, group.results, strict=True))
    for slot in kernel.slots:
        if slot.value is not None:
            slot.value = outer.get(slot.value, slot.value)
    kernel.in_place = {outer[v]: tuple(outer.get(i, i) for i in inputs) for v, inputs in kernel.in_place.items()}
    kernel.bases = {outer[v]: outer.get(base, base) for v, base in kernel.bases.items()}
    return kernel


def uses_library(operation: Operation) -> bool:
    """Whether BLAS computes a `matmul` whatever its sizes are at run time."""
    own = custom_gemm_of(operation)
    return few_rows_of(operation) is None and (own is None or not own.pays_alone)


def matmul_steps(
    operation: Operation, kernel_of: Callable[[Operation], Kernel], a: Buffer, b: Buffer, out: Buffer
) -> list[ProgramStep]:
    """The steps of a `matmul` of f32 or f64, of which a call does one; `kernel_of` makes its kernel if it has one."""
    library = GemmStep(operation, a, b, out, operation.attrs["transpose_x"], operation.attrs["transpose_y"])
    if uses_library(operation):
        return [library]
    few, own = few_rows_of(operation), custom_gemm_of(operation)
    kernel = kernel_of(operation)
    x, y = operation.operands
    places = {x: a, y: b, operation.result: out}
    buffers = [places[slot.value] for slot in kernel.slots if slot.value is not None]
    if few is not None and not isinstance(few.open_size, int):
        least, most = few.range
        if own is None or most is None:
            return [CustomGemmStep(operation, kernel, buffers, library, few.open_size, least, most)]
        many = many_rows_kernel(operation, own)
        others = [places[slot.value] for slot in many.slots if slot.value is not None]
        return [
            CustomGemmStep(operation, kernel, buffers, None, own.rows, least, most),
            CustomGemmStep(
                operation, many, others, library, own.rows, max(most + 1, own.least_rows), done=(least, most)
            ),
        ]
    if few is not None or own is None or isinstance(own.rows, int):
        return [KernelStep(operation, kernel, buffers)]
    return [CustomGemmStep(operation, kernel, buffers, library, own.rows, own.least_rows)]
