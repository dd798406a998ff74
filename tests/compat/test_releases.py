"""What earlier releases saved is loaded and gives the results that it gave then; tests/compat/releases/README.md."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.inference import Config, create_predictor
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.printer import print_program
from vitrify.runtime.compiler import compile_program

FOLDER = Path(__file__).parent / "releases"
RELEASES = sorted(p.name for p in FOLDER.iterdir() if (p / "expected.npz").exists())


@pytest.fixture(scope="module")
def maker(load_file: Callable[[Path], ModuleType]) -> ModuleType:
    return load_file(FOLDER / "make.py")


class Release:
    """The files of one release and the results that it gave."""

    def __init__(self, version: str) -> None:
        self.folder = FOLDER / version
        with np.load(self.folder / "expected.npz") as file:
            self.expected = dict(file)

    def tensor(self, name: str) -> vt.Tensor:
        return vt.to_tensor(self.expected[name])

    def equals(self, name: str, made: Any, tolerance: float = 1e-5) -> None:
        want, found = self.expected[name], np.asarray(made.numpy() if isinstance(made, vt.Tensor) else made)
        assert (found.dtype, found.shape) == (want.dtype, want.shape), name
        np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> Release:
    return Release(request.param)


def test_the_first_release_is_there() -> None:
    assert "0.1.0" in RELEASES


def test_the_files_are_as_they_were(release: Release) -> None:
    digests = json.loads((release.folder / "digests.json").read_text())
    files = (p for p in release.folder.rglob("*") if p.is_file() and p.name != "digests.json" and p.suffix != ".pyc")
    found = {str(p.relative_to(release.folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
    assert found == digests


def check_layer(release: Release, layer: Any) -> None:
    made = layer(release.tensor("layer.image"), release.tensor("layer.steps"))
    release.equals("layer.logits", made["logits"])
    release.equals("layer.sum", made["sum"], 1e-4)
    encoded, place = layer.encode(release.tensor("layer.image"))
    release.equals("layer.encoded", encoded)
    release.equals("layer.place", place)


@pytest.mark.parametrize("name", ["layer", "layer.vt"])
def test_a_layer_with_two_methods(release: Release, name: str, tmp_path: Path) -> None:
    layer = vt.jit.load(release.folder / name, structured=True)
    names = {"convolution.weight", "normal._mean", "dense.bias", "calls"}
    assert names <= set(layer.state_dict())
    before = int(layer.state_dict()["calls"])
    check_layer(release, layer)
    assert int(layer.state_dict()["calls"]) == before + 1
    vt.jit.save(layer, tmp_path / "again")
    check_layer(release, vt.jit.load(tmp_path / "again", structured=True))


def test_a_loaded_layer_trains(release: Release) -> None:
    layer = vt.jit.load(release.folder / "layer", structured=True)
    layer.train()
    layer(release.tensor("layer.image"), release.tensor("layer.steps"))["logits"].square().sum().backward()
    gradients = [p.grad for p in layer.parameters()]
    assert len(gradients) == 6
    assert all(g is not None and np.isfinite(g.numpy()).all() for g in gradients)


def test_python_that_runs_with_numpy_alone(release: Release) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import numpy as np, model\n"
        "e = np.load(sys.argv[2]); made = model.forward(e['layer.image'], e['layer.steps'])\n"
        "np.testing.assert_allclose(made['logits'], e['layer.logits'], 1e-5, 1e-5)\n"
        "np.testing.assert_allclose(model.encode(e['layer.image'])[0], e['layer.encoded'], 1e-5, 1e-5)\n"
        "model.self_test(); print('vitrify' in sys.modules)"
    )
    command = [sys.executable, "-B", "-c", code, str(release.folder / "python"), str(release.folder / "expected.npz")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False"]


def test_a_function_with_a_loop(release: Release) -> None:
    loaded = vt.jit.load(release.folder / "function.vt", structured=True)
    total, (positive, order, steps) = loaded(release.tensor("function.x"), 4)
    for name, made in (("total", total), ("positive", positive), ("order", order), ("steps", steps)):
        release.equals(f"function.{name}", made)


def test_the_text_of_a_program(release: Release) -> None:
    text = (release.folder / "program.ir").read_text()
    program = parse_program(text)
    again = parse_program(print_program(program))
    feeds = [release.expected["function.x"], np.array(4)]
    interpreted, _ = interpret(program, feeds, [])
    compiled = compile_program(again).run(feeds, [])
    for name, one, other in zip(("total", "positive", "order", "steps"), interpreted, compiled, strict=True):
        release.equals(f"function.{name}", one)
        release.equals(f"function.{name}", other)


def test_a_function_that_calls_back(release: Release, maker: ModuleType) -> None:
    path = release.folder / "callback.vt"
    with pytest.raises(vt.errors.CallbackError, match="Cube"):
        vt.jit.load(path)(release.tensor("callback.x"))
    x = release.tensor("callback.x")
    x.stop_gradient = False
    made = vt.jit.load(path, callbacks={"Cube": maker.Cube})(x)
    release.equals("callback.y", made)
    made.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 0.375 * x.numpy() ** 2, rtol=1e-5)


def test_an_inference_model(release: Release) -> None:
    path, feed = str(release.folder / "inference"), release.expected["inference.x"]
    vt.enable_static()
    try:
        executor = vt.static.Executor()
        program, feeds, fetches = vt.static.load_inference_model(path, executor)
        (made,) = executor.run(program, feed={feeds[0]: feed}, fetch_list=fetches)
    finally:
        vt.disable_static()
    release.equals("inference.y", made)
    predictor = create_predictor(Config(path + ".pdmodel", path + ".pdiparams"))
    release.equals("inference.y", predictor.run([feed])[0])


def test_a_checkpoint_is_resumed(release: Release, maker: ModuleType) -> None:
    model, optimizer = maker.training()
    model.set_state_dict(vt.load(release.folder / "checkpoint.pdparams"))
    optimizer.set_state_dict(vt.load(release.folder / "checkpoint.pdopt"))
    release.equals("checkpoint.loss", np.array(maker.train(model, optimizer, 3, 6)))
    for name, value in model.state_dict().items():
        release.equals(f"checkpoint.{name}", value)


def test_nested_objects(release: Release) -> None:
    found = vt.load(release.folder / "nested.pdparams")
    assert {k: found[k] for k in ("epoch", "name", "rates")} == {"epoch": 3, "name": "best", "rates": [0.1, 0.2]}
    assert found["mask"].numpy().tolist() == [True, False]
    assert (str(found["half"].dtype), found["half"].astype("float32").tolist()) == ("vitrify.bfloat16", [1.5, -2.0])


def test_files_of_a_release_are_never_written_anew(maker: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert (FOLDER / vt.__version__).exists(), "run make.py for this version before it is released"
    assert maker.main() == 1
    assert "never written anew" in capsys.readouterr().err


DEPRECATED = {  # what warns when it is used: name -> a call
    "vt.utils.deprecated": lambda: vt.utils.deprecated(update_to="vt.new")(lambda: 1)(),
}


@pytest.mark.parametrize("name", DEPRECATED)
def test_deprecations_warn_and_name_what_to_use(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert DEPRECATED[name]() == 1
    (warning,) = caught
    assert warning.category is DeprecationWarning
    assert warning.filename == __file__
    assert "; use " in str(warning.message)
