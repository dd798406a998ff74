"""Loops that go through arrays row by row, and sums that are made behind them: which programs change, and that values stay."""

from collections.abc import Callable

import numpy as np
import pytest

import vitrify as vt
from vitrify.ir.core import Operation, Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import walk
from vitrify.passes.algebra.dce import DeadCode
from vitrify.passes.loops import row_arrays
from vitrify.passes.loops.loop_indices import index_range_of, trip_count_of
from vitrify.passes.loops.promote_rows import PromoteRows
from vitrify.passes.loops.sink_reductions import SinkReductions
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.schedule.program_steps import CopyStep


def names(program: Program) -> list[str]:
    return [o.name for o in walk(program.body)]


def feeds_of(program: Program, seed: int = 0) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    found = []
    for value in program.feed_values:
        shape = [d if isinstance(d, int) else 5 for d in value.shape]
        drawn = generator.standard_normal(shape) if value.dtype.is_floating else generator.integers(0, 2, shape)
        found.append(np.asarray(drawn, value.dtype.numpy))
    return found


def check_same(program: Program, before: Program, rtol: float = 1e-6) -> None:
    verify(program)
    feeds = feeds_of(before)
    expected, _ = interpret(before, feeds, [])
    found, _ = interpret(program, feeds, [])
    for a, b, c in zip(found, expected, compile_program(program).run(feeds), strict=True):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-9)
        np.testing.assert_allclose(c, b, rtol=rtol, atol=1e-9)


PLACES = """program @f(%x: f64[{size}], %i: i64[]) -> f64[] {{
  %n = {count}
  %c = constant {{data = dense<i64[], 3>}} : i64[]
  %s = full {{dtype = f64, fill_value = 0.0, shape = ()}} : f64[]
  %r = for %n, %s : f64[] (%turn: i64[], %acc: f64[]) {{
    {lines}
    %row = select %x, %at {{axis = 0}} : f64[]
    %more = add %acc, %row : f64[]
    yield %more
  }}
  return %r
}}"""
FOUR = "constant {data = dense<i64[], 4>} : i64[]"


@pytest.mark.parametrize(
    ("lines", "low", "high", "slope", "inside"),
    [
        ("%at = add %turn, %c : i64[]", 3, 6, 1, True),
        ("%at = subtract %c, %turn : i64[]", 0, 3, -1, True),
        ("%k = subtract %c, %turn : i64[]\n    %at = subtract %c, %k : i64[]", 0, 3, 1, True),
        ("%at = subtract %turn, %c : i64[]", -3, 0, 1, False),  # a negative index counts from the end
        ("%k = add %c, %c : i64[]\n    %at = add %turn, %k : i64[]", 6, 9, 1, False),
        ("%at = add %c, %c : i64[]", 6, 6, 0, True),
    ],
)
def test_where_an_index_lies(lines: str, low: int, high: int, slope: int, inside: bool) -> None:
    program = parse_program(PLACES.format(size=7, count=FOUR, lines=lines))
    select = next(o for o in walk(program.body) if o.name == "select")
    indices = index_range_of(select.operands[1])
    assert indices is not None
    assert (indices.low, indices.high, indices.slope) == (low, high, slope)
    assert indices.lies_in(7) is inside
    assert indices.goes_through(4) is (slope != 0 and low == 0)


@pytest.mark.parametrize(
    "lines",
    ["%at = add %i, %turn : i64[]", "%at = add %turn, %turn : i64[]", "%at = multiply %turn, %c : i64[]"],
    ids=["from outside", "twice", "times"],
)
def test_indices_of_which_nothing_is_known(lines: str) -> None:
    program = parse_program(PLACES.format(size=7, count=FOUR, lines=lines))
    assert index_range_of(next(o for o in walk(program.body) if o.name == "select").operands[1]) is None


def test_a_count_from_a_size_is_known() -> None:
    text = PLACES.format(size="N", count="dim_value {dim = N} : i64[]", lines="%at = subtract %turn, %turn : i64[]")
    loop = next(o for o in walk(parse_program(text).body) if o.name == "for")
    assert str(trip_count_of(loop)) == "N"
    indices = index_range_of(loop.blocks[0].args[0])
    assert indices is not None
    assert indices.lies_in(parse_program(text).feed_values[0].shape[0])


