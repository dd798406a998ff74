"""Objects that a function makes and gives to its caller: new ones at each call.

Tuples, lists, dicts and dataclasses are structures (base/pytree.py). What else a call can put together again is brought
into such a form here: objects of classes in Python, deques, sets, lists and tuples of a class of their own, views of
dicts, exceptions. Anything else that holds what is made in the run is refused (escapes.py).
"""

from __future__ import annotations

import functools
import gc
from collections import OrderedDict, deque
from collections.abc import Callable, ItemsView, Iterable, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from ....base.class_marks import mark_of, own_dict
from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....base.pytree import Attributes, Rows, Spliced, is_named_tuple, map_leaves
from ....base.size import is_list
from ....dygraph.storage import held
from ....dygraph.tensor import Tensor
from ..assumed.hidden_attributes import OF_VALUES, values_beside
from ..reachable import is_plain_class
from .containers import is_container
from .dynamic_lists import is_run_time_deque
from .escapes import holds_made, reached
from .rollback import contents

_DICTS: list[dict[Any, Any]] = [{}, OrderedDict()]
_DICT_VIEWS: dict[type, str] = {type(getattr(d, n)()): n for d in _DICTS for n in ("keys", "values", "items")}
_PYTHON_VIEWS = frozenset({KeysView, ValuesView, ItemsView})
_VIEWS = _PYTHON_VIEWS.union(_DICT_VIEWS)
_NEVER = frozenset((int, float, bool, str, tuple, list, dict, type(None), Tensor))
_SEQUENCES = (deque, list, tuple, set, frozenset)
_EXTENSIBLE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: of classes that Python code defines


@dataclass(frozen=True, slots=True)
class Shell:
    """What of an object no call changes: its class, the names of its attributes, and a deque's longest length."""

    kind: type
    names: tuple[str, ...] = ()
    most: int | None = None


class ItemParts:
    """An object that is made of items and attributes: the items' list, then the attributes, for `flatten`."""

    def __init__(self, shell: Shell, items: Any, attributes: Iterable[Any] = ()) -> None:
        self.shell = shell
        self.parts = [items, *attributes]

    def parts_of(self) -> tuple[Shell, list[Any]]:
        """What doesn't change, and what does."""
        return self.shell, self.parts

    @staticmethod
    def of_parts(shell: Shell, parts: list[Any]) -> Any:
        """The object, made without its class's own methods; its parts where only a run knows how many items it has."""
        kind, (items, *attributes) = shell.kind, parts
        if isinstance(items, (Rows, Spliced)):
            return ItemParts(shell, items, attributes)
        if kind in _VIEWS:
            return kind(items) if kind in _PYTHON_VIEWS else getattr(items, _DICT_VIEWS[kind])()
        made = _filled(shell, items)
        for name, value in zip(shell.names, attributes, strict=True):
            object.__setattr__(made, name, value)
        return made


def _filled(shell: Shell, items: Any) -> Any:
    kind: Any = shell.kind
    if issubclass(kind, BaseException):
        made = kind.__new__(kind, *items)
        made.args = tuple(items)
        return made
    if issubclass(kind, (tuple, frozenset)):
        return (tuple if issubclass(kind, tuple) else frozenset).__new__(kind, items)
    base: Any = next(b for b in (deque, list, set) if issubclass(kind, b))
    made = base.__new__(kind)
    if base is deque:
        deque.__init__(made, items, shell.most)
    else:
        (list.extend if base is list else set.update)(made, items)
    return made


