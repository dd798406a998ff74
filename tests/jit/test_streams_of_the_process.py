"""What compiled code writes to `sys.stdout` and `sys.stderr` goes where these lead at each call."""

import contextlib
import io
import sys
from typing import Any

import pytest

import vitrify as vt

FIRST = io.StringIO()


def _named(x: Any) -> Any:
    sys.stdout.write(f"sum {x.sum()}\n")
    sys.stdout.writelines(["a\n", "b\n"])
    sys.stdout.flush()
    print("c", x.sum(), sep="|", file=sys.stdout)
    print("wrong", file=sys.stderr)
    sys.stderr.write("worse\n")
    return x * 2


def _on_one_path(x: Any) -> Any:
    if x.sum() > 0:
        sys.stdout.write("positive\n")
    for k in range(2):
        print(k, file=sys.stdout)
    return x


def _kept(x: Any) -> Any:
    FIRST.write("here\n")
    print("there", file=FIRST)
    return x


def _led_elsewhere(x: Any) -> Any:
    own = io.StringIO()
    with contextlib.redirect_stdout(own):
        sys.stdout.write("inside\n")
        print("too", file=sys.stdout)
    sys.stdout.write("outside\n")
    return x, own.getvalue()


def _shown(fn: Any, value: float) -> tuple[Any, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        result = fn(vt.full([2], value))
    return result, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("fn", [_named, _on_one_path, _led_elsewhere])
def test_each_call_writes_to_its_own_streams(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for value in (1.0, 2.0, -3.0, 4.0):
        expected, got = _shown(fn, value), _shown(compiled, value)
        assert got[1:] == expected[1:]
        assert expected[1]
        assert str(got[0]) == str(expected[0])


def test_a_stream_that_the_code_kept_stays_the_one() -> None:
    compiled = vt.to_static(_kept)
    for _ in range(2):
        assert _shown(compiled, 1.0)[1:] == ("", "")
    assert FIRST.getvalue() == "here\nthere\n" * 2


def test_a_kept_stream_of_the_process_is_not_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = io.StringIO()
    monkeypatch.setattr(sys, "stdout", first)
    kept = sys.stdout

    @vt.to_static
    def write(x: Any) -> Any:
        kept.write("kept\n")
        return x

    write(vt.ones([1]))
    assert _shown(write, 1.0)[1] == ""
    assert first.getvalue() == "kept\nkept\n"
