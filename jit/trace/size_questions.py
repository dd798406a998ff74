"""What a tracer answers about sizes: user code and the type rules ask, the program guards what the answers assume."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType
from typing import Any, NamedTuple

from ...base.dtype import DType, int64
from ...base.errors import CaptureError, ShapeError
from ...base.frame_marks import asks_for_caller, captured
from ...base.location import caller_loc, is_foreign, is_library_file
from ...dygraph.number import Number, number_over
from ...dygraph.tensor import Tensor
from ...ir.builder import Builder
from ...ir.core import Program, Value
from ...ir.value_bounds import value_bounds
from ...ir.walk import walk
from ...ops.dims import Dim, DimLike, assume_equal, at_least, never_negative, same_dim
from ...ops.op import OPS, Op
from ...ops.sizes import at_large, runtime_names, solved
from ...ops.types import TensorType
from .known_values import EqualValues, asker, known_array, known_size, size_of
from .state.escapes import with_origins
from .state.write_log import Log
from .traced import BelowZero

_DIVISIONS = {"//": operator.floordiv, "%": operator.mod}
_COMPARED = {
    "equal": operator.eq, "not_equal": operator.ne, "less_than": operator.lt, "less_equal": operator.le,
    "greater_than": operator.gt, "greater_equal": operator.ge,
}  # fmt: skip
MOST_WIDTH = 64  # elements of a slice around a loop's number that are read one by one


class _Counted(NamedTuple):
    """A number made of that of a loop's iteration: `iteration * factor + added`."""

    iteration: Value
    factor: int
    added: DimLike


