"""What one eager call costs on small tensors, beside torch and NumPy: one thread, in turn within one process.

    python benchmarks/eager/overhead.py [part of a name ...] [--markdown]

Without gradients and with the tape; `fwd+bwd` rows include backward. Microseconds of processor time: the best of
fifteen batches, so that other work on the machine counts little.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import numpy as np
import torch
import torch.nn.functional as T

import vitrify as vt
import vitrify.nn.functional as F

ROUNDS, CALLS = 15, 100
Case = tuple[Callable[[], Any], Callable[[], Any]]


def costs(*calls: Callable[[], Any]) -> list[float]:
    """Microseconds of processor time per call of each: short batches in turn, the best of each."""
    best = [float("inf")] * len(calls)
    for call in calls:
        for _ in range(30):
            call()
    for _ in range(ROUNDS):
        for k, call in enumerate(calls):
            start = time.thread_time()
            for _ in range(CALLS):
                call()
            best[k] = min(best[k], (time.thread_time() - start) / CALLS)
    return [seconds * 1e6 for seconds in best]


def cases(tape: bool) -> dict[str, Case]:
    """name -> (ours, torch's), over vectors of 8 and matrices of 8 x 8."""
    rng = np.random.default_rng(0)
    a, m, n = (rng.standard_normal(s).astype("float32") for s in ((8,), (8, 8), (8, 8)))
    labels, ones = rng.integers(0, 8, 8), np.ones(8, np.float32)
    x, y, w, k = vt.to_tensor(a, stop_gradient=not tape), vt.to_tensor(a), vt.to_tensor(ones), vt.to_tensor(labels)
    X, Y = vt.to_tensor(m, stop_gradient=not tape), vt.to_tensor(n)
    p, q, v, j = torch.tensor(a, requires_grad=tape), torch.tensor(a), torch.tensor(ones), torch.tensor(labels)
    P, Q = torch.tensor(m, requires_grad=tape), torch.tensor(n)
    found: dict[str, Case] = {
        "x + y": (lambda: x + y, lambda: p + q),
        "x + 2": (lambda: x + 2, lambda: p + 2),
        "x * y": (lambda: x * y, lambda: p * q),
        "x == y": (lambda: x == y, lambda: p == q),
        "exp": (lambda: vt.exp(X), lambda: torch.exp(P)),
        "relu": (lambda: F.relu(X), lambda: T.relu(P)),
        "gelu": (lambda: F.gelu(X), lambda: T.gelu(P)),
        "softmax": (lambda: F.softmax(X), lambda: torch.softmax(P, -1)),
        "layer_norm": (lambda: F.layer_norm(X, 8, w, w), lambda: T.layer_norm(P, (8,), v, v)),
        "cross_entropy": (lambda: F.cross_entropy(X, k), lambda: T.cross_entropy(P, j)),
        "mse_loss": (lambda: F.mse_loss(X, Y), lambda: T.mse_loss(P, Q)),
        "matmul": (lambda: X @ Y, lambda: P @ Q),
        "linear": (lambda: F.linear(X, Y, w), lambda: T.linear(P, Q, v)),
        "sum": (lambda: x.sum(), lambda: p.sum()),
        "sum of rows": (lambda: X.sum(1), lambda: P.sum(1)),
        "mean": (lambda: X.mean(), lambda: P.mean()),
        "reshape": (lambda: X.reshape([4, 16]), lambda: P.reshape(4, 16)),
        "transpose": (lambda: X.transpose([1, 0]), lambda: P.permute(1, 0)),
        "concat": (lambda: vt.concat([X, Y]), lambda: torch.cat([P, Q])),
        "stack": (lambda: vt.stack([X, Y]), lambda: torch.stack([P, Q])),
        "where": (lambda: vt.where(X > 0.5, X, Y), lambda: torch.where(P > 0.5, P, Q)),
        "x[1]": (lambda: X[1], lambda: P[1]),
        "x[1:3]": (lambda: X[1:3], lambda: P[1:3]),
        "x[:, 0]": (lambda: X[:, 0], lambda: P[:, 0]),
        "x[index]": (lambda: X[k], lambda: P[j]),
        "to_tensor": (lambda: vt.to_tensor(a), lambda: torch.tensor(a)),
    }
    if tape:
        found |= {
            "fwd+bwd (x + y).sum()": (lambda: (x + y).sum().backward(), lambda: (p + q).sum().backward()),
            "fwd+bwd relu(linear)": (
                lambda: F.relu(F.linear(X, Y, w)).sum().backward(),
                lambda: T.relu(T.linear(P, Q, v)).sum().backward(),
            ),
            "fwd+bwd cross_entropy": (
                lambda: F.cross_entropy(X, k).backward(),
                lambda: T.cross_entropy(P, j).backward(),
            ),
            "fwd+bwd layer_norm": (
                lambda: F.layer_norm(X, 8, w, w).sum().backward(),
                lambda: T.layer_norm(P, (8,), v, v).sum().backward(),
            ),
        }
    return found


def main(arguments: list[str]) -> None:
    """Print the table."""
    torch.set_num_threads(1)
    vt.set_num_threads(1)
    parts = [a for a in arguments if not a.startswith("--")]
    rows = []
    for tape in (False, True):
        for name, (ours, theirs) in cases(tape).items():
            if not parts or any(part in name for part in parts):
                mine, other = costs(ours, theirs)
                rows.append((name, "tape" if tape else "", mine, other, mine / other))
    if "--markdown" in arguments:
        print("| call | | vitrify us | torch us | ratio |\n|---|---|---|---|---|")
        for row in rows:
            print("| {} | {} | {:.1f} | {:.1f} | {:.2f} |".format(*row))
        return
    for row in rows:
        print("{:26} {:4}  {:9.2f} us  {:9.2f} us  {:6.2f}".format(*row))


if __name__ == "__main__":
    main(sys.argv[1:])
