from __future__ import annotations

from vitrify.ir.core import Value
from vitrify.ir.parser import parse_program
from vitrify.passes.autodiff.prune import plan

TEXT = """program @p(%x: f32[64], %w: f32[64, 64], %s: f32[1]) -> f32[64] {
  %m = matmul %w, %w {transpose_x = false, transpose_y = false} : f32[64, 64]
  %r = relu %m : f32[64, 64]
  %t = tanh %m : f32[64, 64]
  %b = broadcast_to %x {shape = (64, 64)} : f32[64, 64]
  %d = exp %t : f32[64, 64]
  %e = exp %d : f32[64, 64]
  %z = sum %e {axis = (0), keepdim = false} : f32[64]
  return %z
}"""


def decide(*names: str, free: tuple[str, ...] = ("x", "w", "s")) -> tuple[set[str], list[str]]:
    program = parse_program(TEXT)
    known: dict[str, Value] = {v.hint: v for v in program.body.args}
    known |= {o.result.hint: o.result for o in program.body if o.results}
    made = plan(program.body, [known[n] for n in names], free=[known[n] for n in free])
    return {v.hint for v in made.saved}, [o.result.hint for o in made.recomputed]


def test_what_is_not_cheap_is_saved() -> None:
    assert decide("m") == ({"m"}, [])


def test_a_cheap_chain_from_something_saved_is_recomputed() -> None:
    assert decide("m", "r") == ({"m"}, ["r"])


def test_saving_the_start_instead_is_no_gain_for_one() -> None:
    assert decide("r") == ({"r"}, [])


def test_but_for_two() -> None:
    assert decide("r", "t") == ({"m"}, ["r", "t"])


def test_small_things_that_were_broadcast_are_recomputed() -> None:
    assert decide("b") == (set(), ["b"])
    assert decide("b", free=()) == ({"x"}, ["b"])


def test_long_chains_are_saved() -> None:
    saved, recomputed = decide("m", "e")
    assert saved == {"m", "d"} or saved == {"m", "e"}
    assert recomputed in ([], ["e"])


def test_arguments_are_saved() -> None:
    assert decide("x", free=()) == ({"x"}, [])
