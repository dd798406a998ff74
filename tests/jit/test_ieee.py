"""Every element-wise operation of a program is that IEEE operation, rounded once, wherever its kernel puts it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.base.errors import ArgumentError
from vitrify.base.flags import Flags, flags

Array = np.ndarray[Any, Any]
DTYPES = [np.float32, np.float64]


def specials(dtype: Any) -> Array:
    """Zeros, infinities, NaN, subnormal and extreme numbers, and ordinary ones; an odd number of them."""
    facts = np.finfo(dtype)
    edges = [0.0, np.inf, facts.smallest_subnormal, 3 * facts.smallest_subnormal, facts.tiny, facts.max, 1.0, 1e-30]
    more = [np.nan, 0.1, 1.5, 2.25, 3.0, 1e25, 12345.678]
    return np.array([*edges, *(-e for e in edges), *more], dtype)


def pairs(dtype: Any) -> tuple[Array, Array]:
    first, second = np.meshgrid(specials(dtype), specials(dtype))
    return first.ravel(), second.ravel()


def magic(x: vt.Tensor) -> float:
    return 12582912.0 if x.dtype == "float32" else 6755399441055744.0


def reciprocal_root(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return 1.0 / vt.sqrt(x)


def rounded_by_a_sum(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return (x + magic(x)) - magic(x)


def divided_twice(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return x / y / y


def lost_of_a_sum(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    total = x + y
    back = total - x
    return (x - (total - back)) + (y - back)


def sign_of_a_zero(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return 1 / (0 - x)


def root_divided(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return x / vt.sqrt(x)


def left_over(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return vt.remainder(x, y)


def whole_quotient(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return vt.floor_divide(x, y)


def square_less(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return x * x - y


def square_less_square(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return x * x - x * x


def product_and_sum(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return x * y + 0.1 * x


def extremes(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return 1.0 / vt.maximum(x, y) + 1.0 / vt.minimum(x, y)


def cut_off(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return 1.0 / F.relu(x) - 1.0 / vt.clip(y, 0.0, 2.0)


FUNCTIONS: list[Callable[..., vt.Tensor]] = [
    reciprocal_root, rounded_by_a_sum, divided_twice, lost_of_a_sum, sign_of_a_zero, root_divided, left_over,
    whole_quotient, square_less, square_less_square, product_and_sum, extremes, cut_off,
]  # fmt: skip


def bits(x: Array) -> Array:
    """The number's bits; every NaN alike."""
    return np.where(np.isnan(x), np.full_like(x, np.nan), x).view(f"i{x.dtype.itemsize}")


def assert_same(fn: Callable[..., Any], *arrays: Array, **options: Any) -> None:
    """The function gives the same bits in eager mode and compiled."""
    eager = fn(*[vt.to_tensor(a) for a in arrays])
    made = vt.jit.to_static(fn, **options)(*[vt.to_tensor(a) for a in arrays])
    np.testing.assert_array_equal(bits(made.numpy()), bits(eager.numpy()))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fn", FUNCTIONS)
