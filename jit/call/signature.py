"""Arguments of a call -> a key of their structure, the tensors among them, and names for messages.

Tensors and NumPy arrays are leaves; ints and floats are numbers, whose values an entry may or may not depend on;
everything else is part of the structure: strings and the like by value, other objects by identity.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import types
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...base.class_marks import is_of_dataclass
from ...base.dtype import DType, of_array
from ...base.errors import ArgumentError, KindError
from ...base.pytree import (
    Tree,
    attributes_of,
    factory_of,
    flatten,
    is_named_tuple,
    map_leaves,
    mapping_attributes,
)  # fmt: skip
from ...dygraph.number import Number, concrete_number, fits
from ...dygraph.tensor import Tensor
from ...ir.input_spec import InputSpec
from ...ops.infer import show_shape
from ..converters.stdlib.own_methods import wraps_users
from ..trace.state.containers import Arguments, is_container, is_leaf, same_objects

Array = np.ndarray[Any, Any]
_PLACES = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
_PLAIN = (int, bool, str, bytes, type(None))


class ObjectIdentity:
    """What is compared by identity, among arguments or in a structure: a layer, a function, any object."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectIdentity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"<{type(self.value).__name__}>"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What the key holds in the place of a tensor.

    same_as: the argument that is this very tensor, or shares its memory (see `same_tensors`): what is written into one
    is written into the other.
    """

    kind: type
    dtype: DType
    rank: int
    stop_gradient: bool
    same_as: int | None = None


@dataclass(slots=True)
class Call:
    """The arguments of one call, taken apart."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    key: Any
    leaves: Arguments
    names: list[str]
    numbers: tuple[Any, ...] = ()
    number_names: tuple[str, ...] = ()

    @property
    def tree(self) -> Tree:
        """The structure of `(args, kwargs)` around the leaves."""
        return flatten((self.args, self.kwargs), is_leaf)[1]

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        return tuple([array_of(x).shape for x in self.leaves])

    @property
    def leaf_types(self) -> list[Leaf]:
        return [_leaf(x, k) for x, k in zip(self.leaves, same_tensors(self.leaves), strict=True)]


def same_tensors(leaves: Sequence[Any]) -> list[int | None]:
    """For each leaf the number n of the first that is the same tensor or array, ~n of the first tensor that shares
    memory with it (`x.detach()` beside `x`), None for a leaf like no other before it.
    """
    first: dict[int, int] = {}
    return [_same(x, k, first) for k, x in enumerate(leaves)]


def _same(x: Any, number: int, first: dict[int, int]) -> int | None:
    """An entry of `same_tensors`. first: tensors and cells met so far, by identity."""
    if isinstance(x, np.ndarray):
        array = first.setdefault(id(x), number)
        return None if array == number else array
    if not isinstance(x, Tensor):
        return None
    tensor = first.setdefault(id(x), number)
    if tensor != number:
        return tensor
    owner = first.setdefault(id(x._storage), number)
    return None if owner == number else ~owner


def array_of(leaf: Any) -> Array:
    """The elements of a leaf."""
    return leaf if isinstance(leaf, np.ndarray) else leaf._storage.payload


def own_signature(fn: Callable[..., Any]) -> inspect.Signature | None:
    """The parameters that a call binds to: a wrapper's own, whatever `functools.wraps` made it tell of itself.

    Decorators of this package and of the standard library hand all arguments on: theirs are those of the function that
    they wrap. None for a callable that tells nothing of its parameters.
    """
    if isinstance(fn, types.MethodType):
        return _told(types.MethodType(_bare(fn.__func__), fn.__self__))
    if isinstance(fn, functools.partial):
        return _told(functools.partial(_bare(fn.func), *fn.args, **fn.keywords))
    return _told(_bare(fn))


def _bare(fn: Any) -> Any:
    """A Python function without the attributes by which it tells another signature than its own; others as they are."""
    while isinstance(fn, types.FunctionType) and wraps_users(fn):
        fn = vars(fn)["__wrapped__"]
    if not isinstance(fn, types.FunctionType):
        return fn
    made = types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    made.__kwdefaults__, made.__annotations__ = fn.__kwdefaults__, fn.__annotations__
    return made


def _told(fn: Callable[..., Any]) -> inspect.Signature | None:
    """The signature that a callable tells of itself: for a wrapper that of the function that it wraps."""
    try:
        return inspect.signature(fn)
    except (TypeError, ValueError):
        return None


