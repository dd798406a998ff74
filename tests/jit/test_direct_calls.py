"""The function written for an entry: each of its assumptions broken in turn, and every structure of results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit.call import call_stubs
from vitrify.runtime import executable


def _warm(function: Any, *given: vt.Tensor) -> Any:
    for _ in range(3):
        made = function(*given)
    return made


STRUCTURES: dict[str, Callable[[vt.Tensor, vt.Tensor], Any]] = {
    "one": lambda x, y: x + y,
    "tuple": lambda x, y: (x + y, x - y),
    "list": lambda x, y: [x + y, x * 2.0, y],
    "the same twice": lambda x, y: (x + y,) * 2,
    "one in a tuple": lambda x, y: (x + y,),
    "a number beside": lambda x, y: (x + y, 3),
    "nested": lambda x, y: {"sum": x + y, "rest": [x, (y,)]},
    "constant": lambda x, y: "done",
    "an argument": lambda x, y: x,
}


def _plain(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return type(value)(_plain(v) for v in value) if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("size", [3, 50_000], ids=["small", "pooled"])
@pytest.mark.parametrize("name", STRUCTURES)
def test_results_have_the_structure_that_the_function_returns(name: str, size: int) -> None:
    function = STRUCTURES[name]
    x, y = vt.arange(0, size, dtype="float32"), vt.full([size], 0.5)
    made = _warm(vt.to_static(function), x, y)
    assert _plain(made) == _plain(function(x, y))
    if isinstance(made, tuple) and name == "the same twice":
        assert made[0] is made[1]


def test_sizes_other_than_the_usual_ones_find_their_own_tables() -> None:
    compiled = vt.to_static(lambda x: x.sum(0) * 2.0)
    for size in (3, 4, 3, 7, 4, 3):
        assert compiled(vt.ones([size, 2])).tolist() == [2.0 * size] * 2
    assert compiled.get_traced_count() == 2


def test_the_default_dtype_and_mixed_precision_are_seen() -> None:
    compiled = vt.to_static(lambda x: vt.ones([2]) + x.mean())
    x = vt.ones([2, 2])
    assert _warm(compiled, x).dtype == vt.float32
    vt.set_default_dtype("float64")
    try:
        assert compiled(x).dtype == vt.float64
    finally:
        vt.set_default_dtype("float32")
    assert compiled(x).dtype == vt.float32

    product = vt.to_static(lambda x: x @ x)
    _warm(product, x)
    with vt.amp.auto_cast(dtype="bfloat16"):
        assert product(x).dtype == vt.bfloat16
    assert product(x).dtype == vt.float32


def test_replaced_and_rewritten_weights_are_seen() -> None:
    net = vt.nn.Linear(2, 2, bias_attr=False)
    compiled = vt.to_static(net)
    x = vt.ones([1, 2])
    with vt.no_grad():
        _warm(compiled, x)
        net.weight.set_value(vt.full([2, 2], 3.0))
        assert compiled(x).tolist() == [[6.0, 6.0]]
        net.weight = vt.create_parameter([2, 2], "float32", default_initializer=vt.nn.initializer.Constant(5.0))
        assert compiled(x).tolist() == [[10.0, 10.0]]
        view = net.weight.reshape([4])  # sees what is written
        net.weight.scale_(2.0)
        assert compiled(x).tolist() == [[20.0, 20.0]]
        assert view.tolist() == [10.0] * 4


def test_a_tensor_that_is_also_written_state_is_read_as_it_was() -> None:
    total = vt.zeros([3])

    @vt.to_static
    def add(x: vt.Tensor) -> vt.Tensor:
        total.add_(x)
        return x * 10.0

    _warm(add, vt.ones([3]))
    assert total.tolist() == [3.0] * 3
    add(total)
    assert total.tolist() == [6.0] * 3
    assert total.inplace_version == 4


def test_written_state_that_another_tensor_shares_moves_first() -> None:
    total = vt.zeros([3])

    @vt.to_static
    def count() -> None:
        total.add_(vt.ones([3]))

    for _ in range(3):
        count()
    kept = total.snapshot()
    count()
    assert kept.tolist() == [3.0] * 3
    assert total.tolist() == [4.0] * 3


def test_who_stands_for_calls_gets_those_of_entries_made_before(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, other = vt.to_static(lambda x: x * 2.0), vt.to_static(lambda x: x * 3.0)
    x = vt.ones([2])
    _warm(compiled, x)
    seen = []

    def noting(bound: executable.Bound, feeds: Any, state: Any) -> Any:
        seen.append(bound.executable.program.name)
        return bound.call_natively(feeds, state)

    executable.call_by(noting)
    try:
        assert compiled(x).tolist() == [2.0, 2.0]
        assert _warm(other, x).tolist() == [3.0, 3.0]
    finally:
        executable.call_by(None)
    assert len(seen) == 4
    assert compiled(x).tolist() == [2.0, 2.0]
    assert other(x).tolist() == [3.0, 3.0]
    assert len(seen) == 4


def test_a_failing_call_gives_its_tables_back() -> None:
    @vt.to_static
    def checked(x: vt.Tensor) -> vt.Tensor:
        if x.sum() > 10.0:
            raise ValueError("too much")
        return x * 2.0

    few, many = vt.ones([2]), vt.full([2], 9.0)
    _warm(checked, few)
    for _ in range(3):
        with pytest.raises(ValueError, match="too much"):
            checked(many)
        assert checked(few).tolist() == [2.0, 2.0]
    assert [len(free) for free in checked._last.runner.free.values()] == [1]


def test_a_function_that_calls_itself_through_python_has_other_tables_inside() -> None:
    depth: list[float] = []

    class Again(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: vt.Tensor) -> vt.Tensor:
            depth.append(x.numpy()[0])
            return outer(x - 1.0) if depth[-1] > 0 else x * 1.0

        @staticmethod
        def backward(ctx: Any, g: vt.Tensor) -> vt.Tensor:
            return g

    @vt.to_static
    def outer(x: vt.Tensor) -> vt.Tensor:
        return Again.apply(x) + 1.0

    for _ in range(2):
        depth.clear()
        assert outer(vt.full([2], 3.0)).tolist() == [4.0, 4.0]
        assert depth[-4:] == [3.0, 2.0, 1.0, 0.0]


def test_entries_of_one_form_share_their_code() -> None:
    before = call_stubs._code.cache_info()
    x = vt.ones([2])
    for factor in (2.0, 3.0, 4.0):
        compiled = vt.to_static(lambda x, factor=factor: x * factor)
        _warm(compiled, x)
    after = call_stubs._code.cache_info()
    assert after.misses <= before.misses + 1
    assert after.hits >= before.hits + 2


def test_reference_numerics_and_background_compilation_take_the_long_way() -> None:
    x = vt.to_tensor([1.0, 2.0])
    assert _warm(vt.to_static(lambda x: x * 2.0, numerics="reference"), x).tolist() == [2.0, 4.0]
    function = vt.to_static(lambda x: x * 3.0, compile="background")
    assert _warm(function, x).tolist() == [3.0, 6.0]
    function._last.runner.executable.wait()
    assert _warm(function, x).tolist() == [3.0, 6.0]