def by_parts(
    tracer: Any, value: Any, met: dict[int, str], place: str, prepared: Callable[[Any], Any] = lambda x: x
) -> Any:
    """A value with such objects as `Attributes` or `ItemParts`.

    met: those that came out so far, by identity, with where they stand; the value stands at `place`. prepared: is
    called with each value, before it is taken apart.
    Errors: CaptureError for an object that holds itself, or stands in two places.
    """
    inside: set[int] = set()
    fresh: Mapping[int, Any] = tracer.objects.fresh

    def made(x: Any) -> Any:
        if isinstance(x, Rows):
            return x
        immutable = isinstance(x, (tuple, frozenset, *_VIEWS))
        if id(x) in inside or (not immutable and met.setdefault(id(x), place) != place):
            raise CaptureError(
                f"a {type(x).__name__} that the function makes comes out in two places, or holds itself",
                loc=caller_loc(),
                remedy="keep it in one place; a list, dict or dataclass may stand in several",
            )
        tracer.kept.append(x)  # while its identity counts
        inside.add(id(x))
        found = in_parts(x, visited)
        if immutable:
            inside.discard(id(x))
        return found

    def is_one(x: Any) -> bool:
        if isinstance(x, Rows):
            return True
        if not _can_be_made(tracer, x):
            return False
        return (id(x) in fresh and not isinstance(x, tuple)) or is_run_time_deque(x) or holds_made(tracer, x)

    def visited(value: Any) -> Any:
        return map_leaves(made, prepared(value), is_one)

    return visited(value)


def is_of_path(tracer: Any, x: Any) -> bool:
    """Whether an object that is no structure by itself holds tensors of the path that ends, and can be made anew."""
    if isinstance(x, Tensor) or is_container(x) or not _can_be_made(tracer, x):
        return False
    return any(isinstance(v, Tensor) and not tracer.is_outer(held(v)) for v in reached(tracer, x))


def in_parts(x: Any, visited: Callable[[Any], Any] = lambda x: x) -> Any:
    """Such an object in a form that `flatten` takes apart; visited: is called with each part."""
    kind = type(x)
    if kind in _VIEWS:
        return ItemParts(Shell(kind), visited(_behind_view(x)))
    if isinstance(x, (*_SEQUENCES, BaseException)):
        attributes = values_beside(x) if isinstance(x, OF_VALUES) else own_dict(x) or {}
        shell = Shell(kind, tuple(attributes), x.maxlen if isinstance(x, deque) else None)
        items = x.args if isinstance(x, BaseException) else x
        return ItemParts(shell, visited(list(items)), [visited(v) for v in attributes.values()])
    parts = contents(x)
    return Attributes(kind, tuple(parts), tuple(map(visited, parts.values())))


def _behind_view(x: Any) -> Any:
    """The dict, or object that is one to Python, that a view shows."""
    return x._mapping if type(x) in _PYTHON_VIEWS else next(d for d in gc.get_referents(x) if isinstance(d, dict))


def _can_be_made(tracer: Any, x: Any) -> bool:
    kind = type(x)
    if kind in _NEVER or id(x) in tracer.objects.kept or id(x) in tracer.arguments:
        return False
    if kind in _VIEWS or isinstance(x, (set, frozenset, deque)):
        return True
    if isinstance(x, (list, tuple)):
        return not (kind is tuple or is_list(x) or is_named_tuple(x))
    if isinstance(x, BaseException):
        return x.__traceback__ is None and x.__cause__ is None and x.__context__ is None
    return _is_plain(kind)  # type: ignore[arg-type]  # mypy takes a class of Any for unhashable


@functools.lru_cache(maxsize=1024)
def _is_plain(kind: type) -> bool:
    """Whether objects of a class are nothing but their attributes."""
    if mark_of(kind, "is_made_of_attributes", False):
        return True
    others = [base for base in kind.__mro__ if not is_plain_class(base)]
    return kind is not object and all(base in (object, SimpleNamespace) or _is_python(base) for base in others)


def _is_python(kind: type) -> bool:
    """Whether a class of the standard library adds no more to objects than a `__dict__`: UserDict, ABC, Generic."""
    module = kind.__module__.partition(".")[0]
    if module in ("vitrify", "numpy", "builtins") or not kind.__flags__ & _EXTENSIBLE:
        return False
    own = kind.__basicsize__ - object.__basicsize__
    pointers = (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)  # a dict before the object takes no place in it
    return kind.__itemsize__ == 0 and own <= object.__basicsize__ // 2 * pointers
