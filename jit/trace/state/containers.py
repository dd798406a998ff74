"""Containers that a caller keeps: what is written into them is written back, and what comes out is the same object.

While a function is traced, each list, dict and dataclass among its arguments is a copy. `Identities` finds the copies,
the containers from outside of the function, and new containers that stand in several places, in what comes out; the
runner puts the caller's container, the one from outside, or one new one there.
"""

from __future__ import annotations

import dataclasses
import enum
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import Any

import numpy as np

from ....base.class_marks import is_of_dataclass
from ....base.dtype import DType
from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....base.pytree import TaggedValue, attributes_of, flatten, map_leaves, mapping_attributes, sequence_of
from ....base.size import is_list
from ....dygraph.tensor import Tensor
from ....ops.dispatch import current, innermost
from ..assumed.hidden_attributes import Beside, attributes_beside
from ..reachable import is_plain_class


class Whole(enum.Enum):
    """Stands in place of a key for all that a container holds; None is a key like any other."""

    WHOLE = "all of it"


WHOLE = Whole.WHOLE
_MOST_DEPTH = 200  # of containers in containers


class Arguments(list[Any]):
    """The tensors of a call in order, with the containers around them.

    outside, make: for what comes out: containers that the function reached, and a function that makes new container k.
    """

    __slots__ = ("_new", "containers", "make", "outside")

    make: Callable[[int], Any]
    outside: Sequence[Any]

    def __init__(self, leaves: Iterable[Any] = (), containers: Sequence[Any] = ()) -> None:
        super().__init__(leaves)
        self.containers = list(containers)
        self._new: dict[int, Any] = {}

    def copy(self) -> Arguments:
        """The same tensors and containers."""
        return Arguments(self, self.containers)

    def container(self, kind: str, number: int) -> Any:
        """The container that a token stands for; a new one is made once."""
        if kind == "container":
            return self.containers[number]
        if kind == "outside":
            return self.outside[number]
        if number not in self._new:
            self._new[number] = self.make(number)
        return self._new[number]


class ContainerToken:
    """Stands for one container in what comes out.

    kind "container": argument container `number`; "outside": one that the function reached; "new": one that it made.
    """

    __slots__ = ("kind", "number")

    def __init__(self, kind: str, number: int) -> None:
        self.kind = kind
        self.number = number

    def __repr__(self) -> str:
        return f"<{self.kind} {self.number}>"


def is_container(value: object) -> bool:
    """Whether a value is a list, a dict or a dataclass, which a function can write into."""
    if is_list(value) or isinstance(value, dict):
        return True
    return is_of_dataclass(value) and not isinstance(value, (type, DType, TaggedValue))


def is_list_or_dict(value: object) -> bool:
    """Whether a value is a plain list or a dict."""
    return is_list(value) or isinstance(value, dict)


def is_callers(tracer: Any, value: object) -> bool:
    """Whether a value is a container that others see, too: one of the arguments, or from outside of the function."""
    return is_container(value) and (id(value) in tracer.arguments or id(value) in tracer.objects.kept)


def is_leaf(value: object) -> bool:
    """Whether an argument is a tensor of the program."""
    return isinstance(value, (Tensor, np.ndarray))


def parts_of(value: Any) -> list[Any]:
    """What is in a container or tuple; nothing for other values."""
    if isinstance(value, dict):
        return [*value.values(), *mapping_attributes(value, is_leaf)[0].values()]
    if is_list(value) or isinstance(value, tuple):
        return list(value)
    if isinstance(value, TaggedValue):
        return [value.a, value.b]
    return [getattr(value, n) for n in attributes_of(value)] if is_container(value) else []


def part_at(value: Any, path: Iterable[Any]) -> Any:
    """What is at a path of keys, indices and names of attributes inside of a value.

    Errors: KeyError, IndexError or AttributeError where there is nothing.
    """
    for key in path:
        if type(key) is Beside:
            value = vars(value)[key.name]
        elif isinstance(value, (list, tuple, deque)):
            if type(key) is not int:
                raise KeyError(key)
            value = value[key]
        elif not isinstance(value, dict):
            value = getattr(value, key) if type(key) is str else None
        elif key in value:
            value = dict.__getitem__(value, key)
        else:
            raise KeyError(key)
    return value


def path_shown(path: Iterable[Any]) -> str:
    """A path as messages show it."""
    return "".join(repr(key) if type(key) is Beside else f"[{key!r}]" for key in path)


def containers_in(values: Iterable[Any]) -> Iterator[Any]:
    """Every container in some values, each as often as it is met, the outer ones first."""
    for value in values:
        if is_container(value):
            yield value
        yield from containers_in(parts_of(value))


def repeated_containers(values: Iterable[Any]) -> set[int]:
    """Identities of the containers that stand in several places in some values."""
    waiting, seen, found = list(values), set[int](), set[int]()
    while waiting:
        value = waiting.pop()
        if is_container(value):
            if id(value) in seen:
                found.add(id(value))
                continue
            seen.add(id(value))
        waiting.extend(parts_of(value))
    return found


