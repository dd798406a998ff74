"""Names that PaddlePaddle 3 took from PyTorch: nn.init, nn.Module, nn.Parameter, and helpers beside them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn, vision
from vitrify.base.errors import ArgumentError


def test_classes_under_two_names() -> None:
    pairs = {"Module": "Layer", "ModuleList": "LayerList", "ModuleDict": "LayerDict", "HuberLoss": "SmoothL1Loss",
             "AdaptiveAvgPool2d": "AdaptiveAvgPool2D", "MaxUnpool2d": "MaxUnPool2D", "ZeroPad2d": "ZeroPad2D"}  # fmt: skip
    assert {short: getattr(nn, short).__name__ for short in pairs} == pairs
    assert nn.functional.logsigmoid is nn.functional.log_sigmoid
    assert isinstance(nn.ClipGradByNorm(1.0), nn.clip.ClipGradBase)


def test_a_parameter_from_a_tensor() -> None:
    class Scale(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.factor = nn.Parameter(vt.full([3], 2.0))

        def forward(self, x: Any) -> Any:
            return x * self.factor

    scale = Scale()
    scale(vt.ones([3])).sum().backward()
    assert list(scale.state_dict()) == ["factor"]
    assert scale.factor.grad.tolist() == [1.0, 1.0, 1.0]
    assert nn.parameter.Parameter is nn.Parameter


@pytest.mark.parametrize(
    ("fill", "bound"),  # of 30 inputs and 50 results
    [
        (lambda w: nn.init.uniform_(w, -0.5, 0.5), 0.5),
        (nn.init.xavier_uniform_, math.sqrt(6 / 80)),
        (nn.init.kaiming_uniform_, math.sqrt(6 / 30)),
        (lambda w: nn.init.kaiming_uniform_(w, mode="fan_out"), math.sqrt(6 / 50)),
        (lambda w: nn.init.kaiming_uniform_(w, a=math.sqrt(5)), math.sqrt(1 / 30)),
        (nn.init.trunc_normal_, 2.0),
    ],
)
def test_bounds(fill: Any, bound: float) -> None:
    w = vt.zeros([30, 50])
    assert fill(w) is w
    assert 0.9 * bound < float(w.abs().max()) <= bound


@pytest.mark.parametrize(
    ("fill", "std"),
    [
        (lambda w: nn.init.normal_(w, 1.0, 3.0), 3.0),
        (nn.init.xavier_normal_, math.sqrt(2 / 80)),
        (nn.init.kaiming_normal_, math.sqrt(2 / 30)),
    ],
)
def test_spreads(fill: Any, std: float) -> None:
    w = fill(nn.Linear(30, 50).weight)
    assert abs(float(w.std()) / std - 1) < 0.1


def test_values() -> None:
    w = vt.zeros([2, 3])
    assert nn.init.constant_(w, 2.0).tolist() == [[2.0] * 3] * 2
    assert nn.init.ones_(w).sum() == 6
    assert nn.init.zeros_(w).sum() == 0
    assert nn.init.eye_(w).tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    rows = nn.init.orthogonal_(w).numpy()
    np.testing.assert_allclose(rows @ rows.T, np.eye(2), atol=1e-6)
    assert nn.init.dirac_(vt.zeros([2, 2, 3])).numpy()[:, :, 1].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert nn.init.calculate_gain("tanh") == pytest.approx(5 / 3)


def test_the_former_place_of_an_optimizer() -> None:
    from vitrify.incubate import optimizer

    assert optimizer.LBFGS is vt.optimizer.LBFGS


def test_rows_of_all_ranks() -> None:
    from vitrify.hapi.model import _all_gather

    assert _all_gather(vt.to_tensor([[1.0], [2.0]])).tolist() == [[1.0], [2.0]]


def test_arguments_of_layers_as_attributes() -> None:
    assert vt.ParamAttr._to_attr(False) is False
    assert vt.ParamAttr._to_attr("w").name == "w"
    assert [attr.name for attr in vt.ParamAttr._to_attr([None, "b"])] == [None, "b"]


def test_image_files(tmp_path: Any) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.arange(24, dtype="uint8").reshape(2, 4, 3)
    image.fromarray(pixels).save(tmp_path / "a.png")
    assert vision.get_image_backend() == "pil"
    assert vision.image_load(tmp_path / "a.png").convert("RGB").size == (4, 2)
    assert vision.image_load(tmp_path / "a.png", backend="tensor").tolist() == pixels.tolist()
    assert vision.image_load(tmp_path / "a.png", backend="cv2").tolist() == pixels[..., ::-1].tolist()
    with pytest.raises(ArgumentError, match="not 'gif'"):
        vision.set_image_backend("gif")
