"""Strings made from tensors while capturing (f-strings, `format`, `str`): a token stands for each tensor.

`print` and messages of exceptions fill the tokens in when the program runs; elsewhere it is an error.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from ....base.dtype import int64
from ....base.errors import CaptureError
from ....base.frame_marks import fails_for_caller
from ....base.location import caller_loc
from ....base.pytree import flatten
from ....base.size import teller
from ....dygraph.number import Number, number_over
from ....dygraph.tensor import Parameter, Tensor
from ....ir.core import Value
from ....ops.dims import Dim
from ....ops.types import TensorType
from ...serialize.shown_text import CONVERSIONS, ShownLeaf, ShownValues
from ...trace.state.escapes import TOKEN, refuse_kept, tells_late, with_origins
from ...trace.tracer import Tracer, active
from ..regions.markers import Poison
from .object_copies import copied
from .own_methods import own_method


def holds_tensors(x: object) -> bool:
    """Whether a value is a string made from tensors."""
    return isinstance(x, str) and tells_late(x)


class RunTimeString(str):
    """A string that is known only at run time. It can be printed and put into other strings, but not read."""

    __slots__ = ()

    def _ask(self, *_: Any, **__: Any) -> NoReturn:
        error = CaptureError(
            "this string contains the value of a tensor, so what it says isn't known during compilation",
            loc=caller_loc(),
            remedy="compare the tensor itself with a number; print() and messages of errors take such strings",
        )
        tracer = active()
        raise error if tracer is None else with_origins(tracer, error, [str.__str__(self)])

    def __add__(self, other: str) -> RunTimeString:
        return RunTimeString(str.__add__(self, other))

    def __radd__(self, other: str) -> RunTimeString:
        return RunTimeString(str.__add__(other, self))

    def __str__(self) -> str:
        return self

    def __repr__(self) -> str:
        """In quotes, where nothing in it has to be escaped: of known texts, and of numbers."""
        tracer, texts = active(), TOKEN.split(self)[::2]
        are_plain = all(repr(text) == f"'{text}'" for text in texts)
        if tracer is None or not are_plain or not all(_is_number(*tracer.strings[int(k)]) for k in TOKEN.findall(self)):
            self._ask()
        return RunTimeString(f"'{str.__str__(self)}'")

    def __format__(self, spec: str) -> str:
        return self.formatted(spec) if spec else self

    def formatted(self, spec: str) -> str:
        """The text of one value in a width; spec: of `format`, or of `%` with a "%" in front. Of several texts that are
        put together, the length is known too late.
        """
        tracer, found = active(), TOKEN.fullmatch(self)
        if tracer is None or found is None:
            self._ask()
        x, inner, _ = tracer.strings[int(found[1])]
        if inner not in ("", "!s", "!r"):
            self._ask()
        if spec[:1] == "%":
            return tracer.string_of(x, "!" + (spec[:-1] + "r" if inner == "!r" else spec))
        return tracer.string_of(x, f"{inner or '!s'}{spec}")


def _is_number(x: Tensor, spec: str, loc: Any) -> bool:
    """Whether a value is shown as a number: a Python number, or a tensor's element in a format of its own."""
    return type(x) is Number or bool(spec and not spec.startswith("!"))


for _name in (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__len__", "__bool__", "__contains__",
    "__iter__", "__getitem__", "__mul__", "__rmul__", "__mod__",
    *(name for name in dir(str) if not name.startswith("_") and name not in ("join", "format", "format_map")),
):  # fmt: skip
    setattr(RunTimeString, _name, RunTimeString._ask)


def run_time_string(x: Any) -> Any:
    """A string, marked as a run-time string if it holds tensors; any other value itself."""
    return RunTimeString(x) if type(x) is str and active() is not None and holds_tensors(x) else x


class ShownTensor:
    """A tensor or size in a string, whose own text is known when the program runs. conversion: "", "r", "s" or "a"."""

    def __init__(self, tracer: Tracer, value: Tensor, conversion: str = "") -> None:
        self.tracer = tracer
        self.value = value
        self.conversion = conversion

    def __format__(self, spec: str) -> str:
        return self.tracer.string_of(self.value, f"!{self.conversion}{spec}" if self.conversion else spec)

    def __str__(self) -> str:
        return self.tracer.string_of(self.value, f"!{self.conversion or 's'}")

    def __repr__(self) -> str:
        return self.tracer.string_of(self.value, "!r")


