"""Weights from and for other libraries: flat safetensors files, state dicts of torch and Paddle, other names."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, Union

import numpy as np

from ..base.errors import ArgumentError, KindError, StateError
from ..ops.infer import show_shape
from .conversions import from_dlpack
from .eager import from_array
from .nn import Layer, Linear
from .serialize import kind_of, load, write_file
from .tensor import Tensor

__all__ = ["load_paddle_state_dict", "load_safetensors", "load_torch_state_dict", "save_safetensors"]

NameMap: TypeAlias = Union[Mapping[str, str], Callable[[str], Union[str, None]], None]
_TORCH_BUFFERS = {"running_mean": "_mean", "running_var": "_variance", "num_batches_tracked": None}


def _array(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value._elements("save")
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "detach"):  # torch: what needs a gradient isn't handed out
        value = value.detach()
    if hasattr(value, "__dlpack__"):
        return from_dlpack(value).numpy()
    return np.asarray(value)


def save_safetensors(
    tensors: Mapping[str, Any], path: str | os.PathLike[str], metadata: Mapping[str, str] | None = None
) -> None:
    """Write a flat dict of tensors or arrays as a plain safetensors file, which any other library reads.

    metadata: strings to keep beside them. The file appears whole or not at all. Errors: KindError, ArgumentError.
    """
    header: dict[str, Any] = {} if metadata is None else {"__metadata__": dict(metadata)}
    chunks, place = [], 0
    for name, value in tensors.items():
        if not isinstance(name, str) or name == "__metadata__":
            raise KindError(f"save_safetensors needs strings as names, not {name!r}")
        array = np.asarray(_array(value))
        chunk = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        span = [place, place + len(chunk)]
        header[name] = {"dtype": kind_of(array), "shape": list(array.shape), "data_offsets": span}
        chunks.append(chunk)
        place += len(chunk)
    head = json.dumps(header, ensure_ascii=False).encode()
    head += b" " * (-len(head) % 8)
    write_file(Path(path), b"".join([struct.pack("<Q", len(head)), head, *chunks]))


def load_safetensors(path: str | os.PathLike[str], return_numpy: bool = False) -> dict[str, Any]:
    """The tensors (return_numpy=True: arrays) of a safetensors file by name. ArtifactError where it is damaged."""
    found = load(path, return_numpy)
    if not isinstance(found, dict):
        raise ArgumentError(f"{path} was written by vt.save and holds no flat dict", remedy="use vt.load")
    return found


def load_torch_state_dict(
    layer: Layer, state: Any, name_map: NameMap = None, strict: bool = True
) -> tuple[list[str], list[str]]:
    """Copy a torch module's state (a dict of tensors or arrays, or a safetensors file) into a layer of the same build.

    Weights of Linear are transposed, running statistics renamed. name_map turns the other names into the layer's: a
    dict of what differs, or a function; None drops an entry. Gives (missing, unexpected) names.
    Errors: StateError, before anything is changed, if shapes differ or, with `strict`, names are missing or left over.
    """
    return _load(layer, state, name_map, strict, torch=True)


def load_paddle_state_dict(
    layer: Layer, state: Any, name_map: NameMap = None, strict: bool = True
) -> tuple[list[str], list[str]]:
    """Copy a Paddle layer's state (a dict of tensors or arrays, or a safetensors file) into a layer of the same build.

    name_map, errors and result as of `load_torch_state_dict`; nothing is transposed.
    """
    return _load(layer, state, name_map, strict, torch=False)


def _load(layer: Layer, state: Any, name_map: NameMap, strict: bool, *, torch: bool) -> tuple[list[str], list[str]]:
    if not isinstance(layer, Layer):
        raise KindError(f"a state dict is loaded into a Layer, not a {type(layer).__name__}")
    given = load_safetensors(state, return_numpy=True) if isinstance(state, (str, os.PathLike)) else state
    own = layer.state_dict()
    turned = {
        name + ".weight" if name else "weight" for name, part in _parts(layer) if torch and isinstance(part, Linear)
    }
    found: dict[str, Any] = {}
    unexpected = []
    for foreign, value in given.items():
        name = _renamed(foreign, name_map, torch)
        if name is None:
            continue
        if name not in own:
            unexpected.append(foreign)
            continue
        array = _array(value)
        array = array.T if name in turned and array.ndim == 2 else array
        if list(array.shape) != list(own[name].shape):
            raise StateError(
                f"{foreign!r} has shape {show_shape(array.shape)}, the layer's {name!r} {show_shape(own[name].shape)}"
            )
        found[name] = array
    missing = [name for name in own if name not in found]
    if strict and (missing or unexpected):
        raise StateError(
            f"missing: {', '.join(missing) or 'none'}; unexpected: {', '.join(unexpected) or 'none'}",
            remedy="give a name_map, or strict=False",
        )
    for name, array in found.items():
        target = own[name]
        target.set_value(from_array(np.array(array, target.dtype.numpy, order="C")))
    return missing, unexpected


def _parts(layer: Layer) -> list[tuple[str, Any]]:
    return [("", layer), *layer.named_sublayers()]


def _renamed(name: str, name_map: NameMap, torch: bool) -> str | None:
    mapped: str | None = name
    if callable(name_map):
        mapped = name_map(name)
    elif name_map is not None:
        mapped = name_map.get(name, name)
    if mapped is None or not torch:
        return mapped
    head, _, last = mapped.rpartition(".")
    if last not in _TORCH_BUFFERS:
        return mapped
    own = _TORCH_BUFFERS[last]
    return None if own is None else f"{head}.{own}" if head else own
