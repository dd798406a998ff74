"""Lists from outside that a compiled function only appends to: no program per length (jit/trace/assumed/appended_lists.py)."""

from __future__ import annotations

import contextlib
import functools
import gc
import weakref
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

from .appended_lists_support import Base, lists_of, plain

log: list[Any] = []
table: dict[str, list[Any]] = {"loss": [], "n": []}


def agree(make: Any, programs: int = 1, calls: int = 6, between: Any = None) -> Any:
    """Run `make()`'s `step` eagerly and compiled: the same results and lists. The compiled object."""
    eager, compiled = make(), make()
    static = vt.jit.to_static(compiled.step)
    for k in range(calls):
        x = vt.to_tensor(np.arange(4, dtype="float32") + k)
        assert plain(eager.step(x)) == plain(static(x)), k
        assert lists_of(eager) == lists_of(compiled), k
        if between is not None:
            between(eager, k)
            between(compiled, k)
    assert static.get_traced_count() == programs, static.explain()
    return compiled


class Tensors(Base):
    def step(self, x: Any) -> Any:
        y = (x * self.w).sum()
        self.losses.append(y)
        return y


class Kinds(Base):
    def step(self, x: Any) -> Any:
        y = (x * self.w).sum()
        self.losses.append(float(y))
        self.losses.append("text")
        self.losses.append((y, {"a": y + 1, "b": [x]}))
        self.losses.extend([y * 2, self.w])
        return y


class Dict(Base):
    def step(self, x: Any) -> Any:
        y = x.sum()
        for name, value in {"loss": y, "n": 3}.items():
            self.history[name].append(value)
        self.history["loss"].append(y + 1)
        return y


class Default(Base):
    def __init__(self) -> None:
        super().__init__()
        self.history = defaultdict(list)

    def step(self, x: Any) -> Any:
        self.history["loss"].append(x.sum())
        return x


class SetDefault(Base):
    def step(self, x: Any) -> Any:
        self.history.setdefault("mean", []).append(x.mean())
        return x


@pytest.mark.parametrize("made", [(Tensors, 1), (Kinds, 1), (Dict, 1), (Default, 2), (SetDefault, 2)])
def test_one_program_for_every_length(made: Any) -> None:
    agree(*made)