@contextmanager
def _telling(tracer: Tracer) -> Iterator[None]:
    """Inside the block, Python's own texts of containers and objects get tokens for what only a run knows."""

    def tell(x: Any) -> str:
        token = teller.set(None)
        try:
            return tracer.string_of(number_over(tracer.constant(x, int64)) if isinstance(x, Dim) else x, "!r")
        finally:
            teller.reset(token)

    before = teller.set(tell)
    try:
        yield
    finally:
        teller.reset(before)


class ShownObject:
    """An object or container in a string, which may hold what only a run knows. Methods of the user's that make its
    text run in converted form.
    """

    def __init__(self, tracer: Tracer, value: Any) -> None:
        self.tracer = tracer
        self.value = value

    def __format__(self, spec: str) -> str:
        kind: Any = type(self.value)
        return str(self) if not spec and kind.__format__ is object.__format__ else self._text(format, spec)

    def __str__(self) -> str:
        kind: Any = type(self.value)
        return repr(self) if kind.__str__ is object.__str__ else self._text(str)

    def __repr__(self) -> str:
        return self._text(repr)

    def __getattr__(self, name: str) -> Any:
        return in_template(self.tracer, getattr(self.value, name))

    def __getitem__(self, key: Any) -> Any:
        return in_template(self.tracer, self.value[key])

    def _text(self, fn: Callable[..., str], *given: str) -> str:
        method = own_method(fn, self.value)
        if method is not None:
            made: Any = self.tracer.call(method, *given)
            if isinstance(made, Poison):
                made.fail()  # the paths of a condition give two texts
            return made  # type: ignore[no-any-return]
        with _telling(self.tracer):
            return fn(self.value, *given)


def in_template(tracer: Tracer, x: Any) -> Any:
    """A value as a template of `str.format` gets it."""
    return x if isinstance(x, (Tensor, Dim, *_ATOMS)) else ShownObject(tracer, x)


def _has_own_text(x: Any) -> bool:
    return not isinstance(x, Tensor) and any(own_method(fn, x) is not None for fn in (format, str, repr))


_ATOMS = (str, bytes, int, float, complex, type(None), type)


def attributes_in(template: str) -> set[str]:
    """The attributes that the fields of a template of `str.format` read: `k` of "{0.k[1]}"."""
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(template) if field]
    except ValueError:  # which the call itself raises
        return set()
    return {name for field in fields for name in re.findall(r"\.([^.\[\]]+)", field)}


def shown(x: Any, conversion: str = "") -> Any:
    """What an f-string formats for `x`, or for `x!r`."""
    tracer = active()
    if tracer is None:
        return CONVERSIONS[conversion](x)
    if isinstance(x, Dim):
        return ShownTensor(tracer, number_over(tracer.constant(x, int64)), conversion)
    if isinstance(x, Tensor):
        if conversion and type(x) is Number and isinstance(x._storage.payload, np.ndarray):
            return CONVERSIONS[conversion](x.plain())  # Python's own, guarded
        return ShownTensor(tracer, x, conversion) if conversion else x
    if isinstance(x, _ATOMS):
        return CONVERSIONS[conversion](x)
    made = ShownObject(tracer, x)
    return run_time_string(CONVERSIONS[conversion](made)) if conversion else made


_PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<form>[#0\- +]*[0-9]*(?:\.[0-9]*)?)[hlL]?(?P<kind>[diouxXeEfFgGcrsa%])"
)