SUMS = """program @f(%x: f64[8, 2, 3], %d: f64[2, 4], %z: f64[{acc}], %k: i64[]) -> f64[{acc}] {{
  %n = {count}
  %last = constant {{data = dense<i64[], 5>}} : i64[]
  %half = constant {{data = dense<f64[], 0.5>}} : f64[]
  %g, %s = for %n, %d, %z : f64[2, 4], f64[{acc}] (%turn: i64[], %now: f64[2, 4], %acc: f64[{acc}]) {{
    %at = {index} : i64[]
    %row = select %x, %at {{axis = 0}} : f64[2, 3]
    {lines}
    %next = multiply %now, %half : f64[2, 4]
    yield %next, %more
  }}
  return %s
}}"""
PRODUCT = """%part = matmul %row, %now {transpose_x = true, transpose_y = false} : f64[3, 4]
    %more = add %acc, %part : f64[3, 4]"""
COLUMNS = """%part = sum %now {axis = (0), keepdim = false} : f64[4]
    %more = add %part, %acc : f64[4]"""


def sums(lines: str = PRODUCT, acc: str = "3, 4", count: str = FOUR, index: str = "add %turn, %turn") -> str:
    return SUMS.format(lines=lines, acc=acc, count=count, index=index)


@pytest.mark.parametrize(
    "text",
    [
        sums(),
        sums(index="subtract %last, %turn"),
        sums(COLUMNS, "4"),
        sums(count="dim_value {dim = 3} : i64[]"),
    ],
    ids=["rows nobody knows", "in reverse", "columns", "by size"],
)
def test_sums_behind_the_loop(text: str) -> None:
    program, before = parse_program(text), parse_program(text)
    assert SinkReductions().run(program)
    DeadCode().run(program)
    loop = next(o for o in program.body.operations if o.name == "for")
    assert not {"matmul", "sum"} & {o.name for o in loop.blocks[0].operations}
    check_same(program, before)


@pytest.mark.parametrize(
    "text",
    [
        sums(count="reshape %k {shape = ()} : i64[]", index="subtract %turn, %turn"),
        sums(PRODUCT.replace("%part = ", "%seen = multiply %acc, %half : f64[3, 4]\n    %part = ")
             .replace("add %acc, %part", "add %seen, %part")),
        sums(PRODUCT.replace("transpose_x = true", "transpose_x = false").replace("%row, %now", "%b, %now")
             .replace("%part = ", "%b = slice %x {sizes = (1, 1, 2), starts = (0, 0, 0), strides = (1, 1, 1)}"
                      " : f64[1, 1, 2]\n    %c = reshape %b {shape = (1, 2)} : f64[1, 2]\n    %part = ")
             .replace("%b, %now", "%c, %now").replace(": f64[3, 4]\n", ": f64[1, 4]\n", 1)),
        sums(COLUMNS.replace("axis = (0), keepdim = false} : f64[4]", "axis = (1), keepdim = true} : f64[2, 1]")
             .replace(": f64[4]", ": f64[2, 1]"), "2, 1"),
    ],
    ids=["count of the run", "read in the loop", "not transposed", "other axis"],
)  # fmt: skip
def test_sums_that_stay(text: str) -> None:
    assert not SinkReductions().run(parse_program(text))


def test_sums_whose_rows_would_be_too_large_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_arrays, "MOST_BYTES", 4 * 2 * 4 * 8 - 1)
    assert not SinkReductions().run(parse_program(sums()))


