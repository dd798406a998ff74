"""Saving and loading compiled functions and layers; bad files and bad calls."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import vitrify as vt
from vitrify import InputSpec, nn


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1D(8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x: Any) -> Any:
        h = self.body(x)
        if h.mean() > 0.3:
            h = h * 2
        return {"y": self.head(h), "parts": [h, None, 7]}


SPEC = [InputSpec([None, 4], name="x")]


@pytest.fixture
def net() -> Net:
    vt.seed(5)
    made = Net()
    made(vt.randn([16, 4]))
    made.eval()
    return made


@pytest.mark.parametrize("name", ["model", "model.vt", "deep/er/model.zip"])
def test_a_loaded_layer_gives_the_same_results(net: Net, tmp_path: Path, name: str) -> None:
    vt.jit.save(net, tmp_path / name, SPEC)
    loaded = vt.jit.load(tmp_path / name, structured=True)
    for size in (1, 3, 16):
        x = vt.randn([size, 4])
        expected, found = net(x), loaded(x)
        np.testing.assert_allclose(found["y"].numpy(), expected["y"].numpy(), rtol=1e-5, atol=1e-6)
        assert found["parts"][1:] == [None, 7]
    assert loaded.state_dict().keys() == net.state_dict().keys()
    assert {n: p.shape for n, p in loaded.named_parameters()} == {n: p.shape for n, p in net.named_parameters()}
    assert "matmul" in str(loaded.program())


def test_results_are_flat_unless_their_structure_is_asked_for(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m", SPEC)
    x = vt.randn([3, 4])
    expected, loaded = net(x), vt.jit.load(tmp_path / "m")
    found = loaded(x)
    assert isinstance(found, list)
    for value, wanted in zip(found, (expected["parts"][0], expected["y"]), strict=True):
        np.testing.assert_allclose(value.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-6)
    inside = vt.to_static(lambda x: loaded(x)[0] * 2)(x)
    np.testing.assert_allclose(inside.numpy(), 2 * expected["parts"][0].numpy(), rtol=1e-5, atol=1e-6)
    vt.jit.save(loaded, tmp_path / "again")
    assert vt.jit.load(tmp_path / "again", structured=True)(x)["parts"][1:] == [None, 7]


def test_one_tensor_comes_without_its_container_and_constants_stay_behind(tmp_path: Path) -> None:
    constant = np.arange(6.0).reshape(2, 3)
    fn = vt.to_static(lambda x: (None, {"a": x + 1}, "text", constant), input_spec=[InputSpec([2], name="x")])
    vt.jit.save(fn, tmp_path / "f")
    assert vt.jit.load(tmp_path / "f")(vt.ones([2])).tolist() == [2, 2]
    whole = vt.jit.load(tmp_path / "f", structured=True)(vt.ones([2]))
    assert (whole[0], whole[1]["a"].tolist(), whole[2]) == (None, [2, 2], "text")
    assert whole[3].tolist() == constant.tolist() and whole[3].dtype == np.float64


def test_a_loaded_layer_draws_what_the_seed_says(tmp_path: Path) -> None:
    class Noisy(nn.Layer):
        def forward(self, x: Any) -> Any:
            return nn.functional.dropout(x, 0.5) + vt.rand([3])

    vt.jit.save(Noisy(), tmp_path / "noisy", [InputSpec([None, 3])])
    loaded, x = vt.jit.load(tmp_path / "noisy"), vt.ones([50, 3])
    drawn = []
    for call in (Noisy(), loaded, vt.jit.to_static(loaded), vt.jit.to_static(lambda x: loaded(x))):
        vt.seed(7)
        drawn.append((call(x).numpy(), call(x).numpy(), vt.rand([2]).numpy()))  # and moves the process's generator on
    for other in drawn[1:]:
        for mine, first in zip(other, drawn[0], strict=True):
            np.testing.assert_array_equal(mine, first)
    assert not np.array_equal(*drawn[0][:2])


def test_a_loaded_layer_is_trained_on(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m.vt", SPEC)
    loaded = vt.jit.load(tmp_path / "m.vt", structured=True)
    x = vt.randn([5, 4])
    for model in (net, loaded):
        (model(x)["y"] ** 2).sum().backward()
    ours, theirs = dict(net.named_parameters()), dict(loaded.named_parameters())
    assert [n for n, p in theirs.items() if p.stop_gradient] == ["body.1._mean", "body.1._variance"]
    for name, p in ours.items():
        if not p.stop_gradient:
            np.testing.assert_allclose(theirs[name].grad.numpy(), p.grad.numpy(), rtol=1e-4, atol=1e-5)
    theirs["head.bias"].set_value(theirs["head.bias"] + 1.0)
    np.testing.assert_allclose(loaded(x)["y"].numpy(), net(x)["y"].numpy() + 1.0, rtol=1e-4, atol=1e-5)
    with vt.no_grad():
        assert loaded(x)["y"].stop_gradient
    assert not loaded.training
    assert loaded.train().training
    assert not loaded.eval().training


class Noisy(nn.Layer):
    """Differs in training."""

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.norm = nn.BatchNorm1D(4)

    def forward(self, x: Any) -> Any:
        return self.norm(self.drop(x))


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("kind", ["layer", "compiled", "method"])
def test_a_layer_is_saved_in_evaluation_mode(kind: str, called: bool, tmp_path: Path) -> None:
    net, x = Noisy(), vt.randn([8, 4])
    first = {name: value.numpy().copy() for name, value in net.state_dict().items()}
    saved: Any = net if kind == "layer" else vt.to_static(net if kind == "compiled" else net.forward)
    if called:
        saved(x)
        net.set_state_dict(first)
    net.norm.eval()
    vt.jit.save(saved, tmp_path / "m", SPEC)
    assert [part.training for part in (net, net.drop, net.norm)] == [True, True, False]
    loaded = vt.jit.load(tmp_path / "m")
    for model in (loaded, loaded.train(), loaded.eval()):
        np.testing.assert_allclose(model(x).numpy(), net.norm(x).numpy(), rtol=1e-5, atol=1e-6)
    assert loaded.state_dict().keys() == net.state_dict().keys()
    assert float(loaded.state_dict()["norm._mean"].abs().sum()) == 0


PROGRAM = """
import sys
import numpy as np
import vitrify as vt
x = np.load(sys.argv[2])
out = vt.jit.load(sys.argv[1], structured=True)(x)
np.save(sys.argv[3], out["y"].numpy())
print(sorted(m for m in ("gast", "numba", "test_save") if m in sys.modules))
"""


def test_another_process_needs_neither_the_model_nor_gast(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m", SPEC)
    x = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    files = [str(tmp_path / n) for n in ("m", "x.npy", "y.npy")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *files], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "gast" not in done.stdout
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), net(vt.to_tensor(x))["y"].numpy(), rtol=1e-5, atol=1e-6)


def test_functions_called_before_need_no_spec(tmp_path: Path) -> None:
    class Out(NamedTuple):
        total: Any
        same: Any

    @vt.to_static
    def f(pair: Any, scale: float = 2.0) -> Any:
        return Out((pair[0] * pair[1] * scale).sum(), pair[0])

    with pytest.raises(ValueError, match="never called"):
        vt.jit.save(f, tmp_path / "f")
    a, b = vt.to_tensor([1.0, 2.0]), vt.to_tensor([3.0, 4.0])
    f([a, b], 3.0)
    vt.jit.save(f, tmp_path / "f")
    loaded = vt.jit.load(tmp_path / "f", structured=True)
    out = loaded([a, b], 3.0)
    assert float(out.total) == 33
    assert out.same is a
    assert type(out).__name__ == "Out"
    with pytest.raises(ValueError, match=r"was 3.0 when the program was saved"):
        loaded([a, b], 4.0)


def test_several_methods_share_their_parameters(tmp_path: Path) -> None:
    class Coder(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.core = nn.Linear(3, 3)

        @vt.to_static(input_spec=[InputSpec([None, 3])])
        def forward(self, x: Any) -> Any:
            return self.core(x)

        @vt.to_static(input_spec=[InputSpec([None, 3])])
        def twice(self, x: Any) -> Any:
            return self.core(self.core(x))

    coder = Coder()
    with pytest.raises(ValueError, match="several compiled methods"):
        vt.jit.save(coder, tmp_path / "c", SPEC)
    vt.jit.save(coder, tmp_path / "c")
    loaded = vt.jit.load(tmp_path / "c")
    x = vt.randn([2, 3])
    np.testing.assert_allclose(loaded.twice(x).numpy(), loaded(loaded(x)).numpy(), rtol=1e-5, atol=1e-6)
    assert len(loaded.parameters()) == 2
    assert sorted(p.name for p in tmp_path.joinpath("c").glob("*.ir")) == ["program.ir", "program.twice.ir"]


def test_outputs_can_be_chosen(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m", SPEC, output_spec=[1])
    loaded = vt.jit.load(tmp_path / "m")
    x = vt.randn([3, 4])
    np.testing.assert_allclose(loaded(x).numpy(), net(x)["parts"][0].numpy(), rtol=1e-5, atol=1e-6)
    assert "head.weight" in loaded.state_dict()


def test_bad_calls_of_a_loaded_layer(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m", SPEC)
    loaded = vt.jit.load(tmp_path / "m")
    with pytest.raises(ValueError, match=r"x must be f32\[N, 4\].*shape is \[2, 5\]"):
        loaded(vt.randn([2, 5]))
    with pytest.raises(TypeError, match=r"x must be f32\[N, 4\], not float64"):
        loaded(vt.randn([2, 4]).astype("float64"))
    with pytest.raises(ValueError, match="takes 1 argument "):
        loaded()
    with pytest.raises(ValueError, match="must be a tensor"):
        loaded("text")


def test_bad_arguments_of_save(net: Net, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="takes a layer or a function"):
        vt.jit.save(3, tmp_path / "m")
    with pytest.raises(ValueError, match="no option 'compress'"):
        vt.jit.save(net, tmp_path / "m", SPEC, compress=True)
    with pytest.raises(ValueError, match="needs a name"):
        vt.jit.save(net, f"{tmp_path}/", SPEC)
    with pytest.raises(TypeError, match="must be a list or tuple"):
        vt.jit.save(net, tmp_path / "m", 3)
    with pytest.raises(ValueError, match="never called"):
        vt.jit.save(Net(), tmp_path / "m")
    fixed = vt.to_static(Net(), input_spec=SPEC)
    with pytest.raises(ValueError, match="differs from that of to_static"):
        vt.jit.save(fixed, tmp_path / "m", [InputSpec([3, 5])])
    assert list(tmp_path.iterdir()) == []


def test_a_failed_save_leaves_the_old_artifact(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m", SPEC)
    with pytest.raises(vt.errors.VitrifyError):
        vt.jit.save(net, tmp_path / "m", [InputSpec([None, 5])])
    assert vt.jit.load(tmp_path / "m")(vt.randn([2, 4]))[1].shape == [2, 2]
    assert [p.name for p in tmp_path.iterdir()] == ["m"]


def test_saving_over_an_artifact_replaces_it_and_nothing_else(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m", SPEC)
    net.head.bias.set_value(net.head.bias + 1.0)
    vt.jit.save(net, tmp_path / "m", SPEC)
    x = vt.randn([2, 4])
    np.testing.assert_allclose(vt.jit.load(tmp_path / "m")(x)[1].numpy(), net(x)["y"].numpy(), rtol=1e-5)
    foreign = tmp_path / "photos"
    foreign.mkdir()
    (foreign / "cat.jpg").write_bytes(b"...")
    with pytest.raises(ValueError, match="is no artifact"):
        vt.jit.save(net, foreign, SPEC)
    assert (foreign / "cat.jpg").exists()


def test_an_inference_model_from_a_program(tmp_path: Path) -> None:
    f = vt.to_static(lambda x: (x * 2, x.sum()), input_spec=[InputSpec([None], name="x")])
    vt.save_inference_model(tmp_path / "p.vt", f.program)
    double, total = vt.jit.load(tmp_path / "p.vt")(vt.to_tensor([1.0, 2.0]))
    assert (double.tolist(), float(total)) == ([2, 4], 3)


def test_manifest_is_readable_json(net: Net, tmp_path: Path) -> None:
    vt.jit.save(net, tmp_path / "m", SPEC)
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert manifest["methods"]["forward"]["symbols"] == ["N"]
    assert manifest["callbacks"] == {}
    assert manifest["state"]["head.weight"] == {"role": "parameter", "trainable": True}


class Clip(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, limit: float) -> Any:
        ctx.save_for_backward(x)
        ctx.limit = limit
        return vt.clip(x, -limit, limit)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g * (vt.abs(x) < ctx.limit).astype("float32") * 10.0


class Clipped(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.core = nn.Linear(3, 3)

    def forward(self, x: Any) -> Any:
        return Clip.apply(self.core(x), 0.5)


def test_callbacks_are_asked_for_by_name(tmp_path: Path) -> None:
    vt.seed(2)
    net = Clipped()
    vt.jit.save(net, tmp_path / "m", [InputSpec([None, 3])])
    with pytest.raises(vt.errors.CallbackError, match=r"not given: .*Clip"):
        vt.jit.load(tmp_path / "m")
    x = vt.randn([4, 3])
    expected = net(x)
    plain = vt.jit.load(tmp_path / "m", callbacks={"Clip": lambda a: np.clip(a, -0.5, 0.5)})
    np.testing.assert_allclose(plain(x).numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    full = vt.jit.load(tmp_path / "m", callbacks={f"{Clip.__module__}.Clip": Clip})
    full(x).sum().backward()
    expected.sum().backward()
    np.testing.assert_allclose(
        dict(full.named_parameters())["core.weight"].grad.numpy(), net.core.weight.grad.numpy(), rtol=1e-4, atol=1e-5
    )


def test_a_callback_of_the_wrong_shape_is_an_error(tmp_path: Path) -> None:
    vt.jit.save(Clipped(), tmp_path / "m", [InputSpec([None, 3])])
    loaded = vt.jit.load(tmp_path / "m", callbacks={"Clip": lambda a: a[:1]})
    with pytest.raises(vt.errors.CallbackError, match="the program expects"):
        loaded(vt.randn([4, 3]))


class Hooked(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 2,))
        self.register_forward_post_hook(lambda layer, inputs, output: output + output)

    def forward(self, image: Any) -> Any:
        return self.linear(image)


@pytest.mark.parametrize("spec", [None, [vt.InputSpec([None, 3], "float32")]], ids=str)
def test_hooks_of_the_layer_itself(spec: Any, tmp_path: Path) -> None:
    net, x = vt.to_static(Hooked()), vt.ones([2, 3])
    want = net(x)
    vt.jit.save(net, str(tmp_path / "with"), input_spec=spec)
    vt.jit.save(net, str(tmp_path / "without"), input_spec=spec, with_hook=False)
    loaded = vt.jit.load(str(tmp_path / "with"))
    np.testing.assert_allclose(loaded(x).numpy(), want.numpy(), rtol=1e-6)
    assert loaded.program().feeds == ["image"]
    plain = vt.jit.load(str(tmp_path / "without"))
    np.testing.assert_allclose(plain(x).numpy(), net.linear(x).numpy(), rtol=1e-6)


class TestOpenBatch:
    """What is saved by example, or after a call, takes other batches where the function doesn't depend on its size."""

    @staticmethod
    def loaded(layer: Any, tmp_path: Path, **settings: Any) -> Any:
        vt.jit.save(layer, str(tmp_path / "net"), **settings)
        return vt.jit.load(str(tmp_path / "net"))

    @pytest.mark.parametrize("by", ["example", "call"])
    def test_other_batches(self, tmp_path: Path, by: str) -> None:
        net = vt.nn.Linear(3, 2)
        x = vt.rand([8, 3])
        if by == "call":
            net = vt.jit.to_static(net)
            net(x).mean().backward()
        made = self.loaded(net, tmp_path, **({"input_spec": [x]} if by == "example" else {}))
        assert made._input_spec()[0].shape == (-1, 3) and made._output_spec()[0].shape == (-1, 2)
        assert [spec.name for spec in made._output_spec()] == ["output_0"]
        for size in (1, 8, 5):
            x = vt.rand([size, 3])
            np.testing.assert_allclose(made(x).numpy(), net(x).numpy(), rtol=1e-5)

    def test_a_size_that_counts_stays(self, tmp_path: Path) -> None:
        fn = vt.jit.to_static(lambda x: x.reshape([2, 4, 3]).sum(axis=0))
        fn(vt.rand([8, 3]))
        with pytest.raises(ValueError, match="3"):
            self.loaded(fn, tmp_path)(vt.rand([6, 3]))

    def test_an_input_spec_is_kept(self, tmp_path: Path) -> None:
        made = self.loaded(vt.nn.Linear(3, 2), tmp_path, input_spec=[vt.static.InputSpec([8, 3])])
        with pytest.raises(ValueError, match="its shape is"):
            made(vt.rand([4, 3]))


