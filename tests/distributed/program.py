"""A program for `vitrify launch`: every exchange over MPI gives the bits of the simulator; then what its argument says."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import numpy as np

import vitrify as vt
from vitrify import distributed as dist
from vitrify.errors import ExchangeError
from vitrify.ops.op import OPS

DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "complex64", "bool")


def operands(rank: int, size: int) -> Any:
    """This rank's arrays: small and large ones, with NaN, of all kinds of dtypes."""
    rng = np.random.default_rng(rank)
    for dtype in DTYPES:
        for shape in ((size, 3), (size, 2003), (size,)):
            array = rng.standard_normal(shape) * 3
            if dtype == "float32" and shape == (size, 3):
                array[rank % size, 1] = np.nan
            yield vt.to_tensor(array.astype("float32")).astype(dtype)


def exchanged() -> list[Any]:
    """The results of all exchanges, as bytes."""
    rank, size = dist.get_rank(), dist.get_world_size()
    found: list[Any] = []
    for x in operands(rank, size):
        for op in ("sum", "mean", "max", "min", "prod"):
            if x.dtype.is_complex and op in ("max", "min"):
                continue
            if op == "mean" and not (x.dtype.is_floating or x.dtype.is_complex):
                continue
            found.append(dist.all_reduce_of(x, op))
        found += [dist.all_gather_of(x), dist.broadcast_of(x, size - 1), dist.all_to_all_of(x)]
        found += [dist.reduce_scatter_of(x, "sum")]
        own = vt.zeros(x.shape[1:], x.dtype)
        dist.scatter(own, [x[k] for k in range(size)], 0)
        dist.reduce(x, size - 1)
        found += [own, x]
    found += started(vt.to_tensor(np.arange(6007.0) * rank))
    for k in range(3):  # calls like one before go a shorter way
        for op in ("sum", "mean"):
            whole = vt.to_tensor(np.arange(6.0, dtype="float32").reshape(2, 3) * (rank + 1.5 + k))
            same, row, turned = whole.detach(), (whole * 1)[0], (whole * 1).T  # the latter are views of others
            dist.all_reduce(whole, op)
            dist.all_reduce(row, op)
            dist.all_reduce(turned, op, dist.new_group(range(size)))
            dist.all_reduce(large := vt.full([40, 1000], 0.1 * rank + k), op)
            assert whole.inplace_version == 1 and (same == whole).all()
            found += [whole, same, row, turned, large]
    group, y = dist.new_group([0, size - 1]), vt.ones([2]) * rank
    if group.is_member():
        dist.all_reduce(y, group=group)
    z = vt.zeros([2])
    if rank == 0:
        dist.send(vt.ones([2]), size - 1)
    elif rank == size - 1:
        dist.recv(z, 0)
    objects: list[Any] = []
    dist.all_gather_object(objects, {"rank": rank})
    assert objects == [{"rank": k} for k in range(size)]
    return [t.numpy().tobytes() for t in (*found, y, z)]


@vt.to_static
def in_loops(x: Any, rounds: Any) -> Any:
    """Exchanges in a loop and in a branch: from the second one on, native code carries them out."""
    k = vt.zeros([], "int64")
    while k < rounds:
        x = dist.all_reduce_of(x, "mean") + dist.all_gather_of(x).sum(0) * 0.25
        if k % 2 == 0:
            x = dist.broadcast_of(x * 0.5, 1) + dist.reduce_scatter_of(dist.all_gather_of(x), "mean")
        dist.barrier()
        k = k + 1
    return x


def captured() -> list[bytes]:
    """What loops of exchanges give, of small and large arrays, whose sizes the ranks divide or not."""
    rng = np.random.default_rng(dist.get_rank())
    found = []
    for count in (3, 64, 1001, 4096, 50_001, 262_144):
        for dtype in ("float32", "float64"):
            x = vt.to_tensor(rng.standard_normal(count).astype(dtype))
            found += [in_loops(x, vt.to_tensor(rounds)).numpy().tobytes() for rounds in (1, 4)]
    return found


def started(x: Any) -> list[Any]:
    """Exchanges that go on at the same time, waited for in another order."""
    ranks = dist.get_world_size()
    reduced = OPS["all_reduce_start"](x, reduction="sum", ranks=ranks)
    gathered = OPS["all_gather_start"](x, ranks=ranks)
    whole = dist.all_reduce_of(x, "max")
    found = [OPS["all_gather_wait"](gathered, x, ranks=ranks)]
    return [*found, OPS["all_reduce_wait"](reduced, x, reduction="sum", ranks=ranks), whole]


@vt.to_static
def differs(x: Any) -> Any:
    """Another second exchange on each rank."""
    x = dist.all_reduce_of(x, "mean")
    return dist.all_reduce_of(x, "max") if dist.get_rank() else dist.all_gather_of(x).sum(0)


