"""Models saved as Python files: the same bits as the reference interpreter, in a process that has NumPy and no more."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import vitrify as vt
from vitrify import InputSpec, nn
from vitrify.nn import functional as F


class LeNet(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, stride=1, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
            nn.Conv2D(6, 16, 5), nn.ReLU(), nn.MaxPool2D(2, 2),
        )  # fmt: skip
        self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10))

    def forward(self, x: Any) -> Any:
        return self.fc(vt.flatten(self.features(x), 1))


class Reader(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.lstm = nn.LSTM(8, 6)
        self.head = nn.Linear(6, 3)

    def forward(self, ids: Any) -> Any:
        states, (h, _) = self.lstm(self.words(ids))
        return self.head(states[:, -1]), {"last": h}


class Halving(nn.Layer):
    """A loop whose length the data decide, and a branch."""

    def __init__(self) -> None:
        super().__init__()
        self.step = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        turns = 0
        while x.abs().max() > 0.1:
            x = vt.tanh(self.step(x)) * 0.5
            if x.mean() > 0:
                x = x - 0.01
            turns += 1
        return x, turns


class Noisy(nn.Layer):
    """Random numbers and buffers that change: what is saved in training mode."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1D(4)

    def forward(self, x: Any) -> Any:
        return F.dropout(self.norm(x), 0.5)


class Pair(NamedTuple):
    total: Any
    parts: list[Any]


