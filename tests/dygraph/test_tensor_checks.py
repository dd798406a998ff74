"""`amp.debugging`, against lines that PaddlePaddle 3.3.1 prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.amp import debugging
from vitrify.amp.debugging import DebugMode, TensorCheckerConfig
from vitrify.errors import ArgumentError, KindError, NonFiniteError

WRONG = [1.0, 0.0, -3.0, np.nan, np.inf, -np.inf]
TOLD = "[device=cpu, op=pow, tensor=res, dtype=fp32], numel="


@pytest.fixture(autouse=True)
def _unchecked() -> Any:
    yield
    debugging.disable_tensor_checker()
    TensorCheckerConfig.current_step_id = 0


def test_the_numbers_of_a_tensor(capsys: pytest.CaptureFixture[str]) -> None:
    x = vt.to_tensor(WRONG)
    stats, values = debugging.check_numerics(x, "pow", "res", DebugMode.CHECK_NAN_INF)
    assert stats.tolist() == [1, 2, 1] and str(values.tolist()) == "[inf, -inf, nan]"
    told = "6, num_nan=1, num_inf=2, num_zero=1, max=inf, min=-inf, mean=nan\n"
    assert capsys.readouterr().out == "[PRECISION] [ERROR] in " + TOLD + told
    fine = vt.to_tensor([1.0, 0.0, 3.0])
    stats, values = debugging.check_numerics(fine, "pow", "res", DebugMode.CHECK_ALL)
    assert stats.tolist() == [0, 0, 1]
    np.testing.assert_allclose(values.numpy(), [3.0, 0.0, 4 / 3], rtol=1e-6)
    told = "3, num_zero=1, max=3.000000e+00, min=0.000000e+00, mean=1.333333e+00\n"
    assert capsys.readouterr().out == "[PRECISION] in " + TOLD + told
    debugging.check_numerics(fine * 1e5, "pow", "res", DebugMode.CHECK_ALL_FOR_OVERFLOW)
    assert "[ERROR]" in capsys.readouterr().out
    debugging.check_numerics(fine, "pow", "res")
    assert capsys.readouterr().out == ""
    with pytest.raises(RuntimeError, match="num_nan=1, num_inf=2"):
        debugging.check_numerics(x, "pow", "res")


def test_a_checker_that_stops(capsys: pytest.CaptureFixture[str]) -> None:
    vt.seed(5)
    config = TensorCheckerConfig(enable=True)
    assert capsys.readouterr().out == "AMP Debugging TensorCheckerConfig: seed  5\n"
    debugging.enable_tensor_checker(config)
    for run in (vt.log, vt.to_static(lambda x: vt.log(x))):
        with pytest.raises(NonFiniteError, match="log"):
            run(vt.to_tensor([-1.0, 0.0]))
    debugging.disable_tensor_checker()
    vt.log(vt.to_tensor([-1.0, 0.0]))


def test_a_checker_that_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    debugging.enable_tensor_checker(TensorCheckerConfig(enable=True, debug_mode=DebugMode.CHECK_NAN_INF))
    capsys.readouterr()
    assert vt.log(vt.to_tensor([-1.0, 0.0])).shape == [2]
    assert "op=log" in capsys.readouterr().out
    debugging.enable_tensor_checker(
        TensorCheckerConfig(enable=True, debug_mode=DebugMode.CHECK_ALL, output_dir=str(tmp_path))
    )
    vt.exp(vt.ones([2]))
    assert "op=exp" in (tmp_path / "worker_cpu.log").read_text()


def test_a_checker_of_some_operations() -> None:
    x = vt.to_tensor([-1.0, 0.0])
    debugging.enable_tensor_checker(TensorCheckerConfig(enable=True, skipped_op_list=["log"]))
    vt.log(x)
    with pytest.raises(NonFiniteError, match="sqrt"):
        vt.sqrt(x)
    debugging.enable_tensor_checker(TensorCheckerConfig(enable=True, checked_op_list=["elementwise_div"]))
    vt.log(x)
    with pytest.raises(NonFiniteError, match="div"):
        x / x


def test_a_checker_of_some_steps() -> None:
    config = TensorCheckerConfig(enable=True, debug_step=[1, 3])
    found = []
    for _ in range(4):
        debugging.enable_tensor_checker(config)
        try:
            vt.log(vt.to_tensor([-1.0]))
            found.append(True)
        except NonFiniteError:
            found.append(False)
    assert found == [True, False, False, True]
    for wrong in ({"debug_step": [3, 1]}, {"checked_op_list": "log"}, {"debug_mode": 1}):
        with pytest.raises(ArgumentError):
            TensorCheckerConfig(enable=False, **wrong)  # type: ignore[arg-type]


def test_a_checked_layer() -> None:
    class Inverse(vt.nn.Layer):
        @debugging.check_layer_numerics
        def forward(self, x: Any) -> Any:
            return 1.0 / x

    assert Inverse()(vt.to_tensor([2.0])).tolist() == [0.5]
    with pytest.raises(NonFiniteError):
        Inverse()(vt.to_tensor([0.0]))
    with pytest.raises(KindError, match="must be a tensor"):
        Inverse()(3.0)
    assert vt.to_static(Inverse())(vt.to_tensor([2.0])).tolist() == [0.5]


def test_counts_of_operations(capsys: pytest.CaptureFixture[str]) -> None:
    x = vt.rand([2, 2])
    debugging.disable_operator_stats_collection()
    with debugging.collect_operator_stats():
        y = (x + x) * x.astype("bfloat16").astype("float32")
        assert y.dtype == "float32" and (x > 0).shape == [2, 2]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"<{' op list ':-^120}>"
    assert lines[1] == (
        "<--------------- Op Name ---------------- | -- FP16 Calls --- | -- BF16 Calls --- | --- FP32 Calls--- | "
        "-- Other Calls -->"
    )
    rows = {line.split()[0]: [int(v) for v in line.split("|")[1:]] for line in lines[2:-2]}
    assert rows["elementwise_add"] == rows["elementwise_mul"] == [0, 0, 1, 0] and rows["cast"] == [0, 1, 1, 0]
    assert sum(counts[3] for counts in rows.values()) == 1 and lines[-2] == f"<{f' op count: {len(rows)} ':-^120}>"
