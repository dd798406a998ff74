"""Subscripts by numbers that only a run knows, of what is no tensor: layers, functions, texts, members of an Enum."""

from __future__ import annotations

import enum
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn


class Act(enum.IntEnum):
    STAY = 0
    GO = 1
    JUMP = 4


class Kind(enum.Enum):
    PLAIN = 1
    SQUARE = 2


def doubled(x: Any) -> Any:
    return x * 2


LAYERS = nn.LayerList([nn.Linear(3, 3), nn.Identity(), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))])
PARTS = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Softmax())
WEIGHTS = nn.ParameterList([vt.create_parameter([3], "float32"), vt.create_parameter([3], "float32")])
NAMES = ["left", "right", "none"]
RAGGED = [vt.ones([3]), vt.full([1], 4.0), vt.full([2, 3], 0.5)]


def enum_member(x: Any, k: Any) -> Any:
    act = Act(int(k) * 2 if k > 1 else int(k))
    return x * 2 if act is Act.GO else x - 1 if act == Act.JUMP else x


def found_kind(x: Any, k: Any) -> Any:
    return x**2 if Kind(k.item() // 2 + 1) is Kind.SQUARE else x


def routed(x: Any, k: Any) -> Any:
    rows = []
    for j in range(2):
        rows.append(LAYERS[int(k) - j](x))
    return vt.stack(rows)


def in_a_loop(x: Any, k: Any) -> Any:
    n = 0
    while n < k + 1:
        x = LAYERS[n](x) * 0.5
        n = n + 1
    return x


CHOSEN: dict[str, Callable[[Any, Any], Any]] = {
    "a layer": lambda x, k: LAYERS[int(k)](x),
    "from the end": lambda x, k: LAYERS[int(k) - 3](x),
    "by a tensor": lambda x, k: LAYERS[k](x),
    "by argmax": lambda x, k: LAYERS[int(vt.one_hot(k, 3).argmax())](x).sum(),
    "one of a Sequential": lambda x, k: PARTS[int(k)](x),
    "a parameter": lambda x, k: WEIGHTS[int(k) % 2] * x,
    "a function": lambda x, k: [doubled, vt.tanh, lambda y: y - 1][int(k)](x),
    "of a tuple": lambda x, k: (doubled, vt.exp, doubled)[int(k)](x),
    "a text as a key": lambda x, k: {"left": x, "right": -x, "none": x * 0}[NAMES[int(k)]],
    "a text that comes out": lambda x, k: NAMES[int(k)],
    "tensors of several shapes": lambda x, k: RAGGED[int(k)] * x,
    "None or a tensor": lambda x, k: x if [None, x, None][int(k)] is None else x * 3,
    "a list": lambda x, k: sum([[1, 2, 3], [4], []][int(k)]) * x,
    "a pair": lambda x, k: [(doubled, 1.0), (vt.tanh, 2.0), (doubled, 3.0)][int(k)][0](x),
    "a member": enum_member,
    "a plain member": found_kind,
    "two in turn": routed,
    "counted by a loop": in_a_loop,
}


def shown(value: Any) -> Any:
    return np.round(value.numpy(), 5).tolist() if isinstance(value, vt.Tensor) else value


@pytest.mark.parametrize("name", CHOSEN)
def test_the_item_is_that_of_the_run(name: str) -> None:
    compiled = vt.to_static(CHOSEN[name])
    for k in (0, 1, 2, 1):
        args = vt.to_tensor([0.5, -1.0, 2.0]), vt.to_tensor(k)
        assert shown(compiled(*args)) == shown(CHOSEN[name](*args)), k


@pytest.mark.parametrize(
    "name", ["a layer", "one of a Sequential", "a function", "of a tuple", "tensors of several shapes"]
)
@pytest.mark.parametrize("k", [3, -4])
def test_none_is_there(name: str, k: int) -> None:
    compiled = vt.to_static(CHOSEN[name])
    compiled(vt.ones([3]), vt.to_tensor(1))
    for call in (CHOSEN[name], compiled):
        with pytest.raises(IndexError, match=r"out of range|is outside"):
            call(vt.ones([3]), vt.to_tensor(k))


def test_no_member_has_the_number() -> None:
    compiled = vt.to_static(found_kind)
    for call in (found_kind, compiled):
        with pytest.raises(ValueError, match="4 is not a valid Kind"):
            call(vt.ones([3]), vt.to_tensor(6))


def test_a_missing_item_is_caught() -> None:
    def fn(x: Any, k: Any) -> Any:
        try:
            return LAYERS[int(k)](x)
        except IndexError:
            return x * 0

    compiled = vt.to_static(fn)
    for k in (0, 3, 2, -4):
        assert shown(compiled(vt.ones([3]), vt.to_tensor(k))) == shown(fn(vt.ones([3]), vt.to_tensor(k)))


def test_gradients_arrive_at_the_layer_that_ran() -> None:
    layers = nn.LayerList([nn.Linear(2, 2), nn.Linear(2, 2)])

    def fn(x: Any, k: Any) -> Any:
        return (layers[int(k)](x) ** 2).sum()

    compiled = vt.to_static(fn)
    for k in (1, 0):
        found = []
        for call in (fn, compiled):
            layers.clear_gradients()
            x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
            call(x, vt.to_tensor(k)).backward()
            grads = [None if p.grad is None else shown(p.grad) for p in layers.parameters()]
            found.append((shown(x.grad), [g if g is None or np.any(g) else None for g in grads]))
        assert found[0] == found[1]


def test_a_layer_that_is_replaced() -> None:
    layers = nn.LayerList([nn.Identity(), nn.Identity()])

    def fn(x: Any, k: Any) -> Any:
        return layers[int(k)](x)

    compiled = vt.to_static(fn)
    assert compiled(vt.ones([2]), vt.to_tensor(1)).tolist() == [1, 1]
    layers[1] = nn.LeakyReLU(0.5)
    assert compiled(vt.to_tensor([-2.0, 1.0]), vt.to_tensor(1)).tolist() == [-1, 1]
    layers.append(nn.ReLU())
    assert compiled(vt.to_tensor([-2.0, 1.0]), vt.to_tensor(2)).tolist() == [0, 1]


def test_texts_are_shown() -> None:
    def fn(x: Any) -> Any:
        print("action:", NAMES[int(x.argmax())])
        print(f"{'abc'[int(x.argmin())]}!")
        return x.max()

    compiled = vt.to_static(fn)
    for row in ([1.0, 2.0, 0.0], [3.0, 2.0, 1.0], [0.0, 1.0, 2.0]):
        texts = []
        for call in (fn, compiled):
            with redirect_stdout(io.StringIO()) as out:
                call(vt.to_tensor(row))
            texts.append(out.getvalue())
        assert texts[0] == texts[1]


def test_loops_of_known_length_stay_pieces_of_code() -> None:
    layers = nn.LayerList([nn.Linear(2, 2) for _ in range(4)])

    def fn(x: Any) -> Any:
        for k in range(4):
            x = layers[k](x)
            if x.max() > 100:
                break
        return x

    compiled = vt.to_static(fn)
    for scale in (1.0, 1e3):
        x = vt.to_tensor([scale, 2.0])
        np.testing.assert_allclose(compiled(x).numpy(), fn(x).numpy(), rtol=1e-5)
