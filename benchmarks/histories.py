"""Programs with lists that grow, tables, scatters and stencils, written as their users write them, beside torch eager.

`python benchmarks/histories.py [name ...]` runs each compiled by vitrify and by torch in turn, in one process on one
thread, and prints medians. The interpreter needs both.
"""

import os
import statistics
import sys
import time

os.environ.update(VITRIFY_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

ROUNDS = 15
RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.normal(size=shape).astype("float32")


def pendulums(lib, q, v, n):
    history, k = [], 0
    while k < n:
        v = v + 0.05 * (-lib.sin(q) - 0.1 * v)
        q = q + 0.05 * v
        energy = (0.5 * v * v + 1 - lib.cos(q)).mean()
        history.append(energy.item())
        k += 1
        if energy < 1e-3:
            break
    return q, history


def sampler(lib, x, noise, chances, precision, n):
    density, xs, taken, k = -0.5 * (x @ precision @ x), [], 0, 0
    while k < n:
        y = x + 0.5 * noise[k]
        proposed = -0.5 * (y @ precision @ y)
        if chances[k] < proposed - density:
            x, density = y, proposed
            taken += 1
        xs.append(x)
        k += 1
    return lib.stack(xs), taken


def decoder(lib, h, table, inner, outer, n):
    tokens = [2]
    while len(tokens) < n:
        h = lib.tanh(h @ inner + table[tokens[-1]])
        token = (h @ outer).argmax().item()
        tokens.append(token)
        if token == 60:
            break
    return tokens, h


def fit(lib, w, x, y, n):
    losses, k = [], 0
    while k < n:
        error = lib.tanh(x @ w) - y
        losses.append((error * error).mean().item())
        w = w - 0.1 * (x.T @ (2 * error * (1 - (error + y) ** 2) / 128))
        k += 1
    return w, losses


def distance(lib, a, b, steps):
    row = steps
    for i in range(a.shape[0]):
        best = lib.minimum(row[:-1] + (b != a[i]), row[1:] + 1)
        joined = lib.concat([row[:1] + 1, best]) if hasattr(lib, "to_static") else lib.cat([row[:1] + 1, best])
        row = lib.cummin(joined - steps, 0)[0] + steps
    return row[-1]


def kalman(lib, seen, x, p, a, h, q, r):
    xs = []
    for k in range(seen.shape[0]):
        x, p = a @ x, a @ p @ a.T + q
        gain = p @ h.T @ lib.linalg.inv(h @ p @ h.T + r)
        x, p = x + gain @ (seen[k] - h @ x), p - gain @ h @ p
        xs.append(x)
    return lib.stack(xs)


def edges(lib, x):
    down = x[:-2] + 2 * x[1:-1] + x[2:]
    blurred = (down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]) / 16
    gx = lib.roll(blurred, -1, 1) - lib.roll(blurred, 1, 1)
    gy = lib.roll(blurred, -1, 0) - lib.roll(blurred, 1, 0)
    size = lib.sqrt(gx * gx + gy * gy)
    return lib.where(size > size.mean() + size.std(), size, lib.zeros_like(size))


EYE = np.eye(4, dtype="float32")
PROGRAMS = {
    "damped pendulums, a history": (pendulums, normal(64), normal(64), 200),
    "Metropolis sampler, 500 states": (sampler, np.zeros(4, "float32"), normal(500, 4),
                                       np.log(RNG.uniform(size=500)).astype("float32"), EYE, 500),
    "greedy decoder, 60 tokens": (decoder, normal(48), normal(60, 48), 0.1 * normal(48, 48), normal(48, 60), 60),
    "fit with its losses, 150 steps": (fit, np.zeros(10, "float32"), normal(128, 10), normal(128), 150),
    "edit distance, 60 x 50": (distance, RNG.integers(0, 4, 60), RNG.integers(0, 4, 50), np.arange(51)),
    "Kalman filter, 100 steps": (kalman, normal(100, 2), np.zeros(4, "float32"), EYE, EYE + 0.1 * np.eye(4, k=1, dtype="float32"),
                                 EYE[:2], 0.01 * EYE, 0.1 * EYE[:2, :2]),
    "edges of a blurred image": (edges, RNG.uniform(size=(258, 258)).astype("float32")),
}  # fmt: skip


def medians(calls):
    """The median time of each call, in milliseconds, in turn."""
    times = [[] for _ in calls]
    for round_number in range(ROUNDS + 2):
        for call, kept in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            if round_number > 1:
                kept.append((time.perf_counter() - start) * 1e3)
    return [statistics.median(kept) for kept in times]


def main():
    """Run the programs that the command line names, or all."""
    import torch

    import vitrify as vt

    torch.set_num_threads(1)
    for name, (function, *given) in PROGRAMS.items():
        if sys.argv[1:] and not any(asked in name for asked in sys.argv[1:]):
            continue
        ours = [vt.to_tensor(a) if isinstance(a, (np.ndarray, int)) else a for a in given]
        theirs = [torch.tensor(a) if isinstance(a, np.ndarray) else a for a in given]
        compiled = vt.to_static(lambda *tensors, function=function: function(vt, *tensors))
        found = medians([
            lambda: compiled(*ours),  # noqa: B023 - called here
            lambda: function(torch, *theirs),  # noqa: B023
            lambda: function(vt, *ours),  # noqa: B023
        ])  # fmt: skip
        print(f"| {name} | {found[0] / found[1]:.2f} | {found[0]:.3f} | {found[1]:.3f} | {found[2]:.3f} |", flush=True)


if __name__ == "__main__":
    main()
