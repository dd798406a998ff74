"""The `pretrained` argument of the networks: there are no weights to fetch."""

from __future__ import annotations

from ...base.errors import ArgumentError


def refuse(pretrained: bool, name: str) -> None:
    """Errors: ArgumentError for pretrained=True."""
    if pretrained:
        raise ArgumentError(
            f"{name}: there are no pretrained weights",
            remedy="load a safetensors file with vt.load and set_state_dict",
        )
