"""Programs and parameters to files and back: inference models, and state to train on."""

from __future__ import annotations

import io as streams
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, KindError, ParseError
from ..dygraph import serialize
from ..dygraph.eager import from_array
from ..dygraph.tensor import Tensor
from ..ir.core import Program as IrProgram
from ..ir.core import Value
from ..ir.parser import parse_program
from ..ir.printer import print_program
from ..runtime.compiler import compile_program
from .build import finished
from .executor import Executor, Runnable, _fed, _fetch_value
from .modes import default_main_program
from .program import Program
from .scope import Scope, global_scope

MODEL_SUFFIX, PARAMS_SUFFIX = ".pdmodel", ".pdiparams"


def _variables(value: Any, what: str) -> list[Any]:
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    for item in items:
        if not isinstance(item, Tensor):
            raise KindError(f"{what} must be variables, not a {type(item).__name__}")
    return items


class InferenceProgram(Runnable):
    """A loaded inference model: a program with its parameters."""

    def __init__(self, program: IrProgram, state: dict[str, Any]) -> None:
        self.program = program
        self.state = state
        self._executable: Any = None

    def run(self, feed: Any, fetch_list: Any, return_numpy: bool = True) -> list[Any]:
        """The values of `fetch_list` (fetch targets or names; all for None)."""
        program = self.program
        if self._executable is None:
            self._executable = compile_program(program)
        arrays = [
            _fed(name, feed or {}, v.tensor_type) for name, v in zip(program.feeds, program.feed_values, strict=True)
        ]
        made = self._executable.run(arrays, [self.state[entry.name] for entry in program.state])
        by_name = dict(zip(program.fetch_names, made, strict=True))
        names = program.fetch_names if not fetch_list else [x if isinstance(x, str) else x.name for x in fetch_list]
        missing = [n for n in names if n not in by_name]
        if missing:
            raise ArgumentError(f"the model has no fetch {missing[0]}", remedy=f"it has {', '.join(by_name)}")
        found = [by_name[n] for n in names]
        return found if return_numpy else [from_array(np.asarray(a)) for a in found]

    def to_string(self, *_: Any) -> str:
        """The program's text."""
        return print_program(self.program)

    __str__ = to_string

    def list_vars(self) -> list[FetchTarget]:
        """Feeds, parameters and fetches."""
        values = [*self.program.body.args, *self.program.fetches]
        names = [*self.program.feeds, *(e.name for e in self.program.state), *self.program.fetch_names]
        return [FetchTarget(n, v) for n, v in zip(names, values, strict=True)]

    def global_block(self) -> InferenceProgram:
        """Itself: it has one block."""
        return self


class FetchTarget:
    """A name that `Executor.run` can fetch, with its shape and dtype."""

    def __init__(self, name: str, value: Value) -> None:
        self.name = name
        self.shape = [d if isinstance(d, int) else -1 for d in value.shape]
        self.dtype = value.dtype

    def __repr__(self) -> str:
        return f"FetchTarget({self.name}: {self.dtype.name}{self.shape})"


def normalize_program(program: Program, feed_vars: Any, fetch_vars: Any, **_: Any) -> Program:
    """The program as in testing, ready to be serialised with these feeds and fetches. Errors: KindError."""
    if not isinstance(program, Program):
        raise KindError(f"normalize_program needs a Program, not a {type(program).__name__}")
    feeds, fetches = _variables(feed_vars, "feed_vars"), _variables(fetch_vars, "fetch_vars")
    made = program.clone(for_test=True)
    made.__dict__["ends"] = ([x.name for x in feeds], [x.name for x in fetches])
    return made


def _inference(program: Program, feeds: Sequence[Any], fetches: Sequence[Any]) -> tuple[IrProgram, list[Any]]:
    test = program.clone(for_test=True)
    values = [_fetch_value(test, x.name, x) for x in fetches]
    built = finished(test, values, [x.name for x in fetches], prune=True)
    given = [x.name for x in feeds]
    missing = [n for n in built.feeds if n not in given]
    if missing:
        raise ArgumentError(f"the fetches need the feed {missing[0]}, which isn't among feed_vars {given}")
    return built.program, [entry.tensor for entry in built.state]


def _arrays(program: IrProgram, tensors: Sequence[Any], scope: Scope) -> dict[str, Any]:
    return {entry.name: np.array(scope.value_of(x).numpy()) for entry, x in zip(program.state, tensors, strict=True)}


