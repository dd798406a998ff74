"""Layers, state, containers, hooks, PyLayers, random numbers and training steps: compiled equals eager."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

UP = np.array([1.0, 2.0, 3.0], np.float32)
DOWN = np.array([-1.0, -2.0, 0.5], np.float32)
GRID = np.arange(12, dtype=np.float32).reshape(4, 3) / 10 - 0.5
NOISE = np.random.default_rng(0).normal(size=(16, 3)).astype(np.float32)
FOUR, TWO, ZERO = np.array(4), np.array(2), np.array(0)
F = nn.functional

CASES: dict[str, tuple[Callable[[], Any], list[tuple[Any, ...]], dict[str, Any]]] = {}


def made(*calls: Any, gradients: bool = True, outside: bool = True, traces: int | None = None) -> Callable[[Any], Any]:
    """Test what a call of the decorated function makes: eager and compiled have their own layers and objects."""

    def add(make: Any) -> Any:
        options = {"gradients": gradients, "outside": outside, "traces": traces}
        CASES[make.__name__] = (make, [c if isinstance(c, tuple) else (c,) for c in calls], options)
        return make

    return add


def of_layer(layer: Any, state: Callable[[], Any] | None = None) -> Callable[..., Any]:
    """A function that calls a layer; its parameters' gradients and its state are compared too."""

    def fn(*args):
        return layer(*args)

    fn.owner = layer
    fn.state = state or (lambda: {k: v.numpy().tolist() for k, v in layer.state_dict().items()})
    return fn


def seeded(kind: Any, *args: Any) -> Any:
    vt.seed(3)
    return kind(*args)


# ---- layers


class Branching(nn.Layer):
    def __init__(self, width=3):
        super().__init__()
        self.first = nn.Linear(width, 4)
        self.second = nn.Linear(4, width)
        self.scale = 2.0

    def inner(self, h):
        if h.sum() > 0:
            return self.second(h)
        return self.second(-h) * self.scale

    def forward(self, x):
        h = vt.tanh(self.first(x))
        return self.inner(h) + self.shifted(x)

    def shifted(self, x):
        return x + 1


class Derived(Branching):
    def __init__(self):
        super().__init__()
        self.third = nn.Linear(3, 3)

    def forward(self, x):
        y = super().forward(x)
        if y.sum() > 0:
            return self.third(y)
        return y

    def shifted(self, x):
        return super().shifted(x) * 2


@made(GRID, -GRID)
def methods_calling_each_other():
    return of_layer(seeded(Branching))


@made(GRID, -GRID, GRID * 5)
def super_forward():
    return of_layer(seeded(Derived))


class Counting(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_buffer("seen", vt.zeros([]))
        self.register_buffer("total", vt.zeros([3]))
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        y = self.linear(x)
        if x.sum() > 0:
            self.seen.add_(vt.ones([]))
            self.total = self.total + x.detach().sum(0)
        return y * self.seen


@made(GRID, GRID + 1, -GRID)
def buffers_in_branches():
    layer = seeded(Counting)
    return of_layer(layer, lambda: (layer.seen.item(), layer.total.tolist(), layer.calls))


class Recurrent(nn.Layer):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(3, 3)
        self.h = None

    def forward(self, x, n):
        self.h = x[0] * 0
        for k in range(n):
            self.h = vt.tanh(self.cell(self.h) + x[k])
        return self.h * 2


@made((GRID, FOUR), (GRID, TWO), (GRID, 3))
def attribute_in_loop():
    return of_layer(seeded(Recurrent))


class Stack(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(3, 3) for _ in range(3)])
        self.head = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))

    def forward(self, x, stop=None):
        for k, layer in enumerate(self.layers):
            x = F.relu(layer(x)) + x
            if x.sum() > 3:
                break
            x = x * (k + 1)
        return self.head(x)


@made(GRID, GRID * 4, -GRID)
def layers_in_a_loop_with_break():
    return of_layer(seeded(Stack))


@made(GRID, GRID + 2)
def hooks_before_and_after():
    layer = seeded(Branching)
    layer.first.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 2,))

    def after(layer, inputs, output):
        if output.sum() > 0:
            return output * 3
        return None if False else output

    layer.register_forward_post_hook(after)
    return of_layer(layer)


@made(NOISE, NOISE * 2)
def batch_norm_and_dropout_in_train_mode():
    return of_layer(seeded(lambda: nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Dropout(0.5))))


@made(GRID, GRID[:2])
def batch_norm_in_eval_mode():
    layer = seeded(lambda: nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1D(8), nn.Dropout(0.5)))
    layer.eval()
    return of_layer(layer)