def test_vectors_have_the_bits_of_eager_mode(fn: Callable[..., vt.Tensor], dtype: Any) -> None:
    assert_same(fn, *pairs(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fn", FUNCTIONS)
def test_single_elements_have_the_bits_of_eager_mode(fn: Callable[..., vt.Tensor], dtype: Any) -> None:
    compiled = vt.jit.to_static(fn)
    for x, y in list(zip(*pairs(dtype), strict=True))[::3]:
        eager = fn(vt.to_tensor(np.array(x)), vt.to_tensor(np.array(y))).numpy()
        made = compiled(vt.to_tensor(np.array(x)), vt.to_tensor(np.array(y))).numpy()
        assert bits(made) == bits(eager), (x, y, made, eager)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fn", FUNCTIONS)
def test_loops_have_the_bits_of_eager_mode(fn: Callable[..., vt.Tensor], dtype: Any) -> None:
    def loop(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        for k in range(vt.to_tensor(3)):
            x = fn(x, y) + k
        return x

    assert_same(loop, *(a[:401] if dtype is np.float32 else np.tile(a, 40) for a in pairs(dtype)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 7), (2, 7), (3, 40), (64, 3), (64, 40)])
@pytest.mark.parametrize("axis", [0, 1])
def test_operations_before_and_after_a_sum_are_exact(axis: int, shape: tuple[int, int], dtype: Any) -> None:
    def total(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        whole = rounded_by_a_sum(x, y).sum(axis)  # of integers: exact in any order
        return divided_twice(1e30 * whole, 1e15 + 0 * whole) - sign_of_a_zero(whole, y)

    x = np.random.default_rng(3).uniform(-9, 9, shape).astype(dtype)
    assert_same(total, x, x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_operations_after_products_of_matrices_are_exact(dtype: Any) -> None:
    def after(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        return divided_twice(rounded_by_a_sum((x @ y) * 0.37, y), 3.0 + 0 * x[:, :1])

    rng = np.random.default_rng(4)
    x, y = (rng.integers(-4, 5, shape).astype(dtype) for shape in ((12, 5), (5, 21)))  # exact in any order
    assert_same(after, x, y)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("integer", ["int8", "uint8", "int16", "int32", "int64"])
def test_casts_to_integers_and_back_are_numpy_s_where_none_fits(integer: str, dtype: Any) -> None:
    def there_and_back(x: vt.Tensor) -> vt.Tensor:
        return 1.0 / vt.cast(vt.cast(x, integer), x.dtype)

    assert_same(there_and_back, np.concatenate([specials(dtype), np.array([-0.5, 300.7, 3e9, -3e9, 65536.5], dtype)]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_arctangent_knows_signed_zeros(dtype: Any) -> None:
    def angle(x: vt.Tensor) -> vt.Tensor:
        return vt.atan2(0 - x, x - 1)

    x = vt.to_tensor(np.array([0.0, -0.0], dtype))
    np.testing.assert_array_equal(np.sign(vt.jit.to_static(angle)(x).numpy()), np.sign(angle(x).numpy()))


def test_the_degrees_of_a_graph_with_an_isolated_node_normalise() -> None:
    def normalised(adjacency: vt.Tensor, x: vt.Tensor) -> vt.Tensor:
        scale = 1.0 / vt.sqrt(adjacency.sum(1, keepdim=True))
        scale = vt.where(vt.isinf(scale), 0.0, scale)
        return scale * (adjacency @ (scale * x))

    adjacency = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], np.float32)
    found = vt.jit.to_static(normalised)(vt.to_tensor(adjacency), vt.ones([3, 2]))
    np.testing.assert_array_equal(found.numpy(), [[1, 1], [1, 1], [0, 0]])


def test_a_compensated_sum_in_a_loop_keeps_what_it_compensates() -> None:
    def total(x: vt.Tensor) -> vt.Tensor:
        whole, lost = vt.zeros([1]), vt.zeros([1])
        for k in range(x.shape[0]):
            term = x[k] - lost
            larger = whole + term
            lost = (larger - whole) - term
            whole = larger
        return whole

    x = np.full(3000, 0.1, np.float32)
    made = vt.jit.to_static(total)(vt.to_tensor(x)).numpy()
    assert made[0] == np.float32(np.sum(x.astype(np.float64)))


def test_gradients_are_made_of_the_same_operations() -> None:
    def slope(x: vt.Tensor) -> vt.Tensor:
        (made,) = vt.grad((x / 3.0 / 7.0 * x).sum(), [x])
        return made

    x = vt.to_tensor(np.random.default_rng(5).normal(size=333).astype("float32"), stop_gradient=False)
    np.testing.assert_array_equal(vt.jit.to_static(slope)(x).numpy(), slope(x).numpy())


def trained(name: str, compiled: bool) -> Array:
    rng = np.random.default_rng(1)
    weight = vt.create_parameter([257], "float32")
    weight.set_value(rng.normal(size=257).astype("float32"))
    x = vt.to_tensor((rng.normal(size=257) * 10.0 ** rng.integers(-20, 15, 257)).astype("float32"))
    optimiser = getattr(vt.optimizer, name)(learning_rate=0.01, parameters=[weight])

    def step(x: vt.Tensor) -> None:
        (weight * x).sum().backward()
        optimiser.step()
        optimiser.clear_grad()

    run = vt.jit.to_static(step) if compiled else step
    for _ in range(3):
        run(x)
    return weight.numpy()


@pytest.mark.parametrize("name", ["Momentum", "Adam", "AdamW", "RMSProp", "NAdam"])
def test_optimisers_update_to_the_bits_of_eager_mode(name: str) -> None:
    np.testing.assert_array_equal(bits(trained(name, compiled=True)), bits(trained(name, compiled=False)))


@pytest.mark.parametrize("mode", ["ieee", "fast"])
def test_static_and_loaded_programs_have_the_numerics_of_the_process(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flags, "numerics", mode)
    x = np.float32(1) + np.float32(2**-12) * np.ones(64, np.float32)
    wanted = x * x - np.float32(1)

    def square(x: vt.Tensor) -> vt.Tensor:
        return x * x - 1.0

    vt.jit.save(square, str(tmp_path / "square"), input_spec=[vt.static.InputSpec([64], "float32")])
    loaded = vt.jit.load(str(tmp_path / "square"))(vt.to_tensor(x)).numpy()
    vt.enable_static()
    try:
        main = vt.static.Program()
        with vt.static.program_guard(main):
            out = square(vt.static.data("x", [64], "float32"))
        (ran,) = vt.static.Executor().run(main, feed={"x": x}, fetch_list=[out])
    finally:
        vt.disable_static()
    predictor = vt.inference.create_predictor(vt.inference.Config(str(tmp_path / "square")))
    (predicted,) = predictor.run([x])
    for found in (loaded, ran, predicted):
        assert (np.asarray(found) == wanted).all() == (mode == "ieee")


def test_the_dump_of_a_kernel_names_its_numerics() -> None:
    x = vt.ones([7])
    for mode in ("ieee", "fast"):
        fn = vt.jit.to_static(lambda x: x / 3.0 / x, numerics=mode)
        fn(x)
        assert all(f"# numerics: {mode}" in text for text in fn.kernels.values())
    plain = vt.jit.to_static(lambda x: x / 3.0 / x)
    plain(x)
    assert "# numerics: ieee" in str(plain.kernels)


def test_fast_numerics_may_contract_and_are_other_kernels() -> None:
    def fn(x: vt.Tensor) -> vt.Tensor:
        return x * x - 1.0

    x = vt.to_tensor(np.float32(1) + np.float32(2**-12) * np.ones(64, np.float32))
    exact, fast = (vt.jit.to_static(fn, numerics=mode)(x).numpy() for mode in ("ieee", "fast"))
    np.testing.assert_array_equal(exact, fn(x).numpy())
    assert (fast != exact).all()  # one rounding less


def test_an_unknown_mode_lists_those_that_there_are() -> None:
    with pytest.raises(ArgumentError, match="unknown numerics 'exact'") as caught:
        vt.jit.to_static(lambda x: x, numerics="exact")
    assert "'ieee', 'fast', 'reference'" in str(caught.value)


@pytest.mark.parametrize("name", ["VITRIFY_NUMERICS", "VITRIFY_COMPILE"])
def test_a_misspelt_environment_variable_lists_its_choices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "refrence")
    with pytest.raises(ArgumentError, match=f"{name} is 'refrence'(.|\n)*use one of"):
        Flags()
    monkeypatch.setenv(name, "")
    assert (Flags().numerics, Flags().compile) == ("ieee", "wait")


def test_a_literal_keeps_zeros_of_both_signs() -> None:
    def over_zeros(x: vt.Tensor) -> vt.Tensor:
        return x / -vt.to_tensor([0.0, -0.0, 0.0])

    np.testing.assert_array_equal(vt.to_static(over_zeros)(vt.ones([3])).numpy(), [-np.inf, np.inf, -np.inf])
