"""Models that a list names with their arguments and inputs, instead of guesses (see zoo.py).

A line of the list has a repository's name, a file in it, a class or function, the arguments of the constructor as in a
call, the inputs of `forward` as in a call, and a note, with tabs between. Names in both are those of the file,
`paddle`, and what stands in `NAMES`. Arguments that begin with `=` are an expression for the model.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

FIELDS = ("repository", "file", "name", "arguments", "inputs", "note")


def rows(path: Path) -> list[dict[str, str]]:
    """The lines of a list, without the first one and remarks (`#`)."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()[1:] if line and not line.startswith("#")]
    return [dict(zip(FIELDS, [*line.split("\t"), "", "", ""], strict=False)) for line in lines]


def jobs(path: Path, root: Path) -> list[dict[str, Any]]:
    """The jobs of a list that are of the checkout `root`."""
    return [
        {"root": str(root), "listed": {key: row[key] for key in ("arguments", "inputs")}}
        | {key: row[key] for key in ("file", "name")}
        for row in rows(path)
        if row["repository"] == root.name
    ]


def model(paddle: Any, module: Any, name: str, listed: dict[str, str]) -> Any:
    """The model of a line, constructed."""
    text = listed["arguments"].strip()
    code = text[1:] if text.startswith("=") else f"{name}({text})"
    return eval(code, _names(paddle, module))


def inputs(paddle: Any, module: Any, listed: dict[str, str]) -> list[Any]:
    """The inputs of a line: arrays, numbers, lists and dicts of them."""
    found = eval(f"[{listed['inputs']}]", _names(paddle, module))
    return list(found)


def floats(*shape: int, seed: int = 7, low: float = -1, high: float = 1) -> Any:
    """Random float32 numbers."""
    return np.random.RandomState(seed).uniform(low, high, shape).astype("float32")


def whole(*shape: int, below: int = 2, seed: int = 3, dtype: str = "int64") -> Any:
    """Random integers from 0."""
    return np.random.RandomState(seed).randint(0, below, shape).astype(dtype)


def over_edges(model: Any, nodes: int) -> Any:
    """A layer of PGL's, which takes a graph, as one that takes the graph's edges."""
    import paddle
    import pgl

    class OverEdges(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, edges: Any, feature: Any) -> Any:
            graph = pgl.Graph(num_nodes=nodes, edges=edges, node_feat={"words": feature})
            return self.model(graph, feature)

    return OverEdges()


NAMES = {"floats": floats, "whole": whole, "np": np, "over_edges": over_edges, "part": importlib.import_module}


def _names(paddle: Any, module: Any) -> dict[str, Any]:
    return {**NAMES, "paddle": paddle, **vars(module)}
