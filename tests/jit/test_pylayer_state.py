"""A PyLayer in a compiled function and the state around it: what it reads and writes is as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, CallbackError, CaptureError

PyLayer: Any = vt.autograd.PyLayer
Static = Callable[[Any], Any]


def same(make: Callable[[Static], Any]) -> Any:
    """What `make` gives in eager mode; it gives the same when its function is compiled."""
    expected = make(lambda f: f)
    found = make(vt.to_static)
    assert found == expected
    return found


def layer(forward: Any, backward: Any = None) -> Any:
    """A PyLayer of two functions."""

    class Made(PyLayer):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *xs: Any) -> Any:
            return forward(ctx, *xs)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return grads[0] if backward is None else backward(ctx, *grads)

    return Made


def leaf(*numbers: float) -> Any:
    return vt.to_tensor([float(n) for n in numbers], stop_gradient=False)


# ---- what it reads


def test_it_reads_a_number_that_the_function_has_changed() -> None:
    def make(static: Static) -> Any:
        settings = {"scale": 1.0}
        scaled = layer(lambda ctx, x: x * settings["scale"], lambda ctx, g: g * settings["scale"])

        @static
        def step(x: Any) -> Any:
            settings["scale"] *= 2
            x = x.detach()
            x.stop_gradient = False
            y = scaled.apply(x).sum()
            y.backward()
            return y.item(), x.grad.tolist()

        return [step(vt.ones([2])) for _ in range(3)], settings

    assert same(make)[0] == [(4.0, [2.0, 2.0]), (8.0, [4.0, 4.0]), (16.0, [8.0, 8.0])]


def test_it_reads_an_attribute_of_the_layer_it_gets() -> None:
    class Gumbel(PyLayer):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any, owner: Any) -> Any:
            ctx.tau = owner.tau
            return x / owner.tau

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g / ctx.tau

    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.tau = 1.0

        def forward(self, x: Any) -> Any:
            self.tau *= 0.5
            return Gumbel.apply(x, self)

    def make(static: Static) -> Any:
        net, found = Net(), []
        call = static(net.forward)
        for _ in range(3):
            x = leaf(1, 2)
            y = call(x)
            y.sum().backward()
            found.append((y.tolist(), x.grad.tolist(), net.tau))
        return found

    assert same(make)[2] == ([8.0, 16.0], [8.0, 8.0], 0.125)


def test_it_reads_a_weight_between_two_updates() -> None:
    def make(static: Static) -> Any:
        w = vt.ones([1])
        product = layer(lambda ctx, x: x * w)

        @static
        def step(x: Any) -> Any:
            found = []
            for _ in range(2):
                found.append(product.apply(x).item())
                w.add_(vt.ones([1]))
            return found

        return [step(vt.ones([1])) for _ in range(2)], w.tolist()

    assert same(make) == ([[1.0, 2.0], [3.0, 4.0]], [5.0])


def test_a_loop_of_the_program_carries_what_it_reads() -> None:
    def make(static: Static) -> Any:
        w, settings = vt.ones([2]), {"k": 1}
        product = layer(lambda ctx, x: x * w + settings["k"])

        @static
        def step(x: Any, n: Any) -> Any:
            for _ in range(n):
                x = product.apply(x)
                w.add_(x)
                settings["k"] += 1
            return x.tolist()

        return [step(vt.ones([2]), vt.to_tensor(n)) for n in (1, 3)], w.tolist(), settings

    same(make)


def test_it_reads_a_tensor_that_takes_the_place_of_another() -> None:
    def make(static: Static) -> Any:
        class Memory:
            state = vt.ones([2])

        memory = Memory()
        added = layer(lambda ctx, x: x + memory.state)

        @static
        def step(x: Any) -> Any:
            memory.state = memory.state * 3
            return added.apply(x).tolist()

        return [step(vt.ones([2])) for _ in range(3)], memory.state.tolist()

    assert same(make)[0] == [[4, 4], [10, 10], [28, 28]]


SCALE = 1.0


def test_it_reads_a_global_that_the_function_assigns() -> None:
    def make(static: Static) -> Any:
        global SCALE
        SCALE = 1.0
        scaled = layer(lambda ctx, x: x * SCALE, lambda ctx, g: g * SCALE)

        @static
        def step(x: Any) -> Any:
            global SCALE
            SCALE = SCALE * 2
            x = x.detach()
            x.stop_gradient = False
            y = scaled.apply(x).sum()
            y.backward()
            return y.item(), x.grad.tolist()

        return [step(vt.ones([2])) for _ in range(3)], SCALE

    assert same(make)[0][2] == (16.0, [8.0, 8.0])


def test_it_reads_containers_and_a_mode() -> None:
    def make(static: Static) -> Any:
        state: dict[str, Any] = {"mode": "a", "h": [vt.zeros([1]), vt.ones([1])]}

        def forward(ctx: Any, x: Any) -> Any:
            return x * 2 + state["h"][0] if state["mode"] == "b" else x + state["h"][1]

        reads = layer(forward)

        @static
        def step(x: Any) -> Any:
            a = reads.apply(x).item()
            state["mode"] = "b"
            state["h"][0] = x * 5
            state["h"][1].add_(x)
            b = reads.apply(x).item()
            state["mode"] = "a"
            return a, b, reads.apply(x).item()

        return [step(vt.ones([1]) * k) for k in (1, 2)]

    assert same(make) == [(2, 7, 3), (4, 14, 6)]


def test_a_view_that_it_writes_is_refused() -> None:
    base = vt.zeros([4])
    view = base[:2]
    writes = layer(lambda ctx, x: view.add_(x) * 2)

    @vt.to_static
    def step(x: Any) -> Any:
        return writes.apply(x), base.tolist()

    with pytest.raises(CaptureError, match="a view of a tensor"):
        step(vt.ones([2]))
    assert base.tolist() == [0, 0, 0, 0]


# ---- what it writes


def test_it_writes_a_buffer_and_a_counter() -> None:
    def make(static: Static) -> Any:
        buffer, calls = vt.zeros([1]), [0]

        def forward(ctx: Any, x: Any) -> Any:
            buffer.add_(x.detach())
            calls[0] += 1
            return x * 2

        noted = layer(forward)

        @static
        def step(x: Any) -> Any:
            noted.apply(x)
            first = buffer.item()
            noted.apply(x)
            return first, buffer.item(), calls[0]

        return [step(vt.ones([1])) for _ in range(3)], buffer.tolist(), calls

    assert same(make)[0] == [(1.0, 2.0, 2), (3.0, 4.0, 4), (5.0, 6.0, 6)]


def test_a_write_that_no_trial_has_shown_is_an_error() -> None:
    peak = vt.zeros([1])

    def forward(ctx: Any, x: Any) -> Any:
        if x.max() > 10:
            peak.set_value(x.max().reshape([1]))
        return x * 2

    noted = layer(forward)

    @vt.to_static
    def step(x: Any) -> Any:
        return noted.apply(x), peak * 1

    assert step(vt.ones([2]))[1].tolist() == [0]
    with pytest.raises(CallbackError, match="in this run, which it didn't in the trial run"):
        step(vt.ones([2]) * 20)


def test_it_writes_on_one_path() -> None:
    def make(static: Static) -> Any:
        buffer, calls = vt.zeros([1]), {"n": 0}

        def forward(ctx: Any, x: Any) -> Any:
            buffer.add_(x.detach())
            calls["n"] += 1
            return x * 2

        noted = layer(forward)

        @static
        def step(x: Any) -> Any:
            if x.sum() > 2:
                x = noted.apply(x)
            return x.item(), buffer.item(), calls["n"]

        return [step(vt.ones([1]) * k) for k in (1, 3, 2, 5)], buffer.tolist(), calls

    assert same(make)[0] == [(1, 0, 0), (6, 3, 1), (2, 3, 1), (10, 8, 2)]


def test_it_writes_in_a_loop_of_the_program() -> None:
    def make(static: Static) -> Any:
        buffer, calls = vt.zeros([1]), [0]

        def forward(ctx: Any, x: Any) -> Any:
            buffer.add_(x.detach())
            calls[0] += 1
            return x * 2

        noted = layer(forward)

        @static
        def step(x: Any, n: Any) -> Any:
            for _ in range(n):
                x = noted.apply(x) + buffer
            return x.item(), buffer.item(), calls[0]

        return [step(vt.ones([1]), vt.to_tensor(n)) for n in (1, 3)], buffer.tolist(), calls

    same(make)


def test_it_leaves_a_tensor_and_its_argument_in_an_attribute() -> None:
    def make(static: Static) -> Any:
        class Kept(PyLayer):  # type: ignore[misc]
            last = None
            given = None

            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                Kept.last = x.detach() * 5
                Kept.given = x
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * 2

        @static
        def step(x: Any) -> Any:
            y = Kept.apply(x)
            last: Any = Kept.last
            return y.tolist(), last.tolist(), Kept.given is x

        return [step(vt.ones([2]) * k) for k in (1, 2)]

    assert same(make) == [([2, 2], [5, 5], True), ([4, 4], [10, 10], True)]


def test_a_list_that_only_it_changes_is_left_to_it() -> None:
    def make(static: Static) -> Any:
        seen: list[float] = []

        def forward(ctx: Any, x: Any) -> Any:
            seen.append(x.sum().item())
            return x * 2

        noted = layer(forward)
        step = static(lambda x: noted.apply(x).tolist())
        return [step(vt.ones([2]) * k) for k in (1, 2)], seen

    assert same(make)[1] == [2.0, 4.0]


def test_a_list_that_the_function_reads_too_is_refused() -> None:
    seen: list[float] = []

    def forward(ctx: Any, x: Any) -> Any:
        seen.append(x.sum().item())
        return x * 2

    noted = layer(forward)

    @vt.to_static
    def step(x: Any) -> Any:
        noted.apply(x)
        return len(seen)

    with pytest.raises(
        CaptureError, match=r"Made\.forward changes a list, which the compiled function reads"
    ) as caught:
        step(vt.ones([2]))
    assert caught.value.loc is not None and caught.value.loc.file == __file__


# ---- what its backward does


def test_backward_adds_to_a_gradient() -> None:
    def make(static: Static) -> Any:
        w = leaf(1.0)

        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * w.detach()

        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensor()
            w.grad = g * x if w.grad is None else w.grad + g * x
            return g * w.detach()

        product = layer(forward, backward)

        @static
        def step(x: Any) -> Any:
            x = x.detach()
            x.stop_gradient = False
            product.apply(x).sum().backward()
            return None if w.grad is None else w.grad.item()

        return [step(vt.ones([1])) for _ in range(3)], w.grad.tolist()

    assert same(make) == ([1.0, 2.0, 3.0], [3.0])


class Reversible(PyLayer):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, x: Any, f: Any) -> Any:
        ctx.f = f
        ctx.save_for_backward(x)
        with vt.no_grad():
            return x + f(x)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensor()
        with vt.enable_grad():
            t = x.detach()
            t.stop_gradient = False
            ctx.f(t).backward(dy)
        return dy + t.grad


@pytest.mark.parametrize("steps", [1, 2])
def test_a_reversible_block(steps: int) -> None:
    """An inner backward() fills gradients of weights that the optimizer then uses; two steps in one call, too."""

    def make(static: Static) -> Any:
        vt.seed(0)
        f, first = vt.nn.Linear(2, 2, bias_attr=False), vt.nn.Linear(2, 2, bias_attr=False)
        opt = vt.optimizer.SGD(0.1, parameters=f.parameters() + first.parameters())

        @static
        def step(x: Any) -> Any:
            for _ in range(steps):
                loss = Reversible.apply(first(x), f).square().mean()
                loss.backward()
                opt.step()
                opt.clear_grad()
            return loss.item()

        found = [step(vt.ones([1, 2])) for _ in range(4)]
        return [round(v, 5) for v in (*found, *f.weight.flatten().tolist(), *first.weight.flatten().tolist())]

    same(make)


def _through(kind: str, made: Any, x: Any, n: Any) -> Any:
    if kind == "loop":
        for _ in range(n):
            x = made.apply(x)
    elif n > 1:
        x = made.apply(x)
    return x


@pytest.mark.parametrize("kind", ["loop", "branch"])
@pytest.mark.parametrize("writes", [False, True])
def test_backward_with_state_through_a_block_is_refused(kind: str, writes: bool) -> None:
    w, settings = leaf(1.0), {"scale": 1.0}

    def backward(ctx: Any, g: Any) -> Any:
        if writes:
            w.grad = g
            return g
        return g * settings["scale"]

    made = layer(lambda ctx, x: x * 1, backward)

    @vt.to_static
    def step(x: Any, n: Any) -> Any:
        x = x.detach()
        x.stop_gradient = False
        if not writes:
            settings["scale"] *= 2
        _through(kind, made, x, n).sum().backward()
        return x.grad

    with pytest.raises(CaptureError, match=r"Made\.backward uses state that the function changes") as caught:
        step(vt.ones([1]), vt.to_tensor(2))
    assert caught.value.loc is not None and caught.value.loc.file == __file__


@pytest.mark.parametrize("kind", ["loop", "branch"])
def test_a_counter_in_backward_through_a_block(kind: str) -> None:
    def make(static: Static) -> Any:
        calls = [0]

        def backward(ctx: Any, g: Any) -> Any:
            calls[0] += 1
            return g * 2

        made = layer(lambda ctx, x: x * 2, backward)

        @static
        def step(x: Any, n: Any) -> Any:
            x = x.detach()
            x.stop_gradient = False
            _through(kind, made, x, n).sum().backward()
            return x.grad.tolist()

        return [step(vt.ones([1]), vt.to_tensor(n)) for n in (2, 1, 3)], calls

    same(make)


def test_sizes_that_follow_the_argument() -> None:
    def make(static: Static) -> Any:
        memory, settings = {"last": vt.zeros([1])}, {"k": 1}

        def forward(ctx: Any, x: Any) -> Any:
            memory["last"] = vt.concat([x, memory["last"][:1]]).detach()
            return x * settings["k"]

        kept = layer(forward)

        @static
        def step(x: Any) -> Any:
            settings["k"] += 1
            y = kept.apply(x)
            return y.tolist(), memory["last"].sum().item()

        return [step(vt.ones([n])) for n in (2, 3, 5, 4)], memory["last"].tolist(), settings

    same(make)


def test_saving_state_is_refused(tmp_path: Any) -> None:
    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", vt.zeros([1]))

        def forward(self, x: Any) -> Any:
            def forward(ctx: Any, x: Any) -> Any:
                self.count.add_(vt.ones([1]))
                return x * 1

            return layer(forward).apply(x)

    net = Net()
    spec = [vt.static.InputSpec([2], "float32")]
    with pytest.raises(CaptureError, match="a saved model has no place for it"):
        vt.jit.save(net, str(tmp_path / "net"), input_spec=spec)


def test_checkpoints_of_blocks_that_an_optimizer_trains() -> None:
    class Checkpoint(PyLayer):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any, f: Any) -> Any:
            ctx.f = f
            ctx.save_for_backward(x)
            return f(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensor()
            with vt.enable_grad():
                t = x.detach()
                t.stop_gradient = False
                ctx.f(t).backward(g)
            return t.grad

    def make(static: Static) -> Any:
        vt.seed(0)
        blocks = [vt.nn.Sequential(vt.nn.Linear(2, 2), vt.nn.Tanh()) for _ in range(2)]
        first = vt.nn.Linear(2, 2)
        weights = [p for b in (*blocks, first) for p in b.parameters()]
        opt = vt.optimizer.Adam(0.05, parameters=weights)

        @static
        def epoch(x: Any, n: Any) -> Any:
            for _ in range(n):
                h = first(x)
                for block in blocks:
                    h = Checkpoint.apply(h, block)
                loss = h.square().mean()
                loss.backward()
                opt.step()
                opt.clear_grad()
            return loss.item()

        found = [epoch(vt.ones([3, 2]) * k, vt.to_tensor(n)) for k, n in ((1, 1), (2, 3))]
        return [round(v, 4) for v in (*found, *(e for p in weights for e in p.flatten().tolist()))]

    same(make)


def test_a_second_derivative_is_refused() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    square = layer(forward, lambda ctx, g: 2 * ctx.saved_tensor()[0] * g)

    @vt.to_static
    def f(x: Any) -> Any:
        x = x.detach()
        x.stop_gradient = False
        (g,) = vt.grad(square.apply(x).sum(), x, create_graph=True)
        (h,) = vt.grad((g * g).sum(), x)
        return h

    with pytest.raises(CaptureError, match="a second derivative through Made"):
        f(vt.ones([2]))


# ---- arguments


def test_arguments_written_in_place() -> None:
    def make(static: Static) -> Any:
        buffer = vt.zeros([2])

        def forward(ctx: Any, x: Any) -> Any:
            x.add_(vt.ones([2]))
            return x * 1

        writes = layer(forward)

        @static
        def f(x: Any) -> Any:
            h = x * 2
            writes.apply(h)
            writes.apply(buffer)
            writes.apply(x)
            return h.tolist(), buffer.tolist(), x.tolist()

        x = vt.ones([2])
        return [(f(x), buffer.tolist(), x.tolist()) for _ in range(2)]

    assert same(make)[1] == (([5, 5], [2, 2], [3, 3]), [2, 2], [3, 3])


def test_an_argument_written_in_place_and_returned() -> None:
    def make(static: Static) -> Any:
        def forward(ctx: Any, x: Any) -> Any:
            x.multiply_(vt.full([2], 3.0))
            return x

        tripled = layer(forward, lambda ctx, g: g * 3)

        @static
        def f(x: Any) -> Any:
            h = x * 2
            y = tripled.apply(h)
            (y * h).sum().backward()
            return y is h, h.tolist()

        found = []
        for k in (1, 2):
            x = leaf(1, k)
            found.append((f(x), x.grad.tolist()))
        return found

    assert same(make)[0] == ((True, [6, 6]), [72, 72])


def test_a_leaf_that_is_returned_unchanged() -> None:
    reversal = layer(lambda ctx, x: x, lambda ctx, g: -g)

    def f(x: Any) -> Any:
        x = x.detach()
        x.stop_gradient = False
        reversal.apply(x).sum().backward()
        return x.grad

    for call in (f, vt.to_static(f)):
        with pytest.raises(ArgumentError, match=r"returned the leaf .* unchanged"):
            call(vt.ones([2]))


def test_gradients_from_outside_pass_a_returned_argument() -> None:
    def make(static: Static) -> Any:
        reversal = layer(lambda ctx, x: x, lambda ctx, g: -g)

        @static
        def f(x: Any) -> Any:
            h = x * 2
            y = reversal.apply(h)
            return y * h

        x = leaf(1, 2)
        f(x).sum().backward()
        return x.grad.tolist()

    assert same(make) == [-8, -16]


def test_numbers_that_only_some_runs_write():
    """No trial run has told that forward or backward writes them: such a run ends with an error, and is never wrong."""

    class Counts:
        def __init__(self):
            self.forward = self.backward = 0

    counts = Counts()

    class Above(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            for v in x.tolist():
                if v > 1:
                    counts.forward += 1
            return x * 2

        @staticmethod
        def backward(ctx, g):
            for v in g.tolist():
                if v > 5:
                    counts.backward += 1
            return g

    @vt.to_static
    def step(x, scale):
        x = x.detach()
        x.stop_gradient = False
        y = Above.apply(x)
        (y.sum() * scale).backward()
        return counts.forward, counts.backward

    small, large = vt.to_tensor([0.5, 0.25]), vt.to_tensor([0.5, 3.0])
    one, ten = vt.to_tensor(1.0), vt.to_tensor(10.0)
    assert step(small, one) == (0, 0)
    for args, name in (((large, one), "forward"), ((small, ten), "backward")):
        with pytest.raises(CallbackError, match=f"Above.{name} changes '{name}' in this run"):
            step(*args)
        assert (counts.forward, counts.backward) == (0, 0)
    assert step(small, one) == (0, 0)
