"""`for`: converted equals original."""

# ruff: noqa: B007, B023, F841, RET503
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import pytest


def case_range(n):
    total = 0
    for i in range(n):
        total += i
    return total


def case_target_afterwards(n):
    for i in range(n):
        pass
    return i


def case_target_kept(n):
    i = "before"
    for i in range(n):
        pass
    return i


def case_enumerate(n):
    out = []
    for i, (a, b) in enumerate(zip("abcd", range(n), strict=False)):
        out.append((i, a, b))
    return out


def case_starred_target(n):
    out = []
    for a, *rest in [range(1, 4)] * max(n, 0):
        out += [a, rest]
    return out


def case_item_target(n):
    values = [0, 0]
    for values[0] in range(n):
        values[1] += values[0]
    return values


def case_attribute_target(n):
    class Box:
        pass

    box = Box()
    for box.i in range(n):
        pass
    return box.i if n > 0 else None


def case_else(n):
    for i in range(n):
        if i == 2:
            break
    else:
        return "whole"
    return i


def case_continue(n):
    out = []
    for i in range(n):
        if i % 2:
            continue
        out.append(i)
    return out


def case_break_continue_else(n, m):
    out = []
    for i in range(n):
        if i == m:
            break
        if i % 2:
            out.append("odd")
            continue
        out.append(i)
    else:
        out.append("else")
    return out


def case_continue_in_part_of_a_branch(n):
    out = []
    for i in range(n):
        if i > 0:
            out.append("a")
            if i == 2:
                continue
            out.append("b")
        out.append(i)
    return out


def case_break_in_part_of_a_branch(n):
    out = []
    for i in range(n):
        if i > 0:
            out.append("a")
            if i == 2:
                break
            out.append("b")
        out.append(i)
    return out


def case_nested_break(n, m):
    out = []
    for i in range(n):
        for j in range(m):
            if j == i:
                break
            out.append((i, j))
        else:
            out.append("all")
    return out


def case_return_in_nested(n, m):
    for i in range(n):
        for j in range(m):
            if i * j == 4:
                return i, j
        if i == 3:
            return "three"
    return None


def case_return_and_else(n):
    for i in range(n):
        if i == 2:
            return "two"
        if i == 1 and n == 2:
            break
    else:
        return "else"
    return "broken"


def case_iterator_is_not_drained(n):
    items = iter(range(6))
    for i in items:
        if i == n:
            break
    return list(items)


def case_rebinding_the_iterable(n):
    values = list(range(max(n, 0)))
    out = []
    for v in values:
        values = []
        out.append(v)
    return out, values


def case_growing(n):
    values = [n]
    for v in values:
        if v > 0:
            values.append(v - 1)
    return values


def case_deleting_the_target(n):
    for i in range(n):
        if i == 1:
            del i
            continue
        x = i
    return i


def case_for_in_while(n):
    out = []
    while n > 0:
        for i in range(n):
            if i == 2:
                return out, "in for in while"
            out.append(i)
        n -= 1
    return out


def case_closures_share_the_variable(n):
    fs = []
    for i in range(n):
        fs.append(lambda: i)
    return [f() for f in fs]


def case_return_none_in_loop(n):
    for i in range(n):
        if i:
            return None
    return "end"


def case_falls_off_after_loop(n):
    for i in range(n):
        if i == 2:
            return i


def case_carried_read_before_write(n):
    last = None
    out = []
    for i in range(n):
        out.append(last)
        last = i
    return out


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)
