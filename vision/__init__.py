"""Images: transforms of arrays, data sets from local files, the usual networks, and the operations of detectors."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from . import datasets, models, ops, transforms
from .datasets import DatasetFolder, ImageFolder
from .images import get_image_backend, image_load, set_image_backend
from .models import *  # noqa: F403 - PaddlePaddle has these names here, too
from .transforms import *  # noqa: F403

__all__ = [
    "DatasetFolder", "ImageFolder", "datasets", "get_image_backend", "image_load", "models", "ops", "set_image_backend",
    "transforms",
]  # fmt: skip

_tell_unknown_names(__name__)
