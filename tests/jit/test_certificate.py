"""The certificate: a verdict for each statement, and every value that it lists is really guarded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError

MODE, RATE, TABLE = "a", True, {"k": "x", "deep": [2, "y"]}


def x3() -> Any:
    return vt.to_tensor([1.0, 2.0, 3.0])


def helper(x: Any, n: Any) -> Any:
    if MODE == "a":
        return x * n
    return x - n


class Net(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.lin, self.k, self.word = vt.nn.Linear(3, 3), 2, "w"

    def forward(self, x: Any) -> Any:
        """Not a statement of its own."""
        y = self.lin(x)
        if y.sum() > 0:
            y = y * self.k
        else:
            y = helper(y, 3)
        for step in range(self.k):
            y = y + step
        if self.training and self.word == "w":
            y = y + 1
        else:
            y = y.exp()
        pair = [y, RATE]
        return pair[0] * len(TABLE["k"])


def verdicts(fn: Any) -> dict[str, str]:
    return {s.text: s.verdict for s in fn.certificate().statements}


def test_each_statement_has_its_verdict() -> None:
    net = vt.to_static(Net())
    net(x3())
    found = verdicts(net.forward)
    assert found["y = self.lin(x)"] == "in program"
    assert found["if y.sum() > 0:"] == "in program"
    assert found["y = y * self.k"] == "in program"
    assert found["for step in range(self.k):"] == "evaluated at trace"
    assert found['if MODE == "a":'] == "evaluated at trace"
    assert found["return x * n"] == "in program"
    assert found["y = y.exp()"] == "evaluated at trace"  # not taken
    assert found["pair = [y, RATE]"] == "evaluated at trace"
    assert not any("Not a statement" in text for text in found)
    certificate = net.forward.certificate(strict=True)
    assert certificate.is_strict
    assert certificate.unplaced == ()
    by_text = {s.text: s for s in certificate.statements}
    assert by_text["if y.sum() > 0:"].operations[-1] == "if"
    assert "Net.k = 2" in by_text["y = y * self.k"].values
    assert by_text['if MODE == "a":'].values == ("global MODE = 'a'",)
    assert by_text["pair = [y, RATE]"].values == ("global RATE = True",)
    assert by_text["return x * n"].loc.file == __file__
    text = str(certificate)
    assert "12 in program" not in text
    assert f"hash {certificate.hash}" in text
    assert "global MODE = 'a'" in text


def put(name: str, value: Any) -> Callable[[], None]:
    return lambda: globals().__setitem__(name, value)


@pytest.fixture(autouse=True)
def _globals_as_they_were() -> Any:
    before = dict(globals())
    yield
    globals().update(before)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "Net.k = 2": lambda net: setattr(net, "k", 3),
    "Net.word = 'w'": lambda net: setattr(net, "word", "v"),
    "Net.training = True": lambda net: net.eval(),
    "global MODE = 'a'": lambda net: put("MODE", "b")(),
    "global RATE = True": lambda net: put("RATE", False)(),
    "item 'k' = 'x'": lambda net: TABLE.__setitem__("k", "xx"),
}


def test_every_listed_value_is_guarded() -> None:
    net = vt.to_static(Net())
    net(x3())
    listed = {v for s in net.forward.certificate().statements for v in s.values if not v.startswith("Linear.")}
    assert listed == set(CHANGES)
    first = net.forward.certificate().hash
    for value, change in CHANGES.items():
        count = net.forward.get_traced_count()
        change(net)
        net(x3())
        assert net.forward.get_traced_count() == count + 1, value
    assert net.forward.certificate().hash != first
    TABLE["k"] = "x"


def test_callbacks_are_opaque() -> None:
    def prints(x: Any) -> Any:
        y = x * 2
        print("sum", y.sum())
        return y

    fn = vt.to_static(prints)
    fn(x3())
    assert verdicts(fn) == {
        "y = x * 2": "in program",
        'print("sum", y.sum())': "opaque",
        "return y": "evaluated at trace",
    }
    with pytest.raises(CaptureError, match=r"`print\(.*` runs in Python") as caught:
        fn.certificate(strict=True)
    assert caught.value.loc.text() == 'print("sum", y.sum())'


def test_numbers_are_filled_in() -> None:
    class Counter:
        def __init__(self) -> None:
            self.n = 0

    counter = Counter()

    def counts(x: Any) -> Any:
        counter.n += 1
        return x * counter.n

    fn = vt.to_static(counts)
    fn(x3())
    fn(x3())
    by_text = {s.text: s for s in fn.certificate().statements}
    assert by_text["counter.n += 1"].values == ("n is filled in at each call",)
    assert counter.n == 2  # a certificate changes nothing


def test_hashes_are_stable_and_code_is_what_counts() -> None:
    first, twin = vt.to_static(lambda x: x + 1), vt.to_static(lambda x: x + 1)
    other = vt.to_static(lambda x: x + 2)
    for fn in (first, twin, other):
        fn(x3())
    assert first.certificate().hash == first.certificate().hash == twin.certificate().hash
    assert first.certificate().hash != other.certificate().hash


def test_before_any_call_a_spec_is_needed() -> None:
    with pytest.raises(ValueError, match="has no program yet"):
        vt.to_static(lambda x: x).certificate()
    fn = vt.to_static(lambda x: x.exp(), input_spec=[vt.InputSpec([None], "float32")])
    assert [s.verdict for s in fn.certificate().statements] == ["in program"]
