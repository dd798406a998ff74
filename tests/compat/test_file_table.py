"""Files of PaddlePaddle whose names the package above them has: they can be imported from where its users do."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

import vitrify as vt
from vitrify.compat.file_table import FILES


@pytest.mark.parametrize("path", FILES)
def test_a_file_has_the_names_of_its_package(path: str) -> None:
    package = import_module(f"vitrify.{next(iter(FILES[path].values()))}")
    made = import_module(f"vitrify.{path}")
    names = [n for n in getattr(package, "__all__", ()) if n in dir(made) and f"{path}.{n}" not in FILES]
    shown = {n: getattr(package, n) for n in names}
    # A file that some test has imported stands for the function of its name, and is called like it.
    assert [n for n, v in shown.items() if not isinstance(v, ModuleType) and getattr(made, n) is not v] == []
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        made.no_such_name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("vision.models.mobilenetv3", "mobilenet_v3_small"), ("vision.datasets.folder", "ImageFolder"),
        ("vision.transforms.functional_pil", "resize"), ("io.dataloader.batch_sampler", "DistributedBatchSampler"),
        ("io.dataloader.dataset", "TensorDataset"), ("sparse.binary", "is_same_shape"),
        ("sparse.nn.layer.conv", "SubmConv3D"), ("sparse.nn.functional.conv", "conv3d"), ("optimizer.radam", "RAdam"),
        ("audio.features.layers", "MFCC"), ("text.viterbi_decode", "ViterbiDecoder"), ("geometric.math", "segment_sum"),
        ("geometric.sampling.neighbors", "sample_neighbors"), ("utils.lazy_import", "try_import"),
        ("incubate.operators.graph_khop_sampler", "graph_khop_sampler"), ("amp.amp_lists", "white_list"),
    ],
)  # fmt: skip
def test_what_users_import(path: str, name: str) -> None:
    assert callable(getattr(import_module(f"vitrify.{path}"), name))


def test_one_object_under_both_paths() -> None:
    assert import_module("vitrify.vision.models.mobilenetv2").MobileNetV2 is vt.vision.models.MobileNetV2


@pytest.mark.parametrize(
    ("path", "name", "place"),
    [
        ("tensor.creation", "create_tensor", "tensor"), ("tensor.linalg", "matrix_norm", "linalg"),
        ("nn.functional.distance", "pdist", ""), ("audio.functional.window", "hann_window", ""),
        ("static.nn.common", "ExponentialMovingAverage", "static"), ("framework.random", "Generator", ""),
        ("amp.auto_cast", "is_autocast_enabled", "amp"), ("incubate.nn.loss", "identity_loss", "incubate"),
        ("audio.backends.wave_backend", "save", "audio"), ("static.nn.metric", "auc", "static"),
    ],
)  # fmt: skip
def test_a_file_has_names_that_another_package_shows(path: str, name: str, place: str) -> None:
    shown = import_module(f"vitrify.{place}".rstrip("."))
    assert getattr(import_module(f"vitrify.{path}"), name) is getattr(shown, name)


def test_a_global_variable_of_eager_mode_is_a_tensor() -> None:
    made = vt.tensor.creation.create_global_var([2], 0.5, "float32")
    assert made.tolist() == [0.5, 0.5]
