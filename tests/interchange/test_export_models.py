"""Whole models and functions with control flow, exported and run by onnxruntime: the same numbers as ours."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, MissingDependencyError
from vitrify.interchange import onnx_package

onnx = pytest.importorskip("onnx")
Spec = vt.static.InputSpec


def floats(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def leaves(made: Any) -> Iterator[Any]:
    """The tensors of a nest as the model gives them: a dict's by its sorted keys, without Python's own numbers."""
    if isinstance(made, dict):
        made = [made[key] for key in sorted(made)]
    if isinstance(made, (list, tuple)):
        for item in made:
            yield from leaves(item)
    elif not isinstance(made, int):
        yield made.numpy()


def check(model: Any, spec: Any, calls: list[list[Any]], path: Path, tolerance: float = 1e-4, **options: Any) -> Any:
    """Export, check the file, compare with onnxruntime on each call; the ModelProto."""
    vt.onnx.export(model, path / "model", spec, **options)
    file = path / "model.onnx"
    made = onnx.load(file)
    onnx.checker.check_model(made, full_check=True)
    assert [p.name for p in path.iterdir()] == ["model.onnx"]  # no half-written file beside it
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    if isinstance(model, vt.nn.Layer):
        model.eval()
    for arrays in calls:
        found = session.run(None, {i.name: np.asarray(a) for i, a in zip(session.get_inputs(), arrays, strict=True)})
        wanted = list(leaves(model(*(vt.to_tensor(a) for a in arrays))))
        for mine, theirs in zip(wanted, found, strict=True):
            assert (theirs.shape, theirs.dtype) == (mine.shape, mine.dtype)
            np.testing.assert_allclose(theirs, mine, rtol=tolerance, atol=tolerance)
    return made


# ---- networks


def test_lenet_with_a_symbolic_batch(tmp_path: Path) -> None:
    model = vt.vision.models.LeNet()
    made = check(model, [Spec([None, 1, 28, 28])], [[floats(n, 1, 28, 28)] for n in (1, 3)], tmp_path)
    assert {t.name for t in made.graph.initializer} >= set(model.state_dict())
    assert made.graph.input[0].type.tensor_type.shape.dim[0].dim_param


def test_resnet_18(tmp_path: Path) -> None:
    check(vt.vision.models.resnet18(), [Spec([None, 3, 32, 32])], [[floats(2, 3, 32, 32)]], tmp_path, 1e-3)


class Recurrent(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.inner = vt.nn.LSTM(6, 8, num_layers=2, direction="bidirect")

    def forward(self, x: Any) -> Any:
        y, (h, c) = self.inner(x)
        return {"y": y, "state": [h, c]}


def test_an_lstm_whose_nested_outputs_come_flat_in_order(tmp_path: Path) -> None:
    made = check(Recurrent(), [Spec([None, 5, 6])], [[floats(3, 5, 6)], [floats(1, 5, 6)]], tmp_path)
    assert [o.name for o in made.graph.output] == ["output_0", "output_1", "output_2"]


def test_a_transformer_block_with_symbolic_batch_and_length(tmp_path: Path) -> None:
    model = vt.nn.TransformerEncoderLayer(16, 4, 32)
    check(model, [Spec([None, None, 16])], [[floats(2, 5, 16)], [floats(1, 7, 16)]], tmp_path)


class Trained(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.norm = vt.nn.BatchNorm1D(4)
        self.drop = vt.nn.Dropout(0.5)

    def forward(self, x: Any) -> Any:
        return self.drop(self.norm(x))


def test_a_layer_in_training_is_exported_for_inference_and_stays_in_training(tmp_path: Path) -> None:
    model = Trained()
    model.drop.eval()
    vt.onnx.export(model, tmp_path / "m", [Spec([None, 4])])
    assert (model.training, model.norm.training, model.drop.training) == (True, True, False)
    check(model, [Spec([None, 4])], [[floats(3, 4)]], tmp_path / "again")


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32"])
def test_dtypes(dtype: str, tmp_path: Path) -> None:
    def fn(x: Any) -> Any:
        return vt.concat([x * 2, x - 1], axis=0).sum(axis=1), x > 0

    tolerance = 1e-2 if dtype == "float16" else 1e-6
    check(fn, [Spec([None, 3], dtype)], [[(floats(4, 3) * 3).astype(dtype)]], tmp_path, tolerance)


# ---- control flow


def doubling(x: Any, limit: Any) -> Any:
    turns = vt.zeros([], "int64")
    while (x.sum() < 100.0) and (turns < limit):
        x = x * 2.0 + 1.0
        if x.max() > 30.0:
            x = x - 0.5
        turns = turns + 1
    return x, turns


def test_a_loop_whose_end_depends_on_data_with_an_if_inside(tmp_path: Path) -> None:
    calls: list[list[Any]] = [[np.abs(floats(n, 3)), np.int64(limit)] for n, limit in ((2, 20), (1, 2), (3, 0))]
    made = check(doubling, [Spec([None, 3]), Spec([], "int64")], calls, tmp_path)
    assert "Loop" in [n.op_type for n in made.graph.node]


def branching(x: Any) -> Any:
    offset = x.sum() * 0.5
    if x.mean() > 0:
        y = x + offset
        z = vt.zeros([2])
    else:
        y = x - 1
        z = vt.ones([2])
    return y, z, x


def test_an_if_that_reads_values_from_outside(tmp_path: Path) -> None:
    check(branching, [Spec([None, 3])], [[np.abs(floats(2, 3))], [-np.abs(floats(1, 3))]], tmp_path)


def collecting(x: Any) -> Any:
    rows = []
    for k in range(x.shape[0]):
        if x[k].sum() > 0:
            rows.append(x[k] * k)
        else:
            rows.append(-x[k])
    return vt.stack(rows)


def test_a_list_that_grows_in_a_loop(tmp_path: Path) -> None:
    check(collecting, [Spec([None, 3])], [[floats(4, 3)], [floats(2, 3, seed=1)]], tmp_path)


def growing(x: Any) -> Any:
    """Each turn reads as many rows of x as the result has by then, and adds one to it."""
    found, turn = vt.zeros([1, 3]), vt.zeros([], "int64")
    while turn < 3:
        found = vt.concat([found, (found + x[: found.shape[0]]).sum(axis=0, keepdim=True)])
        turn = turn + 1
    return found, x[: found.shape[0]]


def test_sizes_that_grow_in_a_loop_are_those_of_the_turn(tmp_path: Path) -> None:
    x = vt.to_tensor(floats(6, 3))
    vt.onnx.export(growing, tmp_path / "m", [Spec([6, 3])])
    for made, wanted in zip(vt.onnx.load(tmp_path / "m.onnx")(x), growing(x), strict=True):
        np.testing.assert_allclose(made.numpy(), wanted.numpy(), rtol=1e-6)


def test_sizes_that_grow_in_a_loop_in_onnxruntime(tmp_path: Path) -> None:
    check(growing, [Spec([6, 3])], [[floats(6, 3)]], tmp_path)


def nested_loops(x: Any) -> Any:
    total = vt.zeros([3])
    for i in range(x.shape[0]):
        step = vt.zeros([], "int64")
        while step < i:
            total = total + x[i] * x.shape[0]
            step = step + 1
    return total


def test_loops_in_loops_over_outer_values(tmp_path: Path) -> None:
    check(nested_loops, [Spec([None, 3])], [[floats(n, 3)] for n in (1, 4)], tmp_path)


def picking(x: Any) -> Any:
    return x[x > 0], vt.nonzero(x), vt.unique(x, return_counts=True), x.reshape([x.shape[1], -1]).flip(0)


def test_sizes_that_only_a_run_knows(tmp_path: Path) -> None:
    check(picking, [Spec([None, 4])], [[floats(3, 4)], [floats(1, 4)]], tmp_path)


def test_windows_are_gathered(tmp_path: Path) -> None:
    def sums(x: Any) -> Any:
        return vt.unfold(x, 1, 5, 2).sum(-1) - vt.unfold(x, 1, 1, 3)[:, 0, 0].mean()

    check(sums, [Spec([None, 20])], [[floats(3, 20)], [floats(7, 20)]], tmp_path)


def test_random_numbers_come_from_the_runtime(tmp_path: Path) -> None:
    def noisy(x: Any) -> Any:
        return x + vt.rand([3, 400]), vt.randint(0, 5, [50])

    vt.onnx.export(noisy, tmp_path / "m", [Spec([3, 400])])
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    drawn, numbers = session.run(None, {"x": np.zeros((3, 400), "float32")})
    assert abs(drawn.mean() - 0.5) < 0.05
    assert set(numbers.tolist()) <= set(range(5))


# ---- what is asked for, what is refused


def test_output_spec_keeps_the_outputs_named(tmp_path: Path) -> None:
    vt.onnx.export(branching, tmp_path / "m", [Spec([None, 3])], output_spec=[1])
    made = onnx.load(tmp_path / "m.onnx")
    assert len(made.graph.output) == 1


def test_a_captured_method_that_was_called_needs_no_spec(tmp_path: Path) -> None:
    layer = vt.jit.to_static(vt.nn.Linear(4, 2))
    layer.eval()
    layer(vt.to_tensor(floats(3, 4)))
    vt.onnx.export(layer, tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").exists()


class OfOne(vt.nn.Layer):
    """Does something else with one row."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = vt.nn.Linear(2, 2)

    def forward(self, x: Any) -> Any:
        if x.shape[0] == 1:
            return self.linear(x) * 2
        return self.linear(x)


