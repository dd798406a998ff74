"""Code that asks about sizes which an InputSpec leaves open: the saved program asks when it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn
from vitrify.base.errors import GuardError, VitrifyError


def early(x: Any) -> Any:
    if x.shape[0] > 2:
        return x * 2
    return x - 1


def counted(x: Any) -> Any:
    total, i = vt.zeros([1]), 1
    while i < x.shape[0]:
        total, i = total + 1, i + 2
    return total


def doubled(x: Any) -> Any:
    if x.shape[0] % 2 == 0:
        x = vt.concat([x, x])
    return x.sum(0)


def refused(x: Any) -> Any:
    assert x.shape[0] != 3, "three rows"
    return x.reshape([-1])


def first_row(x: Any) -> Any:
    return x if x.shape[0] == 1 else x[:1]


def nested(x: Any) -> Any:
    y = vt.reshape(x, [-1, 1])
    if x.shape[0] < 2:
        y = vt.full(x.shape, 2.0) if y.shape[0] > 2 else vt.full(x.shape, 3.0)
    return y


def by_a_tensor(x: Any) -> Any:
    if x.sum() > 8:
        x = vt.concat([x, x])
    return x.sum(0)


def two_sizes(x: Any) -> Any:
    y = x.reshape([2, -1])
    return y if x.shape[0] == y.shape[1] else x


def odd(x: Any) -> Any:
    """A size is a condition as any number is."""
    y = x.sum(0)
    if x.shape[0] % 2:
        y = y + 10
    return y if not x.shape[0] % 3 else y * 2


def shortened(x: Any) -> Any:
    """Fixed bounds on a path that not every size takes."""
    if x.shape[0] > 3:
        x = x[:3]
    return x.sum(0)


def tail(x: Any) -> Any:
    y = x[-2:] + 1 if x.shape[0] >= 3 else x * 2
    return y.sum(0)


CASES = [odd, shortened, tail, early, counted, doubled, refused, first_row, nested, by_a_tensor, two_sizes]


def outcome(fn: Callable[[Any], Any], x: Any) -> Any:
    try:
        return fn(x).tolist()
    except AssertionError as error:
        return str(error).partition("\n")[0]


@pytest.mark.parametrize("fn", CASES, ids=lambda f: f.__name__)
def test_saved(fn: Callable[[Any], Any], tmp_path: Path) -> None:
    compiled = vt.to_static(fn, input_spec=[vt.InputSpec([None, 2], "float32")])
    vt.jit.save(compiled, str(tmp_path / "m"))
    loaded = vt.jit.load(str(tmp_path / "m"))
    for rows in range(1, 6):
        x = vt.to_tensor(np.arange(2 * rows, dtype="float32").reshape(rows, 2))
        assert outcome(loaded, x) == outcome(fn, x)


class Positions(nn.Layer):
    """A table of 6 rows, of which a call takes as many as its input has."""

    def __init__(self) -> None:
        super().__init__()
        rows = np.arange(12, dtype="float32").reshape(6, 2)
        self.table = self.create_parameter([6, 2], default_initializer=nn.initializer.Assign(rows))


class Added(Positions):
    def forward(self, x: Any) -> Any:
        return x + self.table[: x.shape[0]]


class Taken(Positions):
    def forward(self, x: Any) -> Any:
        size = x.shape[0]
        rows = self.table[:size]
        around = self.table[size - 1 : size + 1]
        return rows * 2, rows.shape[0], rows[1:].sum(), self.table[size:].sum(), around, vt.concat([rows, x])


@pytest.mark.parametrize("kind", [Added, Taken])
def test_rows_of_a_table(kind: Any, tmp_path: Path) -> None:
    """Sizes up to the table's, and where nothing else forbids it larger ones."""
    layer = kind()
    vt.jit.save(layer, str(tmp_path / "m"), input_spec=[vt.InputSpec([None, 2], "float32")])
    loaded = vt.jit.load(str(tmp_path / "m"))
    for size in range(1, 9):
        x = vt.to_tensor(np.ones((size, 2), "float32"))
        if kind is Added and size > 6:
            with pytest.raises(GuardError, match="assumes N <= 6, which fails for N="):
                loaded(x)
            continue
        for got, expected in zip(leaves(loaded(x)), leaves(layer(x)), strict=True):
            np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))


class Squeezed(nn.Layer):
    def forward(self, x: Any) -> Any:
        return x.squeeze(), x.squeeze(0), x.squeeze([0, 1]), x.squeeze(1)


def test_squeezed_axes() -> None:
    """Whether an axis has one element is asked in each call."""
    compiled, eager = vt.to_static(Squeezed()), Squeezed()
    for shape in ((2, 5), (1, 3), (3, 1), (1, 1), (4, 7), (1, 4)):
        x = vt.ones([*shape, 4])
        assert [y.shape for y in compiled(x)] == [y.shape for y in eager(x)]


def test_squeezed_open_axes_of_saved_programs(tmp_path: Path) -> None:
    """Ranks are fixed in a saved program: it takes no size of 1 for an axis that would go."""
    vt.jit.save(Squeezed(), str(tmp_path / "m"), input_spec=[vt.InputSpec([None, 1, 4], "float32")])
    loaded = vt.jit.load(str(tmp_path / "m"))
    assert [list(y.shape) for y in loaded(vt.ones([3, 1, 4]))] == [[3, 4], [3, 1, 4], [3, 4], [3, 4]]
    with pytest.raises(GuardError, match="assumes N >= 2, which fails for N=1"):
        loaded(vt.ones([1, 1, 4]))