LISTS = """program @f(%x: f64[4, 3], %k: i64[]) -> f64[3] {{
  %n = constant {{data = dense<i64[], 4>}} : i64[]
  %m = {second}
  %none = list_new {{element = f64[3]}} : list<f64[3]>
  %zero = full {{dtype = f64, fill_value = 0.0, shape = (3)}} : f64[3]
  %kept = for %n, %none : list<f64[3]> (%turn: i64[], %items: list<f64[3]>) {{
    %row = select %x, %turn {{axis = 0}} : f64[3]
    %more = list_push %items, %row : list<f64[3]>
    {twice}
    yield %{last}
  }}
  %s, %left = for %m, %zero, %kept : f64[3], list<f64[3]> (%back: i64[], %acc: f64[3], %stack: list<f64[3]>) {{
    %half = multiply %acc, %acc : f64[3]
    %fewer, %y = list_pop %stack : list<f64[3]>, f64[3]
    %sum = subtract %y, %half : f64[3]
    yield %sum, %fewer
  }}
  return %s
}}"""


def test_a_list_of_known_length_is_an_array() -> None:
    text = LISTS.format(second=FOUR, twice="", last="more")
    program = parse_program(text)
    assert PromoteRows().run(program)
    DeadCode().run(program)
    assert not [name for name in names(program) if name.startswith("list")]
    check_same(program, parse_program(text))


@pytest.mark.parametrize(
    "text",
    [
        LISTS.format(second="reshape %k {shape = ()} : i64[]", twice="", last="more"),
        LISTS.format(second="constant {data = dense<i64[], 3>} : i64[]", twice="", last="more"),
        LISTS.format(second=FOUR, twice="%again = list_push %more, %row : list<f64[3]>", last="again"),
    ],
    ids=["length of the run", "some are left", "two a turn"],
)
def test_lists_that_stay(text: str) -> None:
    assert not PromoteRows().run(parse_program(text))


CLEARED = """program @f(%x: f64[5, 3], %v: f64[3]) -> (f64[3], f64[{out}]) {{
  %n = constant {{data = dense<i64[], 4>}} : i64[]
  %one = constant {{data = dense<i64[], 1>}} : i64[]
  %s, %array = for %n, %v, %x : f64[3], f64[5, 3] (%turn: i64[], %acc: f64[3], %rows: f64[5, 3]) {{
    %at = add %turn, %one : i64[]
    %row = select %rows, %{read} {{axis = 0}} : f64[3]
    %sum = multiply %acc, %row : f64[3]
    %changed = select_update %rows, %v, %at {{axis = 0}} : f64[5, 3]
    yield %sum, %changed
  }}
  %zero = constant {{data = dense<i64[], 0>}} : i64[]
  %rest = {rest}
  return %s, %rest
}}"""


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        (CLEARED.format(out="3", read="at", rest="select %array, %zero {axis = 0} : f64[3]"), True),
        (CLEARED.format(out="3", read="at", rest="select %array, %one {axis = 0} : f64[3]"), False),
        (CLEARED.format(out="5, 3", read="at", rest="neg %array : f64[5, 3]"), False),
        (CLEARED.format(out="3", read="turn", rest="select %array, %zero {axis = 0} : f64[3]"), False),
    ],
    ids=["another row", "a replaced row", "all rows", "the row before"],
)
def test_rows_that_are_read_once_are_not_replaced(text: str, goes: bool) -> None:
    program = parse_program(text)
    assert PromoteRows().run(program) is goes
    DeadCode().run(program)
    assert ("select_update" not in names(program)) is goes
    check_same(program, parse_program(text))


# ---- whole functions


def cell(x: vt.Tensor, h: vt.Tensor, wx: vt.Tensor, wh: vt.Tensor, b: vt.Tensor) -> vt.Tensor:
    update, reset, new = vt.split(vt.matmul(x, wx) + vt.matmul(h, wh) + b, 3, axis=1)
    update, reset = vt.nn.functional.sigmoid(update), vt.nn.functional.sigmoid(reset)
    return update * h + (1.0 - update) * vt.tanh(reset * new)


def forwards(x: vt.Tensor, *weights: vt.Tensor) -> vt.Tensor:
    h, states = vt.zeros([x.shape[1], 4], x.dtype), []
    for t in range(x.shape[0]):
        h = cell(x[t], h, *weights)
        states.append(h)
    return vt.stack(states)


