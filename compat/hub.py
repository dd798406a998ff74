"""`paddle.hub`: models that a folder offers by the functions of its `hubconf.py`. Nothing is downloaded."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from ..base.errors import ArgumentError, DataError, DataNotFoundError, MissingError

HUB_HOME = str(Path("~/.cache/paddle/hub").expanduser())
_SOURCES = ("github", "gitee", "local")


class EntryError(MissingError, RuntimeError):
    """A model that a repository doesn't offer. PaddlePaddle raises a RuntimeError."""


def list_(repo_dir: str, source: str = "github", force_reload: bool = False) -> list[str]:
    """The names of the models that a repository offers: the functions of its `hubconf.py`.

    source: "local", where repo_dir is a folder; "github" and "gitee", where it is "owner/name:branch" and the folder
    `owner_name_branch` lies in `~/.cache/paddle/hub`, as PaddlePaddle puts it there. force_reload: without effect.
    Errors: ArgumentError for another source; DataNotFoundError without that folder or file; DataError where the
    repository needs a package that isn't installed.
    """
    module = _module(repo_dir, source)
    return [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]


def help_(repo_dir: str, model: str, source: str = "github", force_reload: bool = False) -> str | None:
    """The docstring of a model's function. Errors: MissingError for a model that isn't offered; those of `list`."""
    return _entry(repo_dir, model, source).__doc__


def load(repo_dir: str, model: str, source: str = "github", force_reload: bool = False, **kwargs: Any) -> Any:
    """What a model's function returns for `kwargs`. Errors: those of `help`."""
    return _entry(repo_dir, model, source)(**kwargs)


def _entry(repo_dir: str, model: str, source: str) -> Callable[..., Any]:
    if not isinstance(model, str):
        raise ArgumentError(f"hub: the name of a model is a string, not {model!r}")
    found = getattr(_module(repo_dir, source), model, None)
    if not callable(found):
        raise EntryError(f"hub: {repo_dir} offers no model {model!r}", remedy="hub.list(repo_dir) names what it offers")
    return found  # type: ignore[no-any-return]


def _module(repo_dir: str, source: str) -> ModuleType:
    if source not in _SOURCES:
        raise ArgumentError(f"hub: source is one of {', '.join(_SOURCES)}, not {source!r}")
    folder = Path(repo_dir) if source == "local" else _kept(repo_dir, "main" if source == "github" else "master")
    file = folder / "hubconf.py"
    if not file.is_file():
        raise DataNotFoundError(
            f"hub: {file} isn't there, and nothing is downloaded", remedy="put the repository there"
        )
    spec = spec_from_file_location("hubconf", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    absent = [name for name in getattr(module, "dependencies", ()) if find_spec(name) is None]
    if absent:
        raise DataError(f"hub: {repo_dir} needs {', '.join(absent)}", remedy="install these packages")
    return module


def _kept(name: str, branch: str) -> Path:
    """Where PaddlePaddle keeps the repository "owner/name" or "owner/name:branch"."""
    path, _, given = name.partition(":")
    owner, slash, repository = path.partition("/")
    if not slash or "/" in repository:
        raise ArgumentError(f"hub: a repository is named owner/name:branch, not {name!r}")
    return Path(HUB_HOME) / f"{owner}_{repository}_{given or branch}".replace("/", "_")
