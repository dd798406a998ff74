"""What fusion leaves apart, and the rule that is named for it."""

from __future__ import annotations

import pytest

from vitrify.ir.parser import parse_program
from vitrify.ir.printer import print_program
from vitrify.passes.fusion.unfused import RULES, unfused

CASES = {
    "library call": """
  %0 = matmul %x, %x {transpose_x = false, transpose_y = true} : f32[4, 4]
  %1 = tanh %0 : f32[4, 4]
  return %1""",
    "complete result": """
  %0 = sum %x {axis = (0), keepdim = true} : f32[1, 8]
  %1 = add %0, %x : f32[4, 8]
  return %1""",
    "other axes": """
  %0 = sum %x {axis = (1), keepdim = true} : f32[4, 1]
  %1 = add %0, %x : f32[4, 8]
  %2 = sum %1 {axis = (0), keepdim = false} : f32[8]
  return %2""",
    "control flow": """
  %0 = tanh %x : f32[4, 8]
  %1 = if %flag : f32[4, 8] {
    %2 = exp %0 : f32[4, 8]
    yield %2
  } else {
    yield %0
  }
  return %1""",
    "callback": """
  %0 = tanh %x : f32[4, 8]
  %1 = callback %0 {callee = "log", form = "array", gradient = none, outputs = (f32[4, 8])} : f32[4, 8]
  return %1""",
    "dtype": """
  %0 = tanh %x : f32[4, 8]
  %1 = cast %0 {dtype = f16} : f16[4, 8]
  return %1""",
    "run-time size": """
  %0 = tanh %x : f32[4, 8]
  %1 = greater_than %0, %x : bool[4, 8]
  %2 = masked_select %0, %1 {defines = (u0)} : f32[u0]
  return %2""",
    "other iteration space": """
  %0 = tanh %x : f32[4, 8]
  %1 = exp %x : f32[4, 8]
  %2 = multiply %0, %1 : f32[4, 8]
  %3 = reshape %2 {shape = (8, 4)} : f32[8, 4]
  %4 = reshape %x {shape = (8, 4)} : f32[8, 4]
  %5 = cos %4 : f32[8, 4]
  %6 = multiply %3, %5 : f32[8, 4]
  return %6, %2""",
}


def test_a_product_takes_in_what_is_done_to_its_elements_only() -> None:
    text = """program @f(%x: f32[64, 128], %w: f32[128, 64], %v: f32[128, 64]) -> (f32[64, 64], f32[64, 1], f32[64, 64]) {
  %product = matmul %x, %w {transpose_x = false, transpose_y = false} : f32[64, 64]
  %gate = tanh %product : f32[64, 64]
  %again = matmul %gate, %w {transpose_x = false, transpose_y = true} : f32[64, 128]
  %row = sum %again {axis = (1), keepdim = true} : f32[64, 1]
  %other = matmul %x, %v {transpose_x = false, transpose_y = false} : f32[64, 64]
  %turned = transpose %other {perm = (1, 0)} : f32[64, 64]
  return %gate, %row, %turned
}"""
    found = [(a.producer, a.consumer, a.rule, a.detail) for a in unfused(parse_program(text))]
    assert ("matmul", "sum", "epilogue", "its reader reduces whole rows") in found
    assert ("matmul", "transpose", "epilogue", "transpose reads other elements than the one at hand") in found
    assert ("matmul, tanh", "matmul", "epilogue", "a matmul reads the elements of its factors many times") in found
    assert len(found) == 3


def program_of(body: str) -> str:
    results = body.rpartition("return ")[2].split(", ")
    kinds = [
        line.rpartition(" : ")[2].removesuffix(" {") for r in results for line in body.splitlines() if f"{r} = " in line
    ]
    shown = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
    return f"program @f(%x: f32[4, 8], %flag: bool[]) -> {shown} {{{body}\n}}\n"


@pytest.mark.parametrize("rule", CASES)
def test_the_rule_that_keeps_neighbours_apart(rule: str) -> None:
    program = parse_program(program_of(CASES[rule]))
    before = print_program(program)
    found = unfused(program)
    assert rule in [a.rule for a in found]
    assert print_program(program) == before
    apart = next(a for a in found if a.rule == rule)
    assert rule in str(apart)
    assert apart.why in str(apart)
    assert apart.edit in str(apart)


def test_what_one_kernel_does_is_not_listed() -> None:
    body = """
  %0 = tanh %x : f32[4, 8]
  %1 = sum %0 {axis = (1), keepdim = true} : f32[4, 1]
  %2 = divide %0, %1 : f32[4, 8]
  return %2"""
    assert unfused(parse_program(program_of(body))) == []


def test_every_rule_says_why() -> None:
    assert all(why and not why.endswith(".") for why, _ in RULES.values())
