"""vt.report: what it takes, what it writes, what it refuses; that strings of the user can do no harm."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, ArtifactError, KindError
from vitrify.ir.parser import parse_program
from vitrify.runtime.observe.subject import Part, Subject
from vitrify.runtime.schedule.pipeline import default_schedule
from vitrify.testing.programs import random_program
from vitrify.viz.page.data import page_data
from vitrify.viz.report import json_for_html, page_text

EVIL = "</script><img src=x onerror=alert(1)><!--"


def scale(x: Any, k: float) -> Any:
    return x * k + 1


def step(x: Any, w: Any) -> Any:
    h = vt.tanh(vt.matmul(x, w))
    i = 0
    while vt.mean(h) < 2.0 and i < 5:
        h = scale(h, 1.5)
        i += 1
    if h.sum() > 3:
        y = vt.nn.functional.softmax(h)
    else:
        y = h - 1
    return y


def called(with_gradient: bool = False) -> Any:
    fn = vt.jit.to_static(step)
    w = vt.ones([4, 4])
    w.stop_gradient = not with_gradient
    y = fn(vt.ones([2, 4]), w)
    if with_gradient:
        y.sum().backward()
    return fn


def data_of(path: str | Path) -> dict[str, Any]:
    """The data in a page, read back."""
    text = Path(path).read_text(encoding="utf-8")
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)  # type: ignore[no-any-return]


def line_of(text: str) -> int:
    """The number of the first line of this file that holds a text."""
    return next(k for k, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("report") / "step.html"
    assert vt.report(called(), path) == str(path)
    return data_of(path)


def test_the_users_functions_stand_in_the_page_as_written(page: dict[str, Any]) -> None:
    assert [r["name"] for r in page["routines"]] == ["step", "scale"]
    lines = Path(__file__).read_text().splitlines()
    for routine in page["routines"]:
        first = routine["first"]
        assert routine["lines"] == lines[first - 1 : first - 1 + len(routine["lines"])]


def test_converted_lines_name_the_lines_they_came_from(page: dict[str, Any]) -> None:
    (routine, _) = page["routines"]
    shown = {text.strip(): place for text, place in zip(routine["code"], routine["codePlaces"], strict=True)}
    for text, source in (("i += 1", "i += 1"), ("y = h - 1", "        y = h - 1"), ("i = 0", "    i = 0")):
        assert page["places"][shown[text]] == f"test_report.py:{line_of(source)}"


def test_operations_name_their_line_and_the_call_that_led_there(page: dict[str, Any]) -> None:
    (part,) = page["parts"]
    own, via = next((own, via) for name, own, via, *_ in part["ops"] if name == "multiply")
    assert [page["places"][p] for p in own] == [f"test_report.py:{line_of('return x * k + 1')}"]
    assert [page["places"][p] for p in via] == [f"test_report.py:{line_of('h = scale(h, 1.5)')}"]


def test_each_operation_of_each_stage_has_a_line(page: dict[str, Any]) -> None:
    (part,) = page["parts"]
    without = {name for name, own, *_ in part["ops"] if not own}
    assert without <= {"return", "constant"}


def test_stages_are_the_compilers(page: dict[str, Any]) -> None:
    (part,) = page["parts"]
    fn = called()
    texts = [fn.dump("captured"), fn.dump()]
    for stage, text in zip((part["stages"][0], last_change(part)), texts, strict=True):
        shown = [part["texts"][k] for k in stage["rows"][::2]]
        program = parse_program("\n".join(shown) + "\n")
        assert str(parse_program(str(program))) == str(program)
        assert len(shown) == len(text.splitlines())


def test_the_stages_go_on_with_the_schedule(page: dict[str, Any]) -> None:
    (part,) = page["parts"]
    names = [stage["name"] for stage in part["stages"][part["ready"] + 1 :]]
    assert names == ["linearised", *(item.name for item in default_schedule())]
    first = part["stages"][part["ready"] + 1]
    lines = [part["texts"][k] for k in first["rows"][::2]]
    assert len(lines) >= len(part["steps"]) and any(line.startswith("kernel ") for line in lines)
    linked = {part["ops"][k][0] for k in first["rows"][1::2] if k >= 0}
    assert linked & {"group", "matmul"}


def last_change(part: dict[str, Any]) -> Any:
    return [stage for stage in part["stages"][: part["ready"] + 1] if stage["rows"]][-1]


def test_values_keep_their_names_through_all_passes(page: dict[str, Any]) -> None:
    (part,) = page["parts"]
    texts = [
        {part["texts"][k].strip() for k in stage["rows"][::2]}
        for stage in part["stages"][: part["ready"] + 1]
        if stage["rows"]
    ]
    assert any(re.match(r"%\d+ = matmul %x, %w ", line) for line in set.intersection(*texts))


def test_kernels_and_memory_are_those_that_run(page: dict[str, Any]) -> None:
    (part,) = page["parts"]
    fn = called()
    assert {"\n".join(k["lines"]) for k in part["kernels"]} == {text.rstrip("\n") for text in fn.kernels.values()}
    assert all(kernel["runs"] for kernel in part["kernels"])
    plan = fn.memory_plan
    assert part["memory"]["peak"] == plan.peak
    assert part["memory"]["bound"] == plan.lower_bound
    assert [b[2:6] for b in part["memory"]["buffers"]] == [list(b[2:]) for b in plan.buffers]


def test_the_certificate_and_the_reasons_are_there(page: dict[str, Any]) -> None:
    fn = called()
    assert page["certificate"]["hash"] == fn.certificate().hash
    assert [row[4] for row in page["certificate"]["rows"]] == [s.verdict for s in fn.certificate().statements]
    assert page["versions"][0][2] == "first call with this signature"


def test_gradients_are_a_part_of_their_own(tmp_path: Path) -> None:
    parts = data_of(vt.report(called(with_gradient=True), tmp_path / "r.html"))["parts"]
    assert [p["name"] for p in parts] == ["forward", "backward"]
    assert all(own for name, own, *_ in parts[1]["ops"] if name in ("matmul", "multiply"))


def test_the_same_function_gives_the_same_page_but_for_times(tmp_path: Path) -> None:
    made = [data_of(vt.report(called(), tmp_path / f"{k}.html")) for k in range(2)]
    for data in made:
        for stage in data["parts"][0]["stages"]:
            stage["ms"] = 0
        data["versions"][0][3] = data["summary"]["compile"] = 0
    assert made[0] == made[1]


def test_a_profile_gives_times_of_steps_and_lines(tmp_path: Path) -> None:
    fn = vt.jit.to_static(step)
    x, w = vt.ones([2, 4]), vt.ones([4, 4])
    fn(x, w)
    with vt.profiler.profile() as profile:
        for _ in range(3):
            fn(x, w)
    data = data_of(vt.report(fn, tmp_path / "r.html", profile=profile))
    (part,) = data["parts"]
    measured = part["profile"]["steps"]
    assert [part["steps"][number]["kind"] for number, *_ in measured if part["steps"][number]["kind"] == "gemm"] == [
        "gemm"
    ]
    assert {calls for number, calls, _ in measured if part["steps"][number]["kind"] == "gemm"} == {3}
    assert all(seconds >= 0 for _, _, seconds in measured)
    assert f"test_report.py:{line_of('vt.tanh(vt.matmul')}" in {data["places"][int(p)] for p in data["times"]["own"]}


def test_a_profile_of_other_things_adds_nothing(tmp_path: Path) -> None:
    with vt.profiler.profile() as profile:
        vt.ones([2]) + 1
    assert data_of(vt.report(called(), tmp_path / "r.html", profile=profile))["parts"][0]["profile"] is None


def test_operations_know_their_layer(tmp_path: Path) -> None:
    net = vt.nn.Sequential(vt.nn.Linear(3, 4), vt.nn.ReLU())

    @vt.jit.to_static
    def apply(x: Any) -> Any:
        return net(x)

    apply(vt.ones([2, 3]))
    part = data_of(vt.report(apply, tmp_path / "r.html"))["parts"][0]
    found = {name: [part["layers"][k] for k in layers] for name, _, _, layers, _ in part["ops"]}
    assert found["matmul"] == ["Sequential.0 (Linear)"]
    assert found["relu"] == ["Sequential.1 (ReLU)"]


def test_steps_that_a_memory_limit_chose_are_the_ones_shown(tmp_path: Path) -> None:
    def chain(x: Any) -> Any:
        kept = [vt.exp(vt.cumsum(x + k)) for k in range(6)]
        total = kept[0]
        for value in reversed(kept):
            total = vt.cumsum(total * value)
        return total

    x = vt.ones([4096])
    plain = vt.jit.to_static(chain)
    plain(x)
    limited = vt.jit.to_static(chain, memory_limit=int(plain.memory_plan.peak * 0.7))
    limited(x)
    data = data_of(vt.report(limited, tmp_path / "r.html"))
    assert "memory limit" in " ".join(data["notes"])
    assert data["parts"][0]["memory"]["peak"] <= plain.memory_plan.peak * 0.7


# ---- what it takes


def test_a_layer_a_program_and_an_artifact(tmp_path: Path) -> None:
    layer = vt.jit.to_static(vt.nn.Linear(3, 2))
    layer(vt.ones([5, 3]))
    vt.jit.save(layer, tmp_path / "model")
    loaded = vt.jit.load(tmp_path / "model")
    loaded(vt.ones([5, 3]))
    for k, target in enumerate((layer, layer.forward.program, layer.forward.main_program, loaded, tmp_path / "model")):
        data = data_of(vt.report(target, tmp_path / f"{k}.html"))
        part = data["parts"][0]
        assert part["name"] in ("forward", "program", "forward: forward")
        assert any(name == "matmul" for name, *_ in part["ops"]), target


def test_a_static_program_before_and_after_its_first_run(tmp_path: Path) -> None:
    vt.enable_static()
    try:
        main = vt.static.Program()
        with vt.static.program_guard(main):
            x = vt.static.data("x", [None, 3])
            y = vt.exp(x) * 2
            z = vt.log(y)
        before = data_of(vt.report(main, tmp_path / "before.html"))
        vt.static.Executor().run(main, {"x": np.ones([2, 3], np.float32)}, [y])
    finally:
        vt.disable_static()
    after = data_of(vt.report(main, tmp_path / "after.html"))
    assert "No run" in before["notes"][0]
    assert "log" in {name for name, *_ in before["parts"][0]["ops"]}
    assert before["parts"][0]["memory"] is None
    assert "log" not in {name for name, *_ in after["parts"][0]["ops"]}
    assert any("vt.exp(x) * 2" in line for routine in after["routines"] for line in routine["lines"])
    assert z is not None


@pytest.mark.parametrize("seed", range(12))
def test_any_program_can_be_shown(seed: int) -> None:
    data = page_data(Subject("random", "program", (Part("program", random_program(seed)[0]),)))
    (part,) = data["parts"]
    assert len(part["stages"]) > 5
    assert json.loads(json_for_html(data)) == json.loads(json.dumps(data))


@pytest.mark.slow
def test_the_page_of_a_large_network_stays_small(tmp_path: Path) -> None:
    net = vt.vision.models.resnet18(num_classes=10)
    optimizer = vt.optimizer.SGD(parameters=net.parameters())

    def train(x: Any, y: Any) -> Any:
        loss = vt.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    spec = [vt.InputSpec([2, 3, 64, 64]), vt.InputSpec([2], "int64")]
    path = Path(vt.report(vt.jit.to_static(train, input_spec=spec).program, tmp_path / "r.html"))
    assert path.stat().st_size <= 3 << 20
    (part,) = data_of(path)["parts"]
    assert len(part["ops"]) > 1500
    assert "ResNet.layer1.0.conv1 (Conv2D)" in part["layers"]
    assert part["graphs"][-1]["name"] == "as compiled"


# ---- harm


def test_no_string_ends_the_script_or_becomes_markup(tmp_path: Path) -> None:
    file = tmp_path / "evil.py"
    file.write_text(f"import vitrify as vt\ndef f(x):\n    note = '{EVIL}'  # {EVIL}\n    return x + len(note)\n")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    fn = vt.jit.to_static(space["f"])
    fn(vt.ones([2]))
    text = Path(vt.report(fn, tmp_path / "r.html")).read_text(encoding="utf-8")
    assert "<img" not in text
    assert text.count("</script>") == 2
    assert any(EVIL in line for line in data_of(tmp_path / "r.html")["routines"][0]["lines"])


def test_a_name_is_escaped_in_the_title() -> None:
    text = page_text(Subject(EVIL, EVIL, (Part(EVIL, random_program(1)[0]),), notes=(EVIL,)))
    assert "<img" not in text
    assert text.count("</script>") == 2


def test_the_page_asks_for_nothing_and_allows_only_its_own_script(tmp_path: Path) -> None:
    text = Path(vt.report(called(), tmp_path / "r.html")).read_text(encoding="utf-8")
    outside = re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.DOTALL)
    assert set(re.findall(r"https?://[^\"')\s]+", outside)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|img|iframe)\b| src=|@import|url\(", outside)
    assert "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" in outside


def test_json_in_html_survives_every_character() -> None:
    value = {"a": "<!--<script>&\u2028\u2029\\\"'é\ud7ff"}
    text = json_for_html(value)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == value


# ---- errors


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    def plain(x: Any) -> Any:
        return x

    folder = tmp_path / "folder"
    folder.mkdir()
    cases: list[tuple[Any, Path, type[Exception], str]] = [
        (vt.jit.to_static(plain), tmp_path / "r.html", ArgumentError, "has no program yet"),
        (vt.nn.Linear(2, 2), tmp_path / "r.html", ArgumentError, "isn't compiled"),
        (plain, tmp_path / "r.html", KindError, "can't show a function"),
        (3, tmp_path / "r.html", KindError, "can't show a int"),
        (tmp_path / "nothing.vt", tmp_path / "r.html", ArtifactError, "no such file"),
        (called(), folder, ArgumentError, "is a folder"),
        (called(), tmp_path / "missing" / "r.html", ArgumentError, "there is no folder"),
    ]
    for target, path, kind, words in cases:
        with pytest.raises(kind, match=words) as caught:
            vt.report(target, path)
        assert "help:" in str(caught.value) or kind is ArtifactError
    assert not (tmp_path / "r.html").exists()


def test_a_path_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(ArgumentError, match="can't be written: Permission denied"):
        vt.report(called(), tmp_path / "r.html")
