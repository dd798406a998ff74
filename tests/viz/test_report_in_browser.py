"""The report as a reader meets it, in a headless Chromium: links both ways, search, zoom, diff, dark, paper, keys."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt

_spec = importlib.util.spec_from_file_location("vitrify_tests_browser", Path(__file__).with_name("browser.py"))
assert _spec is not None
assert _spec.loader is not None
browser_module = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = browser_module
_spec.loader.exec_module(browser_module)

pytestmark = pytest.mark.skipif(browser_module.program() is None, reason="no Chromium on this machine")


def scale(x: Any, k: float) -> Any:
    return x * k + 1


def step(x: Any, w: Any) -> Any:
    h = vt.tanh(vt.matmul(x, w))
    i = 0
    while vt.mean(h) < 2.0 and i < 5:
        h = scale(h, 1.5)
        i += 1
    note = "</script><img src=x onerror=\"document.title='harmed'\">"
    return vt.nn.functional.softmax(h) + len(note)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    fn = vt.jit.to_static(step)
    w = vt.ones([4, 4])
    w.stop_gradient = False
    fn(vt.ones([2, 4]), w).sum().backward()
    with vt.profiler.profile() as profile:
        fn(vt.ones([2, 4]), w).sum().backward()
    return vt.report(fn, tmp_path_factory.mktemp("report") / "step.html", profile=profile)


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    browser = browser_module.Browser(browser_module.program())
    yield browser
    browser.close()


@pytest.fixture
def tab(started: Any, page: str) -> Iterator[Any]:
    """The page, opened; afterwards nothing has gone wrong and nothing was asked for."""
    started.open(page)
    yield started
    assert started.errors == []
    assert started.requests == [Path(page).resolve().as_uri()]
    assert started.js("document.title") == "step – vitrify report"
    assert started.js("document.images.length") == 0


def rows(pane: str, text: str) -> str:
    """An expression: the first line of a column that holds a text."""
    return f"[...document.querySelectorAll('#{pane} [data-link]')].find(r => r.textContent.includes({text!r}))"


def lit(tab: Any, pane: str, style: str = "on") -> list[str]:
    """The text of what is lit up in a column."""
    found = tab.js(f"[...document.querySelectorAll('#{pane} .{style}')].map(r => r.textContent)")
    return [str(text) for text in found]


def view(tab: Any, pane: str, name: str) -> None:
    """Choose a view of a column."""
    tab.click(f"[...document.querySelectorAll('#{pane} [role=tab]')].find(t => t.textContent === {name!r})")


def test_pointing_at_a_line_lights_what_came_of_it(tab: Any) -> None:
    tab.point(rows("source", "return x * k + 1"))
    program = lit(tab, "program")
    assert [part for text in program for part in ("multiply", "add") if f"= {part} " in text] == ["multiply", "add"]
    assert any("multiply_add" in text for text in lit(tab, "vm"))
    assert "test_report_in_browser.py" in tab.js("document.getElementById('status').textContent")
    tab.point("document.querySelector('header')")
    assert lit(tab, "program") == []


def test_pointing_at_an_operation_lights_its_line_and_the_call(tab: Any) -> None:
    tab.point(rows("program", "= multiply"))
    assert any("return x * k + 1" in text for text in lit(tab, "source"))
    assert any("h = scale(h, 1.5)" in text for text in lit(tab, "source", "near"))
    assert any("= add " in text for text in lit(tab, "program", "near"))


def test_a_line_of_a_kernel_knows_its_line_of_source(tab: Any) -> None:
    tab.point(rows("vm", "tanh_f32("))
    assert any("vt.tanh" in text for text in lit(tab, "source"))
    assert not any("scale" in text for text in lit(tab, "source"))
    tab.point(rows("source", "vt.tanh"))
    assert any("tanh_f32(" in text for text in lit(tab, "vm"))


def stage(tab: Any, name: str) -> None:
    """Choose a stage of the program."""
    tab.click(
        f"[...document.querySelectorAll('#program .stages button')].find(b => b.textContent.startsWith({name!r}))"
    )


def test_pointing_at_a_kernel_lights_all_lines_in_it(tab: Any) -> None:
    stage(tab, "fuse")
    tab.point(rows("vm", "multiply_add"))
    assert any("return x * k + 1" in text for text in lit(tab, "source"))
    assert any("= group " in text for text in lit(tab, "program"))


def test_a_click_keeps_it_until_escape(tab: Any) -> None:
    tab.click(rows("source", "vt.matmul"))
    tab.point(rows("source", "return x * k"))
    assert any("= matmul " in text for text in lit(tab, "program", "pinned"))
    view(tab, "vm", "Memory")
    assert lit(tab, "vm", "pinned")
    tab.key("Escape")
    assert lit(tab, "program", "pinned") == []


@pytest.mark.parametrize("name", ["Converted", "Certificate"])
def test_the_other_views_of_the_source_are_linked_too(tab: Any, name: str) -> None:
    view(tab, "source", name)
    tab.point(rows("program", "= tanh"))
    assert any("tanh" in text for text in lit(tab, "source"))
    tab.point(rows("source", "tanh"))
    assert any("= tanh" in text for text in lit(tab, "program"))


def test_stages_and_what_each_changed(tab: Any) -> None:
    before = tab.js("document.querySelectorAll('#program .row').length")
    tab.click("document.querySelector('#program .stages button')")
    assert "group" not in tab.js("document.querySelector('#program .body').textContent")
    fuse = "[...document.querySelectorAll('#program .stages button')].find(b => b.textContent.startsWith('fuse'))"
    tab.click(fuse)
    tab.key("d")
    assert any("= group " in text for text in lit(tab, "program", "add"))
    assert tab.js("document.getElementById('diff').checked")
    count = tab.js(f"{fuse}.textContent").removeprefix("fuse").split(" ")[0]
    assert int(count) == len(lit(tab, "program", "add"))
    tab.key("[")
    tab.key("]")
    tab.key("d")
    assert not tab.js("document.getElementById('diff').checked")
    assert before


def test_a_diff_is_exact(tab: Any) -> None:
    """Taking out what was added and putting back what went gives the stage before; both are read from the page."""
    tab.click("[...document.querySelectorAll('#program .stages button')].find(b => b.textContent.includes('nothing'))")
    stages = "[...document.querySelectorAll('#program .stages button')].filter(b => b.textContent !== 'fewer')"
    count = tab.js(f"{stages}.length")
    text = (
        "[...document.querySelectorAll('#program .row')].map(r => [r.className, r.querySelector('.text').textContent])"
    )
    plain = []
    for k in range(count):
        tab.js(f"{stages}[{k}].click()")
        plain.append([line for _, line in tab.js(text)])
    tab.key("d")
    for k in range(1, count):
        tab.js(f"{stages}[{k}].click()")
        for _ in range(100):
            if not tab.js(
                "!!document.querySelector('#program .fold') && (document.querySelector('#program .fold').click(), true)"
            ):
                break
        shown = tab.js(text) if plain[k] != plain[k - 1] else []
        after = [line for style, line in shown if " del" not in f" {style}"]
        assert after in (plain[k], [])
        gone = sorted(line.strip() for style, line in shown if "del" in style)
        new = sorted(line.strip() for style, line in shown if "add" in style.split())
        old, now = ([line.strip() for line in plain[j]] for j in (k - 1, k))
        assert sorted([*now, *gone]) == sorted([*old, *new])


def test_search_finds_and_goes_on(tab: Any) -> None:
    tab.key("/")
    tab.type("tanh")
    assert tab.js("document.getElementById('found').value").startswith("1 of ")
    assert all("tanh" in text for text in lit(tab, "program", "hit"))
    first = tab.js("document.querySelector('.current').textContent")
    tab.key("Enter")
    assert tab.js("document.querySelector('.current').textContent") != first
    tab.key("Escape")
    assert lit(tab, "program", "hit") == []


def test_the_graph_zooms_pans_and_is_searched(tab: Any) -> None:
    view(tab, "vm", "Graph")
    where = "document.querySelector('#graph > g').getAttribute('transform')"
    start = tab.js(where)
    tab.wheel("document.querySelector('#graph')", -300)
    tab.wait(f"{where} !== {start!r}")
    zoomed = tab.js(where)
    assert float(zoomed.split("scale(")[1][:-1]) > float(start.split("scale(")[1][:-1])
    tab.drag("document.querySelector('#graph')", 40, 30)
    assert tab.js(where) != zoomed
    tab.js("document.querySelector('#vm .body').focus()")
    tab.key("0")
    assert tab.js(where) == start
    tab.key("/")
    tab.type("matmul")
    assert tab.js("document.querySelector('#graph').classList.contains('searching')")
    assert any("matmul" in text for text in lit(tab, "vm", "hit"))
    tab.point(rows("vm", "matmul"))
    assert any("vt.matmul" in text for text in lit(tab, "source"))


def test_the_profile_is_linked(tab: Any) -> None:
    view(tab, "vm", "Profile")
    assert tab.js("document.querySelectorAll('#vm .dot').length") > 0
    tab.point(rows("vm", "%x @ %w"))
    assert any("vt.matmul" in text and re.search(r"\d (ms|µs|ns)", text) for text in lit(tab, "source"))


def test_the_graph_of_both_ends(tab: Any) -> None:
    view(tab, "vm", "Graph")
    kind = "[...document.querySelectorAll('.legend .wide')].find(b => b.textContent === {!r})"
    tab.click(kind.format("as compiled"))
    compiled = tab.js("document.querySelectorAll('#graph .box').length")
    tab.click(kind.format("as captured"))
    assert tab.js(kind.format("as captured") + ".getAttribute('aria-pressed')") == "true"
    assert tab.js("document.querySelectorAll('#graph .box').length") > compiled


TRAIN = """import vitrify as vt
from vitrify import nn