def test_loaded_twice_the_parameters_have_names_of_their_own(tmp_path: Path) -> None:
    path = str(tmp_path / "net")
    vt.jit.save(vt.nn.Linear(3, 2), path, input_spec=[vt.static.InputSpec([None, 3])])
    names = [p.name for _ in range(2) for p in vt.jit.load(path).parameters()]
    assert len(set(names)) == 4


def test_the_state_of_what_was_saved(tmp_path: Path) -> None:
    net, path = vt.nn.Sequential(vt.nn.Linear(3, 2), vt.nn.BatchNorm1D(2)), str(tmp_path / "net")
    vt.jit.save(vt.DataParallel(net), path, input_spec=[vt.static.InputSpec([None, 3])])
    state = vt.load(path)
    assert {k: v.shape for k, v in state.items()} == {k: v.shape for k, v in net.state_dict().items()}
    assert net.set_state_dict(state) == ([], [])


def test_nested_arguments_one_by_one(tmp_path: Path) -> None:
    class Net(vt.nn.Layer):
        def forward(self, images: Any, label: Any) -> Any:
            return images["a"] + 2 * images["b"], label

    spec = vt.static.InputSpec
    vt.jit.save(
        Net(), str(tmp_path / "n"),
        input_spec=[{"a": spec([2], name="a"), "b": spec([2], name="b")}, spec([1], name="label")],
        output_spec=[0], input_names_after_prune=["a", "b"],
    )  # fmt: skip
    made = vt.jit.load(str(tmp_path / "n"))
    assert made(vt.ones([2]), vt.ones([2])).numpy().tolist() == [3.0, 3.0]
    with pytest.raises(ValueError, match="no input is called 'c'"):
        vt.jit.save(vt.nn.ReLU(), str(tmp_path / "m"), input_spec=[spec([1])], input_names_after_prune=["c"])