def same_objects(containers: Sequence[Any]) -> tuple[int | None, ...]:
    """For each container the number of the first that is the same object, None for that first one itself."""
    first: dict[int, int] = {}
    numbers = [first.setdefault(id(x), k) for k, x in enumerate(containers)]
    return tuple([n if n != k else None for k, n in enumerate(numbers)])


def shared(given: Any, same: Sequence[int | None], pinned: Mapping[int, Any]) -> Any:
    """The arguments with one object wherever the call has one object (`same_objects` of its containers).

    pinned: containers of the call itself, by number, that take the places of their copies.
    """
    if not pinned and not any(n is not None for n in same):
        return given
    made: list[Any] = []

    def visit(value: Any) -> Any:
        if isinstance(value, tuple) and not attributes_beside(value):
            parts = [visit(v) for v in value]
            return sequence_of(type(value), parts)
        if not is_container(value):
            return value
        number = len(made)
        made.append(value)
        if isinstance(value, dict):
            for k, v in list(value.items()):
                value[k] = visit(v)
            for n, v in mapping_attributes(value, is_leaf)[0].items():
                vars(value)[n] = visit(v)
        elif isinstance(value, list):
            value[:] = [visit(v) for v in value]
        else:
            for name in attributes_of(value):
                object.__setattr__(value, name, visit(getattr(value, name)))
        first = same[number] if same else None
        made[number] = pinned.get(number, value) if first is None else made[first]
        return made[number]

    args, kwargs = given
    return tuple([visit(v) for v in args]), {k: visit(v) for k, v in kwargs.items()}


def numbered(values: Iterable[Any], pinned: Iterable[Any]) -> dict[int, int]:
    """Numbers of the containers in some arguments by identity, without those in `pinned`."""
    numbers = {id(c): k for k, c in reversed(list(enumerate(containers_in(values))))}
    kept = {id(c) for c in containers_in(pinned)}
    return {i: k for i, k in numbers.items() if i not in kept}


class AliasedArguments(Exception):
    """Containers among the arguments, by number, that the function reaches by another way, too."""

    def __init__(self, numbers: Mapping[int, Any]) -> None:
        super().__init__()
        self.numbers = dict(numbers)


@dataclasses.dataclass(frozen=True)
class Around:
    """Which containers a program takes: those in `pinned` are these very objects, others none of `reached`.

    reached: containers that the function reached otherwise, by identity (and kept, so that no other gets that). What is
    written into one of them would be seen in the other.
    """

    pinned: Mapping[int, Any] = dataclasses.field(default_factory=dict)
    reached: Mapping[int, Any] = dataclasses.field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.pinned or self.reached)

    def take(self, containers: Sequence[Any]) -> bool:
        """Whether a call's containers are as the program takes them."""
        for k, x in enumerate(containers):
            if self.pinned.get(k, x) is not x or (id(x) in self.reached and k not in self.pinned):
                return False
        return True


def around(tracer: Any, attributes: Iterable[Any], given: Sequence[Any], pinned: Mapping[int, Any]) -> Around:
    """What a trace takes for granted of the containers `given` among the arguments.

    Errors: AliasedArguments where one of them is reached by another way, and containers are written.
    """
    if not given or not any(is_token(w.owner) or is_container(w.owner) for w in attributes):
        return Around()
    known = {i: k.owner for i, k in tracer.objects.kept.items() if i not in tracer.arguments and is_container(k.owner)}
    met = {k: x for k, x in enumerate(given) if id(x) in known}
    if met.keys() - pinned.keys():
        raise AliasedArguments(met)
    return Around(dict(pinned), known)


