"""Modules that functions hold in closures and defaults: what stands in them is guarded, and written in each call."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit import to_static


def _module() -> Any:
    module = types.ModuleType("settings_of_mine")
    module.sub = types.SimpleNamespace(scale=1)
    module.inner = types.ModuleType("settings_of_mine.inner")
    module.inner.sub, module.count = types.SimpleNamespace(shift=0), 0
    return module


def _by_closure(compiles: Any) -> Any:
    m = _module()

    @compiles
    def fn(x: Any) -> Any:
        m.count = m.count + 1
        m.sub.calls = m.count
        return x * m.sub.scale + m.inner.sub.shift

    return m, fn


def _by_default(compiles: Any) -> Any:
    given = _module()

    @compiles
    def fn(x: Any, m: Any = given) -> Any:
        m.count = m.count + 1
        m.sub.calls = m.count
        return x * m.sub.scale + m.inner.sub.shift

    return given, fn


@pytest.mark.parametrize("make", [_by_closure, _by_default], ids=lambda make: make.__name__)
def test_changes_are_seen(make: Any) -> None:
    seen = []
    for compiles in (to_static, lambda fn: fn):
        module, fn = make(compiles)
        x, found = vt.to_tensor([1.0, 2.0]), []
        changes: list[tuple[Any, str, Any]] = [
            (module.sub, "scale", 2), (module.inner.sub, "shift", 3), (module.sub, "scale", vt.to_tensor(5.0)),
            (module, "sub", types.SimpleNamespace(scale=7)), (module.inner, "sub", types.SimpleNamespace(shift=9)),
            (module, "count", 20),
        ]  # fmt: skip
        found.append(fn(x).tolist())
        for owner, name, value in changes:
            setattr(owner, name, value)
            found += [fn(x).tolist(), module.count, module.sub.calls]
        seen.append(found)
    assert seen[0] == seen[1]


def _by_import(compiles: Any) -> Any:
    module = _module()
    sys.modules[module.__name__] = module

    @compiles
    def fn(x: Any) -> Any:
        import settings_of_mine as m

        m.count = m.count + 1
        m.sub.calls = m.count
        m.lines.append(m.count)
        return x * m.sub.scale + m.table["shift"] + m.lines[0]

    module.lines, module.table = [1], {"shift": 2}
    return module, fn


def test_modules_that_a_function_imports() -> None:
    seen = []
    for compiles in (to_static, lambda fn: fn):
        module, fn = _by_import(compiles)
        x, found = vt.to_tensor([1.0, 2.0]), []
        for k in range(5):
            found += [fn(x).tolist(), module.count, module.sub.calls, list(module.lines)]
            module.sub.scale, module.table["shift"], module.lines[0] = k, 3 * k, 5 * k
        seen.append(found)
    del sys.modules[module.__name__]
    assert seen[0] == seen[1]