def test_nothing_to_save(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="nothing to save"):
        vt.jit.save(vt.nn.Linear(2, 2), str(tmp_path / "folder" / "n"), skip_forward=True)
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize("name", ["model", "model.vt"])
def test_large_weights_are_written_from_where_they_lie(name: str, tmp_path: Path) -> None:
    """Peak memory while a model is saved: its weights once more, not several times."""
    layer = nn.Linear(1024, 2000)
    vt.jit.save(layer, tmp_path / "first", [InputSpec([None, 1024])])
    tracemalloc.start()
    try:
        vt.jit.save(layer, tmp_path / name, [InputSpec([None, 1024])])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * layer.weight.numpy().nbytes
    x = vt.randn([2, 1024])
    assert vt.jit.load(tmp_path / name)(x).numpy().tobytes() == vt.jit.load(tmp_path / "first")(x).numpy().tobytes()


def test_a_saved_function_that_prints_needs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def shown(x: Any) -> Any:
        print("x is", x.sum())
        return x * 2

    vt.jit.save(shown, tmp_path / "m", [vt.static.InputSpec([2], "float32")])
    layer = vt.jit.load(tmp_path / "m")
    capsys.readouterr()
    assert layer(vt.to_tensor([1.0, 2.0])).tolist() == [2.0, 4.0]
    printed = capsys.readouterr().out
    assert printed.startswith("x is Tensor(")
    assert printed.rstrip().endswith("3.)")