class OfLayer(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.losses: list[Any] = []

    def step(self, x: Any) -> Any:
        y = self.fc(x)
        self.losses.append(y.detach())
        return y


def test_list_of_a_layer() -> None:
    vt.seed(3)
    model = OfLayer()
    static = vt.jit.to_static(model.step)
    for k in range(5):
        x = vt.full([3, 4], float(k))
        assert np.allclose(static(x).numpy(), model.fc(x).numpy(), atol=1e-6)
        assert len(model.losses) == k + 1 and np.allclose(model.losses[-1].numpy(), model.fc(x).numpy(), atol=1e-6)
        assert model.losses[-1].stop_gradient
    assert static.get_traced_count() == 1


def test_globals_and_closures() -> None:
    inner: list[Any] = []

    def step(x: Any) -> Any:
        log.append(x.sum())
        table["loss"].append(x.mean())
        inner.append(x + 1)
        return x * 2

    log.clear()
    table["loss"].clear()
    static = vt.jit.to_static(step)
    for k in range(5):
        static(vt.full([2], float(k)))
    assert [float(v) for v in log] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert [float(v) for v in table["loss"]] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert [v.tolist() for v in inner] == [[k + 1.0] * 2 for k in range(5)]
    assert static.get_traced_count() == 1


class InManager(Base):
    @contextlib.contextmanager
    def section(self, x: Any) -> Any:
        self.losses.append(x.sum())
        try:
            yield
        finally:
            self.losses.append("left")

    def step(self, x: Any) -> Any:
        with self.section(x):
            return x + 1


class InProperty(Base):
    @property
    def scale(self) -> Any:
        self.losses.append(self.w.sum())
        return 2.0

    def step(self, x: Any) -> Any:
        return x * self.scale


class InSetter(Base):
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if name == "last":
            self.losses.append(value.sum())

    def step(self, x: Any) -> Any:
        self.last = x * 2
        return x


class InCallback(Base):
    def add(self, total: Any, x: Any) -> Any:
        self.losses.append(x * 2)
        return total + x

    def step(self, x: Any) -> Any:
        return functools.reduce(self.add, [x, x + 1, x + 2])


class InKey(Base):
    def key(self, k: int) -> int:
        self.losses.append(k)
        return -k

    def step(self, x: Any) -> Any:
        return x * sorted([3, 1, 2], key=self.key)[0]


class InNoGrad(Base):
    @vt.no_grad()
    def note(self, x: Any) -> None:
        self.losses.append(x * 3)

    def step(self, x: Any) -> Any:
        self.note(x)
        return x


class InHandler(Base):
    def step(self, x: Any) -> Any:
        try:
            raise ValueError("no")
        except ValueError as error:
            self.losses.append(str(error))
            self.losses.append(x.sum())
        return x


class LeftAlone(Base):
    @vt.jit.not_to_static
    def note(self, x: Any) -> Any:
        self.losses.append("noted")
        return x + 1

    def step(self, x: Any) -> Any:
        return self.note(x)


class InGenerator(Base):
    def parts(self, x: Any) -> Any:
        for k in range(2):
            self.losses.append(x[k])
            yield x[k]

    def step(self, x: Any) -> Any:
        return sum(self.parts(x))


@pytest.mark.parametrize(
    "made", [InManager, InProperty, InSetter, InCallback, InKey, InNoGrad, InHandler, LeftAlone, InGenerator]
)
def test_appends_by_code_that_something_else_calls(made: Any) -> None:
    agree(made)


class UnderCondition(Base):
    def step(self, x: Any) -> Any:
        y = x.sum()
        if y > 10:
            self.losses.append(y)
        return y


class InLoop(Base):
    def step(self, x: Any) -> Any:
        for k in range(4):
            self.losses.append(x[k])
        y = x.sum()
        while y < 100:
            y = y * 2
        return y


class InTensorLoop(Base):
    def step(self, x: Any) -> Any:
        n = x[0].astype("int64")
        for _ in range(n):
            self.losses.append(x)
        return x


@pytest.mark.parametrize("made", [(UnderCondition, None), (InLoop, 1), (InTensorLoop, None)])
def test_appends_under_control_flow(made: Any) -> None:
    kind, programs = made
    if programs is None:  # the length is known only by a run: guarded as ever
        eager, compiled = kind(), kind()
        static = vt.jit.to_static(compiled.step)
        for k in (0, 3, 1, 4, 2):
            x = vt.full([4], float(k))
            assert plain(eager.step(x)) == plain(static(x))
            assert plain(eager.losses) == plain(compiled.losses)
    else:
        agree(kind, programs)


class ReadsElsewhere(Base):
    def mean(self) -> float:
        return sum(float(v) for v in self.losses) / len(self.losses)

    def step(self, x: Any) -> Any:
        self.losses.append(x.sum())
        return x


def test_a_method_that_is_not_called_may_read() -> None:
    assert agree(ReadsElsewhere).mean() == 16.0


def test_read_by_one_of_two_programs() -> None:
    class Two(Base):
        def note(self, x: Any) -> Any:
            self.losses.append(x.sum())
            return x

        def step(self, x: Any) -> Any:
            return x * len(self.losses)

    made = Two()
    note, step = vt.jit.to_static(made.note), vt.jit.to_static(made.step)
    for k in range(4):
        note(vt.ones([2]))
        assert step(vt.ones([2])).tolist() == [k + 1.0] * 2
    assert note.get_traced_count() == 1


def test_list_cleared_and_replaced_between_calls() -> None:
    def clear(made: Any, k: int) -> None:
        if k % 2:
            made.losses.clear()

    def replace(made: Any, k: int) -> None:
        if k == 2:
            made.losses = []

    agree(Tensors, between=clear)
    agree(Tensors, between=replace)


def test_the_argument_may_be_the_list() -> None:
    class Given(Base):
        def step(self, x: Any, items: Any) -> Any:
            self.losses.append(x.sum())
            return x * len(items)

    for given in (lambda m: m.losses, lambda m: [1], lambda m: {"a": m.losses}):
        eager, compiled = Given(), Given()
        static = vt.jit.to_static(compiled.step)
        for k in range(3):
            x = vt.full([2], float(k))
            assert plain(eager.step(x, given(eager))) == plain(static(x, given(compiled)))
            assert plain(eager.losses) == plain(compiled.losses)


def test_a_run_that_raises_appends_nothing() -> None:
    """As with all that a compiled function writes: a run that ends with an error leaves it."""

    class Fails(Base):
        def step(self, x: Any) -> Any:
            self.losses.append(x.sum())
            if x.sum() > 3:
                raise ValueError("too large")
            return x

    made = Fails()
    static = vt.jit.to_static(made.step)
    for k in (1.0, 5.0, 1.0, 5.0, 1.0):
        with contextlib.suppress(ValueError):
            static(vt.full([2], k))
    assert [float(x) for x in made.losses] == [2.0] * 3


def test_gradients_flow_through_appended_tensors() -> None:
    found = []
    for compiled in (False, True):
        made, w = Base(), vt.to_tensor([1.0, 2.0], stop_gradient=False)

        def step(x: Any, made: Any = made, w: Any = w) -> Any:
            made.losses.append((x * w * w).sum())
            return x

        run = vt.jit.to_static(step) if compiled else step
        for k in range(3):
            run(vt.full([2], float(k)))
        sum(made.losses).backward()
        found.append(w.grad.tolist())
    assert found[0] == found[1] == [6.0, 12.0]


@pytest.mark.usefixtures("others_set_aside")
def test_programs_keep_no_items_alive() -> None:
    made = Tensors()
    static = vt.jit.to_static(made.step)
    for _ in range(3):
        static(vt.ones([4]))
    refs = [weakref.ref(x) for x in made.losses]
    made.losses.clear()
    gc.collect()
    assert [r() for r in refs] == [None] * 3


def test_average_that_is_also_noted() -> None:
    class Average(Base):
        def __init__(self) -> None:
            super().__init__()
            self.average = vt.zeros([])

        def step(self, x: Any) -> Any:
            self.average = 0.9 * self.average + 0.1 * x.sum()
            self.losses.append(self.average)
            return self.average

    agree(Average)


def test_saved_program_warns_and_runs(tmp_path: Any) -> None:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[Any] = []

        def forward(self, x: Any) -> Any:
            self.seen.append(x.sum())
            return x * 2

    net = Net()
    with pytest.warns(UserWarning, match="changes Net.seen"):
        vt.jit.save(net, str(tmp_path / "net"), input_spec=[vt.static.InputSpec([None, 2], "float32")])
    assert net.seen == []
    loaded = vt.jit.load(str(tmp_path / "net"))
    assert loaded(vt.ones([3, 2])).tolist() == [[2.0, 2.0]] * 3


def test_a_fresh_list_that_others_hold_is_another_program() -> None:
    class Both(Base):
        def __init__(self) -> None:
            super().__init__()
            self.other: list[Any] = []

        def step(self, x: Any) -> Any:
            self.losses.append(x.sum())
            return x * len(self.other)

    def alias(made: Any, k: int) -> None:
        if k == 1:
            made.losses = made.other = []
        elif k == 3:
            made.losses = []

    agree(Both, programs=4, calls=5, between=alias)


@pytest.mark.usefixtures("others_set_aside")
def test_first_lists_are_let_go() -> None:
    class Item:
        pass

    class Notes(Base):
        def step(self, x: Any) -> Any:
            self.losses.append(x.sum())
            return x

    made, item = Notes(), Item()
    made.losses.append(item)
    static = vt.jit.to_static(made.step)
    static(vt.ones([2]))
    ref = weakref.ref(item)
    made.losses = []
    del item
    static(vt.ones([2]))
    gc.collect()
    assert ref() is None and len(made.losses) == 1 and static.get_traced_count() == 1


def test_a_dict_with_a_list_and_a_counter() -> None:
    def steps(compiled: Any) -> Any:
        state: dict[str, Any] = {"losses": [], "n": 0, "best": None}

        def step(x: Any) -> Any:
            state["losses"].append(x.sum())
            state["n"] += 1
            state["best"] = x.max()
            return x * 2

        fn = compiled(step)
        for k in range(7):
            fn(vt.ones([2]) * k)
        count = fn.get_traced_count() if hasattr(fn, "get_traced_count") else 0
        return [float(v) for v in state["losses"]], state["n"], float(state["best"]), count

    *expected, _ = steps(lambda f: f)
    *found, count = steps(vt.to_static)
    assert found == expected
    assert count <= 3


def test_a_list_in_a_dict_that_is_stored_again() -> None:
    def steps(compiled: Any) -> Any:
        state: dict[str, Any] = {"losses": []}

        def step(x: Any) -> Any:
            state["losses"].append(x.sum())
            state["losses"] = state["losses"][-2:]
            return x * len(state["losses"])

        fn = compiled(step)
        return [(fn(vt.ones([1]) * k).tolist(), [float(v) for v in state["losses"]]) for k in range(5)]

    assert steps(lambda f: f) == steps(vt.to_static)
