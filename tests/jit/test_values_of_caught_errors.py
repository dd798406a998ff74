"""Exceptions that end a loop of the program and are caught around it: they hold what the last iteration gave them."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt


class Done(Exception):
    def __init__(self, *args: Any, place: Any = None) -> None:
        super().__init__(*args)
        self.place = place


def doubled(x: Any, n: Any, form: str) -> Any:
    i = vt.to_tensor(0)
    try:
        while i < n:
            x = x * 2
            i = i + 1
            if x > 10:
                if form == "tensors":
                    raise Done(x, i)
                if form == "text":
                    raise Done(f"{i.item()} steps, {float(x):.1f}")
                if form == "attribute":
                    raise Done("far", place=[x, {"steps": i}])
                if form == "cause":
                    try:
                        raise ValueError(x)
                    except ValueError as e:
                        raise Done("behind", i) from e
                raise Done("far", n)
    except Done as e:
        print("done:", *e.args)
        cause = e.__cause__.args if isinstance(e.__cause__, ValueError) else ()
        return x, [a * 1 for a in (*e.args, *cause) if not isinstance(a, str)], e.place
    return x, None, None


def values(x: Any) -> Any:
    if isinstance(x, dict):
        return {key: values(item) for key, item in x.items()}
    return [values(item) for item in x] if isinstance(x, (list, tuple)) else x if x is None else float(x)


@pytest.mark.parametrize("form", ["tensors", "text", "attribute", "cause", "outside"])
def test_an_exception_brings_values_out_of_a_loop(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(doubled)
    for x in (1.0, 0.001, 7.0, 3.0):
        given = vt.to_tensor(x), vt.to_tensor(6)
        found, shown = values(compiled(*given, form)), capsys.readouterr().out
        assert found == values(doubled(*given, form))
        assert shown == capsys.readouterr().out


def first_beyond(x: Any, most: Any) -> Any:
    """A number that is known in the first iteration only is in the text; two places raise."""
    count = 0
    try:
        for row in x:
            count += 1
            if row[0] > most:
                raise Done(f"row {count}: {row[0].item()}", count)
            if row[1] < 0:
                raise KeyError(count, row)
    except (Done, KeyError) as e:
        print(type(e).__name__, e.args[0])
        return e.args[-1] * 2
    return None


def test_places_that_raise_each_bring_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(first_beyond, input_spec=[vt.InputSpec([None, 2]), vt.InputSpec([])])
    rows = [[[1.0, 1.0]] * 3, [[1.0, 1.0], [6.0, 0.0]], [[1.0, 1.0], [2.0, -1.0], [6.0, 1.0]], [[9.0, -1.0]]]
    for x in rows:
        found, shown = compiled(vt.to_tensor(x), vt.to_tensor(5.0)), capsys.readouterr().out
        expected = first_beyond(vt.to_tensor(x), vt.to_tensor(5.0))
        assert shown == capsys.readouterr().out
        assert type(found) is type(expected)
        assert values(found if expected is None or not hasattr(found, "tolist") else found.tolist()) == values(
            expected if expected is None or not hasattr(expected, "tolist") else expected.tolist()
        )


def kept(x: Any, limit: int) -> Any:
    """The loop's counter is wanted by Python behind it: its iterations are one piece of code each."""
    names = [f"step {k}" for k in range(limit)]
    steps = 0
    try:
        for k in range(limit):
            x = x * 2
            if x > 100:
                raise Done("far")
            steps = k
    except Done:
        return names[steps], x
    return "all", x


def test_code_behind_that_needs_numbers_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(kept)
    for x in (1.0, 30.0, 1e-6):
        found, expected = compiled(vt.to_tensor(x), 12), kept(vt.to_tensor(x), 12)
        assert found[0] == expected[0]
        assert found[1].item() == expected[1].item()
