"""Which operation of a block is the last one that reads a value."""

from __future__ import annotations

from vitrify.ir.parser import parse_program
from vitrify.ir.walk import last_reads

SOURCE = """program @f(%x: f32[2], %n: bool[]) -> f32[2] {
  %a = exp %x : f32[2]
  %b = sin %x : f32[2]
  %c = cos %a : f32[2]
  %d = if %n : f32[2] {
    %e = add %b, %c : f32[2]
    yield %e
  } else {
    yield %c
  }
  %f = tanh %d : f32[2]
  return %d
}
"""


def test_a_value_ends_where_it_is_read_last() -> None:
    body = parse_program(SOURCE).body
    found = {o.name: sorted(v.hint for v in values) for o, values in last_reads(body).items()}
    assert found == {"cos": ["a"], "if": ["b", "c"], "tanh": ["f"]}, "arguments and results aren't among them"