class Identities:
    """Tokens for the containers in what a trace gives: its result and all that it writes."""

    def __init__(self, tracer: Any, results: Iterable[Any]) -> None:
        self.arguments: dict[int, int] = tracer.arguments
        self.outside: list[Any] = []
        self.new: list[Any] = []  # containers that stand in several places
        self.tokens: dict[int, ContainerToken] = {}
        self.kept = {i for i, k in tracer.objects.kept.items() if k.only is None}
        self._count: dict[int, int] = {}
        for value in results:
            self._learn(value, 0)

    def _learn(self, value: Any, depth: int) -> None:
        """Count the places of each new container."""
        if depth > _MOST_DEPTH:
            raise CaptureError(
                "a container that holds itself comes out of a compiled function", loc=caller_loc(),
                remedy="return its parts, and put them together in the caller",
            )  # fmt: skip
        if is_container(value) and not self._is_known(value):
            self._count[id(value)] = count = self._count.get(id(value), 0) + 1
            if count > 1:
                if count == 2:
                    self.tokens[id(value)] = ContainerToken("new", len(self.new))
                    self.new.append(value)
                return
        elif is_container(value):
            return
        for part in parts_of(value):
            self._learn(part, depth + 1)

    def _is_known(self, value: Any) -> bool:
        return id(value) in self.arguments or id(value) in self.kept

    def _token(self, value: Any) -> ContainerToken:
        found = self.tokens.get(id(value))
        if found is None:
            number = self.arguments.get(id(value))
            if number is not None:
                found = ContainerToken("container", number)
            else:
                found = ContainerToken("outside", len(self.outside))
                self.outside.append(value)
            self.tokens[id(value)] = found
        return found

    def replaced(self, value: Any, *, inside: bool = False) -> Any:
        """`value` with tokens; inside: not for itself, only for what is in it."""

        def is_one(v: Any) -> bool:
            if inside and v is value:
                return False
            return is_container(v) and (self._is_known(v) or id(v) in self.tokens)

        known = self.expanded(value, lambda v: not is_one(v))
        if not any(is_one(v) for v in _everything(known, is_one)):
            return known
        return map_leaves(self._token, known, is_one)

    def expanded(self, value: Any, wanted: Callable[[Any], bool] = lambda _: True) -> Any:
        """`value` with the contents that its containers have at the end."""

        def is_open(v: Any) -> bool:
            return is_container(v) and decision_in(v) is not None and wanted(v)

        def content(v: Any) -> Any:
            return self.expanded(decision_in(v).value, wanted)  # type: ignore[union-attr]

        return map_leaves(content, value, is_open) if reaches(value, is_open) else value


def _everything(value: Any, stop: Callable[[Any], bool]) -> Iterator[Any]:
    yield value
    if not stop(value):
        for part in parts_of(value):
            yield from _everything(part, stop)


class Decided:
    """The only item of a list, set or dict that has one content or another when the function ends (a `TaggedValue`)."""

    __slots__ = ("value",)

    def __init__(self, value: TaggedValue) -> None:
        self.value = value


def decision_in(owner: Any) -> Decided | None:
    """What a container holds instead of its content, if that is one or another."""
    if not isinstance(owner, (list, set, dict, deque)):
        return None
    base = base_of(owner)
    if base.__len__(owner) != 1:
        return None
    (only,) = base.__iter__(owner)
    return only if type(only) is Decided else None


def is_token(value: object) -> bool:
    """Whether a value stands for a container."""
    return type(value) is ContainerToken


def reaches(value: Any, wanted: Callable[[Any], bool]) -> bool:
    """Whether a value, or one in it, is wanted."""
    return bool(flatten(value, wanted)[0])


def is_ordered(before: dict[Any, Any], now: dict[Any, Any]) -> bool:
    """Whether the keys stand as they would if those of `before` had been set or deleted, and new ones added behind."""
    return list(now) == [k for k in before if k in now] + [k for k in now if k not in before]


def refill(owner: Any, contents: Any) -> None:
    """Give a list, deque, set or dict new contents."""
    if isinstance(owner, set):
        tracer: Any = innermost(current())
        if tracer.is_trace:
            tracer.standard.refilled[id(owner)] = owner
    base = base_of(owner)
    base.clear(owner)
    if not isinstance(owner, dict):
        base.extend(owner, contents) if isinstance(owner, (list, deque)) else base.update(owner, contents)
        return
    for key, value in contents.items():
        base.__setitem__(owner, key, value)


def is_untouched(before: Any, now: Any) -> bool:
    """Whether contents are the very same objects at the same places."""
    if len(before) != len(now) or not all(map(is_, before, now)):
        return False
    return not isinstance(before, dict) or all(map(is_, before.values(), now.values()))


def raw_contents(owner: Any) -> Any:
    """A list, deque or set as a list, a dict as a dict, whatever methods of a subclass say."""
    if type(owner) is dict or type(owner) is list:
        return owner.copy()
    base = base_of(owner)
    return dict(base.items(owner)) if isinstance(owner, dict) else list(base.__iter__(owner))


def raw_parts(owner: Any) -> tuple[Any, ...]:
    """The same in one tuple: the elements, or the keys and what they stand for."""
    found = raw_contents(owner)
    return (*found, *found.values()) if isinstance(found, dict) else tuple(found)


def is_read_otherwise(owner: Any) -> bool:
    """Whether a container's class has methods of its own to read it, which may give something else than is in it."""
    if not isinstance(owner, (list, dict, set, deque)) or type(owner) is (base := base_of(owner)):
        return False
    return any(getattr(type(owner), name, None) is not getattr(base, name, None) for name in _READING)


_READING = ("__getitem__", "__iter__", "__len__", "__contains__", "__missing__", "get", "keys", "values", "items")


def base_of(owner: Any) -> Any:
    """Python's class behind a container: a subclass of the user's may do more than write, or write something else."""
    kind: Any = type(owner)
    if kind is dict or kind is list:
        return kind
    for base in kind.__mro__:  # tens of thousands of times in a network's trace
        if not is_plain_class(base):
            return base
    raise AssertionError(kind)