class Parts(nn.Layer):
    """Results in a dict, whose keys aren't sorted, and a dict inside."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(2, 3)

    def forward(self, x: vt.Tensor) -> dict[str, object]:
        y = self.fc(x)
        return {"z": y, "a": {"q": y.sum(), "b": y[:1]}}


def test_a_dict_is_laid_flat_by_its_sorted_keys(tmp_path: Path) -> None:
    layer = Parts().eval()
    x = vt.ones([2, 2])
    vt.jit.save(layer, str(tmp_path / "parts"), input_spec=[x])
    flat = vt.jit.load(str(tmp_path / "parts"))(x)
    assert [y.shape for y in flat] == [[1, 3], [], [2, 3]]
    whole = vt.jit.load(str(tmp_path / "parts"), structured=True)(x)
    assert (list(whole), list(whole["a"])) == (["z", "a"], ["q", "b"])
    assert [y.tolist() for y in flat] == [whole["a"]["b"].tolist(), whole["a"]["q"].tolist(), whole["z"].tolist()]
    predictor = vt.inference.create_predictor(vt.inference.Config(str(tmp_path / "parts")))
    assert [len(kind.shape) for kind in predictor.output_types.values()] == [2, 0, 2]
    assert [y.shape for y in predictor.run([x.numpy()])] == [(1, 3), (), (2, 3)]
