"""Transforms as objects, to be chained by Compose; random ones draw from NumPy's global generator."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any

import numpy as np

from ...base.boundary import Created
from ...base.changes import Counted
from ...base.drawing import drawing
from ...base.errors import ArgumentError
from . import functional as F
from .factors import factor_range


class Compose:
    """Transforms one after the other.

    >>> Compose([Resize((2, 2)), ToTensor()])(np.zeros((4, 4), np.uint8)).shape
    [1, 2, 2]
    """

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = list(transforms)

    def __call__(self, data: Any) -> Any:
        for transform in self.transforms:
            data = transform(data)
        return data

    def __repr__(self) -> str:
        return f"Compose({self.transforms})"


class BaseTransform(Counted, Created):
    """Base: a subclass gives `_apply_image`. With several `keys` ("image", "label", ...) a sample is a tuple of them.

    `self.params` holds what `_get_params(inputs)` drew for this sample.
    """

    def __init__(self, keys: Sequence[str] | None = None) -> None:
        if not isinstance(keys, (Sequence, NoneType)):
            raise ArgumentError(f"{type(self).__name__}: keys must be a sequence of names, not {keys!r}")
        self.keys = ("image",) if keys is None else tuple(keys)
        self.params: Any = None

    def __call__(self, inputs: Any) -> Any:
        parts = inputs if isinstance(inputs, tuple) else (inputs,)
        self.params = self._get_params(parts)
        done = [getattr(self, f"_apply_{k}", _as_it_is)(x) for k, x in zip(self.keys, parts, strict=False)]
        done += parts[len(self.keys) :]
        return tuple(done) if isinstance(inputs, tuple) else done[0]

    def _get_params(self, inputs: Any) -> Any:
        return None

    def _apply_image(self, image: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no _apply_image")


def _as_it_is(value: Any) -> Any:
    return value


class ToTensor(BaseTransform):
    """A float32 tensor [c, h, w], uint8 scaled to 0..1."""

    def __init__(self, data_format: str = "CHW", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, image: Any) -> Any:
        return F.to_tensor(image, self.data_format)


class Resize(BaseTransform):
    """Another size: (h, w), or an int for the shorter side."""

    def __init__(
        self, size: int | Sequence[int], interpolation: str = "bilinear", keys: Sequence[str] | None = None
    ) -> None:
        super().__init__(keys)
        self.size, self.interpolation = size, interpolation

    def _apply_image(self, image: Any) -> Any:
        return F.resize(image, self.size, self.interpolation)


class CenterCrop(BaseTransform):
    """The middle part of a size."""

    def __init__(self, size: int | Sequence[int], keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.size = size

    def _apply_image(self, image: Any) -> Any:
        return F.center_crop(image, self.size)


class RandomCrop(BaseTransform):
    """A part of a size at a random place, after `padding`. Errors: ArgumentError for images that are too small."""

    def __init__(
        self,
        size: int | Sequence[int],
        padding: int | Sequence[int] | None = None,
        pad_if_needed: bool = False,
        fill: float = 0,
        padding_mode: str = "constant",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.padding, self.pad_if_needed, self.fill, self.padding_mode = padding, pad_if_needed, fill, padding_mode

    def _apply_image(self, image: Any) -> Any:
        if self.padding is not None:
            image = F.pad(image, self.padding, self.fill, self.padding_mode)
        missing = [max(0, wanted - there) for wanted, there in zip(self.size, F.image_size(image), strict=True)]
        if self.pad_if_needed and any(missing):
            image = F.pad(image, (missing[1], missing[0]), self.fill, self.padding_mode)
        room = [there - wanted for wanted, there in zip(self.size, F.image_size(image), strict=True)]
        if min(room) < 0:
            raise ArgumentError(f"RandomCrop: {self.size} doesn't fit into an image {F.image_size(image)}")
        return F.crop(
            image, drawing(np.random).randint(room[0] + 1), drawing(np.random).randint(room[1] + 1), *self.size
        )


class RandomResizedCrop(BaseTransform):
    """A random part, by share of the area (`scale`) and ratio of sides (`ratio`), resized to `size`."""

    def __init__(
        self,
        size: int | Sequence[int],
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3.0 / 4, 4.0 / 3),
        interpolation: str = "bilinear",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.scale, self.ratio, self.interpolation = scale, ratio, interpolation

    def _apply_image(self, image: Any) -> Any:
        rows, columns = F.image_size(image)
        for _ in range(10):
            area = rows * columns * drawing(np.random).uniform(*self.scale)
            aspect = math.exp(drawing(np.random).uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            width, height = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if 0 < width <= columns and 0 < height <= rows:
                top, left = (
                    drawing(np.random).randint(rows - height + 1),
                    drawing(np.random).randint(columns - width + 1),
                )
                return F.resize(F.crop(image, top, left, height, width), self.size, self.interpolation)
        side = min(rows, columns)
        return F.resize(F.center_crop(image, side), self.size, self.interpolation)


class _Chance(BaseTransform):
    def __init__(self, prob: float = 0.5, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        if not 0 <= prob <= 1:
            raise ArgumentError(f"{type(self).__name__}: prob must be between 0 and 1, got {prob!r}")
        self.prob = prob

    def _get_params(self, inputs: Any) -> bool:
        return bool(drawing(np.random).random() < self.prob)


class RandomHorizontalFlip(_Chance):
    """Left and right swapped with a probability."""

    def _apply_image(self, image: Any) -> Any:
        return F.hflip(image) if self.params else image


class RandomVerticalFlip(_Chance):
    """Top and bottom swapped with a probability."""

    def _apply_image(self, image: Any) -> Any:
        return F.vflip(image) if self.params else image


class Normalize(BaseTransform):
    """(image - mean) / std per channel."""

    def __init__(
        self,
        mean: float | Sequence[float] = 0.0,
        std: float | Sequence[float] = 1.0,
        data_format: str = "CHW",
        to_rgb: bool = False,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.mean = [float(mean)] * 3 if isinstance(mean, (int, float)) else list(mean)
        self.std = [float(std)] * 3 if isinstance(std, (int, float)) else list(std)
        self.data_format, self.to_rgb = data_format, to_rgb

    def _apply_image(self, image: Any) -> Any:
        channels = image.shape[-3 if self.data_format == "CHW" else -1]
        return F.normalize(image, self.mean[:channels], self.std[:channels], self.data_format, self.to_rgb)


class Transpose(BaseTransform):
    """The axes in another order: (2, 0, 1) makes [c, h, w]."""

    def __init__(self, order: Sequence[int] = (2, 0, 1), keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.order = tuple(order)

    def _apply_image(self, image: Any) -> Any:
        if hasattr(image, "stop_gradient"):
            return image.transpose(self.order)
        image = F.as_image(image)
        return (image[..., None] if image.ndim == 2 else image).transpose(self.order)


class Pad(BaseTransform):
    """More pixels around. Errors: ArgumentError for another count of numbers than 1, 2 or 4."""

    def __init__(
        self,
        padding: int | Sequence[int],
        fill: float = 0,
        padding_mode: str = "constant",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        if isinstance(padding, (list, tuple)) and len(padding) not in (2, 4):
            raise ArgumentError(f"Pad: padding is a number, two or four of them, not {padding!r}")
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def _apply_image(self, image: Any) -> Any:
        return F.pad(image, self.padding, self.fill, self.padding_mode)


class Grayscale(BaseTransform):
    """Brightness, in one channel or three. Errors: ArgumentError for another number of channels."""

    def __init__(self, num_output_channels: int = 1, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, image: Any) -> Any:
        return F.to_grayscale(image, self.num_output_channels)


class _Jitter(BaseTransform):
    """`value`: a number, for factors from 1-value to 1+value, or the two ends of their range."""

    change: Callable[[Any, float], Any]

    def __init__(self, value: float | Sequence[float], keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = factor_range(value, type(self).__name__)

    def _apply_image(self, image: Any) -> Any:
        return image if self.value is None else type(self).change(image, drawing(np.random).uniform(*self.value))


class BrightnessTransform(_Jitter):
    """Brightness times a factor from 1-value to 1+value, or from the first of two values to the second."""

    change = staticmethod(F.adjust_brightness)


class ContrastTransform(_Jitter):
    """Contrast times a factor from 1-value to 1+value, or from the first of two values to the second."""

    change = staticmethod(F.adjust_contrast)


class SaturationTransform(_Jitter):
    """Saturation times a factor from 1-value to 1+value, or from the first of two values to the second."""

    change = staticmethod(F.adjust_saturation)


class HueTransform(BaseTransform):
    """Hue shifted by a random part of the circle from -value to value, at most 0.5, or between two values."""

    def __init__(self, value: float | Sequence[float], keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        if isinstance(value, (int, float)) and not 0 <= value <= 0.5:
            raise ArgumentError(f"HueTransform: value must be from 0 to 0.5, got {value}")
        self.value = factor_range(value, "HueTransform", 0, (-0.5, 0.5), clip_first_on_zero=False)

    def _apply_image(self, image: Any) -> Any:
        return image if self.value is None else F.adjust_hue(image, drawing(np.random).uniform(*self.value))


class ColorJitter(BaseTransform):
    """Brightness, contrast, saturation and hue changed at random, in a random order.

    >>> ColorJitter(0.4, 0.4, 0.4, 0.1)(np.zeros((4, 4, 3), np.uint8)).shape
    (4, 4, 3)
    """

    def __init__(
        self, brightness: float | Sequence[float] = 0, contrast: float | Sequence[float] = 0,
        saturation: float | Sequence[float] = 0, hue: float | Sequence[float] = 0, keys: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        self.brightness, self.contrast, self.saturation, self.hue = brightness, contrast, saturation, hue
        self.parts = [
            BrightnessTransform(brightness), ContrastTransform(contrast), SaturationTransform(saturation),
            HueTransform(hue),
        ]  # fmt: skip

    def _apply_image(self, image: Any) -> Any:
        for k in drawing(np.random).permutation(len(self.parts)):
            image = self.parts[k](image)
        return image


class RandomErasing(_Chance):
    """A random rectangle of the image gets `value`, with a probability; "random": a number for each pixel.

    value: a number, or one for each channel. Errors: ArgumentError for another string.
    """

    def __init__(
        self,
        prob: float = 0.5,
        scale: tuple[float, float] = (0.02, 0.33),
        ratio: tuple[float, float] = (0.3, 3.3),
        value: float | Sequence[float] | str = 0,
        inplace: bool = False,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(prob, keys)
        if isinstance(value, str) and value != "random":
            raise ArgumentError(f"RandomErasing: value is a number, one for each channel, or 'random', not {value!r}")
        self.scale, self.ratio, self.value, self.inplace = scale, ratio, value, inplace

    def _apply_image(self, image: Any) -> Any:
        if not self.params:
            return image
        rows, columns = F.image_size(image)
        for _ in range(10):
            area = rows * columns * drawing(np.random).uniform(*self.scale)
            aspect = math.exp(drawing(np.random).uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            height, width = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if 0 < height < rows and 0 < width < columns:
                top, left = (
                    drawing(np.random).randint(rows - height + 1),
                    drawing(np.random).randint(columns - width + 1),
                )
                return F.erase(image, top, left, height, width, self._paint(image, height, width), self.inplace)
        return image

    def _paint(self, image: Any, height: int, width: int) -> Any:
        """What the rectangle gets: of bytes, random numbers reach as far as colours do."""
        is_tensor = F.is_tensor_image(image)
        if isinstance(self.value, str):
            shape = (image.shape[-3], height, width) if is_tensor else (height, width, *F.as_image(image).shape[2:])
            drawn = drawing(np.random).normal(size=shape)
            whole = image.dtype == "uint8" if is_tensor else F.as_image(image).dtype == np.uint8
            return np.clip(drawn * 255, 0, 255).astype(np.uint8) if whole else drawn
        if isinstance(self.value, (list, tuple)):
            return np.reshape(self.value, (-1, 1, 1) if is_tensor else (1, 1, -1))
        return self.value
