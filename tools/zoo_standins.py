"""What stands in for packages and names that aren't there, while files of checkouts are imported: see zoo_worker.py."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import zoo_guess

NOT_STOOD_IN = {"torch", "tensorflow", "jax", "mindspore", "paddle", "vitrify", "onnxruntime"}
OLDER = {"float": float, "int": int, "object": object, "str": str, "bool": np.bool_, "float_": np.float64}


def older_names() -> None:
    """Names that releases of numpy and scipy of the checkouts' time had."""
    importlib.import_module("numpy.ma")  # while `np.bool` is numpy's own, which checkouts replace
    for name, value in OLDER.items():
        if not hasattr(np, name):
            setattr(np, name, value)
    if importlib.util.find_spec("scipy") is None:
        return
    signal: Any = importlib.import_module("scipy.signal")
    for name in signal.windows.__all__:
        if not hasattr(signal, name):
            setattr(signal, name, getattr(signal.windows, name))


class _Anything(type):
    """A class that any use of a missing third-party package gets."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything(name, (_Instance,), {})

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return args[0] if len(args) == 1 and not kwargs and callable(args[0]) else type.__call__(cls)

    def __len__(cls) -> int:
        return 0

    def __iter__(cls) -> Any:
        return iter(())

    def __fspath__(cls) -> str:
        return "/nowhere"

    def __or__(cls, other: Any) -> Any:
        return object

    __ror__ = __or__


class _Instance:
    """What calling a stand-in gives: decorates what it is given, has every attribute, is an empty list and a path."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Takes whatever the real class would."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Any:
        return iter(())

    def __fspath__(self) -> str:
        return "/nowhere"


class Fluid(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """`paddle.fluid` for PaddlePaddle 3, which calls it `paddle.base`: what that lacks can be imported, not used."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname.split(".")[:2] != ["paddle", "fluid"]:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: Any) -> ModuleType:
        return _Renamed(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


class _Renamed(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            owner: Any = importlib.import_module(self.__name__.replace("paddle.fluid", "paddle.base"))
        except ModuleNotFoundError:
            owner = None
        if name == "Layer":
            owner = importlib.import_module("paddle.nn")
        return getattr(owner, name) if hasattr(owner, name) else _Gone(name, (), {})


class _Gone(type):
    """A name that PaddlePaddle 3 doesn't have any more."""

    def __getattr__(cls, name: str) -> Any:
        raise AttributeError(name) if name.startswith("__") else zoo_guess.Unguessed(f"fluid's {cls.__name__}")

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise zoo_guess.Unguessed(f"fluid's {cls.__name__}")


class StandIn(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last, while a model's file is imported: packages that aren't installed are empty for files of checkouts.

    Installed packages are told that their optional needs are absent.
    """

    folder = ""  # the checkout, while one of its files is imported

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        top, _, inner = fullname.partition(".")
        if not self.folder or top in NOT_STOOD_IN or not os.path.realpath(_importer()).startswith(self.folder + os.sep):
            return None
        if inner and not isinstance(sys.modules.get(top), Empty) and not self._is_built(top, fullname):
            return None
        if not inner and Path(self.folder, top).exists():
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def _is_built(self, top: str, fullname: str) -> bool:
        """Whether a checkout's package lacks an extension module, which its setup.py would compile."""
        folder = os.path.realpath(self.folder)
        source = fullname.replace(".", "/")
        return Path(folder, top, "__init__.py").is_file() and Path(folder, source + ".pyx").is_file()

    def create_module(self, spec: Any) -> ModuleType:
        return Empty(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


def _importer() -> str:
    """The file whose `import` is going on."""
    frame: Any = sys._getframe(1)
    while frame and (frame.f_code.co_filename.startswith("<frozen") or frame.f_code.co_filename == __file__):
        frame = frame.f_back
    return frame.f_code.co_filename if frame else ""


class Empty(ModuleType):
    """A package that isn't installed."""

    __version__ = "0.0"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything(name, (_Instance,), {})
