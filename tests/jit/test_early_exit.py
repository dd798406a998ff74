"""`return`, `break`, `continue` in all nestings, and in `with`, `try` and `match`."""

# ruff: noqa: B007, F821, F823, F841, RET503
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import contextlib

import pytest

from vitrify.base.errors import CaptureError


def case_guard(x):
    if x < 0:
        return "negative"
    y = x + 1
    if y == 2:
        return "two"
    elif y == 3:
        z = "three"
    else:
        return y
    return z


def case_else_returns(x):
    if x > 1:
        y = x
    else:
        return "small"
    return y


def case_part_of_a_branch(x, y):
    if x > 1:
        if y > 1:
            return "both"
        x = -x
    return x


def case_part_of_both_branches(x, y):
    out = []
    if x > 1:
        if y > 1:
            return "both"
        out.append("x")
    else:
        if y == 0:
            return "zero"
        out.append("not x")
    out.append("end")
    if y == 1:
        return out, 1
    return out


def case_no_value(x):
    if x:
        return None
    return x


def case_falls_off(x):
    if x:
        return 1


def case_dead_code(x):
    if x:
        return 1
        x = 2
    return x
    return 3


def case_name_bound_in_dead_code_only(x):
    if x > 2:
        return case_guard
    if x:
        raise ValueError(KeyError)
    return x
    case_guard = KeyError = 2


def case_dead_jumps(n):
    for i in range(n):
        if i == 1:
            raise ValueError
            continue
        for j in range(i):
            return "j"
            break
    while True:
        return n
        continue
    else:
        n = unknown
    return unknown


def case_raise_or_return(x):
    if x > 2:
        raise ValueError(x)
    elif x:
        return x
    raise KeyError


def case_with(x):
    with contextlib.nullcontext(x) as y:
        if y > 1:
            return y
        z = y
    return -z


def case_with_at_the_end(x):
    with contextlib.nullcontext(x) as y:
        if y > 1:
            return y


def case_with_swallows(x):
    with contextlib.suppress(ZeroDivisionError):
        if x > 3:
            return "big"
        return 1 / x
    return "swallowed"


def case_with_swallows_at_the_end(x):
    with contextlib.suppress(ZeroDivisionError):
        return 1 / x


def case_with_in_loop(n):
    log = []

    @contextlib.contextmanager
    def note(i):
        log.append(("enter", i))
        yield
        log.append(("exit", i))

    for i in range(n):
        with note(i):
            if i == 1:
                continue
            if i == 3:
                break
            log.append(i)
    return log


def case_finally(x):
    log = []
    try:
        if x > 1:
            return log
        log.append("body")
    finally:
        log.append("finally")
    log.append("after")
    return log


def case_except(x):
    try:
        if x == 2:
            return "two"
        y = 1 / x
    except ZeroDivisionError:
        return "zero"
    return y


def case_try_else(x):
    log = []
    try:
        if x == 2:
            return "two"
        1 / x
    except ZeroDivisionError as e:
        log.append(type(e).__name__)
    else:
        log.append("else")
        if x == 1:
            return log, "one"
    finally:
        log.append("finally")
    return log


def case_try_else_at_the_end(x):
    try:
        if x == 2:
            return "two"
    except ValueError:
        return "never"
    else:
        if x == 1:
            return "one"


def case_try_in_loop(n):
    log = []
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            log.append(10 // (i - 2))
        except ZeroDivisionError:
            log.append("zero")
            continue
        finally:
            log.append(i)
        log.append("end")
    return log


def case_exit_overtaken_by_an_exception(x):
    @contextlib.contextmanager
    def bad():
        yield
        raise KeyError

    try:
        with bad():
            if x:
                return "returned"
    except KeyError:
        pass
    return "went on"


def case_exit_overtaken_in_a_loop(n):
    @contextlib.contextmanager
    def bad():
        yield
        raise KeyError

    out = []
    for i in range(n):
        try:
            with bad():
                if i == 1:
                    break
                if i == 2:
                    return "returned"
        except KeyError:
            out.append(i)
        out.append("end")
    return out


def case_return_overtaken_and_swallowed(x):
    @contextlib.contextmanager
    def bad():
        yield
        raise KeyError

    with contextlib.suppress(KeyError):
        if x:
            with bad():
                return "returned"
    if x > 2:
        with contextlib.suppress(KeyError):
            try:
                return "returned"
            finally:
                raise KeyError


def case_nested_try(x):
    log = []
    try:
        try:
            if x == 1:
                return log
            if x == 2:
                raise ValueError
        finally:
            log.append("inner")
            if x == 3:
                raise KeyError
    except (ValueError, KeyError) as e:
        log.append(repr(e))
        if x == 2:
            return log, "caught"
    return log


def case_name_of_exception(x):
    e = "before"
    if x:
        try:
            1 / (x - 1)
        except ZeroDivisionError as e:
            y = str(e)
        else:
            y = e
        return y, x
    return e


def case_name_of_exception_is_unbound_after(x):
    e = "before"
    if x:
        try:
            1 / (x - 1)
        except ZeroDivisionError:
            pass
    return e


def case_handler_in_branch(x):
    if x:
        try:
            1 / (x - 1)
        except ZeroDivisionError as e:
            if x > 0:
                return str(e)
    return x


def case_bare_raise(x):
    try:
        1 / x
    except ZeroDivisionError:
        if x == 0:
            raise
    return x


def case_assigned_before_exception(x):
    y = 0
    try:
        if x > 1:
            y = 1
            raise ValueError
        y = 2
    except ValueError:
        y += 10
    return y


def case_except_group(x):
    y = 0
    try:
        if x:
            raise ExceptionGroup("g", [ValueError(), KeyError()])
    except* ValueError:
        y += 1
    except* KeyError:
        y += 10
    return y


def case_deep(n, m):
    found = []
    for i in range(n):
        while True:
            m -= 1
            for j in range(3):
                if j == 2:
                    break
                if i + j == m:
                    return "found", i, j, found
                if m < -5:
                    return found
                found.append((i, j, m))
            else:
                continue
            if m < i:
                break
    return "end", found, m


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)


def test_a_jump_out_of_finally_is_refused(from_text, converted):
    module = from_text("def f(x):\n    try:\n        x()\n    finally:\n        for i in x:\n            return 1\n")
    with pytest.raises(CaptureError, match="finally") as caught:
        converted(module.f)
    assert "move the `return`" in str(caught.value)
    assert caught.value.loc.line == 5
