# Written by `make stubs`; edits here are lost.

"""Weights from and for other libraries: safetensors files, state dicts of torch and Paddle."""

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Mapping as _Mapping
from os import PathLike as _PathLike
from typing import Any as _Any
from vitrify.dygraph.interop import Loaded as Loaded
from vitrify.dygraph.interop import Loaded as _Loaded
from vitrify.dygraph.nn.layer import Layer as _Layer

def load_paddle_state_dict(layer: _Layer, state: _Any, name_map: _Mapping[_str, _str] | _Callable[[_str], _str | None] | None = None, strict: _bool = True) -> _tuple[_list[_str], _list[_str]]:
    """Copy a Paddle layer's state (a dict of tensors or arrays, or a `.pdparams` or safetensors file) into a layer.

    The layer is built as Paddle's is.

    name_map, errors and result as of `load_torch_state_dict`; nothing is transposed."""

def load_safetensors(path: _str | _PathLike[_str], return_numpy: _bool = False) -> _dict[_str, _Any]:
    """The tensors (return_numpy=True: arrays) of a safetensors file by name. ArtifactError where it is damaged."""

def load_torch_state(layer: _Layer, file: _Any, name_map: _Mapping[_str, _str] | _Callable[[_str], _str | None] | None = None) -> _Loaded:
    """Copy what fits of a torch file (`.pt`, `.pth`, safetensors) or state dict into a layer, and say what was done.

    Names and layouts are translated as `load_torch_state_dict` does. A checkpoint's inner state dict is found, and the
    prefixes of torch's wrappers are left out. A tensor of another shape isn't loaded; it is in `misfits`.
    Errors: ArtifactError for a damaged file, or one that holds more than tensors and containers.

    >>> from .nn import Linear
    >>> print(load_torch_state(Linear(2, 3), {"weight": np.ones((3, 2)), "steps": np.ones(1)}))
    1 tensors loaded, 1 of them transposed
    missing: bias
    unexpected: steps"""

def load_torch_state_dict(layer: _Layer, state: _Any, name_map: _Mapping[_str, _str] | _Callable[[_str], _str | None] | None = None, strict: _bool = True) -> _tuple[_list[_str], _list[_str]]:
    """Copy a torch module's state (a dict of tensors or arrays, or a `.pt`, `.pth` or safetensors file) into a layer.

    The layer is built as the module is.

    Weights of Linear are transposed, running statistics and projections renamed, and the joint `in_proj_weight` and
    `in_proj_bias` of attention split into those of queries, keys and values. name_map turns the other names into the
    layer's: a dict of what differs, or a function; None drops an entry. Gives (missing, unexpected) names.
    Errors: StateError, before anything is changed, if shapes differ or, with `strict`, names are missing or left over."""

def save_safetensors(tensors: _Mapping[_str, _Any], path: _str | _PathLike[_str], metadata: _Mapping[_str, _str] | None = None) -> None:
    """Write a flat dict of tensors or arrays as a plain safetensors file, which any other library reads.

    metadata: strings to keep beside them. The file appears whole or not at all. Errors: KindError, ArgumentError."""
