"""`autograd.backward_utils`: a dict and a set of tensors, told apart by what they are, not by their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, MutableSet
from typing import Any


class ValueDict(MutableMapping[Any, Any]):
    """A dict whose keys are tensors or variables. default_factory: makes what an absent key has.

    >>> from ..dygraph.tensor import Tensor
    >>> a, b = Tensor([1.0]), Tensor([1.0])
    >>> seen = ValueDict(default_factory=list)
    >>> seen[a].append("a"); (seen[a], b in seen)
    (['a'], False)
    """

    def __init__(
        self, iter: MutableMapping[Any, Any] | None = None, *, default_factory: Callable[[], Any] | None = None
    ) -> None:
        self._items: dict[int, tuple[Any, Any]] = {}
        self._default_factory = default_factory
        self.update(iter or {})

    def __setitem__(self, key: Any, value: Any) -> None:
        self._items[id(key)] = key, value

    def __getitem__(self, key: Any) -> Any:
        if id(key) not in self._items:
            if self._default_factory is None:
                raise KeyError(f"{key} is not in ValueDict")
            self[key] = self._default_factory()
        return self._items[id(key)][1]

    def __delitem__(self, key: Any) -> None:
        if id(key) not in self._items:
            raise KeyError(f"{key} is not in ValueDict")
        del self._items[id(key)]

    def __contains__(self, key: object) -> bool:
        return id(key) in self._items

    def __iter__(self) -> Iterator[Any]:
        return iter([key for key, _ in self._items.values()])

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Any, default: Any = None) -> Any:
        """The key's value; the default if it is absent, whatever default_factory says."""
        found = self._items.get(id(key))
        return default if found is None else found[1]

    def copy(self) -> ValueDict:
        """Another dict with the same keys and values."""
        return ValueDict(self, default_factory=self._default_factory)

    def __repr__(self) -> str:
        return f"ValueDict({', '.join(f'{key}: {value}' for key, value in self.items())})"


class ValueSet(MutableSet[Any]):
    """A set of tensors or variables.

    >>> from ..dygraph.tensor import Tensor
    >>> a, b = Tensor([1.0]), Tensor([1.0])
    >>> len(ValueSet([a, b, a])), len(ValueSet([a]) & ValueSet([b]))
    (2, 0)
    """

    def __init__(self, iter: Iterable[Any] | None = None) -> None:
        self._values: dict[int, Any] = {id(value): value for value in iter or ()}

    def add(self, value: Any) -> None:
        """Put it in."""
        self._values[id(value)] = value

    def discard(self, value: Any) -> None:
        """Take it out, if it is there."""
        self._values.pop(id(value), None)

    def update(self, other: Iterable[Any]) -> None:
        """Put all of these in."""
        self._values.update({id(value): value for value in other})

    def copy(self) -> ValueSet:
        """Another set of the same tensors."""
        return ValueSet(self)

    def __contains__(self, value: object) -> bool:
        return id(value) in self._values

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._values.values()))

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"ValueSet({', '.join(repr(value) for value in self)})"
