"""Inputs of a call as a command line gives them: types to be filled with example values, files, numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..base.dtype import BY_SHORT, DType
from ..dygraph.tensor import Tensor
from ..ops.types import TensorType
from .outcome import UsageError

_TYPE = re.compile(r"(?P<dtype>[a-z]+\d*)\[(?P<shape>[\d,\s]*)\]")
_NAMED = re.compile(r"(?P<name>[A-Za-z_][\w.]*)=(?P<value>.+)", re.DOTALL)


@dataclass(frozen=True)
class Given:
    """What --input, --size and --seed said."""

    texts: tuple[str, ...] = ()
    sizes: dict[str, int] = field(default_factory=dict)
    seed: int = 0

    @property
    def values(self) -> list[Any]:
        """The values of all inputs in order, without their names."""
        return [value_of(_split(text)[1]) for text in self.texts]

    def by_place(self, names: Sequence[str]) -> list[Any]:
        """One value per argument of these names; None where nothing was given."""
        found: list[Any] = [None] * len(names)
        for k, text in enumerate(self.texts):
            name, value = _split(text)
            if name is not None and name not in names:
                raise UsageError(f"there is no input {name!r}", remedy="the inputs are " + ", ".join(names))
            place = k if name is None else list(names).index(name)
            if place >= len(names):
                raise UsageError(f"{len(self.texts)} inputs are given, but there are {len(names)}")
            found[place] = value_of(value)
        return found


def given(inputs: Sequence[str], sizes: Sequence[str], seed: int) -> Given:
    """Read the options. Errors: UsageError for a size that isn't NAME=NUMBER."""
    found = {}
    for text in sizes:
        name, _, number = text.partition("=")
        if not name.isidentifier() or not number.isdigit():
            raise UsageError(f"--size takes NAME=NUMBER, not {text!r}", remedy="for instance --size N=64")
        found[name] = int(number)
    return Given(tuple(inputs), found, seed)


def _split(text: str) -> tuple[str | None, str]:
    named = _NAMED.fullmatch(text)
    return (named["name"], named["value"]) if named else (None, text)


def value_of(text: str) -> TensorType | np.ndarray[Any, Any]:
    """A type like `f32[8,784]`, an array from `@file.npy`, or one from JSON.

    >>> str(value_of("f32[8,784]")), value_of("[1, 2]").tolist()
    ('f32[8, 784]', [1, 2])
    """
    if text.startswith("@"):
        return _from_file(Path(text[1:]))
    kind = _TYPE.fullmatch(text.strip())
    if kind is not None:
        if kind["dtype"] not in BY_SHORT:
            raise UsageError(f"{kind['dtype']!r} is no dtype", remedy="the dtypes are " + ", ".join(BY_SHORT))
        shape = tuple(int(size) for size in kind["shape"].replace(" ", "").split(",") if size)
        return TensorType(BY_SHORT[kind["dtype"]], shape)
    try:
        made = np.asarray(json.loads(text))
    except ValueError:
        made = np.empty((), object)
    if made.dtype.kind not in "bif":
        raise UsageError(
            f"--input doesn't understand {text!r}", remedy="give a type (f32[8,784]), @file.npy, or numbers as JSON"
        )
    return made.astype(np.float32) if made.dtype == np.float64 else made


def _from_file(path: Path) -> np.ndarray[Any, Any]:
    try:
        made = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise UsageError(f"{path} can't be read as an array: {error}", remedy="write it with numpy.save") from error
    if not isinstance(made, np.ndarray):
        raise UsageError(f"{path} holds several arrays", remedy="give one .npy file per input")
    return made


def example(value: TensorType | np.ndarray[Any, Any], number: int, options: Given) -> Tensor:
    """A tensor: the array itself, or example values of a type, the same for the same seed."""
    if isinstance(value, np.ndarray):
        return Tensor(np.ascontiguousarray(value).reshape(value.shape))
    rng = np.random.default_rng((options.seed, number))
    shape = tuple(int(d) for d in value.shape if isinstance(d, int))
    return Tensor(_values(rng, value.dtype, shape))


def _values(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    if dtype.is_bool:
        return np.asarray(rng.random(shape) < 0.5)
    if dtype.is_integer:  # small, so that they are likely to be valid indices
        return np.asarray(rng.integers(0, 2, shape)).astype(dtype.numpy)
    return np.asarray(rng.standard_normal(shape)).astype(dtype.numpy)
