"""Reshaped arguments: views where their elements stay where they are, copies where they have to be moved, as eagerly."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def numbered(*shape: int) -> Any:
    return vt.to_tensor(np.arange(np.prod(shape), dtype="float32").reshape(shape))


LIE: dict[str, Callable[..., Any]] = {
    "in order": lambda n, m: numbered(n, m),
    "transposed": lambda n, m: numbered(m, n).T,
    "with steps": lambda n, m: numbered(2 * n, 2 * m)[:, ::2][::2],
    "inside": lambda n, m: numbered(n + 2, m + 2)[1:-1, 1:-1],
    "rows": lambda n, m: numbered(n + 2, m)[1:-1],
}


def seen(fn: Callable[..., Any], x: Any) -> list[Any]:
    """What a call leaves in its argument and gives, and the same after a write to each result, and to the argument."""
    results = fn(x)
    found = [x.tolist(), *[y.tolist() for y in results]]
    for written in (*results, x):
        written.add_(vt.to_tensor(100.0))
        found += [x.tolist(), *[y.tolist() for y in results]]
    return found


def check(fn: Callable[..., Any], sizes: Sequence[tuple[int, int]] = ((2, 3),) * 2) -> Any:
    compiled = vt.to_static(fn)
    for n, m in sizes:
        for name, make in LIE.items():
            assert seen(compiled, make(n, m)) == seen(fn, make(n, m)), (name, n, m)
    return compiled


def write_reshaped(x: Any) -> Any:
    z = x.reshape([-1])
    z[0] = 9.0
    return (x * 1,)


def write_argument(x: Any) -> Any:
    z = x.flatten()
    x[0, 0] = 9.0
    return (z * 2,)


def write_transposed(x: Any) -> Any:
    z = x.T.reshape([-1])
    w = z[1:]
    w[1] = 9.0
    return (x * 1,)


def give_reshaped(x: Any) -> Any:
    return x.reshape([-1]), x.T.reshape([-1])


def in_branch(x: Any) -> Any:
    z = x.reshape([-1]) if x.sum() > 0 else x.reshape([-1])[:]
    z[0] = 9.0
    return (x * 1,)


def made_inside(x: Any) -> Any:
    y = (x * 2).T
    z = y.reshape([-1])
    z[0] = 9.0
    return y, z


@pytest.mark.parametrize(
    "fn", [write_reshaped, write_argument, write_transposed, give_reshaped, in_branch, made_inside]
)
def test_a_write_reaches_what_it_reaches_eagerly(fn: Callable[..., Any]) -> None:
    check(fn)


@pytest.mark.parametrize("fn", [write_reshaped, write_transposed, give_reshaped])
@pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")  # each kind is compiled
def test_sizes_that_vary(fn: Callable[..., Any]) -> None:
    check(fn, [(2, 3), (3, 3), (4, 5), (5, 2)])


def test_a_view_of_each_kind_is_one_program_whatever_the_sizes() -> None:
    compiled = vt.to_static(write_reshaped)
    for n in range(2, 12):
        compiled(LIE["in order"](n, 3))
        compiled(LIE["transposed"](n, 3))
    assert len(compiled.program_cache) == 4  # of the first sizes, and of all others


def test_a_function_that_reads_is_one_program() -> None:
    compiled = vt.to_static(lambda x: (x.reshape([-1]) * 2).sum() + x.T.flatten()[0])
    for make in LIE.values():
        x = make(2, 3)
        assert compiled(x).item() == 2 * float(x.sum()) + float(x[0, 0])
    assert len(compiled.program_cache) == 1


def test_code_asks_whether_elements_are_in_order() -> None:
    def fn(x: Any) -> Any:
        return x * 2 if x.is_contiguous() else x * 3

    compiled = vt.to_static(fn)
    for make in LIE.values():
        assert compiled(make(2, 3)).tolist() == fn(make(2, 3)).tolist()


class Holder:
    def __init__(self) -> None:
        self.x = numbered(2, 3)


def test_a_tensor_from_outside_that_is_replaced() -> None:
    holder = Holder()

    def fn(y: Any) -> Any:
        z = holder.x.reshape([-1])
        z[0] = 9.0
        return z.sum() + y

    compiled = vt.to_static(fn)
    for name in ("in order", "transposed", "with steps", "in order", "transposed"):
        found = []
        for call in (fn, compiled):
            holder.x = x = LIE[name](2, 3)
            found.append((call(numbered(1)).tolist(), x.tolist()))
        assert found[0] == found[1], name


def test_a_written_argument_and_a_result_that_is_a_view_of_it() -> None:
    def fn(x: Any) -> Any:
        z = x.reshape([-1])
        z[0] = 9.0
        return z

    x = numbered(2, 6)[:, ::2]  # one step from each element to the next
    z = vt.to_static(fn)(x)
    z[1] = 7.0
    assert x.tolist() == [[9.0, 7.0, 4.0], [6.0, 8.0, 10.0]]
    assert z.tolist() == [9.0, 7.0, 4.0, 6.0, 8.0, 10.0]


# ---- programs by chance

STEPS = (
    "{v}.reshape([-1])", "{v}.reshape([2, -1])", "{v}.reshape([-1, 3])", "{v}.flatten()", "{v}.T", "{v}[1:]",
    "{v}[..., ::2]", "{v}.unsqueeze(0)", "{v}.squeeze()", "{v}.detach()", "{v} * 2", "vt.diagonal({v})",
)  # fmt: skip
WRITES = ("{v}[...] = {k}", "{v}[0] = {k}", "{v}[..., -1] = {k}", "{v}.add_(vt.to_tensor({k}))")


def made_by(seed: int) -> Callable[..., Any] | None:
    """A function of some steps and writes; None where it makes no sense for a (4, 6) tensor."""
    rng, names = random.Random(seed), ["x"]
    lines = []
    for k in range(rng.randrange(3, 9)):
        v = rng.choice([*names[-2:], names[0]])
        if rng.random() < 0.4:
            lines.append(rng.choice(WRITES).format(v=v, k=f"{10.0 * k + 10}"))
        else:
            names.append(f"v{k}")
            lines.append(f"v{k} = {rng.choice(STEPS).format(v=v)}")
    given = [v for v in names[1:] if rng.random() < 0.5]
    text = "def fn(x):\n" + "".join(f"    {line}\n" for line in lines) + f"    return [{', '.join(given)}]\n"
    file = f"<strided {seed}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    space: dict[str, Any] = {"vt": vt}
    exec(compile(text, file, "exec"), space)
    fn: Callable[..., Any] = space["fn"]
    try:
        fn(numbered(4, 6))
    except (ValueError, IndexError, TypeError, vt.errors.VitrifyError):
        return None
    return fn


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_programs_by_chance(first: int) -> None:
    made = [fn for seed in range(first, first + 20) if (fn := made_by(seed)) is not None]
    assert len(made) > 5
    for fn in made:
        check(fn, [(4, 6)])


def test_a_view_of_what_is_a_view_on_some_path() -> None:
    def fn(x: Any) -> Any:
        part = x[1:] if x.sum() > 50 else x[:2]
        return part.transpose([1, 0])

    x = numbered(3, 3)
    y = vt.to_static(fn)(x)
    assert y.tolist() == fn(x).tolist()
    x.add_(vt.to_tensor(1.0))
    with pytest.raises(vt.errors.ArgumentError, match="on some paths a view"):
        y.tolist()
