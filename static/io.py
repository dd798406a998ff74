"""Programs and parameters to files and back: inference models, and state to train on."""

from __future__ import annotations

import io as streams
import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, DataNotFoundError, KindError, OperandError
from ..base.files import place_file
from ..dygraph import serialize
from ..dygraph.tensor import Tensor
from ..ir.core import Program as IrProgram
from ..ir.core import Value
from ..ir.parser import parse_program
from ..ir.printer import print_program
from ..jit.paddle_models.paddle_files import MODEL_SUFFIXES, PARAMS_SUFFIX, model_files
from ..jit.paddle_models.paddle_load import load_model, parse_text
from ..jit.serialize.load import load as load_layer
from ..jit.serialize.save import captured_forward
from ..ops.dispatch import bottom, using
from ..runtime.artifact import MANIFEST, ZIP_SUFFIXES
from .build import finished
from .current import default_main_program
from .executor import CompiledProgram, Executor, fetch_value
from .feeds import cut_at
from .program import Program
from .scope import Scope, global_scope

_SUMS_UP = "Be sure that you have set auc states to 0 before saving inference model."  # the text as PaddlePaddle has it
MODEL_SUFFIX = MODEL_SUFFIXES[0]


def _variables(value: Any, what: str) -> list[Any]:
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    for item in items:
        if not isinstance(item, Tensor):
            # a TypeError and a ValueError: Paddle raises the one in normalize_program, the other when it saves
            raise OperandError(f"{what} must be variables, not a {type(item).__name__}")
    return items


def _loaded(ir: IrProgram) -> Program:
    """A program of static mode from a parsed one. Its parameters are looked for in scopes."""
    made = Program()
    recorder = made.recorder
    results, names = list(ir.fetches), list(ir.fetch_names)
    ir.body.operations.pop().forget()  # its return: `Executor.run` says what is handed out
    ir.fetch_names = []
    recorder.adopt(ir)
    for name, value in zip(ir.feeds, ir.feed_values, strict=True):
        feed = recorder.variable(value, True)
        feed.is_data = feed.need_check_feed = True
        feed.name = name
    for entry, value in zip(ir.state, ir.state_values, strict=True):
        made.adopt_state(entry.name, value, rng=entry.kind == "rng")
    _adopt_updates(recorder)
    for name, value in zip(names, results, strict=True):
        made.default_fetches.append(recorder.variable(value, True))
        made.default_fetches[-1].name = name
    return made


def _adopt_updates(recorder: Any) -> None:
    """The updates in the text of a program become writes, as building it would have noted them."""
    by_value = {entry.value: entry for entry in recorder.lifted.values()}
    updates = [o for o in recorder.program.body.operations if o.name == "update"]
    for operation in updates:
        state, value = operation.operands
        recorder.program.body.operations.remove(operation)
        operation.forget()
        if not state.uses:  # nothing reads what was there before
            recorder.initialised[id(by_value[state].cell)] = by_value[state].tensor
        recorder.note_write(by_value[state].cell, value)


def program_of(text: str) -> Program:
    """The program of a text that `serialize_to_string` wrote. Errors: ParseError."""
    made = _loaded(parse_program(text))
    for operation in made.recorder.program.body.operations:
        for value in operation.results:
            if value.hint:
                made.recorder.variable(value, True).name = value.hint
    return made


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
    for x in feeds:
        value = fetch_value(test, x.name, x)
        if isinstance(value, Value) and value.operation is not None:
            cut_at(test, x.name, value)
    values = [fetch_value(test, x.name, x) for x in fetches]
    built = finished(test, values, [x.name for x in fetches], prune=True)
    given = [x.name for x in feeds]
    missing = [n for n in built.feeds if n not in given]
    if missing:
        raise ArgumentError(f"the fetches need the feed {missing[0]}, which isn't among feed_vars {given}")
    return built.program, [entry.tensor for entry in built.state]


def _arrays(program: IrProgram, tensors: Sequence[Any], scope: Scope) -> dict[str, Any]:
    return {entry.name: np.array(scope.value_of(x)._copied()) for entry, x in zip(program.state, tensors, strict=True)}


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


def deserialize_program(data: bytes) -> Program:
    """The program of a text; run without `fetch_list` it hands out all fetches. Errors: ParseError."""
    return _loaded(parse_text(data))


def deserialize_persistables(program: Program, data: bytes, executor: Any = None) -> None:
    """Put a program's parameters into the scope. Errors: ArtifactError for damaged data, ArgumentError for missing."""
    _give(program, serialize.load(streams.BytesIO(data), return_numpy=True))


