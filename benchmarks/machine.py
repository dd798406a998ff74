"""Measured limits of this machine: triad bandwidth, sgemm peak, exp rate, call and thread-team cost.

Run as a process of its own: machine.py THREADS -> one JSON line.  Needs numba and numpy; torch if present.
"""

import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def best(f, budget=0.4):
    f()
    ts, end = [], time.perf_counter() + budget
    while time.perf_counter() < end or len(ts) < 5:
        t = time.perf_counter()
        f()
        ts.append(time.perf_counter() - t)
    ts.sort()
    return ts[max(0, len(ts) // 10)]  # the 10th percentile: a limit, but not one lucky sample


def main(threads):
    import llvmlite.binding as llvm
    import numba as nb
    import numpy as np

    par = threads > 1
    nb.set_num_threads(min(threads, nb.config.NUMBA_NUM_THREADS))
    out = {"threads": threads}

    @nb.njit(fastmath=True, parallel=par)
    def triad(a, b, c, s):
        for i in nb.prange(a.size):
            a[i] = b[i] + s * c[i]

    @nb.njit(fastmath=True, parallel=par)
    def read(a):
        s = np.float32(0)
        for i in nb.prange(a.size):
            s += a[i]
        return s

    for label, n in (("L2_768K", 1 << 16), ("48M", 1 << 22), ("DRAM_1536M", 1 << 27)):
        a, b, c = (np.ones(n, np.float32) for _ in range(3))
        t = best(lambda: triad(a, b, c, np.float32(0.5)))
        out["triad_" + label] = 12 * n / t / 1e9
    a = np.ones(1 << 22, np.float32)
    out["read_16M"] = 4 * a.size / best(lambda: read(a)) / 1e9

    def fresh():
        return np.ones(1 << 22, np.float32)  # new pages every time

    out["write_16M_fresh_pages"] = 16.777216e6 / best(fresh) / 1e9
    from peers.fastmath import make

    fexp = make(nb)["exp"]

    @nb.njit(fastmath=True, parallel=par)
    def ex(a, b):
        for i in nb.prange(a.size):
            b[i] = fexp(a[i])

    a = np.ones(1 << 14, np.float32)
    b = np.empty_like(a)
    out["exp_poly_Gelem_s"] = a.size / best(lambda: ex(a, b)) / 1e9 if not par else None

    @nb.njit
    def nop(x):
        return x

    t = time.perf_counter()
    nop(a)
    f = 20000
    t = time.perf_counter()
    for _ in range(f):
        nop(a)
    out["numba_call_us"] = (time.perf_counter() - t) / f * 1e6
    if par:

        @nb.njit(parallel=True)
        def team(x):
            for i in nb.prange(2):
                x[i] += 1

        team(a)
        t = time.perf_counter()
        for _ in range(f):
            team(a)
        out["numba_team_us"] = (time.perf_counter() - t) / f * 1e6
    n = 1536
    x, y = np.random.rand(n, n).astype(np.float32), np.random.rand(n, n).astype(np.float32)
    z = np.empty_like(x)
    out["sgemm_openblas_numpy"] = 2 * n**3 / best(lambda: np.matmul(x, y, out=z), 1.0) / 1e9
    out["numba_target"] = llvm.get_host_cpu_name()
    try:
        import torch

        torch.set_num_threads(threads)
        tx, ty, tz = map(torch.from_numpy, (x, y, z))
        out["sgemm_mkl_torch"] = 2 * n**3 / best(lambda: torch.mm(tx, ty, out=tz), 1.0) / 1e9
        bx, by = tx.bfloat16(), ty.bfloat16()
        bz = torch.empty_like(bx)
        out["bf16_amx_onednn_torch"] = 2 * n**3 / best(lambda: torch.mm(bx, by, out=bz), 0.5) / 1e9
    except ImportError:
        pass
    print(json.dumps(out))


main(int(sys.argv[1]))
