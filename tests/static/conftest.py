"""Static mode for each test of this folder, with programs and a scope of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import vitrify as vt


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    vt.enable_static()
    try:
        with (
            vt.utils.unique_name.guard(),
            vt.static.scope_guard(vt.static.Scope()),
            vt.static.program_guard(vt.static.Program(), vt.static.Program()),
        ):
            yield
    finally:
        vt.disable_static()
