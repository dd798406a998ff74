"""Equal operations of a program have kernels of one body, each with its own values; what differs is generated anew."""

from __future__ import annotations

from typing import Any

import pytest

from vitrify.base.errors import KernelError
from vitrify.base.flags import flags
from vitrify.ir.core import Operation, Program
from vitrify.ir.parser import parse_program
from vitrify.passes.fusion.fuse import Fuse
from vitrify.runtime.kernel.kernel_call import Kernel
from vitrify.runtime.kernel.statements import Body
from vitrify.runtime.lower.equal_operations import EqualOperations, form_of
from vitrify.runtime.schedule.operations import kernel_of

LAYER = """
  %a{k} = matmul {x}, %w {{transpose_x = false, transpose_y = false}} : f32[8, 12]
  %m{k} = mean %a{k} {{axis = (1), keepdim = true}} : f32[8, 1]
  %c{k} = subtract %a{k}, %m{k} : f32[8, 12]
  %r{k} = tanh %c{k} : f32[8, 12]"""


def fused(body: str, result: str = "f32[8, 12]") -> Program:
    """A program of an array, a matrix and a vector, after fusion."""
    text = f"program @f(%x: f32[8, 12], %w: f32[12, 12], %v: f32[12], %i: i64[]) -> ({result}) {{{body}\n}}"
    program = parse_program(text)
    Fuse().run(program)
    return program


def groups_of(program: Program) -> list[Operation]:
    return [operation for operation in program.body.operations if operation.name == "group"]


def layers(count: int) -> Program:
    lines = [LAYER.format(k=k, x=f"%r{k - 1}" if k else "%x") for k in range(count)]
    return fused("".join(lines) + f"\n  return %r{count - 1}")


def test_layers_are_generated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "verify", False)
    generated = []

    def generate(operation: Operation) -> Kernel:
        generated.append(operation)
        return kernel_of(operation)

    groups, known = groups_of(layers(5)), EqualOperations(generate)
    made = [known.kernel(operation) for operation in groups]
    assert len(groups) == 5
    assert generated == [groups[0], groups[-1]]  # the program returns the last one's result
    assert len({id(kernel.body) for kernel in made}) == 2
    for operation, kernel in zip(groups, made, strict=True):
        alone = kernel_of(operation)
        assert kernel.source == alone.source
        assert [slot.value for slot in kernel.slots] == [slot.value for slot in alone.slots]
        assert kernel.in_place == alone.in_place
        assert kernel.origins == alone.origins


def test_verified_programs_compare_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "verify", True)
    first, *others = groups_of(layers(3))
    one, other = kernel_of(first), kernel_of(first)
    other.body = Body(other.body[:-1])
    made = iter([one, other])
    known = EqualOperations(lambda operation: next(made))
    known.kernel(first)
    with pytest.raises(KernelError, match="equal operations"):
        known.kernel(others[0])


@pytest.mark.parametrize(
    "other",
    [
        "%b = multiply %x, %v : f32[8, 12]\n  %d = tanh %b : f32[8, 12]",  # another operation
        "%b = add %w, %v : f32[12, 12]\n  %d = tanh %b : f32[12, 12]",  # another shape
        "%b = add %x, %x : f32[8, 12]\n  %d = tanh %b : f32[8, 12]",  # one operand twice
        "%b = add %x, %v : f32[8, 12]\n  %d = tanh %v : f32[12]",  # connected in another way
    ],
)
def test_what_differs_has_another_form(other: str) -> None:
    def form(lines: str) -> Any:
        kind = "f32[12, 12]" if "%w" in lines else "f32[12]" if "tanh %v" in lines else "f32[8, 12]"
        program = fused(f"\n  {lines}\n  return %d", kind)
        return [form_of(operation) for operation in program.body.operations[:-1]]

    assert form(other) != form("%b = add %x, %v : f32[8, 12]\n  %d = tanh %b : f32[8, 12]")


def test_an_index_that_is_known_to_be_in_range_has_another_form() -> None:
    checked, loop = (
        "\n  %b = select %w, %i {axis = 0} : f32[12]\n  %d = tanh %b : f32[12]\n  return %d",
        """
  %n = full {dtype = i64, fill_value = 12, shape = ()} : i64[]
  %d = for %n, %v : f32[12] (%k: i64[], %a: f32[12]) {
    %b = select %w, %k {axis = 0} : f32[12]
    %e = tanh %b : f32[12]
    yield %e
  }
  return %d""",
    )
    (one,) = groups_of(fused(checked, "f32[12]"))
    (inside,) = (o for o in fused(loop, "f32[12]").body.operations if o.name == "for")
    (other,) = (o for o in inside.blocks[0].operations if o.name == "group")
    assert form_of(one) != form_of(other)
    assert kernel_of(one).checks != kernel_of(other).checks


def test_what_reads_a_literal_has_no_form() -> None:
    """Its kernel holds the number; a group's is part of the form, as an operation inside it."""
    program = parse_program("""program @f(%x: f32[8]) -> (f32[8]) {
  %one = full {dtype = f32, fill_value = 1.0, shape = ()} : f32[]
  %a = add %x, %one : f32[8]
  return %a
}""")
    assert form_of(program.body.operations[1]) is None
