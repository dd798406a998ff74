"""How tables say which object a name means: `"module:attribute"` from the package's root."""

from __future__ import annotations

REST = "*"  # the module that has all further names


def from_module(module: str, names: str) -> dict[str, str]:
    """Names that a module has, too."""
    return {name: f"{module}:{name}" for name in names.split()}


def renamed(module: str, **names: str) -> dict[str, str]:
    """Names, and what the module calls them."""
    return {name: f"{module}:{own}" for name, own in names.items()}


def methods(names: str) -> dict[str, str]:
    """Methods of tensors as functions of a module."""
    return {name: f"dygraph.tensor:Tensor.{name}" for name in names.split()}
