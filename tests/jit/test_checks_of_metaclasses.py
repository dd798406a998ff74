"""`isinstance` with classes whose metaclass says by itself what an instance is."""

from __future__ import annotations

import enum
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit import to_static


def _results(compiles: Any) -> list[str]:
    flag, limit = [True], vt.to_tensor(2.0)

    class Meta(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return flag[0] and (not isinstance(instance, vt.Tensor) or instance.ndim == 1)

    class Named(metaclass=Meta):
        pass

    @compiles
    def fn(x: Any) -> Any:
        found = x + 1 if isinstance(3, Named) else x - 1
        if isinstance(x, (str, Named)):
            found = found * limit
        return found, isinstance(Named(), Named), isinstance(x[0], Named)

    results = []
    for value in (True, False, True, 0, 1):
        flag[0] = value
        results.append(repr(fn(vt.ones([2]))))
    return results


def test_what_the_check_reads_is_guarded() -> None:
    assert _results(to_static) == _results(lambda fn: fn)


def test_a_changing_number_is_rounded_as_python_does() -> None:
    compiled = to_static(lambda x, v, n: (round(v, n), round(v, 2), round(v + 1, abs(n))))
    for v, n in ((2.5, 1), (0.5, 2), (1234.5678, 2), (2.675, 2), (1.115, 2), (0.15, 1), (27.5, -1)):
        assert compiled(vt.ones([1]), v, n) == (round(v, n), round(v, 2), round(v + 1, abs(n)))


class Kind(enum.Enum):
    A = "a"
    B = 1


class Whole(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize("other", [Kind.B, Whole.ONE, Kind, object(), None, "a"], ids=lambda x: type(x).__name__)
def test_a_number_beside_what_is_no_number(other: Any) -> None:
    def fn(x: Any) -> Any:
        n = x[0].item()
        return n == other, other == n, n != other, n in (other, 7)

    compiled = to_static(fn)
    for value in (1, 2, 7):
        assert compiled(vt.to_tensor([value])) == fn(vt.to_tensor([value]))


def test_members_of_enumerations_as_patterns() -> None:
    def fn(x: Any, v: int) -> Any:
        match v:
            case 0 | 1:
                return x + 1
            case Kind.A:
                return x * 2

    compiled = to_static(fn)
    for v in (0, 1, 5, 6):
        assert repr(compiled(vt.ones([1]), v)) == repr(fn(vt.ones([1]), v))
