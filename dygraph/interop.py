"""Weights from and for other libraries: flat safetensors files, state dicts of torch and Paddle, other names."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, Union

import numpy as np

from ..base.errors import ArgumentError, KindError, StateError
from ..ops.infer import show_shape
from .conversions import from_dlpack
from .eager import from_array
from .nn import GRU, LSTM, Layer, Linear, MultiHeadAttention, PReLU, SimpleRNN, TransformerDecoderLayer
from .serialize import kind_of, load, write_file
from .tensor import Tensor

__all__ = [
    "Loaded", "load_paddle_state_dict", "load_safetensors", "load_torch_state", "load_torch_state_dict",
    "save_safetensors",
]  # fmt: skip

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
        return from_dlpack(value)._copied()
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
    """Copy a torch module's state (a dict of tensors or arrays, or a `.pt`, `.pth` or safetensors file) into a layer.

    The layer is built as the module is.

    Weights of Linear are transposed, running statistics and projections renamed, and the joint `in_proj_weight` and
    `in_proj_bias` of attention split into those of queries, keys and values. name_map turns the other names into the
    layer's: a dict of what differs, or a function; None drops an entry. Gives (missing, unexpected) names.
    Errors: StateError, before anything is changed, if shapes differ or, with `strict`, names are missing or left over.
    """
    return _load(layer, state, name_map, strict, torch=True)


@dataclass(frozen=True)
class Loaded:
    """What `load_torch_state` did: names of the layer, and names of the file."""

    loaded: dict[str, str]  # the layer's name -> the file's
    transposed: list[str]  # the layer's names
    missing: list[str]  # the layer's names that the file hasn't
    unexpected: list[str]  # the file's names that the layer hasn't
    misfits: dict[str, str]  # the file's name -> the shapes that differ

    def __str__(self) -> str:
        lines = [f"{len(self.loaded)} tensors loaded, {len(self.transposed)} of them transposed"]
        lines += [f"missing: {name}" for name in self.missing]
        lines += [f"unexpected: {name}" for name in self.unexpected]
        return "\n".join(lines + [f"another shape: {what}" for what in self.misfits.values()])


_INNER = ("state_dict", "model_state_dict", "model", "net", "network", "module", "params", "weights")
_PREFIXES = ("module.", "model.", "_orig_mod.")  # of torch's wrappers around a module


def load_torch_state(layer: Layer, file: Any, name_map: NameMap = None) -> Loaded:
    """Copy what fits of a torch file (`.pt`, `.pth`, safetensors) or state dict into a layer, and say what was done.

    Names and layouts are translated as `load_torch_state_dict` does. A checkpoint's inner state dict is found, and the
    prefixes of torch's wrappers are left out. A tensor of another shape isn't loaded; it is in `misfits`.
    Errors: ArtifactError for a damaged file, or one that holds more than tensors and containers.

    >>> from .nn import Linear
    >>> print(load_torch_state(Linear(2, 3), {"weight": np.ones((3, 2)), "steps": np.ones(1)}))
    1 tensors loaded, 1 of them transposed
    missing: bias
    unexpected: steps
    """
    given = load(file, return_numpy=True) if isinstance(file, (str, os.PathLike)) else file
    own, theirs = layer.state_dict(), _build(layer)
    state = _without_prefix(_inner(given), own, theirs)
    loaded: dict[str, str] = {}
    misfits: dict[str, str] = {}
    unexpected: list[str] = []
    arrays: dict[str, Any] = {}
    for foreign, (original, value) in state.items():
        name = _mapped(foreign, name_map)
        name = name and theirs.names.get(name, name)
        targets = theirs.split.get(name, (name,)) if name is not None else ()
        if name is not None and not own.keys() >= set(targets):
            unexpected.append(original)
        elif targets:
            try:
                parts = _fitted(original, _array(value), {t: own[t] for t in targets}, theirs.transposed)
            except StateError as error:
                misfits[original] = error.message
                continue
            arrays.update(parts)
            loaded.update((target, original) for target in targets)
    for name, array in arrays.items():
        own[name].set_value(from_array(np.array(array, own[name].dtype.numpy, order="C")))
    known = {id(own[name]) for name in loaded}
    missing = [name for name in own if id(own[name]) not in known and name not in theirs.absent]
    transposed = [name for name in loaded if name in theirs.transposed and own[name].ndim == 2]
    return Loaded(loaded, transposed, missing, unexpected, misfits)


def _inner(given: Any) -> Mapping[str, Any]:
    """The dict of tensors in a checkpoint."""
    if not isinstance(given, Mapping):
        raise KindError(f"a state is a dict of tensors by name, not a {type(given).__name__}")
    for name in _INNER:
        if isinstance(given.get(name), Mapping):
            return _inner(given[name])
    return given


def _without_prefix(state: Mapping[str, Any], own: Mapping[str, Any], theirs: _Build) -> dict[str, tuple[str, Any]]:
    """name -> (its name in the file, tensor); a wrapper's prefix goes where more names are known without it."""

    def known(name: str) -> bool:
        name = theirs.names.get(name) or name
        return name in own or name in theirs.split

    for prefix in _PREFIXES:
        short = {name.removeprefix(prefix): (name, value) for name, value in state.items() if isinstance(name, str)}
        if sum(map(known, short)) > sum(known(name) for name in state if isinstance(name, str)):
            return short
    return {str(name): (str(name), value) for name, value in state.items()}


