"""The user's own passes in the pipeline: where they stand, and how they are put there and taken away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..base.errors import ArgumentError, KindError
from .extensions import added_passes
from .manager import Pass
from .pipelines import default_pipeline


def add(item: Pass, *, before: str | None = None, after: str | None = None) -> Pass:
    """Put a pass of your own into the pipeline of what is compiled from now on, for the whole process; returns it.

    before, after: the name of the pass beside which it stands (its first place); by default it is the last one before
    fusion. A program is verified after it.
    Errors: KindError for what isn't a Pass; ArgumentError for a name that is taken or not there.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Nothing(Pass):
    ...     name = "nothing"
    ...     def run(self, program):
    ...         return False
    >>> add(Nothing(), after="cse").name
    'nothing'
    >>> remove("nothing")
    """
    if not isinstance(item, Pass):
        raise KindError(f"a pass is an object of a class that is a Pass, not {type(item).__name__}",
                        remedy="derive it from vt.passes.Pass, and pass an instance")  # fmt: skip
    if before is not None and after is not None:
        raise ArgumentError("a pass stands before or after another one, not both")
    names = [p.name for p in default_pipeline()]
    if item.name in names:
        raise ArgumentError(f"the pipeline has a pass {item.name!r}", remedy="give yours another name, or remove() it")
    place = before or after or "fold_into_beta"
    if place not in names:
        raise ArgumentError(f"the pipeline has no pass {place!r}", remedy=f"it has {', '.join(dict.fromkeys(names))}")
    added_passes.append((item, "after" if after is not None else "before", place))
    return item


def remove(item: Pass | str) -> None:
    """Take a pass out again. Errors: ArgumentError for one that wasn't added."""
    found = [entry for entry in added_passes if item in (entry[0], entry[0].name)]
    if not found:
        raise ArgumentError(f"no pass {item if isinstance(item, str) else item.name!r} was added")
    added_passes.remove(found[0])


@contextmanager
def added(item: Pass, *, before: str | None = None, after: str | None = None) -> Iterator[Pass]:
    """Have a pass in the pipeline inside the block, as `add` puts it there."""
    add(item, before=before, after=after)
    try:
        yield item
    finally:
        remove(item)