def _give(program: Program, found: dict[str, Any]) -> None:
    wanted = program.persistables()
    for variable in wanted:
        array = found.get(variable.name)
        if array is None or list(np.shape(array)) != list(variable.shape):
            raise ArgumentError(f"the parameters lack {variable.name} of shape {list(variable.shape)}")
    for variable in wanted:
        global_scope().set(variable.name, np.asarray(found[variable.name], variable.dtype.numpy))


def save_to_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes to a file, whole or not at all. Errors: ArgumentError (a ValueError) for anything but bytes."""
    if not isinstance(content, bytes):
        raise ArgumentError(f"save_to_file writes bytes, not a {type(content).__name__}")
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    place_file(target, content)


def load_from_file(path: str | os.PathLike[str]) -> bytes:
    """A file's bytes."""
    return Path(path).read_bytes()


def save_inference_model(
    path_prefix: str, feed_vars: Any, fetch_vars: Any, executor: Executor, *, program: Program | None = None,
    clip_extra: bool = True, legacy_format: bool = False, **_: Any,
) -> None:  # fmt: skip
    """`path_prefix.pdmodel` (the program's text) and `path_prefix.pdiparams` (its parameters), from feeds to fetches.

    Errors: ArgumentError (a ValueError) for what are no variables, an empty name, a folder's name, or feeds that are
    missing; KindError for another executor.
    """
    if not isinstance(path_prefix, (str, os.PathLike)):
        raise ArgumentError(f"save_inference_model: path_prefix must be a path, not a {type(path_prefix).__name__}")
    prefix = str(path_prefix)
    if not prefix or prefix.endswith("/"):
        raise ArgumentError(f"save_inference_model: path_prefix must be folder/name, not {prefix!r}")
    if not isinstance(executor, Executor):
        raise KindError(f"save_inference_model needs an Executor, not a {type(executor).__name__}")
    if any(Path(prefix + suffix).is_dir() for suffix in (MODEL_SUFFIX, PARAMS_SUFFIX)):
        raise ArgumentError(f"save_inference_model: there is a folder where {prefix}{MODEL_SUFFIX} should go")
    chosen = program or default_main_program()
    chosen = chosen.program if isinstance(chosen, CompiledProgram) else chosen
    if chosen.sums_up:
        warnings.warn(_SUMS_UP, stacklevel=2)
    feeds, fetches = _variables(feed_vars, "feed_vars"), _variables(fetch_vars, "fetch_vars")
    made, tensors = _inference(chosen, feeds, fetches)
    stream = streams.BytesIO()
    serialize.save(_arrays(made, tensors, global_scope()), stream)
    save_to_file(prefix + PARAMS_SUFFIX, stream.getvalue())
    save_to_file(prefix + MODEL_SUFFIX, print_program(made).encode())


def load_inference_model(
    path_prefix: str | None, executor: Executor, *, model_filename: Any = None, params_filename: Any = None,
    **options: Any,
) -> list[Any]:  # fmt: skip
    """[program, feed names, fetch targets] of what `save_inference_model` wrote, or of the `forward` in what `jit.save`
    wrote; files of PaddlePaddle (`.pdmodel` or `.json`, with `.pdiparams`) are read, too.

    Errors: ArgumentError (a ValueError) for missing files, and for operations that can't be read, all by name;
    ArtifactError or ParseError for damaged files.
    """
    if options:
        raise ArgumentError(f"load_inference_model has no option {next(iter(options))!r}")
    ir, arrays = read_inference_model(path_prefix, model_filename, params_filename)
    program = _loaded(ir)
    _give(program, arrays)
    return [program, list(program.recorder.program.feeds), list(program.default_fetches)]


def read_inference_model(
    path_prefix: Any, model_filename: Any = None, params_filename: Any = None
) -> tuple[IrProgram, dict[str, Any]]:
    """The program that `save_inference_model` or `jit.save` wrote, here or in PaddlePaddle, and its parameters by name.

    No scope is touched.

    Errors: ArgumentError (a ValueError) for missing files; ArtifactError or ParseError for damaged ones.
    """
    prefix = str(path_prefix)
    model = Path(prefix) / model_filename if model_filename else _model_file(prefix)
    params = Path(prefix) / params_filename if params_filename else Path(prefix + PARAMS_SUFFIX)
    saved = model.with_suffix("") if model.suffix == MODEL_SUFFIX else model
    if not model.exists() and _is_artifact(saved):
        with using(bottom()):
            captured = captured_forward(load_layer(str(saved)), None, {})
        return captured.program, captured.weights
    with using(bottom()):
        artifact = load_model(model, params)
    return artifact.methods["forward"].program, artifact.weights