def backwards(x: vt.Tensor, *weights: vt.Tensor) -> vt.Tensor:
    h, total = vt.zeros([x.shape[1], 4], x.dtype), vt.zeros([x.shape[1], 4], x.dtype)
    for t in range(x.shape[0]):
        h = cell(x[x.shape[0] - 1 - t], h, *weights)
        total = total + h * h
    return total


def nested(x: vt.Tensor, *weights: vt.Tensor) -> vt.Tensor:
    h = vt.zeros([x.shape[1], 4], x.dtype)
    for t in range(x.shape[0]):
        for _ in range(vt.to_tensor(2)):
            h = cell(x[t], h, *weights)
    return h


def both_ways(x: vt.Tensor, *weights: vt.Tensor) -> vt.Tensor:
    return forwards(x, *weights).sum() + backwards(x, *weights).sum()


def arguments(batch: int, trip_count: int = 20) -> list[vt.Tensor]:
    generator = np.random.default_rng(3)
    shapes = [(trip_count, batch, 5), (5, 12), (4, 12), (12,)]
    return [vt.to_tensor(0.5 * generator.standard_normal(s), stop_gradient=False) for s in shapes]


def gradients(fn: Callable[..., vt.Tensor]) -> Callable[..., list[vt.Tensor]]:
    def step(*args: vt.Tensor) -> list[vt.Tensor]:
        loss = vt.square(fn(*args)).mean()
        return [loss, *vt.grad(loss, list(args))]

    return step


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("fn", [forwards, backwards, nested, both_ways])
def test_gradients_of_loops(fn: Callable[..., vt.Tensor], batch: int) -> None:
    step, args = gradients(fn), arguments(batch)
    compiled = vt.to_static(step)
    for found, expected in zip(compiled(*args), step(*args), strict=True):
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-9, atol=1e-12)


def loops_of(text: str) -> list[str]:
    """The bodies of the loops of a program's text."""
    return [part.split("\n  }")[0] for part in text.split(" = for ")[1:]]


def test_the_backward_loop_multiplies_once_a_turn() -> None:
    compiled = vt.to_static(gradients(forwards))
    compiled(*arguments(3))
    loops = loops_of(str(compiled.dump()))
    assert "list_" not in "".join(loops)
    assert [loop.count("matmul") for loop in loops] == [1, 1]  # h @ wh; g @ wh^T


def test_a_length_that_is_given_late() -> None:
    compiled = vt.to_static(
        gradients(forwards), input_spec=[vt.static.InputSpec([None, 3, 5], "float64", stop_gradient=False),
                                         *(vt.static.InputSpec(a.shape, "float64", stop_gradient=False)
                                           for a in arguments(3)[1:])],
    )  # fmt: skip
    for trip_count in (17, 30):
        args = arguments(3, trip_count)
        for found, expected in zip(compiled(*args), gradients(forwards)(*args), strict=True):
            np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-9, atol=1e-12)


def test_second_derivatives_of_a_loop() -> None:
    def step(x: vt.Tensor, *weights: vt.Tensor) -> vt.Tensor:
        loss = vt.square(forwards(x, *weights)).mean()
        (first,) = vt.grad(loss, [weights[1]], create_graph=True)
        return vt.grad(vt.square(first).sum(), [weights[1]])[0]

    args = arguments(2)
    np.testing.assert_allclose(vt.to_static(step)(*args).numpy(), step(*args).numpy(), rtol=1e-8, atol=1e-12)


def test_arrays_that_a_loop_fills_are_not_filled_before() -> None:
    text = LISTS.format(second=FOUR, twice="", last="more")
    executable = compile_program(parse_program(text))
    made: list[Operation] = [s.operation for s in executable.steps.steps if s.operation is not None]
    assert not [o for o in made if o.name == "full" and o.result.ndim == 2]
    (expected,), _ = interpret(parse_program(text), feeds_of(parse_program(text)), [])
    np.testing.assert_allclose(executable.run(feeds_of(parse_program(text)))[0], expected, rtol=1e-12)