class Switching(nn.Layer):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        if self.training:
            return self.drop(x) * 2
        return x


@made((GRID, True), (GRID, False))
def train_and_eval():
    layer = seeded(Switching)

    def fn(x, training):
        if training:
            layer.train()
        else:
            layer.eval()
        return layer(x)

    return fn


@made(GRID[:2], GRID[:3], np.ones((5, 3), np.float32), traces=2)
def layer_over_batch_sizes():
    return of_layer(seeded(Branching))


@made(GRID, -GRID)
def shared_layer_called_twice():
    layer = seeded(Branching)

    def fn(x):
        y = layer(x)
        if y.sum() > 0:
            y = layer(y)
        return y

    fn.owner = layer
    return fn


# ---- Python objects and containers


class Point(NamedTuple):
    x: Any
    y: Any


@dataclass
class Batch:
    data: Any
    label: str


@made((Point(UP, DOWN),), (Point(DOWN, UP),))
def namedtuples():
    def fn(p):
        if p.x.sum() > 0:
            return Point(p.y, p.x * 2)
        return p._replace(x=p.y * 3)

    return fn


@made((Batch(UP, "a"), [DOWN, (UP, {"k": DOWN})]))
def dataclasses_and_nesting():
    def fn(batch, rest):
        first, (second, table) = rest
        if first.sum() > 0:
            out = Batch(batch.data + first, batch.label)
        else:
            out = Batch(second * table["k"], "a")
        return {"out": out, "rest": [first, *rest[1:]]}

    return fn


@made(UP, DOWN)
def python_counter_on_an_object():
    class Stats:
        def __init__(self):
            self.n = 0
            self.log = []
            self.best = None

        def add(self, x):
            self.n += 1
            self.best = x.sum() * 2
            return x * self.n

    stats = Stats()

    def fn(x):
        y = stats.add(x)
        return y + stats.add(x)

    fn.state = lambda: stats.n
    return fn


@made(UP, DOWN, gradients=False)
def object_attribute_in_branch():
    class Memory:
        def __init__(self):
            self.value = vt.zeros([3])

        def write(self, v):
            self.value = v

    memory = Memory()

    def fn(x):
        if x.sum() > 0:
            memory.write(x * 2)
        return memory.value + x

    fn.state = lambda: memory.value.tolist()
    return fn


@made((UP, FOUR), (DOWN, ZERO), gradients=False)
def object_attribute_in_loop():
    class Memory:
        pass

    memory = Memory()
    memory.value = vt.ones([3])

    def step(x):
        memory.value = memory.value * 1.5 + x

    def fn(x, n):
        for _ in range(n):
            step(x)
        return memory.value * 2

    fn.state = lambda: memory.value.tolist()
    return fn


@made(UP, DOWN, gradients=False)
def closure_tensor_written():
    total = vt.zeros([3])

    def fn(x):
        if x.sum() > 0:
            total.add_(x)
        return total * 1

    fn.state = lambda: total.tolist()
    return fn


@made(UP, DOWN, gradients=False)
def dict_and_list_state():
    cache = {"last": vt.zeros([3]), "n": 0}
    log = [vt.zeros([3])]

    def fn(x):
        cache["last"] = x * 2
        cache["n"] += 1
        log[0] = log[0] + x
        return cache["last"] + log[0]

    fn.state = lambda: (cache["last"].tolist(), cache["n"], log[0].tolist())
    return fn


@made(UP, DOWN, gradients=False)
def objects_behind_a_called_function():
    memory = {"n": 0, "log": vt.zeros([3])}
    count = 0

    def note(v):
        nonlocal count
        count += 1
        memory["log"] = memory["log"] + v

    def helper(v):
        if v.sum() > 0:
            note(v)
        else:
            note(v * 2)
        return v * 3

    def fn(x):
        return helper(x) + memory["log"]

    fn.state = lambda: (count, memory["log"].tolist())
    return fn


@made(UP, DOWN)
def object_made_in_a_branch():
    class Box:
        def __init__(self, v):
            self.v = v
            self.n = 0

        def add(self, v):
            self.v = self.v + v
            self.n += 1
            return self

    def fn(x):
        if x.sum() > 0:
            y = Box(x).add(x * 2).add(x).v
        else:
            box = Box(x * 3)
            for k in range(3):
                box.add(x * k)
            y = box.v * box.n
        return y

    return fn


