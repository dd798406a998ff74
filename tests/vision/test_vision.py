"""Image transforms, data sets from files made here, and networks."""

from __future__ import annotations

import colorsys
import gzip
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.vision import datasets, models, transforms

IMAGE = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)


def test_to_tensor_and_normalize() -> None:
    found = transforms.ToTensor()(IMAGE)
    assert (found.shape, found.dtype) == ([3, 6, 8], vt.float32)
    np.testing.assert_allclose(found.numpy(), IMAGE.transpose(2, 0, 1) / np.float32(255), rtol=1e-6)
    both = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.25] * 3)])(IMAGE)
    np.testing.assert_allclose(both.numpy(), (found.numpy() - 0.5) / 0.25, rtol=1e-6)
    grey = transforms.Normalize(mean=[127.5], std=[127.5], data_format="HWC")(IMAGE[..., :1])
    assert (grey.shape, grey.dtype) == ((6, 8, 1), np.float32)


RAMP = np.array([[0, 40, 200, 90], [250, 10, 30, 120], [5, 60, 255, 0]], np.uint8)
RESIZED = {  # OpenCV 4's
    ("bicubic", (2, 2)): [[36.9, 138.74], [44.35, 127.25]],
    ("bicubic", (4, 5)): [
        [-21.6, 6.64, 144.47, 196.25, 80.29], [197.25, 57.52, 19.62, 87.77, 125.76],
        [199.17, 63.14, 44.3, 96.42, 79.3], [-17.21, 19.45, 200.74, 215.98, -25.61],
    ],
    ("lanczos", (2, 2)): [[34.16, 142.27], [35.44, 130.4]],
    ("lanczos", (4, 5)): [
        [-22.91, -1.74, 154.07, 199.49, 74.31], [203.07, 59.68, 9.55, 92.58, 125.75],
        [205.98, 62.21, 36.76, 101.81, 78.03], [-16.59, 3.76, 213.21, 219.55, -29.4],
    ],
    ("area", (2, 2)): [[56.67, 121.67], [65.0, 110.0]],
    ("area", (4, 5)): [
        [0.0, 30.0, 120.0, 172.5, 90.0], [166.67, 56.67, 53.33, 92.5, 110.0],
        [168.33, 62.08, 65.83, 98.75, 80.0], [5.0, 46.25, 157.5, 191.25, 0.0],
    ],
}  # fmt: skip


@pytest.mark.parametrize(("interpolation", "size"), RESIZED)
def test_resize_with_wider_weights(interpolation: str, size: tuple[int, int]) -> None:
    wanted = np.array(RESIZED[interpolation, size])
    np.testing.assert_allclose(transforms.resize(RAMP.astype(np.float64), size, interpolation), wanted, atol=6e-3)
    whole = transforms.Resize(size, interpolation)(np.stack([RAMP] * 3, -1))
    assert whole.dtype == np.uint8
    assert np.abs(whole[..., 2] - wanted.clip(0, 255)).max() <= 0.51


def test_brightness_of_whole_colours_is_cut() -> None:
    assert transforms.adjust_brightness(np.array([[139, 182, 193]], np.uint8), 1.4).tolist() == [[194, 254, 255]]


def test_resize_against_torch() -> None:
    torch = pytest.importorskip("torch")
    for size in ((3, 4), (12, 5), (6, 8)):
        for mode, options in (("bilinear", {"align_corners": False}), ("nearest", {})):
            wanted = torch.nn.functional.interpolate(
                torch.tensor(IMAGE.transpose(2, 0, 1)[None].astype(np.float64)), size=size, mode=mode, **options
            )
            found = transforms.resize(IMAGE.astype(np.float64), size, mode)
            np.testing.assert_allclose(found, wanted[0].numpy().transpose(1, 2, 0), atol=1e-9)


