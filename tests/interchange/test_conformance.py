"""ONNX's own node tests: what was recorded as passing passes; a few of each kind compiled, too."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnx.backend.test")

from vitrify.testing.onnx_cases import node_cases, run_all, run_case  # noqa: E402 - needs the library

COMPILED = {
    "test_lstm_with_peepholes", "test_gru_batchwise", "test_scan9_sum", "test_maxpool_2d_pads", "test_convtranspose_pads",
    "test_resize_downsample_scales_cubic", "test_layer_normalization_4d_axis1", "test_top_k_same_values_2d", "test_scatternd_add",
    "test_qlinearconv", "test_einsum_batch_matmul", "test_range_int32_type_negative_delta_expanded", "test_if", "test_unique_not_sorted_without_axis",
}  # fmt: skip


@pytest.fixture(scope="module")
def cases() -> dict[str, object]:
    return {case.name: case for case in node_cases()}


def recorded(root: Path) -> tuple[str, dict[str, int]]:
    """The version and the counts in docs/onnx.md."""
    text = (root / "docs" / "onnx.md").read_text()
    version = re.search(r"node tests of onnx (\S+)", text)
    assert version is not None
    return version[1], {k: int(v) for k, v in re.findall(r"^\* (passed|failed|refused): (\d+)", text, re.MULTILINE)}


def test_no_case_that_passed_fails_now(cases: dict[str, object]) -> None:
    version, before = recorded(Path(__file__).resolve().parents[2])
    outcomes = list(run_all(list(cases.values())))
    now = Counter(o.status for o in outcomes)
    if onnx.__version__ == version:
        assert now["passed"] >= before["passed"], [(o.name, o.reason) for o in outcomes if o.status == "failed"]
        assert now["failed"] <= before["failed"], [(o.name, o.reason) for o in outcomes if o.status == "failed"]
    else:  # another version has other cases: hardly any that is read may give other numbers
        assert now["failed"] <= 0.02 * now["passed"], [(o.name, o.reason) for o in outcomes if o.status == "failed"]


@pytest.mark.parametrize("name", sorted(COMPILED))
def test_compiled_models_give_the_same(name: str, cases: dict[str, object]) -> None:
    if name not in cases:
        pytest.skip(f"onnx {onnx.__version__} has no {name}")
    found = run_case(cases[name], native=True)
    assert found.status == "passed", found.reason
