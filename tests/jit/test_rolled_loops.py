"""Long loops that Python counts: loops of the program where the turns are alike, else turn by turn; the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.pytree import flatten
from vitrify.ir.walk import walk
from vitrify.ops.sizes import runtime_names

TURNS = 24
X = np.random.RandomState(0).randn(TURNS, 3).astype(np.float32)

vt.seed(0)
linear = nn.Linear(3, 3)
layers = nn.LayerList([nn.Linear(3, 3) for _ in range(TURNS)])
scales = [vt.to_tensor(np.full(3, 1 + k / 10, np.float32)) for k in range(TURNS)]


def moved(h, x, t):
    return vt.tanh(linear(h) + x[t]) * 0.5 + x.mean() * 0.1 - h * 0.1


# ---- turns that are alike


def sums_from_a_number(x):
    total = 0.0
    for t in range(TURNS):
        total = total + (x[t] * t / 10).sum() + vt.tanh(x).mean() * (t + 1) ** 2
    return total


def branches_on_tensors(x):
    h = x[0]
    for t in range(TURNS):
        if h.sum() > 0:
            h = moved(h, x, t)
        else:
            h = vt.sin(moved(h, x, t)) + 0.5
    return h


def appended(x):
    outs, h = [], x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        outs.append(h)
    return vt.stack(outs), vt.stack(outs, axis=1), vt.concat(outs), outs[3], outs[-1], len(outs)


def appended_after_others(x):
    outs, h = [x[0], x[1]], x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        outs.append(h)
    return vt.stack(outs), vt.stack(outs[::-1]), sum(outs), vt.stack(outs[1:])


def appended_structures(x):
    outs, h = [[], []], x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        outs[0].append(h)
        outs[1].append({"sum": h.sum(), "both": (h, [h * 2])})
    return vt.stack(outs[0]), outs[1]


def extended_in_place(x):
    outs, h = [], x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        outs += [h]
    return vt.stack(outs)


class Holder:
    pass


def attributes_backwards(x):
    holder = Holder()
    holder.h, holder.last = x[0], None
    for t in range(TURNS - 1, -1, -1):
        holder.h = moved(holder.h, x, t)
        holder.last = holder.h * 2
    return holder.h, holder.last


def a_best_that_starts_as_none(x):
    h, best = x[0], None
    for t in range(TURNS):
        h = moved(h, x, t)
        best = h if best is None else vt.maximum(best, h)
    return best


def short_loops_inside(x):
    h = x[0]
    for t in range(TURNS):
        for k in range(3):
            h = moved(h, x, t) * (k + 1)
    return h


def writes_in_place(x):
    h = x.clone()
    for t in range(1, TURNS):
        h[t] = h[t - 1].clone() * 0.5 + vt.tanh(linear(h[t].clone())) + h.mean() * 0.1
    return h


def swaps(x):
    a, b = x[0], x[1]
    for t in range(TURNS):
        a, b = b, moved(a, x, t) + b * 0.3
    return a, b


def random_numbers(x):
    h = x[0]
    for t in range(TURNS):
        h = nn.functional.dropout(moved(h, x, t), 0.3)
    return h


def gradients_inside(x):
    w = x[0].detach().clone()
    w.stop_gradient = False
    for t in range(TURNS):
        loss = ((w - x[t].detach()) ** 2).sum() * 0.5 + vt.sin(w).sum()
        (slope,) = vt.grad([loss], [w])
        w = (w - 0.1 * slope).detach()
        w.stop_gradient = False
    return w


# ---- turns that aren't


def counters(x):
    h, n = x[0], 0
    for t in range(TURNS):
        n += t
        h = moved(h, x, t)
    return h, n


def decided_by_the_number(x):
    h = x[0]
    for t in range(TURNS):
        h = moved(h, x, t) if t % 2 else vt.sin(moved(h, x, t))
    return h


def layers_by_number(x):
    h = x[0]
    for t in range(TURNS):
        h = vt.tanh(layers[t](h)) + moved(h, x, t)
    return h


def tensors_of_a_list(x):
    h = x[0]
    for t in range(TURNS):
        h = moved(h, x, t) * scales[t]
    return h


def reads_what_it_appends(x):
    outs = [x[0]]
    for t in range(TURNS):
        outs.append(moved(outs[-1], x, t))
    return vt.stack(outs)


def measures_what_it_appends(x):
    outs, h = [], x[0]
    for t in range(TURNS):
        h = moved(h, x, t) * (len(outs) + 1)
        outs.append(h)
    return vt.stack(outs)


def new_lists(x):
    outs, h = [], x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        outs = [*outs, h]
    return vt.stack(outs)


def appends_on_some_paths(x):
    outs, h = [], x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        if h.sum() > 0:
            outs.append(h)
        else:
            outs.append(h * 2)
    return vt.stack(outs)


def dictionaries(x):
    found, h = {}, x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        found[t] = h
    return found


def looked_up(x):
    h, known = x[0], {3: 5.0}
    for t in range(TURNS):
        h = moved(h, x, t) * known.get(t, 2.0) - (1 if t in {1, 2} else 0)
    return h


def sizes_of_turns(x):
    h = x[0]
    for t in range(TURNS):
        h = moved(h, x, t) + x[: t + 1].sum(0) * 0.1
    return h


def numbers_of_a_list(x):
    values, h = [], x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        values.append(float(h.sum()))
    return values


def the_number_afterwards(x):
    h = x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
    return h * t, t


def ended_early(x):
    h = x[0]
    for t in range(TURNS):
        h = moved(h, x, t)
        if t == 10:
            break
    return h


class Twice(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def callbacks(x):
    h = x[0]
    for t in range(TURNS):
        h = Twice.apply(moved(h, x, t)) * 0.4
    return h


ROLLED = [
    sums_from_a_number, branches_on_tensors, appended, appended_after_others, appended_structures, extended_in_place,
    attributes_backwards, a_best_that_starts_as_none, short_loops_inside, writes_in_place, swaps, random_numbers,
    gradients_inside,
]  # fmt: skip
UNROLLED = [
    counters, decided_by_the_number, layers_by_number, tensors_of_a_list, reads_what_it_appends,
    measures_what_it_appends, new_lists, appends_on_some_paths, dictionaries, looked_up, sizes_of_turns,
    numbers_of_a_list, the_number_afterwards, ended_early, callbacks,
]  # fmt: skip


def tensors_in(value: Any) -> list[Any]:
    return flatten(value, lambda v: isinstance(v, (vt.Tensor, int, float)))[0]


def with_gradients(function: Callable[..., Any]) -> Callable[..., Any]:
    def step(x):
        made = function(x)
        losses = [(v * v).sum() for v in tensors_in(made) if isinstance(v, vt.Tensor) and not v.stop_gradient]
        return made, vt.grad([sum(losses)], [x, linear.weight], allow_unused=True) if losses else None

    return step


@pytest.mark.parametrize(
    ("function", "gradients"),
    [*((f, False) for f in (*ROLLED, *UNROLLED)), *((f, True) for f in (*ROLLED, callbacks))],
    ids=lambda v: v.__name__ if callable(v) else "gradient" if v else "forward",
)
def test_a_long_loop_gives_what_its_turns_give(function: Callable[..., Any], gradients: bool) -> None:
    x = vt.to_tensor(X, stop_gradient=False)
    code = with_gradients(function) if gradients else function
    vt.seed(7)
    expected = code(x)
    compiled = vt.jit.to_static(code)
    vt.seed(7)
    found = compiled(x)
    alike = (vt.Tensor, int, float)
    (ours, tree), (theirs, other) = (flatten(v, lambda v: isinstance(v, alike)) for v in (found, expected))
    assert tree == other
    for a, b in zip(ours, theirs, strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-4, atol=2e-5)
    if not gradients:
        loops = [o for o in walk(compiled.program.body) if o.name == "for"]
        assert bool(loops) is (function in ROLLED)


def long(turns: int) -> Any:
    @vt.jit.to_static
    def function(x):
        outs, h = [], x[0]
        for t in range(turns):
            h = vt.tanh(linear(h) + x[t])
            outs.append(h)
        loss = vt.stack(outs).sum()
        loss.backward()
        linear.clear_gradients()
        return loss

    function(vt.to_tensor(np.ones((turns, 3), np.float32)))
    return function


def test_the_program_of_many_turns_is_as_short_as_that_of_few() -> None:
    few, many = (sum(1 for _ in walk(long(turns).program.body)) for turns in (40, 400))
    assert few == many


def test_few_operations_stay_unrolled() -> None:
    @vt.jit.to_static
    def function(x):
        for _ in range(20):
            x = x - 0.1 * x**3
        return x

    function(vt.to_tensor(X))
    assert not [o for o in walk(function.program.body) if o.name == "for"]


def test_an_error_after_the_loop_is_the_users() -> None:
    @vt.jit.to_static
    def function(x):
        h = x[0]
        for t in range(TURNS):
            h = moved(h, x, t)
        raise LookupError(f"nothing after {len(x.shape)} axes")

    with pytest.raises(LookupError, match="nothing after 2 axes"):
        function(vt.to_tensor(X))


def rows_of_a_tensor(x):
    outs, h, at = [], x[0] * 0, []
    for t, row in enumerate(x):
        if h.sum() > 0:
            h = h * 0.9
        h = vt.tanh(linear(h) + row)
        outs.append(h)
        at.append({"t": vt.to_tensor(t), "both": (h, row)})
    first, *_, last = outs
    return vt.stack(outs, 1), first, last, len(outs), at


@pytest.mark.parametrize("turns", [2, TURNS])
def test_a_list_that_the_rows_of_a_tensor_fill_has_a_known_length(turns: int) -> None:
    x = vt.to_tensor(X[:turns], stop_gradient=False)
    for code in (rows_of_a_tensor, with_gradients(rows_of_a_tensor)):
        expected, compiled = code(x), vt.jit.to_static(code)
        for a, b in zip(tensors_in(compiled(x)), tensors_in(expected), strict=True):
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-4, atol=2e-5)
        sizes = {name for o in walk(compiled.program.body) for r in o.results for name in runtime_names(r.type)}
        assert not sizes


@pytest.mark.parametrize("kind", [nn.SimpleRNN, nn.GRU, nn.LSTM], ids=lambda k: k.__name__)
@pytest.mark.parametrize("lengths", [None, [40, 3, 17]])
def test_recurrent_layers(kind: type[Any], lengths: list[int] | None) -> None:
    vt.seed(1)
    network = kind(4, 5, num_layers=2, direction="bidirect")
    x = vt.to_tensor(np.random.RandomState(1).randn(3, 40, 4).astype(np.float32))
    given = None if lengths is None else vt.to_tensor(lengths)

    def step(x):
        outputs, states = network(x, sequence_length=given)
        (outputs**2).mean().backward()
        slopes = [p.grad.clone() for p in network.parameters()]
        network.clear_gradients()
        return outputs, states, slopes

    expected, compiled = step(x), vt.jit.to_static(step)
    for a, b in zip(tensors_in(compiled(x)), tensors_in(expected), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-6)
    assert len([o for o in compiled.program.body.operations if o.name == "for"]) >= 4
