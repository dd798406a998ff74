"""`match`: simple ones become `if`, the others stay."""

# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import pytest


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


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)