class SizeQuestions:
    """The part of the tracer (tracer.py) that decides relations of sizes."""

    program: Program
    hints: Mapping[str, int] | None
    known_symbols: dict[str, str]
    logs: list[Log]
    counts: dict[Value, DimLike]  # the number of an iteration -> how many its loop has
    constant: Callable[[Any, DType | None], Any]
    value_of: Callable[[Tensor], Value]
    builder: Builder
    regions: list[Any]  # code that can run again, from the whole function inwards
    hands_over: Callable[[type[BaseException]], bool]
    check: Callable[[Value, str, str], None]

    @functools.cached_property
    def equal(self) -> EqualValues:
        """The values that are computed alike."""
        return EqualValues()

    def known_size(self, x: Tensor) -> int | Dim | None:
        """The size that a tensor with one element stands for; None for others."""
        payload = x._storage.payload
        return known_size(payload) if isinstance(payload, Value) else None

    def may_be_negative(self, x: Any) -> bool:
        """Whether an integer tensor with one element is a number that only a run knows, and that may be below 0."""
        value = x._storage.payload if isinstance(x, Tensor) else None
        if not isinstance(value, Value) or not value.dtype.is_integer or value.tensor_type.size != 1:
            return False
        bounds = value_bounds(value)
        return known_size(value) is None and (bounds is None or bounds[0] < 0)

    def known(self, x: Tensor) -> Any | None:
        """The array that a tensor is known to hold because it is computed from constants; None for others."""
        payload = x._storage.payload
        return known_array(payload) if isinstance(payload, Value) else None

    def told_by_sizes(self, x: Tensor) -> Any | None:
        """The array that a small tensor holds in this call because it is computed from the sizes of arguments, which
        are guarded then: `int(x.numel() * 0.5)`. None for others.
        """
        payload, used = x._storage.payload, list[Dim]()

        def told(size: Dim) -> int | None:
            used.append(size)
            return None if runtime_names(size) or self._lacks(size) else int(size.evaluate(self.hints or {}))

        found = known_array(payload, told=told) if isinstance(payload, Value) else None
        for size in used if found is not None else ():
            self.size_now(size)
        return found

    def condition_on_sizes(self, flag: Value) -> bool | None:
        """What a comparison of sizes of arguments says in this call: guarded, as `x.shape[0] == 1` is. None for others:
        `if x.numel() == 1:`, as numel() gives a tensor.
        """
        operation = flag.operation
        compare = None if operation is None else _COMPARED.get(operation.name)
        if operation is None or compare is None:
            return None
        sizes: list[Any] = [known_size(x) for x in operation.operands]
        dims = [d for d in sizes if isinstance(d, Dim)]
        if None in sizes or any(runtime_names(d) or self._lacks(d) for d in dims):
            return None
        return bool(compare(*sizes))

    def width_inside(self, start: Any, stop: Any, size: DimLike) -> int | None:
        """How many elements `x[start:stop]` has, where both are a loop's number, times the same, and something:
        `x[i : i + 1]`, `x[3 * i : 3 * i + 3]`.
        """
        low, high = self._counted(start), self._counted(stop)
        if low is None or high is None or low.iteration is not high.iteration or low.factor != high.factor:
            return None
        width = high.added - low.added
        if not isinstance(width, int) or not 0 < width <= MOST_WIDTH:
            return None
        moved = (self.counts[low.iteration] - 1) * low.factor
        least, greatest = (low.added, moved + high.added) if low.factor > 0 else (moved + low.added, high.added)
        return width if at_least(least, 0) and at_least(size, greatest) else None

    def counts_known_iterations(self, x: Any) -> bool:
        """Whether a number is that of a loop's iteration, times something and more, in a loop of known length."""
        found = self._counted(x)
        return found is not None and isinstance(self.counts[found.iteration], int)

    def _counted(self, x: Any) -> _Counted | None:
        """The number of a loop's iteration that a value is made of, its factor, and what is added; None for others."""
        value: Any = x._storage.payload if isinstance(x, Tensor) else None
        factor: int = 1
        added: DimLike = 0
        while isinstance(value, Value) and value not in self.counts:
            operation = value.operation
            if operation is None or operation.name not in ("add", "subtract", "multiply") or not operation.operands:
                return None  # in code that was given up it has no operands any more
            a, b = operation.operands
            value, known = a, known_size(b)
            if known is None:
                value, known = b, known_size(a)
            if known is None:
                return None
            if operation.name == "multiply":
                if not isinstance(known, int) or not known:
                    return None
                factor *= known
            elif operation.op.is_sum:
                added += known * factor
            elif value is a:
                added -= known * factor
            else:
                added, factor = added + known * factor, -factor
        return _Counted(value, factor, added) if isinstance(value, Value) else None

    def built(self, op: Op, values: tuple[Value, ...], attrs: dict[str, Any]) -> Any:
        """An operation of the program. Where code goes on behind the error, sizes of this call must be its reason."""
        try:
            return self.builder.apply(op, values, attrs)
        except ShapeError as error:
            few = [d for v in values for d in getattr(v.type, "shape", ()) if self._is_few(d)]
            is_one_path = len(self.regions) > 1 or any(region.forced for region in self.regions)
            if few and (is_one_path or self.hands_over(ShapeError)):
                raise CaptureError(
                    f"a size is 0 or 1 in this call, which fits where the open size {few[0]} doesn't: {error.message}",
                    loc=caller_loc(),
                    remedy="declare the size as a number",
                ) from error
            raise

    def _is_few(self, size: DimLike) -> bool:
        if not isinstance(size, Dim) or runtime_names(size) or self._lacks(size):
            return False
        return size.evaluate(self.hints or {}) in (0, 1)

    def size_of(self, x: Tensor) -> int | Dim:
        """An integer tensor with one element as a size (see known_values.py)."""
        return size_of(self, self.value_of(x))

    def decide(self, relation: str, difference: Dim) -> bool:
        """Answer a question about sizes from the example's sizes, and guard the answer."""
        if relation in _DIVISIONS:
            return self._divide(relation, difference)
        if runtime_names(difference):
            answer: bool = self._at_run_time(relation, difference)  # a tensor, if user code asks: it is captured
            return answer
        if self._lacks(difference):
            assumed = self._assume(relation, difference)
            if assumed is None:
                return self._asked(relation, difference)  # type: ignore[no-any-return]  # user code: as above
            answer, value = assumed
        else:
            assert self.hints is not None
            size = difference.evaluate(self.hints)
            assert isinstance(size, int)
            value = size
            answer = value == 0 if relation == "==" else value >= 0
        guard: tuple[str, Any] = (relation, difference)
        if answer and relation == "==":
            guard = _without_maximum(difference) or guard
        if not answer:  # what doesn't hold is put as what does
            guard = (">=", difference - 1) if value > 0 else (">=", -difference - 1)
        self._guard(guard)
        return answer

    def _divide(self, sign: str, divisor: Dim) -> bool:
        """User code divides by a size: the run ends with Python's error where that is 0."""
        if never_negative(divisor - 1) or _is_ours(asker()):
            return True
        if not runtime_names(divisor):
            if not self._lacks(divisor) and self.decide("==", divisor):  # what follows needn't have a division
                _DIVISIONS[sign](1, 0)
        else:
            with self.builder.active():
                good = OPS["not_equal"](divisor, 0)
            try:
                _DIVISIONS[sign](1, 0)
            except ZeroDivisionError as error:
                self.check(good, str(error), "ZeroDivisionError")
        return True

    def is_open(self, size: Dim, on_a_path: bool = False) -> bool:
        """Whether no example tells the size, nor what the program assumes already; on_a_path: see ops/dims.py."""
        if runtime_names(size) or not self._lacks(size) or (on_a_path and len(self.logs) < 2):
            return False
        return isinstance(size.evaluate(solved(self.program.constraints)), Dim)

    def _lacks(self, size: Dim) -> bool:
        return self.hints is None or not size.symbols() <= set(self.hints)

    def _guard(self, guard: tuple[str, Any]) -> None:
        if guard not in [c for c in self.program.constraints if _same_guard(c, guard)]:
            self.program.constraints.append(guard)

    def guard_sizes(self) -> None:
        """Guard that no size in the program is below 0, as `N-1` is in a call without elements: kernels don't ask.

        Errors: BelowZero where one is in this call.
        """
        seen: set[int] = set()
        kinds = {id(v.type): v.type for o in walk(self.program.body) for v in o.results}  # most values share theirs
        for kind in kinds.values():
            for size in getattr(kind, "shape", ()):
                if isinstance(size, Dim) and id(size) not in seen:
                    seen.add(id(size))
                    self._guard_size(size)

    def _guard_size(self, size: Dim) -> None:
        if never_negative(size) or runtime_names(size):
            return
        now = 0 if self._lacks(size) else size.evaluate(self.hints or {})
        if isinstance(now, int) and now < 0:
            raise BelowZero(f"the size {size} is {now}", remedy="give more elements")
        self._guard((">=", size))

    def note_known(self, op: Op, x: Tensor, attrs: dict[str, Any]) -> None:
        """Note the sizes that a row's kernel must know, where a call tells them: there may be a program for each."""
        assert op.known_axes is not None
        if self.hints is None or not any(isinstance(d, Dim) for d in x.shape):
            return
        shape = [d.evaluate(self.hints) if isinstance(d, Dim) else d for d in x.shape]
        for axis in op.known_axes(TensorType(x.dtype, tuple(shape)), **attrs):
            size = x.shape[axis]
            if isinstance(size, Dim) and isinstance(shape[axis], int):
                self.known_symbols.update(dict.fromkeys(size.symbols(), op.name))

    def number_of(self, size: Dim) -> Number:
        """A size as a Python number that only a run knows."""
        return number_over(self.constant(size, None))

    def size_now(self, size: Dim) -> int:
        """The number that a size is in the example, guarded. Errors: CaptureError for sizes without an example."""
        known = size.evaluate(solved(self.program.constraints))
        if isinstance(known, int):
            return known
        if self.hints is None or not size.symbols() <= set(self.hints):
            only = "only a run knows it" if runtime_names(size) else "an InputSpec leaves it open"
            error = CaptureError(
                f"a number is needed where the size {size} is given, and {only}",
                remedy="declare the size as a number in the InputSpec, or give a number that the function knows",
            )
            raise with_origins(self, error, [size])
        number = size.evaluate(self.hints)
        assert isinstance(number, int)
        self._guard(("==", size - number))
        return number

    def hashes_size(self, size: Dim) -> None:
        """Errors: CaptureError where the user's code makes a size a key of a dict or an element of a set."""
        if _is_users_key():
            error = CaptureError(
                f"the size {size}, which changes between calls, becomes a key of a dict or an element of a set",
                loc=caller_loc(),
                remedy="use int(n) of a size that an InputSpec declares, or a list of pairs",
            )
            raise with_origins(self, error, [size])

    def _at_run_time(self, relation: str, difference: Dim) -> Any:
        """A question about a size that only a run knows: user code gets a tensor; the type rules take sizes as fitting,
        which the run checks.
        """
        by = asker()
        if by is assume_equal.__code__ and relation == "==":
            return True
        if _is_ours(by) or by.co_filename == "<string>":  # the latter: dataclasses
            return relation == ">=" and at_large(difference) >= 0
        return self._asked(relation, difference)

    def sizes_agree(self, a: Any, b: Any) -> bool:
        """Whether two paths leave an axis with one size; not assumed for sizes that an InputSpec leaves open."""
        difference = a - b
        if isinstance(difference, int):
            return difference == 0
        if self.hints is not None and difference.symbols() <= set(self.hints):
            return self.decide("==", difference)
        known = difference.evaluate(solved(self.program.constraints))
        return isinstance(known, int) and known == 0

    def _asked(self, relation: str, difference: Dim) -> Any:
        """The question as a bool that a run answers."""
        op = OPS["equal" if relation == "==" else "greater_equal"]
        return number_over(op(self.constant(difference, None), self.constant(0, int64)))

    def _assume(self, relation: str, difference: Dim) -> tuple[bool, int] | None:
        """Answer for sizes that only an InputSpec describes: a row's type rule takes them as fitting and large.

        None where user code asks: the program answers.
        """
        by = asker()
        known = difference.evaluate(solved(self.program.constraints))
        if isinstance(known, int):  # what was assumed before decides
            return known == 0 if relation == "==" else known >= 0, known
        if by is assume_equal.__code__ or _is_ours(by):
            if relation == "==" and by is assume_equal.__code__:
                return True, 0
            value = at_large(difference)
            return value == 0 if relation == "==" else value >= 0, value
        return None