PRODUCTS = """program @f(%x: f64[2, 6, 3], %w: f64[3, 4], %v: f64[4, 5], %z: f64[2, {size}, 5]) -> f64[2, {size}, 5] {{
  %n = constant {{data = dense<i64[], 4>}} : i64[]
  %last = constant {{data = dense<i64[], 5>}} : i64[]
  %s = full {{dtype = f64, fill_value = 0.5, shape = (2, 4)}} : f64[2, 4]
  %h, %all = for %n, %s, %z : f64[2, 4], f64[2, {size}, 5] (%turn: i64[], %now: f64[2, 4], %rows: f64[2, {size}, 5]) {{
    %at = {index} : i64[]
    %row = select %x, %at {{axis = 1}} : f64[2, 3]
    %in = matmul %row, %w {{transpose_x = false, transpose_y = false}} : f64[2, 4]
    %sum = add %in, %now : f64[2, 4]
    %next = tanh %sum : f64[2, 4]
    %made = matmul %next, %v {{transpose_x = false, transpose_y = false}} : f64[2, 5]
    %more = select_update %rows, %made, %{place} {{axis = 1}} : f64[2, {size}, 5]
    yield %next, %more
  }}
  return %all
}}"""


@pytest.mark.parametrize(
    ("size", "index", "place"),
    [(4, "add %turn, %n", "turn"), (6, "subtract %last, %turn", "at"), (6, "subtract %last, %turn", "turn")],
    ids=["all rows", "some, in reverse", "both ways"],
)
def test_products_before_and_behind_the_loop(size: int, index: str, place: str) -> None:
    text = PRODUCTS.format(size=size, index=index.replace("add %turn, %n", "subtract %last, %turn"), place=place)
    program = parse_program(text)
    assert SinkReductions().run(program)
    DeadCode().run(program)
    loop = next(o for o in program.body.operations if o.name == "for")
    assert "matmul" not in {o.name for o in loop.blocks[0].operations}
    check_same(program, parse_program(text))


@pytest.mark.parametrize("change", [("matmul %row, %w", "matmul %row, %u"), ("select %x, %at", "select %x, %odd")])
def test_products_that_stay_in_the_loop(change: tuple[str, str]) -> None:
    """A matrix of the turn; a row that is nowhere before it."""
    text = PRODUCTS.format(size=4, index="subtract %last, %turn", place="turn").replace(*change)
    extra = "%u = multiply %w, %w : f64[3, 4]\n    %odd = multiply %turn, %turn : i64[]"
    if "%u" in change[1]:
        extra = "%a = sum %now {axis = (0, 1), keepdim = false} : f64[]\n    %u = multiply %w, %a : f64[3, 4]"
    elif "%odd" in change[1]:
        extra = "%odd = remainder %turn, %n : i64[]"
    program = parse_program(text.replace("%row = ", extra + "\n    %row = "))
    before = parse_program(text.replace("%row = ", extra + "\n    %row = "))
    SinkReductions().run(program)
    loop = next(o for o in program.body.operations if o.name == "for")
    assert "matmul" in {o.name for o in loop.blocks[0].operations}
    check_same(program, before)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("name", ["SimpleRNN", "GRU", "LSTM"])
def test_training_of_recurrent_layers(name: str, direction: str) -> None:
    vt.seed(4)
    net = getattr(vt.nn, name)(3, 4, direction=direction)

    def step(x: vt.Tensor) -> list[vt.Tensor]:
        loss = vt.square(net(x)[0]).mean()
        return [loss, *vt.grad(loss, [x, *net.parameters()])]

    x = vt.to_tensor(np.random.default_rng(2).standard_normal((2, 9, 3)).astype("float32"), stop_gradient=False)
    for found, expected in zip(vt.to_static(step)(x), step(x), strict=True):
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-4, atol=1e-6)


