"""Modules made from the tables: `import vitrify.base.framework` finds a module whose names are looked up when used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ..base.errors import KindError, MissingNameError
from ..base.suggest import explanations, no_attribute, public_names
from ..jit.paddle_models.paddle_files import MORE_ROWS
from .named import REST
from .presence import explain
from .tables import MODULES

ROOT = __name__.partition(".")[0]


def resolve(target: str) -> Any:
    """The object that `"module:attribute.path"` or `"module"` means, from the package's root."""
    path, _, attributes = target.partition(":")
    found: Any = import_module(f"{ROOT}.{path}" if path else ROOT)
    for name in attributes.split(".") if attributes else ():
        found = getattr(found, name)
    return found


def lookup(module: str, name: str) -> Any:
    """What `name` means in the module with this path below the root. Errors: AttributeError."""
    names = MODULES.get(module, {})  # none of a module that the tables only extend
    target = names.get(name)
    if target is not None:
        return resolve(target)
    if f"{module}.{name}" in MODULES:
        return import_module(f"{ROOT}.{module}.{name}")
    rest = names.get(REST)
    if rest is not None and hasattr(place := resolve(rest.removesuffix(":")), name):
        return getattr(place, name)
    raise no_attribute(f"{ROOT}.{module}", name, lambda: public_names(f"{ROOT}.{module}"))


_own_names: Any = vars(ModuleType)["__dict__"]  # of a module as it is


class _Aliases(ModuleType):
    """A module without code of its own."""

    def __getattr__(self, name: str) -> Any:
        path = self.__name__.partition(".")[2]
        if name == "__all__":
            found: Any = _names(path)
        elif name.startswith("__"):
            raise AttributeError(name)
        else:
            found = lookup(path, name)
        setattr(self, name, found)
        return found

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """With every public name in it: programs look through `nn.layer.activation.__dict__`."""
        names: dict[str, Any] = _own_names.__get__(self)
        path = names["__name__"].partition(".")[2]
        for name in _names(path) if path in MODULES else ():
            if name not in names:
                names[name] = lookup(path, name)
        return names

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the module is named after: importing `nn.utils.clip_grad_norm_` leaves the function in reach."""
        path = self.__name__.partition(".")[2]
        name = path.rpartition(".")[2]
        found = lookup(path, name) if name in _names(path) else self
        if not callable(found) or isinstance(found, ModuleType):
            raise KindError(
                f"{ROOT}.{path} is a module: it can't be called", remedy=f"dir({ROOT}.{path}) lists what it has"
            )
        return found(*args, **kwargs)

    def __dir__(self) -> list[str]:
        path = self.__name__.partition(".")[2]
        inner = [m.rpartition(".")[2] for m in MODULES if m.rpartition(".")[0] == path]
        return sorted({*super().__dir__(), *_names(path), *inner})


def _names(path: str) -> list[str]:
    """The public names of a module of the tables; where the rest is another module's, its names too."""
    named = set(MODULES[path])
    if REST in named:
        rest = resolve(MODULES[path][REST].removesuffix(":"))
        named |= set(getattr(rest, "__all__", [name for name in dir(rest) if not name.startswith("_")]))
    return sorted(named - {REST})


class _Finder(MetaPathFinder, Loader):
    """Finds what the tables name and no file provides."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        root, _, module = fullname.partition(".")
        if root != ROOT or module not in MODULES:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        made = _Aliases(spec.name)
        made.__doc__ = "Names of PaddlePaddle's module of the same path."
        return made

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: its names are found when they are used."""


def install(extend: Sequence[ModuleType] = ()) -> None:
    """Let the tables' modules be imported; modules in `extend` are ours and gain the names of their own path.

    >>> from vitrify.base.framework import convert_np_dtype_to_dtype_
    >>> convert_np_dtype_to_dtype_("int64").name
    'int64'
    """
    if not any(isinstance(f, _Finder) for f in sys.meta_path):
        sys.meta_path.append(_Finder())
        explanations.append(explain)
        MORE_ROWS.append(_program_rows)
    for module in extend:
        _extend(module)


def _program_rows() -> Sequence[Any]:
    from .program_rows import ENTRIES  # loads `vision`

    return ENTRIES


def _extend(module: ModuleType) -> None:
    path = module.__name__.partition(".")[2]
    own = module.__dict__.get("__getattr__")

    def getter(name: str) -> Any:
        if not name.startswith("__"):
            try:
                return lookup(path, name)
            except (AttributeError, MissingNameError):
                if own is None:
                    raise
        if own is None:
            raise no_attribute(module.__name__, name, lambda: public_names(module.__name__))
        return own(name)

    module.__dict__["__getattr__"] = getter
    module.__dict__.setdefault("__path__", [])  # so that the tables' modules below it can be imported
