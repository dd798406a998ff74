"""The names of PaddlePaddle that a source uses are found in every form of import, in the right scope, with lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from vitrify.compat.usage import sources, uses_in


def _names(text: str) -> list[str]:
    return [f"{use.line} {use.name}" + (" tried" if use.optional else "") for use in uses_in(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import paddle\npaddle.nn.Linear(2, 3).weight", ["2 paddle.nn.Linear"]),
        ("import paddle.nn as n\nn.Linear", ["1 paddle.nn", "2 paddle.nn.Linear"]),
        ("from paddle.nn import Linear as L\nclass A(L): pass", ["1 paddle.nn.Linear", "2 paddle.nn.Linear"]),
        ("from paddle.nn import *", ["1 paddle.nn"]),
        ("import paddle\nF = paddle.nn.functional\nF.relu(1)", ["2 paddle.nn.functional", "3 paddle.nn.functional.relu"]),
        ("import paddle.fluid\npaddle.fluid.layers.fc", ["1 paddle.fluid", "2 paddle.fluid.layers.fc"]),
        ("import numpy as paddle\npaddle.zeros", []),
        ("from . import paddle\nfrom .paddle import x\nx()", []),
        ("import paddle\ndef f(paddle):\n  return paddle.zeros", []),
        ("import paddle\ndef f(x=paddle.ones) -> paddle.Tensor:\n  return paddle.zeros", ["2 paddle.Tensor", "2 paddle.ones", "3 paddle.zeros"]),
        ("def f():\n  import paddle\n  g = lambda: paddle.abs\ndef h():\n  return paddle.sin", ["3 paddle.abs"]),
        ("import paddle\n@paddle.no_grad()\nasync def f(): return [paddle.sin(x) for x in paddle.arange(3)]", ["2 paddle.no_grad", "3 paddle.arange", "3 paddle.sin"]),
        ("import paddle\nclass A(paddle.nn.Layer):\n  abs = 3\n  from paddle import sin\n  def f(self): return sin, paddle.cos", ["2 paddle.nn.Layer", "4 paddle.sin", "5 paddle.cos"]),
        ("try:\n  import paddle.x\n  from paddle import y\nexcept ImportError:\n  y = None\ny()", ["2 paddle.x tried", "3 paddle.y tried", "6 paddle.y"]),
        ("import paddle\ntry:\n  paddle.x\nexcept (KeyError, ValueError):\n  pass", ["3 paddle.x"]),
        ("import paddle\nF = paddle.nn\nF = 3\nF.relu", ["2 paddle.nn"]),
        ("import paddle\nf(paddle, paddle.abs(paddle.sin(x)).sum())", ["2 paddle.abs", "2 paddle.sin"]),
    ],
)  # fmt: skip
def test_names_and_lines(text: str, names: list[str]) -> None:
    assert _names(text) == names


def test_sources(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("a/b/x.py", "a/y.py", "a/z.txt"):
        (tmp_path / name).write_text("")
    assert [file.name for file in sources(tmp_path)] == ["x.py", "y.py"]
    assert list(sources(tmp_path / "a" / "z.txt")) == [tmp_path / "a" / "z.txt"]
    with pytest.raises(ValueError, match="there is no"):
        list(sources(tmp_path / "none"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="no Python files"):
        list(sources(tmp_path / "empty"))
