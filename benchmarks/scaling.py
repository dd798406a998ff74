"""How training steps scale over ranks: predicted beside measured on this machine, and predicted for clusters.

    vitrify launch -n 2 benchmarks/scaling.py          # predicted and measured, for MLP, LeNet and an encoder block
    python benchmarks/scaling.py                       # weak scaling of four encoder layers, up to 1,024 ranks
    python benchmarks/scaling.py --plot scaling.svg    # and its picture

Predictions of the first form are made on all ranks at once, so that they share the machine as the measured run does.
"""

import argparse
import math
import statistics
import time
from html import escape

from ddp import pinned

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn

ROUNDS, WARM, CALLS = 5, 20, 15  # WARM: a core and its caches take some steps to settle


def trained(net, loss_of, *inputs):
    """A data-parallel training step of a network, with its inputs."""
    net = vt.DataParallel(net)
    optimizer = vt.optimizer.Adam(0.001, parameters=net.parameters())

    @vt.to_static
    def step(*given):
        loss = loss_of(net, *given)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step, *inputs


def entropy(net, x, y):
    """The loss of a classifier."""
    return nn.functional.cross_entropy(net(x), y)


def squares(net, x):
    """A loss of a network whose output isn't labelled."""
    return (net(x) ** 2).mean()


def mlp(batch=128):
    """784-512-512-10."""
    net = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    return trained(net, entropy, vt.rand([batch, 784]), vt.arange(batch) % 10)


def lenet(batch=64):
    """LeNet-5 for images of 28 x 28."""
    features = [
        nn.Conv2D(1, 6, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2D(2, 2),
        nn.Conv2D(6, 16, 5),
        nn.ReLU(),
        nn.MaxPool2D(2, 2),
    ]
    head = [nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)]
    return trained(nn.Sequential(*features, *head), entropy, vt.rand([batch, 1, 28, 28]), vt.arange(batch) % 10)


def encoder(batch=8, layers=1):
    """Encoder layers of a transformer: 256 wide, 4 heads, sequences of 128."""
    blocks = [nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0) for _ in range(layers)]
    return trained(nn.Sequential(*blocks), squares, vt.rand([batch, 128, 256]))


MODELS = {"MLP": mlp, "LeNet": lenet, "encoder block": encoder}


def measured(make):
    """The median time of a step, of the slowest rank."""
    step, *inputs = make()
    for _ in range(WARM):
        step(*inputs)
    times = []
    for _ in range(CALLS):
        dist.barrier()
        start = time.perf_counter()
        step(*inputs)
        times.append(time.perf_counter() - start)
    found = []
    dist.all_gather_object(found, statistics.median(times))
    return max(found)


def validate() -> None:
    """Print predicted and measured times of each model, in turn: medians of rounds, and the least and the most."""
    ranks = dist.get_world_size()
    pinned(dist.get_rank())
    rows = []
    for name, make in MODELS.items():
        said, was = [], []
        for _ in range(ROUNDS):
            net = dist.Network.measured()
            predicted = dist.simulate(make, ranks=ranks, network=net, calls=CALLS)
            dist.barrier()
            found = []
            dist.all_gather_object(found, predicted.seconds)
            said.append(statistics.mean(found))
            was.append(measured(make))
        off = statistics.median(said) / statistics.median(was) - 1
        rows.append(f"| {name} | {spread(said)} | {spread(was)} | {off:+.0%} |")
    if dist.get_rank() == 0:
        print(f"{ranks} ranks, ms: predicted, measured", *rows, sep="\n")


def spread(seconds) -> str:
    """The median in milliseconds, and the least and the most."""
    median, least, most = (1e3 * pick(seconds) for pick in (statistics.median, min, max))
    return f"{median:.2f} [{least:.2f}, {most:.2f}]"


def scale(path: str) -> None:
    """Print the share of computing, and the milliseconds that exchanges add, for four encoder layers; draw the first."""
    vt.set_num_threads(1)
    counts = (1, 2, 8, 16, 64, 128, 512, 1024)
    curves = {}
    times = None
    for n in counts:
        found = dist.simulate(lambda: encoder(8, 4), ranks=n, times=times)
        times = found.timeline.times  # all counts compare with the same computing
        for algorithm in ("fixed order", "fastest"):
            for name in ("10GbE", "100GbE", "infiniband"):
                net = dist.forecast.network.network(name).with_(algorithm=algorithm)
                curves.setdefault(f"{name}, {algorithm}", []).append(found.on(net))
    print(found)
    for key, row in curves.items():
        print(f"| {key} | " + " | ".join(f"{p.efficiency:.0%}" for p in row) + " |")
    for key, row in curves.items():
        print(f"| {key} | " + " | ".join(f"{p.exchanging * 1e3:.1f}" for p in row) + " |")
    for n in (8, 16, 32, 64):  # a batch of 64 for all of them together
        strong = dist.simulate(lambda: encoder(64 // n, 4), ranks=n, calls=3)
        each = [strong, strong.on("100GbE")]
        print(
            f"| {n} | {64 // n} | " + " | ".join(f"{p.seconds * 1e3:.0f} ms ({p.efficiency:.0%})" for p in each) + " |"
        )
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(picture(counts, {key: [p.exchanging for p in row] for key, row in curves.items()}))


def picture(counts, curves) -> str:
    """Seconds that exchanges add to a step, over ranks, as SVG: a line for each network and algorithm."""
    colours = ("#d07a2d", "#3b82c4", "#4c9a5b")
    left, top, wide, tall = 60, 15, 520, 260

    def place(k, seconds):
        return left + wide * (k - 1) / (len(counts) - 2), top + tall * (1 - math.log10(seconds * 1e3) / 2)

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 320" font-family="sans-serif" font-size="12">',
        "<title>milliseconds that exchanges add to a step, over the number of ranks</title>",
    ]
    for milliseconds in (1, 3, 10, 30, 100):
        _, y = place(1, milliseconds / 1e3)
        parts.append(
            f'<line x1="{left}" x2="{left + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#8b929c" stroke-width="0.5"/>'
        )
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#7d8590">{milliseconds} ms</text>')
    for k, n in list(enumerate(counts))[1:]:
        x, _ = place(k, 1.0)
        parts.append(f'<text x="{x:.1f}" y="{top + tall + 18}" text-anchor="middle" fill="#7d8590">{n:,}</text>')
    for k, (key, values) in enumerate(curves.items()):
        places = [place(j, v) for j, v in enumerate(values) if j]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        look = f'stroke="{colours[k % 3]}" stroke-width="2"' + ("" if k < 3 else ' stroke-dasharray="5 4"')
        parts.append(f'<polyline points="{points}" fill="none" {look}/>')
        y = top + 14 + 20 * k
        parts.append(f'<line x1="600" x2="630" y1="{y - 4}" y2="{y - 4}" {look}/>')
        parts.append(f'<text x="636" y="{y}" fill="#7d8590">{escape(key)}</text>')
    middle, below = left + wide / 2, top + tall + 38
    parts.append(
        f'<text x="{middle}" y="{below}" text-anchor="middle" fill="#7d8590">ranks, one on each node</text></svg>'
    )
    return "\n".join(parts) + "\n"


def main() -> None:
    """Validate in a run of several ranks, else predict."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plot", default="")
    options = parser.parse_args()
    dist.init_parallel_env()
    vt.set_num_threads(1)
    vt.seed(0)
    if dist.get_world_size() > 1:
        validate()
    else:
        scale(options.plot)


if __name__ == "__main__":
    main()
