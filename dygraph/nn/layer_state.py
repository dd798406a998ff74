"""The state of layers: dictionaries of parameters and buffers, and how they are read back."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...base.dtype import DType
from ...base.errors import KindError, StateError, StateKeyError
from ...base.suggest import nearest
from ...ops.infer import show_shape
from .. import storage as cells
from ..hooks import QuietHandle, register
from ..storage import Storage
from ..tensor import Tensor


class FormerItem(NamedTuple):
    """How an earlier release kept the parameter or buffer `name`: as `key`, in `shape` (None: in that of today)."""

    key: str
    name: str
    shape: tuple[int, ...] | None = None


class IncompatibleKeys(NamedTuple):
    """What load_state_dict() found missing and unexpected."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"


class StateMethods:
    """The methods of Layer that read and write its whole state."""

    _transient: set[str]
    _state_dict_hooks: dict[int, Any]
    _sub_layers: Any
    parameters: Callable[..., Any]
    buffers: Callable[..., Any]
    named_sublayers: Callable[..., Iterator[tuple[str, Any]]]
    add_sublayer: Callable[..., Any]
    add_parameter: Callable[..., Any]

    def _named_layers(self, prefix: str, seen: set[int] | None) -> Iterator[tuple[str, Any]]:
        raise NotImplementedError

    def state_dict(
        self,
        destination: dict[str, Any] | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
        *,
        prefix: str = "",
    ) -> dict[str, Any]:
        """Parameters and persistable buffers, themselves, by dotted name; a shared one under each of its names.

        keep_vars: False gives tensors that share the memory but no gradient. prefix: `structured_name_prefix`.
        """
        found = OrderedDict() if destination is None else destination
        start = structured_name_prefix or prefix
        return self._into(found, include_sublayers, start, use_hook, keep_vars, everything=False)

    def to_static_state_dict(
        self,
        destination: dict[str, Any] | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
    ) -> dict[str, Any]:
        """Parameters and all buffers, also those that aren't persistable, by dotted name."""
        found = OrderedDict() if destination is None else destination
        return self._into(found, include_sublayers, structured_name_prefix, use_hook, keep_vars, everything=True)

    def _into(
        self, found: dict[str, Any], include_sublayers: bool, prefix: str, use_hook: bool, keep_vars: bool, *,
        everything: bool,
    ) -> dict[str, Any]:  # fmt: skip
        for name, item in self._state_items(include_sublayers, prefix, everything=everything):
            found[name] = item if keep_vars else item.detach()
        return self._hooked(found, include_sublayers) if use_hook else found

    def _hooked(self, found: dict[str, Any], include_sublayers: bool) -> dict[str, Any]:
        """What the hooks make of a state, those of sublayers first."""
        for layer in self._sub_layers.values() if include_sublayers else ():
            found = found if layer is None else layer._hooked(found, True)
        for hook in list(self._state_dict_hooks.values()):
            changed = hook(found)
            found = found if changed is None else changed
        return found

    def register_state_dict_hook(self, hook: Callable[[dict[str, Any]], Any]) -> QuietHandle:
        """Call `hook(state)` with what state_dict() gives; what it returns (unless None) takes its place."""
        return register(self._state_dict_hooks, hook, QuietHandle)

    def _state_items(self, include_sublayers: bool, prefix: str, *, everything: bool) -> Iterator[tuple[str, Any]]:
        for path, layer in self._named_layers(prefix.removesuffix("."), None):
            if layer is not self and not include_sublayers:
                continue
            start = f"{path}." if path else ""
            for name, item in (*layer._parameters.items(), *layer._buffers.items()):
                if item is not None and (everything or name not in layer._transient):
                    yield start + name, item

    def former_state(self) -> tuple[FormerItem, ...]:
        """Parameters that an earlier release kept under other names or in other shapes; they are read in both."""
        return ()

    def _as_today(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """`state` with the keys and shapes that an earlier release gave made those of today."""
        found: dict[str, Any] | None = None
        for path, layer in self._named_layers("", None):
            start = f"{path}." if path else ""
            for key, name, shape in layer.former_state():
                old, new = start + key, start + name
                if old not in state or (old != new and new in state):
                    continue
                found = dict(state) if found is None else found
                value = found.pop(old)
                if shape is not None and tuple(getattr(value, "shape", ())) == shape:
                    value = value.reshape([-1])
                found[new] = value
        return state if found is None else found

    def set_state_dict(
        self, state_dict: Mapping[str, Any], use_structured_name: bool = True, *, strict: bool = False
    ) -> tuple[list[str], list[str]]:
        """Copy the entries of `state_dict` into the parameters and buffers of the same names (or `.name`s).

        Returns the names that are missing and those that are unexpected. Each problem warns and leaves that tensor as
        it is; a name with a wrong shape is in both lists. Errors: StateError with `strict`, and nothing is changed.
        """
        if not isinstance(state_dict, Mapping):
            raise KindError(
                f"set_state_dict needs a dict of tensors, not a {type(state_dict).__name__}",
                remedy="give what state_dict() or vt.load() returned",
            )
        state_dict = self._as_today(state_dict) if use_structured_name else state_dict
        own = dict(self._state_items(True, "", everything=False))
        keys = {name if use_structured_name else item.name: item for name, item in own.items()}
        problems: list[str] = []
        missing: list[str] = []
        unexpected = [key for key in state_dict if key not in keys]
        fits: list[tuple[Any, Any]] = []
        for key, item in keys.items():
            problem = _misfit(key, item, state_dict)
            if problem is None:
                fits.append((item, state_dict[key]))
                continue
            if key not in state_dict and any(other in state_dict and keys[other] is item for other in keys):
                continue  # a shared one, which is there under another name
            problems.append(problem)
            missing.append(key)
            if key in state_dict:
                unexpected.append(key)
        problems += [_unknown(key, missing) for key in unexpected if key not in keys]
        if strict and problems:
            raise StateError(
                f"the state_dict doesn't fit {type(self).__name__}: " + "; ".join(problems),
                remedy="load the state of the same kind of layer, or rename its keys",
            )
        for item, value in fits:
            item.set_value(value if len(value.shape) == len(item.shape) else value.reshape(list(item.shape)))
        for problem in problems:
            warnings.warn(f"set_state_dict of {type(self).__name__}: {problem}", UserWarning, stacklevel=2)
        return missing, unexpected

    set_dict = set_state_dict
    load_dict = set_state_dict

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """`set_state_dict` in PyTorch's manner: the names that are missing, and those that are unexpected.

        Errors: StateKeyError (a RuntimeError) with `strict` where there are such; what fits has been copied then.
        """
        with warnings.catch_warnings():
            if strict:  # the error tells
                warnings.simplefilter("ignore", UserWarning)
            missing, unexpected = self.set_state_dict(state_dict)
        if strict and (missing or unexpected):
            kinds = (("Unexpected", unexpected), ("Missing", missing))
            told = [f"{kind} key(s) in state_dict: {', '.join(map(repr, keys))}" for kind, keys in kinds if keys]
            raise StateKeyError(f"Error(s) in loading state_dict for {type(self).__name__}: {'; '.join(told)}")
        return IncompatibleKeys(missing, unexpected)


def _misfit(key: str, item: Any, state: Mapping[str, Any]) -> str | None:
    """Why the entry `key` can't be copied into `item`; None if it can."""
    if key not in state:
        return f"{key!r} is missing"
    value = state[key]
    if not isinstance(value, (Tensor, np.ndarray, np.generic)):
        return f"{key!r} is a {type(value).__name__}, not a tensor or array"
    if list(value.shape) != list(item.shape) and {*map(tuple, (value.shape, item.shape))} != {(), (1,)}:
        return f"{key!r} has shape {show_shape(value.shape)}, the layer's has {show_shape(item.shape)}"
    return None


def _unknown(key: str, missing: list[str]) -> str:
    meant = nearest(key, missing)
    return f"{key!r} is not a name of this layer" + ("" if meant is None else f", did you mean {meant!r}?")


def convert(tensor: Tensor, dtype: DType, *, floats_only: bool = True) -> None:
    """Give a float tensor (and its gradient) another dtype, in place: new memory, the same object."""
    if (floats_only and not tensor.dtype.is_floating) or tensor.dtype is dtype:
        return
    version = tensor._storage.version
    tensor._storage = Storage(tensor._copied().astype(dtype.numpy))
    tensor._storage.version = version + 1
    tensor._dtype = dtype
    cells.counters.epoch += 1
    if tensor._grad is not None:
        convert(tensor._grad, dtype)
