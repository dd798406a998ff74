"""Which calls share a program: sizes that become symbols, guards on them, InputSpecs."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import InputSpec


def ones(*shape: int, dtype: str = "float32") -> Any:
    return vt.to_tensor(np.ones(shape, dtype))


def test_another_batch_size_leads_to_one_more_program_and_no_other() -> None:
    f = vt.to_static(lambda x: (x * 2).sum(1))
    for size in (8, 4, 5, 6, 7, 1, 8, 100):
        assert f(ones(size, 3)).tolist() == [6.0] * size
    assert f.get_traced_count() == 2
    assert "axis 0 of x was 8, now 4: its size became a symbol" in f.explain()


def test_axes_become_symbols_one_by_one() -> None:
    f = vt.to_static(lambda x: x.sum())
    for shape in ((2, 3), (4, 3), (5, 3), (5, 6), (7, 8)):
        assert float(f(ones(*shape))) == np.prod(shape)
    assert f.get_traced_count() == 3


def test_sizes_that_go_together_share_a_symbol() -> None:
    f = vt.to_static(lambda x, y: x + y)
    for size in (2, 3, 4):
        f(ones(size), ones(size))
    assert f.get_traced_count() == 2
    assert str(f.program.feed_values[0].type) == str(f.program.feed_values[1].type) == "f32[N]"
    assert f(ones(4), ones(1)).tolist() == [2.0] * 4  # the shared symbol doesn't hold here
    assert f(ones(5), ones(5)).tolist() == [2.0] * 5
    assert f.get_traced_count() <= 4


def test_a_comparison_of_sizes_is_a_guard() -> None:
    def f(x: Any) -> Any:
        if x.shape[0] > 10:
            return x.sum()
        return x * 2

    g = vt.to_static(f)
    for size in (2, 3, 4, 20, 30, 5, 40, 11, 10):
        x = ones(size)
        assert g(x).tolist() == f(x).tolist()
    assert g.get_traced_count() == 3
    assert ">= 0" in g.explain()


def test_dtype_rank_and_flags_belong_to_the_key() -> None:
    f = vt.to_static(lambda x: x + 1)
    f(ones(3))
    f(ones(3, dtype="float64"))
    f(ones(3, 1))
    x = ones(3)
    x.stop_gradient = False
    f(x)
    assert f.get_traced_count() == 4
    f(ones(3))
    assert f.get_traced_count() == 4


def test_an_input_spec_gives_symbols_from_the_start() -> None:
    f = vt.to_static(lambda x: x * 2, input_spec=[InputSpec([None, 3], name="x")])
    for size in (1, 2, 3, 9):
        assert f(ones(size, 3)).shape == [size, 3]
    assert f.get_traced_count() == 1


def test_calls_outside_the_spec_have_programs_of_their_own() -> None:
    f = vt.to_static(lambda image, k: image * k, input_spec=[InputSpec([None, 3])])
    assert f(ones(2, 3), 2).tolist() == [[2.0] * 3] * 2
    with pytest.warns(
        vt.jit.InputSpecWarning, match=r"argument image of .*expects shape \[\?, 3\], got \[2, 4\]"
    ) as told:
        assert f(ones(2, 4), 2).tolist() == [[2.0] * 4] * 2
    assert [w.filename for w in told] == [__file__]
    assert "image doesn't fit its input_spec" in f.explain()
    with pytest.warns(vt.jit.InputSpecWarning, match=r"expects shape \[\?, 3\], got \[3\]"):
        assert f(ones(3), 2).tolist() == [2.0] * 3
    assert f.get_traced_count() == 3
    for size in (5, 6, 7):  # warned once, and sizes become symbols as in any function
        assert f(ones(2, size), 2).shape == [2, size]
        assert f(ones(size, 3), 2).shape == [size, 3]
    assert f.get_traced_count() == 4
    with pytest.raises(ValueError, match="but the call gives int"):
        f(3, 2)


def test_a_call_of_another_dtype_keeps_the_open_sizes_of_the_spec() -> None:
    f = vt.to_static(lambda image, k: image * k, input_spec=[InputSpec([None, 3], "float32")])
    with pytest.warns(vt.jit.InputSpecWarning, match=r"argument image of .*expects float32\[\?, 3\], got float64"):
        assert f(ones(2, 3, dtype="float64"), 2).dtype.name == "float64"
    for size in (1, 4, 7):
        assert f(ones(size, 3, dtype="float64"), 2).shape == [size, 3]
    assert f.get_traced_count() == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", vt.jit.InputSpecWarning)
        for _ in range(2):  # who makes it an error has one in every call
            with pytest.raises(vt.jit.InputSpecWarning, match="got int64"):
                f(ones(2, 3, dtype="int64"), 2)
    assert f.concrete_program.inputs[0].dtype.name == "float64"
    assert f.get_traced_count() == 1


def test_a_spec_is_what_is_saved_whatever_calls_came(tmp_path: Path) -> None:
    f = vt.to_static(lambda image: image * 2, input_spec=[InputSpec([None, 3], "float32")])
    with pytest.warns(vt.jit.InputSpecWarning):
        f(ones(2, 3, 4, dtype="float64"))
    vt.jit.save(f, str(tmp_path / "doubled"))
    again = vt.jit.load(str(tmp_path / "doubled"))
    assert again(ones(5, 3)).shape == [5, 3]
    with pytest.raises(ValueError, match="image"):
        again(ones(2, 3, 4))


def test_a_spec_without_a_dtype_leaves_it_open() -> None:
    f = vt.to_static(lambda image: image * 2, input_spec=[InputSpec([None, 3])])
    for dtype in ("int64", "float32"):
        assert f(ones(2, 3, dtype=dtype)).dtype.name == dtype
    assert f.concrete_program.inputs[0].dtype.name == "float32"


def test_specs_nest_like_the_arguments() -> None:
    spec = [[InputSpec([None]), InputSpec([None])], {"k": InputSpec([], "int64")}]
    f = vt.to_static(lambda pair, table: pair[0].sum() + pair[1].sum() * table["k"], input_spec=spec)
    assert float(f([ones(2), ones(3)], {"k": vt.to_tensor(2)})) == 8
    assert float(f([ones(5), ones(5)], {"k": vt.to_tensor(0)})) == 5
    assert f.get_traced_count() == 1
    with pytest.raises(ValueError, match="has 2 entries for pair"):
        f([ones(2)], {"k": vt.to_tensor(2)})
    with pytest.raises(TypeError, match="must be a list or tuple"):
        vt.to_static(lambda x: x, input_spec=InputSpec([2]))


def test_keyword_arguments_beyond_a_spec_are_refused() -> None:
    f = vt.to_static(lambda x, *, k=1: x * k, input_spec=[InputSpec([3])])
    with pytest.raises(ValueError, match="takes no keyword argument 'k'"):
        f(ones(3), k=2)


def test_a_program_from_the_spec_alone() -> None:
    f = vt.to_static(lambda x: x * 2, input_spec=[InputSpec([None, 3], "float64", "x")])
    assert str(f.program.feed_values[0].type) == "f64[N, 3]"
    assert f.get_traced_count() == 0
    with pytest.raises(ValueError, match="has no program yet"):
        _ = vt.to_static(lambda x: x).program


def test_explain_before_any_call() -> None:
    assert "not traced yet" in vt.to_static(lambda x: x).explain()


def test_many_programs_are_told() -> None:
    f = vt.to_static(lambda x: x * int(TEXT[0]))

    def many() -> None:
        for k in range(20):
            TEXT[0] = str(k)
            assert f(ones(1)).tolist() == [k]

    with pytest.warns(UserWarning, match=r"has 8 programs.*item 0 changed 7 times"):
        many()


TEXT = ["0"]


def test_an_open_size_that_is_one_broadcasts() -> None:
    f = vt.to_static(lambda x, y: x + y, input_spec=[InputSpec([None, 3], "float32"), InputSpec([None], "float32")])
    for size in (1, 3, 1):
        assert f(ones(2, 3), ones(size)).tolist() == [[2.0] * 3] * 2
    assert f.get_traced_count() == 2
    with pytest.raises(ValueError, match="don't broadcast"):
        f(ones(2, 3), ones(2))


def test_a_matrix_of_one_row() -> None:
    f = vt.to_static(lambda x, w: x @ w, input_spec=[InputSpec([None, None], "float32"), InputSpec([1, 1], "float32")])
    for rows in (1, 3):
        assert f(ones(rows, 1), ones(1, 1)).tolist() == [[1.0]] * rows
    with pytest.raises(ValueError, match="columns against 1 rows"):
        f(ones(2, 2), ones(1, 1))
