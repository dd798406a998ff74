"""Checkpoints that all ranks write together, each its part, and that any number of ranks can load.

A checkpoint is a folder: a safetensors file for each rank, and `metadata.json`, which says where the parts of each
tensor lie. Ranks write into a temporary folder; it gets its name once all is there, so a checkpoint is whole or absent.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..base.dtype import of_array
from ..base.errors import ArgumentError, ArtifactError, KindError, StateError, VitrifyError
from ..base.files import new_folder, place_file, put_folder
from ..dygraph.tensor import Tensor
from ..ops.exchange import transport
from ..runtime.tensor_file import from_bytes, to_pieces
from .group import Group, member, place_of
from .transpile.parts import own_part, part_size, whole_shape

Array = Any
METADATA = "metadata.json"
FORMAT = "vitrify distributed checkpoint"
VERSION = 1
_MISSING = "missing"


@dataclass(frozen=True, slots=True)
class _Held:
    """A tensor as this rank has it: whole, or its part of a sharded parameter. shape: that of the whole tensor.

    over: the ranks that have the parts.
    """

    array: Array
    shape: tuple[int, ...]
    over: tuple[int, ...] | None = None

    @property
    def type(self) -> str:
        """What has to be equal on all ranks."""
        parts = "" if self.over is None else f" in parts of ranks {', '.join(map(str, self.over))}"
        return _type(of_array(self.array).name, self.shape) + parts

    def elements(self, first: int, last: int) -> Array:
        """Elements of the whole tensor, which this rank has."""
        return self.array.reshape(-1)[first:last] if self.over is None else self.array[: last - first]


_Arrays: TypeAlias = dict[tuple[str, ...], _Held]


def save_state_dict(
    state_dict: Mapping[str, Any],
    path: str,
    process_group: Group | None = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    async_save: bool = False,
) -> None:
    """Save a state dict, or several below names, to the folder `path`; every rank of the group calls it.

    Each rank writes an equal part of the elements of each tensor. Tensors that differ between ranks (statistics of
    batches) and other values (numbers, texts, lists) are those of rank `coordinator_rank`, as in Paddle. States that
    are sharded come whole out of `optimizer.state_dict()`. Parameters that are sharded (`ShardedParameters`) may be
    given as parts, too: nothing is gathered then, and the checkpoint is the same. A former checkpoint is replaced when
    the new one is complete. unique_id: a folder of this number below `path`, so that several can stand there.
    Errors: StateError where ranks have other names or types of tensors, or parts of a parameter belong to other ranks
    than those that save; KindError for a value that isn't plain; ArtifactError, with the rank and the file, where a
    rank can't write; ArgumentError for `async_save`, and for a path that holds something else.

    >>> import tempfile
    >>> from vitrify.nn import Linear
    >>> def moved(net, other):
    ...     with tempfile.TemporaryDirectory() as folder:
    ...         save_state_dict({"model": net.state_dict()}, f"{folder}/step-1")
    ...         load_state_dict({"model": other.state_dict()}, f"{folder}/step-1")
    ...     return bool((net.weight == other.weight).all())
    >>> moved(Linear(2, 3), Linear(2, 3))
    True
    """
    if async_save:
        raise ArgumentError("save_state_dict doesn't save in the background", remedy="leave async_save out")
    group = member(process_group, "save_state_dict")
    place = place_of(coordinator_rank, group, "save_state_dict")
    target = _folder(path, unique_id)
    arrays, values = _flat(state_dict)
    _check_parts(arrays, group)
    is_equal = _compared(arrays, group, place)
    made = Path(_agreed(group, place, lambda: str(_begun(target))))
    try:
        facts = _together(group, lambda: _written(made, arrays, is_equal, group, place))
        content = {
            "format": FORMAT, "version": VERSION, "files": facts, "tensors": _entries(arrays),
            "values": [{"path": key, "value": value} for key, value in values.items()],
        }  # fmt: skip
        _agreed(group, place, lambda: _finished(made, target, content))
    finally:
        if group.rank == place:
            shutil.rmtree(made, ignore_errors=True)


def load_state_dict(
    state_dict: dict[str, Any],
    path: str,
    process_group: Group | None = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    offload: bool = False,
) -> None:
    """Fill a state dict with what `save_state_dict` wrote, on any number of ranks: tensors in place, other values anew.

    Of sharded parameters and states, given as parts or whole, each rank keeps its part. Names of the checkpoint that
    the state dict lacks are left out. An empty dict takes all that was saved below its name, as new tensors: `state =
    {}` at the top takes everything. Ranks don't wait for each other. The other arguments are Paddle's; `offload`
    changes nothing, as tensors lie in main memory.
    Errors: ArtifactError, with the file, where one is missing or damaged; StateError where a name is missing or a
    tensor has another type. Nothing is changed then.
    """
    member(process_group, "load_state_dict")
    folder = _folder(path, unique_id)
    metadata = _metadata(folder)
    arrays, values = _read(folder, metadata)
    writes = [*_fitted(state_dict, (), arrays, values, folder)]
    for write in writes:
        write()


def _folder(path: str, unique_id: int | None) -> Path:
    return Path(path) if unique_id is None else Path(path) / str(unique_id)


def _joined(key: tuple[str, ...]) -> str:
    return json.dumps(key, ensure_ascii=False)


def _shown(key: tuple[str, ...]) -> str:
    return ".".join(key)


# ---- saving


def _flat(state: Mapping[str, Any]) -> tuple[_Arrays, dict[tuple[str, ...], Any]]:
    """Arrays and plain values of nested dicts, by the names on the way to them."""
    arrays: _Arrays = {}
    values: dict[tuple[str, ...], Any] = {}

    def visit(key: tuple[str, ...], value: Any) -> None:
        if isinstance(value, Mapping):
            for name, inner in value.items():
                if not isinstance(name, str):
                    raise KindError(f"save_state_dict: {_shown(key)!r} has a name that isn't a text: {name!r}")
                visit((*key, name), inner)
        elif isinstance(value, (Tensor, np.ndarray)):
            array = np.asarray(value.numpy() if isinstance(value, Tensor) else value)
            own = np.ascontiguousarray(array).reshape(array.shape)
            over = _sharded_over(value)
            arrays[key] = _Held(own, whole_shape(value), None if over is None else tuple(over.ranks))
        else:
            values[key] = _plain(key, value)

    visit((), state)
    return arrays, values


def _plain(key: tuple[str, ...], value: Any) -> Any:
    """A value as JSON keeps it. Errors: KindError for others."""
    if isinstance(value, np.generic):
        value = value.item()
    try:
        if json.loads(json.dumps(value)) == value or (isinstance(value, float) and math.isnan(value)):
            return value
    except (TypeError, ValueError):
        pass
    raise KindError(f"save_state_dict: {_shown(key)!r} is a {type(value).__name__}",
                    remedy="save tensors, numbers, texts, lists, and dicts of them")  # fmt: skip


def _sharded_over(value: Any) -> Group | None:
    """The ranks that have parts of a parameter (`ShardedParameters`)."""
    found: Group | None = getattr(value, "sharded_over", None)
    return found


def _check_parts(arrays: _Arrays, group: Group) -> None:
    """Errors: StateError for parts that other ranks have than those that save."""
    for key, held in arrays.items():
        if held.over not in (None, tuple(group.ranks)):
            raise StateError(f"save_state_dict: {_shown(key)!r} is {held.type}; ranks {list(group.ranks)} save",
                             remedy="save with the group that shards it, or the whole tensors of the "
                             "sharded model's state_dict()")  # fmt: skip


def _compared(arrays: _Arrays, group: Group, place: int) -> dict[tuple[str, ...], bool]:
    """Whether each tensor is the same on all ranks. Errors: StateError where names or types differ."""
    own = [[list(key), held.type, _digest(held)] for key, held in arrays.items()]
    everyone = transport().exchange_object(own, group.ranks)
    wanted = {tuple(key): kind for key, kind, _ in everyone[place]}
    for rank, said in zip(group.ranks, everyone, strict=True):
        found = {tuple(key): kind for key, kind, _ in said}
        for key in [*wanted, *found]:
            if wanted.get(key) != found.get(key):
                raise StateError(
                    f"save_state_dict: {_shown(key)!r} is {found.get(key, _MISSING)} on rank {rank} and "
                    f"{wanted.get(key, _MISSING)} on rank {group.ranks[place]}",
                    remedy="save the same names and types on all ranks",
                )
    hashes = [{tuple(key): digest for key, _, digest in said} for said in everyone]
    return {key: all(h[key] == hashes[0][key] for h in hashes) for key in wanted}


def _type(dtype: str, shape: Sequence[int]) -> str:
    return f"{dtype}{list(shape)}"


def _digest(held: _Held) -> str:
    """What shows whether a tensor is the same on all ranks; parts are those of one tensor."""
    return hashlib.sha256(held.array).hexdigest() if held.over is None else ""


def _bounds(size: int, group: Group, is_cut: bool, place: int) -> tuple[int, int]:
    """The elements that one rank writes: an equal part, or all on the coordinator."""
    if not is_cut:
        return (0, size) if group.rank == place else (0, 0)
    each = part_size(size, group.nranks)
    return min(size, each * group.rank), min(size, each * (group.rank + 1))


def _begun(target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    made = new_folder(target, METADATA)
    made.mkdir()
    return made


def _written(
    folder: Path, arrays: _Arrays, is_equal: dict[tuple[str, ...], bool], group: Group, place: int
) -> dict[str, Any]:
    """Write one rank's file: its name, length and hash."""
    parts: dict[str, Array] = {}
    for key, held in arrays.items():
        size = math.prod(held.shape)
        first, last = _bounds(size, group, is_equal[key], place)
        if first < last or (not size and group.rank == place):
            parts[_joined(key)] = held.elements(first, last)
    file = folder / f"rank-{group.rank}.safetensors"
    digest, length = hashlib.sha256(), 0
    pieces = to_pieces(parts)
    for piece in pieces:
        digest.update(piece)
        length += len(piece)
    place_file(file, pieces)
    return {"name": file.name, "bytes": length, "sha256": digest.hexdigest()}


