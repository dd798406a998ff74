"""Data-parallel training steps on two pinned ranks, beside torch's DistributedDataParallel with gloo.

    vitrify launch -n 2 benchmarks/ddp.py                                     # this package's steps
    vitrify launch -n 2 benchmarks/ddp.py --peer python-with-torch            # both, in turn, and the ratio

Each process is kept on one core and has one thread. Both train with Adam; `alone` is the same step without other ranks,
on each rank at once, `doubled` the step of one rank with the batch of two, `exchange` all of its bytes in one exchange. `hidden` is the share of the exchanges' time that ranks
compute through, by the lanes of `dist.record`: what calls of the transport take isn't hidden. A figure is the median of
the rounds' medians, of the slowest rank. `--lanes FILE` writes the lanes of a step of the last model as a page.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS, CALLS = 5, 20
NAMES = ("MLP", "LeNet", "encoder block")


def pinned(rank):
    """Keep this process on a core of its own."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
    if cores:
        os.sched_setaffinity(0, {cores[rank % len(cores)]})


def median(step, together):
    """Milliseconds of a step, the ranks beginning each one together."""
    for _ in range(5):
        step()
    medians = []
    for _ in range(ROUNDS):
        times = []
        for _ in range(CALLS):
            together()
            start = time.perf_counter()
            step()
            times.append(time.perf_counter() - start)
        medians.append(statistics.median(times))
    return statistics.median(medians) * 1e3


def torch_main(rank, size):
    """The peer's side: prints a line for each model on rank 0."""
    import torch
    from torch import distributed, nn

    pinned(rank)
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", rank=rank, world_size=size)
    features = [
        nn.Conv2d(1, 6, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
    ]
    head = [nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)]
    linear = [nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)]
    block = nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True)
    cases = {
        "MLP": (nn.Sequential(*linear), (torch.rand(128, 784), torch.arange(128) % 10)),
        "LeNet": (nn.Sequential(*features, *head), (torch.rand(64, 1, 28, 28), torch.arange(64) % 10)),
        "encoder block": (block, (torch.rand(8, 128, 256),)),
    }
    for name, (net, inputs) in cases.items():
        model = nn.parallel.DistributedDataParallel(net)
        optimizer = torch.optim.Adam(net.parameters(), 0.001)

        def step(model=model, optimizer=optimizer, inputs=inputs):
            optimizer.zero_grad()
            made = model(inputs[0])
            loss = nn.functional.cross_entropy(made, inputs[1]) if len(inputs) > 1 else (made**2).mean()
            loss.backward()
            optimizer.step()

        took = torch.tensor([median(step, distributed.barrier)])
        distributed.all_reduce(took, distributed.ReduceOp.MAX)
        if rank == 0:
            print(f"{name}\t{took.item()}", flush=True)
    distributed.destroy_process_group()


def peer_times(python, rank, size, port):
    """Run the peer's side in a process of its own; milliseconds by model, on rank 0."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG")}
    env = {**kept, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    command = [python, str(Path(__file__).resolve()), "--torch", str(rank), str(size)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return {name: float(took) for name, took in (line.split("\t") for line in done.stdout.splitlines())}


def hidden_share(step, inputs, dist, page=""):
    """The share of the exchanges' time that ranks compute through: the median of several recorded steps."""
    shares = []
    for _ in range(CALLS):
        with dist.record() as lanes:
            step(*inputs)
        shares.append(lanes.hidden)
    if page and dist.get_rank() == 0:
        import vitrify as vt

        vt.report(lanes, page)
    return statistics.median(shares)


def exchange_alone(net, dist, vt):
    """Exchanges of as many bytes as a step's gradients, and nothing else."""
    flat = vt.ones([sum(p.size for p in net.parameters())])

    @vt.to_static
    def exchange(x):
        return dist.all_reduce_of(x, "mean")

    return lambda: exchange(flat)


def main():
    """Print the table on rank 0."""
    sys.path.insert(0, str(Path(__file__).parent))
    import scaling

    import vitrify as vt
    from vitrify import distributed as dist

    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", help="a Python that has torch")
    parser.add_argument("--lanes", default="", help="where to write the page of lanes")
    options = parser.parse_args()
    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    pinned(rank)
    rows = {}
    for name in NAMES:
        step, *inputs = scaling.MODELS[name]()
        with_others = median(lambda step=step, inputs=inputs: step(*inputs), dist.barrier)
        hidden = hidden_share(step, inputs, dist, options.lanes)
        step, net, *inputs = alone(scaling.MODELS[name], vt)
        own = median(lambda step=step, inputs=inputs: step(*inputs), dist.barrier)
        doubled, _, *twice = alone(lambda make=scaling.MODELS[name], batch=len(inputs[0]): make(2 * batch), vt)
        both = median(lambda step=doubled, inputs=twice: step(*inputs), dist.barrier)
        exchange = median(exchange_alone(net, dist, vt), dist.barrier)
        found = []
        dist.all_gather_object(found, [with_others, own, both, exchange, hidden])
        rows[name] = [max(column) for column in zip(*found, strict=True)]
    peers = {}
    if options.peer:
        port = [0]
        if rank == 0:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = [probe.getsockname()[1]]
        dist.broadcast_object_list(port)
        peers = peer_times(options.peer, rank, size, port[0])
        dist.barrier()
    if rank == 0:
        columns = ("step", "alone", "doubled", "of it", "exchange", "hidden", "DDP", "ratio")
        print(f"{size} ranks, ms\n{'':15}" + "".join(f"{column:>10}" for column in columns))
        for name, (step, own, both, exchange, hidden) in rows.items():
            peer = f"{peers[name]:10.2f}{step / peers[name]:10.2f}" if peers else ""
            print(
                f"{name:15}{step:10.2f}{own:10.2f}{both:10.2f}{step / both:10.2f}{exchange:10.2f}{hidden:10.0%}{peer}"
            )


def alone(make, vt):
    """The step of a model without exchanges, the network and the inputs."""
    nets, wrapper = [], vt.DataParallel
    vt.DataParallel = lambda net: nets.append(net) or net
    try:
        step, *inputs = make()
    finally:
        vt.DataParallel = wrapper
    return step, nets[0], *inputs


if __name__ == "__main__":
    if sys.argv[1:2] == ["--torch"]:
        torch_main(int(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