def test_sizes() -> None:
    assert transforms.resize(IMAGE, 3).shape == (3, 4, 3)
    assert transforms.resize(IMAGE, (2, 2)).dtype == np.uint8
    assert transforms.center_crop(IMAGE, 4).shape == (4, 4, 3)
    np.testing.assert_array_equal(transforms.crop(IMAGE, 1, 2, 3, 4), IMAGE[1:4, 2:6])
    assert transforms.RandomCrop(5, padding=2)(IMAGE).shape == (5, 5, 3)
    assert transforms.RandomCrop(10, pad_if_needed=True)(IMAGE).shape == (10, 10, 3)
    assert transforms.RandomResizedCrop(4)(IMAGE).shape == (4, 4, 3)
    assert transforms.Pad((1, 2))(IMAGE).shape == (10, 10, 3)
    np.testing.assert_array_equal(transforms.pad(IMAGE, [0, 1, 2, 3], padding_mode="edge")[0, :8], IMAGE[0])
    assert transforms.Transpose()(IMAGE).shape == (3, 6, 8)


def test_flips_and_colours() -> None:
    np.testing.assert_array_equal(transforms.RandomHorizontalFlip(1.0)(IMAGE), IMAGE[:, ::-1])
    np.testing.assert_array_equal(transforms.RandomVerticalFlip(1)(IMAGE), IMAGE[::-1])
    np.testing.assert_array_equal(transforms.RandomHorizontalFlip(0)(IMAGE), IMAGE)
    grey = transforms.Grayscale(3)(IMAGE)
    np.testing.assert_allclose(grey[..., 0], IMAGE @ np.array([0.299, 0.587, 0.114]), atol=0.5)
    np.testing.assert_array_equal(transforms.adjust_brightness(IMAGE, 2.0), np.minimum(IMAGE * 2.0, 255))
    assert transforms.adjust_contrast(IMAGE, 0.0).std() == 0
    assert transforms.ContrastTransform(0.3)(IMAGE).dtype == np.uint8
    erased = transforms.RandomErasing(1.0, value=7)(vt.ones([3, 16, 16]))
    assert 0 < (erased.numpy() == 7).mean() < 1
    for image in (IMAGE, vt.to_tensor(IMAGE.transpose(2, 0, 1)), vt.to_tensor(IMAGE.transpose(2, 0, 1) / 255)):
        for value in ("random", (1, 2, 3)):
            erased = transforms.RandomErasing(1.0, value=value)(image)
            assert erased.shape == image.shape and erased.dtype == image.dtype
            assert 0 < np.mean(np.asarray(erased) != np.asarray(image)) < 1
    with pytest.raises(ValueError, match="'random'"):
        transforms.RandomErasing(value="rendom")


def test_saturation_and_hue() -> None:
    image = np.random.default_rng(0).random((4, 5, 3))
    turned = [
        [colorsys.hsv_to_rgb((h + 0.2) % 1, s, v) for h, s, v in (colorsys.rgb_to_hsv(*p) for p in row)]
        for row in image
    ]
    np.testing.assert_allclose(transforms.adjust_hue(image, 0.2), turned, atol=1e-12)
    np.testing.assert_allclose(transforms.adjust_hue(image, 0.0), image, atol=1e-12)
    np.testing.assert_array_equal(transforms.adjust_saturation(IMAGE, 1.0), IMAGE)
    assert (np.ptp(transforms.adjust_saturation(IMAGE, 0.0), axis=-1) == 0).all()
    np.random.seed(3)
    changed = transforms.ColorJitter(0.4, 0.4, 0.4, 0.1)(IMAGE)
    assert changed.dtype == IMAGE.dtype and changed.shape == IMAGE.shape and (changed != IMAGE).any()
    np.testing.assert_array_equal(transforms.ColorJitter()(IMAGE), IMAGE)
    for wrong in (
        lambda: transforms.adjust_hue(image, 0.6),
        lambda: transforms.HueTransform(0.7),
        lambda: transforms.adjust_hue(image[..., 0], 0.1),
    ):
        with pytest.raises(ValueError, match=r"0\.5|three channels"):
            wrong()