@made((UP, FOUR), (DOWN, TWO))
def object_made_before_and_changed_in_a_loop():
    class Box:
        def __init__(self, v):
            self.v = v

        def add(self, v):
            if v.sum() > 0:
                self.v = self.v + v

    def fn(x, n):
        box = Box(x)
        for k in range(n):
            box.add(x * k)
        return box.v

    return fn


@made(UP, DOWN, gradients=False)
def class_attribute_in_a_branch():
    class Counter:
        n = 0

    def fn(x):
        if x.sum() > 0:
            Counter.n += 1
        return x * Counter.n

    fn.state = lambda: int(Counter.n)
    return fn


@made(UP, DOWN, gradients=False, traces=2)
def state_replaced_in_each_call():
    class Memory:
        last = None

        def __init__(self):
            self.sum = vt.zeros([3])

    memory, table = Memory(), {"sum": vt.zeros([3]), "out": None}

    def fn(x):
        memory.sum = memory.sum + x
        table["sum"] = table["sum"] * 0.5 + x
        memory.last = memory.sum * 2
        table["out"] = x
        return memory.sum + table["sum"]

    fn.state = lambda: (memory.sum.tolist(), table["sum"].tolist(), memory.last.tolist(), table["out"].tolist())
    return fn


# ---- random numbers


@made(UP, DOWN)
def random_in_branches():
    def fn(x):
        if x.sum() > 0:
            y = vt.rand([3]) * x
        else:
            y = vt.randn([3]) + x * vt.rand([3])
        return y + vt.rand([3])

    return fn


@made((UP, FOUR), (UP, ZERO))
def random_in_loop():
    def fn(x, n):
        for _ in range(n):
            x = x + vt.rand([3])
            if x.sum() > 9:
                x = x * vt.uniform([3])
        return x + vt.randn([3])

    return fn


@made(GRID, GRID + 1)
def dropout_in_branch():
    def fn(x):
        if x.sum() > 0:
            return F.dropout(x, 0.5)
        return F.dropout(x * 2, 0.3) + 1

    return fn


@made(UP)
def random_test():
    def fn(x):
        n = vt.zeros([])
        while vt.rand([]) < 0.8:
            n = n + 1
        return x * n

    return fn


# ---- PyLayers


