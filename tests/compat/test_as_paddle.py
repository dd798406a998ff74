"""Programs that import `paddle` run as they are, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vitrify.cli import paddle_program
from vitrify.compat.presence import explain, verdict

TRAINING = """
import sys

import numpy as np
import paddle
import paddle.nn as nn
import paddle.nn.functional as F
from paddle.io import DataLoader, Dataset
from paddle.nn.layer.common import Linear
from paddle.static import InputSpec


class Points(Dataset):
    def __getitem__(self, i):
        x = np.cos(np.arange(4, dtype="float32") + i)
        return x, np.array([int(x.sum() > 0)])

    def __len__(self):
        return 32


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = Linear(4, 8), paddle.nn.Linear(8, 2)

    def forward(self, x):
        h = F.relu(self.first(x))
        if h.mean() > 100:
            h = h / 2
        return self.second(h)


paddle.seed(3)
net = paddle.jit.to_static(Net(), input_spec=[InputSpec([None, 4], "float32")])
optimizer = paddle.optimizer.Adam(learning_rate=0.05, parameters=net.parameters())
losses = []
for epoch in range(3):
    for x, y in DataLoader(Points(), batch_size=8):
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
assert losses[-1] < losses[0], losses
print(sys.argv[1:], __name__, paddle.__version__, "vitrify" in sys.modules)
"""

FLUID = """
import numpy as np
import paddle
import paddle.fluid as fluid

paddle.enable_static()
x = fluid.data(name="x", shape=[None, 3], dtype="float32")
y = fluid.layers.fc(input=x, size=2)
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
print(exe.run(feed={"x": np.ones([5, 3], "float32")}, fetch_list=[y])[0].shape)
"""

MISSING = """
import paddle

for text in ("import paddle.nothing_of_the_kind", "from paddle.nn import Linaer", "paddle.nn.Linaer", "import paddle.vision.oops"):
    try:
        exec(text)
    except (ImportError, AttributeError) as error:
        print(type(error).__name__, str(error).replace(chr(10), " "))
try:
    import paddle.nothing_of_the_kind
except ModuleNotFoundError as error:
    print(error.name)
"""


def _run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, env=os.environ | environment
    )


def _script(folder: Path, text: str) -> Path:
    file = folder / "program.py"
    file.write_text(text)
    return file


def test_a_training_program(tmp_path: Path) -> None:
    found = _run("-m", "vitrify.as_paddle", _script(tmp_path, TRAINING), "a", "--b")
    assert found.stderr == ""
    assert found.stdout == "['a', '--b'] __main__ 3.3.1 True\n"


def test_a_program_of_paddle_1(tmp_path: Path) -> None:
    found = _run("-m", "vitrify.as_paddle", _script(tmp_path, FLUID))
    assert (found.stdout, found.returncode) == ("(5, 2)\n", 0), found.stderr


def test_a_module_and_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("from paddle import nn\n")
    _script(tmp_path, "import sys, beside, paddle\nprint(beside.nn is paddle.nn, sys.argv[1:])\nsys.exit(3)")
    for how in (("-m", "program"), (tmp_path / "program.py",)):
        found = subprocess.run(
            [sys.executable, "-m", "vitrify.as_paddle", *map(str, how), "x"],
            capture_output=True, text=True, cwd=tmp_path,
        )  # fmt: skip
        assert (found.stdout, found.returncode) == ("True ['x']\n", 3), found.stderr


def test_setuptools_after_pip(tmp_path: Path) -> None:
    found = _run("-m", "vitrify.as_paddle", _script(tmp_path, "import paddle, pip\nfrom setuptools import Extension"))
    assert found.returncode == 0, found.stderr


def test_images_of_pillow(tmp_path: Path) -> None:
    (tmp_path / "PIL").mkdir()
    (tmp_path / "PIL" / "__init__.py").write_text("")
    (tmp_path / "PIL" / "Image.py").write_text("new = len\n")
    found = _run(
        "-m", "vitrify.as_paddle", _script(tmp_path, "import paddle, PIL\nprint(PIL.Image.new, PIL.__loader__)")
    )
    assert found.stdout.startswith("<built-in function len>"), found.stderr
    assert "SourceFileLoader" in found.stdout


def test_a_missing_name_is_told_with_the_nearest_and_the_page(tmp_path: Path) -> None:
    lines = _run("-m", "vitrify.as_paddle", _script(tmp_path, MISSING)).stdout.splitlines()
    assert lines[0].startswith("MissingModuleError vitrify has no module 'paddle.nothing_of_the_kind'")
    assert "MissingNameError" in lines[1] and "did you mean 'Linear'?" in lines[1]
    assert "MissingError" in lines[2] and "did you mean 'Linear'?" in lines[2]
    assert lines[3].startswith("MissingModuleError vitrify has no module 'paddle.vision.oops'")
    assert all("docs/reference/coverage.md" in line for line in lines[:4])
    assert lines[4] == "paddle.nothing_of_the_kind"


KINDS_OF_ERRORS = """
import pickle
import paddle