def trained(captured: bool) -> list[bytes]:
    """Parameters after four steps of data-parallel training."""
    rank, size = dist.get_rank(), dist.get_world_size()
    vt.seed(3 + rank)
    net = vt.DataParallel(vt.nn.Sequential(vt.nn.Linear(5, 7), vt.nn.Tanh(), vt.nn.Linear(7, 2)))
    optimizer = vt.optimizer.Adam(0.01, parameters=net.parameters())

    def step(x: Any, y: Any) -> Any:
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    run = vt.to_static(step) if captured else step
    data = np.random.default_rng(0).standard_normal((8, 7)).astype("float32")
    for _ in range(4):
        part = np.split(data, size)[rank]
        run(vt.to_tensor(part[:, :5]), vt.to_tensor(part[:, 5:]))
    return [p.numpy().tobytes() for p in net.parameters()]


def states(path: str, load: bool) -> list[bytes]:
    """Parameters and states of a sharded optimizer after two steps, saved; or as a checkpoint has them."""
    vt.seed(5)
    net = vt.nn.Linear(5, 3)
    optimizer = dist.ShardedStates(1).optimizer(vt.optimizer.Adam(0.1, parameters=net.parameters()))
    if load:
        state: dict[str, Any] = {"model": net.state_dict(), "optimizer": {}}
        dist.load_state_dict(state, path)
        optimizer.set_state_dict(state["optimizer"])
    else:
        for _ in range(2):
            vt.DataParallel(net)(vt.arange(10, dtype="float32").reshape([2, 5])).sum().backward()
            optimizer.step()
            optimizer.clear_grad()
        dist.save_state_dict({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
    found = {**net.state_dict(), **optimizer.state_dict()}
    return [found[name].numpy().tobytes() for name in sorted(found) if hasattr(found[name], "numpy")]


def left_open(rank: int) -> None:
    """Sends that nobody waits for; some of the receives are waited for at once, some at the end, one nobody needs."""
    if rank == 0:
        for k in range(4):
            dist.isend(vt.full([50_000], float(k)), 1)
    elif rank == 1:
        found = [vt.zeros([50_000]) for _ in range(4)]
        tasks = [dist.irecv(x, 0) for x in found]
        dist.all_reduce(vt.ones([3]), group=dist.new_group([1]), sync_op=False)
        assert [tasks[k].wait() and found[k].tolist()[7] for k in (2, 0)] == [2.0, 0.0]


def unlike(rank: int) -> None:
    """A receive of another shape fails on both ranks; the next one is as if nothing had been."""
    for count, shape in ((6, [3]), (50_000, [2, 2])):
        said: list[str] = []
        try:
            if rank == 0:
                dist.send(vt.ones([count]), 1)
            elif rank == 1:
                dist.recv(vt.zeros(shape), 0)
        except ExchangeError as error:
            said = str(error).splitlines()
        wanted = f"rank 0 sends f32[{count}], rank 1 receives f32{shape}"
        assert said[:1] == ([wanted] if rank < 2 else []) and all("program.py" in line for line in said[1:2])
    x = vt.full([2], float(rank))
    if rank == 0:
        dist.send(x + 5, 1)
    elif rank == 1:
        dist.recv(x, 0)
        assert x.tolist() == [5.0, 5.0]


def main() -> None:
    """Compare with the simulator, or fail as asked."""
    dist.init_parallel_env()
    rank, size, how = dist.get_rank(), dist.get_world_size(), sys.argv[1]
    assert dist.get_backend() == "MPI"
    if how == "compare":
        for work in (exchanged, captured, lambda: trained(False), lambda: trained(True)):
            assert work() == dist.run_ranks(work, ranks=size)[rank]
    elif how == "save":
        states(sys.argv[2], False)
    elif how == "load":
        assert states(sys.argv[2], True) == dist.run_ranks(states, sys.argv[2] + "-again", False, ranks=1)[0]
    elif how == "open":
        left_open(rank)
        return
    elif how == "open receive" and rank == 1:
        dist.irecv(vt.zeros([2]), 0)
    elif how in ("open send", "open send before leaving"):
        if rank == 0:
            dist.isend(vt.ones([50_000]), 1)
            dist.isend(vt.ones([50_000]), 1)
        elif rank == 1:
            dist.recv(vt.zeros([50_000]), 0)
        if "leaving" in how:
            dist.destroy_process_group()
        return
    elif how == "another kind":
        unlike(rank)
    elif how == "fail" and rank == 1:
        raise KeyError("lost")
    elif how == "kill" and rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "disagree" and rank == 1:
        dist.all_reduce(vt.ones([2]))
    elif how == "disagree in a loop":
        in_loops(vt.ones([40 + rank]), vt.to_tensor(2 if rank == 1 else 3))
    elif how == "a shorter loop":
        in_loops(vt.ones([40]), vt.to_tensor(2 + rank))
    elif how == "different programs":
        differs(vt.ones([5]))
    elif how == "leave" and rank == 1:
        return
    dist.barrier()
    print(f"rank {rank} of {size} is done")


if __name__ == "__main__":
    main()