HANDED_OUT = """program @f(%x: f64[4, 3], %s: f64[3]) -> ({types}) {{
  %n = constant {{data = dense<i64[], 3>}} : i64[]
  %one = constant {{data = dense<i64[], 1>}} : i64[]
  %zero = constant {{data = dense<i64[], 0>}} : i64[]
  %blank = full {{dtype = f64, fill_value = 0.0, shape = (4, 3)}} : f64[4, 3]
  %first = select_update %blank, %s, %zero {{axis = 0}} : f64[4, 3]
  %end, %all = for %n, %s, %first : f64[3], f64[4, 3] (%turn: i64[], %h: f64[3], %rows: f64[4, 3]) {{
    %at = add %turn, %one : i64[]
    %row = select %x, %at {{axis = 0}} : f64[3]
    %sum = add %h, %row : f64[3]
    %more = select_update %rows, %sum, %at {{axis = 0}} : f64[4, 3]
    yield %sum, %more
  }}
  %twice = multiply %all, %first : f64[4, 3]
  return {fetches}
}}"""


@pytest.mark.parametrize(
    ("fetches", "copies"),
    [("%all", 0), ("%all, %all", 1), ("%all, %end", 0), ("%twice, %all", 1), ("%first, %all", 1)],
    ids=["once", "twice", "two", "start read later", "start too"],
)
def test_what_a_loop_fills_is_filled_where_it_is_handed_out(fetches: str, copies: int) -> None:
    kinds = {"%end": "f64[3]"}
    text = HANDED_OUT.format(
        fetches=fetches, types=", ".join(kinds.get(name, "f64[4, 3]") for name in fetches.split(", "))
    )
    program = parse_program(text)
    feeds = feeds_of(program)
    expected, _ = interpret(program, feeds, [])
    executable = compile_program(program)
    for _ in range(2):
        for found, wanted in zip(executable.run(feeds), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
    whole = [s for s in executable.steps.steps if isinstance(s, CopyStep) and s.source and s.source.kind.rank == 2]
    assert len(whole) == copies


@pytest.mark.parametrize("start", [0.0, 1.0, -0.5])
def test_a_sum_that_goes_behind_the_loop_keeps_what_it_started_from(start: float) -> None:
    filled = f"%ones = full {{dtype = f64, fill_value = {start}, shape = (3, 4)}} : f64[3, 4]\n  %n ="
    text = sums().replace("%n =", filled, 1).replace("%d, %z : f64[2, 4]", "%d, %ones : f64[2, 4]")
    program, before = parse_program(text), parse_program(text)
    assert SinkReductions().run(program)
    check_same(program, before)


def read_and_replaced(x, u):
    y = x * 1.0
    for k in range(203):
        y[k - 3] = y[k - 3] * 0.5 + u[k]
    return y[100], y[199]


def read_up_to_a_row(x, u):
    y = x * 1.0
    for k in range(150):
        y[k - 3] = y[k - 3] * 0.5 + u[k]
    return y[199], y[160]


def added_up(x, u):
    total = x.sum()
    for k in range(203):
        total = total * 0.5 + x[k - 3] * u[k]
    return total


def read_while_it_is_filled(x, u):
    y, total = x * 1.0, vt.zeros([], "float64")
    for k in range(200):
        y[k] = u[k]
        total = total * 0.5 + y.sum()
    return y, total


@pytest.mark.parametrize("fn", [read_and_replaced, read_up_to_a_row, added_up, read_while_it_is_filled])
def test_rows_to_which_a_loop_comes_back(fn: Callable) -> None:
    """An index of -1 is the last one, and an array that a loop fills has the rows that it hasn't come to yet."""

    def slopes(x, u):
        made = fn(x, u)
        total = made if not isinstance(made, tuple) else made[0].sum() + made[1] * 2
        return [total, *vt.grad(total, [x, u])]

    rng = np.random.default_rng(0)
    given = [vt.to_tensor(rng.standard_normal(n), stop_gradient=False) for n in (200, 203)]
    for found, wanted in zip(vt.to_static(slopes)(*given), slopes(*given), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-12)
    made, wanted = (way(*given) for way in (vt.to_static(fn), fn))
    for one, other in zip(made, wanted, strict=True) if isinstance(wanted, tuple) else [(made, wanted)]:
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-12)
