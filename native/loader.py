"""Calls a model's library from Python, with NumPy and ctypes alone. A copy of this file stands beside each library."""

from __future__ import annotations

import ast
import ctypes
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = 3
ERRORS = {3: MemoryError, 4: RuntimeError, 7: RuntimeError, 9: OSError}  # LIMIT, CHECK, CALLBACK, FILE; else ValueError


class _Array(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("shape", ctypes.c_void_p))


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Array), ctypes.POINTER(_Array))


_TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)
_POOL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, _TASK, ctypes.c_void_p, ctypes.c_int)


class NativeModel:
    """A model in a library. Call it with one array per input; it gives one array per output, or the only one.

    limits: the largest sizes that calls will have, where that is less than what the library allows: it saves memory.
    Not for two threads at once: each needs its own. `inputs` and `outputs` describe the arrays, as the manifest does.
    Errors: TypeError for another number of arrays; ValueError for other shapes and dtypes; MemoryError for sizes
    beyond the library's limits; RuntimeError where a check of the program fails.
    """

    def __init__(self, folder: str | os.PathLike[str], limits: Mapping[str, int] | None = None) -> None:
        place = Path(folder)
        self.manifest: dict[str, Any] = json.loads((place / "manifest.json").read_text())
        if self.manifest.get("format") != FORMAT:
            raise ValueError(f"{place} has format {self.manifest.get('format')}, not {FORMAT}: build the library anew")
        self.inputs: list[dict[str, Any]] = self.manifest["inputs"]
        self.outputs: list[dict[str, Any]] = self.manifest["outputs"]
        name = self.manifest["name"]
        library = ctypes.CDLL(str((place / self.manifest["library"]).resolve()))
        memory, self._create = getattr(library, f"{name}_memory"), getattr(library, f"{name}_create")
        memory.restype, self._create.restype = ctypes.c_size_t, ctypes.c_void_p
        memory.argtypes = (ctypes.c_void_p,)
        self._create.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
        self._run = getattr(library, f"{name}_run")
        self._run.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._error = getattr(library, f"{name}_last_error")
        self._error.argtypes, self._error.restype = (ctypes.c_void_p,), ctypes.c_char_p
        self._state = getattr(library, f"{name}_state")
        self._state.argtypes, self._state.restype = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
        self._reset = getattr(library, f"{name}_reset")
        self._reset.argtypes, self._reset.restype = (ctypes.c_void_p,), None
        self._attach = getattr(library, f"{name}_attach")
        self._attach.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        self._threads = getattr(library, f"{name}_threads")
        self._threads.argtypes, self._threads.restype = (ctypes.c_void_p, ctypes.c_int, _POOL, ctypes.c_void_p), None
        self._weights: Any = None
        if self.manifest["weights_file"]:
            self._weights = np.memmap(place / self.manifest["weights_file"], np.uint8, "r")
        most = dict(self.manifest["limits"]) | dict(limits or {})
        if list(most) != list(self.manifest["limits"]):
            raise ValueError(f"{name} has the open sizes {list(self.manifest['limits'])}, not {list(limits or {})}")
        self._bind = getattr(library, f"{name}_bind")
        self._bind.argtypes = (ctypes.c_void_p, ctypes.c_int, _CALLBACK, ctypes.c_void_p)
        self._callbacks: dict[str, Any] = {}
        self._raised: BaseException | None = None
        size = memory((ctypes.c_int64 * max(1, len(most)))(*most.values()))
        if not size:
            raise ValueError(f"{name} was built for sizes up to {self.manifest['limits']}, not {most}")
        self._place(np.empty(size, np.uint8))
        self._kinds = [np.dtype(one["dtype"]) for one in self.inputs]

    def _place(self, arena: Any) -> None:
        """Make the model in this memory."""
        self._arena, self._model = arena, self._create(arena.ctypes.data, arena.size)
        if self._weights is not None:
            code = self._attach(self._model, self._weights.ctypes.data, self._weights.size)
            if code:
                raise ValueError(self._error(self._model).decode())

    def bind(self, name: str, function: Callable[..., Any]) -> None:
        """Let the model call a function for the callback of that name: it takes NumPy's arrays and returns arrays.

        The first exception that it raises is raised by the call of the model. Errors: ValueError for an unknown name.
        """
        names = [one["name"] for one in self.manifest["callbacks"]]
        if name not in names:
            raise ValueError(f"the model has the callbacks {names}, not {name!r}")
        number = names.index(name)
        kinds = self.manifest["callbacks"][number]

        def called(_: Any, inputs: Any, outputs: Any) -> int:
            try:
                given = [_view(inputs[k], one) for k, one in enumerate(kinds["inputs"])]
                made = function(*given)
                results = made if isinstance(made, (tuple, list)) else [made]
                for k, (one, result) in enumerate(zip(kinds["outputs"], results, strict=True)):
                    _view(outputs[k], one)[...] = result
            except BaseException as error:  # broad: nothing may pass through C; the call raises it
                self._raised = error
                return 1
            return 0

        self._callbacks[name] = _CALLBACK(called)
        self._bind(self._model, number, self._callbacks[name], None)

    def split(self, count: int, pool: Any = None) -> None:
        """Split large steps of a run among the threads of a pool, such as a ThreadPoolExecutor; a count of 1: no more.

        pool.map(task, numbers) runs them. Results have the same bits for any count.
        """

        def called(_: Any, task: Any, job: Any, pieces: int) -> None:
            try:
                list(pool.map(lambda k: task(job, k), range(pieces)))
            except BaseException as error:  # broad: nothing may pass through C; the call raises it
                self._raised = error

        self._pool = _POOL(called) if pool is not None else _POOL()
        self._threads(self._model, count, self._pool, None)

    @property
    def state(self) -> dict[str, Any]:
        """What the model keeps from call to call, by name: arrays over its own memory, to read and write."""
        found = {}
        for k, one in enumerate(self.manifest["state"]):
            place = self._state(self._model, k, None) - self._arena.ctypes.data
            kind, count = np.dtype(one["dtype"]), int(np.prod(one["shape"], dtype=np.int64))
            found[one["name"]] = self._arena[place : place + count * kind.itemsize].view(kind).reshape(one["shape"])
        return found

    def reset(self) -> None:
        """Give state the values that it had when the library was built."""
        self._reset(self._model)

    def __call__(self, *arrays: Any) -> Any:
        """Compute the outputs."""
        if len(arrays) != len(self.inputs):
            raise TypeError(f"{self.manifest['name']} takes {len(self.inputs)} arrays, not {len(arrays)}")
        taken = [self._input(k, array) for k, array in enumerate(arrays)]
        sizes = open_sizes(self.inputs, taken)
        made = [np.empty(shape_of(one["shape"], sizes), one["dtype"]) for one in self.outputs]
        given, shapes = _table(taken)
        results, more = _table(made)
        code = self._run(self._model, given, results)
        del shapes, more  # the tables point at them
        error, self._raised = self._raised, None
        if error is not None:
            raise error
        if code:
            raise ERRORS.get(code, ValueError)(self._error(self._model).decode())
        return made[0] if len(made) == 1 else tuple(made)

    def _input(self, k: int, array: Any) -> Any:
        found = np.asarray(array, order="C")
        if found.dtype != self._kinds[k] or found.ndim != len(self.inputs[k]["shape"]):
            one = self.inputs[k]
            raise ValueError(
                f"{one['name']} is {found.dtype}{list(found.shape)}, the model takes {one['dtype']}{one['shape']}"
            )
        return found


