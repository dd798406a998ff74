"""Warnings that compiled code filters, records or makes errors of for a while."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def recorded(x: Any) -> Any:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("old", DeprecationWarning, stacklevel=2)
        warnings.warn("new", UserWarning, stacklevel=2)
    return x * len(seen), [str(one.message) for one in seen]


def ignored(x: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("quiet", stacklevel=2)
    warnings.warn("loud", stacklevel=2)
    return x + 1


def ignored_on_a_path(x: Any) -> Any:
    if x > 1:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "quiet")
            warnings.warn("quiet", stacklevel=2)
            warnings.warn("loud", stacklevel=2)
    return x + 1


def made_errors(x: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            warnings.warn("no", RuntimeWarning, stacklevel=2)
        except RuntimeWarning as error:
            return x * len(str(error))
    return x


FORMS: list[Callable[[Any], Any]] = [recorded, ignored, ignored_on_a_path, made_errors]


@pytest.mark.parametrize("fn", FORMS, ids=lambda fn: fn.__name__)
def test_what_is_shown_is_what_eager_mode_shows(fn: Callable[[Any], Any]) -> None:
    def run(call: Callable[[Any], Any]) -> Any:
        found = []
        for value in (1.0, 2.0, 3.0):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                made = call(vt.to_tensor(value))
            parts = made if isinstance(made, tuple) else (made, None)
            found.append((parts[0].item(), parts[1], [(one.category, str(one.message)) for one in seen]))
        return found

    assert run(vt.to_static(fn)) == run(fn)
