"""The digits demo on several ranks: the network of digits.py, each rank with its share of every batch.

    python examples/data_parallel.py                          # one rank
    vitrify launch -n 2 examples/data_parallel.py             # two processes (pip install 'vitrify[mpi,demo]')
    python examples/data_parallel.py --simulate 2             # two ranks in this process, without MPI

One line differs from training on one rank: `net = vt.DataParallel(net)`. The sampler takes its share by itself.
"""

import argparse

import numpy as np

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn

BATCH = 64  # of all ranks together


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Images [n, 64] and labels of scikit-learn's digits; without scikit-learn, made ones."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        rng = np.random.default_rng(0)
        labels = rng.integers(0, 10, 1024)
        return (np.eye(10, 64)[labels] + rng.normal(0, 0.3, (1024, 64))).astype("float32"), labels
    images, labels = load_digits(return_X_y=True)
    return (images / 16).astype("float32"), labels


def train(epochs: int) -> float:
    """Train, print the loss of rank 0 after each epoch; the accuracy."""
    vt.seed(0)
    images, labels = digits()
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    net = vt.DataParallel(net)
    optimizer = vt.optimizer.Adam(0.003, parameters=net.parameters())

    @vt.to_static
    def step(x, y):
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    part = BATCH // dist.get_world_size()
    batches = vt.io.DistributedBatchSampler(images, part, shuffle=True, drop_last=True, as_one=True)
    for epoch in range(epochs):
        batches.set_epoch(epoch)
        for chosen in batches:
            loss = step(vt.to_tensor(images[chosen]), vt.to_tensor(labels[chosen]))
        dist.all_reduce(loss, "mean")
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f} on {dist.get_world_size()} rank(s)")
    with vt.no_grad():
        found = net(vt.to_tensor(images)).argmax(-1).numpy()
    return float((found == labels).mean())


def main() -> None:
    """Train on the ranks that there are, or on simulated ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--simulate", type=int, default=0, metavar="RANKS")
    options = parser.parse_args()
    dist.init_parallel_env()
    if options.simulate:
        accuracies = dist.run_ranks(train, options.epochs, ranks=options.simulate)
        assert len(set(accuracies)) == 1, "all ranks have the same parameters"
        accuracy = accuracies[0]
    else:
        accuracy = train(options.epochs)
    if dist.get_rank() == 0:
        print(f"accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
