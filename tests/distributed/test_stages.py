"""Stages between gradients and updates: n ranks train as one, in eager mode, captured, and as static programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import static
from vitrify.distributed import fleet, run_ranks
from vitrify.distributed.simulator import Simulator
from vitrify.ir.walk import walk

from .training import OPTIMIZERS, WAYS, built, distance, dynamic, none, rows, static_way, trained, with_stages

EXACT: dict[str, Callable[[], Any]] = {
    "average": lambda: [dist.GradAllReduce()],
    "all elements": lambda: [dist.TopGradients(0.0)],
    "sharding 1": lambda: [dist.GradAllReduce(), dist.ShardedStates(1)],
    "sharding 2": lambda: [dist.ShardedStates(2)],
    "merge of one": lambda: [dist.GradientMerge(1), dist.GradAllReduce()],
}
ROUNDED: dict[str, tuple[Callable[[], Any], float]] = {
    "float16": (lambda: [dist.ShortGradients()], 1e-4),
    "bfloat16": (lambda: [dist.ShortGradients("bfloat16")], 8e-4),
}


def compared(way: str, kind: str, stages: Callable[[], Any], bound: float, ranks: tuple[int, ...]) -> None:
    """All ranks end with the same bits, and near what one rank gets from the whole batch."""
    (one,) = run_ranks(trained, way, kind, none, ranks=1)
    for size in ranks:
        found = run_ranks(trained, way, kind, stages, ranks=size)
        assert all(distance(found[0], other) == 0 for other in found[1:])
        assert distance(found[0], one) <= bound


@pytest.mark.parametrize(
    ("name", "way", "kind"),  # each stage with each optimiser and each way, not all three
    [
        (name, way, list(OPTIMIZERS)[(i + 2 * j + k) % len(OPTIMIZERS)])
        for i, name in enumerate(EXACT)
        for j, way in enumerate(WAYS)
        for k in range(2)
    ],
)
def test_n_ranks_train_as_one(name: str, way: str, kind: str) -> None:
    compared(way, kind, EXACT[name], 3e-7, (3,))


@pytest.mark.parametrize("name", EXACT)
def test_any_number_of_ranks(name: str) -> None:
    compared("eager", "adamw", EXACT[name], 3e-7, (1, 2, 3, 4, 8))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ROUNDED)
def test_short_gradients_stay_near(name: str, way: str) -> None:
    compared(way, "adam", *ROUNDED[name], (2, 4))


@pytest.mark.parametrize("way", WAYS)
def test_sharding_has_the_bits_of_data_parallel(way: str) -> None:
    plain = run_ranks(trained, way, "adamw", EXACT["average"], ranks=3)[0]
    assert distance(run_ranks(trained, way, "adamw", EXACT["sharding 1"], ranks=3)[0], plain) == 0
    plain = run_ranks(trained, way, "adam", EXACT["average"], ranks=3)[0]
    assert distance(run_ranks(trained, way, "adam", EXACT["sharding 2"], ranks=3)[0], plain) == 0


def merged_by_hand(kind: str, k: int, steps: int) -> list[Any]:
    """One rank, whose losses of k batches are averaged before each update."""
    vt.seed(7)
    net = vt.nn.Sequential(vt.nn.Linear(4, 5), vt.nn.Tanh(), vt.nn.Linear(5, 2))
    optimizer = OPTIMIZERS[kind](parameters=net.parameters())
    for step in range(steps):
        part = rows(step, 1, 0)
        (((net(vt.to_tensor(part[:, :4])) - vt.to_tensor(part[:, 4:])) ** 2).mean() / k).backward()
        if step % k == k - 1:
            optimizer.step()
            optimizer.clear_grad()
    return [p.numpy() for p in net.parameters()]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["sgd", "adamw"])
def test_gradient_merge_updates_every_k_steps(way: str, kind: str) -> None:
    wanted = merged_by_hand(kind, 2, 5)  # the fifth step only adds
    for ranks in (1, 3):
        found = run_ranks(trained, way, kind, lambda: [dist.GradientMerge(2), dist.GradAllReduce()], 5, ranks=ranks)
        assert all(distance(found[0], other) == 0 for other in found[1:])
        assert distance(found[0], wanted) < 3e-7


@pytest.mark.parametrize("way", WAYS)
def test_local_sgd_averages_parameters(way: str) -> None:
    own = run_ranks(trained, way, "adam", lambda: [dist.LocalSGD(100)], 3, ranks=2)
    mean = [(a + b) / np.float32(2) for a, b in zip(*own, strict=True)]
    found = run_ranks(trained, way, "adam", lambda: [dist.LocalSGD(3)], 3, ranks=2)
    assert distance(own[0], own[1]) > 1e-4
    assert distance(found[0], found[1]) == 0 and distance(found[0], mean) == 0
    early = run_ranks(trained, way, "sgd", lambda: [dist.LocalSGD(100, begin_step=4)], 3, ranks=2)
    (one,) = run_ranks(trained, way, "sgd", none, 3, ranks=1)
    assert distance(early[0], early[1]) == 0 and distance(early[0], one) < 3e-7


def by_hand(gradients: list[list[Any]], k: int, momentum: float) -> list[Any]:
    """What DGC gives in each step: gradients[rank][step]."""
    waiting = [np.zeros_like(g[0]) for g in gradients]
    velocity = [np.zeros_like(g[0]) for g in gradients]
    made = []
    for step in range(len(gradients[0])):
        total = np.zeros_like(waiting[0])
        for rank in range(len(gradients)):
            velocity[rank] = velocity[rank] * np.float32(momentum) + gradients[rank][step]
            waiting[rank] = waiting[rank] + velocity[rank]
            places = np.argsort(-abs(waiting[rank]), kind="stable")[:k]
            total[places] += waiting[rank][places]
            waiting[rank][places] = velocity[rank][places] = 0
        made.append(total / np.float32(len(gradients)))
    return made


@pytest.mark.parametrize("captured", [False, True])
def test_the_largest_elements_travel_and_the_rest_waits(captured: bool) -> None:
    gradients = np.random.default_rng(4).standard_normal((2, 5, 10)).astype("float32")

    def run() -> Any:
        w = vt.create_parameter([10], "float32", default_initializer=vt.nn.initializer.Constant(0.0))
        optimizer = dist.TopGradients(0.7, momentum=0.5).optimizer(vt.optimizer.SGD(1.0, parameters=[w]))

        def step(g: Any) -> Any:
            (w * g).sum().backward()
            optimizer.step()
            optimizer.clear_grad()
            return w * 1

        step = vt.to_static(step) if captured else step
        return [step(vt.to_tensor(gradients[dist.get_rank(), k])).numpy() for k in range(5)]

    wanted = -np.cumsum(by_hand([list(g) for g in gradients], 3, 0.5), axis=0)
    for found in run_ranks(run, ranks=2):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_whole_gradients_travel_while_dgc_warms_up(way: str) -> None:
    stages = lambda: [dist.TopGradients(0.9, rampup_begin_step=3)]  # noqa: E731
    three = run_ranks(trained, way, "sgd", stages, 3, ranks=2)
    (one,) = run_ranks(trained, way, "sgd", none, 3, ranks=1)
    assert distance(three[0], three[1]) == 0 and distance(three[0], one) < 3e-7
    four = run_ranks(trained, way, "sgd", stages, 4, ranks=2)
    (one,) = run_ranks(trained, way, "sgd", none, 4, ranks=1)
    assert distance(four[0], four[1]) == 0 and distance(four[0], one) > 1e-4


@pytest.mark.parametrize("way", WAYS)
def test_the_share_that_travels_falls_in_steps(way: str) -> None:
    strategy = fleet.DistributedStrategy()
    strategy.dgc = True
    strategy.dgc_configs = {"sparsity": [0.0, 0.5, 0.9], "rampup_begin_step": 1, "rampup_step": 6}
    (stage,) = strategy.stages()
    assert [stage.last_step(k) for k in range(2)] == [3, 5] and [stage.chosen(20, k) for k in range(3)] == [20, 10, 2]
    stages = lambda: [dist.TopGradients([0.0, 0.5, 0.9], rampup_begin_step=1, rampup_step=6)]  # noqa: E731
    found = {n: run_ranks(trained, way, "sgd", stages, n, ranks=2) for n in (3, 5, 7)}
    assert all(distance(*pair) == 0 for pair in found.values())
    (one,) = run_ranks(trained, way, "sgd", none, 3, ranks=1)
    assert distance(found[3][0], one) < 3e-7
    fixed = lambda at, n: run_ranks(  # noqa: E731
        trained, way, "sgd", lambda: [dist.TopGradients(at, rampup_begin_step=3)], n, ranks=2
    )
    assert distance(found[5][0], fixed(0.5, 5)[0]) < 3e-7 and distance(found[7][0], fixed(0.5, 7)[0]) > 1e-5


PARTS: dict[str, Callable[[], Any]] = {
    "gradient_merge": lambda: dist.GradientMerge(2),
    "grad_all_reduce": dist.GradAllReduce,
    "fp16_allreduce": dist.ShortGradients,
    "dgc": lambda: dist.TopGradients(0.0),
    "local_sgd": lambda: dist.LocalSGD(2),
    "sharding 1": lambda: dist.ShardedStates(1),
    "sharding 2": lambda: dist.ShardedStates(2),
}
TRAVELS = {"grad_all_reduce", "fp16_allreduce", "dgc", "local_sgd"}


def goes_together(a: str, b: str) -> bool:
    """What the guide says of a pair."""
    pair = {a, b}
    sharded = {name for name in pair if name.startswith("sharding")}
    return not (
        pair <= TRAVELS or len(sharded) == 2 or (sharded and "local_sgd" in pair) or pair == {"dgc", "sharding 2"}
    )


@pytest.mark.parametrize("a", PARTS)
@pytest.mark.parametrize("b", PARTS)
def test_pairs_train_or_are_refused_by_name(a: str, b: str) -> None:
    if a >= b:
        return
    make = lambda: [PARTS[a](), PARTS[b]()]  # noqa: E731
    if not goes_together(a, b):
        with pytest.raises(RuntimeError, match="don't go together: "):
            run_ranks(trained, "eager", "adam", make, ranks=2)
        return
    merged = "gradient_merge" in (a, b)
    exchanged = bool({a, b} & {*TRAVELS, "sharding 2"})
    stages = make if exchanged else lambda: [*make(), dist.GradAllReduce()]
    wanted = merged_by_hand("adam", 2, 4) if merged else run_ranks(trained, "eager", "adam", none, ranks=1)[0]
    found = {way: run_ranks(trained, way, "adam", stages, ranks=2) for way in WAYS}
    for way in WAYS:
        if {a, b} != {"gradient_merge", "local_sgd"}:
            assert distance(found[way][0], wanted) < (1e-4 if "fp16_allreduce" in (a, b) else 3e-7), way
        near = 1e-4 if "fp16_allreduce" in (a, b) else 1e-6  # a bit more or less may round to another 16-bit number
        assert distance(found[way][0], found[way][1]) == 0 and distance(found[way][0], found["eager"][0]) < near


def test_the_order_of_stages_does_not_matter() -> None:
    stages = [dist.ShardedStates(2), dist.GradientMerge(2)]
    net = vt.nn.Linear(2, 2)
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())
    names = [s.name for s in with_stages(optimizer, lambda: stages).stages]
    assert (
        names == ["gradient_merge", "sharding"] == [s.name for s in with_stages(optimizer, lambda: stages[::-1]).stages]
    )


# ---- states and memory


def states(optimizer: Any) -> dict[str, Any]:
    """A saved state as arrays."""
    return {k: v.numpy() if hasattr(v, "numpy") else v for k, v in optimizer.state_dict().items()}


@pytest.mark.parametrize("level", [1, 2])
def test_sharded_states_are_saved_whole_and_restored_on_any_number_of_ranks(level: int) -> None:
    stages = lambda: [dist.ShardedStates(level)] + [dist.GradAllReduce()] * (level == 1)  # noqa: E731

    def first() -> Any:
        found, optimizer, _ = dynamic("adam", stages, 3, False)
        return found, states(optimizer)

    def second(found: Any, state: Any) -> Any:
        vt.seed(1)
        net = vt.nn.Sequential(vt.nn.Linear(4, 5), vt.nn.Tanh(), vt.nn.Linear(5, 2))
        for p, array in zip(net.parameters(), found, strict=True):
            p.set_value(array)
        optimizer = with_stages(OPTIMIZERS["adam"](parameters=net.parameters()), stages)
        optimizer.set_state_dict(state)
        part = rows(3, dist.get_world_size(), dist.get_rank())
        ((net(vt.to_tensor(part[:, :4])) - vt.to_tensor(part[:, 4:])) ** 2).mean().backward()
        optimizer.step()
        return [p.numpy() for p in net.parameters()], states(optimizer)

    saved = run_ranks(first, ranks=3)
    assert all(np.array_equal(v, saved[1][1][k]) for k, v in saved[0][1].items() if k != "parameter_names")
    (plain,) = run_ranks(lambda: dynamic("adam", none, 4, False)[0], ranks=1)
    for ranks in (1, 2, 3, 4):
        found, state = run_ranks(second, *saved[0], ranks=ranks)[0]
        assert distance(found, plain) < 3e-7
        assert {k: np.shape(v) for k, v in state.items()} == {k: np.shape(v) for k, v in saved[0][1].items()}


@pytest.mark.parametrize("kind", ["sgd", "momentum", "adam"])
@pytest.mark.parametrize("level", [1, 2])
def test_memory_is_what_the_plan_says_to_the_byte(level: int, kind: str) -> None:
    def run() -> Any:
        stage = dist.ShardedStates(level)
        stages = [stage] if level == 2 else [stage, dist.GradAllReduce()]
        _, optimizer, _ = dynamic(kind, lambda: stages, 1, True)
        held = sum(x.numpy().nbytes for table in optimizer._accumulators.values() for x in table.values())
        return stage.plan(optimizer._parameter_list, optimizer), held

    for plan, held in run_ranks(run, ranks=3):
        assert plan.states == held and plan.parameters == 4 * 37
        assert plan.gradients == (4 * (7 + 2 + 4 + 1) if level == 2 else 4 * 37)


def test_a_static_program_makes_no_whole_states() -> None:
    def run() -> Any:
        vt.enable_static()
        stages = lambda: [dist.ShardedStates(2)]  # noqa: E731
        texts = [str(program) for program in built("adam", stages)[:2]]
        vt.disable_static()
        return texts

    main, startup = run_ranks(run, ranks=2)[0]
    assert "moment1_0: f32[10]" in main and "moment1_0: f32[4, 5]" not in main
    assert "moment1_0: f32[10]" in startup and "moment1_0: f32[4, 5]" not in startup


def test_what_sharding_refuses() -> None:
    net = vt.nn.Linear(2, 2)
    with pytest.raises(RuntimeError, match="Lamb needs whole parameters"):
        dist.ShardedStates(1).optimizer(vt.optimizer.Lamb(0.1, parameters=net.parameters()))
    with pytest.raises(ValueError, match="levels 1, 2 and 3"):
        dist.ShardedStates(4)

    class Own(type(vt.nn.ClipGradByNorm(1.0)).__mro__[1]):  # type: ignore[misc]
        """A clip that nobody knows."""

    with pytest.raises(RuntimeError, match="with a Own"):
        dist.ShardedStates(2).optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters(), grad_clip=Own()))


@pytest.mark.parametrize("clip", [vt.nn.ClipGradByNorm(0.05), vt.nn.ClipGradByValue(0.01)])
def test_parts_are_clipped_as_the_whole(clip: Any) -> None:
    def run(sharded: bool) -> Any:
        vt.seed(3)
        net = vt.nn.Linear(4, 2)
        optimizer: Any = vt.optimizer.SGD(0.5, parameters=net.parameters(), grad_clip=clip)
        optimizer = (dist.ShardedStates(2) if sharded else dist.GradAllReduce()).optimizer(optimizer)
        part = rows(0, 2, dist.get_rank())
        ((net(vt.to_tensor(part[:, :4])) - vt.to_tensor(part[:, 4:])) ** 2).mean().backward()
        optimizer.step()
        return [p.numpy() for p in net.parameters()]

    assert distance(run_ranks(run, True, ranks=2)[1], run_ranks(run, False, ranks=2)[0]) < 1e-7


# ---- programs before and after


def test_a_merged_program_updates_in_a_branch() -> None:
    vt.enable_static()
    main, startup, _, _ = built("sgd", none)
    before = str(main)
    dist.GradientMerge(4).transpile(main)
    dist.GradAllReduce().transpile(main)
    after = str(main)
    dist.GradAllReduce().transpile_startup(startup)
    vt.disable_static()
    assert "= if" not in before and "all_reduce" not in before
    branch = after[after.index("= if") :]
    assert after.count("all_reduce") == 4 == branch.count("all_reduce")
    assert after.count("update %fc") == 9 and "w_0_merged_gradient_0: f32[4, 5]" in after and "merged_steps" in after
    assert "merged_gradient_0" in str(startup)


def test_a_captured_step_holds_its_stages() -> None:
    def run(stages: Callable[[], Any]) -> list[str]:
        step = dynamic("sgd", stages, 1, True)[2]
        return [o.name for o in walk(step.concrete_trace().program.body)]

    before, after = run_ranks(run, none, ranks=2)[0], run_ranks(run, EXACT["sharding 2"], ranks=2)[0]
    assert "reduce_scatter" not in before
    assert after.count("reduce_scatter") == after.count("all_gather") == 4


@pytest.mark.parametrize(("captured", "wanted"), [(True, 2), (False, 8)])
def test_a_captured_step_exchanges_parts_in_buckets(captured: bool, wanted: int) -> None:
    simulated = {}
    for steps in (2, 3):
        one = simulated[steps] = Simulator(2)
        one.run(lambda n=steps: dynamic("adam", EXACT["sharding 2"], n, captured)[0], (), {})
    assert simulated[3].exchanges - simulated[2].exchanges == wanted


def test_updates_that_are_read_cannot_be_made_again() -> None:
    vt.enable_static()
    main, startup, _, _ = built("sgd", none)
    with static.program_guard(main, startup):
        _ = main.all_parameters()[0] * 2.0
    with pytest.raises(ValueError, match="reads what an optimizer's update made"):
        dist.GradAllReduce().transpile(main)
    vt.disable_static()


# ---- strategies


@pytest.mark.parametrize("way", ["eager", "captured"])
@pytest.mark.parametrize(
    ("flags", "bound"),
    [({}, 3e-7), ({"sharding": {"stage": 1}}, 3e-7), ({"sharding": {"stage": 2}}, 3e-7), ({"fp16_allreduce": {}}, 1e-4),
     ({"dgc": {"sparsity": [0.0]}}, 3e-7), ({"gradient_merge": {"k_steps": 1}}, 3e-7), ({"localsgd": {}}, 3e-7)],
)  # fmt: skip
def test_flags_of_a_strategy(flags: dict[str, Any], bound: float, way: str) -> None:
    def run() -> Any:
        strategy = fleet.DistributedStrategy()
        for name, configs in flags.items():
            setattr(strategy, name, True)
            if configs:
                setattr(strategy, f"{name}_configs", configs)
        fleet.init(is_collective=True, strategy=strategy)
        vt.seed(7 + dist.get_rank())
        net = fleet.distributed_model(vt.nn.Sequential(vt.nn.Linear(4, 5), vt.nn.Tanh(), vt.nn.Linear(5, 2)))
        optimizer = fleet.distributed_optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters()))

        def step(x: Any, y: Any) -> Any:
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        run = vt.to_static(step) if way == "captured" else step
        for k in range(4):
            part = rows(k, dist.get_world_size(), dist.get_rank())
            run(vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:]))
        return [p.numpy() for p in net.parameters()]

    (one,) = run_ranks(trained, way, "sgd", none, ranks=1)
    found = run_ranks(run, ranks=3)
    assert distance(found[0], found[2]) == 0 and distance(found[0], one) < bound


def test_a_strategy_in_static_mode() -> None:
    def run() -> Any:
        strategy = fleet.DistributedStrategy()
        strategy.sharding = strategy.gradient_merge = True
        strategy.sharding_configs, strategy.gradient_merge_configs = {"stage": 2}, {"k_steps": 2}
        return static_way("adam", lambda: strategy.stages(), 4, late=False)

    found = run_ranks(run, ranks=2)
    assert distance(found[0], found[1]) == 0 and distance(found[0], merged_by_hand("adam", 2, 4)) < 3e-7


def test_what_a_strategy_refuses() -> None:
    strategy = fleet.DistributedStrategy()
    with pytest.raises(ValueError, match="gradient_merge_configs has no steps"):
        strategy.gradient_merge_configs = {"steps": 3}
    strategy.dgc = strategy.fp16_allreduce = True
    with pytest.raises(RuntimeError, match="fp16_allreduce and dgc don't go together"):
        strategy.stages()


# ---- unusual models


class Unusual(vt.nn.Layer):
    """A shared weight, a frozen one, a batch norm, and a layer that some steps don't use."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm, self.frozen = vt.nn.Linear(4, 4), vt.nn.BatchNorm1D(4), vt.nn.Linear(4, 4)
        self.last, self.rare = vt.nn.Linear(4, 2), vt.nn.Linear(4, 2)
        for p in self.frozen.parameters():
            p.stop_gradient = True

    def forward(self, x: Any, rare: bool) -> Any:
        h = vt.tanh(self.first(self.norm(self.frozen(self.first(x)))))
        return self.last(h) + self.rare(h) if rare else self.last(h)


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("name", ["sharding 1", "sharding 2", "merge of one"])
def test_unusual_models_and_two_optimizers(name: str, captured: bool) -> None:
    def run(stages: Callable[[], Any]) -> Any:
        vt.seed(5)
        net = Unusual()
        net.norm.eval()  # its statistics are each rank's own
        firsts = [*net.first.parameters(), *net.frozen.parameters()]
        rest = [*net.norm.parameters(), *net.last.parameters(), *net.rare.parameters()]
        optimizers = [
            with_stages(OPTIMIZERS[k](parameters=ps), stages) for k, ps in (("adam", firsts), ("momentum", rest))
        ]

        def step(x: Any, y: Any, rare: bool) -> Any:
            loss = ((net(x, rare) - y) ** 2).mean()
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
                optimizer.clear_grad(set_to_zero=False)
            return loss

        run = vt.to_static(step) if captured else step
        for k in range(4):
            part = rows(k, dist.get_world_size(), dist.get_rank())
            run(vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:]), k > 1)
        return [p.numpy() for p in net.parameters()]

    (one,) = run_ranks(run, none, ranks=1)
    found = run_ranks(run, EXACT[name], ranks=3)
    assert distance(found[0], found[1]) == 0 and distance(found[0], one) < 5e-7


def test_a_gradient_on_some_paths_only_is_refused() -> None:
    net = vt.nn.Linear(2, 1)
    optimizer = dist.GradientMerge(2).optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters()))

    @vt.to_static
    def step(x: Any) -> Any:
        if x.sum() > 0:
            net(x).sum().backward()
        optimizer.step()
        return x

    with pytest.raises(RuntimeError, match="on some paths"):
        step(vt.ones([1, 2]))
