"""Values that reach a point on two paths: what they become, and the markers for variables that one path lacks."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol, TypeAlias

from ....base.class_marks import mark_of
from ....base.dtype import DType, of_scalar
from ....base.flags import flags
from ....base.location import caller_loc
from ....base.pytree import TaggedValue, flatten, unflatten
from ....dygraph.given_array import GivenArray, element, joint
from ....dygraph.number import KINDS, Number, number_over
from ....dygraph.storage import behind, held
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ....ops.dims import Dim, DimLike, same_dim
from ....ops.op import OPS
from ....ops.sizes import fresh_size, freshened, runtime_names
from ....ops.types import TensorType
from ...trace.state.containers import is_callers, is_container, reaches
from ...trace.state.dynamic_lists import is_run_time_sized
from ...trace.state.made_objects import in_parts, is_of_path
from ...trace.state.traced_numbers import are_scalars, dtype_among, is_number, sample_of
from ...trace.tracer import Tracer, loc_of_value
from ..stdlib.run_lists.list_stacks import PendingStack
from .decisions import Decision
from .joined_values import join_lists, join_structures
from .markers import Maybe, Poison, Undefined
from .same_values import is_callers_view, is_own_array, is_plain_tensor, same_rank, same_value

NUMBERS = (bool, int, float, complex, Dim)
Build: TypeAlias = Callable[[Sequence[Tensor]], Any]


class _Fill:
    """Stands for the elements of a variable on a path that doesn't bind it."""


FILL = _Fill()


@dataclass(slots=True)
class Pair:
    """One result of an operation with blocks: a leaf of either path, and the type that both take."""

    sides: tuple[Any, Any]
    type: TensorType
    needs_gradient: bool

    def is_number(self) -> bool:
        """Whether it is a Python number on either path."""
        return self.type.dtype in KINDS and all(side is FILL or is_number(side) for side in self.sides)


class Unions(Protocol):
    """Makes one value or another of two; `spread` brings what is one of several to the outside."""

    def make(self, name: str, a: Any, b: Any) -> Any:
        """One of two values, not decided yet."""

    def may_spread(self, a: Any, b: Any) -> bool:
        """Whether two values, of which one is in doubt, can be told apart."""

    def spread(self, value: Any, side: int) -> Any:
        """The value of one side without those that aren't decided: a `TaggedValue` in their place."""


@dataclass(frozen=True, slots=True)
class _Joined:
    """A container put together: of what, from which results."""

    kept: Any
    build: Build
    first: int
    pairs: list[Pair]

    def holds(self, pairs: Sequence[Pair]) -> bool:
        """Whether none of its results was taken back."""
        now = pairs[self.first : self.first + len(self.pairs)]
        return len(now) == len(self.pairs) and all(x is y for x, y in zip(now, self.pairs, strict=True))


def _kept(build: Build) -> Build:
    """A build that makes its container once per results."""
    made: list[Any] = []

    def once(results: Sequence[Tensor]) -> Any:
        if not made or made[0] is not results:
            made[:] = results, build(results)
        return made[1]

    return once


def _is_open(x: Any) -> bool:
    """Whether a value is unbound or one of several; what an object from before holds in doubt stays as it is."""
    is_kept = mark_of(type(x), "is_union", False) and x.decision.is_open()
    return isinstance(x, Undefined) and not is_kept