def _model_file(prefix: str) -> Path:
    found = model_files(prefix)
    return Path(prefix + MODEL_SUFFIX) if found is None else found[0]


def _is_artifact(path: Path) -> bool:
    return (path / MANIFEST).is_file() or (path.suffix in ZIP_SUFFIXES and path.is_file())


def _without_ending(path: str) -> str:
    """A path as `save` takes it, from that of one of the files which it writes, or of their program."""
    ending = next((end for end in (".pdparams", ".pdopt", ".pdmodel") if path.endswith(end)), "")
    return path.removesuffix(ending)


def save(program: Program, model_path: str, protocol: int = 4, **_: Any) -> None:
    """`model_path.pdparams` with the parameters and `model_path.pdopt` with all other state.

    protocol: PaddlePaddle's number of a pickle format, 2 to 4; the files here are of one format. Errors: ArgumentError.
    """
    if not isinstance(protocol, int) or not 2 <= protocol <= 4:
        raise ArgumentError(f"save: protocol is 2, 3 or 4, not {protocol!r}")
    if not model_path or model_path.endswith("/"):
        raise ArgumentError(f"save: the path must be folder/name, not {model_path!r}")
    serialize.save({k: v._copied() for k, v in program.state_dict("param").items()}, model_path + ".pdparams")
    serialize.save({k: v._copied() for k, v in program.state_dict("opt").items()}, model_path + ".pdopt")


def load(program: Program, model_path: str, executor: Any = None, var_list: Any = None) -> None:
    """Read what `save` wrote into the scope. Errors: ArtifactError for missing or damaged files."""
    prefix = _without_ending(model_path)
    state = serialize.load(prefix + ".pdparams", return_numpy=True)
    if Path(prefix + ".pdopt").is_file():
        state.update(serialize.load(prefix + ".pdopt", return_numpy=True))
    wanted = None if var_list is None else {v.name for v in var_list}
    program.set_state_dict({k: v for k, v in state.items() if wanted is None or k in wanted})


def load_program_state(model_path: str, var_list: Any = None) -> dict[str, Any]:
    """What `save` wrote, as arrays by name."""
    prefix = _without_ending(model_path)
    state: dict[str, Any] = serialize.load(prefix + ".pdparams", return_numpy=True)
    if Path(prefix + ".pdopt").is_file():
        state.update(serialize.load(prefix + ".pdopt", return_numpy=True))
    return state


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Set persistable variables by name."""
    program.set_state_dict(state_dict)


def save_vars(
    executor: Any, dirname: str | os.PathLike[str], main_program: Any = None, vars: Any = None,
    predicate: Callable[[Any], bool] | None = None, filename: str | None = None,
) -> None:  # fmt: skip
    """Save variables' values: each in a file of its name in `dirname`, or all in `filename`.

    vars: default those persistable variables that `predicate` accepts.
    """
    values = {v.name: global_scope().value_of(v)._copied() for v in _chosen(main_program, vars, predicate)}
    folder = Path(dirname)
    folder.mkdir(parents=True, exist_ok=True)
    if filename is not None:
        serialize.save(values, str(folder / filename))
        return
    for name, value in values.items():
        serialize.save(value, str(folder / name))


def load_vars(
    executor: Any, dirname: str | os.PathLike[str], main_program: Any = None, vars: Any = None,
    predicate: Callable[[Any], bool] | None = None, filename: str | None = None,
) -> None:  # fmt: skip
    """Set variables' values in the scope from what `save_vars` wrote.

    Errors: DataNotFoundError (a FileNotFoundError) for missing files; ArgumentError (a ValueError) for missing names.
    """
    wanted = _chosen(main_program, vars, predicate)
    folder = Path(dirname)
    files = [folder / filename] if filename is not None else [folder / v.name for v in wanted]
    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        raise DataNotFoundError(f"there is no file {missing[0]}", remedy="give the folder of save_vars")
    if filename is not None:
        found = serialize.load(str(files[0]), return_numpy=True)
    else:
        found = {v.name: serialize.load(str(file), return_numpy=True) for v, file in zip(wanted, files, strict=True)}
    lacking = [v.name for v in wanted if v.name not in found]
    if lacking:
        raise ArgumentError(f"{files[0]} has no value of {lacking[0]}")
    for v in wanted:
        global_scope().assign(v, found[v.name])


def _chosen(program: Any, given: Any, predicate: Callable[[Any], bool] | None) -> list[Any]:
    if program is not None and not isinstance(program, Program):
        raise KindError(f"main_program must be a Program, not a {type(program).__name__}")
    known = (program or default_main_program()).persistables() if given is None else list(given)
    return [v for v in known if predicate is None or predicate(v)]