x = paddle.ones([2, 3])
for run in (
    lambda: x + paddle.ones([4]), lambda: x.flip([5]), lambda: paddle.one_hot(x, 3), lambda: paddle.zeros("ab"),
    lambda: paddle.full([1], 1.0, "bits"), lambda: paddle.nothing_of_the_kind,
):
    try:
        run()
    except Exception as error:
        again = pickle.loads(pickle.dumps(error))
        print(type(error).__name__, str(error).partition(")")[0][:20], str(again) == str(error))
"""


def test_messages_begin_with_the_kind_of_error_that_paddle_programs_look_for() -> None:
    lines = _run("-c", "import vitrify.as_paddle" + KINDS_OF_ERRORS).stdout.splitlines()
    assert lines[:2] == ["ShapeError (InvalidArgument True", "AxisError (InvalidArgument True"]
    assert {line.split()[1] for line in lines[2:5]} <= {"(InvalidArgument", "(InvalidType", "(NotFound"}
    assert lines[5].startswith("MissingError module")
    ours = _run("-c", KINDS_OF_ERRORS.replace("import paddle", "import vitrify as paddle")).stdout
    assert "(Invalid" not in ours and "(NotFound" not in ours


def test_paddle_holds_itself() -> None:
    text = "import vitrify.as_paddle, vitrify, paddle\nprint(paddle.paddle is paddle, hasattr(vitrify, 'paddle'))"
    assert _run("-c", text).stdout == "True False\n"


def test_an_installed_paddle_is_never_used(tmp_path: Path) -> None:
    (tmp_path / "paddle" / "real").mkdir(parents=True)
    for file in ("paddle/__init__.py", "paddle/real/__init__.py"):
        (tmp_path / file).write_text("print('the other one')\n")
    told = "\ntry:\n    import paddle.real\nexcept ImportError as error:\n    print(error.name)"
    found = _run("-c", "import vitrify.as_paddle\nimport paddle" + told, PYTHONPATH=str(tmp_path))
    assert (found.stdout, found.stderr) == ("paddle.real\n", "")
    found = _run("-c", "import paddle\nimport vitrify.as_paddle", PYTHONPATH=str(tmp_path))
    assert found.returncode == 1 and "import vitrify.as_paddle before anything" in found.stderr


def test_the_environment_variable_works_wherever_vitrify_is_imported() -> None:
    text = "import vitrify, paddle\nprint(paddle.nn is vitrify.nn)"
    assert _run("-c", text, VITRIFY_AS_PADDLE="1").stdout == "True\n"
    assert "No module named 'paddle'" in _run("-c", text, VITRIFY_AS_PADDLE="0").stderr


def test_what_is_set_in_paddle_is_set_here() -> None:
    text = "import vitrify.as_paddle, vitrify, paddle\npaddle.mine = 3\nprint(vitrify.mine)\ndel paddle.mine\nprint(hasattr(vitrify, 'mine'), 'zeros' in dir(paddle))"
    assert _run("-c", text).stdout == "3\nFalse True\n"


def test_the_start_file_is_written_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddle_program.sysconfig, "get_path", lambda _: str(tmp_path))
    assert paddle_program.main(["--enable"]) == 0
    line = paddle_program.start_file().read_text()
    text = f"import site\nsite.addsitedir({str(tmp_path)!r})\nimport paddle\nprint(paddle.version.full_version)"
    assert _run("-c", text, VITRIFY_AS_PADDLE="1").stdout == "3.3.1\n"
    assert "No module named 'paddle'" in _run("-c", text, VITRIFY_AS_PADDLE="").stderr
    assert line.startswith("import ") and line.count("\n") == 1  # what `site` runs
    assert paddle_program.main(["--disable"]) == 0
    assert not paddle_program.start_file().exists()
    assert paddle_program.main(["--disable"]) == 0


def test_wrong_command_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [paddle_program.main(given) for given in ([], ["-h"], ["-m"], ["--nothing"])] == [2, 0, 2, 2]
    (tmp_path / "file").touch()
    monkeypatch.setattr(paddle_program.sysconfig, "get_path", lambda _: str(tmp_path / "file"))
    assert paddle_program.main(["--enable"]) == 2
    assert "can't be written" in capsys.readouterr().err


def test_versions() -> None:
    import vitrify as vt

    vt.utils.require_version("2.0", "4.0.0")
    assert (
        vt.version.full_version.startswith(f"{vt.version.major}.{vt.version.minor}.") and vt.version.cuda() == "False"
    )
    with pytest.raises(RuntimeError, match=r"at least 9\.0"):
        vt.utils.require_version("9.0")
    with pytest.raises(RuntimeError, match=r"at most 2\.1"):
        vt.utils.require_version("1.0", "2.1")
    for wrong in ("newest", 2.0, "2.0.0.0.0", "2.0a"):
        with pytest.raises((TypeError, ValueError), match="version"):
            vt.utils.require_version(wrong)
    with pytest.raises(ValueError, match="below"):
        vt.utils.require_version("2.0", "1.0")


def test_a_build_of_no_release_is_new_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    import vitrify as vt

    for name in ("major", "minor", "patch", "rc"):
        monkeypatch.setattr(vt.version, name, "0")
    vt.base.require_version("9.0")


def test_verdicts() -> None:
    assert verdict("paddle.nn.functional.relu.__name__").name == "paddle.nn.functional.relu"
    assert verdict("paddle.DataParallel").state == "different" and verdict("paddle.DataParallel").reason
    assert verdict("paddle.nn.Layer.forward").state == verdict("paddle.base.framework").state == "here"
    assert verdict("Tensor.numpy").state == "here" and verdict("Tensor.nmupy").nearest == "Tensor.numpy"
    absent = verdict("paddle.float8_e4m3fn")
    assert (absent.state, absent.reason) == ("absent", "8-bit floats are for GPUs")
    assert "8-bit floats" in (explain("vitrify", "float8_e4m3fn") or "") and explain("vitrify", "oops") is None


def test_dtypes_print_in_paddles_name() -> None:
    text = "import vitrify.as_paddle, paddle\nprint(paddle.float32, paddle.static.InputSpec([None, 2], 'int64', 'x'))"
    told = "paddle.float32 InputSpec(shape=(-1, 2), dtype=paddle.int64, name=x, stop_gradient=False)\n"
    assert _run("-c", text).stdout == told


BITS = """
import os
import tempfile
import numpy as np
import paddle