net = nn.Sequential(nn.Sequential(nn.Linear(3, 4), nn.ReLU()), nn.Linear(4, 2))
optimizer = vt.optimizer.Adam(parameters=net.parameters())


def step(x):
    y = net(x)
    loss = (y * y).sum()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss
"""


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of a training step, with its times."""
    folder = tmp_path_factory.mktemp("training")
    (folder / "train.py").write_text(TRAIN)
    space: dict[str, Any] = {}
    exec(compile(TRAIN, str(folder / "train.py"), "exec"), space)
    fn = vt.jit.to_static(space["step"])
    fn(vt.ones([2, 3]))
    with vt.profiler.profile() as profile:
        for _ in range(3):
            fn(vt.ones([2, 3]))
    return vt.report(fn, folder / "train.html", profile=profile)


def test_the_head_says_what_matters_and_its_lines_are_links(started: Any, training: str) -> None:
    started.open(training)
    text = started.js("document.getElementById('summary').textContent")
    for word in ("Compiled in", "Steps", "Kernels", "Peak memory", "Time per call", "Backward", "Hottest lines"):
        assert word in text
    started.click("document.querySelector('#summary .hot')")
    assert len(lit(started, "source", "pinned")) == 1
    assert started.errors == []


def test_gradients_count_at_their_lines_or_where_they_were_asked_for(started: Any, training: str) -> None:
    started.open(training)
    line = "[...document.querySelectorAll('#source .row')].find(r => r.textContent.includes({!r})).textContent"
    timed = re.compile(r"\d (ms|µs|ns)")
    assert not timed.search(started.js(line.format("loss.backward()")).replace("loss.backward", ""))
    started.click("document.querySelector('#source .home')")
    assert timed.search(started.js(line.format("loss.backward()")))
    assert not started.js("document.querySelector('#source .home').checked")
    assert started.errors == []


