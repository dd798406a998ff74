# Written by `make stubs`; edits here are lost.

from typing import Any as _Any

class NativelyCalled:
    """A base of classes whose calls begin in native code, as soon as `call_natively_first` has said so.

    `_first` is an object's native call, or any function instead."""
    @staticmethod
    def __new__(cls, *given: _Any, **named: _Any) -> _Any:
        """An object that machine code may call."""
