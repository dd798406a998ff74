"""Which files an inference program has, and whose they are. Loads nothing else, as every `jit.load` asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

MODEL_SUFFIXES, PARAMS_SUFFIX = (".pdmodel", ".json"), ".pdiparams"

MORE_ROWS: list[Callable[[], Iterable[Any]]] = []  # of layers above: each gives entries, once a program is read


def model_files(path: str | os.PathLike[str]) -> tuple[Path, Path] | None:
    """(program, parameters) of a prefix, or of a program's own path; None where there is no program."""
    given = Path(path)
    if given.suffix in MODEL_SUFFIXES and given.is_file():
        return given, given.with_suffix(PARAMS_SUFFIX)
    for suffix in MODEL_SUFFIXES:
        model = given.with_name(given.name + suffix)
        if given.name and model.is_file():
            return model, given.with_name(given.name + PARAMS_SUFFIX)
    return None


def is_foreign(data: bytes) -> bool:
    """Whether a program's first bytes are those of PaddlePaddle's: a protobuf message or JSON, not our text."""
    return data[:1] in (b"\n", b"{")
