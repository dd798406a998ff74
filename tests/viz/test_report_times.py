"""What a report says of times, kernels, layers and guards: by the reader's lines, layers and instances."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn
from vitrify.runtime.observe.profile import ProfileRow
from vitrify.viz.page.data import page_data
from vitrify.viz.subjects import as_subject


def trained(optimizer: str = "Adam") -> tuple[Any, dict[str, Any]]:
    """A training step and the data of its report, with times."""
    net = nn.Sequential(nn.Sequential(nn.Linear(6, 8), nn.Tanh()), nn.Linear(8, 2))
    update = getattr(vt.optimizer, optimizer)(0.1, parameters=net.parameters())

    def step(x: Any) -> Any:
        y = net(x)
        loss = (y * y).sum()
        loss.backward()
        update.step()
        update.clear_grad()
        return loss

    fn = vt.jit.to_static(step)
    fn(vt.ones([4, 6]))
    with vt.profiler.profile() as profile:
        for _ in range(3):
            fn(vt.ones([4, 6]))
    subject = as_subject(fn)
    assert subject is not None
    return fn, page_data(subject, profile)


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return trained()[1]


def line_of(data: dict[str, Any], text: str) -> int:
    """The place of the first line that holds a text."""
    for routine in data["routines"]:
        for line, place in zip(routine["lines"], routine["places"], strict=True):
            if text in line:
                return int(place)
    raise AssertionError(text)


def test_the_head_of_the_page(data: dict[str, Any]) -> None:
    head = data["summary"]
    (part,) = data["parts"]
    assert head["compile"] > 0 and head["calls"] == 3 and head["python"] == 0
    assert head["steps"] == len(part["steps"]) and head["kernels"] == len(part["kernels"])
    assert head["peak"] == part["memory"]["peak"]
    assert all(seconds > 0 for seconds in head["roles"]), "forward, gradient, update"
    assert sum(head["roles"]) <= head["call"] * 1.001


def test_without_a_profile_the_head_has_no_times() -> None:
    fn, _ = trained()
    subject = as_subject(fn)
    assert subject is not None
    made = page_data(subject)
    assert made["summary"]["call"] is None and made["summary"]["roles"] is None and made["times"] is None


def test_a_gradient_counts_at_its_forward_line(data: dict[str, Any]) -> None:
    times = data["times"]
    forward, backward = line_of(data, "y = net(x)"), line_of(data, "loss.backward()")
    assert times["own"][backward] > 0
    assert times["home"].get(backward, 0.0) < times["own"][backward]
    assert times["home"][forward] > times["own"][forward]
    assert sum(times["own"].values()) == pytest.approx(sum(times["home"].values()), rel=1e-3)
    assert times["homeHottest"][0] == max(times["home"], key=times["home"].get)


def test_kernels_say_what_they_do(data: dict[str, Any]) -> None:
    titles = {step["title"] for part in data["parts"] for step in part["steps"] if "title" in step}
    assert any(title.startswith("gradient of ") for title in titles), titles
    assert any("Adam update" in title for title in titles), titles
    assert any(title.startswith("matmul") for title in titles), titles


def test_an_update_of_several_parameters_counts_them() -> None:
    _, data = trained("SGD")
    titles = " ".join(step.get("title", "") for step in data["parts"][0]["steps"])
    assert "SGD update" in titles
    roles = {role for *_, role in data["parts"][0]["ops"]}
    assert roles == {0, 1, 2}


def test_layers_have_their_parameters(data: dict[str, Any]) -> None:
    (part,) = data["parts"]
    found = {part["layers"][k]: elements for k, (_, elements) in part["parameters"].items()}
    assert found == {"Sequential.0.0 (Linear)": 6 * 8 + 8, "Sequential.1 (Linear)": 8 * 2 + 2}


def test_gradients_belong_to_their_layers(data: dict[str, Any]) -> None:
    (part,) = data["parts"]
    inside = {part["layers"][k] for _, _, _, layers, role in part["ops"] if role == 1 for k in layers}
    assert {"Sequential.0.0 (Linear)", "Sequential.0.1 (Tanh)", "Sequential.1 (Linear)"} <= inside


def test_guards_name_the_instance(data: dict[str, Any]) -> None:
    guards = data["versions"][0][4]
    owners = {owner for owner, _ in guards}
    assert {"net (Sequential)", "net.0.0 (Linear)", "net.1 (Linear)"} <= owners
    assert ["net.0.0 (Linear)", "out_features is 8"] in guards
    fn, _ = trained()
    assert "net.0.0 (Linear): training is True, in_features is 6" in str(fn.explain())


def test_the_graph_is_folded_by_layer(data: dict[str, Any]) -> None:
    folded = data["parts"][0]["folded"]
    titles = {box[9] for box in folded[""]["boxes"]}
    assert {"0", "1", "0 gradient", "1 gradient", "Adam update", "x"} <= titles
    inner = {box[9]: box[5] for box in folded[""]["boxes"]}
    assert {box[9] for box in folded[inner["0"]]["boxes"]} >= {"0", "1"}
    keys = {box[5] for made in folded.values() for box in made["boxes"]} - {""}
    assert keys == set(folded) - {""}, "what can be opened is there"


def test_a_network_of_fifty_layers_can_be_read() -> None:
    net = vt.vision.models.resnet18(num_classes=4)

    def apply(x: Any) -> Any:
        return net(x).sum()

    fn = vt.jit.to_static(apply, input_spec=[vt.InputSpec([1, 3, 32, 32])])
    (part,) = page_data(as_subject(fn.program))["parts"]  # type: ignore[arg-type]
    shown = [box[9] for box in part["folded"][""]["boxes"]]
    assert len(shown) < 20 and {"conv1", "layer1", "layer4", "fc"} <= set(shown)


def test_a_layer_compiled_by_itself_names_its_layers_by_instance() -> None:
    net = nn.Sequential(("first", nn.Sequential(nn.Linear(4, 4), nn.ReLU())), ("second", nn.Sequential(nn.Tanh())))
    vt.to_static(net)
    net.forward(vt.ones([2, 4]))
    subject = as_subject(net)
    assert subject is not None
    (part, *_) = page_data(subject)["parts"]
    assert part["layers"] == [
        "Sequential.first.0 (Linear)", "Sequential.first.1 (ReLU)", "Sequential.second.0 (Tanh)",
    ]  # fmt: skip


def test_a_function_within_another_has_its_own_name(data: dict[str, Any]) -> None:
    assert (data["name"], data["routines"][0]["name"]) == ("step", "step")


def test_nothing_beats_the_limit() -> None:
    assert ProfileRow("fast", "kernel", 1, 1e-6, least=2e-6).achieved == 1.0
    assert ProfileRow("slow", "kernel", 1, 4e-6, least=2e-6).achieved == 0.5


def test_a_compiled_forward_and_its_gradient_share_their_lines() -> None:
    def cube(x: Any) -> Any:
        return (x * x * x).sum()

    fn = vt.jit.to_static(cube)
    x = vt.ones([64])
    x.stop_gradient = False
    fn(x).backward()
    with vt.profiler.profile() as profile:
        fn(x).backward()
    subject = as_subject(fn)
    assert subject is not None
    data = page_data(subject, profile)
    assert [part["name"] for part in data["parts"]] == ["forward", "backward"]
    assert data["summary"]["roles"][1] > 0
    assert line_of(data, "x * x * x") in data["times"]["home"]


def test_a_trace_names_steps_as_the_report_does(tmp_path: Path) -> None:
    def cube(x: Any) -> Any:
        return vt.exp(x @ x).sum()

    fn = vt.jit.to_static(cube)
    x = vt.ones([64, 64])
    x.stop_gradient = False
    fn(x).backward()
    with vt.profiler.profile() as profile:
        fn(x).backward()
    events = json.loads(profile.export(tmp_path / "trace.json").read_text())["traceEvents"]
    gradients = [e for e in events if e["name"].startswith("gradient of ")]
    assert gradients and all(e["args"]["forward"].startswith("test_report_times.py:") for e in gradients)
    assert all("kernel" in e["args"] for e in gradients)
