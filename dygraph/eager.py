"""The eager interpreter: runs each op at once on NumPy arrays, wraps the results, and records the tape.

Calls that were seen before take a shorter way: call_cache.py.
"""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from ..base.dtype import DType, always
from ..base.errors import VitrifyError
from ..base.memory import too_large
from ..ops.dispatch import current
from ..ops.interpreter import Interpreter
from ..ops.op import Op
from ..ops.types import TensorType, require_possible
from .constants import constant as constant
from .elements import escaped
from .float_errors import QUIET, enter, leave
from .modes import is_recording
from .new_tensors import from_array as from_array
from .new_tensors import result
from .tape import record


class EagerInterpreter(Interpreter):
    """Runs ops on arrays."""

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
        token = enter(QUIET)
        try:
            computed = op.eager(*arrays, **attrs)
        except (ValueError, TypeError, IndexError, OverflowError, MemoryError) as error:
            _explain(op, args, attrs, error)
            raise
        finally:
            leave(token)
        made: Any = tuple([result(m, args) for m in computed]) if type(computed) is tuple else result(computed, args)
        if tracked and op.is_differentiable and is_recording():
            record(op, args, made, attrs)
        return made

    def constant(self, data: Any, dtype: DType | None) -> Any:
        return constant(data, dtype)

    def write_out(self, target: Any, made: Any) -> Any:
        if current().give(target, made):  # a variable of a static program
            return target
        return target._update(_result_of(made), (), {}, reshapes=True, retypes=always)


def _result_of(made: Any) -> Any:
    """What `_update` runs to write `made`."""

    def out(target: Any) -> Any:
        return made

    return out


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
