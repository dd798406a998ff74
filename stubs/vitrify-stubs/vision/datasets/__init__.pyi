# Written by `make stubs`; edits here are lost.

"""Image data sets from local files: MNIST and FashionMNIST (IDX), CIFAR (binary version), archives, folders.

No downloads."""

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.data.dataset import Dataset as _Dataset
from vitrify.vision.archives import Flowers as Flowers
from vitrify.vision.archives import VOC2012 as VOC2012

class Cifar10(_Dataset[_tuple[_Any, _Any]]):
    """Colour pictures of 32×32: (image u8→f32[32, 32, 3] in 0..255, label i64), as `transform` makes it.

    `data_file`: the folder of the binary version (`data_batch_1.bin` … `test_batch.bin`). The Python version of the
    archive is a pickle, which could run code when it is read, and is refused.
    Errors: DataNotFoundError names missing files; DataError files of a wrong size."""
    FILES: _dict[_str, _Sequence[_str]]
    mode: _Any
    transform: _Callable[[_Any], _Any] | None
    labels: _Any
    images: _Any
    LABELS: _int
    def __init__(self, data_file: _str | _Path | None = None, mode: _str = 'train', transform: _Callable[[_Any], _Any] | None = None, download: _bool = False, backend: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _tuple[_Any, _Any]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

class Cifar100(_Dataset[_tuple[_Any, _Any]]):
    """CIFAR-100 with its fine labels (`train.bin`, `test.bin`)."""
    FILES: _dict
    LABELS: _int

class DatasetFolder(_Dataset[_tuple[_Any, _int]]):
    """A folder per class: (image, number of its class); classes in alphabetic order.

    `loader(path)` reads a file; `extensions` or `is_valid_file(path)` choose files.
    Errors: DataNotFoundError if nothing is found."""
    root: _Path
    loader: _Any
    transform: _Callable[[_Any], _Any] | None
    classes: _Any
    class_to_idx: _Any
    samples: _Any
    targets: _Any
    def __init__(self, root: _str | _Path, loader: _Callable[[_str], _Any] | None = None, extensions: _Sequence[_str] | None = None, transform: _Callable[[_Any], _Any] | None = None, is_valid_file: _Callable[[_str], _bool] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _tuple[_Any, _int]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

class FashionMNIST(_Dataset[_tuple[_Any, _Any]]):
    """Clothes in MNIST's format."""
    NAME: _str

class ImageFolder(_Dataset[_list[_Any]]):
    """All images below a folder, without labels: a sample is [image]. Errors: DataNotFoundError if there are none."""
    root: _Path
    loader: _Any
    transform: _Callable[[_Any], _Any] | None
    samples: _Any
    def __init__(self, root: _str | _Path, loader: _Callable[[_str], _Any] | None = None, extensions: _Sequence[_str] | None = None, transform: _Callable[[_Any], _Any] | None = None, is_valid_file: _Callable[[_str], _bool] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _list[_Any]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

class MNIST(_Dataset[_tuple[_Any, _Any]]):
    """Handwritten digits: (image f32[28, 28, 1] in 0..255, label i64[1]), as `transform` makes it.

    `image_path` and `label_path`: the two IDX files, plain or gzipped; or `root`: the folder that holds all four.
    `mode`: "train" or "test". Errors: ArgumentError without files (`download` isn't supported); as `io.MNIST`."""
    mode: _Any
    transform: _Callable[[_Any], _Any] | None
    images: _Any
    labels: _Any
    NAME: _str
    def __init__(self, image_path: _str | _Path | None = None, label_path: _str | _Path | None = None, mode: _str = 'train', transform: _Callable[[_Any], _Any] | None = None, download: _bool = False, backend: _str | None = None, root: _str | _Path | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _tuple[_Any, _Any]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

def load_image(path: _str | _Path) -> _Any:
    """An image file as an array h×w×3 uint8; `.npy` as it is. Errors: MissingDependencyError without Pillow."""
