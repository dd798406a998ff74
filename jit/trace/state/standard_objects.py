"""What a trace knows of objects of the standard library, and of settings of the process (see converters/stdlib)."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ....base.causes import handled_now
from ....base.errors import CaptureError
from ....base.location import Loc
from ....dygraph.number import Number


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the whole process: how it is read, in a form that can be compared, and put back. for_a_while: the
    statement that sets it for a piece of code; counts: whether it changes with each use, so that no guard asks for it;
    shows: whether texts of tensors and arrays depend on it; what: how errors call it.
    """

    read: Callable[[], Any]
    put: Callable[[Any], object]
    for_a_while: str = ""
    counts: bool = False
    shows: bool = False
    what: str = "a setting of the process"


KNOWN_SETTINGS: list[Setting] = []  # filled by converters/stdlib/surroundings.py


class ProcessSettings:
    """Settings that captured code sets. It happens while capturing only, so each piece of a program has to leave them
    as it found them.
    """

    def __init__(self) -> None:
        self.noted: dict[Setting, tuple[str, Loc]] = {}  # those that were set: by which function, where
        self.begun: dict[Setting, Any] = {}  # all of them, as the trace began
        self.open: list[_Piece] = []  # the pieces that code is in
        self.of_texts: dict[int, ShownBy] = {}  # texts of tensors, by number, that were made with other ones

    def note(self, setting: Setting, name: str, loc: Loc) -> None:
        """Code is about to set one."""
        if not all(setting in piece.before for piece in self.open):
            now = setting.read()
            for piece in self.open:
                piece.before.setdefault(setting, now)
        self.noted[setting] = name, loc

    def is_set(self, setting: Setting) -> bool:
        """Whether the function has set one to what it is now."""
        return setting in self.noted and setting.read() != self.open[0].before[setting]

    def note_text(self, number: int, x: Any) -> None:
        """A text of a tensor is made."""
        if type(x) is not Number and (now := self.shown_by()):
            self.of_texts[number] = now

    def require_same(self, number: int, x: Any, loc: Loc) -> None:
        """Errors: CaptureError where a text of a tensor is needed with other settings than those it was made with."""
        if type(x) is not Number and self.of_texts.get(number, ShownBy([])) != self.shown_by():
            raise CaptureError(
                "the text of a tensor is made with other print settings than those where it is shown",
                loc=loc,
                remedy="make the text and print it in one `with` of the settings",
            )

    def shown_by(self) -> ShownBy:
        """Those that decide on texts, as far as code has set them for a while."""
        now = [(s, s.read()) for s in KNOWN_SETTINGS if s.shows and s in self.begun]
        return ShownBy([(s, value) for s, value in now if value != self.begun[s]])

    def left_alone(self) -> _Piece:
        """Around a piece of a program. Errors: CaptureError for a setting that it leaves changed; it is put back."""
        return _Piece(self)

    def put_back(self, before: dict[Setting, Any], is_whole: bool) -> None:
        """At the end of a piece of a program; whether no error ends it."""
        changed = [setting for setting in self.noted if setting.read() != before[setting]]
        for setting in changed:
            setting.put(before[setting])
        if changed and is_whole:
            self._refuse(changed[0])

    def _refuse(self, setting: Setting) -> None:
        name, loc = self.noted[setting]
        within = f"`{setting.for_a_while}`" if setting.for_a_while else "the old value put back in the end"
        raise CaptureError(
            f"{name}() would change {setting.what} once, while the function is captured, and never again",
            loc=loc,
            remedy=f"call it outside, before the compiled function; for a part of the function only: {within}",
        )


@dataclass(frozen=True)
class ShownBy:
    """Settings with the values that texts are made with."""

    settings: list[tuple[Setting, Any]]

    def __bool__(self) -> bool:
        return bool(self.settings)

    def __call__(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function with them."""
        before = [(setting, setting.read()) for setting, _ in self.settings]
        try:
            for setting, value in self.settings:
                setting.put(value)
            return fn(*args, **kwargs)
        finally:
            for setting, value in before:
                setting.put(value)


class _Piece:
    """A piece of a program that leaves settings as they are. No generator: that would be in the context of errors."""

    __slots__ = ("before", "settings")

    def __init__(self, settings: ProcessSettings) -> None:
        self.settings = settings
        self.before = {setting: setting.read() for setting in {*KNOWN_SETTINGS, *settings.noted}}

    def __enter__(self) -> None:
        self.settings.open.append(self)
        self.settings.begun = self.settings.begun or self.before

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.settings.open.remove(self)
        self.settings.put_back(self.before, kind is None)


def shows_warnings() -> Any:
    """What gets the warnings that aren't filtered: `catch_warnings(record=True)` puts a list's `append` there."""
    return getattr(warnings, "_showwarnmsg_impl", None)


@dataclass(slots=True)
class StandardObjects:
    """By identity: objects that the function made, with the regions around; those from outside that the program
    changes, with the line; written: text streams that it writes to, with the line;
    refilled: sets that were put back, so that their order isn't known. told: what the program shows something to, by
    Python code of its own, with what messages call it, and the line.

    stdout, stderr: the streams of the process as the trace began; handled: the exception that its caller was handling;
    filters, shows_warnings: which warnings are shown then, and by what.
    """

    made: dict[int, tuple[Any, list[Any]]] = field(default_factory=dict)
    changed: dict[int, tuple[Any, Loc]] = field(default_factory=dict)
    written: dict[int, tuple[Any, Loc]] = field(default_factory=dict)
    refilled: dict[int, Any] = field(default_factory=dict)
    told: list[tuple[Any, str, Loc]] = field(default_factory=list)
    stdout: Any = field(default_factory=lambda: sys.stdout)
    stderr: Any = field(default_factory=lambda: sys.stderr)
    handled: BaseException | None = field(default_factory=handled_now)
    filters: list[Any] = field(default_factory=lambda: list(warnings.filters))
    shows_warnings: Any = field(default_factory=shows_warnings)
    settings: ProcessSettings = field(default_factory=ProcessSettings)
