"""Exceptions under a tensor's test, with messages that hold tensors' values: made when the program raises them.

PYTEST_DONT_REWRITE: the tables have assertions of their own.
"""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt

from .constructs_support import DOWN, UP, Table

table = Table()


@table.row()
def assert_msg(x):
    assert x.sum() > -100, f"sum is {x.sum()}"
    assert x.shape[0] == 3
    return x


@table.row(UP, DOWN)
def assert_fail(x):
    assert x.sum() > 0, "negative"
    return x


@table.row(UP, DOWN)
def assert_fail_value(x):
    assert x.sum() > 0, f"sum is {x.sum().item():.2f}"
    return x


@table.row(UP, DOWN)
def raise_value(x):
    if x.sum() < 0:
        raise ValueError(f"bad sum {x.sum().item()} of {x.shape}")
    return x


@table.row(UP, DOWN)
def raise_tensor_fmt(x):
    if x.sum() < 0:
        raise RuntimeError(f"bad %s and {float(x[0])}" % 3)
    return x


@table.row(UP, DOWN)
def raise_and_catch(x):
    try:
        if x.sum() < 0:
            raise KeyError("k")
        y = x
    except KeyError as e:
        y = x * len(e.args)
    else:
        y = y + 1
    finally:
        z = x
    return y, z


@table.row(UP, DOWN)
def in_a_loop(x):
    for k, v in enumerate(x):
        if v < 0:
            raise IndexError(f"item {k} is {float(v)}")
        x = x + v
    return x


@table.row(UP, DOWN)
def in_a_helper_with_several_arguments(x):
    def checked(v):
        if v.min() < 0:
            raise KeyError("smallest", v.min().item(), f"{v.shape}")
        return v

    return checked(x) * 2


@table.row(UP, DOWN)
def assertions_count_nothing_where_they_hold(x):
    made = []

    def message():
        made.append(1)
        return f"{x.sum().item():.1f}"

    assert x.sum() > -100, message()
    assert x[0] > 0, message()
    return len(made), x


@table.row(UP, DOWN)
def texts_of_all_kinds(x):
    if x.sum() < 0:
        parts = str([x[0].item(), 2]), f"{x[0]!r:>70}", f"{x.sum().item()!s:>8}", repr(x), format(x[0].item(), ".2f")
        raise IndexError(" ".join(parts))
    return x


@table.names()
def test_compiled_equals_eager(name):
    table.check(name)


class Refused(Exception):
    """An error with an attribute."""

    def __init__(self, value):
        super().__init__(f"refused {value.item():.1f}")
        self.value = value


def test_an_exception_of_the_users_own_holds_eager_tensors():
    def fn(x):
        if x.sum() < 0:
            raise Refused(x.sum())
        return x

    compiled = vt.jit.to_static(fn)
    assert compiled(vt.to_tensor(UP)).tolist() == UP.tolist()
    for data in (DOWN, DOWN * 2):
        with pytest.raises(Refused, match=f"refused {data.sum():.1f}") as caught:
            compiled(vt.to_tensor(data))
        np.testing.assert_allclose(caught.value.value.numpy(), data.sum())
