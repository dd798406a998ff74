"""Objects of plain classes that a function makes and gives to its caller: new ones at each call."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....base.pytree import Attributes, Rows, map_leaves
from ..reachable import is_plain_class
from .rollback import contents


def by_attributes(fresh: Mapping[int, Any], value: Any, met: dict[int, str], place: str) -> Any:
    """A value with such objects as `Attributes`.

    fresh: objects that the function made, by identity. met: those that came out so far, with where they stand; the
    value stands at `place`.
    Errors: CaptureError for an object that holds itself, or stands in two places.
    """
    inside: set[int] = set()

    def made(x: Any) -> Attributes | Rows:
        if isinstance(x, Rows):
            return x
        if id(x) in inside or met.setdefault(id(x), place) != place:
            raise CaptureError(
                f"a {type(x).__name__} that the function makes comes out in two places, or holds itself",
                loc=caller_loc(),
                remedy="keep it in one place; a list, dict or dataclass may stand in several",
            )
        inside.add(id(x))
        parts = contents(x)
        return Attributes(type(x), tuple(parts), tuple(map(visited, parts.values())))

    def visited(value: Any) -> Any:
        return map_leaves(made, value, lambda x: isinstance(x, Rows) or (id(x) in fresh and _is_plain(x)))

    return visited(value)


def _is_plain(x: Any) -> bool:
    """Whether an object is nothing but its attributes."""
    kinds = [kind for kind in type(x).__mro__ if not is_plain_class(kind)]
    return type(x) is not object and all(kind in (object, SimpleNamespace) for kind in kinds)