def serialize_program(feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> bytes:
    """The text of the program from these feeds to these fetches, as in testing."""
    program = kwargs.get("program") or default_main_program()
    feeds, fetches = _variables(feed_vars, "feed_vars"), _variables(fetch_vars, "fetch_vars")
    return print_program(_inference(program, feeds, fetches)[0]).encode()


def serialize_persistables(feed_vars: Any, fetch_vars: Any, executor: Any = None, **kwargs: Any) -> bytes:
    """The parameters of that program, as a safetensors file."""
    program = kwargs.get("program") or default_main_program()
    feeds, fetches = _variables(feed_vars, "feed_vars"), _variables(fetch_vars, "fetch_vars")
    made, tensors = _inference(program, feeds, fetches)
    stream = streams.BytesIO()
    serialize.save(_arrays(made, tensors, global_scope()), stream)
    return stream.getvalue()


def deserialize_program(data: bytes) -> InferenceProgram:
    """The program of a text; its parameters are still missing. Errors: ParseError."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ParseError("this is no text of a program", remedy="give what serialize_program returned") from error
    return InferenceProgram(parse_program(text), {})


def deserialize_persistables(program: InferenceProgram, data: bytes, executor: Any = None) -> None:
    """Give a program its parameters. Errors: ArtifactError for damaged data; ArgumentError for missing ones."""
    found = serialize.load(streams.BytesIO(data), return_numpy=True)
    _give(program, found)


def _give(program: InferenceProgram, found: dict[str, Any]) -> None:
    for entry, value in zip(program.program.state, program.program.state_values, strict=True):
        array = found.get(entry.name)
        if array is None or list(np.shape(array)) != list(value.shape):
            raise ArgumentError(f"the parameters lack {entry.name} of shape {list(value.shape)}")
        program.state[entry.name] = np.array(array, value.dtype.numpy)


def save_to_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes to a file, whole or not at all. Errors: KindError for anything but bytes."""
    if not isinstance(content, bytes):
        raise KindError(f"save_to_file writes bytes, not a {type(content).__name__}")
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    part.write_bytes(content)
    part.replace(target)


def load_from_file(path: str | os.PathLike[str]) -> bytes:
    """A file's bytes."""
    return Path(path).read_bytes()


def save_inference_model(
    path_prefix: str, feed_vars: Any, fetch_vars: Any, executor: Executor, *, program: Program | None = None,
    clip_extra: bool = True, legacy_format: bool = False, **_: Any,
) -> None:  # fmt: skip
    """`path_prefix.pdmodel` (the program's text) and `path_prefix.pdiparams` (its parameters), from feeds to fetches.

    Errors: KindError for other objects; ArgumentError for an empty name, or feeds that are missing.
    """
    prefix = str(path_prefix)
    if not prefix or prefix.endswith("/"):
        raise ArgumentError(f"save_inference_model: path_prefix must be folder/name, not {prefix!r}")
    if not isinstance(executor, Executor):
        raise KindError(f"save_inference_model needs an Executor, not a {type(executor).__name__}")
    chosen = program or default_main_program()
    feeds, fetches = _variables(feed_vars, "feed_vars"), _variables(fetch_vars, "fetch_vars")
    made, tensors = _inference(chosen, feeds, fetches)
    stream = streams.BytesIO()
    serialize.save(_arrays(made, tensors, global_scope()), stream)
    save_to_file(prefix + PARAMS_SUFFIX, stream.getvalue())
    save_to_file(prefix + MODEL_SUFFIX, print_program(made).encode())


def load_inference_model(
    path_prefix: str | None, executor: Executor, *, model_filename: Any = None, params_filename: Any = None, **_: Any
) -> list[Any]:
    """[program, feed names, fetch targets] of what `save_inference_model` wrote.

    Errors: ArgumentError (a ValueError) for missing files; ArtifactError or ParseError for damaged ones.
    """
    prefix = str(path_prefix)
    model = Path(prefix) / model_filename if model_filename else Path(prefix + MODEL_SUFFIX)
    params = Path(prefix) / params_filename if params_filename else Path(prefix + PARAMS_SUFFIX)
    for file in (model, params):
        if not file.is_file():
            raise ArgumentError(f"there is no file {file}", remedy="give the path_prefix of save_inference_model")
    program = deserialize_program(model.read_bytes())
    _give(program, serialize.load(params, return_numpy=True))
    ir = program.program
    targets = [FetchTarget(n, v) for n, v in zip(ir.fetch_names, ir.fetches, strict=True)]
    return [program, list(ir.feeds), targets]


def save(program: Program, model_path: str, protocol: int = 4, **_: Any) -> None:
    """`model_path.pdparams` with the parameters and `model_path.pdopt` with all other state. Errors: ArgumentError."""
    if not model_path or model_path.endswith("/"):
        raise ArgumentError(f"save: the path must be folder/name, not {model_path!r}")
    serialize.save({k: v.numpy() for k, v in program.state_dict("param").items()}, model_path + ".pdparams")
    serialize.save({k: v.numpy() for k, v in program.state_dict("opt").items()}, model_path + ".pdopt")


def load(program: Program, model_path: str, executor: Any = None, var_list: Any = None) -> None:
    """Read what `save` wrote into the scope. Errors: ArtifactError for missing or damaged files."""
    prefix = model_path.removesuffix(".pdparams").removesuffix(".pdopt")
    state = serialize.load(prefix + ".pdparams", return_numpy=True)
    if Path(prefix + ".pdopt").is_file():
        state.update(serialize.load(prefix + ".pdopt", return_numpy=True))
    wanted = None if var_list is None else {v.name for v in var_list}
    program.set_state_dict({k: v for k, v in state.items() if wanted is None or k in wanted})


def load_program_state(model_path: str, var_list: Any = None) -> dict[str, Any]:
    """What `save` wrote, as arrays by name."""
    state: dict[str, Any] = serialize.load(model_path.removesuffix(".pdparams") + ".pdparams", return_numpy=True)
    if Path(model_path + ".pdopt").is_file():
        state.update(serialize.load(model_path + ".pdopt", return_numpy=True))
    return state


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Set persistable variables by name."""
    program.set_state_dict(state_dict)
