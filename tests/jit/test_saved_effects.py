"""What saved models print and raise, and which writes of state they keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.errors import ArtifactError
from vitrify.jit.serialize.shown_text import printed, raising

SPEC = [vt.static.InputSpec([None, 3], "float32")]


def _loaded(fn: Any, path: Path) -> Any:
    vt.jit.save(fn, path / "m", SPEC)
    return vt.jit.load(path / "m")


def test_a_loaded_model_prints_what_the_function_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def shows(x: Any) -> Any:
        n = x.shape[0]
        print("rows", n, "sum", x.sum().item(), sep=", ", end=";\n")
        print(f"{n:>5}|{x.sum().item():.3f}|{x.mean()!s}", [n, ("a", x[0])], {"b": 1.5})
        print("%03d %r" % (n, float(x.max())))  # noqa: UP031 (one of the ways)
        return x

    model = _loaded(shows, tmp_path)
    for k in (2, 3, 5):
        x = vt.arange(3 * k, dtype="float32").reshape([k, 3])
        capsys.readouterr()
        model(x)
        from_file = capsys.readouterr().out
        shows(x)
        assert from_file == capsys.readouterr().out


class Thing:
    """An object with a text."""

    def __init__(self, n: Any) -> None:
        self.n = n

    def __repr__(self) -> str:
        return f"<{self.n}>"


def test_a_print_of_objects_is_told_of_when_it_is_saved(tmp_path: Path) -> None:
    def shows(x: Any) -> Any:
        print(Thing(x.sum()))
        return x

    with pytest.warns(UserWarning, match=r"print\(\) of objects, shows tensors alone.*f-string") as seen:
        vt.jit.save(shows, tmp_path / "m", SPEC)
    assert seen[0].filename == __file__


@pytest.mark.parametrize("spec", [">99999999999", "." + "9" * 200])
def test_a_saved_width_takes_no_memory(spec: str) -> None:
    leaf = {"parts": ["", ""], "specs": [spec], "plain": [True]}
    with pytest.raises(ArtifactError, match="print is malformed"):
        printed("m", {"tree": {"kind": "leaf"}, "leaves": [leaf]})


class Counting(vt.nn.Layer):
    """Counts its calls."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.register_buffer("c", vt.zeros([1]))
        self.t = vt.zeros([1])
        self.n = 0
        self.kind = kind

    def forward(self, x: Any) -> Any:
        if self.kind == "added":
            self.c += 1
        elif self.kind == "replaced":
            self.c = self.c * 2 + 1
        elif self.kind == "set":
            self.c.set_value(self.c + 1)
        elif self.kind == "plain":
            self.t = self.t + x.sum()
        elif self.kind == "path" and x.sum() > 3:
            self.c = self.c + 1
        return x * self.c + self.t


@pytest.mark.parametrize("kind", ["added", "replaced", "set", "plain", "path"])
def test_a_saved_model_keeps_the_tensors_that_it_replaces(kind: str, tmp_path: Path) -> None:
    layer = Counting(kind).eval()
    model = _loaded(layer, tmp_path)
    for k in (1, 2, 3):
        x = vt.full([k, 3], 0.75)
        assert model(x).tolist() == layer(x).tolist()


class Lossy(vt.nn.Layer):
    """Keeps what no saved model keeps."""

    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    def forward(self, x: Any) -> Any:
        self.n += 1
        return x * self.n


def test_what_a_saved_model_does_not_keep_is_said_where_it_is_saved(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"changes Lossy\.n, which stays as it is now.*register_buffer") as seen:
        vt.jit.save(Lossy(), tmp_path / "m", SPEC)
    assert seen[0].filename == __file__


class Checked(nn.Layer):
    """Says what is wrong with sizes and values, in words of its own."""

    def forward(self, x: Any) -> Any:
        if x.shape[0] > 4:
            raise AssertionError(f"{x.shape[0]} rows are more than 4")
        if x.sum() > 100:
            raise ValueError(f"the sum is {float(x.sum()):.1f}", x.shape[0])
        try:
            if x.sum() < 0:
                raise KeyError(int(x.sum()))
        except KeyError as error:
            raise RuntimeError("below zero") from error
        return x * 2


def test_a_saved_model_raises_what_the_function_raises(tmp_path: Path) -> None:
    vt.jit.save(Checked(), str(tmp_path / "m"), input_spec=[vt.InputSpec([None, 2])])
    loaded = vt.jit.load(str(tmp_path / "m"))
    assert loaded(vt.ones([3, 2])).tolist() == [[2.0, 2.0]] * 3
    for x in (vt.ones([5, 2]), vt.full([2, 2], 50.0), vt.full([2, 2], -1.0)):
        told = []
        for fn in (Checked(), loaded):
            with pytest.raises(Exception) as caught:
                fn(x)
            told.append((caught.type, caught.value.args, repr(caught.value.__cause__)))
        assert told[0] == told[1]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kinds", ["len"]),
        ("kinds", ["os.system"]),
        ("links", [[5, 0, False]]),
        ("tree", {"kind": "leaf"}),
        ("kinds", []),
    ],
)
def test_a_damaged_raise(key: str, value: Any) -> None:
    tree = {"kind": "tuple", "children": [{"kind": "tuple"}, {"kind": "dict", "keys": []}]}
    facts = {
        "tree": {"kind": "list", "children": [tree]},
        "leaves": [],
        "kinds": ["ValueError"],
        "links": [[-1, -1, False]],
    }
    with pytest.raises(ValueError):
        raising("m", facts)()
    with pytest.raises(ArtifactError, match="a raise is malformed"):
        raising("m", facts | {key: value})


def test_what_a_function_replaces_is_a_buffer_of_the_loaded_layer(tmp_path: Path) -> None:
    class Counted(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("calls", vt.zeros([1]))
            self.inner = vt.nn.Linear(2, 2)

        def forward(self, x: vt.Tensor) -> vt.Tensor:
            self.calls = self.calls + 1
            return self.inner(x) * self.calls

    layer, x = Counted(), vt.ones([1, 2])
    vt.jit.save(layer, str(tmp_path / "m"), input_spec=[vt.InputSpec([None, 2])])
    loaded = vt.jit.load(str(tmp_path / "m"))
    first = loaded(x)
    assert sorted(loaded.state_dict()) == ["calls", "inner.bias", "inner.weight"]
    assert loaded.state_dict()["calls"].tolist() == [1.0]
    np.testing.assert_allclose(loaded(x).numpy(), 2 * first.numpy(), rtol=1e-6)
    state = loaded.state_dict()
    state["calls"] = vt.zeros([1])
    loaded.set_state_dict(state)  # begin anew
    np.testing.assert_array_equal(loaded(x).numpy(), first.numpy())
