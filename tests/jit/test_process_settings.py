"""Settings of the whole process: a compiled function may set them for a while only; what would stay is refused."""

from __future__ import annotations

import contextvars
import decimal
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import CaptureError
from vitrify.utils import unique_name

Initializer = nn.initializer


def _sets_precision(x: Any) -> Any:
    decimal.getcontext().prec = 5
    return x


SETTING: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "set_default_dtype": (lambda x: (vt.set_default_dtype("float64"), x)[1], vt.get_default_dtype),
    "set_flags": (
        lambda x: (vt.set_flags({"FLAGS_check_nan_inf": True}), x)[1],
        lambda: vt.get_flags("FLAGS_check_nan_inf"),
    ),
    "set_num_threads": (lambda x: (vt.set_num_threads(vt.get_num_threads() + 1), x)[1], vt.get_num_threads),
    "set_printoptions": (lambda x: (vt.set_printoptions(precision=2), x)[1], lambda: repr(vt.to_tensor(1.23456))),
    "set_global_initializer": (
        lambda x: (Initializer.set_global_initializer(Initializer.Constant(3.0)), x)[1],
        lambda: nn.Linear(1, 1).weight.item() == 3.0,
    ),
    "set_recompile_limit": (lambda x: (vt.jit.set_recompile_limit(99), x)[1], lambda: None),
    "generate": (lambda x: (unique_name.generate("settings"), x)[1], lambda: None),
    "seterr": (lambda x: (np.seterr(all="raise"), x)[1], np.geterr),
    "numpy's set_printoptions": (lambda x: (np.set_printoptions(precision=2), x)[1], np.get_printoptions),
    "simplefilter": (lambda x: (warnings.simplefilter("ignore", EOFError), x)[1], lambda: list(warnings.filters)),
    "setrecursionlimit": (
        lambda x: (sys.setrecursionlimit(sys.getrecursionlimit() + 7), x)[1],
        sys.getrecursionlimit,
    ),
    "getcontext": (_sets_precision, lambda: decimal.getcontext().prec),
}


@pytest.mark.parametrize("name", SETTING)
def test_what_would_stay_is_refused_and_put_back(name: str) -> None:
    fn, now = SETTING[name]
    before = now()
    with pytest.raises(CaptureError, match=rf"{name.split()[-1]}\(\) would change a setting of the process") as caught:
        vt.to_static(fn)(vt.ones([1]))
    assert caught.value.loc is not None
    assert caught.value.loc.file == __file__
    assert "outside" in (caught.value.remedy or "")
    assert now() == before


def test_a_manager_is_named_where_there_is_one() -> None:
    with pytest.raises(CaptureError, match=r"`with np\.errstate"):
        vt.to_static(SETTING["seterr"][0])(vt.ones([1]))


def test_a_path_of_the_program_may_not_set_one() -> None:
    def fn(x: Any) -> Any:
        if x.sum() > 0.0:
            vt.set_default_dtype("float64")
        else:
            vt.set_default_dtype("float32")
        return x

    with pytest.raises(CaptureError, match=r"set_default_dtype\(\) would change"):
        vt.to_static(fn)(vt.ones([1]))
    assert vt.get_default_dtype() == "float32"


def _errors(x: Any) -> Any:
    with np.errstate(all="ignore"):
        np.seterr(divide="raise")
        return x + 1.0


def _filters(x: Any) -> Any:
    if x.sum() > 0.0:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = x + 1.0
    return x


def _decimals(x: Any) -> Any:
    with decimal.localcontext() as context:
        context.prec = 3
        return x * float(decimal.Decimal(1) / 3)


def _own_context(x: Any) -> Any:
    with decimal.localcontext():
        decimal.getcontext().prec = 2
        return x * float(decimal.Decimal(1) / 3)


def _put_back(x: Any) -> Any:
    before = vt.get_default_dtype()
    vt.set_default_dtype("float64")
    try:
        return vt.ones([1]) + x.astype("float64")
    finally:
        vt.set_default_dtype(before)


def _names(x: Any) -> Any:
    with unique_name.guard():
        return x * len(unique_name.generate("key"))


def _texts(x: Any) -> Any:
    with np.printoptions(precision=2):
        return x + len(str(np.ones(2)))


@pytest.mark.parametrize("fn", [_errors, _filters, _decimals, _own_context, _put_back, _names, _texts])
def test_what_is_put_back_is_captured_once(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for _ in range(3):
        found, expected = compiled(vt.ones([1])), fn(vt.ones([1]))
        assert (found.tolist(), found.dtype) == (expected.tolist(), expected.dtype)
    assert compiled.get_traced_count() == 1


def _prints(x: Any) -> Any:
    with np.printoptions(precision=2):
        print(np.array([1.23456]), x.numpy(), f"{x.numpy()}", f"{x.sum():.3f}")
    print(x.numpy())
    return x


def test_prints_use_the_settings_of_their_piece_of_code(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(_prints)
    for run in (_prints, compiled, compiled):
        run(vt.full([2], 1.23456))
    texts = capsys.readouterr().out.splitlines()
    assert texts[:2] == texts[2:4] == texts[4:]


def test_a_text_that_leaves_its_settings_is_refused() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        with np.printoptions(precision=2):
            text = f"{x.numpy()}"
        print(text)
        return x

    with pytest.raises(vt.errors.CaptureError, match="made with other print settings"):
        fn(vt.ones([1]))


def test_a_setting_that_stays_as_it_was_is_looked_at_again() -> None:
    compiled = vt.to_static(lambda x: (vt.set_default_dtype("float32"), x)[1])
    compiled(vt.ones([1]))
    vt.set_default_dtype("float64")
    try:
        with pytest.raises(CaptureError, match=r"set_default_dtype\(\) would change"):
            compiled(vt.ones([1], "float32"))
    finally:
        vt.set_default_dtype("float32")


SCALE: contextvars.ContextVar[Any] = contextvars.ContextVar("SCALE", default=3.0)


def test_context_variables_are_set_for_a_while() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        token = SCALE.set(x.sum())
        try:
            y = x * SCALE.get()
            if y.sum() > 3:
                inner = SCALE.set(2.0)
                y = y * SCALE.get()
                SCALE.reset(inner)
        finally:
            SCALE.reset(token)
        return y

    for factor, expected in [(1.0, 4.0), (2.0, 16.0), (0.5, 0.5)]:
        assert fn(vt.full([2], factor)).tolist() == [expected] * 2
        assert SCALE.get() == 3.0
        SCALE.set(3.0)  # another object, an equal value
    assert fn.get_traced_count() == 1


@pytest.mark.parametrize("value", [lambda x: 5.0, lambda x: x.sum()])
@pytest.mark.parametrize("under_condition", [False, True])
def test_a_context_variable_that_stays_set_is_refused(value: Callable[[Any], Any], under_condition: bool) -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        if not under_condition or x.sum() > 0:
            SCALE.set(value(x))
        return x

    with pytest.raises(CaptureError, match=r"set\(\) would change the context variable SCALE"):
        fn(vt.ones([2]))
    assert SCALE.get() == 3.0