class Nested(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.scale = self.create_parameter([3])

    def forward(self, inputs: Any, weight: Any) -> Any:
        a, b = inputs["pair"]
        made = a @ inputs["matrix"] * self.scale + b
        return Pair((made * weight).sum(), [made, None, "kept", 7])

    @vt.jit.to_static(input_spec=[InputSpec([None, 3], name="x")])
    def scaled(self, x: Any) -> Any:
        return x * self.scale


class Picking(nn.Layer):
    """Sizes that only a run knows."""

    def forward(self, x: Any, n: Any) -> Any:
        kept = x[x > 0]
        found = []
        for k in range(n):
            found.append(x[0] * k)
        return kept * 2, kept.shape[0], vt.stack(found) if len(found) > 0 else vt.zeros([1, 3])


def nested_loops(x: Any) -> Any:
    """Loops in loops, values that two variables swap, an early way out."""
    a, b = x, x * 0
    i = vt.zeros([], "int64")
    while i < 4:
        a, b = b + 1, a * 0.5
        j = vt.zeros([], "int64")
        while j < i:
            if (a + b).mean() > 0.2:
                a = a - 0.1
            else:
                b = b + 0.3
            j += 1
        if b.sum() > 50:
            return a, b
        i += 1
    return a * 2, b


def kept_rows(x: Any) -> Any:
    """A list whose length only a run knows, `continue` and `break`."""
    rows = []
    for i in range(x.shape[0]):
        if x[i].sum() > 0:
            continue
        if i > 3:
            break
        rows.append(x[i] * i)
    if len(rows) == 0:
        return x[0], vt.nonzero(x > 0)
    return vt.stack(rows).sum(0), vt.nonzero(x > 0)


def _nested_spec() -> list[Any]:
    pair = [InputSpec([None, 3], name="a"), InputSpec([3], name="b")]
    return [{"pair": pair, "matrix": InputSpec([3, 3], name="m")}, InputSpec([], name="weight")]


TRANSFORMER = [InputSpec([None, 5, 8], name="x")]
MODELS: dict[str, tuple[Callable[[], Any], Any, bool]] = {
    "lenet": (LeNet, [InputSpec([None, 1, 28, 28], name="image")], False),
    "lstm": (Reader, [InputSpec([None, 7], "int64", name="ids")], False),
    "loop": (Halving, [InputSpec([None, 4], name="x")], False),
    "transformer": (lambda: nn.TransformerEncoderLayer(8, 2, 16, activation="gelu"), TRANSFORMER, False),
    "training": (Noisy, [InputSpec([None, 4], name="x")], True),
    "nested_loops": (lambda: vt.jit.to_static(nested_loops), [InputSpec([None, 3], name="x")], False),
    "growing_list": (lambda: vt.jit.to_static(kept_rows), [InputSpec([6, 3], name="x")], False),
    "run_time_sizes": (Picking, [InputSpec([None, 3], name="x"), InputSpec([], "int64", name="n")], False),
}


def made(name: str, folder: Path) -> Any:
    vt.seed(11)
    build, spec, training = MODELS[name]
    layer = build()
    if isinstance(layer, nn.Layer):
        layer.train() if training else layer.eval()
    vt.jit.save(layer, folder / name, spec, format="python")
    vt.jit.save(layer, folder / f"{name}.vt", spec)
    return layer


def module_of(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"saved_{folder.name}", folder / "model.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in flat(part)]
    return [] if value is None or isinstance(value, str) else [np.asarray(value)]


@pytest.mark.parametrize("name", MODELS)
def test_the_module_gives_the_bits_of_the_interpreter_and_the_values_of_the_layer(name: str, tmp_path: Path) -> None:
    layer = made(name, tmp_path)
    module = module_of(tmp_path / name)
    module.self_test()
    artifact = vt.jit.load(tmp_path / f"{name}.vt").artifact
    program = artifact.methods["forward"].program
    rng = np.random.default_rng(3)
    for size in (2, 5):
        feeds = []
        for value in program.feed_values:
            shape = tuple(d if isinstance(d, int) else size for d in value.shape)
            whole = value.dtype.is_integer
            made_input = rng.integers(1, 4, shape) if whole else rng.standard_normal(shape) * 2
            feeds.append(np.asarray(made_input).astype(value.dtype.numpy))
        expected = artifact.run(feeds, native=False)
        found = flat(module.forward(*feeds))
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_array_equal(a, b)
        if name != "training":
            eager = flat(layer(*(vt.to_tensor(x) for x in feeds)))
            for a, b in zip(found, eager, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    for key, array in artifact.weights.items():  # what a run changes is changed alike
        np.testing.assert_array_equal(module.WEIGHTS[key], array)


def test_nested_arguments_results_and_several_methods(tmp_path: Path) -> None:
    layer = Nested()
    layer.forward = vt.jit.to_static(layer.forward, input_spec=_nested_spec())
    vt.jit.save(layer, tmp_path / "nested", format="python")
    module = module_of(tmp_path / "nested")
    module.self_test()
    a, b, m, w = (np.full(s, v, "float32") for s, v in (((2, 3), 1), ((3,), 2), ((3, 3), 0.5), ((), 3)))
    found = module.forward({"pair": [a, b], "matrix": m}, w)
    expected = layer({"pair": [vt.to_tensor(a), vt.to_tensor(b)], "matrix": vt.to_tensor(m)}, vt.to_tensor(w))
    assert type(found).__name__ == "Pair" and found.parts[1:] == [None, "kept", 7]
    np.testing.assert_allclose(found.total, expected.total.numpy(), rtol=1e-6)
    np.testing.assert_allclose(found.parts[0], expected.parts[0].numpy(), rtol=1e-6)
    np.testing.assert_allclose(module.scaled(a), layer.scaled(vt.to_tensor(a)).numpy())


def test_a_process_with_numpy_alone_runs_the_files(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    packages = Path(np.__file__).parent.parent
    for part in ("numpy", "numpy.libs"):
        if (packages / part).exists():
            (site / part).symlink_to(packages / part)
    for name in MODELS:
        made(name, tmp_path)
    program = (
        "import runpy, sys\n"
        f"sys.path.append({str(site)!r})\n"
        f"for name in {list(MODELS)!r}:\n"
        f"    runpy.run_path({str(tmp_path)!r} + '/' + name + '/model.py', run_name='__main__')\n"
        "assert not [m for m in sys.modules if m.partition('.')[0] in ('vitrify', 'numba', 'ml_dtypes')]\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["ok"] * len(MODELS)


def test_the_text_is_straight_and_names_the_users_lines(tmp_path: Path) -> None:
    made("loop", tmp_path)
    text = (tmp_path / "loop" / "model.py").read_text()
    tree = ast.parse(text)
    (forward,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "forward"]
    statements = [type(n) for n in ast.walk(forward) if isinstance(n, (ast.While, ast.If))]
    assert statements == [ast.If, ast.While, ast.If]  # the first asks whether `max` has elements
    assert "# test_python_artifact.py" in text and "while x.abs().max() > 0.1:" in text
    assert "vitrify" not in text.partition("\n")[2]
    assert all(a.annotation is not None for n in tree.body if isinstance(n, ast.FunctionDef) for a in n.args.args)


def test_a_changed_file_fails_its_self_test(tmp_path: Path) -> None:
    made("lenet", tmp_path)
    module = module_of(tmp_path / "lenet")
    module.WEIGHTS["fc.2.bias"] = module.WEIGHTS["fc.2.bias"] + 1
    with pytest.raises(AssertionError, match="isn't the stored one"):
        module.self_test()


def test_arguments_of_the_module_are_checked(tmp_path: Path) -> None:
    made("loop", tmp_path)
    module = module_of(tmp_path / "loop")
    with pytest.raises(TypeError, match="x must be float32, not float64"):
        module.forward(np.zeros((2, 4)))
    with pytest.raises(ValueError, match=r"x must have the shape \[None, 4\], not \[2, 5\]"):
        module.forward(np.zeros((2, 5), "float32"))


class Clipped(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.clip(-1, 1)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


def test_python_functions_are_given_by_name(tmp_path: Path) -> None:
    def clipped(x: Any) -> Any:
        return Clipped.apply(x) * 2

    vt.jit.save(vt.jit.to_static(clipped), tmp_path / "m", [InputSpec([3], name="x")], format="python")
    module = module_of(tmp_path / "m")
    x = np.array([-2, 0.5, 2], "float32")
    with pytest.raises(RuntimeError, match="set CALLBACKS"):
        module.forward(x)
    (name,) = {n.args[0].value for n in ast.walk(ast.parse((tmp_path / "m" / "model.py").read_text()))
               if isinstance(n, ast.Call) and ast.unparse(n.func) == "call_python"}  # fmt: skip
    module.CALLBACKS[name] = lambda a: np.clip(a, -1, 1)
    np.testing.assert_array_equal(module.forward(x), [-2, 1, 2])
    module.self_test()


def test_what_numpy_alone_lacks_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    layer = nn.Linear(2, 2)
    layer.to(dtype="bfloat16")
    with pytest.raises(TypeError, match="bfloat16"):
        vt.jit.save(layer, tmp_path / "m", [InputSpec([1, 2], "bfloat16")], format="python")
    with pytest.raises(ValueError, match="no format 'pickle'"):
        vt.jit.save(layer, tmp_path / "m", [InputSpec([1, 2])], format="pickle")
    assert list(tmp_path.iterdir()) == []


def test_saving_again_replaces_the_folder_and_nothing_else(tmp_path: Path) -> None:
    made("loop", tmp_path)
    first = (tmp_path / "loop" / "model.py").read_bytes()
    made("loop", tmp_path)
    assert (tmp_path / "loop" / "model.py").read_bytes() == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["loop", "loop.vt"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    with pytest.raises(ValueError, match="no artifact"):
        vt.jit.save(Halving(), tmp_path / "mine", [InputSpec([None, 4])], format="python")
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep"
