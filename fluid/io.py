"""fluid.io: models and state in folders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import static
from ..data import DataLoader
from ..data.readers import batch, buffered, cache, chain, compose, firstn, map_readers, shuffle
from ..dygraph.tensor import Parameter
from ..static import load, load_program_state, save, set_program_state
from ..static.io import load_vars, save_vars

__all__ = [
    "DataLoader",
    "batch",
    "buffered",
    "cache",
    "chain",
    "compose",
    "firstn",
    "get_program_parameter",
    "get_program_persistable_vars",
    "load",
    "load_inference_model",
    "load_params",
    "load_persistables",
    "load_program_state",
    "load_vars",
    "map_readers",
    "save",
    "save_inference_model",
    "save_params",
    "save_persistables",
    "save_vars",
    "set_program_state",
    "shuffle",
]

_MODEL = "__model__"
_PARAMS = "__params__"


def save_inference_model(
    dirname: str | os.PathLike[str], feeded_var_names: Sequence[str], target_vars: Sequence[Any], executor: Any,
    main_program: Any = None, model_filename: str | None = None, params_filename: str | None = None,
    export_for_deployment: bool = True, program_only: bool = False,
) -> list[str]:  # fmt: skip
    """Save what computes `target_vars` from the feeds, and its parameters, as two files in `dirname`.

    model_filename, params_filename: by default `__model__` and `__params__`. program_only: no parameters.
    Errors: TypeError, ValueError for other objects, names that aren't feeds, feeds that are missing.
    """
    program = main_program or static.default_main_program()
    names = [feeded_var_names] if isinstance(feeded_var_names, str) else list(feeded_var_names)
    feeds = [program.global_block().var(name) for name in names]
    targets: list[Any] = list(target_vars) if isinstance(target_vars, (list, tuple)) else [target_vars]
    folder = Path(dirname)
    text = static.serialize_program(feeds, targets, program=program)
    values = b"" if program_only else static.serialize_persistables(feeds, targets, executor, program=program)
    folder.mkdir(parents=True, exist_ok=True)
    if not program_only:
        static.save_to_file(str(folder / (params_filename or _PARAMS)), values)
    static.save_to_file(str(folder / (model_filename or _MODEL)), text)
    return [x.name for x in targets]


def load_inference_model(
    dirname: str | os.PathLike[str], executor: Any, model_filename: str | None = None,
    params_filename: str | None = None, pserver_endpoints: Any = None,
) -> list[Any]:  # fmt: skip
    """[program, feed names, fetch targets] of what `save_inference_model` wrote.

    Errors: ValueError for missing or damaged files.
    """
    found: list[Any] = static.load_inference_model(
        str(dirname), executor, model_filename=model_filename or _MODEL, params_filename=params_filename or _PARAMS
    )
    return found


def get_program_parameter(program: Any) -> list[Any]:
    """The parameters of a program."""
    found: list[Any] = program.all_parameters()
    return found


def get_program_persistable_vars(program: Any) -> list[Any]:
    """The variables of a program that keep their values between runs."""
    found: list[Any] = program.persistables()
    return found


def _is_parameter(variable: Any) -> bool:
    return isinstance(variable, Parameter)


def save_params(executor: Any, dirname: Any, main_program: Any = None, filename: str | None = None) -> None:
    """`save_vars` of the parameters."""
    save_vars(executor, dirname, main_program, None, _is_parameter, filename)


def load_params(executor: Any, dirname: Any, main_program: Any = None, filename: str | None = None) -> None:
    """`load_vars` of the parameters."""
    load_vars(executor, dirname, main_program, None, _is_parameter, filename)


def save_persistables(executor: Any, dirname: Any, main_program: Any = None, filename: str | None = None) -> None:
    """`save_vars` of all persistable variables, so that training can go on from there."""
    save_vars(executor, dirname, main_program, None, None, filename)


def load_persistables(executor: Any, dirname: Any, main_program: Any = None, filename: str | None = None) -> None:
    """`load_vars` of all persistable variables."""
    load_vars(executor, dirname, main_program, None, None, filename)
