"""Where the compiled methods of an instance are kept: with the instance, so that both go together.

They stand under one name of their own in its `__dict__`, not under the names of the methods: there they would hide
what the class says later (another method, another class), and a copy of the attributes would run the methods of the
original.
"""

from __future__ import annotations

from typing import Any

BOUND = "__vitrify_bound__"


class BoundMethods(dict[str, Any]):
    """The compiled methods of one instance, by what was decorated in its classes. It looks like an empty dict.

    So nobody who compares, prints or writes the attributes of objects meets functions among them. A copy holds none.
    """

    __slots__ = ("instance", "table")

    def __init__(self, instance: Any = None) -> None:
        super().__init__()
        self.instance = instance
        self.table: dict[Any, Any] = {}

    @classmethod
    def of(cls, attributes: dict[str, Any], instance: Any) -> BoundMethods:
        """Those of an instance; new ones where its attributes hold none, or another instance's."""
        found = attributes.get(BOUND)
        if not isinstance(found, BoundMethods) or found.instance is not instance:
            found = attributes[BOUND] = BoundMethods(instance)
        return found

    def __copy__(self) -> BoundMethods:
        return BoundMethods()

    def __deepcopy__(self, memo: dict[int, Any]) -> BoundMethods:
        return BoundMethods()

    def __reduce__(self) -> Any:
        return BoundMethods, ()
