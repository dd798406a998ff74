"""The kernels of attention: against the same in products and softmax, any sizes, masks, layouts and threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops import rows
from vitrify.ops.attention import decomposed, decomposed_gradient
from vitrify.runtime.vm import team

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Case:
    """Sizes: batch, queries, keys, heads, heads of keys, size of a head."""

    sizes: tuple[int, int, int, int, int, int]
    dtype: str = "float32"
    heads: int = 2
    causal: bool = False
    mask: str = ""

    def shape(self, length: int, heads: int) -> tuple[int, ...]:
        batch, *_, size = self.sizes
        return (batch, length, heads, size) if self.heads == 2 else (batch, heads, length, size)

    def arrays(self) -> list[Array]:
        """q, k, v, mask if there is one, and a gradient."""
        b, n, m, h, shared, _ = self.sizes
        rng = np.random.default_rng(n + 7 * m)
        made = [rng.standard_normal(self.shape(*s)).astype(self.dtype) for s in ((n, h), (m, shared), (m, shared))]
        if self.mask == "bool":
            made.append(rng.random((b, 1, n, m)) > 0.4)
            made[-1][..., 0] = True
        elif self.mask:
            shape = {"added": (1, h, n, m), "keys": (b, 1, 1, m)}[self.mask]
            made.append(np.where(rng.random(shape) > 0.4, 0.5, -np.inf).astype(self.dtype))
            made[-1][..., 0] = 1.0
        return [*made, rng.standard_normal(self.shape(n, h)).astype(self.dtype)]

    @property
    def attrs(self) -> dict[str, Any]:
        return {"scale": self.sizes[-1] ** -0.5, "causal": self.causal, "heads": self.heads}


CASES = [
    Case((2, 65, 131, 2, 2, 32)),
    Case((1, 70, 33, 4, 2, 24), "float64", mask="bool"),
    Case((2, 130, 150, 2, 1, 20), heads=1, causal=True, mask="added"),
    Case((1, 9, 200, 2, 2, 64), "float64", heads=1, mask="keys"),
    Case((1, 150, 40, 1, 1, 16), causal=True),
    Case((2, 1, 17, 3, 3, 256)),
    Case((1, 1, 1, 1, 1, 1), "float64"),
    Case((2, 3, 0, 2, 2, 8)),
    Case((2, 0, 3, 2, 2, 8)),
]


def fused(attrs: dict[str, Any]) -> Any:
    def both(q: Any, k: Any, v: Any, *rest: Any) -> Any:
        *mask, g = rest
        out, sums = rows.attention(q, k, v, mask, **attrs)
        return (out, sums, *rows.attention_grad(g, q, k, v, out, sums, mask, **attrs))

    return both


def spelled(attrs: dict[str, Any], *values: Any) -> list[Any]:
    """Eagerly, in other rows."""
    q, k, v, *mask, g = values
    out, sums = decomposed(q, k, v, *mask, **attrs)
    return [out, sums, *decomposed_gradient(g, q, k, v, out, sums, *mask, **attrs)]


def check(found: Any, expected: Any, dtype: str) -> None:
    bound = 1e-12 if dtype == "float64" else 2e-5
    for name, a, b in zip(("out", "sums", "to q", "to k", "to v"), found, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=bound, atol=bound, err_msg=name)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_kernels_give_what_products_and_softmax_give(case: Case) -> None:
    arrays = [vt.to_tensor(a) for a in case.arrays()]
    found = vt.jit.to_static(fused(case.attrs))(*arrays)
    if 0 in case.sizes:  # softmax over nothing has no maximum
        assert all(not np.isnan(x.numpy()).any() for x in (found[0], *found[2:]))
        assert all(not x.numpy().any() for x in (found[0], *found[2:]))
        return
    check(found, spelled(case.attrs, *arrays), case.dtype)


def test_sizes_that_only_a_call_knows() -> None:
    cases = [Case((b, n, m, 2, 2, 12), causal=n == 5) for b, n, m in ((1, 70, 140), (3, 9, 20), (2, 128, 128))]
    specs = [[None, None, 2, 12], [None, None, 2, 12], [None, None, 2, 12], [None, None, 2, 12]]
    compiled = vt.jit.to_static(fused(cases[0].attrs), input_spec=[vt.static.InputSpec(s, "float32") for s in specs])
    for case in cases:
        arrays = [vt.to_tensor(a) for a in case.arrays()]
        check(compiled(*arrays), spelled(case.attrs, *arrays), case.dtype)


def test_a_query_that_may_look_at_nothing_gives_nan_and_leaves_the_others_alone() -> None:
    case = Case((1, 3, 4, 1, 1, 8))
    q, k, v, g = case.arrays()
    mask = np.ones((1, 1, 3, 4), bool)
    mask[0, 0, 1] = False
    values = [vt.to_tensor(a) for a in (q, k, v, mask, g)]
    out, *_ = vt.jit.to_static(fused(case.attrs))(*values)
    expected, *_ = spelled(case.attrs, *values)
    assert np.isnan(out.numpy()[0, 1]).all()
    np.testing.assert_allclose(out.numpy(), expected.numpy(), rtol=2e-5)


def test_keys_that_the_first_blocks_hide_are_found_later() -> None:
    """The running maximum is -inf for the whole first block of keys."""
    case = Case((1, 4, 300, 1, 1, 8))
    q, k, v, g = case.arrays()
    mask = np.where(np.arange(300) < 290, -np.inf, 0.0).astype("float32").reshape(1, 1, 1, 300)
    values = [vt.to_tensor(a) for a in (q, k, v, mask, g)]
    check(vt.jit.to_static(fused(case.attrs))(*values), spelled(case.attrs, *values), "float32")


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    case = Case((2, 65, 131, 2, 2, 32))
    arrays = [vt.to_tensor(a) for a in case.arrays()]
    compiled = vt.jit.to_static(fused(case.attrs))
    before, made = team.get_num_threads(), []
    try:
        for count in (1, 2, 3):
            team.set_num_threads(count)
            made.append([x.numpy().copy() for x in compiled(*arrays)])
    finally:
        team.set_num_threads(before)
    for others in made[1:]:
        for a, b in zip(made[0], others, strict=True):
            np.testing.assert_array_equal(a, b)


def test_no_buffer_is_as_large_as_the_scores() -> None:
    length = 256

    def step(q: Any, k: Any, v: Any) -> Any:
        for x in (q, k, v):
            x.stop_gradient = False
        out = vt.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return vt.grad([out], [q, k, v], [out * 2.0])

    case = Case((1, length, length, 2, 2, 16))
    arrays = [vt.to_tensor(a) for a in case.arrays()[:3]]
    compiled = vt.jit.to_static(step)
    compiled(*arrays)
    scores = 2 * length * length * 4
    assert compiled.memory_plan.peak < scores / 2, compiled.memory_plan


def test_layers_and_functions_use_it() -> None:
    layer = vt.nn.MultiHeadAttention(16, 2)
    layer.eval()
    program = vt.jit.to_static(lambda x: layer(x), input_spec=[vt.static.InputSpec([None, 7, 16], "float32")]).program
    names = [o.name for o in program.body.operations]
    assert names.count("attention") == 1
    assert "exp" not in names


@pytest.mark.parametrize(
    ("shape", "mask"), [((2, 5, 2, 600), None), ((2, 5, 2, 8), "learned")], ids=["wide heads", "mask with a gradient"]
)
def test_what_the_kernels_do_not_take_is_computed_by_products(shape: tuple[int, ...], mask: str | None) -> None:
    x = vt.to_tensor(np.random.default_rng(0).standard_normal(shape).astype("float32"))
    bias = vt.zeros([2, 2, 5, 5])
    bias.stop_gradient = False

    def call(x: Any) -> Any:
        return vt.nn.functional.scaled_dot_product_attention(x, x, x, bias if mask else None)

    compiled = vt.jit.to_static(call)
    np.testing.assert_allclose(compiled(x).numpy(), call(x).numpy(), rtol=2e-5, atol=2e-6)
    assert "attention" not in [o.name for o in compiled.program.body.operations]


def test_gradients_of_masks_are_added_up_where_they_were_broadcast() -> None:
    q, k, v = (vt.to_tensor(a) for a in Case((2, 3, 4, 2, 2, 8), "float64").arrays()[:3])
    bias = vt.zeros([1, 2, 3, 4], "float64")
    bias.stop_gradient = False
    by_row, _ = rows.attention(q, k, v, [bias], scale=0.3, causal=False, heads=2)
    by_rows = decomposed(q, k, v, bias, scale=0.3, causal=False, heads=2)[0]
    (a,), (b,) = (vt.grad([y.square().sum()], [bias]) for y in (by_row, by_rows))
    np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-10)
