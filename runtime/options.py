"""How a function is compiled: when, within which memory, with whose numerics. What `to_static` takes besides."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..base.errors import ArgumentError
from ..base.flags import flags

COMPILE = ("wait", "background")
NUMERICS = ("ieee", "fast", "reference")
_UNITS = {"": 1, "B": 1, "KB": 1000, "MB": 1000**2, "GB": 1000**3, "KIB": 1024, "MIB": 1024**2, "GIB": 1024**3}


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """compile: whether the first call waits for kernels. memory_limit: bytes of intermediates that a program may plan.

    numerics: "ieee" (kernels round every operation once and reorder sums only), "fast" (they may also reorder,
    contract and approximate arithmetic) or "reference" (NumPy's functions and order). schedule: the names of the passes
    that the steps of a program go through, in order, or those to leave out, each with a minus (`-loop_kernels`); None:
    the default ones.
    """

    compile: str = "wait"
    memory_limit: int | None = None
    numerics: str = "ieee"
    schedule: tuple[str, ...] | None = None


DEFAULT = CompileOptions()


def of_flags() -> CompileOptions:
    """The options of programs that no `to_static` compiles: loaded ones, static ones, those of predictors."""
    return CompileOptions(numerics=flags.numerics, schedule=flags.schedule)


def as_bytes(amount: int | str) -> int:
    """A number of bytes from an int or a string with a unit (B, KB, MB, GB, KiB, MiB, GiB).

    Errors: ArgumentError for another text, and for less than one byte.

    >>> as_bytes("1.5 MiB")
    1572864
    """
    count = amount
    if isinstance(amount, str):
        found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([a-zA-Z]*)\s*", amount)
        if found is None or found[2].upper() not in _UNITS:
            raise ArgumentError(f"{amount!r} is no amount of memory", remedy='write it as 4096, "64MB" or "1.5GiB"')
        count = int(float(found[1]) * _UNITS[found[2].upper()])
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ArgumentError(f"{amount!r} is no amount of memory", remedy='write it as 4096, "64MB" or "1.5GiB"')
    return count