def _entries(arrays: _Arrays) -> list[dict[str, Any]]:
    return [{"path": key, "shape": held.shape} for key, held in arrays.items()]


def _finished(made: Path, target: Path, content: dict[str, Any]) -> str:
    """Write the metadata, and give the folder its name."""
    content["sha256"] = _checksum(content)
    place_file(made / METADATA, json.dumps(content).encode())
    put_folder(made, target)
    return str(target)


def _checksum(content: dict[str, Any]) -> str:
    plain = json.loads(json.dumps(content))  # tuples become lists, as after reading
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _together(group: Group, act: Callable[[], Any]) -> list[Any]:
    """What `act` gives on each rank; where one fails, all get an error that names it, and none waits forever."""
    said: dict[str, Any] = {}
    failure: Exception | None = None
    try:
        said["found"] = act()
    except (OSError, VitrifyError) as error:
        failure, said["error"] = error, f"{type(error).__name__}: {error}"
    everyone = transport().exchange_object(said, group.ranks)
    if failure is not None:
        raise ArtifactError(f"save_state_dict: rank {group.ranks[group.rank]} failed: {failure}") from failure
    for rank, one in zip(group.ranks, everyone, strict=True):
        if "error" in one:
            raise ArtifactError(f"save_state_dict: rank {rank} failed: {one['error']}")
    return [one["found"] for one in everyone]


