"""What a class says of its objects, looked up where no `__getattr__` of a user's class or metaclass answers.

Classes of this package have marks, such as `is_union = True`. A user's class may have other things under these names.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

_OURS = f"{__name__.partition('.')[0]}."


def mark_of(kind: Any, name: str, default: Any = None) -> Any:
    """What the class of this package says that a class is, or is derived from; `default` where none says anything.

    >>> mark_of(int, "is_union", False)
    False
    """
    if type(kind) is type and getattr(kind, name, default) is default:  # the usual case
        return default
    for base in kind.__mro__:
        if name in vars(base) and base.__module__.startswith(_OURS):
            return vars(base)[name]
    return default


def defines(kind: Any, name: str) -> bool:
    """Whether a class, or one that it is derived from, has an attribute of its own.

    >>> defines(bool, "bit_length"), defines(bool, "frobnicate")
    (True, False)
    """
    if type(kind) is type:
        return hasattr(kind, name)
    return any(name in vars(base) for base in kind.__mro__)


def is_of_dataclass(value: object) -> bool:
    """Whether an object's class was made by `dataclass`, or is derived from such a one.

    >>> is_of_dataclass(1)
    False
    """
    return defines(type(value), "__dataclass_fields__")


def own_dict(value: Any) -> Any:
    """The attributes that an object has itself, or that a class defines; None where it has none.

    >>> own_dict(1) is None
    True
    """
    found = getattr(value, "__dict__", None)
    return found if isinstance(found, (dict, MappingProxyType)) else None
