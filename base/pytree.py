"""Nested Python structures <-> flat leaves: tuples, lists, dicts, namedtuples, dataclasses."""

from __future__ import annotations

import dataclasses
import functools
import types
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

from .bound_methods import BOUND
from .class_marks import defines, is_of_dataclass, mark_of, own_dict
from .dtype import DType
from .size import Size, is_list


@dataclasses.dataclass(frozen=True, slots=True)
class Tree:
    """The shape of a nested structure. Leaves are counted; constants are kept by equality.

    kind is one of leaf, number, const, tuple, list, dict, mapping, namedtuple, dataclass, either, rows, spliced. A
    number is a leaf that becomes a Python number, of type `data`, when the structure is rebuilt; only elements of rows
    have any.
    """

    kind: str
    data: Any = None
    children: tuple[Tree, ...] = ()

    def __hash__(self) -> int:
        data = self.data if self.kind != "const" else repr(self.data)
        return hash((self.kind, data, self.children))

    @property
    def leaf_count(self) -> int:
        return 1 if self.kind in ("leaf", "number") else sum(c.leaf_count for c in self.children)


LEAF = Tree("leaf")


class ListFacts:
    """What a Size's tree says that a list's doesn't. Both are equal, as a Size equals a list."""

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, ListFacts)

    def __hash__(self) -> int:
        return hash(None)


@dataclasses.dataclass(frozen=True, slots=True)
class MappingFacts:
    """What a mapping's tree says besides its parts: the values of `keys`, then those of `attributes`.

    same: attributes that are the value of a key. factory: a defaultdict's. is_namespace: whether its items are its
    attributes (`self.__dict__ = self`).
    """

    kind: type
    keys: tuple[Any, ...]
    attributes: tuple[str, ...]
    same: tuple[tuple[str, Any], ...]
    factory: Any
    is_namespace: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class TaggedValue:
    """One of two nested values, by a flag that is a leaf: once the flag is a bool, `unflatten` gives the one it names.

    >>> leaves, tree = flatten(TaggedValue(True, 2.5, None), lambda v: isinstance(v, (bool, float)))
    >>> unflatten(tree, iter(leaves)), unflatten(tree, iter([False, 2.5]))
    (2.5, None)
    """

    flag: Any
    a: Any
    b: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Rows:
    """A list given by stacks: row k of each is a leaf of element k, whose structure is `element`.

    >>> leaves, tree = flatten(Rows(([1, 2], [3, 4]), flatten((0, 0), lambda v: v == 0)[1]), lambda v: False)
    >>> unflatten(tree, iter(leaves))
    [(1, 3), (2, 4)]
    """

    stacks: tuple[Any, ...]
    element: Tree


