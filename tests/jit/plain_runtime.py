"""The run-time interface of converted code, with plain Python meaning: the reference for tests.

It counts nothing and builds nothing; `strict=True` also drives getters and setters the way a tracing run-time
does: both ways of an `if` run on the same state, dead variables are dropped, the taken way's state is put back.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}
Thunk = Callable[[], Any]
State = tuple[Any, ...]


class Undefined:
    """Marks a variable that isn't bound."""

    def __init__(self, name: str) -> None:
        self.name = name


class PlainRuntime:
    """Every construct as Python has it."""

    Undefined = Undefined

    def __init__(self) -> None:
        self.rounds: dict[Any, list[Any]] = {}  # the cells of a comprehension's variables

    def is_defined(self, value: Any) -> bool:
        return not isinstance(value, Undefined)

    def load(self, name: str, value: Any) -> Any:
        if isinstance(value, Undefined):
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
        return value

    def load_free(self, name: str, value: Any) -> Any:
        if isinstance(value, Undefined):
            raise NameError(
                f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
            )
        return value

    def bound(self, names: dict[str, Any], name: str, value: Any) -> Any:
        names[name] = value
        return value

    def named(self, names: dict[str, Any], name: str) -> Any:
        return self.load(name, names.get(name, Undefined(name)))

    def returned(self, value: Any) -> Any:
        return value

    def not_returned(self, value: Any) -> Any:
        return value

    def deleted(self, name: str, value: Any) -> Undefined:
        self.load(name, value)
        return Undefined(name)

    def variable(self, thunk: Thunk, name: str) -> Any:
        try:
            return thunk()
        except NameError:
            return Undefined(name)

    def attribute(self, base: Thunk, name: str, text: str) -> Any:
        try:
            return getattr(base(), name)
        except AttributeError:
            return Undefined(text)

    def set_attribute(self, base: Thunk, name: str, value: Any) -> None:
        if not isinstance(value, Undefined):
            setattr(base(), name, value)
        elif hasattr(base(), name):
            delattr(base(), name)

    def if_else(
        self,
        test: Any,
        then_fn: Callable[[], None],
        else_fn: Callable[[], None],
        get_state: Callable[[], State],
        set_state: Callable[[State], None],
        names: tuple[str, ...],
        live: tuple[str, ...],
    ) -> None:
        then_fn() if test else else_fn()

    def step(
        self,
        step_fn: Callable[[], None],
        get_state: Callable[[], State],
        set_state: Callable[[State], None],
        names: tuple[str, ...],
        live: tuple[str, ...],
        kept: tuple[str, ...],
    ) -> None:
        step_fn()

    def while_loop(
        self,
        test_fn: Callable[[], Any],
        body_fn: Callable[[], None],
        get_state: Callable[[], State],
        set_state: Callable[[State], None],
        names: tuple[str, ...],
        live: tuple[str, ...],
    ) -> None:
        while test_fn():
            body_fn()

    def for_loop(
        self,
        iterable: Iterable[Any],
        goes_on: Callable[[], Any] | None,
        body_fn: Callable[[Any], None],
        get_state: Callable[[], State],
        set_state: Callable[[State], None],
        names: tuple[str, ...],
        live: tuple[str, ...],
    ) -> None:
        for item in iterable:
            body_fn(item)
            if goes_on is not None and not goes_on():
                break

    def if_exp(self, test: Any, body: Thunk, orelse: Thunk) -> Any:
        return body() if test else orelse()

    def and_(self, *operands: Thunk) -> Any:
        for operand in operands:
            value = operand()
            if not value:
                break
        return value

    def or_(self, *operands: Thunk) -> Any:
        for operand in operands:
            value = operand()
            if value:
                break
        return value

    def not_(self, value: Any) -> bool:
        return not value

    def run_time_string(self, x: Any) -> Any:
        return x

    def percent(self, left: Any, right: Any) -> Any:
        return left % right

    def manager(self, x: Any) -> Any:
        return x

    def caught(self) -> None:
        return None

    def unused(self, fn: Any) -> Any:
        return fn

    def asked_once(self, generator: Any) -> Any:
        return generator

    asked_once_if_alone = asked_once

    def pattern_class(self, kind: Any) -> Any:
        return kind

    def class_of(self, x: Any) -> type:
        return x.__class__

    def shown(self, x: Any, conversion: str = "") -> Any:
        return {"": lambda v: v, "r": repr, "s": str, "a": ascii}[conversion](x)

    def identical(self, x: Any, y: Any) -> bool:
        return x is y

    def own(self, variables: dict[str, Any], names: str) -> dict[str, Any]:
        return {k: v for k, v in variables.items() if k in names.split() and not isinstance(v, Undefined)}

    def has_length(self, value: Any, count: int, starred: bool) -> bool:
        if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray)):
            return False
        return len(value) >= count if starred else len(value) == count

    def equals(self, x: Any, y: Any) -> Any:
        return x == y

    def differ(self, x: Any, y: Any) -> Any:
        return x != y

    def contains(self, x: Any, items: Any) -> bool:
        return x in items

    def compare_chain(self, first: Any, *links: tuple[str, Thunk]) -> Any:
        left = first
        for name, operand in links:
            right = operand()
            value = OPERATORS[name](left, right)
            if not value:
                break
            left = right
        return value

    slice = slice

    def item(self, base: Any, key: Any) -> Any:
        return base[key]

    def set_item(self, value: Any, base: Any, key: Any) -> None:
        base[key] = value

    def matched(self, value: Any) -> Any:
        return self.load("the subject", value)

    def unpacked(self, value: Any) -> Any:
        return value

    def delete_item(self, base: Any, key: Any) -> None:
        del base[key]

    def call(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    def each(self, iterable: Iterable[Any], body: Callable[[Any], Any], emit: Any) -> None:
        for item in iterable:
            body(item)

    def one_variable(self, emit: Any, read: Thunk) -> None:
        for name, cell in zip(read.__code__.co_freevars, read.__closure__, strict=True):
            earlier = self.rounds.setdefault((emit, name), [])
            for other in earlier:
                other.cell_contents = cell.cell_contents
            earlier.append(cell)

    def when(self, test: Any, then: Thunk) -> None:
        if test:
            then()

    def gathered(self, kind: str, push: Callable[..., Any], first: Iterable[Any]) -> Any:
        found: list[Any] = []
        push(first, found.append)
        return {"list": list, "set": set, "dict": dict}[kind](found)

    def generated(self, push: Callable[..., Any], pull: Callable[[Any], Any], first: Iterable[Any]) -> Any:
        return pull(first)

    def parts(self, value: Iterable[Any], before: int, after: int | None) -> list[Any]:
        items = list(value)
        if after is None:
            assert len(items) == before
            return items
        stop = len(items) - after
        return [*items[:before], items[before:stop], *items[stop:]]

    def assert_(self, test: Any, message: Thunk | None) -> None:
        if not test:
            raise AssertionError(*([] if message is None else [message()]))


class StateRuntime(PlainRuntime):
    """Also drops dead variables and moves the state through getters and setters, as a tracing run-time does."""

    def _through(self, run: Thunk, get_state: Any, set_state: Any, names: Any, live: Any) -> None:
        before = get_state()
        assert len(before) == len(names)
        assert set(live) <= set(names)
        set_state(tuple(_marked(name, value) for name, value in zip(names, before, strict=True)))
        set_state(before)
        run()
        self._drop(get_state, set_state, names, live)

    def _drop(self, get_state: Any, set_state: Any, names: Any, live: Any) -> None:
        after = get_state()
        set_state(tuple(v if name in live else Undefined(name) for name, v in zip(names, after, strict=True)))

    def if_else(
        self, test: Any, then_fn: Any, else_fn: Any, get_state: Any, set_state: Any, names: Any, live: Any
    ) -> None:
        self._through(then_fn if test else else_fn, get_state, set_state, names, live)

    def while_loop(self, test_fn: Any, body_fn: Any, get_state: Any, set_state: Any, names: Any, live: Any) -> None:
        self._drop(get_state, set_state, names, live)
        while test_fn():
            self._through(body_fn, get_state, set_state, names, live)

    def for_loop(
        self, iterable: Any, goes_on: Any, body_fn: Any, get_state: Any, set_state: Any, names: Any, live: Any
    ) -> None:
        for item in iterable:
            self._through(lambda item=item: body_fn(item), get_state, set_state, names, live)  # type: ignore[misc]
            if goes_on is not None and not goes_on():
                break


def _marked(name: str, value: Any) -> Any:
    return value if "." in name else Undefined(name)
