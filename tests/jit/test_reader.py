"""Reading source: definitions in odd layouts, lambdas, and what has no source."""

# ruff: noqa: E701
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import linecache
import textwrap

import pytest

from vitrify.base.errors import CaptureError
from vitrify.jit.source.reader import _lambdas


def odd_layout(
    a,
    b=(
        1,
        2,
    ),
):
    text = """
dedented text
"""
    # fmt: off
    # a comment at the margin
    if a: return text
    # fmt: on
    return b


def test_odd_layout(same):
    same(odd_layout, [(0,), (1,), (0, 3)])


def test_definition_in_a_method_of_a_class_in_a_function(same):
    class A:
        class B:
            @staticmethod
            def f(x): return x and 1  # fmt: skip

    same(A.B.f)


def test_lambdas(same):
    one = lambda x: x if x > 1 else 0  # noqa: E731
    two, three = lambda x: x and 1, lambda x: x or 2
    four = (lambda x: lambda y: y and x)(3)
    five = [
        lambda x: not x,
        lambda x: x if x else (x or 1),
    ]
    for fn in (one, two, three, four, *five):
        same(fn)


def test_lambda_with_a_lambda_as_default(same):
    same(lambda x, f=lambda y: y or 3: f(x) and x, [(0,), (1,)])


# fmt: off
def test_lambdas_of_which_python_drops_parts(same):
    one, two = lambda x: x * 3 if 0 else x + 1, lambda x: x if __debug__ else x * 2
    three, four = lambda x: 0 or x * 2, lambda x: x * (2 * 3)
    five, six = lambda x: (lambda y: y * 2 if 1 else y)(x), lambda x: (lambda y: y + 1 if True else y)
    for fn in (one, two, three, four, five, six(1), lambda x: six(x)(x)):
        same(fn, [(0,), (3,)])
# fmt: on


def test_a_file_is_parsed_once_for_all_its_lambdas(from_text, same):
    module = from_text("f = lambda x: x and [y * x for y in range(x)]\ng = lambda x: f(x) if x > 1 else -x\n")
    _lambdas.cache_clear()
    for fn in (module.f, module.g, module.f):  # what the first conversion has rewritten is a copy
        same(fn)
    assert _lambdas.cache_info().misses == 1


def test_lambdas_that_can_t_be_told_apart(from_text, converted):
    module = from_text("f, g = lambda x: 1, lambda x: 1\n")
    code = module.f.__code__
    module.f.__code__ = code.replace(co_linetable=b"")
    with pytest.raises(CaptureError, match="lambda in line"):
        converted(module.f)


def test_no_source(converted):
    names: dict = {}
    exec("def f(x):\n    return x", names)
    with pytest.raises(CaptureError, match="source of `f` isn't available") as caught:
        converted(names["f"])
    assert "put the function in a file" in caught.value.remedy


def test_changed_source(from_text, converted):
    module = from_text("def f(x):\n    return x\n")
    file = module.f.__code__.co_filename
    linecache.cache[file] = (9, None, ["def g(x):\n", "    return x\n"], file)
    with pytest.raises(CaptureError, match="isn't at the place") as caught:
        converted(module.f)
    assert "reload" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "kind"),
    [("def f(x):\n    yield x\n", "generator"), ("async def f(x):\n    return x\n", "coroutine")],
)
def test_generators_and_coroutines_are_refused(text, kind, from_text, converted):
    with pytest.raises(CaptureError, match=f"it is a {kind}") as caught:
        converted(from_text(text).f)
    assert caught.value.loc.line == 1
    assert caught.value.remedy


def test_future_imports_of_the_file_hold(from_text, converted):
    text = """
        from __future__ import annotations

        def f(x):
            def g(a: undefined_name) -> other_undefined_name:
                return a
            return g(x) if x else 0
        """
    assert converted(from_text(textwrap.dedent(text)).f)(3) == 3
