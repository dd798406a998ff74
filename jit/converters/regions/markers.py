"""What stands for a variable that one path lacks, or that is one thing or another."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from ....base.errors import CaptureError
from ....base.location import Loc, is_library_file
from ....dygraph.tensor import Tensor
from .decisions import Decision


class Undefined:
    """Marks a variable that isn't bound."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name} is undefined>"


class Maybe(Undefined):
    """A variable that some paths bind: its value, and whether it is bound, known at run time."""

    def __init__(self, name: str, value: Any, flag: Any) -> None:
        super().__init__(name)
        self.value = value
        self.flag = flag


class Poison(Undefined):
    """A variable whose values on two paths can't be one value of a program: a use traces what follows once per path.

    decision: the `if` that made it; without one (a loop's iteration) a use is an error.
    """

    def __init__(self, name: str, message: str, loc: Loc, decision: Decision | None = None) -> None:
        super().__init__(name)
        self.message = message
        self.loc = loc
        self.decision = decision

    def fail(self, *_: Any, **__: Any) -> NoReturn:
        """What a use does: back to where the paths diverge."""
        if self.decision is not None:
            self.decision.split(self.message, self.loc)
        raise CaptureError(self.message, loc=self.loc, remedy="give the variable values of the same type on all paths")

    def __getattribute__(self, name: str) -> Any:
        if name[:2] != "__" and not is_library_file(sys._getframe(1).f_code.co_filename):
            object.__getattribute__(self, "fail")()  # the user's object may have attributes of these names
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self.fail()

    def __setattr__(self, name: str, value: Any) -> None:
        if not is_library_file(sys._getframe(1).f_code.co_filename):
            self.fail()
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self.fail()

    __bool__ = __call__ = __iter__ = __len__ = __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = fail
    __rmul__ = __truediv__ = __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __matmul__ = __int__ = fail
    __eq__ = __ne__ = __hash__ = __format__ = fail
    __rpow__ = __rmod__ = __rfloordiv__ = __rmatmul__ = __abs__ = __invert__ = __and__ = __or__ = __xor__ = fail
    __rand__ = __ror__ = __rxor__ = __pos__ = __str__ = __complex__ = __reversed__ = __delitem__ = __exit__ = fail
    __float__ = __index__ = __setitem__ = __contains__ = __pow__ = __mod__ = __floordiv__ = __enter__ = fail


class Tested(Poison):
    """What `a and b` gives where the two can't be one value; its truth is known all the same."""

    def __init__(self, poison: Poison, flag: Tensor) -> None:
        super().__init__(poison.name, poison.message, poison.loc, poison.decision)
        self.flag = flag
