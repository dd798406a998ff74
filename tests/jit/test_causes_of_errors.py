"""What an exception of a compiled function came from: its cause, its context and the attributes it has, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt

X = [1.0, 2.0]


class Own(Exception):
    """An exception of the user's."""


def from_another(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError("a")
    except ValueError as e:
        raise RuntimeError("b") from e
    return x


def inside_a_handler(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError("a")
    except ValueError:
        raise RuntimeError("b")  # noqa: B904 (its context is what is tested)
    return x


def from_a_new_one(x: Any) -> Any:
    if x.sum() > 0:
        raise RuntimeError("b") from KeyError("z")
    return x


def from_none(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError("a")
    except ValueError:
        raise RuntimeError("b") from None
    return x


def behind_an_error_of_python(x: Any) -> Any:
    try:
        {}["k"]
    except KeyError:
        if x.sum() > 0:
            raise RuntimeError("b")  # noqa: B904
    return x


def on_every_path(x: Any) -> Any:
    try:
        {}["k"]
    except KeyError as e:
        raise RuntimeError("b") from e
    return x


def with_values(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError(f"a {float(x.sum())}")
    except ValueError as e:
        if x.max() > 0.5:
            raise RuntimeError("b") from e
    return x


def out_of_a_loop(x: Any) -> Any:
    try:
        for row in x:
            if row > 0:
                raise ValueError("row")
    except ValueError as e:
        raise RuntimeError("b") from e
    return x


def out_of_finally(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError("a")
        x = x + 1
    finally:
        if x.sum() > -5:
            raise KeyError("f")
    return x


def own_ones(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise Own("a", 1)
    except Own as e:
        raise Own("b") from e
    return x


def three_of_them(x: Any) -> Any:
    try:
        try:
            if x.sum() > 0:
                raise ValueError("a")
        except ValueError as e:
            raise KeyError("b") from e
    except KeyError:
        raise RuntimeError  # noqa: B904
    return x


def of_an_operation(x: Any) -> Any:
    try:
        if x.sum() > 0:
            x = x @ vt.ones([5, 2])
    except vt.errors.ShapeError as e:
        raise Own("b") from e
    return x


CASES: list[Callable[[Any], Any]] = [
    from_another, inside_a_handler, from_a_new_one, from_none, behind_an_error_of_python, on_every_path, with_values,
    out_of_a_loop, out_of_finally, own_ones, three_of_them, of_an_operation,
]  # fmt: skip


def story(error: BaseException | None) -> Any:
    """An exception with all that it came from; of the messages of operations the class is enough."""
    if error is None:
        return None
    is_ours = isinstance(error, vt.errors.VitrifyError)
    own = ((), True) if is_ours else (error.args, error.__suppress_context__)
    return type(error), own, story(error.__cause__), story(error.__context__)


def raised_by(fn: Callable[[Any], Any], x: Any) -> Any:
    with pytest.raises(Exception) as caught:
        fn(x)
    return story(caught.value)


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_causes_and_contexts(fn: Callable[[Any], Any]) -> None:
    x, compiled = vt.to_tensor(X), vt.to_static(fn)
    expected = raised_by(fn, x)
    assert raised_by(compiled, x) == expected
    assert raised_by(compiled, x) == expected


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_what_the_caller_handles_is_the_context_of_the_first_one(fn: Callable[[Any], Any]) -> None:
    x, compiled = vt.to_tensor(X), vt.to_static(fn)

    def around(fn: Callable[[Any], Any], number: int) -> Any:
        try:
            raise LookupError(number)
        except LookupError:
            return raised_by(fn, x)

    for number in range(3):
        assert around(compiled, number) == around(fn, number)
    assert raised_by(compiled, x) == raised_by(fn, x)


def test_attributes_of_pythons_own_exceptions() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        if x.sum() > 0:
            error = ValueError("a")
            error.code = 5  # type: ignore[attr-defined]
            raise error
        return x

    for _ in range(2):
        with pytest.raises(ValueError, match="a") as caught:
            fn(vt.to_tensor(X))
        assert caught.value.code == 5  # type: ignore[attr-defined]


def test_causes_in_saved_models(tmp_path: Path) -> None:
    """Python's own exceptions are part of the program: it calls nothing back."""
    x = vt.to_tensor(X)
    vt.jit.save(vt.to_static(from_another), str(tmp_path / "m"), input_spec=[vt.static.InputSpec([2])])
    loaded = vt.jit.load(str(tmp_path / "m"))
    assert raised_by(loaded, x) == raised_by(from_another, x)
    assert loaded(-x).tolist() == (-x).tolist()


def test_causes_are_part_of_the_text() -> None:
    compiled = vt.to_static(from_a_new_one)
    compiled(vt.to_tensor([-1.0, -2.0]))
    assert 'causes = (("KeyError", "z"))' in str(compiled.program)


def test_notes_of_a_handler_are_those_of_one_call() -> None:
    def fn(x: Any) -> Any:
        try:
            if x.sum() > 2:
                raise ValueError("v")
        except ValueError as error:
            error.add_note("a note")
            raise
        return x

    compiled = vt.to_static(fn)
    for _ in range(4):
        with pytest.raises(ValueError, match="v") as caught:
            compiled(vt.full([1], 3.0))
        assert caught.value.__notes__.count("a note") == 1
        assert len(caught.value.__notes__) <= 2  # and the user's line


def test_what_is_captured_again_has_no_context_of_the_first_time() -> None:
    class Flaky(Exception):
        pass

    def call(x: Any, n: int) -> Any:
        if x.sum() > 10 * n:
            raise Flaky("no")
        return x

    def make(x: Any) -> Any:
        for n in (1, 2):
            try:
                found = call(x, n)
            except Flaky:
                continue
            return found
        raise RuntimeError("failed")

    def fn(d: Any, x: Any) -> Any:
        try:
            return d["a"]
        except KeyError:
            return make(x)

    found = []
    for f in (fn, vt.to_static(fn)):
        chains = []
        for value in (1.0, 15.0, 50.0):
            kinds: list[str] = []
            try:
                f({}, vt.ones([1]) * value)
            except RuntimeError as error:
                each: BaseException | None = error
                while each is not None:
                    kinds.append(type(each).__name__)
                    each = each.__context__
            chains.append(kinds)
        found.append(chains)
    assert found[0] == found[1] == [[], [], ["RuntimeError", "KeyError"]]
