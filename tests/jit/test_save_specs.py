"""What jit.save keeps: outputs named by number, by `outputs` or by a result; inputs named by a shorter input_spec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import InputSpec, nn
from vitrify.base.errors import ArgumentError
from vitrify.jit.dy2static.utils import same_setting

X = np.arange(8, dtype="float32").reshape(2, 4)


class Two(nn.Layer):
    """An output of x alone, and one of both."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x: Any, label: Any) -> Any:
        out = self.linear(x)
        return out, (out - label).sum()


IMAGE, LABEL = InputSpec([None, 4], name="image"), InputSpec([None, 1], name="label")


def compiled() -> Any:
    return vt.to_static(Two(), input_spec=[IMAGE, LABEL])


@pytest.mark.parametrize("form", ["number", "outputs", "result"])
def test_one_output_and_what_it_needs(tmp_path: Path, form: str) -> None:
    net = compiled()
    want, loss = net(vt.to_tensor(X), vt.ones([2, 1]))
    loss.backward()
    chosen = {"number": [0], "outputs": net.forward.outputs[:1], "result": [want]}[form]
    vt.jit.save(
        net, str(tmp_path / "m"), input_spec=[IMAGE, True], output_spec=chosen, input_names_after_prune=["image"]
    )
    loaded = vt.jit.load(str(tmp_path / "m"))
    np.testing.assert_allclose(loaded(vt.to_tensor(X)).numpy(), want.numpy(), rtol=1e-6)
    with pytest.raises(ArgumentError, match="takes 1 argument"):
        loaded(vt.to_tensor(X), vt.ones([2, 1]))


def test_all_outputs_named_and_inputs_as_the_function_gives_them(tmp_path: Path) -> None:
    net = compiled()
    assert net.forward.outputs == [v.type for v in net.forward.program.fetches]
    vt.jit.save(net, str(tmp_path / "m"), output_spec=net.forward.outputs[::-1])
    loss, out = vt.jit.load(str(tmp_path / "m"))(vt.to_tensor(X), vt.ones([2, 1]))
    assert (loss.shape, out.shape) == ([], [2, 3])
    vt.jit.save(net, str(tmp_path / "n"), [net.forward.inputs[0]], output_spec=[0])
    assert vt.jit.load(str(tmp_path / "n"))(vt.to_tensor(X)).shape == [2, 3]


def test_fitting_specs_of_save(tmp_path: Path) -> None:
    vt.jit.save(compiled(), str(tmp_path / "m"), input_spec=[InputSpec([8, 4]), InputSpec([8, -1])])
    out, _ = vt.jit.load(str(tmp_path / "m"))(vt.to_tensor(X), vt.ones([2, 1]))
    assert out.shape == [2, 3]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"input_spec": [IMAGE]}, "need the input label"), ({"output_spec": [7]}, "numbers of outputs below 2"),
        ({"output_spec": ["x"]}, "entries of the function's"), ({"output_spec": [vt.ones([2])]}, "results of its last call"),
        ({"input_spec": [InputSpec([None, 4], "float64"), LABEL]}, "differs from that of to_static"),
        ({"input_spec": [InputSpec([None, 5]), LABEL]}, "differs from"), ({"input_spec": [IMAGE, LABEL, LABEL]}, "differs from"),
    ],
)  # fmt: skip
def test_mistakes_are_named(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        vt.jit.save(compiled(), str(tmp_path / "m"), **options)


ALONG = {
    "topk": lambda x: vt.topk(x, 3)[0], "median": lambda x: vt.median(x, -1),
    "quantile": lambda x: vt.quantile(x, 0.3, axis=1), "kthvalue": lambda x: vt.kthvalue(x, 2)[0],
    "take_along_axis": lambda x: vt.take_along_axis(x, vt.to_tensor([[0, 2], [1, 1]]), 1),
}  # fmt: skip


@pytest.mark.parametrize("name", ALONG)
def test_picks_along_an_open_axis_fit_all_its_sizes(name: str, tmp_path: Path) -> None:
    function = ALONG[name]
    vt.jit.save(vt.to_static(function), tmp_path / "m", [InputSpec([2, None], "float32")])
    loaded = vt.jit.load(tmp_path / "m")
    for size in (3, 4, 7, 300):
        x = vt.rand([2, size])
        assert loaded(x).tolist() == function(x).tolist()


def test_plain_values_of_two_specs_agree(tmp_path: Path) -> None:
    """A function that was compiled for one value isn't saved for another."""

    class Scaled(vt.nn.Layer):
        def forward(self, x: Any, factor: int = 1, names: Any = ()) -> Any:
            return x * factor

    spec = InputSpec([None, 2], name="x")
    net = vt.to_static(Scaled(), input_spec=[spec, 3, ["a"]])
    for wrong in ([spec, 2, ["a"]], [spec, 3, ["b"]]):
        with pytest.raises(ValueError, match="differs from that of to_static"):
            vt.jit.save(net, str(tmp_path / "net"), input_spec=wrong)
    vt.jit.save(net, str(tmp_path / "net"), input_spec=[spec, 3])
    assert vt.jit.load(str(tmp_path / "net"))(vt.ones([1, 2])).tolist() == [[3.0, 3.0]]
    assert not same_setting([1, 2], [1]) and same_setting({"a": [1]}, {"a": [1]})