class Signature:
    """The parameters of a function: names for its arguments, and one normal form for each call."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.name = getattr(fn, "__qualname__", type(fn).__name__)
        self.signature: inspect.Signature | None = own_signature(fn)
        self.parameters = [] if self.signature is None else list(self.signature.parameters.values())
        self.told = _told(fn)  # the signature that it tells of itself
        self._told = [] if self.told is None else list(self.told.parameters.values())

    @property
    def shown(self) -> str:
        """The name as messages show it."""
        return self.name.rpartition("<locals>.")[2]

    def _plain(self) -> str:
        """The parameters without annotations."""
        plain = [p.replace(annotation=p.empty) for p in self.parameters]
        return str(inspect.Signature(plain))

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Take a call apart; keyword arguments that stand for positional ones become these.

        Errors: TypeError as Python raises it for missing or unknown arguments; DTypeError for arrays of objects.
        """
        if self.signature is not None:
            try:
                bound = self._bound(args, kwargs)
            except TypeError as error:
                raise KindError(f"{self.shown}(): {error}", remedy=f"it is {self.shown}{self._plain()}") from None
            if kwargs:
                args, kwargs = bound.args, bound.kwargs
        leaves, names = Arguments(), list[str]()
        found = Found(leaves, names, [], [], {}, [])
        parts = [_scan(x, name, found) for x, name in zip(args, self.names(len(args)), strict=True)]
        named = [(k, _scan(x, k, found)) for k, x in kwargs.items()]
        key = tuple(parts), tuple(named), same_objects(leaves.containers) if len(leaves.containers) > 1 else ()
        return Call(args, kwargs, key, leaves, names, tuple(found.numbers), tuple(found.number_names))

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        """The arguments at their parameters. A keyword that a positional-only one is called by belongs to `**kwargs`,
        which `inspect` refuses.
        """
        assert self.signature is not None
        only = {p.name for p in self.parameters if p.kind is p.POSITIONAL_ONLY}
        rest = next((p.name for p in self.parameters if p.kind is p.VAR_KEYWORD), None)
        if rest is None or only.isdisjoint(kwargs):
            return self.signature.bind(*args, **kwargs)
        bound = self.signature.bind(*args, **{k: v for k, v in kwargs.items() if k not in only})
        named = bound.arguments.get(rest, {})
        bound.arguments[rest] = {k: kwargs[k] for k in kwargs if k in only or k in named}
        return bound

    def split(self, input_spec: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The entries of an input_spec for positional arguments, and those behind them: for the keyword-only ones, in
        order, by name. ArgumentError for an input_spec that is longer than the list of parameters.
        """
        places = [p for p in self.parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
        if self.signature is None or any(p.kind is p.VAR_POSITIONAL for p in places):
            return tuple(input_spec), {}
        named = [p.name for p in self.parameters if p.kind is p.KEYWORD_ONLY]
        count = len(places) + len(named)
        if len(input_spec) > count:
            raise ArgumentError(
                f"input_spec has {len(input_spec)} entries, but {self.shown} takes {count} arguments",
                remedy=f"it is {self.shown}{self._plain()}",
            )
        behind = input_spec[len(places) :]
        return tuple(input_spec[: len(places)]), dict(zip(named, behind, strict=False))

    def unknown(self, kwargs: dict[str, Any]) -> list[str]:
        """The keywords that no parameter takes by its name."""
        names = {p.name for p in self.parameters}
        return [k for k in kwargs if k not in names] if self.signature is not None else []

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments of a call that may hold InputSpecs, defaults included; keyword-only ones are the last.

        Errors: TypeError for unknown ones; ArgumentError for a missing one.
        """
        if self.signature is None:
            return list(args)
        made = self.signature.bind_partial(*args, **kwargs)
        made.apply_defaults()
        for p in self.parameters:
            if p.name not in made.arguments:
                raise ArgumentError(
                    f"{self.shown}() needs a tensor or an InputSpec for `{p.name}`",
                    remedy=f"it is {self.shown}{self._plain()}",
                )
        behind = [] if any(p.kind is p.VAR_POSITIONAL for p in self.parameters) else self.parameters
        return [*made.args, *(made.arguments[p.name] for p in behind if p.kind is p.KEYWORD_ONLY)]

    def names(self, count: int) -> list[str]:
        """Names of the first `count` positional arguments; in a wrapper's `*args` they have the names it tells."""
        own, told = [x for x in self.parameters if x.kind in _PLACES], [x for x in self._told if x.kind in _PLACES]
        wraps = any(p.kind is p.VAR_POSITIONAL for p in own) and len(told) >= len(own)
        out: list[str] = []
        for parameter in told if wraps else own:
            if parameter.kind is parameter.VAR_POSITIONAL:
                out += [f"{parameter.name}[{k}]" for k in range(count - len(out))]
            else:
                out.append(parameter.name)
        out += [f"argument{k}" for k in range(len(out), count)]
        return out[:count]


class Found(NamedTuple):
    """Tensors and numbers among the arguments so far, with their names."""

    leaves: Arguments
    names: list[str]
    numbers: list[Any]
    number_names: list[str]
    places: dict[int, int]
    around: list[Any]  # the containers that are being looked into


def map_numbers(change: Callable[[int, Any], Any], given: Any) -> Any:
    """The same arguments with `change(k, number)` in the place of the number `k`; counted as in `Call.numbers`."""
    count = itertools.count()

    def stays(v: Any) -> bool:
        return is_leaf(v) or isinstance(v, (DType, InputSpec))

    return map_leaves(lambda v: v if stays(v) else change(next(count), v), given, lambda v: stays(v) or fits(v))


def with_numbers(given: Any, free: Collection[int], varied: Collection[int], made_varied: list[Number]) -> Any:
    """The arguments of a trace, with a `Number` for each number that is filled in at each call.

    made_varied: takes in the numbers of `varied`.
    """

    def made(k: int, value: Any) -> Any:
        if k not in free:
            return value
        number = concrete_number(value, k)
        if k in varied:
            made_varied.append(number)
        return number

    return map_numbers(made, given)


def _leaf(x: Any, same_as: int | None = None) -> Leaf:
    if isinstance(x, np.ndarray):
        if type(x) is not np.ndarray and (name := _other_arithmetic(type(x))):
            raise KindError(
                f"an argument is a NumPy {name}, whose arithmetic is another one than that of arrays",
                remedy="pass np.asarray(x), and a mask as an argument of its own",
            )
        return Leaf(np.ndarray, of_array(x), x.ndim, True, same_as)
    return Leaf(type(x), x._dtype, x.ndim, x.stop_gradient, same_as)


def _other_arithmetic(kind: type) -> str:
    """Which of NumPy's classes of arrays that compute in ways of their own a class is, or comes from; else nothing."""
    return next((c.__name__ for c in kind.__mro__ if c.__name__ in ("matrix", "MaskedArray")), "")


def _scan(value: Any, name: str, found: Found) -> Any:
    kind = type(value)
    if is_leaf(value):
        number = len(found.leaves)
        same = _same(value, number, found.places)
        found.leaves.append(value)
        found.names.append(name)
        return _leaf(value, same)
    if fits(value):
        found.numbers.append(value)
        found.number_names.append(name)
        return kind
    if kind in _PLAIN:
        return kind, value
    if kind is float or kind is complex:
        return kind, repr(value)  # NaN equals NaN, 0.0 differs from -0.0
    if kind is tuple or is_named_tuple(value) or is_container(value):
        return _scan_inside(value, name, found)
    if isinstance(value, (DType, np.generic, InputSpec, range)):
        return kind, repr(value)
    return ObjectIdentity(value)


def _scan_inside(value: Any, name: str, found: Found) -> Any:
    if is_container(value):
        found.leaves.containers.append(value)
    if any(value is outer for outer in found.around):
        raise ArgumentError(f"argument {name} holds itself", remedy="pass a container that doesn't hold itself")
    found.around.append(value)
    inner = tuple([(_key_of(k), _scan(v, n, found)) for k, v, n in _inside(value, name)])
    found.around.pop()
    factory = factory_of(value)
    return (type(value), inner) if factory is None else (type(value), inner, ObjectIdentity(factory))


def _key_of(key: Any) -> Any:
    """A key of a dict as the entry's key has it: 1, 1.0 and True are three keys."""
    if key is None or type(key) is str:
        return key
    if type(key) is tuple:
        return tuple, tuple(map(_key_of, key))
    return type(key), key, repr(key) if isinstance(key, (float, complex)) else None


def _inside(value: Any, name: str) -> Iterator[tuple[Any, Any, str]]:
    """(key, item, name) of everything in a container, in pytree's order."""
    if isinstance(value, dict):
        yield from ((k, v, f"{name}[{k!r}]") for k, v in value.items())
        own, same = mapping_attributes(value, is_leaf)
        yield from ((n, v, f"{name}.{n}") for n, v in own.items())
        yield from (((n, k), None, name) for n, k in same)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from ((k, getattr(value, k), f"{name}.{k}") for k in value._fields)
    elif type(value) in (tuple, list):
        yield from ((None, v, f"{name}[{k}]") for k, v in enumerate(value))
    elif is_of_dataclass(value) and not isinstance(value, (type, DType)):
        yield from ((n, getattr(value, n), f"{name}.{n}") for n in attributes_of(value))


# ---- input specs


def match_specs(
    spec: Any, call_tree: Any, name: str, out: list[InputSpec | None], misfits: dict[str, str]
) -> None:  # fmt: skip
    """Line an `input_spec` up with the arguments: one InputSpec or None per leaf, in order.

    misfits: takes in how tensors differ from their specs, by the argument's name. Such a tensor has no spec in this
    call, or if only the dtype differs, one with its own dtype.
    Errors: ArgumentError where spec and arguments are nested differently.
    """
    if spec is None or not isinstance(spec, (InputSpec, list, tuple, dict, Tensor, np.ndarray)):
        out += [None] * len(flatten(call_tree, is_leaf)[0])
    elif isinstance(spec, (InputSpec, Tensor, np.ndarray)):
        if not is_leaf(call_tree):
            raise ArgumentError(
                f"input_spec has a tensor for {name}, but the call gives {type(call_tree).__name__}",
                remedy="pass a tensor, or put the value itself into the input_spec",
            )
        out.append(_fitting(as_spec(spec, name), call_tree, name, misfits))
    elif isinstance(spec, dict):
        _match_dict(spec, call_tree, name, out, misfits)
    else:
        if not isinstance(call_tree, (list, tuple)) or len(call_tree) != len(spec):
            raise ArgumentError(
                f"input_spec has {len(spec)} entries for {name}, but the call gives {_count(call_tree)}"
            )
        for k, (s, v) in enumerate(zip(spec, call_tree, strict=True)):
            match_specs(s, v, f"{name}[{k}]", out, misfits)


def _match_dict(
    spec: dict[Any, Any], value: Any, name: str, out: list[InputSpec | None], misfits: dict[str, str]
) -> None:  # fmt: skip
    if not isinstance(value, dict):
        raise ArgumentError(f"input_spec has a dict for {name}, but the call gives {type(value).__name__}")
    unknown = [k for k in spec if k not in value]
    if unknown:
        raise ArgumentError(f"input_spec names {unknown[0]!r} in {name}, but the call doesn't give it")
    for k, v in value.items():
        match_specs(spec.get(k), v, f"{name}[{k!r}]", out, misfits)


def _fitting(spec: InputSpec, leaf: Any, name: str, misfits: dict[str, str]) -> InputSpec | None:
    """What of a spec holds for the tensor that came for it."""
    array = array_of(leaf)
    dtype = of_array(array)
    if len(spec.shape) != array.ndim or not all(
        s == -1 or isinstance(s, str) or s == n for s, n in zip(spec.shape, array.shape, strict=True)
    ):
        misfits[name] = f"shape {show_spec(spec)}, got {show_shape(array.shape)}"
        return None
    if dtype is not spec.dtype and spec.dtype_given:
        misfits[name] = f"{spec.dtype.name}{show_spec(spec)}, got {dtype.name}"
        return InputSpec(spec.shape, dtype, spec.name, spec.stop_gradient)
    return spec


def _count(value: Any) -> str:
    return str(len(value)) if isinstance(value, (list, tuple)) else type(value).__name__


def as_spec(example: Any, name: str) -> InputSpec:
    """The spec of an example tensor or array; a spec itself."""
    if isinstance(example, InputSpec):
        return example
    if isinstance(example, np.ndarray):
        return InputSpec.from_numpy(example, name)
    return InputSpec.from_tensor(example, name)


def show_spec(spec: InputSpec) -> str:
    """The shape of a spec as messages show it."""
    return "[" + ", ".join("?" if s == -1 else str(s) for s in spec.shape) + "]"


def spec_names(name: str, spec: Any) -> Iterator[str]:
    """The names of the tensors in a spec of an argument: `name`, `name_0` in a list, the key in a dict."""
    if is_spec(spec):
        yield name
    elif isinstance(spec, dict):
        for key, part in spec.items():
            yield from spec_names(str(key), part)
    elif isinstance(spec, (list, tuple)):
        for k, part in enumerate(spec):
            yield from spec_names(f"{name}_{k}", part)
    else:
        yield from (f"{name}_{k}" for k in range(len(flatten_spec(spec))))


def flatten_spec(spec: Any) -> list[Any]:
    """The InputSpecs and example tensors in a nested spec, in order."""
    return flatten(spec, is_spec)[0]


def is_spec(value: object) -> bool:
    """Whether a part of an input_spec describes a tensor."""
    return isinstance(value, (InputSpec, Tensor, np.ndarray))


def checked_spec(input_spec: Any) -> Sequence[Any] | None:
    """The input_spec as given; TypeError unless it is a list or tuple (or None)."""
    if input_spec is None or isinstance(input_spec, (list, tuple)):
        return input_spec
    raise KindError(
        f"input_spec must be a list or tuple, not {type(input_spec).__name__}", remedy="write [vt.InputSpec(...)]"
    )


def unique_names(names: list[str]) -> list[str]:
    """The names, with numbers behind those that came before."""
    out: list[str] = []
    for name in names:
        made, k = name, 1
        while made in out:
            k += 1
            made = f"{name}_{k}"
        out.append(made)
    return out