def load_paddle_state_dict(
    layer: Layer, state: Any, name_map: NameMap = None, strict: bool = True
) -> tuple[list[str], list[str]]:
    """Copy a Paddle layer's state (a dict of tensors or arrays, or a `.pdparams` or safetensors file) into a layer.

    The layer is built as Paddle's is.

    name_map, errors and result as of `load_torch_state_dict`; nothing is transposed.
    """
    return _load(layer, state, name_map, strict, torch=False)


def _load(layer: Layer, state: Any, name_map: NameMap, strict: bool, *, torch: bool) -> tuple[list[str], list[str]]:
    if not isinstance(layer, Layer):
        raise KindError(f"a state dict is loaded into a Layer, not a {type(layer).__name__}")
    given = load(state, return_numpy=True) if isinstance(state, (str, os.PathLike)) else state
    if not isinstance(given, Mapping):
        raise KindError(f"a state is a dict of tensors by name, not a {type(given).__name__}")
    own = layer.state_dict()
    theirs = _build(layer) if torch else _Build()
    found: dict[str, Any] = {}
    unexpected = []
    for foreign, value in given.items():
        name = _mapped(foreign, name_map)
        name = name and theirs.names.get(name, name)
        if name is None:
            continue
        targets = theirs.split.get(name, (name,))
        if not own.keys() >= set(targets):
            unexpected.append(foreign)
            continue
        found.update(_fitted(foreign, _array(value), {target: own[target] for target in targets}, theirs.transposed))
    loaded = {id(own[name]) for name in found}  # a tensor with several names needs one of them
    missing = [name for name in own if id(own[name]) not in loaded and name not in theirs.absent]
    if strict and (missing or unexpected):
        raise StateError(
            f"missing: {', '.join(missing) or 'none'}; unexpected: {', '.join(unexpected) or 'none'}",
            remedy="give a name_map, or strict=False",
        )
    for name, array in found.items():
        target = own[name]
        target.set_value(from_array(np.array(array, target.dtype.numpy, order="C")))
    return missing, unexpected


def _fitted(foreign: str, array: Any, targets: dict[str, Any], transposed: set[str]) -> dict[str, Any]:
    """The array under the layer's name; for several names its parts along the first axis, one after the other."""
    parts = [array]
    if len(targets) > 1:
        rows = [target.shape[-1] for target in targets.values()]  # a matrix is transposed
        if not array.ndim or array.shape[0] != sum(rows):
            raise StateError(
                f"{foreign!r} has shape {show_shape(array.shape)}; {', '.join(targets)} take {sum(rows)} rows of it"
            )
        parts = np.split(array, np.cumsum(rows)[:-1])
    found = {}
    for (name, target), part in zip(targets.items(), parts, strict=True):
        own = found[name] = part.T if name in transposed and part.ndim == 2 else part
        if list(own.shape) != list(target.shape):
            raise StateError(
                f"{foreign!r} has shape {show_shape(own.shape)}, the layer's {name!r} {show_shape(target.shape)}"
            )
    return found


@dataclass(frozen=True)
class _Build:
    """What torch keeps in another way than a layer of the same build."""

    names: dict[str, str | None] = field(default_factory=dict)  # torch's -> the layer's; None for what it has not
    transposed: set[str] = field(default_factory=set)  # matrices that torch keeps transposed, by the layer's names
    absent: set[str] = field(default_factory=set)  # what torch has not, by the layer's names
    split: dict[str, tuple[str, ...]] = field(default_factory=dict)  # torch's -> the layer's, one after the other


def _build(layer: Layer) -> _Build:
    made = _Build()
    for path, part in [("", layer), *layer.named_sublayers()]:
        start = f"{path}." if path else ""
        if isinstance(part, Linear):
            made.transposed.add(f"{start}weight")
        elif isinstance(part, PReLU):
            made.names[f"{start}weight"] = f"{start}_weight"
        elif isinstance(part, (LSTM, GRU, SimpleRNN)):
            _add_recurrent(made, start, part)
        elif isinstance(part, MultiHeadAttention):
            _add_attention(made, start, start)
        elif isinstance(part, TransformerDecoderLayer):
            theirs = f"{start}multihead_attn."
            _add_attention(made, theirs, f"{start}cross_attn.")
            made.names.update((f"{theirs}out_proj.{k}", f"{start}cross_attn.out_proj.{k}") for k in ("weight", "bias"))
        elif "_mean" in part._parameters:
            made.names.update((start + name, own and start + own) for name, own in _TORCH_BUFFERS.items())
    return made


def _add_recurrent(made: _Build, start: str, part: Any) -> None:
    """The matrices of projections, and the zeros that stand for biases of a network made without."""
    for k, own, suffix in part.named_cells():
        if part.proj_size:
            made.names[f"{start}weight_hr_l{k}{suffix}"] = f"{start}{own}.weight_ho"
            made.transposed.add(f"{start}{own}.weight_ho")
        made.absent.update(
            f"{start}{own}.{bias}" for bias in ("bias_ih", "bias_hh") if f"{bias}_l{k}{suffix}" not in part._parameters
        )


def _add_attention(made: _Build, theirs: str, own: str) -> None:
    """The projections of queries, keys and values: one matrix, or three where keys or values have other sizes."""
    heads = ("q_proj", "k_proj", "v_proj")
    for kind in ("weight", "bias"):
        made.split[f"{theirs}in_proj_{kind}"] = tuple(f"{own}{head}.{kind}" for head in heads)
    made.names.update((f"{theirs}{head}_weight", f"{own}{head}.weight") for head in heads)


def _mapped(name: str, name_map: NameMap) -> str | None:
    if callable(name_map):
        return name_map(name)
    return name if name_map is None else name_map.get(name, name)