def test_a_layer_opens_to_what_is_in_it(started: Any, training: str) -> None:
    started.open(training)
    view(started, "vm", "Graph")
    titles = "[...document.querySelectorAll('#graph .box text:not(.opener)')].map(t => t.textContent)"
    shown = started.js(titles)
    assert {"0", "0 gradient", "1", "Adam update"} <= set(shown)
    started.js("document.querySelector('#graph .box .opener').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert started.js("document.querySelectorAll('.crumbs button').length") == 2
    assert started.js(titles) != shown
    started.click("document.querySelector('.crumbs button')")
    assert started.js(titles) == shown
    assert started.errors == []


def test_the_small_map_shows_what_is_in_view(started: Any, training: str) -> None:
    started.open(training)
    view(started, "vm", "Graph")
    width = "Number(document.querySelector('.miniature .window').getAttribute('width'))"
    for _ in range(8):
        started.click("[...document.querySelectorAll('.legend button')].find(b => b.textContent === '+')")
    assert started.js("getComputedStyle(document.querySelector('.miniature')).display") != "none"
    before = started.js("document.querySelector('#graph > g').getAttribute('transform')")
    started.click("document.querySelector('.miniature')")
    assert started.js("document.querySelector('#graph > g').getAttribute('transform')") != before
    assert started.js(width) > 1


@pytest.mark.parametrize("width", [1440, 1024])
def test_times_and_shares_are_in_view(started: Any, training: str, width: int) -> None:
    started.open(training, width=width)
    view(started, "vm", "Profile")
    edge = started.js("document.getElementById('vm').getBoundingClientRect().right")
    for column in ("td.n", "td.share"):
        right = started.js(f"document.querySelector('#vm .profile {column}').getBoundingClientRect().right")
        assert right <= edge


def test_line_numbers_stay_in_sight(started: Any, training: str) -> None:
    started.open(training, width=900 + 200)
    started.js("document.querySelector('#program .body').scrollLeft = 400")
    left = started.js("document.querySelector('#program .row .no').getBoundingClientRect().left")
    assert left >= started.js("document.getElementById('program').getBoundingClientRect().left")


@pytest.mark.parametrize("width", [1100, 620])
def test_the_certificate_fits(started: Any, training: str, width: int) -> None:
    started.open(training, width=width)
    view(started, "source", "Certificate")
    right = "document.querySelector('#source {}').getBoundingClientRect().right"
    assert started.js(right.format("table")) <= started.js(right.format(".body")) + 1
    assert started.js("[...document.querySelectorAll('#source td small')].every(s => s.offsetHeight <= 48)")


def test_code_in_functions_is_not_indented_twice(started: Any, training: str) -> None:
    started.open(training)
    assert started.js("document.querySelector('#source .row .text').textContent[0]") not in (" ", "")


def test_what_fusion_left_apart_is_linked(tab: Any) -> None:
    view(tab, "vm", "Kernels")
    tab.point("[...document.querySelectorAll('#vm tr.linked')].find(r => r.textContent.includes('library call'))")
    assert any("vt.matmul" in text or "vt.tanh" in text for text in lit(tab, "source"))


def test_the_graph_lights_up(tab: Any) -> None:
    view(tab, "vm", "Graph")
    tab.point(rows("source", "vt.matmul"))
    assert any("matmul" in text for text in lit(tab, "vm"))


def test_keys_alone_will_do(tab: Any) -> None:
    tab.key("1")
    for _ in range(2):
        tab.key("ArrowDown")
    assert any("vt.matmul" in text for text in lit(tab, "source"))
    assert any("= matmul" in text for text in lit(tab, "program"))
    tab.key("Enter")
    assert lit(tab, "program", "pinned")
    tab.key("3")
    tab.key("ArrowRight")
    assert tab.js("document.querySelector('#vm [aria-selected=true]').textContent") == "Kernels"
    tab.key("?")
    assert tab.js("document.getElementById('keys').open")
    tab.key("Escape")
    tab.wait("!document.getElementById('keys').open")


def test_each_view_of_each_part_can_be_drawn(tab: Any) -> None:
    for number in range(2):
        tab.click(f"document.querySelectorAll('#parts button')[{number}]")
        for pane in ("source", "program", "vm"):
            names = tab.js(f"[...document.querySelectorAll('#{pane} [role=tab]')].map(t => t.textContent)")
            for name in names:
                view(tab, pane, name)
                assert tab.js(f"document.querySelector('#{pane} .body').childElementCount"), name


def colours(tab: Any) -> tuple[int, int]:
    """Brightness of paper and ink."""
    text = "(() => { const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]; })()"
    paper, ink = tab.js(text)
    return sum(map(int, paper[4:-1].split(","))), sum(map(int, ink[4:-1].split(",")))


def test_light_and_dark_by_preference_and_by_key(tab: Any) -> None:
    paper, ink = colours(tab)
    assert paper > ink
    tab.look(1440, 900, "dark")
    paper, ink = colours(tab)
    assert paper < ink
    tab.key("t")
    paper, ink = colours(tab)
    assert paper > ink


@pytest.mark.parametrize("width", [1440, 800, 360])
def test_nothing_sticks_out_of_the_window(tab: Any, width: int) -> None:
    tab.look(width, 800, "light")
    assert tab.js("document.documentElement.scrollWidth") <= width
    header = tab.js("document.querySelector('header').getBoundingClientRect().height")
    assert header < 150


def test_layers_light_up_what_is_in_them(started: Any, tmp_path: Path) -> None:
    net = vt.nn.Sequential(vt.nn.Sequential(vt.nn.Linear(3, 4), vt.nn.ReLU()), vt.nn.Linear(4, 2))

    @vt.jit.to_static
    def apply(x: Any) -> Any:
        return net(x)

    apply(vt.ones([2, 3]))
    started.open(vt.report(apply, tmp_path / "page.html"))
    view(started, "source", "Layers")
    names = started.js("[...document.querySelectorAll('#source .row .text')].map(t => t.textContent.trim())")
    assert names == ["Sequential", "0", "0 (Linear)", "1 (ReLU)", "1 (Linear)"]
    started.point(rows("source", "(ReLU)"))
    assert any("= relu" in text for text in lit(started, "program"))
    assert not any("= matmul" in text for text in lit(started, "program"))
    assert started.errors == []


@pytest.mark.parametrize("kind", ["one program", "static", "artifact", "nothing to run"])
def test_pages_of_other_things_open_too(started: Any, kind: str, tmp_path: Path) -> None:
    layer = vt.jit.to_static(vt.nn.Linear(3, 2))
    layer.eval()
    with vt.no_grad():
        layer(vt.ones([5, 3]))
    target: Any = layer
    if kind == "artifact":
        vt.jit.save(layer, tmp_path / "model")
        target = tmp_path / "model"
    if kind == "static":
        vt.enable_static()
        target = vt.static.Program()
        with vt.static.program_guard(target):
            vt.exp(vt.static.data("x", [None, 3]))
        vt.disable_static()
    if kind == "nothing to run":
        target = vt.jit.to_static(lambda: 3)
        target()
    page = vt.report(target, tmp_path / "page.html")
    started.open(page)
    for pane in ("source", "program", "vm"):
        for name in started.js(f"[...document.querySelectorAll('#{pane} [role=tab]')].map(t => t.textContent)"):
            view(started, pane, name)
    assert started.js("document.querySelectorAll('#program .row').length") >= 3
    assert started.errors == []
    assert started.requests == [Path(page).resolve().as_uri()]


def test_columns_can_be_made_wider_by_keys(tab: Any) -> None:
    width = "document.getElementById('source').getBoundingClientRect().width"
    before = tab.js(width)
    tab.js("document.querySelector('.split').focus()")
    tab.key("ArrowRight")
    assert tab.js(width) > before


def test_paper_gets_every_view(tab: Any, tmp_path: Path) -> None:
    tab.js("dispatchEvent(new Event('beforeprint'))")
    titles = tab.js("[...document.querySelectorAll('#paper h2, #paper h3')].map(h => h.textContent)")
    assert titles[:3] == ["forward", "Source", "Converted"]
    assert {"Certificate", "Guards", "Program", "Machine", "Kernels", "Graph", "Memory", "backward"} <= set(titles)
    tab.js("dispatchEvent(new Event('afterprint'))")
    assert tab.js("document.getElementById('paper').childElementCount") == 0
    tab.pdf(tmp_path / "step.pdf")
    assert (tmp_path / "step.pdf").read_bytes().startswith(b"%PDF")
    assert tab.js("document.getElementById('paper').childElementCount") == 0


def test_the_first_paint_is_quick(tab: Any) -> None:
    tab.wait("performance.getEntriesByName('first-contentful-paint').length > 0")
    assert tab.js("performance.getEntriesByName('first-contentful-paint')[0].startTime") < 5000
