"""What a trace knows of objects of the standard library (see converters/stdlib/outside_objects.py)."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

from ....base.causes import handled_now
from ....base.location import Loc


@dataclass(slots=True)
class StandardObjects:
    """By identity: objects that the function made, with the regions around; those from outside that the program
    changes, with the line; written: text streams that it writes to, with the line;
    refilled: sets that were put back, so that their order isn't known.

    stdout: the stream of the process as the trace began; handled: the exception that its caller was handling.
    """

    made: dict[int, tuple[Any, list[Any]]] = field(default_factory=dict)
    changed: dict[int, tuple[Any, Loc]] = field(default_factory=dict)
    written: dict[int, tuple[Any, Loc]] = field(default_factory=dict)
    refilled: dict[int, Any] = field(default_factory=dict)
    stdout: Any = field(default_factory=lambda: sys.stdout)
    handled: BaseException | None = field(default_factory=handled_now)
