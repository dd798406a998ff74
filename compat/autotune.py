"""`incubate.autotune`: PaddlePaddle's switches of tuning, which are kept. The compiler chooses kernels here."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from ..base.errors import ArgumentError, KindError
from .engine import set_flags

# setting of a part: its class, and the word for it
_SETTINGS: dict[str, dict[str, type[Any]]] = {
    "kernel": {"enable": bool, "tuning_range": list},
    "layout": {"enable": bool},
    "dataloader": {"enable": bool, "tuning_steps": int},
}
_FLAGS = {"kernel": "FLAGS_use_autotune"}


def set_config(config: dict[str, Any] | str | None = None) -> None:
    """Keep which parts may be tuned: a dict, the name of a JSON file, or None for all of them. Nothing is tuned here.

    Settings of another class warn and are left out. `FLAGS_use_autotune` tells what was set for kernels.
    Errors: KindError for another object, ArgumentError for a `tuning_range` without two ends, and those of the file.

    >>> set_config({"kernel": {"enable": True, "tuning_range": [1, 10]}})
    """
    if config is None:
        config = {part: {"enable": True} for part in _SETTINGS}
    elif isinstance(config, str):
        config = json.loads(Path(config).read_text(encoding="utf-8"))
    if not isinstance(config, dict):
        raise KindError(f"set_config takes a dict or the name of a JSON file, not a {type(config).__name__}")
    for part, kinds in _SETTINGS.items():
        for name, value in config.get(part, {}).items():
            kind = kinds.get(name)
            if kind is None:
                continue
            if type(value) is not kind:
                text = f"autotune: {name} of {part} must be of class {kind.__name__}, not {value!r}"
                warnings.warn(text, stacklevel=2)
            elif name == "tuning_range" and len(value) != 2:
                raise ArgumentError(f"autotune: tuning_range must have two ends, not {value}")
            elif name == "enable" and part in _FLAGS:
                set_flags({_FLAGS[part]: value})
