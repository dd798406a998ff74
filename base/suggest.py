"""Which known name somebody meant: the one place that says "did you mean", for names, arguments, choices and keys."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from types import FrameType
from typing import Any

from .errors import MissingError, MissingNameError
from .location import is_library_file

_ELSEWHERE = {  # the same thing in PyTorch, NumPy or Keras; told only where a name on the right exists
    "CosineAnnealingLR": ("CosineAnnealingDecay",),
    "ExponentialLR": ("ExponentialDecay",),
    "Module": ("Layer",),
    "ModuleList": ("LayerList",),
    "StepLR": ("StepDecay",),
    "array": ("to_tensor",),
    "as_tensor": ("to_tensor",),
    "axes": ("axis",),
    "batch_first": ("time_major",),
    "betas": ("beta1",),
    "bias": ("bias_attr",),
    "bins": ("num_bins",),
    "cat": ("concat",),
    "clamp": ("clip",),
    "compile": ("to_static",),
    "concatenate": ("concat",),
    "device": ("place",),
    "dim": ("axis",),
    "dim0": ("axis0",),
    "dim1": ("axis1",),
    "dims": ("axis", "perm"),
    "div": ("divide",),
    "eps": ("epsilon",),
    "expand_dims": ("unsqueeze",),
    "from_numpy": ("to_tensor",),
    "in_dim": ("in_features",),
    "index": ("indices",),
    "indices": ("index",),
    "input": ("x",),
    "inputs": ("x",),
    "keepdims": ("keepdim",),
    "lr": ("learning_rate",),
    "lr_scheduler": ("lr",),
    "manual_seed": ("seed",),
    "mul": ("multiply",),
    "other": ("y",),
    "out_dim": ("out_features",),
    "params": ("parameters",),
    "permute": ("transpose",),
    "power": ("pow",),
    "requires_grad": ("stop_gradient",),
    "script": ("to_static",),
    "size": ("shape",),
    "sub": ("subtract",),
    "target": ("label",),
    "tensors": ("x",),
    "trace": ("to_static",),
    "units": ("out_features",),
}


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name that `name` most likely means; None if none is near.

    >>> nearest("rellu", ["relu", "gelu", "tanh"]), nearest("dim", ["x", "axis"]), nearest("sum", ["relu"])
    ('relu', 'axis', None)
    """
    if not isinstance(name, str):
        return None
    names = [k for k in known if isinstance(k, str)]
    for other in _ELSEWHERE.get(name, ()):
        if other in names:
            return other
    from difflib import get_close_matches  # a module that nobody needs before the first mistake

    close = get_close_matches(name, names, 5)
    if not close:
        folded = {k.lower(): k for k in names}
        close = [folded[k] for k in get_close_matches(name.lower(), folded, 5)]
    return min(close, key=lambda k: _typing_errors(name, k), default=None)


def _typing_errors(a: str, b: str) -> int:
    """How many letters are missing, added, changed or swapped with their neighbour between `a` and `b`."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        last, before = before, row
        row = [i + 1]
        for j, y in enumerate(b):
            cost = min(before[j] + (x != y), before[j + 1] + 1, row[j] + 1)
            if last and j and x == b[j - 1] and a[i - 1] == y:
                cost = min(cost, last[j - 1] + 1)
            row.append(cost)
    return row[-1]


def hint(name: object, known: Iterable[str]) -> str | None:
    """A remedy that names the nearest known name; None if none is near.

    >>> hint("rellu", ["relu", "tanh"])
    "did you mean 'relu'?"
    """
    close = nearest(name, known)
    return None if close is None else f"did you mean {close!r}?"


def one_of(name: object, choices: Iterable[Any], most: int = 16) -> str:
    """A remedy for a value that isn't one of `choices`: the nearest one, and all of them if they are few.

    >>> one_of("meen", ["mean", "sum", "none"])
    "did you mean 'mean'? The choices are 'mean', 'sum', 'none'"
    >>> one_of(3, ["mean", None])
    "use one of 'mean', None"
    """
    choices = list(choices)
    close = hint(name, choices)
    listed = ", ".join(repr(c) for c in choices[:most]) + (", ..." if len(choices) > most else "")
    return f"use one of {listed}" if close is None else f"{close} The choices are {listed}"


def is_being_imported() -> bool:
    """Whether what asks a module for a name is `from module import name` of code outside this package."""
    from opcode import opmap  # as above

    asking: FrameType | None = sys._getframe(1)
    while asking is not None and is_library_file(asking.f_code.co_filename):
        asking = asking.f_back
    return asking is not None and asking.f_code.co_code[asking.f_lasti] == opmap["IMPORT_FROM"]


explanations: list[Callable[[str, str], str | None]] = []  # further hints on a name that a module hasn't


def _remedy(module: str, name: str, known: Iterable[str]) -> str | None:
    parts = [hint(name, known), *(explain(module, name) for explain in explanations)]
    return " ".join(part for part in parts if part) or None


def no_attribute(module: str, name: str, known: Callable[[], Iterable[str]]) -> MissingError | MissingNameError:
    """The error for a name that a module hasn't; `known` lists those that it has, when the error is printed: `hasattr`
    makes many of these errors. Where it is imported it is an ImportError: Python would replace an AttributeError by one
    that has no hint.

    >>> print(no_attribute("vitrify.nn", "Linaer", lambda: ["Linear", "Layer"]))
    module 'vitrify.nn' has no attribute 'Linaer'
      help: did you mean 'Linear'?
    """
    module = module.replace(".dygraph.", ".")  # as users import it
    if is_being_imported():
        return MissingNameError(
            f"cannot import name {name!r} from {module!r}", remedy=lambda: _remedy(module, name, known())
        )
    error = MissingError.unplaced(
        f"module {module!r} has no attribute {name!r}", lambda: _remedy(module, name, known())
    )
    error.name, error.obj = name, None  # without the object Python adds no guess of its own
    return error


def public_attributes(value: object) -> list[str]:
    """The names of an object's attributes, without private ones."""
    return [name for name in dir(value) if not name.startswith("_")]


def tell_unknown_names(module: str, later: Sequence[str] = ()) -> None:
    """Give a module without `__getattr__` one that raises the error of `no_attribute`; it imports the modules `later`.

    It is set here rather than defined in the module: a type checker that saw it would take any name for known.
    """

    def missing(name: str) -> Any:
        if name in later:
            return import_module(f"{module}.{name}")
        raise no_attribute(module, name, lambda: public_names(module))

    vars(sys.modules[module]).setdefault("__getattr__", missing)


def public_names(module: str) -> list[str]:
    """The names that a loaded module shows, without private ones."""
    found = sys.modules[module]
    return sorted({*getattr(found, "__all__", ()), *(n for n in dir(found) if not n.startswith("_"))})