class Clipped(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return x * 1

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensor()
        return vt.clip(g, -ctx.limit, ctx.limit) * (x.abs() + 1)


@made(UP, DOWN)
def pylayer():
    return lambda x: Clipped.apply(x, 0.3) * 2


@made(UP, DOWN)
def pylayer_in_branch():
    def fn(x):
        if x.sum() > 0:
            return Clipped.apply(x * 2, 0.3)
        return x * 3

    return fn


@made((UP, 3), (DOWN, 2))
def pylayer_in_python_loop():
    def fn(x, n):
        for k in range(n):
            x = Clipped.apply(x, 0.2) * 1.1
        return x

    return fn


@made((UP, FOUR), (DOWN, TWO), (UP, ZERO), outside=False)
def pylayer_in_loop():
    def fn(x, n):
        for k in range(n):
            x = Clipped.apply(x, 0.2) * 1.1
        return x

    return fn


@made((UP, FOUR), (DOWN, TWO), outside=False)
def pylayer_in_loop_in_branch():
    def fn(x, n):
        i = 0
        while i < n:
            if x.sum() > 2:
                x = Clipped.apply(x, 0.2) - 1
            else:
                x = x * 1.5 + 1
            i += 1
        return x

    return fn


# ---- training


def trainer(make_optimizer: Callable[[Any], Any]) -> Callable[..., Any]:
    model = seeded(Branching)
    optimizer = make_optimizer(model)

    def fn(x):
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss.detach()

    fn.state = lambda: [p.numpy().tolist() for p in model.parameters()]
    return fn


@made(GRID, GRID + 1, -GRID, gradients=False)
def training_with_sgd():
    return trainer(lambda m: vt.optimizer.SGD(learning_rate=0.1, parameters=m.parameters()))


@made(GRID, GRID + 1, -GRID, gradients=False)
def training_with_momentum():
    return trainer(lambda m: vt.optimizer.Momentum(0.1, 0.9, parameters=m.parameters()))


@made(GRID, GRID + 1, -GRID, gradients=False)
def training_with_adam():
    return trainer(lambda m: vt.optimizer.Adam(0.01, parameters=m.parameters()))


@made(GRID, GRID + 1, -GRID, gradients=False)
def training_with_adamw():
    return trainer(lambda m: vt.optimizer.AdamW(0.01, parameters=m.parameters(), weight_decay=0.1))


@made(GRID, GRID[:2], np.ones((5, 3), np.float32), gradients=False, traces=3)
def training_over_batch_sizes():
    return trainer(lambda m: vt.optimizer.Adam(0.01, parameters=m.parameters()))


@made(GRID, GRID + 1, gradients=False)
def accumulated_gradients():
    model = seeded(Branching)
    optimizer = vt.optimizer.SGD(learning_rate=0.1, parameters=model.parameters())

    def fn(x):
        for part in (x[:2], x[2:]):
            ((model(part) ** 2).mean() / 2).backward()
        optimizer.step()
        optimizer.clear_grad()
        return model(x).detach()

    fn.state = lambda: [p.numpy().tolist() for p in model.parameters()]
    return fn


@made(GRID, GRID + 5, gradients=False)
def skipped_step():
    model = seeded(Branching)
    optimizer = vt.optimizer.SGD(learning_rate=0.1, parameters=model.parameters())

    def fn(x):
        loss = (model(x) ** 2).mean()
        loss.backward()
        if loss < 3:
            optimizer.step()
        optimizer.clear_grad()
        return loss.detach()

    fn.state = lambda: [p.numpy().tolist() for p in model.parameters()]
    return fn


@made((GRID, FOUR), (GRID, TWO), gradients=False)
def training_in_a_loop():
    model = seeded(Branching)
    optimizer = vt.optimizer.Momentum(0.1, parameters=model.parameters())

    def fn(x, n):
        loss = vt.zeros([])
        for k in range(n):
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
        return loss.detach()

    fn.state = lambda: [p.numpy().tolist() for p in model.parameters()]
    return fn


@made(GRID, gradients=False)
def clipped_training():
    def fn_of(model):
        clip = nn.ClipGradByGlobalNorm(0.1)
        return vt.optimizer.Adam(0.01, parameters=model.parameters(), grad_clip=clip)

    return trainer(fn_of)


def test_values_put_in_from_outside_are_seen() -> None:
    table, items = {"scale": vt.to_tensor([2.0]), "fn": lambda v: v}, [vt.to_tensor([1.0])]

    @vt.to_static
    def fn(x: Any) -> Any:
        return table["fn"](x * table["scale"] + items[0])

    x = vt.to_tensor([1.0])
    assert fn(x).item() == 3
    table["scale"] = vt.to_tensor([5.0])
    assert fn(x).item() == 6
    items[0] = vt.to_tensor([10.0])
    assert fn(x).item() == 15
    table["fn"] = lambda v: -v
    assert fn(x).item() == -15


def test_private_containers_of_a_layer_are_guarded() -> None:
    class Model(nn.Layer):
        def __init__(self):
            super().__init__()
            self._options = {"scale": 2.0, "bias": vt.ones([1])}

        def forward(self, x):
            return x * self._options["scale"] + self._options["bias"]

    model = Model()
    fn = vt.to_static(lambda x: model(x))
    x = vt.to_tensor([1.0])
    assert fn(x).item() == 3
    model._options["scale"] = 4.0
    assert fn(x).item() == 5
    model._options["bias"] = vt.zeros([1])
    assert fn(x).item() == 4


def test_a_pylayer_in_a_loop_of_the_program_takes_gradients_from_outside() -> None:
    def fn(x, n):
        for _ in range(n):
            x = Clipped.apply(x, 0.2)
        return x

    grads = []
    for call in (fn, vt.to_static(fn)):
        x = vt.to_tensor(UP, stop_gradient=False)
        (call(x, vt.to_tensor(3)) ** 2).sum().backward()
        grads.append(x.grad.numpy())
    np.testing.assert_array_equal(grads[1], grads[0])


@pytest.mark.parametrize("kind", [vt.optimizer.Momentum, vt.optimizer.Adam])
def test_a_scheduler_outside_of_the_compiled_step(kind: Any) -> None:
    losses = []
    for compiles in (False, True):
        model = seeded(Branching)
        rate = vt.optimizer.lr.StepDecay(0.1, step_size=2, gamma=0.5)
        optimizer = kind(learning_rate=rate, parameters=model.parameters())

        def step(x, model=model, optimizer=optimizer):
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss.detach()

        run = vt.to_static(step) if compiles else step
        found = []
        for _ in range(7):
            found.append(run(vt.to_tensor(GRID)).item())
            rate.step()
        losses.append(found)
        if compiles:
            assert run.get_traced_count() <= 2, run.explain()
    np.testing.assert_allclose(*losses, rtol=1e-4)


@pytest.mark.parametrize("name", CASES)
def test_compiled_equals_eager(name: str, agree: Callable[..., None]) -> None:
    make, calls, options = CASES[name]
    agree(make, calls, **options)
