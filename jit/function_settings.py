"""What `to_static` was told about one function, apart from its input_spec."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.errors import ArgumentError
from ..base.flags import flags
from ..runtime.options import COMPILE, NUMERICS, CompileOptions, as_bytes
from .switches import checked_choice


@dataclass(frozen=True, slots=True)
class Settings:
    """fallback: "error" or "eager". The others as in CompileOptions; None: as the flags say when a program is made."""

    fallback: str = "error"
    compile: str | None = None
    memory_limit: int | None = None
    numerics: str | None = None

    def options(self) -> CompileOptions:
        """How a program is compiled now."""
        numerics = self.numerics or flags.numerics
        return CompileOptions(self.compile or flags.compile, self.memory_limit, numerics, flags.schedule)


PLAIN = Settings()


def checked_settings(
    fallback: str, compile: str | None, memory_limit: int | str | None, numerics: str | None
) -> Settings:
    """The settings. Errors: ArgumentError for a value that isn't among those allowed."""
    checked_choice(fallback, ("error", "eager"), "fallback")
    checked_choice(compile, (None, *COMPILE), "compile")
    checked_choice(numerics, (None, *NUMERICS), "numerics")
    if numerics == "reference" and memory_limit is not None:
        raise ArgumentError(
            'a memory_limit is about plans, and there are none with numerics="reference"',
            remedy="leave one of them out",
        )
    return Settings(fallback, compile, None if memory_limit is None else as_bytes(memory_limit), numerics)