x = paddle.to_tensor([1.0, -2.5], dtype="bfloat16")
bits = x.numpy()
print(bits, np.array(x), x.tolist(), paddle.to_tensor(bits) == x, paddle.to_tensor(bits, "float32").tolist())
print(paddle.zeros([1], "uint16").dtype, x.astype(np.uint16).dtype, x.dtype == "uint16")
y = paddle.zeros([2], "bfloat16")
y.set_value(bits)
path = os.path.join(tempfile.mkdtemp(), "state")
paddle.save({"bits": bits}, path)
print(y.tolist(), paddle.load(path, return_numpy=True)["bits"].dtype, type(x))


@paddle.jit.to_static(full_graph=True)
def captured(x):
    return x.numpy() * 2


try:
    captured(x)
except paddle.errors.CaptureError as error:
    print("CaptureError")
paddle.enable_static()
fed = paddle.static.data("fed", [2], "uint16")
(made,) = paddle.static.Executor().run(feed={"fed": bits}, fetch_list=[fed * 2])
print(fed.dtype, made)
"""


def test_arrays_hold_the_bits_of_bfloat16() -> None:
    found = _run("-c", "import vitrify.as_paddle" + BITS)
    lines = found.stdout.splitlines()
    assert lines[0].startswith("[16256 49184] [16256 49184] [1.0, -2.5] Tensor(shape=[2], dtype=bool"), found.stderr
    assert lines[1:] == [
        "       [True, True]) [16256.0, 49184.0]",
        "paddle.bfloat16 paddle.bfloat16 False",
        "[1.0, -2.5] uint16 <class 'paddle.Tensor'>",
        "CaptureError",
        "paddle.bfloat16 [16384 49312]",
    ]
