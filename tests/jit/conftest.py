"""Fixtures of the capture tests: "converted equals original on these inputs", under two reference run-times."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import itertools
import linecache
import sys
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from vitrify.jit.convert import convert

_spec = importlib.util.spec_from_file_location("plain_runtime", Path(__file__).parent / "plain_runtime.py")
assert _spec is not None
assert _spec.loader is not None
plain_runtime = importlib.util.module_from_spec(_spec)
sys.modules["plain_runtime"] = plain_runtime
_spec.loader.exec_module(plain_runtime)

RUNTIMES = (plain_runtime.PlainRuntime(), plain_runtime.StateRuntime())
Inputs = Iterable[tuple[Any, ...]]


def _outcome(fn: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    args = copy.deepcopy(args)
    try:
        value = fn(*args)
    except NameError as error:  # UnboundLocalError is one; which of the two may differ
        return ("NameError", _kind(error.__context__)), args
    except Exception as error:
        return (_kind(error), error.args, _kind(error.__context__)), args
    return ("value", value), args


def _kind(error: BaseException | None) -> type:
    return NameError if isinstance(error, NameError) else type(error)


def _same(fn: Any, inputs: Inputs | None = None) -> None:
    if inputs is None:
        count = len(inspect.signature(fn).parameters)
        inputs = itertools.product(range(-1, 5), repeat=count)
    inputs = list(inputs)
    for rt in RUNTIMES:
        converted = convert(fn, rt)
        for args in inputs:
            want, got = _outcome(fn, args), _outcome(converted.function, args)
            assert got == want or repr(got) == repr(want), (
                f"{fn.__name__}{args}: {got}, not {want}, under {type(rt).__name__}\n{converted.code}"
            )


@pytest.fixture
def same() -> Callable[..., None]:
    """`same(fn, inputs)`: converted equals original: result, exception, and what happens to the arguments.

    Without inputs: all small integers for each parameter.
    """
    return _same


@pytest.fixture
def converted() -> Callable[..., Any]:
    """`converted(fn)`: the converted function under the plain run-time."""
    return lambda fn: convert(fn, RUNTIMES[0]).function


@pytest.fixture
def code_of() -> Callable[..., str]:
    """`code_of(fn)`: the converted function as text."""
    return lambda fn: convert(fn, RUNTIMES[0]).code


@pytest.fixture
def from_text() -> Callable[..., types.ModuleType]:
    """`from_text(text)`: a module of this source, which can be read back."""
    counter = itertools.count()

    def load(text: str, **names: Any) -> types.ModuleType:
        file = f"<text {id(counter)} {next(counter)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        module = types.ModuleType("from_text")
        module.__dict__.update(names)
        exec(compile(text, file, "exec"), module.__dict__)
        return module

    return load
