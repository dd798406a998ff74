"""Pictures: nothing overlaps, everything is shown, SVG and DOT are well formed."""

from __future__ import annotations

import importlib
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from vitrify.base.errors import ArgumentError, MissingDependencyError
from vitrify.ir.parser import parse_program
from vitrify.testing.programs import random_program
from vitrify.viz import paint
from vitrify.viz.draw import draw
from vitrify.viz.fold import fold
from vitrify.viz.graph import Cluster, Edge, Graph, Node, program_graph
from vitrify.viz.layout import LABEL, Item, Layout, lay_out
from vitrify.viz.svg import KERNELS

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
    monkeypatch.setattr(paint, "_module", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"vitrify\[draw\]"):
        draw(parse_program(TEXT), tmp_path / "p.png")


@pytest.mark.needs("graphviz")
@pytest.mark.skipif(shutil.which("dot") is None, reason="the program dot isn't installed")
def test_png_by_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint, "_module", lambda name: importlib.import_module(name) if name == "graphviz" else None)
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


FUSED = """program @g(%x: f32[4, 8]) -> f32[4, 8] {
  %0 = group %x {axes = (1), domain = (4, 8), reason = "same domain"} : f32[4, 8] (%1: f32[4, 8]) {
    %2 = sum %1 {axis = (1), keepdim = true} : f32[4, 1]
    %3 = divide %1, %2 : f32[4, 8]
    yield %3
  }
  %4 = group %0 {axes = none, domain = (4, 8), reason = "same domain"} : f32[4, 8] (%5: f32[4, 8]) {
    %6 = tanh %5 : f32[4, 8]
    %7 = exp %6 : f32[4, 8]
    yield %7
  }
  return %4
}
"""


def test_fused_kernels_are_frames_of_their_own_colour() -> None:
    graph = program_graph(parse_program(FUSED))
    assert [(c.title, c.kernel) for c in graph.clusters] == [
        ("kernel 1 over [4, 8], folds axis 1", 1),
        ("kernel 2 over [4, 8]", 2),
    ]
    picture = draw(graph)
    assert KERNELS[0] in picture
    assert KERNELS[1] in picture
    assert "fused kernel" in picture
    assert KERNELS[0] in draw(graph, format="dot")
    assert "fused kernel" not in draw(parse_program(TEXT))


def test_the_text_of_a_program_is_drawn() -> None:
    assert draw(TEXT) == draw(parse_program(TEXT))


def test_attributes_can_be_left_out() -> None:
    assert "axis=(1)" in draw(FUSED)
    assert "axis=(1)" not in draw(FUSED, show_attrs=False)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_overlaps_from_left_to_right(seed: int) -> None:
    graph = program_graph(random_program(seed, 25)[0])
    layout = lay_out(graph, across=True)
    for k, a in enumerate(layout.boxes):
        for b in layout.boxes[k + 1 :]:
            apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            assert apart, (a.id, b.id)
    for item in (*layout.boxes, *layout.frames):
        assert item.x >= 0
        assert item.x + item.width <= layout.width
        assert item.y + item.height <= layout.height
    ElementTree.fromstring(draw(graph, rankdir="LR"))
    assert "rankdir=LR" in draw(graph, format="dot", rankdir="LR")


def chain(*boxes: tuple[str, str], edges: list[tuple[int, int]]) -> Graph:
    """A graph of (name, path) boxes; a path is dotted."""
    nodes = [Node(str(k), (name,), path=tuple(path.split(".")) if path else ()) for k, (name, path) in enumerate(boxes)]
    return Graph("g", nodes, [Edge(str(a), str(b)) for a, b in edges])


def test_boxes_of_a_layer_become_one() -> None:
    graph = chain(
        ("a", "one.x"), ("b", "one.y"), ("c", ""), ("d", "two"), ("e", "two"), edges=[(0, 1), (1, 2), (2, 3), (3, 4)]
    )
    folded = fold(graph, 1)
    assert [n.lines[0] for n in folded.nodes] == ["one", "c", "two"]
    assert folded.nodes[0].lines[1:] == ("2 operations", "a, b")
    assert [(e.source, e.target) for e in folded.edges] == [("f0", "2"), ("2", "f3")]
    assert [n.lines[0] for n in fold(graph, 2).nodes] == ["a", "b", "c", "two"]


