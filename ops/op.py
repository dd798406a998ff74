"""The op row and the registry. A row is all the project knows about one op; families (families.py) make most."""

from __future__ import annotations

import dis
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import CO_VARARGS, Parameter, Signature
from types import CodeType, FunctionType
from typing import Any, TypeAlias, TypeVar, Union

import numpy as np

from ..base.boundary import shorten
from ..base.dtype import LOW_FLOATS, float32
from ..base.errors import ArgumentError, DTypeError, KindError, VitrifyError
from ..base.misfits import no_argument
from .argument_names import ARGUMENT_NAMES, NONE, OUT_BY_PLACE, ArgumentNames
from .arith import Arithmetic, attach, is_value
from .bounds import Rule
from .dims import Dim, DimLike
from .dispatch import bottoms, current, interpreters
from .effects import Effect
from .interpreter import Interpreter
from .lowering import HOST, Lowering
from .mistakes import public, rename
from .types import TensorType, ValueType

Infer: TypeAlias = Callable[..., Union[ValueType, tuple[ValueType, ...]]]
Prepare: TypeAlias = Callable[[Interpreter, list[Any], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]]]


class _Nondifferentiable:
    """A row whose results carry no gradient says so with this value; silence is an error."""

    def __repr__(self) -> str:
        return "NONDIFFERENTIABLE"


NONDIFFERENTIABLE = _Nondifferentiable()
REQUIRED: Any = type("Required", (), {"__repr__": lambda self: "REQUIRED"})()
Specialise: TypeAlias = Callable[[Sequence[TensorType], dict[str, Any]], Union[Callable[..., Any], None]]
Work: TypeAlias = Callable[..., DimLike]  # (operands' types, results' types, **attributes)
KnownAxes: TypeAlias = Callable[..., Sequence[int]]  # (first operand's type, with the sizes of a call; **attributes)
Vjp: TypeAlias = Union[Callable[..., Sequence[Any]], _Nondifferentiable]


@dataclass(frozen=True, slots=True)
class Sample:
    """Inputs for the generated tests: operand arrays and attributes. `smooth`: numeric gradients make sense here."""

    args: tuple[Any, ...]
    attrs: dict[str, Any] = field(default_factory=dict)
    smooth: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """One way in which data, not types alone, make a row fail (see failing.py). Each is given operands and attributes.

    happens: whether it does, a bool value without axes; None where these operands can't. words: what the error says,
    in strings, sizes and integers without axes. remedy: its help, if it has one. of_sizes: it can't happen where no run
    makes a size of an operand.
    """

    happens: Callable[..., Any]
    error: type[VitrifyError]
    words: Callable[..., Sequence[Any]]
    remedy: Callable[..., str | None]
    of_sizes: bool = False


def _signature(op: Op) -> Signature:
    """What `inspect.signature` says of an op."""
    positional = Parameter.POSITIONAL_OR_KEYWORD
    found = [Parameter(name.lstrip("*"), positional) for name in op.operands]
    for name, default in op.attrs.items():
        required = default is REQUIRED
        kind = positional if not required or all(p.default is p.empty for p in found) else Parameter.KEYWORD_ONLY
        found.append(Parameter(name, kind, default=Parameter.empty if required else default))
    found.append(Parameter("name", Parameter.KEYWORD_ONLY, default=None))
    return Signature(sorted(found, key=lambda p: p.kind))


def _is_short_array(v: Any) -> bool:
    """Whether an operand is an array of NumPy's with float16 or bfloat16 numbers."""
    return isinstance(v, np.ndarray) and any(v.dtype == d.numpy for d in LOW_FLOATS)


def _are_bools(values: Sequence[Any]) -> bool:
    """Whether operands are bool tensors, or bools beside one; Python's own bools are numbers in arithmetic."""
    kinds = (v.dtype.is_bool if isinstance(v, Arithmetic) else isinstance(v, bool) for v in values)
    return any(map(is_value, values)) and all(kinds)


