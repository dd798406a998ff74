"""Pictures: nothing overlaps, everything is shown, SVG and DOT are well formed."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from vitrify.base.errors import ArgumentError, MissingDependencyError
from vitrify.ir.parser import parse_program
from vitrify.testing.programs import random_program
from vitrify.viz import draw as draw_module
from vitrify.viz.draw import draw
from vitrify.viz.graph import Cluster, Edge, Graph, Node, program_graph
from vitrify.viz.layout import LABEL, Item, Layout, lay_out

TEXT = """program @f(%x: f32[N, 4], %flag: bool[]) state(%w: f32[4] parameter "linear.weight") -> f32[N, 4] "out" {
  %half = constant {data = dense<f32[], 0.5>} : f32[]
  %a = multiply %x, %half : f32[N, 4]
  %b = if %flag : f32[N, 4] {
    %t = tanh %a : f32[N, 4]
    yield %t
  } else {
    yield %x
  }
  %c = callback %b {callee = "log<&>", form = "array", gradient = none, outputs = (f32[4])} : f32[4]
  update %w, %c
  return %b
}
"""


def rectangle(item: Item) -> tuple[float, float, float, float]:
    """The place of a box and of its labels."""
    return item.x, item.y, item.x + item.width, item.y + item.height + (LABEL if any(item.outs) else 0)


def overlaps(a: Item, b: Item) -> bool:
    left, top, right, bottom = rectangle(a)
    x, y, to_x, to_y = rectangle(b)
    return left < to_x and x < right and top < to_y and y < bottom


def contains(outer: Item, inner: Item) -> bool:
    left, top, right, bottom = rectangle(inner)
    return outer.x <= left and outer.y <= top and right <= outer.x + outer.width and bottom <= outer.y + outer.height


def check_places(graph: Graph, layout: Layout) -> None:
    """Boxes and frames are apart, or one lies within the other because it belongs there; no edge runs through a box."""
    parents = {n.id: n.cluster for n in graph.nodes} | {c.id: c.parent for c in graph.clusters}
    items = [*layout.boxes, *layout.frames]
    assert {item.id for item in items} == set(parents)
    for k, a in enumerate(items):
        for b in items[k + 1 :]:
            if a.id in ancestors(b.id, parents):
                assert contains(a, b)
            elif b.id in ancestors(a.id, parents):
                assert contains(b, a)
            else:
                assert not overlaps(a, b), (a, b)
    for route in layout.routes:
        for (x, y), (to_x, to_y) in zip(route.points, route.points[1:], strict=False):
            middle = (x + to_x) / 2, (y + to_y) / 2
            assert not any(b.x < middle[0] < b.x + b.width and b.y < middle[1] < b.y + b.height for b in layout.boxes)


def ancestors(name: str, parents: dict[str, str]) -> set[str]:
    found = set()
    while name:
        name = parents[name]
        found.add(name)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_nothing_overlaps(seed: int) -> None:
    graph = program_graph(random_program(seed, 25)[0])
    check_places(graph, lay_out(graph))


def test_edges_join_members_of_one_cluster() -> None:
    for seed in range(20):
        graph = program_graph(random_program(seed, 25)[0])
        parents = {n.id: n.cluster for n in graph.nodes} | {c.id: c.parent for c in graph.clusters}
        assert all(parents[e.source] == parents[e.target] for e in graph.edges)


def test_the_graph_of_a_program() -> None:
    graph = program_graph(parse_program(TEXT))
    kinds = {node.lines[0]: node.kind for node in graph.nodes}
    assert kinds["x"] == "feed"
    assert kinds["linear.weight"] == "state"
    assert kinds["%c = callback log<&>"] == "callback"
    assert kinds["update %w"] == "state"
    assert [c.title for c in graph.clusters] == ["%b = if %flag", "then", "else"]
    assert not any("half" in line for node in graph.nodes for line in node.lines[:1])
    assert any("%x, 0.5" in node.lines for node in graph.nodes)
    assert [n.lines[0] for n in graph.nodes if n.kind == "outer"] == ["%a", "%x"]


def test_svg_is_well_formed_and_complete() -> None:
    root = ElementTree.fromstring(draw(parse_program(TEXT)))
    shown = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {
        "@f",
        "x",
        "linear.weight",
        "%c = callback log<&>",
        "%b = if %flag",
        "then",
        "else",
        "f32[N, 4]",
        "%x, 0.5",
    } <= shown


def test_dot_names_every_box_and_edge() -> None:
    graph = program_graph(parse_program(TEXT))
    text = draw(graph, format="dot")
    assert text.startswith("digraph")
    assert text.count("{") == text.count("}")
    assert text.count(" -> ") == len(graph.edges)
    assert text.count("subgraph") == len(graph.clusters)
    assert 'label="f32[N, 4]"' in text


def test_files_and_formats(tmp_path: Path) -> None:
    program = parse_program(TEXT)
    for name in ("p.svg", "p.dot", "p.gv"):
        text = draw(program, tmp_path / name)
        assert (tmp_path / name).read_text() == text
    assert draw(program, tmp_path / "p.txt", format="svg").startswith("<svg")
    with pytest.raises(ArgumentError, match="no format"):
        draw(program, tmp_path / "p.jpeg")
    with pytest.raises(ArgumentError, match="needs a path"):
        draw(program, format="png")


def test_png_without_graphviz_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(draw_module.importlib, "import_module", missing)
    with pytest.raises(MissingDependencyError, match=r"vitrify\[draw\]"):
        draw(parse_program(TEXT), tmp_path / "p.png")


@pytest.mark.needs("graphviz")
@pytest.mark.skipif(shutil.which("dot") is None, reason="the program dot isn't installed")
def test_png(tmp_path: Path) -> None:
    assert importlib.util.find_spec("graphviz")
    draw(parse_program(TEXT), tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_other_targets() -> None:
    class Compiled:
        program = parse_program(TEXT)

    class Tape:
        def _as_graph(self) -> Graph:
            return Graph("tape", [Node("a", ("add",)), Node("b", ("mul",))], [Edge("a", "b")])

    assert "linear.weight" in draw(Compiled())
    assert ">mul<" in draw(Tape())
    with pytest.raises(ArgumentError, match="can't draw a int"):
        draw(3)


def test_odd_graphs() -> None:
    for graph in (
        Graph(),
        Graph("empty frame", [], [], [Cluster("c", "nothing inside")]),
        Graph("loop", [Node("a", ("a",)), Node("b", ("b",))], [Edge("a", "b"), Edge("b", "a")]),
        Graph("fan", [Node(str(k), (f"n{k}",)) for k in range(9)], [Edge("0", str(k)) for k in range(1, 9)]),
    ):
        layout = lay_out(graph)
        check_places(graph, layout)
        ElementTree.fromstring(draw(graph))


def test_the_tape_behind_a_tensor() -> None:
    import vitrify as vt

    weight = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    loss = (vt.tanh(vt.to_tensor([[1.0, -1.0]]) @ weight) * 2.0).sum()
    picture = vt.draw(loss)
    for word in ("matmul", "tanh", "multiply", "sum", "f32[2, 2]", "keeps"):
        assert word in picture
    with pytest.raises(ArgumentError, match="no recorded operations"):
        vt.draw(vt.to_tensor([1.0]))