def test_what_the_sizes_of_a_call_decided_is_told(tmp_path: Path) -> None:
    layer = vt.jit.to_static(OfOne())
    layer(vt.ones([8, 2]))
    with pytest.warns(UserWarning, match=r"only for sizes with N-2 >= 0; give export an input_spec"):
        vt.onnx.export(layer, tmp_path / "m.onnx")


@pytest.mark.parametrize("counts", [(8,), (8, 5)])
def test_a_batch_that_decides_nothing_is_exported_open_and_in_silence(counts: tuple[int, ...], tmp_path: Path) -> None:
    layer = vt.jit.to_static(vt.nn.Sequential(vt.nn.Linear(2, 4), vt.nn.ReLU(), vt.nn.LayerNorm(4)))
    for count in counts:
        layer(vt.ones([count, 2]))
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*only for sizes")
        vt.onnx.export(layer, tmp_path / "m.onnx")
    assert onnx.load(tmp_path / "m.onnx").graph.input[0].type.tensor_type.shape.dim[0].dim_param


def test_an_old_opset_is_raised_with_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="opset 9 lacks"):
        vt.onnx.export(vt.nn.Linear(4, 2), tmp_path / "m", [Spec([None, 4])], opset_version=9)
    assert onnx.load(tmp_path / "m.onnx").opset_import[0].version == 13