@dataclass(slots=True)
class Merge:
    """Joins the values of two paths. `fail(name, a, b)` raises the error for tensors whose types differ.

    Without `fail` such tensors stay apart, as values of different types do.
    """

    tracer: Tracer
    fail: Callable[[str, Any, Any], NoReturn] | None
    pairs: list[Pair] = field(default_factory=list)
    open_sizes: set[str] = field(default_factory=set)  # sizes that differ between paths or iterations
    decision: Decision | None = None  # what values that can't be joined are bound to
    tag: Tensor | None = None  # at the end of a function or an iteration: the flag by which one of two values holds
    diverged: list[str] = field(default_factory=list)  # what couldn't be joined
    at_end: bool = False  # of a function: lists of two lengths come out as they are
    contents: Sequence[Mapping[int, Any]] = ({}, {})  # of containers that a path wrote, by identity: what it left
    several: frozenset[int] = frozenset()  # containers that stand in several places at the end, by identity
    unions: Unions | None = None  # where two values that stay two are carried on as one or the other
    exact: bool = True  # keep two sizes that are known apart, rather than one that only a run knows
    widens: bool = False  # a number stands for a tensor's shape on either side, not only before a loop
    keeps_numbers: bool = False  # a number before a loop doesn't stand for a tensor's shape, either
    joined: dict[Any, _Joined] | None = None  # containers put together, by identity: where all results come at once

    def join(self, name: str, a: Any, b: Any) -> Build:
        """A function from the operation's results to the joint value."""
        build = self._join(name, a, b)
        return self._linking(name, build, (a, b)) if self._makes_one(a, b) else build

    def _makes_one(self, a: Any, b: Any) -> bool:
        """Whether two containers of the paths of an `if` would be one."""
        return a is not b and self.joined is not None and is_container(a) and is_container(b)

    def _linking(self, name: str, build: Build, sources: Sequence[Any]) -> Build:
        """A build whose container may be one of `sources` (see ../trace/joined_containers.py)."""

        def linked(results: Sequence[Tensor]) -> Any:
            made = build(results)
            if is_container(made):
                for x in sources:
                    self.tracer.joints.link(made, x, name, self.decision)
            return made

        return linked

    def _join(self, name: str, a: Any, b: Any) -> Build:
        if isinstance(a, Undefined) or isinstance(b, Undefined):
            return self._undefined(name, a, b)
        if a is not b and (is_callers(self.tracer, a) or is_callers(self.tracer, b)):
            return self.apart(name, a, b)  # what is written into it later is written into the caller's
        stay = self.tracer.parts_containers or id(a) in self.several or id(b) in self.several
        if stay and self._makes_one(a, b):
            return self.apart(name, a, b)
        if a is b:
            return self._joined_now(name, a, b) or self.apart(name, a, b)
        return self._once((id(a), id(b), None), [a, b], lambda: self._joined_now(name, a, b)) or self.apart(name, a, b)

    def _joined_now(self, name: str, a: Any, b: Any) -> Build | None:
        """The joint value; None for two values that stay two."""
        if a is not b:  # one may be what was there before, which is as it was then
            a, b = self.contents[0].get(id(a), a), self.contents[1].get(id(b), b)
        stays = a is b or (self.at_end and not (is_run_time_sized(a) or is_run_time_sized(b)))
        lists = None if stays else join_lists(self, name, a, b)
        if lists is not None:
            return lists
        if same_value(a, b, as_objects=not self.at_end):  # at the end of a function no code writes any more
            if self.tag is not None:
                self.tracer.chosen.met_again(a, b)
            return lambda _: a
        if is_leaf(a) and is_leaf(b):
            stay = self.at_end and (is_callers_view(a) or is_callers_view(b))
            return None if stay else self._pair(name, a, b)
        if type(a) is type(b) and not (is_run_time_sized(a) or is_run_time_sized(b)):
            return self._structure(name, a, b)
        return None

    def apart(self, name: str, a: Any, b: Any) -> Build:
        """Two values that stay two: what uses them is traced once for each."""
        self.diverged.append(name)
        if self.tag is not None:
            flag, ours, theirs = self.tag, self.alone(name, a, 0), self.alone(name, b, 1)
            return lambda r: TaggedValue(flag, ours(r), theirs(r))
        union = self.unions
        if union is not None and union.may_spread(a, b):
            a, b = union.spread(a, 0), union.spread(b, 1)
            if not (self._holds_objects(a) or self._holds_objects(b)):
                ours, theirs = self.alone(name, a, 0), self.alone(name, b, 1)
                return lambda r: union.make(name, ours(r), theirs(r))
        places = f"{place_of(a)}{place_of(b)}"
        message = f"{label(name)} is {show(a)} on one path and {show(b)} on the other, and is used afterwards{places}"
        loc, decision = caller_loc(), self.decision
        return lambda _: Poison(name, message, loc, decision)

    def alone(self, name: str, value: Any, side: int) -> Build:
        """The value of one path, where the other has none."""
        if type(value) is Undefined:
            return _constant(value)
        if isinstance(value, Maybe):
            inner, flag = self.alone(name, value.value, side), self.alone(name, value.flag, side)
            return lambda r: Maybe(value.name, inner(r), flag(r))
        if is_of_path(self.tracer, value):
            return self._once((id(value), side), [value], lambda: self._remade(name, in_parts(value), side), True) or (
                _constant(value)
            )
        if is_container(value) and not self._stays(value):
            made = self._once((id(value), side), [value], lambda: self._remade(name, value, side)) or _constant(value)
            return made if self.joined is None else self._linking(name, made, (value,))
        return self._remade(name, value, side)

    def _remade(self, name: str, value: Any, side: int) -> Build:
        leaves, tree = flatten(
            value, lambda v: isinstance(v, (Tensor, Undefined)) or (v is not value and self._is_object(v))
        )
        if not any(_is_open(x) or self._is_inner(x) or not self._may_stay(x) for x in leaves):
            return lambda _: value
        builds: list[Build] = []
        for x in leaves:
            if isinstance(x, Maybe) or self._is_object(x):
                builds.append(self.alone(name, x, side))
            elif isinstance(x, Poison):
                builds.append(self._bound_here(x))
            elif self._is_inner(x):
                sides = (FILL, x) if side else (x, FILL)
                build = self._add(sides, TensorType(x.dtype, tuple(x.shape)), not x.stop_gradient)
                builds.append(self._as_array(x, build))
            else:
                builds.append(_constant(x))
        return lambda r: unflatten(tree, iter([b(r) for b in builds]))

    def _as_array(self, x: Tensor, build: Build) -> Build:
        """What stands for an array on the path that has it does so behind it."""
        if self.fail is not None or not isinstance(x, GivenArray):
            return build
        return lambda r: joint(build(r), not is_own_array(x))

    def _is_object(self, x: Any) -> bool:
        return is_container(x) or is_of_path(self.tracer, x)

    def _once(self, key: Any, kept: Any, build: Callable[[], Build | None], shared: bool = False) -> Build | None:
        """One container for several variables that hold one. kept: what the identities of the key are of."""
        if self.joined is None or not (shared or any(map(is_container, kept))):
            return build()
        known = self.joined.get(key)
        if known is None or not known.holds(self.pairs):
            first, made = len(self.pairs), build()
            if made is None:
                return None
            known = self.joined[key] = _Joined(kept, _kept(made), first, self.pairs[first:])
        return known.build

    def _holds_objects(self, value: Any) -> bool:
        """Whether a value holds what may change, or isn't known: as one of several it would be another object."""
        leaves, _ = flatten(value, lambda v: isinstance(v, (Tensor, Undefined)) or self._is_object(v))
        return any(isinstance(x, Undefined) or self._is_object(x) for x in leaves)

    def _may_stay(self, x: Any) -> bool:
        return self._stays(x) if is_container(x) else not is_of_path(self.tracer, x)

    def _stays(self, x: Any) -> bool:
        """Whether a value is a container in which nothing is of one path: others may hold it, too."""
        if not is_container(x) or is_callers(self.tracer, x):
            return is_container(x)
        return not reaches(x, lambda v: _is_open(v) or self._is_inner(v) or is_of_path(self.tracer, v))

    def _is_inner(self, x: Any) -> bool:
        if not isinstance(x, Tensor):
            return False
        # a view may have been cut before the path that wrote the tensor behind it
        is_inner = not (self.tracer.is_outer(held(x)) and self.tracer.is_outer(held(behind(x))))
        return is_inner and not (self.at_end and is_callers_view(x))

    def _bound_here(self, x: Poison) -> Build:
        if x.decision is None or x.decision.is_open():
            return _constant(x)
        return _constant(Poison(x.name, x.message, x.loc, self.decision))

    def _structure(self, name: str, a: Any, b: Any) -> Build | None:
        return join_structures(self, name, a, b)

    def _undefined(self, name: str, a: Any, b: Any) -> Build:
        if a is b:
            return lambda _: a
        for side in (a, b):
            if isinstance(side, Poison):
                if self.tag is not None or (self.unions is not None and self.unions.may_spread(a, b)):
                    return self.apart(name, a, b)
                return _constant(Poison(side.name, side.message, side.loc, self.decision))
        if not any(isinstance(x, Maybe) or not isinstance(x, Undefined) for x in (a, b)):
            return lambda _: a
        (value_a, flag_a), (value_b, flag_b) = _parts(a), _parts(b)
        value = self._filled(name, value_a, value_b)
        flag = self.join(f"whether {name} is bound", flag_a, flag_b)
        text = a.name if isinstance(a, Undefined) else b.name
        return lambda r: Maybe(text, value(r), flag(r))

    def _filled(self, name: str, a: Any, b: Any) -> Build:
        if a is not FILL and b is not FILL:
            return self.join(name, a, b)
        there = b if a is FILL else a
        if isinstance(there, Tensor):
            sides = (FILL, there) if a is FILL else (there, FILL)
            build = self._add(sides, TensorType(there.dtype, tuple(there.shape)), not there.stop_gradient)
            return self._as_array(there, build)
        tensors = flatten(there, lambda v: isinstance(v, Tensor))[0]
        if type(there) in (list, dict) and not any(map(self._is_inner, tensors)):
            return _constant(there)  # the same object, which later code may change
        if type(there) is tuple:
            parts = [self._filled(name, *((FILL, x) if a is FILL else (x, FILL))) for x in there]
            return lambda r: tuple(p(r) for p in parts)
        return self.alone(name, there, 0 if b is FILL else 1)

    def _pair(self, name: str, a: Any, b: Any) -> Build:
        dtype = joint_dtype(a, b)
        if is_number(a) and is_number(b) and (kind_of(a) is bool) is not (kind_of(b) is bool):
            dtype = None  # a truth value and a number: `print` and `is` tell them apart
        if dtype is None or not self._shapes_fit(a, b) or (self.exact and not self._is_either(name, a, b, dtype)):
            if self.fail is None:
                self.tracer.diverged_sizes |= dtype is not None and same_rank(a, b)
                return self.apart(name, a, b)
            self.fail(name, a, b)
        shape = self._shape(a, b)
        needs = any(isinstance(x, Tensor) and not x.stop_gradient for x in (a, b))
        build = self._add((a, b), TensorType(dtype, shape), needs)
        if not shape and are_scalars(a, b):
            return lambda r: element(build(r))
        if self.fail is None and shape and (isinstance(a, GivenArray) or isinstance(b, GivenArray)):
            is_joint = not (is_own_array(a) and is_own_array(b))
            return lambda r: joint(build(r), is_joint)
        return build

    def _is_either(self, name: str, a: Any, b: Any, dtype: DType) -> bool:
        """Whether a result of the joint dtype can stand for both: a number beside a tensor is one of its dtype then."""
        if self.at_end and is_number(a) and is_number(b) and not (isinstance(a, Dim) or isinstance(b, Dim)):
            return kind_of(a) is kind_of(b)
        tensors = [x for x in (a, b) if isinstance(x, Tensor) and not x.weak]
        if len(tensors) != 1:
            return True
        returned = self.at_end or (name == "return_value" and self.tracer.depth <= 1)
        return not returned and tensors[0].dtype is dtype

    def _shape(self, a: Any, b: Any) -> tuple[Any, ...]:
        if is_number(a) or is_number(b):
            there = b if is_number(a) else a
            return tuple(there.shape) if isinstance(there, Tensor) else ()
        return tuple(self._dim(x, y) for x, y in zip(a.shape, b.shape, strict=True))

    def _shapes_fit(self, a: Any, b: Any) -> bool:
        if is_number(a) or is_number(b):
            stays = self.exact or self.keeps_numbers or not is_number(a) or runtime_names(getattr(b, "shape", ()))
            if self.widens or not stays:
                return True  # the start of a sum that a loop makes
            return all(is_number(x) or not len(x.shape) for x in (a, b))
        if len(a.shape) != len(b.shape):
            return False
        return (
            not self.exact
            or self.tracer.joins_sizes
            or all(
                same_dim(x, y) or bool(runtime_names((x, y))) or self.tracer.sizes_agree(x, y)
                for x, y in zip(a.shape, b.shape, strict=True)
            )
        )

    def _dim(self, x: DimLike, y: DimLike) -> DimLike:
        """The size that both paths have, or one that only the run knows."""
        if same_dim(x, y) or (isinstance(x, Dim) and str(x) in self.open_sizes):
            return x
        if not runtime_names((x, y)) and self.tracer.sizes_agree(x, y):
            return x
        made = fresh_size()
        self.open_sizes.add(str(made))
        return made

    def _add(self, sides: tuple[Any, Any], kind: TensorType, needs: bool) -> Build:
        k = self._known(sides, kind)
        if k == len(self.pairs):
            for side in sides:
                self.tracer.note_outer(side)
            if any(side is FILL for side in sides):
                kind = freshened(kind)  # sizes that the other path doesn't know
            self.pairs.append(Pair(sides, kind, needs and kind.dtype.is_differentiable))
        if self.pairs[k].is_number():
            return lambda results: number_over(results[k])
        return lambda results: results[k]

    def _known(self, sides: tuple[Any, Any], kind: TensorType) -> int:
        """The number of the result for these leaves: what is one tensor on either path is one after an `if`."""
        count = len(self.pairs)
        if self.joined is None or any(side is not FILL and not is_plain_tensor(side) for side in sides):
            return count
        same = (k for k, p in enumerate(self.pairs) if all(map(operator.is_, p.sides, sides)))
        return next((k for k in same if self.pairs[k].type.dtype is kind.dtype), count)

    def values(self, side: int) -> list[Value]:
        """The leaves of one path in the joint types, recorded at the insertion point."""
        return [self._value(pair, pair.sides[side]) for pair in self.pairs]

    def _value(self, pair: Pair, leaf: Any) -> Value:
        tracer, kind = self.tracer, pair.type
        if isinstance(leaf, PendingStack):
            leaf = leaf.make(tracer)
        if leaf is FILL:
            shape = tuple(0 if runtime_names(d) else d for d in kind.shape)
            return tracer.value_of(OPS["full"](shape, _zero(kind.dtype), kind.dtype))
        if not isinstance(leaf, Tensor):
            leaf = tracer.constant(leaf, kind.dtype)
        elif pair.needs_gradient:
            value = tracer.value_of(leaf)
            if not leaf.stop_gradient:
                tracer.note(value, leaf)
            elif value in tracer.reached:
                leaf = OPS["stop_gradient"](leaf)
            else:
                tracer.detached.plain.add(value)
        if leaf.dtype is not kind.dtype:
            leaf = OPS["cast"](leaf, kind.dtype)
        if not len(leaf.shape) and kind.shape:
            leaf = OPS["broadcast_to"](leaf, kind.shape)
        value = tracer.value_of(leaf)
        if pair.needs_gradient:
            return value if leaf.stop_gradient else tracer.untaped.value_of(tracer, leaf, value)
        if value in tracer.reached and not tracer.untaped.stands_for_names(
            leaf
        ):  # nor has it one in the body of a loop
            return tracer.without_gradient(value)
        return value