def _is_ours(by: CodeType) -> bool:
    """Whether code of this package asks, but for what is captured as users' code is: `zip`, `next`, `max` in Python."""
    return is_library_file(by.co_filename) and by not in captured


def _is_users_key() -> bool:
    """Whether user code, or library code that it calls, hashes a size."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code.co_filename == "<string>":  # `__hash__` of a dataclass
            return not is_library_file(frame.f_globals.get("__file__") or "")
        if code not in asks_for_caller and not is_foreign(code.co_filename):
            return not _is_ours(code)
        frame = frame.f_back
    return False


def _without_maximum(difference: Dim) -> tuple[str, DimLike] | None:
    """`a - b >= 0` for a difference of 0 between the larger of both and a."""
    for monomial, factor in difference.terms:
        if len(monomial) == 1 and isinstance(monomial[0], tuple) and monomial[0][0] == "max" and abs(factor) == 1:
            _, a, b = monomial[0]
            rest = (Dim({monomial: factor}) - difference) * factor  # what the larger one is, then
            for one, other in ((a, b), (b, a)):
                if same_dim(rest - one, 0):
                    return ">=", one - other
    return None


def _same_guard(a: tuple[str, Dim], b: tuple[str, Any]) -> bool:
    return a[0] == b[0] and isinstance(b[1], Dim) and same_dim(a[1], b[1])
