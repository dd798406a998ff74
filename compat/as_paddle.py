"""`import paddle` without PaddlePaddle: a finder that gives this package's modules under PaddlePaddle's names.

`paddle.x.y` is the module `vitrify.x.y` itself. A module that isn't here raises an error: no other finder is asked, so
an installed PaddlePaddle is never imported by accident. `paddle` itself has the names of `vitrify` and the version of
the release that they follow.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ..base.dtype import DType
from ..base.errors import MissingModuleError, ModeError, VitrifyError
from ..base.size import Size
from ..base.suggest import hint, public_names
from . import release
from .presence import PAGE, ROOT, explain
from .tables import MODULES

PADDLE = "paddle"


class Paddle(ModuleType):
    """The package under PaddlePaddle's name: what is set here is set there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(ROOT), name)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if not name.startswith("__"):
            setattr(import_module(ROOT), name, value)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        delattr(import_module(ROOT), name)

    def __dir__(self) -> list[str]:
        return dir(import_module(ROOT))


class _Finder(MetaPathFinder, Loader):
    """Answers for `paddle` and everything below it, and for nothing else."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        first, _, rest = fullname.partition(".")
        if fullname == "pip":
            _import_setuptools_first()
        if fullname == "PIL" and (spec := PathFinder.find_spec(fullname)) is not None and spec.loader is not None:
            spec.loader = _WithPart(spec.loader, "PIL.Image")
            return spec
        if first != PADDLE:
            return None
        ours = f"{ROOT}.{rest}"
        if rest and ours not in sys.modules and find_spec(ours) is None:
            error = MissingModuleError(f"vitrify has no module {fullname!r}", remedy=_remedy(rest))
            error.name = fullname
            raise error
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> None:
        """None: `exec_module` puts this package's module in the place of the new one."""

    def exec_module(self, module: ModuleType) -> None:
        fullname = module.__name__
        rest = fullname.partition(".")[2]
        sys.modules[fullname] = import_module(f"{ROOT}.{rest}") if rest else _root()


class _WithPart(Loader):
    """Loads a package and then a module of it, which PaddlePaddle imports and other code takes for granted."""

    def __init__(self, loader: Loader, part: str) -> None:
        self._loader, self._part = loader, part

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        import_module(self._part)


def install() -> None:
    """Let `import paddle` mean this package from here on. Errors: ModeError where PaddlePaddle has been imported."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    if PADDLE in sys.modules:
        raise ModeError(
            "`paddle` has been imported already, and isn't vitrify",
            remedy="import vitrify.as_paddle before anything that imports paddle",
        )
    sys.meta_path.insert(0, _Finder())
    VitrifyError.says_paddle_kind = True
    DType.package = PADDLE
    DType.arrays_hold_bits = True
    Size.shown_as = f"{PADDLE}.Size"


def _import_setuptools_first() -> None:
    """PaddlePaddle imports setuptools, which up to Python 3.11 can't be imported after pip; packages import both."""
    if sys.version_info < (3, 12) and "setuptools" not in sys.modules and find_spec("setuptools") is not None:
        import_module("setuptools")


def _root() -> Paddle:
    ours = import_module(ROOT)
    ours.Tensor.__module__ = PADDLE  # type(x) prints so
    made = Paddle(ROOT, ours.__doc__)
    made.__dict__.update((name, value) for name, value in vars(ours).items() if name != "__getattr__")
    made.__dict__.update(__version__=release.full_version, __git_commit__=release.commit)
    made.__dict__[PADDLE] = made  # PaddlePaddle's package has itself as an attribute, and some programs go through it
    return made


def _remedy(rest: str) -> str:
    before, _, last = rest.rpartition(".")
    parent = f"{ROOT}.{before}" if before else ROOT
    inner = [name.rpartition(".")[2] for name in MODULES if name.rpartition(".")[0] == before]
    close = hint(last, [*inner, *public_names(import_module(parent).__name__)])
    return " ".join(part for part in (close, explain(parent, last) or f"{PAGE} lists PaddlePaddle's names") if part)
