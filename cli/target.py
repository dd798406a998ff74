"""Targets: an artifact's path, or MODULE:FUNCTION, as one kind of thing that has programs and can be called."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, ArtifactError, VitrifyError
from ..base.pytree import flatten, unflatten
from ..dygraph.nn.layer import Layer
from ..dygraph.tensor import Tensor
from ..ir.core import Program
from ..jit.api import to_static
from ..jit.function import StaticFunction
from ..jit.serialize.load import TranslatedLayer, load
from ..jit.trace.traced import Trace
from ..ops.dims import concrete
from ..ops.types import TensorType
from .inputs import Given, example
from .outcome import TargetError, UsageError

DEFAULT_SIZE = 4  # of an axis that nobody gave a size


class Target:
    """What a command works on. `function` is called; `trace` is the captured program with its signature."""

    def __init__(self, text: str, subject: Any, method: str) -> None:
        self.text = text
        self.subject = subject
        self.method = method

    @property
    def is_artifact(self) -> bool:
        """Whether it was read from a file."""
        return isinstance(self.subject, TranslatedLayer)

    @property
    def function(self) -> Callable[..., Any]:
        """What is called."""
        if isinstance(self.subject, TranslatedLayer):
            method = self.subject._method(self.method)
            return lambda *args, **kwargs: method(args, kwargs)
        return self.subject  # type: ignore[no-any-return]

    def compiled(self) -> StaticFunction:
        """The compiled function. Errors: UsageError for an artifact, which has a program and no Python source."""
        if isinstance(self.subject, StaticFunction):
            return self.subject
        raise UsageError(f"{self.text} is an artifact: this needs MODULE:FUNCTION")

    @property
    def trace(self) -> Trace:
        """The captured program of the method, or of the function's input_spec (or its last call)."""
        if isinstance(self.subject, TranslatedLayer):
            loaded: Trace = self.subject._method(self.method).trace
            return loaded
        return self.compiled().concrete_trace()

    @property
    def program(self) -> Program:
        """The captured program, before any pass."""
        return self.trace.program

    def arguments(self, given: Given) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments for a call: those given on the command line, else example values for the signature."""
        if given.texts and not self.is_artifact:
            if given.sizes:
                raise UsageError("--size is for open sizes; each --input has its own shape", remedy="leave --size out")
            return tuple(example(value, k, given) for k, value in enumerate(given.values)), {}
        try:
            inputs = self.trace.inputs
        except ArgumentError as error:
            raise UsageError(
                f"{self.text} says nothing about its arguments",
                remedy="describe each with --input, for instance --input f32[8,784], or give it an input_spec",
            ) from error
        leaves = list(inputs.leaves)
        values = dict(enumerate(given.by_place([leaf.name for leaf in leaves])))
        sizes = {name: given.sizes.get(name, DEFAULT_SIZE) for name in self._symbols(given)}
        tensors = []
        for k, leaf in enumerate(leaves):
            value = values.get(k)
            if isinstance(value, np.ndarray) and value.dtype.kind == "i" and leaf.type.dtype.is_floating:
                value = value.astype(leaf.type.dtype.numpy)  # `[[1, 2, 3]]`, as the server takes it
            chosen = TensorType(leaf.type.dtype, concrete(leaf.type.shape, sizes)) if value is None else value
            tensors.append(example(chosen, k, given))
        return unflatten(inputs.tree, iter(tensors))  # type: ignore[no-any-return]

    def _symbols(self, given: Given) -> list[str]:
        """The open sizes. Errors: UsageError for a --size of another name."""
        known = self.program.symbols
        unknown = sorted(set(given.sizes) - set(known))
        if unknown:
            remedy = f"the open sizes are {', '.join(known)}" if known else "all sizes are known"
            raise UsageError(f"there is no open size {unknown[0]!r}", remedy=remedy)
        return known

    def prepared(self, given: Given) -> StaticFunction:
        """The compiled function, called once if its program needs a call to be known."""
        function = self.compiled()
        if given.texts or (function._last is None and function._input_spec is None):
            args, kwargs = self.arguments(given)
            function(*args, **kwargs)
        return function


def read(text: str, *, method: str = "forward", callbacks: str | None = None) -> Target:
    """The target that a string names: an existing path, else MODULE:FUNCTION (MODULE may be a .py file).

    callbacks: MODULE whose PyLayers and functions an artifact may call.
    Errors: TargetError with what went wrong.
    """
    try:
        if Path(text).exists() or ":" not in text:
            loaded = load(text, callables_of(callbacks))
            loaded._method(method)
            return Target(text, loaded, method)
        return Target(text, _function(text), method)
    except VitrifyError as error:
        raise TargetError(error) from error


def callables_of(module: str | None) -> Mapping[str, Callable[..., Any]]:
    """The functions and classes of a module by name."""
    if module is None:
        return {}
    return {name: value for name, value in vars(_module(module)).items() if callable(value)}


def _function(text: str) -> StaticFunction:
    where, _, path = text.rpartition(":")
    found: Any = _module(where)
    for name in path.split("."):
        if not hasattr(found, name):
            close = [n for n in vars(found) if not n.startswith("_")] if isinstance(found, ModuleType) else []
            raise ArtifactError(f"{where} has no {path!r}", remedy="it has " + ", ".join(close[:12]) if close else None)
        found = getattr(found, name)
    if isinstance(found, Layer):
        found = found if isinstance(found.forward, StaticFunction) else to_static(found)
        found = found.forward
    if isinstance(found, type) or not callable(found):
        kind = "class" if isinstance(found, type) else type(found).__name__
        raise ArtifactError(f"{text} is a {kind}, not a function or a layer", remedy="name a function, or an instance")
    return found if isinstance(found, StaticFunction) else to_static(found)


def _module(name: str) -> ModuleType:
    """A module by its dotted name, or by its file; the working directory is searched too."""
    try:
        if name.endswith(".py"):
            return _module_of_file(Path(name))
        if str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(name)
    except Exception as error:  # broad: the module's own code can fail with anything
        raise ArtifactError(
            f"{name} can't be imported: {type(error).__name__}: {error}",
            remedy="give MODULE:FUNCTION with a module that Python finds from here, a .py file, or an artifact's path",
        ) from error


def _module_of_file(file: Path) -> ModuleType:
    if not file.is_file():
        raise FileNotFoundError(f"no such file: {file}")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    sys.path.insert(0, str(file.parent.resolve()))
    spec.loader.exec_module(module)
    return module


def arrays_of(value: Any) -> Sequence[tuple[str, Any]]:
    """The tensors in a nested result as (place, array)."""
    leaves, _ = flatten(value, lambda v: isinstance(v, (Tensor, np.ndarray)))
    return [(f"{k}", np.asarray(leaf)) for k, leaf in enumerate(leaves)]
