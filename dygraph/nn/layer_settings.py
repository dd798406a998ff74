"""Base of layers that are a function and its settings: activations, pooling, losses, shuffles, …"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from ...base.misfits import misfit
from ...ops.mistakes import named
from ...ops.op import REQUIRED
from .alias import alias
from .layer import Layer


def underscored(settings: Iterable[str]) -> dict[str, str]:
    """Where PaddlePaddle's layers store these settings: under their names with an underscore before."""
    return {name: f"_{name}" for name in settings}


def plainly(*settings: str) -> dict[str, str]:
    """Settings that `repr` shows under their own names."""
    return {name: name for name in settings}


def with_name(text: str, name: str | None) -> str:
    """What `repr` shows of a layer, followed by the name that its user gave it.

    >>> with_name("axis=-1", "scores"), with_name("", None)
    ('axis=-1, name=scores', '')
    """
    return ", ".join(part for part in (text, f"name={name}" if name else "") if part)


class FunctionLayer(Layer):
    """Calls `function(*inputs, **settings)`. A subclass lists the settings' names and defaults, REQUIRED for none.

    Settings are attributes, which each call reads, under their names with `prefix` before, or as `stored` names them
    (PaddlePaddle's names); a setting that is stored under a name of `stored` has its own name too. `name` is kept as
    `name` and `_name`: some of PaddlePaddle's layers have the one, some the other.
    Errors: KindError (a TypeError) for settings that it hasn't, or without those it needs.
    """

    function: Callable[..., Any]
    settings: dict[str, Any] = {}
    stored: dict[str, str] = {}
    prefix = ""
    shown: dict[str, str] = {}  # the settings that `repr` shows, with its words for them; all where empty
    told_if: frozenset[str] = frozenset()  # those of them that it leaves out where they are None
    shows_name = True  # whether it shows the layer's name: Paddle's pools and losses don't

    def __init_subclass__(cls) -> None:
        kind = inspect.Parameter
        fields = [
            kind(name, kind.POSITIONAL_OR_KEYWORD, default=kind.empty if value is REQUIRED else value)
            for name, value in (cls.settings | {"name": None}).items()
        ]
        cls.__signature__ = inspect.Signature(fields)
        for name in cls.settings:
            if name in cls.stored and name not in vars(cls):
                setattr(cls, name, alias(cls.stored[name]))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        told = misfit(type(self).__name__, type(self), args, kwargs)
        if told is not None:
            raise told
        bound = inspect.signature(type(self)).bind(*args, **kwargs)
        chosen = type(self).settings | bound.arguments
        self.name = self._name = chosen.pop("name", None)
        self._check(chosen)
        for name, value in chosen.items():
            setattr(self, self._place_of(name), value)

    @classmethod
    def _place_of(cls, setting: str) -> str:
        """The attribute that holds a setting."""
        return cls.stored.get(setting) or f"{cls.prefix}{setting}"

    def _check(self, settings: dict[str, Any]) -> None:
        """Refuse settings out of range, when the layer is made; or put them into the form that is stored."""

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, self._place_of(name)) for name in type(self).settings}

    def _arguments(self) -> dict[str, Any]:
        """What the function is called with beside the inputs."""
        return self._settings()

    def forward(self, *inputs: Any, **given: Any) -> Any:
        """The function of the inputs; one that is named may be called as in the function, or `x` or `input`."""
        function = type(self).function
        if given:
            first = next(iter(inspect.signature(function).parameters))
            for word in ("x", "input"):
                if not inputs and word in given and first not in given:
                    given[first] = given.pop(word)
            settings = self._arguments()
            told = misfit(type(self).__name__, function, inputs, {**settings, **given})
            if told is not None:
                raise told
            return self._as_called(function(*inputs, **given, **settings), inputs)
        return self._as_called(function(*inputs, **self._arguments()), inputs)

    def _as_called(self, made: Any, inputs: tuple[Any, ...]) -> Any:
        """The result; a variable of a static program has the layer's name."""
        return made if self._name is None else named(made, self._name, inputs, {"name": self._name})

    def _told(self) -> str:
        """The settings that `repr` shows; what a subclass adds comes before the name."""
        told = self._settings()
        names = self.shown or {name: name for name in told}
        return ", ".join(
            f"{word}={told[name]}" for name, word in names.items() if name not in self.told_if or told[name]
        )

    def extra_repr(self) -> str:
        return with_name(self._told(), self._name if self.shows_name else None)
