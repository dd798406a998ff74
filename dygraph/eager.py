"""The eager interpreter: runs each op at once on NumPy arrays, wraps the results, and records the tape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy import ndarray

from ..base.dtype import LOW_FLOATS, DType, of_array
from ..base.errors import VitrifyError
from ..base.flags import flags, on_default_dtype
from ..base.memory import too_large
from ..ops.dispatch import set_bottom
from ..ops.interpreter import Interpreter
from ..ops.op import NONDIFFERENTIABLE, Op
from ..ops.planned import runner
from ..ops.types import TensorType, require_possible
from .constants import _QUIET, _reset_errors, _scalar, _set_errors
from .constants import constant as constant
from .constants import from_array as from_array
from .elements import escaped
from .modes import is_recording
from .storage import Storage
from .tape import NodeKind, record, record_as
from .tensor import Parameter, Tensor

_DTYPES: dict[Any, DType] = {}
_new: Any = object.__new__
_MOST_CONSTANTS = 1024


_TENSORS = frozenset((Tensor, Parameter))
_PLAIN = frozenset((int, str, type(None), DType))
_MOST_CALLS = 1024  # of one op
_UNSEEN: Any = False  # in place of a Prepared: no such call yet. Learning has no KeyError in the context of its errors


@dataclass(slots=True)
class Prepared:
    """What a call like an earlier one needn't do again: attributes as prepared, dtypes of Python numbers among the
    operands by their places, the dtype of the result (None for several results), and the kernel, attributes filled in.
    kind: what its nodes of the tape have in common, from the first of them on.
    """

    attrs: dict[str, Any]
    numbers: tuple[tuple[int, DType], ...]
    dtype: DType | None
    kernel: Callable[..., Any]
    kind: NodeKind | None = None
    kinds: dict[Any, NodeKind] = field(default_factory=dict)  # where calls of all shapes are alike: by shapes

    def first(self, op: Op, operands: Sequence[Tensor], result: Any) -> NodeKind:
        """What the nodes of these calls have in common, kept from now on."""
        kind = NodeKind(op, self.attrs, operands, result, again=True)
        if kind.rules is not None:
            self.kind = kind
        return kind

    def learn(self, op: Op, shapes: Any, operands: tuple[Tensor, ...], result: Tensor) -> NodeKind:
        """What the nodes of such a call have in common, kept for the next one of these shapes."""
        kind = NodeKind(op, self.attrs, operands, result, again=True)
        if kind.rules is not None:
            if len(self.kinds) >= _MOST_CALLS:
                self.kinds.clear()
            self.kinds[shapes] = kind
        return kind


class EagerInterpreter(Interpreter):
    """Runs ops on arrays. The bottom of the interpreter stack."""

    def __init__(self) -> None:
        self._constants: dict[tuple[Any, ...], Tensor] = {}
        # op -> types and attributes -> how to run; None: in full
        self._calls: dict[Op, dict[tuple[Any, ...], Prepared | None]] = {}
        self._elements: dict[Op, dict[str, Prepared]] = {}  # row of one operand -> its dtype -> how to run

    def forget(self) -> None:
        """Forget all calls: what they depend on has changed."""
        self._calls.clear()
        self._elements.clear()

    def prepared(self, op: Op, args: tuple[Any, ...]) -> Prepared | None:
        """What is known of calls with such operands, tensors and Python numbers; None if they run in full."""
        key: list[Any] = []
        for x in args:
            key += (x._dtype.name, x._storage.payload.shape) if isinstance(x, Tensor) else (type(x),)
        return self._calls.get(op, {}).get(tuple(key))

    def again(self, op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call whose op, operand types and attributes were seen before runs without preparation and checks: they
        depend on nothing else. NotImplemented for what can't be known by these, and for what fails.
        """
        if op.takes_one and args and type(args[0]) in _TENSORS:
            return self._of_one(op, args[0], args, kwargs)
        key: list[Any] = []
        operands: list[Any] = []
        arrays: list[Any] = []
        tracked = False
        count = len(op.operands)
        for k, x in enumerate(args):
            kind = type(x)
            if kind in _TENSORS:
                array = x._storage.payload
                if k >= count or type(array) is not ndarray:
                    return NotImplemented
                key += x._dtype.name, array.shape
                operands.append(x)
                arrays.append(array)
                if not x._stop:
                    tracked = True
            elif k < count:
                if kind is list or kind is tuple:
                    if not op.is_variadic:
                        return NotImplemented
                    key.append(len(x))
                    for part in x:
                        if type(part) not in _TENSORS or type(part._storage.payload) is not ndarray:
                            return NotImplemented
                        array = part._storage.payload
                        key += part._dtype.name, array.shape
                        operands.append(part)
                        arrays.append(array)
                        if not part._stop:
                            tracked = True
                    continue
                if (kind is not float and kind is not int) or op.family != "elementwise":
                    return NotImplemented
                key.append(kind)
                operands.append(x)
                arrays.append(None)
            elif kind in _PLAIN:
                key.append(x)
            elif not _note(x, kind, key):
                return NotImplemented
        for name, x in kwargs.items():
            key.append(name)
            if not _note(x, type(x), key):
                return NotImplemented
        found = tuple(key)
        try:
            prepared = self._calls[op][found]
        except KeyError:
            prepared = _UNSEEN
        if not prepared:
            if prepared is _UNSEEN:
                return self._learn(found, op, args, kwargs)
            return self._converted(op, operands, args, kwargs)
        for k, dtype in prepared.numbers:
            number = operands[k] = self.constant(operands[k], dtype)
            arrays[k] = number._storage.payload
        token = _set_errors(_QUIET)
        try:
            made = prepared.kernel(*arrays)
        except (ValueError, TypeError, IndexError, OverflowError, MemoryError):
            return NotImplemented  # the full call says what is wrong
        finally:
            _reset_errors(token)
        result: Any
        if prepared.dtype is None:
            result = tuple([_wrap(m, operands, arrays) for m in made])
        elif (
            len(arrays) <= 2 and type(made) is ndarray and made.base is None and made.flags.c_contiguous
            and made is not arrays[0] and made is not arrays[-1]
        ):  # fmt: skip
            result = _new(Tensor)
            result._dtype = prepared.dtype
            cell = result._storage = _new(Storage)
            cell.payload, cell.version, cell.place, cell.shared = made, 0, None, False
        else:
            result = _wrap(made, operands, arrays)
        if tracked and op.vjp is not NONDIFFERENTIABLE and is_recording():
            record_as(prepared.kind or prepared.first(op, operands, result), operands, result)
        return result

    def _of_one(self, op: Op, x: Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`again` for rows of one operand. Those of elements without attributes are known by the dtype alone."""
        array = x._storage.payload
        if type(array) is not ndarray:
            return NotImplemented
        known = None
        if len(args) == 1 and not kwargs:
            found: tuple[Any, ...] = x._dtype.name, array.shape
            by_dtype = self._elements.get(op)
            if by_dtype is not None:
                known = by_dtype.get(x._dtype.name)
        else:
            key: list[Any] = [x._dtype.name, array.shape]
            for value in args[1:]:
                kind = type(value)
                if kind in _PLAIN:
                    key.append(value)
                elif not _note(value, kind, key):
                    return NotImplemented
            for name, value in kwargs.items():
                key.append(name)
                if not _note(value, type(value), key):
                    return NotImplemented
            found = tuple(key)
        by_shape = known is not None
        if known is None:
            try:
                known = self._calls[op][found]
            except KeyError:
                known = _UNSEEN
            if not known:
                if known is _UNSEEN:
                    return self._learn(found, op, args, kwargs)
                return self._converted(op, [x], args, kwargs)
        token = _set_errors(_QUIET)
        try:
            made = known.kernel(array)
        except (ValueError, TypeError, IndexError, OverflowError, MemoryError):
            return NotImplemented  # the full call says what is wrong
        finally:
            _reset_errors(token)
        result: Any
        if known.dtype is None:
            result = tuple([_wrap(m, (x,), [array]) for m in made])
        elif type(made) is ndarray and made.base is None and made is not array and made.flags.c_contiguous:
            result = _new(Tensor)
            result._dtype = known.dtype
            cell = result._storage = _new(Storage)
            cell.payload, cell.version, cell.place, cell.shared = made, 0, None, False
        else:
            result = _wrap(made, (x,), [array])
        if not x._stop and op.vjp is not NONDIFFERENTIABLE and is_recording():
            if by_shape:
                shape = array.shape
                record_as(known.kinds.get(shape) or known.learn(op, shape, (x,), result), (x,), result)
            else:
                record_as(known.kind or known.first(op, (x,), result), (x,), result)
        return result

    def _converted(self, op: Op, operands: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that isn't prepared: mostly one whose operands are converted first. A plan does that too."""
        run = runner()
        return NotImplemented if run is None or _asks_integers(operands) else run(op.in_full, args, kwargs)

    def _learn(self, key: tuple[Any, ...], op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The first call of its kind, in full; remembers it if preparing left its tensors as they were."""
        if len(args) < len(op.operands):  # an operand by name isn't among those that `again` finds by place
            return NotImplemented
        calls = self._calls.setdefault(op, {})
        if len(calls) >= _MOST_CALLS:
            calls.clear()
        calls[key] = None
        if not op.operands:
            return NotImplemented
        values, attrs = op.bind(args, kwargs)
        if any(x._dtype in LOW_FLOATS for x in values if isinstance(x, Tensor)):
            return NotImplemented
        operands: Any = values
        if op.prepare is not None:
            operands, attrs = op.prepared(self, list(values), attrs)
        operands = tuple(x if isinstance(x, Tensor) else self.constant(x, None) for x in operands)
        made = self.apply(op, operands, attrs)
        numbers = []
        if len(operands) != len(values):
            return made
        for k, (before, after) in enumerate(zip(values, operands, strict=True)):
            if type(before) in _NUMBERS:
                numbers.append((k, after._dtype))
                if after is not self.constant(before, after._dtype):
                    return made
            elif after is not before:
                return made
        if type(made) is tuple:
            calls[key] = Prepared(attrs, tuple(numbers), None, partial(op.eager, **attrs))
        else:
            types = [TensorType(x._dtype, x._storage.payload.shape) for x in operands]
            calls[key] = known = Prepared(attrs, tuple(numbers), made._dtype, op.kernel(types, attrs))
            if op.family == "elementwise" and not attrs and len(values) == 1 and not op.checked:
                self._elements.setdefault(op, {})[types[0].dtype.name] = known
        return made

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        arrays = []
        tracked = False
        for x in args:
            try:
                array = x._storage.payload
            except AttributeError:
                raise escaped(x, op.name) from None
            if type(array) is not ndarray:
                raise escaped(x, op.name)
            arrays.append(array)
            if not x._stop:
                tracked = True
        if op.checked:
            op.infer(*[TensorType(x._dtype, x._storage.payload.shape) for x in args], **attrs)
        token = _set_errors(_QUIET)
        try:
            made = op.eager(*arrays, **attrs)
        except (ValueError, TypeError, IndexError, OverflowError, MemoryError) as error:
            _explain(op, args, attrs, error)
            raise
        finally:
            _reset_errors(token)
        result: Any
        if type(made) is tuple:
            result = tuple([_wrap(m, args, arrays) for m in made])
        else:
            result = _wrap(made, args, arrays)
        if tracked and op.vjp is not NONDIFFERENTIABLE and is_recording():
            record(op, args, result, attrs)
        return result

    def constant(self, data: Any, dtype: DType | None) -> Any:
        kind = type(data)
        if kind is float or kind is int or kind is bool:
            if data != data:  # nan equals nothing: no key for a table
                return _scalar(data, dtype)
            key = (data if data else repr(data), kind, dtype, flags.default_dtype)  # 0.0 == -0.0
            found = self._constants.get(key)
            if found is None:
                if len(self._constants) >= _MOST_CONSTANTS:
                    self._constants.clear()
                found = self._constants[key] = _scalar(data, dtype)
                found._storage.shared = True
            return found
        return constant(data, dtype)


_NUMBERS = (int, float)


def _asks_integers(operands: list[Any]) -> bool:
    """Whether gradients of integers are wanted, which only the rules of the rows know how to give."""
    return any(isinstance(x, Tensor) and not x._stop and x._dtype.category == 1 for x in operands)


def _note(value: Any, kind: type, key: list[Any]) -> bool:
    """Put an attribute into the key of a call; False: it isn't one that a call can be known by."""
    if kind in _PLAIN:
        key.append(value)
        return True
    if kind is bool:
        key += kind, value
        return True
    key.append(kind)
    if kind is float:
        key.append(repr(value))  # 0.0 == -0.0
        return True
    if kind is list or kind is tuple:
        for part in value:
            if type(part) is not int:
                return False
        key.append(tuple(value))
        return True
    return False


def _fresh(made: Any, dtype: DType) -> Tensor:
    """A tensor over a contiguous array that nobody else has."""
    result: Tensor = _new(Tensor)
    result._dtype = dtype
    cell = result._storage = _new(Storage)
    cell.payload, cell.version, cell.place, cell.shared = made, 0, None, False
    return result


def _result(made: Any, dtype: DType, args: Sequence[Any], arrays: list[Any]) -> Tensor:
    """A tensor over a contiguous array computed from `arrays`, of which it may be one."""
    if made.base is None:
        for array in arrays:
            if array is made:
                break
        else:
            return _fresh(made, dtype)
    return _wrap(made, args, arrays)


def _wrap(made: Any, args: Sequence[Any], arrays: list[Any]) -> Tensor:
    if type(made) is not ndarray:
        made = np.asarray(made)
    if not made.flags.c_contiguous:
        made = made.copy("C")
    cell = _new(Storage)
    cell.payload, cell.version, cell.place = made, 0, None
    # a row without operands may hand out an array that it keeps
    cell.shared = not arrays
    if made.base is not None:
        cell.shared = _mark_aliases(made, args, arrays)
    else:
        for array in arrays:
            if array is made:
                cell.shared = _mark_aliases(made, args, arrays)
    result: Tensor = _new(Tensor)
    result._storage = cell
    try:
        result._dtype = _DTYPES[made.dtype]
    except KeyError:
        result._dtype = _DTYPES[made.dtype] = of_array(made)
    return result


def _root(array: Any) -> Any:
    while type(array) is ndarray and array.base is not None:
        array = array.base
    return array


def _mark_aliases(made: Any, args: Sequence[Any], arrays: list[Any]) -> bool:
    """Whether `made` shares memory with an operand (which is told so) or with memory of unknown owners."""
    root = _root(made)
    shared = type(root) is not ndarray or not made.flags.writeable
    for x, array in zip(args, arrays, strict=True):
        if _root(array) is root:
            shared = True
            x._storage.share()
    return shared


def _explain(op: Op, args: tuple[Any, ...], attrs: dict[str, Any], error: Exception) -> None:
    """Raise the typed error that the row's type rule has for these operands; return if it has none."""
    if isinstance(error, VitrifyError):
        return
    try:
        found = op.infer(*[TensorType(x.dtype, tuple(x.shape)) for x in args], **attrs)
        results = found if isinstance(found, tuple) else (found,)
        for kind in results:
            require_possible(op.name, kind)
    except VitrifyError as typed:
        raise typed from None  # NumPy's words say less
    if isinstance(error, MemoryError):
        sizes = [kind.size * kind.dtype.itemsize for kind in results if isinstance(kind, TensorType)]
        shown = f"{op.name} makes {', '.join(map(str, results))}: it"
        raise too_large(shown, sum(s for s in sizes if isinstance(s, int))) from None


EAGER = EagerInterpreter()
on_default_dtype.append(EAGER.forget)
set_bottom(EAGER)
