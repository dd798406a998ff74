"""`match`: simple ones become `if`, the others stay."""

# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import pytest

import vitrify as vt


def case_constants(x):
    match x:
        case 0:
            return "zero"
        case 1 | 2:
            y = "few"
        case -1:
            y = "minus"
        case _:
            return x
    return y


def case_strings(x):
    name = {0: "mean", 1: "sum", 2: None, 3: True}.get(x)
    match name:
        case "mean":
            return 1
        case "sum" | "total":
            return 2
        case None:
            return 3
    return 4


def case_guard(x, y):
    match x:
        case 1 if y > 1:
            return "one, big"
        case 1:
            return "one"
        case _ if y > 2:
            return "any, bigger"


def case_structure(x, y):
    match (x, y):
        case (0, 0):
            return "origin"
        case (0, b):
            z = b
        case (a, 0) if a > 1:
            z = a
        case [a, *rest]:
            if a == 3:
                return rest
            z = a, rest
    return z


def case_mapping_in_loop(n):
    out = []
    for i in range(n):
        match {"k": i, "z": n}:
            case {"k": 1}:
                continue
            case {"k": 3}:
                break
            case {"k": k, **rest}:
                out.append((k, rest))
    return out


def case_at_the_end(x):
    match [x]:
        case [1]:
            return "one"
        case [y] if y > 2:
            return y


def case_subject_evaluated_once(n):
    seen = []

    def subject():
        seen.append(n)
        return n

    match subject():
        case 1:
            seen.append("one")
        case 2:
            seen.append("two")
    return seen


class Pair:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def case_class_with_guards(x, y):
    match Pair(x, y):
        case Pair(a=0):
            z = "zero"
        case Pair(a, b) if a > b:
            z = "falling", a
        case Pair(a=int(a), b=3) if a == 1:
            return "one, three"
        case Pair(b=b) | b if y == 2:
            z = type(b).__name__
        case _ if x == y:
            z = "same"
        case _:
            z = "rest"
    return z


def case_mapping_with_guards(x, y):
    out = []
    for i in range(3):
        match {"k": x, "v": [y, i]}:
            case {"k": 2, **rest} if y > 1:
                out.append(rest)
                break
            case {"k": k, "v": [v, *_]} if k < v:
                out.append((k, v))
                continue
            case {"v": [_, 1]}:
                out.append("second")
        out.append("end")
    return out


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)


def guarded_class(x):
    match Pair(x[0], x[1]):
        case Pair(a=a) if a > 5:
            return a
        case Pair(a, b) if b < 0:
            return b * 2
    return x.sum()


def guarded_mapping(x):
    match {"k": x[0], "v": x[1], "n": 3}:
        case {"k": k, "n": int(n)} if k > n:
            y = k + n
        case {"k": k, **rest} if rest["v"] < 0:
            y = k * rest["v"]
        case _:
            y = x.sum()
    return y


def guarded_parts(x):
    match (x.sum(), 3):
        case (s, int(n)) if s > n:
            return s
        case (s, n):
            return s * n


@pytest.mark.parametrize("fn", [guarded_class, guarded_mapping, guarded_parts], ids=lambda fn: fn.__name__)
def test_guards_of_tensors(fn):
    """Python says whether a pattern fits, the program what its guard says."""
    compiled = vt.to_static(fn)
    for data in ([6.0, 1.0], [1.0, -2.0], [1.0, 2.0], [4.0, -7.0]):
        x = vt.to_tensor(data)
        assert compiled(x).tolist() == fn(x).tolist()


def constant_in_class(t, u):
    match Pair(t, u):
        case Pair(a=0):
            return "zero"
        case Pair(1 | 2, b) if b > 0:
            return b * 2
        case Pair(b=3):
            return "three"
    return "other"


def constant_in_mapping(t, u):
    match {"r": t, "o": Pair(u, 5)}:
        case {"r": 0, "o": Pair(a=1, b=y)}:
            return t + y
        case {"r": 0, "o": Pair(b=5 as y)}:
            return t + y * 10
        case {"r": 1 | 2, "o": Pair(u)}:
            return u * 100
    return t + 1000


def names_of_patterns_that_fail(t, u):
    y = "before"
    match (Pair(t, u), 1):
        case (Pair(a=0, b=y), 1):
            return y * 2
        case [Pair(a=_, b=2), *rest]:
            return y, rest
    return y


def parts_that_are_no_tensors(t, u):
    out = []
    for value in (Pair(0, 1), Pair(None, 2), {"k": [1, 5, 6], "j": "b"}, {"k": 0, "z": 1}, 3):
        match value:
            case Pair(a=0, b=b):
                out.append(("zero", b))
            case Pair(a=None):
                out.append("none")
            case {"k": 0, **rest}:
                out.append(rest)
            case {"k": [1, *more] as whole, "j": "a" | "b"}:
                out.append((more, whole))
            case _:
                out.append("rest")
    return out


ASKED = [constant_in_class, constant_in_mapping, names_of_patterns_that_fail, parts_that_are_no_tensors]


@pytest.mark.parametrize("fn", ASKED, ids=lambda fn: fn.__name__)
def test_constants_in_patterns_are_compared_with_tensors(fn):
    compiled = vt.to_static(fn)
    for t in (0.0, 1.0, 2.0, 3.0):
        for u in (1.0, 2.0, 3.0):
            given = vt.to_tensor(t), vt.to_tensor(u)
            assert repr(compiled(*given)) == repr(fn(*given))
    assert compiled.get_traced_count() == 1
