"""The tool that measures accuracy: a sample of its points keeps the stated bounds, and its page states those."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from vitrify.runtime.codegen.prelude import BOUNDS

pytest.importorskip("mpmath")
TOOLS = Path(__file__).resolve().parents[2] / "tools"
PAGE = TOOLS.parent / "docs" / "numerics.md"


@pytest.fixture(scope="module")
def numerics(load_file: Callable[[Path], ModuleType]) -> Iterator[ModuleType]:
    sys.path.insert(0, str(TOOLS))
    try:
        yield load_file(TOOLS / "numerics.py")
    finally:
        sys.path.remove(str(TOOLS))


@pytest.mark.parametrize("short", ["f32", "f64"])
@pytest.mark.parametrize("name", ["exp", "expm1", "log10", "tanh", "sinh", "tan", "acosh", "erfc", "pow", "lgamma"])
def test_a_sample_keeps_the_bounds(numerics: ModuleType, name: str, short: str) -> None:
    found = numerics.measure(name, short, stride=100_003, scale=2000, exact=60, seed=5)
    assert found.holds, found
    assert found.points > 1000
    assert 0 < found.error <= BOUNDS[f"{name}_{short}"]


def test_a_wrong_function_is_told(numerics: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(numerics.WIDE, "exp", numerics.np.exp2)
    found = numerics.measure("exp", "f32", stride=1_000_003, scale=2000, exact=60)
    assert not found.holds
    assert found.error > 1000


def test_sums_keep_their_bounds(numerics: ModuleType) -> None:
    rows, good = numerics.sum_rows(20_000)
    assert good, rows
    assert len(rows) == 2 * 17


def test_numbers_that_overflow(numerics: ModuleType) -> None:
    found = {(what, operands): (eager, compiled) for what, operands, eager, compiled in numerics.sums.edges()}
    assert found["softmax", "[max, -max, 0, max]"] == (["0.5", "0", "0", "0.5"],) * 2
    assert found["softmax", "[inf, 0]"] == (["nan", "nan"],) * 2
    assert found["logsumexp", "[-inf, -inf]"] == (["-inf"],) * 2
    assert found["logsumexp", "[inf, 0]"] == (["inf"],) * 2


def test_the_page_states_the_bounds_that_hold() -> None:
    rows = re.findall(
        r"^\| (\w+) \| ([\d.]+) \| ([\d.]+) \|[^|]*\|[^|]*\| ([\d.]+) \| ([\d.]+) \|", PAGE.read_text(), re.M
    )
    assert len(rows) >= 28
    for name, *numbers in rows:
        narrow, narrow_found, wide, wide_found = map(float, numbers)
        assert (BOUNDS[f"{name}_f32"], BOUNDS[f"{name}_f64"]) == (narrow, wide), name
        assert narrow_found <= narrow, name
        assert wide_found <= wide, name
        assert narrow <= 4, name
        assert wide <= (4 if name == "lgamma" else 2), name