@dataclasses.dataclass(frozen=True, slots=True)
class Spliced:
    """A list given by its segments, lists and `Rows`, one after another.

    >>> leaves, tree = flatten(Spliced(([0.5], Rows(([1, 2],), LEAF))), lambda v: False)
    >>> unflatten(tree, iter(leaves))
    [0.5, 1, 2]
    """

    parts: tuple[Any, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Attributes:
    """An object of a plain class, given by its attributes: `unflatten` makes one without the class's own methods.

    >>> leaves, tree = flatten(Attributes(SimpleNamespace, ("a",), (2.5,)), lambda v: isinstance(v, float))
    >>> unflatten(tree, iter(leaves))
    namespace(a=2.5)
    """

    kind: type
    names: tuple[str, ...]
    parts: tuple[Any, ...]


def flatten(value: Any, is_leaf: Callable[[Any], bool]) -> tuple[list[Any], Tree]:
    """Split `value` into its leaves (those for which `is_leaf` holds) and the structure around them.

    >>> flatten({"a": 1.5, "b": [2.5, "x"]}, lambda v: isinstance(v, float))[0]
    [1.5, 2.5]
    """
    leaves: list[Any] = []
    return leaves, _flatten(value, is_leaf, leaves)


def _flatten(value: Any, is_leaf: Callable[[Any], bool], leaves: list[Any]) -> Tree:
    if is_leaf(value):
        leaves.append(value)
        return LEAF
    kind = type(value)
    if kind is TaggedValue:
        return Tree("either", None, tuple(_flatten(v, is_leaf, leaves) for v in (value.flag, value.a, value.b)))
    if kind is Rows:
        leaves.extend(value.stacks)
        return Tree("rows", None, (value.element,))
    if kind is Spliced:
        return Tree("spliced", None, tuple(_flatten(v, is_leaf, leaves) for v in value.parts))
    if kind is Attributes:
        return Tree("dataclass", (value.kind, value.names), tuple(_flatten(v, is_leaf, leaves) for v in value.parts))
    if kind is tuple or is_list(value):
        facts = ListFacts() if kind is Size else None
        return Tree("tuple" if kind is tuple else "list", facts, tuple(_flatten(v, is_leaf, leaves) for v in value))
    if isinstance(value, dict) and kind is not dict:
        return _flatten_mapping(value, is_leaf, leaves)
    if kind is dict:
        return Tree("dict", tuple(value), tuple(_flatten(v, is_leaf, leaves) for v in value.values()))
    if is_named_tuple(value):
        return Tree("namedtuple", kind, tuple(_flatten(v, is_leaf, leaves) for v in value))
    if is_of_dataclass(value) and not isinstance(value, (type, DType)):
        names = attributes_of(value)
        return Tree("dataclass", (kind, names), tuple(_flatten(getattr(value, n), is_leaf, leaves) for n in names))
    if mark_of(kind, "parts_of") is not None:  # a container that says itself how it is taken apart
        facts, parts = value.parts_of()
        return Tree("own", (kind, facts), tuple(_flatten(v, is_leaf, leaves) for v in parts))
    return Tree("const", value)


def is_named_tuple(value: object) -> bool:
    """Whether a value is a named tuple and nothing more: one with attributes beside the items is an object.

    >>> is_named_tuple((1, 2))
    False
    """
    if not isinstance(value, tuple) or not defines(type(value), "_fields"):
        return False
    own = own_dict(value)
    return not own or own.keys() == {BOUND}


def attributes_of(value: Any) -> tuple[str, ...]:
    """Of a dataclass: its fields, then what its methods have set beside them. A field may not be set yet."""
    fields = [f.name for f in dataclasses.fields(value)]
    own = [n for n in own_dict(value) or () if n not in fields and n != BOUND]
    return (*(n for n in fields if hasattr(value, n)), *own)


def _flatten_mapping(value: dict[Any, Any], is_leaf: Callable[[Any], bool], leaves: list[Any]) -> Tree:
    """A dict of a class of its own: its items, then its attributes; of those that are items' values only the key."""
    own, same = mapping_attributes(value, is_leaf)
    is_namespace = own_dict(value) is value
    facts = MappingFacts(type(value), tuple(value), tuple(own), same, factory_of(value), is_namespace)
    return Tree("mapping", facts, tuple(_flatten(v, is_leaf, leaves) for v in (*value.values(), *own.values())))


def mapping_attributes(
    value: dict[Any, Any], is_leaf: Callable[[Any], bool]
) -> tuple[dict[str, Any], tuple[tuple[str, Any], ...]]:
    """What a dict of a user's class holds beside its items: its attributes, and (name, key) of those that are the leaf
    which stands under a key.
    """
    attributes = {} if type(value) is dict else own_dict(value) or {}
    if type(value) is not dict and (names := slots_in(type(value))):
        attributes = {n: getattr(value, n) for n in names if hasattr(value, n)} | attributes
    if not attributes or attributes is value:
        return {}, ()
    keys = {id(v): k for k, v in value.items() if not isinstance(v, (int, float, complex)) and is_leaf(v)}
    own = {n: v for n, v in attributes.items() if id(v) not in keys and n != BOUND}
    return own, tuple((n, keys[id(v)]) for n, v in attributes.items() if id(v) in keys)


def factory_of(value: Any) -> Any:
    """The `default_factory` of a defaultdict; None for others, whatever their `__getattr__` gives for that name."""
    return value.default_factory if isinstance(value, defaultdict) else None


def _mapping_of(facts: MappingFacts, parts: list[Any]) -> Any:
    """Made without the class's own methods, which may refuse or do more than store."""
    made: Any = facts.kind.__new__(facts.kind)  # type: ignore[call-overload]
    if facts.is_namespace:
        made.__dict__ = made
    if facts.factory is not None:
        made.default_factory = facts.factory
    store = OrderedDict.__setitem__ if isinstance(made, OrderedDict) else dict.__setitem__
    for key, part in zip(facts.keys, parts, strict=False):
        store(made, key, part)
    for name, part in zip(facts.attributes, parts[len(facts.keys) :], strict=True):
        _set_own(made, name, part)
    for name, key in facts.same:
        _set_own(made, name, dict.__getitem__(made, key))
    return made


def _set_own(made: Any, name: str, value: Any) -> None:
    kind: Any = type(made)
    if name in slots_in(kind):
        object.__setattr__(made, name, value)
    else:
        made.__dict__[name] = value


@functools.lru_cache(maxsize=1024)
def slots_in(kind: type) -> tuple[str, ...]:
    """The slots of a class in Python over a built-in container, and of its bases."""
    declared = [vars(base).get("__slots__", ()) for base in kind.__mro__ if base.__module__ != "collections"]
    every = [n for names in declared for n in ((names,) if isinstance(names, str) else names)]
    return tuple([n for n in every if isinstance(getattr(kind, n, None), types.MemberDescriptorType)])


def mapping_like(value: dict[Any, Any], items: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """A dict of the class of `value`, with its attributes and its default factory, that has other items.

    >>> mapping_like(defaultdict(list, a=[1]), [("b", [2])])
    defaultdict(<class 'list'>, {'b': [2]})
    """
    kind = type(value)
    if kind is dict:
        return dict(items)
    held = dict(items)
    own = own_dict(value)
    is_namespace = own is value
    attributes = {} if own is None or is_namespace else own
    facts = MappingFacts(kind, tuple(held), tuple(attributes), (), factory_of(value), is_namespace)
    made: dict[Any, Any] = _mapping_of(facts, [*held.values(), *attributes.values()])
    return made


def sequence_of(kind: type, items: Iterable[Any]) -> Any:
    """A tuple or list of a class with these items, made without the class's own methods, which may compute.

    >>> sequence_of(tuple, [1, 2])
    (1, 2)
    """
    if issubclass(kind, tuple):
        return tuple.__new__(kind, items)
    made: Any = list.__new__(kind)
    list.extend(made, items)
    return made


def maker_of(kind: type) -> Callable[..., Any]:
    """What makes a named tuple of its items, given one by one: the class itself where that only stores them."""
    made_by = getattr(kind.__new__, "__globals__", {}).get("__name__", "")
    if made_by.startswith("namedtuple_"):  # so does `collections.namedtuple` name what it makes the method in
        return kind
    return lambda *items: sequence_of(kind, items)


def unflatten(tree: Tree, leaves: Iterator[Any]) -> Any:
    """Rebuild a structure from `tree`, taking leaves in order from an iterator.

    >>> unflatten(flatten([1, (2,)], lambda v: isinstance(v, int))[1], iter([3, 4]))
    [3, (4,)]
    """
    if tree.kind == "leaf":
        return next(leaves)
    if tree.kind == "number":
        return tree.data(next(leaves))
    if tree.kind == "const":
        return tree.data
    if tree.kind == "rows":
        (element,) = tree.children
        stacks = [_rows_of(next(leaves), kind) for kind in number_kinds(element)]
        if element.kind == "number":
            return list(map(element.data, stacks[0]))
        return [unflatten(element, iter(row)) for row in zip(*stacks, strict=True)]
    parts = [unflatten(c, leaves) for c in tree.children]
    if tree.kind == "tuple":
        return tuple(parts)
    if tree.kind == "either":
        return parts[2 - parts[0]] if isinstance(parts[0], bool) else TaggedValue(*parts)
    if tree.kind == "spliced":
        if any(type(part) in (Rows, TaggedValue) for part in parts):  # still to be made
            return Spliced(tuple(parts))
        return [item for part in parts for item in part]
    if tree.kind == "list":
        return parts if tree.data is None else Size(parts)
    if tree.kind == "dict":
        return dict(zip(tree.data, parts, strict=True))
    if tree.kind == "mapping":
        return _mapping_of(tree.data, parts)
    if tree.kind == "namedtuple":
        return sequence_of(tree.data, parts)
    if tree.kind == "own":
        return tree.data[0].of_parts(tree.data[1], parts)
    kind, names = tree.data
    made = SimpleNamespace() if kind is SimpleNamespace else object.__new__(kind)
    for name, part in zip(names, parts, strict=True):
        object.__setattr__(made, name, part)
    return made


def _rows_of(stack: Any, kind: type | None) -> Any:
    """What rows are read from: of numbers a list of all, made at once, where an array or tensor gives one."""
    found = stack.tolist() if kind is not None and hasattr(stack, "tolist") else stack
    return found if isinstance(found, list) else stack


def number_kinds(tree: Tree) -> list[type | None]:
    """Of each leaf, the type of the Python number that it is; None of others.

    >>> number_kinds(Tree("tuple", None, (LEAF, Tree("number", int))))
    [None, <class 'int'>]
    """
    if tree.kind in ("leaf", "number"):
        return [tree.data]
    return [kind for c in tree.children for kind in number_kinds(c)]


def with_number_kinds(tree: Tree, kinds: Iterator[type | None]) -> Tree:
    """The structure with these kinds of leaves, in order (see `number_kinds`)."""
    if tree.kind in ("leaf", "number"):
        kind = next(kinds)
        return LEAF if kind is None else Tree("number", kind)
    return Tree(tree.kind, tree.data, tuple(with_number_kinds(c, kinds) for c in tree.children))


def keys_of(tree: Tree) -> Iterator[Any]:
    """The keys of all dicts in a structure."""
    if tree.kind in ("dict", "mapping"):
        yield from tree.data if tree.kind == "dict" else tree.data.keys
    for child in tree.children:
        yield from keys_of(child)


def constants_of(tree: Tree) -> Iterator[Any]:
    """What a structure holds besides its leaves."""
    if tree.kind == "const":
        yield tree.data
    for child in tree.children:
        yield from constants_of(child)


def map_leaves(fn: Callable[[Any], Any], value: Any, is_leaf: Callable[[Any], bool]) -> Any:
    """Apply `fn` to each leaf and rebuild the structure around the results."""
    leaves, tree = flatten(value, is_leaf)
    return unflatten(tree, iter([fn(v) for v in leaves]))
