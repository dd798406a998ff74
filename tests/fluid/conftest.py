"""Each test builds in programs and a scope of its own, and leaves eager mode behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from vitrify import fluid, static
from vitrify.base import unique_name
from vitrify.fluid import mode


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    """Fresh default programs, names and scope."""
    mode._choice.imperative = False
    main = static.switch_main_program(fluid.Program())
    startup = static.switch_startup_program(fluid.Program())
    with unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        yield
    static.disable_static()
    mode._choice.imperative = False
    static.switch_main_program(main)
    static.switch_startup_program(startup)
