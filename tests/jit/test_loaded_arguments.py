"""Arguments of loaded programs: nested as they were when the program was saved, named, and checked by their names."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import vitrify as vt
from vitrify.errors import ArgumentError

SPEC = vt.InputSpec([None])
A, B = vt.to_tensor([5.0]), vt.to_tensor([1.0])


@dataclasses.dataclass
class Pair:
    u: Any
    v: Any
    factor: float = 2.0


class Twin(NamedTuple):
    u: Any
    v: Any


@pytest.fixture
def saved(tmp_path: Path) -> Callable[..., Any]:
    def save(f: Any, *spec: Any) -> Any:
        vt.jit.save(f, tmp_path / "f.vt", input_spec=list(spec))
        return vt.jit.load(tmp_path / "f.vt")

    return save


def test_items_of_a_dict_are_taken_by_their_keys(saved: Callable[..., Any]) -> None:
    f = saved(lambda d: d["a"] - d["b"], {"a": SPEC, "b": SPEC})
    assert f({"a": A, "b": B}).tolist() == f({"b": B, "a": A}).tolist() == [4.0]
    with pytest.raises(ArgumentError, match="argument 0 had an item 'a' when the program was saved"):
        f({"u": A, "v": B})
    with pytest.raises(ArgumentError, match="argument 0 had no item 'c'"):
        f({"a": A, "b": B, "c": B})


def test_dicts_in_lists_are_taken_by_their_keys(saved: Callable[..., Any]) -> None:
    f = saved(lambda xs: xs[0]["a"] - xs[1]["b"]["c"], [{"a": SPEC}, {"k": 3, "b": {"c": SPEC}}])
    assert f([{"a": A}, {"b": {"c": B}, "k": 3}]).tolist() == [4.0]
    with pytest.raises(
        ArgumentError, match=r"argument 0\[1\]\['k'\] was 3 when the program was saved, so it can't be 4"
    ):
        f([{"a": A}, {"b": {"c": B}, "k": 4}])
    with pytest.raises(ArgumentError, match=r"argument 0\[1\]\['b'\] was a dict"):
        f([{"a": A}, {"b": [B], "k": 3}])
    with pytest.raises(ArgumentError, match="argument 0 had 2 items when the program was saved, not 1"):
        f([{"a": A}])


def test_objects_are_taken_by_their_attributes(saved: Callable[..., Any]) -> None:
    f = saved(lambda p: (p.u - p.v) * p.factor, Pair(SPEC, SPEC))
    assert f(Pair(A, B)).tolist() == [8.0]
    with pytest.raises(
        ArgumentError, match=r"argument 0.factor was 2.0 when the program was saved, so it can't be 3.0"
    ):
        f(Pair(A, B, 3.0))
    with pytest.raises(ArgumentError, match="argument 0 had an attribute 'factor'"):
        f(Twin(A, B))


def test_named_tuples_are_taken_in_order(saved: Callable[..., Any]) -> None:
    f = saved(lambda p: p.u - p.v, Twin(SPEC, SPEC))
    assert f(Twin(A, B)).tolist() == f((A, B)).tolist() == [4.0]
    with pytest.raises(ArgumentError, match="argument 0 was a tuple when the program was saved, so it can't be a list"):
        f([A, B])


def test_keywords_that_the_program_has_not_are_named(saved: Callable[..., Any]) -> None:
    def f(a: Any, b: Any, c: Any = None) -> Any:
        return a - b if c is None else a - b * c

    loaded = saved(f, SPEC, SPEC)
    assert loaded(A, b=B).tolist() == [4.0]
    with pytest.raises(ArgumentError, match="forward has no argument 'bb'; it takes a: f32"):
        loaded(A, bb=B)
    with pytest.raises(ArgumentError, match=r"forward takes 2 arguments .*, not 1"):
        loaded(A)


def test_keyword_only_arguments_have_the_entries_behind_the_others(saved: Callable[..., Any]) -> None:
    def f(a: Any, *, scale: Any, shift: Any = 0.0) -> Any:
        return a * scale + shift

    loaded = saved(f, SPEC, SPEC)
    assert loaded(A, scale=A).tolist() == [25.0]
    with pytest.raises(ArgumentError, match="forward takes 2 arguments"):
        loaded(A)
    with pytest.raises(ArgumentError, match="input_spec has 4 entries, but f takes 3 arguments"):
        saved(f, SPEC, SPEC, SPEC, SPEC)
    with pytest.raises(ArgumentError, match="needs a tensor or an InputSpec for `scale`"):
        saved(f, SPEC)


def test_a_compiled_function_has_entries_for_keyword_only_arguments() -> None:
    @vt.to_static(input_spec=[SPEC, SPEC])
    def f(a: Any, *, scale: Any, shift: Any = 0.0) -> Any:
        return a * scale + shift

    for n in (1, 2, 3):
        assert f(vt.ones([n]), scale=vt.full([n], 2.0)).tolist() == [2.0] * n
    assert f.get_traced_count() == 1
    with pytest.raises(ArgumentError, match="so it takes no keyword argument 'shift'"):
        f(A, scale=A, shift=A)


def test_state_of_another_dtype_is_named(tmp_path: Path) -> None:
    vt.jit.save(vt.nn.Linear(2, 3), tmp_path / "l.vt", input_spec=[vt.InputSpec([None, 2])])
    for calls in (0, 2):
        loaded, x = vt.jit.load(tmp_path / "l.vt"), vt.ones([1, 2])
        for _ in range(calls):
            loaded(x)
        loaded.astype("float64")
        with pytest.raises(vt.errors.DTypeError, match=r"weight is float64\[2, 3\] now, but .* saved for f32\[2, 3\]"):
            loaded(x)
        loaded.astype("float32")
        assert loaded(x).shape == [1, 3]


def test_loaded_layers_are_pickled_with_their_present_state(tmp_path: Path) -> None:
    vt.jit.save(vt.nn.Linear(2, 3), tmp_path / "l.vt", input_spec=[vt.InputSpec([None, 2])])
    loaded, x = vt.jit.load(tmp_path / "l.vt"), vt.ones([1, 2])
    loaded.weight.set_value(vt.full([2, 3], 7.0))
    loaded.train()
    again = pickle.loads(pickle.dumps(loaded))
    shallow = copy.copy(loaded)
    assert again.training
    loaded.weight.set_value(vt.zeros([2, 3]))
    assert again(x).tolist() == [[14.0] * 3]
    assert shallow(x).tolist() == loaded(x).tolist() == [[0.0] * 3]