def test_tensors_keep_what_they_are() -> None:
    tensor = vt.to_tensor(IMAGE.transpose(2, 0, 1))
    assert transforms.ToTensor()(tensor) is tensor
    np.testing.assert_array_equal(transforms.to_tensor(tensor, "HWC"), IMAGE)
    kept = {kind: transforms.to_tensor(IMAGE.astype(kind)).dtype.name for kind in ("float64", "int16", "bool", "uint8")}
    assert kept == {"float64": "float64", "int16": "int16", "bool": "float32", "uint8": "float32"}
    for wrong in (
        lambda: transforms.to_tensor(1),
        lambda: transforms.resize(IMAGE, "1"),
        lambda: transforms.pad(1, 1),
        lambda: transforms.pad(IMAGE, "1"),
        lambda: transforms.pad(IMAGE, 1, {}),
        lambda: transforms.pad(IMAGE, 1, padding_mode=-1),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="no image has the size"):
        transforms.Resize(-1)(IMAGE)
    for image in (IMAGE, tensor):
        with pytest.raises(ValueError, match="one or three channels"):
            transforms.Grayscale(5)(image)
    for wrong in ({"translate": [0.1]}, {"scale": [1, 2, 3]}, {"center": (1, 2, 3)}):
        with pytest.raises(ValueError, match="must be two"):
            transforms.RandomAffine(10, **wrong)
    with pytest.raises(ValueError, match="two or four"):
        transforms.Pad([1.0, 2.0, 3.0])


def test_samples_with_several_keys() -> None:
    image, label = transforms.Resize((2, 2), keys=("image", "label"))((IMAGE, 5))
    assert (image.shape, label) == ((2, 2, 3), 5)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (transforms.BrightnessTransform, transforms.adjust_brightness),
        (transforms.ContrastTransform, transforms.adjust_contrast),
        (transforms.SaturationTransform, transforms.adjust_saturation),
        (transforms.HueTransform, transforms.adjust_hue),
    ],
)
def test_two_ends_of_a_factors_range(kind: Any, change: Any) -> None:
    np.testing.assert_array_equal(kind([0.25, 0.25])(IMAGE), change(IMAGE, 0.25))
    np.testing.assert_array_equal(kind(0)(IMAGE), IMAGE)
    jittered = transforms.ColorJitter(**{kind.__name__.removesuffix("Transform").lower(): (0.25, 0.25)})
    np.testing.assert_array_equal(jittered(IMAGE), change(IMAGE, 0.25))
    for wrong in ([0.25, 0.125], [-0.75, 0.25], "0.1", [0.25], 1j):
        with pytest.raises((ValueError, TypeError), match=kind.__name__):
            kind(wrong)
    with pytest.raises(ValueError, match="sequence of names"):
        kind(0.25, keys=1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: transforms.resize(IMAGE, (2, 2), "box"),
        lambda: transforms.crop(IMAGE, 4, 0, 4, 4),
        lambda: transforms.RandomCrop(9)(IMAGE),
        lambda: transforms.RandomHorizontalFlip(2.0),
        lambda: transforms.pad(IMAGE, [1, 2, 3]),
        lambda: transforms.to_tensor(IMAGE, "NCHW"),
        lambda: transforms.to_tensor(np.zeros(3)),
        lambda: transforms.BrightnessTransform(-1.0),
    ],
)
def test_what_transforms_refuse(make: Any) -> None:
    with pytest.raises(ValueError):
        make()