def _calls() -> None:
    """Stands for the code of ops where somebody asks for it: code of this library."""


@dataclass(frozen=True, eq=False)
class Op:
    """One op, one row. Calling it runs it under the active interpreter (see dispatch.py).

    operands: names; a last one spelled `*xs` takes one list of values. attrs: name -> default (REQUIRED for none).
    """

    name: str
    doc: str
    operands: tuple[str, ...]
    infer: Infer
    eager: Callable[..., Any]
    vjp: Vjp
    lowering: Lowering = HOST
    attrs: dict[str, Any] = field(default_factory=dict)
    prepare: Prepare | None = None
    effect: Effect = Effect.PURE
    samples: Callable[[], list[Sample]] = list
    method: bool = True
    public: bool = True
    operator: str | None = None
    checked: bool = True  # eager mode runs `infer` before `eager`; False where `eager` fails on what `infer` rejects
    commutative: bool = False
    selective: bool = False  # `vjp` takes `wanted`, one bool per operand, and may leave out gradients nobody wants
    family: str = ""
    onnx: str | None = None
    gather: Callable[[list[Any]], Any] | None = None  # the only attribute, of arguments listed one by one
    specialise: Specialise | None = None  # a shorter `eager` for certain operands, with the same bits as results
    known_axes: KnownAxes | None = None  # of the first operand, whose sizes a kernel must know: see jit/call/cache.py
    failures: tuple[Failure, ...] = ()  # how data make it fail: where code goes on behind the error, a run must ask
    work: Work | None = None  # floating-point operations, where the lowering doesn't tell (ops/work.py)
    bounds: Rule | None = None  # of integers and bools among the elements, from those of the operands (bounds.py)
    # Facts that passes read; tests/ops/test_facts.py holds each against the samples.
    terms: tuple[int, ...] = ()  # signs, if the result is the operands added up with these signs (and broadcasting)
    is_contraction: bool = False  # x @ y: sums of products over an axis of each; transpose_x, transpose_y tell which
    is_bilinear: bool = False  # linear in each of two operands: the gradient of one reads the other alone
    is_literal: bool = False  # the elements come from attributes and indices alone: nothing is read
    detaches: bool = False  # the operand itself, without its gradient
    writes_into_first: bool = False  # the first operand with some elements changed: its memory may be written to
    of_bools: str = ""  # the row that computes it where all operands are bool: there + is "or", and * is "and"

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """A function's, for whoever asks `inspect.isfunction(vt.abs)`; `type(op)` is Op, `isinstance(op, Op)` true."""
        return FunctionType

    @property
    def __name__(self) -> str:
        return self.name

    def __getattr__(self, name: str) -> Any:
        """What else functions have."""
        if name == "__qualname__":
            return self.name
        if name == "__signature__":
            return _signature(self)
        if name in ("__code__", "__globals__", "__closure__", "__defaults__", "__kwdefaults__"):
            return getattr(_calls, name)
        raise AttributeError(f"an op has no attribute {name!r}")

    def __deepcopy__(self, memo: dict[int, Any]) -> Op:
        return self

    def __copy__(self) -> Op:
        return self

    @property
    def is_variadic(self) -> bool:
        return bool(self.operands) and self.operands[-1].startswith("*")

    @cached_property
    def names(self) -> ArgumentNames:
        """Further names of its arguments."""
        return ARGUMENT_NAMES.get(self.name, NONE)

    @cached_property
    def numbers(self) -> int:
        """How many operands may be Python numbers whose values decide nothing about the call."""
        return len(self.operands) if self.family == "elementwise" and not self.is_variadic else 0

    @cached_property
    def fits_all_shapes(self) -> bool:
        """Whether a call depends on the dtypes of its operands alone: NumPy itself broadcasts, or refuses."""
        return bool(self.numbers) and not self.attrs and not self.checked

    @cached_property
    def key_form(self) -> tuple[int, bool]:
        """What the cache of eager calls asks at each call: `numbers` and `fits_all_shapes`."""
        return self.numbers, self.fits_all_shapes

    @property
    def only_moves(self) -> bool:
        """Whether the kernel only moves elements: nothing can overflow."""
        return self.family in ("view", "shape")

    @property
    def is_sum(self) -> bool:
        """Whether the result is the sum of two operands."""
        return self.terms == (1, 1)

    @property
    def is_difference(self) -> bool:
        """Whether the result is the first operand minus the second."""
        return self.terms == (1, -1)

    @property
    def is_differentiable(self) -> bool:
        return self.vjp is not NONDIFFERENTIABLE

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            if kwargs and not self.names.others.isdisjoint(kwargs):
                return self.names.call(self.name, self, args, kwargs)
            active = interpreters()
            if not active or active[-1] is bottoms[0]:
                made = bottoms[0].again(self, args, kwargs)
                if made is not NotImplemented:
                    return made
            return self.in_full(*args, **kwargs)
        except VitrifyError as error:
            if self.has_out(args):
                return self.names.call(self.name, self, args[:-1], {**kwargs, "out": args[-1]})
            shorten(error)
            raise

    def has_out(self, args: tuple[Any, ...]) -> bool:
        """Whether the tensor behind the operands is what the result is written into."""
        return self.name in OUT_BY_PLACE and len(args) == len(self.operands) + 1 and is_value(args[-1])

    def in_full(self, *args: Any, **kwargs: Any) -> Any:
        """A call that looks for nothing remembered: arguments are bound, operands converted, types checked."""
        interpreter = current()
        values, attrs = self.bind(args, kwargs)
        if self.of_bools and _are_bools(values):
            return OPS[self.of_bools].in_full(*args, **kwargs)
        try:
            if self.prepare is None:
                operands = tuple(v if is_value(v) else interpreter.constant(v, None) for v in values)
            else:
                operands, attrs = self.prepared(interpreter, values, attrs)
            made = interpreter.apply(self, operands, attrs)
            name = self._name_given(args, kwargs)
            return made if name is None else interpreter.named(made, name)
        except DTypeError:
            values = [interpreter.constant(v, None) if _is_short_array(v) else v for v in values]
            if not any(is_value(v) and v.dtype in LOW_FLOATS for v in values):
                raise
        return self._in_float32(values, attrs)

    def _name_given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The name that a user gave the result: Paddle's functions all end in `name=None`."""
        if kwargs:
            return kwargs.get("name")
        is_last = not self.is_variadic and len(args) == len(self.operands) + len(self.attrs) + 1
        return args[-1] if is_last and isinstance(args[-1], str) else None

    def prepared(self, interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Any:
        """What `prepare` makes of a call. Errors: KindError where it trips over an attribute of another kind."""
        assert self.prepare is not None
        try:
            return self.prepare(interpreter, values, attrs)
        except (TypeError, ValueError, OverflowError) as error:
            listed = {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in attrs.items()}
            if any(listed[name] is not v for name, v in attrs.items()):  # arrays for lists
                return self.prepared(interpreter, values, listed)
            if isinstance(error, VitrifyError):
                raise
            told = {name: value for name, value in attrs.items() if value is not self.attrs.get(name, REQUIRED)}
            shown = ", ".join(f"{name}={value!r:.60}" for name, value in told.items())
            raise KindError(f"{self.name} doesn't take {shown}: {error}") from error

    def _in_float32(self, values: list[Any], attrs: dict[str, Any]) -> Any:
        """The op on float16 or bfloat16 operands that it doesn't take: computed in float32, then rounded."""
        low = next(v.dtype for v in values if is_value(v) and v.dtype in LOW_FLOATS)
        cast = OPS["cast"]
        operands = [cast(v, float32) if is_value(v) and v.dtype in LOW_FLOATS else v for v in values]
        fixed = len(self.operands) - self.is_variadic
        made = self(*operands[:fixed], *([operands[fixed:]] if self.is_variadic else []), **attrs)
        if not current().rounds_result(self):
            return made
        if isinstance(made, tuple):
            return tuple(cast(m, low) if m.dtype is float32 else m for m in made)
        return cast(made, low) if made.dtype is float32 else made

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Split call arguments into operand values and attributes (with defaults filled in)."""
        count = len(self.operands)
        if not self.attrs and not kwargs and len(args) == count and not self.is_variadic:
            return list(args), {}
        values = list(args[:count])
        attrs = dict(self.attrs)
        attrs.update(zip(self.attrs, args[count:], strict=False))
        if kwargs or len(values) < count or len(args) > count + len(self.attrs):
            self._bind_named(args, kwargs, values, attrs)
        for value in attrs.values():
            if value is REQUIRED:
                missing = [n for n, v in attrs.items() if v is REQUIRED]
                raise KindError(f"{self.name}() needs the argument {missing[0]!r}: {self.signature}")
        if self.is_variadic:
            values[-1:] = list(values[-1])
        return values, attrs

    def _bind_named(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], values: list[Any], attrs: dict[str, Any]
    ) -> None:
        most = len(self.operands) + len(self.attrs)
        if len(args) == most + 1 and not self.is_variadic and isinstance(args[-1], str | None):
            args = args[:-1]  # the name
        if len(args) > most:
            listed = list(args[len(self.operands) :])
            if self.gather is None or not all(isinstance(d, int | Dim | np.integer) or is_value(d) for d in listed):
                raise KindError(f"{self.name}() got {len(args)} arguments: {self.signature}")
            attrs[next(iter(self.attrs))] = self.gather(listed)
        rest = dict(kwargs)
        for operand in self.operands[len(values) :]:
            key = operand.lstrip("*")
            if key not in rest:
                raise KindError(f"{self.name}() needs the argument {key!r}: {self.signature}")
            values.append(rest.pop(key))
        for key, value in rest.items():
            if key in attrs:
                attrs[key] = value
            elif key != "name":  # Paddle's functions all take name=None
                raise no_argument(self.name, key, [n for n in self.attrs if n not in kwargs], self.signature)

    def kernel(self, types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any]:
        """`eager` for arrays of these types, with the attributes filled in."""
        special = None if self.specialise is None else self.specialise(types, attrs)
        if special is not None:
            return special
        return partial(self.eager, **attrs) if attrs else self.eager

    @property
    def signature(self) -> str:
        """`name(x, y, axis=None)` for messages and the reference page."""
        defaults = [f"{k}" if v is REQUIRED else f"{k}={v!r}" for k, v in self.attrs.items()]
        return f"{self.name}({', '.join([o.lstrip('*') for o in self.operands] + defaults)})"

    @cached_property
    def vjp_reads(self) -> frozenset[str] | None:
        """Names of the vjp's parameters whose values its code reads: only these must be kept for backward. None: all.

        `x.shape` and `x.dtype` don't read the value of `x`.
        """
        code = self._vjp_code
        if code is None or code.co_freevars:
            return None
        several = _star_name(code)
        names = {*code.co_varnames[: code.co_argcount], *code.co_cellvars, *([several] if several else [])}
        read: set[str] = set()
        elements: set[str] = set()  # variables that stand for one operand of several after another
        steps = list(dis.get_instructions(code))
        for k, step in enumerate(steps):
            loaded, following = _loaded(step), [s.opname for s in steps[k + 1 : k + 4]]
            if loaded[-1:] == [several] and following == ["GET_ITER", "FOR_ITER", "STORE_FAST"]:
                elements.add(steps[k + 3].argval)
                loaded.pop()
            elif loaded and following[:1] == ["LOAD_ATTR"] and steps[k + 1].argval in ("shape", "dtype", "ndim"):
                loaded.pop()
            read.update(loaded)
        if several and not read.isdisjoint(elements):
            read.add(several)
        return frozenset(names & read)

    @property
    def _vjp_code(self) -> CodeType | None:
        return getattr(getattr(self.vjp, "rule", self.vjp), "__code__", None)

    def saved(self, count: int) -> tuple[bool, tuple[bool, ...]]:
        """Whether vjp reads the results' values, and for each of `count` operands whether it reads its value."""
        reads, code = self.vjp_reads, self._vjp_code
        if reads is None or code is None:
            return True, (True,) * count
        names = code.co_varnames[: code.co_argcount]
        several = _star_name(code) in reads
        xs = names[2:]
        flags = tuple(xs[k] in reads if k < len(xs) else several for k in range(count))
        return (len(names) < 2 or names[1] in reads), flags

    def __repr__(self) -> str:
        return f"<op {self.signature}>"


def _star_name(code: CodeType) -> str | None:
    """The parameter that takes any number of arguments."""
    at = code.co_argcount + code.co_kwonlyargcount
    return code.co_varnames[at] if code.co_flags & CO_VARARGS else None


def _loaded(step: dis.Instruction) -> list[str]:
    """The names that an instruction loads, in order."""
    if "LOAD" not in step.opname:
        return []
    found = list(step.argval) if isinstance(step.argval, tuple) else [step.argval]
    if step.opname.startswith("STORE"):  # Python 3.13 joins a store and a load
        del found[0]
    return [name for name in found if isinstance(name, str)]


OPS: dict[str, Op] = {}
OWN_OPS: dict[str, Op] = {}  # those of them that a user registered (jit/custom_ops.py)


class OpTable:
    """OpTable by name, `rows.tanh`: the op itself, even where a public function has its name, and inner rows."""

    def __getattr__(self, name: str) -> Op:
        if name not in OPS:
            raise AttributeError(f"there is no row {name!r}")
        return OPS[name]


rows = OpTable()


def register(op: Op) -> Op:
    """Put a row into the table; a second row of the same name is a mistake."""
    if op.name in OPS:
        raise ArgumentError(f"op {op.name!r} is registered twice")
    OPS[op.name] = op
    if op.operator:
        attach(op.operator, op)
    return op


def row(name: str, doc: str, operands: str, **fields: Any) -> Op:
    """Make and register a row; `operands` is a space-separated list of names. For ops outside the families."""
    return register(Op(name=name, doc=doc, operands=tuple(operands.split()), **fields))


def random_array(
    seed: int, shape: tuple[int, ...], low: float = -2.0, high: float = 2.0, dtype: str = "float64"
) -> Any:
    """A reproducible array for samples, uniform in [low, high)."""
    values = np.random.default_rng(seed).uniform(low, high, shape)
    return values.astype(dtype)


FUNCTIONS: dict[str, Callable[..., Any]] = {}  # functions over rows; one with a row's name is that row's public face
METHOD_FUNCTIONS: dict[str, Callable[..., Any]] = {}  # those of them that are Tensor methods too
F = TypeVar("F", bound=Callable[..., Any])


def composite(*names: str, method: bool = True, function: bool = True) -> Callable[[F], F]:
    """Register a function over rows as public under `names` (default: its own), and as a method of tensors.

    A trailing underscore in the function's own name is dropped. `function=False`: a method only.
    """

    def add(fn: F) -> F:
        own = fn.__name__
        for name in names or (own.rstrip("_"),):
            if name in FUNCTIONS:
                raise ArgumentError(f"function {name!r} is registered twice")
        first = own if own in names else names[0] if names else own.rstrip("_")
        if own != first and own not in FUNCTIONS and type(fn) is FunctionType:
            rename(fn, first)
        shown = public(fn)
        for name in names or (own.rstrip("_"),):
            if function:
                FUNCTIONS[name] = shown
            if method:
                METHOD_FUNCTIONS[name] = fn
        return fn

    return add