def load(folder: str | os.PathLike[str], *, limits: Mapping[str, int] | None = None) -> NativeModel:
    """The model that `vitrify.native.build` wrote to a folder.

    limits: the largest sizes that calls will have, by name; the library's by default.
    """
    return NativeModel(folder, limits)


def _view(array: Any, kind: dict[str, Any]) -> Any:
    """An array that C has handed to a callback."""
    dtype, rank = np.dtype(kind["dtype"]), len(kind["shape"])
    shape = tuple((ctypes.c_int64 * rank).from_address(array.shape)) if rank else ()
    size = int(np.prod(shape, dtype=np.int64))
    block = (ctypes.c_uint8 * (size * dtype.itemsize)).from_address(array.data)
    return np.frombuffer(block, dtype, size).reshape(shape)


def _table(arrays: list[Any]) -> tuple[Any, list[Any]]:
    """What C takes, and what it points at beside the arrays."""
    shapes = [(ctypes.c_int64 * max(1, a.ndim))(*a.shape) for a in arrays]
    table = (_Array * max(1, len(arrays)))()
    for entry, array, shape in zip(table, arrays, shapes, strict=False):
        entry.data, entry.shape = array.ctypes.data, ctypes.addressof(shape)
    return table, shapes


def open_sizes(inputs: list[dict[str, Any]], arrays: Sequence[Any]) -> dict[str, int]:
    """The open sizes, from the arrays; the library compares all others."""
    sizes: dict[str, int] = {}
    for one, array in zip(inputs, arrays, strict=True):
        for size, found in zip(one["shape"], array.shape, strict=True):
            if isinstance(size, str) and size.isidentifier():
                sizes.setdefault(size, found)
    return sizes


def shape_of(sizes: list[int | str], known: dict[str, int]) -> tuple[int, ...]:
    """A shape of the manifest in numbers."""
    return tuple(size if isinstance(size, int) else _value(ast.parse(size, mode="eval").body, known) for size in sizes)


def _value(node: Any, known: dict[str, int]) -> int:
    """A size like 2*N+(M+3)//2 or max(N, 1)."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return known[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, known)
        case ast.Call(args=[left, right]):
            return max(_value(left, known), _value(right, known))
        case ast.BinOp(left=left, op=operation, right=right):
            a, b = _value(left, known), _value(right, known)
            found = {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}
            return found[type(operation)] if type(operation) in found else a // b
    raise ValueError(f"{ast.unparse(node)} is no size")