def test_folding_makes_no_cycle() -> None:
    graph = chain(
        ("a", "one"),
        ("b", "one"),
        ("c", ""),
        ("d", "one"),
        ("e", "one"),
        edges=[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)],
    )
    folded = fold(graph, 1)
    assert [n.lines[0] for n in folded.nodes] == ["one", "c", "one (2)"]
    order = {n.id: k for k, n in enumerate(folded.nodes)}
    assert all(order[e.source] < order[e.target] for e in folded.edges)


def test_parameters_go_into_the_only_box_that_reads_them() -> None:
    graph = chain(("a", "one"), ("b", "one"), edges=[(0, 1)])
    graph.nodes += [Node("w", ("w",), "state"), Node("s", ("s",), "state"), Node("c", ("c",))]
    graph.edges += [Edge("w", "0"), Edge("s", "0"), Edge("s", "c"), Edge("1", "c")]
    folded = fold(graph, 1)
    assert [n.lines[:2] for n in folded.nodes] == [("one", "2 operations, 1 parameter"), ("s",), ("c",)]


@pytest.mark.parametrize("seed", range(6))
def test_folded_random_programs_keep_their_edges(seed: int) -> None:
    graph = program_graph(random_program(seed, 40)[0])
    graph.nodes = [
        replace(n, path=(f"layer{k % 3}",)) if n.kind in ("op", "reduction") else n for k, n in enumerate(graph.nodes)
    ]
    folded = fold(graph, 1)
    known = {n.id for n in folded.nodes} | {c.id for c in folded.clusters}
    assert all(e.source in known and e.target in known for e in folded.edges)
    assert all(n.cluster in known or not n.cluster for n in folded.nodes)
    check_places(folded, lay_out(folded))


def test_a_network_folds_by_layer() -> None:
    import vitrify as vt

    net = vt.vision.models.LeNet()
    fn = vt.to_static(lambda x: net(x).mean(), input_spec=[vt.InputSpec([2, 1, 28, 28])])
    whole, folded = draw(fn), draw(fn, depth=1)
    assert ">features<" in folded
    assert ">fc<" in folded
    assert "features" not in whole
    assert len(folded) < len(whole) / 2
    assert "kernel 1" in draw(fn, stage="after fusion")
    with pytest.raises(ArgumentError, match="there is no stage"):
        draw(fn, stage="after nothing")


def test_hundreds_of_operations_fold_to_a_page() -> None:
    import vitrify as vt

    net = vt.vision.models.resnet18()
    net.eval()
    fn = vt.to_static(lambda x: net(x), input_spec=[vt.InputSpec([1, 3, 32, 32])])
    graph = fold(program_graph(fn.program), 1)
    assert len(graph.nodes) < 20
    layout = lay_out(graph)
    check_places(graph, layout)
    assert layout.width < 800
    assert layout.height < 2000


def test_wrong_options() -> None:
    for options, message in (
        ({"rankdir": "up"}, "no rankdir 'up'"),
        ({"depth": 0}, "depth is a number of layers"),
        ({"depth": True}, "depth is a number of layers"),
        ({"stage": "fuse"}, "has no stages"),
    ):
        with pytest.raises(ArgumentError, match=message):
            draw(parse_program(TEXT), **options)


def test_values_of_a_tape() -> None:
    import vitrify as vt

    weight = vt.to_tensor([[1.0, 2.0]], stop_gradient=False)
    loss = (vt.tanh(weight) * 2.0).sum()
    plain, shown = vt.draw(loss), vt.draw(loss, show_values=True, show_attrs=True)
    assert "[[1., 2.]]" in shown
    assert "[[1., 2.]]" not in plain
    assert "kept for backward" in shown
    assert "axis=(0, 1)" in shown
    assert "test_draw.py" in shown


@pytest.mark.needs("resvg_py")
def test_png_needs_no_graphviz(tmp_path: Path) -> None:
    draw(parse_program(TEXT), tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