def write_idx(path: Path, array: Any) -> None:
    header = struct.pack(">HBB", 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    path.write_bytes(gzip.compress(header + array.tobytes()))


def test_mnist_from_files(tmp_path: Path) -> None:
    pictures, labels = np.arange(3 * 784, dtype=np.uint8).reshape(3, 28, 28), np.array([3, 1, 2], np.uint8)
    write_idx(tmp_path / "i.gz", pictures)
    write_idx(tmp_path / "l.gz", labels)
    for kind in (datasets.MNIST, datasets.FashionMNIST):
        data = kind(tmp_path / "i.gz", tmp_path / "l.gz", "test", transforms.ToTensor())
        image, label = data[1]
        np.testing.assert_array_equal(image.numpy()[0], pictures[1])
        assert (len(data), label.tolist()) == (3, [1])
    with pytest.raises(ValueError, match="nothing is downloaded"):
        datasets.MNIST(mode="train")
    with pytest.raises(ValueError, match="belong together"):
        datasets.MNIST(tmp_path / "l.gz", tmp_path / "l.gz")


def test_cifar_from_the_binary_version(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).integers(0, 10, (4, 3073), dtype=np.uint8)
    (tmp_path / "test_batch.bin").write_bytes(rows.tobytes())
    data = datasets.Cifar10(tmp_path, "test")
    image, label = data[2]
    assert (len(data), int(label)) == (4, rows[2, 0])
    np.testing.assert_array_equal(image.transpose(2, 0, 1).ravel(), rows[2, 1:])
    fine = np.random.default_rng(0).integers(0, 10, (2, 3074), dtype=np.uint8)
    (tmp_path / "train.bin").write_bytes(fine.tobytes())
    assert int(datasets.Cifar100(tmp_path)[1][1]) == fine[1, 1]
    with pytest.raises(FileNotFoundError, match=r"data_batch_1\.bin"):
        datasets.Cifar10(tmp_path, "train")
    with pytest.raises(ValueError, match="pickled"):
        datasets.Cifar10(tmp_path / "test_batch.bin", "test")
    (tmp_path / "test_batch.bin").write_bytes(b"123")
    with pytest.raises(ValueError, match="rows of 3073"):
        datasets.Cifar10(tmp_path, "test")


def test_folders_of_images(tmp_path: Path) -> None:
    for name in ("cat", "dog"):
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "a.npy", IMAGE)
    data = datasets.DatasetFolder(tmp_path, transform=transforms.ToTensor())
    assert (data.classes, data.targets, data[1][0].shape) == (["cat", "dog"], [0, 1], [3, 6, 8])
    assert len(datasets.ImageFolder(tmp_path)[0]) == 1
    with pytest.raises(FileNotFoundError, match="no folders"):
        datasets.DatasetFolder(tmp_path / "cat")


PARAMETERS = {  # counts of the published architectures with 1000 classes
    "resnet18": 11689512, "resnet34": 21797672, "resnet50": 25557032, "mobilenet_v1": 4231976, "mobilenet_v2": 3504872,
    "vgg11": 132863336, "alexnet": 61100840,
}  # fmt: skip


@pytest.mark.parametrize("name", ["resnet18", "resnet34", "resnet50", "mobilenet_v1", "mobilenet_v2"])
def test_networks_have_their_published_sizes(name: str) -> None:
    network = getattr(models, name)()
    assert sum(p.size for p in network.parameters() if not p.stop_gradient) == PARAMETERS[name]


@pytest.mark.parametrize("name", ["resnet18", "mobilenet_v1", "mobilenet_v2"])
def test_networks_compute(name: str) -> None:
    vt.seed(1)
    network = getattr(models, name)(num_classes=5)
    network.eval()
    x = vt.randn([2, 3, 32, 32])
    found = network(x)
    assert found.shape == [2, 5]
    assert np.isfinite(found.numpy()).all()


def test_lenet_trains_compiled() -> None:
    vt.seed(2)
    network = models.LeNet()
    optimizer = vt.optimizer.SGD(0.002, parameters=network.parameters())
    x, y = vt.randn([8, 1, 28, 28]), vt.randint(0, 10, [8])

    @vt.jit.to_static
    def step(x: Any, y: Any) -> Any:
        loss = vt.nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    losses = [float(step(x, y)) for _ in range(4)]
    assert losses[-1] < losses[0]


def test_there_are_no_trained_weights() -> None:
    with pytest.raises(ValueError, match="pretrained"):
        models.vgg16(pretrained=True)
    with pytest.raises(ValueError, match="depth"):
        models.resnet.ResNet(models.resnet.BasicBlock, 20)
