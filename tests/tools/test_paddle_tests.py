"""PaddlePaddle's own tests: checks of operators don't depend on the mode, and groups have folders."""

from __future__ import annotations

import functools
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import vitrify as vt

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    monkeypatch.syspath_prepend(str(TOOLS))
    made = {}
    for name in ("paddle_op_test", "paddle_tests_record", "paddle_refusals", "paddle_tests"):
        spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        made[name] = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, made[name])
        spec.loader.exec_module(made[name])
    return made


def signed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The tool runs a test of an operator whose function takes X and gives Out."""
    signatures = folder / "signatures"
    signatures.write_text(json.dumps(["Case::test", [["X"], [], ["Out"]]]))
    monkeypatch.setenv("PADDLE_TESTS_SIGNATURES", str(signatures))
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "file.py::Case::test (call)")


def test_operators_are_checked_eagerly_in_static_mode(
    tool: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signed(monkeypatch, tmp_path)
    x = np.array([0.5, 0.25])

    class Case(tool["paddle_op_test"].OpTest):  # type: ignore[misc]
        python_api = staticmethod(lambda value: vt.tanh(value))

        def test(self) -> None:
            self.inputs, self.outputs = {"X": x}, {"Out": np.tanh(x)}
            self.check_output()
            self.check_grad(["X"], "Out")

    class Steep(Case):
        python_api = staticmethod(lambda value: vt.tanh(value * 100.0))

        def test(self) -> None:
            steep = np.array([0.001, 0.002])
            self.inputs, self.outputs = {"X": steep}, {"Out": np.tanh(steep * 100.0)}
            self.check_grad(["X"], "Out")

    vt.enable_static()
    try:
        Case("test").test()
        Steep("test").test()
        assert not vt.in_dynamic_mode()
    finally:
        vt.disable_static()


def test_gradients_of_complex_inputs_have_both_parts(
    tool: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signed(monkeypatch, tmp_path)
    case = tool["paddle_op_test"].OpTest()
    z = np.array([0.5 + 1.0j, -0.25 + 0.75j])
    case.inputs, case.outputs = {"X": z}, {"Out": z**3}
    case.python_api = lambda value: value * value * value
    case.check_output()
    case.check_grad(["X"], "Out")
    case.python_api = lambda value: value.conj() * value * value  # another function's
    with pytest.raises(AssertionError, match="gradient of X"):
        case.check_grad(["X"], "Out", user_defined_grads=[np.conj(3 * z**2) / 2])


def test_of_large_inputs_some_slopes_are_measured(
    tool: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signed(monkeypatch, tmp_path)
    monkeypatch.setattr(tool["paddle_op_test"], "MEASURED", 3)
    calls = []
    case = tool["paddle_op_test"].OpTest()
    x = np.linspace(0.5, 1.5, 40)
    case.inputs, case.outputs = {"X": x}, {"Out": x**2}
    case.python_api = lambda value: calls.append(1) or value * value
    case.check_grad(["X"], "Out")
    assert len(calls) == 1 + 2 * 3
    case.check_grad(["X"], "Out", user_defined_grads=[6 * x], user_defined_grad_outputs=np.full(40, 3.0))
    case.python_api = lambda value: value.detach() * value  # half the slope
    with pytest.raises(AssertionError, match="gradient of X"):
        case.check_grad(["X"], "Out")


def test_a_group_has_the_folders_below_it(tool: dict[str, ModuleType]) -> None:
    kept = {
        "peer": {n: {"test": ["passed", ""]} for n in ("pir/a.py", "pir/inner/b.py", "pirates/c.py")},
        "ours": {
            "pir/a.py": {"test": ["passed", ""]}, "pir/inner/b.py": {"test": ["failed", "wrong"]},
            "pirates/c.py": {"test": ["failed", "not asked for"]},
        },
    }  # fmt: skip
    assert "pir        2      2          1  50.0 %" in tool["paddle_tests"].summary(kept, ["pir"])
    told = tool["paddle_tests"].reasons(kept, ["pir"])
    assert "wrong" in told and "not asked for" not in told


def test_settings_of_a_partial_function_are_its_own(
    tool: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signatures = tmp_path / "signatures"
    signatures.write_text(json.dumps(["Case::test", [["X"], ["factor"], ["Out"]]]))
    monkeypatch.setenv("PADDLE_TESTS_SIGNATURES", str(signatures))
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "file.py::Case::test (call)")

    def scaled(x: vt.Tensor, factor: float) -> vt.Tensor:
        return x * factor

    case = tool["paddle_op_test"].OpTest()
    case.python_api = functools.partial(scaled, factor=3.0)
    case.inputs, case.outputs = {"X": np.ones(2)}, {"Out": np.full(2, 3.0)}
    assert case.dtype is None
    case.check_output()


def test_results_are_given_to_a_function_of_the_test_those_with_fewer_rows_first(
    tool: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signatures = tmp_path / "signatures"
    signatures.write_text(json.dumps(["Case::test", [["X"], [], ["Twice", "First"]]]))
    monkeypatch.setenv("PADDLE_TESTS_SIGNATURES", str(signatures))
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "file.py::Case::test (call)")
    case = tool["paddle_op_test"].OpTest()
    case.python_api = lambda x: (x * 2.0, x[:1])
    case.inputs, case.outputs = {"X": np.array([3.0, 4.0])}, {}
    seen: list[list[np.ndarray]] = []
    case.check_output_with_place_customized(checker=seen.append, place=vt.CPUPlace(), check_pir=True)
    assert [result.tolist() for result in seen[0]] == [[3.0], [6.0, 8.0]]


def test_a_list_of_one_tensor_is_the_tensor_as_in_paddles_harness(
    tool: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signed(monkeypatch, tmp_path)
    case = tool["paddle_op_test"].OpTest()
    case.python_api = lambda x: x * 3.0 if isinstance(x, vt.Tensor) else [v * 3.0 for v in x]
    for count in (1, 2):
        case.inputs = {"X": [(f"x{k}", np.ones(2)) for k in range(count)]}
        case.outputs = {"Out": [(f"out{k}", np.full(2, 3.0)) for k in range(count)]}
        case.check_output()


def test_a_helper_is_looked_for_in_the_folders_above_a_test_first(tool: dict[str, ModuleType], tmp_path: Path) -> None:
    (tmp_path / "group" / "inner").mkdir(parents=True)
    (tmp_path / "legacy_test").mkdir()
    (tmp_path / "legacy_test" / "utils.py").write_text("NEAR = False\n")
    (tmp_path / "group" / "utils.py").write_text("NEAR = True\n")
    file = tmp_path / "group" / "inner" / "test_it.py"
    file.write_text("import utils\n\ndef test_near():\n    assert utils.NEAR\n")
    done = tool["paddle_tests"].run_file(sys.executable, file, tmp_path, False, 60.0, tmp_path / "signatures")
    assert done["test_near"][0] == "passed", done


def test_paddle_in_a_process_that_a_test_starts(tool: dict[str, ModuleType], tmp_path: Path) -> None:
    (tmp_path / "group").mkdir()
    file = tmp_path / "group" / "test_it.py"
    file.write_text(
        "import subprocess, sys\n\ndef test_child():\n"
        "    code = 'import paddle.base, sys; assert \"vitrify\" in sys.modules'\n"
        "    assert subprocess.run([sys.executable, '-c', code]).returncode == 0\n"
    )
    done = tool["paddle_tests"].run_file(sys.executable, file, tmp_path, True, 60.0, tmp_path / "signatures")
    assert done["test_child"][0] == "passed", done


def test_refusals_of_dtypes_that_are_computed_are_let_pass_by_a_rule(
    tool: dict[str, ModuleType], tmp_path: Path
) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(
        "import unittest\n\n"
        "class Case(unittest.TestCase):\n"
        "    def test_rule(self):\n        self.assertRaises(TypeError, abs, 1)\n"
        "    def test_goes_on(self):\n        self.assertRaises(TypeError, abs, 1)\n        assert False, 'behind'\n"
        "    def test_other(self):\n        self.assertRaises(TypeError, abs, 1)\n"
        "    def test_raised(self):\n        self.assertRaises(TypeError, abs, None)\n"
        "    def test_ends_before(self):\n        self.assertRaises(TypeError, abs, 1)\n"
    )
    words = "The data type of 'x' in abs must be ['float32'], but received int32."
    said = [("rule", words), ("goes_on", words), ("other", "The scale must be greater than 1.0."), ("raised", words)]
    signatures = tmp_path / "it.signatures"
    tool["paddle_tests"].refusals_of(signatures).write_text(
        "".join(json.dumps([f"Case::test_{name}", 1, message]) + "\n" for name, message in said)
    )
    done = tool["paddle_tests"].run_file(sys.executable, file, tmp_path, True, 90.0, signatures)
    ending = done.pop("(file)")[0]
    left_out = [name for name in done if tool["paddle_tests"].says_nothing("it.py", name, done)]
    assert left_out == ["Case::test_ends_before", "Case::test_rule"], done
    quoting = {
        "(file)": (ending, f"ended with 1: test_rule - AssertionError: {tool['paddle_tests'].COMPUTED}: {words}")
    }
    assert not tool["paddle_tests"].says_nothing("it.py", "Case::test_not_reached", quoting)
    assert "behind" in done["Case::test_goes_on"][1] and "not raised" in done["Case::test_other"][1]
    assert done["Case::test_raised"][0] == "passed"


def test_what_an_expected_error_says_is_written_down(tool: dict[str, ModuleType], tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(
        "import unittest\n\nclass Case(unittest.TestCase):\n    def test(self):\n"
        "        self.assertRaises(ValueError, int, 'a')\n        self.assertRaises(TypeError, abs, None)\n"
    )
    signatures = tmp_path / "it.signatures"
    tool["paddle_tests"].run_file(sys.executable, file, tmp_path, False, 90.0, signatures)
    lines = tool["paddle_tests"].refusals_of(signatures).read_text().splitlines()
    assert [json.loads(line)[:2] for line in lines] == [["Case::test", 1], ["Case::test", 2]]
    assert "abs()" in json.loads(lines[1])[2]