def leaves(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


@pytest.mark.parametrize("name", ["diff", "split", "trapezoid"])
def test_no_elements_after_some(name: str) -> None:
    """Sizes such as N - 1 are below 0 then: no program for other sizes is taken for the call."""
    functions: dict[str, Callable[[Any], Any]] = {
        "diff": lambda x: vt.diff(x, axis=0),
        "split": lambda x: x.split([1, x.shape[0] - 1])[1],
        "trapezoid": lambda x: vt.trapezoid(x, axis=0),
    }
    compiled = vt.to_static(functions[name])
    for size in (3, 5, 0, 1, 4, 0):
        x = vt.ones([size, 4])
        told = []
        for fn in (functions[name], compiled):
            try:
                told.append(fn(x).tolist())
            except VitrifyError as error:
                told.append((type(error).__name__, error.message))
        assert told[0] == told[1]
    assert len(compiled.program_cache) <= 3  # of the first call's sizes, of all that fit, and of none


def test_no_elements_in_a_saved_program(tmp_path: Path) -> None:
    differences = vt.to_static(lambda x: vt.diff(x, axis=0), input_spec=[vt.InputSpec([None, 2], "float32")])
    vt.jit.save(differences, str(tmp_path / "m"))
    with pytest.raises(GuardError, match="assumes N >= 1"):
        vt.jit.load(str(tmp_path / "m"))(vt.ones([0, 2]))


OPEN_IMAGES = [vt.InputSpec([None, 3, None, None])]
OF_OPEN_IMAGES: dict[str, Any] = {
    "scaled": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
    "scaled by a fraction": lambda x: F.interpolate(x, scale_factor=1.5, mode="bicubic"),
    "to a size": lambda x: F.interpolate(x, [8, 8], mode="bilinear", align_corners=True),
    "back": lambda x: F.interpolate(x[:, :, ::2, ::2], vt.shape(x)[2:], mode="bilinear"),
    "nearest": lambda x: F.interpolate(x[:, :, ::2, ::2], x.shape[2:]),
    "averages": lambda x: F.adaptive_avg_pool2d(x, 3),
    "averages of one axis": lambda x: F.adaptive_avg_pool2d(x, (2, None)),
    "averages of volumes": lambda x: F.adaptive_avg_pool3d(x.unsqueeze(2), [1, 2, 3]),
    "maxima": lambda x: F.adaptive_max_pool2d(x, 3),
    "area": lambda x: F.interpolate(x, [4, 4], mode="area"),
    "pyramid": lambda x: F.interpolate(F.adaptive_avg_pool2d(x, 3), x.shape[2:], mode="bilinear"),
}


@pytest.mark.parametrize("name", OF_OPEN_IMAGES)
def test_images_of_open_sizes_are_resized_and_pooled(name: str) -> None:
    function = OF_OPEN_IMAGES[name]
    compiled = vt.to_static(function, input_spec=OPEN_IMAGES)
    for shape in ((2, 3, 9, 7), (1, 3, 4, 12), (1, 3, 3, 3)):
        x = vt.to_tensor(np.random.default_rng(0).random(shape).astype("float32"), stop_gradient=False)
        made, expected = compiled(x), function(x)
        assert made.shape == expected.shape
        np.testing.assert_allclose(made.numpy(), expected.numpy(), rtol=2e-6, atol=1e-6)
        gradients = [vt.grad((y * y).sum(), [x])[0].numpy() for y in (made, expected)]
        np.testing.assert_allclose(*gradients, rtol=1e-5, atol=1e-5)
    assert compiled.get_traced_count() == 1 or name == "back"  # a tensor of sizes is read: a program for each


@pytest.mark.parametrize("name", ["scaled", "back", "pyramid"])
def test_images_of_open_sizes_in_saved_programs(tmp_path: Path, name: str) -> None:
    function = OF_OPEN_IMAGES[name]
    vt.jit.save(vt.to_static(function, input_spec=OPEN_IMAGES), str(tmp_path / "resized"))
    loaded = vt.jit.load(str(tmp_path / "resized"))
    for shape in ((2, 3, 9, 7), (1, 3, 4, 12)):
        x = vt.to_tensor(np.random.default_rng(0).random(shape).astype("float32"))
        np.testing.assert_allclose(loaded(x).numpy(), function(x).numpy(), rtol=2e-6, atol=1e-6)


OF_TOLD_SIZES: dict[str, tuple[Any, Any, Any]] = {
    "size": (lambda x, s: F.interpolate(x, s, mode="bilinear"), [9, 4], [3, 5]),
    "one size": (lambda x, s: F.interpolate(x, [s, s * 2], mode="nearest"), 3, 1),
    "scale": (lambda x, s: F.interpolate(x, scale_factor=s, mode="bicubic"), [1.7, 0.6], [2.0, 3.5]),
    "corners": (lambda x, s: F.interpolate(x, s, mode="bilinear", align_corners=True), [9, 1], [2, 2]),
    "averages": (lambda x, s: F.adaptive_avg_pool2d(x, s), [3, 2], [4, 5]),
}


@pytest.mark.parametrize("name", OF_TOLD_SIZES)
def test_images_are_resized_and_pooled_to_what_a_tensor_tells(name: str) -> None:
    function, *told = OF_TOLD_SIZES[name]
    compiled = vt.to_static(function)
    x = vt.to_tensor(np.random.default_rng(0).random((2, 3, 9, 7)).astype("float32"))
    for numbers in told:
        made, expected = compiled(x, vt.to_tensor(numbers)), function(x, vt.to_tensor(numbers))
        np.testing.assert_allclose(made.numpy(), expected.numpy(), rtol=2e-6, atol=1e-6)
    assert compiled.get_traced_count() == 1
