"""Names that nobody else has, such as `linear_0.w_0`: one count per key, in a generator that can be swapped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import KindError


class UniqueNameGenerator:
    """Counts up per key; `prefix` stands before every name.

    >>> names = UniqueNameGenerator("a_")
    >>> names("fc"), names("fc"), names("conv")
    ('a_fc_0', 'a_fc_1', 'a_conv_0')
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.ids: dict[str, int] = {}

    def __call__(self, key: str) -> str:
        number = self.ids.get(key, 0)
        self.ids[key] = number + 1
        return f"{self.prefix}{key}_{number}"


class DygraphParameterNameChecker:
    """The names of parameters that were given; PaddlePaddle switches it together with the generator."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __call__(self, name: str) -> bool:
        """Whether the name was given before; from now on it was."""
        known = name in self.names
        self.names.add(name)
        return known


_generator = UniqueNameGenerator()
_checker = DygraphParameterNameChecker()


def generate(key: str) -> str:
    """The next name of `key` from the generator in force.

    >>> with guard():
    ...     print(generate("fc"), generate("fc"))
    fc_0 fc_1
    """
    return _generator(key)


def switch(
    new_generator: UniqueNameGenerator | None = None, new_para_name_checker: DygraphParameterNameChecker | None = None
) -> tuple[UniqueNameGenerator, DygraphParameterNameChecker]:
    """Put another generator and checker of names (default: fresh ones) in force; returns those before.

    >>> old = switch()
    >>> isinstance(switch(*old)[0], UniqueNameGenerator)
    True
    """
    global _generator, _checker
    old = _generator, _checker
    _generator = UniqueNameGenerator() if new_generator is None else new_generator
    _checker = DygraphParameterNameChecker() if new_para_name_checker is None else new_para_name_checker
    return old


def state() -> tuple[UniqueNameGenerator, dict[str, int]]:
    """The generator in force, and how far it has counted."""
    return _generator, dict(_generator.ids)


def put_state(known: tuple[UniqueNameGenerator, dict[str, int]]) -> None:
    """Go on as when `state` gave this."""
    generator, ids = known
    switch(generator, _checker)
    generator.ids = dict(ids)


@contextmanager
def guard(new_generator: UniqueNameGenerator | str | bytes | None = None) -> Iterator[None]:
    """Names start anew inside the block; a prefix is put before each of them. Errors: KindError for anything else.

    >>> with guard("left_"):
    ...     generate("fc")
    'left_fc_0'
    """
    if isinstance(new_generator, (str, bytes)):
        text = new_generator.decode() if isinstance(new_generator, bytes) else new_generator
        new_generator = UniqueNameGenerator(text)
    elif new_generator is not None and not isinstance(new_generator, UniqueNameGenerator):
        raise KindError(
            f"unique_name.guard takes a prefix or a generator, not a {type(new_generator).__name__}",
            remedy="leave it out for names that start at 0",
        )
    old = switch(new_generator)
    try:
        yield
    finally:
        switch(*old)
