"""Data sets in archives made here, and JPEG files in memory."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.vision import datasets, ops

Image = pytest.importorskip("PIL.Image")


def encoded(array: Any, form: str) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(array).save(stream, form, **({"quality": 95} if form == "JPEG" else {}))
    return stream.getvalue()


def archive(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w") as made:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            made.addfile(member, io.BytesIO(data))
    return path


def plain(level: int) -> Any:
    return np.full((8, 6, 3), level, np.uint8)


def test_flowers(tmp_path: Path) -> None:
    scipy_io = pytest.importorskip("scipy.io")
    files = archive(
        tmp_path / "flowers.tgz", {f"jpg/image_{k:05}.jpg": encoded(plain(40 * k), "JPEG") for k in (1, 2, 3)}
    )
    scipy_io.savemat(tmp_path / "labels.mat", {"labels": [[7, 8, 9]]})
    scipy_io.savemat(tmp_path / "setid.mat", {"tstid": [[3, 1]], "trnid": [[2]], "valid": [[4]]})
    given = {"data_file": files, "label_file": tmp_path / "labels.mat", "setid_file": tmp_path / "setid.mat"}
    data = datasets.Flowers(**given, backend="cv2")
    assert len(data) == 2
    image, label = data[0]
    assert (image.dtype, image.shape, label.tolist(), label.dtype) == (np.float32, (8, 6, 3), [9], np.int64)
    np.testing.assert_allclose(image, 120, atol=2)
    held = datasets.Flowers(**given, mode="test", backend="pil", transform=lambda picture: picture.size)
    assert (held[0][0], held[0][1].tolist()) == ((6, 8), [8])
    with pytest.raises(FileNotFoundError, match="has no jpg"):
        datasets.Flowers(**given, mode="valid")[0]
    with pytest.raises(ValueError, match="nothing is downloaded"):
        datasets.Flowers(files)
    with pytest.raises(ValueError, match="mode must be"):
        datasets.Flowers(**given, mode="all")
    with pytest.raises(ValueError, match="the backend must be"):
        datasets.Flowers(**given, backend="tensor")


def test_voc(tmp_path: Path) -> None:
    top = "VOCdevkit/VOC2012"
    classes = np.arange(48, dtype=np.uint8).reshape(8, 6)
    files = archive(
        tmp_path / "voc.tar",
        {
            f"{top}/ImageSets/Segmentation/val.txt": b"one\ntwo\n",
            f"{top}/JPEGImages/two.jpg": encoded(plain(90), "JPEG"),
            f"{top}/SegmentationClass/two.png": encoded(classes, "PNG"),
        },
    )
    data = datasets.VOC2012(files, "valid", backend="cv2")
    assert len(data) == 2
    image, label = data[1]
    np.testing.assert_allclose(image, 90, atol=2)
    np.testing.assert_array_equal(label, classes.astype(np.float32))
    assert datasets.VOC2012(files, "valid")[1][1].size == (6, 8)
    with pytest.raises(FileNotFoundError, match="has no VOCdevkit"):
        datasets.VOC2012(files, "test")


def test_jpeg_files_are_decoded(tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_bytes(encoded(plain(60), "JPEG"))
    given = ops.read_file(str(tmp_path / "x.jpg"))
    for mode, channels in (("unchanged", 3), ("rgb", 3), ("gray", 1)):
        made = ops.decode_jpeg(given, mode)
        assert (made.dtype, made.shape) == (vt.uint8, [channels, 8, 6])
        np.testing.assert_allclose(made.numpy().astype(int), 60, atol=2)
    with pytest.raises(ValueError, match="mode must be"):
        ops.decode_jpeg(given, "bgr")
