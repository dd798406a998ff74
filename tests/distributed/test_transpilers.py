"""Static programs for several ranks: before and after, and that n ranks train as one does with all of the batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import static
from vitrify.distributed import fleet, run_ranks

DATA = np.random.default_rng(2).standard_normal((24, 6)).astype("float32")


@pytest.fixture(autouse=True)
def _static_mode() -> Iterator[None]:
    vt.enable_static()
    yield
    vt.disable_static()


def built(front: str) -> tuple[Any, Any, Any]:
    """A program that trains, its startup program and its loss; `front`: who transpiles it."""
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [None, 4])
        y = static.data("y", [None, 2])
        hidden = static.nn.fc(x, 5, activation="tanh")
        loss = vt.nn.functional.mse_loss(static.nn.fc(hidden, 2), y)
        optimizer: Any = vt.optimizer.Momentum(0.05)
        if front == "fleet":
            fleet.init(is_collective=True)
            optimizer = fleet.distributed_optimizer(optimizer, strategy=fleet.DistributedStrategy())
        optimizer.minimize(loss, startup)
        if front == "transpiler":
            old = dist.DistributeTranspiler()
            old.transpile(dist.get_rank(), program=main, trainers=dist.get_world_size(), startup_program=startup)
            assert old.get_trainer_program() is main
    return main, startup, loss


def trained(front: str) -> list[Any]:
    """Parameters after five steps."""
    vt.enable_static()
    rank, size = dist.get_rank(), dist.get_world_size()
    vt.seed(11 + rank)
    main, startup, loss = built(front)
    executor, scope = static.Executor(), static.Scope()
    with static.scope_guard(scope):
        executor.run(startup)
        part = np.split(DATA, size)[rank]
        for _ in range(5):
            executor.run(main, feed={"x": part[:, :4], "y": part[:, 4:]}, fetch_list=[loss])
        return [np.array(scope.find_var(p.name).get_tensor()) for p in main.all_parameters()]


@pytest.mark.parametrize("front", ["fleet", "transpiler"])
def test_n_ranks_train_as_one(front: str) -> None:
    (one,) = run_ranks(trained, "none", ranks=1)
    for ranks in (2, 3, 4, 8):
        found = run_ranks(trained, front, ranks=ranks)
        for other in found[1:]:
            assert all((a == b).all() for a, b in zip(found[0], other, strict=True))
        for a, b in zip(found[0], one, strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=2e-6)


def test_the_program_before_and_after() -> None:
    main, startup, _ = built("none")
    kinds = [op.type for op in main.global_block().ops]
    transpiler = dist.GradAllReduce()
    assert transpiler.transpile(main) is main
    after = [op.type for op in main.global_block().ops]
    assert kinds.count("all_reduce") == 0 and after.count("all_reduce") == len(main.all_parameters()) == 4
    assert [kind for kind in after if kind != "all_reduce"] == kinds
    text = str(main)
    assert text.index("all_reduce") < text.index("update")
    assert transpiler.transpile_startup(startup) is startup
    assert [op.type for op in startup.global_block().ops].count("broadcast") == len(startup.recorder.initialised)


def test_what_the_transpiler_refuses() -> None:
    main, startup, _ = built("none")
    transpiler = dist.GradAllReduce()
    transpiler.transpile(main)
    with pytest.raises(RuntimeError, match="one is enough"):
        transpiler.transpile(main)  # a second time
    with pytest.raises(ValueError, match="no updates of an optimizer"):
        transpiler.transpile(startup)
    config = dist.DistributeTranspilerConfig()
    config.mode = "ring"
    with pytest.raises(ValueError, match="no mode 'ring'"):
        dist.DistributeTranspiler(config).transpile(0, program=main)
    config.mode = "pserver"
    with pytest.raises(ValueError, match="needs pservers"):
        dist.DistributeTranspiler(config).transpile(0, program=main)
    with pytest.raises(ValueError, match="2 trainers and 1 servers aren't 1 ranks"):
        dist.DistributeTranspiler().transpile(0, program=main, pservers="a:1", trainers=2)
    with pytest.raises(RuntimeError, match="no parameter servers"):
        dist.DistributeTranspiler().get_pserver_program("")
    with pytest.raises(ValueError, match=r"get_startup_program: call transpile\(\) first"):
        dist.DistributeTranspiler().get_startup_program()
    with pytest.raises(ValueError, match=r"get_trainer_program: call transpile\(\) first"):
        dist.DistributeTranspiler().get_trainer_program()
