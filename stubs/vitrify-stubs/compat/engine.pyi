# Written by `make stubs`; edits here are lost.

from builtins import object as _object

class LazyGuard:
    """A context in which Paddle makes layers without values. Here their parameters have values at once.

    >>> with LazyGuard():
    ...     print("made")
    made"""
    def __enter__(self) -> LazyGuard: ...
    def __exit__(self, *error: _object) -> None: ...