def test_nodes_carry_the_line_that_made_them(tmp_path: Path) -> None:
    vt.onnx.export(branching, tmp_path / "m", [Spec([None, 3])])
    lines = [n.doc_string for n in onnx.load(tmp_path / "m.onnx").graph.node]
    assert any(line.startswith("test_export_models.py:") for line in lines)


def opaque(x: Any) -> Any:
    return vt.lgamma(x) + vt.linalg.pinv(x).sum()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: vt.onnx.export(opaque, p / "m", [Spec([3, 3])]), ["lgamma, pinv", "test_export_models.py"]),
        (lambda p: vt.onnx.export(branching, p / "m", [Spec([None, 3])], opset_version=99), ["13 to 22, not 99"]),
        (lambda p: vt.onnx.export(branching, p / "m", [Spec([None, 3])], verbose=1), ["no option 'verbose'"]),
        (lambda p: vt.onnx.export(branching, f"{p}/", [Spec([None, 3])]), ["needs a name"]),
    ],
)
def test_what_is_refused_says_why_and_leaves_nothing(call: Any, words: list[str], tmp_path: Path) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(tmp_path)
    for word in words:
        assert word in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_python_callback_is_refused_by_its_name(tmp_path: Path) -> None:
    class Doubled(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    with pytest.raises(ArgumentError, match=r"callback \(.*Doubled"):
        vt.onnx.export(lambda x: Doubled.apply(x), tmp_path / "m", [Spec([3])])


def test_prints_are_left_out_with_a_warning(tmp_path: Path) -> None:
    def shown(x: Any) -> Any:
        print("x", x)
        return vt.static.Print(x) * 2

    with pytest.warns(UserWarning, match="leaves that out"):
        vt.onnx.export(shown, tmp_path / "m", [Spec([3])])
    layer = vt.onnx.load(tmp_path / "m.onnx")
    assert layer(vt.to_tensor([1.0, 2.0, 3.0])).tolist() == [2.0, 4.0, 6.0]


def refusing(x: Any) -> Any:
    if x.sum() > 100:
        raise ValueError("large")
    for row in x:
        if row.max() > 50:
            raise ValueError("a large row")
    if x.shape[0] > 100:
        raise RuntimeError("many rows")
    return x + 1


def test_branches_that_only_raise_are_left_out(tmp_path: Path) -> None:
    vt.onnx.export(refusing, tmp_path / "model", [Spec([None, 4])])
    assert not {n.op_type for n in onnx.load(tmp_path / "model.onnx").graph.node} & {"If", "Loop"}
    check(refusing, [Spec([None, 4])], [[floats(3, 4)], [floats(1, 4)]], tmp_path)


@pytest.mark.parametrize("opset", [17, 20])
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_fourier_transforms(opset: int, norm: str, tmp_path: Path) -> None:
    def transformed(x: Any) -> Any:
        whole = vt.fft.fft2(x, norm=norm) * (1 + 2j) - x
        back = vt.fft.ifftn(whole.conj(), norm=norm).transpose([0, 2, 1]).reshape([-1, 24])
        half = vt.fft.irfft2(vt.fft.rfft2(x, norm=norm), s=[4, 6], norm=norm)
        odd = vt.fft.irfft(vt.fft.rfft(x, norm=norm), n=5, norm=norm)
        return back.abs(), whole.imag(), half, odd, vt.fft.hfft(whole, norm=norm), vt.fft.ihfft(x, norm=norm).real()

    vt.onnx.export(transformed, tmp_path / "m", [Spec([2, 4, 6])], opset_version=opset)
    x = vt.to_tensor(np.random.default_rng(0).normal(size=(2, 4, 6)).astype("float32"))
    again = vt.onnx.load(tmp_path / "m.onnx")
    for mine, theirs in zip(again(x), transformed(x), strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=2e-4, atol=2e-5)


def test_complex_elements_are_moved(tmp_path: Path) -> None:
    def filtered(x: Any) -> Any:
        """Half of a shifted spectrum, put into zeros: a layer of a Fourier neural operator."""
        spectrum = vt.fft.fftshift(vt.fft.rfft2(x), axes=[-2])
        kept = vt.zeros(spectrum.shape, "complex64") + 0.5j
        kept[:, 1:5, :2] = spectrum[:, 1:5, :2]
        return vt.fft.irfft2(vt.fft.fftshift(kept.flip([1]), axes=[-2]))

    vt.onnx.export(filtered, tmp_path / "m", [Spec([2, 6, 6])])
    x = vt.rand([2, 6, 6])
    made = vt.onnx.load(tmp_path / "m.onnx")(x)
    np.testing.assert_allclose(made.numpy(), filtered(x).numpy(), rtol=1e-4, atol=1e-5)


def test_matrix_products_of_complex_numbers(tmp_path: Path) -> None:
    def mixed(x: Any, y: Any) -> Any:
        weight = vt.complex(y, y * 0.5 - 1)
        spectrum = vt.matmul(vt.fft.fft(x), weight)
        return vt.fft.ifft(spectrum).real(), vt.matmul(weight, weight, transpose_x=True, transpose_y=True).abs()

    vt.onnx.export(mixed, tmp_path / "m", [Spec([None, 2, 4]), Spec([4, 4])])
    x, y = vt.rand([3, 2, 4]), vt.rand([4, 4])
    for mine, theirs in zip(vt.onnx.load(tmp_path / "m.onnx")(x, y), mixed(x, y), strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-4, atol=1e-5)


def test_the_default_opset_rises_to_what_is_needed(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")

    def wrapped(x: Any) -> Any:
        return vt.nn.functional.pad(x, [1, 1], mode="circular", data_format="NCL")

    vt.onnx.export(wrapped, tmp_path / "m", [Spec([1, 2, 4])])
    assert onnx.load(tmp_path / "m.onnx").opset_import[0].version == 19
    x = vt.rand([1, 2, 4])
    assert vt.onnx.load(tmp_path / "m.onnx")(x).tolist() == wrapped(x).tolist()
    with pytest.raises(ArgumentError, match="opset_version=19 or later"):
        vt.onnx.export(wrapped, tmp_path / "n", [Spec([1, 2, 4])], opset_version=18)


@pytest.mark.parametrize("step", [1, 2, -1])
def test_writes_to_slices_between_bounds_that_a_run_knows(step: int, tmp_path: Path) -> None:
    def put(x: Any, start: Any) -> Any:
        x = x * 1.0
        n = int(start)
        part = x[:, n::step]
        x[:, n::step] = part * 10
        return x

    captured = vt.jit.to_static(put)
    x = vt.arange(10, dtype="float32").reshape([2, 5])
    vt.onnx.export(captured, tmp_path / "m", [Spec([None, 5]), Spec([], "int64")])
    loaded = vt.onnx.load(tmp_path / "m.onnx")
    for start in (1, 3):
        assert loaded(x, vt.to_tensor(start)).tolist() == put(x, vt.to_tensor(start)).tolist()


def test_transforms_of_open_sizes_and_older_opsets(tmp_path: Path) -> None:
    def power(x: Any) -> Any:
        return vt.fft.fft(x).abs()

    vt.onnx.export(power, tmp_path / "m", [Spec([None, 8])])
    x = vt.rand([3, 8])
    np.testing.assert_allclose(vt.onnx.load(tmp_path / "m.onnx")(x).numpy(), power(x).numpy(), rtol=1e-4, atol=1e-5)
    with pytest.raises(ArgumentError, match="opset_version=17 or later"):
        vt.onnx.export(power, tmp_path / "n", [Spec([None, 8])], opset_version=16)
    with pytest.raises(ArgumentError, match="only a run knows"):
        vt.onnx.export(lambda x: vt.fft.fft(x, norm="ortho").abs(), tmp_path / "n", [Spec([2, None])])


def test_a_list_of_tensors_of_open_size_grows(tmp_path: Path) -> None:
    def rows(x: Any) -> Any:
        found, k = [], vt.zeros([], "int64")
        while k < x.sum().astype("int64"):
            found.append(x * k.astype("float32"))
            k = k + 1
        return vt.stack(found, 0)

    vt.onnx.export(rows, tmp_path / "m", [Spec([None])])


def test_all_lines_without_a_form_are_named(tmp_path: Path) -> None:
    def two(x: Any) -> Any:
        y = vt.lgamma(x)
        return vt.digamma(y)

    with pytest.raises(ArgumentError, match=r"digamma \(line \d+\), lgamma"):
        vt.onnx.export(two, tmp_path / "m", [Spec([3])])


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> Any:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(onnx_package.importlib, "import_module", missing)
    with pytest.raises(MissingDependencyError, match="onnx") as caught:
        onnx_package.onnx_module()
    assert "pip install vitrify[onnx]" in str(caught.value)


def test_large_weights_are_written_from_where_they_lie(tmp_path: Path) -> None:
    """Peak memory while a model is written: its weights once more, not several times; and the file has all of them."""
    layer = vt.nn.Sequential(vt.nn.Linear(1024, 1500), vt.nn.ReLU(), vt.nn.Linear(1500, 3))
    vt.onnx.export(layer, tmp_path / "first", [Spec([None, 1024])])
    tracemalloc.start()
    try:
        vt.onnx.export(layer, tmp_path / "model", [Spec([None, 1024])])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    weights = sum(p.numpy().nbytes for p in layer.parameters())
    assert peak < 1.5 * weights
    made = onnx.load(tmp_path / "model.onnx")
    held = {t.name: onnx.numpy_helper.to_array(t) for t in made.graph.initializer}
    state = layer.state_dict()
    assert list(held) and held.keys() == state.keys()
    assert all(held[name].tobytes() == state[name].numpy().tobytes() for name in held)
    again = onnx.load_from_string(made.SerializeToString())  # the bytes are those of an ordinary message
    assert again == made and [f.name for f, _ in made.ListFields()].count("graph") == 1


@pytest.mark.parametrize("sizes", [[None, 12], [2, 12], [None, None]])
def test_a_range_up_to_a_size(sizes: list[int | None], tmp_path: Path) -> None:
    """GPT's positions: the bounds of `arange` have several dtypes, ONNX's Range takes one."""

    class Positions(vt.nn.Layer):
        def forward(self, ids: Any) -> Any:
            return vt.arange(0, vt.shape(ids)[-1], dtype="int64").unsqueeze(0) + ids

    check(Positions(), [Spec(sizes, "int64")], [[np.arange(24).reshape(2, 12)]], tmp_path)


def test_a_value_that_is_returned_twice(tmp_path: Path) -> None:
    weight = vt.to_tensor(floats(3, 3))

    def twice(x: Any) -> Any:
        y = vt.matmul(x, weight) + 1
        return y, 3, y, x, x

    check(twice, [Spec([2, 3])], [[floats(2, 3)]], tmp_path)