def kind_of(number: Any) -> type:
    """bool, int or float."""
    return number.kind if isinstance(number, Number) else int if isinstance(number, Dim) else type(number)


def _constant(value: Any) -> Build:
    return lambda _: value


def _zero(dtype: DType) -> Any:
    return (False, 0, 0.0, 0j)[dtype.category]


def _parts(x: Any) -> tuple[Any, Any]:
    if isinstance(x, Maybe):
        return x.value, x.flag
    return (FILL, False) if isinstance(x, Undefined) else (x, True)


def is_leaf(x: Any) -> bool:
    """Whether a value can be one result of an operation: a tensor or a number."""
    return isinstance(x, Tensor) or is_number(x)


def joint_dtype(a: Any, b: Any) -> DType | None:
    """The dtype for two leaves; None for tensors of different dtypes."""
    if is_number(a) and is_number(b):
        return dtype_among(a, b)
    if isinstance(a, Tensor) and isinstance(b, Tensor) and not (a.weak or b.weak):
        return a.dtype if a.dtype is b.dtype else None
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        tensor, number = (b, a) if is_number(a) or not isinstance(a, Tensor) else (a, b)
        if isinstance(number, (Dim, Number)):
            return of_scalar(sample_of(number), tensor.dtype, flags.default_dtype)
        return of_scalar(number, tensor.dtype, flags.default_dtype)
    kinds = [of_scalar(x, None, flags.default_dtype) for x in (a, b) if not isinstance(x, Dim)]
    return max(kinds, key=lambda k: k.category)


def label(name: str) -> str:
    """A variable as messages name it."""
    return "the returned value" if name == "return_value" else f"`{name}`"


def show(x: Any) -> str:
    """A value as messages name it."""
    if isinstance(x, Tensor):
        return f"a tensor {TensorType(x.dtype, tuple(x.shape))}"
    if isinstance(x, (tuple, list)):
        return f"a {type(x).__name__} of {len(x)}"
    return repr(x) if isinstance(x, (str, type(None), *NUMBERS)) else f"a {type(x).__name__}"


def place_of(x: Any) -> str:
    """`  name.py:3   text` of the operation that made a tensor; empty for others."""
    loc = loc_of_value(x)
    return f"\n      {loc.short()}   {loc.text()}" if loc.file else ""
