# Written by `make stubs`; edits here are lost.

"""Programs as C libraries that run without Python: `build` writes one, `load` calls it, `emulate`, `reference` test it.

Lowering, kernels and their code come from `runtime`; here steps become C, and object files become a library."""

from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Mapping as _Mapping
from numpy import ndarray as _ndarray
from os import PathLike as _PathLike
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.native.loader import NativeModel as NativeModel
from vitrify.native.loader import NativeModel as _NativeModel

def build(model: _Any, input_spec: _Any, path: _str | _PathLike[_str], target: _str = 'x86_64-linux', *, name: _str | None = None, limits: _Mapping[_str, _int] | None = None, list_items: _int = 256, callbacks: _Mapping[_str, _str] | None = None, weights: _str = 'inside') -> _Path:
    """Write a C library of a layer, function, program or artifact, in inference mode, to the folder `path`.

    model: an artifact is given by its path, or loaded. input_spec: InputSpecs or example tensors, as for
    `jit.save`; None for a program or an artifact, which has its own.

    The folder gets lib<name>.so, lib<name>.a, <name>.h, <name>.hpp (C++), main.c (an example), <name>.py (calls it with
    NumPy alone) and manifest.json. name: of the model, in front of all C names; by default the folder's. limits: the
    largest value of each open size. list_items: how many items a list of the program may have. callbacks:
    {"name": "c"} for each Python operator of the program that a function of the host's stands for; <name>_bind tells
    which. weights: "inside" the library, or "beside" it as <name>.safetensors, which <name>_map maps from disk.
    Errors: ArgumentError for an unknown target, a bad name, missing limits, and for what runs in Python, with the
    user's line; MissingDependencyError without the extra `native`. Nothing is written then."""

def emulate(folder: _str | _PathLike[_str], *arrays: _ndarray[_Any, _Any], runs: _int = 1) -> _list[_ndarray[_Any, _Any]]:
    """The outputs of a library for any platform, run on this machine. It tests libraries: it is slow.

    arrays: one for each input, of the manifest's dtypes. runs: how often the model runs on them; the last run's outputs
    are returned.
    Errors: MissingDependencyError names what isn't installed: Debian's package qemu-user, or PyPI's wasmtime."""

def load(folder: _str | _PathLike[_str], *, limits: _Mapping[_str, _int] | None = None) -> _NativeModel:
    """The model that `vitrify.native.build` wrote to a folder.

    limits: the largest sizes that calls will have, by name; the library's by default."""

def reference(model: _Any, input_spec: _Any, target: _str = 'x86_64-linux') -> _Callable[..., _Any]:
    """A compiled function with the bits that the library of a platform gives, to compare the two.

    It takes and returns NumPy's arrays, as `native.load`'s models do, and has state of its own. A function of
    `to_static` may differ in the last bits: its kernels are made for this very CPU, OpenBLAS computes some products,
    and weights aren't folded into the program.

    model, input_spec: as for `native.build`. Errors: ArgumentError for a platform whose code doesn't run here."""