@fails_for_caller
def percent(left: Any, right: Any) -> Any:
    """`left % right`, where a string may be formatted with values that only a run knows."""
    tracer = active()
    if tracer is None or not isinstance(left, str) or str.__contains__(left, "*") or not _are_late(right):
        return run_time_string(str.__mod__(left, right)) if isinstance(left, RunTimeString) else left % right
    rest = iter(right if isinstance(right, tuple) else (right,))

    def filled(found: re.Match[str]) -> str:
        if found["kind"] == "%":
            return "%"
        x = right[found["key"]] if found["key"] is not None else next(rest)
        form = f"%{found['form']}{found['kind']}"
        if holds_tensors(x):
            x = RunTimeString(x)
            return x.formatted(form) if found["form"] or found["kind"] != "s" else x
        if isinstance(x, Dim):
            x = number_over(tracer.constant(x, int64))
        if isinstance(x, Tensor):
            return tracer.string_of(x, f"!{form}")
        return form % (shown(x) if found["kind"] in "sra" else x,)

    return run_time_string(_PERCENT.sub(filled, left))


def _are_late(values: Any) -> bool:
    """Whether only a run knows the text of some value, or the user's code makes it."""
    parts = values if type(values) is tuple else values.values() if type(values) is dict else (values,)
    return bool(flatten(values, varies)[0]) or any(map(_has_own_text, parts))


def tensors_in(tracer: Tracer, text: str) -> list[Tensor]:
    """The tensors whose values the string needs, in order."""
    return [tracer.strings[int(k)][0] for k in TOKEN.findall(text)]


def text_of(tracer: Tracer, text: str) -> ShownLeaf:
    """How the string is made of its tensors' values."""
    numbers = [int(k) for k in TOKEN.findall(text)]
    found = [tracer.strings[k] for k in numbers]
    for k, (x, _, loc) in zip(numbers, found, strict=True):
        tracer.standard.settings.require_same(k, x, loc)
    specs = [spec for _, spec, _ in found]
    xs = [x for x, *_ in found]
    return ShownLeaf(
        TOKEN.split(text)[::2], specs, [x.weak for x in xs], [x.stop_gradient for x in xs], list(map(_kind_of, xs))
    )


def _kind_of(x: Tensor) -> str:
    """What a tensor stands for, if that is NumPy's; whether it is a parameter."""
    if isinstance(x, Parameter):
        return "parameter"
    return "scalar" if x.is_element else "array" if x.is_ndarray else ""


def filler(tracer: Tracer, text: str) -> Callable[[list[Tensor]], str]:
    """A function from the tensors, now with values, to the string."""
    return text_of(tracer, text).filled


def varies(x: object) -> bool:
    """Whether only a run knows a value, or what a string says."""
    return isinstance(x, (Tensor, Dim)) or holds_tensors(x)


def at_run_time(tracer: Tracer, value: Any) -> tuple[list[Value], ShownValues]:
    """What a structure of tensors and strings needs of the program, and a function from its arrays to eager values."""
    value, assembled = copied(tracer, value)
    refuse_kept(tracer, value, caller_loc())
    leaves, tree = flatten(value, varies)
    needed = [tensors_in(tracer, x) if isinstance(x, str) else [_as_given(tracer, x)] for x in leaves]
    how = [text_of(tracer, x) if isinstance(x, str) else _alone(x, *xs) for x, xs in zip(leaves, needed, strict=True)]
    return [tracer.value_of(x) for xs in needed for x in xs], ShownValues(tree, how, assembled)


def _as_given(tracer: Tracer, x: Any) -> Tensor:
    """A tensor, or a number at its full width."""
    given: Tensor = x if type(x) is Number else tracer.constant(x, None)
    return given


def _alone(x: Any, value: Tensor) -> ShownLeaf:
    plain = isinstance(x, Tensor) and not x.weak
    return ShownLeaf(None, [""], [not plain], [value.stop_gradient], [_kind_of(x) if isinstance(x, Tensor) else ""])


def without_values(tracer: Tracer, text: str) -> str:
    """The string with the tensors' types, for messages that are made while capturing."""

    def kind(found: re.Match[str]) -> str:
        x = tracer.strings[int(found[1])][0]
        return str(TensorType(x.dtype, tuple(x.shape)))

    return TOKEN.sub(kind, text)


def refuse(tracer: Tracer, text: str) -> None:
    """The error for a string that would leave the function."""
    _, _, loc = tracer.strings[int(TOKEN.findall(text)[0])]
    error = CaptureError(
        "a string made from a tensor's value leaves the captured function",
        loc=loc,
        remedy="return the tensor and format it outside; print() shows it when the program runs",
    )
    raise with_origins(tracer, error, [text])
