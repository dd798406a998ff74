"""Views in compiled functions: what eager mode gives, at every call, or an error."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from tests.dygraph.view_programs import Program

START = np.arange(12.0).reshape(3, 4)


def loaded(folder: Path, name: str, text: str) -> ModuleType:
    """A module with the program and its tensors from outside."""
    path = folder / f"{name}.py"
    path.write_text(f"buf = first = None\n{text}\n")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.buf = vt.to_tensor(START * 0.25)
    module.first = module.buf[0]
    return module


def followed(module: ModuleType, program: Any, shift: float) -> list[np.ndarray[Any, Any]]:
    """What a call gives, and what writes to each of the tensors afterwards do to all of them."""
    x = vt.to_tensor(START + shift)
    every = [*program(x, vt.to_tensor(2)), x, module.buf, module.first]
    found = [v.numpy() for v in every]
    for v in every:
        v.add_(10.0)
        found += [other.numpy() for other in every]
    module.buf.set_value(START * 0.25)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    text = Program(seed, branches=seed % 3 != 0, state=seed % 2 == 0, itself=seed % 3 == 0).text()
    eager, captured = loaded(tmp_path, f"eager{seed}", text), loaded(tmp_path, f"captured{seed}", text)
    compiled = vt.jit.to_static(captured.program)
    for shift in (0.0, -20.0, 0.0):
        expected = followed(eager, eager.program, shift)
        try:
            found = followed(captured, compiled, shift)
        except (vt.errors.CaptureError, vt.errors.ArgumentError):
            return  # what can't be exact is refused
        assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True)), text


FORMS: dict[str, Any] = {
    "slice": lambda x: x[1:].unsqueeze(0), "transpose": lambda x: x.t().unsqueeze(0), "backwards": lambda x: x[::-1].unsqueeze(-1),
    "line": lambda x: x[1:].reshape([-1]), "columns": lambda x: x[:, 1:].reshape([-1]), "column": lambda x: x[:, 0].reshape([-1, 1]),
    "line of a transpose": lambda x: x.t().reshape([-1]), "moved axis": lambda x: x.unsqueeze(0).transpose([1, 0, 2]).flatten(),
    "steps": lambda x: x[::2].reshape([-1, 2, 2]), "diagonal": lambda x: x.diagonal().reshape([1, -1]),
    "windows": lambda x: x.unfold(0, 2, 1).unsqueeze(0), "line of windows": lambda x: x.unfold(0, 2, 2).reshape([-1]),
    "asked sizes": lambda x: x[1:].reshape([x.shape[0] - 1, 1, -1]), "dots": lambda x: x[..., 1].unsqueeze(0)[0],
    "pieces": lambda x: x.reshape([-1, 2, 2]).transpose([1, 0, 2]).unsqueeze(1), "as_strided": lambda x: x[1:].as_strided([2, 2], [1, 2]),
    "contiguous": lambda x: x[1:].contiguous(), "contiguous steps": lambda x: x[::2].contiguous(), "row": lambda x: x[2].flatten(),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_forms_of_views_of_open_sizes(form: Any) -> None:
    def f(x: Any) -> Any:
        form(x).fill_(5.0)
        return form(x)

    compiled = vt.to_static(f)
    for size in (3, 4, 5, 7):
        found = []
        for code in (f, compiled):
            x = vt.zeros([size, 4])
            y = code(x)
            found.append(x.tolist())
            y.fill_(3.0)
            found.append(x.tolist())
        assert found[:2] == found[2:]


def test_a_view_from_outside_is_written_and_not_read() -> None:
    buf = vt.zeros([3, 2])
    held = [buf[i] for i in range(3)]

    @vt.to_static
    def f(x: Any) -> Any:
        held[0].fill_(x)
        return buf.sum()

    assert [f(2.0).item(), f(3.0).item(), held[0].tolist()] == [4.0, 6.0, [3.0, 3.0]]


def rows(x: Any) -> Any:
    y = x * 2.0
    for row in y:
        row.tanh_()
    return (y * y).sum()


def branch(x: Any) -> Any:
    y = x * 2.0
    view, other = y[0], y.t()
    if x.sum() > 0:
        view.tanh_()
    return (y * y).sum() + (view * 3.0).sum() + (other[0] * 2.0).sum()


def loop(x: Any) -> Any:
    out = vt.zeros([2, 2])
    last = out[1]
    for k in range(vt.to_tensor(2)):
        out[k].copy_(x[k] * 3.0)
    return (out * out).sum() + (last * last).sum()


def detached(x: Any) -> Any:
    y = x * 2.0
    y[0].detach().fill_(0.0)
    return (y * y).sum()


@pytest.mark.parametrize("fn", [rows, branch, loop, detached])
def test_gradients(fn: Any) -> None:
    found = []
    for code in (fn, vt.jit.to_static(fn)):
        x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
        made = code(x)
        made.backward()
        found.append((made.numpy(), x.grad.numpy()))
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)


def test_an_argument_that_is_a_view_is_written() -> None:
    @vt.jit.to_static
    def grown(part: Any) -> Any:
        part.add_(1.0)
        return part * 2.0

    x = vt.zeros([2, 2])
    for _ in range(3):
        grown(x[0])
        grown(x[:, 1])
    assert x.tolist() == [[3.0, 6.0], [0.0, 3.0]]


def test_arguments_that_are_views_of_one_another() -> None:
    @vt.jit.to_static
    def grown(x: Any, y: Any) -> Any:
        x.add_(1.0)
        return y * 2.0

    @vt.jit.to_static
    def read(x: Any, y: Any) -> Any:
        return x[0] + y

    x = vt.zeros([2, 2])
    assert grown(x, vt.ones([2])).tolist() == [2.0, 2.0]
    for given in ((x, x[0]), (x[0], x), (x[0], x[0])):
        with pytest.raises(vt.errors.ArgumentError, match="is a view of the same memory"):
            grown(*given)
    assert grown(x, vt.ones([2])).tolist() == [2.0, 2.0]
    assert read(x, x[0]).tolist() == [4.0, 4.0]


def test_an_argument_that_is_a_view_of_state_that_is_written() -> None:
    state = vt.zeros([2, 2])

    @vt.jit.to_static
    def step(y: Any) -> Any:
        state.add_(1.0)
        return y * 2.0

    view = state[0]
    assert step(vt.ones([2])).tolist() == [2.0, 2.0]
    assert view.tolist() == [1.0, 1.0]
    with pytest.raises(vt.errors.ArgumentError, match="is a view of the same memory"):
        step(view)
    assert step(vt.ones([2])).tolist() == [2.0, 2.0]
    assert view.tolist() == [2.0, 2.0]


def test_a_view_that_the_tape_no_longer_follows() -> None:
    @vt.jit.to_static
    def function(x: Any) -> Any:
        y = x * 2.0
        view = y[0]
        with vt.no_grad():
            y.add_(1.0)
        return (view * view).sum()

    with pytest.raises(vt.errors.CaptureError, match="written under no_grad"):
        function(vt.to_tensor([[1.0], [2.0]], stop_gradient=False))


def test_a_view_on_one_path_beside_a_written_argument_can_be_read() -> None:
    def f(x: Any) -> Any:
        v = x[1]
        if x.sum() > 70:
            v.zero_()
            return v, x
        x[:, 2].fill_(3.0)
        return v * 1, x

    compiled = vt.to_static(f)
    for start in (0.0, 1.0, 0.0):
        a, b = (vt.arange(12, dtype="float32").reshape([3, 4]) + start for _ in range(2))
        eager, found = f(a), compiled(b)
        for one, other in zip((*eager, a), (*found, b), strict=True):
            assert one.tolist() == other.tolist()


def put_outside(s: Any, i: int) -> None:
    s.v = s.a[i % 3]


def put_by_turns(s: Any, i: int) -> None:
    s.v = s.a[1] if i % 2 else vt.zeros([2])


def put_nothing(s: Any, i: int) -> None:
    pass


def adds(s: Any, x: Any) -> Any:
    s.v.add_(x)
    return s.a.sum()


def fills(s: Any, x: Any) -> Any:
    s.v.fill_(x.sum())
    return s.v


def moves_on(s: Any, x: Any) -> Any:
    s.v.add_(x)
    s.i = (s.i + 1) % 3
    s.v = s.a[s.i]
    return s.a * 2.0


def item(s: Any, x: Any) -> Any:
    s.held[1] = s.v
    s.held[1].add_(x)
    return s.held[1][0]


@pytest.mark.parametrize("put", [put_outside, put_by_turns, put_nothing])
@pytest.mark.parametrize("code", [adds, fills, moves_on, item])
def test_views_in_state_that_others_replace(code: Any, put: Any) -> None:
    found = []
    for call in (code, vt.to_static(code)):
        s = SimpleNamespace(a=vt.zeros([3, 2]), i=0, held=[1, None])
        s.v = s.a[0]
        for i in (0, 1, 2, 1, 2, 0):
            put(s, i)
            y = call(s, vt.to_tensor([1.0 + i, 2.0]))
            s.a.add_(vt.to_tensor(1.0))
            found.append((y.tolist(), y is s.v, s.a.tolist(), s.v.tolist()))
    assert found[:6] == found[6:]


def test_a_view_in_state_is_not_saved_beside_what_it_is_cut_from(tmp_path: Path) -> None:
    class Model(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("b", vt.zeros([3, 2]))
            self.row = self.b[1]

        def forward(self, x: Any) -> Any:
            self.row.add_(x)
            return self.b * 1.0

    with pytest.raises(vt.errors.ArgumentError, match=r"a view of .*, which the function writes"):
        vt.jit.save(Model(), str(tmp_path / "m"), input_spec=[vt.static.InputSpec([2], "float32")])


@pytest.mark.parametrize("own", [False, True])
def test_a_tensor_that_takes_a_gradient_by_a_write_passes_it_on_to_its_views(own: bool) -> None:
    def f(c: Any, u: Any) -> Any:
        u = u.clone() if own else u
        inner = u[1:-1]
        for _ in range(3):
            part = c * (u[2:] - 4.0 * inner)
            inner.add_(part * 0.5)
        return (u * u).sum() + inner[0]

    def run(fn: Any, n: int) -> list[float]:
        c, u = vt.to_tensor(0.3, stop_gradient=False), vt.arange(n, dtype="float32") ** 2
        found = fn(c, u)
        if own:  # a gradient doesn't go through an argument that the call has written
            found.backward()
        return [found.item(), c.grad.item() if own else 0.0, *u.tolist()]

    compiled = vt.to_static(f)
    for n in (5, 6, 5):
        np.testing.assert_allclose(run(compiled, n), run(f, n), rtol=1e-5)


def test_a_view_that_a_path_wrote_is_read_by_code_captured_once_more() -> None:
    class Held:
        def __init__(self) -> None:
            self.p = vt.to_tensor([1.0, -0.5], stop_gradient=False)
            self.mean = vt.zeros([2])
            self.history: list[Any] = []
            self.w = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)

    def step(st: Any, x: Any) -> Any:
        y = x * 1
        z = x
        if st.mean.sum() < y.sum():
            st.history = st.history[-2:]
        else:
            y[0] = y[1] * 2
        st.history.append(y.mean())
        y = (y.reshape([1, 2]) @ st.w).reshape([2])
        if x.sum() > 0:
            z = z + y
            if st.p[0] > 0.5:
                st.history = st.history[-2:]
                y[0] = y[1] * 2
        return z, y

    told = []
    for run in (step, vt.to_static(step)):
        st, found = Held(), []
        for value in (1.0, -1.0, 0.7):
            made = run(st, vt.to_tensor([value, 0.5]))
            found.append([*(x.tolist() for x in made), *(x.item() for x in st.history)])
        told.append(found)
    assert told[0] == told[1]
