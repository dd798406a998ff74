"""Whether one of PaddlePaddle's names is here, is here with another meaning, or is absent, and why.

paddle_differences.tsv: state (absent or different), a name or a pattern with `*`, the reason.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ..base import suggest

ROOT = __name__.partition(".")[0]
PAGE = "docs/reference/coverage.md"
_MISSING = object()


@dataclass(frozen=True)
class Difference:
    """A statement about the names that `pattern` fits."""

    state: str
    pattern: str
    reason: str

    def fits(self, name: str) -> bool:
        return fnmatchcase(name, self.pattern)


@dataclass(frozen=True)
class Verdict:
    """The state of a name. `name` ends at the part that decides: `paddle.abs` for `paddle.abs.__name__`."""

    name: str
    state: str  # here, different or absent
    reason: str = ""
    nearest: str | None = None


@cache
def differences() -> tuple[Difference, ...]:
    """What is absent or different, with reasons."""
    rows = (Path(__file__).parent / "paddle_differences.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(Difference(*row.split("\t")) for row in rows)


def difference_of(name: str) -> Difference | None:
    """The first statement that fits a name."""
    return next((d for d in differences() if d.fits(name)), None)


@cache
def verdict(name: str) -> Verdict:
    """The state of `paddle.x.y` or `Tensor.x`: names are looked up, nothing is called.

    >>> verdict("paddle.nn.Linear").state, verdict("paddle.nn.Linaer").nearest
    ('here', 'paddle.nn.Linear')
    """
    first, *parts = name.split(".")
    found: Any = import_module(ROOT) if first == "paddle" else _tensor()
    for count, part in enumerate(parts, 1):
        owner, found = found, _member(found, part)
        if found is _MISSING:
            return _absent(".".join([first, *parts[:count]]), owner)
        if not isinstance(found, (ModuleType, type)):
            name = ".".join([first, *parts[:count]])
            break
    said = difference_of(name)
    return Verdict(name, "different", said.reason) if said and said.state == "different" else Verdict(name, "here")


def explain(module: str, name: str) -> str | None:
    """A hint for an error about a name that `vitrify.x` hasn't: the reason of its absence and the page."""
    path = module.removeprefix("paddle").removeprefix(ROOT)
    said = difference_of(f"paddle{path}.{name}")
    if said is not None and said.state == "absent":
        return f"PaddlePaddle's {name!r} is absent here: {said.reason} (see {PAGE})"
    as_paddle = getattr(sys.modules.get("paddle"), "__name__", None) == ROOT
    return f"{PAGE} lists PaddlePaddle's names" if as_paddle else None


def _member(owner: Any, part: str) -> Any:
    found = getattr(owner, part, _MISSING)
    if found is _MISSING and isinstance(owner, ModuleType):
        try:
            return import_module(f"{owner.__name__}.{part}")
        except ImportError:
            return _MISSING
    return found


def _absent(name: str, owner: Any) -> Verdict:
    said = difference_of(name)
    before, _, last = name.rpartition(".")
    known = suggest.public_names(owner.__name__) if isinstance(owner, ModuleType) else dir(owner)
    close = suggest.nearest(last, known)
    return Verdict(name, "absent", said.reason if said else "", close and f"{before}.{close}")


@cache
def _tensor() -> Any:
    return import_module(ROOT).to_tensor([[1.0, 2.0]])
