"""The type of a row of the tables here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, Union

Emitter: TypeAlias = Callable[..., Union[str, Sequence[str]]]