def _agreed(group: Group, place: int, act: Callable[[], str]) -> str:
    """What `act` gives on the coordinator, on all ranks."""
    return str(_together(group, act if group.rank == place else lambda: "")[place])


# ---- loading


def _damaged(file: Path, why: str) -> ArtifactError:
    return ArtifactError(f"{file}: {why}", remedy="load another checkpoint")


def _metadata(folder: Path) -> dict[str, Any]:
    file = folder / METADATA
    try:
        found = json.loads(file.read_bytes())
        digest = found.pop("sha256")
    except OSError as error:
        raise _damaged(file, f"can't be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(file, "it was changed or damaged") from error
    if _checksum(found) != digest:
        raise _damaged(file, "its checksum differs: it was changed or damaged")
    if found["format"] != FORMAT or found["version"] != VERSION:
        raise _damaged(file, f"it is {found['format']} of version {found['version']}, not {FORMAT} of {VERSION}")
    return dict(found)


def _read(folder: Path, metadata: dict[str, Any]) -> tuple[dict[tuple[str, ...], Array], dict[tuple[str, ...], Any]]:
    """All that a checkpoint holds, whole. Errors: ArtifactError with the file that is missing or damaged."""
    files = []
    for facts in metadata["files"]:
        file = folder / facts["name"]
        try:
            data = file.read_bytes()
        except OSError as error:
            raise _damaged(file, f"can't be read: {error.strerror}") from error
        if len(data) != facts["bytes"]:
            raise _damaged(file, f"it has {len(data)} bytes, not the {facts['bytes']} that were saved")
        if hashlib.sha256(data).hexdigest() != facts["sha256"]:
            raise _damaged(file, "its checksum isn't the one that was saved")
        files.append(from_bytes(data))
    arrays: dict[tuple[str, ...], Array] = {}
    for entry in metadata["tensors"]:
        key = tuple(entry["path"])
        parts = [held[_joined(key)] for held in files if _joined(key) in held]
        arrays[key] = np.concatenate(parts).reshape(entry["shape"])
    return arrays, {tuple(entry["path"]): entry["value"] for entry in metadata["values"]}


def _fitted(
    state: dict[str, Any], above: tuple[str, ...], arrays: dict[tuple[str, ...], Array],
    values: dict[tuple[str, ...], Any], folder: Path,
) -> list[Callable[[], None]]:  # fmt: skip
    """What has to be done to fill a state dict. Errors: StateError where something doesn't fit."""
    if not state:
        return [_filling(state, above, arrays, values, folder)]
    writes: list[Callable[[], None]] = []
    for name, value in state.items():
        key = (*above, name)
        if isinstance(value, dict):
            writes += _fitted(value, key, arrays, values, folder)
        elif key in arrays:
            writes.append(_write(state, name, value, arrays[key], key))
        elif key in values:
            writes.append(partial(state.__setitem__, name, values[key]))
        else:
            raise StateError(f"{folder} has no {_shown(key)!r}", remedy="leave it out of the state dict")
    return writes


def _write(state: dict[str, Any], name: str, value: Any, array: Array, key: tuple[str, ...]) -> Callable[[], None]:
    if not isinstance(value, (Tensor, np.ndarray)):
        return partial(state.__setitem__, name, Tensor(array))
    over = _sharded_over(value)
    dtype = value.dtype.name if isinstance(value, Tensor) else of_array(value).name
    own = _type(dtype, whole_shape(value))
    saved = _type(of_array(array).name, array.shape)
    if own != saved:
        raise StateError(f"load_state_dict: {_shown(key)!r} is {own}, the checkpoint has {saved}")
    if not isinstance(value, Tensor):
        return partial(value.__setitem__, ..., array)

    def write() -> None:
        value.set_value(array if over is None else own_part(array, over))
        if hasattr(value, "write_back"):  # it was gathered: the parts have to follow
            value.write_back(array)

    return write


def _filling(
    state: dict[str, Any], above: tuple[str, ...], arrays: dict[tuple[str, ...], Array],
    values: dict[tuple[str, ...], Any], folder: Path,
) -> Callable[[], None]:  # fmt: skip
    """Put all that was saved below a name into an empty dict."""

    def fill() -> None:
        for key, found in [*arrays.items(), *values.items()]:
            if key[: len(above)] == above:
                inner = state
                for name in key[len(above) : -1]:
                    inner = inner.setdefault(name, {})
                inner[key[-1]] = Tensor(found) if key in arrays else found

    return fill
